"""CSV cells that a spreadsheet could run are made safe, and nothing else is touched."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiermeasures.io.safe_csv import SafeWriter, original_cell, safe_cell


@pytest.mark.parametrize(
    "text", ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "=HYPERLINK('x')", "'=1", "-", "+1-1", "-1e", "- 5"]
)
def test_text_that_could_start_a_formula_gets_an_apostrophe(text):
    assert safe_cell(text) == "'" + text


@pytest.mark.parametrize(
    "value", ["-5", "+0.25", "-1e-3", -5, 0.5, None, "", "a=b", "0=1", "'quoted'", "Künste", "<b>"]
)
def test_numbers_and_other_text_stay_as_they_are(value):
    assert safe_cell(value) == value


@given(st.text(alphabet="'=+-@\t\rA1.e", max_size=6))
def test_the_original_comes_back(text):
    assert original_cell(safe_cell(text)) == text


@given(
    st.lists(st.lists(st.text(alphabet="'=+-@\"\n,;A1", min_size=1, max_size=5), min_size=1, max_size=3), max_size=4)
)
def test_a_safe_writer_writes_rows_that_a_csv_reader_reads(rows):
    out = io.StringIO()
    SafeWriter(out).writerows(rows)
    assert [
        [original_cell(cell) for cell in row] for row in csv.reader(io.StringIO(out.getvalue(), newline=""))
    ] == rows


@pytest.mark.parametrize("label", ["a\r=1+1", "a\n=1+1", "a\r\n=1+1", "\r=1"])
def test_a_line_break_in_a_cell_starts_no_cell_of_its_own(label: str) -> None:
    out = io.StringIO(newline="")
    SafeWriter(out).writerow([label, "b"])
    text = out.getvalue()
    assert text.startswith('"')
    assert text.endswith('",b\n')
    assert [original_cell(cell) for cell in next(csv.reader(io.StringIO(text, newline="")))] == [label, "b"]
