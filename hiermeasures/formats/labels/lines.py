"""Labels on lines: HEMKit's files, an instance per line, perhaps blank, its classes separated by
blanks; and those of GermEval 2019, sections `subtask_a` and `subtask_b`, in each id TAB class TAB
class.
"""

import re
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np

from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.byte_tokens import which_begins
from hiermeasures.formats.labels.label_file import Block, LabelFile, LabelFormat, Reading, pieces, refuse_characters
from hiermeasures.formats.rows import Cells, Cut, cells_of_pieces, that_hold

SECTION = re.compile(r"subtask_(\w+)\s*")


def read(stream: BinaryIO, reading: Reading) -> Iterator[Block]:
    for cells in cells_of_pieces(pieces(stream, reading), Cut(), reading.source):
        reading.notes.empty_blank(cells.lines[cells.widths == 0])
        yield reading.words(cells.widths, cells.text, cells.starts, cells.ends, cells.lines)


def write(file: LabelFile, stream: BinaryIO) -> None:
    """A line per instance; ids have no place."""
    refuse_characters(file.every_label(), "a HEMKit file", ())
    for label in file.every_label():
        if len(label.split()) != 1:
            raise InputError(f"a HEMKit file separates classes by blanks and cannot hold class {shown(label)}")
    for labels in file.labels:
        stream.write((" ".join(sorted(labels)) + "\n").encode("utf-8"))


HEMKIT = LabelFormat(
    key="hemkit",
    title="HEMKit",
    extensions=(".txt", ".hemkit"),
    description="a line per instance, its classes separated by blanks; no ids",
    read=read,
    write=write,
    has_lines=lambda head: True,
    ids=False,
)


# --- GermEval -----------------------------------------------------------------------------------


def read_germeval(stream: BinaryIO, reading: Reading) -> Iterator[Block]:
    """The instances of one sub-task: the one asked for, or the only one there is."""
    task = reading.options.task.removeprefix("subtask_") if reading.options.task else None
    found: list[str] = []
    for cells in cells_of_pieces(pieces(stream, reading), Cut("\t"), reading.source):
        count = cells.count(cells.filled)
        reading.notes.skipped_blank(cells.lines[count == 0])
        sections = _sections(cells, count)
        if not found and min(sections, default=len(cells)) > np.argmax(count > 0) and count.any():
            line = int(cells.lines[np.argmax(count > 0)])
            raise reading.source.error("a GermEval file starts with a line such as subtask_a", line)
        is_read = (count > 0) & (task is None or task in found[-1:])
        for row, name in sections.items():
            found.append(name)
            is_read[row:] = (count[row:] > 0) & (task in (None, name))
            is_read[row] = False
            if task is None and len(found) > 1:
                raise reading.source.error(
                    f"holds several sub-tasks ({', '.join(found)}); say which with task, as in task {found[0]}"
                )
        yield _instances(cells, np.flatnonzero(is_read), reading)
    if task is not None and task not in found:
        raise reading.source.error(f"there is no sub-task {shown(task)}, only {', '.join(found) or 'none'}")


def _sections(cells: Cells, count: np.ndarray) -> dict[int, str]:
    alone = np.flatnonzero((count == 1) & (cells.column(0) >= 0))
    begins = alone[which_begins(cells.text, cells.starts[cells.first[alone]], [b"subtask_"]) == 0]
    matches = {row: SECTION.fullmatch(cells.row(row)[0]) for row in begins.tolist()}
    return {row: match[1] for row, match in matches.items() if match}


def _instances(cells: Cells, rows: np.ndarray, reading: Reading) -> Block:
    keys, widths = cells.column(0)[rows], cells.widths[rows]
    if len(wrong := rows[keys < 0]):
        raise reading.source.error("the id is missing", int(cells.lines[wrong[0]]))
    alone = keys[widths == 1]
    if len(wrong := that_hold(cells.text, b" ", cells.starts[alone], cells.ends[alone])):
        row = rows[widths == 1][wrong[0]]
        reason = f"an id and its classes are separated by tabs, but there is none in {shown(cells.row(row)[0], 40)}"
        raise reading.source.error(reason, int(cells.lines[row]))
    is_label, is_chosen = cells.filled, np.zeros(len(cells), bool)
    is_label[keys], is_chosen[rows] = False, True
    is_label &= np.repeat(is_chosen, cells.widths)
    sizes = cells.count(cells.filled)[rows] - 1
    block = reading.words(sizes, cells.text, cells.starts[is_label], cells.ends[is_label], cells.lines[rows])
    return block.with_ids(cells.text, cells.starts[keys], cells.ends[keys])


def hierarchy_of_task(hierarchy: Hierarchy, truth: LabelFile, task: str | None) -> Hierarchy:
    """Return the hierarchy of a sub-task; task a of GermEval has the topmost classes only."""
    return hierarchy.down_to(1) if truth.format == "germeval" and task in ("a", "subtask_a") else hierarchy


def write_germeval(file: LabelFile, stream: BinaryIO, task: str | None = None) -> None:
    """One section; sub-task b unless another is asked for."""
    ids = file.needed_ids("a GermEval file")
    refuse_characters(ids, "a GermEval file", "\t", "id")
    refuse_characters(file.every_label(), "a GermEval file", "\t")
    for key, labels in zip(ids, file.labels, strict=True):
        if not labels and SECTION.fullmatch(key):
            raise InputError(
                f"a GermEval file cannot hold id {shown(key)} without classes, which would begin a section"
            )
    stream.write(f"subtask_{(task or 'b').removeprefix('subtask_')}\n".encode())
    for key, labels in zip(ids, file.labels, strict=True):
        stream.write(("\t".join([key, *(sorted(labels) or [""])]) + "\n").encode("utf-8"))


GERMEVAL = LabelFormat(
    key="germeval",
    title="GermEval",
    extensions=(".germeval",),
    description="sections subtask_a and subtask_b; in each, id TAB class TAB class",
    read=read_germeval,
    write=write_germeval,
    begins=lambda head: SECTION.fullmatch(head.first) is not None,
    tasks=True,
)
