"""Minimal LCA graphs as a search: which LCAs, and which cheapest way for each connection (Problem 2 of Kosmopoulos et
al. 2015).

A problem is stated in numbers (lca_problem); what is shown of the result is the business of lca_structure. Here are the
rules that both solvers follow, and the choice between them: `exact` (branch and bound under a bound on work, lca_exact)
and `greedy` (Algorithms 1 and 2, lca_greedy).

What is chosen
    A set of LCAs that contains, for every class, one of its own LCAs. Given that set the connections are fixed: every
    class with every chosen LCA of its own (Algorithm 2); and where a chosen LCA is nobody's own on one side, that
    side's connection is from one of its classes nearest below the LCA (constraint (v)). One cheapest way is chosen for
    each connection, and the graph of a side is its classes with its ways.
What is best
    Fewest LCAs; then the highest F_LCA; then the fewest nodes in the two graphs together; then the graphs whose sizes
    differ least, and of two that mirror each other the one with the smaller predicted graph. What is still equal has
    equal values. Where T and P are exchanged so are the graphs' sizes, but for two that mirror each other: both rules,
    no name decides and neither side is favoured, cannot hold where t is one edge below A and two below B, and p two
    below A and one below B.
How nodes are numbered
    In the order of the hierarchy where the search is so small that it comes to its end in any order (`most_work`);
    else by structure (lca_numbering), so that neither greedy's graphs nor where "auto" turns to them depends on names.
How greedy decides
    LCAs are ranked by how many classes have them as their own, ties by the smaller number; taken in that order until
    every class has one; then passed over from the top and from the bottom, dropping each that is not needed.
    Connections follow in the order of the LCAs as chosen and of the class numbers; each takes the way with most nodes
    in either graph so far (which start from the classes and from what is on every way of some connection), then fewest
    nodes new to its own graph, then the smaller set.
"""

from dataclasses import replace
from typing import Literal

from hiermeasures.measures.lca_exact import exact
from hiermeasures.measures.lca_greedy import greedy
from hiermeasures.measures.lca_numbering import most_work
from hiermeasures.measures.lca_problem import Problem, Solution

AUTO_WORK = 20_000
EXACT_WORK = 4_000_000
PAGE_WORK = 200_000  # what a page, or a lesson, gives the exact search: about a second
Solver = Literal["auto", "exact", "greedy"]


def any_order(problem: Problem, solver: Solver, exact_work: int | None = None) -> bool:
    """Whether the values are the same however the nodes are numbered."""
    if problem.decided:
        return True
    return solver != "greedy" and most_work(problem) <= ((exact_work or EXACT_WORK) if solver == "exact" else AUTO_WORK)


def solve(problem: Problem, solver: Solver, exact_work: int | None = None) -> Solution:
    """The minimal graphs by the solver asked for: `exact` within so many steps, EXACT_WORK if not given. "auto" is
    `exact` within AUTO_WORK steps, and `greedy` where they do not suffice.
    """
    if problem.decided:
        found = greedy(problem) if problem.lcas else Solution((), (), "greedy")
        proven = replace(found, optimal=True, fewest=True)
        return proven if solver == "greedy" else replace(proven, solver="exact", events=())
    if solver == "greedy":
        return greedy(problem)
    if solver == "exact":
        return exact(problem, exact_work or EXACT_WORK)
    found = exact(problem, AUTO_WORK)
    return found if found.optimal else replace(greedy(problem), work=found.work)
