"""Before and after: how every value has changed since a state was pinned, and the row above the table of values, with
the pin and the choice of measures.

What is pinned and chosen is part of the Explorer's model. The table itself is values.py's.
"""

from dataclasses import replace
from functools import partial
from typing import Any, get_args

import streamlit as st

from hiermeasures.measures import CATALOGUE, FAMILIES, Explanation, SideName
from hiermeasures.measures.catalogue import named
from hiermeasures.measures.own import OWN
from hiermeasures.ui.binding import after_entries, bind, button
from hiermeasures.ui.explore import model, own_panel
from hiermeasures.ui.explore.model import MeasureFilter, Pinned
from hiermeasures.ui.library import figures
from hiermeasures.ui.popover import popover
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.state import Shown

STYLE = """<style>
.st-key-values_head { gap: 0.5rem; flex-wrap: nowrap; }
@media (max-width: 480px) { .st-key-values_head { flex-wrap: wrap; } }
.st-key-values_head .st-key-pin { margin-left: auto; }
.st-key-values_head .st-key-pinned_words { flex: 1 1 0; min-width: 0; }
.st-key-values_head button { padding: 0 0.55rem; min-height: 1.9rem; }
.st-key-values_head button p { font-size: 0.8125rem; white-space: nowrap; }
</style>"""


def in_words(shown: Shown) -> str:
    """Which state this is, on one line."""
    true, predicted = (named(shown.classes(side), limit=3) for side in get_args(SideName))
    return f"true {true}; predicted {predicted} ({figures().get(shown.case or '', shown.title)})"


# --- the row above the table --------------------------------------------------------------------------------------


def values_head(shown: Shown, explanation: Explanation, printed: int = 0) -> None:
    """The row above the table: which measures, and the pin. `printed` is how many values the figure's paper prints."""
    at = model.explorer().pinned
    with st.container(horizontal=True, vertical_alignment="center", key="values_head"):
        _filter(model.explorer().filter, printed)
        own_panel.own_measures(explanation)
        if at is not None:
            show_text(_about_pin(at, shown), "line", key="pinned_words")
        st.button(
            "Pin" if at is None else "Unpin",
            icon=":material/keep:" if at is None else ":material/keep_off:",
            key="pin",
            on_click=after_entries(_pin if at is None else _unpin),
            args=(shown,) if at is None else (),
            disabled=at is None and not shown.selected,
            help="Keep these values, and show how every value changes from now on."
            if at is None
            else "Show no changes any more.",
        )


def _about_pin(at: Pinned, shown: Shown) -> str:
    """What the values are compared with, or why they are not."""
    if at.comparable(shown) or not shown.selected:
        return f"Change since: {in_words(at.shown)}"
    return f"Not compared: pinned on another hierarchy, {in_words(at.shown)}"


def _pin(shown: Shown) -> None:
    model.change(pinned=Pinned(shown))


def _unpin() -> None:
    model.change(pinned=None)


def _filter(at: MeasureFilter, printed: int) -> None:
    own = model.explorer().definitions
    total, families = len(CATALOGUE) + len(own), {**({OWN.key: OWN} if own else {}), **FAMILIES}
    if not at.asks:
        button(
            "Best known" if at.everything else f"All {total}",
            key="all_measures",
            action=partial(_set_filter, everything=not at.everything, printed=False),
            help=f"The table of the best known measures and those with a star, or of all {total}.",
        )
    if not at.asks and printed:
        button(
            "Best known" if at.printed else f"{printed} printed",
            key="printed_measures",
            action=partial(_set_filter, everything=False, printed=not at.printed),
            help="The measures whose values the paper prints for this figure.",
        )
    label = f"{len(model.explorer().matching)} of {total} measures" if at.asks else "Find"
    panel = popover(label, icon=":material/filter_list:", key="measures_filter")
    if not panel.open:
        return
    with panel, st.container(width=420):
        bind(st.text_input, "filter_text", at.text, lambda text: _set_filter(text=text))(
            "Find by name", placeholder="such as F1, pairs, recall"
        )
        bind(st.pills, "filter_families", list(at.families), _choose_families)(
            "Families",
            list(families),
            selection_mode="multi",
            format_func=lambda key: families[key].title,
            help="None chosen shows all of them.",
        )
        st.button("Show all", key="filter_none", on_click=_show_all, disabled=not at.asks, type="tertiary")


def _choose_families(families: list[str]) -> None:
    _set_filter(families=tuple(key for key in (OWN.key, *FAMILIES) if key in families))


def _set_filter(**parts: Any) -> None:
    model.change(filter=replace(model.explorer().filter, **parts))


def _show_all() -> None:
    model.change(filter=MeasureFilter(everything=True))
