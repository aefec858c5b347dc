"""Numbers are labels with classes=: indices, matrices and scores name the same; what is ambiguous
is refused.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from hiermeasures import Hierarchy, InputError, Meter, evaluate, partial
from hiermeasures.evaluation import by_rank, encode
from hiermeasures.evaluation.partials import evaluate_stream
from hiermeasures.metrics import h_f1_score

H = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "A1"), ("A", "A2")])
NAMES = ("A1", "B", "A2", "A")
MEASURES = ["hF", "F_LCA", "GIE"]


class Tensor:
    """A tensor of torch, as far as it is asked: device, graph, with or without a NumPy type."""

    def __init__(self, values, device="cuda", graph=True, brain=False):
        self.values, self.device, self.graph, self.brain = np.asarray(values), device, graph, brain

    def detach(self):
        return Tensor(self.values, self.device, False, self.brain)

    def cpu(self):
        return Tensor(self.values, "cpu", self.graph, self.brain)

    def float(self):
        return Tensor(self.values.astype(np.float32), self.device, self.graph)

    def tolist(self):
        return self.values.tolist()

    def __array__(self, dtype=None, copy=None):
        if self.device != "cpu" or self.graph or self.brain:
            raise TypeError("can't convert this tensor to numpy")
        return self.values


class CuPy:
    """An array of CuPy, which refuses `__array__` and has `get`."""

    __cuda_array_interface__ = ()

    def __init__(self, values):
        self.values = np.asarray(values)

    def get(self):
        return self.values

    def __array__(self, dtype=None, copy=None):
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")


class Exchanged:
    """An array that offers nothing but `__dlpack__`."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __dlpack__(self, **asked):
        return self.values.__dlpack__(**asked)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()


ARRAYS = [np.asarray, Tensor, CuPy, Exchanged]


def classes(encoded, h=H):
    return [set(encoded.classes(h, k)) for k in range(len(encoded))]


# --- all forms name the same classes ------------------------------------------------------------


@st.composite
def random_labels(draw):
    """A hierarchy, its classes in some order, and true and predicted classes of instances."""
    n = draw(st.integers(2, 9))
    h = Hierarchy.from_edges([(f"n{draw(st.integers(0, k - 1))}", f"n{k}") for k in range(1, n)])
    names = draw(st.permutations(h.nodes))
    pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    return h, names, draw(st.lists(pair, min_size=1, max_size=12))


@given(random_labels(), st.sampled_from(ARRAYS))
def test_indices_indicators_and_scores_give_the_values_of_the_names(made, array):
    h, names, pairs = made
    true, predicted = (list(side) for side in zip(*pairs, strict=True))
    expected = evaluate(
        h, [names[k] for k in true], [names[k] for k in predicted], measures=MEASURES
    ).values
    rows = np.eye(len(names), dtype=int)
    spread = np.linspace(-0.4, 0.4, len(names))  # no two scores of an instance are equal
    forms = [
        (array(true), array(predicted), {}),
        (array(rows[true]), array(rows[predicted]), {}),
        (array(true), array(rows[predicted] + spread), {"argmax": True}),
        (array(rows[true].astype(float)), array(rows[predicted] + spread), {"threshold": 0.5}),
        ([names[k] for k in true], array(rows[predicted]), {"argmax": True}),
    ]
    for y_true, y_pred, how in forms:
        assert (
            evaluate(h, y_true, y_pred, measures=MEASURES, classes=names, **how).values == expected
        )


@given(st.lists(st.sets(st.integers(0, 3)), min_size=1, max_size=8))
def test_sets_of_indices_are_indicators_and_scores_above_a_threshold(sets):
    matrix = np.array([[k in chosen for k in range(4)] for chosen in sets], float)
    expected = [{NAMES[k] for k in chosen} for chosen in sets]
    assert classes(encode(H, sets, classes=NAMES)) == expected
    assert classes(encode(H, matrix, classes=NAMES)) == expected
    assert classes(encode(H, matrix * 3 - 2, classes=NAMES, scores=0.0)) == expected
    assert (
        classes(encode(H, sparse.csr_matrix(matrix * 0.9), classes=NAMES, scores=0.5)) == expected
    )


@pytest.mark.parametrize(
    "array", [*ARRAYS, pd.DataFrame, lambda m: m.tolist(), lambda m: [Tensor(r) for r in m]]
)
def test_scores_by_threshold_and_by_the_largest(array):
    scores = np.array([[0.5, 0.2, 0.9, 0.5], [-np.inf, -1.0, -2.0, -3.0]])
    assert classes(encode(H, array(scores), classes=NAMES, scores=0.5)) == [
        {"A1", "A2", "A"},
        set(),
    ]
    assert classes(encode(H, array(scores), classes=NAMES, scores="argmax")) == [{"A2"}, {"B"}]


@pytest.mark.parametrize(
    "labels",
    [
        pd.Series([2, None, 0], dtype="Int64"),
        [2, None, 0],
        [2, pd.NA, 0],
        [{2}, set(), {0}],
        np.ma.array([2, 1, 0], mask=[0, 1, 0]),
    ],
)
def test_a_missing_index_is_no_class(labels):
    assert classes(encode(H, labels, classes=NAMES)) == [{"A2"}, set(), {"A1"}]


def test_classes_may_be_the_mapping_of_a_hugging_face_model():
    for keys in (int, str):
        named = {keys(k): name for k, name in reversed(list(enumerate(NAMES)))}
        assert classes(encode(H, [3, 1], classes=named)) == [{"A"}, {"B"}]


def test_whole_numbers_are_names_without_classes_and_indices_with_them():
    h = Hierarchy.from_edges([("0", "2"), ("0", "1"), (2, 3)])
    assert classes(encode(h, [1, 3]), h) == classes(encode(h, Tensor([1, 3])), h) == [{"1"}, {"3"}]
    assert classes(encode(h, [1, 3], classes=[3, 2, 1, 0]), h) == [{"2"}, {"0"}]
    # text is a name all the same
    assert classes(encode(h, ["1", "3"], classes=[3, 2, 1, 0]), h) == [{"1"}, {"3"}]
    with pytest.raises(
        InputError,
        match=r"unknown class '7' in y, instance 1.*without classes= whole numbers are names",
    ):
        encode(h, [1, 7], name="y")


def test_every_way_to_a_value_reads_numbers():
    true, scores = (
        [0, 1, 2],
        np.array([[0.9, 0.1, 0.2, 0.3], [0.1, 0.2, 0.8, 0.1], [0.3, 0.1, 0.6, 0.2]]),
    )
    how = {"classes": NAMES, "argmax": True}
    # A1 and A2 are right; B is taken for A2: {R, B} against {R, A, A2}, 2 · 1 / 5.
    expected = pytest.approx((1 + 2 / 5 + 1) / 3)
    meter = Meter(H, measures="hF", **how)
    meter.update(true[:2], scores[:2])
    meter.update(true[2:], Tensor(scores[2:]))
    assert meter.compute()["hF"] == expected
    assert evaluate(H, true, scores, measures="hF", **how)["hF"] == expected
    assert partial(H, true, scores, measures="hF", **how).report()["hF"] == expected
    assert evaluate_stream(H, [(true, scores)], measures="hF", **how)["hF"] == expected
    assert h_f1_score(true, scores, hierarchy=H, **how) == expected
    assert h_f1_score(true, Tensor(scores), hierarchy=H, **how, sample_weight=[1, 0, 1]) == 1
    assert by_rank(H, true, scores, **how).precision.tolist() == pytest.approx([2 / 3, 2 / 3])


# --- what is ambiguous --------------------------------------------------------------------------

WITH = {"classes": NAMES}


@pytest.mark.parametrize(
    ("labels", "arguments", "message"),
    [
        ([0, 1], {}, 'whole number'),
        (np.array([[0.2, 0.7]]), {}, "matrix of scores.*classes="),
        (np.eye(4), {"scores": "argmax"}, "Give classes="),
        (np.array([1, 4]), WITH, 'indices from 0'),
        ([0, -100], WITH, "the index -100 for instance 1"),
        (np.array([0.0, 1.0]), WITH, "one dimension and contains 0.0.*whole numbers from 0 to "
            "3.*Int64"),
        ([1, 0.5], WITH, 'one dimension'),
        (np.array([True, False]), WITH, 'one dimension'),
        (["A", 1], WITH, "such as 'A'"),
        (np.array([[0, 1], [2, 3]]), WITH, "has 2 columns, but classes= names 4.*one "
            "dimension"),
        (np.array([[0, 1, 2, 3]]), WITH, "contains 2 for instance 0.*several indices "
            "as a set"),
        ([[0, 1], [2]], WITH, '2 numbers'),
        ([[0, None, 1, 0]], WITH, "instance 0: a column has no number"),
        (np.zeros((2, 2, 2)), WITH, 'row per instance'),
        (np.array([[0.1, 0, 0, 0], [0, np.nan, 0, 0]]), WITH | {"scores": 0.5}, "class 'B'"),
        (sparse.csr_matrix(np.eye(4)), WITH | {"scores": -1.0}, "sparse.*toarray"),
        ([0, 1], WITH | {"scores": "argmax"}, 'one dimension'),
        (["A", "B"], WITH | {"scores": 0.5}, 'has names of classes'),
        ([0], {"classes": "ABC"}, "Give a list with the class"),
        ([0], {"classes": []}, "classes= is empty"),
        ([0], {"classes": {"A": 0, "B": 1}}, 'index 0 is missing'),
    ],
)  # fmt: skip
def test_what_may_mean_several_things_is_refused(labels, arguments, message):
    with pytest.raises(InputError, match=message) as refused:
        encode(H, labels, name="y", **arguments)
    assert "\n" not in str(refused.value)


class Unreadable(Tensor):
    """A tensor that stays on its device."""

    def detach(self):
        return self

    def cpu(self):
        raise RuntimeError("no data\non this device")


def test_an_array_that_cannot_be_copied_is_named():
    with pytest.raises(
        InputError,
        match=r"y_pred is a .*Unreadable that NumPy cannot read \('no data\\non this device",
    ):
        evaluate(H, [0], Unreadable([0]), classes=NAMES)
