"""Parquet: a column of label lists (or of delimited text, or a column per level), with or without an id column. Needs
pyarrow.
"""

from collections.abc import Iterator
from typing import Any, BinaryIO

from hiermeasures.arrow_rows import rows_of_column
from hiermeasures.errors import InputError, shown
from hiermeasures.extras import require
from hiermeasures.hierarchy import as_label
from hiermeasures.io.labels.arrays import ArraysOfLabels, Ids, LabelArrays
from hiermeasures.io.labels.columns import CellSplitter, Plan, plan_for_names
from hiermeasures.io.labels.format import Head, LabelFormat
from hiermeasures.io.labels.label_file import LabelFile, Reading, Row
from hiermeasures.io.parquet_memory import as_python, check_rows, memory_given_back, memory_of, text_columns, too_large
from hiermeasures.io.words import Unusual

_BATCH = 65_536


def rows(stream: BinaryIO, reading: Reading) -> Iterator[Row]:
    """The instances, read in batches."""
    try:
        with memory_given_back():
            yield from _instances(stream, reading)
    except InputError:
        raise
    except Exception as error:  # pyarrow raises many kinds for damaged files
        reason = f"a Parquet file that is cut short or damaged ({shown(str(error).partition(chr(10))[0], 100)})"
        raise reading.source.error(reason) from None


def _instances(stream: BinaryIO, reading: Reading) -> Iterator[Row]:
    plan, batches = _batches(stream, reading)
    count = 0
    split: CellSplitter | None = None
    for batch in batches:
        columns = list(map(as_python, batch))
        if split is None:
            split = CellSplitter([v for v in columns[-1][:1000] if isinstance(v, str)], reading)
        for values in zip(*columns, strict=True):
            count += 1
            yield _instance(list(values), plan, split, count, reading)


@memory_given_back()
def arrays(stream: BinaryIO, reading: Reading) -> LabelArrays:
    """All instances of an ordinary file: one with a column of lists of names, and ids if any in each row."""
    found, ids = ArraysOfLabels(reading), Ids()
    try:
        plan, batches = _batches(stream, reading)
        for *keys, labels in batches:
            rows = rows_of_column(labels) if _is_list(labels) else None
            if rows is None or len(keys) != int(plan.id is not None):
                raise Unusual
            found.add_rows(rows)
            if keys:
                ids.add_texts(_texts(keys[0]))
    except InputError:
        raise
    except Exception:  # as in `rows`, which says what it is
        raise Unusual from None
    return found.all(None if plan.id is None else ids)


def _is_list(column: Any) -> bool:
    from pyarrow import types

    return bool(types.is_list(column.type) or types.is_large_list(column.type))


def _texts(column: Any) -> list[str]:
    """Ids as text; Unusual where one is missing, or neither text nor a whole number."""
    from pyarrow import types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    found = [str(value) for value in as_python(column)]
    if column.null_count or not (types.is_string(kind) or types.is_integer(kind)):
        raise Unusual
    return found


def _batches(stream: BinaryIO, reading: Reading) -> tuple[Plan, Iterator[list[Any]]]:
    """What the columns hold, and those that are read, batch by batch: the ids, if there are any, and the labels."""
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


def _instance(values: list[Any], plan: Plan, split: CellSplitter, count: int, reading: Reading) -> Row:
    where = f"row {count}: "
    key = None
    if plan.id is not None:
        try:
            key = as_label(values.pop(0))
        except InputError:
            raise reading.source.error(f"{where}an id is text or a whole number") from None
    if len(values) > 1:
        return key, reading.listed([v for v in values if v is not None and v == v], where=where)
    value = values[0]
    return key, reading.labels(split(value, count)) if isinstance(value, str) else reading.listed(value, where=where)


def write(file: LabelFile, stream: BinaryIO) -> None:
    """A column `id`, if there are ids, and a column `label` of lists."""
    arrow, parquet = _pyarrow()
    columns = {"id": arrow.array(file.ids, arrow.string())} if file.ids is not None else {}
    columns["label"] = arrow.array([sorted(labels) for labels in file.labels], arrow.list_(arrow.string()))
    parquet.write_table(arrow.table(columns), stream)


def _begins(head: Head) -> bool:
    return head.content.startswith(b"PAR1")


FORMAT = LabelFormat(
    "parquet",
    "Parquet",
    (".parquet",),
    "a column of ids and a column of label lists",
    rows,
    write,
    begins=_begins,
    arrays=arrays,
)
