"""The report of scores without a threshold, in the library and on the command line."""

import json

import pytest

from hiermeasures import InputError
from hiermeasures.cli import main
from hiermeasures.probabilities import ProbabilityTable, class_areas, mistakes_of, operating_curve, scored_report
from tests.conftest import hierarchy_of

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
