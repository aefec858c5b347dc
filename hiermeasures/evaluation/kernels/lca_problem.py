"""Problem 2 of one instance as arrays, for the kernels that solve it.

hiermeasures.measures.lca_structure has it as objects. Nodes and LCAs are small numbers. Sets of
them are bit masks.
"""

from collections import namedtuple

import numpy as np

from hiermeasures.evaluation.compiled import inner, leaf
from hiermeasures.evaluation.kernels.arrays import has, ones, put, size, sort_by_keys
from hiermeasures.measures.lca_solvers import MANY

# One instance. The first `n_true` classes are true. `own` has the mask of each class's own LCAs.
# `near[q, l]` is true if class q is nearest below LCA l, and `path[q, l]` is the number w of its
# paths to l. Their nodes are `node[ptr[w]:ptr[w + 1]]`, start first. Node i has the parents
# `parent[parent_ptr[i]:parent_ptr[i + 1]]`, as places within the paths. `nodes` and `forced` are
# masks, and `single` means that there is only one path. Row 0 of `counted` has the counted nodes.
Problem = namedtuple(
    "Problem", "n_true ranks own near path ptr node parent_ptr parent nodes forced single counted"
)

# The cheapest paths of some connections, as in a Problem.
Paths = namedtuple("Paths", "n ptr node parent_ptr parent")

# The connections of every LCA. Those of LCA l are `first[l]:first[l + 1]`. Connection c starts at
# `side[c]` and has the paths `paths[ptr[c]:ptr[c + 1]]`. `open[c]` is true if there are several, and
# `nodes` has the nodes of all. For LCA l, row 2 l + side of `forced` has the nodes on every path of
# some connection, and that of `reach` the nodes on any path. `steps[l]` counts the steps of listing
# the paths if there is only one.
Links = namedtuple("Links", "first side ptr paths open nodes forced reach steps")


@leaf
def spend(spent, steps):
    """Count steps. Return whether they exceed the bound on work."""
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
    """Return the connections of every LCA, as Problem.connections does.

    Each owner has one. A side without an owner has one for the whole side.
    """
    n_true, own, near, path = problem.n_true, problem.own, problem.near, problem.path
    n_classes, n_lcas = path.shape
    order, key = np.arange(n_classes), np.empty(n_classes, np.int64)
    for q in range(n_classes):
        key[q] = 2 * problem.ranks[q] + (q >= n_true)
    sort_by_keys(order, n_classes, key)
    most = n_lcas * (n_classes + 2)
    first, side = np.zeros(n_lcas + 1, np.int64), np.empty(most, np.int64)
    ptr, paths = np.zeros(most + 1, np.int64), np.empty(most, np.int64)
    n = 0
    for lca in range(n_lcas):
        true_owners, predicted_owners = 0, 0
        for q in order:
            if has(own, q, lca):
                side[n] = q >= n_true
                true_owners += q < n_true
                predicted_owners += q >= n_true
                paths[ptr[n]] = path[q, lca]
                ptr[n + 1] = ptr[n] + 1
                n += 1
        for s in range(2):
            if (predicted_owners if s else true_owners) == 0:
                side[n] = s
                ptr[n + 1] = ptr[n]
                for q in range(n_true if s else 0, n_classes if s else n_true):
                    if near[q, lca]:
                        paths[ptr[n + 1]] = path[q, lca]
                        ptr[n + 1] += 1
                n += 1
        first[lca + 1] = n
    n_words = problem.nodes.shape[1]
    links = Links(
        first,
        side,
        ptr,
        paths,
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
    first, side, ptr, paths, is_open = links.first, links.side, links.ptr, links.paths, links.open
    for lca in range(len(first) - 1):
        for c in range(first[lca], first[lca + 1]):
            w, row = paths[ptr[c]], 2 * lca + side[c]
            is_open[c] = ptr[c + 1] - ptr[c] > 1 or not problem.single[w]
            if not is_open[c]:
                links.steps[lca] += problem.ptr[w + 1] - problem.ptr[w] + 1
            for i in range(links.nodes.shape[1]):
                common = some = problem.forced[w, i]
                for k in range(ptr[c], ptr[c + 1]):
                    common &= problem.forced[paths[k], i]
                    some |= problem.nodes[paths[k], i]
                links.nodes[c, i] = some
                links.forced[row, i] |= common
                links.reach[row, i] |= some


@leaf
def class_masks(problem, graphs):
    """Start the graphs with the classes."""
    ranks, n_true = problem.ranks, problem.n_true
    for q in range(len(ranks)):
        put(graphs, 0 if q < n_true else 1, ranks[q])


# --- upper bounds on search steps, independent of the node order --------------------------------
#
# If they are within the bound on work, node numbers do not matter, because a complete search finds
# equal values with any numbers. measures.lca_solvers.most_work checks this before the search. Here
# the smallest sets of LCAs are known, so that few instances still need numbers by structure.


@inner
def most_searched(problem, links, found, n_found, limit):
    """Return an upper bound on the steps of the search, given all smallest sets of LCAs.

    The sum can stop early when it exceeds the limit.
    """
    listing, choices = np.zeros(len(links.steps)), np.ones(len(links.steps))
    _most_listed(problem, links, listing, choices)
    most = 0.0
    for k in range(n_found):
        product = 2.0
        for lca in range(len(choices)):
            if has(found, k, lca):
                most += listing[lca]
                product *= choices[lca]
        most += product
        if most > limit:
            break
    return most


@inner
def _most_listed(problem, links, listing, choices):
    """Return upper bounds for each LCA: steps to list its paths, and choices among them."""
    path_ptr, parent_ptr, parent = problem.ptr, problem.parent_ptr, problem.parent
    reached = np.empty(len(problem.node))
    for lca in range(len(listing)):
        listing[lca] = links.steps[lca] + links.first[lca + 1] - links.first[lca]
        for c in range(links.first[lca], links.first[lca + 1]):
            if not links.open[c]:
                continue
            together = 0.0
            for k in range(links.ptr[c], links.ptr[c + 1]):
                start, end = path_ptr[links.paths[k]], path_ptr[links.paths[k] + 1]
                for i in range(start, end):
                    reached[i] = i == start
                for i in range(start, end):
                    listing[lca] += _compared(reached[i])
                    for e in range(parent_ptr[i], parent_ptr[i + 1]):
                        reached[start + parent[e]] = min(
                            MANY, reached[start + parent[e]] + reached[i]
                        )
                together += reached[end - 1]
            listing[lca] += _compared(together)
            choices[lca] *= together


@leaf
def _compared(many):
    return many * (1 + many / 8)


@leaf
def most_entered(masks, n, more):
    """Return an upper bound on the entries of `_extend` for n sets and all depths up to `more`."""
    largest, numbers = 0, 0
    for k in range(n):
        largest = max(largest, size(masks, k))
    for w in range(masks.shape[1]):
        some = np.uint64(0)
        for k in range(n):
            some |= masks[k, w]
        numbers += ones(some)
    entered, tried, subsets = more + 1.0, 1.0, 1.0
    for depth in range(1, more + 1):
        tried *= largest
        subsets *= (numbers - depth + 1) / depth
        entered += (more - depth + 1) * min(tried, subsets)
    return entered
