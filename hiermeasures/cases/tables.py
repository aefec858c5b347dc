"""Checking tables that no single case gives: judgements about situations, and rank correlations between columns of a
ranking.
"""

from pathlib import Path
from typing import Any

from hiermeasures.cases import printed
from hiermeasures.cases.case import Case, changed, placed
from hiermeasures.cases.checks import FileCheck, Findings
from hiermeasures.cases.expressions import Expression
from hiermeasures.cases.format import RankingFile, SituationEntry, SituationsFile, ViewEntry
from hiermeasures.cases.library import CaseLibrary, SourceFile
from hiermeasures.cases.rankings import Ranking, Search, read_correlations, read_ranking, search
from hiermeasures.cases.reading import Fault, Loc, Misplaced
from hiermeasures.cases.report import RankingCheck, Status
from hiermeasures.errors import InputError, shown, unknown
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.explain import find_measure

SIGNS = ("+", "−", "*")


class SituationsCheck(FileCheck):
    def __init__(self, work: Findings, library: CaseLibrary, file: SourceFile, entries: SituationsFile) -> None:
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
            self.add(
                (*loc, "printed"),
                self.entries.table,
                situation.situation,
                measure,
                text,
                ours,
                status,
                explanation=situation.criterion,
            )

    def _view(self, loc: Loc, view: ViewEntry) -> Case:
        return changed(placed((*loc, "case"), self.case, view.case), view, loc, {})


def _error(case: Case, key: str) -> float:
    """How wrong a measure finds a case: its value where lower is better, 1 minus its value where higher is."""
    value = case.explained[key]
    return value if CATALOGUE[key].better == "lower" else 1 - value


class CorrelationsCheck(FileCheck):
    def __init__(self, work: Findings, library: CaseLibrary, file: SourceFile, entries: RankingFile) -> None:
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
        summary = search_in_words(found)
        self.work.rankings.append(
            RankingCheck(self.file.paper, self.entries.table, table, found, summary, ranking.contradictions())
        )
        for (row, column), text in texts.items():
            self._cell(loc, table, (row, column), text, found)
        self._check_openly(found)
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
            more |= {"explanation": search_in_words(found), "variant": str(found.best)}
            more["variant_text"] = printed.as_text(found.best_values[cell])
        else:
            more["explanation"] = search_in_words(found) + " This one does not."
            more["openly"] = cell in self._openly()
        self.add(loc, table, cell[0], cell[1], text, value, status, **more)

    def _openly(self) -> list[tuple[str, ...]]:
        """The cells, by row and column, of which the file says that nothing explains them."""
        return [tuple(map(str.strip, text.split(","))) for text in self.entries.correlations.unexplained]

    def _check_openly(self, found: Search) -> None:
        """A cell that is said to be unexplained, and is not, differs from what its file says."""
        for k, cell in enumerate(self._openly()):
            if cell not in found.unexplained:
                document, loc = self.file.document, ("correlations", "unexplained", k)
                reason = f"{', '.join(cell)} is said to be unexplained, and is not, or is no cell of the table"
                self.work.broken.append(Fault(document.name, document.line(loc), reason))


def search_in_words(found: Search) -> str:
    """What the search found, in words."""
    plain, best = len(found.plain.matched), len(found.best.matched)
    first = f"{plain} of {found.total} correlations come out as Kendall's tau-b of the printed scores"
    if best == plain:
        return f"{first}; no change that was tried gives more."
    others = found.best.alternatives - 1
    as_well = (
        f" ({others} more of the {found.best.tried} changes of that size {'does' if others == 1 else 'do'} as well)"
        if others
        else ""
    )
    return f"{first}. {best} of {found.total} come out as {found.best}{as_well}."


def _ranking(folder: Path, entries: RankingFile) -> Ranking:
    return read_ranking(_beside(folder, entries.ranking))


def _correlations(folder: Path, entries: RankingFile, ranking: Ranking) -> dict[tuple[str, str], str]:
    return read_correlations(_beside(folder, entries.correlations.file), ranking)


def _beside(folder: Path, name: str) -> Path:
    """A file beside the case file; a name that leads elsewhere is refused."""
    if Path(name).name != name:
        raise InputError(f"{shown(name)} should be a file beside the case file")
    return folder / name
