"""Compiled kernels on disk, compiling in background processes, and the message while one is
compiled. Works without importing numba.

The folder is named by a digest of everything that a kernel is made of, so that what it holds always
fits the sources. numba compiles one function at a time in a process; so the slowest compile in
processes of their own, while this one compiles the others. Measured on two cores that had other
work (load 4): a DAG of 50,000 classes, seven measures, nothing compiled before: 78 s with
background processes, 101 s without.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hiermeasures.core.package import start_python

KERNELS = Path(__file__).resolve().with_name("kernels")
_PACKAGE = KERNELS.parents[1]
_DECORATED = re.compile(r"^@kernel$", re.MULTILINE)
_IMPORT = re.compile(r"^from (hiermeasures[\w.]*) import \(?\s*(\w+)", re.MULTILINE)
_CONSTANT = re.compile(r"^_?[A-Z][A-Z0-9_, ]*(?:: \w+)? = .*$", re.MULTILINE)
_INDEX = f".py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}.nbi"


@dataclass(frozen=True)
class KernelCache:
    """A folder of compiled kernels, or None; functions kept and in all; bytes."""

    folder: Path | None
    functions: int
    of: int
    size: int

    @property
    def compiled(self) -> bool:
        """True if kernels are kept; those not called yet are compiled on their first call."""
        return self.functions > 0


def kernel_cache() -> KernelCache:
    """Describe what is kept."""
    folder = cache_folder()
    files = [file for file in folder.rglob("*") if file.is_file()] if folder else []
    functions = sum(len(_DECORATED.findall(text)) for text in _kernel_texts())
    kept = sum(file.name.endswith(_INDEX) for file in files)
    return KernelCache(folder, kept, functions, sum(file.stat().st_size for file in files))


def is_kept(name: str) -> bool:
    """True if a kernel is kept, named by module and function, such as "sets.flat"."""
    folder = cache_folder()
    return folder is not None and any(folder.rglob(f"{name}-*{_INDEX}"))


def name_of(function: Any) -> str:
    """The name by which numba keeps a kernel, such as "sets.flat"."""
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"


def is_ready(function: Any) -> bool:
    """True if a kernel is compiled here or kept."""
    return bool(function.signatures) or is_kept(name_of(function))


def cache_folder() -> Path | None:
    """The first writable folder of: the one given to numba, beside the sources, the user's own."""
    name = f"hiermeasures-{digest_of_sources()[:16]}"
    told = os.environ.get("NUMBA_CACHE_DIR")
    folders = [*([Path(told)] if told else []), KERNELS / "__pycache__", user_caches() / "hiermeasures"]
    return next((folder / name for folder in folders if _writable(folder)), None)


@cache
def digest_of_sources() -> str:
    """Digest of the kernels, of the compiling modules, and of constants they import."""
    texts, paths = [*_kernel_texts(), KERNELS.with_name("compiled.py").read_text("utf-8")], set()
    for module, name in {found for text in texts for found in _IMPORT.findall(text)}:
        path = _PACKAGE.joinpath(*module.split(".")[1:])
        paths |= {path.with_suffix(".py"), path / f"{name}.py"}
    constants = (_CONSTANT.findall(path.read_text("utf-8")) for path in sorted(paths) if path.is_file())
    return hashlib.sha256("\n".join([*texts, *(line for lines in constants for line in lines)]).encode()).hexdigest()


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


# --- compiling in the background ----------------------------------------------------------------

PATIENCE = 900.0  # seconds after which a process that compiles must have hung, however busy the machine is
_running: dict[str, subprocess.Popen[bytes] | None] = {}  # None where it could not be started
_starting = threading.Lock()


@dataclass(frozen=True, eq=False)
class SlowKernel:
    """A compiled function, the seconds that compiling takes, and the function that does it.

    It counts whole numbers, so that a batch left to `explain` meanwhile has the same values to the
    bit.
    """

    function: Any
    seconds: float
    compile: Callable[[], None]

    @property
    def name(self) -> str:
        return name_of(self.function)

    @property
    def ready(self) -> bool:
        return is_ready(self.function)


def begin(kernels: Iterable[SlowKernel]) -> None:
    """Compile each of these kernels in a process of its own, once, if its code can be kept."""
    with _starting:
        for kernel in kernels:
            if kernel.name not in _running and not kernel.ready and cache_folder():
                _running[kernel.name] = run_quietly(kernel.compile)


def run_quietly(function: Callable[..., Any]) -> subprocess.Popen[bytes] | None:
    """Call a function in a process that prints nothing; None where none can be started."""
    none, module, name = subprocess.DEVNULL, function.__module__, function.__name__
    try:
        return start_python(f"from {module} import {name}; {name}()", stdin=none, stdout=none, stderr=none)
    except OSError:
        return None


def wait_for(kernels: Iterable[SlowKernel]) -> None:
    """Wait until these kernels are compiled, if that was begun."""
    for kernel in kernels:
        wait_for_process(_running.get(kernel.name))


def wait_for_process(process: subprocess.Popen[bytes] | None) -> None:
    """Wait until a process has ended, and kill it where it hangs."""
    if process:
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


# --- the message --------------------------------------------------------------------------------

MESSAGE = "compiling the array kernels for this machine (once, seconds to a minute; they are kept for later runs) …"
_pending: list[Callable[[str], None]] = []  # called once, at the first function that the cache does not have
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
