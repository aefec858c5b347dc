"""Arrays and the readable definition of mistakes are equal, and tables add up."""

import random

import numpy as np
import pandas as pd
import pytest

from hiermeasures import Hierarchy, evaluate, evaluate_table
from hiermeasures.evaluation import encode, mistakes
from hiermeasures.evaluation.mistakes import PairedLabels, pair_all
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures.mistakes import KINDS, pair_labels
from tests.evaluation.drawn import Labels, draw_hierarchy, draw_labels

Row = tuple[int, str, str, str, int, float]


def list_pairs(paired: PairedLabels) -> list[Row]:
    names = dict(enumerate(paired.hierarchy.nodes)) | {-1: ""}
    columns = (paired.instance, paired.true, paired.predicted, paired.kind, paired.height)
    return sorted(
        (i, names[t], names[p], KINDS[kind], height, round(count, 6))
        for (i, t, p, kind, height), count in zip(
            zip(*(column.tolist() for column in columns), strict=True),
            paired.count.tolist(),
            strict=True,
        )
    )


def list_mistakes(h: Hierarchy, true: Labels, predicted: Labels) -> list[Row]:
    return sorted(
        (
            k,
            m.true or "",
            m.predicted or "",
            m.kind,
            -1 if m.height is None else m.height,
            round(float(m.count), 6),
        )
        for k, sides in enumerate(zip(true, predicted, strict=True))
        for m in pair_labels(h, *sides)
    )


@pytest.mark.parametrize("parents", [1, 3])
@pytest.mark.parametrize("seed", range(60))
def test_arrays_equal_the_definition(parents: int, seed: int) -> None:
    rnd = random.Random(seed)
    h = draw_hierarchy(rnd, parents)
    true, predicted = (draw_labels(rnd, list(h.nodes), 15) for _ in range(2))
    paired = pair_all(h, encode(h, true), encode(h, predicted))
    assert list_pairs(paired) == list_mistakes(h, true, predicted)


@pytest.mark.parametrize("seed", range(20))
def test_unknown_answers_equal_the_definition(seed: int) -> None:
    rnd = random.Random(seed)
    h = draw_hierarchy(rnd, 2)
    true = draw_labels(rnd, list(h.nodes), 15)
    predicted = draw_labels(rnd, [*h.nodes, "zebra", "yak", "xerus"], 15)
    paired = evaluate(h, true, predicted, unknown="wrong", measures="accuracy").paired
    found = [(i, t, "?" if kind == "unknown" else p, *rest)
             for i, t, p, kind, *rest in list_pairs(paired)]  # fmt: skip
    expected = [(i, t, "?" if kind == "unknown" else p, *rest)
                for i, t, p, kind, *rest in list_mistakes(h, true, predicted)]  # fmt: skip
    assert sorted(found) == sorted(expected)


def test_pieces_do_not_change_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    rnd = random.Random(7)
    h = draw_hierarchy(rnd, 3)
    true, predicted = (encode(h, draw_labels(rnd, list(h.nodes), 50)) for _ in range(2))
    whole = pair_all(h, true, predicted)
    monkeypatch.setattr(mistakes, "MOST_WORK", 40)
    cut = pair_all(h, true, predicted)
    for name in ("instance", "true", "predicted", "count", "kind", "height"):
        assert np.array_equal(getattr(whole, name), getattr(cut, name))


def test_each_label_counts_once() -> None:
    rnd = random.Random(3)
    h = draw_hierarchy(rnd, 1)
    true, predicted = (draw_labels(rnd, list(h.nodes), 40) for _ in range(2))
    paired = pair_all(h, encode(h, true), encode(h, predicted))
    for side in (paired.true, paired.predicted):
        keys = paired.instance * len(h) + side
        some = side >= 0
        sums = np.bincount(keys[some], paired.count[some])
        assert np.allclose(sums[sums > 0], 1)


def test_no_instances() -> None:
    h = Hierarchy.from_edges([("R", "A")])
    assert evaluate(h, [], [], measures="hF").mistakes()["count"].sum() == 0


TREE = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["c"]}})
TABLE = pd.DataFrame({"t": ["a", "a", "c", "b", "b"], "p": ["b", "zebra", "a", "", "A"]})


def test_mistakes_of_a_table() -> None:
    report = evaluate_table(TABLE, "t", "p", taxonomy=TREE, measures="hF")
    counts = report.mistakes()
    some = counts[counts["count"] > 0]
    assert some["count"].to_dict() == {
        "too general": 1, "sibling": 1, "other top class": 1, "unknown": 1, "no answer": 1,
    }  # fmt: skip
    assert some["share"].tolist() == [0.2] * 5
    assert report.mistakes("subtree").sum().to_dict() == {"A": 4, "B": 1}
    assert report.mistakes("level").sum().to_dict() == {2: 5}
    assert report.mistakes("height").sum().to_dict() == {1: 2, 2: 2, "(none)": 1}
    assert [KINDS[k] for k in report.paired.kind_of_instances] == [
        "sibling", "unknown", "other top class", "no answer", "too general",
    ]  # fmt: skip


@pytest.mark.parametrize("by", ["level", "subtree", "height"])
@pytest.mark.parametrize("seed", range(10))
def test_groups_add_up(by: mistakes.By, seed: int) -> None:
    rnd = random.Random(seed)
    h = draw_hierarchy(rnd, 2)
    true = draw_labels(rnd, list(h.nodes), 20)
    predicted = draw_labels(rnd, [*h.nodes, "zebra"], 20)
    report = evaluate(h, true, predicted, unknown="wrong", measures="accuracy")
    assert np.allclose(report.mistakes(by).sum(axis=1), report.mistakes()["count"])


@pytest.mark.parametrize("seed", range(10))
def test_subtrees_divide_a_class_with_several_top_classes(seed: int) -> None:
    rnd = random.Random(seed)
    h = draw_hierarchy(rnd, 3)
    true, predicted = (draw_labels(rnd, list(h.nodes), 20) for _ in range(2))
    expected: dict[tuple[str, str], float] = {}
    for sides in zip(true, predicted, strict=True):
        for m in pair_labels(h, *sides):
            c = m.true or m.predicted or ""
            tops = {c, *h.ancestors(c)} & {*h.children(h.root)} or {h.root}
            for top in tops:
                key = m.kind, top
                expected[key] = expected.get(key, 0) + float(m.count) / len(tops)
    table = evaluate(h, true, predicted, measures="accuracy").mistakes("subtree")
    found = {key: count for key, count in table.stack().items() if count}
    assert found == pytest.approx(expected)


def test_reports_join_and_keep_their_mistakes() -> None:
    report = evaluate_table(TABLE, "t", "p", taxonomy=TREE, measures="hF")
    twice = report + report
    pd.testing.assert_series_equal(twice.mistakes()["count"], 2 * report.mistakes()["count"])
    other = evaluate_table(TABLE[:1], "t", "p", taxonomy=TREE, measures="hF")  # nothing unknown
    assert (other + report).mistakes()["count"].sum() == 6


def test_places_are_numbers_or_a_mask() -> None:
    report = evaluate_table(TABLE, "t", "p", taxonomy=TREE, measures="hF")
    for places in ([2, 3], np.array([False, False, True, True, False])):
        part = report.take(places)
        assert part.mistakes()["count"].loc[["other top class", "no answer"]].tolist() == [1, 1]
        assert len(part) == part.mistakes()["count"].sum() == 2


def test_sums_alone_are_refused() -> None:
    report = evaluate(TREE, ["a"], ["b"], measures="hF", keep_instances=False)
    for asked in (report.mistakes, report.confusion, report.by_class, report.by_subtree):
        with pytest.raises(InputError, match="keep_instances=True"):
            asked()
    with pytest.raises(InputError, match="keep_instances=True"):
        report.take([0])
