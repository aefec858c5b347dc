"""Verification: every published cell of the case files against our value.

Figures are checked in checks.py; here are tables that no single case gives: judgements about
situations, rank correlations of a ranking, numbers that follow from others. What a cell is about is
in quantities.py, how a print is read in printed.py, what was found in verification.py.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from hiermeasures.cases import format, printed
from hiermeasures.cases.case import Case, changed, placed
from hiermeasures.cases.checks import FigureCheck, FileCheck, Findings, Print
from hiermeasures.cases.format import DerivedFile, FigureFile, RankingFile, SituationsFile
from hiermeasures.cases.library import CaseLibrary, Paper, load_cases
from hiermeasures.cases.rankings import (
    Change,
    Ranking,
    Reading,
    Search,
    correlation,
    read_correlations,
    read_ranking,
    search,
)
from hiermeasures.cases.reading import Fault, Loc, Misplaced
from hiermeasures.cases.verification import RankingCheck, Status, Verification, numbered
from hiermeasures.core.errors import InputError, shown, unknown
from hiermeasures.core.expressions import Expression
from hiermeasures.measures import CATALOGUE, find_measure

SIGNS = ("+", "−", "*")


class SituationsCheck(FileCheck[format.SituationsFile]):
    def check(self) -> None:
        for k, situation in enumerate(self.entries.situations):
            self.attempt(("situations", k), self._situation, ("situations", k), situation)
        self.check_errata(self.entries.errata)

    def _situation(self, loc: Loc, situation: format.SituationEntry) -> None:
        if len(situation.printed) != len(self.entries.columns):
            raise InputError(f"{len(situation.printed)} signs where the table has {len(self.entries.columns)} columns")
        for name in (*self.entries.columns, *situation.read, *situation.read.values()):
            find_measure(name)
        plus = placed((*loc, "plus"), Expression, situation.plus)
        star = placed((*loc, "star"), Expression, situation.star) if situation.star else None
        for name in plus.names | (star.names if star else frozenset()):
            if name not in situation.views:
                raise InputError(unknown("view", name, situation.views))
        views: dict[str, Case] = {}
        for name, view in situation.views.items():
            where = (*loc, "views", name)
            views[name] = changed(placed((*where, "case"), self.case, view.case), view, where, {})
        for measure, text in zip(self.entries.columns, situation.printed, strict=True):
            if text.replace("-", "−") not in SIGNS:
                raise Misplaced((*loc, "printed"), f"{shown(text)} is none of + − *")
            key = situation.read.get(measure, measure)
            errors = {name: _error(view, key) for name, view in views.items()}
            ours = "+" if plus(errors) else "*" if star is not None and star(errors) else "−"
            status: Status = "match" if ours == text.replace("-", "−") else "unexplained"
            found = Print((*loc, "printed"), self.entries.table, situation.situation, measure, text)
            self.add(found, ours, status, explanation=situation.criterion)


def _error(case: Case, key: str) -> float:
    """Return how far from perfect a case is: the value where lower is better, else 1 minus it."""
    value = case.explained[key]
    return value if CATALOGUE[key].better == "lower" else 1 - value


class CorrelationsCheck(FileCheck[format.RankingFile]):
    def check(self) -> None:
        ranking = self.attempt(("ranking",), lambda: read_ranking(self._beside(self.entries.ranking)))
        if ranking is None:
            return
        loc: Loc = ("correlations", "file")
        texts = self.attempt(loc, lambda: read_correlations(self._beside(self.entries.correlations.file), ranking))
        if texts is None:
            return
        found = search(ranking, texts)
        table = self.entries.correlations.table
        self.ranking, self.texts = ranking, texts
        self.work.rankings.append(RankingCheck(self.file.paper, self.entries.table, ranking, table, found))
        for cell, text in texts.items():
            self._cell(loc, table, cell, text, found)
        for k, openly in enumerate(self._openly()):
            if openly not in found.unexplained:
                reason = f"{', '.join(openly)} is said to be unexplained, and is not, or is no cell of the table"
                self.no_longer(("correlations", "unexplained", k), reason)
        if not found.whole_as_printed:
            left = [f"{a}–{b}" for a, b in sorted(found.unexplained)]
            rest = f"Not explained: {', '.join(left)}." if left else ""
            words = " ".join(
                part for part in (search_in_words(found), rest, self.entries.correlations.explanation) if part
            )
            where = f"{table}, correlations of {self.entries.table}"
            self.claim(("correlations",), self.entries.correlations, where, words)
        self.check_errata(self.entries.errata)

    def shown_value(self, loc: Loc, entry: format.ShownEntry) -> str:
        """A value that an erratum rests on: of a case, or of a reading of the ranking."""
        asked = entry.ranking
        if asked is None:
            return super().shown_value(loc, entry)
        place = (*loc, "ranking")
        changes = [placed(place, _change, "swap", text, self.ranking) for text in asked.swap]
        changes += [placed(place, _change, "tie", text, self.ranking) for text in asked.tie]
        reading = Reading(asked.basis, "b", tuple(changes), frozenset(), alternatives=1, tried=1)
        if asked.between:
            cell = placed(place, _pair, asked.between, self.texts)
            value: float = correlation(self.ranking, cell, reading)
            words = f"{reading} between {cell[0]} and {cell[1]}"
        else:
            cells = [cell for cell in self.texts if not asked.of or asked.of in cell]
            given = {cell: correlation(self.ranking, cell, reading) for cell in cells}
            value = sum(printed.agrees(given[cell], printed.number(self.texts[cell])) for cell in cells)
            words = f"of {len(cells)} correlations{f' with {asked.of}' if asked.of else ''}, {reading}"
        if not printed.agrees(value, printed.number(entry.gives)):
            self.no_longer(loc, f"{words} gives {printed.as_text(value)}, not {entry.gives}")
        return f"{words} gives {entry.gives}"

    def _beside(self, name: str) -> Path:
        if Path(name).name != name:
            raise InputError(f"{shown(name)} should be a file beside the case file")
        return self.file.document.path.parent / name

    def _cell(self, loc: Loc, table: str, cell: tuple[str, str], text: str, found: Search) -> None:
        value = found.values[cell]
        more: dict[str, Any] = {}
        status: Status = "unexplained"
        if cell in found.plain.matched:
            status = "match"
            more["truncated"] = printed.truncated_only(value, printed.number(text))
        elif cell in found.explained:
            status = "explained"
            more |= {"explanation": search_in_words(found), "variant": str(found.best)}
            more["variant_text"] = printed.as_text(found.best_values[cell])
        else:
            more["explanation"] = search_in_words(found) + " This one does not."
            more["openly"] = cell in self._openly()
        self.add(Print(loc, table, *cell, text), value, status, **more)

    def _openly(self) -> list[tuple[str, ...]]:
        """The cells, by row and column, of which the file says that nothing explains them."""
        return [tuple(map(str.strip, text.split(","))) for text in self.entries.correlations.unexplained]


def search_in_words(found: Search) -> str:
    plain, best = len(found.plain.matched), len(found.best.matched)
    first = (
        f"{plain} of {found.total} correlations come out as Kendall's tau-b of the printed scores, {found.by_ranks} as "
        "that of the printed ranks"
    )
    if best == plain:
        return f"{first}; no change that was tried gives more."
    others = found.best.alternatives - 1
    as_well = (
        f" ({others} more of the {found.best.tried} changes of that size {'does' if others == 1 else 'do'} as well)"
        if others
        else ""
    )
    return f"{first}. {best} of {found.total} come out as {found.best}{as_well}."


def _change(kind: Literal["swap", "tie"], text: str, ranking: Ranking) -> Change:
    """Read a change: `GIE: A3, E3`."""
    measure, _, systems = text.partition(":")
    names = [name.strip() for name in systems.split(",")]
    if measure not in ranking.measures or len(names) != 2 or not set(names) <= set(ranking.systems):
        raise InputError(f"{shown(text)} is no change of the ranking; it is written GIE: A3, E3")
    return Change(kind, measure, *names)


def _pair(text: str, texts: dict[tuple[str, str], str]) -> tuple[str, str]:
    """Read two measures whose correlation is printed: `GIE, F_LCA`."""
    names = tuple(name.strip() for name in text.split(","))
    for cell in texts:
        if set(cell) == set(names):
            return cell
    raise InputError(f"no correlation of {shown(text)} is printed")


class DerivedCheck(FileCheck[format.DerivedFile]):
    """Printed numbers that follow from others printed beside them."""

    def check(self) -> None:
        for label, row in self.entries.rows.items():
            self.attempt(("rows", label), self._row, ("rows", label), label, row)
        self.check_errata(self.entries.errata)

    def _row(self, loc: Loc, label: str, row: format.DerivedRow) -> None:
        width = len(self.entries.columns)
        for name, cells in (*self.entries.given.items(), (label, row.printed)):
            if len(cells) != width:
                raise InputError(f"{shown(name)} has {len(cells)} numbers; the table has {width} columns")
        relation = placed(loc, Expression, row.equals or row.at_most)
        for name in relation.names - set(self.entries.given):
            raise InputError(unknown("given number", name, self.entries.given))
        for column in row.unexplained:
            if column not in self.entries.columns:
                raise InputError(unknown("column", column, self.entries.columns))
        for k, (column, text) in enumerate(zip(self.entries.columns, row.printed, strict=True)):
            given = {name: _given(self.entries.given[name][k]) for name in relation.names}
            target = printed.number(text)
            if row.equals:
                value = relation({name: number.value for name, number in given.items()})
                agrees, ours = printed.agrees(value, target), printed.as_text(value)
                cut = printed.truncated_only(value, target)
            else:  # the bound is taken where it is widest: every given number at the upper end of its rounding
                value = relation({name: number.value + 0.5 * 10.0**-number.digits for name, number in given.items()})
                agrees, ours = target.value - 0.5 * 10.0**-target.digits <= value, f"at most {printed.as_text(value)}"
                cut = False
            if agrees and column in row.unexplained:
                self.no_longer(loc, f"{label}, {column} is said to be unexplained, and is not")
            self.add(
                Print(loc, self.entries.table, label, column, text),
                value,
                "match" if agrees else "unexplained",
                ours_text=ours,
                truncated=cut,
                explanation="" if agrees else f"{row.equals or row.at_most} gives {ours}.",
                openly=not agrees and column in row.unexplained,
            )


def _given(text: str) -> printed.Number:
    """Read a printed number that others are worked out from; commas part its thousands."""
    whole = text.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+", text) else text
    return printed.number(whole)


def verify(folders: Sequence[str | Path] = (), paper: str | None = None) -> Verification:
    """Check every published cell.

    Parameters
    ----------
    folders : sequence of paths
        Folders of case files; none stands for the cases that come with the project.
    paper : str, optional
        Only this paper: its key (a folder's name) or its name.

    Returns
    -------
    Verification

    Raises
    ------
    InputError
        For a folder that does not exist or holds no case file, or an unknown paper.

    Examples
    --------
    >>> report = verify(paper="falis2021")
    >>> report.counts.cells, report.counts.unexplained
    (63, 2)
    """
    libraries = [load_cases(folder) for folder in folders or (None,)]
    selected = _selected([p for library in libraries for p in library.papers], paper)
    found = Findings()
    for library in libraries:
        _check(library, selected, found)
    papers = tuple(p for library in libraries for p in library.papers if p.key in selected)
    try:
        claims = numbered(found.claims, papers)
    except InputError as error:
        claims = ()
        found.faults.append(Fault("paper.yaml", 1, str(error)))
    return Verification(
        papers=papers,
        cells=tuple(found.cells),
        claims=claims,
        rankings=tuple(found.rankings),
        faults=tuple(found.faults),
        broken=tuple(found.broken),
    )


def _selected(papers: Sequence[Paper], name: str | None) -> frozenset[str]:
    if name is None:
        return frozenset(p.key for p in papers)
    found = frozenset(p.key for p in papers if name.casefold() in (p.key.casefold(), p.name.casefold()))
    if not found:
        raise InputError(unknown("paper", name, [p.key for p in papers]))
    return found


def _check(library: CaseLibrary, selected: frozenset[str], found: Findings) -> None:
    """Check the files of the selected papers; unreadable files are told of in any case."""
    others = {file.document.name for file in library.files if file.paper not in selected}
    found.faults += [fault for fault in library.faults if fault.file not in others]
    for file in library.files:
        if file.paper in selected:
            _CHECKS[type(file.entries)](found, library, file).check()


_CHECKS: Mapping[type, type[FileCheck[Any]]] = {
    FigureFile: FigureCheck,
    SituationsFile: SituationsCheck,
    DerivedFile: DerivedCheck,
    RankingFile: CorrelationsCheck,
}
