"""Drawing on the screen: what a click means while editing, the tools below the graph, and the text box that stays in
step with it.

The edits themselves are editing.py's. A refused one leaves everything as it was and says why in the drawing, or beside
the text.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from hiermeasures.errors import InputError
from hiermeasures.ui.binding import bind, button, show_fault
from hiermeasures.ui.explore import editing
from hiermeasures.ui.explore.editing import Edge
from hiermeasures.ui.explore.model import EDIT, EditedLines, Pencil, change, explorer, history, show
from hiermeasures.ui.graph.data import clicked
from hiermeasures.ui.graph.scene import Arrangement, shown_label
from hiermeasures.ui.state import Shown
from hiermeasures.ui.text import sentence

LABEL = "✎ edit"
LINES_WIDTH = 190
STYLE = """<style>
.st-key-lines_column textarea { font-family: var(--st-code-font, monospace); font-size: 0.8125rem;
    line-height: 1.45; white-space: pre;
    height: max(18rem, calc(100vh - var(--hm-around, 18rem) - 2.1rem)); resize: none; overflow: auto; }
.st-key-lines_column:has([role="alert"]) textarea { height: max(10rem, calc(100vh - var(--hm-around, 18rem) - 9rem)); }
.st-key-edit_tools button { padding: 0 0.4rem; }
</style>"""
HINT = "Click: select · drag from class to class: draw an edge · double-click: rename"


def editing_now() -> bool:
    """Whether a click edits instead of marking."""
    return explorer().click == EDIT


def pencil() -> Pencil:
    """Where the editing stands, on what is shown."""
    return explorer().pencil.on(history().present.hierarchy)


def _hint(at: Pencil) -> str:
    """What the next click does, in words."""
    if not at.linking:
        return HINT
    return f"Click the child of {shown_label(at.selected)}." if at.selected else "Click the parent, then the child."


def start_editing() -> None:
    """Turn to editing, with the root selected."""
    change(click=EDIT, pencil=Pencil(selected=history().present.hierarchy.root))


def for_graph(arrangement: Arrangement) -> dict[str, Any] | None:
    """What the drawing shows of the editing; nothing while a click marks classes."""
    if not editing_now():
        return None
    at, ids = pencil(), arrangement.ids
    edge = [ids[c] for c in at.edge] if at.edge and set(at.edge) <= set(ids) else None
    naming = {"id": ids[at.naming], "turn": at.turn} if at.naming in ids else None
    return {
        "selected": ids.get(at.selected or ""),
        "edge": edge,
        "linking": at.linking,
        "naming": naming,
        "fault": at.fault,
        "hint": _hint(at),
    }


def to_be_drawn() -> frozenset[str]:
    """The classes that editing is about, which a large drawing must not fold away."""
    if not editing_now():
        return frozenset()
    at = pencil()
    return frozenset(c for c in (at.selected, at.naming, *(at.edge or ())) if c is not None)


# --- what clicks ask for ------------------------------------------------------------------------------------------


def clicked_class(value: Any) -> str | None:
    """The class that a gesture was on, by the name it has now: a gesture before may have renamed or deleted it."""
    at, hierarchy = explorer(), history().present.hierarchy
    drawn = clicked(at.arrangement, value) if at.arrangement else None
    return next((c for c in (at.renamed.get(drawn or ""), drawn) if c in hierarchy), None)


def click(label: str) -> None:
    """A click on a class: it is selected, or becomes an end of the edge being drawn."""
    at = pencil()
    if at.linking and at.selected is not None and label != at.selected:
        _draw_edge(at.selected, label)
    else:
        change(pencil=Pencil(label, linking=at.linking, turn=at.turn))


def asked(request: Mapping[str, Any]) -> None:
    """What edit.js reports: a child, an edge, a name, a deletion, or another selection."""
    found = {part: clicked_class(request.get(part)) for part in ("class", "parent", "child")}
    label, parent, child = (found.get(part) for part in ("class", "parent", "child"))
    match request.get("do"):
        case "child" if label is not None:
            add_child(label)
        case "rename" if label is not None:
            _rename(label, str(request.get("to", "")))
        case "edge" if parent is not None and child is not None:
            _draw_edge(parent, child)
        case "select" if parent is not None and child is not None:
            change(pencil=Pencil(edge=(parent, child), turn=pencil().turn))
        case "delete":
            delete()
        case "let go":
            change(pencil=Pencil(turn=pencil().turn))


def add_child(parent: str) -> None:
    """A new class below another, whose name can be typed at once. The parent stays selected, for its next child."""
    _add(parent)


def add_class() -> None:
    """A new class beside everything."""
    _add(None)


def delete() -> None:
    """Without the selected class or edge."""
    at = pencil()
    if at.selected is not None:
        label, above = at.selected, history().present.hierarchy.parents(at.selected)
        _try(lambda now: editing.delete_class(now, label), Pencil(above[0] if above else None, turn=at.turn))
    elif at.edge is not None:
        edge = at.edge
        _try(lambda now: editing.delete_edge(now, *edge), Pencil(edge[1], turn=at.turn))


def _add(parent: str | None) -> None:
    name, at = editing.new_name(history().present.hierarchy.nodes), pencil()
    _try(lambda now: editing.add_class(now, name, parent), Pencil(parent or name, naming=name, turn=at.turn + 1))


def _draw_edge(parent: str, child: str) -> None:
    _try(lambda now: editing.add_edge(now, parent, child), Pencil(parent, turn=pencil().turn))


def _rename(label: str, name: str) -> None:
    at = pencil()
    selected = name.strip() if at.selected == label else at.selected
    if _try(lambda now: editing.rename(now, label, name), Pencil(selected, turn=at.turn)):
        renamed = explorer().renamed
        drawn = next((old for old, new in renamed.items() if new == label), label)
        change(renamed={**renamed, drawn: name.strip()})


def _try(edit: Callable[[Shown], Shown], then: Pencil) -> bool:
    """Make an edit, or say why it cannot be made; whether it was made."""
    now = history().present
    try:
        edited = edit(now)
        edited.explained()
    except InputError as fault:
        change(pencil=replace(pencil(), linking=False, naming=None, fault=sentence(fault)))
        return False
    show(edited)
    change(pencil=then)
    return True


# --- the tools below the graph ------------------------------------------------------------------------------------


def tools(arrangement: Arrangement) -> None:
    """The row of tools: the selection and its name as fields, and a button for every edit. All of it works without a
    mouse.
    """
    at = pencil()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="edit_tools"):
        _selection(arrangement, at)
        bind(st.text_input, "edit_name", at.selected or "", _take_name)(
            "Name", disabled=at.selected is None, placeholder="–"
        )
        _weight(at)
        nothing = at.selected is None
        _button("New child", "add", "A new class below the selected one (Enter)", add_selected_child, disabled=nothing)
        _button("New class", "add_circle", "A new class of its own", add_class)
        _button("Connect", "conversion_path", "An edge: click the parent, then the child", _link, chosen=at.linking)
        _button(
            "Delete", "delete", "Delete the selected class or edge (Del)", delete, disabled=nothing and at.edge is None
        )


def _button(
    label: str, icon: str, about: str, do: Callable[[], None], *, disabled: bool = False, chosen: bool = False
) -> None:
    button(
        label,
        icon=f":material/{icon}:",
        key=f"edit_{label.split()[-1].lower()}",
        help=about,
        action=do,
        disabled=disabled,
        type="primary" if chosen else "secondary",
    )


def _selection(arrangement: Arrangement, at: Pencil) -> None:
    near = arrangement.neighbourhood
    drawn = set(near.nodes)
    edges = [(p, c) for p in near.nodes for c in near.hierarchy.children(p) if c in drawn]
    options: list[str | Edge] = [*near.nodes, *edges]
    bind(st.selectbox, "edit_selected", at.selected if at.selected is not None else at.edge, _select)(
        "Selected",
        options,
        placeholder="none",
        width=132,
        format_func=lambda o: shown_label(o) if isinstance(o, str) else f"{shown_label(o[0])} → {shown_label(o[1])}",
    )


def _weight(at: Pencil) -> None:
    now, label = history().present, at.selected
    weight = None if label is None else editing.weight_of(now, label)
    bind(st.number_input, "edit_weight", weight, _take_weight)(
        "Weight",
        disabled=label is None,
        placeholder="–",
        min_value=0.0,
        step=0.5,
        format="%.6g",
        width=112,
        help="What the class weighs in the measures of weighted classes. Once one is typed, all weights are those that "
        "the hierarchy gives.",
    )


def _take_weight(weight: float | None) -> None:
    at = pencil()
    if (label := at.selected) is not None and weight is not None:
        _try(lambda now: editing.weigh(now, label, weight), Pencil(label, turn=at.turn))


def _select(chosen: str | Edge) -> None:
    turn = pencil().turn
    change(pencil=Pencil(chosen, turn=turn) if isinstance(chosen, str) else Pencil(edge=chosen, turn=turn))


def add_selected_child() -> None:
    """A new class below the selected one."""
    if (label := pencil().selected) is not None:
        add_child(label)


def _link() -> None:
    at = pencil()
    change(pencil=Pencil(at.selected, linking=not at.linking, turn=at.turn))


def _take_name(name: str) -> None:
    if (label := pencil().selected) is not None:
        _rename(label, name)


# --- the text box -------------------------------------------------------------------------------------------------


def lines_box() -> None:
    """The hierarchy as `parent child` lines. It follows the drawing, and the drawing follows it; text with a fault
    stays until either is changed.
    """
    hierarchy, edited = history().present.hierarchy, explorer().lines
    with st.container(width=LINES_WIDTH, key="lines_column"):
        if edited is not None and edited.hierarchy is hierarchy:
            lines = editing.Lines(edited.text)
        else:
            lines = editing.as_lines(hierarchy)
        bind(st.text_area, "lines", lines.text, _take_lines, about=hierarchy)(
            "Lines: parent child",
            disabled=bool(lines.why_not),
            placeholder=lines.why_not or "A B\nA C",
            help="One edge per line; a class without edges stands alone. Ctrl+Enter draws it.",
        )
        show_fault("lines")


def _take_lines(text: str) -> None:
    now = history().present
    change(lines=EditedLines(now.hierarchy, text))
    edited = editing.from_lines(now, text)
    edited.explained()
    show(edited)
    change(lines=EditedLines(edited.hierarchy, text), pencil=replace(pencil(), fault="", linking=False))
