"""The kernel for LCA graphs: LCA sets, cheapest paths, sizes of minimal and extended graphs.

The readable definition is hiermeasures.measures.lca. If several graphs are possible, lca_search.py
chooses the best. Functions take arrays out of their tuples before a loop, because every access to a
member counts references.
"""

import threading
from collections import namedtuple

import numpy as np

from hiermeasures.evaluation.compiled import inner, kernel, leaf
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.kernel_registry import explain_rows, fills, has_unit_edges
from hiermeasures.evaluation.kernels.arrays import same_cost
from hiermeasures.evaluation.kernels.lca_problem import Paths
from hiermeasures.evaluation.kernels.lca_search import UNSOLVED, Given, single, solve_given
from hiermeasures.measures import lca_solvers
from hiermeasures.measures.lca import LCA

RADIUS = 2

# Scratch over all classes, kept by a thread. Numbers that are read for many classes are close
# together, because most of the time goes into waiting for memory. `climbed` has the last stamp of a
# climb, and `stamp` the last one of everything else.
#
# `least`, `mark` and `parent` are the same memory, with a row of few bytes for each class. Columns
# 0 and 1 of `least` have the least cost from any class of the true and the predicted side to this
# class. Each is valid if its column of `mark` has the stamp of the climb. These two columns of
# `mark` begin at MARK from the right. In the first, the stamp is negative if the class is an LCA,
# and `number` has the number of this LCA. The last two columns of `parent` have the first two
# parents. A missing parent is class n. If there are more than two, the second is n + 1.
#
# The paths of one class are searched at a time. `reached` is its cost to each class. `toward` has a
# bit for each LCA to which a path through this class leads. For n + 1 all bits are set.
Scratch = namedtuple(
    "Scratch", "climbed least mark parent number toward reached stamp place place_mark node_mark"
)
MARK = 6
LAST_STAMP = np.iinfo(np.int16).max
BITS = 16  # of `toward`

# Upward edges of the hierarchy. The parents of class c are `idx[ptr[c]:ptr[c + 1]]`, and `weight`
# has the weights of these edges. If `unit`, every edge costs 1.
Up = namedtuple("Up", "ptr idx weight child_ptr unit")

# Settings: whether the root counts, and whether minimal and extended graphs are needed. `solver`
# has the level of each class, the bound on work, and True for greedy graphs.
Counting = namedtuple("Counting", "count_root minimal extended solver")

# The classes of one instance, true ones first. The climb has reached the ancestors
# `node[start[q]:stop[q]]` of class q, with their costs.
Climb = namedtuple("Climb", "n_true label start stop node cost")


def new_scratch(parent_ptr: np.ndarray, parent_idx: np.ndarray, unit: bool) -> Scratch:
    """Return the scratch for a hierarchy."""
    n, many = len(parent_ptr) - 1, np.diff(parent_ptr)
    size = 16 if unit else 32
    memory = np.zeros((n + 1) * size, np.uint8)
    # aligned, so that no row crosses the border of a cache line
    rows = memory[-memory.ctypes.data % size :][: n * size].reshape(n, size)
    parent = rows.view(np.int32)
    parent[:, -2:] = n
    parent[many > 0, -2] = parent_idx[parent_ptr[:-1][many > 0]]
    parent[many > 1, -1] = parent_idx[parent_ptr[:-1][many > 1] + 1]
    parent[many > 2, -1] = n + 1
    toward = np.zeros(n + 2, np.uint16)
    toward[n + 1] = ~toward[n + 1]
    return Scratch(
        np.zeros(1, np.int64),
        rows.view(np.int16 if unit else np.float64),
        rows.view(np.int16),
        parent,
        np.empty(n, np.int32),
        toward,
        np.empty(n),
        np.zeros(1, np.int64),
        np.empty(n, np.int32),
        np.zeros(n, np.int64),
        np.zeros((2, n), np.int64),
    )


@kernel
def lca(lo, hi, labels, edges, how, scratch, out):
    """Fill true, predicted and shared of the minimal graphs, of the extended graphs, and UNSOLVED.

    `how` is a Counting.
    """
    count_root, minimal, extended, (level, limit, greedy) = how
    solver = (level, limit, greedy, np.empty(len(level), np.int64))
    how = Counting(count_root, minimal, extended, solver)
    _count_rows(lo, hi, labels, edges, how, scratch, out)


@kernel
def lca_decided(lo, hi, labels, edges, how, scratch, out):
    """Fill the columns of `lca` for instances with only one possible graph.

    The others become UNSOLVED. In trees these are few.
    """
    how = Counting(how.count_root, how.minimal, how.extended, None)
    _count_rows(lo, hi, labels, edges, how, scratch, out)


@inner
def _count_rows(lo, hi, labels, edges, how, scratch, out):
    """Count the graphs of each row."""
    t_ptr, t_idx, p_ptr, p_idx = labels
    up, lists = edges
    for k in range(lo, hi):
        label = np.empty(t_ptr[k + 1] - t_ptr[k] + p_ptr[k + 1] - p_ptr[k], np.int32)
        true, predicted = (t_idx, t_ptr[k], t_ptr[k + 1]), (p_idx, p_ptr[k], p_ptr[k + 1])
        n_true = _most_specific(true, up, lists, scratch, label, 0)
        n = _most_specific(predicted, up, lists, scratch, label, n_true)
        if not _count_without_graphs(label, n_true, n, up, how.count_root, out, k - lo):
            given = _given(label[:n], n_true, up, lists, scratch)
            if not _count_graphs(given, how, scratch, out, k - lo):
                _choose(given, how.solver, how.count_root, out, k - lo)


@inner
def _choose(given, solver, count_root, out, row):
    """Solve an instance, or leave it UNSOLVED if there is no solver (it is then not compiled)."""
    if solver is None:
        out[row, 6] = UNSOLVED
    else:
        solve_given(given, solver, count_root, out, row)


@leaf
def _count_without_graphs(label, n_true, n, up, count_root, out, row):
    """Count the graphs of a simple instance. Return False for others.

    Simple means that a side is empty, so the graphs are the classes alone. Or each side has one
    class, and every class on the way up has one parent.
    """
    if n_true == 0 or n_true == n:
        for q in range(n):
            if label[q] != 0 or count_root:
                side = 0 if q < n_true else 1
                out[row, side] += 1
                out[row, 3 + side] += 1
        return True
    if n != 2:
        return False
    ptr, idx = up.ptr, up.idx
    a, b = label[0], label[1]
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
    out[row, 0] = out[row, 3] = up_a + shared
    out[row, 1] = out[row, 4] = up_b + shared
    out[row, 2] = out[row, 5] = shared
    return True


@inner
def _given(label, n_true, up, lists, scratch):
    """Return an instance with its LCAs and the cheapest paths to them."""
    list_row, list_ptr, node, cost = lists
    n, unit = len(label), up.unit
    start, stop, distance = np.empty(n, np.int64), np.empty(n, np.int64), np.full(n, np.inf)
    first, last = np.zeros(n + 1, np.int64), np.empty(n, np.int64)
    for q in range(n):
        r = list_row[label[q]]
        start[q] = stop[q] = list_ptr[r]
        first[q + 1] = first[q] + list_ptr[r + 1] - list_ptr[r]
    owned = np.empty(first[n], np.int32)
    climb = Climb(n_true, label, start, stop, node, cost)
    stamp = _next_climb(scratch)
    before, radius = -1, RADIUS if unit else len(list_row)
    while True:
        complete = _climb(climb, lists, radius, unit, scratch)
        farthest = _distances(climb, before, scratch, distance, owned, first, last)
        if farthest <= radius or complete:
            break
        before, radius = (
            radius,
            radius + 2 if farthest == np.inf else max(radius + 2, int(farthest)),
        )
    if unit:
        for q in range(n):
            while cost[stop[q] - 1] > farthest:
                stop[q] -= 1
    own, lcas = _own_lcas(owned, first, last, scratch, stamp)
    near, at = _nearest(climb, own, scratch, stamp)
    paths, path = _all_paths(climb, own, near, at, lcas, up, scratch)
    return Given(n_true, label, lcas, own, near, path, paths)


@inner
def _count_graphs(given, how, scratch, out, row):
    """Count the requested graphs. Return False if several minimal graphs are possible."""
    if how.extended:
        _count_extended(given, how.count_root, scratch, out, row)
    return not how.minimal or _count_decided(given, how.count_root, scratch, out, row)


@leaf
def _most_specific(side, up, lists, scratch, label, n):
    """Append the labels of a side without a descendant on this side. Return the new length."""
    idx, start, stop = side
    child_ptr = up.child_ptr
    inner = 0
    for i in range(start, stop):
        inner += child_ptr[idx[i] + 1] > child_ptr[idx[i]]
    if inner == 0 or stop - start == 1:
        for i in range(start, stop):
            label[n] = idx[i]
            n += 1
        return n
    list_row, list_ptr, node, _ = lists
    place_mark = scratch.place_mark
    scratch.stamp[0] += 2
    there, above = scratch.stamp[0] - 1, scratch.stamp[0]
    for i in range(start, stop):
        place_mark[idx[i]] = there
    for i in range(start, stop):
        r = list_row[idx[i]]
        for j in range(list_ptr[r] + 1, list_ptr[r + 1]):
            if place_mark[node[j]] == there:
                place_mark[node[j]] = above
    for i in range(start, stop):
        if place_mark[idx[i]] == there:
            label[n] = idx[i]
            n += 1
    return n


# --- climbing -----------------------------------------------------------------------------------


@leaf
def _next_climb(scratch):
    if scratch.climbed[0] == LAST_STAMP:
        scratch.climbed[0] = 0
        mark = scratch.mark
        for c in range(len(mark)):
            mark[c, mark.shape[1] - MARK] = mark[c, mark.shape[1] - MARK + 1] = 0
    scratch.climbed[0] += 1
    return scratch.climbed[0]


@leaf
def _climb(climb, lists, radius, unit, scratch):
    """Climb to ancestors within `radius` and keep the least costs. Return True at the top."""
    n_true, label, _, stop, node, cost = climb
    list_row, list_ptr, _, _ = lists
    least, mark, stamp = scratch.least, scratch.mark, scratch.climbed[0]
    complete = True
    for q in range(len(label)):
        side = 0 if q < n_true else 1
        column = mark.shape[1] - MARK + side
        end = list_ptr[list_row[label[q]] + 1]
        i = stop[q]
        while i < end and (not unit or cost[i] <= radius):
            c = node[i]
            here = cost[i]
            if mark[c, column] == stamp:
                here = min(here, least[c, side])
            least[c, side] = here
            mark[c, column] = stamp
            i += 1
        stop[q] = i
        complete = complete and i == end
    return complete


@leaf
def _distances(climb, before, scratch, distance, owned, first, last):
    """Find the distance of each class from the other side, as far as climbed. Return the largest.

    LCA(n, S) of class q becomes `owned[first[q]:last[q]]`. Classes with a distance of at most
    `before`, the last radius, are finished.
    """
    n_true, label, start, stop, node, cost = climb
    nearest, mark, stamp = scratch.least, scratch.mark, scratch.climbed[0]
    farthest = 0.0
    for q in range(len(label)):
        if distance[q] > before:
            other = 1 if q < n_true else 0
            column = mark.shape[1] - MARK + other
            least, end = np.inf, first[q]
            for i in range(start[q], stop[q]):
                c = node[i]
                if mark[c, column] == stamp:
                    apart = float(cost[i]) + nearest[c, other]
                    if apart < least and not same_cost(apart, least):
                        end = first[q]
                    if apart <= least or same_cost(apart, least):
                        least = min(least, apart)
                        owned[end] = i - start[q]
                        end += 1
            distance[q] = least
            last[q] = first[q]
            for k in range(first[q], end):
                c = node[start[q] + owned[k]]
                if same_cost(float(cost[start[q] + owned[k]]) + nearest[c, other], least):
                    owned[last[q]] = c
                    last[q] += 1
        farthest = max(farthest, distance[q])
    return farthest


# --- graphs -------------------------------------------------------------------------------------


@inner
def _own_lcas(owned, first, last, scratch, stamp):
    """Return LCA(n, S) of every class as rows of flags over all LCAs, and the rising LCAs."""
    number, mark = scratch.number, scratch.mark
    column = mark.shape[1] - MARK
    many = 0
    for q in range(len(last)):
        many += last[q] - first[q]
    distinct = np.empty(many, np.int32)
    n = 0
    for q in range(len(last)):
        for k in range(first[q], last[q]):
            c = owned[k]
            if mark[c, column] == stamp:
                mark[c, column] = -stamp
                place = n
                while place and distinct[place - 1] > c:
                    distinct[place] = distinct[place - 1]
                    place -= 1
                distinct[place] = c
                n += 1
    for k in range(n):
        number[distinct[k]] = k
    own = np.zeros((len(last), n), np.bool_)
    for q in range(len(last)):
        for k in range(first[q], last[q]):
            own[q, number[owned[k]]] = True
    return own, distinct[:n]


@inner
def _nearest(climb, own, scratch, stamp):
    """Return two tables, classes × LCAs.

    The first is true if the class is nearest on its side below an LCA of a class on the other side.
    The second has the place of each LCA in the ancestors of the class.
    """
    n_true, start, stop, node, cost = climb.n_true, climb.start, climb.stop, climb.node, climb.cost
    least, mark, number = scratch.least, scratch.mark, scratch.number
    column = mark.shape[1] - MARK
    near, at = np.zeros(own.shape, np.bool_), np.empty(own.shape, np.int64)
    others = np.zeros((2, own.shape[1]), np.bool_)
    for q in range(len(start)):
        for k in range(own.shape[1]):
            others[1 if q < n_true else 0, k] |= own[q, k]
    for q in range(len(start)):
        side = 0 if q < n_true else 1
        for i in range(start[q], stop[q]):
            c = node[i]
            if mark[c, column] == -stamp:
                k = number[c]
                at[q, k] = i
                near[q, k] = others[side, k] and same_cost(float(cost[i]), float(least[c, side]))
    return near, at


@inner
def _all_paths(climb, own, near, at, lcas, up, scratch):
    """Return the cheapest paths of all connections of the extended graphs, and their numbers."""
    start, node, toward = climb.start, climb.node, scratch.toward
    sought = (own, near, at, lcas)
    path = np.full(own.shape, -1, np.int64)
    n_paths, most = 0, 0
    for q in range(len(start)):
        for k in range(len(lcas)):
            if own[q, k] or near[q, k]:
                n_paths += 1
                most = max(most, at[q, k] - start[q] + 1)
    passed = np.empty(most, np.int64)
    path_ptr, path_node = np.zeros(n_paths + 1, np.int64), np.empty(512, np.int64)
    node_parents, edges = np.zeros(512, np.int64), np.empty(512, np.int64)
    w = 0
    for q in range(len(start)):
        done = 0
        while done < len(lcas):
            begun = done
            done, n, n_edges = _lead(q, begun, sought, climb, up, scratch, passed)
            bit = 0
            for k in range(begun, done):
                if own[q, k] or near[q, k]:
                    filled = path_ptr[w]
                    path_node = _with_room(path_node, filled, filled + n)
                    node_parents = _with_room(node_parents, filled + 1, filled + n + 1)
                    edges = _with_room(edges, node_parents[filled], node_parents[filled] + n_edges)
                    stored = Paths(w, path_ptr, path_node, node_parents, edges)
                    _add_path(bit, stored, climb, (passed, n), up, scratch)
                    path[q, k] = w
                    w += 1
                    bit += 1
            for i in range(n):
                toward[node[passed[i]]] = 0
    many = path_ptr[n_paths]
    paths = Paths(
        n_paths, path_ptr, path_node[:many], node_parents[: many + 1], edges[: node_parents[many]]
    )
    return paths, path


@leaf
def _lead(q, begun, sought, climb, up, scratch, passed):
    """Find the nodes on the cheapest paths of class q to its next LCAs, from number `begun` on.

    Bit b of `toward` means the b-th of these LCAs. One pass goes through the ancestors from the
    last LCA down. It fills `passed` with the places of the ancestors on the paths, from the top.

    Return the number after the last LCA, the number of ancestors on the paths, and the number of
    their edges.
    """
    own, near, at, lcas = sought
    node, cost, start = climb.node, climb.cost, climb.start[q]
    reached, toward, parent = scratch.reached, scratch.toward, scratch.parent
    second = parent.shape[1] - 1
    bits, k, last = 0, begun, start - 1
    while k < len(lcas) and bits < BITS:
        if own[q, k] or near[q, k]:
            toward[lcas[k]] = np.uint16(1 << bits)
            reached[lcas[k]] = cost[at[q, k]]
            last = max(last, at[q, k])
            bits += 1
        k += 1
    n, n_edges = 0, 0
    for i in range(last, start - 1, -1):
        c = node[i]
        # Most classes lead to no LCA. One test finds this without a branch for each parent, because
        # the processor cannot predict a branch while it waits for memory.
        leads = toward[c]
        if leads | toward[parent[c, second - 1]] | toward[parent[c, second]] == 0:
            continue
        many = _parents(parent, up, c)
        for e in range(many):
            above = _parent(parent, up, c, e)
            if toward[above] != 0 and same_cost(cost[i] + _weight(up, c, e), reached[above]):
                leads |= toward[above]
        if leads != 0:
            toward[c] = leads
            reached[c] = cost[i]
            passed[n] = i
            n += 1
            n_edges += many
    return k, n, n_edges


@leaf
def _parents(parent, up, c):
    n, second = len(parent), parent.shape[1] - 1
    if parent[c, second] <= n:
        return (parent[c, second - 1] < n) + (parent[c, second] < n)
    return up.ptr[c + 1] - up.ptr[c]


@leaf
def _parent(parent, up, c, e):
    second = parent.shape[1] - 1
    return parent[c, second - 1 + e] if parent[c, second] <= len(parent) else up.idx[up.ptr[c] + e]


@leaf
def _weight(up, c, e):
    return 1.0 if up.unit else up.weight[up.ptr[c] + e]


@leaf
def _add_path(bit, stored, climb, passed, up, scratch):
    """Store the paths with the next number: their nodes, and the place of each node's parents."""
    w, path_ptr, path_node, node_parents, edges = stored
    node, (places, n) = climb.node, passed
    reached, toward, parent, place = scratch.reached, scratch.toward, scratch.parent, scratch.place
    mine = 1 << bit
    first = path_ptr[w]
    filled = first
    for j in range(n - 1, -1, -1):
        c = node[places[j]]
        if toward[c] & mine != 0:
            place[c] = filled - first
            path_node[filled] = c
            filled += 1
    path_ptr[w + 1] = filled
    n_edges = node_parents[first]
    for j in range(first, filled):
        c = path_node[j]
        for e in range(_parents(parent, up, c)):
            above = _parent(parent, up, c, e)
            if toward[above] & mine != 0 and same_cost(
                reached[c] + _weight(up, c, e), reached[above]
            ):
                edges[n_edges] = place[above]
                n_edges += 1
        node_parents[j + 1] = n_edges


# --- counting -----------------------------------------------------------------------------------


@leaf
def _put_path(paths, w, side, scratch, count_root, out, at):
    """Add a path to a side's graph. Count its new and its shared nodes in `out` at a place."""
    path_ptr, node, node_mark, stamp = paths.ptr, paths.node, scratch.node_mark, scratch.stamp[0]
    row, column = at
    for i in range(path_ptr[w], path_ptr[w + 1]):
        c = node[i]
        if node_mark[side, c] != stamp:
            node_mark[side, c] = stamp
            if c != 0 or count_root:
                out[row, column + side] += 1
                out[row, column + 2] += node_mark[1 - side, c] == stamp


@leaf
def _count_extended(given, count_root, scratch, out, row):
    n_true, path, paths = given.n_true, given.path, given.paths
    scratch.stamp[0] += 1
    for q in range(len(path)):
        for k in range(path.shape[1]):
            if path[q, k] >= 0:
                side = 0 if q < n_true else 1
                _put_path(paths, path[q, k], side, scratch, count_root, out, (row, 3))


@inner
def _count_decided(given, count_root, scratch, out, row):
    """Count the minimal graphs if there is nothing to choose. Return False for other instances.

    Some LCAs are the only one of a class, so they are in every choice. If they serve every class,
    they are the whole choice. Each of their connections must have one path.
    """
    n_true, _, _, own, near, path, paths = given
    path_ptr, parent_ptr = paths.ptr, paths.parent_ptr
    n_classes, n_lcas = own.shape
    is_needed = _mark_needed(own)
    taken = np.zeros(own.shape, np.bool_)
    for q in range(n_classes):
        is_served = False
        for k in range(n_lcas):
            taken[q, k] = own[q, k] and is_needed[k]
            is_served = is_served or taken[q, k]
        if not is_served:
            return False
    for k in range(n_lcas):
        for side in range(2 if is_needed[k] else 0):
            first, last = (n_true, n_classes) if side else (0, n_true)
            owners, nearest = 0, 0
            for q in range(first, last):
                owners += own[q, k]
                nearest += near[q, k]
            if owners == 0 and nearest != 1:
                return False
            for q in range(first, last):
                taken[q, k] = taken[q, k] or (owners == 0 and near[q, k])
                if taken[q, k] and not single(path_ptr, parent_ptr, path[q, k]):
                    return False
    scratch.stamp[0] += 1
    for q in range(n_classes):
        for k in range(n_lcas):
            if taken[q, k]:
                side = 0 if q < n_true else 1
                _put_path(paths, path[q, k], side, scratch, count_root, out, (row, 0))
    return True


@inner
def _mark_needed(own):
    """Mark the LCAs that are the only one of a class."""
    is_needed = np.zeros(own.shape[1], np.bool_)
    for q in range(len(own)):
        last, many = 0, 0
        for k in range(own.shape[1]):
            if own[q, k]:
                last, many = k, many + 1
        if many == 1:
            is_needed[last] = True
    return is_needed


@inner
def _with_room(stored, used, n):
    if n <= len(stored):
        return stored
    larger = np.empty(max(n, 2 * len(stored)), np.int64)
    for i in range(used):
        larger[i] = stored[i]
    return larger


# --- the structure that they fill ---------------------------------------------------------------

# If a batch in a tree has more UNSOLVED instances, the search is compiled for them.
MOST_EXPLAINED = 10_000
_COLUMNS = {"minimal": slice(0, 3), "extended": slice(3, 6)}


@fills(LCA, calls=[lca])
def _lca(batch, tables):
    """Fill tables for any hierarchy.

    When the search exceeds its bound, "auto" takes the greedy graphs. With "exact", `explain`
    computes the instance.
    """
    is_exact = batch.options.solver == "exact"

    def compute(*given):
        lca(*given)
        given[-1][:, 6] *= is_exact

    return _filler(batch, tables, compute)


@fills(LCA, calls=[lca_decided], only_trees=True)
def _lca_in_tree(batch, tables):
    """Fill tables in trees without the search, which is compiled only if many are UNSOLVED."""
    return _filler(batch, tables, lca_decided, otherwise=_lca(batch, tables))


def _filler(batch, tables, compute, otherwise=None):
    """Return a function that fills tables with a kernel, and UNSOLVED instances with `explain`.

    If too many are UNSOLVED, it calls `otherwise` for all of them.
    """
    a, by_graphs = arrays_of(batch.hierarchy), {table.options.graphs: table for table in tables}
    up = Up(a.parent_ptr, a.parent_idx, a.parent_weight, a.child_ptr, has_unit_edges(a))
    solver = batch.options.solver
    limit = lca_solvers.EXACT_WORK if solver == "exact" else lca_solvers.AUTO_WORK
    wanted = ("minimal" in by_graphs, "extended" in by_graphs)
    how = Counting(batch.count_root, *wanted, (a.level, limit, solver == "greedy"))
    own = threading.local()

    def fill(lo, hi, stop):
        if not hasattr(own, "scratch"):
            own.scratch = new_scratch(a.parent_ptr, a.parent_idx, up.unit)
        rows = np.zeros((hi - lo, 7), np.int64)
        compute(lo, hi, batch.labels, (up, batch.ancestry_of(lo, hi)), how, own.scratch, rows)
        unsolved = (lo + np.flatnonzero(rows[:, 6])).tolist()
        if otherwise and len(unsolved) * len(batch) > MOST_EXPLAINED * (hi - lo):
            return otherwise(lo, hi, stop)
        for graphs, table in by_graphs.items():
            table.rows[lo:hi] = rows[:, _COLUMNS[graphs]]
        return explain_rows(batch, [by_graphs["minimal"]], unsolved, stop) if unsolved else {}

    return fill
