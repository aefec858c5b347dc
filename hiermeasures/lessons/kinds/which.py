"""The question which of some measures could have said something."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from hiermeasures.errors import InputError, repeated, shown, unknown
from hiermeasures.expressions import Expression, ExpressionError
from hiermeasures.lessons.format import Kind
from hiermeasures.lessons.questions import Given, Input, Question, Verdict, joined, one_of
from hiermeasures.lessons.values import SECOND, equation, rounds_to, value_text
from hiermeasures.measures import Explanation, Measure
from hiermeasures.measures.own import called, named_value

ANY = "X"  # what stands for the measure
_ASKED = {
    f"{ANY}{SECOND}>{ANY}": "Which of these measures gives the second prediction the higher value?",
    f"{ANY}{SECOND}<{ANY}": "Which of these measures gives the second prediction the lower value?",
    f"{ANY}>{ANY}{SECOND}": "Which of these measures gives the first prediction the higher value?",
    f"{ANY}<{ANY}{SECOND}": "Which of these measures gives the first prediction the lower value?",
    f"{ANY}=={ANY}{SECOND}": "Which of these measures gives both predictions the same value?",
    f"{ANY}{SECOND}=={ANY}": "Which of these measures gives both predictions the same value?",
}


@dataclass(frozen=True)
class Which(Question):
    """Which of `choices` could have said `says`, in which X stands for the measure?

    Where it is so of several, each of them is right; an answer may name several, parted by blanks.
    """

    kind: ClassVar[Kind] = "which"
    input: ClassVar[Input] = "choice"
    needs: ClassVar[tuple[str, ...]] = ("choices", "says")

    @cached_property
    def _measures(self) -> dict[str, Measure]:
        found = {key: self.subject.measure(key) for key in self.entry.choices}
        if fault := repeated("choice", self.entry.choices):
            raise InputError(fault)
        return found

    @cached_property
    def _right(self) -> tuple[str, ...]:
        return tuple(key for key, measure in self._measures.items() if self._says(measure))

    @property
    def measures(self) -> tuple[str, ...]:
        return tuple(self.subject.key(measure) for measure in self._measures.values())

    def choices(self) -> tuple[tuple[str, str], ...]:
        return tuple((key, f"{called(measure.key)}: {measure.name}") for key, measure in self._measures.items())

    def asked(self) -> str:
        left, right = equation(self.entry.says)
        if left == ANY and right is not None:
            return f"Which of these measures could have said {right}?"
        general = f"Which of these measures could {ANY} be: {self.entry.says.strip()}?"
        return _ASKED.get("".join(self.entry.says.split()), general)

    def check(self) -> None:
        if len(self._measures) < 2:
            raise InputError("there is nothing to choose from: 'choices' needs two measures at least")
        if len(self._right) in (0, len(self._measures)):
            how = "every one of the choices is right" if self._right else "none of the choices is right"
            raise InputError(f"there is nothing to answer: {how}, for {self._values_in_words()}")

    def answer(self) -> str:
        return " ".join(self._right)

    def read(self, text: str | Iterable[str]) -> str:
        words = one_of(text).replace(",", " ").split()
        for word in words:
            if word not in self._measures:
                raise InputError(unknown("choice", word, self._measures))
        if not words:
            raise InputError(f"an answer is one of {joined(self._measures, 'or')}")
        return " ".join(key for key in self._measures if key in words)

    def judge(self, given: Given) -> Verdict:
        if not isinstance(given, str):
            raise InputError(f"an answer is one of {joined(self._measures, 'or')}")
        chosen = self.read(given)
        right = set(chosen.split()) <= set(self._right)
        answer = chosen if right else self.answer()
        return Verdict(
            right,
            chosen,
            answer,
            why=f"{self._values_in_words()}.",
            would_be="" if right else self._would_be(chosen),
            given_words=joined(chosen.split()),
            answer_words=joined(self._right),
        )

    def agrees(self, answer: str | Iterable[str]) -> Verdict:
        """An author has to name every measure of which it is so."""
        verdict = self.judge(self.read(answer))
        every = verdict.given == self.answer()
        return verdict if every else Verdict(False, verdict.given, self.answer(), why=verdict.why)

    def _says(self, measure: Measure) -> bool:
        left, right = equation(self.entry.says)
        expression = Expression(left)
        if expression.is_condition == (right is not None):
            raise InputError(
                f"{shown(self.entry.says)} claims nothing; write X = 0.4, or a condition such as {ANY}{SECOND} > {ANY}"
            )
        if ANY not in {name.removesuffix(SECOND) for name in expression.used}:
            raise InputError(f"{ANY}, which stands for the measure, is missing in {shown(self.entry.says)}")
        value = expression({name: self._value(expression, name, measure) for name in expression.used})
        return bool(value) if right is None else rounds_to(value, right)

    def _value(self, expression: Expression, name: str, measure: Measure) -> float:
        case = self.subject.at(name.endswith(SECOND))
        if name.removesuffix(SECOND) == ANY:
            return case.explained.value(measure)
        try:
            return case.explained.value(named_value(expression, name, self.subject.defined, SECOND))
        except ExpressionError as error:
            raise InputError(f"{error}; {ANY} stands for the measure") from None

    def _values_in_words(self, keys: Iterable[str] = ()) -> str:
        """`hF is 0.57, F_LCA is 0.40`, or with two predictions `hF is 0.57 and 0.67`."""
        return ", ".join(
            f"{key} is {' and '.join(value_text(x.value(self._measures[key])) for x in self._compared)}"
            for key in (keys or self._measures)
        )

    @property
    def _compared(self) -> tuple[Explanation, ...]:
        both = any(name.endswith(SECOND) for name in Expression(equation(self.entry.says)[0]).used)
        return self.subject.explained if both else self.subject.explained[:1]

    def _would_be(self, chosen: str) -> str:
        wrong = [key for key in chosen.split() if key not in self._right]
        return f"{self._values_in_words(wrong)} here."
