"""The most specific classes of a label set, those without a descendant in it: several families compare only these."""

from collections.abc import Iterable
from dataclasses import dataclass

from hiermeasures.hierarchy import Hierarchy


@dataclass(frozen=True)
class SpecificClasses:
    """The classes of a label set without a descendant in it, in the order of the hierarchy, and the others (`dropped`).

    A set that names a class with its ancestors speaks of the class.
    """

    classes: tuple[str, ...]
    dropped: frozenset[str]

    @classmethod
    def of(cls, hierarchy: Hierarchy, labels: Iterable[str]) -> "SpecificClasses":
        """Split a label set.

        >>> h = Hierarchy.from_edges([("R", "A"), ("A", "B"), ("R", "C")])
        >>> SpecificClasses.of(h, {"A", "B", "C"})
        SpecificClasses(classes=('C', 'B'), dropped=frozenset({'A'}))
        """
        given = frozenset(labels)
        above = frozenset[str]().union(*(hierarchy.ancestors(c) for c in given)) if len(given) > 1 else frozenset[str]()
        return cls(tuple(sorted(given - above, key=hierarchy.index)), given & above)

    def or_root(self, hierarchy: Hierarchy) -> tuple[str, ...]:
        """The classes; the root where there are none: of what has no label only the root is known."""
        return self.classes or (hierarchy.root,)
