"""What a drawing marks as counted is what the formula counts, in every view and under options."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, explain
from hiermeasures.draw.scene import Overlay, Side
from hiermeasures.draw.views import steps
from hiermeasures.draw.views.confusion import CELLS, confusion_overlay
from hiermeasures.measures import STRUCTURES, Explanation
from tests.app.screen import overlay_of, view_of
from tests.conftest import edge_lists, hierarchy_of

SETS = ("flat", "augmented", "descendants", "lca", "weighted")
OPTIONS = {
    "count_root": st.sampled_from([None, True, False]),
    "graphs": st.sampled_from(["minimal", "extended"]),
    "solver": st.sampled_from(["auto", "greedy"]),
    "max_ancestor_distance": st.sampled_from([None, 1, 2]),
    "negatives": st.sampled_from(["children", "descendants"]),
    "path_derivation": st.sampled_from(["greedy", "benevolent"]),
    "max_level": st.sampled_from([None, 0, 1, 2]),
    "rank": st.sampled_from([None, 1, 2]),
}


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    """A random tree or DAG, below a root of its own or, of several top classes, a virtual one."""
    edges = draw(edge_lists(dag=draw(st.booleans())))
    if draw(st.booleans()):
        edges = [(parent, child) for parent, child in edges if parent != "n0"]
    assume(edges)
    return Hierarchy.from_edges(edges)


@st.composite
def explained(draw: st.DrawFn, *, empty: bool = True) -> Explanation:
    """An instance under some options, its sides alike or not, any class true and predicted."""
    h = draw(hierarchies())
    labels = st.sets(st.sampled_from(h.nodes), min_size=0 if empty else 1, max_size=4)
    options = {name: draw(values) for name, values in OPTIONS.items()}
    return explain(h, draw(labels), draw(labels), **options)


def counted(overlay: Overlay, side: str) -> set[str]:
    """Return the classes that a drawing marks as counted on a side."""
    marks = overlay.marks.items()
    return {c for c, m in marks if not m.struck and getattr(m, side) in (Side.ADDED, Side.CLASS)}


def row(x: Explanation, structure: str) -> Any:
    """Return the numbers that measures read off a structure."""
    declared = STRUCTURES[structure]
    return declared.read(x.built(declared), x.options)


def every_given_class_is_drawn(x: Explanation, overlay: Overlay) -> None:
    for side in ("true", "predicted"):
        drawn = {
            c
            for c, mark in overlay.marks.items()
            if getattr(mark, side) in (Side.CLASS, Side.UNCOUNTED)
        }
        assert drawn == getattr(x, side)


@pytest.mark.parametrize("structure", SETS)
@given(x=explained())
def test_sets_and_graphs_mark_as_many_classes_as_are_counted(
    structure: str, x: Explanation
) -> None:
    overlay = overlay_of(x, structure)
    true, predicted = counted(overlay, "true"), counted(overlay, "predicted")
    every_given_class_is_drawn(x, overlay)
    if structure == "weighted":  # each class weighs 1
        assert tuple(row(x, structure)[:3]) == (
            len(true & predicted),
            len(predicted - true),
            len(true - predicted),
        )
    else:
        assert tuple(row(x, structure)[:3]) == (len(true), len(predicted), len(true & predicted))


@given(x=explained(empty=False))
def test_the_steps_to_the_lca_graphs_end_with_what_is_counted(x: Explanation) -> None:
    *_, last, _ = steps(x, replace(view_of("lca"), step=0))
    assert counted(last.overlay(), "true") == x.lca.minimal.overlap.true
    assert counted(last.overlay(), "predicted") == x.lca.minimal.overlap.predicted


def test_a_class_true_and_predicted_may_count_on_one_side() -> None:
    # C is both; B, true and predicted, stands above it on both sides. E meets C in R: the true
    # graph is C – B – A – R, and B is no class of the predicted one, which is C, E and R.
    overlay = overlay_of(
        explain(hierarchy_of("R>A A>B B>C R>E"), ["A", "B", "C"], ["B", "C", "E"]), "lca"
    )
    assert counted(overlay, "true") == {"A", "B", "C", "R"}
    assert counted(overlay, "predicted") == {"C", "E", "R"}


@given(x=explained())
def test_h_loss_marks_the_errors_it_counts(x: Explanation) -> None:
    overlay = overlay_of(x, "h_loss")
    true, predicted = counted(overlay, "true"), counted(overlay, "predicted")
    assert tuple(row(x, "h_loss")) == (len(true - predicted), len(predicted - true))


@given(x=explained())
def test_ranks_mark_the_classes_they_compare(x: Explanation) -> None:
    overlay, h = overlay_of(x, "ranks"), x.hierarchy
    true, predicted = counted(overlay, "true"), counted(overlay, "predicted")
    wrong = {c for c in predicted - true if not any(c in h.ancestors(t) for t in true)}
    assert tuple(row(x, "ranks")[:3]) == (len(true & predicted), len(wrong), len(true - predicted))


@given(x=explained(empty=False))
def test_cells_at_classes_are_those_of_the_paths(x: Explanation) -> None:
    matrix = x.confusion
    overlay = overlay_of(x, "confusion")
    said = [words for badge in overlay.badges.values() for words in badge.words.split(", ")]
    sums = Counter(
        next(cell for cell, name in CELLS.items() if words.startswith(name)) for words in said
    )
    assert [sums[cell] for cell in CELLS] == [matrix.tp, matrix.tn, matrix.fp, matrix.fn]
    paths = {"true": [p.true_path or () for p in matrix.paths] + list(matrix.unmatched)}
    paths["predicted"] = [p.predicted_path for p in matrix.paths]
    for side, found in paths.items():
        assert counted(overlay, side) == {c for path in found for c in path}
    for k, cells in enumerate(matrix.paths):
        alone = confusion_overlay(matrix, x, k).badges
        said_of = {
            (c, words.split(" of ")[0])
            for c, badge in alone.items()
            for words in badge.words.split(", ")
        }
        assert said_of == {
            (c, name) for cell, name in CELLS.items() for c in getattr(cells, cell.lower())
        }


@given(x=explained())
def test_counts_at_classes_are_those_of_the_table(x: Explanation) -> None:
    overlay = overlay_of(x, "counts")
    pairs = {c: tuple(map(int, b.text.split()[0].split("/"))) for c, b in overlay.badges.items()}
    assert sum(min(pair) for pair in pairs.values()) == x.counts.tp
    assert sum(max(p - t, 0) for t, p in pairs.values()) == x.counts.fp
    assert sum(max(t - p, 0) for t, p in pairs.values()) == x.counts.fn
    for k, side in enumerate(("true", "predicted")):
        assert counted(overlay, side) == {c for c, pair in pairs.items() if pair[k]}


@pytest.mark.parametrize("measure", ["TIE", "GIE", "MGIA", "all_pairs"])
@given(x=explained(empty=False))
def test_the_costs_that_are_drawn_are_those_of_the_pairing(measure: str, x: Explanation) -> None:
    network = x.pairing(measure)
    assume(network.feasible)
    overlay = overlay_of(x, f"pairing_{measure}")
    drawn = [link.text for link in overlay.links] + [
        badge.text for badge in overlay.badges.values()
    ]
    assert sum(map(float, drawn)) == network.fnerror
    assert (counted(overlay, "true"), counted(overlay, "predicted")) == (x.true, x.predicted)


@given(x=explained())
def test_the_distances_that_are_drawn_are_summed_between_classes_marked_as_compared(
    x: Explanation,
) -> None:
    paths, overlay = x.structure("shortest_path"), overlay_of(x, "shortest_path")
    assert sum(float(link.text) for link in overlay.links) == paths.total
    assert counted(overlay, "true") == set(paths.true)
    assert counted(overlay, "predicted") == set(paths.predicted)
