"""The lesson that a person makes: its entries, its cards as they are added from the Explorer, and what is wrong with
each.

Entries are plain, as a lesson's file holds them; the answers of questions are computed and filled in. Reading, and so
checking, is hiermeasures.lessons'. The form is my_lesson.py's.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hiermeasures.cases.reading import document_of, worded
from hiermeasures.errors import InputError
from hiermeasures.lessons import Card, Lesson, read_lesson
from hiermeasures.lessons.format import MOST_CARDS, QuestionEntry
from hiermeasures.lessons.kinds import question_of
from hiermeasures.lessons.writing import answer_entry, card_entries, lesson_yaml
from hiermeasures.measures.own import called, is_definition, parted
from hiermeasures.ui.binding import Slot
from hiermeasures.ui.learn.model import MINE as KEY
from hiermeasures.ui.learn.model import lessons_of_session
from hiermeasures.ui.library import figure, figures
from hiermeasures.ui.state import Shown
from hiermeasures.ui.views import OPENING, ViewState, with_measure

FILE = "my-lesson.yaml"
BEFORE = re.compile(rf"{re.escape(FILE)}(, line \d+)?: (card \d+: )?")
AUTHORS = "make"  # of a question of this kind the answer is the author's example
Entries = Mapping[str, Any]


@dataclass(frozen=True)
class MyLesson:
    """The lesson being made. `at` is the card in the form, counted from 0, `deleted` the card deleted last."""

    title: str = "My lesson"
    learns: str = "What the cards show."
    minutes: int = 5
    cards: tuple[Entries, ...] = ()
    at: int = 0
    deleted: Entries | None = None

    @property
    def chosen(self) -> int:
        """The card in the form."""
        return max(0, min(self.at, len(self.cards) - 1))


@dataclass(frozen=True)
class Checked:
    """A card as it stands: its entries with the computed answer, the card if it can be shown, why it cannot, and why
    its question cannot be asked.
    """

    entries: Entries
    card: Card | None = None
    fault: str = ""
    question_fault: str = ""
    answer: str = ""

    @property
    def reason(self) -> str:
        """What is wrong, if anything."""
        return self.fault or self.question_fault


MY_LESSON: Slot[MyLesson] = Slot("my_lesson", MyLesson)


def mine() -> MyLesson:
    """The lesson of this session."""
    return MY_LESSON.value


def change(**parts: Any) -> None:
    """Replace parts of it."""
    MY_LESSON.set(replace(mine(), **parts))


# --- cards --------------------------------------------------------------------------------------------------------


def add_card(shown: Shown, at: ViewState, others: Iterable[str] = (), second: Shown | None = None) -> None:
    """A card of what the Explorer shows: with the chosen measure and others, and a second prediction on the same
    hierarchy. InputError where it cannot be one.
    """
    if len(mine().cards) >= MOST_CARDS:
        raise InputError(f"a lesson has {MOST_CARDS} cards at most")
    measures = tuple(dict.fromkeys([at.measure, *others]))
    brought = with_measure(OPENING, at.measure).view
    same = shown.case in figures() and figure(shown.case or "").instance == shown.instance
    entries = card_entries(
        shown.instance,
        second.instance if second is not None else None,
        title=shown.title,
        case=(shown.case or "") if same else "",
        view="" if at.view == brought else at.view,
        measures=[called(key) for key in measures],
        define=dict(parted(key) for key in measures if is_definition(key)),
    )
    change(cards=(*mine().cards, entries), at=len(mine().cards))


def change_card(**entries: Any) -> None:
    """Replace entries of the card in the form; None takes one away."""
    if not mine().cards:
        return
    k = mine().chosen
    changed = {name: value for name, value in {**mine().cards[k], **entries}.items() if value is not None}
    change(cards=(*mine().cards[:k], changed, *mine().cards[k + 1 :]))


def delete_card() -> None:
    """Without the card in the form."""
    if not mine().cards:
        return
    k = mine().chosen
    change(cards=(*mine().cards[:k], *mine().cards[k + 1 :]), at=max(0, k - 1), deleted=mine().cards[k])


def restore_card() -> None:
    """The card deleted last, as the last one, if there is room for it."""
    if (deleted := mine().deleted) is not None and len(mine().cards) < MOST_CARDS:
        change(cards=(*mine().cards, deleted), at=len(mine().cards), deleted=None)


def move_card(by: int) -> None:
    """The card in the form before the one above it, or after the one below."""
    k, cards = mine().chosen, list(mine().cards)
    if 0 <= k + by < len(cards):
        cards[k], cards[k + by] = cards[k + by], cards[k]
        change(cards=tuple(cards), at=k + by)


# --- checking and files -------------------------------------------------------------------------------------------


def checked(card: Entries) -> Checked:
    """A card with all that is wrong with it, worked out once for the same entries."""
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
        asked = question_of(_question(question), card.subject)
        answer = answer_entry(asked)
        whole = {**entries, "question": {**question, "answer": answer}}
        words = asked.judge(asked.answer()).answer_words
        return Checked(whole, _read([whole]).cards[0], answer=words)
    except InputError as fault:
        return Checked({**entries, "question": question}, card, question_fault=_reason(fault))


def _question(entries: Entries) -> QuestionEntry:
    """The question's entries; the author's answer is looked at only where it is an example."""
    kept = {k: v for k, v in entries.items() if v not in ("", [], None) and (k != "answer" or _has_example(entries))}
    try:
        return QuestionEntry.model_validate(kept)
    except ValidationError as error:
        raise InputError(worded(error.errors()[0], QuestionEntry)) from None


def _has_example(entries: Entries) -> bool:
    return bool(entries.get("kind") == AUTHORS)


def _read(cards: list[Entries]) -> Lesson:
    return read_lesson(lesson_yaml({"lesson": "-", "learns": "-", "minutes": "1", "cards": cards}).encode(), FILE)


def _reason(fault: InputError) -> str:
    """A fault of a file as one of the form."""
    words = BEFORE.sub("", str(fault), count=1)
    return f"{words[:1].upper()}{words[1:]}."


def as_file(lesson: MyLesson) -> str:
    """The text of its file, which reads back as the same lesson.

    Raises
    ------
    InputError
        Where a card is wrong, with its number; where there is none; and without a title or what one learns.
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
        return _lesson(as_file(mine()))
    except InputError:
        return None


lessons_of_session(KEY, as_lesson)


def edit_text(text: str) -> None:
    """Go on with a lesson's file. The options of the whole are written to its cards."""
    data = document_of(text.encode(), Path(FILE), FILE).data
    options = data.get("options", {})
    cards = [{**card, "options": {**options, **card.get("options", {})}} for card in data["cards"]]
    minutes = int(data["minutes"])
    MY_LESSON.set(MyLesson(data["lesson"], data["learns"], minutes, tuple(cards)))
