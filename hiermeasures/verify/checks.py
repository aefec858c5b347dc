"""Compare every published cell of the case files with our value.

First come the common parts: findings, references to cases, variants and errata. Then come figures,
with their published numbers, sets and paths. Last come tables about several cases: judgements about
situations, and rank correlations. quantities.py has the subject of a cell, printed.py the meaning
of a printed string, and verification.py the result.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, cast

from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.expressions import Expression, split_arguments
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE, find_measure
from hiermeasures.measures.catalogue import SIDES
from hiermeasures.measures.own import own_measures
from hiermeasures.verify import format, printed
from hiermeasures.verify.case import Case, changed, placed, settings_of
from hiermeasures.verify.library import CaseLibrary, Paper, SourceFile, load_cases
from hiermeasures.verify.quantities import Formula
from hiermeasures.verify.reading import Consequence, Fault, Loc, Misplaced
from hiermeasures.verify.verification import (
    CaseClaim,
    CheckedCell,
    RankingCheck,
    Status,
    Verification,
    claim_of,
    numbered,
)

Entries = TypeVar("Entries", bound=format.CaseFile)


class Print(NamedTuple):
    """A published string, with its entry in the file and its place in print."""

    loc: Loc
    source: str
    row: str
    column: str
    text: str


@dataclass
class Findings:
    """The findings of all files. An entry that cannot be used becomes a fault."""

    cells: list[CheckedCell] = field(default_factory=list)
    claims: list[CaseClaim] = field(default_factory=list)
    rankings: list[RankingCheck] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    broken: list[Fault] = field(default_factory=list)


class FileCheck(Generic[Entries]):
    def __init__(self, work: Findings, library: CaseLibrary, file: SourceFile) -> None:
        self.work, self.library, self.file = work, library, file
        self.entries: Entries = cast(Entries, file.entries)
        self.figure = (
            file.entries.figure
            if isinstance(file.entries, format.FigureFile)
            else file.entries.table
        )

    def check(self) -> None:
        self.compare()
        for k, erratum in enumerate(self.entries.errata):
            self.claim(("errata", k), erratum, erratum.where, erratum.explanation)

    def compare(self) -> None:
        raise NotImplementedError

    def attempt(self, loc: Loc, step: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of a step. If it fails, record the fault and return None."""
        try:
            return placed(loc, step, *arguments)
        except Consequence:
            return None
        except Misplaced as error:
            self.work.faults.append(self.file.document.fault(error))
            return None

    def case(self, reference: str) -> Case:
        """Find a case by its part in this file, by file and part in this paper, or by its key."""
        own, paper = self.file.cases, f"{self.file.paper}/"
        if reference in own:
            return own[reference]
        if not reference and len(own) == 1:
            return next(iter(own.values()))
        for key in (paper + reference, reference):
            if key in self.library.cases:
                return self.library.cases[key]
        others = {f"{f.paper}/{f.stem}{part}" for f in self.library.files for part in f.unusable}
        unusable = self.file.unusable
        if (
            reference in unusable
            or (unusable and not reference)
            or {paper + reference, reference} & others
        ):
            raise Consequence(f"the case {shown(reference)} has a fault of its own")
        if not reference:
            raise InputError(
                "it is not clear to which case this belongs. Add the entry 'case'. This file has "
                f"{', '.join(map(shown, own)) or 'no cases'}"
            )
        raise InputError(unknown("case", reference, [*own, *self.library.cases]))

    def add(self, found: Print, ours: Any, status: Status, **more: Any) -> CheckedCell:
        document = self.file.document
        about: dict[str, Any] = {
            "quantity": found.column,
            "ours_text": printed.as_text(ours),
            **more,
        }
        cell = CheckedCell(
            paper=self.file.paper,
            file=document.name,
            line=document.line(found.loc),
            figure=self.figure,
            source=found.source,
            row=found.row,
            column=found.column,
            printed=found.text,
            ours=ours,
            status=status,
            **about,
        )
        self.work.cells.append(cell)
        return cell

    def claim(
        self,
        loc: Loc,
        entry: format.ClaimEntry,
        where: str,
        explanation: str,
        cells: tuple[CheckedCell, ...] = (),
    ) -> None:
        places: list[Loc] = [(*loc, "shows", n) for n in range(len(entry.shows))]
        values = [
            self.attempt(at, self.shown_value, at, shows)
            for at, shows in zip(places, entry.shows, strict=True)
        ]
        paper = next(paper for paper in self.library.papers if paper.key == self.file.paper)
        if paper.own and "kind" not in entry.model_fields_set:
            entry = entry.model_copy(update={"kind": "differs"})
        made = self.attempt(
            loc, claim_of, entry, paper, self.file.document.name, where, explanation
        )
        if made is not None:
            more = {
                "cells": cells,
                "evidence": tuple(filter(None, values)),
                "drawn": self.drawn(entry, cells),
            }
            self.work.claims.append(made.model_copy(update=more))

    def drawn(self, entry: format.ClaimEntry, cells: Sequence[CheckedCell]) -> Case | None:
        """Return the instance of a claim, from its first cell or its first value."""
        if case := next((cell.case for cell in cells if cell.case), ""):
            return self.library.cases[case]
        for shows in entry.shows:
            if shows.case or shows.measure:
                with suppress(InputError):  # which is reported with the value
                    return changed(self.case(shows.case), shows, (), {})
        return None

    def shown_value(self, loc: Loc, entry: format.ShownEntry) -> str:
        """Return a value that supports an erratum, as text. Record it as broken if it differs."""
        at = (*loc, "value")
        if entry.value and not entry.case:
            formula = placed(at, Formula.of, entry.value)
            if not formula.quantities:
                value = placed(at, formula.expression, {})
                return self.no_other(loc, f"{entry.value} = ", entry.gives, value)
        case = self.case(entry.case)
        value, in_words, parse = variant_value(case, entry, None, loc)
        agrees = printed.agrees(value, parse(entry.gives), maximum=case.explained.options.dmax)
        return self.no_other(loc, f"{in_words} on {case.label} gives ", entry.gives, value, agrees)

    def no_other(
        self, loc: Loc, what: str, gives: str, value: Any, agrees: bool | None = None
    ) -> str:
        """Return a value in words. Record it as broken if it differs from `gives`."""
        if not (printed.agrees(value, printed.number(gives)) if agrees is None else agrees):
            self.no_longer(loc, f"{what}{printed.as_text(value)}, not {gives}")
        return what + gives

    def no_longer(self, loc: Loc, reason: str) -> None:
        """Record a value that supports an erratum but is not reproduced."""
        self.work.broken.append(self.file.document.fault(Misplaced(loc, reason)))


def variant_value(
    case: Case,
    entry: format.VariantEntry,
    same: Formula | None,
    loc: Loc,
    instances: Sequence[Case] = (),
) -> tuple[Any, str, Callable[[str], Any]]:
    """Return the value of a variant, its description, and the reader of its print.

    `same` is the cell's own formula. A variant with other classes or another hierarchy is about one
    case. Every other variant is about all `instances` of the cell.
    """
    other = changed(case, entry, loc, {})
    of_one = ("true", "predicted", "true_paths", "predicted_paths", "hierarchy")
    if any(getattr(entry, name) is not None for name in of_one):
        instances = ()

    def value(asked: Formula) -> Any:
        return asked.together(other, instances) if instances else asked(other)

    in_words = [f"{name} = {value}" for name, value in entry.options.items()]
    for side in SIDES:
        if (labels := getattr(entry, side)) is not None:
            in_words.append(f"{side} {{{', '.join(labels)}}}")
        if (paths := getattr(entry, f"{side}_paths")) is not None:
            in_words.append(f"{side} paths {'; '.join(' > '.join(path) for path in paths)}")
    if entry.hierarchy is not None and (edges := entry.hierarchy.edges):
        in_words.append(f"edges {edges if isinstance(edges, str) else ', '.join(edges)}")
    written = entry.value or entry.measure
    if written:
        at = (*loc, "value" if entry.value else "measure")
        asked = placed(at, formula_of, written, case)
        return placed(at, value, asked), ", ".join([written, *in_words]), asked.parse
    if same is None:
        raise Misplaced(loc, "the shown value has no formula. Add the entry 'measure' or 'value'")
    if entry.decimal_comma:
        in_words.append("the comma read as a decimal point")
    return value(same), ", ".join(in_words) or same.text, same.parse


def formula_of(text: str, case: Case) -> Formula:
    """Read the formula of a value: an expression that depends on the case."""
    formula = Formula.of(text, own_measures(case.define))
    if formula.is_constant:
        reason = "this is a constant. Write an expression that depends on the case"
        raise formula.expression.fault(reason)
    return formula


class _About(NamedTuple):
    """The case of some values, and the instances that are evaluated together, if any."""

    case: Case
    instances: tuple[Case, ...]

    @property
    def key(self) -> str:
        return "" if self.instances else self.case.key


class FigureCheck(FileCheck[format.FigureFile]):
    def compare(self) -> None:
        before = len(self.work.faults)
        used = self.compare_cells()
        for k, entry in enumerate(self.entries.discrepancies):
            loc: Loc = ("discrepancies", k)
            if k in used:
                self.claim(loc, entry, entry.source, entry.explanation, cells=tuple(used[k]))
            elif len(self.work.faults) == before and not self.file.unusable:
                where = ", ".join((entry.source, *entry.rows, *entry.cells))
                reason = (
                    f"no cell of {where} differs from our value. Correct or remove the discrepancy"
                )
                self.work.faults.append(self.file.document.fault(Misplaced(loc, reason)))

    def compare_cells(self, of: str | None = None) -> dict[int, list[CheckedCell]]:
        """Compare published values. Return the cells that differ, by their discrepancy.

        With `of`, compare only the values of the case with this key.
        """
        used: dict[int, list[CheckedCell]] = {}
        for found, about, row in self._printed():
            for part in self._parts(found, about, row) if of in (None, about.key) else ():
                self.attempt(found.loc, self._compare, used, about, *part)
        return used

    def _printed(self) -> Iterator[tuple[Print, _About, str]]:
        for k, block in enumerate(self.entries.published):
            single = (
                (("cells", text), (text,), "", format.RowEntry(cells=(cell,)))
                for text, cell in block.cells.items()
            )
            rows = (
                (("rows", label), block.columns, label, row) for label, row in block.rows.items()
            )
            for place, columns, label, row in (*single, *rows):
                where: Loc = ("published", k, *place)
                if found := self.attempt(where, self._about, block, columns, label, row, where):
                    for column, cell in zip(columns, row.cells, strict=True):
                        if cell:  # a blank one prints nothing
                            yield Print(where, block.source, label, column, cell), found, row.of

    def _about(
        self,
        block: format.BlockEntry,
        columns: tuple[str, ...],
        label: str,
        row: format.RowEntry,
        loc: Loc,
    ) -> _About:
        several, options = row.together or block.together, {**block.options, **row.options}
        reference = row.case or (label if label and label in self.file.cases else block.case)
        case = self.case(reference or next((name for name, _ in several if "|" not in name), ""))
        if options:
            case = replace(
                case, options={**case.options, **placed((*loc, "options"), settings_of, options)}
            )
        if len(row.cells) != len(columns):
            raise InputError(
                f"row {shown(label)} has {len(row.cells)} cells, but the table has "
                f"{len(columns)} columns. Write one cell for each column"
            )
        return _About(
            case,
            tuple(each for name, times in several for each in [self._instance(case, name)] * times),
        )

    def _instance(self, case: Case, written: str) -> Case:
        if "|" not in written:
            return self.case(written)
        true, predicted = (
            case.hierarchy.check(format.words(side)) for side in written.split("|", 1)
        )
        return replace(case, true=true, predicted=predicted, true_paths=None, predicted_paths=None)

    def _parts(self, found: Print, about: _About, of: str) -> Iterator[tuple[Print, Formula, bool]]:
        """Yield the parts of a printed cell, with their formulas. True means per cent.

        A cell has two parts if the column prints a second number in brackets.
        """
        names, _ = split_arguments(found.column)
        texts = (
            self.attempt(found.loc, printed.bracketed, found.text)
            if len(names) == 2
            else [found.text] * len(names)
        )
        for name, text in zip(names, texts or (), strict=bool(texts)):
            plain = name.removesuffix("%").strip()
            text_of = f"{plain}({of})" if of else plain
            if asked := self.attempt(found.loc, formula_of, text_of, about.case):
                yield found._replace(text=text), asked, name.endswith("%")

    def _compare(
        self,
        used: dict[int, list[CheckedCell]],
        about: _About,
        found: Print,
        asked: Formula,
        per_cent: bool,
    ) -> None:
        """Add the cell. If it differs and has a discrepancy, add it to `used` too."""
        target: printed.Printed = asked.parse(found.text)
        comma = isinstance(target, printed.PrintedNumber) and target.comma
        dmax = Options.make(dict(about.case.options)).dmax

        def matches(value: Any) -> bool:
            return printed.agrees(value, target, rounded_whole=per_cent, maximum=dmax)

        value = asked.together(*about) if about.instances else asked(about.case)
        value = 100 * value if per_cent else value
        here = (
            (k, entry)
            for k, entry in enumerate(self.entries.discrepancies)
            if entry.source == found.source
            and asked.text in entry.cells
            and found.row in (entry.rows or [found.row])
        )
        k, entry = next(here, (-1, None))
        more: dict[str, Any] = {"quantity": asked.text, "case": about.key}
        if matches(value) and not comma and not (entry and entry.coincidence):
            self.add(found, value, "match", truncated=printed.truncated_only(value, target), **more)
            return
        if entry is None:
            why = "It is printed with a comma, and no discrepancy explains this." if comma else ""
            cell = self.add(found, value, "unexplained", explanation=why, **more)
            claim = format.ClaimEntry(kind="unreproduced")
            self.claim(
                found.loc, claim, found.source, why or "It has no known explanation.", cells=(cell,)
            )
            return
        more |= {"explanation": entry.explanation, "openly": entry.variant is None}
        status: Status = "unexplained"
        if variant := entry.variant:
            loc: Loc = ("discrepancies", k, "variant")
            variant = variant.model_copy(
                update={"measure": variant.measures.get(asked.text, variant.measure)}
            )
            other, in_words, _ = placed(
                loc, variant_value, about.case, variant, asked, loc, about.instances
            )
            other = 100 * other if per_cent and not variant.value else other
            more |= {"variant": in_words, "variant_text": printed.as_text(other)}
            if matches(other) and comma == variant.decimal_comma:
                status = "conjectured" if entry.conjecture else "explained"
        used.setdefault(k, []).append(self.add(found, value, status, **more))


def published(library: CaseLibrary, case: Case) -> tuple[CheckedCell, ...]:
    """Check the published values in a case's own file.

    >>> from hiermeasures.verify import load_cases
    >>> library = load_cases()
    >>> [cell.printed for cell in published(library, library.case("kosmopoulos2015/figure-11a"))][:3]
    ['7', '0.73', '4']
    """
    found = Findings()
    for file in library.files:
        if file.cases.get(case.part) is case:
            FigureCheck(found, library, file).compare_cells(case.key)
    return tuple(found.cells)


class SituationsCheck(FileCheck[format.SituationsFile]):
    def compare(self) -> None:
        for k, situation in enumerate(self.entries.situations):
            self.attempt(("situations", k), self._situation, ("situations", k), situation)

    def _situation(self, loc: Loc, situation: format.SituationEntry) -> None:
        columns = self.entries.columns
        if len(situation.printed) != len(columns):
            raise InputError(
                f"the row has {len(situation.printed)} signs, but the table has {len(columns)} "
                "columns. Write one sign for each column"
            )
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
            errors = {
                name: value if read.better == "lower" else 1 - value
                for name, value in values.items()
            }
            ours = "+" if plus(errors) else "*" if star(errors) else "−"
            found = Print((*loc, "printed"), self.entries.table, situation.situation, measure, sign)
            self.add(
                found,
                ours,
                "by_criterion" if ours == sign else "unexplained",
                explanation=situation.criterion,
            )


class CorrelationsCheck(FileCheck[format.RankingFile]):
    def compare(self) -> None:
        entry, loc = self.entries.correlations, ("correlations", "file")
        from hiermeasures.verify import rankings  # with pandas

        beside = self._beside
        self.ranking = self.attempt(
            ("ranking",), lambda: rankings.read_ranking(beside(self.entries.ranking))
        )
        self.texts = self.ranking and self.attempt(
            loc, lambda: rankings.read_correlations(beside(entry.file), self.ranking)
        )
        if not self.texts:
            return
        found = rankings.search(self.ranking, self.texts)
        self.work.rankings.append(
            RankingCheck(self.file.paper, self.entries.table, self.ranking, entry.table, found)
        )
        openly = [tuple(map(str.strip, text.split(","))) for text in entry.unexplained]
        for cell, text in self.texts.items():
            value = found.values[cell]
            status: Status = "unexplained"
            more: dict[str, Any] = {
                "explanation": f"{found.in_words} This one is not reproduced.",
                "openly": cell in openly,
            }
            if cell in found.plain.matched:
                status = "match"
                more = {"truncated": printed.truncated_only(value, printed.number(text))}
            elif cell in found.explained:
                given = printed.as_text(found.best_values[cell])
                status = "conjectured"
                more = {
                    "explanation": found.in_words,
                    "variant": str(found.best),
                    "variant_text": given,
                }
            self.add(Print(loc, entry.table, cell[0], cell[1], text), value, status, **more)
        for k, names in enumerate(openly):
            if names not in found.unexplained:
                reason = (
                    f"{', '.join(names)} is listed as unexplained, but it is explained or not in "
                    "the table. Remove it from 'unexplained'"
                )
                self.no_longer(("correlations", "unexplained", k), reason)
        if not found.whole_as_printed:
            left = ", ".join(f"{a}–{b}" for a, b in sorted(found.unexplained))
            words = (found.in_words, left and f"Not explained: {left}.", entry.explanation)
            where = f"{entry.table}, correlations of {self.entries.table}"
            self.claim(("correlations",), entry, where, " ".join(filter(None, words)))

    def shown_value(self, loc: Loc, entry: format.ShownEntry) -> str:
        asked = entry.ranking
        if asked is None:
            return super().shown_value(loc, entry)
        if not self.texts:
            return ""
        from hiermeasures.verify.rankings import RankingReading, change_of, correlation

        place = (*loc, "ranking")
        changes = [placed(place, change_of, "swap", text, self.ranking) for text in asked.swap]
        changes += [placed(place, change_of, "tie", text, self.ranking) for text in asked.tie]
        reading = RankingReading(asked.basis, "b", tuple(changes))
        if asked.between:
            names = {name.strip() for name in asked.between.split(",")}
            cell = next((cell for cell in self.texts if set(cell) == names), None)
            if cell is None:
                raise Misplaced(
                    place,
                    f"no correlation of {shown(asked.between)} is printed. Name two measures of the table",
                )
            value: float = correlation(self.ranking, cell, reading)
            return self.no_other(
                loc, f"{reading} between {cell[0]} and {cell[1]} gives ", entry.gives, value
            )
        texts = {
            cell: text for cell, text in self.texts.items() if not asked.of or asked.of in cell
        }
        given = ((correlation(self.ranking, cell, reading), text) for cell, text in texts.items())
        value = sum(printed.agrees(value, printed.number(text)) for value, text in given)
        of = f" with {asked.of}" if asked.of else ""
        return self.no_other(
            loc, f"of {len(texts)} correlations{of}, {reading} gives ", entry.gives, value
        )

    def _beside(self, name: str) -> Path:
        if Path(name).name != name:
            raise InputError(
                f"{shown(name)} is not a file name. Put the file next to the case file"
            )
        return self.file.document.path.parent / name


_CHECKS: Mapping[type, type[FileCheck[Any]]] = {
    format.FigureFile: FigureCheck,
    format.SituationsFile: SituationsCheck,
    format.RankingFile: CorrelationsCheck,
}


def verify(folders: Sequence[str | Path] = (), paper: str | None = None) -> Verification:
    """Check every published cell.

    Parameters
    ----------
    folders : sequence of paths
        Folders of case files, or files. By default the cases that come with the project.
    paper : str, optional
        Only this paper: its key (a folder's name) or its name.

    Returns
    -------
    Verification

    Raises
    ------
    InputError
        If a folder is missing or contains no case file, or if the paper is unknown.

    See Also
    --------
    load_cases : Read the cases without a check.

    Examples
    --------
    >>> report = verify(paper="falis2021")
    >>> report.counts.cells, report.counts.unexplained
    (54, 0)
    """
    libraries = [load_cases(folder) for folder in folders or (None,)]
    papers = _selected(tuple({p.key: p for x in libraries for p in x.papers}.values()), paper)
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
