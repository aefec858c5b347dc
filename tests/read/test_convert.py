"""Converting files: what they hold is found out, and what comes out says the same."""

import pytest

from hiermeasures import Hierarchy, InputError
from hiermeasures.read import convert, read_hierarchy, read_labels

H = Hierarchy.from_edges([("1", "2"), ("1", "3"), ("2", "4"), ("3", "4")])


def written(folder, name, text):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_what_was_read_is_written_in_the_format_of_the_extension(tmp_path):
    done = convert(written(tmp_path, "edges.txt", "1 2\n1 3\n2 4\n3 4\n"), tmp_path / "h.obo")
    assert (done.kind, done.count, read_hierarchy(tmp_path / "h.obo")) == ("hierarchy", 4, H)
    done = convert(written(tmp_path, "labels.csv", "id,labels\nx,A|B\ny,\n"), tmp_path / "l.jsonl")
    file = read_labels(tmp_path / "l.jsonl")
    assert (done.kind, done.count) == ("labels", 2)
    assert (file.ids, file.labels) == (("x", "y"), (frozenset("AB"), frozenset()))


@pytest.mark.parametrize(
    ("name", "text", "target", "kind"),
    [
        ("x.txt", "1 2\n2 3\n", "y.csv", "hierarchy"),
        ("x.txt", "1 2\n2 3\n", "y.jsonl", "labels"),
        ("x.txt", "1 2 3 4\n2 3\n", "y.csv", "labels"),
        ("x.txt", "1 2\n2 1\n", "y.csv", "labels"),
        ("x.csv", "CHILD,PARENT\nb,a\n", "y.tsv", "hierarchy"),
        ("x.csv", "id,parent\nb,a\n", "y.tsv", "hierarchy"),
        ("x.csv", "id,label\nb,a\n", "y.tsv", "labels"),
        ("x.txt", '{"label": ["A"]}\n{"label": []}\n', "y.csv", "labels"),
        ("x.json", '{"A": ["B"]}', "y.csv", "hierarchy"),
        ("x.txt", '{"A": ["B"],\n "C": ["D"]}', "y.csv", "hierarchy"),
        ("x.jsonl", '{"label": ["A"]}', "y.csv", "labels"),
        ("x.txt", "subtask_a\n1\tA\n", "y.csv", "labels"),
    ],
)
def test_what_a_file_holds_is_found_out(tmp_path, name, text, target, kind):
    assert convert(written(tmp_path, name, text), tmp_path / target).kind == kind


def test_losing_ids_is_noted(tmp_path):
    done = convert(
        written(tmp_path, "x.csv", "id,label\nb,a\n"), tmp_path / "y.hemkit", kind="labels"
    )
    (note,) = done.notes
    assert note.startswith("ids are left out")


def test_bad_input_leaves_no_file(tmp_path):
    for text, target in (
        ("", "y.csv"),
        ("A B\nB A\n", "y.obo"),
        ("A B\n", "y.docx"),
        ("id,label\nx,a b\n", "y.hemkit"),
    ):
        with pytest.raises(InputError):
            convert(written(tmp_path, "x.txt", text), tmp_path / target)
        assert sorted(p.name for p in tmp_path.iterdir()) == ["x.txt"]
    with pytest.raises(InputError, match="there is no such file"):
        convert(tmp_path / "none.txt", tmp_path / "y.csv")
