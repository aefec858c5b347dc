"""Curves and areas: equal to every threshold tried one by one, and to scikit-learn on real shapes;
those of classes to scikit-learn's average precision, and to joining counts one by one.
"""

import math
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from hiermeasures import Hierarchy, InputError, explain
from hiermeasures.evaluation.scores import (
    ProbabilityTable,
    class_areas,
    instance_curve,
    true_classes,
)
from hiermeasures.evaluation.scores.probabilities import greatest_below, least_above
from tests.conftest import hierarchy_of
from tests.evaluation.scores.strategies import FIGURE, FIGURE_2, FIGURE_4, any_tables
from tests.tables import LIBRARIES, make_column, make_table

TWO = ProbabilityTable.of(FIGURE, np.array([FIGURE_2.by_node, FIGURE_4.by_node]), ids=["x", "y"])


def closure(h, labels):
    return {a for c in labels for a in h.up(c)}


def all_thresholds(h, chance, true, count_root=False):
    """(threshold, predicted set) at every probability, halfway between them, and at 0, falling."""
    values = sorted({0.0, 1.0, *chance.values()}, reverse=True)
    taus = sorted({*values, *((a + b) / 2 for a, b in pairwise(values))}, reverse=True)
    out = []
    for tau in taus:
        predicted = closure(
            h, [c for c in h.nodes if chance[c] > tau and (count_root or c != h.root)]
        )
        out.append((tau, predicted if count_root else predicted - {h.root}))
    return out


def plain_curve(h, chance, true, count_root=False):
    truth = closure(h, true) - (set() if count_root else {h.root})
    points = []
    for tau, predicted in all_thresholds(h, chance, true, count_root):
        shared = len(predicted & truth)
        f1 = 2 * shared / (len(predicted) + len(truth))
        points.append((tau, shared / len(truth), shared / len(predicted) if predicted else 1.0, f1))
    return points


def plain_area(points):
    return sum((r2 - r1) * (p1 + p2) / 2 for (_, r1, p1, _), (_, r2, p2, _) in pairwise(points))


@st.composite
def tables_with_truth(draw):
    table = draw(any_tables(coarse=draw(st.booleans())))
    rows = [
        draw(st.sets(st.sampled_from(table.hierarchy.nodes[1:]), max_size=3))
        for _ in range(len(table))
    ]
    return table, rows


class TestInstanceCurve:
    def test_figure_2_by_hand(self):
        # True {1, 3}: above 0.75 nothing; 1; then 5; then 2; then 3 and 4 together.
        curve = instance_curve(FIGURE_2, {"3"})
        assert [(q.low, q.high, q.shared, q.predicted) for q in curve.points] == [
            (0.75, 1, 0, 0),
            (0.35, 0.75, 1, 1),
            (0.25, 0.35, 1, 2),
            (0.2, 0.25, 1, 3),
            (0, 0.2, 2, 5),
        ]
        # 0.5 · 1 up to recall 1/2, then from precision 1/3 to 2/5.
        assert curve.area == pytest.approx(0.5 + 0.5 * (1 / 3 + 2 / 5) / 2)
        assert curve.at(0.3).f1 == 0.5

    @given(tables_with_truth(), st.booleans())
    def test_area_and_best_f1_equal_brute_force_over_all_thresholds(self, drawn, count_root):
        table, rows = drawn
        for i, true in enumerate(rows):
            curve = instance_curve(table.row(i), true, count_root=count_root)
            if not true:
                assert math.isnan(curve.area)
                continue
            plain = plain_curve(table.hierarchy, table.row(i), true, count_root)
            assert curve.area == pytest.approx(plain_area(plain))
            best_f1 = max(f1 for *_, f1 in plain)
            assert {round(q.f1, 12) for q in curve.best} == {round(best_f1, 12)}

    @given(tables_with_truth(), st.floats(0, 1))
    def test_a_point_is_what_explain_says_of_its_prediction(self, drawn, tau):
        table, rows = drawn
        curve = instance_curve(table.row(0), rows[0] or {table.hierarchy.nodes[1]})
        point = curve.at(tau)
        predicted = {c for q in curve.points[: curve.points.index(point) + 1] for c in q.added}
        x = explain(table.hierarchy, curve.true, predicted, count_root=False)
        assert (point.recall, point.f1) == pytest.approx((x["hR"], x["hF"]))
        assert point.precision == pytest.approx(x["hP"] if point.predicted else 1)


class TestFiles:
    def test_true_labels_come_in_order_by_id_or_as_an_array(self):
        expected = true_classes(TWO, [{"5"}, {"3"}])
        marks = np.zeros((2, 6), bool)
        marks[0, FIGURE.index("5")] = marks[1, FIGURE.index("3")] = True
        for given_as in ({"y": {"3"}, "x": {"5"}, "z": {"1"}}, marks, true_classes(TWO, marks)):
            found = true_classes(TWO, given_as)
            assert (found.ptr.tolist(), found.idx.tolist()) == (
                expected.ptr.tolist(),
                expected.idx.tolist(),
            )

    @pytest.mark.parametrize("library", LIBRARIES)
    def test_numbers_and_true_labels_may_be_tables(self, library):
        table, column = partial(make_table, library), partial(make_column, library)
        h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
        given = ProbabilityTable.of(h, table({"C": [0.5, 0.25], "B": [0.5, 0.75]}), ["C", "B"])
        assert given.values.tolist() == [[1, 0.5, 0.5], [1, 0.75, 0.25]]
        expected = true_classes(given, [{"C"}, {"A", "B"}]).idx.tolist()
        assert true_classes(given, column([["C"], ["A", "B"]])).idx.tolist() == expected
        assert (
            true_classes(given, table({"C": [1, 0], "A": [0, 1], "B": [0, 1]})).idx.tolist()
            == expected
        )

    @pytest.mark.parametrize(
        ("labels", "message"),
        [
            ([{"5"}], "1 instances"),
            ({"x": {"5"}}, "1 instances"),
            ([{"5"}, {"9"}], r"row 2 \(id 'y'\): unknown class '9'"),
            (np.zeros((2, 3)), "true labels"),
        ],
    )
    def test_true_labels_that_do_not_fit_are_named(self, labels, message):
        with pytest.raises(InputError, match=message):
            true_classes(TWO, labels)


READINGS = {"augment": greatest_below, "cap": least_above}


@st.composite
def files(draw):
    """A table with ties, zeros and incoherence, and true labels, of which some are empty."""
    table = draw(any_tables(max_nodes=7, rows=draw(st.integers(1, 6))))
    labels = st.sets(st.sampled_from(table.hierarchy.nodes[1:]), max_size=3)
    true = draw(st.lists(labels, min_size=len(table), max_size=len(table)))
    return table, true


def indicators(h, true):
    return np.array([[any(c in h.up(label) for label in row) for c in h.nodes] for row in true])


def joined_one_by_one(values, true):
    """The curve as Vens et al.'s program draws it: a point at each threshold, and between two of
    them one for each further true positive, with its share of the false ones; the first point
    reaches back to recall 0.
    """
    points, before = [], None
    for tau in sorted(set(values), reverse=True):
        tp, fp = (float(((values >= tau) & (true == side)).sum()) for side in (True, False))
        if before is None:
            points.append((0.0, tp / (tp + fp)))
        else:
            for k in range(int(before[0]) + 1, int(tp)):
                wrong = before[1] + (fp - before[1]) / (tp - before[0]) * (k - before[0])
                points.append((k / true.sum(), k / (k + wrong)))
        points.append((tp / true.sum(), tp / (tp + fp)))
        before = tp, fp
    return sum((y + v) / 2 * (u - x) for (x, y), (u, v) in zip(points, points[1:], strict=False))


def by_definition(values, true, interpolation):
    if interpolation == "step":
        return average_precision_score(true, values)
    return joined_one_by_one(values, true)


@pytest.mark.parametrize("interpolation", ["counts", pytest.param("step", marks=pytest.mark.slow)])
@given(
    file=files(),
    incoherent=st.sampled_from(["augment", "cap"]),
    root=st.booleans(),
    unseen=st.booleans(),
)
def test_every_area_is_that_of_the_definition(interpolation, file, incoherent, root, unseen):
    table, true = file
    h, first = table.hierarchy, 0 if root else 1
    values, truth = READINGS[incoherent](h, table.values), indicators(h, true)
    found = class_areas(
        table,
        true,
        interpolation=interpolation,
        count_root=root,
        incoherent=incoherent,
        unseen=unseen,
    )
    seen = [c for c in range(first, len(h)) if truth[:, c].any()]
    assert found.classes == tuple(h.nodes[c] for c in seen)
    assert set(found.unseen) == set(h.nodes[first:]) - set(found.classes)
    areas = [by_definition(values[:, c], truth[:, c], interpolation) for c in seen]
    assert found.areas.tolist() == pytest.approx(areas)
    if not seen:
        assert all(map(math.isnan, (found.macro, found.weighted, found.pooled)))
        return
    times = truth[:, seen].sum(axis=0)
    assert found.macro == pytest.approx(np.mean(areas))
    assert found.weighted == pytest.approx((times * areas).sum() / times.sum())
    pool = list(range(first, len(h))) if unseen else seen
    assert found.pooled == pytest.approx(
        by_definition(values[:, pool].ravel(), truth[:, pool].ravel(), interpolation)
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_pooled_area_is_the_number_that_c_hmcnn_writes(seed):
    # main.py: get_constr_out, then average_precision_score(…, average="micro") without the root
    rng = np.random.default_rng(seed)
    h = Hierarchy.from_edges([(f"c{rng.integers(k)}", f"c{k}") for k in range(1, 12)])
    scores = rng.random((20, len(h))).round(2)
    true = [set(rng.choice(h.nodes[1:], 2)) for _ in range(20)]
    below = np.array([[d == c or d in h.descendants(c) for d in h.nodes] for c in h.nodes])
    constrained = (below * scores[:, None]).max(axis=2)
    is_true = np.array([[bool(({c} | h.descendants(c)) & row) for c in h.nodes] for row in true])
    theirs = average_precision_score(is_true[:, 1:], constrained[:, 1:], average="micro")
    found = class_areas(ProbabilityTable.of(h, scores, h.nodes), true, interpolation="step")
    assert found.pooled == pytest.approx(theirs, abs=1e-12)


def test_between_two_points_false_positives_grow_evenly_with_true_ones():
    # Davis and Goadrich 2006: of 20 positives, at A 5 TP and 5 FP, at B 10 TP and 30 FP; every
    # further true positive brings five false ones: 6/16, 7/22, 8/28, 9/34, 10/40. Behind B all the
    # others come at once, 10 of 10.
    scores = [0.9] * 10 + [0.5] * 30 + [0.1] * 10
    true = [True] * 5 + [False] * 5 + [True] * 5 + [False] * 25 + [True] * 10
    h = hierarchy_of("R>A R>B")
    table = ProbabilityTable.of(h, [[s] for s in scores], ["A"])
    found = class_areas(table, [{"A"} if t else {"B"} for t in true])
    between = [5 / 10, 6 / 16, 7 / 22, 8 / 28, 9 / 34, *((10 + k) / (40 + k) for k in range(11))]
    expected = 5 * 5 / 10 + sum((a + b) / 2 for a, b in zip(between, between[1:], strict=False))
    assert found.areas[0] == pytest.approx(expected / 20)
