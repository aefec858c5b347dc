"""The part of a large hierarchy that is drawn."""

from pathlib import Path

from hiermeasures import Hierarchy
from hiermeasures.picture.layout import MOST_DRAWN, READABLE, WHOLE, neighbourhood, next_neighbourhood, unfold
from tests.conftest import SAMPLES

# 20 groups of 30 classes under one root: 621 classes.
LARGE = Hierarchy.from_edges(
    [("r", f"g{i}") for i in range(20)] + [(f"g{i}", f"g{i}.{j}") for i in range(20) for j in range(30)]
)


def test_a_small_hierarchy_is_drawn_whole() -> None:
    h = Hierarchy.from_edges([("r", f"c{i}") for i in range(WHOLE - 1)])
    assert neighbourhood(h, ["c1"]).nodes == h.nodes
    larger = Hierarchy.from_edges([("r", f"c{i}") for i in range(WHOLE)])
    assert len(neighbourhood(larger, ["c1"]).nodes) == READABLE


def test_what_was_unfolded_stays_so_when_the_hierarchy_is_edited() -> None:
    before = unfold(neighbourhood(LARGE, {"g3.7"}), {"g3.7"}, "g19")
    edited = Hierarchy.from_edges([*LARGE.edges, ("g19", "new")])
    assert {"new", *LARGE.children("g19")} <= set(next_neighbourhood(before, edited, {"g3.7"}).nodes)


def test_of_a_large_one_the_classes_and_their_ancestors_are_drawn_with_siblings_of_each_while_it_can_be_read() -> None:
    near = neighbourhood(LARGE, {"g3.7", "g9.1"})
    assert {"r", "g3", "g3.7", "g9", "g9.1"} <= set(near.nodes)
    assert len(near.nodes) == READABLE
    assert near.folded == len(LARGE) - len(near.nodes)
    drawn = [len(set(LARGE.children(parent)) & set(near.nodes)) for parent in ("g3", "g9")]
    assert abs(drawn[0] - drawn[1]) <= 1
    assert sum(drawn) == READABLE - 3  # r, g3 and g9 are the others


def test_all_marked_classes_and_their_ancestors_are_drawn_however_many() -> None:
    marked = {f"g{i}.{j}" for i in range(20) for j in range(3)}
    near = neighbourhood(LARGE, marked)
    assert set(near.nodes) == {"r", *(f"g{i}" for i in range(20)), *marked}


def test_where_nothing_is_marked_whole_levels_are_drawn_from_the_top() -> None:
    assert neighbourhood(LARGE, ()).nodes == ("r", *(f"g{i}" for i in range(20)))


def test_of_a_first_level_that_is_too_long_some_are_drawn() -> None:
    flat = Hierarchy.from_edges([("r", f"c{i}") for i in range(500)])
    assert len(neighbourhood(flat, ()).nodes) == READABLE


def test_every_drawn_class_is_drawn_with_all_its_ancestors() -> None:
    drawn = set(neighbourhood(LARGE, {"g3.7"}).nodes)
    assert all(LARGE.ancestors(c) <= drawn for c in drawn)


def test_what_is_folded_away_is_counted_where_it_hangs() -> None:
    near = neighbourhood(LARGE, {"g3.7"})
    assert near.folded_children == {"r": 19}  # r, g3 and its 30 children are READABLE
    near = neighbourhood(LARGE, ())
    assert near.folded_children["g19"] == 30
    assert "r" not in near.folded_children
    assert sum(near.folded_children.values()) == near.folded


def test_a_click_on_a_drawn_class_changes_nothing_that_is_drawn() -> None:
    before = neighbourhood(LARGE, {"g3.7"})
    assert next_neighbourhood(before, LARGE, {"g3.7", "g3.8"}) is before
    assert next_neighbourhood(before, LARGE, {"g19.1"}) is not before


def test_more_selected_classes_than_can_be_drawn_stay_within_the_limit() -> None:
    near = neighbourhood(LARGE, LARGE.nodes)
    assert len(near.nodes) <= MOST_DRAWN


def test_the_germeval_hierarchy_is_drawn_around_what_is_selected(data: Path) -> None:
    from hiermeasures.formats import read_hierarchy

    h = read_hierarchy(data / "germeval2019/hierarchy.txt")
    selected, top = ("Krimis", "Romane") if data == SAMPLES else ("Science Fiction", "Literatur & Unterhaltung")
    near = neighbourhood(h, {selected})
    assert top in near.nodes
    assert set(h.children(selected)) <= set(near.nodes)


def test_unfolding_a_class_shows_its_children_and_leaves_what_else_was_folded() -> None:
    h = Hierarchy.from_edges(
        [("r", f"g{i}") for i in range(6)] + [(f"g{i}", f"g{i}.{j}") for i in range(6) for j in range(5)]
    )
    near = neighbourhood(h, {"g0.0", "g5.4"}, limit=8)
    label = next(iter(near.folded_children))
    opened = unfold(near, {"g0.0", "g5.4"}, label)
    assert set(h.children(label)) <= set(opened.nodes)
    assert {"g0.0", "g5.4"} <= set(opened.nodes)
    assert len(opened.nodes) <= len(near.nodes) + near.folded_children[label]
