"""Hierarchies in files: reading and writing them in any format.

The formats are listed in the registry; what one looks like inside is in the module of its name.
"""

import os
from pathlib import Path
from typing import Any

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.formats import checked, for_writing
from hiermeasures.io.hierarchies.registry import HIERARCHY_FORMATS, recognised
from hiermeasures.io.source import UPLOAD, Limits, Source, checked_text, decode, load, save


def read_hierarchy_text(text: str, name: str = "", format: str | None = None, limits: Limits = UPLOAD) -> Hierarchy:
    """The hierarchy that a text describes.

    Parameters
    ----------
    text : str
        At most `limits.bytes` as UTF-8.
    name : str
        A file name, for messages and as a hint when the content alone leaves the format open.
    format : str, optional
        A key of `HIERARCHY_FORMATS`; recognised from the content where it is not given.
    limits : Limits
        How much is accepted.

    Raises
    ------
    InputError
        Naming the file, the line and the reason; for a cycle, its classes.

    Examples
    --------
    >>> read_hierarchy_text("A B\\nA C\\n").edges
    (('A', 'B'), ('A', 'C'))
    >>> read_hierarchy_text("A B\\nB B\\n", name="mine.txt")
    Traceback (most recent call last):
    hiermeasures.errors.InputError: mine.txt, line 2: class 'B' is its own parent
    """
    source = Source(name)
    text = checked_text(text, source, limits)
    key = recognised(text, source, limits) if format is None else checked(format, HIERARCHY_FORMATS).key
    return HIERARCHY_FORMATS[key].read(text, source, limits)


def read_hierarchy(
    path_or_bytes: Any, format: str | None = None, name: str = "", limits: Limits | None = None
) -> Hierarchy:
    """The hierarchy in a file: a path, the bytes of an upload, or an open binary stream.

    Parameters
    ----------
    path_or_bytes : str, path, bytes or binary stream
        UTF-8 text, with or without a byte-order mark, with any line ends.
    format, name :
        As in `read_hierarchy_text`; the name of a path is its own.
    limits : Limits, optional
        By default `FILE` for paths (4 GB) and `UPLOAD` (20 MB) for the rest.

    Raises
    ------
    InputError
        As `read_hierarchy_text`; also for a file that is not there, too large, or not UTF-8.

    Examples
    --------
    >>> read_hierarchy(b'{"A": ["B", "C"]}').root
    'A'
    """
    data, source, limits = load(path_or_bytes, name, limits)
    return read_hierarchy_text(decode(data, source), source.name, format, limits)


def write_hierarchy_text(h: Hierarchy, format: str = "edges") -> str:
    """The hierarchy as text in one of the `HIERARCHY_FORMATS`. A virtual root is left out; reading adds it again.

    Raises
    ------
    InputError
        Where the format cannot hold a class name or the edge weights.

    Examples
    --------
    >>> write_hierarchy_text(Hierarchy.from_edges([("A", "B")]), "csv")
    'parent,child\\nA,B\\n'
    """
    return for_writing(format, "", HIERARCHY_FORMATS).write(h)


def write_hierarchy(h: Hierarchy, path_or_stream: Any, format: str | None = None) -> None:
    """Writes the hierarchy to a path or an open stream; by default in the format of the path's extension.

    A path is written whole or not at all. Raises like `write_hierarchy_text`.
    """
    name = (
        str(path_or_stream)
        if isinstance(path_or_stream, (str, os.PathLike))
        else str(getattr(path_or_stream, "name", ""))
    )
    key = for_writing(format, Path(name).name if name else "", HIERARCHY_FORMATS).key
    save(write_hierarchy_text(h, key), path_or_stream)


__all__ = ["HIERARCHY_FORMATS", "read_hierarchy", "read_hierarchy_text", "write_hierarchy", "write_hierarchy_text"]
