"""The lesson that a person makes: its entries, its cards as they are added from the Explorer, and
what is wrong with each.

Entries are plain, as a lesson's file holds them; the answers of questions are computed and filled
in. Reading, and so checking, is hiermeasures.lessons'. The form is draft_form.py's.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hiermeasures.app.binding import Slot
from hiermeasures.app.learn.model import DRAFT, lessons_of_session
from hiermeasures.cases.documents import document_of
from hiermeasures.core.errors import InputError
from hiermeasures.explorer.library import figures, title_of
from hiermeasures.explorer.state import Shown
from hiermeasures.lessons import KINDS, Card, Lesson, read_lesson
from hiermeasures.lessons.cards import MOST_CARDS
from hiermeasures.lessons.kinds import question_of
from hiermeasures.lessons.writing import answer_entry, card_entries, lesson_yaml
from hiermeasures.measures.own import called, is_definition, parted
from hiermeasures.picture.views import OPENING, ViewState, with_measure

FILE = "my-lesson.yaml"
BEFORE = re.compile(rf"{re.escape(FILE)}(, line \d+)?: (card \d+: )?")
Entries = Mapping[str, Any]


@dataclass(frozen=True)
class DraftLesson:
    """The lesson being made, with the card in the form, from 0, and the one deleted last."""

    title: str = "My lesson"
    learns: str = "What the cards show."
    minutes: int = 5
    cards: tuple[Entries, ...] = ()
    at: int = 0
    deleted: Entries | None = None

    @property
    def chosen(self) -> int:
        return max(0, min(self.at, len(self.cards) - 1))


@dataclass(frozen=True)
class Checked:
    """A card as it stands: its entries with the computed answer, the card if it can be shown, why
    it cannot, and why its question cannot be asked.
    """

    entries: Entries
    card: Card | None = None
    fault: str = ""
    question_fault: str = ""
    answer: str = ""

    @property
    def reason(self) -> str:
        """Everything that is wrong, if anything."""
        return self.fault or self.question_fault


DRAFT_LESSON: Slot[DraftLesson] = Slot("my_lesson", DraftLesson)


def draft() -> DraftLesson:
    return DRAFT_LESSON.value


def change(**parts: Any) -> None:
    DRAFT_LESSON.set(replace(draft(), **parts))


# --- cards ----------------------------------------------------------------------------------------


def add_card(shown: Shown, at: ViewState, others: Iterable[str] = (), second: Shown | None = None) -> None:
    """Add a card of what the Explorer shows: with the chosen measure and others, and a second
    prediction on the same hierarchy. InputError where it cannot be one.
    """
    if len(draft().cards) >= MOST_CARDS:
        raise InputError(f"a lesson has {MOST_CARDS} cards at most")
    measures = tuple(dict.fromkeys([at.measure, *others]))
    brought = with_measure(OPENING, at.measure).view
    case = shown.case if shown.case in figures() and not shown.changed else ""
    entries = card_entries(
        shown.instance,
        second.instance if second is not None else None,
        title=title_of(shown),
        case=case or "",
        view="" if at.view == brought else at.view,
        measures=[called(key) for key in measures],
        define=dict(parted(key) for key in measures if is_definition(key)),
    )
    change(cards=(*draft().cards, entries), at=len(draft().cards))


def change_card(**entries: Any) -> None:
    """Replace entries of the card in the form; None takes one away."""
    if not draft().cards:
        return
    k = draft().chosen
    changed = {name: value for name, value in {**draft().cards[k], **entries}.items() if value is not None}
    change(cards=(*draft().cards[:k], changed, *draft().cards[k + 1 :]))


def delete_card() -> None:
    """Delete the card in the form."""
    if not draft().cards:
        return
    k = draft().chosen
    change(cards=(*draft().cards[:k], *draft().cards[k + 1 :]), at=max(0, k - 1), deleted=draft().cards[k])


def restore_card() -> None:
    """Bring the card deleted last back as the last one, if there is room for it."""
    if (deleted := draft().deleted) is not None and len(draft().cards) < MOST_CARDS:
        change(cards=(*draft().cards, deleted), at=len(draft().cards), deleted=None)


def move_card(by: int) -> None:
    """Put the card in the form before the one above it, or after the one below."""
    k, cards = draft().chosen, list(draft().cards)
    if 0 <= k + by < len(cards):
        cards[k], cards[k + by] = cards[k + by], cards[k]
        change(cards=tuple(cards), at=k + by)


# --- checking and files ---------------------------------------------------------------------------


def checked(card: Entries) -> Checked:
    """Check a card, once for the same entries."""
    return _checked(json.dumps(card, ensure_ascii=False))


@lru_cache(maxsize=200)
def _checked(text: str) -> Checked:
    entries: dict[str, Any] = json.loads(text)
    question = entries.pop("question", None)
    try:
        card = _read([entries]).cards[0]
    except InputError as fault:
        return Checked(entries, fault=_reason(fault))
    if not question:
        return Checked(entries, card)
    try:
        asked = question_of(_without_computed_answer(question), card.subject)
        answer = answer_entry(asked)
        whole = {**entries, "question": {**question, "answer": answer}}
        words = asked.judge(asked.answer()).answer_words
        return Checked(whole, _read([whole]).cards[0], answer=words)
    except InputError as fault:
        return Checked({**entries, "question": question}, card, question_fault=_reason(fault))


def _without_computed_answer(question: Entries) -> Entries:
    """The entries that hold something; an author's answer is kept only as an example."""
    kind = KINDS.get(question.get("kind", ""))
    unused = () if kind is not None and kind.example else ("answer",)
    return {name: value for name, value in question.items() if value not in ("", [], None) and name not in unused}


def _read(cards: list[Entries]) -> Lesson:
    return read_lesson(lesson_yaml({"lesson": "-", "learns": "-", "minutes": "1", "cards": cards}).encode(), FILE)


def _reason(fault: InputError) -> str:
    words = BEFORE.sub("", str(fault), count=1)
    return f"{words[:1].upper()}{words[1:]}."


def as_file(lesson: DraftLesson) -> str:
    """The text of its file, which reads back as the same lesson.

    Raises
    ------
    InputError
        Where a card is wrong, with its number, or missing; without a title or what one learns.
    """
    if not lesson.cards:
        raise InputError("There is no card yet.")
    if not lesson.title.strip():
        raise InputError("The lesson has no title yet.")
    if not lesson.learns.strip():
        raise InputError("It is not said yet what one learns.")
    found = [checked(card) for card in lesson.cards]
    for number, card in enumerate(found, 1):
        if card.reason:
            raise InputError(f"Card {number}: {card.reason}")
    about = {"lesson": lesson.title, "learns": lesson.learns, "minutes": str(lesson.minutes)}
    return lesson_yaml({**about, "cards": [card.entries for card in found]})


@lru_cache(maxsize=8)
def _lesson(text: str) -> Lesson:
    return read_lesson(text.encode(), FILE)


def as_lesson() -> Lesson | None:
    """The lesson as it is shown; None while it cannot be."""
    try:
        return _lesson(as_file(draft()))
    except InputError:
        return None


lessons_of_session(DRAFT, as_lesson)


def edit_text(text: str) -> None:
    """Go on with a lesson's file. The options of the whole are written to its cards."""
    data = document_of(text.encode(), Path(FILE), FILE).data
    options = data.get("options", {})
    cards = [{**card, "options": {**options, **card.get("options", {})}} for card in data["cards"]]
    minutes = int(data["minutes"])
    DRAFT_LESSON.set(DraftLesson(data["lesson"], data["learns"], minutes, tuple(cards)))
