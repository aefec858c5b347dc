"""The question for a set of classes, which are clicked.

The sets are the quantities of the case files: what each is called, where it comes from, which set
something is that was clicked instead, and which LCA graphs are as good as the one that is drawn.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations, islice, product
from random import Random
from typing import Annotated, Any, cast

from hiermeasures.cases.case import Case
from hiermeasures.cases.quantities import Argument, Quantity, meeting, quantity, set_of
from hiermeasures.core.errors import InputError, listed, shown
from hiermeasures.lessons.questions import FormField, Given, LongText, Question, QuestionEntry
from hiermeasures.lessons.random_instances import ASKED, Difficulty, draw, in_order
from hiermeasures.lessons.values import Computed, Subject, classes_in, classes_of
from hiermeasures.measures import Explanation, SideName
from hiermeasures.measures.catalogue import SIDES, Path, named, number
from hiermeasures.measures.lca_structure import BestMatch, LCAGraphs

_ONE = ("the augmented set", "the set", "the LCA graph", "the extended", "what")

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
        label, others = (t, drawn.predicted) if "{t}" in form else (p, drawn.true)
        if "{" in form and (label in others or (form.startswith("S_best") and len(others) == 1)):
            return None  # a class would meet itself, or has the only best match there is
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

    def _checked(self, given: Given) -> frozenset[str]:
        if not isinstance(given, frozenset):
            raise InputError("an answer is a set of classes")
        return self._case.hierarchy.check(str(c) for c in given)

    def _nearest(self, given: frozenset[str]) -> tuple[bool, frozenset[str]]:
        answer = min(self._every, key=lambda classes: len(classes ^ given))
        return given == answer, answer

    def _why(self, given: frozenset[str], answer: frozenset[str]) -> str:
        say = _SENTENCES.get(self._asked.name)
        said = say(self._case, *self._asked.arguments) if say else f"It is {named(self._classes)}."
        return said if self.unique else f"{said} Another graph would be right, too."

    def _in_words(self, answer: frozenset[str]) -> str:
        return named(answer)

    @property
    def explained(self) -> Explanation:
        return self._case.explained

    @property
    def asked_for(self) -> tuple[str, tuple[str, ...]]:
        return self._asked.name, tuple(map(str, self._asked.arguments))

    def as_if(self, text: str) -> frozenset[str]:
        return classes_of(quantity(text)(self._case))

    def about_keys(self) -> tuple[str, ...]:
        return (_ABOUT.get(self._asked.name, ""),)

    def _would_be(self, given: frozenset[str]) -> str:
        root = self._case.hierarchy.root
        if given == self._classes | {root}:
            return f"That is the answer and the root {root}, which is not counted."
        if given | {root} == self._classes:
            return f"Only the root {root} is missing."
        others = [case for case in self.subject.cases if case is not self._case]
        for words, classes in known_sets((self._case, *others), self._asked) if given else ():
            if classes == given:
                return f"{'That is' if words.startswith(_ONE) or words.endswith(' class') else 'Those are'} {words}."
        return ""


MOST_OFFERED = 6  # classes of a side, of which sets of one class are offered
_CELLS = {"TP": "true positives", "TN": "true negatives", "FP": "false positives", "FN": "false negatives"}
_NAMED = {
    "augmented": "the augmented set of {}",
    "tolerated": "the set of {} as H-loss compares it",
    "G_t": "the LCA graph of the true classes",
    "G_p": "the LCA graph of the predicted classes",
    "cell": "the {} of the hierarchical confusion matrix",
    "LCA": "the lowest common ancestors of {} and {}",
    "LCA_all": "the lowest common ancestors of each of {} with {}",
    "S_best": "the best matches of {} among {}",
}
# What a click can have meant instead: the quantities of the case that take no class.
_OTHERS = (
    *(f"augmented({side})" for side in SIDES),
    *(f"tolerated({side})" for side in SIDES),
    *("G_t", "G_p"),
    "LCA_all(true, predicted)",
    "LCA_all(predicted, true)",
    *(f"cell({cell})" for cell in _CELLS),
)


def set_in_words(asked: Quantity) -> str:
    known: dict[str, str] = {side: f"the {side} classes" for side in SIDES} | _CELLS
    of = [named(a) if isinstance(a, frozenset) else known.get(a, a) for a in asked.arguments]
    return _NAMED[asked.name].format(*of) if asked.name in _NAMED else asked.text


def known_sets(cases: tuple[Case, ...], asked: Quantity) -> Iterator[tuple[str, frozenset[str]]]:
    """Sets that may have been clicked instead of the one asked for, likeliest first, with names."""
    case = cases[0]
    x, sets = case.explained, case.explained.augmented
    for side in SIDES:
        classes = getattr(case, side)
        yield f"the {side} {'class' if len(classes) == 1 else 'classes'}", classes
    met = [f"{name}{asked.text.removeprefix(asked.name)}" for name in ("LCA", "S_best")]
    for _, words, classes in _computed(case, (*(met if asked.name in ("LCA", "S_best") else ()), *_OTHERS)):
        yield words, classes
    yield "the true and the predicted classes together", case.true | case.predicted
    yield "what the true and the predicted classes share", case.true & case.predicted
    for side in SIDES:
        yield f"the classes above the {side} ones, without these", getattr(sets, f"{side}_added")
    yield "what the two augmented sets share", sets.shared
    yield "the two augmented sets together", sets.true | sets.predicted
    for side in SIDES:
        yield f"the {side} classes with all classes below", getattr(x.descendants, side)
    for side in SIDES:
        yield f"the extended LCA graph of the {side} classes", frozenset(getattr(x.lca.extended, side).nodes)
    if len(cases) > 1:
        for words, classes in known_sets(cases[1:], asked):
            yield f"{words}, of the other prediction", classes


def named_sets(case: Case) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Sets that a question can ask for on a case, with the quantity and its name; none is empty."""
    both = ((other, sorted(getattr(case, side))[:MOST_OFFERED]) for side, other in (SIDES, SIDES[::-1]))
    of_one = [f"{name}({label}, {other})" for other, labels in both for label in labels for name in ("LCA", "S_best")]
    for text, words, classes in _computed(case, (*_OTHERS, *of_one)):
        if classes and all(label in case.hierarchy for label in classes):
            yield text, words, classes


def _computed(case: Case, texts: Iterable[str]) -> Iterator[tuple[str, str, frozenset[str]]]:
    for text in texts:
        with suppress(InputError):
            asked = quantity(text)
            yield text, set_in_words(asked), classes_of(asked(case))


# --- where they come from -------------------------------------------------------------------------


def _augmented(case: Case, side: str) -> str:
    sets, root = case.explained.augmented, case.hierarchy.root
    added, classes = getattr(sets, f"{side}_added"), getattr(case, side)
    left = f"; the root {root} is not counted" if classes and root not in getattr(sets, side) else ""
    one = f"The {side} {'class' if len(classes) == 1 else 'classes'} {_is(classes)}"
    others = "class above" if len(added) == 1 else "classes above"
    below = "it" if len(classes) == 1 else "them"
    return f"{one} {named(classes)}; the {others} {below} {_is(added)} {named(added)}{left}."


def _is(classes: frozenset[str]) -> str:
    return "is" if len(classes) == 1 else "are"


def _tolerated(case: Case, side: str) -> str:
    removed, whole = getattr(case.explained.h_loss, f"{side}_removed"), getattr(case.explained.augmented, side)
    if not removed:
        return f"The augmented set is {named(whole)}, and no error in it lies below another error."
    left_out = f"{named(removed)} {_is(removed)} left out"
    return f"Of the augmented set {named(whole)}, {left_out}: an error above already counts."


def _graph(side: str, case: Case) -> str:
    graphs = case.explained.lca
    if case.explained.options.graphs == "extended":
        ways = [way for (c, _), found in graphs.ways.items() if c in getattr(graphs, side) for way in found]
    else:
        ways = [chosen.path for chosen in graphs.minimal.paths if chosen.side == side]
    met = [" – ".join(way) for way in dict.fromkeys(ways) if len(way) > 1]
    if not met:
        return f"It is the {side} classes alone: {named(getattr(graphs, side))}."
    return f"It holds the ways from the {side} classes up to where they meet the others: {', '.join(met[:6])}."


def _cell(case: Case, cell: str) -> str:
    x = case.explained
    paths = "; ".join(
        f"{' > '.join(c.predicted_path)} with {' > '.join(c.true_path) if c.true_path else 'no path'}"
        for c in x.confusion.paths[:4]
    )
    return x.derivation(f"HCM_{cell}").sentence + (f" Compared: {paths}." if paths else "")


def _met(case: Case, label: Argument, others: Argument) -> str:
    return _matches(meeting(case, label, others).true_matches[:1])


def _every(case: Case, first: Argument, second: Argument) -> str:
    return _matches(case.between(set_of(case, first), set_of(case, second)).lca.true_matches[:6])


def _matches(matches: Sequence[BestMatch]) -> str:
    parts = []
    for match in (match for match in matches if match.meetings):
        if match.best == {match.label}:
            parts.append(f"{match.label} is on the other side itself")
        else:
            nearest = f"nearest to {match.label} {_is(match.best)} {named(match.best)}"
            met = f"at distance {number(match.distance)}, and they meet in {named(match.lcas)}"
            parts.append(f"{nearest}, {met}")
    text = "; ".join(parts) or "there is no class to meet"
    return f"{text[:1].upper() + text[1:] if text.startswith(('nearest', 'there')) else text}."


_SENTENCES: Mapping[str, Callable[..., str]] = {
    "augmented": _augmented,
    "tolerated": _tolerated,
    "G_t": partial(_graph, "true"),
    "G_p": partial(_graph, "predicted"),
    "cell": _cell,
    "LCA": _met,
    "S_best": _met,
    "LCA_all": _every,
}


# --- graphs as good as the one that is drawn ------------------------------------------------------

MOST_TRIED = 4_000  # sets of LCAs, ways of one connection, and pairs of graphs


def minimal_graphs(x: Explanation, side: SideName) -> Iterator[frozenset[str]]:
    """Yield the classes of one side's graph in every minimal pair of graphs, that of the structure
    first.

    The pairs differ in their common ancestors and cheapest paths, and have the same F_LCA. Problem
    2 of Kosmopoulos et al. 2015 leaves such ties open, and whoever finds another of these graphs is
    right.

    >>> from hiermeasures import Hierarchy, explain
    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B"), *((c, x) for c in "AB" for x in "tp")])
    >>> [sorted(graph) for graph in minimal_graphs(explain(h, {"t"}, {"p"}), "true")]
    [['A', 't'], ['B', 't']]
    """
    graphs = x.lca
    best = [frozenset(getattr(graphs.minimal, s).nodes) for s in SIDES]
    found = {best[SIDES.index(side)]}
    yield best[SIDES.index(side)]
    if x.options.graphs == "extended" or not graphs.minimal.optimal or not graphs.ranking:
        return
    for pair in islice(_pairs(x, graphs), MOST_TRIED):
        graph = pair[SIDES.index(side)]
        if graph not in found and _share(x, pair) == _share(x, best):
            found.add(graph)
            yield graph


def _share(x: Explanation, pair: Sequence[frozenset[str]]) -> Fraction:
    """Half of the F_LCA of two graphs, to tell whether they are as good as others."""
    true, predicted = (graph - x.instance.uncounted for graph in pair)
    return Fraction(len(true & predicted), max(len(true) + len(predicted), 1))


def _pairs(x: Explanation, graphs: LCAGraphs) -> Iterator[tuple[frozenset[str], ...]]:
    """The two graphs of every choice: fewest LCAs, and one cheapest path for each connection."""
    matches = {"true": graphs.true_matches, "predicted": graphs.predicted_matches}
    every = [match for found in matches.values() for match in found]

    def connections(side: SideName, lca: str) -> list[list[tuple[SideName, str, str]]]:
        """Classes of a side connected with an LCA: its own, else one that others meet there."""
        if labels := [match.label for match in matches[side] if lca in match.lcas]:
            return [[(side, label, lca)] for label in labels]
        other = matches[SIDES[1 - SIDES.index(side)]]
        met = {meeting.partner for match in other for meeting in match.meetings if lca in meeting.lcas}
        return [[(side, label, lca) for label in sorted(met)]]

    lcas = [ranked.label for ranked in graphs.ranking]
    for chosen in islice(combinations(lcas, len(graphs.minimal.lcas)), MOST_TRIED):
        if not all(match.lcas & set(chosen) for match in every):
            continue
        for connected in product(*(ways for a in chosen for s in SIDES for ways in connections(s, a))):
            paths = ([(s, way) for way in _ways(x, label, lca)] for s, label, lca in connected)
            for ways in product(*paths):
                yield tuple(getattr(graphs, side).union(*(way for s, way in ways if s == side)) for side in SIDES)


def _ways(x: Explanation, label: str, lca: str) -> list[Path]:
    return list(islice(x.hierarchy.shortest_upward_paths(label, lca), MOST_TRIED))
