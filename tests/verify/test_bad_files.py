"""Case files that cannot be used: file, line and reason, and the other files are still checked."""

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.verify import load_cases, verify
from hiermeasures.verify.library import read_cases
from tests.verify.helpers import CASES, FIGURE, PAPER, changed_copy, shipped, write

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
    assert re.fullmatch(r"wrong\.yaml, line \d+: .+", str(fault))
    return str(fault)


TABLE = """\
figure: Figure 1
title: Two siblings
part: a
hierarchy: A>B A>C B>T1 B>P1
true: T1
predicted: P1
published:
  - {source: Table 1, columns: hP | SDL, rows: {a: 0.66 | 2}}
"""
DIFFERING = (
    FIGURE.replace("SDL: 2", "SDL: 3")
    + """\
discrepancies:
  - {source: Table 1, cells: SDL, explanation: Why., variant: {measure: hP}}
"""
)


DEFINING = DIFFERING.replace("measure: hP", "measure: mine").replace(
    "published:", "define: {mine: MINE}\npublished:"
)


@pytest.mark.parametrize(
    ("text", "before", "after", "message"),
    [
        (FIGURE, "title:", "tilte:", "line 2: unknown entry 'tilte'"),
        (FIGURE, "hierarchy: A>B A>C B>T1 B>P1\n", "", "line 1: the entry 'hierarchy'"),
        (
            FIGURE,
            "title:",
            "topics: pairing | pares\ntitle:",
            "line 2: 'topics': unknown topic 'pares'",
        ),
        (FIGURE, "true: T1", "true: T7", "line 4: unknown class 'T7'"),
        (FIGURE, "A>B A>C", "A>B A-C", "line 3: 'A-C' is not an edge. Write A>B, parent first"),
        (FIGURE, "B>T1 B>P1", "B>T1 B>P1 P1>B", "line 3: "),
        (FIGURE, "hP: 0.66", "hQ: 0.66", "line 9: unknown name 'hQ'"),
        (FIGURE, "hP: 0.66", "hP: nought", "line 9: 'nought'"),
        (FIGURE, "hP: 0.66", "hP({Z}): 0.66", "line 9: unknown class 'Z'"),
        (
            FIGURE,
            "hP: 0.66",
            "hP(T1): 0.66",
            "line 9: 'hP(T1)': an argument of a measure is not a set. Write sets such as {A, B}",
        ),
        (FIGURE, "hP: 0.66", "LCA(T1): 0.66", "line 9: 'LCA(T1)'"),
        (
            FIGURE,
            "hP: 0.66",
            "LCA(T1, P1): 0.66",
            "line 9: '0.66' is not a set of classes. Write {A, B}",
        ),
        (FIGURE, "hP: 0.66", 'LCA(Q, P1): "{B}"', "line 9: unknown class 'Q'"),
        (FIGURE, "hP: 0.66", "E(hF): 0.66", "line 9"),
        (FIGURE, "title:", "options: {dmaks: 5}\ntitle:", "line 2: unknown option 'dmaks'"),
        (FIGURE, "title:", "options: {dmax: -1}\ntitle:", "line 2: option dmax: "),
        (
            FIGURE,
            "title:",
            "weights: {B: 1}\ntitle:",
            "line 2: the entry 'weights' is misplaced. Move it below 'hierarchy'",
        ),
        (FIGURE, "title:", "probabilities: {B: 2}\ntitle:", "line 2: "),
        (FIGURE, "title:", "probabilities: {Q: 0.2}\ntitle:", "line 2: unknown class 'Q'"),
        (FIGURE, "    cells:\n      hP: 0.66\n      SDL: 2\n", "", "line 7: 'published'"),
        (FIGURE, "  - source: Table 1\n    cells", "  - cells", "line 7: the entry 'source'"),
        (FIGURE, "      SDL: 2", "      hP: 0.66", "line 10: the entry 'hP'"),
        (FIGURE, "title: Two", "title: &a Two\nteaches: *a #", "line 2"),
        (FIGURE, "figure: Figure 1\n", "", "line 1: the entry 'figure'"),
        (FIGURE, "hP: 0.66", "hP: [0.66]", "line 9: 'hP' should be a text"),
        (FIGURE, "hP: 0.66", "'': 0.66", "write an expression"),
        (FIGURE, "hP: 0.66", "mine: 0.66", "line 9: unknown name 'mine'"),
        (FIGURE, "title:", "paper: Someone\ntitle:", "line 2: 'paper' should have entries"),
        (
            TABLE,
            "columns: hP | SDL, ",
            "",
            "line 8: 'published': a published table has 'columns' and 'rows'",
        ),
        (TABLE, "columns: hP | SDL", "columns: hP | 2", "line 8: '2': this is a constant"),
        (DIFFERING, "measure: hP", "value: 3", "line 12: '3': this is a constant"),
        (DIFFERING, "measure: hP", "value: hP - hP + 3", "this is a constant"),
        (DIFFERING, "measure: hP", "value: hP / hP * 3", "this is a constant"),
        (DEFINING, "MINE", "3", "line 13: 'mine': this is a constant"),
        (DEFINING, "MINE", "3 + 0 * hP", "line 13: 'mine': this is a constant"),
        (DIFFERING, "variant: {measure: hP}", "variant: 3", "line 12: 'variant' should have"),
        (DIFFERING, "explanation: Why., ", "", "line 12: the entry 'explanation' is missing"),
        (DIFFERING, "variant: {measure", "conjecture: so, variant: {measure", "true or false"),
        (TABLE, "0.66 | 2", "0.66", "'a' has 1 cells"),
        (TABLE, "0.66 | 2", "0.66 | x", "'x' is not a number"),
        (
            TABLE,
            "Table 1, columns: hP | SDL, rows: {a",
            "T, case: nowhere, columns: hP | SDL, rows: {b",
            "unknown case",
        ),
        (DIFFERING, "SDL: 3", "SDL: 2", "line 12"),
        (DIFFERING, "measure: hP", "measure: hX", "unknown name 'hX'"),
        (DIFFERING, "measure: hP", "value: hP + qq", "unknown name 'qq'"),
        (DIFFERING, "measure: hP", "value: hP **", "powers are not allowed"),
        (DIFFERING, "measure: hP", "value: __import__('os')", "'__import__'"),
        (TABLE, "columns: hP | SDL", "columns: hP | 1 + G_t", "G_t is not a number"),
        (TABLE, "columns: hP | SDL", "columns: hP | hP > 1", "'2' is not a verdict"),
        (TABLE, "columns: hP | SDL", "columns: hP | weigted.tp", "'weighted.tp'"),
        (TABLE, "columns: hP | SDL", "columns: hP | LCA", "Write LCA"),
        (DIFFERING, "measure: hP", "options: {no: 1}", "unknown option 'no'"),
        (DIFFERING, "measure: hP", "predicted: Z", "unknown class 'Z'"),
    ],
)
def test_a_wrong_case_file_is_refused_in_one_line_with_file_and_line(
    text, before, after, message, tmp_path
):
    assert before in text
    assert message in only_message(tmp_path, text.replace(before, after, 1))


def test_a_paper_without_its_authors_is_told(tmp_path):
    folder = write(tmp_path, figure=FIGURE)
    (folder / "paper.yaml").write_text(PAPER.replace("authors: Some One\n", ""), encoding="utf-8")
    faults = [str(f) for f in verify([folder]).faults]
    assert faults == ["paper.yaml, line 1: the entry 'authors' is missing. Add it"]


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
    assert [(f.line, f.reason) for f in report.faults] == [
        (5, "two cases have the part 'a'. Rename one"),
        (6, "unknown class 'Z'"),
    ]
    assert report.counts.match == 3


@pytest.mark.parametrize(
    ("table", "before", "after", "message"),
    [
        (23, "4.392", "many", "table-23.csv, line 3: 'many'"),
        (23, "GIE,GIE rank", "GIF,GIF rank", "'GIE'"),
        (23, "0.412,4", "0.412", "table-23.csv, line 4: 12 entries"),
        (24, "0.8,0.2,1", "0.8,x,1", "table-24.csv, line 4: 'x'"),
        (24, "SDL,", "hP,", "'hP'"),
    ],
)
def test_a_ranking_with_a_wrong_csv_is_told_with_the_line_in_it(
    table, before, after, message, tmp_path
):
    changed_copy(tmp_path, "kosmopoulos2015", "table-23", shipped("kosmopoulos2015", "table-23"))
    for name in (23, 24):
        text = (CASES / "kosmopoulos2015" / f"table-{name}.csv").read_text(encoding="utf-8")
        text = text.replace(before, after) if name == table else text
        (tmp_path / "kosmopoulos2015" / f"table-{name}.csv").write_text(text, encoding="utf-8")
    (fault,) = verify([tmp_path]).faults
    assert message in str(fault)


JUDGED = """\
table: Table 1
title: Judgements
columns: hF | SDL
situations:
  - {situation: One, criterion: Some, views: {here: {case: good}}, plus: here > 0, printed: "+ | +"}
"""


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("here > 0", "there > 0", "'here'"),
        ("case: good", "case: bad", "unknown case 'bad'"),
        ("+ | +", "+ | ?", "unknown sign '?'"),
        ("+ | +", "+", "1 signs"),
    ],
)
def test_a_situation_with_an_unknown_view_case_or_sign_is_told(before, after, message, tmp_path):
    assert verified(tmp_path, JUDGED).faults == ()
    assert message in only_message(tmp_path, JUDGED.replace(before, after))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"figure: " + b"[" * 200_000, "nested too deeply|nesting depth"),
        (b"a: " + b"[" * 30_000 + b"]" * 30_000, "nested too deeply|nesting depth"),
        (b"a: " + b"{a: " * 30_000, "nested too deeply"),
        (b"\n".join(b" " * k + b"k:" for k in range(1_300)), "nested too deeply"),
        (b"? " * 100_000, "plain text"),
        (b"a: [" + b"-," * 490_000 + b"]", "more than 300,000"),
        (b"a: &b [" + b"*b," * 100_000 + b"]", "anchors and aliases"),
        (b"---\n" * 200_000, "second document"),
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
