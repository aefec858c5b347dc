"""Verification: every published cell of the case files against our value.

Cells come from figures (figure files), from tables of judgements (situations) and from printed
rankings. What a cell is about is in quantities.py, how a print is read in printed.py, what was
found in verification.py.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hiermeasures.cases.checks import FileCheck, Findings
from hiermeasures.cases.claims import numbered
from hiermeasures.cases.figures import FigureCheck
from hiermeasures.cases.format import DerivedFile, FigureFile, RankingFile, SituationsFile
from hiermeasures.cases.library import CaseLibrary, Paper, load_cases
from hiermeasures.cases.reading import Fault
from hiermeasures.cases.tables import CorrelationsCheck, DerivedCheck, SituationsCheck
from hiermeasures.cases.verification import Verification
from hiermeasures.core.errors import InputError, unknown


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
    selected = _selected([p for library in libraries for p in library.papers], paper)
    found = Findings()
    for library in libraries:
        _check(library, selected, found)
    papers = tuple(p for library in libraries for p in library.papers if p.key in selected)
    try:
        claims = numbered(found.claims, papers)
    except InputError as error:
        claims = ()
        found.faults.append(Fault("paper.yaml", 1, str(error)))
    return Verification(
        papers=papers,
        cells=tuple(found.cells),
        claims=claims,
        rankings=tuple(found.rankings),
        faults=tuple(found.faults),
        broken=tuple(found.broken),
    )


def _selected(papers: Sequence[Paper], name: str | None) -> frozenset[str]:
    if name is None:
        return frozenset(p.key for p in papers)
    found = frozenset(p.key for p in papers if name.casefold() in (p.key.casefold(), p.name.casefold()))
    if not found:
        raise InputError(unknown("paper", name, [p.key for p in papers]))
    return found


def _check(library: CaseLibrary, selected: frozenset[str], found: Findings) -> None:
    """Check the files of the selected papers; unreadable files are told of in any case."""
    others = {file.document.name for file in library.files if file.paper not in selected}
    found.faults += [fault for fault in library.faults if fault.file not in others]
    for file in library.files:
        if file.paper in selected:
            _CHECKS[type(file.entries)](found, library, file).check()


_CHECKS: Mapping[type, type[FileCheck[Any]]] = {
    FigureFile: FigureCheck,
    SituationsFile: SituationsCheck,
    DerivedFile: DerivedCheck,
    RankingFile: CorrelationsCheck,
}
