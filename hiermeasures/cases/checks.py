"""The check of a case file: what all kinds of files share (findings, references to cases, variants,
errata), and the check of a figure, every published number, set and path against our value.

Tables that no single case gives are checked in verify.py.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Generic, TypeVar, cast

from hiermeasures.cases import format, printed
from hiermeasures.cases.case import Case, changed, placed, settings_of
from hiermeasures.cases.format import CaseFile, ClaimEntry, ErratumEntry, FigureFile, ShownEntry, VariantEntry
from hiermeasures.cases.library import CaseLibrary, SourceFile
from hiermeasures.cases.quantities import Quantity, quantity, together
from hiermeasures.cases.reading import Consequence, Fault, Loc, Misplaced
from hiermeasures.cases.verification import CheckedCell, Claim, RankingCheck, Status, claim_of
from hiermeasures.core.errors import InputError, shown, unknown
from hiermeasures.core.expressions import Expression
from hiermeasures.core.options import Options
from hiermeasures.measures import find_measure
from hiermeasures.measures.catalogue import SIDES

Entries = TypeVar("Entries", bound=CaseFile)


@dataclass(frozen=True)
class Print:
    """A published string: its entry in the file, where it is printed, and what it says."""

    loc: Loc
    source: str
    row: str
    column: str
    text: str


@dataclass
class Findings:
    """All that is found, file by file; an entry that cannot be used becomes a fault."""

    cells: list[CheckedCell] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    rankings: list[RankingCheck] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    broken: list[Fault] = field(default_factory=list)


class FileCheck(Generic[Entries]):
    """One case file being checked."""

    def __init__(self, work: Findings, library: CaseLibrary, file: SourceFile) -> None:
        self.work = work
        self.library = library
        self.file = file
        self.entries: Entries = cast(Entries, file.entries)
        self.figure = file.entries.figure if isinstance(file.entries, FigureFile) else file.entries.table

    def check(self) -> None:
        """Compare everything published in the file, and note the findings."""
        raise NotImplementedError

    def attempt(self, loc: Loc, step: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of a step, or None after noting the fault and its place."""
        try:
            return placed(loc, step, *arguments)
        except Consequence:
            return None
        except Misplaced as error:
            self.work.faults.append(self.file.document.fault(error))
            return None

    def fault(self, loc: Loc, reason: str) -> None:
        self.work.faults.append(self.file.document.fault(Misplaced(loc, reason)))

    def case(self, reference: str) -> Case:
        """Return a case by its part in this file, by file and part in this paper, or by its key."""
        if reference in self.file.cases:
            return self.file.cases[reference]
        if not reference and len(self.file.cases) == 1:
            return next(iter(self.file.cases.values()))
        for key in (f"{self.file.paper}/{reference}", reference):
            if key in self.library.cases:
                return self.library.cases[key]
        if self._unusable(reference):
            raise Consequence(f"the case {shown(reference)} has a fault of its own")
        if not reference:
            raise InputError(f"which case is this about? there are {', '.join(map(shown, self.file.cases)) or 'none'}")
        raise InputError(unknown("case", reference, [*self.file.cases, *self.library.cases]))

    def _unusable(self, reference: str) -> bool:
        if reference in self.file.unusable or (not reference and self.file.unusable):
            return True
        return any(
            reference.removeprefix(f"{file.paper}/") == f"{file.stem}{part}"
            for file in self.library.files
            for part in file.unusable
        )

    def add(self, found: Print, ours: Any, status: Status, **more: Any) -> None:
        document = self.file.document
        cell: dict[str, Any] = {"paper": self.file.paper, "file": document.name, "line": document.line(found.loc)}
        cell |= {"figure": self.figure, "source": found.source, "row": found.row, "column": found.column}
        cell |= {"quantity": found.column, "printed": found.text, "ours_text": printed.as_text(ours), **more}
        self.work.cells.append(CheckedCell(**cell, ours=ours, status=status))

    def check_errata(self, errata: Sequence[ErratumEntry]) -> None:
        for k, erratum in enumerate(errata):
            self.claim(("errata", k), erratum, erratum.where, erratum.explanation)

    def claim(
        self, loc: Loc, entry: ClaimEntry, where: str, explanation: str, cells: tuple[CheckedCell, ...] = ()
    ) -> None:
        """Note a claim of this file, after checking the values of ours that it rests on."""
        places: list[Loc] = [(*loc, "shows", n) for n in range(len(entry.shows))]
        values = [self.attempt(at, self.shown_value, at, shows) for at, shows in zip(places, entry.shows, strict=True)]
        paper = next(paper for paper in self.library.papers if paper.key == self.file.paper)
        made = self.attempt(loc, claim_of, entry, paper, self.file.document.name, where, explanation)
        if made is not None:
            self.work.claims.append(replace(made, cells=cells, shown=tuple(text for text in values if text)))

    def shown_value(self, loc: Loc, entry: ShownEntry) -> str:
        """Return a value that an erratum rests on, as text; note it as broken where it differs."""
        if entry.value and not entry.case and not placed((*loc, "value"), Expression, entry.value).names:
            value = placed((*loc, "value"), Expression(entry.value), {})
            if not printed.agrees(value, printed.number(entry.gives)):
                self.no_longer(loc, f"{entry.value} gives {printed.as_text(value)}, not {entry.gives}")
            return f"{entry.value} = {entry.gives}"
        case = self.case(entry.case)
        value, in_words = variant_value(case, entry, None, loc)
        target = quantity(entry.measure).kind.parse(entry.gives) if entry.measure else printed.number(entry.gives)
        if not printed.agrees(value, target, maximum=case.explained.options.dmax):
            self.no_longer(loc, f"{in_words} on {case.label} gives {printed.as_text(value)}, not {entry.gives}")
        return f"{in_words} on {case.label} gives {entry.gives}"

    def no_longer(self, loc: Loc, reason: str) -> None:
        """Note a value that an erratum rests on and that does not come out."""
        self.work.broken.append(Fault(self.file.document.name, self.file.document.line(loc), reason))


def variant_value(case: Case, entry: VariantEntry, same: Quantity | None, loc: Loc) -> tuple[Any, str]:
    """The value of a variant, or of `same`, the cell's own quantity; and what was computed."""
    other = changed(case, entry, loc, {})
    in_words = [*(f"{name} = {value}" for name, value in entry.options.items()), *_changes_in_words(entry)]
    if entry.value:
        at = (*loc, "value")
        expression = placed(at, Expression, entry.value)
        values = placed(at, lambda: {name: other.explained[find_measure(name).key] for name in expression.names})
        return placed(at, expression, values), ", ".join([entry.value, *in_words])
    if entry.measure:
        asked = placed((*loc, "measure"), quantity, entry.measure)
        return placed((*loc, "measure"), asked, other), ", ".join([entry.measure, *in_words])
    if same is None:
        raise Misplaced(loc, "neither 'measure' nor 'value' says what is shown")
    if entry.decimal_comma:
        in_words.append("the comma read as a decimal point")
    return same(other), ", ".join(in_words) or same.text


def _changes_in_words(entry: VariantEntry) -> Iterator[str]:
    for side in SIDES:
        labels, paths = getattr(entry, side), getattr(entry, f"{side}_paths")
        if labels is not None:
            yield f"{side} {{{', '.join(labels)}}}"
        if paths is not None:
            yield f"{side} paths {'; '.join(' > '.join(path) for path in paths)}"
    if entry.hierarchy is not None and entry.hierarchy.edges:
        edges = entry.hierarchy.edges
        yield f"edges {edges if isinstance(edges, str) else ', '.join(edges)}"


_About = tuple[Case, tuple[Case, ...]]  # a case, and the instances that are evaluated together, if they are


@dataclass(frozen=True)
class _Planned:
    """A published number, set or path, and what it is about: a case, or `instances` together."""

    found: Print
    case: Case
    instances: tuple[Case, ...]
    quantity: Quantity
    percent: bool

    @property
    def about(self) -> str:
        """The key of the case that it is about; empty where it is about several together."""
        return "" if self.instances else self.case.key

    @cached_property
    def target(self) -> printed.Printed:
        value: printed.Printed = self.quantity.kind.parse(self.found.text)
        return value

    @property
    def comma(self) -> bool:
        return isinstance(self.target, printed.Number) and self.target.comma

    def matches(self, value: Any) -> bool:
        dmax = Options.make(dict(self.case.options)).dmax
        return printed.agrees(value, self.target, rounded_whole=self.percent, maximum=dmax)

    def scaled(self, value: Any) -> Any:
        return 100 * value if self.percent else value


class FigureCheck(FileCheck[format.FigureFile]):
    def check(self) -> None:
        self.used: dict[int, list[CheckedCell]] = {}
        before = len(self.work.faults)
        for planned in self._everything():
            self.attempt(planned.found.loc, self._compare, planned)
        for k, discrepancy in enumerate(self.entries.discrepancies):
            if k not in self.used and len(self.work.faults) == before and not self.file.unusable:
                where = ", ".join((discrepancy.source, *discrepancy.rows, *discrepancy.cells))
                self.fault(
                    ("discrepancies", k), f"the discrepancy about {where} meets no cell that differs from our value"
                )
        for k, cells in sorted(self.used.items()):
            entry = self.entries.discrepancies[k]
            self.claim(("discrepancies", k), entry, entry.source, entry.explanation, cells=tuple(cells))
        self.check_errata(self.entries.errata)

    def check_case(self, key: str) -> None:
        """Compare what is published in the file about one case alone, and note its cells."""
        self.used = {}
        for planned in self._everything():
            if planned.about == key:
                self.attempt(planned.found.loc, self._compare, planned)

    def _everything(self) -> Iterator[_Planned]:
        for k, block in enumerate(self.entries.published):
            yield from self._planned(("published", k), block)

    def _planned(self, loc: Loc, block: format.BlockEntry) -> Iterator[_Planned]:
        for text, cell in block.cells.items():
            where: Loc = (*loc, "cells", text)
            found = self.attempt(where, self._about, block.case, block.together, block.options, where)
            if found is not None:
                yield from self._parts(Print(where, block.source, "", text, cell), found)
        for label, row in block.rows.items():
            where = (*loc, "rows", label)
            reference = row.case or (label if label in self.file.cases else block.case)
            options = {**block.options, **row.options}
            found = self.attempt(where, self._about, reference, row.together or block.together, options, where)
            if found is None:
                continue
            if len(row.cells) != len(block.columns):
                self.fault(
                    where, f"row {shown(label)} has {len(row.cells)} cells; the table has {len(block.columns)} columns"
                )
                continue
            for column, cell in zip(block.columns, row.cells, strict=True):
                yield from self._parts(Print(where, block.source, label, column, cell), found, row.of)

    def _about(self, reference: str, several: format.Times, options: dict[str, str], loc: Loc) -> _About:
        """The case that values are about, and the instances that are evaluated together."""
        named = next((name for name, _ in several if "|" not in name), "")
        case = self.case(reference or named)
        if options:
            case = replace(case, options={**case.options, **placed((*loc, "options"), settings_of, options)})
        return case, tuple(found for name, times in several for found in [self._instance(case, name)] * times)

    def _instance(self, case: Case, written: str) -> Case:
        if "|" not in written:
            return self.case(written)
        true, predicted = (case.hierarchy.check(format.words(side)) for side in written.split("|", 1))
        return replace(case, true=true, predicted=predicted, true_paths=None, predicted_paths=None)

    def _parts(self, found: Print, about: _About, of: str = "") -> Iterator[_Planned]:
        """The parts of a printed cell: two where the column prints a second number in brackets."""
        names, cell = _outside_brackets(found.column), found.text
        texts = self.attempt(found.loc, printed.bracketed, cell) if len(names) == 2 else (cell,) * len(names)
        for name, text in zip(names, texts or (), strict=bool(texts)):
            percent = name.endswith("%")
            name = name.removesuffix("%").strip()
            asked = self.attempt(found.loc, quantity, f"{name}({of})" if of else name)
            if asked is not None:
                yield _Planned(replace(found, text=text), *about, asked, percent)

    def _compare(self, cell: _Planned) -> None:
        target = cell.target
        asked, instances = cell.quantity, cell.instances
        value = cell.scaled(together(asked, cell.case, instances) if instances else asked(cell.case))
        k, discrepancy = self._discrepancy(cell)
        more: dict[str, Any] = {"quantity": cell.quantity.text, "case": cell.about}
        status: Status = "unexplained"
        if cell.matches(value) and not cell.comma and not (discrepancy is not None and discrepancy.coincidence):
            status = "match"
            more["truncated"] = printed.truncated_only(value, target)
        elif discrepancy is not None:
            more["explanation"] = discrepancy.explanation
            if discrepancy.variant is None:
                more["openly"] = True
            else:
                more |= self._variant(cell, ("discrepancies", k, "variant"), discrepancy.variant)
                status = more.pop("status")
        elif cell.comma:
            more["explanation"] = "Printed with a comma, which no discrepancy mentions."
        self.add(cell.found, value, status, **more)
        if status != "match" and discrepancy is not None:
            self.used.setdefault(k, []).append(self.work.cells[-1])
        elif status != "match":
            entry = format.ClaimEntry(kind="unreproduced")
            why = self.work.cells[-1].explanation or "Nothing explains it."
            self.claim(cell.found.loc, entry, cell.found.source, why, cells=(self.work.cells[-1],))

    def _variant(self, cell: _Planned, loc: Loc, variant: format.VariantEntry) -> dict[str, Any]:
        """Return the variant of a discrepancy in words, as a value, and with its status."""
        if cell.quantity.text in variant.measures:
            variant = variant.model_copy(update={"measure": variant.measures[cell.quantity.text]})
        value, in_words = placed(loc, variant_value, cell.case, variant, cell.quantity, loc)
        value = value if variant.value else cell.scaled(value)
        status: Status = "explained" if cell.matches(value) and cell.comma == variant.decimal_comma else "unexplained"
        return {"variant": in_words, "variant_text": printed.as_text(value), "status": status}

    def _discrepancy(self, cell: _Planned) -> tuple[int, format.DiscrepancyEntry | None]:
        for k, entry in enumerate(self.entries.discrepancies):
            is_of_row = not entry.rows or cell.found.row in entry.rows
            if entry.source == cell.found.source and cell.quantity.text in entry.cells and is_of_row:
                return k, entry
        return -1, None


def published(library: CaseLibrary, case: Case) -> tuple[CheckedCell, ...]:
    """Check what a case's own file publishes about it.

    >>> from hiermeasures.cases import load_cases
    >>> library = load_cases()
    >>> [cell.printed for cell in published(library, library.case("kosmopoulos2015/figure-11a"))][:3]
    ['7', '0.73', '4']
    """
    found = Findings()
    for file in library.files:
        if file.cases.get(case.part) is case:
            FigureCheck(found, library, file).check_case(case.key)
    return tuple(found.cells)


def _outside_brackets(text: str) -> list[str]:
    """Split the names of a column at commas that are in no bracket."""
    names, depth = [""], 0
    for letter in text:
        depth += (letter in "({") - (letter in ")}")
        if letter == "," and not depth:
            names.append("")
        else:
            names[-1] += letter
    return [name.strip() for name in names]
