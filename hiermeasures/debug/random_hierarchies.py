"""Random trees and DAGs of a given size and shape.

Names are short: A on top, then B, C, … level by level. Equal arguments give equal hierarchies.
worlds.py has small random hierarchies as bit masks.
"""

import random
from collections.abc import Iterator
from itertools import count, islice

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy

LARGEST_RANDOM = 2000
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letter_names() -> Iterator[str]:
    """Yield A, B, … Z, AA, AB, … without end."""
    for number in count(1):
        name = ""
        while number:
            number, digit = divmod(number - 1, len(LETTERS))
            name = LETTERS[digit] + name
        yield name


def random_hierarchy(
    size: int, depth: int, branching: int, extra: float = 0.0, seed: int = 1
) -> Hierarchy:
    """Return a random tree, or a random DAG if there are extra parents.

    Equal arguments give equal hierarchies.

    Parameters
    ----------
    size : int
        The number of classes, 2 to 2,000.
    depth : int
        The deepest level. At least one branch reaches it.
    branching : int
        The largest number of children of a class, before extra parents are drawn.
    extra : float
        The share (0 to 1) of classes below level 1 that get a second parent from a level above.
    seed : int
        The seed of the random numbers.

    Raises
    ------
    InputError
        If the number of classes does not fit, or does not reach the depth.

    Examples
    --------
    >>> h = random_hierarchy(12, depth=3, branching=3, extra=0.5)
    >>> len(h), h.depth, h.is_tree
    (12, 3, False)
    """
    _check(size, depth, branching, extra)
    drawn = random.Random(seed)
    level, children, parents = [0], [0], [-1]
    for node in range(1, size):
        open_classes = [p for p in range(node) if level[p] < depth and children[p] < branching]
        # one branch down to the wished depth first
        parent = node - 1 if node <= depth else drawn.choice(open_classes)
        level.append(level[parent] + 1)
        children[parent] += 1
        children.append(0)
        parents.append(parent)
    edges = {(parents[c], c) for c in range(1, size)}
    deep = [c for c in range(size) if level[c] > 1]
    for c in drawn.sample(deep, round(extra * len(deep))):
        above = [p for p in range(size) if level[p] < level[c] and p not in (0, parents[c])]
        if above:
            edges.add((drawn.choice(above), c))
    order = sorted(range(size), key=lambda c: (level[c], drawn.random()))
    names = dict(zip(order, islice(letter_names(), size), strict=True))
    rank = {c: i for i, c in enumerate(order)}
    return Hierarchy.from_edges(
        (names[p], names[c]) for p, c in sorted(edges, key=lambda e: (rank[e[1]], rank[e[0]]))
    )


def _check(size: int, depth: int, branching: int, extra: float) -> None:
    if not 2 <= size <= LARGEST_RANDOM:
        raise InputError(f"a random hierarchy has 2 to {LARGEST_RANDOM:,} classes, not {size:,}")
    if depth < 1 or branching < 1 or not 0 <= extra <= 1:
        raise InputError(
            "depth and branching must be at least 1, and the share of extra parents between 0 and 1"
        )
    if size < depth + 1:
        raise InputError(
            f"{depth} levels below the root need at least {depth + 1:,} classes, not {size:,}"
        )
    room = 1
    for below in range(1, depth + 1):
        room += branching**below
        if room >= size:
            return
    raise InputError(
        f"there is room for {room:,} classes with {branching} children each and {depth} levels, "
        f"not for {size:,}"
    )
