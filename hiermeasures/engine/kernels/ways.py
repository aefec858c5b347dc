"""Kernel for the ways between the most specific classes of both sides: up to the lowest common
ancestors, and down.

The readable definition is in hiermeasures.measures.shortest_path. Classes come with their lists of
ancestors.
"""

import numpy as np

from hiermeasures.engine.compiled import kernel, leaf
from hiermeasures.engine.kernel_registry import fills
from hiermeasures.engine.kernels.cheapest_paths import same_cost
from hiermeasures.engine.kernels.pairs import _meeting
from hiermeasures.measures.shortest_path import WAYS

UP, DOWN, HEIGHT, PAIRS, HIGHEST, FARTHEST = range(6)


@kernel
def ways(lo, hi, t_ptr, t_idx, p_ptr, p_idx, list_row, list_ptr, node, cost, height, out):
    """Columns as the constants say. `height` is that of every class; the root has number 0."""
    n = len(list_row)
    mark, cost_there = np.full(n, -1, np.int64), np.empty(n)
    t_above, p_above = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    nearest = np.empty(n)
    root = np.zeros(1, np.int32)
    stamp = 0
    for k in range(lo, hi):
        t_labels, p_labels = t_idx[t_ptr[k] : t_ptr[k + 1]], p_idx[p_ptr[k] : p_ptr[k + 1]]
        if len(t_labels) == 0:
            t_labels = root
        if len(p_labels) == 0:
            p_labels = root
        _mark_above(t_labels, list_row, list_ptr, node, t_above, k)
        _mark_above(p_labels, list_row, list_ptr, node, p_above, k)
        for t in t_labels:
            nearest[t] = np.inf
        row = out[k]
        row[HIGHEST] = height[0]
        for p in p_labels:
            if p_above[p] == k:
                continue
            stamp += 1
            for e in range(list_ptr[list_row[p]], list_ptr[list_row[p] + 1]):
                mark[node[e]] = stamp
                cost_there[node[e]] = cost[e]
            least = np.inf
            for t in t_labels:
                if t_above[t] == k:
                    continue
                start, stop = list_ptr[list_row[t]], list_ptr[list_row[t] + 1]
                distance = _meeting(node, cost, start, stop, mark, stamp, cost_there)
                least = min(least, distance)
                nearest[t] = min(nearest[t], distance)
                _add_way(node, cost, start, stop, mark, stamp, cost_there, distance, height, row)
                if p == t:
                    row[HEIGHT] -= height[t]
            row[FARTHEST] = max(row[FARTHEST], least)
        for t in t_labels:
            if t_above[t] != k:
                row[FARTHEST] = max(row[FARTHEST], nearest[t])


@leaf
def _mark_above(labels, list_row, list_ptr, node, above, k):
    for c in labels:
        for e in range(list_ptr[list_row[c]] + 1, list_ptr[list_row[c] + 1]):
            above[node[e]] = k


@leaf
def _add_way(node, cost, start, stop, mark, stamp, cost_there, distance, height, row):
    """Add the means over the lowest common ancestors, which lie on the cheapest paths."""
    up, down, high, lcas = 0.0, 0.0, 0.0, 0
    for e in range(start, stop):
        a = node[e]
        if mark[a] == stamp and same_cost(cost_there[a] + cost[e], distance):
            up += cost_there[a]
            down += cost[e]
            high += height[a]
            lcas += 1
    row[UP] += up / lcas
    row[DOWN] += down / lcas
    row[HEIGHT] += high / lcas
    row[PAIRS] += 1


@fills(WAYS, quick=[ways], path=("ancestor",))
def _ways(batch, tables):
    height, rows = np.array(batch.hierarchy.heights, np.int32), tables[0].rows
    return lambda lo, hi, stop: ways(lo, hi, *batch.labels, *batch.ancestry_of(lo, hi).lists, height, rows)
