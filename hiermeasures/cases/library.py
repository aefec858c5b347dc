"""The case library: case files, the papers' figures in them as cases to open and explain, and what
is wrong with files that cannot be read.

Files are YAML, or JSON that was made of it where there is no PyYAML, as in a browser: beside each
place at which a YAML file would be, its JSON has the name of the file and `.json`. The entries are
declared in format.py.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, cast

from pydantic import InstanceOf

from hiermeasures.cases import reading
from hiermeasures.cases.case import Case, changed, defined_of, hierarchy_of, placed, settings_of
from hiermeasures.cases.format import CaseEntry, CaseFile, FigureFile, PaperEntry, kind_of
from hiermeasures.cases.reading import MAX_BYTES, Checked, Document, Fault, Loc, Misplaced
from hiermeasures.core.errors import InputError, shown, unknown
from hiermeasures.formats.source import Limits, Source
from hiermeasures.formats.untrusted import parse

LESSONS = "lessons"  # the folder of lessons, in which there are no cases
_JSON = ".yaml.json"
TEXTS = ("title", "teaches", "reconstructed", "topics")  # of a file, for those of its cases that have none


def default_folder() -> Path:
    """The cases that come with the project: beside the package in a checkout, else inside it."""
    here = Path(__file__).resolve().parent
    for folder in (here.parents[1] / "cases", here / "files"):
        if any(folder.glob("*/paper.yaml*")):
            return folder
    raise InputError("the case files that come with hiermeasures are not where it was installed")


def yaml_files(top: Path) -> list[Path]:
    """Return the YAML files in and below a folder, figure-2 before figure-11, or their JSON."""

    def natural(path: Path) -> tuple[tuple[str, ...], list[tuple[int, str]]]:
        parts = re.split(r"([0-9]+)", path.stem)
        return path.parent.parts, [(int(part), "") if part.isdecimal() else (0, part) for part in parts]

    found = [path for path in top.rglob("*") if path.suffix in (".yaml", ".yml") and path.is_file()]
    return sorted({*found, *(path.with_suffix("") for path in top.rglob(f"*{_JSON}"))}, key=natural)


def read_document(path: Path, name: str) -> Document:
    """Read one YAML file, or the JSON that stands for it. Misplaced for one that cannot be used;
    `loc` is then the line, as in ``("line", 3)``.
    """
    try:
        if not path.exists() and (stored := path.with_suffix(_JSON)).exists():
            return Document(path, name, json.loads(stored.read_bytes()))
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Misplaced((), f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise Misplaced((), "the JSON that stands for it is no case file") from None
    return document_of(content, path, name)


def document_of(content: bytes, path: Path, name: str) -> Document:
    """Read a file's content; only the stem of `path` is used."""
    if len(content) > MAX_BYTES:
        raise Misplaced((), f"the file is larger than {MAX_BYTES // 1000} kB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Misplaced((), reading.NO_TEXT) from None
    if reading.HAS_YAML:
        return Document(path, name, *reading.entries_of(text))
    if not text.lstrip().startswith("{"):
        instead = "save it as JSON, or open it in the app, hiermeasures app"
        raise Misplaced((), f"YAML is not read here, where there is no PyYAML; {instead}")
    try:
        return Document(path, name, parse(text, Source(), Limits(bytes=MAX_BYTES, lines=MAX_BYTES, nesting=30)))
    except InputError as error:
        raise Misplaced((), str(error)) from None


def entries_of_file(content: bytes, name: str) -> Any:
    """Return the entries of a file, as `document_of` reads it; for the sandbox."""
    return document_of(content, Path(name), name).data


def write_json(folder: Path) -> None:
    """Write the shipped case files and lessons as JSON into a folder, to be read without PyYAML.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as made:
    ...     write_json(Path(made))
    ...     read_document(Path(made, "falis2021", "paper.yaml"), "paper.yaml").data["name"]
    'Falis et al. 2021'
    """
    top = default_folder()
    for path in yaml_files(top):
        stored = (folder / path.relative_to(top)).with_suffix(_JSON)
        stored.parent.mkdir(parents=True, exist_ok=True)
        data = read_document(path, path.name).data
        stored.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), "utf-8")


@dataclass(frozen=True)
class SourceFile:
    """A case file: document, entries, cases by part; parts with a fault are `unusable`."""

    document: Document
    entries: CaseFile
    paper: str
    cases: Mapping[str, Case]
    unusable: frozenset[str] = frozenset()

    @property
    def stem(self) -> str:
        return self.document.path.stem


class Paper(PaperEntry):
    """A paper as paper.yaml describes it, its options typed, and the cases made of its figures."""

    cases: tuple[InstanceOf[Case], ...] = ()


@dataclass(frozen=True)
class CaseLibrary:
    """Papers with their cases, the files they came from, and faults of unusable files."""

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
    def __init__(self, top: Path) -> None:
        self.top = top
        self.faults: list[Fault] = []
        self.papers: dict[str, Paper] = {}

    def read(self, paths: list[Path]) -> CaseLibrary:
        for path in paths:
            if path.stem == "paper" and (found := self._entries(path, lambda data: PaperEntry)):
                self._add_paper(found[1], found[0])
        read = [self._case_file(path) for path in paths if path.stem != "paper"]
        files = tuple(file for file in read if file is not None)
        papers = [
            paper.model_copy(update={"cases": tuple(c for f in files if f.paper == key for c in f.cases.values())})
            for key, paper in self.papers.items()
        ]
        papers.sort(key=lambda paper: paper.year if paper.kind == "tool" else 0)  # tools after papers
        return CaseLibrary(tuple(papers), files, tuple(self.faults))

    def _entries(self, path: Path, model: Callable[[Any], type[Checked]]) -> tuple[Document, Checked] | None:
        name = path.relative_to(self.top).as_posix()
        try:
            document = read_document(path, name)
        except Misplaced as error:
            self.faults.append(reading.unreadable(name, error))
            return None
        entries, faults = reading.checked(document, model(document.data))
        self.faults += faults
        return None if entries is None else (document, entries)

    def _add_paper(self, entry: PaperEntry, document: Document, *loc: str) -> str | None:
        """Add a paper under its key, else its folder or the file's name; None where it has a fault."""
        key = entry.key or (document.path.stem if loc else self._folder(document))
        try:
            options = None if entry.options is None else placed((*loc, "options"), settings_of, entry.options)
        except Misplaced as error:
            self.faults.append(document.fault(error))
            return None
        self.papers.setdefault(key, Paper.model_construct(**{**dict(entry), "key": key, "options": options}))
        return key

    def _folder(self, document: Document) -> str:
        folder = document.path.parent
        return folder.relative_to(self.top).as_posix() if folder != self.top else folder.resolve().name

    def _case_file(self, path: Path) -> SourceFile | None:
        if (found := self._entries(path, kind_of)) is None:
            return None
        document, entries = found
        key: str | None = self._folder(document)
        if entries.paper is not None:
            key = self._add_paper(entries.paper, document, "paper")
        elif key not in self.papers:
            reason = "no paper: the file has no entry 'paper', and there is no usable paper.yaml beside it"
            self.faults.append(Fault(document.name, 1, reason))
            key = None
        return None if key is None else self._with_cases(document, entries, key)

    def _with_cases(self, document: Document, entries: CaseFile, paper: str) -> SourceFile:
        cases: dict[str, Case] = {}
        unusable = set()
        several: list[tuple[Loc, CaseEntry]] = []
        if isinstance(entries, FigureFile):
            several = [(("cases", k), entry) for k, entry in enumerate(entries.cases)] or [((), entries)]
        for loc, entry in several:
            try:
                if entry.part in cases:
                    raise Misplaced((*loc, "part"), f"the part {shown(entry.part)} is there twice")
                key = f"{paper}/{document.path.stem}{entry.part if len(entry.part) <= 2 else '-' + entry.part}"
                made = _case(loc, entry, cast(FigureFile, entries), cases)
                cases[entry.part] = replace(made, paper=paper, key=key)
            except InputError as error:
                unusable.add(entry.part)
                at = error if isinstance(error, Misplaced) else Misplaced(loc, str(error))
                self.faults.append(document.fault(at))
        return SourceFile(document, entries, paper, cases, frozenset(unusable))


def _case(loc: Loc, entry: CaseEntry, around: FigureFile, known: Mapping[str, Case]) -> Case:
    """The case of an entry, which takes from the file around it what it does not say."""

    def either(name: str) -> tuple[Any, Loc]:
        own = getattr(entry, name)
        return (own, (*loc, name)) if own is not None else (getattr(around, name), (name,))

    drawn, at = either("hierarchy")
    if drawn is None:
        raise Misplaced(loc, "the entry 'hierarchy' is missing")
    hierarchy = placed(at, hierarchy_of, drawn, {part: case.hierarchy for part, case in known.items()})
    probabilities, at = either("probabilities")
    placed(at, hierarchy.check, probabilities or ())
    texts = {name: getattr(entry, name) or getattr(around, name) for name in TEXTS}
    blank = Case(
        hierarchy,
        figure=around.figure,
        part=entry.part,
        options=placed((*loc, "options"), settings_of, {**around.options, **entry.options}),
        define=defined_of({**around.define, **entry.define}, loc),
        probabilities=probabilities,
        **texts,
    )
    return changed(blank, entry, loc)
