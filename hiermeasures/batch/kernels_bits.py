"""Sets of small numbers as bit masks over several 64-bit words, for kernels. The first word holds the smallest numbers."""

import numpy as np

from hiermeasures.batch.compiled import kernel


@kernel
def words(n):
    """How many words hold n numbers."""
    return (n + 63) // 64


@kernel
def put(mask, number):
    mask[number >> 6] |= np.uint64(1) << np.uint64(number & 63)


@kernel
def has(mask, number):
    return (mask[number >> 6] >> np.uint64(number & 63)) & np.uint64(1) != np.uint64(0)


@kernel
def ones(word):
    """The number of bits set in a word."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@kernel
def size(mask):
    total = 0
    for w in range(len(mask)):
        total += ones(mask[w])
    return total


@kernel
def add(mask, other):
    for w in range(len(mask)):
        mask[w] |= other[w]


@kernel
def meets(a, b):
    """Whether two sets have a number in common."""
    for w in range(len(a)):
        if a[w] & b[w] != np.uint64(0):
            return True
    return False


@kernel
def within(a, b):
    """Whether all of the first set is in the second."""
    for w in range(len(a)):
        if a[w] & ~b[w] != np.uint64(0):
            return False
    return True


@kernel
def compared(a, b):
    """-1, 0 or 1 as the first mask, read as a number, is smaller, equal or larger."""
    for w in range(len(a) - 1, -1, -1):
        if a[w] != b[w]:
            return -1 if a[w] < b[w] else 1
    return 0
