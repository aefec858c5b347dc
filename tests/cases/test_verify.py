"""The verification of the shipped cases: what is checked, and what comes out."""

from collections import Counter

import pytest

from hiermeasures.cases import verify
from hiermeasures.core.errors import InputError
from tests.cases.helpers import shipped_report, write

REPORT = shipped_report()


def of_tables(*numbers: int) -> list:
    sources = {f"Table {n}" for n in numbers}
    return [cell for cell in REPORT.of_paper("kosmopoulos2015") if cell.source in sources]


def statuses(cells) -> Counter:
    return Counter(cell.status for cell in cells)


def test_every_file_is_checked_and_every_value_of_an_erratum_comes_out():
    assert REPORT.faults == ()
    assert REPORT.broken == ()


def test_in_tables_1_to_8_exactly_the_known_cells_are_explained():
    explained = {(c.source, c.row, c.quantity, c.printed) for c in of_tables(*range(1, 9)) if c.status == "explained"}
    assert explained == {
        ("Table 1", "b", "R_LCA", "0,33"),
        ("Table 2", "a", "GIE", "2"),
        ("Table 2", "b", "GIE", "3"),
        ("Table 5", "", "MGIA", "0"),
        ("Table 7", "a", "MGIA", "0.2"),
        ("Table 7", "a", "MGIA_error", "12"),
        ("Table 8", "c", "hF", "0.49"),
        ("Table 8", "c", "F_LCA", "0.49"),
    }


def test_the_text_s_lca_examples_and_graphs_match():
    cells = [c for c in REPORT.of_paper("kosmopoulos2015") if c.source in ("Section 2.4.2", "Figure 9", "Figure 10")]
    kinds = Counter(c.quantity.partition("(")[0] for c in cells)
    assert statuses(cells) == {"match": len(cells)}
    # six LCA(n, S), LCA(3.1, {...}) and the tree's LCA(3.1, 3.2.2); both LCA_all; S_best; three
    # paths; four graphs, and three scores for each pair of them
    assert kinds == {
        **{"LCA": 8, "LCA_all": 2, "S_best": 1, "path_min": 3},
        **dict.fromkeys(("G_t", "G_p", "P_LCA", "R_LCA", "F_LCA"), 2),
    }


def test_table_9_comes_out_sign_by_sign():
    cells = of_tables(9)
    assert len(cells) == 30
    assert statuses(cells) == {"match": 30}


def test_riehl_figure_4_matches_48_of_48_with_node_sets():
    cells = REPORT.of_paper("riehl2023")
    assert statuses(cells) == {"match": 48}
    assert all(cell.quantity.startswith("cell(") for cell in cells)


def test_cophe_table_1_has_54_numbers_that_match_but_one():
    cells = [cell for cell in REPORT.of_paper("falis2021") if cell.source == "Table 1"]
    assert len(cells) == 54
    assert [(c.row, c.printed, c.status) for c in cells if c.status != "match"] == [("Leaf-Only", "28.4", "explained")]


def test_plaud_s_expected_values_and_events_match_but_the_wrong_heading():
    cells = REPORT.of_paper("plaud2024")
    assert {c.printed for c in cells if c.quantity.startswith("E(")} == {"1.25", "1.55", "0.5", "0.55", "0.72", "0.725"}
    assert [(c.quantity, c.printed, c.status) for c in cells if c.status != "match"] == [
        ("E(hF, {1})", "0.55", "explained")
    ]


@pytest.mark.parametrize(
    ("table", "match", "explained", "unexplained"),
    [(12, 10, 5, 0), (15, 7, 8, 0), (18, 15, 0, 0), (21, 6, 9, 0), (24, 10, 5, 0), (26, 9, 5, 1)],
)
def test_kendall_tables_have_an_honest_status_per_cell(table, match, explained, unexplained):
    counts = statuses(of_tables(table))
    assert (counts["match"], counts["explained"], counts["unexplained"]) == (match, explained, unexplained)


def test_the_cells_that_nothing_explains_are_in_plain_sight():
    assert [(cell.place, cell.printed, cell.ours_text) for cell in REPORT.with_status("unexplained")] == [
        ("Table 2, row Set-Based F1, CAML", "64.2", "at most 64.0672"),
        ("Table 2, row Set-Based F1, HLAN", "68.5", "at most 67.6851"),
        ("Table 26, row hF, GIE", "0.138", "-0.138"),
    ]
    assert all(cell.place in REPORT.as_text() and cell.openly for cell in REPORT.with_status("unexplained"))
    assert REPORT.exit_status == 0


def test_one_paper_can_be_asked_for_by_key_or_name():
    by_key, by_name = verify(paper="riehl2023"), verify(paper="Riehl et al. 2023")
    assert by_key.counts == by_name.counts
    assert by_key.counts.cells == 48
    assert by_key.exit_status == 0
    with pytest.raises(InputError, match="unknown paper 'riehl'; nearest known: 'riehl2023'"):
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
def test_measures_are_of_instances_together_and_weights_are_counted_over_them(tmp_path, together, icm, weight):
    text = STAR.replace("TOGETHER", together).replace("X", icm).replace("Y", weight)
    report = verify([write(tmp_path, figure=text)])
    assert [(cell.quantity, cell.status) for cell in report.cells] == [("ICM", "match"), ("weight(A)", "match")]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("TOGETHER", "A|A*0", "an instance is a case or true|predicted, *3 where it occurs three times, not 'A|A*0'"),
        ("TOGETHER", "A|C a", "unknown class 'C'"),
        ("TOGETHER", "a b", "Figure 1(b) has another hierarchy than Figure 1(a); together they would be no batch"),
        ("ICM: X", "'LCA(A, B)': '{R}'", "'LCA(A, B)' is of one case; several together have measures and weights"),
    ],
)
def test_what_is_no_batch_is_refused(tmp_path, old, new, reason):
    text = STAR.replace(old, new).replace("TOGETHER", "A|A a").replace("X", "0").replace("Y", "0")
    faults = verify([write(tmp_path, figure=text)]).faults
    assert any(reason in fault.reason for fault in faults), faults
