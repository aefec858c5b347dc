"""The best values of scored terms, and their curves. They only draw; a click picks a threshold."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.ui.binding import bind
from hiermeasures.ui.chart import chart, dark
from hiermeasures.ui.columns import stacking_columns
from hiermeasures.ui.linked_table import Column, Row, Table, Text
from hiermeasures.ui.panel import show_panel
from hiermeasures.ui.systems.scored import figures
from hiermeasures.ui.systems.scored.data import Point, ScoredEvaluation
from hiermeasures.ui.systems.scored.model import ScoredModel, change
from hiermeasures.ui.systems.views import CHART
from hiermeasures.ui.text import escaped

VALUES = {
    "F_max": "The highest F over all thresholds; F is the harmonic mean of the mean precision and the mean recall.",
    "F_max_w": "The same with terms weighted by information.",
    "S_min": "The lowest √(mi² + ru²) over all thresholds, of the mean misinformation and remaining uncertainty.",
    "S_min_w": "The same with terms weighted by information.",
}


def best_values(evaluation: ScoredEvaluation, at: ScoredModel) -> None:
    """The best values of every system in every namespace; a row picks the best threshold of its system."""
    table, point = evaluation.best_values, at.point()
    assert point is not None
    several = len(evaluation.namespaces) > 1
    best = {
        (ns, key): table.xs(ns, level="ns")[key].agg("min" if key.startswith("S") else "max")
        for ns in evaluation.namespaces
        if len(evaluation.systems(ns)) > 1
        for key in VALUES
    }
    rows = []
    places = [(system, ns) for ns in evaluation.namespaces for system in evaluation.systems(ns)]
    for k, (system, ns) in enumerate(places):
        line = table.loc[(system, ns)]
        cells = (_value(line, key, strong=line[key] == best.get((ns, key))) for key in VALUES)
        names = (ns, system) if several else (system,)
        chosen = (system, ns) == (point.system, point.namespace)
        rows.append(Row((*names, *cells, f"{line['coverage']:.1%}"), key=str(k), chosen=chosen))
    columns = (
        *([Column("Namespace")] if several else []),
        Column("System"),
        *(Column(f"{key} {'↓' if key.startswith('S') else '↑'}", "number", says) for key, says in VALUES.items()),
        Column("coverage", "number", "The share of the targets that have a prediction at the lowest threshold."),
    )
    note = "Behind each value the lowest threshold that reaches it."
    if best:
        note += " The best of a namespace is framed."
    show_panel(
        Table("The best values of the systems", columns, tuple(rows), note, wide=True),
        key="scored_best",
        on_choose=lambda key: _look_at(*places[int(key)]),
    )


def _value(line: pd.Series, key: str, strong: bool) -> Text:
    return Text(f"{line[key]:.3f} at\u00a0{line[f'{key}_tau']:.2f}", strong=bool(strong), says=f"{line[key]:.6f}")


def _look_at(system: str, namespace: str) -> None:
    change(system=system, namespace=namespace, tau=None)


def curves(evaluation: ScoredEvaluation, point: Point) -> None:
    """Both curves of a namespace."""
    if len(evaluation.namespaces) > 1:
        bind(st.segmented_control, "scored_namespace", point.namespace, lambda ns: change(namespace=ns, tau=None))(
            "Namespace", evaluation.namespaces, required=True, format_func=escaped
        )
    left, right = stacking_columns("scored_curves", 2, gap="large")
    with left:
        st.header(
            "Precision and recall",
            help="A point per threshold. The large mark is the best F; dotted lines connect points of the same F.",
        )
        _chart(figures.precision_recall(evaluation, point, dark()), "pr", evaluation, point)
    with right:
        st.header(
            "Remaining uncertainty and misinformation",
            help="A point per threshold. The large mark is the lowest S, the distance from the corner; dotted lines "
            "connect points of the same S. Thresholds with more misinformation lie above the chart: drag the axis, or "
            "click twice to see all.",
        )
        _chart(figures.uncertainty_misinformation(evaluation, point, dark()), "rumi", evaluation, point)
    st.caption("A click on a point lists the targets behind it. The ring is the point that is listed.")


def _chart(figure: Any, name: str, evaluation: ScoredEvaluation, point: Point) -> None:
    key = f"scored_{name}|{id(evaluation)}|{point.namespace}|{point.weighted}"
    systems = list(evaluation.files.systems)
    chart(figure, key=key, on_select=partial(_pick, key, systems), selection_mode="points", config=CHART)


def _pick(key: str, systems: list[str]) -> None:
    found = figures.chosen_point(st.session_state[key]["selection"]["points"])
    if found is not None:
        change(system=systems[found[0]], tau=found[1])
