"""The shortest path between the true and the predicted class, and its parts.

The source is Plaud et al. 2024, Section 3.1 and footnote 8. The parts are the path up from the
predicted class to the lowest common ancestor, the path down to the true class, and the height of
that ancestor. Only the most specific classes are compared: if a label set contains a class and its
ancestors, only the class counts. The hierarchy gives distances and lowest common ancestors.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Literal, NamedTuple

from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import EDGE_WEIGHTS, Options
from hiermeasures.hierarchy.words import capitalize, write_list
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.catalogue import (
    Derivation,
    Instance,
    Measure,
    Structure,
    Term,
    cited,
    fraction,
    mark_term,
    named,
    number,
)
from hiermeasures.measures.sets import SpecificClasses

Edges = tuple[tuple[str, str], ...]


class Route(NamedTuple):
    """The edges (parent, child) of all cheapest paths from a predicted to a true class.

    The paths use some edges `up`, and the others `down`.
    """

    up: Edges
    down: Edges


class Routes(Mapping[tuple[str, str], Route]):
    """The cheapest paths of (predicted, true) pairs. Each is computed when you ask for it."""

    def __init__(
        self,
        hierarchy: Hierarchy,
        pairs: Iterable[tuple[str, str]],
        path: Literal["ancestor", "any"] = "ancestor",
    ) -> None:
        self.hierarchy, self.pairs, self.path = hierarchy, tuple(pairs), path
        self._known: dict[tuple[str, str], Route] = {}

    def __getitem__(self, pair: tuple[str, str]) -> Route:
        if pair not in self._known:
            found = self.hierarchy.shortest_path_edges(*pair, self.path)
            self._known[pair] = Route(*found)
        return self._known[pair]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)


@dataclass(frozen=True)
class SpecificPair:
    """A most specific predicted and a most specific true class, and their distance."""

    predicted: str
    true: str
    distance: float


@dataclass(frozen=True)
class ShortestPaths:
    """The most specific classes of both sides, in the hierarchy's order, and their distances.

    `true_dropped` and `predicted_dropped` are the ancestors of another class of their own set. An
    empty set counts as the root. `routes` has the edges of the path between each pair.
    """

    predicted: tuple[str, ...]
    true: tuple[str, ...]
    predicted_dropped: frozenset[str]
    true_dropped: frozenset[str]
    predicted_empty: bool
    true_empty: bool
    pairs: tuple[SpecificPair, ...]
    routes: Routes = field(repr=False, compare=False)

    @property
    def total(self) -> float:
        """The sum of all distances."""
        return float(sum(pair.distance for pair in self.pairs))


def shortest_path(instance: Instance) -> ShortestPaths:
    """Return the most specific classes and the distance of each pair.

    The source is Plaud et al. 2024, Section 3.1. The paper walks edges in either direction. In a
    tree this is the path through the lowest common ancestor. In a DAG the option `path` decides if
    a path may also go through a common descendant.
    """
    h = instance.hierarchy
    sides = [SpecificClasses.of(h, labels) for labels in (instance.predicted, instance.true)]
    predicted, true = (side.or_root(h) for side in sides)
    routes = Routes(h, product(predicted, true), instance.options.path)
    return ShortestPaths(
        predicted=predicted,
        true=true,
        predicted_dropped=sides[0].dropped,
        true_dropped=sides[1].dropped,
        predicted_empty=not instance.predicted,
        true_empty=not instance.true,
        pairs=tuple(SpecificPair(p, t, h.distance(p, t, instance.options.path)) for p, t in routes),
        routes=routes,
    )


@dataclass(frozen=True)
class Way:
    """The path from a predicted to a true class, in two parts.

    `up` is the distance up to their lowest common ancestor, and `down` the distance down from it.
    `height` is the number of edges of the longest path from that ancestor to a leaf, or 0 if both
    classes are equal. If a DAG has several `lcas`, each number is the mean over them.
    """

    predicted: str
    true: str
    lcas: tuple[str, ...]
    up: float
    down: float
    height: float

    @classmethod
    def of(cls, h: Hierarchy, predicted: str, true: str) -> "Way":
        """Split the path between two classes at their lowest common ancestors."""
        lcas = tuple(sorted(h.lca(predicted, true), key=h.index))
        up, down = h.up(predicted), h.up(true)
        parts = (
            [up[a] for a in lcas],
            [down[a] for a in lcas],
            [h.height(a) * (predicted != true) for a in lcas],
        )
        return cls(predicted, true, lcas, *(sum(part) / len(lcas) for part in parts))


def _ends(pair: SpecificPair) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("predicted", pair.predicted), ("true", pair.true)


@dataclass(frozen=True)
class SpecificPaths:
    """The paths between most specific classes, split at the lowest common ancestor.

    `paths` has the classes and distances, `ways` the parts, `highest` the hierarchy's height, and
    `routes` the edges of each path.
    """

    paths: ShortestPaths
    ways: tuple[Way, ...]
    highest: int
    routes: Routes = field(repr=False, compare=False)

    @property
    def farthest(self) -> float:
        """The largest distance of a class of either side to the nearest class of the other side."""
        return self.farthest_pairs[0].distance

    @property
    def farthest_pairs(self) -> list[SpecificPair]:
        """The pairs at the distance `farthest`: a class and its nearest class on the other side."""
        nearest: dict[tuple[str, str], float] = {}
        for pair in self.paths.pairs:
            for key in _ends(pair):
                nearest[key] = min(pair.distance, nearest.get(key, pair.distance))
        most = max(nearest.values())
        return [
            pair
            for pair in self.paths.pairs
            if pair.distance == most and most in (nearest[key] for key in _ends(pair))
        ]

    def total(self, part: str) -> float:
        """Return the sum of "up", "down" or "height" over all pairs."""
        return float(sum(getattr(way, part) for way in self.ways))


def up_and_down(instance: Instance) -> SpecificPaths:
    """Return the paths between all most specific classes, split at the LCA (Dekel et al. 2004).

    With the option `path="ancestor"` the two parts of a path add up to its distance, also in a DAG.
    """
    paths, h = shortest_path(instance), instance.hierarchy
    ways = tuple(Way.of(h, pair.predicted, pair.true) for pair in paths.pairs)
    return SpecificPaths(paths, ways, h.depth, Routes(h, paths.routes))


# the most terms of a formula, and the most terms that still have room for class names
_MOST_SHOWN, _MOST_NAMED = (8, 4)


def _terms(pairs: Iterable[Any], part: str) -> str:
    """Return a sum over the first few pairs in LaTeX, with class names if there is room."""
    numbers = [(number(getattr(each, part)), each) for each in pairs]
    shown = [term for term, _ in numbers[:_MOST_SHOWN]]
    if len(numbers) <= _MOST_NAMED:
        text = cat.latex_text
        shown = [
            rf"\underbrace{{{n}}}_{{{text(each.predicted)},\,{text(each.true)}}}"
            for n, each in numbers
        ]
    marked = (mark_term(f"{part}{k}", term) for k, term in enumerate(shown))
    return " + ".join(marked) + (r" + \cdots" if len(numbers) > _MOST_SHOWN else "")


def explain_paths(paths: ShortestPaths, options: Options) -> Mapping[str, Term]:
    """Return the terms of the distances between all pairs."""
    return {
        "distance": Term.of("compared", {*paths.predicted, *paths.true}),
        **{
            f"distance{k}": Term(
                f"From {pair.predicted} to {pair.true}: {number(pair.distance)}",
                frozenset({pair.predicted, pair.true}),
            )
            for k, pair in enumerate(paths.pairs)
        },
    }


def explain_ways(built: SpecificPaths, options: Options) -> Mapping[str, Term]:
    """Return the terms of the parts of all paths."""
    lcas = frozenset(a for way in built.ways for a in way.lcas)
    farthest = {c for pair in built.farthest_pairs for c in (pair.predicted, pair.true)}
    found = {
        "up": Term.of("on a path up", lcas.union(built.paths.predicted)),
        "down": Term.of("on a path down", lcas.union(built.paths.true)),
        "height": Term.of("at which two of them meet", lcas),
        "farthest": Term.of("in the pairs that are farthest from the other side", farthest),
    }
    for k, way in enumerate(built.ways):
        meet = named(way.lcas)
        up, down = (f"from {way.predicted} up to {meet}", f"from {meet} down to {way.true}")
        found[f"up{k}"] = Term(f"{up}: {number(way.up)}", frozenset({way.predicted, *way.lcas}))
        found[f"down{k}"] = Term(f"{down}: {number(way.down)}", frozenset({way.true, *way.lcas}))
    return found


def _sentences(paths: ShortestPaths, shown: Iterable[str]) -> str:
    """Return a sentence about the first few pairs. It notes empty sides and omitted classes."""
    sides = (("predicted", paths.predicted_empty), ("true", paths.true_empty))
    notes = [f"the {side} side is empty and counts as the root" for side, empty in sides if empty]
    if dropped := paths.true_dropped | paths.predicted_dropped:
        notes.append(f"left out as ancestors of another class of their set: {named(dropped)}")
    sentence = write_list(list(shown), _MOST_SHOWN, len(paths.pairs), mark="; ")
    return ". ".join(capitalize(part) for part in (sentence, *notes)) + "."


def derive_total_distance(paths: ShortestPaths, value: float, options: Options) -> Derivation:
    """Return the derivation of the sum of distances."""
    pairs = paths.pairs
    said = (
        f"the distance from {p.predicted} to {p.true} is {number(p.distance)}"
        for p in pairs[:_MOST_SHOWN]
    )
    formula = mark_term("distance", r"\sum d(\hat{y}, y)")
    latex = f"{formula} = {_terms(pairs, 'distance')} = {number(value)}"
    return Derivation(latex, _sentences(paths, said))


def _part(part: str, symbol: str, words: str) -> Mapping[str, Any]:
    """Return the formula of a part of all paths, and its derivation."""

    def derive(built: SpecificPaths, value: float, options: Options) -> Derivation:
        shown = built.ways[:_MOST_SHOWN]
        said = (
            words.format(way=way, lcas=named(way.lcas), n=number(getattr(way, part)))
            for way in shown
        )
        total = mark_term(part, rf"\sum {symbol}")
        latex = f"{total} = {_terms(built.ways, part)} = {number(value)}"
        return Derivation(latex, _sentences(built.paths, said))

    formula = rf"\sum_{{\hat{{y}} \in \hat{{Y}}^{{\mathrm{{spe}}}},\, y \in Y^{{\mathrm{{spe}}}}}} {symbol}"
    return {"read": lambda c, options: getattr(c, part), "formula": formula, "derive": derive}


def derive_height(built: SpecificPaths, value: float, options: Options) -> Derivation:
    """Return the derivation of the mean height of the LCAs."""
    said = (
        f"{way.predicted} and {way.true} meet at {named(way.lcas)}, at height {number(way.height)}"
        if way.predicted != way.true
        else f"{way.true} meets itself and counts 0"
        for way in built.ways[:_MOST_SHOWN]
    )
    height = mark_term("height", number(built.total("height")))
    most = rf"{len(built.ways)} \cdot {built.highest}"
    return Derivation(
        f"{fraction(height, most)} = {number(value)}",
        f"{_sentences(built.paths, said)} The height of the hierarchy is {built.highest}.",
    )


def derive_hop_accuracy(built: SpecificPaths, value: float, options: Options) -> Derivation:
    """Return the derivation of the hop-k accuracy."""
    far, k = number(built.farthest), number(options.hops)
    said = (
        f"the distance from {p.predicted} to {p.true} is {number(p.distance)}"
        for p in built.paths.pairs[:_MOST_SHOWN]
    )
    within = "at most" if value else "more than"
    return Derivation(
        rf"[{mark_term('farthest', far)} \le {k}] = {number(value)}",
        f"{_sentences(built.paths, said)} The largest distance of a class to its nearest class on "
        f"the other side is {far}. This is {within} {k}.",
    )


def changes(before: ShortestPaths, after: ShortestPaths, options: Options) -> list[str]:
    """Describe the distances that changed."""

    def said(pair: SpecificPair) -> str:
        return f"{pair.predicted} to {pair.true} ({number(pair.distance)})"

    parts = cat.gone_and_new(before.pairs, after.pairs, ("no longer summed", "summed now"), said)
    dropped = [paths.true_dropped | paths.predicted_dropped for paths in (before, after)]
    if new := dropped[1] - dropped[0]:
        parts.append(
            f"now left out as ancestors of another class of their side: "
            f"{named(new, cat.MOST_NAMED)}"
        )
    return parts


def changed_ways(before: SpecificPaths, after: SpecificPaths, options: Options) -> list[str]:
    """Describe the paths that changed."""

    def said(way: Way) -> str:
        return f"{way.predicted} to {way.true} ({number(way.up)} up to {named(way.lcas)}, {number(way.down)} down)"

    parts = cat.gone_and_new(before.ways, after.ways, ("no longer a path", "a path now"), said)
    return parts or changes(before.paths, after.paths, options)


_FAMILY = cat.Family(
    key="paths",
    title="Shortest path",
    description="The distance between the most specific predicted and true classes, and its parts.",
    rank=6,
    exercises=("SP",),
)
SHORTEST_PATH = Structure(
    key="shortest_path",
    family=_FAMILY,
    build=shortest_path,
    terms=explain_paths,
    view="distances",
    changes=changes,
    columns=("distance",),
    meanings=("sum of the distances between most specific classes",),
    row=lambda paths, options: (paths.total,),
    whole=False,
)
WAYS = Structure(
    key="ways",
    family=_FAMILY,
    build=up_and_down,
    terms=explain_ways,
    view="distances",
    changes=changed_ways,
    columns=("up", "down", "height", "pairs", "highest", "farthest"),
    meanings=(
        "from predicted classes up to the lowest common ancestors",
        "from there down to the true classes",
        "heights of the lowest common ancestors",
        "pairs of a predicted and a true class",
        "height of the hierarchy",
        "largest distance of a class to its nearest class on the other side",
    ),
    row=lambda built, options: (
        *map(built.total, ("up", "down", "height")),
        len(built.ways),
        built.highest,
        built.farthest,
    ),
    whole=False,
)


def mean_height(c: Any, options: Options) -> Any:
    """Return the mean height of the LCAs, divided by the hierarchy's height.

    A hierarchy with only a root gives 0.
    """
    most = c.pairs * c.highest
    return cat.ratio(c.height, most, options, agree=most == 0, perfect=0.0)


def within_hops(c: Any, options: Options) -> Any:
    """Return 1 if every class is within `hops` of its nearest class on the other side, else 0."""
    return c.farthest <= options.hops * (1 + 1e-9)  # rounding depends on the order of the sum


_OPTIONS = (*EDGE_WEIGHTS, "max_ancestor_distance")
_SPLIT: Mapping[str, Any] = {
    **cat.LOSS,
    "structure": WAYS,
    "perfect_varies": True,
    "by_default": False,
    "source": cited(
        "@dekel2004 (tree-induced error) and @plaud2024, split at the lowest common ancestor"
    ),
    "options": _OPTIONS,
}

MEASURES = (
    Measure(
        **cat.LOSS,
        **cat.names("SP", "shortest_path_error", r"\mathrm{SP}", "Shortest path"),
        structure=SHORTEST_PATH,
        perfect_varies=True,
        read=lambda c, options: c.distance,
        formula=r"\sum_{\hat{y} \in \hat{Y}^{\mathrm{spe}},\, y \in Y^{\mathrm{spe}}} d(\hat{y}, y)",
        derive=derive_total_distance,
        description="The length of the shortest path between the most specific predicted and "
        "true class. With several classes it is the sum over all pairs.",
        source=cited("@plaud2024, Section 3.1 and footnote 8"),
        options=("path", *_OPTIONS),
    ),
    Measure(
        **_SPLIT,
        **cat.names(
            "SP_up",
            "shortest_path_up_error",
            r"\mathrm{SP}_{\mathrm{up}}",
            "Shortest path, part up",
        ),
        **_part(
            "up",
            r"d(\hat{y}, \mathrm{lca}(\hat{y}, y))",
            "the distance from {way.predicted} up to {lcas} is {n}",
        ),
        description="The length of the path from the prediction up to the lowest common ancestor: "
        "the wrong part of the prediction. It is 0 if the prediction is the true class or one of "
        "its ancestors. With one class on each side, SP and TIE are the sum of the path up and the "
        "path down. With several LCAs in a DAG it is the mean over them. With several classes it "
        "is the sum over all pairs, as in SP.",
    ),
    Measure(
        **_SPLIT,
        **cat.names(
            "SP_down",
            "shortest_path_down_error",
            r"\mathrm{SP}_{\mathrm{down}}",
            "Shortest path, part down",
        ),
        **_part(
            "down",
            r"d(\mathrm{lca}(\hat{y}, y), y)",
            "the distance from {lcas} down to {way.true} is {n}",
        ),
        description="The length of the path from the lowest common ancestor down to the true "
        "class: the missing part of the prediction. It is 0 if the prediction is the true class "
        "or one of its descendants. The rest of SP is the path up.",
    ),
    Measure(
        **cat.names("LCA_height", "lca_height_error", r"h_{\mathrm{LCA}}", "Height of the LCA"),
        structure=WAYS,
        better="lower",
        pooled="never",
        perfect_varies=True,
        by_default=False,
        read=mean_height,
        formula=r"\frac{\mathrm{height}(\mathrm{lca}(\hat{y}, y))}{\mathrm{height}(\mathrm{root})}",
        derive=derive_height,
        description="The height of the lowest common ancestor, divided by the hierarchy's height. "
        "The height is the length of the longest path down to a leaf. The value is 0 if the "
        "predicted and the true class are equal. It is the mean over pairs of most specific "
        "classes, and over the LCAs of a DAG. The mistake severity of image classifiers is the "
        "mean over the wrong instances, without the division. Its published values use the depth "
        "minus the level of the ancestor (`hiermeasures curves`).",
        source=cited("@bertinetto2020, Section 2; @deng2010"),
        options=_OPTIONS,
    ),
    Measure(
        **cat.names("hop_accuracy", "hop_accuracy_score", r"\mathrm{Acc}_{k}", "Hop-k accuracy"),
        structure=WAYS,
        pooled="never",
        by_default=False,
        read=within_hops,
        formula=r"[d(\hat{y}, y) \le k]",
        derive=derive_hop_accuracy,
        description="1 if the predicted class is at most k edges (option hops) from the true "
        "class, else 0. With several classes, each most specific class must be that near to a "
        "class on the other side.",
        source="adapted from the hop-based scores of Cellarium",
        options=("hops", "path", *_OPTIONS),
    ),
)
