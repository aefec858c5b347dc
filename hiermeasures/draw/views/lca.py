"""The view of LCA graphs.

It draws the minimal or extended graph of each side, and marks the lowest common ancestors (LCAs).
The table shows the best matches of every class. The steps show how LCAs are chosen.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Literal

from hiermeasures.draw import panel, scene
from hiermeasures.draw.panel import (
    PREDICTED,
    TRUE,
    Chip,
    Column,
    PanelTable,
    Row,
    Text,
    ViewState,
    WalkStep,
)
from hiermeasures.draw.scene import Badge, LegendEntry, Mark, Overlay
from hiermeasures.draw.views.sets import classes_alone
from hiermeasures.hierarchy.words import agree, write_count, write_list
from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import named, number
from hiermeasures.measures.lca_structure import BestMatch, GraphPair, LCAGraphs, SearchStep

Kind = Literal["minimal", "extended"]

EDGES = scene.edge_legend("true graph", "predicted graph", "both graphs")
OPEN = LegendEntry("badge", "?", "none of its LCAs is chosen yet", faint=True)
MOST_PATHS = 3
EXTENDED = {f"{measure}_ext": measure for measure in ("P_LCA", "R_LCA", "F_LCA")}
MINIMAL = {measure: extended for extended, measure in EXTENDED.items()}
PHASES = {
    "selection": "Choosing LCAs",
    "top-down": "Removing LCAs that are not needed, from the top",
    "bottom-up": "Removing LCAs that are not needed, from the bottom",
    "paths": "Connecting classes and LCAs",
}


def _legend(lca: str, struck: str) -> dict[str, LegendEntry]:
    struck_out = LegendEntry("badge", "LCA", struck, faint=True, struck=True)
    return EDGES | {"lca": LegendEntry("badge", "LCA", lca), "struck": struck_out}


def graphs_overlay(lca: LCAGraphs, explanation: Explanation, kind: Kind = "minimal") -> Overlay:
    """Draw the minimal or the extended graphs.

    In minimal graphs, a ring marks the classes that only the extended graphs contain.
    """
    shown: GraphPair = lca.extended if kind == "extended" else lca.minimal
    marks = _marks(explanation, shown.true.nodes, shown.predicted.nodes)
    badges, words = {}, dict(scene.words_in("graph"))
    for c in sorted(lca.lca_true | lca.lca_predicted):
        owners = sorted(
            {m.label for m in (*lca.true_matches, *lca.predicted_matches) if c in m.lcas}
        )
        about = f"lowest common ancestor of {', '.join(owners)}"
        needed = kind == "extended" or c not in lca.minimal.redundant_lcas
        without = Badge("LCA", "struck", f"{about}, not needed in the minimal graphs")
        badges[c] = Badge("LCA", "lca", about) if needed else without
    if kind == "minimal":
        words[Mark(ringed=True)] = "in the extended graphs only"
        left_out = sorted(
            (lca.minimal.redundant_true | lca.minimal.redundant_predicted) - marks.keys()
        )
        marks |= dict.fromkeys(left_out, Mark(ringed=True))
    edges = scene.edge_marks(shown.true.edges, shown.predicted.edges)
    legend = _legend("lowest common ancestor", "LCA left out")
    return Overlay(
        f"{kind.capitalize()} LCA graphs", marks, words, badges, edges=edges, legend=legend
    )


def step_overlay(lca: LCAGraphs, explanation: Explanation, at: SearchStep) -> Overlay:
    """Draw the graphs after a step, the chosen LCAs, and the classes of the step."""
    badges = {c: Badge("?", "open", OPEN.words) for c in at.open_true | at.open_predicted}
    badges |= {c: Badge("LCA", "lca", "chosen") for c in at.chosen}
    if at.action == "remove":
        badges[at.lca] = Badge("LCA", "struck", "removed again")
    paths = [step.path for step in _until(lca, at) if step.path]
    found = {
        side: [e for path in paths if path.side == side for e in pairwise(path.path[::-1])]
        for side in ("true", "predicted")
    }
    return Overlay(
        "Choosing LCAs",
        _marks(explanation, at.true_nodes, at.predicted_nodes),
        scene.words_in("graph"),
        badges,
        edges=scene.edge_marks(found["true"], found["predicted"]),
        focus=frozenset({at.lca}) if at.path is None else frozenset(at.path.path),
        legend=_legend("chosen LCA", "removed again") | {"open": OPEN} | panel.STEP_LEGEND,
    )


def _until(lca: LCAGraphs, at: SearchStep) -> tuple[SearchStep, ...]:
    return lca.minimal.steps[: lca.minimal.steps.index(at) + 1]


def _marks(
    explanation: Explanation, true: frozenset[str], predicted: frozenset[str]
) -> dict[str, Mark]:
    """Return the marks of two graphs.

    A class above another one of its side counts if a path passes through it.
    """
    return scene.marks_of(
        explanation, true, predicted, explanation.instance.uncounted & (true | predicted)
    )


def best_matches(graphs: LCAGraphs) -> PanelTable:
    """Return a table of the nearest classes of each class, with their LCAs and shortest paths.

    The nearest classes are on the other side.
    """
    about_lcas = (
        "the highest classes on the shortest paths. The minimal graphs do not need those struck out"
    )
    columns = (
        Column("class"),
        Column("d", "number", "the distance to the nearest classes on the other side"),
        Column("best matches", about="the nearest classes on the other side, S_best"),
        Column("LCAs", about=about_lcas),
        Column("shortest paths"),
    )
    rows = tuple(_match_row(m, graphs) for m in (*graphs.true_matches, *graphs.predicted_matches))
    return PanelTable(
        "Best matches and lowest common ancestors of every class",
        columns,
        rows,
        _about_redundancy(graphs),
    )


def _match_row(match: BestMatch, graphs: LCAGraphs) -> Row:
    own, other = (TRUE, PREDICTED) if match.side == "true" else (PREDICTED, TRUE)
    best, minimal = sorted(match.best), graphs.minimal
    paths = [path for partner in best for path in graphs.paths_between(match.label, partner)]
    lcas = (
        Chip(a, struck=a in minimal.redundant_lcas, strong=a in minimal.lcas)
        for a in sorted(match.lcas)
    )
    ways = Text(write_list([" – ".join(path) for path in paths], MOST_PATHS, mark="; "))
    cells = (
        (Chip(match.label, own),),
        number(match.distance),
        tuple(Chip(b, other) for b in best),
        tuple(lcas),
        ways,
    )
    shown = paths[:MOST_PATHS]
    classes = dict.fromkeys((match.label, *(c for path in shown for c in path)))
    steps = dict.fromkeys(step for path in shown for step in pairwise(path))
    return Row(cells, tuple(classes), edges=tuple(steps))


def _about_redundancy(graphs: LCAGraphs) -> str:
    minimal = graphs.minimal
    if not graphs.true_matches:
        return "One side is empty, so no classes can be connected."
    of = {
        "as LCA": minimal.redundant_lcas,
        "on the true side": minimal.redundant_true,
        "on the predicted side": minimal.redundant_predicted,
    }
    left_out = [f"{what} {named(classes)}" for what, classes in of.items() if classes]
    notes = [f"Left out of the minimal graphs: {'; '.join(left_out)}."] if left_out else []
    dropped = graphs.dropped_true | graphs.dropped_predicted
    notes += (
        [f"Not matched, because a class of the same side is below: {named(dropped)}."]
        if dropped
        else []
    )
    found = f"Found by exact search, which stopped at its limit of {minimal.work:,} steps."
    if minimal.solver == "greedy":
        found = "Found by the greedy algorithms 1 and 2."
    elif minimal.optimal:
        found = "Found by exact search."
    return " ".join([*(notes or ["The minimal graphs are equal to the extended ones."]), found])


def ranking(graphs: LCAGraphs, explanation: Explanation, at: SearchStep | None) -> PanelTable:
    """Return a table of the LCAs in the order of the search, with their states after a step."""
    columns = [
        Column("LCA"),
        Column("classes", "number"),
        *map(Column, ("of true", "of predicted", "after this step")),
    ]
    removed = (
        {s.lca for s in _until(graphs, at) if s.action == "remove"} if at is not None else set()
    )
    rows = []
    for ranked in graphs.ranking:
        now, outcome = at is not None and at.lca == ranked.label, Text("–", faint=True)
        if at is not None and ranked.label in at.chosen:
            outcome = Text("chosen", strong=True)
        elif at is not None:
            outcome = Text("removed" if ranked.label in removed else "not chosen", faint=True)
        sides = ((ranked.true, TRUE), (ranked.predicted, PREDICTED))
        true, predicted = (
            tuple(Chip(c, m) for c in panel.in_order(explanation, labels)) for labels, m in sides
        )
        cells = ((Chip(ranked.label, strong=now),), str(ranked.connects), true, predicted, outcome)
        rows.append(Row(cells, (ranked.label, *ranked.true, *ranked.predicted), None, now))
    note = ""
    if at is not None:
        without = at.open_true | at.open_predicted
        note = f"Still without a chosen LCA: {named(without)}."
        note = note if without else "Every class now has one of its LCAs among those chosen."
    return PanelTable(
        "The lowest common ancestors, those with the most classes first",
        tuple(columns),
        tuple(rows),
        note,
    )


def walk(graphs: LCAGraphs, explanation: Explanation) -> Iterator[WalkStep]:
    """Yield the steps that choose and connect LCAs, from the trace of the algorithm."""
    every, taken = sorted(graphs.lca_true | graphs.lca_predicted), graphs.minimal.steps
    classes, ranks = partial(classes_alone, explanation), partial(ranking, graphs, explanation)
    if not every:
        nothing = "One side has no classes, so no classes can be connected."
        yield WalkStep("Start", nothing, classes, partial(ranks, None))
        return
    sentence = (
        "For each class, find its nearest class on the other side and their lowest common "
        f"ancestor (LCA). Here {agree(len(every), 'that is', 'those are')} {named(every)}. Keep the "
        "fewest LCAs that still cover every class, then one path from each class to its LCA."
    )
    yield WalkStep("Start", sentence, classes, partial(ranks, None))
    for step in taken:
        overlay = partial(step_overlay, graphs, explanation, step)
        yield WalkStep(PHASES[step.phase], step.sentence, overlay, partial(ranks, step))
    overlap, left_out = graphs.minimal.overlap, graphs.minimal.redundant_lcas
    sentence = (
        f"The minimal graphs have {write_count(len(overlap.true), 'class')} on the true and "
        f"{len(overlap.predicted)} on the predicted side, {len(overlap.shared)} shared."
    )
    sentence += f" Not needed as LCA: {named(left_out)}." if left_out else ""
    result = partial(graphs_overlay, graphs, explanation)
    yield WalkStep("Result", sentence, result, partial(ranks, taken[-1] if taken else None))


def _kind(explanation: Explanation, at: ViewState) -> Kind:
    return at.graphs or explanation.options.graphs


def _choose_graphs(at: ViewState, kind: str) -> ViewState:
    """Change the graphs, and change to the measure that uses these graphs."""
    if kind == "extended":
        return replace(at, graphs="extended", measure=MINIMAL.get(at.measure, at.measure))
    return replace(at, graphs="minimal", measure=EXTENDED.get(at.measure, at.measure))


LCA = panel.View(
    key="lca",
    title="LCA",
    overlay=lambda explanation, at: graphs_overlay(
        explanation.lca, explanation, _kind(explanation, at)
    ),
    panel=lambda explanation, at, overlay: best_matches(explanation.lca),
    walk=lambda explanation, at: tuple(walk(explanation.lca, explanation)),
    switches=(
        panel.Switch(
            key="graphs",
            label="LCA graphs",
            words={"minimal": "minimal graphs", "extended": "extended"},
            value=_kind,
            choose=_choose_graphs,
        ),
    ),
    for_measure=lambda at: replace(at, graphs="extended") if at.measure in EXTENDED else at,
)
