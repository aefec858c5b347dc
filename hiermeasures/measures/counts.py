"""CoPHE: count-preserving hierarchical evaluation (Falis et al. 2021), per class, per level and
overall.

Set-based measures ask if a class or one of its descendants was predicted. CoPHE counts how many
times.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.words import agree
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.catalogue import Instance, Structure, Term, cited, named
from hiermeasures.measures.ratios import derived_of_counts, f1_precision_recall, ratios_of
from hiermeasures.measures.sets import LevelCounts


@dataclass(frozen=True)
class ClassCounts:
    """The number of true and of predicted labels at or below one class."""

    label: str
    level: int
    true: int
    predicted: int

    @property
    def tp(self) -> int:
        """The overlap of the two counts (Eq. 1)."""
        return min(self.true, self.predicted)

    @property
    def fp(self) -> int:
        """The predictions in excess of the true labels (over-prediction, Eq. 2)."""
        return max(self.predicted - self.true, 0)

    @property
    def fn(self) -> int:
        """The true labels in excess of the predictions (under-prediction, Eq. 3)."""
        return max(self.true - self.predicted, 0)


def _sums(classes: Sequence[ClassCounts]) -> tuple[int, int, int]:
    return sum(c.tp for c in classes), sum(c.fp for c in classes), sum(c.fn for c in classes)


@dataclass(frozen=True)
class CountsTable:
    """Counts per class and per level, from the deepest level up, and their sums."""

    classes: tuple[ClassCounts, ...]
    levels: tuple[LevelCounts, ...]
    tp: int
    fp: int
    fn: int

    @property
    def over(self) -> tuple[str, ...]:
        """The classes predicted more often than true."""
        return tuple(c.label for c in self.classes if c.fp)

    @property
    def under(self) -> tuple[str, ...]:
        """The classes predicted less often than true."""
        return tuple(c.label for c in self.classes if c.fn)


def count(instance: Instance) -> CountsTable:
    """Count the labels at or below each class, from the deepest level up to `max_level`."""
    h = instance.hierarchy
    top = instance.options.max_level or 0
    true, predicted = (
        Counter(a for label in labels for a in h.up(label))
        for labels in (instance.true, instance.predicted)
    )
    order = sorted(
        (true | predicted).keys() - instance.uncounted, key=lambda c: (-h.level(c), h.index(c))
    )
    classes = tuple(
        ClassCounts(c, h.level(c), true[c], predicted[c]) for c in order if h.level(c) >= top
    )
    levels = tuple(
        LevelCounts(v, *_sums([c for c in classes if c.level == v]), instance.options)
        for v in sorted({c.level for c in classes}, reverse=True)
    )
    return CountsTable(classes, levels, *_sums(classes))


def _about(table: CountsTable) -> str:
    return (
        f"On {len(table.levels)} levels: {table.tp} TP, {table.fp} FP, {table.fn} FN. "
        f"Over-predicted: {named(table.over)}. Under-predicted: {named(table.under)}."
    )


def changes(before: CountsTable, after: CountsTable, options: Options) -> list[str]:
    """Describe the counts that changed."""
    parts = []
    for side in ("predicted", "true"):
        was, now = ({c.label: getattr(c, side) for c in table.classes} for table in (before, after))
        parts += [
            f"{named(labels, cat.MOST_NAMED)} {agree(len(labels), 'counts', 'count')} {b} "
            f"{side} instead of {a}"
            for (a, b), labels in sorted(cat.moved(was, now, 0).items())
        ]
    return parts + cat.changed_numbers(
        before, after, {"tp": "matched", "fp": "too many", "fn": "too few"}
    )


def explain_terms(table: CountsTable, options: Options) -> Mapping[str, Term]:
    """Return the terms of the three sums, with the classes that contribute to each."""
    return {
        cell.upper(): Term.of(
            what, (count.label for count in table.classes if getattr(count, cell))
        )
        for cell, what in (
            ("tp", "with counts that match"),
            ("fp", "predicted more often than true"),
            ("fn", "true more often than predicted"),
        )
    }


COUNTS = Structure(
    key="counts",
    family=cat.Family(
        key="counts",
        title="CoPHE",
        description="For each class, count the true and the predicted classes at or below it.",
        rank=5,
        exercises=("CoPHE_F1", "CoPHE_P", "CoPHE_R"),
    ),
    build=count,
    view="counts",
    changes=changes,
    terms=explain_terms,
    columns=("TP", "FP", "FN"),
    meanings=("true positives", "over-predictions", "under-predictions"),
    row=lambda table, options: (table.tp, table.fp, table.fn),
    row_of_class=lambda true, predicted, shared: (shared, predicted - shared, true - shared),
)

_RATIOS = ratios_of("TP", "FP", "FN")

MEASURES = f1_precision_recall(
    structure=COUNTS,
    ratios=_RATIOS,
    keys=("CoPHE_F1", "CoPHE_P", "CoPHE_R"),
    function="cophe",
    name="CoPHE {}",
    symbols=(r"F_1^{\mathrm{CoPHE}}", r"P^{\mathrm{CoPHE}}", r"R^{\mathrm{CoPHE}}"),
    derive=derived_of_counts(COUNTS, _RATIOS, _about),
    descriptions=(
        "The harmonic mean of CoPHE precision and recall.",
        "The share of predicted counts that match true counts, summed over all levels.",
        "The share of true counts that match predicted counts, summed over all levels.",
    ),
    source=cited("@falis2021, Eqs. 1–3"),
    options=("count_root", "max_level", "zero_division", "max_ancestor_distance"),
    macro=True,
)
