"""Ordinary files are read as arrays, and everything else by the careful readers: whichever does it, the same comes out,
results, notes and refusals alike.
"""

import io
import json

import numpy as np
import pyarrow.parquet
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from hiermeasures import Hierarchy, InputError
from hiermeasures.batch import encode
from hiermeasures.io import LABEL_FORMATS, LabelFile, Limits, align, read_hierarchy_text, read_labels, words
from hiermeasures.io.hierarchies import edge_list, hemkit, taxonomy
from hiermeasures.io.labels import _read_as_arrays, _read_row_by_row, jsonl, label_file
from hiermeasures.io.labels.label_file import Reading, ReadingOptions
from hiermeasures.io.source import UPLOAD, Source
from hiermeasures.label_rows import LabelRows

SMALL = Limits(bytes=400, lines=6, label=12)
ODD = [
    "\r",
    "\r\n",
    "\0",
    "\x1f",
    "\x85",
    "\xa0",
    "\u2003",
    "\u3000",
    "\ufeff",
    "#",
    '"',
    "'",
    "é",
    "\t",
    ",",
    ";",
    "|",
]
ODD_BYTES = [b"\xff", b"\xc2", b"\xe2\x80", b"\xef\xbb\xbf"]


@pytest.fixture(params=[words.BLOCK, 30])
def block(request, monkeypatch):
    """Files are read at once, and in blocks so small that lines lie in several."""
    monkeypatch.setattr(words, "BLOCK", request.param)


def lines_of(separator, least=0, most=4):
    """Mostly ordinary lines, some with something odd in them, or mutated afterwards."""
    names = st.sampled_from(["A", "B", "12", "7", "longer than 8", "longer than 9", "nine-more", "é", "a b", "01"])
    ordinary = st.lists(names, min_size=least, max_size=most).map(separator.join)
    return st.lists(st.one_of(ordinary, ordinary, ordinary, st.just("")), min_size=1, max_size=8).map("\n".join)


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


def outcome(read):
    """What is read, or why it is refused."""
    try:
        found = read()
    except InputError as error:
        return str(error)
    if isinstance(found, LabelFile):
        return found.ids, tuple(found.labels), found.notes, found.name, found.format
    arrays = [array.tolist() for array in vars(found.arrays).values()]
    return found.nodes, arrays, found.class_attributes, found.notes, found.virtual_root


def both_ways(data, key, limits, **options):
    """The file read as arrays, None where it is left to the careful reader; and by the careful reader."""
    make = lambda: Reading(Source("f.txt"), limits, ReadingOptions(**options))  # noqa: E731
    found = LABEL_FORMATS[key]
    return _read_as_arrays(found, io.BytesIO(data), make()), outcome(
        lambda: _read_row_by_row(found, io.BytesIO(data), make())
    )


@given(data=mutated(lines_of(" ")), limits=st.sampled_from([UPLOAD, SMALL]))
@example(b"A A B\n\nB A\n", UPLOAD)
@example(b"\xef\xbb\xbfA\r\nB C\r\n", UPLOAD)
@example(b"A\r\nB\n", UPLOAD)
@example(b"A\nB\nC\nD\nE\nF\nG", SMALL)
@example(b"A\r", UPLOAD)
@example(b"A\r\nB\r", UPLOAD)
def test_label_files_read_as_arrays_are_what_the_careful_reader_reads(data, limits):
    quick, careful = both_ways(data, "hemkit", limits)
    assert quick is None or outcome(lambda: quick) == careful


@pytest.mark.parametrize("before", ["", "A\n"])
@pytest.mark.parametrize("size", [29, 30, 31, 45])
def test_lines_too_long_for_the_careful_reader_are_left_to_it(before, size, monkeypatch):
    monkeypatch.setattr(words, "BLOCK", 30)
    monkeypatch.setattr(label_file, "LONGEST_LINE", 30)
    quick, careful = both_ways((before + "A" * (size - 1) + "\nB\n").encode(), "hemkit", UPLOAD)
    assert (quick is None) == (size >= 30) == (type(careful) is str)
    assert quick is None or outcome(lambda: quick) == careful


@pytest.mark.parametrize("text", ["A B\n\nC\n", "A B\r\n12\r\n", "\ufeffA\nÄ longer-than-eight\n", "1\n2", "A\tB C\n"])
def test_ordinary_label_files_are_read_as_arrays(text, block):
    quick, careful = both_ways(text.encode(), "hemkit", UPLOAD)
    assert isinstance(quick.labels, LabelRows)
    assert outcome(lambda: quick) == careful


@given(
    several=st.lists(st.lists(st.sampled_from(["A", "é", *(x * n for x in "xy" for n in (7, 8, 9, 17))]), min_size=1)),
    bits=st.sampled_from([1, 2, 20]),
)
def test_words_are_numbered_as_they_are_first_seen(several, bits):
    names = words.Names(UPLOAD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(words, "_BITS", bits)  # so few that words share a place in the table
        texts = [words.as_bytes((" ".join(some) + "\n").encode()) for some in several]
        numbers = [names.of(text, *words.words_in(text)).tolist() for text in texts]
    known = list(dict.fromkeys(word for some in several for word in some))
    assert (list(names), len(names)) == (known, len(known))
    assert numbers == [[known.index(word) for word in some] for some in several]


CELLS = ["A", "B", "12", "7", "12 7", "A|B", "A;12", " longer than 8", "longer than 9 ", "é", "", "x", "a,b"]
HEADERS = ["", "", "id,labels\n", "id\tlabel\n", "labels,id\n", "id;level_1;level_2\n", "labels\n", "id,text,labels\n"]


LISTS = ["['A', 'B']", '["A", "B"]', "[]", "[12, 7]", "['longer than 8']", '["It\'s"]']
LISTS += ["['A' 'B']", "['A',]", '[1, "B"]', "[A]", "['']"]


@st.composite
def tables(draw):
    """Mostly ordinary tables: rows of cells, most with ids of their own, below a header or none; perhaps in quotes."""
    header, mark = draw(st.sampled_from(HEADERS)), draw(st.sampled_from(",;\t"))
    content = draw(st.sampled_from([CELLS, CELLS, [*CELLS, 'a "b" c', '"', "two\nlines", "'=A"], LISTS]))
    rows = draw(st.lists(st.lists(st.sampled_from(content), min_size=1, max_size=2), min_size=1, max_size=6))
    named, quoted = draw(st.booleans()), draw(st.sampled_from([None, "", 'B";,\n', 'A1xB";,\n']))
    lines = [mark.join([*([f"x{k}"] if named else []), *cells]) for k, cells in enumerate(rows)]
    if quoted is not None:
        rows = [[*([f"x{k}"] if named else []), *cells] for k, cells in enumerate(rows)]
        lines = [mark.join(_in_quotes(cell, quoted) for cell in cells) for cells in rows]
    return header + "\n".join(lines)


def _in_quotes(cell, characters):
    """A cell in quotes if it holds one of some characters, or if none are said."""
    return '"' + cell.replace('"', '""') + '"' if not characters or set(cell) & set(characters) else cell


@given(data=mutated(tables()), limits=st.sampled_from([UPLOAD, SMALL]), key=st.sampled_from(["csv", "tsv"]))
@example(b"id,labels\nx,A|B\ny,C\nz,\n", UPLOAD, "csv")
@example(b"x,12\ny,12 7\n", UPLOAD, "csv")
@example(b"|A,x\nB,y", UPLOAD, "csv")
@example(b'"id","labels"\n"x", "A|B"\n"y","say ""C"""\n"z",""\n', UPLOAD, "csv")
@example(b'id,labels\nx,"""A"" and B"\ny,""""\n', UPLOAD, "csv")
@example(b'id,labels\nx,"A" \n', UPLOAD, "csv")
@example(b'id,labels\nx,\t"A"\n', UPLOAD, "csv")
@example(b'id,labels\nx,A"B"\n', UPLOAD, "csv")
@example(b'id,labels\nx,"\'=A"\n', UPLOAD, "csv")
@example(b'id,text,labels\nx,"two\nlines",A\ny,,"B\nC"\n', UPLOAD, "csv")
@example(b"id,labels\nx,\"['A', '']\"\ny,\"['it''s']\"\n", UPLOAD, "csv")
def test_tables_read_as_arrays_are_what_the_careful_reader_reads(data, limits, key):
    quick, careful = both_ways(data, key, limits)
    assert quick is None or outcome(lambda: quick) == careful


@pytest.mark.parametrize(
    "text",
    [
        "id,labels\nx,A|B\ny,C\nz,\n",
        "id;labels\r\nx; A , B \r\ny;C\r\n",
        "id\tlabels\nx\tSci Fi\ny\tIt's\n",
        "x,A,B\ny,C\n",
        "labels,id\nA|B,x\n,y\n",
        "label_1,label_2\nA,B\nC,\n",
        "doc_id,text,label\n1,some text,A\n2,,longer than eight",
        '"id","labels"\n"x","A|B"\n"y", " say ""C"" and more "\n"z",""\n',
        'id,text,labels\n1,"two\nlines, ""so""",A\n2,,"B"\n',
        "id,labels\nx,\"['A', 'longer, than 8']\"\ny,[]\nz,['B']\n",
        'id\tlabels\nx\t["A", "B"]\ny\t[]\n',
        'id,labels\nx,"[1, 22]"\ny,[]\n',
    ],
)
def test_ordinary_tables_are_read_as_arrays(text, block):
    data = text.encode()
    quick, careful = both_ways(data, "tsv" if "\t" in text else "csv", UPLOAD)
    assert quick is None if len(data) > words.BLOCK else isinstance(quick.labels, LabelRows)
    assert quick is None or outcome(lambda: quick) == careful


@pytest.mark.parametrize("columns", [("id",), ("label", "id"), ("label", "label")])
def test_the_column_of_ids_may_hold_labels_too(columns):
    quick, careful = both_ways(b"id,label\nx,A\ny,B\n", "csv", UPLOAD, label_columns=columns)
    assert outcome(lambda: quick) == careful


@pytest.mark.parametrize("row", ["x{0},A{1}|B{2}\n", 'x{0},"A\n{1}"\n', 'x{0},"A{1}, ""B{2}"""\n'])
def test_a_long_table_lies_in_several_blocks(row, monkeypatch):
    monkeypatch.setattr(words, "BLOCK", 20_000)
    text = "id,labels\n" + "".join(row.format(k, k % 5, k % 7) for k in range(4000))
    quick, careful = both_ways(text.encode(), "csv", UPLOAD)
    assert (quick is None) == ("A\n" in row)  # a name of two lines
    assert quick is None or outcome(lambda: quick) == careful


def test_cells_of_several_lines_may_lie_in_several_blocks(monkeypatch):
    monkeypatch.setattr(words, "BLOCK", 50_000)
    text = "id,text,labels\n" + "".join(f'{k},"some\n\nlines",A{k % 7}\n' for k in range(6000))
    quick, careful = both_ways(text.encode(), "csv", UPLOAD)
    assert outcome(lambda: quick) == careful


def test_lines_may_lie_in_several_blocks(block):
    sets = [{f"class {k % 7}".replace(" ", "-" * (k % 12)), str(k)} for k in range(50)]
    file = read_labels("".join(" ".join(labels) + "\n" for labels in sets).encode())
    assert file.labels == tuple(map(frozenset, sets))


@st.composite
def germeval_files(draw):
    """Mostly ordinary files of one or two sections."""
    head, lines = st.sampled_from(["subtask_a", "subtask_b", "subtask_b ", " subtask_a", "subtask_a\t"]), []
    for _ in range(draw(st.sampled_from([1, 1, 2]))):
        lines.append(draw(head))
        for names in draw(st.lists(st.lists(st.sampled_from(["A", "Sci Fi", " é", ""]), max_size=3), max_size=4)):
            key = draw(st.sampled_from([f"x{len(lines)}"] * 8 + ["a b", "", "x", "subtask_c"]))
            lines.append("\t".join([key, *names]))
    return "\n".join(lines)


@given(data=mutated(germeval_files()), limits=st.sampled_from([UPLOAD, SMALL]), task=st.sampled_from([None, "a", "b"]))
@example(b"subtask_a\nx\tA\n\nsubtask_b\nx\tA\tB\n\n", UPLOAD, "subtask_b")
@example(b"subtask_a\nx\tA\nsubtask_b\n", UPLOAD, None)
@example(b"\n\nsubtask_a\nx\n\ny\t\nz z\t\n", UPLOAD, None)
@example(b"x\tA\nsubtask_a\nx\tA\n", UPLOAD, "a")
@example(b"subtask_a\nx y\nsubtask_b\nx\tA\nx\tB\n", UPLOAD, "b")
def test_germeval_files_read_as_arrays_are_what_the_careful_reader_reads(data, limits, task):
    quick, careful = both_ways(data, "germeval", limits, task=task)
    assert quick is None or outcome(lambda: quick) == careful


@pytest.mark.parametrize("text", ["subtask_a\nx\tA\tSci Fi\ny\t\n", "subtask_b\r\nx\tA\r\n\r\nsubtask_a\r\nx\tB\r\n"])
def test_ordinary_germeval_files_are_read_as_arrays(text, block):
    quick, careful = both_ways(text.encode(), "germeval", UPLOAD, task="a")
    assert isinstance(quick.labels, LabelRows)
    assert outcome(lambda: quick) == careful


VALUES = ["A", "B", "", "é", "longer than 8", 7, 12, -0, 2**70, 1.5, True, None, ["A", "B"], ["A", "A"], [], [7, 12]]
VALUES += [["A", None], ["A", 7], [""], ["\\", '"', "two\nlines", "\0"], [["A"]], {"A": 1, "B": {}}, "2020-01-01"]


BETWEEN = ["\n", "}\n{", ',"x": 1, "x": 2', ',"label": ["B"]', "NaN", "01", "\\ud800", "[", "{}"]


@st.composite
def objects(draw):
    """Mostly ordinary lines of JSON; values are mostly of the same kind."""
    kinds = draw(st.sampled_from([[["A"], ["B", "é"]], ["A", "B", "2020-01-01"], [7, 12], [[7], [12, 7]], VALUES]))
    others = draw(st.sampled_from([[], ["text"], ["text", "more"]]))
    several, named = draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=6)), draw(st.booleans())
    lines = []
    for k, labels in enumerate(several):
        entry = {**({"id": f"x{k}"} if named else {}), "label": labels}
        lines.append(json.dumps(entry | {key: draw(st.sampled_from(VALUES)) for key in others}))
        if draw(st.integers(0, 9)) == 0:
            at = draw(st.integers(0, len(lines[-1])))
            odd = draw(st.sampled_from(BETWEEN))
            lines[-1] = lines[-1][:at] + odd + lines[-1][at:]
    return "\n".join(lines)


@given(data=mutated(objects()), limits=st.sampled_from([UPLOAD, SMALL]))
@example(b'{"label": ["A"], "m": [{}\n{}]}\n{"label": ["B"]}{"label": ["C"]}\n', UPLOAD)
@example(b'{"label": ["A"], "x": 1, "x": 2}\n', UPLOAD)
@example(b'{"label": ["A"], "x": {"y": 1, "y": 2}}\n', UPLOAD)
@example(b'{"label": ["A"], "label": ["B"]}\n', UPLOAD)
@example(b'{"label": ["A"], "x": NaN}\n', UPLOAD)
@example(b'{"label": ["A"], "x": "a\tb"}\n', UPLOAD)
@example(b'{"label": ["A"]}\n{"label": null}\n{"labels": ["A"]}\n', UPLOAD)
@example(b'{"id": 7, "label": "A"}\n{"id": -0, "label": ""}\n{"id": 12, "label": "A"}\n', UPLOAD)
@example(b'{"id": "x", "label": "A"}\n{"id": "", "label": "B"}\n', UPLOAD)
@example(b'{"label": ["A"], "x": ' + 201 * b"[" + 201 * b"]" + b"}\n", UPLOAD)
@example(b'{"label": ["A"], "x": ' + 4301 * b"1" + b"}\n", UPLOAD)
def test_json_lines_read_as_arrays_are_what_the_careful_reader_reads(data, limits):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "WORTH_PYARROW", 0)
        quick, careful = both_ways(data, "jsonl", limits)
    assert quick is None or outcome(lambda: quick) == careful


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "x", "label": ["A", "B"]}\n{"id": "y", "label": []}\n',
        '{"id": 1, "label": "A", "x": {"y": null}}\r\n{"id": 2, "label": "", "x": {"z": [1.5]}}\r\n',
        '{"labels": [7, 12], "text": "some \\"text\\"\\n"}\n{"text": "é", "labels": [7]}',
    ],
)
def test_ordinary_json_lines_are_read_as_arrays(text, monkeypatch):
    monkeypatch.setattr(jsonl, "WORTH_PYARROW", 0)
    quick, careful = both_ways(text.encode(), "jsonl", UPLOAD)
    assert isinstance(quick.labels, LabelRows)
    assert outcome(lambda: quick) == careful


@pytest.mark.parametrize(("quickly", "keys"), [(True, 3), (False, 400)])
def test_json_lines_with_keys_without_end_are_left_to_the_careful_reader(quickly, keys, monkeypatch):
    monkeypatch.setattr(jsonl, "WORTH_PYARROW", 0)
    monkeypatch.setattr(jsonl, "PIECE", 5_000)
    text = "".join(f'{{"label": ["A"], "x": {{"key{k % keys}": 1}}}}\n' for k in range(400))
    quick, careful = both_ways(text.encode(), "jsonl", UPLOAD)
    assert (quick is not None) == quickly
    assert quick is None or outcome(lambda: quick) == careful


@pytest.mark.parametrize(
    ("quickly", "columns"),
    [
        (True, {"id": ["x", "y", "z"], "label": [["A", "B"], [], None]}),
        (True, {"id": [7, -1, 0], "label": [["A", "A"], ["é"], ["longer than 8"]]}),
        (True, {"text": ["some", None, ""], "labels": [["A"], ["B"], ["A", "C"]]}),
        (False, {"id": ["x", "y", "x"], "label": [["A"], ["B"], ["C"]]}),
        (False, {"id": ["x", "y", ""], "label": [["A"], ["B"], ["C"]]}),
        (False, {"id": ["x", "y", None], "label": [["A"], ["B"], ["C"]]}),
        (False, {"id": [True, False], "label": [["A"], ["B"]]}),
        (False, {"label": [["A", None], ["", "B"]]}),
        (False, {"label": [[1, 2], [3]]}),
        (False, {"label": [["A"], ["B" * 1001]]}),
        (False, {"label": ["A|B", ""]}),
        (False, {"level_1": ["A", "B"], "level_2": ["C", None]}),
    ],
)
def test_parquet_read_as_arrays_is_what_the_careful_reader_reads(quickly, columns):
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), out)
    quick, careful = both_ways(out.getvalue(), "parquet", UPLOAD)
    assert (quick is not None) == quickly
    assert quick is None or outcome(lambda: quick) == careful


ONES = np.array([[1, 1, 0], [0, 0, 0], [0, 1, 1]])


@pytest.mark.parametrize(
    ("quickly", "arrays"),
    [
        (True, {"labels": ONES, "classes": ["A", "B", "é"]}),
        (True, {"labels": ONES.astype(bool), "classes": [7, 8, 9], "ids": ["x", "y", "z"]}),
        (False, {"labels": ONES, "classes": ["A", "B", "C"], "ids": ["x", "y"]}),
        (False, {"labels": ONES, "classes": ["A", "B", "B"]}),
        (False, {"labels": ONES, "classes": ["A", "B", "C" * 1001]}),
        (False, {"labels": 2 * ONES, "classes": ["A", "B", "C"]}),
    ],
)
@pytest.mark.parametrize("dense", [True, False])
def test_matrices_read_as_arrays_are_what_the_careful_reader_reads(quickly, arrays, dense):
    out = io.BytesIO()
    if dense:
        np.savez(out, **arrays)
    else:
        sparse = csr_array(arrays["labels"])
        parts = {"data": sparse.data, "indices": sparse.indices, "indptr": sparse.indptr, "shape": sparse.shape}
        np.savez(out, **{k: v for k, v in arrays.items() if k != "labels"}, format=b"csr", **parts)
    quick, careful = both_ways(out.getvalue(), "npz", UPLOAD)
    assert (quick is not None) == quickly
    assert quick is None or outcome(lambda: quick) == careful


@given(data=mutated(lines_of(" ", 2, 2)), limits=st.sampled_from([UPLOAD, SMALL]))
@example(b"1 2\n1 3\n1 2\n", UPLOAD)
@example(b"1 2\n2 1\n", UPLOAD)
def test_hierarchies_of_numbers_read_as_arrays_are_what_the_careful_reader_reads(data, limits):
    text, source = data.decode("utf-8", "replace"), Source("h.txt")
    careful = outcome(lambda: hemkit._read_line_by_line(text, source, limits))
    assert outcome(lambda: hemkit.read(text, source, limits)) == careful


EDGE_HEADERS = ["", "", "parent child\n", "child,parent\n", "Child;Parent\n", "child\tparent\n", "# a b\n\n"]
EDGE_HEADERS += ["parent,child,weight\n", '"parent","child"\n', "parent\tchild\tclass_weight\n"]
EDGE_HEADERS += ["child,parent,class_weight\n", "parent,child,weight,class_weight\n"]
NAMES = ["A", "B", "12", "7", "longer than 8", "é", "a b", "#A", "x#y", "'=A", "C"]


@st.composite
def edges(draw):
    """Mostly ordinary edge lists, perhaps with a header, weights of edges or of classes, comments and quotes."""
    header, mark = draw(st.sampled_from(EDGE_HEADERS)), draw(st.sampled_from(" \t,;"))
    quoted, silent = draw(st.sampled_from([None, None, "", "ab"])), draw(st.sampled_from(["# A,B\tC", "", " \t#", " "]))
    mark = next((m for m in "\t,;" if m in header and m != mark), mark) if header else mark
    further = st.sampled_from([[], ["1"], ["1.5"], ["1e6"], ["2", "1"], [".5", "3"], ["x"], ["-1"], ["0"], ["nan"]])
    kept = draw(st.sampled_from([[], ["1"], None, None]))
    pair = st.lists(st.sampled_from(NAMES), min_size=2, max_size=2)
    lines = []
    for names in draw(st.lists(pair, min_size=1, max_size=7)):
        cells = [
            *draw(st.sampled_from([names, names, names, ["", names[1]]])),
            *(draw(further) if kept is None else kept),
        ]
        lines.append(mark.join(cells if quoted is None else [_in_quotes(cell, quoted) for cell in cells]))
        if draw(st.integers(0, 7)) == 0:
            lines.append(silent)
    return header + "\n".join(lines)


@given(data=mutated(edges()), limits=st.sampled_from([UPLOAD, SMALL]))
@example(b"child,parent\nA,B\nA, C\n", UPLOAD)
@example(b"A\tB b\nA\tC\n", UPLOAD)
@example(b"A B 2\nA C\nA B 1\n", UPLOAD)
@example(b"A B 2\nA C 2000001\n", UPLOAD)
@example(b'"A","B"\n"A","say ""C"""\n', UPLOAD)
@example(b'"A","B\nB"\n"A","C"\n', UPLOAD)
@example(b"# A,B\nA B\n\n #\nA C\n", UPLOAD)
@example(b"parent,child,class_weight\n,A,0\nA,B,1\nA,C,2\nB,C,2\n", UPLOAD)
@example(b"parent,child,class_weight\n,A,0\nA,B,1\nA,C,2\nB,C,2.0\n", UPLOAD)
@example(b"parent,child,class_weight\nA,B,1\n,D,5\n", UPLOAD)
@example(b"parent,child,weight,class_weight\nA,B,1,1\nA,C,.5,1\n,A,,5\n,D,,5\n", UPLOAD)
@example(b"parent child\nA\tlonger than 8", UPLOAD)
@example(b"parent,child\n", UPLOAD)
def test_edge_lists_read_as_arrays_are_what_the_careful_reader_reads(data, limits):
    text, source = data.decode("utf-8", "replace"), Source("h.csv")
    if not text.strip():
        return
    careful = outcome(lambda: edge_list._read_line_by_line(text, source, limits))
    assert outcome(lambda: edge_list.read(text, source, limits)) == careful


@pytest.mark.parametrize(
    "text",
    [
        "A B\nA C\n",
        "A\tB b\nA\tC\n",
        "A, B\nA, C",
        "child;parent\nB;A\nC;A\n",
        "# edges of A, B and C\n\nA\tB\nA\tC\n",
        "A\tx#B\nA\tx#C\n",
        "A B 0.5\nA C\n",
        "parent,child,weight\nA,B,2\nA,C,1\n",
        '"parent","child"\n"A","B, or ""B"""\n"A","C"\n',
        "parent,child,class_weight\n,A,0\nA,B,1.5\nA,C,2\nB,C,2\n",
        "child\tparent\tweight\tclass_weight\nB\tA\t1\t2\nC\tA\t2\t1\nA\t\t\t1\n",
    ],
)
def test_ordinary_edge_lists_are_read_as_arrays(text, monkeypatch):
    careful = outcome(lambda: edge_list._read_line_by_line(text, Source(""), UPLOAD))
    monkeypatch.setattr(edge_list, "_read_line_by_line", None)
    assert outcome(lambda: read_hierarchy_text(text, format="edges")) == careful


@given(data=mutated(lines_of("\t", 1, 4)), limits=st.sampled_from([UPLOAD, SMALL]))
@example(b"A\tB\tC\nB\tD\t\n", UPLOAD)
@example(b"# one\nA\tB\tC\n\nB\tD\n", UPLOAD)
@example(b"A\tB\tA\n", UPLOAD)
def test_taxonomy_lines_read_as_arrays_are_what_the_careful_reader_reads(data, limits):
    text, source = data.decode("utf-8", "replace"), Source("h.txt")
    careful = outcome(lambda: taxonomy._read_line_by_line(text, source, limits))
    assert outcome(lambda: taxonomy.read(text, source, limits)) == careful


def test_ordinary_taxonomy_lines_are_read_as_arrays(monkeypatch):
    monkeypatch.setattr(taxonomy, "_read_line_by_line", None)
    h = read_hierarchy_text("# one\nA\tB\tC c\nB\tD\n", format="taxonomy")
    assert h.edges == (("A", "B"), ("A", "C c"), ("B", "D"))


# --- the arrays as a sequence of sets -----------------------------------------------------------------------------

ROWS = LabelRows(("A", "B", "C"), np.array([0, 2, 2, 5]), np.array([1, 0, 2, 2, 1], np.int32))
SETS = (frozenset("AB"), frozenset(), frozenset("BC"))


def test_rows_are_a_sequence_of_sets():
    assert ROWS == SETS
    assert SETS == ROWS
    assert (list(ROWS), ROWS[-1], ROWS[1:], len(ROWS)) == (list(SETS), SETS[-1], SETS[1:], 3)
    assert hash(ROWS) == hash(SETS)
    with pytest.raises(IndexError):
        ROWS[3]


def test_rows_are_matched_by_id_as_sets_are():
    truth = LabelFile(("1", "2"), (frozenset("A"), frozenset("B")))
    aligned = [align(truth, LabelFile(("2", "3", "x"), labels)) for labels in (ROWS, SETS)]
    assert aligned[0].predicted == aligned[1].predicted == (frozenset(), SETS[0])


@pytest.mark.parametrize("known", ["ABC", "AB", "C", "X"])
def test_rows_are_encoded_as_sets_are(known):
    h = Hierarchy.from_edges([("root", name) for name in known])
    arrays, sets = (encode(h, labels, unknown="drop") for labels in (ROWS, SETS))
    assert (arrays.ptr.tolist(), arrays.idx.tolist()) == (sets.ptr.tolist(), sets.idx.tolist())
    assert arrays.unknown == sets.unknown
