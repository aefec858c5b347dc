"""The case library: figures of papers as cases to open and explain.

It reads case files, lists their faults, and writes one instance as a case file.

Files are YAML. Without PyYAML, as in a browser, it reads JSON copies. A copy has the name of the
YAML file with `.json` added. format.py declares the entries.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import InstanceOf

from hiermeasures.hierarchy.class_weights import CLASS_WEIGHT, ICM_WEIGHT
from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures.catalogue import SIDES, Instance
from hiermeasures.read.hierarchies.building import class_weights_if_any
from hiermeasures.read.source import Limits, Source, decode, encodable, load, size_in_words
from hiermeasures.read.untrusted import parse
from hiermeasures.verify import reading
from hiermeasures.verify.case import Case, changed, defined_of, hierarchy_of, placed, settings_of
from hiermeasures.verify.format import (
    CaseEntry,
    CaseFile,
    FigureFile,
    PaperEntry,
    SituationsFile,
    kind_of,
)
from hiermeasures.verify.reading import MAX_BYTES, Checked, Document, Fault, Loc, Misplaced, dumped

if TYPE_CHECKING:
    from hiermeasures.debug.search import PropertyVerdict

LESSONS = "lessons"  # the folder of lessons, which contains no cases
_JSON = ".yaml.json"
# entries of a file that its cases inherit
TEXTS = ("title", "teaches", "reconstructed", "topics")


def default_folder() -> Path:
    """Return the folder of the project's cases.

    In a checkout it is next to the package, and otherwise inside it.
    """
    here = Path(__file__).resolve().parent
    for folder in (here.parents[1] / "cases", here / "files"):
        if any(folder.glob("*/paper.yaml*")):
            return folder
    raise InputError("the case files of hiermeasures are missing. Install hiermeasures again")


def yaml_files(top: Path) -> list[Path]:
    """Return the YAML files below a folder, or their JSON copies, with figure-2 before figure-11."""

    def natural(path: Path) -> tuple[tuple[str, ...], list[tuple[int, str]]]:
        parts = re.split(r"([0-9]+)", path.stem)
        return path.parent.parts, [
            (int(part), "") if part.isdecimal() else (0, part) for part in parts
        ]

    found = [path for path in top.rglob("*") if path.suffix in (".yaml", ".yml") and path.is_file()]
    return sorted({*found, *(path.with_suffix("") for path in top.rglob(f"*{_JSON}"))}, key=natural)


def read_document(path: Path, name: str) -> Document:
    """Read one YAML file, or its JSON copy.

    Raises
    ------
    Misplaced
        If the file cannot be used. `loc` has the line, as in ``("line", 3)``.
    """
    try:
        if not path.exists() and (stored := path.with_suffix(_JSON)).exists():
            return Document(path, name, json.loads(stored.read_bytes()))
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Misplaced((), f"cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise Misplaced(
            (), "its JSON copy is not a case file. Write the copies again with write_json"
        ) from None
    return document_of(content, path, name)


def document_of(content: bytes, path: Path, name: str) -> Document:
    """Read the content of a file. Only the stem of `path` is used."""
    if len(content) > MAX_BYTES:
        raise Misplaced((), f"the file is larger than {MAX_BYTES // 1000} kB. Split it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Misplaced((), reading.NO_TEXT) from None
    if reading.HAS_YAML:
        return Document(path, name, *reading.entries_of(text))
    if not text.lstrip().startswith("{"):
        instead = "Save it as JSON, or open it with the command hiermeasures app"
        raise Misplaced((), f"YAML cannot be read here because PyYAML is missing. {instead}")
    try:
        return Document(
            path,
            name,
            parse(text, Source(limits=Limits(bytes=MAX_BYTES, lines=MAX_BYTES, nesting=30))),
        )
    except InputError as error:
        raise Misplaced((), str(error)) from None


def entries_of_file(content: bytes, name: str) -> Any:
    """Return the entries of a file. The sandbox calls this function."""
    return document_of(content, Path(name), name).data


def write_json(folder: Path) -> None:
    """Write JSON copies of our case files and lessons into a folder, for hosts without PyYAML.

    Parameters
    ----------
    folder : Path
        The copies get the same paths in it as the originals in their folder.

    See Also
    --------
    load_cases : Read case files, or their copies.

    Examples
    --------
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
    """A case file with its document, its entries, and its cases by part.

    Parts with a fault are `unusable`.
    """

    document: Document
    entries: CaseFile
    paper: str
    cases: Mapping[str, Case]
    unusable: frozenset[str] = frozenset()

    @property
    def stem(self) -> str:
        return self.document.path.stem


class Paper(PaperEntry):
    """A paper from paper.yaml, with its options and the cases of its figures."""

    cases: tuple[InstanceOf[Case], ...] = ()
    own: bool = False  # from your own files, not from the project's


@dataclass(frozen=True)
class CaseLibrary:
    """Papers with their cases, their files, and the faults of unusable files."""

    papers: tuple[Paper, ...]
    files: tuple[SourceFile, ...]
    faults: tuple[Fault, ...]

    @cached_property
    def cases(self) -> dict[str, Case]:
        return {case.key: case for paper in self.papers for case in paper.cases}

    def case(self, key: str) -> Case:
        """Return the case with a key. For an unknown key, an InputError names the nearest one."""
        if key not in self.cases:
            raise InputError(unknown("case", key, self.cases))
        return self.cases[key]

    def __iter__(self) -> Iterator[Paper]:
        return iter(self.papers)


def load_cases(folder: str | Path | None = None) -> CaseLibrary:
    """Return all cases below a folder. A file that cannot be used becomes a fault.

    Parameters
    ----------
    folder : path, optional
        A folder of case files, a folder with one such folder per paper, or one case file. A folder
        `lessons` is ignored. By default the cases that come with the project.

    Returns
    -------
    CaseLibrary

    Raises
    ------
    InputError
        If the folder is missing or contains no case file.

    See Also
    --------
    read_cases : Read the cases of one file in memory.
    verify : Check the published values of the cases.

    Examples
    --------
    >>> load_cases().case("kosmopoulos2015/figure-11a").explain()["hP"]
    0.5
    """
    top = Path(folder) if folder is not None else default_folder()
    own = folder is not None and top.resolve() != default_folder()
    if top.is_file():
        beside = top.with_name("paper.yaml")
        return _Reader(top.parent, own=own).read([*([beside] if beside.exists() else []), top])
    if not top.is_dir():
        raise InputError(f"no folder or file {shown(str(folder))}. Check the path")
    paths = [path for path in yaml_files(top) if path.relative_to(top).parts[0] != LESSONS]
    if not paths:
        raise InputError(
            f"the folder {shown(str(top))} contains no case file. Name a folder with *.yaml files"
        )
    return _Reader(top, own=own).read(paths)


CASES = "HIERMEASURES_CASES"  # the environment variable with the folder of your own case files


def case_folders() -> tuple[str, ...]:
    """Return the folder of the project's cases, and your own folder if HIERMEASURES_CASES names it."""
    more = os.environ.get(CASES)
    return (str(default_folder()), *([more] if more else []))


@cache
def own_cases() -> CaseLibrary:
    """Return the project's cases, and your own cases if HIERMEASURES_CASES names their folder."""
    return joined(load_cases(folder) for folder in case_folders())


def joined(libraries: Iterable[CaseLibrary]) -> CaseLibrary:
    """Return several libraries as one. InputError if two papers have one key."""
    found = tuple(libraries)
    papers = tuple(paper for library in found for paper in library.papers)
    for key, times in Counter(paper.key for paper in papers).items():
        if times > 1:
            raise InputError(f"two papers are called {shown(key)}. Rename one of the folders")
    files = tuple(file for library in found for file in library.files)
    return CaseLibrary(papers, files, tuple(f for library in found for f in library.faults))


class _Reader:
    def __init__(self, top: Path, *, own: bool) -> None:
        self.top, self.own = top, own
        self.faults: list[Fault] = []
        self.papers: dict[str, Paper] = {}

    def read(self, paths: list[Path]) -> CaseLibrary:
        for path in paths:
            if path.stem == "paper" and (found := self._entries(path, lambda data: PaperEntry)):
                self._add_paper(found[1], found[0])
        read = [self._entries(path, kind_of) for path in paths if path.stem != "paper"]
        return self._library([self._case_file(*each) for each in read if each is not None])

    def read_alone(self, document: Document) -> CaseLibrary:
        """Return the cases of one file. Without the entry `paper` they belong to PAPER."""
        found = self._checked(document, kind_of)
        return self._library([] if found is None else [self._case_file(*found)])

    def _library(self, read: list[SourceFile | None]) -> CaseLibrary:
        files = tuple(file for file in read if file is not None)
        papers = [
            paper.model_copy(
                update={
                    "cases": tuple(c for f in files if f.paper == key for c in f.cases.values())
                }
            )
            for key, paper in self.papers.items()
        ]
        # tools after papers
        papers.sort(key=lambda paper: paper.year if paper.kind == "tool" else 0)
        return CaseLibrary(tuple(papers), files, tuple(self.faults))

    def _entries(
        self, path: Path, model: Callable[[Any], type[Checked]]
    ) -> tuple[Document, Checked] | None:
        name = path.relative_to(self.top).as_posix()
        try:
            document = read_document(path, name)
        except Misplaced as error:
            self.faults.append(reading.unreadable(name, error))
            return None
        return self._checked(document, model)

    def _checked(
        self, document: Document, model: Callable[[Any], type[Checked]]
    ) -> tuple[Document, Checked] | None:
        entries, faults = reading.checked(document, model(document.data))
        self.faults += faults
        return None if entries is None else (document, entries)

    def _add_paper(self, entry: PaperEntry, document: Document, *loc: str) -> str | None:
        """Add a paper and return its key: its own, its folder or the file's name.

        Return None if it has a fault.
        """
        key = entry.key or (document.path.stem if loc else self._folder(document))
        try:
            options = (
                None
                if entry.options is None
                else placed((*loc, "options"), settings_of, entry.options)
            )
        except Misplaced as error:
            self.faults.append(document.fault(error))
            return None
        self.papers.setdefault(
            key,
            Paper.model_construct(
                **{**dict(entry), "key": key, "options": options, "own": self.own}
            ),
        )
        return key

    def _folder(self, document: Document) -> str:
        folder = document.path.parent
        return (
            folder.relative_to(self.top).as_posix() if folder != self.top else folder.resolve().name
        )

    def _case_file(self, document: Document, entries: CaseFile) -> SourceFile | None:
        key: str | None = self._folder(document)
        if entries.paper is not None:
            key = self._add_paper(entries.paper, document, "paper")
        elif key not in self.papers and self.own:
            entry = PaperEntry.model_validate({**PAPER, "year": "2000"})
            key = self._add_paper(entry, document, "paper")
        elif key not in self.papers:
            reason = "the paper is missing. Add the entry 'paper', or a paper.yaml next to the file"
            self.faults.append(Fault(document.name, 1, reason))
            key = None
        return None if key is None else self._with_cases(document, entries, key)

    def _with_cases(self, document: Document, entries: CaseFile, paper: str) -> SourceFile:
        cases: dict[str, Case] = {}
        unusable = set()
        several: list[tuple[Loc, CaseEntry]] = []
        if isinstance(entries, FigureFile):
            several = [(("cases", k), entry) for k, entry in enumerate(entries.cases)] or [
                ((), entries)
            ]
        for loc, entry in several:
            try:
                if entry.part in cases:
                    raise Misplaced(
                        (*loc, "part"), f"two cases have the part {shown(entry.part)}. Rename one"
                    )
                key = f"{paper}/{document.path.stem}{entry.part if len(entry.part) <= 2 else '-' + entry.part}"
                made = _case(loc, entry, cast(FigureFile, entries), cases)
                cases[entry.part] = replace(made, paper=paper, key=key)
            except InputError as error:
                unusable.add(entry.part)
                at = error if isinstance(error, Misplaced) else Misplaced(loc, str(error))
                self.faults.append(document.fault(at))
        return SourceFile(document, entries, paper, cases, frozenset(unusable))


def _case(loc: Loc, entry: CaseEntry, around: FigureFile, known: Mapping[str, Case]) -> Case:
    """Return the case of an entry. A missing entry is inherited from the enclosing entry."""

    def either(name: str) -> tuple[Any, Loc]:
        own = getattr(entry, name)
        return (own, (*loc, name)) if own is not None else (getattr(around, name), (name,))

    drawn, at = either("hierarchy")
    if drawn is None:
        raise Misplaced(loc, "the entry 'hierarchy' is missing. Add it, such as A>B A>C")
    hierarchy = placed(
        at, hierarchy_of, drawn, {part: case.hierarchy for part, case in known.items()}
    )
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


# --- one instance as a file ----------------------------------------------------------------------

PAPER = {
    "name": "Own cases",
    "authors": "not given",
    "title": "Own cases",
    "citation": "unpublished",
}
ALONE = Path("own", "case.yaml")  # the path of a single file, for the keys of its cases


def write_case(
    instance: Instance, *, title: str, year: int, define: Mapping[str, str] | None = None
) -> str:
    """Return the text of a case file.

    Parameters
    ----------
    instance : Instance
        The instance to write. A virtual root is not written, and readers add it again.
    title : str
        The name of the instance.
    year : int
        The year of your work. A case file needs the year of its paper.
    define : mapping, optional
        Your own measures: expressions by name.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If edges have weights, because a case file cannot contain them, or if the file would be too
        large to read.

    See Also
    --------
    read_cases : Read the cases of a case file.

    Examples
    --------
    >>> from hiermeasures import explain
    >>> x = explain(Hierarchy.from_edges([("A", "B"), ("A", "C")]), {"B"}, {"C"})
    >>> print(write_case(x.instance, title="Two classes", year=2000).partition("paper:")[0])
    figure: Two classes
    hierarchy: A>B A>C
    true: B
    predicted: C
    <BLANKLINE>
    """
    entries = case_entries(instance, title=title, define=define) | {
        "paper": {**PAPER, "year": str(year)}
    }
    return bounded_yaml(entries, "case", ". Save the hierarchy in another format")


def case_entries(
    instance: Instance, *, title: str, define: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return the entries of a case file with one instance, without its paper.

    Raises
    ------
    InputError
        If edges have weights, because a case file cannot contain them.
    """
    h = instance.hierarchy
    if h.has_edge_weights:
        raise InputError(
            "this hierarchy has edge weights, and a case file cannot contain them. Save it as an "
            "edge list"
        )
    entries = {"figure": " ".join(title.split()) or "Own case", "hierarchy": hierarchy_entry(h)}
    more = {"options": options_entry(instance), "define": dict(define or {})}
    return (
        entries | labels_entries(instance) | {name: entry for name, entry in more.items() if entry}
    )


def labels_entries(instance: Instance) -> dict[str, Any]:
    """Return the true and predicted classes of an instance, and its paths if they are given."""
    found: dict[str, Any] = {}
    for side in SIDES:
        labels = sorted(getattr(instance, side), key=instance.hierarchy.index)
        found[side] = " ".join(labels) if all(map(_is_word, labels)) else labels
    paths = ((f"{side}_paths", getattr(instance, f"{side}_paths")) for side in SIDES)
    return found | {
        name: [list(path) for path in given] for name, given in paths if given is not None
    }


def options_entry(instance: Instance) -> dict[str, str]:
    """Return the options of an instance that differ from their defaults."""
    options = instance.options.changed.items()
    return {name: str(value) for name, value in options if value is not None}


def read_alone(data: bytes, name: str = "") -> tuple[Document, CaseLibrary]:
    """Read one case file from bytes. The entry `paper` may be missing.

    Raises
    ------
    InputError
        If the file cannot be used. The message names the file, the line and the reason.
    """
    source = Source(name)
    if len(data) > MAX_BYTES:
        raise source.error(
            f"larger than {size_in_words(MAX_BYTES)}, the limit for a case file. Split the file"
        )
    decode(data, source)
    try:
        document = document_of(data, ALONE, name)
    except Misplaced as error:
        raise source.error(str(error), reading.unreadable(name, error).line) from None
    return document, library_alone(document)


def library_alone(document: Document) -> CaseLibrary:
    """Return the cases of one document. InputError with file and line for a fault."""
    library = _Reader(Path(), own=True).read_alone(document)
    if library.faults:
        fault = library.faults[0]
        raise Source(document.name).error(fault.reason, fault.line)
    if not library.cases:
        raise Source(document.name).error(
            "contains no case. Add a hierarchy with true and predicted classes"
        )
    return library


def read_cases(data: bytes, name: str = "") -> tuple[Case, ...]:
    """Return the cases of one case file from bytes.

    Parameters
    ----------
    data : bytes
    name : str, optional
        The name of the file in messages.

    Returns
    -------
    tuple of Case

    Raises
    ------
    InputError
        If the file cannot be used.

    See Also
    --------
    load_cases : Read all cases of a folder.
    """
    return tuple(read_alone(data, name)[1].cases.values())


def case_file_in(path: Path) -> tuple[bytes, str] | None:
    """Return content and name of a case file, or None for another file.

    A case file is YAML, or JSON with the entry `figure`. InputError if the file is missing.
    """
    if path.suffix.lower() not in (".yaml", ".yml", ".json"):
        return None
    data, source = load(path, "", None)
    if path.suffix.lower() == ".json" and not re.search(rb'"figure"\s*:', data[:10_000]):
        return None
    return data, source.name


def hierarchy_entry(h: Hierarchy) -> Any:
    """Return a hierarchy as an entry: edges such as `A>B`, and class weights.

    If a name contains blanks, commas or `>`, the edges become a nested mapping.

    Raises
    ------
    InputError
        If a virtual root has a weight, because a virtual root is not written.
    """
    edges = [(p, c) for c in h.nodes for p in h.parents(c) if not (h.virtual_root and p == h.root)]
    classes = h.nodes[h.virtual_root :]
    alone = set(classes).difference(*edges)
    drawn: dict[str, Any] = {"edges": " ".join(f"{p}>{c}" for p, c in edges)}
    if alone or not all(map(_is_word, classes)):
        below: dict[str, list[str]] = {label: [] for label in classes if label in alone}
        for p, c in edges:
            below.setdefault(p, []).append(c)
        drawn = {"nested": below}
    weights = class_weights_if_any(h)
    for name, entry in ((CLASS_WEIGHT, "weights"), (ICM_WEIGHT, "icm_weights")):
        if written := {
            label: repr(found[name]) for label, found in weights.items() if name in found
        }:
            drawn[entry] = written
    return drawn["edges"] if list(drawn) == ["edges"] else drawn


def _is_word(label: str) -> bool:
    return label.split() == [label] and not set(label) & set(">,")


def bounded_yaml(entries: Any, kind: str, advice: str = "") -> str:
    """Return the text of a case or lesson file. InputError if it could not be read again."""
    if not encodable(json.dumps(entries, ensure_ascii=False)):
        raise InputError(
            "a text contains half a surrogate pair, which is not a character. Remove the character"
        )
    text = dumped(entries)
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise InputError(
            f"as a {kind} file this would be larger than {size_in_words(MAX_BYTES)}{advice}"
        )
    return text


# --- Table 9 next to the corresponding properties ------------------------------------------------


@dataclass(frozen=True)
class Judgement:
    """The printed sign of a measure in a situation, to compare with a property."""

    situation: str
    sign: str

    def agrees(self, verdict: "PropertyVerdict") -> bool | None:
        """Return whether the sign agrees with a verdict. None if the property was not tested."""
        return verdict.holds == (self.sign == "+") if verdict.tested else None


@cache
def table_9() -> SituationsFile:
    """Return the judgements of Kosmopoulos et al. 2015.

    Each situation has the printed signs, a property and a note.
    """
    files = (file.entries for file in own_cases().files if file.paper == "kosmopoulos2015")
    return next(
        file for file in files if isinstance(file, SituationsFile) and file.table == "Table 9"
    )


def judgement(prop: str, measure: str) -> Judgement | None:
    table = table_9()
    rows = (
        row
        for row in table.situations
        if prop and row.property == prop and measure in table.columns
    )
    return next((Judgement(row.situation, table.signs(row)[measure]) for row in rows), None)
