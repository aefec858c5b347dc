"""The question for a set of classes, which are clicked."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Annotated, Any, cast

from hiermeasures.cases.case import Case
from hiermeasures.cases.quantities import Quantity, quantity
from hiermeasures.core.errors import InputError, listed, shown
from hiermeasures.lessons.questions import FormField, Given, LongText, Question, QuestionEntry, Verdict, parted
from hiermeasures.lessons.random_instances import ASKED, Difficulty, Drawn, draw, in_order
from hiermeasures.lessons.sets import known_sets, minimal_graphs, set_in_words, where_from
from hiermeasures.lessons.values import Computed, Subject, classes_in, classes_of
from hiermeasures.measures import Explanation, SideName
from hiermeasures.measures.catalogue import named

_ONE = ("the augmented set", "the set", "the LCA graph", "the extended", "what")
_TIE = " Another graph would be right, too."

_GRAPHS: dict[str, SideName] = {"G_t": "true", "G_p": "predicted"}
_ABOUT = {"augmented": "ancestors", "descendants": "descendants", "tolerated": "h_loss", "cell": "confusion"}
_ABOUT |= dict.fromkeys(("G_t", "G_p", "LCA", "S_best"), "lca")
# Sets that exercises ask for, by family; {t} and {p} stand for a true and a predicted class.
_SETS = {
    "ancestors": ("augmented(true)", "augmented(predicted)"),
    "lca": ("G_t", "G_p", "LCA({t}, predicted)", "LCA({p}, true)", "S_best({t}, predicted)", "S_best({p}, true)"),
    "confusion": ("cell(TP)", "cell(TN)", "cell(FP)", "cell(FN)"),
}


@dataclass(frozen=True)
class Click(Question):
    """Click the set `set`, a quantity whose value is classes."""

    class Entry(QuestionEntry):
        set: Annotated[LongText, FormField("Set to click", "augmented(true)")] = ""

    kind = "click"
    title = "Sets"
    about = "click a set of classes"
    input = "classes"
    entry: Entry

    @classmethod
    def why_no_exercise(cls, wanted: Difficulty) -> str:
        if set(wanted.families) & set(_SETS):
            return ""
        return "it asks about ancestor sets, LCA graphs and confusion cells, of which no measure is chosen"

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        family = rng.choice([f for f in wanted.families if f in _SETS])
        form = rng.choice(_SETS[family])
        drawn = draw(wanted, rng, family)
        if drawn is None:
            return None
        t, p = (rng.choice(in_order(drawn.hierarchy, side)) for side in (drawn.true, drawn.predicted))
        if "{" in form and _meets_only(drawn, form, t, p):
            return None
        entry = cls.Entry(kind=cls.kind, set=form.format(t=t, p=p))
        try:
            asked = cls(entry, Subject.of([drawn.explained.instance]))
            asked.check()
        except InputError:  # there is nothing to click
            return None
        if asked.answer() in (frozenset(drawn.hierarchy.nodes), drawn.true, drawn.predicted):
            return None
        keys = [key for key in ASKED[family] if key in wanted.chosen]
        return drawn.card(keys, kind=cls.kind, set=entry.set)

    @property
    def on_paper(self) -> str:
        return self.words.replace("Click", "Mark", 1)

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
        return self.subject.at(self._found.second)

    @cached_property
    def _classes(self) -> frozenset[str]:
        return classes_of(self._found.value)

    @cached_property
    def _every(self) -> tuple[frozenset[str], ...]:
        """The sets that are right: minimal LCA graphs need not be unique."""
        side = _GRAPHS.get(self._asked.name)
        return (self._classes,) if side is None else tuple(minimal_graphs(self._case.explained, side))

    @property
    def unique(self) -> bool:
        return len(self._every) == 1

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

    def judged(self, given: Given) -> Verdict:
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

    @property
    def explained(self) -> Explanation:
        """The instance of which a set is asked."""
        return self._case.explained

    @property
    def asks_for(self) -> str:
        """Name of the quantity: "augmented", "G_t", "cell"."""
        return self._asked.name

    @property
    def arguments(self) -> tuple[str, ...]:
        return tuple(map(str, self._asked.arguments))

    def as_if(self, text: str) -> frozenset[str]:
        """The classes of another quantity of the same instance."""
        return classes_of(quantity(text)(self._case))

    def about_keys(self) -> tuple[str, ...]:
        return (_ABOUT.get(self._asked.name, ""),)

    def _would_be(self, clicked: frozenset[str]) -> str:
        root = self._case.hierarchy.root
        if clicked == self._classes | {root}:
            return f"That is the answer and the root {root}, which is not counted."
        if clicked | {root} == self._classes:
            return f"Only the root {root} is missing."
        others = [case for case in self.subject.cases if case is not self._case]
        for words, classes in known_sets((self._case, *others), self._asked) if clicked else ():
            if classes == clicked:
                return f"{'That is' if words.startswith(_ONE) or words.endswith(' class') else 'Those are'} {words}."
        return ""


def _meets_only(drawn: Drawn, form: str, t: str, p: str) -> bool:
    """Return whether a class meets itself, or its best match is the only class there is."""
    label, others = (t, drawn.predicted) if "{t}" in form else (p, drawn.true)
    return label in others or (form.startswith("S_best") and len(others) == 1)
