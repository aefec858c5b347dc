"""The Explorer: one hierarchy with its true and predicted classes, every measure, and what the chosen one is made of.

A page draws what `explain` built and sends what a person does to the state; nothing is computed here.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, get_args

import streamlit as st

from hiermeasures.behaviour.what_if import WhatIf
from hiermeasures.cases import CheckedCell
from hiermeasures.measures import CATALOGUE, Explanation, SideName
from hiermeasures.options import Options
from hiermeasures.ui import gestures
from hiermeasures.ui.binding import bind, changing, fault_of, icon_button, show_fault
from hiermeasures.ui.explore import (
    edit_panel,
    figure_menu,
    loading,
    location,
    measure_panel,
    own_panel,
    pinning,
    presented,
    published,
    share_menu,
    welcome,
    what_if,
)
from hiermeasures.ui.explore.edits import effects
from hiermeasures.ui.explore.export_menu import export
from hiermeasures.ui.explore.model import (
    EDIT,
    EXPLORER,
    change,
    compared,
    explorer,
    history,
    redo,
    set_view_state,
    show,
    undo,
    view_state,
)
from hiermeasures.ui.explore.printed_words import differs
from hiermeasures.ui.explore.series import STYLE as SERIES_STYLE
from hiermeasures.ui.explore.series import series_row
from hiermeasures.ui.explore.values import SPENT, values_data
from hiermeasures.ui.gestures import mailbox
from hiermeasures.ui.graph.component import graph
from hiermeasures.ui.graph.data import MARKS, clicked, graph_data
from hiermeasures.ui.graph.neighbourhood import MOST_DRAWN, in_sight, next_neighbourhood, unfold
from hiermeasures.ui.graph.overlay import Overlay
from hiermeasures.ui.graph.scene import Arrangement, on_screen, readable_on_screen
from hiermeasures.ui.learn.mine import mine
from hiermeasures.ui.options_panel import Target, options_popover
from hiermeasures.ui.pages import Page, leave
from hiermeasures.ui.scripts import component
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.state import Shown
from hiermeasures.ui.views import VIEWS, overlay_for, with_measure, with_view

CLICKS: dict[str, str] = {**MARKS, EDIT: edit_panel.LABEL}
MENUS = ("figures", "loading", "options", "sharing", "exporting")  # the keys of the toolbar's popovers
TOOLBAR = "explorer_toolbar"  # what the toolbar showed when it was drawn last
STYLE = """<style>
[data-testid="stMainBlockContainer"] { padding-left: 1.75rem; padding-right: 1.75rem; max-width: none; }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0.6rem; }
[data-testid="stMainBlockContainer"] .katex-display { margin: 0; padding: 0.25rem 0 0.5rem; }
[data-testid="stMarkdownContainer"]:has(.katex-display) { margin-bottom: 0; }
@media (max-width: 900px) {
  .st-key-explorer > * > * > * > [data-testid="stHorizontalBlock"] { flex-direction: column; }
  .st-key-explorer > * > * > * > [data-testid="stHorizontalBlock"] > * {
      width: 100%; flex: none; }
  [data-testid="stMainBlockContainer"] { padding-left: 0.9rem; padding-right: 0.9rem; }
}
.st-key-drawing:not(:has(.st-key-lines_column)) > :first-child { flex: 1 0 100%; }
.st-key-drawing > :has([data-testid="stMultiSelect"]) { min-width: min(100%, 15rem); }
.st-key-click, [class*="st-key-click_"], .st-key-view, [class*="st-key-view_"] {
  display: flex; flex-direction: row; align-items: center; gap: 1rem;
}
.st-key-click::before, [class*="st-key-click_"]::before { content: "Click"; }
.st-key-view::before, [class*="st-key-view_"]::before { content: "Show"; }
.st-key-view button, [class*="st-key-view_"] button { padding: 0 0.55rem; min-height: 1.9rem; }
.st-key-view button p, [class*="st-key-view_"] button p { font-size: 0.8125rem; }
.st-key-view [role="radiogroup"], [class*="st-key-view_"] [role="radiogroup"] { flex-wrap: wrap; }
</style>"""


def page() -> None:
    """The whole page, or in its place what is presented."""
    location.open_link()
    if explorer().presenting:
        presented.presented()
        return
    menus = edit_panel.STYLE + loading.STYLE + own_panel.STYLE + share_menu.STYLE
    beside = figure_menu.STYLE + published.STYLE + pinning.STYLE + measure_panel.STYLE + what_if.STYLE
    st.html(STYLE + SERIES_STYLE + menus + beside)
    _explorer()


@st.fragment
def _explorer() -> None:
    _toolbar(history().present)
    with st.container():  # what stands below keeps its place also where nothing is in it, and so stays as it is
        location.link_fault()
        series_row()
        published.lesson(history().present)
    st.session_state[TOOLBAR] = _of_toolbar()
    with st.container(key="explorer"):
        _instance()


@st.fragment
def _instance() -> None:
    """All below the toolbar: what a click changes. Runs alone, unless the toolbar has to change too."""
    if st.session_state[TOOLBAR] != _of_toolbar():
        st.rerun()
    leave()
    shown = history().present
    explanation = shown.explained()
    overlay = overlay_for(explanation, view_state())
    arrangement = _arrangement(shown)
    printed = published.printed_values(shown)
    edits = what_if.looked_at(shown, explanation, arrangement, explorer().listed(printed))
    left, right = st.columns([11, 10], gap="medium")
    with left:
        _drawing(shown, arrangement, overlay, edits)
    with right:
        _values(shown, explanation, overlay, edits, printed)
    presented.keys()
    mailbox(location.location())


# --- the top row --------------------------------------------------------------------------------------------------


def _of_toolbar() -> tuple[Any, ...]:
    """What the toolbar and the rows below it show, to be compared. An open menu may show anything."""
    now, past = explorer(), history()
    shown = past.present
    opened = [key for key in MENUS if st.session_state.get(key)]
    lessons = len(mine().cards), fault_of("make_card")
    whole = (shown, now.view_state, now.pinned, now.filter, lessons) if opened else ()
    possible = bool(past.past), bool(past.future)
    place = now.series, now.series.place(shown) if now.series else None
    ways = place, now.back, now.presenting
    figure = shown.case, shown.title, published.as_printed(shown)
    return figure, shown.instance.options, possible, now.link_fault, ways, whole


def _toolbar(shown: Shown) -> None:
    past = history()
    with st.container(horizontal=True, vertical_alignment="center", key="toolbar"):
        figure_menu.figure_menu(shown)
        loading.draw_or_load()
        icon_button("Undo", "undo", key="undo", action=undo, keys="Ctrl+Z", disabled=not past.past)
        icon_button("Redo", "redo", key="redo", action=redo, keys="Ctrl+Shift+Z", disabled=not past.future)
        options_popover(Target(_options, _take_options, of=shown, paper=(shown.case or "").partition("/")[0]))
        share_menu.share(shown)
        export(shown)


def _options() -> Options:
    return history().present.instance.options


def _take_options(options: Options) -> None:
    """Through the history, so that undo takes them back."""
    show(history().present.with_options(options))


# --- the drawing and the classes ----------------------------------------------------------------------------------


def _drawing(shown: Shown, arrangement: Arrangement, overlay: Overlay, edits: WhatIf | None) -> None:
    bind(st.segmented_control, "click", explorer().click, changing(EXPLORER, "click"))(
        "What a click does",
        list(CLICKS),
        required=True,
        format_func=lambda side: CLICKS[side],
        label_visibility="collapsed",
    )
    _view_switch()
    # One container for all: every container is a message more with every click.
    with st.container(horizontal=True, gap="small", key="drawing"):
        data = graph_data(
            arrangement,
            overlay,
            view=f"{shown.case}|{shown.title}",
            alt=shown.described,
            focus=_in_focus(shown),
            anchor=explorer().unfolded,
            editing=edit_panel.for_graph(arrangement),
            click={
                "switch": "click",
                "mode": explorer().click,
                "modes": {words: mode for mode, words in CLICKS.items()},
                "sides": True,
            },
            effects=effects(edits, view_state().measure) if edits else None,
            hint=welcome.welcome(shown),
        )
        graph(data, key="graph", on_click=_click, on_unfold=_unfold, on_edit=edit_panel.asked)
        if edit_panel.editing_now():
            edit_panel.lines_box()
        else:
            for side in get_args(SideName):
                _classes(shown, side, arrangement)
    if edit_panel.editing_now():
        edit_panel.tools(arrangement)
        return
    for side in get_args(SideName):
        show_fault(f"{side}_classes")


def _view_switch() -> None:
    """The switch above the graph: one view at a time."""
    bind(st.segmented_control, "view", view_state().view, _choose_view)(
        "What is drawn on the hierarchy",
        list(VIEWS),
        required=True,
        label_visibility="collapsed",
        format_func=lambda view: VIEWS[view].title,
    )


def _choose_view(view: str) -> None:
    set_view_state(with_view(view_state(), view))


def _arrangement(shown: Shown) -> Arrangement:
    """The drawing of what is shown; the one before while it still fits, so that nothing moves."""
    before = explorer().arrangement
    selected = shown.selected | edit_panel.to_be_drawn()
    near = next_neighbourhood(before.neighbourhood if before else None, shown.hierarchy, selected)
    if before is not None and before.neighbourhood is near:
        return before
    arrangement = on_screen(near) if edit_panel.editing_now() else readable_on_screen(near, selected)
    change(arrangement=arrangement, renamed={})
    return arrangement


def _in_focus(shown: Shown) -> list[str]:
    """What is in sight at first in a large drawing: what is edited or marked."""
    return in_sight(shown.hierarchy, edit_panel.to_be_drawn() or shown.selected)


def _unfold(value: Mapping[str, Any]) -> None:
    at = explorer().arrangement
    label = clicked(at, value) if at else None
    if at is not None and label is not None:
        again = on_screen(unfold(at.neighbourhood, history().present.selected, label))
        change(arrangement=again, unfolded=label, renamed={})


def _click(value: Mapping[str, Any]) -> None:
    label = edit_panel.clicked_class(value)
    mode: Any = value.get("mode")
    if label is not None and mode == EDIT:
        edit_panel.click(label)
    elif label is not None and mode in get_args(SideName):
        show(history().present.toggled(mode, label))


def _classes(shown: Shown, side: SideName, arrangement: Arrangement) -> None:
    """The classes of one side as an ordinary field: the way without a mouse, in step with the clicks."""
    hierarchy = shown.hierarchy
    whole = len(hierarchy) <= MOST_DRAWN
    classes, field = sorted(shown.classes(side), key=hierarchy.index), f"{side}_classes"
    bind(st.multiselect, field, classes, partial(_choose_classes, side), about=shown)(
        f"{side.capitalize()} classes",
        hierarchy.nodes if whole else arrangement.neighbourhood.nodes,
        placeholder="none",
        accept_new_options=not whole,
        help=None if whole else "Classes near the drawing are offered; any other can be typed in full.",
    )


def _choose_classes(side: SideName, labels: list[str]) -> None:
    show(history().present.with_classes(side, labels))


# --- the values and the chosen one ---------------------------------------------------------------------------------


def _values(
    shown: Shown,
    explanation: Explanation,
    overlay: Overlay,
    edits: WhatIf | None,
    printed: Mapping[str, tuple[CheckedCell, ...]],
) -> None:
    pinning.values_head(shown, explanation, len(printed))
    pinned = compared(shown)
    data, left_out = values_data(
        explanation,
        view_state().measure,
        keys=explorer().listed(printed),
        short=explorer().short,
        starred=explorer().starred,
        before=pinned.explanation if pinned else None,
        printed=printed,
    )
    address = gestures.address("measures", choose=_choose_measure, star=_star)
    component("values")(key="measures", data=data | {"address": address})
    if left_out:
        show_text(SPENT.format(left_out), "note", key="values_left_out")
    differ = differs(printed.get(view_state().measure, ()))
    measure_panel.measure_panel(explanation, overlay, edits, differ)


def _choose_measure(value: Mapping[str, Any]) -> None:
    key = str(value.get("key"))
    if key in _known():
        set_view_state(with_measure(view_state(), key))


def _known() -> set[str]:
    return {*CATALOGUE, *explorer().definitions}


def _star(value: Mapping[str, Any]) -> None:
    key, on = str(value.get("key")), value.get("on") is True
    if key in _known():
        change(starred=explorer().starred | {key} if on else explorer().starred - {key})


PAGE = Page("Explore", page)
