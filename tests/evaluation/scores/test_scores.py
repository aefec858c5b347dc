"""Values of scores without a threshold: distances of ranked classes against heights and common
ancestors one by one; operating curves against every threshold tried one by one, and the worth of
each answer as `explain` gives it; and both in the report, in the library and on the command line.
"""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import InputError, explain
from hiermeasures.cli import main
from hiermeasures.evaluation.scores import (
    ProbabilityTable,
    class_areas,
    mistakes_of,
    operating_curve,
    ranked_mistakes,
    scored_report,
)
from hiermeasures.evaluation.scores.scores import area_of_best
from tests.conftest import hierarchy_of
from tests.evaluation.scores.strategies import any_tables

# Two orders of animals, one deeper than the other.
ANIMALS = hierarchy_of(
    "Animal>Bird Animal>Fish Bird>Finch Bird>Crow Finch>Siskin Finch>Serin Crow>Rook Fish>Carp "
    "Fish>Eel"
)


def height(h, c):
    return max((1 + height(h, d) for d in h.children(c)), default=0)


def level(h, c):
    return max((1 + level(h, p) for p in h.parents(c)), default=0)


COSTS = {"height": height, "level": lambda h, c: height(h, h.root) - level(h, c)}


def distance(h, a, b, kind):
    common = set(h.up(a)) & set(h.up(b))
    return 0 if a == b else min(COSTS[kind](h, c) for c in common)


def test_distances_by_hand():
    # Heights: Siskin and the other leaves 0, Finch and Crow 1, Fish 1, Bird 2, Animal 3. The
    # siskin: Siskin 0, Serin 1, Carp 3. The carp: Rook 3, Eel 1, Carp 0. The rook: Serin 2, Siskin
    # 2, Rook 0. Three minus levels: Fish 2, the others as high. So the eel is 2 from the carp.
    ranked = [["Siskin", "Serin", "Carp"], ["Rook", "Eel", "Carp"], ["Serin", "Siskin", "Rook"]]
    true = [{"Siskin"}, {"Carp"}, {"Rook"}]
    published = ranked_mistakes(ANIMALS, ranked, true)
    assert published.distances.tolist() == [[0, 1, 3], [3, 2, 0], [2, 2, 0]]
    found = ranked_mistakes(ANIMALS, ranked, true, distance="height")
    assert found.distances.tolist() == [[0, 1, 3], [3, 1, 0], [2, 2, 0]]
    assert found.average_distance(1) == pytest.approx(5 / 3)
    assert found.average_distance(3) == pytest.approx(12 / 9)
    assert found.severity == pytest.approx(5 / 2)  # two mistakes
    assert [found.accuracy(k) for k in (1, 2, 3)] == pytest.approx([1 / 3, 1 / 3, 1])


@given(data=st.data(), table=any_tables(max_nodes=8, rows=3), kind=st.sampled_from(sorted(COSTS)))
def test_leaves_are_ranked_and_the_lowest_common_ancestor_gives_the_distance(data, table, kind):
    h = table.hierarchy
    true = data.draw(
        st.lists(st.sets(st.sampled_from(h.nodes), max_size=2), min_size=3, max_size=3)
    )
    found = mistakes_of(table, true, distance=kind)
    rows = [k for k in range(3) if true[k] - {h.root}]
    assert found.left_out == tuple(str(k + 1) for k in range(3) if k not in rows)
    assert found.ids == tuple(str(k + 1) for k in rows)
    leaves = sorted(h.leaves, key=h.index)
    for place, k in enumerate(rows):
        order = sorted(leaves, key=lambda c: -table.row(k)[c])
        assert [h.nodes[c] for c in found.ranked[place]] == order
        specific = [c for c in true[k] if not true[k] & h.descendants(c)]
        assert found.distances[place].tolist() == [
            min(distance(h, c, t, kind) for t in specific) for c in order
        ]


@pytest.mark.parametrize(
    ("ranked", "true", "words"),
    [
        ([["Carp"], ["Carp", "Eel"]], [{"Carp"}, {"Eel"}], "differ in length"),
        ([[]], [{"Carp"}], "empty"),
        ([["Karp"]], [{"Carp"}], "'Carp'"),
        ([["Carp"]], [{"Carp"}, {"Eel"}], "1 rankings"),
    ],
)
def test_rankings_that_cannot_be_read_are_refused(ranked, true, words):
    with pytest.raises(InputError, match=words):
        ranked_mistakes(ANIMALS, ranked, true)


def test_an_unknown_distance_is_refused_with_the_nearest_one():
    with pytest.raises(InputError, match=r"'hight'.*'height'"):
        ranked_mistakes(ANIMALS, [["Carp"]], [{"Carp"}], distance="hight")


def test_more_places_than_there_are_is_refused():
    table = ProbabilityTable.of(ANIMALS, np.full((1, len(ANIMALS)), 0.5))
    with pytest.raises(InputError, match=r"is 6\b.*1 to 5\b.*leaves"):
        mistakes_of(table, [{"Carp"}], places=6)
    with pytest.raises(InputError, match=r"is 3\b.*1 to 2\b"):
        mistakes_of(table, [{"Carp"}], places=2).average_distance(3)


# --- operating curves -----------------------------------------------------------------------------

ORDERS = hierarchy_of("Animal>Bird Animal>Fish Bird>Crow Bird>Finch Fish>Carp Fish>Eel")
LEAVES = ["Crow", "Finch", "Carp", "Eel"]


def answer(h, chance, tau):
    """The most specific class that reaches a threshold; or the likeliest class of all."""
    able = [c for c in h.nodes if len(h.children(c)) != 1 or c == h.root]
    reached = [c for c in able if chance[c] >= tau] or [
        c for c in able if chance[c] == max(chance[d] for d in able)
    ]
    below = {c: len(({c} | h.descendants(c)) & h.leaves) for c in reached}
    return min(reached, key=lambda c: (below[c], -chance[c], h.index(c)))


def worth(h, true, predicted):
    """Correct, exact, recall, precision; what lies below the truth is cut to it."""
    cut = true if predicted in h.descendants(true) else predicted
    x = explain(h, {true}, {cut}, class_weights="given", count_root=False, zero_division=1.0)
    return cut in h.up(true), cut == true, x["wR"], x["wP"]


@pytest.mark.parametrize(
    "weights", ["leaves", *(pytest.param(k, marks=pytest.mark.slow) for k in ("one", "given"))]
)
@given(data=st.data(), table=any_tables(max_nodes=8, rows=3))
def test_every_threshold_tried_one_by_one(weights, data, table):
    h = table.hierarchy.with_class_weights(
        {c: data.draw(st.sampled_from([0.0, 0.5, 2.0])) for c in table.hierarchy.nodes}
    )
    table = ProbabilityTable.of(h, table.values)
    true = [data.draw(st.sampled_from(h.nodes[1:])) for _ in range(3)]
    curve = operating_curve(table, [{c} for c in true], weights=weights)
    weighted = (
        h.with_class_weights({"leaves": "leaves", "one": None}[weights])
        if weights != "given"
        else h
    )
    columns = np.array([curve.correct, curve.exact, curve.recall, curve.precision])
    taus = sorted({float(v) for v in table.values.ravel()}, reverse=True)
    for tau in [2.0, *taus, *(t - 1e-6 for t in taus)]:
        answers = [answer(h, table.row(k), tau) for k in range(3)]
        assert curve.predicted_at(tau) == answers
        expected = np.mean(
            [worth(weighted, t, p) for t, p in zip(true, answers, strict=True)], axis=0
        )
        place = int((curve.thresholds >= tau).sum()) - 1 if tau <= 1 else 0
        assert columns[:, place].tolist() == pytest.approx(expected.tolist()), (tau, answers)


def test_an_operating_curve_by_hand():
    # Information of a leaf is log2(4) = 2, of Bird and Fish 1, so that recall is 0, 1/2 or 1 for an
    # answer Animal, Bird, Crow. First, true Crow: Animal 1, Bird 0.8, Crow 0.6: all correct.
    # Second, true Finch: Animal, Bird 0.7, Crow 0.4: the last is wrong, with recall 1/2 and
    # precision 1/2. Together, as the threshold falls:
    #   start       correct 1    recall 0     precision 1
    #   0.8  Bird            1          1/4             1
    #   0.7  Bird            1          1/2             1
    #   0.6  Crow            1          3/4             1
    #   0.4  Crow, wrong     1/2        3/4             3/4
    table = ProbabilityTable.of(
        ORDERS, [[0.6, 0.2, 0.1, 0.1], [0.4, 0.3, 0.2, 0.1]], LEAVES, kind="leaves"
    )
    curve = operating_curve(table, [{"Crow"}, {"Finch"}])
    assert curve.thresholds.tolist() == pytest.approx([np.inf, 0.8, 0.7, 0.6, 0.4])
    assert curve.correct.tolist() == [1, 1, 1, 1, 1 / 2]
    assert curve.recall.tolist() == [0, 1 / 4, 1 / 2, 3 / 4, 3 / 4]
    assert curve.precision.tolist() == [1, 1, 1, 1, 3 / 4]
    assert curve.exact.tolist() == [0, 0, 0, 1 / 2, 1 / 2]
    assert (curve.average_correct, curve.average_precision, curve.recall_at_correct()) == (
        3 / 4,
        3 / 4,
        3 / 4,
    )
    assert curve.recall_at_correct(0.5) == 3 / 4


def test_areas_of_the_authors_tests():
    # 0.1 · 0.9 + 0.1 · 0.5 + 0.6 · 0.3, whichever of the two is which; what lies below and left of
    # others adds nothing.
    x, y = np.array([0.1, 0.2, 0.8]), np.array([0.9, 0.5, 0.3])
    assert [area_of_best(x, y), area_of_best(y, x)] == pytest.approx([0.32, 0.32])
    x, y = np.array([0.05, 0.1, 0.15, 0.2, 0.7, 0.8]), np.array([0.8, 0.9, 0.5, 0.5, 0.1, 0.3])
    assert area_of_best(x, y) == pytest.approx(0.32)
    assert area_of_best(y, x) == pytest.approx(0.32)


def test_instances_without_truth_are_left_out_and_two_truths_refused():
    table = ProbabilityTable.of(
        ORDERS, np.full((2, 4), 0.25), LEAVES, kind="leaves", ids=["x", "y"]
    )
    assert operating_curve(table, [set(), {"Eel"}]).left_out == ("x",)
    with pytest.raises(InputError, match=r"row 2 \(id 'y'\): 2 most"):
        operating_curve(table, [{"Eel"}, {"Eel", "Crow"}])
    with pytest.raises(InputError, match="true class"):
        operating_curve(table, [set(), set()])
    with pytest.raises(InputError, match="'leaves'"):
        operating_curve(table, [set(), {"Eel"}], weights="leafs")
    with pytest.raises(InputError, match="has no class weights"):
        operating_curve(table, [set(), {"Eel"}], weights="given")


# --- the report -----------------------------------------------------------------------------------

SCORES = [[0.6, 0.2, 0.1, 0.1], [0.4, 0.3, 0.2, 0.1], [0.1, 0.1, 0.2, 0.6]]
TRUE = ["Crow", "Finch", "Eel"]
TABLE = ProbabilityTable.of(ORDERS, SCORES, LEAVES, kind="leaves")


@pytest.fixture
def files(tmp_path):
    """A hierarchy, true labels and probabilities, the rows of which stand in another order."""
    lines = [
        "id," + ",".join(LEAVES),
        *(f"{k}," + ",".join(map(str, SCORES[k])) for k in (2, 0, 1)),
    ]
    contents = {
        "h.txt": "\n".join(f"{p} {c}" for p, c in ORDERS.edges),
        "true.csv": "\n".join(["id,label", *(f"{k},{c}" for k, c in enumerate(TRUE))]),
        "model.csv": "\n".join(lines),
    }
    for name, text in contents.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    return [
        *("--hierarchy", str(tmp_path / "h.txt"), "--true", str(tmp_path / "true.csv")),
        *("--probabilities", str(tmp_path / "model.csv"), "--kind", "leaves"),
    ]


def test_what_there_is_not_is_left_out_and_said():
    # The second instance has two true classes, the third none; there are four leaves.
    report = scored_report(TABLE, [{"Crow"}, {"Finch", "Carp"}, set()], top=[1, 5])
    assert "AC" not in report.values
    assert "distance@5" not in report.values
    notes = " | ".join(report.notes)
    assert (
        report.values["AUPRC_macro"]
        == class_areas(TABLE, [{"Crow"}, {"Finch", "Carp"}, set()]).macro
    )
    for words in (
        "there are 4 leaves",
        "1 instance without a true class",
        "no operating curve",
        "row 2",
    ):
        assert words in notes


def test_a_file_on_the_command_line_has_the_values_of_the_library_and_what_is_left_out_is_said(
    files, tmp_path, capsys
):
    settings = {"top": [1, 3], "interpolation": "step", "distance": "height"}
    with (tmp_path / "true.csv").open("a", encoding="utf-8") as labels:
        labels.write("7,Crow\n8,Eel\n")
    with (tmp_path / "h.txt").open("a", encoding="utf-8") as edges:
        edges.write("Bird Crow\n")
    given = ["--top", "1,3", "--interpolation", "step", "--distance", "height", "--json"]
    assert main(["curves", *files, *given]) == 0
    printed = capsys.readouterr()
    expected = scored_report(TABLE, [{c} for c in TRUE], **settings).values
    assert json.loads(printed.out)["model.csv"] == pytest.approx(expected)
    # the finch is taken for a crow
    assert (expected["severity"], expected["accuracy@1"]) == (1, 2 / 3)
    # Carp
    assert "AUPRC_pooled" in printed.err
    assert "2 labelled" in printed.err
    assert "h.txt: " in printed.err
    for change, words in (["--top", "1,x"], "'x'"), (["--hierarchy", "nowhere.txt"], "nowhere.txt"):
        assert main(["curves", *files, *change]) == 2
        assert words in capsys.readouterr().err
