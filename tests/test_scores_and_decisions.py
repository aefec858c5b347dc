"""`evaluate --scores`: scores and a decision give the measures of the labels."""

import json
from pathlib import Path

import pytest

from hiermeasures import Hierarchy, InputError, evaluate, explain, partial
from hiermeasures.cli import main
from tests.tables import LIBRARIES, make_table


@pytest.fixture
def files(tmp_path):
    """Two instances; 5 and 2 are true. No class of 5 lies on a path with 2."""
    (tmp_path / "h.txt").write_text("r\t1\nr\t2\n1\t3\n1\t4\n1\t5\n")
    (tmp_path / "scores.csv").write_text(
        "id,1,2,3,4,5\nb,0.5,0.5,0.5,0,0\na,0.75,0.25,0.2,0.2,0.35\n"
    )
    (tmp_path / "true.csv").write_text("id,label\na,5\nb,2\n")
    return ["evaluate", "--hierarchy", str(tmp_path / "h.txt"), "--true", str(tmp_path / "true.csv"),
            "--scores", str(tmp_path / "scores.csv"), "--measures", "hF,accuracy", "--json"]  # fmt: skip


@pytest.mark.parametrize(
    ("decision", "f", "accuracy"),
    [
        # a: {r, 1} of {r, 1, 5}: 4/5. b: {r, 1, 2, 3} of {r, 2}: 4/6.
        ([], (4 / 5 + 4 / 6) / 2, 0),
        (["--decision", "at_least@0.5"], (4 / 5 + 4 / 6) / 2, 0),
        # b: nothing is above 0.5, or leads.
        (["--decision", "above@0.5"], (4 / 5 + 0) / 2, 0),
        (["--decision", "plurality"], (1 + 0) / 2, 1 / 2),
        # 5; and 2, which is the first leaf with 0.5.
        (["--decision", "argmax_leaf"], 1, 1),
        # 5; 3 and 2 have as much information and probability, 3 is deeper: {r, 1, 3} of {r, 2}:
        # 2/5.
        (["--decision", "confidence_threshold@0.3"], (1 + 2 / 5) / 2, 1 / 2),
    ],
)
def test_scores_and_a_decision_give_the_measures(files, decision, f, accuracy, capsys):
    assert main([*files, *decision]) == 0
    assert json.loads(capsys.readouterr().out) == pytest.approx({"hF": f, "accuracy": accuracy})


@pytest.mark.parametrize("decision", ["at_least@0.5", "threshold@0.3"])
def test_the_signature_names_the_decision(files, decision, capsys):
    more = [] if decision == "at_least@0.5" else ["--decision", decision]
    assert main([*files[:-1], *more, "--signature"]) == 0
    assert f"|scores:{decision}|" in capsys.readouterr().out


def test_compare_ranks_files_of_scores_with_the_values_of_evaluate(files, tmp_path, capsys):
    (tmp_path / "other.csv").write_text("id,1,2,3,4,5\na,0.75,0.25,0.5,0.2,0\nb,0.3,0.7,0,0,0\n")
    decided = ["--scores", str(tmp_path / "scores.csv"), str(tmp_path / "other.csv")]
    decided += ["--decision", "threshold@0.3"]
    common = [files[1], files[2], files[3], files[4], "--measures", "hF,accuracy", "--json"]
    assert main(["evaluate", *common, *decided]) == 0
    values = json.loads(capsys.readouterr().out)
    assert main(["compare", *common, *decided]) == 0
    compared = json.loads(capsys.readouterr().out)["scores"]
    for name, found in values.items():
        assert compared[Path(name).stem] == pytest.approx(found)
    assert main(["compare", *common, *decided[:2]]) == 2
    assert main(["compare", *common, "--predicted", "a", "b", "--decision", "plurality"]) == 2
    assert "--scores" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_a_file_of_scores_is_not_written_over(files, command, tmp_path):
    scores, other = tmp_path / "scores.csv", tmp_path / "other.csv"
    before = scores.read_text()
    other.write_text(before)
    both = ["--scores", str(scores), str(other), "--csv", str(scores)]
    assert main([command, *files[1:5], *both]) == 2
    assert scores.read_text() == before


# a: {r, 1, 5}, and {r, 1, 2, 5} of {r, 1, 5}. c has no scores: 3, its truth, is the first leaf.
@pytest.mark.parametrize(("decision", "f"), [("argmax_leaf", 1 / 2), ("top_k@2", 6 / 7 / 2)])
def test_nothing_is_predicted_for_an_instance_without_scores(files, decision, f, tmp_path, capsys):
    (tmp_path / "true.csv").write_text("id,label\na,5\nc,3\n")
    assert main([*files, "--decision", decision]) == 0
    assert json.loads(capsys.readouterr().out)["hF"] == pytest.approx(f)


@pytest.mark.parametrize(
    "scores", ["id,1,2,3\na,0.75,0.25,0.2\nb,1,0,0\n", "3,4,5\n0.2,0.2,0.35\n0.5,0.5,0\n"]
)
def test_scores_in_place_of_labels_are_refused_with_a_hint(files, scores, tmp_path, capsys):
    (tmp_path / "scores.csv").write_text(scores)
    arguments = [f if f != "--scores" else "--predicted" for f in files]
    assert main(arguments) == 2
    assert "--scores" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--decision", "foo"], "plurality"),
        (["--decision", "plurality@2"], "plurality takes"),
        (["--decision", "threshold@x"], "--decision"),
        (["--predicted", "x.csv"], "--predicted"),
    ],
)
def test_a_decision_that_does_not_exist_is_refused(files, more, message, capsys):
    assert main([*files, *more]) == 2
    assert message in capsys.readouterr().err


H = Hierarchy.from_edges([("r", "1"), ("r", "2"), ("1", "3")])
SCORES = {"1": [0.75, 0.25], "2": [0.25, 0.75], "3": [0.625, 0.0]}


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_table_whose_columns_are_classes_needs_no_classes(library):
    marks = make_table(
        library, {name: [int(v > 0.5) for v in column] for name, column in SCORES.items()}
    )
    true = [{"1", "3"}, {"2"}]
    assert (
        evaluate(H, true, make_table(library, SCORES), threshold=0.5, measures="accuracy")[
            "accuracy"
        ]
        == 1
    )
    # 1 alone, and 2
    assert (
        evaluate(H, true, make_table(library, SCORES), argmax=True, measures="accuracy")["accuracy"]
        == 0.5
    )
    assert evaluate(H, true, marks, measures="accuracy")["accuracy"] == 1
    assert partial(H, marks, marks, measures="accuracy").report()["accuracy"] == 1


def test_other_columns_still_need_classes():
    pd = pytest.importorskip("pandas")
    for columns in (["1", "2", "x"], [1, 2, 3]):
        table = pd.DataFrame(dict(zip(columns, SCORES.values(), strict=True)))
        with pytest.raises(InputError, match="classes="):
            evaluate(H, [{"1"}, {"2"}], table, threshold=0.5)
    # a label per level, under unlucky names
    levels = pd.DataFrame({"1": ["1", "2"], "2": ["3", None]})
    assert evaluate(H, [{"3"}, {"2"}], levels, measures="accuracy")["accuracy"] == 1


def test_class_names_with_commas_are_quoted_in_output(tmp_path, capsys):
    (tmp_path / "h.txt").write_text("R\tRock, hard\nR\tJazz\n")
    (tmp_path / "t.jsonl").write_text('["Rock, hard"]\n')
    (tmp_path / "p.jsonl").write_text('["Jazz"]\n')
    files = [
        f"--{name}={tmp_path / file}"
        for name, file in (("hierarchy", "h.txt"), ("true", "t.jsonl"), ("predicted", "p.jsonl"))
    ]
    assert main(["find", "hF < 1", *files]) == 0
    assert 'true "Rock, hard"; predicted Jazz' in capsys.readouterr().out
    assert main(["evaluate", *files, "--measures=hF", "--worst", str(tmp_path / "w.svg")]) == 0
    assert 'true "Rock, hard"; predicted Jazz' in capsys.readouterr().err
    assert (
        explain(Hierarchy.from_edges([("R", "a, b"), ("R", "c")]), {"a, b"}, {"c"})
        .derivation("ru")
        .sentence.count('"a, b"')
    )
