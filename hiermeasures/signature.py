"""What structure says about classes: numbers that are equal for classes in equal places of a hierarchy, whatever they
are called and in whatever order the edges came. Definitions that leave a choice break their ties by them.

It is colour refinement (Weisfeiler and Leman) with hashes of 64 bits for colours. What refinement cannot tell apart is
marked part by part, with a refinement after each, so that marks agree across a graph; then every class has a colour of
its own. That depends on names only where two parts look alike from everywhere without being so, which takes a graph as
regular as a cube.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from hiermeasures.hierarchy_arrays import HierarchyArrays

ROUNDS = 16  # how far around a class its signature in the whole hierarchy looks
MOST_MARKS = 32  # how often what looks alike is told apart
UPWARD, DOWNWARD = 0xA24BAED4963EE407, 0x9FB21C651E98DF25  # set what is above a class apart from what is below it
OF_END, PART = 0xC3A5C85C97CB3127, 0xD1B54A32D192ED03
TRUE, PREDICTED = 0xD6E8FEB86659FD93, 0xC2B2AE3D27D4EB4F  # marks of labels
TRUE_PATH, PREDICTED_PATH = 1, 2  # kinds of ways
WEIGHT_SHIFT = 28  # weights have 36 bits, so that sums along paths stay whole numbers of 64

_ALL = (1 << 64) - 1

# A start, an end, a kind, and edges as (below, above).
Way = tuple[int, int, int, Iterable[tuple[int, int]]]


def mix(x: int) -> int:
    """A number of 64 bits that looks like chance (splitmix64)."""
    x = (x + 0x9E3779B97F4A7C15) & _ALL
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _ALL
    return x ^ (x >> 31)


def mixed(x: np.ndarray) -> np.ndarray:
    """`mix` of every number of an array."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    result: np.ndarray = x ^ (x >> np.uint64(31))
    return result


# --- a whole hierarchy --------------------------------------------------------------------------------------------


def static_signatures(arrays: HierarchyArrays) -> np.ndarray:
    """For every class a number (uint64) of what the hierarchy looks like around it, up to ROUNDS edges away."""
    sizes = np.diff(arrays.child_ptr).astype(np.uint64)
    colour = mixed(arrays.level.astype(np.uint64) * np.uint64(1 << 32) + sizes)
    many, before = colours_of(colour), 0
    for _ in range(ROUNDS):
        if not before < many < len(colour):
            break
        above = _summed(arrays.parent_ptr, mixed(colour ^ np.uint64(DOWNWARD))[arrays.parent_idx])
        below = _summed(arrays.child_ptr, mixed(colour ^ np.uint64(UPWARD))[arrays.child_idx])
        colour = mixed(colour + above * np.uint64(3) + below)
        many, before = colours_of(colour), many
    colour.flags.writeable = False
    return colour


def _summed(ptr: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The sum of each row, modulo 2**64."""
    until = np.zeros(len(values) + 1, np.uint64)
    np.cumsum(values, out=until[1:])
    sums: np.ndarray = until[ptr[1:]] - until[ptr[:-1]]
    return sums


# --- the classes of an instance -----------------------------------------------------------------------------------


def class_weights(
    arrays: HierarchyArrays,
    static: np.ndarray,
    true: Iterable[int],
    predicted: Iterable[int],
    paths: Iterable[tuple[int, Sequence[int]]] = (),
) -> dict[int, int]:
    """A weight (36 bits) of its own for every class at or above a label, to break ties by.

    `static` are the signatures of the whole hierarchy; `paths` are those that were given, with their kind, from the
    root down. Where that leaves ties, classes below several of those at or above labels take part, because a count of
    neighbours has each once.
    """
    true, predicted, paths = list(true), list(predicted), list(paths)
    above = _upward(arrays, {0, *true, *predicted})
    nodes = sorted(above)
    parts, colour = _classes(arrays, static, nodes, true, predicted, paths)
    if colours_of(colour) < len(nodes) and (shared := _shared_children(arrays, above)):
        nodes += shared
        parts, colour = _classes(arrays, static, nodes, true, predicted, paths)
    colour = parts.told_apart(colour)
    return dict(zip(nodes, (colour >> np.uint64(WEIGHT_SHIFT)).tolist(), strict=True))


def _classes(
    arrays: HierarchyArrays,
    static: np.ndarray,
    nodes: Sequence[int],
    true: Sequence[int],
    predicted: Sequence[int],
    paths: Sequence[tuple[int, Sequence[int]]],
) -> "tuple[Parts, np.ndarray]":
    """The edges between some classes and the paths given, and refined colours."""
    place = {c: k for k, c in enumerate(nodes)}
    colour = static[nodes]
    for labels, mark in ((true, TRUE), (predicted, PREDICTED)):
        colour[[place[c] for c in labels]] += np.uint64(mark)
    edges = [(k, place[p]) for k, c in enumerate(nodes) for p in _parents(arrays, c) if p in place]
    ways: list[Way] = [(0, 0, 0, edges)]
    for kind, path in paths:
        numbers = [place[c] for c in path]
        ways.append((numbers[-1], 0, kind, list(zip(numbers[1:], numbers, strict=False))))
    parts = Parts(len(nodes), ways)
    return parts, parts.refined(mixed(colour))


def _parents(arrays: HierarchyArrays, i: int) -> list[int]:
    found: list[int] = arrays.parent_idx[arrays.parent_ptr[i] : arrays.parent_ptr[i + 1]].tolist()
    return found


def _upward(arrays: HierarchyArrays, labels: Iterable[int]) -> set[int]:
    above = set(labels)
    pending = list(above)
    while pending:
        new = [p for p in _parents(arrays, pending.pop()) if p not in above]
        above.update(new)
        pending += new
    return above


def _shared_children(arrays: HierarchyArrays, above: set[int]) -> list[int]:
    """The other classes with several parents among some; in a tree there are none."""
    if len(arrays.parent_idx) < len(arrays.level):
        return []
    below = np.concatenate([arrays.child_idx[arrays.child_ptr[c] : arrays.child_ptr[c + 1]] for c in above])
    found, times = np.unique(below, return_counts=True)
    return [c for c in found[times > 1].tolist() if c not in above]


# --- colours ------------------------------------------------------------------------------------------------------


def colours_of(colour: np.ndarray) -> int:
    """How many different colours there are."""
    ordered = np.sort(colour)
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1]))


class Parts:
    """Nodes 0 to n − 1 and ways between them, as arrays: way w leads from `start[w]` to `end[w]`, and edge e, of
    `way[e]`, from `below[e]` to `above[e]`.
    """

    def __init__(self, n: int, ways: Sequence[Way]) -> None:
        self.n = n
        self.start, self.end = (np.array([way[k] for way in ways], np.int64) for k in (0, 1))
        self.kind = np.array([mix(way[2]) for way in ways], np.uint64)
        edges = [(w, below, above) for w, way in enumerate(ways) for below, above in way[3]]
        self.way, self.below, self.above = np.array(edges, np.int64).reshape(-1, 3).T

    def refined(self, colour: np.ndarray) -> np.ndarray:
        """Colours that tell apart what has different colours around it, as far as that goes."""
        many, before = colours_of(colour), 0
        while before < many < self.n:
            way = mixed(mixed(colour[self.start] + self.kind) + mixed(colour[self.end] ^ np.uint64(OF_END)))
            around = np.zeros(self.n, np.uint64)
            np.add.at(around, self.start, mixed(way))
            np.add.at(around, self.above, mixed(colour[self.below] + way[self.way] ^ np.uint64(UPWARD)))
            np.add.at(around, self.below, mixed(colour[self.above] + way[self.way] ^ np.uint64(DOWNWARD)))
            colour = mixed(colour + around)
            many, before = colours_of(colour), many
        return colour

    def told_apart(self, colour: np.ndarray) -> np.ndarray:
        """Of refined colours such that every node has one of its own."""
        for _ in range(MOST_MARKS):
            many = colours_of(colour)
            if many == self.n:
                break
            tied = _tied(colour)
            marked = self.refined(colour + self._marks(colour, tied))
            if colours_of(marked) == many:
                one = np.zeros(self.n, np.uint64)
                one[np.lexsort((colour, ~tied))[0]] = PART
                marked = self.refined(colour + one)
            colour = marked
        return colour

    def _marks(self, colour: np.ndarray, tied: np.ndarray) -> np.ndarray:
        """Marks for the nodes that are tied: another one for each of the parts that hang together by such nodes.

        Parts with equal colours may be exchanged, because only nodes that are not tied lie between them.
        """
        part = list(range(self.n))

        def top(k: int) -> int:
            while part[k] != k:
                k = part[k]
            return k

        def join(a: int, b: int) -> None:
            if tied[a] and tied[b]:
                low, high = sorted((top(a), top(b)))
                part[high] = low

        for w, below, above in zip(self.way.tolist(), self.below.tolist(), self.above.tolist(), strict=True):
            join(below, above)
            for end in (int(self.start[w]), int(self.end[w])):
                join(end, below)
                join(end, above)
        sums: dict[int, int] = {}
        for k in np.flatnonzero(tied).tolist():
            sums[top(k)] = sums.get(top(k), 0) + mix(int(colour[k])) & _ALL
        met: dict[int, int] = {}
        mark = {}
        for k, kind in sorted(sums.items()):
            met[kind] = met.get(kind, 0) + 1
            mark[k] = mix(kind + met[kind] * PART & _ALL)
        return np.array([mark[top(k)] if alike else 0 for k, alike in enumerate(tied.tolist())], np.uint64)


def _tied(colour: np.ndarray) -> np.ndarray:
    """Which nodes share their colour with another."""
    _, which, times = np.unique(colour, return_inverse=True, return_counts=True)
    tied: np.ndarray = times[which] > 1
    return tied
