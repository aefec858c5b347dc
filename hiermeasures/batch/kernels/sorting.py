"""Sorting for kernels: numba's own sorts take most of a second each to compile, for every type of array."""

from hiermeasures.batch.compiled import leaf


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
    """How many of some values in rising order are smaller than this one."""
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@leaf
def order_by(keys, order):
    """Fill `order` with the places of a few keys, the smallest key first; equal ones stay in their order."""
    for k in range(len(keys)):
        place = k
        while place and keys[k] < keys[order[place - 1]]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = k
