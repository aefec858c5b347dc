r"""Precision, recall and F of one rank, as classifiers of organisms are evaluated: a prediction that stops above the
truth has missed it, but said nothing wrong.

Both sides are cut at a level of the hierarchy, the rank, and their most specific classes compared. With one lineage on
each side that is the authors' comparison of two names cut at the rank: equal names are a true positive; a predicted
name with which the true one begins is an under-classification, which is a false negative and nothing else; any other is
a false positive and a false negative (Bokulich et al. 2018). That holds for a prediction below the truth, too. Here
either side may have several classes, and a class several parents: then a most specific predicted class is a true
positive where it is a most specific true one, and a false positive where it is neither that nor above one. An empty
side, like the authors' "Unassigned", is known to be below the root and stands for it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures.catalogue import Derivation, Instance, Measure, Structure, fraction, named, number, ratio
from hiermeasures.measures.path_constrained import PATHS_AND_RANKS
from hiermeasures.measures.sets import Part, SetOverlap
from hiermeasures.measures.specific import SpecificClasses
from hiermeasures.options import Options


@dataclass(frozen=True)
class RankedSets(SetOverlap):
    """The most specific classes of both sides down to a rank. `above` are the predicted ones that lie above a true
    class: under-classified.
    """

    rank: int | None = None
    above: frozenset[str] = frozenset()
    struck_because: ClassVar[str] = (
        "A class is struck out where it is deeper than the rank, or above another one of its own side."
    )

    @property
    def wrong(self) -> frozenset[str]:
        """Predicted, and neither true nor above a true class."""
        return self.spurious - self.above

    @property
    def parts(self) -> tuple[Part, ...]:
        both, missed, spurious, struck = super().parts
        above = "predicted only, above a true class: no false positive"
        return (
            both,
            missed,
            replace(spurious, classes=self.wrong),
            Part(above, "in the predicted set above a true class", self.above, optional=True),
            replace(struck, place="left out, deeper than the rank or above another class of its own side"),
        )


def at_rank(instance: Instance) -> RankedSets:
    """The most specific classes of both sides after they are cut at the option `rank` (Bokulich et al. 2018)."""
    h, rank = instance.hierarchy, instance.options.rank
    true, predicted = (_cut(h, labels, rank) for labels in (instance.true, instance.predicted))
    over_true = frozenset[str]().union(*(h.ancestors(c) for c in true))
    return RankedSets(
        true,
        predicted,
        true - instance.true,
        predicted - instance.predicted,
        instance.true - true - predicted,
        instance.predicted - predicted - true,
        classes=len(h),
        rank=rank,
        above=predicted & over_true,
    )


def _cut(h: Hierarchy, labels: frozenset[str], rank: int | None) -> frozenset[str]:
    """The most specific classes of a set down to a level; the root where there are none."""
    grown = labels.union(*(h.ancestors(c) for c in labels))
    kept = (c for c in grown if rank is None or h.level(c) <= rank)
    return frozenset(SpecificClasses.of(h, kept).or_root(h))


def precision(c: Any, options: Options) -> Any:
    """TP / (TP + FP)."""
    return ratio(c.TP, c.TP + c.FP, options)


def recall(c: Any, options: Options) -> Any:
    """TP / (TP + FN)."""
    return ratio(c.TP, c.TP + c.FN, options)


def f1(c: Any, options: Options) -> Any:
    """2 TP / (2 TP + FP + FN)."""
    return ratio(2 * c.TP, 2 * c.TP + c.FP + c.FN, options)


def _derive(formula: str, part: Callable[[int, int, int], tuple[int, int]]) -> Any:
    def derive(sets: RankedSets, value: float, options: Options) -> Derivation:
        above, below = part(len(sets.shared), len(sets.wrong), len(sets.missed))
        latex = f"{formula} = {fraction(above, below, value)}" if below else f"{formula} = {number(value)}"
        return Derivation(latex, _about(sets))

    return derive


def _about(sets: RankedSets) -> str:
    where = "Most specific" if sets.rank is None else f"Down to rank {sets.rank}, most specific"
    parts = [f"{where} are {named(sets.predicted)} of the prediction and {named(sets.true)} of the truth"]
    for words, classes in (
        ("true positive", sets.shared),
        ("false positive", sets.wrong),
        ("false negative", sets.missed),
        ("above a true class, and so no false positive", sets.above),
    ):
        if classes:
            parts.append(f"{words}: {named(classes)}")
    return "; ".join(parts) + "."


RANKS = Structure(
    key="ranks",
    family=PATHS_AND_RANKS,
    build=at_rank,
    columns=("TP", "FP", "FN"),
    meanings=("most specific classes found", "wrong ones, not above a true class", "most specific classes missed"),
    row=lambda sets, options: (len(sets.shared), len(sets.wrong), len(sets.missed)),
)

_OPTIONS = ("rank", "max_ancestor_distance")
_SOURCE = "Bokulich et al. 2018; Robeson et al. 2021"

MEASURES = (
    Measure(
        key="rank_F",
        function="rank_f1_score",
        symbol=r"F_{rank}",
        name="F at a rank",
        structure=RANKS,
        read=f1,
        formula=r"\frac{2 TP}{2 TP + FP + FN}",
        derive=_derive(r"\frac{2 TP}{2 TP + FP + FN}", lambda tp, fp, fn: (2 * tp, 2 * tp + fp + fn)),
        description="The harmonic mean of precision and recall at a rank.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="rank_P",
        function="rank_precision_score",
        symbol=r"P_{rank}",
        name="Precision at a rank",
        structure=RANKS,
        read=precision,
        formula=r"\frac{TP}{TP + FP}",
        derive=_derive(r"\frac{TP}{TP + FP}", lambda tp, fp, fn: (tp, tp + fp)),
        description="The share of the most specific predicted classes that are most specific true ones, down to a "
        "rank; one that lies above a true class is left out.",
        source=_SOURCE,
        options=(*_OPTIONS, "zero_division"),
    ),
    Measure(
        key="rank_R",
        function="rank_recall_score",
        symbol=r"R_{rank}",
        name="Recall at a rank",
        structure=RANKS,
        read=recall,
        formula=r"\frac{TP}{TP + FN}",
        derive=_derive(r"\frac{TP}{TP + FN}", lambda tp, fp, fn: (tp, tp + fn)),
        description="The share of the most specific true classes, down to a rank, that are predicted.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
)
