"""The view of distances: the distance of every predicted from every true class, with the pairs of a
pairing framed, or of every two most specific classes, which are all summed; or the ways between
these, up to the lowest common ancestor and down from it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, pairwise

from hiermeasures.measures import CATALOGUE, Explanation
from hiermeasures.measures.catalogue import named, number
from hiermeasures.measures.pairs import PairingNetwork
from hiermeasures.measures.shortest_path import ShortestPaths, Ways
from hiermeasures.picture.overlay import (
    Badge,
    Edge,
    LegendEntry,
    Link,
    Mark,
    Overlay,
    Side,
    edge_legend,
    edge_marks,
    words_for,
    words_in,
)
from hiermeasures.picture.panel import PREDICTED, TRUE, Cell, Chip, Column, Row, Switch, Table, Text, View, ViewState
from hiermeasures.picture.views.pairing import PAIRING, edges_between

MOST_IN_MATRIX = 40
MOST_WAYS = 20  # of equally cheap ways from a class up to an ancestor, as many are drawn


def specific_overlay(paths: ShortestPaths) -> Overlay:
    """The most specific classes with their distances; classes above another are struck out."""
    links = tuple(Link(p.predicted, p.true, number(p.distance), "pair") for p in paths.pairs if p.predicted != p.true)
    badges = {
        p.predicted: Badge("0", "itself", "true and predicted: distance 0")
        for p in paths.pairs
        if p.predicted == p.true
    }
    legend = {
        "pair": LegendEntry("link", "2", "distance of a predicted from a true class"),
        "itself": LegendEntry("badge", "0", "the same class"),
    }
    words = words_for("ancestor") | _empty_words(paths)
    return Overlay("Distances", _specific_marks(paths), words, badges, links, legend=legend)


def ways_overlay(built: Ways, explanation: Explanation) -> Overlay:
    """The ways from predicted classes up to lowest common ancestors, and down to true ones."""
    h, marks = explanation.hierarchy, _specific_marks(built.paths)
    met: dict[str, list[str]] = {}
    for way in built.ways:
        for a in way.lcas:
            met.setdefault(a, []).append(f"{way.predicted} and {way.true}")
    up = set(_edges(h.shortest_upward_paths(way.predicted, a) for way in built.ways for a in way.lcas))
    down = set(_edges(h.shortest_upward_paths(way.true, a) for way in built.ways for a in way.lcas))
    for c in {c for edge in up | down for c in edge} - marks.keys():
        on_true, on_predicted = (any(c in edge for edge in edges) for edges in (down, up))
        marks[c] = Mark(Side.ADDED if on_true else Side.NONE, Side.ADDED if on_predicted else Side.NONE)
    return Overlay(
        "Ways up and down",
        marks,
        words_in("way", "on") | _empty_words(built.paths),
        {a: Badge("LCA", "lca", f"lowest common ancestor of {'; '.join(pairs)}") for a, pairs in met.items()},
        edges=edge_marks(down, up),
        legend=edge_legend("way down to a true class", "way up from a predicted class", "both ways")
        | {"lca": LegendEntry("badge", "LCA", "lowest common ancestor")},
    )


def _edges(ways: Iterable[Iterator[tuple[str, ...]]]) -> Iterator[Edge]:
    return ((above, below) for some in ways for way in islice(some, MOST_WAYS) for below, above in pairwise(way))


def _specific_marks(paths: ShortestPaths) -> dict[str, Mark]:
    """The root that stands for an empty side is dashed, as what a measure adds is."""
    true, predicted = _side_marks(paths)
    return {
        c: Mark(
            true.true if c in paths.true else Side.CLASS if c in paths.true_dropped else Side.NONE,
            predicted.predicted if c in paths.predicted else Side.CLASS if c in paths.predicted_dropped else Side.NONE,
            struck=c not in paths.true and c not in paths.predicted,
        )
        for c in (*paths.true, *paths.predicted, *paths.true_dropped, *paths.predicted_dropped)
    }


def _side_marks(paths: ShortestPaths) -> tuple[Mark, Mark]:
    """The marks of most specific true and predicted classes."""
    true = Mark(Side.ADDED) if paths.true_empty else TRUE
    return true, Mark(Side.NONE, Side.ADDED) if paths.predicted_empty else PREDICTED


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

    def alone(times: int) -> Cell:
        cost = number(times * network.bounds.dmax)
        return Text(cost, strong=True, says="paired with a default class") if times else ""

    alone_p = Counter(p.predicted for p in network.pairs if p.predicted and not p.true)
    alone_t = Counter(p.true for p in network.pairs if p.true and not p.predicted)
    true = network.true[:MOST_IN_MATRIX]
    columns = [Column("predicted \\ true"), *(Column(Chip(t, TRUE), "number") for t in true)]
    rows = [
        Row(
            ((Chip(p, PREDICTED),), *(cell(p, t) for t in true), *([alone(alone_p[p])] if alone_p else [])),
            (p, *(pair.true for pair in network.pairs if pair.predicted == p and pair.true)),
        )
        for p in network.predicted
    ]
    if alone_p:
        columns.append(Column("alone", "number"))
    if alone_t:
        cells = ("alone", *(alone(alone_t[t]) for t in true), *([""] if alone_p else []))
        rows.append(Row(cells, tuple(alone_t)))
    caption = "Distances between predicted and true classes"
    return Table(caption, tuple(columns), tuple(rows), _about_matrix(network), compact=True)


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
    mark_t, mark_p = _side_marks(paths)
    true = paths.true[:MOST_IN_MATRIX]
    rows = tuple(
        Row(((Chip(p, mark_p),), *(Text(number(distance[p, t]), strong=True) for t in true)), (p, *true))
        for p in paths.predicted
    )
    columns = (Column("predicted \\ true"), *(Column(Chip(t, mark_t), "number") for t in true))
    note = f"Framed: every pair counts, {number(paths.total)} together.{_about_sides(paths)}"
    return Table("Distances between the most specific classes", columns, rows, note, compact=True)


def _about_sides(paths: ShortestPaths) -> str:
    dropped = paths.true_dropped | paths.predicted_dropped
    notes = [f"Left out, being above another class of their set: {named(dropped)}."] if dropped else []
    notes += [f"The root {paths.true[0]} stands for no true class."] if paths.true_empty else []
    notes += [f"The root {paths.predicted[0]} stands for no predicted class."] if paths.predicted_empty else []
    return "".join(f" {note}" for note in notes)


def ways_table(built: Ways) -> Table:
    """Every way with its two parts and the height of its lowest common ancestors."""
    mark_t, mark_p = _side_marks(built.paths)
    rows = tuple(
        Row(
            (
                (Chip(way.predicted, mark_p),),
                number(way.up),
                tuple(Chip(a) for a in way.lcas),
                number(way.height),
                number(way.down),
                (Chip(way.true, mark_t),),
            ),
            tuple(dict.fromkeys((way.predicted, *way.lcas, way.true))),
        )
        for way in built.ways
    )
    columns = (
        Column("from"),
        Column("up", "number", "the cheapest way from the predicted class to the lowest common ancestor"),
        Column("LCA", about="the lowest common ancestors; of several in a DAG the numbers are means"),
        Column("height", "number", "the longest way from it to a leaf; 0 where both classes are the same"),
        Column("down", "number", "the cheapest way from there to the true class"),
        Column("to"),
    )
    up, down = (number(built.total(part)) for part in ("up", "down"))
    note = f"{up} up and {down} down together; the hierarchy is {built.highest} high.{_about_sides(built.paths)}"
    return Table("Ways between the most specific classes", columns, rows, note, compact=True)


# --- the view -----------------------------------------------------------------------------------

PAIRS_OF = {
    "SP": "SP",
    "SP_up": "up and down",
    "TIE": "TIE",
    "all_pairs": "all pairs",
    "GIE": "GIE",
    "MGIA": "MGIA",
    "own_pairing": "own",
}


def _overlay(explanation: Explanation, at: ViewState) -> Overlay:
    built = explanation.structure(at.structure)
    if isinstance(built, PairingNetwork):
        return PAIRING.overlay(explanation, at)
    return ways_overlay(built, explanation) if isinstance(built, Ways) else specific_overlay(built)


def _panel(explanation: Explanation, at: ViewState, overlay: Overlay) -> Table:
    built = explanation.structure(at.structure)
    if isinstance(built, PairingNetwork):
        return distances_table(built)
    return ways_table(built) if isinstance(built, Ways) else specific_table(built)


DISTANCES = View(
    key="distances",
    title="distances",
    also=(PAIRING.key,),
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
