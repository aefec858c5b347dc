"""`evaluate --confusion`, `--mistakes`, `--by-class` and `--by-subtree`."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from hiermeasures import Hierarchy, evaluate
from hiermeasures.cli import main

TREE = Hierarchy.from_nested({"R": {"=A": ["a", "b"], "B": ["c"]}})
TRUE = ["a", "a", "c", "b"]
SYSTEMS = {"one": ["b", "a", "a", "=A"], "two": ["a", "a", "c", "c"]}


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    edges = "".join(f"{above},{below}\n" for above, below in TREE.edges)
    Path("h.csv").write_text(f"parent,child\n{edges}")
    for name, labels in {"true": TRUE, **SYSTEMS}.items():
        rows = "".join(f"{k},{label}\n" for k, label in enumerate(labels))
        Path(f"{name}.csv").write_text(f"id,labels\n{rows}")


def run(*options: str, systems: tuple[str, ...] = ("one.csv", "two.csv")) -> int:
    sides = ["--hierarchy", "h.csv", "--true", "true.csv", "--predicted", *systems]
    return main(["evaluate", *sides, "--measures", "hF", *options])


def read(file: str) -> dict[str, pd.DataFrame]:
    """Return the table of each system."""
    table = pd.read_csv(file, dtype={0: str, 1: str})
    return {name: part.set_index(table.columns[1]).drop(columns="file")
            for name, part in table.groupby("file")}  # fmt: skip


REPORTS = {
    f"{name}.csv": evaluate(TREE, TRUE, labels, measures="hF") for name, labels in SYSTEMS.items()
}


@pytest.mark.parametrize(
    ("options", "settings"),
    [((), {}), (("--level", "2"), {"level": 2}), (("--below", "=A"), {"below": "=A"})],
)
def test_matrices_have_the_same_columns(
    options: tuple[str, ...], settings: dict[str, object]
) -> None:
    assert run("--confusion", "m.csv", *options) == 0
    found = read("m.csv")
    for name, report in REPORTS.items():
        expected = report.confusion(**settings)  # type: ignore[arg-type]
        safe = expected.rename(index=quote, columns=quote)
        part = found[name]
        assert list(part.index) == list(safe.index)
        assert part[list(safe.columns)].to_numpy().tolist() == safe.to_numpy().tolist()
        assert not part.drop(columns=list(safe.columns)).to_numpy().any()


def quote(label: str) -> str:
    """Return a label as a spreadsheet cell that is no formula."""
    return f"'{label}" if label.startswith("=") else label


@pytest.mark.parametrize("option", ["--mistakes", "--by-class", "--by-subtree"])
def test_tables_equal_the_report(option: str) -> None:
    assert run(option, "t.csv") == 0
    found = read("t.csv")
    for name, report in REPORTS.items():
        expected = getattr(report, option.removeprefix("--").replace("-", "_"))()
        assert list(found[name].index) == [quote(label) for label in expected.index]
        assert list(found[name].columns) == list(expected.columns)
        np.testing.assert_allclose(found[name].to_numpy(), expected.to_numpy())


def test_counts_are_whole_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--confusion", "-", systems=("two.csv",)) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()[:4]))
    assert rows == [
        ["file", "true", "'=A", "B", "total"],
        ["two.csv", "'=A", "2", "1", "3"],
        ["two.csv", "B", "0", "1", "1"],
        ["two.csv", "total", "2", "2", "4"],
    ]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--level", "2"), "--confusion"),
        (("--confusion", "-", "--level", "x"), "--level"),
        (("--confusion", "-", "--below", "Q"), "Q"),
        (("--confusion", "-", "--below", "a", "--level", "2"), "3 or more"),
        (("--mistakes", "-", "--partial", "p"), "--mistakes"),
        (("--mistakes", "true.csv"), "it is read"),
    ],
)
def test_refusals(
    options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*options) == 2
    assert message in capsys.readouterr().err
