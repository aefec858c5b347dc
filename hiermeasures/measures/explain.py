"""`explain`: every measure of one instance, with the structure and the sentence behind each number.

A structure is built when it is first needed, and values are read off it. The array engine evaluates
whole files (hiermeasures.evaluation). Tests compare its values with those of this module.

Both begin with the hierarchy that the options ask for: with weights of classes and edges, and cut
at a distance (the long distance problem, Kosmopoulos et al. 2015, Section 3.5). Every family treats
the cut hierarchy like any other.
"""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise, product
from typing import Any, Generic, Unpack

from hiermeasures.hierarchy.errors import InputError, check_known, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options, Settings
from hiermeasures.hierarchy.package import StillPicture, notebook_outputs
from hiermeasures.measures.catalogue import (
    Derivation,
    Instance,
    Measure,
    Path,
    Structure,
    T,
    Term,
    named,
)
from hiermeasures.measures.confusion import CONFUSION
from hiermeasures.measures.counts import COUNTS
from hiermeasures.measures.lca import LCA
from hiermeasures.measures.own import NOTHING, find_measure, own_measures
from hiermeasures.measures.pairs import PAIRINGS, PairingNetwork
from hiermeasures.measures.paths_and_ranks import caution
from hiermeasures.measures.registry import CATALOGUE, STRUCTURES
from hiermeasures.measures.sets import AUGMENTED, DESCENDANTS, FLAT, H_LOSS
from hiermeasures.measures.shortest_path import SHORTEST_PATH


def apply_weights(hierarchy: Hierarchy, options: Options) -> Hierarchy:
    """Return the hierarchy with the class weights and edge weights that the options ask for.

    If edges get the weights of classes, these must be positive and not too different. Otherwise it
    raises InputError.
    """
    found = apply_class_weights(hierarchy, options)
    if options.edge_weights == "given":
        return found
    return found.with_weights(options.edge_weights, options.weight_base)


def apply_class_weights(hierarchy: Hierarchy, options: Options) -> Hierarchy:
    """Return the hierarchy with the class weights that the options ask for.

    Information is counted over true labels. It raises InputError if the hierarchy has no such
    counts.
    """
    asked = options.class_weights
    if asked == "one":
        return hierarchy if hierarchy.class_weights is None else hierarchy.with_class_weights(None)
    if asked == "leaves" or asked == "depth":
        return hierarchy.with_class_weights(asked)
    if asked == "information" and hierarchy.class_weights is None:
        raise InputError(
            "information is counted over the true labels of many instances: evaluate them, or "
            "give the hierarchy the weights of hiermeasures.evaluation.information"
        )
    return hierarchy


def cut_at_distance(instance: Instance) -> Instance:
    """Return the instance in a hierarchy that reaches up to `max_ancestor_distance` above its
    classes.

    Ancestors beyond that distance k of every class are cut. A true and a predicted class may then
    be left without a common ancestor. In this case one artificial ancestor joins them, no farther
    than k from each. An ancestor at distance k itself stays only if it already joins a true and a
    predicted class. Example: Figure 17(b) is Figure 17(a) with k = 2. Without such a pair the
    hierarchy is only cut, and a virtual root joins several tops. Everything below a class stays as
    it is.
    """
    k = instance.options.max_ancestor_distance
    if k is None:
        return instance
    if instance.true_paths is not None or instance.predicted_paths is not None:
        raise InputError(
            "max_ancestor_distance cuts the hierarchy, so paths cannot be given; leave out one "
            "of the two"
        )
    h, sides = instance.hierarchy, (instance.true, instance.predicted)
    within = {
        c: {a: d for a, d in h.up(c).items() if d <= k} for c in instance.true | instance.predicted
    }
    apart = [(t, p) for t, p in product(*sides) if within[t].keys().isdisjoint(within[p])]
    if not apart and all(len(within[c]) == len(h.up(c)) for c in within):
        return instance
    kept = {a for ways in within.values() for a in ways} or {h.root}
    if apart:  # those stay that are nearer than k to a label, or within k of one on each side
        reached = [{a for c in side for a in within[c]} for side in sides]
        kept &= {a for ways in within.values() for a, d in ways.items() if d < k} | (
            reached[0] & reached[1]
        )
    kept = kept.union(*(h.descendants(c) for c in within))
    edges = [(p, c, h.weight(p, c)) for c in kept for p in h.parents(c) if p in kept]
    if apart:
        edges += _joining(h, within, {c for pair in apart for c in pair}, kept, float(k))
    edges.sort(key=lambda e: (h.index(e[0]) if e[0] in h else -1, h.index(e[1])))
    cut = Hierarchy.from_edges(edges, sorted(kept, key=h.index))
    if h.class_weights is not None:
        places = [h.index(c) if c in h else None for c in cut.nodes]
        cut = cut.with_class_weights(
            [[0.0 if k is None else row[k] for k in places] for row in h.class_weights]
        )
    return replace(instance, hierarchy=cut, uncut=h)


def _joining(
    h: Hierarchy, within: dict[str, dict[str, float]], lonely: set[str], kept: set[str], k: float
) -> list[tuple[str, str, float]]:
    """Return edges from the artificial ancestor to where a way up reaches k, and to every other
    top.
    """
    zero = "0"  # as the paper calls it, primed where a class has that name
    while zero in h:
        zero += "′"
    joined: dict[str, float] = {}
    for c in lonely:
        up = h.up(c)
        for a, d in within[c].items():
            if d < k and (a == h.root or any(up[p] >= k for p in h.parents(a))):
                joined[a] = min(joined.get(a, k), k - d)
    for a in kept:
        if a not in joined and not any(p in kept for p in h.parents(a)):
            joined[a] = 1.0
    return [(zero, a, w) for a, w in joined.items()]


_clock = getattr(time, "thread_time", time.perf_counter)  # a browser has no clock of one thread


class _Kept(Generic[T]):
    """A structure of an explanation as an attribute."""

    def __init__(self, structure: Structure[T]) -> None:
        self.structure = structure

    def __get__(self, explanation: "Explanation", owner: Any = None) -> T:
        return explanation.built(self.structure)


class Explanation(Mapping[str, float]):
    """Values by measure key, with the structures they were read from. `explain` makes it.

    `defined` are own measures, by name. An undefined value is nan, and its derivation says why.
    Example: the tree-induced error of two predicted classes and one true class. `spent` is the
    processor time of its structures so far, in seconds.
    """

    def __init__(
        self, given: Hierarchy, instance: Instance, defined: Mapping[str, Measure] = NOTHING
    ) -> None:
        self.given = given
        self.instance = instance
        self.defined = defined
        self._structures: dict[str, Any] = {}
        self._rows: dict[str, Any] = {}
        self._values: dict[str, float] = {}
        self.spent = 0.0

    @property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy that measures saw, with weights and cut as the options ask."""
        return self.instance.hierarchy

    @property
    def true(self) -> frozenset[str]:
        return self.instance.true

    @property
    def predicted(self) -> frozenset[str]:
        return self.instance.predicted

    @property
    def options(self) -> Options:
        return self.instance.options

    def structure(self, name: str) -> Any:
        """Return the structure with a name in STRUCTURES."""
        check_known("structure", name, STRUCTURES)
        return self.built(STRUCTURES[name])

    def built(self, structure: Structure[T]) -> T:
        """Return a structure of this instance. It is built at the first call."""
        if structure.key not in self._structures:
            start = _clock()
            self._structures[structure.key] = structure.build(self.instance)
            self.spent += _clock() - start
        made: T = self._structures[structure.key]
        return made

    def has_built(self, structure: Structure[Any]) -> bool:
        """Return whether a structure is already built, so that reading values takes no time."""
        return structure.key in self._structures

    def __getitem__(self, key: str) -> float:
        if key not in self._values:
            self._values[key] = self.value(self.measure(key))
        return self._values[key]

    def value(self, measure: Measure) -> float:
        """Return the value of a measure, which need not be in the catalogue."""
        return float(measure.value(self._tables(measure), self.options))

    def caution(self, key: str) -> str:
        """The reason why a value would mislead with these labels; empty if it would not."""
        measure = self.measure(key)
        return caution(measure, self._tables(measure))

    def _tables(self, measure: Measure) -> Mapping[str, Any]:
        """Return the rows that a measure reads, by the names of their tables."""
        for table, (structure, options) in measure.reads(self.options).items():
            if table not in self._rows:
                self._rows[table] = structure.read(self.built(structure), options)
        return self._rows

    def __iter__(self) -> Iterator[str]:
        return chain(CATALOGUE, self.defined)

    def __len__(self) -> int:
        return len(CATALOGUE) + len(self.defined)

    def measure(self, key: str) -> Measure:
        """Return the measure with a key, like `find_measure`."""
        return find_measure(key, self.defined)

    def derivation(self, key: str) -> Derivation:
        """Return the formula of a measure with this instance's numbers, and its sentence."""
        return self.derive(self.measure(key))

    def terms(self, key: str) -> Mapping[str, Term]:
        """Return what the terms in the derivation of a measure stand for, by their keys.

        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
        >>> explain(h, {"B"}, {"C"}).terms("hF")["shared"].words
        '1 class in both sets: A'
        """
        measure = self.measure(key)
        built = self.built(measure.structure)
        return measure.structure.terms(built, measure.settled(self.options))

    def derive(self, measure: Measure) -> Derivation:
        """Return the derivation of a measure that need not be in the catalogue."""
        evidence = measure.evidence(self.built, self._tables(measure), self.options)
        return measure.derive(evidence, self.value(measure), measure.settled(self.options))

    def drawing(self, view: str | None = None, *, measure: str | None = None) -> StillPicture:
        """Return a still picture. Notebooks show it, and it has `svg` and `tikz`.

        Parameters
        ----------
        view : str, optional
            A view of the app: "classes", "ancestors" (the default), "descendants", "lca",
            "pairing", "confusion", "counts" or "distances".
        measure : str, optional
            The measure whose structure is drawn; without a view, in the first that draws it.

        Raises
        ------
        InputError
            For an unknown view or measure.

        Examples
        --------
        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
        >>> explain(h, {"B"}, {"C"}).drawing(measure="hF")
        Drawing(A hierarchy of 3 classes. True: B. Predicted: C. Ancestor of both: A.)
        """
        found: StillPicture = notebook_outputs().drawing_of_explanation(self, view, measure)
        return found

    def __repr__(self) -> str:
        sides = f"true {{{named(self.true)}}}, predicted {{{named(self.predicted)}}}"
        return f"Explanation({sides}, {len(self)} measures, {self.hierarchy!r})"

    def __str__(self) -> str:
        return str(self._repr_mimebundle_(include={"text/plain"})["text/plain"])

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        found: dict[str, str] = notebook_outputs().show_explanation(self, include, exclude)
        return found

    # The structures by the names people use.

    flat = _Kept(FLAT)
    """The label sets as they are."""
    augmented = _Kept(AUGMENTED)
    """The sets augmented by ancestors."""
    descendants = _Kept(DESCENDANTS)
    """The sets augmented by descendants."""
    h_loss = _Kept(H_LOSS)
    """The sets augmented by ancestors, without errors that follow from an error above."""
    lca = _Kept(LCA)
    """Best matches, LCA sets, and the extended and minimal LCA graphs."""
    confusion = _Kept(CONFUSION)
    """The hierarchical confusion matrix, cell by cell."""
    counts = _Kept(COUNTS)
    """The CoPHE counts per class and level."""
    shortest_path = _Kept(SHORTEST_PATH)
    """The most specific classes and the distances between them."""

    def pairing(self, name: str) -> PairingNetwork:
        """Return the solved flow network of "TIE", "all_pairs", "GIE", "MGIA" or "own"."""
        check_known("pairing", name, PAIRINGS)
        return self.built(PAIRINGS[name])


def explain(
    hierarchy: Hierarchy,
    true: Iterable[str],
    predicted: Iterable[str],
    *,
    true_paths: Sequence[Sequence[str]] | None = None,
    predicted_paths: Sequence[Sequence[str]] | None = None,
    define: Mapping[str, str] | None = None,
    exact_work: int | None = None,
    options: Options | None = None,
    **settings: Unpack[Settings],
) -> Explanation:
    """Return every measure of one instance, with the structures behind the values.

    Parameters
    ----------
    hierarchy : Hierarchy
    true, predicted : iterable of str
        The true and the predicted classes; either may be empty.
    true_paths, predicted_paths : sequence of paths, optional
        For the hierarchical confusion matrix in a DAG. A path is a sequence of classes from the
        root down, each a parent of the next. By default paths are derived from the labels (option
        `path_derivation`).
    define : mapping of str to str, optional
        Own measures, expressions by name: `{"mine": "0.5*hF + 0.5*F_LCA", "cost:lower": "GIE /
        len_P"}`; see docs/expressions.md.
    exact_work : int, optional
        The most steps of `solver="exact"`, 4,000,000 by default (about ten seconds). If they are
        not enough, the sentences of the LCA measures say so.
    options : Options, optional
        Or as keyword arguments: `explain(h, {"T1"}, {"P1"}, dmax=3)`.

    Returns
    -------
    Explanation

    Raises
    ------
    InputError
        For a class that is not in the hierarchy, an unknown option, or a value out of range.

    Examples
    --------
    Figure 11(a) of Kosmopoulos et al. 2015:

    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> x = explain(h, true={"T1"}, predicted={"P1", "P2"})
    >>> x["hP"], round(x["hF"], 3), x["SDL"]
    (0.5, 0.571, 3.0)
    >>> sorted(x.augmented.shared)
    ['A', 'B']
    """
    chosen = (
        options
        if isinstance(options, Options) and not settings
        else Options.make(options, **settings)
    )
    instance = Instance(
        hierarchy,
        true=hierarchy.check(true),
        predicted=hierarchy.check(predicted),
        options=chosen,
        true_paths=None
        if true_paths is None
        else tuple(checked_path(hierarchy, p) for p in true_paths),
        predicted_paths=None
        if predicted_paths is None
        else tuple(checked_path(hierarchy, p) for p in predicted_paths),
        exact_work=exact_work,
    )
    return explain_instance(instance, own_measures(define or {}))


def explain_instance(instance: Instance, defined: Mapping[str, Measure] = NOTHING) -> Explanation:
    """Return the explanation of an instance as it is."""
    weighted = replace(instance, hierarchy=apply_weights(instance.hierarchy, instance.options))
    return Explanation(instance.hierarchy, cut_at_distance(weighted), defined)


def checked_path(hierarchy: Hierarchy, path: Sequence[str]) -> Path:
    """Return a path from the root down, in which each class is a parent of the next. Any other path
    raises InputError.
    """
    labels = tuple(hierarchy.nodes[hierarchy.index(c)] for c in path)
    if not labels or labels[0] != hierarchy.root:
        found = f"starts at {shown(labels[0])}" if labels else "is empty"
        raise InputError(f"a path starts at the root {shown(hierarchy.root)}; this one {found}")
    for above, below in pairwise(labels):
        hierarchy.weight(above, below)
    return labels
