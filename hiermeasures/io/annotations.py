"""Annotations of targets with terms, a line each: `target term` for what is true, `target term score` for what is
predicted, as CAFA and the tools around it write them. Text, plain or compressed by gzip, and Parquet.

Which targets and terms are known, and what the scores mean, is not asked here.
"""

import gzip
import io
import math
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from hiermeasures.errors import InputError, shown
from hiermeasures.extras import require
from hiermeasures.io.parquet_memory import BY_PAGES, check_rows
from hiermeasures.io.source import Limits, Source, decode, load, size_in_words

HEADER = frozenset({"AUTHOR", "MODEL", "KEYWORDS", "ACCURACY", "END"})  # of a submission to CAFA
GZIP, PARQUET = b"\x1f\x8b", b"PAR1"
_EXACT: dict[str, Any] = {} if int(pd.__version__.partition(".")[0]) >= 3 else {"float_precision": "round_trip"}


@dataclass(frozen=True, eq=False)
class Annotations:
    """Pairs of a target and a term, as numbers of their names: `target` and `term` (int32), one place a line, and
    `score` (float64) where there are scores. `name` is what messages call the file.
    """

    name: str
    targets: np.ndarray
    terms: np.ndarray
    target: np.ndarray
    term: np.ndarray
    score: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.target)


def read_annotations(
    path_or_bytes: Any, *, scored: bool, name: str = "", limits: Limits | None = None, called: str = "score"
) -> Annotations:
    """The annotations in a file.

    Parameters
    ----------
    path_or_bytes : str, path, bytes or binary stream
        Columns separated by tabs or blanks; further columns are not read. Parquet: the first columns of the table.
    scored : bool
        Whether a third column holds a number from 0 to 1.
    name, limits
        As for `read_hierarchy`.
    called : str
        What messages call the number.

    Raises
    ------
    InputError
        Naming the file and the line of what is no annotation, or no score from 0 to 1; for a name that is too long.

    Examples
    --------
    >>> found = read_annotations(b"P1\\tA\\t0.5\\nP2\\tA\\t1\\n", scored=True)
    >>> found.targets[found.target].tolist(), found.score.tolist()
    (['P1', 'P2'], [0.5, 1.0])
    >>> read_annotations(b"P1\\tA\\t0.5\\nP2\\tA\\thigh\\n", scored=True, name="p.tsv")
    Traceback (most recent call last):
    hiermeasures.errors.InputError: p.tsv, line 2: the score 'high' is no number
    """
    data, source, limits = load(path_or_bytes, name, limits)
    if data.startswith(PARQUET):
        frame, lines = frame_of_parquet(io.BytesIO(data), source, limits, scored), None
    else:
        data = _unpacked(data, source, limits) if data.startswith(GZIP) else data
        frame, lines = frame_of_text(data, source, scored, called)
    if not len(frame):
        raise source.error("holds no annotations")
    return annotations_of(frame, lines, source, limits, scored, called)


def annotations_of(
    frame: pd.DataFrame, lines: np.ndarray | None, source: Source, limits: Limits, scored: bool, called: str = "score"
) -> Annotations:
    """The annotations in the rows of a table, checked; `lines` are those of its rows in the file."""
    found = Annotations(source.name, *_numbered(frame), frame["score"].to_numpy(np.float64) if scored else None)
    longest = max((*found.targets, *found.terms), key=len, default="")
    if len(longest) > limits.label:
        most = f"at most {limits.label:,} are read"
        raise source.error(f"a name of {len(longest):,} characters ({shown(longest, 20)}); {most}")
    if scored:
        _check_scores(found, source, lines, called)
    return found


def _numbered(frame: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Names of targets, names of terms, and their numbers line by line."""
    columns = [frame[key].astype("category").cat for key in ("target", "term")]
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


# --- text ---------------------------------------------------------------------------------------------------------


def frame_of_text(data: bytes, source: Source, scored: bool, called: str) -> tuple[pd.DataFrame, np.ndarray]:
    """The table, and the line of each row."""
    if b"\x00" in data[:1000]:
        decode(data, source)
    names = _names(scored)
    start = _header_lines(data)

    def table(kind: Any) -> pd.DataFrame:
        return pd.read_csv(
            io.BytesIO(data),
            sep="\t" if b"\t" in data[:100_000] else r"\s+",
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
        raise _first_fault(data, source, scored, called) from None
    empty = frame["target"].isna() & frame["term"].isna()
    partial = frame[names].isna().any(axis=1) & ~empty & ~frame["target"].isin(HEADER)
    if partial.any():
        raise _first_fault(data, source, scored, called)
    whole = frame[names].notna().all(axis=1).to_numpy()
    return frame[whole], np.flatnonzero(whole) + start + 1


def _header_lines(data: bytes) -> int:
    """How many lines at the beginning are the header of a submission to CAFA."""
    count = 0
    for line in data[:10_000].split(b"\n"):
        words = line.split(None, 1)
        if not words or words[0].decode("utf-8", "replace") not in HEADER:
            return count
        count += 1
    return count


def _first_fault(data: bytes, source: Source, scored: bool, called: str) -> InputError:
    """What is wrong with the first line that is no annotation."""
    text = decode(data, source)
    columns = 3 if scored else 2
    form = f"`target term {called}`" if scored else "`target term`"
    if not text.strip():
        return source.error("holds no annotations")
    for number, line in enumerate(text.split("\n"), 1):
        cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
        if not any(cells) or cells[0] in HEADER:
            continue
        if len(cells) < columns or not all(cells[:columns]):
            return source.error(f"an annotation is {form}, not {shown(line, 60)}", number)
        if scored:
            try:
                wrong = math.isnan(float(cells[2]))
            except ValueError:
                wrong = True
            if wrong:
                return source.error(f"the {called} {shown(cells[2])} is no number", number)
    return source.error(f"cannot be read as lines of {form}")


def _check_scores(found: Annotations, source: Source, lines: np.ndarray | None, called: str) -> None:
    assert found.score is not None
    wrong = np.flatnonzero(~((found.score >= 0) & (found.score <= 1)))
    if len(wrong):
        k = wrong[0]
        where = None if lines is None else int(lines[k])
        row = f"row {k + 1}: " if lines is None else ""
        raise source.error(f"{row}the {called} {found.score[k]:g} is not from 0 to 1", where)


# --- Parquet ------------------------------------------------------------------------------------------------------


def frame_of_parquet(file: Any, source: Source, limits: Limits, scored: bool) -> pd.DataFrame:
    """The first columns of a file, given by its path or as a stream."""
    with _parquet_in_words(source):
        file = _opened(file)
        check_rows(file, source, limits)
        return _as_frame(file.read(columns=_columns(file, source, scored)), source, scored)


def frames_of_parquet(
    path: str, source: Source, limits: Limits, rows: range, at_once: int
) -> Iterator[tuple[int, pd.DataFrame]]:
    """Some rows of a file of predictions, so many at once, each time with the number of the first one.

    A row group is read page by page. It cannot be entered but at its beginning: what is before these rows is read, too.
    """
    with _parquet_in_words(source):
        file = _opened(path, **BY_PAGES)
        groups, row = _groups_of(file, rows)
        check_rows(file, source, limits, groups)
        for batch in file.iter_batches(at_once, groups, _columns(file, source, True), use_threads=False):
            first, last = max(rows.start, row), min(rows.stop, row + len(batch))
            if first < last:
                yield first, _as_frame(batch.slice(first - row, last - first), source, True)
            row += len(batch)
            if row >= rows.stop:
                return


def _opened(file: Any, **settings: Any) -> Any:
    require("app", "reading Parquet", "pyarrow")
    import pyarrow.parquet

    return pyarrow.parquet.ParquetFile(file, **settings)


def _groups_of(file: Any, rows: range) -> tuple[list[int], int]:
    """The row groups that some rows are in, and the first row of these groups."""
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


@contextmanager
def _parquet_in_words(source: Source) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # pyarrow raises many kinds for damaged files
        reason = f"no Parquet file of annotations ({shown(str(error).partition(chr(10))[0], 100)})"
        raise source.error(reason) from None
