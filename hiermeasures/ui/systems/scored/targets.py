"""The targets behind a point of a curve, and the way from one of them to the Explorer. Which they are, and what their
terms are, data.py says.
"""

import streamlit as st

from hiermeasures.ui.binding import bind
from hiermeasures.ui.explore.model import Series, open_shown
from hiermeasures.ui.pages import switch_to
from hiermeasures.ui.state import Shown
from hiermeasures.ui.systems.scored.data import Point, ScoredEvaluation, TargetsAt
from hiermeasures.ui.systems.scored.model import change, model
from hiermeasures.ui.systems.views import ROWS, classes_in_words, first_shown, list_row, turn_pages
from hiermeasures.ui.text import escaped

MOST = 400  # so many targets are listed


def head(evaluation: ScoredEvaluation, point: Point) -> None:
    """Which point is looked at."""
    st.header(
        f"Targets of {escaped(point.system)} at τ = {point.tau:g}",
        help="S of a target is √(mi² + ru²) of this target alone.",
    )
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        systems = evaluation.systems(point.namespace)
        bind(st.selectbox, "scored_system", point.system, lambda system: change(system=system, tau=None))(
            "System", systems, width=260
        )
        bind(st.number_input, "scored_tau", point.tau, lambda tau: change(tau=round(tau, 10)))(
            "τ", 0.01, 0.99, step=0.01, format="%.2f", width=130, help="A term is predicted where its score ≥ τ."
        )
        end = "_w" if point.weighted else ""
        for value in (f"F_max{end}", f"S_min{end}"):
            best = evaluation.best(point.system, point.namespace, value)
            st.button(
                escaped(f"{value} at {best:g}"),
                key=f"scored_to_{value}",
                type="tertiary",
                disabled=best == point.tau,
                on_click=change,
                kwargs={"tau": best},
            )


@st.fragment
def listed() -> None:
    """The list, those with the largest error first. Turning its pages redraws only this."""
    at = model().targets
    if at is None:
        return
    _said(at)
    count = min(len(at.table), MOST)
    key = f"scored|{at.point}"
    start = first_shown(key, count)
    names = at.scored.space.targets
    with st.container(key="systems_list", gap="small"):
        list_row("**target**", "**true**", "**predicted**", "**mi**", "**ru**", "**S**")
        rows = at.table.iloc[start : start + ROWS]
        for place, row in enumerate(rows.itertuples(), start):
            sides = [classes_in_words(at.scored.space.hierarchy, side) for side in at.terms(row.number)]
            columns = list_row(None, *sides, *(f"{value:.2f}" for value in (row.mi, row.ru, row.s)))
            if columns[0].button(
                escaped(str(names[row.number])),
                key=f"scored_open_{row.number}",
                type="tertiary",
                help="Open this target in the Explorer",
            ):
                _open(at, place, count)
    turn_pages(key, start, count)


def _said(at: TargetsAt) -> None:
    more = len(at.table) - MOST
    words = "Largest S first; of terms above others only the lowest are named."
    if more > 0:
        words += f" {more:,} targets with a smaller S are not listed."
    if at.evaluation.protocol.propagation == "fill":
        words += " With “fill”, a term above a predicted one may be not predicted; the Explorer counts it all the same."
    st.caption(words)


def _open(at: TargetsAt, place: int, count: int) -> None:
    series = _series(at, count)
    open_shown(series.make(place), measures=("wF", "S") if at.point.weighted else ("hF", "S"), series=series)
    switch_to("explore")


def _series(at: TargetsAt, count: int) -> Series:
    """The list, to be gone through in the Explorer."""
    point = at.point
    ending = f" · {point.system}, τ {point.tau:g}"
    names = at.table.index[:count]
    places = {f"{name}{ending}": k for k, name in enumerate(names)}

    def make(place: int) -> Shown:
        return at.shown(int(at.table["number"].iloc[place]), f"{names[place]}{ending}")

    def place(shown: Shown) -> int | None:
        return places.get(shown.title) if shown.case is None else None

    return Series("target", f"largest S of {point.system} in {point.namespace} at τ {point.tau:g}", count, place, make)
