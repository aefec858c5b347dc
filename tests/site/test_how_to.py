"""The how-to pages do what they say: their commands are run on their files and print what is shown, and so does their
Python.
"""

import re
import shlex

import pytest

from docs.make.generated import FOLDER
from hiermeasures.cli import main
from tests.test_doc_examples import blocks, outcome

PAGES = sorted((FOLDER / "how-to").glob("*.md"))
FENCE = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def test_there_are_pages():
    assert len(PAGES) >= 7


def fences(path, folder):
    """The language and the content of each block; those with a title become files, before the next is asked for."""
    for language, title, content in FENCE.findall(path.read_text(encoding="utf-8")):
        if title:
            (folder / title).write_text(content, encoding="utf-8")
        yield language, content


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_commands_print_what_the_page_shows(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for language, content in fences(path, tmp_path):
        for command, shown in COMMAND.findall(content) if language == "console" else ():
            program, *arguments = shlex.split(command.replace("\\\n", " "))
            assert program == "hiermeasures"
            main(arguments)
            printed = capsys.readouterr()
            assert (printed.out + printed.err).strip() == shown.strip()


@pytest.mark.parametrize("path", [path for path in PAGES if any(blocks(path))], ids=lambda path: path.stem)
def test_python_gives_what_the_page_shows(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    assert list(fences(path, tmp_path))
    assert outcome([block["code"] for block in blocks(path)], path.stem).failed == 0
