"""Printed rankings of systems with their printed rank correlations.

CSV files have both. Kendall's correlation is computed from the printed scores and from the printed
ranks. If a printed correlation is not reproduced, a search tries small changes of the ranking that
would explain it. It swaps two entries of a column, makes one entry equal to another, or makes two
swaps.
"""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.words import agree, quote_names
from hiermeasures.measures import find_measure
from hiermeasures.verify import printed

Basis = Literal["scores", "ranks"]
Cell = tuple[str, str]
BASES: tuple[Basis, ...] = ("scores", "ranks")
Tau = Literal["b", "a"]
TAUS: tuple[Tau, ...] = ("b", "a")
Kind = Literal["swap", "tie"]
Size = Literal["none", "swap", "tie", "two swaps"]
SIZES: tuple[Size, ...] = ("none", "swap", "tie", "two swaps")
MAX_SYSTEMS = 60
MAX_FOR_TWO = 20  # systems. With more, two swaps are not tried


@dataclass(frozen=True)
class Ranking:
    """A printed table of scores and ranks, systems by measures."""

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    scores: tuple[tuple[str, ...], ...]
    ranks: tuple[tuple[str, ...], ...]

    def oriented(self, basis: Basis) -> np.ndarray:
        """Return the table as numbers. In every column the best system has the highest number."""
        if basis == "ranks":
            return -np.array([[printed.number(r).value for r in row] for row in self.ranks])
        values = np.array([[printed.number(s).value for s in row] for row in self.scores])
        return values * [1.0 if find_measure(m).better == "higher" else -1.0 for m in self.measures]

    def contradictions(self) -> tuple[tuple[str, str, str], ...]:
        """Return ranks that contradict scores, as (measure, better ranked, better scored)."""
        scores, ranks = self.oriented("scores"), self.oriented("ranks")
        return tuple(
            (measure, self.systems[a], self.systems[b])
            for k, measure in enumerate(self.measures)
            for a, b in permutations(range(len(self.systems)), 2)
            if ranks[a, k] > ranks[b, k] and scores[a, k] < scores[b, k]
        )


def read_ranking(path: Path) -> Ranking:
    """Read a CSV file with the column `system`, and `KEY` and `KEY rank` for each measure.

    Parameters
    ----------
    path : Path

    Returns
    -------
    Ranking

    Raises
    ------
    InputError
        If the file is not such a table. The message names the line.

    See Also
    --------
    read_correlations : Read the correlations of a ranking.
    """
    (_, head), *rows = _rows(path)
    measures = tuple(head[1::2])
    if (
        head[:1] != ["system"]
        or tuple(head[2::2]) != tuple(f"{m} rank" for m in measures)
        or not measures
    ):
        raise InputError(
            f"{path.name}, line 1: wrong columns. Write 'system', then each measure and its rank, "
            "such as 'hF,hF rank'"
        )
    for measure in measures:
        find_measure(measure)
    for line, row in rows:
        if len(row) != len(head):
            raise InputError(
                f"{path.name}, line {line}: {len(row)} entries, but the head has {len(head)}. "
                "Write one entry for each column"
            )
        _check_numbers(path, line, row[1:])
    if not 2 <= len(rows) <= MAX_SYSTEMS:
        raise InputError(
            f"{path.name}: the ranking has {len(rows)} systems. Use 2 to {MAX_SYSTEMS} systems"
        )
    scores, ranks = (tuple(tuple(row[k::2]) for _, row in rows) for k in (1, 2))
    return Ranking(tuple(row[0] for _, row in rows), measures, scores, ranks)


def read_correlations(path: Path, ranking: Ranking) -> dict[Cell, str]:
    """Read a triangular CSV table of printed correlations.

    Parameters
    ----------
    path : Path
    ranking : Ranking
        The ranking with the measures of the table.

    Returns
    -------
    dict
        The printed texts by (row, column), without the diagonal.

    Raises
    ------
    InputError
        If a measure is not in the ranking or an entry is not a number. The message names the line.

    See Also
    --------
    search : Compare correlations with a ranking.
    """
    (_, head), *rows = _rows(path)
    cells: dict[Cell, str] = {}
    for line, row in rows:
        for measure in (row[0], *head[1:]):
            if measure not in ranking.measures:
                known = quote_names(ranking.measures, len(ranking.measures))
                raise InputError(
                    f"{path.name}, line {line}: {shown(measure)} is not in the ranking. Use one of "
                    f"{known}"
                )
        given = {
            column: text
            for column, text in zip(head[1:], row[1:], strict=False)
            if text and column != row[0]
        }
        _check_numbers(path, line, given.values())
        cells |= {(row[0], column): text for column, text in given.items()}
    return cells


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            rows = [
                (reader.line_num, [entry.strip() for entry in row]) for row in reader if any(row)
            ]
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror}") from None
    except (csv.Error, UnicodeDecodeError):
        raise InputError(f"{path.name} is not a CSV file. Save it as CSV in UTF-8") from None
    if len(rows) < 2:
        raise InputError(f"{path.name} has no rows below its head. Add a row for each system")
    return rows


def _check_numbers(path: Path, line: int, entries: Iterable[str]) -> None:
    for entry in entries:
        try:
            printed.number(entry)
        except InputError as error:
            raise InputError(f"{path.name}, line {line}: {error}") from None


@dataclass(frozen=True)
class ColumnChange:
    """A change of one column.

    It swaps the entries of two systems, or gives the entry of the second system to the first.
    """

    kind: Kind
    measure: str
    first: str
    second: str

    def __str__(self) -> str:
        if self.kind == "swap":
            return f"{self.first} and {self.second} swapped under {self.measure}"
        return f"the {self.measure} of {self.second} given to {self.first}"


def change_of(kind: Kind, text: str, ranking: Ranking) -> ColumnChange:
    measure, _, systems = text.partition(":")
    names = [name.strip() for name in systems.split(",")]
    if measure not in ranking.measures or len(names) != 2 or not set(names) <= set(ranking.systems):
        raise InputError(f"{shown(text)} is not a change of the ranking. Write it as GIE: A3, E3")
    return ColumnChange(kind, measure, *names)


@dataclass(frozen=True)
class RankingReading:
    """One interpretation of the ranking, with the printed correlations that it reproduces.

    `tried` is the number of changes of this size that change the order of systems. `alternatives`
    is the number of those that reproduce as many correlations, with this one.
    """

    basis: Basis
    tau: Tau
    changes: tuple[ColumnChange, ...] = ()
    matched: frozenset[Cell] = frozenset()
    alternatives: int = 1
    tried: int = 1

    def __str__(self) -> str:
        changes = " and ".join(map(str, self.changes))
        return f"tau-{self.tau} of the printed {self.basis}" + (
            f" with {changes}" if changes else ""
        )


@dataclass(frozen=True)
class RankingSearch:
    """The result of the search for one correlation table.

    `plain` is tau-b of the unchanged printed scores, and `values` are its values. `readings` has
    the best reading for every basis, tau and size of change. `best` reproduces the whole table with
    the smallest change, or else as many correlations as possible. `best_values` are its values.
    """

    values: Mapping[Cell, float]
    best_values: Mapping[Cell, float]
    plain: RankingReading
    readings: tuple[RankingReading, ...]
    best: RankingReading

    @property
    def total(self) -> int:
        return len(self.values)

    @property
    def by_ranks(self) -> int:
        """The number of correlations that tau-b of the unchanged printed ranks reproduces."""
        return next(
            len(r.matched)
            for r in self.readings
            if (r.basis, r.tau, r.changes) == ("ranks", "b", ())
        )

    @property
    def whole(self) -> bool:
        return len(self.best.matched) == self.total

    @property
    def whole_as_printed(self) -> bool:
        return len(self.plain.matched) == self.total

    @property
    def unexplained(self) -> frozenset[Cell]:
        return frozenset(self.values) - self.plain.matched - self.explained

    @property
    def explained(self) -> frozenset[Cell]:
        """The cells that the best reading reproduces and the plain reading does not.

        The best reading counts only if it reproduces the whole table. It also counts if it
        reproduces all cells of the changed columns and every cell of the plain reading.
        """
        gained = self.best.matched - self.plain.matched
        if self.whole:
            return gained
        touched = {change.measure for change in self.best.changes}
        if (
            not touched
            or self.best.basis != self.plain.basis
            or not self.plain.matched <= self.best.matched
        ):
            return frozenset()
        of_touched = {cell for cell in self.values if touched & set(cell)}
        return gained & of_touched if of_touched <= self.best.matched else frozenset()

    @property
    def in_words(self) -> str:
        plain, best, others = (
            len(self.plain.matched),
            len(self.best.matched),
            self.best.alternatives - 1,
        )
        first = (
            f"{plain} of {self.total} correlations agree with Kendall's tau-b of the printed scores, "
            f"and {self.by_ranks} agree with that of the printed ranks"
        )
        if best == plain:
            return f"{first}. No tried change gives more."
        as_well = (
            f" ({others} more of the {self.best.tried} changes of that size "
            f"{agree(others, 'does')} as well)"
            if others
            else ""
        )
        return f"{first}. {best} of {self.total} agree with {self.best}{as_well}."


def search(ranking: Ranking, correlations: Mapping[Cell, str]) -> RankingSearch:
    """Find the smallest change of a ranking that explains its printed correlations.

    The search tries changes in the order of `SIZES` until all correlations are reproduced. It
    computes tau-b and tau-a of the printed scores and ranks.

    Parameters
    ----------
    ranking : Ranking
    correlations : mapping
        The printed correlations by (row, column).

    Returns
    -------
    RankingSearch

    See Also
    --------
    correlation : Compute one correlation.
    """
    published = {cell: printed.number(text) for cell, text in correlations.items()}
    tables = [_Table(ranking, basis, published) for basis in BASES]
    readings: list[RankingReading] = []
    for size in SIZES:
        found = [table.best(size, tau) for table in tables for tau in TAUS]
        readings += [reading for reading in found if reading is not None]
        if any(len(reading.matched) == len(published) for reading in readings):
            break
    best = max(readings, key=lambda reading: len(reading.matched))
    values, best_values = (
        {cell: correlation(ranking, cell, reading) for cell in published}
        for reading in (readings[0], best)
    )
    return RankingSearch(values, best_values, readings[0], tuple(readings), best)


def correlation(ranking: Ranking, cell: Cell, reading: RankingReading) -> float:
    table = ranking.oriented(reading.basis)
    for change in reading.changes:
        k = ranking.measures.index(change.measure)
        i, j = ranking.systems.index(change.first), ranking.systems.index(change.second)
        table[[i, j], k] = table[[j, i if change.kind == "swap" else j], k]
    columns = (table[:, ranking.measures.index(measure)] for measure in cell)
    signs = [np.sign(np.subtract.outer(x, x))[np.triu_indices(len(x), 1)] for x in columns]
    return float(_taus(signs[0][None], signs[1][None], reading.tau)[0, 0])


def _taus(a: np.ndarray, b: np.ndarray, tau: Tau) -> np.ndarray:
    """Correlate every row of `a` with every row of `b`. A row has the signs of pairs of systems."""
    agreement = a @ b.T
    if tau == "a":
        return np.asarray(agreement / a.shape[1])
    weight = np.sqrt(np.outer(np.abs(a).sum(axis=1), np.abs(b).sum(axis=1)))
    return np.asarray(
        np.divide(agreement, weight, out=np.full(agreement.shape, np.nan), where=weight > 0)
    )


Pairs = tuple[tuple[int, int], ...]  # the systems of a change
Found = tuple[int, frozenset[Cell], list[tuple[ColumnChange, ...]], int]


class _Block(NamedTuple):
    """Candidates for one column, with the signs of their pairs of systems, and the changes."""

    signs: np.ndarray
    kind: Kind
    changed: Sequence[Pairs]


class _Table:
    """A ranking by scores or ranks, with the printed correlations."""

    def __init__(
        self, ranking: Ranking, basis: Basis, published: Mapping[Cell, printed.PrintedNumber]
    ) -> None:
        self.ranking, self.basis, self.published = ranking, basis, published
        self.columns = dict(zip(ranking.measures, ranking.oriented(basis).T, strict=True))
        self.first, self.second = np.triu_indices(len(ranking.systems), 1)
        self.blocks: dict[Size, dict[str, _Block]] = {}
        self.plain = {
            m: self._block(column[None], "swap", [()]) for m, column in self.columns.items()
        }

    def best(self, size: Size, tau: Tau) -> RankingReading | None:
        """Return the best reading with a change of this size, or None if no change is possible."""
        m, other = self.ranking.measures[0], self.ranking.measures[-1]
        if size == "none":
            _, matched, _, _ = self._in_columns(m, self.plain[m], other, self.plain[other], tau)
            return RankingReading(self.basis, tau, (), matched)
        found: list[Found] = []
        if size != "two swaps" or len(self.ranking.systems) <= MAX_FOR_TWO:
            for m, block in self._changed(size).items():
                other = next((c for c in self.columns if c != m), m)
                found.append(self._in_columns(m, block, other, self.plain[other], tau))
            if size == "two swaps":
                once = self._changed("swap")
                found += [
                    self._in_columns(a, once[a], b, once[b], tau)
                    for a, b in combinations(self.columns, 2)
                ]
        top = max((count for count, _, changes, _ in found if changes), default=-1)
        alternatives = sum(len(changes) for count, _, changes, _ in found if count == top)
        tried = sum(tried for *_, tried in found)
        for count, matched, changes, _ in found:
            if changes and count == top:
                return RankingReading(
                    self.basis, tau, changes[0], matched, alternatives=alternatives, tried=tried
                )
        return None

    def _in_columns(self, a: str, one: _Block, b: str, two: _Block, tau: Tau) -> Found:
        """Return the best pairs of candidates for two columns.

        The result has the number of reproduced correlations, the correlations of the first pair,
        the changes, and the number of pairs. An unchanged column has its plain block.
        """
        if not one.changed or not two.changed:
            return -1, frozenset(), [], 0
        matches: dict[Cell, np.ndarray] = {}
        for cell in self.published:
            first, second = cell[::-1] if cell[0] == b or cell[1] == a else cell
            rows = one if first == a else self.plain[first]
            columns = two if second == b else self.plain[second]
            matches[cell] = printed.agree(
                _taus(rows.signs, columns.signs, tau), self.published[cell]
            )
        count = np.zeros((len(one.changed), len(two.changed)), int)
        for ok in matches.values():
            count = count + ok
        where = np.argwhere(count == count.max())
        i, j = where[0]
        matched = frozenset(
            cell for cell, ok in matches.items() if np.broadcast_to(ok, count.shape)[i, j]
        )
        changes = [self._changes(a, one, k) + self._changes(b, two, n) for k, n in where.tolist()]
        return int(count.max()), matched, changes, count.size

    def _block(self, candidates: np.ndarray, kind: Kind, changed: Sequence[Pairs]) -> _Block:
        """Keep the first of all candidates with an equal order of systems."""
        signs = np.sign(candidates[:, self.first] - candidates[:, self.second]).astype(np.int8)
        first = (
            np.sort(np.unique(signs, axis=0, return_index=True)[1]) if len(signs) else np.arange(0)
        )
        return _Block(signs[first].astype(float), kind, [changed[k] for k in first.tolist()])

    def _changes(self, m: str, block: _Block, k: int) -> tuple[ColumnChange, ...]:
        systems = self.ranking.systems
        return tuple(
            ColumnChange(block.kind, m, systems[i], systems[j]) for i, j in block.changed[k]
        )

    def _changed(self, size: Size) -> dict[str, _Block]:
        if size in self.blocks:
            return self.blocks[size]
        n = len(self.ranking.systems)
        kind: Kind = "tie" if size == "tie" else "swap"
        changes: list[Pairs] = [
            (pair,) for pair in (permutations if kind == "tie" else combinations)(range(n), 2)
        ]
        if size == "two swaps":  # of one entry in either order
            both = [(*one, *two) for one, two in combinations(changes, 2)]
            changes = [
                each
                for a, b in both
                for each in ([(a, b), (b, a)] if set(a) & set(b) else [(a, b)])
            ]
        orders = np.tile(np.arange(n), (len(changes), 1))
        for order, pairs in zip(orders, changes, strict=True):
            for i, j in pairs:
                order[i], order[j] = order[j], order[i if kind == "swap" else j]
        self.blocks[size] = {}
        for m, column in self.columns.items():
            keep = [
                k
                for k, pairs in enumerate(changes)
                if all(column[i] != column[j] for i, j in pairs)
            ]
            candidates = column[orders[np.array(keep, int)]]
            self.blocks[size][m] = self._block(candidates, kind, [changes[k] for k in keep])
        return self.blocks[size]
