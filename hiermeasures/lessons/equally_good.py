"""Minimal LCA graphs that are as good as the one that is drawn: other choices of common ancestors and of cheapest ways
with the same F_LCA.

Problem 2 of Kosmopoulos et al. 2015 leaves such ties open, and whoever finds another of these graphs is right.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, islice, product

from hiermeasures.measures import Explanation, SideName
from hiermeasures.measures.catalogue import SIDES, Path
from hiermeasures.measures.lca_structure import LCAGraphs

MOST_TRIED = 4_000  # sets of LCAs, ways of one connection, and pairs of graphs

Connection = tuple[SideName, str, str]  # a class of a side, and the LCA to which it is connected


def minimal_graphs(x: Explanation, side: SideName) -> Iterator[frozenset[str]]:
    """The classes of one side's graph in every minimal pair of graphs, that of the structure first.

    >>> from hiermeasures import Hierarchy, explain
    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "t"), ("B", "t"), ("A", "p"), ("B", "p")])
    >>> [sorted(graph) for graph in minimal_graphs(explain(h, {"t"}, {"p"}), "true")]
    [['A', 't'], ['B', 't']]
    """
    graphs = x.lca
    own = frozenset(getattr(graphs.minimal, side).nodes)
    yield own
    if x.options.graphs == "extended" or not graphs.minimal.optimal or not graphs.ranking:
        return
    found = {own}
    best = [frozenset(getattr(graphs.minimal, s).nodes) for s in SIDES]
    for pair in islice(_pairs(x, graphs), MOST_TRIED):
        graph = pair[SIDES.index(side)]
        if graph not in found and _share(x, pair) == _share(x, best):
            found.add(graph)
            yield graph


def _share(x: Explanation, pair: Sequence[frozenset[str]]) -> Fraction:
    """Half of the F_LCA of two graphs, to tell whether they are as good as others."""
    true, predicted = (graph - x.instance.uncounted for graph in pair)
    return Fraction(len(true & predicted), max(len(true) + len(predicted), 1))


def _pairs(x: Explanation, graphs: LCAGraphs) -> Iterator[tuple[frozenset[str], ...]]:
    """The two graphs of every choice: as few LCAs as are needed, and one cheapest way for each connection."""
    lcas = [ranked.label for ranked in graphs.ranking]
    for chosen in islice(combinations(lcas, len(graphs.minimal.lcas)), MOST_TRIED):
        every = (*graphs.true_matches, *graphs.predicted_matches)
        if not all(match.lcas & set(chosen) for match in every):
            continue
        for connections in product(*(ways for a in chosen for s in SIDES for ways in _connections(graphs, s, a))):
            for ways in product(*([(s, way) for way in _ways(x, c, a)] for s, c, a in connections)):
                yield tuple(getattr(graphs, side).union(*(way for s, way in ways if s == side)) for side in SIDES)


def _connections(graphs: LCAGraphs, side: SideName, lca: str) -> list[list[Connection]]:
    """Which classes of a side are connected with an LCA: each whose own it is; else one of those that a class of the
    other side meets there.
    """
    own, others = graphs.true_matches, graphs.predicted_matches
    if side == "predicted":
        own, others = others, own
    if labels := [match.label for match in own if lca in match.lcas]:
        return [[(side, label, lca)] for label in labels]
    met = {meeting.partner for match in others for meeting in match.meetings if lca in meeting.lcas}
    return [[(side, label, lca) for label in sorted(met)]]


def _ways(x: Explanation, label: str, lca: str) -> list[Path]:
    return list(islice(x.hierarchy.shortest_upward_paths(label, lca), MOST_TRIED))
