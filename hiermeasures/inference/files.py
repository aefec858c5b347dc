"""Readers for files of probabilities: NPZ, Parquet, and CSV with one column per class.

Files are untrusted: nothing in them is executed (no pickles), sizes are looked at before anything is unpacked, and what
cannot be used is an InputError that says where. What the numbers mean is the business of probabilities.py.
"""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np

from hiermeasures.errors import InputError, listed, shown, unknown
from hiermeasures.extras import require
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference.conversions import Kind
from hiermeasures.inference.probabilities import ProbabilityTable
from hiermeasures.io.labels import LabelFile
from hiermeasures.io.labels.alignment import counted, first_few
from hiermeasures.io.npz import NAME, ArrayFile
from hiermeasures.io.parquet_memory import (
    as_python,
    check_memory,
    memory_given_back,
    memory_of,
    text_columns,
    too_large,
)
from hiermeasures.io.source import UPLOAD, Source, size_in_words

FORMATS: dict[str, str] = {
    "npz": "NumPy archive with `probabilities` (instances, classes), `classes` (names) and, optionally, `ids`.",
    "parquet": "Parquet table with one column per class and, optionally, an id column.",
    "csv": "Comma-, semicolon- or tab-separated text with one column per class and, optionally, an id column.",
}

MEMORY_LIMIT = 4 * 10**9
"""The most bytes that a file on one's own disk may take in memory; an upload, which its server shares with others,
takes `UPLOAD.memory` at most.
"""
_CELL = 16  # bytes made of a number beside its own: as a float, and at its class's place in the table


@dataclass(frozen=True, eq=False)
class RawProbabilities:
    """The content of a file before it meets a hierarchy: numbers (instances, columns), column names, ids or None, and
    what messages call the file.
    """

    values: np.ndarray
    classes: tuple[str, ...]
    ids: tuple[str, ...] | None
    name: str

    def table(self, hierarchy: Hierarchy, **settings: Any) -> ProbabilityTable:
        """The table over the classes of a hierarchy, with the settings of `ProbabilityTable.of`."""
        try:
            return ProbabilityTable.of(hierarchy, self.values, self.classes, ids=self.ids, **settings)
        except InputError as error:
            raise InputError(f"{self.name}: {error}") from None


def read_probabilities(
    source: str | Path | bytes | BinaryIO,
    hierarchy: Hierarchy,
    *,
    format: str | None = None,
    kind: Kind = "nodes",
    missing: Literal["zero", "error"] = "zero",
    unknown_classes: Literal["error", "drop"] = "error",
    id_column: str = "id",
    memory_limit: int | None = None,
) -> ProbabilityTable:
    """A table of probabilities from a file.

    Parameters
    ----------
    source : path, bytes, or binary file
    hierarchy : Hierarchy
    format : "npz", "parquet" or "csv", optional
        Recognised by the content where it is not given.
    kind, missing, unknown_classes
        As for `ProbabilityTable.of`.
    id_column : str
        The column that names the instances, in CSV and Parquet; it is not taken for a class even if there is one of
        that name.
    memory_limit : int, optional
        The most bytes that its content may take in memory; by default `MEMORY_LIMIT` for paths, and what an upload may
        take for bytes and streams.

    Raises
    ------
    InputError
        For a file that cannot be read, a missing array, a cell that is no number (row and column named), and as
        `ProbabilityTable.of`.
    """
    raw = read_raw_probabilities(source, format=format, id_column=id_column, memory_limit=memory_limit)
    return raw.table(hierarchy, kind=kind, missing=missing, unknown_classes=unknown_classes)


def read_raw_probabilities(
    source: str | Path | bytes | BinaryIO,
    *,
    format: str | None = None,
    id_column: str = "id",
    memory_limit: int | None = None,
    name: str = "",
) -> RawProbabilities:
    """The numbers and names of a file, before they meet a hierarchy; `name` is the file's, for bytes. As
    `read_probabilities` otherwise.
    """
    content, called = _opened(source, name)
    if memory_limit is None:
        memory_limit = MEMORY_LIMIT if isinstance(source, (str, Path)) else UPLOAD.memory
    with content:
        chosen = format or _recognised(content, called)
        if chosen not in _READERS:
            raise InputError(unknown("format", str(chosen), FORMATS))
        try:
            return _READERS[chosen](content, called, id_column, memory_limit)
        except MemoryError:
            raise InputError(f"{called} does not fit into memory") from None


def match_labels(table: ProbabilityTable, truth: LabelFile) -> tuple[list[frozenset[str]], list[str]]:
    """The labels of a file in the order of the probabilities, by id where both have the ids, else line by line; and
    what there is to say about that.

    Raises
    ------
    InputError
        Where instances have no labels.
    """
    if truth.ids is None or (not set(truth.ids) & set(table.ids) and len(truth) == len(table)):
        notes = [] if truth.ids is None else ["no id occurs in both files, so instances are matched line by line"]
        return list(truth.labels), notes
    known = dict(zip(truth.ids, truth.labels, strict=True))
    absent = [name for name in table.ids if name not in known]
    if absent:
        raise InputError(f"{len(absent):,} of {len(table):,} instances have no true labels, {shown(absent[0])} for one")
    wanted = set(table.ids)
    extra = [name for name in truth.ids if name not in wanted]
    notes = (
        [f"{counted(extra, 'labelled instance')} without probabilities ({first_few(extra)}), left out"] if extra else []
    )
    return [known[name] for name in table.ids], notes


def _opened(source: str | Path | bytes | BinaryIO, name: str) -> tuple[BinaryIO, str]:
    if isinstance(source, bytes):
        return io.BytesIO(source), shown(Path(name).name) if name else "the upload"
    if isinstance(source, (str, Path)):
        try:
            return open(source, "rb"), shown(Path(source).name)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is no path"
            raise InputError(f"cannot open {shown(str(source))}: {reason}") from None
    return io.BytesIO(source.read()), shown(Path(str(getattr(source, "name", "the upload"))).name)


def _recognised(content: BinaryIO, name: str) -> str:
    """The format by the first bytes."""
    start = content.read(4)
    content.seek(0)
    if start == b"PAR1":
        return "parquet"
    if start[:2] == b"PK":
        return "npz"
    if not start:
        raise InputError(f"{name} is empty")
    return "csv"


# --- NPZ ----------------------------------------------------------------------------------------------------------


def _read_npz(content: BinaryIO, name: str, id_column: str, memory_limit: int) -> RawProbabilities:
    file = ArrayFile(content, Source(name))
    found = file.load(("probabilities", "classes", "ids"), memory_limit, per_cell=_CELL)
    for key in ("probabilities", "classes"):
        if key not in found:
            raise InputError(f"{name} has no array {key!r}; it has {listed(file.headers) if file.headers else 'none'}")
    ids = _texts(found["ids"], "ids", name) if "ids" in found else None
    return RawProbabilities(found["probabilities"], _texts(found["classes"], "classes", name), ids, name)


def _texts(array: np.ndarray, what: str, name: str) -> tuple[str, ...]:
    if array.ndim != 1 or array.dtype.kind not in "USiu":
        raise InputError(
            f"{name}: the array {what!r} is a list of names, not {array.ndim}-dimensional {array.dtype.name} values"
        )
    if array.dtype.kind == "S":
        try:
            return tuple(value.decode("utf-8") for value in array.tolist())
        except UnicodeDecodeError:
            raise InputError(f"{name}: the array {what!r} is not UTF-8 text") from None
    return tuple(map(str, array.tolist()))


# --- Parquet ------------------------------------------------------------------------------------------------------


@memory_given_back()
def _read_parquet(content: BinaryIO, name: str, id_column: str, memory_limit: int) -> RawProbabilities:
    require("app", "reading Parquet", "pyarrow")
    import pyarrow.parquet as parquet
    from pyarrow.lib import ArrowException

    source = Source(name)
    try:
        file = parquet.ParquetFile(content)
        for field in file.schema_arrow:
            if field.name != id_column:
                _check_numeric(field, name)
        check_memory(file, source, memory_limit, per_cell=_CELL)
        texts = text_columns(file)
        content.seek(0)
        table = parquet.ParquetFile(content, read_dictionary=texts).read()
        size = sum(memory_of(chunk) for column in table.columns for chunk in column.chunks)
        if size + table.num_rows * NAME > memory_limit:
            raise too_large(size + table.num_rows * NAME, source, memory_limit)
        names = [c for c in table.column_names if c != id_column]
        columns = [
            table.column(i).cast("float64").to_numpy() for i, c in enumerate(table.column_names) if c != id_column
        ]
        ids = None
        if id_column in table.column_names:
            ids = tuple(str(value) for chunk in table.column(id_column).chunks for value in as_python(chunk))
    except InputError:
        raise
    except (ArrowException, OSError, ValueError, KeyError, MemoryError):
        raise InputError(f"{name} is no Parquet file that can be read, or it is damaged") from None
    values = np.stack(columns, axis=1) if columns else np.empty((table.num_rows, 0))
    return RawProbabilities(values, tuple(names), ids, name)


def _check_numeric(field: Any, name: str) -> None:
    from pyarrow import types

    if not (
        types.is_floating(field.type)
        or types.is_integer(field.type)
        or types.is_decimal(field.type)
        or types.is_boolean(field.type)
    ):
        raise InputError(f"{name}: column {shown(field.name)} holds {shown(str(field.type))[1:-1]} values, not numbers")


# --- CSV ----------------------------------------------------------------------------------------------------------


def _read_csv(content: BinaryIO, name: str, id_column: str, memory_limit: int) -> RawProbabilities:
    data = content.read(memory_limit + 1)
    _check_size(len(data), name, memory_limit)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 text (byte {error.start:,})") from None
    if "\0" in text:
        raise InputError(f"{name} is no text file: it holds a NUL character")
    header_line = text.lstrip("\r\n").partition("\n")[0]
    separator = max(",;\t", key=header_line.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        header, numbers, ids = _table_of(rows, name, id_column)
    except csv.Error as error:
        raise InputError(f"{name}, line {rows.line_num}: {error}") from None
    return RawProbabilities(numbers, header, ids, name)


def _table_of(rows: Any, name: str, id_column: str) -> tuple[tuple[str, ...], np.ndarray, tuple[str, ...] | None]:
    header = next((row for row in rows if row), None)
    if header is None:
        raise InputError(f"{name} is empty")
    at = header.index(id_column) if id_column in header else None
    ids: list[str] = []
    numbers: list[np.ndarray] = []
    for row in rows:
        if not row:
            continue
        if len(row) != len(header):
            raise InputError(f"{name}, line {rows.line_num}: {len(row)} cells, but the header has {len(header)}")
        if at is not None:
            ids.append(row.pop(at))
        numbers.append(_floats(row, [c for i, c in enumerate(header) if i != at], name, rows.line_num))
    names = tuple(c for i, c in enumerate(header) if i != at)
    values = np.array(numbers) if numbers else np.empty((0, len(names)))
    return names, values, tuple(ids) if at is not None else None


def _floats(row: Sequence[str], names: Sequence[str], name: str, line: int) -> np.ndarray:
    try:
        return np.array(row, dtype=np.float64)
    except ValueError:
        pass
    for cell, label in zip(row, names, strict=True):
        try:
            float(cell)
        except ValueError:
            what = f"{shown(cell)} is no number" if cell.strip() else "the cell is empty"
            raise InputError(f"{name}, line {line}, column {shown(label)}: {what}") from None
    raise InputError(f"{name}, line {line}: the cells are not all numbers")


def _check_size(size: int, name: str, memory_limit: int) -> None:
    if size > memory_limit:
        raise InputError(f"{name} is larger than {size_in_words(memory_limit)}, which is the most that is read here")


_READERS: dict[str, Callable[[BinaryIO, str, str, int], RawProbabilities]] = {
    "npz": _read_npz,
    "parquet": _read_parquet,
    "csv": _read_csv,
}
