"""An evaluation as one HTML page, to hand on to a colleague.

The page needs no server, no network and no script. It follows the reader's light or dark theme and
prints well. Its numbers are those of the reports. Labels and names of systems are untrusted: the
template escapes all text, and drawings are images, so they cannot run scripts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from hiermeasures.draw.palette import DARK, LIGHT
from hiermeasures.draw.templates import html_templates
from hiermeasures.draw.text import sentence
from hiermeasures.evaluation.html_report.disagreement import choose_split, describe_disagreement
from hiermeasures.evaluation.html_report.instances import describe_worst
from hiermeasures.evaluation.html_report.matrices import describe_matrices
from hiermeasures.evaluation.html_report.mistakes import describe_classes, describe_kinds
from hiermeasures.evaluation.html_report.page import PageFocus
from hiermeasures.evaluation.html_report.scores import (
    describe_pairs,
    describe_scores,
    describe_settings,
)
from hiermeasures.evaluation.html_report.wording import break_words
from hiermeasures.evaluation.outside import base_of
from hiermeasures.hierarchy.words import capitalize, join_words, write_count

if TYPE_CHECKING:
    from hiermeasures.evaluation import Report
    from hiermeasures.evaluation.compare import Comparison
    from hiermeasures.evaluation.compare.why import DifferenceSplit

UNKNOWN = {
    "error": "refused",
    "fail": "refused",
    "wrong": "counted as wrong",
    "prefix": "replaced by the deepest class on their path",
    "nearest": "replaced by the class with the nearest name",
    "drop": "left out",
}


def write_page(
    reports: Mapping[str, "Report"],
    comparison: "Comparison | None" = None,
    *,
    title: str = "",
    remarks: Iterable[str] = (),
    split: "DifferenceSplit | None" = None,
    intervals: float | None = None,
    focus: PageFocus | None = None,
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
    split : DifferenceSplit, optional
        Why two measures disagree about two systems. By default the page finds two measures that
        disagree, if the comparison has only two systems.
    intervals : float, optional
        Confidence of an interval for each value. A comparison has its own intervals.
    focus : PageFocus, optional
        The systems and the order of parts that a person chose. They come first.

    Returns
    -------
    str
        The page as HTML.

    See Also
    --------
    hiermeasures.evaluation.Report.to_html : Write the page of one report.
    hiermeasures.evaluation.compare.Comparison.to_html : Write the page of a comparison.
    """
    focus = focus or PageFocus()
    if split is None and comparison is not None:
        split = choose_split(comparison)
    parts = [describe_scores(reports, comparison, intervals)]
    parts += [describe_disagreement(split, focus)] if split is not None else []
    parts += describe_pairs(comparison)
    if all(report.instances is not None for report in reports.values()):
        focused = {name: reports[name] for name in focus.systems} | dict(reports)
        parts += [describe_kinds(reports), describe_matrices(focused, focus.systems)]
        parts += [*describe_classes(reports), *describe_worst(focused)]
    parts.append(describe_settings(reports, comparison))
    templates = html_templates("hiermeasures.evaluation.html_report")
    templates.filters["break_words"] = break_words
    return templates.get_template("page.html").render(
        LIGHT=asdict(LIGHT),
        DARK=asdict(DARK),
        title=title or "Hierarchical evaluation",
        facts=_facts(reports),
        notes=_list_notes(reports, remarks),
        parts=parts,
    )


def _facts(reports: Mapping[str, "Report"]) -> list[str]:
    """Return the title lines: systems, instances, hierarchy and conventions."""
    first = next(iter(reports.values()))
    h = base_of(first.hierarchy)
    kind = f"{'tree' if h.is_tree else 'DAG'}, {write_count(h.depth, 'level')}"
    counts = (
        f"{write_count(len(reports), 'system')} · {write_count(len(first), 'instance')} · "
        f"{write_count(len(h), 'class')} ({kind})"
    )
    unknown = join_words(list(dict.fromkeys(UNKNOWN[r.policy] for r in reports.values())))
    return [counts, f"{capitalize(first.convention)}. Answers that are not classes: {unknown}."]


def _list_notes(reports: Mapping[str, "Report"], remarks: Iterable[str]) -> list[str]:
    """Return the remarks, and further notes on the hierarchy and the labels."""
    notes = list(remarks)
    h = base_of(next(iter(reports.values())).hierarchy)
    known = [note for note in h.notes if not any(note in remark for remark in notes)]
    lost = [
        f"{name}: {side}: {note}".removeprefix(": ")
        for name, report in reports.items()
        for side, lost in zip(("true", "predicted"), report.lost, strict=True)
        for note in lost.notes
    ]
    return list(dict.fromkeys([*notes, *map(sentence, (*known, *lost))]))
