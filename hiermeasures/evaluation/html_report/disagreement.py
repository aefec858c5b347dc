"""Why two measures disagree about two systems, on the HTML page."""

from typing import TYPE_CHECKING

from hiermeasures.evaluation.averages import basis_of
from hiermeasures.evaluation.compare.why import MOST, TITLES, DifferenceSplit
from hiermeasures.evaluation.html_report.instances import draw_instance
from hiermeasures.evaluation.html_report.page import PageCell, PageFocus, PagePart, PageTable
from hiermeasures.hierarchy.words import capitalize, join_words
from hiermeasures.measures.own import spoken

if TYPE_CHECKING:
    from hiermeasures.evaluation.compare import Comparison

USUAL = ("accuracy", "hF")


def choose_split(comparison: "Comparison") -> DifferenceSplit | None:
    """Return the split of two systems by the first two measures that prefer different systems.

    If no two measures do, use accuracy and hF. Return None if there are more systems, or if the
    measures are not means over instances.
    """
    if len(comparison.reports) != 2:
        return None
    report = next(iter(comparison.reports.values()))
    keys = [
        key
        for key in comparison.scores.columns
        if basis_of(comparison.measure(key), report.average) == "instances"
        and comparison.scores[key].notna().all()
    ]
    signs = {key: _find_better(comparison, key) for key in keys}
    opposite = ((a, b) for a in keys for b in keys if signs[a] * signs[b] < 0)
    usual = USUAL if set(USUAL) <= set(keys) else None
    pair = next(opposite, usual)
    return comparison.why(*pair) if pair is not None else None


def _find_better(comparison: "Comparison", key: str) -> int:
    """Return 1 if the first system is better, −1 if the second is, and 0 if they are equal."""
    first, second = map(float, comparison.scores[key])
    sign = 1 if comparison.measure(key).better == "higher" else -1
    return sign * ((first > second) - (first < second))


def describe_disagreement(split: DifferenceSplit, focus: PageFocus) -> PagePart:
    """Return the sentence, the parts of both differences, and the most telling instances."""
    first, second = (spoken(measure.key) for measure in split.measures)
    parts = []
    for by, title in TITLES.items():
        head, rows = split.rows(focus.table_of(by) if focus.table_of else getattr(split, by), MOST)
        cells = [[PageCell(text) for text in row] for row in rows]
        table = PageTable(head, cells, words=len(head) - 3)
        parts.append(PagePart(capitalize(title), tables=[table], open=by == "kinds"))
    key = split.measures[1].key
    drawings = [
        draw_instance(report, place, key, system)
        for place in split.telling
        for system, report in zip(split.systems, split.reports, strict=True)
    ]
    if drawings:
        parts.append(PagePart("The most telling instances", drawings=drawings))
    title = f"Why {first} and {second} differ on {join_words(split.systems)}"
    notes = [f"{split.title}.", *split.notes]
    return PagePart(title, notes, answer=split.sentence, parts=parts, open=True)
