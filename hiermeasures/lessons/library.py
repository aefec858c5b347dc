"""The lessons of a folder: each file read and checked card by card, and what is wrong with those that cannot be used.

A lesson is refused as a whole where one of its cards has a fault, and every fault names file, line, card and reason.
Which entries there are is in format.py, how a card is made of them in making.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from hiermeasures.cases.library import LESSONS, default_folder, yaml_files
from hiermeasures.cases.reading import Document, Fault, Misplaced, checked, document_of, read_document, unreadable
from hiermeasures.errors import InputError, shown, unknown
from hiermeasures.io.source import Source
from hiermeasures.lessons.card import Lesson
from hiermeasures.lessons.format import LessonFile
from hiermeasures.lessons.making import Making

SHAPE = "a lesson is a mapping of entries such as 'lesson: Its title'"


@dataclass(frozen=True)
class LessonLibrary:
    """Lessons in the order of their files, and the faults of files that could not be used. `broken` are those of the
    faults that are claims and answers that are not so.
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


def load_lessons(folder: str | Path | None = None) -> LessonLibrary:
    """All lessons of a folder, or of one file.

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
    """InputError where `read_lesson` gives one; for a process apart, out of which no lesson can be handed."""
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
    """The lesson of a document, or everything that is wrong with it, and what of that is not so."""
    entries, faults = checked(document, LessonFile, SHAPE)
    if entries is None:
        return None, [_with_card(document, fault) for fault in faults], []
    making = Making(document)
    lesson = making.lesson(entries)
    return (None if making.faults else lesson), making.faults, making.broken


def _with_card(document: Document, fault: Fault) -> Fault:
    """The same with the number of the card in which the fault's line is."""
    cards = document.data.get("cards") if isinstance(document.data, dict) else None
    if not isinstance(cards, list):
        return fault
    number = sum(document.line(("cards", k)) <= fault.line for k in range(len(cards)))
    return replace(fault, reason=f"card {number}: {fault.reason}") if number else fault
