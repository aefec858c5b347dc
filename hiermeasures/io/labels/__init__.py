"""Label files: reading them in any format, at once or one instance at a time, and writing them.

The formats are listed in the registry; what one looks like inside is in the module of its name; matching two files is
in `alignment`.
"""

import copy
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

from hiermeasures.errors import InputError
from hiermeasures.io.formats import checked, for_writing
from hiermeasures.io.labels.alignment import Aligned, align, counted, first_few
from hiermeasures.io.labels.format import HEAD, LabelFormat
from hiermeasures.io.labels.label_file import LabelFile, Reading, ReadingOptions, Row
from hiermeasures.io.labels.registry import LABEL_FORMATS, recognised
from hiermeasures.io.source import BOM, FILE, UPLOAD, Limits, Source, load, open_binary, replacing, size_in_words
from hiermeasures.io.words import Unusual


def read_labels(
    path: Any,
    format: str | None = None,
    task: str | None = None,
    *,
    name: str = "",
    id_column: str | None = None,
    label_columns: str | Sequence[str] | None = None,
    separator: str | None = None,
    has_ids: bool | None = None,
    classes: Sequence[str] | None = None,
    limits: Limits | None = None,
) -> LabelFile:
    """The label sets of a file.

    Parameters
    ----------
    path : str, path, bytes or binary stream
    format : str, optional
        A key of `LABEL_FORMATS`; recognised from the content where it is not given.
    task : str, optional
        The sub-task of a GermEval file, "a" or "b"; needed where it holds both. Other formats have none and say so in a
        note.
    name : str
        A file name for bytes and streams, for messages and as a hint.
    id_column, label_columns : str, optional
        Names of columns (CSV, TSV, Parquet) or keys (JSONL), where the usual ones (id, label, level_1, …) are not used.
    separator : str, optional
        What separates several labels in one cell; found out where it is not given: a JSON list, or one of | ; ,
    has_ids : bool, optional
        Whether the first column of a table without a header holds ids.
    classes : sequence of str, optional
        Names of the columns of an indicator matrix.
    limits : Limits, optional
        By default `FILE` for paths and `UPLOAD` for bytes and streams.

    Returns
    -------
    LabelFile
        Instances with the same id are joined, and a note says so.

    Raises
    ------
    InputError
        Naming the file, the line or row, and the reason.

    Examples
    --------
    >>> file = read_labels(b"1 5\\n\\n7\\n")
    >>> [sorted(labels) for labels in file.labels], file.ids
    ([['1', '5'], [], ['7']], None)
    >>> read_labels(b"id,labels\\nx,A|B\\n").ids
    ('x',)
    """
    options = _options(task, id_column, label_columns, separator, has_ids, classes)
    with _opened(path, name, limits) as (stream, source, bounds):
        reading = Reading(source, bounds, options)
        found = _format_of(stream, reading, format)
        return _read_as_arrays(found, stream, reading) or _read_row_by_row(found, stream, reading)


def _read_as_arrays(found: LabelFormat, stream: BinaryIO, reading: Reading) -> LabelFile | None:
    """An ordinary file; None for one of which the careful reader has to say something, or to decide."""
    if found.arrays is None:
        return None
    attempt = replace(reading, notes=copy.deepcopy(reading.notes))
    try:
        ids, labels = found.arrays(stream, attempt)
    except (Unusual, InputError):
        stream.seek(0)
        return None
    key_of_each = None if ids is None else tuple(ids)
    return LabelFile(key_of_each, labels, attempt.notes.all(), reading.source.name, found.key)


def _read_row_by_row(found: LabelFormat, stream: BinaryIO, reading: Reading) -> LabelFile:
    ids: list[str | None] = []
    labels: list[frozenset[str]] = []
    for row_id, row_labels in found.rows(stream, reading):
        ids.append(row_id)
        labels.append(row_labels)
    if not labels:
        raise reading.source.error("holds no instances")
    return _file(ids, labels, reading, found.key)


def iter_labels(
    path: Any,
    format: str | None = None,
    task: str | None = None,
    *,
    name: str = "",
    id_column: str | None = None,
    label_columns: str | Sequence[str] | None = None,
    separator: str | None = None,
    has_ids: bool | None = None,
    classes: Sequence[str] | None = None,
    limits: Limits | None = None,
) -> Iterator[Row]:
    """The instances of a file one at a time, as (id or None, labels), with the parameters and errors of `read_labels`.

    Text formats and Parquet are read in bounded memory. Instances with the same id are not joined.

    >>> [sorted(labels) for _, labels in iter_labels(b"1 5\\n7\\n")]
    [['1', '5'], ['7']]
    """
    options = _options(task, id_column, label_columns, separator, has_ids, classes)
    with _opened(path, name, limits) as (stream, source, bounds):
        reading = Reading(source, bounds, options)
        yield from _format_of(stream, reading, format).rows(stream, reading)


def _options(
    task: str | None,
    id_column: str | None,
    label_columns: str | Sequence[str] | None,
    separator: str | None,
    has_ids: bool | None,
    classes: Sequence[str] | None,
) -> ReadingOptions:
    columns = (label_columns,) if isinstance(label_columns, str) else label_columns
    return ReadingOptions(
        task,
        id_column,
        tuple(columns) if columns is not None else None,
        separator or None,
        has_ids,
        tuple(map(str, classes)) if classes is not None else None,
    )


@contextmanager
def _opened(path: Any, name: str, limits: Limits | None) -> Iterator[tuple[BinaryIO, Source, Limits]]:
    """A seekable stream; files are read as they are needed, everything else is held in memory within the limits."""
    if isinstance(path, (str, os.PathLike)):
        source = Source(name or str(path))
        bounds = limits or FILE
        with open_binary(Path(path), source) as stream:
            if os.fstat(stream.fileno()).st_size > bounds.bytes:
                raise source.error(f"larger than {size_in_words(bounds.bytes)}, which is the most that is read here")
            yield stream, source, bounds
    else:
        data, source, bounds = load(path, name, limits or UPLOAD)
        yield io.BytesIO(data), source, bounds


def _format_of(stream: BinaryIO, reading: Reading, format: str | None) -> LabelFormat:
    head = stream.read(HEAD)
    stream.seek(0)
    if not head.removeprefix(BOM):
        raise reading.source.error("this is empty")
    found = LABEL_FORMATS[
        recognised(head, reading.source.name) if format is None else checked(format, LABEL_FORMATS).key
    ]
    if reading.options.task and not found.tasks:
        reading.notes.say(f"there are no sub-tasks in this format, so task {reading.options.task} is not looked for")
    return found


def _file(ids: list[str | None], labels: list[frozenset[str]], reading: Reading, key: str) -> LabelFile:
    name = reading.source.name
    if any(row_id is None for row_id in ids):
        return LabelFile(None, tuple(labels), reading.notes.all(), name, key)
    joined: dict[str, frozenset[str]] = {}
    several: dict[str, list[frozenset[str]]] = {}
    for row_id, row_labels in zip(ids, labels, strict=True):
        assert row_id is not None
        if row_id in joined:
            several.setdefault(row_id, [joined[row_id]]).append(row_labels)
        else:
            joined[row_id] = row_labels
    joined.update((row_id, frozenset[str]().union(*sets)) for row_id, sets in several.items())
    if several:
        stand = "stands" if len(several) == 1 else "stand"
        ids_in_words = f"{counted(several, 'id')} {stand} on several lines ({first_few(list(several))})"
        reading.notes.say(f"{ids_in_words}; their classes are joined")
    return LabelFile(tuple(joined), tuple(joined.values()), reading.notes.all(), name, key)


def write_labels(
    labels: LabelFile | Iterable[Iterable[str]],
    target: Any,
    format: str | None = None,
    *,
    ids: Iterable[str] | None = None,
    task: str | None = None,
) -> None:
    """Writes label sets to a path (whole or not at all) or an open binary stream.

    Parameters
    ----------
    labels : LabelFile or iterable of label sets
    target : str, path or binary stream
    format : str, optional
        A key of `LABEL_FORMATS`; by default that of the path's extension.
    ids : iterable of str, optional
        For label sets that are no LabelFile.
    task : str, optional
        The section of a GermEval file; b where it is not given.

    Raises
    ------
    InputError
        Where the format cannot hold a name, needs ids that there are none of, or is only read.

    Examples
    --------
    >>> out = io.BytesIO()
    >>> write_labels([{"B", "A"}, set()], out, "csv", ids=["x", "y"])
    >>> out.getvalue()
    b'id,labels\\nx,A|B\\ny,\\n'
    """
    file = labels if isinstance(labels, LabelFile) else _from_sets(labels, ids)
    is_path = isinstance(target, (str, os.PathLike))
    chosen = for_writing(format, Path(target).name if is_path else str(getattr(target, "name", "")), LABEL_FORMATS)
    if is_path:
        with replacing(Path(target), binary=True) as stream:
            _write(file, stream, chosen, task)
    else:
        _write(file, target, chosen, task)


def _from_sets(labels: Iterable[Iterable[str]], ids: Iterable[str] | None) -> LabelFile:
    sets = tuple(frozenset(map(str, row)) for row in labels)
    keys = tuple(map(str, ids)) if ids is not None else None
    if keys is not None and len(keys) != len(sets):
        raise InputError(f"{len(keys)} ids for {len(sets)} label sets")
    return LabelFile(keys, sets)


def _write(file: LabelFile, stream: BinaryIO, format: LabelFormat, task: str | None) -> None:
    assert format.write is not None
    try:
        format.write(file, stream, *([task] if format.tasks else []))
    except UnicodeEncodeError:
        raise InputError("a name holds half a surrogate pair, which no file can hold") from None


__all__ = ["LABEL_FORMATS", "Aligned", "LabelFile", "align", "iter_labels", "read_labels", "write_labels"]
