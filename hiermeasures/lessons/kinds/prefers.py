"""The question which of two predictions a measure prefers."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from hiermeasures.behaviour.what_if import CLOSE, NOTHING, change, why
from hiermeasures.core.errors import InputError, unknown
from hiermeasures.lessons import questions
from hiermeasures.lessons.questions import about
from hiermeasures.lessons.random_instances import PAPER, Difficulty, draw_two
from hiermeasures.lessons.values import told_apart, value_text
from hiermeasures.measures import CATALOGUE, Measure
from hiermeasures.measures.own import spoken

_PREFERRED = {"better": "second", "worse": "first", "same": "equal"}
_WORDS = {"first": "the first", "second": "the second", "equal": "neither, they are equal"}
_OTHER_NAMES = {"1": "first", "2": "second", "=": "equal", "neither": "equal"}


def _shown(setting: Any) -> str:
    return value_text(setting) if isinstance(setting, float) else str(setting)


@dataclass(frozen=True)
class Prefers(questions.Question):
    """Choose the prediction that `measure` prefers."""

    class Entry(questions.QuestionEntry):
        measure: questions.MeasureName = ""

    kind = "prefers"
    title = "Which prediction"
    about = "which of the two predictions a measure prefers"
    input = "choice"
    compares = "predictions"
    entry: Entry

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        key = rng.choice(wanted.chosen)
        two = draw_two(wanted, rng, CATALOGUE[key].family)
        if two is None:
            return None
        first, second = two
        apart = abs(first.explained[key] - second.explained[key])
        if math.isnan(apart) or (apart > CLOSE if rare else apart <= PAPER) or (rare and first.is_plain(key)):
            return None
        return first.card([key], second, kind=cls.kind, measure=key)

    @cached_property
    def measure(self) -> Measure:
        return self.subject.measure(self.entry.measure)

    def choices(self) -> tuple[tuple[str, str], ...]:
        return tuple(_WORDS.items())

    def asked(self) -> str:
        return f"Which of the two predictions does {spoken(self.measure.key)} prefer?"

    def check(self) -> None:
        if len(self.subject.cases) < 2:
            raise InputError("there is one prediction only; 'prefers' compares it with a 'second'")
        if not self._preferred(self.measure):
            which = "first" if (v := self._values(self.measure))[0] != v[0] else "second"
            raise InputError(f"{spoken(self.measure.key)} has no value for the {which} prediction")

    def answer(self) -> str:
        return self._preferred(self.measure)

    def read(self, text: str | Iterable[str]) -> str:
        word = questions.one_of(text).strip().lower()
        word = _OTHER_NAMES.get(word, word)
        if word not in _WORDS:
            raise InputError(
                unknown("answer", word, _WORDS) if word else f"an answer is one of {questions.joined(_WORDS, 'or')}"
            )
        return word

    def _in_words(self, answer: str) -> str:
        return _WORDS[answer]

    def about_keys(self) -> tuple[str, ...]:
        return about((self.measure,))

    def answer_with(self, altered: questions.Altered) -> str | None:
        first, second = (altered(self.measure, x) for x in self.subject.explained[:2])
        return None if first is None or second is None else _PREFERRED.get(change(self.measure, first, second).word)

    def _values(self, measure: Measure) -> tuple[float, float]:
        first, second = self.subject.explained[:2]
        return first.value(measure), second.value(measure)

    def _preferred(self, measure: Measure) -> str:
        """The prediction that a measure prefers; "" where it has no value for one."""
        return _PREFERRED.get(change(measure, *self._values(measure)).word, "")

    def _why(self, given: str, answer: str) -> str:
        name = spoken(self.measure.key)
        first, second = told_apart(*self._values(self.measure))
        if first == second:
            return f"{name} is {first} for both."
        said = f"{name} is {first} for the first and {second} for the second, and {self.measure.better} is better."
        found = why(self.measure, *self.subject.explained[:2]).sentence
        if found.lower().startswith(NOTHING):  # but options that are read off the same structure
            one, other = (x.options for x in self.subject.explained[:2])
            apart = [name for name in self.measure.options if getattr(one, name) != getattr(other, name)]
            parts = (f"{name} is {_shown(getattr(one, name))} and {_shown(getattr(other, name))}" for name in apart)
            return f"{said} What differs is an option: {', '.join(parts)}." if apart else said
        if found[1:2].islower() and not found.startswith(self.subject.cases[0].hierarchy.nodes):
            found = found[:1].lower() + found[1:]
        return f"{said} From the first to the second: {found}"

    def _would_be(self, given: str) -> str:
        values = self._values(self.measure)
        larger = "equal" if values[0] == values[1] else "first" if values[0] > values[1] else "second"
        if self.measure.better == "lower" and given == larger != "equal":
            return f"That one has the higher value, but {spoken(self.measure.key)} is better where it is lower."
        others = questions.agreeing(self.subject, (self.measure,), lambda m: self._preferred(m) == given)
        return f"That is what {questions.joined(others)} {'says' if len(others) == 1 else 'say'}." if others else ""
