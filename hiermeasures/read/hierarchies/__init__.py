"""Hierarchies in files: reading and writing them in any format.

This module lists the formats. If several recognise a text, the one listed last is chosen, so a
special format comes after the general one. The module of each format describes its contents.
"""

from dataclasses import replace
from importlib.util import find_spec
from typing import Any, Unpack

from hiermeasures.hierarchy.edge_rows import Errors
from hiermeasures.hierarchy.extras import require
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.hierarchies import (
    dot,
    edge_list,
    graphml,
    json_documents,
    lines,
    newick_tree,
    obo,
    rdf,
    taxdump,
)
from hiermeasures.read.hierarchies.format import FormatText, HierarchyFormat
from hiermeasures.read.reading import ReadOptions, checked_options
from hiermeasures.read.source import (
    UPLOAD,
    Limits,
    Source,
    checked,
    checked_text,
    decode,
    for_writing,
    load,
    name_of,
    save,
)

_FORMATS = (
    edge_list.EDGES,
    edge_list.CSV,
    json_documents.NESTED,
    json_documents.RECORDS,
    edge_list.HEMKIT,
    lines.TAXONOMY,
    lines.OUTLINE,
    lines.PATHS,
    lines.MESH,
    lines.KRAKEN,
    lines.IS_A,
    obo.FORMAT,
    graphml.FORMAT,
    dot.FORMAT,
    json_documents.NODE_LINK,
    rdf.FORMAT,
    rdf.OWL,
    rdf.GRAPHS,
    newick_tree.FORMAT,
    taxdump.FORMAT,
)

HIERARCHY_FORMATS: dict[str, HierarchyFormat] = {format.key: format for format in _FORMATS}

_ANY_TEXT = ".txt"  # says nothing about the content


def _recognise(file: FormatText) -> HierarchyFormat:
    """Return the format of a text that is not empty."""
    # If the file name promises lines, a first name such as "[Term]" is only a name.
    named_as_lines = any(file.extension in f.extensions for f in _FORMATS if f.has_lines)
    if not named_as_lines or file.extension == _ANY_TEXT:
        for format in reversed(_FORMATS):
            if format.begins and format.begins(file):
                return format
    return next(f for f in reversed(_FORMATS) if f.has_lines and f.has_lines(file))


def read_hierarchy_text(
    text: str,
    name: str = "",
    format: str | None = None,
    limits: Limits = UPLOAD,
    errors: Errors = "raise",
    **options: Unpack[ReadOptions],
) -> Hierarchy:
    """Read the hierarchy that a text describes.

    Parameters
    ----------
    text : str
        At most `limits.bytes` as UTF-8.
    name : str
        A file name, for messages and as a hint if the content fits several formats.
    format : str, optional
        A key of `HIERARCHY_FORMATS`. By default the content decides.
    limits : Limits
        Limits of size and depth.
    errors : "raise" or "drop"
        "drop" leaves out faulty entries of edge lists and tables: classes that are their own
        parents, unknown parents, repeated edges and cycles. `dropped` of the hierarchy lists them.
    **options
        How to read an ambiguous file. `child`, `parent`, `code`, `title` and `levels` name columns
        of a table or keys of JSON. `rule` finds the parents of codes. `relations` are the relations
        of an ontology that lead to a parent. `OPTIONS` of `hiermeasures.read.reading` describes
        them all.

    Returns
    -------
    Hierarchy

    Raises
    ------
    InputError
        If the text cannot be read. The message has the file, the line and the reason, and for a
        cycle its classes.

    Examples
    --------
    >>> read_hierarchy_text("A B\\nA C\\n").edges
    (('A', 'B'), ('A', 'C'))
    >>> read_hierarchy_text("fine,coarse\\napple,fruit\\n", child="fine", parent="coarse").edges
    (('fruit', 'apple'),)
    >>> read_hierarchy_text("A B\\nB B\\n", name="mine.txt")
    Traceback (most recent call last):
    hiermeasures.hierarchy.errors.InputError: mine.txt, line 2: class 'B' is its own parent

    See Also
    --------
    read_hierarchy : Read a file.
    write_hierarchy_text : Write a hierarchy as text.
    """
    asked = checked_options({"errors": errors, **options})
    source = Source(name, limits=limits, options=asked)
    file = FormatText(checked_text(text, source), source)
    chosen = _recognise(file) if format is None else checked(format, HIERARCHY_FORMATS)
    _check_taken(asked, chosen, source)
    if chosen.package and find_spec("numpy"):  # which a browser has not
        require("files", f"reading {chosen.title}", chosen.package)
    try:
        h = chosen.read(file.json if chosen.is_json else file.text, source)
    except ModuleNotFoundError as missing:  # in a browser
        instead = f"where there is no {(missing.name or '').partition('.')[0]}; edge lists, CSV and JSON are"
        raise source.error(f"the format {chosen.title} is not read here, {instead}") from None
    _check_rule_used(asked, h, source)
    return _with_format(h, chosen)


def _with_format(h: Hierarchy, chosen: HierarchyFormat) -> Hierarchy:
    return replace(h, understood=replace(h.understood, format=h.understood.format or chosen.title))


def _check_taken(options: dict[str, Any], chosen: HierarchyFormat, source: Source) -> None:
    """Refuse options that have no effect on the format."""
    for name, value in options.items():
        if name in chosen.takes or (name, value) == ("errors", "raise"):
            continue
        titles = ", ".join(f.title for f in _FORMATS if name in f.takes)
        what = "faulty entries are left out of" if name == "errors" else f"{name} is for"
        raise source.error(f"{what} {titles}, but this is read as {chosen.title}")


def _check_rule_used(options: dict[str, Any], h: Hierarchy, source: Source) -> None:
    """Refuse a rule for codes if no column of codes was read."""
    has_codes = any(role == "code" for _, role in h.understood.columns)
    if "rule" in options and not has_codes:
        raise source.error(
            "a rule needs a column of codes, and no column was read as codes. Name the column "
            "(--code), below a header such as code,title, or leave --rule out"
        )


def read_hierarchy(
    path_or_bytes: Any,
    format: str | None = None,
    name: str = "",
    limits: Limits | None = None,
    errors: Errors = "raise",
    **options: Unpack[ReadOptions],
) -> Hierarchy:
    """Read the hierarchy in a file: a path, the bytes of an upload, or an open binary stream.

    Parameters
    ----------
    path_or_bytes : str, path, bytes or binary stream
        UTF-8 text with any line ends, with or without a byte-order mark. For NCBI's taxonomy, its
        folder or an archive of it also works.
    format, name, errors, **options :
        As in `read_hierarchy_text`. A path is its own name.
    limits : Limits, optional
        By default `FILE` for paths (4 GB) and `UPLOAD` (20 MB) for the rest.

    Raises
    ------
    InputError
        As `read_hierarchy_text`, and if the file is missing, too large, or not UTF-8.

    Returns
    -------
    Hierarchy

    Examples
    --------
    >>> read_hierarchy(b'{"A": ["B", "C"]}').root
    'A'

    See Also
    --------
    read_hierarchy_text : Read a text.
    write_hierarchy : Write a file.
    """
    asked = checked_options({"errors": errors, **options})
    may_be_several = format in (None, taxdump.FORMAT.key)
    if may_be_several and taxdump.is_folder(path_or_bytes):
        _check_taken(asked, taxdump.FORMAT, Source(name or str(path_or_bytes)))
        return _with_format(taxdump.read_folder(path_or_bytes, name, limits), taxdump.FORMAT)
    data, source = load(path_or_bytes, name, limits)
    if may_be_several and taxdump.is_archive(data):
        _check_taken(asked, taxdump.FORMAT, source)
        return _with_format(taxdump.read_archive(data, source), taxdump.FORMAT)
    return read_hierarchy_text(
        decode(data, source), source.name, format, source.limits, errors, **options
    )


def write_hierarchy_text(h: Hierarchy, format: str = "edges") -> str:
    """Return the hierarchy as text in one of the `HIERARCHY_FORMATS`. A virtual root is left out,
    and readers add it again.

    Raises
    ------
    InputError
        If the format cannot contain a class name or the edge weights.

    Examples
    --------
    >>> write_hierarchy_text(Hierarchy.from_edges([("A", "B")]), "csv")
    'parent,child\\nA,B\\n'
    """
    write = for_writing(format, "", HIERARCHY_FORMATS).write
    assert write is not None  # says for_writing
    return write(h)


def write_hierarchy(h: Hierarchy, path_or_stream: Any, format: str | None = None) -> None:
    """Write the hierarchy to a path or an open stream, by default in the format of the path's
    extension.

    A path is written whole or not at all. The function raises errors as `write_hierarchy_text`
    does.
    """
    key = for_writing(format, name_of(path_or_stream), HIERARCHY_FORMATS).key
    save(write_hierarchy_text(h, key), path_or_stream)


__all__ = [
    "HIERARCHY_FORMATS",
    "read_hierarchy",
    "read_hierarchy_text",
    "write_hierarchy",
    "write_hierarchy_text",
]
