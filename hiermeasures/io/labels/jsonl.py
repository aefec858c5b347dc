"""JSON lines: an object per instance, `{"id": "7", "label": ["A", "B"]}`, with or without an id; or just a list of
labels per line.
"""

import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from typing import Any, BinaryIO

import numpy as np

from hiermeasures.arrow_rows import rows_of_column
from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import as_label
from hiermeasures.io.json_text import ALWAYS_READ, MOST_DIGITS, parse
from hiermeasures.io.labels.arrays import ArraysOfLabels, Ids, LabelArrays, texts
from hiermeasures.io.labels.columns import plan_for_names
from hiermeasures.io.labels.format import Head, LabelFormat
from hiermeasures.io.labels.label_file import LabelFile, Reading, Row, skipped_blank, text_lines
from hiermeasures.io.source import Limits
from hiermeasures.io.words import NEWLINE, Unusual, lines_in

WORTH_PYARROW = 1_000_000  # bytes
PIECE = 100_000  # bytes that pyarrow is given at a time, about: its table grows with the square where keys differ
MOST_TIMES = 16  # so many times its text a table may be
_ENORMOUS = re.compile(rb"[0-9]{%d}" % (MOST_DIGITS + 1))


def rows(stream: BinaryIO, reading: Reading) -> Iterator[Row]:
    """The instances, one at a time; the first object decides which keys hold the id and the labels."""
    keys: tuple[str | None, str] | None = None
    for number, line in text_lines(stream, reading):
        if not line or line.isspace():
            skipped_blank(reading, number)
            continue
        value = parse(line, reading.source, reading.limits, number)
        if isinstance(value, list) and keys is None:
            yield None, reading.listed(value, number)
            continue
        if not isinstance(value, dict):
            raise reading.source.error(f"a line is a JSON object or a list of labels, not {shown(line, 40)}", number)
        keys = keys or _keys(value, number, reading)
        yield _instance(value, *keys, number, reading)


def _keys(value: dict[str, Any], number: int, reading: Reading) -> tuple[str | None, str]:
    if not value:
        raise reading.source.error("an object without labels", number)
    names = list(value)
    plan = plan_for_names(names, reading)
    if plan.labels is None or len(plan.labels) != 1:
        raise reading.source.error("no single key holds the labels; it is best called 'label'", number)
    return names[plan.id] if plan.id is not None else None, names[plan.labels[0]]


def _instance(value: dict[str, Any], id_key: str | None, label_key: str, number: int, reading: Reading) -> Row:
    for key in (id_key, label_key):
        if key is not None and key not in value:
            raise reading.source.error(f"the object has no {shown(key)}", number)
    labels = reading.listed(value[label_key], number)
    if id_key is None:
        return None, labels
    try:
        return as_label(value[id_key]), labels
    except InputError:
        raise reading.source.error(
            f"an id is text or a whole number, not {shown(repr(value[id_key]), 40)}", number
        ) from None


# --- as arrays ----------------------------------------------------------------------------------------------------


def arrays(stream: BinaryIO, reading: Reading) -> LabelArrays:
    """All instances of an ordinary file of objects, where pyarrow is installed; that is worth its import if the file is
    large.
    """
    found, ids, keys = ArraysOfLabels(reading), Ids(), None
    for text in texts(stream, reading):
        if keys is None:
            if len(text) < WORTH_PYARROW or find_spec("pyarrow") is None:
                raise Unusual
            kinds = _first_object(text, reading)
            keys = _keys(kinds, 1, reading)
        _check_lines(text, reading.limits)
        _add_objects(found, ids, text, kinds, *keys)
    return found.all(None if keys is None or keys[0] is None else ids)


def _first_object(text: np.ndarray, reading: Reading) -> dict[str, Any]:
    line = text[: int(np.argmax(text == NEWLINE))].tobytes().decode("utf-8")
    value = parse(line, reading.source, reading.limits)
    if not isinstance(value, dict):
        raise Unusual
    return value


def _check_lines(text: np.ndarray, limits: Limits) -> None:
    """Unusual unless every line begins and ends an object, and for lines that `parse` might refuse and pyarrow not."""
    starts, ends = lines_in(text)
    if (text[starts] != ord("{")).any() or (text[ends - 1] != ord("}")).any():
        raise Unusual
    opened = np.add.reduceat((text == ord("{")) | (text == ord("[")), starts, dtype=np.int32)
    longest = int((ends - starts).max())
    enormous = longest > MOST_DIGITS and _ENORMOUS.search(text.tobytes())
    if opened.max() > limits.nesting or longest > ALWAYS_READ or enormous:
        raise Unusual


def _add_objects(
    found: ArraysOfLabels, ids: Ids, text: np.ndarray, first: dict[str, Any], id_key: str | None, label_key: str
) -> None:
    """Takes up the objects, an object a line; values of the two keys are of the kind that they are in the first."""
    import pyarrow
    from pyarrow.json import ParseOptions

    kinds = {key: _kind(first[key]) for key in (id_key, label_key) if key is not None}
    parsing = ParseOptions(pyarrow.schema(list(kinds.items())), unexpected_field_behavior="infer")
    table = pyarrow.concat_tables([_table(piece, parsing).select(list(kinds)) for piece in _pieces(text)])
    columns = {key: table[key].cast(_as_text(kind)) for key, kind in kinds.items()}
    if len(table) != np.count_nonzero(text == NEWLINE) or any(column.null_count for column in columns.values()):
        raise Unusual
    rows = rows_of_column(columns[label_key])
    if rows is None:
        raise Unusual
    found.add_rows(rows)
    if id_key is not None:
        ids.add_texts(columns[id_key].to_pylist())


def _pieces(text: np.ndarray) -> Iterator[np.ndarray]:
    """The lines, some at a time."""
    ends = np.flatnonzero(text == NEWLINE) + 1
    places = np.searchsorted(ends, np.arange(PIECE, ends[-1], PIECE))
    cuts = np.unique([0, *ends[places], ends[-1]]).tolist()
    return (text[begin:end] for begin, end in pairwise(cuts))


def _table(lines: np.ndarray, parsing: Any) -> Any:
    """The objects of some lines; every key of any of them has a column, so that keys without end are Unusual."""
    import pyarrow
    from pyarrow import json as reader

    blocks = reader.ReadOptions(use_threads=False, block_size=4 * ALWAYS_READ)
    try:
        table = reader.read_json(pyarrow.BufferReader(lines), blocks, parsing)
    except (pyarrow.ArrowException, UnicodeError):
        raise Unusual from None
    if table.nbytes > MOST_TIMES * len(lines):
        raise Unusual
    return table


def _kind(value: object) -> Any:
    """The type that a value has in Arrow: text or a whole number, or a list of such."""
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
    """An object per line."""
    for k, labels in enumerate(file.labels):
        entry = {"label": sorted(labels)} if file.ids is None else {"id": file.ids[k], "label": sorted(labels)}
        stream.write((json.dumps(entry, ensure_ascii=False) + "\n").encode("utf-8"))


_JSON_LINE = re.compile(r'\s*(\{|\[\s*("|\d|\]))')


def _has_lines(head: Head) -> bool:
    return _JSON_LINE.match(head.first) is not None


FORMAT = LabelFormat(
    "jsonl",
    "JSON lines",
    (".jsonl", ".ndjson"),
    'an object per line: {"id": "7", "label": ["A", "B"]}',
    rows,
    write,
    has_lines=_has_lines,
    arrays=arrays,
)
