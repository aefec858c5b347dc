"""The view of one instance with probabilities, a part of the page Compare.

You see the tree and the best prediction for a measure. Folded parts show the ranking of all
predictions, rules, curves, and numbers to edit. model.py computes.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.app.binding import button
from hiermeasures.app.components import STILL, chart, dark, formula, stacking_columns
from hiermeasures.app.probabilities import parts
from hiermeasures.app.probabilities.model import (
    PROBABILITIES,
    SLOW_FAMILIES,
    Analysis,
    StartingPoint,
    begin,
    braces,
    change,
    edited,
    lay_out,
    model,
    undo,
)
from hiermeasures.app.probabilities.parts import choose, decimals, setting, show_table, unfolded
from hiermeasures.app.probabilities.rule import choose_rule
from hiermeasures.draw.text import escaped, markdown_text
from hiermeasures.evaluation.plots import plot_curves, plot_thresholds
from hiermeasures.evaluation.scores import Optimum, ThresholdRange
from hiermeasures.evaluation.scores.expected import expected_values
from hiermeasures.hierarchy.words import write_list
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import ABOUT_ARROWS, ARROWS, latex_text
from hiermeasures.measures.own import spoken
from hiermeasures.verify import CheckedCell, verify
from hiermeasures.verify.verification import STATUS_NAMES, Counts

MANY_EVENTS = 200
BEST_NAMES = {"best_a": "Best for the measure", "best_b": "Best for the other measure"}
MEASURE_HELP = {
    "measure_a": "The best prediction is the one with the best expected value, the mean over all "
    "possible truths.",
    "measure_b": "The best prediction by another measure.",
}


def one_instance(newer: StartingPoint | None) -> None:
    """Draw this view. `newer` is the source if you changed it in the Explorer."""
    if newer is not None:
        words, place = st.columns([4, 1], vertical_alignment="center")
        words.info(
            "You changed the hierarchy in the Explorer. These probabilities belong to the old one."
        )
        take = partial(begin, newer)
        with place:
            button("Take the new one", key="prob_take", action=take, width="stretch")
    of = Analysis(model())
    st.header("Which prediction is best for this measure?")
    choice, answer = stacking_columns("probabilities_question", [5, 6], gap="medium")
    with choice:
        _choose_measure("Measure", "measure_a")
    with answer, st.container(key="probabilities_answer"):
        _optimum(of, "measure_a")
    tree, more = stacking_columns("probabilities_tree", [5, 6], gap="medium")
    with tree:
        _tree(of)
    with more:
        _oddities(of)
        for label, name, draw in (
            ("All predictions ranked, next to another measure", "ranking", _all_predictions),
            ("Predictions by a rule, with their values", "rule", _rule),
            ("Curves over all thresholds", "curves", _charts),
            ("The probabilities as numbers", "numbers", _numbers),
        ):
            part = unfolded(label, name)
            if part.open:
                with part:
                    draw(of)
        _published(of)


# --- the best prediction, and all others ----------------------------------------------------------


def _choose_measure(label: str, name: str) -> None:
    choose(
        label,
        CATALOGUE,
        f"what.{name}",
        format_func=lambda key: f"{CATALOGUE[key].name} ({key})",
        help=MEASURE_HELP[name],
    )


def _optimum(of: Analysis, which: str) -> Optimum | None:
    """Show the best prediction for a measure with its justification."""
    optimum = of.optimum(getattr(of.at.what, which))
    if isinstance(optimum, str):
        st.info(f"{escaped(optimum)}.")
        return None
    best, form = optimum.best, optimum.closed_form
    also = "".join(f" or {escaped(braces(of.h, t.candidate.classes))}" for t in optimum.ties[1:3])
    tau = (
        f"τ {range_words(best.candidate.thresholds)}"
        if best.candidate.thresholds
        else "no threshold gives it"
    )
    classes = escaped(braces(of.h, best.candidate.classes))
    st.markdown(
        f"Best **{classes}**{also}, expected **{best.value:.3f}**, {tau}",
        help=markdown_text(optimum.measure.description),
    )
    assert of.searched[1] is not None
    words, proof = f"Of {len(optimum.alternatives)} candidates: {of.searched[1].space}.", None
    if form is None:
        words += " No closed form is known."
    else:
        proof = f"{markdown_text(form.statement)} {markdown_text(form.condition)} ({markdown_text(form.source)})"
        known = f"Closed form: {markdown_text(form.source.partition(',')[0])}."
        words += f" {known if form.applies else f'The closed form does not apply: {escaped(form.why_not)}.'}"
    st.caption(words, help=proof)
    return optimum


def range_words(r: ThresholdRange | None) -> str:
    """Return a range of thresholds, or a dash if it is empty."""
    return f"{r.low:.3g}–{r.high:.3g}" if r else "–"


def _all_predictions(of: Analysis) -> None:
    """Draw the best prediction by another measure, the ranking, and the events behind the chosen
    one.
    """
    main = of.optimum(of.at.what.measure_a)
    if isinstance(main, str):
        st.info("There is no ranking without a best prediction.")
        return
    _choose_measure("Next to it", "measure_b")
    other = _optimum(of, "measure_b")
    shown = [main] if other is None or other.measure.key == main.measure.key else [main, other]
    ranked = [{a.candidate.classes: a for a in optimum.alternatives} for optimum in shown]
    rows = []
    for classes, a in ranked[0].items():
        tags = ["now"] if classes == of.prediction.classes else []
        tags += [
            f"best {o.measure.key}"
            for o in shown
            if classes in {t.candidate.classes for t in o.ties}
        ]
        row: dict[str, Any] = {
            "rank": a.rank,
            "prediction": braces(of.h, classes),
            "what it is": " · ".join(tags),
        }
        row |= {main.measure.key: a.value, "worse by": a.regret}
        for optimum, alternatives in zip(shown[1:], ranked[1:], strict=True):
            key, beside = optimum.measure.key, alternatives[classes]
            row |= {key: beside.value, f"rank by {key}": beside.rank}
        rows.append(row | {"thresholds": range_words(a.candidate.thresholds)})
    text = st.column_config.TextColumn
    columns = {
        "rank": st.column_config.NumberColumn(width=44),
        "prediction": text(width=110),
        "what it is": text(
            width=100, help="now: your current prediction. best: the optimum of a measure."
        ),
        "worse by": decimals(f"How much worse its expected {main.measure.name} is than the best."),
        "thresholds": text(
            "τ", help="The thresholds that give this prediction. –: no threshold does."
        ),
    }
    for m in (optimum.measure for optimum in shown):
        columns[m.key] = decimals(f"Expected {m.name}, {m.better} is better.", f"E[{m.key}]")
    chosen = show_table(pd.DataFrame(rows), "ranking", rows=9, select=True, column_config=columns)
    if why := of.searched[2]:
        st.caption(escaped(why))
    _evidence(of, of.prediction.classes if chosen is None else list(ranked[0])[chosen])


def _evidence(of: Analysis, classes: frozenset[str]) -> None:
    """Show what each possible truth adds to the expected values of a prediction."""
    d = of.distribution
    assert d is not None
    measures = [
        CATALOGUE[key] for key in dict.fromkeys((of.at.what.measure_a, of.at.what.measure_b))
    ]
    values = expected_values(d, classes, measures, of.at.what.labels, of.options)
    frame = {
        "if true": [braces(of.h, e.classes) for e in d.events],
        "probability": [e.probability for e in d.events],
    }
    columns = {"probability": decimals("The probability of this truth.", "P")}
    for m in measures:
        frame[m.key] = [value for _, value in values[m.key].rows]
        columns[m.key] = decimals(f"{m.name} if this is true.", m.key)
    show_table(pd.DataFrame(frame), "events", rows=6, column_config=columns)
    ordered = sorted(classes, key=of.h.index)
    names = ", ".join(latex_text(c, 16) for c in ordered[:4]) + (
        r", \dots" if len(ordered) > 4 else ""
    )
    predicted = rf"\{{{names}\}}" if ordered else r"\text{nothing}"
    for m in measures:
        st.html(formula(rf"\mathbb{{E}}[{m.symbol} \mid {predicted}] = {values[m.key].latex}"))
    st.caption(
        "Select a row of the ranking to see another prediction.", help=markdown_text(d.assumption)
    )


# --- a rule and its values ------------------------------------------------------------------------


def _rule(of: Analysis) -> None:
    choose_rule(PROBABILITIES, "how", parts.PREFIX, of.h, BEST_NAMES)
    _values(of)


def _values(of: Analysis) -> None:
    """Draw each listed measure with its direction, expected value and realised value."""
    listed, truth = list(of.at.what.listed), f"if {braces(of.h, frozenset(of.at.truth))} true"
    expected = dict.fromkeys(listed, math.nan)
    if of.distribution is None:
        st.caption(escaped(f"No expected values: {of.searched[2]}."))
        listed = listed if of.truth else []
    else:
        events = len(of.distribution.events)
        slow = (
            [k for k in listed if CATALOGUE[k].family in SLOW_FAMILIES]
            if events > MANY_EVENTS
            else []
        )
        if slow:
            words = f"the expected {', '.join(slow)} would take too long and is left out."
            st.caption(escaped(f"Over {events:,} possible truths, {words}"))
        quick = [CATALOGUE[k] for k in listed if k not in slow]
        made = expected_values(
            of.distribution, of.prediction.classes, quick, of.at.what.labels, of.options
        )
        expected |= {key: found.value for key, found in made.items()}
    if not listed:
        return
    realised = of.realised if of.truth else dict.fromkeys(listed, math.nan)
    rows = [(f"{k} {ARROWS[CATALOGUE[k].better]}", expected[k], realised[k]) for k in listed]
    truth = truth if of.truth else "no truth chosen"
    predicted = braces(of.h, of.prediction.classes)
    st.markdown(
        f"Predicted **{escaped(predicted)}**",
        help="Expected: the mean over all possible truths, weighted by their probabilities. "
        f"Realised: the value if the chosen truth is true. {ABOUT_ARROWS}",
    )
    columns = {
        "expected": decimals("The mean over all possible truths.", "expected"),
        truth: decimals("The value if the chosen truth is true.", truth),
    }
    show_table(
        pd.DataFrame(rows, columns=["Measure", *columns]), "values", rows=8, column_config=columns
    )


# --- curves ---------------------------------------------------------------------------------------


def _charts(of: Analysis) -> None:
    setting(st.multiselect, "truth")(
        "Truth",
        of.h.nodes[1:],
        placeholder="none chosen",
        help="The true classes of this instance, for realised values and the curve. Ancestors "
        "are added. You can also click classes in the tree.",
    )
    left, right = st.columns(2, gap="small")
    with left:
        _precision_recall(of)
    with right:
        _over_thresholds(of)


def _precision_recall(of: Analysis) -> None:
    if of.curve is None:
        st.markdown("**Precision and recall**")
        st.info("Choose a truth, above or by a click on a class, to see its curve.")
        return
    st.markdown(
        f"Area under the curve **{of.curve.area:.3f}**",
        help="Hierarchical precision and recall of this instance over "
        "all thresholds. The box is the prediction. " + markdown_text(of.curve.sentence),
    )
    predicted = frozenset(a for c in of.prediction.classes for a in of.h.up(c))
    predicted = predicted if of.h.root in of.curve.true else predicted - {of.h.root}
    shared = len(predicted & of.curve.true)
    here = shared / len(of.curve.true), shared / len(predicted) if predicted else 1.0
    figure = plot_curves(of.curve, predicted=here, dark=dark())
    points = [(p.low, p.high, p.recall, p.precision, p.f1) for p in of.curve.points]
    table = pd.DataFrame(points, columns=["above", "up to", "recall", "precision", "hF"])
    chart(figure, key="curve", data=lambda: table, height=205, config=STILL)


def _over_thresholds(of: Analysis) -> None:
    """Draw the chosen measure over thresholds, both expected and for the chosen truth."""
    measure, sweep = of.at.what.measure_a, of.sweep
    best = ""
    if isinstance(sweep, Optimum):
        best = f", best **{range_words(sweep.best_threshold)}**"
    st.markdown(
        f"{escaped(spoken(measure))} over τ{best}",
        help="The measure over all thresholds τ, expected and for the chosen truth. Bold: the "
        "best thresholds. They depend on the instance (Plaud et al. 2024, Appendix B.1.2).",
    )
    if isinstance(sweep, str):
        st.caption(escaped(f"No expected values: {sweep}."))
    tau = of.at.how.at if of.at.how.rule == "threshold" else None
    figure = plot_thresholds(of.steps, measure, threshold=tau, dark=dark())
    rows = [(name, *step) for name, steps in of.steps.items() for step in steps]
    table = pd.DataFrame(rows, columns=["value", "above", "up to", measure])
    chart(figure, key="thresholds", data=lambda: table, height=205, config=STILL)


# --- the probabilities, and edits of them ---------------------------------------------------------


def _tree(of: Analysis) -> None:
    tau = of.at.how.at if of.at.how.rule in ("threshold", "top_down_threshold") else None
    data, folded = parts.tree_drawing(
        of.p, frozenset(of.at.truth), of.prediction.ends, tau=tau, found=of.coherence
    )
    parts.show_tree(data, _used)
    if folded:
        st.caption(
            f"{folded} classes far from the predicted and true ones are not drawn. They count in "
            f"every value."
        )
    st.markdown(escaped(of.prediction.sentence))
    st.caption(f"Rule: {markdown_text(of.rule_source)}.")
    _remarks(of, typed=False)
    at = of.at
    undoable = at.history is not None and bool(at.history.past)
    if undoable or at.edited:
        with st.container(horizontal=True, gap="small"):
            button("Undo", key="prob_undo", action=undo, keys="Ctrl+Z", disabled=not undoable)
            button(
                "Reset",
                key="prob_reset",
                action=partial(begin, at.origin),
                disabled=not at.edited,
                help="Undo all your changes.",
            )
    if at.origin.words and not at.edited:
        st.caption(escaped(at.origin.words))


def _remarks(of: Analysis, *, typed: bool) -> None:
    for line in of.at.editing.remarks if of.at.editing.typed == typed else ():
        st.error(escaped(line))


def _oddities(of: Analysis) -> None:
    """Warn about incoherent probabilities, which stay unchanged."""
    grave = [finding.sentence for finding in of.coherence.grave]
    stopping = of.coherence.stopping
    if grave:
        st.warning(
            escaped(f"Incoherent: {write_list(grave, 3, mark='; ')}.")
            + " The numbers are used as they are. "
            "“Renormalise siblings” scales the children of each class to add up to its "
            "probability."
        )
        _renormalise("prob_renormalise_here", of)
    elif of.distribution is None:
        st.warning(escaped(f"No expected values: {of.searched[2]}."))
    elif stopping:
        which = write_list([s.sentence for s in stopping], 2, mark="; ")
        st.caption(escaped(f"{which}: a path may end there."))
    for note in of.p.notes:
        st.caption(escaped(note))


def _numbers(of: Analysis) -> None:
    classes, given = of.h.nodes[1:], of.p.given_parents
    columns = {
        "Class": classes,
        "P": [of.p[c] for c in classes],
        "given parent": [given[c] for c in classes],
    }
    frame = pd.DataFrame(columns)
    st.container(key="probabilities_safe").data_editor(
        frame,
        key=_editor_key(),
        hide_index=True,
        disabled=["Class", "given parent"],
        row_height=parts.ROW,
        height=parts.height(frame, 9),
        alt="Probabilities of the classes",
        column_config={
            "P": decimals("The probability of the class, from 0 to 1. Type to change it.", "P"),
            "given parent": decimals(
                "The probability of the class if its parent is true: its own probability divided "
                "by its parent's.",
                "P | parent",
            ),
        },
    )
    _remarks(of, typed=True)
    setting(st.toggle, "editing.share")(
        "Siblings share the rest",
        disabled=not of.h.is_tree,
        help="An edited class keeps its new probability. Its siblings share the rest of their "
        "parent's probability in their old proportion, and the classes below are scaled too. "
        "Switch this off to change only one number. It needs a tree.",
    )
    _renormalise("prob_renormalise", of)


def _renormalise(key: str, of: Analysis) -> None:
    button(
        "Renormalise siblings",
        key=key,
        action=lambda: lay_out(model().probabilities.renormalised()),
        disabled=not of.h.is_tree,
        help="Scales the children of every class so that they add up to its probability.",
    )


def _editor_key() -> str:
    return f"{parts.PREFIX}table_{model().editing.turn}"


def follow_typing() -> None:
    """Apply numbers typed into the table. Invalid numbers stay there with a message."""
    after, remarks = model().probabilities, []
    rows = st.session_state.get(_editor_key(), {}).get("edited_rows", {})
    numbers = {
        after.hierarchy.nodes[int(i) + 1]: cells["P"]
        for i, cells in sorted(rows.items())
        if "P" in cells
    }
    for label, number in numbers.items():
        after, refused, reduced = edited(after, label, number, model().editing.share)
        remarks.append((refused, reduced))
    if any(refused for refused, _ in remarks):
        lines = [line for side in zip(*remarks, strict=True) for line in side if line]
        change(editing=replace(model().editing, remarks=tuple(lines), typed=True))
    elif numbers:
        lay_out(after, *(reduced for _, reduced in remarks if reduced), typed=True)


def _used(value: Mapping[str, Any]) -> None:
    """Apply a moved bar, or a click on a class.

    The clicked class becomes the truth or a part of it. A second click removes it.
    """
    label, at = str(value.get("label")), model()
    if label not in at.probabilities.hierarchy.nodes[1:]:
        return
    if value.get("kind") == "edit":
        after, refused, reduced = edited(
            at.probabilities, label, value.get("value"), at.editing.share
        )
        if not refused:
            lay_out(after, *filter(None, [reduced]))
    elif label in at.truth:
        change(truth=tuple(c for c in at.truth if c != label))
    else:
        change(truth=(label,) if at.what.reading == "single_path" else (*at.truth, label))


# --- published values -----------------------------------------------------------------------------


def _published(of: Analysis) -> None:
    """Show the paper's numbers about the figure next to ours."""
    cases = of.at.origin.cases
    keys = {case.key for case in cases}
    cells = [
        cell
        for cell in _checked(tuple(sorted({case.paper for case in cases})))
        if cell.case in keys
    ]
    if not cells:
        return
    counts = Counts.of(cells).in_words
    before = " before your edits" if of.at.edited else ""
    part = unfolded(
        f"Published about this figure{before}: {counts} of {len(cells)} values", "published"
    )
    if part.open:
        with part:
            rows = [
                (c.source, c.quantity, c.printed, c.ours_text, STATUS_NAMES[c.status])
                for c in cells
            ]
            table = pd.DataFrame(rows, columns=["where", "quantity", "printed", "ours", "status"])
            show_table(table, "published", rows=10)
            for cell in cells:
                if cell.explanation:
                    st.caption(escaped(f"{cell.quantity}: {cell.explanation}"))


@st.cache_resource(show_spinner=False)
def _checked(papers: tuple[str, ...]) -> tuple[CheckedCell, ...]:
    return tuple(cell for paper in papers for cell in verify(paper=paper).cells)
