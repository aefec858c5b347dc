"""The drawing: what a click does, what is drawn, the classes of both sides as fields, and the tools
of editing.

Refused edits leave everything as it was, and say why in the drawing or below the text.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

from hiermeasures.explorer import drawn, editing, gestures
from hiermeasures.explorer.areas import loading, panel
from hiermeasures.explorer.component_data import MARKS
from hiermeasures.explorer.controls import (
    LARGEST_NUMBER,
    Control,
    Controls,
    Range,
    button,
    choice,
    classes,
    component,
    number,
    row,
    switch,
    text,
)
from hiermeasures.explorer.drawn import Edits, Host
from hiermeasures.explorer.editing import Edge
from hiermeasures.explorer.model import EDIT, Pencil, State
from hiermeasures.measures import SideName
from hiermeasures.picture.layout import MOST_DRAWN, READABLE
from hiermeasures.picture.scene import shown_label
from hiermeasures.picture.views import VIEWS, with_view

CLICKS = {**MARKS, EDIT: "✎ edit"}
WEIGHT = (
    "What the class weighs in the measures of weighted classes. Once one is typed, all weights are those that the "
    "hierarchy gives."
)
NEW_CHILD = "A new class below the selected one (Enter)"
CONNECT = "An edge: click the parent, then the child"
DELETE = "Delete the selected class or edge (Del)"
LINES = "One edge per line; a class without edges stands alone. Ctrl+Enter draws it."
LONGEST_TEXT = 2_000_000


def controls(state: State, edits: Edits | None, host: Host) -> Controls:
    views = {view.key: view.title for view in VIEWS.values()}
    looking = lambda at, view: at.looking(with_view(at.view_state, view))  # noqa: E731
    return (
        switch("click", "Click", state.click, CLICKS, lambda at, mode: replace(at, click=mode), title=True),
        switch("view", "Show", state.view_state.view, views, looking, title=True),
        row(
            component("graph", "graph", lambda: _graph(state, edits, host)),
            lines(state) if state.drawing else None,
            style="drawing",
        ),
        *panel.second_drawing(state, small=True),
        *fields(state),
    )


def fields(state: State) -> Controls:
    """The tools of editing while a click edits; else the classes of both sides."""
    if state.drawing:
        return _tools(state, state.drawing)
    return (row(*(_side(state, side) for side in get_args(SideName))),)


def _graph(state: State, edits: Edits | None, host: Host) -> dict[str, object]:
    return panel.second_caption(state) | drawn.graph(
        state,
        edits,
        view="|".join(map(str, (state.shown.case, state.shown.title, host.window or bool(state.overlay.links)))),
        click={"mode": state.click, "modes": list(CLICKS)},
        hint=loading.welcome(state, host),
        zoom=host.window or len(drawn.places(state).ids) > READABLE,
    )


def _side(state: State, side: SideName) -> Control:
    shown, hierarchy = state.shown, state.shown.hierarchy
    whole = len(hierarchy) <= MOST_DRAWN
    return classes(
        f"{side}_classes",
        f"{side.capitalize()} classes",
        sorted(shown.classes(side), key=hierarchy.index),
        lambda at, labels: at.showing(at.shown.with_classes(side, _entered(at, labels))),
        help="" if whole else "Classes near the drawing are offered; any other can be typed in full.",
    )


def _entered(state: State, labels: list[str]) -> list[str]:
    """Return the classes of an entry, without those that an edit took away while it was sent. The
    last was typed, and may be unknown.
    """
    known = state.shown.hierarchy.numbering
    return [*(label for label in labels[:-1] if label in known), *labels[-1:]]


# --- editing ------------------------------------------------------------------------------------


def _tools(state: State, at: Pencil) -> Controls:
    nothing = at.selected is None
    name = at.selected or ""
    renamed = lambda s, entry: gestures.with_name(s, None, entry)  # noqa: E731
    weight = None if nothing else editing.weight_of(state.shown, name)
    return (
        row(
            _selection(state, at),
            text("edit_name", "Name", name, renamed, disabled=nothing, placeholder="–"),
            number(
                "edit_weight",
                "Weight",
                weight,
                gestures.with_weight,
                Range((0.0, LARGEST_NUMBER), 0.5, empty=True),
                help=WEIGHT,
                placeholder="–",
                disabled=nothing,
            ),
            _tool("child", "New child", NEW_CHILD, gestures.with_child, disabled=nothing),
            _tool("class", "New class", "A new class of its own", lambda s: gestures.with_class(s, None)),
            _tool("connect", "Connect", CONNECT, gestures.linking, pressed=at.linking),
            _tool("delete", "Delete", DELETE, gestures.without_selected, disabled=nothing and at.edge is None),
            style="tools",
        ),
    )


def _tool(key: str, words: str, about: str, do: Callable[[State], State], **look: Any) -> Control:
    return button(f"edit_{key}", words, do, help=about, **look)


def _selection(state: State, at: Pencil) -> Control:
    offered: list[str | Edge] = [*drawn.places(state).neighbourhood.nodes, *drawn.places(state).edges]
    selected = at.selected if at.selected is not None else at.edge
    words = {o: shown_label(o) if isinstance(o, str) else f"{shown_label(o[0])} → {shown_label(o[1])}" for o in offered}
    return choice("edit_selected", "Selected", selected, words, gestures.selecting, empty="none")


def lines(state: State) -> Control:
    """The hierarchy as `parent child` lines; text with a fault stays until either is changed."""
    hierarchy, edited = state.shown.hierarchy, state.lines
    typed = edited is not None and edited.hierarchy is hierarchy
    now = editing.Lines(edited.text) if edited is not None and typed else editing.as_lines(hierarchy)
    return text(
        "lines",
        "Lines: parent child",
        now.text,
        gestures.with_lines,
        lines=12,
        help=LINES,
        placeholder=now.why_not or "A B\nA C",
        disabled=bool(now.why_not),
        longest=LONGEST_TEXT,
    )
