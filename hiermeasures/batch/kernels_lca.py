"""Kernels for LCA graphs: from labels to LCA sets, cheapest ways, and the extended and minimal graphs' sizes.

The readable definition is hiermeasures.measures.lca; what is chosen where there is a choice is decided in kernels_lca_solver.
"""

from collections import namedtuple

import numpy as np

from hiermeasures.batch.compiled import kernel
from hiermeasures.batch.kernels_bits import put, words
from hiermeasures.batch.kernels_lca_solver import EXHAUSTED, Problem, solve
from hiermeasures.batch.kernels_ways import grown, same_cost

UNSOLVED = 1  # in the last column: no kernel can tell
RADIUS = 2

# Scratch over all classes: marks and costs that are valid where they hold the current stamp.
Scratch = namedtuple("Scratch", "mark cost found near near_mark place place_mark lca lca_mark node_mark")  # noqa: PYI024

# The classes of one instance, true ones first, and the ancestors of each: `node[ptr[q]:ptr[q + 1]]`, with costs, the class first, every
# other after one of its children on a cheapest way.
Climb = namedtuple("Climb", "n_true label ptr node cost")  # noqa: PYI024

# The cheapest ways of some connections: see kernels_lca_solver.Problem.
Ways = namedtuple("Ways", "n ptr node parent_ptr parent")  # noqa: PYI024


@kernel
def lca(lo, hi, t_ptr, t_idx, p_ptr, p_idx, ptr, idx, weight, unit, count_root, minimal, extended, limit, greedy, out):
    """Columns: true, predicted, shared of the minimal graphs, the same of the extended ones, and whether the first are UNSOLVED."""
    n = len(ptr) - 1
    scratch = Scratch(
        np.full(n, -1, np.int64), np.empty(n), np.empty(n, np.int32), np.empty((2, n)), np.full((2, n), -1, np.int64),
        np.empty(n, np.int32), np.full(n, -1, np.int64), np.empty(n, np.int32), np.full(n, -1, np.int64), np.full((2, n), -1, np.int64),
    )  # fmt: skip
    nodes, costs = np.empty(1024, np.int32), np.empty(1024)
    stamp = 0
    for k in range(lo, hi):
        row = out[k - lo]
        labels, n_true, stamp = _most_specific(t_idx, t_ptr[k], t_ptr[k + 1], p_idx, p_ptr[k], p_ptr[k + 1], ptr, idx, scratch, stamp)
        if n_true == 0 or n_true == len(labels):
            _classes_alone(labels, n_true, count_root, row)
            continue
        if len(labels) == 2 and _one_way_each(labels, ptr, idx, count_root, row):
            continue
        ends = np.zeros(len(labels) + 1, np.int64)
        distance = np.empty(len(labels))
        radius = np.int64(RADIUS) if unit else np.int64(n)
        while True:
            nodes, costs, reached, stamp = _climbed(labels, n_true, ptr, idx, weight, unit, radius, scratch, stamp, ends, nodes, costs)
            climb = Climb(n_true, labels, ends, nodes, costs)
            if _distances(climb, scratch, stamp, distance) <= radius or reached < radius:
                break
            radius += 2
        stamp = _graphs(climb, distance, ptr, idx, weight, count_root, minimal, extended, limit, greedy, scratch, stamp, row)


@kernel
def _classes_alone(labels, n_true, count_root, row):
    """With an empty side the graphs are the classes alone."""
    for q in range(len(labels)):
        side = 0 if q < n_true else 1
        counts = labels[q] != 0 or count_root
        row[side] += counts
        row[3 + side] += counts


@kernel
def _one_way_each(labels, ptr, idx, count_root, row):
    """One class on either side, and no choice of parents up to where they meet: counted on the spot. False where there is one."""
    a, b = labels[0], labels[1]
    up_a, up_b = 0, 0
    while a != b:
        if a > b:
            if ptr[a + 1] - ptr[a] != 1:
                return False
            a = idx[ptr[a]]
            up_a += 1
        else:
            if ptr[b + 1] - ptr[b] != 1:
                return False
            b = idx[ptr[b]]
            up_b += 1
    shared = 1 if a != 0 or count_root else 0
    row[0] = row[3] = up_a + shared
    row[1] = row[4] = up_b + shared
    row[2] = row[5] = shared
    return True


@kernel
def _most_specific(t_idx, t_start, t_stop, p_idx, p_start, p_stop, ptr, idx, scratch, stamp):
    """The classes without those that have a descendant on their own side, true ones first, and how many of them are true."""
    labels = np.empty(t_stop - t_start + p_stop - p_start, np.int32)
    n, stamp = _kept(t_idx, t_start, t_stop, ptr, idx, scratch, stamp, labels, 0)
    n_true = n
    n, stamp = _kept(p_idx, p_start, p_stop, ptr, idx, scratch, stamp, labels, n)
    return labels[:n], n_true, stamp


@kernel
def _kept(rows, start, stop, ptr, idx, scratch, stamp, labels, n):
    """Numbers rise, so a class can only be above a later one, and what is above a class has a smaller number."""
    stamp += 1
    lowest = rows[start] if stop > start else 0
    for i in range(stop - 1, start - 1, -1):
        if scratch.mark[rows[i]] == stamp or i == start:
            continue
        scratch.found[0] = rows[i]
        size, done = 1, 0
        while done < size:
            c = scratch.found[done]
            done += 1
            for e in range(ptr[c], ptr[c + 1]):
                above = idx[e]
                if above >= lowest and scratch.mark[above] != stamp:
                    scratch.mark[above] = stamp
                    scratch.found[size] = above
                    size += 1
    for i in range(start, stop):
        if scratch.mark[rows[i]] != stamp:
            labels[n] = rows[i]
            n += 1
    return n, stamp


# --- climbing -------------------------------------------------------------------------------------------------------------


@kernel
def _climbed(labels, n_true, ptr, idx, weight, unit, radius, scratch, stamp, ends, nodes, costs):
    """The ancestors of every class no farther than `radius`, and the least cost of any class of a side to each."""
    stamp += len(labels) + 1
    whole = stamp
    farthest = 0
    for q in range(len(labels)):
        mine = whole - q - 1
        scratch.mark[labels[q]] = mine
        scratch.cost[labels[q]] = 0.0
        scratch.found[0] = labels[q]
        size, done = 1, 0
        while done < size:
            c = scratch.found[done]
            done += 1
            if unit and scratch.cost[c] >= radius:
                break
            for e in range(ptr[c], ptr[c + 1]):
                above = idx[e]
                if scratch.mark[above] != mine:
                    scratch.mark[above] = mine
                    scratch.cost[above] = scratch.cost[c] + 1.0 if unit else np.inf
                    scratch.found[size] = above
                    size += 1
        if not unit:
            _settle(size, ptr, idx, weight, scratch)
        nodes, costs = grown(nodes, costs, ends[q] + size)
        side = 0 if q < n_true else 1
        for j in range(size):
            c = scratch.found[j]
            cost = scratch.cost[c]
            nodes[ends[q] + j] = c
            costs[ends[q] + j] = cost
            if scratch.near_mark[side, c] != whole:
                scratch.near_mark[side, c] = whole
                scratch.near[side, c] = cost
            else:
                scratch.near[side, c] = min(scratch.near[side, c], cost)
        ends[q + 1] = ends[q] + size
        if unit:
            farthest = max(farthest, np.int64(costs[ends[q + 1] - 1]))
    return nodes, costs, farthest, stamp


@kernel
def _settle(size, ptr, idx, weight, scratch):
    """Costs of the cheapest ways to the classes found: larger numbers first, because a parent's number is smaller."""
    order = np.sort(scratch.found[:size])
    for k in range(size - 1, -1, -1):
        c = order[k]
        scratch.found[size - 1 - k] = c
        for e in range(ptr[c], ptr[c + 1]):
            scratch.cost[idx[e]] = min(scratch.cost[idx[e]], scratch.cost[c] + weight[e])


@kernel
def _distances(climb, scratch, stamp, distance):
    """How far each class is from the other side, as far as the climb has come, and the farthest of these."""
    farthest = 0.0
    for q in range(len(climb.label)):
        other = 1 if q < climb.n_true else 0
        least = np.inf
        for i in range(climb.ptr[q], climb.ptr[q + 1]):
            c = climb.node[i]
            if scratch.near_mark[other, c] == stamp:
                least = min(least, climb.cost[i] + scratch.near[other, c])
        distance[q] = least
        farthest = max(farthest, least)
    return farthest


# --- graphs ---------------------------------------------------------------------------------------------------------------


@kernel
def _graphs(climb, distance, ptr, idx, weight, count_root, minimal, extended, limit, greedy, scratch, stamp, row):
    near_stamp = stamp
    own, lcas = _own_lcas(climb, distance, scratch, stamp)
    near = _nearest(climb, own, lcas, scratch, near_stamp)
    ways, way, stamp = _all_ways(climb, own, near, lcas, ptr, idx, weight, scratch, stamp)
    if extended:
        stamp = _count_extended(climb, own, near, way, ways, count_root, scratch, stamp, row)
    if minimal:
        decided, stamp = _count_decided(climb, own, near, way, ways, count_root, scratch, stamp, row)
        if not decided:
            stamp = _solve(climb, own, near, way, ways, count_root, limit, greedy, scratch, stamp, row)
    return stamp


@kernel
def _own_lcas(climb, distance, scratch, stamp):
    """LCA(n, S) of every class: a row of flags over the LCAs of all classes, and these, rising."""
    n_classes = len(climb.label)
    lcas = np.empty(8, np.int32)
    n = 0
    for q in range(n_classes):
        other = 1 if q < climb.n_true else 0
        for i in range(climb.ptr[q], climb.ptr[q + 1]):
            c = climb.node[i]
            if (scratch.near_mark[other, c] == stamp and scratch.lca_mark[c] != stamp
                    and same_cost(climb.cost[i] + scratch.near[other, c], distance[q])):  # fmt: skip
                scratch.lca_mark[c] = stamp
                if n == len(lcas):
                    longer = np.empty(2 * n, np.int32)
                    longer[:n] = lcas
                    lcas = longer
                lcas[n] = c
                n += 1
    lcas = np.sort(lcas[:n])
    for k in range(n):
        scratch.lca[lcas[k]] = k
    own = np.zeros((n_classes, n), np.bool_)
    for q in range(n_classes):
        other = 1 if q < climb.n_true else 0
        for i in range(climb.ptr[q], climb.ptr[q + 1]):
            c = climb.node[i]
            if (scratch.lca_mark[c] == stamp and scratch.near_mark[other, c] == stamp
                    and same_cost(climb.cost[i] + scratch.near[other, c], distance[q])):  # fmt: skip
                own[q, scratch.lca[c]] = True
    return own, lcas


@kernel
def _nearest(climb, own, lcas, scratch, stamp):
    """Whether each class is nearest, on its side, below each LCA of the other side."""
    near = np.zeros(own.shape, np.bool_)
    others = np.zeros((2, len(lcas)), np.bool_)
    for q in range(len(climb.label)):
        for k in range(len(lcas)):
            others[1 if q < climb.n_true else 0, k] |= own[q, k]
    for q in range(len(climb.label)):
        side = 0 if q < climb.n_true else 1
        for i in range(climb.ptr[q], climb.ptr[q + 1]):
            c = climb.node[i]
            if scratch.lca_mark[c] == stamp and others[side, scratch.lca[c]]:
                near[q, scratch.lca[c]] = same_cost(climb.cost[i], scratch.near[side, c])
    return near


@kernel
def _all_ways(climb, own, near, lcas, ptr, idx, weight, scratch, stamp):
    """The cheapest ways of every connection of the extended graphs, and their numbers by class and LCA (-1: none)."""
    way = np.full(own.shape, -1, np.int64)
    ways = Ways(0, np.zeros(own.size + 1, np.int64), np.empty(64, np.int32), np.zeros(65, np.int64), np.empty(64, np.int32))
    for q in range(len(climb.label)):
        first = climb.ptr[q]
        needed = 0
        for k in range(len(lcas)):
            if own[q, k] or near[q, k]:
                needed += 1
        if not needed:
            continue
        stamp += 1
        for i in range(first, climb.ptr[q + 1]):
            scratch.place[climb.node[i]] = i - first
            scratch.place_mark[climb.node[i]] = stamp
        last = 0
        for k in range(len(lcas)):
            if own[q, k] or near[q, k]:
                last = max(last, scratch.place[lcas[k]])
        parent_ptr, parent = _tight(climb, first, last, ptr, idx, weight, scratch, stamp)
        for k in range(len(lcas)):
            if own[q, k] or near[q, k]:
                way[q, k] = ways.n
                ways = _add_ways(ways, climb, first, scratch.place[lcas[k]], parent_ptr, parent)
    return ways, way, stamp


@kernel
def _tight(climb, first, last, ptr, idx, weight, scratch, stamp):
    """The edges of a class's cheapest ways, from its first ancestors up to the place `last`, as rows of places."""
    parent_ptr = np.zeros(last + 1, np.int64)
    parent = np.empty(2 * last + 4, np.int32)
    n = 0
    for j in range(last):
        c = climb.node[first + j]
        for e in range(ptr[c], ptr[c + 1]):
            above = idx[e]
            if scratch.place_mark[above] == stamp:
                place = scratch.place[above]
                if same_cost(climb.cost[first + j] + weight[e], climb.cost[first + place]):
                    if n == len(parent):
                        longer = np.empty(2 * n, np.int32)
                        longer[:n] = parent
                        parent = longer
                    parent[n] = place
                    n += 1
        parent_ptr[j + 1] = n
    return parent_ptr, parent


@kernel
def _add_ways(ways, climb, first, end, parent_ptr, parent):
    """The ways with those from the class at place 0 to its ancestor at place `end` appended: the nodes from which it is reached."""
    renumbered = np.full(end + 1, -1, np.int32)
    renumbered[end] = 0
    n_nodes, n_edges = 1, 0
    for j in range(end - 1, -1, -1):
        for e in range(parent_ptr[j], parent_ptr[j + 1]):
            if parent[e] <= end and renumbered[parent[e]] >= 0:
                n_edges += 1
                renumbered[j] = 0
        n_nodes += renumbered[j] == 0
    start = ways.ptr[ways.n]
    n_before = ways.parent_ptr[start]
    node, node_parents, edges = ways.node, ways.parent_ptr, ways.parent
    if start + n_nodes > len(node):
        node = np.empty(2 * (start + n_nodes), np.int32)
        node[:start] = ways.node[:start]
        node_parents = np.zeros(2 * (start + n_nodes) + 1, np.int64)
        node_parents[: start + 1] = ways.parent_ptr[: start + 1]
    if n_before + n_edges > len(edges):
        edges = np.empty(2 * (n_before + n_edges), np.int32)
        edges[:n_before] = ways.parent[:n_before]
    place = 0
    for j in range(end + 1):
        if renumbered[j] >= 0:
            renumbered[j] = place
            node[start + place] = climb.node[first + j]
            place += 1
    n = n_before
    place = start
    for j in range(end + 1):
        if renumbered[j] < 0:
            continue
        if j < end:
            for e in range(parent_ptr[j], parent_ptr[j + 1]):
                if parent[e] <= end and renumbered[parent[e]] >= 0:
                    edges[n] = renumbered[parent[e]]
                    n += 1
        place += 1
        node_parents[place] = n
    ways.ptr[ways.n + 1] = start + n_nodes
    return Ways(ways.n + 1, ways.ptr, node, node_parents, edges)


# --- counting -------------------------------------------------------------------------------------------------------------


@kernel
def _put_way(ways, w, side, scratch, stamp, count_root, row, column):
    """Add a way to a side's graph; `row` counts the nodes of both graphs, and those shared, from `column` on."""
    for i in range(ways.ptr[w], ways.ptr[w + 1]):
        c = ways.node[i]
        if scratch.node_mark[side, c] != stamp:
            scratch.node_mark[side, c] = stamp
            if c != 0 or count_root:
                row[column + side] += 1
                row[column + 2] += scratch.node_mark[1 - side, c] == stamp


@kernel
def _count_extended(climb, own, near, way, ways, count_root, scratch, stamp, row):
    """The extended graphs: every class with its own LCAs, and with those where it is another's best match (Definition 5)."""
    stamp += 1
    for q in range(len(climb.label)):
        for k in range(own.shape[1]):
            if way[q, k] >= 0:
                _put_way(ways, way[q, k], 0 if q < climb.n_true else 1, scratch, stamp, count_root, row, 3)
    return stamp


@kernel
def _single(ways, w):
    """Whether there is one way only: then every node but the end has one parent."""
    return ways.parent_ptr[ways.ptr[w + 1]] - ways.parent_ptr[ways.ptr[w]] == ways.ptr[w + 1] - ways.ptr[w] - 1


@kernel
def _count_decided(climb, own, near, way, ways, count_root, scratch, stamp, row):
    """The minimal graphs where there is nothing to choose: one LCA for every class, one way for every connection."""
    n_classes, n_lcas = own.shape
    for q in range(n_classes):
        if own[q].sum() != 1:
            return False, stamp
    connections = np.empty((n_classes * n_lcas + 2 * n_lcas, 2), np.int64)
    n = 0
    for k in range(n_lcas):
        for side in range(2):
            start, stop = (climb.n_true, n_classes) if side else (0, climb.n_true)
            owned = own[start:stop, k].any()
            if not owned and near[start:stop, k].sum() != 1:
                return False, stamp
            for q in range(start, stop):
                if own[q, k] or (not owned and near[q, k]):
                    if not _single(ways, way[q, k]):
                        return False, stamp
                    connections[n, 0], connections[n, 1] = way[q, k], side
                    n += 1
    stamp += 1
    for c in range(n):
        _put_way(ways, connections[c, 0], connections[c, 1], scratch, stamp, count_root, row, 0)
    return True, stamp


@kernel
def _solve(climb, own, near, way, ways, count_root, limit, greedy, scratch, stamp, row):
    """The minimal graphs by search."""
    stamp += 1
    order, n = np.empty(ways.ptr[ways.n] + len(climb.label), np.int32), 0
    for i in range(ways.ptr[ways.n]):
        c = ways.node[i]
        if scratch.place_mark[c] != stamp:
            scratch.place_mark[c] = stamp
            order[n] = c
            n += 1
    order = np.sort(order[:n])
    for k in range(n):
        scratch.place[order[k]] = k
    problem = _problem(climb, own, near, way, ways, order, count_root, scratch)
    graphs = np.zeros((2, words(n)), np.uint64)
    if solve(problem, limit, greedy, graphs) == EXHAUSTED:
        row[6] = UNSOLVED
    for k in range(n):
        if order[k] != 0 or count_root:
            true = (graphs[0, k >> 6] >> np.uint64(k & 63)) & np.uint64(1)
            predicted = (graphs[1, k >> 6] >> np.uint64(k & 63)) & np.uint64(1)
            row[0] += np.int64(true)
            row[1] += np.int64(predicted)
            row[2] += np.int64(true & predicted)
    return stamp


@kernel
def _problem(climb, own, near, way, ways, order, count_root, scratch):
    """The instance in the solver's numbers: ranks among its own nodes and LCAs."""
    n_classes, n_lcas = own.shape
    n_words = words(len(order))
    ranks = np.empty(n_classes, np.int64)
    own_masks = np.zeros((n_classes, words(n_lcas)), np.uint64)
    for q in range(n_classes):
        ranks[q] = scratch.place[climb.label[q]]
        for k in range(n_lcas):
            if own[q, k]:
                put(own_masks[q], k)
    node = np.empty(ways.ptr[ways.n], np.int32)
    nodes, forced = np.zeros((ways.n, n_words), np.uint64), np.zeros((ways.n, n_words), np.uint64)
    single = np.zeros(ways.n, np.bool_)
    for w in range(ways.n):
        single[w] = _single(ways, w)
        beyond = ways.ptr[w]
        for i in range(ways.ptr[w], ways.ptr[w + 1]):
            node[i] = scratch.place[ways.node[i]]
            put(nodes[w], node[i])
            # In this order no way passes by a node unless an edge from before it ends after it.
            if i >= beyond:
                put(forced[w], node[i])
            for e in range(ways.parent_ptr[i], ways.parent_ptr[i + 1]):
                beyond = max(beyond, ways.ptr[w] + ways.parent[e])
    counted = np.zeros(n_words, np.uint64)
    for k in range(len(order)):
        if order[k] != 0 or count_root:
            put(counted, k)
    return Problem(climb.n_true, ranks, own_masks, near, way, ways.ptr, node, ways.parent_ptr, ways.parent, nodes, forced, single,
                   counted)  # fmt: skip


