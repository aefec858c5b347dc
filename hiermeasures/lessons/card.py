"""A lesson and its cards, as they are shown: texts with what was computed in them, instances, and a question.

library.py makes them of a file's entries, and only of one in which everything holds.
"""

from dataclasses import dataclass

from hiermeasures.lessons.format import Hidden, LessonFile
from hiermeasures.lessons.questions import Question
from hiermeasures.lessons.text import Paragraphs
from hiermeasures.lessons.values import Subject
from hiermeasures.measures import Explanation, Instance


@dataclass(frozen=True)
class Card:
    """One card. `subject` holds its instances, one or two side by side, and its own measures; `measures` are keys, own
    ones as definitions, the chosen first; `view` is a key of ui.views or "", the view of the first measure.

    `case` is the key of the library figure whose hierarchy it has, or ""; `source` what its origin is called.
    """

    title: str
    text: Paragraphs
    subject: Subject
    measures: tuple[str, ...] = ()
    view: str = ""
    hidden: frozenset[Hidden] = frozenset()
    question: Question | None = None
    case: str = ""
    source: str = ""

    @property
    def instances(self) -> tuple[Instance, ...]:
        """One, or two side by side."""
        return self.subject.instances

    @property
    def own(self) -> tuple[str, ...]:
        """The definitions of its own measures."""
        return tuple(f"{head}={expression}" for head, expression in self.subject.define.items())

    @property
    def explained(self) -> tuple[Explanation, ...]:
        """Its instances explained, once."""
        return self.subject.explained


@dataclass(frozen=True)
class Lesson:
    """A lesson. `key` is the stem of its file; `entries` are what it was made of, to write it again (writing.py)."""

    key: str
    title: str
    learns: str
    minutes: int
    cards: tuple[Card, ...]
    entries: LessonFile
