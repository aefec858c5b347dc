"""Paragraphs of text in which what was computed is set apart from the words around it.

Like show_text, every text is shown as exactly its characters. prose.js sets it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from hiermeasures.lessons.text import PieceKind
from hiermeasures.ui.scripts import component

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


def show_prose(
    paragraphs: Iterable[Paragraph], *, key: str, announced: bool = False, follow: tuple[str, str] | None = None
) -> None:
    """Put them on the page; `announced` ones are read to those who listen to it when they come or change. `follow` is
    what they are about and its state: when the state changes, the focus goes to them and they come into view.
    """
    set_as = [{"look": p.look, "parts": [[part.text, part.kind, part.says] for part in p.parts]} for p in paragraphs]
    component("prose")(key=key, data={"paragraphs": set_as, "announced": announced, "follow": follow})
