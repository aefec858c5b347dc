"""A lesson and its cards, as they are shown: texts with what was computed in them, instances, and a question.

library.py makes them of a file's entries, and only of one in which everything holds.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from hiermeasures.cases.case import Case
from hiermeasures.lessons.format import Hidden, LessonFile
from hiermeasures.lessons.questions import Question
from hiermeasures.measures import Explanation, Instance

PieceKind = Literal["words", "value", "classes", "condition"]


@dataclass(frozen=True)
class Piece:
    """A part of a text: words, or what was computed of an expression."""

    text: str
    expression: str = ""
    kind: PieceKind = "words"


@dataclass(frozen=True)
class Card:
    """One card. `cases` hold its instances, one or two side by side, as they are explained; `measures` are keys, own
    ones as definitions, the chosen first; `view` is a key of ui.views or "", the view of the first measure.

    `case` is the key of the library figure whose hierarchy it has, or ""; `source` what its origin is called.
    """

    title: str
    text: tuple[tuple[Piece, ...], ...]
    cases: tuple[Case, ...]
    instances: tuple[Instance, ...]
    measures: tuple[str, ...] = ()
    view: str = ""
    hidden: frozenset[Hidden] = frozenset()
    question: Question | None = None
    case: str = ""
    source: str = ""
    own: tuple[str, ...] = field(default=())

    def explained(self) -> tuple[Explanation, ...]:
        """Its instances explained, once."""
        return self._explained

    @cached_property
    def _explained(self) -> tuple[Explanation, ...]:
        return tuple(case.explained for case in self.cases)


@dataclass(frozen=True)
class Lesson:
    """A lesson. `key` is the stem of its file; `entries` are what it was made of, to write it again (writing.py)."""

    key: str
    title: str
    learns: str
    minutes: int
    cards: tuple[Card, ...]
    entries: LessonFile
