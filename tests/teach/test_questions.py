"""Questions: the computed answer, and what an answer is worth, on the papers' figures and small
trees.
"""

from dataclasses import replace

import pytest

from hiermeasures import Hierarchy
from hiermeasures.hierarchy.errors import InputError
from tests.teach import FIGURE_11A, TWO, asked, refusal

PREFERS = (
    "kind: prefers, measure: GIE, answer: first"  # GIE is an error: P1 is 2 edges from T1, C is 3
)
AUGMENTED = "kind: click, set: augmented(predicted), answer: A B P1 P2"
# either class pairs with T1 (2), the other is left over (5)
PAIRS = "kind: pair, measure: GIE, answer: P1>T1 P2>"
HF = "kind: value, value: hF, answer: 4/7"
HR = "kind: value, value: hR, answer: 2/3"  # Table 1 of Kosmopoulos et al. 2015: hP is 0.5, hR 0.66
# MGIA of Figure 11(a) is 1 − 4/15
MGIA = "kind: value, value: 1 - MGIA, tolerance: 0.05, answer: 4/15"
# of B alone hF is 4/5 and F_LCA 2/3
MAKES = "kind: make, condition: hF > 0.7 and F_LCA < 0.7, answer: B"
WHICH = "kind: which, choices: hF F_LCA hP, says: X = 0.4, answer: F_LCA"  # hF is 0.57, hP 0.5
# from 2 to 3; accuracy stays 0
BOTH = "kind: which, choices: GIE SP accuracy, says: X_second > X, answer: SP GIE"
FAR = TWO.replace("second: {predicted: C}", "options: {max_pair_distance: 1}")


@pytest.mark.parametrize(
    ("instance", "question", "given", "right", "why", "would_be"),
    [
        (TWO, PREFERS, "first", True, "GIE is 2", ""),
        (TWO, PREFERS, "second", False, "", ""),
        (FIGURE_11A, AUGMENTED, "A B P1 P2", True, "P1, P2", ""),
        (FIGURE_11A, AUGMENTED, "A B T1", False, "", "the augmented set of the true classes"),
        (FIGURE_11A, AUGMENTED, "P1 P2", False, "", "the predicted classes"),
        (FIGURE_11A, AUGMENTED, "C", False, "", ""),
        # T1's siblings P1 and P2 are nearest, two edges away, and meet it in B.
        (
            *(FIGURE_11A, 'kind: click, set: "LCA(T1, predicted)", answer: B', "B", True),
            *("P1, P2", ""),
        ),
        (FIGURE_11A, "kind: click, set: G_t, answer: B T1", "B T1", True, "T1 – B", ""),
        (
            FIGURE_11A,
            "kind: click, set: cell(TN), answer: C P1",
            "C P1",
            True,
            "A > B > P2 with A > B > T1",
            "",
        ),
        (FIGURE_11A, PAIRS, "P1>T1 P2>", True, "cost 7", ""),
        (FIGURE_11A, PAIRS, "P2>T1 P1>", True, "cost 7", ""),
        (FIGURE_11A, PAIRS, "P2>T1", True, "cost 7", ""),
        (*(FIGURE_11A, PAIRS, "P1>T1 P2>T1", False), *("T1 is in 2 pairs", "")),
        (FIGURE_11A, "kind: pair, measure: MGIA, answer: P1>T1 P2>T1", "P1>T1 P2>T1", True, "", ""),
        (*(FAR, 'kind: pair, measure: GIE, answer: "P1> >T1"', "P1>T1", False), *("too far", "")),
        *(
            (FIGURE_11A, HF, typed, True, "", "")
            for typed in ("4/7", "0.57", ".57", "4 / 7", "0,571", "0.5714")
        ),
        (FIGURE_11A, HR, "0.5", False, "", ""),
        (FIGURE_11A, HR, "1/3", False, "", "1 minus the answer"),
        (FIGURE_11A, HR, "0.66", False, "", ""),  # it rounds to 0.67
        (FIGURE_11A, MGIA, "0.3", True, "", ""),
        (FIGURE_11A, MGIA, "0.35", False, "", ""),
        (FIGURE_11A, 'kind: value, value: "distance(P1, C)", answer: 3', "3", True, "", ""),
        # Plaud et al. 2024, B.1.1: 0.2 · 2 + 0.2 · 2 + 0.35 · 0 + 0.25 · 3 = 1.55.
        *(
            (
                "case: plaud2024/figure-3-left",
                'kind: value, value: "E(SP, {1, 5})", answer: 1.55',
                "1.55",
                True,
                w,
                "",
            )
            for w in ("0.25 · 3 for {2}", "0.2 · 2 for {1, 3}", "0.35 · 0 for {1, 5}")
        ),
        # Table 1 of Falis et al. 2021, CoPHE at level 0: TP 3, FP 1, FN 0.
        (
            *(
                "case: falis2021/figure-1",
                'kind: value, value: "P(counts, 0)", answer: 3/4',
                "0.75",
                True,
            ),
            *("3 true positives", ""),
        ),
        (FIGURE_11A, MAKES, "B", True, "", ""),
        (FIGURE_11A, MAKES, "T1", False, "", "hF > 0.7 holds; F_LCA < 0.7 does not."),
        (FIGURE_11A, WHICH, "F_LCA", True, "", ""),
        (FIGURE_11A, WHICH, "hF", False, "hF is 0.57", ""),
        (TWO, BOTH, "SP GIE", True, "", ""),
        (TWO, BOTH, "SP", False, "", ""),
    ],
)
def test_an_answer_is_judged_with_the_reason_and_with_what_it_would_be_right_for(
    instance: str, question: str, given: str, right: bool, why: str, would_be: str
) -> None:
    made = asked(instance, question)
    verdict = made.judge(made.read(given))
    assert (verdict.right, bool(verdict.would_be)) == (right, bool(would_be))
    assert why in verdict.why
    assert would_be in verdict.would_be
    assert made.judge(made.answer()).right
    assert not right or verdict.answer_words


def test_clicked_classes_and_drawn_pairs_are_parted_into_both_missed_and_spurious():
    verdict = asked(FIGURE_11A, AUGMENTED).judge(frozenset({"B", "P1", "T1"}))
    assert (verdict.right, verdict.both, verdict.missed, verdict.spurious) == (
        False,
        {"B", "P1"},
        {"A", "P2"},
        {"T1"},
    )
    # All four are siblings, so both pairings cost 4; the nearest keeps what was drawn right.
    square = "hierarchy: A>T1 A>T2 A>P1 A>P2\ntrue: T1 T2\npredicted: P1 P2"
    question = asked(square, "kind: pair, measure: GIE, answer: P1>T1 P2>T2")
    verdict = question.judge(frozenset({("P1", "T2"), ("P2", ""), ("", "T1")}))
    assert (verdict.right, verdict.answer) == (False, {("P1", "T2"), ("P2", "T1")})
    assert verdict.pairs == {
        "both": {("P1", "T2")},
        "missed": {("P2", "T1")},
        "spurious": {("P2", ""), ("", "T1")},
    }
    assert ["12" in verdict.why, " 4" in verdict.why] == [True, True]


@pytest.mark.parametrize(
    ("question", "given", "reason"),
    [
        *((PREFERS, wrong, "") for wrong in ("third", "", frozenset("A"))),
        *((PAIRS, wrong, r"is not (predicted|true) here") for wrong in ("C>T1", "P1>P2")),
        *((PAIRS, wrong, "is not a pair") for wrong in ("P1", ">")),
        (PAIRS, frozenset({"P1"}), ""),
        *(
            (HF, wrong, "")
            for wrong in ("abc", "", "1/0", "1/2/", "1e400", "٣", "2--", "hF", "1 < 2")
        ),
    ],
)
def test_what_is_no_answer_is_told_of(
    question: str, given: str | frozenset[str], reason: str
) -> None:
    made = asked(TWO if question == PREFERS else FIGURE_11A, question)
    with pytest.raises(InputError, match=reason or None):
        made.judge(made.read(given) if isinstance(given, str) and made.input == "pairs" else given)


def test_a_graph_that_has_to_be_chosen_is_not_asked_for():
    # t and p both have the parents A and B: their lowest common ancestors are both, and one is
    # enough.
    diamond = "hierarchy: R>A R>B A>t B>t A>p B>p\ntrue: t\npredicted: p"
    assert "choice" in refusal(f"{diamond}\nquestion: {{kind: click, set: G_t, answer: B t}}")
    asked(f"{diamond}\noptions: {{graphs: extended}}", "kind: click, set: G_t, answer: A B t")


def test_only_what_is_asked_for_may_be_changed():
    question = asked(FIGURE_11A, MAKES)
    start = question.instances[0]
    other = Hierarchy.from_edges([("A", "T1"), ("A", "P1"), ("A", "P2")])
    for made in (start.with_classes("true", frozenset({"P1"})), replace(start, hierarchy=other)):
        with pytest.raises(InputError, match="predicted"):
            question.judge(made)


def test_a_hierarchy_is_changed_until_a_condition_holds():
    # With B above C, the second's C is two edges from T1 instead of three.
    one = "hierarchy: A>B A>C B>T1\ntrue: T1\npredicted: C"
    question = asked(
        one, 'kind: make, change: hierarchy, condition: GIE < 3, answer: "A>B B>T1 B>C"'
    )
    start = question.instances[0]
    moved = Hierarchy.from_edges([("A", "B"), ("B", "T1"), ("B", "C"), ("A", "X")])
    assert question.judge(replace(start, hierarchy=moved)).right
    assert not question.judge(start).right
    with pytest.raises(InputError, match="still marked"):
        question.judge(replace(start, hierarchy=Hierarchy.from_edges([("A", "B"), ("B", "C")])))
