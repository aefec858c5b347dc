"""GermEval 2019's label files: sections `subtask_a` and `subtask_b`, in each a line per instance: id TAB class TAB
class …
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import Hierarchy
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
)
