"""Paths from the root, from labels, and which of equally good ones come first.

Which paths are then compared with which, and what that counts, is the business of confusion.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.measures.catalogue import Path

T = TypeVar("T")

# What classes weigh where nothing else decides, asked for only then; a class that is left out
# weighs nothing.
Weights = Callable[[], Mapping[str, int]]


def no_weights() -> Mapping[str, int]:
    """No class weighs anything, so that the order of the hierarchy decides."""
    return {}


def best_of(
    candidates: Iterable[T], key: Callable[[T], Any], classes: Callable[[T], Iterable[str]], weights: Weights
) -> T:
    """The candidate of the greatest key; of several, that of heaviest classes, then the first."""
    keys = [(key(c), c) for c in candidates]
    greatest = max(k for k, _ in keys)
    best = [c for k, c in keys if k == greatest]
    if len(best) == 1:
        return best[0]
    weight = weights()
    return max(best, key=lambda c: sum(weight.get(x, 0) for x in classes(c)))


@dataclass(frozen=True)
class Agreement:
    """The other side's paths, and the classes above its labels, which a path had better share."""

    paths: tuple[Path, ...] = ()
    above: frozenset[str] = frozenset()

    @cached_property
    def on_paths(self) -> frozenset[str]:
        return frozenset[str]().union(*self.paths)

    def same_path(self, open_labels: Sequence[str], held: int, length: int) -> Path | None:
        """The first start of a path, so long and with so many open labels, that ends in one."""
        for path in self.paths:
            start = path[:length]
            if len(start) == length and start[-1] in open_labels and sum(c in open_labels for c in start) == held:
                return start
        return None


NO_AGREEMENT = Agreement()


def greedy_cover(
    h: Hierarchy, labels: Iterable[str], agreement: Agreement = NO_AGREEMENT, weights: Weights = no_weights
) -> tuple[Path, ...]:
    """Paths from the root that cover labels: again and again one that holds most not yet covered.

    Of equally good paths the one with fewer classes is taken, then one that is a path of the other
    side, then the one that has most classes in common with it, then the one whose classes weigh
    most, then the first in the order of the hierarchy. No labels are the path that ends at the
    root.

    >>> h = Hierarchy.from_edges([("R", "A"), ("A", "D"), ("R", "B"), ("B", "D")])
    >>> greedy_cover(h, {"B", "D"})
    (('R', 'B', 'D'),)
    """
    open_labels = sorted(set(labels) - {h.root}, key=h.index)
    paths: list[Path] = []
    while open_labels:
        path, tied = _richest(h, open_labels, agreement, {})
        same = agreement.same_path(open_labels, sum(c in open_labels for c in path), len(path))
        if same:
            path = same
        elif tied and weights is not no_weights:
            path, _ = _richest(h, open_labels, agreement, weights())
        paths.append(path)
        open_labels = [c for c in open_labels if c not in path]
    return tuple(paths) or ((h.root,),)


def _richest(
    h: Hierarchy, open_labels: list[str], agreement: Agreement, weight: Mapping[str, int]
) -> tuple[Path, bool]:
    """The best path to any open label, and whether another is as good."""
    best: dict[str, tuple[tuple[int, ...], str | None, bool]] = {}
    for c in sorted({a for label in open_labels for a in h.up(label)}, key=h.index):
        key, parent, choice = _first_best([(best[p][0], p, best[p][2]) for p in h.parents(c)])
        held, length, on, near, total = key
        on, near = on + (c in agreement.on_paths), near + (c in agreement.above)
        best[c] = (held + (c in open_labels), length - 1, on, near, total + weight.get(c, 0)), parent, choice
    _, end, tied = _first_best([(best[c][0], c, best[c][2]) for c in open_labels])
    assert end is not None
    path = [end]
    while (parent := best[path[-1]][1]) is not None:
        path.append(parent)
    return tuple(reversed(path)), tied


def _first_best(ends: list[tuple[tuple[int, ...], str, bool]]) -> tuple[tuple[int, ...], str | None, bool]:
    """Return the first of the best ends with its key, and whether a tie was broken on its path."""
    if not ends:
        return (0, 0, 0, 0, 0), None, False
    key, end, choice = max(ends, key=lambda e: e[0])
    return key, end, choice or sum(e[0] == key for e in ends) > 1


def shortest_way(h: Hierarchy, top: str, bottom: str, weights: Weights = no_weights) -> Path:
    """The shortest path down to a class; of several the heaviest, then the first in order."""
    below: dict[str, list[str]] = {bottom: []}
    front = [bottom]
    while top not in below:
        reached: dict[str, list[str]] = {}
        for c in front:
            for p in h.parents(c):
                if p not in below:
                    reached.setdefault(p, []).append(c)
        below |= reached
        front = list(reached)
    return _heaviest(top, below, weights)


def longest_way(h: Hierarchy, label: str, weights: Weights = no_weights) -> Path:
    """The longest path from the root; of several the heaviest, then the first in order."""
    above = {c: [p for p in h.parents(c) if h.level(p) == h.level(c) - 1] for c in h.up(label)}
    return _heaviest(label, above, weights)[::-1]


def _heaviest(start: str, following: Mapping[str, list[str]], weights: Weights) -> Path:
    """Of the paths from a class on, each as long as any other, the one whose classes weigh most."""
    reached = [start]
    for c in reached:
        reached += [x for x in dict.fromkeys(following[c]) if x not in reached]
    weight = weights() if any(len(following[c]) > 1 for c in reached) else {}
    heaviest: dict[str, tuple[int, Path]] = {}
    for c in reversed(reached):
        most, way = max((heaviest[x] for x in following[c]), key=lambda w: w[0], default=(0, ()))
        heaviest[c] = most + weight.get(c, 0), (c, *way)
    return heaviest[start][1]
