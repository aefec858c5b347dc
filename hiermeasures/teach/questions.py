"""A question about one or two instances: its entries, words, computed answer and judgement.

This module contains the common parts of all kinds. Each kind is a class in kinds/. library.py reads
the files.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from hiermeasures.hierarchy.errors import InputError, unknown
from hiermeasures.hierarchy.words import join_words
from hiermeasures.measures import Explanation, Instance, Measure
from hiermeasures.measures.own import spoken
from hiermeasures.read.hierarchies.building import is_small
from hiermeasures.read.source import MOST_CLASSES, MOST_EDGES, MOST_MARKED
from hiermeasures.teach.random_instances import Difficulty
from hiermeasures.verify.case import Case
from hiermeasures.verify.format import FileEntry
from hiermeasures.verify.values import Subject

Input = Literal["choice", "classes", "pairs", "number", "instance"]
Form = Literal["count", "number", "share"]
Change = Literal["predicted", "true", "hierarchy"]
Pair = tuple[str, str]  # a predicted class and a true one; "" for nothing
# names of measures by the key of their hint; none for what is no measure
About = Mapping[str, tuple[str, ...]]
Given = str | frozenset[str] | frozenset[Pair] | Instance
Items = frozenset[Any]  # classes, or pairs
Mistaken = tuple[tuple[Items, Items], ...]  # by instance, what was left out and what was put in
LONGEST_TEXT = 2_000  # characters


LongText = Annotated[str, Field(max_length=LONGEST_TEXT)]
Answer = Annotated[
    str | tuple[str, ...], BeforeValidator(lambda v: tuple(v) if isinstance(v, list) else v)
]


@dataclass(frozen=True)
class FormField:
    """An entry of a question in the form of My lesson.

    `names` is set if the entry is one measure, several measures, or an expression over measures.
    `options` are its possible values, if they are fixed. A `needed` entry is required.
    """

    label: str
    example: str = ""
    names: Literal["", "measure", "measures", "expression"] = ""
    options: tuple[str, ...] = ()
    needed: bool = True


MeasureName = Annotated[LongText, FormField("Measure", names="measure")]


class QuestionEntry(FileEntry):
    """Entries that every question may have. Each kind adds its own.

    `answer` is the author's answer, to compare with the computed one. Exercises have no `answer`.
    """

    kind: str
    ask: Annotated[LongText, FormField("Your own wording (optional)", needed=False)] = ""
    hint: Annotated[LongText, FormField("Your own hint (optional)", needed=False)] = ""
    explain: Annotated[LongText, FormField("Explanation, shown after the answer", needed=False)] = (
        ""
    )
    answer: Answer | None = None

    @classmethod
    def form(cls) -> dict[str, FormField]:
        """Entries for a form, beginning with the entries of the kind."""
        found = {
            name: part
            for name, info in cls.model_fields.items()
            for part in info.metadata
            if isinstance(part, FormField)
        }
        return dict(sorted(found.items(), key=lambda item: item[0] in QuestionEntry.model_fields))


@dataclass(frozen=True)
class Verdict:
    """The judgement of an answer: right or wrong, with the computed answer and the reason.

    `answer` is the right answer. If several are right, it is the one nearest to the given one.
    `both`, `missed` and `spurious` sort the classes of the two answers, and `pairs` sorts their
    pairs. `why` explains the right answer. `would_be` names the question that a wrong answer
    belongs to. `thought` is the likely mistake behind a wrong answer, and `mistake` its key
    (mistakes.py). Each is "" if it is unknown. `mistaken` contains the classes or pairs that the
    mistake counts wrongly, if they can be drawn.
    """

    right: bool
    given: Given
    answer: Given
    both: frozenset[str] = frozenset()
    missed: frozenset[str] = frozenset()
    spurious: frozenset[str] = frozenset()
    pairs: Mapping[str, frozenset[Pair]] | None = None
    why: str = ""
    would_be: str = ""
    given_words: str = ""
    answer_words: str = ""
    thought: str = ""
    mistake: str = ""
    mistaken: Mistaken = ()


# a value computed with a mistake, if it can be made
Altered = Callable[[Measure, Explanation], float | None]


@dataclass(frozen=True)
class Question(ABC):
    """One question. A kind is a subclass that is listed in KINDS.

    A kind declares

    kind, title
        its name in files, and on buttons
    input
        the form of an answer: "choice", "classes", "pairs", "number" or "instance"
        (teach/player/inputs.py contains the controls of each form)
    Entry
        its entries in a file, each with its FormField in My lesson
    example
        the field for the author's answer in My lesson, if the answer cannot be computed alone
    compares
        the objects of the choices: measures or predictions
    answer_named
        True if its other entries name the answer, so that a file can omit it
    asks_values
        True if the measures' values give the answer away, so that a card hides them

    `words` is the question, `explain` the author's text for the answer, and `hinted` the author's
    hint. `recognise` names the mistake behind a wrong answer, as parts of a verdict.
    """

    kind: ClassVar[str]
    title: ClassVar[str]
    input: ClassVar[Input]
    Entry: ClassVar[type[QuestionEntry]]
    example: ClassVar[FormField | None] = None
    compares: ClassVar[Literal["", "measures", "predictions"]] = ""
    answer_named: ClassVar[bool] = False
    asks_values: ClassVar[bool] = False
    takes_several: ClassVar[bool] = False

    entry: QuestionEntry
    subject: Subject
    words: str = ""
    explain: str = ""
    hinted: str = ""
    recognise: Callable[["Question", Given], Mapping[str, Any]] = lambda question, given: {}

    @classmethod
    def why_no_exercise(cls, wanted: Difficulty) -> str:
        """Return the reason why this kind has no exercises at a difficulty, or ""."""
        return ""

    @classmethod
    @abstractmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        """Draw the entries of a card with this question.

        The result is None if the drawn question has no value, is trivial (a value of 0, a set of
        all classes), or has no answer on paper (two values with one rounding). `rare` asks for the
        rare answer of the kind: two equal predictions, or a value that is perfect or 0.
        """

    @property
    def instances(self) -> tuple[Instance, ...]:
        return self.subject.instances

    def choices(self) -> tuple[tuple[str, str], ...]:
        return ()

    def options(self) -> Iterable[tuple[Any, str]]:
        """The possible parts of answers with their words: choices, classes or pairs."""
        return self.choices()

    def parts(self, given: Given) -> Items:
        """Return the parts of an answer. A number or an instance has no parts."""
        chosen = (
            given.split()
            if isinstance(given, str)
            else given
            if isinstance(given, frozenset)
            else ()
        )
        return frozenset(part for part, _ in self.options() if part in chosen)

    def change(self) -> Change | None:
        return None

    @property
    def unique(self) -> bool:
        """True if exactly one answer is right. With several right choices, each is an answer."""
        return True

    @property
    def definition(self) -> str:
        """A definition of the question's measures, or "" if it does not ask for a value."""
        return ""

    @property
    def on_paper(self) -> str:
        return self.words

    @property
    def form(self) -> Form:
        """Return the type of the answer: a whole number, any number or a share."""
        return "share"

    @abstractmethod
    def asked(self) -> str:
        """The question in words, unless its author wrote it."""

    def complete(self, words: str) -> str:
        """The question in its own or its author's words, with its fixed last sentence."""
        return words

    @abstractmethod
    def check(self) -> None:
        """Raise InputError if a question has no answer or no content."""

    @abstractmethod
    def answer(self) -> Given:
        """The computed answer, or one of several right answers."""

    def read(self, text: str | Iterable[str]) -> Given:
        """Read an answer from a text or from words. InputError names the fault.

        By default the answer is a choice, by key or words. It may be several keys if the kind
        `takes_several`.
        """
        given, choices = one_of(text).strip(), dict(self.choices())
        keys = [key for key, words in choices.items() if given == words] or given.replace(
            ",", " "
        ).split()
        for key in keys:
            if key not in choices:
                raise InputError(unknown("answer", key, choices))
        if not keys or (len(keys) > 1 and not self.takes_several):
            raise InputError(f"an answer is one of {join_words(choices, 'or')}")
        return " ".join(key for key in choices if key in keys)

    def assess(self, given: Given) -> Verdict:
        """Judge an answer without naming its mistake. InputError if a text is not an answer, such
        as "abc".
        """
        found = self._checked(given)
        right, answer = self._nearest(found)
        return Verdict(
            right,
            found,
            answer,
            why=self._why(found, answer),
            would_be="" if right else self._would_be(found),
            given_words=self._said(found),
            answer_words=self._in_words(answer),
            **split_answer(self._set_of(found), self._set_of(answer)),
        )

    def _checked(self, given: Given) -> Any:
        if isinstance(given, str):
            return self.read(given)
        choices = join_words((key for key, _ in self.choices()), "or")
        raise InputError(f"an answer is {f'one of {choices}' if choices else 'a number'}")

    def _nearest(self, given: Any) -> tuple[bool, Any]:
        """Check an answer, and return the result with the nearest right answer."""
        answer = self.answer()
        return given == answer, answer

    def _why(self, given: Any, answer: Any) -> str:
        return ""

    def _would_be(self, given: Any) -> str:
        return ""

    def _in_words(self, answer: Any) -> str:
        choices = dict(self.choices())
        return join_words(choices[key] for key in answer.split()) if choices else str(answer)

    def _said(self, given: Any) -> str:
        return self._in_words(given)

    def _set_of(self, given: Any) -> Items:
        """Return the classes or pairs of an answer, to sort them into right and wrong."""
        return given if isinstance(given, frozenset) else frozenset()

    def judge(self, given: Given) -> Verdict:
        """Judge an answer. If it is wrong, name the likely mistake."""
        verdict = self.assess(given)
        if verdict.right:
            return verdict
        return replace(verdict, **self.recognise(self, verdict.given))

    def hint(self) -> str:
        return self.hinted or hint_of(self.about())

    def about(self) -> About:
        """The keys of hints for the measures in the answer (HINTS)."""
        return {}

    def to_choose(self) -> int:
        return 1

    def same(self, given: Given, other: Given) -> bool:
        return given == other

    def answer_with(self, altered: Altered) -> Given | None:
        """Return the answer that a mistake leads to, or None if it equals the right one."""
        return None


def split_answer(given: Items, right: Items) -> dict[str, Any]:
    parts = {"both": given & right, "missed": right - given, "spurious": given - right}
    if not any(isinstance(item, tuple) for item in given | right):
        return parts
    classes = {
        part: frozenset(c for pair in found for c in pair if c) for part, found in parts.items()
    }
    return {**classes, "pairs": parts}


def check_size(instance: Case | Instance) -> None:
    if not is_small(instance.hierarchy, instance.true, instance.predicted):
        raise InputError(
            f"a card has at most {MOST_CLASSES:,} classes, {MOST_EDGES:,} edges and {MOST_MARKED} "
            f"classes of a side"
        )


def one_of(text: str | Iterable[str]) -> str:
    return text if isinstance(text, str) else " ".join(text)


# By family of measures, or structure where one of a family begins otherwise.
HINTS = {
    "ancestors": "Add the ancestors of both sides first.",
    "h_loss": "Add the ancestors of both sides first. Then take out what is wrong only because "
    "its parent is wrong.",
    "lca": "For each class, find the lowest common ancestor with its nearest class on the "
    "other side. Ignore everything above it.",
    "pairs": "Write down the distance of each predicted class to each true class first.",
    "confusion": "Write down both paths from the root and see how far they are equal.",
    "counts": "At each class, count how many true and how many predicted classes are at or "
    "below it.",
    "ranks": "First find the predicted classes that have all their ancestors in the prediction.",
    "paths": "Go up from both classes until the paths meet and count the edges.",
    "weighted": "Add the ancestors of both sides first. Then add up weights instead of counting "
    "classes.",
    "descendants": "Add to each class everything below it first.",
    "flat": "Compare the predicted classes with the true ones and ignore the hierarchy.",
    "expected": "For each possible truth, multiply the value by the probability. Then add up.",
    "micro": "Add up the counts over the instances first and divide once.",
    "samples": "Find the value of each instance first, then take their mean.",
    "macro": "For each class, count in how many instances it is true, predicted and both. Then "
    "divide class by class.",
    "sign": "Count the instances where the first is better. Count those where the second is "
    "better. Leave out ties.",
    "weight": "Each halving of the count adds one bit. How many times can you halve the count?",
    "why": "Find the values for both sides before you look for a reason.",
}
GENERAL = "Start with one side. What does it predict, and how much of it is true?"


def group_by_hint(measures: Iterable[Measure]) -> About:
    found: dict[str, tuple[str, ...]] = {}
    for m in measures:
        key = m.structure.key if m.structure.key in HINTS else m.family
        found[key] = (*found.get(key, ()), spoken(m.key))
    return found


def hint_of(about: About) -> str:
    """Return the hint of a question, or the hints of its measures with their names.

    >>> hint_of({"flat": ("f1",)})
    'Compare the predicted classes with the true ones and ignore the hierarchy.'
    >>> hint_of({"flat": ("f1",), "ancestors": ("hP", "hF")}).partition("hierarchy. ")[2]
    'hP and hF: Add the ancestors of both sides first.'
    """
    found = {HINTS[key]: names for key, names in about.items() if key in HINTS}
    if len(found) < 2:
        return next(iter(found), GENERAL)
    return " ".join(f"{join_words(dict.fromkeys(names))}: {hint}" for hint, names in found.items())
