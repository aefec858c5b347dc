"""Where two measures disagree, against hand calculations."""

import pytest

from hiermeasures.batch import evaluate
from hiermeasures.compare.disagreement import disagreement
from hiermeasures.errors import InputError
from hiermeasures.hierarchy import Hierarchy

TREE = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("C", "D"), ("D", "E")])


def report(true, predicted):
    return evaluate(TREE, true, predicted, ids=[f"i{k}" for k in range(len(true))], measures=["accuracy", "SDL"])


def test_standings_count_ties_half_and_turn_errors_round():
    # accuracy 1, 0, 0: standings 5/6, 1/3, 1/3.  SDL 0, 1 (E missed), 3 (C, D, E missed): standings 5/6, 1/2, 1/6.
    table = disagreement(report([{"E"}, {"E"}, {"E"}], [{"E"}, {"D"}, {"A"}]), "accuracy", "SDL")
    assert table.index.tolist() == ["i1", "i2", "i0"]
    assert table["first_standing"].tolist() == pytest.approx([1 / 3, 1 / 3, 5 / 6])
    assert table["second_standing"].tolist() == pytest.approx([1 / 2, 1 / 6, 5 / 6])
    assert table["difference"].tolist() == pytest.approx([1 / 3 - 1 / 2, 1 / 3 - 1 / 6, 0])


def test_a_measure_does_not_disagree_with_itself():
    table = disagreement(report([{"E"}, {"B"}], [{"D"}, {"B"}]), "SDL", "SDL")
    assert table["difference"].tolist() == [0, 0]


def test_a_measure_that_was_not_evaluated_is_named():
    with pytest.raises(InputError, match="measure 'hF' was not evaluated"):
        disagreement(report([{"E"}], [{"E"}]), "hF", "SDL")
