"""Speed of reading files, in every format of labels and of hierarchies.

The package writes most of the files. Some are written as other programs do.

    python benchmarks/reading.py [--megabytes 25] [--only KEY ...]

prints megabytes per second of processor time, from the open file to label sets as arrays or to a
checked hierarchy. All formats have the same contents, as far as a format can have them.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hiermeasures import Hierarchy
from hiermeasures.read import (
    HIERARCHY_FORMATS,
    LABEL_FORMATS,
    LabelFile,
    read_hierarchy,
    read_labels,
    write_hierarchy,
    write_labels,
)
from hiermeasures.read.label_rows import LabelRows

CLASSES = 34_000


@dataclass(frozen=True)
class Speed:
    """A file, its size in MB, and the MB that are read per second of processor time."""

    kind: str
    what: str
    megabytes: float
    speed: float
    content: str


# --- labels -------------------------------------------------------------------------------------


def labels(instances: int, seed: int = 0) -> LabelFile:
    """Return instances with one to three of many classes."""
    random = np.random.default_rng(seed)
    sizes = random.choice([1, 1, 1, 2, 2, 3], instances)
    names = tuple(f"C{k:05}" for k in range(CLASSES))
    ptr = np.concatenate([[0], np.cumsum(sizes)])
    rows = LabelRows(names, ptr, random.integers(0, CLASSES, ptr[-1]).astype(np.int32))
    return LabelFile(tuple(f"d{k:07}" for k in range(instances)), rows)


def _lines(
    file: LabelFile, line: Callable[[str, list[str]], str], header: str = ""
) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        assert file.ids is not None
        text = "".join(
            line(key, sorted(found)) for key, found in zip(file.ids, file.labels, strict=True)
        )
        path.write_text(header + text, encoding="utf-8")

    return write


def _quoted(key: str, found: list[str]) -> str:
    return f'"{key}","{"|".join(found)}"\n'


def _listed(key: str, found: list[str]) -> str:
    return f'{key},"{found}"\n' if found else f"{key},[]\n"


def _with_text(key: str, found: list[str]) -> str:
    text = f'A text of some words, as ""{key}"" has it,\nin two lines'
    return f'{key},"{text}","{"|".join(found)}"\n'


def _per_level(key: str, found: list[str]) -> str:
    return ",".join([key, *found, *[""] * (3 - len(found))]) + "\n"


def _numbered_json(key: str, found: list[str]) -> str:
    return (
        json.dumps({"id": int(key[1:]), "text": "A text of some words\nin lines", "labels": found})
        + "\n"
    )


def label_writers(file: LabelFile) -> Iterator[tuple[str, str, Callable[[Path], None]]]:
    """Return formats for the labels: the key, a description, and the writer."""
    for key, known in LABEL_FORMATS.items():
        if known.write is not None:
            yield key, known.title, lambda path, key=key: write_labels(file, path, key)
    yield "csv", "CSV, every cell in quotes", _lines(file, _quoted, '"id","labels"\n')
    yield "csv", "CSV, a column per level", _lines(file, _per_level, "id,level_1,level_2,level_3\n")
    yield "csv", "CSV, Python lists as pandas writes them", _lines(file, _listed, "id,labels\n")
    yield "csv", "CSV with a column of text in lines", _lines(file, _with_text, "id,text,labels\n")
    yield "jsonl", "JSON lines with a text", _lines(file, _numbered_json)


# --- hierarchies --------------------------------------------------------------------------------


def hierarchy(classes: int, seed: int = 0) -> Hierarchy:
    """Return a DAG of few levels. Every third class has a second parent."""
    random = np.random.default_rng(seed)
    child = np.arange(1, classes)
    second = child[random.random(len(child)) < 1 / 3]
    parent = np.concatenate(
        [(child - 1) // 8, (second - 1) // 8 * random.random(len(second))]
    ).astype(np.int64)
    return Hierarchy.from_numbered(
        [f"C{k:06}" for k in range(classes)], parent.tolist(), [*child.tolist(), *second.tolist()]
    )


def _edges(
    h: Hierarchy, line: Callable[[str, str], str], header: str = ""
) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.write_text(header + "".join(line(*edge) for edge in h.edges), encoding="utf-8")

    return write


def _described(h: Hierarchy, path: Path) -> None:
    """Return OBO with the other parts of a term in an ontology, such as a definition."""
    text = "any process that modulates the frequency, rate or extent of something, or a part of it that has a name"
    stanzas = (
        f"[Term]\nid: {name}\nname: {text[:40]}\nnamespace: process\n"
        f'def: "{text} ({name})." [PMID:12345678]\nsynonym: "{text[:30]}" EXACT [GOC:x]\n'
        f'synonym: "{text[:50]}" RELATED []\nxref: Reactome:R-HSA-{name} "{text[:25]}"\n'
        + "".join(f"is_a: {parent} ! {text[:40]}\n" for parent in h.parents(name))
        for name in h.nodes
    )
    path.write_text("format-version: 1.2\n\n" + "\n".join(stanzas), encoding="utf-8")


def hierarchy_writers(h: Hierarchy) -> Iterator[tuple[str, str, Callable[[Path], None]]]:
    """Return formats for the hierarchy, like `label_writers`."""
    for key, known in HIERARCHY_FORMATS.items():
        if not known.writable:
            continue
        if key == "hemkit":
            yield key, known.title, _edges(h, lambda p, c: f"{int(p[1:])} {int(c[1:])}\n")
        elif known.writable:
            yield key, known.title, lambda path, key=key: write_hierarchy(h, path, key)
    yield (
        "edges",
        "Edge list with weights",
        _edges(h, lambda p, c: f"{p}\t{c}\t{1 + int(c[1:]) % 7 / 8}\n"),
    )
    yield (
        "edges",
        "Edge list with comments",
        _edges(h, lambda p, c: f"{p}\t{c}\n", "# some edges\n#\n\n"),
    )
    yield (
        "csv",
        "Edge list as CSV, every cell in quotes",
        _edges(h, lambda p, c: f'"{p}","{c}"\n', '"parent","child"\n'),
    )
    yield "obo", "OBO ontology with definitions and synonyms", lambda path: _described(h, path)
    weighed = h.with_class_weights("depth")
    yield (
        "csv",
        "Edge list as CSV with weights of classes",
        lambda path: write_hierarchy(weighed, path, "csv"),
    )


# --- measuring ----------------------------------------------------------------------------------


def _speed(kind: str, key: str, what: str, read: Callable[[], object], path: Path) -> Speed:
    megabytes = path.stat().st_size / 1e6
    taken, content = [], ""
    while not taken or (len(taken) < 3 and sum(taken) < 5):
        start = time.process_time()
        found = read()
        taken.append(time.process_time() - start)
        content = f"{len(found):,} {'instances' if kind == 'labels' else 'classes'}"  # type: ignore[arg-type]
        del found
    return Speed(kind, what, megabytes, megabytes / min(taken), content)


def measure(megabytes: float = 25, only: Sequence[str] = ()) -> Iterator[Speed]:
    """Measure the speed of every format, one after another.

    The labels as CSV have about `megabytes` MB. Other files are larger or smaller.
    """
    file, h = labels(int(megabytes * 50_000)), hierarchy(int(megabytes * 10_000))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        for key, what, write in label_writers(file):
            if not only or key in only:
                write(path)
                yield _speed("labels", key, what, lambda key=key: read_labels(path, key), path)
        for key, what, write in hierarchy_writers(h):
            if not only or key in only:
                write(path)
                yield _speed(
                    "hierarchy", key, what, lambda key=key: read_hierarchy(path, key), path
                )


def lines(found: Sequence[Speed]) -> list[str]:
    """Return the tables of the page."""
    rows: list[str] = []
    for kind, title in (("labels", "labels"), ("hierarchy", "hierarchies")):
        rows += [f"| {title} | what is in the file | size | MB/s |", "|---|---|---:|---:|"]
        rows += [
            f"| {s.what} | {s.content} | {s.megabytes:.0f} MB | {s.speed:.0f} |"
            for s in found
            if s.kind == kind
        ]
        rows += [""]
    return rows[:-1]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=float, default=25.0)
    parser.add_argument("--only", nargs="+", default=[])
    given = parser.parse_args()
    for speed in measure(given.megabytes, given.only):
        print(
            f"{speed.speed:8.1f} MB/s  {speed.kind:9} {speed.what}  ({speed.megabytes:.1f} MB, "
            f"{speed.content})",
            flush=True,
        )
