"""Printed rankings of systems and the rank correlations printed beside them, as read from CSV
files.

Whether the correlations come out of the ranking is ranking_search.py's.
"""

import csv
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import Literal

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
    """A printed table of systems: scores and ranks as printed, one row per system, one column per
    measure.
    """

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
        """(measure, better ranked, better scored) wherever a printed rank contradicts the printed
        scores.
        """
        scores, ranks = self.oriented("scores"), self.oriented("ranks")
        return tuple(
            (measure, self.systems[a], self.systems[b])
            for k, measure in enumerate(self.measures)
            for a, b in permutations(range(len(self.systems)), 2)
            if ranks[a, k] > ranks[b, k] and scores[a, k] < scores[b, k]
        )


def read_ranking(path: Path) -> Ranking:
    """Read a ranking: a CSV with the columns `system`, and for every measure its key and its key
    followed by ` rank`.

    Raises
    ------
    InputError
        For a file that cannot be read, an unknown measure, or an entry that is no number; with the
        line.
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
    """Read a triangular table of printed correlations, by (row, column); the diagonal is left out.

    Raises
    ------
    InputError
        For a file that cannot be read, measures other than the ranking's, or an entry that is no
        number; with the line.
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
