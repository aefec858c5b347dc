"""The question to change an instance until a condition holds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import ClassVar

from hiermeasures.behaviour.what_if import edits_of
from hiermeasures.cases.case import hierarchy_of
from hiermeasures.cases.format import HierarchyEntry
from hiermeasures.errors import InputError, listed, shown
from hiermeasures.expressions import Expression, Node
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.hierarchies.building import written_edges
from hiermeasures.lessons.format import Change, Kind
from hiermeasures.lessons.questions import Given, Input, Question, Verdict, check_size, joined, parted
from hiermeasures.lessons.values import SECOND, Subject, classes_in, value_text
from hiermeasures.measures import Instance, SideName
from hiermeasures.measures.catalogue import named
from hiermeasures.measures.own import named_value

MOST_TRIED = 300  # instances that are looked at for an answer where none is given
MOST_STEPS = 10  # and between a wrong answer and the example
_WORDS: dict[Change, str] = {
    "predicted": "the predicted classes",
    "true": "the true classes",
    "hierarchy": "the hierarchy",
}


@dataclass(frozen=True)
class Make(Question):
    """Change the first instance's predicted classes, true classes or hierarchy until `condition` holds."""

    kind: ClassVar[Kind] = "make"
    input: ClassVar[Input] = "instance"
    needs: ClassVar[tuple[str, ...]] = ("condition",)
    takes: ClassVar[tuple[str, ...]] = ("change",)

    @cached_property
    def _condition(self) -> Expression:
        found = Expression(self.entry.condition)
        if not found.is_condition or not found.names:
            raise InputError(f"{shown(self.entry.condition)} is no condition, such as hF > 0.5 and F_LCA < 0.4")
        return found

    @property
    def start(self) -> Instance:
        """The instance as a person finds it."""
        return self.instances[0]

    @property
    def measures(self) -> tuple[str, ...]:
        c, subject = self._condition, self.subject
        found = (subject.key(named_value(c, name, subject.defined, SECOND)) for name in c.used)
        return tuple(dict.fromkeys(key for key in found if "." not in key.partition("=")[0]))

    def change(self) -> Change:
        return self.entry.change or "predicted"

    def asked(self) -> str:
        return f"Change {_WORDS[self.change()]} until {_said(self.entry.condition)}."

    def check(self) -> None:
        if self._holds(self.subject):
            said = self.subject.values_in_words(self._condition)
            raise InputError(f"there is nothing to do: {self._condition.text} holds at the start, for {said}")
        if self.entry.answer is None:
            self.answer()

    @cached_property
    def _answer(self) -> Instance:
        if self.entry.answer is not None:
            return self.read(self.entry.answer)
        found = self._found()
        if found is None:
            raise InputError(f"nothing near the start was found for which {self._condition.text} holds")
        return found

    def answer(self) -> Instance:
        """The author's example, or without one the first that is found one or two changes away."""
        return self._answer

    def read(self, text: str | Iterable[str]) -> Instance:
        """Classes, or for a hierarchy edges such as `A>B A>C`."""
        if self.change() == "hierarchy":
            edges = text if isinstance(text, str) else tuple(text)
            hierarchy = hierarchy_of(HierarchyEntry(edges=edges), {}) if edges else None
            if hierarchy is None:
                raise InputError("a hierarchy is written as its edges, such as A>B A>C")
            hierarchy = hierarchy.with_class_weights_of(self.start.hierarchy)
            made = replace(self.start, hierarchy=hierarchy, true_paths=None, predicted_paths=None)
            check_size(made)
            return made
        return self.start.with_classes(self._side, classes_in(text, self.start.hierarchy))

    def judge(self, given: Given) -> Verdict:
        made = self._checked(given)
        subject = self.subject.with_first(made)
        right = self._holds(subject)
        answer = made if right else self._nearest(made)
        said = subject.values_in_words(self._condition, value_text)
        return Verdict(
            right,
            made,
            answer,
            *parted(self._classes(made), self._classes(answer)),
            why=self._why(answer, right),
            would_be="" if right else self._would_be(subject),
            given_words=f"{self._in_words(made)}: {said}",
            answer_words=self._in_words(answer),
        )

    @property
    def _side(self) -> SideName:
        return "true" if self.change() == "true" else "predicted"

    def _holds(self, subject: Subject) -> bool:
        return bool(self._condition(subject.names(self._condition)))

    def _checked(self, given: Given) -> Instance:
        """What a person made, which differs from the start in what may be changed only."""
        if not isinstance(given, Instance):
            raise InputError(f"an answer is the instance with {_WORDS[self.change()]} changed")
        start, h = self.start, given.hierarchy
        if self.change() == "hierarchy":
            if gone := (given.true | given.predicted) - set(h.nodes):
                raise InputError(f"{listed(gone)} is marked, and no longer in the hierarchy")
            same = (given.true, given.predicted) == (start.true, start.predicted)
        else:
            other: SideName = "predicted" if self._side == "true" else "true"
            h.check(given.true | given.predicted)
            same = h == start.hierarchy and getattr(given, other) == getattr(start, other)
        if not same or given.options != start.options:
            raise InputError(f"only {_WORDS[self.change()]} may be changed")
        return replace(given, exact_work=start.exact_work)

    def _nearest(self, made: Instance) -> Instance:
        """A right answer one step from what a person made towards the example, else the example."""
        if self.change() == "hierarchy":
            return self._answer
        now = self._classes(made)
        steps = sorted(now ^ self._classes(self._answer), key=made.hierarchy.index)[:MOST_STEPS]
        return self._first_right(made.with_classes(self._side, now ^ {c}) for c in steps) or self._answer

    def _found(self) -> Instance | None:
        """The first instance one change away for which the condition holds; then two changes away."""
        near = list(islice(self._changed(self.start), MOST_TRIED))
        further = (two for one in near for two in self._changed(one))
        return self._first_right(near) or self._first_right(islice(further, MOST_TRIED))

    def _first_right(self, instances: Iterable[Instance]) -> Instance | None:
        return next((instance for instance in instances if self._right(instance)), None)

    def _right(self, instance: Instance) -> bool:
        try:
            return self._holds(self.subject.with_first(instance))
        except InputError:
            return False

    def _changed(self, start: Instance) -> Iterator[Instance]:
        """The instances one change away."""
        if self.change() == "hierarchy":
            yield from (replace(start, hierarchy=h, true_paths=None, predicted_paths=None) for h in _hierarchies(start))
            return
        for edit in edits_of(start, start.hierarchy.nodes, sides=(self._side,)):
            yield edit.made(start)

    def _classes(self, instance: Instance) -> frozenset[str]:
        return instance.true if self.change() == "true" else instance.predicted

    def _in_words(self, instance: Instance) -> str:
        if self.change() == "hierarchy":
            return " ".join(f"{p}>{c}" for p, c in written_edges(instance.hierarchy)[:40])
        return named(self._classes(instance))

    def _why(self, answer: Instance, right: bool) -> str:
        if right:
            return f"At the start {self.subject.values_in_words(self._condition, value_text)}."
        there = self.subject.with_first(answer).values_in_words(self._condition, value_text)
        return f"With {self._in_words(answer)} {there}."

    def _would_be(self, made: Subject) -> str:
        """Which parts of the condition hold already."""
        root = self._condition.root
        if root.op != "and":
            return ""
        values = made.names(self._condition)
        held: dict[bool, list[str]] = {True: [], False: []}
        for part in root.parts:
            held[self._part_holds(part, values)].append(_said(self._condition.text[part.start : part.end]))
        if not held[True]:
            return ""
        wanting = f"{joined(held[False])} {'does' if len(held[False]) == 1 else 'do'} not"
        return f"{joined(held[True])} {'holds' if len(held[True]) == 1 else 'hold'}; {wanting}."

    def _part_holds(self, part: Node, values: dict[str, float]) -> bool:
        return bool(Expression(self._condition.text[part.start : part.end])(values))


def _said(condition: str) -> str:
    """A condition as it is written on a page."""
    return condition.strip().replace("==", "=")


def _hierarchies(start: Instance) -> Iterator[Hierarchy]:
    """Hierarchies with one edge more, or one edge less, in which the marked classes still are."""
    h, edges = start.hierarchy, list(written_edges(start.hierarchy))
    marked = start.true | start.predicted
    for child in sorted(marked, key=h.index):
        for parent in h.nodes[h.virtual_root :]:
            if parent != child and parent not in h.parents(child) and parent not in h.descendants(child):
                yield Hierarchy.from_edges([*edges, (parent, child)])
    for edge in edges:
        rest = [e for e in edges if e != edge]
        made = Hierarchy.from_edges(rest, h.nodes[h.virtual_root :]) if rest else None
        if made is not None and made.virtual_root == h.virtual_root:
            yield made
