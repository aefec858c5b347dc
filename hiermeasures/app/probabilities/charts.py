"""Charts of the Probabilities page. Lines are a grey that reads on light and dark grounds; orange,
as everywhere, is the prediction.
"""

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from hiermeasures.picture.palette import LIGHT
from hiermeasures.probabilities import Curve, FileSweep, InstanceAreas, MicroCurve, ThresholdRange, ThresholdSweep

GREY = "#808891"
SHADE = "rgba(128,136,145,0.16)"
HEIGHT = 205


def precision_recall(curve: Curve, here: tuple[float, float]) -> go.Figure:
    """The curve of one instance, its area shaded; the prediction (recall, precision) as a box."""
    points = curve.points
    figure = _figure("recall", "precision")
    figure.add_scatter(
        x=[p.recall for p in points],
        y=[p.precision for p in points],
        mode="lines+markers",
        name="thresholds",
        line={"color": GREY, "width": 2, "shape": "linear" if curve.interpolation == "trapezoid" else "vh"},
        marker={"size": 6, "color": GREY},
        fill="tozeroy",
        fillcolor=SHADE,
        showlegend=False,
        customdata=[[p.low if p.low > -math.inf else 0, p.high, p.f1] for p in points],
        hovertemplate="recall %{x}<br>precision %{y}<br>hF %{customdata[2]}<br>"
        "threshold %{customdata[0]} to %{customdata[1]}<extra></extra>",
    )
    figure.add_scatter(
        x=[here[0]],
        y=[here[1]],
        mode="markers",
        showlegend=False,
        cliponaxis=False,
        marker={"symbol": "square-open", "size": 14, "color": LIGHT.predicted, "line": {"width": 3}},
        hovertemplate="predicted now<br>recall %{x}<br>precision %{y}<extra></extra>",
    )
    return _ranges(figure, [-0.04, 1.06], [0, 1.06])


def over_thresholds(sweep: ThresholdSweep | None, curve: Curve | None, tau: float | None) -> go.Figure:
    """hF over thresholds: expected, and for the chosen truth; the best ranges are drawn bold."""
    figure = _figure("threshold τ", "hF")
    if sweep is not None:
        steps = [(s.thresholds, s.expected.value) for s in sweep.steps]
        _steps(figure, steps, [s.thresholds for s in sweep.best], name="expected", dash="solid")
    if curve is not None:
        realised = [(ThresholdRange(p.low, p.high), p.f1) for p in curve.points if p.low > -math.inf]
        _steps(figure, realised, [ThresholdRange(p.low, p.high) for p in curve.best], name="realised", dash="dot")
    if tau is not None:
        figure.add_vline(x=tau, line={"color": LIGHT.predicted, "width": 2})
    return _legend(_ranges(figure, [-0.02, 1.02], [0, 1.06]))


def micro(curve: MicroCurve) -> go.Figure:
    """Precision and recall of a file's summed counts."""
    thin = curve.thinned()
    figure = _figure("recall", "precision")
    figure.add_scatter(
        x=thin.recall,
        y=thin.precision,
        mode="lines",
        fill="tozeroy",
        fillcolor=SHADE,
        line={"color": GREY, "width": 2},
        customdata=thin.probability,
        hovertemplate="recall %{x}<br>precision %{y}<br>threshold %{customdata}<extra></extra>",
        showlegend=False,
    )
    return _ranges(figure, [0, 1.02], [0, 1.05])


def histogram(areas: InstanceAreas) -> go.Figure:
    """Return the numbers of instances by area; the mean as a line."""
    figure = _figure("area under the curve", "instances")
    counts, edges = np.histogram(areas.areas[~np.isnan(areas.areas)], bins=20, range=(0, 1))
    figure.add_bar(
        x=(edges[:-1] + edges[1:]) / 2,
        y=counts,
        marker={"color": GREY},
        showlegend=False,
        customdata=np.stack([edges[:-1], edges[1:]], axis=1),
        hovertemplate="area %{customdata[0]:.2f} to %{customdata[1]:.2f}<br>%{y} instances<extra></extra>",
    )
    figure.add_vline(
        x=areas.mean,
        line={"color": GREY, "width": 2, "dash": "dot"},
        annotation_text=f"mean {areas.mean:.3f}",
        annotation_position="top right" if areas.mean < 0.5 else "top left",  # where there is more room
        annotation_font_size=12,
    )
    figure.update_layout(bargap=0.06)
    figure.update_xaxes(range=[0, 1.001])
    return figure


def file_f1(sweep: FileSweep) -> go.Figure:
    """hF over one threshold for all: the mean over instances, and of the summed counts."""
    figure = _figure("one threshold for all", "hF")
    best = sweep.best
    _line(figure, sweep.thresholds, sweep.samples_f1, name="mean of instances", dash="solid")
    _line(figure, sweep.thresholds, sweep.micro_f1, name="summed counts", dash="dot")
    figure.add_scatter(
        x=[sweep.thresholds[best]],
        y=[sweep.samples_f1[best]],
        mode="markers",
        showlegend=False,
        marker={"symbol": "diamond", "size": 10, "color": GREY},
        hovertemplate="best threshold %{x}<br>hF %{y}<extra></extra>",
    )
    return _legend(_ranges(figure, [0, 1], [0, 1.05]))


def _line(figure: go.Figure, x: object, y: object, *, name: str, dash: str) -> None:
    figure.add_scatter(
        x=x,
        y=y,
        mode="lines",
        name=name,
        line={"color": GREY, "width": 2, "dash": dash},
        hovertemplate=f"{name}<br>threshold %{{x}}<br>hF %{{y}}<extra></extra>",
    )


def _steps(
    figure: go.Figure,
    steps: Sequence[tuple[ThresholdRange, float]],
    best: Sequence[ThresholdRange],
    *,
    name: str,
    dash: str,
) -> None:
    ordered = sorted(steps, key=lambda s: s[0].low)
    x = [end for r, _ in ordered for end in (r.low, r.high)]
    _line(figure, x, [value for _, value in ordered for _ in range(2)], name=name, dash=dash)
    for r in best:
        top = next(value for other, value in steps if other.low == r.low)
        figure.add_scatter(
            x=[r.low, r.high],
            y=[top, top],
            mode="lines",
            showlegend=False,
            line={"color": GREY, "width": 6},
            hovertemplate=f"best {name}: {top:.6g}<br>thresholds {r.low:g} to {r.high:g}<extra></extra>",
        )


def _figure(x: str, y: str) -> go.Figure:
    figure = go.Figure()
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 8, "r": 8, "t": 6, "b": 4},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hovermode="closest",
    )
    for axes, title in ((figure.update_xaxes, x), (figure.update_yaxes, y)):
        axes(
            title={"text": title, "font": {"size": 12}, "standoff": 4},
            tickfont={"size": 11},
            zeroline=False,
            automargin=True,
            dtick=0.25 if y != "instances" else None,
        )
    return figure


def _ranges(figure: go.Figure, x: list[float], y: list[float]) -> go.Figure:
    figure.update_xaxes(range=x)
    return figure.update_yaxes(range=y)


def _legend(figure: go.Figure) -> go.Figure:
    legend = {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom", "font": {"size": 11}, "itemwidth": 30}
    figure.update_layout(legend=legend, margin_t=24)
    return figure
