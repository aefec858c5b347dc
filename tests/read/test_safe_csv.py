"""CSV cells that a spreadsheet could run are made safe, and nothing else is touched."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures import Hierarchy
from hiermeasures.read import read_hierarchy_text, read_labels, write_hierarchy_text, write_labels
from hiermeasures.read.safe_csv import SafeWriter, csv_text, original_cell, safe_cell


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+A1",
        "-A1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "=HYPERLINK('x')",
        "'=1",
        "-",
        "+1-1",
        "-1e",
        "- 5",
    ],
)
def test_text_that_could_start_a_formula_gets_an_apostrophe(text):
    assert safe_cell(text) == "'" + text


@pytest.mark.parametrize(
    "value", ["-5", "+0.25", "-1e-3", -5, 0.5, None, "", "a=b", "0=1", "'quoted'", "Künste", "<b>"]
)
def test_numbers_and_other_text_stay_as_they_are(value):
    assert safe_cell(value) == value


@pytest.mark.parametrize(
    ("text", "safe"),
    [("a;=1+1", "a;'=1+1"), ("=1;@A", "'=1;'@A"), ("a;'=1", "a;''=1"), ("a;b=1", "a;b=1")],
)
def test_text_behind_a_semicolon_is_guarded_too(text, safe):
    assert safe_cell(text) == safe
    assert original_cell(safe) == text
    assert csv_text(["x"], [["b", text]]) == f'x\nb,"{safe}"\n'


@given(st.text(alphabet="'=+-@\t\rA1.e;", max_size=8))
def test_the_original_comes_back(text):
    assert original_cell(safe_cell(text)) == text


@given(
    st.lists(
        st.lists(st.text(alphabet="'=+-@\"\n,;A1", min_size=1, max_size=5), min_size=1, max_size=3),
        max_size=4,
    )
)
def test_a_safe_writer_writes_rows_that_a_csv_reader_reads(rows):
    out = io.StringIO()
    SafeWriter(out).writerows(rows)
    assert [
        [original_cell(cell) for cell in row]
        for row in csv.reader(io.StringIO(out.getvalue(), newline=""))
    ] == rows


@pytest.mark.parametrize("label", ["a\r=1+1", "a\n=1+1", "a\r\n=1+1", "\r=1"])
def test_a_line_break_in_a_cell_starts_no_cell_of_its_own(label: str) -> None:
    out = io.StringIO(newline="")
    SafeWriter(out).writerow([label, "b"])
    text = out.getvalue()
    assert text.startswith('"')
    assert text.endswith('",b\n')
    assert [original_cell(cell) for cell in next(csv.reader(io.StringIO(text, newline="")))] == [
        label,
        "b",
    ]


FORMULAS = ["=1+1", "@SUM(A1)", "+A1", "a;=1+1", "'=1", "b;'=1"]


def formula_cells(text, delimiter):
    """The cells that a spreadsheet would run, which may take a semicolon for the end of a cell."""
    cells = [
        cell
        for line in text.splitlines()
        for part in line.split(delimiter)
        for cell in part.split(";")
    ]
    return [cell for cell in cells if cell.strip('"').startswith(("=", "@", "+"))]


@pytest.mark.parametrize("key", ["edges", "csv"])
def test_hierarchies_between_tabs_and_commas_are_guarded_and_read_back(key):
    h = Hierarchy.from_edges([("R", label) for label in FORMULAS])
    text = write_hierarchy_text(h, key)
    assert not formula_cells(text, {"edges": "\t", "csv": ","}[key])
    assert read_hierarchy_text(text, format=key) == h
    assert read_hierarchy_text(text + "# read line by line\n", format=key) == h


@pytest.mark.parametrize("key", ["tsv", "csv"])
@pytest.mark.parametrize("ids", [None, ("=id", "b", "c")])
def test_labels_between_tabs_and_commas_are_guarded_and_read_back(key, ids):
    labels = [frozenset(FORMULAS[:1]), frozenset(FORMULAS[1:2]), frozenset(FORMULAS[2:3])]
    out = io.BytesIO()
    write_labels(labels, out, key, ids=ids)
    text = out.getvalue().decode()
    assert not formula_cells(text, {"tsv": "\t", "csv": ","}[key])
    found = read_labels(text.encode(), key)
    assert (found.ids, [frozenset(row) for row in found.labels]) == (ids, labels)
