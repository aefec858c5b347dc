"""The best predictions, the ranking of all, the events behind a value, and what is published."""

from collections.abc import Iterable
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.app.probabilities.analysis import Analysis, braces, latex_set, range_words
from hiermeasures.app.probabilities.settings import choose, decimals, show_table, unfolded
from hiermeasures.app.widgets import stacking_columns
from hiermeasures.cases import CheckedCell, verify
from hiermeasures.core.errors import InputError
from hiermeasures.measures import CATALOGUE
from hiermeasures.picture.text import escaped, markdown_text
from hiermeasures.probabilities import Optimum, expected_value

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
