"""The picture of a confusion matrix: its numbers are those of the matrix, what is the same on both
sides is framed, and small classes are added up.
"""

import random

import numpy as np
import pytest

from hiermeasures.draw.matrix import MatrixCell
from hiermeasures.evaluation import encode
from hiermeasures.evaluation.confusion_matrix import Matrix, axis
from hiermeasures.evaluation.confusion_picture import ConfusionPicture, key_of, sum_small
from hiermeasures.evaluation.mistakes import PairedLabels, pair_all
from hiermeasures.hierarchy.hierarchy import Hierarchy

H = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["c"]}})
# right, sibling, other top class, no answer, too specific, extra
TRUE = [{"a"}, {"a"}, {"b"}, {"c"}, {"A"}, set[str]()]
PREDICTED = [{"a"}, {"b"}, {"c"}, set[str](), {"a"}, {"b"}]
BETTER = [{"a"}, {"a"}, {"b"}, set[str](), {"a"}, {"b"}]


def paired(predicted: list[set[str]]) -> PairedLabels:
    return pair_all(H, encode(H, TRUE), encode(H, predicted))


def matrix(predicted: list[set[str]], rows: set[str], columns: set[str] | None = None) -> Matrix:
    labels = {"A", "a", "b", "c"}
    sides = (
        axis(H, opened, labels=labels) for opened in (rows, rows if columns is None else columns)
    )
    return Matrix.count(paired(predicted), *sides)


def cells(picture: ConfusionPicture) -> dict[tuple[str, str], MatrixCell]:
    """The cells by the names of row and column; "itself" is below its class."""
    drawn = picture.draw()
    return {
        (drawn.rows[i].label, drawn.columns[j].label): cell for (i, j), cell in drawn.cells.items()
    }


def test_closed_classes_have_everything_below_them() -> None:
    picture = ConfusionPicture(sum_small(matrix(PREDICTED, set())))
    shown = {place: cell.text for place, cell in cells(picture).items()}
    assert shown == {
        ("A", "A"): "3",  # right, sibling, too specific
        ("A", "B"): "1",
        ("B", "B"): "0",
        ("B", "missed"): "1",
        ("extra", "A"): "1",
    }
    drawn = picture.draw()
    assert [head.total for head in drawn.rows] == ["4", "1", "1"]
    assert [head.total for head in drawn.columns] == ["4", "1", "1"]
    assert drawn.total == "6"


def test_an_open_class_has_its_parts_and_no_cells() -> None:
    shown = cells(ConfusionPicture(sum_small(matrix(PREDICTED, {"A"}))))
    assert not [place for place in shown if "A" in place]
    assert {place for place, cell in shown.items() if cell.framed} == {
        ("itself", "itself"),
        ("a", "a"),
        ("b", "b"),
        ("B", "B"),
    }
    mistakes = {place: cell.text for place, cell in shown.items() if not cell.framed}
    assert mistakes == {
        ("a", "b"): "1",
        ("b", "B"): "1",
        ("itself", "a"): "1",
        ("B", "missed"): "1",
        ("extra", "b"): "1",
    }


def test_a_class_that_is_open_on_one_side_is_framed_with_all_its_parts() -> None:
    shown = cells(ConfusionPicture(sum_small(matrix(PREDICTED, set(), {"A"}))))
    framed = {place for place, cell in shown.items() if cell.framed}
    assert framed == {("A", "itself"), ("A", "a"), ("A", "b"), ("B", "B")}


def test_a_cell_reads_out_its_numbers() -> None:
    about = cells(ConfusionPicture(sum_small(matrix(PREDICTED, set()))))["A", "A"].about
    # 3 of the 4 in the row, and of the 4 in the column. One of them is right.
    assert about == "true A, predicted A: 3, 1 right, 75% of the row, 75% of the column"


def test_the_bar_of_a_closed_class_is_its_share_of_mistakes() -> None:
    closed = cells(ConfusionPicture(sum_small(matrix(PREDICTED, set()))))
    assert closed["A", "A"].inside == pytest.approx(2 / 3)  # sibling and too specific, of 3
    opened = cells(ConfusionPicture(sum_small(matrix(PREDICTED, {"A"}))))
    assert {cell.inside for cell in opened.values()} == {0.0}


@pytest.mark.parametrize(("values", "text"), [("true", "25%"), ("predicted", "100%")])
def test_shares_are_of_the_row_or_of_the_column(values: str, text: str) -> None:
    picture = ConfusionPicture(sum_small(matrix(PREDICTED, set())), values=values)  # type: ignore[arg-type]
    assert cells(picture)["A", "B"].text == text


def test_more_right_labels_and_fewer_mistakes_are_better() -> None:
    difference = matrix(BETTER, {"A"}) - matrix(PREDICTED, {"A"})
    shown = cells(ConfusionPicture(sum_small(difference), ("new", "old")))
    assert {place: (cell.text, cell.role) for place, cell in shown.items()} == {
        ("a", "a"): ("+1", "better"),
        ("a", "b"): ("−1", "better"),
        ("b", "b"): ("+1", "better"),
        ("b", "B"): ("−1", "better"),
        ("itself", "itself"): ("0", "neutral"),
        ("B", "B"): ("0", "neutral"),
    }
    reverse = matrix(PREDICTED, {"A"}) - matrix(BETTER, {"A"})
    roles = {cell.role for cell in cells(ConfusionPicture(sum_small(reverse))).values()}
    assert roles == {"worse", "neutral"}


def test_the_largest_mistake_is_darkest_and_right_cells_do_not_hide_it() -> None:
    shown = cells(ConfusionPicture(sum_small(matrix(PREDICTED, set()))))
    assert shown["A", "A"].shade == shown["A", "B"].shade == 1
    assert shown["B", "B"].shade == 0


def test_the_largest_mistakes_are_named_first() -> None:
    more = ConfusionPicture(sum_small(matrix(PREDICTED, {"A"})))
    largest = [words for _, words in more.draw().largest]
    assert set(largest[:3]) == {
        "true a, predicted b: 1",
        "true b, predicted B: 1",
        "true A itself, predicted a: 1",
    }
    assert set(largest[3:]) == {"true B, missed: 1", "extra, predicted b: 1"}
    worse = ConfusionPicture(sum_small(matrix(PREDICTED, set()) - matrix(BETTER, set())))
    # The old system predicts c for b: one mistake more, and one label of A less in A.
    assert {words for _, words in worse.draw().largest} == {
        "true A, predicted A: −1",
        "true A, predicted B: +1",
    }


def test_the_two_most_confused_classes_come_first_with_both_directions_together() -> None:
    h = Hierarchy.from_nested({"R": {"A": [], "B": [], "C": []}})
    # A and B: 3 + 2 = 5. A and C: 4 + 0. Missed A: 6, the largest cell of all.
    pairs = [("A", "B", 3), ("B", "A", 2), ("A", "C", 4), ("A", "", 6)]
    true = [{t} for t, _, times in pairs for _ in range(times)]
    predicted = [{p} - {""} for _, p, times in pairs for _ in range(times)]
    one = axis(h, (), labels={"A", "B", "C"})
    counted = Matrix.count(pair_all(h, encode(h, true), encode(h, predicted)), one, one)
    assert [words for _, words in ConfusionPicture(sum_small(counted)).draw().largest] == [
        "true A, predicted B: 3, the other way 2",
        "true A, predicted C: 4",
        "true A, missed: 6",
    ]


def test_keys_lead_to_places_and_unknown_ones_to_none() -> None:
    picture = ConfusionPicture(sum_small(matrix(PREDICTED, set())))
    first = key_of(picture.matrix.rows.entries[0])
    assert picture.find_place(first, "") == (0, None)
    assert picture.find_place("", first) == (None, 0)
    assert picture.find_place("gone", first) is None


def random_matrix(seed: int, is_tree: bool) -> Matrix:
    """A matrix of 60 instances with up to three labels on each side."""
    draw = random.Random(seed)
    names = [f"c{k}" for k in range(40)]
    parents = {k: draw.sample(range(k), 1 if is_tree else min(k, 2)) for k in range(1, 40)}
    h = Hierarchy.from_edges([(names[p], names[k]) for k, ps in parents.items() for p in ps])
    sides = [[set(draw.sample(names[1:], draw.randint(0, 3))) for _ in range(60)] for _ in range(2)]
    inner = {c for c in h.nodes if h.children(c)}
    rows, columns = (axis(h, draw.sample(sorted(inner), len(inner) // 2)) for _ in range(2))
    return Matrix.count(pair_all(h, *(encode(h, side) for side in sides)), rows, columns)


@pytest.mark.parametrize("seed", range(5))
def test_few_classes_and_the_rest_add_up_to_the_whole_of_a_tree(seed: int) -> None:
    whole = random_matrix(seed, is_tree=True)
    small = sum_small(whole, most=6)
    rows, columns = small.rows.shown, small.columns.shown
    counts = small.counts[np.ix_(rows, columns)]
    assert counts.sum() == pytest.approx(whole.total)
    assert counts.sum(axis=1) == pytest.approx(small.row_totals[rows])
    assert counts.sum(axis=0) == pytest.approx(small.column_totals[columns])
    assert (
        sum(
            entry.kind in ("class", "itself") for entry in map(small.rows.entries.__getitem__, rows)
        )
        <= 6
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("is_tree", [True, False])
def test_what_is_shown_is_what_it_was_in_the_whole(seed: int, is_tree: bool) -> None:
    whole = random_matrix(seed, is_tree)
    small = sum_small(whole, most=6)
    places = [
        {key_of(entry): k for k, entry in enumerate(one)} for one in (whole.rows, whole.columns)
    ]
    for i, row in enumerate(small.rows):
        for j, column in enumerate(small.columns):
            if "more" not in (row.kind, column.kind):
                there = places[0][key_of(row)], places[1][key_of(column)]
                assert small.counts[i, j] == pytest.approx(whole.counts[there])


def test_classes_that_are_added_up_list_their_instances() -> None:
    small = sum_small(matrix(PREDICTED, {"A", "B"}), most=1)
    (more,) = [k for k, entry in enumerate(small.rows) if entry.kind == "more"]
    # The largest class is a, with 2 true and 2 predicted labels. The others are in instances 2, 3, 4.
    assert small.instances(more, None).tolist() == [2, 3, 4]
    drawn = ConfusionPicture(small).draw()
    assert "CSV" in " ".join(drawn.notes)
    assert not any("more class" in words for _, words in drawn.largest)
