"""Readers for files of probabilities: NPZ, Parquet, and CSV with one column per class.

Files are untrusted: nothing in them is executed (no pickles), sizes are looked at before anything is unpacked, and what
cannot be used is an InputError that says where. What the numbers mean is the business of probabilities.py.
"""

import csv
import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np

from hiermeasures.errors import InputError, listed, shown, unknown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference.conversions import Kind
from hiermeasures.inference.probabilities import ProbabilityTable

FORMATS: dict[str, str] = {
    "npz": "NumPy archive with `probabilities` (instances, classes), `classes` (names) and, optionally, `ids`.",
    "parquet": "Parquet table with one column per class and, optionally, an id column.",
    "csv": "Comma-, semicolon- or tab-separated text with one column per class and, optionally, an id column.",
}

MEMORY_LIMIT = 4 * 2**30
"""The most bytes a file may unpack to."""


@dataclass(frozen=True, eq=False)
class RawProbabilities:
    """The content of a file before it meets a hierarchy: numbers (instances, columns), column names, and ids or
    None.
    """

    values: np.ndarray
    classes: tuple[str, ...]
    ids: tuple[str, ...] | None


def read_probabilities(
    source: str | Path | bytes | BinaryIO,
    hierarchy: Hierarchy,
    *,
    format: str | None = None,
    kind: Kind = "nodes",
    missing: Literal["zero", "error"] = "zero",
    unknown_classes: Literal["error", "drop"] = "error",
    id_column: str = "id",
    memory_limit: int = MEMORY_LIMIT,
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
    memory_limit : int
        The most bytes the file may unpack to.

    Raises
    ------
    InputError
        For a file that cannot be read, a missing array, a cell that is no number (row and column named), and as
        `ProbabilityTable.of`.
    """
    content, name = _opened(source)
    with content:
        chosen = format or _recognised(content, name)
        if chosen not in _READERS:
            raise InputError(unknown("format", str(chosen), FORMATS))
        raw = _READERS[chosen](content, name, id_column, memory_limit)
    try:
        return ProbabilityTable.of(
            hierarchy, raw.values, raw.classes, ids=raw.ids, kind=kind, missing=missing, unknown_classes=unknown_classes
        )
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _opened(source: str | Path | bytes | BinaryIO) -> tuple[BinaryIO, str]:
    if isinstance(source, bytes):
        return io.BytesIO(source), "the upload"
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
    try:
        with zipfile.ZipFile(content) as archive:
            _check_size(sum(entry.file_size for entry in archive.infolist()), name, memory_limit)
        content.seek(0)
        with np.load(content, allow_pickle=False) as arrays:
            found = {key: arrays[key] for key in ("probabilities", "classes", "ids") if key in arrays.files}
            others = arrays.files
    except InputError:
        raise
    except ValueError as error:
        if "pickle" in str(error).lower():
            raise InputError(
                f"{name} holds Python objects, which are not read; save names as text arrays (dtype 'U')"
            ) from None
        raise InputError(f"{name} is no NumPy archive that can be read") from None
    except Exception:  # a damaged archive fails in zipfile, zlib and numpy in many ways
        raise InputError(f"{name} is no NumPy archive that can be read, or it is damaged") from None
    for key in ("probabilities", "classes"):
        if key not in found:
            raise InputError(f"{name} has no array {key!r}; it has {listed(others) if others else 'none'}")
    ids = _texts(found["ids"], "ids", name) if "ids" in found else None
    return RawProbabilities(found["probabilities"], _texts(found["classes"], "classes", name), ids)


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


def _read_parquet(content: BinaryIO, name: str, id_column: str, memory_limit: int) -> RawProbabilities:
    import pyarrow.parquet as parquet
    from pyarrow.lib import ArrowException

    try:
        file = parquet.ParquetFile(content)
        _check_size(file.metadata.num_rows * file.metadata.num_columns * 8, name, memory_limit)
        table = file.read()
    except (ArrowException, OSError, ValueError):
        raise InputError(f"{name} is no Parquet file that can be read, or it is damaged") from None
    names = [c for c in table.column_names if c != id_column]
    columns = [_numeric_column(table.column(i), c, name) for i, c in enumerate(table.column_names) if c != id_column]
    ids = tuple(map(str, table.column(id_column).to_pylist())) if id_column in table.column_names else None
    values = np.stack(columns, axis=1) if columns else np.empty((table.num_rows, 0))
    return RawProbabilities(values, tuple(names), ids)


def _numeric_column(column: Any, label: str, name: str) -> np.ndarray:
    """One column as float64; an empty cell becomes NaN, which is refused where the classes are known."""
    from pyarrow import types

    if not (
        types.is_floating(column.type)
        or types.is_integer(column.type)
        or types.is_decimal(column.type)
        or types.is_boolean(column.type)
    ):
        raise InputError(f"{name}: column {shown(label)} holds {column.type} values, not numbers")
    return np.asarray(column.cast("float64").to_numpy())


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
    return RawProbabilities(numbers, header, ids)


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
        raise InputError(f"{name} unpacks to {size / 2**20:,.0f} MB; up to {memory_limit / 2**20:,.0f} MB are read")


_READERS: dict[str, Callable[[BinaryIO, str, str, int], RawProbabilities]] = {
    "npz": _read_npz,
    "parquet": _read_parquet,
    "csv": _read_csv,
}
