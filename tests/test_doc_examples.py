"""Examples in pages of the documentation give what they say: blocks marked `pycon` run, one after the other of a page.

A block `pycon title="NAME VERSION"` is about another package, and runs by itself where that is installed; else among
the slow tests, in an environment of its own. A block `text title="FILE"` is a file that both find. A `console` block is
a command of ours, after `$ `, and what it prints.
"""

import doctest
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from docs.make.generated import FOLDER
from hiermeasures import Hierarchy
from hiermeasures.cli import main
from tests.fresh import installed, run

TRAINING_LOOP = FOLDER / "training-loop.md"
PAGES = [
    FOLDER / "which-measure.md",
    FOLDER / "paths-and-ranks.md",
    TRAINING_LOOP,
    FOLDER / "how-to" / "credit-in-one-direction.md",
    FOLDER / "how-to" / "edge-cases.md",
    FOLDER / "how-to" / "which-convention.md",
    *sorted((FOLDER / "coming-from").glob("*.md")),
]
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


@pytest.mark.parametrize(
    "page",
    [*PAGES, pytest.param(FOLDER / "scikit-learn.md", marks=pytest.mark.slow)],  # it searches a grid
    ids=lambda page: page.stem,
)
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
    package, _, codes = theirs(page)
    if not is_here(package):
        pytest.skip(f"{package} is not among what the tests install; a slow test runs it in an environment of its own")
    assert not outcome(codes, page.stem).failed


@pytest.mark.slow
@pytest.mark.parametrize("page", THEIRS)
@pytest.mark.usefixtures("files")
def test_so_they_do_with_the_version_that_is_named_in_an_environment_of_its_own(page, tmp_path):
    package, numbered, codes = theirs(page)
    if is_here(package):
        pytest.skip(f"{package} is installed, and its examples ran here")
    programs = installed(tmp_path / "environment", f"{package}=={numbered}")
    (tmp_path / "examples.txt").write_text("\n".join(codes), encoding="utf-8")
    run([str(programs / "python"), "-m", "doctest", "-o", "NORMALIZE_WHITESPACE", "examples.txt"], tmp_path)


def is_here(package):
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


def theirs(page):
    """The package that a page is about, its version, and the examples."""
    found = [block for block in blocks(page) if block["package"]]
    ((package, numbered),) = {(block["package"], block["version"]) for block in found}
    return package, numbered, [block["code"] for block in found]


def test_the_training_loop_runs(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(no_grad=nullcontext))
    code = re.search(r"```python\n(.*?)```", TRAINING_LOOP.read_text(encoding="utf-8"), re.DOTALL)[1]
    names = {}
    exec(code, names)

    class Model:
        """The numbers given are its own logits."""

        def eval(self):
            pass

        def __call__(self, x):
            return x

    h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C")])
    # {R, A, C} against {R, A}, then {R, B} against itself.
    batches = [([[-1.0, 2.0, -3.0]], [[0, 0, 1]]), ([[0.5, -1.0, -1.0]], [[1, 0, 0]])]
    loader = [tuple(map(np.array, batch)) for batch in batches]
    assert names["validate"](Model(), loader, h, ["B", "A", "C"])["hF"] == pytest.approx((4 / 5 + 1) / 2)
