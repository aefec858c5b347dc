"""Properties of measures: the edit that each speaks about, and the relation that has to hold
between the values before and after. properties.yaml declares them.

"Better" follows the direction of the measure, and values within 1e-9 are equal. A pair of which one
value is undefined neither keeps nor breaks a property.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hiermeasures.behaviour import edits
from hiermeasures.behaviour.edits import Edit
from hiermeasures.behaviour.what_if import CLOSE
from hiermeasures.core.data_file import data_file
from hiermeasures.measures import Measure

Relation = Callable[..., np.ndarray]  # of a measure and its values before and after


def gain(measure: Measure, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Return by how much the second values are better; equal infinite values differ by nothing."""
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


def detour_no_shorter(measure: Measure, before: np.ndarray, after: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """Compare a distance with that to a third set and on from there."""
    best = measure.high or 0.0
    one, other, last = (side if measure.better == "lower" else best - side for side in (before, after, rest))
    shorter: np.ndarray = one <= other + last + CLOSE
    return shorter


@dataclass(frozen=True, kw_only=True)
class Property:
    """One property; properties.yaml says what its fields are."""

    key: str
    name: str
    says: str
    edit: Edit
    relation: Relation
    choice: str = ""
    third: bool = False


def _property(entry: Mapping[str, Any]) -> Property:
    return Property(**{**entry, "edit": vars(edits)[entry["edit"]], "relation": globals()[entry["relation"]]})


PROPERTIES: dict[str, Property] = {
    entry["key"]: _property(entry) for entry in data_file(__package__, "properties.yaml")
}
