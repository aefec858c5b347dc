"""JSON lines: one object for each instance, `{"id": "7", "label": ["A", "B"]}`, or a list of
labels.

A single array of such objects is read too. If pyarrow is installed, it reads many lines at a time
from large files of objects with text and lists of text. All other lines are read one by one.
"""

import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, BinaryIO

import numpy as np

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import as_label
from hiermeasures.read.labels.label_file import Block, LabelFile, LabelFormat, LabelReading, pieces
from hiermeasures.read.labels.tables import plan_for_names
from hiermeasures.read.rows import lists_of_arrow
from hiermeasures.read.source import UPLOAD, Source, size_in_words
from hiermeasures.read.untrusted import parse, parse_line

_JSON_LINE = re.compile(r'\s*(\{|\[\s*("|\d|\]|\{|$))')
_JSON_ARRAY = re.compile(r"\s*\[\s*\{")
_FEW = 1_000_000  # bytes, which are read before pyarrow is imported
Keys = tuple[str | None, str]


def read(stream: BinaryIO, reading: LabelReading) -> Iterator[Block]:
    """Yield the instances. The first object decides which keys contain ids and labels."""
    keys: Keys | None = None
    id_type = "string"
    for first, piece in _lines(pieces(stream, reading), reading.source):
        if keys is None and piece.startswith(b"{"):
            value = parse_line(piece[: piece.index(b"\n")].decode(), reading.source, first)
            keys = _keys(value, first, reading)
            id_type = "int64" if type(value.get(keys[0])) is int else id_type
        if keys is not None and (block := _block(piece, keys, id_type, first, reading)) is not None:
            yield block
            continue
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
                    f"a line must be a JSON object or a list of labels, not {shown(text, 40)}",
                    number,
                )
            numbers.append(number)
        reading.notes.skipped_blank(np.array(blank))
        ids = None
        if keys is not None and keys[0] is not None:
            ids = [
                _id(key, number, reading.source)
                for (key, _), number in zip(entries, numbers, strict=True)
            ]
        yield reading.values([labels for _, labels in entries], ids, numbers)


def _lines(found: Iterable[tuple[int, bytes]], source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield pieces of lines. If the text is an array of objects, they become the lines."""
    ahead = iter(found)
    first = next(ahead, None)
    if first is None:
        return
    if not _JSON_ARRAY.match(first[1][:1000].decode("utf-8", "replace")):
        yield first
        yield from ahead
        return
    whole = bytearray(first[1])
    for _, piece in ahead:
        whole += piece
        if len(whole) > UPLOAD.bytes:
            raise source.error(
                f"an array of more than {size_in_words(UPLOAD.bytes)}. Write one object per line."
            )
    objects = parse(whole.decode(), replace(source, limits=UPLOAD))
    if not all(isinstance(each, dict) for each in objects):
        raise source.error(
            'an array of labels must contain only objects, such as {"id": "7", "label": ["A"]}'
        )
    yield 1, "".join(json.dumps(each) + "\n" for each in objects).encode()


def _block(
    piece: bytes, keys: Keys, id_type: str, first: int, reading: LabelReading
) -> Block | None:
    """Return the instances of many whole lines, read by pyarrow. Return None if pyarrow is not
    installed. Each line must be an object with an id of this type and a list of text, otherwise
    return None too.
    """
    if len(piece) < _FEW or find_spec("pyarrow") is None:
        return None
    import pyarrow as pa
    from pyarrow.json import ParseOptions, ReadOptions, read_json

    id_key, label_key = keys
    lines = piece.count(b"\n")
    # pyarrow joins and splits lines
    if not lines == piece.count(b"}\n") == (b"\n" + piece).count(b"\n{"):
        return None
    types = {label_key: pa.list_(pa.string())} | (
        {} if id_key is None else {id_key: getattr(pa, id_type)()}
    )
    try:
        parsing = ParseOptions(explicit_schema=pa.schema(types), unexpected_field_behavior="ignore")
        table = read_json(
            io.BytesIO(piece), ReadOptions(use_threads=False, block_size=len(piece) + 1), parsing
        )
    except (pa.ArrowException, UnicodeError):  # or a key is not valid text
        return None
    table = table.combine_chunks()
    if len(table) != lines or any(column.null_count for column in table.columns):
        return None
    ids = None if id_key is None else table[id_key].cast(pa.string()).to_pylist()
    if "" in (ids or ()):
        return None
    labels = lists_of_arrow(table[label_key].chunk(0))
    return reading.instances(labels, ids, np.arange(first, first + len(table)))


def _keys(value: dict[str, Any], number: int, reading: LabelReading) -> Keys:
    if not value:
        raise reading.source.error("an object has no labels", number)
    names = list(value)
    plan = plan_for_names(names, reading)
    if plan.labels is None or len(plan.labels) != 1:
        raise reading.source.error(
            "it is unclear which key has the labels. Name it 'label'.", number
        )
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
        raise source.error(
            f"an id must be text or a whole number, not {shown(repr(value), 40)}", number
        ) from None


def write(file: LabelFile, stream: BinaryIO) -> None:
    for k, labels in enumerate(file.labels):
        entry = (
            {"label": sorted(labels)}
            if file.ids is None
            else {"id": file.ids[k], "label": sorted(labels)}
        )
        stream.write((json.dumps(entry, ensure_ascii=False) + "\n").encode("utf-8"))


FORMAT = LabelFormat(
    key="jsonl",
    title="JSON lines",
    extensions=(".jsonl", ".ndjson"),
    description='an object per line: {"id": "7", "label": ["A", "B"]}, or an array of such objects',
    read=read,
    write=write,
    has_lines=lambda head: _JSON_LINE.match(head.first) is not None,
)
