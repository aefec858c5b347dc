"""Examples in pages of the documentation give what they say: blocks marked `pycon` run, one after the other of a page.

A block `pycon title="NAME VERSION"` is about another package, and runs by itself where that is installed; a block
`text title="FILE"` is a file that both find. A `console` block is a command of ours, after `$ `, and what it prints.
"""

import doctest
import re
import shlex
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

from hiermeasures.cli import main
from hiermeasures.docs import FOLDER

PAGES = [FOLDER / "which-measure.md", *sorted((FOLDER / "coming-from").glob("*.md"))]
BLOCK = re.compile(r'^```pycon(?: title="(?P<package>\S+) (?P<version>[^"]+)")?\n(?P<code>.*?)^```$', re.M | re.S)

COMMAND = re.compile(r"^```console\n\$ hiermeasures (?P<arguments>(?:.*\\\n)*.*)\n(?P<printed>(?:.*\n)*?)```$", re.M)
FILE = re.compile(r'^```text title="(?P<name>[^"]+)"\n(?P<content>.*?)^```$', re.M | re.S)


@pytest.fixture
def files(page, tmp_path, monkeypatch):
    """The files that a page shows, in the working directory."""
    monkeypatch.chdir(tmp_path)
    for shown in FILE.finditer(page.read_text(encoding="utf-8")):
        (tmp_path / shown["name"]).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / shown["name"]).write_text(shown["content"], encoding="utf-8")


def blocks(page: Path) -> Iterator[re.Match[str]]:
    return BLOCK.finditer(page.read_text(encoding="utf-8"))


def outcome(codes: list[str], name: str) -> doctest.TestResults:
    test = doctest.DocTestParser().get_doctest("\n".join(codes), {}, name, name, 0)
    return doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.usefixtures("files")
def test_our_examples_give_what_they_say(page):
    found = outcome([block["code"] for block in blocks(page) if not block["package"]], page.stem)
    assert found.attempted
    assert not found.failed


COMMANDS = [pytest.param(page, id=page.stem) for page in PAGES if COMMAND.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", COMMANDS)
@pytest.mark.usefixtures("files")
def test_our_commands_print_what_they_say(page, capsys):
    for block in COMMAND.finditer(page.read_text(encoding="utf-8")):
        assert main(shlex.split(block["arguments"].replace("\\\n", " "))) == 0
        assert capsys.readouterr().out.rstrip() == block["printed"].rstrip()


THEIRS = [pytest.param(page, id=page.stem) for page in PAGES if any(block["package"] for block in blocks(page))]


@pytest.mark.parametrize("page", THEIRS)
@pytest.mark.usefixtures("files")
def test_the_examples_of_the_other_package_give_what_they_say(page):
    theirs = [block for block in blocks(page) if block["package"]]
    (package,) = {block["package"] for block in theirs}
    try:
        version(package)
    except PackageNotFoundError:
        pytest.skip(f"{package} is not installed; its examples were run by hand with the version they name")
    assert not outcome([block["code"] for block in theirs], page.stem).failed
