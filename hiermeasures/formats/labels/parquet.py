"""Parquet, by pyarrow: a column of label lists or delimited text, or one per level; perhaps with
ids.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO

from hiermeasures.core.errors import InputError
from hiermeasures.core.extras import require
from hiermeasures.core.hierarchy import as_label
from hiermeasures.formats.bounded import as_python, check_rows, memory_given_back, memory_of, text_columns, too_large
from hiermeasures.formats.label_rows import is_list, rows_of_column
from hiermeasures.formats.labels.label_file import Block, LabelFile, LabelFormat, Reading
from hiermeasures.formats.labels.tables import CellSplitter, Plan, plan_for_names

_BATCH = 65_536


def read(stream: BinaryIO, reading: Reading) -> Iterator[Block]:
    row, split = 1, None
    with reading.source.damaged("a Parquet file that is cut short or damaged"), memory_given_back():
        plan, batches = _batches(stream, reading)
        for columns in batches:
            ids = _ids(columns.pop(0), row, reading) if plan.id is not None else None
            rows = rows_of_column(columns[0]) if len(columns) == 1 and is_list(columns[0].type) else None
            if rows is not None:
                yield reading.rows(rows, ids)
            else:
                values = list(map(as_python, columns))
                split = split or CellSplitter([v for v in values[-1][:1000] if isinstance(v, str)], reading)
                yield reading.texts(_labels(values, split, row, reading), ids)
            row += len(columns[0])


def _ids(column: Any, row: int, reading: Reading) -> list[str]:
    values = as_python(column)
    if {str}.issuperset(map(type, values)) and "" not in values:
        return values
    found: list[str] = []
    for value in values:
        try:
            found.append(as_label(value))
        except InputError:
            raise reading.source.error(f"row {row + len(found)}: an id is text or a whole number") from None
    return found


def _labels(columns: list[list[Any]], split: CellSplitter, row: int, reading: Reading) -> list[list[str]]:
    if len(columns) > 1:
        several = ([v for v in values if v is not None and v == v] for values in zip(*columns, strict=True))
        return [reading.listed(values, where=f"row {k}: ") for k, values in enumerate(several, row)]
    if {str, type(None)}.issuperset(map(type, columns[0])):
        return list(map(split.names, columns[0]))
    return [reading.listed(value, where=f"row {k}: ") for k, value in enumerate(columns[0], row)]


def _batches(stream: BinaryIO, reading: Reading) -> tuple[Plan, Iterator[list[Any]]]:
    """Return the plan of the columns, and the ids, if any, and labels, batch by batch."""
    _, parquet = _pyarrow()
    file = parquet.ParquetFile(stream)
    plan = plan_for_names(file.schema_arrow.names, reading)
    assert plan.labels is not None
    read = [file.schema_arrow.names[k] for k in (*([plan.id] if plan.id is not None else []), *plan.labels)]
    check_rows(file, reading.source, reading.limits)
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


def _pyarrow() -> tuple[Any, Any]:
    require("app", "reading and writing Parquet", "pyarrow")
    import pyarrow
    import pyarrow.parquet

    return pyarrow, pyarrow.parquet


def write(file: LabelFile, stream: BinaryIO) -> None:
    """A column `id`, if there are ids, and a column `label` of lists."""
    arrow, parquet = _pyarrow()
    columns = {"id": arrow.array(file.ids, arrow.string())} if file.ids is not None else {}
    columns["label"] = arrow.array([sorted(labels) for labels in file.labels], arrow.list_(arrow.string()))
    parquet.write_table(arrow.table(columns), stream)


FORMAT = LabelFormat(
    key="parquet",
    title="Parquet",
    extensions=(".parquet",),
    description="a column of ids and a column of label lists",
    read=read,
    write=write,
    begins=lambda head: head.content.startswith(b"PAR1"),
)
