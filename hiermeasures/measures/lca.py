"""LCA measures: precision, recall, F1 and symmetric difference on graphs that join each class with its nearest of the
other side.

Here are best matches, LCA sets and extended graphs (Kosmopoulos et al. 2015, Definitions 1–5), the minimal graphs of
Problem 2 as a structure that can be drawn and walked through, and the scores. Which LCAs and ways the minimal graphs
take is decided in hiermeasures.measures.lca_solvers.

LCA(n, S) is found without looking at pairs. Let up_n(a) be the cost of the cheapest way from n up to a, and near_S(a)
the least up_s(a) of any s in S. Every way from n to S turns at an apex, so the cheapest costs the minimum of up_n(a) +
near_S(a) over the ancestors a (n itself among them), and LCA(n, S) is the set of all a where the minimum is reached. A
class s with up_s(a) = near_S(a) for such an a is in S_best(n, S), with a in LCA(n, s), and no other class is. In a tree
the ways are single, LCA(n, s) is one class, and all of LCA(n, S) lies on the one way from n to the root.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal

from hiermeasures.hierarchy import Hierarchy, same_cost
from hiermeasures.measures import lca_solvers as solvers
from hiermeasures.measures import sets
from hiermeasures.measures.catalogue import (
    Derivation,
    Family,
    Instance,
    Measure,
    Path,
    Structure,
    counted,
    fraction,
    named,
    number,
)
from hiermeasures.measures.sets import SetOverlap
from hiermeasures.measures.specific import SpecificClasses
from hiermeasures.options import Options

SIDES: tuple[Literal["true"], Literal["predicted"]] = ("true", "predicted")
PATHS_LISTED = 20

Edge = tuple[str, str]


@dataclass(frozen=True)
class Meeting:
    """A best match of a class, and LCA(n, s) for the two."""

    partner: str
    lcas: frozenset[str]


@dataclass(frozen=True)
class BestMatch:
    """One class against the other side: the distance to the nearest classes there, S_best, and LCA(n, S) (Definition
    3).
    """

    label: str
    side: Literal["true", "predicted"]
    distance: float
    meetings: tuple[Meeting, ...]
    lcas: frozenset[str]

    @property
    def best(self) -> frozenset[str]:
        """S_best: the classes of the other side at that distance."""
        return frozenset(m.partner for m in self.meetings)


@dataclass(frozen=True)
class LCAWays:
    """All cheapest ways from a class up to an LCA, as the graph they form.

    `count` is how many there are; `paths` lists the first PATHS_LISTED of them, the class first. `edges` are (parent,
    child).
    """

    label: str
    lca: str
    cost: float
    nodes: frozenset[str]
    edges: tuple[Edge, ...]
    count: int
    paths: tuple[Path, ...]

    @property
    def cut(self) -> bool:
        """Whether `paths` leaves some out."""
        return self.count > len(self.paths)


@dataclass(frozen=True)
class LCAGraph:
    """The graph of one side: its classes and the ways from them up to LCAs. Edges are (parent, child), from the root
    down.
    """

    classes: frozenset[str]
    nodes: frozenset[str]
    edges: tuple[Edge, ...]


@dataclass(frozen=True)
class GraphPair:
    """The graphs of both sides, and their nodes as the sets that scores compare (without a root that does not
    count).
    """

    true: LCAGraph
    predicted: LCAGraph
    overlap: SetOverlap


@dataclass(frozen=True)
class RankedLCA:
    """An LCA with the classes whose own LCA it is, in the order in which Algorithm 1 considers them: most classes
    first.
    """

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
    """The way chosen for one connection, the class first.

    `own`: the LCA is one of the class's own; else it is one of the other side's, and this is the way that ties it to
    this side. `alternatives` is how many ways there were to choose from.
    """

    side: Literal["true", "predicted"]
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
    """One step of the selection, with the state after it, so that the steps can be shown forwards and backwards.

    `phase` is "selection", "top-down" or "bottom-up" (Algorithm 1), or "paths" (Algorithm 2); `action` is "choose",
    "keep" or "remove" an LCA, or "connect" by a path. `open_true` and `open_predicted` have no LCA of their own among
    the chosen yet. `true_nodes` and `predicted_nodes` are the graphs so far.
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
    """The minimal graphs (Problem 2), with what was chosen, what fell away, and what is known of the choice.

    `lcas` are the chosen LCAs, `paths` the chosen way of every connection. `solver` is the one that found them;
    `fewest` says that no smaller set of LCAs would do, `optimal` that moreover no choice has a higher F_LCA. `compared`
    is the number of smallest sets of LCAs that the exact search found, `work` the steps it took. `redundant_…` are the
    LCAs, and the nodes of each extended graph, that are left out.
    """

    lcas: tuple[str, ...]
    paths: tuple[ChosenPath, ...]
    solver: Literal["exact", "greedy"]
    optimal: bool
    fewest: bool
    compared: int
    work: int
    redundant_lcas: frozenset[str]
    redundant_true: frozenset[str]
    redundant_predicted: frozenset[str]
    steps: tuple[SearchStep, ...]


@dataclass(frozen=True)
class LCAGraphs:
    """Everything that the LCA measures read.

    `true` and `predicted` are the classes that take part; `dropped_…` those left out because a descendant is in their
    own set. `true_matches` and `predicted_matches` have one entry per class, `lca_true` is LCA_all(Y, Ŷ) and
    `lca_predicted` LCA_all(Ŷ, Y) (Definition 4). `ways` holds every connection of the extended graphs (Definition 5)
    once. With an empty side there are no matches, and the graphs are the classes alone.
    """

    true: frozenset[str]
    predicted: frozenset[str]
    dropped_true: frozenset[str]
    dropped_predicted: frozenset[str]
    true_matches: tuple[BestMatch, ...]
    predicted_matches: tuple[BestMatch, ...]
    lca_true: frozenset[str]
    lca_predicted: frozenset[str]
    ways: tuple[LCAWays, ...]
    ranking: tuple[RankedLCA, ...]
    extended: GraphPair
    minimal: MinimalGraphs

    def match(self, label: str, side: Literal["true", "predicted"]) -> BestMatch:
        """The best match of a class of a side; KeyError where it has none."""
        for match in self.true_matches if side == "true" else self.predicted_matches:
            if match.label == label:
                return match
        raise KeyError(label)

    def ways_to(self, label: str, lca: str) -> LCAWays:
        """The cheapest ways from a class to an LCA; KeyError where the extended graphs have no such connection."""
        for ways in self.ways:
            if (ways.label, ways.lca) == (label, lca):
                return ways
        raise KeyError((label, lca))

    def paths_between(self, label: str, partner: str) -> tuple[Path, ...]:
        """paths_min(n, s) of a class and one of its best matches, through every LCA; of many, those that `ways`
        lists.
        """
        lcas = {
            a
            for match in (*self.true_matches, *self.predicted_matches)
            if match.label == label
            for meeting in match.meetings
            if meeting.partner == partner
            for a in meeting.lcas
        }
        return tuple(
            up + down[-2::-1]
            for lca in sorted(lcas)
            for up in self.ways_to(label, lca).paths
            for down in self.ways_to(partner, lca).paths
        )


# --- builder ------------------------------------------------------------------------------------------------------


def lca_graphs(instance: Instance) -> LCAGraphs:
    """The LCA structure of an instance (Kosmopoulos et al. 2015, Section 2.4.2).

    A virtual root can be an LCA like any other class, for classes that have nothing else in common. Whether it then
    counts as a shared node is the option `count_root`; by default it does not, so classes of different trees share
    nothing.
    """
    h = instance.hierarchy
    # A class above another of its own set would only add a shared node.
    true, predicted = (SpecificClasses.of(h, labels) for labels in (instance.true, instance.predicted))
    climb = _Climb(h, (true.classes, predicted.classes))
    problem = _Numbered(climb, instance.uncounted)
    solution = solvers.solve(problem.problem, instance.options.solver)
    extended = _extended(climb, problem, instance)
    return LCAGraphs(
        frozenset(true.classes),
        frozenset(predicted.classes),
        true.dropped,
        predicted.dropped,
        climb.matches(0),
        climb.matches(1),
        climb.all_lcas(0),
        climb.all_lcas(1),
        problem.listed_ways(),
        problem.ranking(solution),
        extended,
        _minimal(problem, solution, extended, instance),
    )


class _Climb:
    """What is above the classes of both sides: costs, the nearest class below each ancestor, LCA sets. In topological
    numbers.
    """

    def __init__(self, h: Hierarchy, sides: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
        self.h = h
        self.classes = tuple([h.index(c) for c in side] for side in sides)
        self.up = {i: {h.index(c): cost for c, cost in h.up(h.nodes[i]).items()} for side in self.classes for i in side}
        self.near = tuple(self._nearest(side) for side in (0, 1))
        together = all(self.classes)
        self.distance: tuple[dict[int, float], ...] = ({}, {})
        self.lcas: tuple[dict[int, list[int]], ...] = ({}, {})
        for side in (0, 1) if together else ():
            for i in self.classes[side]:
                self.distance[side][i], self.lcas[side][i] = self._lcas(i, self.near[1 - side])

    def _nearest(self, side: int) -> dict[int, float]:
        near: dict[int, float] = {}
        for i in self.classes[side]:
            for a, cost in self.up[i].items():
                if cost < near.get(a, cost + 1):
                    near[a] = cost
        return near

    def _lcas(self, i: int, near: dict[int, float]) -> tuple[float, list[int]]:
        total = {a: cost + near[a] for a, cost in self.up[i].items() if a in near}
        least = min(total.values())
        return least, sorted(a for a, cost in total.items() if same_cost(cost, least))

    def nearest_below(self, side: int, lca: int) -> tuple[int, ...]:
        """The classes of a side from which the way up to an LCA is cheapest."""
        least = self.near[side][lca]
        return tuple(i for i in self.classes[side] if same_cost(self.up[i].get(lca, float("inf")), least))

    def all_lcas(self, side: int) -> frozenset[str]:
        return self.labels({a for lcas in self.lcas[side].values() for a in lcas})

    def labels(self, numbers: Iterable[int]) -> frozenset[str]:
        return frozenset(self.h.nodes[i] for i in numbers)

    def connections(self, side: int) -> list[tuple[int, int]]:
        """(class, LCA) of a side's extended graph (Definition 5): a class's own LCAs, and those where it is another's
        best match.
        """
        own = {(i, a) for i, lcas in self.lcas[side].items() for a in lcas}
        others = {a for lcas in self.lcas[1 - side].values() for a in lcas}
        return sorted(own | {(i, a) for a in others for i in self.nearest_below(side, a)})

    def matches(self, side: int) -> tuple[BestMatch, ...]:
        found = []
        for i, lcas in self.lcas[side].items():
            meets: dict[int, list[int]] = {}
            for a in lcas:
                for partner in self.nearest_below(1 - side, a):
                    meets.setdefault(partner, []).append(a)
            meetings = tuple(Meeting(self.h.nodes[s], self.labels(meets[s])) for s in sorted(meets))
            found.append(BestMatch(self.h.nodes[i], SIDES[side], self.distance[side][i], meetings, self.labels(lcas)))
        return tuple(found)

    def edges_up(self, start: int, top: float) -> dict[int, list[int]]:
        """Parent to children, for the edges on cheapest ways from a class to ancestors that cost no more than `top`."""
        arrays, cost = self.h.arrays, self.up[start]
        below: dict[int, list[int]] = {}
        for i in [i for i, c in cost.items() if c < top]:
            row = slice(arrays.parent_ptr[i], arrays.parent_ptr[i + 1])
            for j, weight in zip(arrays.parent_idx[row].tolist(), arrays.parent_weight[row].tolist(), strict=True):
                if same_cost(cost[i] + weight, cost[j]):
                    below.setdefault(j, []).append(i)
        return below


class _Numbered:
    """The instance as a problem for the solvers, and the way back: solver numbers are ranks in the topological
    order.
    """

    def __init__(self, climb: _Climb, uncounted: frozenset[str]) -> None:
        self.climb = climb
        self.connections = (climb.connections(0), climb.connections(1))
        edges = self._edges()
        numbers = {i for pairs in edges.values() for pair in pairs for i in pair} | {
            i for side in climb.classes for i in side
        }
        self.order = sorted(numbers)
        self.rank = {i: k for k, i in enumerate(self.order)}
        self.ways = {(self.rank[i], self.rank[a]): self._ways(i, a, edges[i, a]) for i, a in edges}
        free = {climb.h.index(c) for c in uncounted}
        self.problem = solvers.Problem(
            (self._own(0), self._own(1)),
            (self._nearest(0), self._nearest(1)),
            self.ways,
            sum(1 << k for k, i in enumerate(self.order) if i not in free),
        )

    def _edges(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """(parent, child) of the cheapest ways for every connection, found from the LCA down."""
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        above: dict[int, set[int]] = {}
        for i, a in (*self.connections[0], *self.connections[1]):
            above.setdefault(i, set()).add(a)
        for i, lcas in above.items():
            below = self.climb.edges_up(i, max(self.climb.up[i][a] for a in lcas))
            for a in lcas:
                pending, seen, edges = [a], {a}, []
                while pending:
                    j = pending.pop()
                    children = below.get(j, ()) if j != i else ()
                    edges += [(j, k) for k in children]
                    pending += [k for k in children if k not in seen]
                    seen.update(children)
                found[i, a] = edges
        return found

    def _ways(self, start: int, end: int, edges: list[tuple[int, int]]) -> solvers.Ways:
        parents: dict[int, list[int]] = {}
        for j, k in edges:
            parents.setdefault(self.rank[k], []).append(self.rank[j])
        above = tuple((k, tuple(sorted(parents[k]))) for k in sorted(parents, reverse=True))
        return solvers.Ways(self.rank[start], self.rank[end], above)

    def _own(self, side: int) -> dict[int, int]:
        if not all(self.climb.classes):
            return {}
        return {
            self.rank[i]: sum(1 << self.rank[a] for a in self.climb.lcas[side][i]) for i in self.climb.classes[side]
        }

    def _nearest(self, side: int) -> dict[int, tuple[int, ...]]:
        other = {a for lcas in self.climb.lcas[1 - side].values() for a in lcas}
        return {self.rank[a]: tuple(self.rank[i] for i in self.climb.nearest_below(side, a)) for a in sorted(other)}

    # The way back.

    def label(self, k: int) -> str:
        return self.climb.h.nodes[self.order[k]]

    def labels(self, mask: int) -> frozenset[str]:
        return frozenset(self.label(k) for k in solvers.members(mask))

    def path(self, path: tuple[int, ...]) -> Path:
        return tuple(self.label(k) for k in path)

    def graph(self, side: int, edges: Iterable[tuple[int, int]]) -> LCAGraph:
        """The graph of a side from (parent, child) in solver numbers."""
        ordered = sorted(set(edges))
        classes = self.climb.labels(self.climb.classes[side])
        pairs = tuple((self.label(j), self.label(k)) for j, k in ordered)
        return LCAGraph(classes, classes.union(*pairs), pairs)

    def listed_ways(self) -> tuple[LCAWays, ...]:
        return tuple(
            LCAWays(
                self.label(c),
                self.label(a),
                self.climb.up[self.order[c]][self.order[a]],
                self.labels(ways.nodes),
                tuple((self.label(j), self.label(k)) for j, k in sorted(_edges_of(ways))),
                ways.count,
                tuple(self.path(p) for p in islice(ways.listed(), PATHS_LISTED)),
            )
            for (c, a), ways in self.ways.items()
        )

    def owners(self, side: int, lca: int) -> frozenset[str]:
        return frozenset(self.label(c) for c, mask in self.problem.own[side].items() if mask >> lca & 1)

    def ranking(self, solution: solvers.Solution) -> tuple[RankedLCA, ...]:
        return tuple(
            RankedLCA(self.label(a), self.owners(0, a), self.owners(1, a), a in solution.lcas)
            for a in solvers.ranked(self.problem)
        )

    def steps(self, solution: solvers.Solution) -> tuple[SearchStep, ...]:
        graphs = [self.climb.labels(side) for side in self.climb.classes]
        events = solution.events or solvers.as_events(self.problem, solution)
        found = [
            SearchStep(
                e.phase, e.action, self.label(e.lca), None, self._why(e, solution), *self._state(e.chosen, graphs)
            )
            for e in events
        ]
        for way in solution.ways:
            path = self.chosen_path(way)
            graphs[way.connection.side] = graphs[way.connection.side].union(path.path)
            found.append(
                SearchStep(
                    "paths", "connect", path.lca, path, _about_path(path), *self._state(events[-1].chosen, graphs)
                )
            )
        return tuple(found)

    def _state(
        self, chosen: tuple[int, ...], graphs: list[frozenset[str]]
    ) -> tuple[Path, frozenset[str], frozenset[str], frozenset[str], frozenset[str]]:
        """The second half of a SearchStep: the chosen LCAs, the classes still open on either side, and the nodes of the
        graphs so far.
        """
        mask = sum(1 << a for a in chosen)
        true, predicted = (
            frozenset(self.label(c) for c, own in side.items() if not own & mask) for side in self.problem.own
        )
        return self.path(chosen), true, predicted, graphs[0], graphs[1]

    def chosen_path(self, way: solvers.ChosenWay) -> ChosenPath:
        ways = way.connection.ways
        return ChosenPath(
            SIDES[way.connection.side], self.path(way.path), way.connection.own, sum(w.count for w in ways)
        )

    def _why(self, event: solvers.Event, solution: solvers.Solution) -> str:
        a, lca = event.lca, self.label(event.lca)
        classes = self.owners(0, a) | self.owners(1, a)
        if event.action == "choose":
            lone = self._alone(a, self.problem.lcas)
            if lone:
                return f"{lca} is chosen: {named(lone)} {_have(lone)} no other LCA."
            how = "the next in rank" if solution.solver == "greedy" else "part of the best of the smallest sets"
            return f"{lca} is chosen: it is an LCA of {named(classes)}, and {how}."
        if event.action == "remove":
            return f"{lca} is removed: {named(classes)} {_have(classes)} another LCA among the chosen."
        lone = self._alone(a, event.chosen)
        return f"{lca} is kept: {named(lone)} {_have(lone)} no other LCA among the chosen."

    def _alone(self, lca: int, among: Iterable[int]) -> frozenset[str]:
        """The classes whose only own LCA, among some, is this one."""
        mask = sum(1 << a for a in among)
        return frozenset(
            self.label(c) for side in self.problem.own for c, own in side.items() if own & mask == 1 << lca
        )


def _edges_of(ways: solvers.Ways) -> set[tuple[int, int]]:
    return {(j, k) for k, parents in ways.above for j in parents}


def _have(classes: frozenset[str]) -> str:
    return "has" if len(classes) == 1 else "have"


def _about_path(path: ChosenPath) -> str:
    joined = " – ".join(path.path)
    if len(path.path) == 1:
        return f"{path.label} is its own LCA."
    of_many = f", one of {path.alternatives} cheapest ways" if path.alternatives > 1 else ""
    if path.own:
        return f"{path.label} is connected with its LCA {path.lca} by {joined}{of_many}."
    return f"{path.lca}, an LCA of the other side, is tied to the {path.side} side by {joined}{of_many}."


def _pair(instance: Instance, numbered: _Numbered, graphs: list[LCAGraph]) -> tuple[LCAGraph, LCAGraph, SetOverlap]:
    true, predicted = graphs
    free = instance.uncounted
    overlap = SetOverlap(
        true.nodes - free,
        predicted.nodes - free,
        true.nodes - free - instance.true,
        predicted.nodes - free - instance.predicted,
        instance.true - true.nodes,
        instance.predicted - predicted.nodes,
        len(instance.hierarchy) - len(free),
    )
    return true, predicted, overlap


def _extended(climb: _Climb, numbered: _Numbered, instance: Instance) -> GraphPair:
    graphs = []
    for side in (0, 1):
        ways = [numbered.ways[numbered.rank[i], numbered.rank[a]] for i, a in numbered.connections[side]]
        graphs.append(numbered.graph(side, (edge for w in ways for edge in _edges_of(w))))
    return GraphPair(*_pair(instance, numbered, graphs))


def _minimal(numbered: _Numbered, solution: solvers.Solution, extended: GraphPair, instance: Instance) -> MinimalGraphs:
    graphs = [
        numbered.graph(
            side, ((j, k) for way in solution.ways if way.connection.side == side for k, j in pairwise(way.path))
        )
        for side in (0, 1)
    ]
    chosen = numbered.path(solution.lcas)
    every = numbered.climb.all_lcas(0) | numbered.climb.all_lcas(1)
    return MinimalGraphs(
        *_pair(instance, numbered, graphs),
        chosen,
        tuple(numbered.chosen_path(way) for way in solution.ways),
        solution.solver,
        solution.optimal,
        solution.fewest,
        solution.compared,
        solution.work,
        every - set(chosen),
        extended.true.nodes - graphs[0].nodes,
        extended.predicted.nodes - graphs[1].nodes,
        numbered.steps(solution),
    )


# --- what is read off -----------------------------------------------------------------------------------------------


def compared_graphs(graphs: LCAGraphs, options: Options) -> GraphPair:
    """The two graphs that the option `graphs` asks for."""
    return graphs.extended if options.graphs == "extended" else graphs.minimal


# --- derivations --------------------------------------------------------------------------------------------------


def derive_precision(graphs: LCAGraphs, value: float, options: Options) -> Derivation:
    return _derive_share(graphs, value, options, "predicted")


def derive_recall(graphs: LCAGraphs, value: float, options: Options) -> Derivation:
    return _derive_share(graphs, value, options, "true")


def derive_symmetric_difference(graphs: LCAGraphs, value: float, options: Options) -> Derivation:
    overlap = compared_graphs(graphs, options).overlap
    g_t, g_p = _symbols(options.graphs)
    return Derivation(
        rf"|{g_p} \setminus {g_t}| + |{g_t} \setminus {g_p}| = {len(overlap.spurious)} + {len(overlap.missed)} "
        rf"= {number(value)}",
        f"Only on the predicted side: {named(overlap.spurious)}; only on the true side: {named(overlap.missed)}."
        + _about_choice(graphs, options.graphs),
    )


def _symbols(kind: str) -> tuple[str, str]:
    return ("G_t^{ex}", "G_p^{ex}") if kind == "extended" else ("G_t", "G_p")


def _derive_share(graphs: LCAGraphs, value: float, options: Options, side: Literal["true", "predicted"]) -> Derivation:
    overlap = compared_graphs(graphs, options).overlap
    g_t, g_p = _symbols(options.graphs)
    whole, symbol = (overlap.predicted, g_p) if side == "predicted" else (overlap.true, g_t)
    if not whole:
        return Derivation(rf"{symbol} = \emptyset \;\Rightarrow\; {number(value)}", _about_empty(overlap, side, value))
    return Derivation(
        rf"\frac{{|{g_p} \cap {g_t}|}}{{|{symbol}|}} = {fraction(len(overlap.shared), len(whole), value)}",
        f"{len(overlap.shared)} of the {counted(len(whole), 'class', 'classes')} in the {side} side's "
        f"{options.graphs} graph "
        f"{'is' if len(overlap.shared) == 1 else 'are'} in the other's too: {named(overlap.shared)}."
        + _about_choice(graphs, options.graphs),
    )


def derive_f1(graphs: LCAGraphs, value: float, options: Options) -> Derivation:
    overlap = compared_graphs(graphs, options).overlap
    g_t, g_p = _symbols(options.graphs)
    if overlap.empty:
        return Derivation(
            rf"{g_t} = {g_p} = \emptyset \;\Rightarrow\; {number(value)}", _about_empty(overlap, "true", value)
        )
    return Derivation(
        rf"\frac{{2\,|{g_p} \cap {g_t}|}}{{|{g_p}| + |{g_t}|}} = \frac{{2 \cdot {len(overlap.shared)}}}"
        rf"{{{len(overlap.predicted)} + {len(overlap.true)}}} = {number(value)}",
        f"The {options.graphs} graphs share {counted(len(overlap.shared), 'class', 'classes')}: "
        f"{named(overlap.shared)}; "
        f"{named(overlap.missed)} only on the true side, {named(overlap.spurious)} only on the predicted side."
        + _about_choice(graphs, options.graphs),
    )


def _about_empty(overlap: SetOverlap, side: str, value: float) -> str:
    if overlap.empty:
        return "Both sides are empty and agree."
    return f"The {side} side is empty; an undefined ratio is set to {number(value)}."


def _about_choice(graphs: LCAGraphs, kind: str) -> str:
    if kind == "extended" or graphs.minimal.optimal:
        return ""
    if graphs.minimal.solver == "greedy":
        return " The minimal graphs are the greedy algorithm's; better ones may exist."
    return " The search for the minimal graphs was cut short; better ones may exist."


# --- declarations -------------------------------------------------------------------------------------------------

LCA = Structure(
    key="lca",
    family=Family(
        key="lca",
        title="LCA graphs",
        description="Each class is joined with its nearest classes of the other side through their lowest common "
        "ancestors.",
        rank=2,
    ),
    build=lca_graphs,
    columns=sets.OVERLAP,
    row=lambda graphs, options: sets.overlap(compared_graphs(graphs, options).overlap, options),
    chosen_by="graphs",
    tables={"minimal": "lca", "extended": "lca_ext"},
)

_SOURCE = "Kosmopoulos et al. 2015, Section 2.4.2"
_EXTENDED = ("count_root", "zero_division", "edge_weights", "weight_base", "max_ancestor_distance")
_OPTIONS = ("graphs", "solver", *_EXTENDED)

MEASURES = (
    Measure(
        key="F_LCA",
        symbol="F_{LCA}",
        name="LCA F1",
        structure=LCA,
        read=sets.f1,
        formula=r"\frac{2\,|G_p \cap G_t|}{|G_p| + |G_t|}",
        derive=derive_f1,
        description="The harmonic mean of LCA precision and recall.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="P_LCA",
        symbol="P_{LCA}",
        name="LCA precision",
        structure=LCA,
        read=sets.precision,
        formula=r"\frac{|G_p \cap G_t|}{|G_p|}",
        derive=derive_precision,
        description="The share of the predicted side's LCA graph that is in the true side's.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="R_LCA",
        symbol="R_{LCA}",
        name="LCA recall",
        structure=LCA,
        read=sets.recall,
        formula=r"\frac{|G_p \cap G_t|}{|G_t|}",
        derive=derive_recall,
        description="The share of the true side's LCA graph that is in the predicted side's.",
        source=_SOURCE,
        options=_OPTIONS,
    ),
    Measure(
        key="SDL_LCA",
        symbol=r"l_{\Delta,LCA}",
        name="LCA symmetric difference loss",
        structure=LCA,
        better="lower",
        high=None,
        read=sets.symmetric_difference,
        pooled="never",
        formula=r"|G_p \setminus G_t| + |G_t \setminus G_p|",
        derive=derive_symmetric_difference,
        description="How many classes are in one of the two LCA graphs only.",
        source="Kosmopoulos et al. 2015, Section 3.1",
        options=tuple(o for o in _OPTIONS if o != "zero_division"),
    ),
    Measure(
        key="F_LCA_ext",
        symbol="F_{LCA}^{ex}",
        name="LCA F1, extended graphs",
        structure=LCA,
        read=sets.f1,
        formula=r"\frac{2\,|G_p^{ex} \cap G_t^{ex}|}{|G_p^{ex}| + |G_t^{ex}|}",
        derive=derive_f1,
        description="The harmonic mean of LCA precision and recall on the graphs with every LCA and every "
        "cheapest way.",
        source=_SOURCE,
        options=_EXTENDED,
        fixed={"graphs": "extended"},
    ),
    Measure(
        key="P_LCA_ext",
        symbol="P_{LCA}^{ex}",
        name="LCA precision, extended graphs",
        structure=LCA,
        read=sets.precision,
        formula=r"\frac{|G_p^{ex} \cap G_t^{ex}|}{|G_p^{ex}|}",
        derive=derive_precision,
        description="LCA precision on the graphs with every LCA and every cheapest way.",
        source=_SOURCE,
        options=_EXTENDED,
        fixed={"graphs": "extended"},
    ),
    Measure(
        key="R_LCA_ext",
        symbol="R_{LCA}^{ex}",
        name="LCA recall, extended graphs",
        structure=LCA,
        read=sets.recall,
        formula=r"\frac{|G_p^{ex} \cap G_t^{ex}|}{|G_t^{ex}|}",
        derive=derive_recall,
        description="LCA recall on the graphs with every LCA and every cheapest way.",
        source=_SOURCE,
        options=_EXTENDED,
        fixed={"graphs": "extended"},
    ),
)
