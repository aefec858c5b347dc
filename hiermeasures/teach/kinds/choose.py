"""Questions with choices: the prediction that a measure prefers, the measures that fit a statement,
and the reason for a fact.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from hiermeasures.debug.what_if import CLOSE, NOTHING, change, why
from hiermeasures.hierarchy.errors import InputError, repeated, shown
from hiermeasures.hierarchy.expressions import Expression
from hiermeasures.hierarchy.words import join_words
from hiermeasures.measures import CATALOGUE, Measure
from hiermeasures.measures.own import spoken
from hiermeasures.teach import questions
from hiermeasures.teach.questions import (
    About,
    Altered,
    FormField,
    LongText,
    Question,
    group_by_hint,
)
from hiermeasures.teach.random_instances import PAPER, Difficulty, draw_two, is_clear
from hiermeasures.verify.format import Words, bars
from hiermeasures.verify.quantities import SECOND, Formula, Quantity, read_expression
from hiermeasures.verify.values import rounds_to, tell_apart, value_text
from hiermeasures.verify.wording import settings_in_words

_PREFERRED = {"better": "second", "worse": "first", "same": "equal"}
_WORDS = {"first": "the first", "second": "the second", "equal": "neither, they are equal"}


@dataclass(frozen=True)
class Prefers(Question):
    """Choose the prediction that `measure` prefers."""

    class Entry(questions.QuestionEntry):
        measure: questions.MeasureName = ""

    kind = "prefers"
    title = "Which prediction"
    input = "choice"
    compares = "predictions"
    asks_values = True
    entry: Entry

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        key = rng.choice(wanted.chosen)
        two = draw_two(wanted, rng, CATALOGUE[key].family)
        if two is None:
            return None
        first, second = two
        apart = abs(first.explained[key] - second.explained[key])
        if (
            math.isnan(apart)
            or (apart > CLOSE if rare else apart <= PAPER)
            or (rare and first.is_plain(key))
        ):
            return None
        return first.card([key], second, kind=cls.kind, measure=key)

    @cached_property
    def measure(self) -> Measure:
        return self.subject.measure(self.entry.measure)

    def choices(self) -> tuple[tuple[str, str], ...]:
        return tuple(_WORDS.items())

    def asked(self) -> str:
        noun = "predictions" if self.subject.instance_names.noun == "prediction" else "drawings"
        return f"Which of the two {noun} does {spoken(self.measure.key)} prefer?"

    def check(self) -> None:
        if len(self.subject.cases) < 2:
            raise InputError(
                "the card has only one prediction. 'prefers' needs a 'second' to compare it with"
            )
        if not self._preferred(self.measure):
            which = "first" if math.isnan(self._values(self.measure)[0]) else "second"
            raise InputError(f"{spoken(self.measure.key)} has no value for the {which} prediction")

    def answer(self) -> str:
        return self._preferred(self.measure)

    def about(self) -> About:
        return group_by_hint((self.measure,))

    def answer_with(self, altered: Altered) -> str | None:
        first, second = (altered(self.measure, x) for x in self.subject.explained[:2])
        return (
            None
            if first is None or second is None
            else _PREFERRED.get(change(self.measure, first, second).word)
        )

    def _values(self, measure: Measure) -> tuple[float, float]:
        first, second = self.subject.explained[:2]
        return first.value(measure), second.value(measure)

    def _preferred(self, measure: Measure) -> str:
        """Return the prediction that a measure prefers, or "" if a value is undefined."""
        return _PREFERRED.get(change(measure, *self._values(measure)).word, "")

    def _why(self, given: str, answer: str) -> str:
        name = spoken(self.measure.key)
        first, second = tell_apart(*self._values(self.measure))
        if first == second:
            return f"{name} is {first} for both."
        better = self.measure.better.capitalize()
        said = f"{name} is {first} for the first and {second} for the second. {better} is better."
        found = why(self.measure, *self.subject.explained[:2]).sentence
        if found.lower().startswith(NOTHING):  # but options that are read off the same structure
            one, other = settings_in_words(*self.subject.instances[:2])
            return (
                f"{said} Only an option differs: {one} for the first, {other} for the second."
                if one
                else said
            )
        if found[1:2].islower() and not found.startswith(self.subject.cases[0].hierarchy.nodes):
            found = found[:1].lower() + found[1:]
        return f"{said} From the first to the second: {found}"


ANY = "X"  # placeholder for the measure
MOST_CHOICES = 12
_NUMBERS = "none one two three four five six seven eight nine ten eleven twelve".split()
_ASKED = {
    "X_second>X": "the second the higher",
    "X_second<X": "the second the lower",
    "X>X_second": "the first the higher",
    "X<X_second": "the first the lower",
    "X==X_second": "both the same",
    "X_second==X": "both the same",
}
_SAYS = ("X == X_second", "X > X_second", "X_second > X")  # in exercises


@dataclass(frozen=True)
class Which(Question):
    """Choose all measures among `choices` that make `says` true. In `says`, X means the measure.

    An answer names all of them, separated by blanks. The question gives their number.
    """

    class Entry(questions.QuestionEntry):
        choices: Annotated[
            Words,
            Field(max_length=MOST_CHOICES),
            FormField("Measures to choose from", names="measures"),
        ] = ()
        says: Annotated[LongText, FormField("The statement, with X for the measure", "X = 0.4")] = (
            ""
        )

    kind = "which"
    title = "Which measure"
    input = "choice"
    compares = "measures"
    takes_several = True
    asks_values = True
    entry: Entry

    @classmethod
    def why_no_exercise(cls, wanted: Difficulty) -> str:
        return "it needs at least two measures to choose from" if len(wanted.chosen) < 2 else ""

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        keys = rng.sample(
            wanted.chosen, rng.choice((3, 4)) if len(wanted.chosen) > 3 else len(wanted.chosen)
        )
        families = {CATALOGUE[key].family for key in keys}
        two = draw_two(wanted, rng, "confusion" if "confusion" in families else "")
        if two is None or not all(is_clear(drawn, families) for drawn in two):
            return None
        first, second = two
        rises = {key: second.explained[key] - first.explained[key] for key in keys}
        if any(math.isnan(v) or CLOSE < abs(v) <= PAPER for v in rises.values()):
            return None
        says = rng.choice(_SAYS)
        holds = Expression(says)
        right = [key for key, rise in rises.items() if holds({ANY: 0.0, ANY + SECOND: rise})]
        if len(right) != 1 or (rises[right[0]] == 0 and first.is_plain(right[0])):
            return None
        return first.card(keys, second, kind=cls.kind, choices=keys, says=says)

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
        return tuple(
            (key, f"{spoken(measure.key)}: {measure.name}")
            for key, measure in self._measures.items()
        )

    def asked(self) -> str:
        claim = read_expression(self.entry.says, lesson=True)
        if claim.root.text == ANY and claim.printed is not None:
            return f"Which of these measures gives {claim.printed}?"
        if gives := _ASKED.get("".join(self.entry.says.split())):
            return f"Which of these measures gives {gives} value?"
        says = self.subject.name(self.entry.says)
        return f"For which of these measures, as {ANY}, is this true: {says}?"

    def complete(self, words: str) -> str:
        return f"{words} Choose {_NUMBERS[len(self._right)]}."

    def check(self) -> None:
        if len(self._measures) < 2:
            raise InputError("'choices' needs at least two measures")
        if len(self._right) in (0, len(self._measures)):
            how = "all choices are right" if self._right else "none of the choices is right"
            raise InputError(
                f"the question has no answer: {how}, because {self._values_in_words()}"
            )

    def about(self) -> About:
        return group_by_hint(self._measures.values())

    def to_choose(self) -> int:
        return len(self._right)

    def answer(self) -> str:
        return " ".join(self._right)

    def answer_with(self, altered: Altered) -> str | None:
        found = [key for key, measure in self._measures.items() if self._says(measure, altered)]
        return " ".join(found) or None

    def _why(self, given: str, answer: str) -> str:
        return f"{self._values_in_words()}."

    def _in_words(self, answer: str) -> str:
        return join_words(map(spoken, answer.split()))

    def _says(self, measure: Measure, altered: Altered | None = None) -> bool:
        known = {**self.subject.defined, ANY: measure}
        formula = Formula.of(self.entry.says, known, lesson=True)
        right = formula.expression.printed
        if formula.expression.is_condition == (right is not None):
            raise InputError(
                f"{shown(self.entry.says)} is not a statement. Write X = 0.4, or a condition such "
                f"as "
                f"{ANY}{SECOND} > {ANY}"
            )
        if ANY not in {asked.name for asked in formula.quantities.values()}:
            raise InputError(
                f"{ANY}, the letter for the measure, is missing in {shown(self.entry.says)}"
            )

        def value(asked: Quantity) -> Any:
            x = self.subject.at(asked.second).explained
            wrong = altered(measure, x) if altered and asked.measure is measure else None
            return self.subject.value(asked) if wrong is None else wrong

        found = formula.work_out(value)
        return bool(found) if right is None else rounds_to(found, right)

    def _values_in_words(self) -> str:
        """Return `hF is 0.57, F_LCA is 0.40`, or with two predictions `hF is 0.57 and 0.67`."""
        names = read_expression(self.entry.says, lesson=True).names
        both = any(name.endswith(SECOND) for name in names)
        compared = self.subject.explained if both else self.subject.explained[:1]
        values = {
            key: [value_text(x.value(measure)) for x in compared]
            for key, measure in self._measures.items()
        }
        return ", ".join(f"{spoken(key)} is {join_words(found)}" for key, found in values.items())


LETTERS = "abcdef"


@dataclass(frozen=True)
class Why(Question):
    """Choose the first of `reasons`. On the screen, their order depends only on their words."""

    class Entry(questions.QuestionEntry):
        reasons: Annotated[
            tuple[LongText, ...],
            BeforeValidator(bars),
            Field(max_length=len(LETTERS)),
            FormField(
                "Reasons, the right one first, separated by |", "It shares more | It says less"
            ),
        ] = ()

    kind = "why"
    title = "Reasons"
    input = "choice"
    answer_named = True
    asks_values = True
    entry: Entry

    @classmethod
    def why_no_exercise(cls, wanted: Difficulty) -> str:
        return (
            ""
            if set(wanted.chosen) & {"hF", "f1"}
            else "it asks about hF and f1. Choose one of them"
        )

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        key = rng.choice([key for key in ("hF", "f1") if key in wanted.chosen])
        two = draw_two(wanted, rng, CATALOGUE[key].family)
        if two is None:
            return None
        sets = [x.augmented if key == "hF" else x.flat for x in (drawn.explained for drawn in two)]
        fewer = [
            len(getattr(sets[1], part)) - len(getattr(sets[0], part))
            for part in ("spurious", "missed")
        ]
        rise = two[1].explained[key] - two[0].explained[key]
        if not rise or any(change * rise > 0 for change in fewer) or not any(fewer):
            return None
        word = "fewer" if rise > 0 else "more"
        said = [
            f"It names {word} wrong classes, and misses as many true ones.",
            f"It misses {word} true classes, and names as many wrong ones.",
            f"It names {word} wrong classes, and misses {word} true ones.",
        ]
        said.insert(0, said.pop(2 if all(fewer) else 1 if fewer[1] else 0))
        asked = f"Why is {key} {'higher' if rise > 0 else 'lower'} for the second prediction?"
        if key == "hF":
            asked += " Ancestors are counted among the classes."
        return two[0].card([key], two[1], kind=cls.kind, reasons=said, ask=asked)

    @cached_property
    def _order(self) -> dict[str, str]:
        """Return the reasons by their letters."""
        known = sorted(self.entry.reasons)
        return dict(
            zip(
                LETTERS,
                Random("|".join([*known, "reasons"])).sample(known, len(known)),
                strict=False,
            )
        )

    def choices(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._order.items())

    def asked(self) -> str:
        return "Why is this so?"

    def about(self) -> About:
        return {"why": ()}

    def check(self) -> None:
        if len(self.entry.reasons) < 2:
            raise InputError("'reasons' needs at least two reasons, the right one first")
        if fault := repeated("reason", self.entry.reasons):
            raise InputError(fault)

    def answer(self) -> str:
        return next(
            letter for letter, reason in self._order.items() if reason == self.entry.reasons[0]
        )
