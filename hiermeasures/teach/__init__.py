"""Lessons: cards with instances of hierarchies, and questions whose answers are computed.

`load_lessons` gives the lessons of a folder and what is wrong with files that cannot be used,
`read_lesson` one lesson from its bytes. The files are in cases/lessons/, their format is described
in docs/lessons.md.
"""

from hiermeasures.teach.cards import Card, Lesson
from hiermeasures.teach.kinds import KINDS
from hiermeasures.teach.library import LessonLibrary, check_lesson, load_lessons, read_lesson
from hiermeasures.teach.questions import Question, Verdict
from hiermeasures.verify.values import Piece

__all__ = [
    "KINDS",
    "Card",
    "Lesson",
    "LessonLibrary",
    "Piece",
    "Question",
    "Verdict",
    "check_lesson",
    "load_lessons",
    "read_lesson",
]
