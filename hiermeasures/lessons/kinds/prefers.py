"""The question which of two predictions a measure prefers."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from hiermeasures.behaviour.what_if import change
from hiermeasures.behaviour.why import NOTHING, why
from hiermeasures.errors import InputError, shown, unknown
from hiermeasures.lessons.format import Kind
from hiermeasures.lessons.questions import Given, Input, Question, Verdict, agreeing, joined, one_of
from hiermeasures.lessons.values import told_apart, value_text
from hiermeasures.measures import Measure
from hiermeasures.measures.own import called

_PREFERRED = {"better": "second", "worse": "first", "same": "equal"}
_WORDS = {"first": "the first", "second": "the second", "equal": "neither, they are equal"}
_OTHER_NAMES = {"1": "first", "2": "second", "=": "equal", "neither": "equal"}


def _shown(setting: Any) -> str:
    return value_text(setting) if isinstance(setting, float) else str(setting)


@dataclass(frozen=True)
class Prefers(Question):
    """Which of the two predictions does `measure` prefer?"""

    kind: ClassVar[Kind] = "prefers"
    input: ClassVar[Input] = "choice"
    needs: ClassVar[tuple[str, ...]] = ("measure",)

    @cached_property
    def measure(self) -> Measure:
        return self.subject.measure(self.entry.measure)

    @property
    def measures(self) -> tuple[str, ...]:
        return (self.subject.key(self.measure),)

    def choices(self) -> tuple[tuple[str, str], ...]:
        return tuple(_WORDS.items())

    def asked(self) -> str:
        return f"Which of the two predictions does {called(self.measure.key)} prefer?"

    def check(self) -> None:
        if len(self.subject.cases) < 2:
            raise InputError("there is one prediction only; 'prefers' compares it with a 'second'")
        if not self._preferred(self.measure):
            which = "first" if (v := self._values(self.measure))[0] != v[0] else "second"
            raise InputError(f"{called(self.measure.key)} has no value for the {which} prediction")

    def answer(self) -> str:
        return self._preferred(self.measure)

    def read(self, text: str | Iterable[str]) -> str:
        word = one_of(text).strip().lower()
        word = _OTHER_NAMES.get(word, word)
        if word not in _WORDS:
            raise InputError(unknown("answer", word, _WORDS) if word else f"an answer is one of {joined(_WORDS, 'or')}")
        return word

    def judge(self, given: Given) -> Verdict:
        if not isinstance(given, str):
            raise InputError(f"an answer is one of {joined(map(shown, _WORDS), 'or')}")
        chosen, answer = self.read(given), self.answer()
        right = chosen == answer
        return Verdict(
            right,
            chosen,
            answer,
            why=self._why(),
            would_be="" if right else self._would_be(chosen),
            given_words=_WORDS[chosen],
            answer_words=_WORDS[answer],
        )

    def _values(self, measure: Measure) -> tuple[float, float]:
        first, second = self.subject.explained[:2]
        return first.value(measure), second.value(measure)

    def _preferred(self, measure: Measure) -> str:
        """The prediction that a measure prefers; "" where it has no value for one."""
        return _PREFERRED.get(change(measure, *self._values(measure)).word, "")

    def _why(self) -> str:
        name = called(self.measure.key)
        first, second = told_apart(*self._values(self.measure))
        if first == second:
            return f"{name} is {first} for both."
        said = f"{name} is {first} for the first and {second} for the second, and {self.measure.better} is better."
        found = why(self.measure, *self.subject.explained[:2]).sentence
        if found.lower().startswith(NOTHING):
            return said + self._options_apart()
        if found[1:2].islower() and not found.startswith(self.subject.cases[0].hierarchy.nodes):
            found = found[:1].lower() + found[1:]
        return f"{said} From the first to the second: {found}"

    def _options_apart(self) -> str:
        """The options in which two predictions differ that are read off the same structure."""
        first, second = (x.options for x in self.subject.explained[:2])
        apart = [name for name in self.measure.options if getattr(first, name) != getattr(second, name)]
        parts = (f"{name} is {_shown(getattr(first, name))} and {_shown(getattr(second, name))}" for name in apart)
        return f" What differs is an option: {', '.join(parts)}." if apart else ""

    def _would_be(self, chosen: str) -> str:
        values = self._values(self.measure)
        larger = "equal" if values[0] == values[1] else "first" if values[0] > values[1] else "second"
        if self.measure.better == "lower" and chosen == larger != "equal":
            return f"That one has the higher value, but {called(self.measure.key)} is better where it is lower."
        others = agreeing(self.subject, (self.measure,), lambda m: self._preferred(m) == chosen)
        return f"That is what {joined(others)} {'says' if len(others) == 1 else 'say'}." if others else ""
