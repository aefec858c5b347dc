"""What is looked at: measures bring views, and views bring measures."""

import pytest

from hiermeasures.measures import CATALOGUE
from hiermeasures.ui.explore.looking import VIEWS, Looking


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_measure_has_a_view_that_draws_its_structure(key: str) -> None:
    at = Looking().choosing(key)
    assert at.measure == key
    assert CATALOGUE[key].structure.key in VIEWS[at.view].structures


@pytest.mark.parametrize(
    ("view", "measure"),
    [
        ("classes", "accuracy"),
        ("ancestors", "hF"),
        ("descendants", "hF_desc"),
        ("lca", "F_LCA"),
        ("pairing", "MGIA"),
        ("confusion", "HCM_F1"),
        ("counts", "CoPHE_F1"),
        ("distances", "SP"),
    ],
)
def test_a_view_brings_its_best_known_measure(view: str, measure: str) -> None:
    start = Looking().choosing("CoPHE_P" if view != "counts" else "hP")
    assert start.viewing(view).measure == measure


def test_a_view_that_can_draw_the_chosen_measure_keeps_it() -> None:
    at = Looking().choosing("TIE").viewing("distances")
    assert (at.measure, at.view) == ("TIE", "distances")
    assert at.choosing("GIE").view == "distances"
    assert at.choosing("SP").viewing("pairing").measure == "MGIA"


def test_a_measure_of_the_extended_graphs_brings_those() -> None:
    assert Looking().choosing("F_LCA_ext").graphs == "extended"
    assert Looking().choosing("F_LCA_ext").choosing("F_LCA").graphs is None


def test_steps_and_paths_belong_to_their_structure() -> None:
    at = Looking(measure="HCM_F1", view="confusion", path=1, step=2)
    assert at.choosing("HCM_PPV") == Looking("HCM_PPV", "confusion", None, 1, 2)
    assert at.choosing("GIE") == Looking("GIE", "pairing")
    assert at.viewing("counts") == Looking("CoPHE_F1", "counts")


def test_only_algorithms_are_walked_step_by_step() -> None:
    assert Looking(measure="F_LCA", view="lca", step=0).stepping
    assert not Looking(measure="GIE", view="distances", step=0).stepping
