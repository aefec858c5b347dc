"""One file at every door has the same numbers: command line, Python, comparison, table, scores."""

import json
import re
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hiermeasures import Hierarchy, HierarchyWarning, InputError, compare, evaluate
from hiermeasures.app.files import File
from hiermeasures.app.systems.data import (
    Columns,
    ComparisonRequest,
    Matching,
    evaluate_files,
    evaluate_table,
)
from hiermeasures.cli import main
from hiermeasures.evaluation.scores import NodeProbabilities, predict
from hiermeasures.hierarchy.options import DECLARED
from hiermeasures.measures import CATALOGUE

EDGES = [("B", "T1"), ("B", "P1"), ("B", "P2"), ("C", "D")]
REAL = [("A", "B"), ("A", "C"), *EDGES]
TRUE, RIGHT, WRONG = ["T1", "P1", "D", "D"], ["T1", "P2", "C", "D"], ["T1", "zz", "C", "D"]
KEYS = ("accuracy", "hF", "F_LCA", "HCM_ACC", "CoPHE_F1", "TIE")


def write(folder: Path, edges, answers) -> None:
    (folder / "h.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in edges))
    (folder / "t.csv").write_text("id,label\n" + "".join(f"{k},{c}\n" for k, c in enumerate(TRUE)))
    (folder / "p.csv").write_text(
        "id,label\n" + "".join(f"{k},{c}\n" for k, c in enumerate(answers))
    )
    rows = zip(TRUE, answers, strict=True)
    (folder / "table.csv").write_text("truth,answer\n" + "".join(f"{t},{p}\n" for t, p in rows))


def as_json(capsys, *words: str) -> dict:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("answers", [RIGHT, WRONG], ids=["classes", "an unknown answer"])
@pytest.mark.parametrize("edges", [REAL, EDGES], ids=["a real root", "a virtual root"])
def test_every_door_has_the_same_numbers(edges, answers, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, edges, answers)
    h, measures = Hierarchy.from_edges(edges), ["--measures", ",".join(KEYS)]
    files = ["--hierarchy", "h.tsv", "--true", "t.csv", "--predicted", "p.csv"]
    table = ["table.csv", "--true", "truth", "--predicted", "answer", "--hierarchy", "h.tsv"]
    report = evaluate(h, TRUE, answers, measures=KEYS, unknown="wrong")
    frame = pd.DataFrame({"truth": TRUE, "answer": answers})
    Path("q.csv").write_text(Path("p.csv").read_text())
    compared = as_json(capsys, "compare", *files, "q.csv", *measures)["scores"]["p"]
    given = {
        name: [File(f, Path(f).read_bytes())]
        for name, f in zip(("hierarchy", "true", "systems"), files[1::2], strict=True)
    }
    asked = ComparisonRequest(KEYS)
    page = evaluate_files(given, Matching(), lambda *_: None, asked).reports["p"]
    doors = {
        "command line": as_json(capsys, "evaluate", *files, *measures),
        "one table": as_json(capsys, "evaluate", *table, *measures),
        "compare": {key: compared[key] for key in KEYS},
        "compare in Python": compare(
            h, TRUE, {"a": answers, "b": answers}, measures=KEYS, unknown="wrong"
        )
        .scores.loc["a"]
        .to_dict(),
        "frame": dict(evaluate(frame, true="truth", predicted="answer", taxonomy=h, measures=KEYS)),
        "page": {key: page[key] for key in KEYS},
    }
    for door, values in doors.items():
        assert values == pytest.approx(dict(report), abs=0), door
    # By hand: right are the first and the last of four; with an unknown answer as well.
    assert report["accuracy"] == 0.5
    root = "counted" if edges is REAL else "left-out"
    assert f"|root:{root}|" in report.signature
    assert f"|root:{root}|" in page.signature


def test_a_score_of_exactly_the_threshold_is_an_answer_at_every_door(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    h = Hierarchy.from_edges(REAL)
    write(tmp_path, REAL, RIGHT)
    names = ["B", "C", "T1", "P1", "P2", "D"]
    scores = np.zeros((4, 6))
    for row, label in enumerate(RIGHT):
        scores[row, names.index(label)] = 0.5
    Path("s.csv").write_text(
        "id,"
        + ",".join(names)
        + "\n"
        + "".join(f"{k},{','.join(map(str, row))}\n" for k, row in enumerate(scores))
    )
    expected = evaluate(h, TRUE, RIGHT, measures=["accuracy", "f1"])
    by_scores = evaluate(h, TRUE, scores, classes=names, threshold=0.5, measures=["accuracy", "f1"])
    assert dict(by_scores) == dict(expected)
    assert "|scores:at_least@0.5|" in by_scores.signature
    files = [
        "--hierarchy",
        "h.tsv",
        "--true",
        "t.csv",
        "--scores",
        "s.csv",
        "--measures",
        "accuracy,f1",
    ]
    found = as_json(capsys, "evaluate", *files)
    assert found == pytest.approx(dict(expected))
    p = NodeProbabilities.of(h, {"B": 0.5, "C": 0.5, "T1": 0.5, "P1": 0.0, "P2": 0.0, "D": 0.0})
    assert predict(p, "threshold", at=0.5).classes == {"B", "C", "T1"}
    assert predict(p, "threshold", at=0).classes == {"B", "C", "T1"}  # 0 is never an answer


@pytest.mark.parametrize("name", [name for name in DECLARED if name != "count_root"])
@pytest.mark.parametrize(
    "key",
    [
        "H_loss",
        "hF",
        "TIE",
        "wF",
        "GIE",
        "F_LCA",
        "HCM_F1",
        "CoPHE_F1",
        "rank_F",
        "Wu_Palmer",
        "Lin",
    ],
)
def test_an_option_changes_a_measure_or_is_reported(key, name):
    values = {
        "dmax": 3, "normaliser": "symmetric_difference", "too_specific": "right", "too_general": "right",
        "path": "any", "max_pair_distance": 3, "alpha_p": 1, "beta_p": 2, "alpha_t": 1, "beta_t": 2,
        "default_classes": False, "graphs": "extended", "solver": "greedy", "negatives": "descendants",
        "path_derivation": "benevolent", "path_ties": "names", "max_level": 1, "rank": 1, "hops": 2,
        "depth": "shortest",
        "edge_weights": "level", "weight_base": 0.25, "class_weights": "leaves",
        "information_smoothing": "dummy", "max_ancestor_distance": 2, "zero_division": 0.5,
    }  # fmt: skip
    h = Hierarchy.from_edges(REAL)
    report = evaluate(h, TRUE, RIGHT, measures=[key], **{name: values[name]})
    said = any(name in note for note in report.value_notes)
    if name not in CATALOGUE[key].options:
        assert said
    if not said:
        assert name in CATALOGUE[key].options
    if name == "class_weights":  # of edges only where these weigh what classes weigh
        assert said == (key not in ("wF", "Lin", "H_loss"))


def test_all_normalisations_are_all_and_an_unknown_one_names_them(tmp_path, monkeypatch, capsys):
    frame = pd.DataFrame({"t": ["X.Y", "X.Z"], "p": ["x-y", "X.Z"]})
    h = Hierarchy.from_edges([("X", "X.Y"), ("X", "X.Z")])
    how = {"true": "t", "predicted": "p", "taxonomy": h, "measures": ["accuracy"]}
    assert evaluate(frame, **how)["accuracy"] == 0.5
    assert evaluate(frame, normalise="all", **how)["accuracy"] == 1
    assert evaluate(frame, normalise=True, **how)["accuracy"] == 1
    with pytest.raises(InputError, match="case, blanks, unicode, quotes, signs"):
        evaluate(frame, normalise=["spelling"], **how)
    page = evaluate_table(
        {"table": [File("t.csv", b"t,p\nX > Y,x > y\nX > Z,X > Z\n")]},
        Columns("t", ("p",), normalise=("case",)), lambda *_: None, ComparisonRequest(("accuracy",)),
    )  # fmt: skip
    assert page.reports["p"]["accuracy"] == 1


def test_codes_beside_a_hierarchy_are_refused_where_they_do_nothing(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write(tmp_path, REAL, RIGHT)
    words = [
        "evaluate",
        "table.csv",
        "--true",
        "truth",
        "--predicted",
        "answer",
        "--hierarchy",
        "h.tsv",
    ]
    assert main([*words, "--codes", "2,4,6"]) == 2
    refused = capsys.readouterr().err
    assert "codes" in refused
    assert "hierarchy" in refused
    assert main([*words, "--codes", "2,4,6", "--unknown", "prefix"]) == 0


def test_rows_of_files_and_tables_are_counted_from_1_and_instances_of_lists_from_0(
    tmp_path, monkeypatch, capsys
):
    h = Hierarchy.from_edges(REAL)
    frame = pd.DataFrame({"truth": TRUE, "answer": WRONG})
    table = evaluate(frame, true="truth", predicted="answer", taxonomy=h)
    assert re.search(r"1 unknown answer \(row 2\)", " ".join(table.notes))
    assert re.search(
        r"1 unknown answer \(instance 1\)",
        " ".join(evaluate(h, TRUE, WRONG, unknown="wrong").notes),
    )
    monkeypatch.chdir(tmp_path)
    write(tmp_path, REAL, WRONG)
    Path("t.txt").write_text("\n".join(TRUE) + "\n")
    Path("p.txt").write_text("\n".join(WRONG) + "\n")
    assert main("evaluate --hierarchy h.tsv --true t.txt --predicted p.txt".split()) == 0
    assert "1 unknown answer (row 2)" in capsys.readouterr().out


def test_a_doubtful_hierarchy_warns_where_it_was_made_once_and_a_command_prints_a_note(
    tmp_path, capsys
):
    names = ["comp.sys.mac.hardware", "comp.sys.ibm", "rec.autos"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(2):
            h = Hierarchy.from_nested(names)
    assert [(w.category, w.filename) for w in caught] == [(HierarchyWarning, __file__)]
    assert str(caught[0].message) in h.notes
    with warnings.catch_warnings(record=True) as none:
        warnings.simplefilter("default")
        Hierarchy.from_edges(EDGES)  # several top classes are ordinary
    assert none == []
