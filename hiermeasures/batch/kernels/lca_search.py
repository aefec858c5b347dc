"""The kernel for minimal LCA graphs where there is something to choose: it takes the instances that the kernel of
lca.py put aside, and is compiled apart from it, because compiling it takes longest of all.

Which graphs are chosen is decided in lca_solver.py.
"""

import numpy as np

from hiermeasures.batch.compiled import inner, kernel, leaf
from hiermeasures.batch.kernels.bits import has, put, words
from hiermeasures.batch.kernels.lca_numbering import by_structure
from hiermeasures.batch.kernels.lca_problem import Problem, Ways
from hiermeasures.batch.kernels.lca_solver import EXHAUSTED, UNSURE, solve
from hiermeasures.batch.kernels.sorting import order_by, sort

UNSOLVED = 1  # in the last column: the exact search was given up
HEAD = 7  # an instance put aside begins with its row, n_true, and how many classes, LCAs, ways, nodes and edges it has


@kernel
def search(aside, level, count_root, limit, greedy, place, out):
    """Columns 0 to 2: true, predicted, shared of the minimal graphs; 6: whether they are UNSOLVED. `place` is scratch
    over all classes.
    """
    at = 0
    while at < len(aside):
        row, n_true, n_classes, n_lcas = aside[at], aside[at + 1], aside[at + 2], aside[at + 3]
        n_ways, n_nodes, n_edges = aside[at + 4], aside[at + 5], aside[at + 6]
        at += HEAD
        label, lcas = aside[at : at + n_classes], aside[at + n_classes : at + n_classes + n_lcas]
        at += n_classes + n_lcas
        kind = aside[at : at + n_classes * n_lcas].reshape(n_classes, n_lcas)
        at += n_classes * n_lcas
        way_ptr, node = aside[at : at + n_ways + 1], aside[at + n_ways + 1 : at + n_ways + 1 + n_nodes]
        at += n_ways + 1 + n_nodes
        parent_ptr, parent = aside[at : at + n_nodes + 1], aside[at + n_nodes + 1 : at + n_nodes + 1 + n_edges]
        at += n_nodes + 1 + n_edges
        own, near, way = np.empty(kind.shape, np.bool_), np.empty(kind.shape, np.bool_), np.empty(kind.shape, np.int64)
        _read_kinds(kind, own, near, way)
        _solve(
            n_true,
            label,
            lcas,
            own,
            near,
            way,
            Ways(n_ways, way_ptr, node, parent_ptr, parent),
            level,
            count_root,
            limit,
            greedy,
            place,
            out,
            row,
        )


@leaf
def _read_kinds(kind, own, near, way):
    """Which classes own LCAs or are nearest below them, and the numbers of their ways there (-1: none)."""
    w = 0
    for q in range(kind.shape[0]):
        for k in range(kind.shape[1]):
            own[q, k], near[q, k] = kind[q, k] & 1, kind[q, k] >> 1
            way[q, k] = w if kind[q, k] else -1
            w += kind[q, k] != 0


@inner
def _solve(n_true, label, lcas, own, near, way, ways, level, count_root, limit, greedy, place, out, row):
    """The minimal graphs by search. The order of nodes is any at first, and by structure where the values may depend on
    it.
    """
    order = _met(ways.node, place)
    structural = greedy
    while True:
        if structural:
            order = _by_structure(n_true, label, lcas, own, near, way, ways, level, order, place)
        problem = _problem(n_true, label, lcas, own, near, way, ways, order, count_root, place)
        graphs = np.zeros((2, words(len(order))), np.uint64)
        outcome = solve(problem, limit, greedy, structural, graphs)
        if outcome != UNSURE:
            break
        structural = True
    if outcome == EXHAUSTED:
        out[row, 6] = UNSOLVED
    _count(graphs, order, count_root, out, row)


@inner
def _by_structure(n_true, label, lcas, own, near, way, ways, level, order, place):
    """The nodes in the order that structure gives them."""
    sort(order, len(order))
    _number(order, place)
    classes, ends, nodes = _looked_up(place, label), _looked_up(place, lcas), _looked_up(place, ways.node)
    places = by_structure(n_true, _looked_up(level, order), classes, ends, own, near, way, ways, nodes)
    order = _looked_up(order, places)
    _number(order, place)
    return order


@inner
def _met(nodes, place):
    """The nodes, each once, in the order in which they are met; `place` is where each is in it."""
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
def single(way_ptr, parent_ptr, w):
    """Whether there is one way only: then every node but the end has one parent."""
    return parent_ptr[way_ptr[w + 1]] - parent_ptr[way_ptr[w]] == way_ptr[w + 1] - way_ptr[w] - 1


@inner
def _problem(n_true, label, lcas, own, near, way, ways, order, count_root, place):
    """The instance in the solver's numbers: ranks among its own nodes and LCAs, in whose order classes and LCAs are."""
    way_ptr, way_node, parent_ptr, parent = ways.ptr, ways.node, ways.parent_ptr, ways.parent
    n_classes, n_lcas, n_words = len(label), len(lcas), words(len(order))
    by_rank, by_place = np.empty(n_classes, np.int64), np.empty(n_lcas, np.int64)
    ranks = _looked_up(place, label)
    for q in range(n_true, n_classes):
        ranks[q] += len(order)
    order_by(ranks, by_rank)
    for q in range(n_true, n_classes):
        ranks[q] -= len(order)
    order_by(_looked_up(place, lcas), by_place)
    own_masks = np.zeros((n_classes, words(n_lcas)), np.uint64)
    nearest, numbers = np.empty(own.shape, np.bool_), np.empty(own.shape, np.int64)
    for i in range(n_classes):
        q = by_rank[i]
        for j in range(n_lcas):
            k = by_place[j]
            nearest[i, j], numbers[i, j] = near[q, k], way[q, k]
            if own[q, k]:
                put(own_masks, i, j)
    node = np.empty(way_ptr[ways.n], np.int64)
    nodes, forced = np.zeros((ways.n, n_words), np.uint64), np.zeros((ways.n, n_words), np.uint64)
    alone = np.zeros(ways.n, np.bool_)
    for w in range(ways.n):
        alone[w] = single(way_ptr, parent_ptr, w)
        beyond = way_ptr[w]
        for i in range(way_ptr[w], way_ptr[w + 1]):
            node[i] = place[way_node[i]]
            put(nodes, w, node[i])
            # In this order no way passes by a node unless an edge from before it ends after it.
            if i >= beyond:
                put(forced, w, node[i])
            for e in range(parent_ptr[i], parent_ptr[i + 1]):
                beyond = max(beyond, way_ptr[w] + parent[e])
    counted = np.zeros((1, n_words), np.uint64)
    for k in range(len(order)):
        if order[k] != 0 or count_root:
            put(counted, 0, k)
    return Problem(
        n_true,
        _looked_up(ranks, by_rank),
        own_masks,
        nearest,
        numbers,
        way_ptr,
        node,
        parent_ptr,
        parent,
        nodes,
        forced,
        alone,
        counted,
    )
