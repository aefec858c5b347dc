"""Annotations of targets with terms, a line each: `target term` for what is true, `target term
score` for what is predicted, as CAFA and the tools around it write them. Text, plain or compressed
by gzip, and Parquet.

Which targets and terms are known, and what the scores mean, is not asked here. Weights of classes,
as CAFA's tools write them, are read here too.
"""

import gzip
import io
import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hiermeasures.core.errors import shown
from hiermeasures.formats.bounded import check_rows
from hiermeasures.formats.labels.label_file import Reading, pieces
from hiermeasures.formats.rows import Cut, Rows, filled, numbers_of, rows_of
from hiermeasures.formats.source import Limits, Source, checked_text, decode, load, size_in_words

HEADER = frozenset({"AUTHOR", "MODEL", "KEYWORDS", "ACCURACY", "END"})  # of a submission to CAFA
HEAD, BEGINNING = 10_000, 100_000  # bytes searched for a header, and for the separator of columns
GZIP, PARQUET = b"\x1f\x8b", b"PAR1"


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
        Naming the file and the line of what is not an annotation, or not a score from 0 to 1; for a
        name that is too long.

    Examples
    --------
    >>> found = read_annotations(b"P1\\tA\\t0.5\\nP2\\tA\\t1\\n", scored=True)
    >>> found.targets[found.target].tolist(), found.score.tolist()
    (['P1', 'P2'], [0.5, 1.0])
    >>> read_annotations(b"P1\\tA\\t0.5\\nP2\\tA\\thigh\\n", scored=True, name="p.tsv")
    Traceback (most recent call last):
    hiermeasures.core.errors.InputError: p.tsv, line 2: the score 'high' is not a number
    """
    data, source, limits = load(path_or_bytes, name, limits)
    count = 3 if scored else 2
    if data.startswith(PARQUET):
        tables = _of_parquet(data, source, limits, count)
    else:
        tables = _of_text(_unpacked(data, source, limits), source, limits, count)
    names: tuple[dict[str, int], dict[str, int]] = ({}, {})
    pairs: list[tuple[np.ndarray, np.ndarray]] = []
    scores: list[np.ndarray] = []
    for lines, columns in tables:
        pairs.append((numbers_of(columns[0], names[0]), numbers_of(columns[1], names[1])))
        if scored:
            scores.append(_scores(columns[2], lines, source))
    if not any(len(target) for target, _ in pairs):
        raise source.error("holds no annotations")
    if len(longest := max((*names[0], *names[1]), key=len)) > limits.label:
        most = f"at most {limits.label:,} are read"
        raise source.error(f"a name of {len(longest):,} characters ({shown(longest, 20)}); {most}")
    (targets, target), (terms, term) = (_by_name(names[k], np.concatenate([pair[k] for pair in pairs])) for k in (0, 1))
    score = np.concatenate(scores) if scored else None
    return Annotations(source.name, targets, terms, target=target, term=term, score=score)


def _by_name(names: dict[str, int], numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the names in alphabetical order, and the numbers that they have in it."""
    ordered = sorted(names)
    place = np.empty(len(names), np.int32)
    place[[names[name] for name in ordered]] = np.arange(len(names))
    return np.array(ordered, dtype=object), place[numbers]


def _scores(column: pa.Array, lines: np.ndarray | None, source: Source) -> np.ndarray:
    try:
        score: np.ndarray = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    except pa.ArrowInvalid:  # Python knows more ways to write a number
        score = np.array([_number(text) for text in column.to_pylist()])
    for k in np.flatnonzero(~((score >= 0) & (score <= 1)))[:1].tolist():
        row, line = (f"row {k + 1}: ", None) if lines is None else ("", int(lines[k]))
        if math.isnan(score[k]):
            raise source.error(f"{row}the score {shown(str(column[k].as_py()))} is not a number", line)
        raise source.error(f"{row}the score {score[k]:g} is not from 0 to 1", line)
    return score


def _unpacked(data: bytes, source: Source, limits: Limits) -> bytes:
    if not data.startswith(GZIP):
        return data
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            found = stream.read(limits.bytes + 1)
    except (OSError, EOFError, zlib.error):
        raise source.error("a gzip file that is cut short or damaged") from None
    if len(found) > limits.bytes:
        raise source.error(f"unpacks to more than {size_in_words(limits.bytes)}, which is the most that is read here")
    return found


_Table = tuple[np.ndarray | None, list[pa.Array]]  # the line of each row, where there are lines, and columns


def _of_text(data: bytes, source: Source, limits: Limits, count: int) -> Iterator[_Table]:
    """Yield the annotations. Of the header nothing is read, and an author's name may be in any
    encoding.
    """
    lines = data[:HEAD].split(b"\n")
    start = next(
        (k for k, line in enumerate(lines) if (line.split() or [b""])[0].decode("latin-1") not in HEADER), len(lines)
    )
    begin = sum(len(line) + 1 for line in lines[:start])
    data = b"\n" * start + data[begin:]
    cut = Cut("\t" if b"\t" in data[:BEGINNING] else None)
    reading = Reading(source, replace(limits, lines=limits.bytes))
    for rows in rows_of(pieces(io.BytesIO(data), reading), cut, source):
        is_whole = filled(pc.list_slice(rows.cells, 0, count))[0] == count
        _check_others(rows.where(~is_whole & (rows.filled > 0)), cut, count, source)
        rows = rows.where(is_whole)
        yield rows.lines, [rows.column(k) for k in range(count)]


def _check_others(rows: Rows, cut: Cut, count: int, source: Source) -> None:
    """Refuse rows that are not annotations, nor of a header."""
    for cells, line in zip(rows.cells.to_pylist(), rows.lines.tolist(), strict=True):
        if cells[0].partition(" ")[0] not in HEADER:
            form = "`target term score`" if count == 3 else "`target term`"
            raise source.error(f"an annotation is {form}, not {shown((cut.separator or ' ').join(cells), 60)}", line)


def _of_parquet(data: bytes, source: Source, limits: Limits, count: int) -> Iterator[_Table]:
    """Yield the first columns of a file."""
    from pyarrow.parquet import ParquetFile

    needed = ["target", "term", "score"][:count]
    with source.damaged("no Parquet file of annotations"):
        file = ParquetFile(io.BytesIO(data))
        check_rows(file, source, limits)
        columns = file.schema_arrow.names[:count]
        if len(columns) < count:
            raise source.error(f"has {len(columns)} columns; needed are {', '.join(needed)}")
        table = file.read(columns=columns)
        found = [column.combine_chunks() for column in table.columns]
        if any(column.null_count for column in found):
            raise source.error("an annotation without a target, a term or a score")
        texts = [column.cast(pa.string()) for column in found[:2]]
        yield None, [*texts, *(column.cast(pa.float64()) for column in found[2:])]


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
        Naming the file and the line of what is not a class with a weight, and of a class that is
        there twice.

    Examples
    --------
    >>> read_weights(b"A\\t0\\nB\\t1.5\\n")
    {'A': 0.0, 'B': 1.5}
    >>> read_weights(b"A\\t0\\nB\\t-1\\n", name="ia.tsv")
    Traceback (most recent call last):
    hiermeasures.core.errors.InputError: ia.tsv, line 2: the weight '-1' of 'B' is not a number from 0 up
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
            raise source.error(f"the weight {shown(text, 20)} of {shown(label)} is not a number from 0 up", number)
        if label in found:
            raise source.error(f"class {shown(label)} is there twice", number)
        found[label] = weight
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
