"""On a terminal tables fit its width, and TAB completes; elsewhere text is as it was
(tests/test_cli.py).
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from contextlib import suppress

import pytest

from hiermeasures.cli import main
from hiermeasures.cli.printing import one_line

from .browser.conftest import PROJECT

COMMAND = [sys.executable, "-m", "hiermeasures"]
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


def test_names_are_no_commands_for_a_terminal():
    assert one_line("a\x1b[2J\x9b1m\nb").isprintable()


def on_terminal(width, *arguments):
    """Return the output of a command on a terminal of `width` columns."""
    mine, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("COLUMNS", "NO_COLOR", "CI")
    }
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=PROJECT,
        env={**kept, "TERM": "xterm"},
    )
    os.close(theirs)
    found = b""
    with suppress(OSError):  # the other side is closed
        while piece := os.read(mine, 1 << 16):
            found += piece
    assert process.wait() == 0, found
    return found.decode()


@pytest.mark.slow
def test_a_wide_table_is_cut_to_the_terminal_and_loses_nothing(tmp_path, capsys):
    main(["sample", "tree", str(tmp_path)])
    files = {name: str(tmp_path / f"{name}.csv") for name in ("true", "careful", "bold")}
    sides = ["--true", files["true"], "--predicted", files["careful"], files["bold"]]
    command = ["compare", "--hierarchy", str(tmp_path / "hierarchy.txt"), *sides]
    capsys.readouterr()
    assert main(command) == 0
    printed = capsys.readouterr().out
    shown = on_terminal(60, *command)
    assert "\x1b[" in shown
    lines = CONTROL.sub("", shown).split("\n")
    table = lines[next(k for k, line in enumerate(lines) if "hF" in line.split()) :]
    assert max(map(len, table)) <= 60 < max(map(len, printed.split("\n")))
    *rest, signature = printed.rstrip().split("\n")
    # the only line that may break within a word
    assert signature in "".join(line.rstrip() for line in table)
    numbers = re.compile(r"\d\.\d{3,4} \(\d\)|[A-Za-z_]+")
    assert set(numbers.findall("\n".join(rest))) <= set(numbers.findall("\n".join(table)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("hiermeasures eval", "evaluate"),
        ("hiermeasures evaluate --measures hF,F_L", "hF,F_LCA"),
        ("hiermeasures score h.txt --set dm", "dmax="),
    ],
)
def test_tab_completes(line, word, tmp_path):
    target = tmp_path / "words"
    asked = {
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(target),
        "_ARGCOMPLETE_SHELL": "bash",
    }
    asked |= {"COMP_LINE": line, "COMP_POINT": str(len(line)), "_ARGCOMPLETE_IFS": "\n"}
    subprocess.run(COMMAND, env={**os.environ, **asked}, cwd=PROJECT, capture_output=True)
    assert word in [found.strip() for found in target.read_text().split("\n")]
