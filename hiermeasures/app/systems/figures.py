"""Plotly figures of the page Compare: comparisons and reports.

Only coordinates are computed here. Names and classes are untrusted, and plotly reads a little HTML
in text. So every name goes through `figure_text`. A system has the same colour, dashes and marker
in all figures.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from hiermeasures.app.systems.data import decimals
from hiermeasures.draw.palette import DARK, LIGHT
from hiermeasures.evaluation.compare import Comparison
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures.own import find_measure, spoken

# From brick through the page's background to violet. Readable with any colour vision, on light and
# dark pages, and unlike the colours of true, predicted and both.
LOW, MIDDLE, HIGH = (160, 60, 45, 0.55), (128, 128, 128, 0.07), (110, 60, 160, 0.55)
GROUND = "rgba(128,128,128,0.10)"
LINES = ("#9160C4", "#B4553F", "#C2407A", "#7C8390", "#9A76DA", "#A07A70", "#7A6BB8", "#C46F8D")
DASHES = ("solid", "dash", "dot", "dashdot")
MARKERS = ("circle", "square", "diamond", "triangle-up", "x", "star", "hexagon", "cross")
POINT = "#9160C4"
MOST_CELLS = 2000
ANGLES = [0, -45, -90]  # of names above columns; the first without overlaps is used
PLAIN = {"showgrid": False, "zeroline": False, "ticks": ""}


def figure_text(name: str, limit: int = 0) -> str:
    """Return a name without tags and formulas for plotly, cut to `limit` characters if given.

    >>> figure_text("<b>x</b> & $y$"), figure_text("abcdefgh", 5)
    ('&lt;b&gt;x&lt;/b&gt; &amp; &#36;y&#36;', 'abcd…')
    """
    name = " ".join(name.split())
    if limit and len(name) > limit:
        name = name[: limit - 1] + "…"
    return (
        name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("$", "&#36;")
    )


def shortened(name: str, limit: int = 28) -> str:
    """Return the beginning and end of a long name. Names of systems mostly differ there.

    >>> shortened("large model, seed 17", limit=12)
    'large …ed 17'
    """
    return (
        name
        if len(name) <= limit
        else f"{name[: limit // 2]}…{name[len(name) - (limit - 1) // 2 :]}"
    )


def _look(system: int) -> dict[str, Any]:
    colour, dash = LINES[system % len(LINES)], DASHES[(system // len(LINES)) % len(DASHES)]
    marker = {"color": colour, "symbol": MARKERS[system % len(MARKERS)]}
    return {"mode": "lines+markers", "line": {"color": colour, "dash": dash}, "marker": marker}


def _laid_out(figure: go.Figure, height: int, **more: object) -> go.Figure:
    margin = {"l": 8, "r": 8, "t": 8, "b": 8}
    figure.update_layout(
        height=height, margin=margin, showlegend=False, hoverlabel={"align": "left"}
    )
    figure.update_layout(**more)
    return figure


# --- measures -------------------------------------------------------------------------------------


def agreement(correlations: pd.DataFrame, dark: bool = False) -> go.Figure:
    """Return a heat map of Kendall's tau-b between the measures' rankings, with its numbers."""
    keys = list(correlations.columns)
    names = list(map(spoken, keys))
    tau = correlations.to_numpy(float)
    titles = [find_measure(key).title for key in keys]
    none = "no tau-b: one measure ranks all systems equal"
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
    """Draw the systems' ranks across the measures, one line each. Ties are side by side."""
    ranks, keys = comparison.ranks, list(comparison.ranks.columns)
    places = _side_by_side(comparison)
    figure = go.Figure()
    for k, system in enumerate(ranks.index):
        words = [
            f"{figure_text(str(system))}<br>{find_measure(key).title}<br>rank "
            f"{comparison.rank(system, key) or '–'}, value {comparison.scores.at[system, key]:.4f}"
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
    lowest = int(np.nanmax(ranks.to_numpy(float, na_value=np.nan), initial=1))
    height = max(320, 90 + 34 * len(keys))
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
    figure.update_yaxes(
        range=[lowest + 0.6, 0.4], tickvals=list(range(1, lowest + 1)), title="rank", zeroline=False
    )
    longest = max(len(shortened(str(s))) for s in ranks.index)
    return _laid_out(figure, height, margin={"l": 8, "r": 24 + 7 * longest, "t": 8, "b": 8})


def _apart(places: pd.Series, gap: float) -> dict[str, float]:
    """Return places for names at line ends, at least `gap` apart and moved as little as possible."""
    ordered = places.sort_values(kind="stable")
    moved = np.maximum.accumulate(
        ordered.to_numpy() - gap * np.arange(len(ordered))
    ) + gap * np.arange(len(ordered))
    return dict(
        zip(ordered.index, (moved - (moved - ordered.to_numpy()).mean()).tolist(), strict=True)
    )


def _side_by_side(comparison: Comparison) -> pd.DataFrame:
    """Return ranks as places. Ties are moved apart a little, so that no line hides another."""
    table = comparison.ranks
    places = pd.DataFrame(table.to_numpy(float, na_value=np.nan), table.index, table.columns)
    for key, ranks in places.copy().items():
        order = comparison.scores[key].rank(
            method="first", ascending=find_measure(str(key)).better == "lower"
        )
        tied, size = order.groupby(ranks).rank() - 1, ranks.groupby(ranks).transform("size")
        places[key] += np.minimum(0.16, 0.7 / size) * (tied - (size - 1) / 2)
    return places


# --- instances ------------------------------------------------------------------------------------


def spots(table: pd.DataFrame) -> tuple[pd.DataFrame, pd.Series]:
    """Return the distinct pairs of the values `first` and `second` with their count, and the pair
    of each row.

    The pair is nan if one of the values is undefined.

    >>> spots(pd.DataFrame({"first": [1.0, 0.5, 1.0], "second": [0.0, 0.0, 0.0]}))[0]["count"].tolist()
    [1, 2]
    """
    pairs = table[["first", "second"]].round(9).groupby(["first", "second"])
    return pairs.size().reset_index(name="count"), pairs.ngroup()


def scatter(found: pd.DataFrame, first: str, second: str) -> go.Figure:
    """Draw every instance by two measures. The area of a spot shows how many share it."""
    words = [
        f"{first} {x:.4f}<br>{second} {y:.4f}<br>{write_count(n, 'instance')}"
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
    h: Hierarchy,
    values: Mapping[str, float],
    counts: Mapping[str, int],
    key: str,
    dark: bool = False,
) -> tuple[go.Figure, str]:
    """Draw the hierarchy as an icicle, with classes coloured by a value in 0…1.

    It also returns a sentence on levels that are left out, or "". A class with several parents
    appears below each of them. Classes without a value are grey.
    """

    def words(label: str, value: float) -> str:
        name, count = figure_text(label, 80), counts.get(label, 0)
        if value != value:
            return f"{name}<br>in no label and no prediction"
        return f"{name}<br>{key} {value:.4f}<br>true of {write_count(count, 'instance')}"

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
    """Return the colour of a value in 0…1, from brick through grey to violet."""
    if value != value:
        return GROUND
    return _rgba(
        [np.interp(value, (0, 0.5, 1), ends) for ends in zip(LOW, MIDDLE, HIGH, strict=True)]
    )


def _unfolded(h: Hierarchy) -> tuple[list[tuple[str, ...]], str]:
    """Return paths from the root, level by level, as many as fit the drawing, with a note."""
    cells: list[tuple[str, ...]] = []
    row: list[tuple[str, ...]] = [(h.root,)]
    while row and len(cells) + len(row) <= MOST_CELLS:
        cells += row
        row = [(*path, child) for path in row for child in h.children(path[-1])]
    note = f"Drawn down to level {len(cells[-1]) - 1}: the lower levels have too many classes. The table shows all."
    return cells, note if row else ""
