"""Properties of measures: the edit that each speaks about, and the relation that has to hold
between the values before and after (properties.yaml declares them); and theorems, the proofs that a
measure keeps one in every hierarchy (theorems.yaml).

"Better" follows the direction of the measure, and values within 1e-9 are equal. A pair of which one
value is undefined neither keeps nor breaks a property. A property that is kept and not proved was
only searched; tests/behaviour/test_theorems.py tries every theorem on large random instances.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from hiermeasures.behaviour import edits
from hiermeasures.behaviour.edits import Edit
from hiermeasures.behaviour.what_if import CLOSE
from hiermeasures.core.options import Options
from hiermeasures.core.package import data_file
from hiermeasures.measures import CATALOGUE, Measure

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


NOTATION = """*T* are the true classes, *P* the predicted ones; *T* is not empty, and neither holds the root. *Y* and
*Ŷ* are *T* and *P* with all their ancestors, the root among them where it is counted. Of two sets that are compared,
*s* is the number of classes in both, *m* of those predicted only, *r* of those true only; for weighted classes the sums
of their weights, which are never negative. The sets are *T* and *P* for flat measures, with ancestors or descendants
for the others:

- precision, hP, wP: s/(s+m). Recall, hR, wR: s/(s+r). F1, hF, wF: 2s/(2s+m+r). simGIC: s/(s+m+r). 0/0 is 1 where the
  difference that is left out is 0, too, and else 0.
- SDL: m+r. Hamming: (m+r)/n for n classes. mi: m. ru: r. S: √(m²+r²). ICM: s−m−r. ICM_norm: max(0, (2s−m)/(2s+2r)).
  Accuracy and path accuracy: 1 where m = r = 0, else 0.

*Lemma.* None of these gets worse where k ≥ 0 goes from r to s, nor where m falls: each formula rises in s with s+r
kept, and falls in m; where a ratio is 0/0 before or after, it was 0, or nothing has moved. Where k > 0, those with r
get better (but ICM_norm, which can stay 0, and accuracy); where m falls and s > 0, those with m do (but the same two).

*d* is the distance of two classes, the length of the shortest way through a common ancestor."""


@dataclass(frozen=True, kw_only=True)
class Theorem:
    """Properties that measures keep in hierarchies of every size, and why.

    `trees`: proved of trees alone. `root`: where it is counted (True), or is not (False); None is
    either. `alike`: proved where all classes weigh 1. Other options that a measure reads have their
    defaults.
    """

    properties: tuple[str, ...]
    measures: tuple[str, ...]
    proof: str
    trees: bool = False
    root: bool | None = None
    alike: bool = False

    def covers(self, trees: bool, options: Options) -> bool:
        """Return True if it speaks of trees alone, or not, under these options."""
        counted = options.count_root is not False
        return (
            (trees or not self.trees)
            and self.root in (None, counted)
            and (not self.alike or options.class_weights == "one")
        )

    @property
    def where(self) -> str:
        """The settings it speaks of, in words; empty for all."""
        parts = ["trees"] * self.trees + ["all weights 1"] * self.alike
        parts += [] if self.root is None else [f"the root {'' if self.root else 'not '}counted"]
        return ", ".join(parts)


_DATA: Mapping[str, Any] = data_file(__package__, "theorems.yaml")


def _theorem(keeps: str, measures: str, proof: str, **settings: bool) -> Theorem:
    keys = " ".join(_DATA["groups"].get(word, word) for word in measures.split()).split()
    proof = proof.replace("{ranks}", _DATA["ranks"])
    return Theorem(properties=tuple(keeps.split()), measures=tuple(keys), proof=proof, **settings)


THEOREMS = tuple(_theorem(**entry) for entry in _DATA["theorems"])
_SETTINGS = {"count_root", "class_weights"}
BY_CELL: dict[tuple[str, str], list[Theorem]] = {}
"""The theorems of a property and a measure."""
for _each in THEOREMS:
    for _cell in product(_each.properties, _each.measures):
        BY_CELL.setdefault(_cell, []).append(_each)


def proved(prop: str, measure: Measure, *, trees: bool, options: Options) -> Theorem | None:
    """Return the theorem that a measure keeps a property, where all hierarchies are trees or not,
    under these options.

    Examples
    --------
    >>> deeper = ("deeper_mistake_is_better", CATALOGUE["hF"])
    >>> proved(*deeper, trees=True, options=Options()) is not None, proved(*deeper, trees=False, options=Options())
    (True, None)
    """
    if CATALOGUE.get(measure.key) is not measure or set(options.changed) & set(measure.options) - _SETTINGS:
        return None
    return next((t for t in BY_CELL.get((prop, measure.key), ()) if t.covers(trees, options)), None)
