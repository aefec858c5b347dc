r"""Measures of classes with different weights.

They read three sums over the two sets with ancestors: the weight of the classes in both (tp), of
those only predicted (mi), and of those only true (ru). If every class weighs 1, wP, wR, wF and
mi + ru are hP, hR, hF and the symmetric difference loss. ICM (Amigó and Delgado 2022) reads these
sums with other weights. docs/weighted-classes.md explains both, and other_names.yaml has other
names of these measures.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from hiermeasures.hierarchy.elementwise import hypot, maximum
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.package import data_file
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.catalogue import (
    Derivation,
    Instance,
    Measure,
    Structure,
    Term,
    cited,
    mark_term,
    named,
    number,
    remove_marks,
)
from hiermeasures.measures.ratios import (
    Ratio,
    derived,
    derived_of_counts,
    f1_precision_recall,
    ratios_of,
)
from hiermeasures.measures.sets import (
    WEIGHTED_SETS,
    SetOverlap,
    augmented_by_ancestors,
    changes,
    weigh_classes,
)


@dataclass(frozen=True, eq=False)
class WeightedSets(SetOverlap):
    """The two sets with ancestors, and the weight of each class."""

    @property
    def tp(self) -> float:
        """The weight of the classes on both sides."""
        return self.weight(self.shared)

    @property
    def mi(self) -> float:
        """The weight of the classes that are only predicted: misinformation."""
        return self.weight(self.spurious)

    @property
    def ru(self) -> float:
        """The weight of the classes that are only true: remaining uncertainty."""
        return self.weight(self.missed)


ROWS = {"weighted": 0, "contrast": 1}
"""The row of a hierarchy's class weights for each structure, by its key."""


def weighted(instance: Instance, structure: str) -> WeightedSets:
    """Return the two sets with ancestors, and the class weights of a structure."""
    sets = augmented_by_ancestors(instance)
    weights = weigh_classes(instance, sets, ROWS[structure])
    return WeightedSets(**{**vars(sets), "weights": weights})


SIM_GIC = Ratio(lambda c: (c.tp, c.tp + c.mi + c.ru, True))
# (ICM + ICM of the truth with itself) / (2 · ICM of the truth with itself)
CONTRAST_NORM = Ratio(lambda c: (2 * c.tp - c.mi, 2 * (c.tp + c.ru), c.mi == 0))
_TP, _MI, _RU = (mark_term(part, rf"\mathrm{{{part}}}") for part in ("tp", "mi", "ru"))
_SIM_GIC = rf"\frac{{{_TP}}}{{{_TP} + {_MI} + {_RU}}}"
_CONTRAST_NORM = rf"\max\left(0, \frac{{2\,{_TP} - {_MI}}}{{2\,({_TP} + {_RU})}}\right)"


def _about(sets: WeightedSets) -> str:
    return (
        f"In both: {named(sets.shared)} ({number(sets.tp)}). Predicted only: "
        f"{named(sets.spurious)} "
        f"({number(sets.mi)}). True only: {named(sets.missed)} ({number(sets.ru)})."
    )


def explain_weights(sets: WeightedSets, options: Options) -> Mapping[str, Term]:
    """Return the terms of the three sums of weights."""
    parts = {
        "tp": ("in both sets", sets.shared, sets.tp),
        "mi": ("in the predicted set only", sets.spurious, sets.mi),
        "ru": ("in the true set only", sets.missed, sets.ru),
    }
    found = {}
    for key, (what, classes, weight) in parts.items():
        term = Term.of(what, classes)
        found[key] = Term(f"{term.words}. Weight: {number(weight)}", term.classes)
    return found


def _sum(formula: str, only: str, words: str) -> dict[str, Any]:
    """Return the formula of the classes on one side only, and its derivation."""

    def derive(sets: WeightedSets, value: float, options: Options) -> Derivation:
        classes = getattr(sets, only)
        many = write_count(len(classes), "class is", "classes are")
        sentence = f"{many} {words}: {named(classes)}. The total weight is {number(value)}."
        key = {"spurious": "mi", "missed": "ru"}[only]
        shown = (mark_term(key, each) for each in (formula, number(value)))
        return Derivation(" = ".join(shown), sentence)

    return {"formula": formula, "derive": derive}


def _filled(formula: str, filled: str) -> dict[str, Any]:
    """Return a formula and its derivation. `filled` has places for tp, mi and ru."""

    def derive(sets: WeightedSets, value: float, options: Options) -> Derivation:
        sums_of = filled % {
            part: mark_term(part, number(getattr(sets, part))) for part in ("tp", "mi", "ru")
        }
        return Derivation(f"{formula} = {sums_of} = {number(value)}", _about(sets))

    return {"formula": remove_marks(formula), "derive": derive}


_SETS: Mapping[str, Any] = {
    "family": cat.Family(
        key="weighted",
        title="Weighted classes",
        description="All ancestors are added to both sides, and each class counts by its weight.",
        rank=6,
    ),
    "columns": ("tp", "mi", "ru"),
    "meanings": (
        "weight on both sides",
        "weight on the predicted side only",
        "weight on the true side only",
    ),
    "row": lambda sets, options: (sets.tp, sets.mi, sets.ru),
    "whole": False,
    "view": "ancestors",
    "changes": changes,
    "terms": explain_weights,
}
WEIGHTED, CONTRAST = (
    Structure(key=key, build=partial(weighted, structure=key), **_SETS) for key in ROWS
)

_RATIOS = ratios_of("tp", "mi", "ru")
_RATIO: Mapping[str, Any] = {"options": (*WEIGHTED_SETS, "zero_division")}
_CLARK: Mapping[str, Any] = {
    "structure": WEIGHTED,
    "source": cited("@clark2013"),
    "options": WEIGHTED_SETS,
    **cat.LOSS,
}
_ICM: Mapping[str, Any] = {"structure": CONTRAST, "source": cited("@amigo2022")}

MEASURES = (
    *f1_precision_recall(
        structure=WEIGHTED,
        ratios=_RATIOS,
        keys=("wF", "wP", "wR"),
        function="weighted",
        name="Weighted {}",
        symbols=(r"\mathrm{wF}", r"\mathrm{wP}", r"\mathrm{wR}"),
        derive=derived_of_counts(WEIGHTED, _RATIOS, _about, about_undefined=True),
        descriptions=(
            "The harmonic mean of weighted precision and recall. If every class weighs 1, it is "
            "hF.",
            "The share of the predicted weight that is true. If every class weighs 1, it is hP.",
            "The share of the true weight that is predicted. If every class weighs 1, it is hR.",
        ),
        source=cited("@clark2013; @valmadre2022"),
        **_RATIO,
    ),
    Measure(
        **cat.names("simGIC", "sim_gic_score", r"\mathrm{simGIC}", "Shared graph information"),
        structure=WEIGHTED,
        read=SIM_GIC,
        formula=remove_marks(_SIM_GIC),
        derive=derived(WEIGHTED, _SIM_GIC, SIM_GIC, _about, about_undefined=True),
        description="The weight of the classes on both sides, divided by the weight of the classes "
        "on either side.",
        source=cited("@pesquita2007"),
        **_RATIO,
    ),
    Measure(
        **cat.names("mi", "misinformation_loss", r"\mathrm{mi}", "Misinformation"),
        read=lambda c, options: c.mi,
        **_sum(
            r"\sum_{c \in \hat{Y}_{\mathrm{aug}} \setminus Y_{\mathrm{aug}}} w(c)",
            "spurious",
            "predicted only",
        ),
        description="The weight of the classes that are predicted but not true, with ancestors.",
        **_CLARK,
    ),
    Measure(
        **cat.names("ru", "remaining_uncertainty_loss", r"\mathrm{ru}", "Remaining uncertainty"),
        read=lambda c, options: c.ru,
        **_sum(
            r"\sum_{c \in Y_{\mathrm{aug}} \setminus \hat{Y}_{\mathrm{aug}}} w(c)",
            "missed",
            "true only",
        ),
        description="The weight of the classes that are true but not predicted, with ancestors.",
        **_CLARK,
    ),
    Measure(
        **cat.names("S", "semantic_distance_loss", "S", "Semantic distance"),
        read=lambda c, options: hypot(c.mi, c.ru),
        **_filled(rf"\sqrt{{{_MI}^2 + {_RU}^2}}", r"\sqrt{%(mi)s^2 + %(ru)s^2}"),
        description="The hypotenuse of a right triangle. Its legs are misinformation and remaining "
        "uncertainty.",
        **_CLARK,
    ),
    Measure(
        **cat.names("ICM", "icm_score", r"\mathrm{ICM}", "Information contrast"),
        **_ICM,
        low=None,
        high=None,
        read=lambda c, options: c.tp - c.mi - c.ru,
        pooled="never",
        perfect_varies=True,
        **_filled(f"{_TP} - {_MI} - {_RU}", "%(tp)s - %(mi)s - %(ru)s"),
        description="The weight of the classes on both sides, minus the weight of the classes on "
        "one side only. In a DAG the information content uses P(class), not P(class given "
        "parents).",
        options=WEIGHTED_SETS,
    ),
    Measure(
        **cat.names(
            "ICM_norm",
            "icm_norm_score",
            r"\mathrm{ICM}_{\mathrm{norm}}",
            "Normalised information contrast",
        ),
        **_ICM,
        read=lambda c, options: maximum(CONTRAST_NORM(c, options), 0.0),
        pooled="always",
        formula=remove_marks(_CONTRAST_NORM),
        derive=derived(CONTRAST, _CONTRAST_NORM, CONTRAST_NORM, _about, about_undefined=True),
        description="ICM on a scale from 0 (an empty prediction, or worse) to 1 (the truth "
        "itself). For many instances it is computed from their mean.",
        **_RATIO,
    ),
)


@dataclass(frozen=True)
class OtherName:
    """Another name of a measure in one of the papers.

    `measures` are keys. They are empty if the measure is not in the catalogue. `formula` computes
    the measure from the sums. The `source` calls it `called` if the `condition` is true. An empty
    condition is always true.
    """

    key: str
    called: str
    source: str
    formula: str
    measures: tuple[str, ...] = ()
    condition: str = ""

    @property
    def when(self) -> str:
        """The condition in words."""
        return self.condition or "always, with the weights of the source"


@cache
def other_names() -> tuple[OtherName, ...]:
    """Return the names in other_names.yaml."""
    entries = data_file(__package__, "other_names.yaml")
    return tuple(
        OtherName(**e | {"source": cited(e["source"]), "measures": tuple(e.get("measures", ()))})
        for e in entries
    )
