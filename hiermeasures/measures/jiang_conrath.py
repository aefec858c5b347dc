"""Jiang–Conrath distance (1997): the information that two classes do not share."""

from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.best_match import PairValue, declare_measure
from hiermeasures.measures.catalogue import Instance, cited
from hiermeasures.measures.class_information import ABOUT, SharedInformation
from hiermeasures.measures.sets import WEIGHTED_SETS


def compare_difference(instance: Instance, a: str, b: str) -> PairValue:
    """Return the information of two classes minus the information that they share."""
    found = SharedInformation.of(instance, a, b)
    value = found.first + found.second - 2 * found.shared
    return found.compare(value, r"%(a)s + %(b)s - 2 \cdot %(shared)s")


MEASURES = (
    declare_measure(
        cat.names("Jiang_Conrath", "jiang_conrath_error", r"\mathrm{JC}", "Jiang–Conrath distance"),
        compare_difference,
        "lower",
        high=None,
        formula=r"\mathrm{IC}(\hat{y}) + \mathrm{IC}(y) - 2 \max_{c \text{ above both}} \mathrm{IC}(c)",
        description="The information of both classes, minus twice the information of the most "
        "informative common ancestor. NLTK prints 1 divided by it. " + ABOUT,
        source=cited("@jiang1997"),
        options=WEIGHTED_SETS,
    ),
)
