"""What one may ask of a measure, each property one declaration: the edit it speaks about, and the relation that has to
hold between the values before and after.

"Better" follows the direction of the measure, and values within 1e-9 are equal. A pair of which one value is undefined
neither keeps nor breaks a property.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from hiermeasures.behaviour import edits
from hiermeasures.behaviour.edits import Edit
from hiermeasures.measures import Measure

CLOSE = 1e-9
Relation = Callable[[Measure, np.ndarray, np.ndarray], np.ndarray]


def gain(measure: Measure, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """How much better the second values are; equal infinite values differ by nothing."""
    with np.errstate(invalid="ignore"):
        difference = np.where(before == after, 0.0, after - before)
    better_by: np.ndarray = difference if measure.better == "higher" else -difference
    return better_by


def no_worse(measure: Measure, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return gain(measure, before, after) >= -CLOSE


def no_better(measure: Measure, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return gain(measure, before, after) <= CLOSE


def worse(measure: Measure, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return gain(measure, before, after) < -CLOSE


def better(measure: Measure, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return gain(measure, before, after) > CLOSE


def the_same(measure: Measure, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    same: np.ndarray = np.abs(gain(measure, before, after)) <= CLOSE
    return same


def in_range(measure: Measure, before: np.ndarray, _: np.ndarray) -> np.ndarray:
    low = -np.inf if measure.low is None else measure.low - CLOSE
    high = np.inf if measure.high is None else measure.high + CLOSE
    return (before >= low) & (before <= high)


@dataclass(frozen=True, kw_only=True)
class Property:
    """One property: `says` is the sentence, `choice` what had to be decided to make it exact, and why."""

    key: str
    name: str
    says: str
    varies: Literal["nothing", "prediction", "both sides", "hierarchy"]
    edit: Edit
    relation: Relation
    choice: str = ""


_DECLARED = (
    Property(
        key="perfect_is_best",
        name="Perfect is best",
        says="No prediction is better than exactly the true classes.",
        varies="prediction",
        edit=edits.perfect_to_other,
        relation=no_better,
    ),
    Property(
        key="only_perfect_is_best",
        name="Only perfect is best",
        says="Every other prediction is worse than exactly the true classes.",
        varies="prediction",
        edit=edits.perfect_to_other,
        relation=worse,
    ),
    Property(
        key="only_equivalent_is_best",
        name="Only what means the same is best",
        says="Every prediction with other ancestors-or-selves than the true classes is worse than exactly those.",
        varies="prediction",
        edit=edits.perfect_to_other_closure,
        relation=worse,
    ),
    Property(
        key="symmetric",
        name="Symmetric",
        says="Exchanging the true and the predicted classes changes nothing.",
        varies="both sides",
        edit=edits.exchange,
        relation=the_same,
        choice="The prediction is not empty, for an instance without a true class is none.",
    ),
    Property(
        key="more_truth_never_hurts",
        name="More truth never hurts",
        says="Adding a true class to the prediction never makes it worse.",
        varies="prediction",
        edit=edits.add_true_class,
        relation=no_worse,
    ),
    Property(
        key="unrelated_error_never_pays",
        name="An unrelated error never pays",
        says="Adding a class that is neither above, below nor among the true ones never makes it better.",
        varies="prediction",
        edit=edits.add_unrelated_class,
        relation=no_better,
    ),
    Property(
        key="unrelated_error_never_pays_to_a_prediction",
        name="An unrelated error never pays a prediction",
        says="Adding such a class to a prediction that is not empty never makes it better.",
        varies="prediction",
        edit=edits.add_unrelated_to_a_prediction,
        relation=no_better,
    ),
    Property(
        key="unrelated_error_always_costs",
        name="An unrelated error always costs",
        says="Adding such a class to a prediction that is not empty always makes it worse.",
        varies="prediction",
        edit=edits.add_unrelated_to_a_prediction,
        relation=worse,
    ),
    Property(
        key="ancestor_changes_nothing",
        name="An ancestor changes nothing",
        says="Adding a class above a predicted one changes nothing.",
        varies="prediction",
        edit=edits.add_ancestor,
        relation=the_same,
        choice="The root is never added, for neither side holds it.",
    ),
    Property(
        key="backing_off_never_hurts",
        name="Backing off never hurts",
        says="Replacing a wrong class by its parent, where that is above a true class, never makes it worse.",
        varies="prediction",
        edit=edits.back_off,
        relation=no_worse,
        choice="The class replaced is neither in nor above the true ones; its parent is in neither set, and not the "
        "root. In a DAG each such parent is tried.",
    ),
    Property(
        key="going_deeper_never_hurts",
        name="Going deeper never hurts",
        says="Replacing a class above a true one by its child toward that true class never makes it worse.",
        varies="prediction",
        edit=edits.go_deeper,
        relation=no_worse,
        choice="The class replaced may be true itself, above another true one, and its child may be predicted "
        "already; then the prediction only loses a class. The sentence is taken at its word.",
    ),
    Property(
        key="nearer_is_no_worse",
        name="Nearer is no worse",
        says="Of two single predictions for a single true class, the one nearer to it is no worse.",
        varies="prediction",
        edit=edits.come_nearer,
        relation=no_worse,
        choice="Distances lead through a common ancestor, with every edge 1; of equal ones nothing is asked.",
    ),
    Property(
        key="too_deep_costs",
        name="Too deep costs, the more the deeper",
        says="A single prediction below the single true class is worse than its parent at or below that class.",
        varies="prediction",
        edit=edits.rise_to_the_true_class,
        relation=better,
        choice="The parent is nearer to the true class; in a DAG each such parent is tried.",
    ),
    Property(
        key="too_high_costs",
        name="Too high costs, the more the higher",
        says="A single prediction above the single true class is worse than its child at or above that class.",
        varies="prediction",
        edit=edits.descend_to_the_true_class,
        relation=better,
        choice="The child is nearer to the true class; in a DAG each such child is tried. The root is no prediction.",
    ),
    Property(
        key="deeper_mistake_is_milder",
        name="A deeper mistake is milder",
        says="A single wrong class as far from its lowest common ancestor with the single true class, and that one as "
        "far, is no worse where the ancestor is deeper.",
        varies="both sides",
        edit=edits.deepen,
        relation=no_worse,
        choice="Both pairs are in the same hierarchy and have one lowest common ancestor each; its level is the "
        "longest way from the root.",
    ),
    Property(
        key="names_do_not_matter",
        name="Names do not matter",
        says="Renaming the classes changes nothing.",
        varies="hierarchy",
        edit=edits.rename,
        relation=the_same,
        choice="The names, and with them the order in which siblings are listed, are reversed, so that ties broken by "
        "either show.",
    ),
    Property(
        key="elsewhere_changes_nothing",
        name="Elsewhere changes nothing",
        says="A new leaf below a class that is not in, above or below the true and predicted ones changes nothing.",
        varies="hierarchy",
        edit=edits.grow_elsewhere,
        relation=the_same,
    ),
    Property(
        key="second_way_changes_nothing",
        name="A second way changes nothing",
        says="A second, equally long way to a wrong class changes nothing.",
        varies="hierarchy",
        edit=edits.add_second_way,
        relation=the_same,
        choice="An edge is added into a predicted leaf that is not below a true class, as in Figure 13 of Kosmopoulos "
        "et al. 2015: a way from the root as long as the shortest one before. Its distances from the true classes and "
        "their lowest common ancestors stay as they are, or it would be another mistake; the new ancestors are in "
        "neither set.",
    ),
    Property(
        key="stays_in_range",
        name="Stays in range",
        says="The value lies between the declared bounds.",
        varies="nothing",
        edit=edits.nothing,
        relation=in_range,
    ),
)
PROPERTIES: dict[str, Property] = {declared.key: declared for declared in _DECLARED}
