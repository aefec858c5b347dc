"""The kernel for the hierarchical confusion matrix: greedy cover, matching of paths, four cells.

The readable definition, with its rules for ties, is hiermeasures.measures.confusion. Here a path is
a range of an array of class numbers.
"""

from collections import namedtuple

import numpy as np

from hiermeasures.evaluation.compiled import inner, kernel, leaf
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.kernel_registry import fills
from hiermeasures.evaluation.kernels.arrays import reach, sort
from hiermeasures.evaluation.kernels.refinement import new_weights, weigh
from hiermeasures.measures.confusion import CONFUSION, kind_of

# Scratch over all classes, kept for all instances. Values are valid if the mark of the class is the
# current stamp. `stamp` has the last stamp. `held`, `length`, `on`, `near`, `total` and `before`
# describe the best path to a class. `on_path` and `above` mark classes that are good to share.
Scratch = namedtuple(
    "Scratch", "stamp mark wanted held length on near total before choice found on_path above"
)

# The paths of a side, one after another in `path`. Path k is `path[ends[k]:ends[k + 1]]`.
Paths = namedtuple("Paths", "path ends used")


@kernel
def confusion(lo, hi, labels, edges, depth, kind, deep, out):
    """Fill TP, TN, FP and FN.

    `kind` is kind_of of every class, which decides ties. With `deep`, all descendants count as
    negatives, otherwise only children.
    """
    t_ptr, t_idx, p_ptr, p_idx = labels
    n, tree = len(edges[0]) - 1, edges[4]
    most = 1
    for k in range(lo, hi):
        most = max(most, t_ptr[k + 1] - t_ptr[k], p_ptr[k + 1] - p_ptr[k])
    true, predicted = _new_paths(most, depth), _new_paths(most, depth)
    scratch, weights = _new_scratch(n), new_weights(kind, tree)
    nearest, shared = np.zeros(most, np.int64), np.empty(most, np.int64)
    marks = np.full(n, -1, np.int64), np.full(n, -1, np.int64), np.full(n, -1, np.int64)
    for k in range(lo, hi):
        weights.known[0] = False
        sides = (t_idx, t_ptr[k], t_ptr[k + 1], p_idx, p_ptr[k], p_ptr[k + 1])
        n_t = _greedy_cover(sides, False, edges, scratch, weights, true, predicted, 0)
        n_p = _greedy_cover(sides, True, edges, scratch, weights, predicted, true, n_t)
        _nearest(true, n_t, predicted, n_p, nearest)
        for _ in range(min(n_p, n_t)):
            if n_p == 1 and n_t == 1:
                j, i = 0, 0
                predicted.used[j] = True
            else:
                for other in range(n_p):
                    shared[other] = -1 if predicted.used[other] else nearest[other]
                j = _chosen(sides, predicted, n_p, true, n_t, shared, 1, 1, edges, weights)
                predicted.used[j] = True
                for other in range(n_t):
                    shared[other] = -1 if true.used[other] else _shared(predicted, j, true, other)
                i = _chosen(sides, true, n_t, predicted, n_p, shared, -1, 0, edges, weights)
            true.used[i] = True
            scratch.stamp[0] += 1
            _cells(predicted, j, true, i, edges, deep, marks, scratch, out[k])
        for j in range(n_p):
            if not predicted.used[j]:
                out[k, 2] += predicted.ends[j + 1] - predicted.ends[j] - 1
        for i in range(n_t):
            if not true.used[i]:
                out[k, 3] += true.ends[i + 1] - true.ends[i] - 1


@inner
def _new_paths(most, depth):
    return Paths(
        np.empty(most * (depth + 1), np.int32),
        np.zeros(most + 1, np.int64),
        np.zeros(most, np.bool_),
    )


@inner
def _new_scratch(n):
    return Scratch(
        np.zeros(1, np.int64),
        np.full(n, -1, np.int64),
        np.full(n, -1, np.int64),
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
        np.zeros(n, np.int32),
        np.zeros(n, np.int64),
        np.zeros(n, np.int32),
        np.zeros(n, np.bool_),
        np.empty(n, np.int32),
        np.full(n, -1, np.int64),
        np.full(n, -1, np.int64),
    )


# --- paths from labels --------------------------------------------------------------------------


@inner
def _greedy_cover(sides, of_predicted, edges, scratch, weights, paths, others, n_others):
    """Fill the paths of a side as measures.confusion.greedy_cover does. Return their number.

    `others` are the paths of the other side so far. A tree does not have ties.
    """
    wanted, stamp = scratch.wanted, scratch.stamp
    parent_ptr, parent_idx, by_structure = edges[0], edges[1], not edges[4]
    if of_predicted:
        labels, start, stop = sides[3], sides[4], sides[5]
    else:
        labels, start, stop = sides[0], sides[1], sides[2]
    stamp[0] += 1
    cover = stamp[0]
    left = 0
    for i in range(start, stop):
        if labels[i]:
            wanted[labels[i]] = cover
            left += 1
    paths.ends[0] = 0
    paths.used[:] = False
    if not left:
        paths.path[0] = 0
        paths.ends[1] = 1
        return 1
    if by_structure:
        _mark_agreement(
            sides, of_predicted, parent_ptr, parent_idx, scratch, others, n_others, cover
        )
    n_paths = 0
    while left:
        known = by_structure and weights.known[0]
        best, tied = _richest(
            labels,
            start,
            stop,
            parent_ptr,
            parent_idx,
            scratch,
            cover,
            by_structure,
            known,
            weights.weight,
        )
        end = paths.ends[n_paths] + scratch.length[best]
        paths.ends[n_paths + 1] = end
        if not (
            by_structure and _same_path(scratch, cover, best, paths, n_paths, others, n_others)
        ):
            if tied and by_structure and not known:
                weigh(sides, edges, weights)
                best, tied = _richest(
                    labels,
                    start,
                    stop,
                    parent_ptr,
                    parent_idx,
                    scratch,
                    cover,
                    by_structure,
                    True,
                    weights.weight,
                )
            c = best
            for place in range(end - 1, paths.ends[n_paths] - 1, -1):
                paths.path[place] = c
                c = scratch.before[c]
        for place in range(paths.ends[n_paths], end):
            c = paths.path[place]
            if wanted[c] == cover:
                wanted[c] = -1
                left -= 1
        n_paths += 1
    return n_paths


@inner
def _mark_agreement(sides, of_predicted, parent_ptr, parent_idx, scratch, others, n_others, cover):
    """Mark the classes on the other side's paths and above its labels, as paths.Agreement does."""
    if of_predicted:
        labels, start, stop = sides[0], sides[1], sides[2]
    else:
        labels, start, stop = sides[3], sides[4], sides[5]
    size = 0
    for i in range(start, stop):
        size = reach(labels[i], parent_ptr, parent_idx, scratch.above, cover, scratch.found, size)
    for i in range(others.ends[n_others] if n_others else 0):
        scratch.on_path[others.path[i]] = cover


@leaf
def _same_path(scratch, cover, best, paths, n_paths, others, n_others):
    """Copy the first beginning of a path on the other side that is as good as the best path.

    Return False if the other side does not have one. The model is Agreement.same_path.
    """
    wanted, start, length = scratch.wanted, paths.ends[n_paths], scratch.length[best]
    for j in range(n_others):
        first = others.ends[j]
        if others.ends[j + 1] - first < length or wanted[others.path[first + length - 1]] != cover:
            continue
        held = 0
        for i in range(first, first + length):
            held += wanted[others.path[i]] == cover
        if held == scratch.held[best]:
            for i in range(length):
                paths.path[start + i] = others.path[first + i]
            return True
    return False


@inner
def _richest(
    labels, start, stop, parent_ptr, parent_idx, scratch, cover, by_structure, weighted, weight
):
    """Return the open label with the best path, and True if another path is as good.

    `before` then has the path.
    """
    mark, wanted, found, held, length = (
        scratch.mark,
        scratch.wanted,
        scratch.found,
        scratch.held,
        scratch.length,
    )
    on, near, total, before = scratch.on, scratch.near, scratch.total, scratch.before
    scratch.stamp[0] += 1
    stamp = scratch.stamp[0]
    size = 0
    for i in range(start, stop):
        if wanted[labels[i]] == cover:
            size = reach(labels[i], parent_ptr, parent_idx, mark, stamp, found, size)
    sort(found, size)
    for i in range(size):
        c = found[i]
        held[c], length[c], on[c], near[c], total[c], before[c] = 0, 0, 0, 0, 0, -1
        best = -1
        choice = False
        for e in range(parent_ptr[c], parent_ptr[c + 1]):
            p = parent_idx[e]
            order = 1 if best < 0 else _compared(scratch, p, best)
            if order > 0:
                best = p
                choice = False
            elif order == 0:
                choice = True
        scratch.choice[c] = choice or (best >= 0 and scratch.choice[best])
        if best >= 0:
            held[c], length[c], on[c], near[c], total[c] = (
                held[best],
                length[best],
                on[best],
                near[best],
                total[best],
            )
            before[c] = best
        held[c] += wanted[c] == cover
        length[c] += 1
        if by_structure:
            on[c] += scratch.on_path[c] == cover
            near[c] += scratch.above[c] == cover
            if weighted:
                total[c] += weight[c]
    best = -1
    choice = False
    for i in range(start, stop):
        c = labels[i]
        if wanted[c] == cover:
            order = 1 if best < 0 else _compared(scratch, c, best)
            if order > 0:
                best = c
                choice = False
            elif order == 0:
                choice = True
    return best, choice or scratch.choice[best]


@leaf
def _compared(scratch, a, b):
    """Return a number above 0 if the path to a is better than the one to b, 0 if they are equal."""
    if scratch.held[a] != scratch.held[b]:
        return scratch.held[a] - scratch.held[b]
    if scratch.length[a] != scratch.length[b]:
        return scratch.length[b] - scratch.length[a]
    if scratch.on[a] != scratch.on[b]:
        return scratch.on[a] - scratch.on[b]
    if scratch.near[a] != scratch.near[b]:
        return scratch.near[a] - scratch.near[b]
    return (
        1
        if scratch.total[a] > scratch.total[b]
        else (-1 if scratch.total[a] < scratch.total[b] else 0)
    )


# --- which path with which ----------------------------------------------------------------------


@leaf
def _shared(paths, j, others, i):
    return _prefix(
        paths.path,
        paths.ends[j],
        paths.ends[j + 1],
        others.path,
        others.ends[i],
        others.ends[i + 1],
    )


@leaf
def _nearest(true, n_t, predicted, n_p, nearest):
    """Find the largest number of classes that each predicted path shares with a true path."""
    for j in range(n_p):
        nearest[j] = 0
        for i in range(n_t):
            nearest[j] = max(nearest[j], _shared(predicted, j, true, i))


@leaf
def _left(paths, n):
    many = 0
    for k in range(n):
        many += not paths.used[k]
    return many


@leaf
def _alike(paths, j, k, others, n):
    """Return True if two paths share equally many classes with each unused path of the other side.

    In a tree, two paths of equal length then give equal counts in either order. This is true if no
    other path of their side is left, or no path is left to compare with.
    """
    for i in range(n):
        if not others.used[i] and _shared(paths, j, others, i) != _shared(paths, k, others, i):
            return False
    return True


@leaf
def _heaviness(paths, k, weight):
    total = 0
    for i in range(paths.ends[k], paths.ends[k + 1]):
        total += weight[paths.path[i]]
    return total


@inner
def _chosen(sides, paths, n, others, n_others, shared, sign, enough, edges, weights):
    """Return the best of n paths by structure, as _Ties.next_path and nearest_class do.

    The first criterion is the largest `shared` (-1 for a used path). The second is the
    largest overlap with an unused path of the other side. A larger one wins if `sign` is 1, a
    smaller one if it is -1.
    Then the shorter path wins, and then the heavier one. In a tree, ties do not matter if `enough`
    paths of the other side are left.
    """
    most, many, best = -1, 0, -1
    for k in range(n):
        if shared[k] > most:
            most, many, best = shared[k], 1, k
        elif shared[k] == most and most >= 0:
            many += 1
    if many == 1:
        return best
    now, length = np.zeros(n, np.int64), np.zeros(n, np.int64)
    best, many = -1, 0
    for k in range(n):
        if shared[k] != most:
            continue
        for i in range(n_others):
            if not others.used[i]:
                now[k] = max(now[k], _shared(paths, k, others, i))
        now[k] *= sign
        length[k] = paths.ends[k + 1] - paths.ends[k]
        if best < 0 or now[k] > now[best] or (now[k] == now[best] and length[k] < length[best]):
            best, many = k, 1
        elif now[k] == now[best] and length[k] == length[best]:
            many += 1
    if many == 1:
        return best
    first, alike = best, edges[4] and (many == _left(paths, n) or _left(others, n_others) == enough)
    for k in range(n):
        if alike and shared[k] == most and now[k] == now[first] and length[k] == length[first]:
            alike = _alike(paths, first, k, others, n_others)
    if alike:
        return first
    weigh(sides, edges, weights)
    heaviest = np.int64(-1)
    for k in range(n):
        if shared[k] == most and now[k] == now[first] and length[k] == length[first]:
            total = _heaviness(paths, k, weights.weight)
            if total > heaviest:
                best, heaviest = k, total
    return best


@leaf
def _prefix(a, a_start, a_stop, b, b_start, b_stop):
    shared = 0
    while (
        a_start + shared < a_stop
        and b_start + shared < b_stop
        and a[a_start + shared] == b[b_start + shared]
    ):
        shared += 1
    return shared


@leaf
def _cells(predicted, j, true, i, edges, deep, marks, scratch, cells):
    """Add a pair of paths to the four cells. No cell counts the root."""
    parent_ptr, parent_idx, child_ptr, child_idx, tree = edges
    p_path, p_start, p_stop = predicted.path, predicted.ends[j], predicted.ends[j + 1]
    t_path, t_start, t_stop = true.path, true.ends[i], true.ends[i + 1]
    seen, on_true, on_predicted = marks
    found, stamp = scratch.found, scratch.stamp[0]
    shared = _shared(predicted, j, true, i)
    for place in range(t_start, t_stop):
        on_true[t_path[place]] = stamp
    fp = 0
    for place in range(p_start, p_stop):
        on_predicted[p_path[place]] = stamp
        fp += on_true[p_path[place]] != stamp
    fn = 0
    for place in range(t_start, t_stop):
        fn += on_predicted[t_path[place]] != stamp
    cells[0] += shared - 1
    cells[2] += fp
    cells[3] += fn
    end = p_path[p_start + shared - 1]
    if tree and not deep:
        for place in range(p_start, p_start + shared):
            c = p_path[place]
            cells[1] += child_ptr[c + 1] - child_ptr[c] - 1
        cells[1] += 1 - (p_stop - p_start > shared) - (t_stop - t_start > shared)
        return
    for place in range(p_start, p_start + shared):
        c = p_path[place]
        for e in range(parent_ptr[c], parent_ptr[c + 1]):
            above = parent_idx[e]
            for f in range(child_ptr[above], child_ptr[above + 1]):
                s = child_idx[f]
                if s != c and seen[s] != stamp and on_true[s] != stamp:
                    seen[s] = stamp
                    cells[1] += 1
    cells[1] += _below(end, child_ptr, child_idx, deep, on_true, on_predicted, seen, found, stamp)


@leaf
def _below(end, child_ptr, child_idx, deep, on_true, on_predicted, seen, found, stamp):
    """Count the classes below the end of the common path that are on neither path.

    Each class counts once.
    """
    negatives, done, size = 0, 0, 1
    found[0] = end
    while done < size:
        c = found[done]
        done += 1
        for e in range(child_ptr[c], child_ptr[c + 1]):
            s = child_idx[e]
            if seen[s] == -2 - stamp:
                continue
            if seen[s] != stamp and on_true[s] != stamp and on_predicted[s] != stamp:
                negatives += 1
            seen[s] = -2 - stamp
            if deep:
                found[size] = s
                size += 1
    return negatives


# --- the structure that they fill ---------------------------------------------------------------


@fills(CONFUSION, calls=[confusion], path_derivation=("greedy",), path_ties=("structure",))
def _confusion(batch, tables):
    h, a, deep = (
        batch.hierarchy,
        arrays_of(batch.hierarchy),
        batch.options.negatives == "descendants",
    )
    edges = (a.parent_ptr, a.parent_idx, a.child_ptr, a.child_idx, h.is_tree)
    kind = (a.level.astype(np.int64) << 24) + (np.diff(a.parent_ptr) << 16) + np.diff(a.child_ptr)
    if deep:
        kind = np.array([kind_of(h, deep, c) for c in range(len(h))])

    def fill(lo, hi, stop):
        confusion(lo, hi, batch.labels, edges, h.depth, kind, deep, tables[0].rows)

    return fill
