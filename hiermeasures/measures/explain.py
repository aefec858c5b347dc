"""`explain`: every measure of one instance, with the structure and the sentence behind each number.

Structures are built when first asked for and kept; a value is read off its structure. Whole files
are the array engine's work (hiermeasures.engine), which is held to what is defined here.
"""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any, Unpack

from hiermeasures.core.errors import InputError, check_known, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.core.option_types import Settings
from hiermeasures.core.options import Options
from hiermeasures.core.renderers import Drawing, renderer_of
from hiermeasures.measures.apply_options import apply_weights, cut_at_distance
from hiermeasures.measures.catalogue import Derivation, Instance, Measure, Path, Structure, T, named
from hiermeasures.measures.confusion import CONFUSION, HierarchicalConfusion
from hiermeasures.measures.counts import COUNTS, CountsTable
from hiermeasures.measures.declared import CATALOGUE, STRUCTURES
from hiermeasures.measures.lca import LCA
from hiermeasures.measures.lca_structure import LCAGraphs
from hiermeasures.measures.own import own_measures
from hiermeasures.measures.pairs import PAIRINGS, PairingNetwork
from hiermeasures.measures.registry import NOTHING, find_measure
from hiermeasures.measures.sets import AUGMENTED, DESCENDANTS, FLAT, H_LOSS, SetOverlap
from hiermeasures.measures.shortest_path import SHORTEST_PATH, ShortestPaths

_clock = getattr(time, "thread_time", time.perf_counter)  # a browser has no clock of one thread


class Explanation(Mapping[str, float]):
    """Values by measure key, and the structures they were read from. Made by `explain`. `defined`
    are own measures, by their names.

    An undefined value (such as the tree-induced error of two predicted classes and one true) is
    nan, and its derivation says why. `spent` is how many seconds of processor time its structures
    have taken so far.
    """

    def __init__(self, given: Hierarchy, instance: Instance, defined: Mapping[str, Measure] = NOTHING) -> None:
        self.given = given
        self.instance = instance
        self.defined = defined
        self._structures: dict[str, Any] = {}
        self._rows: dict[str, Any] = {}
        self._values: dict[str, float] = {}
        self.spent = 0.0

    @property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy as the measures saw it: with the weights, and cut at the distance, that the
        options ask for.
        """
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
        """The structure of a name in STRUCTURES."""
        check_known("structure", name, STRUCTURES)
        return self.built(STRUCTURES[name])

    def built(self, structure: Structure[T]) -> T:
        """A structure of this instance, built on first use."""
        if structure.key not in self._structures:
            start = _clock()
            self._structures[structure.key] = structure.build(self.instance)
            self.spent += _clock() - start
        made: T = self._structures[structure.key]
        return made

    def has_built(self, structure: Structure[Any]) -> bool:
        """True where a structure is there already, so that values are read off it at once."""
        return structure.key in self._structures

    def __getitem__(self, key: str) -> float:
        if key not in self._values:
            self._values[key] = self.value(self.measure(key))
        return self._values[key]

    def value(self, measure: Measure) -> float:
        """The value of a measure, which need not be in the catalogue."""
        return float(measure.value(self._tables(measure), self.options))

    def caution(self, key: str) -> str:
        """The reason why a value would mislead with these labels; empty where it would not."""
        measure = self.measure(key)
        return measure.caution(self._tables(measure), self.options)

    def _tables(self, measure: Measure) -> Mapping[str, Any]:
        """The rows that a measure reads, by the names of their tables."""
        for table, (structure, options) in measure.reads(self.options).items():
            if table not in self._rows:
                self._rows[table] = structure.read(self.built(structure), options)
        return self._rows

    def __iter__(self) -> Iterator[str]:
        return chain(CATALOGUE, self.defined)

    def __len__(self) -> int:
        return len(CATALOGUE) + len(self.defined)

    def measure(self, key: str) -> Measure:
        """The measure of a key, as `find_measure` does."""
        return find_measure(key, self.defined)

    def derivation(self, key: str) -> Derivation:
        """The formula of a measure with this instance's numbers, and the sentence that goes with
        it.
        """
        return self.derive(self.measure(key))

    def derive(self, measure: Measure) -> Derivation:
        """The same for a measure that need not be in the catalogue."""
        evidence = measure.evidence(self.built, self._tables(measure), self.options)
        return measure.derive(evidence, self.value(measure), measure.settled(self.options))

    def drawing(self, view: str | None = None, *, measure: str | None = None) -> Drawing:
        """A still picture, which a notebook shows and which has `svg` and `tikz`.

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
        return renderer_of(Explanation).draw(self, view, measure)

    def __repr__(self) -> str:
        sides = f"true {{{named(self.true)}}}, predicted {{{named(self.predicted)}}}"
        return f"Explanation({sides}, {len(self)} measures, {self.hierarchy!r})"

    def __str__(self) -> str:
        return str(self._repr_mimebundle_(include={"text/plain"})["text/plain"])

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> dict[str, str]:
        return renderer_of(Explanation).show(self, include, exclude)

    # The structures by the names people use.

    @property
    def flat(self) -> SetOverlap:
        """The label sets as they are."""
        return self.built(FLAT)

    @property
    def augmented(self) -> SetOverlap:
        """The sets augmented by ancestors."""
        return self.built(AUGMENTED)

    @property
    def descendants(self) -> SetOverlap:
        """The sets augmented by descendants."""
        return self.built(DESCENDANTS)

    @property
    def h_loss(self) -> SetOverlap:
        """The sets augmented by ancestors, without errors that follow from an error above."""
        return self.built(H_LOSS)

    @property
    def lca(self) -> LCAGraphs:
        """Best matches, LCA sets, and the extended and minimal LCA graphs."""
        return self.built(LCA)

    def pairing(self, name: str) -> PairingNetwork:
        """The solved flow network of "TIE", "all_pairs", "GIE", "MGIA" or "own"."""
        check_known("pairing", name, PAIRINGS)
        return self.built(PAIRINGS[name])

    @property
    def confusion(self) -> HierarchicalConfusion:
        """The hierarchical confusion matrix, cell by cell."""
        return self.built(CONFUSION)

    @property
    def counts(self) -> CountsTable:
        """The CoPHE counts per class and level."""
        return self.built(COUNTS)

    @property
    def shortest_path(self) -> ShortestPaths:
        """The most specific classes and the distances between them."""
        return self.built(SHORTEST_PATH)


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
    """Every measure of one instance, and the structures behind the values.

    Parameters
    ----------
    hierarchy : Hierarchy
    true, predicted : iterable of str
        The true and the predicted classes; either may be empty.
    true_paths, predicted_paths : sequence of paths, optional
        For the hierarchical confusion matrix in a DAG: each path is a sequence of classes from the
        root down, every one a parent of the next. Without them paths are derived from the labels
        (option `path_derivation`).
    define : mapping of str to str, optional
        Own measures, expressions by name: `{"mine": "0.5*hF + 0.5*F_LCA", "cost:lower": "GIE /
        len_P"}`; see docs/expressions.md.
    exact_work : int, optional
        The most steps that `solver="exact"` may take, 4,000,000 by default (about ten seconds);
        where they do not suffice, the sentences of the LCA measures say so.
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
    chosen = options if isinstance(options, Options) and not settings else Options.make(options, **settings)
    instance = Instance(
        hierarchy,
        true=hierarchy.check(true),
        predicted=hierarchy.check(predicted),
        options=chosen,
        true_paths=_checked_paths(hierarchy, true_paths),
        predicted_paths=_checked_paths(hierarchy, predicted_paths),
        exact_work=exact_work,
    )
    weighted = replace(instance, hierarchy=apply_weights(hierarchy, chosen))
    return Explanation(hierarchy, cut_at_distance(weighted), own_measures(define or {}))


def explain_instance(instance: Instance) -> Explanation:
    """`explain` of an instance as it is."""
    i = instance
    return explain(
        i.hierarchy,
        i.true,
        i.predicted,
        true_paths=i.true_paths,
        predicted_paths=i.predicted_paths,
        exact_work=i.exact_work,
        options=i.options,
    )


def _checked_paths(hierarchy: Hierarchy, paths: Sequence[Sequence[str]] | None) -> tuple[Path, ...] | None:
    if paths is None:
        return None
    return tuple(checked_path(hierarchy, path) for path in paths)


def checked_path(hierarchy: Hierarchy, path: Sequence[str]) -> Path:
    """A path from the root down, each class a parent of the next; else an InputError."""
    labels = tuple(hierarchy.nodes[hierarchy.index(c)] for c in path)
    if not labels or labels[0] != hierarchy.root:
        found = f"starts at {shown(labels[0])}" if labels else "is empty"
        raise InputError(f"a path starts at the root {shown(hierarchy.root)}; this one {found}")
    for above, below in pairwise(labels):
        hierarchy.weight(above, below)
    return labels
