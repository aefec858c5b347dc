"""The first half of the exact search over arrays: the smallest sets of LCAs that serve every class, as
hiermeasures.measures.lca_exact finds them.
"""

import numpy as np

from hiermeasures.batch.compiled import inner, leaf
from hiermeasures.batch.kernels.bits import add, clear, compared, copy, has, meets, put, size, within
from hiermeasures.batch.kernels.lca_problem import spend
from hiermeasures.batch.kernels.lca_work import most_entered
from hiermeasures.measures.lca_exact import DEEPEST


@leaf
def _smallest(masks, start, stop):
    """The row of the smallest set, the first of several."""
    best, least = start, size(masks, start)
    for k in range(start + 1, stop):
        many = size(masks, k)
        if many < least:
            best, least = k, many
    return best


@inner
def _packing(masks, start, stop, n_numbers):
    """How many of the sets, smaller ones first, are disjoint."""
    used = np.zeros((1, masks.shape[1]), np.uint64)
    count, left, many = 0, stop - start, 0
    while left:
        many += 1
        for k in range(start, stop):
            if size(masks, k) == many:
                left -= 1
                if not meets(masks, k, used, 0):
                    add(used, 0, masks, k)
                    count += 1
        if many > n_numbers:
            break
    return count


@inner
def _distinct(own):
    """The sets of own LCAs without those that hold another one, smaller ones first, equally large ones by their
    numbers.
    """
    order = np.arange(len(own))
    kept = np.empty_like(own)
    n_kept = 0
    for k in range(len(order)):
        place = k
        while place and _smaller(own, k, order[place - 1]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = k
    for k in order:
        redundant = False
        for j in range(n_kept):
            redundant = redundant or within(kept, j, own, k)
        if not redundant:
            copy(kept, n_kept, own, k)
            n_kept += 1
    return kept[:n_kept]


@leaf
def _smaller(masks, a, b):
    many, others = size(masks, a), size(masks, b)
    return many < others or (many == others and compared(masks, a, masks, b) < 0)


@inner
def smallest_sets(problem, at_most, by_structure, spent):
    """_SmallestSets.search: the sets, how many, their size, and whether the search is complete; and how many steps it
    may take in other orders of the nodes.

    Where nodes are not numbered by structure it is given up if these may exceed the bound on work.
    """
    kept = _distinct(problem.own)
    n_words = kept.shape[1]
    forced = np.zeros((1, n_words), np.uint64)
    for k in range(len(kept)):
        if size(kept, k) == 1:
            add(forced, 0, kept, k)
    n_open = 0
    for k in range(len(kept)):
        if not meets(kept, k, forced, 0):
            copy(kept, n_open, kept, k)
            n_open += 1
    fixed = size(forced, 0)
    found = np.zeros((4, n_words), np.uint64)
    most = 0.0
    for more in range(_packing(kept, 0, n_open, 64 * n_words), at_most - fixed + 1):
        most = most_entered(kept, n_open, more)
        if more > DEEPEST or (not by_structure and most > spent[1]):
            return found, 0, fixed + more, False, most
        found, n_found, complete = _extend(forced, kept, n_open, more, found, spent)
        if n_found or not complete:
            return found, n_found, fixed + more, complete, most
    return found, 0, at_most, True, most


@inner
def _extend(forced, still_open, n_open, more, found, spent):
    """_SmallestSets._extend, with the recursion spelled out: level d holds what is chosen and open after d further
    LCAs.

    The sets still open at level d are rows from `d * n_open` on, `count[d]` of them.
    """
    n_words = forced.shape[1]
    opens = np.zeros(((more + 1) * max(n_open, 1), n_words), np.uint64)
    chosen, tried, branch = _levels(more + 1, n_words)
    count, following = np.zeros(more + 1, np.int64), np.zeros(more + 1, np.int64)
    for k in range(n_open):
        copy(opens, k, still_open, k)
    count[0] = n_open
    copy(chosen, 0, forced, 0)
    depth, n_found, entering = 0, 0, True
    while depth >= 0:
        first = depth * n_open
        if entering:
            entering = False
            if spend(spent, 1):
                return found, n_found, False
            if count[depth] == 0:
                if n_found == len(found):
                    larger = np.zeros((2 * n_found, n_words), np.uint64)
                    for k in range(n_found):
                        copy(larger, k, found, k)
                    found = larger
                copy(found, n_found, chosen, depth)
                n_found += 1
                depth -= 1
                continue
            if _packing(opens, first, first + count[depth], 64 * n_words) > more - depth:
                depth -= 1
                continue
            copy(branch, depth, opens, _smallest(opens, first, first + count[depth]))
            clear(tried, depth)
            following[depth] = 0
        lca = following[depth]
        while lca < 64 * n_words and not has(branch, depth, lca):
            lca += 1
        if lca == 64 * n_words:
            depth -= 1
            continue
        following[depth] = lca + 1
        possible = True
        rest = 0
        for k in range(first, first + count[depth]):
            if not has(opens, k, lca):
                some = np.uint64(0)
                for w in range(n_words):
                    opens[first + n_open + rest, w] = opens[k, w] & ~tried[depth, w]
                    some |= opens[first + n_open + rest, w]
                possible = possible and some != np.uint64(0)
                rest += 1
        put(tried, depth, lca)
        if possible:
            count[depth + 1] = rest
            copy(chosen, depth + 1, chosen, depth)
            put(chosen, depth + 1, lca)
            depth += 1
            entering = True
    return found, n_found, True


@inner
def _levels(n, n_words):
    return np.zeros((n, n_words), np.uint64), np.zeros((n, n_words), np.uint64), np.zeros((n, n_words), np.uint64)
