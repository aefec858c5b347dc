"""The structure behind the LCA measures, as values that can be drawn step by step. lca makes them.

They are best matches, LCA sets, extended graphs (Kosmopoulos et al. 2015, Definitions 1–5), and the
minimal graphs.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hiermeasures.measures.catalogue import Path, SideName
from hiermeasures.measures.sets import SetOverlap


@dataclass(frozen=True)
class BestMatch:
    """A class and its nearest classes on the other side (Definition 3).

    It has the smallest distance, S_best and LCA(n, S). `meetings` has LCA(n, s) by best match.
    """

    label: str
    side: SideName
    distance: float
    meetings: Mapping[str, frozenset[str]]
    lcas: frozenset[str]

    @property
    def best(self) -> frozenset[str]:
        """S_best: the classes of the other side at that distance."""
        return frozenset(self.meetings)


@dataclass(frozen=True)
class LCAGraph:
    """The graph of one side: its classes and their paths to LCAs. Edges are (parent, child)."""

    classes: frozenset[str]
    nodes: frozenset[str]
    edges: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class GraphPair:
    """The graphs of both sides, with their counted nodes as the sets that scores compare."""

    true: LCAGraph
    predicted: LCAGraph
    overlap: SetOverlap


@dataclass(frozen=True)
class RankedLCA:
    """An LCA with the classes whose own it is. Algorithm 1 takes the LCA with most classes first."""

    label: str
    true: frozenset[str]
    predicted: frozenset[str]
    chosen: bool

    @property
    def connects(self) -> int:
        """The number of these classes. A class that is true and predicted counts twice."""
        return len(self.true) + len(self.predicted)


@dataclass(frozen=True)
class ChosenPath:
    """The path chosen for one connection, the class first.

    `own` means that the LCA is one of the class's own. Otherwise it is one of the other side's, and
    the path ties it to this side. `alternatives` is the number of paths to choose from.
    """

    side: SideName
    path: Path
    own: bool
    alternatives: int

    @property
    def label(self) -> str:
        return self.path[0]

    @property
    def lca(self) -> str:
        return self.path[-1]


@dataclass(frozen=True)
class SearchStep:
    """One step of the selection with the state after it. It can be shown forwards and backwards.

    `phase` is "selection", "top-down" or "bottom-up" (Algorithm 1), or "paths" (Algorithm 2).
    `action` is "choose", "keep" or "remove" for an LCA, or "connect" for a path. `open_true` and
    `open_predicted` have no chosen LCA of their own yet. `true_nodes` and `predicted_nodes` are the
    graphs so far.
    """

    phase: Literal["selection", "top-down", "bottom-up", "paths"]
    action: Literal["choose", "keep", "remove", "connect"]
    lca: str
    path: ChosenPath | None
    sentence: str
    chosen: tuple[str, ...]
    open_true: frozenset[str]
    open_predicted: frozenset[str]
    true_nodes: frozenset[str]
    predicted_nodes: frozenset[str]


@dataclass(frozen=True)
class MinimalGraphs(GraphPair):
    """The minimal graphs (Problem 2), and how they were chosen.

    `lcas` are the chosen LCAs, and `paths` the chosen path of every connection. `solver` found
    them. `optimal` means that no smaller set of LCAs is enough, and that no choice has a higher
    F_LCA. `work` is the number of steps of the exact search. `redundant_…` are the LCAs, and the
    nodes of each extended graph, that are left out.
    """

    lcas: tuple[str, ...]
    paths: tuple[ChosenPath, ...]
    solver: Literal["exact", "greedy"]
    optimal: bool
    work: int
    redundant_lcas: frozenset[str]
    redundant_true: frozenset[str]
    redundant_predicted: frozenset[str]
    steps: tuple[SearchStep, ...]


@dataclass(frozen=True)
class LCAGraphs:
    """Everything that the LCA measures read.

    `true` and `predicted` are the classes that take part. `dropped_…` are left out because a
    descendant is in their own set. `true_matches` and `predicted_matches` have one entry per class.
    `lca_true` is LCA_all(Y, Ŷ), and `lca_predicted` is LCA_all(Ŷ, Y) (Definition 4). A connection
    of the extended graphs (Definition 5) is a class and an LCA. `ways` has for each the first 20 of
    the cheapest paths, the class first. With an empty side there are no matches, and the graphs are
    only the classes.
    """

    true: frozenset[str]
    predicted: frozenset[str]
    dropped_true: frozenset[str]
    dropped_predicted: frozenset[str]
    true_matches: tuple[BestMatch, ...]
    predicted_matches: tuple[BestMatch, ...]
    lca_true: frozenset[str]
    lca_predicted: frozenset[str]
    ways: Mapping[tuple[str, str], tuple[Path, ...]]
    ranking: tuple[RankedLCA, ...]
    extended: GraphPair
    minimal: MinimalGraphs

    def match(self, label: str, side: SideName) -> BestMatch:
        """Return the best match of a class of a side, or raise KeyError."""
        for match in self.true_matches if side == "true" else self.predicted_matches:
            if match.label == label:
                return match
        raise KeyError(label)

    def paths_between(self, label: str, partner: str) -> tuple[Path, ...]:
        """Return paths_min(n, s) of a class and a best match, through every LCA, as `ways` lists
        them.
        """
        matches = (
            match for match in (*self.true_matches, *self.predicted_matches) if match.label == label
        )
        met = frozenset[str]().union(*(match.meetings.get(partner, ()) for match in matches))
        return tuple(
            up + down[-2::-1]
            for lca in sorted(met)
            for up in self.ways[label, lca]
            for down in self.ways[partner, lca]
        )
