"""What the Learn page holds, as one immutable value: the place in a lesson, how far each question has come, and the
lesson that was opened from a file or a link.

The state of a question is found by any unique text (`key`), so that exercises and Present keep theirs here, too.
Nothing is drawn here; judging is hiermeasures.lessons' work.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from hiermeasures.cases.library import yaml_files
from hiermeasures.cases.reading import Fault
from hiermeasures.errors import InputError
from hiermeasures.lessons import Card, Lesson, LessonLibrary, Question, Verdict, load_lessons
from hiermeasures.measures import Instance
from hiermeasures.ui.binding import Slot
from hiermeasures.ui.launch import LESSONS
from hiermeasures.ui.present.model import Presenting
from hiermeasures.ui.text import sentence

OPENED, MINE = "opened", "mine"  # the keys of the lesson from a file or link, and of the one that is made here
TEACHER = "teacher/"  # before the keys of a teacher's lessons

Entered = str | frozenset[str] | frozenset[tuple[str, str]] | Instance


@dataclass(frozen=True)
class Answer:
    """How far one question has come: what was entered so far (None: nothing), the class that waits for the other end of
    its pair, and the verdict once it was asked for. `revealed` says that it was asked for without an answer, `fault`
    why the answer is none.
    """

    given: Entered | None = None
    end: str | None = None
    verdict: Verdict | None = None
    revealed: bool = False
    fault: str = ""
    unfolded: frozenset[str] = frozenset()  # classes of a large drawing whose children were asked for
    structure: bool = False  # whether after the answer the structure is drawn, and not the answer

    @property
    def open(self) -> bool:
        """Whether it is still to be answered."""
        return self.verdict is None and not self.revealed


@dataclass(frozen=True)
class Learn:
    """The place: a lesson's key ("" is the list of lessons) and a card of it, counted from 0. `met` are the cards that
    were read and answered, by their keys; `opened` is the lesson from a file or link, with the text of the file and the
    word of its link; `address` is what the address bar shows, as far as it is known; `chosen` is the measure that was
    chosen on each card.
    """

    part: Literal["course", "practice", "mine"] = "course"
    practice: str = ""  # what the address says of practice
    lesson: str = ""
    card: int = 0
    answers: Mapping[str, Answer] = field(default_factory=dict)
    met: frozenset[str] = frozenset()
    opened: Lesson | None = None
    text: str = ""
    word: str = ""
    address: Mapping[str, str] | None = None
    chosen: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""
    presenting: Presenting | None = None  # how far the presentation of the card is, where it is presented


LEARN: Slot[Learn] = Slot("learn_model", Learn)


@dataclass(frozen=True)
class Place:
    """Where a person is: a card of a lesson, counted from 0."""

    lesson: Lesson
    index: int
    key: str  # of the lesson, here

    @property
    def card(self) -> Card:
        return self.lesson.cards[self.index]

    @property
    def card_key(self) -> str:
        """The key of the card's answer."""
        return f"{self.key}/{self.index}"


def learn() -> Learn:
    """What the page of this session holds."""
    return LEARN.value


def change(**parts: Any) -> None:
    """Replace parts of it."""
    LEARN.set(replace(LEARN.value, **parts))


# --- lessons ------------------------------------------------------------------------------------------------------


def course() -> LessonLibrary:
    """The lessons that come with the project, read once."""
    return _loaded("")


def teachers() -> LessonLibrary:
    """The lessons of the folder that the app was started with, if any; read again when a file has changed."""
    folder = os.environ.get(LESSONS, "")
    return _loaded(folder) if folder else LessonLibrary(())


def _loaded(folder: str) -> LessonLibrary:
    files = yaml_files(Path(folder)) if folder else []
    return _load(folder, tuple((str(file), file.stat().st_mtime_ns) for file in files))


@lru_cache(maxsize=4)
def _load(folder: str, changed: tuple[tuple[str, int], ...]) -> LessonLibrary:
    try:
        return load_lessons(folder or None)
    except InputError as fault:
        return LessonLibrary((), (Fault(folder, 1, str(fault)),))


_SESSION: dict[str, Callable[[], Lesson | None]] = {OPENED: lambda: learn().opened}


def lessons_of_session(key: str, lesson: Callable[[], Lesson | None]) -> None:
    """Have a lesson that only a session knows found by a key."""
    _SESSION[key] = lesson


def lesson_of(key: str) -> Lesson:
    """The lesson of a key; InputError where there is none."""
    if key in _SESSION:
        if (lesson := _SESSION[key]()) is None:
            raise InputError("that lesson is no longer here; open its file again")
        return lesson
    if key.startswith(TEACHER):
        return teachers().lesson(key.removeprefix(TEACHER))
    return course().lesson(key)


def place() -> Place | None:
    """The card that is shown; None while the list is."""
    at = learn()
    if not at.lesson or at.part != "course":
        return None
    try:
        lesson = lesson_of(at.lesson)
    except InputError as fault:
        change(lesson="", card=0, fault=sentence(fault))
        return None
    return Place(lesson, min(at.card, len(lesson.cards) - 1), at.lesson)


def go(lesson: str, card: int = 0) -> None:
    """Show a card of a lesson; "" is the list. One that is not there is said on the list."""
    change(part="course", lesson=lesson, card=max(card, 0), fault="")
    if (at := place()) is not None and at.card.question is None:
        change(met=learn().met | {at.card_key})


def next_lesson(key: str) -> str:
    """The key of the lesson that is listed after one; "" where there is none."""
    folder, before = (teachers(), TEACHER) if key.startswith(TEACHER) else (course(), "")
    keys = [before + lesson.key for lesson in folder.lessons]
    return dict(pairwise(keys)).get(key, "")


def step(by: int) -> None:
    """Go to the next card or back; after the last card comes the next lesson, or the list."""
    if (at := place()) is None:
        return
    if at.index + by >= len(at.lesson.cards):
        go(next_lesson(at.key))
    elif at.index + by >= 0:
        go(at.key, at.index + by)


def met_of(key: str, lesson: Lesson) -> int:
    """How many cards of a lesson were read and answered."""
    return sum(f"{key}/{k}" in learn().met for k in range(len(lesson.cards)))


def done(key: str, lesson: Lesson) -> bool:
    """Whether all of them were."""
    return met_of(key, lesson) == len(lesson.cards)


# --- answers ------------------------------------------------------------------------------------------------------


def answer_of(key: str) -> Answer:
    """How far a question has come."""
    return learn().answers.get(key, Answer())


def set_answer(key: str, **parts: Any) -> None:
    """Replace parts of that."""
    change(answers={**learn().answers, key: replace(answer_of(key), **parts)})


def enter(key: str, given: Entered | None) -> None:
    """What was entered, while the question is open."""
    if answer_of(key).open:
        set_answer(key, given=given, end=None, fault="")


def check(question: Question, key: str) -> None:
    """Have the answer judged."""
    at = answer_of(key)
    if not at.open:
        return
    try:
        given = at.given
        if given is None or given == "":
            raise InputError(NOTHING_YET[question.input])
        verdict = question.judge(given)
    except InputError as fault:
        set_answer(key, fault=sentence(fault))
    else:
        set_answer(key, verdict=verdict, fault="", end=None)
        change(met=learn().met | {key})


NOTHING_YET = {
    "choice": "choose an answer first",
    "classes": "click a class first",
    "pairs": "make a pair first",
    "number": "enter a number first, such as 2/3 or 0.67",
    "instance": "change something first",
}


def reveal(question: Question | None, key: str) -> None:
    """Show what is hidden, and the answer."""
    verdict = question.judge(question.answer()) if question is not None else None
    set_answer(key, verdict=verdict, revealed=True, fault="", end=None)
    change(met=learn().met | {key})


def again(key: str) -> None:
    """Ask anew; what was entered stays to be changed."""
    at = answer_of(key)
    change(answers={**learn().answers, key: Answer(None if at.revealed else at.given, unfolded=at.unfolded)})
