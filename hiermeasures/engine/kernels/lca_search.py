"""The kernel for minimal LCA graphs where there is something to choose: it takes the instances that
the kernel of lca.py put aside, and is compiled apart from it, because compiling it takes longest of
all.

Which graphs are chosen is decided in lca_solver.py.
"""

from collections import namedtuple

import numpy as np

from hiermeasures.engine.compiled import inner, kernel, leaf
from hiermeasures.engine.kernels.bits import has, put, words
from hiermeasures.engine.kernels.lca_problem import Paths, Problem
from hiermeasures.engine.kernels.lca_solver import EXHAUSTED, UNSURE, solve
from hiermeasures.engine.kernels.signature import Parts, mixed, refine, tell_apart
from hiermeasures.engine.kernels.sorting import sort, sort_by_keys, sorter
from hiermeasures.measures import lca_solvers as model

# An instance: its classes, true ones first (`n_true` of them), LCAs, and as in lca.py which of them
# are whose.
Given = namedtuple("Given", "n_true label lcas own near path paths")
UNSOLVED = 1  # in the last column: the exact search was given up
HEAD = 7  # an instance put aside begins with its row, n_true, and how many classes, LCAs, paths, nodes and edges it has


@kernel
def search(aside, level, count_root, limit, greedy, place, out):
    """Columns 0-2: true, predicted, shared of the minimal graphs; 6: UNSOLVED. `place`: scratch."""
    at = 0
    while at < len(aside):
        row, n_true, n_classes, n_lcas = aside[at], aside[at + 1], aside[at + 2], aside[at + 3]
        n_paths, n_nodes, n_edges = aside[at + 4], aside[at + 5], aside[at + 6]
        at += HEAD
        label, lcas = aside[at : at + n_classes], aside[at + n_classes : at + n_classes + n_lcas]
        at += n_classes + n_lcas
        kind = aside[at : at + n_classes * n_lcas].reshape(n_classes, n_lcas)
        at += n_classes * n_lcas
        path_ptr, node = aside[at : at + n_paths + 1], aside[at + n_paths + 1 : at + n_paths + 1 + n_nodes]
        at += n_paths + 1 + n_nodes
        parent_ptr, parent = aside[at : at + n_nodes + 1], aside[at + n_nodes + 1 : at + n_nodes + 1 + n_edges]
        at += n_nodes + 1 + n_edges
        own, near, path = np.empty(kind.shape, np.bool_), np.empty(kind.shape, np.bool_), np.empty(kind.shape, np.int64)
        _read_kinds(kind, own, near, path)
        given = Given(n_true, label, lcas, own, near, path, Paths(n_paths, path_ptr, node, parent_ptr, parent))
        _solve(given, level, count_root, limit, greedy, place, out, row)


@leaf
def _read_kinds(kind, own, near, path):
    """Decode which classes own LCAs or are nearest below them, and the numbers of their paths."""
    w = 0
    for q in range(kind.shape[0]):
        for k in range(kind.shape[1]):
            own[q, k], near[q, k] = kind[q, k] & 1, kind[q, k] >> 1
            path[q, k] = w if kind[q, k] else -1
            w += kind[q, k] != 0


@inner
def _solve(given, level, count_root, limit, greedy, place, out, row):
    """Find the minimal graphs. Node order is arbitrary where it cannot change the result."""
    order = _met(given.paths.node, place)
    structural = greedy
    while True:
        if structural:
            order = _by_structure(given, level, order, place)
        problem = _problem(given, order, count_root, place)
        graphs = np.zeros((2, words(len(order))), np.uint64)
        outcome = solve(problem, limit, greedy, structural, graphs)
        if outcome != UNSURE:
            break
        structural = True
    if outcome == EXHAUSTED:
        out[row, 6] = UNSOLVED
    _count(graphs, order, count_root, out, row)


@inner
def _by_structure(given, level, order, place):
    sort(order, len(order))
    _number(order, place)
    order = _looked_up(order, _places(given, _looked_up(level, order), place))
    _number(order, place)
    return order


@inner
def _met(nodes, place):
    """Return the nodes in the order in which they are met; `place` is the place of each."""
    for c in nodes:
        place[c] = -1
    order, n = np.empty(len(nodes), np.int64), 0
    for c in nodes:
        if place[c] < 0:
            place[c] = n
            order[n] = c
            n += 1
    return order[:n].copy()


@leaf
def _number(order, place):
    for k in range(len(order)):
        place[order[k]] = k


@inner
def _looked_up(values, places):
    found = np.empty(len(places), np.int64)
    for k in range(len(places)):
        found[k] = values[places[k]]
    return found


@leaf
def _count(graphs, order, count_root, out, row):
    for k in range(len(order)):
        if order[k] != 0 or count_root:
            out[row, 0] += has(graphs, 0, k)
            out[row, 1] += has(graphs, 1, k)
            out[row, 2] += has(graphs, 0, k) and has(graphs, 1, k)


@leaf
def single(path_ptr, parent_ptr, w):
    """True if there is one path only: every node but the end has one parent."""
    return parent_ptr[path_ptr[w + 1]] - parent_ptr[path_ptr[w]] == path_ptr[w + 1] - path_ptr[w] - 1


@inner
def _problem(given, order, count_root, place):
    """The instance in the solver's numbers: ranks among its own nodes and LCAs."""
    n_true, label, lcas, own, near, path, paths = given
    path_ptr, path_node, parent_ptr, parent = paths.ptr, paths.node, paths.parent_ptr, paths.parent
    n_classes, n_lcas, n_words = len(label), len(lcas), words(len(order))
    by_rank, by_place = np.arange(n_classes), np.arange(n_lcas)
    ranks = _looked_up(place, label)
    for q in range(n_true, n_classes):
        ranks[q] += len(order)
    sort_by_keys(by_rank, n_classes, ranks)
    for q in range(n_true, n_classes):
        ranks[q] -= len(order)
    sort_by_keys(by_place, n_lcas, _looked_up(place, lcas))
    own_masks = np.zeros((n_classes, words(n_lcas)), np.uint64)
    nearest, numbers = np.empty(own.shape, np.bool_), np.empty(own.shape, np.int64)
    for i in range(n_classes):
        q = by_rank[i]
        for j in range(n_lcas):
            k = by_place[j]
            nearest[i, j], numbers[i, j] = near[q, k], path[q, k]
            if own[q, k]:
                put(own_masks, i, j)
    node = np.empty(path_ptr[paths.n], np.int64)
    nodes, forced = np.zeros((paths.n, n_words), np.uint64), np.zeros((paths.n, n_words), np.uint64)
    alone = np.zeros(paths.n, np.bool_)
    for w in range(paths.n):
        alone[w] = single(path_ptr, parent_ptr, w)
        beyond = path_ptr[w]
        for i in range(path_ptr[w], path_ptr[w + 1]):
            node[i] = place[path_node[i]]
            put(nodes, w, node[i])
            # In this order no path passes by a node unless an edge from before it ends after it.
            if i >= beyond:
                put(forced, w, node[i])
            for e in range(parent_ptr[i], parent_ptr[i + 1]):
                beyond = max(beyond, path_ptr[w] + parent[e])
    counted = np.zeros((1, n_words), np.uint64)
    for k in range(len(order)):
        if order[k] != 0 or count_root:
            put(counted, 0, k)
    ranks = _looked_up(ranks, by_rank)
    found = (path_ptr, node, parent_ptr, parent, nodes, forced, alone, counted)
    return Problem(n_true, ranks, own_masks, nearest, numbers, *found)


# --- numbers of the nodes, as `explain` gives them ----------------------------------------------


_LABEL, _PREDICTED, _OWN, _NEAR = (np.uint64(mark) for mark in (model.LABEL, model.PREDICTED, model.OWN, model.NEAR))


@inner
def _places(given, level, place):
    """The places of all nodes, which `level` is of, in the order that structure gives them."""
    n, n_true, classes = len(level), given.n_true, _looked_up(place, given.label)
    colour, sides = np.empty(n, np.uint64), np.zeros(n, np.uint64)
    for k in range(n):
        colour[k] = mixed(np.uint64(level[k]))
    for q in range(len(classes)):
        colour[classes[q]] += _LABEL
        if q >= n_true:
            sides[classes[q]] += _PREDICTED
    parts = _parts(given, classes, _looked_up(place, given.lcas), _looked_up(place, given.paths.node))
    many = refine(parts, colour)
    alike = colour.copy()
    if many < n:
        for k in range(n):
            colour[k] = mixed(colour[k] + sides[k])
        tell_apart(parts, colour, refine(parts, colour))
    order = np.arange(n)
    _sort_nodes(order, n, (level, alike, colour))
    return order


@inner
def _parts(given, classes, lcas, nodes):
    own, near, path, paths = given.own, given.near, given.path, given.paths
    start, end = np.zeros(paths.n, np.int64), np.zeros(paths.n, np.int64)
    kind = np.zeros(paths.n, np.uint64)
    for q in range(len(classes)):
        for k in range(len(lcas)):
            w = path[q, k]
            if w >= 0:
                start[w], end[w] = classes[q], lcas[k]
                if own[q, k]:
                    kind[w] += _OWN
                if near[q, k]:
                    kind[w] += _NEAR
    return Parts(start, end, kind, paths.ptr, nodes, paths.parent_ptr, paths.parent)


@sorter
@leaf
def _sort_nodes(of, a, b):
    level, alike, colour = of
    if level[a] != level[b]:
        return level[a] < level[b]
    if alike[a] != alike[b]:
        return alike[a] < alike[b]
    return colour[a] < colour[b] or (colour[a] == colour[b] and a < b)
