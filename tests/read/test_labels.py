"""Label files: every format read and written, recognised by its content, matched by id, and refused
with the line and the reason.
"""

import io
import json
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from hiermeasures import InputError
from hiermeasures.read import (
    LABEL_FORMATS,
    LabelFile,
    Limits,
    align,
    iter_labels,
    read_hierarchy,
    read_labels,
    write_labels,
)
from tests.read.bombs import zeros
from tests.read.names import NASTY, names

AB, C, NONE = frozenset({"A", "B"}), frozenset({"C"}), frozenset()


def refusal(data, **options):
    with pytest.raises(InputError) as raised:
        read_labels(data.encode() if isinstance(data, str) else data, **options)
    message = str(raised.value)
    assert "\n" not in message
    return message


def read(text, **options):
    return read_labels(text.encode() if isinstance(text, str) else text, **options)


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def npz(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


# --- HEMKit -------------------------------------------------------------------------------------


def test_a_hemkit_file_is_a_line_per_instance_and_a_blank_line_is_an_empty_set():
    file = read("A B\n\nC\n")
    assert (file.format, file.ids, file.labels) == ("hemkit", None, (AB, NONE, C))
    assert "line 2" in file.notes[0]
    # the last line end is none
    assert [len(read(text)) for text in ("A\nB", "A\nB\n", "A\nB\n\n")] == [2, 2, 3]


# --- GermEval -----------------------------------------------------------------------------------

GERMEVAL = "subtask_a\n1\tA\tB\t\n2\t\nsubtask_b\n1\tA\tC & D\n"


def test_a_germeval_file_is_read_by_sub_task():
    a, b = read(GERMEVAL, task="a"), read(GERMEVAL, task="subtask_b")
    assert (a.ids, a.labels) == (("1", "2"), (AB, NONE))
    assert (b.ids, b.labels) == (("1",), (frozenset({"A", "C & D"}),))


def test_a_germeval_file_with_two_sub_tasks_needs_to_be_told_which():
    message = refusal(GERMEVAL, name="g.txt")
    assert message.startswith("g.txt: ")
    assert "--task a" in message
    assert read("subtask_b\n1\tA\n").ids == ("1",)
    assert "'a'" in refusal("subtask_b\n1\tA\n", task="a")
    assert "task b" in read("A\n", task="b").notes[0]


# --- tables -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "id,labels\nx,A|B\ny,C\nz,\n",
        "id,labels\nx,A;B\ny,C\nz,\n",
        'id,labels\nx,"A,B"\ny,C\nz,\n',
        'id;labels\nx;"A, B"\ny;C\nz;\n',
        "id\tlabels\nx\tA|B\ny\tC\nz\t\n",
        'id,labels\nx,"[""A"", ""B""]"\ny,"[""C""]"\nz,[]\n',
        "id,labels\nx,\"['A', 'B']\"\ny,['C']\nz,[]\n",
        "ID,Level 1,Level 2\nx,A,B\ny,C,\nz,,\n",
        "doc_id,label_1,label_2\nx,A,B\ny,,C\nz,,\n",
        "labels,id\nA|B,x\nC,y\n,z\n",
        ",labels\nx,A|B\ny,C\nz,\n",
        "x,A,B\ny,C\nz,\n",
        "x\tA\tB\ny\tC\nz\t\n",
        '\ufeffid,text,labels\r\nx,"a ""long"",\r\ntext",A|B\r\ny,t,C\r\nz,t,\r\n',
    ],
)
def test_a_table_is_read_however_it_is_laid_out(text):
    file = read(text)
    assert (file.ids, file.labels) == (("x", "y", "z"), (AB, C, NONE))


@pytest.mark.parametrize(
    "text",
    [
        "labels\nA|B\nC\n\n",
        "level_1,level_2\nA,B\nC,\n,\n",
        "A,B\nC,\n,\nA,B\n",
        "labels\nA;B\nC\n\n",
    ],
)
def test_a_table_without_ids_has_an_instance_per_row(text):
    file = read(text)
    assert file.ids is None
    assert file.labels[:3] == (AB, C, NONE)


def test_numbers_between_blanks_are_several_labels_but_words_are_one():
    assert read("id,labels\nx,12 7\ny,3\n").labels == (frozenset({"12", "7"}), frozenset({"3"}))
    assert read("id,label\nx,Sci Fi\ny,Fantasy\n").labels == (
        frozenset({"Sci Fi"}),
        frozenset({"Fantasy"}),
    )


def test_what_a_reader_decides_stands_in_its_notes():
    for text, words in (
        ("id,labels\nx,A|B\n", "'|'"),
        ("x,A,B\ny,C\n", "header first id"),
        ("A,B\nA,C\n", "header label"),
        ("id,author,label\nx,me,A\n", "'label' 'author'"),
        ("id,labels\nx,A\ny,C\nx,B\n", "1 'x' joined"),
    ):
        (note,) = read(text).notes
        assert all(word in note for word in words.split())


def test_columns_and_separators_can_be_said():
    text = "isbn,genre,topic\nx,A/B,Q\n"
    assert read(text, label_columns="genre", separator="/").labels == (AB,)
    assert read("A,B\nC,\n", has_ids=False).labels == (AB, C)
    assert read("A,B\nA,C\n", has_ids=True).labels == (frozenset({"B", "C"}),)
    assert "'genre'" in refusal(text, label_columns="gener")


# --- JSON lines ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ids", "labels"),
    [
        (
            '{"id": "x", "label": ["A", "B"]}\n{"id": "y", "label": "C"}\n{"id": "z", "label": null}\n',
            "xyz",
            (AB, C, NONE),
        ),
        ('{"labels": ["A", "B"], "id": "x"}\n\n{"id": "z", "labels": []}', "xz", (AB, NONE)),
        ('{"label": ["A", "B"]}\n{"label": []}\n', None, (AB, NONE)),
        ('["A", "B"]\n[7]\n', None, (AB, frozenset({"7"}))),
    ],
)
def test_json_lines_are_objects_with_labels_or_lists(text, ids, labels):
    file = read(text)
    assert (file.format, file.ids, file.labels) == ("jsonl", ids and tuple(ids), labels)


# --- Parquet ------------------------------------------------------------------------------------


def parquet_bytes(**columns):
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    out = io.BytesIO()
    pyarrow.parquet.write_table(arrow.table(columns), out)
    return out.getvalue()


# --- indicator matrices -------------------------------------------------------------------------

MATRIX = np.array([[1, 1, 0], [0, 0, 1], [0, 0, 0]])


@pytest.mark.parametrize("kind", [bool, np.int8, np.int64, float])
def test_a_dense_matrix_is_read_with_the_names_of_its_columns(kind):
    assert read(npy(MATRIX.astype(kind)), classes=["A", "B", "C"]).labels == (AB, C, NONE)
    file = read(
        npz(y=MATRIX.astype(kind), classes=np.array(["A", "B", "C"]), ids=np.array([5, 6, 7]))
    )
    assert (file.ids, file.labels) == (("5", "6", "7"), (AB, C, NONE))


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr"])
def test_a_sparse_matrix_is_read_as_scipy_saves_it(kind):
    out = io.BytesIO()
    sparse.save_npz(out, sparse.coo_array(MATRIX).asformat(kind))
    assert read(out.getvalue(), classes=["A", "B", "C"]).labels == (AB, C, NONE)


def sparse_arrays(**changes):
    """One instance with the second of three classes, as scipy saves it, with changes."""
    arrays = {"data": np.ones(1), "indices": np.array([1]), "indptr": np.array([0, 1])}
    return {"format": np.array(b"csr"), "shape": np.array([1, 3]), **arrays, **changes}


def test_what_is_written_as_npz_scipy_reads():
    out = io.BytesIO()
    write_labels([AB, C, NONE], out, "npz")
    out.seek(0)
    assert (sparse.load_npz(out).toarray() == MATRIX).all()


def test_an_array_that_says_it_is_enormous_is_refused_before_it_is_made():
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "|i1", "fortran_order": False, "shape": (10**6, 10**6)}
    )
    assert "5 TB, but the limit is 500 MB" in refusal(header.getvalue() + b"\1\2", classes="ABC")


# --- what every format shares -------------------------------------------------------------------


def test_the_classes_of_an_id_on_several_lines_are_joined():
    file = read("id,labels\nx,A\ny,C\nx,B\n")
    assert (file.ids, file.labels) == (("x", "y"), (AB, C))


def damaged_parquet():
    data = parquet_bytes(id=["x"] * 1000, label=[["A"]] * 1000)
    return [data[:cut] for cut in (4, 100, len(data) - 5)]


ABC, OBJECTS = {"classes": "ABC"}, np.array(["A", "B", "C"], dtype=object)
TIGHT = {"limits": Limits(bytes=100, lines=2)}
REFUSED = [  # a file, the line with the fault (0: none is named), words about it, how it is read
    ("subtask_a\n\tA\n", 2, "id", {}),
    ("subtask_a\n12 Ratgeber\n", 2, "tabs", {}),
    ("1\tA\n", 1, "subtask_a", {"format": "germeval"}),
    ("id,labels\nx,A\ny,B,C\n", 3, "3 2", {}),
    ("id,labels\n,A\n", 2, "id", {}),
    ('id,labels\nx,A\ny,"B\n', 3, "cells", {}),
    ("id,true,predicted\nx,A,B\n", 0, "'predicted' 'true'", {}),
    ("id\nx\n", 0, "labels", {"id_column": "id"}),
    ("id,labels\n", 0, "instances", {}),
    ('id,labels\nx,"[""A""]"\ny,"[1.5]"\n', 3, "list", {}),
    ('{"label": ["A"]}\n{"label": ["B"', 2, "JSON", {}),
    ('{"id": 1, "label": ["A"]}\n{"label": ["A"]}\n', 2, "'id'", {}),
    ('{"id": "1", "label": ["A"]}\n{"id": "", "label": ["B"]}\n', 2, "id", {}),
    ('{"label": ["A"]}\n{"label": ["B"]} {"label": ["C"]}\n\n', 2, "JSON", {"format": "jsonl"}),
    ('{"label": [["A"]]}', 1, "list", {}),
    ('{"id": {}, "label": []}', 1, "id", {}),
    ('{"label": ' + "[" * 100_000, 1, "deep", {}),
    ('{"label": ["\\udc00"]}', 1, "surrogate", {}),
    ('[{"id": "1", "label": ["A"]}, 7]', 0, "objects", {}),
    ('[{"id": "1", "label"', 2, "JSON", {}),
    (parquet_bytes(id=[1, 2], label=[[1.5], [2.5]]), 0, "row 1 text", {}),
    (parquet_bytes(id=[1.5], label=[["A"]]), 0, "row 1 id", {}),
    *((data, 0, "damaged", {}) for data in damaged_parquet()),
    (npy(MATRIX), 0, "names", {}),
    (npy(MATRIX), 0, "3 1", {"classes": ["A"]}),
    (npy(MATRIX * 0.5), 0, "row 1 0.5", ABC),
    (npy(MATRIX[0]), 0, "rows columns", ABC),
    (npy(MATRIX)[:-4], 0, "damaged", ABC),
    (npz(y=MATRIX)[:-30], 0, "damaged", ABC),
    (npz(y=MATRIX, ids=np.array(["a", "b"])), 0, "2 ids", ABC),
    (npz(**sparse_arrays(indices=np.array([9]))), 0, "damaged", ABC),
    (npy(OBJECTS.reshape(3, 1)), 0, "not read", {}),  # pickled
    (npz(y=MATRIX, classes=OBJECTS), 0, "not read", {}),
    ("A\nBücher\n".encode("latin-1"), 2, "0xFC position 3", {}),
    ("A\n".encode("utf-16"), 0, "UTF-16", {}),
    (b"A\nB\0\n", 2, "NUL position 3", {}),
    ("A\n" + "x" * 10_000, 2, "10,000 characters", {}),
    (b"A\n" * 11_000_000, 0, "20 MB", {}),
    ("A\nB\nC\n", 0, "2 lines", TIGHT),
]


@pytest.mark.parametrize(
    ("data", "line", "words", "how"), REFUSED, ids=lambda value: str(value)[:30]
)
def test_a_fault_is_named_with_its_file_and_line(data, line, words, how):
    message = refusal(data, name="l.x", **how)
    assert message.startswith(f"l.x, line {line}: " if line else "l.x")
    assert all(word in message for word in words.split())


@pytest.mark.parametrize("key", LABEL_FORMATS)
@pytest.mark.parametrize(
    "data",
    [
        b"\n",
        b"x",
        b"{",
        b"\xff\xff",
        b"PAR1",
        b"PK\x03\x04",
        b"\x93NUMPY",
        b'"',
        b"[",
        b"subtask_a\n",
        b"id,label",
    ],
)
def test_every_reader_meets_nonsense_with_one_plain_line(key, data):
    message = ""
    try:
        read_labels(data, format=key)
    except InputError as error:
        message = str(error)
    assert "\n" not in message


@pytest.mark.parametrize("key", ["labels", "\\ud800"])
def test_json_lines_of_a_megabyte_may_have_a_key_that_is_no_proper_text(key):
    line = f'{{"id": %d, "{key}": ["A", "B"], "\\ud800x": 1}}\n'
    file = read("".join(line % k for k in range(30_000)), label_columns=json.loads(f'"{key}"'))
    assert (len(file), file.labels[-1], file.ids[-1]) == (30_000, AB, "29999")


@pytest.mark.slow
def test_a_file_can_be_read_one_instance_at_a_time_in_bounded_memory(tmp_path):
    path = tmp_path / "many.txt"
    path.write_text("".join(f"{k % 50} {k % 7}\n" for k in range(200_000)))
    tracemalloc.start()
    count = sum(1 for _ in iter_labels(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 200_000
    assert peak < 2_000_000


# --- matching -----------------------------------------------------------------------------------


def with_ids(name="", **labels):
    return LabelFile(tuple(labels), tuple(frozenset(value) for value in labels.values()), name=name)


def test_predictions_are_matched_by_id_in_the_order_of_the_truth():
    matched = align(with_ids(x="A", y="B", z="C"), with_ids(z="C", x="B", w="D", name="p.txt"))
    assert matched.ids == ("x", "y", "z")
    assert matched.predicted == (frozenset("B"), NONE, frozenset("C"))
    assert (matched.missing, matched.extra) == (("y",), ("w",))
    assert ["1" in n and f"'{i}'" in n for n, i in zip(matched.notes, "yw", strict=True)] == [
        True
    ] * 2


def test_files_that_cannot_be_matched_are_refused():
    many, three = with_ids(**{f"i{k}": "A" for k in range(10)}), LabelFile(None, (AB, C, NONE))
    for truth, predicted, missing, reason in (
        (many, with_ids(i0="A", name="p.txt"), "fail", r"p\.txt: 9 .*'i1', 'i2', 'i3'"),
        (with_ids(x="A", name="t.txt"), with_ids(y="A", name="p.txt"), "empty", r"p\.txt.* t\.txt"),
        (three, LabelFile(None, (AB, C), name="p.txt"), "empty", r"p\.txt.* 2 .* 3"),
    ):
        with pytest.raises(InputError, match=reason):
            align(truth, predicted, missing=missing)
    assert align(three, three).predicted == three.labels


def test_ids_on_one_side_only_are_matched_by_line_with_a_note():
    matched = align(with_ids(x="A", y="B", name="t.csv"), LabelFile(None, (AB, C), name="p.txt"))
    assert matched.ids == ("x", "y")
    assert "t.csv" in matched.notes[0]


# --- writing, and reading what was written ------------------------------------------------------


@st.composite
def label_files(draw, name=names):
    sets = tuple(draw(st.lists(st.frozensets(name, max_size=3), min_size=1, max_size=6)))
    ids = draw(
        st.one_of(st.none(), st.lists(name, min_size=len(sets), max_size=len(sets), unique=True))
    )
    return LabelFile(tuple(ids) if ids is not None else None, sets)


@pytest.mark.parametrize("key", [key for key, f in LABEL_FORMATS.items() if f.writable])
@given(file=label_files())
def test_what_is_written_reads_back_the_same_or_is_refused(key, file):
    out = io.BytesIO()
    try:
        write_labels(file, out, key)
    except InputError:
        return
    again = read_labels(out.getvalue(), format=key)
    assert again.labels == file.labels
    assert again.ids == (file.ids if key != "hemkit" else None)


@pytest.mark.parametrize("key", [key for key, f in LABEL_FORMATS.items() if f.writable])
@given(file=label_files(st.integers(0, 99).map("c{}".format)))
def test_every_format_holds_plain_labels_and_is_recognised(key, file):
    if key == "germeval" and file.ids is None:
        return
    out = io.BytesIO()
    write_labels(file, out, key)
    again = read_labels(out.getvalue(), name="x" + LABEL_FORMATS[key].extensions[0])
    assert again.labels == file.labels
    assert again.format == key


@pytest.mark.parametrize("key", ["csv", "jsonl", "parquet", "npz"])
def test_these_formats_hold_every_nasty_label(key):
    out = io.BytesIO()
    write_labels([NASTY, []], out, key, ids=["=x", "<b>"])
    again = read_labels(out.getvalue())
    assert again.ids == ("=x", "<b>")
    assert again.labels == (frozenset(NASTY), NONE)


# --- real files ---------------------------------------------------------------------------------


def plain_sections(path):
    """Return the sections of a GermEval file, read by a plain loop."""
    sections, current = {}, {}
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.startswith("subtask_"):
            current = sections[line[-1]] = {}
        elif line:
            key, *labels = line.split("\t")
            current[key] = frozenset(labels) - {""}
    return sections


def test_the_germeval_labels_and_submissions_load(data):
    folder = data / "germeval2019"
    h = read_hierarchy(folder / "hierarchy.txt")
    files = [folder / "blurbs_test_label.txt", *sorted((folder / "submissions").glob("*.txt"))]
    assert len(files) > 2
    for path in files:
        for task, expected in plain_sections(path).items():
            file = read_labels(path, task=task)
            assert dict(zip(file.ids, file.labels, strict=True)) == expected
            assert file.notes == ()
            assert all(label in h for labels in file.labels for label in labels)


@pytest.mark.parametrize("part", ["test", "val"])
def test_the_wikivitals_labels_load(data, part):
    path = data / f"hwv/hwv_{part}_labels.jsonl"
    lines = path.read_text("utf-8").splitlines()
    file = read_labels(path)
    expected = tuple(frozenset(json.loads(line)["label"]) for line in lines)
    assert (file.ids, file.labels) == (None, expected)


@pytest.mark.parametrize("shape", ["(f(),)", "(x,)", "(1 .y,)", "[z for z in 1]"])
def test_a_damaged_header_is_told_without_an_address_of_memory(shape):
    messages = []
    for _ in range(2):
        with pytest.raises(InputError) as refused:
            read(zeros(3, shape=shape))
        messages.append(str(refused.value))
    assert "0x" not in messages[0]
    assert messages[0] == messages[1]


def test_class_names_of_a_matrix_are_bounded_and_may_be_given_twice():
    matrix = npz(labels=np.eye(2, dtype=int))
    assert list(read_labels(matrix, "npz", classes=["A", "A"]).labels) == [{"A"}, {"A"}]
    with pytest.raises(InputError, match="20,000 characters"):
        read_labels(matrix, "npz", classes=["A", "B" * 20_000])


HEADLESS = [
    "LABEL_0\nLABEL_1\nLABEL_2\n",
    "class1\nclass2\nclass1\n",
    "L1\nL2\n",
    "level 2\nlevel 3\n",
    "true\nfalse\ntrue\n",
]


@pytest.mark.parametrize("text", HEADLESS)
@pytest.mark.parametrize("name", ["t.txt", "t.csv", "t.tsv"])
def test_a_first_class_that_looks_like_a_column_name_is_an_instance(text, name):
    assert [sorted(labels)[0].split()[0] for labels in read(text, name=name).labels] == [
        line.split()[0] for line in text.splitlines()
    ]


@pytest.mark.parametrize(
    "word", ["y", "gold", "code", "tag", "true", "LABEL_0", "class1", "level 2", "id"]
)
def test_a_word_that_can_be_a_column_or_a_class_is_refused_unless_the_hierarchy_decides(word):
    text = f"{word}\nA\nB\n"
    assert "line 1" in refusal(text)
    assert word in refusal(text)
    assert len(read(text, known_classes={word, "A", "B"})) == 3
    if word != "id":
        assert len(read(text, known_classes={"A", "B"})) == 2


@pytest.mark.parametrize(
    "header", ["label", "labels", "class", "category", "true_label", "y_true", "prediction"]
)
def test_a_plain_column_name_is_a_header_unless_it_is_a_class(header):
    assert len(read(f"{header}\nA\nB\n")) == 2
    assert len(read(f"{header}\nA\n{header}\n")) == 3
    assert len(read(f"{header}\nA\nB\n", known_classes={header, "A", "B"})) == 3


def test_numbered_classes_beside_ids_keep_their_ids():
    true, predicted = "0,LABEL_0\n1,LABEL_1\n2,LABEL_2\n", "2,LABEL_2\n0,LABEL_1\n1,LABEL_1\n"
    aligned = align(read(true), read(predicted))
    assert aligned.ids == ("0", "1", "2")
    assert sum(a == b for a, b in zip(aligned.true, aligned.predicted, strict=True)) == 2


def test_a_first_column_of_classes_is_not_taken_for_ids():
    assert read("A,B\nB,C\n").ids == ("A", "B")
    assert "label_1,label_2" in refusal("A,B\nB,C\n", known_classes=set("ABC"))


def test_an_unknown_option_is_refused_with_the_nearest():
    assert "'id_column'" in refusal("A\n", id_colum="x")
