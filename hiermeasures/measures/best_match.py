"""The best-match average: the similarity of two label sets, from the similarity of two classes.

Each most specific class is matched with the class of the other side that fits it best. The value is
the mean over the classes of both sides, like BMA in GOSemSim (Yu et al. 2010). With one class on
each side it is the printed similarity of the two classes. An empty side counts as the root, as in
the shortest path. Each measure's module defines how two classes are compared.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.catalogue import (
    Derivation,
    Instance,
    Measure,
    Structure,
    Term,
    fraction,
    mark_term,
    number,
)
from hiermeasures.measures.sets import SpecificClasses

_MOST_SHOWN = 8  # matches in a sentence


@dataclass(frozen=True)
class PairValue:
    """The value of a pair of classes, with its formula and its reason in words.

    The formula is LaTeX with numbers. It can mark the terms "first" and "second" (the two classes),
    "meeting" (their common `ancestor`), and "path" (from one to the other).
    """

    value: float
    latex: str
    words: str
    ancestor: str


@dataclass(frozen=True)
class MatchedClass:
    """A class, its best match on the other side, and their comparison."""

    label: str
    partner: str
    compared: PairValue


@dataclass(frozen=True)
class MatchedClasses:
    """The best match of each most specific class: first the predicted ones, then the true ones."""

    matches: tuple[MatchedClass, ...]

    @property
    def total(self) -> float:
        """The sum of the values. The order of the classes does not change it."""
        return math.fsum(match.compared.value for match in self.matches)


Compare = Callable[[Instance, str, str], PairValue]


def match_classes(instance: Instance, compare: Compare, better: cat.Direction) -> MatchedClasses:
    """Match each most specific class with the best class of the other side."""
    h = instance.hierarchy
    predicted, true = (
        SpecificClasses.of(h, labels).or_root(h) for labels in (instance.predicted, instance.true)
    )
    compared = {(p, t): compare(instance, p, t) for p in predicted for t in true}

    def best(pairs: Iterable[tuple[str, str]]) -> tuple[str, str]:
        sign = 1 if better == "higher" else -1
        return max(pairs, key=lambda pair: sign * compared[pair].value)

    of_predicted = (best((p, t) for t in true) for p in predicted)
    of_true = (best((p, t) for p in predicted) for t in true)
    return MatchedClasses(
        (
            *(MatchedClass(p, t, compared[p, t]) for p, t in of_predicted),
            *(MatchedClass(t, p, compared[p, t]) for p, t in of_true),
        )
    )


def count_steps_up(h: Hierarchy, label: str) -> dict[str, int]:
    """Return the fewest edges up to each ancestor. Weights are ignored. The class itself has 0.

    >>> h = Hierarchy.from_edges([("R", "A", 5), ("A", "B"), ("R", "B")])
    >>> sorted(count_steps_up(h, "B").items())
    [('A', 1), ('B', 0), ('R', 1)]
    """
    steps, reached = {label: 0}, [label]
    for c in reached:
        for parent in h.parents(c):
            if parent not in steps:
                steps[parent] = steps[c] + 1
                reached.append(parent)
    return steps


def find_common_ancestors(h: Hierarchy, a: str, b: str) -> frozenset[str]:
    """Return the common ancestors of two classes. A class counts as its own ancestor."""
    return (h.ancestors(a) | {a}) & (h.ancestors(b) | {b})


def derive_average(built: MatchedClasses, value: float, options: Options) -> Derivation:
    """Return the derivation of the mean over the best matches."""
    matches = built.matches
    shown = " ".join(
        f"The best match of {match.label} is {match.partner}: {match.compared.words}."
        for match in matches[:_MOST_SHOWN]
    )
    if len(matches) == 2:  # one class on each side
        only = matches[0]
        return Derivation(
            f"{only.compared.latex} = {number(value)}",
            f"{only.label} and {only.partner}: {only.compared.words}.",
        )
    values = (number(match.compared.value) for match in matches[:_MOST_SHOWN])
    terms = " + ".join(mark_term(f"match{k}", value) for k, value in enumerate(values))
    more = r" + \cdots" * (len(matches) > _MOST_SHOWN)
    return Derivation(
        f"{fraction(terms + more, len(matches))} = {number(value)}",
        f"Best-match average over {len(matches)} classes. {shown}",
    )


def explain_terms(built: MatchedClasses, options: Options) -> Mapping[str, Term]:
    """Return the terms of each match, and of the classes of a single pair."""
    found = {
        f"match{k}": Term(
            f"{match.label} with {match.partner}: {number(match.compared.value)}",
            frozenset({match.label, match.partner}),
        )
        for k, match in enumerate(built.matches)
    }
    first, ancestor = built.matches[0], built.matches[0].compared.ancestor
    pair = {"first": first.label, "second": first.partner, "meeting": ancestor}
    found |= {key: Term(label, frozenset({label})) for key, label in pair.items()}
    ends = frozenset({first.label, first.partner})
    return found | {"path": Term(f"From {first.label} to {first.partner}", ends)}


_FAMILY = cat.Family(
    key="similarity",
    title="Similarity of classes",
    description="How similar two classes are in lexicons and ontologies. With several classes, "
    "it is the mean over their best matches.",
    rank=9,
)
_SEVERAL = (
    " With several classes on a side, it is the best-match average: each class is compared with "
    "its best match on the other side, and the value is the mean over all classes."
)


def declare_measure(
    names: Mapping[str, Any], compare: Compare, better: cat.Direction, **declared: Any
) -> Measure:
    """Return a measure of two classes, extended to label sets by the best-match average.

    Parameters
    ----------
    names : mapping
        From `catalogue.names`.
    compare : function of an instance, a predicted and a true class
    better : "higher" or "lower"
    declared :
        Other fields of `Measure`: formula, description, source, options, bounds.
    """
    structure = Structure(
        key=names["key"].lower(),
        family=_FAMILY,
        build=lambda instance: match_classes(instance, compare, better),
        terms=explain_terms,
        columns=("best", "classes"),
        meanings=("values of the best matches, summed", "most specific classes of both sides"),
        row=lambda built, options: (built.total, len(built.matches)),
        whole=False,
    )
    declared["description"] += _SEVERAL
    return Measure(
        **names,
        structure=structure,
        better=better,
        by_default=False,
        read=lambda c, options: c.best / c.classes,
        derive=derive_average,
        **declared,
    )
