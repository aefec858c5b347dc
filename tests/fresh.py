"""Distributions built from a copy of this checkout, and environments that hold nothing else."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from hiermeasures.evaluation.warm import AHEAD

PROJECT = Path(__file__).resolve().parents[1]


def copied(folder: Path) -> Path:
    """A copy of what belongs to the project, without what was made of it."""
    anywhere = shutil.ignore_patterns("__pycache__", "*.egg-info", ".*_cache", ".hypothesis")
    at_top = {"build", "dist", "site", ".git", ".venv"}

    def made(inside: str, names: list[str]) -> set[str]:
        return anywhere(inside, names) | (at_top if Path(inside) == PROJECT else set())

    shutil.copytree(PROJECT, folder, ignore=made)
    return folder


def build(project: Path, target: Path, *kinds: str) -> None:
    """Build distributions ("sdist", "wheel") of a project, with the setuptools that is here."""
    asked = [f"--{kind}" for kind in kinds]
    run(
        [
            sys.executable,
            "-m",
            "build",
            "--no-isolation",
            *asked,
            "--outdir",
            str(target),
            str(project),
        ],
        target,
    )


def installed(folder: Path, wheel: Path | str, extra: str = "") -> Path:
    """The folder of the programs of a new environment, in which the wheel, or `name==version`, and
    what it needs is installed.
    """
    run([sys.executable, "-m", "venv", str(folder)], folder.parent)
    programs = folder / ("Scripts" if os.name == "nt" else "bin")
    run([str(programs / "python"), "-m", "pip", "install", "-q", f"{wheel}{extra}"], folder.parent)
    return programs


def run(command: list[str], folder: Path, **environment: str) -> str:
    """Return the output of a command that must succeed, without this checkout on its path."""
    done = subprocess.run(
        command, cwd=folder, env=surroundings(**environment), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def surroundings(**more: str) -> dict[str, str]:
    """The environment without the variables of this test run; nothing is compiled ahead."""
    ours = ("PYTHON", "STREAMLIT_", "HIERMEASURES_", "VIRTUAL_ENV")
    return {
        **{name: text for name, text in os.environ.items() if not name.startswith(ours)},
        AHEAD: "no",
        **more,
    }
