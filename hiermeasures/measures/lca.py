"""The LCA measures, and the builder of LCA graphs.

The measures are precision, recall, F1 and symmetric difference on graphs. The graphs join each
class with its nearest classes on the other side. The builder climbs from the classes to their LCAs.
It writes the problem in numbers, and translates the solution back. lca_structure defines the
graphs. lca_solvers chooses the LCAs and paths of the minimal graphs.

LCA(n, S) is found without comparing all pairs. Let up_n(a) be the cost of the cheapest path from n
up to a, and near_S(a) the smallest up_s(a) of all s in S. Every path from n to S turns at an apex.
So the cheapest path costs the minimum of up_n(a) + near_S(a) over the ancestors a (including n).
LCA(n, S) is the set of all a with this minimum. A class s is in S_best(n, S) if up_s(a) = near_S(a)
for one of these a. Then a is in LCA(n, s). In a tree there is one path between two classes, LCA(n,
s) is one class, and all of LCA(n, S) is on the path from n to the root.
"""

import math
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice, pairwise
from typing import Any

from hiermeasures.hierarchy.hierarchy import Hierarchy, same_cost
from hiermeasures.hierarchy.options import EDGE_WEIGHTS, Options
from hiermeasures.hierarchy.words import agree, write_count
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures import lca_structure as made
from hiermeasures.measures import sets
from hiermeasures.measures.catalogue import (
    SIDES,
    Derivation,
    Instance,
    Measure,
    Structure,
    cited,
    mark_term,
    named,
    number,
)
from hiermeasures.measures.lca_solvers import (
    CheapestPaths,
    Problem,
    Solution,
    SolverStep,
    any_order,
    by_structure,
    solve,
)
from hiermeasures.measures.lca_structure import GraphPair, LCAGraph, LCAGraphs
from hiermeasures.measures.ratios import derived_of_sets, f1_precision_recall, ratios_of_sets

PATHS_LISTED = 20
Edge = tuple[int, int]  # parent and child


def lca_graphs(instance: Instance) -> LCAGraphs:
    """Return the LCA structure of an instance (Kosmopoulos et al. 2015, Section 2.4.2).

    A virtual root can be an LCA if classes have no other common ancestor. The option `count_root`
    decides if it then counts as a shared node. By default it does not, so classes of different
    trees share no nodes.
    """
    h = instance.hierarchy
    # A class above another of its own set would only add a shared node.
    true, predicted = (
        sets.SpecificClasses.of(h, labels) for labels in (instance.true, instance.predicted)
    )
    climb = _Climb(h, (true.classes, predicted.classes))
    numbered = _Numbered.of(climb, instance)
    solution = solve(numbered.problem, instance.options.solver, instance.exact_work)
    extended = numbered.pair(
        [[e for way in ways for e in way.edges] for ways in numbered.connected]
    )
    return LCAGraphs(
        true=frozenset(true.classes),
        predicted=frozenset(predicted.classes),
        dropped_true=true.dropped,
        dropped_predicted=predicted.dropped,
        true_matches=climb.matches(0),
        predicted_matches=climb.matches(1),
        lca_true=climb.labels(climb.all_lcas(0)),
        lca_predicted=climb.labels(climb.all_lcas(1)),
        ways={
            (numbered.label(c), numbered.label(a)): tuple(
                map(numbered.path, islice(ways.listed(), PATHS_LISTED))
            )
            for (c, a), ways in numbered.ways.items()
        },
        ranking=tuple(
            made.RankedLCA(
                numbered.label(a), numbered.owners(0, a), numbered.owners(1, a), a in solution.lcas
            )
            for a in numbered.problem.ranked
        ),
        extended=GraphPair(**extended),
        minimal=numbered.minimal(solution, extended),
    )


class _Climb:
    """The costs, nearest classes and LCA sets above the classes of both sides, by number."""

    def __init__(self, h: Hierarchy, sides: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
        self.h = h
        self.classes = tuple([h.index(c) for c in side] for side in sides)
        self.up = {
            i: {h.index(c): cost for c, cost in h.up(h.nodes[i]).items()}
            for side in self.classes
            for i in side
        }
        self.near = tuple(self._nearest(side) for side in (0, 1))
        self.distance: tuple[dict[int, float], ...] = ({}, {})
        self.lcas: tuple[dict[int, list[int]], ...] = ({}, {})
        for side in (0, 1) if all(self.classes) else ():
            for i in self.classes[side]:
                near = self.near[1 - side]
                total = {a: cost + near[a] for a, cost in self.up[i].items() if a in near}
                self.distance[side][i] = least = min(total.values())
                self.lcas[side][i] = sorted(
                    a for a, cost in total.items() if same_cost(cost, least)
                )

    def _nearest(self, side: int) -> dict[int, float]:
        near: dict[int, float] = {}
        for i in self.classes[side]:
            for a, cost in self.up[i].items():
                if cost < near.get(a, math.inf):
                    near[a] = cost
        return near

    def nearest_below(self, side: int, lca: int) -> tuple[int, ...]:
        """Return the classes of a side with the cheapest path up to an LCA."""
        least = self.near[side][lca]
        return tuple(
            i for i in self.classes[side] if same_cost(self.up[i].get(lca, math.inf), least)
        )

    def all_lcas(self, side: int) -> set[int]:
        return {a for lcas in self.lcas[side].values() for a in lcas}

    def labels(self, numbers: Iterable[int]) -> frozenset[str]:
        return frozenset(self.h.nodes[i] for i in numbers)

    def connections(self, side: int) -> list[tuple[int, int]]:
        """Return the connections (class, LCA) of a side's extended graph.

        They are the side's own LCAs, and the LCAs for which its classes are best matches.
        """
        own = {(i, a) for i, lcas in self.lcas[side].items() for a in lcas}
        return sorted(
            own | {(i, a) for a in self.all_lcas(1 - side) for i in self.nearest_below(side, a)}
        )

    def matches(self, side: int) -> tuple[made.BestMatch, ...]:
        found = []
        for i, lcas in self.lcas[side].items():
            meets: dict[int, list[int]] = {}
            for a in lcas:
                for partner in self.nearest_below(1 - side, a):
                    meets.setdefault(partner, []).append(a)
            meetings = {self.h.nodes[s]: self.labels(meets[s]) for s in sorted(meets)}
            distance = self.distance[side][i]
            found.append(
                made.BestMatch(self.h.nodes[i], SIDES[side], distance, meetings, self.labels(lcas))
            )
        return tuple(found)

    def edges(self) -> dict[tuple[int, int], list[Edge]]:
        """Return the edges of the cheapest paths of every connection, from the LCA down."""
        above: dict[int, set[int]] = {}
        for i, a in (*self.connections(0), *self.connections(1)):
            above.setdefault(i, set()).add(a)
        found: dict[tuple[int, int], list[Edge]] = {}
        for i, lcas in above.items():
            below = self._edges_up(i, max(self.up[i][a] for a in lcas))
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

    def _edges_up(self, start: int, top: float) -> dict[int, list[int]]:
        """Return the edges (parent to children) on cheapest paths up from a class.

        The paths cost at most `top`.
        """
        cost = self.up[start]
        below: dict[int, list[int]] = {}
        for i in [i for i, c in cost.items() if c < top]:
            for j, weight in self.h.rows.weighted_parents(i):
                if same_cost(cost[i] + weight, cost[j]):
                    below.setdefault(j, []).append(i)
        return below


class _Numbered:
    """A problem for the solvers in topological numbers, and the translation back to classes."""

    def __init__(
        self,
        climb: _Climb,
        instance: Instance,
        edges: Mapping[tuple[int, int], list[Edge]],
        order: list[int],
    ) -> None:
        self.climb, self.instance, self.order = climb, instance, order
        self.rank = rank = {i: k for k, i in enumerate(order)}
        self.ways = {
            (rank[i], rank[a]): self._ways(rank[i], rank[a], found)
            for (i, a), found in edges.items()
        }
        self.connected = [
            [self.ways[rank[i], rank[a]] for i, a in climb.connections(side)] for side in (0, 1)
        ]
        own = (
            {rank[i]: sum(1 << rank[a] for a in lcas) for i, lcas in side.items()}
            for side in climb.lcas
        )
        nearest = (
            {
                rank[a]: tuple(rank[i] for i in climb.nearest_below(s, a))
                for a in sorted(climb.all_lcas(1 - s))
            }
            for s in (0, 1)
        )
        free = {climb.h.index(c) for c in instance.uncounted}
        counted = sum(1 << k for k, i in enumerate(order) if i not in free)
        self.problem = Problem(
            (next(own), next(own)), (next(nearest), next(nearest)), self.ways, counted
        )

    @classmethod
    def of(cls, climb: _Climb, instance: Instance) -> "_Numbered":
        """Number the instance in the order of the hierarchy.

        If the order would change the values, number it by structure.
        """
        edges = climb.edges()
        numbers = {i for pairs in edges.values() for pair in pairs for i in pair}
        order = sorted(numbers.union(*climb.classes))
        numbered = cls(climb, instance, edges, order)
        if any_order(numbered.problem, instance.options.solver, instance.exact_work):
            return numbered
        level = [climb.h.rows.level[i] for i in order]
        return cls(
            climb, instance, edges, [order[k] for k in by_structure(numbered.problem, level)]
        )

    def _ways(self, start: int, end: int, edges: list[Edge]) -> CheapestPaths:
        parents: dict[int, list[int]] = {}
        for j, k in edges:
            parents.setdefault(self.rank[k], []).append(self.rank[j])
        return CheapestPaths(
            start, end, tuple((k, tuple(sorted(parents[k]))) for k in sorted(parents, reverse=True))
        )

    def label(self, k: int) -> str:
        return self.climb.h.nodes[self.order[k]]

    def path(self, path: Iterable[int]) -> cat.Path:
        return tuple(map(self.label, path))

    def owners(self, side: int, lca: int) -> frozenset[str]:
        return frozenset(
            self.label(c) for c, mask in self.problem.own[side].items() if mask >> lca & 1
        )

    def pair(self, edges: list[list[Edge]]) -> dict[str, Any]:
        """Return the fields of a GraphPair, from the edges of both graphs."""
        instance, graphs = self.instance, []
        for side, found in zip(self.climb.classes, edges, strict=True):
            classes, pairs = (
                self.climb.labels(side),
                tuple((self.label(j), self.label(k)) for j, k in sorted(set(found))),
            )
            graphs.append(LCAGraph(classes, classes.union(*pairs), pairs))
        true, predicted = graphs
        overlap = sets.SetOverlap.of(
            instance,
            true.nodes - instance.uncounted,
            predicted.nodes - instance.uncounted,
            true_removed=instance.true - true.nodes,
            predicted_removed=instance.predicted - predicted.nodes,
        )
        return {"true": true, "predicted": predicted, "overlap": overlap}

    def minimal(self, solution: Solution, extended: Mapping[str, Any]) -> made.MinimalGraphs:
        taken: list[list[Edge]] = [[], []]
        for way in solution.ways:
            taken[way.connection.side] += [(j, k) for k, j in pairwise(way.path)]
        pair, chosen = self.pair(taken), self.path(solution.lcas)
        every = self.climb.labels(self.climb.all_lcas(0) | self.climb.all_lcas(1))
        paths = tuple(
            made.ChosenPath(
                SIDES[link.side], self.path(way.path), link.own, sum(w.count for w in link.ways)
            )
            for way in solution.ways
            for link in [way.connection]
        )
        return made.MinimalGraphs(
            **pair,
            lcas=chosen,
            paths=paths,
            solver=solution.solver,
            optimal=solution.optimal,
            work=solution.work,
            redundant_lcas=every - set(chosen),
            redundant_true=extended["true"].nodes - pair["true"].nodes,
            redundant_predicted=extended["predicted"].nodes - pair["predicted"].nodes,
            steps=self._steps(solution, paths),
        )

    def _steps(
        self, solution: Solution, paths: tuple[made.ChosenPath, ...]
    ) -> tuple[made.SearchStep, ...]:
        order = [a for a in self.problem.ranked if a in solution.lcas]
        events = solution.events or [
            SolverStep("selection", "choose", a, tuple(order[: k + 1])) for k, a in enumerate(order)
        ]
        graphs = dict(zip(SIDES, map(self.climb.labels, self.climb.classes), strict=True))

        def step(e: SolverStep, **of: Any) -> made.SearchStep:
            """Return the state after an event, or after a path that follows the last event.

            `of` has the other fields of the step.
            """
            mask = sum(1 << a for a in e.chosen)
            still_open = [
                frozenset(self.label(c) for c, m in own.items() if not m & mask)
                for own in self.problem.own
            ]
            return made.SearchStep(
                **of,
                chosen=self.path(e.chosen),
                open_true=still_open[0],
                open_predicted=still_open[1],
                true_nodes=graphs["true"],
                predicted_nodes=graphs["predicted"],
            )

        found = []
        for e in events:
            about: dict[str, Any] = {"lca": self.label(e.lca), "sentence": self._why(e, solution)}
            found.append(step(e, phase=e.phase, action=e.action, path=None, **about))
        for path in paths:
            graphs[path.side] = graphs[path.side].union(path.path)
            about = {"lca": path.lca, "sentence": _about_path(path)}
            found.append(step(events[-1], phase="paths", action="connect", path=path, **about))
        return tuple(found)

    def _why(self, event: SolverStep, solution: Solution) -> str:
        a, lca = event.lca, self.label(event.lca)
        classes = self.owners(0, a) | self.owners(1, a)
        # classes that have only this LCA as their own, among all LCAs or among the chosen ones
        among = self.problem.lcas if event.action == "choose" else event.chosen
        mask = sum(1 << b for b in among)
        lone = {
            self.label(c) for own in self.problem.own for c, m in own.items() if m & mask == 1 << a
        }
        if event.action == "remove":
            has = agree(len(classes), "has")
            return f"{lca} is removed: {named(classes)} {has} another chosen LCA."
        have = agree(len(lone), "has")
        if event.action == "keep":
            return f"{lca} is kept: {named(lone)} {have} no other chosen LCA."
        if lone:
            return f"{lca} is chosen: {named(lone)} {have} no other LCA."
        how = (
            "the next in rank"
            if solution.solver == "greedy"
            else "part of the best of the smallest sets"
        )
        return f"{lca} is chosen: it is an LCA of {named(classes)} and {how}."


def _about_path(path: made.ChosenPath) -> str:
    if len(path.path) == 1:
        return f"{path.label} is its own LCA."
    of_many = f", one of {path.alternatives} cheapest paths" if path.alternatives > 1 else ""
    joined = f"{' – '.join(path.path)}{of_many}."
    if path.own:
        return f"{path.label} is connected with its LCA {path.lca} by {joined}"
    return (
        f"{path.lca}, an LCA of the other side, is connected with the {path.side} side by {joined}"
    )


def compared_graphs(graphs: LCAGraphs, options: Options) -> GraphPair:
    """Return the two graphs that the option `graphs` asks for."""
    return graphs.extended if options.graphs == "extended" else graphs.minimal


def derive_symmetric_difference(graphs: LCAGraphs, value: float, options: Options) -> Derivation:
    """Return the derivation of the symmetric difference of two graphs."""
    overlap = compared_graphs(graphs, options).overlap
    g_t, g_p = _symbols(options.graphs)
    return Derivation(
        f"{sets.mark_differences(g_p, g_t)} = {mark_term('spurious', len(overlap.spurious))} + "
        f"{mark_term('missed', len(overlap.missed))} = {number(value)}",
        f"Only in the predicted graph: {named(overlap.spurious)}. Only in the true graph: "
        f"{named(overlap.missed)}." + _about_choice(graphs, options),
    )


def _symbols(kind: str) -> tuple[str, str]:
    return (r"G_t^{\mathrm{ex}}", r"G_p^{\mathrm{ex}}") if kind == "extended" else ("G_t", "G_p")


def _shared_words(classes: frozenset[str]) -> str:
    return f"{write_count(len(classes), 'class')}: {named(classes)}" if classes else "no class"


def _side_words(classes: frozenset[str], side: str) -> str:
    return (
        f"; {named(classes)} {agree(len(classes), 'is')} in the {side} graph only"
        if classes
        else ""
    )


def _about_choice(graphs: LCAGraphs, options: Options) -> str:
    minimal = graphs.minimal
    if options.graphs == "extended" or minimal.optimal:
        return ""
    if minimal.solver == "greedy":
        return " The greedy algorithm chose the minimal graphs. Better ones may exist."
    return (
        f" The search for the minimal graphs stopped after {minimal.work:,} steps. Better ones may "
        "exist."
    )


_DERIVE = derived_of_sets(
    overlap=lambda graphs, options: compared_graphs(graphs, options).overlap,
    symbols=lambda graphs, options: _symbols(options.graphs),
    share_words=lambda options, side: (
        f"in the {side} side's {options.graphs} graph",
        "also in the other graph",
    ),
    f1_words=lambda overlap, options: (
        f"The {options.graphs} graphs share {_shared_words(overlap.shared)}"
        f"{_side_words(overlap.missed, 'true')}{_side_words(overlap.spurious, 'predicted')}."
    ),
    note=_about_choice,
)


def changes(before: LCAGraphs, after: LCAGraphs, options: Options) -> list[str]:
    """Describe the LCAs and the nodes of the graphs that changed."""
    name_few = partial(named, limit=cat.MOST_NAMED)
    was, now = _lcas(before, options), _lcas(after, options)
    old, new = (compared_graphs(graphs, options).overlap for graphs in (before, after))
    joined, lost = new.shared - old.shared, old.shared - new.shared
    parts: list[str] = []
    said: set[str] = set()
    for lcas, changed, verb in ((now - was, joined, "join"), (was - now, lost, "leave")):
        for lca in sorted(lcas):
            why = (
                _meeting(after, lca)
                if verb == "join"
                else f"{lca} is no longer a chosen common ancestor"
            )
            due = (changed if len(lcas) == 1 else changed & {lca}) if why else frozenset()
            said |= due
            ending = (
                f", so {name_few(due)} {agree(len(due), f'{verb}s', verb)} both graphs"
                if due
                else ""
            )
            parts += [why + ending] if why else []
    rest = {"now in both graphs": joined - said, "no longer in both graphs": lost - said}
    for part, words in (("spurious", "predicted"), ("missed", "true")):
        only, only_now = getattr(old, part), getattr(new, part)
        rest |= {
            f"new on the {words} side only": only_now - only,
            f"no longer only {words}": only - only_now - joined,
        }
    return parts + [f"{words}: {name_few(classes)}" for words, classes in rest.items() if classes]


def _lcas(graphs: LCAGraphs, options: Options) -> frozenset[str]:
    return (
        graphs.lca_true | graphs.lca_predicted
        if options.graphs == "extended"
        else frozenset(graphs.minimal.lcas)
    )


def _meeting(graphs: LCAGraphs, lca: str) -> str:
    """Describe a class that meets its partners at an LCA, or return ""."""
    for match in (*graphs.predicted_matches, *graphs.true_matches):
        partners = [partner for partner, lcas in match.meetings.items() if lca in lcas]
        if partners == [match.label]:
            return f"{match.label} is true and predicted"
        if partners:
            return f"{match.label} meets {named(partners, cat.MOST_NAMED)} in {lca}"
    return ""


LCA = Structure(
    key="lca",
    family=cat.Family(
        key="lca",
        title="LCA graphs",
        description="Each class is joined to its nearest class on the other side through their "
        "lowest common ancestor. Classes with a descendant on their own side are left out.",
        rank=2,
        exercises=("F_LCA", "P_LCA", "R_LCA"),
    ),
    build=lca_graphs,
    view="lca",
    changes=changes,
    terms=lambda graphs, options: sets.explain_terms(
        compared_graphs(graphs, options).overlap, options
    ),
    columns=sets.OVERLAP,
    meanings=sets.OVERLAP_MEANINGS,
    row=lambda graphs, options: sets.overlap(compared_graphs(graphs, options).overlap, options),
    variant=lambda options: "_ext" if options.graphs == "extended" else "",
)

_EXTENDED = ("count_root", "zero_division", *EDGE_WEIGHTS, "max_ancestor_distance")
_OPTIONS = ("graphs", "solver", *_EXTENDED)

_RATIOS: Mapping[str, Any] = {
    "structure": LCA,
    "derive": _DERIVE,
    "source": cited("@kosmopoulos2015, Section 2.4.2"),
}

MEASURES = (
    *f1_precision_recall(
        keys=("F_LCA", "P_LCA", "R_LCA"),
        function="lca",
        name="LCA {}",
        symbols=(r"F_{\mathrm{LCA}}", r"P_{\mathrm{LCA}}", r"R_{\mathrm{LCA}}"),
        ratios=ratios_of_sets(*_symbols("minimal")),
        descriptions=(
            "The harmonic mean of LCA precision and recall.",
            "The share of the predicted side's LCA graph that is also in the true side's graph.",
            "The share of the true side's LCA graph that is also in the predicted side's graph.",
        ),
        options=_OPTIONS,
        **_RATIOS,
    ),
    Measure(
        **cat.LOSS,
        **cat.names(
            "SDL_LCA",
            "lca_symmetric_difference_loss",
            r"l_{\Delta,\mathrm{LCA}}",
            "LCA symmetric difference loss",
        ),
        structure=LCA,
        read=sets.symmetric_difference,
        formula=r"|G_p \setminus G_t| + |G_t \setminus G_p|",
        derive=derive_symmetric_difference,
        description="The number of classes in one of the two LCA graphs only.",
        source=cited("@kosmopoulos2015, Section 3.1"),
        options=tuple(o for o in _OPTIONS if o != "zero_division"),
    ),
    *f1_precision_recall(
        keys=("F_LCA_ext", "P_LCA_ext", "R_LCA_ext"),
        function="lca_extended",
        name="LCA {}, extended graphs",
        symbols=(
            r"F_{\mathrm{LCA}}^{\mathrm{ex}}",
            r"P_{\mathrm{LCA}}^{\mathrm{ex}}",
            r"R_{\mathrm{LCA}}^{\mathrm{ex}}",
        ),
        ratios=ratios_of_sets(*_symbols("extended")),
        descriptions=(
            "The harmonic mean of LCA precision and recall on the graphs with every LCA and every "
            "cheapest path.",
            "LCA precision on the graphs with every LCA and every cheapest path.",
            "LCA recall on the graphs with every LCA and every cheapest path.",
        ),
        options=_EXTENDED,
        fixed={"graphs": "extended"},
        **_RATIOS,
    ),
)
