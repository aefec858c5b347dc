"""Convert a file of a hierarchy or of labels into another format."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hiermeasures.hierarchy.errors import InputError, unknown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.hierarchies import (
    HIERARCHY_FORMATS,
    read_hierarchy,
    taxdump,
    write_hierarchy,
)
from hiermeasures.read.hierarchies.tables import header_direction, table_columns
from hiermeasures.read.labels import LABEL_FORMATS, read_labels, recognise, write_labels
from hiermeasures.read.labels.header import ID, LEVEL, names_columns, plain_name
from hiermeasures.read.labels.label_file import HEAD
from hiermeasures.read.labels.tables import cut_of
from hiermeasures.read.source import FILE, Source, extension, for_writing, load, open_binary

Kind = Literal["hierarchy", "labels"]

_HIERARCHY_EXTENSIONS = {e for f in HIERARCHY_FORMATS.values() for e in f.extensions}
_LABEL_EXTENSIONS = {e for f in LABEL_FORMATS.values() for e in f.extensions}


@dataclass(frozen=True)
class Conversion:
    """Result of a conversion: the file's kind, its size, and the notes of its reader."""

    kind: Kind
    target_format: str
    count: int
    notes: tuple[str, ...]

    def __str__(self) -> str:
        what = "classes" if self.kind == "hierarchy" else "instances"
        formats = HIERARCHY_FORMATS if self.kind == "hierarchy" else LABEL_FORMATS
        return (
            f"{self.kind} of {self.count:,} {what}, written as {formats[self.target_format].title}"
        )


def convert(
    source: str | Path,
    target: str | Path,
    *,
    kind: Kind | None = None,
    source_format: str | None = None,
    target_format: str | None = None,
    task: str | None = None,
    **reading: Any,
) -> Conversion:
    """Read a file and write it in another format.

    Parameters
    ----------
    source, target : path
        The target is written whole or not at all.
    kind : "hierarchy" or "labels", optional
        By default recognised from both files.
    source_format, target_format : str, optional
        Keys of `HIERARCHY_FORMATS` or `LABEL_FORMATS`. By default the source's content and the
        target's extension decide.
    task : str, optional
        The sub-task of a GermEval file.
    **reading
        Options of `read_hierarchy`, such as `errors` or `child`. The notes list everything that was
        left out.

    Returns
    -------
    Conversion
        The kind, the size and the notes of the reader.

    Raises
    ------
    InputError
        If the source cannot be read, or if the target's format cannot contain its data.

    See Also
    --------
    read_hierarchy, write_hierarchy : Read and write hierarchies.
    read_labels, write_labels : Read and write labels.
    """
    source, target = Path(source), Path(target)
    # a pipe gives its content once
    given = load(source, "", None)[0] if source.is_fifo() else source
    named: Kind | None = "hierarchy" if reading.keys() - {"errors"} else None
    formats = {"source_format": source_format, "target_format": target_format}
    found = kind or named or kind_of(source, target, content=given, **formats)
    if found == "hierarchy":
        h = read_hierarchy(given, source_format, str(source), FILE, **reading)
        return _write_hierarchy(h, target, target_format)
    if found != "labels":
        raise InputError(unknown("kind", str(found), ["hierarchy", "labels"]))
    file = read_labels(given, source_format, task, name=str(source), limits=FILE)
    key = for_writing(target_format, target.name, LABEL_FORMATS).key
    write_labels(file, target, key, task=task)
    has_lost = file.ids is not None and not LABEL_FORMATS[key].ids
    lost = ["ids are left out, because this format has no place for them"] if has_lost else []
    return Conversion(found, key, len(file), (*file.notes, *lost))


def _write_hierarchy(h: Hierarchy, target: Path, target_format: str | None) -> Conversion:
    key = for_writing(target_format, target.name, HIERARCHY_FORMATS).key
    write_hierarchy(h, target, key)
    notes = [*h.notes, *(f"left out: {entry}" for entry in h.dropped)]
    if not HIERARCHY_FORMATS[key].titles and any(h.caption(label)[1] for label in h.titles):
        notes.append("titles are left out, because this format has no place for them")
    return Conversion("hierarchy", key, len(h) - h.virtual_root, tuple(notes))


def kind_of(
    source: Path,
    target: Path,
    source_format: str | None = None,
    target_format: str | None = None,
    content: Path | bytes | None = None,
) -> Kind:
    """Return "hierarchy" or "labels" for a file to convert. It asks the formats, then the content,
    then reads the file. Give `content` if the file cannot be read twice.

    Lines of two names can be either. They are a hierarchy, unless only labels have a format of the
    target's extension.
    """
    content = source if content is None else content
    if said := certain_kind(source, target, source_format, target_format, content):
        return said
    try:
        read_hierarchy(content, source_format, str(source), FILE)
    except InputError:
        return "labels"
    return "hierarchy"


def certain_kind(
    source: Path,
    target: Path,
    source_format: str | None = None,
    target_format: str | None = None,
    content: Path | bytes | None = None,
) -> Kind | None:
    """Return the answer of `kind_of` without reading the whole file. Return None if it could be
    either.
    """
    content = source if content is None else content
    if taxdump.is_folder(source):
        return "hierarchy"
    for asked in (source_format, target_format):
        if said := _only(asked in HIERARCHY_FORMATS, asked in LABEL_FORMATS):
            return said
    with (
        io.BytesIO(content)
        if isinstance(content, bytes)
        else open_binary(source, Source(str(source), limits=FILE)) as stream
    ):
        head = stream.read(HEAD)
    if not head:
        raise Source(str(source)).error("this is empty")
    if taxdump.is_archive(head) and extension(source.name) not in _LABEL_EXTENSIONS:
        return "hierarchy"
    by_target = [
        any(f.writable and extension(target.name) in f.extensions for f in formats.values())
        for formats in (HIERARCHY_FORMATS, LABEL_FORMATS)
    ]
    return _only(*by_target) or _kind_by_content(head, source)


def _only(hierarchy: bool, labels: bool) -> Kind | None:
    """Return the only kind for which the test is true. Return None for several kinds or no kind."""
    return None if hierarchy == labels else "hierarchy" if hierarchy else "labels"


def _kind_by_content(head: bytes, source: Path) -> Kind | None:
    key, ending = recognise(head, source.name), extension(source.name)
    if LABEL_FORMATS[key].begins:
        return "labels"
    lines = [line for line in head.decode("utf-8", "replace").splitlines() if line.strip()]
    if key == "jsonl" and ending not in _LABEL_EXTENSIONS:
        several = len(lines) > 1 and all(
            line[:1] in "{[" and line.rstrip()[-1:] in "}]" for line in lines[:2]
        )
        is_array = lines[0].lstrip("\ufeff \t").startswith("[")
        return "labels" if several else None if is_array else "hierarchy"
    if said := _only(ending in _HIERARCHY_EXTENSIONS, ending in _LABEL_EXTENSIONS):
        return said
    if key in ("csv", "tsv") and lines:
        cells = lines[0].strip("\ufeff").split(cut_of(lines).separator)
        names = [cell.strip().strip('"') for cell in cells]
        roles = table_columns(names)
        codes = any(
            role == "code" and plain_name(names[k]).endswith("code") for k, role in roles.items()
        )
        if header_direction(names) or {"parent", "tree"} & set(roles.values()):
            return "hierarchy"
        if codes and not any(ID.fullmatch(plain_name(name)) for name in names):
            return "hierarchy"
        if names_columns(names):  # class is a level, too, next to order and family
            ranks = [
                k
                for k, role in roles.items()
                if role == "rank" and not LEVEL.fullmatch(plain_name(names[k]))
            ]
            others = [name for k, name in enumerate(names) if k not in ranks or len(ranks) < 3]
            return "labels" if names_columns(others) else None
    return None
