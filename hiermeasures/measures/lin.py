"""Lin similarity (1998): shared information as a share of the information of both classes."""

from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.best_match import PairValue, declare_measure
from hiermeasures.measures.catalogue import Instance, cited
from hiermeasures.measures.class_information import ABOUT, SharedInformation
from hiermeasures.measures.sets import WEIGHTED_SETS


def compare_shares(instance: Instance, a: str, b: str) -> PairValue:
    """Return the shared information divided by the mean information of two classes."""
    found = SharedInformation.of(instance, a, b)
    both = found.first + found.second
    value = cat.ratio(2 * found.shared, both, instance.options, agree=a == b)
    return found.compare(value, r"\frac{2 \cdot %(shared)s}{%(a)s + %(b)s}")


MEASURES = (
    declare_measure(
        cat.names("Lin", "lin_score", r"\mathrm{Lin}", "Lin similarity"),
        compare_shares,
        "higher",
        formula=r"\frac{2 \max_{c \text{ above both}} \mathrm{IC}(c)}{\mathrm{IC}(\hat{y}) + \mathrm{IC}(y)}",
        description="Twice the information of the most informative common ancestor, divided by the "
        "information of both classes. " + ABOUT,
        source=cited("@lin1998"),
        options=(*WEIGHTED_SETS, "zero_division"),
    ),
)
