"""Averages of measures: the values that each is computed from, and its description in words."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import Measure
from hiermeasures.measures.own import called

if TYPE_CHECKING:
    from hiermeasures.evaluation.results import Report

Average = Literal["samples", "micro", "macro"]
AVERAGES: tuple[Average, ...] = ("samples", "micro", "macro")
Basis = Literal["instances", "sums", "classes"]
_AVERAGE_WORDS = {
    "samples": "mean over the instances",
    "micro": "computed from the summed counts",
    "macro": "mean over the classes",
}


def basis_of(measure: Measure, average: Average) -> Basis | None:
    """Return the basis of a measure's average, or None if the measure does not have this average.

    The basis is the values of the instances, the summed counts, or the counts of each class.

    >>> from hiermeasures.measures import CATALOGUE
    >>> basis_of(CATALOGUE["hF"], "micro"), basis_of(CATALOGUE["HCM_F1"], "samples")
    ('sums', 'sums')
    """
    if measure.pooled == "always" or (average == "micro" and measure.pooled == "micro"):
        return "sums"
    if average == "macro":
        return "classes" if measure.macro else None
    return None if average == "micro" and measure.pooled == "undefined" else "instances"


def convention_in_words(
    measures: Sequence[Measure], options: Options, hierarchy: Hierarchy, average: Average
) -> str:
    """Return the average in words, and whether the root counts if a measure can count it."""
    words = [average_in_words(measures, average), root_in_words(measures, options, hierarchy)]
    return "; ".join(filter(None, words))


def average_in_words(measures: Sequence[Measure], average: Average) -> str:
    """Return the average in words. It names the measures that are always computed from sums."""
    words = _AVERAGE_WORDS[average]
    if average != "micro" and (always := [called(m.key) for m in measures if m.pooled == "always"]):
        named = f"{', '.join(always[:3])}{', …' * (len(always) > 3)}"
        some = len(always) < len(measures)
        words = f"{words}, {named} from summed counts" if some else _AVERAGE_WORDS["micro"]
    return words


def root_in_words(measures: Sequence[Measure], options: Options, hierarchy: Hierarchy) -> str:
    """Return whether the root counts, or "" if no measure can count it."""
    if not any("count_root" in measure.options for measure in measures):
        return ""
    kind = "virtual root" if hierarchy.virtual_root else "root"
    return f"the {kind} is {'counted' if options.counts_root(hierarchy) else 'left out'}"


def notes_about_values(reports: Mapping[Any, "Report"]) -> list[str]:
    """Return the notes of several reports about values. Each is given once, after the names."""
    notes: dict[str, list[str]] = {}
    for name, report in reports.items():
        for note in report.value_notes:
            notes.setdefault(note, []).append(str(name))
    return [f"{', '.join(names)}: {note}" for note, names in notes.items()]


def read_classes(measure: Measure, counts: np.ndarray, options: Options) -> np.ndarray:
    """Return a measure of every class, computed from its counts.

    `counts` has the shape (3, classes): true, predicted and shared.
    """
    structure = measure.structure
    assert structure.row_of_class is not None, "counted per class"
    row = structure.named_row(*structure.row_of_class(*counts))
    return np.asarray(measure.read(row, measure.settled(options)), float)
