"""Kernels for distances between classes of both sides, and for the cheapest pairings (Problem 1).

hiermeasures.measures.pairs defines the pairings as flows. The four settings have shorter forms, and
tests compare them with the flow. All pairs is a sum. In TIE and GIE each class is in one pair, so
they are assignments. TIE assigns all classes, GIE only those that are cheaper than two default
pairs. In MGIA each class is in at least one pair, which makes it a cheapest edge cover. First every
class takes its cheapest pair, which may be a default pair. From the sum of these costs, MGIA
subtracts the best assignment of the savings from pairs that serve both of their ends.
"""

from typing import Any

import numpy as np

from hiermeasures.evaluation.compiled import inner, kernel, leaf
from hiermeasures.evaluation.kernel_registry import fills
from hiermeasures.evaluation.kernels.arrays import same_cost
from hiermeasures.evaluation.kernels.sets import count_shared
from hiermeasures.measures.pairs import PAIRINGS
from hiermeasures.measures.shortest_path import SHORTEST_PATH, WAYS

TIE, ALL_PAIRS, GIE, MGIA, DISTANCE, UNION, SYMMETRIC = range(7)
COLUMNS = 7


@kernel
def pairs(lo, hi, labels, lists, how, out):
    """Fill the columns that the constants above name. Row 0 is instance `lo`.

    `how` is dmax, the bound of the pairs, and `pairing`. Without `pairing` only DISTANCE is filled.
    """
    t_ptr, t_idx, p_ptr, p_idx = labels
    list_row, list_ptr, node, cost = lists
    dmax, longest, pairing = how
    n = len(list_row)
    most = 1
    for k in range(lo, hi):
        most = max(most, t_ptr[k + 1] - t_ptr[k], p_ptr[k + 1] - p_ptr[k])
    mark, cost_there = np.full(n, -1, np.int64), np.empty(n)
    t_above, p_above = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    distance, saving = np.empty((most, most)), np.empty((most, most))
    root = np.zeros(1, np.int32)
    stamp = 0
    for k in range(lo, hi):
        t_labels, p_labels = t_idx[t_ptr[k] : t_ptr[k + 1]], p_idx[p_ptr[k] : p_ptr[k + 1]]
        m, n_t = len(p_labels), len(t_labels)
        if n_t == 0:
            t_labels = root
        if m == 0:
            p_labels = root
        _mark_above(t_labels, lists, t_above, k)
        _mark_above(p_labels, lists, p_above, k)
        for i in range(len(p_labels)):
            stamp += 1
            r = list_row[p_labels[i]]
            for e in range(list_ptr[r], list_ptr[r + 1]):
                mark[node[e]] = stamp
                cost_there[node[e]] = cost[e]
            for j in range(len(t_labels)):
                distance[i, j] = _meeting(t_labels[j], lists, mark, stamp, cost_there)
        row = out[k - lo]
        row[DISTANCE] = _between_most_specific(distance, p_labels, t_labels, p_above, t_above, k)
        if pairing:
            shared = count_shared(p_labels, 0, m, t_labels, 0, n_t)
            row[UNION] = m + n_t - shared
            row[SYMMETRIC] = m + n_t - 2 * shared
            _forbid(distance, m, n_t, longest)
            row[TIE] = _tie(distance, m, n_t, saving)
            row[ALL_PAIRS] = _all_pairs(distance, m, n_t)
            row[GIE] = _gie(distance, m, n_t, dmax, saving)
            row[MGIA] = _mgia(distance, m, n_t, dmax, saving)


@leaf
def _mark_above(labels, lists, above, k):
    list_row, list_ptr, node, _ = lists
    for c in labels:
        for e in range(list_ptr[list_row[c]] + 1, list_ptr[list_row[c] + 1]):
            above[node[e]] = k


@leaf
def _meeting(label, lists, mark, stamp, cost_there):
    """Return the cost of the cheapest path between the class of the stamp and a label."""
    list_row, list_ptr, node, cost = lists
    best = np.inf
    for e in range(list_ptr[list_row[label]], list_ptr[list_row[label] + 1]):
        c = node[e]
        if mark[c] == stamp:
            best = min(best, cost_there[c] + cost[e])
    return best


@leaf
def _between_most_specific(distance, p_labels, t_labels, p_above, t_above, k):
    total = 0.0
    for i in range(len(p_labels)):
        if p_above[p_labels[i]] == k:
            continue
        for j in range(len(t_labels)):
            if t_above[t_labels[j]] != k:
                total += distance[i, j]
    return total


@leaf
def _forbid(distance, m, n, longest):
    for i in range(m):
        for j in range(n):
            if distance[i, j] > longest and not same_cost(distance[i, j], longest):
                distance[i, j] = np.inf


@leaf
def _all_pairs(distance, m, n):
    if (m == 0) != (n == 0):
        return np.nan
    total = 0.0
    for i in range(m):
        for j in range(n):
            total += distance[i, j]
    return total if total < np.inf else np.nan


@inner
def _tie(distance, m, n, saving):
    """Pair every class exactly once, for equally many classes. A shorter pair saves more."""
    if m != n:
        return np.nan
    top = 1.0
    for i in range(m):
        for j in range(n):
            if distance[i, j] < np.inf:
                top += distance[i, j]
    for i in range(m):
        for j in range(n):
            saving[i, j] = max(top - distance[i, j], 0.0)
    partner = _assignment(saving, m, n)
    total = 0.0
    for i in range(m):
        total += distance[i, partner[i]]
    return total if total < np.inf else np.nan


@inner
def _gie(distance, m, n, dmax, saving):
    for i in range(m):
        for j in range(n):
            saving[i, j] = max(2 * dmax - distance[i, j], 0.0)
    partner = _assignment(saving, m, n)
    total, alone = 0.0, n
    for i in range(m):
        j = partner[i]
        if j >= 0 and saving[i, j] > 0.0:
            total += distance[i, j]
            alone -= 1
        else:
            total += dmax
    return total + alone * dmax


@inner
def _mgia(distance, m, n, dmax, saving):
    p_least, t_least = np.full(m, dmax), np.full(n, dmax)
    for i in range(m):
        for j in range(n):
            p_least[i] = min(p_least[i], distance[i, j])
            t_least[j] = min(t_least[j], distance[i, j])
    for i in range(m):
        for j in range(n):
            saving[i, j] = max(p_least[i] + t_least[j] - distance[i, j], 0.0)
    partner = _assignment(saving, m, n)
    total = p_least.sum() + t_least.sum()
    for i in range(m):
        if partner[i] >= 0:
            total -= saving[i, partner[i]]
    return total


@inner
def _assignment(saving, m, n):
    """Assign a different column to each of m rows so that the sum of the savings is largest.

    Savings are not negative. A row without a column gets −1.
    """
    partner = np.full(m, -1, np.int64)
    if m == 0 or n == 0:
        return partner
    if m == 1:
        partner[0] = saving[0, :n].argmax()
    elif n == 1:
        partner[saving[:m, 0].argmax()] = 0
    elif m > n:
        partner[:] = _owners(saving[:m, :n].T)
    else:
        owner = _owners(saving[:m, :n])
        for j in range(n):
            if owner[j] >= 0:
                partner[owner[j]] = j
    return partner


@inner
def _owners(saving):
    """Assign a column to each row, and return the row of each column.

    There must be at least as many columns as rows. The Hungarian method adds one row at a time, on
    the cheapest path to a free column. Prices keep all reduced costs non-negative (Kuhn 1955,
    Jonker and Volgenant 1987).
    """
    rows, cols = saving.shape
    row_price, col_price = np.zeros(rows + 1), np.zeros(cols + 1)
    owner = np.zeros(cols + 1, np.int64)
    before = np.zeros(cols + 1, np.int64)
    for row in range(1, rows + 1):
        owner[0] = row
        col = 0
        least = np.full(cols + 1, np.inf)
        visited = np.zeros(cols + 1, np.bool_)
        while True:
            visited[col] = True
            current, step, following = owner[col], np.inf, 0
            for j in range(1, cols + 1):
                if visited[j]:
                    continue
                reduced = -saving[current - 1, j - 1] - row_price[current] - col_price[j]
                if reduced < least[j]:
                    least[j] = reduced
                    before[j] = col
                if least[j] < step:
                    step = least[j]
                    following = j
            for j in range(cols + 1):
                if visited[j]:
                    row_price[owner[j]] += step
                    col_price[j] -= step
                else:
                    least[j] -= step
            col = following
            if owner[col] == 0:
                break
        while col:
            owner[col] = owner[before[col]]
            col = before[col]
    return owner[1:] - 1


_ERRORS = {
    PAIRINGS["TIE"]: TIE,
    PAIRINGS["all_pairs"]: ALL_PAIRS,
    PAIRINGS["GIE"]: GIE,
    PAIRINGS["MGIA"]: MGIA,
}
_ONE_PAIR_EACH: Any = dict.fromkeys(("alpha_p", "beta_p", "alpha_t", "beta_t"), (None, 1))


@fills(*_ERRORS, SHORTEST_PATH, calls=[pairs], path=("ancestor",))
@fills(PAIRINGS["own"], calls=[pairs], path=("ancestor",), **_ONE_PAIR_EACH)
def _pairs(batch, tables):
    options = batch.options
    longest = np.inf if options.max_pair_distance is None else options.max_pair_distance
    # Where each class is in exactly one pair, own bounds amount to GIE, or to TIE without default
    # classes.
    errors = {**_ERRORS, PAIRINGS["own"]: GIE if options.default_classes else TIE}
    pairing = any(table.structure in errors for table in tables)

    def fill(lo, hi, stop):
        rows = np.zeros((hi - lo, COLUMNS))
        pairs(
            lo, hi, batch.labels, batch.ancestry_of(lo, hi), (options.dmax, longest, pairing), rows
        )
        for table in tables:
            if table.structure is SHORTEST_PATH:
                table.rows[lo:hi, 0] = rows[:, DISTANCE]
            else:
                table.rows[lo:hi] = rows[:, [errors[table.structure], UNION, SYMMETRIC]]

    return fill


UP, DOWN, HEIGHT, PAIRS, HIGHEST, FARTHEST = range(6)


@kernel
def ways(lo, hi, labels, lists, height, out):
    """Fill the columns that the constants name. `height` has each class's height, root first."""
    t_ptr, t_idx, p_ptr, p_idx = labels
    list_row, list_ptr, node, cost = lists
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
        _mark_above(t_labels, lists, t_above, k)
        _mark_above(p_labels, lists, p_above, k)
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
                distance = _meeting(t, lists, mark, stamp, cost_there)
                least = min(least, distance)
                nearest[t] = min(nearest[t], distance)
                _add_way(t, lists, (mark, stamp, cost_there, distance), height, row)
                if p == t:
                    row[HEIGHT] -= height[t]
            row[FARTHEST] = max(row[FARTHEST], least)
        for t in t_labels:
            if t_above[t] != k:
                row[FARTHEST] = max(row[FARTHEST], nearest[t])


@leaf
def _add_way(label, lists, met, height, row):
    """Add the means over the lowest common ancestors, which are on the cheapest paths."""
    list_row, list_ptr, node, cost = lists
    mark, stamp, cost_there, distance = met
    up, down, high, lcas = 0.0, 0.0, 0.0, 0
    for e in range(list_ptr[list_row[label]], list_ptr[list_row[label] + 1]):
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


@fills(WAYS, calls=[ways], path=("ancestor",))
def _ways(batch, tables):
    height, rows = np.array(batch.hierarchy.heights, np.int32), tables[0].rows
    return lambda lo, hi, stop: ways(lo, hi, batch.labels, batch.ancestry_of(lo, hi), height, rows)
