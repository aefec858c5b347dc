"""The check of a case file as far as all kinds of files share it: findings, references to cases,
variants, errata.

Figures are checked in figures.py, tables of judgements and of rank correlations in tables.py.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, cast

from hiermeasures.cases import printed
from hiermeasures.cases.case import Case, changed, placed
from hiermeasures.cases.checked import CheckedCell, RankingCheck, Status
from hiermeasures.cases.claims import Claim, claim_of
from hiermeasures.cases.format import CaseFile, ClaimEntry, ErratumEntry, FigureFile, ShownEntry, VariantEntry
from hiermeasures.cases.library import CaseLibrary, SourceFile
from hiermeasures.cases.quantities import Quantity, quantity
from hiermeasures.cases.reading import Consequence, Fault, Loc, Misplaced
from hiermeasures.core.errors import InputError, shown, unknown
from hiermeasures.core.expressions import Expression
from hiermeasures.measures import find_measure

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
    """Collects what is found, file by file; an entry that cannot be used becomes a fault and the
    rest is still checked.
    """

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
            return self._sum_shown(loc, entry)
        case = self.case(entry.case)
        value, in_words = variant_value(case, entry, None, loc)
        target = quantity(entry.measure).kind.parse(entry.gives) if entry.measure else printed.number(entry.gives)
        if not printed.agrees(value, target, maximum=case.explained.options.dmax):
            self.no_longer(loc, f"{in_words} on {case.label} gives {printed.as_text(value)}, not {entry.gives}")
        return f"{in_words} on {case.label} gives {entry.gives}"

    def _sum_shown(self, loc: Loc, entry: ShownEntry) -> str:
        value = placed((*loc, "value"), Expression(entry.value), {})
        if not printed.agrees(value, printed.number(entry.gives)):
            self.no_longer(loc, f"{entry.value} gives {printed.as_text(value)}, not {entry.gives}")
        return f"{entry.value} = {entry.gives}"

    def no_longer(self, loc: Loc, reason: str) -> None:
        """Note a value of ours that an erratum rests on and that does not come out."""
        self.work.broken.append(Fault(self.file.document.name, self.file.document.line(loc), reason))


def variant_value(case: Case, entry: VariantEntry, same: Quantity | None, loc: Loc) -> tuple[Any, str]:
    """The value of a variant, and what was computed, in words.

    `same` is the cell's own quantity, used where the variant names no other.
    """
    other = changed(case, entry, loc, {})
    in_words = [f"{name} = {value}" for name, value in entry.options.items()]
    in_words += _changes_in_words(entry)
    if entry.value:
        expression = placed((*loc, "value"), Expression, entry.value)
        values = {name: placed((*loc, "value"), _measured, other, name) for name in expression.names}
        return placed((*loc, "value"), expression, values), ", ".join([entry.value, *in_words])
    if entry.measure:
        asked = placed((*loc, "measure"), quantity, entry.measure)
        return placed((*loc, "measure"), asked, other), ", ".join([entry.measure, *in_words])
    if same is None:
        raise Misplaced(loc, "neither 'measure' nor 'value' says what is shown")
    if entry.decimal_comma:
        in_words.append("the comma read as a decimal point")
    return same(other), ", ".join(in_words) or same.text


def _changes_in_words(entry: VariantEntry) -> Iterator[str]:
    for side, labels, paths in (
        ("true", entry.true, entry.true_paths),
        ("predicted", entry.predicted, entry.predicted_paths),
    ):
        if labels is not None:
            yield f"{side} {{{', '.join(labels)}}}"
        if paths is not None:
            yield f"{side} paths {'; '.join(' > '.join(path) for path in paths)}"
    if entry.hierarchy is not None and entry.hierarchy.edges:
        edges = entry.hierarchy.edges
        yield f"edges {edges if isinstance(edges, str) else ', '.join(edges)}"


def _measured(case: Case, name: str) -> float:
    find_measure(name)
    return case.explained[name]
