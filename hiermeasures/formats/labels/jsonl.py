"""JSON lines: an object per instance, `{"id": "7", "label": ["A", "B"]}`, or a list of labels."""

import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import as_label
from hiermeasures.formats.labels.label_file import Block, LabelFile, LabelFormat, Reading, pieces
from hiermeasures.formats.labels.tables import plan_for_names
from hiermeasures.formats.source import Source
from hiermeasures.formats.untrusted import parse_line

_JSON_LINE = re.compile(r'\s*(\{|\[\s*("|\d|\]))')
Keys = tuple[str | None, str]


def read(stream: BinaryIO, reading: Reading) -> Iterator[Block]:
    """Yield the instances; the first object decides which keys hold the id and the labels."""
    keys: Keys | None = None
    for first, piece in pieces(stream, reading):
        entries: list[tuple[Any, Any]] = []  # ids and labels
        numbers: list[int] = []
        blank: list[int] = []
        for number, text in enumerate(piece.decode().split("\n")[:-1], first):
            if not text or text.isspace():
                blank.append(number)
                continue
            value = parse_line(text, reading.source, number)
            if isinstance(value, dict):
                keys = keys or _keys(value, number, reading)
                entries.append(_entry(value, keys, number, reading.source))
            elif isinstance(value, list) and keys is None:
                entries.append((None, value))
            else:
                raise reading.source.error(
                    f"a line is a JSON object or a list of labels, not {shown(text, 40)}", number
                )
            numbers.append(number)
        reading.notes.skipped_blank(np.array(blank))
        ids = None
        if keys is not None and keys[0] is not None:
            ids = [_id(key, number, reading.source) for (key, _), number in zip(entries, numbers, strict=True)]
        yield reading.values([labels for _, labels in entries], ids, numbers)


def _keys(value: dict[str, Any], number: int, reading: Reading) -> Keys:
    if not value:
        raise reading.source.error("an object without labels", number)
    names = list(value)
    plan = plan_for_names(names, reading)
    if plan.labels is None or len(plan.labels) != 1:
        raise reading.source.error("no single key holds the labels; it is best called 'label'", number)
    return names[plan.id] if plan.id is not None else None, names[plan.labels[0]]


def _entry(value: dict[str, Any], keys: Keys, number: int, source: Source) -> tuple[Any, Any]:
    """Return the id and the labels of an object."""
    id_key, label_key = keys
    try:
        return value[id_key] if id_key is not None else None, value[label_key]
    except KeyError as missing:
        raise source.error(f"the object has no {shown(missing.args[0])}", number) from None


def _id(value: object, number: int, source: Source) -> str:
    try:
        return as_label(value)
    except InputError:
        raise source.error(f"an id is text or a whole number, not {shown(repr(value), 40)}", number) from None


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
