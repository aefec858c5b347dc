"""One instance on the Probabilities page: its tree and the best prediction for a measure; folded
away the ranking of all predictions, rules, curves, numbers, and edits of all that. Numbers come
from analysis.py.
"""

import math
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.app.binding import after_entries, button
from hiermeasures.app.components import chart, stacking_columns
from hiermeasures.app.probabilities.analysis import (
    BEST,
    Analysis,
    analysed,
    braces,
    latex_set,
    range_words,
    realised,
    sweep_of,
)
from hiermeasures.app.probabilities.model import Sheet, Source, begin, change, edited, model, with_numbers
from hiermeasures.app.probabilities.parts import (
    PREFIX,
    ROW,
    choose,
    decimals,
    height,
    over_thresholds,
    precision_recall,
    setting,
    show_table,
    show_tree,
    tree_drawing,
    unfolded,
)
from hiermeasures.cases import CheckedCell, verify
from hiermeasures.core.errors import InputError
from hiermeasures.measures import CATALOGUE
from hiermeasures.picture.text import escaped, markdown_text
from hiermeasures.probabilities import RULES, Optimum, expected_value
from hiermeasures.probabilities.expected import expected_values

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
    data, folded = tree_drawing(of.sheet.probabilities, truth, of.prediction.classes, tau=tau, found=of.found)
    show_tree(data, _dragged, _chosen)
    if folded:
        st.caption(f"{folded} classes far from the predicted and true ones are not drawn. They count in every value.")
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
            chart(precision_recall(of.curve, _place(of)), key="prob_curve", config=CHART)
    with right:
        sweep = sweep_of(of)
        best = f", best **{range_words(sweep.best[0].thresholds)}**" if sweep else ""
        st.markdown(
            f"hF over τ{best}",
            help="hF over all thresholds τ, expected and for the chosen truth. Bold: the "
            "best thresholds. They depend on the instance (Plaud et al. 2024, Appendix B.1.2).",
        )
        tau = of.settings.tau if of.settings.rule == "threshold" else None
        chart(over_thresholds(sweep, of.curve, tau), key="prob_sweep", config=CHART)


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
        quick = [CATALOGUE[k] for k in listed if k not in slow]
        made = expected_values(of.distribution, of.prediction.classes, quick, of.settings.labels, of.options)
        expected = dict.fromkeys(slow, math.nan) | {key: found.value for key, found in made.items()}
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


MEASURE_HELP = {
    "measure_a": "The best prediction is the one with the best expected value, the mean over all possible truths.",
    "measure_b": "What another measure would have had predicted.",
}


def best_prediction(of: Analysis) -> Optimum | None:
    """Draw the choice of the measure; return and show its best prediction."""
    choice, answer = stacking_columns("probabilities_question", [5, 6], gap="medium")
    with choice:
        choose("Measure", CATALOGUE, "measure_a", format_func=_measure_name, help=MEASURE_HELP["measure_a"])
    with answer, st.container(key="probabilities_answer"):
        if of.table is None:
            st.info("That needs expected values, and there are none: " + escaped(of.doubt or of.narrowed) + ".")
            return None
        return _optimum(of, of.settings.measure_a)


def all_predictions(of: Analysis, main: Optimum | None) -> None:
    """Draw the best by another measure, the ranking, and the events behind the chosen one."""
    if main is None:
        st.info("There is no ranking without a best prediction.")
        return
    choose("Beside it", CATALOGUE, "measure_b", format_func=_measure_name, help=MEASURE_HELP["measure_b"])
    other = _optimum(of, of.settings.measure_b)
    chosen = _ranking(of, main, other)
    _evidence(of, of.prediction.classes if chosen is None else chosen)


def _measure_name(key: str) -> str:
    return f"{CATALOGUE[key].name} ({key})"


def _optimum(of: Analysis, key: str) -> Optimum | None:
    assert of.table is not None
    try:
        optimum = of.table.optimum(key)
    except InputError as error:
        st.info(f"{escaped(str(error))}.")
        return None
    best = optimum.best
    also = "".join(f" or {escaped(braces(of.hierarchy, t.candidate.classes))}" for t in optimum.ties[1:3])
    tau = f"τ {range_words(best.candidate.thresholds)}" if best.candidate.thresholds else "no threshold gives it"
    classes = escaped(braces(of.hierarchy, best.candidate.classes))
    st.markdown(
        f"Best **{classes}**{also}, expected **{best.value:.3f}**, {tau}",
        help=markdown_text(CATALOGUE[key].description),
    )
    line, more = _proof(of, optimum)
    st.caption(line, help=more)
    return optimum


def _proof(of: Analysis, optimum: Optimum) -> tuple[str, str | None]:
    """The proof of an optimum in a line, and at length."""
    assert of.table is not None
    words = f"Of {len(optimum.alternatives)} candidates: {of.table.space}."
    form = optimum.closed_form
    if form is None:
        return f"{words} No closed form is known.", None
    source = f"{markdown_text(form.statement)} {markdown_text(form.condition)} ({markdown_text(form.source)})"
    if form.applies:
        return f"{words} Closed form: {markdown_text(form.source.partition(',')[0])}.", source
    return f"{words} The closed form does not apply: {escaped(form.why_not)}.", source


def _ranking(of: Analysis, main: Optimum, other: Optimum | None) -> frozenset[str] | None:
    if other is main or (other and other.measure.key == main.measure.key):
        other = None
    places = {a.candidate.classes: a for a in other.alternatives} if other else {}
    rows = []
    for a in main.alternatives:
        row = {
            "rank": a.rank,
            "prediction": braces(of.hierarchy, a.candidate.classes),
            "what it is": " · ".join(_tags(of, a.candidate.classes, [main, *([other] if other else [])])),
            main.measure.key: a.value,
            "worse by": a.regret,
        }
        if other:
            beside = places[a.candidate.classes]
            row |= {other.measure.key: beside.value, f"rank by {other.measure.key}": beside.rank}
        rows.append(row | {"thresholds": range_words(a.candidate.thresholds)})
    columns = _ranking_columns(main, other)
    chosen = show_table(pd.DataFrame(rows), "ranking", rows=9, select=True, column_config=columns)
    if of.narrowed:
        st.caption(escaped(of.narrowed))
    return None if chosen is None else main.alternatives[chosen].candidate.classes


def _ranking_columns(main: Optimum, other: Optimum | None) -> dict[str, Any]:
    measures = [o.measure for o in (main, other) if o]
    return {
        "rank": st.column_config.NumberColumn(width=44),
        "prediction": st.column_config.TextColumn(width=110),
        "what it is": st.column_config.TextColumn(
            width=100, help="now: what is predicted now. best: the optimum of a measure."
        ),
        **{m.key: decimals(f"Expected {m.name}, {m.better} is better.", f"E[{m.key}]") for m in measures},
        "worse by": decimals(f"How much worse its expected {main.measure.name} is than the best."),
        "thresholds": st.column_config.TextColumn(
            "τ", help="The thresholds that give this prediction; – where none does."
        ),
    }


def _tags(of: Analysis, classes: frozenset[str], optima: Iterable[Optimum]) -> list[str]:
    tags = ["now"] if classes == of.prediction.classes else []
    return tags + [f"best {o.measure.key}" for o in optima if classes in {t.candidate.classes for t in o.ties}]


def _evidence(of: Analysis, classes: frozenset[str]) -> None:
    assert of.distribution is not None
    keys = list(dict.fromkeys((of.settings.measure_a, of.settings.measure_b)))
    values = [expected_value(of.distribution, classes, k, labels=of.settings.labels, options=of.options) for k in keys]
    frame = pd.DataFrame(
        {
            "if true": [braces(of.hierarchy, e.classes) for e in of.distribution.events],
            "probability": [e.probability for e in of.distribution.events],
            **{v.measure.key: [r.value for r in v.rows] for v in values},
        }
    )
    columns = {k: decimals(f"{CATALOGUE[k].name} if this is true.", k) for k in keys}
    columns["probability"] = decimals("The probability of this truth.", "P")
    show_table(frame, "events", rows=6, column_config=columns)
    for value in values:
        st.latex(rf"\mathbb{{E}}[{value.measure.symbol} \mid {latex_set(of.hierarchy, classes)}] = {value.latex}")
    st.caption("Select a row of the ranking to see another prediction.", help=markdown_text(of.distribution.assumption))


def published_cells(of: Analysis) -> None:
    """Show the paper's numbers about the figure beside ours."""
    cases = of.sheet.source.cases
    keys = {case.key for case in cases}
    cells = [cell for cell in _published(tuple(sorted({case.paper for case in cases}))) if cell.case in keys]
    if not cells:
        return
    match = sum(cell.status == "match" for cell in cells)
    rest = f", {len(cells) - match} explained" if match < len(cells) else ""
    before = " before your edits" if of.sheet.edited else ""
    part = unfolded(f"Published about this figure{before}: {match} of {len(cells)} values match{rest}", "published")
    if not part.open:
        return
    with part:
        rows = [(c.source, c.quantity, c.printed, c.ours_text, c.status) for c in cells]
        table = pd.DataFrame(rows, columns=["where", "quantity", "printed", "ours", "status"])
        show_table(table, "published", rows=10)
        for cell in cells:
            if cell.explanation:
                st.caption(escaped(f"{cell.quantity}: {cell.explanation}"))


@st.cache_resource(show_spinner=False)
def _published(papers: tuple[str, ...]) -> tuple[CheckedCell, ...]:
    return tuple(cell for paper in papers for cell in verify(paper=paper).cells)
