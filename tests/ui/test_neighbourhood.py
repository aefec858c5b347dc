"""What is drawn of a large hierarchy."""

from pathlib import Path

from hiermeasures import Hierarchy
from hiermeasures.ui.graph.neighbourhood import MOST_DRAWN, neighbourhood, next_neighbourhood
from tests.conftest import SAMPLES

# 20 groups of 30 classes under one root: 621 classes.
LARGE = Hierarchy.from_edges(
    [("r", f"g{i}") for i in range(20)] + [(f"g{i}", f"g{i}.{j}") for i in range(20) for j in range(30)]
)


def test_a_small_hierarchy_is_drawn_whole() -> None:
    h = Hierarchy.from_edges([("r", f"c{i}") for i in range(MOST_DRAWN - 1)])
    assert neighbourhood(h, ["c1"]).nodes == h.nodes


def test_of_a_large_one_the_classes_their_ancestors_and_siblings_are_drawn() -> None:
    near = neighbourhood(LARGE, {"g3.7", "g9.1"})
    assert {"r", "g3", "g3.7", "g9", "g9.1"} <= set(near.nodes)
    assert set(LARGE.children("g3")) | set(LARGE.children("g9")) | set(LARGE.children("r")) <= set(near.nodes)
    assert len(near.nodes) <= MOST_DRAWN
    assert near.folded == len(LARGE) - len(near.nodes)


def test_every_drawn_class_is_drawn_with_all_its_ancestors() -> None:
    drawn = set(neighbourhood(LARGE, {"g3.7"}).nodes)
    assert all(LARGE.ancestors(c) <= drawn for c in drawn)


def test_what_is_folded_away_is_counted_where_it_hangs() -> None:
    near = neighbourhood(LARGE, {"g3.7"})
    assert near.folded_children["g19"] == 30
    assert "g3" not in near.folded_children
    assert sum(near.folded_children.values()) == near.folded


def test_unfolding_shows_the_children() -> None:
    assert set(LARGE.children("g19")) <= set(neighbourhood(LARGE, {"g3.7"}, unfolded={"g19"}).nodes)


def test_a_click_on_a_drawn_class_changes_nothing_that_is_drawn() -> None:
    before = neighbourhood(LARGE, {"g3.7"})
    assert next_neighbourhood(before, LARGE, {"g3.7", "g3.8"}) is before
    assert next_neighbourhood(before, LARGE, {"g19.1"}) is not before


def test_more_selected_classes_than_can_be_drawn_stay_within_the_limit() -> None:
    near = neighbourhood(LARGE, LARGE.nodes)
    assert len(near.nodes) <= MOST_DRAWN


def test_the_germeval_hierarchy_is_drawn_around_what_is_selected(data: Path) -> None:
    from hiermeasures.io import read_hierarchy

    h = read_hierarchy(data / "germeval2019/hierarchy.txt")
    selected, top = ("Krimis", "Romane") if data == SAMPLES else ("Science Fiction", "Literatur & Unterhaltung")
    near = neighbourhood(h, {selected})
    assert top in near.nodes
    assert set(h.children(selected)) <= set(near.nodes)
