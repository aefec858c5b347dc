"""Checking a figure file: every published number, set and path against our value on its case."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from hiermeasures.cases import printed
from hiermeasures.cases.case import Case, placed, settings_of
from hiermeasures.cases.checked import CheckedCell, Status
from hiermeasures.cases.checks import FileCheck, Findings, variant_value
from hiermeasures.cases.format import (
    BlockEntry,
    ClaimEntry,
    DiscrepancyEntry,
    FigureFile,
    RowEntry,
    Times,
    VariantEntry,
    words,
)
from hiermeasures.cases.library import CaseLibrary, SourceFile
from hiermeasures.cases.quantities import Quantity, quantity, together
from hiermeasures.cases.reading import Loc
from hiermeasures.errors import shown
from hiermeasures.options import Options

_About = tuple[Case, tuple[Case, ...]]  # a case, and the instances that are evaluated together, if they are


@dataclass(frozen=True)
class _Planned:
    """A published number, set or path, ready to be computed: where it stands, on which case, and as what; `instances`
    where it is about several together.
    """

    loc: Loc
    case: Case
    source: str
    row: str
    column: str
    quantity: Quantity
    text: str
    percent: bool
    instances: tuple[Case, ...]

    def ours(self) -> Any:
        return together(self.quantity, self.case, self.instances) if self.instances else self.quantity(self.case)

    def matches(self, value: Any) -> bool:
        dmax = Options.make(dict(self.case.options)).dmax
        return printed.agrees(value, self.read(), rounded_whole=self.percent, maximum=dmax)

    def read(self) -> printed.Printed:
        value: printed.Printed = self.quantity.kind.parse(self.text)
        return value

    def scaled(self, value: Any) -> Any:
        return 100 * value if self.percent else value


class FigureCheck(FileCheck):
    def __init__(self, work: Findings, library: CaseLibrary, file: SourceFile, entries: FigureFile) -> None:
        super().__init__(work, library, file)
        self.entries = entries
        self.figure = entries.figure
        self.used: dict[int, list[CheckedCell]] = {}

    def check(self) -> None:
        before = len(self.work.faults)
        for k, block in enumerate(self.entries.published):
            for planned in self._planned(("published", k), block):
                self.attempt(planned.loc, self._compare, planned)
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

    def _planned(self, loc: Loc, block: BlockEntry) -> Iterator[_Planned]:
        for text, cell in block.cells.items():
            where = (*loc, "cells", text)
            found = self.attempt(where, self._about, block.case, block.together, block.options, where)
            if found is not None:
                yield from self._parts(where, found, block.source, "", text, cell, "")
        for label, row in block.rows.items():
            where = (*loc, "rows", label)
            found = self.attempt(where, self._row_about, block, label, row, where)
            if found is None:
                continue
            if len(row.cells) != len(block.columns):
                self.fault(
                    where, f"row {shown(label)} has {len(row.cells)} cells; the table has {len(block.columns)} columns"
                )
                continue
            for column, cell in zip(block.columns, row.cells, strict=True):
                yield from self._parts(where, found, block.source, label, column, cell, row.of)

    def _row_about(self, block: BlockEntry, label: str, row: RowEntry, loc: Loc) -> _About:
        reference = row.case or (label if label in self.file.cases else block.case)
        return self._about(reference, row.together or block.together, {**block.options, **row.options}, loc)

    def _about(self, reference: str, several: Times, options: dict[str, str], loc: Loc) -> _About:
        """The case that values are about, and the instances of its hierarchy where they are about several together."""
        named = next((name for name, _ in several if "|" not in name), "")
        case = self._prepared(reference or named, options, loc)
        return case, tuple(found for name, times in several for found in [self._instance(case, name)] * times)

    def _instance(self, case: Case, written: str) -> Case:
        """A case by its name, or `true|predicted` in the hierarchy of a case."""
        if "|" not in written:
            return self.case(written)
        true, predicted = (case.hierarchy.check(words(side)) for side in written.split("|", 1))
        return replace(case, true=true, predicted=predicted, true_paths=None, predicted_paths=None)

    def _prepared(self, reference: str, options: dict[str, str], loc: Loc) -> Case:
        case = self.case(reference)
        return (
            replace(case, options={**case.options, **placed((*loc, "options"), settings_of, options)})
            if options
            else case
        )

    def _parts(
        self, loc: Loc, about: _About, source: str, row: str, column: str, cell: str, of: str
    ) -> Iterator[_Planned]:
        """The parts of a printed cell: two where the column prints a second number in brackets."""
        names = _outside_brackets(column)
        texts = self.attempt(loc, printed.bracketed, cell) if len(names) == 2 else (cell,) * len(names)
        for name, text in zip(names, texts or (), strict=bool(texts)):
            percent = name.endswith("%")
            name = name.removesuffix("%").strip()
            asked = self.attempt(loc, quantity, f"{name}({of})" if of else name)
            if asked is not None:
                yield _Planned(loc, about[0], source, row, column, asked, text, percent, about[1])

    def _compare(self, cell: _Planned) -> None:
        target = cell.read()
        value = cell.scaled(cell.ours())
        comma = isinstance(target, printed.Number) and target.comma
        k, discrepancy = self._discrepancy(cell)
        about = "" if cell.instances else cell.case.key
        more: dict[str, Any] = {"quantity": cell.quantity.text, "case": about}
        status: Status = "unexplained"
        if cell.matches(value) and not comma and not (discrepancy is not None and discrepancy.coincidence):
            status = "match"
            more["truncated"] = printed.truncated_only(value, target)
        elif discrepancy is not None:
            more["explanation"] = discrepancy.explanation
            if discrepancy.variant is None:
                more["openly"] = True
            else:
                loc = ("discrepancies", k, "variant")
                more |= self._variant(cell, loc, discrepancy.variant)
                status = more.pop("status")
        elif comma:
            more["explanation"] = "Printed with a comma, which no discrepancy mentions."
        self.add(cell.loc, cell.source, cell.row, cell.column, cell.text, value, status, **more)
        if status != "match" and discrepancy is not None:
            self.used.setdefault(k, []).append(self.work.cells[-1])
        elif status != "match":
            entry = ClaimEntry(kind="unreproduced")
            why = self.work.cells[-1].explanation or "Nothing explains it."
            self.claim(cell.loc, entry, cell.source, why, cells=(self.work.cells[-1],))

    def _variant(self, cell: _Planned, loc: Loc, variant: VariantEntry) -> dict[str, Any]:
        """The variant of a discrepancy, in words and as a value, and whether it gives what is printed."""
        if cell.quantity.text in variant.measures:
            variant = variant.model_copy(update={"measure": variant.measures[cell.quantity.text]})
        value, in_words = placed(loc, variant_value, cell.case, variant, cell.quantity, loc)
        value = value if variant.value else cell.scaled(value)
        target = cell.read()
        comma = isinstance(target, printed.Number) and target.comma
        status: Status = "explained" if cell.matches(value) and comma == variant.decimal_comma else "unexplained"
        return {"variant": in_words, "variant_text": printed.as_text(value), "status": status}

    def _discrepancy(self, cell: _Planned) -> tuple[int, DiscrepancyEntry | None]:
        for k, entry in enumerate(self.entries.discrepancies):
            if (
                entry.source == cell.source
                and cell.quantity.text in entry.cells
                and (not entry.rows or cell.row in entry.rows)
            ):
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
