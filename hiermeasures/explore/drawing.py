"""The drawing with the effects of clicks, the fields for true and predicted classes, and the tools
for editing.

A refused edit leaves the hierarchy unchanged and shows its reason in the drawing or below the text.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args

from hiermeasures.draw.layout import MOST_DRAWN, READABLE, in_sight
from hiermeasures.draw.scene import shown_label
from hiermeasures.draw.views import VIEWS, with_view
from hiermeasures.explore import controls, gestures, hierarchy_edits, loading, panel
from hiermeasures.explore.component_data import MARKS, graph_data
from hiermeasures.explore.hierarchy_edits import Edge
from hiermeasures.explore.model import EDIT, Host, Pencil, State
from hiermeasures.explore.panel import Edits
from hiermeasures.explore.what_if import effects
from hiermeasures.measures import SideName

CLICKS = {**MARKS, EDIT: "✎ edit"}
SAMPLE = {"text": "± ▲▼", "faint": True, "struck": False}
# an entry of the legend
EFFECTS = {"what": "badge", "sample": SAMPLE, "words": "a click: ▲ better, ▼ worse"}
EDIT_HINT = "Click: select · drag from class to class: draw an edge · double-click: rename"
WEIGHT = (
    "The class's weight in measures with class weights. If you type a weight, all classes use the "
    "hierarchy's own weights."
)
NEW_CHILD = "A new class below the selected one (Enter)"
CONNECT = "An edge: click the parent, then the child"
DELETE = "Delete the selected class or edge (Del)"
LINES = "One edge per line. Give a class without edges its own line. Ctrl+Enter draws your text."
LONGEST_TEXT = 2_000_000


def area(state: State, edits: Edits | None, host: Host) -> controls.Controls:
    measure = state.explanation.measure(state.view_state.measure)
    views = {
        view.key: view.title
        for view in VIEWS.values()
        if not state.quiet or view.draws(measure) or view.key == state.view_state.view
    }
    looking = lambda at, view: at.looking(with_view(at.view_state, view))
    click = controls.switch(
        "click", "Click", state.click, CLICKS, lambda at, mode: replace(at, click=mode), title=True
    )
    shown = controls.switch("view", "Show", state.view_state.view, views, looking, title=True)
    some = len(views) > 1
    switches = (
        (controls.row(click, shown if some else None, style="switches"),)
        if state.quiet
        else (click, shown)
    )
    return (
        *switches,
        controls.row(
            controls.component(
                "graph",
                "graph",
                lambda: _graph(state, edits, host),
                **gestures.GRAPH,
                **_course(host),
            ),
            lines(state) if state.drawing else None,
            style="drawing",
        ),
        *panel.second_drawing(state, small=True),
        *fields(state),
    )


def _course(host: Host) -> dict[str, controls.Handler]:
    """Return the handler that opens the course from the welcome, if the host has a page for it."""
    to_page, course = host.to_page, host.course
    return (
        {} if to_page is None else {"course": lambda state, value: to_page(state, "learn", course)}
    )


def fields(state: State) -> controls.Controls:
    if state.drawing:
        return _tools(state, state.drawing)
    if state.quiet and len(state.places.ids) == len(state.shown.hierarchy):
        return ()  # every class can be clicked
    return (controls.row(*(_side(state, side) for side in get_args(SideName))),)


def _graph(state: State, edits: Edits | None, host: Host) -> dict[str, Any]:
    data = graph(
        state,
        edits,
        view=f"{state.shown.case}|{state.shown.title}",
        click={"mode": state.click, "modes": list(CLICKS)},
        zoom=host.window or len(state.places.ids) > READABLE,
    )
    hint = loading.hint(state, host)
    data = panel.second_caption(state) | data | ({"hint": hint} if hint else {})
    return {**data, "shows": state.view_state.view}


def graph(
    state: State, found: Edits | None, *, view: str, click: Mapping[str, Any], zoom: bool = True
) -> dict[str, Any]:
    """Return the hierarchy with its marks.

    The data extend `graph_data`. `anchor` is the class that keeps its place, and `unfolded` means
    that you opened children. edit.js uses `editing` while a click edits. If edits are `found`,
    `effects` contains the effect of a click on each class.
    """
    ids = state.places.ids
    data = graph_data(
        state.places,
        state.overlay,
        view=view,
        alt=state.shown.described,
        focus=[
            *in_sight(state.shown.hierarchy, state.edited or state.shown.selected),
            *_unfolded(state),
        ],
        click={"sides": True, **click},
        zoom=zoom,
    )
    if state.placement.unfolded in ids:
        data["anchor"] = ids[state.placement.unfolded]
    if state.places.neighbourhood.unfolded:
        data["unfolded"] = True
    if at := state.drawing:
        hint = EDIT_HINT
        if at.linking:
            chosen = at.selected and f"Click the child of {shown_label(at.selected)}."
            hint = chosen or "Click the parent, then the child."
        data["editing"] = {
            "selected": ids.get(at.selected or ""),
            "edge": [ids[c] for c in at.edge] if at.edge and set(at.edge) <= set(ids) else None,
            "linking": at.linking,
            "naming": {"id": ids[at.naming], "turn": at.turn}
            if at.naming is not None and at.naming in ids
            else None,
            "fault": at.fault,
            "hint": hint,
        }
    if found:
        data["scene"]["legend"].append(EFFECTS)
        data["effects"] = {
            mode: {ids[c]: effect for c, effect in by_class.items() if c in ids}
            for mode, by_class in effects(found(), state.view_state.measure).items()
        }
    return data


def _unfolded(state: State) -> list[str]:
    """Return the classes that you opened, each with its children."""
    unfolded, hierarchy = state.places.neighbourhood.unfolded, state.shown.hierarchy
    return [
        c
        for label in unfolded
        for c in (*hierarchy.ancestors(label), label, *hierarchy.children(label))
    ]


def _side(state: State, side: SideName) -> controls.Control:
    shown, hierarchy = state.shown, state.shown.hierarchy
    whole = len(hierarchy) <= MOST_DRAWN
    return controls.classes(
        f"{side}_classes",
        f"{side.capitalize()} classes",
        sorted(shown.classes(side), key=hierarchy.index),
        lambda at, labels: at.showing(at.shown.with_classes(side, _entered(at, labels))),
        help=""
        if whole
        else "The list suggests classes near the drawing. You can type the full name of any "
        "other class.",
    )


def _entered(state: State, labels: list[str]) -> list[str]:
    """Return the classes of an entry. Classes that an edit removed meanwhile are left out.

    The last class was typed and may be unknown.
    """
    known = state.shown.hierarchy.numbering
    return [*(label for label in labels[:-1] if label in known), *labels[-1:]]


def _tools(state: State, at: Pencil) -> controls.Controls:
    nothing = at.selected is None
    name = at.selected or ""
    renamed = lambda s, entry: gestures.with_name(s, None, entry)
    weight = None if nothing else hierarchy_edits.weight_of(state.shown, name)
    return (
        controls.row(
            _selection(state, at),
            controls.text("edit_name", "Name", name, renamed, disabled=nothing, placeholder="–"),
            controls.number(
                "edit_weight",
                "Weight",
                weight,
                gestures.with_weight,
                controls.Range((0.0, controls.LARGEST_NUMBER), 0.5, empty=True),
                help=WEIGHT,
                placeholder="–",
                disabled=nothing,
            ),
            _tool("child", "New child", NEW_CHILD, gestures.with_child, disabled=nothing),
            _tool(
                "class",
                "New class",
                "A new class without edges",
                lambda s: gestures.with_class(s, None),
            ),
            _tool("connect", "Connect", CONNECT, gestures.linking, pressed=at.linking),
            _tool(
                "delete",
                "Delete",
                DELETE,
                gestures.without_selected,
                disabled=nothing and at.edge is None,
            ),
            style="tools",
        ),
    )


def _tool(
    key: str, words: str, about: str, do: Callable[[State], State], **look: Any
) -> controls.Control:
    return controls.button(f"edit_{key}", words, do, help=about, **look)


def _selection(state: State, at: Pencil) -> controls.Control:
    offered: list[str | Edge] = [*state.places.neighbourhood.nodes, *state.places.edges]
    selected = at.selected if at.selected is not None else at.edge
    words = {
        o: shown_label(o) if isinstance(o, str) else f"{shown_label(o[0])} → {shown_label(o[1])}"
        for o in offered
    }
    return controls.choice(
        "edit_selected", "Selected", selected, words, gestures.selecting, empty="none"
    )


def lines(state: State) -> controls.Control:
    hierarchy, edited = state.shown.hierarchy, state.lines
    typed = edited is not None and edited.hierarchy is hierarchy
    now = hierarchy_edits.Lines(edited.text) if edited is not None and typed else state.edge_lines
    return controls.text(
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
