"""The form of options: made from their declarations, part of the history, and unmoved by what
cannot be used.
"""

import pytest

from hiermeasures.explore.options_form import COLUMNS, GROUPS, presets
from hiermeasures.hierarchy.options import DECLARED, Options

from .hand import Hand


def opened() -> Hand:
    return Hand().press("options")


def options(at: Hand) -> Options:
    return at.state.shown.instance.options


def test_every_option_has_its_place_once() -> None:
    names = [name for group in GROUPS.values() for name in group]
    assert sorted(names) == sorted(DECLARED)
    assert sorted(group for column in COLUMNS for group in column) == sorted(GROUPS)


@pytest.mark.parametrize(
    ("name", "entry"), [("dmax", -3.0), ("max_ancestor_distance", 0), ("rank", 0.5)]
)
def test_what_an_option_cannot_be_is_said_beside_it_and_nothing_changes(
    name: str, entry: float
) -> None:
    at = opened().press("options_more")
    before = at.state.history
    at.set(f"option_{name}", entry)
    assert f"{entry:g} " in at.fault(f"option_{name}")
    assert at.state.history is before
    at.set("option_zero_division", 1.0)
    assert at.fault(f"option_{name}") == ""


def test_an_emptied_field_is_no_value() -> None:
    at = opened().press("options_more").set("option_max_level", 1)
    assert options(at).max_level == 1
    assert options(at.set("option_max_level", None)).max_level is None


def test_a_papers_preset_sets_what_it_computes_with_and_is_shown_while_its_options_hold() -> None:
    at = opened()
    assert at.chosen("preset") == "Kosmopoulos et al. 2015"  # the figure's paper
    at.set("preset", "Plaud et al. 2024")
    # The root is no longer counted: P = {B, P1, P2} and T = {B, T1} share one of three.
    assert (at.value("hP"), at.chosen("preset")) == ("0.33", "Plaud et al. 2024")
    at.press("options_reset")
    assert (options(at), at.control("options_reset")["disabled"]) == (Options.make(), True)
    assert at.set("option_dmax", 3).chosen("preset") is None
    at.show("falis2021/figure-1").set("preset", "Kosmopoulos et al. 2015")  # the same options
    assert at.chosen("preset") == "Kosmopoulos et al. 2015"


def test_the_presets_are_what_the_papers_own_files_say() -> None:
    assert {key: o.given for key, o in presets().items()} == {
        "kosmopoulos2015": {"dmax": 5},
        "falis2021": {},
        "plaud2024": {"count_root": False},
        "riehl2023": {"negatives": "children", "path_derivation": "benevolent"},
    }


def test_the_base_of_weights_is_asked_for_only_where_it_matters() -> None:
    at = opened()
    assert not at.has("option_weight_base")
    assert at.set("option_edge_weights", "exponential").chosen("option_weight_base") == 0.5
