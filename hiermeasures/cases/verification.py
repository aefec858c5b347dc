"""The report of a verification: every cell with its status, counts per paper, and the same as text
and as JSON.

Nothing is compared here (figures.py and tables.py do), and nothing is drawn: the Cases page and
docs/errata.md are made from the same report.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from hiermeasures.cases.checked import STATUSES, CheckedCell, RankingCheck, Status
from hiermeasures.cases.claims import Claim
from hiermeasures.cases.library import Paper
from hiermeasures.cases.reading import Fault


@dataclass(frozen=True)
class Counts:
    cells: int
    match: int
    explained: int
    unexplained: int

    @classmethod
    def of(cls, cells: Iterable[CheckedCell]) -> "Counts":
        found = Counter(cell.status for cell in cells)
        return cls(sum(found.values()), *(found[status] for status in STATUSES))

    def as_json(self) -> dict[str, int]:
        return asdict(self)


@dataclass(frozen=True)
class Verification:
    """The findings of a verification.

    `faults` are case files, or entries in them, that could not be used; `broken` are values of
    ours, given as evidence for an erratum, that no longer come out.
    """

    papers: tuple[Paper, ...] = ()
    cells: tuple[CheckedCell, ...] = ()
    claims: tuple[Claim, ...] = ()
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
        """0: every cell is what its case file says of it, openly unexplained included; 1: some cell
        is not; 2: a file could not be used.
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
        """`{"cells", "match", "explained", "unexplained", "papers": {key: the same four}}`."""
        papers = {paper.key: Counts.of(self.of_paper(paper.key)).as_json() for paper in self.papers}
        return {**self.counts.as_json(), "papers": papers}

    def as_text(self) -> str:
        """A readable table of counts, and every explained and unexplained cell with both numbers."""
        return "\n".join(_lines(self))


def _lines(report: Verification) -> Iterator[str]:
    for paper in report.papers:
        cells = report.of_paper(paper.key)
        yield f"{paper.name} ({paper.key})"
        yield from _sources(cells)
        yield _counted("", "", Counts.of(cells))
        yield ""
    for status, title in (("explained", "Explained"), ("unexplained", "Unexplained")):
        chosen = report.with_status(status)  # type: ignore[arg-type]
        if chosen:
            yield f"{title}:"
            for (_, explanation), group in groupby(chosen, key=lambda cell: (cell.paper, cell.explanation)):
                yield from map(_line_of, group)
                yield from ([f"      {explanation}"] if explanation else [])
            yield ""
    yield from map(str, report.broken)
    if report.faults:
        yield f"{len(report.faults)} entries or files could not be used and are not counted"
    total = report.counts
    yield f"{total.cells} cells: {total.match} match, {total.explained} explained, {_unexplained(report)}"


def _unexplained(report: Verification) -> str:
    """Count the unexplained cells, and those that the case files say so of themselves."""
    cells = report.with_status("unexplained")
    openly = sum(cell.openly for cell in cells)
    how = " (as the case files say)" if openly == len(cells) else f" ({openly} as the case files say)"
    return f"{len(cells)} unexplained" + (how if openly else "")


def _sources(cells: Iterable[CheckedCell]) -> Iterator[str]:
    groups: dict[tuple[str, str], list[CheckedCell]] = {}
    for cell in cells:
        groups.setdefault((cell.figure, cell.source), []).append(cell)
    for (figure, source), group in groups.items():
        yield _counted(figure if figure != source else "", source, Counts.of(group))


def _counted(figure: str, source: str, counts: Counts) -> str:
    total = "  ".join(f"{number:4} {name}" for name, number in counts.as_json().items())
    return f"  {source:26} {figure:12} {total}"


def _line_of(cell: CheckedCell) -> str:
    variant = f"; {cell.variant}: {cell.variant_text}" if cell.variant and cell.variant_text != cell.printed else ""
    return f"  {cell.paper}, {cell.place}: printed {cell.printed}, ours {cell.ours_text}{variant}"
