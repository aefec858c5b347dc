"""Limits, decoding, error messages with file and line, safe writing, and the declaration of a
format.

The documentation, the command line and the app list the formats from
`hiermeasures.read.HIERARCHY_FORMATS` and `hiermeasures.read.LABEL_FORMATS`.
"""

import io
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, BinaryIO, TextIO, TypeVar

from hiermeasures.hierarchy.errors import SHOWN, InputError, cause, shown, unknown
from hiermeasures.hierarchy.label_notation import MOST_NAMES

BOM = b"\xef\xbb\xbf"
DEVICES = ("/dev", "/dev/fd")  # folders of devices: written to, never replaced
_OTHER_BOMS = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class Limits:
    """Limits of a reader: bytes, lines, nesting levels in JSON, characters of a label."""

    bytes: int
    lines: int
    nesting: int = 200
    label: int = 1000

    @property
    def memory(self) -> int:
        """Return the bytes that the unpacked data may take in memory."""
        return 25 * self.bytes

    @property
    def names(self) -> int:
        """Return the characters that class names which are whole paths may have together."""
        return min(5 * self.bytes // 2, MOST_NAMES)


UPLOAD = Limits(bytes=20_000_000, lines=1_000_000)
"""Limits for pasted text and uploads."""

MOST_CLASSES, MOST_EDGES, MOST_MARKED = 5_000, 20_000, 100
"""Limits of an instance in a link or a lesson. `marked` limits the classes on a side."""

FILE = Limits(bytes=4_000_000_000, lines=100_000_000)
"""Limits for files on your own disk."""

LONGEST_LINE = 16_000_000
"""Bytes of a line of labels."""


@dataclass(frozen=True)
class Source:
    """The origin of a text, for messages. An empty name means text without a file, such as pasted
    text.

    >>> str(Source("a.csv").error("this line is odd", line=3))
    'a.csv, line 3: this line is odd'
    >>> str(Source("").error("this line is odd", line=3))
    'line 3: this line is odd'

    Only the end of a long name is shown. `options` are the `ReadOptions` of a hierarchy. `limits`
    are the bounds for reading.
    """

    name: str = ""
    limits: Limits = field(default=UPLOAD, kw_only=True, compare=False)
    options: Mapping[str, Any] = field(default_factory=dict, kw_only=True, compare=False)

    @property
    def drop(self) -> bool:
        """Return True if faulty entries of a hierarchy are left out and listed."""
        return self.options.get("errors") == "drop"

    def error(self, reason: str, line: int | None = None) -> InputError:
        """Return an error with the name of this source, the line and the reason."""
        end = self.name if len(self.name) <= SHOWN else f"…{self.name[1 - SHOWN :]}"
        name = shown(end)[1:-1] if end else ""
        place = ", ".join(
            part for part in (name, f"line {line}" if line is not None else "") if part
        )
        return InputError(f"{place}: {reason}" if place else reason)

    @contextmanager
    def named(self) -> Iterator[None]:
        """Put the name of this source before the message of an InputError."""
        try:
            yield
        except InputError as error:
            raise self.error(str(error)) from None

    @contextmanager
    def damaged(self, reason: str) -> Iterator[None]:
        """Turn a library's errors about damaged files into an InputError."""
        try:
            yield
        except InputError:
            raise
        except Exception as error:
            raise self.error(f"{reason} ({cause(error)})") from None


def check_lengths(labels: Sequence[str], source: Source, lines: Sequence[int] = ()) -> None:
    """Refuse a label that is too long. `lines` are the lines of the labels, if they are known."""
    if max(map(len, labels), default=0) > source.limits.label:
        k = next(k for k, label in enumerate(labels) if len(label) > source.limits.label)
        raise source.error(
            f"a class name of {len(labels[k]):,} characters ({shown(labels[k], 20)}), but the "
            f"limit is {source.limits.label:,}",
            lines[k] if lines else None,
        )


def encodable(label: str) -> bool:
    try:
        label.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def check_encodable(names: Sequence[str]) -> None:
    """Refuse names of classes that no file can contain."""
    if not encodable("".join(names)):
        odd = next(name for name in names if not encodable(name))
        raise InputError(
            f"class {shown(odd)} contains half a surrogate pair, which is not a character. Remove "
            "it."
        )


def is_number(text: str) -> bool:
    """Return True if `float` can read a text as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def extension(name: str) -> str:
    """Return the last extension of a file name in lower case, with its point. Return "" without
    one.
    """
    return Path(name.replace("\x00", "")).suffix.lower()


def load(source: Any, name: str, limits: Limits | None) -> tuple[bytes, Source]:
    """Return all bytes of a path, a bytes object or an open stream. Raise InputError for too many
    bytes.
    """
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        where = Source(name or str(path), limits=limits or FILE)
        with open_binary(path, where) as stream:
            return _bounded(stream, where), where
    limits = limits or UPLOAD
    if isinstance(source, (bytes, bytearray, memoryview)):
        where = Source(name, limits=limits)
        return _bounded(io.BytesIO(source), where), where
    if hasattr(source, "read"):
        where = Source(name or str(getattr(source, "name", "")), limits=limits)
        return _bounded(source, where), where
    raise InputError(
        f"give a file by its path, its bytes or an open stream, not by {type(source).__name__}"
    )


def open_binary(path: Path, where: Source) -> BinaryIO:
    """Return the file, open for reading in any order. A pipe is read into memory. Raise InputError
    if the file cannot be opened.
    """
    try:
        stream = path.open("rb")
        if stream.seekable():
            return stream
        with stream:
            return io.BytesIO(_bounded(stream, where))
    except InputError:
        raise
    except FileNotFoundError:
        raise where.error("there is no such file") from None
    except IsADirectoryError:
        raise where.error("this is a folder, not a file") from None
    except (OSError, ValueError) as error:
        raise unreadable(error, where) from None


def unreadable(error: OSError | ValueError, where: Source) -> InputError:
    """Return the error for a file that the system cannot read."""
    return where.error(f"cannot be read ({getattr(error, 'strerror', None) or error})")


def _bounded(stream: IO[Any], where: Source) -> bytes:
    try:
        data: str | bytes = stream.read(where.limits.bytes + 1)
    except OSError as error:
        raise unreadable(error, where) from None
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if len(data) > where.limits.bytes:
        raise larger(where)
    return data


def larger(where: Source, most: int = 0) -> InputError:
    return where.error(f"larger than {size_in_words(most or where.limits.bytes)}, the limit")


def size_in_words(size: int) -> str:
    """Return a number of bytes in the largest decimal unit that fits.

    >>> size_in_words(20_000_000)
    '20 MB'
    """
    for unit, factor in (("TB", 10**12), ("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.3g} {unit}"
    return f"{size} bytes"


def decode(data: bytes, where: Source, line: int = 1, before: int = 0) -> str:
    """Decode UTF-8 text, with or without a byte-order mark. InputError shows the position of the
    first invalid byte. For a part of a file, `line` is its first line and `before` the number of
    bytes before it.
    """
    if not before:
        before = len(data) - len(data := data.removeprefix(BOM))
        if data.startswith(_OTHER_BOMS):
            raise where.error("this is UTF-16 text. Save it as UTF-8.")
    nul = data.find(0)
    if nul >= 0:
        reason = f"contains a NUL byte at position {before + nul}, so it is not a text file"
        raise where.error(reason, line + data.count(b"\n", 0, nul))
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
        reason = (
            f"not UTF-8 text: byte 0x{data[at]:02X} at position {before + at}. Save it as UTF-8."
        )
        raise where.error(reason, line + data.count(b"\n", 0, at)) from None


def checked_text(text: str, where: Source) -> str:
    """Return text within the limits, with "\\n" as the only line end and without a byte-order mark."""
    text = text.removeprefix("\ufeff")
    if len(text) > where.limits.bytes or (
        len(text) * 4 > where.limits.bytes
        and len(text.encode("utf-8", "replace")) > where.limits.bytes
    ):
        raise larger(where)
    nul = text.find("\x00")
    if nul >= 0:
        raise where.error(
            "contains a NUL byte, so it is not text", line=text.count("\n", 0, nul) + 1
        )
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\n" not in text:
            text = text.replace("\r", "\n")
    lines = text.count("\n")
    if lines > where.limits.lines:
        raise where.error(f"has {lines:,} lines, but the limit is {where.limits.lines:,}")
    if not text.strip():
        raise where.error("this is empty")
    return text


@contextmanager
def replacing(path: Path, binary: bool = False) -> Iterator[Any]:
    """Open a temporary file that replaces `path` at the end. A pipe or a device, such as
    /dev/stdout, is written directly. For a symbolic link, the target is replaced.
    """
    temporary: Path | None = None
    try:
        if path.is_symlink() and str(path.parent) not in DEVICES:
            path = path.resolve()
        if stays := str(path.parent) in DEVICES or (path.exists() and not path.is_file()):
            place = path
        else:
            place = temporary = path.with_name(f".{path.name[:40]}.{secrets.token_hex(4)}.part")
        mode = "a" if stays else "x"
        with (
            place.open(f"{mode}b")
            if binary
            else place.open(mode, encoding="utf-8", newline="") as stream
        ):
            yield stream
        if temporary is not None:
            temporary.replace(path)
    except (OSError, ValueError) as error:
        if isinstance(error, (InputError, UnicodeError)):
            raise
        raise Source(str(path)).error(
            f"cannot be written ({getattr(error, 'strerror', None) or error})"
        ) from None
    finally:
        if temporary is not None:
            with suppress(OSError, ValueError):
                temporary.unlink(missing_ok=True)


def name_of(target: object) -> str:
    """Return the name of a file to write, given by its path or as an open stream."""
    name = (
        str(target) if isinstance(target, (str, os.PathLike)) else str(getattr(target, "name", ""))
    )
    return Path(name).name if name else ""


def save(data: str | bytes, target: "str | os.PathLike[str] | TextIO | BinaryIO") -> None:
    """Write all of the data to a path (whole or not at all) or an open stream."""
    if isinstance(target, (str, os.PathLike)):
        with replacing(Path(target), binary=True) as stream:
            stream.write(data.encode("utf-8") if isinstance(data, str) else data)
    elif isinstance(target, io.TextIOBase):
        target.write(data if isinstance(data, str) else data.decode("utf-8"))
    else:
        target.write(data.encode("utf-8") if isinstance(data, str) else data)  # type: ignore[arg-type]


def save_all(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Write files into a folder by their paths in it. If one cannot be written, no new file stays."""
    made: list[Path] = []
    try:
        for name, content in files.items():
            path = folder / name
            made += [above for above in reversed(path.parents) if not above.exists()]
            path.parent.mkdir(parents=True, exist_ok=True)
            made += [] if path.exists() else [path]
            save(content, path)
    except BaseException:
        for path in reversed(made):
            with suppress(OSError):
                path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
        raise


# --- declarations -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Format:
    """A file format."""

    key: str
    title: str
    extensions: tuple[str, ...]
    description: str

    @property
    def writable(self) -> bool:
        """Return True if the format can be written. Every format can be read."""
        return getattr(self, "write", None) is not None


Kind = TypeVar("Kind", bound=Format)


def checked(key: str, formats: Mapping[str, Kind]) -> Kind:
    """Return the format with this key. InputError names the nearest key."""
    if key not in formats:
        raise InputError(unknown("format", key, formats) + f" (known: {', '.join(formats)})")
    return formats[key]


def for_writing(key: str | None, name: str, formats: Mapping[str, Kind]) -> Kind:
    """Return the format to write: the requested one, or else the first that matches the file name."""
    if key is None:
        fitting = [f for f in formats.values() if f.writable and extension(name) in f.extensions]
        if not fitting:
            known = ", ".join(
                dict.fromkeys(e for f in formats.values() if f.writable for e in f.extensions)
            )
            raise InputError(
                f"{name or 'the output'}: unknown extension. Name a format, or use one of {known}"
            )
        return fitting[0]
    if not checked(key, formats).writable:
        raise InputError(f"the format {key!r} can be read but not written. Choose another format.")
    return formats[key]
