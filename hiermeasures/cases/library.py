"""The case library: papers, their figures as cases to open and explain, and what is wrong with
files that cannot be read.

The entries are declared in format.py. Published cells are compared with our values in figures.py
and tables.py.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from hiermeasures.cases.case import Case, changed, defined_of, hierarchy_of, placed, probabilities_of, settings_of
from hiermeasures.cases.documents import LESSONS, default_folder, read_document, yaml_files
from hiermeasures.cases.format import CaseEntry, CaseFile, FigureFile, PaperEntry, PaperKind, kind_of
from hiermeasures.cases.reading import Checked, Document, Fault, Loc, Misplaced, checked, unreadable
from hiermeasures.core.errors import InputError, shown, unknown


@dataclass(frozen=True)
class SourceFile:
    """One case file: its document, its entries and its cases by part. `unusable` are the parts with
    a fault.
    """

    document: Document
    entries: CaseFile
    paper: str
    cases: Mapping[str, Case]
    unusable: frozenset[str] = frozenset()

    @property
    def stem(self) -> str:
        return self.document.path.stem


@dataclass(frozen=True)
class Paper:
    """A paper and the cases made of its figures. `options`: what it computes with, None where its
    file says nothing; `texts` to `pages` as in paper.yaml.
    """

    key: str
    name: str
    authors: str
    year: int
    title: str
    citation: str
    url: str = ""
    options: Mapping[str, Any] | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    numbering: str = ""
    withdrawn: Mapping[int, str] = field(default_factory=dict)
    unchecked: Mapping[str, str] = field(default_factory=dict)
    kind: PaperKind = "paper"
    note: str = ""
    pages: Mapping[str, str] = field(default_factory=dict)
    cases: tuple[Case, ...] = ()


@dataclass(frozen=True)
class CaseLibrary:
    """Papers with their cases, the files they came from, and the faults of files that could not be
    used.
    """

    papers: tuple[Paper, ...]
    files: tuple[SourceFile, ...]
    faults: tuple[Fault, ...]

    @cached_property
    def cases(self) -> dict[str, Case]:
        return {case.key: case for paper in self.papers for case in paper.cases}

    def case(self, key: str) -> Case:
        """Return the case of a key; InputError for an unknown one, with the nearest named."""
        if key not in self.cases:
            raise InputError(unknown("case", key, self.cases))
        return self.cases[key]

    def __iter__(self) -> Iterator[Paper]:
        return iter(self.papers)


def load_cases(folder: str | Path | None = None) -> CaseLibrary:
    """All cases below a folder; a file that cannot be used becomes a fault and the others are still
    there.

    Parameters
    ----------
    folder : path, optional
        Holds case files, or one folder of case files per paper; a folder `lessons` is left out. By
        default the cases that come with the project.

    Raises
    ------
    InputError
        For a folder that does not exist or holds no case file.

    Examples
    --------
    >>> load_cases().case("kosmopoulos2015/figure-11a").explain()["hP"]
    0.5
    """
    top = Path(folder) if folder is not None else default_folder()
    if not top.is_dir():
        raise InputError(f"no folder {shown(str(folder))}")
    paths = [path for path in yaml_files(top) if path.relative_to(top).parts[0] != LESSONS]
    if not paths:
        raise InputError(f"the folder {shown(str(top))} holds no case file (*.yaml)")
    return _Reader(top).read(paths)


@cache
def own_cases() -> CaseLibrary:
    return load_cases()


class _Reader:
    """Reads the files of one library; holds the papers met so far and everything that went wrong."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.faults: list[Fault] = []
        self.papers: dict[str, Paper] = {}
        self.files: list[SourceFile] = []

    def read(self, paths: Iterable[Path]) -> CaseLibrary:
        every = list(paths)
        for path in every:
            if path.stem == "paper" and (found := self._entries(path, lambda data: PaperEntry)):
                self._add_paper(found[1], found[0])
        for path in every:
            if path.stem != "paper":
                self._case_file(path)
        papers = [
            replace(paper, cases=tuple(c for f in self.files if f.paper == key for c in f.cases.values()))
            for key, paper in self.papers.items()
        ]
        papers.sort(key=lambda paper: paper.year if paper.kind == "tool" else 0)  # tools after papers
        return CaseLibrary(tuple(papers), tuple(self.files), tuple(self.faults))

    def _entries(self, path: Path, model: Callable[[Any], type[Checked]]) -> tuple[Document, Checked] | None:
        name = path.relative_to(self.top).as_posix()
        try:
            document = read_document(path, name)
        except Misplaced as error:
            self.faults.append(unreadable(name, error))
            return None
        entries, faults = checked(document, model(document.data))
        self.faults += faults
        return None if entries is None else (document, entries)

    def _add_paper(self, entry: PaperEntry, document: Document, *loc: str) -> str | None:
        folder = document.path.parent
        key = entry.key or (folder.relative_to(self.top).as_posix() if folder != self.top else folder.resolve().name)
        try:
            options = None if entry.options is None else placed((*loc, "options"), settings_of, entry.options)
        except Misplaced as error:
            self.faults.append(document.fault(error))
            return None
        self.papers.setdefault(key, Paper(key, **entry.model_dump(exclude={"key", "options"}), options=options))
        return key

    def _case_file(self, path: Path) -> None:
        if (found := self._entries(path, kind_of)) is None:
            return
        document, entries = found
        paper = self._paper_of(document, entries)
        if paper is None:
            return
        built = _Cases(document, entries, self.papers[paper])
        self.faults += built.faults
        self.files.append(SourceFile(document, entries, paper, built.cases, frozenset(built.unusable)))

    def _paper_of(self, document: Document, entries: CaseFile) -> str | None:
        folder = document.path.parent
        if entries.paper is not None:
            stem = document.path.stem
            entry = entries.paper.model_copy(update={"key": entries.paper.key or stem})
            return self._add_paper(entry, document, "paper")
        key = folder.relative_to(self.top).as_posix() if folder != self.top else folder.resolve().name
        if key in self.papers:
            return key
        reason = "no paper: the file has no entry 'paper', and there is no usable paper.yaml beside it"
        self.faults.append(Fault(document.name, 1, reason))
        return None


class _Cases:
    """The cases of one figure file, built one after the other so that one may be drawn like
    another.
    """

    def __init__(self, document: Document, entries: CaseFile, paper: Paper) -> None:
        self.cases: dict[str, Case] = {}
        self.faults: list[Fault] = []
        self.unusable: set[str] = set()
        if not isinstance(entries, FigureFile):
            return
        several: list[tuple[Loc, CaseEntry]] = [(("cases", k), c) for k, c in enumerate(entries.cases)]
        for loc, entry in several or [((), entries)]:
            try:
                if entry.part in self.cases:
                    raise Misplaced((*loc, "part"), f"the part {shown(entry.part)} is there twice")
                self.cases[entry.part] = self._case(loc, entry, entries, paper, document.path.stem)
            except InputError as error:
                self.unusable.add(entry.part)
                self.faults.append(
                    document.fault(error if isinstance(error, Misplaced) else Misplaced(loc, str(error)))
                )

    def _case(self, loc: Loc, entry: CaseEntry, around: FigureFile, paper: Paper, stem: str) -> Case:
        drawn = entry.hierarchy or around.hierarchy
        if drawn is None:
            raise Misplaced(loc, "the entry 'hierarchy' is missing")
        where = (*loc, "hierarchy") if entry.hierarchy else ("hierarchy",)
        hierarchy = placed(where, hierarchy_of, drawn, {part: case.hierarchy for part, case in self.cases.items()})
        part = entry.part
        blank = Case(
            key=f"{paper.key}/{stem}{part if len(part) <= 2 else '-' + part}",
            paper=paper.key,
            figure=around.figure,
            part=part,
            title=entry.title or around.title,
            teaches=entry.teaches or around.teaches,
            hierarchy=hierarchy,
            options=placed((*loc, "options"), settings_of, {**around.options, **entry.options}),
            define=defined_of({**around.define, **entry.define}, loc),
            probabilities=probabilities_of(hierarchy, entry, around, loc),
            reconstructed=entry.reconstructed or around.reconstructed,
            topics=entry.topics or around.topics,
        )
        return changed(blank, entry, loc)
