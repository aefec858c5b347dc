"""The question "make": change an instance until a condition is true."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Annotated, Any, get_args

from hiermeasures.debug.what_if import CLOSE, edits_of
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.expressions import Expression
from hiermeasures.hierarchy.words import agree, join_words, quote_names
from hiermeasures.measures import CATALOGUE, Instance, SideName
from hiermeasures.measures.catalogue import named, number
from hiermeasures.read.hierarchies.building import written_edges
from hiermeasures.teach import questions
from hiermeasures.teach.questions import About, group_by_hint
from hiermeasures.teach.random_instances import ASKED, Difficulty, Drawn, draw, in_order, is_clear
from hiermeasures.verify.case import hierarchy_of
from hiermeasures.verify.format import HierarchyEntry
from hiermeasures.verify.quantities import Formula
from hiermeasures.verify.values import Subject, classes_in, value_text

MOST_STEPS = 10  # limit on edits to try from a wrong answer to the example
GOALS = 8  # predictions that an exercise tries as its goal
MOST_HOLDS = 0.25  # largest share of edits that may meet an exercise's condition

_WORDS: dict[questions.Change, str] = {
    "predicted": "the predicted classes",
    "true": "the true classes",
    "hierarchy": "the hierarchy",
}


@dataclass(frozen=True)
class Make(questions.Question):
    """Change predicted classes, true classes or the hierarchy of the first instance until
    `condition` is true.
    """

    class Entry(questions.QuestionEntry):
        condition: Annotated[
            questions.LongText, questions.FormField("Condition", "hF > 0.5 and F_LCA < 0.4")
        ] = ""
        change: Annotated[
            questions.Change | None,
            questions.FormField(
                "What is changed", options=get_args(questions.Change), needed=False
            ),
        ] = None

    kind = "make"
    title = "Make it so"
    input = "instance"
    example = questions.FormField("An example that meets it", "T1 P1")
    entry: Entry

    @classmethod
    def why_no_exercise(cls, wanted: Difficulty) -> str:
        alone = set(wanted.chosen) <= set(ASKED["flat"])
        return (
            "with flat measures only, there is too little to change. Choose another measure"
            if alone
            else ""
        )

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        keys = rng.sample(wanted.chosen, min(2, len(wanted.chosen)))
        families = {CATALOGUE[key].family for key in keys}
        start = draw(wanted, rng, "confusion" if "confusion" in families else "")
        if start is None:
            return None
        others = list(_edited(start))
        for goal in rng.sample(others, min(GOALS, len(others))):
            if goal.predicted in (frozenset(), goal.true) or not is_clear(goal, families):
                continue
            limits = [
                _limits(k, start.explained[k], goal.explained[k], alone=len(keys) == 1)
                for k in keys
            ]
            condition = " and ".join(limits)
            if all(limits) and _worth_making(start, others, Expression(condition)):
                example = in_order(goal.hierarchy, goal.predicted)
                card = start.card(keys, kind=cls.kind, condition=condition, answer=example)
                return {**card, "hidden": []}  # you watch the values
        return None

    def about(self) -> About:
        return group_by_hint(self._condition.measures.values())

    @cached_property
    def _condition(self) -> Formula:
        found = self.subject.read(self.entry.condition)
        if not found.expression.is_condition or not found.quantities:
            raise InputError(
                f"{shown(self.entry.condition)} is not a condition, such as hF > 0.6 and "
                f"F_LCA < 0.5"
            )
        return found

    def change(self) -> questions.Change:
        return self.entry.change or "predicted"

    def asked(self) -> str:
        return f"Change {_WORDS[self.change()]} until {self.subject.name(self.entry.condition)}."

    def check(self) -> None:
        if self._holds(self.subject):
            said = self.subject.values_in_words(self._condition)
            raise InputError(
                f"the task is empty: {self._condition.text} is true at the start already: {said}"
            )
        self.answer()

    def answer(self) -> Instance:
        """The author's example."""
        return self._example

    @cached_property
    def _example(self) -> Instance:
        if self.entry.answer is None:
            raise InputError(f"an example that meets {self._condition.text} is missing")
        return self.read(self.entry.answer)

    def read(self, text: str | Iterable[str]) -> Instance:
        if self.change() == "hierarchy":
            edges = text if isinstance(text, str) else tuple(text)
            hierarchy = hierarchy_of(HierarchyEntry(edges=edges), {}) if edges else None
            if hierarchy is None:
                raise InputError("write a hierarchy as edges, such as A>B A>C")
            hierarchy = hierarchy.with_class_weights_of(self.instances[0].hierarchy)
            made = replace(
                self.instances[0], hierarchy=hierarchy, true_paths=None, predicted_paths=None
            )
            questions.check_size(made)
            return made
        return self.instances[0].with_classes(
            self._side, classes_in(text, self.instances[0].hierarchy)
        )

    def _said(self, given: Instance) -> str:
        values = self.subject.with_first(given).values_in_words(self._condition, value_text)
        return f"{self._in_words(given)}: {values}"

    @property
    def _side(self) -> SideName:
        return "true" if self.change() == "true" else "predicted"

    def _holds(self, subject: Subject) -> bool:
        return bool(self._condition.work_out(subject.value))

    def _checked(self, given: questions.Given) -> Instance:
        """Return the person's instance. Only the allowed parts may differ."""
        if not isinstance(given, Instance):
            raise InputError(f"an answer is the instance with {_WORDS[self.change()]} changed")
        start, h = self.instances[0], given.hierarchy
        if self.change() == "hierarchy":
            if gone := (given.true | given.predicted) - set(h.nodes):
                raise InputError(
                    f"{quote_names(gone)} is still marked, but not in your "
                    f"hierarchy. Remove the mark or add the class"
                )
            same = (given.true, given.predicted) == (start.true, start.predicted)
        else:
            other: SideName = "predicted" if self._side == "true" else "true"
            h.check(given.true | given.predicted)
            same = h == start.hierarchy and getattr(given, other) == getattr(start, other)
        if not same or given.options != start.options:
            raise InputError(f"only {_WORDS[self.change()]} may be changed")
        return replace(given, exact_work=start.exact_work)

    def _nearest(self, given: Instance) -> tuple[bool, Instance]:
        """Return a right answer one step after a wrong answer, on the path to the example. By
        default, return the example.
        """
        if self._holds(self.subject.with_first(given)):
            return True, given
        if self.change() == "hierarchy":
            return False, self._example
        now = self._set_of(given)
        steps = sorted(now ^ self._set_of(self._example), key=given.hierarchy.index)[:MOST_STEPS]
        nearer = (given.with_classes(self._side, now ^ {c}) for c in steps)
        return False, next(filter(self._right, nearer), self._example)

    def _right(self, instance: Instance) -> bool:
        try:
            return self._holds(self.subject.with_first(instance))
        except InputError:
            return False

    def _set_of(self, instance: Instance) -> frozenset[str]:
        return instance.true if self.change() == "true" else instance.predicted

    def _in_words(self, answer: Instance) -> str:
        if self.change() == "hierarchy":
            return " ".join(f"{p}>{c}" for p, c in written_edges(answer.hierarchy)[:40])
        return named(self._set_of(answer))

    def _why(self, given: Instance, answer: Instance) -> str:
        if given is answer:
            return f"At the start, {self.subject.values_in_words(self._condition, value_text)}."
        there = self.subject.with_first(answer).values_in_words(self._condition, value_text)
        return f"With {self._in_words(answer)}, {there}."

    def _would_be(self, given: Instance) -> str:
        root = self._condition.expression.root
        if root.op != "and":
            return ""
        subject = self.subject.with_first(given)
        held: dict[bool, list[str]] = {True: [], False: []}
        for part in root.parts:
            held[bool(subject.computed(part.text).value)].append(self.subject.name(part.text))
        if not held[True]:
            return ""
        wanting = f"{join_words(held[False])} {agree(len(held[False]), 'does')} not"
        return f"{join_words(held[True])} {agree(len(held[True]), 'holds', 'hold')}; {wanting}."


def _worth_making(start: Drawn, others: Sequence[Drawn], condition: Expression) -> bool:
    """Return True if few edits make a condition true. It must be false at the start, for the truth
    itself and for an empty side.
    """

    def holds(drawn: Drawn) -> bool:
        return bool(condition({key: drawn.explained[key] for key in condition.used}))

    trivial = (start, start.with_predicted(start.true), start.with_predicted(frozenset()))
    return not any(map(holds, trivial)) and sum(map(holds, others)) <= MOST_HOLDS * len(others)


def _edited(start: Drawn) -> Iterator[Drawn]:
    below = start.hierarchy.nodes[1:]
    for edit in edits_of(start.explained.instance, below, sides=["predicted"]):
        yield start.with_predicted(edit.of(start.predicted))


def _limits(key: str, start: float, goal: float, *, alone: bool) -> str:
    """Return a condition with round numbers around the goal, or "" if goal and start are equal.

    It limits the start's side, and with `alone` also the other side.
    """
    if math.isnan(start) or math.isnan(goal) or abs(goal - start) <= CLOSE:
        return ""
    step = 0.1 if CATALOGUE[key].high == 1 else 1.0
    ends = (math.ceil(goal / step - 1 - 1e-6)) * step, (math.floor(goal / step + 1 + 1e-6)) * step
    below, above = (number(round(end, 1)) for end in ends)
    if alone:
        return f"{below} < {key} < {above}"
    return f"{key} > {below}" if goal > start else f"{key} < {above}"
