"""Scores on the page Compare: the decision rule, the best thresholds of a measure, values that need
no threshold, and one instance.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.app.binding import button, changing
from hiermeasures.app.components import STILL, chart, dark, show_panel, stacking_columns
from hiermeasures.app.job import Progress, follow
from hiermeasures.app.probabilities.model import ScoredInstances
from hiermeasures.app.probabilities.rule import choose_rule
from hiermeasures.app.probabilities.view import draw_instance
from hiermeasures.app.systems.data import Evaluation
from hiermeasures.app.systems.form import SYSTEMS, choice
from hiermeasures.app.systems.instances import measure_title
from hiermeasures.draw.panel import Column, PanelTable, Row, Text
from hiermeasures.draw.text import decimals, escaped, sentence
from hiermeasures.evaluation.plots import plot_sweep
from hiermeasures.evaluation.scores import (
    ScoredReport,
    ThresholdChoice,
    choose_threshold,
    scored_report,
)
from hiermeasures.evaluation.scores.systems import ScoredSystem
from hiermeasures.evaluation.scores.threshold import RULES_WITH_THRESHOLD
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.own import spoken

THRESHOLDS, ONE_INSTANCE = "Thresholds", "One instance"


@dataclass(frozen=True)
class SweepRequest:
    """A search for the best thresholds of a measure, with everything that they depend on."""

    measure: str
    rule: str
    paths: str
    average: Any
    options: Options
    scored: Mapping[str, ScoredSystem]


@dataclass(frozen=True, eq=False)
class Sweep:
    """The tried thresholds of each system, and the values that need no threshold."""

    asked: SweepRequest
    choices: Mapping[str, ThresholdChoice]
    values: Mapping[str, ScoredReport]


def choose_decision(evaluation: Evaluation) -> None:
    """Draw the fields of the rule that turns scores into labels."""
    choose_rule(SYSTEMS, "wanted.decision", "systems_", evaluation.hierarchy)


def follow_sweep(evaluation: Evaluation) -> None:
    """Start the search for the best thresholds, unless it has a result."""
    asked = _request(evaluation)
    known = SYSTEMS.value.swept
    work = partial(_sweep, evaluation, asked, known)
    follow(SYSTEMS, "sweep", asked, known and known.asked, work)


def _request(evaluation: Evaluation) -> SweepRequest:
    at, decision = evaluation.asked, evaluation.asked.decision
    rule = decision.rule if decision.rule in RULES_WITH_THRESHOLD else "threshold"
    paths = decision.paths if rule == "top_down_threshold" else ""
    tuned = SYSTEMS.value.tuned
    return SweepRequest(
        measure=tuned,
        rule=rule,
        paths=paths,
        average=at.average,
        options=at.options,
        scored=evaluation.scored,
    )


def _sweep(
    evaluation: Evaluation, asked: SweepRequest, known: Sweep | None, report: Progress
) -> Sweep:
    choices, values = {}, {}
    of_rule: dict[str, Any] = {"paths": asked.paths} if asked.paths else {}
    for number, (name, system) in enumerate(asked.scored.items()):
        table, true = system.match(evaluation.systems.true)

        def watch(done: int, total: int, number: int = number) -> None:
            count = total * len(asked.scored)
            report("Trying thresholds; instances", number * total + done, count)

        choices[name] = choose_threshold(
            table,
            true,
            asked.measure,
            rule=asked.rule,
            average=asked.average,
            options=asked.options,
            progress=watch,
            **of_rule,
        )
        if known is not None and known.asked.scored == asked.scored:
            values[name] = known.values[name]
        else:
            names = [true.classes(table.hierarchy, k) for k in range(len(true))]
            values[name] = scored_report(table, names)
    return Sweep(asked, choices, values)


def show_thresholds(evaluation: Evaluation) -> None:
    """Draw the view "Thresholds"."""
    measures = list(dict.fromkeys([*evaluation.measures, *CATALOGUE]))
    choice(
        "Measure", measures, "tuned", width=330, format_func=measure_title,
        help="For each system: the threshold at which this measure is best."
    )  # fmt: skip
    found = SYSTEMS.value.swept
    if found is None or found.asked != _request(evaluation):
        st.caption("The values appear here after all thresholds are tried.")
        return
    left, right = stacking_columns("systems_thresholds", 2, gap="medium")
    with left:
        _curves(found, evaluation.asked.decision.at)
        _best(found)
    with right:
        _values(found)


def _curves(found: Sweep, at: float) -> None:
    st.header(f"{escaped(spoken(found.asked.measure))} over thresholds")
    figure = plot_sweep(found.choices, threshold=at, dark=dark())
    chart(figure, key="systems_sweep", data=partial(_sweep_table, found), config=STILL)


def _sweep_table(found: Sweep) -> pd.DataFrame:
    """Return a row for each threshold, with the value of each system."""
    first = next(iter(found.choices.values()))
    values = {name: each.values for name, each in found.choices.items()}
    return pd.DataFrame({"threshold": first.thresholds, **values})


def _best(found: Sweep) -> None:
    """Draw the best threshold of each system, with a button that uses it for all systems."""
    measure = found.asked.measure
    rows = tuple(
        Row((name, f"{best.at:g}", decimals(best.value, 4))) for name, best in found.choices.items()
    )
    columns = (
        Column("System"),
        Column("best threshold", "number", "The lowest one with the best value, of 0, 0.01, …, 1."),
        Column(f"{spoken(measure)} there", "number", "The value on these data."),
    )
    show_panel(PanelTable("The best thresholds", columns, rows), key="systems_best_thresholds")
    with st.container(horizontal=True, gap="small"):
        for name, best in found.choices.items():
            button(
                f"Use {best.at:g}" + f", of {escaped(name)}" * (len(found.choices) > 1),
                key=f"systems_use|{name}",
                action=partial(_use, best),
            )
    notes = [f"{name}: {note}." for name, best in found.choices.items() for note in best.notes]
    for note in notes:
        st.caption(escaped(note))
    st.caption(
        "Choose a threshold on validation data: load them, use the best threshold, then load the "
        "test data. If you choose it on the test data, the result looks better than your system is."
    )


def _use(best: ThresholdChoice) -> None:
    now = SYSTEMS.value.wanted.decision
    changing(SYSTEMS, "wanted.decision")(replace(now, rule=best.rule, at=best.at))


def _values(found: Sweep) -> None:
    """Draw the values that need no threshold."""
    st.header("Values without a threshold", help="The values of the command hiermeasures curves.")
    first = next(iter(found.values.values()))
    names = list(dict.fromkeys(key for each in found.values.values() for key in each.values))
    columns = (Column("Value"), *(Column(name, "number") for name in found.values))
    rows = tuple(
        Row(
            (
                Text(key, says=first.words.get(key, "")),
                *(decimals(each.values.get(key, math.nan), 4) for each in found.values.values()),
            )
        )
        for key in names
    )
    show_panel(
        PanelTable("Values without a threshold", columns, rows, wide=True), key="systems_areas"
    )
    for name, each in found.values.items():
        if each.notes:
            words = " ".join(map(sentence, each.notes))
            st.caption(escaped(f"{name}: {words}"))


def show_instance(evaluation: Evaluation | None) -> None:
    """Draw the view "One instance", with the files' instances. Without files, show a figure."""
    if evaluation is None or not evaluation.scored:
        draw_instance()
        return
    files, systems = (evaluation.whole or evaluation).scored, evaluation.systems
    ids = next(iter(systems.ids.values()))
    options = evaluation.asked.options
    draw_instance(ScoredInstances.of(files, evaluation.scored, ids, systems.true, options))
