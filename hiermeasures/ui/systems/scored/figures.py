"""The curves of scored terms, as plotly figures made from a ScoredEvaluation. Nothing is computed but places on the
paper.

A system has its colour, dashes and marker, as in the page's other drawings.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hiermeasures.ui.palette import DARK, LIGHT
from hiermeasures.ui.systems.figures import DASHES, LINES, MARKERS, figure_text, ink, shortened
from hiermeasures.ui.systems.scored.data import Point, ScoredEvaluation

GREY = "rgba(128,136,145,0.55)"  # of iso-F and iso-S lines
HEIGHT = 470
EDGE = 0.03  # of the length of an axis is below 0, so that marks on the other axis are whole
RINGS = 5  # about how many iso-S lines there are
MOST = 3.0  # times as high as it is wide, a chart of ru and mi is at first
KEPT: dict[str, Any] = {f"{part}selected": {"marker": {"opacity": 1}} for part in ("", "un")}  # a click fades nothing


def precision_recall(evaluation: ScoredEvaluation, at: Point, dark: bool = False) -> go.Figure:
    """Precision over recall of every system in a namespace, with iso-F lines and the best thresholds."""
    figure = go.Figure()
    for f in np.arange(1, 10) / 10:
        recall = np.linspace(f / (2 - f), 1, 60)
        _iso(figure, recall, f * recall / (2 * recall - f))
        _note(figure, 1.01, f / (2 - f), f"F {f:.1f}", xanchor="left")
    weighted = ", weighted" if at.weighted else ""
    figure.update_xaxes(title=f"recall{weighted}", range=[-EDGE, 1.1], tickvals=np.arange(6) / 5)
    figure.update_yaxes(title=f"precision{weighted}", range=[-EDGE, 1.04], tickvals=np.arange(6) / 5)
    _curves(figure, evaluation, at, ("rc", "pr"), "F_max", dark)
    return _laid_out(figure)


def uncertainty_misinformation(evaluation: ScoredEvaluation, at: Point, dark: bool = False) -> go.Figure:
    """Misinformation over remaining uncertainty of every system in a namespace, with iso-S lines and the best
    thresholds. Low thresholds bring much misinformation; they lie above what is shown at first.
    """
    figure, (across, up) = go.Figure(), _ends(evaluation, at)
    turn = np.linspace(0, np.pi / 2, 60)
    step = _round(across / RINGS)
    for radius in np.arange(step, np.hypot(across, up), step):
        _iso(figure, radius * np.cos(turn), radius * np.sin(turn))
        if radius < across:
            _note(figure, radius, 0, f"S {radius:.3g}", xanchor="right", yanchor="bottom")
    unit = "bits" if at.weighted else "terms"
    figure.update_xaxes(title=f"remaining uncertainty (ru), {unit}", range=[-EDGE * across, across])
    figure.update_yaxes(title=f"misinformation (mi), {unit}", range=[-2 * EDGE * up, up])
    _curves(figure, evaluation, at, ("ru", "mi"), "S_min", dark)
    return _laid_out(figure)


def words(system: str, row: Mapping[Any, Any], weighted: bool) -> str:
    """What is said under the mouse of a system's stretch of thresholds."""
    end = "_w" if weighted else ""
    value = {key: row[key + end] for key in ("pr", "rc", "f", "ru", "mi", "s", "cov")}
    tau = f"{row['tau']:g}" + f" to {row['to']:g}" * (row["to"] > row["tau"])
    return (
        f"<b>{figure_text(shortened(system))}</b>, τ {tau}<br>"
        f"precision {value['pr']:.4f}, recall {value['rc']:.4f}, F {value['f']:.4f}<br>"
        f"ru {value['ru']:.4f}, mi {value['mi']:.4f}, S {value['s']:.4f}<br>"
        f"{value['cov']:.0%} of the targets have a prediction<br><i>click: these targets</i>"
    )


def stretches(rows: pd.DataFrame, end: str) -> pd.DataFrame:
    """A row for all thresholds in a row between which nothing changes: that of the first, and the last in `to`."""
    values = rows[[f"{key}{end}" for key in ("pr", "rc", "mi", "ru", "cov")]].to_numpy()
    begins = np.flatnonzero(np.r_[True, (np.diff(values, axis=0) != 0).any(axis=1)])
    ends = np.r_[begins[1:], len(rows)] - 1
    return rows.iloc[begins].assign(to=rows["tau"].to_numpy()[ends])


def _curves(
    figure: go.Figure, evaluation: ScoredEvaluation, at: Point, axes: tuple[str, str], value: str, dark: bool
) -> None:
    """A line for each system; above all lines a large mark at each best threshold, and a ring around the chosen
    point.
    """
    end = "_w" if at.weighted else ""
    marks: list[go.Scatter] = []
    for system in evaluation.systems(at.namespace):
        k = list(evaluation.files.systems).index(system)
        rows = stretches(evaluation.curve(system, at.namespace), end)
        colour, symbol = LINES[k % len(LINES)], MARKERS[k % len(MARKERS)]
        figure.add_trace(
            _points(
                k,
                system,
                rows,
                axes,
                at.weighted,
                mode="lines+markers",
                name=figure_text(shortened(system)),
                line={"color": colour, "width": 2, "dash": DASHES[(k // len(LINES)) % len(DASHES)]},
                marker={"size": 5, "symbol": symbol, "color": colour},
            )
        )
        best = rows[rows["tau"] == evaluation.best(system, at.namespace, value + end)]
        marks.append(
            _points(
                k,
                system,
                best,
                axes,
                at.weighted,
                mode="markers",
                showlegend=False,
                marker={"size": 13, "symbol": symbol, "color": colour, "line": {"color": ink(dark), "width": 1.5}},
            )
        )
    figure.add_traces(marks)
    _thresholds(figure, marks, dark)
    chosen = evaluation.curve(at.system, at.namespace)
    ring = {"size": 24, "symbol": "circle-open", "color": ink(dark), "line": {"width": 2}}
    here = chosen[np.isclose(chosen["tau"], at.tau)]
    across, up = (here[f"{axis}{end}"] for axis in axes)
    figure.add_scatter(x=across, y=up, mode="markers", showlegend=False, hoverinfo="skip", marker=ring, **KEPT)


def _points(
    number: int, system: str, rows: pd.DataFrame, axes: tuple[str, str], weighted: bool, **more: Any
) -> go.Scatter:
    """Stretches of thresholds of a system, of which each knows whose it is, and its first threshold, for a click."""
    x, y = (rows[f"{axis}_w" if weighted else axis] for axis in axes)
    return go.Scatter(
        x=x,
        y=y,
        customdata=[[number, tau] for tau in rows["tau"]],
        hovertext=[words(system, row, weighted) for row in rows.to_dict("records")],
        hovertemplate="%{hovertext}<extra></extra>",
        **KEPT,
        **more,
    )


def _ends(evaluation: ScoredEvaluation, at: Point) -> tuple[float, float]:
    """How far the axes of ru and mi go at first: as far as all of ru and each lowest S, and as the misinformation
    where F is best, but not much farther.
    """
    end = "_w" if at.weighted else ""
    reach, height = [], []
    for system in evaluation.systems(at.namespace):
        rows = evaluation.curve(system, at.namespace)
        best = rows["tau"] == evaluation.best(system, at.namespace, f"F_max{end}")
        reach += [rows[f"ru{end}"].max(), rows[f"s{end}"].min()]
        height.append(rows[f"mi{end}"][best].max())
    across = float(max(reach)) * 1.08 or 1.0
    return across, min(max(across, float(max(height)) * 1.08), MOST * across)


def _round(step: float) -> float:
    """About that much, as 1, 2 or 5 times a power of ten.

    >>> _round(0.13), _round(3.1), _round(8)
    (0.1, 5.0, 10.0)
    """
    power = 10.0 ** np.floor(np.log10(step))
    return next(float(round(m * power, 12)) for m in (1, 2, 5, 10) if m * power >= 0.7 * step)


def _iso(figure: go.Figure, x: np.ndarray, y: np.ndarray) -> None:
    line = {"color": GREY, "width": 1, "dash": "dot"}
    figure.add_scatter(x=x, y=y, mode="lines", line=line, showlegend=False, hoverinfo="skip")


def _note(figure: go.Figure, x: float, y: float, text: str, **more: str) -> None:
    figure.add_annotation(x=x, y=y, text=text, showarrow=False, font={"size": 11}, opacity=0.8, **more)


def _thresholds(figure: go.Figure, marks: Sequence[go.Scatter], dark: bool) -> None:
    """The best thresholds in words beside their marks: away from the nearest other mark, beside falling curves."""
    size = [np.ptp(axis.range) for axis in (figure.layout.xaxis, figure.layout.yaxis)]
    places = np.array([(mark.x[0], mark.y[0]) for mark in marks]) / size
    for k, mark in enumerate(marks):
        away = places[k] - np.delete(places, k, axis=0)
        nearest = away[np.hypot(*away.T).argmin(), 0] if len(away) else 0
        side = int(np.sign(nearest)) or (1, -1)[k % 2]
        figure.add_annotation(
            x=mark.x[0],
            y=mark.y[0],
            text=f"τ {mark.customdata[0][1]:g}",
            showarrow=False,
            xanchor="left" if side > 0 else "right",
            xshift=9 * side,
            yshift=13 * side,
            font={"size": 12},
            bgcolor=(DARK if dark else LIGHT).ground,
            borderpad=1,
            opacity=0.85,
        )


def _laid_out(figure: go.Figure) -> go.Figure:
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        hovermode="closest",
        hoverlabel={"align": "left"},
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "itemwidth": 40, "itemclick": False},
    )
    figure.update_xaxes(zeroline=False, showgrid=False, automargin=True)
    figure.update_yaxes(zeroline=False, showgrid=False, automargin=True)
    return figure


def chosen_point(points: Sequence[Mapping[str, Any]]) -> tuple[int, float] | None:
    """The number of the system and the threshold of a point that a person clicked on; None where there is none."""
    for point in points:
        found = np.ravel(point.get("customdata") or [])
        if len(found) == 2:
            return int(found[0]), float(found[1])
    return None
