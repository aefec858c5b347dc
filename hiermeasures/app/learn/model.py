"""The state of the Learn page.

The state contains the part on the screen, the player for lessons and exercises (teach/player), and
the lesson from a file or a link. The module also finds lessons and draws the player's screen.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import streamlit as st

from hiermeasures.app.components import mount
from hiermeasures.app.inbox import MODELS, Slot, session_inbox
from hiermeasures.app.server import LESSONS
from hiermeasures.explore import controls
from hiermeasures.explore.controls import Controls
from hiermeasures.explore.outbox import Gesture
from hiermeasures.explore.share_link import packed
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.read.source import Limits
from hiermeasures.teach import Lesson, LessonLibrary, load_lessons
from hiermeasures.teach.player.drawing import index_of
from hiermeasures.teach.player.model import COURSE, DRAWN, Player, PlayerHost, Shelf
from hiermeasures.teach.player.screen import MODEL, draw_player, screen
from hiermeasures.verify.library import yaml_files
from hiermeasures.verify.reading import Fault

# the keys of the lesson from a file or link, and of the one that is made here
OPENED, DRAFT = ("opened", "mine")
TEACHER = "teacher"  # before the keys of a teacher's lessons
OWN = "own"  # the parameter of an address that holds a lesson
UNPACKED = Limits(bytes=200_000, lines=10_000)
Part = Literal["course", "practice", "mine"]


def course() -> LessonLibrary:
    return _loaded("")


def teachers() -> LessonLibrary:
    """Return the lessons of the folder that you started the app with. They are read again after a
    change.
    """
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


def _opened(key: str) -> Lesson:
    if (lesson := LEARN.value.opened) is None:
        raise InputError("this lesson is no longer here. Open its file again.")
    return lesson


SOURCES: dict[str, Callable[[str], Lesson]] = {
    OPENED: _opened,
    TEACHER: lambda key: teachers().lesson(key),
}
"""The lessons that are not of the course: by the first part of their keys, what finds one by the
second.
"""


def lesson_of(key: str) -> Lesson:
    first, _, rest = key.partition("/")
    return SOURCES[first](rest) if first in SOURCES else course().lesson(key)


def _next_lesson(key: str) -> str:
    for folder, before in ((course(), ""), (teachers(), f"{TEACHER}/")):
        keys = [before + lesson.key for lesson in folder.lessons]
        if following := dict(pairwise(keys)).get(key, ""):
            return following
    return ""


def _shelves() -> list[Shelf]:
    found = []
    for key, title, library, before in (
        (COURSE, "", course(), ""),
        ("teachers", "From your teacher", teachers(), f"{TEACHER}/"),
    ):
        if key == COURSE or library.lessons or library.faults:
            index = partial(index_of, {before + lesson.key: lesson for lesson in library.lessons})
            found.append(Shelf(key, index, title, tuple(map(str, library.faults))))
    if (opened := LEARN.value.opened) is not None:
        found.append(Shelf("opened", partial(index_of, {OPENED: opened}), "Opened here"))
    return found


HOST = PlayerHost(
    lesson_of, _next_lesson, _shelves, draft=DRAFT, passing=(DRAWN, f"{OPENED}/", f"{DRAFT}/")
)


@dataclass(frozen=True)
class Learn:
    """The part on the screen, with the player at a card or at the list.

    `opened` is the lesson from a file or link, with its text and its word in the link. `address` is
    the content of the address bar.
    """

    player: Player = field(default_factory=lambda: Player(HOST))
    part: Part = "course"
    opened: Lesson | None = None
    text: str = ""
    word: str = ""
    address: Mapping[str, str] | None = None

    def showing(self, part: Part) -> "Learn":
        """Return a copy at the beginning of a part."""
        return replace(self, part=part, player=replace(self.player.going(""), presenting=None))


LEARN: Slot[Learn] = Slot("learn_model", Learn)


def link(at: Mapping[str, str]) -> str:
    here = (st.context.url or "").partition("?")[0].rstrip("/").removesuffix("/learn")
    return f"{here}/learn?{urlencode(at)}"


def lesson_word(text: str) -> str:
    """Encode a lesson's file as a word for a link. InputError if it is too large."""
    return packed(text, UNPACKED)


def play(areas: Controls, model: str = MODEL) -> None:
    """Draw the screen on the page. The model's `after` applies gestures to the player."""
    mount(draw_player(LEARN.value.player, session_inbox(), areas, model))


def after(screen: Callable[[Player], Controls], at: Learn, gesture: Gesture) -> Learn:
    """Return the page after a gesture.

    A request of the player is carried out in the same change, because Streamlit may end the run at
    the next one.
    """
    made = controls.after(at.player, screen(at.player), gesture.key, gesture.value)
    if made.wish == "form":
        return replace(at, player=replace(made, wish="")).showing("mine")
    return replace(at, player=made)


MODELS[MODEL] = LEARN, partial(after, screen)
