"""Quizzes for learning platforms: exercises, or the questions of a lesson, with pictures, answers
and feedback, as Moodle XML and as a QTI 1.2 package, which Canvas imports.

What is asked of each question is decided once (items.py); moodle.py and canvas.py write it down. A
question that no quiz can ask as it is becomes the nearest that one can; the others are left out,
and told.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from hiermeasures.lessons.quiz.canvas import canvas_package
from hiermeasures.lessons.quiz.items import Quiz, QuizItem, quiz_of_lesson, quiz_of_sheets
from hiermeasures.lessons.quiz.moodle import moodle_xml

QUIZ_FORMATS: Mapping[str, tuple[str, Callable[[Quiz], bytes]]] = {
    "moodle": ("moodle.xml", moodle_xml),
    "canvas": ("canvas.zip", canvas_package),
}
"""The file's name of each format, and what writes it."""


def quiz_files(quiz: Quiz, formats: Sequence[str] = tuple(QUIZ_FORMATS)) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a quiz, name and content."""
    for name, write in (QUIZ_FORMATS[key] for key in formats):
        yield name, write(quiz)


__all__ = [
    "QUIZ_FORMATS",
    "Quiz",
    "QuizItem",
    "canvas_package",
    "moodle_xml",
    "quiz_files",
    "quiz_of_lesson",
    "quiz_of_sheets",
]
