"""One table with a column of true labels and columns of answers, in memory or in a file.

Columns become rows of names (`hiermeasures.read.label_rows`). Each different label is stored once.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.extras import require
from hiermeasures.hierarchy.frames import is_frame, read_frame
from hiermeasures.hierarchy.hierarchy import label_in_cell
from hiermeasures.read.label_rows import LabelRows, is_arrow_column, read_arrow_column
from hiermeasures.read.labels import label_file, opened, read_labels, recognise, tables
from hiermeasures.read.labels.label_file import LabelReading
from hiermeasures.read.labels.tables import CellSplitter
from hiermeasures.read.rows import side_by_side, text_array
from hiermeasures.read.source import BOM, FILE, Limits, Source

_NO_SPLIT = "\x00"  # which no cell holds


def columns_of(
    table: Any, names: Sequence[str], separator: str | None = None
) -> dict[str, LabelRows]:
    """Return the labels in some columns of a frame.

    Parameters
    ----------
    table : frame
        A frame of pandas, polars or Arrow, or another object with Arrow's protocol. A cell is a
        label, a list of labels, or empty.
    names : sequence of str
    separator : str, optional
        The separator of several labels in a cell. A text that is a list needs no separator.

    Raises
    ------
    InputError
        If a column is missing, or if a cell does not contain labels.
    """
    if not is_frame(table):
        raise InputError(f"expected a table of pandas, polars or Arrow, not {type(table).__name__}")
    if not (hasattr(table, "columns") or hasattr(table, "column_names")):
        require("files", "the table is not of pandas or polars", "pyarrow")
        import pyarrow

        table = pyarrow.table(table)
    known = list(table.column_names if hasattr(table, "column_names") else table.columns)
    _check_columns(names, known)
    return {
        name: _split(
            read_column(table[name], name), separator, Source(f"column {shown(name)}", limits=FILE)
        )
        for name in names
    }


def _check_columns(names: Sequence[str], known: Sequence[Any]) -> None:
    """Refuse columns that are missing or occur twice."""
    for name in names:
        if name not in known:
            listed = [str(each) for each in known]
            reason = unknown("column", str(name), listed)
            raise InputError(f"{reason}. The columns are {', '.join(map(shown, listed[:20]))}")
        if known.count(name) > 1:
            raise InputError(f"two columns are named {shown(str(name))}. Rename one.")


def read_column(column: Any, name: str) -> LabelRows:
    """Return the labels in a column, or in a list with one entry per instance."""
    if isinstance(column, LabelRows):
        return column
    if hasattr(column, "to_arrow"):  # polars
        with suppress(ImportError):  # without pyarrow it is read as a list
            column = column.to_arrow()
    if is_arrow_column(column) and (found := read_arrow_column(column)) is not None:
        return found
    try:
        if not hasattr(column, "iloc"):
            if (
                getattr(column, "ndim", 1) != 1
                or isinstance(column, str)
                or not isinstance(column, Iterable)
            ):
                raise InputError("expected a list with the labels of each instance")
            return LabelRows.of(
                map(_labels_in, read_frame(column).columns[0] if is_frame(column) else list(column))
            )
        import pandas as pd

        try:
            codes, values = pd.factorize(column)
        except TypeError:  # lists cannot be hashed
            return LabelRows.of(map(_labels_in, column.tolist()))
        return _numbered(codes, [label_in_cell(value) for value in values.tolist()])
    except InputError as error:
        raise InputError(f"column {shown(name)}: {error}") from None


def _labels_in(value: Any) -> list[str]:
    if hasattr(value, "tolist"):
        value = value.tolist()
    entries = value if isinstance(value, (list, tuple, set, frozenset)) else [value]
    return [label for entry in entries if (label := label_in_cell(entry)) is not None]


def _numbered(codes: np.ndarray, labels: Sequence[str | None]) -> LabelRows:
    """Return rows with one label each. −1 and None mean no label."""
    is_there = np.array([*(label is not None for label in labels), False], bool)
    filled = is_there[codes]
    ptr = np.concatenate([[0], np.cumsum(filled)])
    return LabelRows(tuple(label or "" for label in labels), ptr, codes[filled].astype(np.int32))


def _split(rows: LabelRows, separator: str | None, source: Source) -> LabelRows:
    """Split cells with several labels, at a separator or as lists in text."""
    sample = [rows.names[k] for k in np.unique(rows.idx[:1000]).tolist()]
    are_lists = bool(sample) and all(cell.startswith("[") and cell.endswith("]") for cell in sample)
    if separator is None and not are_lists:
        return rows
    reading = LabelReading(source, {"separator": separator})
    first = np.zeros(len(rows.names), np.int64)
    first[rows.idx[::-1]] = np.arange(len(rows.idx), 0, -1)
    parts = CellSplitter(sample, reading).lists(text_array(rows.names), first)
    found = LabelRows((), *_ptr_and_numbers(reading.instances(parts, lines=first)))
    of_cells = found.take(rows.idx)
    return LabelRows(tuple(reading.names), of_cells.ptr[rows.ptr], of_cells.idx)


def _ptr_and_numbers(block: label_file.Block) -> tuple[np.ndarray, np.ndarray]:
    return np.append(0, np.cumsum(block.sizes)), block.numbers


# --- files ----------------------------------------------------------------------------------------


def read_table(
    source: Path | bytes,
    names: Sequence[str],
    separator: str | None = None,
    *,
    name: str = "",
    limits: Limits | None = None,
) -> dict[str, LabelRows]:
    """Read the labels in some columns of a file: CSV or TSV with a header, JSON lines or Parquet.

    Raises
    ------
    InputError
        If the file cannot be read. The message has the file, and the line if it is known.
    """
    with opened(source, name, limits) as (stream, where):
        key = _format_in(stream, where)
        if key in ("csv", "tsv"):
            return _columns_of_text(stream, names, separator, LabelReading(where))
    found = {}
    for column in dict.fromkeys(names):
        file = read_labels(
            source, key, name=where.name, label_columns=column, separator=separator or _NO_SPLIT, has_ids=False,
            limits=where.limits,
        )  # fmt: skip
        found[column] = _split(file.labels, None, where)
    return found


def first_rows(
    source: Path | bytes, *, name: str, limits: Limits | None = None, count: int = 1000
) -> dict[str, list[str]]:
    """Return the first rows of a CSV or TSV file by column, as texts, for a preview."""
    with opened(source, name, limits or FILE) as (stream, where):
        if _format_in(stream, where) not in ("csv", "tsv"):
            raise where.error("expected a table with a header, as CSV or TSV")
        reading = LabelReading(where, block=label_file.SMALL_BLOCK)
        first, parts = tables.first_rows(stream, reading)
        header = _header(first, where)
        found: list[list[str]] = []
        for rows in tables.below_header(parts, reading):
            rows.check_widths(len(header), f"the header has {len(header)}", where)
            found += filter(any, rows.cells.rows())
            if len(found) >= count:
                break
        return {
            key: [row[k] if k < len(row) else "" for row in found[:count]]
            for k, key in enumerate(header)
        }


def _header(rows: list[list[str]], where: Source) -> list[str]:
    if not rows:
        raise where.error("this is empty")
    return rows[0]


def _format_in(stream: BinaryIO, where: Source) -> str:
    head = stream.read(label_file.HEAD)
    stream.seek(0)
    if not head.removeprefix(BOM).strip():
        raise where.error("this is empty")
    found = recognise(head, where.name)
    return "csv" if found not in ("tsv", "jsonl", "parquet") else found


def _columns_of_text(
    stream: BinaryIO, names: Sequence[str], separator: str | None, reading: LabelReading
) -> dict[str, LabelRows]:
    first, parts = tables.first_rows(stream, reading)
    header = _header(first, reading.source)
    with reading.source.named():
        _check_columns(names, header)
    readings = {name: LabelReading(reading.source) for name in names}
    blocks: dict[str, list[label_file.Block]] = {name: [] for name in readings}
    for rows in tables.below_header(parts, reading):
        rows.check_widths(len(header), f"the header has {len(header)}", reading.source)
        rows = rows.where(rows.filled > 0)
        for name, own in readings.items():
            labels = side_by_side([rows.column(header.index(name))])
            blocks[name].append(own.instances(labels, lines=rows.lines))
    if not any(len(block.sizes) for block in blocks[names[0]]):
        raise reading.source.error("the table has a header but no rows")
    return {
        name: _split(label_file.join_blocks(blocks[name], own)[1], separator, own.source)
        for name, own in readings.items()
    }
