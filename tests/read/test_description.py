"""`describe`: what was understood of files, in Python and on the command line."""

import json

import pytest

from hiermeasures import Hierarchy, describe, read_hierarchy
from hiermeasures.cli import main

TREE = "parent,child\nroot,animal\nroot,plant\nanimal,cat\nanimal,dog\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "h.csv").write_text(TREE)
    (tmp_path / "true.csv").write_text("id,label\na,cat\nb,animal\nc,dag\nd,\n")
    (tmp_path / "lines.txt").write_text("cat\ndog\n")
    return tmp_path


def test_a_hierarchy_is_described_by_its_size_levels_and_first_paths(files):
    found = describe("h.csv")
    assert (found.classes, found.edges, found.tops) == (5, 4, ("root",))
    assert found.levels == ((0, 1, 0), (1, 2, 1), (2, 2, 2))
    assert found.paths == (("root", "animal", "cat"), ("root", "animal", "dog"), ("root", "plant"))
    assert (found.several_parents, found.invented, found.warnings) == ((), (), ())


def test_labels_are_held_against_their_hierarchy(files):
    found = describe("true.csv", hierarchy=read_hierarchy("h.csv"))
    assert (found.instances, found.labels, found.known, found.unknown) == (4, 3, 2, ("dag",))
    assert found.per_instance == ((0, 1), (1, 3))
    assert found.levels == ((1, 1), (2, 1))
    assert (found.on_leaves, found.on_inner) == (1, 1)
    assert any("inner" in warning for warning in found.warnings)


def test_a_class_above_another_of_its_instance_is_not_an_inner_label(files):
    (files / "paths.jsonl").write_text('{"labels": ["animal", "cat"]}\n{"labels": ["plant"]}\n')
    found = describe("paths.jsonl", hierarchy=read_hierarchy("h.csv"))
    assert (found.on_leaves, found.on_inner) == (2, 0)


def test_what_looks_like_a_misread_file_is_a_warning():
    def warnings(*edges):
        return " ".join(describe(Hierarchy.from_edges(edges)).warnings)

    assert "'children'" in warnings(("children", "Cat"), ("children", "name"))
    assert "one child" in warnings(("a", "x"), ("b", "y"))
    assert "'hub'" in warnings(("top", "hub"), *(("hub", f"n{k}") for k in range(20)))
    assert not warnings(("top", "a"), ("top", "b"), ("a", "c"))


def test_the_command_reads_lines_of_names_as_labels_next_to_a_hierarchy(files, capsys):
    assert main(["describe", "h.csv", "true.csv", "lines.txt", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [found[name]["kind"] for name in ("h.csv", "true.csv", "lines.txt")] == [
        "hierarchy",
        "labels",
        "labels",
    ]
    assert found["true.csv"]["unknown"] == ["dag"]
    assert main(["describe", "h.csv", "true.csv"]) == 0
    text = capsys.readouterr().out
    assert "root > animal > cat" in text
    assert "dag" in text


def test_a_label_on_the_terminal_is_text(files, capsys):
    (files / "odd.csv").write_text("parent,child\nroot,\x1b[31mred\n")
    main(["describe", "odd.csv"])
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("header", "kind"),
    [("code,title", "hierarchy"), ("id,label", "labels"), ("level,code,name", "hierarchy")],
)
def test_a_table_of_codes_is_a_hierarchy_and_one_of_ids_is_not(files, header, kind):
    cells = (
        [["1", "1", "One"], ["2", "12", "Two"]]
        if header.startswith("level")
        else [["1", "One"], ["12", "Two"]]
    )
    (files / "t.csv").write_text("\n".join([header, *map(",".join, cells)]))
    assert describe("t.csv").to_dict()["kind"] == kind
