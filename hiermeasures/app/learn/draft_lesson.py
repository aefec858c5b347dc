"""The lesson in My lesson as an immutable state.

The state contains the entries of the cards with their faults, the drawing of the card in the form,
the history, and the browser's copy. It can write two files: the whole lesson, and the finished part
for students. Answers are computed. hiermeasures.teach reads and checks the entries.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Self

import streamlit as st

from hiermeasures.app.components import component
from hiermeasures.app.inbox import Slot, session_inbox
from hiermeasures.app.learn.model import DRAFT, SOURCES
from hiermeasures.draw.text import sentence
from hiermeasures.draw.views import OPENING, ViewState, with_measure, with_view
from hiermeasures.draw.views.sets import CLASSES
from hiermeasures.explore.library import figures, title_of
from hiermeasures.explore.loading import start
from hiermeasures.explore.model import EDIT, Pencil, State
from hiermeasures.explore.shown import History, Shown
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import Instance
from hiermeasures.measures.own import called, is_definition, parted
from hiermeasures.read.sandbox import sandboxed
from hiermeasures.read.source import Limits, Source
from hiermeasures.read.untrusted import parse
from hiermeasures.teach import KINDS, Card, Lesson, read_lesson
from hiermeasures.teach.cards import DRAWN, MOST_CARDS, usable_card
from hiermeasures.teach.kinds.value import Value
from hiermeasures.teach.library import answer_entry, card_entries, drop_empty, lesson_yaml
from hiermeasures.teach.player.drawing import choose_view
from hiermeasures.teach.player.model import Player, PlayerHost
from hiermeasures.teach.questions import Question
from hiermeasures.verify.library import entries_of_file
from hiermeasures.verify.quantities import SECOND
from hiermeasures.verify.reading import MAX_BYTES
from hiermeasures.verify.values import Piece

FILE = "my-lesson.yaml"
TITLE, LEARNS = "My lesson", "What the cards show."
FIELDS = ("lesson", "learns", "minutes", "options", "cards")
Entries = Mapping[str, Any]


@dataclass(frozen=True)
class DraftLesson:
    """The lesson with the place of the card in the form, from 0. `more` contains entries without a
    field.
    """

    title: str = TITLE
    learns: str = LEARNS
    minutes: int = 5
    cards: tuple[Entries, ...] = ()
    at: int = 0
    more: Entries = field(default_factory=dict)

    @property
    def chosen(self) -> int:
        return max(0, min(self.at, len(self.cards) - 1))

    @property
    def card(self) -> Entries:
        """The card in the form, or an empty one."""
        return self.cards[self.chosen] if self.cards else {}

    def adding(self, *cards: Entries, at: int | None = None) -> Self:
        if len(self.cards) + len(cards) > MOST_CARDS:
            raise InputError(f"a lesson has {MOST_CARDS} cards at most")
        at = len(self.cards) if at is None else at
        return replace(self, cards=(*self.cards[:at], *cards, *self.cards[at:]), at=at)

    def with_card(self, *card: Entries) -> Self:
        k = self.chosen
        return replace(
            self,
            cards=(*self.cards[:k], *card, *self.cards[k + 1 :]),
            at=k if card else max(0, k - 1),
        )

    def moved(self, by: int) -> Self:
        k, cards = self.chosen, list(self.cards)
        if not 0 <= k + by < len(cards):
            return self
        cards[k], cards[k + by] = cards[k + by], cards[k]
        return replace(self, cards=tuple(cards), at=k + by)

    def entries(self, cards: Iterable[Entries]) -> dict[str, Any]:
        """Return the entries of a lesson file with these cards."""
        about = {"lesson": self.title.strip() or TITLE, "learns": self.learns.strip() or LEARNS}
        return {**about, "minutes": str(self.minutes), **self.more, "cards": list(cards)}


def card_of(
    shown: Shown, at: ViewState, others: Iterable[str] = (), second: Shown | None = None
) -> Entries:
    """Return the Explorer's state as the entries of a card. InputError if a card cannot show it."""
    measures = tuple(dict.fromkeys([at.measure, *others]))
    brought = with_measure(OPENING, at.measure).view
    case = shown.case if shown.case in figures() and not shown.changed else ""
    return card_entries(
        shown.instance,
        second.instance if second is not None else None,
        title=title_of(shown),
        case=case or "",
        view="" if at.view == brought else at.view,
        measures=[called(key) for key in measures],
        define=dict(parted(key) for key in measures if is_definition(key)),
    )


def blank_card() -> Entries:
    """Return the entries of a card with one class and no title."""
    one = Shown.make(start("blank"), title="").instance
    return {**card_entries(one, title="-"), "title": ""}


def redraw_card(card: Entries, k: int, instance: Instance) -> Entries:
    """Return the entries of a card with another k-th instance.

    If both predictions shared a hierarchy or true classes, they still do. A figure keeps its
    hierarchy.
    """
    shown = draw_card(card)
    old, instances = shown.instances[k], list(shown.instances)
    instances = [
        instance if j == k else _following(other, old, instance)
        for j, other in enumerate(instances)
    ]
    made = card_entries(instances[0], *instances[1:], title="-")
    new = {name: value for name, value in made.items() if name in DRAWN}
    stays = {name: value for name, value in card.items() if name not in DRAWN}
    if card.get("case") and instances[0].hierarchy == shown.instances[0].hierarchy:
        stays |= {name: card[name] for name in ("case", "options", "define") if name in card}
        new = {
            name: value
            for name, value in new.items()
            if name not in ("hierarchy", "options", "define")
        }
    elif shown.subject.define:
        new["define"] = dict(shown.subject.define)
    return {**stays, **new}


def _following(other: Instance, old: Instance, new: Instance) -> Instance:
    """Return the other prediction of a card after a change of the first."""
    made = other
    if other.hierarchy == old.hierarchy != new.hierarchy:
        gone, come = (
            set(a.hierarchy.nodes) - set(b.hierarchy.nodes) for a, b in ((old, new), (new, old))
        )
        names = dict(zip(gone, come, strict=True)) if len(gone) == len(come) == 1 else {}
        there = set(new.hierarchy.nodes)
        true, predicted = (
            frozenset(names.get(c, c) for c in side) & there
            for side in (other.true, other.predicted)
        )
        made = Instance(new.hierarchy, true, predicted, other.options)
    if other.true == old.true != new.true and made.hierarchy == new.hierarchy:
        made = made.with_classes("true", new.true)
    return made


@dataclass(frozen=True)
class Checked:
    """A checked card: its entries with the computed answer, the usable part of the card, and faults
    by entry.

    The card has its question if it can be asked.
    """

    entries: Entries
    card: Card | None = None
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def question(self) -> Question | None:
        return self.card.question if self.card is not None else None

    @property
    def answer(self) -> str:
        """Return the answer in words, or ""."""
        asked = self.question
        return asked.judge(asked.answer()).answer_words if asked is not None else ""

    @property
    def spoiler(self) -> str:
        """Return a warning if the text reveals the answer, or ""."""
        asked = self.question
        if self.card is None or asked is None or not asked.instances:
            return ""
        for piece in (piece for pieces in self.card.text for piece in pieces):
            if piece.kind in ("value", "classes") and _gives_away(piece, asked, self.answer):
                return f"The text contains the answer: {piece.text}. Students read it first."
        return ""

    @property
    def reason(self) -> str:
        return next(iter(self.faults.values()), "")


def _gives_away(piece: Piece, asked: Question, answer: str) -> bool:
    """Return True if a computed part of a text answers a question or shows the compared values."""
    if isinstance(asked, Value) and piece.kind == "value":
        try:
            return asked.same(piece.text, asked.answer())
        except InputError:  # a value that is undefined
            return False
    if piece.kind == "classes" or not asked.asks_values:
        return piece.text == answer
    entry = asked.entry
    compared = {getattr(entry, "measure", ""), *getattr(entry, "choices", ())}
    return piece.expression.removesuffix(SECOND) in compared


def draw_card(card: Entries) -> Card:
    """Return the content of a card despite other faults. InputError if the drawing is faulty."""
    found = check_card({"title": "-", **{name: card[name] for name in DRAWN if name in card}})
    if found.card is None or found.faults:
        raise InputError(found.reason)
    return found.card


def check_card(card: Entries) -> Checked:
    return _check_text(_as_json(card))


@lru_cache(maxsize=400)
def _check_text(text: str) -> Checked:
    entries: dict[str, Any] = json.loads(text)
    card, faults = usable_card(drop_empty(entries))
    if not str(entries.get("title") or "").strip():
        faults = {**faults, "title": "this card has no title yet"}
    question = entries.get("question") or {}
    form = KINDS[question["kind"]].Entry.form() if question else {}
    if to_choose := [
        part.label for name, part in form.items() if part.needed and not question.get(name)
    ]:
        faults = {**faults, "question": f"still to be chosen: {to_choose[0]}"}
    if card is not None and card.question is not None:
        entries["question"] = {**question, "answer": answer_entry(card.question)}
    return Checked(entries, card, {name: sentence(InputError(why)) for name, why in faults.items()})


@dataclass(frozen=True)
class Finished:
    """The lesson for students: its file, the places of its cards, and omitted parts."""

    text: str
    places: tuple[int, ...]
    notes: tuple[str, ...]

    def place(self, k: int) -> int:
        """Return the place of the k-th card in the students' lesson, or of the card before it."""
        return max(sum(place <= k for place in self.places) - 1, 0)


def finish_lesson(lesson: DraftLesson) -> Finished:
    return _finish_text(as_text(lesson))


@lru_cache(maxsize=8)
def _finish_text(text: str) -> Finished:
    lesson, cards, notes = from_text(text), {}, []
    for k, card in enumerate(lesson.cards):
        found = check_card(card)
        without = check_card({name: value for name, value in card.items() if name != "question"})
        if usable := next((each for each in (found, without) if not each.faults), None):
            cards[k] = usable.entries
        if found.faults:
            what = "the question of card" if k in cards else "card"
            notes.append(f"Left out because it is not finished: {what} {k + 1}. {found.reason}")
    if not cards:
        raise InputError("No card is finished yet." if lesson.cards else "There is no card yet.")
    return Finished(lesson_yaml(lesson.entries(cards.values())), tuple(cards), tuple(notes))


def as_file(lesson: DraftLesson) -> str:
    """Return the lesson file with unfinished cards. A finished lesson reads back unchanged."""
    return lesson_yaml(lesson.entries(check_card(card).entries for card in lesson.cards))


def as_text(lesson: DraftLesson) -> str:
    """Return the lesson as a browser keeps it, for `from_text`."""
    about = {"lesson": lesson.title, "learns": lesson.learns, "minutes": str(lesson.minutes)}
    return _as_json({**about, **lesson.more, "cards": list(lesson.cards)})


def _as_json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def is_kept_whole(text: str) -> bool:
    """Return True if a text is small enough to be read again."""
    return len(text.encode("utf-8", "replace")) <= MAX_BYTES


def from_text(text: str) -> DraftLesson:
    """Return a lesson from an untrusted text of a browser. InputError if it cannot be read."""
    if not is_kept_whole(text):
        raise InputError("the copy in this browser is too large for a lesson")
    return _read_entries(
        parse(
            text, Source("my lesson", limits=Limits(bytes=MAX_BYTES, lines=MAX_BYTES, nesting=30))
        )
    )


def from_file(content: bytes, name: str) -> DraftLesson:
    """Return a finished or unfinished lesson from its file. An InputError names the file."""
    try:
        return _read_entries(sandboxed(entries_of_file, content, name))
    except InputError as fault:
        raise InputError(str(fault) if name in str(fault) else f"{name}: {fault}") from None


def _read_entries(data: Any) -> DraftLesson:
    """Return a lesson from entries. Each card gets a copy of the lesson's options."""
    cards = data.get("cards") if isinstance(data, Mapping) else None
    if not isinstance(cards, list) or not all(
        isinstance(card, Mapping) and _all_text(card) for card in cards
    ):
        raise InputError(
            "this file is not a lesson: the entry 'cards', a list of cards, is missing"
        )
    if len(cards) > MOST_CARDS:
        raise InputError(f"a lesson has {MOST_CARDS} cards at most")
    minutes = str(data.get("minutes", ""))
    return DraftLesson(
        title=_text(data.get("lesson")),
        learns=_text(data.get("learns")),
        minutes=int(minutes)
        if minutes.isascii() and minutes.isdigit() and 1 <= len(minutes) < 4
        else 5,
        cards=tuple(_plain_card(card, data.get("options")) for card in cards),
        more={
            name: value for name, value in data.items() if name not in FIELDS and _all_text(value)
        },
    )


def _plain_card(card: Entries, options: Any) -> Entries:
    """Return the entries of a card that fit the form: texts, lists of texts, and texts by name."""
    drawing = {
        name: card[name] for name in DRAWN if name in card and name not in ("define", "options")
    }
    texts = {name: _text(card.get(name)) for name in ("title", "text", "view")}
    lists = {
        name: card[name] for name in ("measures", "hidden", "claims") if _is_text(card.get(name))
    }
    question, define = _texts(card.get("question")), _texts(card.get("define"))
    both = {**_texts(options), **_texts(card.get("options"))}
    more = {
        "question": question if _text(question.get("kind")) in KINDS else {},
        "define": define,
        "options": both,
        "probabilities": _texts(card.get("probabilities")),
        "table": card["table"] if isinstance(card.get("table"), list) else [],
    }
    return {**drawing, **texts, **lists, **{name: value for name, value in more.items() if value}}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _all_text(content: Any) -> bool:
    """Return True if entries contain only text, as in a file."""
    if isinstance(content, Mapping):
        return all(isinstance(name, str) and _all_text(part) for name, part in content.items())
    return isinstance(content, str) or (isinstance(content, list) and all(map(_all_text, content)))


def _is_text(value: Any) -> bool:
    return isinstance(value, str | list) and all(isinstance(part, str) for part in value)


def _texts(value: Any) -> dict[str, Any]:
    return (
        {name: part for name, part in value.items() if _is_text(part)}
        if isinstance(value, Mapping)
        else {}
    )


MODEL = "my_lesson"  # which gestures on the screen name
STORE = "my_lesson_kept"
STYLE = f"<style>.st-key-{STORE} {{ display: none; }}</style>"
ANSWER = "answer"  # mode of the drawing, besides marking and editing: it shows the answer


@dataclass(frozen=True)
class BrowserCopy:
    """The copy in the browser, or the reason why it is missing."""

    read: bool = False
    wanted: bool = True
    fault: str = ""


@dataclass(frozen=True)
class Writing:
    """A lesson during editing.

    `editor` draws the k-th prediction of the card in the form. `wish` is "try" or "present". `menu`
    and `faults` belong to the controls (controls.py).
    """

    history: History[DraftLesson] = field(default_factory=lambda: History(DraftLesson()))
    k: int = 0
    editor: State | None = None
    kept: BrowserCopy = field(default_factory=BrowserCopy)
    wish: str = ""
    menu: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)

    @property
    def lesson(self) -> DraftLesson:
        return self.history.present

    @property
    def checked(self) -> Checked:
        return check_card(self.lesson.card)

    @property
    def question(self) -> Entries:
        """The entries of the card's question."""
        found: Entries = self.lesson.card.get("question") or {}
        return found

    @property
    def kind(self) -> str:
        kind = self.question.get("kind", "")
        return kind if kind in KINDS else ""

    def to(self, lesson: DraftLesson) -> Self:
        return replace(self, history=self.history.to(lesson), faults={})

    def undone(self) -> Self:
        return replace(self, history=self.history.undo())

    def redone(self) -> Self:
        return replace(self, history=self.history.redo())

    def adding(self, card: Entries) -> Self:
        return replace(self.to(self.lesson.adding(card)), k=0)

    def with_shown(self, state: State) -> Self:
        """Return a copy with one more card, from the Explorer's instance and the pinned one."""
        second = state.compared.shown if state.compared else None
        return self.adding(card_of(state.shown, state.view_state, sorted(state.kept), second))

    def choosing(self, k: int) -> Self:
        at = replace(self.history, present=replace(self.lesson, at=k))
        return replace(self, history=at, k=0, faults={})

    def entering(self, **entries: Any) -> Self:
        if not self.lesson.cards:
            return self
        card = {
            name: value
            for name, value in {**self.lesson.card, **entries}.items()
            if value is not None
        }
        return self.to(self.lesson.with_card(card))

    def asking(self, **entries: Any) -> Self:
        """Return a copy with changed entries of the card's question. An empty entry is removed."""
        question = {**self.question, **entries}
        return self.entering(
            question={
                name: value for name, value in question.items() if value not in ("", [], None)
            }
        )

    def clicking(self, mode: str) -> Self:
        return (
            replace(self, editor=replace(self.editor, click=mode))
            if self.editor is not None
            else self
        )

    def drawing(self, change: Callable[[State], State]) -> Self:
        if (before := self.editor) is None:
            return self
        after = change(before)
        made = replace(self, editor=after)
        if after.shown is before.shown:
            return made
        return made.to(
            self.lesson.with_card(redraw_card(self.lesson.card, self.k, after.shown.instance))
        )

    def ready(self) -> Self:
        """Return a copy with the drawing of the card in the form."""
        try:
            instances = draw_card(self.lesson.card).instances if self.lesson.cards else ()
        except InputError:
            instances = ()
        if not instances:
            return replace(self, editor=None)
        click = self.editor.click if self.editor is not None else ""
        k = self.k if self.k < len(instances) and click != ANSWER else 0
        at = self.editor or State(History(Shown(instances[k], "")))
        if at.shown.instance != replace(instances[k], exact_work=at.shown.instance.exact_work):
            at = replace(at, history=History(Shown(instances[k], "")), pencil=Pencil(), lines=None)
        if (at.click == ANSWER and not self.kind) or at.click not in (
            "true",
            "predicted",
            EDIT,
            ANSWER,
        ):
            at = replace(at, click="predicted")
        card = self.checked.card
        seen = (
            choose_view(NOBODY, card, "") if card is not None else with_view(OPENING, CLASSES.key)
        )
        return replace(self, k=k, editor=replace(at, view_state=seen).arranged())

    def told(self, message: Any) -> Self:
        """Return a copy after a message of kept.js, which is untrusted.

        The message contains the text that the browser keeps, or the reason why it keeps no text.
        Cards from this session follow the cards in the text.
        """
        if not isinstance(message, Mapping):
            return self
        text, fault = message.get("text"), message.get("fault")
        kept = replace(self.kept, read=True, fault=fault[:200] if isinstance(fault, str) else "")
        made = replace(self, kept=kept)
        if self.kept.read and message.get("begins"):  # heard from another page before
            return made
        if not isinstance(text, str) or not text or text == as_text(self.lesson):
            return made
        try:
            found = from_text(text)
            if self.kept.read:  # it was changed in another window
                return made.to(found)
            return replace(
                made,
                history=History(found.adding(*self.lesson.cards) if self.lesson.cards else found),
            )
        except InputError as reason:
            return replace(made, kept=replace(kept, fault=sentence(reason)))

    def kept_text(self) -> str | None:
        """The text for the browser to keep, or None if it is unchanged or too large."""
        if not (self.kept.read and self.kept.wanted) or self.lesson == replace(
            DraftLesson(), at=self.lesson.at
        ):
            return None
        text = as_text(self.lesson)
        return text if is_kept_whole(text) else None

    @property
    def kept_words(self) -> str:
        """Words for the place where the lesson is saved."""
        why = self.kept.fault or ("" if is_kept_whole(as_text(self.lesson)) else "it is too large")
        saved = (
            "Saved in this browser" if self.kept.wanted and not why else "Not saved in this browser"
        )
        return f"{saved}: {why}" if why else saved


def _nothing(key: str) -> Lesson:
    raise InputError("there is no lesson")


NOBODY = Player(PlayerHost(_nothing))
WRITING: Slot[Writing] = Slot("my_lesson", Writing)
"""The lesson of this session."""


def keep() -> None:
    """Save a copy of the lesson in the browser, and continue with an earlier copy."""
    at = WRITING.value
    data = {
        "address": {**session_inbox().address(MODEL), "key": STORE},
        "read": at.kept.read,
        "forget": not at.kept.wanted,
        "fault": bool(at.kept.fault),
        "text": at.kept_text(),
    }
    st.html(STYLE)
    component("kept")(key=STORE, data=data)


@lru_cache(maxsize=8)
def _lesson_of(text: str) -> Lesson:
    return read_lesson(text.encode(), FILE)


SOURCES[DRAFT] = lambda key: _lesson_of(finish_lesson(WRITING.value.lesson).text)
