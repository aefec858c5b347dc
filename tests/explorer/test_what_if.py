"""The panel of what-if: what the drawing and the table say of every edit, what a
click on a row does, and why the chosen measure changed.
"""

from typing import Any

from hiermeasures.behaviour.what_if import ClassEdit, edits_of, what_if
from hiermeasures.explorer.edits import remark
from hiermeasures.measures import CATALOGUE, explain
from tests.behaviour.test_what_if import FIGURE_11A

from .hand import Hand


def looked_at(measure: str = "F_LCA") -> Hand:
    """Figure 11(a), D_max 5, with what-if of a measure."""
    return Hand().do("values", "choose", key=measure).set("stepping", "what if")


def effects(at: Hand, side: str = "predicted") -> dict[str, str]:
    titles = {shape["id"]: shape["title"] for shape in at.shapes.values()}
    return {titles[key]: effect["text"] for key, effect in at.data("graph")["effects"][side].items()}


def rows(at: Hand) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in at.data("edits")["rows"]}


def test_every_class_says_what_a_click_would_do() -> None:
    # By hand in tests/behaviour/test_what_if.py: F_LCA is 2·1/5, with T1 2·2/6, with C 2·2/8,
    # without P1 2·1/4.
    assert effects(looked_at()) == {
        "A": "0 ·", "B": "0 ·", "C": "+.10 ▲", "T1": "+.27 ▲", "P1": "+.10 ▲", "P2": "+.10 ▲",
    }  # fmt: skip


def test_an_error_is_better_where_it_falls_and_worse_where_it_rises() -> None:
    at = looked_at("GIE")
    assert effects(at) == {"A": "+5 ▼", "B": "+4 ▼", "C": "+5 ▼", "T1": "+3 ▼", "P1": "−5 ▲", "P2": "−5 ▲"}
    said = {effect["words"] for effect in at.data("graph")["effects"]["predicted"].values()}
    assert "A click: GIE 7 → 10, worse." in said


def test_the_table_of_edits_is_best_first_over_the_shown_measures() -> None:
    table = looked_at().data("edits")
    assert [c["key"] for c in table["columns"]] == ["F_LCA", "hF", "hP", "hR", "MGIA", "GIE", "accuracy", "f1"]
    assert [row["name"] for row in table["rows"][:3]] == ["P1 → T1", "P2 → T1", "+ T1"]
    right = table["rows"][2]
    assert [right["cells"][k]["text"] for k in (0, 1, 4, 5)] == ["+.27 ▲", "+.18 ▲", "0 ·", "+3 ▼"]
    assert (table["columns"][0]["before"], right["cells"][0]["after"]) == ("0.4", "0.6667")
    assert (right["about"], right["remark"]) == ("right", "a right class, and GIE is worse")


def test_only_conflicts_and_kinds_of_edits_can_be_asked_for() -> None:
    at = looked_at().set("edit_kinds", ["add", "remove"])
    assert set(rows(at)) == {"+ A", "+ B", "+ C", "+ T1", "− P1", "− P2"}
    assert set(rows(at.set("edit_conflicts", True))) == {"+ B", "+ C", "+ T1"}
    at.set("edit_order", "conflict first").set("edit_sides", [])
    assert rows(at) == {}
    assert at.data("edits")["note"] == "No edit is of this kind."


def test_the_remarks_of_the_design() -> None:
    x = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})
    measures = [CATALOGUE[key] for key in ("hF", "F_LCA", "MGIA", "GIE", "SP")]
    found = what_if(x, measures, edits_of(x.instance, FIGURE_11A.nodes, sides=["predicted"]))
    said = {edit.name: remark(found, k) for k, edit in enumerate(found.edits)}
    assert said["+ T1"] == "a right class, and GIE is worse"
    assert said["+ C"] == "a wrong class, and F_LCA is better"
    assert said["− P1"] == said["P1 → T1"] == "all agree"


def test_a_click_on_a_row_does_the_edit_and_undo_takes_it_back() -> None:
    at = looked_at()
    at.do("edits", "do", **rows(at)["P2 → C"]["edit"])
    assert at.chosen("predicted_classes") == ["C", "P1"]
    assert at.value("F_LCA") == "0.57"  # {A, B, C, P1} and {A, B, T1}: 2·2/7
    assert at.press("undo").chosen("predicted_classes") == ["P1", "P2"]


def test_why_a_measure_would_change_with_an_edit_and_why_it_did() -> None:
    at = looked_at()
    at.do("edits", "why", **rows(at)["+ C"]["edit"])
    assert at.control("why_question")["text"] == "Why would F_LCA rise with + C?"
    assert at.control("why_sentence")["text"] == "C meets T1 in A, so A joins both graphs; only predicted now: C."
    at.press("why_do")
    assert at.chosen("predicted_classes") == ["C", "P1", "P2"]
    assert at.control("why_question")["text"] == "Why did F_LCA rise with + C?"
    assert at.press("why_pin").data("values")["rows"]["F_LCA"]["change"] == "+0.10"
    assert at.press("why_steps").chosen("stepping") == "step by step"


def test_an_edit_of_the_true_side_is_no_right_or_wrong() -> None:
    x = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})
    assert ClassEdit("true", "C").right(x.instance) is None
