"""The structure behind the LCA measures, as values that can be drawn step by step.

It has best matches, LCA sets, extended graphs (Kosmopoulos et al. 2015, Definitions 1–5), and the
minimal graphs. The module lca builds it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hiermeasures.measures.catalogue import Path, SideName
from hiermeasures.measures.sets import SetOverlap


@dataclass(frozen=True)
class BestMatch:
    """A class and its nearest classes on the other side (Definition 3).

    `distance` is the smallest distance, and `lcas` is LCA(n, S). `meetings` has LCA(n, s) for each
    best match s.
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
    """The graph of one side: its classes and their paths to LCAs. An edge is (parent, child)."""

    classes: frozenset[str]
    nodes: frozenset[str]
    edges: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class GraphPair:
    """The graphs of both sides. `overlap` has their counted nodes, and the measures compare it."""

    true: LCAGraph
    predicted: LCAGraph
    overlap: SetOverlap


@dataclass(frozen=True)
class RankedLCA:
    """An LCA and the classes that have it as their own LCA.

    Algorithm 1 takes the LCA with most classes first.
    """

    label: str
    true: frozenset[str]
    predicted: frozenset[str]
    chosen: bool

    @property
    def connects(self) -> int:
        """The number of these classes. A class that is both true and predicted counts twice."""
        return len(self.true) + len(self.predicted)


@dataclass(frozen=True)
class ChosenPath:
    """The path that was chosen for one connection, the class first.

    If `own` is true, the LCA is one of the class's own. Otherwise it is an LCA of the other side,
    and the path connects it with this side. `alternatives` is the number of paths to choose from.
    """

    side: SideName
    path: Path
    own: bool
    alternatives: int

    @property
    def label(self) -> str:
        """The class."""
        return self.path[0]

    @property
    def lca(self) -> str:
        """The LCA."""
        return self.path[-1]


@dataclass(frozen=True)
class SearchStep:
    """One step of the selection, with the state after it. You can walk forwards and backwards.

    Attributes
    ----------
    phase : "selection", "top-down", "bottom-up" or "paths"
        The part of Algorithm 1, or "paths" for Algorithm 2.
    action : "choose", "keep", "remove" or "connect"
        "connect" adds a path. The other actions are about an LCA.
    open_true, open_predicted : frozenset of str
        Classes without a chosen LCA of their own.
    true_nodes, predicted_nodes : frozenset of str
        The graphs so far.
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
    """The minimal graphs (Problem 2), and the steps of their choice.

    Attributes
    ----------
    lcas : tuple of str
        The chosen LCAs.
    paths : tuple of ChosenPath
        The chosen path of every connection.
    solver : "exact" or "greedy"
        The solver that chose them.
    optimal : bool
        True if no smaller set of LCAs is enough, and no other choice has a higher F_LCA.
    work : int
        The number of steps of the exact search.
    redundant_lcas, redundant_true, redundant_predicted : frozenset of str
        The LCAs, and the nodes of each extended graph, that are left out.
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
    """The structure that the LCA measures read.

    If a side is empty, the matches are empty, and the graphs are only the classes.

    Attributes
    ----------
    true, predicted : frozenset of str
        The classes that take part.
    dropped_true, dropped_predicted : frozenset of str
        Classes that are left out because a descendant is in their own set.
    true_matches, predicted_matches : tuple of BestMatch
        One entry per class.
    lca_true, lca_predicted : frozenset of str
        LCA_all(Y, Ŷ) and LCA_all(Ŷ, Y) (Definition 4).
    ways : mapping
        For each connection (class, LCA) of the extended graphs (Definition 5), the first 20 of its
        cheapest paths, the class first.
    ranking : tuple of RankedLCA
        The LCAs in the order of Algorithm 1.
    extended, minimal : GraphPair
        The extended and the minimal graphs.
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
        """Return the best match of a class of a side. It raises KeyError for any other class."""
        for match in self.true_matches if side == "true" else self.predicted_matches:
            if match.label == label:
                return match
        raise KeyError(label)

    def paths_between(self, label: str, partner: str) -> tuple[Path, ...]:
        """Return paths_min(n, s) of a class and a best match, through every LCA in `ways`."""
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
