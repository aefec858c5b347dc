"""LCA measures: precision, recall, F1 and symmetric difference on graphs that join each class with
its nearest of the other side; and the builder of the graphs: climbing from the classes to their
LCAs, the problem in numbers, and back.

The graphs are defined in lca_structure; which LCAs and paths the minimal ones take is decided in
lca_solvers.

LCA(n, S) is found without looking at pairs. Let up_n(a) be the cost of the cheapest path from n up
to a, and near_S(a) the least up_s(a) of any s in S. Every path from n to S turns at an apex, so the
cheapest costs the minimum of up_n(a) + near_S(a) over the ancestors a (n itself among them), and
LCA(n, S) is the set of all a where the minimum is reached. A class s with up_s(a) = near_S(a) for
such an a is in S_best(n, S), with a in LCA(n, s), and no other class is. In a tree the paths are
single, LCA(n, s) is one class, and all of LCA(n, S) lies on the one path from n to the root.
"""

from collections.abc import Iterable, Mapping
from itertools import islice, pairwise
from typing import Any

from hiermeasures.core.hierarchy import Hierarchy, same_cost
from hiermeasures.core.options import EDGE_WEIGHTS, Options
from hiermeasures.measures import sets
from hiermeasures.measures.catalogue import (
    LOSS,
    MOST_NAMED,
    SIDES,
    Derivation,
    Family,
    Instance,
    Measure,
    Path,
    Structure,
    cited,
    counted,
    named,
    number,
)
from hiermeasures.measures.lca_solvers import any_order, as_events, by_structure, ranked, solve
from hiermeasures.measures.lca_structure import (
    PATHS_LISTED,
    BestMatch,
    ChosenPath,
    ChosenWay,
    Event,
    GraphPair,
    LCAGraph,
    LCAGraphs,
    LCAWays,
    Meeting,
    MinimalGraphs,
    Problem,
    RankedLCA,
    SearchStep,
    Solution,
    Ways,
    members,
)
from hiermeasures.measures.ratios import derived_of_sets, f1_precision_recall, ratios_of_sets
from hiermeasures.measures.sets import SetOverlap, SpecificClasses


def lca_graphs(instance: Instance) -> LCAGraphs:
    """The LCA structure of an instance (Kosmopoulos et al. 2015, Section 2.4.2).

    A virtual root can be an LCA like any other class, for classes that have nothing else in common.
    Whether it then counts as a shared node is the option `count_root`; by default it does not, so
    classes of different trees share nothing.
    """
    h = instance.hierarchy
    # A class above another of its own set would only add a shared node.
    true, predicted = (SpecificClasses.of(h, labels) for labels in (instance.true, instance.predicted))
    climb = _Climb(h, (true.classes, predicted.classes))
    problem = _Numbered.of(climb, instance)
    solution = solve(problem.problem, instance.options.solver, instance.exact_work)
    extended = _extended(problem, instance)
    return LCAGraphs(
        true=frozenset(true.classes),
        predicted=frozenset(predicted.classes),
        dropped_true=true.dropped,
        dropped_predicted=predicted.dropped,
        true_matches=climb.matches(0),
        predicted_matches=climb.matches(1),
        lca_true=climb.all_lcas(0),
        lca_predicted=climb.all_lcas(1),
        ways=problem.listed_ways(),
        ranking=problem.ranking(solution),
        extended=extended,
        minimal=_minimal(problem, solution, extended, instance),
    )


class _Climb:
    """Costs, nearest classes and LCA sets above the classes of both sides, by number."""

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
        """The classes of a side from which the path up to an LCA is cheapest."""
        least = self.near[side][lca]
        return tuple(i for i in self.classes[side] if same_cost(self.up[i].get(lca, float("inf")), least))

    def all_lcas(self, side: int) -> frozenset[str]:
        return self.labels({a for lcas in self.lcas[side].values() for a in lcas})

    def labels(self, numbers: Iterable[int]) -> frozenset[str]:
        return frozenset(self.h.nodes[i] for i in numbers)

    def connections(self, side: int) -> list[tuple[int, int]]:
        """(class, LCA) of a side's extended graph: its own LCAs, and those of its best matches."""
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
        """Edges (parent to children) on cheapest paths from a class up, of cost at most `top`."""
        cost = self.up[start]
        below: dict[int, list[int]] = {}
        for i in [i for i, c in cost.items() if c < top]:
            for j, weight in self.h.rows.weighted_parents(i):
                if same_cost(cost[i] + weight, cost[j]):
                    below.setdefault(j, []).append(i)
        return below


class _Numbered:
    """The instance as a problem for the solvers, in topological numbers, and the way back."""

    def __init__(
        self,
        climb: _Climb,
        uncounted: frozenset[str],
        edges: dict[tuple[int, int], list[tuple[int, int]]],
        order: list[int],
    ) -> None:
        self.climb = climb
        self.connections = (climb.connections(0), climb.connections(1))
        self.order = order
        self.rank = {i: k for k, i in enumerate(self.order)}
        self.ways = {(self.rank[i], self.rank[a]): self._ways(i, a, edges[i, a]) for i, a in edges}
        free = {climb.h.index(c) for c in uncounted}
        self.problem = Problem(
            (self._own(0), self._own(1)),
            (self._nearest(0), self._nearest(1)),
            self.ways,
            sum(1 << k for k, i in enumerate(self.order) if i not in free),
        )

    @classmethod
    def of(cls, climb: _Climb, instance: Instance) -> "_Numbered":
        """In the order of the hierarchy, or by structure where the values would depend on that."""
        edges = cls._edges(climb)
        numbers = {i for pairs in edges.values() for pair in pairs for i in pair}
        order = sorted(numbers.union(*climb.classes))
        numbered = cls(climb, instance.uncounted, edges, order)
        if any_order(numbered.problem, instance.options.solver, instance.exact_work):
            return numbered
        level = [climb.h.rows.level[i] for i in order]
        return cls(climb, instance.uncounted, edges, [order[k] for k in by_structure(numbered.problem, level)])

    @staticmethod
    def _edges(climb: _Climb) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """(parent, child) of the cheapest paths for every connection, found from the LCA down."""
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        above: dict[int, set[int]] = {}
        for i, a in (*climb.connections(0), *climb.connections(1)):
            above.setdefault(i, set()).add(a)
        for i, lcas in above.items():
            below = climb.edges_up(i, max(climb.up[i][a] for a in lcas))
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

    def _ways(self, start: int, end: int, edges: list[tuple[int, int]]) -> Ways:
        parents: dict[int, list[int]] = {}
        for j, k in edges:
            parents.setdefault(self.rank[k], []).append(self.rank[j])
        above = tuple((k, tuple(sorted(parents[k]))) for k in sorted(parents, reverse=True))
        return Ways(self.rank[start], self.rank[end], above)

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
        return frozenset(self.label(k) for k in members(mask))

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
                label=self.label(c),
                lca=self.label(a),
                cost=self.climb.up[self.order[c]][self.order[a]],
                nodes=self.labels(ways.nodes),
                edges=tuple((self.label(j), self.label(k)) for j, k in sorted(_edges_of(ways))),
                count=ways.count,
                paths=tuple(self.path(p) for p in islice(ways.listed(), PATHS_LISTED)),
            )
            for (c, a), ways in self.ways.items()
        )

    def owners(self, side: int, lca: int) -> frozenset[str]:
        return frozenset(self.label(c) for c, mask in self.problem.own[side].items() if mask >> lca & 1)

    def ranking(self, solution: Solution) -> tuple[RankedLCA, ...]:
        return tuple(
            RankedLCA(self.label(a), self.owners(0, a), self.owners(1, a), a in solution.lcas)
            for a in ranked(self.problem)
        )

    def steps(self, solution: Solution) -> tuple[SearchStep, ...]:
        graphs = [self.climb.labels(side) for side in self.climb.classes]
        events = solution.events or as_events(self.problem, solution)

        def step(e: Event, path: ChosenPath | None = None) -> SearchStep:
            """The state after an event, or after a path that follows the last event."""
            mask = sum(1 << a for a in e.chosen)
            still_open = [
                frozenset(self.label(c) for c, own in side.items() if not own & mask) for side in self.problem.own
            ]
            return SearchStep(
                phase="paths" if path else e.phase,
                action="connect" if path else e.action,
                lca=path.lca if path else self.label(e.lca),
                path=path,
                sentence=_about_path(path) if path else self._why(e, solution),
                chosen=self.path(e.chosen),
                open_true=still_open[0],
                open_predicted=still_open[1],
                true_nodes=graphs[0],
                predicted_nodes=graphs[1],
            )

        found = [step(e) for e in events]
        for way in solution.ways:
            path = self.chosen_path(way)
            graphs[way.connection.side] = graphs[way.connection.side].union(path.path)
            found.append(step(events[-1], path))
        return tuple(found)

    def chosen_path(self, way: ChosenWay) -> ChosenPath:
        ways = way.connection.ways
        return ChosenPath(
            SIDES[way.connection.side], self.path(way.path), way.connection.own, sum(w.count for w in ways)
        )

    def _why(self, event: Event, solution: Solution) -> str:
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


def _edges_of(ways: Ways) -> set[tuple[int, int]]:
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


def _pair(instance: Instance, graphs: list[LCAGraph]) -> dict[str, Any]:
    """The graphs of both sides and their overlap, as a GraphPair has them."""
    true, predicted = graphs
    free = instance.uncounted
    overlap = SetOverlap.of(
        instance,
        true.nodes - free,
        predicted.nodes - free,
        true_removed=instance.true - true.nodes,
        predicted_removed=instance.predicted - predicted.nodes,
    )
    return {"true": true, "predicted": predicted, "overlap": overlap}


def _extended(numbered: _Numbered, instance: Instance) -> GraphPair:
    graphs = []
    for side in (0, 1):
        ways = [numbered.ways[numbered.rank[i], numbered.rank[a]] for i, a in numbered.connections[side]]
        graphs.append(numbered.graph(side, (edge for w in ways for edge in _edges_of(w))))
    return GraphPair(**_pair(instance, graphs))


def _minimal(numbered: _Numbered, solution: Solution, extended: GraphPair, instance: Instance) -> MinimalGraphs:
    taken: list[set[tuple[int, int]]] = [set(), set()]
    for way in solution.ways:
        taken[way.connection.side].update((j, k) for k, j in pairwise(way.path))
    graphs = [numbered.graph(side, taken[side]) for side in (0, 1)]
    chosen = numbered.path(solution.lcas)
    every = numbered.climb.all_lcas(0) | numbered.climb.all_lcas(1)
    return MinimalGraphs(
        **_pair(instance, graphs),
        lcas=chosen,
        paths=tuple(numbered.chosen_path(way) for way in solution.ways),
        solver=solution.solver,
        optimal=solution.optimal,
        fewest=solution.fewest,
        compared=solution.compared,
        work=solution.work,
        redundant_lcas=every - set(chosen),
        redundant_true=extended.true.nodes - graphs[0].nodes,
        redundant_predicted=extended.predicted.nodes - graphs[1].nodes,
        steps=numbered.steps(solution),
    )


def compared_graphs(graphs: LCAGraphs, options: Options) -> GraphPair:
    """The two graphs that the option `graphs` asks for."""
    return graphs.extended if options.graphs == "extended" else graphs.minimal


# --- derivations --------------------------------------------------------------------------------


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


def _about_choice(graphs: LCAGraphs, kind: str) -> str:
    if kind == "extended" or graphs.minimal.optimal:
        return ""
    if graphs.minimal.solver == "greedy":
        return " The minimal graphs are the greedy algorithm's; better ones may exist."
    return f" The search for the minimal graphs was stopped after {graphs.minimal.work:,} steps; better ones may exist."


_DERIVE = derived_of_sets(
    overlap=lambda graphs, options: compared_graphs(graphs, options).overlap,
    symbols=lambda graphs, options: _symbols(options.graphs),
    share_words=lambda options, side: (f"in the {side} side's {options.graphs} graph", "in the other's too"),
    f1_words=lambda overlap, options: (
        f"The {options.graphs} graphs share {counted(len(overlap.shared), 'class', 'classes')}: "
        f"{named(overlap.shared)}; {named(overlap.missed)} only on the true side, "
        f"{named(overlap.spurious)} only on the predicted side."
    ),
    note=lambda graphs, options: _about_choice(graphs, options.graphs),
)


# --- changes ---


def changes(before: LCAGraphs, after: LCAGraphs, options: Options) -> list[str]:
    """Say which lowest common ancestors came and went, and what the graphs share since."""
    was, now = _lcas(before, options), _lcas(after, options)
    overlaps = [compared_graphs(g, options).overlap for g in (before, after)]
    new_shared = overlaps[1].shared - overlaps[0].shared
    lost = overlaps[0].shared - overlaps[1].shared
    parts: list[str] = []
    said: set[str] = set()
    for lca in sorted(now - was):
        meeting = _meeting(after, lca)
        if meeting:
            joined = new_shared if len(now - was) == 1 else new_shared & {lca}
            said |= joined
            parts.append(meeting + (f", so {_joins(joined)} both graphs" if joined else ""))
    for lca in sorted(was - now):
        without = lost if len(was - now) == 1 else lost & {lca}
        said |= without
        parts.append(
            f"{lca} is no longer a chosen common ancestor"
            + (f", so {named(without, MOST_NAMED)} {_leaves(without)} both graphs" if without else "")
        )
    if rest := new_shared - said:
        parts.append(f"now in both graphs: {named(rest, MOST_NAMED)}")
    if rest := lost - said:
        parts.append(f"no longer in both graphs: {named(rest, MOST_NAMED)}")
    for part, words in (("spurious", "predicted"), ("missed", "true")):
        old, new = getattr(overlaps[0], part), getattr(overlaps[1], part)
        for classes, when in ((new - old, f"only {words} now"), (old - new - new_shared, f"no longer only {words}")):
            if classes:
                parts.append(f"{when}: {named(classes, MOST_NAMED)}")
    return parts


def _lcas(graphs: LCAGraphs, options: Options) -> set[str]:
    if options.graphs == "extended":
        return set(graphs.lca_true | graphs.lca_predicted)
    return set(graphs.minimal.lcas)


def _meeting(graphs: LCAGraphs, lca: str) -> str:
    """The class that meets another there; one that is its own common ancestor is found again."""
    for match in (*graphs.predicted_matches, *graphs.true_matches):
        partners = [m.partner for m in match.meetings if lca in m.lcas]
        if partners == [match.label]:
            return f"{match.label} is true and predicted"
        if partners:
            return f"{match.label} meets {named(partners, MOST_NAMED)} in {lca}"
    return ""


def _joins(classes: Iterable[str]) -> str:
    chosen = sorted(classes)
    return f"{named(chosen, MOST_NAMED)} {'joins' if len(chosen) == 1 else 'join'}"


def _leaves(classes: Iterable[str]) -> str:
    return "leaves" if len(set(classes)) == 1 else "leave"


# --- declarations -------------------------------------------------------------------------------

LCA = Structure(
    key="lca",
    family=Family(
        key="lca",
        title="LCA graphs",
        description="Classes above another of their own side are removed first. Each that is left is joined with its "
        "nearest classes of the other side through their lowest common ancestors.",
        rank=2,
        exercises=("F_LCA", "P_LCA", "R_LCA"),
    ),
    build=lca_graphs,
    view="lca",
    changes=changes,
    columns=sets.OVERLAP,
    meanings=sets.OVERLAP_MEANINGS,
    row=lambda graphs, options: sets.overlap(compared_graphs(graphs, options).overlap, options),
    chosen_by="graphs",
    tables={"minimal": "lca", "extended": "lca_ext"},
)

_SOURCE = cited("@kosmopoulos2015, Section 2.4.2")
_EXTENDED = ("count_root", "zero_division", *EDGE_WEIGHTS, "max_ancestor_distance")
_OPTIONS = ("graphs", "solver", *_EXTENDED)

_RATIOS: Mapping[str, Any] = {"structure": LCA, "derive": _DERIVE, "source": _SOURCE}

MEASURES = (
    *f1_precision_recall(
        keys=("F_LCA", "P_LCA", "R_LCA"),
        function="lca",
        name="LCA {}",
        symbols=("F_{LCA}", "P_{LCA}", "R_{LCA}"),
        ratios=ratios_of_sets(*_symbols("minimal")),
        descriptions=(
            "The harmonic mean of LCA precision and recall.",
            "The share of the predicted side's LCA graph that is in the true side's.",
            "The share of the true side's LCA graph that is in the predicted side's.",
        ),
        options=_OPTIONS,
        **_RATIOS,
    ),
    Measure(
        **LOSS,
        key="SDL_LCA",
        function="lca_symmetric_difference_loss",
        symbol=r"l_{\Delta,LCA}",
        name="LCA symmetric difference loss",
        structure=LCA,
        read=sets.symmetric_difference,
        formula=r"|G_p \setminus G_t| + |G_t \setminus G_p|",
        derive=derive_symmetric_difference,
        description="How many classes are in one of the two LCA graphs only.",
        source=cited("@kosmopoulos2015, Section 3.1"),
        options=tuple(o for o in _OPTIONS if o != "zero_division"),
    ),
    *f1_precision_recall(
        keys=("F_LCA_ext", "P_LCA_ext", "R_LCA_ext"),
        function="lca_extended",
        name="LCA {}, extended graphs",
        symbols=("F_{LCA}^{ex}", "P_{LCA}^{ex}", "R_{LCA}^{ex}"),
        ratios=ratios_of_sets(*_symbols("extended")),
        descriptions=(
            "The harmonic mean of LCA precision and recall on the graphs with every LCA and every cheapest way.",
            "LCA precision on the graphs with every LCA and every cheapest way.",
            "LCA recall on the graphs with every LCA and every cheapest way.",
        ),
        options=_EXTENDED,
        fixed={"graphs": "extended"},
        **_RATIOS,
    ),
)
