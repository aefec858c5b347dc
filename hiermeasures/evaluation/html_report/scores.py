"""Scores on the HTML page: values, ranks, tests, correlations and settings."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from hiermeasures.draw.text import about_intervals, as_text, sentence, write_interval
from hiermeasures.evaluation.averages import notes_about_values
from hiermeasures.evaluation.compare.significance import ABOUT_P_VALUES
from hiermeasures.evaluation.html_report.page import PageCell, PagePart, PageTable
from hiermeasures.hierarchy.words import join_words
from hiermeasures.measures.catalogue import ABOUT_ARROWS, ARROWS
from hiermeasures.measures.own import called

if TYPE_CHECKING:
    from hiermeasures.evaluation import Report
    from hiermeasures.evaluation.compare import Comparison


def describe_scores(
    reports: Mapping[str, "Report"], comparison: "Comparison | None", intervals: float | None
) -> PagePart:
    """Return the scores. `intervals` is the confidence of intervals if `comparison` is None."""
    if comparison is not None:
        notes = [*comparison.about()[1:], ABOUT_ARROWS, *map(sentence, comparison.value_notes())]
        return PagePart("Scores", notes, [_ranked_scores(comparison)], open=True)
    several = len(reports) > 1
    said = notes_about_values(reports) if several else next(iter(reports.values())).value_notes
    about = [] if intervals is None else [about_intervals(intervals)]
    notes = [*about, ABOUT_ARROWS, *map(sentence, said)]
    return PagePart("Scores", notes, [_plain_scores(reports, intervals)], open=True)


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
    rank, below = comparison.rank(name, key), comparison.write_interval(name, key)
    return PageCell(value if rank is None else f"{value} ({rank})", below, first=rank == 1)


def _plain_scores(reports: Mapping[str, "Report"], intervals: float | None) -> PageTable:
    """Return measures × systems."""
    declared = next(iter(reports.values())).declared
    columns = []
    for report in reports.values():
        below = dict.fromkeys(report.measures, "")
        if intervals is not None:
            ends = report.intervals(intervals)
            below = {key: write_interval(*ends.loc[key]) for key in report.measures}
        cells = report.cells(as_text)
        columns.append({key: PageCell(cells[key], below[key]) for key in report.measures})
    rows = [
        [
            PageCell(f"{called(m.key)} {ARROWS[m.better]}"),
            PageCell(m.name),
            *(cells[m.key] for cells in columns),
        ]
        for m in declared
    ]
    names = ["value"] if len(reports) == 1 else [str(name) for name in reports]
    return PageTable(["measure", "name", *names], rows, words=2)


def describe_pairs(comparison: "Comparison | None") -> Iterable[PagePart]:
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
        yield PagePart("Significance of every pair", [ABOUT_P_VALUES], parts=tables)
    if comparison.correlated:
        rows = [
            [PageCell(called(key)), *map(PageCell, cells)]
            for key, cells in comparison.correlation_rows()
        ]
        table = PageTable(["measure", *map(called, comparison.scores.columns)], rows)
        about = "Kendall's tau-b between the measures' rankings: 1 if they rank the systems alike."
        yield PagePart("Do the measures rank alike?", [about], [table])


def describe_settings(reports: Mapping[str, "Report"], comparison: "Comparison | None") -> PagePart:
    """Return the options, the tests, and the signature of each run."""
    first = next(iter(reports.values()))
    settings = {f"option {name}": value for name, value in first.options.changed.items()}
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
    about = "How these numbers were computed, in hiermeasures."
    return PagePart(
        "Settings and signature",
        [about],
        [PageTable(["setting", "value"], rows, words=2)],
        open=True,
    )
