"""hiermeasures.hierarchy.refinement, compiled, and weights of classes that break ties of paths."""

from collections import namedtuple
from types import FunctionType

import numpy as np

from hiermeasures.evaluation.compiled import inner, leaf
from hiermeasures.evaluation.kernels.arrays import reach, sort
from hiermeasures.hierarchy import refinement as model
from hiermeasures.measures.confusion import PREDICTED, TRUE, WEIGHT_SHIFT


def _compile(function, **called):
    """Compile a function of the model. `called` are the compiled functions that it calls."""
    names = {**function.__globals__, **called}
    return inner(FunctionType(function.__code__, names, function.__name__))


@inner
def _sorted(colour):
    ordered = colour.copy()
    sort(ordered, len(ordered))
    return ordered


mix = _compile(model.mix)
_find_repeated = _compile(model.find_repeated, sorted=_sorted)
refine = _compile(model.refine, mix=mix, find_repeated=_find_repeated)
tell_apart = _compile(
    model.tell_apart,
    mix=mix,
    refine=refine,
    find_repeated=_find_repeated,
    mark_parts=_compile(model.mark_parts, mix=mix),
)

# Over all classes: the weights of the classes at and above the labels of an instance. They are
# valid if `known`.
Weights = namedtuple("Weights", "kind known weight stamp mark place times nodes")


@inner
def new_weights(kind, tree):
    """Make room for weights. `kind` is confusion.kind_of of every class."""
    n = len(kind)
    return Weights(
        kind,
        np.zeros(1, np.bool_),
        np.empty(n, np.int64),
        np.zeros(1, np.int64),
        np.full(n, -1, np.int64),
        np.empty(n, np.int64),
        np.full(0 if tree else n, -1, np.int64),
        np.empty(n, np.int32),
    )


@inner
def weigh(sides, edges, weights):
    """Fill the weights, as _Ties._weights does, unless they are known."""
    if weights.known[0]:
        return
    weights.known[0] = True
    weights.stamp[0] += 2
    parent_ptr, parent_idx, child_ptr, child_idx, tree = edges
    t_idx, t_start, t_stop, p_idx, p_start, p_stop = sides
    nodes, stamp = weights.nodes, weights.stamp[0]
    size = reach(0, parent_ptr, parent_idx, weights.mark, stamp, nodes, 0)
    for i in range(t_start, t_stop):
        size = reach(t_idx[i], parent_ptr, parent_idx, weights.mark, stamp, nodes, size)
    for i in range(p_start, p_stop):
        size = reach(p_idx[i], parent_ptr, parent_idx, weights.mark, stamp, nodes, size)
    colour, links = _graph(size, sides, edges, weights)
    if refine(colour, links) < size and not tree:
        n = _add_shared_children(size, child_ptr, child_idx, weights)
        colour, links = _graph(n, sides, edges, weights)
    tell_apart(colour, links)
    for i in range(size):
        weights.weight[nodes[i]] = colour[i] >> WEIGHT_SHIFT


@inner
def _graph(n, sides, edges, weights):
    """Return the graph of the first n nodes, as _Ties._graph does."""
    parent_ptr, parent_idx = edges[0], edges[1]
    t_idx, t_start, t_stop, p_idx, p_start, p_stop = sides
    nodes, place, mark, stamp = weights.nodes, weights.place, weights.mark, weights.stamp[0]
    colour, many = np.empty(n, np.int64), 0
    for i in range(n):
        place[nodes[i]] = i
        colour[i] = weights.kind[nodes[i]]
        many += parent_ptr[nodes[i] + 1] - parent_ptr[nodes[i]]
    for i in range(t_start, t_stop):
        colour[place[t_idx[i]]] ^= TRUE
    for i in range(p_start, p_stop):
        colour[place[p_idx[i]]] ^= PREDICTED
    for i in range(n):
        colour[i] = mix(colour[i])
    below, above, used = np.empty(many, np.int64), np.empty(many, np.int64), 0
    for i in range(n):
        for e in range(parent_ptr[nodes[i]], parent_ptr[nodes[i] + 1]):
            if mark[parent_idx[e]] == stamp:
                below[used], above[used] = i, place[parent_idx[e]]
                used += 1
    return colour, (below[:used], above[:used], np.full(used, place[0], np.int64))


@leaf
def _add_shared_children(size, child_ptr, child_idx, weights):
    """Append the classes that are children of several nodes. Return the new number of nodes."""
    nodes, mark, times, stamp = weights.nodes, weights.mark, weights.times, weights.stamp[0]
    n = size
    for i in range(size):
        for e in range(child_ptr[nodes[i]], child_ptr[nodes[i] + 1]):
            c = child_idx[e]
            if mark[c] == stamp:
                continue
            if times[c] == stamp:
                times[c] = stamp + 1
                nodes[n] = c
                n += 1
            elif times[c] != stamp + 1:
                times[c] = stamp
    for i in range(size, n):
        mark[nodes[i]] = stamp
    return n
