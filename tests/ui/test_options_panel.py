"""The panel of options: made from their declarations, part of the history, and unmoved by what cannot be used."""

import pytest
from streamlit.testing.v1 import AppTest

from hiermeasures.options import Options
from hiermeasures.ui.options_panel import COLUMNS, GROUPS, presets
from hiermeasures.ui.state import Shown

from .screen import bound, errors, opened, picker, value


def options(app: AppTest) -> Options:
    return app.session_state.explorer_model.history.present.instance.options


def entered(app: AppTest, name: str, content: object) -> AppTest:
    """A number typed into an option's field."""
    return bound(app, f"option_{name}").set_value(content).run()


def test_every_option_has_its_place_once() -> None:
    names = [name for group in GROUPS.values() for name in group]
    assert sorted(names) == sorted(Options.model_fields)
    assert sorted(group for column in COLUMNS for group in column) == sorted(GROUPS)


def test_an_option_changes_the_values_and_undo_takes_it_back() -> None:
    # Figure 11(a): T1 pairs with one of P1, P2 at distance 2, the other costs D_max: 2 + 5, then 2 + 3.
    app = opened("options")
    assert value(app, "GIE") == "7.00"
    entered(app, "dmax", 3.0)
    assert value(app, "GIE") == "5.00"
    app.button(key="undo").click().run()
    assert value(app, "GIE") == "7.00"
    assert bound(app, "option_dmax").value == 5


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("dmax", -3.0, "-3 should be greater than 0; it stays 5"),
        ("max_ancestor_distance", 0, "0 should be greater than or equal to 1; it stays empty"),
    ],
)
def test_what_an_option_cannot_be_is_said_and_nothing_changes(name: str, content: float, message: str) -> None:
    app = opened("options")
    before = options(app)
    entered(app, name, content)
    assert errors(app) == [message]
    assert options(app) == before
    entered(app, "zero_division", 1.0)
    assert errors(app) == []


def test_a_distance_that_would_cut_below_given_paths_is_refused() -> None:
    app = opened("options")
    picker(app).set_value("riehl2023/figure-4a1").run()
    entered(app, "max_ancestor_distance", 1)
    (message,) = errors(app)
    assert "paths cannot be given" in message
    assert options(app).max_ancestor_distance is None
    assert not app.exception


def test_a_papers_preset_sets_what_it_computes_with() -> None:
    app = opened("options")
    bound(app, "preset").set_value("plaud2024").run()
    # The root is no longer counted: P = {B, P1, P2} and T = {B, T1} share one of three.
    assert value(app, "hP") == "0.33"
    app.button(key="options_reset").click().run()
    assert value(app, "hP") == "0.50"
    assert options(app) == Options.make()


def test_the_preset_shown_is_that_of_the_figures_paper_while_its_options_hold() -> None:
    app = opened("options")
    assert bound(app, "preset").value == "kosmopoulos2015"
    entered(app, "dmax", 3.0)
    assert bound(app, "preset").value is None
    picker(app).set_value("falis2021/figure-1").run()
    assert bound(app, "preset").value == "falis2021"


def test_the_presets_are_what_the_papers_own_files_say() -> None:
    assert presets() == {
        "kosmopoulos2015": {"dmax": 5},
        "falis2021": {},
        "plaud2024": {"count_root": False},
        "riehl2023": {"negatives": "children", "path_derivation": "benevolent"},
    }


def test_the_base_of_weights_is_asked_for_only_where_it_matters() -> None:
    app = opened("options")
    assert not [field for field in app.number_input if field.key == "option_weight_base"]
    bound(app, "option_edge_weights").set_value("exponential").run()
    assert bound(app, "option_weight_base").value == 0.5


def test_the_same_options_again_change_nothing() -> None:
    app = opened("options")
    shown: Shown = app.session_state.explorer_model.history.present
    assert shown.with_options(Options.make(dmax=5)) is shown
