"""Operating curves: against every threshold tried one by one, and the worth of each answer as
`explain` gives it.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import InputError, explain
from hiermeasures.probabilities import ProbabilityTable, operating_curve
from hiermeasures.probabilities.scores import area_of_best
from tests.conftest import hierarchy_of
from tests.probabilities.strategies import any_tables

ANIMALS = hierarchy_of("Animal>Bird Animal>Fish Bird>Crow Bird>Finch Fish>Carp Fish>Eel")
LEAVES = ["Crow", "Finch", "Carp", "Eel"]


def answer(h, chance, tau):
    """The most specific class that reaches a threshold; or the likeliest class of all."""
    able = [c for c in h.nodes if len(h.children(c)) != 1 or c == h.root]
    reached = [c for c in able if chance[c] >= tau] or [c for c in able if chance[c] == max(chance[d] for d in able)]
    below = {c: len(({c} | h.descendants(c)) & h.leaves) for c in reached}
    return min(reached, key=lambda c: (below[c], -chance[c], h.index(c)))


def worth(h, true, predicted):
    """Correct, exact, recall, precision; what lies below the truth is cut to it."""
    cut = true if predicted in h.descendants(true) else predicted
    x = explain(h, {true}, {cut}, class_weights="given", count_root=False, zero_division=1.0)
    return cut in h.up(true), cut == true, x["wR"], x["wP"]


@pytest.mark.parametrize("weights", ["leaves", *(pytest.param(k, marks=pytest.mark.slow) for k in ("one", "given"))])
@given(data=st.data(), table=any_tables(max_nodes=8, rows=3))
def test_every_threshold_tried_one_by_one(weights, data, table):
    h = table.hierarchy.with_class_weights(
        {c: data.draw(st.sampled_from([0.0, 0.5, 2.0])) for c in table.hierarchy.nodes}
    )
    table = ProbabilityTable.of(h, table.values)
    true = [data.draw(st.sampled_from(h.nodes[1:])) for _ in range(3)]
    curve = operating_curve(table, [{c} for c in true], weights=weights)
    weighted = h.with_class_weights({"leaves": "leaves", "one": None}[weights]) if weights != "given" else h
    columns = np.array([curve.correct, curve.exact, curve.recall, curve.precision])
    taus = sorted({float(v) for v in table.values.ravel()}, reverse=True)
    for tau in [2.0, *taus, *(t - 1e-6 for t in taus)]:
        answers = [answer(h, table.row(k), tau) for k in range(3)]
        assert curve.predicted_at(tau) == answers
        expected = np.mean([worth(weighted, t, p) for t, p in zip(true, answers, strict=True)], axis=0)
        place = int((curve.thresholds >= tau).sum()) - 1 if tau <= 1 else 0
        assert columns[:, place].tolist() == pytest.approx(expected.tolist()), (tau, answers)


def test_by_hand():
    # Information of a leaf is log2(4) = 2, of Bird and Fish 1, so that recall is 0, 1/2 or 1 for an
    # answer Animal, Bird, Crow. First, true Crow: Animal 1, Bird 0.8, Crow 0.6: all correct.
    # Second, true Finch: Animal, Bird 0.7, Crow 0.4: the last is wrong, with recall 1/2 and
    # precision 1/2. Together, as the threshold falls:
    #   start       correct 1    recall 0     precision 1
    #   0.8  Bird            1          1/4             1
    #   0.7  Bird            1          1/2             1
    #   0.6  Crow            1          3/4             1
    #   0.4  Crow, wrong     1/2        3/4             3/4
    table = ProbabilityTable.of(ANIMALS, [[0.6, 0.2, 0.1, 0.1], [0.4, 0.3, 0.2, 0.1]], LEAVES, kind="leaves")
    curve = operating_curve(table, [{"Crow"}, {"Finch"}])
    assert curve.thresholds.tolist() == pytest.approx([np.inf, 0.8, 0.7, 0.6, 0.4])
    assert curve.correct.tolist() == [1, 1, 1, 1, 1 / 2]
    assert curve.recall.tolist() == [0, 1 / 4, 1 / 2, 3 / 4, 3 / 4]
    assert curve.precision.tolist() == [1, 1, 1, 1, 3 / 4]
    assert curve.exact.tolist() == [0, 0, 0, 1 / 2, 1 / 2]
    assert (curve.average_correct, curve.average_precision, curve.recall_at_correct()) == (3 / 4, 3 / 4, 3 / 4)
    assert curve.recall_at_correct(0.5) == 3 / 4


def test_areas_of_the_authors_tests():
    # 0.1 · 0.9 + 0.1 · 0.5 + 0.6 · 0.3, whichever of the two is which; what lies below and left of
    # others adds nothing.
    x, y = np.array([0.1, 0.2, 0.8]), np.array([0.9, 0.5, 0.3])
    assert [area_of_best(x, y), area_of_best(y, x)] == pytest.approx([0.32, 0.32])
    x, y = np.array([0.05, 0.1, 0.15, 0.2, 0.7, 0.8]), np.array([0.8, 0.9, 0.5, 0.5, 0.1, 0.3])
    assert area_of_best(x, y) == pytest.approx(0.32)
    assert area_of_best(y, x) == pytest.approx(0.32)


def test_a_share_of_correct_answers_that_is_not_reached_has_no_recall():
    table = ProbabilityTable.of(ANIMALS, [[1.0, 0.0, 0.0, 0.0]], LEAVES, kind="leaves")
    curve = operating_curve(table, [{"Eel"}])  # certain, and wrong: Crow from the first threshold on
    assert curve.correct.tolist() == [0]
    assert (curve.recall_at_correct(0.95), curve.average_correct) == (0, 0)


def test_what_lies_below_the_truth_is_neither_right_nor_wrong():
    table = ProbabilityTable.of(ANIMALS, [[0.9, 0.1, 0.0, 0.0]], LEAVES, kind="leaves")
    curve = operating_curve(table, [{"Bird"}])
    assert curve.predicted_at(0.5) == ["Crow"]
    assert (curve.recall[-1], curve.precision[-1], curve.exact[-1], curve.correct[-1]) == (1, 1, 1, 1)


def test_instances_without_truth_are_left_out_and_two_truths_refused():
    table = ProbabilityTable.of(ANIMALS, np.full((2, 4), 0.25), LEAVES, kind="leaves", ids=["x", "y"])
    assert operating_curve(table, [set(), {"Eel"}]).left_out == ("x",)
    with pytest.raises(InputError, match=r"row 2 \(id 'y'\): 2 most specific classes, 'Crow' and 'Eel' among them"):
        operating_curve(table, [{"Eel"}, {"Eel", "Crow"}])
    with pytest.raises(InputError, match="no instance has a true class"):
        operating_curve(table, [set(), set()])
    with pytest.raises(InputError, match="unknown weights 'leafs'; nearest known: 'leaves'"):
        operating_curve(table, [set(), {"Eel"}], weights="leafs")
    with pytest.raises(InputError, match="has no class weights"):
        operating_curve(table, [set(), {"Eel"}], weights="given")
