"""Verification: every published cell of the case files against our value.

Cells come from figures (figure files), from tables of judgements (situations) and from printed rankings. What a cell is about is in
quantities.py, how a print is read in printed.py, what was found in report.py.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hiermeasures.cases import printed
from hiermeasures.cases.expressions import Expression
from hiermeasures.cases.format import (
    BlockEntry,
    DiscrepancyEntry,
    ErratumEntry,
    FigureFile,
    RankingFile,
    RowEntry,
    SituationEntry,
    SituationsFile,
    VariantEntry,
    ViewEntry,
)
from hiermeasures.cases.library import Case, CaseLibrary, Paper, SourceFile, changed, load_cases, placed, settings_of
from hiermeasures.cases.quantities import Quantity, quantity
from hiermeasures.cases.rankings import Ranking, Search, read_correlations, read_ranking, search
from hiermeasures.cases.reading import Fault, Loc, Misplaced
from hiermeasures.cases.report import CheckedCell, Erratum, RankingCheck, Report, Status
from hiermeasures.errors import InputError, shown, unknown
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.explain import find_measure

SIGNS = ("+", "−", "*")


def verify(folders: Sequence[str | Path] = (), paper: str | None = None) -> Report:
    """Check every published cell.

    Parameters
    ----------
    folders : sequence of paths
        Folders of case files; none stands for the cases that come with the project.
    paper : str, optional
        Only this paper: its key (a folder's name) or its name.

    Returns
    -------
    Report

    Raises
    ------
    InputError
        For a folder that does not exist or holds no case file, or an unknown paper.

    Examples
    --------
    >>> report = verify(paper="falis2021")
    >>> report.counts.cells, report.counts.unexplained
    (54, 0)
    """
    libraries = [load_cases(folder) for folder in folders or (None,)]
    wanted = _wanted([p for library in libraries for p in library.papers], paper)
    work = _Verification()
    for library in libraries:
        work.run(library, wanted)
    return work.report(tuple(p for library in libraries for p in library.papers if p.key in wanted))


def _wanted(papers: Sequence[Paper], name: str | None) -> frozenset[str]:
    if name is None:
        return frozenset(p.key for p in papers)
    found = frozenset(p.key for p in papers if name.casefold() in (p.key.casefold(), p.name.casefold()))
    if not found:
        raise InputError(unknown("paper", name, [p.key for p in papers]))
    return found


@dataclass(frozen=True)
class _Planned:
    """A published number, set or path, ready to be computed: where it stands, on which case, and as what."""

    loc: Loc
    case: Case
    source: str
    row: str
    column: str
    quantity: Quantity
    text: str
    percent: bool

    def matches(self, value: Any) -> bool:
        return printed.agrees(value, self.read(), rounded_whole=self.percent, maximum=self.case.explained.options.dmax)

    def read(self) -> printed.Printed:
        return self.quantity.kind.parse(self.text)

    def scaled(self, value: Any) -> Any:
        return 100 * value if self.percent else value


class _Verification:
    """Collects what is found, file by file; an entry that cannot be used becomes a fault and the rest is still checked."""

    def __init__(self) -> None:
        self.cells: list[CheckedCell] = []
        self.errata: list[Erratum] = []
        self.rankings: list[RankingCheck] = []
        self.faults: list[Fault] = []
        self.broken: list[Fault] = []

    def run(self, library: CaseLibrary, wanted: frozenset[str]) -> None:
        chosen = [file for file in library.files if file.paper in wanted]
        names = {file.document.name for file in library.files} - {file.document.name for file in chosen}
        self.faults += [fault for fault in library.faults if fault.file not in names]
        for file in chosen:
            if isinstance(file.entries, FigureFile):
                _Figure(self, library, file, file.entries).check()
            elif isinstance(file.entries, SituationsFile):
                _Situations(self, library, file, file.entries).check()
            else:
                _Rankings(self, library, file, file.entries).check()

    def report(self, papers: tuple[Paper, ...]) -> Report:
        return Report(
            papers, tuple(self.cells), tuple(self.errata), tuple(self.rankings), tuple(self.faults), tuple(self.broken)
        )


class _File:
    """What the three kinds of file share: faults with their place, references to cases, errata."""

    figure: str

    def __init__(self, work: _Verification, library: CaseLibrary, file: SourceFile) -> None:
        self.work = work
        self.library = library
        self.file = file

    def attempt(self, loc: Loc, step: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a step, or None after noting what is wrong and where."""
        try:
            return placed(loc, step, *arguments)
        except Misplaced as error:
            self.work.faults.append(self.file.document.fault(error))
            return None

    def fault(self, loc: Loc, reason: str) -> None:
        self.work.faults.append(self.file.document.fault(Misplaced(loc, reason)))

    def case(self, reference: str) -> Case:
        """A case by its part in this file, by file and part in this paper, or by its key."""
        if reference in self.file.cases:
            return self.file.cases[reference]
        if not reference and len(self.file.cases) == 1:
            return next(iter(self.file.cases.values()))
        for key in (f"{self.file.paper}/{reference}", reference):
            if key in self.library.cases:
                return self.library.cases[key]
        if not reference:
            raise InputError(f"which case is this about? there are {', '.join(map(shown, self.file.cases)) or 'none'}")
        raise InputError(unknown("case", reference, [*self.file.cases, *self.library.cases]))

    def add(self, loc: Loc, source: str, row: str, column: str, text: str, ours: Any, status: Status, **more: Any) -> None:
        document = self.file.document
        more.setdefault("quantity", column)
        self.work.cells.append(
            CheckedCell(
                paper=self.file.paper, file=document.name, line=document.line(loc), figure=self.figure, source=source, row=row,
                column=column, printed=text, ours=ours, ours_text=printed.as_text(ours), status=status, **more,
            )
        )  # fmt: skip

    def check_errata(self, errata: Sequence[ErratumEntry]) -> None:
        for k, erratum in enumerate(errata):
            places: list[Loc] = [("errata", k, "shows", n) for n in range(len(erratum.shows))]
            values = [self.attempt(loc, self._shown, loc, entry) for loc, entry in zip(places, erratum.shows, strict=True)]
            told = tuple(text for text in values if text)
            self.work.errata.append(Erratum(self.file.paper, erratum.where, erratum.explanation, told))

    def _shown(self, loc: Loc, entry: Any) -> str:
        """A value that an erratum rests on, as text; noted as broken where it does not come out."""
        case = self.case(entry.case)
        value, told = variant_value(case, entry, None, loc)
        target = quantity(entry.measure).kind.parse(entry.gives) if entry.measure else printed.number(entry.gives)
        if not printed.agrees(value, target, maximum=case.explained.options.dmax):
            reason = f"{told} on {case.label} gives {printed.as_text(value)}, not {entry.gives}"
            self.work.broken.append(Fault(self.file.document.name, self.file.document.line(loc), reason))
        return f"{told} on {case.label} gives {entry.gives}"


def variant_value(case: Case, entry: VariantEntry, same: Quantity | None, loc: Loc) -> tuple[Any, str]:
    """The value of a variant, and what was computed, in words.

    `same` is the cell's own quantity, used where the variant names no other.
    """
    other = changed(case, entry, loc, {})
    told = [f"{name} = {value}" for name, value in entry.options.items()]
    for side, labels in (("true", entry.true), ("predicted", entry.predicted)):
        if labels is not None:
            told.append(f"{side} {{{', '.join(labels)}}}")
    if entry.value:
        expression = placed((*loc, "value"), Expression, entry.value)
        values = {name: placed((*loc, "value"), _measured, other, name) for name in expression.names}
        return placed((*loc, "value"), expression, values), ", ".join([entry.value, *told])
    if entry.measure:
        asked = placed((*loc, "measure"), quantity, entry.measure)
        return placed((*loc, "measure"), asked, other), ", ".join([entry.measure, *told])
    if same is None:
        raise Misplaced(loc, "neither 'measure' nor 'value' says what is shown")
    if entry.decimal_comma:
        told.append("the comma read as a decimal point")
    return same(other), ", ".join(told) or same.text


def _measured(case: Case, name: str) -> float:
    find_measure(name)
    return case.explained[name]


# --- figures --------------------------------------------------------------------------------------------------------


class _Figure(_File):
    def __init__(self, work: _Verification, library: CaseLibrary, file: SourceFile, entries: FigureFile) -> None:
        super().__init__(work, library, file)
        self.entries = entries
        self.figure = entries.figure
        self.used: set[int] = set()

    def check(self) -> None:
        for k, block in enumerate(self.entries.published):
            for planned in self._planned(("published", k), block):
                self.attempt(planned.loc, self._compare, planned)
        for k, discrepancy in enumerate(self.entries.discrepancies):
            if k not in self.used:
                where = ", ".join((discrepancy.source, *discrepancy.rows, *discrepancy.cells))
                self.fault(("discrepancies", k), f"the discrepancy about {where} meets no cell that differs from our value")
        self.check_errata(self.entries.errata)

    def _planned(self, loc: Loc, block: BlockEntry) -> Iterator[_Planned]:
        for text, cell in block.cells.items():
            where = (*loc, "cells", text)
            case = self.attempt(where, self._prepared, block.case, block.options, where)
            if case is not None:
                yield from self._parts(where, case, block.source, "", text, cell, "")
        for label, row in block.rows.items():
            where = (*loc, "rows", label)
            case = self.attempt(where, self._row_case, block, label, row, where)
            if case is None:
                continue
            if len(row.cells) != len(block.columns):
                self.fault(where, f"row {shown(label)} has {len(row.cells)} cells; the table has {len(block.columns)} columns")
                continue
            for column, cell in zip(block.columns, row.cells, strict=True):
                yield from self._parts(where, case, block.source, label, column, cell, row.of)

    def _row_case(self, block: BlockEntry, label: str, row: RowEntry, loc: Loc) -> Case:
        reference = row.case or (label if label in self.file.cases else block.case)
        return self._prepared(reference, {**block.options, **row.options}, loc)

    def _prepared(self, reference: str, options: dict[str, str], loc: Loc) -> Case:
        case = self.case(reference)
        return replace(case, options={**case.options, **placed((*loc, "options"), settings_of, options)}) if options else case

    def _parts(self, loc: Loc, case: Case, source: str, row: str, column: str, cell: str, of: str) -> Iterator[_Planned]:
        """The parts of a printed cell: two where the column prints a second number in brackets."""
        names = _outside_brackets(column)
        texts = self.attempt(loc, printed.bracketed, cell) if len(names) == 2 else (cell,) * len(names)
        for name, text in zip(names, texts or (), strict=bool(texts)):
            percent = name.endswith("%")
            name = name.removesuffix("%").strip()
            asked = self.attempt(loc, quantity, f"{name}({of})" if of else name)
            if asked is not None:
                yield _Planned(loc, case, source, row, column, asked, text, percent)

    def _compare(self, cell: _Planned) -> None:
        target = cell.read()
        value = cell.scaled(cell.quantity(cell.case))
        comma = isinstance(target, printed.Number) and target.comma
        k, discrepancy = self._discrepancy(cell)
        more: dict[str, Any] = {"quantity": cell.quantity.text, "case": cell.case.key}
        status: Status = "unexplained"
        if cell.matches(value) and not comma and not (discrepancy is not None and discrepancy.coincidence):
            status = "match"
            more["truncated"] = printed.truncated_only(value, target)
        elif discrepancy is not None:
            self.used.add(k)
            more |= {"explanation": discrepancy.explanation, **self._variant(cell, ("discrepancies", k, "variant"), discrepancy)}
            status = more.pop("status")
        elif comma:
            more["explanation"] = "Printed with a comma, which no discrepancy mentions."
        self.add(cell.loc, cell.source, cell.row, cell.column, cell.text, value, status, **more)

    def _variant(self, cell: _Planned, loc: Loc, discrepancy: DiscrepancyEntry) -> dict[str, Any]:
        """The variant of a discrepancy, in words and as a value, and whether it gives what is printed."""
        variant = discrepancy.variant
        value, told = placed(loc, variant_value, cell.case, variant, cell.quantity, loc)
        value = value if variant.value else cell.scaled(value)
        target = cell.read()
        comma = isinstance(target, printed.Number) and target.comma
        status: Status = "explained" if cell.matches(value) and comma == variant.decimal_comma else "unexplained"
        return {"variant": told, "variant_text": printed.as_text(value), "status": status}

    def _discrepancy(self, cell: _Planned) -> tuple[int, DiscrepancyEntry | None]:
        for k, entry in enumerate(self.entries.discrepancies):
            if entry.source == cell.source and cell.quantity.text in entry.cells and (not entry.rows or cell.row in entry.rows):
                return k, entry
        return -1, None


def _outside_brackets(text: str) -> list[str]:
    """The names of a column, split at commas that are in no bracket."""
    names, depth = [""], 0
    for letter in text:
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and not depth:
            names.append("")
        else:
            names[-1] += letter
    return [name.strip() for name in names]


# --- situations -----------------------------------------------------------------------------------------------------


class _Situations(_File):
    def __init__(self, work: _Verification, library: CaseLibrary, file: SourceFile, entries: SituationsFile) -> None:
        super().__init__(work, library, file)
        self.entries = entries
        self.figure = entries.table

    def check(self) -> None:
        for k, situation in enumerate(self.entries.situations):
            loc: Loc = ("situations", k)
            self.attempt(loc, self._situation, loc, situation)
        self.check_errata(self.entries.errata)

    def _situation(self, loc: Loc, situation: SituationEntry) -> None:
        if len(situation.printed) != len(self.entries.columns):
            raise InputError(f"{len(situation.printed)} signs where the table has {len(self.entries.columns)} columns")
        for name in (*self.entries.columns, *situation.read, *situation.read.values()):
            find_measure(name)
        plus = placed((*loc, "plus"), Expression, situation.plus)
        star = placed((*loc, "star"), Expression, situation.star) if situation.star else None
        for name in plus.names | (star.names if star else frozenset()):
            if name not in situation.views:
                raise InputError(unknown("view", name, situation.views))
        views = {name: self._view((*loc, "views", name), view) for name, view in situation.views.items()}
        for measure, text in zip(self.entries.columns, situation.printed, strict=True):
            if text.replace("-", "−") not in SIGNS:
                raise Misplaced((*loc, "printed"), f"{shown(text)} is none of + − *")
            key = situation.read.get(measure, measure)
            errors = {name: _error(view, key) for name, view in views.items()}
            ours = "+" if plus(errors) else "*" if star is not None and star(errors) else "−"
            status: Status = "match" if ours == text.replace("-", "−") else "unexplained"
            self.add((*loc, "printed"), self.entries.table, situation.situation, measure, text, ours, status,
                     explanation=situation.criterion)  # fmt: skip

    def _view(self, loc: Loc, view: ViewEntry) -> Case:
        return changed(placed((*loc, "case"), self.case, view.case), view, loc, {})


def _error(case: Case, key: str) -> float:
    """How wrong a measure finds a case: its value where lower is better, 1 minus its value where higher is."""
    value = case.explained[key]
    return value if CATALOGUE[key].better == "lower" else 1 - value


# --- rankings -------------------------------------------------------------------------------------------------------


class _Rankings(_File):
    def __init__(self, work: _Verification, library: CaseLibrary, file: SourceFile, entries: RankingFile) -> None:
        super().__init__(work, library, file)
        self.entries = entries
        self.figure = entries.table

    def check(self) -> None:
        folder = self.file.document.path.parent
        ranking = self.attempt(("ranking",), _ranking, folder, self.entries)
        if ranking is None:
            return
        loc: Loc = ("correlations", "file")
        texts = self.attempt(loc, _correlations, folder, self.entries, ranking)
        if texts is None:
            return
        found = search(ranking, texts)
        table = self.entries.correlations.table
        self.work.rankings.append(RankingCheck(self.file.paper, self.entries.table, table, found, ranking.contradictions()))
        for (row, column), text in texts.items():
            self._cell(loc, table, (row, column), text, found)
        self.check_errata(self.entries.errata)

    def _cell(self, loc: Loc, table: str, cell: tuple[str, str], text: str, found: Search) -> None:
        value = found.values[cell]
        more: dict[str, Any] = {}
        status: Status = "unexplained"
        if cell in found.plain.matched:
            status = "match"
            more["truncated"] = printed.truncated_only(value, printed.number(text))
        elif cell in found.explained:
            status = "explained"
            more |= {"explanation": told_search(found), "variant": str(found.best), "variant_text": text}
        else:
            more["explanation"] = told_search(found)
        self.add(loc, table, cell[0], cell[1], text, value, status, **more)


def told_search(found: Search) -> str:
    """What the search found, in one sentence."""
    plain, best = len(found.plain.matched), len(found.best.matched)
    if found.best.matched == found.plain.matched:
        return f"{plain} of {found.total} come out; no change tried gives more."
    others = found.best.alternatives - 1
    end = f" (and so do {others} others of the {found.best.tried} changes of that size)" if others else ""
    return f"{plain} of {found.total} come out as printed; {found.best}: {best} of {found.total}{end}."


def _ranking(folder: Path, entries: RankingFile) -> Ranking:
    return read_ranking(_beside(folder, entries.ranking))


def _correlations(folder: Path, entries: RankingFile, ranking: Ranking) -> dict[tuple[str, str], str]:
    return read_correlations(_beside(folder, entries.correlations.file), ranking)


def _beside(folder: Path, name: str) -> Path:
    """A file beside the case file; a name that leads elsewhere is refused."""
    if Path(name).name != name:
        raise InputError(f"{shown(name)} should be a file beside the case file")
    return folder / name
