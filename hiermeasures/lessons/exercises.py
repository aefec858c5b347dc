"""Exercises without end: an instance or two and a question about them, drawn at random at a wished difficulty.

The same seed draws the same exercise everywhere. An exercise is a card as in a lesson file; its answer is the
question's to compute. What is drawn is random_instances.py's and random_questions.py's.
"""

from dataclasses import dataclass
from functools import cached_property
from random import Random

from hiermeasures.cases.case import hierarchy_of
from hiermeasures.errors import InputError
from hiermeasures.lessons.card import Card
from hiermeasures.lessons.format import CardEntry
from hiermeasures.lessons.kinds import ask
from hiermeasures.lessons.questions import Question
from hiermeasures.lessons.random_questions import QUESTIONS
from hiermeasures.lessons.wishes import Wish
from hiermeasures.measures import CATALOGUE, explain
from hiermeasures.measures.catalogue import counted, number

MOST_TRIES = 4000
RARELY = 0.2  # how often the rare answer of a kind is wanted


@dataclass(frozen=True)
class Exercise:
    """One exercise: the entries of the card that asks it, and where it was drawn."""

    entry: CardEntry
    seed: str
    number: int

    @cached_property
    def card(self) -> Card:
        """The card, with its question."""
        return _card(self.entry)

    @property
    def given(self) -> str:
        """What has to be known besides the question, in words; "" for nothing."""
        if "D_max" in self.question.words or not any("dmax" in CATALOGUE[key].options for key in self.entry.measures):
            return ""
        dmax = number(self.card.instances[0].options.dmax)
        return f"D_max, the cost of a class without a partner, is {dmax}."

    @property
    def question(self) -> Question:
        """What is asked."""
        assert self.card.question is not None
        return self.card.question


def exercise(wish: Wish, seed: int | str, number: int = 1) -> Exercise:
    """The exercise of a number in the series of a seed; the kinds take turns.

    Raises
    ------
    InputError
        Where none is found within MOST_TRIES: what is wished leaves no room for one.

    Examples
    --------
    >>> entry = exercise(Wish(kinds=("value",), measures=("hF",)), seed=7).entry
    >>> entry.question.value, entry == exercise(Wish(kinds=("value",), measures=("hF",)), seed=7).entry
    ('hF', True)
    """
    kind = wish.kinds[(number - 1) % len(wish.kinds)]
    rng = Random(f"{seed}/{number}")
    rare = rng.random() < RARELY
    for _ in range(MOST_TRIES):
        entries = QUESTIONS[kind](wish, rng, rare)
        if entries is not None:
            entry = CardEntry.model_validate({"title": f"Exercise {number}", **entries})
            return Exercise(entry, str(seed), number)
    size = f"{wish.classes} classes with up to {counted(wish.labels, 'label')}"
    raise InputError(f"{kind}: no exercise is found for {size}; wish for others")


def exercises(wish: Wish, seed: int | str, number: int) -> tuple[Exercise, ...]:
    """The first so many exercises of a seed."""
    return tuple(exercise(wish, seed, k) for k in range(1, number + 1))


def _card(entry: CardEntry) -> Card:
    assert entry.hierarchy is not None
    assert entry.question is not None
    h = hierarchy_of(entry.hierarchy, {})
    sides = (entry.predicted, *([entry.second.predicted] if entry.second else []))
    instances = [explain(h, entry.true or (), side or ()).instance for side in sides]
    question = ask(entry.question, instances)
    return Card(
        title=entry.title,
        text=(),
        subject=question.subject,
        measures=entry.measures,
        view=entry.view,
        hidden=frozenset(entry.hidden),
        question=question,
    )
