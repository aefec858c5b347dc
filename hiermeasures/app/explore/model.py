"""The Explorer's model in the app, in one slot of the session.

It is the Explorer's state (explore/model.py) with the parts that only the app has, such as the way
back to another page.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hiermeasures.app.inbox import Slot
from hiermeasures.draw.views import with_measure
from hiermeasures.explore.location import opened
from hiermeasures.explore.model import OwnMeasures, Pinned, State
from hiermeasures.explore.shown import History, Shown


@dataclass(frozen=True)
class Series:
    """Instances that another page brought, in an order.

    It has the word for one, what they have in common, their number, the place of the current one
    (None: none of them), and a function that returns each by its place.
    """

    name: str
    about: str
    size: int
    place: Callable[[Shown], int | None]
    make: Callable[[int], Shown]


@dataclass(frozen=True)
class WayBack:
    """The way back to the page that brought the instance: words, page and parameters."""

    words: str
    page: str
    parameters: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ExplorerState(State):
    series: Series | None = None
    back: WayBack | None = None


def _as_opened() -> ExplorerState:
    opening = opened()
    own = OwnMeasures().with_more(opening.own)
    return ExplorerState(History(opening.shown), own=own, paper=opening.paper)


EXPLORER: Slot[ExplorerState] = Slot("explorer_model", _as_opened)


def explorer() -> ExplorerState:
    return EXPLORER.value


def apply(action: Callable[..., ExplorerState], *arguments: Any) -> None:
    EXPLORER.set(action(EXPLORER.value, *arguments))


def open_shown(
    shown: Shown,
    *,
    pinned: Shown | None = None,
    measures: tuple[str, ...] = (),
    compared: bool = True,
    series: Series | None = None,
    back: WayBack | None = None,
) -> None:
    """Show the instance of another page, drawn anew and compared with what is `pinned`.

    The first of these measures is chosen, and the others are listed. If two are `compared`, the
    second one has a drawing of its own. `back` leads to the other page.
    """
    first = pinned or shown
    at = (
        explorer().showing(first).drawn_anew() if EXPLORER.filled else ExplorerState(History(first))
    )
    chosen = with_measure(at.view_state, measures[0]) if measures else at.view_state
    second = measures[1] if compared and len(measures) == 2 else ""
    at = replace(
        at,
        series=series,
        back=back,
        view_state=chosen,
        second=second,
        brought=frozenset(measures[1:]),
    )
    EXPLORER.set(replace(at.showing(shown), pinned=Pinned(pinned)) if pinned else at)


def own_definitions() -> tuple[str, ...]:
    return explorer().definitions if EXPLORER.filled else ()
