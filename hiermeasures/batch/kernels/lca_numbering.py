"""Kernels for the order in which the nodes of an LCA problem are numbered: the model is
hiermeasures.measures.lca_numbering, bit for bit but for what may be exchanged.
"""

import numpy as np

from hiermeasures.batch.compiled import inner, leaf
from hiermeasures.batch.kernels.signature import Parts, mixed, refine, tell_apart
from hiermeasures.measures import lca_numbering as model

_LABEL, _PREDICTED, _OWN, _NEAR = (np.uint64(mark) for mark in (model.LABEL, model.PREDICTED, model.OWN, model.NEAR))


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
