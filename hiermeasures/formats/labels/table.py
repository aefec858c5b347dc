"""Label files as tables, CSV or TSV: a label column whose cells hold one or several labels, or a
column per level.

With or without a header and an id column. Quotes enclose cells in files with commas or semicolons;
in files with tabs they are ordinary characters.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import BinaryIO

import numpy as np

from hiermeasures.formats.labels import columns, label_file
from hiermeasures.formats.rows import QUOTE, Cells, Cut, cells_of_pieces
from hiermeasures.formats.safe_csv import SafeWriter, safe_row

_SAMPLE = 1000  # rows that decide on columns and on the separator of labels
_LOOKED_AT = 100  # lines that decide on the separator of cells


def cut_of(lines: list[str]) -> Cut:
    """Find the separator of cells, and whether quotes count, in the first non-blank lines."""
    if lines and columns.is_header([lines[0].strip()]):
        return Cut("\t", quoted=True, guarded=True)
    for line in ("".join(line.split('"')[::2]) for line in lines):  # outside of quotes
        if "\t" in line:
            return Cut("\t", guarded=True)
        if "," in line or ";" in line:
            return Cut(";" if line.count(";") > line.count(",") else ",", quoted=True, guarded=True)
    return Cut(",", quoted=True, guarded=True)


def read(stream: BinaryIO, reading: label_file.Reading) -> Iterator[label_file.Block]:
    """Yield blocks of instances; the first rows decide on columns and separators."""
    cut = cut_of(label_file.Head(stream.read(label_file.HEAD)).lines[:_LOOKED_AT])
    layout = _layout(_sample(stream, cut, reading), reading)
    has_header = layout.names is not None
    stream.seek(0)
    for cells in cells_of_pieces(label_file.pieces(stream, reading), cut, reading.source):
        if has_header and (filled := cells.filled).any():
            row, has_header = int(np.argmax(cells.count(filled) > 0)), False
            reading.notes.skipped_blank(cells.lines[:row])
            cells = cells.below(row)
        if not has_header:
            yield _instances(cells, layout, reading)


def _sample(stream: BinaryIO, cut: Cut, reading: label_file.Reading) -> list[list[str]]:
    rows: list[list[str]] = []
    silent = replace(reading, block=label_file.SMALL_BLOCK, notes=label_file.Notes())
    stream.seek(0)
    for cells in cells_of_pieces(label_file.pieces(stream, silent), cut, reading.source):
        rows += filter(any, cells.rows(0, 2 * _SAMPLE))
        if len(rows) >= _SAMPLE:
            break
    return rows[:_SAMPLE]


@dataclass(frozen=True)
class _Layout:
    """Columns of a table; `names` is the header row, if there is one."""

    plan: columns.Plan
    names: list[str] | None
    split: columns.CellSplitter | None

    @property
    def width(self) -> int | None:
        if self.names is not None:
            return len(self.names)
        return self.plan.labels[-1] + 1 if self.plan.labels is not None else None


def _layout(filled: list[list[str]], reading: label_file.Reading) -> _Layout:
    if not filled:
        raise reading.source.error("holds no instances")
    is_named = reading.options.id_column is not None or reading.options.label_columns is not None
    names = filled[0] if is_named or columns.is_header(filled[0]) else None
    if names is not None:
        plan = columns.plan_for_names(names, reading)
        filled = filled[1:]
    else:
        plan = columns.plan_without_names(filled, reading)
    split = None
    if plan.labels is not None and len(plan.labels) == 1:  # several columns hold one label each
        (column,) = plan.labels
        split = columns.CellSplitter([cells[column] for cells in filled if len(cells) > column], reading)
    return _Layout(plan, names, split)


def _instances(cells: Cells, layout: _Layout, reading: label_file.Reading) -> label_file.Block:
    plan, width = layout.plan, layout.width
    if width is not None and cells.widths.max(initial=0) > width:
        _check_widths(cells, layout, width, reading)
    if plan.id is None:
        is_blank = (cells.widths == 1) & (cells.column(0) < 0)
        is_blank[is_blank] = cells.text[cells.starts[cells.first[is_blank]] - 1] != QUOTE
        reading.notes.empty_blank(cells.lines[is_blank])
        return _labels(cells, layout, reading)
    key = cells.column(plan.id)
    if (key < 0).any():
        is_blank = cells.count(cells.filled) == 0
        reading.notes.skipped_blank(cells.lines[is_blank])
        cells = cells.where(~is_blank)
        key = cells.column(plan.id)
    if (key < 0).any():
        raise reading.source.error("the id is missing", int(cells.lines[np.argmin(key)]))
    return _labels(cells, layout, reading).with_ids(cells.text, cells.starts[key], cells.ends[key])


def _check_widths(cells: Cells, layout: _Layout, width: int, reading: label_file.Reading) -> None:
    """Refuse a row with something in a cell beyond the last column."""
    place = np.arange(len(cells.starts)) - np.repeat(cells.first, cells.widths)
    beyond = np.flatnonzero(cells.filled & (place >= width))
    if len(beyond):
        row = int(np.searchsorted(np.cumsum(cells.widths), beyond[0], side="right"))
        expected = f"the header has {width}" if layout.names is not None else f"{width} are expected"
        raise reading.source.error(f"{cells.widths[row]} cells, but {expected}", int(cells.lines[row]))


def _labels(cells: Cells, layout: _Layout, reading: label_file.Reading) -> label_file.Block:
    plan, labels = layout.plan, layout.plan.labels
    if layout.split is not None and labels is not None:
        return layout.split.block(cells, cells.column(labels[0]))
    is_label = cells.filled
    if labels is None or (plan.id not in labels and {plan.id, *labels}.issuperset(range(layout.width or 0))):
        if plan.id is not None:
            is_label[cells.first + plan.id] = False
    else:
        is_label &= np.isin(np.arange(len(is_label)) - np.repeat(cells.first, cells.widths), labels)
    sizes = cells.count(is_label)
    return reading.words(sizes, cells.text, cells.starts[is_label], cells.ends[is_label], cells.lines)


def write(file: label_file.LabelFile, stream: BinaryIO, delimiter: str = ",") -> None:
    """Write a header, a row per instance: its id, if there are ids, and its labels in one cell."""
    title = "a CSV file" if delimiter == "," else "a TSV file"
    if file.ids is not None:
        label_file.refuse_characters(file.ids, title, "\t", "id")
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    keys = [[key] for key in file.ids] if file.ids is not None else [[] for _ in file.labels]
    rows = ([*key, cell] for key, cell in zip(keys, columns.cells_for(file.labels), strict=True))
    header = ["labels"] if file.ids is None else ["id", "labels"]
    if delimiter == "\t":
        for row in chain([header], rows):
            text.write("\t".join(safe_row(row)) + "\n")
    else:
        SafeWriter(text).writerows(chain([header], rows))
    text.detach()


CSV = label_file.LabelFormat(
    key="csv",
    title="CSV",
    extensions=(".csv",),
    description="an id column and a label column whose cells hold one or several labels, or a column per level",
    read=read,
    write=write,
    has_lines=lambda head: head.mostly(",", ";") or bool(head.lines and columns.is_header([head.first])),
)
TSV = label_file.LabelFormat(
    key="tsv",
    title="TSV",
    extensions=(".tsv",),
    description="the same, separated by tabs",
    read=read,
    write=partial(write, delimiter="\t"),
    has_lines=lambda head: "\t" in head.first or head.mostly("\t"),
)
