"""Signatures of classes: 64-bit numbers that depend on a class's place among the classes of an
instance, not on names or the order of edges. Where a definition leaves a choice, they break the
tie.

They are computed by colour refinement (Weisfeiler and Leman) with 64-bit hashes as colours. Classes
that still share a colour are marked, a different mark for each connected part of them, and refined
again, until all colours differ. The result depends on names only if two parts look alike from
everywhere and yet differ, which takes a graph as regular as a cube.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from hiermeasures.hierarchy.edge_rows import EdgeRows

MOST_MARKS = 32  # rounds of marking classes that share a colour
UPWARD, DOWNWARD = 0xA24BAED4963EE407, 0x9FB21C651E98DF25  # tell parents from children
OF_END, PART = 0xC3A5C85C97CB3127, 0xD1B54A32D192ED03
TRUE, PREDICTED = 0xD6E8FEB86659FD93, 0xC2B2AE3D27D4EB4F  # marks of labels
TRUE_PATH, PREDICTED_PATH = 1, 2  # kinds of Way
WEIGHT_SHIFT = 28  # leaves 36 bits, so that sums of weights along a path fit into 64

_ALL = (1 << 64) - 1

# Edges (child, parent) that belong together, such as a path: its start, end, kind and edges.
Way = tuple[int, int, int, Iterable[tuple[int, int]]]


def mix(x: int) -> int:
    """Return a pseudo-random 64-bit number for a number (splitmix64)."""
    x = (x + 0x9E3779B97F4A7C15) & _ALL
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _ALL
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _ALL
    return x ^ (x >> 31)


# --- the classes of an instance -----------------------------------------------------------------


def class_weights(
    rows: EdgeRows,
    kind: Callable[[int], int],
    true: Iterable[int],
    predicted: Iterable[int],
    paths: Iterable[tuple[int, Sequence[int]]] = (),
) -> dict[int, int]:
    """Return a 36-bit weight for each label and ancestor of one, to break ties.

    `kind` is a number that tells classes apart. `paths` are the given paths, with their kind, from
    the root down. If colours are still shared, the children that several of these classes have in
    common take part: a count of siblings has such a child only once.
    """
    true, predicted, paths = set(true), set(predicted), list(paths)
    above = _upward(rows, {0, *true, *predicted})
    nodes = sorted(above)

    def refine() -> tuple[Parts, list[int]]:
        """Return the nodes with their edges and the given paths, and refined colours."""
        place = {c: k for k, c in enumerate(nodes)}
        colour = [
            mix(kind(c) + TRUE * (c in true) + PREDICTED * (c in predicted) & _ALL) for c in nodes
        ]
        edges = [(k, place[p]) for k, c in enumerate(nodes) for p in rows.parents(c) if p in place]
        ways: list[Way] = [(0, 0, 0, edges)]
        for way, path in paths:
            numbers = [place[c] for c in path]
            ways.append((numbers[-1], 0, way, list(zip(numbers[1:], numbers, strict=False))))
        parts = Parts(len(nodes), ways)
        return parts, parts.refined(colour)

    parts, colour = refine()
    if len(set(colour)) < len(nodes) and (shared := _shared_children(rows, above)):
        nodes += shared
        parts, colour = refine()
    colour = parts.told_apart(colour)
    return {c: found >> WEIGHT_SHIFT for c, found in zip(nodes, colour, strict=True)}


def _upward(rows: EdgeRows, labels: Iterable[int]) -> set[int]:
    above = set(labels)
    pending = list(above)
    while pending:
        new = [p for p in rows.parents(pending.pop()) if p not in above]
        above.update(new)
        pending += new
    return above


def _shared_children(rows: EdgeRows, above: set[int]) -> list[int]:
    """Return the classes outside `above` with several parents in it; a tree has none."""
    if len(rows.parent_idx) < len(rows.level):
        return []
    times = Counter(c for a in above for c in rows.children(a))
    return sorted(c for c, many in times.items() if many > 1 and c not in above)


# --- colours ------------------------------------------------------------------------------------


class Parts:
    """Nodes 0 to n − 1 and sets of edges (`Way`) between them. A colour is a 64-bit number."""

    def __init__(self, n: int, ways: Iterable[Way]) -> None:
        self.n = n
        self.ways = [(start, end, mix(kind), list(edges)) for start, end, kind, edges in ways]

    def refined(self, colour: Sequence[int]) -> list[int]:
        """Give nodes with different surroundings different colours, until no more colours arise."""
        colour = list(colour)
        many, before = len(set(colour)), 0
        while before < many < self.n:
            around = [0] * self.n
            for start, end, kind, edges in self.ways:
                way = mix(mix(colour[start] + kind & _ALL) + mix(colour[end] ^ OF_END) & _ALL)
                around[start] += mix(way)
                for below, above in edges:
                    around[above] += mix((colour[below] + way & _ALL) ^ UPWARD)
                    around[below] += mix((colour[above] + way & _ALL) ^ DOWNWARD)
            colour = [mix(c + near & _ALL) for c, near in zip(colour, around, strict=True)]
            many, before = len(set(colour)), many
        return colour

    def told_apart(self, colour: list[int]) -> list[int]:
        """Mark nodes that share a refined colour and refine again, until all colours differ."""
        for _ in range(MOST_MARKS):
            times = Counter(colour)
            if len(times) == self.n:
                break
            tied = [times[c] > 1 for c in colour]
            marks = self._marks(colour, tied)
            marked = self.refined([c + mark & _ALL for c, mark in zip(colour, marks, strict=True)])
            if len(set(marked)) == len(times):
                one = min((k for k, alike in enumerate(tied) if alike), key=colour.__getitem__)
                marked = list(colour)
                marked[one] = marked[one] + PART & _ALL
                marked = self.refined(marked)
            colour = marked
        return colour

    def _marks(self, colour: Sequence[int], tied: Sequence[bool]) -> list[int]:
        """Return a mark for each tied node: a different one for each connected part of tied nodes.

        Parts with equal colours are interchangeable: only nodes that are not tied lie between them.
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

        for start, end, _, edges in self.ways:
            for below, above in edges:
                join(below, above)
                for node in (start, end):
                    join(node, below)
                    join(node, above)
        sums: dict[int, int] = {}
        for k in (k for k, alike in enumerate(tied) if alike):
            sums[top(k)] = sums.get(top(k), 0) + mix(colour[k]) & _ALL
        met: dict[int, int] = {}
        mark = {}
        for k, kind in sorted(sums.items()):
            met[kind] = met.get(kind, 0) + 1
            mark[k] = mix(kind + met[kind] * PART & _ALL)
        return [mark[top(k)] if alike else 0 for k, alike in enumerate(tied)]
