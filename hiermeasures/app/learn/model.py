"""The state of the Learn page: the part that is shown, the player that goes through the lessons
(explorer/player), and the lesson that was opened from a file or a link; where lessons are found;
and the player's screen on the page, with its gestures.
"""

import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import pairwise
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import streamlit as st

from hiermeasures.app.binding import Slot
from hiermeasures.app.components import mount
from hiermeasures.app.server import LESSONS
from hiermeasures.cases.library import yaml_files
from hiermeasures.cases.reading import Fault
from hiermeasures.core.errors import InputError
from hiermeasures.explorer import controls
from hiermeasures.explorer.controls import Controls
from hiermeasures.explorer.outbox import Gesture, Inbox, Receiver
from hiermeasures.explorer.player.drawing import index_of
from hiermeasures.explorer.player.model import COURSE, PRACTICE, Host, Player, Shelf, new_sides
from hiermeasures.explorer.player.screen import drawn
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


OF_SESSION: dict[str, Callable[[], Lesson | None]] = {OPENED: lambda: LEARN.value.opened}
"""The lessons that only a session knows, by their keys."""


def lesson_of(key: str) -> Lesson:
    if key in OF_SESSION:
        if (lesson := OF_SESSION[key]()) is None:
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
    opened, found = LEARN.value.opened, []
    for key, title, library, before in (
        (COURSE, "", course(), ""),
        ("teachers", "From your teacher", teachers(), TEACHER),
    ):
        if key == COURSE or library.lessons or library.faults:
            index = partial(index_of, {before + lesson.key: lesson for lesson in library.lessons})
            found.append(Shelf(key, index, title, tuple(map(str, library.faults))))
    if opened is not None:
        found.append(Shelf("opened", partial(index_of, {OPENED: opened}), "Opened here"))
    return found


# --- the state ------------------------------------------------------------------------------------


HOST = Host(lesson_of, next_lesson, _shelves, draft=DRAFT, passing=(PRACTICE, f"{OPENED}/", f"{DRAFT}/"))


@dataclass(frozen=True)
class Learn:
    """The part that is shown, and the player, at a card or at the list. `opened` is the lesson from
    a file or link, with its text and the word of its link; `address` what the address bar shows.
    """

    player: Player = field(default_factory=lambda: Player(HOST, sides=new_sides()))
    part: Part = "course"
    practice: str = ""  # what the address says of practice
    opened: Lesson | None = None
    text: str = ""
    word: str = ""
    address: Mapping[str, str] | None = None


LEARN: Slot[Learn] = Slot("learn_model", Learn)


def show(part: Part) -> None:
    """Show a part from its beginning."""
    LEARN.set(showing(part, LEARN.value))


def showing(part: Part, at: Learn) -> Learn:
    return replace(at, part=part, player=replace(at.player.going(""), presenting=None))


def link(at: Mapping[str, str]) -> str:
    """Whole address of these parameters."""
    here = (st.context.url or "").partition("?")[0].rstrip("/").removesuffix("/learn")
    return f"{here}/learn?{urlencode(at)}"


# --- the player on the page ---------------------------------------------------------------------


KEY = "player"
Wish = Callable[[Learn], Learn]


@dataclass(frozen=True)
class Played:
    """The last drawn screen of a player, and what wishes make of the page; others stay in it."""

    inbox: Inbox
    screen: Callable[[Player], Controls] = lambda player: ()
    wishes: Mapping[str, Wish] = field(default_factory=dict)


PLAYED: Slot[Played] = Slot("played", lambda: Played(Inbox(Receiver(secrets.token_hex(8)))))


def play(screen: Callable[[Player], Controls], wishes: Mapping[str, Wish]) -> None:
    """Put the screen on the page; `receive` comes before it in a run."""
    PLAYED.change(screen=screen, wishes=wishes)
    player = LEARN.value.player
    mount(drawn(player, PLAYED.value.inbox.receiver, screen(player)), key=KEY, on_gestures=receive)


def apply_pending(key: str, inbox: Inbox, apply: Callable[[Gesture], None]) -> None:
    """Apply what the component of a key brought, each gesture once and in order."""
    state = st.session_state.get(key)
    inbox.apply(state.get("pending") if isinstance(state, Mapping) else None, apply)


def receive() -> None:
    """Apply what a person did with the player."""
    played = PLAYED.value
    apply_pending(KEY, played.inbox, lambda gesture: _apply(played, gesture))


def _apply(played: Played, gesture: Gesture) -> None:
    """Apply one; a wish is followed in the same change, for at the next the run may end."""
    player = LEARN.value.player
    made = controls.after(player, played.screen(player), gesture.component, gesture.kind, gesture.value)
    wish = played.wishes.get(made.wish)
    at = replace(LEARN.value, player=made if wish is None else replace(made, wish=""))
    LEARN.set(at if wish is None else wish(at))
