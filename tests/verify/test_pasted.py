"""A pasted table: rows, columns and digits as they are printed."""

import pytest

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.verify.paper_file import read_paper_file
from hiermeasures.verify.pasted import PastedTable, measure_named, printed_cells, read_table

TABLE = PastedTable(("hP", "hR"), (("first one", ("0.50", "0.66")), ("second", ("1", "0.70"))))
TEXTS = {
    "spreadsheet": "System\thP\thR\nfirst one\t0.50\t0.66\nsecond\t1\t0.70\n",
    "spreadsheet without a corner": "\thP\thR\nfirst one\t0.50\t0.66\nsecond\t1\t0.70",
    "PDF": "System hP hR\nfirst one 0.50 0.66\nsecond 1 0.70",
    "PDF without a corner": "hP hR\nfirst one 0.50 0.66\nsecond 1 0.70",
    "wide": "System    hP   hR\nfirst one   0.50   0.66\nsecond      1   0.70",
    "CSV": "System,hP,hR\nfirst one,0.50,0.66\nsecond,1,0.70",
    "semicolons": "System;hP;hR\nfirst one;0.50;0.66\nsecond;1;0.70",
    "Markdown": "| System | hP | hR |\n|---|---|---|\n| first one | 0.50 | 0.66 |\n| second | 1 | 0.70 |",
    "LaTeX": r"""\begin{tabular}{lrr}
        \toprule System & $hP$ & \textbf{hR} \\ \midrule
        first one & 0.50 & \textbf{0.66} \\ second & 1 & $0.70^{*}$ \\ \bottomrule
        \end{tabular}""",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_table_is_read_from_everywhere_with_its_digits(text: str) -> None:
    assert read_table(text) == TABLE


def test_a_decimal_comma_stays_and_a_dash_is_blank() -> None:
    found = read_table("name hP hR\na 0,66 –")
    assert found.rows == (("a", ("0,66", "–")),)
    assert printed_cells("a", found.head, found.rows[0][1]) == ["0,66", ""]
    with pytest.raises(InputError, match="'hR'"):
        printed_cells("a", found.head, ("0.5", "good"))


@pytest.mark.parametrize("text", ["", "one line", "a b\n\n"])
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_table(text)


def test_a_pasted_table_is_checked_saved_and_loaded() -> None:
    text = "figure: F\ncases:\n" + "".join(
        f"- {{part: {p}, hierarchy: A>B A>C, true: B, predicted: {p}}}\n" for p in "BC"
    )
    file, table = read_paper_file(text.encode()), read_table("System hP hR\nx 0.50 0.6\ny – 1")
    columns = [measure_named(title) or "" for title in table.head]
    rows = {
        name: (part, printed_cells(name, columns, cells))
        for (name, cells), part in zip(table.rows, "CB", strict=True)
    }
    made = read_paper_file(file.with_table("Table 1", columns, rows).as_yaml().encode())
    found = [(c.row, c.quantity, c.printed, c.status) for part in "BC" for c in made.cells(part)]
    # the first figure is right; in the other A of A, B and of A, C: 1/2
    assert found == [
        ("y", "hR", "1", "match"),
        ("x", "hP", "0.50", "match"),
        ("x", "hR", "0.6", "unexplained"),
    ]
    wrong = made.cells("C")[1]
    remarked = made.with_remark(wrong, "Nobody knows.")
    assert remarked.cells("C")[1].explanation == "Nobody knows."
    assert remarked.cells("C")[1].openly
    assert made.with_printed("B", "hP", "1").cells("B")[0].printed == "1"
    less = remarked.with_remark(wrong, "").without_figure("C")
    assert [cell.printed for cell in less.cells("B")] == ["1"]
    assert list(less.cases) == ["B"]
    assert less.with_about(title="Mine").library.papers[0].title == "Mine"
