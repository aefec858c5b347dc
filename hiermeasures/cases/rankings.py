"""Printed rankings of systems and the rank correlations printed beside them, as read from CSV
files, and the search for the smallest change of a ranking that explains the correlations.

Kendall's correlation is computed from the printed scores, and from the printed ranks. Where a
printed one does not come out, a search tries the smallest changes of the ranking that would explain
it: two entries of one column swapped, one entry made equal to another, two swaps.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from hiermeasures.cases import printed
from hiermeasures.core.errors import InputError, listed, shown
from hiermeasures.measures import find_measure

Basis = Literal["scores", "ranks"]
Cell = tuple[str, str]
BASES: tuple[Basis, ...] = ("scores", "ranks")
MAX_SYSTEMS = 60


@dataclass(frozen=True)
class Ranking:
    """A printed table of systems: scores and ranks as printed, systems by measures."""

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    scores: tuple[tuple[str, ...], ...]
    ranks: tuple[tuple[str, ...], ...]

    def oriented(self, basis: Basis) -> np.ndarray:
        """The table as numbers, systems by measures, the best system highest in every column."""
        if basis == "ranks":
            return -np.array([[printed.number(r).value for r in row] for row in self.ranks])
        values = np.array([[printed.number(s).value for s in row] for row in self.scores])
        return values * [1.0 if find_measure(m).better == "higher" else -1.0 for m in self.measures]

    def contradictions(self) -> tuple[tuple[str, str, str], ...]:
        """(measure, better ranked, better scored) where a printed rank contradicts the scores."""
        scores, ranks = self.oriented("scores"), self.oriented("ranks")
        return tuple(
            (measure, self.systems[a], self.systems[b])
            for k, measure in enumerate(self.measures)
            for a, b in permutations(range(len(self.systems)), 2)
            if ranks[a, k] > ranks[b, k] and scores[a, k] < scores[b, k]
        )


def read_ranking(path: Path) -> Ranking:
    """Read a CSV with the columns `system`, and for each measure its key and `KEY rank`. InputError
    with the line for one that cannot be used.
    """
    rows = _rows(path)
    head = rows[0][1]
    measures = tuple(head[1::2])
    if head[:1] != ["system"] or tuple(head[2::2]) != tuple(f"{m} rank" for m in measures) or not measures:
        raise InputError(
            f"{path.name}, line 1: the columns are 'system', then each measure and its rank, such as 'hF,hF rank'"
        )
    for measure in measures:
        find_measure(measure)
    for line, row in rows[1:]:
        if len(row) != len(head):
            raise InputError(f"{path.name}, line {line}: {len(row)} entries where the head has {len(head)}")
        for entry in row[1:]:
            _numbered(path, line, entry)
    body = [row for _, row in rows[1:]]
    if not 2 <= len(body) <= MAX_SYSTEMS:
        raise InputError(f"{path.name}: {len(body)} systems; a ranking has 2 to {MAX_SYSTEMS}")
    return Ranking(
        tuple(row[0] for row in body),
        measures,
        tuple(tuple(row[1::2]) for row in body),
        tuple(tuple(row[2::2]) for row in body),
    )


def read_correlations(path: Path, ranking: Ranking) -> dict[Cell, str]:
    """Read a triangular table of printed correlations, by (row, column), without the diagonal.
    InputError with the line for one that cannot be used.
    """
    rows = _rows(path)
    columns = rows[0][1][1:]
    cells: dict[Cell, str] = {}
    for line, row in rows[1:]:
        for measure in (row[0], *columns):
            if measure not in ranking.measures:
                known = listed(ranking.measures, len(ranking.measures))
                raise InputError(f"{path.name}, line {line}: {shown(measure)} is not in the ranking, which has {known}")
        for column, text in zip(columns, row[1:], strict=False):
            if text and column != row[0]:
                _numbered(path, line, text)
                cells[row[0], column] = text
    return cells


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            rows = [(reader.line_num, [entry.strip() for entry in row]) for row in reader if any(row)]
    except OSError as error:
        raise InputError(f"{path.name} cannot be read: {error.strerror}") from None
    except (csv.Error, UnicodeDecodeError):
        raise InputError(f"{path.name} is no CSV file") from None
    if len(rows) < 2:
        raise InputError(f"{path.name} has no rows")
    return rows


def _numbered(path: Path, line: int, entry: str) -> None:
    try:
        printed.number(entry)
    except InputError as error:
        raise InputError(f"{path.name}, line {line}: {error}") from None


Tau = Literal["b", "a"]
TAUS: tuple[Tau, ...] = ("b", "a")
MAX_FOR_TWO = 20  # systems; two swaps are not tried among more


@dataclass(frozen=True)
class Change:
    """A change of one column: two entries swapped, or the first system given the second's entry."""

    kind: Literal["swap", "tie"]
    measure: str
    first: str
    second: str

    def __str__(self) -> str:
        if self.kind == "swap":
            return f"{self.first} and {self.second} swapped under {self.measure}"
        return f"the {self.measure} of {self.second} given to {self.first}"


@dataclass(frozen=True)
class Reading:
    """One way to read the ranking, and the printed correlations that it gives; as many come out
    with `alternatives`, itself among them, of the `tried` changes of that size that order systems
    otherwise.
    """

    basis: Basis
    tau: Tau
    changes: tuple[Change, ...]
    matched: frozenset[Cell]
    alternatives: int
    tried: int

    def __str__(self) -> str:
        changes = " and ".join(map(str, self.changes))
        return f"tau-{self.tau} of the printed {self.basis}" + (f" with {changes}" if changes else "")


@dataclass(frozen=True)
class Search:
    """The outcome of the search for one correlation table.

    `plain` is tau-b of the printed scores, nothing changed, with its `values`. `readings` holds,
    for every basis, tau and size of change tried, the best there is. `best` makes the whole table
    come out with the smallest change, or else as much of it as can be; `best_values` are its
    values.
    """

    total: int
    values: Mapping[Cell, float]
    best_values: Mapping[Cell, float]
    plain: Reading
    readings: tuple[Reading, ...]
    best: Reading

    @property
    def by_ranks(self) -> int:
        """Correlations that come out as tau-b of the printed ranks, nothing changed."""
        return next(len(r.matched) for r in self.readings if (r.basis, r.tau, r.changes) == ("ranks", "b", ()))

    @property
    def whole(self) -> bool:
        """True if the best reading gives every printed correlation."""
        return len(self.best.matched) == self.total

    @property
    def whole_as_printed(self) -> bool:
        """True if every printed correlation comes out with nothing changed."""
        return len(self.plain.matched) == self.total

    @property
    def unexplained(self) -> frozenset[Cell]:
        return frozenset(self.values) - self.plain.matched - self.explained

    @property
    def explained(self) -> frozenset[Cell]:
        """Cells that the best reading explains beyond the plain one, if nothing is left over: the
        whole table comes out, or all of the changed columns does and nothing is lost.
        """
        gained = self.best.matched - self.plain.matched
        if self.whole:
            return gained
        touched = {change.measure for change in self.best.changes}
        if not touched or self.best.basis != self.plain.basis or not self.plain.matched <= self.best.matched:
            return frozenset()
        of_touched = {cell for cell in self.values if touched & set(cell)}
        return gained & of_touched if of_touched <= self.best.matched else frozenset()


def search(ranking: Ranking, correlations: Mapping[Cell, str]) -> Search:
    """Compare printed correlations with the ranking; look for the smallest change that explains a
    mismatch. Tried in order of `SIZES`, until all come out, each with tau-b and tau-a of the
    printed scores and of the printed ranks.
    """
    published = {cell: printed.number(text) for cell, text in correlations.items()}
    tables = {basis: _Table(ranking, basis, published) for basis in BASES}
    scores = tables["scores"]
    readings: list[Reading] = []
    for size in SIZES:
        found = [table.best(size, tau) for table in tables.values() for tau in TAUS]
        readings += [reading for reading in found if reading is not None]
        if any(len(reading.matched) == len(published) for reading in readings):
            break
    best = max(readings, key=lambda reading: len(reading.matched))
    best_values = {cell: correlation(ranking, cell, best) for cell in published}
    return Search(len(published), scores.plain_values("b"), best_values, scores.unchanged("b"), tuple(readings), best)


def correlation(ranking: Ranking, cell: Cell, reading: Reading) -> float:
    """Return one rank correlation of a ranking, read and changed as a reading says."""
    table = ranking.oriented(reading.basis)
    for change in reading.changes:
        k = ranking.measures.index(change.measure)
        i, j = ranking.systems.index(change.first), ranking.systems.index(change.second)
        swapped = table[[j, i], k] if change.kind == "swap" else table[[j, j], k]
        table[[i, j], k] = swapped
    a, b = (table[:, ranking.measures.index(measure)] for measure in cell)
    signs = [np.sign(np.subtract.outer(x, x))[np.triu_indices(len(x), 1)] for x in (a, b)]
    ordered = [np.abs(s).sum() for s in signs]
    weight = np.sqrt(ordered[0] * ordered[1]) if reading.tau == "b" else len(signs[0])
    return float(signs[0] @ signs[1] / weight) if weight else float("nan")


# --- the search ---------------------------------------------------------------------------------


Swaps = tuple[tuple[int, int], ...]
Size = Literal["none", "swap", "tie", "two swaps"]
SIZES: tuple[Size, ...] = ("none", "swap", "tie", "two swaps")
Found = tuple[int, frozenset[Cell], list[tuple[Change, ...]], int]


class _Block(NamedTuple):
    """Candidates for one column: signs of their pairs of systems, how many differ, the changes."""

    signs: np.ndarray
    ordered: np.ndarray
    kind: Literal["swap", "tie"]
    changed: Sequence[Swaps]


class _Table:
    """One ranking read by scores or by ranks, and the printed correlations it is held against."""

    def __init__(self, ranking: Ranking, basis: Basis, published: Mapping[Cell, printed.Number]) -> None:
        self.ranking = ranking
        self.basis = basis
        self.published = published
        self.columns = dict(zip(ranking.measures, ranking.oriented(basis).T, strict=True))
        self.first, self.second = np.triu_indices(len(ranking.systems), 1)
        self._blocks: dict[Size, dict[str, _Block]] = {}
        self.plain = {m: self._block(column[None], "swap", [()]) for m, column in self.columns.items()}

    def unchanged(self, tau: Tau) -> Reading:
        values = self.plain_values(tau).items()
        matched = frozenset(cell for cell, value in values if printed.agree(np.asarray(value), self.published[cell]))
        return Reading(self.basis, tau, (), matched, alternatives=1, tried=1)

    def plain_values(self, tau: Tau) -> dict[Cell, float]:
        return {(a, b): float(self._taus(self.plain[a], self.plain[b], tau)[0, 0]) for a, b in self.published}

    def best(self, size: Size, tau: Tau) -> Reading | None:
        """Return the change of a size that makes most correlations come out, if any is possible."""
        if size == "none":
            return self.unchanged(tau)
        found: list[Found] = []
        if size != "two swaps" or len(self.ranking.systems) <= MAX_FOR_TWO:
            for m, block in self._changed(size).items():
                other = next((c for c in self.columns if c != m), m)
                found.append(self._in_columns(m, block, other, self.plain[other], tau))
            if size == "two swaps":
                once = self._changed("swap")
                found += [self._in_columns(a, once[a], b, once[b], tau) for a, b in combinations(self.columns, 2)]
        top = max((count for count, _, changes, _ in found if changes), default=-1)
        alternatives = sum(len(changes) for count, _, changes, _ in found if count == top)
        for count, matched, changes, _ in found:
            if changes and count == top:
                tried = sum(tried for *_, tried in found)
                return Reading(self.basis, tau, changes[0], matched, alternatives=alternatives, tried=tried)
        return None

    def _in_columns(self, a: str, one: _Block, b: str, two: _Block, tau: Tau) -> Found:
        """The pairs of a candidate for each of two columns that give most: how many correlations,
        which (of the first), and the changes. A column that stays as it is has its plain block.
        """
        if not one.changed or not two.changed:
            return -1, frozenset(), [], 0
        matches: dict[Cell, np.ndarray] = {}
        for cell in self.published:
            first, second = cell[::-1] if cell[0] == b or cell[1] == a else cell
            rows = one if first == a else self.plain[first]
            columns = two if second == b else self.plain[second]
            matches[cell] = printed.agree(self._taus(rows, columns, tau), self.published[cell])
        count = np.zeros((len(one.changed), len(two.changed)), int)
        for ok in matches.values():
            count = count + ok
        where = np.argwhere(count == count.max())
        i, j = where[0]
        matched = frozenset(cell for cell, ok in matches.items() if np.broadcast_to(ok, count.shape)[i, j])
        changes = [self._changes(a, one, k) + self._changes(b, two, n) for k, n in where.tolist()]
        return int(count.max()), matched, changes, count.size

    def _taus(self, a: _Block, b: _Block, tau: Tau) -> np.ndarray:
        """Correlate every candidate of one column with every candidate of another."""
        agreement = a.signs @ b.signs.T
        if tau == "a":
            return np.asarray(agreement / len(self.first))
        weight = np.sqrt(np.outer(a.ordered, b.ordered))
        return np.asarray(np.divide(agreement, weight, out=np.full(agreement.shape, np.nan), where=weight > 0))

    def _block(self, candidates: np.ndarray, kind: Literal["swap", "tie"], changed: Sequence[Swaps]) -> _Block:
        """Candidates that order the systems alike are one, under the name of the first."""
        signs = np.sign(candidates[:, self.first] - candidates[:, self.second]).astype(np.int8)
        first = np.sort(np.unique(signs, axis=0, return_index=True)[1]) if len(signs) else np.arange(0)
        signs = signs[first].astype(float)
        return _Block(signs, np.abs(signs).sum(axis=1), kind, [changed[k] for k in first.tolist()])

    def _changes(self, m: str, block: _Block, k: int) -> tuple[Change, ...]:
        systems = self.ranking.systems
        return tuple(Change(block.kind, m, systems[i], systems[j]) for i, j in block.changed[k])

    def _changed(self, size: Size) -> dict[str, _Block]:
        """The candidates of every column for a change of a size, made once."""
        if size not in self._blocks:
            make = self._tied if size == "tie" else partial(self._swapped, times=1 if size == "swap" else 2)
            self._blocks[size] = {m: make(column) for m, column in self.columns.items()}
        return self._blocks[size]

    def _swapped(self, column: np.ndarray, times: int) -> _Block:
        changed = [swaps for swaps in _swap_sets(len(column), times) if all(column[i] != column[j] for i, j in swaps)]
        candidates = np.repeat(column[None], len(changed), axis=0)
        every = np.arange(len(changed))
        for step in range(times):
            i, j = (np.array([swaps[step][end] for swaps in changed], int) for end in (0, 1))
            candidates[every, i], candidates[every, j] = candidates[every, j], candidates[every, i]
        return self._block(candidates, "swap", changed)

    def _tied(self, column: np.ndarray) -> _Block:
        changed = [((i, j),) for i, j in permutations(range(len(column)), 2) if column[i] != column[j]]
        candidates = np.repeat(column[None], len(changed), axis=0)
        for k, ((i, j),) in enumerate(changed):
            candidates[k, i] = column[j]
        return self._block(candidates, "tie", changed)


def _swap_sets(n: int, times: int) -> Iterator[Swaps]:
    """Every way to swap entries once, or twice; two swaps of one entry in either order."""
    pairs = list(combinations(range(n), 2))
    if times == 1:
        yield from ((pair,) for pair in pairs)
        return
    for one, two in combinations(pairs, 2):
        yield one, two
        if set(one) & set(two):
            yield two, one
