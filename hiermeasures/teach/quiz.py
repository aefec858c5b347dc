"""Quizzes as Moodle XML, for the import of a question bank.

A quiz contains exercises or the questions of a lesson, with pictures, answers and feedback. Each
question becomes one of Moodle's types. For a set of classes, the student chooses from all classes,
and for a pairing from all pairs. A question is left out, with a note, if it asks for an instance or
has several right answers. Alternative questions form a category. Moodle draws one of them for each
student.
"""

import io
import zipfile
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.words import quote_names
from hiermeasures.measures.catalogue import number
from hiermeasures.teach.cards import Card, Lesson
from hiermeasures.teach.kinds.value import Value, number_of
from hiermeasures.teach.mistakes import MISTAKES
from hiermeasures.teach.questions import Question
from hiermeasures.teach.sheets import Sheet, SheetPicture, pictures, templates
from hiermeasures.verify.values import plain

MOST_OPTIONS = 40  # to choose from
MOST_RIGHT = 20  # of them; Moodle has no smaller share than a twentieth
ROUNDING = 1e-9  # added to each tolerance, because 0.675 is not a float
QUIZ_FILE = "moodle.xml"
WHEN = (1980, 1, 1, 0, 0, 0)
Type = Literal["one", "several", "number"]


@dataclass(frozen=True)
class Option:
    """An option. `feedback` is shown if it is chosen, unless it is empty."""

    words: str
    right: bool
    feedback: str = ""


@dataclass(frozen=True)
class QuizItem:
    """A question of a quiz.

    `text` contains paragraphs before the question. `feedback` contains paragraphs after an answer,
    including the right answer. `hint` may be shown before. A number has a `value`, a `tolerance`, a
    flag for `whole` numbers, and wrong values in `options`.
    """

    title: str
    type: Type
    words: str
    pictures: tuple[SheetPicture, ...]
    feedback: tuple[str, ...]
    text: tuple[str, ...] = ()
    hint: str = ""
    options: tuple[Option, ...] = ()
    value: float = 0.0
    tolerance: float = 0.0
    whole: bool = False

    @property
    def margin(self) -> float:
        return self.tolerance + ROUNDING

    def marked(self) -> Iterator[tuple[str, str, str]]:
        """Yield answers, each with its share of the mark in Moodle's percent, and feedback.

        The shares of right choices add up to the whole mark. Wrong choices together subtract as
        much, because Moodle has no all-or-nothing questions.
        """
        if self.type == "number":
            yield repr(self.value), "100", ""
        right = sum(option.right for option in self.options)
        plus, minus = iter(shares(right)), iter(shares(len(self.options) - right))
        for option in self.options:
            share = (
                next(plus) if option.right else f"-{next(minus)}" if self.type == "several" else "0"
            )
            yield option.words, share, option.feedback


@dataclass(frozen=True)
class Quiz:
    """A quiz. Every student gets one question of each group. `left_out` contains missing questions
    by reason.
    """

    title: str
    groups: tuple[tuple[QuizItem, ...], ...]
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def told(self) -> tuple[str, ...]:
        return tuple(f"{quote_names(names)}: {reason}" for reason, names in self.left_out.items())

    @property
    def items(self) -> tuple[QuizItem, ...]:
        """The questions of all groups."""
        return tuple(item for group in self.groups for item in group)


def quiz_of_sheets(sheets: Sequence[Sheet]) -> Quiz:
    """Return the exercises of worksheets as a quiz. Exercises with equal numbers are alternatives.

    InputError if no exercise fits into a quiz.

    >>> from hiermeasures.teach.exercises import ExerciseRequest
    >>> from hiermeasures.teach.sheets import sheets
    >>> quiz = quiz_of_sheets(sheets(ExerciseRequest(kinds=("click", "make")), 1, number=2))
    >>> [item.type for (item,) in quiz.groups]
    ['several']
    >>> quiz.told
    ("'Exercise 2': an instance is to be made, which no quiz can ask",)
    """
    variants = [f", variant {sheet.variant}" if len(sheets) > 1 else "" for sheet in sheets]
    groups = zip(*(sheet.exercises for sheet in sheets), strict=True)
    named = (
        [
            (f"{one.entry.title}{which}", one.card, one.given)
            for which, one in zip(variants, group, strict=True)
        ]
        for group in groups
    )
    return _quiz(sheets[0].title, named)


def quiz_of_lesson(lesson: Lesson) -> Quiz:
    """Return the questions of a lesson as a quiz. Each follows the text of its card.

    InputError if no question can be asked in a quiz.
    """
    return _quiz(
        lesson.title,
        ([(card.title, card, "")] for card in lesson.cards if card.question is not None),
    )


def _quiz(title: str, groups: Iterable[Iterable[tuple[str, Card, str]]]) -> Quiz:
    """Return a quiz of groups of cards, each card with its name and the needed facts."""
    made, left_out = [], dict[str, list[str]]()
    for group in groups:
        items = []
        for name, card, given in group:
            try:
                item = quiz_item(card)
                items.append(replace(item, title=name, text=(*item.text, given)))
            except InputError as reason:
                left_out.setdefault(str(reason), []).append(name)
        made += [tuple(items)] if items else []
    quiz = Quiz(title, tuple(made), left_out)
    if not made:
        raise InputError(
            f"no question fits into a quiz: {'; '.join(quiz.told) or 'no card has a question'}"
        )
    return quiz


def quiz_item(card: Card) -> QuizItem:
    """Return a card's question in a form for quizzes. InputError if no quiz can ask it."""
    question = card.question
    if question is None:
        raise InputError("nothing is asked")
    if not question.unique:
        raise InputError("several answers are right, but a quiz accepts only one")
    if card.hidden & {"true", "predicted"}:
        raise InputError("it hides classes, but the picture in a quiz would show them")
    verdict = question.judge(question.answer())
    item = QuizItem(
        title=card.title,
        type="one",
        words=question.on_paper,
        pictures=pictures(question.instances),
        feedback=(f"The answer: {verdict.answer_words}", verdict.why, question.explain),
        text=card_paragraphs(card),
        hint=question.hint(),
    )
    return _with_options(item, question)


def card_paragraphs(card: Card) -> tuple[str, ...]:
    """Return the text of a card, the rows of its table, and the probabilities of its classes."""
    rows = (" · ".join(row) for row in card.table)
    given = ", ".join(f"{label} {text}" for label, text in card.probabilities.items())
    more = (f"The model's probabilities: {given}.",) if given else ()
    return (*plain(card.text).split("\n\n"), *rows, *more)


def _with_options(item: QuizItem, question: Question) -> QuizItem:
    if isinstance(question, Value):
        counts = question.form == "count"
        item = replace(
            item, type="number", value=question.value, tolerance=question.tolerance, whole=counts
        )
        return replace(item, options=tuple(_wrong_values(question)))
    parts, feedback = question.parts(question.answer()), dict[Any, str]()
    for key, _ in question.choices():
        verdict = question.judge(question.read(key))
        feedback[key] = "" if key in parts else verdict.thought or verdict.would_be
    options = [
        Option(words, part in parts, feedback.get(part, "")) for part, words in question.options()
    ]
    if not options:
        raise InputError("an instance is to be made, which no quiz can ask")
    if len(options) > MOST_OPTIONS or len(parts) > MOST_RIGHT:
        raise InputError(f"there are {len(options)} to choose from, {len(parts)} of them right. "
            f"A quiz takes at most {MOST_OPTIONS} and {MOST_RIGHT}")  # fmt: skip
    alone = feedback and len(parts) == 1
    words = item.words.replace("Draw", "Give", 1) if question.input == "pairs" else item.words
    return replace(item, type="one" if alone else "several", words=words, options=tuple(options))


def _wrong_values(question: Value) -> Iterator[Option]:
    """Return the wrong values of mistakes, each with a sentence for the student."""
    met: list[float] = []
    for mistake in MISTAKES:
        with suppress(InputError):  # the mistake has no value here
            for given in mistake.answers(question):
                value = number_of(str(given))
                if all(
                    abs(value - other) > 2 * question.tolerance for other in (question.value, *met)
                ):
                    met.append(value)
                    yield Option(f"{value:.9g}", False, mistake.sentence)


def shares(number: int) -> tuple[str, ...]:
    """Split 100 % into fractions that Moodle accepts.

    >>> shares(3), shares(11)[8:], shares(30)[0]
    (('33.33333', '33.33333', '33.33333'), ('10', '5', '5'), '5')
    """
    if number <= 10:
        return (f"{100 / max(number, 1):.5f}".rstrip("0").rstrip("."),) * number
    tens = max(0, 20 - number)
    return ("10",) * tens + ("5",) * (number - tens)


def moodle_xml(quiz: Quiz) -> bytes:
    """Return a quiz as a Moodle XML file."""
    environment = templates()
    environment.globals |= {
        "number": number,
        "base64": lambda text: b64encode(text.encode()).decode(),
    }
    macros: Any = environment.get_template("quiz.xml").module
    return str(macros.moodle(quiz)).encode()


def zip_files(files: Mapping[str, str]) -> bytes:
    """Return a reproducible archive of some files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(
                zipfile.ZipInfo(name, WHEN),
                content.encode("utf-8", "replace"),
                zipfile.ZIP_DEFLATED,
            )
    return packed.getvalue()
