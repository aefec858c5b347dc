"""CoPHE: count-preserving hierarchical evaluation (Falis et al. 2021), per class, per level and overall.

Where set-based measures ask whether a class or its descendants were predicted, the counts here say how many times.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hiermeasures.measures.catalogue import (
    Derivation,
    Family,
    Instance,
    Measure,
    Structure,
    fraction,
    named,
    number,
    ratio,
)
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
    return LevelCounts(level, sum(c.tp for c in here), sum(c.fp for c in here), sum(c.fn for c in here), options)


def cophe_precision(c: Any, options: Options) -> Any:
    return ratio(c.TP, c.TP + c.FP, options, agree=c.FN == 0)


def cophe_recall(c: Any, options: Options) -> Any:
    return ratio(c.TP, c.TP + c.FN, options, agree=c.FP == 0)


def cophe_f1(c: Any, options: Options) -> Any:
    return ratio(2 * c.TP, 2 * c.TP + c.FP + c.FN, options, agree=True)


def _derive(
    formula: str, part: Callable[[CountsTable], int], whole: Callable[[CountsTable], int]
) -> Callable[[CountsTable, float, Options], Derivation]:
    def derive(table: CountsTable, value: float, options: Options) -> Derivation:
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


COUNTS = Structure(
    key="counts",
    family=Family(
        key="counts",
        title="CoPHE",
        description="Each class counts how many true and predicted classes lie at or below it.",
        rank=5,
    ),
    build=count,
    columns=("TP", "FP", "FN"),
    meanings=("true positives", "over-predictions", "under-predictions"),
    row=lambda table, options: (table.tp, table.fp, table.fn),
    row_of_class=lambda true, predicted, shared: (shared, predicted - shared, true - shared),
)

_OPTIONS = ("count_root", "max_level", "zero_division", "max_ancestor_distance")
_SOURCE = "Falis et al. 2021, Eqs. 1–3"

MEASURES = (
    Measure(
        key="CoPHE_F1",
        function="cophe_f1_score",
        symbol=r"F_1^{\mathrm{CoPHE}}",
        name="CoPHE F1",
        structure=COUNTS,
        read=cophe_f1,
        macro=True,
        formula=r"\frac{2 TP}{2 TP + FP + FN}",
        derive=_derive(r"\frac{2 TP}{2 TP + FP + FN}", lambda t: 2 * t.tp, lambda t: 2 * t.tp + t.fp + t.fn),
        description="The harmonic mean of CoPHE precision and recall.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="CoPHE_P",
        function="cophe_precision_score",
        symbol=r"P^{\mathrm{CoPHE}}",
        name="CoPHE precision",
        structure=COUNTS,
        read=cophe_precision,
        macro=True,
        formula=r"\frac{TP}{TP + FP}",
        derive=_derive(r"\frac{TP}{TP + FP}", lambda t: t.tp, lambda t: t.tp + t.fp),
        description="The share of the predicted counts, summed over all levels, that the truth confirms.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="CoPHE_R",
        function="cophe_recall_score",
        symbol=r"R^{\mathrm{CoPHE}}",
        name="CoPHE recall",
        structure=COUNTS,
        read=cophe_recall,
        macro=True,
        formula=r"\frac{TP}{TP + FN}",
        derive=_derive(r"\frac{TP}{TP + FN}", lambda t: t.tp, lambda t: t.tp + t.fn),
        description="The share of the true counts, summed over all levels, that the prediction reaches.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
)
