"""CoPHE: count-preserving hierarchical evaluation (Falis et al. 2021), per class, per level and overall.

Where set-based measures ask whether a class or its descendants were predicted, the counts here say how many times.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from hiermeasures.measures.catalogue import Derivation, Family, Instance, Measure, fraction, named, number, ratio
from hiermeasures.measures.sets import LevelCounts
from hiermeasures.options import Options


@dataclass(frozen=True)
class ClassCounts:
    """How many true and predicted label classes lie at or below one class, each counted once."""

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
        """Over-prediction (Eq. 2)."""
        return max(self.predicted - self.true, 0)

    @property
    def fn(self) -> int:
        """Under-prediction (Eq. 3)."""
        return max(self.true - self.predicted, 0)


@dataclass(frozen=True)
class CountsTable:
    """Counts per class, from the deepest level up; `levels` sums them per level, the properties over all."""

    classes: tuple[ClassCounts, ...]
    levels: tuple[LevelCounts, ...]

    @property
    def tp(self) -> int:
        return sum(c.tp for c in self.classes)

    @property
    def fp(self) -> int:
        return sum(c.fp for c in self.classes)

    @property
    def fn(self) -> int:
        return sum(c.fn for c in self.classes)

    @property
    def over(self) -> tuple[str, ...]:
        """The classes predicted more often than true."""
        return tuple(c.label for c in self.classes if c.fp)

    @property
    def under(self) -> tuple[str, ...]:
        """The classes predicted less often than true."""
        return tuple(c.label for c in self.classes if c.fn)


def count(instance: Instance) -> CountsTable:
    """Count, for every class from the deepest level up to `max_level`, the label classes at or below it (Section
    3.1).
    """
    h = instance.hierarchy
    top = instance.options.max_level or 0
    true, predicted = (
        Counter(a for label in labels for a in h.up(label)) for labels in (instance.true, instance.predicted)
    )
    counted = (
        c for c in sorted(true | predicted, key=lambda c: (-h.level(c), h.index(c))) if c not in instance.uncounted
    )
    classes = tuple(ClassCounts(c, h.level(c), true[c], predicted[c]) for c in counted if h.level(c) >= top)
    levels = tuple(_level(v, classes, instance.options) for v in sorted({c.level for c in classes}, reverse=True))
    return CountsTable(classes, levels)


def _level(level: int, classes: tuple[ClassCounts, ...], options: Options) -> LevelCounts:
    here = [c for c in classes if c.level == level]
    return LevelCounts(
        level, sum(c.tp for c in here), sum(c.fp for c in here), sum(c.fn for c in here), options.zero_division
    )


def _agree(table: CountsTable) -> bool:
    return not (table.tp or table.fp or table.fn)


def cophe_precision(table: CountsTable, options: Options) -> float:
    return ratio(table.tp, table.tp + table.fp, options, _agree(table))


def cophe_recall(table: CountsTable, options: Options) -> float:
    return ratio(table.tp, table.tp + table.fn, options, _agree(table))


def cophe_f1(table: CountsTable, options: Options) -> float:
    return ratio(2 * table.tp, 2 * table.tp + table.fp + table.fn, options, _agree(table))


def _derive(
    formula: str,
    score: Callable[[CountsTable, Options], float],
    part: Callable[[CountsTable], int],
    whole: Callable[[CountsTable], int],
) -> Callable[[CountsTable, Options], Derivation]:
    def derive(table: CountsTable, options: Options) -> Derivation:
        value = score(table, options)
        latex = (
            f"{formula} = {fraction(part(table), whole(table), value)}"
            if whole(table)
            else f"{formula} = {number(value)}"
        )
        return Derivation(
            latex,
            f"Over {len(table.levels)} levels {table.tp} TP, {table.fp} FP, {table.fn} FN. "
            f"Over-predicted: {named(table.over)}; under-predicted: {named(table.under)}.",
        )

    return derive


FAMILIES = (Family("counts", "CoPHE", "Each class counts how many true and predicted classes lie at or below it."),)

_OPTIONS = ("count_root", "max_level", "zero_division", "max_ancestor_distance")
_SOURCE = "Falis et al. 2021, Eqs. 1–3"

MEASURES = (
    Measure(
        "CoPHE_F1", r"F_1^{\mathrm{CoPHE}}", "CoPHE F1", "counts", "counts", r"\frac{2 TP}{2 TP + FP + FN}",
        "The harmonic mean of CoPHE precision and recall.", _SOURCE, cophe_f1,
        _derive(r"\frac{2 TP}{2 TP + FP + FN}", cophe_f1, lambda t: 2 * t.tp, lambda t: 2 * t.tp + t.fp + t.fn), options=_OPTIONS,
    ),
    Measure(
        "CoPHE_P", r"P^{\mathrm{CoPHE}}", "CoPHE precision", "counts", "counts", r"\frac{TP}{TP + FP}",
        "The share of the predicted counts, summed over all levels, that the truth confirms.", _SOURCE, cophe_precision,
        _derive(r"\frac{TP}{TP + FP}", cophe_precision, lambda t: t.tp, lambda t: t.tp + t.fp), options=_OPTIONS,
    ),
    Measure(
        "CoPHE_R", r"R^{\mathrm{CoPHE}}", "CoPHE recall", "counts", "counts", r"\frac{TP}{TP + FN}",
        "The share of the true counts, summed over all levels, that the prediction reaches.", _SOURCE, cophe_recall,
        _derive(r"\frac{TP}{TP + FN}", cophe_recall, lambda t: t.tp, lambda t: t.tp + t.fn), options=_OPTIONS,
    ),
)  # fmt: skip

BUILDERS = {"counts": count}
