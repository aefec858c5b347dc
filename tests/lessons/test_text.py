"""Texts of cards: what stands in braces is computed and checked, and no number is typed in."""

import pytest

from hiermeasures.lessons import Piece

from .helpers import FIGURE_11A, TWO, card, refusal


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
        # The paths A > B > P1 and A > B > P2; only the first is compared with that to T1, so C and
        # P2 are TN of it.
        ("{cell(TN)}", "{C, P2}", "classes"),
        ("{hF > F_LCA}", "hF > F_LCA", "condition"),
    ],
)
def test_what_stands_in_braces_is_computed(written, shown, kind):
    assert pieces(FIGURE_11A, f"It is {written}.") == [
        [Piece("It is "), Piece(shown, written[1:-1].partition(" = ")[0], kind), Piece(".")]
    ]


def test_second_means_the_second_prediction():
    # The first shares A and B: 2·2/6. The second shares A: 2·1/5.
    assert [
        piece.text for piece in pieces(TWO, "{hF} {hF_second} {predicted_second} {augmented_second(predicted)}")[0]
    ] == [*("0.67", " ", "0.40", " ", "{C}", " ", "{A, C}")]


def test_an_empty_line_begins_a_paragraph_and_doubled_braces_are_braces():
    found = pieces(FIGURE_11A, "One\nline. {{A}}\n\nTwo.")
    assert [[piece.text for piece in paragraph] for paragraph in found] == [["One line. {A}"], ["Two."]]


def test_class_names_and_places_in_a_paper_are_no_numbers():
    numbered = "hierarchy: 1>1.1 1>1.2\ntrue: 1.1\npredicted: 1.2"
    text = "The classes 1.1 and 1.2; see Section 3.1 and Figure 2.3, of 2015."
    assert pieces(numbered, text)[0][0].text == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hF is 0.57.", "the number '0.57' is typed in"),
        ("It is 4/7.", "the number '4/7' is typed in"),
        ("{hF = 0.56}", "'hF = 0.56' does not hold: hF is 0.57"),
        ("{GIE = 7.5}", "does not hold: GIE is 7"),
        ("{augmented(true) = A T1}", "augmented(true) is {A, B, T1}"),
        ("{hF < F_LCA}", "'hF < F_LCA' does not hold: hF is 0.5714, F_LCA 0.4"),
        ("{hF_second}", "there is only one here"),
        ("{hX}", "unknown name 'hX'; nearest known: 'h"),
        ("{LCA(T9, predicted)}", "unknown class 'T9'"),
        ("{augmented(truth)}", "unknown side 'truth'; nearest known: 'true'"),
        ("{hF", "is not closed"),
        ("hF}", "a brace closes none"),
        ("{}", "nothing between these braces"),
        ("{__import__('os')}", "__import__"),
    ],
)
def test_what_does_not_hold_or_cannot_be_read_is_refused(text, reason):
    assert reason in refusal(f"{FIGURE_11A}\ntext: |\n  {text}")


def test_truncating_is_not_rounding():
    # 2·2/6 = 0.666…
    assert "does not hold" in refusal(f'{TWO}\ntext: "{{hF = 0.66}}"')


def test_words_between_stars_are_strong_or_stressed():
    (found,) = pieces(FIGURE_11A, "It is **very wrong**, *not* right: 2 * 3 and {hF}*.")
    assert found == [
        Piece("It is "),
        Piece("very wrong", kind="strong"),
        Piece(", "),
        Piece("not", kind="stressed"),
        Piece(" right: 2 * 3 and "),
        Piece("0.57", "hF", "value"),
        Piece("*."),
    ]
