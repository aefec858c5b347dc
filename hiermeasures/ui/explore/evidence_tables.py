"""What the tables beside the graph hold, one function per family of structures. Structures are read, nothing is
computed anew.
"""

from collections import Counter
from collections.abc import Iterable

from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import named, number
from hiermeasures.measures.confusion import HierarchicalConfusion, PathCells
from hiermeasures.measures.counts import CountsTable
from hiermeasures.measures.lca import BestMatch, LCAGraphs
from hiermeasures.measures.lca import SearchStep
from hiermeasures.measures.pairs import PairingNetwork
from hiermeasures.measures.sets import LevelCounts, SetOverlap, per_level
from hiermeasures.measures.shortest_path import ShortestPaths
from hiermeasures.ui.explore.steps import told
from hiermeasures.ui.graph.overlays import PLAIN, Mark, Overlay, Side
from hiermeasures.ui.linked_table import Bar, Cell, Chip, Column, Row, Table, Text, chips

MOST_PATHS = 3
MOST_IN_MATRIX = 40
MOST_STEPS_LISTED = 100
TRUE, PREDICTED = Mark(Side.CLASS), Mark(predicted=Side.CLASS)


def _number(text: str) -> Column:
    return Column(text, "number")


def _in_order(explanation: Explanation, labels: Iterable[str]) -> list[str]:
    return sorted(labels, key=explanation.hierarchy.index)


# --- sets ---------------------------------------------------------------------------------------------------------


def sets(overlap: SetOverlap, explanation: Explanation, drawn: Overlay) -> Table:
    """The two sets, by what is shared and what is on one side only."""
    parts: list[tuple[str, frozenset[str], frozenset[str]]] = [
        ("in both", overlap.shared, frozenset()),
        ("true only, missed", overlap.missed, frozenset()),
        ("predicted only, spurious", overlap.spurious, frozenset()),
    ]
    if overlap.true_removed or overlap.predicted_removed:
        parts.append(("struck out, not counted", frozenset(), overlap.true_removed | overlap.predicted_removed))
    rows = tuple(
        Row(
            (
                name,
                Text(str(len(counted))) if not out else Text(str(len(out)), faint=True),
                chips(_in_order(explanation, (*counted, *out)), lambda c: drawn.marks.get(c, PLAIN), struck=out),
            ),
            tuple(_in_order(explanation, (*counted, *out))),
        )
        for name, counted, out in parts
    )
    return Table(
        "The two sets that are compared",
        (Column(""), _number("classes"), Column("which", "rest")),
        rows,
        _about_sets(overlap),
    )


def _about_sets(overlap: SetOverlap) -> str:
    if overlap.true_removed or overlap.predicted_removed:
        return "An error is struck out where it only follows from an error above it."
    return ""


# --- LCA graphs ---------------------------------------------------------------------------------------------------


def best_matches(graphs: LCAGraphs, explanation: Explanation, drawn: Overlay) -> Table:
    """Every class with its nearest classes of the other side, the LCAs where they meet, and the shortest paths to
    them.
    """
    columns = (
        Column("class"),
        Column("d", "number", "the distance to the nearest classes of the other side"),
        Column("best matches", about="the nearest classes of the other side, S_best"),
        Column(
            "LCAs", about="where the shortest ways to them turn; struck out those that the minimal graphs do not need"
        ),
        Column("shortest paths"),
    )
    rows = tuple(_match_row(m, graphs) for m in (*graphs.true_matches, *graphs.predicted_matches))
    return Table(
        "Best matches and lowest common ancestors of every class", columns, rows, _about_redundancy(graphs, explanation)
    )


def _match_row(match: BestMatch, graphs: LCAGraphs) -> Row:
    own, other = (TRUE, PREDICTED) if match.side == "true" else (PREDICTED, TRUE)
    best = sorted(match.best)
    paths = [way for partner in best for way in graphs.paths_between(match.label, partner)]
    more = f" and {len(paths) - MOST_PATHS} more" if len(paths) > MOST_PATHS else ""
    lcas = tuple(
        Chip(a, struck=a in graphs.minimal.redundant_lcas, strong=a in graphs.minimal.lcas) for a in sorted(match.lcas)
    )
    return Row(
        (
            (Chip(match.label, own),),
            number(match.distance),
            tuple(Chip(b, other) for b in best),
            lcas,
            Text("; ".join(" – ".join(way) for way in paths[:MOST_PATHS]) + more),
        ),
        tuple(dict.fromkeys((match.label, *(c for way in paths[:MOST_PATHS] for c in way)))),
    )


def _about_redundancy(graphs: LCAGraphs, explanation: Explanation) -> str:
    minimal = graphs.minimal
    if not graphs.true_matches:
        return "One side is empty, so there is nothing to join."
    gone = [
        f"{what} {named(classes)}"
        for what, classes in (
            ("as LCA", minimal.redundant_lcas),
            ("on the true side", minimal.redundant_true),
            ("on the predicted side", minimal.redundant_predicted),
        )
        if classes
    ]
    told = [f"Left out of the minimal graphs: {'; '.join(gone)}."] if gone else []
    dropped = graphs.dropped_true | graphs.dropped_predicted
    told += [f"Takes no part, being above another class of its set: {named(dropped)}."] if dropped else []
    if not told:
        told = ["Nothing is redundant: the minimal graphs are the extended ones."]
    told.append(_about_solver(graphs))
    return " ".join(told)


def _about_solver(graphs: LCAGraphs) -> str:
    if graphs.minimal.solver == "greedy":
        return "Found by the greedy algorithms 1 and 2."
    if graphs.minimal.optimal:
        return "Found by exact search: no fewer LCAs would do, and no choice has a higher F_LCA."
    return "Found by exact search, cut short."


def ranking(graphs: LCAGraphs, explanation: Explanation, at: SearchStep | None) -> Table:
    """The LCAs in the order in which they are considered, and what has become of each after a step."""
    columns = (Column("LCA"), _number("classes"), Column("of true"), Column("of predicted"), Column("after this step"))
    rows = []
    for ranked in graphs.ranking:
        now = at is not None and at.lca == ranked.label
        rows.append(
            Row(
                (
                    (Chip(ranked.label, strong=now),),
                    str(ranked.connects),
                    chips(_in_order(explanation, ranked.true), lambda c: TRUE),
                    chips(_in_order(explanation, ranked.predicted), lambda c: PREDICTED),
                    _fate(ranked.label, graphs, at),
                ),
                (ranked.label, *ranked.true, *ranked.predicted),
                None,
                now,
            )
        )
    note = "" if at is None else _about_open(at)
    return Table("The lowest common ancestors, those of most classes first", columns, tuple(rows), note)


def _fate(label: str, graphs: LCAGraphs, at: SearchStep | None) -> Cell:
    if at is None:
        return Text("–", faint=True)
    if label in at.chosen:
        return Text("chosen", strong=True)
    if any(s.action == "remove" and s.lca == label for s in graphs.minimal.steps[: graphs.minimal.steps.index(at) + 1]):
        return Text("removed", faint=True)
    return Text("not chosen", faint=True)


def _about_open(at: SearchStep) -> str:
    still = at.open_true | at.open_predicted
    if still:
        return f"Without an LCA of their own among the chosen: {named(still)}."
    return "Every class has an LCA of its own among the chosen."


# --- distances ----------------------------------------------------------------------------------------------------


def distances(network: PairingNetwork, explanation: Explanation) -> Table:
    """The distance of every predicted from every true class, the chosen pairs framed."""
    chosen = {(p.predicted, p.true) for p in network.pairs}
    far = {
        (e.tail.label, e.head.label): e for e in network.edges if e.tail.kind == "predicted" and e.head.kind == "true"
    }

    def cell(p: str, t: str) -> Cell:
        edge = far[p, t]
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
        *(_number(name) for name in extra),
    )
    return Table(
        "Distances between predicted and true classes", columns, tuple(rows), _about_matrix(network), compact=True
    )


def pairs_so_far(network: PairingNetwork, looked_at: int) -> Table:
    """The pairs of classes in the order in which they are gone through, and which of the first so many are kept."""
    between = sorted(
        (e for e in network.edges if e.tail.kind == "predicted" and e.head.kind == "true"),
        key=lambda e: round(e.cost, 9),
    )
    first = max(0, looked_at - MOST_STEPS_LISTED)
    rows = tuple(
        Row(
            (
                (Chip(e.tail.label, PREDICTED),),
                (Chip(e.head.label, TRUE),),
                number(e.cost),
                _decided(network, e.flow, i < looked_at),
            ),
            (e.tail.label, e.head.label),
            None,
            i == looked_at - 1,
        )
        for i, e in enumerate(between)
    )[first:]
    columns = (Column("predicted"), Column("true"), Column("distance", "number"), Column("decided"))
    note = f"{first} earlier pairs are not listed." if first else ""
    return Table("The pairs of classes, the nearest first", columns, rows, note, compact=True)


def _decided(network: PairingNetwork, flow: int, looked_at: bool) -> Cell:
    if not looked_at or not network.feasible:
        return Text("–", faint=True)
    return Text("kept", strong=True) if flow else Text("not kept", faint=True)


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


def specific_distances(paths: ShortestPaths, explanation: Explanation) -> Table:
    """The distances between the most specific classes; all of them are summed."""
    far = {(p.predicted, p.true): p.distance for p in paths.pairs}
    mark_t = Mark(Side.ADDED) if paths.true_empty else TRUE
    mark_p = Mark(Side.NONE, Side.ADDED) if paths.predicted_empty else PREDICTED
    true = paths.true[:MOST_IN_MATRIX]
    rows = tuple(
        Row(((Chip(p, mark_p),), *(Text(number(far[p, t]), strong=True) for t in true)), (p, *true))
        for p in paths.predicted
    )
    columns = (Column("predicted \\ true"), *(Column(Chip(t, mark_t), "number") for t in true))
    dropped = paths.true_dropped | paths.predicted_dropped
    notes = [f"Framed: every pair counts, {number(paths.total)} together."]
    notes += [f"Left out, being above another class of their set: {named(dropped)}."] if dropped else []
    notes += [f"The root {paths.true[0]} stands for no true class."] if paths.true_empty else []
    notes += [f"The root {paths.predicted[0]} stands for no predicted class."] if paths.predicted_empty else []
    return Table("Distances between the most specific classes", columns, rows, " ".join(notes), compact=True)


# --- confusion ----------------------------------------------------------------------------------------------------


def confusion(
    matrix: HierarchicalConfusion, explanation: Explanation, path: int | None, upto: int | None = None
) -> Table:
    """The cells of every predicted path; a row can be chosen to see its path alone. `upto`: only so many paths are
    counted yet.
    """
    columns = (
        Column("", "number"),
        Column("predicted path"),
        Column("compared with"),
        *(
            Column(c, about=a)
            for c, a in (
                ("TP", "true positives"),
                ("TN", "true negatives"),
                ("FP", "false positives"),
                ("FN", "false negatives"),
            )
        ),
    )
    counted = len(matrix.paths) if upto is None else upto
    choosable = upto is None and len(matrix.paths) + len(matrix.unmatched) > 1
    rows = [
        Row(
            (str(i + 1), told(p.predicted_path), *(_compared(explanation, p) if i < counted else ("",) * 5)),
            tuple(dict.fromkeys((*p.predicted_path, *(p.true_path or ())))),
            str(i) if choosable else None,
            path == i if choosable else upto is not None and i == counted,
        )
        for i, p in enumerate(matrix.paths)
    ]
    for way in matrix.unmatched if upto is None else ():
        rows.append(
            Row(
                ("", Text("no prediction left", faint=True), told(way), "", "", "", _cell_of(explanation, way[1:])), way
            )
        )
    if len(rows) > 1 and upto is None:
        sums = (matrix.tp, matrix.tn, matrix.fp, matrix.fn)
        total: tuple[Cell, ...] = ("Σ", "all paths", "", *(Text(str(n), says="summed over the paths") for n in sums))
        rows.append(Row(total, (), "all" if choosable else None, choosable and path is None))
    return Table("The confusion cells of every predicted path", columns, tuple(rows), _about_paths(matrix, choosable))


def _compared(explanation: Explanation, path: PathCells) -> tuple[Cell, ...]:
    way = told(path.true_path) if path.true_path else Text("no true class left", faint=True)
    return (way, *(_cell_of(explanation, labels) for labels in (path.tp, path.tn, path.fp, path.fn)))


def _cell_of(explanation: Explanation, labels: Iterable[str]) -> Cell:
    classes = _in_order(explanation, labels)
    if not classes:
        return Text("–", faint=True)
    return (f"{len(classes)}:", *chips(classes))


def _about_paths(matrix: HierarchicalConfusion, choosable: bool) -> str:
    how = {
        None: "The paths were given.",
        "greedy": "The paths are derived from the labels by greedy cover.",
        "benevolent": "The paths are derived from the labels, each as it agrees best with the other side.",
    }[matrix.derived]
    return f"{how} Choose a row to see its path alone." if choosable else how


# --- counts -------------------------------------------------------------------------------------------------------


def counts(table: CountsTable, explanation: Explanation) -> Table:
    """Level by level: the CoPHE counts beside those of the sets, which ask only whether and not how often."""
    by_set = {
        level.level: level for level in per_level(explanation.hierarchy, explanation.augmented, explanation.options)
    }
    most = max((sum(_parts(row)) for row in (*table.levels, *by_set.values())), default=1) or 1
    rows = tuple(
        Row(
            (
                f"{level.level}",
                _bar(level, most),
                f"{level.f1:.2f}",
                *(
                    (_bar(by_set[level.level], most), f"{by_set[level.level].f1:.2f}")
                    if level.level in by_set
                    else ("", "")
                ),
            ),
            tuple(c.label for c in table.classes if c.level == level.level),
        )
        for level in sorted(table.levels, key=lambda row: row.level)
    )
    columns = (
        Column("level", "number", "counted from the root"),
        Column("CoPHE counts"),
        _number("F1"),
        Column("ancestor sets"),
        _number("F1"),
    )
    note = "In a bar: what both sides agree on, then what is over-predicted (dashed), then what is under-predicted (dotted)."
    return Table("Counts by level", columns, rows, note)


def _parts(level: LevelCounts) -> tuple[int, int, int]:
    return level.tp, level.fp, level.fn


def _bar(level: LevelCounts, most: int) -> Bar:
    return Bar(*_parts(level), most)
