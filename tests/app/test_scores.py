"""Scores on the page Compare, without a browser: files, rules, best thresholds, one instance."""

import itertools
import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.app.probabilities.model import PROBABILITIES
from hiermeasures.app.systems import thresholds
from hiermeasures.app.systems.data import Evaluation
from hiermeasures.app.systems.filter_rules import IdContains
from hiermeasures.app.systems.form import SYSTEMS
from hiermeasures.app.systems.page import VIEWS
from hiermeasures.cli import main

from .screen import bound, give_paths, sent, systems_page, until

FILES = {
    "hierarchy": "r\t1\nr\t2\n1\t3\n1\t4\n1\t5\n",
    "true": "id,label\na,5\nb,2\nc,3\n",
    "good": "id,1,2,3,4,5\na,0.75,0.25,0.2,0.2,0.35\nb,0.3,0.7,0.2,0,0.1\nc,0.9,0.1,0.6,0.2,0.1\n",
    "poor": "id,1,2,3,4,5\nc,0.5,0.5,0.5,0,0\nb,0.5,0.5,0.5,0,0\na,0.75,0.25,0.2,0.3,0.25\n",
    "labels": "id,label\na,4\nb,2\nc,3\n",
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    paths = {name: tmp_path / f"{name}.csv" for name in FILES}
    for name, text in FILES.items():
        paths[name].write_text(text)
    return paths


def evaluated(files: dict[str, Path], *systems: str, view: str = "") -> AppTest:
    """Compare with these systems' files of scores."""
    app = systems_page()
    app.query_params["show"] = "scores"
    app.run()
    lines = "\n".join(str(files[name]) for name in systems)
    give_paths(app, "systems", hierarchy=files["hierarchy"], true=files["true"], systems=lines)
    until(app, lambda: evaluation(app).title == "true.csv")
    if view:
        bound(app, "systems_view").set_value(view).run()
    return app


def evaluation(app: AppTest) -> Evaluation:
    found: Evaluation = app.session_state[SYSTEMS.name].evaluation
    return found


def printed(capsys: pytest.CaptureFixture[str], *command: object) -> dict[str, float]:
    """The values of a command that prints JSON, for the one file that it names."""
    capsys.readouterr()
    assert main([*map(str, command), "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    (first,) = values.values() if "good.csv" in values else (values,)
    found: dict[str, float] = first
    return found


def text_of(app: AppTest) -> str:
    elements = [*app.markdown, *app.caption, *app.error, *app.warning, *app.info]
    return "\n".join(e.value.replace("\\", "") for e in elements)


def test_a_rule_decides_for_whole_files_as_on_the_command_line(files, capsys):
    app = evaluated(files, "good")
    common = ("evaluate", "--hierarchy", files["hierarchy"], "--true", files["true"])
    command = (*common, "--scores", files["good"], "--measures", "hF,F_LCA")
    for rule, decision in (("threshold", "threshold@0.5"), ("argmax_leaf", "argmax_leaf")):
        bound(app, "systems_rule").set_value(rule).run()
        until(app, lambda rule=rule: evaluation(app).asked.decision.rule == rule)
        values = printed(capsys, *command, "--decision", decision)
        report = evaluation(app).reports["good"]
        assert {key: report[key] for key in ("hF", "F_LCA")} == values
        assert f"|scores:{decision}|" in report.signature


def test_files_of_scores_and_of_labels_are_ranked_together(files):
    app = evaluated(files, "good", "labels", "poor")
    assert list(evaluation(app).reports) == ["good", "labels", "poor"]
    assert list(evaluation(app).scored) == ["good", "poor"]
    # a is wrong, b and c are right.
    assert evaluation(app).reports["labels"]["accuracy"] == pytest.approx(2 / 3)


def test_the_best_threshold_of_any_measure_is_that_of_the_command_line_and_can_be_used(
    files, capsys
):
    app = evaluated(files, "good", view="Thresholds")
    curves = ("curves", "--hierarchy", files["hierarchy"], "--true", files["true"])
    for measure in ("hF", "F_LCA", "MGIA"):
        bound(app, "systems_tuned").set_value(measure).run()
        until(app, lambda measure=measure: swept(app) == measure)
        values = printed(
            capsys, *curves, "--probabilities", files["good"], "--best-threshold", measure
        )
        choice = app.session_state[SYSTEMS.name].swept.choices["good"]
        assert choice.at == values[f"{measure}_threshold"]
        assert choice.value == values[f"{measure}_best"]
        areas = app.session_state[SYSTEMS.name].swept.values["good"].values
        assert {key: areas[key] for key in ("AUPRC_pooled", "distance@1")} == {
            key: values[key] for key in ("AUPRC_pooled", "distance@1")
        }
    use = next(b for b in app.button if b.label.startswith("Use "))
    assert use.label == f"Use {choice.at:g}"
    use.click().run()
    until(app, lambda: evaluation(app).asked.decision.at == choice.at)
    assert evaluation(app).reports["good"]["MGIA"] == choice.value


def swept(app: AppTest) -> str:
    found = app.session_state[SYSTEMS.name].swept
    return found.asked.measure if found else ""


def test_a_sweep_can_be_stopped_and_the_rest_stays(files, monkeypatch):
    def endless(*_arguments: object, progress: Callable[[int, int], None], **_more: object) -> None:
        for k in itertools.count():
            progress(k % 1000, 1000)
            time.sleep(0.01)

    app = evaluated(files, "good")
    monkeypatch.setattr(thresholds, "choose_threshold", endless)
    bound(app, "systems_view").set_value("Thresholds").run()
    assert app.session_state[SYSTEMS.name].purpose == "sweep"
    app.button(key="job_stop").click().run()
    until(app, lambda: app.session_state[SYSTEMS.name].stopped == "sweep")
    assert evaluation(app).reports["good"]["hF"] > 0
    monkeypatch.undo()
    app.button(key="job_go_on").click().run()
    until(app, lambda: swept(app) == "hF")


def test_an_instance_of_the_files_can_be_opened(files):
    app = evaluated(files, "good", "poor", view="One instance")
    model = app.session_state[PROBABILITIES.name]
    assert (model.origin.title, model.truth) == ("good: a", ("5",))
    assert model.probabilities["5"] == 0.35
    bound(app, "prob_instance").set_value("c").run()
    bound(app, "prob_system").set_value("poor").run()
    model = app.session_state[PROBABILITIES.name]
    assert (model.origin.title, model.truth) == ("poor: c", ("3",))
    assert model.probabilities["3"] == 0.5


def test_filters_hold_for_thresholds_too(files):
    app = evaluated(files, "poor", view="Thresholds")
    until(app, lambda: swept(app) == "hF")
    assert best(app) < 1  # a: 4 is above 5, so no threshold is right for it
    model = app.session_state[SYSTEMS.name]
    app.session_state[SYSTEMS.name] = replace(model, filters=(IdContains("c"),))
    app.run()
    # c: 1, 2 and 3 have 0.5. {r, 1, 2, 3} of {r, 1, 3}: 6/7.
    until(app, lambda: best(app) == pytest.approx(6 / 7))
    bound(app, "systems_view").set_value("One instance").run()
    assert bound(app, "prob_instance").options == ["c"]


def best(app: AppTest) -> float:
    (choice,) = app.session_state[SYSTEMS.name].swept.choices.values()
    value: float = choice.value
    return value


def test_every_view_of_labels_is_there_for_decided_labels_too(files):
    app = evaluated(files, "good", "poor")
    views = bound(app, "systems_view").options
    assert {*VIEWS} == {*views}
    for view in views:
        bound(app, "systems_view").set_value(view).run()
        until(app, lambda: app.session_state[SYSTEMS.name].job is None)
        assert not app.error, (view, [e.value for e in app.error])


def test_without_files_a_figure_is_shown_and_nothing_of_the_labels_example():
    app = systems_page()
    app.query_params["show"] = "scores"
    app.run()
    until(app, lambda: app.session_state[SYSTEMS.name].evaluation is not None)
    assert "Best **{1, 2, 5}**" in text_of(app)
    assert not [data for data in sent(app, "table") if "ranks" in json.dumps(data)]
    assert "Built-in example" not in text_of(app)


def test_labels_alone_are_refused_at_their_field(files):
    app = systems_page()
    app.query_params["show"] = "scores"
    app.run()
    give_paths(app, "systems", **{name: files[name] for name in ("hierarchy", "true")}, systems=files["labels"])  # fmt: skip
    until(app, lambda: app.session_state[SYSTEMS.name].faults)
    assert "choose Labels" in app.session_state[SYSTEMS.name].faults["systems"]


def test_scores_among_labels_are_refused_with_a_hint(files):
    app = systems_page()
    app.run()
    give_paths(app, "systems", **{name: files[name] for name in ("hierarchy", "true")}, systems=files["good"])  # fmt: skip
    until(app, lambda: app.session_state[SYSTEMS.name].faults)
    assert "Scores" in app.session_state[SYSTEMS.name].faults["systems"]


def test_the_kind_is_in_the_address():
    app = systems_page()
    app.run()
    bound(app, "systems_kind").set_value("scores").run()
    assert app.query_params["show"] in ("scores", ["scores"])
    bound(app, "systems_kind").set_value("table").run()
    assert app.query_params["show"] in ("table", ["table"])
