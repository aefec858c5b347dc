"""Set-based measures: flat, augmented by ancestors or descendants, and H-loss.

Each builder makes the two sets that are compared (Kosmopoulos et al. 2015, Section 2.4, phase 1); every score is a thin
reader of their overlap (phase 2). LCA graphs, which build their sets by pairing, have a module of their own.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures.catalogue import (
    Derivation,
    Family,
    Instance,
    Measure,
    counted,
    fraction,
    named,
    number,
    ratio,
)
from hiermeasures.options import Options


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
    zero_division: float = 0.0

    @property
    def precision(self) -> float:
        return _rate(self.tp, self.tp + self.fp, self)

    @property
    def recall(self) -> float:
        return _rate(self.tp, self.tp + self.fn, self)

    @property
    def f1(self) -> float:
        return _rate(2 * self.tp, 2 * self.tp + self.fp + self.fn, self)


def _rate(part: int, whole: int, counts: LevelCounts) -> float:
    if whole:
        return part / whole
    return 1.0 if not (counts.tp or counts.fp or counts.fn) else counts.zero_division


# --- builders -----------------------------------------------------------------------------------------------------


def flat(instance: Instance) -> SetOverlap:
    """The two label sets as they are."""
    return SetOverlap(instance.true, instance.predicted, classes=_countable(instance))


def augmented_by_ancestors(instance: Instance) -> SetOverlap:
    """Each set with all ancestors of its classes (Kosmopoulos et al. 2015, Eqs. 3–4)."""
    return _augmented(instance, instance.hierarchy.ancestors, "_{aug}")


def augmented_by_descendants(instance: Instance) -> SetOverlap:
    """Each set with all descendants of its classes (Ipeirotis et al. 2001)."""
    return _augmented(instance, instance.hierarchy.descendants, "_{De}")


def tolerant(instance: Instance) -> SetOverlap:
    """Sets augmented by ancestors, without the errors that follow from an error above them (Cesa-Bianchi et al. 2006).

    A class is taken out of one set where neither it nor any of its parents is in the other (Kosmopoulos et al. 2015,
    Eqs. 5–6; in a DAG one parent in the other set is enough to stay). The root has no parent and stays; a root that is
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

    return tuple(
        LevelCounts(v, at(sets.shared, v), at(sets.spurious, v), at(sets.missed, v), options.zero_division)
        for v in levels
    )


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


# --- scores -------------------------------------------------------------------------------------------------------


def precision(sets: SetOverlap, options: Options) -> float:
    """|P ∩ T| / |P|."""
    return ratio(len(sets.shared), len(sets.predicted), options, sets.empty)


def recall(sets: SetOverlap, options: Options) -> float:
    """|P ∩ T| / |T|."""
    return ratio(len(sets.shared), len(sets.true), options, sets.empty)


def f1(sets: SetOverlap, options: Options) -> float:
    """2 |P ∩ T| / (|P| + |T|), the harmonic mean of precision and recall."""
    return ratio(2 * len(sets.shared), len(sets.true) + len(sets.predicted), options, sets.empty)


def accuracy(sets: SetOverlap, options: Options) -> float:
    """1 where the two sets are equal, else 0 (subset accuracy)."""
    return float(sets.true == sets.predicted)


def symmetric_difference(sets: SetOverlap, options: Options) -> float:
    """|P \\ T| + |T \\ P|."""
    return float(len(sets.missed) + len(sets.spurious))


def hamming(sets: SetOverlap, options: Options) -> float:
    """The share of the hierarchy's classes on which the two sets differ."""
    return ratio(len(sets.missed) + len(sets.spurious), sets.classes, options)


# --- derivations --------------------------------------------------------------------------------------------------


def derive_precision(sets: SetOverlap, options: Options) -> Derivation:
    t, p = _symbols(sets)
    value = precision(sets, options)
    return Derivation(
        rf"\frac{{|{p} \cap {t}|}}{{|{p}|}} = {fraction(len(sets.shared), len(sets.predicted), value)}"
        if sets.predicted
        else rf"{p} = \emptyset \;\Rightarrow\; {number(value)}",
        f"{len(sets.shared)} of the {counted(len(sets.predicted), 'class', 'classes')} on the predicted side "
        f"{'is' if len(sets.shared) == 1 else 'are'} true: {named(sets.shared)}."
        if sets.predicted
        else _about_empty("The predicted side", sets, value),
    )


def derive_recall(sets: SetOverlap, options: Options) -> Derivation:
    t, p = _symbols(sets)
    value = recall(sets, options)
    return Derivation(
        rf"\frac{{|{p} \cap {t}|}}{{|{t}|}} = {fraction(len(sets.shared), len(sets.true), value)}"
        if sets.true
        else rf"{t} = \emptyset \;\Rightarrow\; {number(value)}",
        f"{len(sets.shared)} of the {counted(len(sets.true), 'class', 'classes')} on the true side "
        f"{'is' if len(sets.shared) == 1 else 'are'} found: {named(sets.shared)}."
        if sets.true
        else _about_empty("The true side", sets, value),
    )


def derive_f1(sets: SetOverlap, options: Options) -> Derivation:
    t, p = _symbols(sets)
    value = f1(sets, options)
    whole = len(sets.true) + len(sets.predicted)
    if not whole:
        return Derivation(rf"{t} = {p} = \emptyset \;\Rightarrow\; {number(value)}", "Both sides are empty and agree.")
    return Derivation(
        rf"\frac{{2\,|{p} \cap {t}|}}{{|{p}| + |{t}|}} = \frac{{2 \cdot {len(sets.shared)}}}"
        rf"{{{len(sets.predicted)} + {len(sets.true)}}} = {number(value)}",
        f"The two sides share {counted(len(sets.shared), 'class', 'classes')}; {len(sets.missed)} missed, "
        f"{len(sets.spurious)} spurious.",
    )


def derive_symmetric_difference(sets: SetOverlap, options: Options) -> Derivation:
    t, p = _symbols(sets)
    value = symmetric_difference(sets, options)
    removed = sets.true_removed | sets.predicted_removed
    return Derivation(
        rf"|{p} \setminus {t}| + |{t} \setminus {p}| = {len(sets.spurious)} + {len(sets.missed)} = {number(value)}",
        f"Spurious: {named(sets.spurious)}; missed: {named(sets.missed)}."
        + (f" Tolerated, because an error above is counted already: {named(removed)}." if removed else ""),
    )


def derive_accuracy(sets: SetOverlap, options: Options) -> Derivation:
    t, p = _symbols(sets)
    same = sets.true == sets.predicted
    return Derivation(
        rf"[{p} = {t}] = {int(same)}", f"The two sets are {'equal' if same else 'not equal, so nothing counts'}."
    )


def derive_hamming(sets: SetOverlap, options: Options) -> Derivation:
    t, p = _symbols(sets)
    wrong = len(sets.missed) + len(sets.spurious)
    return Derivation(
        rf"\frac{{|{p} \,\triangle\, {t}|}}{{|C|}} = {fraction(wrong, sets.classes, hamming(sets, options))}",
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

FAMILIES = (
    Family("flat", "Flat", "The label sets as they are; the hierarchy plays no part."),
    Family("ancestors", "Ancestor sets", "Each label set is augmented with all ancestors of its classes."),
    Family("descendants", "Descendant sets", "Each label set is augmented with all descendants of its classes."),
)

_ROOT = ("count_root", "zero_division", "max_ancestor_distance")

MEASURES = (
    Measure(
        "accuracy", r"\mathrm{Acc}", "Accuracy", "flat", "flat", r"[\hat{Y} = Y]",
        "1 where the predicted classes are exactly the true ones, else 0.",
        "scikit-learn, subset accuracy", accuracy, derive_accuracy,
    ),
    Measure(
        "precision", "P", "Precision", "flat", "flat", r"\frac{|\hat{Y} \cap Y|}{|\hat{Y}|}",
        "The share of the predicted classes that are true.",
        "Plaud et al. 2024, Appendix B.2.1", precision, derive_precision, options=("zero_division",),
    ),
    Measure(
        "recall", "R", "Recall", "flat", "flat", r"\frac{|\hat{Y} \cap Y|}{|Y|}",
        "The share of the true classes that are predicted.",
        "Plaud et al. 2024, Appendix B.2.1", recall, derive_recall, options=("zero_division",),
    ),
    Measure(
        "f1", "F_1", "F1", "flat", "flat", r"\frac{2\,|\hat{Y} \cap Y|}{|\hat{Y}| + |Y|}",
        "The harmonic mean of precision and recall.",
        "Plaud et al. 2024, Appendix B.2.1", f1, derive_f1, options=("zero_division",),
    ),
    Measure(
        "hamming", r"\mathrm{HM}", "Hamming loss", "flat", "flat", r"\frac{|\hat{Y} \,\triangle\, Y|}{|C|}",
        "The share of the hierarchy's classes that are labelled wrongly.",
        "Plaud et al. 2024, Section 5.3.2", hamming, derive_hamming, better="lower", options=("count_root",),
    ),
    Measure(
        "hF", "F_H", "Hierarchical F1", "ancestors", "augmented",
        r"\frac{2\,|\hat{Y}_{aug} \cap Y_{aug}|}{|\hat{Y}_{aug}| + |Y_{aug}|}",
        "The harmonic mean of hierarchical precision and recall.",
        "Kiritchenko et al. 2005; Kosmopoulos et al. 2015, Section 2.4", f1, derive_f1, options=_ROOT,
    ),
    Measure(
        "hP", "P_H", "Hierarchical precision", "ancestors", "augmented", r"\frac{|\hat{Y}_{aug} \cap Y_{aug}|}{|\hat{Y}_{aug}|}",
        "The share of the predicted classes and their ancestors that are true or above a true class.",
        "Kiritchenko et al. 2005; Kosmopoulos et al. 2015, Section 2.4", precision, derive_precision, options=_ROOT,
    ),
    Measure(
        "hR", "R_H", "Hierarchical recall", "ancestors", "augmented", r"\frac{|\hat{Y}_{aug} \cap Y_{aug}|}{|Y_{aug}|}",
        "The share of the true classes and their ancestors that are predicted or above a predicted class.",
        "Kiritchenko et al. 2005; Kosmopoulos et al. 2015, Section 2.4", recall, derive_recall, options=_ROOT,
    ),
    Measure(
        "SDL", r"l_\Delta", "Symmetric difference loss", "ancestors", "augmented",
        r"|\hat{Y}_{aug} \setminus Y_{aug}| + |Y_{aug} \setminus \hat{Y}_{aug}|",
        "How many classes, ancestors included, are on one side only.",
        "Kosmopoulos et al. 2015, Section 2.4", symmetric_difference, derive_symmetric_difference,
        better="lower", high=None, options=("count_root", "max_ancestor_distance"),
    ),
    Measure(
        "H_loss", r"\ell_H", "H-loss", "ancestors", "h_loss",
        r"|\hat{Y}'_{aug} \setminus Y'_{aug}| + |Y'_{aug} \setminus \hat{Y}'_{aug}|",
        "The symmetric difference without the errors that only follow from an error above them.",
        "Cesa-Bianchi et al. 2006; Kosmopoulos et al. 2015, Eqs. 5–6", symmetric_difference, derive_symmetric_difference,
        better="lower", high=None, options=("count_root", "max_ancestor_distance"),
    ),
    Measure(
        "hF_desc", "F_{De}", "Descendant F1", "descendants", "descendants",
        r"\frac{2\,|\hat{Y}_{De} \cap Y_{De}|}{|\hat{Y}_{De}| + |Y_{De}|}",
        "The harmonic mean of descendant precision and recall.",
        "Ipeirotis et al. 2001; Kosmopoulos et al. 2015, Section 2.4.1", f1, derive_f1, options=_ROOT,
    ),
    Measure(
        "hP_desc", "P_{De}", "Descendant precision", "descendants", "descendants",
        r"\frac{|\hat{Y}_{De} \cap Y_{De}|}{|\hat{Y}_{De}|}",
        "The share of the predicted classes and their descendants that are true or below a true class.",
        "Ipeirotis et al. 2001; Kosmopoulos et al. 2015, Section 2.4.1", precision, derive_precision, options=_ROOT,
    ),
    Measure(
        "hR_desc", "R_{De}", "Descendant recall", "descendants", "descendants", r"\frac{|\hat{Y}_{De} \cap Y_{De}|}{|Y_{De}|}",
        "The share of the true classes and their descendants that are predicted or below a predicted class.",
        "Ipeirotis et al. 2001; Kosmopoulos et al. 2015, Section 2.4.1", recall, derive_recall, options=_ROOT,
    ),
)  # fmt: skip

BUILDERS = {
    "flat": flat,
    "augmented": augmented_by_ancestors,
    "descendants": augmented_by_descendants,
    "h_loss": tolerant,
}
