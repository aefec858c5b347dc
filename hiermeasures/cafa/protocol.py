"""The protocol of CAFA: scored terms of an ontology against the true ones of each target, at every
threshold.

Scores go up to the ancestors, namespaces are evaluated alone, and precision is averaged over the
targets that have a prediction, recall over all. What the files look like is read in
hiermeasures.formats; the sums over targets are a kernel's.
"""

import math
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import pandas as pd

from hiermeasures.cafa.sums import (
    STEP,
    SUMS,
    WEIGHTS,
    CafaReport,
    Grid,
    Normalisation,
    Propagation,
    columns_at,
    harmonic,
    thresholds,
)
from hiermeasures.core.errors import InputError, listed, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine.batch import Progress, Workers
from hiermeasures.engine.encode import EncodedLabels
from hiermeasures.engine.hierarchy_arrays import arrays_of, compressed_rows
from hiermeasures.engine.information import accretion
from hiermeasures.formats.annotations import Annotations
from hiermeasures.formats.ontology import Ontology
from hiermeasures.measures.catalogue import counted

_Scored = tuple[np.ndarray, np.ndarray, np.ndarray]  # compressed rows: where each target's begin, terms, scores
_Placed = Mapping[str, tuple[np.ndarray, np.ndarray, np.ndarray | None]]
"""Lines of a file by namespace: numbers of targets and terms, and scores."""
CHUNK = 512
"""Targets that a thread takes at a time: after each progress is told, and heard whether to stop.
Even with two thousand scores a target that is about once a second.
"""


def cafa_evaluate(
    ontology: Ontology,
    true: Annotations,
    predictions: Iterable[Annotations],
    *,
    information: Mapping[str, float] | None = None,
    normalisation: Normalisation = "cafa",
    propagation: Propagation = "max",
    orphans: bool = True,
    step: float = STEP,
    threads: int = 2,
    keep: bool = False,
    progress: Progress = lambda done, total: None,
    announce: Callable[[str], None] | None = None,
) -> CafaReport:
    """Precision, recall, misinformation and remaining uncertainty of each file at every threshold.

    Parameters
    ----------
    ontology : Ontology
        Its namespaces are evaluated alone. Targets of a namespace are those with a true term in it.
    true : Annotations
    predictions : iterable of Annotations
        With scores, one after the other. A target that has no true term in a namespace is left out
        there; of several scores of one term the highest counts.
    information : mapping from term to float, optional
        The weights of terms, not negative; a term without one weighs nothing. Without it nothing is
        weighted.
    normalisation : "cafa", "pred" or "gt"
    propagation : "max" or "fill"
    orphans : bool
        Whether terms without a parent count where all terms weigh the same.
    step : float
        Between thresholds.
    threads : int
    keep : bool
        Whether the report leads back to the targets: `scored`.
    progress : callable
        Called with how many targets of a file are done, and how many there are; namespace by
        namespace.
    announce : callable, optional
        Called with a sentence before kernels are compiled; by default it goes to the error stream.

    Raises
    ------
    InputError
        For a weight that is negative or no number, and where no true term, or no prediction, is in
        the ontology.

    Source: Radivojac et al. 2013; Clark and Radivojac 2013; Piovesan et al. 2024, whose evaluator's
    columns these are.
    """
    taus = thresholds(step)
    notes = [*ontology.notes, *_term_notes(true, ontology)]
    truth = _placed(true, ontology)
    weights = _checked_weights(information, ontology, truth, notes)
    spaces = _namespaces(ontology, true, truth, weights, orphans)
    if not spaces:
        raise InputError(f"{true.name}: none of its terms ({listed(true.terms, 3)}) is in the ontology")
    known = pd.Index(np.unique(np.concatenate([space.targets for space in spaces])))
    tables: dict[tuple[str, str], pd.DataFrame] = {}
    scored: dict[tuple[str, str], ScoredTargets] = {}
    names: set[str] = set()
    for file in predictions:
        if file.name in names:
            raise InputError(f"two files of predictions are called {shown(file.name)}")
        names.add(file.name)
        placed = _placed(file, ontology)
        rows = [(space, some) for space in spaces if (some := space.scored(file, placed)) is not None]
        notes += _file_notes(file, known, ontology, evaluated=bool(rows))
        for space, some in rows:
            targets = ScoredTargets(space, some, propagation == "fill", taus, threads)
            sums = targets.sums(progress, announce)
            tables[file.name, space.name] = columns_at(taus, sums, len(space.targets), normalisation)
            if keep:
                scored[file.name, space.name] = targets
    if not tables:
        why = "; ".join(notes[-3:])
        raise InputError("no file predicts a term of the ontology for a target with truth" + f" ({why})" * bool(why))
    for (name, ns), table in tables.items():
        table.insert(0, "filename", name)
        table.insert(1, "ns", ns)
    table = pd.concat(tables.values(), ignore_index=True)
    if table.empty:
        raise InputError(f"no score reaches the lowest threshold, {step:g}")
    return CafaReport(table, {space.name: len(space.targets) for space in spaces}, tuple(notes), scored)


def counted_information(ontology: Ontology, true: Annotations) -> dict[str, float]:
    """The information accretion of each term, in bits, counted over the targets with a true term in
    its namespace.

    Every term is counted once more, as CAFA's added dummy does; see
    `hiermeasures.engine.information`. Terms of a namespace without truth are left out.
    """
    found: dict[str, float] = {}
    for space in _namespaces(ontology, true, _placed(true, ontology), None, True):
        h = space.hierarchy
        rows = [np.unique(space.true_idx[a:b]) for a, b in pairwise(space.true_ptr)]
        ptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
        bits = accretion(h, EncodedLabels(ptr, np.concatenate(rows)), smoothing="dummy")
        found |= {h.nodes[k]: float(bits[k]) + 0.0 for k in range(h.virtual_root, len(h))}
    return found


def _placed(file: Annotations, ontology: Ontology) -> _Placed:
    terms = [_terms_of(ontology, str(term)) for term in file.terms]
    found = {}
    for namespace, h in ontology.namespaces.items():
        rows, numbers = _rows_of(file, terms, namespace, h, ontology)
        found[namespace] = (file.target[rows], numbers, None if file.score is None else file.score[rows])
    return found


def _rows_of(
    file: Annotations, terms: list[tuple[str, ...]], namespace: str, h: Hierarchy, ontology: Ontology
) -> tuple[np.ndarray, np.ndarray]:
    """The lines of a namespace, with their terms' numbers; one that means several is repeated."""
    most = max(map(len, terms), default=0)
    rows, numbers = [], []
    for k in range(most):
        number = np.full(len(terms), -1, np.int32)
        for i, found in enumerate(terms):
            if k < len(found) and ontology.namespace_of[found[k]] == namespace:
                number[i] = h.index(found[k])
        here = number[file.term]
        chosen = np.flatnonzero(here >= 0)
        rows.append(chosen)
        numbers.append(here[chosen])
    if not rows:
        return np.zeros(0, np.int64), np.zeros(0, np.int32)
    return np.concatenate(rows), np.concatenate(numbers)


def _checked_weights(
    information: Mapping[str, float] | None, ontology: Ontology, truth: _Placed, notes: list[str]
) -> Mapping[str, float] | None:
    """The finite weights of the ontology's terms; a term's own goes before an alternative id's."""
    if information is None:
        return None
    for term, weight in information.items():
        if weight < 0 or weight != weight:
            raise InputError(f"the weight of {shown(term)} is {weight:g}; a weight is a number and not negative")
        if 0 < weight < WEIGHTS[0] or WEIGHTS[1] < weight < math.inf:
            raise InputError(
                f"the weight of {shown(term)} is {weight:g}; one that counts is from {WEIGHTS[0]:g} to {WEIGHTS[1]:g}"
            )
    own = ontology.namespace_of
    by_id = sorted(information.items(), key=lambda item: item[0] in own)
    known = {t: w for term, w in by_id for t in _terms_of(ontology, term)}
    if unknown := [term for term in information if not _terms_of(ontology, term)]:
        notes.append(f"weights of {counted(len(unknown), 'unknown or obsolete term')} ({listed(unknown, 3)}) left out")
    if endless := [term for term, weight in known.items() if weight == float("inf")]:
        notes.append(f"infinite weights of {counted(len(endless), 'term')} ({listed(endless, 3)}) taken as 0")
    if missing := [term for term, namespace in own.items() if len(truth[namespace][0]) and term not in known]:
        notes.append(f"{counted(len(missing), 'term')} without a weight ({listed(missing, 3)}) weighed as 0")
    return {term: 0.0 if weight == float("inf") else float(weight) for term, weight in known.items()}


def _namespaces(
    ontology: Ontology, true: Annotations, truth: _Placed, weights: Mapping[str, float] | None, orphans: bool
) -> list["_Namespace"]:
    """The namespaces in which some target has a true term."""
    found = []
    for name, h in ontology.namespaces.items():
        target, term, _ = truth[name]
        present, numbers = np.unique(target, return_inverse=True)
        if len(present):
            ptr, terms, _ = compressed_rows(len(present), numbers, term)
            found.append(_Namespace(name, h, true.targets[present], ptr, terms, _weightings(h, weights, orphans)))
    return found


def _weightings(h: Hierarchy, information: Mapping[str, float] | None, orphans: bool) -> np.ndarray:
    alike = np.ones(len(h))
    if not orphans:
        alike[[h.index(top) for top in (h.children(h.root) if h.virtual_root else (h.root,))]] = 0
    rows = [alike]
    if information is not None:
        rows.append(np.array([information.get(label, 0.0) for label in h.nodes]))
    weights = np.array(rows)
    if h.virtual_root:
        weights[:, 0] = 0
    return weights


@dataclass(frozen=True, eq=False)
class _Namespace:
    """A namespace, its targets, their true terms as compressed rows, and (weightings, terms)."""

    name: str
    hierarchy: Hierarchy
    targets: np.ndarray
    true_ptr: np.ndarray
    true_idx: np.ndarray
    weights: np.ndarray

    @cached_property
    def grid(self) -> Grid:
        return Grid.of(self.weights)

    def scored(self, file: Annotations, placed: _Placed) -> _Scored | None:
        """The scores for its targets as compressed rows; None if there are none."""
        target, term, score = placed[self.name]
        if score is None:
            raise InputError(f"{file.name}: predictions need a score")
        place = pd.Index(self.targets).get_indexer(pd.Index(file.targets))[target]
        chosen = np.flatnonzero(place >= 0)
        if not len(chosen):
            return None
        ptr, chosen, _ = compressed_rows(len(self.targets), place[chosen], chosen)
        return ptr, term[chosen], score[chosen]


@dataclass(frozen=True, eq=False)
class ScoredTargets:
    """The targets of a namespace, with the predictions of a file for them."""

    space: _Namespace
    scored: _Scored
    fill: bool
    taus: np.ndarray
    threads: int

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """The namespace; it weighs its terms where they are weighted."""
        h, weights = self.space.hierarchy, self.space.weights
        return h.with_class_weights(weights[1]) if len(weights) > 1 else h

    def at(self, tau: float, *, weighted: bool = False, progress: Progress = lambda done, total: None) -> pd.DataFrame:
        """Each target alone at a threshold, by its name: `number` (which `terms` takes), tp, mi,
        ru, pr, rc, f and s = √(mi² + ru²), those with the largest s first.
        """
        parts = self._parts(np.array([self._threshold(tau)]), each=True, progress=progress)
        digits = np.concatenate(parts)
        tp, mi, ru, pr, rc, _ = self.space.grid.single(digits)[:, int(weighted), 0].T
        values = {"tp": tp, "mi": mi, "ru": ru, "pr": pr, "rc": rc, "f": harmonic(pr, rc), "s": np.hypot(mi, ru)}
        table = pd.DataFrame({"number": np.arange(len(tp))} | values, index=pd.Index(self.space.targets, name="target"))
        return table.sort_values("s", ascending=False, kind="stable")

    def terms(self, number: int, tau: float) -> tuple[frozenset[str], frozenset[str]]:
        """The true terms of a target, and those whose score, carried up, reaches a threshold."""
        h, threshold = self.space.hierarchy, self._threshold(tau)
        begin, end = self.space.true_ptr[number : number + 2]
        true = self._carried(dict.fromkeys(self.space.true_idx[begin:end].tolist(), 1.0))
        ptr, terms, scores = self.scored
        own: dict[int, float] = {}
        for k in range(ptr[number], ptr[number + 1]):
            own[int(terms[k])] = max(own.get(int(terms[k]), 0.0), float(scores[k]))
        predicted = {c for c, score in self._carried(own).items() if score >= threshold}
        labels = (frozenset(h.nodes[c] for c in side if c or not h.virtual_root) for side in (true, predicted))
        return next(labels), next(labels)

    def _carried(self, own: Mapping[int, float]) -> dict[int, float]:
        """The scores of terms and of all above them, whose numbers are smaller."""
        h, a = self.space.hierarchy, arrays_of(self.space.hierarchy)
        below: dict[int, float] = {}
        found: dict[int, float] = {}
        for c in sorted({h.index(above) for term in own for above in h.up(h.nodes[term])}, reverse=True):
            mine = own.get(c, 0.0)
            found[c] = mine if self.fill and mine > 0 else max(mine, below.get(c, 0.0))
            for parent in a.parent_idx[a.parent_ptr[c] : a.parent_ptr[c + 1]].tolist():
                below[parent] = max(below.get(parent, 0.0), found[c])
        return found

    def _threshold(self, tau: float) -> float:
        """Return the threshold that the table has for τ, or τ itself if it has none."""
        nearest = float(self.taus[np.abs(self.taus - tau).argmin()])
        return nearest if abs(nearest - tau) < 1e-9 else tau

    def sums(self, progress: Progress, announce: Callable[[str], None] | None) -> np.ndarray:
        """The sums over all targets (weightings, thresholds, 6), each rounded once."""
        parts = self._parts(self.taus, progress=progress, announce=announce)
        return self.space.grid.rounded(np.sum([part[0].astype(np.int64) for part in parts], axis=0))

    def _parts(
        self,
        taus: np.ndarray,
        *,
        each: bool = False,
        progress: Progress = lambda done, total: None,
        announce: Callable[[str], None] | None = None,
    ) -> list[np.ndarray]:
        """Return the kernel's sums (rows, weightings, thresholds, sums, digits), chunk by chunk of
        targets: a row for all of a chunk, or one for each.
        """
        from hiermeasures.engine.kernels.scored_terms import sums_of_targets

        space, a = self.space, arrays_of(self.space.hierarchy)
        fixed = ((a.parent_ptr, a.parent_idx), (space.true_ptr, space.true_idx), self.scored, self.fill, taus)
        found: dict[int, np.ndarray] = {}

        def part(begin: int, end: int, stop: threading.Event) -> None:
            out = np.zeros((end - begin if each else 1, len(space.weights), len(taus), SUMS, space.grid.digits))
            sums_of_targets(begin, end, *fixed, space.weights, space.grid.scales, out)
            found[begin] = out

        workers = Workers(max(self.threads, 1), CHUNK, progress, announce)
        workers.run(len(space.targets), [part], progress=True)
        return [found[begin] for begin in sorted(found)]


def _file_notes(file: Annotations, known: pd.Index, ontology: Ontology, *, evaluated: bool) -> Iterator[str]:
    """Report omitted parts of a file; `known` are the targets with truth."""
    yield from _term_notes(file, ontology)
    left = file.targets[known.get_indexer(pd.Index(file.targets)) < 0].tolist()  # `isin` takes ten times as long
    if left:
        yield f"{file.name}: {counted(len(left), 'target')} without truth ({listed(left, 3)}) left out"
    if not evaluated:
        yield f"{file.name}: no prediction for a target with truth; not evaluated"


def _term_notes(file: Annotations, ontology: Ontology) -> Iterator[str]:
    """Name terms that are unknown, obsolete or renamed."""
    kinds: dict[str, list[int]] = {"unknown term": [], "obsolete term": [], "alternative id": []}
    for i, term in enumerate(map(str, file.terms)):
        if term not in ontology.namespace_of:
            known = "obsolete term" if term in ontology.obsolete else "unknown term"
            kinds["alternative id" if _terms_of(ontology, term) else known].append(i)
    times = np.bincount(file.term, minlength=len(file.terms))
    for kind, places in kinds.items():
        if places:
            names = listed([str(file.terms[i]) for i in places], 3)
            end = "read as the terms they stand for" if kind == "alternative id" else "left out"
            lines = counted(int(times[places].sum()), "line")
            yield f"{file.name}: {lines} with {counted(len(places), kind)} ({names}) {end}"


def _terms_of(ontology: Ontology, term: str) -> tuple[str, ...]:
    """The terms that an id stands for; none if it is unknown or obsolete."""
    return (term,) if term in ontology.namespace_of else ontology.alternative.get(term, ())
