"""Label files: reading them in any format, at once or one instance at a time, and writing them.

This module lists the formats. If several recognise a file, the one listed last is chosen. The
module of each format describes its contents. `alignment` matches two files.
"""

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import Any, BinaryIO, Unpack

import numpy as np

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.read.label_rows import LabelRows
from hiermeasures.read.labels import indicator, jsonl, lines, parquet, tables
from hiermeasures.read.labels.alignment import Aligned, align
from hiermeasures.read.labels.label_file import (
    HEAD,
    SMALL_BLOCK,
    Head,
    LabelFile,
    LabelFileOptions,
    LabelFormat,
    LabelReading,
    Row,
    join_blocks,
)
from hiermeasures.read.source import (
    BOM,
    FILE,
    UPLOAD,
    Limits,
    Source,
    checked,
    extension,
    for_writing,
    larger,
    load,
    name_of,
    open_binary,
    save,
    unreadable,
)

_FORMATS = (
    lines.HEMKIT,
    lines.GERMEVAL,
    tables.CSV,
    tables.TSV,
    jsonl.FORMAT,
    parquet.FORMAT,
    indicator.NPZ,
    indicator.NPY,
)

LABEL_FORMATS: dict[str, LabelFormat] = {format.key: format for format in _FORMATS}

_ANY_TEXT = ".txt"  # says nothing about the content
_BY_EXTENSION = {e: format.key for format in _FORMATS for e in format.extensions if e != _ANY_TEXT}


def recognise(content: bytes, name: str) -> str:
    """Return the key of the format of a file with this name and beginning (up to HEAD)."""
    head = Head(content)
    by_beginning = (
        format.key for format in reversed(_FORMATS) if format.begins and format.begins(head)
    )
    by_lines = (
        format.key for format in reversed(_FORMATS) if format.has_lines and format.has_lines(head)
    )
    return next(by_beginning, None) or _BY_EXTENSION.get(extension(name)) or next(by_lines)


def read_labels(
    path: Any,
    format: str | None = None,
    task: str | None = None,
    *,
    name: str = "",
    limits: Limits | None = None,
    **options: Unpack[LabelFileOptions],
) -> LabelFile:
    """Read the label sets of a file.

    Parameters
    ----------
    path : str, path, bytes or binary stream
    format : str, optional
        A key of `LABEL_FORMATS`. By default the content decides.
    task : str, optional
        The sub-task of a GermEval file, "a" or "b". Required if the file contains both. For other
        formats, a note says that it has no effect.
    name : str
        A file name for bytes and streams, for messages and as a hint.
    limits : Limits, optional
        By default `FILE` for paths and `UPLOAD` for bytes and streams.

    Other Parameters
    ----------------
    id_column, label_columns : str, optional
        Names of columns (CSV, TSV, Parquet) or keys (JSONL). Needed if they are not the usual ones
        (id, label, level_1, …).
    separator : str, optional
        The separator of several labels in one cell. By default it is recognised: a JSON list, or
        one of | ; ,
    has_ids : bool, optional
        True if the first column of a table without a header contains ids. By default it is
        recognised.
    classes : sequence of str, optional
        Names of the columns of an indicator matrix.
    known_classes : container of str, optional
        Classes of the hierarchy. In a table without a header, a first row that names one of them is
        an instance.

    Returns
    -------
    LabelFile
        Instances with equal ids become one, and a note reports them.

    Raises
    ------
    InputError
        If the file cannot be read. The message has the file, the line or row, and the reason.

    Examples
    --------
    >>> file = read_labels(b"1 5\\n\\n7\\n")
    >>> [sorted(labels) for labels in file.labels], file.ids
    ([['1', '5'], [], ['7']], None)
    >>> read_labels(b"id,labels\\nx,A|B\\n").ids
    ('x',)

    See Also
    --------
    iter_labels : One instance at a time, for large files.
    align : Match predictions to true labels.
    write_labels : Write label sets to a file.
    """
    with opened(path, name, limits) as (stream, source):
        reading = LabelReading(source, options, task)
        found = _format_of(stream, reading, format)
        ids, labels = join_blocks(found.read(stream, reading), reading)
        return LabelFile(ids, labels, notes=reading.notes.all(), name=source.name, format=found.key)


def iter_labels(
    path: Any,
    format: str | None = None,
    task: str | None = None,
    *,
    name: str = "",
    limits: Limits | None = None,
    **options: Unpack[LabelFileOptions],
) -> Iterator[Row]:
    """Yield the instances of a file one at a time, as (id or None, labels).

    It takes the parameters of `read_labels` and raises the same errors. Text formats and Parquet
    need little memory, because instances with equal ids are not joined.

    >>> [sorted(labels) for _, labels in iter_labels(b"1 5\\n7\\n")]
    [['1', '5'], ['7']]
    """
    with opened(path, name, limits) as (stream, source):
        reading = LabelReading(source, options, task, block=SMALL_BLOCK)
        for block in _format_of(stream, reading, format).read(stream, reading):
            ptr = np.append(0, np.cumsum(block.sizes))
            yield from zip(
                block.ids or repeat(None),
                LabelRows(tuple(reading.names), ptr, block.numbers),
                strict=False,
            )


@contextmanager
def opened(path: Any, name: str, limits: Limits | None) -> Iterator[tuple[BinaryIO, Source]]:
    """Open a seekable stream. A path is read piece by piece, and other sources are loaded into
    memory.
    """
    if isinstance(path, (str, os.PathLike)):
        source = Source(name or str(path), limits=limits or FILE)
        with open_binary(Path(path), source) as stream:
            try:
                if stream.seek(0, os.SEEK_END) > source.limits.bytes:
                    raise larger(source)
                stream.seek(0)
                yield stream, source
            except OSError as error:
                raise unreadable(error, source) from None
    else:
        data, source = load(path, name, limits or UPLOAD)
        yield io.BytesIO(data), source


def _format_of(stream: BinaryIO, reading: LabelReading, format: str | None) -> LabelFormat:
    head = stream.read(HEAD)
    stream.seek(0)
    if not head.removeprefix(BOM):
        raise reading.source.error("this is empty")
    found = LABEL_FORMATS[
        recognise(head, reading.source.name)
        if format is None
        else checked(format, LABEL_FORMATS).key
    ]
    if reading.task and not found.tasks:
        reading.notes.say(f"task {reading.task} is ignored, because this format has no sub-tasks")
    return found


def write_labels(
    labels: LabelFile | Iterable[Iterable[str]],
    target: Any,
    format: str | None = None,
    *,
    ids: Iterable[str] | None = None,
    task: str | None = None,
) -> None:
    """Write label sets to a path (whole or not at all) or an open binary stream.

    Parameters
    ----------
    labels : LabelFile or iterable of label sets
    target : str, path or binary stream
    format : str, optional
        A key of `LABEL_FORMATS`. By default the path's extension decides.
    ids : iterable of str, optional
        For label sets that are not a LabelFile.
    task : str, optional
        The section of a GermEval file, by default b.

    Raises
    ------
    InputError
        If the format cannot contain a name, if it needs ids and the labels have none, or if it can
        only be read.

    Examples
    --------
    >>> out = io.BytesIO()
    >>> write_labels([{"B", "A"}, set()], out, "csv", ids=["x", "y"])
    >>> out.getvalue()
    b'id,labels\\nx,A|B\\ny,\\n'
    """
    file = labels if isinstance(labels, LabelFile) else _from_sets(labels, ids)
    chosen = for_writing(format, name_of(target), LABEL_FORMATS)
    assert chosen.write is not None
    out = io.BytesIO()
    try:
        chosen.write(file, out, *([task] if chosen.tasks else []))
    except UnicodeEncodeError:
        raise InputError(
            "a name contains half a surrogate pair, which no file can contain. Remove the "
            "character."
        ) from None
    save(out.getvalue(), target)


def _from_sets(labels: Iterable[Iterable[str]], ids: Iterable[str] | None) -> LabelFile:
    sets = tuple(frozenset(map(str, row)) for row in labels)
    keys = tuple(map(str, ids)) if ids is not None else None
    if keys is not None and len(keys) != len(sets):
        raise InputError(f"{len(keys)} ids for {len(sets)} label sets")
    return LabelFile(keys, LabelRows.of(sets))


__all__ = [
    "LABEL_FORMATS",
    "Aligned",
    "LabelFile",
    "align",
    "iter_labels",
    "read_labels",
    "write_labels",
]
