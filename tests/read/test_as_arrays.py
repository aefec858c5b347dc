"""Rows of labels are read as arrays: what comes out is what a plain loop reads, in whatever pieces
the file is read, and whether Arrow or the csv module cuts its lines.
"""

import csv
import io
import json

import numpy as np
import pyarrow.parquet
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hiermeasures import Hierarchy
from hiermeasures.evaluation import encode
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.read import LabelFile, Limits, iter_labels, read_hierarchy_text, read_labels
from hiermeasures.read.label_rows import LabelRows
from hiermeasures.read.labels import label_file
from hiermeasures.read.rows import Cut, cut_rows
from hiermeasures.read.source import UPLOAD, Source

SMALL = Limits(bytes=400, lines=6, label=12)
ODD = ["\r", "\r\n", "\0", "\x1f", "\x85", "\xa0", "\u2003", "\u3000", "\ufeff", *"#\"'é\t,;|"]
ODD_BYTES = [b"\xff", b"\xc2", b"\xe2\x80", b"\xef\xbb\xbf"]


def outcome(read):
    """Return the value read, or "refused"; notes in any order, a fault may be another one."""
    try:
        found = read()
    except InputError:
        return "refused"
    if isinstance(found, LabelFile):
        return found.ids, tuple(found.labels), set(found.notes), found.name, found.format
    arrays = [array.tolist() for array in vars(found.rows).values()]
    return found.nodes, arrays, found.class_attributes, found.notes, found.virtual_root


BLOCK = label_file.BLOCK


def in_every_way(read, blocks=(BLOCK, 7, 30)):
    """Return the outcomes in pieces of several sizes."""
    found = []
    for block in blocks:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(label_file, "BLOCK", block)
            patch.setattr(label_file, "SMALL_BLOCK", block)
            found.append(outcome(read))
    return found


def lines_of(separator, least=0, most=4):
    """Mostly ordinary lines, some with something odd in them, or mutated afterwards."""
    names = st.sampled_from(
        ["A", "B", "12", "7", "longer than 8", "longer than 9", "nine-more", "é", "a b", "01"]
    )
    ordinary = st.lists(names, min_size=least, max_size=most).map(separator.join)
    return st.lists(
        st.one_of(ordinary, ordinary, ordinary, st.just("")), min_size=1, max_size=8
    ).map("\n".join)


@st.composite
def mutated(draw, texts):
    """The bytes of a text with up to three small changes."""
    data = draw(texts).encode()
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2, 3]))):
        at = draw(st.integers(0, len(data)))
        cut = draw(st.integers(0, 1))
        odd = draw(st.sampled_from([b"", b" ", b"\n", *(o.encode() for o in ODD), *ODD_BYTES]))
        data = data[:at] + odd + data[at + cut :]
    return data + draw(st.sampled_from([b"", b"\n", b"\n\n"]))


CELLS = [
    "A",
    "B",
    "12",
    "7",
    "12 7",
    "A|B",
    "A;12",
    " longer than 8",
    "longer than 9 ",
    "é",
    "",
    "x",
    "a,b",
]
HEADERS = [
    "",
    "",
    "id,labels\n",
    "id\tlabel\n",
    "labels,id\n",
    "id;level_1;level_2\n",
    "labels\n",
    "id,text,labels\n",
]
LISTS = ["['A', 'B']", '["A", "B"]', "[]", "[12, 7]", "['longer than 8']", '["It\'s"]']
LISTS += ["['A' 'B']", "['A',]", '[1, "B"]', "[A]", "['']"]


@st.composite
def tables(draw):
    """Mostly ordinary tables: rows of cells, most with ids, with a header or none; some quoted."""
    header, mark = draw(st.sampled_from(HEADERS)), draw(st.sampled_from(",;\t"))
    content = draw(
        st.sampled_from([CELLS, CELLS, [*CELLS, 'a "b" c', '"', "two\nlines", "'=A"], LISTS])
    )
    rows = draw(
        st.lists(st.lists(st.sampled_from(content), min_size=1, max_size=2), min_size=1, max_size=6)
    )
    named, quoted = draw(st.booleans()), draw(st.sampled_from([None, "", 'B";,\n', 'A1xB";,\n']))
    rows = [[*([f"x{k}"] if named else []), *cells] for k, cells in enumerate(rows)]
    if quoted is not None:
        rows = [[_in_quotes(cell, quoted) for cell in cells] for cells in rows]
    return header + "\n".join(map(mark.join, rows))


def _in_quotes(cell, characters):
    """A cell in quotes if it holds one of some characters, or if none are said."""
    return (
        '"' + cell.replace('"', '""') + '"'
        if not characters or set(cell) & set(characters)
        else cell
    )


VALUES = [
    "A",
    "B",
    "",
    "é",
    "longer than 8",
    7,
    12,
    -0,
    2**70,
    1.5,
    True,
    None,
    ["A", "B"],
    ["A", "A"],
    [],
    [7, 12],
]
VALUES += [
    ["A", None],
    ["A", 7],
    [""],
    ["\\", '"', "two\nlines", "\0"],
    [["A"]],
    {"A": 1, "B": {}},
    "2020-01-01",
]
BETWEEN = ["\n", "}\n{", ',"label": ["B"]', "01", "\\ud800", "[", "{}"]


@st.composite
def objects(draw):
    """Mostly ordinary lines of JSON; values are mostly of the same kind."""
    kinds = draw(
        st.sampled_from(
            [[["A"], ["B", "é"]], ["A", "B", "2020-01-01"], [7, 12], [[7], [12, 7]], VALUES]
        )
    )
    others = draw(st.sampled_from([[], ["text"], ["text", "more"]]))
    several, named = (
        draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=6)),
        draw(st.booleans()),
    )
    found = []
    for k, labels in enumerate(several):
        entry = {**({"id": f"x{k}"} if named else {}), "label": labels}
        found.append(json.dumps(entry | {key: draw(st.sampled_from(VALUES)) for key in others}))
        if draw(st.integers(0, 9)) == 0:
            at = draw(st.integers(0, len(found[-1])))
            found[-1] = found[-1][:at] + draw(st.sampled_from(BETWEEN)) + found[-1][at:]
    return "\n".join(found)


FILES = {
    "hemkit": lines_of(" "),
    "germeval": st.tuples(lines_of("\t"), lines_of("\t")).map(
        "subtask_a\n{0[0]}\nsubtask_b\n{0[1]}".format
    ),
    "csv": tables(),
    "tsv": tables(),
    "jsonl": objects(),
}


@given(
    file=st.one_of(st.tuples(st.just(key), mutated(texts)) for key, texts in FILES.items()),
    small=st.booleans(),
)
@example(("hemkit", b"A A B\n\nB A\n"), False)
@example(("hemkit", b"\xef\xbb\xbfA\r\nB C\r\n"), False)
@example(("hemkit", b"A\r\nB\n"), False)
@example(("hemkit", b"A\nB\nC\nD\nE\nF\nG"), True)
@example(("hemkit", b"A\r\nB\r"), False)
@example(("csv", b"x,12\ny,12 7\n"), False)
@example(("csv", b"|A,x\nB,y"), False)
@example(("csv", b'"id","labels"\n"x", "A|B"\n"y","say ""C"""\n"z",""\n'), False)
@example(("csv", b'id,labels\nx,"""A"" and B"\ny,""""\n'), False)
@example(("csv", b'id,labels\nx,\t"A"\n'), False)
@example(("csv", b'id,labels\nx,A"B"\n'), False)
@example(("csv", b'id,labels\nx,"\'=A"\n'), False)
@example(("csv", b'id,text,labels\nx,"two\nlines",A\ny,,"B\nC"\n'), False)
@example(("csv", b"id,labels\nx,\"['A', '']\"\ny,\"['it''s']\"\n"), False)
@example(("jsonl", b'{"label": ["A"], "m": [{}\n{}]}\n{"label": ["B"]}{"label": ["C"]}\n'), False)
@example(("jsonl", b'{"label": ["A"]}\n{"label": null}\n{"labels": ["A"]}\n'), False)
@example(
    ("jsonl", b'{"id": 7, "label": "A"}\n{"id": -0, "label": ""}\n{"id": 12, "label": "A"}\n'),
    False,
)
@example(("jsonl", b'{"id": "x", "label": "A"}\n{"id": "", "label": "B"}\n'), False)
def test_the_pieces_of_a_file_do_not_show(file, small):
    key, data = file
    task = "b" if key == "germeval" else None
    found = in_every_way(lambda: read_labels(data, key, task, limits=SMALL if small else UPLOAD))
    assert found[1:] == found[:-1]


@given(text=tables().filter(lambda text: '"' not in text), mark=st.sampled_from(",;"))
def test_a_table_is_cut_alike_with_and_without_quotes_in_it(text, mark):
    cut = Cut(mark, quoted=True, guarded=True)
    pieces = [(1, f"{text}\n".encode()), (text.count("\n") + 2, b'"x"\n')]
    (plain, _), (quoted,) = (
        list(cut_rows(several, cut, Source()))
        for several in (pieces, [(1, b"".join(p for _, p in pieces))])
    )
    assert quoted.cells.rows() == [*plain.cells.rows(), ["x"]]
    assert quoted.lines[:-1].tolist() == plain.lines.tolist()


# --- against plain loops ------------------------------------------------------------------------


@given(
    rows=st.lists(
        st.sets(st.sampled_from(["A", "é", 'say "B"', "two\nlines", "a, b", "longer than 8"])),
        min_size=1,
    )
)
def test_a_csv_file_is_what_the_csv_module_reads(rows):
    out = io.StringIO()
    csv.writer(out).writerows(
        [["id", "text", "labels"], *([k, "a\nb", "|".join(row)] for k, row in enumerate(rows))]
    )
    text = out.getvalue().replace("\r\n", "\n")
    plain = [
        (key, frozenset(filter(None, cell.split("|"))))
        for key, _, cell in csv.reader(io.StringIO(text))
    ][1:]
    file = read_labels(text.encode(), "csv", separator="|")
    assert list(zip(file.ids, file.labels, strict=True)) == plain
    assert list(iter_labels(text.encode(), "csv", separator="|")) == plain


@given(rows=st.lists(st.lists(st.sampled_from(["A", "é", "\\", "longer than 8"])), min_size=1))
def test_json_lines_are_what_the_json_module_reads(rows):
    data = "".join(
        json.dumps({"text": "a\nb", "label": row, "id": k}) + "\n" for k, row in enumerate(rows)
    ).encode()
    plain = [(str(k), frozenset(row)) for k, row in enumerate(rows)]
    file = read_labels(data, "jsonl")
    assert list(zip(file.ids, file.labels, strict=True)) == plain


def test_a_line_that_is_too_long_is_named(monkeypatch):
    monkeypatch.setattr(label_file, "LONGEST_LINE", 30)
    monkeypatch.setattr(label_file, "BLOCK", 10)
    assert len(read_labels(b"A\n" + b"A" * 29 + b"\nB\n", "hemkit")) == 3
    with pytest.raises(InputError, match=r"^line 2: a line longer than 30 bytes$"):
        read_labels(b"A\n" + b"A" * 31 + b"\nB\n", "hemkit")


def test_json_lines_with_keys_without_end_take_no_more_memory():
    text = "".join(f'{{"label": ["A"], "x": {{"key{k}": 1}}}}\n' for k in range(50_000))
    assert set(read_labels(text.encode()).labels) == {frozenset("A")}


@pytest.mark.parametrize(
    ("columns", "labels"),
    [
        ({"id": ["x", "y", "z"], "label": [["A", "B"], [], None]}, ["AB", "", ""]),
        ({"id": [7, -1, 0], "label": [["A", "A"], ["B"], ["C"]]}, ["A", "B", "C"]),
        ({"text": ["some", None, ""], "labels": [["A"], ["B"], ["A", "C"]]}, ["A", "B", "AC"]),
        ({"label": [["A", None], ["", "B"]]}, ["A", "B"]),
        ({"label": [[1, 2], [3]]}, ["12", "3"]),
        ({"label": ["A|B", ""]}, ["AB", ""]),
        ({"level_1": ["A", "B"], "level_2": ["C", None]}, ["AC", "B"]),
    ],
)
def test_parquet_holds_labels_in_lists_text_or_levels(columns, labels):
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), out)
    file = read_labels(out.getvalue())
    assert file.labels == tuple(map(frozenset, labels))
    assert file.ids == (tuple(map(str, columns["id"])) if "id" in columns else None)


# --- edge lists ---------------------------------------------------------------------------------


@given(
    pairs=st.lists(st.tuples(st.integers(0, 9), st.integers(1, 5)), min_size=1),
    mark=st.sampled_from(" \t,;"),
    header=st.sampled_from([0, 1, -1]),
    weighed=st.booleans(),
    alone=st.booleans(),
)
def test_an_edge_list_is_what_a_plain_loop_reads(pairs, mark, header, weighed, alone):
    found = list(dict.fromkeys((f"n{a}", f"n{a + step}") for a, step in pairs))
    text = {0: "", 1: f"parent{mark}child\n", -1: f"child{mark}parent\n"}[header]
    for k, edge in enumerate(found):
        text += (
            mark.join([*(edge[::-1] if header < 0 else edge), *([str(k + 1)] if weighed else [])])
            + "\n\n# note\n"
        )
    text += "alone\n" if alone else ""
    weights = range(1, len(found) + 1) if weighed else [1] * len(found)
    plain = Hierarchy.from_edges(
        [(*edge, w) for edge, w in zip(found, weights, strict=True)], ["alone"] if alone else []
    )
    assert outcome(lambda: read_hierarchy_text(text, format="edges")) == outcome(lambda: plain)


# --- the arrays as a sequence of sets -----------------------------------------------------------

ROWS = LabelRows(("A", "B", "C"), np.array([0, 2, 2, 5]), np.array([1, 0, 2, 2, 1], np.int32))
SETS = (frozenset("AB"), frozenset(), frozenset("BC"))


def test_rows_are_a_sequence_of_sets():
    assert ROWS == SETS
    assert SETS == ROWS
    assert (list(ROWS), ROWS[-1], ROWS[1:], len(ROWS)) == (list(SETS), SETS[-1], SETS[1:], 3)
    assert hash(ROWS) == hash(SETS)
    with pytest.raises(IndexError):
        ROWS[3]


@pytest.mark.parametrize("known", ["ABC", "AB", "C", "X"])
def test_rows_are_encoded_as_sets_are(known):
    h = Hierarchy.from_edges([("root", name) for name in known])
    arrays, sets = (encode(h, labels, unknown="drop") for labels in (ROWS, SETS))
    assert (arrays.ptr.tolist(), arrays.idx.tolist()) == (sets.ptr.tolist(), sets.idx.tolist())
    assert arrays.unknown == sets.unknown
