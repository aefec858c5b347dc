"""The hierarchical confusion matrix: four cells per predicted path, and their ratios.

The source is Riehl, Neunteufel, Hemberg 2023, Section IV. Paths come with the instance, or they are
derived from its labels. Every predicted path is compared with one true path. The structure has the
pairs of paths and the cell of each node. The nine measures of Table II use the summed counts.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, starmap
from typing import Any

from hiermeasures.hierarchy.elementwise import sqrt
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.refinement import Links, mix, refine, tell_apart
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import catalogue as cat
from hiermeasures.measures.catalogue import (
    Derivation,
    Instance,
    Measure,
    Path,
    Structure,
    T,
    Term,
    cited,
    mark_term,
    named,
    number,
    remove_marks,
)
from hiermeasures.measures.ratios import f1_precision_recall, ratios_of
from hiermeasures.measures.sets import SpecificClasses

# The weights of classes break ties, and are computed only then. A missing class weighs 0. Without
# any weight, the order of the hierarchy decides.
Weights = Callable[[], Mapping[str, int]]
TRUE, PREDICTED = 1 << 60, 1 << 61  # marks of labels and of given paths
WEIGHT_SHIFT = 26  # leaves 36 bits, so that sums of weights along a path fit into 62


@dataclass(frozen=True)
class PathCells:
    """One predicted path, its true path, and the four cells.

    The true path is None if no true class was left.
    """

    predicted_path: Path
    true_path: Path | None
    common_path: Path
    tp: frozenset[str]
    tn: frozenset[str]
    fp: frozenset[str]
    fn: frozenset[str]


@dataclass(frozen=True)
class HierarchicalConfusion:
    """The cells of every predicted path, in the order of matching, and the unmatched true classes.

    A node can count on several paths, because the counts are sums over the paths. `unmatched` has
    the shortest path to each true class without a predicted path. Its classes are false negatives.
    `derived` is the option `path_derivation`, or None if you gave the paths.
    """

    paths: tuple[PathCells, ...]
    unmatched: tuple[Path, ...]
    derived: str | None

    @property
    def tp(self) -> int:
        """The number of true positives."""
        return sum(len(cells.tp) for cells in self.paths)

    @property
    def tn(self) -> int:
        """The number of true negatives."""
        return sum(len(cells.tn) for cells in self.paths)

    @property
    def fp(self) -> int:
        """The number of false positives."""
        return sum(len(cells.fp) for cells in self.paths)

    @property
    def fn(self) -> int:
        """The number of false negatives."""
        return sum(len(cells.fn) for cells in self.paths) + sum(
            len(path) - 1 for path in self.unmatched
        )


def confusion(instance: Instance) -> HierarchicalConfusion:
    """Match every predicted path with a true class, and sort nodes into four cells.

    The steps are in Section IV, A–D. A true class has all paths that lead to it ("benevolent",
    Eqs. 5–6). A predicted path meets the class that shares the longest path from the root with it.
    Only the greedy derivation chooses one path for each class in advance.

    Step 3 takes the predicted paths by falling overlap with any true class. It has no rule for
    ties. By default, the path that shares most with the remaining classes comes first, then the
    shorter path. Several true classes may be equally near. The path then takes the class that the
    remaining paths share least with, then the class with the shorter path. Further ties are broken
    by structure (hiermeasures.hierarchy.refinement), so values never depend on names.

    With `path_ties="names"`, equal paths come by falling name, as in the authors' code. Equally
    near classes come in the order of `Hierarchy.numbered_by_name`, the longest name first. This
    reproduces the counts of the authors' GermEval 2019 evaluation to the last digit. One instance
    of Task B there excludes alphabetical order. By structure the counts differ by at most 10 TP, 85
    TN, 10 FP and 10 FN (Twistbytes, Task B: F1 0.6327 instead of 0.6320).
    """
    if instance.options.path_ties == "names":
        instance = replace(instance, hierarchy=instance.hierarchy.numbered_by_name)
    h, ties = instance.hierarchy, _Ties(instance)
    open_classes = _true_classes(instance, ties)
    predicted = list(_predicted_paths(instance, open_classes, ties))
    nearest = {
        path: max((c.shared(h, path) for c in open_classes), default=0) for path in predicted
    }
    cells = []
    while predicted:
        path = ties.next_path(predicted, nearest, open_classes)
        predicted.remove(path)
        if not open_classes:
            cells.append(PathCells(path, None, path[:1], *map(frozenset, ((), (), path[1:], ()))))
            continue
        best = ties.nearest_class(path, open_classes, predicted)
        open_classes.remove(best)
        cells.append(_compared(h, path, best.meeting(h, path, ties.weights), instance.options))
    derived = None if instance.predicted_paths is not None else instance.options.path_derivation
    return HierarchicalConfusion(tuple(cells), tuple(c.shortest for c in open_classes), derived)


@dataclass(frozen=True)
class _TrueClass:
    """A true class and its paths from the root: the `fixed` paths, or all if `fixed` is None."""

    label: str
    shortest: Path
    fixed: tuple[Path, ...] | None

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes of the fixed paths, once per path. Without fixed paths, only the class."""
        return (self.label,) if self.fixed is None else tuple(chain.from_iterable(self.fixed))

    def shared(self, h: Hierarchy, path: Path) -> int:
        """Return the number of nodes that a path shares with the best path to this class.

        The nodes are counted from the root.
        """
        if self.fixed is not None:
            return max(_prefix(way, path) for way in self.fixed)
        above = h.up(self.label)
        return next((k for k, c in enumerate(path) if c not in above), len(path))

    def meeting(self, h: Hierarchy, path: Path, weights: Weights) -> Path:
        """Return the path to this class that shares the longest start with another path.

        Ties go to a shortest path.
        """
        if self.fixed is not None:
            return _best_of(self.fixed, lambda way: (_prefix(way, path), -len(way)), tuple, weights)
        shared = path[: self.shared(h, path)]
        return shared[:-1] + _shortest_way(h, shared[-1], self.label, weights)


def _prefix(a: Path, b: Path) -> int:
    return next(
        (k for k, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b))
    )


def _compared(h: Hierarchy, predicted: Path, true: Path, options: Options) -> PathCells:
    """Return the four cells of Eq. 4.

    True negatives are the siblings of the common path, and the classes below its end.
    """
    common = predicted[: _prefix(predicted, true)]
    on_true, on_predicted = frozenset(true), frozenset(predicted)
    below = (
        frozenset(h.children(common[-1]))
        if options.negatives == "children"
        else h.descendants(common[-1])
    )
    neighbours = frozenset[str]().union(*(h.siblings(c) for c in common)) - on_true
    tn = neighbours | (below - on_true - on_predicted)
    return PathCells(
        predicted,
        true,
        common_path=common,
        tp=frozenset(common[1:]),
        tn=tn,
        fp=on_predicted - on_true,
        fn=on_true - on_predicted,
    )


def kind_of(h: Hierarchy, deep: bool, c: int) -> int:
    """Return a number that describes class number c: its level, parents and children.

    With `deep`, it also contains the number of descendants, because all of them can be negatives.
    """
    below = len(h.descendants(h.nodes[c])) if deep else 0
    return (
        (below << 32)
        + (h.rows.level[c] << 24)
        + (len(h.rows.parents(c)) << 16)
        + len(h.rows.children(c))
    )


class _Ties:
    """The order of equally good paths and classes: by structure, or by names as in the paper."""

    def __init__(self, instance: Instance) -> None:
        self.h = instance.hierarchy
        self.by_name = instance.options.path_ties == "names"
        self.labels = (instance.true, instance.predicted)
        self.paths = (instance.true_paths or (), instance.predicted_paths or ())
        self.deep = instance.options.negatives == "descendants"

    @cached_property
    def _weights(self) -> Mapping[str, int]:
        """A weight for each label and for each of its ancestors.

        If some classes look alike, common children of several classes also take part. A count of
        siblings contains such a child only once.
        """
        h = self.h
        labels = {h.root, *chain(*self.labels, *chain(*self.paths))}
        nodes = sorted({h.index(a) for c in labels for a in h.up(c)})
        colour, links = self._graph(nodes)
        if refine(colour, links) < len(colour) and not h.is_tree:
            times = Counter(c for a in nodes for c in h.rows.children(a))
            nodes += sorted({c for c, many in times.items() if many > 1}.difference(nodes))
            colour, links = self._graph(nodes)
        tell_apart(colour, links)
        return {h.nodes[c]: colour[k] >> WEIGHT_SHIFT for k, c in enumerate(nodes)}

    def _graph(self, nodes: Sequence[int]) -> tuple[list[int], Links]:
        """Return colours and links of a graph.

        The colours are first those of the classes, by kind, and then those of the given paths. The
        links lead from each node to the nodes below.
        """
        h, place = self.h, {c: k for k, c in enumerate(nodes)}
        kinds = [kind_of(h, self.deep, c) for c in nodes]
        edges = [
            (k, place[p]) for k, c in enumerate(nodes) for p in h.rows.parents(c) if p in place
        ]
        for mark, labels, paths in zip((TRUE, PREDICTED), self.labels, self.paths, strict=True):
            for c in {*labels, *chain(*paths)}:
                kinds[place[h.index(c)]] ^= mark
            for path in paths:
                edges += [(place[h.index(c)], len(kinds)) for c in path]
                kinds.append(mark)
        below, above = [low for low, _ in edges], [high for _, high in edges]
        return list(map(mix, kinds)), (below, above, [0] * len(edges))

    def weights(self) -> Mapping[str, int]:
        """Return the weights, or an empty mapping if names break ties."""
        return {} if self.by_name else self._weights

    def cover(self, side: int, others: Sequence[Path] = ()) -> tuple[Path, ...]:
        """Return the greedy cover of a side's labels. In a tree it does not depend on the order."""
        if self.by_name or self.h.is_tree:
            return greedy_cover(self.h, self.labels[side])
        above = frozenset(a for c in self.labels[1 - side] for a in self.h.up(c))
        return greedy_cover(self.h, self.labels[side], others, above, self.weights)

    def next_path(
        self, paths: Sequence[Path], nearest: Mapping[Path, int], open_classes: Sequence[_TrueClass]
    ) -> Path:
        if self.by_name:
            return max(paths, key=lambda p: (nearest[p], p))
        most = max(nearest[p] for p in paths)

        def key(path: Path) -> tuple[int, int]:
            return max((c.shared(self.h, path) for c in open_classes), default=0), -len(path)

        return _best_of([p for p in paths if nearest[p] == most], key, tuple, self.weights)

    def nearest_class(
        self, path: Path, open_classes: Sequence[_TrueClass], others: Sequence[Path]
    ) -> _TrueClass:
        shared = [c.shared(self.h, path) for c in open_classes]
        first = [c for c, many in zip(open_classes, shared, strict=True) if many == max(shared)]

        def key(c: _TrueClass) -> tuple[int, int]:
            return -max((c.shared(self.h, other) for other in others), default=0), -len(c.shortest)

        return first[0] if self.by_name else _best_of(first, key, lambda c: c.classes, self.weights)


def _best_of(
    candidates: Iterable[T],
    key: Callable[[T], Any],
    classes: Callable[[T], Iterable[str]],
    weights: Weights,
) -> T:
    """Return the candidate with the greatest key.

    Ties go to the candidate with the heaviest classes, then to the first one.
    """
    listed = list(candidates)
    if len(listed) == 1:
        return listed[0]
    keys = [key(c) for c in listed]
    best = [c for k, c in zip(keys, listed, strict=True) if k == max(keys)]
    if len(best) == 1:
        return best[0]
    weight = weights()
    return max(best, key=lambda c: sum(weight.get(x, 0) for x in classes(c)))


def _true_classes(instance: Instance, ties: _Ties) -> list[_TrueClass]:
    h = instance.hierarchy
    if instance.true_paths is not None:
        by_end: dict[str, list[Path]] = {}
        for path in sorted(
            instance.true_paths, key=lambda path: (h.index(path[-1]), list(map(h.index, path)))
        ):
            by_end.setdefault(path[-1], []).append(path)
        return [_TrueClass(end, min(ways, key=len), tuple(ways)) for end, ways in by_end.items()]
    if instance.predicted_paths is not None or instance.options.path_derivation == "benevolent":
        return [
            _TrueClass(c, _shortest_way(h, h.root, c, ties.weights), None)
            for c in _ends(h, instance.true)
        ]
    return [_TrueClass(path[-1], path, (path,)) for path in ties.cover(0)]


def _predicted_paths(
    instance: Instance, true_classes: Sequence[_TrueClass], ties: _Ties
) -> tuple[Path, ...]:
    h = instance.hierarchy
    if instance.predicted_paths is not None:
        return instance.predicted_paths
    if instance.options.path_derivation == "greedy":
        return ties.cover(1, [way for c in true_classes for way in c.fixed or ()])
    return tuple(
        _benevolent_path(h, c, true_classes, ties.weights) for c in _ends(h, instance.predicted)
    )


def _ends(h: Hierarchy, labels: frozenset[str]) -> tuple[str, ...]:
    return SpecificClasses.of(h, labels).or_root(h)


def _benevolent_path(
    h: Hierarchy, label: str, true_classes: Sequence[_TrueClass], weights: Weights
) -> Path:
    """Return the path to a predicted class that shares most with a path to a true class.

    Ties go to a shortest path. The shared start ends in a common ancestor, and it is as long as the
    longest path to that ancestor. So levels are enough to compare.
    """
    above = h.up(label)
    known = [way for c in true_classes for way in (c.fixed or ())]
    candidates = [
        way[: next((k for k, x in enumerate(way) if x not in above), len(way))] for way in known
    ]
    meeting = {x for c in true_classes if c.fixed is None for x in h.up(c.label) if x in above}
    candidates += [_longest_way(h, x, weights) for x in sorted(meeting, key=h.index)]
    paths = [
        shared[:-1] + _shortest_way(h, shared[-1], label, weights)
        for shared in candidates or [(h.root,)]
    ]

    def key(path: Path) -> tuple[int, int]:
        return max((c.shared(h, path) for c in true_classes), default=0), -len(path)

    return _best_of(dict.fromkeys(paths), key, tuple, weights)


def greedy_cover(
    h: Hierarchy,
    labels: Iterable[str],
    others: Sequence[Path] = (),
    above: frozenset[str] = frozenset(),
    weights: Weights = dict,
) -> tuple[Path, ...]:
    """Return paths from the root that cover labels.

    Each path covers as many open labels as possible. These rules break ties, in this order:

    - fewest classes
    - the path is also a path of the other side (`others`)
    - most classes on the paths of the other side
    - most classes at or above the other side's labels (`above`)
    - heaviest classes
    - first in the order of the hierarchy

    Without labels the result is the path that ends at the root.

    >>> h = Hierarchy.from_edges([("R", "A"), ("A", "D"), ("R", "B"), ("B", "D")])
    >>> greedy_cover(h, {"B", "D"})
    (('R', 'B', 'D'),)
    """
    on_paths = frozenset[str]().union(*others)
    open_labels = sorted(set(labels) - {h.root}, key=h.index)
    paths: list[Path] = []

    def held(path: Path) -> int:
        return sum(c in open_labels for c in path)

    while open_labels:
        path, tied = _richest(h, open_labels, on_paths, above, {})
        starts = (other[: len(path)] for other in others if len(other) >= len(path))
        same = next((s for s in starts if s[-1] in open_labels and held(s) == held(path)), None)
        if same:
            path = same
        elif tied and (weight := weights()):
            path, _ = _richest(h, open_labels, on_paths, above, weight)
        paths.append(path)
        open_labels = [c for c in open_labels if c not in path]
    return tuple(paths) or ((h.root,),)


def _richest(
    h: Hierarchy,
    open_labels: list[str],
    on_paths: frozenset[str],
    above: frozenset[str],
    weight: Mapping[str, int],
) -> tuple[Path, bool]:
    """Return the best path to any open label, and true if another path is equally good."""
    best: dict[str, tuple[tuple[int, ...], str | None, bool]] = {}

    def first_best(ends: Iterable[str]) -> tuple[tuple[int, ...], str | None, bool]:
        """Return the key of the best ends, the first of them, and true if its path broke a tie."""
        keys = [(best[c][0], c) for c in ends]
        if not keys:
            return (0, 0, 0, 0, 0), None, False
        key, end = max(keys, key=lambda e: e[0])
        return key, end, best[end][2] or sum(k == key for k, _ in keys) > 1

    for c in sorted({a for label in open_labels for a in h.up(label)}, key=h.index):
        (held, length, on, near, total), parent, choice = first_best(h.parents(c))
        on, near = on + (c in on_paths), near + (c in above)
        best[c] = (
            (held + (c in open_labels), length - 1, on, near, total + weight.get(c, 0)),
            parent,
            choice,
        )
    _, end, tied = first_best(open_labels)
    path = []
    while end is not None:
        path.append(end)
        end = best[end][1]
    return tuple(reversed(path)), tied


def _shortest_way(h: Hierarchy, top: str, bottom: str, weights: Weights) -> Path:
    """Return the shortest path down to a class.

    Ties go to the heaviest path, then to the first in the hierarchy's order.
    """
    below: dict[str, list[str]] = {bottom: []}
    front = [bottom]
    while top not in below:
        reached: dict[str, list[str]] = {}
        for c in front:
            for p in h.parents(c):
                if p not in below:
                    reached.setdefault(p, []).append(c)
        below |= reached
        front = list(reached)
    return _heaviest(top, below, weights)


def _longest_way(h: Hierarchy, label: str, weights: Weights) -> Path:
    """Return the longest path from the root to a class.

    Ties go to the heaviest path, then to the first in the hierarchy's order.
    """
    above = {c: [p for p in h.parents(c) if h.level(p) == h.level(c) - 1] for c in h.up(label)}
    return _heaviest(label, above, weights)[::-1]


def _heaviest(start: str, following: Mapping[str, list[str]], weights: Weights) -> Path:
    """Return the heaviest path from a class on. All candidates are equally long."""
    reached = [start]
    for c in reached:
        reached += [x for x in dict.fromkeys(following[c]) if x not in reached]
    weight = weights() if any(len(following[c]) > 1 for c in reached) else {}
    heaviest: dict[str, tuple[int, Path]] = {}
    for c in reversed(reached):
        most, way = max((heaviest[x] for x in following[c]), key=lambda w: w[0], default=(0, ()))
        heaviest[c] = most + weight.get(c, 0), (c, *way)
    return heaviest[start][1]


_RATIOS = ratios_of("TP", "FP", "FN")


def tnr(c: Any, options: Options) -> Any:
    """Return the true negative rate TN / (TN + FP)."""
    return cat.ratio(c.TN, c.TN + c.FP, options, agree=c.FN == 0)


def pt(c: Any, options: Options) -> Any:
    r"""Return the prevalence threshold (√(TPR (1 − TNR)) + TNR − 1) / (TPR + TNR − 1).

    If the denominator is 0, the value is `zero_division`.
    """
    sensitivity, specificity = _RATIOS.recall(c, options), tnr(c, options)
    whole = sensitivity + specificity - 1
    return cat.ratio(
        sqrt(sensitivity * (1 - specificity)) + specificity - 1,
        whole * (abs(whole) > 1e-12),
        options,
    )


def mcc(c: Any, options: Options) -> Any:
    """Return the Matthews correlation of the four cells."""
    tp, tn, fp, fn = (1.0 * cell for cell in c)  # the product of four sums is beyond int64
    whole = sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    return cat.ratio(tp * tn - fp * fn, whole, options, agree=(fp == 0) & (fn == 0))


def changes(
    before: HierarchicalConfusion, after: HierarchicalConfusion, options: Options
) -> list[str]:
    """Describe the compared paths and the cells that changed."""

    def against(pair: tuple[Path, Path | None]) -> str:
        predicted, true = pair
        return (
            f"the path to {predicted[-1]} with "
            f"{f'the path to {true[-1]}' if true else 'no true path'}"
        )

    was, now = (
        sorted(((c.predicted_path, c.true_path) for c in m.paths), key=against)
        for m in (before, after)
    )
    was_left, left = (
        sorted(matrix.unmatched, key=lambda path: path[-1]) for matrix in (before, after)
    )
    parts = cat.gone_and_new(was, now, ("gone", "new"), against)
    parts += cat.gone_and_new(
        left, was_left, ("now without a prediction", "now with a prediction"), lambda path: path[-1]
    )
    return parts + cat.changed_numbers(
        before, after, {cell: cell.upper() for cell in ("tp", "tn", "fp", "fn")}
    )


def explain_terms(matrix: HierarchicalConfusion, options: Options) -> Mapping[str, Term]:
    """Return the terms of the four cells, of each path's share in them, and of the two rates."""
    found, every = {}, {}
    for name in ("TP", "TN", "FP", "FN"):
        cells = [getattr(path, name.lower()) for path in matrix.paths]
        if name == "FN":
            cells += [frozenset(path[1:]) for path in matrix.unmatched]
        every[name] = frozenset(chain(*cells))
        found[name] = Term.of(f"counted as {name}", every[name])
        for k, cell in enumerate(cells):
            found[f"{name}{k}"] = Term.of(f"counted as {name} on one path", cell)
    for rate, (right, wrong) in {"TPR": ("TP", "FN"), "TNR": ("TN", "FP")}.items():
        classes = every[right] | every[wrong]
        found[rate] = Term.of(f"counted as {right} or {wrong}", classes)
    return found


CONFUSION = Structure(
    key="confusion",
    family=cat.Family(
        key="confusion",
        title="Hierarchical confusion",
        description="Predicted paths are compared with true paths. Every class near them counts in "
        "one of four cells.",
        rank=4,
        exercises=("HCM_F1", "HCM_PPV", "HCM_TPR", "HCM_ACC"),
    ),
    build=confusion,
    view="confusion",
    changes=changes,
    terms=explain_terms,
    columns=("TP", "TN", "FP", "FN"),
    meanings=("true positives", "true negatives", "false positives", "false negatives"),
    row=lambda matrix, options: (matrix.tp, matrix.tn, matrix.fp, matrix.fn),
)

_OPTIONS = ("negatives", "path_derivation", "path_ties", "max_ancestor_distance")
_TABLE: Mapping[str, Any] = {
    "source": cited("@riehl2023, Table II"),
    "options": (*_OPTIONS, "zero_division"),
}
_CELLS_OF_LATEX = re.compile(r"\\mathrm\{(T[PN]R|[TF][PN])\}")


def _upright(formula: str) -> str:
    """Return a formula with its cells and rates in upright type, each marked as a term."""
    return re.sub(
        "T[PN]R|[TF][PN]", lambda m: mark_term(m.group(), rf"\mathrm{{{m.group()}}}"), formula
    )


def _measure(name: str, function: str, title: str, description: str, **settings: Any) -> Measure:
    called = cat.names(f"HCM_{name}", f"hcm_{function}", rf"\mathrm{{{name}}}", f"HCM {title}")
    return Measure(
        **{**called, **settings}, structure=CONFUSION, description=description, pooled="always"
    )


def _cell(name: str, title: str, kind: str, better: str, description: str) -> Measure:
    """Return the measure that counts a cell. Classes of true paths without a prediction are FN."""

    def derive(matrix: HierarchicalConfusion, value: float, options: Options) -> Derivation:
        cells = [getattr(path, name.lower()) for path in matrix.paths]
        left = matrix.unmatched if name == "FN" else ()
        sentence = "; ".join(
            f"{' > '.join(path.predicted_path)}: {named(cell)}"
            for path, cell in zip(matrix.paths, cells, strict=True)
        )
        if left:
            sentence += f"; without a prediction: {named(path[-1] for path in left)}"
        total = (
            " + ".join(
                mark_term(f"{name}{k}", n)
                for k, n in enumerate((*map(len, cells), *(len(path) - 1 for path in left)))
            )
            or "0"
        )
        symbol = mark_term(name, rf"\mathrm{{{name}}}")
        return Derivation(f"{symbol} = {total} = {number(value)}", sentence + ".")

    return _measure(
        name,
        f"{title.replace(' ', '_')}_{kind}",
        title,
        description,
        symbol=rf"\mathrm{{{name}}}_H",
        better=better,
        high=None,
        read=lambda c, options: getattr(c, name),
        formula=rf"\sum_k \mathrm{{{name}}}_{{H,k}}",
        derive=derive,
        source=cited("@riehl2023, Section IV"),
        options=_OPTIONS,
    )


def _derived(formula: str) -> Callable[[HierarchicalConfusion, float, Options], Derivation]:
    def derive(matrix: HierarchicalConfusion, value: float, options: Options) -> Derivation:
        c = CONFUSION.read(matrix, options)
        numbers = c._asdict() | {
            "TPR": number(_RATIOS.recall(c, options)),
            "TNR": number(tnr(c, options)),
        }
        filled = _CELLS_OF_LATEX.sub(
            lambda m: str(numbers[m.group(1)]), formula.replace(r"2\,", r"2 \cdot ")
        )
        paths = write_count(len(matrix.paths), "predicted path")
        over = f"On {paths}: {c.TP} TP, {c.TN} TN, {c.FP} FP, {c.FN} FN."
        return Derivation(rf"{formula} = {filled} = {number(value)}", over)

    return derive


def _rate(
    name: str, function: str, title: str, description: str, *, formula: str, **settings: Any
) -> Measure:
    declared = {**_TABLE, "derive": _derived(formula), **settings}
    plain = remove_marks(formula)
    return _measure(name, function, title, description, formula=plain, **declared)


_CELLS = (
    (
        "TP",
        "true positives",
        "score",
        "higher",
        "The number of classes on both a predicted path and its true path.",
    ),
    (
        "TN",
        "true negatives",
        "score",
        "higher",
        "The number of siblings and children of the common paths that are rightly left out.",
    ),
    (
        "FP",
        "false positives",
        "error",
        "lower",
        "The number of classes on a predicted path but not on its true path.",
    ),
    (
        "FN",
        "false negatives",
        "error",
        "lower",
        "The number of classes on a true path but not on its predicted path.",
    ),
)

MEASURES = (
    *f1_precision_recall(
        structure=CONFUSION,
        ratios=_RATIOS,
        keys=("HCM_F1", "HCM_PPV", "HCM_TPR"),
        function="hcm",
        name="HCM {}",
        symbols=(r"F_1^{\mathrm{HCM}}", r"\mathrm{PPV}", r"\mathrm{TPR}"),
        derive=tuple(map(_derived, _RATIOS.marked)),
        descriptions=(
            "The harmonic mean of HCM precision and recall.",
            "The share of the classes on predicted paths that are right.",
            "The share of the classes on true paths that are found.",
        ),
        **_TABLE,
        pooled="always",
    ),
    _rate(
        "ACC",
        "accuracy_score",
        "accuracy",
        "The share of all counted classes that are TP or TN.",
        read=lambda c, options: cat.ratio(
            c.TP + c.TN, c.TP + c.TN + c.FP + c.FN, options, agree=True
        ),
        formula=_upright(r"\frac{TP + TN}{TP + TN + FP + FN}"),
    ),
    _rate(
        "MCC",
        "matthews_score",
        "Matthews correlation",
        "The correlation between predictions and truth over the four cells.",
        read=mcc,
        formula=_upright(
            r"\frac{TP \cdot TN - FP \cdot FN}{\sqrt{(TP + FP)(TP + FN)(TN + FP)(TN + FN)}}"
        ),
        low=-1.0,
    ),
    _rate(
        "TNR",
        "specificity_score",
        "specificity",
        "The share of the negatives (TN and FP) that are rightly left out.",
        read=tnr,
        formula=_upright(r"\frac{TN}{TN + FP}"),
    ),
    _rate(
        "FNR",
        "false_negative_rate_error",
        "false negative rate",
        "The share of the classes on true paths that are missed. Table II prints FP in the "
        "numerator. The right numerator is FN.",
        read=lambda c, options: cat.ratio(c.FN, c.FN + c.TP, options, agree=c.FP == 0, perfect=0.0),
        formula=_upright(r"\frac{FN}{FN + TP}"),
        better="lower",
        source=cited("@riehl2023, Table II, corrected"),
    ),
    _rate(
        "FPR",
        "false_positive_rate_error",
        "false positive rate",
        "The share of the negatives (TN and FP) that are predicted.",
        read=lambda c, options: cat.ratio(c.FP, c.FP + c.TN, options, agree=c.FN == 0, perfect=0.0),
        formula=_upright(r"\frac{FP}{FP + TN}"),
        better="lower",
    ),
    _rate(
        "PT",
        "prevalence_threshold_error",
        "prevalence threshold",
        "The prevalence below which precision drops sharply.",
        read=pt,
        formula=_upright(r"\frac{\sqrt{TPR\,(1 - TNR)} + TNR - 1}{TPR + TNR - 1}"),
        better="lower",
    ),
    *starmap(_cell, _CELLS),
)
