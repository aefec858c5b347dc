"""Parts of the view of one instance: fields of its settings, tables, and the tree.

The tree has a bar of probability under every class. It is a component (tree.js) that reports drags
and clicks.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.app import binding
from hiermeasures.app.components import component
from hiermeasures.app.inbox import hear
from hiermeasures.app.probabilities.model import PROBABILITIES
from hiermeasures.draw.layout import Layout, Neighbourhood, layered, neighbourhood
from hiermeasures.draw.scene import PLAIN, Mark, Side, shown_label, words_for
from hiermeasures.evaluation.scores import NodeProbabilities
from hiermeasures.evaluation.scores.events import Coherence
from hiermeasures.hierarchy.hierarchy import Hierarchy

PREFIX = "prob_"
ROW, HEADER = 27, 35  # heights in tables, in pixels
TREE_KEY = "probabilities_tree"
MOST_DRAWN = (60, 40, 24, 20, 16, 14, 12)  # classes to try; marked and likely ones are all drawn
WIDEST = 760.0  # a drawing that can be read at half the width of a screen
LIKELY = 3  # leaves that are drawn because they are likely
LONGEST_LABEL = 18
BAR_WIDTH, MARGIN = 104.0, 30.0
STACK_STRETCH = 1.3  # of the height where leaves are stacked
Place = tuple[float, float]


def setting(widget: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a widget as the field of a setting. Call it like the result of `bind`."""
    return binding.setting(widget, PREFIX + name.rpartition(".")[2], PROBABILITIES, name)


def choose(label: str, options: Iterable[str], name: str, **settings: Any) -> None:
    """Draw a select box for a setting."""
    setting(st.selectbox, name)(label, list(options), **settings)


def unfolded(label: str, name: str) -> Any:
    """Return a folded part. Draw into it only if it is `open`."""
    return st.expander(label, key=f"{PREFIX}fold_{name}", on_change="rerun")


# --- tables ---------------------------------------------------------------------------------------


def show_table(
    frame: pd.DataFrame, name: str, *, rows: int, select: bool = False, **settings: Any
) -> int | None:
    """Show a table with at most this many visible rows. Return the number of the selected row."""
    shown: Any = st.dataframe(
        frame,
        hide_index=True,
        key=PREFIX + name,
        on_select="rerun" if select else "ignore",
        selection_mode="single-row",
        row_height=ROW,
        height=height(frame, rows),
        placeholder="–",
        **settings,
    )
    chosen = shown["selection"]["rows"] if select else []
    return chosen[0] if chosen and chosen[0] < len(frame) else None


def height(frame: pd.DataFrame, most: int) -> int:
    """Return the height of a table with at most this many visible rows, in pixels."""
    return ROW * min(len(frame), most) + HEADER + 2


def decimals(help: str, label: str | None = None, **settings: Any) -> Any:
    """Return a column of numbers with three decimals."""
    return st.column_config.NumberColumn(label, format="%.3f", help=help, **settings)


# --- the tree -----------------------------------------------------------------------------------


def tree_drawing(
    probabilities: NodeProbabilities,
    true: frozenset[str],
    predicted: frozenset[str],
    *,
    tau: float | None,
    found: Coherence,
) -> tuple[dict[str, Any], int]:
    """Return the data of the component, and the number of folded classes of a large hierarchy.

    The ancestors of true and predicted classes have dashed lines.

    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.evaluation.scores import coherence
    >>> h = Hierarchy.from_nested({"r": {"1": ["2", "3"]}})
    >>> p = NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.5})
    >>> data, _ = tree_drawing(p, frozenset({"2"}), frozenset({"1"}), tau=0.5, found=coherence(p))
    >>> [(n["id"], n["true"], n["predicted"]) for n in data["nodes"]][1:]
    [('1', 'added', 'class'), ('2', 'class', 'none'), ('3', 'none', 'none')]
    """
    h = probabilities.hierarchy
    near, made = _readable(probabilities, true | predicted)
    edges = _edges_among(h, near.nodes)
    # Where leaves are stacked, each has a bar below its label.
    stacked = any(
        points and points[-1][1] == made.positions[v][1] for (_, v), points in made.bends.items()
    )
    stretch = STACK_STRETCH if stacked else 1
    places = {c: (x, y * stretch) for c, (x, y) in made.positions.items()}
    bends = {e: tuple((x, y * stretch) for x, y in points) for e, points in made.bends.items()}
    odd = {c for finding in found.grave for c in finding.classes}
    marks = _marks(h, true, predicted)
    nodes = [_node(probabilities, c, places[c], marks.get(c, PLAIN), c in odd) for c in near.nodes]
    paths = [_edge(places[u], places[v], bends.get((u, v), ()), v, u == h.root) for u, v in edges]
    title = f"The hierarchy with probabilities, {len(near.nodes)} classes"
    data = {
        "nodes": nodes,
        "edges": paths,
        "tau": tau,
        "view": _view([*places.values(), *(p for points in bends.values() for p in points)]),
        "title": title,
        "legend": _legend({marks.get(c, PLAIN) for c in near.nodes}, tau),
    }
    return data, near.folded


def _readable(p: NodeProbabilities, marked: frozenset[str]) -> tuple[Neighbourhood, Layout]:
    """Return the readable number of classes with their places, marked and likely classes first."""
    h = p.hierarchy
    likely = sorted(h.leaves - {h.root}, key=lambda c: (-p[c], h.index(c)))[:LIKELY]
    focus = marked | frozenset(likely)
    least = len({a for c in focus for a in h.up(c)} | {h.root})
    for most in MOST_DRAWN:
        near = neighbourhood(h, focus, max(most, least), whole=most)
        made = layered(
            {c: h.level(c) for c in near.nodes},
            _edges_among(h, near.nodes),
            lambda c: max(BAR_WIDTH, _label_width(c) + 20),
        )
        x = [x for x, _ in made.positions.values()]
        if max(x) - min(x) <= WIDEST:
            break
    return near, made


def _edges_among(h: Hierarchy, classes: Iterable[str]) -> list[tuple[str, str]]:
    drawn = set(classes)
    return [(u, v) for u, v in h.edges if u in drawn and v in drawn]


def _marks(h: Hierarchy, true: frozenset[str], predicted: frozenset[str]) -> dict[str, Mark]:
    """Return the marks of classes and of their ancestors, as in the Explorer's view of ancestors."""
    circled, boxed = (
        {a: Side.ADDED for c in classes for a in h.up(c)} | dict.fromkeys(classes, Side.CLASS)
        for classes in (true, predicted)
    )
    return {
        c: Mark(circled.get(c, Side.NONE), boxed.get(c, Side.NONE))
        for c in {**circled, **boxed}
        if c != h.root
    }


def _view(points: Iterable[Place]) -> list[float]:
    """Return the part of the plane that shows these points: left, top, width, height."""
    x, y = zip(*points, strict=True)
    return [
        min(x) - BAR_WIDTH / 2 - MARGIN / 2,
        min(y) - MARGIN,
        max(x) - min(x) + BAR_WIDTH + MARGIN,
        max(y) - min(y) + 2 * MARGIN + 12,
    ]


def _legend(drawn: set[Mark], tau: float | None) -> list[dict[str, str]]:
    """Return the drawn marks with their names."""
    sides = [
        {"kind": "mark", "true": mark.true.role, "predicted": mark.predicted.role, "words": words}
        for mark, words in words_for("ancestor").items()
        if mark in drawn
    ]
    others = [("bar", "probability"), *([("tau", f"threshold {tau:g}")] if tau is not None else [])]
    others.append(("", "drag a bar, click a class"))
    return [*sides, *({"kind": kind, "words": words} for kind, words in others)]


def show_tree(data: dict[str, Any], handler: Callable[[Mapping[str, Any]], object]) -> None:
    """Mount the tree. The handler gets the `label` of a clicked class, and the `value` of a moved
    bar.
    """
    component("probability_tree")(key=TREE_KEY, data=data | {"address": hear(TREE_KEY, handler)})


def _node(p: NodeProbabilities, label: str, place: Place, mark: Mark, odd: bool) -> dict[str, Any]:
    short = shown_label(label, LONGEST_LABEL)
    hint = f"{label}: {p[label]:.6g}. Drag the bar, or move it with the arrow keys."
    if odd:
        hint += " It contradicts its parent or its siblings."
    return {
        "id": label,
        "label": short,
        "full": label,
        "x": place[0],
        "y": place[1],
        "width": max(26.0, _label_width(short)),
        "p": p[label],
        "root": label == p.hierarchy.root,
        "hint": hint,
        "true": mark.true.role,
        "predicted": mark.predicted.role,
        "odd": odd,
    }


def _label_width(label: str) -> float:
    return 8.2 * min(len(label), LONGEST_LABEL) + 14


def _edge(
    parent: Place, child: Place, bends: Sequence[Place], label: str, from_root: bool
) -> list[Place]:
    """Return a line from below the parent's bar to above the child's label, or to its left side in
    a stack.
    """
    (x, y), (a, b) = parent, child
    hangs = bool(bends) and bends[-1][1] == b
    end = (a - max(26.0, _label_width(label)) / 2, b) if hangs else (a, b - 13)
    return [(x, y + (14 if from_root else 32)), *bends, end]
