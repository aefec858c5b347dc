"""JSON lines: an object per instance, `{"id": "7", "label": ["A", "B"]}`, or a list of labels."""

import json
import re
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from typing import Any, BinaryIO

import numpy as np

from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import as_label
from hiermeasures.formats.label_rows import LabelRows, rows_of_column
from hiermeasures.formats.labels.label_file import Block, LabelFile, LabelFormat, Reading, pieces
from hiermeasures.formats.labels.tables import plan_for_names
from hiermeasures.formats.rows import lines_of
from hiermeasures.formats.source import Unusual
from hiermeasures.formats.untrusted import Repeating, parse

WORTH_PYARROW = 1_000_000  # bytes
_JSON_LINE = re.compile(r'\s*(\{|\[\s*("|\d|\]))')
Keys = tuple[str | None, str]


def read(stream: BinaryIO, reading: Reading) -> Iterator[Block]:
    """Yield the instances; the first object decides which keys hold the id and the labels.

    Large pieces are read by pyarrow where it is installed, which looks at these keys only.
    """
    keys: Keys | None = None
    for line, piece in pieces(stream, reading):
        try:
            if len(piece) < WORTH_PYARROW or not piece.startswith(b"{") or find_spec("pyarrow") is None:
                raise Unusual
            begin = parse(piece[: piece.index(b"\n")].decode(), reading.source, reading.limits, line, strict=False)
            keys = keys or _keys(begin, line, reading)
            rows, ids = _by_pyarrow(piece, begin, keys)
            yield reading.rows(rows, ids)
        except Unusual:
            keys = yield from _by_line(line, piece, keys, reading)


def _by_line(line: int, piece: bytes, keys: Keys | None, reading: Reading) -> Generator[Block, None, Keys | None]:
    ids: list[str] = []
    labels: list[list[str]] = []
    numbers: list[int] = []
    blank: list[int] = []
    for number, text in lines_of([(line, piece)]):
        if not text or text.isspace():
            blank.append(number)
            continue
        value = parse(text, reading.source, reading.limits, number, strict=False)
        if isinstance(value, dict):
            keys = keys or _keys(value, number, reading)
            key, found = _instance(value, keys, number, reading)
            ids += [] if key is None else [key]
        elif isinstance(value, list) and keys is None:
            found = reading.listed(value, number)
        else:
            raise reading.source.error(f"a line is a JSON object or a list of labels, not {shown(text, 40)}", number)
        labels.append(found)
        numbers.append(number)
    reading.notes.skipped_blank(np.array(blank))
    yield reading.texts(labels, ids if len(ids) == len(labels) else None, np.array(numbers))
    return keys


def _keys(value: dict[str, Any], number: int, reading: Reading) -> Keys:
    if not value:
        raise reading.source.error("an object without labels", number)
    names = list(value)
    plan = plan_for_names(names, reading)
    if plan.labels is None or len(plan.labels) != 1:
        raise reading.source.error("no single key holds the labels; it is best called 'label'", number)
    return names[plan.id] if plan.id is not None else None, names[plan.labels[0]]


def _instance(value: dict[str, Any], keys: Keys, number: int, reading: Reading) -> tuple[str | None, list[str]]:
    id_key, label_key = keys
    for key in (key for key in keys if key is not None):
        if key not in value:
            raise reading.source.error(f"the object has no {shown(key)}", number)
        if isinstance(value, Repeating) and key in value.repeated:
            raise reading.source.error(f"{shown(key)} stands twice at the same place", number)
    labels = reading.listed(value[label_key], number)
    if id_key is None:
        return None, labels
    try:
        return as_label(value[id_key]), labels
    except InputError:
        raise reading.source.error(
            f"an id is text or a whole number, not {shown(repr(value[id_key]), 40)}", number
        ) from None


def _by_pyarrow(piece: bytes, first: dict[str, Any], keys: Keys) -> tuple[LabelRows, list[str] | None]:
    """The labels and ids of objects, one a line, all of the kind of the first; else Unusual."""
    import pyarrow
    from pyarrow import json as reader

    kinds = {key: _kind(first.get(key)) for key in keys if key is not None}
    try:
        parsing = reader.ParseOptions(pyarrow.schema(list(kinds.items())), unexpected_field_behavior="ignore")
        blocks = reader.ReadOptions(use_threads=False, block_size=len(piece))
        table = reader.read_json(pyarrow.BufferReader(piece), blocks, parsing)
    except (pyarrow.ArrowException, UnicodeError):
        raise Unusual from None
    columns = [None if key is None else table[key].cast(_as_text(kinds[key])) for key in keys]
    lines = piece.count(b"\n")
    whole = piece.count(b"}\n{") == lines - 1 and len(table) == lines
    rows = rows_of_column(columns[1])
    ids = None if columns[0] is None else columns[0].to_pylist()
    if not whole or rows is None or any(column and column.null_count for column in columns) or "" in (ids or ()):
        raise Unusual
    return rows, ids


def _kind(value: object) -> Any:
    import pyarrow

    if isinstance(value, list) and not any(isinstance(entry, list) for entry in value):
        return pyarrow.list_(_kind(value[0]) if value else pyarrow.string())
    if isinstance(value, str):
        return pyarrow.string()
    if isinstance(value, int) and not isinstance(value, bool):
        return pyarrow.int64()
    raise Unusual


def _as_text(kind: Any) -> Any:
    import pyarrow

    return pyarrow.list_(pyarrow.string()) if pyarrow.types.is_list(kind) else pyarrow.string()


def write(file: LabelFile, stream: BinaryIO) -> None:
    for k, labels in enumerate(file.labels):
        entry = {"label": sorted(labels)} if file.ids is None else {"id": file.ids[k], "label": sorted(labels)}
        stream.write((json.dumps(entry, ensure_ascii=False) + "\n").encode("utf-8"))


FORMAT = LabelFormat(
    key="jsonl",
    title="JSON lines",
    extensions=(".jsonl", ".ndjson"),
    description='an object per line: {"id": "7", "label": ["A", "B"]}',
    read=read,
    write=write,
    has_lines=lambda head: _JSON_LINE.match(head.first) is not None,
)
