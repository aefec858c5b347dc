"""What if, without a browser: what the drawing and the table say of every edit, what a click on a row does, and why the
chosen measure changed.
"""

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.behaviour.what_if import ClassEdit, edits_of, what_if
from hiermeasures.measures import CATALOGUE, explain
from hiermeasures.ui import gestures
from hiermeasures.ui.explore.edits import remark
from hiermeasures.ui.explore.model import EXPLORER, OwnMeasures
from tests.behaviour.test_what_if import FIGURE_11A

from .screen import bound, classes, opened, sent, value


@pytest.fixture(autouse=True)
def no_compiler_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """What few edits there are `explain` computes; kernels are not compiled for them."""
    monkeypatch.setattr("hiermeasures.ui.explore.what_if.make_kernels_ready", lambda: None)


def looked_at(measure: str = "F_LCA") -> AppTest:
    """Figure 11(a), D_max 5, with what-if of a measure."""
    app = opened()
    send(app, "measures", "choose", {"key": measure})
    bound(app, "stepping").set_value("what if").run()
    assert not app.exception
    return app


def send(app: AppTest, component: str, kind: str, what: dict[str, Any]) -> None:
    """A gesture of a component, as the browser sends it."""
    at = sent(app, "mailbox")[0]
    gesture = {"number": at["seen"] + 1, "component": component, "kind": kind, "value": what}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gestures, "_sent", lambda: {"session": at["session"], "gestures": [gesture]})
        app.run()
    assert not app.exception


def effects(app: AppTest, side: str = "predicted") -> dict[str, str]:
    """What is written below each class."""
    graph = sent(app, "graph")[0]
    titles = {shape["id"]: shape["title"] for shape in graph["scene"]["shapes"]}
    return {titles[key]: effect["text"] for key, effect in graph["effects"][side].items()}


def rows(app: AppTest) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in sent(app, "what_if")[0]["rows"]}


def words(app: AppTest) -> list[str]:
    return [text["text"] for text in sent(app, "text")]


def test_every_class_says_what_a_click_would_do() -> None:
    # By hand in tests/behaviour/test_what_if.py: F_LCA is 2·1/5, with T1 2·2/6, with C 2·2/8, without P1 2·1/4.
    assert effects(looked_at()) == {
        "A": "0 ·", "B": "0 ·", "C": "+.10 ▲", "T1": "+.27 ▲", "P1": "+.10 ▲", "P2": "+.10 ▲",
    }  # fmt: skip


def test_an_error_is_better_where_it_falls_and_worse_where_it_rises() -> None:
    app = looked_at("GIE")
    assert effects(app) == {"A": "+5 ▼", "B": "+4 ▼", "C": "+5 ▼", "T1": "+3 ▼", "P1": "−5 ▲", "P2": "−5 ▲"}
    graph = sent(app, "graph")[0]
    assert {"A click: GIE 7 → 10, worse."} <= {effect["words"] for effect in graph["effects"]["predicted"].values()}


def test_the_result_has_neither_numbers_below_classes_nor_a_table() -> None:
    app = looked_at()
    bound(app, "stepping").set_value("result").run()
    assert sent(app, "graph")[0]["effects"] is None
    assert not sent(app, "what_if")


def test_what_if_stays_with_another_measure_or_view() -> None:
    app = looked_at()
    bound(app, "view").set_value("ancestors").run()
    assert sent(app, "what_if")[0]["columns"][0]["key"] == "hF"  # the chosen one stands first


def test_the_table_of_edits_is_best_first_over_the_shown_measures() -> None:
    table = sent(looked_at(), "what_if")[0]
    assert [c["key"] for c in table["columns"]] == ["F_LCA", "hF", "MGIA", "GIE", "HCM_F1", "CoPHE_F1"]
    assert [row["name"] for row in table["rows"][:3]] == ["P1 → T1", "P2 → T1", "+ T1"]
    right = table["rows"][2]
    assert [cell["text"] for cell in right["cells"][:4]] == ["+.27 ▲", "+.18 ▲", "0 ·", "+3 ▼"]
    assert (table["columns"][0]["before"], right["cells"][0]["after"]) == ("0.4", "0.6667")
    assert (right["about"], right["remark"]) == ("right", "a right class, and GIE is worse")


def test_only_conflicts_and_kinds_of_edits_can_be_asked_for() -> None:
    app = looked_at()
    bound(app, "edit_kinds").set_value(["add", "remove"]).run()
    assert set(rows(app)) == {"+ A", "+ B", "+ C", "+ T1", "− P1", "− P2"}
    bound(app, "edit_conflicts").set_value(True).run()
    assert set(rows(app)) == {"+ B", "+ C", "+ T1"}
    bound(app, "edit_order").set_value("conflict").run()
    bound(app, "edit_sides").set_value([]).run()
    assert rows(app) == {}
    assert sent(app, "what_if")[0]["note"] == "No edit is of this kind."


def test_the_remarks_of_the_design() -> None:
    x = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})
    measures = [CATALOGUE[key] for key in ("hF", "F_LCA", "MGIA", "GIE", "SP")]
    found = what_if(x, measures, edits_of(x.instance, FIGURE_11A.nodes, sides=["predicted"]))
    said = {edit.name: remark(found, k) for k, edit in enumerate(found.edits)}
    assert said["+ T1"] == "a right class, and GIE is worse"
    assert said["+ C"] == "a wrong class, and F_LCA is better"
    assert said["− P1"] == said["P1 → T1"] == "all agree"


def test_a_click_on_a_row_does_the_edit_and_undo_takes_it_back() -> None:
    app = looked_at()
    send(app, "what_if", "do", rows(app)["P2 → C"]["edit"])
    assert classes(app, "predicted") == ["C", "P1"]
    assert value(app, "F_LCA") == "0.57"  # {A, B, C, P1} and {A, B, T1}: 2·2/7
    app.button(key="undo").click().run()
    assert classes(app, "predicted") == ["P1", "P2"]


@pytest.mark.parametrize(
    "edit",
    [
        {"side": "predicted", "added": "nowhere", "removed": None},
        {"side": "predicted", "added": "P1", "removed": None},
        {"side": "predicted", "added": None, "removed": "C"},
        {"side": "edit", "added": "C", "removed": None},
        {"side": "predicted", "added": None, "removed": None},
        {"side": "predicted", "added": ["C"], "removed": {}},
        {},
    ],
)
@pytest.mark.parametrize("kind", ["do", "why"])
def test_what_is_no_edit_of_this_instance_does_nothing(edit: dict[str, Any], kind: str) -> None:
    app = looked_at()
    send(app, "what_if", kind, edit)
    assert classes(app, "predicted") == ["P1", "P2"]
    assert not any(text.startswith("Why") for text in words(app))


def test_why_a_measure_would_change_with_an_edit_and_why_it_did() -> None:
    app = looked_at()
    send(app, "what_if", "why", rows(app)["+ C"]["edit"])
    assert "Why would F_LCA rise with + C?" in words(app)
    assert "C meets T1 in A, so A joins both graphs; only predicted now: C." in words(app)
    app.button(key="why_do").click().run()
    assert classes(app, "predicted") == ["C", "P1", "P2"]
    assert "Why did F_LCA rise with + C?" in words(app)
    app.button(key="why_pin").click().run()
    assert sent(app, "values")[0]["rows"]["F_LCA"]["change"] == "+0.10"
    app.button(key="why_steps").click().run()
    assert bound(app, "stepping").value == "step by step"


def test_nothing_is_marked_and_nothing_is_asked() -> None:
    app = looked_at()
    for side in ("true", "predicted"):
        bound(app, f"{side}_classes").set_value([]).run()
    assert not app.exception
    assert sent(app, "graph")[0]["effects"] is None
    assert not sent(app, "what_if")


def test_an_edit_of_the_true_side_is_no_right_or_wrong() -> None:
    x = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})
    assert ClassEdit("true", "C").right(x.instance) is None


def test_a_measure_of_one_s_own_is_a_column_under_its_name() -> None:
    # 0.5·4/7 + 0.5·2/5; with T1 0.5·6/8 + 0.5·4/6.
    app = opened()
    model = app.session_state[EXPLORER.name]
    own = "mine=0.5*hF + 0.5*F_LCA"
    app.session_state[EXPLORER.name] = replace(model, own=OwnMeasures((own,)))
    send(app, "measures", "choose", {"key": own})
    bound(app, "stepping").set_value("what if").run()
    assert not app.exception
    assert sent(app, "what_if")[0]["columns"][0]["title"] == "mine"
    assert effects(app)["T1"] == "+.22 ▲"
