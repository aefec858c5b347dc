r"""Path-constrained measures, and measures at one rank. docs/paths-and-ranks.md has the rules.

*Path-constrained:* a predicted class is a hit only if all its ancestors are predicted too (Yu et
al. 2022). The true side is augmented by ancestors. The predicted side is not, apart from the root.

*At one rank:* this is how classifiers of organisms are evaluated (Bokulich et al. 2018). Both sides
are cut at a level, and their most specific classes are compared. A predicted class above a true
class is not a false positive. An empty side counts as the root.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.words import agree, write_count
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.catalogue import (
    Derivation,
    Instance,
    Measure,
    Structure,
    Term,
    cited,
    fraction,
    mark_term,
    named,
    number,
    remove_marks,
)
from hiermeasures.measures.ratios import (
    derived_of_counts,
    f1_precision_recall,
    ratios_of,
    ratios_of_sets,
)
from hiermeasures.measures.sets import (
    OVERLAP,
    OVERLAP_MEANINGS,
    Part,
    SetOverlap,
    SpecificClasses,
    changes,
    explain_terms,
    overlap,
)


@dataclass(frozen=True)
class ConstrainedSets(SetOverlap):
    """The true set with ancestors, and the predicted set without them.

    `without_ancestor` are the predicted classes with an ancestor that is not predicted. They are
    not hits, even if they are in both sets. `true_without_ancestor` is true if a true label lacks
    an ancestor.
    """

    without_ancestor: frozenset[str] = frozenset()
    true_without_ancestor: bool = False

    @property
    def shared(self) -> frozenset[str]:
        """The hits: the classes in both sets with all their ancestors predicted."""
        return self.true & self.predicted - self.without_ancestor

    @property
    def refused(self) -> frozenset[str]:
        """The classes in both sets that are not hits."""
        return self.true & self.predicted & self.without_ancestor

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that the numbers count, the hits first."""
        _, *others = super().parts
        hits = Part("hits: in both, with all ancestors", "in both sets", self.shared)
        refused = "no hit: in both, without an ancestor"
        return (
            hits,
            Part(refused, "in both sets without an ancestor", self.refused, optional=True),
            *others,
        )


def path_constrained(instance: Instance) -> ConstrainedSets:
    """Return the true set with ancestors, and the predicted set without them (Yu et al. 2022)."""
    h, uncounted = instance.hierarchy, instance.uncounted
    true = instance.true.union(*(h.ancestors(c) for c in instance.true))
    predicted = instance.predicted | {h.root} if instance.predicted else instance.predicted
    return ConstrainedSets.of(
        instance,
        true - uncounted,
        predicted - uncounted,
        without_ancestor=frozenset(c for c in predicted if not h.ancestors(c) <= predicted),
        true_without_ancestor=any(
            not h.ancestors(c) <= instance.true | {h.root} for c in instance.true
        ),
    )


def _about_hits(sets: ConstrainedSets) -> str:
    sides = (
        f"The hits H: {named(sets.shared)}; {len(sets.predicted)} predicted, {len(sets.true)} true"
    )
    refused = (
        f"; in both sets, but no hit because an ancestor is missing: {named(sets.refused)}"
        if sets.refused
        else ""
    )
    return f"{sides}{refused}.{_caution(sets)}"


def _caution(sets: ConstrainedSets) -> str:
    said = sets.true_without_ancestor and sets.without_ancestor
    return " Neither the true nor the predicted labels are whole paths." if said else ""


def derive_inconsistency(sets: ConstrainedSets, value: float, options: Options) -> Derivation:
    """Return the derivation of an inconsistent prediction."""
    sentence = "Every predicted class comes with all its ancestors."
    if loose := sets.without_ancestor:
        lacking = write_count(len(loose), "predicted class lacks", "predicted classes lack")
        sentence = f"{lacking} an ancestor: {named(loose)}.{_caution(sets)}"
    formula = mark_term("inconsistent", _INCONSISTENT)
    return Derivation(f"{formula} = {number(value)}", sentence)


_INCONSISTENT = r"\left[\exists c \in \hat{Y} : \mathrm{an}(c) \not\subseteq \hat{Y}\right]"


def caution(measure: cat.Measure, tables: Mapping[str, Any]) -> str:
    """Return "labels are not whole paths" if this makes the value of a measure misleading, else "".

    It is returned if ancestors are also missing on the true side, and at least half as often on the
    predicted side. Such labels are written without ancestors, so this is not a fault of
    predictions.
    """
    if PATH_CONSTRAINED not in measure.structures:
        return ""
    columns = tables[PATH_CONSTRAINED.key]
    misleads = 0 < columns.true_inconsistent <= 2 * columns.inconsistent
    return "labels are not whole paths" if misleads else ""


def explain_hits(sets: ConstrainedSets, options: Options) -> Mapping[str, Term]:
    """Return the terms of the hits, of the two sets, and of the classes without an ancestor."""
    hits = Term.of("in both sets with all ancestors", sets.shared)
    loose = Term.of("predicted without an ancestor", sets.without_ancestor)
    return {**explain_terms(sets, options), "shared": hits, "inconsistent": loose}


PATHS_AND_RANKS = cat.Family(
    key="ranks",
    title="Paths and ranks",
    description="Is each predicted class given with its whole path, and down to which level is it "
    "right?",
    rank=6,
)
_SETS: Mapping[str, Any] = {"family": PATHS_AND_RANKS, "view": "ancestors", "changes": changes}
PATH_CONSTRAINED = Structure(
    key="path_constrained",
    build=path_constrained,
    terms=explain_hits,
    columns=(*OVERLAP, "inconsistent", "true_inconsistent"),
    meanings=(
        *OVERLAP_MEANINGS[:2],
        "classes on both sides with all their ancestors",
        "1 if a predicted class lacks an ancestor",
        "1 if a true class lacks an ancestor",
    ),
    row=lambda sets, options: (
        *overlap(sets, options),
        int(bool(sets.without_ancestor)),
        int(sets.true_without_ancestor),
    ),
    row_of_class=lambda true, predicted, shared: (true, predicted, shared, 0, 0),
    **_SETS,
)


@dataclass(frozen=True)
class RankedSets(SetOverlap):
    """The most specific classes down to a rank.

    `above` and `below` are the predicted classes above and below a true class.
    """

    rank: int | None = None
    above: frozenset[str] = frozenset()
    below: frozenset[str] = frozenset()

    @property
    def struck_because(self) -> str:
        """The reason for struck-out classes, as a sentence."""
        return "A struck-out class is deeper than the rank, or above another class of its own side."

    @property
    def wrong(self) -> frozenset[str]:
        """The predicted classes that are neither true nor above a true class."""
        return self.spurious - self.above

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that the numbers count."""
        both, missed, spurious, struck = super().parts
        above = "predicted only, above a true class: no false positive"
        below = "predicted only, below a true class: also a false positive"
        return (
            both,
            missed,
            replace(spurious, classes=self.wrong - self.below),
            Part(below, "in the predicted set below a true class", self.below, optional=True),
            Part(above, "in the predicted set above a true class", self.above, optional=True),
            replace(
                struck,
                place="left out, deeper than the rank or above another class of its own side",
            ),
        )


def at_rank(instance: Instance) -> RankedSets:
    """Return the most specific classes of both sides, down to the option `rank`.

    The source is Bokulich et al. 2018.
    """
    h, rank = instance.hierarchy, instance.options.rank
    true, predicted = (_cut(h, labels, rank) for labels in (instance.true, instance.predicted))
    return RankedSets.of(
        instance,
        true,
        predicted,
        true_removed=instance.true - true - predicted,
        predicted_removed=instance.predicted - predicted - true,
        classes=len(h),
        rank=rank,
        above=frozenset(c for c in predicted if any(c in h.ancestors(t) for t in true)),
        below=frozenset(c for c in predicted if not true.isdisjoint(h.ancestors(c))),
    )


def _cut(h: Hierarchy, labels: frozenset[str], rank: int | None) -> frozenset[str]:
    """Return the most specific classes of a set down to a level. An empty set gives the root."""
    grown = labels.union(*(h.ancestors(c) for c in labels))
    kept = (c for c in grown if rank is None or h.level(c) <= rank)
    return frozenset(SpecificClasses.of(h, kept).or_root(h))


def _about_rank(sets: RankedSets) -> str:
    where = "Most specific" if sets.rank is None else f"Down to rank {sets.rank}, most specific"
    parts = {
        "true positive": sets.shared,
        "false positive": sets.wrong,
        "false negative": sets.missed,
        "above a true class, so not a false positive": sets.above,
        "below a true class": sets.below,
    }
    said = "".join(f"; {words}: {named(classes)}" for words, classes in parts.items() if classes)
    return (
        f"{where} are {named(sets.predicted)} of the prediction and {named(sets.true)} of the "
        f"truth{said}."
    )


def explain_ranks(sets: RankedSets, options: Options) -> Mapping[str, Term]:
    """Return the terms of the classes at a rank."""
    return {
        "predicted": Term.of("most specific on the predicted side", sets.predicted),
        "TP": Term.of("in both sets", sets.shared),
        "FP": Term.of("predicted, neither true nor above a true class", sets.wrong),
        "FN": Term.of("in the true set only", sets.missed),
        "above": Term.of("predicted above a true class", sets.above),
        "below": Term.of("predicted below a true class", sets.below),
    }


RANKS = Structure(
    key="ranks",
    build=at_rank,
    terms=explain_ranks,
    columns=("TP", "FP", "FN", "above", "below"),
    meanings=(
        "most specific classes found",
        "wrong classes that are not above a true class",
        "most specific classes missed",
        "predicted classes above a true class",
        "predicted classes below a true class",
    ),
    row=lambda sets, options: tuple(
        map(len, (sets.shared, sets.wrong, sets.missed, sets.above, sets.below))
    ),
    **_SETS,
)


_SPECIFIC = r"\hat{Y}^{\mathrm{spe}}"


def _share(side: str, related: str) -> Mapping[str, Any]:
    """Return the share of predicted classes above or below a true class, and its derivation."""
    related = rf"|\{{c \in {_SPECIFIC} : \exists y \in Y^{{\mathrm{{spe}}}} : {related}\}}|"
    every = mark_term("predicted", f"|{_SPECIFIC}|")
    formula = fraction(mark_term(side, related), every)

    def derive(sets: RankedSets, value: float, options: Options) -> Derivation:
        found = getattr(sets, side)
        every = write_count(
            len(sets.predicted), "most specific predicted class", "most specific predicted classes"
        )
        share = fraction(mark_term(side, len(found)), mark_term("predicted", len(sets.predicted)))
        return Derivation(
            f"{formula} = {share} = {number(value)}",
            f"{len(found)} of {every} {agree(len(found), 'is')} {side} a true class: "
            f"{named(found)}. {_about_rank(sets)}",
        )

    return {
        "structure": RANKS,
        "better": "lower",
        "by_default": False,
        "read": lambda c, options: cat.ratio(getattr(c, side), c.TP + c.FP + c.above, options),
        "formula": remove_marks(formula),
        "derive": derive,
        "source": cited("@morganlang2020 (TreeSAPP); @bokulich2018 (under-classification)"),
        "options": _OPTIONS,
    }


_OPTIONS = ("rank", "max_ancestor_distance")
_HITS = r"\left|\{c \in \hat{Y} \cap Y_{\mathrm{aug}} : \mathrm{an}(c) \subseteq \hat{Y}\}\right|"
_CONSTRAINED, _SHORT = (
    ratios_of_sets(r"Y_{\mathrm{aug}}", r"\hat{Y}", hits) for hits in (_HITS, "|H|")
)
_RANKS = ratios_of("TP", "FP", "FN")
_RANK_F, _RANK_P, _RANK_R = f1_precision_recall(
    structure=RANKS,
    ratios=_RANKS,
    keys=("rank_F", "rank_P", "rank_R"),
    function="rank",
    name="{} at a rank",
    symbols=(r"F_{\mathrm{rank}}", r"P_{\mathrm{rank}}", r"R_{\mathrm{rank}}"),
    derive=derived_of_counts(RANKS, _RANKS, _about_rank),
    descriptions=(
        "The harmonic mean of precision and recall at a rank.",
        "The share of the most specific predicted classes, down to a rank, that are most specific "
        "true classes. Predicted classes above a true class are left out.",
        "The share of the most specific true classes, down to a rank, that are predicted.",
    ),
    source=cited("@bokulich2018; @robeson2021"),
    options=_OPTIONS,
)

MEASURES = (
    *f1_precision_recall(
        structure=PATH_CONSTRAINED,
        ratios=_CONSTRAINED,
        keys=("C_F1", "C_P", "C_R"),
        function="path_constrained",
        name="Path-constrained {}",
        symbols=("F_1^{C}", "P^{C}", "R^{C}"),
        derive=derived_of_counts(PATH_CONSTRAINED, _SHORT, _about_hits),
        descriptions=(
            "F1 of the predicted classes without added ancestors. A class is a hit only if all its "
            "ancestors are predicted too. If predictions name all ancestors, it is hF.",
            "The share of the predicted classes that are true and have all their ancestors "
            "predicted.",
            "The share of the true classes and their ancestors that are predicted with all their "
            "ancestors.",
        ),
        source=cited("@yu2022; @ji2023"),
        options=("count_root", "max_ancestor_distance", "zero_division"),
        macro=True,
        perfect_varies=True,
        by_default=False,
    ),
    Measure(
        **cat.names(
            "inconsistency", "inconsistency_loss", r"\mathrm{IC}", "Inconsistent prediction"
        ),
        structure=PATH_CONSTRAINED,
        better="lower",
        read=lambda c, options: c.inconsistent,
        pooled="never",
        perfect_varies=True,
        by_default=False,
        formula=_INCONSISTENT,
        derive=derive_inconsistency,
        description="1 if a class is predicted without one of its ancestors, else 0. The root does "
        "not have to be predicted. The mean is the share of inconsistent predictions. The true "
        "classes play no role.",
        source=cited("@remus2019 (hierarchical consistency); @park2025 (TICE)"),
        options=("max_ancestor_distance",),
    ),
    replace(_RANK_F, name="F at a rank"),
    replace(_RANK_P, options=(*_OPTIONS, "zero_division")),
    _RANK_R,
    Measure(
        **cat.names(
            "over_prediction", "over_prediction_error", r"\mathrm{over}", "Over-prediction"
        ),
        **_share("below", r"y \in \mathrm{an}(c)"),
        description="The share of the most specific predicted classes that are below a most "
        "specific true class. They are more specific than the truth. With one class on each side, "
        "the mean is the share of these instances.",
    ),
    Measure(
        **cat.names(
            "under_prediction", "under_prediction_error", r"\mathrm{under}", "Under-prediction"
        ),
        **_share("above", r"c \in \mathrm{an}(y)"),
        description="The share of the most specific predicted classes that are above a most "
        "specific true class. They are right but too general. An empty prediction counts as the "
        "root.",
    ),
)
