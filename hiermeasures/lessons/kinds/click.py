"""The question for a set of classes, which are clicked."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from hiermeasures.cases.quantities import Quantity
from hiermeasures.errors import InputError, listed, shown
from hiermeasures.lessons.format import Kind
from hiermeasures.lessons.questions import Given, Input, Question, Verdict
from hiermeasures.lessons.sets import known_sets, set_in_words, where_from
from hiermeasures.lessons.values import classes_of, words_of
from hiermeasures.measures.catalogue import named

_SINGULAR = ("the augmented set", "the set", "the LCA graph", "the extended", "what")


@dataclass(frozen=True)
class Click(Question):
    """Click the set `set`, a quantity whose value is classes."""

    kind: ClassVar[Kind] = "click"
    input: ClassVar[Input] = "classes"
    needs: ClassVar[tuple[str, ...]] = ("set",)

    @cached_property
    def _asked(self) -> Quantity:
        found = self.subject.computed(self.entry.set)
        if found.kind != "classes" or found.quantity is None:
            raise InputError(f"{shown(self.entry.set)} is no set of classes to click, such as augmented(true)")
        return found.quantity

    @cached_property
    def _classes(self) -> frozenset[str]:
        return classes_of(self.subject.computed(self.entry.set).value)

    def asked(self) -> str:
        return f"Click {set_in_words(self._asked)}."

    def check(self) -> None:
        case = self.subject.cases[0]
        if not self._asked.text or not self._classes:
            raise InputError(f"{self.entry.set} is empty here, so there is nothing to click")
        if artificial := [c for c in self._classes if c not in case.hierarchy]:
            raise InputError(f"{listed(artificial)} of {self.entry.set} is not in the hierarchy, and cannot be clicked")

    def answer(self) -> frozenset[str]:
        return self._classes

    def read(self, text: str | Iterable[str]) -> frozenset[str]:
        h = self.subject.cases[0].hierarchy
        return h.check(words_of(text, h.nodes) if isinstance(text, str) else text)

    def judge(self, given: Given) -> Verdict:
        if not isinstance(given, frozenset):
            raise InputError("an answer is a set of classes")
        clicked = self.subject.cases[0].hierarchy.check(str(c) for c in given)
        right = clicked == self._classes
        return Verdict(
            right,
            clicked,
            self._classes,
            both=clicked & self._classes,
            missed=self._classes - clicked,
            spurious=clicked - self._classes,
            why=where_from(self._asked, self.subject.cases[0]),
            would_be="" if right else self._would_be(clicked),
            given_words=named(clicked),
            answer_words=named(self._classes),
        )

    def _would_be(self, clicked: frozenset[str]) -> str:
        root = self.subject.cases[0].hierarchy.root
        if clicked == self._classes | {root}:
            return f"That is it and the root {root}, which is not counted."
        if clicked | {root} == self._classes:
            return f"Only the root {root} is missing."
        for words, classes in known_sets(self.subject.cases, self._asked) if clicked else ():
            if classes == clicked:
                return f"{'That is' if words.startswith(_SINGULAR) else 'Those are'} {words}."
        return ""
