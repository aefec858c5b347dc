"""The report of a verification, as text and as JSON.

It has every cell with its status, numbered claims about the papers, and counts per paper. A claim
comes from an erratum, a discrepancy of published cells, or a table of correlations. checks.py
compares the values. errata.py makes pages of the report.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal

from pydantic import InstanceOf

from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.verify.case import Case
from hiermeasures.verify.format import EVERY_TEXT, ClaimEntry, ClaimKind, Severity
from hiermeasures.verify.library import Paper
from hiermeasures.verify.reading import Fault

if TYPE_CHECKING:
    from hiermeasures.verify.rankings import Ranking, RankingSearch

Status = Literal["match", "by_criterion", "explained", "conjectured", "unexplained"]
STATUS_NAMES: Mapping[Status, str] = {
    "match": "match",
    "by_criterion": "match by our criterion",
    "explained": "explained",
    "conjectured": "conjectured",
    "unexplained": "unexplained",
}
STATUSES: tuple[Status, ...] = tuple(STATUS_NAMES)
MATCHES: tuple[Status, ...] = ("match", "by_criterion")


@dataclass(frozen=True)
class CheckedCell:
    """One published value with our value.

    `source`, `row` and `column` are its place in print, and `quantity` is its subject. `case` is
    the key of its case, or "". `ours` is our value, and `ours_text` is this value as text.

    A cell matches `by_criterion` if a judgement is printed, such as a sign, that we interpreted. An
    explained cell has an `explanation` and a `variant`. The value of the variant, `variant_text`,
    agrees with the printed one. A conjectured cell has them too, but its variant is a guess, such
    as two exchanged numbers. `truncated` is True if the number agrees only with digits cut off.
    `openly` is True if the case file lists the cell as unexplained.
    """

    paper: str
    file: str
    line: int
    figure: str
    source: str
    row: str
    column: str
    quantity: str
    printed: str
    ours: Any
    ours_text: str
    status: Status
    case: str = ""
    explanation: str = ""
    variant: str = ""
    variant_text: str = ""
    truncated: bool = False
    openly: bool = False

    @property
    def place(self) -> str:
        return ", ".join([self.source, *([f"row {self.row}"] if self.row else []), self.quantity])


@dataclass(frozen=True)
class RankingCheck:
    """The printed tables of a ranking and its correlations, with the result of the search."""

    paper: str
    ranking: str
    printed: "Ranking"
    correlations: str
    search: "RankingSearch"


KIND_WORDS: Mapping[ClaimKind, tuple[str, str]] = {
    "number": (
        "Wrong number",
        "Other numbers of the paper, or its own definitions, give another value.",
    ),
    "differs": ("Differs", "The printed number is not the one that we compute."),
    "unreproduced": (
        "Number not reproduced",
        "The other printed numbers do not give it, and the paper does not print its data.",
    ),
    "formula": ("Slip in a formula", "The paper does not use the formula as it is printed."),
    "text": (
        "Slip in the text",
        "The sentence contradicts the rest of the paper. The rest shows its meaning.",
    ),
    "ambiguity": (
        "Ambiguity",
        "Two interpretations are possible. We name the one that the numbers follow.",
    ),
    "criticism": ("Criticism", "It is not a misprint. We dispute a judgement of the paper."),
    "code": (
        "Slip in the authors' code",
        "The paper is right here, but the code published with it is wrong.",
    ),
    "tool": (
        "Another value of a tool",
        "A program prints another value than ours. We explain why.",
    ),
}


SEVERITY_WORDS: Mapping[Severity, str] = {
    "conclusion": "a conclusion",
    "number": "a number",
    "word": "a word",
}
MOST_READABLE = 12  # classes in a drawing that you can read at a glance
_SENTENCE = re.compile(  # between two sentences, but not after "Eqs."
    r"(?<=[\w)}%][.:]) (?=[A-Z])|(?<=[a-z]{4}\.) (?=\d)"
)


class CaseClaim(ClaimEntry):
    """A claim of a case file, with its place. `number` is the number to cite.

    `evidence` has our values that support it. `cells` are its published cells. `drawn` is the
    instance in its drawing.
    """

    paper: str
    file: str
    where: str
    explanation: str
    evidence: tuple[str, ...] = ()
    cells: tuple[CheckedCell, ...] = ()
    withdrawn: bool = False
    drawn: InstanceOf[Case] | None = None

    @property
    def label(self) -> str:
        return f"{self.paper}-{self.number}"

    @property
    def kind_words(self) -> str:
        return "No longer claimed" if self.withdrawn else KIND_WORDS[self.kind][0]

    @property
    def changes(self) -> Severity:
        """The severity in the file, or else the severity of the claim's kind."""
        if self.severity:
            return self.severity
        by_kind: dict[ClaimKind, Severity] = {
            "criticism": "conclusion",
            **dict.fromkeys(("number", "differs", "unreproduced", "code", "tool"), "number"),
        }
        return "word" if self.small else by_kind.get(self.kind, "word")

    @property
    def in_short(self) -> str:
        """The line that says why it matters, or the first sentence of the explanation."""
        return self.matters or _SENTENCE.split(" ".join(self.explanation.split()), maxsplit=1)[0]

    @property
    def checked(self) -> tuple[str, ...]:
        variants = (
            f"{cell.variant} gives {cell.variant_text}" for cell in self.cells if cell.variant
        )
        return tuple(dict.fromkeys((*variants, *self.evidence)))

    def quotes(self) -> tuple[tuple[str, str], ...]:
        """Return the quotations with their places, such as `("… exchanged …", "Section 3.6")`."""
        if set(self.quotation) == {EVERY_TEXT}:
            places = [f"{place} ({text})" if text else place for text, place in self.places.items()]
            return ((self.quotation[EVERY_TEXT], ", ".join(places)),)
        everywhere = self.places.get(EVERY_TEXT, "")
        return tuple(
            (quote, f"{self.places.get(text, everywhere)} ({text})")
            for text, quote in self.quotation.items()
        )


def most_important(claims: Iterable[CaseClaim]) -> tuple[CaseClaim, ...]:
    """Return the three most important claims.

    Claims with a line `matters` come first, then the more severe ones.
    """
    found = [claim for claim in claims if not (claim.withdrawn or claim.small)]
    return tuple(sorted(found, key=_importance)[:3])


def _importance(claim: CaseClaim) -> tuple[bool, int]:
    return not claim.matters, list(SEVERITY_WORDS).index(claim.changes)


def most_important_of_each(claims: Iterable[CaseClaim]) -> tuple[CaseClaim, ...]:
    """Return three claims about different papers, the most important ones with a drawing first."""
    found = [claim for claim in claims if not (claim.withdrawn or claim.small)]
    found.sort(
        key=lambda claim: (
            _importance(claim),
            claim.drawn is None or len(claim.drawn.hierarchy) > MOST_READABLE,
        )
    )
    first: dict[str, CaseClaim] = {}
    for claim in found:
        first.setdefault(claim.paper, claim)
    return tuple(first.values())[:3]


def claim_of(entry: ClaimEntry, paper: Paper, file: str, where: str, explanation: str) -> CaseClaim:
    """Return a claim of a case file. InputError if paper.yaml lacks a text that it names."""
    for text in (*entry.quotation, *entry.places):
        if text != EVERY_TEXT and text not in paper.texts:
            raise InputError(unknown("text of the paper", text, paper.texts))
    place = {"paper": paper.key, "file": file, "where": where, "explanation": explanation}
    return CaseClaim.model_construct(**dict(entry) | place)


def numbered(claims: Iterable[CaseClaim], papers: Sequence[Paper]) -> tuple[CaseClaim, ...]:
    """Return the claims of every paper by number, with the withdrawn ones.

    Entries with one number are one claim. Entries without a number get the next free numbers.

    Raises
    ------
    InputError
        If two different claims have one number.
    """
    own: dict[str, list[CaseClaim]] = {paper.key: [] for paper in papers}
    for claim in claims:
        own[claim.paper].append(claim)
    found: list[CaseClaim] = []
    for paper in papers:
        at = {
            n: CaseClaim(
                paper=paper.key, file="", where="", explanation=why, label=n, withdrawn=True
            )
            for n, why in paper.withdrawn.items()
        }
        for claim in (claim for claim in own[paper.key] if claim.number):
            before = at.get(claim.number or 0)
            if before and before.explanation != claim.explanation:
                raise InputError(f"two claims have the number {shown(before.label)}. Change one")
            if before:
                both = {
                    "cells": before.cells + claim.cells,
                    "evidence": before.evidence + claim.evidence,
                }
                claim = before.model_copy(update=both)
            at[claim.number or 0] = claim
        rest = [claim for claim in own[paper.key] if claim.number is None]
        found += [at[number] for number in sorted(at)]
        found += [
            claim.model_copy(update={"number": k})
            for k, claim in enumerate(rest, max(at, default=0) + 1)
        ]
    return tuple(found)


@dataclass(frozen=True)
class Counts:
    """The number of cells, in all and with each status."""

    cells: int
    match: int
    by_criterion: int
    explained: int
    conjectured: int
    unexplained: int

    @classmethod
    def of(cls, cells: Iterable[CheckedCell]) -> "Counts":
        found = Counter(cell.status for cell in cells)
        return cls(sum(found.values()), *(found[status] for status in STATUSES))

    def as_json(self) -> dict[str, int]:
        return asdict(self)

    @property
    def in_words(self) -> str:
        """The numbers of cells with each status. Zeros are left out, except for matches.

        >>> Counts(10, 8, 0, 1, 0, 1).in_words
        '8 match, 1 explained, 1 unexplained'
        """
        found = ((name, getattr(self, status)) for status, name in STATUS_NAMES.items())
        return ", ".join(f"{n} {name}" for name, n in found if n or name == "match")


@dataclass(frozen=True)
class Verification:
    """The findings of a verification.

    `faults` are case files or entries that could not be used. `broken` are values of ours that
    support an erratum but have changed.
    """

    papers: tuple[Paper, ...] = ()
    cells: tuple[CheckedCell, ...] = ()
    claims: tuple[CaseClaim, ...] = ()
    rankings: tuple[RankingCheck, ...] = ()
    faults: tuple[Fault, ...] = ()
    broken: tuple[Fault, ...] = ()

    @property
    def counts(self) -> Counts:
        return Counts.of(self.cells)

    def counts_of(self, papers: Iterable[Paper]) -> Counts:
        keys = {paper.key for paper in papers}
        return Counts.of(cell for cell in self.cells if cell.paper in keys)

    @property
    def exit_status(self) -> int:
        """The exit status of the command.

        0: every cell agrees with its case file, which can list it as unexplained. 1: a cell does
        not. 2: a file could not be used.
        """
        if self.faults:
            return 2
        return 1 if self.broken or any(not c.openly for c in self.with_status("unexplained")) else 0

    def of_paper(self, key: str) -> tuple[CheckedCell, ...]:
        return tuple(cell for cell in self.cells if cell.paper == key)

    def of_case(self, key: str) -> tuple[CheckedCell, ...]:
        return tuple(cell for cell in self.cells if cell.case == key)

    def with_status(self, *statuses: Status) -> tuple[CheckedCell, ...]:
        return tuple(cell for cell in self.cells if cell.status in statuses)

    def as_json(self) -> dict[str, Any]:
        """Return the counts of all cells and of each paper's cells.

        Their form is `{"cells": …, "match": …, …, "papers": {key: {"cells": …, …}}}`.
        """
        papers = {paper.key: Counts.of(self.of_paper(paper.key)).as_json() for paper in self.papers}
        return {**self.counts.as_json(), "papers": papers}

    def as_text(self) -> str:
        return "\n".join(_lines(self))


def _lines(report: Verification) -> Iterator[str]:
    for paper in report.papers:
        yield f"{paper.name} ({paper.key})"
        groups: dict[tuple[str, str], list[CheckedCell]] = {}
        for cell in report.of_paper(paper.key):
            groups.setdefault((cell.figure, cell.source), []).append(cell)
        groups["", ""] = list(report.of_paper(paper.key))
        for (figure, source), cells in groups.items():
            found = Counts.of(cells)
            place = f"  {source:26} {figure if figure != source else '':12}"
            yield f"{place} {found.cells:4} cells: {found.in_words}"
        yield ""
    unexplained = report.with_status("unexplained")
    for status in STATUSES[len(MATCHES) :]:
        chosen = report.with_status(status)
        if chosen:
            yield f"{STATUS_NAMES[status].capitalize()}:"
            for (_, explanation), group in groupby(
                chosen, key=lambda cell: (cell.paper, cell.explanation)
            ):
                for c in group:
                    variant = f". {c.variant} gives {c.variant_text}" if c.variant else ""
                    yield f"  {c.paper}, {c.place}: printed {c.printed}, ours {c.ours_text}{variant}"
                yield from ([f"      {explanation}"] if explanation else [])
            yield ""
    yield from map(str, report.broken)
    if report.faults:
        yield f"{len(report.faults)} entries or files could not be used and are not counted"
    of = report.counts
    openly = sum(cell.openly for cell in unexplained)
    how = (
        f" ({'' if openly == len(unexplained) else f'{openly} '}as the case files say)"
        if openly
        else ""
    )
    yield f"{of.cells} cells: {of.in_words}{how}"
