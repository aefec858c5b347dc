"""Problem 2 solved as hiermeasures.measures.lca_solvers says: the same searches, tie rules and bound on work.

What the parts of the search are for is said there; each function here and in lca_problem, lca_greedy, lca_sets,
lca_options and lca_exact carries the name of its model. The two are equal in what they return and, where nodes are
numbered by structure, step for step in the work they count, so that "auto" turns to the greedy graphs for the same
instances. Nodes may have any numbers where those do not matter, which lca_work tells.
"""

import numpy as np

from hiermeasures.batch.compiled import inner
from hiermeasures.batch.kernels.bits import clear, copy
from hiermeasures.batch.kernels.lca_exact import search_all
from hiermeasures.batch.kernels.lca_greedy import best_lcas, best_ways
from hiermeasures.batch.kernels.lca_problem import links_of, members
from hiermeasures.batch.kernels.lca_sets import smallest_sets
from hiermeasures.batch.kernels.lca_work import most_searched

SOLVED, EXHAUSTED, UNSURE = 0, 1, 2


@inner
def solve(problem, limit, greedy_only, by_structure, graphs):
    """Fill `graphs` (true, predicted) with the minimal graphs. EXHAUSTED: the bound on work was met; the graphs are
    greedy's then. UNSURE, where nodes are not numbered by structure: it may be met in some other order.
    """
    links = links_of(problem)
    chosen = best_lcas(problem)
    if greedy_only:
        best_ways(problem, links, chosen, graphs)
        return SOLVED
    spent = np.zeros(2, np.int64)
    spent[1] = limit
    found, n_found, fewest, complete, most = smallest_sets(problem, len(chosen), by_structure, spent)
    if not by_structure and (not complete or most + most_searched(problem, links, found, n_found, limit) > limit):
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
