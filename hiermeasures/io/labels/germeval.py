"""GermEval 2019's label files: sections `subtask_a` and `subtask_b`, in each a line per instance: id TAB class TAB
class …
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.cells import cells_in
from hiermeasures.io.labels.arrays import ArraysOfLabels, Ids, LabelArrays, texts
from hiermeasures.io.labels.format import Head, LabelFormat
from hiermeasures.io.labels.label_file import (
    LabelFile,
    Reading,
    Row,
    every_label,
    needed_ids,
    refuse_characters,
    skipped_blank,
    text_lines,
)
from hiermeasures.io.words import NEWLINE, Unusual

SECTION = re.compile(r"subtask_(\w+)\s*")


def rows(stream: BinaryIO, reading: Reading) -> Iterator[Row]:
    """The instances of one sub-task: the one asked for, or the only one there is."""
    task = reading.options.task.removeprefix("subtask_") if reading.options.task else None
    found: list[str] = []
    for number, line in text_lines(stream, reading):
        section = SECTION.fullmatch(line)
        if section:
            found.append(section[1])
            if task is None and len(found) > 1:
                raise reading.source.error(
                    f"holds several sub-tasks ({', '.join(found)}); say which with task, as in task {found[0]}"
                )
        elif not line or line.isspace():
            skipped_blank(reading, number)
        elif not found:
            raise reading.source.error("a GermEval file starts with a line such as subtask_a", number)
        elif task is None or found[-1] == task:
            yield _instance(line, number, reading)
    if task is not None and task not in found:
        raise reading.source.error(f"there is no sub-task {shown(task)}, only {', '.join(found) or 'none'}")


def _instance(line: str, number: int, reading: Reading) -> Row:
    key, *names = [name.strip() for name in line.split("\t")]
    if not key:
        raise reading.source.error("the id is missing", number)
    if not names and " " in key:
        raise reading.source.error(
            f"an id and its classes are separated by tabs, but there is none in {shown(line, 40)}", number
        )
    return key, reading.labels([name for name in names if name], number)


# --- as arrays ----------------------------------------------------------------------------------------------------


def arrays(stream: BinaryIO, reading: Reading) -> LabelArrays:
    """All instances of the sub-task that was asked for, or of the only one."""
    sections, found, ids, lines = _Sections(reading), ArraysOfLabels(reading), Ids(), 0
    for text in texts(stream, reading):
        cells = cells_in(text, "\t")
        first, is_name = cells.first, cells.filled
        has_key = is_name[first]
        is_name[first] = False
        sizes = np.add.reduceat(is_name, first, dtype=np.int64)
        rows = np.flatnonzero(sections.read(text, sizes, lines))
        lines += len(sizes)
        if not has_key[rows].all():
            raise Unusual
        if len(rows):
            in_section = np.zeros(len(sizes), bool)
            in_section[rows] = True
            names = np.flatnonzero(is_name & np.repeat(in_section, cells.widths))
            ids.add(text, cells.starts[first[rows]], cells.ends[first[rows]])
            found.add(sizes[rows], text, cells.starts[names], cells.ends[names])
    sections.check()
    return found.all(ids)


class _Sections:
    """The sections of a file while it is read; Unusual for what `rows` refuses of them."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading
        self._task = reading.options.task.removeprefix("subtask_") if reading.options.task else None
        self._found: list[str] = []

    def read(self, text: np.ndarray, sizes: np.ndarray, before: int) -> np.ndarray:
        """Which lines of a text are instances of the sub-task, given how many classes each has, and how many lines
        stood before. One without classes may be no instance.
        """
        ends = np.flatnonzero(text == NEWLINE)
        is_read, begin = np.zeros(len(sizes), bool), 0
        for row in np.flatnonzero(sizes == 0).tolist():
            line = text[ends[row - 1] + 1 if row else 0 : ends[row]].tobytes().decode("utf-8")
            section = SECTION.fullmatch(line)
            if section:
                self._take(is_read, begin, row)
                self._found.append(section[1])
                begin = row + 1
            elif not line or line.isspace():
                skipped_blank(self._reading, before + row + 1)
                self._take(is_read, begin, row)
                begin = row + 1
            elif "\t" not in line and " " in line.strip():
                raise Unusual
        self._take(is_read, begin, len(sizes))
        return is_read

    def _take(self, is_read: np.ndarray, begin: int, end: int) -> None:
        if begin < end and not self._found:
            raise Unusual
        is_read[begin:end] = bool(self._found) and self._task in (None, self._found[-1])

    def check(self) -> None:
        """After the last line."""
        if len(self._found) != 1 if self._task is None else self._task not in self._found:
            raise Unusual


def hierarchy_of_task(hierarchy: Hierarchy, truth: LabelFile, task: str | None) -> Hierarchy:
    """What a sub-task is scored in: task a of a GermEval file knows the topmost classes only."""
    return hierarchy.down_to(1) if truth.format == "germeval" and task in ("a", "subtask_a") else hierarchy


def write(file: LabelFile, stream: BinaryIO, task: str | None = None) -> None:
    """One section; sub-task b unless another is asked for."""
    ids = needed_ids(file, "a GermEval file")
    refuse_characters(ids, "a GermEval file", "\t", "id")
    refuse_characters(every_label(file), "a GermEval file", "\t")
    for key, labels in zip(ids, file.labels, strict=True):
        if not labels and SECTION.fullmatch(key):
            raise InputError(
                f"a GermEval file cannot hold id {shown(key)} without classes, which would begin a section"
            )
    stream.write(f"subtask_{(task or 'b').removeprefix('subtask_')}\n".encode())
    for key, labels in zip(ids, file.labels, strict=True):
        stream.write(("\t".join([key, *(sorted(labels) or [""])]) + "\n").encode("utf-8"))


def _begins(head: Head) -> bool:
    return SECTION.fullmatch(head.first) is not None


FORMAT = LabelFormat(
    "germeval",
    "GermEval",
    (".germeval",),
    "sections subtask_a and subtask_b; in each, id TAB class TAB class",
    rows,
    write,
    begins=_begins,
    tasks=True,
    arrays=arrays,
)
