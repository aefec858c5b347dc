"""Kernels that solve Problem 2 as hiermeasures.measures.lca_solvers does: the same searches, tie rules and bound on work.

Nodes and LCAs are small numbers (ranks in topological order within the instance), sets of them bit masks. What the parts of the
search are for is said there; each function here carries the name of its model. The two are equal in what they return and, step for
step, in the work they count, so that "auto" turns to the greedy graphs for the same instances.
"""

from collections import namedtuple

import numpy as np

from hiermeasures.batch.compiled import kernel
from hiermeasures.batch.kernels_bits import add, compared, has, meets, ones, put, size, within, words

DEEPEST = 200
SOLVED, EXHAUSTED = 0, 1

# One instance. Classes are numbered true ones first (`n_true` of them); `own[q]` is the mask of a class's own LCAs, `near[q, l]` whether it
# is nearest below an LCA, `way[q, l]` the number of its ways to it. Ways w have their nodes at `ptr[w]:ptr[w + 1]` of `node`, start
# first, with parents `parent[parent_ptr[i]:parent_ptr[i + 1]]` as places within the way; `nodes` and `forced` are masks.
Problem = namedtuple("Problem", "n_true ranks own near way ptr node parent_ptr parent nodes forced single counted")  # noqa: PYI024

# The connections of a set of LCAs: connection c leads from `side[c]` by one of the ways `ways[ptr[c]:ptr[c + 1]]`.
Connections = namedtuple("Connections", "n side ptr ways")  # noqa: PYI024

# Ways as masks: what may matter to others, what is new to the graph, and all nodes; `n` of them.
Options = namedtuple("Options", "relevant new nodes")  # noqa: PYI024


@kernel
def solve(problem, limit, greedy_only, graphs):
    """Fill `graphs` (true, predicted) with the minimal graphs. EXHAUSTED: the bound on work was met; the graphs are greedy's then."""
    chosen = _best_lcas(problem)
    greedy = np.zeros_like(graphs)
    _best_ways(problem, chosen, greedy)
    graphs[:] = greedy
    if greedy_only:
        return SOLVED
    spent = np.zeros(2, np.int64)
    spent[1] = limit
    found, n_found, fewest, complete = _smallest_sets(problem, len(chosen), spent)
    best_lcas = np.zeros(problem.own.shape[1], np.uint64)
    for a in chosen:
        put(best_lcas, a)
    if n_found and fewest < len(chosen):
        graphs[:] = 0
        _best_ways(problem, _members(found[0]), graphs)
        best_lcas[:] = found[0]
    complete = complete and _search_all(problem, found, n_found, spent, graphs, best_lcas)
    if not complete:
        graphs[:] = greedy
        return EXHAUSTED
    return SOLVED


@kernel
def _spend(spent, steps):
    """Count steps; whether the bound on work is exceeded."""
    spent[0] += steps
    return spent[0] > spent[1]


@kernel
def _members(mask):
    found = np.empty(size(mask), np.int64)
    k = 0
    for number in range(64 * len(mask)):
        if has(mask, number):
            found[k] = number
            k += 1
    return found


@kernel
def _connections(problem, chosen):
    """Problem.connections: every owner of each chosen LCA, and one way from a side that has none."""
    n_classes = len(problem.ranks)
    side = np.empty(len(chosen) * (n_classes + 2), np.int64)
    ptr = np.zeros(len(chosen) * (n_classes + 2) + 1, np.int64)
    ways = np.empty(len(chosen) * (n_classes + 2), np.int64)
    n = 0
    for lca in chosen:
        owners = np.zeros(2, np.int64)
        i, j = 0, problem.n_true
        while i < problem.n_true or j < n_classes:
            true_first = i < problem.n_true and (j >= n_classes or problem.ranks[i] <= problem.ranks[j])
            q = i if true_first else j
            if has(problem.own[q], lca):
                side[n] = 0 if true_first else 1
                ways[ptr[n]] = problem.way[q, lca]
                ptr[n + 1] = ptr[n] + 1
                owners[side[n]] += 1
                n += 1
            i += true_first
            j += not true_first
        for s in range(2):
            if owners[s] == 0:
                side[n] = s
                ptr[n + 1] = ptr[n]
                for q in range(problem.n_true if s else 0, n_classes if s else problem.n_true):
                    if problem.near[q, lca]:
                        ways[ptr[n + 1]] = problem.way[q, lca]
                        ptr[n + 1] += 1
                n += 1
    return Connections(n, side, ptr, ways)


@kernel
def _class_masks(problem, graphs):
    for q in range(len(problem.ranks)):
        put(graphs[1 if q >= problem.n_true else 0], problem.ranks[q])


@kernel
def _forced(problem, links, c, out):
    """What is on every way of a connection."""
    out[:] = problem.forced[links.ways[links.ptr[c]]]
    for k in range(links.ptr[c] + 1, links.ptr[c + 1]):
        out &= problem.forced[links.ways[k]]


# --- greedy -------------------------------------------------------------------------------------------------------------


@kernel
def _satisfied(problem, chosen):
    for q in range(len(problem.own)):
        if not meets(problem.own[q], chosen):
            return False
    return True


@kernel
def _best_lcas(problem):
    """GetBestLCAs of Algorithm 1. Its second pass over the chosen LCAs never removes one, and is left out."""
    n_lcas = problem.way.shape[1]
    connected = np.zeros(n_lcas, np.int64)
    for q in range(len(problem.own)):
        for lca in range(n_lcas):
            connected[lca] += has(problem.own[q], lca)
    mask = np.zeros(problem.own.shape[1], np.uint64)
    chosen = np.empty(n_lcas, np.int64)
    n = 0
    while not _satisfied(problem, mask):
        lca = connected.argmax()
        connected[lca] = -1
        chosen[n] = lca
        put(mask, lca)
        n += 1
    kept = np.empty(n, np.int64)
    n_kept = 0
    for k in range(n):
        mask[chosen[k] >> 6] ^= np.uint64(1) << np.uint64(chosen[k] & 63)
        if not _satisfied(problem, mask):
            put(mask, chosen[k])
            kept[n_kept] = chosen[k]
            n_kept += 1
    return kept[:n_kept].copy()


@kernel
def _best_ways(problem, chosen, graphs):
    """GetBestPaths of Algorithm 2: fill the graphs with classes and ways."""
    links = _connections(problem, chosen)
    forced = np.empty(graphs.shape[1], np.uint64)
    _class_masks(problem, graphs)
    for c in range(links.n):
        _forced(problem, links, c, forced)
        add(graphs[links.side[c]], forced)
    for c in range(links.n):
        add(graphs[links.side[c]], _best_way(problem, links, c, graphs))


@kernel
def _best_way(problem, links, c, graphs):
    """BestPath of Algorithm 2: most nodes in either graph, then most in its own, then the smaller set."""
    best_common, best_known = -1, -1
    best = np.zeros(graphs.shape[1], np.uint64)
    mine = graphs[links.side[c]]
    for k in range(links.ptr[c], links.ptr[c + 1]):
        w = links.ways[k]
        if problem.single[w]:
            common, known = 0, 0
            for i in range(problem.ptr[w], problem.ptr[w + 1]):
                node = problem.node[i]
                common += has(graphs[0], node) or has(graphs[1], node)
                known += has(mine, node) - 1
            mask = problem.nodes[w]
        else:
            common, known, mask = _best_among(problem, w, graphs, mine)
        if common > best_common or (common == best_common and (
            known > best_known or (known == best_known and compared(mask, best) < 0)
        )) or best_common < 0:  # fmt: skip
            best_common, best_known = common, known
            best[:] = mask
    return best


@kernel
def _best_among(problem, w, graphs, mine):
    first, n = problem.ptr[w], problem.ptr[w + 1] - problem.ptr[w]
    common, known = np.full(n, -1, np.int64), np.zeros(n, np.int64)
    masks = np.zeros((n, graphs.shape[1]), np.uint64)
    grown = np.zeros(graphs.shape[1], np.uint64)
    start = problem.node[first]
    common[0] = has(graphs[0], start) or has(graphs[1], start)
    known[0] = has(mine, start) - 1
    put(masks[0], start)
    for i in range(n):
        for e in range(problem.parent_ptr[first + i], problem.parent_ptr[first + i + 1]):
            j = problem.parent[e]
            node = problem.node[first + j]
            there = common[i] + (has(graphs[0], node) or has(graphs[1], node))
            old = known[i] + has(mine, node) - 1
            grown[:] = masks[i]
            put(grown, node)
            if there > common[j] or (there == common[j] and (
                old > known[j] or (old == known[j] and compared(grown, masks[j]) < 0)
            )):  # fmt: skip
                common[j], known[j] = there, old
                masks[j] = grown
    return common[n - 1], known[n - 1], masks[n - 1]


# --- the smallest sets of LCAs --------------------------------------------------------------------------------------------


@kernel
def _by_size(masks, n):
    """The places of n masks, smaller sets first, equal ones as they come."""
    order = np.arange(n)
    sizes = np.empty(n, np.int64)
    for k in range(n):
        sizes[k] = size(masks[k])
        place = k
        while place and sizes[order[place - 1]] > sizes[k]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = k
    return order


@kernel
def _packing(masks, n):
    used = np.zeros(masks.shape[1], np.uint64)
    count = 0
    for k in _by_size(masks, n):
        if not meets(masks[k], used):
            add(used, masks[k])
            count += 1
    return count


@kernel
def _distinct(problem):
    """The sets of own LCAs without those that hold another one, smaller ones first, equally large ones by their numbers."""
    order = np.arange(len(problem.own))
    kept = np.empty_like(problem.own)
    n_kept = 0
    for k in range(len(order)):
        place = k
        while place and _smaller(problem.own[k], problem.own[order[place - 1]]):
            order[place] = order[place - 1]
            place -= 1
        order[place] = k
    for k in order:
        redundant = False
        for j in range(n_kept):
            redundant = redundant or within(kept[j], problem.own[k])
        if not redundant:
            kept[n_kept] = problem.own[k]
            n_kept += 1
    return kept[:n_kept]


@kernel
def _smaller(a, b):
    many, others = size(a), size(b)
    return many < others or (many == others and compared(a, b) < 0)


@kernel
def _smallest_sets(problem, at_most, spent):
    """_SmallestSets.search: the sets, how many, their size, and whether the search is complete."""
    kept = _distinct(problem)
    forced = np.zeros(kept.shape[1], np.uint64)
    for k in range(len(kept)):
        if size(kept[k]) == 1:
            add(forced, kept[k])
    still_open = np.empty_like(kept)
    n_open = 0
    for k in range(len(kept)):
        if not meets(kept[k], forced):
            still_open[n_open] = kept[k]
            n_open += 1
    fixed = size(forced)
    found = np.zeros((4, kept.shape[1]), np.uint64)
    for more in range(_packing(still_open, n_open), at_most - fixed + 1):
        if more > DEEPEST:
            return found, 0, fixed + more, False
        found, n_found, complete = _extend(forced, still_open, n_open, more, found, spent)
        if n_found or not complete:
            return found, n_found, fixed + more, complete
    return found, 0, at_most, True


@kernel
def _extend(forced, still_open, n_open, more, found, spent):
    """_SmallestSets._extend, with the recursion spelled out: level d holds what is chosen and open after d further LCAs."""
    n_words = len(forced)
    opens = np.zeros((more + 1, max(n_open, 1), n_words), np.uint64)
    count = np.zeros(more + 1, np.int64)
    chosen = np.zeros((more + 1, n_words), np.uint64)
    tried = np.zeros((more + 1, n_words), np.uint64)
    branch = np.zeros((more + 1, n_words), np.uint64)
    following = np.zeros(more + 1, np.int64)
    opens[0, :n_open] = still_open[:n_open]
    count[0] = n_open
    chosen[0] = forced
    depth, n_found, entering = 0, 0, True
    while depth >= 0:
        if entering:
            if _spend(spent, 1):
                return found, n_found, False
            entering = False
            if count[depth] == 0:
                if n_found == len(found):
                    larger = np.zeros((2 * len(found), n_words), np.uint64)
                    larger[:n_found] = found
                    found = larger
                found[n_found] = chosen[depth]
                n_found += 1
                depth -= 1
                continue
            if _packing(opens[depth], count[depth]) > more - depth:
                depth -= 1
                continue
            branch[depth] = opens[depth, _by_size(opens[depth], count[depth])[0]]
            tried[depth] = 0
            following[depth] = 0
        lca = following[depth]
        while lca < 64 * n_words and not has(branch[depth], lca):
            lca += 1
        if lca == 64 * n_words:
            depth -= 1
            continue
        following[depth] = lca + 1
        possible = True
        if depth < more:
            rest = 0
            for k in range(count[depth]):
                if has(opens[depth, k], lca):
                    continue
                opens[depth + 1, rest] = opens[depth, k] & ~tried[depth]
                possible = possible and size(opens[depth + 1, rest]) > 0
                rest += 1
            count[depth + 1] = rest
            chosen[depth + 1] = chosen[depth]
            put(chosen[depth + 1], lca)
        else:
            possible = False
        put(tried[depth], lca)
        if possible:
            depth += 1
            entering = True
    return found, n_found, True


# --- the ways for each set --------------------------------------------------------------------------------------------------


@kernel
def _bound(counted, true, predicted, true_reach, predicted_reach, unshared):
    """_WaySearch._bound: shared nodes and size of the best graphs within reach."""
    both, half, whole, total = 0, 0, 0, 0
    for w in range(len(counted)):
        t, p, tr, pr = true[w], predicted[w], true_reach[w], predicted_reach[w]
        both += ones(t & p & counted[w])
        half += ones(((t & ~p & pr) | (p & ~t & tr)) & counted[w])
        whole += ones(tr & pr & ~(t | p) & counted[w])
        total += ones(t & counted[w]) + ones(p & counted[w])
    return both + half + whole, total + half + 2 * whole + unshared


@kernel
def _scored(counted, graphs):
    shared, total = 0, 0
    for w in range(len(counted)):
        shared += ones(graphs[0, w] & graphs[1, w] & counted[w])
        total += ones(graphs[0, w] & counted[w]) + ones(graphs[1, w] & counted[w])
    return shared, total


@kernel
def _may_beat(bound, score):
    mine, theirs = bound[0] * score[1], score[0] * bound[1]
    return mine > theirs or (mine == theirs and (bound[1] <= score[1] or 2 * bound[0] == bound[1]))


@kernel
def _beats(counted, graphs, lcas, other, other_lcas):
    """_Score.beats: whether the first graphs are strictly better."""
    score, rival = _scored(counted, graphs), _scored(counted, other)
    mine, theirs = score[0] * rival[1], rival[0] * score[1]
    if mine != theirs:
        return mine > theirs
    if score[1] != rival[1]:
        return score[1] < rival[1]
    low = 0 if compared(graphs[0], graphs[1]) <= 0 else 1
    rival_low = 0 if compared(other[0], other[1]) <= 0 else 1
    order = compared(graphs[low], other[rival_low])
    if order == 0:
        order = compared(graphs[1 - low], other[1 - rival_low])
    if order == 0:
        order = compared(lcas, other_lcas)
    return order < 0


@kernel
def _search_all(problem, found, n_found, spent, best, best_lcas):
    """The rest of `exact`: the sets with the best bounds first, ties by their numbers. Whether the search is complete."""
    n_words = best.shape[1]
    base = np.zeros((n_found, 2, n_words), np.uint64)
    bounds = np.zeros((n_found, 2), np.int64)
    key = np.zeros(n_found)
    reach = np.zeros((2, n_words), np.uint64)
    forced = np.zeros(n_words, np.uint64)
    for k in range(n_found):
        links = _connections(problem, _members(found[k]))
        if _spend(spent, links.n):
            return False
        _class_masks(problem, base[k])
        for c in range(links.n):
            _forced(problem, links, c, forced)
            add(base[k, links.side[c]], forced)
        reach[:] = base[k]
        for c in range(links.n):
            for i in range(links.ptr[c], links.ptr[c + 1]):
                add(reach[links.side[c]], problem.nodes[links.ways[i]])
        bounds[k] = _bound(problem.counted, base[k, 0], base[k, 1], reach[0], reach[1], 0)
        key[k] = bounds[k, 0] / max(bounds[k, 1], 1)
    order = np.arange(n_found)
    for k in range(n_found):
        place = k
        while place and (key[order[place - 1]] < key[k] or (
            key[order[place - 1]] == key[k] and compared(found[k], found[order[place - 1]]) < 0
        )):  # fmt: skip
            order[place] = order[place - 1]
            place -= 1
        order[place] = k
    for k in order:
        if _may_beat(bounds[k], _scored(problem.counted, best)) and not _run(problem, found[k], base[k], spent, best, best_lcas):
            return False
    return True


@kernel
def _run(problem, lcas, base, spent, best, best_lcas):
    """_WaySearch.run: search the ways for one set of LCAs; whether the search is complete."""
    n_words = best.shape[1]
    links = _connections(problem, _members(lcas))
    relevant = _relevant(problem, links, base)
    options = Options(*(_pool(8 * links.n, n_words)))
    ends = np.zeros(links.n + 1, np.int64)
    fixed = base.copy()
    for c in range(links.n):
        options, ends[c + 1] = _options(problem, links, c, base[links.side[c]], relevant[c], options, ends[c], spent)
        if ends[c + 1] < 0:
            return False
        if ends[c + 1] - ends[c] == 1:
            add(fixed[links.side[c]], options.nodes[ends[c]])
    free = np.empty(links.n, np.int64)
    n_free = 0
    for c in range(links.n):
        if ends[c + 1] - ends[c] > 1:
            place = n_free
            while place and ends[free[place - 1] + 1] - ends[free[place - 1]] > ends[c + 1] - ends[c]:
                free[place] = free[place - 1]
                place -= 1
            free[place] = c
            n_free += 1
    if n_free > DEEPEST:
        return False
    return _descend(problem, links, lcas, options, ends, free[:n_free], fixed, spent, best, best_lcas)


@kernel
def _pool(n, n_words):
    return np.zeros((n, n_words), np.uint64), np.zeros((n, n_words), np.uint64), np.zeros((n, n_words), np.uint64)


@kernel
def _room(options, needed):
    """The options, in larger arrays where `needed` do not fit."""
    have = len(options.nodes)
    if needed <= have:
        return options
    larger = Options(*(_pool(2 * needed, options.nodes.shape[1])))
    larger.relevant[:have] = options.relevant
    larger.new[:have] = options.new
    larger.nodes[:have] = options.nodes
    return larger


@kernel
def _relevant(problem, links, base):
    """For each connection the nodes, beyond what its graph has anyway, that another connection or the other graph may share."""
    n_words = base.shape[1]
    nodes = np.zeros((links.n, n_words), np.uint64)
    once, again = np.zeros((2, n_words), np.uint64), np.zeros((2, n_words), np.uint64)
    for c in range(links.n):
        for i in range(links.ptr[c], links.ptr[c + 1]):
            add(nodes[c], problem.nodes[links.ways[i]])
        s = links.side[c]
        again[s] |= once[s] & nodes[c]
        once[s] |= nodes[c]
    for c in range(links.n):
        s = links.side[c]
        nodes[c] = (again[s] | once[1 - s] | base[1 - s]) & ~base[s]
    return nodes


@kernel
def _options(problem, links, c, base, relevant, options, start, spent):
    """Put the ways of a connection that are worth trying into `options` from `start`; where they end, or -1 if work is used up."""
    n_words = len(base)
    found = Options(*(_pool(8, n_words)))
    n = 0
    for k in range(links.ptr[c], links.ptr[c + 1]):
        w = links.ways[k]
        if problem.single[w]:
            if _spend(spent, problem.ptr[w + 1] - problem.ptr[w]):
                return options, -1
            found = _room(found, n + 1)
            found.nodes[n] = problem.nodes[w]
            found.new[n] = problem.nodes[w] & ~base
            found.relevant[n] = problem.nodes[w] & relevant
            n += 1
        else:
            found, n = _ways(problem, w, base, relevant, found, n, spent)
            if n < 0:
                return options, -1
    kept, exhausted = _undominated(found, np.arange(n), spent)
    if exhausted:
        return options, -1
    options = _room(options, start + len(kept))
    for k in range(len(kept)):
        options.relevant[start + k] = found.relevant[kept[k]]
        options.new[start + k] = found.new[kept[k]]
        options.nodes[start + k] = found.nodes[kept[k]]
    return options, start + len(kept)


@kernel
def _ways(problem, w, base, relevant, found, n, spent):
    """_WaySearch._ways: append to `found` the ways that are not dominated, node by node; how many there are, or -1."""
    first, n_nodes = problem.ptr[w], problem.ptr[w + 1] - problem.ptr[w]
    pool = Options(*(_pool(16, len(base))))
    last, previous = np.full(n_nodes, -1, np.int64), np.full(16, -1, np.int64)
    many = np.zeros(n_nodes, np.int64)
    size_of_pool = 1
    _grow(pool, 0, problem.node[first], base, relevant)
    last[0], many[0] = 0, 1
    for i in range(n_nodes):
        here = np.empty(many[i], np.int64)
        option = last[i]
        for k in range(many[i] - 1, -1, -1):
            here[k] = option
            option = previous[option]
        kept, exhausted = _undominated(pool, here, spent)
        if exhausted:
            return found, -1
        if i == n_nodes - 1:
            found = _room(found, n + len(kept))
            for option in kept:
                found.relevant[n] = pool.relevant[option]
                found.new[n] = pool.new[option]
                found.nodes[n] = pool.nodes[option]
                n += 1
            return found, n
        for e in range(problem.parent_ptr[first + i], problem.parent_ptr[first + i + 1]):
            j = problem.parent[e]
            pool = _room(pool, size_of_pool + len(kept))
            if len(previous) < len(pool.nodes):
                longer = np.full(len(pool.nodes), -1, np.int64)
                longer[: len(previous)] = previous
                previous = longer
            for option in kept:
                pool.relevant[size_of_pool] = pool.relevant[option]
                pool.new[size_of_pool] = pool.new[option]
                pool.nodes[size_of_pool] = pool.nodes[option]
                _grow(pool, size_of_pool, problem.node[first + j], base, relevant)
                previous[size_of_pool] = last[j]
                last[j] = size_of_pool
                many[j] += 1
                size_of_pool += 1
    return found, n


@kernel
def _grow(options, k, node, base, relevant):
    """Extend an option by a node."""
    put(options.nodes[k], node)
    if has(relevant, node):
        put(options.relevant[k], node)
    if not has(base, node):
        put(options.new[k], node)


@kernel
def _comes_before(options, a, b):
    many, others = size(options.new[a]), size(options.new[b])
    if many != others:
        return many < others
    order = compared(options.new[a], options.new[b])
    if order == 0:
        order = compared(options.nodes[a], options.nodes[b])
    return order < 0


@kernel
def _sorted(options, places):
    """The places in the order of `_Option.order`, by merging."""
    n = len(places)
    here, there = places.copy(), np.empty(n, np.int64)
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            middle, end = min(start + width, n), min(start + 2 * width, n)
            i, j = start, middle
            for k in range(start, end):
                if i < middle and (j >= end or not _comes_before(options, here[j], here[i])):
                    there[k] = here[i]
                    i += 1
                else:
                    there[k] = here[j]
                    j += 1
        here, there = there, here
        width *= 2
    return here


@kernel
def _undominated(options, places, spent):
    """The places of the options that no smaller one with the same relevant nodes or more replaces; whether work is used up."""
    kept = np.empty(len(places), np.int64)
    n_kept = 0
    for option in _sorted(options, places):
        if _spend(spent, 1 + n_kept // 8):
            return kept[:n_kept], True
        dominated = False
        for k in range(n_kept):
            if within(options.relevant[option], options.relevant[kept[k]]):
                dominated = True
                break
        if not dominated:
            kept[n_kept] = option
            n_kept += 1
    return kept[:n_kept], False


@kernel
def _descend(problem, links, lcas, options, ends, free, fixed, spent, best, best_lcas):
    """The recursion of _WaySearch.run, spelled out: level d has the graphs after the ways of d free connections are chosen."""
    n_free, n_words = len(free), best.shape[1]
    reach, unshared = _reach_after(links, options, ends, free, n_words)
    at = np.zeros((n_free + 1, 2, n_words), np.uint64)
    at[0] = fixed
    following = np.zeros(n_free + 1, np.int64)
    score = _scored(problem.counted, best)
    depth, entering = 0, True
    while depth >= 0:
        if entering:
            entering = False
            if _spend(spent, 1):
                return False
            if depth == n_free:
                if not _beats(problem.counted, best, best_lcas, at[depth], lcas):
                    best[:] = at[depth]
                    best_lcas[:] = lcas
                    score = _scored(problem.counted, best)
                depth -= 1
                continue
            bound = _bound(problem.counted, at[depth, 0], at[depth, 1], reach[depth, 0] | at[depth, 0], reach[depth, 1] | at[depth, 1],
                           unshared[depth])  # fmt: skip
            if not _may_beat(bound, score):
                depth -= 1
                continue
            following[depth] = ends[free[depth]]
        c = free[depth]
        option = following[depth]
        if option == ends[c + 1]:
            depth -= 1
            continue
        following[depth] = option + 1
        at[depth + 1] = at[depth]
        add(at[depth + 1, links.side[c]], options.nodes[option])
        depth += 1
        entering = True
    return True


@kernel
def _reach_after(links, options, ends, free, n_words):
    """_WaySearch._reach_after."""
    n_free = len(free)
    reach = np.zeros((n_free + 1, 2, n_words), np.uint64)
    unshared = np.zeros(n_free + 1, np.int64)
    for d in range(n_free - 1, -1, -1):
        c = free[d]
        reach[d] = reach[d + 1]
        least = -1
        for option in range(ends[c], ends[c + 1]):
            add(reach[d, links.side[c]], options.relevant[option])
            alone = 0
            for w in range(n_words):
                alone += ones(options.new[option, w] & ~options.relevant[option, w])
            least = alone if least < 0 else min(least, alone)
        unshared[d] = unshared[d + 1] + least
    return reach, unshared


__all__ = ["EXHAUSTED", "SOLVED", "Problem", "solve", "words"]
