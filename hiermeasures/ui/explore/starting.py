"""What a drawing can start from: a blank root, a template, or a random tree or DAG of a wished size and shape.

Hierarchies only, and the same one for the same wishes; how they are offered is decided in loading.py.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.ui.explore.editing import letter_names

LARGEST_RANDOM = 2000


@dataclass(frozen=True)
class Start:
    """A hierarchy to start from: its title, a sentence about it, and how it is made."""

    key: str
    title: str
    about: str
    make: Callable[[], Hierarchy]


def blank() -> Hierarchy:
    """One class, A."""
    return Hierarchy.from_edges([], ["A"])


def binary_tree(depth: int = 3) -> Hierarchy:
    """A tree of two children each, in which the name of a class tells the turns that lead to it.

    >>> binary_tree(1).edges, len(binary_tree(3))
    ((('root', '0'), ('root', '1')), 15)
    """
    edges: list[tuple[str, str]] = []
    layer = [""]
    for _ in range(depth):
        edges += [(turns or "root", turns + turn) for turns in layer for turn in "01"]
        layer = [turns + turn for turns in layer for turn in "01"]
    return Hierarchy.from_edges(edges)


def icd9_364() -> Hierarchy:
    """The family 364 of ICD-9-CM, disorders of iris and ciliary body: codes with one digit after the point, and with
    two.
    """
    codes = {
        "364.0": "0 1 2 3 4 5",
        "364.1": "0 1",
        "364.2": "1 2 3 4",
        "364.3": "",
        "364.4": "1 2",
        "364.5": "1 2 3 4 5 6 7 9",
        "364.6": "0 1 2 3 4",
        "364.7": "0 1 2 3 4 5 6 7",
        "364.8": "1 9",
        "364.9": "",
    }
    return Hierarchy.from_edges(
        [*(("364", code) for code in codes), *((c, c + d) for c, digits in codes.items() for d in digits.split())]
    )


def animals() -> Hierarchy:
    """Animals by kinship and by where they live, so that a penguin has two parents and so has a whale."""
    return Hierarchy.from_nested(
        {
            "animal": {
                "mammal": {"dog": ["poodle", "terrier"], "cat": None, "bat": None, "whale": ["orca", "blue whale"]},
                "bird": {"owl": None, "eagle": None, "penguin": None},
                "fish": {"shark": None, "salmon": None},
                "swimmer": {"whale": None, "penguin": None, "fish": None},
                "flyer": {"bat": None, "owl": None, "eagle": None},
            }
        }
    )


STARTS: dict[str, Start] = {
    start.key: start
    for start in (
        Start("blank", "Blank root", "One class to add to.", blank),
        Start("binary", "Binary tree", "Fifteen classes on four levels.", binary_tree),
        Start("icd9", "ICD-9 364", "Disorders of the iris, three levels.", icd9_364),
        Start("animals", "Animals", "A DAG: a bat is a mammal and a flyer.", animals),
    )
}


def random_hierarchy(size: int, depth: int, branching: int, extra: float = 0.0, seed: int = 1) -> Hierarchy:
    """A random tree, or with extra parents a random DAG; equal arguments give equal hierarchies.

    Parameters
    ----------
    size : int
        How many classes, 2 to 2,000.
    depth : int
        The deepest level, reached by one branch at least.
    branching : int
        The most children that a class has before extra parents are drawn.
    extra : float, 0 to 1
        The share of classes below level 1 that get a second parent, from a level above their own.
    seed : int
        Another seed, another hierarchy.

    Raises
    ------
    InputError
        Where so many classes do not fit into that depth and branching, or so few do not reach it.

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
        parent = node - 1 if node <= depth else drawn.choice(open_classes)  # one branch down to the wished depth first
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
    return Hierarchy.from_edges((names[p], names[c]) for p, c in sorted(edges, key=lambda e: (rank[e[1]], rank[e[0]])))


def _check(size: int, depth: int, branching: int, extra: float) -> None:
    if not 2 <= size <= LARGEST_RANDOM:
        raise InputError(f"a random hierarchy has 2 to {LARGEST_RANDOM:,} classes, not {size:,}")
    if depth < 1 or branching < 1 or not 0 <= extra <= 1:
        raise InputError("depth and branching are 1 at least, and the share of extra parents is between 0 and 1")
    if size < depth + 1:
        raise InputError(f"{depth} levels below the root take {depth + 1:,} classes at least, not {size:,}")
    room = 1
    for below in range(1, depth + 1):
        room += branching**below
        if room >= size:
            return
    raise InputError(f"at most {room:,} classes fit under {branching} children each on {depth} levels; {size:,} do not")
