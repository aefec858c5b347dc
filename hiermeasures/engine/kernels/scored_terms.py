"""Scores of classes carried up to their ancestors, and what a threshold makes of them, target by
target.

A score counts at every threshold that it reaches. So for each target the weights of its classes are
sorted into bins by the highest threshold reached, and one walk from the highest threshold to the
lowest gives the sums of all.
"""

import numpy as np

from hiermeasures.engine.compiled import kernel, leaf
from hiermeasures.engine.kernels.arrays import put, take, words

TP, FP, FN, PRECISION, RECALL, PREDICTED = range(6)  # columns of the sums
DIGIT = 2.0**32


@leaf
def reached(thresholds, score):
    """Count the thresholds, in rising order, that a score reaches."""
    low, high = 0, len(thresholds)
    while low < high:
        middle = (low + high) // 2
        if thresholds[middle] <= score:
            low = middle + 1
        else:
            high = middle
    return low


@leaf
def highest(word):
    """The number of the highest bit of a word that is not 0."""
    place = 0
    for shift in (32, 16, 8, 4, 2, 1):
        if word >> np.uint64(shift):
            word >>= np.uint64(shift)
            place += shift
    return place


@leaf
def put_parents(waiting, parent_ptr, parent_idx, c):
    for k in range(parent_ptr[c], parent_ptr[c + 1]):
        put(waiting, 0, parent_idx[k])


@leaf
def take_highest(waiting, w):
    """Take the class of the largest number out of a word that is not empty."""
    c = (w << 6) + highest(waiting[0, w])
    take(waiting, 0, c)
    return c


@leaf
def mark_true(target, waiting, parent_ptr, parent_idx, true_ptr, true_idx, true, members):
    """Mark and list a target's true classes and their ancestors; return their number."""
    for k in range(true_ptr[target], true_ptr[target + 1]):
        put(waiting, 0, true_idx[k])
    count = 0
    for w in range(waiting.shape[1] - 1, -1, -1):
        while waiting[0, w]:
            c = take_highest(waiting, w)
            true[c] = True
            members[count] = c
            count += 1
            put_parents(waiting, parent_ptr, parent_idx, c)
    return count


@leaf
def fill_bins(waiting, parent_ptr, parent_idx, own, carried, fill, true, weights, right, wrong):
    """Carry heights of waiting classes up; put each class's weights into its height's bin."""
    for w in range(waiting.shape[1] - 1, -1, -1):
        while waiting[0, w]:
            c = take_highest(waiting, w)
            height = own[c] if own[c] > carried[c] or (fill and own[c] > 0) else carried[c]
            own[c] = carried[c] = 0
            at = max(height - 1, 0)
            for v in range(len(weights)):
                if true[c]:
                    right[v, at] += weights[v, c]
                else:
                    wrong[v, at] += weights[v, c]
            for k in range(parent_ptr[c], parent_ptr[c + 1]):
                parent = parent_idx[k]
                carried[parent] = max(carried[parent], height)
                put(waiting, 0, parent)


@leaf
def add_digits(row, v, t, column, number, out):
    """Add a number from 0 to 1 without rounding: each 32 bits to the sum of their place."""
    k = 0
    while number > 0:
        number *= DIGIT
        digit = np.floor(number)
        out[row, v, t, column, k] += digit
        number -= digit
        k += 1


@leaf
def add_bins(row, v, whole, right, wrong, scale, out):
    """Add what one target's bins are at each threshold; `whole` is its true classes' weight."""
    tp = fp = 0.0
    for t in range(out.shape[2] - 1, -1, -1):
        tp += right[v, t + 1]
        fp += wrong[v, t + 1]
        add_digits(row, v, t, TP, tp * scale, out)
        add_digits(row, v, t, FP, fp * scale, out)
        add_digits(row, v, t, FN, max(whole - tp, 0.0) * scale, out)
        if tp + fp > 0:
            out[row, v, t, PREDICTED, 0] += DIGIT
            add_digits(row, v, t, PRECISION, tp / (tp + fp), out)
        if whole > 0:
            add_digits(row, v, t, RECALL, min(tp / whole, 1.0), out)


@kernel
def sums_of_targets(begin, end, parents, true_terms, scored, fill, thresholds, weights, scales, out):
    """Add the sums of targets begin to end to `out` (rows, weightings, thresholds, 6, digits): one
    row for all, or one each. For 2^20 targets at most sums of digits are exact.

    Parents have smaller numbers than their children: classes are taken from the largest number
    down, so that each has all scores from below when its turn comes. `weights` (weightings,
    classes) are what a class counts. Where `fill` is true, a class that has a score of its own
    takes none from below. `scales` bring the sums of each weighting to 1 at most, and the digits
    are as many as no number has more; see hiermeasures.cafa.sums.
    """
    (parent_ptr, parent_idx), (true_ptr, true_idx), (scored_ptr, scored_idx, scores) = parents, true_terms, scored
    classes = len(parent_ptr) - 1
    waiting = np.zeros((1, words(classes)), np.uint64)
    true = np.zeros(classes, np.bool_)
    members = np.empty(classes, np.int32)
    own = np.zeros(classes, np.int32)  # one more than the thresholds that the score reaches; 0 where there is none
    carried = np.zeros(classes, np.int32)
    right = np.zeros((len(weights), len(thresholds) + 1))
    wrong = np.zeros((len(weights), len(thresholds) + 1))
    for target in range(begin, end):
        right[:] = 0
        wrong[:] = 0
        count = mark_true(target, waiting, parent_ptr, parent_idx, true_ptr, true_idx, true, members)
        for k in range(scored_ptr[target], scored_ptr[target + 1]):
            if scores[k] > 0:
                own[scored_idx[k]] = max(own[scored_idx[k]], reached(thresholds, scores[k]) + 1)
                put(waiting, 0, scored_idx[k])
        fill_bins(waiting, parent_ptr, parent_idx, own, carried, fill, true, weights, right, wrong)
        for v in range(len(weights)):
            whole = 0.0
            for k in range(count):
                whole += weights[v, members[k]]
            add_bins(min(target - begin, len(out) - 1), v, whole, right, wrong, scales[v], out)
        for k in range(count):
            true[members[k]] = False
