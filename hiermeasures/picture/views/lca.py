"""The view of LCA graphs: the graph of each side, minimal or extended, with its edges and lowest
common ancestors, the best matches of every class, and how LCAs are chosen.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Literal

from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import counted, named, number
from hiermeasures.measures.lca_structure import BestMatch, GraphPair, LCAGraphs, SearchStep
from hiermeasures.picture import panel, scene
from hiermeasures.picture.views.sets import classes_alone

Kind = Literal["minimal", "extended"]

EDGES = scene.edge_legend("true graph", "predicted graph", "both graphs")
OPEN = scene.LegendEntry("badge", "?", "has no LCA of its own among the chosen yet", faint=True)


def graphs_overlay(lca: LCAGraphs, explanation: Explanation, kind: Kind = "minimal") -> scene.Overlay:
    """The graphs of a kind; minimal ones with what is left out of the extended ones ringed."""
    shown: GraphPair = lca.extended if kind == "extended" else lca.minimal
    marks = scene.marks_of(explanation, shown.true.nodes, shown.predicted.nodes) | _dropped(lca)
    badges = {c: scene.Badge("LCA", "lca", _owners(lca, c)) for c in sorted(lca.lca_true | lca.lca_predicted)}
    words = dict(scene.words_in("graph"))
    if kind == "minimal":
        for c in sorted((lca.minimal.redundant_true | lca.minimal.redundant_predicted) - marks.keys()):
            marks[c] = scene.Mark(ringed=True)
        words[scene.Mark(ringed=True)] = "in the extended graphs only"
        badges |= {
            c: scene.Badge("LCA", "struck", f"{_owners(lca, c)}; not needed in the minimal graphs")
            for c in lca.minimal.redundant_lcas
        }
    return scene.Overlay(
        f"{kind.capitalize()} LCA graphs",
        marks,
        words,
        badges,
        edges=scene.edge_marks(shown.true.edges, shown.predicted.edges),
        legend=EDGES
        | {
            "lca": scene.LegendEntry("badge", "LCA", "lowest common ancestor"),
            "struck": scene.LegendEntry("badge", "LCA", "LCA left out", faint=True, struck=True),
        },
    )


def step_overlay(lca: LCAGraphs, explanation: Explanation, at: SearchStep) -> scene.Overlay:
    marks = scene.marks_of(explanation, at.true_nodes, at.predicted_nodes) | _dropped(lca)
    badges = {c: scene.Badge("?", "open", OPEN.words) for c in at.open_true | at.open_predicted}
    badges |= {c: scene.Badge("LCA", "lca", "chosen") for c in at.chosen}
    if at.action == "remove":
        badges[at.lca] = scene.Badge("LCA", "struck", "removed again")
    paths = lca.minimal.steps[: lca.minimal.steps.index(at) + 1]
    found = {
        side: [e for s in paths if s.path and s.path.side == side for e in pairwise(s.path.path[::-1])]
        for side in ("true", "predicted")
    }
    return scene.Overlay(
        "Choosing LCAs",
        marks,
        scene.words_in("graph"),
        badges,
        edges=scene.edge_marks(found["true"], found["predicted"]),
        focus=frozenset({at.lca}) if at.path is None else frozenset(at.path.path),
        legend=EDGES
        | {
            "lca": scene.LegendEntry("badge", "LCA", "chosen LCA"),
            "struck": scene.LegendEntry("badge", "LCA", "removed again", faint=True, struck=True),
            "open": OPEN,
        }
        | panel.STEP_LEGEND,
    )


def _dropped(lca: LCAGraphs) -> dict[str, scene.Mark]:
    """Classes with a descendant in their own set take no part and are struck out."""
    return {
        c: scene.Mark(
            scene.Side.CLASS if c in lca.dropped_true else scene.Side.NONE,
            scene.Side.CLASS if c in lca.dropped_predicted else scene.Side.NONE,
            struck=True,
        )
        for c in sorted(lca.dropped_true | lca.dropped_predicted)
        if c not in lca.true | lca.predicted
    }


def _owners(lca: LCAGraphs, label: str) -> str:
    owners = sorted({m.label for m in (*lca.true_matches, *lca.predicted_matches) if label in m.lcas})
    return f"lowest common ancestor of {', '.join(owners)}"


MOST_PATHS = 3


def best_matches(graphs: LCAGraphs) -> panel.Table:
    columns = (
        panel.Column("class"),
        panel.Column("d", "number", "the distance to the nearest classes of the other side"),
        panel.Column("best matches", about="the nearest classes of the other side, S_best"),
        panel.Column(
            "LCAs", about="where the shortest ways to them turn; struck out those that the minimal graphs do not need"
        ),
        panel.Column("shortest paths"),
    )
    rows = tuple(_match_row(m, graphs) for m in (*graphs.true_matches, *graphs.predicted_matches))
    return panel.Table(
        "Best matches and lowest common ancestors of every class", columns, rows, _about_redundancy(graphs)
    )


def _match_row(match: BestMatch, graphs: LCAGraphs) -> panel.Row:
    own, other = (panel.TRUE, panel.PREDICTED) if match.side == "true" else (panel.PREDICTED, panel.TRUE)
    best = sorted(match.best)
    paths = [path for partner in best for path in graphs.paths_between(match.label, partner)]
    more = f" and {len(paths) - MOST_PATHS} more" if len(paths) > MOST_PATHS else ""
    lcas = tuple(
        panel.Chip(a, struck=a in graphs.minimal.redundant_lcas, strong=a in graphs.minimal.lcas)
        for a in sorted(match.lcas)
    )
    return panel.Row(
        (
            (panel.Chip(match.label, own),),
            number(match.distance),
            tuple(panel.Chip(b, other) for b in best),
            lcas,
            panel.Text("; ".join(" – ".join(path) for path in paths[:MOST_PATHS]) + more),
        ),
        tuple(dict.fromkeys((match.label, *(c for path in paths[:MOST_PATHS] for c in path)))),
    )


def _about_redundancy(graphs: LCAGraphs) -> str:
    minimal = graphs.minimal
    if not graphs.true_matches:
        return "One side is empty, so there is nothing to connect."
    left_out = [
        f"{what} {named(classes)}"
        for what, classes in (
            ("as LCA", minimal.redundant_lcas),
            ("on the true side", minimal.redundant_true),
            ("on the predicted side", minimal.redundant_predicted),
        )
        if classes
    ]
    notes = [f"Left out of the minimal graphs: {'; '.join(left_out)}."] if left_out else []
    dropped = graphs.dropped_true | graphs.dropped_predicted
    notes += [f"Takes no part, being above another class of its set: {named(dropped)}."] if dropped else []
    if not notes:
        notes = ["Nothing is redundant: the minimal graphs are the extended ones."]
    if minimal.solver == "greedy":
        found = "Found by the greedy algorithms 1 and 2."
    elif minimal.optimal:
        found = "Found by exact search: no fewer LCAs would do, and no choice has a higher F_LCA."
    else:
        found = f"The best that exact search found in {minimal.work:,} steps, the most that are taken here."
    return " ".join([*notes, found])


def ranking(graphs: LCAGraphs, explanation: Explanation, at: SearchStep | None) -> panel.Table:
    columns = (
        panel.Column("LCA"),
        panel.Column("classes", "number"),
        panel.Column("of true"),
        panel.Column("of predicted"),
        panel.Column("after this step"),
    )
    rows = []
    for ranked in graphs.ranking:
        now = at is not None and at.lca == ranked.label
        rows.append(
            panel.Row(
                (
                    (panel.Chip(ranked.label, strong=now),),
                    str(ranked.connects),
                    panel.chips(panel.in_order(explanation, ranked.true), lambda c: panel.TRUE),
                    panel.chips(panel.in_order(explanation, ranked.predicted), lambda c: panel.PREDICTED),
                    _outcome(ranked.label, graphs, at),
                ),
                (ranked.label, *ranked.true, *ranked.predicted),
                None,
                now,
            )
        )
    note = ""
    if at is not None:
        without = at.open_true | at.open_predicted
        note = (
            f"Without an LCA of their own among the chosen: {named(without)}."
            if without
            else "Every class has an LCA of its own among the chosen."
        )
    return panel.Table("The lowest common ancestors, those of most classes first", columns, tuple(rows), note)


def _outcome(label: str, graphs: LCAGraphs, at: SearchStep | None) -> panel.Cell:
    if at is None:
        return panel.Text("–", faint=True)
    if label in at.chosen:
        return panel.Text("chosen", strong=True)
    if any(s.action == "remove" and s.lca == label for s in graphs.minimal.steps[: graphs.minimal.steps.index(at) + 1]):
        return panel.Text("removed", faint=True)
    return panel.Text("not chosen", faint=True)


PHASES = {
    "selection": "Choosing LCAs",
    "top-down": "Removing LCAs that are not needed, from the top",
    "bottom-up": "Removing LCAs that are not needed, from the bottom",
    "paths": "Connecting classes and LCAs",
}


def walk(graphs: LCAGraphs, explanation: Explanation) -> Iterator[panel.WalkStep]:
    """The steps in which LCAs are chosen and connected: the algorithm's own trace."""
    every, taken = sorted(graphs.lca_true | graphs.lca_predicted), graphs.minimal.steps
    classes, ranks = partial(classes_alone, explanation), partial(ranking, graphs, explanation, None)
    if not every:
        yield panel.WalkStep("Start", "One side has no classes, so there is nothing to connect.", classes, ranks)
        return
    yield panel.WalkStep(
        "Start",
        f"Every class meets its nearest classes of the other side in its LCAs: {named(every)} altogether. "
        "The fewest of them are looked for that give each class one, and then one way from each class to an LCA.",
        classes,
        ranks,
    )
    for step in taken:
        yield panel.WalkStep(
            PHASES[step.phase],
            step.sentence,
            partial(step_overlay, graphs, explanation, step),
            partial(ranking, graphs, explanation, step),
        )
    overlap, left_out = graphs.minimal.overlap, graphs.minimal.redundant_lcas
    yield panel.WalkStep(
        "Result",
        f"The minimal graphs have {counted(len(overlap.true), 'class', 'classes')} on the true and "
        f"{len(overlap.predicted)} on the predicted side, {len(overlap.shared)} shared."
        + (f" Not needed as LCA: {named(left_out)}." if left_out else ""),
        partial(graphs_overlay, graphs, explanation),
        partial(ranking, graphs, explanation, taken[-1] if taken else None),
    )


EXTENDED = {f"{measure}_ext": measure for measure in ("P_LCA", "R_LCA", "F_LCA")}
MINIMAL = {measure: extended for extended, measure in EXTENDED.items()}


def _choose_graphs(at: panel.ViewState, kind: str) -> panel.ViewState:
    """The measure on the same graphs comes with them, where there is one."""
    if kind == "extended":
        return replace(at, graphs="extended", measure=MINIMAL.get(at.measure, at.measure))
    return replace(at, graphs="minimal", measure=EXTENDED.get(at.measure, at.measure))


LCA = panel.View(
    key="lca",
    title="LCA",
    overlay=lambda explanation, at: graphs_overlay(
        explanation.lca, explanation, at.graphs or explanation.options.graphs
    ),
    panel=lambda explanation, at, overlay: best_matches(explanation.lca),
    walk=lambda explanation, at: tuple(walk(explanation.lca, explanation)),
    switches=(
        panel.Switch(
            key="graphs",
            label="LCA graphs",
            words={"minimal": "minimal graphs", "extended": "extended"},
            value=lambda explanation, at: at.graphs or explanation.options.graphs,
            choose=_choose_graphs,
        ),
    ),
    for_measure=lambda at: replace(at, graphs="extended") if at.measure in EXTENDED else at,
)
