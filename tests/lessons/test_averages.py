"""Averages of instances in a lesson, against counts by hand and against fractions over plain sets."""

from fractions import Fraction
from random import Random

import pytest

from hiermeasures import Hierarchy
from hiermeasures.core.errors import InputError
from hiermeasures.engine import evaluate
from hiermeasures.lessons.values import Subject
from hiermeasures.measures import explain
from tests.lessons.helpers import TWO, asked

H = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1")])


def subject(*pairs: tuple[str, str]) -> Subject:
    return Subject.of(explain(H, {t}, {p}).instance for t, p in pairs)


def test_each_average_of_two_instances_by_hand():
    # T1 for T1: 3 of 3 and 3. C for T1: A is shared, of 2 predicted and 3 true.
    two = subject(("T1", "T1"), ("T1", "C"))
    assert two.computed("samples(hF)").value == pytest.approx((1 + Fraction(2, 5)) / 2)
    assert two.computed("micro(hF)").value == pytest.approx(Fraction(2 * (3 + 1), 3 + 3 + 2 + 3))
    # A is right twice; B and T1 are found in one of two; C is wrong.
    assert two.computed("macro(hF)").value == pytest.approx((1 + Fraction(2, 3) + Fraction(2, 3) + 0) / 4)


def test_the_averages_are_those_of_a_batch():
    random = Random(3)
    for _ in range(3):
        rows = [(random.sample(H.nodes[1:], 2), random.sample(H.nodes[1:], 1)) for _ in range(4)]
        sets = ", ".join(f"{{{', '.join(side)}}}" for row in rows for side in row)
        for average in ("samples", "micro", "macro"):
            batch = evaluate(H, [t for t, _ in rows], [p for _, p in rows], measures=["hF", "f1"], average=average)
            for key in ("hF", "f1"):
                found = subject(("T1", "C")).computed(f"{average}({key}, {sets})").value
                assert found == pytest.approx(batch[key]), (average, key, rows)


def test_averages_of_equal_values_are_that_value():
    # C for P1 and C for T1 are mirror images, and so is a third: hF is 2/5 each time.
    three = "{T1}, {C}, {P1}, {C}, {T1}, {C}"
    for average in ("samples", "micro"):
        assert subject(("T1", "C")).computed(f"{average}(hF, {three})").value == pytest.approx(0.4)


def test_the_sign_test_leaves_ties_out_and_knows_the_direction():
    # A is right, B one level too high: three wins of three, 1/8. A tie changes nothing; for an
    # error lower wins.
    won, tie, lost = "{T1}, {T1}, {B}", "{T1}, {P1}, {P1}", "{T1}, {C}, {T1}"
    for key in ("hF", "TIE"):
        for rows, p in ((f"{won}, {won}, {won}, {tie}", 1 / 8), (f"{won}, {won}, {lost}", 4 / 8), (tie, 1)):
            assert subject(("T1", "C")).computed(f"sign({key}, {rows})").value == p


def test_a_question_about_an_average_tells_the_other_average():
    question = asked(TWO, "kind: value, value: micro(hF), answer: 0.545")  # (2·2 + 2·1) / (3 + 3 + 2 + 3)
    wrong = question.judge("8/15")  # (2/3 + 2/5) / 2
    assert (wrong.right, wrong.mistake) == (False, "samples_for_micro")
    assert question.judge("6/11").why.startswith("One by one hF is 0.67 and 0.40.")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("micro(GIE, {T1})", "come in turn"),
        ("sign(hF, {T1}, {B})", "come in turn"),
        ("macro(GIE)", "has no macro average"),
        ("micro(hF, {T1}, {X})", "unknown class"),
        ("micro(nothing)", "unknown measure"),
    ],
)
def test_what_is_no_average_is_told_of(text: str, why: str):
    with pytest.raises(InputError, match=why):
        subject(("T1", "C")).computed(text)
