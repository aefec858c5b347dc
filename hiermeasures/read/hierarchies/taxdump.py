"""NCBI's taxonomy: nodes.dmp with names.dmp and merged.dmp, in a folder or an archive (tar, tar.gz, zip).

Numbers of taxa are classes, and scientific names are titles. Numbers that were merged into others are other names of these.
"""

import gzip
import io
import os
import re
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from hiermeasures.hierarchy.errors import shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.hierarchies.building import ParsedEdges, build
from hiermeasures.read.hierarchies.format import HierarchyFormat
from hiermeasures.read.source import Limits, Source, checked_text, decode, larger, load

NODES, NAMES, MERGED = "nodes.dmp", "names.dmp", "merged.dmp"
_LINE = re.compile(r"[0-9]+\t\|\t[0-9]+\t\|")
_GZIP, _ZIP, _TAR = b"\x1f\x8b", b"PK\x03\x04", b"ustar"
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def read(text: str, source: Source) -> Hierarchy:
    return _read({NODES: text}, source)


def _read(texts: dict[str, str], source: Source) -> Hierarchy:
    where = {
        name: source if len(texts) == 1 else replace(source, name=str(Path(source.name) / name))
        for name in texts
    }
    parsed = ParsedEdges()
    for number, (taxon, parent) in _rows(texts[NODES], 2, where[NODES]):
        if not (taxon.isdecimal() and parent.isdecimal()):
            raise where[NODES].error(
                f"a taxon and its parent must be whole numbers, not {shown(taxon)} and "
                f"{shown(parent)}",
                number,
            )
        if taxon == parent:  # how the root is written
            parsed.isolated.append(taxon)
        else:
            parsed.add(parent, taxon, number)
    unknown = set(parsed.parents).difference(parsed.children, parsed.isolated)
    if unknown:
        k = next(k for k, parent in enumerate(parsed.parents) if parent in unknown)
        raise where[NODES].error(
            f"the parent {shown(parsed.parents[k])} has no line of its own. Add it.", parsed.line(k)
        )
    if NAMES in texts:
        rows = _rows(texts[NAMES], 4, where[NAMES])
        parsed.titles = [
            (row[0], row[2] or row[1]) for _, row in rows if row[3] == "scientific name"
        ]
    if MERGED in texts:
        parsed.other_names = [
            (old, new) for _, (old, new) in _rows(texts[MERGED], 2, where[MERGED])
        ]
    return build(parsed, where[NODES])


def _rows(text: str, columns: int, source: Source) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line:
            fields = line.removesuffix("|").removesuffix("\t").split("\t|\t", columns)
            if len(fields) < columns:
                raise source.error(
                    f"a line needs {columns} fields or more, separated by tab, |, tab", number
                )
            yield number, fields[:columns]


# --- several files ------------------------------------------------------------------------------


def is_folder(path: Any) -> bool:
    """Return True for a folder with nodes.dmp, and for nodes.dmp in it."""
    if not isinstance(path, (str, os.PathLike)) or "\0" in str(path):
        return False
    return (Path(path) / NODES).is_file() or (Path(path).name == NODES and Path(path).is_file())


def read_folder(path: Any, name: str, limits: Limits | None) -> Hierarchy:
    folder = Path(path).parent if Path(path).name == NODES else Path(path)
    found = {
        part: load(folder / part, "", limits)
        for part in (NODES, NAMES, MERGED)
        if (folder / part).is_file()
    }
    texts = {part: _text(data, where) for part, (data, where) in found.items()}
    return _read(texts, replace(found[NODES][1], name=name or str(folder)))


def is_archive(head: bytes) -> bool:
    return head.startswith((_GZIP, _ZIP)) or head[257:262] == _TAR


def read_archive(data: bytes, source: Source) -> Hierarchy:
    with source.damaged("not an archive that can be read, or incomplete or damaged"):
        found = _of_zip(data, source) if data.startswith(_ZIP) else _of_tar(data, source)
    if NODES not in found:
        raise source.error(
            f"an archive is read as NCBI's taxonomy, but this one does not contain {NODES}"
        )
    texts = {
        part: _text(content, replace(source, name=f"{source.name}/{part}"))
        for part, content in found.items()
    }
    return _read(texts, source)


def _text(data: bytes, source: Source) -> str:
    # a taxon has several names
    limits = replace(source.limits, bytes=source.limits.memory, lines=4 * source.limits.lines)
    return checked_text(decode(data, source), replace(source, limits=limits))


def _of_zip(data: bytes, source: Source) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [m for m in archive.infolist() if Path(m.filename).name in (NODES, NAMES, MERGED)]
        if sum(m.file_size for m in members) > source.limits.memory:
            raise larger(source, source.limits.memory)
        if not all(m.compress_type in _PACKED for m in members):
            raise source.error(
                "is packed in a way that is not read here. Use the usual one, deflate."
            )
        return {Path(m.filename).name: archive.read(m) for m in members}


def _of_tar(data: bytes, source: Source) -> dict[str, bytes]:
    stream = gzip.GzipFile(fileobj=io.BytesIO(data)) if data.startswith(_GZIP) else io.BytesIO(data)
    found = {}
    with tarfile.open(fileobj=_Bounded(stream, source), mode="r|") as archive:  # type: ignore[call-overload]
        for member in archive:
            name = Path(member.name).name
            if name in (NODES, NAMES, MERGED) and member.isfile() and not member.issparse():
                found[name] = archive.extractfile(member).read()
    return found


class _Bounded:
    """A stream that refuses to read more bytes than its memory limit."""

    def __init__(self, stream: Any, source: Source) -> None:
        self._stream, self._source = stream, source
        self._given = 0

    def read(self, size: int) -> bytes:
        data: bytes = self._stream.read(size)
        self._given += len(data)
        if self._given > self._source.limits.memory:
            raise larger(self._source, self._source.limits.memory)
        return data


FORMAT = HierarchyFormat(
    key="taxdump",
    title="NCBI taxonomy",
    extensions=(".dmp",),
    description=(
        "nodes.dmp with names.dmp and merged.dmp, by its path, by the path of its folder, or "
        "in an archive (zip, tar, tar.gz). Scientific names are titles, and merged numbers "
        "are read as the new ones"
    ),
    read=read,
    begins=lambda opening: opening.extension == ".dmp" or _LINE.match(opening.text) is not None,
)
