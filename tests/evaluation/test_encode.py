"""Labels in every accepted form become the same rows of class numbers; what cannot be read is
named.
"""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import sparse

from hiermeasures import Hierarchy, InputError
from hiermeasures.evaluation import encode
from tests.tables import LIBRARIES, make_column, make_table

H = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "A1"), ("A", "A2"), ("B", "7")])
EXPECTED = [{"A1", "B"}, set(), {"7"}]


def classes(encoded):
    return [set(encoded.classes(H, k)) for k in range(len(encoded))]


@pytest.mark.parametrize(
    "labels",
    [
        [{"A1", "B"}, set(), {"7"}],
        [["B", "A1", "B"], [], ("7",)],
        [["A1", "B"], None, "7"],
        [("A1", "B"), "", 7],
        np.array([["A1", "B"], ["", ""], ["7", ""]]),
        np.array([["A1", "B"], ["", ""], ["7", ""]], dtype=object),
        np.array([[["A1", ""], ["", "B"]], [["", ""], ["", ""]], [["7", ""], ["7", ""]]]),
        pd.Series([["A1", "B"], [], ["7"]]),
        pd.DataFrame({"one": ["A1", None, "7"], "two": ["B", float("nan"), ""]}),
        (labels for labels in [{"A1", "B"}, set(), {"7"}]),
    ],
)
def test_lists_and_arrays_of_labels(labels):
    assert classes(encode(H, labels)) == EXPECTED


@pytest.mark.parametrize(
    "form",
    [np.array, sparse.csr_matrix, sparse.csc_array, sparse.coo_matrix, lambda m: np.array(m, bool)],
)
def test_indicator_matrices_with_the_classes_of_their_columns(form):
    matrix = form([[1, 0, 1], [0, 0, 0], [0, 1, 0]])
    assert classes(encode(H, matrix, classes=["A1", 7, "B"])) == EXPECTED


LISTS = [["A1", "B"], [], ["7"]]
LEVELS = {"one": ["A1", None, "7"], "two": ["B", None, ""]}


@pytest.mark.parametrize(
    "labels",
    [
        pa.array(LISTS),
        pa.chunked_array([LISTS[:1], LISTS[1:]]),
        pa.table(LEVELS),
        pa.record_batch(LEVELS),
        pa.table(LEVELS).to_reader(),  # nothing but Arrow's protocol
        pd.DataFrame(LEVELS, dtype=pd.ArrowDtype(pa.string())),
    ],
    ids=lambda labels: f"{type(labels).__module__}.{type(labels).__name__}",
)
def test_columns_and_tables_of_arrow(labels):
    assert classes(encode(H, labels)) == EXPECTED


@pytest.mark.slow
def test_columns_and_tables_of_polars():
    import polars as pl

    for labels in (
        pl.Series(LISTS, dtype=pl.List(pl.String)),
        pl.DataFrame(LEVELS),
        pl.DataFrame(LEVELS, schema=dict.fromkeys(LEVELS, pl.Categorical)),
    ):
        assert classes(encode(H, labels)) == EXPECTED


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_table_of_indicators_is_read_by_the_names_of_its_columns(library):
    table = make_table(library, {"7": [0, 0, 1], "B": [1, 0, 0], "A1": [1, 0, 0]})
    for names in (
        ["A1", "B", "7"],
        np.array(["A1", "B", "7"]),
        make_column(library, ["A1", "B", "7"]),
    ):
        assert classes(encode(H, table, classes=names)) == EXPECTED
    with pytest.raises(InputError, match="different classes"):
        encode(H, table, classes=["A1", "A2", "7"], name="y")


def test_on_a_path_of_levels_the_deepest_class_counts():
    assert classes(encode(H, np.array([["A", "A1"], ["A", ""], ["B", "7"]]))) == [
        {"A1"},
        {"A"},
        {"7"},
    ]
    # A level that is left out, the root named, a class twice, and classes that are not on one path.
    table = np.array(
        [["R", None, "A1"], ["R", "A", "A2"], ["B", "B", None], ["A1", "B", None]], dtype=object
    )
    assert classes(encode(H, table)) == [{"A1"}, {"A2"}, {"B"}, {"A1", "B"}]


def test_an_unknown_label_is_named_with_its_place_and_the_nearest_class():
    with pytest.raises(InputError, match="'A1'"):
        encode(H, [["A"], ["A11"], ["A11", "x"]], name="y_pred")


def test_unknown_labels_can_be_dropped_and_are_then_listed():
    encoded = encode(H, [["A"], ["A11", "B"], ["A11", "??"]], unknown="drop")
    assert classes(encoded) == [{"A"}, {"B"}, set()]
    assert [(u.label, u.count, u.first_instance, u.nearest) for u in encoded.unknown] == [
        ("A11", 2, 1, "A1"),
        ("??", 1, 2, None),
    ]


@pytest.mark.parametrize(
    ("labels", "arguments", "message"),
    [
        ("A", {}, "each instance"),
        (3, {}, "each instance"),
        (np.array(3), {}, "one value"),
        (np.array("A"), {}, "one value"),
        ([[1.5]], {}, "must be text, not float"),
        ([[["A"]]], {}, "must be text, not list"),
        (np.array([[True, False]]), {}, "with classes="),
        (sparse.csr_matrix([[1, 0]]), {}, "with classes="),
        (np.array([[1, 0]]), {"classes": ["A", "B", "R"]}, "2 columns"),
        (np.array([[1, 0]]), {"classes": ["A", "A"]}, "named 'A'"),
        (np.array([[0, 1], [1, 0.3]]), {"classes": ["A", "B"]}, "contains 0.3 for instance 1"),
        (sparse.csr_matrix([[0, 1], [0, 2]]), {"classes": ["A", "B"]}, "contains 2 for instance 1"),
        ([], {"unknown": "ignore"}, "Give 'fail' or 'drop'"),
    ],
)
def test_what_cannot_be_read_is_said_plainly(labels, arguments, message):
    with pytest.raises(InputError, match=message):
        encode(H, labels, **arguments)
