"""Kinds of mistakes of one instance."""

from fractions import Fraction

import pytest

from hiermeasures import Hierarchy
from hiermeasures.measures.mistakes import pair_labels

H = Hierarchy.from_nested({"R": {"A": {"B": ["a", "b"], "C": ["c"]}, "D": ["d", "e"]}})


@pytest.mark.parametrize(
    ("true", "predicted", "kind", "height"),
    [
        ("a", "a", "right", 0),
        ("a", "B", "too general", 1),
        ("a", "A", "too general", 2),
        ("a", "R", "too general", 3),
        ("A", "a", "too specific", 2),
        ("a", "b", "sibling", 1),
        ("B", "C", "sibling", 2),
        ("a", "c", "cousin", 2),
        ("a", "C", "cousin", 2),
        ("a", "d", "other top class", 3),
        ("A", "D", "other top class", 3),
        ("a", "zebra", "unknown", 3),
    ],
)
def test_kind_of_one_pair(true: str, predicted: str, kind: str, height: int) -> None:
    (mistake,) = pair_labels(H, {true}, {predicted})
    assert (mistake.kind, mistake.height, mistake.count) == (kind, height, 1)


@pytest.mark.parametrize(
    ("true", "predicted", "kinds"),
    [
        (["a"], [], ["no answer"]),
        ([], ["a"], ["extra"]),
        ([], ["zebra"], ["unknown"]),
        (["a", "d"], ["a"], ["right", "missed"]),
        (["a"], ["a", "d"], ["right", "extra"]),
        ([], [], []),
    ],
)
def test_what_is_left_over(true: list[str], predicted: list[str], kinds: list[str]) -> None:
    assert [m.kind for m in pair_labels(H, true, predicted)] == kinds


def test_classes_above_a_label_of_their_own_side_are_dropped() -> None:
    (mistake,) = pair_labels(H, {"R", "A", "B", "a"}, {"A", "B", "b"})
    assert (mistake.true, mistake.predicted) == ("a", "b")


def test_the_lowest_meeting_is_paired_first() -> None:
    found = {(m.true, m.predicted): m.kind for m in pair_labels(H, {"a", "d"}, {"b", "c"})}
    # a meets b in B (height 1), and c in A (height 2); so c is left for d
    assert found == {("a", "b"): "sibling", ("d", "c"): "other top class"}


def test_several_partners_share_the_count() -> None:
    h = Hierarchy.from_nested({"R": {"A": ["a", "b", "c", "d", "e"]}})
    found = pair_labels(h, {"a", "b"}, {"c", "d", "e"})
    # 2 true and 3 predicted: each pair has 1·1 / max(3, 2) = 1/3, each predicted one 1/3 left
    assert {m.count for m in found} == {Fraction(1, 3)}
    assert [m.kind for m in found] == ["sibling"] * 6 + ["extra"] * 3


def test_a_class_with_two_parents_has_siblings_below_both() -> None:
    h = Hierarchy.from_edges(
        [("R", "A"), ("R", "B"), ("A", "x"), ("A", "y"), ("B", "y"), ("B", "z")]
    )
    assert [m.kind for m in pair_labels(h, {"y"}, {"z"})] == ["sibling"]
    assert [m.kind for m in pair_labels(h, {"x"}, {"z"})] == ["other top class"]
