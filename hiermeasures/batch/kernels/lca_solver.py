"""Kernels that solve Problem 2 as hiermeasures.measures.lca_solvers says: the same searches, tie rules and bound on
work.

Nodes and LCAs are small numbers, sets of them bit masks. What the parts of the search are for is said there; each
function here carries the name of its model. The two are equal in what they return and, where nodes are numbered by
structure, step for step in the work they count, so that "auto" turns to the greedy graphs for the same instances. Nodes
may have any numbers where those do not matter, which lca_work tells. The kernels of one search share its arrays and are
compiled together, so they stay in one module.
"""

from collections import namedtuple

import numpy as np

from hiermeasures.batch.compiled import inner, leaf
from hiermeasures.batch.kernels.bits import add, clear, compared, copy, has, meets, ones, put, size, take, within
from hiermeasures.batch.kernels.lca_work import most_entered, most_searched

DEEPEST = 200
SOLVED, EXHAUSTED, UNSURE = 0, 1, 2

# One instance. Classes are numbered true ones first (`n_true` of them); `own` holds the mask of each class's own LCAs,
# `near[q, l]` is whether a class is nearest below an LCA, `way[q, l]` the number of its ways to it. Ways w have their
# nodes at `ptr[w]:ptr[w + 1]` of `node`, start first, with parents `parent[parent_ptr[i]:parent_ptr[i + 1]]` as places
# within the way; `nodes` and `forced` are masks, and `single` says that there is one way only. `counted` (row 0) are
# the nodes that scores count.
Problem = namedtuple("Problem", "n_true ranks own near way ptr node parent_ptr parent nodes forced single counted")

# The cheapest ways of some connections, as in a Problem.
Ways = namedtuple("Ways", "n ptr node parent_ptr parent")

# The connections of every LCA, those of LCA l at `first[l]:first[l + 1]`: connection c leads from `side[c]` by one of
# the ways `ways[ptr[c]:ptr[c + 1]]`; `open[c]` says that there is more than one, and `nodes` has the nodes of all. Row
# 2 l + side of `forced` has what is on every way of some connection of LCA l, of `reach` what is on any; `steps[l]` is
# what listing the ways counts where there is one only.
Links = namedtuple("Links", "first side ptr ways open nodes forced reach steps")

# Ways as masks: what may matter to others, what is new to the graph, and all nodes.
Options = namedtuple("Options", "relevant new nodes")

# Beginnings of ways, and what is known of them while the ways of a connection are listed; see `_ways`.
Pool = namedtuple("Pool", "options previous places last many")
OUT_OF_WORK, NO_ROOM = -1, -2


@inner
def solve(problem, limit, greedy_only, by_structure, graphs):
    """Fill `graphs` (true, predicted) with the minimal graphs. EXHAUSTED: the bound on work was met; the graphs are
    greedy's then. UNSURE, where nodes are not numbered by structure: it may be met in some other order.
    """
    links = _links(problem)
    chosen = _best_lcas(problem)
    if greedy_only:
        _best_ways(problem, links, chosen, graphs)
        return SOLVED
    spent = np.zeros(2, np.int64)
    spent[1] = limit
    found, n_found, fewest, complete, most = _smallest_sets(problem, len(chosen), by_structure, spent)
    if not by_structure and (not complete or most + most_searched(problem, links, found, n_found, limit) > limit):
        return UNSURE
    _best_ways(problem, links, chosen, graphs)
    greedy = graphs.copy()
    if n_found and fewest < len(chosen):
        clear(graphs, 0)
        clear(graphs, 1)
        _best_ways(problem, links, _members(found, 0), graphs)
    complete = complete and _search_all(problem, links, found, n_found, spent, graphs)
    if not complete:
        copy(graphs, 0, greedy, 0)
        copy(graphs, 1, greedy, 1)
        return EXHAUSTED
    return SOLVED


@leaf
def _spend(spent, steps):
    """Count steps; whether the bound on work is exceeded."""
    spent[0] += steps
    return spent[0] > spent[1]


@inner
def _members(masks, row):
    found = np.empty(size(masks, row), np.int64)
    k = 0
    for number in range(64 * masks.shape[1]):
        if has(masks, row, number):
            found[k] = number
            k += 1
    return found


@inner
def _links(problem):
    """Problem.connections of every LCA: every owner, and one way from a side that has none."""
    n_true, ranks, own, near, way = problem.n_true, problem.ranks, problem.own, problem.near, problem.way
    n_classes, n_lcas = way.shape
    most = n_lcas * (n_classes + 2)
    first, side = np.zeros(n_lcas + 1, np.int64), np.empty(most, np.int64)
    ptr, ways = np.zeros(most + 1, np.int64), np.empty(most, np.int64)
    n = 0
    for lca in range(n_lcas):
        true_owners, predicted_owners = 0, 0
        i, j = 0, n_true
        while i < n_true or j < n_classes:
            true_first = i < n_true and (j >= n_classes or ranks[i] <= ranks[j])
            q = i if true_first else j
            if has(own, q, lca):
                side[n] = 0 if true_first else 1
                ways[ptr[n]] = way[q, lca]
                ptr[n + 1] = ptr[n] + 1
                true_owners += true_first
                predicted_owners += not true_first
                n += 1
            i += true_first
            j += not true_first
        for s in range(2):
            if (predicted_owners if s else true_owners) == 0:
                side[n] = s
                ptr[n + 1] = ptr[n]
                for q in range(n_true if s else 0, n_classes if s else n_true):
                    if near[q, lca]:
                        ways[ptr[n + 1]] = way[q, lca]
                        ptr[n + 1] += 1
                n += 1
        first[lca + 1] = n
    n_words = problem.nodes.shape[1]
    links = Links(
        first,
        side,
        ptr,
        ways,
        np.zeros(n, np.bool_),
        np.zeros((n, n_words), np.uint64),
        np.zeros((2 * n_lcas, n_words), np.uint64),
        np.zeros((2 * n_lcas, n_words), np.uint64),
        np.zeros(n_lcas, np.int64),
    )
    _fill_masks(problem, links)
    return links


@leaf
def _fill_masks(problem, links):
    """What Links has beyond the connections themselves."""
    first, side, ptr, ways, is_open = links.first, links.side, links.ptr, links.ways, links.open
    for lca in range(len(first) - 1):
        for c in range(first[lca], first[lca + 1]):
            w, row = ways[ptr[c]], 2 * lca + side[c]
            is_open[c] = ptr[c + 1] - ptr[c] > 1 or not problem.single[w]
            if not is_open[c]:
                links.steps[lca] += problem.ptr[w + 1] - problem.ptr[w] + 1
            for i in range(links.nodes.shape[1]):
                common = some = problem.forced[w, i]
                for k in range(ptr[c], ptr[c + 1]):
                    common &= problem.forced[ways[k], i]
                    some |= problem.nodes[ways[k], i]
                links.nodes[c, i] = some
                links.forced[row, i] |= common
                links.reach[row, i] |= some


@leaf
def _class_masks(problem, graphs):
    """Start the graphs with the classes."""
    ranks, n_true = problem.ranks, problem.n_true
    for q in range(len(ranks)):
        put(graphs, 0 if q < n_true else 1, ranks[q])


# --- greedy -------------------------------------------------------------------------------------------------------


@leaf
def _satisfied(own, chosen):
    for q in range(len(own)):
        if not meets(own, q, chosen, 0):
            return False
    return True


@inner
def _best_lcas(problem):
    """GetBestLCAs of Algorithm 1. Its second pass over the chosen LCAs never removes one, and is left out."""
    own = problem.own
    n_lcas = problem.way.shape[1]
    connected = np.zeros(n_lcas, np.int64)
    for q in range(len(own)):
        for lca in range(n_lcas):
            connected[lca] += has(own, q, lca)
    mask = np.zeros((1, own.shape[1]), np.uint64)
    chosen = np.empty(n_lcas, np.int64)
    n = 0
    while not _satisfied(own, mask):
        lca = 0
        for other in range(1, n_lcas):
            if connected[other] > connected[lca]:
                lca = other
        connected[lca] = -1
        chosen[n] = lca
        put(mask, 0, lca)
        n += 1
    n_kept = 0
    for k in range(n):
        lca = chosen[k]
        take(mask, 0, lca)
        if not _satisfied(own, mask):
            put(mask, 0, lca)
            chosen[n_kept] = lca
            n_kept += 1
    return chosen[:n_kept]


@inner
def _best_ways(problem, links, chosen, graphs):
    """GetBestPaths of Algorithm 2: fill the graphs with classes and ways."""
    _class_masks(problem, graphs)
    for lca in chosen:
        add(graphs, 0, links.forced, 2 * lca)
        add(graphs, 1, links.forced, 2 * lca + 1)
    for lca in chosen:
        for c in range(links.first[lca], links.first[lca + 1]):
            if links.open[c]:
                _add_best_way(problem, links, c, graphs)


@inner
def _add_best_way(problem, links, c, graphs):
    """BestPath of Algorithm 2: most nodes in either graph, then most in its own, then the smaller set."""
    side, ptr, ways = links.side[c], links.ptr, links.ways
    best = np.zeros((2, graphs.shape[1]), np.uint64)  # the best way so far, and another
    best_common, best_known = -1, -1
    for k in range(ptr[c], ptr[c + 1]):
        common, known = _best_among(problem, ways[k], graphs, side, best)
        if common > best_common or (
            common == best_common and (known > best_known or (known == best_known and compared(best, 1, best, 0) < 0))
        ):
            best_common, best_known = common, known
            copy(best, 0, best, 1)
    add(graphs, side, best, 0)


@inner
def _best_among(problem, w, graphs, side, best):
    """The best of the ways w into row 1 of `best`; how many of its nodes are known to either graph, and minus those new
    to its own.
    """
    node, parent_ptr, parent = problem.node, problem.parent_ptr, problem.parent
    first, n = problem.ptr[w], problem.ptr[w + 1] - problem.ptr[w]
    common, known = np.full(n, -1, np.int64), np.zeros(n, np.int64)
    masks = np.zeros((n + 1, graphs.shape[1]), np.uint64)
    start = node[first]
    common[0] = has(graphs, 0, start) or has(graphs, 1, start)
    known[0] = has(graphs, side, start) - 1
    put(masks, 0, start)
    for i in range(n):
        for e in range(parent_ptr[first + i], parent_ptr[first + i + 1]):
            j = parent[e]
            above = node[first + j]
            there = common[i] + (has(graphs, 0, above) or has(graphs, 1, above))
            old = known[i] + has(graphs, side, above) - 1
            copy(masks, n, masks, i)
            put(masks, n, above)
            if there > common[j] or (
                there == common[j] and (old > known[j] or (old == known[j] and compared(masks, n, masks, j) < 0))
            ):
                common[j], known[j] = there, old
                copy(masks, j, masks, n)
    copy(best, 1, masks, n - 1)
    return common[n - 1], known[n - 1]


# --- the smallest sets of LCAs ------------------------------------------------------------------------------------


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
def _smallest_sets(problem, at_most, by_structure, spent):
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
            if _spend(spent, 1):
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


# --- the ways for each set ----------------------------------------------------------------------------------------


@leaf
def _bound(counted, graphs, row, reach, reach_row, unshared):
    """_WaySearch._bound: shared nodes and size of the best graphs within reach. Graphs are a row for true, the next for
    predicted.
    """
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
    """Shared nodes of two graphs, their size together, and that of the true one."""
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
    """_WaySearch._offer: keep the graphs if they beat the best ones so far (_Score.beats)."""
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


@inner
def _search_all(problem, links, found, n_found, spent, best):
    """The rest of `exact`: the sets with the best bounds first, ties by their numbers. Whether the search is
    complete.
    """
    counted, n_words, n_links = problem.counted, best.shape[1], len(links.open)
    base, reach = np.zeros((2, n_words), np.uint64), np.zeros((2, n_words), np.uint64)
    bounds, key, order = np.empty((n_found, 2), np.int64), np.empty(n_found), np.empty(n_found, np.int64)
    shared, total, _ = _scored(counted, best, 0)
    n = 0
    for k in range(n_found):
        if _spend(spent, _begin(problem, links, found, k, base, reach)):
            return False
        bounds[k, 0], bounds[k, 1] = _bound(counted, base, 0, reach, 0, 0)
        if _may_beat(bounds[k, 0], bounds[k, 1], shared, total):
            key[k] = bounds[k, 0] / max(bounds[k, 1], 1)
            order[n] = k
            n += 1
    _sort_sets(key, found, order, n)
    options, pool = _options_for(8, n_words), _pool_for(32, n_words, _longest(problem))
    open_links, ends = np.empty(n_links, np.int64), np.zeros(n_links + 1, np.int64)
    for i in range(n):
        k = order[i]
        shared, total, _ = _scored(counted, best, 0)
        if not _may_beat(bounds[k, 0], bounds[k, 1], shared, total):
            continue
        _begin(problem, links, found, k, base, reach)
        complete, options, pool = _run(problem, links, found, k, base, open_links, ends, options, pool, spent, best)
        if not complete:
            return False
    return True


@leaf
def _begin(problem, links, found, k, base, reach):
    """What graphs with the k-th set of LCAs have anyway, and what more the ways of its connections have; how many
    connections.
    """
    clear(base, 0)
    clear(base, 1)
    clear(reach, 0)
    clear(reach, 1)
    _class_masks(problem, base)
    n = 0
    for lca in range(len(links.steps)):
        if has(found, k, lca):
            n += links.first[lca + 1] - links.first[lca]
            for side in range(2):
                add(base, side, links.forced, 2 * lca + side)
                add(reach, side, links.reach, 2 * lca + side)
    return n


@leaf
def _sort_sets(key, found, order, n):
    """Put the first n sets in `order` into the order in which they are searched, as `sort` does."""
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap:
        for i in range(gap, n):
            k, place = order[i], i
            while place >= gap and _searched_before(key, found, k, order[place - gap]):
                order[place] = order[place - gap]
                place -= gap
            order[place] = k
        gap //= 3


@leaf
def _searched_before(key, found, a, b):
    return key[a] > key[b] or (key[a] == key[b] and compared(found, a, found, b) < 0)


@leaf
def _longest(problem):
    longest = 0
    for w in range(len(problem.single)):
        longest = max(longest, problem.ptr[w + 1] - problem.ptr[w])
    return longest


@inner
def _run(problem, links, found, k, base, open_links, ends, options, pool, spent, best):
    """_WaySearch.run: search the ways for one set of LCAs, where there is more than one; whether the search is
    complete, and the room for the next.
    """
    steps, n = 1, 0
    for lca in range(len(links.steps)):
        if has(found, k, lca):
            steps += links.steps[lca]
            for c in range(links.first[lca], links.first[lca + 1]):
                if links.open[c]:
                    open_links[n] = c
                    n += 1
    if _spend(spent, steps):
        return False, options, pool
    relevant, fixed = _relevant(links, open_links, n, base), base.copy()
    n_free = 0
    for j in range(n):
        before, row = spent[0], links.side[open_links[j]]
        while True:
            end = _worth_trying(problem, links, open_links[j], base, row, relevant, j, options, ends[j], pool, spent)
            if end != NO_ROOM:
                break
            spent[0] = before
            options = _larger(options, 2 * len(options.nodes))
            pool = _pool_for(2 * len(pool.previous), best.shape[1], len(pool.last))
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
    return _descend(problem, sides, options, ends, free, fixed, spent, best), options, pool


@inner
def _free(links, open_links, ends, n, n_free):
    """The open connections with several ways worth trying, those with fewest first; and the sides of all."""
    free, sides = np.empty(n_free, np.int64), np.empty(n, np.int64)
    n_free = 0
    for j in range(n):
        sides[j] = links.side[open_links[j]]
        if ends[j + 1] - ends[j] > 1:
            place = n_free
            while place and ends[free[place - 1] + 1] - ends[free[place - 1]] > ends[j + 1] - ends[j]:
                free[place] = free[place - 1]
                place -= 1
            free[place] = j
            n_free += 1
    return free, sides


@inner
def _relevant(links, open_links, n, base):
    """For each open connection the nodes, beyond what its graph has anyway, that another connection or the other graph
    may share.
    """
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
def _options_for(n, n_words):
    """Room for n options."""
    return Options(
        np.empty((n, n_words), np.uint64), np.empty((n, n_words), np.uint64), np.empty((n, n_words), np.uint64)
    )


@inner
def _pool_for(n, n_words, longest):
    """Room for n beginnings of ways that have no more than `longest` nodes."""
    return Pool(
        _options_for(n, n_words),
        np.empty(n, np.int64),
        np.empty(2 * n, np.int64),
        np.empty(longest, np.int64),
        np.empty(longest, np.int64),
    )


@inner
def _larger(options, n):
    """The options in tables for n."""
    larger = _options_for(n, options.nodes.shape[1])
    for k in range(len(options.nodes)):
        _copy_option(larger, k, options, k)
    return larger


@leaf
def _worth_trying(problem, links, c, base, row, relevant, j, options, start, pool, spent):
    """Put the ways of a connection that are worth trying into `options` from `start`. Row j of `relevant` is for it.

    Where they end, or OUT_OF_WORK, or NO_ROOM in the options or the pool.
    """
    n = start
    for k in range(links.ptr[c], links.ptr[c + 1]):
        w = links.ways[k]
        if not problem.single[w]:
            n = _ways(problem, w, base, row, relevant, j, options, n, pool, spent)
            if n < 0:
                return n
            continue
        if n == len(options.nodes):
            return NO_ROOM
        if _spend(spent, problem.ptr[w + 1] - problem.ptr[w]):
            return OUT_OF_WORK
        for i in range(base.shape[1]):
            nodes = problem.nodes[w, i]
            options.nodes[n, i] = nodes
            options.new[n, i] = nodes & ~base[row, i]
            options.relevant[n, i] = nodes & relevant[j, i]
        n += 1
    if n == start + 1:
        return OUT_OF_WORK if _spend(spent, 1) else n
    if n + n - start > len(options.nodes) or 2 * (n - start) > len(pool.places):
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
def _ways(problem, w, base, row, relevant, j, options, n, pool, spent):
    """_WaySearch._ways: append to the n options the ways that are not dominated, node by node; how many there are then.

    The pool holds the beginnings of ways, each node's as a list: `last` is its newest, `previous` the one before each.
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
    """Extend an option by a node."""
    put(options.nodes, k, node)
    if has(relevant, j, node):
        put(options.relevant, k, node)
    if not has(base, row, node):
        put(options.new, k, node)


@leaf
def _comes_before(options, a, b):
    """`_Option.order`: fewer new nodes, then the smaller set of them, then the smaller set of nodes."""
    many, others = size(options.new, a), size(options.new, b)
    if many != others:
        return many < others
    order = compared(options.new, a, options.new, b)
    if order == 0:
        order = compared(options.nodes, a, options.nodes, b)
    return order < 0


@leaf
def _sort(options, places, n):
    """Put the first n places in the order of `_comes_before`, by merging; there are n more as room."""
    here, there, width = 0, n, 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle, end = min(start + width, n), min(start + 2 * width, n)
            i, j = start, middle
            for k in range(start, end):
                if i < middle and (j >= end or not _comes_before(options, places[here + j], places[here + i])):
                    places[there + k] = places[here + i]
                    i += 1
                else:
                    places[there + k] = places[here + j]
                    j += 1
        here, there = there, here
        width *= 2
    if here:
        for k in range(n):
            places[k] = places[n + k]


@leaf
def _undominated(options, places, n, spent):
    """Bring to the front of n places the options that no smaller one with the same relevant nodes or more replaces; how
    many, or -1.
    """
    if n > 1:
        _sort(options, places, n)
    n_kept = 0
    for i in range(n):
        option = places[i]
        if _spend(spent, 1 + n_kept // 8):
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


@inner
def _descend(problem, side, options, ends, free, fixed, spent, best):
    """The recursion of _WaySearch.run, spelled out: level d has the graphs after the ways of d free connections are
    chosen.
    """
    counted, option_nodes = problem.counted, options.nodes
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
            if _spend(spent, 1):
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
    """_WaySearch._reach_after."""
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
