"""Labels on lines: files of GermEval 2019 and HEMKit.

In HEMKit files, each line is an instance, and blanks separate its classes. A blank line is an
instance too. GermEval files have the sections `subtask_a` and `subtask_b`, with lines id TAB class
TAB class.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.labels.label_file import (
    Block,
    LabelFile,
    LabelFormat,
    LabelReading,
    pieces,
    refuse_characters,
)
from hiermeasures.read.labels.tables import ids_in
from hiermeasures.read.rows import Cut, Rows, cut_rows

SECTION = re.compile(r"subtask_(\w+)\s*")
_BEGIN = re.compile(r"subtask_\w+")


def read(stream: BinaryIO, reading: LabelReading) -> Iterator[Block]:
    for rows in cut_rows(pieces(stream, reading), Cut(), reading.source):
        reading.notes.empty_blank(rows.lines[rows.filled == 0])
        yield reading.instances(rows.cells, lines=rows.lines)


def write(file: LabelFile, stream: BinaryIO) -> None:
    """Write a line per instance. The format has no ids."""
    refuse_characters(file.every_label(), "a HEMKit file", ())
    for label in file.every_label():
        if len(label.split()) != 1:
            raise InputError(
                "a HEMKit file separates classes by blanks and cannot contain class "
                f"{shown(label)}. Write CSV instead."
            )
    for labels in file.labels:
        stream.write((" ".join(sorted(labels)) + "\n").encode("utf-8"))


HEMKIT = LabelFormat(
    key="hemkit",
    title="HEMKit",
    extensions=(".txt", ".hemkit"),
    description="a line per instance, classes separated by blanks, no ids",
    read=read,
    write=write,
    has_lines=lambda head: True,
    ids=False,
)


# --- GermEval -----------------------------------------------------------------------------------


def read_germeval(stream: BinaryIO, reading: LabelReading) -> Iterator[Block]:
    """Read the instances of one sub-task. Without a task, the file must have only one."""
    source, task = reading.source, reading.task
    task = task.removeprefix("subtask_") if task else None
    found: list[str] = []
    for rows in cut_rows(pieces(stream, reading), Cut("\t"), source):
        reading.notes.skipped_blank(rows.lines[rows.filled == 0])
        rows = rows.where(rows.filled > 0)
        begins = rows.filled == 1
        begins[begins] = [
            _BEGIN.fullmatch(cell) is not None for cell in rows.where(begins).column(0)
        ]
        section = len(found) + np.cumsum(begins)  # of each row, from 1
        found += [name.removeprefix("subtask_") for name in rows.where(begins).column(0)]
        if not section.all():
            raise source.error(
                "a GermEval file must start with a line such as subtask_a", int(rows.lines[0])
            )
        if task is None and len(found) > 1:
            raise source.error(
                f"contains several sub-tasks ({', '.join(found)}). Choose one as the task: in the "
                f"form of the page, with --task {found[0]}, or with task={found[0]!r} in Python"
            )
        is_read = np.array([False, *(task in (None, name) for name in found)])
        yield _instances(rows.where(is_read[section] & ~begins), reading)
    if task is not None and task not in found:
        raise source.error(
            f"sub-task {shown(task)} is not in the file. It has: "
            f"{', '.join(found) or 'no sub-task'}"
        )


def _instances(rows: Rows, reading: LabelReading) -> Block:
    ids = ids_in(rows, 0, reading)
    for row in np.flatnonzero(rows.widths == 1).tolist():
        if " " in ids[row]:
            reason = f"no tab in {shown(ids[row], 40)}. Separate an id and its classes by tabs."
            raise reading.source.error(reason, int(rows.lines[row]))
    return reading.instances(rows.cells.cut(1), ids, rows.lines)


def hierarchy_of_task(hierarchy: Hierarchy, truth: LabelFile, task: str | None) -> Hierarchy:
    """Return the hierarchy of a sub-task. Task a of GermEval has only the top classes."""
    return (
        hierarchy.down_to(1)
        if truth.format == "germeval" and task in ("a", "subtask_a")
        else hierarchy
    )


def write_germeval(file: LabelFile, stream: BinaryIO, task: str | None = None) -> None:
    """Write one section, by default sub-task b."""
    ids = file.needed_ids("a GermEval file")
    refuse_characters(ids, "a GermEval file", "\t", "id")
    refuse_characters(file.every_label(), "a GermEval file", "\t")
    for key, labels in zip(ids, file.labels, strict=True):
        if not labels and SECTION.fullmatch(key):
            raise InputError(
                f"a GermEval file cannot contain id {shown(key)} without classes, because the line "
                "would begin a section"
            )
    stream.write(f"subtask_{(task or 'b').removeprefix('subtask_')}\n".encode())
    for key, labels in zip(ids, file.labels, strict=True):
        stream.write(("\t".join([key, *(sorted(labels) or [""])]) + "\n").encode("utf-8"))


GERMEVAL = LabelFormat(
    key="germeval",
    title="GermEval",
    extensions=(".germeval",),
    description="sections subtask_a and subtask_b, each with lines id TAB class TAB class",
    read=read_germeval,
    write=write_germeval,
    begins=lambda head: SECTION.fullmatch(head.first) is not None,
    tasks=True,
)
