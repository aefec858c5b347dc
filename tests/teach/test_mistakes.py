"""Wrong answers are met by the mistake that they may come from, and each mistake is one that a
lesson can meet.
"""

import re

import pytest

from hiermeasures.teach.mistakes import MISTAKES, recognise_mistake
from hiermeasures.teach.questions import GENERAL
from tests.teach import FIGURE_11A, TWO, asked
from tests.teach.test_course import QUESTIONS

DIAMOND = "hierarchy: R>A R>B A>t B>t A>p\ntrue: t\npredicted: p"
RIEHL = "case: riehl2023/figure-4a3"
# T1 and T2 below B and C; both predictions are nearest to T1, and a is as near to T1 as b, but
# farther from T2.
PAIRS = "hierarchy: R>B R>C B>T1 B>a B>b C>T2\ntrue: T1 T2\npredicted: a b"


UNCOUNTED = FIGURE_11A + "\noptions: {count_root: no}"
DEEPER, HIGHER = (
    "hierarchy: A>B B>C\ntrue: B\npredicted: C",
    "hierarchy: A>B B>C\ntrue: C\npredicted: B",
)
HF, HP, GIE = (
    "kind: value, value: " + text
    for text in ("hF, answer: 4/7", "hP, answer: 1/2", "GIE, answer: 7")
)
MGIA, F1 = (
    "kind: value, value: " + text for text in ("MGIA, answer: 11/15", "HCM_F1, answer: 1/3")
)
ACC = "kind: value, value: HCM_ACC, answer: 3/7"
CLICK, DRAW = "kind: click, set: augmented(true), answer: ", "kind: pair, measure: "


@pytest.mark.parametrize(
    ("instance", "question", "wrong", "mistake", "marked"),
    [
        # Figure 11(a): augmented sets A B T1 and A B P1 P2. `marked` are the classes that a mistake
        # leaves out, and those that it puts in.
        (FIGURE_11A, HF, "0", "forgot_ancestors", "A B|"),
        (FIGURE_11A, HF, "2/5", "left_out_root", "A|"),  # B of B T1, B P1 P2
        # (1/2 + 2/3) / 2, which comes of no other sets
        (FIGURE_11A, HF, "7/12", "arithmetic_mean", None),
        (FIGURE_11A, HP, "2/3", "recall_for_precision", "P1 P2|T1"),  # divided by A B T1
        # G_t and G_p of Figure 11(a) are B T1 and B P1 P2: P_LCA 1/3, R_LCA 1/2.
        (
            FIGURE_11A,
            "kind: value, value: R_LCA, answer: 1/2",
            "1/3",
            "precision_for_recall",
            "T1|P1 P2",
        ),
        (HIGHER, "kind: value, value: hR, answer: 2/3", "1", "precision_for_recall", "C|"),
        (FIGURE_11A, GIE, "2", "left_over_for_nothing", "P2|"),  # GIE leaves P2 alone
        # 1 − 4/5: it divides by the union of T1, P1 and P2
        (FIGURE_11A, MGIA, "1/5", "wrong_side", "P1 P2|"),
        (FIGURE_11A, MGIA, "8/15", "paired_greedily", ...),  # 1 − 7/15
        (UNCOUNTED, "kind: value, value: hF, answer: 2/5", "4/7", "counted_root", "|A"),
        # The bare class of the one side against three, or two, of the other: 2·1/(1 + 3).
        (DEEPER, "kind: value, value: hF, answer: 4/5", "1/2", "predicted_side_only", ...),
        (HIGHER, "kind: value, value: hF, answer: 4/5", "1/2", "true_side_only", "A|"),
        # Figure 4(a3): TP A, FP E L, FN D I, TN B C; the root is R.
        (RIEHL, F1, "6/10", "counted_tn", "|B C"),
        (RIEHL, F1, "4/8", "counted_root", "|R"),
        (RIEHL, ACC, "1/5", "forgot_tn", "B C|"),
        (TWO, "kind: value, value: TIE, answer: 2", "3", "counted_classes", ...),
        (FIGURE_11A, f"{CLICK}A B T1", "T1", "forgot_ancestors", ...),
        (FIGURE_11A, f"{CLICK}A B T1", "B T1", "left_out_root", ...),
        (FIGURE_11A, f"{CLICK}A B T1", "A B P1 P2", "other_side", ...),
        (FIGURE_11A, 'kind: click, set: "LCA(T1, predicted)", answer: B', "A", "too_far_up", ...),
        (DIAMOND, f"{CLICK}R A B t", "R A t", "one_way_only", ...),
        (
            RIEHL,
            "kind: click, set: cell(TN), answer: B C",
            "B C F G H J K M",
            "every_other_class",
            ...,
        ),
        (FIGURE_11A, f"{DRAW}GIE, answer: P1>T1 P2>", "P1>T1 P2>T1", "each_with_nearest", ...),
        (FIGURE_11A, f"{DRAW}MGIA, answer: P1>T1 P2>T1", "P1>T1", "paired_greedily", ...),
        (TWO, "kind: prefers, measure: GIE, answer: first", "second", "direction", ...),
        (TWO, "kind: prefers, measure: hF, answer: first", "equal", "forgot_ancestors", ...),
        (
            TWO,
            "kind: which, choices: GIE SP hF, says: X_second > X, answer: GIE SP",
            "GIE",
            "one_is_enough",
            ...,
        ),
    ],
)
def test_a_wrong_answer_is_met_by_its_mistake_with_the_classes_that_it_counts_wrongly(
    instance: str, question: str, wrong: str, mistake: str, marked: str | None
):
    made = asked(instance, question)
    verdict = made.judge(made.read(wrong))
    assert (verdict.right, verdict.mistake) == (False, mistake)
    assert verdict.thought
    if marked is not ...:
        assert verdict.mistaken == (
            () if marked is None else (tuple(frozenset(m.split()) for m in marked.split("|")),)
        )


def test_every_answer_with_a_known_mistake_is_met_by_one_in_the_course():
    met = set()
    for question in QUESTIONS:
        for mistake in MISTAKES:
            for wrong in mistake.answers(question):
                verdict = question.judge(wrong)
                assert not verdict.right
                assert verdict.thought
                met.add(verdict.mistake)
    assert met == {mistake.key for mistake in MISTAKES}


def test_a_right_answer_comes_of_no_mistake_and_nor_does_any_other():
    for question in QUESTIONS:
        verdict = question.judge(question.answer())
        assert (verdict.right, verdict.mistake, verdict.thought) == (True, "", "")
    assert (
        recognise_mistake(asked(FIGURE_11A, "kind: value, value: hF, answer: 4/7"), "0.123") == {}
    )


def test_each_question_has_a_hint_that_holds_no_number_of_its_answer():
    for question in QUESTIONS:
        hint = question.hint()
        assert hint
        assert not re.search(r"(?<!\w)\d", hint)  # F1 is a name
        assert hint != GENERAL, question.words
    own = asked(FIGURE_11A, "kind: value, value: hF, answer: 4/7, hint: 'Count from {hF} down.'")
    assert own.hint() == "Count from 0.57 down."
