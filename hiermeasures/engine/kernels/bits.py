"""Sets of small numbers as bit masks over several 64-bit words, for kernels: a set is a row of a
table of masks.

Rows are named by table and number rather than cut out, because a view counts references, which
takes longer than the work. The first word holds the smallest numbers.
"""

import numpy as np

from hiermeasures.engine.compiled import leaf


@leaf
def words(n):
    """Number of words that hold n numbers."""
    return (n + 63) // 64


@leaf
def put(masks, row, number):
    masks[row, number >> 6] |= np.uint64(1) << np.uint64(number & 63)


@leaf
def take(masks, row, number):
    """Take out a number that is in the set."""
    masks[row, number >> 6] ^= np.uint64(1) << np.uint64(number & 63)


@leaf
def has(masks, row, number):
    return (masks[row, number >> 6] >> np.uint64(number & 63)) & np.uint64(1) != np.uint64(0)


@leaf
def ones(word):
    """The number of bits set in a word."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
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
    """Put the numbers of another set into a set."""
    for w in range(masks.shape[1]):
        masks[row, w] |= others[other, w]


@leaf
def meets(a, row, b, other):
    """True if two sets have a number in common."""
    for w in range(a.shape[1]):
        if a[row, w] & b[other, w] != np.uint64(0):
            return True
    return False


@leaf
def within(a, row, b, other):
    """True if all of the first set is in the second."""
    for w in range(a.shape[1]):
        if a[row, w] & ~b[other, w] != np.uint64(0):
            return False
    return True


@leaf
def compared(a, row, b, other):
    """-1, 0 or 1 as the first mask, read as a number, is smaller, equal or larger."""
    for w in range(a.shape[1] - 1, -1, -1):
        if a[row, w] != b[other, w]:
            return -1 if a[row, w] < b[other, w] else 1
    return 0
