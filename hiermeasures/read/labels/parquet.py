"""Parquet files, read with pyarrow: a column of label lists or delimited text, or one per level.
Ids are optional.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, BinaryIO

import numpy as np

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.extras import require
from hiermeasures.hierarchy.hierarchy import as_label
from hiermeasures.read.bounded import (
    check_rows,
    memory_given_back,
    memory_of,
    text_columns,
    too_large,
)
from hiermeasures.read.label_rows import is_list
from hiermeasures.read.labels.label_file import Block, LabelFile, LabelFormat, LabelReading
from hiermeasures.read.labels.tables import SAMPLE, CellSplitter, Plan, plan_for_names
from hiermeasures.read.rows import lists_of_arrow, side_by_side, texts_of_arrow
from hiermeasures.read.source import Source

_BATCH = 65_536


def read(stream: BinaryIO, reading: LabelReading) -> Iterator[Block]:
    require("files", "reading Parquet", "pyarrow")
    row, split = 1, None
    with (
        reading.source.damaged("the Parquet file is incomplete or damaged. Write it again."),
        memory_given_back(),
    ):
        plan, batches = _batches(stream, reading)
        for columns in batches:
            ids = _ids(columns.pop(0), row, reading.source) if plan.id is not None else None
            texts = [_as_text(column, row, reading.source) for column in columns]
            if len(texts) == 1 and is_list(texts[0].type):
                labels = lists_of_arrow(texts[0])
            elif len(texts) > 1:
                labels = side_by_side(list(map(texts_of_arrow, texts)))
            else:
                cells = texts_of_arrow(texts[0])
                split = split or CellSplitter(list(filter(None, cells[:SAMPLE])), reading)
                labels = split.lists(cells, np.arange(row, row + len(cells)))
            yield reading.instances(labels, ids)
            row += len(labels)


def _ids(column: Any, row: int, source: Source) -> list[str]:
    reason = "an id must be text or a whole number"
    found: list[str | None] = (
        _as_text(column, row, source, reason).to_pylist() if not is_list(column.type) else [None]
    )
    ids = [key for key in found if key]
    if len(ids) < len(found):
        raise source.error(
            f"row {row + next(k for k, key in enumerate(found) if not key)}: {reason}"
        )
    return ids


def _as_text(column: Any, row: int, source: Source, reason: str = "") -> Any:
    """Return a column of names, or of lists of names, as text. Whole numbers become digits."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import types

    several = is_list(column.type)
    kind, text = column.type.value_type if several else column.type, pa.string()
    kind = kind.value_type if types.is_dictionary(kind) else kind
    if types.is_floating(kind) and not several:
        column = pc.if_else(pc.is_nan(column), None, column)
        with suppress(pa.ArrowInvalid):  # whole numbers, with missing ones among them
            return column.cast(pa.int64()).cast(text)
    if any(
        is_kind(kind)
        for is_kind in (types.is_string, types.is_large_string, types.is_integer, types.is_null)
    ):
        return column.cast(pa.list_(text) if several else text)
    found = []
    for k, value in enumerate(column.to_pylist(), row):
        try:
            names = [
                as_label(name)
                for name in (value if isinstance(value, list) else [value])
                if name is not None
            ]
        except InputError as error:
            raise source.error(f"row {k}: {reason or error}") from None
        found.append(names if several else next(iter(names), None))
    return pa.array(found, pa.list_(text) if several else text)


def _batches(stream: BinaryIO, reading: LabelReading) -> tuple[Plan, Iterator[list[Any]]]:
    """Return the plan of the columns, and batches of columns: the ids, if any, and the labels."""
    from pyarrow import parquet

    file = parquet.ParquetFile(stream)
    plan = plan_for_names(file.schema_arrow.names, reading)
    assert plan.labels is not None
    read = [
        file.schema_arrow.names[k]
        for k in (*([plan.id] if plan.id is not None else []), *plan.labels)
    ]
    check_rows(file, reading.source)
    texts = text_columns(file)
    stream.seek(0)
    file = parquet.ParquetFile(stream, read_dictionary=texts)

    def batches() -> Iterator[list[Any]]:
        unpacked = 0
        for batch in file.iter_batches(batch_size=_BATCH, columns=list(dict.fromkeys(read))):
            unpacked += sum(memory_of(column) for column in batch.columns)
            if unpacked > reading.limits.memory:
                del batch  # or the error would keep it
                raise too_large(unpacked, reading.source, reading.limits.memory)
            yield [batch.column(name) for name in read]

    return plan, batches()


def write(file: LabelFile, stream: BinaryIO) -> None:
    """Write a column `id` if the labels have ids, and a column `label` of lists."""
    require("files", "writing Parquet", "pyarrow")
    import pyarrow as pa
    from pyarrow import parquet

    columns = {"id": pa.array(file.ids, pa.string())} if file.ids is not None else {}
    columns["label"] = pa.array([sorted(labels) for labels in file.labels], pa.list_(pa.string()))
    parquet.write_table(pa.table(columns), stream)


FORMAT = LabelFormat(
    key="parquet",
    title="Parquet",
    extensions=(".parquet",),
    description="a column of ids and a column of label lists",
    read=read,
    write=write,
    begins=lambda head: head.content.startswith(b"PAR1"),
)
