"""The question which of some measures could have said something."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Annotated, Any

from pydantic import Field

from hiermeasures.behaviour.what_if import CLOSE
from hiermeasures.cases.format import Words
from hiermeasures.core.errors import InputError, repeated, shown, unknown
from hiermeasures.core.expressions import Expression, ExpressionError
from hiermeasures.lessons.questions import Altered, FormField, LongText, Question, QuestionEntry, about, joined, one_of
from hiermeasures.lessons.random_instances import PAPER, Difficulty, draw_two, is_clear
from hiermeasures.lessons.values import SECOND, equation, rounds_to, value_text
from hiermeasures.measures import CATALOGUE, Measure
from hiermeasures.measures.own import named_value, spoken

ANY = "X"  # what stands for the measure
MOST_CHOICES = 12
_NUMBERS = "None One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve".split()
_ASKED = {
    "X_second>X": "the second prediction the higher",
    "X_second<X": "the second prediction the lower",
    "X>X_second": "the first prediction the higher",
    "X<X_second": "the first prediction the lower",
    "X==X_second": "both predictions the same",
    "X_second==X": "both predictions the same",
}
# Exercises: what is said, in words, and as a condition on how much the measure's value rises.
_SAYS: Mapping[str, tuple[str, Callable[[float], bool]]] = {
    "X_second > X": ("Which of these measures is higher for the second prediction?", lambda rise: rise > CLOSE),
    "X > X_second": ("Which of these measures is higher for the first prediction?", lambda rise: rise < -CLOSE),
    "X == X_second": ("Which of these measures is the same for both predictions?", lambda rise: abs(rise) <= CLOSE),
}


@dataclass(frozen=True)
class Which(Question):
    """Choose which of `choices` could have said `says`, in which X stands for the measure.

    An answer names every one of which it is so, parted by blanks; the question says how many.
    """

    class Entry(QuestionEntry):
        choices: Annotated[
            Words, Field(max_length=MOST_CHOICES), FormField("Measures to choose from", names="measures")
        ] = ()
        says: Annotated[LongText, FormField("What was said, with X for the measure", "X = 0.4")] = ""

    kind = "which"
    title = "Which measure"
    about = "which measure could have said this"
    input = "choice"
    compares = "measures"
    entry: Entry

    @classmethod
    def why_no_exercise(cls, wanted: Difficulty) -> str:
        return "it takes two measures to choose from" if len(wanted.chosen) < 2 else ""

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        keys = rng.sample(wanted.chosen, rng.choice((3, 4)) if len(wanted.chosen) > 3 else len(wanted.chosen))
        families = {CATALOGUE[key].family for key in keys}
        two = draw_two(wanted, rng, "confusion" if "confusion" in families else "")
        if two is None or not all(is_clear(drawn, families) for drawn in two):
            return None
        first, second = two
        rises = {key: second.explained[key] - first.explained[key] for key in keys}
        if any(math.isnan(v) or CLOSE < abs(v) <= PAPER for v in rises.values()):
            return None
        says = rng.choice(sorted(_SAYS))
        asked, is_so = _SAYS[says]
        right = [key for key, rise in rises.items() if is_so(rise)]
        if len(right) != 1 or (rises[right[0]] == 0 and first.is_plain(right[0])):
            return None
        return first.card(keys, second, kind=cls.kind, choices=keys, says=says, ask=asked)

    @cached_property
    def _measures(self) -> dict[str, Measure]:
        found = {key: self.subject.measure(key) for key in self.entry.choices}
        if fault := repeated("choice", self.entry.choices):
            raise InputError(fault)
        return found

    @cached_property
    def _right(self) -> tuple[str, ...]:
        return tuple(key for key, measure in self._measures.items() if self._says(measure))

    def choices(self) -> tuple[tuple[str, str], ...]:
        return tuple((key, f"{spoken(measure.key)}: {measure.name}") for key, measure in self._measures.items())

    def asked(self) -> str:
        left, right = equation(self.entry.says)
        if left == ANY and right is not None:
            return f"Which of these measures could have said {right}?"
        if gives := _ASKED.get("".join(self.entry.says.split())):
            return f"Which of these measures gives {gives} value?"
        return f"Which of these measures could {ANY} be: {self.entry.says.strip()}?"

    def completed(self, words: str) -> str:
        """With how many choices are right."""
        n = len(self._right)
        return f"{words} {_NUMBERS[n]} of them {'is' if n == 1 else 'are'} right."

    def check(self) -> None:
        if len(self._measures) < 2:
            raise InputError("there is nothing to choose from: 'choices' needs two measures at least")
        if len(self._right) in (0, len(self._measures)):
            how = "every one of the choices is right" if self._right else "none of the choices is right"
            raise InputError(f"there is nothing to answer: {how}, for {self._values_in_words()}")

    def about_keys(self) -> tuple[str, ...]:
        return about(self._measures.values())

    def to_choose(self) -> int:
        return len(self._right)

    def answer(self) -> str:
        return " ".join(self._right)

    def answer_with(self, altered: Altered) -> str | None:
        found = [key for key, measure in self._measures.items() if self._says(measure, altered)]
        return " ".join(found) or None

    def read(self, text: str | Iterable[str]) -> str:
        words = one_of(text).replace(",", " ").split()
        for word in words:
            if word not in self._measures:
                raise InputError(unknown("choice", word, self._measures))
        if not words:
            raise InputError(f"an answer is one of {joined(self._measures, 'or')}")
        return " ".join(key for key in self._measures if key in words)

    def _why(self, given: str, answer: str) -> str:
        return f"{self._values_in_words()}."

    def _in_words(self, answer: str) -> str:
        return joined(answer.split())

    def _says(self, measure: Measure, altered: Altered | None = None) -> bool:
        left, right = equation(self.entry.says)
        expression = Expression(left)
        if expression.is_condition == (right is not None):
            raise InputError(
                f"{shown(self.entry.says)} claims nothing; write X = 0.4, or a condition such as {ANY}{SECOND} > {ANY}"
            )
        if ANY not in {name.removesuffix(SECOND) for name in expression.used}:
            raise InputError(f"{ANY}, which stands for the measure, is missing in {shown(self.entry.says)}")
        value = expression({name: self._value(expression, name, measure, altered) for name in expression.used})
        return bool(value) if right is None else rounds_to(value, right)

    def _value(self, expression: Expression, name: str, measure: Measure, altered: Altered | None) -> float:
        case = self.subject.at(name.endswith(SECOND))
        if name.removesuffix(SECOND) == ANY:
            other = altered(measure, case.explained) if altered is not None else None
            return case.explained.value(measure) if other is None else other
        try:
            return case.explained.value(named_value(expression, name, self.subject.defined, SECOND))
        except ExpressionError as error:
            raise InputError(f"{error}; {ANY} stands for the measure") from None

    def _values_in_words(self, keys: Iterable[str] = ()) -> str:
        """`hF is 0.57, F_LCA is 0.40`, or with two predictions `hF is 0.57 and 0.67`."""
        both = any(name.endswith(SECOND) for name in Expression(equation(self.entry.says)[0]).used)
        compared = self.subject.explained if both else self.subject.explained[:1]
        values = {key: [value_text(x.value(self._measures[key])) for x in compared] for key in keys or self._measures}
        return ", ".join(f"{key} is {' and '.join(found)}" for key, found in values.items())

    def _would_be(self, given: str) -> str:
        wrong = [key for key in given.split() if key not in self._right]
        return f"{self._values_in_words(wrong)} here." if wrong else ""
