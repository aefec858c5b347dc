"""Words for the values in lessons and for the instances of a card.

They name quantities, averages and expressions. Students see these words, not the form in the file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hiermeasures.hierarchy.expressions import BINDING, Argument, Expression, Node
from hiermeasures.hierarchy.options import DECLARED
from hiermeasures.hierarchy.words import agree, join_words
from hiermeasures.measures import Instance
from hiermeasures.measures.catalogue import SIDES, named, number
from hiermeasures.measures.own import names as known_names
from hiermeasures.measures.own import spoken
from hiermeasures.verify.quantities import CELLS, KINDS, SECOND, Quantity, read_expression

FEW = 4  # instances of an average that are named
_FUNCTIONS = {
    "min": "the smallest of {}",
    "max": "the largest of {}",
    "abs": "|{}|",
    "sqrt": "the square root of {}",
    "log": "the logarithm of {}",
    "rounded": "rounded {}",
    "truncated": "truncated {}",
}
_SIGNS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥", "*": "·", "-": "−"}
_OF_STRUCTURE = {
    "flat": " of the classes alone",
    "augmented": " of the augmented sets",
    "confusion": " of the confusion matrix",
}


@dataclass(frozen=True)
class InstanceNames:
    """Names of the instances of a card.

    `noun` is the word for one of two instances. `captions` are the headings of their drawings.
    `places` follow the name of a value, such as "of the first prediction".
    """

    noun: str = ""
    captions: tuple[str, ...] = ("",)
    places: tuple[str, ...] = ("",)


def name_instances(instances: Sequence[Instance], *, tells_option: bool = True) -> InstanceNames:
    """Name the instances of a card by their difference.

    They differ in the hierarchy, the true classes, the prediction or an option. The names contain
    the value of an option only with `tells_option`.
    """
    if len(instances) < 2:
        return InstanceNames()
    first, second = instances[:2]
    if first.hierarchy != second.hierarchy:
        return _ordinals("hierarchy", "in")
    if first.true != second.true:
        named_sets = [_truth(each.true) for each in (first, second)]
        return _ordinals("instance", "of", *(named_sets if all(named_sets) else ()))
    if first.predicted != second.predicted or first.options == second.options:
        return _ordinals("prediction", "of")
    if not tells_option:
        return _ordinals("value", "of")
    settings = settings_in_words(first, second)
    places = tuple(f"with {words}" for words in settings)
    return InstanceNames(
        "setting", tuple(map(": ".join, zip(("First", "Second"), settings, strict=True))), places
    )


def _ordinals(noun: str, before: str, *told: str) -> InstanceNames:
    captions = tuple(
        f"{which}: {words}" for which, words in zip(("First", "Second"), told, strict=False)
    )
    places = tuple(f"{before} the {which} {noun}" for which in ("first", "second"))
    return InstanceNames(noun, captions or (f"First {noun}", f"Second {noun}"), places)


def _truth(true: frozenset[str]) -> str:
    """Return the true classes for a caption, or "" for an empty set or more than two classes."""
    return f"{join_words(sorted(true))} {agree(len(true), 'is')} true" if 0 < len(true) < 3 else ""


def settings_in_words(first: Instance, second: Instance) -> tuple[str, str]:
    """Return the different options of two instances, with their values."""
    differ = [
        name for name in DECLARED if getattr(first.options, name) != getattr(second.options, name)
    ]
    one, other = (join_words(_setting(each, name) for name in differ) for each in (first, second))
    return one, other


def _setting(instance: Instance, name: str) -> str:
    value = getattr(instance.options, name)
    if name == "count_root":
        return (
            f"the root {'' if instance.options.counts_root(instance.hierarchy) else 'not '}counted"
        )
    if name == "graphs":
        return f"{value} graphs"
    if name == "rank":
        return "no rank" if value is None else f"a cut at rank {value}"
    words = "D_max" if name == "dmax" else name.replace("_", " ")
    return f"{words} = {number(value) if isinstance(value, float) else value}"


def name_value(text: str, names: InstanceNames | None = None) -> str:
    """Return words for the value of an expression in a lesson.

    >>> name_value("samples(hR, {A}, {B}, {C}, {C})"), name_value("FP(counts, 1)")
    ('the mean hR over A and C', 'the number of false positives at level 1')
    >>> name_value("hF({T1}, {P1, P2})"), name_value("E(SP, {1})")
    ('hF of the answer P1 and P2 for the truth T1', 'the expected SP of the answer 1')
    >>> name_value("hF >= 0.5 and under_prediction == 0")
    'hF ≥ 0.5 and under prediction = 0'
    """
    expression, known = read_expression(text, lesson=True), names or InstanceNames()
    words = _Words(expression, known).name(expression.root)
    return words if expression.printed is None else f"{words} = {expression.printed}"


@dataclass(frozen=True)
class _Words:
    """Words for the parts of one expression about some instances."""

    expression: Expression
    names: InstanceNames

    def name(self, node: Node, least: int = 0) -> str:
        """Return words for a part, in brackets if it binds less tightly than `least`."""
        if not node.parts:
            return self.name_leaf(node) if node.op == "name" else node.text
        binds = BINDING.get(node.op, 0)
        inner = [self.name(part, binds + (k > 0)) for k, part in enumerate(node.parts)]
        if node.op in _FUNCTIONS:
            return _FUNCTIONS[node.op].format(", ".join(inner))
        if node.op in ("neg", "not"):
            words = f"{'−' if node.op == 'neg' else 'not '}{inner[0]}"
        else:
            words = inner[0]
            for sign, part in zip(
                node.relations or [node.op] * len(inner), inner[1:], strict=False
            ):
                words += f" {_SIGNS.get(sign, sign)} {part}"
        return f"({words})" if binds < least else words

    def name_leaf(self, node: Node) -> str:
        """Return words for a quantity, an average or a measure."""
        key = node.name.removesuffix(SECOND)
        if node.arguments is not None or (key in KINDS and 0 in KINDS[key].arguments):
            asked = Quantity.of(self.expression, node, {}, SECOND)
            if asked.is_average:
                return _name_average(self.names, asked)
            return f"{name_quantity(asked)} {_place(self.names, asked.second)}".rstrip()
        meanings = known_names()
        if key not in meanings and key != "X" and key == node.name:
            return key
        words = meanings[key] if "." in key or key.startswith("len_") else spoken(key)
        return f"{words} {_place(self.names, key != node.name)}".rstrip()


def _place(names: InstanceNames, second: bool) -> str:
    if second and len(names.places) < 2:
        return "of the second prediction"
    return names.places[int(second)]


def _name_average(names: InstanceNames, asked: Quantity) -> str:
    measure, *sets = asked.arguments
    name = asked.kind.words.format(spoken(str(measure)))
    truths = sets[:: 3 if asked.name == "sign" else 2]
    if not truths:
        plural = "hierarchies" if names.noun == "hierarchy" else f"{names.noun}s"
        return f"{name} over both {plural}" if names.noun else name
    classes = list(map(classes_in_words, truths))
    alone = all(len(truth) == 1 for truth in truths)
    if len(set(classes)) > FEW or len(set(classes)) < len(classes) or not alone:
        return f"{name} over {len(truths)} instances"
    return f"{name} over {join_words(classes)}"


def name_quantity(asked: Quantity) -> str:
    """Return words for a quantity of a case file."""
    if asked.arguments and asked.measure is None and "{}" not in asked.kind.words:  # a count
        structure, *level = map(str, asked.arguments)
        at = f" at level {level[0]}" if level else ""
        return f"{asked.kind.words}{_OF_STRUCTURE.get(structure, '')}{at}"
    if asked.measure is None and asked.name != "E":
        return asked.kind.words.format(*map(_argument, asked.arguments))
    answers = [classes_in_words(each) for each in asked.arguments]
    if asked.name == "E":
        measure, answer = spoken(str(asked.arguments[0])), answers[1:]
        return (
            f"{asked.kind.words.format(measure)}{f' of the answer {answer[0]}' if answer else ''}"
        )
    truth = f" for the truth {answers[0]}" if answers else ""
    return f"{spoken(asked.name)}{f' of the answer {answers[1]}' if answers[1:] else ''}{truth}"


def _argument(argument: Argument) -> str:
    known: Mapping[str, str] = {side: f"the {side} classes" for side in SIDES} | CELLS
    return named(argument) if isinstance(argument, frozenset) else known.get(argument, argument)


def classes_in_words(classes: Any) -> str:
    """Return classes in words, such as `1 and 5`, or `nothing` for an empty set."""
    return (
        join_words(sorted(classes)) or "nothing" if isinstance(classes, frozenset) else str(classes)
    )
