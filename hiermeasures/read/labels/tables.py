"""Read labels from CSV and TSV, with one label column or a column for each level.

A cell may contain several labels. The header and the id column are optional. JSON lines and Parquet
use the same rules to find columns and to split cells. Quotes enclose cells in files with commas or
semicolons. In files with tabs they are ordinary characters.
"""

import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import BinaryIO

import numpy as np

from hiermeasures.hierarchy.errors import shown, unknown
from hiermeasures.hierarchy.words import quote_names
from hiermeasures.read.labels.header import ID, LABEL, LEVEL, find_header, names_columns, plain_name
from hiermeasures.read.labels.label_file import (
    HEAD,
    Block,
    Head,
    LabelFile,
    LabelFormat,
    LabelReading,
    pieces,
    refuse_characters,
)
from hiermeasures.read.rows import (
    Cut,
    Rows,
    TextLists,
    cut_rows,
    side_by_side,
    split_all,
    split_each,
)
from hiermeasures.read.safe_csv import SafeWriter, safe_row
from hiermeasures.read.source import encodable, is_number

_PYTHON_LIST = re.compile(
    r"""\[\s*(?:(?:'(?:[^'\\]++|\\.)*+'|"(?:[^"\\]++|\\.)*+"|\d++)\s*(?:,\s*|(?=\])))*+\]"""
)
_PYTHON_ITEM = re.compile(r"""'((?:[^'\\]++|\\.)*+)'|"((?:[^"\\]++|\\.)*+)"|(\d++)""")
_NUMBERS = re.compile(r"\d+(\s+\d+)*", re.ASCII)
_PERHAPS_SEVERAL = re.compile(r"[|;,]|^\d+[^\S\n]+\d", re.ASCII | re.MULTILINE)  # in all cells
SEPARATORS = ("|", ";", ",")
_SEVERAL = re.compile(r"[|;,]|^\d+(\s+\d+)+$", re.ASCII)  # in a cell that decides on a separator


@dataclass(frozen=True)
class Plan:
    """The positions of the id column, if any, and of the label columns (None: all others)."""

    id: int | None
    labels: tuple[int, ...] | None


def plan_for_names(names: Sequence[str], reading: LabelReading) -> Plan:
    """Return the columns to read in a table with named columns."""
    options, source = reading.options, reading.source
    plain = [plain_name(name) for name in names]
    key: int | None
    if (id_column := options.get("id_column")) is not None:
        key = _position(id_column, names, reading)
    elif options.get("has_ids") is False:
        key = None
    else:
        key = next(
            (
                k
                for k, name in enumerate(plain)
                if ID.fullmatch(name) or (k == 0 and not name and len(names) > 1)
            ),
            None,
        )
    if (columns := options.get("label_columns")) is not None:
        columns = [columns] if isinstance(columns, str) else columns
        return Plan(key, tuple(_position(column, names, reading) for column in columns))
    named = [k for k, name in enumerate(plain) if k != key and LABEL.fullmatch(name)]
    levels = [k for k, name in enumerate(plain) if k != key and LEVEL.fullmatch(name)]
    rest = [k for k in range(len(names)) if k != key]
    if len(named) > 1:
        raise source.error(
            f"several columns may contain the labels ({quote_names(names[k] for k in named)}). "
            "Choose one"
        )
    chosen = named or levels or rest
    if not chosen:
        raise source.error("no column contains labels")
    ignored = [names[k] for k in rest if k not in chosen]
    if ignored:
        reading.notes.say(
            f"labels are read from {quote_names(names[k] for k in chosen)} and not from "
            f"{quote_names(ignored)}"
        )
    return Plan(key, tuple(chosen))


def plan_without_names(rows: Sequence[Sequence[str]], reading: LabelReading) -> Plan:
    """Plan a table without a header. The first column contains ids if its values differ."""
    first = [row[0] for row in rows if row]
    widest = max(map(len, rows), default=0)
    has_ids = reading.options.get("has_ids")
    if has_ids is None:
        has_ids = widest > 1 and len(set(first)) == len(first)
        if has_ids and (
            several := next((cell for cell in first if cell in reading.known_classes), None)
        ):
            reason = (
                "the table has no header, and the first column contains the class "
                f"{shown(several)}. Put a header above it"
            )
            raise reading.source.error(
                f"{reason}: 'id,label' if it contains ids, 'label_1,label_2' if it contains labels",
                1,
            )
        if widest > 1:
            what = (
                "the first column is read as the id"
                if has_ids
                else "every column is read as labels"
            )
            reading.notes.say(f"the table has no header, so {what}")
    if has_ids:
        return Plan(0, (1,) if widest == 2 else None)
    return Plan(None, (0,) if widest == 1 else None)


def _refuse_scores(first: Sequence[Sequence[str]], reading: LabelReading) -> None:
    """Refuse a table with a column per class that contains numbers. These are scores."""
    if len(first) < 2 or len(first[0]) != len(first[1]):
        return
    known = reading.known_classes
    below = [cell for name, cell in zip(first[0], first[1], strict=True) if name in known]
    if len(below) > 1 and all(is_number(cell) and cell not in known for cell in below):
        raise reading.source.error(
            "each class has a column of numbers. These are scores, not labels. Give the file with "
            "--scores, or choose Scores on the page Compare."
        )


def _position(column: str, names: Sequence[str], reading: LabelReading) -> int:
    if column not in names:
        raise reading.source.error(unknown("column", column, names))
    return list(names).index(column)


class CellSplitter:
    """Split cells into labels: a JSON or Python list, or names between | ; or , (blanks for
    numbers).

    The caller can give the separator. Otherwise sample cells decide once, and a single label needs
    no separator. A cell that is a class of the hierarchy, such as "Water tap, faucet", is one
    label.
    """

    def __init__(self, sample: Sequence[str], reading: LabelReading) -> None:
        self._reading = reading
        self._separator = reading.options.get("separator") or None
        self._known = reading.known_classes if self._separator is None else ()
        cells = [cell for cell in sample if cell and cell not in self._known]
        self._lists = (
            self._separator is None and bool(cells) and all(c[0] + c[-1] == "[]" for c in cells)
        )
        if self._separator is None and not self._lists:
            self._decide(cells)

    def _decide(self, cells: Sequence[str]) -> None:
        self._separator = next(
            (mark for mark in SEPARATORS if any(mark in cell for cell in cells)), None
        )
        if (
            self._separator is None
            and any(" " in c for c in cells)
            and all(_NUMBERS.fullmatch(c) for c in cells)
        ):
            self._separator = " "
        if self._separator is not None:
            self._reading.notes.say(
                f"{shown(self._separator)} separates several labels in one cell"
            )

    def lists(self, cells: np.ndarray, lines: np.ndarray) -> TextLists:
        """Return the labels of each cell. An empty cell has none."""
        if self._lists:
            return self._listed(cells, lines)
        first = None if self._separator is not None else self._deciding(cells)
        if first is not None:  # the cells before are a label each
            self._decide([cells[first]])
        separator, known, before = self._separator, self._known, first or 0
        if separator is None:
            return side_by_side([cells])
        rest = split_all(cells[before:], separator, known)
        return TextLists(
            np.concatenate([cells[:before], rest.texts]),
            np.concatenate([np.arange(before), before + rest.ends]),
        )

    def _deciding(self, cells: np.ndarray) -> int | None:
        """Return the place of the first cell that contains separators and is not a class. Return
        None without such a cell.
        """
        if not _PERHAPS_SEVERAL.search("\n".join(cells)):
            return None
        several = (_SEVERAL.search(cell) and cell not in self._known for cell in cells)
        return next((place for place, found in enumerate(several) if found), None)

    def _listed(self, cells: np.ndarray, lines: np.ndarray) -> TextLists:
        def names(cell: str) -> list[str]:
            found = names_in(cell) if cell else []
            if found is None:
                line = int(lines[np.argmax(cells == cell)])
                raise self._reading.source.error(
                    f"expected a list of names, not {shown(cell, 40)}", line
                )
            return found

        return split_each(cells, names)


def names_in(cell: str) -> list[str] | None:
    """Return the names in a list of JSON or Python. Return None for other cells.

    >>> names_in('["A", 7]'), names_in("['A', \\"it's\\"]"), names_in("[A]")
    (['A', '7'], ['A', "it's"], None)
    """
    if cell.startswith("['") and not ('"' in cell or "\\" in cell):
        plain = cell[2:-2].split("', '")
        if cell.endswith("']") and cell.count("'") == 2 * len(plain):
            return plain
    try:
        value = None if cell.startswith("['") else json.loads(cell)
    except (ValueError, RecursionError):
        value = None
    if value is None and _PYTHON_LIST.fullmatch(cell):
        return [re.sub(r"\\(.)", _unescaped, a or b or c) for a, b, c in _PYTHON_ITEM.findall(cell)]
    names = value if isinstance(value, list) else [None]
    if not all(isinstance(name, (str, int)) and not isinstance(name, bool) for name in names):
        return None
    texts = list(map(str, names))
    return texts if encodable("".join(texts)) else None


def _unescaped(found: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t", "r": "\r"}.get(found[1], found[1])


def cells_for(label_sets: Sequence[frozenset[str]]) -> list[str]:
    """Return each label set as one cell that a CellSplitter can split again. Names are between
    bars, or in JSON lists if a name needs it.

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

SAMPLE = 1000  # rows that decide on columns and on the separator of labels
_LOOKED_AT = 100  # lines that decide on the separator of cells


def cut_of(lines: list[str]) -> Cut:
    """Find the separator of cells, and whether quotes count, in the first non-blank lines."""
    if find_header([[line.strip()] for line in lines]) is not False:
        return Cut("\t", quoted=True, guarded=True)
    for line in ("".join(line.split('"')[::2]) for line in lines):  # outside of quotes
        if "\t" in line:
            return Cut("\t", guarded=True)
        if "," in line or ";" in line:
            return Cut(";" if line.count(";") > line.count(",") else ",", quoted=True, guarded=True)
    return Cut(",", quoted=True, guarded=True)


def read(stream: BinaryIO, reading: LabelReading) -> Iterator[Block]:
    """Yield blocks of instances. The first rows decide which columns and separators are used."""
    first, parts = first_rows(stream, reading)
    if not first:
        raise reading.source.error("holds no instances")
    is_named = any(reading.options.get(name) is not None for name in ("id_column", "label_columns"))
    has_header = is_named or _has_header(first, reading)
    _refuse_scores(first, reading)
    plan = plan_for_names(first[0], reading) if has_header else plan_without_names(first, reading)
    columns = plan.labels
    split = None
    if columns is not None and len(columns) == 1:  # several columns hold one label each
        split = CellSplitter(
            [cells[columns[0]] for cells in first[has_header:] if len(cells) > columns[0]], reading
        )
    for rows in below_header(parts, reading) if has_header else parts:
        if has_header:
            rows.check_widths(len(first[0]), f"the header has {len(first[0])}", reading.source)
        elif columns is not None:
            rows.check_widths(columns[-1] + 1, f"{columns[-1] + 1} are expected", reading.source)
        yield _instances(rows, plan, split, reading)


def _has_header(rows: Sequence[Sequence[str]], reading: LabelReading) -> bool:
    found = find_header(rows, reading.known_classes)
    if found is None:
        cells = quote_names(rows[0])
        reason = (
            f"{cells} can be a header or labels. If it is a label, put a line with 'label' above "
            "it,"
        )
        raise reading.source.error(f"{reason}. Otherwise rename the column to 'label'", 1)
    return found


def first_rows(stream: BinaryIO, reading: LabelReading) -> tuple[list[list[str]], Iterator[Rows]]:
    """Return the first rows that are not blank, and all of the table."""
    cut = cut_of(Head(stream.read(HEAD)).lines[:_LOOKED_AT])
    stream.seek(0)
    parts = cut_rows(pieces(stream, reading), cut, reading.source)
    found: list[list[str]] = []
    taken: list[Rows] = []
    while len(found) < SAMPLE and (rows := next(parts, None)) is not None:
        taken.append(rows)
        found += filter(any, rows.cells.take(np.arange(min(2 * SAMPLE, len(rows)))).rows())
    return found[:SAMPLE], chain(taken, parts)


def below_header(parts: Iterable[Rows], reading: LabelReading) -> Iterator[Rows]:
    """Yield the rows below the first one that is not blank."""
    has_header = True
    for rows in parts:
        if has_header and (is_filled := rows.filled > 0).any():
            row, has_header = int(np.argmax(is_filled)), False
            reading.notes.skipped_blank(rows.lines[:row])
            rows = rows.below(row)
        if not has_header:
            yield rows


def ids_in(rows: Rows, column: int, reading: LabelReading) -> list[str]:
    ids: list[str] = rows.column(column).tolist()
    if not all(ids):
        raise reading.source.error(
            "the id is missing", int(rows.lines[list(map(bool, ids)).index(False)])
        )
    return ids


def _instances(rows: Rows, plan: Plan, split: CellSplitter | None, reading: LabelReading) -> Block:
    ids, is_blank = None, rows.filled == 0
    if plan.id is None:
        reading.notes.empty_blank(rows.lines[is_blank & (rows.widths == 1)])
    else:
        reading.notes.skipped_blank(rows.lines[is_blank])
        rows = rows.where(~is_blank)
        ids = ids_in(rows, plan.id, reading)
    if plan.labels is None:
        labels = rows.cells if plan.id is None else rows.cells.cut(plan.id + 1)
    elif split is not None:
        labels = split.lists(rows.column(plan.labels[0]), rows.lines)
    elif plan.labels[1:] == tuple(range(plan.labels[0] + 1, plan.labels[-1] + 1)):
        labels = rows.cells.cut(plan.labels[0], plan.labels[-1] + 1)
    else:
        labels = side_by_side([rows.column(k) for k in plan.labels])
    return reading.instances(labels, ids, rows.lines)


def write(file: LabelFile, stream: BinaryIO, delimiter: str = ",") -> None:
    """Write a header and a row per instance: the id, if any, and the labels in one cell."""
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


def _is_column(head: Head) -> bool:
    """Return True if the lines are a table of one column instead of names between blanks."""
    if " " in head.first:
        return names_columns([head.first])
    return find_header([[line.strip()] for line in head.lines[:_LOOKED_AT]]) is not False


CSV = LabelFormat(
    key="csv",
    title="CSV",
    extensions=(".csv",),
    description=(
        "an id column and a label column with one or several labels per cell, or a column per level"
    ),
    read=read,
    write=write,
    has_lines=lambda head: head.mostly(",", ";") or _is_column(head),
)
TSV = LabelFormat(
    key="tsv",
    title="TSV",
    extensions=(".tsv",),
    description="like CSV, but separated by tabs",
    read=read,
    write=partial(write, delimiter="\t"),
    has_lines=lambda head: "\t" in head.first or head.mostly("\t"),
)
