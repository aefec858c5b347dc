"""Plotly figures of the Systems page: comparisons, reports, and curves of scored terms. Only places
on the paper are computed here.

Names and classes are untrusted: plotly reads a little HTML in text, so every name goes through
`figure_text`. A system has the same colour, dashes and marker in all figures.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hiermeasures.app.systems.data import Point, ScoredEvaluation, decimals
from hiermeasures.compare import Comparison
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.measures.own import find_measure, spoken
from hiermeasures.picture.palette import DARK, LIGHT

# Brick to violet through the page's own ground: told apart with any colour vision, on light and
# dark pages, and unlike the colours of true, predicted and both.
LOW, MIDDLE, HIGH = (160, 60, 45, 0.55), (128, 128, 128, 0.07), (110, 60, 160, 0.55)
GROUND = "rgba(128,128,128,0.10)"
LINES = ("#9160C4", "#B4553F", "#C2407A", "#7C8390", "#9A76DA", "#A07A70", "#7A6BB8", "#C46F8D")
DASHES = ("solid", "dash", "dot", "dashdot")
MARKERS = ("circle", "square", "diamond", "triangle-up", "x", "star", "hexagon", "cross")
POINT = "#9160C4"
MOST_CELLS = 2000
ANGLES = [0, -45, -90]  # of names over columns: the first at which none lies on another
PLAIN = {"showgrid": False, "zeroline": False, "ticks": ""}
GREY = "rgba(128,136,145,0.55)"  # of iso-F and iso-S lines
HEIGHT = 470
EDGE = 0.03  # of the length of an axis is below 0, so that marks on the other axis are whole
RINGS = 5  # about how many iso-S lines there are
MOST = 3.0  # times as high as it is wide, a chart of ru and mi is at first
KEPT: dict[str, Any] = {f"{part}selected": {"marker": {"opacity": 1}} for part in ("", "un")}  # a click fades nothing


def figure_text(name: str, limit: int = 0) -> str:
    """A name in which plotly finds no tags and no formula; cut to `limit` characters where one is
    given.

    >>> figure_text("<b>x</b> & $y$"), figure_text("abcdefgh", 5)
    ('&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;', 'abcd…')
    """
    name = " ".join(name.split())
    if limit and len(name) > limit:
        name = name[: limit - 1] + "…"
    return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")


def shortened(name: str, limit: int = 28) -> str:
    """A long name with its beginning and its end, in which names of systems mostly differ.

    >>> shortened("large model, seed 17", limit=12)
    'large …ed 17'
    """
    return name if len(name) <= limit else f"{name[: limit // 2]}…{name[len(name) - (limit - 1) // 2 :]}"


def _look(system: int) -> dict[str, Any]:
    colour, dash = LINES[system % len(LINES)], DASHES[(system // len(LINES)) % len(DASHES)]
    marker = {"color": colour, "symbol": MARKERS[system % len(MARKERS)]}
    return {"mode": "lines+markers", "line": {"color": colour, "dash": dash}, "marker": marker}


def _laid_out(figure: go.Figure, height: int, **more: object) -> go.Figure:
    margin = {"l": 8, "r": 8, "t": 8, "b": 8}
    figure.update_layout(height=height, margin=margin, showlegend=False, hoverlabel={"align": "left"})
    figure.update_layout(**more)
    return figure


# --- measures -------------------------------------------------------------------------------------


def agreement(correlations: pd.DataFrame, dark: bool = False) -> go.Figure:
    """Kendall's tau-b between the measures' rankings as a heat map with its numbers."""
    keys = list(correlations.columns)
    names = list(map(spoken, keys))
    tau = correlations.to_numpy(float)
    titles = [find_measure(key).title for key in keys]
    none = "no tau-b: one of them ranks all systems equal"
    words = [
        [
            f"{a}<br>{b}<br>{none if value != value else f'tau-b {value:.4f}'}"
            for b, value in zip(titles, row, strict=True)
        ]
        for a, row in zip(titles, tau, strict=True)
    ]
    # Without a size the numbers are as large as the cells allow.
    figure = go.Figure(
        go.Heatmap(
            x=names,
            y=names,
            z=np.nan_to_num(tau),
            zmin=-1,
            zmax=1,
            colorscale=[[k / 2, _rgba(colour)] for k, colour in enumerate((LOW, MIDDLE, HIGH))],
            xgap=2,
            ygap=2,
            text=[list(map(decimals, row)) for row in tau.tolist()],
            texttemplate="%{text}",
            textfont={"color": (DARK if dark else LIGHT).ink},
            customdata=words,
            hovertemplate="%{customdata}<extra></extra>",
            showscale=False,
        )
    )
    figure.update_xaxes(side="top", autotickangles=ANGLES, **PLAIN)
    figure.update_yaxes(autorange="reversed", **PLAIN)
    return _laid_out(figure, max(320, 90 + 34 * len(keys)))


def _rgba(channels: Sequence[float]) -> str:
    red, green, blue, alpha = channels
    return f"rgba({red:.0f},{green:.0f},{blue:.0f},{alpha:.2f})"


def bumps(comparison: Comparison) -> go.Figure:
    """The systems' ranks across the measures, a line each. Ties lie side by side."""
    ranks, keys = comparison.ranks, list(comparison.ranks.columns)
    places = _side_by_side(comparison)
    figure = go.Figure()
    for k, system in enumerate(ranks.index):
        words = [
            f"{figure_text(str(system))}<br>{find_measure(key).title}<br>rank {comparison.rank(system, key) or '–'}, "
            f"value {comparison.scores.at[system, key]:.4f}"
            for key in keys
        ]
        figure.add_scatter(
            x=list(range(len(keys))),
            y=places.loc[system],
            text=words,
            hovertemplate="%{text}<extra></extra>",
            line_width=2.5,
            marker_size=10,
            cliponaxis=False,
            **_look(k),
        )
    lowest, height = (
        int(np.nanmax(comparison.ranks.to_numpy(float, na_value=np.nan), initial=1)),
        max(320, 90 + 34 * len(keys)),
    )
    for system, place in _apart(places[keys[-1]], gap=16 * (lowest + 0.2) / (height - 90)).items():
        figure.add_annotation(
            x=len(keys) - 1,
            y=place,
            text=figure_text(shortened(str(system))),
            hovertext=figure_text(str(system)),
            xanchor="left",
            xshift=12,
            showarrow=False,
            font={"size": 12},
        )
    figure.update_xaxes(
        side="top",
        tickvals=list(range(len(keys))),
        ticktext=list(map(spoken, keys)),
        autotickangles=ANGLES,
        showgrid=True,
        zeroline=False,
        range=[-0.3, len(keys) - 0.8],
    )
    figure.update_yaxes(range=[lowest + 0.6, 0.4], tickvals=list(range(1, lowest + 1)), title="rank", zeroline=False)
    longest = max(len(shortened(str(s))) for s in ranks.index)
    return _laid_out(figure, height, margin={"l": 8, "r": 24 + 7 * longest, "t": 8, "b": 8})


def _apart(places: pd.Series, gap: float) -> dict[str, float]:
    """Places of names at the ends of the lines, moved as little as keeps them `gap` apart."""
    ordered = places.sort_values(kind="stable")
    moved = np.maximum.accumulate(ordered.to_numpy() - gap * np.arange(len(ordered))) + gap * np.arange(len(ordered))
    return dict(zip(ordered.index, (moved - (moved - ordered.to_numpy()).mean()).tolist(), strict=True))


def _side_by_side(comparison: Comparison) -> pd.DataFrame:
    """Ranks as places; ties are moved apart a little, so that no line hides another."""
    table = comparison.ranks
    places = pd.DataFrame(table.to_numpy(float, na_value=np.nan), table.index, table.columns)
    for key, ranks in places.copy().items():
        order = comparison.scores[key].rank(method="first", ascending=find_measure(str(key)).better == "lower")
        tied, size = order.groupby(ranks).rank() - 1, ranks.groupby(ranks).transform("size")
        places[key] += np.minimum(0.16, 0.7 / size) * (tied - (size - 1) / 2)
    return places


# --- instances ------------------------------------------------------------------------------------


def spots(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """The distinct pairs of the values `first` and `second` with their count, and which of them
    each row has: nan if one is undefined.

    >>> spots(pd.DataFrame({"first": [1.0, 0.5, 1.0], "second": [0.0, 0.0, 0.0]}))[0]["count"].tolist()
    [1, 2]
    """
    pairs = table[["first", "second"]].round(9).groupby(["first", "second"])
    return pairs.size().reset_index(name="count"), pairs.ngroup()


def scatter(found: pd.DataFrame, first: str, second: str) -> go.Figure:
    """Every instance by two measures; the area of a spot says how many share it."""
    words = [
        f"{first} {x:.4f}<br>{second} {y:.4f}<br>{n:,} instance{'s' * (n != 1)}"
        for x, y, n in found.itertuples(index=False, name=None)
    ]
    size = 6 + 28 * np.sqrt(found["count"] / found["count"].max())
    figure = go.Figure(
        go.Scatter(
            x=found["first"],
            y=found["second"],
            mode="markers",
            customdata=found.index,
            text=words,
            hovertemplate="%{text}<br><i>click: list them</i><extra></extra>",
            marker={"size": size, "color": POINT, "opacity": 0.75, "line": {"width": 0}},
            selected={"marker": {"opacity": 0.95}},
            unselected={"marker": {"opacity": 0.18}},
        )
    )
    across, up = map(find_measure, (first, second))
    figure.update_xaxes(title=f"{across.title}, {across.better} is better", zeroline=False)
    figure.update_yaxes(title=f"{up.title}, {up.better} is better", zeroline=False)
    return _laid_out(figure, 430)


# --- classes --------------------------------------------------------------------------------------


def coloured_hierarchy(
    h: Hierarchy, values: Mapping[str, float], counts: Mapping[str, int], key: str, dark: bool = False
) -> tuple[go.Figure, str]:
    """The hierarchy as an icicle, its classes coloured by a value in 0…1; and a sentence on levels
    left out, or "".

    A class with several parents appears below each of them. Classes without a value are grey.
    """

    def words(label: str, value: float) -> str:
        name, count = figure_text(label, 80), counts.get(label, 0)
        if value != value:
            return f"{name}<br>neither true nor predicted of any instance"
        return f"{name}<br>{key} {value:.4f}<br>true of {count:,} instance{'s' * (count != 1)}"

    cells, note = _unfolded(h)
    names = [figure_text(path[-1]) for path in cells]
    known = [values.get(path[-1], float("nan")) for path in cells]
    identity = {path: str(k) for k, path in enumerate(cells)}
    figure = go.Figure(
        go.Icicle(
            ids=[identity[path] for path in cells],
            parents=[identity.get(path[:-1], "") for path in cells],
            labels=names,
            text=["" if v != v else f"{v:.2f}" for v in known],
            texttemplate="%{label}  <b>%{text}</b>",
            textposition="middle left",
            textfont={"size": 12, "color": (DARK if dark else LIGHT).ink},
            customdata=[words(path[-1], value) for path, value in zip(cells, known, strict=True)],
            hovertemplate="%{customdata}<extra></extra>",
            sort=False,
            tiling={"orientation": "h", "pad": 1},
            marker={"colors": [_shade(v) for v in known], "line": {"width": 0}},
            pathbar={"visible": False},
            maxdepth=4 if len(cells) <= 80 else 3,
        )
    )
    return _laid_out(figure, 600, uniformtext={"minsize": 9, "mode": "hide"}), note


def _shade(value: float) -> str:
    """The colour of a value in 0…1 on the way from brick through grey to violet."""
    if value != value:
        return GROUND
    return _rgba([np.interp(value, (0, 0.5, 1), ends) for ends in zip(LOW, MIDDLE, HIGH, strict=True)])


def _unfolded(h: Hierarchy) -> tuple[list[tuple[str, ...]], str]:
    """Paths from the root, level by level, as far as the drawing holds them; and a note on that."""
    cells: list[tuple[str, ...]] = []
    row: list[tuple[str, ...]] = [(h.root,)]
    while row and len(cells) + len(row) <= MOST_CELLS:
        cells += row
        row = [(*path, child) for path in row for child in h.children(path[-1])]
    note = (
        f"Drawn down to level {len(cells[-1]) - 1}: the levels below hold too many classes. The table has all of them."
    )
    return cells, note if row else ""


# --- scored terms ---------------------------------------------------------------------------------


def precision_recall(evaluation: ScoredEvaluation, at: Point, dark: bool = False) -> go.Figure:
    """Precision over recall of each system, with iso-F lines and the best thresholds."""
    figure = go.Figure()
    for f in np.arange(1, 10) / 10:
        recall = np.linspace(f / (2 - f), 1, 60)
        _iso(figure, recall, f * recall / (2 * recall - f))
        _note(figure, 1.01, f / (2 - f), f"F {f:.1f}", xanchor="left")
    weighted = ", weighted" if at.weighted else ""
    figure.update_xaxes(title=f"recall{weighted}", range=[-EDGE, 1.1], tickvals=np.arange(6) / 5)
    figure.update_yaxes(title=f"precision{weighted}", range=[-EDGE, 1.04], tickvals=np.arange(6) / 5)
    return _curves(figure, evaluation, at, axes=("rc", "pr"), value="F_max", dark=dark)


def uncertainty_misinformation(evaluation: ScoredEvaluation, at: Point, dark: bool = False) -> go.Figure:
    """Misinformation over remaining uncertainty of every system in a namespace, with iso-S lines
    and the best thresholds. Low thresholds bring much misinformation; they lie above what is shown
    at first: every ru, every lowest S, and the mi where F is best if that is not much farther.
    """
    end, across, up = at.end, 0.0, 0.0
    for system in evaluation.systems(at.namespace):
        rows = evaluation.curve(system, at.namespace)
        best = rows["tau"] == evaluation.best(system, at.namespace, f"F_max{end}")
        across = max(across, rows[f"ru{end}"].max(), rows[f"s{end}"].min())
        up = max(up, rows[f"mi{end}"][best].max())
    across = across * 1.08 or 1.0
    up = min(max(across, up * 1.08), MOST * across)
    figure, turn, step = go.Figure(), np.linspace(0, np.pi / 2, 60), _round(across / RINGS)
    for radius in np.arange(step, np.hypot(across, up), step):
        _iso(figure, radius * np.cos(turn), radius * np.sin(turn))
        if radius < across:
            _note(figure, radius, 0, f"S {radius:.3g}", xanchor="right", yanchor="bottom")
    unit = "bits" if at.weighted else "terms"
    figure.update_xaxes(title=f"remaining uncertainty (ru), {unit}", range=[-EDGE * across, across])
    figure.update_yaxes(title=f"misinformation (mi), {unit}", range=[-2 * EDGE * up, up])
    return _curves(figure, evaluation, at, axes=("ru", "mi"), value="S_min", dark=dark)


def _words(system: str, row: Mapping[Any, Any], end: str) -> str:
    """Return the text under the mouse for a system's stretch of thresholds."""
    value = {key: row[key + end] for key in ("pr", "rc", "f", "ru", "mi", "s", "cov")}
    tau = f"{row['tau']:g}" + f" to {row['to']:g}" * (row["to"] > row["tau"])
    return (
        f"<b>{figure_text(shortened(system))}</b>, τ {tau}<br>"
        f"precision {value['pr']:.4f}, recall {value['rc']:.4f}, F {value['f']:.4f}<br>"
        f"ru {value['ru']:.4f}, mi {value['mi']:.4f}, S {value['s']:.4f}<br>"
        f"{value['cov']:.0%} of the targets have a prediction<br><i>click: these targets</i>"
    )


def _stretches(rows: pd.DataFrame, end: str) -> pd.DataFrame:
    """A row for all thresholds between which nothing changes: the first, and the last in `to`."""
    values = rows[[f"{key}{end}" for key in ("pr", "rc", "mi", "ru", "cov")]].to_numpy()
    begins = np.flatnonzero(np.r_[True, (np.diff(values, axis=0) != 0).any(axis=1)])
    ends = np.r_[begins[1:], len(rows)] - 1
    return rows.iloc[begins].assign(to=rows["tau"].to_numpy()[ends])


def _curves(
    figure: go.Figure, evaluation: ScoredEvaluation, at: Point, *, axes: tuple[str, str], value: str, dark: bool
) -> go.Figure:
    """Draw a curve for each system, then a mark where its value is best, and a ring at the point."""
    tones, end = DARK if dark else LIGHT, at.end
    marks: list[go.Scatter] = []
    x, y = (f"{axis}{end}" for axis in axes)
    for system in evaluation.systems(at.namespace):
        k = list(evaluation.files.systems).index(system)
        rows = _stretches(evaluation.curve(system, at.namespace), end)
        best = rows[rows["tau"] == evaluation.best(system, at.namespace, value + end)]
        for part in (rows, best):
            trace = go.Scatter(
                x=part[x],
                y=part[y],
                customdata=[[k, tau] for tau in part["tau"]],  # data of a click
                hovertext=[_words(system, row, end) for row in part.to_dict("records")],
                hovertemplate="%{hovertext}<extra></extra>",
                name=figure_text(shortened(system)),
                **KEPT,
                **_look(k),
            )
            (marks.append if part is best else figure.add_trace)(trace)
        figure.data[-1].update(line_width=2, marker_size=5)
        marks[-1].update(
            mode="markers", showlegend=False, marker_size=13, marker_line={"color": tones.ink, "width": 1.5}
        )
    figure.add_traces(marks)
    sizes = [np.ptp(axis.range) for axis in (figure.layout.xaxis, figure.layout.yaxis)]
    places = np.array([(mark.x[0], mark.y[0]) for mark in marks]) / sizes
    for k, mark in enumerate(marks):  # its threshold stands on the side away from the nearest other mark
        away = places[k] - np.delete(places, k, axis=0)
        nearest = away[np.hypot(*away.T).argmin(), 0] if len(away) else 0
        side = int(np.sign(nearest)) or (1, -1)[k % 2]
        beside = {"xanchor": "left" if side > 0 else "right", "xshift": 9 * side, "yshift": 13 * side}
        _note(figure, mark.x[0], mark.y[0], f"τ {mark.customdata[0][1]:g}", bgcolor=tones.ground, borderpad=1, **beside)
    here = evaluation.curve(at.system, at.namespace)
    here = here[np.isclose(here["tau"], at.tau)]
    ring = {"size": 24, "symbol": "circle-open", "color": tones.ink, "line": {"width": 2}}
    figure.add_scatter(x=here[x], y=here[y], mode="markers", showlegend=False, hoverinfo="skip", marker=ring, **KEPT)
    legend = {"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "itemwidth": 40, "itemclick": False}
    for update in (figure.update_xaxes, figure.update_yaxes):
        update(zeroline=False, showgrid=False, automargin=True)
    return _laid_out(figure, HEIGHT, hovermode="closest", legend=legend, showlegend=None)


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


def _note(figure: go.Figure, x: float, y: float, text: str, **more: Any) -> None:
    figure.add_annotation(x=x, y=y, text=text, showarrow=False, font={"size": 11}, opacity=0.85, **more)
