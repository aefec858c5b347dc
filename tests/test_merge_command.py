"""`--partial` writes the sums over some instances, and `merge` prints of all parts what one run
over all prints.
"""

import random

import pyarrow as pa
import pytest
from pyarrow import parquet

from hiermeasures.cli import main

EDGES = "r a\nr b\na c\na d\nb d\nb e\nc f\nc g\n"
CLASSES = "abcdefg"


@pytest.fixture
def files(tmp_path):
    """Twelve instances, whole and in three parts, the last as Parquet; and targets likewise."""
    draw = random.Random(1)
    sides = {
        name: [draw.sample(CLASSES, 1 + k % 3) for k in range(12)] for name in ("true", "predicted")
    }
    for part, rows in {
        "all": range(12),
        "0": range(5),
        "1": range(5, 8),
        "2": range(8, 12),
    }.items():
        for side, labels in sides.items():
            (tmp_path / f"{side}-{part}.txt").write_text(
                "".join(" ".join(labels[k]) + "\n" for k in rows)
            )
    rows = pa.table({side: [labels[k] for k in range(8, 12)] for side, labels in sides.items()})
    parquet.write_table(rows, tmp_path / "2.parquet")
    (tmp_path / "h.txt").write_text(EDGES)
    (tmp_path / "h.csv").write_text("".join(f"{c}\t{k + 1}\n" for k, c in enumerate("r" + CLASSES)))
    return tmp_path


def run(capsys, *arguments):
    status = main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return (status, out) if status == 0 else (status, err)


def evaluate(files, part, *more):
    given = ["--hierarchy", files / "h.txt", "--true", files / f"true-{part}.txt"]
    return ["evaluate", *given, "--predicted", files / f"predicted-{part}.txt", *more]


@pytest.mark.parametrize(
    "settings", ["--measures=hF,SDL,CoPHE_F1", "--average=micro --measures=hF,GIE --set=dmax=3"]
)
def test_parts_of_an_evaluation_print_what_one_run_does(files, capsys, settings):
    parts = [files / f"{k}.part" for k in range(3)]
    for k in (0, 1):
        assert run(capsys, *evaluate(files, k, "--partial", parts[k], *settings.split())) == (0, "")
    table = [
        "evaluate",
        "--hierarchy",
        files / "h.txt",
        "--parquet",
        files / "2.parquet",
        "--partial",
        parts[2],
    ]
    assert run(capsys, *table, *settings.split()) == (0, "")
    for form in ("--json", "--csv=-"):
        status, whole = run(capsys, *evaluate(files, "all", form, *settings.split()))
        merged = run(capsys, "merge", files / "h.txt", *reversed(parts), form)
        assert merged == (status, whole.replace(str(files / "predicted-all.txt"), "merged")), form
    assert run(capsys, "merge", files / "h.txt", *parts)[1].startswith("12 instances. ")


def test_parts_with_class_weights_are_joined_with_the_same(files, capsys):
    weights, part = ("--class-weights", files / "h.csv"), files / "w.part"
    assert run(
        capsys, *evaluate(files, "all", "--partial", part, "--measures", "wF", *weights)
    ) == (0, "")
    whole = run(capsys, *evaluate(files, "all", "--measures", "wF", "--json", *weights))
    assert run(capsys, "merge", files / "h.txt", part, "--json", *weights) == whole
    assert "another hierarchy" in run(capsys, "merge", files / "h.txt", part)[1]


def test_a_file_that_is_given_twice_is_refused_and_equal_sums_are_noted(files, capsys):
    part, copy, link = (files / f"{name}.part" for name in ("one", "copy", "link"))
    run(capsys, *evaluate(files, 0, "--partial", part, "--measures", "hF"))
    copy.write_bytes(part.read_bytes())
    link.symlink_to(part)
    for other, said in (
        (part, f"{part} is given twice"),
        (link, f"{part} and {link} are the same file"),
    ):
        status, err = run(capsys, "merge", files / "h.txt", part, other)
        assert (status, err.startswith(f"hiermeasures: {said}")) == (2, True)
    assert main(["merge", str(files / "h.txt"), str(part), str(copy)]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("10 instances. ")
    assert err == f"note: {part} and {copy} contain equal sums. Both count\n"


def test_what_does_not_fit_is_said_in_a_line(files, capsys):
    part, other = files / "one.part", files / "other.part"
    run(capsys, *evaluate(files, 0, "--partial", part, "--measures", "hF"))
    run(capsys, *evaluate(files, 1, "--partial", other, "--measures", "hP"))
    none, predicted, true = files / "no" / "f", files / "predicted-1.txt", files / "true-0.txt"
    refusals = {
        (
            "merge",
            files / "h.txt",
            part,
            other,
        ): f"{other}: results of different measures cannot be joined",
        (
            "merge",
            files / "h.txt",
            files / "h.txt",
        ): f"{files / 'h.txt'}: these bytes are not a partial result",
        ("merge", files / "h.txt", files / "none"): f"{files / 'none'}: there is no such file",
        tuple(
            evaluate(files, 0, "--partial", part, "--json")
        ): "--partial writes sums instead of values. Leave",
        (*evaluate(files, 0), predicted, "--partial", part): "--partial writes the sums of one",
        tuple(evaluate(files, 0, "--partial", none)): f"{none}: cannot be written",
        tuple(evaluate(files, 0, "--partial", true)): f"{true}: cannot be written (it",
        ("merge", files / "h.txt", part, "--csv", part): f"{part}: cannot be written (it is read)",
    }
    for arguments, message in refusals.items():
        status, said = run(capsys, *arguments)
        assert (status, said[: len("hiermeasures: ") + len(message)]) == (
            2,
            f"hiermeasures: {message}",
        )
