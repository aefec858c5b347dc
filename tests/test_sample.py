"""Every command can be tried on samples: those that their READMEs name run, and there is no other
command.
"""

import re
import shlex

import pytest

from hiermeasures.cli import NAMES, main
from hiermeasures.cli.sample import SAMPLES

ELSEWHERE = {"app", "page", "sample"}  # what needs no files, and is no command to wait for


def test_every_command_is_among_those_to_try():
    assert {command.split()[0] for *_, commands in SAMPLES.values() for command in commands} == set(
        NAMES
    ) - ELSEWHERE


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_the_same_each_time_and_replaces_nothing(name, tmp_path, capsys):
    for folder in ("one", "two"):
        assert main(["sample", name, str(tmp_path / folder)]) == 0
    one, two = (
        {p.name: p.read_bytes() for p in (tmp_path / f).rglob("*.*")} for f in ("one", "two")
    )
    assert one == two
    assert main(["sample", name, str(tmp_path / "one")]) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLES)
def test_the_commands_of_its_readme_run(name, tmp_path, monkeypatch, capsys):
    assert main(["sample", name, str(tmp_path)]) == 0
    monkeypatch.chdir(tmp_path)
    commands = re.findall(
        r"^ {4}hiermeasures (.*)$", (tmp_path / "README.md").read_text(encoding="utf-8"), re.M
    )
    assert commands
    for command in commands:
        assert main(shlex.split(command)) == 0, (command, capsys.readouterr().err)
        printed = capsys.readouterr()
        assert printed.out or "--partial" in command or "--csv" in command
        assert "hiermeasures: " not in printed.err
