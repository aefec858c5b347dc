"""Items of a quiz, before any format: each question as one of the types that learning platforms
have.

Sets of classes are chosen from all classes, pairings are matched, or chosen from all pairs where a
class is in several. An instance that is to be made, and a question with several right answers of
which one would do, are left out.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal
from xml.etree.ElementTree import Element, indent, tostring

from hiermeasures.core.errors import InputError, listed
from hiermeasures.lessons.cards import Card, Lesson
from hiermeasures.lessons.kinds.value import Value, number_of
from hiermeasures.lessons.mistakes import MISTAKES
from hiermeasures.lessons.questions import Pair, Question
from hiermeasures.lessons.random_instances import in_order
from hiermeasures.lessons.sheets import Picture, Sheet, drawn, html_text, pictures
from hiermeasures.lessons.text import plain
from hiermeasures.measures.catalogue import number
from hiermeasures.picture.svg import Image, svg

MOST_OPTIONS = 40  # to choose from
MOST_RIGHT = 20  # of them; Moodle has no smaller share than a twentieth
ROUNDING = 1e-9  # which a number may be wrong by besides its tolerance: 0.675 is not a float
LEFT_OVER = "left over"
LEGEND = "True classes are circled, predicted classes boxed."
Type = Literal["one", "several", "number", "match"]
_HOW: dict[Type, str] = {
    "one": "",
    "several": "Choose all that are right.",
    "number": "Enter a decimal.",
    "match": f"Choose for each predicted class its partner, or “{LEFT_OVER}”.",
}


@dataclass(frozen=True)
class Option:
    """An option; `feedback` is shown if it is chosen, "" for none."""

    words: str
    right: bool
    feedback: str = ""


@dataclass(frozen=True)
class QuizItem:
    """A question of a quiz. `text` are paragraphs before the question, `feedback` those after an
    answer, with the right one; `hint` may be shown before. Of a number there are `value` and
    `tolerance`, and in `options` wrong ones; of a matching `pairs`, and in `options` all that a
    class can be matched with.
    """

    title: str
    type: Type
    words: str
    pictures: tuple[Picture, ...]
    feedback: tuple[str, ...]
    text: tuple[str, ...] = ()
    hint: str = ""
    options: tuple[Option, ...] = ()
    value: float = 0.0
    tolerance: float = 0.0
    pairs: tuple[tuple[str, str], ...] = ()

    @property
    def how(self) -> str:
        """The way to answer it, in words; "" where it needs none."""
        exact = f" It may be wrong by {number(self.tolerance)}." if self.type == "number" else ""
        return _HOW[self.type] + exact

    @cached_property
    def images(self) -> tuple[Image, ...]:
        """Its pictures as SVG, on white."""
        return tuple(svg(drawn(picture), ground="paper") for picture in self.pictures)

    def html(self, addresses: Sequence[str]) -> str:
        """Text, pictures and question as HTML; `addresses` are those of the pictures."""
        said = [f"<p>{html_text(words)}</p>" for words in self.text]
        for picture, image, address in zip(self.pictures, self.images, addresses, strict=True):
            size = f'width="{image.width:.0f}" height="{image.height:.0f}"'
            caption = f"{html_text(picture.caption)}. " if picture.caption else ""
            said += [
                f'<p><img src="{html_text(address)}" alt="{html_text(image.words)}" {size}></p>',
                f"<p>{caption}{html_text(picture.words)}</p>",
            ]
        asked = f"<p><b>{html_text(self.words)}</b></p>"
        return "".join([*said, f"<p>{LEGEND}</p>", asked, paragraphs([self.how])])


@dataclass(frozen=True)
class Quiz:
    """A quiz. A group holds questions that stand for each other: every student gets one of them.
    `left_out` gives for each reason the questions that are missing, by name.
    """

    title: str
    groups: tuple[tuple[QuizItem, ...], ...]
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def told(self) -> tuple[str, ...]:
        """Sentences on what is left out."""
        return tuple(f"{listed(names)}: {reason}" for reason, names in self.left_out.items())

    def numbered(self) -> Iterator[tuple[int, int, QuizItem]]:
        """Yield the number of each group, the number in it, and the question."""
        for k, group in enumerate(self.groups, 1):
            yield from ((k, n, item) for n, item in enumerate(group, 1))


def paragraphs(texts: Iterable[str]) -> str:
    """Return texts as paragraphs of HTML."""
    return "".join(f"<p>{html_text(text)}</p>" for text in texts if text)


def written(root: Element) -> bytes:
    """Return a document of XML as a file holds it."""
    indent(root)
    return bytes(tostring(root, encoding="UTF-8", xml_declaration=True))


# --- where questions come from --------------------------------------------------------------------


def quiz_of_sheets(sheets: Sequence[Sheet]) -> Quiz:
    """Return the exercises of worksheets as a quiz; those of a number stand for each other.

    Raises
    ------
    InputError
        Where nothing is left of them.

    Examples
    --------
    >>> from hiermeasures.lessons.exercises import ExerciseRequest
    >>> from hiermeasures.lessons.sheets import sheets
    >>> quiz = quiz_of_sheets(sheets(ExerciseRequest(kinds=("click", "make")), 1, number=2))
    >>> [item.type for (item,) in quiz.groups]
    ['several']
    >>> quiz.told
    ("'Exercise 2': an instance is to be made, which no quiz can ask",)
    """
    groups: list[tuple[QuizItem, ...]] = []
    left_out: dict[str, list[str]] = {}
    for exercises in zip(*(sheet.exercises for sheet in sheets), strict=True):
        found = []
        for sheet, exercise in zip(sheets, exercises, strict=True):
            name = f"{exercise.entry.title}, variant {sheet.variant}" if len(sheets) > 1 else exercise.entry.title
            if item := _asked(exercise.card, name, left_out):
                found.append(replace(item, text=tuple(filter(None, [exercise.given]))))
        groups += [tuple(found)] if found else []
    return _quiz(sheets[0].title, groups, left_out)


def quiz_of_lesson(lesson: Lesson) -> Quiz:
    """Return the questions of a lesson as a quiz, each after the text of its card.

    Raises
    ------
    InputError
        Where nothing is left of it.
    """
    left_out: dict[str, list[str]] = {}
    asked = (_asked(card, card.title, left_out) for card in lesson.cards if card.question is not None)
    return _quiz(lesson.title, [(item,) for item in asked if item], left_out)


def _asked(card: Card, name: str, left_out: dict[str, list[str]]) -> QuizItem | None:
    """The question of a card under a name; where no quiz can ask it, it is noted in `left_out`."""
    try:
        return replace(quiz_item(card), title=name)
    except InputError as reason:
        left_out.setdefault(str(reason), []).append(name)
        return None


def _quiz(title: str, groups: Sequence[tuple[QuizItem, ...]], left_out: Mapping[str, Sequence[str]]) -> Quiz:
    quiz = Quiz(title, tuple(groups), left_out)
    if not groups:
        raise InputError(f"there is nothing to ask in a quiz; {'; '.join(quiz.told) or 'no card has a question'}")
    return quiz


# --- a question -----------------------------------------------------------------------------------


def quiz_item(card: Card) -> QuizItem:
    """Return the question of a card as it stands in a quiz.

    Raises
    ------
    InputError
        Where no quiz can ask it, with the reason.
    """
    question = card.question
    if question is None:
        raise InputError("nothing is asked")
    if not question.unique:
        raise InputError("several answers are right, of which a quiz would take one")
    if card.hidden & {"true", "predicted"}:
        raise InputError("it hides classes, which a picture in a quiz would show")
    verdict = question.judge(question.answer())
    item = QuizItem(
        title=card.title,
        type="one",
        words=question.on_paper,
        pictures=pictures(question.instances),
        feedback=(f"The answer: {verdict.answer_words}", verdict.why, question.explain),
        text=tuple(filter(None, plain(card.text).split("\n\n"))),
        hint=question.hint(),
    )
    return _answered(item, question)


def _answered(item: QuizItem, question: Question) -> QuizItem:
    """The item with what a student chooses, matches or enters."""
    answer = question.answer()
    if isinstance(question, Value):
        item = replace(item, type="number", value=question.value, tolerance=question.tolerance)
        return replace(item, options=tuple(_mistaken(question)))
    if question.input == "choice" and isinstance(answer, str):
        right = answer.split()
        options = [_option(question, words, key, key in right) for key, words in question.choices()]
        return _with_options(item, options)
    if question.input == "classes" and isinstance(answer, frozenset):
        h = next(i.hierarchy for i in question.instances if answer <= frozenset(i.hierarchy.nodes))
        options = [Option(label, label in answer) for label in h.nodes]
        return _with_options(replace(item, type="several"), options)
    if question.input == "pairs" and isinstance(answer, frozenset):
        return _paired(item, question, {pair for pair in answer if isinstance(pair, tuple)})
    raise InputError("an instance is to be made, which no quiz can ask")


def _mistaken(question: Value) -> Iterator[Option]:
    """The values that come of mistakes, each with what a student may have thought."""
    met: list[float] = []
    for mistake in MISTAKES:
        with suppress(InputError):  # what it computes has no value here
            for given in mistake.answers(question):
                value = number_of(str(given))
                if all(abs(value - other) > 2 * question.tolerance for other in (question.value, *met)):
                    met.append(value)
                    yield Option(f"{value:.9g}", False, mistake.sentence)


def _option(question: Question, words: str, key: str, right: bool) -> Option:
    verdict = question.judge(question.read(key))
    return Option(words, right, "" if right else verdict.thought or verdict.would_be)


def _with_options(item: QuizItem, options: Sequence[Option]) -> QuizItem:
    right = sum(option.right for option in options)
    if len(options) > MOST_OPTIONS or right > MOST_RIGHT:
        raise InputError(f"there are {len(options)} to choose from, {right} of them right; a quiz takes "
                         f"{MOST_OPTIONS} and {MOST_RIGHT} at most")  # fmt: skip
    return replace(item, type="several" if right > 1 else item.type, options=tuple(options))


def _paired(item: QuizItem, question: Question, answer: set[Pair]) -> QuizItem:
    """A matching where each predicted class has one partner at most; else a choice of pairs."""
    true, predicted = (in_order(question.instances[0].hierarchy, getattr(question.instances[0], side))
                       for side in ("true", "predicted"))  # fmt: skip
    partners = {p: [t for q, t in answer if q == p] for p in predicted}
    item = replace(item, words=item.words.replace("Draw", "Give", 1))
    if min(len(true), len(predicted)) > 1 and all(len(found) == 1 for found in partners.values()):
        pairs = tuple((p, found[0] or LEFT_OVER) for p, found in partners.items())
        options = tuple(Option(words, False) for words in (*true, LEFT_OVER))
        return replace(item, type="match", pairs=pairs, options=options)
    offered = [*((p, t) for p in predicted for t in true), *((p, "") for p in predicted), *(("", t) for t in true)]
    options = tuple(Option(pair_words(pair), pair in answer) for pair in offered)
    return _with_options(replace(item, type="several"), options)


def pair_words(pair: Pair) -> str:
    """Return a pair in words; a class in none is left over."""
    predicted, true = pair
    if predicted and true:
        return f"{predicted} with {true}"
    return f"{predicted} (predicted) {LEFT_OVER}" if predicted else f"{true} (true) {LEFT_OVER}"
