"""Set-based measures: flat, augmented by ancestors or descendants, and H-loss.

Each builder makes the two sets that are compared (Kosmopoulos et al. 2015, Section 2.4, phase 1); every measure
reads the sizes of their overlap (phase 2). LCA graphs, which build their sets by pairing, have a module of their own.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures.catalogue import (
    Derivation,
    Family,
    Instance,
    Measure,
    Row,
    Structure,
    counted,
    fraction,
    named,
    number,
    ratio,
)
from hiermeasures.options import Options


@dataclass(frozen=True)
class Part:
    """A part of two compared sets: what a table calls it, where a sentence says that its classes are, and which they
    are. One that a rule took out of the sets is `struck`; an `optional` one is shown only if it has classes.
    """

    title: str
    place: str
    classes: frozenset[str]
    struck: bool = False
    optional: bool = False


@dataclass(frozen=True)
class SetOverlap:
    """Two sets of classes and what they share. `true` and `predicted` are the sets after augmentation.

    `true_added` and `predicted_added` are what augmentation put in, `true_removed` and `predicted_removed` what a rule
    then took out (H-loss). `classes` is the number of classes of the hierarchy that count, `subscript` what formulas
    write below Y.
    """

    true: frozenset[str]
    predicted: frozenset[str]
    true_added: frozenset[str] = frozenset()
    predicted_added: frozenset[str] = frozenset()
    true_removed: frozenset[str] = frozenset()
    predicted_removed: frozenset[str] = frozenset()
    classes: int = 0
    subscript: str = ""
    struck_because: ClassVar[str] = "An error is struck out where it only follows from an error above it."

    @property
    def shared(self) -> frozenset[str]:
        """In both sets."""
        return self.true & self.predicted

    @property
    def missed(self) -> frozenset[str]:
        """True, not predicted."""
        return self.true - self.predicted

    @property
    def spurious(self) -> frozenset[str]:
        """Predicted, not true."""
        return self.predicted - self.true

    @property
    def struck(self) -> frozenset[str]:
        """What a rule took out of either set."""
        return self.true_removed | self.predicted_removed

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that the numbers are made of, each class in one of them or in none."""
        return (
            Part("in both", "in both sets", self.shared),
            Part("true only, missed", "in the true set only", self.missed),
            Part("predicted only, spurious", "in the predicted set only", self.spurious),
            Part("struck out, not counted", "struck out, below another error", self.struck, struck=True, optional=True),
        )

    @property
    def empty(self) -> bool:
        """Whether both sets are empty, and so agree."""
        return not (self.true or self.predicted)


@dataclass(frozen=True)
class LevelCounts:
    """True positives, false positives and false negatives of one level, and the ratios read off them."""

    level: int
    tp: int
    fp: int
    fn: int
    options: Options

    @property
    def precision(self) -> float:
        return self._ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        return self._ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        return self._ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    def _ratio(self, part: int, whole: int) -> float:
        return float(ratio(part, whole, self.options, agree=not (self.tp or self.fp or self.fn)))


# --- builders -----------------------------------------------------------------------------------------------------


def flat(instance: Instance) -> SetOverlap:
    """The two label sets as they are."""
    return SetOverlap(instance.true, instance.predicted, classes=_countable(instance))


def augmented_by_ancestors(instance: Instance) -> SetOverlap:
    """Each set with all ancestors of its classes (Kosmopoulos et al. 2015, Eqs. 2–3)."""
    return _augmented(instance, instance.hierarchy.ancestors, "_{aug}")


def augmented_by_descendants(instance: Instance) -> SetOverlap:
    """Each set with all descendants of its classes (Ipeirotis et al. 2001)."""
    return _augmented(instance, instance.hierarchy.descendants, "_{De}")


def tolerant(instance: Instance) -> SetOverlap:
    """Sets augmented by ancestors, without the errors that follow from an error above them (Cesa-Bianchi et al. 2006).

    A class is taken out of one set where neither it nor any of its parents is in the other (Kosmopoulos et al. 2015,
    Eqs. 4–5; in a DAG one parent in the other set is enough to stay). The root has no parent and stays; a root that is
    not counted is in every set.
    """
    sets = augmented_by_ancestors(instance)
    free = instance.uncounted
    true_removed = _below_an_error(instance.hierarchy, sets.missed, sets.predicted | free)
    predicted_removed = _below_an_error(instance.hierarchy, sets.spurious, sets.true | free)
    return SetOverlap(
        sets.true - true_removed,
        sets.predicted - predicted_removed,
        sets.true_added,
        sets.predicted_added,
        true_removed,
        predicted_removed,
        sets.classes,
        "'_{aug}",
    )


def per_level(hierarchy: Hierarchy, sets: SetOverlap, options: Options) -> tuple[LevelCounts, ...]:
    """The overlap split by the level of the classes, from the top; levels where neither set has a class are left
    out.
    """
    levels = sorted({hierarchy.level(c) for c in sets.true | sets.predicted})

    def at(classes: Iterable[str], level: int) -> int:
        return sum(hierarchy.level(c) == level for c in classes)

    return tuple(LevelCounts(v, at(sets.shared, v), at(sets.spurious, v), at(sets.missed, v), options) for v in levels)


def _augmented(instance: Instance, related: Callable[[str], frozenset[str]], subscript: str) -> SetOverlap:
    def grown(labels: frozenset[str]) -> frozenset[str]:
        return labels.union(*(related(c) for c in labels)) - instance.uncounted

    true, predicted = grown(instance.true), grown(instance.predicted)
    return SetOverlap(
        true,
        predicted,
        true - instance.true,
        predicted - instance.predicted,
        classes=_countable(instance),
        subscript=subscript,
    )


def _countable(instance: Instance) -> int:
    return len(instance.hierarchy) - len(instance.uncounted)


def _below_an_error(hierarchy: Hierarchy, wrong: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    return frozenset(c for c in wrong if (parents := hierarchy.parents(c)) and other.isdisjoint(parents))


# --- what is read off -----------------------------------------------------------------------------------------------

OVERLAP = ("true", "predicted", "shared")
OVERLAP_MEANINGS = ("classes on the true side", "classes on the predicted side", "classes on both")


def overlap(sets: SetOverlap, options: Options) -> Row:
    """The columns of two sets: their sizes, and the size of what they share."""
    return len(sets.true), len(sets.predicted), len(sets.shared)


def precision(c: Any, options: Options) -> Any:
    """|P ∩ T| / |P|."""
    return ratio(c.shared, c.predicted, options, agree=c.true == 0)


def recall(c: Any, options: Options) -> Any:
    """|P ∩ T| / |T|."""
    return ratio(c.shared, c.true, options, agree=c.predicted == 0)


def f1(c: Any, options: Options) -> Any:
    """2 |P ∩ T| / (|P| + |T|), the harmonic mean of precision and recall."""
    return ratio(2 * c.shared, c.true + c.predicted, options, agree=True)


def accuracy(c: Any, options: Options) -> Any:
    """1 where the two sets are equal, else 0 (subset accuracy)."""
    return (c.shared == c.true) & (c.shared == c.predicted)


def symmetric_difference(c: Any, options: Options) -> Any:
    """|P \\ T| + |T \\ P|."""
    return c.true + c.predicted - 2 * c.shared


def hamming(c: Any, options: Options) -> Any:
    """The share of the hierarchy's classes on which the two sets differ."""
    wrong = symmetric_difference(c, options)
    return ratio(wrong, c.classes, options, agree=wrong == 0, perfect=0.0)


# --- derivations --------------------------------------------------------------------------------------------------


def derive_precision(sets: SetOverlap, value: float, options: Options) -> Derivation:
    t, p = _symbols(sets)
    return Derivation(
        rf"\frac{{|{p} \cap {t}|}}{{|{p}|}} = {fraction(len(sets.shared), len(sets.predicted), value)}"
        if sets.predicted
        else rf"{p} = \emptyset \;\Rightarrow\; {number(value)}",
        f"{len(sets.shared)} of the {counted(len(sets.predicted), 'class', 'classes')} on the predicted side "
        f"{'is' if len(sets.shared) == 1 else 'are'} true: {named(sets.shared)}."
        if sets.predicted
        else _about_empty("The predicted side", sets, value),
    )


def derive_recall(sets: SetOverlap, value: float, options: Options) -> Derivation:
    t, p = _symbols(sets)
    return Derivation(
        rf"\frac{{|{p} \cap {t}|}}{{|{t}|}} = {fraction(len(sets.shared), len(sets.true), value)}"
        if sets.true
        else rf"{t} = \emptyset \;\Rightarrow\; {number(value)}",
        f"{len(sets.shared)} of the {counted(len(sets.true), 'class', 'classes')} on the true side "
        f"{'is' if len(sets.shared) == 1 else 'are'} found: {named(sets.shared)}."
        if sets.true
        else _about_empty("The true side", sets, value),
    )


def derive_f1(sets: SetOverlap, value: float, options: Options) -> Derivation:
    t, p = _symbols(sets)
    whole = len(sets.true) + len(sets.predicted)
    if not whole:
        return Derivation(rf"{t} = {p} = \emptyset \;\Rightarrow\; {number(value)}", "Both sides are empty and agree.")
    return Derivation(
        rf"\frac{{2\,|{p} \cap {t}|}}{{|{p}| + |{t}|}} = \frac{{2 \cdot {len(sets.shared)}}}"
        rf"{{{len(sets.predicted)} + {len(sets.true)}}} = {number(value)}",
        f"The two sides share {counted(len(sets.shared), 'class', 'classes')}; {len(sets.missed)} missed, "
        f"{len(sets.spurious)} spurious.",
    )


def derive_symmetric_difference(sets: SetOverlap, value: float, options: Options) -> Derivation:
    t, p = _symbols(sets)
    removed = sets.true_removed | sets.predicted_removed
    return Derivation(
        rf"|{p} \setminus {t}| + |{t} \setminus {p}| = {len(sets.spurious)} + {len(sets.missed)} = {number(value)}",
        f"Spurious: {named(sets.spurious)}; missed: {named(sets.missed)}."
        + (f" Tolerated, because an error above is counted already: {named(removed)}." if removed else ""),
    )


def derive_accuracy(sets: SetOverlap, value: float, options: Options) -> Derivation:
    t, p = _symbols(sets)
    same = sets.true == sets.predicted
    return Derivation(
        rf"[{p} = {t}] = {int(same)}", f"The two sets are {'equal' if same else 'not equal, so nothing counts'}."
    )


def derive_hamming(sets: SetOverlap, value: float, options: Options) -> Derivation:
    t, p = _symbols(sets)
    wrong = len(sets.missed) + len(sets.spurious)
    return Derivation(
        rf"\frac{{|{p} \,\triangle\, {t}|}}{{|C|}} = {fraction(wrong, sets.classes, value)}",
        f"{wrong} of the {counted(sets.classes, 'class', 'classes')} of the hierarchy "
        f"{'is' if wrong == 1 else 'are'} labelled wrongly: {named(sets.missed | sets.spurious)}.",
    )


def _symbols(sets: SetOverlap) -> tuple[str, str]:
    """How formulas write the two sets: Y and Ŷ with their subscript."""
    return f"Y{sets.subscript}", rf"\hat{{Y}}{sets.subscript}"


def _about_empty(side: str, sets: SetOverlap, value: float) -> str:
    return (
        "Both sides are empty and agree."
        if sets.empty
        else f"{side} is empty; an undefined ratio is set to {number(value)}."
    )


# --- declarations -------------------------------------------------------------------------------------------------

_FLAT = Family(key="flat", title="Flat", description="The label sets as they are; the hierarchy plays no part.", rank=8)
_ANCESTORS = Family(
    key="ancestors",
    title="Ancestor sets",
    description="Each label set is augmented with all ancestors of its classes.",
    rank=1,
)
_DESCENDANTS = Family(
    key="descendants",
    title="Descendant sets",
    description="Each label set is augmented with all descendants of its classes.",
    rank=7,
)

FLAT = Structure(
    key="flat",
    family=_FLAT,
    build=flat,
    columns=(*OVERLAP, "classes"),
    meanings=(*OVERLAP_MEANINGS, "classes of the hierarchy that count"),
    row=lambda sets, options: (*overlap(sets, options), sets.classes),
    row_of_class=lambda true, predicted, shared: (true, predicted, shared, 1),
)
AUGMENTED = Structure(
    key="augmented",
    family=_ANCESTORS,
    build=augmented_by_ancestors,
    columns=OVERLAP,
    meanings=OVERLAP_MEANINGS,
    row=overlap,
    row_of_class=lambda *counts: counts,
)
H_LOSS = Structure(
    key="h_loss",
    family=_ANCESTORS,
    build=tolerant,
    columns=("missed", "spurious"),
    meanings=("true classes missed, without those below an error", "the same of spurious classes"),
    row=lambda sets, options: (len(sets.missed), len(sets.spurious)),
)
DESCENDANTS = Structure(
    key="descendants",
    family=_DESCENDANTS,
    build=augmented_by_descendants,
    columns=OVERLAP,
    meanings=OVERLAP_MEANINGS,
    row=overlap,
    row_of_class=lambda *counts: counts,
)

_ROOT = ("count_root", "zero_division", "max_ancestor_distance")

MEASURES = (
    Measure(
        key="accuracy",
        function="flat_accuracy_score",
        symbol=r"\mathrm{Acc}",
        name="Accuracy",
        structure=FLAT,
        read=accuracy,
        pooled="never",
        formula=r"[\hat{Y} = Y]",
        derive=derive_accuracy,
        description="1 where the predicted classes are exactly the true ones, else 0.",
        source="scikit-learn, subset accuracy",
    ),
    Measure(
        key="precision",
        function="flat_precision_score",
        symbol="P",
        name="Precision",
        structure=FLAT,
        read=precision,
        macro=True,
        formula=r"\frac{|\hat{Y} \cap Y|}{|\hat{Y}|}",
        derive=derive_precision,
        description="The share of the predicted classes that are true.",
        source="Plaud et al. 2024, Appendix B.2.1",
        options=("zero_division",),
    ),
    Measure(
        key="recall",
        function="flat_recall_score",
        symbol="R",
        name="Recall",
        structure=FLAT,
        read=recall,
        macro=True,
        formula=r"\frac{|\hat{Y} \cap Y|}{|Y|}",
        derive=derive_recall,
        description="The share of the true classes that are predicted.",
        source="Plaud et al. 2024, Appendix B.2.1",
        options=("zero_division",),
    ),
    Measure(
        key="f1",
        function="flat_f1_score",
        symbol="F_1",
        name="F1",
        structure=FLAT,
        read=f1,
        macro=True,
        formula=r"\frac{2\,|\hat{Y} \cap Y|}{|\hat{Y}| + |Y|}",
        derive=derive_f1,
        description="The harmonic mean of precision and recall.",
        source="Plaud et al. 2024, Appendix B.2.1",
        options=("zero_division",),
    ),
    Measure(
        key="hamming",
        function="flat_hamming_loss",
        symbol=r"\mathrm{HM}",
        name="Hamming loss",
        structure=FLAT,
        better="lower",
        read=hamming,
        formula=r"\frac{|\hat{Y} \,\triangle\, Y|}{|C|}",
        derive=derive_hamming,
        description="The share of the hierarchy's classes that are labelled wrongly.",
        source="Plaud et al. 2024, Section 5.3.2",
        options=("count_root",),
    ),
    Measure(
        key="hF",
        function="h_f1_score",
        symbol=r"\mathrm{hF}",
        name="Hierarchical F1",
        structure=AUGMENTED,
        read=f1,
        macro=True,
        formula=r"\frac{2\,|\hat{Y}_{aug} \cap Y_{aug}|}{|\hat{Y}_{aug}| + |Y_{aug}|}",
        derive=derive_f1,
        description="The harmonic mean of hierarchical precision and recall.",
        source="Kiritchenko et al. 2005; Kosmopoulos et al. 2015, Section 2.4",
        options=_ROOT,
    ),
    Measure(
        key="hP",
        function="h_precision_score",
        symbol=r"\mathrm{hP}",
        name="Hierarchical precision",
        structure=AUGMENTED,
        read=precision,
        macro=True,
        formula=r"\frac{|\hat{Y}_{aug} \cap Y_{aug}|}{|\hat{Y}_{aug}|}",
        derive=derive_precision,
        description="The share of the predicted classes and their ancestors that are true or above a true class.",
        source="Kiritchenko et al. 2005; Kosmopoulos et al. 2015, Section 2.4",
        options=_ROOT,
    ),
    Measure(
        key="hR",
        function="h_recall_score",
        symbol=r"\mathrm{hR}",
        name="Hierarchical recall",
        structure=AUGMENTED,
        read=recall,
        macro=True,
        formula=r"\frac{|\hat{Y}_{aug} \cap Y_{aug}|}{|Y_{aug}|}",
        derive=derive_recall,
        description="The share of the true classes and their ancestors that are predicted or above a predicted class.",
        source="Kiritchenko et al. 2005; Kosmopoulos et al. 2015, Section 2.4",
        options=_ROOT,
    ),
    Measure(
        key="path_accuracy",
        function="path_accuracy_score",
        symbol=r"\mathrm{Acc}_{path}",
        name="Exact path accuracy",
        structure=AUGMENTED,
        read=accuracy,
        pooled="never",
        formula=r"[\hat{Y}_{aug} = Y_{aug}]",
        derive=derive_accuracy,
        description="1 where every class on the way to the true ones is predicted and no other, else 0; ancestors that "
        "a side leaves out are taken as read.",
        source="Park et al. 2025 (full-path accuracy)",
        options=("count_root", "max_ancestor_distance"),
    ),
    Measure(
        key="SDL",
        function="symmetric_difference_loss",
        symbol=r"l_\Delta",
        name="Symmetric difference loss",
        structure=AUGMENTED,
        better="lower",
        high=None,
        read=symmetric_difference,
        pooled="never",
        formula=r"|\hat{Y}_{aug} \setminus Y_{aug}| + |Y_{aug} \setminus \hat{Y}_{aug}|",
        derive=derive_symmetric_difference,
        description="How many classes, ancestors included, are on one side only.",
        source="Kosmopoulos et al. 2015, Section 2.4",
        options=("count_root", "max_ancestor_distance"),
    ),
    Measure(
        key="H_loss",
        function="h_loss",
        symbol=r"\ell_H",
        name="H-loss",
        structure=H_LOSS,
        better="lower",
        high=None,
        read=lambda c, options: c.missed + c.spurious,
        pooled="never",
        formula=r"|\hat{Y}'_{aug} \setminus Y'_{aug}| + |Y'_{aug} \setminus \hat{Y}'_{aug}|",
        derive=derive_symmetric_difference,
        description="The symmetric difference without the errors that only follow from an error above them.",
        source="Cesa-Bianchi et al. 2006; Kosmopoulos et al. 2015, Eqs. 4–5",
        options=("count_root", "max_ancestor_distance"),
    ),
    Measure(
        key="hF_desc",
        function="descendant_f1_score",
        symbol="F_{De}",
        name="Descendant F1",
        structure=DESCENDANTS,
        read=f1,
        macro=True,
        formula=r"\frac{2\,|\hat{Y}_{De} \cap Y_{De}|}{|\hat{Y}_{De}| + |Y_{De}|}",
        derive=derive_f1,
        description="The harmonic mean of descendant precision and recall.",
        source="Ipeirotis et al. 2001; Kosmopoulos et al. 2015, Section 2.4.1",
        options=_ROOT,
    ),
    Measure(
        key="hP_desc",
        function="descendant_precision_score",
        symbol="P_{De}",
        name="Descendant precision",
        structure=DESCENDANTS,
        read=precision,
        macro=True,
        formula=r"\frac{|\hat{Y}_{De} \cap Y_{De}|}{|\hat{Y}_{De}|}",
        derive=derive_precision,
        description="The share of the predicted classes and their descendants that are true or below a true class.",
        source="Ipeirotis et al. 2001; Kosmopoulos et al. 2015, Section 2.4.1",
        options=_ROOT,
    ),
    Measure(
        key="hR_desc",
        function="descendant_recall_score",
        symbol="R_{De}",
        name="Descendant recall",
        structure=DESCENDANTS,
        read=recall,
        macro=True,
        formula=r"\frac{|\hat{Y}_{De} \cap Y_{De}|}{|Y_{De}|}",
        derive=derive_recall,
        description="The share of the true classes and their descendants that are predicted or below a "
        "predicted class.",
        source="Ipeirotis et al. 2001; Kosmopoulos et al. 2015, Section 2.4.1",
        options=_ROOT,
    ),
)
