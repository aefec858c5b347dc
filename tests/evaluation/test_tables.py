"""Parquet files that are read row group by row group give the bits of one evaluation, and faults
are named by row.
"""

import json
import os

import pyarrow as pa
import pytest
from pyarrow import parquet

from hiermeasures import Hierarchy, InputError, evaluate
from hiermeasures.cli import main
from hiermeasures.evaluation import tables
from tests.test_meter import MEASURES, PREDICTED, TRUE, H, bits

LISTS = pa.list_(pa.string())


def written(folder, true=TRUE, predicted=PREDICTED, kind=LISTS):
    """Two files, one in a folder below, with row groups of seven rows."""
    columns = [
        pa.array([sorted(row) if isinstance(row, set) else row for row in side])
        for side in (true, predicted)
    ]
    table = pa.table(
        {"id": range(len(true)), "gold": columns[0].cast(kind), "system": columns[1].cast(kind)}
    )
    (folder / "more").mkdir()
    parquet.write_table(table.slice(0, 25), folder / "a.parquet", row_group_size=7)
    parquet.write_table(table.slice(25), folder / "more" / "b.parquet", row_group_size=7)
    return folder


def of_folder(folder, **arguments):
    return evaluate(H, folder, columns=("gold", "system"), **{"measures": MEASURES, **arguments})


@pytest.mark.parametrize(
    "kind",
    [LISTS, pa.large_list(pa.large_string()), pa.list_(pa.dictionary(pa.int32(), pa.string()))],
)
def test_row_groups_give_the_bits_of_one_evaluation(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(tables, "BATCH", 3)
    seen = []
    report = of_folder(
        written(tmp_path, kind=kind), progress=lambda done, total: seen.append((done, total))
    )
    assert bits(report) == bits(evaluate(H, TRUE, PREDICTED, measures=MEASURES))
    assert seen == [(n, 40) for n in (7, 14, 21, 25, 32, 39, 40)]


def test_a_label_that_is_no_class_is_named_by_row_or_dropped(tmp_path):
    predicted = [set(row) for row in PREDICTED]
    predicted[30] = {"n1", "lost"}
    folder = written(tmp_path, predicted=predicted)
    with pytest.raises(InputError, match=r"unknown class 'lost' in system, row 6 of .*b\.parquet"):
        of_folder(folder)
    report = of_folder(folder, unknown="drop")
    assert [(u.label, u.count, u.first_instance) for u in report.unknown_predicted] == [
        ("lost", 1, 30)
    ]
    assert bits(report) == bits(evaluate(H, TRUE, predicted, measures=MEASURES, unknown="drop"))


def test_what_cannot_be_read_is_said_plainly(tmp_path):
    with pytest.raises(InputError, match="Parquet file"):
        evaluate(H, tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        evaluate(H, tmp_path / "nowhere")
    folder = written(tmp_path)
    with pytest.raises(InputError, match=r"'true'.*: 'id', 'gold'"):
        evaluate(H, folder)
    with pytest.raises(InputError, match="NoneType 'None'"):
        of_folder(written(tmp_path / "more", [["n1", None]] * 40))
    with pytest.raises(InputError, match="for labels in arrays"):
        of_folder(folder, ids=["a"])
    (tmp_path / "c.parquet").write_bytes(b"PAR1 and so on")
    with pytest.raises(InputError, match="Parquet file"):
        of_folder(folder)


# --- the command --------------------------------------------------------------------------------


def command(folder, *arguments):
    edges = folder / "h.txt"
    edges.write_text("".join(f"{a} {b}\n" for a, b in H.edges), encoding="utf-8")
    return main(["evaluate", "--hierarchy", str(edges), *map(str, arguments)])


def test_the_command_evaluates_each_column_of_predictions(tmp_path, capsys):
    folder = written(tmp_path)
    given = ("--parquet", folder, "--true", "gold", "--measures", "hF,SDL", "--json")
    assert command(tmp_path, *given, "--predicted", "system", "gold") == 0
    h = Hierarchy.from_edges(H.edges)
    expected = {
        name: evaluate(h, TRUE, side, measures=["hF", "SDL"]).values
        for name, side in (("system", PREDICTED), ("gold", TRUE))
    }
    assert json.loads(capsys.readouterr().out) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--true and --predicted"),
        (("--parquet", ".", "--per-instance", "x.csv"), "Leave out --per-instance"),
        (("--parquet", ".", "--confusion", "x.csv"), "Leave out --confusion"),
        (("--parquet", ".", "--task", "b"), "--task"),
        (("--parquet", ".", "--unknown", "wrong"), "leave them out (drop)"),
        (("--parquet", ".", "--missing", "fail"), "--missing"),
        (("--true", "t", "--predicted", "p", "--cluster", "local"), "--parquet"),
        (("--parquet", ".", "--intervals"), "Leave out --parquet"),
        (("--parquet", "nowhere"), "does not exist"),
    ],
)
def test_the_command_says_what_does_not_go_together(tmp_path, capsys, arguments, message):
    assert command(tmp_path, *arguments) == 2
    assert message in capsys.readouterr().err


def test_an_unknown_label_is_refused_with_what_to_do(tmp_path, capsys):
    import pyarrow as pa
    import pyarrow.parquet as pq

    (tmp_path / "rows").mkdir()
    table = pa.table({"gold": [["nothing"]], "system": [["nothing"]]})
    pq.write_table(table, tmp_path / "rows" / "part.parquet")
    given = ("--parquet", tmp_path / "rows", "--true", "gold", "--predicted", "system")
    assert command(tmp_path, *given) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "row 1 of" in line
    assert "--unknown drop" in line
    assert command(tmp_path, *given, "--unknown", "drop") == 0


def test_what_was_finished_before_a_stop_is_not_evaluated_again(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "user_caches", lambda: tmp_path / "cache")
    (tmp_path / "rows").mkdir()
    folder = written(tmp_path / "rows")
    asked = tables.TableRequest(H, ("gold", "system"), "fail", {"measures": MEASURES})

    def evaluated(resume, stop_at=None):
        """The result, and the numbers of rows that were done on the way to it."""
        kept, seen = tables.KeptParts.of_evaluation(H, b"this one", resume), []

        def progress(done, total):
            seen.append((done, total))
            if done == stop_at:
                raise KeyboardInterrupt

        try:
            return tables.partial_of_table(asked, folder, None, progress, kept), seen
        except KeyboardInterrupt:
            return kept.files, seen

    expected = bits(evaluate(H, TRUE, PREDICTED, measures=MEASURES))
    assert evaluated(resume=False, stop_at=32)[0] == 1  # the first file, of 25 rows
    found, seen = evaluated(resume=True)
    assert (bits(found.report()), seen) == (expected, [(7, 15), (14, 15), (15, 15)])
    os.utime(folder / "a.parquet", (1, 1))  # it may hold something else now
    assert evaluated(resume=True)[1][-1] == (25, 25)
    found, seen = evaluated(resume=True)  # everything is kept
    assert (bits(found.report()), seen) == (expected, [])
    assert evaluated(resume=False)[1][-1] == (40, 40)
