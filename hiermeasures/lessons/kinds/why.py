"""The question why something is so: one of several reasons is right."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from hiermeasures.cases.format import bars
from hiermeasures.core.errors import InputError, repeated, unknown
from hiermeasures.lessons.questions import FormField, LongText, Question, QuestionEntry, one_of
from hiermeasures.lessons.random_instances import Difficulty, draw_two
from hiermeasures.measures import CATALOGUE

LETTERS = "abcdef"
_SECOND = "Why is {key} {higher} for the second prediction?"


@dataclass(frozen=True)
class Why(Question):
    """Choose the first of `reasons`, shown in an order that depends on their words alone."""

    class Entry(QuestionEntry):
        reasons: Annotated[
            tuple[LongText, ...],
            BeforeValidator(bars),
            Field(max_length=len(LETTERS)),
            FormField("Reasons, the right one first, parted by |", "It shares more | It says less"),
        ] = ()

    kind = "why"
    title = "Reasons"
    about = "why something is so"
    input = "choice"
    answer_named = True
    entry: Entry

    @classmethod
    def why_no_exercise(cls, wanted: Difficulty) -> str:
        return "" if set(wanted.chosen) & {"hF", "f1"} else "it asks about hF and f1, of which neither is chosen"

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        key = rng.choice([key for key in ("hF", "f1") if key in wanted.chosen])
        two = draw_two(wanted, rng, CATALOGUE[key].family)
        if two is None:
            return None
        sets = [x.augmented if key == "hF" else x.flat for x in (drawn.explained for drawn in two)]
        fewer = [len(getattr(sets[1], part)) - len(getattr(sets[0], part)) for part in ("spurious", "missed")]
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
        asked = _SECOND.format(key=key, higher="higher" if rise > 0 else "lower")
        if key == "hF":
            asked += " Ancestors are counted among the classes."
        return two[0].card([key], two[1], kind=cls.kind, reasons=said, ask=asked)

    @cached_property
    def _order(self) -> dict[str, str]:
        """The reasons by the letter under which they are shown."""
        known = sorted(self.entry.reasons)
        return dict(zip(LETTERS, Random("|".join([*known, "reasons"])).sample(known, len(known)), strict=False))

    def choices(self) -> tuple[tuple[str, str], ...]:
        return tuple(self._order.items())

    def asked(self) -> str:
        return "Why is this so?"

    def about_keys(self) -> tuple[str, ...]:
        return ("why",)

    def check(self) -> None:
        if len(self.entry.reasons) < 2:
            raise InputError("there is nothing to choose from: 'reasons' needs two at least, the right one first")
        if fault := repeated("reason", self.entry.reasons):
            raise InputError(fault)

    def answer(self) -> str:
        return next(letter for letter, reason in self._order.items() if reason == self.entry.reasons[0])

    def read(self, text: str | Iterable[str]) -> str:
        """Read a letter, or the words of a reason."""
        given = one_of(text).strip()
        found = next((letter for letter, reason in self._order.items() if given in (letter, reason)), "")
        if not found:
            raise InputError(unknown("answer", given, self._order))
        return found

    def _in_words(self, answer: str) -> str:
        return self._order[answer]
