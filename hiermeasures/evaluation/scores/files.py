"""Files of probabilities: NPZ, Parquet, and CSV with one column per class, with true labels.

Files are untrusted. No code in them runs (no pickles), and sizes are checked before anything is
unpacked. If a file cannot be used, InputError names the place. probabilities.py interprets the
numbers.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np

from hiermeasures.evaluation.encode import EncodedLabels
from hiermeasures.evaluation.scores.events import closed
from hiermeasures.evaluation.scores.probabilities import Kind, ProbabilityTable
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.extras import require
from hiermeasures.hierarchy.frames import is_frame, read_frame
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import quote_names, write_count
from hiermeasures.read.bounded import (
    NAME,
    ArrayFile,
    check_memory,
    memory_given_back,
    memory_of,
    text_columns,
    too_large,
)
from hiermeasures.read.labels import LabelFile
from hiermeasures.read.labels.label_file import first_few
from hiermeasures.read.source import (
    FILE,
    UPLOAD,
    Limits,
    Source,
    decode,
    open_binary,
    size_in_words,
)

FORMATS = (
    "NumPy archive with `probabilities` (instances, classes), `classes` (names) and, "
    "optionally, `ids`.",
    "Parquet table with one column per class and, optionally, an id column.",
    "Comma-, semicolon- or tab-separated text with one column per class and, optionally, an "
    "id column.",
)

MEMORY_LIMIT = 4 * 10**9
"""The most bytes that a file on your own disk may take in memory. Uploads share a server, so they
may take `UPLOAD.memory` at most.
"""
_CELL = 16  # further bytes for each number: a float, and the cell of its class in the table


@dataclass(frozen=True, eq=False)
class RawProbabilities:
    """The content of a file before it is matched with a hierarchy.

    It has numbers (instances, columns) and the names of columns and rows.
    """

    values: np.ndarray
    classes: tuple[str, ...]
    ids: tuple[str, ...] | None
    where: Source

    def table(self, hierarchy: Hierarchy, **settings: Any) -> ProbabilityTable:
        """Return the table over the classes of a hierarchy.

        `settings` are those of `ProbabilityTable.of`.
        """
        with self.where.named():
            return ProbabilityTable.of(
                hierarchy, self.values, self.classes, ids=self.ids, **settings
            )


def read_probabilities(
    source: str | Path | bytes | BinaryIO,
    hierarchy: Hierarchy,
    *,
    kind: Kind = "nodes",
    unknown_classes: Literal["error", "drop"] = "error",
    id_column: str = "id",
    memory_limit: int | None = None,
) -> ProbabilityTable:
    """Read a table of probabilities from a file: NPZ, Parquet or CSV.

    The content decides the format. FORMATS describes each.

    Parameters
    ----------
    source : path, bytes, or binary file
    hierarchy : Hierarchy
    kind, unknown_classes
        As for `ProbabilityTable.of`.
    id_column : str
        The column with the names of the instances, in CSV and Parquet. It is never read as a class.
    memory_limit : int, optional
        The most bytes that the content may take in memory. By default `MEMORY_LIMIT` for paths, and
        the limit of uploads for bytes and streams.

    Returns
    -------
    ProbabilityTable

    Raises
    ------
    InputError
        For a file that cannot be read, a missing array, a cell that is not a number (the message
        names row and column), and as `ProbabilityTable.of`.

    See Also
    --------
    ProbabilityTable.of : Make a table from an array.
    match_labels : Bring the true labels of a file into the order of the table.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> table = read_probabilities(b"id,1,2\\nfirst,0.75,0.25\\n", h)
    >>> table.ids, table.row(0)["1"]
    (('first',), 0.75)
    """
    raw = read_raw_probabilities(source, id_column=id_column, memory_limit=memory_limit)
    return raw.table(hierarchy, kind=kind, unknown_classes=unknown_classes)


def read_raw_probabilities(
    source: str | Path | bytes | BinaryIO,
    *,
    id_column: str = "id",
    memory_limit: int | None = None,
    name: str = "",
    limits: Limits | None = None,
) -> RawProbabilities:
    """Read a file of probabilities before you know its hierarchy.

    `name` is the name of the file if you give its bytes. `limits` are those of memory. The other
    parameters are those of `read_probabilities`.
    """
    content: BinaryIO
    if isinstance(source, (str, Path)):
        where = Source(Path(source).name)
        content = open_binary(Path(source), Source(str(source), limits=FILE))
    else:
        data, name = (
            (source, name)
            if isinstance(source, bytes)
            else (source.read(), getattr(source, "name", ""))
        )
        content, where = io.BytesIO(data), Source(Path(str(name)).name or "the upload")
    if memory_limit is None:
        limits = limits or (FILE if isinstance(source, (str, Path)) else UPLOAD)
        memory_limit = min(MEMORY_LIMIT, limits.memory)
    with content:
        start = content.read(4)
        content.seek(0)
        read = (
            _read_parquet
            if start == b"PAR1"
            else _read_npz
            if start.startswith(b"PK")
            else _read_csv
        )
        try:
            return read(content, where, id_column, memory_limit)
        except MemoryError:
            raise where.error(
                "the file does not fit into memory. Split it, or use a machine with more memory."
            ) from None


# --- NPZ ----------------------------------------------------------------------------------------


def _read_npz(
    content: BinaryIO, where: Source, id_column: str, memory_limit: int
) -> RawProbabilities:
    file = ArrayFile(content, where)
    found = file.load(("probabilities", "classes", "ids"), memory_limit, per_cell=_CELL)
    for key in ("probabilities", "classes"):
        if key not in found:
            raise where.error(
                f"the array {key!r} is missing. The arrays found: "
                f"{quote_names(file.headers) or 'none'}"
            )
    ids = _texts(found["ids"], "ids", where) if "ids" in found else None
    return RawProbabilities(
        found["probabilities"], _texts(found["classes"], "classes", where), ids, where
    )


def _texts(array: np.ndarray, what: str, where: Source) -> tuple[str, ...]:
    if array.ndim != 1 or array.dtype.kind not in "USiu":
        raise where.error(
            f"the array {what!r} must be a list of names, not {array.ndim}-dimensional "
            f"{array.dtype.name} values"
        )
    if array.dtype.kind == "S":
        return tuple(decode(value, where) for value in array.tolist())
    return tuple(map(str, array.tolist()))


# --- Parquet ------------------------------------------------------------------------------------


@memory_given_back()
def _read_parquet(
    content: BinaryIO, where: Source, id_column: str, memory_limit: int
) -> RawProbabilities:
    require("files", "reading Parquet", "pyarrow")
    import pyarrow.parquet as parquet
    from pyarrow import types

    with where.damaged("the file is damaged, or is not a Parquet file"):
        file = parquet.ParquetFile(content)
        for field in file.schema_arrow:
            kind = field.type
            number = types.is_floating(kind) or types.is_integer(kind) or types.is_decimal(kind)
            if field.name != id_column and not (number or types.is_boolean(kind)):
                raise where.error(
                    f"column {shown(field.name)} has {shown(str(kind))[1:-1]} values. "
                    "Probabilities must be numbers."
                )
        check_memory(file, where, memory_limit, per_cell=_CELL)
        texts = text_columns(file)
        content.seek(0)
        table = parquet.ParquetFile(content, read_dictionary=texts).read()
        size = (
            sum(memory_of(chunk) for column in table.columns for chunk in column.chunks)
            + table.num_rows * NAME
        )
        if size > memory_limit:
            raise too_large(size, where, memory_limit)
        columns = list(zip(table.column_names, table.columns, strict=True))
        called = [column for name, column in columns if name == id_column]
        ids = (
            tuple(str(value) for chunk in called[0].chunks for value in chunk.to_pylist())
            if called
            else None
        )
        numbers = [
            column.cast("float64").to_numpy() for name, column in columns if name != id_column
        ]
    values = np.stack(numbers, axis=1) if numbers else np.empty((table.num_rows, 0))
    return RawProbabilities(
        values, tuple(name for name, _ in columns if name != id_column), ids, where
    )


# --- CSV ----------------------------------------------------------------------------------------


def _read_csv(
    content: BinaryIO, where: Source, id_column: str, memory_limit: int
) -> RawProbabilities:
    data = content.read(memory_limit + 1)
    if len(data) > memory_limit:
        raise where.error(
            f"the file is larger than {size_in_words(memory_limit)}, the limit here. Split it."
        )
    text = decode(data, where)
    separator = max(",;\t", key=text.lstrip("\r\n").partition("\n")[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    ids: list[str] = []
    numbers: list[np.ndarray] = []
    try:
        header = next((row for row in rows if row), None)
        if header is None:
            raise where.error(
                "the file is empty. It needs a header with the classes and a row per instance."
            )
        at = header.index(id_column) if id_column in header else None
        names = tuple(c for i, c in enumerate(header) if i != at)
        for row in filter(None, rows):
            if len(row) != len(header):
                raise where.error(
                    f"{len(row)} cells, but the header has {len(header)}. Give each column a cell.",
                    rows.line_num,
                )
            if at is not None:
                ids.append(row.pop(at))
            numbers.append(_floats(row, names, where, rows.line_num))
    except csv.Error as error:
        raise where.error(str(error), rows.line_num) from None
    values = np.array(numbers) if numbers else np.empty((0, len(names)))
    return RawProbabilities(values, names, tuple(ids) if at is not None else None, where)


def _floats(row: Sequence[str], names: Sequence[str], where: Source, line: int) -> np.ndarray:
    try:
        return np.array(row, dtype=np.float64)
    except ValueError:
        for cell, label in zip(row, names, strict=True):
            try:
                float(cell)
            except ValueError:
                what = f"{shown(cell)} is not a number" if cell.strip() else "the cell is empty"
                raise where.error(f"column {shown(label)}: {what}", line) from None
        raise where.error("some cells are not numbers. Correct them.", line) from None


# --- true labels ----------------------------------------------------------------------------------


class TrueClasses(EncodedLabels):
    """The true classes of many instances with their ancestors, made by `true_classes`.

    Each row that is not empty contains the root.
    """

    def names(self, hierarchy: Hierarchy) -> Iterator[frozenset[str]]:
        """Yield the true classes of each instance by name."""
        return (self.classes(hierarchy, k) for k in range(len(self)))


LabelSets = Sequence[Iterable[str]] | Mapping[str, Iterable[str]] | np.ndarray
Truth = TrueClasses | LabelSets


def true_classes(table: ProbabilityTable, labels: Truth) -> TrueClasses:
    """Return the true classes of each row of a table, with all their ancestors.

    Parameters
    ----------
    table : ProbabilityTable
        n instances.
    labels : label sets, mapping from id to label set, or array or frame (instances, classes)
        In the order of the rows. A mapping is matched by id. An array of 0 and 1 has columns in the
        order of `hierarchy.nodes`. The columns of a table of pandas, polars or Arrow have the names
        of classes. `TrueClasses` are returned unchanged.

    Returns
    -------
    TrueClasses
        Of n instances.

    Raises
    ------
    InputError
        For another number of rows, an id without labels, or a label that is not a class. The
        message names the row.

    See Also
    --------
    match_labels : Bring the true labels of a file into the order of the table.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": {"1": ["3"], "2": None}})
    >>> table = ProbabilityTable.of(h, [[0.5, 0.5]], ["3", "2"], kind="leaves")
    >>> [sorted(names) for names in true_classes(table, [{"3"}]).names(h)]
    [['1', '3', 'r']]
    """
    h = table.hierarchy
    if isinstance(labels, TrueClasses):
        return labels
    rows, known = [], dict[frozenset[str], np.ndarray]()
    for i, (entry, name) in enumerate(zip(_in_order(table, labels), table.ids, strict=True), 1):
        key = frozenset([entry] if isinstance(entry, str) else entry)
        if key not in known:
            try:
                classes = closed(h, key)
            except InputError as error:
                raise InputError(f"true labels, row {i} (id {name!r}): {error}") from None
            known[key] = np.array(
                [0, *sorted(h.index(c) for c in classes)] if classes else [], np.int64
            )
        rows.append(known[key])
    return TrueClasses(np.cumsum([0, *map(len, rows)], dtype=np.int64), np.concatenate(rows))


def _in_order(table: ProbabilityTable, labels: LabelSets) -> Sequence[Iterable[str]] | np.ndarray:
    """Return one label set for each row of the table, in the order of the rows."""
    if is_frame(labels):
        names, columns = read_frame(labels)
        rows = zip(*columns, strict=True)
        labels = columns[0] if names is None else [list(compress(names, row)) for row in rows]
    if isinstance(labels, np.ndarray) and labels.ndim == 2:
        if labels.shape != table.values.shape:
            raise InputError(
                f"the true labels are {labels.shape[0]} × {labels.shape[1]}, but the probabilities "
                f"are {table.values.shape[0]} × {table.values.shape[1]}. Both need a row for each "
                "instance and a column for each class."
            )
        labels = [list(compress(table.hierarchy.nodes, row)) for row in labels]
    if isinstance(labels, Mapping):
        if absent := [name for name in table.ids if name not in labels]:
            raise InputError(
                f"the true labels miss {len(absent)} instances of the probabilities: "
                f"{quote_names(absent)}. Add their labels."
            )
        labels = [labels[name] for name in table.ids]
    if len(labels) != len(table):
        raise InputError(
            f"the true labels have {len(labels)} instances, but the probabilities {len(table)}. "
            "Give one label set for each row."
        )
    return labels


def match_labels(
    table: ProbabilityTable, truth: LabelFile
) -> tuple[list[frozenset[str]], list[str]]:
    """Bring the labels of a file into the order of a table of probabilities.

    Labels and rows are matched by id if both have ids, or else line by line.

    Parameters
    ----------
    table : ProbabilityTable
    truth : LabelFile
        The true labels, as `read_labels` returns them.

    Returns
    -------
    labels : list of frozenset of str
        One label set for each row of the table.
    notes : list of str
        Remarks, such as the labels that were left out.

    Raises
    ------
    InputError
        If an instance of the table has no labels.

    See Also
    --------
    true_classes : Add the ancestors of these labels.
    """
    if truth.ids is None or (not set(truth.ids) & set(table.ids) and len(truth) == len(table)):
        notes = (
            []
            if truth.ids is None
            else ["the files share no id, so instances are matched line by line"]
        )
        return list(truth.labels), notes
    known = dict(zip(truth.ids, truth.labels, strict=True))
    absent = [name for name in table.ids if name not in known]
    if absent:
        raise InputError(
            f"{len(absent):,} of {len(table):,} instances have no true labels, such as "
            f"{shown(absent[0])}. Add their labels."
        )
    wanted = set(table.ids)
    extra = [name for name in truth.ids if name not in wanted]
    without = [
        f"left out {write_count(len(extra), 'labelled instance')} without probabilities "
        f"({first_few(extra)})"
    ]
    return [known[name] for name in table.ids], without if extra else []
