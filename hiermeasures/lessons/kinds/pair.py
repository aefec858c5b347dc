"""The question for the pairing of a measure, which is drawn.

Any pairing within the measure's bounds that costs as little as the cheapest is right; bounds and costs are read off the
flow network of the structure.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from hiermeasures.errors import InputError, shown
from hiermeasures.hierarchy import same_cost
from hiermeasures.lessons.format import Kind
from hiermeasures.lessons.questions import Given, Input, Pair, Question, Verdict, joined, parted
from hiermeasures.lessons.values import value_text
from hiermeasures.measures import Measure
from hiermeasures.measures.catalogue import counted, named
from hiermeasures.measures.flow import FlowEdge, cheapest_flow
from hiermeasures.measures.own import called
from hiermeasures.measures.pairs import PAIRINGS, PairingNetwork, ranked

_OF_STRUCTURE = {structure.key: name for name, structure in PAIRINGS.items()}
_OTHERS = ("GIE", "MGIA", "TIE", "all_pairs")


@dataclass(frozen=True)
class Pairing(Question):
    """Draw the pairing of `measure`. A class that is in no pair is left over."""

    kind: ClassVar[Kind] = "pair"
    input: ClassVar[Input] = "pairs"
    needs: ClassVar[tuple[str, ...]] = ("measure",)

    @cached_property
    def measure(self) -> Measure:
        found = self.subject.measure(self.entry.measure)
        if found.structure.key not in _OF_STRUCTURE or len(found.structures) > 1:
            raise InputError(f"{called(found.key)} pairs no classes; {joined(_OTHERS, 'or')} do")
        return found

    @property
    def measures(self) -> tuple[str, ...]:
        return (self.subject.key(self.measure),)

    @cached_property
    def _network(self) -> PairingNetwork:
        return self.subject.explained[0].pairing(_OF_STRUCTURE[self.measure.structure.key])

    def asked(self) -> str:
        said = f"Draw the pairing of {called(self.measure.key)}: connect predicted classes with true ones."
        return said if math.isinf(self._network.bounds.dmax) else f"{said} {dmax_in_words(self._network.bounds.dmax)}"

    def check(self) -> None:
        network = self._network
        if not network.feasible:
            raise InputError(f"{called(self.measure.key)} has no pairing here: {network.infeasible}")
        if not (network.predicted and network.true):
            raise InputError("there is nothing to pair: one side has no class")
        if max(Counter(_pairs_of(network)).values()) > 1:
            raise InputError("a class is left over more than once, which cannot be drawn")

    def answer(self) -> frozenset[Pair]:
        return frozenset(_pairs_of(self._network))

    def read(self, text: str | Iterable[str]) -> frozenset[Pair]:
        words = re.sub(r"[ \t]+>[ \t]+", ">", text).replace(",", " ").split() if isinstance(text, str) else text
        pairs = set()
        for word in words:
            predicted, arrow, true = word.partition(">")
            if not arrow or not (predicted.strip() or true.strip()):
                raise InputError(
                    f"{shown(word)} is no pair; one is written P>T, predicted first, or P> where P is left over"
                )
            pairs.add((predicted.strip(), true.strip()))
        return frozenset(pairs)

    def judge(self, given: Given) -> Verdict:
        drawn = self._completed(self._checked(given))
        fault, cost = _cost(self._network, drawn)
        right = not fault and same_cost(cost, self._network.fnerror)
        answer = drawn if right else self._nearest(drawn)
        pairs = dict(zip(("both", "missed", "spurious"), parted(drawn, answer), strict=True))
        return Verdict(
            right,
            drawn,
            answer,
            both=_classes(pairs["both"]),
            missed=_classes(pairs["missed"]),
            spurious=_classes(pairs["spurious"]),
            pairs=pairs,
            why=self._why(fault, cost, right),
            would_be="" if right else self._would_be(drawn),
            given_words=_in_words(drawn),
            answer_words=_in_words(answer),
        )

    def _checked(self, given: Given) -> frozenset[Pair]:
        """The pairs, each of a predicted class and a true one, or of one of them and nothing."""
        pairs: set[Pair] = set()
        for pair in given if isinstance(given, frozenset) else ("",):
            if not isinstance(pair, tuple) or len(pair) != 2:
                raise InputError("an answer is a set of pairs, predicted class first")
            pairs.add(pair)
        sides = ((0, self._network.predicted, "predicted"), (1, self._network.true, "true"))
        for pair in sorted(pairs):
            for place, side, words in sides:
                if pair[place] and pair[place] not in side:
                    raise InputError(f"{shown(pair[place])} is not {words} here; {words} are {named(side)}")
        return frozenset(pairs - {("", "")})

    def _completed(self, pairs: frozenset[Pair]) -> frozenset[Pair]:
        """With the classes that are in no pair left over, where the measure allows that."""
        bounds = self._network.bounds
        if math.isinf(bounds.dmax):
            return pairs
        left_p = {(p, "") for p in self._network.predicted if bounds.alpha_p and all(p != a for a, _ in pairs)}
        left_t = {("", t) for t in self._network.true if bounds.alpha_t and all(t != b for _, b in pairs)}
        return pairs | left_p | left_t

    def _nearest(self, drawn: frozenset[Pair]) -> frozenset[Pair]:
        """A cheapest pairing with as many of the drawn pairs as one by one are found to go together."""
        edges = self._network.edges
        order = sorted(ranked(edges), key=lambda k: (edges[k].tail.label, edges[k].head.label) not in drawn)
        found = cheapest_flow([replace(edge, flow=0) for edge in edges], order)
        return frozenset(_flowing(found.edges)) if found else self.answer()

    def _why(self, fault: str, cost: float, right: bool) -> str:
        name, least = called(self.measure.key), value_text(self._network.fnerror)
        sentence = self.subject.explained[0].derive(self.subject.measure(self._error.key)).sentence
        if right:
            return f"All pairs together cost {least}, and no others cost less. {sentence}"
        if fault:
            return f"{fault}. The cheapest pairs of {name} cost {least} together: {sentence}"
        return f"The drawn pairs cost {value_text(cost)} together, the cheapest {least}: {sentence}"

    @property
    def _error(self) -> Measure:
        """The measure that is the cost of this pairing, whose sentence speaks of the pairs alone."""
        errors = {"MGIA": "MGIA_error", "own": "own_pairing"}
        return self.subject.measure(errors.get(self._network.name, self._network.name))

    def _would_be(self, drawn: frozenset[Pair]) -> str:
        x = self.subject.explained[0]
        for name in _OTHERS:
            network = x.pairing(name)
            if name == self._network.name or not network.feasible:
                continue
            fault, cost = _cost(network, drawn)
            if not fault and same_cost(cost, network.fnerror):
                return "Those are all pairs." if name == "all_pairs" else f"That is what {name} pairs."
        return ""


def dmax_in_words(dmax: float) -> str:
    """What it costs to leave a class over, as a question says it."""
    return f"D_max is {value_text(dmax)}."


def _pairs_of(network: PairingNetwork) -> list[Pair]:
    return [(pair.predicted or "", pair.true or "") for pair in network.pairs]


def _ends(edge: FlowEdge) -> Pair | None:
    """The pair that an edge stands for; None for an edge at the source or the sink."""
    if edge.tail.kind in ("source", "sink") or edge.head.kind in ("source", "sink"):
        return None
    return (
        edge.tail.label if edge.tail.kind == "predicted" else "",
        edge.head.label if edge.head.kind == "true" else "",
    )


def _flowing(edges: Iterable[FlowEdge]) -> list[Pair]:
    return [pair for edge in edges if edge.flow and (pair := _ends(edge)) is not None]


def _cost(network: PairingNetwork, pairs: frozenset[Pair]) -> tuple[str, float]:
    """What is wrong with pairs under the bounds of a network, "" where nothing is, and what they cost together."""
    costs = {pair: edge for edge in network.edges if (pair := _ends(edge)) is not None}
    for pair in sorted(pairs):
        edge = costs.get(pair)
        if edge is None or edge.upper < 1 or math.isinf(edge.cost):
            return _forbidden(pair), math.nan
    for side, place, words in (("predicted", 0, "predicted"), ("true", 1, "true")):
        for edge in network.edges:
            inner = edge.head if place == 0 else edge.tail
            if inner.kind != side:
                continue
            times = sum(pair[place] == inner.label for pair in pairs)
            if not edge.lower <= times <= edge.upper:
                room = f"at least {edge.lower}" if times < edge.lower else f"at most {edge.upper}"
                found = counted(times, "pair")
                return f"The {words} class {inner.label} is in {found}, and has to be in {room}", math.nan
    return "", math.fsum(costs[pair].cost for pair in pairs)


def _forbidden(pair: Pair) -> str:
    alone = next((label for label in pair if label), "")
    return f"{pair[0]} and {pair[1]} are too far apart to be paired" if all(pair) else f"{alone} cannot be left over"


def _classes(pairs: frozenset[Pair]) -> frozenset[str]:
    return frozenset(label for pair in pairs for label in pair if label)


def _in_words(pairs: frozenset[Pair]) -> str:
    """`P1 with T1, P2 left over`."""
    return ", ".join(f"{p} with {t}" if p and t else f"{p or t} left over" for p, t in sorted(pairs)) or "no pairs"
