"""The verification of the shipped cases: what is checked, and what comes out."""

import pytest

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.verify import verify
from hiermeasures.verify.verification import MATCHES, STATUSES, Counts
from tests.verify.helpers import FIGURE, shipped_report, write

REPORT = shipped_report()


@pytest.mark.parametrize(
    ("paper", "source", "found"),
    [
        ("kosmopoulos2015", "Table 9", {"by_criterion": 30}),
        ("kosmopoulos2015", "Table 12", {"match": 10, "conjectured": 5}),
        ("kosmopoulos2015", "Table 15", {"match": 7, "conjectured": 8}),
        ("kosmopoulos2015", "Table 18", {"match": 15}),
        ("kosmopoulos2015", "Table 21", {"match": 6, "conjectured": 9}),
        ("kosmopoulos2015", "Table 24", {"match": 10, "conjectured": 5}),
        ("kosmopoulos2015", "Table 26", {"match": 9, "conjectured": 5, "unexplained": 1}),
        ("riehl2023", "", {"match": 48}),
        ("falis2021", "Table 1", {"match": 53, "explained": 1}),
    ],
)
def test_tables_have_an_honest_status_per_cell(paper, source, found):
    cells = [cell for cell in REPORT.of_paper(paper) if source in ("", cell.source)]
    every = {"cells": len(cells), **dict.fromkeys(STATUSES, 0)}
    assert Counts.of(cells).as_json() == every | found


def test_of_figures_exactly_the_known_cells_are_explained():
    papers = ("kosmopoulos2015", "falis2021", "plaud2024", "riehl2023")
    explained = [
        cell for cell in REPORT.with_status("explained") if cell.paper in papers and cell.case
    ]
    assert {(c.source, c.row, c.quantity, c.printed) for c in explained} == {
        ("Table 1", "b", "R_LCA", "0,33"),
        ("Table 2", "a", "GIE", "2"),
        ("Table 2", "b", "GIE", "3"),
        ("Table 5", "", "MGIA", "0"),
        ("Table 7", "a", "MGIA", "0.2"),
        ("Table 7", "a", "MGIA_error", "12"),
        ("Table 8", "c", "hF", "0.49"),
        ("Table 8", "c", "F_LCA", "0.49"),
        ("Table 1", "Leaf-Only", "F1(flat)", "28.4"),
        ("Appendix B.1.1", "", "E(hF, {1})", "0.55"),
    }


def test_the_cells_that_nothing_explains_are_in_plain_sight_and_no_file_has_a_fault():
    assert [
        (cell.source, cell.printed, cell.ours_text) for cell in REPORT.with_status("unexplained")
    ] == [("Lin", "0.49819994053182504", "0.4984"), ("Table 26", "0.138", "-0.138")]
    assert all(cell.openly for cell in REPORT.with_status("unexplained"))
    for cell in REPORT.cells:
        if cell.status not in MATCHES:
            assert cell.place in REPORT.as_text()
            assert (
                f"{cell.variant} gives {cell.variant_text}" in REPORT.as_text() or not cell.variant
            )
    assert (REPORT.faults, REPORT.broken, REPORT.exit_status) == ((), (), 0)


def test_one_paper_can_be_asked_for_by_key_or_name():
    assert verify(paper="Riehl et al. 2023").counts.cells == len(REPORT.of_paper("riehl2023")) == 48
    with pytest.raises(InputError, match="'riehl2023'"):
        verify(paper="riehl")


STAR = """\
figure: Figure 1
title: A star
cases:
  - {part: a, hierarchy: R>A R>B, true: A, predicted: B}
  - {part: b, hierarchy: R>B, true: B, predicted: B}
published:
  - {source: T, options: {class_weights: information}, together: TOGETHER, cells: {ICM: X, weight(A): Y}}
"""


@pytest.mark.parametrize(
    ("together", "icm", "weight"),
    [
        # B is true in one of two, A in the other: 1 bit each. A hit is worth 1, and B in place of A
        # costs both: -2.
        ("B|B a", "-0.5", "1"),
        # B in three of four: log2(4/3) bits; A in one: 2 bits. (3 · 0.415 − 2.415) / 4 = −0.2925.
        ("B|B*3 a*1", "-0.2925", "2"),
    ],
)
def test_measures_are_of_instances_together_and_weights_are_counted_over_them(
    tmp_path, together, icm, weight
):
    text = STAR.replace("TOGETHER", together).replace("X", icm).replace("Y", weight)
    report = verify([write(tmp_path, figure=text)])
    assert [(cell.quantity, cell.status) for cell in report.cells] == [
        ("ICM", "match"),
        ("weight(A)", "match"),
    ]


BATCH = """\
figure: Figure 1
hierarchy: R>A R>B
true: A
predicted: B
define: {mine: 2 * augmented.shared}
published:
  - source: Text
    together: A|A*2 A|B
    cells: {micro(hF): 5/6, samples(hF): 5/6, micro(mine): 10, "total(number(each, true) * hF / 3)": 5/3, micro(hP): 2, "number(A, true)": 3, "number(R, predicted) / 3 - number(B, true)": 1}
  - source: One
    cells: {"number(A, true)": 1, "number(A, predicted)": 0, "total(number(each, true) + 1)": 5}
discrepancies:
  - source: Text
    cells: micro(hP)
    explanation: In how many instances A is predicted.
    variant: {measure: "number(A, predicted)"}
"""


def test_a_batch_has_other_averages_and_numbers_of_classes(tmp_path):
    """By hand: of 2 classes on each side of each instance, with the root, 2, 2 and 1 are shared: 5 of
    6. R is true 3 times and so is A. In one case 2 of 3 classes are, and 2 + 3 = 5.
    """
    report = verify([write(tmp_path, figure=BATCH)])
    assert report.faults == ()
    assert [(c.quantity, c.status) for c in report.cells if c.status != "match"] == [
        ("micro(hP)", "explained")
    ]
    assert len(report.cells) == 10


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("micro(hF)", "micro(hG)", "'hG'"),
        ("micro(hF)", "'micro(hF, {A}, {B})'", "average such as micro(hF)"),
        ("number(A, true)", "number(C, true)", "'C'"),
        ("number(A, true)", "number(A, both)", "'both'"),
        ("number(A, true)", "number(each, true)", "'each'"),
        ("total(number(each, true) + 1)", "total(number(each, true) > 1)", "write total as"),
        ("total(number(each, true) + 1)", "total(number(each, true), 1)", "write total as"),
        ("total(number(each, true) + 1)", "total(nummer(each, true))", "'number'"),
        ('cells: {"number(A, true)": 1, "', 'cells: {micro(hF): "1", "', "is one"),
    ],
)
def test_a_wrong_average_or_number_is_refused(tmp_path, old, new, reason):
    faults = verify([write(tmp_path, figure=BATCH.replace(old, new, 1))]).faults
    assert any(reason in fault.reason for fault in faults), faults


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            "TOGETHER",
            "A|A*0",
            "'A|A*0' is not an instance. Write a case or true|predicted, and add *3 if it occurs",
        ),
        ("TOGETHER", "A|C a", "unknown class 'C'"),
        ("TOGETHER", "a b", "another hierarchy"),
        ("ICM: X", "'LCA(A, B)': '{R}'", "'LCA(A, B)'"),
    ],
)
def test_what_is_no_batch_is_refused(tmp_path, old, new, reason):
    text = STAR.replace(old, new).replace("TOGETHER", "A|A a").replace("X", "0").replace("Y", "0")
    faults = verify([write(tmp_path, figure=text)]).faults
    assert any(reason in fault.reason for fault in faults), faults


# T1 and P1 are two edges apart and meet in B, one edge above them; each side has 3 classes with its
# ancestors, of which 2 are shared: hP is 2/3.
ANY_EXPRESSION = """\
figure: Figure 1
hierarchy: A>B A>C B>T1 B>P1
true: T1
predicted: P1
define: {mine: hP / 2}
published:
  - {source: Text, cells: {1 - mine: "1.33", mine: "0.333", 1 / (1 + TIE): 1/3}}
  - source: Text
    cells: {2 * mine - ways.height: "-0.33", hP > mine: holds, hP > 1 - mine: does not hold}
  - source: Table 1
    columns: TIE, 1 - min(hP, mine) | -log(TIE / 4) | TP(augmented) + distance(T1, C) %
    rows: {"": 2(0.67) | 0.69 | 500}
  - {source: Batch, together: "T1|P1 T1|T1", cells: {mine: "0.4167", mine * 2: "0.83"}}
discrepancies:
  - {source: Text, cells: 1 - mine, explanation: Why., variant: {measure: mine + 1}}
"""


def test_a_cell_is_any_expression_over_measures_parts_quantities_and_definitions(tmp_path):
    """By hand: 1 − 1/3 = 0.67, −ln(2/4) = 0.69, 2 + 3 = 5; hP is 2/3 and 1, in the mean 0.83."""
    report = verify([write(tmp_path, figure=ANY_EXPRESSION)])
    assert report.faults == ()
    assert [(cell.quantity, cell.status) for cell in report.cells] == [
        ("1 - mine", "explained"),
        ("mine", "match"),
        ("1 / (1 + TIE)", "match"),
        ("2 * mine - ways.height", "match"),
        ("hP > mine", "match"),
        ("hP > 1 - mine", "match"),
        ("TIE", "match"),
        ("1 - min(hP, mine)", "match"),
        ("-log(TIE / 4)", "match"),
        ("TP(augmented) + distance(T1, C)", "match"),
        ("mine", "match"),
        ("mine * 2", "match"),
    ]


@pytest.mark.parametrize(("conjecture", "status"), [("no", "explained"), ("yes", "conjectured")])
def test_a_guess_is_conjectured_and_not_explained(conjecture, status, tmp_path):
    """hP is 2/3, of which 1 - hP is the rest."""
    differing = f"""\
discrepancies:
  - {{source: Table 1, cells: hP, explanation: Why., conjecture: {conjecture}, variant: {{value: 1 - hP}}}}
"""
    report = verify([write(tmp_path, figure=FIGURE.replace("0.66", "0.33") + differing)])
    assert [cell.status for cell in report.cells] == [status, "match"]
    assert (report.exit_status, report.faults) == (0, ())
