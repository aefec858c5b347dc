"""Random trees and DAGs of a wished size and shape, with short names: A on top, then B, C, … level
by level.

The same hierarchy for the same wishes. Small hierarchies as bit masks, random ones among them, are
worlds.py's.
"""

import random
from collections.abc import Iterator
from itertools import count, islice

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy

LARGEST_RANDOM = 2000
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def letter_names() -> Iterator[str]:
    """A, B, … Z, AA, AB, … without an end."""
    for number in count(1):
        name = ""
        while number:
            number, digit = divmod(number - 1, len(LETTERS))
            name = LETTERS[digit] + name
        yield name


def random_hierarchy(
    size: int, depth: int, branching: int, extra: float = 0.0, seed: int = 1
) -> Hierarchy:
    """A random tree, or with extra parents a random DAG; equal arguments give equal hierarchies.

    `size` is the number of classes, 2 to 2,000; `depth` the deepest level, reached by one branch at
    least; `branching` the most children that a class has before extra parents are drawn; `extra`
    the share (0 to 1) of classes below level 1 that get a second parent, from a level above theirs.
    InputError if so many classes do not fit into that depth and branching, or so few do not
    reach it.

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
            "depth and branching are 1 at least, and the share of extra parents is between 0 and 1"
        )
    if size < depth + 1:
        raise InputError(
            f"{depth} levels below the root take {depth + 1:,} classes at least, not {size:,}"
        )
    room = 1
    for below in range(1, depth + 1):
        room += branching**below
        if room >= size:
            return
    raise InputError(
        f"at most {room:,} classes fit under {branching} children each on {depth} levels; "
        f"{size:,} do not"
    )
