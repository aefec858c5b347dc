"""Paths of a connection that no other path dominates, as in `explain`."""

from collections import namedtuple

import numpy as np

from hiermeasures.engine.compiled import inner, leaf
from hiermeasures.engine.kernels.bits import clear, compared, copy, has, put, size, within
from hiermeasures.engine.kernels.lca_problem import spend
from hiermeasures.engine.kernels.sorting import sorter

# Paths as masks: what may matter to others, what is new to the graph, and all nodes.
Options = namedtuple("Options", "relevant new nodes")

# Beginnings of paths, and what is known of them while the paths of a connection are listed; see
# `_paths`.
Pool = namedtuple("Pool", "options previous places last many")
OUT_OF_WORK, NO_ROOM = -1, -2


@inner
def options_for(n, n_words):
    """Room for n options."""
    return Options(
        np.empty((n, n_words), np.uint64), np.empty((n, n_words), np.uint64), np.empty((n, n_words), np.uint64)
    )


@inner
def pool_for(n, n_words, longest):
    """Room for n beginnings of paths that have no more than `longest` nodes."""
    return Pool(
        options_for(n, n_words),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(longest, np.int64),
        np.empty(longest, np.int64),
    )


@inner
def larger(options, n):
    """The options in tables for n."""
    larger = options_for(n, options.nodes.shape[1])
    for k in range(len(options.nodes)):
        _copy_option(larger, k, options, k)
    return larger


@leaf
def worth_trying(problem, links, c, base, row, relevant, j, options, start, pool, spent):
    """Put the paths of a connection that are worth trying into `options` from `start`. Row j of
    `relevant` is for it.

    Where they end, or OUT_OF_WORK, or NO_ROOM in the options or the pool.
    """
    n = start
    for k in range(links.ptr[c], links.ptr[c + 1]):
        w = links.paths[k]
        if not problem.single[w]:
            n = _paths(problem, w, base, row, relevant, j, options, n, pool, spent)
            if n < 0:
                return n
            continue
        if n == len(options.nodes):
            return NO_ROOM
        if spend(spent, problem.ptr[w + 1] - problem.ptr[w]):
            return OUT_OF_WORK
        for i in range(base.shape[1]):
            nodes = problem.nodes[w, i]
            options.nodes[n, i] = nodes
            options.new[n, i] = nodes & ~base[row, i]
            options.relevant[n, i] = nodes & relevant[j, i]
        n += 1
    if n == start + 1:
        return OUT_OF_WORK if spend(spent, 1) else n
    if n + n - start > len(options.nodes) or n - start > len(pool.places):
        return NO_ROOM
    for k in range(n - start):
        pool.places[k] = start + k
    n_kept = _undominated(options, pool.places, n - start, spent)
    if n_kept < 0:
        return OUT_OF_WORK
    for k in range(n_kept):
        _copy_option(options, n + k, options, pool.places[k])
    for k in range(n_kept):
        _copy_option(options, start + k, options, n + k)
    return start + n_kept


@leaf
def _copy_option(to, k, options, other):
    copy(to.relevant, k, options.relevant, other)
    copy(to.new, k, options.new, other)
    copy(to.nodes, k, options.nodes, other)


@leaf
def _paths(problem, w, base, row, relevant, j, options, n, pool, spent):
    """_WaySearch._ways: append the paths that are not dominated, node by node; return the new
    number of options.

    The pool holds the beginnings of paths, each node's as a list: `last` is its newest, `previous`
    the one before each.
    """
    first, n_nodes = problem.ptr[w], problem.ptr[w + 1] - problem.ptr[w]
    for i in range(n_nodes):
        pool.last[i], pool.many[i] = -1, 0
    clear(pool.options.relevant, 0)
    clear(pool.options.new, 0)
    clear(pool.options.nodes, 0)
    _grow(pool.options, 0, problem.node[first], base, row, relevant, j)
    pool.last[0], pool.many[0], pool.previous[0] = 0, 1, -1
    filled = 1
    for i in range(n_nodes):
        newest, many = pool.last[i], pool.many[i]
        for k in range(many - 1, -1, -1):
            pool.places[k] = newest
            newest = pool.previous[newest]
        n_kept = _undominated(pool.options, pool.places, many, spent)
        if n_kept < 0:
            return OUT_OF_WORK
        parents = problem.parent_ptr[first + i + 1] - problem.parent_ptr[first + i]
        if filled + n_kept * parents > len(pool.previous) or n + n_kept > len(options.nodes):
            return NO_ROOM
        for e in range(problem.parent_ptr[first + i], problem.parent_ptr[first + i + 1]):
            above = problem.parent[e]
            for k in range(n_kept):
                _copy_option(pool.options, filled, pool.options, pool.places[k])
                _grow(pool.options, filled, problem.node[first + above], base, row, relevant, j)
                pool.previous[filled] = pool.last[above]
                pool.last[above] = filled
                pool.many[above] += 1
                filled += 1
        if i == n_nodes - 1:
            for k in range(n_kept):
                _copy_option(options, n + k, pool.options, pool.places[k])
            n += n_kept
    return n


@leaf
def _grow(options, k, node, base, row, relevant, j):
    put(options.nodes, k, node)
    if has(relevant, j, node):
        put(options.relevant, k, node)
    if not has(base, row, node):
        put(options.new, k, node)


@sorter
@leaf
def _sort(options, a, b):
    """`_Option.order`: fewer new nodes, then the smaller set of them, then of all nodes."""
    many, others = size(options.new, a), size(options.new, b)
    if many != others:
        return many < others
    order = compared(options.new, a, options.new, b)
    if order == 0:
        order = compared(options.nodes, a, options.nodes, b)
    return order < 0


@leaf
def _undominated(options, places, n, spent):
    """Move the options that no smaller one dominates to the front; return their number, or -1."""
    _sort(places, n, options)
    n_kept = 0
    for i in range(n):
        option = places[i]
        if spend(spent, 1 + n_kept // 8):
            return -1
        dominated = False
        for k in range(n_kept):
            if within(options.relevant, option, options.relevant, places[k]):
                dominated = True
                break
        if not dominated:
            places[n_kept] = option
            n_kept += 1
    return n_kept
