"""Questions: the computed answer, and what an answer is worth, on the papers' figures and small
trees.
"""

from dataclasses import replace

import pytest

from hiermeasures import Hierarchy
from hiermeasures.core.errors import InputError
from hiermeasures.lessons import ask
from tests.lessons import FIGURE_11A, TWO, asked, refusal


def test_the_preferred_prediction_follows_the_direction_of_the_measure():
    # GIE is an error: P1 is 2 edges from T1, C is 3.
    question = asked(TWO, "kind: prefers, measure: GIE, answer: first")
    assert [key for key, _ in question.choices()] == ["first", "second", "equal"]
    wrong = question.judge("second")
    assert (wrong.right, wrong.answer) == (False, "first")
    assert wrong.why.startswith("GIE is 2 for the first and 3 for the second, and lower is better.")
    assert "GIE is better where it is lower" in wrong.would_be
    assert question.judge("first").right


def test_an_answer_that_is_no_choice_is_told_of():
    question = asked(TWO, "kind: prefers, measure: hF, answer: first")
    for wrong in ("third", "", frozenset("A")):
        with pytest.raises(InputError):
            question.judge(wrong)


def test_clicked_classes_are_parted_into_both_missed_and_spurious():
    question = asked(FIGURE_11A, "kind: click, set: augmented(predicted), answer: A B P1 P2")
    assert question.words == "Click the augmented set of the predicted classes."
    verdict = question.judge(frozenset({"B", "P1", "T1"}))
    assert (verdict.right, verdict.both, verdict.missed, verdict.spurious) == (False, {"B", "P1"}, {"A", "P2"}, {"T1"})
    assert verdict.why == "The predicted classes are P1, P2; the classes above them are A, B."
    assert question.judge(frozenset({"A", "B", "P1", "P2"})).right


@pytest.mark.parametrize(
    ("clicked", "what"),
    [
        ("A B T1", "That is the augmented set of the true classes."),
        ("P1 P2", "Those are the predicted classes."),
        ("T1", "That is the true class."),
        ("B P1 P2", "Only the root A is missing."),
        ("T1 P1 P2", "Those are the true and the predicted classes together."),
        ("C", ""),
    ],
)
def test_other_sets_that_were_clicked_are_named(clicked, what):
    question = asked(FIGURE_11A, "kind: click, set: augmented(predicted), answer: A B P1 P2")
    assert question.judge(question.read(clicked)).would_be == what


@pytest.mark.parametrize(
    ("set_", "answer", "why"),
    [
        # Figure 11(a): T1's siblings P1 and P2 are nearest, two edges away, and meet it in B.
        ('"LCA(T1, predicted)"', "B", "Nearest to T1 are P1, P2, at distance 2, and they meet in B."),
        ('"S_best(T1, predicted)"', '"P1, P2"', "at distance 2"),
        ("G_t", "B T1", "T1 – B"),
        ("cell(TN)", "C P2", "A > B > P1 with A > B > T1"),
    ],
)
def test_each_set_says_where_it_comes_from(set_, answer, why):
    question = asked(FIGURE_11A, f"kind: click, set: {set_}, answer: {answer}")
    assert why in question.judge(question.answer()).why


def test_a_root_that_does_not_count_is_in_no_augmented_set():
    # Two tops are joined by a virtual root, which is not counted.
    question = asked("hierarchy: A>B C>D\ntrue: B\npredicted: D", "kind: click, set: augmented(true), answer: A B")
    verdict = question.judge(frozenset({"A", "B", "(root)"}))
    assert verdict.would_be == "That is the answer and the root (root), which is not counted."


def test_a_graph_that_has_to_be_chosen_is_not_asked_for():
    # t and p both have the parents A and B: their lowest common ancestors are both, and one is
    # enough.
    diamond = "hierarchy: R>A R>B A>t B>t A>p B>p\ntrue: t\npredicted: p"
    assert "another choice may be as good" in refusal(f"{diamond}\nquestion: {{kind: click, set: G_t, answer: B t}}")
    asked(f"{diamond}\noptions: {{graphs: extended}}", "kind: click, set: G_t, answer: A B t")


@pytest.mark.parametrize("drawn", ["P1>T1 P2>", "P2>T1 P1>", "P2>T1"])
def test_every_pairing_of_the_least_cost_is_right(drawn):
    # GIE of Figure 11(a) is 7: either class pairs with T1 (2), the other is left over (5).
    question = asked(FIGURE_11A, "kind: pair, measure: GIE, answer: P1>T1 P2>")
    verdict = question.judge(question.read(drawn))
    assert verdict.right
    assert verdict.answer == verdict.given
    assert "cost 7" in verdict.why


def test_a_pairing_that_another_measure_makes_is_named():
    question = asked(FIGURE_11A, "kind: pair, measure: GIE, answer: P1>T1 P2>")
    verdict = question.judge(frozenset({("P1", "T1"), ("P2", "T1")}))
    assert (verdict.right, verdict.would_be) == (False, "That is what MGIA pairs.")
    assert verdict.why.startswith("The true class T1 is in 2 pairs, and has to be in at most 1.")
    assert asked(FIGURE_11A, "kind: pair, measure: MGIA, answer: P1>T1 P2>T1").judge(verdict.given).right


def test_the_nearest_right_pairing_keeps_what_was_drawn_right():
    # T1–P1 and T2–P2 or T1–P2 and T2–P1: all four are siblings, so both cost 4.
    square = "hierarchy: A>T1 A>T2 A>P1 A>P2\ntrue: T1 T2\npredicted: P1 P2"
    question = asked(square, "kind: pair, measure: GIE, answer: P1>T1 P2>T2")
    verdict = question.judge(frozenset({("P1", "T2"), ("P2", ""), ("", "T1")}))
    assert (verdict.right, verdict.answer) == (False, {("P1", "T2"), ("P2", "T1")})
    assert verdict.pairs == {"both": {("P1", "T2")}, "missed": {("P2", "T1")}, "spurious": {("P2", ""), ("", "T1")}}
    assert verdict.why.startswith("The drawn pairs cost 12 together, the cheapest 4")


def test_pairs_of_classes_that_are_not_there_are_told_of():
    question = asked(FIGURE_11A, "kind: pair, measure: GIE, answer: P1>T1 P2>")
    for wrong in ("C>T1", "P1>P2"):
        with pytest.raises(InputError, match=r"is not (predicted|true) here"):
            question.judge(question.read(wrong))
    for wrong in ("P1", ">"):
        with pytest.raises(InputError, match="is no pair"):
            question.read(wrong)
    with pytest.raises(InputError):
        question.judge(frozenset({"P1"}))


def test_pairs_too_far_apart_are_not_allowed():
    far = TWO.replace("second: {predicted: C}", "options: {max_pair_distance: 1}")
    question = asked(far, 'kind: pair, measure: GIE, answer: "P1> >T1"')
    verdict = question.judge(frozenset({("P1", "T1")}))
    assert not verdict.right
    assert verdict.why.startswith("P1 and T1 are too far apart to be paired.")


@pytest.mark.parametrize("typed", ["4/7", "0.57", ".57", "4 / 7", "0,571", "0.5714"])
def test_fractions_and_two_decimals_are_right(typed):
    question = asked(FIGURE_11A, "kind: value, value: hF, answer: 4/7")
    assert question.judge(typed).right
    assert question.answer() == "4/7"


def test_another_measure_that_has_the_typed_value_is_named():
    # Table 1 of Kosmopoulos et al. 2015: hP is 0.5, hR 0.66.
    question = asked(FIGURE_11A, "kind: value, value: hR, answer: 2/3")
    assert question.judge("0.5").would_be.startswith("That is hP")
    assert question.judge("1/3").would_be == "That is 1 minus the answer."
    assert question.judge("0.66").right is False  # it rounds to 0.67


def test_a_value_with_a_tolerance_and_of_an_expression():
    # MGIA of Figure 11(a) is 1 − 4/15.
    question = asked(FIGURE_11A, "kind: value, value: 1 - MGIA, tolerance: 0.05, answer: 4/15")
    assert question.judge("0.3").right
    assert not question.judge("0.35").right
    assert question.words == "What is 1 - MGIA? D_max is 5."
    assert asked(FIGURE_11A, 'kind: value, value: "distance(P1, C)", answer: 3').judge("3").right


def test_an_expected_value_says_its_terms():
    # Plaud et al. 2024, B.1.1: 0.2 · 2 + 0.2 · 2 + 0.35 · 0 + 0.25 · 3 = 1.55.
    question = asked("case: plaud2024/figure-3-left", 'kind: value, value: "E(SP, {1, 5})", answer: 1.55')
    why = question.judge("1.55").why
    assert all(term in why for term in ("0.25 · 3 for {2}", "0.2 · 2 for {1, 3}", "0.35 · 0 for {1, 5}"))


def test_a_ratio_of_counts_says_the_counts():
    # Table 1 of Falis et al. 2021, CoPHE at level 0: TP 3, FP 1, FN 0.
    question = asked("case: falis2021/figure-1", 'kind: value, value: "P(counts, 0)", answer: 3/4')
    assert question.judge("0.75").why.startswith("There are 3 TP, 1 FP, 0 FN.")


@pytest.mark.parametrize("typed", ["abc", "", "1/0", "1/2/3", "1e400", "٣", "--1"])
def test_what_is_no_number_is_told_of(typed):
    with pytest.raises(InputError):
        asked(FIGURE_11A, "kind: value, value: hF, answer: 4/7").judge(typed)


def test_any_prediction_for_which_the_condition_holds_is_right():
    # With B alone hF is 2·2/(3 + 2) = 0.8 and F_LCA 2·1/(2 + 1) = 2/3: B is the common ancestor.
    question = asked(FIGURE_11A, "kind: make, condition: hF > 0.7 and F_LCA < 0.7, answer: B")
    assert (question.input, question.change()) == ("instance", "predicted")
    start = question.instances[0]
    assert question.judge(start.with_classes("predicted", frozenset({"B"}))).right
    wrong = question.judge(start.with_classes("predicted", frozenset({"T1"})))
    assert wrong.would_be == "hF > 0.7 holds; F_LCA < 0.7 does not."
    assert not wrong.right


def test_only_what_is_asked_for_may_be_changed():
    question = asked(FIGURE_11A, "kind: make, condition: hF > 0.7, answer: T1")
    start = question.instances[0]
    other = Hierarchy.from_edges([("A", "T1"), ("A", "P1"), ("A", "P2")])
    for made in (start.with_classes("true", frozenset({"P1"})), replace(start, hierarchy=other)):
        with pytest.raises(InputError, match="only the predicted classes may be changed"):
            question.judge(made)


def test_a_hierarchy_is_changed_until_a_condition_holds():
    # With B above C, the second's C is two edges from T1 instead of three.
    one = "hierarchy: A>B A>C B>T1\ntrue: T1\npredicted: C"
    question = asked(one, 'kind: make, change: hierarchy, condition: GIE < 3, answer: "A>B B>T1 B>C"')
    start = question.instances[0]
    moved = Hierarchy.from_edges([("A", "B"), ("B", "T1"), ("B", "C"), ("A", "X")])
    assert question.judge(replace(start, hierarchy=moved)).right
    assert not question.judge(start).right
    with pytest.raises(InputError, match="no longer in the hierarchy"):
        question.judge(replace(start, hierarchy=Hierarchy.from_edges([("A", "B"), ("B", "C")])))


def test_an_example_has_to_be_given():
    instances = asked(FIGURE_11A, "kind: value, value: hF, answer: 4/7").instances
    with pytest.raises(InputError, match="an example is missing"):
        ask({"kind": "make", "condition": "hF == 1"}, instances)


def test_a_measure_that_could_have_said_it_is_right():
    # Figure 11(a): F_LCA is 0.4, hF 0.57, hP 0.5.
    question = asked(FIGURE_11A, "kind: which, choices: hF F_LCA hP, says: X = 0.4, answer: F_LCA")
    assert question.judge("F_LCA").right
    wrong = question.judge("hF")
    assert (wrong.right, wrong.answer, wrong.would_be) == (False, "F_LCA", "hF is 0.57 here.")


def test_every_right_choice_has_to_be_named_and_the_question_says_how_many():
    two = "kind: which, choices: hF GIE accuracy, says: X_second > X"
    # From P1 to C hF falls and GIE rises from 2 to 3; accuracy stays 0.
    question = asked(TWO, f"{two}, answer: GIE")
    assert question.judge("GIE").right
    assert question.words == (
        "Which of these measures gives the second prediction the higher value? One of them is right."
    )
    both = asked(TWO, "kind: which, choices: GIE SP accuracy, says: X_second > X, answer: SP GIE")
    assert both.words.endswith("Two of them are right.")
    assert (both.to_choose(), both.answer()) == (2, "GIE SP")
    assert both.judge("SP GIE").right
    part = both.judge("SP")
    assert (part.right, part.mistake, part.would_be) == (False, "one_is_enough", "")


# --- all ----------------------------------------------------------------------------------------
