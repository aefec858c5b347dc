"""Kernels for path-constrained sets and for comparisons at a rank.

The readable definitions are in hiermeasures.measures.paths_and_ranks. An instance's
classes are sorted by number, parents before children.
"""

from collections import namedtuple

import numpy as np

from hiermeasures.evaluation.compiled import inner, kernel, leaf
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.kernel_registry import counts_classes, fills
from hiermeasures.evaluation.kernels.arrays import reach
from hiermeasures.evaluation.kernels.sets import NO_CLASSES, new_side, up
from hiermeasures.measures.paths_and_ranks import PATH_CONSTRAINED, RANKS


@kernel
def path_constrained(lo, hi, labels, edges, count_root, by_class, out):
    """Fill the columns true, predicted, shared, inconsistent and true inconsistent.

    True classes include ancestors. Shared classes are true, and predicted together with all their
    ancestors. Unless `by_class` is empty, add true, predicted and shared of each class to it.
    """
    t_ptr, t_idx, p_ptr, p_idx = labels
    ptr, idx = edges
    n = len(ptr) - 1
    t_mark, found = new_side(n)
    whole, t_whole = (
        np.full(n, -1, np.int32),
        np.full(n, -1, np.int32),
    )  # classes whose ancestors are all in the set
    counts = len(by_class) > 0
    for k in range(lo, hi):
        some = p_ptr[k + 1] > p_ptr[k]
        size = 0
        for i in range(t_ptr[k], t_ptr[k + 1]):
            size = reach(t_idx[i], ptr, idx, t_mark, k, found, size)
            if t_idx[i] == 0 or _all_above(t_idx[i], ptr, idx, t_whole, k):
                t_whole[t_idx[i]] = k
            else:
                out[k, 4] = 1
        out[k, 0] = size
        if size > 0 and not count_root:
            out[k, 0] -= 1
        if counts:
            for i in range(size):
                by_class[0, found[i]] += found[i] != 0 or count_root
        if some and count_root:
            out[k, 1] = 1
            out[k, 2] = size > 0
            if counts:
                by_class[1, 0] += 1
                by_class[2, 0] += size > 0
        for i in range(p_ptr[k], p_ptr[k + 1]):
            c = p_idx[i]
            if c == 0:
                continue
            out[k, 1] += 1
            if _all_above(c, ptr, idx, whole, k):
                whole[c] = k
            else:
                out[k, 3] = 1
            hit = whole[c] == k and t_mark[c] == k
            out[k, 2] += hit
            if counts:
                by_class[1, c] += 1
                by_class[2, c] += hit


@leaf
def _all_above(c, ptr, idx, whole, stamp):
    """Return True if all parents are marked. The root counts as marked."""
    for e in range(ptr[c], ptr[c + 1]):
        if idx[e] != 0 and whole[idx[e]] != stamp:
            return False
    return True


# The classes of a side with their ancestors (`found`). `mark` has the last instance with the class,
# and `above` the last instance in which it is above another class.
Lineage = namedtuple("Lineage", "mark found above")


@inner
def _new_lineage(n):
    return Lineage(np.full(n, -1, np.int32), np.empty(n, np.int32), np.full(n, -1, np.int32))


@kernel
def at_rank(lo, hi, labels, edges, levels, out):
    """Fill TP, FP and FN of the most specific classes down to a rank, and two more columns.

    These count the predicted classes above and below a true one. `levels` has the level of every
    class, and the rank.
    """
    t_ptr, t_idx, p_ptr, p_idx = labels
    (level, rank), n = levels, len(edges[0]) - 1
    true, predicted = _new_lineage(n), _new_lineage(n)
    one = np.full(n, -1, np.int64), np.empty(n, np.int32)
    stamp = 0
    for k in range(lo, hi):
        t_size = _gather_lineage(t_idx, t_ptr[k], t_ptr[k + 1], edges, levels, true, k)
        p_size = _gather_lineage(p_idx, p_ptr[k], p_ptr[k + 1], edges, levels, predicted, k)
        for i in range(p_size):
            c = predicted.found[i]
            if level[c] > rank or predicted.above[c] == k:
                continue
            if true.mark[c] != k:
                out[k, 1] += 1
                stamp += 1
                out[k, 4] += _is_below(c, edges, levels, true, k, one, stamp)
            elif true.above[c] != k:
                out[k, 0] += 1
            else:
                out[k, 3] += 1
        for i in range(t_size):
            c = true.found[i]
            found = predicted.mark[c] == k and predicted.above[c] != k
            out[k, 2] += level[c] <= rank and true.above[c] != k and not found


@leaf
def _is_below(c, edges, levels, true, k, one, stamp):
    """Return True if class c is below a most specific true class of k, down to the rank."""
    (ptr, idx), (level, rank), (mark, found) = edges, levels, one
    for i in range(reach(c, ptr, idx, mark, stamp, found, 0)):
        a = found[i]
        if true.mark[a] == k and true.above[a] != k and level[a] <= rank:
            return True
    return False


@leaf
def _gather_lineage(labels, start, stop, edges, levels, side, stamp):
    """Gather a side's classes and ancestors (just the root if empty). Mark parents down to the rank."""
    (ptr, idx), (level, rank), (mark, found, above) = edges, levels, side
    size = 0
    if start == stop:
        size = reach(0, ptr, idx, mark, stamp, found, size)
    for i in range(start, stop):
        size = reach(labels[i], ptr, idx, mark, stamp, found, size)
    for i in range(size):
        if level[found[i]] <= rank:
            for e in range(ptr[found[i]], ptr[found[i] + 1]):
                above[idx[e]] = stamp
    return size


@fills(PATH_CONSTRAINED, calls=[path_constrained])
def _path_constrained(batch, tables):
    edges, rows = up(batch), tables[0].rows
    return lambda lo, hi, stop: path_constrained(
        lo, hi, batch.labels, edges, batch.count_root, NO_CLASSES, rows
    )


@counts_classes(PATH_CONSTRAINED)
def _path_constrained_by_class(batch, structure):
    edges, rows = up(batch), np.zeros((len(batch), 5), np.int64)  # not used
    return lambda lo, hi, counts: path_constrained(
        lo, hi, batch.labels, edges, batch.count_root, counts, rows
    )


@fills(RANKS, calls=[at_rank])
def _at_rank(batch, tables):
    level, asked = arrays_of(batch.hierarchy).level, batch.options.rank
    rank = batch.hierarchy.depth if asked is None else min(asked, batch.hierarchy.depth)
    edges, rows = up(batch), tables[0].rows
    return lambda lo, hi, stop: at_rank(lo, hi, batch.labels, edges, (level, rank), rows)
