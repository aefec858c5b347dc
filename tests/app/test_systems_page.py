"""The page Compare without a browser: the built-in example, one's own files, bad files, stopping,
and what is taken away.
"""

import json
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from docs.make.example import computed
from hiermeasures.app.explore.model import EXPLORER, ExplorerState
from hiermeasures.app.files import File, FileField
from hiermeasures.app.job import FieldError, Job, StoppedError
from hiermeasures.app.systems.data import (
    DEFAULT_MEASURES,
    Columns,
    ComparisonRequest,
    Evaluation,
    Matching,
    evaluate_files,
    evaluate_table,
    example,
    kept_rows,
)
from hiermeasures.app.systems.page import instances_csv, table_csv
from hiermeasures.evaluation import evaluate
from hiermeasures.evaluation.compare import Comparison, compare, compare_reports
from hiermeasures.evaluation.compare.finding import disagreement
from hiermeasures.evaluation.plots import plot_ranks, take_caption
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.sandbox import hierarchy_of_labels
from tests.explore.hand import controls_in

from .screen import bound, codes, gesture, give_paths, sent, systems_page, until, use

EDGES = "A\tB\nA\tC\nB\tD\nB\tE\nC\tF\n"
TRUE = "id,labels\n1,D\n2,E\n3,F\n4,D|F\n"
FIRST = "id,labels\n1,D\n2,D\n3,F\n4,D\n"
SECOND = "id,labels\n1,B\n2,F\n3,C\n5,D\n"


@pytest.fixture
def app() -> AppTest:
    app = systems_page()
    app.session_state.options = True
    app.run()
    return until(app, lambda: not shown_table(app).empty)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {"edges.tsv": EDGES, "true.csv": TRUE, "first.csv": FIRST, "second.csv": SECOND}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return {name: tmp_path / name for name in texts}


def give(app: AppTest, hierarchy: object, true: object, *systems: object) -> AppTest:
    return give_paths(
        app, "systems", hierarchy=hierarchy, true=true, systems="\n".join(map(str, systems))
    )


def shown_table(app: AppTest) -> pd.DataFrame:
    """The ranking as it reads; an empty table while the systems are still being compared."""
    for table in sent(app, "table"):
        names = [column["title"]["text"].rstrip(" ↑↓") for column in table["columns"]]
        rows = [[cell["text"] for cell in row["cells"]] for row in table["rows"]]
        return pd.DataFrame(rows, columns=names).set_index("System")
    return pd.DataFrame()


def intervals(app: AppTest) -> list[str]:
    """The interval below the first value of each system."""
    (table,) = (t for t in sent(app, "table") if t["address"]["key"] == "systems_ranking")
    return [row["cells"][1].get("below", "") for row in table["rows"]]


def listed(app: AppTest) -> list[list[str]]:
    """The rows of the list of instances."""
    (table,) = (table for table in sent(app, "table") if table["address"]["key"] == "systems_list")
    return [[cell["text"] for cell in row["cells"]] for row in table["rows"]]


def names(app: AppTest) -> list[str]:
    return [row[0] for row in listed(app)]


def open_row(app: AppTest, number: int) -> ExplorerState:
    """The Explorer after a row of the list was opened."""
    gesture(app, "choose", "systems_list", key=str(number))
    explorer: ExplorerState = app.session_state[EXPLORER.name]
    return explorer


def as_shown(comparison: Comparison) -> pd.DataFrame:
    """Scores and ranks as the ranking writes them."""
    words = comparison.scores.map("{:.4f}".format).map(lambda text: text.replace("-", "−"))
    return words + comparison.ranks.map(" ({})".format)


# --- the built-in example -------------------------------------------------------------------------


def test_the_page_opens_with_an_example_and_its_table_is_the_comparison(app: AppTest) -> None:
    hierarchy, _, true, systems = example()
    expected = compare(hierarchy, true, systems, measures=DEFAULT_MEASURES)
    table = shown_table(app)
    assert table[list(DEFAULT_MEASURES)].to_dict() == as_shown(expected).to_dict()
    assert table["classes each"].tolist() == [f"{v:.2f}" for v in expected.predictions]
    assert table["with all ancestors"].tolist() == [f"{v:.1%}" for v in expected.consistency]


def test_values_have_intervals_unless_they_are_switched_off(
    app: AppTest, files: dict[str, Path]
) -> None:
    hierarchy, _, true, systems = example()
    expected = compare(hierarchy, true, systems, measures=["hF"], intervals=0.95)
    low, high = expected.intervals["hF"].loc["cautious"]
    assert intervals(app)[0] == f"[{low:.4f}, {high:.4f}]"
    bound(app, "systems_intervals").set_value(False).run()
    until(app, lambda: set(intervals(app)) == {""})
    # of one system, too: hF is 1, 2/4, 1 and 4/5
    bound(app, "systems_intervals").set_value(True).run()
    give(app, files["edges.tsv"], files["true.csv"], files["first.csv"])
    until(app, lambda: list(shown_table(app).index) == ["first"])
    low, high = json.loads(intervals(app)[0])
    assert 0.5 <= low < high <= 1


def test_what_is_kept_of_the_example_is_what_the_engine_gives() -> None:
    rows = kept_rows()
    kept = {
        f"{system}|{table}": columns
        for system, tables in rows.items()
        for table, columns in tables.items()
    }
    expected = computed()
    assert kept.keys() == expected.keys()
    for name, columns in expected.items():
        np.testing.assert_array_equal(kept[name], columns, strict=True)


def test_the_example_is_shown_and_counted_by_class_without_a_compiler() -> None:
    shown = (
        "import sys; from hiermeasures.app.systems import data; quiet = lambda *_: None; "
        "found = data.evaluated_example(); data.prepare(found, ['classes'], quiet); "
        "data.compared(found, quiet); "
        "sys.exit('numba' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", shown], check=True)


def test_measures_and_settings_reach_the_comparison_and_what_has_no_average_is_named(
    app: AppTest,
) -> None:
    for key, value, caption in (
        ("systems_test", "wilcoxon", "wilcoxon"),
        ("systems_holm", False, "no correction"),
        ("systems_average", "macro", "macro"),
    ):
        bound(app, key).set_value(value).run()
        until(app, lambda caption=caption: any(caption in c.value for c in app.caption))
    # Of those shown, only these have counts per class.
    until(app, lambda: set(shown_table(app).columns[:-2]) == {"hF", "hP", "hR", "f1"})
    bound(app, "systems_measures").set_value(["GIE", "all_pairs"]).run()
    until(app, lambda: app.error)
    bound(app, "systems_average").set_value("samples").run()
    until(app, lambda: list(shown_table(app).columns)[:2] == ["GIE", "all pairs"])


def option(app: AppTest, name: str) -> dict[str, Any]:
    """A field of the form of options."""
    form = controls_in({"areas": sent(app, "form")[0]["controls"]})
    return next(control for control in form if control.get("key") == f"option_{name}")


def set_option(app: AppTest, name: str, value: float) -> None:
    use(app, "options_form", {"key": "options", "value": True})
    use(app, "options_form", {"key": f"option_{name}", "value": value})


def test_an_option_changes_the_measures_that_it_concerns_and_goes_on_to_ones_own_files(
    app: AppTest, files: dict[str, Path]
) -> None:
    before = shown_table(app)
    set_option(app, "dmax", 2.0)
    until(
        app, lambda: "GIE" in shown_table(app) and not shown_table(app)["GIE"].equals(before["GIE"])
    )
    hierarchy, _, true, systems = example()
    expected = compare(hierarchy, true, systems, measures=DEFAULT_MEASURES, dmax=2)
    assert shown_table(app)[list(DEFAULT_MEASURES)].to_dict() == as_shown(expected).to_dict()
    give(app, files["edges.tsv"], files["true.csv"], files["first.csv"], files["second.csv"])
    until(app, lambda: list(shown_table(app).index) == ["first", "second"])
    # D for D, D for E (two edges apart, or unpaired at 2 + 2), F for F, D for {D, F} with F
    # unpaired: 0, 2, 0, 2.
    assert shown_table(app).loc["first", "GIE"].startswith("1.000")
    assert option(app, "dmax")["value"] == 2


def test_the_worst_instances_of_a_system_by_a_measure_are_listed_and_lead_to_the_explorer(
    app: AppTest, went: list[Any]
) -> None:
    bound(app, "systems_view").set_value("Instances").run()
    hierarchy, ids, true, systems = example()
    report = evaluate(
        hierarchy, true, next(iter(systems.values())), measures=["hF", "F_LCA"], ids=ids
    )
    first = disagreement(report, "hF", "F_LCA").iloc[0]
    for number in (first.difference, first.first_standing, first.second_standing):
        assert f"{abs(number):.2f}" in listed(app)[0][-1]
    explorer = open_row(app, 0)  # of two measures that are compared, both are drawn
    assert (explorer.view_state.measure, explorer.second) == ("hF", "F_LCA")
    for key, value in (
        ("systems_system", "near miss"),
        ("systems_across", "GIE"),
        ("systems_listed", "worst"),
    ):
        bound(app, key).set_value(value).run()
    errors = evaluate(hierarchy, true, systems["near miss"], measures=["GIE"]).per_instance["GIE"]
    largest = errors.sort_values(ascending=False, kind="stable")
    assert names(app) == [ids[k] for k in largest.index[:200]]
    explorer = open_row(app, 2)
    assert went == [("explore", {})] * 2
    assert (explorer.view_state.measure, explorer.second) == ("GIE", "")
    assert "F_LCA" in explorer.listed
    assert explorer.back.page == "systems"
    shown = explorer.history.present
    assert shown.explained()["GIE"] == largest.iloc[2]
    assert explorer.series.size == 240
    assert explorer.series.place(shown) == 2
    assert explorer.series.place(shown.toggled("true", "Marble")) == 2  # still the third
    assert explorer.series.place(Shown.make(hierarchy, title="M0001")) is None


def looking(app: AppTest, condition: str) -> AppTest:
    """The view "Search" with a condition."""
    if bound(app, "systems_view").value != "Search":
        bound(app, "systems_view").set_value("Search").run()
    bound(app, "systems_find_condition").set_value(condition).run()
    assert not app.exception
    return app


def found_rows(app: AppTest) -> list[str]:
    return names(app) if any("of 240 instances" in h.value for h in app.header) else []


def test_a_found_instance_opens_in_the_explorer_among_its_like(
    app: AppTest, went: list[Any]
) -> None:
    looking(app, "F_LCA < 0.7 and len_P == 1")
    second = found_rows(app)[1]
    explorer = open_row(app, 1)
    assert explorer.history.present.title.startswith(second)
    assert "F_LCA < 0.7 and len_P == 1" in explorer.series.about
    assert explorer.series.place(explorer.history.present) == 1
    assert explorer.view_state.measure == "F_LCA"


def test_a_wrong_condition_is_marked_and_what_is_not_evaluated_can_be(app: AppTest) -> None:
    bound(app, "systems_view").set_value("Search").run()
    assert bound(app, "systems_find_condition").value == "hF > F_LCA"
    assert found_rows(app)
    looking(app, "hF > 0.5 and hG < 1")
    assert codes(app) == ["hF > 0.5 and hG < 1\n             ^^"]
    looking(app, "SP > 3")
    assert found_rows(app) == []
    app.button(key="systems_find_evaluate").click().run()
    until(app, lambda: bool(found_rows(app)))


def test_files_are_matched_by_task_and_line_and_a_fault_belongs_to_its_field() -> None:
    files = {"t": "subtask_a\nx\tB\ny\tC\nz\tC\n", "p": "subtask_a\nx\tC\ny\tC\nz\tC\n"}
    report = of_files(
        "A B\nA C\nB D\nB E\nC F\nC G\n", **files, task="a", measures=("HCM_TN", "hamming")
    ).reports["p"]
    # Only B and C are classes. x: B missed, C wrong. y and z: C right, B rightly not there: 2
    # negatives. Of 3 classes, the root too, in 3 instances, 2 are wrong.
    assert (report["HCM_TN"], report["hamming"]) == (2, pytest.approx(2 / 9))
    by_line = of_files(EDGES, t="D\nE\n", p="D\nB\n", q="D\nE\n").reports["q"]
    assert (list(by_line.per_instance.index), by_line["accuracy"]) == (["line 1", "line 2"], 1.0)
    with pytest.raises(FieldError) as caught:
        of_files(EDGES, t=TRUE, p="\xff\xfe")
    assert caught.value.field == "systems"


def of_files(
    hierarchy: str, *, task: str = "the only one", measures: Any = ("accuracy",), **files: str
) -> Evaluation:
    """The evaluation of a hierarchy, the truth, and systems."""
    true, *systems = (File(name, text.encode("latin-1")) for name, text in files.items())
    given = {"hierarchy": [File("h", hierarchy.encode())], "true": [true], "systems": systems}
    return evaluate_files(given, Matching(task=task), lambda *_: None, ComparisonRequest(measures))


# --- one's own files ------------------------------------------------------------------------------


def test_what_the_numbers_leave_out_stands_beside_them(
    app: AppTest, files: dict[str, Path]
) -> None:
    assert not app.warning
    files["first.csv"].write_text(FIRST.replace("2,D", "2,Dd"))
    give(app, files["edges.tsv"], files["true.csv"], files["first.csv"], files["second.csv"])
    until(app, lambda: list(shown_table(app).index) == ["first", "second"])
    said = " ".join(warning.value for warning in app.warning)
    assert all(f"'{instance}'" in said for instance in (2, 4, 5))
    captions = " ".join(c.value for c in app.caption)
    assert "second.csv" in captions.replace("\\", "")  # beside the field, too
    # Of the classes D, E, F, {D, F}, first.csv has the first and the third.
    assert shown_table(app).loc["first", "accuracy"].startswith("0.500")


def test_bad_files_are_named_and_what_was_shown_stays(
    app: AppTest, files: dict[str, Path], tmp_path: Path
) -> None:
    before = shown_table(app)
    contents = ["A,B\nB,A\n", "", "id,labels\n99,D\n", "id,labels\n1,<b>**x**\n"]
    bad = [tmp_path / f"bad{k}.csv" for k in range(len(contents))]
    for path, content in zip(bad, contents, strict=True):
        path.write_text(content)
    bound(app, "systems_unknown").set_value("error").run()
    edges, true, first = files["edges.tsv"], files["true.csv"], files["first.csv"]
    for given, message in (
        ((bad[0], true, first), "cycle"),
        ((edges, bad[1], first), "empty"),
        ((edges, true, bad[2]), "ids"),
        ((edges, true, bad[3]), "'<b>**x**'"),
        ((edges, true, tmp_path / "nowhere"), "No such file"),
        ((edges, true, tmp_path), "regular file"),
        ((edges, true, "~nobody-of-this-name/x"), "does not exist"),
    ):
        give(app, *given)
        until(
            app, lambda said=message: said in " ".join(e.value for e in app.error).replace("\\", "")
        )
        assert "<b>" not in app.error[0].value  # markup is not read as markup
        pd.testing.assert_frame_equal(shown_table(app), before)


def test_a_field_without_a_file_is_asked_for_until_it_is_there_and_then_the_evaluation_begins(
    app: AppTest, files: dict[str, Path]
) -> None:
    bound(app, "systems_from").set_value("Path").run()
    app.button(key="systems_evaluate").click().run()
    for field, name in (("hierarchy", "edges.tsv"), ("true", "true.csv"), ("systems", "first.csv")):
        assert app.info
        bound(app, f"systems_{field}_path").set_value(str(files[name])).run()
    until(app, lambda: list(shown_table(app).index) == ["first"])
    assert not app.info


def uploaded(app: AppTest, **files: tuple[str, str]) -> AppTest:
    for name, (title, text) in files.items():
        app.file_uploader(f"systems_{name}_upload").set_value(
            (title, text.encode(), "text/csv")
        ).run()
    return app


def test_small_uploads_are_evaluated_as_soon_as_they_are_there_and_once(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    monkeypatch.setattr(
        "hiermeasures.app.systems.form.evaluate_files",
        lambda *given: begun.append(given) or evaluate_files(*given),
    )
    uploaded(app, hierarchy=("h.tsv", EDGES), true=("true.csv", TRUE), systems=("first.csv", FIRST))
    until(app, lambda: list(shown_table(app).index) == ["first"])
    assert not [b for b in app.button if b.label == "Evaluate"]
    app.run()
    assert len(begun) == 1
    bound(app, "systems_unknown").set_value("error").run()
    until(app, lambda: len(begun) == 2 and app.session_state["systems_model"].job is None)
    monkeypatch.setattr("hiermeasures.app.files.SMALL", 10)
    uploaded(app, true=("true.csv", TRUE + "5,D\n"))
    assert len(begun) == 2
    app.button(key="systems_evaluate").click().run()
    until(app, lambda: any("5 instances" in c.value for c in app.caption))
    at = app.session_state["systems_model"]  # where Streamlit ended the callback
    app.session_state["systems_model"] = replace(at, form=replace(at.form, hierarchy=FileField()))
    app.run()
    assert app.session_state["systems_model"].form.hierarchy.uploads == (("h.tsv", EDGES.encode()),)


def test_columns_that_are_not_clear_are_named_in_fields(app: AppTest) -> None:
    table = "Big,Mid,Small\nA,B,C\nA,B,D\nA,E,F\nG,H,I\n"
    uploaded(
        app,
        hierarchy=("t.csv", table),
        true=("true.csv", "id,label\n1,C\n2,F\n"),
        systems=("one.csv", "id,label\n1,D\n2,F\n"),
    )
    until(app, lambda: any("“Levels”" in e.value for e in app.error))
    assert bound(app, "systems_hierarchy_child").value == ""
    bound(app, "systems_hierarchy_levels").set_value("Big,Mid,Small").run()
    until(app, lambda: list(shown_table(app).index) == ["one"])
    assert not app.error
    assert len(app.session_state["systems_model"].evaluation.systems.hierarchy.leaves) == 4


# --- jobs -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "error", [InputError("not for this one"), ZeroDivisionError("a fault of ours")]
)
def test_measures_that_cannot_be_computed_are_refused_once_and_the_results_stay(
    app, monkeypatch, error
) -> None:
    tried = []

    def broken(*given: object) -> None:
        tried.append(given)
        raise error

    monkeypatch.setattr("hiermeasures.app.systems.data.measured", broken)
    before = shown_table(app)
    bound(app, "systems_measures").set_value([*DEFAULT_MEASURES, "hamming"]).run()
    until(app, lambda: app.error)
    app.run()
    assert len(tried) == 1
    assert app.error
    assert shown_table(app).equals(before)


def test_stop_is_heard_at_once_and_what_goes_wrong_is_raised_where_the_result_is_asked_for() -> (
    None
):
    go_on, reported = threading.Event(), threading.Event()

    def endless(report) -> None:
        report("counting", 1, 10)
        reported.set()
        go_on.wait(20)

    job = Job(endless)
    assert reported.wait(5)
    assert (job.finished, job.share, job.sentence) == (False, 0.1, "counting: 1 of 10")
    job.stop()
    assert job.finished
    with pytest.raises(StoppedError):
        job.result()
    go_on.set()
    broken = Job(lambda report: 1 / 0)
    assert broken.wait(5)
    with pytest.raises(ZeroDivisionError):
        broken.result()


@pytest.mark.slow
def test_classes_are_counted_in_a_job_that_can_be_stopped(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, compared = threading.Event(), app.session_state["systems_model"].evaluation.comparison
    with monkeypatch.context() as slow:
        for report in app.session_state["systems_model"].evaluation.reports.values():
            slow.delitem(vars(report), "class_counts", raising=False)
        slow.setattr("hiermeasures.app.systems.data.prepare", lambda *_: go_on.wait(20))
        bound(app, "systems_view").set_value("Classes").run()
        assert not app.get("plotly_chart")
        app.button(key="job_stop").click().run()
    go_on.set()
    assert any("Stopped." in i.value for i in app.info)
    assert not app.run().get("plotly_chart")
    app.button(key="job_go_on").click().run()
    until(app, lambda: app.get("plotly_chart"))
    assert app.session_state["systems_model"].evaluation.comparison is compared


def test_with_one_system_the_first_view_has_what_it_needs(
    app: AppTest, files: dict[str, Path]
) -> None:
    bound(app, "systems_view").set_value("Measures").run()
    give(app, files["edges.tsv"], files["true.csv"], files["first.csv"])
    until(app, lambda: "4 instances" in " ".join(c.value for c in app.caption))
    until(app, lambda: app.session_state["systems_model"].evaluation.has(["pairs"]))


def test_a_job_that_nobody_holds_stops_itself() -> None:
    ended = threading.Event()

    def endless(report) -> None:
        try:
            while True:
                report("counting", 0, 0)
                time.sleep(0.01)
        finally:
            ended.set()

    job = Job(endless)
    del job
    assert ended.wait(5)


# --- drawings and files to take away --------------------------------------------------------------


def comparison_of(*names: str):
    h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    truth = [{"B"}, {"C"}, {"B"}]
    return compare_reports(
        {name: evaluate(h, truth, [{"B"}, {"C"}, {"C"}], measures=["hF", "SDL"]) for name in names}
    )


def test_names_stay_text_and_systems_that_tie_do_not_hide_each_other() -> None:
    comparison = comparison_of("=1+1", "<b>x</b>")
    assert table_csv(comparison).splitlines()[1].startswith("'=1+1,")
    figure = plot_ranks(comparison)
    take_caption(figure)
    assert {a.text for a in figure.layout.annotations} == {"=1+1", "&lt;b&gt;x&lt;/b&gt;"}
    first, second = figure.data
    assert np.abs(np.array(first.y) - np.array(second.y)).min() > 0.1


def test_every_instance_has_a_row_for_every_system_in_the_exported_file() -> None:
    h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    # {A, B} against {A, C}: 1 shared of 2 and 2. Against nothing: no precision (0 by
    # zero_division).
    reports = {
        name: evaluate(h, [{"B"}, {"B"}], predicted, measures=["hP", "TIE"], ids=["x", "=y"])
        for name, predicted in {"one": [{"C"}, {"B"}], "two": [set(), {"B"}]}.items()
    }
    lines = instances_csv(reports, ["hP", "TIE"]).splitlines()
    assert lines == [
        "system,instance,hP,TIE",
        "one,x,0.5,2.0",
        "one,'=y,1.0,0.0",
        "two,x,0.0,",
        "two,'=y,1.0,0.0",
    ]


def test_the_hierarchy_of_an_uploaded_table_is_made_in_the_sandbox(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Hierarchy] = []
    monkeypatch.setattr(
        "hiermeasures.app.systems.data.hierarchy_of_labels",
        lambda *given: made.append(hierarchy_of_labels(*given)) or made[-1],
    )
    table = File("t.csv", b"true,answer\nA > B,A > C\nA > C,A > C\n")
    columns = Columns(true="true", predicted=("answer",))
    assert evaluate_table({"table": [table]}, columns, lambda *_: None).systems.taxonomy in made
