"""Texts of cards: what stands in braces is computed and checked, and no number is typed in;
averages against counts by hand and against fractions over plain sets.
"""

from fractions import Fraction
from random import Random

import pytest

from hiermeasures import Hierarchy
from hiermeasures.evaluation import evaluate
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import explain
from hiermeasures.teach import Piece
from hiermeasures.verify.values import Subject
from tests.teach import FIGURE_11A, card, refusal


def pieces(instance: str, text: str) -> list[list[Piece]]:
    made = card(instance, "text: |", *(f"  {line}" for line in text.split("\n")))
    return [list(paragraph) for paragraph in made.text]


@pytest.mark.parametrize(
    ("written", "shown", "kind"),
    [
        # Figure 11(a): hF = 2·2/(3+4) = 0.571…, GIE 2 + 5, and P1, P2 meet T1 in B.
        ("{hF}", "0.57", "value"),
        ("{GIE}", "7", "value"),
        ("{1 - hP}", "0.50", "value"),
        ("{hF = 4/7}", "4/7", "value"),
        ("{hF = 0.571}", "0.571", "value"),
        ("{distance(P1, C)}", "3", "value"),
        ("{true}", "{T1}", "classes"),
        ("{predicted}", "{P1, P2}", "classes"),
        ("{augmented(true)}", "{A, B, T1}", "classes"),
        ("{augmented(true) = T1 B A}", "{A, B, T1}", "classes"),
        ("{augmented(true) = {T1, B, A}}", "{A, B, T1}", "classes"),
        ("{LCA(T1, predicted)}", "{B}", "classes"),
        ("{G_p}", "{B, P1, P2}", "classes"),
        # The paths A > B > P1 and A > B > P2 are alike; only one, here the second, is compared with
        # that to T1, so C and P1 are TN of it.
        ("{cell(TN)}", "{C, P1}", "classes"),
        ("{hF > F_LCA}", "hF > F_LCA", "condition"),
    ],
)
def test_what_stands_in_braces_is_computed(written, shown, kind):
    assert pieces(FIGURE_11A, f"It is {written}.") == [
        [Piece("It is "), Piece(shown, written[1:-1].partition(" = ")[0], kind), Piece(".")]
    ]


@pytest.mark.parametrize(
    ("instance", "text", "shown"),
    [
        (FIGURE_11A, "One\nline. {{A}}\n\nTwo.", [["One line. {A}"], ["Two."]]),
        (
            *("hierarchy: 1>1.1 1>1.2\ntrue: 1.1\npredicted: 1.2",),
            *("The classes 1.1 and 1.2; see Section 3.1 and Figure 2.3, of 2015.",),
            [["The classes 1.1 and 1.2; see Section 3.1 and Figure 2.3, of 2015."]],
        ),
    ],
    ids=["paragraphs and braces", "class names and places in a paper are no numbers"],
)
def test_words_are_shown_as_they_are(instance: str, text: str, shown: list[list[str]]):
    assert [[piece.text for piece in paragraph] for paragraph in pieces(instance, text)] == shown


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hF is 0.57.", "'0.57'"),
        ("It is 4/7.", "'4/7'"),
        ("{hF = 0.56}", "hF is 0.57"),
        ("{GIE = 7.5}", "GIE is 7"),
        ("{augmented(true) = A T1}", "augmented(true) is {A, B, T1}"),
        ("{hF < F_LCA}", "hF is 0.5714, F_LCA 0.4"),
        ("{hF_second}", "_second"),
        ("{hX}", "'hX'"),
        ("{LCA(T9, predicted)}", "'T9'"),
        ("{augmented(truth)}", "'true'"),
        ("{hF", "is not closed"),
        ("hF}", "has no opening brace"),
        ("{}", "{}"),
        ("{__import__('os')}", "__import__"),
        ("{hF = 0.57142}", "is not true"),  # 0.571428…: truncating is not rounding
    ],
)
def test_what_does_not_hold_or_cannot_be_read_is_refused(text, reason):
    assert reason in refusal(f"{FIGURE_11A}\ntext: |\n  {text}")


def test_words_between_stars_are_strong_or_stressed():
    (found,) = pieces(FIGURE_11A, "It is **very wrong**, *not* right: 2 * 3 and {hF}*.")
    kinds = {piece.text: piece.kind for piece in found if piece.kind != "words"}
    assert kinds == {"very wrong": "strong", "not": "stressed", "0.57": "value"}
    assert "".join(piece.text for piece in found) == "It is very wrong, not right: 2 * 3 and 0.57*."


H = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1")])


def subject(*pairs: tuple[str, str]) -> Subject:
    return Subject.of(explain(H, {t}, {p}).instance for t, p in pairs)


def test_each_average_of_two_instances_by_hand():
    # T1 for T1: 3 of 3 and 3. C for T1: A is shared, of 2 predicted and 3 true.
    two = subject(("T1", "T1"), ("T1", "C"))
    assert two.computed("samples(hF)").value == pytest.approx((1 + Fraction(2, 5)) / 2)
    assert two.computed("micro(hF)").value == pytest.approx(Fraction(2 * (3 + 1), 3 + 3 + 2 + 3))
    # A is right twice; B and T1 are found in one of two; C is wrong.
    assert two.computed("macro(hF)").value == pytest.approx(
        (1 + Fraction(2, 3) + Fraction(2, 3) + 0) / 4
    )


def test_the_averages_are_those_of_a_batch():
    random = Random(3)
    for _ in range(3):
        rows = [(random.sample(H.nodes[1:], 2), random.sample(H.nodes[1:], 1)) for _ in range(4)]
        sets = ", ".join(f"{{{', '.join(side)}}}" for row in rows for side in row)
        for average in ("samples", "micro", "macro"):
            batch = evaluate(
                H,
                [t for t, _ in rows],
                [p for _, p in rows],
                measures=["hF", "f1"],
                average=average,
            )
            for key in ("hF", "f1"):
                found = subject(("T1", "C")).computed(f"{average}({key}, {sets})").value
                assert found == pytest.approx(batch[key]), (average, key, rows)


def test_the_sign_test_leaves_ties_out_and_knows_the_direction():
    # A is right, B one level too high: three wins of three, 1/8. A tie changes nothing; for an
    # error lower wins.
    won, tie, lost = "{T1}, {T1}, {B}", "{T1}, {P1}, {P1}", "{T1}, {C}, {T1}"
    for key in ("hF", "TIE"):
        for rows, p in (
            (f"{won}, {won}, {won}, {tie}", 1 / 8),
            (f"{won}, {won}, {lost}", 4 / 8),
            (tie, 1),
        ):
            assert subject(("T1", "C")).computed(f"sign({key}, {rows})").value == p


def test_averages_of_equal_values_are_that_value():
    # C for P1 and C for T1 are mirror images, and so is a third: hF is 2/5 each time.
    for how in ("samples", "micro"):
        found = subject(("T1", "C")).computed(
            f"{how}(hF, {{T1}}, {{C}}, {{P1}}, {{C}}, {{T1}}, {{C}})"
        )
        assert found.value == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("micro(GIE, {T1})", "wrong number of sets"),
        ("sign(hF, {T1}, {B})", "wrong number of sets"),
        ("macro(GIE)", "has no macro average"),
        ("micro(hF, {T1}, {X})", "unknown class"),
        ("micro(nothing)", "unknown measure"),
    ],
)
def test_what_is_no_average_is_told_of(text: str, why: str):
    with pytest.raises(InputError, match=why):
        subject(("T1", "C")).computed(text)
