"""JSON lines: an object per instance, `{"id": "7", "label": ["A", "B"]}`, with or without an id; or just a list of
labels per line.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import as_label
from hiermeasures.io.json_text import parse
from hiermeasures.io.labels.columns import plan_for_names
from hiermeasures.io.labels.format import Head, LabelFormat
from hiermeasures.io.labels.label_file import LabelFile, Reading, Row, skipped_blank, text_lines


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
)
