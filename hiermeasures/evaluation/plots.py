"""Plots of reports and comparisons for notebooks and for the app, made with plotly.

Each function returns a plotly figure. `figure.show()` draws it, and `figure.write_html` saves it.
Its caption names the measure, the average, whether the root was counted, the treatment of unknown
labels, and the number of instances. The caption is part of the picture, so exported pictures have
it too. The text is also in `figure.layout.meta["caption"]`.

Names and classes are untrusted, and plotly reads a little HTML in text. So every name goes through
`figure_text`. A system has the same colour, dashes and marker in all plots.
"""

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hiermeasures.draw.palette import DARK, LIGHT
from hiermeasures.draw.text import decimals, round_count, sentence
from hiermeasures.evaluation.compare.significance import SMALLEST
from hiermeasures.evaluation.results import Report
from hiermeasures.evaluation.scores.curves import Curve
from hiermeasures.evaluation.scores.threshold import ThresholdChoice
from hiermeasures.hierarchy.errors import InputError, check_known
from hiermeasures.hierarchy.extras import require
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures.mistakes import KINDS
from hiermeasures.measures.own import find_measure, spoken

require("plots", "a plot")

import pandas as pd  # noqa: E402
import plotly.graph_objects as go  # noqa: E402

if TYPE_CHECKING:
    from hiermeasures.evaluation.compare import Comparison
    from hiermeasures.evaluation.mistakes import By

# From brick through the page's background to violet. Readable with any colour vision, on light and
# dark pages, and unlike the colours of true, predicted and both.
LOW, MIDDLE, HIGH = (160, 60, 45, 0.55), (128, 128, 128, 0.07), (110, 60, 160, 0.55)
GROUND = "rgba(128,128,128,0.10)"
GRID = "rgba(128,128,128,0.25)"
GREY = "#808891"
LINES = ("#8833DD", "#CC4422", "#CC66CC", "#779988")  # distinct with any colour vision
DASHES = ("solid", "dash", "dot", "dashdot")
MARKERS = ("circle", "square", "diamond", "triangle-up", "x", "star", "hexagon", "cross")
POINT = "#9160C4"
PATTERNS = ("", "/", "x", ".")  # of bars
MOST_CELLS, MOST_SIDE = 2000, 150  # cells of the hierarchy, rows or columns of a matrix
CAPTION = "caption"  # the name of the annotation with the caption
CAPTION_WIDTH, CAPTION_LINE = 100, 15  # letters in a line of a caption, and pixels of a line
ANGLES = [0, -45, -90]  # angles of names above columns: the first without overlaps is used
AXIS = {"b": 52}  # margin for an axis with numbers and a title
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


def shorten(name: str, limit: int = 28) -> str:
    """Return the beginning and end of a long name. Names of systems mostly differ there.

    >>> shorten("large model, seed 17", limit=12)
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


def _finish(
    figure: go.Figure, caption: str, *, height: int, dark: bool = False, **layout: Any
) -> go.Figure:
    """Set the size and colours of a figure, and write its caption below it.

    `layout` can have margins. They end at the caption.
    """
    tones = DARK if dark else LIGHT
    lines = list(map(figure_text, wrap(caption, CAPTION_WIDTH)))
    margin = {"l": 8, "r": 8, "t": 8, "b": 8} | layout.pop("margin", {})
    figure.add_annotation(
        name=CAPTION,
        text="<br>".join(lines),
        align="left",
        font={"size": 11},
        showarrow=False,
        x=0,
        xref="paper",
        xanchor="left",
        y=0,
        yref="paper",
        yanchor="top",
        yshift=-margin["b"],
    )
    figure.update_layout(
        height=height + CAPTION_LINE * len(lines),
        margin=margin | {"b": margin["b"] + CAPTION_LINE * len(lines)},
        showlegend=False,
        hoverlabel={"align": "left"},
        font_color=tones.ink,
        legend_font_color=tones.ink,
        paper_bgcolor=tones.ground,
        plot_bgcolor=tones.ground,
        meta={"caption": caption},
    )
    figure.update_layout(**layout)
    for update in (figure.update_xaxes, figure.update_yaxes):
        update(
            tickfont_color=tones.ink,
            title_font_color=tones.ink,
            title_standoff=6,
            gridcolor=GRID,
            automargin=True,
        )
    figure.update_annotations(font_color=tones.ink)
    return figure


def take_caption(figure: go.Figure) -> str:
    """Return the caption of a plot, and remove it from the picture."""
    caption = next((a for a in figure.layout.annotations if a.name == CAPTION), None)
    if caption is None:
        return ""
    removed = figure.layout.margin.b + caption.yshift
    figure.layout.annotations = [a for a in figure.layout.annotations if a is not caption]
    figure.update_layout(height=figure.layout.height - removed, margin_b=-caption.yshift)
    return str(figure.layout.meta["caption"])


def _caption_of(comparison: "Comparison", what: str) -> str:
    report = next(iter(comparison.reports.values()))
    keys = map(str, comparison.scores.columns)
    return f"{what} {sentence(report.describe_run(*keys))}"


# --- measures -------------------------------------------------------------------------------------


def plot_agreement(comparison: "Comparison", *, dark: bool = False) -> go.Figure:
    """Draw the agreement of the measures' rankings: Kendall's tau-b as a heat map with numbers.

    Parameters
    ----------
    comparison : Comparison
        Made by `compare`.
    dark : bool
        Whether the colours are for a dark page.

    Returns
    -------
    plotly.graph_objects.Figure

    See Also
    --------
    plot_ranks : Draw the ranks themselves.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, compare
    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
    >>> systems = {"one": ["A", "A"], "two": ["A", "B"]}
    >>> found = compare(h, ["A", "A"], systems, measures=["accuracy", "hF"])
    >>> plot_agreement(found).layout.meta["caption"]  # doctest: +ELLIPSIS
    "Kendall's tau-b between the rankings of 2 systems. Mean over the instances; ...
    """
    correlations = comparison.correlations
    keys = list(map(str, correlations.columns))
    names = [figure_text(spoken(key)) for key in keys]
    tau = correlations.to_numpy(float)
    titles = [figure_text(find_measure(key).title) for key in keys]
    none = "no tau-b: one measure ranks all systems equal"
    words = [
        [
            f"{a}<br>{b}<br>{none if value != value else f'tau-b {value:.4f}'}"
            for b, value in zip(titles, row, strict=True)
        ]
        for a, row in zip(titles, tau, strict=True)
    ]
    figure = _draw_heat_map(
        names,
        names,
        tau,
        [list(map(decimals, row)) for row in tau.tolist()],
        words=words,
        dark=dark,
    )
    systems = write_count(len(comparison.scores), "system")
    caption = _caption_of(comparison, f"Kendall's tau-b between the rankings of {systems}.")
    return _finish(figure, caption, height=max(320, 90 + 34 * len(keys)), dark=dark)


def _draw_heat_map(
    columns: Sequence[str],
    rows: Sequence[str],
    shades: np.ndarray,
    texts: Sequence[Sequence[str]],
    *,
    words: Sequence[Sequence[str]],
    dark: bool,
) -> go.Figure:
    """Draw a table of numbers with shades from −1 (brick) to 1 (violet).

    `words` describe each cell. Names may occur more than once.
    """
    # Without a size, plotly makes the numbers as large as the cells allow.
    figure = go.Figure(
        go.Heatmap(
            z=np.nan_to_num(shades),
            zmin=-1,
            zmax=1,
            colorscale=[[k / 2, _rgba(colour)] for k, colour in enumerate((LOW, MIDDLE, HIGH))],
            xgap=2,
            ygap=2,
            text=texts,
            texttemplate="%{text}",
            textfont={"color": (DARK if dark else LIGHT).ink},
            customdata=words,
            hovertemplate="%{customdata}<extra></extra>",
            showscale=False,
        )
    )
    figure.update_xaxes(side="top", autotickangles=ANGLES, **_ticks(columns), **PLAIN)
    figure.update_yaxes(autorange="reversed", **_ticks(rows), **PLAIN)
    return figure


def _ticks(names: Sequence[str]) -> dict[str, Any]:
    return {"tickvals": list(range(len(names))), "ticktext": list(names)}


def _rgba(channels: Sequence[float]) -> str:
    red, green, blue, alpha = channels
    return f"rgba({red:.0f},{green:.0f},{blue:.0f},{alpha:.2f})"


def plot_ranks(comparison: "Comparison", *, dark: bool = False) -> go.Figure:
    """Draw the systems' ranks across the measures, one line each. Ties are side by side.

    Parameters
    ----------
    comparison : Comparison
        Made by `compare`.
    dark : bool
        Whether the colours are for a dark page.

    Returns
    -------
    plotly.graph_objects.Figure

    See Also
    --------
    plot_agreement : Draw the agreement of the rankings.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, compare
    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
    >>> systems = {"one": ["A", "A"], "two": ["A", "B"]}
    >>> figure = plot_ranks(compare(h, ["A", "A"], systems, measures=["accuracy", "hF"]))
    >>> [line.name for line in figure.data]
    ['one', 'two']
    """
    keys = list(map(str, comparison.ranks.columns))
    figure = go.Figure()
    places = _side_by_side(comparison)
    _draw_rank_lines(figure, comparison, places)
    lowest = int(np.nanmax(comparison.ranks.to_numpy(float, na_value=np.nan), initial=1))
    height = max(320, 90 + 34 * len(keys))
    _write_names_at_line_ends(
        figure, places.iloc[:, -1], len(keys) - 1, gap=16 * (lowest + 0.2) / (height - 90)
    )
    figure.update_xaxes(
        side="top",
        tickvals=list(range(len(keys))),
        ticktext=[figure_text(spoken(key)) for key in keys],
        autotickangles=ANGLES,
        showgrid=True,
        zeroline=False,
        range=[-0.3, len(keys) - 0.8],
    )
    figure.update_yaxes(
        range=[lowest + 0.6, 0.4], tickvals=list(range(1, lowest + 1)), title="rank", zeroline=False
    )
    longest = max(len(shorten(str(s))) for s in comparison.ranks.index)
    margin = {"r": 24 + 7 * longest}
    caption = _caption_of(comparison, f"Ranks of the systems ({comparison.tests_in_words}).")
    return _finish(figure, caption, height=height, dark=dark, margin=margin)


def _draw_rank_lines(figure: go.Figure, comparison: "Comparison", places: pd.DataFrame) -> None:
    keys = list(map(str, places.columns))
    for k, system in enumerate(comparison.ranks.index):
        name = figure_text(str(system))
        words = [
            f"{name}<br>{figure_text(find_measure(key).title)}<br>rank "
            f"{comparison.rank(system, key) or '–'}, value {comparison.scores.at[system, key]:.4f}"
            for key in keys
        ]
        figure.add_scatter(
            name=name,
            x=list(range(len(keys))),
            y=places.loc[system],
            text=words,
            hovertemplate="%{text}<extra></extra>",
            line_width=2.5,
            marker_size=10,
            cliponaxis=False,
            **_look(k),
        )


def _write_names_at_line_ends(figure: go.Figure, last: pd.Series, x: int, gap: float) -> None:
    for system, place in _apart(last, gap).items():
        figure.add_annotation(
            x=x,
            y=place,
            text=figure_text(shorten(str(system))),
            hovertext=figure_text(str(system)),
            xanchor="left",
            xshift=12,
            showarrow=False,
            font={"size": 12},
        )


def _apart(places: pd.Series, gap: float) -> dict[str, float]:
    """Move names at line ends as little as possible, so that they are at least `gap` apart."""
    ordered = places.sort_values(kind="stable")
    moved = np.maximum.accumulate(
        ordered.to_numpy() - gap * np.arange(len(ordered))
    ) + gap * np.arange(len(ordered))
    return dict(
        zip(ordered.index, (moved - (moved - ordered.to_numpy()).mean()).tolist(), strict=True)
    )


def _side_by_side(comparison: "Comparison") -> pd.DataFrame:
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


def count_pairs(first: pd.Series, second: pd.Series) -> tuple[pd.DataFrame, pd.Series]:
    """Return the distinct pairs of two measures' values with their count, and each row's pair.

    The pair is nan if one of the values is undefined.

    >>> count_pairs(pd.Series([1.0, 0.5, 1.0]), pd.Series([0.0, 0.0, 0.0]))[0]["count"].tolist()
    [1, 2]
    """
    values = pd.DataFrame({"first": first, "second": second}).round(9)
    pairs = values.groupby(["first", "second"])
    return pairs.size().reset_index(name="count"), pairs.ngroup()


def plot_instances(report: Report, first: str, second: str, *, dark: bool = False) -> go.Figure:
    """Draw every instance by two measures. The area of a spot shows how many share it.

    Parameters
    ----------
    report : Report
        With instances (`keep_instances=True`).
    first, second : str
        Keys of measures that were evaluated, across and up.
    dark : bool
        Whether the colours are for a dark page.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    InputError
        If a measure was not evaluated, or the report keeps only sums.

    See Also
    --------
    hiermeasures.evaluation.compare.finding.disagreement : Return the instances as a table.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, evaluate
    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
    >>> report = evaluate(h, ["A", "A", "B"], ["A", "B", "A"], measures=["accuracy", "hF"])
    >>> spots = plot_instances(report, "accuracy", "hF").data[0]
    >>> spots.x.tolist(), spots.y.tolist()
    ([0.0, 1.0], [0.5, 1.0])
    """
    across, up = report.measure(first), report.measure(second)
    values = report.per_instance
    pairs, _ = count_pairs(values[across.key], values[up.key])
    names = [figure_text(spoken(key)) for key in (first, second)]
    words = [
        f"{names[0]} {x:.4f}<br>{names[1]} {y:.4f}<br>{write_count(n, 'instance')}"
        for x, y, n in pairs.itertuples(index=False, name=None)
    ]
    size = 6 + 28 * np.sqrt(pairs["count"] / pairs["count"].max())
    figure = go.Figure(
        go.Scatter(
            x=pairs["first"],
            y=pairs["second"],
            mode="markers",
            customdata=pairs.index,
            text=words,
            hovertemplate="%{text}<extra></extra>",
            marker={"size": size, "color": POINT, "opacity": 0.75, "line": {"width": 0}},
            selected={"marker": {"opacity": 0.95}},
            unselected={"marker": {"opacity": 0.18}},
        )
    )
    titles = [f"{figure_text(m.title)}, {m.better} is better" for m in (across, up)]
    figure.update_xaxes(title=titles[0], zeroline=False)
    figure.update_yaxes(title=titles[1], zeroline=False)
    what = "Each spot shows the instances with two given values. Its area shows their number."
    run = report.describe_run(across.key, up.key, average=False)
    return _finish(figure, f"{what} {sentence(run)}", height=430, dark=dark, margin=AXIS)


# --- classes --------------------------------------------------------------------------------------


def plot_hierarchy(
    report: Report,
    values: "str | pd.Series",
    *,
    counts: Mapping[str, int] | None = None,
    better: Literal["higher", "lower"] = "higher",
    dark: bool = False,
) -> go.Figure:
    """Draw the hierarchy as an icicle. The colour of a class shows its value.

    A class with several parents appears below each of them. Classes without a value are grey. The
    lowest levels are left out if there are too many classes, and the caption says so.

    Parameters
    ----------
    report : Report
        Made by `evaluate`.
    values : str or Series
        A column of `report.per_class`, or a value for each class, with a name.
    counts : mapping from class to int, optional
        The number of instances with a class, for the text of the mouse pointer.
    better : "higher" or "lower"
        The direction of the measure. It decides the colour of good values.
    dark : bool
        Whether the colours are for a dark page.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    InputError
        For a column that `report.per_class` does not have.

    See Also
    --------
    Report.per_class : Return the values as a table.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, evaluate
    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
    >>> report = evaluate(h, ["A", "A", "B"], ["A", "B", "B"], measures=["hF"])
    >>> icicle = plot_hierarchy(report, "hF").data[0]
    >>> list(zip(icicle.labels, icicle.text))
    [('R', '1.00'), ('A', '0.67'), ('B', '0.67')]
    """
    if isinstance(values, str):
        table = report.per_class
        check_known("column of per_class", values, table.columns)
        values = table[values]
    known = values.astype(float).to_dict()
    name = figure_text(str(values.name))
    numbers = [value for value in known.values() if value == value]
    worst, best = min([0.0, *numbers]), max([1.0, *numbers])
    if better == "lower":
        worst, best = best, worst
    cells, left_out = _unfold(report.hierarchy)
    figure = go.Figure(
        _icicle(cells, known, counts or {}, name=name, scale=(worst, best), dark=dark)
    )
    middle = "dark" if dark else "pale"
    what = (
        f"Classes coloured by {values.name}. Brick: {worst:g}, {middle}: {(worst + best) / 2:g}, "
        f"violet: {best:g}. Grey: no value.{left_out}"
    )
    run = report.describe_run(average=False)
    uniform = {"minsize": 9, "mode": "hide"}
    return _finish(figure, f"{what} {sentence(run)}", height=600, dark=dark, uniformtext=uniform)


def _icicle(
    cells: Sequence[tuple[str, ...]],
    values: Mapping[str, float],
    counts: Mapping[str, int],
    *,
    name: str,
    scale: tuple[float, float],
    dark: bool,
) -> go.Icicle:
    """Return the drawing of paths from the root."""

    def describe(label: str, value: float) -> str:
        words = [figure_text(label, 80), "no value" if value != value else f"{name} {value:.4f}"]
        if label in counts:
            words.append(f"true of {write_count(int(counts[label]), 'instance')}")
        return "<br>".join(words)

    known = [values.get(path[-1], float("nan")) for path in cells]
    identity = {path: str(k) for k, path in enumerate(cells)}
    return go.Icicle(
        ids=[identity[path] for path in cells],
        parents=[identity.get(path[:-1], "") for path in cells],
        labels=[figure_text(path[-1]) for path in cells],
        text=["" if v != v else f"{v:.2f}" for v in known],
        texttemplate="%{label}  <b>%{text}</b>",
        textposition="middle left",
        textfont={"size": 12, "color": (DARK if dark else LIGHT).ink},
        customdata=[describe(path[-1], v) for path, v in zip(cells, known, strict=True)],
        hovertemplate="%{customdata}<extra></extra>",
        sort=False,
        tiling={"orientation": "h", "pad": 1},
        marker={"colors": [_shade(v, *scale) for v in known], "line": {"width": 0}},
        pathbar={"visible": False},
        maxdepth=4 if len(cells) <= 80 else 3,
    )


def _shade(value: float, worst: float = 0.0, best: float = 1.0) -> str:
    """Return the colour of a value, from brick through grey to violet."""
    if value != value:
        return GROUND
    place = (value - worst) / (best - worst)
    tones = zip(LOW, MIDDLE, HIGH, strict=True)
    return _rgba([np.interp(place, (0, 0.5, 1), tone) for tone in tones])


def _unfold(h: Hierarchy) -> tuple[list[tuple[str, ...]], str]:
    """Return as many paths from the root as fit the drawing, level by level, with a note."""
    cells: list[tuple[str, ...]] = []
    row: list[tuple[str, ...]] = [(h.root,)]
    while row and len(cells) + len(row) <= MOST_CELLS:
        cells += row
        row = [(*path, child) for path in row for child in h.children(path[-1])]
    note = f" Levels below {len(cells[-1]) - 1} have too many classes and are left out."
    return cells, note if row else ""


# --- mistakes -------------------------------------------------------------------------------------


def plot_confusion(
    report: Report,
    *,
    level: int | None = None,
    below: str | None = None,
    share: Literal["true", "predicted"] | None = None,
    dark: bool = False,
) -> go.Figure:
    """Draw the confusion matrix of a hierarchy, as `report.confusion` has it.

    A cell is shaded by its share of the row, or of the column with share="predicted". It is violet
    if both classes are the same, and brick if not.

    Parameters
    ----------
    report : Report
        With instances (`keep_instances=True`).
    level, below, share :
        As `Report.confusion` takes them.
    dark : bool
        Whether the colours are for a dark page.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    InputError
        If the matrix has more than 150 rows or columns, and as for `Report.confusion`.

    See Also
    --------
    Report.confusion : Return the matrix as a table.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, evaluate
    >>> h = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["c"]}})
    >>> report = evaluate(h, ["a", "a", "c"], ["b", "a", "a"], measures="hF")
    >>> [list(row) for row in plot_confusion(report).data[0].text]
    [['2', ''], ['1', '']]
    """
    counts = report.confusion(level, below).iloc[:-1, :-1]
    if max(counts.shape) > MOST_SIDE:
        raise InputError(
            f"the matrix has {counts.shape[0]:,} rows and {counts.shape[1]:,} columns. "
            f"A plot has at most {MOST_SIDE}. Choose a smaller level=, or a class with below=."
        )
    shares = report.confusion(level, below, share or "true").iloc[:-1, :-1]
    shown = counts if share is None else shares
    write = round_count if share is None else decimals
    texts = [[write(v) if v else "" for v in row] for row in shown.to_numpy(float).tolist()]
    names = [[figure_text(str(name), 40) for name in side] for side in (shown.index, shown.columns)]
    words = [
        [f"true {row}<br>predicted {column}<br>{round_count(value)}" for column, value in cells]
        for row, cells in zip(
            names[0],
            (zip(names[1], row, strict=True) for row in counts.to_numpy(float).tolist()),
            strict=True,
        )
    ]
    right = shown.index.to_numpy()[:, None] == shown.columns.to_numpy()[None, :]
    shades = shares.to_numpy(float) * np.where(right, 1, -1)
    figure = _draw_heat_map(names[1], names[0], shades, texts, words=words, dark=dark)
    figure.update_xaxes(title="predicted")
    figure.update_yaxes(title="true")
    side = "column" if share == "predicted" else "row"
    where = f" below {below}" if below is not None else ""
    what = (
        f"{'Shares of a ' + side if share else 'Counts'} of pairs of a true and a predicted "
        f"class{where}. Violet: the same class, brick: another one, by the share of the {side}."
    )
    height = max(320, 110 + 22 * len(shown))
    return _finish(figure, f"{what} {_about_labels(report)}", height=height, dark=dark)


def plot_mistakes(
    reports: Report | Mapping[str, Report], by: "By | None" = None, *, dark: bool = False
) -> go.Figure:
    """Draw the kinds of mistakes: bars for each system, or a table of shares by group.

    Parameters
    ----------
    reports : Report, or mapping from a system's name to its Report
        With instances (`keep_instances=True`). `Comparison.reports` is such a mapping.
    by : "level", "subtree" or "height", optional
        As `Report.mistakes` takes it, for one report. The shares of a group add up to 1.
    dark : bool
        Whether the colours are for a dark page.

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    InputError
        If you give several reports with `by`, or a report keeps only sums.

    See Also
    --------
    Report.mistakes : Return the kinds as a table.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, evaluate
    >>> h = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["c"]}})
    >>> report = evaluate(h, ["a", "a", "c", "b"], ["b", "a", "a", "b"], measures="hF")
    >>> bars = plot_mistakes(report).data[0]
    >>> list(zip(bars.y, bars.x.tolist()))
    [('right', 0.5), ('sibling', 0.25), ('other top class', 0.25)]
    """
    named = reports if isinstance(reports, Mapping) else {"": reports}
    report = next(iter(named.values()))
    if by is not None:
        if len(named) > 1:
            raise InputError(
                f"plot_mistakes by {by} draws only one system, not {len(named)}. Choose one."
            )
        return _plot_groups(report, by, dark)
    tables = {name: each.mistakes() for name, each in named.items()}
    kinds = [kind for kind in KINDS if any(table.at[kind, "count"] for table in tables.values())]
    figure = go.Figure()
    for k, (name, table) in enumerate(tables.items()):
        rows = table.loc[kinds]
        figure.add_bar(
            name=figure_text(str(name)),
            orientation="h",
            y=kinds,
            x=rows["share"],
            text=[
                f"{round_count(n)} · {s:.1%}" if n else ""
                for n, s in zip(rows["count"], rows["share"], strict=True)
            ],
            textposition="outside",
            cliponaxis=False,
            marker={
                "color": LINES[k % len(LINES)],
                "pattern": {"shape": PATTERNS[k % len(PATTERNS)]},
            },
            hovertemplate="%{y}: %{text}<extra>%{fullData.name}</extra>",
        )
    longest = max(float(table["share"].max()) for table in tables.values())
    figure.update_xaxes(range=[0, 1.25 * longest], tickformat=".0%", title="share of the pairs")
    figure.update_yaxes(autorange="reversed", showgrid=False)
    what = "Kinds of mistakes: each true class is paired with the class predicted in its place."
    height = 90 + len(kinds) * (16 + 18 * len(tables))
    caption = f"{what} {_about_labels(report)}"
    layout = _legend(len(named) > 1)
    return _finish(figure, caption, height=height, dark=dark, margin=AXIS, **layout)


def _plot_groups(report: Report, by: "By", dark: bool) -> go.Figure:
    """Draw the kinds of mistakes of each group as a table of shares."""
    table = report.mistakes(by)
    table = table.loc[table.any(axis=1)]
    shares = (table / table.sum()).T.to_numpy(float)
    kinds = list(map(str, table.index))
    groups = [figure_text(str(group), 40) for group in table.columns]
    words = [
        [f"{by} {group}<br>{kind}<br>{round_count(n)}" for kind, n in zip(kinds, row, strict=True)]
        for group, row in zip(groups, table.T.to_numpy(float).tolist(), strict=True)
    ]
    texts = [[decimals(v) if v else "" for v in row] for row in shares.tolist()]
    shades = shares * np.where([kind == "right" for kind in kinds], 1, -1)
    figure = _draw_heat_map(kinds, groups, shades, texts, words=words, dark=dark)
    caption = f"Kinds of mistakes by {by}. The shares of a row add up to 1. {_about_labels(report)}"
    return _finish(figure, caption, height=max(320, 90 + 22 * len(groups)), dark=dark)


def _about_labels(report: Report) -> str:
    return f"Unknown labels: {report.policy}; {write_count(len(report), 'instance')}."


# --- thresholds -----------------------------------------------------------------------------------


def plot_curves(
    curves: Curve | Mapping[str, Curve],
    *,
    predicted: tuple[float, float] | None = None,
    dark: bool = False,
) -> go.Figure:
    """Draw precision and recall over all thresholds, a line for each curve.

    Parameters
    ----------
    curves : Curve, or mapping from a name to a Curve
        Made by `instance_curve`. A single curve has its area shaded.
    predicted : (float, float), optional
        Recall and precision of a prediction, drawn as a box.
    dark : bool
        Whether the colours are for a dark page.

    Returns
    -------
    plotly.graph_objects.Figure

    See Also
    --------
    hiermeasures.evaluation.scores.instance_curve : Makes a curve.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.evaluation.scores import NodeProbabilities, instance_curve
    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> curve = instance_curve(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25}), {"2"})
    >>> line = plot_curves(curve).data[0]
    >>> list(zip(line.x, line.y))
    [(0.0, 1.0), (0.0, 0.0), (1.0, 0.5)]
    """
    named = curves if isinstance(curves, Mapping) else {"": curves}
    tones, figure = DARK if dark else LIGHT, go.Figure()
    for k, (name, curve) in enumerate(named.items()):
        points, look = curve.points, _look(k)
        if len(named) == 1:
            look = {"mode": "lines+markers", "line": {"color": GREY, "width": 2}}
            look |= {"marker": {"color": GREY}, "fill": "tozeroy", "fillcolor": GROUND}
        figure.add_scatter(
            name=figure_text(str(name)),
            x=[point.recall for point in points],
            y=[point.precision for point in points],
            customdata=[[max(point.low, 0), point.high, point.f1] for point in points],
            hovertemplate="recall %{x}<br>precision %{y}<br>hF %{customdata[2]}<br>"
            "threshold %{customdata[0]} to %{customdata[1]}",
            **look,
        )
    figure.update_traces(marker_size=6)
    if predicted is not None:
        figure.add_scatter(
            x=[predicted[0]],
            y=[predicted[1]],
            name="predicted now",
            mode="markers",
            cliponaxis=False,
            marker={"symbol": "square-open", "size": 14, "color": tones.predicted},
            marker_line_width=3,
            hovertemplate="predicted now<br>recall %{x}<br>precision %{y}<extra></extra>",
        )
    areas = ", ".join(f"{name} {curve.area:.3f}".strip() for name, curve in named.items())
    _draw_unit_axes(figure, "recall", "precision")
    sentences = " ".join(dict.fromkeys(curve.sentence for curve in named.values()))
    caption = f"Area under the curve: {areas}. {sentences}"
    return _finish(figure, caption, height=320, dark=dark, margin=AXIS, **_legend(len(named) > 1))


def plot_thresholds(
    values: Mapping[str, Sequence[tuple[float, float, float]]],
    measure: str = "hF",
    *,
    threshold: float | None = None,
    dark: bool = False,
) -> go.Figure:
    """Draw a measure over thresholds, a line for each name. The best ranges are bold.

    Parameters
    ----------
    values : mapping from a name to rows (low, high, value)
        The value between two thresholds, the lowest threshold first.
    measure : str
        The key of the measure.
    threshold : float, optional
        The chosen threshold, drawn as a line.
    dark : bool
        Whether the colours are for a dark page.

    Returns
    -------
    plotly.graph_objects.Figure

    See Also
    --------
    plot_sweep : The values of chosen thresholds.

    Examples
    --------
    >>> figure = plot_thresholds({"test": [(0, 0.4, 0.5), (0.4, 1, 0.8)]})
    >>> [list(line.x) for line in figure.data]
    [[0, 0.4, 0.4, 1], [0.4, 1]]
    """
    figure, tones, found = go.Figure(), DARK if dark else LIGHT, find_measure(measure)
    choose, called = max if found.better == "higher" else min, figure_text(spoken(measure))
    for k, (name, steps) in enumerate(values.items()):
        text = figure_text(str(name))
        best = choose((value for *_, value in steps), default=float("nan"))
        figure.add_scatter(
            x=[end for low, high, _ in steps for end in (low, high)],
            y=[value for *_, value in steps for _ in range(2)],
            mode="lines",
            name=text,
            line={"color": GREY, "width": 2, "dash": DASHES[k % len(DASHES)]},
            hovertemplate=f"{text}<br>threshold %{{x}}<br>{called} %{{y}}<extra></extra>",
        )
        for low, high, value in steps:
            if abs(value - best) < SMALLEST:
                words = f"best {text}: {value:.6g}<br>thresholds {low:g} to {high:g}"
                figure.add_scatter(
                    x=[low, high],
                    y=[value, value],
                    mode="lines",
                    showlegend=False,
                    line={"color": GREY, "width": 6},
                    hovertemplate=f"{words}<extra></extra>",
                )
    if threshold is not None:
        figure.add_vline(x=threshold, line={"color": tones.predicted, "width": 2})
    _draw_unit_axes(figure, "threshold τ", called)
    if found.high != 1:
        figure.update_yaxes(range=None, dtick=None, rangemode="tozero")
    caption = f"{spoken(measure)} over thresholds. Bold: the best ones."
    return _finish(figure, caption, height=320, dark=dark, margin=AXIS, **_legend(True))


def plot_sweep(
    choices: ThresholdChoice | Mapping[str, ThresholdChoice],
    *,
    threshold: float | None = None,
    dark: bool = False,
) -> go.Figure:
    """Draw a measure over the thresholds that were tried, a line for each system.

    Parameters
    ----------
    choices : ThresholdChoice, or mapping from a system to a ThresholdChoice
        Made by `choose_threshold`, all for one measure. The best thresholds have a mark.
    threshold : float, optional
        The chosen threshold, drawn as a line.
    dark : bool
        Whether the colours are for a dark page.

    Returns
    -------
    plotly.graph_objects.Figure

    See Also
    --------
    hiermeasures.evaluation.scores.choose_threshold : Makes the values.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.evaluation.scores import ProbabilityTable, choose_threshold
    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> table = ProbabilityTable.of(h, [[0.75, 0.25]], ["1", "2"])
    >>> line, best = plot_sweep(choose_threshold(table, [{"1"}], thresholds=[0.2, 0.5, 0.8])).data
    >>> list(line.y), list(best.x)
    ([0.8, 1.0, 0.0], [0.5])
    """
    named = {"": choices} if isinstance(choices, ThresholdChoice) else choices
    figure, tones = go.Figure(), DARK if dark else LIGHT
    for k, (name, found) in enumerate(named.items()):
        look, text = _look(k), figure_text(name)
        hover = f"{text}<br>threshold %{{x}}<br>%{{y:.4f}}<extra></extra>"
        line = {"mode": "lines", "line": look["line"], "hovertemplate": hover}
        x, y = found.thresholds.tolist(), found.values.tolist()
        figure.add_scatter(x=x, y=y, name=text, **line)
        mark: dict[str, Any] = {"mode": "markers", "marker": {**look["marker"], "size": 10}}
        mark |= {"hovertemplate": hover, "showlegend": False}
        figure.add_scatter(x=[found.at], y=[found.value], name=text, **mark)
    if threshold is not None:
        figure.add_vline(x=threshold, line={"color": tones.predicted, "width": 2})
    measure = spoken(found.measure.key)
    figure.update_xaxes(title="threshold τ", range=[-0.04, 1.06], zeroline=False)
    figure.update_yaxes(title=figure_text(measure), zeroline=False)
    best = ", ".join(f"{name} {each.at:g}".strip() for name, each in named.items())
    rule = "" if found.rule == "threshold" else f" of the rule {found.rule}"
    caption = f"{measure} over thresholds{rule}. Best: {best}. {sentence(found.run)}"
    return _finish(figure, caption, height=320, dark=dark, margin=AXIS, **_legend(len(named) > 1))


def _draw_unit_axes(figure: go.Figure, x: str, y: str) -> None:
    unit = {"zeroline": False, "dtick": 0.25}
    figure.update_xaxes(title=x, range=[-0.04, 1.06], **unit)
    figure.update_yaxes(title=y, range=[0, 1.06], **unit)


def _legend(shown: bool) -> dict[str, Any]:
    where = {"orientation": "h", "x": 0, "y": 1.01, "yanchor": "bottom"}
    return {"showlegend": shown, "legend": where}
