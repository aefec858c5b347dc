"""Own measures in the Explorer, without a browser: the form, what it refuses, and the row that it gives."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.own import MOST_OWN
from hiermeasures.ui.explore.share_link import encoded
from hiermeasures.ui.library import OPENING as OPENING_FIGURE
from hiermeasures.ui.library import figure
from hiermeasures.ui.views import OPENING, with_measure

from .screen import bound, errors, field, opened, rows, sent, value

MINE = "mine=0.5*hF + 0.5*F_LCA"  # in Figure 11(a) 0.5·4/7 + 0.5·0.4 = 0.4857


def typed(app: AppTest, name: str, expression: str, better: str = "higher") -> AppTest:
    for part, entry in (("name", name), ("expression", expression), ("better", better)):
        bound(app, f"own_{part}").set_value(entry)
    return app.run()


def add(app: AppTest, name: str, expression: str, better: str = "higher") -> AppTest:
    return press(typed(app, name, expression, better), "own_save")


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


def listed(app: AppTest) -> list[str]:
    return [key for key in sent(app, "values")[0]["rows"] if "=" in key]


def test_an_own_measure_becomes_a_row_that_is_chosen_first_and_explained() -> None:
    app = add(opened("own"), "mine", "0.5*hF + 0.5*F_LCA")
    table = sent(app, "values")[0]
    assert next(iter(table["rows"])) == table["chosen"] == MINE
    assert table["rows"][MINE]["value"] == "0.49"
    assert table["own"]["title"] == "Your own"
    assert table["own"]["rows"][0]["name"] == "0.5*hF + 0.5*F_LCA"
    assert "0.5 \\cdot 0.5714 + 0.5 \\cdot 0.4 = 0.4857" in app.latex[0].value
    assert len(rows(app)) == len(CATALOGUE) + 1


@pytest.mark.parametrize(
    ("expression", "marks", "says"),
    [
        ("0.5*hF + 0.5*F_LCB", "             ^^^^^", "Unknown name 'F_LCB'; nearest known: 'F_LCA'."),
        ("2 * (hF + hP", "    ^", "This bracket is not closed."),
        ("hF > 0.5", "^^^^^^^^", "This is a condition, and a number is needed."),
        ("__import__('os')", "^", "'_' has no meaning in an expression."),
    ],
)
def test_a_wrong_expression_is_marked_where_it_is_wrong_and_nothing_is_lost(
    expression: str, marks: str, says: str
) -> None:
    app = add(opened("own"), "mine", expression)
    assert [c.value for c in app.code] == [f"{expression}\n{marks}"]
    assert says in errors(app)
    assert bound(app, "own_expression").value == expression
    assert listed(app) == []


def test_the_last_right_one_stays_while_it_is_changed_into_a_wrong_one() -> None:
    app = press(add(opened("own"), "mine", "0.5*hF + 0.5*F_LCA"), "own_edit_0")
    assert bound(app, "own_expression").value == "0.5*hF + 0.5*F_LCA"
    add(app, "mine", "0.5*hF + ")
    assert listed(app) == [MINE]
    add(app, "other", "GIE / len_P", "lower")  # Figure 11(a): 7 / 2
    assert listed(app) == ["other:lower=GIE / len_P"]
    assert value(app, "other:lower=GIE / len_P") == "3.50"
    assert errors(app) == []


@pytest.mark.parametrize(
    ("name", "says"),
    [("", "needs a name"), ("hF", "means something else"), ("a b", "is no name"), ("mine", "of this name already")],
)
def test_a_name_that_cannot_be_used_is_refused(name: str, says: str) -> None:
    app = add(add(opened("own"), "mine", "hF"), name, "hP")
    assert any(says in error for error in errors(app))
    assert listed(app) == ["mine=hF"]


def test_one_that_is_removed_gives_way_to_the_first_measure_that_it_names() -> None:
    app = press(add(opened("own"), "mine", "len_T + F_LCA"), "own_remove_0")
    assert listed(app) == []
    assert sent(app, "values")[0]["chosen"] == "F_LCA"


def test_there_are_six_at_most() -> None:
    app = opened("own")
    for k in range(MOST_OWN):
        add(app, f"m{k}", f"hF + {k}")
    assert len(listed(app)) == MOST_OWN
    assert "6 at a time are the most; remove one to add another." in [c.value for c in app.caption]


def test_it_is_drawn_in_every_view_that_draws_what_it_names() -> None:
    app = add(opened("own"), "mine", "0.5*hF + 0.5*F_LCA")
    for view, title in (("lca", "Best matches"), ("ancestors", "in both")):
        bound(app, "view").set_value(view).run()
        assert sent(app, "values")[0]["chosen"] == MINE
        assert title in str(sent(app, "table")[0])
    bound(app, "view").set_value("counts").run()
    assert sent(app, "values")[0]["chosen"] == "CoPHE_F1"


def test_it_is_pinned_and_starred_like_any_other() -> None:
    app = press(add(opened("own"), "mine", "0.5*hF + 0.5*F_LCA"), "pin")
    field(app, "predicted").set_value(["T1"]).run()
    assert rows(app)[MINE]["change"] == "+0.51"
    assert rows(app)[MINE]["word"] == "better"


def test_a_link_brings_own_measures_and_the_chosen_one() -> None:
    app = AppTest.from_file(str(Path(__file__).resolve().parents[2] / "app.py"), default_timeout=60)
    at = with_measure(OPENING, MINE)
    app.query_params["state"] = encoded(figure(OPENING_FIGURE), at, own=(MINE, "cost:lower=GIE"))
    app.run()
    assert sent(app, "values")[0]["chosen"] == MINE
    assert listed(app) == [MINE, "cost:lower=GIE"]
