"""Endless exercises: one or two random instances with a question.

A seed and a number always give one exercise, on every machine. An exercise is a card as in a lesson
file, and its question computes the answer. random_instances.py draws instances, and the kinds draw
questions.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import CATALOGUE, Measure
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.own import spoken
from hiermeasures.teach.cards import Card, CardEntry, Making
from hiermeasures.teach.kinds import KINDS, known_kind
from hiermeasures.teach.questions import Question
from hiermeasures.teach.random_instances import ASKED, Difficulty

MOST_TRIES = 4000
RARELY = 0.2  # how often the rare answer of a kind is wanted


@dataclass(frozen=True, kw_only=True)
class ExerciseRequest(Difficulty):
    """A request for exercises: the kinds of question, in turn (by default all), and the difficulty.

    Raises
    ------
    InputError
        If no exercises exist for a kind or measure. The message lists the available ones.
    """

    kinds: tuple[str, ...] = field(default_factory=lambda: tuple(KINDS))

    def __post_init__(self) -> None:
        if not self.kinds:
            raise InputError(f"choose a kind of question: {', '.join(KINDS)}")
        for kind in self.kinds:
            known_kind(kind)
        super().__post_init__()
        for kind, reason in find_left_out(self.kinds, self).items():
            raise InputError(f"{kind}: {reason}")


def find_left_out(kinds: Iterable[str], wanted: Difficulty) -> dict[str, str]:
    """Return the kinds of question that are impossible at a difficulty, with the reasons.

    >>> find_left_out(("value", "pair"), Difficulty(labels=1))
    {'pair': 'it needs two labels on a side'}
    """
    flat = set(wanted.chosen) <= set(ASKED["flat"]) and wanted.labels < 2
    always = "with one label, flat measures are always 0 or 1" if flat else ""
    reasons = {kind: always or KINDS[kind].why_no_exercise(wanted) for kind in kinds}
    return {kind: reason for kind, reason in reasons.items() if reason}


@dataclass(frozen=True)
class Exercise:
    """One exercise: the entries of its card."""

    entry: CardEntry

    @cached_property
    def card(self) -> Card:
        making = Making(draft=True)
        card = making.card((), self.entry, {})
        if making.faults:
            raise InputError(making.faults[0].reason)
        said = [f"{measure.name}: {measure.description}" for measure in self._measures]
        return replace(card, notes=(*said, *filter(None, [self._given(card)])))

    @property
    def given(self) -> str:
        """Further facts for the question: D_max, and the meaning of a measure that it names by
        key.
        """
        return self._given(self.card)

    @property
    def _measures(self) -> list[Measure]:
        return [CATALOGUE[key] for key in self.entry.measures]

    def _given(self, card: Card) -> str:
        plain = [
            m for m in self._measures if m.family != "flat" and spoken(m.key) == m.name.lower()
        ]
        said = [f"{m.name}: {m.description.partition('.')[0].lower()}." for m in plain]
        asked = card.question.words if card.question is not None else ""
        if "D_max" not in asked and any("dmax" in m.options for m in self._measures):
            said.append(
                f"D_max, the cost of a class without a partner, is "
                f"{number(card.instances[0].options.dmax)}."
            )
        return " ".join(said)

    @property
    def question(self) -> Question:
        assert self.card.question is not None
        return self.card.question


def exercise(wanted: ExerciseRequest, seed: int | str, number: int = 1) -> Exercise:
    """Draw an exercise by its number in the series of a seed. The kinds take turns.

    Raises
    ------
    InputError
        If MOST_TRIES draws give no exercise, because the request is too narrow.

    Examples
    --------
    >>> wanted = ExerciseRequest(kinds=("value",), measures=("hF",))
    >>> one = exercise(wanted, seed=7)
    >>> one.question.words, one.entry == exercise(wanted, seed=7).entry
    ('What is the value of hF (Hierarchical F1)?', True)
    """
    kind = wanted.kinds[(number - 1) % len(wanted.kinds)]
    rng = Random(f"{seed}/{number}")
    rare = rng.random() < RARELY
    for _ in range(MOST_TRIES):
        entries = KINDS[kind].random(wanted, rng, rare)
        if entries is not None:
            return Exercise(CardEntry.model_validate({"title": f"Exercise {number}", **entries}))
    size = f"{wanted.classes} classes with up to {write_count(wanted.labels, 'label')}"
    raise InputError(
        f"{kind}: no exercise was found for {size}. Choose another difficulty or other measures"
    )


def exercises(wanted: ExerciseRequest, seed: int | str, number: int) -> tuple[Exercise, ...]:
    return tuple(exercise(wanted, seed, k) for k in range(1, number + 1))
