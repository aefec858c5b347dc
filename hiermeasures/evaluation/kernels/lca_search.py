"""The search for minimal LCA graphs (Problem 2) over arrays.

The model is hiermeasures.measures.lca_solvers, which also explains the parts of the search. It has
the same searches, tie rules and bound on work. Functions here, in lca_problem and in lca_exact name
their models. Results are equal. If nodes are numbered by structure, the counted steps are equal
too, so "auto" uses greedy graphs for the same instances. If node numbers cannot matter, nodes have
any numbers. lca_problem finds out whether they can.
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
    meets,
    put,
    size,
    sort,
    sort_by_keys,
    sorter,
    take,
    within,
    words,
)
from hiermeasures.evaluation.kernels.lca_exact import search_all
from hiermeasures.evaluation.kernels.lca_problem import (
    Problem,
    class_masks,
    links_of,
    members,
    most_entered,
    most_searched,
    spend,
)
from hiermeasures.evaluation.kernels.refinement import mix, refine, tell_apart
from hiermeasures.measures.lca_solvers import DEEPEST, LABEL, NEAR, OWN, PREDICTED

# An instance: its classes, the first `n_true` of them true, its LCAs, and the tables that connect
# classes with LCAs (see lca.py).
Given = namedtuple("Given", "n_true label lcas own near path paths")
UNSOLVED = 1  # in the last column: the exact search exceeded its bound


@inner
def solve_given(given, solver, count_root, out, row):
    """Fill true, predicted and shared of the minimal graphs (columns 0 to 2), and UNSOLVED (6).
    If the order of the nodes cannot change the result, it is arbitrary.
    """
    level, limit, greedy, place = solver
    order = _met(given.paths.node, place)
    structural = greedy
    while True:
        if structural:
            order = _by_structure(given, level, order, place)
        problem = _problem(given, order, count_root, place)
        graphs = np.zeros((2, words(len(order))), np.uint64)
        outcome = solve(problem, limit, greedy, structural, graphs)
        if outcome != UNSURE:
            break
        structural = True
    if outcome == EXHAUSTED:
        out[row, 6] = UNSOLVED
    _count(graphs, order, count_root, out, row)


@inner
def _by_structure(given, level, order, place):
    sort(order, len(order))
    _number(order, place)
    order = _looked_up(order, _places(given, _looked_up(level, order), place))
    _number(order, place)
    return order


@inner
def _met(nodes, place):
    """Return the nodes in the order of their first occurrence. Fill `place` with their places."""
    for c in nodes:
        place[c] = -1
    order, n = np.empty(len(nodes), np.int64), 0
    for c in nodes:
        if place[c] < 0:
            place[c] = n
            order[n] = c
            n += 1
    return order[:n].copy()


@leaf
def _number(order, place):
    for k in range(len(order)):
        place[order[k]] = k


@inner
def _looked_up(values, places):
    found = np.empty(len(places), np.int64)
    for k in range(len(places)):
        found[k] = values[places[k]]
    return found


@leaf
def _count(graphs, order, count_root, out, row):
    for k in range(len(order)):
        if order[k] != 0 or count_root:
            out[row, 0] += has(graphs, 0, k)
            out[row, 1] += has(graphs, 1, k)
            out[row, 2] += has(graphs, 0, k) and has(graphs, 1, k)


@leaf
def single(path_ptr, parent_ptr, w):
    """Return True if there is only one path: every node except the end has one parent."""
    return (
        parent_ptr[path_ptr[w + 1]] - parent_ptr[path_ptr[w]] == path_ptr[w + 1] - path_ptr[w] - 1
    )


@inner
def _problem(given, order, count_root, place):
    """Return the instance in the solver's numbers, which are ranks among its own nodes and LCAs."""
    n_true, label, lcas, own, near, path, paths = given
    path_ptr, path_node, parent_ptr, parent = paths.ptr, paths.node, paths.parent_ptr, paths.parent
    n_classes, n_lcas, n_words = len(label), len(lcas), words(len(order))
    by_rank, by_place = np.arange(n_classes), np.arange(n_lcas)
    ranks = _looked_up(place, label)
    for q in range(n_true, n_classes):
        ranks[q] += len(order)
    sort_by_keys(by_rank, n_classes, ranks)
    for q in range(n_true, n_classes):
        ranks[q] -= len(order)
    sort_by_keys(by_place, n_lcas, _looked_up(place, lcas))
    own_masks = np.zeros((n_classes, words(n_lcas)), np.uint64)
    nearest, numbers = np.empty(own.shape, np.bool_), np.empty(own.shape, np.int64)
    for i in range(n_classes):
        q = by_rank[i]
        for j in range(n_lcas):
            k = by_place[j]
            nearest[i, j], numbers[i, j] = near[q, k], path[q, k]
            if own[q, k]:
                put(own_masks, i, j)
    node = np.empty(path_ptr[paths.n], np.int64)
    nodes, forced = np.zeros((paths.n, n_words), np.uint64), np.zeros((paths.n, n_words), np.uint64)
    alone = np.zeros(paths.n, np.bool_)
    for w in range(paths.n):
        alone[w] = single(path_ptr, parent_ptr, w)
        beyond = path_ptr[w]
        for i in range(path_ptr[w], path_ptr[w + 1]):
            node[i] = place[path_node[i]]
            put(nodes, w, node[i])
            # In this order no path passes by a node unless an edge from before it ends after it.
            if i >= beyond:
                put(forced, w, node[i])
            for e in range(parent_ptr[i], parent_ptr[i + 1]):
                beyond = max(beyond, path_ptr[w] + parent[e])
    counted = np.zeros((1, n_words), np.uint64)
    for k in range(len(order)):
        if order[k] != 0 or count_root:
            put(counted, 0, k)
    ranks = _looked_up(ranks, by_rank)
    found = (path_ptr, node, parent_ptr, parent, nodes, forced, alone, counted)
    return Problem(n_true, ranks, own_masks, nearest, numbers, *found)


# --- numbers of the nodes, as `explain` gives them ----------------------------------------------


@inner
def _places(given, level, place):
    """Return the order of all nodes by structure. `level` has the level of each node."""
    n, classes = len(level), _looked_up(place, given.label)
    colour = np.empty(n + given.paths.n, np.int64)
    for k in range(n):
        colour[k] = level[k]
    for c in classes:
        colour[c] += LABEL
    for k in range(n):
        colour[k] = mix(colour[k])
    links = _links(given, classes, _looked_up(place, given.lcas), place, colour)
    many = refine(colour, links)
    alike = colour.copy()
    if many < len(colour):
        for c in classes[given.n_true :]:
            colour[c] ^= PREDICTED
        tell_apart(colour, links)
    order = np.arange(n)
    _sort_nodes(order, n, (level, alike, colour))
    return order


@inner
def _links(given, classes, lcas, place, colour):
    """Return the links as lca_solvers.by_structure does. Path w is node n + w with a colour."""
    own, near, path, paths = given.own, given.near, given.path, given.paths
    n, most = len(colour) - paths.n, paths.parent_ptr[paths.ptr[paths.n]] + 2 * paths.n
    below, above, role = (
        np.empty(most, np.int64),
        np.empty(most, np.int64),
        np.empty(most, np.int64),
    )
    used = 0
    for q in range(len(classes)):
        for k in range(len(lcas)):
            w = path[q, k]
            if w < 0:
                continue
            colour[n + w] = mix(OWN * own[q, k] + NEAR * near[q, k])
            first = used
            below[used], above[used] = classes[q], n + w
            below[used + 1], above[used + 1] = n + w, lcas[k]
            used += 2
            for i in range(paths.ptr[w], paths.ptr[w + 1]):
                for e in range(paths.parent_ptr[i], paths.parent_ptr[i + 1]):
                    below[used] = place[paths.node[i]]
                    above[used] = place[paths.node[paths.ptr[w] + paths.parent[e]]]
                    used += 1
            for k_link in range(first, used):
                role[k_link] = n + w
    return below, above, role


@sorter
@leaf
def _sort_nodes(of, a, b):
    level, alike, colour = of
    if level[a] != level[b]:
        return level[a] < level[b]
    if alike[a] != alike[b]:
        return alike[a] < alike[b]
    return colour[a] < colour[b] or (colour[a] == colour[b] and a < b)


SOLVED, EXHAUSTED, UNSURE = 0, 1, 2


@inner
def solve(problem, limit, greedy_only, by_structure, graphs):
    """Fill `graphs` (true, predicted) with the minimal graphs, and return the outcome.

    EXHAUSTED means that the search exceeded the bound on work, so the graphs are greedy. UNSURE
    means that it could exceed the bound with another order of the nodes.
    """
    links = links_of(problem)
    chosen = best_lcas(problem)
    if greedy_only:
        best_ways(problem, links, chosen, graphs)
        return SOLVED
    spent = np.zeros(2, np.int64)
    spent[1] = limit
    found, n_found, fewest, complete, most = smallest_sets(
        problem, len(chosen), by_structure, spent
    )
    if not by_structure and (
        not complete or most + most_searched(problem, links, found, n_found, limit) > limit
    ):
        return UNSURE
    best_ways(problem, links, chosen, graphs)
    greedy = graphs.copy()
    if n_found and fewest < len(chosen):
        clear(graphs, 0)
        clear(graphs, 1)
        best_ways(problem, links, members(found, 0), graphs)
    complete = complete and search_all(problem, links, found, n_found, spent, graphs)
    if not complete:
        copy(graphs, 0, greedy, 0)
        copy(graphs, 1, greedy, 1)
        return EXHAUSTED
    return SOLVED


# --- Algorithms 1 and 2 of Kosmopoulos et al. 2015 ----------------------------------------------


@leaf
def _satisfied(own, chosen):
    for q in range(len(own)):
        if not meets(own, q, chosen, 0):
            return False
    return True


@inner
def best_lcas(problem):
    """Choose LCAs as GetBestLCAs of Algorithm 1 does.

    The second pass of the algorithm is left out because it never removes a chosen LCA.
    """
    own = problem.own
    n_lcas = problem.path.shape[1]
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
def best_ways(problem, links, chosen, graphs):
    """Fill the graphs with classes and paths, as GetBestPaths of Algorithm 2 does."""
    class_masks(problem, graphs)
    for lca in chosen:
        add(graphs, 0, links.forced, 2 * lca)
        add(graphs, 1, links.forced, 2 * lca + 1)
    for lca in chosen:
        for c in range(links.first[lca], links.first[lca + 1]):
            if links.open[c]:
                _add_best_path(problem, links, c, graphs)


@inner
def _add_best_path(problem, links, c, graphs):
    """Add the best path of a connection, as BestPath of Algorithm 2 does.

    It has the most nodes in either graph, then the most in its own graph, then the smallest set.
    """
    side, ptr, paths = links.side[c], links.ptr, links.paths
    best = np.zeros((2, graphs.shape[1]), np.uint64)  # the best path so far, and another
    best_common, best_known = -1, -1
    for k in range(ptr[c], ptr[c + 1]):
        common, known = _best_among(problem, paths[k], graphs, side, best)
        if common > best_common or (
            common == best_common
            and (known > best_known or (known == best_known and compared(best, 1, best, 0) < 0))
        ):
            best_common, best_known = common, known
            copy(best, 0, best, 1)
    add(graphs, side, best, 0)


@inner
def _best_among(problem, w, graphs, side, best):
    """Write the best of the paths with number w into row 1 of `best`.

    Return two numbers: its nodes in either graph, and minus its nodes that are new to its own
    graph.
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
                there == common[j]
                and (old > known[j] or (old == known[j] and compared(masks, n, masks, j) < 0))
            ):
                common[j], known[j] = there, old
                copy(masks, j, masks, n)
    copy(best, 1, masks, n - 1)
    return common[n - 1], known[n - 1]


# --- exact search, first half: the smallest sets of LCAs that serve every class -----------------


@leaf
def _smallest(masks, start, stop):
    best, least = start, size(masks, start)
    for k in range(start + 1, stop):
        many = size(masks, k)
        if many < least:
            best, least = k, many
    return best


@inner
def _packing(masks, start, stop, n_numbers):
    """Count disjoint sets, smaller ones first."""
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
    """Remove the sets that contain another one. Sort the others by size, then by numbers."""
    order = np.arange(len(own))
    kept = np.empty_like(own)
    n_kept = 0
    _sort_sets(order, len(order), own)
    for k in order:
        redundant = False
        for j in range(n_kept):
            redundant = redundant or within(kept, j, own, k)
        if not redundant:
            copy(kept, n_kept, own, k)
            n_kept += 1
    return kept[:n_kept]


@sorter
@leaf
def _sort_sets(masks, a, b):
    many, others = size(masks, a), size(masks, b)
    return many < others or (many == others and compared(masks, a, masks, b) < 0)


@inner
def smallest_sets(problem, at_most, by_structure, spent):
    """Return the smallest sets of LCAs, as _SmallestSets.search does.

    Return the sets, their number, their size, and True if the search is complete. The last value is
    an upper bound on its steps in any order of the nodes. If nodes are not numbered by structure
    and this number exceeds the bound on work, the search ends.
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
    """Add LCAs until every set has one, as _SmallestSets._extend does, but without recursion.

    Level d has the choice after d further LCAs. Its `count[d]` open sets are the rows of `opens`
    from `d * n_open` on.
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
                found = _with_another(found, n_found)
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
        rest = _rest(opens, first, count[depth], lca, tried, depth, n_open)
        put(tried, depth, lca)
        if rest >= 0:
            count[depth + 1] = rest
            copy(chosen, depth + 1, chosen, depth)
            put(chosen, depth + 1, lca)
            depth += 1
            entering = True
    return found, n_found, True


@leaf
def _rest(opens, first, n, lca, tried, depth, n_open):
    """Write the open sets that do not contain an LCA to the next level, without the tried LCAs.

    Return their number, or -1 if one of them becomes empty.
    """
    rest = 0
    for k in range(first, first + n):
        if not has(opens, k, lca):
            some = np.uint64(0)
            for w in range(opens.shape[1]):
                opens[first + n_open + rest, w] = opens[k, w] & ~tried[depth, w]
                some |= opens[first + n_open + rest, w]
            if some == np.uint64(0):
                return -1
            rest += 1
    return rest


@inner
def _with_another(found, n):
    """Return the n sets with room for one more."""
    if n < len(found):
        return found
    larger = np.zeros((2 * n, found.shape[1]), np.uint64)
    for k in range(n):
        copy(larger, k, found, k)
    return larger


@inner
def _levels(n, n_words):
    return (
        np.zeros((n, n_words), np.uint64),
        np.zeros((n, n_words), np.uint64),
        np.zeros((n, n_words), np.uint64),
    )
