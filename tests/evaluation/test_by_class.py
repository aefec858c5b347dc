"""Scores of classes and of subtrees equal counts in plain Python."""

import math
import random
from statistics import fmean

import pandas as pd
import pytest

from hiermeasures import Hierarchy, evaluate
from tests.evaluation.drawn import draw_hierarchy, draw_labels


def count_plainly(
    h: Hierarchy, sides: list[tuple[set[str], set[str]]], values: list[float]
) -> dict[str, tuple[float, ...]]:
    """Return support, predicted, right and the mean value of each class."""
    found = {}
    for c in h.nodes:
        mine = [k for k, (true, _) in enumerate(sides) if c in true]
        predicted = sum(c in said for _, said in sides)
        right = sum(c in true & said for true, said in sides)
        if mine or predicted:
            mean = [values[k] for k in mine if not math.isnan(values[k])]
            found[c] = len(mine), predicted, right, fmean(mean) if mean else math.nan
    return found


def with_ancestors(h: Hierarchy, labels: set[str]) -> set[str]:
    return {a for c in labels & {*h.nodes} for a in (c, *h.ancestors(c))}


@pytest.mark.parametrize("subtrees", [False, True])
@pytest.mark.parametrize("parents", [1, 3])
@pytest.mark.parametrize("seed", range(15))
def test_counts_equal_plain_python(seed: int, parents: int, subtrees: bool) -> None:
    rnd = random.Random(seed)
    h = draw_hierarchy(rnd, parents)
    true = draw_labels(rnd, list(h.nodes), 25)
    predicted = draw_labels(rnd, [*h.nodes, "zebra"], 25)
    report = evaluate(h, true, predicted, measures=["hF", "recall"], unknown="wrong")
    sides = list(zip(true, predicted, strict=True))
    if subtrees:
        sides = [(with_ancestors(h, t), with_ancestors(h, p)) for t, p in sides]
    table = report.by_subtree() if subtrees else report.by_class()
    expected = count_plainly(h, sides, report.per_instance["recall"].tolist())
    columns = ["support", "predicted", "right", "mean_recall"]
    assert list(table.index) == list(expected)
    for label, row in expected.items():
        assert table.loc[label, columns].tolist() == pytest.approx(row, nan_ok=True)


H = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["c"]}})


def test_scores_of_a_class() -> None:
    report = evaluate(H, ["a", "a", "c"], ["a", "b", "a"], measures="hF")
    row = report.by_class().loc["a"]
    # 2 true, 2 predicted, 1 both
    assert row[["precision", "recall", "f1"]].tolist() == [0.5, 0.5, 0.5]
    row = report.by_subtree().loc["A"]
    # 2 true, 3 predicted, 2 both: 2/3, 1, 2·2/5
    assert row[["precision", "recall", "f1"]].tolist() == pytest.approx([2 / 3, 1, 0.8])


def test_a_virtual_root_is_no_class() -> None:
    h = Hierarchy.from_edges([("A", "a"), ("B", "b")])
    table = evaluate(h, ["a", "b"], ["b", "b"], measures="hF").by_subtree()
    assert list(table.index) == ["A", "B", "a", "b"]
    assert table["level"].tolist() == [1, 1, 2, 2]


def test_reports_join() -> None:
    report = evaluate(H, ["a", "a", "c"], ["a", "b", "a"], measures="hF")
    twice = (report + report).by_subtree()
    pd.testing.assert_series_equal(twice["support"], 2 * report.by_subtree()["support"])
    pd.testing.assert_series_equal(twice["mean_hF"], report.by_subtree()["mean_hF"])
