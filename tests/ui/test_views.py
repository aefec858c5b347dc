"""What is looked at: measures bring views, and views bring measures."""

import pytest

from hiermeasures.measures import CATALOGUE
from hiermeasures.ui.views import OPENING, VIEWS, Looking, steps, with_measure, with_view

from .test_overlays import X8B


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_measure_has_a_view_that_draws_its_structure(key: str) -> None:
    at = with_measure(OPENING, key)
    assert at.measure == key
    assert CATALOGUE[key].structure in VIEWS[at.view].structures


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
    start = with_measure(OPENING, "CoPHE_P" if view != "counts" else "hP")
    assert with_view(start, view).measure == measure


def test_a_view_that_can_draw_the_chosen_measure_keeps_it() -> None:
    at = with_view(with_measure(OPENING, "TIE"), "distances")
    assert (at.measure, at.view) == ("TIE", "distances")
    assert with_measure(at, "GIE").view == "distances"
    assert with_view(with_measure(at, "SP"), "pairing").measure == "MGIA"


def test_a_measure_of_the_extended_graphs_brings_those() -> None:
    assert with_measure(OPENING, "F_LCA_ext").graphs == "extended"
    assert with_measure(with_measure(OPENING, "F_LCA_ext"), "F_LCA").graphs is None


def test_steps_and_paths_belong_to_their_structure() -> None:
    at = Looking(measure="HCM_F1", view="confusion", path=1, step=2)
    assert with_measure(at, "HCM_PPV") == Looking("HCM_PPV", "confusion", None, 1, 2)
    assert with_measure(at, "GIE") == Looking("GIE", "pairing")
    assert with_view(at, "counts") == Looking("CoPHE_F1", "counts")


def test_only_algorithms_are_walked_step_by_step() -> None:
    assert steps(X8B, Looking(measure="F_LCA", view="lca", step=0))
    assert not steps(X8B, Looking(measure="GIE", view="distances", step=0))
    assert not steps(X8B, Looking(measure="F_LCA", view="lca"))
