"""The panel beside the graph: views, bounds of the flow network, and steps."""

import pytest

from .hand import Hand

FIGURE_8B, FIGURE_15, RIEHL_4C = "kosmopoulos2015/figure-8b", "kosmopoulos2015/figure-15", "riehl2023/figure-4c3"
BOUNDS = ("bound_alpha_p", "bound_beta_p", "bound_alpha_t", "bound_beta_t")


def pairing_of_gie() -> Hand:
    return Hand().set("view", "distances").set("pairs_marked", "GIE").set("view", "pairing")


def test_loosening_the_bounds_of_gie_gives_the_error_of_mgia() -> None:
    # Figure 11(a), Table 1: GIE 7, and MGIA's error 4, for then T1 may pair with both predicted
    # classes.
    at = pairing_of_gie()
    assert (at.measure, at.value("GIE"), at.value("MGIA_error")) == ("GIE", "7.00", "4.00")
    assert [at.chosen(bound) for bound in BOUNDS] == [1, 1, 1, 1]
    at.set("bound_beta_t", 2)
    assert (at.measure, at.value("own_pairing"), at.value("GIE")) == ("own_pairing", "4.00", "7.00")
    said = at.control("view_note")["text"] if at.has("view_note") else ""
    assert "your own now" in said
    assert "own pairing error" in said
    assert "Graph-induced error (GIE) 7," in said


def test_d_max_belongs_to_every_pairing_and_is_undone_like_anything_else() -> None:
    at = pairing_of_gie().set("bound_dmax", 3.0)
    assert (at.measure, at.value("GIE")) == ("GIE", "5.00")  # 2 + 3
    assert at.press("undo").value("GIE") == "7.00"


def test_bounds_that_cannot_be_met_say_which() -> None:
    at = Hand().set("view", "pairing").set("bound_alpha_p", 4)
    assert at.value("own_accuracy") == "–"
    assert any("α_p = 4 cannot be met" in text for text in at.words)
    assert at.fault("bound_alpha_p") == ""
    assert at.set("bound_defaults", False).state.view_state.view == "pairing"


def test_the_steps_of_figure_8b_go_forward_and_back() -> None:
    at = Hand(FIGURE_8B).set("view", "LCA").set("stepping", "step by step")

    def said() -> str:
        return str(at.control("step_sentence")["text"])

    assert said().startswith("Every class meets its nearest classes")
    assert at.control("step_back")["disabled"]
    at.press("step_forward")
    assert said() == "3 is chosen: 2.1, 3.1, 3.3 have no other LCA."
    at.press("step_forward")
    assert said() == "3.2.1 is chosen: 3.2.1 has no other LCA."
    at.press("step_back")
    assert said() == "3 is chosen: 2.1, 3.1, 3.3 have no other LCA."
    at.press("step_last")
    assert at.control("step_forward")["disabled"]
    assert said().endswith("Not needed as LCA: 3.2.")
    at.set("stepping", "result")
    assert any(text.startswith("The minimal graphs share 2 classes") for text in at.words)


def test_a_step_that_no_longer_exists_falls_back_to_the_last() -> None:
    at = Hand(RIEHL_4C).set("view", "confusion").set("stepping", "step by step").press("step_last")
    at.set("predicted_classes", [])
    assert at.control("step_sentence")["text"].startswith("Summed over the paths")
    at.press("step_back")
    assert at.control("step_sentence")["text"].startswith("No predicted path is left for")


def test_the_switch_between_lca_graphs_takes_the_measure_along() -> None:
    at = Hand(FIGURE_8B).set("view", "LCA").set("graphs", "extended")
    assert at.measure == "F_LCA_ext"
    assert (at.shapes["3.2"]["true"], at.shapes["3.2"]["predicted"]) == ("added", "added")
    assert at.set("graphs", "minimal graphs").measure == "F_LCA"


def test_a_word_that_is_chosen_while_the_words_become_others_is_what_was_meant() -> None:
    # Beside what hF is read off there are no steps: "what if" is the second word, and with F_LCA
    # the third.
    at = Hand()
    what_if = {"key": "stepping", "value": at.control("stepping")["words"].index("what if"), "word": "what if"}
    at.do("values", "choose", key="F_LCA").do("control", "set", **what_if)
    assert at.chosen("stepping") == "what if"
    at.do("control", "set", key="stepping", value=0, word="walk")  # which is no word of it
    assert at.chosen("stepping") == "what if"


def test_when_the_time_for_values_is_spent_the_others_are_left_out_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing may be built but what the chosen measure needs: of the core only hF, hP and hR are
    # read off its sets.
    monkeypatch.setattr("hiermeasures.explorer.table.BUDGET", 0.0)
    at = Hand()
    shown = {key: row["value"] for key, row in at.data("values")["rows"].items()}
    assert (at.measure, shown["hF"]) == ("hF", "0.57")
    assert [key for key, text in shown.items() if text == "…"] == ["F_LCA", "MGIA", "GIE", "accuracy", "f1"]
    assert at.control("values_left_out")["text"].startswith("5 values are left out")
    assert at.set("view", "pairing").measure == "MGIA"
    assert at.data("values")["rows"]["MGIA"]["value"] == "0.73"  # 1 − 4 / (3 · 5)
