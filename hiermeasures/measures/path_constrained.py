r"""Path-constrained measures: a predicted class is a hit only where it and all its ancestors are; and whether a
prediction names the ancestors of its classes at all.

The true side is augmented by ancestors, as elsewhere. The predicted side is taken as it is: where measures of ancestor
sets would put a missing ancestor in, it counts here against the classes below it. A file whose predictions name only
the most specific classes has therefore no hits below the first level. With several parents all of them must be
predicted, by every way up. The root is in every prediction that is not empty, for hardly any file names it; whether it
is counted is said by `count_root`. So a prediction that names all ancestors of its classes has here what it has in the
measures of ancestor sets: C_F1 is hF, C_P is hP, C_R is hR.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
)
from hiermeasures.measures.sets import OVERLAP, OVERLAP_MEANINGS, Part, SetOverlap, f1, overlap, precision, recall
from hiermeasures.options import Options


@dataclass(frozen=True)
class ConstrainedSets(SetOverlap):
    """The true set with its ancestors, and the predicted classes as they are.

    `without_ancestor` are the predicted classes one of whose ancestors is not predicted; none of them is shared, though
    it may be in both sets.
    """

    without_ancestor: frozenset[str] = frozenset()

    @property
    def shared(self) -> frozenset[str]:
        """The hits: in both sets, with all their ancestors."""
        return self.in_both - self.without_ancestor

    @property
    def in_both(self) -> frozenset[str]:
        """In both sets, hits or not."""
        return self.true & self.predicted

    @property
    def refused(self) -> frozenset[str]:
        """In both sets, and no hit."""
        return self.in_both & self.without_ancestor

    @property
    def parts(self) -> tuple[Part, ...]:
        _, *others = super().parts
        return (
            Part("hits: in both, with all ancestors", "in both sets", self.shared),
            Part(
                "no hits: in both, without an ancestor", "in both sets without an ancestor", self.refused, optional=True
            ),
            *others,
        )


def path_constrained(instance: Instance) -> ConstrainedSets:
    """The true set with ancestors against the predicted classes, of which those with all their ancestors can be hits
    (Yu et al. 2022).
    """
    h, uncounted = instance.hierarchy, instance.uncounted
    true = instance.true.union(*(h.ancestors(c) for c in instance.true))
    predicted = instance.predicted | {h.root} if instance.predicted else instance.predicted
    return ConstrainedSets(
        true - uncounted,
        predicted - uncounted,
        true - uncounted - instance.true,
        predicted - uncounted - instance.predicted,
        classes=len(h) - len(uncounted),
        without_ancestor=frozenset(c for c in predicted if not h.ancestors(c) <= predicted),
    )


# --- derivations --------------------------------------------------------------------------------------------------


def _ratio(formula: str, part: Callable[[ConstrainedSets], int], whole: Callable[[ConstrainedSets], int]) -> Any:
    def derive(sets: ConstrainedSets, value: float, options: Options) -> Derivation:
        below = whole(sets)
        latex = rf"{formula} = {fraction(part(sets), below, value)}" if below else rf"{formula} = {number(value)}"
        return Derivation(latex, _about(sets))

    return derive


def _about(sets: ConstrainedSets) -> str:
    sides = f"The hits H: {named(sets.shared)}; {len(sets.predicted)} predicted, {len(sets.true)} true"
    refused = f"; in both sets, but no hit without an ancestor: {named(sets.refused)}" if sets.refused else ""
    return f"{sides}{refused}."


def derive_inconsistency(sets: ConstrainedSets, value: float, options: Options) -> Derivation:
    loose = sets.without_ancestor
    return Derivation(
        rf"\left[\exists c \in \hat{{Y}} : an(c) \not\subseteq \hat{{Y}}\right] = {number(value)}",
        f"{counted(len(loose), 'predicted class lacks', 'predicted classes lack')} an ancestor: {named(loose)}."
        if loose
        else "Every predicted class comes with all its ancestors.",
    )


# --- declarations -------------------------------------------------------------------------------------------------

PATHS_AND_RANKS = Family(
    key="ranks",
    title="Paths and ranks",
    description="Whether each predicted class comes with the path to it, and down to which level it is right.",
    rank=6,
)
PATH_CONSTRAINED = Structure(
    key="path_constrained",
    family=PATHS_AND_RANKS,
    build=path_constrained,
    columns=(*OVERLAP, "inconsistent"),
    meanings=(*OVERLAP_MEANINGS[:2], "classes on both with all their ancestors", "1 where a class lacks an ancestor"),
    row=lambda sets, options: (*overlap(sets, options), int(bool(sets.without_ancestor))),
    row_of_class=lambda true, predicted, shared: (true, predicted, shared, 0),
)

_OPTIONS = ("count_root", "max_ancestor_distance", "zero_division")
_SOURCE = "Yu et al. 2022; Ji et al. 2023"
_HITS = r"\left|\{c \in \hat{Y} \cap Y_{aug} : an(c) \subseteq \hat{Y}\}\right|"

MEASURES = (
    Measure(
        key="C_F1",
        function="path_constrained_f1_score",
        symbol=r"F_1^{C}",
        name="Path-constrained F1",
        structure=PATH_CONSTRAINED,
        read=f1,
        macro=True,
        perfect_varies=True,
        formula=rf"\frac{{2\,{_HITS}}}{{|\hat{{Y}}| + |Y_{{aug}}|}}",
        derive=_ratio(
            r"\frac{2\,|H|}{|\hat{Y}| + |Y_{aug}|}",
            lambda s: 2 * len(s.shared),
            lambda s: len(s.predicted) + len(s.true),
        ),
        description="F1 of the predicted classes as they are, where a class is a hit only if all its ancestors are "
        "predicted, too. Of predictions that name all ancestors it is hF.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="C_P",
        function="path_constrained_precision_score",
        symbol=r"P^{C}",
        name="Path-constrained precision",
        structure=PATH_CONSTRAINED,
        read=precision,
        macro=True,
        perfect_varies=True,
        formula=rf"\frac{{{_HITS}}}{{|\hat{{Y}}|}}",
        derive=_ratio(r"\frac{|H|}{|\hat{Y}|}", lambda s: len(s.shared), lambda s: len(s.predicted)),
        description="The share of the predicted classes that are true and come with all their ancestors.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="C_R",
        function="path_constrained_recall_score",
        symbol=r"R^{C}",
        name="Path-constrained recall",
        structure=PATH_CONSTRAINED,
        read=recall,
        macro=True,
        perfect_varies=True,
        formula=rf"\frac{{{_HITS}}}{{|Y_{{aug}}|}}",
        derive=_ratio(r"\frac{|H|}{|Y_{aug}|}", lambda s: len(s.shared), lambda s: len(s.true)),
        description="The share of the true classes and their ancestors that are predicted with all their ancestors.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="inconsistency",
        function="inconsistency_loss",
        symbol=r"\mathrm{IC}",
        name="Inconsistent prediction",
        structure=PATH_CONSTRAINED,
        better="lower",
        read=lambda c, options: c.inconsistent,
        pooled="never",
        perfect_varies=True,
        formula=r"\left[\exists c \in \hat{Y} : an(c) \not\subseteq \hat{Y}\right]",
        derive=derive_inconsistency,
        description="1 where a class is predicted without one of its ancestors (the root is taken as read), else 0; "
        "the mean is the share of inconsistent predictions. It does not look at what is true.",
        source="Remus et al. 2019 (hierarchical consistency); Park et al. 2025 (TICE)",
        options=("max_ancestor_distance",),
    ),
)
