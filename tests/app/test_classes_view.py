"""The view of classes on the page Compare, without a browser."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.systems import data
from hiermeasures.app.systems.classes import make_table
from hiermeasures.app.systems.filter_rules import ChosenInstances
from hiermeasures.app.systems.mistakes import mistakes_csv
from hiermeasures.evaluation.plots import plot_hierarchy, take_caption
from hiermeasures.measures.mistakes import KINDS

from .screen import bound, give_paths, run, sent, systems_page, until

REPORTS = data.evaluated_example().reports


@pytest.fixture
def app() -> AppTest:
    app = systems_page()
    app.run()
    until(app, lambda: sent(app, "table"))
    bound(app, "systems_view").set_value("Classes").run()
    return until(app, lambda: len(app.dataframe))


@pytest.mark.parametrize("kind", ["hF", "f1"])
def test_the_table_is_that_of_the_report_the_worst_first(app: AppTest, kind: str) -> None:
    bound(app, "systems_counted").set_value(kind).run()
    report = REPORTS["cautious"]
    expected = report.by_subtree() if kind == "hF" else report.by_class()
    shown = app.dataframe[0].value
    assert shown["f1"].is_monotonic_increasing
    assert shown.loc["Relief"].to_dict() == expected.loc["Relief", shown.columns].to_dict()
    assert set(shown.index) == set(expected.index)


def test_the_worst_by_an_error_are_those_with_the_largest(app: AppTest) -> None:
    bound(app, "systems_coloured").set_value("mean_GIE").run()
    assert app.dataframe[0].value["mean_GIE"].is_monotonic_decreasing


def test_large_errors_have_the_colour_of_bad_values() -> None:
    report = REPORTS["all or nothing"]
    values = make_table(report, "hF")["mean_GIE"]
    figure = plot_hierarchy(report, values, better="lower")
    assert f"Brick: {values.max():g}" in take_caption(figure)
    icicle = figure.data[0]
    colours = dict(zip(icicle.labels, icicle.marker.colors, strict=True))
    assert colours[values.idxmax()] == "rgba(160,60,45,0.55)"


def test_the_mistakes_as_csv_have_a_row_per_system_and_kind() -> None:
    rows = list(csv.DictReader(io.StringIO(mistakes_csv(REPORTS))))
    assert len(rows) == 10 * len(REPORTS)
    for system, report in REPORTS.items():
        mine = {row["kind"]: float(row["count"]) for row in rows if row["system"] == system}
        assert mine == report.mistakes()["count"].to_dict()


def test_the_mistakes_by_top_class_as_csv_add_up() -> None:
    rows = list(csv.DictReader(io.StringIO(mistakes_csv(REPORTS, "subtree"))))
    total = sum(report.mistakes()["count"].sum() for report in REPORTS.values())
    assert sum(float(row[kind]) for row in rows for kind in KINDS) == pytest.approx(total)
    assert {row["subtree"] for row in rows} == {"Object", "Painting", "Paper", "Sculpture"}


def test_titles_of_codes_are_shown_next_to_them(tmp_path: Path) -> None:
    files = {
        "h.csv": "code;parent;title\n1;;Crops\n11;1;Wheat\n12;1;Rye\n2;;Animals\n21;2;Cows\n",
        "true.csv": "id;labels\n1;11\n2;12\n3;21\n",
        "one.csv": "id;labels\n1;12\n2;21\n3;21\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    app = run(systems_page())
    until(app, lambda: sent(app, "table"))
    hierarchy, true, one = (tmp_path / name for name in files)
    give_paths(app, "systems", hierarchy=hierarchy, true=true, systems=one)
    until(app, lambda: app.session_state.systems_model.evaluation.instances == 3)
    bound(app, "systems_view").set_value("Mistakes").run()
    tables = {table["address"]["key"]: table for table in sent(app, "table")}
    rows = tables["systems_tops_of_mistakes"]["rows"]
    assert {row["cells"][0]["text"] for row in rows} == {"1 (Crops)", "2 (Animals)"}
    bound(app, "systems_view").set_value("Classes").run()
    until(app, lambda: len(app.dataframe))
    assert app.dataframe[0].value.loc["12", "title"] == "Rye"


def test_labels_in_the_words_of_a_filter_are_text(app: AppTest) -> None:
    rule = ChosenInstances("*x* $y$", np.array([1, 2]))
    app.session_state.systems_model = replace(app.session_state.systems_model, filters=(rule,))
    app.run()
    assert app.button(key="systems_filter_0").label == r"\*x\* \$y\$"
