"""The confusion matrix of a hierarchy, with true classes as rows and predicted classes as columns.

You can expand rows and columns along the hierarchy. A cell counts the pairs of `PairedLabels` with
the true class in its row and the predicted class in its column. So the counts of a most specific
true class add up to the number of its instances.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from hiermeasures.evaluation.mistakes import DECIMALS, PairedLabels, find_ancestors
from hiermeasures.evaluation.needs_scipy import sparse
from hiermeasures.evaluation.outside import base_of
from hiermeasures.hierarchy.errors import InputError, check_known, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy

if TYPE_CHECKING:
    import pandas as pd

EntryKind = Literal["class", "itself", "elsewhere", "none", "unknown", "more"]
ShareSide = Literal["true", "predicted"]
SHARES: tuple[ShareSide, ...] = ("true", "predicted")
SPECIAL: tuple[EntryKind, ...] = ("elsewhere", "none", "unknown")
MOST_ENTRIES = 50_000
MOST_DENSE = 1_000_000  # cells of a table that is not sparse


@dataclass(frozen=True)
class AxisEntry:
    """One row or column.

    A "class" has everything at or below it, also if it is expanded. "itself" is only the label
    above its children. "elsewhere" is all classes outside the chosen part, "none" a missing class,
    and "unknown" a label that is not a class. "more" adds up classes in a picture. `path` has the
    shown classes above, the highest first.
    """

    label: str
    kind: EntryKind
    path: tuple[str, ...] = ()
    expandable: bool = False
    expanded: bool = False

    @property
    def name(self) -> str:
        """The label, with its kind unless it is a class."""
        if self.kind == "class":
            return self.label
        return f"{self.label} (itself)" if self.kind == "itself" else f"({self.kind})"


@dataclass(frozen=True, eq=False)
class Axis:
    """The rows or the columns of a matrix.

    The children of an expanded class come after it. Its own counts include them. `members` has a
    row per entry and a column per class, plus two columns for none and unknown.
    """

    hierarchy: Hierarchy
    below: str
    entries: tuple[AxisEntry, ...]
    members: sparse.csr_array

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[AxisEntry]:
        return iter(self.entries)

    @cached_property
    def shown(self) -> list[int]:
        """The places of the entries that are not expanded. On a tree, these have each class once."""
        return [k for k, entry in enumerate(self.entries) if not entry.expanded]

    def take(self, places: Collection[int]) -> "Axis":
        """Return an axis with some of the entries."""
        chosen = list(places)
        entries = tuple(self.entries[k] for k in chosen)
        return Axis(self.hierarchy, self.below, entries, self.members[chosen])


def axis(
    hierarchy: Hierarchy,
    expanded: Collection[str] = (),
    *,
    below: str | None = None,
    labels: Collection[str] | None = None,
    once: bool = False,
) -> Axis:
    """Return the rows or columns of a matrix, in the order of the hierarchy.

    Parameters
    ----------
    hierarchy : Hierarchy
    expanded : collection of str
        Classes that show their children. The root, or `below`, always does.
    below : str, optional
        Show only the part of this class. Everything else is "elsewhere".
    labels : collection of str, optional
        Classes that are labels (`PairedLabels.labels`). An expanded class shows "itself" only if it
        is one of them. By default each does.
    once : bool
        A class with several shown parents appears only below the first one.

    Raises
    ------
    InputError
        If a class is unknown, or the axis has too many entries.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"R": {"A": ["a", "b"], "B": ["d"]}})
    >>> [entry.name for entry in axis(h, {"A"}, labels={"A", "d"})]
    ['A', 'A (itself)', 'a', 'b', 'B', '(none)', '(unknown)']
    """
    base = base_of(hierarchy)
    top = 0 if below is None else base.index(below)
    opened = {base.index(label) for label in expanded} | {top}
    named = None if labels is None else frozenset(labels)
    found = _list_entries(base, top, opened, named, once)
    entries = [entry for _, entry in found]
    entries += [AxisEntry("", kind) for kind in SPECIAL[top == 0 :]]
    numbers = np.array([k for k, _ in found], np.int64)
    members = _find_members(base, entries, numbers, top)
    return Axis(base, base.nodes[top], tuple(entries), members)


def _list_entries(
    base: Hierarchy, top: int, opened: set[int], labels: frozenset[str] | None, once: bool
) -> list[tuple[int, AxisEntry]]:
    """Return the entries for classes, with their numbers, each before its children."""
    found: list[tuple[int, AxisEntry]] = []
    seen: set[int] = set()
    pending: list[tuple[int, tuple[str, ...]]] = [(top, ())]
    while pending:
        k, path = pending.pop()
        if k < 0:  # "itself" of class −k − 1
            found.append((-k - 1, AxisEntry(base.nodes[-k - 1], "itself", path)))
            continue
        if k in seen and once:
            continue
        seen.add(k)
        label, children = base.nodes[k], base.rows.children(k)
        is_open = k in opened and len(children) > 0
        if k != top:
            found.append((k, AxisEntry(label, "class", path, len(children) > 0, is_open)))
        if len(found) > MOST_ENTRIES:
            raise InputError(
                f"the matrix has more than {MOST_ENTRIES:,} rows. Expand fewer classes."
            )
        if is_open or k == top:
            inner = path if k == top else (*path, label)
            pending += [(child, inner) for child in reversed(children)]
            if labels is None or label in labels or not children:
                pending.append((-k - 1, inner))
    return found


def _find_members(
    base: Hierarchy, entries: list[AxisEntry], numbers: np.ndarray, top: int
) -> sparse.csr_array:
    """Return the classes of each entry: entries × (classes, none, unknown)."""
    n = len(base)
    whole = np.array([entry.kind == "class" for entry in entries[: len(numbers)]], bool)
    itself = sparse.eye_array(n, dtype=np.int32, format="csr")
    either = sparse.hstack([find_ancestors(base), itself], format="csr")
    classes = sparse.csr_array(either[:, np.where(whole, numbers, numbers + n)].T)
    special = [np.zeros(n + 2, np.int32) for _ in entries[len(numbers) :]]
    for row, entry in zip(special, entries[len(numbers) :], strict=True):
        if entry.kind == "elsewhere":
            row[:n] = ~_is_below(base, top)
        else:
            row[n + (entry.kind == "unknown")] = 1
    classes.resize(len(numbers), n + 2)
    return sparse.csr_array(
        sparse.vstack([classes, sparse.csr_array(np.array(special))], format="csr")
    )


def expand_to(hierarchy: Hierarchy, level: int, below: str | None = None) -> frozenset[str]:
    """Return the classes to expand so that classes of a level are shown.

    Then an axis shows the classes of this level or deeper that have a parent above it, and the
    classes above as "itself". The level of a class is its longest path from the root.

    >>> h = Hierarchy.from_nested({"R": {"A": {"a": ["x"]}, "B": ["d"]}})
    >>> sorted(expand_to(h, 2))
    ['A', 'B', 'R']
    """
    base = base_of(hierarchy)
    part = base.nodes if below is None else base.descendants(below)
    return frozenset(label for label in part if base.level(label) < level)


@dataclass(frozen=True, eq=False)
class Matrix:
    """Counts of pairs: rows true, columns predicted.

    `row_totals` and `column_totals` add up a whole row or column and count each class once. `total`
    is the sum of all pairs. Pairs with both classes elsewhere are always left out. `a - b` is the
    difference of two systems.
    """

    rows: Axis
    columns: Axis
    sparse_counts: sparse.csr_array
    row_totals: np.ndarray
    column_totals: np.ndarray
    total: float
    paired: tuple[PairedLabels, ...]
    of: "tuple[Matrix, Matrix] | None" = None

    @classmethod
    def count(cls, paired: PairedLabels, rows: Axis, columns: Axis) -> "Matrix":
        """Return the matrix of a system."""
        if rows.below != columns.below:
            raise InputError(
                "rows and columns are below different classes. Use the same `below` for both."
            )
        width = rows.members.shape[1]
        true, predicted, inside = _places(paired, rows)
        counts = sparse.coo_array(
            (paired.count[inside], (true[inside], predicted[inside])), (width, width)
        ).tocsr()
        of_true, of_predicted = counts.sum(axis=1), counts.sum(axis=0)
        return cls(
            rows,
            columns,
            sparse_counts=_round(rows.members @ counts @ columns.members.T),
            row_totals=np.round(rows.members @ of_true, DECIMALS),
            column_totals=np.round(columns.members @ of_predicted, DECIMALS),
            total=round(float(of_true.sum()), DECIMALS),
            paired=(paired,),
        )

    @cached_property
    def counts(self) -> np.ndarray:
        """The counts as an array, rows × columns."""
        return np.asarray(self.sparse_counts.toarray())

    def shares(self, side: ShareSide) -> np.ndarray:
        """Return counts as shares of their row ("true") or column ("predicted").

        In an empty row or column they are nan. For a difference of two systems, return the
        differences of the shares.
        """
        check_known("share", side, SHARES)
        if self.of is not None:
            return np.asarray(self.of[0].shares(side) - self.of[1].shares(side))
        whole = self.row_totals[:, None] if side == "true" else self.column_totals[None, :]
        found = np.full(self.counts.shape, np.nan)
        return np.asarray(np.divide(self.counts, whole, out=found, where=whole > 0))

    def __sub__(self, other: "Matrix") -> "Matrix":
        if (self.rows.entries, self.columns.entries) != (other.rows.entries, other.columns.entries):
            raise InputError(
                "the matrices have different rows or columns. Count both with the same axes."
            )
        return Matrix(
            self.rows,
            self.columns,
            sparse_counts=_round(self.sparse_counts - other.sparse_counts),
            row_totals=np.round(self.row_totals - other.row_totals, DECIMALS),
            column_totals=np.round(self.column_totals - other.column_totals, DECIMALS),
            total=round(self.total - other.total, DECIMALS),
            paired=self.paired + other.paired,
            of=(self, other),
        )

    def instances(self, row: int | None, column: int | None) -> np.ndarray:
        """Return the places of the instances in a cell, or in a whole row, column or matrix (None).

        For a difference of two systems, return the instances with different counts in the cell.
        """
        sums = [self._count_instances(paired, row, column) for paired in self.paired]
        found = sums[0] > 0 if len(sums) == 1 else np.abs(sums[0] - sums[1]) > 1e-9
        return np.asarray(np.flatnonzero(found))

    def _count_instances(
        self, paired: PairedLabels, row: int | None, column: int | None
    ) -> np.ndarray:
        true, predicted, inside = _places(paired, self.rows)
        for one_axis, k, place in ((self.rows, row, true), (self.columns, column, predicted)):
            if k is not None:
                inside = inside & (one_axis.members[[k]].toarray()[0] > 0)[place]
        return np.asarray(np.bincount(paired.instance[inside], paired.count[inside], paired.n))


def _round(counts: sparse.sparray) -> sparse.csr_array:
    rounded = sparse.csr_array(counts)
    rounded.data = rounded.data.round(DECIMALS)
    rounded.eliminate_zeros()
    return rounded


def _places(paired: PairedLabels, rows: Axis) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return each pair's column in `members` on both sides, and whether it belongs to the matrix."""
    n = len(rows.hierarchy)
    base = np.append(paired.base_number, n)  # the last one for −1
    base[:-1][base[:-1] < 0] = n + 1
    true, predicted = base[paired.true], base[paired.predicted]
    if rows.below == rows.hierarchy.root:
        return true, predicted, np.ones(len(paired), bool)
    part = np.append(_is_below(rows.hierarchy, rows.hierarchy.index(rows.below)), [False, False])
    return true, predicted, part[true] | part[predicted]


def _is_below(base: Hierarchy, top: int) -> np.ndarray:
    """Return whether each class is a class or below it."""
    return np.asarray(find_ancestors(base)[:, [top]].toarray()[:, 0] > 0)


def confuse_systems(
    paired: Mapping[str, PairedLabels],
    level: int | None = None,
    below: str | None = None,
    share: ShareSide | None = None,
) -> "dict[str, pd.DataFrame]":
    """Return the confusion matrix of each system, all with the same columns (`Report.confusion`)."""
    h = base_of(next(iter(paired.values())).hierarchy)
    if level is not None and level <= (least := 0 if below is None else h.level(below)):
        where = "" if below is None else f", because {shown(below)} has level {least}"
        raise InputError(f"level is {level}. Give a level of {least + 1} or more{where}.")
    opened = () if level is None else expand_to(h, level, below)
    labels = frozenset[str]().union(*(each.labels for each in paired.values()))
    both = axis(h, opened, below=below, labels=labels, once=True)
    matrices = {name: Matrix.count(each, both, both) for name, each in paired.items()}
    columns = sorted({k for matrix in matrices.values() for k in find_occurring(matrix)[1]})
    return {
        name: tabulate(matrix, find_occurring(matrix)[0], columns, share)
        for name, matrix in matrices.items()
    }


def tabulate(
    matrix: Matrix, rows: list[int], columns: list[int], share: ShareSide | None = None
) -> "pd.DataFrame":
    """Return some rows and columns of a matrix as a table, with `total`.

    Shares in an empty row or column are 0. If the table has more than a million cells, its columns
    are sparse.
    """
    from hiermeasures.evaluation.needs_pandas import pd

    counts = matrix.sparse_counts[rows][:, columns]
    of_true, of_predicted = matrix.row_totals[rows], matrix.column_totals[columns]
    whole = sparse.csr_array(np.array([[matrix.total]]))
    cells = sparse.block_array(
        [
            [counts, sparse.csr_array(of_true[:, None])],
            [sparse.csr_array(of_predicted[None, :]), whole],
        ],
        format="csr",
    )
    if share is not None:
        check_known("share", share, SHARES)
        sums = np.append(of_true if share == "true" else of_predicted, matrix.total)
        scale = sparse.diags_array(np.divide(1, sums, out=np.zeros(len(sums)), where=sums != 0))
        cells = sparse.csr_array(scale @ cells if share == "true" else cells @ scale)
    names = [
        [*(one.entries[k].name for k in places), "total"]
        for one, places in ((matrix.rows, rows), (matrix.columns, columns))
    ]
    index, head = pd.Index(names[0], name="true"), pd.Index(names[1], name="predicted")
    if cells.shape[0] * cells.shape[1] <= MOST_DENSE:
        return pd.DataFrame(cells.toarray(), index, head)
    return pd.DataFrame.sparse.from_spmatrix(sparse.csr_matrix(cells), index, head)


def find_occurring(matrix: Matrix) -> tuple[list[int], list[int]]:
    """Return the places of the rows and columns that have a count and are not expanded.

    A class that occurs on one side only has its row and its column.
    """
    rows, columns = matrix.rows, matrix.columns
    occurs = {
        entry
        for one, sums in ((rows, matrix.row_totals), (columns, matrix.column_totals))
        for entry, total in zip(one, sums, strict=True)
        if total and entry.kind in ("class", "itself")
    }
    found = []
    for one, sums in ((rows, matrix.row_totals), (columns, matrix.column_totals)):
        special = {k for k in one.shown if sums[k] and one.entries[k].kind in SPECIAL}
        found.append([k for k in one.shown if one.entries[k] in occurs or k in special])
    return found[0], found[1]
