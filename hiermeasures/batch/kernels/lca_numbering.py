"""Kernels for the order in which the nodes of an LCA problem are numbered: the model is
hiermeasures.measures.lca_numbering, bit for bit but for what may be exchanged.
"""

import numpy as np

from hiermeasures.batch.compiled import inner, leaf
from hiermeasures.batch.kernels.signature import Parts, mixed, refine, tell_apart
from hiermeasures.measures import lca_numbering as model

_LABEL, _PREDICTED, _OWN, _NEAR = (np.uint64(mark) for mark in (model.LABEL, model.PREDICTED, model.OWN, model.NEAR))
MANY = model.MANY


@inner
def most_work(n_true, own, near, way, ways):
    """lca_numbering.most_work."""
    ptr, parent_ptr, parent = ways.ptr, ways.parent_ptr, ways.parent
    n_classes, n_lcas = own.shape
    count, reached = np.ones(ways.n), np.empty(len(ways.node))
    for w in range(ways.n):
        first, many = ptr[w], ptr[w + 1] - ptr[w]
        reached[:many] = 0.0
        reached[0] = 1.0
        for i in range(many):
            for e in range(parent_ptr[first + i], parent_ptr[first + i + 1]):
                reached[parent[e]] = min(MANY, reached[parent[e]] + reached[i])
        count[w] = reached[many - 1]
    several = np.empty(n_classes, np.bool_)
    for q in range(n_classes):
        many = 0
        for k in range(n_lcas):
            many += own[q, k]
        several[q] = many > 1
    open_lcas, links, listing, product = 0, 0, 0.0, 1.0
    for k in range(n_lcas):
        chosen_from = False
        for q in range(n_classes):
            chosen_from = chosen_from or (own[q, k] and several[q])
        open_lcas += chosen_from
        for side in range(2):
            first, last = (n_true, n_classes) if side else (0, n_true)
            owners, nearest = 0, 0.0
            for q in range(first, last):
                owners += own[q, k]
            for q in range(first, last):
                if own[q, k] or (owners == 0 and near[q, k]):
                    w = way[q, k]
                    listing += (ptr[w + 1] - ptr[w]) * _compared(count[w])
                    nearest += count[w]
                    if own[q, k]:
                        listing += _compared(count[w])
                        product *= count[w]
            if owners == 0:
                nearest = min(MANY, nearest)
                listing += _compared(nearest)
                product *= nearest
                owners = 1
            links += owners
    return 2.0 ** min(open_lcas, 64) * (open_lcas + 2 + links + listing + 2 * product)


@leaf
def _compared(many):
    return many * (1 + many / 8)


@inner
def by_structure(n_true, level, classes, lcas, own, near, way, ways, nodes):
    """lca_numbering.by_structure: the places of all nodes in the order that structure gives them. Classes, LCAs and the
    nodes of the ways are given by their places, too.
    """
    n = len(level)
    colour, sides = np.empty(n, np.uint64), np.zeros(n, np.uint64)
    for k in range(n):
        colour[k] = mixed(np.uint64(level[k]))
    for q in range(len(classes)):
        colour[classes[q]] += _LABEL
        if q >= n_true:
            sides[classes[q]] += _PREDICTED
    parts = _parts(classes, lcas, own, near, way, ways, nodes)
    many = refine(parts, colour)
    alike = colour.copy()
    if many < n:
        for k in range(n):
            colour[k] = mixed(colour[k] + sides[k])
        tell_apart(parts, colour, refine(parts, colour))
    order = np.arange(n)
    for k in range(n):
        place = k
        while place and _before(level, alike, colour, k, order[place - 1]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = k
    return order


@inner
def _parts(classes, lcas, own, near, way, ways, nodes):
    """lca_numbering._ways."""
    start, end = np.zeros(ways.n, np.int64), np.zeros(ways.n, np.int64)
    kind = np.zeros(ways.n, np.uint64)
    for q in range(len(classes)):
        for k in range(len(lcas)):
            w = way[q, k]
            if w >= 0:
                start[w], end[w] = classes[q], lcas[k]
                if own[q, k]:
                    kind[w] += _OWN
                if near[q, k]:
                    kind[w] += _NEAR
    return Parts(start, end, kind, ways.ptr, nodes, ways.parent_ptr, ways.parent)


@leaf
def _before(level, alike, colour, a, b):
    if level[a] != level[b]:
        return level[a] < level[b]
    return alike[a] < alike[b] or (alike[a] == alike[b] and colour[a] < colour[b])
