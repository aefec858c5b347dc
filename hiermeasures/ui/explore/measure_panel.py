"""The panel beside the graph: what the chosen measure's number is made of, with its formula, its structure, and the way
there step by step.

Every table and figure is read off a structure of the Explanation; the switches here change what is looked at, or the
options.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from hiermeasures.errors import InputError
from hiermeasures.measures import CATALOGUE, Explanation
from hiermeasures.measures.pairs import PairingNetwork
from hiermeasures.options import Options
from hiermeasures.ui.explore import evidence_tables as tables
from hiermeasures.ui.explore.looking import PAIRINGS, WITH_STEPS, Looking
from hiermeasures.ui.explore.model import history, look, looking, show
from hiermeasures.ui.explore.steps import Step, walk
from hiermeasures.ui.fields import is_entry, key_showing
from hiermeasures.ui.graph.overlays import Overlay, confusion, lca, overlay_for, sets
from hiermeasures.ui.linked_table import Table, linked_table
from hiermeasures.ui.plain import plain
from hiermeasures.ui.views.flow_figure import show_flow_figure

BOUNDS = {"alpha_p": r"$\alpha_p$", "beta_p": r"$\beta_p$", "alpha_t": r"$\alpha_t$", "beta_t": r"$\beta_t$"}
BOUND_HELP = {
    "alpha_p": "The fewest true classes a predicted class pairs with.",
    "beta_p": "The most true classes a predicted class pairs with.",
    "alpha_t": "The fewest predicted classes a true class pairs with.",
    "beta_t": "The most predicted classes a true class pairs with.",
}
MOST_BOUND = 10_000
LARGEST_DMAX = 1e9
RESULT, STEPS = "result", "step by step"
STYLE = """<style>
[data-testid="stMainBlockContainer"] { --hm-around: 18.8rem; --hm-values: calc(100vh - 38rem); --hm-table: 18.5rem; --hm-flow: 15rem; }
.st-key-views button, .st-key-measure_head button { padding: 0 0.55rem; min-height: 1.9rem; }
.st-key-views button p, .st-key-measure_head button p { font-size: 0.8125rem; }
.st-key-stepper button { padding: 0 0.6rem; min-height: 2rem; }
.st-key-bounds { gap: 0.6rem; }
.st-key-bounds input { padding-top: 0.2rem; padding-bottom: 0.2rem; }
.st-key-bounds label { min-height: 1.2rem; margin-bottom: 0; }
</style>"""


def overlay_shown(explanation: Explanation, at: Looking) -> Overlay:
    """What is drawn on the hierarchy now."""
    if at.view == "classes":
        return sets.classes(explanation)
    if at.stepping:
        return _step_shown(explanation, at)[0].draw()
    if at.view == "lca":
        return lca.graphs(explanation.lca, explanation, at.graphs_shown(explanation.options))
    if at.view == "confusion":
        return confusion.confusion(explanation.confusion, explanation, at.path)
    return overlay_for(explanation, at.structure)


def measure_panel(explanation: Explanation, drawn: Overlay) -> None:
    """The panel for what is looked at."""
    st.html(STYLE)
    at = looking()
    measure, derivation = CATALOGUE[at.measure], explanation.derivation(at.measure)
    with st.container(horizontal=True, vertical_alignment="center", key="measure_head"):
        st.markdown(f"**{measure.name}**", help=f"{measure.description} Source: {measure.source}.", width="content")
        st.space("stretch")
        if at.view == "lca" and not at.stepping:
            _graphs_switch(explanation, at)
        if at.view == "distances":
            _pairing_switch(at)
        if at.view in WITH_STEPS:
            _steps_switch(at)
    if at.stepping:
        _stepper(explanation, at)
        return
    st.latex(f"{measure.symbol} = {derivation.latex}")
    plain(derivation.sentence, key="sentence")
    PANELS[at.view](explanation, at, drawn)


def _show_table(table: Table, *, key: str, on_choose: Callable[[], None] | None = None) -> None:
    linked_table(table, key=key, on_choose=on_choose)


# --- one part per view --------------------------------------------------------------------------------------------


def _sets(explanation: Explanation, at: Looking, drawn: Overlay) -> None:
    overlap = explanation.structure(at.structure)
    _show_table(tables.sets(overlap, explanation, drawn), key=f"table_{at.view}")


def _lca(explanation: Explanation, at: Looking, drawn: Overlay) -> None:
    _show_table(tables.best_matches(explanation.lca, explanation, drawn), key="table_lca")


def _pairing(explanation: Explanation, at: Looking, drawn: Overlay) -> None:
    network: PairingNetwork = explanation.structure(at.structure)
    _bounds(network, explanation.options)
    show_flow_figure(network, key="flow")


def _distances(explanation: Explanation, at: Looking, drawn: Overlay) -> None:
    if at.structure == "shortest_path":
        table = tables.specific_distances(explanation.shortest_path, explanation)
    else:
        table = tables.distances(explanation.structure(at.structure), explanation)
    _show_table(table, key="table_distances")


def _confusion(explanation: Explanation, at: Looking, drawn: Overlay) -> None:
    _show_table(tables.confusion(explanation.confusion, explanation, at.path), key="paths", on_choose=_choose_path)


def _counts(explanation: Explanation, at: Looking, drawn: Overlay) -> None:
    _show_table(tables.counts(explanation.counts, explanation), key="table_counts")


PANELS: dict[str, Callable[[Explanation, Looking, Overlay], None]] = {
    "classes": _sets,
    "ancestors": _sets,
    "descendants": _sets,
    "lca": _lca,
    "pairing": _pairing,
    "confusion": _confusion,
    "counts": _counts,
    "distances": _distances,
}


def _choose_path() -> None:
    chosen = st.session_state.paths.choose
    if chosen is not None:
        look(replace(looking(), path=None if chosen == "all" else int(chosen)))


# --- switches -----------------------------------------------------------------------------------------------------


def _switch(
    name: str, options: list[str], value: str, label: str, choose: Callable[[Any], None], words: dict[str, str]
) -> None:
    key = key_showing(name, value)
    st.segmented_control(
        label,
        options,
        key=key,
        required=True,
        label_visibility="collapsed",
        on_change=_entered,
        args=(name, key, choose),
        format_func=lambda option: words.get(option, option),
    )


def _entered(name: str, key: str, choose: Callable[[Any], None]) -> None:
    """Nothing comes from a field that the page has just lost."""
    if is_entry(name, key) and st.session_state[key] is not None:
        choose(st.session_state[key])


def _graphs_switch(explanation: Explanation, at: Looking) -> None:
    words = {"minimal": "minimal graphs", "extended": "extended"}
    _switch(
        "graphs", ["minimal", "extended"], at.graphs_shown(explanation.options), "LCA graphs", _choose_graphs, words
    )


def _choose_graphs(chosen: Literal["minimal", "extended"]) -> None:
    """The measure on the same graphs comes with them, where there is one."""
    at = looking()
    key = at.measure.removesuffix("_ext") + ("_ext" if chosen == "extended" else "")
    look(replace(at, graphs=chosen, measure=key if key in CATALOGUE else at.measure))


PAIRING_MEASURES = {
    "shortest_path": "SP",
    "pairing_TIE": "TIE",
    "pairing_all_pairs": "all_pairs",
    "pairing_GIE": "GIE",
    "pairing_MGIA": "MGIA",
    "pairing_own": "own_pairing",
}
PAIRING_WORDS = {"SP": "SP", "TIE": "TIE", "all_pairs": "all pairs", "GIE": "GIE", "MGIA": "MGIA", "own_pairing": "own"}


def _pairing_switch(at: Looking) -> None:
    _switch(
        "pairs_marked",
        list(PAIRING_MEASURES.values()),
        PAIRING_MEASURES[at.structure],
        "Pairs of",
        _choose_pairing,
        PAIRING_WORDS,
    )


def _choose_pairing(measure: str) -> None:
    look(looking().choosing(measure))


def _steps_switch(at: Looking) -> None:
    _switch("stepping", [RESULT, STEPS], STEPS if at.stepping else RESULT, "Result or steps", _choose_stepping, {})


def _choose_stepping(chosen: str) -> None:
    look(replace(looking(), step=0 if chosen == STEPS else None))


# --- the flow network's bounds ------------------------------------------------------------------------------------


def _bounds(network: PairingNetwork, options: Options) -> None:
    """The bounds as fields. Another bound makes the pairing one's own; D_max belongs to all."""
    with_defaults = not math.isinf(network.bounds.dmax)
    with st.container(horizontal=True, vertical_alignment="bottom", key="bounds"):
        for name, symbol in BOUNDS.items():
            key = key_showing(f"bound_{name}", getattr(network.bounds, name))
            st.number_input(
                symbol,
                0,
                MOST_BOUND,
                step=1,
                key=key,
                on_change=_entered,
                args=(f"bound_{name}", key, partial(_set_bound, name)),
                help=BOUND_HELP[name],
                width=68,
            )
        key = key_showing("bound_dmax", options.dmax)
        st.number_input(
            r"$D_{\max}$",
            0.01,
            LARGEST_DMAX,
            step=1.0,
            format="%g",
            key=key,
            on_change=_entered,
            args=("bound_dmax", key, _set_dmax),
            disabled=not with_defaults,
            help="What a pair with a default class costs.",
            width=76,
        )
        key = key_showing("bound_defaults", with_defaults)
        st.checkbox(
            "default classes",
            key=key,
            on_change=_entered,
            args=("bound_defaults", key, partial(_set_bound, "default_classes")),
            width="content",
            help="Whether a class may stay without a partner at a cost of D_max.",
        )
    if fault := st.session_state.pop("bounds_fault", None):
        plain(fault, "error", key="bounds_fault_shown")


def _set_bound(name: str, value: float) -> None:
    """The bounds shown, with one changed, as the options of one's own pairing."""
    at = looking()
    if at.view != "pairing":
        return
    bounds = history().present.explained().structure(at.structure).bounds
    settings = {bound: getattr(bounds, bound) for bound in BOUNDS} | {"default_classes": not math.isinf(bounds.dmax)}
    if _set_options(settings | {name: value}):
        look(at.choosing("own_accuracy" if at.measure in ("MGIA", "own_accuracy") else "own_pairing"))


def _set_dmax(value: float) -> None:
    _set_options({"dmax": value})


def _set_options(settings: dict[str, Any]) -> bool:
    """Whether the options could be set; if not, the fault is said beside the fields."""
    shown = history().present
    try:
        show(shown.with_options(Options.make(shown.instance.options.model_dump(exclude_unset=True) | settings)))
    except InputError as fault:
        st.session_state.bounds_fault = str(fault)
        return False
    return True


# --- step by step -------------------------------------------------------------------------------------------------


def _step_shown(explanation: Explanation, at: Looking) -> tuple[Step, int, int]:
    """The step to show, its place, and how many there are."""
    steps = walk(explanation, at.structure)
    place = min(at.step or 0, len(steps) - 1)
    return steps[place], place, len(steps)


def _stepper(explanation: Explanation, at: Looking) -> None:
    step, place, count = _step_shown(explanation, at)
    with st.container(horizontal=True, vertical_alignment="center", key="stepper"):
        _step_button("first_page", "First", 0, place > 0)
        _step_button("chevron_left", "Back", place - 1, place > 0)
        _step_button("chevron_right", "Forward", place + 1, place < count - 1)
        _step_button("last_page", "Last", count - 1, place < count - 1)
        st.markdown(f"Step {place + 1} of {count}", width="content")
    st.markdown(f"**{step.phase}**")
    plain(step.sentence, key="step_sentence")
    table = _step_table(explanation, at, step, place, count)
    if table is not None:
        _show_table(table, key=f"steps_{at.view}")


def _step_button(icon: str, label: str, to: int, possible: bool) -> None:
    st.button(
        label,
        icon=f":material/{icon}:",
        key=f"step_{label.lower()}",
        on_click=_go_to,
        args=(to,),
        disabled=not possible,
    )


def _go_to(step: int) -> None:
    look(replace(looking(), step=step))


def _step_table(explanation: Explanation, at: Looking, step: Step, place: int, count: int) -> Table | None:
    if at.view == "lca":
        taken = explanation.lca.minimal.steps
        return tables.ranking(explanation.lca, explanation, taken[step.done - 1] if step.done else None)
    if at.view == "confusion":
        return tables.confusion(explanation.confusion, explanation, None, step.done if place < count - 1 else None)
    return tables.pairs_so_far(explanation.structure(at.structure), step.done)


__all__ = ["PAIRINGS", "measure_panel", "overlay_shown"]
