"""What a widget holds, as one immutable value: the instance, what is looked at, and how the tables stand; and what a
person's gestures make of it. What is drawn of it is drawn.py's.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, get_args

from hiermeasures.measures import BEST_KNOWN, CATALOGUE, Explanation, SideName
from hiermeasures.measures.own import is_definition
from hiermeasures.ui.explore.edits import EditChoice, edit_asked
from hiermeasures.ui.graph.data import clicked
from hiermeasures.ui.graph.neighbourhood import next_neighbourhood, unfold
from hiermeasures.ui.graph.overlay import Overlay
from hiermeasures.ui.graph.scene import READABLE_ROOM, Arrangement, on_screen, readable_on_screen
from hiermeasures.ui.outbox import Gesture
from hiermeasures.ui.state import Shown
from hiermeasures.ui.views import OPENING, VIEWS, ViewState, overlay_for, with_measure, with_view
from hiermeasures.ui.views.view import Panel

ROOM = (560.0, READABLE_ROOM[1])  # of a drawing beside a table in a cell


@dataclass(frozen=True)
class State:
    """Everything between two pictures. `before` is the instance before the last change, `arrangement` where the last
    drawing has its classes, which stays as long as it fits, and `unfolded` the class that was opened in it last.
    `everything` says whether all measures are listed.
    """

    shown: Shown
    at: ViewState = OPENING
    starred: frozenset[str] = frozenset()
    everything: bool = False
    edits: EditChoice = field(default_factory=EditChoice)
    before: Shown | None = None
    arrangement: Arrangement | None = None
    unfolded: str | None = None

    @cached_property
    def explanation(self) -> Explanation:
        """Every measure of the instance."""
        return self.shown.explained()

    @cached_property
    def overlay(self) -> Overlay:
        """What is drawn on the hierarchy."""
        return overlay_for(self.explanation, self.at)

    @cached_property
    def panel(self) -> Panel:
        """The table or figure beside the graph."""
        return VIEWS[self.at.view].panel(self.explanation, self.at, self.overlay)

    @property
    def listed(self) -> tuple[str, ...]:
        """The measures of the table of values: an own one that is chosen, and then in the catalogue's order."""
        own = (self.at.measure,) if is_definition(self.at.measure) else ()
        few = {*BEST_KNOWN, *self.starred, self.at.measure}
        return (*own, *(key for key in CATALOGUE if self.everything or key in few))

    def showing(self, shown: Shown) -> "State":
        """The same with another instance."""
        return self if shown is self.shown else replace(self, shown=shown, before=self.shown)

    def looking(self, at: ViewState) -> "State":
        """The same with something else to look at."""
        return replace(self, at=at)

    def arranged(self) -> "State":
        """The same with an arrangement in which everything that is marked is drawn."""
        last, chosen = self.arrangement, self.shown.selected
        near = next_neighbourhood(last.neighbourhood if last else None, self.shown.hierarchy, chosen)
        if last is not None and last.neighbourhood is near:
            return self
        return replace(self, arrangement=readable_on_screen(near, chosen, ROOM))

    def after(self, gesture: Gesture) -> "State":
        """The same after a gesture; one that nobody knows, or that does not fit, changes nothing."""
        handle = GESTURES.get((gesture.component, gesture.kind))
        return handle(self, gesture.value) if handle else self


# --- gestures, by component and kind: what they carry comes from outside -------------------------------------------


def _click(state: State, value: Mapping[str, Any]) -> State:
    label = clicked(state.arrangement, value) if state.arrangement else None
    side: SideName | None = next((side for side in get_args(SideName) if side == value.get("mode")), None)
    return state if label is None or side is None else state.showing(state.shown.toggled(side, label))


def _unfold(state: State, value: Mapping[str, Any]) -> State:
    at = state.arrangement
    label = clicked(at, value) if at else None
    if at is None or label is None:
        return state
    again = on_screen(unfold(at.neighbourhood, state.shown.selected, label))
    return replace(state, arrangement=again, unfolded=label)


def _measure(state: State, value: Mapping[str, Any]) -> State:
    key = value.get("key")
    return state.looking(with_measure(state.at, key)) if isinstance(key, str) and key in state.listed else state


def _star(state: State, value: Mapping[str, Any]) -> State:
    key = value.get("key")
    if not isinstance(key, str) or key not in CATALOGUE:
        return state
    return replace(state, starred=state.starred | {key} if value.get("on") is True else state.starred - {key})


def _list(state: State, value: Mapping[str, Any]) -> State:
    return replace(state, everything=value.get("on") is True)


def _view(state: State, value: Mapping[str, Any]) -> State:
    key = value.get("key")
    return state.looking(with_view(state.at, key)) if isinstance(key, str) and key in VIEWS else state


def _what_if(state: State, value: Mapping[str, Any]) -> State:
    return state.looking(replace(state.at, what_if=value.get("on") is True, step=None))


def _row(state: State, value: Mapping[str, Any]) -> State:
    """A row of the table beside the graph."""
    view, key = VIEWS[state.at.view], state.panel.chosen(value)
    return state if key is None or view.choose_row is None else state.looking(view.choose_row(state.at, key))


def _do(state: State, value: Mapping[str, Any]) -> State:
    edit = edit_asked(value, state.shown.instance)
    if edit is None:
        return state
    return state.showing(state.shown.with_classes(edit.side, edit.of(state.shown.classes(edit.side))))


def _why(state: State, value: Mapping[str, Any]) -> State:
    edit = edit_asked(value, state.shown.instance)
    return state if edit is None else replace(state, edits=replace(state.edits, asked=(state.shown, edit)))


GESTURES: Mapping[tuple[str, str], Callable[[State, Mapping[str, Any]], State]] = {
    ("graph", "click"): _click,
    ("graph", "unfold"): _unfold,
    ("values", "choose"): _measure,
    ("values", "star"): _star,
    ("explorer", "list"): _list,
    ("explorer", "view"): _view,
    ("explorer", "what if"): _what_if,
    ("panel", "choose"): _row,
    ("edits", "do"): _do,
    ("edits", "why"): _why,
}
