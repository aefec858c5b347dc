"""The picture of a confusion matrix: its numbers as texts and shades, and its names as a tree.

hiermeasures.draw.matrix paints it. An axis shows a limited number of classes here. One more row or
column adds up the others.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from hiermeasures.draw.matrix import (
    LONGEST_HEAD,
    MatrixCell,
    MatrixHead,
    MatrixPicture,
    Role,
    State,
)
from hiermeasures.draw.scene import shown_label
from hiermeasures.evaluation.confusion_matrix import Axis, AxisEntry, Matrix
from hiermeasures.evaluation.needs_scipy import sparse
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures.mistakes import KINDS, RULE

Values = Literal["count", "true", "predicted"]
MOST_CLASSES, MOST_LEADS = 60, 3
CLASSES = ("class", "itself")  # kinds of entries that are in the tree
SEVERAL_PARENTS = "A class with several parents is below each of them. Totals count it once."
SAME = "true and predicted class are equal (bar: the share of mistakes further down)"
WORDS = {
    "count": "counts of labels",
    "true": "shares of the row",
    "predicted": "shares of the column",
}
ABOUT = {
    "elsewhere": "A class outside this part of the hierarchy.",
    "extra": "Predicted labels without a true one.",
    "missed": "True labels without a predicted one.",
    "unknown": "A predicted label that is not a class.",
    "more": "The other classes, added up.",
}


def sum_small(matrix: Matrix, most: int = MOST_CLASSES) -> Matrix:
    """Return a matrix with the largest classes of both axes together, and one entry for the others.

    Entries that are not classes are left out if they have no label.
    """
    parts = matrix.of or (matrix,)
    sizes: dict[str, float] = defaultdict(float)
    for part in parts:
        for axis, totals in ((part.rows, part.row_totals), (part.columns, part.column_totals)):
            for place in axis.shown:
                if axis.entries[place].kind in CLASSES:
                    sizes[key_of(axis.entries[place])] += float(totals[place])
    kept = frozenset(sorted(sizes, key=lambda key: -sizes[key])[:most])
    rows = _keep(matrix.rows, kept, np.sum([part.row_totals for part in parts], axis=0))
    columns = _keep(matrix.columns, kept, np.sum([part.column_totals for part in parts], axis=0))
    counted = [Matrix.count(paired, rows, columns) for paired in matrix.paired]
    return counted[0] if len(counted) == 1 else counted[0] - counted[1]


def _keep(axis: Axis, kept: Collection[str], totals: np.ndarray) -> Axis:
    """Return an axis with some of the classes and their ancestors."""
    is_tree = [entry.kind in CLASSES for entry in axis]
    in_tree = [k for k in axis.shown if is_tree[k]]
    shown = [k for k in in_tree if key_of(axis.entries[k]) in kept]
    above = {
        axis.entries[k].path[:n] for k in shown for n in range(1, len(axis.entries[k].path) + 1)
    }
    opened = [k for k, e in enumerate(axis) if e.expanded and (*e.path, e.label) in above]
    special = [k for k in range(len(axis)) if not is_tree[k] and totals[k] > 0]
    classes, others = axis.take(sorted(shown + opened)), axis.take(special)
    rest = sorted({*in_tree} - {*shown})
    entries, members = classes.entries, [classes.members]
    if rest:
        entries += (AxisEntry(write_count(len(rest), "more class", "more classes"), "more"),)
        members.append(
            sparse.csr_array((axis.members[rest].sum(axis=0) > 0)[None, :].astype(np.int32))
        )
    stacked = sparse.vstack([*members, others.members], format="csr")
    return Axis(axis.hierarchy, axis.below, (*entries, *others.entries), sparse.csr_array(stacked))


def key_of(entry: AxisEntry) -> str:
    """Return a key for an entry of an axis."""
    return json.dumps([entry.kind, *entry.path, entry.label])


@dataclass(frozen=True, eq=False)
class ConfusionPicture:
    """The picture of a confusion matrix, or of the difference of two.

    `values` are counts, or shares of the true or of the predicted labels. `names` has the name of
    the system, or of both systems. `sum_small` limits the size of the matrix.
    """

    matrix: Matrix
    names: tuple[str, ...] = ()
    values: Values = "count"

    @property
    def is_difference(self) -> bool:
        """True if positive numbers are larger for the first of two systems."""
        return self.matrix.of is not None

    def draw(self) -> MatrixPicture:
        """Return the picture, ready to be painted."""
        of, matrix = f" of {' − '.join(self.names)}" if self.names else "", self.matrix
        instances = write_count(matrix.paired[0].n, "instance")
        part = matrix.rows.below
        below = f", below {part}" if part != matrix.rows.hierarchy.root else ""
        cells = self._cells()
        return MatrixPicture(
            caption=f"Confusion matrix{of}: {WORDS[self.values]}, {instances}{below}",
            rows=self._heads(matrix.rows, matrix.row_totals, "extra"),
            columns=self._heads(matrix.columns, matrix.column_totals, "missed"),
            cells=cells,
            total=write_amount(matrix.total, signed=self.is_difference),
            legend=self._legend(),
            notes=self._notes(),
            leads_to=f"Where {self._first} is worse" if self.is_difference else "Most mistakes",
            largest=self._find_largest(cells),
        )

    @property
    def _first(self) -> str:
        return shown_label(self.names[0], LONGEST_HEAD) if self.names else "the first system"

    def _find_largest(
        self, cells: Mapping[tuple[int, int], MatrixCell]
    ) -> tuple[tuple[tuple[int, int], str], ...]:
        """Return the cells with the most mistakes, or with the largest losses of the first system.

        Pairs of confused classes come first. Both directions of a pair count together.
        """
        rows, columns = self.matrix.rows.entries, self.matrix.columns.entries
        counts = np.abs(self.matrix.counts)
        found = [
            (i, j)
            for (i, j), cell in cells.items()
            if cell.role in ("mistake", "worse") and "more" not in (rows[i].kind, columns[j].kind)
        ]
        found.sort(key=lambda place: -counts[place])
        pairs: dict[frozenset[str], list[tuple[int, int]]] = defaultdict(list)
        alone = []
        for i, j in found:
            if {rows[i].kind, columns[j].kind} <= {*CLASSES}:
                pairs[frozenset((key_of(rows[i]), key_of(columns[j])))].append((i, j))
            else:
                alone.append([(i, j)])
        confused = sorted(pairs.values(), key=lambda pair: -sum(counts[place] for place in pair))
        leads = []
        for place, *back in [*confused[:MOST_LEADS], *alone[:MOST_LEADS]]:
            words = f"{self.describe(*place)}: {cells[place].text}"
            words += "".join(f", the other way {cells[other].text}" for other in back)
            leads.append((place, words))
        return tuple(leads)

    def find_place(self, row: str, column: str) -> tuple[int | None, int | None] | None:
        """Return the places of a row and a column by their keys, or None if one is missing.

        The key "" means all rows or columns.
        """
        places: list[int | None] = []
        for axis, key in ((self.matrix.rows, row), (self.matrix.columns, column)):
            keys = list(map(key_of, axis))
            if key and key not in keys:
                return None
            places.append(keys.index(key) if key else None)
        return places[0], places[1]

    def describe(self, row: int | None, column: int | None) -> str:
        """Return the row and the column of a cell in words."""
        words = []
        for side, axis, place in (
            ("true", self.matrix.rows, row),
            ("predicted", self.matrix.columns, column),
        ):
            entry = None if place is None else axis.entries[place]
            if entry is not None and entry.kind == "none":
                words.append("extra" if side == "true" else "missed")
            elif entry is not None:
                words.append(f"{side} {_name(entry)}")
        return ", ".join(words) or "all labels"

    def _heads(self, axis: Axis, totals: np.ndarray, none: str) -> tuple[MatrixHead, ...]:
        return tuple(
            self._head(entry, write_amount(total, signed=self.is_difference), none)
            for entry, total in zip(axis, totals.tolist(), strict=True)
        )

    def _head(self, entry: AxisEntry, amount: str, none: str) -> MatrixHead:
        key = key_of(entry)
        if entry.kind not in CLASSES:
            name = none if entry.kind == "none" else _name(entry)
            about = ABOUT[none if entry.kind == "none" else entry.kind]
            return MatrixHead(key, name, amount, about=about, special=True)
        if entry.kind == "itself":
            path = " › ".join(entry.path) or entry.label
            about = f"{path}: this label, without the classes below it"
            return MatrixHead(
                key, "itself", amount, depth=len(entry.path), about=about, special=True
            )
        path = " › ".join((*entry.path, entry.label))
        title = self.matrix.rows.hierarchy.caption(entry.label)[1]
        return MatrixHead(
            key,
            entry.label,
            amount,
            depth=len(entry.path),
            state=_state(entry),
            about=f"{path}: {title}" if title else path,
        )

    # --- cells ------------------------------------------------------------------------------------

    def _cells(self) -> dict[tuple[int, int], MatrixCell]:
        counts, same = self.matrix.counts, self._overlap
        numbers = counts if self.values == "count" else self.matrix.shares(self.values)
        most = [np.abs(np.nan_to_num(numbers[same == k])).max(initial=0) for k in (False, True)]
        opened = [
            np.array([e.expanded for e in axis], bool)
            for axis in (self.matrix.rows, self.matrix.columns)
        ]
        there = ((np.abs(counts) > 1e-9) | same) & ~opened[0][:, None] & ~opened[1]
        cells = {}
        for i, j in zip(*(part.tolist() for part in np.nonzero(there)), strict=True):
            is_same, number = bool(same[i, j]), float(numbers[i, j])
            shade = abs(number) / most[is_same] if most[is_same] and number == number else 0.0
            role = self._role((i, j), number)
            cells[i, j] = MatrixCell(
                self._text(number),
                float(np.sqrt(shade)),
                role,
                framed=is_same and (self.is_difference or role == "right"),
                about=self._about(i, j),
                inside=self._share_inside(i, j) if role == "right" else 0.0,
            )
        return cells

    def _share_inside(self, row: int, column: int) -> float:
        """Return the share of a cell that is wrong: mistakes below its class."""
        count, right = float(self.matrix.counts[row, column]), float(self._right[row, column])
        return 1 - right / count if count - right > 1e-9 else 0.0

    @cached_property
    def _overlap(self) -> np.ndarray:
        """A table, rows × columns, that is true if the row and the column share a class."""
        n, (rows, columns) = (
            len(self.matrix.rows.hierarchy),
            (self.matrix.rows, self.matrix.columns),
        )
        overlap: np.ndarray = (rows.members[:, :n] @ columns.members[:, :n].T).toarray() > 0
        outside = [np.array([e.kind == "elsewhere" for e in axis]) for axis in (rows, columns)]
        return np.asarray(overlap & ~outside[0][:, None] & ~outside[1])

    @cached_property
    def _right(self) -> np.ndarray:
        """The number of right labels of the first system in each cell."""
        rows, columns, paired = self.matrix.rows, self.matrix.columns, self.matrix.paired[0]
        numbers = paired.base_number[paired.true[paired.kind == KINDS.index("right")]]
        of_class = np.bincount(numbers, minlength=rows.members.shape[1])
        found: np.ndarray = (rows.members.multiply(of_class).tocsr() @ columns.members.T).toarray()
        return found

    def _text(self, number: float) -> str:
        write = write_amount if self.values == "count" else write_share
        return write(number, signed=self.is_difference)

    def _role(self, place: tuple[int, int], number: float) -> Role:
        is_same = bool(self._overlap[place])
        kinds = {
            self.matrix.rows.entries[place[0]].kind,
            self.matrix.columns.entries[place[1]].kind,
        }
        if kinds == {"more"} or (self.is_difference and not abs(number) > 1e-9):
            return "neutral"  # right labels and mistakes, or no difference
        if self.is_difference:
            return "better" if (number > 0) == is_same else "worse"
        return "right" if is_same else "mistake"

    def _about(self, row: int, column: int) -> str:
        count, matrix = float(self.matrix.counts[row, column]), self.matrix
        words = f"{self.describe(row, column)}: {write_amount(count, signed=self.is_difference)}"
        if self.is_difference:
            return words
        if right := float(self._right[row, column]):
            words += f", {write_amount(right)} right"
        sides = ("row", matrix.row_totals[row]), ("column", matrix.column_totals[column])
        shares = [
            f"{write_share(count / whole)} of the {side}" for side, whole in sides if whole > 0
        ]
        return ", ".join([words, *shares])

    # --- words ------------------------------------------------------------------------------------

    def _legend(self) -> tuple[tuple[Role, str], ...]:
        if not self.is_difference:
            return ("right", SAME), ("mistake", "mistakes (a stronger colour means more)")
        better = f"{self._first} is better: more in a framed cell, or less in another"
        return ("better", better), ("worse", f"{self._first} is worse")

    def _notes(self) -> tuple[str, ...]:
        notes, matrix = [RULE], self.matrix
        entries = (*matrix.rows, *matrix.columns)
        if any(entry.kind == "more" for entry in entries):
            notes.append(
                "Only the largest classes are shown. The last row and column add up the others. "
                "The CSV file has all of them."
            )
            if any(entry.expanded for entry in entries):
                notes.append("To see the others, close some classes, or show only one part.")
        if not matrix.rows.hierarchy.is_tree:
            notes.append(SEVERAL_PARENTS)
        return tuple(notes)


def _state(entry: AxisEntry) -> State:
    return "open" if entry.expanded else "closed" if entry.expandable else ""


def _name(entry: AxisEntry) -> str:
    if entry.kind in ("class", "more"):
        return entry.label
    return f"{entry.label} itself" if entry.kind == "itself" else entry.kind


def write_amount(number: float, *, signed: bool = False) -> str:
    """Return a count as text. Counts of shared pairs may be fractions.

    >>> [write_amount(n) for n in (1234, 2.5, 1 / 3, 0)], write_amount(-2, signed=True)
    (['1,234', '2.5', '0.33', '0'], '−2')
    """
    places = 0 if abs(number) >= 100 else 1 if abs(number) >= 1 else 2
    text = f"{round(number, places) + 0.0:{'+' if signed else ''},.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("+0", "-0") else text.replace("-", "−")


def write_share(share: float, *, signed: bool = False) -> str:
    """Return a share as per cent.

    >>> [write_share(share) for share in (0.5, 0.123, 0.004, 0, float("nan"))]
    ['50%', '12%', '<1%', '0%', '–']
    """
    if share != share:
        return "–"
    if 0 < share < 0.005 and not signed:
        return "<1%"
    text = f"{share:{'+' if signed else ''}.0%}"
    return "0%" if text in ("+0%", "-0%") else text.replace("-", "−")
