"""Partial results of finished files, kept in a folder until the whole evaluation is done, so that
one that was stopped can go on from them.
"""

import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from hiermeasures.core.errors import InputError
from hiermeasures.engine.codec import from_bytes
from hiermeasures.engine.kernel_cache import user_caches

FORGOTTEN = 30 * 24 * 3600.0  # seconds after which what nobody went on with is removed


@dataclass(frozen=True)
class KeptParts:
    """The sums of finished files in `folder`, which belongs to one evaluation of `of`."""

    folder: Path
    of: Any

    @classmethod
    def of_evaluation(cls, of: Any, what: bytes, resume: bool) -> "KeptParts":
        """Return what is kept of the evaluation that bytes describe; without `resume`, clear it."""
        parent = user_caches() / "hiermeasures" / "unfinished"
        with suppress(OSError):
            for other in parent.iterdir():
                if time.time() - other.stat().st_mtime > FORGOTTEN:
                    shutil.rmtree(other, ignore_errors=True)
        kept = cls(parent / _digest(what), of)
        if not resume:
            kept.remove()
        return kept

    def read(self, file: str) -> Any:
        """Return the partial result of a file, or None; one that has changed since has none."""
        try:
            return from_bytes(self.of, self._place(file).read_bytes())
        except (OSError, InputError):
            return None

    def write(self, file: str, data: bytes) -> None:
        """Keep the bytes of a file's partial result; without it, where the disk is full."""
        with suppress(OSError):
            place = self._place(file)
            place.parent.mkdir(parents=True, exist_ok=True)
            unfinished = place.with_suffix(".part")
            unfinished.write_bytes(data)
            unfinished.replace(place)

    @property
    def files(self) -> int:
        """Number of files that are kept."""
        return len(list(self.folder.glob("*.sums")))

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _place(self, file: str) -> Path:
        about = Path(file).stat()
        return self.folder / f"{_digest(repr((file, about.st_size, about.st_mtime_ns)).encode())}.sums"


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
