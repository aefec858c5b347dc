"""The folder of compiled kernels, and the message while one is compiled. Works without importing
numba.

The folder is named by a digest of everything that a kernel is made of, so that what it holds always
fits the sources.
"""

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

KERNELS = Path(__file__).resolve().with_name("kernels")
_PACKAGE = KERNELS.parents[1]
_IMPORT = re.compile(r"^from (hiermeasures[\w.]*) import \(?\s*(\w+)", re.MULTILINE)
_CONSTANT = re.compile(r"^_?[A-Z][A-Z0-9_, ]*(?:: \w+)? = .*$", re.MULTILINE)
_INDEX = f".py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}.nbi"


def kept_kernels() -> dict[str, Any]:
    """The folder, or None; whether kernels are kept; how many functions, of how many; bytes."""
    folder = cache_folder()
    files = [file for file in folder.rglob("*") if file.is_file()] if folder else []
    kept = sum(file.name.endswith(_INDEX) for file in files)
    functions = sum(len(re.findall(r"^@kernel$", text, re.MULTILINE)) for text in _kernel_texts())
    size = sum(file.stat().st_size for file in files)
    return {
        "folder": folder,
        "compiled": kept > 0,
        "functions": kept,
        "of": functions,
        "bytes": size,
    }


# kernels that were found compiled: looking for one on disk takes longer than a small batch
_known: set[Any] = set()


def is_ready(function: Any) -> bool:
    """True if a kernel is compiled here or kept."""
    if function not in _known:
        name, folder = (
            f"{function.__module__.rpartition('.')[2]}.{function.__name__}",
            cache_folder(),
        )
        if function.signatures or (folder is not None and any(folder.rglob(f"{name}-*{_INDEX}"))):
            _known.add(function)
    return function in _known


def cache_folder() -> Path | None:
    """The first writable folder of: the one given to numba, beside the sources, the user's own."""
    name = f"hiermeasures-{digest_of_sources()[:16]}"
    told = os.environ.get("NUMBA_CACHE_DIR")
    folders = [
        *([Path(told)] if told else []),
        KERNELS / "__pycache__",
        user_caches() / "hiermeasures",
    ]
    return next((folder / name for folder in folders if _writable(folder)), None)


@cache
def digest_of_sources() -> str:
    """Digest of the kernels, of the compiling module, and of constants they import."""
    texts, paths = [*_kernel_texts(), KERNELS.with_name("compiled.py").read_text("utf-8")], set()
    for module, name in {found for text in texts for found in _IMPORT.findall(text)}:
        path = _PACKAGE.joinpath(*module.split(".")[1:])
        paths |= {path.with_suffix(".py"), path / f"{name}.py"}
    constants = (
        _CONSTANT.findall(path.read_text("utf-8")) for path in sorted(paths) if path.is_file()
    )
    return hashlib.sha256(
        "\n".join([*texts, *(line for lines in constants for line in lines)]).encode()
    ).hexdigest()


def _kernel_texts() -> list[str]:
    return [source.read_text("utf-8") for source in sorted(KERNELS.glob("*.py"))]


def user_caches() -> Path:
    """Return the folder where this system keeps a user's caches."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def _writable(folder: Path) -> bool:
    """Write a file, as numba does: permissions alone mislead for /proc and read-only disks."""
    there = next((f for f in (folder, *folder.parents) if f.exists()), None)
    try:
        with tempfile.TemporaryFile(dir=there):
            return there is not None
    except OSError:
        return False


MESSAGE = "compiling the array kernels for this machine (once, seconds to a minute; they are kept for later runs) …"
_pending: list[
    Callable[[str], None]
] = []  # called once, at the first function that the cache does not have
_announced: list[bool] = []


@contextmanager
def announced(announce: Callable[[str], None] | None) -> Iterator[None]:
    """Call `announce`, by default to stderr, if kernels are compiled inside; once in a process."""
    if not _announced:
        _pending[:] = [announce or (lambda message: print(message, file=sys.stderr, flush=True))]
    try:
        yield
    finally:
        _pending.clear()


def announce_once(message: str = MESSAGE) -> None:
    while _pending:
        _announced.append(True)
        _pending.pop()(message)
