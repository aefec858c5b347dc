"""Checking a figure file: every published number, set and path against our value on its case."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from hiermeasures.cases import format, printed
from hiermeasures.cases.case import Case, placed, settings_of
from hiermeasures.cases.checked import CheckedCell, Status
from hiermeasures.cases.checks import FileCheck, Findings, Print, variant_value
from hiermeasures.cases.library import CaseLibrary
from hiermeasures.cases.quantities import Quantity, quantity, together
from hiermeasures.cases.reading import Loc
from hiermeasures.core.errors import shown
from hiermeasures.core.options import Options

_About = tuple[Case, tuple[Case, ...]]  # a case, and the instances that are evaluated together, if they are


@dataclass(frozen=True)
class _Planned:
    """A published number, set or path, ready to be computed: on which case, and as what;
    `instances` where it is about several together.
    """

    found: Print
    case: Case
    instances: tuple[Case, ...]
    quantity: Quantity
    percent: bool

    @property
    def about(self) -> str:
        """The key of the case that it is about; empty where it is about several together."""
        return "" if self.instances else self.case.key

    def ours(self) -> Any:
        return together(self.quantity, self.case, self.instances) if self.instances else self.quantity(self.case)

    def matches(self, value: Any) -> bool:
        dmax = Options.make(dict(self.case.options)).dmax
        return printed.agrees(value, self.read(), rounded_whole=self.percent, maximum=dmax)

    def read(self) -> printed.Printed:
        value: printed.Printed = self.quantity.kind.parse(self.found.text)
        return value

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
        """The case that values are about, and the instances of its hierarchy where they are about
        several together.
        """
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
        target = cell.read()
        value = cell.scaled(cell.ours())
        comma = isinstance(target, printed.Number) and target.comma
        k, discrepancy = self._discrepancy(cell)
        more: dict[str, Any] = {"quantity": cell.quantity.text, "case": cell.about}
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
        target = cell.read()
        comma = isinstance(target, printed.Number) and target.comma
        status: Status = "explained" if cell.matches(value) and comma == variant.decimal_comma else "unexplained"
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
