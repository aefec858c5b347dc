"""The state of the Learn page: the part that is shown, the player that goes through the lessons
(explorer/player), and the lesson that was opened from a file or a link; and where lessons are
found.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from hiermeasures.app.binding import Slot
from hiermeasures.app.launch import LESSONS
from hiermeasures.cases.documents import yaml_files
from hiermeasures.cases.reading import Fault
from hiermeasures.core.errors import InputError
from hiermeasures.explorer.player.drawing import index_of
from hiermeasures.explorer.player.model import COURSE, PRACTICE, Host, Player, Shelf, new_sides
from hiermeasures.lessons import Lesson, LessonLibrary, load_lessons

OPENED, DRAFT = "opened", "mine"  # the keys of the lesson from a file or link, and of the one that is made here
Part = Literal["course", "practice", "mine"]
TEACHER = "teacher/"  # before the keys of a teacher's lessons


# --- lessons --------------------------------------------------------------------------------------


def course() -> LessonLibrary:
    return _loaded("")


def teachers() -> LessonLibrary:
    """The lessons of the folder the app was started with; read again when a file changes."""
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
    if key in _SESSION:
        if (lesson := _SESSION[key]()) is None:
            raise InputError("that lesson is no longer here; open its file again")
        return lesson
    if key.startswith(TEACHER):
        return teachers().lesson(key.removeprefix(TEACHER))
    return course().lesson(key)


def next_lesson(key: str) -> str:
    """The key of the lesson that is listed after one; "" where there is none."""
    folder, before = (teachers(), TEACHER) if key.startswith(TEACHER) else (course(), "")
    keys = [before + lesson.key for lesson in folder.lessons]
    return dict(pairwise(keys)).get(key, "")


def _shelves() -> list[Shelf]:
    theirs, opened = teachers(), learn().opened
    found = [_shelf(COURSE, "", course(), "")]
    if theirs.lessons or theirs.faults:
        found.append(_shelf("teachers", "From your teacher", theirs, TEACHER))
    if opened is not None:
        found.append(Shelf("opened", partial(index_of, {OPENED: opened}), "Opened here"))
    return found


def _shelf(key: str, title: str, library: LessonLibrary, before: str) -> Shelf:
    index = partial(index_of, {before + lesson.key: lesson for lesson in library.lessons})
    return Shelf(key, index, title, tuple(map(str, library.faults)))


# --- the state ------------------------------------------------------------------------------------


HOST = Host(lesson_of, next_lesson, _shelves, draft=DRAFT, passing=(PRACTICE, f"{OPENED}/", f"{DRAFT}/"))


@dataclass(frozen=True)
class Learn:
    """The part of the page that is shown, and the player, which is at a card or at the list.
    `opened` is the lesson from a file or link, with the text of the file and the word of its link;
    `address` is what the address bar shows, as far as it is known.
    """

    player: Player = field(default_factory=lambda: Player(HOST, sides=new_sides()))
    part: Part = "course"
    practice: str = ""  # what the address says of practice
    opened: Lesson | None = None
    text: str = ""
    word: str = ""
    address: Mapping[str, str] | None = None


LEARN: Slot[Learn] = Slot("learn_model", Learn)


def learn() -> Learn:
    return LEARN.value


def change(**parts: Any) -> None:
    LEARN.change(**parts)


def show(part: Part) -> None:
    """Show a part from its beginning."""
    LEARN.set(showing(part, learn()))


def showing(part: Part, at: Learn) -> Learn:
    """The page at the beginning of a part."""
    return replace(at, part=part, player=replace(at.player.going(""), presenting=None))


def go(lesson: str, card: int = 0) -> None:
    """Show a card of a lesson; one that is not there is said on the list."""
    change(part="course", player=learn().player.going(lesson, card))
