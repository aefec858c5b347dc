"""Label files as tables, CSV or TSV: a label column whose cells hold one or several labels, or a column per level.

With or without a header and an id column. Quotes are CSV's in files with commas or semicolons, and ordinary characters
between tabs.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import BinaryIO

import numpy as np

from hiermeasures.errors import InputError, shown
from hiermeasures.io.cells import Cells, cells_in, check_plain, whole_rows
from hiermeasures.io.labels.arrays import ArraysOfLabels, Ids, LabelArrays, texts
from hiermeasures.io.labels.columns import CellSplitter, Plan, cells_for, is_header, plan_for_names, plan_without_names
from hiermeasures.io.labels.format import Head, LabelFormat
from hiermeasures.io.labels.label_file import (
    LabelFile,
    Notes,
    Reading,
    Row,
    empty_blank,
    every_label,
    refuse_characters,
    skipped_blank,
    text_lines,
)
from hiermeasures.io.safe_csv import SafeWriter, original_cell
from hiermeasures.io.words import PADDING, Unusual

_SAMPLE = 1000
_LOOKED_AT = 100  # lines, for the dialect


@dataclass(frozen=True)
class Dialect:
    """What stands between the cells, and whether quotes are CSV's."""

    delimiter: str
    quoted: bool


def dialect_of(first: str, others: list[str]) -> Dialect:
    """The dialect, decided by the first line, which may be the header, and by the others where it has a single cell."""
    if is_header([first.strip()]):
        return Dialect("\t", quoted=True)
    for line in (first, *others):
        outside = _outside_quotes(line)
        if "\t" in outside:
            return Dialect("\t", quoted=False)
        if "," in outside or ";" in outside:
            return Dialect(";" if outside.count(";") > outside.count(",") else ",", quoted=True)
    return Dialect(",", quoted=True)


def _outside_quotes(line: str) -> str:
    return "".join(line.split('"')[::2])


def rows(stream: BinaryIO, reading: Reading) -> Iterator[Row]:
    """The instances, one at a time; only a sample is held to decide on columns and separators."""
    numbered = _cells(stream, reading)
    sample = list(islice(numbered, _SAMPLE))
    layout = _layout([cells for _, cells in sample], reading)
    for number, cells in chain(sample, numbered):
        if cells is layout.names:
            continue
        if not cells and layout.plan.id is not None:
            skipped_blank(reading, number)
        else:
            yield _instance(cells, layout, number, reading)


@dataclass(frozen=True)
class _Layout:
    """What the columns hold. `names` is the row that names them, `width` how many there are, where that is known."""

    plan: Plan
    names: list[str] | None
    split: CellSplitter | None

    @property
    def width(self) -> int | None:
        if self.names is not None:
            return len(self.names)
        return self.plan.labels[-1] + 1 if self.plan.labels is not None else None


def _layout(sample: list[list[str]], reading: Reading) -> _Layout:
    """What the columns hold, decided by the first rows."""
    filled = [cells for cells in sample if cells]
    if not filled:
        raise reading.source.error("holds no instances")
    names = filled[0] if _has_header(filled[0], reading) else None
    if names is not None:
        plan = plan_for_names(names, reading)
        filled = filled[1:]
    else:
        plan = plan_without_names(filled, reading)
    return _Layout(plan, names, _splitter(plan, filled, reading))


def _has_header(first: list[str], reading: Reading) -> bool:
    return reading.options.id_column is not None or reading.options.label_columns is not None or is_header(first)


def _splitter(plan: Plan, filled: list[list[str]], reading: Reading) -> CellSplitter | None:
    """For a single label column; of several columns each holds one label."""
    if plan.labels is None or len(plan.labels) != 1:
        return None
    (column,) = plan.labels
    return CellSplitter([cells[column] for cells in filled if len(cells) > column], reading)


def _instance(cells: list[str], layout: _Layout, number: int, reading: Reading) -> Row:
    plan, width, split = layout.plan, layout.width, layout.split
    if not cells:
        empty_blank(reading, number)
    if width is not None and any(cells[width:]):
        expected = f"the header has {width}" if layout.names is not None else f"{width} are expected"
        raise reading.source.error(f"{len(cells)} cells, but {expected}", number)
    key = None
    if plan.id is not None:
        key = cells[plan.id] if plan.id < len(cells) else ""
        if not key:
            raise reading.source.error("the id is missing", number)
    positions = plan.labels if plan.labels is not None else [k for k in range(len(cells)) if k != plan.id]
    found = [cells[k] for k in positions if k < len(cells) and cells[k]]
    if split is not None:
        found = split(found[0], number) if found else []
    return key, reading.labels(found, number)


def _cells(stream: BinaryIO, reading: Reading) -> Iterator[tuple[int, list[str]]]:
    return _cells_of_lines(*_with_dialect(stream, reading), reading)


def _with_dialect(stream: BinaryIO, reading: Reading) -> tuple[Iterator[tuple[int, str]], Dialect]:
    """The numbered lines, and the dialect that the first ones are in."""
    lines = text_lines(stream, reading)
    head = list(islice(lines, _LOOKED_AT))
    texts = [line for _, line in head if line.strip()]
    if not texts:
        raise reading.source.error("this is empty")
    return chain(head, lines), dialect_of(texts[0], texts[1:])


def _cells_of_lines(
    lines: Iterator[tuple[int, str]], dialect: Dialect, reading: Reading
) -> Iterator[tuple[int, list[str]]]:
    table = csv.reader(
        (line + "\n" for _, line in lines),
        delimiter=dialect.delimiter,
        quoting=csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE,
        strict=True,
        skipinitialspace=dialect.quoted,
    )
    while True:
        number = table.line_num + 1
        try:
            cells = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            raise reading.source.error(f"the cells cannot be told apart ({error})", number) from None
        stripped = [cell.strip() for cell in cells]
        yield (
            number,
            [original_cell(cell) for cell in stripped] if dialect.quoted else (stripped if any(stripped) else []),
        )


# --- as arrays ----------------------------------------------------------------------------------------------------


def arrays(stream: BinaryIO, reading: Reading) -> LabelArrays:
    """All instances of an ordinary table: one without blank lines, quotes around whole cells, and with an id in every
    row if in any.
    """
    found, layout, ids, rest = ArraysOfLabels(reading), None, Ids(), np.zeros(0, np.uint8)
    for text in texts(stream, reading):
        is_first = layout is None
        if layout is None:
            dialect, layout = _beginning(text, reading)
        elif len(found) < _SAMPLE:  # the careful reader would have looked farther
            raise Unusual
        if dialect.quoted:
            text, rest = whole_rows(np.concatenate([rest, text]) if len(rest) else text)
        if len(text) > PADDING:
            cells = cells_in(text, dialect.delimiter, quoted=dialect.quoted)
            _add_rows(found, ids, cells, dialect, layout, int(is_first and layout.names is not None))
    if len(rest):
        raise Unusual
    return found.all(None if layout is None or layout.plan.id is None else ids)


def _beginning(text: np.ndarray, reading: Reading) -> tuple[Dialect, _Layout]:
    """The dialect, and what the columns hold."""
    unheard = replace(reading, notes=Notes())
    lines, dialect = _with_dialect(io.BytesIO(text[:-PADDING].tobytes()), unheard)
    sample = [cells for _, cells in islice(_cells_of_lines(lines, dialect, unheard), _SAMPLE)]
    layout = _layout(sample, reading)
    if layout.names is not None and sample[0] is not layout.names:
        raise Unusual
    return dialect, layout


def _add_rows(found: ArraysOfLabels, ids: Ids, cells: Cells, dialect: Dialect, layout: _Layout, skipped: int) -> None:
    """Takes up the rows but the first ones that are skipped."""
    first, widths, plan = cells.first[skipped:], cells.widths[skipped:], layout.plan
    if not len(first):
        return
    too_wide = layout.width is not None and widths.max() > layout.width
    if too_wide or cells.longest > csv.field_size_limit():
        raise Unusual
    filled, used = cells.filled, []
    if plan.id is None and not np.logical_or.reduceat(filled, first).all():
        raise Unusual  # a blank line
    if plan.id is not None:
        keys = first + plan.id
        if (widths <= plan.id).any() or not filled[keys].all():
            raise Unusual
        used.append(keys)
        ids.add(cells.text, cells.starts[keys], cells.ends[keys])
    labels, sizes = _label_cells(plan, first, widths, filled)
    if dialect.quoted:
        check_plain(cells, np.concatenate([*used, labels]))
    starts, ends = cells.starts[labels], cells.ends[labels]
    if layout.split is not None:
        starts, ends, sizes[sizes > 0] = layout.split.parts(cells.text, starts, ends)
    found.add(sizes, cells.text, starts, ends)


def _label_cells(
    plan: Plan, first: np.ndarray, widths: np.ndarray, filled: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The cells with labels that are not empty, row by row, and how many there are in each row."""
    others = (k for k in range(int(widths.max())) if k != plan.id)
    columns = np.array(list(others if plan.labels is None else plan.labels), np.int64)
    cell = first[:, None] + columns
    is_there = columns < widths[:, None]
    is_there[is_there] = filled[cell[is_there]]
    return cell[is_there], is_there.sum(axis=1)


def write(file: LabelFile, stream: BinaryIO, delimiter: str = ",") -> None:
    """A header, and a row per instance: its id, if there are ids, and its labels in one cell."""
    title = "a CSV file" if delimiter == "," else "a TSV file"
    if file.ids is not None:
        refuse_characters(file.ids, title, "\t", "id")
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    keys = [[key] for key in file.ids] if file.ids is not None else [[] for _ in file.labels]
    rows = ([*key, cell] for key, cell in zip(keys, cells_for(file.labels), strict=True))
    header = ["labels"] if file.ids is None else ["id", "labels"]
    if delimiter == "\t":
        if file.ids is None:
            _refuse_made_safe(file)
        for row in chain([header], rows):
            text.write("\t".join(row) + "\n")
    else:
        SafeWriter(text).writerows(chain([header], rows))
    text.detach()


def _refuse_made_safe(file: LabelFile) -> None:
    """One column alone has no tab to tell that this is no CSV, in which an apostrophe before = would be taken away."""
    for label in every_label(file):
        if original_cell(label) != label:
            raise InputError(f"a TSV file without ids cannot hold the label {shown(label)}; write it as CSV")


def write_tsv(file: LabelFile, stream: BinaryIO) -> None:
    """The same between tabs."""
    write(file, stream, delimiter="\t")


def _is_tsv(head: Head) -> bool:
    return "\t" in head.first or head.mostly("\t")


def _is_csv(head: Head) -> bool:
    return head.mostly(",", ";") or bool(head.lines and is_header([head.first]))


CSV = LabelFormat(
    "csv",
    "CSV",
    (".csv",),
    "an id column and a label column whose cells hold one or several labels, or a column per level",
    rows,
    write,
    has_lines=_is_csv,
    arrays=arrays,
)
TSV = LabelFormat(
    "tsv", "TSV", (".tsv",), "the same, separated by tabs", rows, write_tsv, has_lines=_is_tsv, arrays=arrays
)
