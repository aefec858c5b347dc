"""The question "pair": draw the pairing of a measure.

Every cheapest pairing within the measure's bounds is right. The structure's flow network contains
the bounds and costs.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from random import Random
from typing import Any

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import same_cost
from hiermeasures.hierarchy.words import join_words, write_count
from hiermeasures.measures import Measure
from hiermeasures.measures.catalogue import named
from hiermeasures.measures.own import spoken
from hiermeasures.measures.pairs import PAIRINGS, FlowEdge, PairingNetwork, cheapest_flow, ranked
from hiermeasures.teach.questions import (
    About,
    Given,
    MeasureName,
    Pair,
    Question,
    QuestionEntry,
    group_by_hint,
)
from hiermeasures.teach.random_instances import Difficulty, draw, in_order
from hiermeasures.verify.values import value_text

_OF_STRUCTURE = {structure.key: name for name, structure in PAIRINGS.items()}
LEFT_OVER = "left over"
PAIRED = ("GIE", "MGIA", "TIE")  # in all_pairs there is nothing to choose


@dataclass(frozen=True)
class Pairing(Question):
    """Draw the pairing of `measure`. A class without a pair is left over."""

    class Entry(QuestionEntry):
        measure: MeasureName = ""

    kind = "pair"
    title = "Pairings"
    input = "pairs"
    entry: Entry

    @classmethod
    def why_no_exercise(cls, wanted: Difficulty) -> str:
        if not set(wanted.chosen) & set(PAIRED):
            return f"it asks about {', '.join(PAIRED)}. Choose one of them"
        return "it needs two labels on a side" if wanted.labels < 2 else ""

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        key = rng.choice([k for k in wanted.chosen if k in PAIRED])
        drawn = draw(wanted, rng, "pairs")
        if drawn is None or len(drawn.true) == len(drawn.predicted) == 1:
            return None
        if not drawn.explained.pairing(key).feasible or len(drawn.true & drawn.predicted) > 1:
            return None
        return drawn.card([key], kind=cls.kind, measure=key)

    @cached_property
    def measure(self) -> Measure:
        found = self.subject.measure(self.entry.measure)
        if found.structure.key not in _OF_STRUCTURE or len(found.structures) > 1:
            raise InputError(
                f"{spoken(found.key)} pairs no classes; {join_words(map(spoken, PAIRED), 'or')} do"
            )
        return found

    @cached_property
    def _network(self) -> PairingNetwork:
        return self.subject.explained[0].pairing(_OF_STRUCTURE[self.measure.structure.key])

    @property
    def unique(self) -> bool:
        return self._network.unique

    def asked(self) -> str:
        name = spoken(self.measure.key)
        said = f"Draw the pairing of {name}: connect predicted classes with true ones."
        return (
            said
            if math.isinf(self._network.bounds.dmax)
            else f"{said} {dmax_in_words(self._network.bounds.dmax)}"
        )

    def check(self) -> None:
        network = self._network
        if not network.feasible:
            raise InputError(
                f"{spoken(self.measure.key)} has no pairing here: {network.infeasible}"
            )
        if not (network.predicted and network.true):
            raise InputError("one side has no class, so no pairs exist")
        if max(Counter(_pairs_of(network)).values()) > 1:
            raise InputError("a class is left over more than once, which a drawing cannot show")

    def options(self) -> Iterable[tuple[Pair, str]]:
        x = self.subject.instances[0]
        predicted, true = (in_order(x.hierarchy, side) for side in (x.predicted, x.true))
        for p, t in sorted(product([*predicted, ""], [*true, ""]), key=lambda pair: not all(pair)):
            if p or t:
                yield (
                    (p, t),
                    f"{p} with {t}"
                    if p and t
                    else f"{p or t} ({'predicted' if p else 'true'}) {LEFT_OVER}",
                )

    def answer(self) -> frozenset[Pair]:
        return frozenset(_pairs_of(self._network))

    def read(self, text: str | Iterable[str]) -> frozenset[Pair]:
        words = (
            re.sub(r"[ \t]+>[ \t]+", ">", text).replace(",", " ").split()
            if isinstance(text, str)
            else text
        )
        pairs = set()
        for word in words:
            predicted, arrow, true = word.partition(">")
            if not arrow or not (predicted.strip() or true.strip()):
                raise InputError(
                    f"{shown(word)} is not a pair. Write P>T, predicted first, or P> if P is left "
                    f"over"
                )
            pairs.add((predicted.strip(), true.strip()))
        return frozenset(pairs)

    def _in_words(self, answer: frozenset[Pair]) -> str:
        words = (f"{p} with {t}" if p and t else f"{p or t} {LEFT_OVER}" for p, t in sorted(answer))
        return ", ".join(words) or "no pairs"

    def about(self) -> About:
        return group_by_hint((self.measure,))

    def same(self, given: Given, other: Given) -> bool:
        drawn = [self._completed(pairs) for pairs in (given, other) if isinstance(pairs, frozenset)]  # type: ignore[arg-type]
        return len(drawn) == 2 and drawn[0] == drawn[1]

    def _checked(self, given: Given) -> frozenset[Pair]:
        pairs: set[Pair] = set()
        for pair in given if isinstance(given, frozenset) else ("",):
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise InputError("an answer is a set of pairs, predicted class first")
            pairs.add(pair)
        sides = ((0, self._network.predicted, "predicted"), (1, self._network.true, "true"))
        for pair in sorted(pairs):
            for place, side, words in sides:
                if pair[place] and pair[place] not in side:
                    raise InputError(
                        f"{shown(pair[place])} is not {words} here; {words} are {named(side)}"
                    )
        return self._completed(frozenset(pairs - {("", "")}))

    def _completed(self, pairs: frozenset[Pair]) -> frozenset[Pair]:
        """Return the pairs, with the other classes left over if the measure allows that."""
        bounds = self._network.bounds
        if math.isinf(bounds.dmax):
            return pairs
        left_p = {
            (p, "")
            for p in self._network.predicted
            if bounds.alpha_p and all(p != a for a, _ in pairs)
        }
        left_t = {
            ("", t) for t in self._network.true if bounds.alpha_t and all(t != b for _, b in pairs)
        }
        return pairs | left_p | left_t

    def _nearest(self, given: frozenset[Pair]) -> tuple[bool, frozenset[Pair]]:
        """Return the cheapest pairing that is nearest to wrong pairs. It keeps the wrong pairs that
        fit together.
        """
        fault, cost = _cost(self._network, given)
        if not fault and same_cost(cost, self._network.fnerror):
            return True, given
        edges = self._network.edges
        order = sorted(
            ranked(edges), key=lambda k: (edges[k].tail.label, edges[k].head.label) not in given
        )
        found = cheapest_flow([replace(edge, flow=0) for edge in edges], order)
        kept = (_ends(edge) for edge in found[0] if edge.flow) if found else self.answer()
        return False, frozenset(filter(None, kept))

    def _why(self, given: frozenset[Pair], answer: frozenset[Pair]) -> str:
        name, least = spoken(self.measure.key), value_text(self._network.fnerror)
        # The measure that is the cost of this pairing: its sentence is about the pairs alone.
        error = {"MGIA": "MGIA_error", "own": "own_pairing"}.get(
            self._network.name, self._network.name
        )
        sentence = self.subject.explained[0].derive(self.subject.measure(error)).sentence
        fault, cost = _cost(self._network, given)
        if given == answer:
            return f"The pairs cost {least} in total; no other pairing is cheaper. {sentence}"
        if fault:
            return f"{fault}. The cheapest pairs of {name} cost {least} in total. {sentence}"
        return f"Your pairs cost {value_text(cost)} in total, the cheapest cost {least}. {sentence}"


def dmax_in_words(dmax: float) -> str:
    return f"D_max is {value_text(dmax)}."


def _pairs_of(network: PairingNetwork) -> list[Pair]:
    return [(pair.predicted or "", pair.true or "") for pair in network.pairs]


def _ends(edge: FlowEdge) -> Pair | None:
    """Return the pair of an edge, or None for an edge at the source or the sink."""
    if edge.tail.kind in ("source", "sink") or edge.head.kind in ("source", "sink"):
        return None
    return (
        edge.tail.label if edge.tail.kind == "predicted" else "",
        edge.head.label if edge.head.kind == "true" else "",
    )


def _cost(network: PairingNetwork, pairs: frozenset[Pair]) -> tuple[str, float]:
    """Return the fault of pairs by the bounds of a network, or "", and their total cost."""
    costs = {pair: edge for edge in network.edges if (pair := _ends(edge)) is not None}
    for pair in sorted(pairs):
        edge = costs.get(pair)
        if edge is None or edge.upper < 1 or math.isinf(edge.cost):
            far = f"{pair[0]} and {pair[1]} are too far apart to be paired"
            return far if all(pair) else f"{pair[0] or pair[1]} cannot be left over", math.nan
    for side, place, words in (("predicted", 0, "predicted"), ("true", 1, "true")):
        for edge in network.edges:
            inner = edge.head if place == 0 else edge.tail
            if inner.kind != side:
                continue
            times = sum(pair[place] == inner.label for pair in pairs)
            if not edge.lower <= times <= edge.upper:
                room = f"at least {edge.lower}" if times < edge.lower else f"at most {edge.upper}"
                found = write_count(times, "pair")
                return (
                    f"The {words} class {inner.label} is in {found}, and has to be in {room}",
                    math.nan,
                )
    return "", math.fsum(costs[pair].cost for pair in pairs)
