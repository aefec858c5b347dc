"""Before and after, and which measures the table shows."""

import math
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.behaviour.what_if import change
from hiermeasures.measures import CATALOGUE
from hiermeasures.ui.explore.model import Explorer, MeasureFilter
from hiermeasures.ui.library import OPENING, figure
from hiermeasures.ui.state import History
from hiermeasures.ui.views import with_measure

from .screen import bound, opened, picker, rows, sent


def pin_words(app: AppTest) -> list[str]:
    """What is said about the pin."""
    return [element["text"] for element in sent(app, "text") if element["kind"] == "line"]


def pinned_without_p2() -> AppTest:
    """Figure 11(a) pinned, and then without its second predicted class."""
    app = opened()
    app.button(key="pin").click().run()
    return bound(app, "predicted_classes").set_value(["P1"]).run()


def test_every_row_shows_its_change_and_what_it_means() -> None:
    # P = {A, B, P1, P2} against T = {A, B, T1}: 2/4; then 2/3. GIE: 2 + 5 with one class left over, then 2.
    at = rows(pinned_without_p2())
    assert (at["hP"]["value"], at["hP"]["change"], at["hP"]["word"]) == ("0.67", "+0.17", "better")
    assert (at["GIE"]["value"], at["GIE"]["change"], at["GIE"]["word"]) == ("2.00", "-5.00", "better")
    assert (at["hR"]["change"], at["hR"]["word"], at["hR"]["moved"]) == ("", "", "no change")
    assert at["hP"]["before"] == "0.5"


def test_a_value_that_was_not_defined_before_has_no_change() -> None:
    at = rows(pinned_without_p2())["TIE"]
    assert (at["value"], at["change"], at["word"]) == ("2.00", "–", "")


def test_the_pin_says_what_is_compared_with_and_goes_again() -> None:
    app = pinned_without_p2()
    assert pin_words(app) == ["Change since: true T1; predicted P1, P2 (Kosmopoulos et al. 2015 · Figure 11(a))"]
    app.button(key="pin").click().run()
    assert not sent(app, "values")[0]["pinned"]
    assert "change" not in rows(app)["hP"]


def test_with_a_pin_of_another_hierarchy_nothing_is_compared_until_that_is_back() -> None:
    app = opened()
    app.button(key="pin").click().run()
    picker(app).set_value("kosmopoulos2015/figure-13b").run()
    assert not sent(app, "values")[0]["pinned"]
    assert "word" not in rows(app)["hF"]
    assert pin_words(app) == [
        "Not compared: pinned on another hierarchy, true T1; predicted P1, P2 (Kosmopoulos et al. 2015 · Figure 11(a))"
    ]
    app.button(key="undo").click().run()
    assert sent(app, "values")[0]["pinned"]


def test_without_a_marked_class_there_are_no_values_but_a_way_to_them() -> None:
    app = opened()
    for side in ("true", "predicted"):
        assert {row["value"] for row in rows(app).values()} != {"–"}
        bound(app, f"{side}_classes").set_value([]).run()
    assert {row["value"] for row in rows(app).values()} == {"–"}
    assert {row["share"] for row in rows(app).values()} == {None}
    assert any("click a true class" in element["text"] for element in sent(app, "text"))
    assert not app.latex
    assert app.button(key="pin").disabled
    bound(app, "true_classes").set_value(["T1"]).run()
    assert rows(app)["hR"]["value"] == "0.00"


def test_nothing_is_compared_while_no_class_is_marked() -> None:
    app = opened()
    app.button(key="pin").click().run()
    for side in ("true", "predicted"):
        bound(app, f"{side}_classes").set_value([]).run()
    assert not sent(app, "values")[0]["pinned"]


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
def test_better_and_worse_follow_the_direction_of_the_measure(key: str, before: float, now: float, word: str) -> None:
    assert change(CATALOGUE[key], before, now).word == word


def test_the_table_begins_with_the_best_known_and_all_are_one_click_away() -> None:
    app = opened()
    assert list(sent(app, "values")[0]["rows"]) == ["hF", "F_LCA", "MGIA", "GIE", "HCM_F1", "CoPHE_F1"]
    app.button(key="all_measures").click().run()
    assert list(sent(app, "values")[0]["rows"]) == list(CATALOGUE)
    app.button(key="all_measures").click().run()
    assert len(sent(app, "values")[0]["rows"]) == 6


def test_starred_measures_and_the_chosen_one_are_among_the_best_known() -> None:
    at = Explorer(History(figure(OPENING)), starred=frozenset({"SP", "hP"}))
    assert at.listed() == ("hF", "hP", "F_LCA", "MGIA", "GIE", "HCM_F1", "CoPHE_F1", "SP")
    looked_at = replace(at, view_state=with_measure(at.view_state, "accuracy"))
    assert set(looked_at.listed()) - set(at.listed()) == {"accuracy"}


def test_the_filter_shows_measures_by_family_and_name_in_the_catalogues_order() -> None:
    app = opened("measures_filter")
    bound(app, "filter_families").set_value(["lca", "ancestors"]).run()
    bound(app, "filter_text").set_value(" F1 ").run()
    assert list(rows(app)) == ["hF", "F_LCA", "F_LCA_ext"]
    app.button(key="filter_none").click().run()
    assert list(rows(app)) == list(CATALOGUE)


def test_the_filter_stays_while_other_things_change() -> None:
    app = opened("measures_filter")
    bound(app, "filter_text").set_value("recall").run()
    picker(app).set_value("kosmopoulos2015/figure-13b").run()
    assert set(rows(app)) == set(MeasureFilter(text="recall").keys())
    assert bound(app, "filter_text").value == "recall"


def test_words_that_no_measure_has_leave_an_empty_table_and_the_evidence() -> None:
    app = opened("measures_filter")
    bound(app, "filter_text").set_value("<b>nothing</b>").run()
    assert rows(app) == {}
    assert not app.exception
    assert app.latex
