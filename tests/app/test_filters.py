"""Filters of the page Compare: each against plain Python, and their effect on the whole page."""

import json
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.systems import data
from hiermeasures.app.systems.filter_rules import (
    AtLevel,
    BelowClass,
    ChosenInstances,
    Filter,
    HasMistake,
    IdContains,
    LabelCount,
    ValueBetween,
    places_of,
)
from hiermeasures.app.systems.page import page_html, write_json
from hiermeasures.evaluation import evaluate, evaluate_table
from hiermeasures.evaluation.outside import is_raised
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures.mistakes import KINDS, pair_labels

from .screen import bound, errors, gesture, run, sent, systems_page, until

DAG = Hierarchy.from_edges(
    [("R", "A"), ("R", "B"), ("A", "C"), ("A", "D"), ("B", "D"), ("D", "E"), ("B", "F")]
)
TRUE = [{"C"}, {"E", "F"}, {"D"}, {"F"}, {"A"}, set(), {"A", "B", "D", "E"}]
PREDICTED = [{"C"}, {"E"}, {"C"}, {"A"}, {"A", "B"}, {"F"}, {"E"}]
SPECIFIC = [*TRUE[:6], {"E"}]
LEVEL = {"A": 1, "B": 1, "C": 2, "D": 2, "F": 2, "E": 3}
BELOW_A = {"A", "C", "D", "E"}
REPORTS = {"one": evaluate(DAG, TRUE, PREDICTED, measures=["hF", "f1"], ids=list("uvWxyzq"))}


@pytest.mark.parametrize(
    ("rule", "holds"),
    [
        (BelowClass("A"), lambda k: bool(TRUE[k] & BELOW_A)),
        (AtLevel(2), lambda k: any(LEVEL[label] == 2 for label in SPECIFIC[k])),
        (LabelCount(1, 1), lambda k: len(SPECIFIC[k]) == 1),
        (LabelCount(0, 0), lambda k: not TRUE[k]),
        (IdContains("w"), lambda k: k == 2),
        (ChosenInstances("two", np.array([1, 4])), lambda k: k in (1, 4)),
        # F1 of the labels: 1, 2/3, 0, 0, 2/3, 0, 2/5
        (ValueBetween("one", "f1", 0.4, 2 / 3), lambda k: k in (1, 4, 6)),
    ],
)
def test_a_filter_finds_the_instances_that_plain_python_finds(
    rule: Filter, holds: Callable[[int], bool]
) -> None:
    assert np.flatnonzero(rule.find_instances(REPORTS)).tolist() == [
        k for k in range(len(TRUE)) if holds(k)
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", [None, 2])
def test_a_kind_of_mistake_finds_the_instances_with_such_a_pair(
    kind: str, level: int | None
) -> None:
    def holds(k: int) -> bool:
        pairs = pair_labels(DAG, TRUE[k], PREDICTED[k])
        levels = {pair: LEVEL[pair.true or pair.predicted or ""] for pair in pairs}
        return any(p.kind == kind and level in (None, levels[p]) for p in pairs)

    rule = HasMistake("one", kind, None if level is None else "level", level)
    found = np.flatnonzero(rule.find_instances(REPORTS)).tolist()
    assert found == [k for k in range(len(TRUE)) if holds(k)]


def test_a_label_with_two_top_classes_is_found_in_both() -> None:
    # E, the second true class of the instance 1, is below A and B. D is the one of instance 2.
    for top in ("A", "B"):
        rule = HasMistake("one", "right", "subtree", top)
        assert 1 in np.flatnonzero(rule.find_instances(REPORTS))


def test_several_filters_hold_together() -> None:
    assert places_of([BelowClass("A"), AtLevel(2)], REPORTS).tolist() == [0, 1, 2]
    assert places_of([BelowClass("A"), AtLevel(2), AtLevel(3)], REPORTS).tolist() == [1]


def test_levels_are_those_of_the_hierarchy_also_with_unknown_answers() -> None:
    true, answers = ["R/A/C", "R/A/D", "R/B"], ["R/A/C", "elsewhere/x", "R/B"]
    table = pd.DataFrame({"true": true, "one": answers})
    report = evaluate_table(
        table, true="true", predicted="one", unknown="wrong", paths="/", count_root=True
    )
    assert is_raised(report.hierarchy)
    assert places_of([AtLevel(2)], {"one": report}).tolist() == [0, 1]
    assert places_of([AtLevel(1)], {"one": report}).tolist() == [2]


def test_a_report_of_some_instances_is_that_of_these_alone() -> None:
    for places in ([3, 0, 4], [], range(6)):
        part = REPORTS["one"].take(list(places))
        alone = evaluate(
            DAG, [TRUE[k] for k in places], [PREDICTED[k] for k in places], measures=["hF", "f1"]
        )
        assert len(part) == len(places)
        assert part.values == pytest.approx(alone.values, nan_ok=True)
        assert part.averaged("micro") == pytest.approx(alone.averaged("micro"), nan_ok=True)
        assert part.averaged("macro") == pytest.approx(alone.averaged("macro"), nan_ok=True)
        assert list(part.per_instance.index) == [list("uvWxyzq")[k] for k in places]


# --- the page -------------------------------------------------------------------------------------


@pytest.fixture
def app() -> AppTest:
    app = systems_page()
    app.session_state["systems_filter_menu"] = True
    app.run()
    return until(app, lambda: sent(app, "table"))


def first_scores(app: AppTest) -> list[str]:
    """The first row of the ranking."""
    return [cell["text"] for cell in sent(app, "table")[0]["rows"][0]["cells"]]


def add(app: AppTest, by: str, **fields: object) -> AppTest:
    bound(app, "systems_filter_by").set_value(by).run()
    for name, value in fields.items():
        bound(app, f"systems_filter_{name}").set_value(value).run()
    return run(app, app.button(key="systems_filter_add").click())


def count(app: AppTest) -> str:
    return next((m.value for m in app.markdown if m.value.startswith("**")), "")


def test_a_filter_holds_for_the_ranking_and_for_all_views(app: AppTest) -> None:
    hierarchy, ids, true, systems = data.example()
    name, predicted = next(iter(systems.items()))
    places = [k for k, i in enumerate(ids) if "01" in i]
    assert 0 < len(places) < len(ids)
    add(app, "text", text="01")
    until(app, lambda: f"**{len(places)} of {len(ids)} instances**" == count(app))
    expected = evaluate(
        hierarchy, [true[k] for k in places], [predicted[k] for k in places], measures=["hF"]
    )["hF"]
    assert first_scores(app)[0] == name
    assert first_scores(app)[1].startswith(f"{expected:.4f}")
    bound(app, "systems_view").set_value("Instances").run()
    lists = [t for t in sent(app, "table") if t["address"]["key"] == "systems_list"]
    assert {row["cells"][0]["text"] for row in lists[0]["rows"]} == {ids[k] for k in places}


def test_filters_are_removed_one_by_one_and_all_at_once(app: AppTest) -> None:
    before = first_scores(app)
    add(app, "labels", fewest=1, most=1)
    add(app, "level", level=1)
    assert len(app.session_state.systems_model.filters) == 2
    run(app, app.button(key="systems_filter_0").click())
    assert app.session_state.systems_model.filters == (AtLevel(1),)
    add(app, "text", text="M00")
    run(app, app.button(key="systems_filters_clear").click())
    until(app, lambda: first_scores(app) == before)
    assert not count(app)


def test_each_bar_of_the_mistakes_is_a_filter(app: AppTest) -> None:
    bound(app, "systems_view").set_value("Mistakes").run()
    (table,) = (t for t in sent(app, "table") if t["address"]["key"] == "systems_kinds")
    names = [column["title"]["text"] for column in table["columns"]][1:]
    report = data.evaluated_example().reports["near miss"]
    row = next(row for row in table["rows"] if row["cells"][0]["text"] == "sibling")
    bar = row["cells"][1 + names.index("near miss")]
    expected = report.mistakes().loc["sibling"]
    assert bar["text"] == f"{expected['count']:.0f} · {expected['share']:.1%}"
    gesture(app, "choose", "systems_kinds", key=bar["key"])
    until(app, lambda: count(app) == f"**{expected['instances']:.0f} of 240 instances**")
    assert app.session_state.systems_model.filters == (HasMistake("near miss", "sibling"),)


@pytest.mark.parametrize(
    "table", ["systems_levels_of_mistakes", "systems_tops_of_mistakes", "systems_destinations"]
)
def test_the_bars_of_one_system_are_filters_too(app: AppTest, table: str) -> None:
    bound(app, "systems_view").set_value("Mistakes").run()
    bound(app, "systems_system").set_value("near miss").run()
    (found,) = (t for t in sent(app, "table") if t["address"]["key"] == table)
    bars = [cell for row in found["rows"] for cell in row["cells"] if "key" in cell]
    gesture(app, "choose", table, key=bars[-1]["key"])
    until(app, lambda: "of 240 instances" in count(app))
    number = int(count(app).strip("*").split()[0])
    assert 0 < number < 240
    assert float(bars[-1]["text"].split(" · ")[0]) >= 1


def test_filters_that_leave_no_instance_say_so(app: AppTest) -> None:
    add(app, "text", text="no such id")
    until(app, lambda: [m for m in app.info if "No instance satisfies all filters" in m.value])
    assert count(app).startswith("**0 of ")


def test_an_empty_text_and_an_empty_range_are_refused(app: AppTest) -> None:
    add(app, "text", text=" ")
    assert any("The text is empty" in text for text in errors(app))
    add(app, "value", low=0.5, high=0.25)
    assert any("from 0.5 to 0.25 is empty" in text for text in errors(app))
    assert not app.session_state.systems_model.filters


def test_exported_files_say_that_instances_are_filtered() -> None:
    quiet = lambda *_: None
    whole = data.evaluated_example()
    found = data.brought(whole, whole.asked, [], (IdContains("M000"),), quiet)
    assert found.comparison is not None
    assert json.loads(write_json(found.comparison, found))["filters"] == ["id contains “M000”"]
    assert "Only 9 of 240 instances: id contains “M000”." in page_html(found)


def test_a_view_filters_among_the_instances_that_it_shows() -> None:
    whole = data.evaluated_example()
    found = data.filtered(whole, (IdContains("M000"),))
    assert found.places is not None
    assert len(found.places) == 9
    again = data.filtered(whole, (IdContains("M000"), ChosenInstances("", found.places[[2]])))
    (name,) = again.reports[next(iter(again.reports))].kept.ids
    assert name == whole.systems.ids[next(iter(whole.reports))][2]
