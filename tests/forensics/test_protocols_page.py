"""The smallest data on which two conventions differ, as on docs/protocols.md: against another
search.
"""

from fractions import Fraction
from itertools import combinations, product

from docs.make.protocols_page import Data, candidates, searched
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.forensics import Convention

OURS, FLAT = Convention.of("F"), Convention.of("F", average="micro", ancestors="none")


def smallest_by_hand(most: int) -> int:
    """Return the least size of one instance on which F1 of sets with and without ancestors differ."""
    sizes = []
    for n in range(1, most):  # classes 1 … n; the parent of each is 0, the root, or one before it
        for parents in product(*(range(k) for k in range(1, n + 1))):
            above = {0: set()}
            for c, parent in enumerate(parents, 1):
                above[c] = above[parent] | {c}
            sides = [set(s) for k in (1, 2) for s in combinations(range(1, n + 1), k)]
            for t, p in product(sides, sides):
                grown = [set().union(*(above[c] for c in side)) for side in (t, p)]
                values = [Fraction(2 * len(x & y), len(x) + len(y)) for x, y in ((t, p), grown)]
                if values[0] != values[1]:
                    sizes.append(n + 1 + 1 + len(t) + len(p))
    return min(sizes)


def test_the_smallest_data_are_as_small_as_brute_force_finds():
    pair = frozenset((OURS, FLAT))
    first, closed = searched([pair], candidates(7))
    assert first[pair].order[:2] == (False, smallest_by_hand(5)) == (False, 6)
    # R > a > b, {a} against {b}: with ancestors {a} against {a, b}, F1 2/3; without them no class
    # is shared.
    assert first[pair] == Data(Hierarchy.from_edges([("R", "a"), ("a", "b")]), ((("a",), ("b",)),))
    assert [round(value, 6) for value in first[pair].values([OURS, FLAT])] == [0.666667, 0]
    # On full paths one instance tells them apart only where both sides are empty: 1 for ours, 0 of
    # sums of nothing.
    assert closed[pair].rows == (((), ()),)


def test_conventions_that_are_said_to_be_the_same_on_full_paths_are():
    path, grown = (Convention.of("F", average="micro", ancestors=choice) for choice in ("path", "both"))
    full = [data for data in candidates(7) if data.is_closed]
    assert len(full) > 50
    for data in full[:60]:
        a, b, c = data.values([FLAT, path, grown])
        assert a == b == c, data.text
