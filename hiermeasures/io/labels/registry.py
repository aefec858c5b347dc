"""The formats of label files, one line each, and which of them a file is in.

Of several that know a file the one listed last is chosen: put a special format after the general one.
"""

from hiermeasures.io.labels import germeval, hemkit, indicator, jsonl, parquet, table
from hiermeasures.io.labels.format import Head, LabelFormat
from hiermeasures.io.source import extension

_FORMATS = (
    hemkit.FORMAT,
    germeval.FORMAT,
    table.CSV,
    table.TSV,
    jsonl.FORMAT,
    parquet.FORMAT,
    indicator.NPZ,
    indicator.NPY,
)

LABEL_FORMATS: dict[str, LabelFormat] = {format.key: format for format in _FORMATS}

_ANY_TEXT = ".txt"  # says nothing about what is inside
_BY_EXTENSION = {e: format.key for format in _FORMATS for e in format.extensions if e != _ANY_TEXT}


def recognised(content: bytes, name: str) -> str:
    """The key of the format of a file of this name that starts with these bytes (up to HEAD of them)."""
    head = Head(content)
    by_beginning = (format.key for format in reversed(_FORMATS) if format.begins and format.begins(head))
    by_lines = (format.key for format in reversed(_FORMATS) if format.has_lines and format.has_lines(head))
    return next(by_beginning, None) or _BY_EXTENSION.get(extension(name)) or next(by_lines)
