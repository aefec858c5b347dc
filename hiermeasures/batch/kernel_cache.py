"""Where compiled kernels are kept on disk, and what is there: found without numba, which may be what is broken.

Compiling and reading them back is done in compiled.py, by numba's own cache.
"""

import hashlib
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

KERNELS = Path(__file__).resolve().with_name("kernels")
_DECORATED = re.compile(r"^@kernel$", re.MULTILINE)


@dataclass(frozen=True)
class KernelCache:
    """A folder of compiled kernels: how many functions of how many are kept for these sources and this Python, and the
    size in bytes of everything that numba keeps there. `folder` is None where none can be written.
    """

    folder: Path | None
    functions: int
    of: int
    size: int

    @property
    def compiled(self) -> bool:
        """Whether a batch need not wait for the compiler: functions that nobody has called yet are compiled then."""
        return self.functions > 0


@cache
def digest_of_sources() -> str:
    """A digest of the source of all kernels, which their cache is kept by."""
    return hashlib.sha256(b"".join(source.read_bytes() for source in _sources())).hexdigest()


def kernel_cache() -> KernelCache:
    """What is kept where numba would look, which is the first of its folders that it can write."""
    folder = next(filter(_writable, _folders()), None)
    kept = list(folder.glob("*.nb[ic]")) if folder else []
    current = [file for file in kept if _is_current(file)]
    functions = sum(len(_DECORATED.findall(source.read_text("utf-8"))) for source in _sources())
    return KernelCache(folder, len(current), functions, sum(file.stat().st_size for file in kept))


def is_kept(name: str) -> bool:
    """Whether a kernel is kept that is named by module and function, such as "sets.flat"."""
    folder = next(filter(_writable, _folders()), None)
    return folder is not None and any(_is_current(file) for file in folder.glob(f"{name}-*.nbi"))


def _is_current(file: Path) -> bool:
    """Whether a file is the index of a function for these sources and this Python."""
    here = f".py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}.nbi"
    return file.name.endswith(here) and digest_of_sources().encode() in file.read_bytes()


def _sources() -> list[Path]:
    return sorted(KERNELS.glob("*.py"))


def _folders() -> Iterator[Path]:
    """Where numba looks, in its order: the folder it is told, beside the sources, and the user's own."""
    apart = f"{KERNELS.name}_{hashlib.sha1(str(KERNELS).encode(), usedforsecurity=False).hexdigest()}"
    if told := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(told, apart)
    yield KERNELS / "__pycache__"
    yield _users() / apart


def _users() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local", "numba", "Cache")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "numba"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "numba")


def _writable(folder: Path) -> bool:
    there = next((f for f in (folder, *folder.parents) if f.exists()), None)
    return there is not None and os.access(there, os.W_OK)
