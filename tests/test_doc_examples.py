"""The samples of every page of the documentation, and README's, run when they are pasted from the
page's beginning, and give what they say.

A page runs in an empty folder with no names. A block with a `title="FILE"` is a file that the
blocks below it find; `python` runs, and what a line prints is the comment behind it; `pycon` runs
and gives what is shown; `console` has commands of ours, after `$ `, and what they print; `sh` runs
in a shell where `IN_A_SHELL` names the page. A block `pycon title="NAME VERSION"` is about another
package, and runs by itself where that is installed; else among the slow tests, in an environment of
its own.
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from docs.make.generated import FOLDER
from hiermeasures import Hierarchy
from hiermeasures.cli import main
from tests.fresh import installed, run

PROJECT = FOLDER.parent
TRAINING_LOOP = FOLDER / "training-loop.md"
FENCE = re.compile(
    r'^```(?P<language>\w+)(?: title="(?P<title>[^"]+)")?\n(?P<content>.*?)^```$', re.M | re.S
)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.M)
SAID = re.compile(r"^print\(.*\)  # (.*)$", re.M)
RUN = {"python", "pycon", "console"}
SEARCHING = {"scikit-learn", "more-than-memory"}  # a grid; a cluster
IN_A_SHELL = ["README", "weighted-classes"]


def fences(page: Path) -> Iterator[re.Match[str]]:
    return FENCE.finditer(page.read_text(encoding="utf-8"))


def samples(page: Path) -> list[re.Match[str]]:
    """The blocks of a page that run here; `pycon` of another package runs below."""
    return [b for b in fences(page) if b["language"] in RUN and not b["title"]]


EVERY = [PROJECT / "README.md", *sorted(FOLDER.rglob("*.md"))]
PAGES = [page for page in EVERY if samples(page)]


@pytest.fixture
def files(page, tmp_path, monkeypatch):
    """The files that a page shows, in the working directory."""
    monkeypatch.chdir(tmp_path)
    if "my-lessons" in page.read_text(encoding="utf-8"):
        shutil.copytree(PROJECT / "cases" / "lessons", "my-lessons")
    for block in fences(page):
        if block["title"] and block["language"] not in RUN:
            write(block)


def write(block: re.Match[str]) -> None:
    path = Path(block["title"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block["content"], encoding="utf-8")


def examples_hold(code: str, names: dict, page: str) -> bool:
    test = doctest.DocTestParser().get_doctest(code, {}, page, page, 0)
    test.globs = names
    return (
        not doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        .run(test, clear_globs=False)
        .failed
    )


def printed(code: str, names: dict, page: str) -> list[str]:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, page, "exec"), names)
    return out.getvalue().splitlines()


def commands_hold(content: str, capsys: pytest.CaptureFixture[str]) -> bool:
    """True if commands print what is shown, with what they put out beside it or without."""
    for command, said in COMMAND.findall(content):
        program, *arguments = shlex.split(command.replace("\\\n", " "))
        assert program == "hiermeasures"
        main(arguments)
        told = capsys.readouterr()
        assert said.strip() in (told.out.strip(), (told.out + told.err).strip())
    return True


@pytest.fixture
def torch(page, monkeypatch):
    """Replace torch, as far as the page of the training loop uses it, where it is not installed."""
    if page != TRAINING_LOOP or find_spec("torch"):
        return
    random = np.random.default_rng(1)
    fake = SimpleNamespace(
        no_grad=nullcontext, rand=lambda *shape: random.random(shape), randint=random.integers
    )
    fake.nn = SimpleNamespace(Linear=lambda inputs, outputs: Model())
    monkeypatch.setitem(sys.modules, "torch", fake)


class Model:
    """The numbers given are its own logits, as many as there are classes."""

    def eval(self):
        pass

    def __call__(self, x):
        return np.asarray(x)[:, :3]


@pytest.mark.parametrize(
    "page",
    [pytest.param(p, marks=[pytest.mark.slow] * (p.stem in SEARCHING), id=p.stem) for p in PAGES],
)
@pytest.mark.usefixtures("files", "torch")
def test_a_page_gives_what_it_says_from_its_beginning(page, capsys):
    names = {"__name__": "__main__"}
    for block in samples(page):
        code = block["content"]
        if block["language"] == "pycon":
            assert examples_hold(code, names, page.stem)
        elif block["language"] == "console":
            assert commands_hold(code, capsys)
        else:
            lines = printed(code, names, page.stem)
            assert [said for said in SAID.findall(code) if said not in lines] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [page for page in EVERY if page.stem in IN_A_SHELL], ids=lambda page: page.stem
)
@pytest.mark.usefixtures("files")
def test_the_commands_of_a_page_run_in_a_shell(page):
    *_, block = (block["content"] for block in fences(page) if block["language"] == "sh")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["sh", "-eu", "-c", block], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def of_others(page: Path) -> tuple[str, list[str]] | None:
    """The package and version that a page's examples are about, and these, if there are some."""
    found = [block for block in fences(page) if block["language"] == "pycon" and block["title"]]
    return (found[0]["title"], [block["content"] for block in found]) if found else None


def is_here(package):
    try:
        return bool(version(package))
    except PackageNotFoundError:
        return False


@pytest.mark.parametrize(
    "page", [pytest.param(page, id=page.stem) for page in EVERY if of_others(page)]
)
@pytest.mark.parametrize("apart", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.usefixtures("files")
def test_the_examples_of_another_package_give_what_they_say(page, apart, tmp_path):
    """They run here where it is installed, else in an environment of its own."""
    title, codes = of_others(page)
    package, numbered = title.split()
    if is_here(package) == apart:
        pytest.skip(f"{package} is {'' if apart else 'not '}among what the tests install")
    if not apart:
        assert examples_hold("\n".join(codes), {}, page.stem)
        return
    programs = installed(tmp_path / "environment", f"{package}=={numbered}")
    (tmp_path / "examples.txt").write_text("\n".join(codes), encoding="utf-8")
    run(
        [str(programs / "python"), "-m", "doctest", "-o", "NORMALIZE_WHITESPACE", "examples.txt"],
        tmp_path,
    )


@pytest.mark.parametrize("page", [TRAINING_LOOP], ids=["training-loop"])
@pytest.mark.usefixtures("torch")
def test_the_training_loop_validates(page):
    names = {}
    (code,) = (block["content"] for block in fences(page) if "def validate" in block["content"])
    exec(code, names)
    h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("A", "C")])
    # {R, A, C} against {R, A}, then {R, B} against itself.
    batches = [([[-1.0, 2.0, -3.0]], [[0, 0, 1]]), ([[0.5, -1.0, -1.0]], [[1, 0, 0]])]
    loader = [tuple(map(np.array, batch)) for batch in batches]
    assert names["validate"](Model(), loader, h, ["B", "A", "C"])["hF"] == pytest.approx(
        (4 / 5 + 1) / 2
    )
