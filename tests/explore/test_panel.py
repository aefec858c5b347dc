"""The panel beside the graph: views, bounds of the flow network, steps, a second measure, and what if."""

from dataclasses import replace
from typing import Any

import pytest

from hiermeasures.debug.what_if import edits_of, what_if
from hiermeasures.draw.views import OPENING, steps, with_measure
from hiermeasures.explore.library import figure
from hiermeasures.explore.what_if import EditChoice, edits_data
from hiermeasures.measures import explain_instance

from .hand import Hand

FIGURE_8B = "kosmopoulos2015/figure-8b"
BOUNDS = ("bound_alpha_p", "bound_beta_p", "bound_alpha_t", "bound_beta_t")


def pairing_of_gie() -> Hand:
    return Hand().set("view", "distances").set("pairs_marked", "GIE").set("view", "pairing")


def test_d_max_belongs_to_every_pairing_and_is_undone_like_anything_else() -> None:
    at = pairing_of_gie().set("bound_dmax", 3.0)
    assert (at.measure, at.value("GIE")) == ("GIE", "5.00")  # 2 + 3
    assert at.press("undo").value("GIE") == "7.00"


def test_the_bounds_are_behind_network_options_and_d_max_is_in_sight() -> None:
    keys = lambda hand: {control.get("key") for control in hand.all()}
    at = pairing_of_gie()
    assert not set(BOUNDS) & keys(at)
    assert {"bound_dmax", "fields_more"} <= keys(at)
    assert set(BOUNDS) <= keys(at.use("fields_more", True))


@pytest.mark.parametrize(
    ("measure", "value"),
    # Figure 11(a): the cheapest pairing costs 2 + 2 for MGIA, and D_max is 5: 1 - 4/(3*5)
    [("MGIA", "MGIA is 0.7333."), ("MGIA_error", "MGIA_error is 4."), ("F_LCA", "F_LCA is 0.4.")],
)
def test_the_steps_end_with_the_value(measure: str, value: str) -> None:
    instance = figure("kosmopoulos2015/figure-11a").instance
    x = explain_instance(instance)
    walk = steps(x, replace(with_measure(OPENING, measure), step=0))
    assert walk[-1].sentence.endswith(value)
    assert not walk[0].sentence.endswith(value)


def test_bounds_that_cannot_be_met_say_which() -> None:
    at = Hand().set("view", "pairing").use("fields_more", True).set("bound_alpha_p", 4)
    assert at.value("own_accuracy") == "–"
    assert any("α_p = 4 cannot be met" in text for text in at.words)
    assert at.fault("bound_alpha_p") == ""
    assert at.set("bound_defaults", False).state.view_state.view == "pairing"


def test_the_steps_of_figure_8b_go_forward_and_back() -> None:
    at = Hand(FIGURE_8B).set("view", "LCA").set("stepping", "Step by step")

    assert at.control("step_back")["disabled"]
    said = [at.control("step_sentence")["text"]]
    said += [
        at.press(f"step_{way}").control("step_sentence")["text"]
        for way in ("forward", "forward", "back", "last")
    ]
    assert [text.split()[0] for text in said] == ["For", "3", "3.2.1", "3", "The"]
    assert at.control("step_forward")["disabled"]
    at.set("stepping", "Why")
    assert any(text.startswith("The minimal graphs share 2 classes") for text in at.words)


def test_the_switch_between_lca_graphs_takes_the_measure_along() -> None:
    at = Hand(FIGURE_8B).set("view", "LCA").set("graphs", "extended")
    assert at.measure == "F_LCA_ext"
    assert (at.shapes["3.2"]["true"], at.shapes["3.2"]["predicted"]) == ("added", "added")
    assert at.set("graphs", "minimal graphs").measure == "F_LCA"


def test_a_word_that_is_chosen_while_the_words_become_others_is_what_was_meant() -> None:
    # Beside what hF is read off there are no steps: "what if" is the second word, and with F_LCA
    # the third.
    at = Hand()
    what_if = {"place": at.control("stepping")["words"].index("What if"), "word": "What if"}
    at.do("values", "choose", key="F_LCA").use("stepping", what_if)
    assert at.chosen("stepping") == "What if"
    at.use("stepping", {"place": 0, "word": "walk"})  # which is no word of it
    assert at.chosen("stepping") == "What if"


def test_when_the_time_for_values_is_spent_the_others_are_left_out_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Nothing may be built but what the chosen measure needs: of the core only hF, hP and hR are
    # read off its sets.
    monkeypatch.setattr("hiermeasures.explore.model.BUDGET", 0.0)
    at = Hand()
    shown = {key: row["value"] for key, row in at.data("values")["rows"].items()}
    assert (at.measure, shown["hF"]) == ("hF", "0.57")
    assert [key for key in shown if shown[key] == "…"] == "F_LCA MGIA GIE accuracy f1".split()
    assert at.control("values_left_out")["text"].startswith("5 ")
    assert at.set("view", "pairing").measure == "MGIA"
    assert at.data("values")["rows"]["MGIA"]["value"] == "0.73"  # 1 − 4 / (3 · 5)


# --- a second measure beside the first ------------------------------------------------------------


def test_a_second_measure_stands_beside_the_chosen_one_with_its_own_drawing() -> None:
    # Figure 11(a): hF = 2 * 2 / (4 + 3); GIE pairs T1 with one prediction, 2, and charges the
    # other, 5.
    at = Hand().set("second", "with Graph-induced error")
    said = at.control("beside_difference")["text"]
    assert all(
        words in said for words in ("0.57 (higher", "“ancestors”", "7.00 (lower", "“pairing”")
    )
    first, second = at.data("graph"), at.data("beside_graph")
    assert first["scene"]["links"] == []
    assert second["scene"]["links"]  # the pairs
    assert second.get("click") is None
    assert "2.00" in at.click("P2").control("beside_difference")["text"]  # T1 with P1 alone: 2
    assert not at.set("second", "no second measure").has("beside")


# --- what if --------------------------------------------------------------------------------------


def looked_at(measure: str = "F_LCA") -> Hand:
    """Figure 11(a), D_max 5, with what-if of a measure."""
    return Hand().do("values", "choose", key=measure).set("stepping", "What if")


def effects(at: Hand, side: str = "predicted") -> dict[str, str]:
    titles = {shape["id"]: shape["title"] for shape in at.shapes.values()}
    return {
        titles[key]: effect["text"] for key, effect in at.data("graph")["effects"][side].items()
    }


def rows(at: Hand) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in at.data("edits")["rows"]}


def test_the_table_of_edits_is_best_first_over_the_shown_measures() -> None:
    table = looked_at().data("edits")
    keys = [c["key"] for c in table["columns"]]
    assert keys == "F_LCA hF hP hR MGIA GIE accuracy f1".split()
    assert [row["name"] for row in table["rows"][:3]] == ["P1 → T1", "P2 → T1", "+ T1"]
    right = table["rows"][2]
    assert [right["cells"][k]["text"] for k in (0, 1, 4, 5)] == ["+.27 ▲", "+.18 ▲", "0 ·", "+3 ▼"]
    assert (table["columns"][0]["before"], right["cells"][0]["after"]) == ("0.4", "0.6667")
    about = {row["name"]: row["about"] for row in table["rows"]}
    # T1 is below B
    assert (about["+ B"], about["+ C"], about["+ T1"]) == ("above the truth", "wrong", "right")


def test_edits_that_are_left_out_are_counted_and_the_host_says_how_to_see_them() -> None:
    before = explain_instance(figure("kosmopoulos2015/figure-11a").instance)
    measures = [before.measure("hF")]
    found = what_if(
        before, measures, edits_of(before.instance, before.instance.hierarchy.nodes), most=3
    )
    note = edits_data(found, EditChoice(), "hF", "Install more.")["note"]
    assert note == f"{found.left_out} more edits are left out. Install more."
    whole = what_if(before, measures, edits_of(before.instance, before.instance.hierarchy.nodes))
    assert found.left_out == len(whole.edits) - 3 > 0
    assert edits_data(whole, EditChoice(), "hF", "Install more.")["note"] == ""


def test_a_click_on_a_row_does_the_edit_and_undo_takes_it_back() -> None:
    at = looked_at()
    at.do("edits", "do", **rows(at)["P2 → C"]["edit"])
    assert at.chosen("predicted_classes") == ["C", "P1"]
    assert at.value("F_LCA") == "0.57"  # {A, B, C, P1} and {A, B, T1}: 2·2/7
    assert at.press("undo").chosen("predicted_classes") == ["P1", "P2"]


def test_why_a_measure_would_change_with_an_edit_and_why_it_did() -> None:
    at = looked_at()
    at.do("edits", "why", **rows(at)["+ C"]["edit"])
    assert "F_LCA rise with + C" in at.control("why_question")["text"]
    assert at.control("why_sentence")["text"].startswith("C meets T1 in A")
    at.press("why_do")
    assert at.chosen("predicted_classes") == ["C", "P1", "P2"]
    assert at.press("why_pin").data("values")["rows"]["F_LCA"]["change"] == "+0.10"
    assert at.press("why_steps").chosen("stepping") == "Step by step"
