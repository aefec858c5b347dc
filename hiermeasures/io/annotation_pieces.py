"""Files of scored annotations in pieces, so that no process has to hold a whole one, each read in runs: text by lines,
Parquet by rows, and what gzip packed by the lines that are made of some of its bytes. How lines are read is in
annotations.py.

Neither gzip nor a row group of Parquet can be entered but at its beginning, so that a piece of one reads, and forgets,
what is before it.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from hiermeasures.errors import InputError, shown
from hiermeasures.extras import require
from hiermeasures.io.annotations import (
    GZIP,
    PARQUET,
    Annotations,
    annotations_of,
    check_unpacked,
    damaged_gzip,
    frame_of_text,
    frames_of_parquet,
)
from hiermeasures.io.source import FILE, Source, not_utf8, open_binary

BYTES, ROWS = 2**26, 2_000_000  # of a piece, at about the most
RUN_BYTES, RUN_ROWS = 2**24, 500_000  # of a run: what is made of it takes several times the memory
PIECES, LEAST = 8, 2**22  # of all text at the least, so that a few workers share it, if they have so many bytes each
PACKED_BYTES, GROUP_ROWS = 2**25, 8_000_000  # of a piece of what gzip packed, and of a large row group
LINE = 16  # bytes, at least about, of a line of text
PACKED = 3  # so many bytes or more become of one that gzip wrote, about
_SOME = 2**20  # bytes read at a time


@dataclass(frozen=True)
class AnnotationPiece:
    """The lines of a file that begin in its bytes from `start` to below `stop`, or in what is unpacked of these; or of
    Parquet the rows `start` to below `stop`. `rows` says about how many lines these are at most.
    """

    path: str
    name: str
    kind: bytes
    start: int
    stop: int
    rows: int


def pieces_of_files(files: Mapping[str, str | Path]) -> dict[str, list[AnnotationPiece]]:
    """The pieces of each of some files, by name; of a few small files smaller ones. Raises as `annotation_pieces`."""
    sizes = (path.stat().st_size for path in map(Path, files.values()) if path.is_file())
    most = min(BYTES, max(sum(sizes) // PIECES, LEAST))
    return {name: annotation_pieces(path, name, most) for name, path in files.items()}


def annotation_pieces(path: str | Path, name: str, most: int | None = None) -> list[AnnotationPiece]:
    """The pieces of a file, in their order; `name` is what messages call it, and `most` are the bytes of a piece of
    text.

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
        return list(_row_ranges(str(path), name))
    packed = kind.startswith(GZIP)
    most = PACKED_BYTES if packed else most or BYTES
    kind, rows = (GZIP, most * PACKED // LINE) if packed else (b"", most // LINE)
    return [AnnotationPiece(str(path), name, kind, a, min(a + most, size), rows) for a in range(0, size, most)]


def read_piece(piece: AnnotationPiece) -> Iterator[Annotations]:
    """The annotations in a piece, perhaps none, in runs. InputError as `read_annotations`, with the line in the whole
    file.
    """
    if piece.kind == PARQUET:
        source = Source(piece.name)
        for first, frame in frames_of_parquet(piece.path, source, FILE, range(piece.start, piece.stop), RUN_ROWS):
            found = annotations_of(frame, None, Source(f"{piece.name}, rows from {first + 1:,}"), FILE, True)
            yield replace(found, name=piece.name)
        return
    for text, data in _gzip_runs(piece) if piece.kind == GZIP else _text_runs(piece):
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise not_utf8(data, error.start, text, line, before=text.begin) from None
        if data.strip():
            frame, lines = frame_of_text(data, text, True, "score")
            yield annotations_of(frame, lines, text, FILE, True)


@dataclass(frozen=True)
class _Run(Source):
    """Lines of a file that begin so many bytes into it; messages say which line of the file it is."""

    begin: int = 0
    lines_before: Callable[[], int] = int

    def error(self, reason: str, line: int | None = None) -> InputError:
        return super().error(reason, None if line is None else line + self.lines_before())


# --- text ---------------------------------------------------------------------------------------------------------


def _text_runs(piece: AnnotationPiece) -> Iterator[tuple[_Run, bytes]]:
    path, source = Path(piece.path), Source(piece.name)
    with open_binary(path, source) as stream:
        begin, end = (_line_from(stream, place) for place in (piece.start, piece.stop))
        while begin < end:
            run = _Run(piece.name, begin, partial(_lines_in, path, source, begin))
            begin = _line_from(stream, min(begin + RUN_BYTES, end))
            stream.seek(run.begin)
            yield run, stream.read(begin - run.begin)


def _lines_in(path: Path, source: Source, left: int) -> int:
    """How many lines end in the first bytes of a file."""
    count = 0
    with open_binary(path, source) as stream:
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


# --- gzip ---------------------------------------------------------------------------------------------------------


def _gzip_runs(piece: AnnotationPiece) -> Iterator[tuple[_Run, bytes]]:
    source, held = Source(piece.name), list[bytes]()
    begin = before = size = total = 0

    def run() -> tuple[_Run, bytes]:
        lines = before
        return _Run(piece.name, begin, lambda: lines), b"".join(held)

    for mine, data in _lines_of_gzip(piece):
        if not mine:
            begin, before = begin + len(data), before + data.count(b"\n")
            continue
        held.append(data)
        size, total = size + len(data), total + len(data)
        check_unpacked(total, source, FILE)
        if size >= RUN_BYTES and (end := data.rfind(b"\n") + 1):
            held[-1], rest = data[:end], data[end:]
            yield run()
            begin, before = begin + size - len(rest), before + sum(part.count(b"\n") for part in held)
            held, size = [rest], len(rest)
    yield run()


def _lines_of_gzip(piece: AnnotationPiece) -> Iterator[tuple[bool, bytes]]:
    """The text up to the last line that begins in a piece, and whether it is of lines that begin there."""
    inside = mine = False  # a line has begun, and it did in the piece
    for at, data in _unpacked(piece):
        text = data
        if inside and not mine and at >= piece.start:
            end = text.find(b"\n") + 1 or len(text)
            yield False, text[:end]
            inside, text = not text[:end].endswith(b"\n"), text[end:]
        if at >= piece.stop:
            end = text.find(b"\n") + 1 or len(text)
            if inside and mine:
                yield True, text[:end]
                inside = not text[:end].endswith(b"\n")
            if not inside:
                return
        elif text:
            mine = at >= piece.start
            yield mine, text
            inside = not text.endswith(b"\n")


def _unpacked(piece: AnnotationPiece) -> Iterator[tuple[int, bytes]]:
    """The text of a file that gzip packed, part by part, each with the place of the bytes that it is made of; the same
    parts for all pieces of the file.
    """
    source, at = Source(piece.name), 0
    unpack = zlib.decompressobj(wbits=31)
    with open_binary(Path(piece.path), source) as stream:
        try:
            while packed := stream.read(_SOME):
                while packed:
                    if unpack.eof:
                        if not (packed := packed.lstrip(b"\0")):  # between the members of a file, and behind the last
                            break
                        unpack = zlib.decompressobj(wbits=31)
                    yield at, unpack.decompress(packed, RUN_BYTES)
                    packed = unpack.unused_data if unpack.eof else unpack.unconsumed_tail
                at = stream.tell()
            while not unpack.eof:
                rest = unpack.decompress(b"", RUN_BYTES)
                if not rest and not unpack.eof:
                    raise damaged_gzip(source)
                yield at, rest
        except zlib.error:
            raise damaged_gzip(source) from None


# --- Parquet ------------------------------------------------------------------------------------------------------


def _row_ranges(path: str, name: str) -> Iterator[AnnotationPiece]:
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
            most = -(-held // -(-held // GROUP_ROWS)) if held else 1
            for first in range(start, start + held, most):
                last = min(first + most, start + held)
                yield AnnotationPiece(path, name, PARQUET, first, last, last - first)
            start, held = start + held, 0
