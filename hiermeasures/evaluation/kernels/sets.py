"""Kernels for sets of classes: flat and augmented sets, H-loss, CoPHE's counts, counts per class.

A kernel reads the instances `lo` to `hi` as compressed rows of class numbers, and writes one row of
counts per instance. A mark of a class is the number of the last instance that touched it, so marks
need no clearing. The readable definitions are in hiermeasures.measures.
"""

from typing import Any

import numpy as np

from hiermeasures.evaluation.compiled import inner, kernel, leaf
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.kernel_registry import counts_classes, fills
from hiermeasures.evaluation.kernels.arrays import reach
from hiermeasures.hierarchy.options import CREDIT
from hiermeasures.measures.counts import COUNTS
from hiermeasures.measures.sets import AUGMENTED, DESCENDANTS, FLAT, H_LOSS
from hiermeasures.measures.weighted import CONTRAST, ROWS, WEIGHTED

_LAST_TURN = 65528


@leaf
def count_shared(a, i, a_end, b, j, b_end):
    """Count the numbers that two ranges of rising numbers share. The ranges begin at i and j."""
    shared = 0
    while i < a_end and j < b_end:
        if a[i] == b[j]:
            shared += 1
            i += 1
            j += 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    return shared


@inner
def new_side(n):
    """Return a mark for each of n classes, and room for the classes that are found."""
    return np.full(n, -1, np.int32), np.empty(n, np.int32)


@kernel
def augmented_by_lists(lo, hi, labels, lists, count_root, out):
    """Fill true, predicted and shared of the sets with all ancestors. `lists` has the ancestors.

    A mark is four times the turn that made it, plus 1 for the true side and 2 for the predicted
    side. Marks have 16 bits, so that they stay in the processor's cache. After the last turn they
    are set to 0.
    """
    t_ptr, t_idx, p_ptr, p_idx = labels
    list_row, list_ptr, node = lists
    mark = np.zeros(len(list_row), np.uint16)
    turn = np.uint16(0)
    for k in range(lo, hi):
        if turn == _LAST_TURN:
            mark[:] = 0
            turn = np.uint16(0)
        turn += np.uint16(4)
        true, predicted, shared = 0, 0, 0
        for i in range(t_ptr[k], t_ptr[k + 1]):
            r = list_row[t_idx[i]]
            for e in range(list_ptr[r], list_ptr[r + 1]):
                true += mark[node[e]] < turn
                mark[node[e]] = turn + 1
        for i in range(p_ptr[k], p_ptr[k + 1]):
            r = list_row[p_idx[i]]
            for e in range(list_ptr[r], list_ptr[r + 1]):
                known = mark[node[e]]
                predicted += known <= turn + 1
                shared += known == turn + 1
                mark[node[e]] = turn + 3 if known & 1 and known > turn else turn + 2
        if not count_root:
            true -= mark[0] > turn and mark[0] != turn + 2
            predicted -= mark[0] >= turn + 2
            shared -= mark[0] == turn + 3
        out[k, 0] = true
        out[k, 1] = predicted
        out[k, 2] = shared


@kernel
def weighted(lo, hi, labels, edges, weights, out):
    """Fill the weights of the classes on both sides, only predicted, and only true.

    Both sides include all ancestors.
    """
    t_ptr, t_idx, p_ptr, p_idx = labels
    n = len(edges[0]) - 1
    t_side, p_side = new_side(n), new_side(n)
    (t_mark, t_found), (p_mark, p_found) = t_side, p_side
    for k in range(lo, hi):
        t_size = _gathered(t_idx, t_ptr[k], t_ptr[k + 1], edges, True, t_side, k)
        p_size = _gathered(p_idx, p_ptr[k], p_ptr[k + 1], edges, True, p_side, k)
        for i in range(t_size):
            c = t_found[i]
            out[k, 0 if p_mark[c] == k else 2] += weights[c]
        for i in range(p_size):
            if t_mark[p_found[i]] != k:
                out[k, 1] += weights[p_found[i]]


@kernel
def tolerant(lo, hi, labels, edges, weights, count_root, out):
    """Fill the columns of H-loss, missed and spurious.

    They sum the weights of classes with a parent on the other side, or without a parent.
    """
    t_ptr, t_idx, p_ptr, p_idx = labels
    n = len(edges[0]) - 1
    t_side, p_side = new_side(n), new_side(n)
    (t_mark, t_found), (p_mark, p_found) = t_side, p_side
    for k in range(lo, hi):
        if not count_root:
            t_mark[0] = k
            p_mark[0] = k
        t_size = _gathered(t_idx, t_ptr[k], t_ptr[k + 1], edges, True, t_side, k)
        p_size = _gathered(p_idx, p_ptr[k], p_ptr[k + 1], edges, True, p_side, k)
        out[k, 0] = _first_errors(t_found[:t_size], p_mark, k, edges, weights)
        out[k, 1] = _first_errors(p_found[:p_size], t_mark, k, edges, weights)


@leaf
def _first_errors(found, other, stamp, edges, weights):
    """Sum the weights of classes that are not on the other side.

    Each has a parent on the other side, or does not have a parent.
    """
    (ptr, idx), errors = edges, 0.0
    for c in found:
        if other[c] != stamp:
            stays = ptr[c] == ptr[c + 1]
            for e in range(ptr[c], ptr[c + 1]):
                stays = stays or other[idx[e]] == stamp
            if stays:
                errors += weights[c]
    return errors


@inner
def _count_above(labels, start, stop, edges, tally, instance, side):
    """Add 1 to a side's count of every class at or above each label, once per label."""
    ptr, idx = edges
    counts, marks, found, touched, last, n_touched = tally
    for i in range(start, stop):
        last[0] += 1
        size = reach(labels[i], ptr, idx, marks[0], last[0], found, 0)
        for j in range(size):
            c = found[j]
            if marks[1, c] != instance:
                marks[1, c] = instance
                touched[n_touched[0]] = c
                n_touched[0] += 1
            counts[side, c] += 1


@kernel
def cophe(lo, hi, labels, edges, which, by_class, out):
    """Fill TP, FP and FN from a level down. Add true, predicted and TP of each class to `by_class`.

    `which` is the level of every class, the topmost level that counts, and count_root.
    """
    t_ptr, t_idx, p_ptr, p_idx = labels
    level, top, count_root = which
    n = len(edges[0]) - 1
    counts, marks = np.zeros((2, n), np.int32), np.full((2, n), -1, np.int64)
    found, touched = np.empty(n, np.int32), np.empty(n, np.int32)
    n_touched = np.zeros(1, np.int64)
    tally = (counts, marks, found, touched, np.full(1, -1, np.int64), n_touched)
    for k in range(lo, hi):
        n_touched[0] = 0
        _count_above(t_idx, t_ptr[k], t_ptr[k + 1], edges, tally, k, 0)
        _count_above(p_idx, p_ptr[k], p_ptr[k + 1], edges, tally, k, 1)
        for j in range(n_touched[0]):
            c = touched[j]
            true, predicted = counts[0, c], counts[1, c]
            counts[0, c] = counts[1, c] = 0
            if level[c] < top or (c == 0 and not count_root):
                continue
            tp = min(true, predicted)
            out[k, 0] += tp
            out[k, 1] += predicted - tp
            out[k, 2] += true - tp
            if len(by_class):
                by_class[0, c] += true
                by_class[1, c] += predicted
                by_class[2, c] += tp


@kernel
def overlap(lo, hi, labels, edges, which, by_class, out):
    """Fill true, predicted and shared of sets, and add those of each class to `by_class`.

    `by_class` can be empty. `which` is `grow` and count_root. With `grow`, the sets include all
    classes that the edges reach.
    """
    t_ptr, t_idx, p_ptr, p_idx = labels
    n = len(edges[0]) - 1
    t_side, p_side = new_side(n), new_side(n)
    t_found, (p_mark, p_found) = t_side[1], p_side
    counts = len(by_class) > 0
    grow, count_root = which
    for k in range(lo, hi):
        t_size = _gathered(t_idx, t_ptr[k], t_ptr[k + 1], edges, grow, t_side, k)
        p_size = _gathered(p_idx, p_ptr[k], p_ptr[k + 1], edges, grow, p_side, k)
        true, predicted, shared = 0, 0, 0
        for i in range(t_size):
            c = t_found[i]
            if c != 0 or count_root:
                hit = p_mark[c] == k
                true += 1
                shared += hit
                if counts:
                    by_class[0, c] += 1
                    by_class[2, c] += hit
        for i in range(p_size):
            c = p_found[i]
            if c != 0 or count_root:
                predicted += 1
                if counts:
                    by_class[1, c] += 1
        out[k, 0] = true
        out[k, 1] = predicted
        out[k, 2] = shared


@leaf
def _gathered(labels, start, stop, edges, grow, side, stamp):
    (ptr, idx), (mark, found), size = edges, side, 0
    for i in range(start, stop):
        if grow:
            size = reach(labels[i], ptr, idx, mark, stamp, found, size)
        else:
            mark[labels[i]] = stamp
            found[size] = labels[i]
            size += 1
    return size


NO_CLASSES = np.zeros((0, 0), np.int64)
_NO_CREDIT: Any = dict.fromkeys(CREDIT, ("wrong",))


def up(batch):
    arrays = arrays_of(batch.hierarchy)
    return arrays.parent_ptr, arrays.parent_idx


def _down(batch):
    arrays = arrays_of(batch.hierarchy)
    return arrays.child_ptr, arrays.child_idx


def _overlap(batch, structure):
    """Return a function that calls the kernel of one kind of set for instances `lo` to `hi`."""
    edges, grow = (_down if structure is DESCENDANTS else up)(batch), structure is not FLAT
    which = (grow, batch.count_root or not grow)
    return lambda lo, hi, by_class, rows: overlap(
        lo, hi, batch.labels, edges, which, by_class, rows
    )


@fills(FLAT, calls=[overlap], **_NO_CREDIT)
def _flat(batch, tables):
    rows = tables[0].rows
    rows[:, 3] = len(batch.hierarchy) - (not batch.count_root)
    rows[:, 4], rows[:, 5] = (np.diff(side.ptr) for side in batch.sides)
    overlapping = _overlap(batch, FLAT)
    return lambda lo, hi, stop: overlapping(lo, hi, NO_CLASSES, rows)


@fills(AUGMENTED, calls=[augmented_by_lists], **_NO_CREDIT)
def _augmented(batch, tables):
    def fill(lo, hi, stop):
        lists = batch.ancestry_of(lo, hi)[:3]
        augmented_by_lists(lo, hi, batch.labels, lists, batch.count_root, tables[0].rows)

    return fill


@fills(DESCENDANTS, calls=[overlap])
def _descendants(batch, tables):
    overlapping = _overlap(batch, DESCENDANTS)
    return lambda lo, hi, stop: overlapping(lo, hi, NO_CLASSES, tables[0].rows)


@counts_classes(FLAT, AUGMENTED, DESCENDANTS)
def _sets_by_class(batch, structure):
    overlapping, rows = _overlap(batch, structure), np.zeros((len(batch), 3), np.int64)  # not read
    return lambda lo, hi, counts: overlapping(lo, hi, counts, rows)


@fills(WEIGHTED, CONTRAST, calls=[weighted])
def _weighted(batch, tables):
    def fill(lo, hi, stop):
        for table, weights in zip(tables, columns, strict=True):
            weighted(lo, hi, batch.labels, up(batch), weights, table.rows)

    columns = [_class_weights(batch, ROWS[table.structure.key]) for table in tables]
    return fill


def _class_weights(batch, row):
    """Return the weights of classes by number. A root that does not count weighs 0."""
    given = batch.hierarchy.class_weights
    weights = np.ones(len(batch.hierarchy)) if given is None else np.array(given[row])
    if not batch.count_root:
        weights[0] = 0
    return weights


@fills(H_LOSS, calls=[tolerant])
def _h_loss(batch, tables):
    weights, rows = _class_weights(batch, 0), tables[0].rows
    return lambda lo, hi, stop: tolerant(
        lo, hi, batch.labels, up(batch), weights, batch.count_root, rows
    )


@fills(COUNTS, calls=[cophe])
def _counts(batch, tables):
    return lambda lo, hi, stop: _cophe(batch, lo, hi, NO_CLASSES, tables[0].rows)


@counts_classes(COUNTS)
def _counts_by_class(batch, structure):
    rows = np.zeros((len(batch), 3), np.int64)  # not read
    return lambda lo, hi, counts: _cophe(batch, lo, hi, counts, rows)


def _cophe(batch, lo, hi, counts, rows):
    which = (arrays_of(batch.hierarchy).level, batch.options.max_level or 0, batch.count_root)
    cophe(lo, hi, batch.labels, up(batch), which, counts, rows)
