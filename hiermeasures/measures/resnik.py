"""Resnik similarity (1995): the information of the most informative common ancestor."""

from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.best_match import PairValue, declare_measure
from hiermeasures.measures.catalogue import Instance, cited
from hiermeasures.measures.class_information import ABOUT, SharedInformation
from hiermeasures.measures.sets import WEIGHTED_SETS


def compare_shared(instance: Instance, a: str, b: str) -> PairValue:
    """Return the information that two classes share."""
    found = SharedInformation.of(instance, a, b)
    return found.compare(found.shared, r"\mathrm{IC}(%(ancestor)s)")


MEASURES = (
    declare_measure(
        cat.names("Resnik", "resnik_score", r"\mathrm{Res}", "Resnik similarity"),
        compare_shared,
        "higher",
        high=None,
        perfect_varies=True,
        formula=r"\max_{c \text{ above both}} \mathrm{IC}(c)",
        description="The information of the most informative common ancestor. " + ABOUT,
        source=cited("@resnik1995"),
        options=WEIGHTED_SETS,
    ),
)
