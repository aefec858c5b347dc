"""The table of values: before and after, which measures it shows, and own ones."""

import math

import pytest

from hiermeasures.debug.what_if import change
from hiermeasures.measures import CATALOGUE

from .hand import Hand

FIGURE_13B = "kosmopoulos2015/figure-13b"
PINNED = "true T1; predicted P1, P2 (Kosmopoulos et al. 2015 · Figure 11(a))"


def test_every_row_shows_its_change_and_what_it_means() -> None:
    # P = {A, B, P1, P2} against T = {A, B, T1}: 2/4; then 2/3. GIE: 2 + 5 with one class left over,
    # then 2.
    at = Hand().press("pin").set("predicted_classes", ["P1"])
    assert PINNED in at.control("values_caption")["text"]
    shown = {key: (row["value"], row["change"], row["word"]) for key, row in at.rows.items()}
    assert (shown["hP"], shown["GIE"]) == (("0.67", "+0.17", "better"), ("2.00", "-5.00", "better"))
    assert (shown["hR"][1:], at.rows["hR"]["moved"], at.rows["hP"]["before"]) == (
        ("", ""),
        "no change",
        "0.5",
    )
    assert shown["TIE"] == ("2.00", "–", "")  # not defined for one true and two predicted classes
    assert "change" not in at.press("pin").rows["hP"]


def test_with_a_pin_of_another_hierarchy_nothing_is_compared_until_that_is_back() -> None:
    at = Hand().press("pin").show(FIGURE_13B)
    assert not at.data("values")["pinned"]
    assert "word" not in at.rows["hF"]
    assert at.press("undo").data("values")["pinned"]


def test_without_a_marked_class_there_are_no_values_but_a_way_to_them_and_nothing_is_compared() -> (
    None
):
    at = Hand().press("pin")
    for side in ("true", "predicted"):
        assert {row["value"] for row in at.rows.values()} != {"–"}
        at.set(f"{side}_classes", [])
    assert not at.data("values")["pinned"]
    assert {row["value"] for row in at.rows.values()} == {"–"}
    assert {row["share"] for row in at.rows.values()} == {None}
    assert at.has("nothing_marked")
    assert not [control for control in at.all() if control["kind"] == "formula"]
    assert at.press("pin").control("pin")["disabled"]
    assert at.set("true_classes", ["T1"]).value("hR") == "0.00"


@pytest.mark.parametrize(
    ("key", "before", "now", "word"),
    [
        ("hF", 0.5, 0.6, "better"),
        ("hF", 0.6, 0.5, "worse"),
        ("GIE", 1.0, 2.0, "worse"),
        ("GIE", 2.0, 1.0, "better"),
        ("hF", 0.1 + 0.2, 0.3, "same"),
        ("TIE", math.nan, 1.0, "undefined"),
        ("TIE", math.nan, math.nan, "same"),
    ],
)
def test_better_and_worse_follow_the_direction_of_the_measure(
    key: str, before: float, now: float, word: str
) -> None:
    assert change(CATALOGUE[key], before, now).word == word


# --- own measures ---------------------------------------------------------------------------------


EXPRESSION = "0.5*hF + 0.5*F_LCA"
MINE = f"mine={EXPRESSION}"  # in Figure 11(a) 0.5·4/7 + 0.5·0.4 = 0.4857


def typed(at: Hand, name: str, expression: str, better: str = "higher") -> Hand:
    return at.set("own_name", name).set("own_expression", expression).set("own_better", better)


def add(at: Hand, name: str = "mine", expression: str = EXPRESSION, better: str = "higher") -> Hand:
    return typed(at, name, expression, better).press("own_save")


def opened() -> Hand:
    return Hand().open("own")


def listed(at: Hand) -> list[str]:
    return [key for key in at.data("values")["rows"] if "=" in key]


def test_an_own_measure_becomes_a_row_that_is_chosen_first_and_explained() -> None:
    at = typed(opened(), "mine", EXPRESSION)
    assert "0.4857" in at.control("own_value")["text"]
    table = at.press("own_save").data("values")
    assert next(iter(table["rows"])) == table["chosen"] == MINE
    assert table["rows"][MINE]["value"] == "0.49"
    assert table["own"]["title"] == "Your own"
    assert table["own"]["rows"][0]["name"] == EXPRESSION
    assert (
        "0.5 \\cdot 0.5714 + 0.5 \\cdot 0.4 = 0.4857" in at.state.explanation.derivation(MINE).latex
    )
    assert len(at.rows) == len(CATALOGUE) + 1
    assert at.chosen("own_expression") == ""  # ready for the next one


@pytest.mark.parametrize(
    ("expression", "marks", "says"),
    [
        ("0.5*hF + 0.5*F_LCB", "             ^^^^^", "'F_LCA'"),
        ("2 * (hF + hP", "    ^", "'('"),
        ("hF > 0.5", "^^^^^^^^", "condition"),
        ("__import__('os')", "^^^^^^^^^^", "'__import__'"),
    ],
)
def test_a_wrong_expression_is_marked_where_it_is_wrong_and_nothing_is_lost(
    expression: str, marks: str, says: str
) -> None:
    at = add(opened(), "mine", expression)
    fault = at.control("own_expression_fault")["text"]
    assert fault.startswith(f"{expression}\n{marks}\n")
    assert says in fault
    assert at.fault("own_save")
    assert at.open("own", False).open("own").chosen("own_expression") == expression
    assert listed(at) == []


def test_the_last_right_one_stays_while_it_is_changed_into_a_wrong_one() -> None:
    at = add(opened()).press("own_edit_0")
    assert at.chosen("own_expression") == EXPRESSION
    assert listed(add(at, "mine", "0.5*hF + ")) == [MINE]
    add(at, "other", "GIE / len_P", "lower")  # Figure 11(a): 7 / 2
    assert listed(at) == ["other:lower=GIE / len_P"]
    assert at.value("other:lower=GIE / len_P") == "3.50"
    assert at.fault("own_save") == ""


@pytest.mark.parametrize(
    ("name", "says"),
    [("", "needs"), ("hF", "another meaning"), ("a b", "not the start"), ("mine", "already")],
)
def test_a_name_that_cannot_be_used_is_refused(name: str, says: str) -> None:
    at = add(add(opened(), "mine", "hF"), name, "hP")
    assert says in at.fault("own_save")
    assert listed(at) == ["mine=hF"]


def test_one_that_is_removed_gives_way_to_the_first_measure_that_it_names() -> None:
    at = add(opened(), "mine", "len_T + F_LCA").press("own_remove_0")
    assert (listed(at), at.measure) == ([], "F_LCA")
