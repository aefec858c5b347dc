"""The shortest path between what was meant and what was predicted (Plaud et al. 2024, Section 3.1 and footnote 8).

A label set that names a class with its ancestors speaks of the class; only the most specific ones are compared here.
Distances come from the hierarchy.
"""

from dataclasses import dataclass

from hiermeasures.measures.catalogue import (
    Derivation,
    Family,
    Instance,
    Measure,
    Structure,
    counted,
    latex_text,
    named,
    number,
)
from hiermeasures.measures.specific import SpecificClasses
from hiermeasures.options import EDGE_WEIGHTS, Options


@dataclass(frozen=True)
class SpecificPair:
    """A most specific predicted and a most specific true class, and their distance."""

    predicted: str
    true: str
    distance: float


@dataclass(frozen=True)
class ShortestPaths:
    """The most specific classes of both sides, in the order of the hierarchy, and the distances between them.

    `true_dropped` and `predicted_dropped` are the classes above another one of their own set. An empty set stands for
    the root.
    """

    predicted: tuple[str, ...]
    true: tuple[str, ...]
    predicted_dropped: frozenset[str]
    true_dropped: frozenset[str]
    predicted_empty: bool
    true_empty: bool
    pairs: tuple[SpecificPair, ...]

    @property
    def total(self) -> float:
        """The distances of all pairs, summed."""
        return float(sum(pair.distance for pair in self.pairs))


def shortest_path(instance: Instance) -> ShortestPaths:
    """The most specific classes and the distance of every pair of them (Plaud et al. 2024, Section 3.1 and footnote 8).

    The paper walks edges in either direction. In a tree that is the way through the lowest common ancestor; in a DAG
    the option `path` says whether a way may also dip through a common descendant.
    """
    h = instance.hierarchy
    sides = [SpecificClasses.of(h, labels) for labels in (instance.predicted, instance.true)]
    predicted, true = (side.or_root(h) for side in sides)
    pairs = tuple(SpecificPair(p, t, h.distance(p, t, instance.options.path)) for p in predicted for t in true)
    return ShortestPaths(
        predicted, true, sides[0].dropped, sides[1].dropped, not instance.predicted, not instance.true, pairs
    )


_MOST_SHOWN, _MOST_NAMED = 8, 4  # terms of the formula, and terms with room for the names of their classes


def derive_total_distance(paths: ShortestPaths, value: float, options: Options) -> Derivation:
    shown = paths.pairs[:_MOST_SHOWN]
    rest = len(paths.pairs) - len(shown)
    terms = " + ".join(
        rf"\underbrace{{{number(p.distance)}}}_{{{latex_text(p.predicted)},\,{latex_text(p.true)}}}"
        if len(shown) <= _MOST_NAMED
        else number(p.distance)
        for p in shown
    )
    dots = r" + \cdots" if rest else ""
    distances = "; ".join(f"from {p.predicted} to {p.true} it is {number(p.distance)}" for p in shown)
    notes = [
        f"nothing is {side}, which stands for the root"
        for side, empty in (("predicted", paths.predicted_empty), ("true", paths.true_empty))
        if empty
    ]
    dropped = paths.true_dropped | paths.predicted_dropped
    if dropped:
        notes.append(f"left out, as ancestors of another class of their set: {named(dropped)}")
    sentence = distances + (f"; and {counted(rest, 'pair')} more" if rest else "")
    return Derivation(
        rf"\sum d(\hat{{y}}, y) = {terms}{dots} = {number(value)}",
        ". ".join(part[0].upper() + part[1:] for part in (sentence, *notes)) + ".",
    )


SHORTEST_PATH = Structure(
    key="shortest_path",
    family=Family(
        key="paths",
        title="Shortest path",
        description="The distance between the most specific predicted and true classes.",
        rank=6,
    ),
    build=shortest_path,
    columns=("distance",),
    meanings=("what SP sums",),
    row=lambda paths, options: (paths.total,),
    whole=False,
)

MEASURES = (
    Measure(
        key="SP",
        function="shortest_path_error",
        symbol=r"\mathrm{SP}",
        name="Shortest path",
        structure=SHORTEST_PATH,
        better="lower",
        high=None,
        perfect_varies=True,
        read=lambda c, options: c.distance,
        pooled="never",
        formula=r"\sum_{\hat{y} \in \hat{Y}^{spe},\, y \in Y^{spe}} d(\hat{y}, y)",
        derive=derive_total_distance,
        description="The length of the shortest path between the most specific predicted and true class; "
        "where there are several, summed over all pairs.",
        source="Plaud et al. 2024, Section 3.1 and footnote 8",
        options=("path", *EDGE_WEIGHTS, "max_ancestor_distance"),
    ),
)
