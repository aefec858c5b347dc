"""The package itself: its version, its data files, its lazy imports, and a second Python process.

The second process uses the import path of this one. This module imports little, because a command
handles Ctrl+C only after its first imports.
"""

import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import subprocess


def version() -> str:
    """Return the version of the package. Modules below the root may not import the root itself."""
    return str(sys.modules["hiermeasures"].__version__)


def data_file(package: str, name: str) -> Any:
    """Read a YAML file that belongs to a package."""
    from importlib.resources import files

    import yaml

    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def import_lazily(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package that imports its modules at their first use (PEP 562).

    Parameters
    ----------
    package : str
    places : mapping of str to str
        The module of each public name, inside the package.
    """

    def find(name: str) -> Any:
        from importlib.util import find_spec

        if name in places:
            found = getattr(import_module(f"{package}.{places[name]}"), name)
            setattr(sys.modules[package], name, found)
            return found
        if name.startswith("_") or not find_spec(f"{package}.{name}"):
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return import_module(f"{package}.{name}")

    return find


class StillPicture(Protocol):
    """A drawing for notebooks, as `svg`, `tikz` and `text`."""

    @property
    def text(self) -> str: ...
    @property
    def svg(self) -> str: ...
    @property
    def tikz(self) -> str: ...


def notebook_outputs() -> Any:
    """Return the module that draws for notebooks.

    It is imported here by name, because the import layers forbid a plain import.
    """
    return import_module("hiermeasures.draw.notebook_repr")


def start_python(code: str, **streams: Any) -> "subprocess.Popen[bytes]":
    """Run code in another Python process. It raises OSError if the process cannot start.

    The current folder may contain files of strangers, so it is not on the import path (`-P`).
    """
    import subprocess

    if not sys.executable:
        raise OSError("this Python does not know its own location (sys.executable is empty)")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen([sys.executable, "-P", "-c", code], env=environment, **streams)
