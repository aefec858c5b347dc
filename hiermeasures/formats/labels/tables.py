"""Label files as tables, CSV or TSV: a label column whose cells hold one or several labels, or a
column per level, with or without a header and an id column. Which columns hold the id and the
labels, and how cells with several labels are split, is decided here for JSON lines and Parquet too.

Quotes enclose cells in files with commas or semicolons; in files with tabs they are ordinary
characters.
"""

import io
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import BinaryIO

import numpy as np

from hiermeasures.core.errors import InputError, listed, shown, unknown
from hiermeasures.formats.byte_tokens import trimmed
from hiermeasures.formats.labels.label_file import (
    HEAD,
    SMALL_BLOCK,
    Block,
    Head,
    LabelFile,
    LabelFormat,
    Notes,
    Reading,
    pieces,
    refuse_characters,
)
from hiermeasures.formats.rows import (
    QUOTE,
    Cells,
    Cut,
    cells_of,
    cells_of_pieces,
    outside,
    parts_at,
    split_at,
    that_hold,
    within,
)
from hiermeasures.formats.safe_csv import SafeWriter, safe_row
from hiermeasures.formats.source import Unusual
from hiermeasures.formats.untrusted import parse

_ID = re.compile(
    r"id|ids|uid|key|index|isbn|(instance|doc(ument)?|item|example|sample|record)s?([ _-]?(id|no|nr|number))?|.*[ _-]id"
)
_LABEL = re.compile(
    r"((y|true|gold|pred|predicted|target)[ _-])?(labels?|class(es)?|categor(y|ies)|topics?|tags?|codes?)"
    r"|y|true|truth|gold|y[ _-](true|pred)|pred(icted|ictions?)?|targets?"
)
_LEVEL = re.compile(r"(levels?|l|depth|tier|labels?|class|category|cat)[ _-]?\d+")
_PYTHON_LIST = re.compile(r"""\[\s*(?:(?:'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+"|\d++)\s*(?:,\s*|(?=\])))*+\]""")
_PYTHON_ITEM = re.compile(r"""'((?:[^'\\]++|\\.)*+)'|"((?:[^"\\]++|\\.)*+)"|(\d++)""")
_NUMBERS = re.compile(r"\d+(\s+\d+)*")
SEPARATORS = ("|", ";", ",")
_DIGITS = np.frombuffer(b"0123456789", np.uint8)
_NO_DIGITS = bytes(set(range(256)) - set(_DIGITS.tolist()))
_LIST_QUOTES = np.frombuffer(b"'\"", np.uint8)


@dataclass(frozen=True)
class Plan:
    """Positions of the id column, if any, and of the label columns (None: all others)."""

    id: int | None
    labels: tuple[int, ...] | None


def is_header(cells: Sequence[str]) -> bool:
    """True if a first row names columns rather than holding labels."""
    names = [_plain(cell) for cell in cells]
    known = [bool(name and (_ID.fullmatch(name) or _LABEL.fullmatch(name) or _LEVEL.fullmatch(name))) for name in names]
    return any(known) and (len(set(names)) == len(names))


def plan_for_names(names: Sequence[str], reading: Reading) -> Plan:
    """The columns of a table with named columns."""
    options, source = reading.options, reading.source
    plain = [_plain(name) for name in names]
    if options.id_column is not None:
        key: int | None = _position(options.id_column, names, reading)
    elif options.has_ids is False:
        key = None
    else:
        key = next(
            (k for k, name in enumerate(plain) if _ID.fullmatch(name) or (k == 0 and not name and len(names) > 1)), None
        )
    if options.label_columns is not None:
        return Plan(key, tuple(_position(column, names, reading) for column in options.label_columns))
    named = [k for k, name in enumerate(plain) if k != key and _LABEL.fullmatch(name)]
    levels = [k for k, name in enumerate(plain) if k != key and _LEVEL.fullmatch(name)]
    rest = [k for k in range(len(names)) if k != key]
    if len(named) > 1:
        raise source.error(f"several columns may hold the labels ({listed(names[k] for k in named)}); say which")
    chosen = named or levels or rest
    if not chosen:
        raise source.error("has no column with labels")
    ignored = [names[k] for k in rest if k not in chosen]
    if ignored:
        reading.notes.say(f"labels are read from {listed(names[k] for k in chosen)}; not from {listed(ignored)}")
    return Plan(key, tuple(chosen))


def plan_without_names(rows: Sequence[Sequence[str]], reading: Reading) -> Plan:
    """Plan a table without a header; the first column holds ids if its values differ."""
    first = [row[0] for row in rows if row]
    widest = max(map(len, rows), default=0)
    has_ids = reading.options.has_ids
    if has_ids is None:
        has_ids = widest > 1 and len(set(first)) == len(first)
        if widest > 1:
            what = "the first column is read as the id" if has_ids else "every column is read as labels, none as an id"
            reading.notes.say(f"there is no header; {what}")
    if has_ids:
        return Plan(0, (1,) if widest == 2 else None)
    return Plan(None, (0,) if widest == 1 else None)


def _position(column: str, names: Sequence[str], reading: Reading) -> int:
    if column not in names:
        raise reading.source.error(unknown("column", column, names))
    return list(names).index(column)


def _plain(name: str) -> str:
    return name.strip().lower()


class CellSplitter:
    """Split a cell into labels: a JSON or Python list, or names between | ; or , (blanks for
    numbers).

    The separator is the one asked for, or decided once from sample cells; a lone label needs none.
    """

    def __init__(self, sample: Sequence[str], reading: Reading) -> None:
        self._reading = reading
        self._separator = reading.options.separator
        cells = [cell for cell in sample if cell]
        self._lists = self._separator is None and bool(cells) and all(c[0] + c[-1] == "[]" for c in cells)
        if self._separator is None and not self._lists:
            self._decide(cells)

    def _decide(self, cells: Sequence[str]) -> None:
        self._separator = next((mark for mark in SEPARATORS if any(mark in cell for cell in cells)), None)
        if self._separator is None and any(" " in c for c in cells) and all(_NUMBERS.fullmatch(c) for c in cells):
            self._separator = " "
        if self._separator is not None:
            self._reading.notes.say(f"several labels in one cell are separated by {shown(self._separator)}")

    def names(self, cell: str | None, line: int | None = None) -> list[str]:
        """The labels of a cell."""
        if not cell:
            return []
        if self._lists:
            return self._list(cell, line)
        if self._separator is None:
            self._decide([cell])
        return [name for name in map(str.strip, cell.split(self._separator)) if name] if self._separator else [cell]

    def block(self, cells: Cells, label: np.ndarray) -> Block:
        """The instances of some rows, by the cell with the labels of each (−1 for none)."""
        filled, sizes = np.flatnonzero(label >= 0), np.zeros(len(label), np.int64)
        starts, ends = cells.starts[label[filled]], cells.ends[label[filled]]
        try:
            starts, ends, sizes[filled] = self._parts(cells.text, starts, ends)
        except Unusual:
            lines = cells.lines[filled].tolist()
            found = cells_of(map(self.names, cells.texts(label[filled]), lines), lines)
            sizes[filled] = found.widths
            return self._reading.words(sizes, found.text, found.starts, found.ends, cells.lines)
        return self._reading.words(sizes, cells.text, starts, ends, cells.lines)

    def _parts(
        self, text: np.ndarray, starts: np.ndarray, ends: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where labels begin and end, and their number by cell; Unusual where `names` may find
        others.
        """
        if self._lists:
            return _parts_of_lists(text, starts, ends)
        if self._separator is not None:
            if len(self._separator) > 1 or not self._separator.isascii():
                raise Unusual
            return split_at(text, self._separator, starts, ends)
        if len(that_hold(text, ("".join(SEPARATORS) + " ").encode(), starts, ends)):
            is_number = np.isin(text[starts], _DIGITS)
            if len(that_hold(text, "".join(SEPARATORS).encode(), starts, ends)) or len(
                that_hold(text, b" ", starts[is_number], ends[is_number])
            ):
                raise Unusual  # which may decide what separates
        return starts, ends, np.ones(len(starts), np.int64)

    def _list(self, cell: str, line: int | None) -> list[str]:
        try:
            value = parse(cell, self._reading.source, self._reading.limits, line)
        except InputError:
            if _PYTHON_LIST.fullmatch(cell):
                return [_unescaped(a or b or c) for a, b, c in _PYTHON_ITEM.findall(cell)]
            value = None
        if not isinstance(value, list) or not all(isinstance(v, (str, int)) and not isinstance(v, bool) for v in value):
            raise self._reading.source.error(f"a list of names is expected, not {shown(cell, 40)}", line)
        return self._reading.proper([str(name) for name in value if name != ""], line)


def _parts_of_lists(
    text: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Split lists of names in the same quotes, or of whole numbers; Unusual for any other."""
    if ((text[starts] != ord("[")) | (text[ends - 1] != ord("]")) | (ends - starts < 2)).any():
        raise Unusual
    starts, ends = trimmed(text, starts + 1, ends - 1)
    filled, many = starts < ends, np.zeros(len(starts), np.int64)
    starts, ends = starts[filled], ends[filled]
    commas, quote = np.flatnonzero(text == ord(",")), text[starts[:1]]
    is_quoted = bool(np.isin(quote, _LIST_QUOTES).any())
    if is_quoted:
        quotes, cell = within(np.flatnonzero(text == quote), starts, ends)
        if (np.bincount(cell) % 2).any() or len(that_hold(text, b"\\\n", starts, ends)):
            raise Unusual
        commas = commas[outside(quotes, commas)]
    parts, many[filled] = parts_at(commas, starts, ends)
    starts, ends = trimmed(text, *parts)
    if not is_quoted and ((starts == ends).any() or len(that_hold(text, _NO_DIGITS, starts, ends))):
        raise Unusual
    if is_quoted:
        if len(quotes) != 2 * len(starts) or (text[starts] != quote).any() or (text[ends - 1] != quote).any():
            raise Unusual
        starts, ends = starts + 1, ends - 1
        if (starts >= ends).any():
            raise Unusual
    return starts, ends, many


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t", "r": "\r"}.get(m[1], m[1]), text)


def cells_for(label_sets: Sequence[frozenset[str]]) -> list[str]:
    """Each label set as one cell that a CellSplitter takes apart again: names between bars, or JSON
    lists where a name needs it.

    >>> cells_for([frozenset("BA"), frozenset()]), cells_for([frozenset(["a, b"])])
    (['A|B', ''], ['["a, b"]'])
    """
    names = {name for labels in label_sets for name in labels}
    if all(map(_stands_alone, names)):
        return ["|".join(sorted(labels)) for labels in label_sets]
    return [json.dumps(sorted(labels), ensure_ascii=False) for labels in label_sets]


def _stands_alone(name: str) -> bool:
    if any(c in '|;,[]"\t\r\n\0\ufeff' for c in name) or name != name.strip():
        return False
    return name.isprintable() and not (" " in name and _NUMBERS.fullmatch(name))


# --- CSV and TSV ----------------------------------------------------------------------------------

_SAMPLE = 1000  # rows that decide on columns and on the separator of labels
_LOOKED_AT = 100  # lines that decide on the separator of cells


def cut_of(lines: list[str]) -> Cut:
    """Find the separator of cells, and whether quotes count, in the first non-blank lines."""
    if lines and is_header([lines[0].strip()]):
        return Cut("\t", quoted=True, guarded=True)
    for line in ("".join(line.split('"')[::2]) for line in lines):  # outside of quotes
        if "\t" in line:
            return Cut("\t", guarded=True)
        if "," in line or ";" in line:
            return Cut(";" if line.count(";") > line.count(",") else ",", quoted=True, guarded=True)
    return Cut(",", quoted=True, guarded=True)


def read(stream: BinaryIO, reading: Reading) -> Iterator[Block]:
    """Yield blocks of instances; the first rows decide on columns and separators."""
    cut = cut_of(Head(stream.read(HEAD)).lines[:_LOOKED_AT])
    layout = _layout(_sample(stream, cut, reading), reading)
    has_header = layout.names is not None
    stream.seek(0)
    for cells in cells_of_pieces(pieces(stream, reading), cut, reading.source):
        if has_header and (filled := cells.filled).any():
            row, has_header = int(np.argmax(cells.count(filled) > 0)), False
            reading.notes.skipped_blank(cells.lines[:row])
            cells = cells.below(row)
        if not has_header:
            yield _instances(cells, layout, reading)


def _sample(stream: BinaryIO, cut: Cut, reading: Reading) -> list[list[str]]:
    rows: list[list[str]] = []
    silent = replace(reading, block=SMALL_BLOCK, notes=Notes())
    stream.seek(0)
    for cells in cells_of_pieces(pieces(stream, silent), cut, reading.source):
        rows += filter(any, cells.rows(0, 2 * _SAMPLE))
        if len(rows) >= _SAMPLE:
            break
    return rows[:_SAMPLE]


@dataclass(frozen=True)
class _Layout:
    """Columns of a table; `names` is the header row, if there is one."""

    plan: Plan
    names: list[str] | None
    split: CellSplitter | None

    @property
    def width(self) -> int | None:
        if self.names is not None:
            return len(self.names)
        return self.plan.labels[-1] + 1 if self.plan.labels is not None else None


def _layout(filled: list[list[str]], reading: Reading) -> _Layout:
    if not filled:
        raise reading.source.error("holds no instances")
    is_named = reading.options.id_column is not None or reading.options.label_columns is not None
    names = filled[0] if is_named or is_header(filled[0]) else None
    if names is not None:
        plan = plan_for_names(names, reading)
        filled = filled[1:]
    else:
        plan = plan_without_names(filled, reading)
    split = None
    if plan.labels is not None and len(plan.labels) == 1:  # several columns hold one label each
        (column,) = plan.labels
        split = CellSplitter([cells[column] for cells in filled if len(cells) > column], reading)
    return _Layout(plan, names, split)


def _instances(cells: Cells, layout: _Layout, reading: Reading) -> Block:
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


def _check_widths(cells: Cells, layout: _Layout, width: int, reading: Reading) -> None:
    """Refuse a row with something in a cell beyond the last column."""
    place = np.arange(len(cells.starts)) - np.repeat(cells.first, cells.widths)
    beyond = np.flatnonzero(cells.filled & (place >= width))
    if len(beyond):
        row = int(np.searchsorted(np.cumsum(cells.widths), beyond[0], side="right"))
        expected = f"the header has {width}" if layout.names is not None else f"{width} are expected"
        raise reading.source.error(f"{cells.widths[row]} cells, but {expected}", int(cells.lines[row]))


def _labels(cells: Cells, layout: _Layout, reading: Reading) -> Block:
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


def write(file: LabelFile, stream: BinaryIO, delimiter: str = ",") -> None:
    """Write a header, a row per instance: its id, if there are ids, and its labels in one cell."""
    title = "a CSV file" if delimiter == "," else "a TSV file"
    if file.ids is not None:
        refuse_characters(file.ids, title, "\t", "id")
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="", write_through=True)
    keys = [[key] for key in file.ids] if file.ids is not None else [[] for _ in file.labels]
    rows = ([*key, cell] for key, cell in zip(keys, cells_for(file.labels), strict=True))
    header = ["labels"] if file.ids is None else ["id", "labels"]
    if delimiter == "\t":
        for row in chain([header], rows):
            text.write("\t".join(safe_row(row)) + "\n")
    else:
        SafeWriter(text).writerows(chain([header], rows))
    text.detach()


CSV = LabelFormat(
    key="csv",
    title="CSV",
    extensions=(".csv",),
    description="an id column and a label column whose cells hold one or several labels, or a column per level",
    read=read,
    write=write,
    has_lines=lambda head: head.mostly(",", ";") or bool(head.lines and is_header([head.first])),
)
TSV = LabelFormat(
    key="tsv",
    title="TSV",
    extensions=(".tsv",),
    description="the same, separated by tabs",
    read=read,
    write=partial(write, delimiter="\t"),
    has_lines=lambda head: "\t" in head.first or head.mostly("\t"),
)
