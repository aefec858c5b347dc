"""The words of a card: paragraphs in which what was computed is set apart from the words around it.

Every text is shown as exactly its characters. prose.js sets it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from hiermeasures.explorer.controls import Control, component
from hiermeasures.explorer.player.inputs import Answer
from hiermeasures.lessons.cards import Card
from hiermeasures.lessons.questions import Question, Verdict
from hiermeasures.lessons.text import PieceKind

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
    text = [Paragraph(tuple(Part(p.text, p.kind, p.expression) for p in pieces)) for pieces in card.text]
    source = [Paragraph.of(card.source, "note")] if card.source else []
    return [Paragraph.of(card.title, "title"), *text, *source]


def asked_text(asked: Question, answer: Answer) -> list[Paragraph]:
    """A question, and the verdict once there is one."""
    found = [Paragraph.of(asked.words, "question")]
    if answer.verdict is not None:
        found += verdict_text(asked, answer.verdict, revealed=answer.revealed)
    return found


def verdict_text(asked: Question, verdict: Verdict, *, revealed: bool = False) -> list[Paragraph]:
    """A verdict: what is right, what a wrong answer would have been, and why."""
    answer = verdict.answer_words
    if revealed:
        found = [Paragraph.of(f"The answer: {answer}", "right")]
    elif verdict.right:
        found = [Paragraph.of(f"Right: {verdict.given_words or answer}", "right")]
    else:
        given = f": {verdict.given_words}" if verdict.given_words else ""
        found = [Paragraph.of(f"Not right{given}", "wrong"), Paragraph.of(f"The answer: {answer}")]
    more = ("" if revealed or verdict.right else verdict.would_be, verdict.why, asked.explain)
    return [*found, *(Paragraph.of(text) for text in more if text)]
