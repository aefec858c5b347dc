"""Verification of lessons: every claim, text and question of every card, counted, and what is wrong.

Reading a lesson computes all of that (library.py); here is only the report, as `hiermeasures verify` prints it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hiermeasures.cases.reading import Fault
from hiermeasures.lessons.library import LessonLibrary, load_lessons
from hiermeasures.measures.catalogue import counted


@dataclass(frozen=True)
class LessonReport:
    """What a verification of lessons found. `faults` are files or entries that could not be used, `broken` claims and
    answers that are not so.
    """

    lessons: int
    cards: int
    questions: int
    faults: tuple[Fault, ...]
    broken: tuple[Fault, ...]

    @property
    def exit_status(self) -> int:
        """0: all hold; 1: a claim or an answer does not; 2: a file could not be used."""
        return 2 if self.faults else int(bool(self.broken))

    def as_json(self) -> dict[str, Any]:
        """`{"lessons", "cards", "questions", "faults", "broken"}`, the last two as counts."""
        return {
            "lessons": self.lessons,
            "cards": self.cards,
            "questions": self.questions,
            "faults": len(self.faults),
            "broken": len(self.broken),
        }

    def as_text(self) -> str:
        """One line: `10 lessons, 63 cards, 41 questions: all hold`."""
        numbers = ((self.lessons, "lesson"), (self.cards, "card"), (self.questions, "question"))
        untrue = counted(len(self.broken), "claim or answer does not hold", "claims or answers do not hold")
        unusable = f"{counted(len(self.faults), 'fault')} in files that cannot be used"
        wrong = [words for words, found in ((untrue, self.broken), (unusable, self.faults)) if found]
        return f"{', '.join(counted(n, noun) for n, noun in numbers)}: {', '.join(wrong) or 'all hold'}"


def verify_lessons(folders: Sequence[str | Path] = ()) -> LessonReport:
    """Check every lesson of some folders or files; by default those that come with the project.

    Raises
    ------
    InputError
        For a folder that does not exist or holds no lesson.
    """
    return _report([load_lessons(folder) for folder in folders or (None,)])


def _report(libraries: Iterable[LessonLibrary]) -> LessonReport:
    found = list(libraries)
    lessons = [lesson for library in found for lesson in library.lessons]
    cards = [card for lesson in lessons for card in lesson.cards]
    broken = tuple(fault for library in found for fault in library.broken)
    faults = tuple(fault for library in found for fault in library.faults if fault not in library.broken)
    questions = sum(card.question is not None for card in cards)
    return LessonReport(len(lessons), len(cards), questions, faults, broken)
