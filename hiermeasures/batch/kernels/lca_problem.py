"""Problem 2 of one instance as arrays, for the kernels that solve it: hiermeasures.measures.lca_problem has objects.

Nodes and LCAs are small numbers, sets of them bit masks.
"""

from collections import namedtuple

import numpy as np

from hiermeasures.batch.compiled import inner, leaf
from hiermeasures.batch.kernels.bits import has, put, size

# One instance. Classes are numbered true ones first (`n_true` of them); `own` holds the mask of each class's own LCAs,
# `near[q, l]` is whether a class is nearest below an LCA, `way[q, l]` the number of its ways to it. Ways w have their
# nodes at `ptr[w]:ptr[w + 1]` of `node`, start first, with parents `parent[parent_ptr[i]:parent_ptr[i + 1]]` as places
# within the way; `nodes` and `forced` are masks, and `single` says that there is one way only. `counted` (row 0) are
# the nodes that scores count.
Problem = namedtuple("Problem", "n_true ranks own near way ptr node parent_ptr parent nodes forced single counted")

# The cheapest ways of some connections, as in a Problem.
Ways = namedtuple("Ways", "n ptr node parent_ptr parent")

# The connections of every LCA, those of LCA l at `first[l]:first[l + 1]`: connection c leads from `side[c]` by one of
# the ways `ways[ptr[c]:ptr[c + 1]]`; `open[c]` says that there is more than one, and `nodes` has the nodes of all. Row
# 2 l + side of `forced` has what is on every way of some connection of LCA l, of `reach` what is on any; `steps[l]` is
# what listing the ways counts where there is one only.
Links = namedtuple("Links", "first side ptr ways open nodes forced reach steps")


@leaf
def spend(spent, steps):
    """Count steps; whether the bound on work is exceeded."""
    spent[0] += steps
    return spent[0] > spent[1]


@inner
def members(masks, row):
    found = np.empty(size(masks, row), np.int64)
    k = 0
    for number in range(64 * masks.shape[1]):
        if has(masks, row, number):
            found[k] = number
            k += 1
    return found


@inner
def links_of(problem):
    """Problem.connections of every LCA: every owner, and one way from a side that has none."""
    n_true, ranks, own, near, way = problem.n_true, problem.ranks, problem.own, problem.near, problem.way
    n_classes, n_lcas = way.shape
    most = n_lcas * (n_classes + 2)
    first, side = np.zeros(n_lcas + 1, np.int64), np.empty(most, np.int64)
    ptr, ways = np.zeros(most + 1, np.int64), np.empty(most, np.int64)
    n = 0
    for lca in range(n_lcas):
        true_owners, predicted_owners = 0, 0
        i, j = 0, n_true
        while i < n_true or j < n_classes:
            true_first = i < n_true and (j >= n_classes or ranks[i] <= ranks[j])
            q = i if true_first else j
            if has(own, q, lca):
                side[n] = 0 if true_first else 1
                ways[ptr[n]] = way[q, lca]
                ptr[n + 1] = ptr[n] + 1
                true_owners += true_first
                predicted_owners += not true_first
                n += 1
            i += true_first
            j += not true_first
        for s in range(2):
            if (predicted_owners if s else true_owners) == 0:
                side[n] = s
                ptr[n + 1] = ptr[n]
                for q in range(n_true if s else 0, n_classes if s else n_true):
                    if near[q, lca]:
                        ways[ptr[n + 1]] = way[q, lca]
                        ptr[n + 1] += 1
                n += 1
        first[lca + 1] = n
    n_words = problem.nodes.shape[1]
    links = Links(
        first,
        side,
        ptr,
        ways,
        np.zeros(n, np.bool_),
        np.zeros((n, n_words), np.uint64),
        np.zeros((2 * n_lcas, n_words), np.uint64),
        np.zeros((2 * n_lcas, n_words), np.uint64),
        np.zeros(n_lcas, np.int64),
    )
    _fill_masks(problem, links)
    return links


@leaf
def _fill_masks(problem, links):
    """What Links has beyond the connections themselves."""
    first, side, ptr, ways, is_open = links.first, links.side, links.ptr, links.ways, links.open
    for lca in range(len(first) - 1):
        for c in range(first[lca], first[lca + 1]):
            w, row = ways[ptr[c]], 2 * lca + side[c]
            is_open[c] = ptr[c + 1] - ptr[c] > 1 or not problem.single[w]
            if not is_open[c]:
                links.steps[lca] += problem.ptr[w + 1] - problem.ptr[w] + 1
            for i in range(links.nodes.shape[1]):
                common = some = problem.forced[w, i]
                for k in range(ptr[c], ptr[c + 1]):
                    common &= problem.forced[ways[k], i]
                    some |= problem.nodes[ways[k], i]
                links.nodes[c, i] = some
                links.forced[row, i] |= common
                links.reach[row, i] |= some


@leaf
def class_masks(problem, graphs):
    """Start the graphs with the classes."""
    ranks, n_true = problem.ranks, problem.n_true
    for q in range(len(ranks)):
        put(graphs, 0 if q < n_true else 1, ranks[q])
