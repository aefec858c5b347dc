"""The state of the screen of My lesson, as one immutable value: the lesson with its history, the
drawing of the card in the form, which the Explorer's gestures change, and how the browser keeps it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import streamlit as st

from hiermeasures.app import components
from hiermeasures.app.binding import Slot
from hiermeasures.app.components import component
from hiermeasures.app.learn import draft_lesson
from hiermeasures.app.learn.draft_lesson import Checked, DraftLesson
from hiermeasures.app.learn.model import DRAFT, lessons_of_session
from hiermeasures.core.errors import InputError
from hiermeasures.explorer.model import EDIT, Pencil, State
from hiermeasures.explorer.player.drawing import looked_at
from hiermeasures.explorer.player.model import Host, Player
from hiermeasures.explorer.state import History, Shown
from hiermeasures.lessons import KINDS, Lesson
from hiermeasures.measures import Instance
from hiermeasures.picture.text import sentence
from hiermeasures.picture.views import OPENING, ViewState, with_view
from hiermeasures.picture.views.sets import CLASSES

STORE = "my_lesson_kept"
STYLE = f"<style>.st-key-{STORE} {{ display: none; }}</style>"
ANSWER = "answer"  # what a click does besides marking and editing: it chooses the answer


@dataclass(frozen=True)
class Kept:
    """The copy in the browser, and why there is none; `turn` is of the last message of kept.js."""

    read: bool = False
    wanted: bool = True
    fault: str = ""
    turn: str = ""


@dataclass(frozen=True)
class Writing:
    """A lesson being written. `editor` is the drawing of the card in the form, of its k-th
    prediction, with what a click does. `wish` is what a person asked of the page: "try" or
    "present". `menu` and `faults` are the controls' (controls.py).
    """

    history: History[DraftLesson] = field(default_factory=lambda: History(DraftLesson()))
    k: int = 0
    editor: State | None = None
    kept: Kept = field(default_factory=Kept)
    wish: str = ""
    menu: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def lesson(self) -> DraftLesson:
        return self.history.present

    @property
    def checked(self) -> Checked:
        """The card in the form, checked."""
        return draft_lesson.checked(self.lesson.card)

    @property
    def click(self) -> str:
        """The mode of a click on the drawing."""
        return self.editor.click if self.editor is not None else ""

    @property
    def kind(self) -> str:
        """The kind of the card's question; "" for none."""
        kind = (self.lesson.card.get("question") or {}).get("kind", "")
        return kind if kind in KINDS else ""

    # --- changes --------------------------------------------------------------------------------

    def to(self, lesson: DraftLesson) -> Self:
        """Return a copy with another lesson; undo goes back to this one."""
        return replace(self, history=self.history.to(lesson), faults={})

    def undone(self) -> Self:
        return replace(self, history=self.history.undo())

    def redone(self) -> Self:
        return replace(self, history=self.history.redo())

    def adding(self, card: draft_lesson.Entries) -> Self:
        """Return a copy with a further card, in the form; InputError if the lesson is full."""
        return replace(self.to(self.lesson.adding(card)), k=0)

    def with_shown(self, state: State) -> Self:
        """Return a copy with a further card: what an Explorer shows, and what is pinned there."""
        second = state.compared.shown if state.compared else None
        return self.adding(draft_lesson.card_of(state.shown, state.view_state, sorted(state.kept), second))

    def choosing(self, k: int) -> Self:
        """Return a copy with another card in the form."""
        at = replace(self.history, present=replace(self.lesson, at=k))
        return replace(self, history=at, k=0, faults={})

    def entering(self, **entries: Any) -> Self:
        """Return a copy with other entries of the card in the form."""
        return self.to(self.lesson.changing(**entries)) if self.lesson.cards else self

    def asking(self, **entries: Any) -> Self:
        """Return a copy with other entries of the card's question; an empty one is removed."""
        question = {**(self.lesson.card.get("question") or {}), **entries}
        return self.entering(question={name: value for name, value in question.items() if value not in ("", [], None)})

    def clicking(self, mode: str) -> Self:
        """Return a copy in which a click on the drawing does this."""
        return replace(self, editor=replace(self.editor, click=mode)) if self.editor is not None else self

    def drawing(self, change: Callable[[State], State]) -> Self:
        """Return a copy after a change of its drawing."""
        if (before := self.editor) is None:
            return self
        after = change(before)
        made = replace(self, editor=after)
        if after.shown is before.shown:
            return made
        card = draft_lesson.redrawn(self.lesson.card, self.k, after.shown.instance)
        return made.to(self.lesson.with_card(card))

    def ready(self) -> Self:
        """Return a copy with the drawing of the card in the form."""
        try:
            instances = draft_lesson.drawn(self.lesson.card).instances if self.lesson.cards else ()
        except InputError:
            instances = ()
        if not instances:
            return replace(self, editor=None)
        k = self.k if self.k < len(instances) and self.click != ANSWER else 0
        at = self.editor or State(History(Shown(instances[k], "")))
        if not _same(at.shown.instance, instances[k]):
            at = replace(at, history=History(Shown(instances[k], "")), pencil=Pencil(), lines=None)
        if (at.click == ANSWER and not self.kind) or at.click not in ("true", "predicted", EDIT, ANSWER):
            at = replace(at, click="predicted")
        return replace(self, k=k, editor=replace(at, view_state=self._looked_at()).arranged())

    def _looked_at(self) -> ViewState:
        card = self.checked.card
        return looked_at(NOBODY, card, "") if card is not None else with_view(OPENING, CLASSES.key)

    # --- the copy in the browser ----------------------------------------------------------------

    def told(self, message: Any) -> Self:
        """Return a copy after an untrusted message of kept.js: the text that the browser keeps, ""
        for none, or why it keeps none. Cards that were made before it was read come after its own.
        """
        turn = message.get("turn") if isinstance(message, Mapping) else None
        if not isinstance(turn, str) or turn == self.kept.turn:
            return self
        text, fault = message.get("text"), message.get("fault")
        kept = replace(self.kept, turn=turn, fault=fault[:200] if isinstance(fault, str) else "")
        made = replace(self, kept=replace(kept, read=True))
        if self.kept.read and message.get("begins"):  # heard from another page before
            return made
        if not isinstance(text, str) or not text or text == draft_lesson.as_text(self.lesson):
            return made
        try:
            found = draft_lesson.from_text(text)
            if self.kept.read:  # it was changed in another window
                return made.to(found)
            return replace(made, history=History(found.adding(*self.lesson.cards) if self.lesson.cards else found))
        except InputError as reason:
            return replace(made, kept=replace(made.kept, fault=sentence(reason)))

    def kept_text(self) -> str | None:
        """The text that the browser is to keep; None where nothing is to be done, or too large."""
        if not (self.kept.read and self.kept.wanted) or self.lesson == replace(DraftLesson(), at=self.lesson.at):
            return None
        text = draft_lesson.as_text(self.lesson)
        return text if draft_lesson.is_kept_whole(text) else None

    @property
    def kept_words(self) -> str:
        """The words for where the lesson is kept."""
        large = not draft_lesson.is_kept_whole(draft_lesson.as_text(self.lesson))
        why = self.kept.fault or ("it is too large" if large else "")
        saved = "Saved in this browser" if self.kept.wanted and not why else "Not saved in this browser"
        return f"{saved}: {why}" if why else saved


def _same(one: Instance, other: Instance) -> bool:
    return one == replace(other, exact_work=one.exact_work)


def _nothing(key: str) -> Lesson:
    raise InputError("there is no lesson")


NOBODY = Player(Host(_nothing))


# --- in a session ---------------------------------------------------------------------------------

WRITING: Slot[Writing] = Slot("my_lesson", Writing)


def draft() -> DraftLesson:
    """The lesson of this session."""
    return WRITING.value.lesson


def add(card: draft_lesson.Entries) -> None:
    """Add a card to it; InputError where there is no room."""
    WRITING.set(WRITING.value.adding(card))


def add_shown(state: State) -> None:
    """Add a card of what an Explorer shows."""
    WRITING.set(WRITING.value.with_shown(state))


def keep() -> None:
    """Have the browser keep a copy of the lesson, and go on with the copy that it kept before."""
    state = st.session_state.get(STORE)
    at = WRITING.value.told(state.get("told") if isinstance(state, Mapping) else None)
    WRITING.set(at)
    data = {
        "session": components.receiver().session,
        "read": at.kept.read,
        "forget": not at.kept.wanted,
        "fault": bool(at.kept.fault),
        "text": at.kept_text(),
    }
    st.html(STYLE)
    component("kept")(key=STORE, data=data, on_told_change=lambda: None)


def edit_text(text: str) -> None:
    """Go on with the text of a lesson's file, which was read before."""
    WRITING.set(WRITING.value.to(draft_lesson.from_file(text.encode(), draft_lesson.FILE)))


def as_lesson() -> Lesson | None:
    """The lesson as it is shown to students; None while nothing of it is finished."""
    try:
        return draft_lesson.lesson_of_text(draft_lesson.finished(draft()).text)
    except InputError:
        return None


lessons_of_session(DRAFT, as_lesson)
