"""Hierarchies of paths, codes, ranks and tables: what is found by looking at labels, and what is
refused.
"""

import pandas as pd
import pytest

from hiermeasures import Hierarchy, InputError, explain
from hiermeasures.hierarchy.label_notation import notation_of


def edges(h):
    return {(above, below) for above, below in h.edges if above != "(root)"}


def test_a_class_is_its_whole_path_and_is_shown_by_its_last_part_where_that_is_its_alone():
    h = Hierarchy.from_paths(["Women > Shoes", "Men > Shoes", "Men > Hats"])
    assert edges(h) == {("Women", "Women > Shoes"), ("Men", "Men > Shoes"), ("Men", "Men > Hats")}
    assert (h.title("Men > Hats"), h.title("Men > Shoes"), h.title("Men")) == (
        "Hats",
        "Men > Shoes",
        "Men",
    )
    drawn = explain(h, {"Men > Hats"}, {"Men > Shoes"}).drawing().svg
    assert ">Hats<" in drawn


def test_titles_stay_through_pickles_weights_and_levels():
    import pickle

    h = Hierarchy.from_paths(["A > B > C"])
    for other in (
        pickle.loads(pickle.dumps(h)),
        h.with_weights("level"),
        h.down_to(1),
        h.numbered_by_name,
    ):
        assert other.title("A > B") == "B"


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (["A > B", "A > C"], "paths separated by ' > ', 2 levels, 3 classes"),
        (
            ["k__Bacteria;p__Firmicutes", "k__Bacteria;p__"],
            "paths separated by ';', 2 levels, 2 classes",
        ),
        (["k__A; p__B", "k__A"], "paths separated by '; ', 2 levels, 2 classes"),
        (["A/B/C", "A/D"], "paths separated by '/', 3 levels, 4 classes"),
        (["I21.0", "I21.1"], "codes separated by '.', 2 levels, 3 classes"),
        (["D12.776", "D12.776.157"], "codes separated by '.', 3 levels, 3 classes"),
        (
            ["01.1", "01.11", "02"],
            "codes with a level for each character after '.', 3 levels, 4 classes",
        ),
        (["1111", "2310"], "codes with 1, 2, 3, 4 characters, 4 levels, 8 classes"),
    ],
)
def test_the_notation_is_found_and_told_in_a_line(labels, told):
    assert Hierarchy.from_labels(labels).notes[0] == told


@pytest.mark.parametrize(
    "labels", [["cat", "dog"], [str(k) for k in range(500)], ["a", "b/c", "d"], []]
)
def test_names_and_numbers_are_no_notation(labels):
    assert notation_of(labels) is None


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Hierarchy.from_paths(["A > B", "A >  > C"]), "path 'A >  > C' skips a level"),
        (lambda: Hierarchy.from_paths(["A > B", "A > > C"]), "path 'A > > C' skips a level"),
        (
            lambda: Hierarchy.from_codes(["11111"], levels=(1, 2)),
            "code '11111' has 5 characters, but the levels have 1, 2",
        ),
        (
            lambda: Hierarchy.from_labels(["A > B", "A > C", "A/D"]),
            "1 have '/', such as 'A/D', and 2 have ' > '",
        ),
        (lambda: Hierarchy.from_labels(["cat", "dog"]), "neither like paths nor like codes"),
        (
            lambda: Hierarchy.from_ranks([("A", None, "C")]),
            "row 1 skips a rank: column 2 is empty, but 'C'",
        ),
        (lambda: Hierarchy.from_paths([]), "needs at least one class"),
    ],
)
def test_what_cannot_be_read_is_said_plainly(make, message):
    with pytest.raises(InputError, match=f".*{message.replace('(', '.')}.*"):
        make()


def test_parts_with_another_separator_in_them_are_parts():
    h = Hierarchy.from_labels(["Audio / Video > Radios", "Audio / Video > Cameras", "Rock/Pop"])
    assert h.parents("Audio / Video > Radios") == ("Audio / Video",)


def test_ranks_of_a_frame_become_paths_and_end_where_they_are_missing():
    h = Hierarchy.from_ranks(pd.DataFrame({"kingdom": ["Life", "Life"], "species": ["Cat", None]}))
    assert edges(h) == {("Life", "Life > Cat")}


def test_a_frame_of_codes_has_tops_without_parents_and_titles_beside_the_codes():
    table = pd.DataFrame(
        {"code": [1, 11, 12], "up": [None, 1, 1], "text": ["Managers", "Executives", None]}
    )
    h = Hierarchy.from_frame(table, child="code", parent="up", title="text")
    assert edges(h) == {("1", "11"), ("1", "12")}
    assert (h.title("11"), h.title("12")) == ("Executives", "12")
    with pytest.raises(InputError, match="unknown column 'parent'"):
        Hierarchy.from_frame(table, child="code", parent="parent")
    with pytest.raises(InputError, match="row 2: no class in the column 'code'"):
        Hierarchy.from_frame(table.assign(code=[1, None, 12]), child="code", parent="up")


def test_a_path_of_very_many_parts_is_refused_before_its_classes_are_made():
    for label in ("/".join("abc" * 300), "a/" * 300_000):
        with pytest.raises(InputError, match="at most"):
            Hierarchy.from_paths(["a/b", label], separator="/")


def test_the_names_of_all_classes_are_bounded_together():
    # Each label makes 100 classes, whose names have about 100 characters each; a class counts 50
    # more.
    labels = [f"r{k}/" + "/".join("a" * 99) for k in range(50)]
    assert len(Hierarchy.from_labels(labels, most_names=1_000_000)) == 5001
    with pytest.raises(InputError, match="500,000 characters"):
        Hierarchy.from_labels(labels, most_names=500_000)
