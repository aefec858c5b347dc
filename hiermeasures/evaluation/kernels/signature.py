"""Kernels for the structural signature of classes; the model is hiermeasures.hierarchy.signature."""

from collections import namedtuple

import numpy as np

from hiermeasures.evaluation.compiled import inner, leaf
from hiermeasures.evaluation.kernels.arrays import place_among, reach, sort
from hiermeasures.hierarchy import signature as model

_UPWARD, _DOWNWARD, _OF_END, _PART = (
    np.uint64(mark) for mark in (model.UPWARD, model.DOWNWARD, model.OF_END, model.PART)
)
_TRUE, _PREDICTED, _SHIFT = (
    np.uint64(model.TRUE),
    np.uint64(model.PREDICTED),
    np.uint64(model.WEIGHT_SHIFT),
)
_GOLDEN, _FIRST, _SECOND = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xBF58476D1CE4E5B9),
    np.uint64(0x94D049BB133111EB),
)
_30, _27, _31 = np.uint64(30), np.uint64(27), np.uint64(31)
MOST_MARKS = model.MOST_MARKS

# Paths between n nodes: path w leads from `start[w]` to `end[w]`. Its nodes are `node[ptr[w]:ptr[w
# + 1]]`, and their parents `parent[parent_ptr[i]:parent_ptr[i + 1]]` as places within the path.
Parts = namedtuple("Parts", "start end kind ptr node parent_ptr parent")

# Over all classes: the weights of those at and above the labels of an instance, once they are
# `known`.
Weights = namedtuple("Weights", "kind known weight stamp mark place times nodes")


@leaf
def mixed(x):
    """signature.mix."""
    x = x + _GOLDEN
    x = (x ^ (x >> _30)) * _FIRST
    x = (x ^ (x >> _27)) * _SECOND
    return x ^ (x >> _31)


# --- the classes of an instance -----------------------------------------------------------------


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
    """signature.class_weights, unless they are known."""
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
    parts, colour, many = _refined_parts(size, sides, edges, weights)
    if many < size and not tree:
        n = _add_shared_children(size, child_ptr, child_idx, weights)
        if n > size:
            parts, colour, many = _refined_parts(n, sides, edges, weights)
    tell_apart(parts, colour, many)
    for i in range(size):
        weights.weight[nodes[i]] = np.int64(colour[i] >> _SHIFT)


@inner
def _refined_parts(n, sides, edges, weights):
    """Return the first n nodes with the edges between them, refined colours, and their number."""
    parent_ptr, parent_idx = edges[0], edges[1]
    t_idx, t_start, t_stop, p_idx, p_start, p_stop = sides
    nodes, place, mark, stamp = weights.nodes, weights.place, weights.mark, weights.stamp[0]
    many = 0
    for i in range(n):
        place[nodes[i]] = i
        many += parent_ptr[nodes[i] + 1] - parent_ptr[nodes[i]]
    ptr, parent, colour = (
        np.zeros(n + 1, np.int64),
        np.empty(many, np.int64),
        np.empty(n, np.uint64),
    )
    for i in range(n):
        c = nodes[i]
        colour[i] = weights.kind[c]
        ptr[i + 1] = ptr[i]
        for e in range(parent_ptr[c], parent_ptr[c + 1]):
            if mark[parent_idx[e]] == stamp:
                parent[ptr[i + 1]] = place[parent_idx[e]]
                ptr[i + 1] += 1
    for i in range(t_start, t_stop):
        colour[place[t_idx[i]]] += _TRUE
    for i in range(p_start, p_stop):
        colour[place[p_idx[i]]] += _PREDICTED
    for i in range(n):
        colour[i] = mixed(colour[i])
    root, whole = np.full(1, place[0], np.int64), np.zeros(2, np.int64)
    whole[1] = n
    parts = Parts(root, root, np.zeros(1, np.uint64), whole, np.arange(n), ptr, parent)
    return parts, colour, refine(parts, colour)


@leaf
def _add_shared_children(size, child_ptr, child_idx, weights):
    """Append signature._shared_children to the nodes, and return their new number."""
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


# --- colours ------------------------------------------------------------------------------------


@inner
def colours_of(colour):
    """Number of different colours."""
    ordered = colour.copy()
    sort(ordered, len(ordered))
    many = 1
    for k in range(1, len(ordered)):
        many += ordered[k] != ordered[k - 1]
    return many


@inner
def refine(parts, colour):
    """Parts.refined, in place; how many colours there are."""
    start, end, kind = parts.start, parts.end, parts.kind
    ptr, node, parent_ptr, parent = parts.ptr, parts.node, parts.parent_ptr, parts.parent
    many, before = colours_of(colour), 0
    around = np.empty(len(colour) if many < len(colour) else 0, np.uint64)
    while before < many < len(colour):
        around[:] = np.uint64(0)
        for w in range(len(start)):
            path = mixed(mixed(colour[start[w]] + mixed(kind[w])) + mixed(colour[end[w]] ^ _OF_END))
            around[start[w]] += mixed(path)
            for i in range(ptr[w], ptr[w + 1]):
                for e in range(parent_ptr[i], parent_ptr[i + 1]):
                    above = node[ptr[w] + parent[e]]
                    around[above] += mixed((colour[node[i]] + path) ^ _UPWARD)
                    around[node[i]] += mixed((colour[above] + path) ^ _DOWNWARD)
        for k in range(len(colour)):
            colour[k] = mixed(colour[k] + around[k])
        before = many
        many = colours_of(colour)
    return many


@inner
def tell_apart(parts, colour, many):
    """Parts.told_apart, in place, of refined colours, of which there are so many."""
    n = len(colour)
    if many == n:
        return
    part, tied, marked = np.empty(n, np.int64), np.empty(n, np.bool_), np.empty(n, np.uint64)
    for _ in range(MOST_MARKS):
        _find_tied(colour, tied)
        _copy(marked, colour)
        _mark(parts, colour, tied, part, marked)
        reached = refine(parts, marked)
        if reached == many:
            _copy(marked, colour)
            first = -1
            for k in range(n):
                if tied[k] and (first < 0 or colour[k] < colour[first]):
                    first = k
            marked[first] += _PART
            reached = refine(parts, marked)
        _copy(colour, marked)
        many = reached
        if many == n:
            return


@leaf
def _copy(to, values):
    for k in range(len(values)):
        to[k] = values[k]


@inner
def _find_tied(colour, tied):
    ordered = colour.copy()
    sort(ordered, len(ordered))
    for k in range(len(colour)):
        at = place_among(ordered, colour[k])
        tied[k] = at + 1 < len(ordered) and ordered[at + 1] == colour[k]


@inner
def _mark(parts, colour, tied, part, marked):
    start, end = parts.start, parts.end
    ptr, node, parent_ptr, parent = parts.ptr, parts.node, parts.parent_ptr, parts.parent
    for k in range(len(part)):
        part[k] = k
    for w in range(len(start)):
        for i in range(ptr[w], ptr[w + 1]):
            below = node[i]
            for e in range(parent_ptr[i], parent_ptr[i + 1]):
                above = node[ptr[w] + parent[e]]
                _join(part, tied, below, above)
                _join(part, tied, start[w], below)
                _join(part, tied, start[w], above)
                _join(part, tied, end[w], below)
                _join(part, tied, end[w], above)
    sums, kinds = np.zeros(len(part), np.uint64), np.zeros(len(part), np.uint64)
    for k in range(len(part)):
        if tied[k]:
            sums[_top(part, k)] += mixed(colour[k])
    for k in range(len(part)):
        if tied[k] and part[k] == k:
            met = np.uint64(1)
            for j in range(k):
                if tied[j] and part[j] == j and sums[j] == sums[k]:
                    met += np.uint64(1)
            kinds[k] = mixed(sums[k] + met * _PART)
    for k in range(len(part)):
        if tied[k]:
            marked[k] += kinds[_top(part, k)]


@leaf
def _top(part, k):
    while part[k] != k:
        k = part[k]
    return k


@leaf
def _join(part, tied, a, b):
    if tied[a] and tied[b]:
        low, high = _top(part, a), _top(part, b)
        if low > high:
            low, high = high, low
        part[high] = low
