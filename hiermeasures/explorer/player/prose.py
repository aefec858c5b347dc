"""The words of a card: paragraphs in which what was computed is set apart from the words around it.

Every text is shown as exactly its characters. prose.js sets it.
"""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import Literal

from hiermeasures.explorer.controls import Control, component
from hiermeasures.explorer.player.inputs import Answer
from hiermeasures.lessons.cards import Card
from hiermeasures.lessons.questions import Question, Verdict
from hiermeasures.lessons.values import PieceKind
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import named

MISSED = "Change your answer and check it once more, or have the answer shown."
_WORD = re.compile(r"\w+")
Look = Literal["text", "title", "question", "right", "wrong", "note"]


@dataclass(frozen=True)
class Part:
    """A part of a paragraph, and what it was computed of, which is said under the mouse."""

    text: str
    kind: PieceKind = "words"
    says: str = ""


@dataclass(frozen=True)
class Paragraph:
    """Parts in a row; a `title` is a heading, "right" and "wrong" have a sign before them."""

    parts: tuple[Part, ...]
    look: Look = "text"

    @classmethod
    def of(cls, text: str, look: Look = "text") -> "Paragraph":
        """A paragraph of words alone."""
        return cls((Part(text),), look)


def prose(
    key: str, paragraphs: Iterable[Paragraph], *, announced: bool = False, follow: tuple[str, str] | None = None
) -> Control:
    """A control that shows them; `announced` ones are read to those who listen to it when they come
    or change. `follow` is what they are about and its state: when the state changes, the focus goes
    to them and they come into view.
    """
    set_as = [{"look": p.look, "parts": [[part.text, part.kind, part.says] for part in p.parts]} for p in paragraphs]
    return component(key, "prose", lambda: {"paragraphs": set_as, "announced": announced, "follow": follow})


def card_text(card: Card) -> list[Paragraph]:
    """Title and text of a card, and where it is from."""
    text = [
        Paragraph(tuple(Part(p.text, p.kind, "" if p.kind == "words" else p.expression) for p in pieces))
        for pieces in card.text
    ]
    source = [Paragraph.of(card.source, "note")] if card.source else []
    return [Paragraph.of(card.title, "title"), *text, *source]


def asked_text(asked: Question, answer: Answer, known: Container[str] | None = None) -> list[Paragraph]:
    """A question, and the verdict once there is one, or what helps on after a miss. `known` are the
    measures that can be spoken of, where not all can.
    """
    found = [Paragraph.of(asked.words, "question")]
    if answer.verdict is not None:
        found += verdict_text(asked, answer.verdict, revealed=answer.revealed, known=known)
    elif answer.miss is not None:
        thought = _thought(answer.miss) or _fitting(answer.miss.would_be, known)
        hint = asked.hint()
        more = (thought, f"A hint: {hint}" if hint else "", MISSED)
        found += [_not_right(answer.miss), *(Paragraph.of(text) for text in more if text)]
    return found


def _not_right(verdict: Verdict) -> Paragraph:
    return Paragraph.of(f"Not right{f': {verdict.given_words}' if verdict.given_words else ''}", "wrong")


def _thought(verdict: Verdict) -> str:
    """The mistake, with the classes that are marked, for the drawing may be out of sight."""
    marked = {item for sides in verdict.mistaken for items in sides for item in items if isinstance(item, str)}
    return f"{verdict.thought} Marked on the drawing: {named(marked)}." if marked else verdict.thought


def _fitting(text: str, known: Container[str] | None) -> str:
    """The text, where it names no measure that is not known yet."""
    names = _WORD.findall(text)
    return text if known is None or all(name in known for name in names if name in CATALOGUE) else ""


def verdict_text(
    asked: Question, verdict: Verdict, *, revealed: bool = False, known: Container[str] | None = None
) -> list[Paragraph]:
    """A verdict: what is right, what a wrong answer would have been, and why."""
    answer = verdict.answer_words
    if revealed:
        found = [Paragraph.of(f"The answer: {answer}", "right")]
    elif verdict.right:
        found = [Paragraph.of(f"Right: {verdict.given_words or answer}", "right")]
    else:
        found = [_not_right(verdict), Paragraph.of(f"The answer: {answer}")]
    wrong = "" if revealed or verdict.right else _thought(verdict) or _fitting(verdict.would_be, known)
    more = (wrong, verdict.why, asked.explain)
    return [*found, *(Paragraph.of(text) for text in more if text)]
