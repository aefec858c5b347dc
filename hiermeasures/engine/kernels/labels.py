"""Kernels that find the numbers of labels in arrays of text, by a hash table over their code
points.
"""

import numpy as np

from hiermeasures.engine.compiled import kernel, leaf


@leaf
def _hash(codes, row):
    """FNV-1a over the code points, without trailing zeros."""
    length = codes.shape[1]
    while length and codes[row, length - 1] == 0:
        length -= 1
    value = np.uint64(14695981039346656037)
    for w in range(length):
        value = (value ^ np.uint64(codes[row, w])) * np.uint64(1099511628211)
    return value ^ (value >> np.uint64(29))


@leaf
def _same(a, row, b, other):
    """Return True if two rows of code points are equal, trailing zeros ignored."""
    for w in range(max(a.shape[1], b.shape[1])):
        x = a[row, w] if w < a.shape[1] else np.uint32(0)
        y = b[other, w] if w < b.shape[1] else np.uint32(0)
        if x != y:
            return False
    return True


@kernel
def look_up(known, texts):
    """For each row of `texts` the row of `known` with the same text, -1 where there is none."""
    size = 4
    while size < 2 * len(known):
        size *= 2
    table = np.full(size, -1, np.int64)
    last = np.uint64(size - 1)
    for k in range(len(known)):
        place = _hash(known, k) & last
        while table[place] >= 0:
            place = (place + np.uint64(1)) & last
        table[place] = k
    found = np.empty(len(texts), np.int64)
    for k in range(len(texts)):
        place = _hash(texts, k) & last
        while table[place] >= 0 and not _same(known, table[place], texts, k):
            place = (place + np.uint64(1)) & last
        found[k] = table[place]
    return found
