"""The lessons of a folder, and the text of a lesson's file.

Files are read and checked card by card. `hiermeasures verify` prints a report with the faults. A
lesson is refused if one of its cards has a fault. Every fault names file, line, card and reason.
cards.py declares the entries and makes cards. Written entries are plain: mappings, lists and text.
Writing checks only that the text can be written.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import Instance
from hiermeasures.measures.catalogue import SIDES
from hiermeasures.read.hierarchies.building import written_edges
from hiermeasures.read.source import Source
from hiermeasures.teach.cards import Lesson, LessonFile, Making, number_in
from hiermeasures.teach.questions import Question
from hiermeasures.verify.library import (
    LESSONS,
    bounded_yaml,
    default_folder,
    document_of,
    hierarchy_entry,
    labels_entries,
    options_entry,
    read_document,
    yaml_files,
)
from hiermeasures.verify.reading import Document, Fault, Misplaced, checked, unreadable

MOST_DIGITS = 6  # of a lesson's number in an address
SHAPE = "a lesson file has entries such as 'lesson: Its title'"


@dataclass(frozen=True)
class LessonLibrary:
    """Lessons in the order of their files, with their faults. `broken` contains false claims."""

    lessons: tuple[Lesson, ...]
    faults: tuple[Fault, ...] = ()
    broken: tuple[Fault, ...] = ()

    def lesson(self, key: str) -> Lesson:
        for lesson in self.lessons:
            if lesson.key == key:
                return lesson
        raise InputError(unknown("lesson", key, [lesson.key for lesson in self.lessons]))


def own_keys() -> list[str]:
    """Return the keys of the project's lessons in order, without reading the files."""
    return [path.stem for path in yaml_files(default_folder() / LESSONS)]


def short_key(key: str) -> str:
    """Return the word for a lesson in an address: its number, or its key.

    >>> short_key("03-pairing"), short_key("teacher/03-mine")
    ('3', 'teacher/03-mine')
    """
    number = number_in(key)
    return key if number is None else str(number)


def find_key(word: str) -> str:
    """Return the key of the project's lesson with this number. Return other words as they are.

    InputError if no lesson has this number. It names the nearest lesson.

    >>> find_key("3"), find_key("teacher/two")
    ('03-pairing', 'teacher/two')
    """
    if not (word.isascii() and word.isdigit()):
        return word
    keys = {number: key for key in own_keys() if (number := number_in(key)) is not None}
    wanted = int(word[:MOST_DIGITS])
    if wanted in keys:
        return keys[wanted]
    near = min(keys, key=lambda number: abs(number - wanted))
    raise InputError(f"there is no lesson {word[:MOST_DIGITS]}. The nearest is lesson {near}")


@lru_cache(maxsize=16)
def own_lesson(key: str) -> Lesson:
    """Read only one lesson of the project. InputError for an unknown key."""
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
        If the folder does not exist or contains no lesson.
    """
    top = Path(folder) if folder is not None else default_folder() / LESSONS
    if folder is not None and not top.exists():
        raise InputError(f"no folder or file {shown(str(folder))}")
    paths = [top] if top.is_file() else yaml_files(top)
    if folder is not None and not paths:
        raise InputError(f"the folder {shown(str(top))} contains no lesson (*.yaml)")
    return _read(paths, top if top.is_dir() else top.parent)


def read_lesson(content: bytes, name: str) -> Lesson:
    """Return a lesson from the bytes of its file with this `name`.

    Raises
    ------
    InputError
        If the lesson has a fault. The message has its name, line, card and reason.
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
    """Check a lesson's file like `read_lesson`. The sandbox uses this, because it cannot return a
    lesson.
    """
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
            faults.append(
                Fault(name, 1, f"two lesson files are called {shown(lesson.key)}. Rename one")
            )
        elif lesson is not None:
            lessons[lesson.key] = lesson
    return LessonLibrary(tuple(lessons.values()), tuple(faults), tuple(broken))


def _lesson(document: Document) -> tuple[Lesson | None, list[Fault], list[Fault]]:
    """Return the lesson of a document, or its faults, and its false claims and answers."""
    entries, unfit = checked(document, LessonFile, SHAPE)
    if entries is None:
        cards = document.data.get("cards") if isinstance(document.data, dict) else None
        lines = [
            document.line(("cards", k)) for k in range(len(cards) if isinstance(cards, list) else 0)
        ]
        return (
            None,
            [_of_card(fault, sum(line <= fault.line for line in lines)) for fault in unfit],
            [],
        )
    making = Making()
    lesson = making.lesson(entries, document.path.stem)
    faults, broken = [], []
    for found in making.faults:
        number = int(found.loc[1]) + 1 if found.loc[0] == "cards" else 0
        fault = _of_card(Fault(document.name, document.line(found.loc), found.reason), number)
        faults.append(fault)
        broken += [fault] if found.broken else []
    return (None if faults else lesson), faults, broken


def _of_card(fault: Fault, number: int) -> Fault:
    return replace(fault, reason=f"card {number}: {fault.reason}") if number else fault


@dataclass(frozen=True)
class LessonReport:
    """Counts of verified lessons, `faults` of entries, and `broken` claims and answers."""

    lessons: int
    cards: int
    questions: int
    faults: tuple[Fault, ...]
    broken: tuple[Fault, ...]

    @property
    def exit_status(self) -> int:
        """Return the exit status.

        0: everything is true. 1: a claim or an answer is false. 2: a file is unusable.
        """
        return 2 if self.faults else int(bool(self.broken))

    def as_json(self) -> dict[str, Any]:
        """Return `{"lessons", "cards", "questions", "faults", "broken"}`, the last two as counts."""
        return {**vars(self), "faults": len(self.faults), "broken": len(self.broken)}

    def as_text(self) -> str:
        """One line: `10 lessons, 63 cards, 41 questions: all hold`."""
        numbers = ((self.lessons, "lesson"), (self.cards, "card"), (self.questions, "question"))
        untrue = write_count(
            len(self.broken), "claim or answer does not hold", "claims or answers do not hold"
        )
        unusable = f"{write_count(len(self.faults), 'fault')} in files that cannot be used"
        wrong = [
            words for words, found in ((untrue, self.broken), (unusable, self.faults)) if found
        ]
        sizes = ", ".join(write_count(n, noun) for n, noun in numbers)
        return f"{sizes}: {', '.join(wrong) or 'all hold'}"


def verify_lessons(folders: Sequence[str | Path] = ()) -> LessonReport:
    """Check every lesson of some folders or files, by default the project's lessons.

    InputError if a folder does not exist or has no lesson.
    """
    libraries = [load_lessons(folder) for folder in folders or (None,)]
    lessons = [lesson for library in libraries for lesson in library.lessons]
    cards = [card for lesson in lessons for card in lesson.cards]
    faults = tuple(
        fault for library in libraries for fault in library.faults if fault not in library.broken
    )
    broken = tuple(fault for library in libraries for fault in library.broken)
    return LessonReport(
        len(lessons), len(cards), sum(card.question is not None for card in cards), faults, broken
    )


def lesson_yaml(entries: Mapping[str, Any]) -> str:
    """Return the text of a lesson file, without empty entries.

    InputError if it is too large to be read again, or if a text contains an invalid character.

    >>> card = {"title": "A", "text": "", "true": ["B"]}
    >>> print(lesson_yaml({"lesson": "One", "minutes": "5", "cards": [card]}))
    lesson: One
    minutes: 5
    cards:
    - title: A
      true:
      - B
    <BLANKLINE>
    """
    return bounded_yaml(drop_empty(entries), "lesson")


def card_entries(
    first: Instance,
    second: Instance | None = None,
    *,
    title: str,
    case: str = "",
    view: str = "",
    measures: Sequence[str] = (),
    define: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the entries of a card with one instance, or two on one hierarchy side by side.

    If the first instance is a library figure, `case` is its key, and its classes are left out.
    `view` is a key of the views, or "" for the view of the first measure. `measures` contains keys
    and names of own measures, and `define` contains their expressions by name. InputError if edges
    have weights, because lessons have no entry for them.
    """
    if first.hierarchy.has_edge_weights:
        raise InputError("a lesson cannot contain edge weights, but this hierarchy has some")
    entries: dict[str, Any] = {"title": " ".join(title.split()) or "Without a title", "text": ""}
    entries |= (
        {"case": case}
        if case
        else {"hierarchy": hierarchy_entry(first.hierarchy), **_labels(first)}
    )
    if second is not None:
        entries["second"] = _second(first, second)
    return {**entries, "define": dict(define or {}), "view": view, "measures": list(measures)}


def answer_entry(question: Question) -> Any:
    """Return the computed answer of a question for its file: text, or a list of words."""
    answer = question.answer()
    if isinstance(answer, Instance):
        if question.change() == "hierarchy":
            return [f"{parent}>{child}" for parent, child in written_edges(answer.hierarchy)]
        return labels_entries(answer)["true" if question.change() == "true" else "predicted"]
    if isinstance(answer, frozenset):
        return sorted(">".join(part) if isinstance(part, tuple) else part for part in answer)
    return answer


def _labels(instance: Instance) -> dict[str, Any]:
    return {**labels_entries(instance), "options": options_entry(instance)}


def _second(first: Instance, second: Instance) -> dict[str, Any]:
    """Return the differences of the second instance from the first, as entries."""
    before, now = _labels(first), _labels(second)
    if any(f"{side}_paths" in before and f"{side}_paths" not in now for side in SIDES):
        raise InputError("in a lesson, either both predictions have paths or neither")
    found = {
        name: value
        for name, value in now.items()
        if value != before.get(name) and name != "options"
    }
    was, options = first.options.as_dict(), second.options.as_dict()
    changed = {name: value for name, value in options.items() if value != was[name]}
    if missing := [name for name, value in changed.items() if value is None]:
        raise InputError(f"a lesson cannot express that the option {missing[0]} is not set")
    options = {name: str(value) for name, value in changed.items()}
    return {**found, "options": options} if found or options else {"predicted": now["predicted"]}


def drop_empty(content: Any) -> Any:
    """Return content without empty entries. Hierarchies and entries that a second prediction
    empties stay.
    """
    if isinstance(content, Mapping):
        return {
            key: value if key == "hierarchy" else drop_empty(value)
            for key, value in content.items()
            if value not in (None, "", [], (), {}) or key in SIDES
        }
    return (
        [drop_empty(value) for value in content] if isinstance(content, list | tuple) else content
    )
