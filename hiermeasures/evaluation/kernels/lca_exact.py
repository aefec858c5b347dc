"""Second half of the exact search over arrays: the best paths for each smallest set of LCAs.

It is a branch and bound over the paths that no other path of their connection dominates, as in
`explain`.
"""

from collections import namedtuple

import numpy as np

from hiermeasures.evaluation.compiled import inner, leaf
from hiermeasures.evaluation.kernels.arrays import (
    add,
    clear,
    compared,
    copy,
    has,
    ones,
    put,
    size,
    sorter,
    within,
)
from hiermeasures.evaluation.kernels.lca_problem import class_masks, spend
from hiermeasures.measures.lca_solvers import DEEPEST


@inner
def search_all(problem, links, found, n_found, spent, best):
    """Search all smallest sets of LCAs, the best bounds first. Return True if it is complete.

    The model is the second half of lca_solvers.exact.
    """
    counted, n_words, n_links = problem.counted, best.shape[1], len(links.open)
    base, reach = np.zeros((2, n_words), np.uint64), np.zeros((2, n_words), np.uint64)
    bounds, key, order = (
        np.empty((n_found, 2), np.int64),
        np.empty(n_found),
        np.empty(n_found, np.int64),
    )
    shared, total, _ = _scored(counted, best, 0)
    n = 0
    for k in range(n_found):
        if spend(spent, _begin(problem, links, found, k, base, reach)):
            return False
        bounds[k, 0], bounds[k, 1] = _bound(counted, base, 0, reach, 0, 0)
        if _may_beat(bounds[k, 0], bounds[k, 1], shared, total):
            key[k] = bounds[k, 0] / max(bounds[k, 1], 1)
            order[n] = k
            n += 1
    _sort_sets(order, n, (key, found))
    options, pool = options_for(8, n_words), pool_for(32, n_words, _longest(problem))
    open_links, ends = np.empty(n_links, np.int64), np.zeros(n_links + 1, np.int64)
    for i in range(n):
        k = order[i]
        shared, total, _ = _scored(counted, best, 0)
        if not _may_beat(bounds[k, 0], bounds[k, 1], shared, total):
            continue
        _begin(problem, links, found, k, base, reach)
        complete, options, pool = _run(
            problem, links, (found, k, base), (open_links, ends), (options, pool), spent, best
        )
        if not complete:
            return False
    return True


@leaf
def _begin(problem, links, found, k, base, reach):
    """Fill `base` and `reach` with the graphs of the k-th set. Return the number of connections."""
    clear(base, 0)
    clear(base, 1)
    clear(reach, 0)
    clear(reach, 1)
    class_masks(problem, base)
    n = 0
    for lca in range(len(links.steps)):
        if has(found, k, lca):
            n += links.first[lca + 1] - links.first[lca]
            for side in range(2):
                add(base, side, links.forced, 2 * lca + side)
                add(reach, side, links.reach, 2 * lca + side)
    return n


@sorter
@leaf
def _sort_sets(of, a, b):
    key, found = of
    return key[a] > key[b] or (key[a] == key[b] and compared(found, a, found, b) < 0)


@leaf
def _longest(problem):
    longest = 0
    for w in range(len(problem.single)):
        longest = max(longest, problem.ptr[w + 1] - problem.ptr[w])
    return longest


@inner
def _run(problem, links, chosen, opened, room, spent, best):
    """Search the paths for one set of LCAs, as _WaySearch.run does.

    Return True if the search is complete, and the options and the pool, which may have grown.
    """
    (found, k, base), (open_links, ends), (options, pool) = chosen, opened, room
    steps, n = 1, 0
    for lca in range(len(links.steps)):
        if has(found, k, lca):
            steps += links.steps[lca]
            for c in range(links.first[lca], links.first[lca + 1]):
                if links.open[c]:
                    open_links[n] = c
                    n += 1
    if spend(spent, steps):
        return False, options, pool
    relevant, fixed = _relevant(links, open_links, n, base), base.copy()
    n_free = 0
    for j in range(n):
        before, row = spent[0], links.side[open_links[j]]
        while True:
            graph = (base, row, relevant, j)
            end = worth_trying(
                problem, links, open_links[j], graph, ends[j], (options, pool), spent
            )
            if end != NO_ROOM:
                break
            spent[0] = before
            options = larger(options, 2 * len(options.nodes))
            pool = pool_for(2 * len(pool.previous), best.shape[1], len(pool.last))
        if end == OUT_OF_WORK:
            return False, options, pool
        ends[j + 1] = end
        if end - ends[j] == 1:
            add(fixed, row, options.nodes, ends[j])
        else:
            n_free += 1
    if n_free == 0:
        _offer(problem.counted, fixed, 0, best)
        return True, options, pool
    spent[0] -= 1
    if n_free > DEEPEST:
        return False, options, pool
    free, sides = _free(links, open_links, ends, n, n_free)
    complete = _descend(problem, (sides, ends, free), options, fixed, spent, best)
    return complete, options, pool


@inner
def _free(links, open_links, ends, n, n_free):
    """Return the open connections with several paths, fewest paths first, and the sides of all."""
    free, sides = np.empty(n_free, np.int64), np.empty(n, np.int64)
    n_free = 0
    for j in range(n):
        sides[j] = links.side[open_links[j]]
        if ends[j + 1] - ends[j] > 1:
            free[n_free] = j
            n_free += 1
    _sort_by_options(free, n_free, ends)
    return free, sides


@sorter
@leaf
def _sort_by_options(ends, a, b):
    many, others = ends[a + 1] - ends[a], ends[b + 1] - ends[b]
    return many < others or (many == others and a < b)


@inner
def _relevant(links, open_links, n, base):
    """Return, for each open connection, the nodes that another connection or graph may share."""
    n_words = base.shape[1]
    relevant = np.empty((n, n_words), np.uint64)
    once, again = base.copy(), np.zeros((2, n_words), np.uint64)
    for j in range(n):
        c = open_links[j]
        s = links.side[c]
        for w in range(n_words):
            again[s, w] |= once[s, w] & links.nodes[c, w]
            once[s, w] |= links.nodes[c, w]
    for j in range(n):
        s = links.side[open_links[j]]
        for w in range(n_words):
            relevant[j, w] = (again[s, w] | once[1 - s, w]) & ~base[s, w]
    return relevant


@inner
def _descend(problem, links, options, fixed, spent, best):
    """Choose a path for each open connection, as _WaySearch.run does, but without recursion.

    Level d has the graphs after d connections have a path. Return True if the search is complete.
    """
    (side, ends, free), counted, option_nodes = links, problem.counted, options.nodes
    n_free, n_words = len(free), best.shape[1]
    reach, unshared = _reach_after(side, options, ends, free, n_words)
    at = np.zeros((2 * (n_free + 1), n_words), np.uint64)
    copy(at, 0, fixed, 0)
    copy(at, 1, fixed, 1)
    following = np.zeros(n_free + 1, np.int64)
    best_shared, best_total, _ = _scored(counted, best, 0)
    depth, entering = 0, True
    while depth >= 0:
        if entering:
            entering = False
            if spend(spent, 1):
                return False
            if depth == n_free:
                _offer(counted, at, 2 * depth, best)
                best_shared, best_total, _ = _scored(counted, best, 0)
                depth -= 1
                continue
            shared, total = _bound(counted, at, 2 * depth, reach, 2 * depth, unshared[depth])
            if not _may_beat(shared, total, best_shared, best_total):
                depth -= 1
                continue
            following[depth] = ends[free[depth]]
        c = free[depth]
        option = following[depth]
        if option == ends[c + 1]:
            depth -= 1
            continue
        following[depth] = option + 1
        copy(at, 2 * depth + 2, at, 2 * depth)
        copy(at, 2 * depth + 3, at, 2 * depth + 1)
        add(at, 2 * depth + 2 + side[c], option_nodes, option)
        depth += 1
        entering = True
    return True


@inner
def _reach_after(side, options, ends, free, n_words):
    option_new, option_relevant = options.new, options.relevant
    n_free = len(free)
    reach = np.zeros((2 * (n_free + 1), n_words), np.uint64)
    unshared = np.zeros(n_free + 1, np.int64)
    for d in range(n_free - 1, -1, -1):
        c = free[d]
        copy(reach, 2 * d, reach, 2 * d + 2)
        copy(reach, 2 * d + 1, reach, 2 * d + 3)
        least = -1
        for option in range(ends[c], ends[c + 1]):
            add(reach, 2 * d + side[c], option_relevant, option)
            alone = 0
            for w in range(n_words):
                alone += ones(option_new[option, w] & ~option_relevant[option, w])
            least = alone if least < 0 else min(least, alone)
        unshared[d] = unshared[d + 1] + least
    return reach, unshared


@leaf
def _bound(counted, graphs, row, reach, reach_row, unshared):
    """Return shared nodes and size of the best graphs within reach, as _WaySearch._bound does."""
    shared, total = 0, 0
    for w in range(counted.shape[1]):
        mask = counted[0, w]
        t, p = graphs[row, w], graphs[row + 1, w]
        t_reach, p_reach = reach[reach_row, w] | t, reach[reach_row + 1, w] | p
        half = ones(((t & ~p & p_reach) | (p & ~t & t_reach)) & mask)
        whole = ones(t_reach & p_reach & ~(t | p) & mask)
        shared += ones(t & p & mask) + half + whole
        total += ones(t & mask) + ones(p & mask) + half + 2 * whole
    return shared, total + unshared


@leaf
def _scored(counted, graphs, row):
    shared, true, predicted = 0, 0, 0
    for w in range(counted.shape[1]):
        t, p = graphs[row, w] & counted[0, w], graphs[row + 1, w] & counted[0, w]
        shared += ones(t & p)
        true += ones(t)
        predicted += ones(p)
    return shared, true + predicted, true


@leaf
def _may_beat(shared, total, best_shared, best_total):
    mine, theirs = shared * best_total, best_shared * total
    return mine > theirs or (mine == theirs and (total <= best_total or 2 * shared == total))


@leaf
def _offer(counted, graphs, row, best):
    """Keep the graphs if they beat the best ones so far, as _WaySearch._offer and _Score.beats."""
    shared, total, true = _scored(counted, graphs, row)
    best_shared, best_total, best_true = _scored(counted, best, 0)
    order = shared * best_total - best_shared * total
    if order == 0:
        order = best_total - total
    if order == 0:
        order = abs(2 * best_true - best_total) - abs(2 * true - total)
    if order == 0:
        order = true - best_true
    if order > 0:
        copy(best, 0, graphs, row)
        copy(best, 1, graphs, row + 1)


# Paths as three masks: nodes that may matter to other paths, nodes new to the graph, and all nodes.
Options = namedtuple("Options", "relevant new nodes")

# Beginnings of paths while the paths of a connection are listed. `_paths` describes the fields.
Pool = namedtuple("Pool", "options previous places last many")
OUT_OF_WORK, NO_ROOM = -1, -2


@inner
def options_for(n, n_words):
    """Return room for n options."""
    return Options(
        np.empty((n, n_words), np.uint64),
        np.empty((n, n_words), np.uint64),
        np.empty((n, n_words), np.uint64),
    )


@inner
def pool_for(n, n_words, longest):
    """Return room for n beginnings of paths with at most `longest` nodes."""
    return Pool(
        options_for(n, n_words),
        np.empty(n, np.int64),
        np.empty(n, np.int64),
        np.empty(longest, np.int64),
        np.empty(longest, np.int64),
    )


@inner
def larger(options, n):
    """Return the options in larger tables, with room for n."""
    larger = options_for(n, options.nodes.shape[1])
    for k in range(len(options.nodes)):
        _copy_option(larger, k, options, k)
    return larger


@leaf
def worth_trying(problem, links, c, graph, start, room, spent):
    """Write the paths of a connection that no other path dominates into the options from `start`.

    `graph` has the row of `base` with the connection's graph, and the connection's row of
    `relevant`. Return the end of these options. Return OUT_OF_WORK if the bound on work is
    exceeded, and NO_ROOM if the options or the pool are too small.
    """
    (base, row, relevant, j), (options, pool) = graph, room
    n = start
    for k in range(links.ptr[c], links.ptr[c + 1]):
        w = links.paths[k]
        if not problem.single[w]:
            n = _paths(problem, w, graph, options, n, pool, spent)
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
def _paths(problem, w, graph, options, n, pool, spent):
    """Append the paths that are not dominated, node by node, as _WaySearch._ways does.

    Return the new number of options, or an error as `worth_trying`. The pool contains the
    beginnings of paths, as a list for each node. `last` is the newest beginning of a node, and
    `previous` is the one before each beginning.
    """
    first, n_nodes = problem.ptr[w], problem.ptr[w + 1] - problem.ptr[w]
    for i in range(n_nodes):
        pool.last[i], pool.many[i] = -1, 0
    clear(pool.options.relevant, 0)
    clear(pool.options.new, 0)
    clear(pool.options.nodes, 0)
    _grow(pool.options, 0, problem.node[first], graph)
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
                _grow(pool.options, filled, problem.node[first + above], graph)
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
def _grow(options, k, node, graph):
    base, row, relevant, j = graph
    put(options.nodes, k, node)
    if has(relevant, j, node):
        put(options.relevant, k, node)
    if not has(base, row, node):
        put(options.new, k, node)


@sorter
@leaf
def _sort(options, a, b):
    """Return True if option a comes before option b, as `_Option.order` says.

    Fewer new nodes come first, then the smaller set of new nodes, then the smaller set of all.
    """
    many, others = size(options.new, a), size(options.new, b)
    if many != others:
        return many < others
    order = compared(options.new, a, options.new, b)
    if order == 0:
        order = compared(options.nodes, a, options.nodes, b)
    return order < 0


@leaf
def _undominated(options, places, n, spent):
    """Move the options that no smaller one dominates to the front.

    Return their number, or -1 if the bound on work is exceeded.
    """
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
