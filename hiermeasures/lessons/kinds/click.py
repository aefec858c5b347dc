"""The question for a set of classes, which are clicked."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, cast

from hiermeasures.cases.case import Case
from hiermeasures.cases.quantities import Quantity
from hiermeasures.errors import InputError, listed, shown
from hiermeasures.lessons.equally_good import minimal_graphs
from hiermeasures.lessons.format import Kind
from hiermeasures.lessons.questions import Given, Input, Question, Verdict, parted
from hiermeasures.lessons.sets import known_sets, set_in_words, where_from
from hiermeasures.lessons.values import Computed, classes_in, classes_of
from hiermeasures.measures import SideName
from hiermeasures.measures.catalogue import named

_ONE = ("the augmented set", "the set", "the LCA graph", "the extended", "what")
_TIE = " Another graph is as good."

_GRAPHS: dict[str, SideName] = {"G_t": "true", "G_p": "predicted"}


@dataclass(frozen=True)
class Click(Question):
    """Click the set `set`, a quantity whose value is classes."""

    kind: ClassVar[Kind] = "click"
    input: ClassVar[Input] = "classes"
    needs: ClassVar[tuple[str, ...]] = ("set",)

    @cached_property
    def _found(self) -> Computed:
        found = self.subject.computed(self.entry.set)
        if found.kind != "classes" or found.quantity is None:
            raise InputError(f"{shown(self.entry.set)} is no set of classes to click, such as augmented(true)")
        return found

    @property
    def _asked(self) -> Quantity:
        return cast(Quantity, self._found.quantity)

    @property
    def _case(self) -> Case:
        """The instance that the set is of."""
        return self.subject.at(self._found.second)

    @cached_property
    def _classes(self) -> frozenset[str]:
        return classes_of(self._found.value)

    @cached_property
    def _every(self) -> tuple[frozenset[str], ...]:
        """The sets that are right: minimal LCA graphs need not be unique."""
        side = _GRAPHS.get(self._asked.name)
        return (self._classes,) if side is None else tuple(minimal_graphs(self._case.explained, side))

    def asked(self) -> str:
        of = f", of the {'second' if self._found.second else 'first'} prediction" if len(self.subject.cases) > 1 else ""
        return f"Click {set_in_words(self._asked)}{of}."

    def check(self) -> None:
        if not self._classes:
            raise InputError(f"{self.entry.set} is empty here, so there is nothing to click")
        if artificial := [c for c in self._classes if c not in self._case.hierarchy]:
            raise InputError(f"{listed(artificial)} of {self.entry.set} is not in the hierarchy, and cannot be clicked")

    def answer(self) -> frozenset[str]:
        return self._classes

    def read(self, text: str | Iterable[str]) -> frozenset[str]:
        return classes_in(text, self._case.hierarchy)

    def judge(self, given: Given) -> Verdict:
        if not isinstance(given, frozenset):
            raise InputError("an answer is a set of classes")
        clicked = self._case.hierarchy.check(str(c) for c in given)
        answer = min(self._every, key=lambda classes: len(classes ^ clicked))
        right = clicked == answer
        return Verdict(
            right,
            clicked,
            answer,
            *parted(clicked, answer),
            why=where_from(self._asked, self._case) + (_TIE if len(self._every) > 1 else ""),
            would_be="" if right else self._would_be(clicked),
            given_words=named(clicked),
            answer_words=named(answer),
        )

    def _would_be(self, clicked: frozenset[str]) -> str:
        root = self._case.hierarchy.root
        if clicked == self._classes | {root}:
            return f"That is it and the root {root}, which is not counted."
        if clicked | {root} == self._classes:
            return f"Only the root {root} is missing."
        others = [case for case in self.subject.cases if case is not self._case]
        for words, classes in known_sets((self._case, *others), self._asked) if clicked else ():
            if classes == clicked:
                return f"{'That is' if words.startswith(_ONE) or words.endswith(' class') else 'Those are'} {words}."
        return ""
