"""The real instances where a condition holds, where two measures prefer different systems, or
disagree about one.
"""

import numpy as np
import pytest

from hiermeasures import Hierarchy, InputError, evaluate
from hiermeasures.evaluation.compare.finding import Condition, disagreeing, disagreement, where
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.own import own_measures
from tests.conftest import FIGURE_11A

TRUE = [{"T1"}, {"T1"}, {"T1"}, set()]
ONE = [{"P1"}, {"T1"}, {"P1"}, set()]
# Adding the true class to P1: hF rises from 4/6 to 6/7, and GIE's error from 2 to 5 (tests of
# Behaviour).
OTHER = [{"P1", "T1"}, {"P1"}, {"P1", "T1", "C"}, {"P1"}]
NAMES = ["one", "other", "two", "three"]


def reports(*measures):
    return {
        name: evaluate(FIGURE_11A, TRUE, predicted, ids=NAMES, measures=measures)
        for name, predicted in (("A", ONE), ("B", OTHER))
    }


def test_a_condition_over_two_systems():
    both = list(reports("hF").values())
    found = where(both, Condition.of("hF_2 > hF", 2, {}))
    # hF: 4/6 and 6/7; 1 and 4/6; 4/6 and 6/8 ({A B T1} with {A B P1 T1 C}); 1 and 0.
    assert found.table.index.tolist() == ["one", "two"]
    assert found.table["extreme"].tolist() == pytest.approx([6 / 7 - 4 / 6, 6 / 8 - 4 / 6])
    assert found.table["number"].tolist() == [0, 2]
    assert found.columns == ("hF_2", "hF")


def test_where_one_measure_prefers_one_system_and_the_other_the_other():
    found = disagreeing(reports("hF", "GIE"), CATALOGUE["hF"], CATALOGUE["GIE"])
    # hF prefers B on the first and third, GIE A: 2 against 5 and 2 against 10. The largest
    # advantages are 1 (hF, the fourth: 1 against 0) and 8 (GIE, the third), so the shares are 4/21
    # and 3/8, 1/12 and 8/8.
    assert found.table.index.tolist() == ["one", "two"]
    assert found.table["extreme"].tolist() == pytest.approx([6 / 7 - 4 / 6, 6 / 8 - 4 / 6])
    assert found.table["GIE, B"].tolist() == [5.0, 10.0]
    assert "largest advantage" in found.by


def test_own_measures_and_parts_are_read_off_what_is_there():
    report = reports("hF", "f1")["A"]
    defined = own_measures({"mine": "augmented.shared / (1 + len_P)"})
    found = where([report], Condition.of("mine > 0 and augmented.shared > 2", 1, defined))
    assert found.table["mine"].tolist() == [3 / 2]  # A, B and T1 shared, one class predicted


def test_what_was_not_evaluated_is_said():
    with pytest.raises(InputError, match="'GIE'"):
        where([reports("hF")["A"]], Condition.of("GIE > 1", 1, {}))


def test_found_instances_are_those_of_a_loop():
    rng = np.random.default_rng(0)
    labels = [
        {str(c) for c in rng.choice(["B", "C", "T1", "P1", "P2"], rng.integers(1, 3))}
        for _ in range(80)
    ]
    report = evaluate(FIGURE_11A, labels[:40], labels[40:], measures=["hF", "SDL"])
    found = where([report], Condition.of("hF < 0.7 and SDL > 1", 1, {})).table
    values = report.per_instance
    assert set(found.index) == {
        k for k, v in values.iterrows() if v["hF"] < 0.7 - 1e-9 and v["SDL"] > 1
    }
    margins = [min(0.7 - v["hF"], v["SDL"] - 1) for _, v in values.loc[found.index].iterrows()]
    assert margins == sorted(margins, reverse=True)


TREE = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("C", "D"), ("D", "E")])


def report_of(true, predicted):
    return evaluate(
        TREE, true, predicted, ids=[f"i{k}" for k in range(len(true))], measures=["accuracy", "SDL"]
    )


def test_standings_count_ties_half_and_turn_errors_round():
    # accuracy 1, 0, 0: standings 5/6, 1/3, 1/3.  SDL 0, 1 (E missed), 3 (C, D, E missed): standings
    # 5/6, 1/2, 1/6.
    table = disagreement(report_of([{"E"}, {"E"}, {"E"}], [{"E"}, {"D"}, {"A"}]), "accuracy", "SDL")
    assert table.index.tolist() == ["i1", "i2", "i0"]
    assert table["first_standing"].tolist() == pytest.approx([1 / 3, 1 / 3, 5 / 6])
    assert table["second_standing"].tolist() == pytest.approx([1 / 2, 1 / 6, 5 / 6])
    assert table["difference"].tolist() == pytest.approx([1 / 3 - 1 / 2, 1 / 3 - 1 / 6, 0])
