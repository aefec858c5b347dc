"""The structure behind the LCA measures: best matches, LCA sets, extended graphs (Kosmopoulos et
al. 2015, Definitions 1–5), and the minimal graphs, as values that can be drawn and walked through.
lca makes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from hiermeasures.measures.catalogue import Path, SideName
from hiermeasures.measures.sets import SetOverlap


@dataclass(frozen=True)
class BestMatch:
    """A class against the other side: the least distance, S_best and LCA(n, S) (Definition 3);
    `meetings` has LCA(n, s) by best match.
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
    """The graphs of both sides, and their counted nodes as the sets that scores compare."""

    true: LCAGraph
    predicted: LCAGraph
    overlap: SetOverlap


@dataclass(frozen=True)
class RankedLCA:
    """An LCA with the classes whose own it is; Algorithm 1 takes that of most classes first."""

    label: str
    true: frozenset[str]
    predicted: frozenset[str]
    chosen: bool

    @property
    def connects(self) -> int:
        """The number of these classes; one that is true and predicted counts twice."""
        return len(self.true) + len(self.predicted)


@dataclass(frozen=True)
class ChosenPath:
    """The path chosen for one connection, the class first.

    `own`: the LCA is one of the class's own; else it is one of the other side's, and this is the
    path that ties it to this side. `alternatives` is how many paths there were to choose from.
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
    """One step of the selection with the state after it, to be shown forwards and backwards.

    `phase` is "selection", "top-down" or "bottom-up" (Algorithm 1), or "paths" (Algorithm 2);
    `action` is "choose", "keep" or "remove" an LCA, or "connect" by a path. `open_true` and
    `open_predicted` have no LCA of their own among the chosen yet. `true_nodes` and
    `predicted_nodes` are the graphs so far.
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
    """The minimal graphs (Problem 2): what was chosen, what fell away, what is known of the choice.

    `lcas` are the chosen LCAs, `paths` the chosen path of every connection. `solver` is the one
    that found them; `optimal` says that no smaller set of LCAs would do, and that no choice has a
    higher F_LCA; `work` is the number of steps that the exact search took. `redundant_…` are the
    LCAs, and the nodes of each extended graph, that are left out.
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

    `true` and `predicted` are the classes that take part; `dropped_…` those left out because a
    descendant is in their own set. `true_matches` and `predicted_matches` have one entry per class,
    `lca_true` is LCA_all(Y, Ŷ) and `lca_predicted` LCA_all(Ŷ, Y) (Definition 4). `ways` has for
    every connection of the extended graphs (Definition 5), a class and an LCA, the first 20 of the
    cheapest paths, the class first. With an empty side there are no matches, and the graphs are the
    classes alone.
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
        """The best match of a class of a side; KeyError if it has none."""
        for match in self.true_matches if side == "true" else self.predicted_matches:
            if match.label == label:
                return match
        raise KeyError(label)

    def paths_between(self, label: str, partner: str) -> tuple[Path, ...]:
        """paths_min(n, s) of a class and a best match, through every LCA, as `ways` lists them."""
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
