"""Algorithms 1 and 2 of Kosmopoulos et al. 2015 over arrays, as hiermeasures.measures.lca_greedy has them."""

import numpy as np

from hiermeasures.batch.compiled import inner, leaf
from hiermeasures.batch.kernels.bits import add, compared, copy, has, meets, put, take
from hiermeasures.batch.kernels.lca_problem import class_masks


@leaf
def _satisfied(own, chosen):
    for q in range(len(own)):
        if not meets(own, q, chosen, 0):
            return False
    return True


@inner
def best_lcas(problem):
    """GetBestLCAs of Algorithm 1. Its second pass over the chosen LCAs never removes one, and is left out."""
    own = problem.own
    n_lcas = problem.way.shape[1]
    connected = np.zeros(n_lcas, np.int64)
    for q in range(len(own)):
        for lca in range(n_lcas):
            connected[lca] += has(own, q, lca)
    mask = np.zeros((1, own.shape[1]), np.uint64)
    chosen = np.empty(n_lcas, np.int64)
    n = 0
    while not _satisfied(own, mask):
        lca = 0
        for other in range(1, n_lcas):
            if connected[other] > connected[lca]:
                lca = other
        connected[lca] = -1
        chosen[n] = lca
        put(mask, 0, lca)
        n += 1
    n_kept = 0
    for k in range(n):
        lca = chosen[k]
        take(mask, 0, lca)
        if not _satisfied(own, mask):
            put(mask, 0, lca)
            chosen[n_kept] = lca
            n_kept += 1
    return chosen[:n_kept]


@inner
def best_ways(problem, links, chosen, graphs):
    """GetBestPaths of Algorithm 2: fill the graphs with classes and ways."""
    class_masks(problem, graphs)
    for lca in chosen:
        add(graphs, 0, links.forced, 2 * lca)
        add(graphs, 1, links.forced, 2 * lca + 1)
    for lca in chosen:
        for c in range(links.first[lca], links.first[lca + 1]):
            if links.open[c]:
                _add_best_way(problem, links, c, graphs)


@inner
def _add_best_way(problem, links, c, graphs):
    """BestPath of Algorithm 2: most nodes in either graph, then most in its own, then the smaller set."""
    side, ptr, ways = links.side[c], links.ptr, links.ways
    best = np.zeros((2, graphs.shape[1]), np.uint64)  # the best way so far, and another
    best_common, best_known = -1, -1
    for k in range(ptr[c], ptr[c + 1]):
        common, known = _best_among(problem, ways[k], graphs, side, best)
        if common > best_common or (
            common == best_common and (known > best_known or (known == best_known and compared(best, 1, best, 0) < 0))
        ):
            best_common, best_known = common, known
            copy(best, 0, best, 1)
    add(graphs, side, best, 0)


@inner
def _best_among(problem, w, graphs, side, best):
    """The best of the ways w into row 1 of `best`; how many of its nodes are known to either graph, and minus those new
    to its own.
    """
    node, parent_ptr, parent = problem.node, problem.parent_ptr, problem.parent
    first, n = problem.ptr[w], problem.ptr[w + 1] - problem.ptr[w]
    common, known = np.full(n, -1, np.int64), np.zeros(n, np.int64)
    masks = np.zeros((n + 1, graphs.shape[1]), np.uint64)
    start = node[first]
    common[0] = has(graphs, 0, start) or has(graphs, 1, start)
    known[0] = has(graphs, side, start) - 1
    put(masks, 0, start)
    for i in range(n):
        for e in range(parent_ptr[first + i], parent_ptr[first + i + 1]):
            j = parent[e]
            above = node[first + j]
            there = common[i] + (has(graphs, 0, above) or has(graphs, 1, above))
            old = known[i] + has(graphs, side, above) - 1
            copy(masks, n, masks, i)
            put(masks, n, above)
            if there > common[j] or (
                there == common[j] and (old > known[j] or (old == known[j] and compared(masks, n, masks, j) < 0))
            ):
                common[j], known[j] = there, old
                copy(masks, j, masks, n)
    copy(best, 1, masks, n - 1)
    return common[n - 1], known[n - 1]
