"""One table from its columns to a report: frames of several libraries, files, the command line, and
bad tables.
"""

import json
import shlex
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hiermeasures import Hierarchy, InputError, evaluate
from hiermeasures.cli import main
from hiermeasures.read.one_table import columns_of, read_table

ROWS = [("A > B", "A > B", "A > C"), ("A > C", "A", "A > C"), ("D > E", None, "D > x")]
FRAME = pd.DataFrame(ROWS, columns=["truth", "one", "two"])
CSV = "id,truth,one,two\n7,A > B,A > B,A > C\n8,A > C,A,A > C\n9,D > E,,D > x\n"
# hF of one: 1, 2 / 3, 0; of two: 1 / 2, 1, 1 / 2 (A > C shares A with A > B, and D > x, which is
# not among the true labels, D with D > E).
VALUES = {"one": (1 + 2 / 3 + 0) / 3, "two": (1 / 2 + 1 + 1 / 2) / 3}


def kinds_of_frames():
    yield pytest.param(lambda: FRAME, id="pandas")
    yield pytest.param(lambda: FRAME.astype("category"), id="categories")
    yield pytest.param(lambda: FRAME.astype(object), id="objects")
    yield pytest.param(
        lambda: import_module("polars").from_pandas(FRAME), id="polars", marks=pytest.mark.slow
    )
    yield pytest.param(lambda: pytest.importorskip("pyarrow").Table.from_pandas(FRAME), id="arrow")


@pytest.mark.parametrize("frame", kinds_of_frames())
def test_frames_of_every_kind_give_the_same(frame):
    reports = evaluate(frame(), true="truth", predicted=["one", "two"], measures="hF")
    assert {name: report["hF"] for name, report in reports.items()} == pytest.approx(VALUES)


@pytest.mark.parametrize("kind", ["lists", "arrays", "separator", "json", "arrow"])
def test_cells_hold_several_labels_in_each_form(kind):
    cells = [["A > B", "D > E"], ["A > B"], []]
    made = {
        "lists": lambda: pd.DataFrame({"t": cells}),
        "arrays": lambda: pd.DataFrame({"t": [np.array(cell) for cell in cells]}),
        "separator": lambda: pd.DataFrame({"t": ["|".join(cell) for cell in cells]}),
        "json": lambda: pd.DataFrame({"t": [json.dumps(cell) for cell in cells]}),
        "arrow": lambda: pytest.importorskip("pyarrow").table({"t": cells}),
    }
    rows = columns_of(made[kind](), ["t"], "|" if kind == "separator" else None)["t"]
    assert rows == tuple(map(frozenset, cells))


def test_whole_numbers_are_codes_also_with_missing_ones_among_them():
    table = pd.DataFrame({"t": [1111, 1112, 2310], "p": [1111.0, np.nan, 11.0]})
    report = evaluate(table, true="t", predicted="p", measures="hF")
    assert report.hierarchy.notes[0] == "codes with 1, 2, 3, 4 characters, 4 levels, 9 classes"
    assert report.per_instance["hF"].tolist() == [1, 0, 0]


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("answers.csv").write_text(CSV)
    return "answers.csv"


def run(capsys, *arguments, true="truth", predicted="one"):
    """Status, output and errors of an evaluation of a table."""
    status = main(["evaluate", *map(str, arguments), "--true", true, "--predicted", predicted])
    return status, *capsys.readouterr()


def test_a_table_needs_no_hierarchy_on_the_command_line(table, capsys):
    status, out, err = run(capsys, table, "--measures", "hF", "--json", predicted="one,two")
    assert status == 0
    assert {name: values["hF"] for name, values in json.loads(out).items()} == pytest.approx(VALUES)
    assert "answers.csv" in err
    assert "(row 3), 1 too general (row 2" in err


@pytest.mark.parametrize("name", ["answers.tsv", "answers.jsonl", "answers.parquet"])
def test_other_formats_of_tables_give_the_same(name, tmp_path, capsys):
    path = tmp_path / name
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
        FRAME.to_parquet(path)
    elif name.endswith("jsonl"):
        FRAME.to_json(path, orient="records", lines=True)
    else:
        FRAME.to_csv(path, sep="\t", index=False)
    status, out, _ = run(capsys, path, "--measures", "hF", "--json", predicted="two")
    assert (status, json.loads(out)["hF"]) == (0, pytest.approx(VALUES["two"]))


def test_each_row_of_the_report_leads_to_its_instances(table, capsys):
    _, out, _ = run(capsys, table, "--measures", "hF", "--per-instance", "-", predicted="two")
    assert out.splitlines()[:4] == [
        "file,id,hF,answer",
        "two,1,0.5,",
        "two,2,1.0,",
        "two,3,0.5,unknown",
    ]


@pytest.mark.parametrize("name", ["file", "id", "answer"])
def test_an_own_measure_may_have_the_name_of_a_column(name, table, capsys):
    options = ("--measures", "hF", "--define", f"{name}=2*hF", "--per-instance", "-")
    _, out, _ = run(capsys, table, *options, predicted="two")
    assert out.splitlines()[:2] == [f"file,id,hF,{name},answer", "two,1,0.5,1.0,"]


def test_a_mismatch_gives_a_command_to_copy_which_works(table, capsys):
    Path(table).write_text(CSV.replace("A > C\n", "a > c\n").replace("D > x", "D > E"))
    status, _, err = run(capsys, table, "--measures", "hF", "--unknown", "error", predicted="two")
    assert status == 2
    assert "2 different labels, 1 is known" in err
    command = err.splitlines()[-1].removeprefix("try: hiermeasures ")
    assert command.endswith("--normalise case")
    assert main(shlex.split(command)) == 0


def test_files_have_the_policies_too(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("h.txt").write_text("R\tA\nR\tB\n")
    Path("t.csv").write_text("id,label\n1,A\n2,B\n")
    Path("p.csv").write_text("id,label\n1,a\n2,x\n")
    files = ["--hierarchy", "h.txt", "--measures", "accuracy", "--json"]
    status, _, err = run(capsys, *files, "--unknown", "error", true="t.csv", predicted="p.csv")
    assert (status, err.splitlines()[-1].endswith("--normalise case")) == (2, True)
    # wrong, and says how many
    status, out, err = run(capsys, *files, true="t.csv", predicted="p.csv")
    assert (status, json.loads(out), "all 2 unknown" in err) == (0, {"accuracy": 0}, True)
    policies = ["--unknown", "wrong", "--normalise", "case"]
    status, out, err = run(capsys, *files, *policies, true="t.csv", predicted="p.csv")
    assert (status, json.loads(out)) == (0, {"accuracy": 0.5})
    assert "1 unknown answer (instance '2')" in err


def test_sums_of_a_part_come_with_what_is_to_be_known_of_the_answers(table, capsys):
    status, _, err = run(capsys, table, "--partial", "sums", predicted="two")
    assert (status, Path("sums").exists()) == (0, True)
    assert "two: 1 unknown answer (row 3)" in err


BAD = {
    "missing column": ("truht,one\nA,A\n", [], "unknown column 'truth' (did you mean 'truht'"),
    "empty truth": ("truth,one\n,A\n,B\n", [], "the column 'truth' is empty"),
    "no rows": ("truth,one\n", [], "has a header but no rows"),
    "empty file": ("", [], "this is empty"),
    "twice": ("truth,truth,one\nA,B,C\n", [], "two columns are named 'truth'"),
    "mixed separators": (
        "truth,one\nA > B,x\nA > "
            "C,x\nA/D,x\n", [], "the labels mix separators: 1 have '/', such "
            "as 'A/D', and 2 have",
    ),
    "no notation": ("truth,one\ncat,dog\nowl,fox\n", [], "neither like paths nor like codes"),
    "a row too long": ("truth,one\nA > B,x\nA > "
        "B,x,y,z\n", [], "answers.csv, line 3: 4 cells, "
        "but the header has 2"),
    "not UTF-8": (b"truth,one\nA > B,\xff\n", [], "line 2: not UTF-8 text"),
    "paths and codes": (CSV, ["--paths", "/", "--codes", "."], "cannot be both paths and codes"),
    "levels": (CSV, ["--codes", "1,x"], "--codes takes whole numbers from 1, not 'x'"),
    "task": (CSV, ["--task", "a"], "--task is for label files"),
}  # fmt: skip


@pytest.mark.parametrize("fault", BAD)
def test_bad_tables_are_refused_in_plain_words(fault, table, capsys):
    content, more, message = BAD[fault]
    Path(table).write_bytes(content if isinstance(content, bytes) else content.encode())
    status, out, err = run(capsys, table, *more)
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_bad_answer_is_unknown_and_rows_without_a_true_class_are_named_and_the_others_count(
    table, capsys
):
    Path(table).write_text("truth,one\n1111,11111\n2310,23x\n1112,\n,1111\n")
    status, _, err = run(capsys, table, "--measures", "hF", "--unknown", "prefix", "--json")
    assert status == 0
    assert "note: answers.csv: no true class in 1 row (4)" in err
    assert "(row 3), 2 unknown (rows 1, 2" in err
    assert "'11111' as '1111', 1 ×" in err
    assert "'23x' as '23', 1 ×" in err


@pytest.mark.parametrize("policy", ["prefix", "error"])
def test_very_many_different_unknown_answers_are_counted_or_refused_shortly(policy, table, capsys):
    lines = "".join(f"A > B,A > word {k}\n" for k in range(20_000))
    Path(table).write_text(f"truth,one\nA > B,A > B\n{lines}")
    status, out, err = run(capsys, table, "--measures", "hF", "--unknown", policy)
    assert status == (2 if policy == "error" else 0)
    assert len(out + err) < 4_000
    assert "20,000" in out + err


def test_a_frame_without_such_a_column_or_no_frame_at_all_is_refused():
    with pytest.raises(InputError, match="'truth'"):
        evaluate(FRAME, true="turth", predicted="one")
    with pytest.raises(InputError, match="expected a table of pandas, polars or Arrow, not list"):
        evaluate([1], true="truth", predicted="one")
    with pytest.raises(InputError, match="true= and predicted="):
        evaluate(FRAME, true="truth")
    with pytest.raises(InputError, match="column 'truth'"):
        evaluate(FRAME.assign(truth=[1.5, 2.5, 3.5]), true="truth", predicted="one")


def test_a_quoted_cell_and_a_guarded_one_are_what_they_were_before_they_were_written():
    content = b'truth,one\n"A > ""B"", C","\'=A > B"\n'
    assert read_table(content, ["truth", "one"]) == {
        "truth": ({'A > "B", C'},),
        "one": ({"=A > B"},),
    }


def test_the_worst_row_is_named_and_drawn(table, capsys):
    # VALUES of column one: row 3 is empty, hF 0; in "two" every row has something in common with
    # the truth
    _, _, err = run(capsys, table, "--measures", "hF", "--worst", "w.svg", predicted="one,two")
    assert "row 3, 0.0000" in err
    assert Path("w.svg").read_text().startswith("<svg")


def test_the_worst_of_a_report_goes_by_direction_and_leaves_undefined_values_out():
    h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C")])
    report = evaluate(h, ["A", "A", "A"], ["A", "C", "B"], measures=["TIE", "hF"])  # TIE 0, 1, 2
    assert [report.worst(after=k)[0] for k in range(3)] == [2, 1, 0]
    assert report.worst("hF")[0] == 2
    with pytest.raises(InputError, match="3 instances"):
        report.worst(after=3)


def test_the_command_line_adds_intervals_or_says_why_it_cannot(tmp_path, capsys):
    table = tmp_path / "table.csv"
    table.write_text("truth,one\n" + "x > A,x > A\nx > A,x > B\n" * 100)
    command = (
        f"evaluate {table} --true truth --predicted one --measures accuracy,HCM_F1 --intervals"
    )
    assert main(shlex.split(f"{command} --json")) == 0
    low, high = json.loads(capsys.readouterr().out)["intervals"]["accuracy"].values()
    # 0.5 ± 1.96 √(0.25 / 200) = 0.5 ± 0.0693
    assert (low, high) == pytest.approx((0.4307, 0.5693), abs=0.01)
    assert main(shlex.split(f"{command} --csv {tmp_path / 'out.csv'}")) == 0
    written = pd.read_csv(tmp_path / "out.csv").iloc[0]
    assert (written["accuracy low"], written["accuracy high"]) == (low, high)
    assert main(shlex.split(command)) == 0
    printed = capsys.readouterr().out
    assert f"0.5000 [{low:.4f}, {high:.4f}]" in printed
    assert "95 % confidence intervals" in printed
    for other in ("--latex -", "--by-level", "--partial sums.json"):
        assert main(shlex.split(f"{command} {other}")) == 2
        assert f"Leave out {other.split()[0]}" in capsys.readouterr().err
    assert main(shlex.split(f"{command} 95")) == 2
    assert "between 0 and 1" in capsys.readouterr().err


def test_the_table_has_a_title_and_at_most_five_notes_each_once(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = ["A > B,a > b,C", "A > B,A,", "D > E,D > F,D > E > G", "D > E,A > C,B"]
    (tmp_path / "answers.csv").write_text("\n".join(["truth,one,two", *rows]))
    command = "evaluate answers.csv --true truth --predicted one,two --measures hF,TIE".split()
    assert main(command) == 0
    out, err = capsys.readouterr()
    title, _, table = out.partition("\n")
    assert all(w in title for w in ("4 instances", "answers.csv", "Mean", "root", "not classes"))
    assert table.split()[:2] == ["one", "two"]
    notes = [line for line in out.splitlines() if line.startswith("- ")]
    assert (len(notes), err) == (5, "")
    assert main([*command, "--all-notes"]) == 0
    whole = [line for line in capsys.readouterr()[0].splitlines() if line.startswith("- ")]
    assert whole[:5] == notes
    assert len(whole) == len(set(whole)) > 5
    assert f"{len(whole) - 5} more note" in out
    assert all(note.endswith((".", "…")) for note in whole)
