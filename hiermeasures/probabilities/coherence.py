"""Coherence of probabilities with the hierarchy: what is odd about them is reported, never repaired
here.

Coherent means that no class is likelier than its parents. A single path is possible where, besides,
the children of a class never sum to more than the class itself; it is exhaustive where they always
sum to just that (Plaud et al. 2024, Section 4.1).
"""

from dataclasses import dataclass

import numpy as np

from hiermeasures.core.errors import shown
from hiermeasures.engine.hierarchy_arrays import arrays_of
from hiermeasures.probabilities.conversions import TOLERANCE
from hiermeasures.probabilities.probabilities import NodeProbabilities, ProbabilityTable


@dataclass(frozen=True)
class ChildAboveParent:
    """A class that is likelier than one of its parents."""

    child: str
    parent: str
    child_probability: float
    parent_probability: float

    @property
    def sentence(self) -> str:
        return (
            f"{shown(self.child)} ({self.child_probability:.4g}) is likelier than its parent {shown(self.parent)} "
            f"({self.parent_probability:.4g})"
        )


@dataclass(frozen=True)
class ChildrenSum:
    """The sum of the children of a class, beside the class itself.

    In a DAG `total` is the probability that the classes below would share out if one of them were
    the most specific true class, each counted once.
    """

    parent: str
    children: tuple[str, ...]
    total: float
    parent_probability: float

    @property
    def excess(self) -> float:
        """Excess of the children's sum; negative where a path may stop at the parent."""
        return self.total - self.parent_probability

    @property
    def sentence(self) -> str:
        relation = "more" if self.excess > 0 else "less"
        return (
            f"the children of {shown(self.parent)} sum to {self.total:.4g}, {relation} than its own "
            f"{self.parent_probability:.4g}"
        )


@dataclass(frozen=True)
class Coherence:
    """Findings about the probabilities of one instance. Made by `coherence`."""

    child_above_parent: tuple[ChildAboveParent, ...]
    siblings_over: tuple[ChildrenSum, ...]
    stopping: tuple[ChildrenSum, ...]

    @property
    def coherent(self) -> bool:
        """No class is likelier than its parents."""
        return not self.child_above_parent

    @property
    def single_path(self) -> bool:
        """The probabilities can be those of one path."""
        return not (self.child_above_parent or self.siblings_over)

    @property
    def exhaustive(self) -> bool:
        """The probabilities can be those of one path that reaches a leaf."""
        return self.single_path and not self.stopping

    @property
    def sentences(self) -> tuple[str, ...]:
        """One plain sentence for each finding, the gravest kind first."""
        above = [f.sentence for f in self.child_above_parent]
        return (*above, *(f.sentence for f in (*self.siblings_over, *self.stopping)))


@dataclass(frozen=True, eq=False)
class TableCoherence:
    """Numbers of findings in a file: arrays of one number for each instance.

    `above_parent` counts the edges whose child is likelier than the parent, `siblings_over` the
    classes whose children sum to more than the class, `stopping` those whose children sum to less
    (the two last for trees; zeros for a DAG).
    """

    above_parent: np.ndarray
    siblings_over: np.ndarray
    stopping: np.ndarray

    @property
    def sentence(self) -> str:
        n = len(self.above_parent)
        counts = [int((a > 0).sum()) for a in (self.above_parent, self.siblings_over, self.stopping)]
        return (
            f"Of {n:,} instances, {counts[0]:,} have a class likelier than its parent, "
            f"{counts[1]:,} have siblings that sum to "
            f"more than their parent, and {counts[2]:,} to less."
        )


def coherence(probabilities: NodeProbabilities, tolerance: float = TOLERANCE) -> Coherence:
    """Return what is odd about the probabilities of one instance.

    Parameters
    ----------
    probabilities : NodeProbabilities
    tolerance : float
        Differences up to this are taken for rounding.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> h = Hierarchy.from_nested({"r": {"1": ["3"], "2": None}})
    >>> found = coherence(NodeProbabilities.of(h, {"1": 0.5, "2": 0.25, "3": 0.75}))
    >>> found.coherent, found.sentences[0]
    (False, "'3' (0.75) is likelier than its parent '1' (0.5)")
    """
    p, h = probabilities, probabilities.hierarchy
    above = tuple(ChildAboveParent(c, q, p[c], p[q]) for q, c in h.edges if p[c] > p[q] + tolerance)
    mass = ending_mass(probabilities)
    sums = [ChildrenSum(c, h.children(c), p[c] - mass[c], p[c]) for c in h.nodes if h.children(c)]
    return Coherence(
        above, tuple(s for s in sums if s.excess > tolerance), tuple(s for s in sums if s.excess < -tolerance)
    )


def table_coherence(table: ProbabilityTable, tolerance: float = TOLERANCE) -> TableCoherence:
    """Count what is odd about the probabilities of each instance of a file."""
    h, values = table.hierarchy, table.values
    arrays = arrays_of(h)
    parent_ptr, parent_idx = arrays.parent_ptr, arrays.parent_idx
    child = np.repeat(np.arange(len(h)), np.diff(parent_ptr))
    above = (values[:, child] > values[:, parent_idx] + tolerance).sum(axis=1)
    ptr = arrays.child_ptr
    inner = np.flatnonzero(np.diff(ptr))
    if not (h.is_tree and len(inner)):
        return TableCoherence(above, np.zeros_like(above), np.zeros_like(above))
    excess = np.add.reduceat(values[:, arrays.child_idx], ptr[inner], axis=1) - values[:, inner]
    return TableCoherence(above, (excess > tolerance).sum(axis=1), (excess < -tolerance).sum(axis=1))


def ending_mass(probabilities: NodeProbabilities) -> dict[str, float]:
    """For each class the probability that it is the most specific true class, if there is only one.

    In a tree: its own probability less its children's. In a DAG: less the mass of every class below
    it, each counted once. It is negative where the classes below hold more than the class itself.
    """
    p, h = probabilities, probabilities.hierarchy
    if h.is_tree:
        return {c: p[c] - sum(p[d] for d in h.children(c)) for c in h.nodes}
    mass: dict[str, float] = {}
    for c in reversed(h.nodes):
        mass[c] = p[c] - sum(mass[d] for d in h.descendants(c))
    return mass
