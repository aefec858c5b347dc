"""Pairings on the hierarchy: a curve with the distance between the two classes of every pair, and a badge at those left
alone.
"""

from collections import Counter
from collections.abc import Iterable

from hiermeasures.measures import Explanation
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.pairs import Pair, PairingNetwork
from hiermeasures.measures.shortest_path import ShortestPaths
from hiermeasures.ui.graph.overlays.parts import Badge, KeyLine, Link, Mark, Overlay, Side, marks_of, words_for

PAIRED = KeyLine("link", "2", "a pair and its distance")
CONSIDERED = KeyLine("link", "2", "considered, not paired")
ALONE = KeyLine("badge", "+5", "paired with a default class, and the cost")
ITSELF = KeyLine("badge", "0", "paired with itself")


def pairing(network: PairingNetwork, explanation: Explanation) -> Overlay:
    """The pairs of a solved network."""
    return drawn_pairs(network, explanation, network.pairs)


def drawn_pairs(
    network: PairingNetwork, explanation: Explanation, pairs: Iterable[Pair], considered: Pair | None = None
) -> Overlay:
    """Some pairs of a network, and one more that was considered and not taken."""
    pairs = tuple(pairs)
    links = [
        Link(p.predicted, p.true, number(p.cost), "pair")
        for p in pairs
        if p.predicted and p.true and p.predicted != p.true
    ]
    if considered is not None and considered.predicted and considered.true and considered not in pairs:
        links.append(Link(considered.predicted, considered.true, number(considered.cost), "considered"))
    badges = {
        p.predicted: Badge("0", "itself", "paired with itself at no cost")
        for p in pairs
        if p.predicted and p.predicted == p.true
    }
    alone = Counter(p.predicted or p.true or "" for p in pairs if not (p.predicted and p.true))
    badges |= {c: Badge(f"+{number(n * network.bounds.dmax)}", "alone", _alone(n, network)) for c, n in alone.items()}
    return Overlay(
        "Pairing",
        marks_of(explanation, explanation.true, explanation.predicted),
        words_for("ancestor"),
        badges,
        tuple(links),
        focus=frozenset(c for c in (considered.predicted, considered.true) if c) if considered else frozenset(),
        key={
            "pair": PAIRED,
            "considered": CONSIDERED,
            "itself": ITSELF,
            "alone": ALONE,
            "focus": KeyLine("focus", "", "what this step is about"),
        },
    )


def _alone(times: int, network: PairingNetwork) -> str:
    cost = number(times * network.bounds.dmax)
    return (
        f"paired with a default class at a cost of {cost}"
        if times == 1
        else f"paired {times} times with a default class, {cost} in all"
    )


def specific(paths: ShortestPaths, explanation: Explanation) -> Overlay:
    """The most specific classes and the distance between each two of them; classes above another of their set are
    struck out.
    """
    marks = {
        c: _specific_mark(paths, c)
        for c in (*paths.true, *paths.predicted, *paths.true_dropped, *paths.predicted_dropped)
    }
    links = tuple(Link(p.predicted, p.true, number(p.distance), "pair") for p in paths.pairs if p.predicted != p.true)
    badges = {
        p.predicted: Badge("0", "itself", "true and predicted: distance 0")
        for p in paths.pairs
        if p.predicted == p.true
    }
    words = words_for("ancestor") | _empty_words(paths)
    key = {
        "pair": KeyLine("link", "2", "distance of a predicted from a true class"),
        "itself": KeyLine("badge", "0", "the same class"),
    }
    return Overlay("Distances", marks, words, badges, links, key=key)


def _specific_mark(paths: ShortestPaths, label: str) -> Mark:
    """The root that stands for an empty side is dashed, as something put in."""
    true, predicted = label in paths.true, label in paths.predicted
    mark = Mark(
        Side.ADDED if true and paths.true_empty else Side.CLASS if true or label in paths.true_dropped else Side.NONE,
        Side.ADDED
        if predicted and paths.predicted_empty
        else Side.CLASS
        if predicted or label in paths.predicted_dropped
        else Side.NONE,
        struck=not (true or predicted),
    )
    return mark


def _empty_words(paths: ShortestPaths) -> dict[Mark, str]:
    words = {}
    if paths.true_empty:
        words[Mark(Side.ADDED)] = "stands for no true class"
    if paths.predicted_empty:
        words[Mark(Side.NONE, Side.ADDED)] = "stands for no predicted class"
    if paths.true_empty and paths.predicted_empty:
        words[Mark(Side.ADDED, Side.ADDED)] = "stands for no class on either side"
    return words


__all__ = ["drawn_pairs", "pairing", "specific"]
