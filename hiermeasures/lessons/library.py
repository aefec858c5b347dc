"""The lessons of a folder: each file read and checked card by card, what is wrong with those that
cannot be used, and the report of it that `hiermeasures verify` prints.

A lesson is refused as a whole where one of its cards has a fault, and every fault names file, line,
card and reason. Which entries there are, and how a card is made of them, is in cards.py.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hiermeasures.cases.library import LESSONS, default_folder, document_of, read_document, yaml_files
from hiermeasures.cases.reading import Document, Fault, Misplaced, checked, unreadable
from hiermeasures.core.errors import InputError, shown, unknown
from hiermeasures.formats.source import Source
from hiermeasures.lessons.cards import Lesson, LessonFile, Making
from hiermeasures.measures.catalogue import counted

SHAPE = "a lesson is a mapping of entries such as 'lesson: Its title'"


@dataclass(frozen=True)
class LessonLibrary:
    """Lessons in the order of their files, and the faults of files that could not be used. `broken`
    are those of the faults that are claims and answers that are not so.
    """

    lessons: tuple[Lesson, ...]
    faults: tuple[Fault, ...] = ()
    broken: tuple[Fault, ...] = ()

    def lesson(self, key: str) -> Lesson:
        """The lesson of a key; InputError for an unknown one, with the nearest named."""
        for lesson in self.lessons:
            if lesson.key == key:
                return lesson
        raise InputError(unknown("lesson", key, [lesson.key for lesson in self.lessons]))


def own_keys() -> list[str]:
    """The keys of the lessons that come with the project, in order, without reading them."""
    return [path.stem for path in yaml_files(default_folder() / LESSONS)]


@lru_cache(maxsize=16)
def own_lesson(key: str) -> Lesson:
    """One of the lessons that come with the project, read by itself.

    Raises
    ------
    InputError
        For an unknown key, with the nearest named.
    """
    folder = default_folder() / LESSONS
    paths = {path.stem: path for path in yaml_files(folder)}
    if key not in paths:
        raise InputError(unknown("lesson", key, paths))
    return _read([paths[key]], folder).lesson(key)


def load_lessons(folder: str | Path | None = None) -> LessonLibrary:
    """Read all lessons of a folder, or of one file.

    Parameters
    ----------
    folder : path, optional
        By default the lessons that come with the project.

    Raises
    ------
    InputError
        For a folder that does not exist or holds no lesson.
    """
    top = Path(folder) if folder is not None else default_folder() / LESSONS
    if folder is not None and not top.exists():
        raise InputError(f"no folder or file {shown(str(folder))}")
    paths = [top] if top.is_file() else yaml_files(top)
    if folder is not None and not paths:
        raise InputError(f"the folder {shown(str(top))} holds no lesson (*.yaml)")
    return _read(paths, top if top.is_dir() else top.parent)


def read_lesson(content: bytes, name: str) -> Lesson:
    """A lesson from the bytes of its file, whose name is `name`.

    Raises
    ------
    InputError
        For one that cannot be used: name, line, card and the reason.
    """
    path = Path(name.replace("\x00", "") or "lesson.yaml")
    try:
        lesson, faults, _ = _lesson(document_of(content, path, path.name))
    except Misplaced as error:
        lesson, faults = None, [unreadable(path.name, error)]
    if lesson is None:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise Source(path.name).error(f"{faults[0].reason}{more}", faults[0].line)
    return lesson


def check_lesson(content: bytes, name: str) -> None:
    """Refuse what `read_lesson` refuses; for the sandbox, which can hand out no lesson."""
    read_lesson(content, name)


def _read(paths: Iterable[Path], top: Path) -> LessonLibrary:
    lessons: dict[str, Lesson] = {}
    faults: list[Fault] = []
    broken: list[Fault] = []
    for path in paths:
        name = path.relative_to(top).as_posix()
        try:
            lesson, found, untrue = _lesson(read_document(path, name))
        except Misplaced as error:
            faults.append(unreadable(name, error))
            continue
        faults += found
        broken += untrue
        if lesson is not None and lesson.key in lessons:
            faults.append(Fault(name, 1, f"there is a lesson file called {shown(lesson.key)} already"))
        elif lesson is not None:
            lessons[lesson.key] = lesson
    return LessonLibrary(tuple(lessons.values()), tuple(faults), tuple(broken))


def _lesson(document: Document) -> tuple[Lesson | None, list[Fault], list[Fault]]:
    """Lesson of a document, or its faults, and those that claims and answers are not so."""
    entries, faults = checked(document, LessonFile, SHAPE)
    if entries is None:
        return None, [_with_card(document, fault) for fault in faults], []
    making = Making(document)
    lesson = making.lesson(entries)
    return (None if making.faults else lesson), making.faults, making.broken


def _with_card(document: Document, fault: Fault) -> Fault:
    """Return the fault with the number of the card in which its line is."""
    cards = document.data.get("cards") if isinstance(document.data, dict) else None
    if not isinstance(cards, list):
        return fault
    number = sum(document.line(("cards", k)) <= fault.line for k in range(len(cards)))
    return replace(fault, reason=f"card {number}: {fault.reason}") if number else fault


# --- verification ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class LessonReport:
    """Counts and faults of verified lessons. `faults` are files or entries that could not be used,
    `broken` claims and answers that are not so.
    """

    lessons: int
    cards: int
    questions: int
    faults: tuple[Fault, ...]
    broken: tuple[Fault, ...]

    @property
    def exit_status(self) -> int:
        """0: all hold; 1: a claim or an answer does not; 2: a file could not be used."""
        return 2 if self.faults else int(bool(self.broken))

    def as_json(self) -> dict[str, Any]:
        """`{"lessons", "cards", "questions", "faults", "broken"}`, the last two as counts."""
        counts = {"lessons": self.lessons, "cards": self.cards, "questions": self.questions}
        return {**counts, "faults": len(self.faults), "broken": len(self.broken)}

    def as_text(self) -> str:
        """One line: `10 lessons, 63 cards, 41 questions: all hold`."""
        numbers = ((self.lessons, "lesson"), (self.cards, "card"), (self.questions, "question"))
        untrue = counted(len(self.broken), "claim or answer does not hold", "claims or answers do not hold")
        unusable = f"{counted(len(self.faults), 'fault')} in files that cannot be used"
        wrong = [words for words, found in ((untrue, self.broken), (unusable, self.faults)) if found]
        return f"{', '.join(counted(n, noun) for n, noun in numbers)}: {', '.join(wrong) or 'all hold'}"


def verify_lessons(folders: Sequence[str | Path] = ()) -> LessonReport:
    """Check every lesson of some folders or files; by default those that come with the project.

    Raises
    ------
    InputError
        For a folder that does not exist or holds no lesson.
    """
    libraries = [load_lessons(folder) for folder in folders or (None,)]
    cards = [card for library in libraries for lesson in library.lessons for card in lesson.cards]
    return LessonReport(
        lessons=sum(len(library.lessons) for library in libraries),
        cards=len(cards),
        questions=sum(card.question is not None for card in cards),
        faults=tuple(fault for library in libraries for fault in library.faults if fault not in library.broken),
        broken=tuple(fault for library in libraries for fault in library.broken),
    )
