"""An evaluation as one HTML page, to hand on to a colleague.

The page needs no server, no network and no script. It follows the reader's light or dark theme and
prints well. Its numbers are those of the reports. Labels and names of systems are untrusted: the
template escapes all text, and drawings are images, in which nothing runs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from hiermeasures.draw.scene import shown_label
from hiermeasures.draw.templates import html_templates
from hiermeasures.draw.text import as_text, sentence
from hiermeasures.evaluation.outside import base_of
from hiermeasures.evaluation.results import Report, basis_of, notes_about_values
from hiermeasures.hierarchy.words import capitalize, join_words, write_count
from hiermeasures.measures.own import called

if TYPE_CHECKING:
    from hiermeasures.evaluation.compare import Comparison

ARROWS = {"higher": "↑", "lower": "↓"}
UNKNOWN = {
    "error": "refused",
    "fail": "refused",
    "wrong": "counted as wrong",
    "prefix": "replaced by the deepest class on their path",
    "nearest": "replaced by the class with the nearest name",
    "drop": "left out",
}
HIGHEST = 480.0  # pixels of a drawing
WORST_IN_ALL, MOST_WORST = 12, 3  # drawn instances, and those of one system


@dataclass(frozen=True)
class PageCell:
    """A cell of a table: its text, and perhaps a line and a bar that shows a share below it."""

    text: str
    below: str = ""
    share: float | None = None
    first: bool = False  # of the first rank

    @property
    def width(self) -> str:
        """The length of the bar in percent."""
        return f"{100 * (self.share or 0):.2f}"


@dataclass(frozen=True)
class PageTable:
    """A table: its head, its rows, and the number of its first columns that are words."""

    head: Sequence[str]
    rows: Sequence[Sequence[PageCell]]
    words: int = 1


@dataclass(frozen=True)
class PagePart:
    """A part of the page: a title, sentences, tables and drawings, and parts that can be opened."""

    title: str
    notes: Sequence[str] = ()
    tables: Sequence[PageTable] = ()
    drawings: Sequence["PageDrawing"] = ()
    parts: Sequence["PagePart"] = ()
    open: bool = False


@dataclass(frozen=True)
class PageDrawing:
    """A drawing as an HTML image, with the words below it."""

    image: Markup
    caption: str
    words: Sequence[str] = ()


def write_page(
    reports: Mapping[str, Report],
    comparison: "Comparison | None" = None,
    *,
    title: str = "",
    remarks: Iterable[str] = (),
) -> str:
    """Return the HTML page of one or more reports over the same instances.

    Parameters
    ----------
    reports : mapping of a system's name to its report
    comparison : Comparison, optional
        Ranks and intervals of these systems.
    title : str
        The heading, such as the name of the data set.
    remarks : iterable of str
        Sentences about the data, such as notes on the files.
    """
    parts = [
        _score_part(reports, comparison),
        *_pair_parts(comparison),
        *_worst_parts(reports),
        _settings_part(reports, comparison),
    ]
    template = html_templates("hiermeasures.evaluation").get_template("html_report.html")
    return template.render(
        title=title or "Hierarchical evaluation",
        facts=_facts(reports),
        remarks=list(remarks),
        parts=parts,
    )


def _facts(reports: Mapping[str, Report]) -> list[str]:
    """Return the title lines: the systems, the instances, the hierarchy, and what was counted."""
    first = next(iter(reports.values()))
    h = base_of(first.hierarchy)
    kind = f"{'tree' if h.is_tree else 'DAG'}, {write_count(h.depth, 'level')}"
    counts = (
        f"{write_count(len(reports), 'system')} · {write_count(len(first), 'instance')} · "
        f"{write_count(len(h), 'class')} ({kind})"
    )
    unknown = join_words(list(dict.fromkeys(UNKNOWN[r.policy] for r in reports.values())))
    return [counts, f"{capitalize(first.convention)}. Answers that are not classes: {unknown}."]


# --- scores ---------------------------------------------------------------------------------------


def _score_part(reports: Mapping[str, Report], comparison: "Comparison | None") -> PagePart:
    arrows = "↑ higher is better, ↓ lower is better."
    if comparison is not None:
        notes = [*comparison.about()[1:], arrows, *map(sentence, comparison.value_notes())]
        return PagePart("Scores", notes, [_ranked_scores(comparison)], open=True)
    several = len(reports) > 1
    said = notes_about_values(reports) if several else next(iter(reports.values())).value_notes
    return PagePart("Scores", [arrows, *map(sentence, said)], [_plain_scores(reports)], open=True)


def _ranked_scores(comparison: "Comparison") -> PageTable:
    keys = list(comparison.scores.columns)
    heads = (f"{called(key)} {ARROWS[comparison.measure(key).better]}" for key in keys)
    rows = [
        [
            PageCell(str(name)),
            *(_ranked_cell(comparison, name, key, cells[key]) for key in keys),
            PageCell(as_text(comparison.predictions[name])),
            PageCell(f"{comparison.consistency[name]:.1%}"),
        ]
        for name, cells in ((n, r.cells(as_text)) for n, r in comparison.reports.items())
    ]
    return PageTable(["system", *heads, "classes each", "with all ancestors"], rows)


def _ranked_cell(comparison: "Comparison", name: str, key: str, value: str) -> PageCell:
    rank, below = comparison.rank(name, key), ""
    if key in comparison.intervals:
        low, high = comparison.intervals[key].loc[name]
        below = f"[{as_text(low)}, {as_text(high)}]" if low == low else ""
    return PageCell(value if rank is None else f"{value} ({rank})", below, first=rank == 1)


def _plain_scores(reports: Mapping[str, Report]) -> PageTable:
    """Return measures × systems."""
    declared = next(iter(reports.values())).declared
    columns = [report.cells(as_text) for report in reports.values()]
    rows = [
        [
            PageCell(f"{called(m.key)} {ARROWS[m.better]}"),
            PageCell(m.name),
            *(PageCell(cells[m.key]) for cells in columns),
        ]
        for m in declared
    ]
    names = ["value"] if len(reports) == 1 else [str(name) for name in reports]
    return PageTable(["measure", "", *names], rows, words=2)


def _pair_parts(comparison: "Comparison | None") -> Iterable[PagePart]:
    """Yield the p-values of all pairs of systems, and the correlations of the measures."""
    if comparison is None:
        return
    tables = []
    for key, frame in comparison.p_values.items():
        names = [str(name) for name in frame.index]
        rows = [
            [
                PageCell(name),
                *(
                    PageCell("–" if place == k else f"{p:.2g}")
                    for k, p in enumerate(frame.loc[name])
                ),
            ]
            for place, name in enumerate(names)
        ]
        tables.append(PagePart(called(key), tables=[PageTable(["better", *names], rows)]))
    if tables:
        about = (
            "Each two-sided p-value, after correction, is in the row of the better system. The "
            "other cells are 1."
        )
        yield PagePart("Significance of every pair", [about], parts=tables)
    if comparison.correlated:
        rows = [
            [PageCell(called(key)), *map(PageCell, cells)]
            for key, cells in comparison.correlation_rows()
        ]
        table = PageTable(["", *map(called, comparison.scores.columns)], rows)
        about = "Kendall's tau-b between the measures' rankings: 1 if they rank the systems alike."
        yield PagePart("Do the measures rank alike?", [about], [table])


# --- instances ------------------------------------------------------------------------------------


def _worst_parts(reports: Mapping[str, Report]) -> Iterable[PagePart]:
    """Yield the worst instances of each system with their drawings, if instances were kept."""
    first = next(iter(reports.values()))
    keys = [m.key for m in first.declared if basis_of(m, "samples") == "instances"]
    if not keys or any(report.instances is None for report in reports.values()):
        return
    key = "hF" if "hF" in keys else keys[0]
    number = max(1, min(MOST_WORST, WORST_IN_ALL // len(reports)))
    parts = [
        PagePart(str(name), drawings=list(_worst_of(report, key, number)))
        for name, report in reports.items()
    ]
    about = (
        f"The instances with the worst {called(key)}, in the order of the data if they are equal. "
        "True classes are circled and predicted classes boxed."
    )
    if len(reports) == 1:
        yield PagePart("Worst instances", [about], drawings=parts[0].drawings, open=True)
    else:
        yield PagePart("Worst instances", [about], parts=parts)


def _worst_of(report: Report, key: str, number: int) -> Iterable[PageDrawing]:
    from hiermeasures.draw.notebook_repr import drawing_of_explanation
    from hiermeasures.draw.svg import svg

    places = report.worst_first(key)[:number]
    values = report.instance_values()
    for after, place in enumerate(places):
        _, x = report.worst(key, after=after)
        scene = drawing_of_explanation(x, measure=key).scene
        ids = report.kept.ids
        name = f"row {place + 1}" if isinstance(ids, range) else shown_label(str(ids[place]))
        cells = (f"{called(m.key)} {as_text(values[m.key][place])}" for m in report.declared)
        yield PageDrawing(
            Markup(svg(scene, ground="own").html(HIGHEST)),
            name,
            [
                f"True: {_label_list(report, x.true)}. Predicted: {_label_list(report, x.predicted)}.",
                " · ".join(cells),
            ],
        )


def _label_list(report: Report, labels: Iterable[str]) -> str:
    h = report.hierarchy
    words = [
        shown_label(label) + (f" ({shown_label(title)})" if title else "")
        for label, title in ((label, h.caption(label)[1]) for label in sorted(labels))
    ]
    return ", ".join(words) or "none"


# --- settings -------------------------------------------------------------------------------------


def _settings_part(reports: Mapping[str, Report], comparison: "Comparison | None") -> PagePart:
    """Return the options, the tests and the notes, and the signature of each run."""
    first = next(iter(reports.values()))
    settings = {f"option {name}": getattr(first.options, name) for name in first.options.changed}
    if comparison is not None:
        settings |= {
            "test": comparison.test or "none",
            "alpha": f"{comparison.alpha:g}",
            "correction": comparison.correction or "none",
        }
    signatures: dict[str, list[str]] = {}
    for name, report in reports.items():
        signatures.setdefault(report.signature, []).append(str(name))
    for signature, names in signatures.items():
        same = len(signatures) == 1
        settings["signature" if same else f"signature of {join_words(names)}"] = signature
    rows = [[PageCell(name), PageCell(str(value))] for name, value in settings.items()]
    notes = [sentence(note) for note in base_of(first.hierarchy).notes]
    notes += [
        sentence(f"{name}: {side}: {note}".removeprefix(": "))
        for name, report in reports.items()
        for side, lost in zip(("true", "predicted"), report.lost, strict=True)
        for note in lost.notes
    ]
    about = "How these numbers were computed, in hiermeasures."
    return PagePart(
        "Settings and signature",
        [about, *dict.fromkeys(notes)],
        [PageTable(["setting", "value"], rows, words=2)],
        open=True,
    )
