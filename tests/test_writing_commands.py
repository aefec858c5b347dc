"""Commands that write files say so on a terminal, in one line on the error stream, and write to
pipes as to files.
"""

import argparse
import os
import re
import subprocess
import sys

import pytest

from hiermeasures.cli import NAMES, find_command, main

HIERARCHY, TRUE, ONE = (
    "A B\nA C\nB D\nB E\n",
    "id,labels\n1,D\n2,C\n3,E\n",
    "id,labels\n1,D\n2,B\n3,D\n",
)
SIDES = "--hierarchy h.txt --true t.csv --predicted one.csv"
MEASURES = "--measures hF,SDL"
SUMS = "sums over 3 instances; hiermeasures merge joins such files"
WRITING = {
    ("evaluate", "csv"): (f"{SIDES} {MEASURES}", "2 measures of 1 system over 3 instances"),
    ("evaluate", "latex"): (
        f"{SIDES} t.csv {MEASURES}",
        "2 measures of 2 systems over 3 instances",
    ),
    ("evaluate", "per-instance"): (
        f"{SIDES} --measures hF",
        "each value of 1 measure of 1 system over 3 instances",
    ),
    ("evaluate", "worst"): (f"{SIDES} {MEASURES}", "this instance, by hF"),
    ("evaluate", "html"): (
        f"{SIDES} {MEASURES}",
        "a page on 2 measures of 1 system over 3 instances",
    ),
    ("evaluate", "confusion"): (SIDES, "the confusion matrix of 1 system"),
    ("evaluate", "mistakes"): (SIDES, "the kinds of mistakes of 1 system"),
    ("evaluate", "by-class"): (SIDES, "the scores by class of 1 system"),
    ("evaluate", "by-subtree"): (SIDES, "the scores by subtree of 1 system"),
    ("evaluate", "partial"): (f"{SIDES} {MEASURES}", SUMS),
    ("compare", "csv"): (f"{SIDES} t.csv {MEASURES}", "2 measures of 2 systems over 3 instances"),
    ("compare", "latex"): (f"{SIDES} t.csv {MEASURES}", "2 measures of 2 systems over 3 instances"),
    ("compare", "html"): (
        f"{SIDES} t.csv {MEASURES}",
        "a page on 2 measures of 2 systems over 3 instances",
    ),
    ("merge", "csv"): ("h.txt h.sums", "2 measures of 1 system over 3 instances"),
    ("merge", "latex"): ("h.txt h.sums", "2 measures of 1 system over 3 instances"),
    ("verify", "errata"): ("--paper falis2021", "the errata of the papers"),
}
SLOW = {("verify", "errata")}  # checks a paper
WRITERS = [
    pytest.param(*key, id="-".join(key), marks=[pytest.mark.slow] * (key in SLOW))
    for key in WRITING
]
FILES = {"h.txt": HIERARCHY, "t.csv": TRUE, "one.csv": ONE}


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)


def test_every_option_that_writes_a_file_is_tried_here():
    found = set()
    for command in map(find_command, NAMES):
        parser = argparse.ArgumentParser()
        for add in command.arguments:
            add(parser)
        writing = (
            a.option_strings for a in parser._actions if re.match("(write|draw) ", a.help or "")
        )
        found |= {(command.name, options[0].removeprefix("--")) for options in writing}
    assert found == set(WRITING)


@pytest.mark.parametrize(("command", "option"), WRITERS)
@pytest.mark.usefixtures("files")
def test_on_a_terminal_one_line_says_what_was_written_and_elsewhere_nothing(
    command, option, monkeypatch, capsys
):
    given, what = WRITING[command, option]
    if command == "merge":
        main(["evaluate", *f"{SIDES} {MEASURES} --partial h.sums".split()])
    asked = [command, *given.split(), f"--{option}", "written"]
    capsys.readouterr()
    assert main(asked) == 0
    plain = capsys.readouterr()
    assert "written" not in plain.err
    assert os.path.getsize("written")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert main(asked) == 0
    shown = capsys.readouterr()
    assert shown.out == plain.out
    lines = [
        line
        for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", shown.err).splitlines()
        if "written" in line
    ]
    assert lines == [f"written to written: {what}"]


@pytest.mark.usefixtures("files")
def test_convert_prints_the_file_and_nothing_else(capsysbinary):
    assert main(["convert", "h.txt", "-", "--to", "json"]) == 0
    assert (
        capsysbinary.readouterr().out.split()
        == b'{ "A": { "B": { "D": null, "E": null }, "C": null } }'.split()
    )


@pytest.mark.parametrize(
    ("command", "most"),
    [
        (["sample", "tree", "there"], 500),
        pytest.param(["page", "--out", "there"], 5_000, marks=pytest.mark.slow),
    ],
    ids=["sample", "page"],
)
@pytest.mark.parametrize("empty", [False, True], ids=["new", "empty"])
def test_a_disk_that_fills_up_is_named_by_what_was_written_and_leaves_nothing_behind(
    tmp_path, command, most, empty
):
    """A limit of bytes per file stands for the disk."""
    (tmp_path / "h.txt").write_text("A B\nA C\n")
    (tmp_path / "t.txt").write_text("B\nC\n")
    if empty:
        (tmp_path / "there").mkdir()
    before = sorted(tmp_path.rglob("*"))
    code = f"import resource, sys; from hiermeasures.cli import main; resource.setrlimit(resource.RLIMIT_FSIZE, ({most}, "
    code += f"resource.RLIM_INFINITY)); sys.exit(main({command}))"
    settings = os.environ | {"PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, env=settings
    )
    assert done.returncode == 2, done.stderr
    assert re.match(
        r"hiermeasures: (there|/)\S*: cannot be written \(.*File too large", done.stderr
    ), done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(tmp_path.rglob("*")) == before
    if command[0] != "page":
        again = [sys.executable, "-m", "hiermeasures", *command]
        assert (
            subprocess.run(again, cwd=tmp_path, capture_output=True, env=settings).returncode == 0
        )


def test_a_symbolic_link_is_written_through(tmp_path):
    (tmp_path / "f.txt").write_text("A B\n")
    (tmp_path / "target.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("target.csv")
    assert main(["convert", str(tmp_path / "f.txt"), str(tmp_path / "link.csv")]) == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "target.csv").read_text() == "parent,child\nA,B\n"
