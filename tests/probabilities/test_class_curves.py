"""Areas under the curves of classes: equal to scikit-learn's average precision, and to joining
counts one by one.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import auc, average_precision_score, precision_recall_curve

from hiermeasures import Hierarchy, InputError
from hiermeasures.probabilities import ProbabilityTable, class_areas
from hiermeasures.probabilities.class_curves import area_of_counts
from hiermeasures.probabilities.conversions import greatest_below, least_above
from tests.conftest import hierarchy_of
from tests.probabilities.strategies import any_tables

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
    if interpolation == "counts":
        return joined_one_by_one(values, true)
    precision, recall, _ = precision_recall_curve(true, values)
    return auc(recall, precision)


@pytest.mark.parametrize(
    "interpolation", ["counts", *(pytest.param(k, marks=pytest.mark.slow) for k in ("step", "trapezoid"))]
)
@given(file=files(), incoherent=st.sampled_from(["augment", "cap"]), root=st.booleans(), unseen=st.booleans())
def test_every_area_is_that_of_the_definition(interpolation, file, incoherent, root, unseen):
    table, true = file
    h, first = table.hierarchy, 0 if root else 1
    values, truth = READINGS[incoherent](h, table.values), indicators(h, true)
    found = class_areas(table, true, interpolation=interpolation, count_root=root, incoherent=incoherent, unseen=unseen)
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
    assert found.pooled == pytest.approx(by_definition(values[:, pool].ravel(), truth[:, pool].ravel(), interpolation))


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


@given(st.lists(st.tuples(st.integers(0, 500), st.sampled_from([0, 1, 9, 700, 10**9])), min_size=1, max_size=4))
def test_many_true_ones_between_two_points_are_as_if_added_one_by_one(steps):
    tp, fp = np.cumsum(np.array(steps, float), axis=0).T
    if not tp[-1]:
        return
    area, a, b = 0.0, 0.0, 0.0
    for more, wrong in steps:
        for k in range(more):
            ends = [(a + i, b + wrong * i / more) for i in (k, k + 1)]
            right = ends[1][0] / sum(ends[1])
            area += ((ends[0][0] / sum(ends[0]) if any(ends[0]) else right) + right) / 2
        a, b = a + more, b + wrong
    assert area_of_counts(tp, fp, "counts") == pytest.approx(area / tp[-1], rel=1e-12)


def test_as_many_true_ones_as_there_may_be_take_no_time():
    assert area_of_counts(np.array([2.0**40, 2.0**52]), np.array([2.0**40, 2.0**52]), "counts") == pytest.approx(1 / 2)


def test_a_class_that_nobody_has_counts_only_where_all_are_pooled():
    # B is predicted first, and wrong: 1 of 2 is right where A is reached. A alone is right at once.
    h = Hierarchy.from_edges([("R", "A"), ("R", "B")])
    table = ProbabilityTable.of(h, [[0.5, 0.75]], ["A", "B"])
    assert class_areas(table, [{"A"}], interpolation="step").pooled == 0.5
    found = class_areas(table, [{"A"}], interpolation="step", unseen=False)
    assert (found.pooled, found.macro, found.unseen) == (1.0, 1.0, ("B",))


def test_an_unknown_interpolation_is_refused():
    h = Hierarchy.from_edges([("R", "A")])
    table = ProbabilityTable.of(h, [[0.5]], ["A"])
    with pytest.raises(InputError, match="unknown interpolation 'steps'; nearest known: 'step'"):
        class_areas(table, [{"A"}], interpolation="steps")
