"""Own measures in the Explorer: the form, what it refuses, and the row that it gives."""

import pytest

from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.own import MOST_OWN

from .hand import Hand

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
    assert at.control("own_value")["text"] == "Here it is 0.4857."
    table = at.press("own_save").data("values")
    assert next(iter(table["rows"])) == table["chosen"] == MINE
    assert table["rows"][MINE]["value"] == "0.49"
    assert table["own"]["title"] == "Your own"
    assert table["own"]["rows"][0]["name"] == EXPRESSION
    assert "0.5 \\cdot 0.5714 + 0.5 \\cdot 0.4 = 0.4857" in at.state.explanation.derivation(MINE).latex
    assert len(at.rows) == len(CATALOGUE) + 1
    assert at.chosen("own_expression") == ""  # ready for the next one


@pytest.mark.parametrize(
    ("expression", "marks", "says"),
    [
        ("0.5*hF + 0.5*F_LCB", "             ^^^^^", "Unknown name 'F_LCB'; nearest known: 'F_LCA'."),
        ("2 * (hF + hP", "    ^", "This cannot be read: '(' was never closed."),
        ("hF > 0.5", "^^^^^^^^", "This is a condition, and a number is needed."),
        ("__import__('os')", "^^^^^^^^^^", "'__import__' has no meaning in an expression."),
    ],
)
def test_a_wrong_expression_is_marked_where_it_is_wrong_and_nothing_is_lost(
    expression: str, marks: str, says: str
) -> None:
    at = add(opened(), "mine", expression)
    assert at.control("own_expression_fault")["text"] == f"{expression}\n{marks}\n{says}"
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
    [("", "needs a name"), ("hF", "means something else"), ("a b", "is no name"), ("mine", "of this name already")],
)
def test_a_name_that_cannot_be_used_is_refused(name: str, says: str) -> None:
    at = add(add(opened(), "mine", "hF"), name, "hP")
    assert says in at.fault("own_save")
    assert listed(at) == ["mine=hF"]


def test_one_that_is_removed_gives_way_to_the_first_measure_that_it_names() -> None:
    at = add(opened(), "mine", "len_T + F_LCA").press("own_remove_0")
    assert (listed(at), at.measure) == ([], "F_LCA")


def test_there_are_six_at_most() -> None:
    at = opened()
    for k in range(MOST_OWN):
        add(at, f"m{k}", f"hF + {k}")
    assert len(listed(at)) == MOST_OWN
    assert "6 at a time are the most; remove one to add another." in at.words
    assert not at.has("own_name")


def test_it_is_pinned_like_any_other_and_what_if_has_a_column_of_it() -> None:
    at = add(opened()).press("pin").set("predicted_classes", ["T1"])
    assert (at.rows[MINE]["change"], at.rows[MINE]["word"]) == ("+0.51", "better")
    assert at.set("stepping", "what if").data("edits")["columns"][0]["title"] == "mine"
