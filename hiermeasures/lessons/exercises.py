"""Exercises without end: an instance or two and a question about them, drawn at random at a wished difficulty.

The same seed draws the same exercise everywhere. What is trivial (a value of 0, a set of everything), what could be
answered in two ways (several minimal graphs) and what cannot be told on paper (two values that round alike) is drawn
again. An exercise is a card as in a lesson file; its answer is the question's to compute (questions.py).
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from hiermeasures.behaviour.properties import CLOSE
from hiermeasures.behaviour.random_hierarchies import random_hierarchy
from hiermeasures.behaviour.what_if import edits_of
from hiermeasures.cases.case import hierarchy_of
from hiermeasures.errors import InputError, unknown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.lessons.card import Card
from hiermeasures.lessons.format import KIND_NAMES, CardEntry, Kind
from hiermeasures.lessons.kinds import ask
from hiermeasures.lessons.questions import Question
from hiermeasures.measures import CATALOGUE, Explanation, Measure, explain
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.lca_structure import BestMatch

FEWEST_CLASSES, MOST_CLASSES, MOST_LABELS = 4, 14, 4
MOST_TRIES = 4000
PAPER = 0.005  # values nearer than this may round to the same two decimals
RARELY = 0.2  # how often the rare answer of a kind is wanted: two equal predictions, a value that is perfect or 0
GOALS = 8  # predictions that are tried as the one to be made
MOST_HOLDS = 0.25  # of all edits of the prediction that may fulfil a condition

Classes = frozenset[str]
Limits = tuple[float | None, float | None]  # what a value is above, and below

# What can be worked out on paper, by family and best known first.
ASKED: Mapping[str, tuple[str, ...]] = {
    "ancestors": ("hF", "hP", "hR", "SDL"),
    "lca": ("F_LCA", "P_LCA", "R_LCA"),
    "pairs": ("GIE", "MGIA", "TIE", "all_pairs"),
    "confusion": ("HCM_F1", "HCM_PPV", "HCM_TPR", "HCM_ACC"),
    "counts": ("CoPHE_F1", "CoPHE_P", "CoPHE_R"),
    "paths": ("SP",),
    "descendants": ("hF_desc", "hP_desc", "hR_desc"),
    "flat": ("f1", "precision", "recall"),
}
MEASURES = tuple(key for keys in ASKED.values() for key in keys)
PAIRED = ("GIE", "MGIA", "TIE")  # in all_pairs there is nothing to choose
SETS: Mapping[str, tuple[str, ...]] = {
    "ancestors": ("augmented(true)", "augmented(predicted)"),
    "lca": ("G_t", "G_p", "LCA({t}, predicted)", "LCA({p}, true)", "S_best({t}, predicted)", "S_best({p}, true)"),
    "confusion": ("cell(TP)", "cell(TN)", "cell(FP)", "cell(FN)"),
}


@dataclass(frozen=True)
class Wish:
    """What exercises are wished: the kinds of question, in turn; how many classes a hierarchy has, whether it is a DAG,
    how many labels a side has at most (never more than half of the classes); and about which measures (none named: all
    in MEASURES).

    Raises
    ------
    InputError
        For what there are no exercises about, with what there is.
    """

    kinds: tuple[Kind, ...] = KIND_NAMES
    classes: int = 7
    dag: bool = False
    labels: int = 2
    measures: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.kinds:
            raise InputError(f"no kind of question is chosen; there are {', '.join(KIND_NAMES)}")
        for kind in self.kinds:
            if kind not in KIND_NAMES:
                raise InputError(unknown("kind of question", kind, KIND_NAMES))
        for key in self.measures:
            if key not in CATALOGUE:
                raise InputError(unknown("measure or family", key, (*MEASURES, *ASKED)))
            if key not in MEASURES:
                raise InputError(f"there are no exercises about {key}; there are about {', '.join(MEASURES)}")
        if not FEWEST_CLASSES <= self.classes <= MOST_CLASSES:
            raise InputError(f"a hierarchy has {FEWEST_CLASSES} to {MOST_CLASSES} classes, not {self.classes}")
        if not 1 <= self.labels <= MOST_LABELS:
            raise InputError(f"a side has 1 to {MOST_LABELS} labels, not {self.labels}")
        if self.dag and self.classes < 5:
            raise InputError("a DAG has 5 classes at least")
        for kind, reason in left_out(self.kinds, self.labels, self.measures).items():
            raise InputError(f"{kind}: {reason}")

    @cached_property
    def chosen(self) -> tuple[str, ...]:
        """The measures that questions are about."""
        return _chosen(self.measures)

    @cached_property
    def families(self) -> tuple[str, ...]:
        """Their families, best known first."""
        return tuple(family for family, keys in ASKED.items() if not set(keys).isdisjoint(self.chosen))


def left_out(kinds: Iterable[Kind], labels: int, measures: Sequence[str] = ()) -> dict[Kind, str]:
    """Those of some kinds of question that cannot be asked with so many labels and about these measures, with why.

    >>> left_out(("value", "pair"), labels=1)
    {'pair': 'it takes two labels on a side'}
    """
    chosen = set(_chosen(measures))
    in_sets = {key for family in SETS for key in ASKED[family]}
    reasons: dict[Kind, str] = {}
    if not chosen & in_sets:
        reasons["click"] = "it asks about ancestor sets, LCA graphs and confusion cells, of which no measure is chosen"
    if not chosen & set(PAIRED):
        reasons["pair"] = f"it asks about {', '.join(PAIRED)}, of which none is chosen"
    elif labels < 2:
        reasons["pair"] = "it takes two labels on a side"
    if chosen <= set(ASKED["flat"]):
        reasons["make"] = "of flat measures alone there is too little to change"
        if labels < 2:
            reasons = dict.fromkeys(KIND_NAMES, "of one label flat measures are 0 or 1")
    if len(chosen) < 2:
        reasons["which"] = "it takes two measures to choose from"
    return {kind: reasons[kind] for kind in kinds if kind in reasons}


def _chosen(measures: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(measures)) or MEASURES


def with_families(names: Iterable[str]) -> tuple[str, ...]:
    """Measures by key, with those of a family for the family's name.

    >>> with_families(["hF", "lca", "paths"])
    ('hF', 'F_LCA', 'P_LCA', 'R_LCA', 'SP')
    """
    return tuple(key for name in names for key in ASKED.get(name, (name,)))


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
        entries = _KINDS[kind](wish, rng, rare)
        if entries is not None:
            entry = CardEntry.model_validate({"title": f"Exercise {number}", **entries})
            return Exercise(entry, str(seed), number)
    raise InputError(
        f"{kind}: no exercise is found for {wish.classes} classes with up to {wish.labels} labels; wish for others"
    )


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


# --- instances ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Drawn:
    """A hierarchy with true and predicted classes, and what its measures say."""

    hierarchy: Hierarchy
    true: Classes
    predicted: Classes

    @cached_property
    def explained(self) -> Explanation:
        return explain(self.hierarchy, self.true, self.predicted)

    def with_predicted(self, predicted: Classes) -> "Drawn":
        return Drawn(self.hierarchy, self.true, predicted)

    def entries(self, **more: Any) -> dict[str, Any]:
        """The entries of a card."""
        h = self.hierarchy
        sides = {"true": in_order(h, self.true), "predicted": in_order(h, self.predicted)}
        return {"hierarchy": " ".join(f"{a}>{b}" for a, b in h.edges), **sides, **more}


def in_order(hierarchy: Hierarchy, labels: Classes) -> list[str]:
    """Classes in the order of the hierarchy."""
    return sorted(labels, key=hierarchy.index)


def _drawn(wish: Wish, rng: Random, family: str) -> Drawn | None:
    """A hierarchy and two different sets of classes in it, or None where the draw is not wanted."""
    hierarchy = _hierarchy(wish, rng)
    if hierarchy is None:
        return None
    most = _most_labels(wish, family)
    sizes = [rng.randint(1, most), most]
    rng.shuffle(sizes)
    true, predicted = (_labels(hierarchy, size, rng) for size in sizes)
    if true is None or predicted is None or true == predicted:
        return None
    drawn = Drawn(hierarchy, true, predicted)
    return drawn if _is_clear(drawn, [family]) else None


def _most_labels(wish: Wish, family: str) -> int:
    """How many labels a side has at most: of few classes no more than half, and one where paths are compared, for of
    several it is a choice which with which.
    """
    return 1 if family == "confusion" else min(wish.labels, wish.classes // 2)


def _hierarchy(wish: Wish, rng: Random) -> Hierarchy | None:
    shapes = [(d, b) for d in (2, 3, 4) for b in (2, 3, 4) if d < wish.classes - 1 and _fits(wish.classes, d, b)]
    depth, branching = rng.choice(shapes)
    extra = rng.choice((0.3, 0.5)) if wish.dag else 0.0
    found = random_hierarchy(wish.classes, depth, branching, extra, rng.randrange(10**9))
    return None if wish.dag and (found.is_tree or _has_shortcut(found)) else found


def _fits(classes: int, depth: int, branching: int) -> bool:
    room: int = sum(branching**k for k in range(depth + 1))
    return room >= classes


def _has_shortcut(h: Hierarchy) -> bool:
    """Whether an edge only repeats what other edges say."""
    return any(above in h.ancestors(p) for above, below in h.edges for p in h.parents(below))


def _labels(h: Hierarchy, size: int, rng: Random) -> Classes | None:
    """So many classes below the root, none of them above another: what an ancestor adds would differ by measure."""
    if size >= len(h):
        return None
    labels = frozenset(rng.sample(h.nodes[1:], size))
    return None if any(not labels.isdisjoint(h.ancestors(c)) for c in sorted(labels)) else labels


def _one_choice_of_graphs(drawn: Drawn) -> bool:
    """Whether the minimal LCA graphs are the extended ones, so that nothing was chosen."""
    minimal, extended = drawn.explained.lca.minimal.overlap, drawn.explained.lca.extended.overlap
    return (minimal.true, minimal.predicted) == (extended.true, extended.predicted)


def _one_path_each(drawn: Drawn) -> bool:
    """Whether there is one path from the root to each label, so that none was chosen."""
    h = drawn.hierarchy
    above = {c for label in drawn.true | drawn.predicted for c in h.up(label)}
    return all(len(h.parents(c)) < 2 for c in above)


_CLEAR: Mapping[str, Callable[[Drawn], bool]] = {"lca": _one_choice_of_graphs, "confusion": _one_path_each}


def _is_clear(drawn: Drawn, families: Collection[str]) -> bool:
    """Whether the structures of some families are without a choice."""
    return all(check(drawn) for family, check in _CLEAR.items() if family in families)


def _family(key: str) -> str:
    return CATALOGUE[key].family


def _view(family: str) -> str:
    """What is drawn with the answer."""
    return {"pairs": "pairing", "paths": "distances", "flat": "classes"}.get(family, family)


def _other_prediction(drawn: Drawn, wish: Wish, rng: Random, family: str) -> Drawn | None:
    """The same with another prediction, neither that one nor the truth."""
    labels = _labels(drawn.hierarchy, rng.randint(1, _most_labels(wish, family)), rng)
    if labels is None or labels in (drawn.true, drawn.predicted):
        return None
    other = drawn.with_predicted(labels)
    return other if _is_clear(other, [family]) else None


# --- kinds --------------------------------------------------------------------------------------------------------
# Each gives the entries of a card, or None where what was drawn is trivial, ambiguous or without a value. `rare` says
# whether the rare answer of the kind is wanted, or at least allowed.


def _value(wish: Wish, rng: Random, rare: bool) -> dict[str, Any] | None:
    key = rng.choice(wish.chosen)
    drawn = _drawn(wish, rng, _family(key))
    if drawn is None or (_plain(CATALOGUE[key], drawn.explained[key]) and not rare):
        return None
    if math.isnan(drawn.explained[key]):
        return None
    name = CATALOGUE[key].name
    asked = f"What is the value of {key}?" if name.lower() == key else f"What is the value of {key} ({name})?"
    return drawn.entries(**_shown([key]), question={"kind": "value", "value": key, "ask": asked})


def _plain(measure: Measure, value: float) -> bool:
    """Whether a value is nothing or all of it, which is often seen without working it out."""
    return value == 0 or value == measure.high


def _prefers(wish: Wish, rng: Random, rare: bool) -> dict[str, Any] | None:
    key = rng.choice(wish.chosen)
    first = _drawn(wish, rng, _family(key))
    second = _other_prediction(first, wish, rng, _family(key)) if first else None
    if first is None or second is None:
        return None
    apart = abs(first.explained[key] - second.explained[key])
    if math.isnan(apart) or (apart > CLOSE if rare else apart <= PAPER):
        return None
    if rare and _plain(CATALOGUE[key], first.explained[key]):
        return None
    return _two(first, second, [key], {"kind": "prefers", "measure": key})


def _two(first: Drawn, second: Drawn, keys: Sequence[str], question: Mapping[str, Any]) -> dict[str, Any]:
    other = {"predicted": in_order(second.hierarchy, second.predicted)}
    return first.entries(second=other, **_shown(keys), question=question)


def _shown(keys: Sequence[str]) -> dict[str, Any]:
    """What of a card is on show: the measures, and only with the answer their values and what they are read off."""
    return {"measures": list(keys), "view": _view(_family(keys[0])), "hidden": ["values", "view"]}


def _click(wish: Wish, rng: Random, rare: bool) -> dict[str, Any] | None:
    family = rng.choice([f for f in wish.families if f in SETS])
    form = rng.choice(SETS[family])
    drawn = _drawn(wish, rng, family)
    if drawn is None:
        return None
    t, p = (rng.choice(in_order(drawn.hierarchy, side)) for side in (drawn.true, drawn.predicted))
    asked = form.format(t=t, p=p)
    found = _SET_OF[form.partition("(")[0]](drawn, form, t, p)
    if not found or len(found) == len(drawn.hierarchy) or found in (drawn.true, drawn.predicted):
        return None
    if form.startswith(("LCA", "S_best")) and (t if "{t}" in form else p) in drawn.true & drawn.predicted:
        return None  # it meets itself
    keys = [k for k in ASKED[family] if k in wish.chosen]
    return drawn.entries(**_shown(keys), question={"kind": "click", "set": asked})


def _augmented(drawn: Drawn, form: str, t: str, p: str) -> Classes:
    sets = drawn.explained.augmented
    return sets.true if "true" in form else sets.predicted


def _graph(drawn: Drawn, form: str, t: str, p: str) -> Classes:
    overlap = drawn.explained.lca.minimal.overlap
    return overlap.true if form == "G_t" else overlap.predicted


def _lcas(drawn: Drawn, form: str, t: str, p: str) -> Classes:
    return _match(drawn, form, t, p).lcas


def _best(drawn: Drawn, form: str, t: str, p: str) -> Classes:
    others = drawn.predicted if "{t}" in form else drawn.true
    return _match(drawn, form, t, p).best if len(others) > 1 else frozenset()  # of one class there is nothing to choose


def _match(drawn: Drawn, form: str, t: str, p: str) -> BestMatch:
    """What a class meets on the other side."""
    graphs = drawn.explained.lca
    return graphs.match(t, "true") if "{t}" in form else graphs.match(p, "predicted")


def _cell(drawn: Drawn, form: str, t: str, p: str) -> Classes:
    found: Classes = getattr(drawn.explained.confusion.paths[0], form[5:7].lower())
    return found


_SET_OF: Mapping[str, Callable[[Drawn, str, str, str], Classes]] = {
    "augmented": _augmented,
    "G_t": _graph,
    "G_p": _graph,
    "LCA": _lcas,
    "S_best": _best,
    "cell": _cell,
}


def _pair(wish: Wish, rng: Random, rare: bool) -> dict[str, Any] | None:
    key = rng.choice([k for k in wish.chosen if k in PAIRED])
    drawn = _drawn(wish, rng, "pairs")
    if drawn is None or len(drawn.true) == len(drawn.predicted) == 1:
        return None
    if not drawn.explained.pairing(key).feasible or len(drawn.true & drawn.predicted) > 1:
        return None
    return drawn.entries(**_shown([key]), question={"kind": "pair", "measure": key})


def _which(wish: Wish, rng: Random, rare: bool) -> dict[str, Any] | None:
    count = rng.choice((3, 4)) if len(wish.chosen) > 3 else len(wish.chosen)
    keys = rng.sample(wish.chosen, count)
    families = {_family(k) for k in keys}
    family = "confusion" if "confusion" in families else ""
    first = _drawn(wish, rng, family)
    second = _other_prediction(first, wish, rng, family) if first else None
    if first is None or second is None or not all(_is_clear(d, families) for d in (first, second)):
        return None
    rises = {k: second.explained[k] - first.explained[k] for k in keys}
    if any(math.isnan(v) or CLOSE < abs(v) <= PAPER for v in rises.values()):
        return None
    says = rng.choice(sorted(_SAYS))
    right = [k for k, rise in rises.items() if _SAYS[says][1](rise)]
    if len(right) != 1 or (rises[right[0]] == 0 and _plain(CATALOGUE[right[0]], first.explained[right[0]])):
        return None
    return _two(first, second, keys, {"kind": "which", "choices": keys, "says": says, "ask": _SAYS[says][0]})


# What X stands for a measure in, in words and as a condition on how much the measure's value rises.
_SAYS: Mapping[str, tuple[str, Callable[[float], bool]]] = {
    "X_second > X": ("Which of these measures is higher for the second prediction?", lambda rise: rise > CLOSE),
    "X > X_second": ("Which of these measures is higher for the first prediction?", lambda rise: rise < -CLOSE),
    "X == X_second": ("Which of these measures is the same for both predictions?", lambda rise: abs(rise) <= CLOSE),
}


def _make(wish: Wish, rng: Random, rare: bool) -> dict[str, Any] | None:
    keys = rng.sample(wish.chosen, min(2, len(wish.chosen)))
    families = {_family(k) for k in keys}
    family = "confusion" if "confusion" in families else ""
    start = _drawn(wish, rng, family)
    if start is None:
        return None
    others = list(_edited(start))
    for goal in rng.sample(others, min(GOALS, len(others))):
        if goal.predicted not in (frozenset(), goal.true) and _is_clear(goal, families):
            limits = [_limits(k, start.explained[k], goal.explained[k], alone=len(keys) == 1) for k in keys]
            if _worth_making(start, others, keys, limits):
                condition = " and ".join(_in_words(k, limit) for k, limit in zip(keys, limits, strict=True) if limit)
                question = {"kind": "make", "condition": condition, "answer": in_order(goal.hierarchy, goal.predicted)}
                return start.entries(**{**_shown(keys), "hidden": []}, question=question)  # the values are watched
    return None


def _worth_making(start: Drawn, others: Sequence[Drawn], keys: Sequence[str], limits: Sequence[Limits | None]) -> bool:
    """Whether a condition holds neither at the start, for the truth nor for nothing, and after few of the edits."""
    trivial = (start, start.with_predicted(start.true), start.with_predicted(frozenset()))
    if None in limits or any(_holds(limits, keys, d.explained) for d in trivial):
        return False
    return sum(_holds(limits, keys, d.explained) for d in others) <= MOST_HOLDS * len(others)


def _edited(start: Drawn) -> Iterator[Drawn]:
    """The instance after every edit of one predicted class."""
    below = start.hierarchy.nodes[1:]
    for edit in edits_of(start.explained.instance, below, sides=["predicted"]):
        yield start.with_predicted(edit.of(start.predicted))


def _limits(key: str, start: float, goal: float, *, alone: bool) -> Limits | None:
    """Round numbers that the goal lies between: on the side of the start, and where the measure stands alone on the
    other side too; None where the two are equally good.
    """
    if math.isnan(start) or math.isnan(goal) or abs(goal - start) <= CLOSE:
        return None
    step = 0.1 if CATALOGUE[key].high == 1 else 1.0
    below, above = (math.ceil(goal / step - 1 - 1e-6)) * step, (math.floor(goal / step + 1 + 1e-6)) * step
    if alone:
        return round(below, 1), round(above, 1)
    return (round(below, 1), None) if goal > start else (None, round(above, 1))


def _holds(limits: Sequence[Limits | None], keys: Sequence[str], x: Explanation) -> bool:
    return all(
        limit is not None
        and (limit[0] is None or x[key] > limit[0] + CLOSE)
        and (limit[1] is None or x[key] < limit[1] - CLOSE)
        for key, limit in zip(keys, limits, strict=True)
    )


def _in_words(key: str, limits: Limits) -> str:
    above, below = limits
    if above is not None and below is not None:
        return f"{number(above)} < {key} < {number(below)}"
    return f"{key} > {number(above)}" if above is not None else f"{key} < {number(below or 0.0)}"


_KINDS: Mapping[Kind, Callable[[Wish, Random, bool], dict[str, Any] | None]] = {
    "prefers": _prefers,
    "click": _click,
    "pair": _pair,
    "value": _value,
    "make": _make,
    "which": _which,
}
