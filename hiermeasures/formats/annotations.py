"""Annotations of targets with terms, a line each: `target term` for what is true, `target term
score` for what is predicted, as CAFA and the tools around it write them. Text, plain or compressed
by gzip, and Parquet.

Which targets and terms are known, and what the scores mean, is not asked here. `AnnotationPiece`s
are for files that no process has to hold whole. Weights of classes, as CAFA's tools write them, are
read here too.
"""

import gzip
import io
import math
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pandas as pd

from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.extras import require
from hiermeasures.formats.bounded import BY_PAGES, check_rows
from hiermeasures.formats.source import FILE, Limits, Source, checked_text, decode, load, open_binary, size_in_words

HEADER = frozenset({"AUTHOR", "MODEL", "KEYWORDS", "ACCURACY", "END"})  # of a submission to CAFA
HEAD, BEGINNING = 10_000, 100_000  # bytes searched for a header, and for the separator of columns
_ASCII = bytes(range(128)) + b"?" * 128
GZIP, PARQUET = b"\x1f\x8b", b"PAR1"
NO_PARQUET = "no Parquet file of annotations"
BYTES, ROWS = 2**26, 2_000_000  # the most of a piece, about
RUN_BYTES, RUN_ROWS = 2**24, 500_000  # of a run, which takes several times the memory once it is read
PIECES, LEAST = 8, 2**22  # the fewest pieces of all text, of LEAST bytes or more each
PACKED_BYTES, GROUP_ROWS = 2**25, 8_000_000  # of a piece of what gzip packed, and of a large row group
LINE = 16  # the fewest bytes of a line of text, about
PACKED = 3  # bytes that one byte of gzip unpacks to, about
_SOME = 2**20  # bytes read at a time
_EXACT: dict[str, Any] = {} if int(pd.__version__.partition(".")[0]) >= 3 else {"float_precision": "round_trip"}


@dataclass(frozen=True, eq=False)
class Annotations:
    """Pairs of a target and a term, as numbers of their names: `target` and `term` (int32), a place
    for each line, and `score` (float64) where there are scores. `name` is what messages call the
    file.
    """

    name: str
    targets: np.ndarray
    terms: np.ndarray
    target: np.ndarray
    term: np.ndarray
    score: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.target)


def read_annotations(path_or_bytes: Any, *, scored: bool, name: str = "", limits: Limits | None = None) -> Annotations:
    """The annotations in a file.

    Parameters
    ----------
    path_or_bytes : str, path, bytes or binary stream
        Columns separated by tabs or blanks; further columns are not read. Parquet: the first
        columns of the table.
    scored : bool
        Whether a third column holds a number from 0 to 1.
    name, limits
        As for `read_hierarchy`.

    Raises
    ------
    InputError
        Naming the file and the line of what is no annotation, or no score from 0 to 1; for a name
        that is too long.

    Examples
    --------
    >>> found = read_annotations(b"P1\\tA\\t0.5\\nP2\\tA\\t1\\n", scored=True)
    >>> found.targets[found.target].tolist(), found.score.tolist()
    (['P1', 'P2'], [0.5, 1.0])
    >>> read_annotations(b"P1\\tA\\t0.5\\nP2\\tA\\thigh\\n", scored=True, name="p.tsv")
    Traceback (most recent call last):
    hiermeasures.core.errors.InputError: p.tsv, line 2: the score 'high' is no number
    """
    data, source, limits = load(path_or_bytes, name, limits)
    if data.startswith(PARQUET):
        frame, lines = frame_of_parquet(io.BytesIO(data), source, limits, scored), None
    else:
        data = with_plain_header(_unpacked(data, source, limits) if data.startswith(GZIP) else data)
        frame, lines = frame_of_text(data, source, scored)
    if not len(frame):
        raise source.error("holds no annotations")
    return annotations_of(frame, lines, source=source, limits=limits, scored=scored)


def annotations_of(
    frame: pd.DataFrame, lines: np.ndarray | None, source: Source, limits: Limits, scored: bool
) -> Annotations:
    """Return a table's annotations, checked; `lines` are those of its rows in the file."""
    found = Annotations(source.name, *_numbered(frame), frame["score"].to_numpy(np.float64) if scored else None)
    longest = max((*found.targets, *found.terms), key=len, default="")
    if len(longest) > limits.label:
        most = f"at most {limits.label:,} are read"
        raise source.error(f"a name of {len(longest):,} characters ({shown(longest, 20)}); {most}")
    if found.score is not None:
        for k in np.flatnonzero(~((found.score >= 0) & (found.score <= 1)))[:1].tolist():
            row, where = (f"row {k + 1}: ", None) if lines is None else ("", int(lines[k]))
            raise source.error(f"{row}the score {found.score[k]:g} is not from 0 to 1", where)
    return found


def _numbered(frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    columns = [frame[key].astype("category").cat.remove_unused_categories().cat for key in ("target", "term")]
    names = [column.categories.to_numpy(dtype=object) for column in columns]
    codes = [column.codes.to_numpy(np.int32) for column in columns]
    return names[0], names[1], codes[0], codes[1]


def _unpacked(data: bytes, source: Source, limits: Limits) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            found = stream.read(limits.bytes + 1)
    except (OSError, EOFError, zlib.error):
        raise damaged_gzip(source) from None
    check_unpacked(len(found), source, limits)
    return found


def damaged_gzip(source: Source) -> InputError:
    return source.error("a gzip file that is cut short or damaged")


def check_unpacked(size: int, source: Source, limits: Limits) -> None:
    if size > limits.bytes:
        raise source.error(f"unpacks to more than {size_in_words(limits.bytes)}, which is the most that is read here")


# --- text ---------------------------------------------------------------------------------------


def frame_of_text(
    data: bytes, source: Source, scored: bool, *, at_top: bool = True, tabs: bool | None = None
) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the table, and the line of each row. `tabs` is given where `data` is a part."""
    start, tabs = _header_lines(data) if at_top else 0, has_tabs(data) if tabs is None else tabs
    if b"\x00" in data[:1000]:
        decode(data, source)
    names = _names(scored)

    def table(kind: Any) -> pd.DataFrame:
        return pd.read_csv(
            io.BytesIO(data),
            sep="\t" if tabs else r"\s+",
            names=names,
            usecols=range(len(names)),
            dtype={"target": kind, "term": kind} | ({"score": "float64"} if scored else {}),
            skiprows=start,
            skip_blank_lines=False,
            header=None,
            quoting=3,
            keep_default_na=False,
            na_values={name: [""] for name in names},
            encoding="utf-8",
            low_memory=False,
            **_EXACT,
        )

    try:
        frame = table("category")
        if not all(isinstance(name, str) for key in names[:2] for name in frame[key].cat.categories[:1]):
            frame = table(str)  # slower; pandas takes categories that all look like numbers for numbers, 01 for 1
    except (ValueError, pd.errors.ParserError):
        if fault := _first_fault(data, source, scored, start=start, tabs=tabs):
            raise fault from None
        frame = pd.DataFrame({"target": [], "term": [], "score": np.zeros(0)})[names]  # of lines of a header alone
    whole = frame[names].notna().all(axis=1).to_numpy()
    partial = ~whole & ~(frame["target"].isna() & frame["term"].isna()).to_numpy()
    words = (str(target).partition(" ")[0] for target in frame["target"][partial])
    if not HEADER.issuperset(words) and (fault := _first_fault(data, source, scored, start=start, tabs=tabs)):
        raise fault
    return frame[whole], np.flatnonzero(whole) + start + 1


def with_plain_header(data: bytes) -> bytes:
    """The bytes of a file with a question mark for each byte of the header that is not ASCII:
    nothing of it is read, and an author's name may be in any encoding.
    """
    size = sum(len(line) + 1 for line in data[:HEAD].split(b"\n")[: _header_lines(data)])
    return data if data[:size].isascii() else data[:size].translate(_ASCII) + data[size:]


def _header_lines(data: bytes) -> int:
    count = 0
    for line in data[:HEAD].split(b"\n"):
        words = line.split(None, 1)
        if not words or words[0].decode("utf-8", "replace") not in HEADER:
            return count
        count += 1
    return count


def has_tabs(data: bytes) -> bool:
    return b"\t" in data[:BEGINNING]


def _first_fault(data: bytes, source: Source, scored: bool, *, start: int, tabs: bool) -> InputError | None:
    """Return the error for the first line below `start` that is no annotation, nor of a header."""
    text = decode(data, source)
    columns = 3 if scored else 2
    form = "`target term score`" if scored else "`target term`"
    if not text.strip():
        return source.error("holds no annotations")
    for number, line in enumerate(text.split("\n"), 1):
        cells = [cell.strip() for cell in line.split("\t")] if tabs else line.split()
        whole = len(cells) >= columns and all(cells[:columns])
        if number <= start or not any(cells) or (not whole and cells[0].partition(" ")[0] in HEADER):
            continue
        if not whole:
            return source.error(f"an annotation is {form}, not {shown(line, 60)}", number)
        if scored and math.isnan(_number(cells[2])):
            return source.error(f"the score {shown(cells[2])} is no number", number)
    return None


# --- Parquet ------------------------------------------------------------------------------------


def frame_of_parquet(file: Any, source: Source, limits: Limits, scored: bool) -> pd.DataFrame:
    """The first columns of a file, given by its path or as a stream."""
    with source.damaged(NO_PARQUET):
        file = opened_parquet(file)
        check_rows(file, source, limits)
        return _as_frame(file.read(columns=_columns(file, source, scored)), source, scored)


def frames_of_parquet(
    path: str, source: Source, limits: Limits, rows: range, at_once: int
) -> Iterator[tuple[int, pd.DataFrame]]:
    """Some rows of a file of predictions, so many at once, each time with the number of the first
    one.

    A row group is read page by page. It cannot be entered but at its beginning: what is before
    these rows is read, too.
    """
    with source.damaged(NO_PARQUET):
        file = opened_parquet(path, **BY_PAGES)
        groups, row = _groups_of(file, rows)
        check_rows(file, source, limits, groups)
        for batch in file.iter_batches(at_once, groups, _columns(file, source, True), use_threads=False):
            first, last = max(rows.start, row), min(rows.stop, row + len(batch))
            if first < last:
                yield first, _as_frame(batch.slice(first - row, last - first), source, True)
            row += len(batch)
            if row >= rows.stop:
                return


def opened_parquet(file: Any, **settings: Any) -> Any:
    require("app", "reading Parquet", "pyarrow")
    import pyarrow.parquet

    return pyarrow.parquet.ParquetFile(file, **settings)


def _groups_of(file: Any, rows: range) -> tuple[list[int], int]:
    ends = np.cumsum([file.metadata.row_group(k).num_rows for k in range(file.metadata.num_row_groups)])
    first, last = np.searchsorted(ends, [rows.start, rows.stop - 1], side="right").tolist()
    return list(range(first, last + 1)), int(ends[first - 1]) if first else 0


def _columns(file: Any, source: Source, scored: bool) -> list[str]:
    needed = _names(scored)
    columns: list[str] = file.schema_arrow.names[: len(needed)]
    if len(columns) < len(needed):
        raise source.error(f"has {len(columns)} columns; needed are {', '.join(needed)}")
    return columns


def _names(scored: bool) -> list[str]:
    return ["target", "term", *(["score"] if scored else [])]


def _as_frame(table: Any, source: Source, scored: bool) -> pd.DataFrame:
    frame: pd.DataFrame = table.to_pandas()
    frame.columns = pd.Index(_names(scored))
    frame = frame.astype({"target": str, "term": str} | ({"score": "float64"} if scored else {}))
    if frame.isna().any(axis=None):
        raise source.error("an annotation without a target, a term or a score")
    return frame


# --- pieces -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AnnotationPiece:
    """The lines of a file that begin in its bytes from `start` to below `stop`, or in what is
    unpacked of these; or of Parquet the rows `start` to below `stop`. `rows` says about how many
    lines these are at most, `tabs` what is between their columns.
    """

    path: str
    name: str
    kind: bytes
    start: int
    stop: int
    rows: int
    tabs: bool = True


def pieces_of_files(files: Mapping[str, str | Path]) -> dict[str, list[AnnotationPiece]]:
    """Return the pieces of some files, by name; smaller pieces where there are few small files."""
    sizes = (path.stat().st_size for path in map(Path, files.values()) if path.is_file())
    most = min(BYTES, max(sum(sizes) // PIECES, LEAST))
    return {name: annotation_pieces(path, name, most) for name, path in files.items()}


def annotation_pieces(path: str | Path, name: str, most: int | None = None) -> list[AnnotationPiece]:
    """The pieces of a file, in their order; `name` is what messages call it, and `most` are the
    bytes of a piece of text.

    Raises
    ------
    InputError
        Where it cannot be opened, is empty, or is a damaged Parquet file.
    """
    path = Path(path).absolute()
    if path.is_fifo():
        raise Source(name).error("this is a pipe, which cannot be read in pieces; give a file")
    with open_binary(path, Source(name)) as stream:
        head, size = stream.read(BEGINNING), stream.seek(0, 2)
    kind = head[:4]
    if not size:
        raise Source(name).error("holds no annotations")
    if kind == PARQUET:
        return list(_row_ranges(str(path), name))
    packed = kind.startswith(GZIP)
    most = PACKED_BYTES if packed else most or BYTES
    kind, rows = (GZIP, most * PACKED // LINE) if packed else (b"", most // LINE)
    whole = AnnotationPiece(path=str(path), name=name, kind=kind, start=0, stop=size, rows=rows)
    tabs = has_tabs(_beginning(whole) if packed else head)
    return [replace(whole, start=a, stop=min(a + most, size), tabs=tabs) for a in range(0, size, most)]


def _beginning(piece: AnnotationPiece) -> bytes:
    found = b""
    with suppress(InputError):
        for _, data in _unpacked_parts(piece):
            found += data
            if len(found) >= BEGINNING:
                break
    return found


def read_piece(piece: AnnotationPiece) -> Iterator[Annotations]:
    """Yield the annotations in a piece, perhaps none; InputError as `read_annotations`."""
    if piece.kind == PARQUET:
        source = Source(piece.name)
        for first, frame in frames_of_parquet(
            piece.path, source, FILE, rows=range(piece.start, piece.stop), at_once=RUN_ROWS
        ):
            found = annotations_of(
                frame, None, source=Source(f"{piece.name}, rows from {first + 1:,}"), limits=FILE, scored=True
            )
            yield replace(found, name=piece.name)
        return
    for text, data in _gzip_runs(piece) if piece.kind == GZIP else _text_runs(piece):
        data = data if text.begin else with_plain_header(data)
        decode(data, text, before=text.begin)
        if data.strip():
            frame, lines = frame_of_text(data, text, True, at_top=not text.begin, tabs=piece.tabs)
            yield annotations_of(frame, lines, source=text, limits=FILE, scored=True)


@dataclass(frozen=True)
class _Run(Source):
    """Lines of a file that begin at byte `begin`; messages count the lines of the whole file."""

    begin: int = 0
    lines_before: Callable[[], int] = int

    def error(self, reason: str, line: int | None = None) -> InputError:
        return super().error(reason, None if line is None else line + self.lines_before())


# --- runs of text ------------------------------------------------------------


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
    count = 0
    with open_binary(path, source) as stream:
        while left:
            data = stream.read(min(left, _SOME))
            count, left = count + data.count(b"\n"), left - len(data) if data else 0
    return count


def _line_from(stream: BinaryIO, place: int) -> int:
    """Return the place of the first line that begins at a place or after it, else the end."""
    if not place:
        return 0
    stream.seek(place - 1)
    while data := stream.read(_SOME):
        if (at := data.find(b"\n")) >= 0:
            return stream.tell() - len(data) + at + 1
    return stream.tell()


# --- runs of gzip ------------------------------------------------------------


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
    """Yield text to the end of a piece, with True for lines that begin in it."""
    inside = mine = False  # a line has begun, and it did in the piece
    for at, data in _unpacked_parts(piece):
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


def _unpacked_parts(piece: AnnotationPiece) -> Iterator[tuple[int, bytes]]:
    """Yield the text that gzip packed, in the same parts for all pieces, with their places."""
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


# --- ranges of Parquet ------------------------------------------------------------


def _row_ranges(path: str, name: str) -> Iterator[AnnotationPiece]:
    with Source(name).damaged(NO_PARQUET):
        about = opened_parquet(path).metadata
        rows = [about.row_group(k).num_rows for k in range(about.num_row_groups)]
    if not sum(rows):
        raise Source(name).error("holds no annotations")
    start, held = 0, 0
    for k, count in enumerate(rows):
        held += count
        if held >= ROWS or k == len(rows) - 1:
            most = -(-held // -(-held // GROUP_ROWS)) if held else 1
            for first in range(start, start + held, most):
                last = min(first + most, start + held)
                yield AnnotationPiece(path=path, name=name, kind=PARQUET, start=first, stop=last, rows=last - first)
            start, held = start + held, 0


# --- weights of classes -------------------------------------------------------------------------


def read_weights(path_or_bytes: Any, *, name: str = "", limits: Limits | None = None) -> dict[str, float]:
    """The weight of each class that a file names.

    Parameters
    ----------
    path_or_bytes : str, path, bytes or binary stream
        Class and weight separated by a tab, or by the last blank of the line. Weights are not
        negative; `inf` is one.
    name, limits
        As for `read_hierarchy`.

    Raises
    ------
    InputError
        Naming the file and the line of what is no class with a weight, and of a class that is there
        twice.

    Examples
    --------
    >>> read_weights(b"A\\t0\\nB\\t1.5\\n")
    {'A': 0.0, 'B': 1.5}
    >>> read_weights(b"A\\t0\\nB\\t-1\\n", name="ia.tsv")
    Traceback (most recent call last):
    hiermeasures.core.errors.InputError: ia.tsv, line 2: the weight '-1' of 'B' is no number from 0 up
    """
    data, source, limits = load(path_or_bytes, name, limits)
    found: dict[str, float] = {}
    for number, line in enumerate(checked_text(decode(data, source), source, limits).split("\n"), 1):
        if not line.strip():
            continue
        cells = line.split("\t") if "\t" in line else line.rsplit(None, 1)
        if len(cells) < 2 or not cells[0].strip():
            raise source.error(f"a line is `class weight`, not {shown(line, 60)}", number)
        label, text = cells[0].strip(), cells[1].strip()
        weight = _number(text)
        if not weight >= 0:
            raise source.error(f"the weight {shown(text, 20)} of {shown(label)} is no number from 0 up", number)
        if label in found:
            raise source.error(f"class {shown(label)} is there twice", number)
        found[label] = weight
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
