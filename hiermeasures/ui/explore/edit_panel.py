"""Drawing on the screen: what a click means while editing, the tools below the graph, and the text box that stays in
step with it.

The edits themselves are editing.py's. A refused one leaves everything as it was and says why in the drawing, or beside
the text.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.ui.explore import editing
from hiermeasures.ui.explore.editing import Edge
from hiermeasures.ui.fields import is_entry, key_showing
from hiermeasures.ui.graph.component import clicked
from hiermeasures.ui.graph.scene import Arrangement, shown_label
from hiermeasures.ui.keeping import held
from hiermeasures.ui.plain import plain
from hiermeasures.ui.state import Shown, history, show
from hiermeasures.ui.text import sentence

EDIT = "edit"
LABEL = "✎ edit"
LINES_WIDTH = 190
STYLE = """<style>
.st-key-lines_column textarea { font-family: var(--st-code-font, monospace); font-size: 0.8125rem; line-height: 1.45; white-space: pre;
    height: max(18rem, calc(100vh - var(--hm-around, 18rem) - 2.1rem)); resize: none; overflow: auto; }
.st-key-lines_column:has([role="alert"]) textarea { height: max(10rem, calc(100vh - var(--hm-around, 18rem) - 9rem)); }
.st-key-edit_tools button { padding: 0 0.4rem; }
</style>"""
HINT = "Click: select · drag from class to class: draw an edge · double-click: rename"


@dataclass(frozen=True)
class Pencil:
    """Where the editing stands: the selected class or edge, whether the next clicks draw an edge, which class gets its
    name, and why the last edit was refused. `turn` counts the namings, so that each opens the field once.
    """

    selected: str | None = None
    edge: Edge | None = None
    linking: bool = False
    naming: str | None = None
    turn: int = 0
    fault: str = ""

    def on(self, hierarchy: Hierarchy) -> "Pencil":
        """The same without what is not in this hierarchy."""
        selected = self.selected if self.selected in hierarchy else None
        there = self.edge and self.edge[0] in hierarchy and self.edge[1] in hierarchy.children(self.edge[0])
        return replace(
            self,
            selected=selected,
            edge=self.edge if there else None,
            naming=self.naming if self.naming in hierarchy else None,
        )

    @property
    def hint(self) -> str:
        """What the next click does, in words."""
        if not self.linking:
            return HINT
        return (
            f"Click the child of {shown_label(self.selected)}."
            if self.selected
            else "Click the parent, then the child."
        )


def editing_now() -> bool:
    """Whether a click edits instead of marking."""
    return st.session_state.get("click_side", held("click_side", None)) == EDIT


def pencil() -> Pencil:
    """Where the editing stands, on what is shown."""
    found: Pencil = st.session_state.get("pencil", Pencil())
    return found.on(history().present.hierarchy)


def start_editing() -> None:
    """Turn to editing, with the root selected."""
    st.session_state.click_side = EDIT
    st.session_state.pencil = Pencil(selected=history().present.hierarchy.root)


def for_graph(arrangement: Arrangement) -> dict[str, Any] | None:
    """What the drawing shows of the editing; nothing while a click marks classes."""
    if not editing_now():
        return None
    at, ids = pencil(), arrangement.ids
    edge = [ids[c] for c in at.edge] if at.edge and set(at.edge) <= set(ids) else None
    naming = {"id": ids[at.naming], "turn": at.turn} if at.naming in ids else None
    return {"selected": ids.get(at.selected or ""), "edge": edge, "naming": naming, "fault": at.fault, "hint": at.hint}


def to_be_drawn() -> frozenset[str]:
    """The classes that editing is about, which a large drawing must not fold away."""
    if not editing_now():
        return frozenset()
    at = pencil()
    return frozenset(c for c in (at.selected, at.naming, *(at.edge or ())) if c is not None)


# --- what clicks ask for ------------------------------------------------------------------------------------------


def click(label: str) -> None:
    """A click on a class: it is selected, or becomes an end of the edge being drawn."""
    at = pencil()
    if at.linking and at.selected is not None and label != at.selected:
        _draw_edge(at.selected, label)
    else:
        st.session_state.pencil = Pencil(label, linking=at.linking, turn=at.turn)


def asked(arrangement: Arrangement, change: Any) -> None:
    """What edit.js reports: a child, an edge, a name, a deletion, or another selection."""
    found = {part: clicked(arrangement, change.get(part)) for part in ("class", "parent", "child") if change}
    label, parent, child = (found.get(part) for part in ("class", "parent", "child"))
    match change and change.get("do"):
        case "child" if label is not None:
            add_child(label)
        case "rename" if label is not None:
            _rename(label, str(change["to"]))
        case "edge" if parent is not None and child is not None:
            _draw_edge(parent, child)
        case "select" if parent is not None and child is not None:
            st.session_state.pencil = Pencil(edge=(parent, child), turn=pencil().turn)
        case "delete":
            delete()
        case "let go":
            st.session_state.pencil = Pencil(turn=pencil().turn)


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
    _try(lambda now: editing.rename(now, label, name), Pencil(selected, turn=at.turn))


def _try(edit: Callable[[Shown], Shown], then: Pencil) -> None:
    """Make an edit, or say why it cannot be made."""
    now = history().present
    try:
        edited = edit(now)
        edited.explained()
    except InputError as fault:
        st.session_state.pencil = replace(pencil(), linking=False, naming=None, fault=sentence(fault))
        return
    show(edited)
    st.session_state.pencil = then


# --- the tools below the graph ------------------------------------------------------------------------------------


def tools(arrangement: Arrangement) -> None:
    """The row of tools: the selection and its name as fields, and a button for every edit. All of it works without a
    mouse.
    """
    at = pencil()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="edit_tools"):
        _selection(arrangement, at)
        key = key_showing("edit_name", at.selected or "")
        st.text_input(
            "Name", key=key, disabled=at.selected is None, on_change=_take_name, args=(key,), width=100, placeholder="–"
        )
        nothing = at.selected is None
        _button("Child", "add", "A new class below the selected one (Enter)", add_selected_child, disabled=nothing)
        _button("Class", "add_circle", "A new class of its own", add_class)
        _button("Edge", "conversion_path", "An edge: click the parent, then the child", _link, chosen=at.linking)
        _button(
            "Delete", "delete", "Delete the selected class or edge (Del)", delete, disabled=nothing and at.edge is None
        )


def _button(
    label: str, icon: str, about: str, do: Callable[[], None], *, disabled: bool = False, chosen: bool = False
) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        key=f"edit_{label.lower()}",
        help=about,
        on_click=do,
        disabled=disabled,
        type="primary" if chosen else "secondary",
    )


def _selection(arrangement: Arrangement, at: Pencil) -> None:
    near = arrangement.neighbourhood
    drawn = set(near.nodes)
    edges = [(p, c) for p in near.nodes for c in near.hierarchy.children(p) if c in drawn]
    options: list[str | Edge] = [*near.nodes, *edges]
    key = key_showing("edit_selected", at.selected if at.selected is not None else at.edge)
    st.selectbox(
        "Selected",
        options,
        key=key,
        index=None,
        placeholder="none",
        width=132,
        on_change=_select,
        args=(key,),
        format_func=lambda o: shown_label(o) if isinstance(o, str) else f"{shown_label(o[0])} → {shown_label(o[1])}",
    )


def _select(key: str) -> None:
    if not is_entry("edit_selected", key):
        return
    chosen = st.session_state[key]
    turn = pencil().turn
    st.session_state.pencil = Pencil(chosen, turn=turn) if isinstance(chosen, str) else Pencil(edge=chosen, turn=turn)


def add_selected_child() -> None:
    """A new class below the selected one."""
    if (label := pencil().selected) is not None:
        add_child(label)


def _link() -> None:
    at = pencil()
    st.session_state.pencil = Pencil(at.selected, linking=not at.linking, turn=at.turn)


def _take_name(key: str) -> None:
    label = pencil().selected
    if label is not None and is_entry("edit_name", key):
        _rename(label, st.session_state[key])


# --- the text box -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Typed:
    """What stands in the text box while `hierarchy` is shown, and what is wrong with it."""

    hierarchy: Hierarchy
    text: str
    fault: str = ""


def lines_box() -> None:
    """The hierarchy as `parent child` lines. It follows the drawing, and the drawing follows it; text with a fault
    stays until either is changed.
    """
    typed = _typed(history().present.hierarchy)
    with st.container(width=LINES_WIDTH, key="lines_column"):
        lines = editing.as_lines(history().present.hierarchy) if typed is None else editing.Lines(typed.text)
        key, why_not = key_showing("lines", lines.text), lines.why_not
        st.text_area(
            "Lines: parent child",
            key=key,
            on_change=_take_lines,
            args=(key,),
            disabled=bool(why_not),
            placeholder=why_not or "A B\nA C",
            help="One edge per line; a class without edges stands alone. Ctrl+Enter draws it.",
        )
        if typed is not None and typed.fault:
            plain(typed.fault, "error", key="lines_fault")


def _typed(hierarchy: Hierarchy) -> Typed | None:
    """What a person typed, as long as it is about this hierarchy."""
    typed: Typed | None = st.session_state.get("typed")
    return typed if typed is not None and typed.hierarchy is hierarchy else None


def _take_lines(key: str) -> None:
    if not is_entry("lines", key):
        return
    text, now = st.session_state[key], history().present
    try:
        edited = editing.from_lines(now, text)
        edited.explained()
    except InputError as fault:
        st.session_state.typed = Typed(now.hierarchy, text, str(fault))
        return
    show(edited)
    st.session_state.typed = Typed(edited.hierarchy, text)
    st.session_state.pencil = replace(pencil(), fault="", linking=False)
