"""Lessons: cards with instances of hierarchies, and questions whose answers are computed.

`load_lessons` returns the lessons of a folder and the faults of unusable files. `read_lesson`
returns one lesson from its bytes. The files are in cases/lessons/. docs/lessons.md describes their
format.
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
