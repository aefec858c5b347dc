"""`explain`: every measure of one instance, with the structure and the sentence behind each number.

A structure is built when it is first needed. Its numbers give the values. The array engine
evaluates whole files (hiermeasures.evaluation). Tests compare its values with those of this module.

Both start from the hierarchy that the options ask for. It has weights of classes and edges, and it
may be cut at a distance (the long distance problem, Kosmopoulos et al. 2015, Section 3.5). All
measures treat a cut hierarchy like any other.
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

    Raises
    ------
    InputError
        If the edges take the weights of classes, and a weight is not positive or the weights differ
        too much. Also if information is asked for without counts.
    """
    found = apply_class_weights(hierarchy, options)
    if options.edge_weights == "given":
        return found
    return found.with_weights(options.edge_weights, options.weight_base)


def apply_class_weights(hierarchy: Hierarchy, options: Options) -> Hierarchy:
    """Return the hierarchy with the class weights that the options ask for.

    Raises
    ------
    InputError
        For `class_weights="information"`, if the hierarchy has no weights. Information needs counts
        of true labels.
    """
    asked = options.class_weights
    if asked == "one":
        return hierarchy if hierarchy.class_weights is None else hierarchy.with_class_weights(None)
    if asked == "leaves" or asked == "depth":
        return hierarchy.with_class_weights(asked)
    if asked == "information" and hierarchy.class_weights is None:
        raise InputError(
            "class_weights='information' needs the true labels of many instances, and here is only "
            "one. Evaluate them all, or give the hierarchy the weights of "
            "hiermeasures.evaluation.information"
        )
    return hierarchy


def cut_at_distance(instance: Instance) -> Instance:
    """Cut the hierarchy of an instance at `max_ancestor_distance` (k) above its classes.

    Ancestors that are farther than k from every class are cut. If a true and a predicted class then
    have no common ancestor, one artificial ancestor joins them, at most k from each. An ancestor at
    exactly k stays only if it already joins a true and a predicted class. Example: Figure 17(b) is
    Figure 17(a) with k = 2. If every pair still has a common ancestor, the hierarchy is only cut. A
    virtual root then joins several tops. Everything below a class stays.

    Raises
    ------
    InputError
        If the instance has paths.
    """
    k = instance.options.max_ancestor_distance
    if k is None:
        return instance
    if instance.true_paths is not None or instance.predicted_paths is not None:
        raise InputError(
            "max_ancestor_distance cuts the hierarchy, so it cannot be combined with paths. Leave "
            "out one of the two"
        )
    h, sides = instance.hierarchy, (instance.true, instance.predicted)
    within = {
        c: {a: d for a, d in h.up(c).items() if d <= k} for c in instance.true | instance.predicted
    }
    apart = [(t, p) for t, p in product(*sides) if within[t].keys().isdisjoint(within[p])]
    if not apart and all(len(within[c]) == len(h.up(c)) for c in within):
        return instance
    kept = {a for ways in within.values() for a in ways} or {h.root}
    if apart:  # keep ancestors nearer than k to a label, or within k of a label on each side
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
    """Return the edges of the artificial ancestor: to the end of each cut path, and to each top."""
    zero = "0"  # the paper's name, with a prime if a class has that name
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
    """A descriptor that makes a structure an attribute of an explanation."""

    def __init__(self, structure: Structure[T]) -> None:
        self.structure = structure

    def __get__(self, explanation: "Explanation", owner: Any = None) -> T:
        return explanation.built(self.structure)


class Explanation(Mapping[str, float]):
    """The values of one instance by measure key, with their structures. `explain` returns it.

    An undefined value is nan, and its derivation explains why. Example: the tree-induced error of
    two predicted classes and one true class.

    Attributes
    ----------
    given : Hierarchy
        The hierarchy as you passed it.
    instance : Instance
    defined : mapping of str to Measure
        Own measures by name.
    spent : float
        The processor time for building structures so far, in seconds.

    See Also
    --------
    explain : Explain one instance.
    hiermeasures.evaluate : Evaluate many instances.
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
        """The hierarchy that the measures use, weighted and cut as the options ask."""
        return self.instance.hierarchy

    @property
    def true(self) -> frozenset[str]:
        """The true classes."""
        return self.instance.true

    @property
    def predicted(self) -> frozenset[str]:
        """The predicted classes."""
        return self.instance.predicted

    @property
    def options(self) -> Options:
        """The options."""
        return self.instance.options

    def structure(self, name: str) -> Any:
        """Return a structure by its key in STRUCTURES. It is built at the first call.

        Raises
        ------
        InputError
            For an unknown key.
        """
        check_known("structure", name, STRUCTURES)
        return self.built(STRUCTURES[name])

    def built(self, structure: Structure[T]) -> T:
        """Return a structure of this instance. It is built at the first call.

        See Also
        --------
        structure : Return a structure by its key.
        """
        if structure.key not in self._structures:
            start = _clock()
            self._structures[structure.key] = structure.build(self.instance)
            self.spent += _clock() - start
        made: T = self._structures[structure.key]
        return made

    def has_built(self, structure: Structure[Any]) -> bool:
        """Return true if a structure is already built. Its values then take no time."""
        return structure.key in self._structures

    def __getitem__(self, key: str) -> float:
        if key not in self._values:
            self._values[key] = self.value(self.measure(key))
        return self._values[key]

    def value(self, measure: Measure) -> float:
        """Return the value of a measure. It does not have to be in the catalogue."""
        return float(measure.value(self._tables(measure), self.options))

    def caution(self, key: str) -> str:
        """Return the reason why a value misleads with these labels, or "" if it does not."""
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
        """Return the measure with a key, an own measure included.

        Raises
        ------
        InputError
            For an unknown key, with the nearest one.

        See Also
        --------
        hiermeasures.measures.find_measure : Find a measure without an instance.
        """
        return find_measure(key, self.defined)

    def derivation(self, key: str) -> Derivation:
        """Return the formula of a measure with this instance's numbers, and a sentence.

        Parameters
        ----------
        key : str
            The key of a measure, or the name of an own one.

        Raises
        ------
        InputError
            For an unknown key.

        See Also
        --------
        terms : Explain the terms of the formula.

        Examples
        --------
        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
        >>> explain(h, {"B"}, {"C"}).derivation("hF").sentence
        'The two sides share 1 class; 1 missed, 1 spurious.'
        """
        return self.derive(self.measure(key))

    def terms(self, key: str) -> Mapping[str, Term]:
        """Explain the terms in the derivation of a measure.

        Returns
        -------
        mapping of str to Term
            By the key of the term, its meaning in words and its classes.

        Examples
        --------
        >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
        >>> explain(h, {"B"}, {"C"}).terms("hF")["shared"].words
        '1 class in both sets: A'
        """
        measure = self.measure(key)
        built = self.built(measure.structure)
        return measure.structure.terms(built, measure.settled(self.options))

    def derive(self, measure: Measure) -> Derivation:
        """Return the derivation of a measure. It does not have to be in the catalogue."""
        evidence = measure.evidence(self.built, self._tables(measure), self.options)
        return measure.derive(evidence, self.value(measure), measure.settled(self.options))

    def drawing(self, view: str | None = None, *, measure: str | None = None) -> StillPicture:
        """Return a still picture. Notebooks show it, and it has the methods `svg` and `tikz`.

        Parameters
        ----------
        view : str, optional
            A view of the app: "classes", "ancestors" (the default), "descendants", "lca",
            "pairing", "confusion", "counts" or "distances".
        measure : str, optional
            Draw the structure of this measure. Without `view`, its first view is used.

        Raises
        ------
        InputError
            For an unknown view or measure.

        See Also
        --------
        built : Return the structure that is drawn.

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

    # The structures under short names.

    flat = _Kept(FLAT)
    """The two label sets, unchanged."""
    augmented = _Kept(AUGMENTED)
    """The two sets with all ancestors."""
    descendants = _Kept(DESCENDANTS)
    """The two sets with all descendants."""
    h_loss = _Kept(H_LOSS)
    """The two sets with all ancestors, without errors below another error."""
    lca = _Kept(LCA)
    """Best matches, LCA sets, and the extended and minimal LCA graphs."""
    confusion = _Kept(CONFUSION)
    """The hierarchical confusion matrix, cell by cell."""
    counts = _Kept(COUNTS)
    """The CoPHE counts per class and level."""
    shortest_path = _Kept(SHORTEST_PATH)
    """The most specific classes and the distances between them."""

    def pairing(self, name: str) -> PairingNetwork:
        """Return the solved flow network of a pair-based measure.

        Parameters
        ----------
        name : "TIE", "all_pairs", "GIE", "MGIA" or "own"

        Returns
        -------
        PairingNetwork

        Raises
        ------
        InputError
            For another name.
        """
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
        The true and the predicted classes. Either side may be empty.
    true_paths, predicted_paths : sequence of paths, optional
        Paths for the hierarchical confusion matrix in a DAG. A path is a sequence of classes from
        the root down. Each class is a parent of the next. By default the paths are derived from the
        labels (option `path_derivation`).
    define : mapping of str to str, optional
        Your own measures: expressions by name, for example `{"mine": "0.5*hF + 0.5*F_LCA",
        "cost:lower": "GIE / len_P"}`. docs/expressions.md has the rules.
    exact_work : int, optional
        The largest number of steps for `solver="exact"`. The default is 4,000,000 (about ten
        seconds). If a search stops early, the sentences of the LCA measures tell you.
    options : Options, optional
        You can also pass options as keyword arguments: `explain(h, {"T1"}, {"P1"}, dmax=3)`.

    Returns
    -------
    Explanation
        It maps measure keys to values. Its attributes are the structures.

    Raises
    ------
    InputError
        If a class is not in the hierarchy, an option is unknown, or a value is out of range.

    See Also
    --------
    hiermeasures.evaluate : Evaluate many instances.
    explain_instance : Explain an instance that is already an `Instance`.

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
    """Return the explanation of an `Instance`. Its labels and paths are not checked.

    Parameters
    ----------
    instance : Instance
    defined : mapping of str to Measure, optional
        Own measures by name.

    Returns
    -------
    Explanation

    Raises
    ------
    InputError
        If the options cannot be applied to the hierarchy.

    See Also
    --------
    explain : Explain label sets, with checks.
    """
    weighted = replace(instance, hierarchy=apply_weights(instance.hierarchy, instance.options))
    return Explanation(instance.hierarchy, cut_at_distance(weighted), defined)


def checked_path(hierarchy: Hierarchy, path: Sequence[str]) -> Path:
    """Return a path as class names, after a check.

    Raises
    ------
    InputError
        If the path does not start at the root, or a class is not a parent of the next class.
    """
    labels = tuple(hierarchy.nodes[hierarchy.index(c)] for c in path)
    if not labels or labels[0] != hierarchy.root:
        found = f"starts at {shown(labels[0])}" if labels else "is empty"
        raise InputError(f"a path {found}. It must start at the root, {shown(hierarchy.root)}")
    for above, below in pairwise(labels):
        hierarchy.weight(above, below)
    return labels
