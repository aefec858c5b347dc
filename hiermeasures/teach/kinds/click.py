"""Questions whose answer is a set of classes to click.

The sets are quantities of the case files. This module names and explains them, and recognises a
wrong set.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from typing import Annotated, Any, cast

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.expressions import Argument
from hiermeasures.hierarchy.words import agree, quote_names
from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import SIDES, named, number
from hiermeasures.teach.questions import HINTS, FormField, Given, LongText, Question, QuestionEntry
from hiermeasures.teach.random_instances import ASKED, Difficulty, draw, in_order
from hiermeasures.verify.case import Case
from hiermeasures.verify.quantities import CELLS, Formula, Quantity, meeting
from hiermeasures.verify.values import Computed, Subject, classes_in, classes_of
from hiermeasures.verify.wording import name_value

_SIDE_HINTS = {  # of a set that is made of one side
    "augmented": "Start from the {} classes and add all their ancestors.",
    "tolerated": "Add the ancestors of the {} classes. Then take out what is wrong only because "
    "its parent is wrong.",
}
_HINTS = {
    "cell": HINTS["confusion"],
    "LCA": "Find the nearest classes on the other side. Then go up from both ends until the "
    "paths meet.",
    "S_best": "Count the edges to each class of the other side. The nearest are the best matches.",
    **dict.fromkeys(("G_t", "G_p", "LCA_all"), HINTS["lca"]),
}
# Sets that exercises ask for, by family; {t} and {p} stand for a true and a predicted class.
_SETS = {
    "ancestors": ("augmented(true)", "augmented(predicted)"),
    "lca": (
        "G_t",
        "G_p",
        "LCA({t}, predicted)",
        "LCA({p}, true)",
        "S_best({t}, predicted)",
        "S_best({p}, true)",
    ),
    "confusion": ("cell(TP)", "cell(TN)", "cell(FP)", "cell(FN)"),
}


@dataclass(frozen=True)
class Click(Question):
    """Click the classes of `set`, a quantity that is a set of classes."""

    class Entry(QuestionEntry):
        set: Annotated[LongText, FormField("Set to click", "augmented(true)")] = ""

    kind = "click"
    title = "Sets"
    input = "classes"
    entry: Entry

    @classmethod
    def why_no_exercise(cls, wanted: Difficulty) -> str:
        if set(wanted.families) & set(_SETS):
            return ""
        return (
            "it asks about ancestor sets, LCA graphs and confusion cells. Choose a measure of these"
        )

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        family = rng.choice([f for f in wanted.families if f in _SETS])
        form = rng.choice(_SETS[family])
        drawn = draw(wanted, rng, family)
        if drawn is None:
            return None
        t, p = (
            rng.choice(in_order(drawn.hierarchy, side)) for side in (drawn.true, drawn.predicted)
        )
        label, others = (t, drawn.predicted) if "{t}" in form else (p, drawn.true)
        if "{" in form and (label in others or (form.startswith("S_best") and len(others) == 1)):
            return None  # the class is its own match, or has only one possible match
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
            raise InputError(
                f"{shown(self.entry.set)} is not a set of classes to click, such as augmented(true)"
            )
        return found

    @property
    def _asked(self) -> Quantity:
        return cast(Quantity, self._found.quantity)

    @property
    def _case(self) -> Case:
        return self.subject.at(self._asked.second)

    @cached_property
    def _classes(self) -> frozenset[str]:
        return classes_of(self._found.value)

    def asked(self) -> str:
        return f"Click {self.subject.name(self.entry.set)}."

    def check(self) -> None:
        graphs = self._case.explained.lca if self._asked.name in ("G_t", "G_p") else None
        if graphs and self.explained.options.graphs != "extended":
            minimal, extended = graphs.minimal.overlap, graphs.extended.overlap
            if (minimal.true, minimal.predicted) != (extended.true, extended.predicted):
                raise InputError(
                    f"{self.entry.set} is not unique here, because another choice is as good. Ask "
                    f"for the extended graphs with the option graphs=extended"
                )
        if not self._classes:
            raise InputError(f"{self.entry.set} is empty here. Ask for a set that has classes")
        if artificial := [c for c in self._classes if c not in self._case.hierarchy]:
            raise InputError(
                f"{quote_names(artificial)} of {self.entry.set} is not in the hierarchy, so it "
                f"cannot be clicked"
            )

    def options(self) -> Iterable[tuple[str, str]]:
        return ((label, label) for label in self._case.hierarchy.nodes)

    def answer(self) -> frozenset[str]:
        return self._classes

    def read(self, text: str | Iterable[str]) -> frozenset[str]:
        return classes_in(text, self._case.hierarchy)

    def _checked(self, given: Given) -> frozenset[str]:
        if not isinstance(given, frozenset):
            raise InputError("an answer is a set of classes")
        return self._case.hierarchy.check(str(c) for c in given)

    def _why(self, given: frozenset[str], answer: frozenset[str]) -> str:
        say = _SENTENCES.get(self._asked.name)
        return say(self._case, *self._asked.arguments) if say else f"It is {named(self._classes)}."

    def _in_words(self, answer: frozenset[str]) -> str:
        return named(answer)

    @property
    def explained(self) -> Explanation:
        return self._case.explained

    @property
    def asked_for(self) -> tuple[str, tuple[str, ...]]:
        return self._asked.name, tuple(map(str, self._asked.arguments))

    def as_if(self, text: str) -> frozenset[str]:
        return classes_of(Formula.of(text)(self._case))

    def hint(self) -> str:
        name, arguments = self.asked_for
        made = _SIDE_HINTS[name].format(*arguments) if name in _SIDE_HINTS else _HINTS.get(name, "")
        return self.hinted or made or super().hint()

    def _would_be(self, given: frozenset[str]) -> str:
        """Name the set of a wrong answer."""
        sides = ((f"the {side} classes", getattr(self._case, side)) for side in SIDES)
        others = ((words, classes) for _, words, classes in named_sets(self._case))
        found = (words for words, classes in (*sides, *others) if given and classes == given)
        return next((f"You clicked {words}." for words in found), "")


MOST_OFFERED = 6  # classes of a side for which LCA and S_best are offered
# Quantities of a case that take no class.
_OTHERS = (
    *(f"augmented({side})" for side in SIDES),
    *(f"tolerated({side})" for side in SIDES),
    *("G_t", "G_p"),
    "LCA_all(true, predicted)",
    "LCA_all(predicted, true)",
    *(f"cell({cell})" for cell in CELLS),
)


def named_sets(case: Case) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Yield (quantity, name, classes) of the non-empty sets that a question can ask for."""
    both = (
        (other, sorted(getattr(case, side))[:MOST_OFFERED]) for side, other in (SIDES, SIDES[::-1])
    )
    of_one = [
        f"{name}({label}, {other})"
        for other, labels in both
        for label in labels
        for name in ("LCA", "S_best")
    ]
    for text, words, classes in _computed(case, (*_OTHERS, *of_one)):
        if classes and all(label in case.hierarchy for label in classes):
            yield text, words, classes


def _computed(case: Case, texts: Iterable[str]) -> Iterator[tuple[str, str, frozenset[str]]]:
    for text in texts:
        with suppress(InputError):
            asked = Formula.of(text)
            yield text, name_value(text), classes_of(asked(case))


def _augmented(case: Case, side: str) -> str:
    sets, root = case.explained.augmented, case.hierarchy.root
    added, classes = getattr(sets, f"{side}_added"), getattr(case, side)
    left = (
        f"; the root {root} is not counted" if classes and root not in getattr(sets, side) else ""
    )
    one = agree(len(classes), f"The {side} class is", f"The {side} classes are")
    others, below = agree(len(added), "class"), agree(len(classes), "it")
    above = f"the {others} above {below} {agree(len(added), 'is')} {named(added)}"
    return f"{one} {named(classes)}; {above}{left}."


def _graph(side: str, case: Case) -> str:
    graphs = case.explained.lca
    if case.explained.options.graphs == "extended":
        ways = [
            way
            for (c, _), found in graphs.ways.items()
            if c in getattr(graphs, side)
            for way in found
        ]
    else:
        ways = [chosen.path for chosen in graphs.minimal.paths if chosen.side == side]
    met = [" – ".join(way) for way in dict.fromkeys(ways) if len(way) > 1]
    if not met:
        return f"It is the {side} classes alone: {named(getattr(graphs, side))}."
    paths = ", ".join(met[:6])
    return f"It contains the paths from the {side} classes up to their common ancestors: {paths}."


def _cell(case: Case, cell: str) -> str:
    x = case.explained
    paths = "; ".join(
        f"{' > '.join(c.predicted_path)} with "
        f"{' > '.join(c.true_path) if c.true_path else 'no path'}"
        for c in x.confusion.paths[:4]
    )
    return x.derivation(f"HCM_{cell}").sentence + (f" Compared: {paths}." if paths else "")


def _met(case: Case, label: Argument, others: Argument) -> str:
    match = meeting(case, label, others).true_matches[0]
    if match.best == {match.label}:
        return f"{match.label} itself is on the other side."
    met = f"at distance {number(match.distance)}, and they meet in {named(match.lcas)}"
    return f"Nearest to {match.label} {agree(len(match.best), 'is')} {named(match.best)}, {met}."


_SENTENCES: Mapping[str, Callable[..., str]] = {
    "augmented": _augmented,
    "G_t": partial(_graph, "true"),
    "G_p": partial(_graph, "predicted"),
    "cell": _cell,
    "LCA": _met,
    "S_best": _met,
}
