"""The view "Why" without a browser: what it offers, its parts and its file."""

import csv
import io

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.systems.data import evaluated_example
from hiermeasures.app.systems.form import SYSTEMS
from hiermeasures.app.systems.why import parts_csv

from .screen import bound, gesture, run, sent, systems_page, until


@pytest.fixture
def app() -> AppTest:
    app = systems_page().run()
    until(app, lambda: sent(app, "table"))
    bound(app, "systems_view").set_value("Why")
    return run(app)


def rows(app: AppTest, by: str) -> list[list[str]]:
    (table,) = (t for t in sent(app, "table") if t["address"]["key"] == f"systems_why_{by}")
    return [[cell["text"] for cell in row["cells"]] for row in table["rows"]]


def test_the_tables_are_those_of_the_function(app: AppTest) -> None:
    comparison = evaluated_example().comparison
    assert comparison is not None
    split = comparison.why("accuracy", "hF", "cautious", "all or nothing")
    for by in ("kinds", "levels", "subtrees"):
        expected = split.rows(getattr(split, by))[1]
        assert [[cell.replace("−", "-") for cell in row] for row in rows(app, by)] == expected


def test_a_part_is_chosen_and_given_up_by_a_click(app: AppTest) -> None:
    gesture(app, "choose", "systems_why_levels", key="0")
    assert app.session_state[SYSTEMS.name].why.part == ("levels", 2)
    gesture(app, "choose", "systems_why_levels", key="0")
    assert app.session_state[SYSTEMS.name].why.part is None


@pytest.mark.parametrize("loser", ["cautious", "all or nothing"])
def test_parts_and_instances_follow_the_losses_of_either_system(app: AppTest, loser: str) -> None:
    bound(app, "systems_why.order").set_value((loser, "hF"))
    run(app)
    sign = 1 if loser == "all or nothing" else -1  # hF: more is better, so b loses a - b
    for by in ("kinds", "levels", "subtrees"):
        losses = [sign * float(row[-1].replace("−", "-")) for row in rows(app, by)]
        assert losses == sorted(losses, reverse=True)
    for part in (False, True):
        if part:
            gesture(app, "choose", "systems_why_levels", key="0")
        (listing,) = (t for t in sent(app, "table") if t["address"]["key"] == "systems_list")
        values = [[float(cell["text"]) for cell in row["cells"][-2:]] for row in listing["rows"]]
        lost = [round(sign * (a - b), 4) for a, b in values]
        assert lost[0] > 0
        assert lost == sorted(lost, reverse=True)
    bound(app, "systems_why.order").set_value(("", ""))  # back to the order of the function
    run(app)
    assert app.session_state[SYSTEMS.name].why.order == ("", "")


def test_a_system_chosen_in_why_is_that_of_confusion_and_the_other_way_round(app: AppTest) -> None:
    bound(app, "systems_system").set_value("near miss")
    run(app)
    bound(app, "systems_view").set_value("Confusion")
    run(app)
    (matrix,) = sent(app, "matrix")
    assert "near miss" in matrix["caption"]
    bound(app, "systems_system").set_value("generous")
    run(app)
    bound(app, "systems_view").set_value("Why")
    run(app)
    (table,) = (t for t in sent(app, "table") if t["address"]["key"] == "systems_why_kinds")
    assert table["columns"][0]["title"]["text"] == "generous"


def test_an_average_without_parts_is_refused_with_a_hint(app: AppTest) -> None:
    bound(app, "systems_average").set_value("micro").run()
    until(app, lambda: any("samples" in text["text"] for text in sent(app, "text")))


def test_the_file_has_every_part_with_its_difference() -> None:
    comparison = evaluated_example().comparison
    assert comparison is not None
    split = comparison.why("accuracy", "hF", "cautious", "near miss")
    table = list(csv.DictReader(io.StringIO(parts_csv(split))))
    for by in ("kinds", "levels", "subtrees"):
        total = sum(float(row["hF"]) for row in table if row["table"] == by)
        assert total == pytest.approx(split.differences["hF"])
