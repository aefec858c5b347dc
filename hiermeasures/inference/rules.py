"""Rules that turn the probabilities of one instance into predicted classes, each with its source and its steps.

A rule looks at probabilities only. Which prediction a measure wants, by its expected value, is asked in optimal.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from hiermeasures.errors import InputError, listed, shown, unknown
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference.events import closed, ends_of, is_coherent
from hiermeasures.inference.probabilities import NodeProbabilities


@dataclass(frozen=True)
class Step:
    """One decision of a top-down rule: what was looked at below a class, and what was taken.

    `given` are the children of `at` with their probabilities, in the hierarchy's order. `tied` names further children
    that had the probability of the taken one; the first in the hierarchy's order is taken.
    """

    at: str
    given: tuple[tuple[str, float], ...]
    taken: tuple[str, ...]
    tied: tuple[str, ...] = ()


@dataclass(frozen=True)
class Prediction:
    """What a rule predicts for one instance.

    `classes` leave out the root, which is implied. `ends` are the most specific of them. `coherent` says whether each
    class comes with all its ancestors. `sentence` says what the rule did.
    """

    rule: str
    classes: frozenset[str]
    ends: frozenset[str]
    coherent: bool
    sentence: str
    steps: tuple[Step, ...] = ()
    threshold: float | None = None


@dataclass(frozen=True)
class Rule:
    """A prediction rule of the catalogue RULES. `parameters` are the settings of `apply` besides the probabilities."""

    key: str
    name: str
    description: str
    source: str
    apply: Callable[..., Prediction]
    parameters: tuple[str, ...] = ()


def threshold(probabilities: NodeProbabilities, at: float = 0.5) -> Prediction:
    """Every class whose probability is above the threshold, strictly (Plaud et al. 2024, Section 3.2.3).

    Parameters
    ----------
    probabilities : NodeProbabilities
    at : float
        The threshold, in [0, 1].

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> p = NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35})
    >>> sorted(threshold(p, 0.3).classes), sorted(threshold(p, 0.5).classes)
    (['1', '5'], ['1'])
    """
    at = _checked_threshold(at)
    h = probabilities.hierarchy
    classes = frozenset(c for c in h.nodes[1:] if probabilities[c] > at)
    return _prediction(
        "threshold", h, classes, f"Every class with a probability above {at:g}: {_named(classes)}.", at=at
    )


def top_down_argmax(probabilities: NodeProbabilities) -> Prediction:
    """From the root to the likeliest child, again and again, down to a leaf."""
    h = probabilities.hierarchy
    steps = _descend(probabilities, lambda p: True)
    classes = closed(h, [c for s in steps for c in s.taken])
    way = " > ".join([h.root, *(c for s in steps for c in s.taken)])
    return _prediction("top_down_argmax", h, classes, f"The likeliest child at each class: {way}.", steps)


def top_down_threshold(
    probabilities: NodeProbabilities, at: float = 0.5, *, paths: Literal["best", "all"] = "best"
) -> Prediction:
    """From the root down, as long as the next class's probability is above the threshold, strictly.

    Parameters
    ----------
    probabilities : NodeProbabilities
    at : float
        The threshold, in [0, 1].
    paths : "best" or "all"
        "best" goes on to the likeliest child only; "all" to every child above the threshold. For coherent probabilities
        "all" is the threshold rule; for others it drops the classes that a parent below the threshold cuts off.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": {"1": ["3"], "2": ["4"]}})
    >>> p = NodeProbabilities.of(h, {"1": 0.6, "2": 0.3, "3": 0.2, "4": 0.9})
    >>> sorted(top_down_threshold(p, 0.5).classes), sorted(threshold(p, 0.5).classes)
    (['1'], ['1', '4'])
    """
    at = _checked_threshold(at)
    h = probabilities.hierarchy
    if paths == "best":
        steps = _descend(probabilities, lambda p: p > at)
        sentence = f"The likeliest child at each class, as long as its probability is above {at:g}"
    elif paths == "all":
        steps = _spread(probabilities, at)
        sentence = f"Every child above {at:g} of the classes taken already"
    else:
        raise InputError(unknown("choice of paths", str(paths), ["best", "all"]))
    classes = closed(h, [c for s in steps for c in s.taken])
    return _prediction("top_down_threshold", h, classes, f"{sentence}: {_named(classes)}.", steps, at)


def argmax_leaf(probabilities: NodeProbabilities) -> Prediction:
    """The likeliest leaf, with its ancestors."""
    h = probabilities.hierarchy
    leaves = [c for c in h.nodes if c in h.leaves]
    best = max(leaves, key=lambda c: probabilities[c])
    tied = [c for c in leaves if c != best and probabilities[c] == probabilities[best]]
    also = f" {listed(tied)} {'is' if len(tied) == 1 else 'are'} as likely." if tied else ""
    return _prediction(
        "argmax_leaf", h, closed(h, {best}), f"The likeliest leaf is {shown(best)} ({probabilities[best]:.4g}).{also}"
    )


def top_k(
    probabilities: NodeProbabilities, k: int = 1, *, among: Literal["leaves", "classes"] = "leaves"
) -> Prediction:
    """The k likeliest leaves (or classes), with their ancestors. Among equals the first in the hierarchy's order is
    taken.

    Parameters
    ----------
    probabilities : NodeProbabilities
    k : int
        From 0 to the number of leaves (classes without the root); more is an InputError.
    among : "leaves" or "classes"
    """
    h = probabilities.hierarchy
    if among not in ("leaves", "classes"):
        raise InputError(unknown("choice of classes", str(among), ["leaves", "classes"]))
    pool = [c for c in h.nodes if c in h.leaves] if among == "leaves" else list(h.nodes[1:])
    if isinstance(k, bool) or not isinstance(k, int) or not 0 <= k <= len(pool):
        raise InputError(f"k is a whole number from 0 to {len(pool)}, the number of {among}; not {k!r}")
    best = sorted(pool, key=lambda c: -probabilities[c])[:k]
    noun = {"leaves": "leaf", "classes": "class"}[among] if k == 1 else among
    return _prediction(
        "top_k", h, closed(h, best), f"The {k} likeliest {noun}, with ancestors: {_named(frozenset(best))}."
    )


def predict(probabilities: NodeProbabilities, rule: str, **settings: Any) -> Prediction:
    """The prediction of a rule by its key in RULES.

    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> sorted(predict(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25}), "threshold", at=0.5).classes)
    ['1']
    """
    if rule not in RULES:
        raise InputError(unknown("rule", str(rule), RULES))
    for name in settings:
        if name not in RULES[rule].parameters:
            raise InputError(unknown(f"setting of {rule}", name, RULES[rule].parameters))
    return RULES[rule].apply(probabilities, **settings)


RULES: dict[str, Rule] = {
    rule.key: rule
    for rule in (
        Rule(
            "threshold",
            "Threshold",
            "Every class whose probability is above the threshold.",
            "Plaud et al. 2024, Section 3.2.3",
            threshold,
            ("at",),
        ),
        Rule(
            "top_down_argmax",
            "Top-down arg max",
            "From the root to the likeliest child, down to a leaf.",
            "Silla and Freitas 2011",
            top_down_argmax,
        ),
        Rule(
            "top_down_threshold",
            "Top-down with threshold",
            "From the root to the likeliest child (or every child) as long as it is above the threshold.",
            "Silla and Freitas 2011",
            top_down_threshold,
            ("at", "paths"),
        ),
        Rule(
            "argmax_leaf",
            "Arg max leaf",
            "The likeliest leaf, with its ancestors.",
            "Plaud et al. 2024, Section 5.3.1",
            argmax_leaf,
        ),
        Rule(
            "top_k",
            "Top k",
            "The k likeliest leaves, with their ancestors.",
            "usual practice; no single source",
            top_k,
            ("k", "among"),
        ),
    )
}


def _descend(p: NodeProbabilities, goes_on: Callable[[float], bool]) -> tuple[Step, ...]:
    """One way down, to the likeliest child each time; the last step may take nothing."""
    steps: list[Step] = []
    at = p.hierarchy.root
    while children := p.hierarchy.children(at):
        given = tuple((c, p[c]) for c in children)
        best = max(children, key=lambda c: p[c])
        taken = (best,) if goes_on(p[best]) else ()
        tied = tuple(c for c in children if c != best and p[c] == p[best]) if taken else ()
        steps.append(Step(at, given, taken, tied))
        if not taken:
            break
        at = best
    return tuple(steps)


def _spread(p: NodeProbabilities, at: float) -> tuple[Step, ...]:
    """Every class above the threshold whose parents are all taken; one step for each class that has children."""
    h = p.hierarchy
    taken = {h.root}
    for c in h.nodes[1:]:
        if p[c] > at and taken.issuperset(h.parents(c)):
            taken.add(c)
    return tuple(
        Step(c, tuple((d, p[d]) for d in h.children(c)), tuple(d for d in h.children(c) if d in taken))
        for c in h.nodes
        if c in taken and h.children(c)
    )


def _prediction(
    rule: str,
    h: Hierarchy,
    classes: frozenset[str],
    sentence: str,
    steps: tuple[Step, ...] = (),
    at: float | None = None,
) -> Prediction:
    return Prediction(rule, classes, ends_of(h, classes), is_coherent(h, classes), sentence, steps, at)


def _checked_threshold(at: float) -> float:
    if isinstance(at, bool) or not isinstance(at, (int, float)) or not 0 <= at <= 1:
        raise InputError(f"a threshold is a number in [0, 1], not {at!r}")
    return float(at)


def _named(classes: frozenset[str]) -> str:
    return listed(classes, 8) if classes else "none"
