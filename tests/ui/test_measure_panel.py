"""The panel beside the graph, without a browser: views, bounds of the flow network, and steps."""

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.measures import CATALOGUE
from hiermeasures.ui.views import VIEWS

from .screen import bound, errors, field, opened, picker, sent, shapes, value

FIGURE_8B, FIGURE_15, RIEHL_4C = "kosmopoulos2015/figure-8b", "kosmopoulos2015/figure-15", "riehl2023/figure-4c3"


def looked_at(app: AppTest, view: str, figure: str | None = None) -> AppTest:
    if figure:
        picker(app).set_value(figure).run()
    switch(app, "view", view)
    return app


def switch(app: AppTest, name: str, choice: str) -> AppTest:
    bound(app, name).set_value(choice).run()
    assert not app.exception
    return app


def texts(app: AppTest) -> list[str]:
    return [text["text"] for text in sent(app, "text")]


def measure(app: AppTest) -> str:
    return sent(app, "values")[0]["chosen"]


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception
    return app


@pytest.mark.parametrize("figure", [FIGURE_8B, FIGURE_15, RIEHL_4C])
def test_every_view_opens_with_its_measure_and_a_table_or_figure(figure: str) -> None:
    app = opened()
    for view in VIEWS:
        looked_at(app, view, figure)
        assert CATALOGUE[measure(app)].structure.key in VIEWS[view].structures
        assert sent(app, "flow") if view == "pairing" else sent(app, "table")[0]["rows"]


def test_views_stay_when_everything_is_taken_off() -> None:
    app = opened()
    field(app, "true").set_value([]).run()
    field(app, "predicted").set_value([]).run()
    for view in VIEWS:
        looked_at(app, view)
        assert len(shapes(app)) == 6


def test_loosening_the_bounds_of_gie_gives_the_error_of_mgia() -> None:
    # Figure 11(a), Table 1: GIE 7, and MGIA's error 4, for then T1 may pair with both predicted classes.
    app = looked_at(opened(), "distances")
    switch(app, "pairs_marked", "GIE")
    looked_at(app, "pairing")
    assert (measure(app), value(app, "GIE"), value(app, "MGIA_error")) == ("GIE", "7.00", "4.00")
    assert [bound(app, f"bound_{b}").value for b in ("alpha_p", "beta_p", "alpha_t", "beta_t")] == [1, 1, 1, 1]
    bound(app, "bound_beta_t").set_value(2).run()
    assert (measure(app), value(app, "own_pairing")) == ("own_pairing", "4.00")
    assert value(app, "GIE") == "7.00"
    said = next(text for text in texts(app) if "your own now" in text)
    assert "own pairing error" in said
    assert "Graph-induced error (GIE) 7," in said


def test_the_bounds_have_names_that_can_be_read_aloud() -> None:
    app = opened()
    looked_at(app, "pairing")
    labels = [field.label for field in app.number_input]
    assert labels == ["α_p least", "β_p most", "α_t least", "β_t most", "D_max"]


def test_d_max_belongs_to_every_pairing_and_is_undone_like_anything_else() -> None:
    app = looked_at(opened(), "distances")
    switch(app, "pairs_marked", "GIE")
    looked_at(app, "pairing")
    bound(app, "bound_dmax").set_value(3.0).run()
    assert (measure(app), value(app, "GIE")) == ("GIE", "5.00")  # 2 + 3
    press(app, "undo")
    assert value(app, "GIE") == "7.00"


def test_bounds_that_cannot_be_met_say_which() -> None:
    app = looked_at(opened(), "pairing")
    bound(app, "bound_alpha_p").set_value(4).run()
    assert value(app, "own_accuracy") == "–"
    assert any("α_p = 4 cannot be met" in text for text in texts(app))
    assert not errors(app)
    next(box for box in app.checkbox if box.label == "default classes").set_value(False).run()
    assert not app.exception


def test_fields_of_one_network_are_never_taken_for_those_of_another() -> None:
    # A page that is a moment behind sends the values of the network before; each network has fields of its own.
    app = looked_at(opened(), "pairing", FIGURE_8B)
    before = bound(app, "bound_beta_p").key
    looked_at(app, "pairing", FIGURE_15)
    assert bound(app, "bound_beta_p").key != before
    assert (measure(app), bound(app, "bound_beta_p").value) == ("MGIA", 1)


def test_the_steps_of_figure_8b_go_forward_and_back() -> None:
    app = switch(looked_at(opened(), "lca", FIGURE_8B), "stepping", "step by step")
    assert any(text.startswith("Every class meets its nearest classes") for text in texts(app))
    assert app.button(key="step_back").disabled
    press(app, "step_forward")
    assert "3 is chosen: 2.1, 3.1, 3.3 have no other LCA." in texts(app)
    press(app, "step_forward")
    assert "3.2.1 is chosen: 3.2.1 has no other LCA." in texts(app)
    press(app, "step_back")
    assert "3 is chosen: 2.1, 3.1, 3.3 have no other LCA." in texts(app)
    press(app, "step_last")
    assert app.button(key="step_forward").disabled
    assert any(text.endswith("Not needed as LCA: 3.2.") for text in texts(app))
    switch(app, "stepping", "result")
    assert any(text.startswith("The minimal graphs share 2 classes") for text in texts(app))


def test_a_step_that_no_longer_exists_falls_back_to_the_last() -> None:
    app = switch(looked_at(opened(), "confusion", RIEHL_4C), "stepping", "step by step")
    press(app, "step_last")
    field(app, "predicted").set_value([]).run()
    assert not app.exception
    assert any(text.startswith("Summed over the paths") for text in texts(app))
    press(app, "step_back")
    assert any(text.startswith("No predicted path is left for") for text in texts(app))


def test_the_switch_between_lca_graphs_takes_the_measure_along() -> None:
    app = looked_at(opened(), "lca", FIGURE_8B)
    switch(app, "graphs", "extended")
    assert measure(app) == "F_LCA_ext"
    assert (shapes(app)["3.2"]["true"], shapes(app)["3.2"]["predicted"]) == ("added", "added")
    switch(app, "graphs", "minimal")
    assert measure(app) == "F_LCA"


def test_when_the_time_for_values_is_spent_the_others_are_left_out_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing may be built but what the chosen measure needs: of the best known only hF is read off its sets.
    monkeypatch.setattr("hiermeasures.ui.explore.values.BUDGET", 0.0)
    app = opened()
    shown = {key: row["value"] for key, row in sent(app, "values")[0]["rows"].items()}
    assert measure(app) == "hF"
    assert shown["hF"] == "0.57"
    assert [key for key, text in shown.items() if text == "…"] == ["F_LCA", "MGIA", "GIE", "HCM_F1", "CoPHE_F1"]
    assert any(text.startswith("5 values are left out") for text in texts(app))
    looked_at(app, "pairing")
    assert measure(app) == "MGIA"
    assert sent(app, "values")[0]["rows"]["MGIA"]["value"] == "0.73"  # 1 − 4 / (3 · 5)
