"""LCA graphs in trees, where every class has one path up, so that graphs are counted without
building them.

An instance in which there is something to choose, one in a hundred or fewer, is UNSOLVED here:
several LCAs are a class's own, or several classes are nearest below one. The kernels for any
hierarchy, and what registers both, are in lca.py; the readable definition is
hiermeasures.measures.lca.
"""

from collections import namedtuple

import numpy as np

from hiermeasures.engine.compiled import kernel, leaf
from hiermeasures.engine.kernels.arrays import same_cost

UNSOLVED = 1  # in the last column: there is something to choose

# Scratch over all classes, kept by a thread, a row for each side: valid where a mark holds the
# current stamp, of which the last one used is in `stamp`. `near` is the least cost of any class of
# the side to a class; `lca` marks the LCAs of the side's classes, `joined` those to which a class
# of the side leads for want of an owner, `node` the nodes of its graph. `distance` is how far each
# label is from the other side.
TreeScratch = namedtuple("TreeScratch", "stamp label distance near near_mark lca joined node")


def new_tree_scratch(n):
    """Scratch for a tree of n classes."""
    marks = (np.zeros((2, n), np.int64) for _ in range(4))
    return TreeScratch(np.zeros(1, np.int64), np.empty(2 * n, np.int32), np.empty(2 * n), np.empty((2, n)), *marks)


@kernel
def lca_in_tree(lo, hi, t_ptr, t_idx, p_ptr, p_idx, ptr, idx, weight, count_root, minimal, extended, scratch, out):
    """Columns: true, predicted, shared of the minimal graphs, the extended ones, and UNSOLVED."""
    label = scratch.label
    for k in range(lo, hi):
        n_true = _most_specific(t_idx, t_ptr[k], t_ptr[k + 1], ptr, idx, scratch, 0)
        n = _most_specific(p_idx, p_ptr[k], p_ptr[k + 1], ptr, idx, scratch, n_true)
        row = k - lo
        if n_true == 0 or n_true == n:
            classes_alone(label, n_true, n, count_root, out, row)
        elif n != 2 or not one_path_each(label, ptr, idx, count_root, out, row):
            _count(n_true, n, (ptr, idx, weight), count_root, minimal, extended, scratch, out, row)


@leaf
def classes_alone(label, n_true, n, count_root, out, row):
    """With an empty side the graphs are the classes alone."""
    for q in range(n):
        if label[q] != 0 or count_root:
            side = 0 if q < n_true else 1
            out[row, side] += 1
            out[row, 3 + side] += 1


@leaf
def one_path_each(label, ptr, idx, count_root, out, row):
    """Count an instance of one class on either side in place; False if parents leave a choice."""
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


@leaf
def _most_specific(labels, start, stop, ptr, idx, scratch, n):
    """Append the labels of a side without a descendant there; return the new length."""
    label, above = scratch.label, scratch.node
    scratch.stamp[0] += 1
    stamp = scratch.stamp[0]
    if stop - start > 1:
        for i in range(start, stop):
            c = labels[i]
            while c and above[0, idx[ptr[c]]] != stamp:
                c = idx[ptr[c]]
                above[0, c] = stamp
    for i in range(start, stop):
        if above[0, labels[i]] != stamp:
            label[n] = labels[i]
            n += 1
    return n


@leaf
def _count(n_true, n, tree, count_root, minimal, extended, scratch, out, row):
    scratch.stamp[0] += 1
    stamp = scratch.stamp[0]
    for q in range(n):
        _note_near(q, 0 if q < n_true else 1, tree, stamp, scratch)
    decided = True
    for q in range(n):
        decided = _note_own(q, 0 if q < n_true else 1, tree, stamp, scratch) and decided
    if extended:
        scratch.stamp[0] += 1
        for q in range(n):
            _connect(q, 0 if q < n_true else 1, tree, stamp, True, count_root, scratch, out, row)
    if minimal:
        scratch.stamp[0] += 1
        for q in range(n):
            decided = decided and _connect(q, 0 if q < n_true else 1, tree, stamp, False, count_root, scratch, out, row)
        if not decided:
            out[row, 6] = UNSOLVED


@leaf
def _note_near(q, side, tree, stamp, scratch):
    """Lower the least cost from the side of class q to each class at or above it."""
    ptr, idx, weight = tree
    near, near_mark = scratch.near, scratch.near_mark
    c, cost = scratch.label[q], 0.0
    while True:
        if near_mark[side, c] != stamp or cost < near[side, c]:
            near_mark[side, c] = stamp
            near[side, c] = cost
        if not c:
            return
        cost += weight[ptr[c]]
        c = idx[ptr[c]]


@leaf
def _note_own(q, side, tree, stamp, scratch):
    """Return the distance of class q from the other side, LCA(n, S), True if that is one class."""
    ptr, idx, weight = tree
    near, near_mark, lca = scratch.near, scratch.near_mark, scratch.lca
    least, many = np.inf, 0
    for turn in range(2):
        c, cost = scratch.label[q], 0.0
        while True:
            if near_mark[1 - side, c] == stamp:
                if turn == 0:
                    least = min(least, cost + near[1 - side, c])
                elif same_cost(cost + near[1 - side, c], least):
                    lca[side, c] = stamp
                    many += 1
            if not c:
                break
            cost += weight[ptr[c]]
            c = idx[ptr[c]]
    scratch.distance[q] = least
    return many == 1


@leaf
def _connect(q, side, tree, stamp, every, count_root, scratch, out, row):
    """Count the paths from class q to its LCAs and to those below which it is nearest: all in the
    extended graphs (`every`); in the minimal ones where its side has no owner. False if a choice
    remains.
    """
    ptr, idx, weight = tree
    near, near_mark, lca, joined = scratch.near, scratch.near_mark, scratch.lca, scratch.joined
    top, c, cost = -1, scratch.label[q], 0.0
    while True:
        if near_mark[1 - side, c] == stamp and same_cost(cost + near[1 - side, c], scratch.distance[q]):
            top = c
        elif lca[1 - side, c] == stamp and (every or lca[side, c] != stamp) and same_cost(cost, near[side, c]):
            if not every and joined[side, c] == stamp:
                return False
            joined[side, c] = stamp
            top = c
        if not c:
            break
        cost += weight[ptr[c]]
        c = idx[ptr[c]]
    node, mark, column = scratch.node, scratch.stamp[0], 3 if every else 0
    c = scratch.label[q]
    while True:
        if node[side, c] != mark:
            node[side, c] = mark
            if c or count_root:
                out[row, column + side] += 1
                out[row, column + 2] += node[1 - side, c] == mark
        if c == top:
            return True
        c = idx[ptr[c]]
