"""The confusion matrix of a hierarchy equals counts in plain Python."""

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest

from hiermeasures import Hierarchy, evaluate
from hiermeasures.evaluation import confusion_matrix
from hiermeasures.evaluation.confusion_matrix import Axis, AxisEntry, Matrix, axis, expand_to
from hiermeasures.evaluation.results import Report
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures.mistakes import Mistake, pair_labels
from tests.evaluation.drawn import Labels, draw_hierarchy, draw_labels

Drawn = tuple[Hierarchy, list[tuple[int, Mistake]], Report]


def draw_report(seed: int, parents: int) -> Drawn:
    """Return a hierarchy, the mistakes of every instance in plain Python, and the report."""
    rnd = random.Random(seed)
    h = draw_hierarchy(rnd, parents)
    true: Labels = draw_labels(rnd, list(h.nodes), 20)
    predicted = draw_labels(rnd, [*h.nodes, "zebra"], 20)
    mistakes = [
        (k, m)
        for k, sides in enumerate(zip(true, predicted, strict=True))
        for m in pair_labels(h, *sides)
    ]
    return h, mistakes, evaluate(h, true, predicted, unknown="wrong", measures="accuracy")


def name_cells(h: Hierarchy, label: str | None, level: int | None, top: str) -> list[str]:
    """Return the rows that a true class is in, by the rule of the documentation."""
    if label is None:
        return ["(none)"]
    if label not in h:
        return ["(unknown)"]
    part = {top, *h.descendants(top)}
    if label not in part:
        return ["(elsewhere)"]
    cut = h.level(top) + 1 if level is None else level
    expanded = {c for c in part if level is not None and h.level(c) < cut} | {top}
    above = {label, *h.ancestors(label)} & part - {top}
    found = [c for c in above - expanded if {*h.parents(c)} & expanded]
    if label in expanded:
        found += [label if label != top and not h.children(label) else f"{label} (itself)"]
    return found


def list_cells(h: Hierarchy) -> Iterator[tuple[int | None, str | None]]:
    yield from ((level, None) for level in (None, *range(1, h.depth + 1)))
    for top in h.nodes:
        yield from ((level, top) for level in (None, *range(h.level(top) + 1, h.depth + 1)))


@pytest.mark.parametrize("parents", [1, 3])
@pytest.mark.parametrize("seed", range(12))
def test_every_level_and_part_equals_plain_counts(seed: int, parents: int) -> None:
    h, mistakes, report = draw_report(seed, parents)
    for level, below in list_cells(h):
        top = below or h.root
        expected: Counter[tuple[str, str]] = Counter()
        for _, m in mistakes:
            rows, columns = (name_cells(h, c, level, top) for c in (m.true, m.predicted))
            outside = {"(elsewhere)", "(none)", "(unknown)"}
            if top != h.root and {*rows, *columns} <= outside:
                continue
            for row in (*rows, "total"):
                for column in (*columns, "total"):
                    expected[row, column] += float(m.count)  # type: ignore[assignment]
        table = report.confusion(level, below)
        found = {key: count for key, count in table.stack().items() if count}
        assert found == pytest.approx(dict(expected)), (level, below)


@pytest.mark.parametrize("seed", range(8))
def test_a_cut_of_a_tree_has_each_pair_once(seed: int) -> None:
    h, mistakes, report = draw_report(seed, 1)
    whole = sum(float(m.count) for _, m in mistakes)
    for level in range(1, h.depth + 1):
        table = report.confusion(level)
        assert table.loc["total", "total"] == pytest.approx(whole)
        assert table.drop("total").drop(columns="total").to_numpy().sum() == pytest.approx(whole)


def is_member(h: Hierarchy, entry: AxisEntry, label: str | None) -> bool:
    """Return whether an entry has a class; without a chosen part."""
    if label is None:
        return entry.kind == "none"
    if label not in h:
        return entry.kind == "unknown"
    if entry.kind == "itself":
        return label == entry.label
    return entry.kind == "class" and entry.label in {label, *h.ancestors(label)}


@pytest.mark.parametrize("parents", [1, 3])
@pytest.mark.parametrize("seed", range(12))
def test_any_expanded_classes(seed: int, parents: int) -> None:
    h, mistakes, report = draw_report(seed, parents)
    rnd = random.Random(seed)
    rows, columns = (
        axis(h, rnd.sample(list(h.nodes), len(h) // 2), labels=report.paired.labels)
        for _ in range(2)
    )
    matrix = Matrix.count(report.paired, rows, columns)
    for r, row in enumerate(rows):
        mine = [(k, m) for k, m in mistakes if is_member(h, row, m.true)]
        assert matrix.row_totals[r] == pytest.approx(float(sum(m.count for _, m in mine)))
        for c, column in enumerate(columns):
            cell = [(k, m) for k, m in mine if is_member(h, column, m.predicted)]
            assert matrix.counts[r, c] == pytest.approx(float(sum(m.count for _, m in cell)))
            assert matrix.instances(r, c).tolist() == sorted({k for k, _ in cell})


@pytest.mark.parametrize("seed", range(8))
def test_entries_are_below_their_paths(seed: int) -> None:
    h = draw_hierarchy(random.Random(seed), 3)
    shown = axis(h, h.nodes)
    places = {(e.path, e.label) for e in shown if e.kind == "class"}
    expected = {
        (path[1:-1], path[-1]) for c in h.nodes if c != h.root for path in h.paths_from_root(c)
    }
    assert places == expected
    assert {e.label for e in axis(h, h.nodes, once=True) if e.kind == "class"} == {*h.nodes[1:]}


TREE = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["c"]}})
REPORT = evaluate(TREE, ["a", "a", "c", "A"], ["b", "a", "a", "c"], measures="hF")


def test_a_leaf_is_never_expanded() -> None:
    assert names(axis(TREE, TREE.nodes, labels={"c"}))[-4:] == ["B", "c", "(none)", "(unknown)"]


def names(shown: Axis) -> list[str]:
    return [entry.name for entry in shown]


def test_itself_appears_where_the_class_is_a_label() -> None:
    opened = expand_to(TREE, 2)
    assert names(axis(TREE, opened, labels=REPORT.paired.labels)) == [
        "A", "A (itself)", "a", "b", "B", "c", "(none)", "(unknown)",
    ]  # fmt: skip
    assert names(axis(TREE, {"A"}, below="A")) == [
        "A (itself)", "a", "b", "(elsewhere)", "(none)", "(unknown)",
    ]  # fmt: skip


def test_shares_of_rows_and_columns_add_up() -> None:
    by_row, by_column = (REPORT.confusion(2, share=side) for side in ("true", "predicted"))
    assert by_row.loc["a"].to_dict() == {
        "A (itself)": 0, "a": 0.5, "b": 0.5, "c": 0, "total": 1,
    }  # fmt: skip
    assert by_column["a"].to_dict() == {
        "A (itself)": 0, "a": 0.5, "b": 0, "c": 0.5, "total": 1,
    }  # fmt: skip
    shown = axis(TREE)
    matrix = Matrix.count(REPORT.paired, shown, shown)
    none = names(shown).index("(none)")  # no class is extra
    assert np.isnan(matrix.shares("true")[none]).all()


def test_difference_of_two_systems() -> None:
    other = evaluate(TREE, ["a", "a", "c", "A"], ["a", "a", "a", "c"], measures="hF")
    shown = axis(TREE, {"A"})
    first, second = (Matrix.count(r.paired, shown, shown) for r in (REPORT, other))
    difference = first - second
    a, b = names(shown).index("a"), names(shown).index("b")
    assert (difference.counts[a, a], difference.counts[a, b]) == (-1, 1)
    assert difference.shares("true")[a, b] == 0.5
    assert difference.instances(a, b).tolist() == [0]
    assert difference.instances(a, None).tolist() == []
    with pytest.raises(InputError, match="same axes"):
        first - Matrix.count(other.paired, axis(TREE), axis(TREE))


def test_reports_join() -> None:
    pd.testing.assert_frame_equal((REPORT + REPORT).confusion(), 2 * REPORT.confusion())


def test_large_tables_are_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {share: REPORT.confusion(2, share=share) for share in (None, "true", "predicted")}
    monkeypatch.setattr(confusion_matrix, "MOST_DENSE", 4)
    for share, table in whole.items():
        found = REPORT.confusion(2, share=share)
        assert isinstance(found.dtypes.iloc[0], pd.SparseDtype)
        pd.testing.assert_frame_equal(found.sparse.to_dense(), table)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"level": 0}, "1 or more"),
        ({"level": 1, "below": "A"}, "2 or more"),
        ({"below": "Z"}, "Z"),
        ({"share": "row"}, "share"),
    ],
)
def test_refusals(settings: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        REPORT.confusion(**settings)  # type: ignore[arg-type]
