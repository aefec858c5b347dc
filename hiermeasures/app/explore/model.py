"""The Explorer's model in the app, in one slot of the session.

It extends the Explorer's state (explore/model.py) by parts of the app, such as the link back to
another page.
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
    """A series of instances from another page.

    It contains a name for one instance, a title for the series, the number of instances, the place
    of the current one or None, and a function that returns each by its place.
    """

    name: str
    about: str
    size: int
    place: Callable[[Shown], int | None]
    make: Callable[[int], Shown]


@dataclass(frozen=True)
class WayBack:
    """The link back to the page that opened the instance: its text, page and parameters."""

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
    """Show an instance from another page in a new drawing, compared with the `pinned` one.

    The first of these measures is chosen, and the others are listed. If two are `compared`, the
    second one gets its own drawing. `back` leads to the other page.
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
