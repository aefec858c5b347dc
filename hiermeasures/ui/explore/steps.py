"""Algorithms step by step: how LCAs are chosen, how the cheapest pairing is picked, and how paths are matched and
counted.

A walk is read off a structure: of LCA graphs it is their own trace; of a pairing the documented rule for ties, pair by
pair; of a confusion matrix its paths in matching order. Nothing is solved again. A step is a sentence, a drawing, and
what is being worked on.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby

from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import Path, counted, named, number
from hiermeasures.measures.confusion import HierarchicalConfusion, PathCells
from hiermeasures.measures.flow import FlowEdge
from hiermeasures.measures.lca import LCAGraphs
from hiermeasures.measures.lca import SearchStep
from hiermeasures.measures.pairs import Pair, PairingNetwork
from hiermeasures.ui.graph.overlays import Overlay, confusion, lca, pairing, sets

EACH_PAIR_UP_TO = 60


@dataclass(frozen=True)
class Step:
    """One step: the part of the algorithm it belongs to, what is decided and why, and the drawing after it."""

    phase: str
    sentence: str
    draw: Callable[[], Overlay]
    # how much is decided: LCA steps, pairs looked at (one more where all are and none is at hand), or paths matched
    done: int = 0


def walk(explanation: Explanation, structure: str) -> tuple[Step, ...]:
    """The steps that lead to a structure, from the classes alone to the result; none for a structure that needs no
    choice.
    """
    built = explanation.structure(structure)
    if isinstance(built, LCAGraphs):
        return tuple(_lca_steps(built, explanation))
    if isinstance(built, PairingNetwork):
        return tuple(_pairing_steps(built, explanation))
    if isinstance(built, HierarchicalConfusion):
        return tuple(_confusion_steps(built, explanation))
    return ()


# --- LCA selection ------------------------------------------------------------------------------------------------

LCA_PHASES = {
    "selection": "Choosing LCAs",
    "top-down": "Removing LCAs that are not needed, from the top",
    "bottom-up": "Removing LCAs that are not needed, from the bottom",
    "paths": "Connecting classes and LCAs",
}


def _lca_steps(graphs: LCAGraphs, explanation: Explanation) -> Iterator[Step]:
    every = sorted(graphs.lca_true | graphs.lca_predicted)
    if not every:
        yield Step("Start", "One side has no classes, so there is nothing to join.", lambda: sets.classes(explanation))
        return
    yield Step(
        "Start",
        f"Every class meets its nearest classes of the other side in its LCAs: {named(every)} altogether. The fewest of them are "
        f"looked for that give each class one, and then one way from each class to an LCA.",
        lambda: sets.classes(explanation),
    )
    for at, taken in enumerate(graphs.minimal.steps, 1):
        yield Step(LCA_PHASES[taken.phase], taken.sentence, _drawn_lca(graphs, explanation, taken), at)
    yield Step("Result", _lca_result(graphs), lambda: lca.graphs(graphs, explanation), len(graphs.minimal.steps))


def _drawn_lca(graphs: LCAGraphs, explanation: Explanation, taken: SearchStep) -> Callable[[], Overlay]:
    return lambda: lca.step(graphs, explanation, taken)


def _lca_result(graphs: LCAGraphs) -> str:
    overlap = graphs.minimal.overlap
    left_out = graphs.minimal.redundant_lcas
    return (
        f"The minimal graphs have {counted(len(overlap.true), 'class', 'classes')} on the true and {len(overlap.predicted)} on the "
        f"predicted side, {len(overlap.shared)} shared."
        + (f" Not needed as LCA: {named(left_out)}." if left_out else "")
    )


# --- pairing ------------------------------------------------------------------------------------------------------


def _pairing_steps(network: PairingNetwork, explanation: Explanation) -> Iterator[Step]:
    between = sorted(
        (e for e in network.edges if e.tail.kind == "predicted" and e.head.kind == "true"),
        key=lambda e: round(e.cost, 9),
    )
    yield Step("Start", _about_bounds(network, len(between)), _drawn_pairs(network, explanation, ()))
    if not network.feasible:
        yield Step("Result", f"{network.infeasible}, so there is no pairing.", _drawn_pairs(network, explanation, ()))
        return
    kept: list[Pair] = []
    looked_at = 0
    one_by_one = len(between) <= EACH_PAIR_UP_TO
    for carried, group in groupby(between, key=lambda e: bool(e.flow)):
        edges = list(group)
        for chunk in ([e] for e in edges) if carried or one_by_one else [edges]:
            looked_at += len(chunk)
            pair = Pair(chunk[0].tail.label, chunk[0].head.label, chunk[0].cost)
            sentence = _about_pair(network, chunk, tuple(kept)) if len(chunk) == 1 else _about_many(chunk)
            kept += [pair] if carried else []
            yield Step(
                "Pairs, the nearest first",
                sentence,
                _drawn_pairs(network, explanation, tuple(kept), pair if len(chunk) == 1 else None),
                looked_at,
            )
    alone = [p for p in network.pairs if not (p.predicted and p.true)]
    if alone:
        yield Step(
            "Default classes",
            _about_alone(network, alone),
            _drawn_pairs(network, explanation, network.pairs),
            looked_at + 1,
        )
    terms = " + ".join(number(p.cost) for p in network.pairs) or "0"
    choice = (
        "No other pairing costs as little."
        if network.unique
        else "Another pairing costs the same; the rule above chose this one."
    )
    yield Step(
        "Result",
        f"All pairs together cost {terms} = {number(network.fnerror)}. {choice}",
        _drawn_pairs(network, explanation, network.pairs),
        looked_at + 1,
    )


def _drawn_pairs(
    network: PairingNetwork, explanation: Explanation, pairs: tuple[Pair, ...], considered: Pair | None = None
) -> Callable[[], Overlay]:
    return lambda: pairing.drawn_pairs(network, explanation, pairs, considered)


def _about_bounds(network: PairingNetwork, pairs: int) -> str:
    b = network.bounds
    cost = f"a default class stands in for a partner at a cost of {number(b.dmax)}"
    alone = "no class may stay alone" if b.dmax == float("inf") else cost
    return (
        f"A predicted class is in {_interval(b.alpha_p, b.beta_p)}, a true class in {_interval(b.alpha_t, b.beta_t)}; {alone}. Of the "
        f"cheapest ways to do so, one is picked by going through the {counted(pairs, 'pair')} of classes from the nearest on."
    )


def _interval(low: int, high: int) -> str:
    if low == high:
        return counted(low, "pair")
    return f"{low} to {counted(high, 'pair')}"


def _about_pair(network: PairingNetwork, chunk: list[FlowEdge], kept: tuple[Pair, ...]) -> str:
    edge = chunk[0]
    p, t = edge.tail.label, edge.head.label
    told = f"{p} and {t}, distance {number(edge.cost)}: "
    if edge.flow:
        return told + "kept. Some cheapest pairing has this pair together with those kept before."
    if not edge.upper:
        return told + "forbidden, as it is longer than the longest pair allowed."
    b = network.bounds
    of_p, of_t = Counter(k.predicted for k in kept)[p], Counter(k.true for k in kept)[t]
    if of_p >= b.beta_p:
        return told + f"not kept. {p} is in {counted(of_p, 'pair')} already, the most it may be in (β_p)."
    if of_t >= b.beta_t:
        return told + f"not kept. {t} is in {counted(of_t, 'pair')} already, the most it may be in (β_t)."
    if of_p >= b.alpha_p and of_t >= b.alpha_t and edge.cost > 0:
        return told + "not kept. Both have all the partners they need, and one more would only cost more."
    return told + "not kept. No cheapest pairing has it together with those kept before."


def _about_many(edges: list[FlowEdge]) -> str:
    low, high = number(edges[0].cost), number(edges[-1].cost)
    far = f"distance {low}" if low == high else f"distances {low} to {high}"
    why = "No cheapest pairing has one of them together with those kept before."
    return f"The next {counted(len(edges), 'pair')}, {far}: none is kept. {why}"


def _about_alone(network: PairingNetwork, alone: list[Pair]) -> str:
    classes = Counter(p.predicted or p.true or "" for p in alone)
    return (
        f"What still needs a partner is paired with a default class, each time at a cost of {number(network.bounds.dmax)}: "
        f"{named(classes)}."
    )


# --- confusion ----------------------------------------------------------------------------------------------------


def _confusion_steps(matrix: HierarchicalConfusion, explanation: Explanation) -> Iterator[Step]:
    yield Step("Start", _about_paths(matrix), lambda: sets.classes(explanation))
    for i, cells in enumerate(matrix.paths):
        open_classes = [_end(p.true_path) for p in matrix.paths[i:] if p.true_path] + [
            _end(way) for way in matrix.unmatched
        ]
        yield Step(
            f"Path {i + 1}: matching",
            _about_match(cells, open_classes),
            _drawn_paths(matrix, explanation, i, cells=False),
            i,
        )
        yield Step(
            f"Path {i + 1}: counting", _about_cells(cells), _drawn_paths(matrix, explanation, i, cells=True), i + 1
        )
    for way in matrix.unmatched:
        yield Step(
            "True classes left over",
            f"No predicted path is left for {_end(way)}. Its path {told(way)} counts as missed: "
            f"{counted(len(way) - 1, 'false negative')}.",
            lambda: confusion.confusion(matrix, explanation),
            len(matrix.paths),
        )
    yield Step(
        "Result",
        f"Summed over the paths: {matrix.tp} TP, {matrix.tn} TN, {matrix.fp} FP, {matrix.fn} FN.",
        lambda: confusion.confusion(matrix, explanation),
        len(matrix.paths),
    )


def _drawn_paths(
    matrix: HierarchicalConfusion, explanation: Explanation, at: int, *, cells: bool
) -> Callable[[], Overlay]:
    """One path alone: before it is counted without letters, with the common path ringed."""
    path = matrix.paths[at]
    if cells:
        return lambda: confusion.drawn(explanation, [path], numbered_from=at)
    return lambda: confusion.drawn(explanation, [path], only=(), focus=frozenset(path.common_path), numbered_from=at)


def _about_paths(matrix: HierarchicalConfusion) -> str:
    how = {
        None: "The paths were given.",
        "greedy": "The labels became paths by a greedy cover: again and again the path that holds most labels not yet covered.",
        "benevolent": "For each most specific predicted class the path was taken that agrees best with the true side.",
    }[matrix.derived]
    return (
        f"{how} {counted(len(matrix.paths), 'predicted path is', 'predicted paths are')} compared with a true path each, those first "
        f"that share most with one."
    )


def _about_match(cells: PathCells, open_classes: list[str]) -> str:
    taken = f"{told(cells.predicted_path)} is next. "
    if cells.true_path is None:
        return taken + "No true class is left to compare it with."
    end = _end(cells.true_path)
    others = [c for c in open_classes if c != end]
    shared = f"shares {told(cells.common_path)} with it"
    why = f"None of the others still open ({named(others)}) shares more" if others else "No other is still open"
    return f"{taken}It is compared with {told(cells.true_path)}, which {shared}. {why}."


def _about_cells(cells: PathCells) -> str:
    if cells.true_path is None:
        return f"Without a true path all of it is wrong: FP {named(cells.fp)}."
    return (
        f"On both paths, below the root: TP {named(cells.tp)}. On the predicted path only: FP {named(cells.fp)}. On the true path only: "
        f"FN {named(cells.fn)}. Beside the common path and below its end, rightly left out: TN {named(cells.tn)}."
    )


def told(path: Path) -> str:
    """A path in words.

    >>> told(("R", "A", "D"))
    'R › A › D'
    """
    return " › ".join(path)


def _end(path: Path) -> str:
    return path[-1]
