"""How many steps the search of lca_solver counts at most, in whatever order the nodes of an instance are numbered.

Where that is within the bound on work the numbers do not matter, for a complete search finds the same values with any.
hiermeasures.measures.lca_numbering.most_work asks the same before the search; here the smallest sets of LCAs are known,
so that few instances are left whose nodes have to be numbered by structure.
"""

import numpy as np

from hiermeasures.batch.compiled import inner, leaf
from hiermeasures.batch.kernels.bits import has, ones, size
from hiermeasures.measures.lca_numbering import MANY


@inner
def most_searched(problem, links, found, n_found, limit):
    """How many steps the search of the ways counts at most, given all smallest sets of LCAs; or more than the limit."""
    listing, choices = np.zeros(len(links.steps)), np.ones(len(links.steps))
    _most_listed(problem, links, listing, choices)
    most = 0.0
    for k in range(n_found):
        product = 2.0
        for lca in range(len(choices)):
            if has(found, k, lca):
                most += listing[lca]
                product *= choices[lca]
        most += product
        if most > limit:
            break
    return most


@inner
def _most_listed(problem, links, listing, choices):
    """For each LCA how many steps it takes at most to list the ways of its connections, and how many choices these give
    together.
    """
    way_ptr, parent_ptr, parent = problem.ptr, problem.parent_ptr, problem.parent
    reached = np.empty(len(problem.node))
    for lca in range(len(listing)):
        listing[lca] = links.steps[lca] + links.first[lca + 1] - links.first[lca]
        for c in range(links.first[lca], links.first[lca + 1]):
            if not links.open[c]:
                continue
            together = 0.0
            for k in range(links.ptr[c], links.ptr[c + 1]):
                start, end = way_ptr[links.ways[k]], way_ptr[links.ways[k] + 1]
                for i in range(start, end):
                    reached[i] = i == start
                for i in range(start, end):
                    listing[lca] += _compared(reached[i])
                    for e in range(parent_ptr[i], parent_ptr[i + 1]):
                        reached[start + parent[e]] = min(MANY, reached[start + parent[e]] + reached[i])
                together += reached[end - 1]
            listing[lca] += _compared(together)
            choices[lca] *= together


@leaf
def _compared(many):
    """lca_numbering._compared."""
    return many * (1 + many / 8)


@leaf
def most_entered(masks, n, more):
    """How often `_extend` is entered at most to hit n sets, for all depths up to `more`.

    At a depth other LCAs are chosen each time, and each choice is from no more than the largest set has.
    """
    largest, numbers = 0, 0
    for k in range(n):
        largest = max(largest, size(masks, k))
    for w in range(masks.shape[1]):
        some = np.uint64(0)
        for k in range(n):
            some |= masks[k, w]
        numbers += ones(some)
    entered, tried, subsets = more + 1.0, 1.0, 1.0
    for depth in range(1, more + 1):
        tried *= largest
        subsets *= (numbers - depth + 1) / depth
        entered += (more - depth + 1) * min(tried, subsets)
    return entered
