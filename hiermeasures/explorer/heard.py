"""Components on a screen of controls with what their gestures do, and the state after any gesture on
such a screen.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from hiermeasures.explorer import controls
from hiermeasures.explorer.controls import Control

S = TypeVar("S", bound=controls.Screen)
Handler = Callable[[Any, Mapping[str, Any]], Any]  # the state after a gesture, given state and value


@dataclass(frozen=True)
class Done:
    """A gesture in a component."""

    kind: str
    value: Mapping[str, Any]


def part(key: str, name: str, make: Callable[[], Mapping[str, Any]], **handlers: Handler) -> Control:
    """A component of parts.py whose gestures of a kind go to the handler of that name."""

    def act(state: Any, done: Any) -> Any:
        handler = handlers.get(done.kind) if isinstance(done, Done) else None
        return handler(state, done.value) if handler else state

    return replace(controls.component(key, name, make), act=act)


def after(state: S, screen: Iterable[Control], component: str, kind: str, value: Mapping[str, Any]) -> S:
    """The state after a gesture; one of a component that is not on the screen changes nothing."""
    if component == controls.COMPONENT:
        return controls.after(state, screen, kind, value)
    found = (c for top in screen for c in top.all() if c.kind == "component" and c.key == component)
    act = next((c.act for c in found), None)
    if act is None:
        return state
    return controls.attempted(state, component, lambda at: act(at, Done(kind, value)))
