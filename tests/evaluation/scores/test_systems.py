"""Files of scores and of labels are systems side by side, with the numbers of the command line."""

import io
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hiermeasures import InputError
from hiermeasures.cli import main
from hiermeasures.evaluation.answers import Rules
from hiermeasures.evaluation.files import InputFile
from hiermeasures.evaluation.scores import RULES, choose_threshold
from hiermeasures.evaluation.scores.systems import Decision, read_scored_systems, read_scores

HIERARCHY = "r\t1\nr\t2\n1\t3\n1\t4\n1\t5\n"
TRUE = "id,label\na,5\nb,2\nc,3\n"
# No scores for c, and d is not labelled.
SCORES = "id,1,2,3,4,5\nb,0.5,0.5,0.5,0,0\nd,1,0,1,0,0\na,0.75,0.25,0.2,0.2,0.35\n"
LABELS = "id,label\na,4\nb,2\nc,3\n"
DECISIONS = [Decision("threshold", at=0.3), Decision("argmax_leaf"), Decision("top_k", k=2)]


def read(decision, missing="empty", **files):
    given = {name: InputFile(name, text.encode()) for name, text in files.items()}
    hierarchy, true = InputFile("h", HIERARCHY.encode()), InputFile("t", TRUE.encode())
    rules = Rules.of("wrong", normalise=(), first=1)
    return read_scored_systems(
        hierarchy, true, given, kind="nodes", decision=decision, rules=rules, missing=missing
    )


def test_scores_and_labels_are_systems_in_the_order_of_their_files():
    systems, scored = read(Decision("threshold", at=0.3), old=LABELS, new=SCORES, other=LABELS)
    assert list(systems.predicted) == ["old", "new", "other"]
    assert list(scored) == ["new"]
    h = systems.hierarchy
    answers = [systems.predicted["new"].classes(h, k) for k in range(3)]
    # a: 1 and 5 reach 0.3, and 1 is above 5. b: 1, 2 and 3.
    assert answers == [{"5"}, {"2", "3"}, set()]
    assert [systems.predicted["old"].classes(h, k) for k in range(3)] == [{"4"}, {"2"}, {"3"}]
    assert sum("without a prediction" in note.text for note in systems.notes) == 1


@pytest.mark.parametrize("decision", DECISIONS, ids=str)
def test_the_values_are_those_of_the_command_line(decision, tmp_path, capsys):
    systems, _ = read(decision, new=SCORES)
    (report,) = systems.reports(measures=["hF", "F_LCA"]).values()
    paths = {"hierarchy": HIERARCHY, "true": TRUE, "scores": SCORES}
    for name, text in paths.items():
        (tmp_path / f"{name}.csv").write_text(text)
    files = [f"--{name}={tmp_path / name}.csv" for name in paths]
    command = ["evaluate", *files, f"--decision={decision}", "--measures=hF,F_LCA", "--json"]
    assert main(command) == 0
    values = json.loads(capsys.readouterr().out)
    assert {key: report[key] for key in ("hF", "F_LCA")} == values


def test_a_threshold_is_chosen_on_the_instances_with_scores():
    systems, scored = read(Decision(), new=SCORES)
    table, true = scored["new"].match(systems.true)
    assert table.ids == ("a", "b")
    h = systems.hierarchy
    assert [true.classes(h, k) for k in range(2)] == [{"5"}, {"2"}]
    choice = choose_threshold(table, true, "accuracy")
    # a is right from above 0.25 to 0.35; b is never right.
    assert (choice.at, choice.value) == (0.26, 0.5)


def test_instances_without_scores_can_be_refused():
    with pytest.raises(InputError, match="without a prediction"):
        read(Decision(), "fail", new=SCORES)


def test_files_of_labels_alone_are_refused_with_a_hint():
    with pytest.raises(InputError, match="choose Labels"):
        read(Decision(), old=LABELS)


def archive():
    out = io.BytesIO()
    np.savez(out, probabilities=np.zeros((1, 2)), classes=np.array(["1", "2"]))
    return out.getvalue()


def parquet(columns):
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "has_scores"),
    [
        (SCORES.encode(), True),
        (SCORES.replace(",", ";").encode(), True),
        (archive(), True),
        (parquet({"id": ["a"], "1": [0.5], "2": [0.5]}), True),
        (parquet({"id": ["a"], "label": ["1"]}), False),
        (LABELS.encode(), False),
        (b"a\t5\nb\t2\n", False),
        (b'["5"]\n["2"]\n', False),
        (b"", False),
        (b"id,label\n", False),
    ],
)
def test_a_file_of_scores_is_known_by_its_columns_of_numbers(content, has_scores, tmp_path):
    path = tmp_path / "file"
    path.write_bytes(content)
    for source in (content, path):
        assert (read_scores(source, name="file") is not None) == has_scores


def test_a_decision_is_written_as_on_the_command_line():
    assert [str(decision) for decision in DECISIONS] == ["threshold@0.3", "argmax_leaf", "top_k@2"]
    assert all(str(Decision(rule)).partition("@")[0] == rule for rule in RULES)
