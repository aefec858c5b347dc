"""Sorting for kernels: numba's own sorts take most of a second each to compile, for every type of
array.
"""

from hiermeasures.engine.compiled import leaf


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
    """A function that puts the first n places in the order of `before(of, a, b)`."""

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
