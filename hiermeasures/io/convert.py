"""From one file format to another, for hierarchies and for labels; which of the two a file holds is found out.

Reading and writing are done by `hierarchies` and `labels`.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hiermeasures.errors import InputError, unknown
from hiermeasures.io.formats import for_writing
from hiermeasures.io.hierarchies import HIERARCHY_FORMATS, read_hierarchy, write_hierarchy
from hiermeasures.io.hierarchies.edge_list import header_direction
from hiermeasures.io.labels import LABEL_FORMATS, read_labels, write_labels
from hiermeasures.io.labels.columns import is_header
from hiermeasures.io.labels.format import HEAD
from hiermeasures.io.labels.registry import recognised
from hiermeasures.io.labels.table import dialect_of
from hiermeasures.io.source import Source, extension, open_binary

Kind = Literal["hierarchy", "labels"]

_HIERARCHY_EXTENSIONS = {e for f in HIERARCHY_FORMATS.values() for e in f.extensions}
_LABEL_EXTENSIONS = {e for f in LABEL_FORMATS.values() for e in f.extensions}


@dataclass(frozen=True)
class Conversion:
    """What was done: what the file held, how much of it, and the notes of its reader."""

    kind: Kind
    target_format: str
    count: int
    notes: tuple[str, ...]

    def __str__(self) -> str:
        what = "classes" if self.kind == "hierarchy" else "instances"
        formats = HIERARCHY_FORMATS if self.kind == "hierarchy" else LABEL_FORMATS
        return f"{self.kind} of {self.count:,} {what}, written as {formats[self.target_format].title}"


def convert(
    source: str | Path,
    target: str | Path,
    *,
    kind: Kind | None = None,
    source_format: str | None = None,
    target_format: str | None = None,
    task: str | None = None,
) -> Conversion:
    """Reads a file and writes it in another format.

    Parameters
    ----------
    source, target : path
        The target is written whole or not at all.
    kind : "hierarchy" or "labels", optional
        Found out from both files where it is not given.
    source_format, target_format : str, optional
        Keys of `HIERARCHY_FORMATS` or `LABEL_FORMATS`; by default recognised, and by the target's extension.
    task : str, optional
        The sub-task of a GermEval file.

    Raises
    ------
    InputError
        Where the source cannot be read, or the target's format cannot hold what it says.
    """
    source, target = Path(source), Path(target)
    found = kind or kind_of(source, target, source_format, target_format)
    if found == "hierarchy":
        key = for_writing(target_format, target.name, HIERARCHY_FORMATS).key
        h = read_hierarchy(source, source_format)
        write_hierarchy(h, target, key)
        return Conversion(found, key, len(h) - h.virtual_root, h.notes)
    if found != "labels":
        raise InputError(unknown("kind", str(found), ["hierarchy", "labels"]))
    key = for_writing(target_format, target.name, LABEL_FORMATS).key
    file = read_labels(source, source_format, task)
    write_labels(file, target, key, task=task)
    lost = (
        ("ids have no place in this format and are left out",)
        if file.ids is not None and not LABEL_FORMATS[key].ids
        else ()
    )
    return Conversion(found, key, len(file), (*file.notes, *lost))


def kind_of(source: Path, target: Path, source_format: str | None = None, target_format: str | None = None) -> Kind:
    """Whether a file to convert holds a hierarchy or labels: by the formats, by the content, then by what can be read.

    Lines of two names can be either. They are a hierarchy, unless only labels have a format of the target's extension.
    """
    for asked in (source_format, target_format):
        if asked is not None and (asked in HIERARCHY_FORMATS) != (asked in LABEL_FORMATS):
            return "hierarchy" if asked in HIERARCHY_FORMATS else "labels"
    with open_binary(source, Source(str(source))) as stream:
        head = stream.read(HEAD)
    if not head:
        raise Source(str(source)).error("this is empty")
    by_content = _kind_by_content(head, source)
    if by_content is not None:
        return by_content
    holds = {
        kind
        for kind, formats in (("hierarchy", HIERARCHY_FORMATS), ("labels", LABEL_FORMATS))
        if any(f.writable and extension(target.name) in f.extensions for f in formats.values())
    }
    if len(holds) == 1:
        return "hierarchy" if "hierarchy" in holds else "labels"
    try:
        read_hierarchy(source, source_format)
    except InputError:
        return "labels"
    return "hierarchy"


def _kind_by_content(head: bytes, source: Path) -> Kind | None:
    key = recognised(head, source.name)
    if LABEL_FORMATS[key].begins or extension(source.name) in _LABEL_EXTENSIONS - _HIERARCHY_EXTENSIONS:
        return "labels"
    if extension(source.name) in _HIERARCHY_EXTENSIONS - _LABEL_EXTENSIONS:
        return "hierarchy"
    lines = [line for line in head.decode("utf-8", "replace").splitlines() if line.strip()]
    if key == "jsonl":
        return (
            "labels"
            if len(lines) > 1 and all(line[:1] in "{[" and line.rstrip()[-1:] in "}]" for line in lines[:2])
            else "hierarchy"
        )
    if key in ("csv", "tsv") and lines:
        cells = lines[0].strip("\ufeff").split(dialect_of(lines[0], lines[1:]).delimiter)
        names = [cell.strip().strip('"') for cell in cells]
        if header_direction(names):
            return "hierarchy"
        if is_header(names):
            return "labels"
    return None
