"""The view of distances: the distance of every predicted from every true class, with the pairs of a pairing framed, or
of every two most specific classes, which are all summed.
"""

from collections import Counter
from dataclasses import replace

from hiermeasures.measures import CATALOGUE, Explanation
from hiermeasures.measures.catalogue import named, number
from hiermeasures.measures.pairs import PairingNetwork
from hiermeasures.measures.shortest_path import ShortestPaths
from hiermeasures.ui.graph.overlay import Badge, LegendEntry, Link, Mark, Overlay, Side, words_for
from hiermeasures.ui.linked_table import Cell, Chip, Column, Row, Table, Text
from hiermeasures.ui.views.pairing import PAIRING, edges_between
from hiermeasures.ui.views.table_parts import PREDICTED, TRUE
from hiermeasures.ui.views.view import Switch, View, ViewState

MOST_IN_MATRIX = 40


def specific_overlay(paths: ShortestPaths, explanation: Explanation) -> Overlay:
    """The most specific classes and the distance between each two of them; classes above another of their set are
    struck out.
    """
    marks = {
        c: _specific_mark(paths, c)
        for c in (*paths.true, *paths.predicted, *paths.true_dropped, *paths.predicted_dropped)
    }
    links = tuple(Link(p.predicted, p.true, number(p.distance), "pair") for p in paths.pairs if p.predicted != p.true)
    badges = {
        p.predicted: Badge("0", "itself", "true and predicted: distance 0")
        for p in paths.pairs
        if p.predicted == p.true
    }
    words = words_for("ancestor") | _empty_words(paths)
    legend = {
        "pair": LegendEntry("link", "2", "distance of a predicted from a true class"),
        "itself": LegendEntry("badge", "0", "the same class"),
    }
    return Overlay("Distances", marks, words, badges, links, legend=legend)


def _specific_mark(paths: ShortestPaths, label: str) -> Mark:
    """The root that stands for an empty side is dashed, as what a measure adds is."""
    true, predicted = label in paths.true, label in paths.predicted
    return Mark(
        _side(true, paths.true_empty, label in paths.true_dropped),
        _side(predicted, paths.predicted_empty, label in paths.predicted_dropped),
        struck=not (true or predicted),
    )


def _side(specific: bool, stands_for_none: bool, dropped: bool) -> Side:
    if specific and stands_for_none:
        return Side.ADDED
    return Side.CLASS if specific or dropped else Side.NONE


def _empty_words(paths: ShortestPaths) -> dict[Mark, str]:
    words = {}
    if paths.true_empty:
        words[Mark(Side.ADDED)] = "stands for no true class"
    if paths.predicted_empty:
        words[Mark(Side.NONE, Side.ADDED)] = "stands for no predicted class"
    if paths.true_empty and paths.predicted_empty:
        words[Mark(Side.ADDED, Side.ADDED)] = "stands for no class on either side"
    return words


def distances_table(network: PairingNetwork) -> Table:
    """The distance of every predicted from every true class, the chosen pairs framed."""
    chosen = {(p.predicted, p.true) for p in network.pairs}
    edges = {(e.tail.label, e.head.label): e for e in edges_between(network)}

    def cell(p: str, t: str) -> Cell:
        edge = edges[p, t]
        says = "paired" if (p, t) in chosen else "" if edge.upper else "too long: forbidden as a pair"
        return Text(number(edge.cost), strong=(p, t) in chosen, faint=not edge.upper, says=says)

    alone_p = Counter(p.predicted for p in network.pairs if p.predicted and not p.true)
    alone_t = Counter(p.true for p in network.pairs if p.true and not p.predicted)
    cost = network.bounds.dmax
    extra = ("alone",) if alone_p else ()
    true = network.true[:MOST_IN_MATRIX]
    rows = [
        Row(
            ((Chip(p, PREDICTED),), *(cell(p, t) for t in true), *(_default(alone_p[p], cost) for _ in extra)),
            (p, *(pair.true for pair in network.pairs if pair.predicted == p and pair.true)),
        )
        for p in network.predicted
    ]
    if alone_t:
        rows.append(Row(("alone", *(_default(alone_t[t], cost) for t in true), *("" for _ in extra)), tuple(alone_t)))
    columns = (
        Column("predicted \\ true"),
        *(Column(Chip(t, TRUE), "number") for t in true),
        *(Column(name, "number") for name in extra),
    )
    return Table(
        "Distances between predicted and true classes", columns, tuple(rows), _about_matrix(network), compact=True
    )


def _default(times: int, cost: float) -> Cell:
    return Text(number(times * cost), strong=True, says="paired with a default class") if times else ""


def _about_matrix(network: PairingNetwork) -> str:
    if not network.feasible:
        return f"No pair is chosen. {network.infeasible}."
    if not (network.true and network.predicted):
        return "One side has no classes."
    wide = len(network.true) - MOST_IN_MATRIX
    more = f" {wide} more true classes are not shown." if wide > 0 else ""
    return f"Framed: the chosen pairs, {number(network.fnerror)} together." + more


def specific_table(paths: ShortestPaths) -> Table:
    """The distances between the most specific classes; all of them are summed."""
    distance = {(p.predicted, p.true): p.distance for p in paths.pairs}
    mark_t = Mark(Side.ADDED) if paths.true_empty else TRUE
    mark_p = Mark(Side.NONE, Side.ADDED) if paths.predicted_empty else PREDICTED
    true = paths.true[:MOST_IN_MATRIX]
    rows = tuple(
        Row(((Chip(p, mark_p),), *(Text(number(distance[p, t]), strong=True) for t in true)), (p, *true))
        for p in paths.predicted
    )
    columns = (Column("predicted \\ true"), *(Column(Chip(t, mark_t), "number") for t in true))
    dropped = paths.true_dropped | paths.predicted_dropped
    notes = [f"Framed: every pair counts, {number(paths.total)} together."]
    notes += [f"Left out, being above another class of their set: {named(dropped)}."] if dropped else []
    notes += [f"The root {paths.true[0]} stands for no true class."] if paths.true_empty else []
    notes += [f"The root {paths.predicted[0]} stands for no predicted class."] if paths.predicted_empty else []
    return Table("Distances between the most specific classes", columns, rows, " ".join(notes), compact=True)


# --- the view ---------------------------------------------------------------------------------------------------------

PAIRS_OF = {"SP": "SP", "TIE": "TIE", "all_pairs": "all pairs", "GIE": "GIE", "MGIA": "MGIA", "own_pairing": "own"}


def _overlay(explanation: Explanation, at: ViewState) -> Overlay:
    if at.structure in PAIRING.structures:
        return PAIRING.overlay(explanation, at)
    return specific_overlay(explanation.shortest_path, explanation)


def _panel(explanation: Explanation, at: ViewState, overlay: Overlay) -> Table:
    if at.structure in PAIRING.structures:
        return distances_table(explanation.structure(at.structure))
    return specific_table(explanation.shortest_path)


DISTANCES = View(
    key="distances",
    title="distances",
    structures=("shortest_path", *PAIRING.structures),
    overlay=_overlay,
    panel=_panel,
    switches=(
        Switch(
            key="pairs_marked",
            label="Pairs of",
            words=PAIRS_OF,
            value=lambda explanation, at: next(m for m in PAIRS_OF if CATALOGUE[m].structure.key == at.structure),
            choose=lambda at, measure: replace(at, measure=measure),
        ),
    ),
)
