"""The package itself: its version, data files beside its modules, names that are imported lazily,
and another Python with the same import path.

Little is imported here: until it is, Ctrl+C in the first moments of a command is Python's own.
"""

import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import subprocess


def version() -> str:
    """Return the package's version: what is below its root may not import the root."""
    return str(sys.modules["hiermeasures"].__version__)


def data_file(package: str, name: str) -> Any:
    """Return the content of a YAML file of a package."""
    from importlib.resources import files

    import yaml

    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def import_lazily(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Return `__getattr__` of a package (PEP 562): its public names, each from the module in it
    that `places` gives, and the modules in it are imported when they are first used.
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
    """A drawing that a notebook shows; `svg`, `tikz` and `text` are its forms."""

    @property
    def text(self) -> str: ...
    @property
    def svg(self) -> str: ...
    @property
    def tikz(self) -> str: ...


def notebook_outputs() -> Any:
    """Return the module that draws for notebooks: what is drawn is above its drawing in no layer."""
    return import_module("hiermeasures.draw.notebook_repr")


def start_python(code: str, **streams: Any) -> "subprocess.Popen[bytes]":
    """Run some code in another process; OSError where none can be started.

    The current folder, which may hold files of strangers, is not on its path (`-P`).
    """
    import subprocess

    if not sys.executable:
        raise OSError("this Python does not know where it is installed")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen([sys.executable, "-P", "-c", code], env=environment, **streams)
