"""Random instances for exercises: their difficulty, and a hierarchy with true and predicted
classes.

If a draw does not fit, it is None. Examples are a tree instead of a DAG, or a structure with an
arbitrary choice. The caller then draws again. The kinds of question draw the questions.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

from hiermeasures.debug.random_hierarchies import random_hierarchy
from hiermeasures.hierarchy.errors import InputError, unknown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures import CATALOGUE, FAMILIES, Explanation, explain

Classes = frozenset[str]
FEWEST_CLASSES, MOST_CLASSES, MOST_LABELS = 4, 14, 4
PAPER = 0.005  # values nearer than this may round to the same two decimals

# What can be worked out on paper, by family and best known first.
ASKED: Mapping[str, tuple[str, ...]] = {
    f.key: f.exercises for f in FAMILIES.values() if f.exercises
}
MEASURES = tuple(key for keys in ASKED.values() for key in keys)


@dataclass(frozen=True, kw_only=True)
class Difficulty:
    """The difficulty of exercises.

    It contains the number of classes of a hierarchy, a flag for DAGs, the maximum number of labels
    of a side (at most half of the classes), and the measures of questions (all, if empty).

    Raises
    ------
    InputError
        If no exercises exist for a measure. The message lists the available ones.
    """

    classes: int = 7
    dag: bool = False
    labels: int = 2
    measures: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for key in self.measures:
            if key not in CATALOGUE:
                raise InputError(unknown("measure or family", key, (*MEASURES, *ASKED)))
            if key not in MEASURES:
                raise InputError(
                    f"there are no exercises about {key}. Choose from {', '.join(MEASURES)}"
                )
        if not FEWEST_CLASSES <= self.classes <= MOST_CLASSES:
            raise InputError(
                f"a hierarchy has {FEWEST_CLASSES} to {MOST_CLASSES} classes, not {self.classes}"
            )
        if not 1 <= self.labels <= MOST_LABELS:
            raise InputError(f"a side has 1 to {MOST_LABELS} labels, not {self.labels}")
        if self.dag and self.classes < 5:
            raise InputError("a DAG needs at least 5 classes")

    @cached_property
    def chosen(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.measures)) or MEASURES

    @cached_property
    def families(self) -> tuple[str, ...]:
        return tuple(
            family for family, keys in ASKED.items() if not set(keys).isdisjoint(self.chosen)
        )


def with_families(names: Iterable[str]) -> tuple[str, ...]:
    """Return measures by key. A family's name is replaced by its measures.

    >>> with_families(["hF", "lca", "paths"])
    ('hF', 'F_LCA', 'P_LCA', 'R_LCA', 'SP')
    """
    return tuple(key for name in names for key in ASKED.get(name, (name,)))


@dataclass(frozen=True)
class Drawn:
    hierarchy: Hierarchy
    true: Classes
    predicted: Classes

    @cached_property
    def explained(self) -> Explanation:
        return explain(self.hierarchy, self.true, self.predicted)

    def with_predicted(self, predicted: Classes) -> "Drawn":
        return Drawn(self.hierarchy, self.true, predicted)

    def card(
        self, keys: Sequence[str], second: "Drawn | None" = None, **question: Any
    ) -> dict[str, Any]:
        """Return the entries of a card with a question. The answer reveals values and
        structures.
        """
        h = self.hierarchy
        entries = {
            "hierarchy": " ".join(f"{a}>{b}" for a, b in h.edges),
            "true": in_order(h, self.true),
            "predicted": in_order(h, self.predicted),
            "measures": list(keys),
            "view": CATALOGUE[keys[0]].structure.view,
            "hidden": ["values", "view"],
            "question": question,
        }
        return (
            entries
            if second is None
            else {**entries, "second": {"predicted": in_order(h, second.predicted)}}
        )

    def is_plain(self, key: str) -> bool:
        return self.explained[key] in (0, CATALOGUE[key].high)


def in_order(hierarchy: Hierarchy, labels: Classes) -> list[str]:
    return sorted(labels, key=hierarchy.index)


def draw(wanted: Difficulty, rng: Random, family: str) -> Drawn | None:
    """Draw a hierarchy and two different sets of classes. Return None if they do not fit."""
    hierarchy = _hierarchy(wanted, rng)
    if hierarchy is None:
        return None
    most = _most_labels(wanted, family)
    sizes = [rng.randint(1, most), most]
    rng.shuffle(sizes)
    true, predicted = (_labels(hierarchy, size, rng) for size in sizes)
    if true is None or predicted is None or true == predicted:
        return None
    drawn = Drawn(hierarchy, true, predicted)
    return drawn if is_clear(drawn, [family]) else None


def _most_labels(wanted: Difficulty, family: str) -> int:
    """Draw at most half of the classes. For measures of paths, draw one, so that no choice is
    arbitrary.
    """
    return 1 if family == "confusion" else min(wanted.labels, wanted.classes // 2)


def _hierarchy(wanted: Difficulty, rng: Random) -> Hierarchy | None:
    shapes = [(d, b) for d in (2, 3, 4) for b in (2, 3, 4) if d < wanted.classes - 1]
    # there is room
    shapes = [(d, b) for d, b in shapes if sum(b**k for k in range(d + 1)) >= wanted.classes]
    depth, branching = rng.choice(shapes)
    extra = rng.choice((0.3, 0.5)) if wanted.dag else 0.0
    found = random_hierarchy(
        wanted.classes, depth, branching, extra=extra, seed=rng.randrange(10**9)
    )
    shortcut = any(
        above in found.ancestors(p) for above, below in found.edges for p in found.parents(below)
    )
    return None if wanted.dag and (found.is_tree or shortcut) else found


def _labels(h: Hierarchy, size: int, rng: Random) -> Classes | None:
    """Return some classes below the root. No class is an ancestor of another, because measures
    treat such classes differently.
    """
    if size >= len(h):
        return None
    labels = frozenset(rng.sample(h.nodes[1:], size))
    return None if any(not labels.isdisjoint(h.ancestors(c)) for c in sorted(labels)) else labels


def _one_choice_of_graphs(drawn: Drawn) -> bool:
    """Return True if the minimal LCA graphs are the extended ones, so that no choice was
    arbitrary.
    """
    minimal, extended = drawn.explained.lca.minimal.overlap, drawn.explained.lca.extended.overlap
    return (minimal.true, minimal.predicted) == (extended.true, extended.predicted)


def _one_path_each(drawn: Drawn) -> bool:
    """Return True if each label has one path from the root, so that no choice was arbitrary."""
    h = drawn.hierarchy
    above = {c for label in drawn.true | drawn.predicted for c in h.up(label)}
    return all(len(h.parents(c)) < 2 for c in above)


_CLEAR: Mapping[str, Callable[[Drawn], bool]] = {
    "lca": _one_choice_of_graphs,
    "confusion": _one_path_each,
}


def is_clear(drawn: Drawn, families: Collection[str]) -> bool:
    return all(check(drawn) for family, check in _CLEAR.items() if family in families)


def draw_two(wanted: Difficulty, rng: Random, family: str) -> tuple[Drawn, Drawn] | None:
    first = draw(wanted, rng, family)
    labels = (
        _labels(first.hierarchy, rng.randint(1, _most_labels(wanted, family)), rng)
        if first
        else None
    )
    if first is None or labels is None or labels in (first.true, first.predicted):
        return None
    second = first.with_predicted(labels)
    return (first, second) if is_clear(second, [family]) else None
