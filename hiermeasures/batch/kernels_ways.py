"""Kernels for ways up: every ancestor of a class with the cost of the cheapest way there, as lists kept for one instance at a time.

The pair-based measures and the LCA graphs both start from these lists.
"""

import numpy as np

from hiermeasures.batch.compiled import kernel


@kernel
def same_cost(a, b):
    """As hiermeasures.hierarchy.same_cost: equal but for the order in which weights were added."""
    return a == b or abs(a - b) <= max(1e-9 * max(abs(a), abs(b)), 1e-12)


@kernel
def ways_up(start, ptr, idx, weight, unit, mark, stamp, cost, found):
    """Costs of the cheapest ways from a class up, in `cost` where `mark` holds the stamp; the ancestors in `found`, the class first.

    `unit`: all edges have length 1, so that the first way found is a cheapest. Otherwise larger numbers are settled first,
    because a parent's number is smaller than a child's.
    """
    mark[start] = stamp
    cost[start] = 0.0
    found[0] = start
    size, done = 1, 0
    while done < size:
        c = found[done]
        done += 1
        for e in range(ptr[c], ptr[c + 1]):
            above = idx[e]
            if mark[above] != stamp:
                mark[above] = stamp
                cost[above] = cost[c] + 1.0 if unit else np.inf
                found[size] = above
                size += 1
    if not unit:
        order = np.sort(found[:size])
        for k in range(size - 1, -1, -1):
            c = order[k]
            found[size - 1 - k] = c
            for e in range(ptr[c], ptr[c + 1]):
                cost[idx[e]] = min(cost[idx[e]], cost[c] + weight[e])
    return size


@kernel
def grown(nodes, costs, needed):
    """The two buffers, or larger copies where `needed` entries do not fit."""
    if needed <= len(nodes):
        return nodes, costs
    more_nodes, more_costs = np.empty(2 * needed, np.int32), np.empty(2 * needed)
    more_nodes[: len(nodes)] = nodes
    more_costs[: len(costs)] = costs
    return more_nodes, more_costs
