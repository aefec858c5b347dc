"""Functions over arrays that kernels share: sorting, sets as bits, and lists of ancestors.

A list of ancestors has the cost of the cheapest path to each. evaluation/kernel_registry.py makes
one list for each class of a batch, for measures of sets, pairs and LCA graphs. A list begins with
the class itself. Every ancestor comes after one of its children on a cheapest path.
"""

import numpy as np

from hiermeasures.evaluation.compiled import kernel, leaf


@leaf
def sort(values, n):
    """Put the first n values in rising order, in place (Shell 1959, with Knuth's gaps)."""
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap:
        for k in range(gap, n):
            value, place = values[k], k
            while place >= gap and value < values[place - gap]:
                values[place] = values[place - gap]
                place -= gap
            values[place] = value
        gap //= 3


@leaf
def place_among(ordered, value):
    """Count the sorted values that are smaller than this one."""
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


def sorter(before):
    """Return a function that sorts the first n places by the order `before(of, a, b)`."""

    @leaf
    def sort_by(places, n, of):
        gap = 1
        while gap < n // 3:
            gap = 3 * gap + 1
        while gap:
            for k in range(gap, n):
                one, place = places[k], k
                while place >= gap and before(of, one, places[place - gap]):
                    places[place] = places[place - gap]
                    place -= gap
                places[place] = one
            gap //= 3

    return sort_by


@sorter
@leaf
def sort_by_keys(keys, a, b):
    return keys[a] < keys[b]


@leaf
def words(n):
    """Return the number of words for a set of n numbers, one bit each."""
    return (n + 63) // 64


@leaf
def put(masks, row, number):
    masks[row, number >> 6] |= np.uint64(1) << np.uint64(number & 63)


@leaf
def take(masks, row, number):
    """Remove a number that is in the set."""
    masks[row, number >> 6] ^= np.uint64(1) << np.uint64(number & 63)


@leaf
def has(masks, row, number):
    return (masks[row, number >> 6] >> np.uint64(number & 63)) & np.uint64(1) != np.uint64(0)


@leaf
def ones(word):
    """Return the number of bits that are set in a word."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + (
        (word >> np.uint64(2)) & np.uint64(0x3333333333333333)
    )
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@leaf
def size(masks, row):
    total = 0
    for w in range(masks.shape[1]):
        total += ones(masks[row, w])
    return total


@leaf
def clear(masks, row):
    for w in range(masks.shape[1]):
        masks[row, w] = 0


@leaf
def copy(masks, row, others, other):
    """Make a set equal to another."""
    for w in range(masks.shape[1]):
        masks[row, w] = others[other, w]


@leaf
def add(masks, row, others, other):
    """Add the numbers of another set to a set."""
    for w in range(masks.shape[1]):
        masks[row, w] |= others[other, w]


@leaf
def meets(a, row, b, other):
    """Return True if two sets have a number in common."""
    for w in range(a.shape[1]):
        if a[row, w] & b[other, w] != np.uint64(0):
            return True
    return False


@leaf
def within(a, row, b, other):
    """Return True if the first set is a subset of the second."""
    for w in range(a.shape[1]):
        if a[row, w] & ~b[other, w] != np.uint64(0):
            return False
    return True


@leaf
def compared(a, row, b, other):
    """Return -1, 0 or 1 if the first mask, read as a number, is smaller, equal or larger."""
    for w in range(a.shape[1] - 1, -1, -1):
        if a[row, w] != b[other, w]:
            return -1 if a[row, w] < b[other, w] else 1
    return 0


@leaf
def same_cost(a, b):
    """Return True if two costs are equal up to the order in which weights were added.

    It compares as hierarchy.same_cost.
    """
    return a == b or abs(a - b) <= max(1e-9 * max(abs(a), abs(b)), 1e-12)


@leaf
def reach(start, ptr, idx, mark, stamp, found, count):
    """Append `start` and all unmarked nodes reachable from it to `found`. Return the new length."""
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
def list_ancestors(lo, hi, labels, edges, unit, lists):
    """Fill the lists of some labels. List k is at `ends[k]:ends[k + 1]`.

    `edges` are upward, with their weights. If `unit`, every edge costs 1, and the lists are in the
    order of costs. Otherwise larger class numbers come first, because a parent's number is smaller
    than a child's.
    """
    (ptr, idx, weight), (ends, nodes, costs) = edges, lists
    mark = np.full(len(ptr) - 1, -1, np.int32)
    found = np.empty(len(ptr) - 1, np.int32)
    cost = np.empty(len(ptr) - 1)
    for k in range(lo, hi):
        if unit:
            _list_by_steps(labels[k], k, edges, mark, ends[k], nodes, costs)
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
def _list_by_steps(start, stamp, edges, mark, done, nodes, costs):
    """List a class's ancestors from the place `done` on, if every edge costs 1."""
    ptr, idx, _ = edges
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
