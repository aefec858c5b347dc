"""Why a value changed: one sentence about what changed in the structure that it is read off, made
from the structures before and after.

A structure declares how changes of it are said (`changes`); one that does not is compared by the
numbers that are kept of it.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from hiermeasures.behaviour.what_if import Word, change
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.measures import Derivation, Explanation, Measure
from hiermeasures.measures.catalogue import changed_numbers

NOTHING = "nothing that it is read off has changed"


@dataclass(frozen=True)
class Why:
    """The reason for a change: how two values of a measure came about, how they differ, and what
    changed in between.
    """

    before: Derivation
    after: Derivation
    values: tuple[float, float]
    word: Word
    sentence: str


def why(measure: Measure, before: Explanation, after: Explanation) -> Why:
    """Return what changed in the structure of a measure between two instances.

    Examples
    --------
    Figure 11(a) of Kosmopoulos et al. 2015, where C is predicted, too:

    >>> from hiermeasures import Hierarchy, explain
    >>> from hiermeasures.measures import CATALOGUE
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> found = why(CATALOGUE["F_LCA"], explain(h, {"T1"}, {"P1", "P2"}), explain(h, {"T1"}, {"P1", "P2", "C"}))
    >>> found.word, found.sentence
    ('better', 'C meets T1 in A, so A joins both graphs; only predicted now: C.')
    """
    parts: list[str] = []
    for structure, options in measure.reads(after.options).values():
        built = [x.built(structure) for x in (before, after)]
        say = structure.changes if _same_names(before.hierarchy, after.hierarchy) else None
        was, now = (structure.read(b, options) for b in built)
        words = {name: name.replace("_", " ") for name in structure.columns}
        parts += (say(built[0], built[1], options) if say else []) or changed_numbers(was, now, words)
    sentence = _sentence(list(dict.fromkeys(parts)) or [NOTHING], after.hierarchy.nodes)
    values = before.value(measure), after.value(measure)
    return Why(before.derive(measure), after.derive(measure), values, change(measure, *values).word, sentence)


def _sentence(parts: list[str], labels: Iterable[str]) -> str:
    """The parts as one sentence; a class with which it begins keeps its small letter."""
    text = "; ".join(parts)
    begins = any(text.startswith((f"{label} ", f"{label}, ")) for label in labels)
    return f"{text if begins else text[:1].upper() + text[1:]}."


def _same_names(before: Hierarchy, after: Hierarchy) -> bool:
    """Return True if a name means the same class in both: one hierarchy is the other, or a part of
    it.
    """
    edges = [set(h.edges) for h in (before, after)]
    return edges[0] <= edges[1] or edges[1] <= edges[0]
