"""The folder of compiled kernels, and the message when one is compiled. Nothing here imports numba.

The name of the folder is a digest of all sources of the kernels, so its files always fit the
sources.
"""

import hashlib
import logging
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
    """Return facts about the kept kernels.

    `folder` is None if no folder is writable. `compiled` is true if some kernels are kept.
    `functions` of the number `of` are kept. `bytes` is their size.
    """
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


# kernels that are known to be compiled, because a search on disk takes longer than a small batch
_known: set[Any] = set()


def is_ready(function: Any) -> bool:
    """Return True if a kernel is compiled in this process or kept on disk."""
    if function not in _known:
        name, folder = (
            f"{function.__module__.rpartition('.')[2]}.{function.__name__}",
            cache_folder(),
        )
        if function.signatures or (folder is not None and any(folder.rglob(f"{name}-*{_INDEX}"))):
            _known.add(function)
    return function in _known


def cache_folder() -> Path | None:
    """Return the first writable folder for kernels, or None.

    It tries numba's folder (NUMBA_CACHE_DIR), then one next to the sources, then the user's caches.
    """
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
    """Return a digest of the kernels, their shared modules, and the constants they import."""
    sources = KERNELS.with_name("compiled.py"), _PACKAGE / "hierarchy" / "refinement.py"
    texts, paths = [*_kernel_texts(), *(file.read_text("utf-8") for file in sources)], set()
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
    """Return whether a file can be written. Permissions mislead for /proc and read-only disks."""
    there = next((f for f in (folder, *folder.parents) if f.exists()), None)
    try:
        with tempfile.TemporaryFile(dir=there):
            return there is not None
    except OSError:
        return False


logger = logging.getLogger("hiermeasures")
COMPILING = (
    "compiling the array kernels for this machine. This takes up to a minute, and only once: they "
    "are kept for later runs."
)


@cache
def warn_once(message: str) -> None:
    """Log a warning, each message once in a process. Python prints it to stderr by default."""
    logger.warning(message)


class _Listener(logging.Handler):
    def __init__(self, say: Callable[[str], None]) -> None:
        super().__init__(logging.WARNING)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        self._say(record.getMessage())


@contextmanager
def warnings_to(say: Callable[[str], None]) -> Iterator[None]:
    """Pass messages logged in the `with` block to a function, instead of to stderr."""
    listener = _Listener(say)
    logger.addHandler(listener)
    try:
        yield
    finally:
        logger.removeHandler(listener)
