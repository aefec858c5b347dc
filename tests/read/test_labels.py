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
from hiermeasures.read.labels import recognised
from tests.conftest import SAMPLES
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
    assert file.notes == ("1 blank line read as an instance without classes (first: line 2)",)
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
    assert message.startswith("g.txt: holds several sub-tasks (a, b)")
    assert "--task a" in message
    assert read("subtask_b\n1\tA\n").ids == ("1",)
    assert refusal("subtask_b\n1\tA\n", task="a") == "there is no sub-task 'a', only b"


def test_a_germeval_line_without_id_or_tab_is_named():
    assert refusal("subtask_a\n\tA\n") == "line 2: the id is missing"
    assert refusal("subtask_a\n12 Ratgeber\n").startswith(
        "line 2: an id and its classes are separated by tabs"
    )
    assert (
        refusal("1\tA\n", format="germeval")
        == "line 1: a GermEval file starts with a line such as subtask_a"
    )


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
    assert read("id,labels\nx,A|B\n").notes == ("several labels in one cell are separated by '|'",)
    assert read("x,A,B\ny,C\n").notes == ("there is no header; the first column is read as the id",)
    assert read("A,B\nA,C\n").notes == (
        "there is no header; every column is read as labels, none as an id",
    )
    assert read("id,author,label\nx,me,A\n").notes == (
        "labels are read from 'label'; not from 'author'",
    )


def test_columns_and_separators_can_be_said():
    text = "isbn,genre,topic\nx,A/B,Q\n"
    assert read(text, label_columns="genre", separator="/").labels == (AB,)
    assert read("A,B\nC,\n", has_ids=False).labels == (AB, C)
    assert read("A,B\nA,C\n", has_ids=True).labels == (frozenset({"B", "C"}),)
    assert refusal(text, label_columns="gener") == "unknown column 'gener'; nearest known: 'genre'"


def test_a_label_with_a_comma_stays_whole_in_a_column_per_level():
    file = read('id,level_1,level_2\nx,Sachbuch,"Natur, Wissenschaft, Technik"\n')
    assert file.labels == (frozenset({"Sachbuch", "Natur, Wissenschaft, Technik"}),)


def test_faults_of_a_table_are_named_by_line():
    assert (
        refusal("id,labels\nx,A\ny,B,C\n", name="t.csv")
        == "t.csv, line 3: 3 cells, but the header has 2"
    )
    assert refusal("id,labels\n,A\n") == "line 2: the id is missing"
    assert refusal('id,labels\nx,A\ny,"B\n').startswith("line 3: the cells cannot be told apart")
    assert (
        refusal("id,true,predicted\nx,A,B\n")
        == "several columns may hold the labels ('predicted', 'true'); say which"
    )
    assert refusal("id\nx\n", id_column="id") == "has no column with labels"
    assert refusal("id,labels\n") == "holds no instances"
    assert refusal('id,labels\nx,"[""A""]"\ny,"[1.5]"\n').startswith(
        "line 3: a list of names is expected"
    )


def test_formulas_that_were_made_safe_are_read_as_they_were():
    assert read("id,labels\n'=1,'@A|B\n") == LabelFile(
        ("=1",),
        (frozenset({"@A", "B"}),),
        ("several labels in one cell are separated by '|'",),
        "",
        "csv",
    )


# --- JSON lines ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        '{"id": "x", "label": ["A", "B"]}\n{"id": "y", "label": "C"}\n{"id": "z", "label": null}\n',
        '{"labels": ["A", "B"], "id": "x"}\n\n{"id": "y", "labels": ["C"]}\n{"id": "z", '
        '"labels": []}',
    ],
)
def test_json_lines_are_objects_with_an_id_and_labels(text):
    file = read(text)
    assert (file.format, file.ids, file.labels) == ("jsonl", ("x", "y", "z"), (AB, C, NONE))


def test_json_lines_need_no_ids_and_may_be_bare_lists():
    assert read('{"label": ["A", "B"]}\n{"label": []}\n') == LabelFile(
        None, (AB, NONE), (), "", "jsonl"
    )
    assert read('["A", "B"]\n[7]\n').labels == (AB, frozenset({"7"}))


def test_faults_of_json_lines_are_named_by_line():
    assert refusal('{"label": ["A"]}\n{"label": ["B"', name="x.jsonl").startswith(
        "x.jsonl, line 2: not JSON: "
    )
    assert (
        refusal('{"id": 1, "label": ["A"]}\n{"label": ["A"]}\n') == "line 2: the object has no 'id'"
    )
    assert refusal('{"label": [["A"]]}').startswith("line 1: a class is named by text, not by list")
    assert refusal('{"id": {}, "label": []}').startswith("line 1: an id is text or a whole number")
    assert refusal('{"label": ' + "[" * 100_000).startswith(
        "line 1: not JSON that can be read here: it nests too deep"
    )
    assert refusal('{"label": ["\\udc00"]}').endswith(
        "holds half a surrogate pair, which is not a character"
    )


# --- Parquet ------------------------------------------------------------------------------------


def parquet_bytes(**columns):
    arrow = pytest.importorskip("pyarrow")
    import pyarrow.parquet

    out = io.BytesIO()
    pyarrow.parquet.write_table(arrow.table(columns), out)
    return out.getvalue()


def test_a_truncated_parquet_file_is_called_damaged():
    data = parquet_bytes(id=["x"] * 1000, label=[["A"]] * 1000)
    for cut in (4, 100, len(data) - 5):
        assert "cut short or damaged" in refusal(data[:cut], name="p.parquet")


def test_parquet_without_usable_types_names_the_row():
    assert refusal(parquet_bytes(id=[1, 2], label=[[1.5], [2.5]])).startswith(
        "row 1: a class is named by text"
    )
    assert (
        refusal(parquet_bytes(id=[1.5], label=[["A"]])) == "row 1: an id is text or a whole number"
    )


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


def test_faults_of_a_matrix_are_named():
    assert "needs the names of its columns" in refusal(npy(MATRIX))
    assert (
        refusal(npy(MATRIX), classes=["A"])
        == "the matrix has 3 columns, but there are 1 class names"
    )
    assert (
        refusal(npy(MATRIX * 0.5), classes="ABC")
        == "an indicator matrix holds 0 and 1, but here, row 1, is 0.5"
    )
    assert "one array of rows and columns" in refusal(npy(MATRIX[0]), classes="ABC")
    assert "cut short or damaged" in refusal(npy(MATRIX)[:-4], classes="ABC")
    assert "cut short or damaged" in refusal(npz(y=MATRIX)[:-30], classes="ABC")
    assert "2 ids" in refusal(npz(y=MATRIX, ids=np.array(["a", "b"])), classes="ABC")
    bad = sparse_arrays(indices=np.array([9]))
    assert "a damaged sparse matrix" in refusal(npz(**bad), classes="ABC")


def test_pickled_objects_are_never_loaded():
    assert "which are not read" in refusal(npy(np.array([["A"], ["B"]], dtype=object)))
    assert "which are not read" in refusal(
        npz(y=MATRIX, classes=np.array(["A", "B", "C"], dtype=object))
    )


def test_an_array_that_says_it_is_enormous_is_refused_before_it_is_made():
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "|i1", "fortran_order": False, "shape": (10**6, 10**6)}
    )
    assert "unpacks to 5 TB; up to 500 MB are read" in refusal(
        header.getvalue() + b"\1\2", classes="ABC"
    )


# --- what every format shares -------------------------------------------------------------------


def test_the_same_id_on_several_lines_is_joined_with_a_note():
    file = read("id,labels\nx,A\ny,C\nx,B\n")
    assert (file.ids, file.labels) == (("x", "y"), (AB, C))
    assert file.notes == ("1 id stands on several lines ('x'); their classes are joined",)


def test_line_ends_byte_order_marks_and_blank_lines_are_noted():
    file = read("\ufeffsubtask_a\r\n1\tA\r\n\r\n2\tB\r\n")
    assert file.labels == (frozenset("A"), frozenset("B"))
    assert file.notes == (
        "a byte-order mark at the start is ignored",
        "the lines end as on Windows (CR LF)",
        "1 blank line skipped (first: line 3)",
    )


def test_wrong_encodings_and_binary_files_are_refused_with_the_place():
    assert refusal("A\nBücher\n".encode("latin-1"), name="x.txt") == (
        "x.txt, line 2: not UTF-8 text: byte 0xFC at position 3; save it as UTF-8"
    )
    assert refusal("A\n".encode("utf-16")) == "this is UTF-16 text; save it as UTF-8"
    assert (
        refusal(b"A\nB\0\n") == "line 2: holds a NUL byte at position 3, so it is not a text file"
    )


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


def test_long_names_and_large_uploads_are_refused():
    assert refusal("A\n" + "x" * 10_000).startswith("line 2: a class name of 10,000 characters")
    assert refusal(b"A\n" * 11_000_000) == "larger than 20 MB, which is the most that is read here"
    assert (
        refusal("A\nB\nC\n", limits=Limits(bytes=100, lines=2))
        == "has more than 2 lines, which is the most that is read here"
    )


def test_a_task_for_a_format_without_sub_tasks_is_noted():
    assert read("A\n", task="b").notes == (
        "there are no sub-tasks in this format, so task b is not looked for",
    )


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


@pytest.mark.parametrize(
    ("head", "name", "key"),
    [
        (b"1 2\n\n3", "x.txt", "hemkit"),
        (b"subtask_b\n1\tA", "x.csv", "germeval"),
        (b"PAR1", "x.csv", "parquet"),
        (b"id,label\n", "", "csv"),
        (b"id\tlabel\n", "", "tsv"),
        (b'{"label": []}', "", "jsonl"),
        (b"PK\x03\x04", "", "npz"),
        (b"\x93NUMPY", "", "npy"),
        (b"labels\nA\n", "", "csv"),
        (b"A,B\nC,\n", "", "csv"),
        (b"\xef\xbb\xbfsubtask_a\r\n", "", "germeval"),
        (b"A\nB\n", "x.csv", "csv"),
        (b"A B,C\nD\nE\n", "", "hemkit"),
    ],
)
def test_the_format_is_recognised(head, name, key):
    assert recognised(head, name) == key


# --- matching -----------------------------------------------------------------------------------


def with_ids(name="", **labels):
    return LabelFile(tuple(labels), tuple(frozenset(value) for value in labels.values()), name=name)


def test_predictions_are_matched_by_id_in_the_order_of_the_truth():
    matched = align(with_ids(x="A", y="B", z="C"), with_ids(z="C", x="B", w="D", name="p.txt"))
    assert matched.ids == ("x", "y", "z")
    assert matched.predicted == (frozenset("B"), NONE, frozenset("C"))
    assert (matched.missing, matched.extra) == (("y",), ("w",))
    assert matched.notes == (
        "p.txt: 1 instance without a prediction ('y'), taken as empty",
        "p.txt: 1 prediction for unknown ids ('w'), left out",
    )


def test_missing_ids_can_be_made_to_fail():
    many = with_ids(**{f"i{k}": "A" for k in range(10)})
    with pytest.raises(
        InputError,
        match=r"^p.txt: 9 instances without a prediction \('i1', 'i2', 'i3' and 6 more\)$",
    ):
        align(many, with_ids(i0="A", name="p.txt"), missing="fail")


def test_files_without_a_common_id_are_refused():
    with pytest.raises(InputError, match=r"none of its ids occurs in t.txt"):
        align(with_ids(x="A", name="t.txt"), with_ids(y="A", name="p.txt"))


def test_without_ids_the_numbers_of_lines_must_agree():
    truth, prediction = (
        LabelFile(None, (AB, C, NONE), name="t.txt"),
        LabelFile(None, (AB, C), name="p.txt"),
    )
    with pytest.raises(
        InputError,
        match=r"^p.txt has 2 instances and t.txt has 3; without ids in both they must agree$",
    ):
        align(truth, prediction)
    assert align(truth, truth).predicted == truth.labels


def test_ids_on_one_side_only_are_matched_by_line_with_a_note():
    matched = align(with_ids(x="A", y="B", name="t.csv"), LabelFile(None, (AB, C), name="p.txt"))
    assert matched.ids == ("x", "y")
    assert matched.notes == ("only t.csv has ids, so instances are matched line by line",)


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


def germeval_files(folder):
    return [folder / "blurbs_test_label.txt", *sorted((folder / "submissions").glob("*.txt"))]


def test_the_germeval_labels_and_submissions_load(data):
    h = read_hierarchy(data / "germeval2019/hierarchy.txt")
    files = germeval_files(data / "germeval2019")
    assert len(files) == (3 if data == SAMPLES else 9)
    for path in files:
        for task, expected in plain_sections(path).items():
            file = read_labels(path, task=task)
            assert dict(zip(file.ids, file.labels, strict=True)) == expected
            assert file.notes == ()
            assert all(label in h for labels in file.labels for label in labels)


@pytest.mark.parametrize("name", ["hwv/hwv_test_labels.jsonl", "hwv/hwv_val_labels.jsonl"])
def test_the_wikivitals_labels_load_and_are_classes_of_their_taxonomy(data, name):
    path = data / name
    expected = tuple(
        frozenset(json.loads(line)["label"])
        for line in path.read_text(encoding="utf-8").splitlines()
    )
    file = read_labels(path)
    assert (file.ids, file.labels) == (None, expected)
    h = read_hierarchy(data / "hwv/hwv.taxonomy")
    assert all(label in h for labels in file.labels for label in labels)


@pytest.mark.parametrize("shape", ["(f(),)", "(x,)", "(1 .y,)", "[z for z in 1]"])
def test_a_damaged_header_is_told_without_an_address_of_memory(shape):
    messages = []
    for _ in range(2):
        with pytest.raises(InputError) as refused:
            read(zeros(3, shape=shape))
        messages.append(str(refused.value))
    assert "0x" not in messages[0]
    assert messages[0] == messages[1]


def test_two_objects_on_a_line_are_refused_though_the_next_line_is_blank():
    text = (
        '{"id": "1", "label": ["A"]}\n{"id": "2", "label": ["B"]} {"id": "3", "label": ["C"]}\n\n'
    )
    with pytest.raises(InputError, match="line 2: not JSON"):
        read_labels(text.encode(), format="jsonl", name="l.jsonl")


def test_an_empty_id_of_json_lines_is_refused_wherever_it_stands():
    text = '{"id": "1", "label": ["A"]}\n{"id": "", "label": ["B"]}\n'
    with pytest.raises(InputError, match="line 2: an id is text or a whole number"):
        read_labels(text.encode(), format="jsonl", name="l.jsonl")


def test_class_names_of_a_matrix_are_bounded_and_may_be_given_twice():
    matrix = npz(labels=np.eye(2, dtype=int))
    assert list(read_labels(matrix, "npz", classes=["A", "A"]).labels) == [{"A"}, {"A"}]
    with pytest.raises(InputError, match="a class name of 20,000 characters"):
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


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "1", "label": ["A"]}, {"id": "2", "label": "B"}]',
        '[\n {"id": "1", "label": ["A"]},\n {"id": "2", "label": ["B"]}\n]\n',
    ],
)
def test_an_array_of_objects_is_its_objects(text):
    file = read_labels(text.encode(), name="labels.json")
    assert (list(file.ids), list(map(set, file.labels))) == (["1", "2"], [{"A"}, {"B"}])


def test_an_array_that_is_damaged_or_holds_other_things_is_refused():
    for text in (b'[{"id": "1", "label": ["A"]}, 7]', b'[{"id": "1", "label"'):
        with pytest.raises(InputError, match=r"objects alone|not JSON"):
            read_labels(text, name="labels.json")
