"""Paths from strangers: a class is its whole path, so names are bounded before any is made."""

import resource
import subprocess
import sys
from dataclasses import replace

import pandas as pd
import pytest

from hiermeasures import Hierarchy, InputError, evaluate
from hiermeasures.evaluation.answers import Rules
from hiermeasures.evaluation.files import InputFile, read_one_table
from hiermeasures.hierarchy.label_notation import DEEPEST, LONGEST
from hiermeasures.read import UPLOAD, read_hierarchy
from hiermeasures.read.sandbox import hierarchy_of_labels

MANY = "/".join(["a"] * 20_000)


def long_rows(count: int, parts: int) -> list[str]:
    return [f"r{k}/" + "/".join(chr(97 + n % 26) for n in range(parts - 1)) for k in range(count)]


def test_a_path_may_have_as_many_parts_as_are_read_and_no_more():
    deep = " > ".join(map(str, range(DEEPEST)))
    assert Hierarchy.from_paths([deep]).depth == DEEPEST - 1
    with pytest.raises(
        InputError, match=f"has {DEEPEST + 1} parts. A path may have at most {DEEPEST}"
    ):
        Hierarchy.from_paths([f"{deep} > x"])
    with pytest.raises(InputError, match=f"{DEEPEST + 1} ranks"):
        Hierarchy.from_ranks([["a"] * (DEEPEST + 1)])
    with pytest.raises(InputError, match="10,001 characters"):
        Hierarchy.from_paths(["a > " + "b" * (LONGEST - 3)])


@pytest.mark.parametrize(
    "read",
    [
        lambda: Hierarchy.from_paths([MANY], separator="/"),
        lambda: Hierarchy.from_labels([MANY]),
        lambda: Hierarchy.from_ranks([["a"] * 20_000]),
        lambda: Hierarchy.from_codes(["1" * k for k in range(1, 2_000)], levels=range(1, 2_000)),
        lambda: read_hierarchy(f"a/b\n{MANY}\n".encode(), name="h.paths"),
        lambda: evaluate(
            pd.DataFrame({"true": ["a/b", MANY], "answer": ["a/b", "a/b"]}),
            true="true",
            predicted="answer",
        ),
    ],
    ids=["paths", "labels", "ranks", "codes", "file", "table"],
)
def test_a_line_of_many_parts_is_refused_before_anything_is_built(read):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(InputError, match=r"at most|the limit"):
        read()
    # kB; 1.6 GB without the bound
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_the_line_of_a_path_that_is_too_deep_is_named():
    with pytest.raises(InputError, match=r"h\.paths, line 2: path 'a/a/"):
        read_hierarchy(f"a/b\n{MANY[:599]}\n".encode(), name="h.paths")


def test_an_answer_of_many_parts_is_unknown():
    table = pd.DataFrame({"true": ["a/b", "a/c"], "answer": ["a/b", MANY]})
    for policy in ("wrong", "prefix"):
        report = evaluate(table, true="true", predicted="answer", unknown=policy, measures="hF")
        assert report.per_instance["hF"].tolist()[0] == 1.0


def test_labels_of_strangers_make_no_more_names_than_an_upload_may():
    rows = long_rows(2_600, 190)  # 1 MB, whose class names have 94 million characters
    assert sum(map(len, rows)) < 1_100_000
    with pytest.raises(InputError, match=r"make .* classes"):
        hierarchy_of_labels(rows, None)
    assert UPLOAD.names == 50_000_000


CHILD = """
import resource, sys
from dataclasses import replace
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.read.sandbox import hierarchy_of_labels
from hiermeasures.evaluation.answers import Rules
from hiermeasures.evaluation.files import InputFile, read_one_table
rows = [f"r{{k}}/" + "/".join(chr(97 + n % 26) for n in range({parts})) for k in range(4_000)]
content = "true,answer\\n" + "".join(f"{{row}},{{rows[0]}}\\n" for row in rows)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    rules = replace(Rules.of("wrong"), make=hierarchy_of_labels)
    read_one_table(InputFile("t.csv", content.encode()), "true", ["answer"], rules)
except InputError as error:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before, error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("parts", [190, 480])
def test_one_table_of_a_stranger_costs_the_server_little_memory(parts):
    command = [sys.executable, "-c", CHILD.format(parts=parts)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    grown, said = done.stdout.split(maxsplit=1)
    # kB; two gigabytes where the server makes the hierarchy
    assert int(grown) < 150_000, done.stdout
    assert "at most 200" in said or "classes" in said


def test_a_small_table_of_a_stranger_is_the_same_as_one_on_disk(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("true,answer\na/b,a/c\na/c,a/c\n")
    rules = Rules.of("wrong")
    on_disk = read_one_table(InputFile("t.csv", path), "true", ["answer"], rules)
    rules = replace(rules, make=hierarchy_of_labels)
    uploaded = read_one_table(InputFile("t.csv", path.read_bytes()), "true", ["answer"], rules)
    assert on_disk.hierarchy == uploaded.hierarchy
    assert on_disk.hierarchy.titles == uploaded.hierarchy.titles
