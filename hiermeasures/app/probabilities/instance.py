"""One instance on the Probabilities page: its tree and the best prediction for a measure; folded
away rules, curves, numbers, and edits of all that. Numbers come from analysis.py.
"""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.app.binding import after_entries, button
from hiermeasures.app.probabilities import charts
from hiermeasures.app.probabilities import tree as probability_tree
from hiermeasures.app.probabilities.analysis import BEST, Analysis, analysed, braces, range_words, realised, sweep_of
from hiermeasures.app.probabilities.candidates import all_predictions, best_prediction, published_cells
from hiermeasures.app.probabilities.model import Sheet, Source, begin, change, edited, model, with_numbers
from hiermeasures.app.probabilities.settings import PREFIX, ROW, decimals, height, setting, show_table, unfolded
from hiermeasures.app.widgets import chart, stacking_columns
from hiermeasures.core.errors import InputError
from hiermeasures.measures import CATALOGUE
from hiermeasures.picture.text import escaped, markdown_text
from hiermeasures.probabilities import RULES, Optimum, assess

MANY_EVENTS = 200
SLOW_FAMILIES = ("lca", "pairs")
RULE_NAMES = {
    **{key: rule.name for key, rule in RULES.items()},
    "best_a": "Best for the measure",
    "best_b": "Best for the other measure",
}
PATHS = {"best": "best child", "all": "all children"}
CHART = {"displayModeBar": False}


def one_instance(newer: Source | None) -> None:
    """Draw the part. `newer` is the sheet's source as it was changed in the Explorer."""
    if newer is not None:
        words, place = st.columns([4, 1], vertical_alignment="center")
        words.info("The hierarchy was changed in the Explorer; your probabilities here are of the one before.")
        place.button("Take the new one", on_click=after_entries(begin), args=(newer,), width="stretch")
    of = analysed(model())
    st.header("Which prediction is best for this measure?")
    optimum = best_prediction(of)
    tree, more = stacking_columns("probabilities_tree", [5, 6], gap="medium")
    with tree:
        _tree(of)
    with more:
        _oddities(of)
        _unfolding(of, optimum)


def _unfolding(of: Analysis, optimum: Optimum | None) -> None:
    for label, name, draw in (
        ("All predictions ranked, beside another measure", "ranking", partial(all_predictions, of, optimum)),
        ("Predictions by a rule, with their values", "rule", partial(_rule, of)),
        ("Curves over all thresholds", "curves", partial(_charts, of)),
        ("The probabilities as numbers", "numbers", partial(_numbers, of)),
    ):
        part = unfolded(label, name)
        if part.open:
            with part:
                draw()
    published_cells(of)


def _rule(of: Analysis) -> None:
    rule, how = st.columns(2, gap="small", vertical_alignment="bottom")
    setting(rule.selectbox, "rule")(
        "Prediction rule",
        [*BEST, *RULES],
        format_func=RULE_NAMES.__getitem__,
        help="How probabilities become predicted classes.\n\n"
        + "\n".join(
            f"- **{markdown_text(r.name)}**: {markdown_text(r.description)} ({markdown_text(r.source)})"
            for r in RULES.values()
        ),
    )
    with how:
        _rule_settings()
    _values(of)


def _truth() -> None:
    setting(st.multiselect, "truth")(
        "Truth",
        model().on_sheet.hierarchy.nodes[1:],
        placeholder="none chosen",
        help="The true classes of this instance, for realised values and the curve. Ancestors are added. "
        "A click on a class of the tree does the same.",
    )


def _rule_settings() -> None:
    at = model()
    takes = () if at.rule in BEST else RULES[at.rule].parameters
    if "k" in takes:
        count, among = st.columns(2, vertical_alignment="bottom")
        h = at.on_sheet.hierarchy
        most = len(h.leaves) if at.among == "leaves" else len(h) - 1
        if at.k > most:
            change(k=most)
        setting(count.number_input, "k")("k", 0, most, help="How many of the likeliest are predicted.")
        setting(among.selectbox, "among")("of the", ["leaves", "classes"])
    elif "paths" in takes:
        tau, paths = st.columns(2, vertical_alignment="bottom")
        _threshold(tau, disabled=False)
        setting(paths.selectbox, "paths")(
            "to",
            list(PATHS),
            format_func=PATHS.__getitem__,
            help="Whether only the likeliest child above the threshold is taken, or every one.",
        )
    else:
        _threshold(st, disabled="at" not in takes)


def _threshold(place: Any, disabled: bool) -> None:
    words = "This rule has no threshold." if disabled else markdown_text(RULES[model().rule].description)
    draw = setting(place.slider, "tau")
    draw("Threshold τ", 0.0, 1.0, step=0.01, disabled=disabled, help=words)


def _tree(of: Analysis) -> None:
    h = of.hierarchy
    tau = of.settings.tau if of.settings.rule in ("threshold", "top_down_threshold") else None
    truth = frozenset(a for c in of.truth for a in h.up(c)) - {h.root}
    made = probability_tree.drawing(of.sheet.probabilities, truth, of.prediction.classes, tau=tau, found=of.found)
    probability_tree.show(made, _dragged, _chosen)
    if made.folded:
        st.caption(
            f"{made.folded} classes far from the predicted and true ones are not drawn. They count in every value."
        )
    st.markdown(escaped(of.prediction.sentence))
    st.caption(f"Rule: {markdown_text(of.prediction.source)}.")
    _edits(of)
    if of.sheet.source.words and not of.sheet.edited:
        st.caption(escaped(of.sheet.source.words))


def _edits(of: Analysis) -> None:
    """Show remarks on the last edit of the drawing, and the buttons that take edits back."""
    _remarks(of, typed=False)
    if not (of.sheet.past or of.sheet.edited):
        return
    with st.container(horizontal=True, gap="small"):
        button("Undo", key="prob_undo", action=_undo, keys="Ctrl+Z", disabled=not of.sheet.past)
        st.button(
            "Reset",
            on_click=after_entries(begin),
            args=(of.sheet.source,),
            disabled=not of.sheet.edited,
            help="Back to where it began.",
        )


def _remarks(of: Analysis, *, typed: bool) -> None:
    for line in of.settings.remarks if of.settings.typed == typed else ():
        st.error(escaped(line))


def _oddities(of: Analysis) -> None:
    """Say what is incoherent in the probabilities, which are used as they are."""
    found = of.found
    grave = [f.sentence for f in found.child_above_parent] + [s.sentence for s in found.siblings_over]
    if grave:
        more = f" And {len(grave) - 3} more." if len(grave) > 3 else ""
        st.warning(
            escaped("Incoherent: " + "; ".join(grave[:3]) + "." + more) + " The numbers are used as they are. "
            "“Renormalise siblings” scales the children of each class to sum to it."
        )
    elif of.doubt:
        st.warning(escaped(f"No expected values: {of.doubt}."))
    elif found.stopping:
        more = f", and {len(found.stopping) - 2} more" if len(found.stopping) > 2 else ""
        st.caption(escaped("; ".join(s.sentence for s in found.stopping[:2]) + more + ": a path may end there."))
    for note in of.sheet.probabilities.notes:
        st.caption(escaped(note))


def _numbers(of: Analysis) -> None:
    now = of.sheet
    h, given = now.hierarchy, now.probabilities.given_parents
    frame = pd.DataFrame(
        {
            "Class": list(h.nodes[1:]),
            "P": [now.typed_over[c] for c in h.nodes[1:]],
            "given parent": [given[c] for c in h.nodes[1:]],
        }
    )
    holder = st.container(key="probabilities_safe")
    holder.data_editor(
        frame,
        key=_editor_key(now),
        hide_index=True,
        disabled=["Class", "given parent"],
        row_height=ROW,
        height=height(frame, 9),
        alt="Probabilities of the classes",
        column_config={
            "P": decimals("The probability of the class, from 0 to 1. Type to change it.", "P"),
            "given parent": decimals(
                "The probability of the class if its parent is true: its own divided by its parent's.", "P | parent"
            ),
        },
    )
    _remarks(of, typed=True)
    setting(st.toggle, "share")(
        "Siblings share the rest",
        disabled=not h.is_tree,
        help="An edited class keeps its new probability; its siblings divide what is left of their parent's in the "
        "proportion they had, and what lies below follows. Off: only the one number changes. It needs a tree.",
    )
    st.button(
        "Renormalise siblings",
        on_click=after_entries(_renormalise),
        disabled=not h.is_tree,
        help="Scales the children of every class so that they sum to it.",
    )


def _charts(of: Analysis) -> None:
    _truth()
    left, right = st.columns(2, gap="small")
    with left:
        if of.curve is None:
            st.markdown("**Precision and recall**")
            st.info("Choose a truth, above or by a click on a class, to see its curve.")
        else:
            st.markdown(
                f"Area under the curve **{of.curve.area:.3f}**",
                help="Hierarchical precision and recall of this instance over "
                "all thresholds; the box is the prediction. " + markdown_text(of.curve.sentence),
            )
            chart(charts.precision_recall(of.curve, _place(of)), key="prob_curve", config=CHART)
    with right:
        sweep = sweep_of(of)
        best = f", best **{range_words(sweep.best[0].thresholds)}**" if sweep else ""
        st.markdown(
            f"hF over τ{best}",
            help="hF over all thresholds τ, expected and for the chosen truth. Bold: the "
            "best thresholds. They depend on the instance (Plaud et al. 2024, Appendix B.1.2).",
        )
        tau = of.settings.tau if of.settings.rule == "threshold" else None
        chart(charts.over_thresholds(sweep, of.curve, tau), key="prob_sweep", config=CHART)


def _place(of: Analysis) -> tuple[float, float]:
    assert of.curve is not None
    if of.prediction.tau is not None:
        point = of.curve.at(of.prediction.tau)
        return point.recall, point.precision
    there = realised(of)
    return there["hR"], there["hP"]


def _values(of: Analysis) -> None:
    truth = f"if {braces(of.hierarchy, of.truth)} true" if of.truth else "no truth chosen"
    rows = _assessed(of)
    if not rows:
        return
    frame = pd.DataFrame(
        [
            (f"{key} {'↑' if better == 'higher' else '↓'}", expected, realised)
            for key, better, expected, realised in rows
        ],
        columns=["Measure", "expected", truth],
    )
    predicted = braces(of.hierarchy, of.prediction.classes)
    st.markdown(
        f"Predicted **{escaped(predicted)}**",
        help="Expected: the mean over all possible truths, each with its probability. "
        "Realised: the value if the chosen truth holds. ↑ higher is better, ↓ lower is better.",
    )
    columns = {
        "expected": decimals("The mean over all possible truths.", "expected"),
        truth: decimals("The value if the chosen truth holds.", truth),
    }
    show_table(frame, "values", rows=8, column_config=columns)


def _assessed(of: Analysis) -> list[tuple[str, str, float, float]]:
    """Each listed measure with its direction, its expected and its realised value."""
    listed = list(of.settings.listed)
    given_truth = realised(of) if of.truth else dict.fromkeys(listed, math.nan)
    if of.distribution is None:
        st.caption(escaped(f"No expected values: {of.doubt}."))
        listed = listed if of.truth else []
        expected = dict.fromkeys(listed, math.nan)
    else:
        events = len(of.distribution.events)
        slow = [k for k in listed if CATALOGUE[k].family in SLOW_FAMILIES] if events > MANY_EVENTS else []
        if slow:
            words = f"the expected {', '.join(slow)} would take long and is left out."
            st.caption(escaped(f"Over {events:,} possible truths, {words}"))
        made = assess(
            of.distribution,
            of.prediction.classes,
            None,
            [k for k in listed if k not in slow],
            labels=of.settings.labels,
            options=of.options,
        )
        expected = dict.fromkeys(slow, math.nan) | {r.measure.key: r.expected.value for r in made.rows}
    return [(k, CATALOGUE[k].better, expected[k], given_truth[k]) for k in listed]


# --- edits ----------------------------------------------------------------------------------------


def _editor_key(sheet: Sheet) -> str:
    return f"{PREFIX}table_{sheet.turn}"


def follow_typing() -> None:
    """Take over numbers typed into the table. What is refused stays in its cell, and is said."""
    now = model().on_sheet
    rows = st.session_state.get(_editor_key(now), {}).get("edited_rows", {})
    numbers = {now.hierarchy.nodes[int(i) + 1]: cells["P"] for i, cells in sorted(rows.items()) if "P" in cells}
    if not numbers:
        return
    after = with_numbers(now.typed_over, numbers, model().share)
    sheet = now if after.refused else now.to(after.probabilities)
    change(sheet=sheet, remarks=(*after.refused, *after.reduced), typed=True)


def _dragged(bar: Mapping[str, Any]) -> None:
    now = model().on_sheet
    try:
        after, line = edited(now.probabilities, str(bar["label"]), float(bar["value"]), model().share)
    except (InputError, KeyError, TypeError, ValueError):
        return
    change(sheet=now.to(after), remarks=(line,) if line else (), typed=False)


def _chosen(name: Mapping[str, Any]) -> None:
    """Take a click on a class: it becomes the truth, or part of it; a second takes it back."""
    label = str(name.get("label"))
    at = model()
    if label not in at.on_sheet.hierarchy.nodes[1:]:
        return
    if label in at.truth:
        change(truth=tuple(c for c in at.truth if c != label))
    else:
        change(truth=(label,) if at.reading == "single_path" else (*at.truth, label))


def _renormalise() -> None:
    now = model().on_sheet
    change(sheet=now.to(now.probabilities.renormalised()), remarks=())


def _undo() -> None:
    change(sheet=model().on_sheet.undo(), remarks=())
