"""Rules that turn the probabilities of one instance into predicted classes, each with its source.

A rule uses probabilities only. expected.py finds the best prediction for a measure. A threshold
`at` is in [0, 1].
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import Any, Literal, TypeVar

from hiermeasures.evaluation.scores.events import closed, ends_of
from hiermeasures.evaluation.scores.probabilities import NodeProbabilities
from hiermeasures.hierarchy.errors import InputError, check_known, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import agree, quote_names

Apply = TypeVar("Apply", bound=Callable[..., Any])


@dataclass(frozen=True)
class Prediction:
    """The prediction of a rule, with an explanation.

    `classes` do not include the root. `ends` are the most specific of them. `sentence` explains the
    choice.
    """

    rule: str
    classes: frozenset[str]
    ends: frozenset[str]
    sentence: str


@dataclass(frozen=True)
class DecisionRule:
    """A rule in RULES. `parameters` are the parameters of `apply` after `probabilities`."""

    key: str
    name: str
    description: str
    source: str
    apply: Callable[..., Prediction]
    parameters: tuple[str, ...] = ()


RULES: dict[str, DecisionRule] = {}


def _rule(name: str, source: str) -> Callable[[Apply], Apply]:
    """Register a function as a rule. The first paragraph of its docstring describes it."""

    def register(apply: Apply) -> Apply:
        key, _, *parameters = apply.__name__, *signature(apply).parameters
        description = " ".join((apply.__doc__ or "").partition("\n\n")[0].split())
        RULES[key] = DecisionRule(
            key,
            name,
            description=description,
            source=source,
            apply=apply,
            parameters=tuple(parameters),
        )
        return apply

    return register


@_rule("Threshold", "Plaud et al. 2024, Section 3.2.3")
def threshold(probabilities: NodeProbabilities, at: float = 0.5) -> Prediction:
    """Every class with a probability above 0 that reaches the threshold.

    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> p = NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35})
    >>> sorted(threshold(p, 0.3).classes), sorted(threshold(p, 0.5).classes)
    (['1', '5'], ['1'])
    """
    at = check_threshold(at)
    h = probabilities.hierarchy
    classes = frozenset(c for c in h.nodes[1:] if _reaches(probabilities[c], at))
    return _prediction(
        "threshold",
        h,
        classes,
        f"Every class with a probability of {at:g} or more: {_named(classes)}.",
    )


@_rule("Top-down arg max", "Silla and Freitas 2011")
def top_down_argmax(probabilities: NodeProbabilities) -> Prediction:
    """The path that takes the likeliest child at each class, from the root to a leaf."""
    h = probabilities.hierarchy
    path = _likeliest_path(probabilities)
    sentence = f"The likeliest child at each class: {' > '.join([h.root, *path])}."
    return _prediction("top_down_argmax", h, closed(h, path), sentence)


@_rule("Top-down with threshold", "Silla and Freitas 2011")
def top_down_threshold(
    probabilities: NodeProbabilities, at: float = 0.5, *, paths: Literal["best", "all"] = "best"
) -> Prediction:
    """The path of likeliest children, or all paths, while the probability reaches the threshold.

    `paths="best"` takes only the likeliest child. "all" takes every child that reaches the
    threshold. For coherent probabilities, "all" equals the rule `threshold`. For others it also
    drops the classes below an ancestor that does not reach the threshold.

    >>> h = Hierarchy.from_nested({"r": {"1": ["3"], "2": ["4"]}})
    >>> p = NodeProbabilities.of(h, {"1": 0.6, "2": 0.3, "3": 0.2, "4": 0.9})
    >>> sorted(top_down_threshold(p, 0.5).classes), sorted(threshold(p, 0.5).classes)
    (['1'], ['1', '4'])
    """
    at = check_threshold(at)
    p, h = probabilities, probabilities.hierarchy
    check_known("choice of paths", paths, ["best", "all"])
    if paths == "best":
        classes = closed(h, _likeliest_path(p, at))
        sentence = f"The likeliest child at each class, while its probability is {at:g} or more"
    else:
        classes = frozenset(
            c
            for c in h.nodes[1:]
            if all(_reaches(p[a], at) for a in {c, *h.ancestors(c)} - {h.root})
        )
        sentence = f"Every class with a probability of {at:g} or more, if its ancestors have it too"
    return _prediction("top_down_threshold", h, classes, f"{sentence}: {_named(classes)}.")


@_rule("Arg max leaf", "Plaud et al. 2024, Section 5.3.1")
def argmax_leaf(probabilities: NodeProbabilities) -> Prediction:
    """The likeliest leaf, with its ancestors."""
    h = probabilities.hierarchy
    leaves = [c for c in h.nodes if c in h.leaves]
    best = max(leaves, key=lambda c: probabilities[c])
    tied = [c for c in leaves if c != best and probabilities[c] == probabilities[best]]
    also = f" {quote_names(tied)} {agree(len(tied), 'is')} equally likely." if tied else ""
    sentence = f"The likeliest leaf is {shown(best)} ({probabilities[best]:.4g}).{also}"
    return _prediction("argmax_leaf", h, closed(h, {best}), sentence)


@_rule("Top k", "usual practice, without a single source")
def top_k(
    probabilities: NodeProbabilities, k: int = 1, *, among: Literal["leaves", "classes"] = "leaves"
) -> Prediction:
    """The k likeliest leaves (or classes), with their ancestors. Ties go to the first in the
    hierarchy's order.

    `k` is from 0 to the number of leaves (or of classes without the root). Other numbers raise
    InputError.
    """
    h = probabilities.hierarchy
    check_known("choice of classes", among, ["leaves", "classes"])
    pool = [c for c in h.nodes if c in h.leaves] if among == "leaves" else list(h.nodes[1:])
    if isinstance(k, bool) or not isinstance(k, int) or not 0 <= k <= len(pool):
        raise InputError(
            f"k is {k!r}. Choose a whole number from 0 to {len(pool)}, the number of {among}."
        )
    best = sorted(pool, key=lambda c: -probabilities[c])[:k]
    noun = agree(k, "leaf" if among == "leaves" else "class")
    sentence = f"The {k} likeliest {noun}, with ancestors: {_named(frozenset(best))}."
    return _prediction("top_k", h, closed(h, best), sentence)


@_rule("Plurality", "Valmadre 2022, after the program of Plaud et al. 2025")
def plurality(probabilities: NodeProbabilities) -> Prediction:
    """Every class that is likelier than all classes not above or below it, with its ancestors.

    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> p = NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35})
    >>> sorted(plurality(p).classes)
    ['1', '5']
    """
    p, h = probabilities, probabilities.hierarchy
    rising = sorted(p[c] for c in h.nodes[1:])

    def leads(c: str) -> bool:
        related = {c, *h.ancestors(c), *h.descendants(c)} - {h.root}
        return sum(p[d] >= p[c] for d in related) == len(rising) - bisect_left(rising, p[c])

    classes = closed(h, [c for c in h.nodes[1:] if leads(c)])
    return _prediction(
        "plurality", h, classes, f"Likelier than all classes not above or below: {_named(classes)}."
    )


@_rule("Confidence threshold", "Valmadre 2022, after the program of Plaud et al. 2025")
def confidence_threshold(probabilities: NodeProbabilities, at: float = 0.5) -> Prediction:
    """The most informative class with a probability above the threshold, and its ancestors. The
    information of a class is log(leaves / leaves below it). Ties go to the likelier class. A class
    that only equals the threshold does not count. The other rules count it, and that program does
    not.
    """
    at, p = check_threshold(at), probabilities
    sentence = f"The most informative class with a probability above {at:g}"
    return _one_class(
        "confidence_threshold",
        p,
        lambda c, share: (share, p[c]) if p[c] > at else (-1, 0),
        sentence,
    )


@_rule("Information threshold", "Valmadre 2022, after the program of Plaud et al. 2025")
def information_threshold(probabilities: NodeProbabilities, at: float = 0.5) -> Prediction:
    """The likeliest class with at least this share of a leaf's information, and its ancestors. The
    information of a class is log(leaves / leaves below it). Ties go to the more informative class.
    """
    at, p = check_threshold(at), probabilities
    sentence = f"The likeliest class with at least {at:g} of a leaf's information"
    return _one_class(
        "information_threshold",
        p,
        lambda c, share: (p[c], share) if share >= at - 1e-9 else (-1, 0),
        sentence,
    )


@_rule(
    "Expected information", "Deng et al. 2012 with λ = 0, after the program of Plaud et al. 2025"
)
def expected_information(probabilities: NodeProbabilities) -> Prediction:
    """The class with the greatest product of probability and information, and its ancestors. The
    information of a class is log(leaves / leaves below it). Ties go to the likelier class.
    """
    p = probabilities
    sentence = "The greatest product of probability and information"
    return _one_class("expected_information", p, lambda c, share: (p[c] * share, p[c]), sentence)


@_rule("Leaf and parent", "Jain et al. 2023 (HiE), after the program of Plaud et al. 2025")
def leaf_and_parent(probabilities: NodeProbabilities) -> Prediction:
    """The leaf with the greatest product of its own and its parent's probability, and its
    ancestors.
    """
    p, h = probabilities, probabilities.hierarchy

    def product(c: str, share: float) -> tuple[float, float]:
        return (
            (p[c] * max(p[q] for q in h.parents(c)), p[c])
            if c in h.leaves and c != h.root
            else (-1, 0)
        )

    return _one_class(
        "leaf_and_parent",
        p,
        product,
        "The greatest product of a leaf's and its parent's probability",
    )


@_rule("Nearest leaf", "Karthik et al. 2021 (conditional risk minimisation)")
def nearest_leaf(probabilities: NodeProbabilities) -> Prediction:
    """The leaf with the greatest sum of 2p − 1 over itself and its ancestors, and its ancestors. In
    a tree with one true class, its expected distance from that class, in edges, is the least.
    """
    p, h = probabilities, probabilities.hierarchy

    def nearness(c: str, share: float) -> tuple[float, float]:
        return (sum(2 * p[a] - 1 for a in h.up(c)), p[c]) if c in h.leaves else (-math.inf, 0)

    return _one_class("nearest_leaf", p, nearness, "The leaf with the least expected distance")


def predict(probabilities: NodeProbabilities, rule: str, **settings: Any) -> Prediction:
    """Apply a decision rule to the probabilities of one instance.

    Parameters
    ----------
    probabilities : NodeProbabilities
    rule : str
        A key of RULES.
    settings
        Settings of the rule, such as `at` for a threshold.

    Returns
    -------
    Prediction

    Raises
    ------
    InputError
        If the rule or a setting is unknown, or a setting is out of range.

    See Also
    --------
    decide : Apply a rule to many instances.
    bayes_optimal : Find the best prediction for a measure.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> sorted(predict(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25}), "threshold", at=0.5).classes)
    ['1']
    """
    check_known("rule", rule, RULES)
    for name in settings:
        check_known(f"setting of {rule}", name, RULES[rule].parameters)
    return RULES[rule].apply(probabilities, **settings)


def _likeliest_path(p: NodeProbabilities, at: float | None = None) -> list[str]:
    """Return the path of likeliest children from the root down, while they reach `at`."""
    path: list[str] = []
    node = p.hierarchy.root
    while children := p.hierarchy.children(node):
        node = max(children, key=p.__getitem__)
        if at is not None and not _reaches(p[node], at):
            break
        path.append(node)
    return path


def _one_class(
    rule: str,
    p: NodeProbabilities,
    score: Callable[[str, float], tuple[float, float]],
    sentence: str,
) -> Prediction:
    """Predict the class with the best `score(class, share of a leaf's information)`.

    Ties go to the deepest class, and then to the first one in the order of the hierarchy.
    """
    h = p.hierarchy
    whole = math.log(len(h.leaves))
    shares = {
        c: math.log(len(h.leaves) / len(h.leaves & {c, *h.descendants(c)})) / whole
        if whole
        else 1.0
        for c in h.nodes
    }
    best = max(h.nodes, key=lambda c: (score(c, shares[c]), h.level(c)))
    return _prediction(rule, h, closed(h, {best}), f"{sentence}: {shown(best)} ({p[best]:.4g}).")


def _prediction(rule: str, h: Hierarchy, classes: frozenset[str], sentence: str) -> Prediction:
    return Prediction(rule, classes, ends_of(h, classes), sentence)


def _reaches(probability: float, at: float) -> bool:
    return probability >= at and probability > 0


def check_threshold(at: float) -> float:
    """Return a threshold as a float. InputError if it is not a number in [0, 1]."""
    if isinstance(at, bool) or not isinstance(at, (int, float)) or not 0 <= at <= 1:
        raise InputError(f"the threshold is {at!r}. Choose a number from 0 to 1.")
    return float(at)


def _named(classes: frozenset[str]) -> str:
    return quote_names(classes, 8) or "none"
