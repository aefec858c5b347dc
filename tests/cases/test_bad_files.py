"""Case files that cannot be used: file, line and reason, and the other files are still checked."""

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from hiermeasures.cases import load_cases, verify
from hiermeasures.cases.writing import read_cases
from hiermeasures.core.errors import InputError
from tests.cases.helpers import CASES, FIGURE, PAPER, changed_copy, shipped, write

GOOD = FIGURE.replace("Figure 1", "Figure 2")


def verified(folder, text):
    """The report on a folder with one good file and one that is in question."""
    report = verify([write(folder, good=GOOD, wrong=text)])
    assert [cell.status for cell in report.cells if cell.file == "good.yaml"] == ["match", "match"]
    return report


def only_message(folder, text) -> str:
    """The one thing that is said about the file in question."""
    report = verified(folder, text)
    (fault,) = report.faults
    assert report.exit_status == 2
    assert fault.file == "wrong.yaml"
    assert "\n" not in str(fault)
    return str(fault)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("title:", "tilte:", "line 2: unknown entry 'tilte'; nearest known: 'title'"),
        ("hierarchy: A>B A>C B>T1 B>P1\n", "", "line 1: the entry 'hierarchy' is missing"),
        (
            "title:",
            "topics: pairing | pares\ntitle:",
            "line 2: 'topics': unknown topic 'pares'; nearest known: 'pairing'",
        ),
        ("true: T1", "true: T7", "line 4: unknown class 'T7'; nearest known: 'T1'"),
        ("A>B A>C", "A>B A-C", "line 3: 'A-C' is no edge; an edge is written A>B, parent first"),
        ("B>T1 B>P1", "B>T1 B>P1 P1>B", "line 3: "),
        ("hP: 0.66", "hQ: 0.66", "line 9: unknown measure 'hQ'; nearest known: 'h"),
        ("hP: 0.66", "hP: nought", "line 9: 'nought' is no number"),
        ("hP: 0.66", "hP({Z}): 0.66", "line 9: unknown class 'Z'"),
        (
            "hP: 0.66",
            "hP(T1): 0.66",
            "line 9: 'hP(T1)': the arguments of a measure are sets of classes, such as {A, B}",
        ),
        ("hP: 0.66", "LCA(T1): 0.66", "line 9: 'LCA(T1)' has 1 arguments; it is written LCA(a, b)"),
        ("hP: 0.66", "LCA(T1, P1): 0.66", "line 9: '0.66' is no set of classes; a set is written {A, B}"),
        ("hP: 0.66", 'LCA(Q, P1): "{B}"', "line 9: unknown class 'Q'"),
        ("hP: 0.66", "E(hF): 0.66", "line 9: Figure 1 has no probabilities"),
        ("hP: 0.66", "probability(B): 0.66", "line 9: Figure 1 has no probabilities"),
        ("title:", "options: {dmaks: 5}\ntitle:", "line 2: unknown option 'dmaks'; nearest known: 'dmax'"),
        ("title:", "options: {dmax: far}\ntitle:", "line 2: option dmax: "),
        ("title:", "options: {dmax: -1}\ntitle:", "line 2: option dmax: "),
        ("title:", "probabilities: {B: 2}\ntitle:", "line 2: "),
        ("title:", "probabilities: {Q: 0.2}\ntitle:", "line 2: unknown class 'Q'"),
        ("    cells:\n      hP: 0.66\n      SDL: 2\n", "", "line 7: 'published': nothing is published here"),
        ("  - source: Table 1\n    cells", "  - cells", "line 7: the entry 'source' is missing"),
        ("      SDL: 2", "      hP: 0.66", "line 10: the entry 'hP' is there twice"),
        ("title:", "title: [", "line 3: not YAML"),
        ("title: Two", "title: &a Two\nteaches: *a #", "line 2: anchors and aliases are not used"),
        ("figure: Figure 1\n", "", "line 1: the entry 'figure' is missing"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(before, after, message, tmp_path):
    assert before in FIGURE
    assert f"wrong.yaml, {message}" in only_message(tmp_path, FIGURE.replace(before, after, 1))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("a: 0.66", "row 'a' has 1 cells; the table has 2 columns"),
        ("a: 0.66 | x", "'x' is no number"),
        ("b: 0.66 | 2", "unknown case 'nowhere'"),
    ],
)
def test_a_row_that_does_not_fit_its_table_is_told(row, message, tmp_path):
    table = f"published:\n  - source: Table 1\n    case: nowhere\n    columns: hP | SDL\n    rows:\n      {row}\n"
    text = FIGURE[: FIGURE.index("published:")] + table
    text = text.replace("    case: nowhere\n", "") if row.startswith("a") else text
    text = text.replace("hierarchy:", "part: a\nhierarchy:")
    assert message in only_message(tmp_path, text)


def test_a_discrepancy_about_no_differing_cell_is_told(tmp_path):
    text = (
        FIGURE
        + "discrepancies:\n  - source: Table 1\n    cells: SDL\n    explanation: None.\n    variant: {measure: hP}\n"
    )
    assert "line 12: the discrepancy about Table 1, SDL meets no cell that differs from our value" in only_message(
        tmp_path, text
    )


@pytest.mark.parametrize(
    ("variant", "message"),
    [
        ("{measure: hX}", "unknown measure 'hX'"),
        ("{value: hP + qq}", "unknown measure 'qq'"),
        ("{value: hP **}", "there are no powers"),
        ("{value: __import__('os')}", "'_' has no meaning in an expression"),
        ("{options: {no: 1}}", "unknown option 'no'"),
        ("{predicted: Z}", "unknown class 'Z'"),
    ],
)
def test_a_variant_that_cannot_be_computed_is_told(variant, message, tmp_path):
    entry = f"discrepancies:\n  - source: Table 1\n    cells: SDL\n    explanation: Why.\n    variant: {variant}\n"
    assert message in only_message(tmp_path, FIGURE.replace("SDL: 2", "SDL: 3") + entry)


def test_a_paper_without_its_authors_is_told_with_the_files_that_need_it(tmp_path):
    folder = write(tmp_path, figure=FIGURE)
    (folder / "paper.yaml").write_text(PAPER.replace("authors: Some One\n", ""), encoding="utf-8")
    faults = [str(f) for f in verify([folder]).faults]
    assert faults[0] == "paper.yaml, line 1: the entry 'authors' is missing"
    assert faults[1].startswith("figure.yaml, line 1: no paper")


def test_a_part_that_is_there_twice_and_a_wrong_part_leave_the_others(tmp_path):
    text = """\
figure: Figure 1
title: Parts
cases:
  - {part: a, hierarchy: A>B, true: A, predicted: B}
  - {part: a, hierarchy: A>B, true: A, predicted: B}
  - {part: b, hierarchy: A>B, true: Z, predicted: B}
  - {part: c, hierarchy: A>B, true: B, predicted: B}
published:
  - {source: Table 1, columns: hF, rows: {c: 1}}
"""
    report = verified(tmp_path, text)
    assert [(f.line, f.reason) for f in report.faults] == [(5, "the part 'a' is there twice"), (6, "unknown class 'Z'")]
    assert report.counts.match == 3


def test_a_ranking_with_a_wrong_csv_is_told_with_the_line_in_it(tmp_path):
    folder = (
        changed_copy(tmp_path, "kosmopoulos2015", "table-23", shipped("kosmopoulos2015", "table-23"))
        / "kosmopoulos2015"
    )
    scores = (CASES / "kosmopoulos2015" / "table-23.csv").read_text(encoding="utf-8")
    taus = (CASES / "kosmopoulos2015" / "table-24.csv").read_text(encoding="utf-8")
    for name, text, message in (
        ("table-23.csv", scores.replace("4.392", "many"), "table-23.csv, line 3: 'many' is no number"),
        ("table-23.csv", scores.replace("GIE,GIE rank", "GIF,GIF rank"), "unknown measure 'GIF'; nearest known: 'GIE'"),
        ("table-23.csv", scores.replace("0.440,4", "0.440").replace("0.412,4", "0.412"), "entries where the head has"),
        ("table-24.csv", taus.replace("0.8,0.2,1", "0.8,x,1"), "table-24.csv, line 4: 'x' is no number"),
        ("table-24.csv", taus.replace("SDL,", "hP,"), "'hP' is not in the ranking"),
    ):
        (folder / "table-23.csv").write_text(scores, encoding="utf-8")
        (folder / "table-24.csv").write_text(taus, encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
        (fault,) = verify([tmp_path]).faults
        assert message in str(fault)


def test_a_situation_with_an_unknown_view_case_or_sign_is_told(tmp_path):
    template = """\
table: Table 1
title: Judgements
columns: hF | SDL
situations:
  - situation: One
    criterion: Something.
    views: {here: {case: %s}}
    plus: %s
    printed: "%s"
"""
    for entries, message in (
        (("good", "there > 0", "+ | +"), "unknown view 'there'; nearest known: 'here'"),
        (("bad", "here > 0", "+ | +"), "unknown case 'bad'"),
        (("good", "here > 0", "+ | ?"), "'?' is none of + − *"),
        (("good", "here > 0", "+"), "1 signs where the table has 2 columns"),
    ):
        assert message in only_message(tmp_path, template % entries)
    assert verified(tmp_path, template % ("good", "here > 0", "+ | +")).faults == ()


def deep(start, step, times):
    return start + step * times


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (deep(b"figure: ", b"[", 200_000), "nested too deeply|nesting depth"),
        (deep(b"a: ", b"[", 30_000) + b"]" * 30_000, "nested too deeply|nesting depth"),
        (deep(b"a: ", b"{a: ", 30_000), "nested too deeply"),
        (b"\n".join(b" " * k + b"k:" for k in range(1_300)), "nested too deeply"),
        (deep(b"", b"? ", 100_000), "plain text"),
        (deep(b"a: [", b"-,", 490_000) + b"]", "more than 300,000"),
        (deep(b"a: &b [", b"*b,", 100_000) + b"]", "anchors and aliases"),
        (deep(b"", b"---\n", 200_000), "second document"),
    ],
)
def test_a_case_file_that_nests_or_holds_too_much_is_refused_at_once(content, message):
    """yaml.compose ended the process with a segmentation fault on some of these; a thread has the
    smallest stack.
    """
    began = time.process_time()
    with ThreadPoolExecutor(1) as pool, pytest.raises(InputError, match=message):
        pool.submit(read_cases, content, "case.yaml").result()
    assert time.process_time() - began < 10


def test_very_many_faults_are_found_in_linear_time_and_told_in_part(tmp_path):
    """80,000 unknown entries took over 90 s: the line of each was looked for from the start."""
    began = time.process_time()
    folder = write(tmp_path, wrong="".join(f"k{k}: v\n" for k in range(80_000)))
    faults = load_cases(folder).faults
    assert time.process_time() - began < 20
    assert len(faults) < 100
    assert "more entries" in faults[-1].reason


def test_no_entry_of_any_length_makes_a_long_message():
    """Each text of a case file in turn, key and value, is 5,000 characters long."""
    text = FIGURE + "options:\n  dmax: 3\n  graphs: minimal\ndefine:\n  mine: hP / 2\n"
    assert read_cases(text.encode(), "f.yaml")
    messages = []
    for found in re.finditer(r"[\w.]+", text):
        for filler in ("x" * 5_000, "x " * 2_500, "9" * 5_000, "x>" * 2_500 + "x"):
            content = text[: found.start()] + json.dumps(filler) + text[found.end() :]
            try:
                read_cases(content.encode(), "f.yaml")
            except InputError as error:
                messages.append(str(error))
    assert len(messages) > 50
    assert max(map(len, messages)) < 500, max(messages, key=len)[:200]
