"""Random questions for exercises, one function for each kind: an instance or two, and what is asked about them.

Each gives the entries of a card, or None where what was drawn is trivial (a value of 0, a set of everything), cannot be
told on paper (two values that round alike) or has no value. Answers are computed by the questions themselves.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from hiermeasures.behaviour.properties import CLOSE
from hiermeasures.behaviour.what_if import edits_of
from hiermeasures.errors import InputError
from hiermeasures.lessons.format import Kind, QuestionEntry
from hiermeasures.lessons.kinds import ask
from hiermeasures.lessons.random_instances import Drawn, draw, in_order, is_clear, other_prediction
from hiermeasures.lessons.wishes import ASKED, PAIRED, SETS, Wish
from hiermeasures.measures import CATALOGUE, Explanation, Measure
from hiermeasures.measures.catalogue import number

PAPER = 0.005  # values nearer than this may round to the same two decimals
GOALS = 8  # predictions that are tried as the one to be made
MOST_HOLDS = 0.25  # of all edits of the prediction that may fulfil a condition

Limits = tuple[float | None, float | None]  # what a value is above, and below

# Each takes what is wished, and whether the rare answer of the kind is wanted: two equal predictions, a value that is
# perfect or 0.


def _value(wish: Wish, rng: Random, rare: bool) -> dict[str, Any] | None:
    key = rng.choice(wish.chosen)
    drawn = draw(wish, rng, _family(key))
    if drawn is None or (_plain(CATALOGUE[key], drawn.explained[key]) and not rare):
        return None
    if math.isnan(drawn.explained[key]):
        return None
    name = CATALOGUE[key].name
    asked = f"What is the value of {key}?" if name.lower() == key else f"What is the value of {key} ({name})?"
    return drawn.entries(**_shown([key]), question={"kind": "value", "value": key, "ask": asked})


def _prefers(wish: Wish, rng: Random, rare: bool) -> dict[str, Any] | None:
    key = rng.choice(wish.chosen)
    first = draw(wish, rng, _family(key))
    second = other_prediction(first, wish, rng, _family(key)) if first else None
    if first is None or second is None:
        return None
    apart = abs(first.explained[key] - second.explained[key])
    if math.isnan(apart) or (apart > CLOSE if rare else apart <= PAPER):
        return None
    if rare and _plain(CATALOGUE[key], first.explained[key]):
        return None
    return _two(first, second, [key], {"kind": "prefers", "measure": key})


def _click(wish: Wish, rng: Random, rare: bool) -> dict[str, Any] | None:
    family = rng.choice([f for f in wish.families if f in SETS])
    form = rng.choice(SETS[family])
    drawn = draw(wish, rng, family)
    if drawn is None:
        return None
    t, p = (rng.choice(in_order(drawn.hierarchy, side)) for side in (drawn.true, drawn.predicted))
    asked = {"kind": "click", "set": form.format(t=t, p=p)}
    if "{" in form and _meets_only(drawn, form, t, p):
        return None
    try:
        found = ask(QuestionEntry.model_validate(asked), [drawn.explained.instance]).answer()
    except InputError:  # there is nothing to click
        return None
    if found in (frozenset(drawn.hierarchy.nodes), drawn.true, drawn.predicted):
        return None
    return drawn.entries(**_shown([k for k in ASKED[family] if k in wish.chosen]), question=asked)


def _meets_only(drawn: Drawn, form: str, t: str, p: str) -> bool:
    """Whether a class meets itself, or its best match is the only class there is."""
    label, others = (t, drawn.predicted) if "{t}" in form else (p, drawn.true)
    return label in others or (form.startswith("S_best") and len(others) == 1)


def _pair(wish: Wish, rng: Random, rare: bool) -> dict[str, Any] | None:
    key = rng.choice([k for k in wish.chosen if k in PAIRED])
    drawn = draw(wish, rng, "pairs")
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
    first = draw(wish, rng, family)
    second = other_prediction(first, wish, rng, family) if first else None
    if first is None or second is None or not all(is_clear(d, families) for d in (first, second)):
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
    start = draw(wish, rng, family)
    if start is None:
        return None
    others = list(_edited(start))
    for goal in rng.sample(others, min(GOALS, len(others))):
        if goal.predicted not in (frozenset(), goal.true) and is_clear(goal, families):
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
    if above is None:
        return f"{key} < {number(math.inf if below is None else below)}"
    return f"{key} > {number(above)}" if below is None else f"{number(above)} < {key} < {number(below)}"


# --- what kinds share ---------------------------------------------------------------------------------------------


def _family(key: str) -> str:
    return CATALOGUE[key].family


def _view(family: str) -> str:
    """What is drawn with the answer."""
    return {"pairs": "pairing", "paths": "distances", "flat": "classes"}.get(family, family)


def _plain(measure: Measure, value: float) -> bool:
    """Whether a value is nothing or all of it, which is often seen without working it out."""
    return value == 0 or value == measure.high


def _two(first: Drawn, second: Drawn, keys: Sequence[str], question: Mapping[str, Any]) -> dict[str, Any]:
    other = {"predicted": in_order(second.hierarchy, second.predicted)}
    return first.entries(second=other, **_shown(keys), question=question)


def _shown(keys: Sequence[str]) -> dict[str, Any]:
    """What of a card is on show: the measures, and only with the answer their values and what they are read off."""
    return {"measures": list(keys), "view": _view(_family(keys[0])), "hidden": ["values", "view"]}


QUESTIONS: Mapping[Kind, Callable[[Wish, Random, bool], dict[str, Any] | None]] = {
    "prefers": _prefers,
    "click": _click,
    "pair": _pair,
    "value": _value,
    "make": _make,
    "which": _which,
}
