r"""Measures of classes that weigh differently: precision and recall of information, misinformation and remaining
uncertainty, the information contrast model, simGIC.

All of them read three sums over the two ancestor-augmented sets: the weights of what both have (tp), of what is
predicted only (mi) and of what is true only (ru). Where a class gets its weight from is said by the option
`class_weights`; where every class weighs 1, wP, wR, wF and mi + ru are hP, hR, hF and the symmetric difference loss.

ICM (Amigó and Delgado 2022) takes the information of a set of classes by a recursion over their deepest common
ancestors. That is a sum over the set with all its ancestors, of weights w(c) = IC(c) − (the weights of all classes
above c), where IC(c) = −log₂ P(c): of two classes the deepest common ancestors are what lies above both, so that the
recursion subtracts what would be counted twice. On a tree w(c) is the information of c given its parent, so that ICM is
tp − mi − ru of the same sums; in a DAG it is tp − mi − ru of other weights, which may be negative.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiermeasures.measures.catalogue import (
    Derivation,
    Family,
    Instance,
    Measure,
    Structure,
    counted,
    fraction,
    named,
    number,
    ratio,
)
from hiermeasures.measures.sets import SetOverlap, augmented_by_ancestors
from hiermeasures.options import Options


@dataclass(frozen=True, eq=False)
class WeightedSets(SetOverlap):
    """The two ancestor-augmented sets, and what each of their classes weighs."""

    weights: Mapping[str, float] | None = None

    def weight(self, classes: Iterable[str]) -> float:
        """The sum of some classes' weights; it does not depend on their order."""
        weights = self.weights
        return math.fsum(1.0 if weights is None else weights[c] for c in classes)

    @property
    def tp(self) -> float:
        """What both sides have."""
        return self.weight(self.shared)

    @property
    def mi(self) -> float:
        """What is predicted only: misinformation."""
        return self.weight(self.spurious)

    @property
    def ru(self) -> float:
        """What is true only: remaining uncertainty."""
        return self.weight(self.missed)


ROWS = {"weighted": 0, "contrast": 1}
"""Which row of a hierarchy's class weights a structure takes, by its key."""


# --- builders -----------------------------------------------------------------------------------------------------


def weighted(instance: Instance) -> WeightedSets:
    """The augmented sets with the weights of the hierarchy that the options ask for."""
    return _weighted(instance, ROWS["weighted"])


def contrasted(instance: Instance) -> WeightedSets:
    """The same with the weights that ICM takes."""
    return _weighted(instance, ROWS["contrast"])


def _weighted(instance: Instance, row: int) -> WeightedSets:
    sets, h = augmented_by_ancestors(instance), instance.hierarchy
    weights = None
    if h.class_weights is not None:
        weights = {c: float(h.class_weights[row, h.index(c)]) for c in sets.true | sets.predicted}
    return WeightedSets(
        sets.true,
        sets.predicted,
        sets.true_added,
        sets.predicted_added,
        classes=sets.classes,
        subscript=sets.subscript,
        weights=weights,
    )


# --- what is read off -----------------------------------------------------------------------------------------------


def sums(sets: WeightedSets, options: Options) -> tuple[float, float, float]:
    """The columns: tp, mi, ru."""
    return sets.tp, sets.mi, sets.ru


def precision(c: Any, options: Options) -> Any:
    """tp / (tp + mi)."""
    return ratio(c.tp, c.tp + c.mi, options, agree=c.ru == 0)


def recall(c: Any, options: Options) -> Any:
    """tp / (tp + ru)."""
    return ratio(c.tp, c.tp + c.ru, options, agree=c.mi == 0)


def f1(c: Any, options: Options) -> Any:
    """2 tp / (2 tp + mi + ru)."""
    return ratio(2 * c.tp, 2 * c.tp + c.mi + c.ru, options, agree=True)


def shared_information(c: Any, options: Options) -> Any:
    """tp / (tp + mi + ru)."""
    return ratio(c.tp, c.tp + c.mi + c.ru, options, agree=True)


def semantic_distance(c: Any, options: Options) -> Any:
    """√(mi² + ru²)."""
    return np.hypot(c.mi, c.ru)


def contrast(c: Any, options: Options) -> Any:
    """tp − mi − ru."""
    return c.tp - c.mi - c.ru


def contrast_norm(c: Any, options: Options) -> Any:
    """(ICM + ICM of the truth with itself) / (2 · ICM of the truth with itself), not below 0."""
    return np.maximum(ratio(2 * c.tp - c.mi, 2 * (c.tp + c.ru), options, agree=c.mi == 0), 0.0)


# --- derivations --------------------------------------------------------------------------------------------------


def _about(sets: WeightedSets) -> str:
    return (
        f"In both: {named(sets.shared)} ({number(sets.tp)}); predicted only: {named(sets.spurious)} "
        f"({number(sets.mi)}); true only: {named(sets.missed)} ({number(sets.ru)})."
    )


def _ratio(
    formula: str, part: Callable[[WeightedSets], float], whole: Callable[[WeightedSets], float]
) -> Callable[[WeightedSets, float, Options], Derivation]:
    """The derivation of a ratio of two sums."""

    def derive(sets: WeightedSets, value: float, options: Options) -> Derivation:
        if not whole(sets):
            return Derivation(
                rf"{formula} \;\Rightarrow\; {number(value)}", f"{_about(sets)} The ratio is 0/0: {number(value)}."
            )
        return Derivation(rf"{formula} = {fraction(part(sets), whole(sets), value)}", _about(sets))

    return derive


def _sum(formula: str, of: str) -> Callable[[WeightedSets, float, Options], Derivation]:
    """The derivation of one sum."""
    words = {"mi": "predicted only", "ru": "true only"}

    def derive(sets: WeightedSets, value: float, options: Options) -> Derivation:
        classes = sets.spurious if of == "mi" else sets.missed
        return Derivation(
            rf"{formula} = {number(value)}",
            f"{counted(len(classes), 'class is', 'classes are')} {words[of]}: {named(classes)}; together they weigh "
            f"{number(value)}.",
        )

    return derive


def derive_distance(sets: WeightedSets, value: float, options: Options) -> Derivation:
    latex = rf"\sqrt{{mi^2 + ru^2}} = \sqrt{{{number(sets.mi)}^2 + {number(sets.ru)}^2}} = {number(value)}"
    return Derivation(latex, _about(sets))


def derive_contrast(sets: WeightedSets, value: float, options: Options) -> Derivation:
    latex = rf"tp - mi - ru = {number(sets.tp)} - {number(sets.mi)} - {number(sets.ru)} = {number(value)}"
    return Derivation(latex, _about(sets))


# --- declarations -------------------------------------------------------------------------------------------------

_FAMILY = Family(
    key="weighted",
    title="Weighted classes",
    description="Ancestor sets in which each class counts as much as it weighs.",
    rank=6,
)
_COLUMNS = ("tp", "mi", "ru")
_MEANINGS = ("weight on both sides", "weight on the predicted side only", "weight on the true side only")

WEIGHTED = Structure(
    key="weighted", family=_FAMILY, build=weighted, columns=_COLUMNS, meanings=_MEANINGS, row=sums, whole=False
)
CONTRAST = Structure(
    key="contrast", family=_FAMILY, build=contrasted, columns=_COLUMNS, meanings=_MEANINGS, row=sums, whole=False
)

_OPTIONS = ("class_weights", "information_smoothing", "count_root", "max_ancestor_distance")
_RATIO = (*_OPTIONS, "zero_division")
_CLARK = "Clark and Radivojac 2013"
_ICM = "Amigó and Delgado 2022"

MEASURES = (
    Measure(
        key="wF",
        function="weighted_f1_score",
        symbol=r"\mathrm{wF}",
        name="Weighted F1",
        structure=WEIGHTED,
        read=f1,
        formula=r"\frac{2\,tp}{2\,tp + mi + ru}",
        derive=_ratio(r"\frac{2\,tp}{2\,tp + mi + ru}", lambda s: 2 * s.tp, lambda s: 2 * s.tp + s.mi + s.ru),
        description="The harmonic mean of weighted precision and recall. Where every class weighs 1 it is hF.",
        source=f"{_CLARK}; Valmadre 2022",
        options=_RATIO,
    ),
    Measure(
        key="wP",
        function="weighted_precision_score",
        symbol=r"\mathrm{wP}",
        name="Weighted precision",
        structure=WEIGHTED,
        read=precision,
        formula=r"\frac{tp}{tp + mi}",
        derive=_ratio(r"\frac{tp}{tp + mi}", lambda s: s.tp, lambda s: s.tp + s.mi),
        description="The share of the predicted weight that is true. Where every class weighs 1 it is hP.",
        source=f"{_CLARK}; Valmadre 2022",
        options=_RATIO,
    ),
    Measure(
        key="wR",
        function="weighted_recall_score",
        symbol=r"\mathrm{wR}",
        name="Weighted recall",
        structure=WEIGHTED,
        read=recall,
        formula=r"\frac{tp}{tp + ru}",
        derive=_ratio(r"\frac{tp}{tp + ru}", lambda s: s.tp, lambda s: s.tp + s.ru),
        description="The share of the true weight that is predicted. Where every class weighs 1 it is hR.",
        source=f"{_CLARK}; Valmadre 2022",
        options=_RATIO,
    ),
    Measure(
        key="simGIC",
        function="sim_gic_score",
        symbol=r"\mathrm{simGIC}",
        name="Shared graph information",
        structure=WEIGHTED,
        read=shared_information,
        formula=r"\frac{tp}{tp + mi + ru}",
        derive=_ratio(r"\frac{tp}{tp + mi + ru}", lambda s: s.tp, lambda s: s.tp + s.mi + s.ru),
        description="The weight that both sides have, as a share of the weight that either has.",
        source="Pesquita et al. 2007",
        options=_RATIO,
    ),
    Measure(
        key="mi",
        function="misinformation_loss",
        symbol=r"\mathrm{mi}",
        name="Misinformation",
        structure=WEIGHTED,
        better="lower",
        high=None,
        read=lambda c, options: c.mi,
        pooled="never",
        formula=r"\sum_{c \in \hat{Y}_{aug} \setminus Y_{aug}} w(c)",
        derive=_sum(r"\sum_{c \in \hat{Y}_{aug} \setminus Y_{aug}} w(c)", "mi"),
        description="The weight of what is predicted and not true.",
        source=_CLARK,
        options=_OPTIONS,
    ),
    Measure(
        key="ru",
        function="remaining_uncertainty_loss",
        symbol=r"\mathrm{ru}",
        name="Remaining uncertainty",
        structure=WEIGHTED,
        better="lower",
        high=None,
        read=lambda c, options: c.ru,
        pooled="never",
        formula=r"\sum_{c \in Y_{aug} \setminus \hat{Y}_{aug}} w(c)",
        derive=_sum(r"\sum_{c \in Y_{aug} \setminus \hat{Y}_{aug}} w(c)", "ru"),
        description="The weight of what is true and not predicted.",
        source=_CLARK,
        options=_OPTIONS,
    ),
    Measure(
        key="S",
        function="semantic_distance_loss",
        symbol="S",
        name="Semantic distance",
        structure=WEIGHTED,
        better="lower",
        high=None,
        read=semantic_distance,
        pooled="never",
        formula=r"\sqrt{mi^2 + ru^2}",
        derive=derive_distance,
        description="Misinformation and remaining uncertainty as the two legs of a right angle.",
        source=_CLARK,
        options=_OPTIONS,
    ),
    Measure(
        key="ICM",
        function="icm_score",
        symbol=r"\mathrm{ICM}",
        name="Information contrast",
        structure=CONTRAST,
        low=None,
        high=None,
        read=contrast,
        pooled="never",
        perfect_varies=True,
        formula=r"tp - mi - ru",
        derive=derive_contrast,
        description="The weight that both sides have, less the weight that only one has. In a DAG its information of a "
        "class is counted by the class alone, not given its parents.",
        source=_ICM,
        options=_OPTIONS,
    ),
    Measure(
        key="ICM_norm",
        function="icm_norm_score",
        symbol=r"\mathrm{ICM}_{norm}",
        name="Normalised information contrast",
        structure=CONTRAST,
        read=contrast_norm,
        pooled="always",
        formula=r"\max\left(0, \frac{2\,tp - mi}{2\,(tp + ru)}\right)",
        derive=_ratio(
            r"\max\left(0, \frac{2\,tp - mi}{2\,(tp + ru)}\right)",
            lambda s: 2 * s.tp - s.mi,
            lambda s: 2 * (s.tp + s.ru),
        ),
        description="ICM between that of nothing right (0) and that of the truth with itself (1). Of many instances it "
        "is read off their mean.",
        source=_ICM,
        options=_RATIO,
    ),
)
