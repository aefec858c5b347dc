"""Kernels for the order in which the nodes of an LCA problem are numbered: the model is
hiermeasures.measures.lca_numbering, bit for bit but for what may be exchanged.
"""

from collections import namedtuple

import numpy as np

from hiermeasures.batch.compiled import inner, leaf
from hiermeasures.batch.kernels.signature import mixed
from hiermeasures.measures import lca_numbering as model

_LABEL, _PREDICTED, _OWN, _NEAR = (np.uint64(mark) for mark in (model.LABEL, model.PREDICTED, model.OWN, model.NEAR))
_OF_LCA, _UPWARD, _DOWNWARD, _PART = (
    np.uint64(mark) for mark in (model.OF_LCA, model.UPWARD, model.DOWNWARD, model.PART)
)
MANY, MOST_MARKS = model.MANY, model.MOST_MARKS

# What is to be numbered: nodes by their places in a first order, with level; the classes and LCAs as places; and the
# ways, of which `way[q, l]` leads from class q to LCA l if it is not negative, with their nodes as places.
Parts = namedtuple("Parts", "level classes lcas own near way ptr node parent_ptr parent")


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
def by_structure(parts, n_true):
    """lca_numbering.by_structure: the places of all nodes in the order that structure gives them."""
    level, classes = parts.level, parts.classes
    n = len(level)
    colour, sides, work = np.empty(n, np.uint64), np.zeros(n, np.uint64), np.empty((2, n), np.uint64)
    for k in range(n):
        colour[k] = mixed(np.uint64(level[k]))
    for q in range(len(classes)):
        colour[classes[q]] += _LABEL
        if q >= n_true:
            sides[classes[q]] += _PREDICTED
    many = _refine(parts, colour, work)
    alike = colour.copy()
    if many < n:
        for k in range(n):
            colour[k] = mixed(colour[k] + sides[k])
        many = _refine(parts, colour, work)
    part, tied, marked = np.empty(n, np.int64), np.empty(n, np.bool_), np.empty(n, np.uint64)
    for _ in range(MOST_MARKS):
        if many == n:
            break
        _find_tied(colour, tied)
        marked[:] = colour
        _mark(parts, colour, tied, part, marked)
        reached = _refine(parts, marked, work)
        if reached == many:
            marked[:] = colour
            first = -1
            for k in range(n):
                if tied[k] and (first < 0 or _before(level, alike, colour, k, first)):
                    first = k
            marked[first] += _PART
            reached = _refine(parts, marked, work)
        colour[:] = marked
        many = reached
    order = np.arange(n)
    for k in range(n):
        place = k
        while place and _before(level, alike, colour, k, order[place - 1]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = k
    return order


@leaf
def _before(level, alike, colour, a, b):
    if level[a] != level[b]:
        return level[a] < level[b]
    return alike[a] < alike[b] or (alike[a] == alike[b] and colour[a] < colour[b])


@inner
def _refine(parts, colour, work):
    """_Parts.refined, in place; how many colours there are."""
    classes, lcas, own, near, way = parts.classes, parts.lcas, parts.own, parts.near, parts.way
    ptr, node, parent_ptr, parent = parts.ptr, parts.node, parts.parent_ptr, parts.parent
    around = work[0]
    many, before = _distinct(colour, work[1]), 0
    while many > before and many < len(colour):
        around[:] = np.uint64(0)
        for q in range(len(classes)):
            for k in range(len(lcas)):
                w = way[q, k]
                if w < 0:
                    continue
                kind = np.uint64(0)
                if own[q, k]:
                    kind += _OWN
                if near[q, k]:
                    kind += _NEAR
                link = mixed(mixed(colour[classes[q]] + mixed(kind)) + mixed(colour[lcas[k]] ^ _OF_LCA))
                around[classes[q]] += mixed(link)
                for i in range(ptr[w], ptr[w + 1]):
                    for e in range(parent_ptr[i], parent_ptr[i + 1]):
                        above = node[ptr[w] + parent[e]]
                        around[above] += mixed((colour[node[i]] + link) ^ _UPWARD)
                        around[node[i]] += mixed((colour[above] + link) ^ _DOWNWARD)
        for k in range(len(colour)):
            colour[k] = mixed(colour[k] + around[k])
        before = many
        many = _distinct(colour, work[1])
    return many


@inner
def _distinct(colour, room):
    """How many colours there are; `room` is left with them in order."""
    room[:] = np.sort(colour)
    many = 1
    for k in range(1, len(room)):
        many += room[k] != room[k - 1]
    return many


@inner
def _find_tied(colour, tied):
    ordered = np.sort(colour)
    for k in range(len(colour)):
        at = np.searchsorted(ordered, colour[k])
        tied[k] = at + 1 < len(ordered) and ordered[at + 1] == colour[k]


@inner
def _mark(parts, colour, tied, part, marked):
    """_Parts.marks, added to `marked`."""
    classes, lcas, way = parts.classes, parts.lcas, parts.way
    ptr, node, parent_ptr, parent = parts.ptr, parts.node, parts.parent_ptr, parts.parent
    for k in range(len(part)):
        part[k] = k
    for q in range(len(classes)):
        for k in range(len(lcas)):
            w = way[q, k]
            if w < 0:
                continue
            start, end = classes[q], lcas[k]
            for i in range(ptr[w], ptr[w + 1]):
                below = node[i]
                for e in range(parent_ptr[i], parent_ptr[i + 1]):
                    above = node[ptr[w] + parent[e]]
                    _join(part, tied, below, above)
                    _join(part, tied, start, below)
                    _join(part, tied, start, above)
                    _join(part, tied, end, below)
                    _join(part, tied, end, above)
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
