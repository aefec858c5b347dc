"""What every reader and writer shares: limits, decoding bytes to text, messages that say where, and writing whole files
or none.

What the text means is the business of the format modules.
"""

import glob
import io
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, TextIO

from hiermeasures.errors import SHOWN, InputError, shown

BOM = b"\xef\xbb\xbf"
ABANDONED = 3600.0  # seconds
_OTHER_BOMS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Limits:
    """How much a reader accepts: bytes of the input, lines, levels of nesting in JSON, and characters of one label."""

    bytes: int
    lines: int
    nesting: int = 200
    label: int = 1000

    @property
    def memory(self) -> int:
        """The bytes that all of it together may take in memory, once it is unpacked."""
        return 25 * self.bytes


UPLOAD = Limits(bytes=20_000_000, lines=1_000_000)
"""For what a person pastes or uploads."""

MOST_CLASSES, MOST_EDGES, MOST_MARKED = 5_000, 20_000, 100
"""What an instance that travels in a link or a lesson may hold; marked are the classes of a side."""

FILE = Limits(bytes=4_000_000_000, lines=100_000_000)
"""For files on one's own disk."""


@dataclass(frozen=True)
class Source:
    """Where text comes from, for messages. An empty name is text without a file, as when it was pasted.

    >>> str(Source("a.csv").error("this line is odd", line=3))
    'a.csv, line 3: this line is odd'
    >>> str(Source("").error("this line is odd", line=3))
    'line 3: this line is odd'

    Of a long name the end is shown, which tells files of a folder apart.
    """

    name: str = ""

    def error(self, reason: str, line: int | None = None) -> InputError:
        """The error for a fault in this source: its name, the line, the reason."""
        end = self.name if len(self.name) <= SHOWN else f"…{self.name[1 - SHOWN :]}"
        name = shown(end)[1:-1] if end else ""
        place = ", ".join(part for part in (name, f"line {line}" if line is not None else "") if part)
        return InputError(f"{place}: {reason}" if place else reason)


def extension(name: str) -> str:
    """The last extension of a file name in lower case, with its point; empty where there is none."""
    return Path(name.replace("\x00", "")).suffix.lower()


def load(source: Any, name: str, limits: Limits | None) -> tuple[bytes, Source, Limits]:
    """All bytes of a path, a bytes object or an open binary stream, refused before they are read where they are too
    many.
    """
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        where = Source(name or str(path))
        limits = limits or FILE
        with open_binary(path, where) as stream:
            return _bounded(stream, where, limits), where, limits
    limits = limits or UPLOAD
    if isinstance(source, (bytes, bytearray, memoryview)):
        where = Source(name)
        return _bounded(io.BytesIO(source), where, limits), where, limits
    if hasattr(source, "read"):
        where = Source(name or str(getattr(source, "name", "")))
        return _bounded(source, where, limits), where, limits
    raise InputError(f"a file is given by its path, its bytes or an open stream, not by {type(source).__name__}")


def open_binary(path: Path, where: Source) -> BinaryIO:
    """The file, open for reading; a missing or unreadable one is an InputError."""
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise where.error("there is no such file") from None
    except IsADirectoryError:
        raise where.error("this is a folder, not a file") from None
    except (OSError, ValueError) as error:
        raise where.error(f"cannot be read ({getattr(error, 'strerror', None) or error})") from None


def _bounded(stream: IO[Any], where: Source, limits: Limits) -> bytes:
    data: str | bytes = stream.read(limits.bytes + 1)
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if len(data) > limits.bytes:
        raise where.error(f"larger than {size_in_words(limits.bytes)}, which is the most that is read here")
    return data


def size_in_words(size: int) -> str:
    """A number of bytes in the largest decimal unit that fits.

    >>> size_in_words(20_000_000)
    '20 MB'
    """
    for unit, factor in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"


def decode(data: bytes, where: Source) -> str:
    """UTF-8 text, with or without a byte-order mark; anything else is an InputError with the place of the first odd
    byte.
    """
    data = data.removeprefix(BOM)
    if data.startswith(_OTHER_BOMS):
        raise where.error("this is UTF-16 text; save it as UTF-8")
    nul = data.find(0)
    if nul >= 0:
        raise where.error(
            f"holds a NUL byte at position {nul}, so it is no text file", line=data.count(b"\n", 0, nul) + 1
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise not_utf8(data, error.start, where, line=data.count(b"\n", 0, error.start) + 1, before=0) from None


def not_utf8(data: bytes, at: int, where: Source, line: int, before: int) -> InputError:
    """The error for a byte that is not UTF-8: `at` counts inside `data`, which starts `before` bytes into the file."""
    return where.error(f"not UTF-8 text: byte 0x{data[at]:02X} at position {before + at}; save it as UTF-8", line)


def checked_text(text: str, where: Source, limits: Limits) -> str:
    """Text within the limits, its line ends all "\\n", without a byte-order mark."""
    text = text.removeprefix("\ufeff")
    if len(text) > limits.bytes or (
        len(text) * 4 > limits.bytes and len(text.encode("utf-8", "replace")) > limits.bytes
    ):
        raise where.error(f"larger than {size_in_words(limits.bytes)}, which is the most that is read here")
    nul = text.find("\x00")
    if nul >= 0:
        raise where.error("holds a NUL byte, so it is no text", line=text.count("\n", 0, nul) + 1)
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\n" not in text:
            text = text.replace("\r", "\n")
    lines = text.count("\n")
    if lines > limits.lines:
        raise where.error(f"has {lines:,} lines; at most {limits.lines:,} are read here")
    if not text.strip():
        raise where.error("this is empty")
    return text


@contextmanager
def replacing(path: Path, binary: bool = False) -> Iterator[Any]:
    """A stream to a temporary file beside `path` that takes its name at the end, so that nothing half-written is
    left; what a process that was killed has left of it is removed.
    """
    start = f".{path.name[:40]}."
    temporary: Path | None = None
    try:
        _remove_abandoned(path.parent, start)
        temporary = path.with_name(f"{start}{secrets.token_hex(4)}.part")
        with temporary.open("xb") if binary else temporary.open("x", encoding="utf-8", newline="") as stream:
            yield stream
        temporary.replace(path)
    except (OSError, ValueError) as error:
        if isinstance(error, (InputError, UnicodeError)):
            raise
        raise Source(str(path)).error(f"cannot be written ({getattr(error, 'strerror', None) or error})") from None
    finally:
        if temporary is not None:
            with suppress(OSError, ValueError):
                temporary.unlink(missing_ok=True)


def _remove_abandoned(folder: Path, start: str) -> None:
    """Removes temporary files of this beginning that nobody has written to for an hour."""
    for left in folder.glob(f"{glob.escape(start)}*.part"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > ABANDONED:
                left.unlink()


def save(data: str | bytes, target: "str | os.PathLike[str] | TextIO | BinaryIO") -> None:
    """Writes all of it to a path (whole or not at all) or an open stream."""
    if isinstance(target, (str, os.PathLike)):
        with replacing(Path(target), binary=True) as stream:
            stream.write(data.encode("utf-8") if isinstance(data, str) else data)
    elif isinstance(target, io.TextIOBase):
        target.write(data if isinstance(data, str) else data.decode("utf-8"))
    else:
        target.write(data.encode("utf-8") if isinstance(data, str) else data)  # type: ignore[arg-type]
