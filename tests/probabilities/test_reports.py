"""Sums at thresholds over parts of the instances, wherever they come from and however they are
joined, give the report of one run to the last bit; at all scores as thresholds they give the exact
curves; and bytes from anywhere are either such sums or refused. The report of scores without a
threshold, on the command line, too.
"""

import json
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError, from_bytes, merge, partial, to_bytes
from hiermeasures.cli import main
from hiermeasures.probabilities import (
    ProbabilityTable,
    class_areas,
    curves,
    file_sweep,
    instance_areas,
    micro_curve,
    mistakes_of,
    operating_curve,
    scored_report,
    scored_report_of_sums,
    threshold_partial,
)
from hiermeasures.probabilities.curves import effective_values
from tests.conftest import hierarchy_of
from tests.partial_bytes import rewritten
from tests.probabilities.strategies import NUMBERS, any_tables

H = hierarchy_of("r>a r>b a>c a>d b>d b>e c>f c>g")


def table_of(rows, seed=1, h=H):
    return ProbabilityTable.of(h, np.random.default_rng(seed).random((rows, len(h))))


def labels(rows, seed=2, most=1, h=H):
    random = np.random.default_rng(seed)
    return [set(random.choice(h.nodes[1:], random.integers(0, most + 1)).tolist()) for _ in range(rows)]


TABLE, TRUE = table_of(40), labels(40)


def part(rows, table=TABLE, true=TRUE, **settings):
    some = ProbabilityTable(table.hierarchy, table.values[rows], tuple(table.ids[k] for k in rows))
    return threshold_partial(some, [true[k] for k in rows], **settings)


def bits(value):
    """Every number of a report by its bits, the hierarchy left out."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if is_dataclass(value):
        return [(f.name, bits(getattr(value, f.name))) for f in fields(value) if f.name != "hierarchy"]
    return value.hex() if isinstance(value, float) else value


def test_values_by_hand():
    # Both instances say 1: 0.75, 3: 0.5, 2 and 4: 0.25. Above 0.25 that is {1, 3}: F1 is 1 where 3
    # is true, 1/2 where 4 is. The areas are 1, and 1/2 · 1 + 1/2 · 1/2 = 3/4, for precision is 1/2
    # before 4 and with it.
    h = hierarchy_of("r>1 r>2 1>3 1>4")
    table = ProbabilityTable.of(h, [[0.75, 0.25, 0.5, 0.25]], ["1", "2", "3", "4"])
    report = merge(threshold_partial(table, [{c}], [0.25, 0.6]) for c in "34").report(interpolation="step")
    assert report.sweep.samples_f1.tolist() == [(1 + 1 / 2) / 2, 2 / 3]
    assert report.sweep.micro_precision.tolist() == [3 / 4, 1]
    assert (report.mean_area, report.mean_best_f1) == (7 / 8, (1 + 2 / 3) / 2)
    assert (report.instances, report.undefined) == (2, 0)
    # Micro: 2 of 4 true classes with precision 1, 3 of 4 with 3/4, straight lines between them.
    assert report.micro.recall.tolist() == [0, 1 / 2, 3 / 4]
    assert report.micro.area == 1 / 2 + 1 / 4 * (1 + 3 / 4) / 2
    # Class 1 is true and predicted for both. Class 3 is predicted for both and right for one; 4 at
    # the end only.
    assert dict(zip(report.classes.classes, report.classes.areas.tolist(), strict=True)) == {"1": 1, "3": 0.5, "4": 0.5}


@given(
    st.data(),
    any_tables(rows=7),
    st.fixed_dictionaries(
        {},
        optional={
            "thresholds": st.sampled_from([[0.25, 0.5], [0], [0.3, 1, 0.1]]),
            "interpolation": st.just("step"),
            "count_root": st.just(True),
            "incoherent": st.just("cap"),
            "weights": st.just("one"),
        },
    ),
    st.sampled_from([1, 50, 4_000_000]),
)
def test_any_cutting_joined_in_any_order_gives_the_bits_of_one_run(data, table, settings, at_once):
    classes = st.sampled_from(table.hierarchy.nodes)
    true = [data.draw(st.sets(classes, max_size=data.draw(st.sampled_from([1, 3])))) for _ in range(7)]
    order = data.draw(st.permutations(range(7)))
    edges = [0, *sorted(data.draw(st.sets(st.integers(1, 6), max_size=5))), 7]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curves, "CELLS_AT_ONCE", at_once)
        parts = [part(order[a:b], table, true, **settings) for a, b in zip(edges[:-1], edges[1:], strict=True)]
    parts = data.draw(st.permutations(parts))
    while len(parts) > 1:
        k = data.draw(st.integers(0, len(parts) - 2))
        parts[k : k + 2] = [from_bytes(table.hierarchy, to_bytes(parts[k] + parts[k + 1]))]
    assert bits(parts[0].report()) == bits(part(range(7), table, true, **settings).report())
    assert len(parts[0]) == 7


def test_instances_of_many_true_classes_give_the_same_bits_beside_those_of_few(monkeypatch):
    random = np.random.default_rng(4)
    h = Hierarchy.from_edges([(str(random.integers(0, c)), str(c)) for c in range(1, 60)])
    table, true = table_of(30, h=h), [labels(1, k, most=1 + k % 3 * 15, h=h)[0] | {"59"} for k in range(30)]
    whole = part(range(30), table, true)
    monkeypatch.setattr(curves, "CELLS_AT_ONCE", 1)
    joined = merge(part([k], table, true) for k in range(30))
    assert joined.areas.tolist() == whole.areas.tolist()  # the mean would round a difference in one of them away
    assert bits(joined.report()) == bits(whole.report())


@given(st.integers(0, 2**20), NUMBERS)
def test_the_sweep_and_the_means_of_instances_are_the_exact_ones(size, seed):
    random = np.random.default_rng(seed)
    table, true = table_of(1 + size % 9, seed), labels(1 + size % 9, seed, most=3)
    taus = random.random(4)
    report = threshold_partial(table, true, taus).report()
    assert bits(report.sweep) == bits(file_sweep(table, true, np.sort(taus)))
    exact = instance_areas(table, true)
    assert report.mean_area == pytest.approx(exact.mean, nan_ok=True)
    assert report.mean_best_f1 == pytest.approx(exact.mean_best_f1, nan_ok=True)
    assert report.undefined == len(exact.undefined)


@given(table=any_tables(rows=5), seed=NUMBERS, interpolation=st.sampled_from(["counts", "step"]))
def test_what_curves_reports_is_read_off_sums(table, seed, interpolation):
    true = [*labels(5, seed, h=table.hierarchy), {table.hierarchy.nodes[-1]}]
    table = ProbabilityTable(table.hierarchy, table.values[[0, 1, 2, 3, 4, 0]], tuple("123456"))
    values = effective_values(table.hierarchy, table.values, "augment")
    settings = {"thresholds": np.unique([0.0, 1.0, *values.ravel(), *table.values.ravel()]), "top": [1, 3]}
    sums = merge([part([0, 5, 1], table, true, **settings), part([2, 3, 4], table, true, **settings)])
    found = scored_report_of_sums(sums, interpolation=interpolation)
    exact = scored_report(table, true, top=[1, 3], interpolation=interpolation)
    rows = {name: exact.values[name] for name in exact.values if name.startswith(("severity", "distance", "accuracy"))}
    assert [found.values[name].hex() for name in rows] == [value.hex() for value in rows.values()]
    by_points = {f"{name}_by_points": value for name, value in exact.values.items() if name not in rows}
    assert found.values == pytest.approx(rows | by_points, nan_ok=True)
    assert set(exact.notes) <= set(found.notes)
    assert found.words["AC_by_points"] == exact.words["AC"]


@pytest.mark.parametrize("interpolation", ["counts", "step", "trapezoid"])
@given(table=any_tables(rows=5), seed=NUMBERS, unseen=st.booleans(), count_root=st.booleans())
def test_at_all_scores_as_thresholds_curves_are_the_exact_ones(interpolation, table, seed, unseen, count_root):
    true = labels(5, seed, h=table.hierarchy)
    values = effective_values(table.hierarchy, table.values, "augment")
    settings = {"count_root": count_root}
    report = threshold_partial(table, true, np.unique([0.0, 1.0, *values.ravel()]), **settings).report(
        interpolation=interpolation, unseen=unseen
    )
    exact = class_areas(table, true, interpolation=interpolation, unseen=unseen, **settings)
    assert (report.classes.classes, report.classes.unseen) == (exact.classes, exact.unseen)
    np.testing.assert_allclose(report.classes.areas, exact.areas, atol=1e-12)
    assert report.classes.pooled == pytest.approx(exact.pooled, nan_ok=True)
    assert report.micro.area == pytest.approx(micro_curve(table, true, **settings).area, nan_ok=True)


@given(table=any_tables(rows=5), seed=NUMBERS)
def test_an_operating_curve_has_the_exact_values_at_its_thresholds(table, seed):
    true = labels(5, seed, h=table.hierarchy)
    taus = np.unique([0.1, *table.values.ravel()])
    found = threshold_partial(table, true, taus).report().operating
    if not any(true):
        assert found is None
        return
    exact = operating_curve(table, true)
    place = [int((exact.thresholds >= tau).sum()) - 1 for tau in found.thresholds]
    for key in ("correct", "exact", "recall", "precision"):
        np.testing.assert_allclose(getattr(found, key), getattr(exact, key)[place], atol=1e-12)
    assert found.average_precision == pytest.approx(exact.average_precision)


def test_one_instance_with_several_true_classes_leaves_the_operating_curve_out_of_the_whole():
    two = threshold_partial(table_of(1), [{"f", "e"}])
    assert two.operating is None
    for joined in (part([0, 1]) + two, from_bytes(H, to_bytes(two)) + part([0, 1])):
        assert joined.report().operating is None


def test_parts_of_hierarchies_that_number_the_classes_otherwise_join():
    other = Hierarchy.from_edges(reversed(H.edges))
    assert other.nodes != H.nodes
    columns = [H.index(c) for c in other.nodes]
    moved = ProbabilityTable.of(other, TABLE.values[:, columns])
    parts = [part(range(20)), from_bytes(H, to_bytes(part(range(20, 40), moved)))]
    assert bits(merge(parts).report()) == bits((parts[0] + part(range(20, 40), moved)).report())
    assert bits(merge(parts).report()) == bits(part(range(40)).report())


def test_bytes_do_not_grow_with_the_instances():
    assert abs(len(to_bytes(part(range(20)))) - len(to_bytes(part(range(40))))) < 300


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"thresholds": [0.5]}, "of different thresholds cannot be joined"),
        ({"interpolation": "step"}, "of different interpolation cannot be joined: trapezoid in one, step in the other"),
        ({"count_root": True}, "of different count_root cannot be joined: False in one, True in the other"),
        ({"incoherent": "cap"}, "of different incoherent cannot be joined"),
        ({"weights": "one"}, "of different weights cannot be joined: leaves in one, one in the other"),
        ({"top": [1]}, r"of different top cannot be joined: \(1, 5\) in one, \(1,\) in the other"),
    ],
)
def test_what_does_not_fit_is_not_merged(settings, message):
    with pytest.raises(InputError, match=message):
        merge([part([1]), part([2], **settings)])


def test_another_hierarchy_or_kind_is_not_merged_nor_read():
    other = hierarchy_of("r>a r>b a>c a>d b>e c>f c>g")
    stranger = threshold_partial(table_of(3, h=other), labels(3, h=other))
    with pytest.raises(InputError, match="of different hierarchies cannot be joined"):
        merge([part([1]), stranger])
    with pytest.raises(InputError, match="is of another hierarchy than the one given"):
        from_bytes(H, to_bytes(stranger))
    with pytest.raises(InputError, match="of different kinds cannot be joined"):
        merge([part([1]), partial(H, ["a"], ["b"], measures="hF")])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"thresholds": []}, "thresholds are numbers in"),
        ({"thresholds": [0.5, 1.5]}, "thresholds are numbers in"),
        ({"thresholds": np.linspace(0, 1, 10_002)}, "one at least and 10,001 at most"),
        ({"interpolation": "steps"}, "nearest known: 'step'"),
        ({"incoherent": "augmented"}, "nearest known: 'augment'"),
        ({"weights": "leaf"}, "nearest known: 'leaves'"),
        ({"top": [0]}, "top is a list of whole numbers from 1"),
        ({"top": [1] * 1001}, "1,000 at most"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        part([0], **settings)


# --- bytes from anywhere ------------------------------------------------------------------------

DATA = to_bytes(part(range(6), thresholds=[0.25, 0.5, 0.75]))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"more": 1}, "more cannot be read"),
        ({"settings__thresholds": [0.25, 0.5]}, "an array has 3 thresholds, not 2"),
        ({"settings__thresholds": [0.25, 0.5, 0.5]}, "thresholds do not rise"),
        ({"settings__thresholds": [0.25, 0.5, 1.5]}, "settings.thresholds.2 cannot be read"),
        ({"settings__thresholds": [k / 10_002 for k in range(10_002)]}, "thresholds cannot be read"),
        ({"instances": 1}, "a count is too large"),
        ({"with_truth": 0}, "a sum is out of range"),
        ({"instances": 2**53}, "instances cannot be read"),
        ({"instances": 2**52}, "there are too many instances"),
        ({"operating__instances": 10**6}, "there are too few instances"),
        ({"settings__weights": "mean"}, "weights cannot be read"),
        ({"settings__top": [0]}, "top.0 cannot be read"),
        ({"settings__top": [4]}, "counts of distances do not fit"),
    ],
)
def test_words_that_do_not_fit_are_refused(words, message):
    assert bits(from_bytes(H, rewritten(DATA)).report()) == bits(from_bytes(H, DATA).report())
    with pytest.raises(InputError, match=message):
        from_bytes(H, rewritten(DATA, **words))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ranked": lambda a: a + 9}, "a count is too large"),
        ({"ranked": lambda a: a[:, ::-1]}, "counts of distances do not fit"),
        ({"nearest": lambda a: a[:, 1:]}, "an array has . distances, not ."),
        ({"nearest": lambda a: a[[0, 2, 0]]}, "distances grow with the classes"),
    ],
)
def test_distances_that_cannot_be_are_refused(change, message):
    found = part(range(6), thresholds=[0.5], top=[3])
    for name, edit in change.items():
        object.__setattr__(found.mistakes, name, edit(getattr(found.mistakes, name)))
    with pytest.raises(InputError, match=message):
        from_bytes(H, to_bytes(found))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"right": lambda a: a + 9}, "a count is too large"),
        ({"right": lambda a: a + 3}, "more is right than predicted or true"),
        ({"predicted": lambda a: a[::-1]}, "counts rise with the threshold"),
        ({"true": lambda a: a * 0}, "more is right than predicted or true"),
        ({"true": lambda a: a * 0 + 6}, "more is wrong than there are instances"),
        ({"samples": lambda a: -a}, "a sum is out of range"),
    ],
)
def test_counts_that_cannot_be_are_refused(change, message):
    found = part(range(6), thresholds=[0.25, 0.5, 0.75])
    for name, edit in change.items():
        object.__setattr__(found, name, edit(getattr(found, name)))
    with pytest.raises(InputError, match=message):
        from_bytes(H, to_bytes(found))


ANIMALS = hierarchy_of("Animal>Bird Animal>Fish Bird>Crow Bird>Finch Fish>Carp Fish>Eel")
LEAVES = ["Crow", "Finch", "Carp", "Eel"]
SCORES = [[0.6, 0.2, 0.1, 0.1], [0.4, 0.3, 0.2, 0.1], [0.1, 0.1, 0.2, 0.6]]
ANIMAL_TRUE = ["Crow", "Finch", "Eel"]
ANIMAL_TABLE = ProbabilityTable.of(ANIMALS, SCORES, LEAVES, kind="leaves")


@pytest.fixture
def files(tmp_path):
    """A hierarchy, true labels and probabilities, the rows of which stand in another order."""
    lines = ["id," + ",".join(LEAVES), *(f"{k}," + ",".join(map(str, SCORES[k])) for k in (2, 0, 1))]
    contents = {
        "h.txt": "\n".join(f"{p} {c}" for p, c in ANIMALS.edges),
        "true.csv": "\n".join(["id,label", *(f"{k},{c}" for k, c in enumerate(ANIMAL_TRUE))]),
        "model.csv": "\n".join(lines),
    }
    for name, text in contents.items():
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    return [
        *("--hierarchy", str(tmp_path / "h.txt"), "--true", str(tmp_path / "true.csv")),
        *("--probabilities", str(tmp_path / "model.csv"), "--kind", "leaves"),
    ]


def test_a_file_on_the_command_line_has_the_values_of_the_library(files, capsys):
    assert main(["curves", *files, "--top", "1,3", "--interpolation", "step", "--json"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)["model.csv"]
    true = [{c} for c in ANIMAL_TRUE]
    areas, curve = class_areas(ANIMAL_TABLE, true, interpolation="step"), operating_curve(ANIMAL_TABLE, true)
    mistakes = mistakes_of(ANIMAL_TABLE, true)
    assert found == pytest.approx(
        {
            "AUPRC_pooled": areas.pooled,
            "AUPRC_macro": areas.macro,
            "AUPRC_weighted": areas.weighted,
            "severity": 1.0,  # the finch is taken for a crow
            "distance@1": 1 / 3,
            "accuracy@1": 2 / 3,
            "distance@3": mistakes.average_distance(3),
            "accuracy@3": 1.0,
            "AC": curve.average_correct,
            "AP": curve.average_precision,
            "R@90C": curve.recall_at_correct(0.9),
            "R@95C": curve.recall_at_correct(0.95),
        }
    )
    assert "classes that no instance has, which count in AUPRC_pooled only: 1" in printed.err  # Carp


def test_systems_stand_side_by_side(files, tmp_path, capsys):
    (tmp_path / "other.csv").write_text((tmp_path / "model.csv").read_text(), encoding="utf-8")
    at = files.index("--kind")
    assert main(["curves", *files[:at], str(tmp_path / "other.csv"), *files[at:]]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["model.csv", "other.csv"]
    assert ["severity", "1.0000", "1.0000"] in [line.split() for line in lines]


def test_what_there_is_not_is_left_out_and_said():
    # The second instance has two true classes, the third none; there are four leaves.
    report = scored_report(ANIMAL_TABLE, [{"Crow"}, {"Finch", "Carp"}, set()], top=[1, 5])
    assert "AC" not in report.values
    assert "distance@5" not in report.values
    notes = " | ".join(report.notes)
    for words in ("there are 4 leaves", "which count in the areas of classes only: 1", "no operating curve", "row 2"):
        assert words in notes


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (["--top", "0"], "--top takes whole numbers from 1, not '0'"),
        (["--top", "1,x"], "--top takes whole numbers from 1, not 'x'"),
        (["--hierarchy", "nowhere.txt"], "nowhere.txt"),
    ],
)
def test_bad_input_is_said_in_one_line(files, change, words, capsys):
    assert main(["curves", *files, *change]) == 2
    refused = capsys.readouterr().err.strip()
    assert words in refused
    assert "\n" not in refused


def test_what_is_left_out_of_the_files_is_said(files, tmp_path, capsys):
    assert main(["curves", *files, "--json"]) == 0
    values = capsys.readouterr().out
    with (tmp_path / "true.csv").open("a", encoding="utf-8") as labels:
        labels.write("7,Crow\n8,Eel\n")
    with (tmp_path / "h.txt").open("a", encoding="utf-8") as edges:
        edges.write("Bird Crow\n")
    assert main(["curves", *files, "--json"]) == 0
    said = capsys.readouterr()
    assert said.out == values
    assert "2 labelled instances without probabilities ('7', '8'), left out" in said.err
    assert "h.txt: " in said.err


def test_labels_that_are_no_classes_are_refused_with_their_row(files, tmp_path, capsys):
    (tmp_path / "true.csv").write_text("id,label\n0,Crow\n1,Finnch\n2,Eel\n", encoding="utf-8")
    assert main(["curves", *files]) == 2
    assert "'Finnch'; nearest known: 'Finch'" in capsys.readouterr().err


def test_without_any_truth_there_is_nothing_to_report():
    with pytest.raises(InputError, match="no instance has a true class"):
        scored_report(ANIMAL_TABLE, [set(), set(), set()])
