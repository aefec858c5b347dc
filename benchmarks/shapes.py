"""Synthetic hierarchies and label sets with the size and shape of the LSHTC data.

See Table 10 of Kosmopoulos et al. 2015. The data themselves may not be distributed. Each shape keeps
the number of classes, the depth, the share of several parents, the labels per instance, and the
number of instances. Wrong predictions are near the truth: some steps up from a true class, and down
again. "books" is a small shape with the size of GermEval 2019's second sub-task.
"""

from dataclasses import dataclass

import numpy as np

from hiermeasures import Hierarchy
from hiermeasures.evaluation import EncodedLabels
from hiermeasures.evaluation.hierarchy_arrays import arrays_of


@dataclass(frozen=True)
class Shape:
    """The shape of a data set. `further_parents` is the share of classes with a second parent."""

    depth: int
    classes: int
    further_parents: float
    true_labels: float
    predicted_labels: float
    instances: int


SHAPES = {
    "dmoz": Shape(5, 35_448, 0.0, 1.024, 1.02, 104_263),
    "dbpsmall": Shape(10, 50_312, 0.6, 1.86, 1.9, 81_262),
    "books": Shape(3, 343, 0.0, 1.3, 1.2, 4_157),
    "dbplarge": Shape(14, 478_020, 0.8, 3.26, 3.0, 452_167),
}

RIGHT = 0.4  # share of predicted labels that are true ones


@dataclass(frozen=True)
class Data:
    """A hierarchy with true and predicted classes of many instances."""

    hierarchy: Hierarchy
    true: EncodedLabels
    predicted: EncodedLabels

    def lists(self) -> tuple[list[list[str]], list[list[str]]]:
        """Return the labels as lists of names, for other packages."""
        nodes = self.hierarchy.nodes

        def named(labels: EncodedLabels) -> list[list[str]]:
            return [[nodes[i] for i in labels.numbers(k)] for k in range(len(labels))]

        return named(self.true), named(self.predicted)


def generate(name: str, instances: int | None = None, seed: int = 0, part: int = 0) -> Data:
    """Return the data of a shape. Equal seeds give equal data.

    Further parts have other instances of the same hierarchy.
    """
    shape = SHAPES[name]
    random = np.random.default_rng(seed)
    h = Hierarchy.from_edges(map(tuple, _edges(shape, random).tolist()))
    random = np.random.default_rng((seed, part)) if part else random
    n = instances or shape.instances
    leaves = np.flatnonzero(np.diff(arrays_of(h).child_ptr) == 0)
    many = 1 + random.poisson(shape.true_labels - 1, n)
    true = _rows(len(h), np.repeat(np.arange(n), many), random.choice(leaves, many.sum()), n)
    return Data(h, true, _predictions(shape, h, true, leaves, random))


def _edges(shape: Shape, random: np.random.Generator) -> np.ndarray:
    """Return edges (parent, child).

    Levels are widest below the middle, and some parents have many more children than others.
    """
    at = np.arange(1, shape.depth + 1)
    weight = np.exp(-(((at - 0.62 * shape.depth) / (0.28 * shape.depth)) ** 2))
    sizes = np.maximum(1, weight / weight.sum() * shape.classes).astype(int)
    sizes[0] = max(10, sizes[0] // 20)
    first = np.concatenate([[1], 1 + np.cumsum(sizes)])
    found = [np.stack([np.zeros(sizes[0], int), np.arange(1, first[1])], 1)]
    for level in range(1, shape.depth):
        children = np.arange(first[level], first[level + 1])
        for chosen in (children, children[random.random(len(children)) < shape.further_parents]):
            parents = first[level - 1] + (
                sizes[level - 1] * random.random(len(chosen)) ** 1.5
            ).astype(int)
            found.append(np.stack([parents, chosen], 1))
    return np.unique(np.concatenate(found), axis=0)


def _predictions(
    shape: Shape, h: Hierarchy, true: EncodedLabels, leaves: np.ndarray, random: np.random.Generator
) -> EncodedLabels:
    n = len(true)
    instance = np.repeat(np.arange(n), np.maximum(1, random.poisson(shape.predicted_labels, n)))
    sizes = np.diff(true.ptr)[instance]
    labels = true.idx[
        true.ptr[instance] + (random.random(len(instance)) * sizes).astype(int)
    ].astype(np.int64)
    wrong = np.flatnonzero(random.random(len(labels)) >= RIGHT)
    labels[wrong] = _nearby(h, labels[wrong], leaves, random)
    return _rows(len(h), instance, labels, n)


def _nearby(
    h: Hierarchy, classes: np.ndarray, leaves: np.ndarray, random: np.random.Generator
) -> np.ndarray:
    """Go some steps up from each class, then up to two more steps down."""
    a = arrays_of(h)
    up = 1 + random.geometric(0.45, len(classes))
    current = classes.copy()
    for step in range(up.max(initial=0)):
        current = np.where(step < up, _step(a.parent_ptr, a.parent_idx, current, random), current)
    for step in range(up.max(initial=0) + 2):
        current = np.where(step < up + 2, _step(a.child_ptr, a.child_idx, current, random), current)
    return np.where(current == 0, random.choice(leaves, len(current)), current)


def _step(
    ptr: np.ndarray, idx: np.ndarray, classes: np.ndarray, random: np.random.Generator
) -> np.ndarray:
    """Return a random neighbour of each class, or the class itself if it has no neighbour."""
    many = ptr[classes + 1] - ptr[classes]
    place = ptr[classes] + (random.random(len(classes)) * many).astype(int)
    return np.where(many > 0, idx[np.minimum(place, len(idx) - 1)], classes)


def _rows(n_classes: int, instance: np.ndarray, labels: np.ndarray, n: int) -> EncodedLabels:
    key = np.unique(instance.astype(np.int64) * n_classes + labels)
    ptr = np.concatenate([[0], np.cumsum(np.bincount(key // n_classes, minlength=n))])
    return EncodedLabels(ptr.astype(np.int64), (key % n_classes).astype(np.int32))
