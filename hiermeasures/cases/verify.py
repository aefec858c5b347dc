"""Verification: every published cell of the case files against our value.

Figures are checked in checks.py; here are tables that no single case gives: judgements about
situations, rank correlations of a ranking, numbers that follow from others. What a cell is about is
in quantities.py, how a print is read in printed.py, what was found in verification.py.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hiermeasures.cases import format, printed
from hiermeasures.cases.case import changed, placed
from hiermeasures.cases.checks import FigureCheck, FileCheck, Findings, Print
from hiermeasures.cases.library import Paper, load_cases
from hiermeasures.cases.rankings import Reading, change_of, correlation, read_correlations, read_ranking, search
from hiermeasures.cases.reading import Fault, Loc, Misplaced
from hiermeasures.cases.verification import RankingCheck, Status, Verification, numbered
from hiermeasures.core.errors import InputError, shown, unknown
from hiermeasures.core.expressions import Expression
from hiermeasures.measures import CATALOGUE, find_measure


class SituationsCheck(FileCheck[format.SituationsFile]):
    def compare(self) -> None:
        for k, situation in enumerate(self.entries.situations):
            self.attempt(("situations", k), self._situation, ("situations", k), situation)

    def _situation(self, loc: Loc, situation: format.SituationEntry) -> None:
        columns = self.entries.columns
        if len(situation.printed) != len(columns):
            raise InputError(f"{len(situation.printed)} signs where the table has {len(columns)} columns")
        for name in (*columns, *situation.read, *situation.read.values()):
            find_measure(name)
        plus = placed((*loc, "plus"), Expression, situation.plus)
        star = placed((*loc, "star"), Expression, situation.star or "0 > 1")
        for name in plus.names | star.names:
            if name not in situation.views:
                raise InputError(unknown("view", name, situation.views))
        views = {}
        for name, view in situation.views.items():
            where = (*loc, "views", name)
            views[name] = changed(placed((*where, "case"), self.case, view.case), view, where, {})
        for measure, sign in self.entries.signs(situation).items():
            read = CATALOGUE[situation.read.get(measure, measure)]
            values = {name: view.explained[read.key] for name, view in views.items()}
            errors = {name: value if read.better == "lower" else 1 - value for name, value in values.items()}
            ours = "+" if plus(errors) else "*" if star(errors) else "−"
            found = Print((*loc, "printed"), self.entries.table, situation.situation, measure, sign)
            self.add(found, ours, "match" if ours == sign else "unexplained", explanation=situation.criterion)


class CorrelationsCheck(FileCheck[format.RankingFile]):
    def compare(self) -> None:
        entry, loc = self.entries.correlations, ("correlations", "file")
        self.ranking = self.attempt(("ranking",), lambda: read_ranking(self._beside(self.entries.ranking)))
        self.texts = self.ranking and self.attempt(
            loc, lambda: read_correlations(self._beside(entry.file), self.ranking)
        )
        if not self.texts:
            return
        found = search(self.ranking, self.texts)
        self.work.rankings.append(RankingCheck(self.file.paper, self.entries.table, self.ranking, entry.table, found))
        openly = [tuple(map(str.strip, text.split(","))) for text in entry.unexplained]
        for cell, text in self.texts.items():
            value = found.values[cell]
            status: Status = "unexplained"
            more: dict[str, Any] = {"explanation": f"{found.in_words} This one does not.", "openly": cell in openly}
            if cell in found.plain.matched:
                status, more = "match", {"truncated": printed.truncated_only(value, printed.number(text))}
            elif cell in found.explained:
                given = printed.as_text(found.best_values[cell])
                status = "explained"
                more = {"explanation": found.in_words, "variant": str(found.best), "variant_text": given}
            self.add(Print(loc, entry.table, cell[0], cell[1], text), value, status, **more)
        for k, names in enumerate(openly):
            if names not in found.unexplained:
                reason = f"{', '.join(names)} is said to be unexplained, and is not, or is no cell of the table"
                self.no_longer(("correlations", "unexplained", k), reason)
        if not found.whole_as_printed:
            left = ", ".join(f"{a}–{b}" for a, b in sorted(found.unexplained))
            words = " ".join(filter(None, (found.in_words, left and f"Not explained: {left}.", entry.explanation)))
            self.claim(("correlations",), entry, f"{entry.table}, correlations of {self.entries.table}", words)

    def shown_value(self, loc: Loc, entry: format.ShownEntry) -> str:
        asked = entry.ranking
        if asked is None:
            return super().shown_value(loc, entry)
        if not self.texts:
            return ""
        place = (*loc, "ranking")
        changes = [placed(place, change_of, "swap", text, self.ranking) for text in asked.swap]
        changes += [placed(place, change_of, "tie", text, self.ranking) for text in asked.tie]
        reading = Reading(asked.basis, "b", tuple(changes))
        if asked.between:
            names = {name.strip() for name in asked.between.split(",")}
            cell = next((cell for cell in self.texts if set(cell) == names), None)
            if cell is None:
                raise Misplaced(place, f"no correlation of {shown(asked.between)} is printed")
            value: float = correlation(self.ranking, cell, reading)
            return self.no_other(loc, f"{reading} between {cell[0]} and {cell[1]} gives ", entry.gives, value)
        texts = {cell: text for cell, text in self.texts.items() if not asked.of or asked.of in cell}
        given = ((correlation(self.ranking, cell, reading), text) for cell, text in texts.items())
        value = sum(printed.agrees(value, printed.number(text)) for value, text in given)
        of = f" with {asked.of}" if asked.of else ""
        return self.no_other(loc, f"of {len(texts)} correlations{of}, {reading} gives ", entry.gives, value)

    def _beside(self, name: str) -> Path:
        if Path(name).name != name:
            raise InputError(f"{shown(name)} should be a file beside the case file")
        return self.file.document.path.parent / name


class DerivedCheck(FileCheck[format.DerivedFile]):
    def compare(self) -> None:
        for label, row in self.entries.rows.items():
            self.attempt(("rows", label), self._row, ("rows", label), label, row)

    def _row(self, loc: Loc, label: str, row: format.DerivedRow) -> None:
        columns, given = self.entries.columns, self.entries.given
        for name, cells in (*given.items(), (label, row.printed)):
            if len(cells) != len(columns):
                raise InputError(f"{shown(name)} has {len(cells)} numbers; the table has {len(columns)} columns")
        relation = placed(loc, Expression, row.equals or row.at_most)
        for what, names, known in (("given number", relation.names, given), ("column", row.unexplained, columns)):
            for name in names:
                if name not in known:
                    raise InputError(unknown(what, name, known))
        # A bound is taken where it is widest: every given number at the upper end of its rounding.
        end = 0.0 if row.equals else 0.5
        for k, (column, text) in enumerate(zip(columns, row.printed, strict=True)):
            numbers = {name: _given(given[name][k]) for name in relation.names}
            value = relation({name: number.value + end * 10.0**-number.digits for name, number in numbers.items()})
            target, ours = printed.number(text), printed.as_text(value)
            if row.equals:
                agrees, cut = printed.agrees(value, target), printed.truncated_only(value, target)
            else:
                agrees, cut, ours = target.value - 0.5 * 10.0**-target.digits <= value, False, f"at most {ours}"
            openly = column in row.unexplained
            if agrees and openly:
                self.no_longer(loc, f"{label}, {column} is said to be unexplained, and is not")
            self.add(
                Print(loc, self.entries.table, label, column, text),
                value,
                "match" if agrees else "unexplained",
                ours_text=ours,
                truncated=cut,
                explanation="" if agrees else f"{row.equals or row.at_most} gives {ours}.",
                openly=openly and not agrees,
            )


def _given(text: str) -> printed.Number:
    """Read a printed number that others are worked out from; commas part its thousands."""
    return printed.number(text.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+", text) else text)


_CHECKS: Mapping[type, type[FileCheck[Any]]] = {
    format.FigureFile: FigureCheck,
    format.SituationsFile: SituationsCheck,
    format.DerivedFile: DerivedCheck,
    format.RankingFile: CorrelationsCheck,
}


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
    papers = _selected([p for library in libraries for p in library.papers], paper)
    selected = {p.key for p in papers}
    found = Findings()
    for library in libraries:
        others = {file.document.name for file in library.files if file.paper not in selected}
        found.faults += [fault for fault in library.faults if fault.file not in others]
        for file in library.files:
            if file.paper in selected:
                _CHECKS[type(file.entries)](found, library, file).check()
    try:
        claims = numbered(found.claims, papers)
    except InputError as error:
        claims = ()
        found.faults.append(Fault("paper.yaml", 1, str(error)))
    findings = {name: tuple(entries) for name, entries in vars(found).items()}
    return Verification(papers, **findings | {"claims": claims})


def _selected(papers: Sequence[Paper], name: str | None) -> tuple[Paper, ...]:
    if name is None:
        return tuple(papers)
    found = tuple(p for p in papers if name.casefold() in (p.key.casefold(), p.name.casefold()))
    if not found:
        raise InputError(unknown("paper", name, [p.key for p in papers]))
    return found
