"""Changes of the Explorer's state by gestures, for every host.

Gestures are untrusted. An unknown or invalid gesture is ignored.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar, get_args

from hiermeasures.debug.what_if import ClassEdit
from hiermeasures.draw.text import sentence
from hiermeasures.draw.views import VIEWS, with_measure
from hiermeasures.explore import controls, hierarchy_edits
from hiermeasures.explore.component_data import clicked
from hiermeasures.explore.controls import Handler
from hiermeasures.explore.model import EDIT, EditedLines, Pencil, State
from hiermeasures.explore.shown import Shown
from hiermeasures.explore.what_if import edit_asked
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import SideName

S = TypeVar("S", bound=State)
LONGEST_PRINT = 200  # characters of a printed value
Value = Mapping[str, Any]


def _class_of(state: State, value: Any) -> str | None:
    """Return the class of a gesture under its present name, or None if it was deleted."""
    drawn = clicked(state.placement.arrangement, value) if state.placement.arrangement else None
    return next(
        (
            c
            for c in (state.placement.renamed.get(drawn or ""), drawn)
            if c in state.shown.hierarchy
        ),
        None,
    )


def _click(state: S, value: Value) -> S:
    """Apply a click, which marks a class on a side.

    While you edit, a click selects a class or makes it an end of the new edge.
    """
    label, mode = _class_of(state, value), value.get("mode")
    side: SideName | None = next((side for side in get_args(SideName) if side == mode), None)
    if label is None or (side is None and mode != EDIT):
        return state
    if side is not None:
        return state.showing(state.shown.toggled(side, label))
    at = _pencil(state)
    if at.linking and at.selected is not None and label != at.selected:
        return _with_edge(state, at.selected, label)
    return replace(state, pencil=Pencil(label, linking=at.linking, turn=at.turn))


def _unfold(state: S, value: Value) -> S:
    label = clicked(state.placement.arrangement, value) if state.placement.arrangement else None
    return state if label is None else state.opening(label)


def _known(state: State, value: Value) -> str | None:
    """Return the key of the measure that a gesture names."""
    key = value.get("key")
    return key if isinstance(key, str) and state.knows(key) else None


def _measure(state: S, value: Value) -> S:
    key = _known(state, value)
    return state if key is None else state.looking(with_measure(state.view_state, key))


def _star(state: S, value: Value) -> S:
    if (key := _known(state, value)) is None:
        return state
    return replace(
        state, starred=state.starred | {key} if value.get("on") is True else state.starred - {key}
    )


def _print(state: S, value: Value) -> S:
    """Store the printed value of a measure, and choose the measure."""
    key, text = _known(state, value), value.get("text")
    if key is None or not isinstance(text, str) or len(text) > LONGEST_PRINT:
        return state
    made = controls.attempted(state, "printed", lambda s: s.with_printed(key, text))
    return made.looking(with_measure(made.view_state, key))


def _row(state: S, value: Value) -> S:
    choose, key = VIEWS[state.view_state.view].choose_row, state.panel.chosen(value)
    return state if key is None or choose is None else state.looking(choose(state.view_state, key))


def _do(state: S, value: Value) -> S:
    edit = edit_asked(value, state.shown.instance)
    return state if edit is None else with_edit(state, edit)


def with_edit(state: S, edit: ClassEdit) -> S:
    return state.showing(
        state.shown.with_classes(edit.side, edit.of(state.shown.classes(edit.side)))
    )


def _why(state: S, value: Value) -> S:
    edit = edit_asked(value, state.shown.instance)
    return (
        state
        if edit is None
        else replace(state, edits=replace(state.edits, asked=(state.shown, edit)))
    )


# The pencil: a refused edit leaves everything as it was and says why.


def _pencil(state: State) -> Pencil:
    return state.pencil.on(state.shown.hierarchy)


def _edit(state: S, value: Value) -> S:
    """Apply an edit of edit.js: a new child, edge or name, a deletion, or a selection."""
    label, parent, child = (
        _class_of(state, value.get(part)) for part in ("class", "parent", "child")
    )
    match value.get("do"):
        case "child" if label is not None:
            return with_class(state, label)
        case "rename" if label is not None:
            return with_name(state, label, str(value.get("to", "")))
        case "edge" if parent is not None and child is not None:
            return _with_edge(state, parent, child)
        case "select" if parent is not None and child is not None:
            return selecting(state, (parent, child))
        case "delete":
            return without_selected(state)
        case "let go":
            return selecting(state, None)
    return state


def start_editing(state: S) -> S:
    return replace(state, click=EDIT, pencil=Pencil(selected=state.shown.hierarchy.root))


def selecting(state: S, chosen: str | hierarchy_edits.Edge | None) -> S:
    at = Pencil(edge=chosen) if isinstance(chosen, tuple) else Pencil(chosen)
    return replace(state, pencil=replace(at, turn=_pencil(state).turn))


def linking(state: S) -> S:
    """Return a state that starts or stops drawing an edge by clicks."""
    at = _pencil(state)
    return replace(state, pencil=Pencil(at.selected, linking=not at.linking, turn=at.turn))


def with_class(state: S, parent: str | None) -> S:
    """Add a class and open its name for typing. A parent stays selected for its next child."""
    name, at = hierarchy_edits.new_name(state.shown.hierarchy.nodes), _pencil(state)
    then = Pencil(parent or name, naming=name, turn=at.turn + 1)
    return _edited(state, lambda now: hierarchy_edits.add_class(now, name, parent), then)


def with_child(state: S) -> S:
    label = _pencil(state).selected
    return state if label is None else with_class(state, label)


def with_name(state: S, label: str | None, name: str) -> S:
    """Rename a class, by default the selected one."""
    at, old = _pencil(state), label if label is not None else _pencil(state).selected
    if old is None:
        return state
    then = Pencil(name.strip() if at.selected == old else at.selected, turn=at.turn)
    made = _edited(state, lambda now: hierarchy_edits.rename(now, old, name), then)
    if made.pencil is not then:
        return made
    drawn = next((first for first, new in state.placement.renamed.items() if new == old), old)
    return made.placed(renamed={**state.placement.renamed, drawn: name.strip()})


def with_weight(state: S, weight: float | None) -> S:
    at = _pencil(state)
    if (label := at.selected) is None or weight is None:
        return state
    return _edited(
        state, lambda now: hierarchy_edits.weigh(now, label, weight), Pencil(label, turn=at.turn)
    )


def without_selected(state: S) -> S:
    at = _pencil(state)
    if (label := at.selected) is not None:
        above = state.shown.hierarchy.parents(label)
        then = Pencil(above[0] if above else None, turn=at.turn)
        return _edited(state, lambda now: hierarchy_edits.delete_class(now, label), then)
    if (edge := at.edge) is not None:
        return _edited(
            state,
            lambda now: hierarchy_edits.delete_edge(now, *edge),
            Pencil(edge[1], turn=at.turn),
        )
    return state


def with_lines(state: S, text: str) -> S:
    """Return the hierarchy in the text box. InputError if the text is not a hierarchy."""
    edited = hierarchy_edits.from_lines(state.shown, text)
    edited.explained()
    pencil = replace(_pencil(state), fault="", linking=False)
    return replace(state.showing(edited), lines=EditedLines(edited.hierarchy, text), pencil=pencil)


def _with_edge(state: S, parent: str, child: str) -> S:
    return _edited(
        state,
        lambda now: hierarchy_edits.add_edge(now, parent, child),
        Pencil(parent, turn=_pencil(state).turn),
    )


def _edited(state: S, edit: Callable[[Shown], Shown], then: Pencil) -> S:
    try:
        edited = edit(state.shown)
        edited.explained()
    except InputError as fault:
        return replace(
            state, pencil=replace(_pencil(state), linking=False, naming=None, fault=sentence(fault))
        )
    return replace(state.showing(edited), pencil=then)


# The gestures of each component, by their kinds.
GRAPH: Mapping[str, Handler] = {
    "click": _click,
    "unfold": _unfold,
    "fold": lambda state, value: state.drawn_anew(),
    "edit": _edit,
    "welcomed": lambda state, value: state.visited(introduced=True),
    "met": lambda state, value: state.visited(met=True),
    "try_what_if": lambda state, value: replace(
        state.visited(met=True), view_state=replace(state.view_state, step=None, what_if=True)
    ),
}
VALUES: Mapping[str, Handler] = {"choose": _measure, "star": _star, "print": _print}
PANEL: Mapping[str, Handler] = {"choose": _row}
EDITS: Mapping[str, Handler] = {"do": _do, "why": _why}
