"""Files of scored annotations in pieces, so that no process has to hold a whole one: text by runs of lines, Parquet by
row groups, and what is compressed by gzip whole. How lines are read is in annotations.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

import numpy as np

from hiermeasures.errors import InputError, shown
from hiermeasures.extras import require
from hiermeasures.io.annotations import (
    GZIP,
    PARQUET,
    Annotations,
    annotations_of,
    frame_of_parquet,
    frame_of_text,
    read_annotations,
)
from hiermeasures.io.source import FILE, Source, not_utf8, open_binary

BYTES, ROWS = 2**26, 2_000_000  # of a piece, at about the most
LINE = 16  # bytes, at least about, of a line of text
PACKED = 3  # so many bytes or more become of one that gzip wrote, about
_SOME = 2**20  # bytes read at a time to look for the end of a line


@dataclass(frozen=True)
class AnnotationPiece:
    """The lines of a file that begin in its bytes from `start` to below `stop`; or of Parquet the row groups `start` to
    below `stop`; or all of one that is packed. `rows` says about how many lines these are at most.
    """

    path: str
    name: str
    kind: bytes
    start: int
    stop: int
    rows: int


def annotation_pieces(path: str | Path, name: str) -> list[AnnotationPiece]:
    """The pieces of a file, in their order; `name` is what messages call it.

    Raises
    ------
    InputError
        Where it cannot be opened, is empty, or is a damaged Parquet file.
    """
    path = Path(path).absolute()
    with open_binary(path, Source(name)) as stream:
        kind, size = stream.read(4), stream.seek(0, 2)
    if not size:
        raise Source(name).error("holds no annotations")
    if kind == PARQUET:
        return list(_row_groups(str(path), name))
    if kind.startswith(GZIP):
        return [AnnotationPiece(str(path), name, GZIP, 0, size, size * PACKED // LINE)]
    starts = range(0, size, BYTES)
    return [AnnotationPiece(str(path), name, b"", a, min(a + BYTES, size), BYTES // LINE) for a in starts]


def read_piece(piece: AnnotationPiece) -> Annotations:
    """The annotations in a piece, perhaps none. InputError as `read_annotations`, with the line in the whole file."""
    if piece.kind == GZIP:
        return read_annotations(piece.path, scored=True, name=piece.name)
    if piece.kind == PARQUET:
        groups = range(piece.start, piece.stop)
        source = Source(f"{piece.name}, row groups from {piece.start}")
        frame = frame_of_parquet(piece.path, source, FILE, True, groups)
        return replace(annotations_of(frame, None, source, FILE, True), name=piece.name)
    text = _Lines(piece.name, piece.path, piece.start)
    data = text.until(piece.stop)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise not_utf8(data, error.start, text, line, before=text.begin) from None
    if not data.strip():
        names, numbers = np.zeros(0, object), np.zeros(0, np.int32)
        return Annotations(piece.name, names, names, numbers, numbers, np.zeros(0))
    frame, lines = frame_of_text(data, text, True, "score")
    return annotations_of(frame, lines, text, FILE, True)


@dataclass(frozen=True)
class _Lines(Source):
    """The lines of a file from one that begins at a byte or after it; messages say which line of the file it is."""

    path: str = ""
    start: int = 0

    @cached_property
    def begin(self) -> int:
        """Where the first line begins."""
        with open_binary(Path(self.path), Source(self.name)) as stream:
            return _line_from(stream, self.start)

    def until(self, stop: int) -> bytes:
        """The lines that begin before another byte."""
        with open_binary(Path(self.path), Source(self.name)) as stream:
            end = _line_from(stream, stop)
            stream.seek(self.begin)
            return stream.read(max(end - self.begin, 0))

    def error(self, reason: str, line: int | None = None) -> InputError:
        return super().error(reason, None if line is None else line + self._lines_before())

    def _lines_before(self) -> int:
        count, left = 0, self.begin
        with open_binary(Path(self.path), Source(self.name)) as stream:
            while left:
                data = stream.read(min(left, _SOME))
                count, left = count + data.count(b"\n"), left - len(data) if data else 0
        return count


def _line_from(stream: BinaryIO, place: int) -> int:
    """Where the first line begins that begins at a place or after it; the end where there is none."""
    if not place:
        return 0
    stream.seek(place - 1)
    while data := stream.read(_SOME):
        if (at := data.find(b"\n")) >= 0:
            return stream.tell() - len(data) + at + 1
    return stream.tell()


def _row_groups(path: str, name: str) -> Iterator[AnnotationPiece]:
    require("app", "reading Parquet", "pyarrow")
    import pyarrow.parquet
    from pyarrow.lib import ArrowException

    try:
        about = pyarrow.parquet.ParquetFile(path).metadata
        rows = [about.row_group(k).num_rows for k in range(about.num_row_groups)]
    except (ArrowException, OSError, ValueError) as error:
        reason = shown(str(error).partition(chr(10))[0], 100)
        raise Source(name).error(f"no Parquet file of annotations ({reason})") from None
    if not sum(rows):
        raise Source(name).error("holds no annotations")
    start, held = 0, 0
    for k, count in enumerate(rows):
        held += count
        if held >= ROWS or k == len(rows) - 1:
            yield AnnotationPiece(path, name, PARQUET, start, k + 1, held)
            start, held = k + 1, 0
