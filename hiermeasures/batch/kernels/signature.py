"""Kernels for what structure says about classes: the model is hiermeasures.signature, bit for bit."""

from collections import namedtuple

import numpy as np

from hiermeasures.batch.compiled import inner, leaf
from hiermeasures.batch.kernels.sets import _reach
from hiermeasures.signature import DOWNWARD, PREDICTED, SWEEPS, TRUE, UPWARD, WEIGHT_SHIFT

_UPWARD, _DOWNWARD = np.uint64(UPWARD), np.uint64(DOWNWARD)
_TRUE, _PREDICTED = np.uint64(TRUE), np.uint64(PREDICTED)
_SHIFT = np.uint64(WEIGHT_SHIFT)
_GOLDEN, _FIRST, _SECOND = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)

# Over all classes, valid for the first `size` of `nodes`: the classes at and above the labels of an instance, in order.
Signatures = namedtuple("Signatures", "static size nodes stamp mark marks colour below weight")


@inner
def new_signatures(static):
    """Room for what is asked about instances, from Hierarchy.signatures."""
    n = len(static)
    return Signatures(
        static,
        np.zeros(1, np.int64),
        np.empty(n, np.int32),
        np.zeros(1, np.int64),
        np.full(n, -1, np.int64),
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint64),
        np.zeros(n, np.uint64),
        np.zeros(n, np.int64),
    )


@leaf
def mixed(x):
    """signature.mix."""
    x = x + _GOLDEN
    x = (x ^ (x >> _30)) * _FIRST
    x = (x ^ (x >> _27)) * _SECOND
    return x ^ (x >> _31)


@inner
def start_marks(sides, parent_ptr, parent_idx, signatures):
    """Mark the labels of an instance and nothing else; its classes are listed where `size` is 0."""
    t_idx, t_start, t_stop, p_idx, p_start, p_stop = sides
    nodes, marks = signatures.nodes, signatures.marks
    if signatures.size[0] == 0:
        signatures.stamp[0] += 1
        stamp, mark, size = signatures.stamp[0], signatures.mark, 0
        size = _reach(0, parent_ptr, parent_idx, mark, stamp, nodes, size)
        for i in range(t_start, t_stop):
            size = _reach(t_idx[i], parent_ptr, parent_idx, mark, stamp, nodes, size)
        for i in range(p_start, p_stop):
            size = _reach(p_idx[i], parent_ptr, parent_idx, mark, stamp, nodes, size)
        nodes[:size] = np.sort(nodes[:size])
        signatures.size[0] = size
    for i in range(signatures.size[0]):
        marks[nodes[i]] = np.uint64(0)
    for i in range(t_start, t_stop):
        marks[t_idx[i]] += _TRUE
    for i in range(p_start, p_stop):
        marks[p_idx[i]] += _PREDICTED


@leaf
def add_marks(path, start, stop, mark, signatures):
    """Add a mark to the classes of a path."""
    for i in range(start, stop):
        signatures.marks[path[i]] += mark


@leaf
def weigh(parent_ptr, parent_idx, signatures):
    """Signatures.weights: fill `weight` by the marks."""
    size, nodes, colour, below = signatures.size[0], signatures.nodes, signatures.colour, signatures.below
    for i in range(size):
        c = nodes[i]
        colour[c] = mixed(signatures.static[c] + mixed(signatures.marks[c]))
    for _ in range(SWEEPS):
        for i in range(size):
            below[nodes[i]] = np.uint64(0)
        for i in range(size - 1, -1, -1):
            c = nodes[i]
            colour[c] = mixed(colour[c] + below[c])
            for e in range(parent_ptr[c], parent_ptr[c + 1]):
                below[parent_idx[e]] += mixed(colour[c] ^ _UPWARD)
        for i in range(size):
            c = nodes[i]
            above = np.uint64(0)
            for e in range(parent_ptr[c], parent_ptr[c + 1]):
                above += mixed(colour[parent_idx[e]] ^ _DOWNWARD)
            colour[c] = mixed(colour[c] + above)
    for i in range(size):
        signatures.weight[nodes[i]] = np.int64(colour[nodes[i]] >> _SHIFT)
