"""Kernels for the hierarchical confusion matrix: paths by greedy cover, their matching, and the four cells.

The readable definition, with its rules for ties, is hiermeasures.measures.confusion; here paths are runs of class
numbers.
"""

import numpy as np

from hiermeasures.batch.compiled import inner, kernel, leaf
from hiermeasures.batch.filling import fills
from hiermeasures.batch.kernels.sets import _reach
from hiermeasures.measures.confusion import CONFUSION


@kernel
def confusion(
    lo, hi, t_ptr, t_idx, p_ptr, p_idx, parent_ptr, parent_idx, child_ptr, child_idx, depth, name_rank, deep, tree, out
):
    """Columns: TP, TN, FP, FN. `name_rank` orders class names; `deep` counts all descendants as negatives, not children
    only.
    """
    n = len(parent_ptr) - 1
    most = 1
    for k in range(lo, hi):
        most = max(most, t_ptr[k + 1] - t_ptr[k], p_ptr[k + 1] - p_ptr[k])
    t_ends, p_ends = np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    t_path, p_path = np.empty(most * (depth + 1), np.int32), np.empty(most * (depth + 1), np.int32)
    t_used, p_used = np.zeros(most, np.bool_), np.zeros(most, np.bool_)
    nearest = np.zeros(most, np.int64)
    mark = np.full(n, -1, np.int64)
    to_cover = np.full(n, -1, np.int64)
    covered, length, before = np.zeros(n, np.int32), np.zeros(n, np.int32), np.zeros(n, np.int32)
    found = np.empty(n, np.int32)
    seen = np.full(n, -1, np.int64)
    on_true = np.full(n, -1, np.int64)
    on_predicted = np.full(n, -1, np.int64)
    stamp = 0
    for k in range(lo, hi):
        n_t, stamp = _greedy_cover(
            t_idx,
            t_ptr[k],
            t_ptr[k + 1],
            parent_ptr,
            parent_idx,
            mark,
            to_cover,
            covered,
            length,
            before,
            found,
            stamp,
            t_ends,
            t_path,
        )
        n_p, stamp = _greedy_cover(
            p_idx,
            p_ptr[k],
            p_ptr[k + 1],
            parent_ptr,
            parent_idx,
            mark,
            to_cover,
            covered,
            length,
            before,
            found,
            stamp,
            p_ends,
            p_path,
        )
        for j in range(n_p):
            nearest[j] = 0
            p_used[j] = False
            for i in range(n_t):
                nearest[j] = max(
                    nearest[j], _prefix(p_path, p_ends[j], p_ends[j + 1], t_path, t_ends[i], t_ends[i + 1])
                )
        for i in range(n_t):
            t_used[i] = False
        for turn in range(n_p):
            j = _next_path(p_path, p_ends, p_used, nearest, n_p, name_rank)
            p_used[j] = True
            if turn >= n_t:
                out[k, 2] += p_ends[j + 1] - p_ends[j] - 1
                continue
            i, shared = _meeting(p_path, p_ends[j], p_ends[j + 1], t_path, t_ends, t_used, n_t)
            t_used[i] = True
            stamp += 1
            _cells(
                p_path,
                p_ends[j],
                p_ends[j + 1],
                t_path,
                t_ends[i],
                t_ends[i + 1],
                shared,
                parent_ptr,
                parent_idx,
                child_ptr,
                child_idx,
                deep,
                tree,
                on_true,
                on_predicted,
                seen,
                found,
                stamp,
                out[k],
            )
        for i in range(n_t):
            if not t_used[i]:
                out[k, 3] += t_ends[i + 1] - t_ends[i] - 1


@inner
def _greedy_cover(
    labels, start, stop, parent_ptr, parent_idx, mark, to_cover, covered, length, before, found, stamp, ends, path
):
    """Paths that cover the labels, one after another in `path`, the k-th from `ends[k]` to `ends[k + 1]`; how many
    there are.
    """
    stamp += 1
    cover = stamp
    left = 0
    for i in range(start, stop):
        if labels[i]:
            to_cover[labels[i]] = cover
            left += 1
    ends[0] = 0
    if not left:
        path[0] = 0
        ends[1] = 1
        return 1, stamp
    n_paths = 0
    while left:
        stamp += 1
        best = _richest(
            labels, start, stop, parent_ptr, parent_idx, mark, to_cover, cover, covered, length, before, found, stamp
        )
        end = ends[n_paths] + length[best]
        ends[n_paths + 1] = end
        c = best
        for place in range(end - 1, ends[n_paths] - 1, -1):
            path[place] = c
            if to_cover[c] == cover:
                to_cover[c] = -1
                left -= 1
            c = before[c]
        n_paths += 1
    return n_paths, stamp


@inner
def _richest(labels, start, stop, parent_ptr, parent_idx, mark, to_cover, cover, covered, length, before, found, stamp):
    """The open label whose best path holds most open labels, then is shortest, then comes first; paths are left in
    `before`.
    """
    size = 0
    for i in range(start, stop):
        if to_cover[labels[i]] == cover:
            size = _reach(labels[i], parent_ptr, parent_idx, mark, stamp, found, size)
    order = np.sort(found[:size])
    for c in order:
        covered[c] = 0
        length[c] = 0
        before[c] = -1
        for e in range(parent_ptr[c], parent_ptr[c + 1]):
            p = parent_idx[e]
            if before[c] < 0 or covered[p] > covered[c] or (covered[p] == covered[c] and length[p] < length[c]):
                covered[c] = covered[p]
                length[c] = length[p]
                before[c] = p
        covered[c] += to_cover[c] == cover
        length[c] += 1
    best = -1
    for i in range(start, stop):
        c = labels[i]
        if to_cover[c] == cover and (
            best < 0 or covered[c] > covered[best] or (covered[c] == covered[best] and length[c] < length[best])
        ):
            best = c
    return best


@leaf
def _prefix(a, a_start, a_stop, b, b_start, b_stop):
    shared = 0
    while a_start + shared < a_stop and b_start + shared < b_stop and a[a_start + shared] == b[b_start + shared]:
        shared += 1
    return shared


@leaf
def _next_path(path, ends, used, nearest, n_paths, name_rank):
    """The path that is taken next: of those left, the one that shares most, and of equal ones the last by its names."""
    best = -1
    for j in range(n_paths):
        if used[j]:
            continue
        if (
            best < 0
            or nearest[j] > nearest[best]
            or (nearest[j] == nearest[best] and _follows(path, ends, j, best, name_rank))
        ):
            best = j
    return best


@leaf
def _follows(path, ends, j, best, name_rank):
    same = _prefix(path, ends[j], ends[j + 1], path, ends[best], ends[best + 1])
    if ends[j] + same == ends[j + 1] or ends[best] + same == ends[best + 1]:
        return ends[j + 1] - ends[j] > ends[best + 1] - ends[best]
    return name_rank[path[ends[j] + same]] > name_rank[path[ends[best] + same]]


@leaf
def _meeting(path, start, stop, t_path, t_ends, t_used, n_t):
    """The first open true path that shares most with a path, and how much."""
    best, most = -1, -1
    for i in range(n_t):
        if not t_used[i]:
            shared = _prefix(path, start, stop, t_path, t_ends[i], t_ends[i + 1])
            if shared > most:
                best, most = i, shared
    return best, most


@leaf
def _cells(
    p_path,
    p_start,
    p_stop,
    t_path,
    t_start,
    t_stop,
    shared,
    parent_ptr,
    parent_idx,
    child_ptr,
    child_idx,
    deep,
    tree,
    on_true,
    on_predicted,
    seen,
    found,
    stamp,
    cells,
):
    """Add one pair of paths to the four cells. The root is in no cell but as a part of what paths begin with."""
    for i in range(t_start, t_stop):
        on_true[t_path[i]] = stamp
    fp = 0
    for j in range(p_start, p_stop):
        on_predicted[p_path[j]] = stamp
        fp += on_true[p_path[j]] != stamp
    fn = 0
    for i in range(t_start, t_stop):
        fn += on_predicted[t_path[i]] != stamp
    cells[0] += shared - 1
    cells[2] += fp
    cells[3] += fn
    end = p_path[p_start + shared - 1]
    if tree and not deep:
        for j in range(p_start, p_start + shared):
            c = p_path[j]
            cells[1] += child_ptr[c + 1] - child_ptr[c] - 1
        cells[1] += 1 - (p_stop - p_start > shared) - (t_stop - t_start > shared)
        return
    for j in range(p_start, p_start + shared):
        c = p_path[j]
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
    """How many classes below the end of the common path are on neither path and not counted yet."""
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


# --- the structure that they fill ---------------------------------------------------------------------------------


@fills(CONFUSION, path_derivation=("greedy",))
def _confusion(batch, tables):
    h, a, rows = batch.hierarchy, batch.hierarchy.arrays, tables[0].rows
    name_rank = np.empty(len(h), np.int32)
    name_rank[sorted(range(len(h)), key=h.nodes.__getitem__)] = np.arange(len(h), dtype=np.int32)
    edges = (a.parent_ptr, a.parent_idx, a.child_ptr, a.child_idx)
    deep = batch.options.negatives == "descendants"
    return lambda lo, hi, stop: confusion(lo, hi, *batch.labels, *edges, h.depth, name_rank, deep, h.is_tree, rows)
