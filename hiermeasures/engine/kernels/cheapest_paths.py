"""Kernels for paths up: every ancestor of a class, with the cost of the cheapest path there.

The classes that occur in a batch get their lists once (engine/kernel_registry.py); set-based
measures, pairs and LCA graphs read them. Lists begin with the class itself, and every ancestor
comes after a child of its on a cheapest path.
"""

import numpy as np

from hiermeasures.engine.compiled import kernel, leaf
from hiermeasures.engine.kernels.arrays import sort


@leaf
def same_cost(a, b):
    """As core.hierarchy.same_cost: equal but for the order in which weights were added."""
    return a == b or abs(a - b) <= max(1e-9 * max(abs(a), abs(b)), 1e-12)


@leaf
def reach(start, ptr, idx, mark, stamp, found, count):
    """Put `start` and all unmarked nodes reachable from it into `found`; how many are in it now."""
    if mark[start] == stamp:
        return count
    mark[start] = stamp
    found[count] = start
    done = count
    count += 1
    while done < count:
        c = found[done]
        done += 1
        for e in range(ptr[c], ptr[c + 1]):
            other = idx[e]
            if mark[other] != stamp:
                mark[other] = stamp
                found[count] = other
                count += 1
    return count


@kernel
def count_ancestors(lo, hi, labels, ptr, idx, sizes):
    """Count the classes at or above each label."""
    mark = np.full(len(ptr) - 1, -1, np.int32)
    found = np.empty(len(ptr) - 1, np.int32)
    for k in range(lo, hi):
        sizes[k] = reach(labels[k], ptr, idx, mark, k, found, 0)


@kernel
def list_ancestors(lo, hi, labels, ptr, idx, weight, unit, ends, nodes, costs):
    """The lists of some labels, list k at `ends[k]:ends[k + 1]`.

    `unit`: every edge costs 1; the lists are in the order of costs. Otherwise classes with larger
    numbers come first, because a parent's number is smaller than a child's.
    """
    mark = np.full(len(ptr) - 1, -1, np.int32)
    found = np.empty(len(ptr) - 1, np.int32)
    cost = np.empty(len(ptr) - 1)
    for k in range(lo, hi):
        if unit:
            _list_by_steps(labels[k], k, ptr, idx, mark, ends[k], nodes, costs)
            continue
        size = reach(labels[k], ptr, idx, mark, k, found, 0)
        sort(found, size)
        for i in range(size):
            cost[found[i]] = np.inf
        cost[labels[k]] = 0.0
        for i in range(size):
            c = found[size - 1 - i]
            nodes[ends[k] + i] = c
            costs[ends[k] + i] = cost[c]
            for e in range(ptr[c], ptr[c + 1]):
                cost[idx[e]] = min(cost[idx[e]], cost[c] + weight[e])


@leaf
def _list_by_steps(start, stamp, ptr, idx, mark, done, nodes, costs):
    """List a class's ancestors from the place `done` on, where every edge costs 1."""
    mark[start] = stamp
    nodes[done] = start
    costs[done] = 0
    end = done + 1
    while done < end:
        c = nodes[done]
        for e in range(ptr[c], ptr[c + 1]):
            if mark[idx[e]] != stamp:
                mark[idx[e]] = stamp
                nodes[end] = idx[e]
                costs[end] = costs[done] + 1
                end += 1
        done += 1
