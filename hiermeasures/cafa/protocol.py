"""The protocol of CAFA: scored terms of an ontology against the true ones of each target, at every
threshold.

Scores go up to the ancestors, namespaces are evaluated alone, and precision is averaged over the
targets that have a prediction, recall over all. What the files look like is read in
hiermeasures.formats; the sums over targets are a kernel's.
"""

import math
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from hiermeasures.cafa.sums import (
    FN,
    STEP,
    SUMS,
    WEIGHTS,
    CafaPartial,
    CafaReport,
    CafaSettings,
    Grid,
    Normalisation,
    Propagation,
    SpaceSums,
    harmonic,
    thresholds,
)
from hiermeasures.core.errors import InputError, listed, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.engine.batch import Progress, Workers
from hiermeasures.engine.encode import EncodedLabels
from hiermeasures.engine.exact import integers, sum_of_fields
from hiermeasures.engine.hierarchy_arrays import arrays_of, compressed_rows
from hiermeasures.engine.information import accretion
from hiermeasures.formats.annotations import Annotations
from hiermeasures.formats.ontology import Ontology
from hiermeasures.measures.catalogue import counted

_Scored = tuple[np.ndarray, np.ndarray, np.ndarray]  # compressed rows: where each target's begin, terms, scores
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
    run = CafaRun.of(
        ontology, true, information=information, normalisation=normalisation, propagation=propagation, orphans=orphans,
        step=step, threads=threads, progress=progress, announce=announce,
    )  # fmt: skip
    part, kept = run.with_targets(true).over(predictions, keep)
    return replace(part.report(), scored=kept)


def cafa_partial(
    ontology: Ontology, true: Annotations, predictions: Iterable[Annotations], **settings: Any
) -> CafaPartial:
    """CAFA's sums over some of the targets: a result that joins with those over the others
    (`hiermeasures.merge`).

    However the targets are cut into parts, the report of all parts joined is, to the last bit, that
    of one `cafa_evaluate` over all. What is kept does not grow with the number of targets.

    Parameters
    ----------
    ontology : Ontology
    true : Annotations
        Of targets that no other part has. They may have no true term in the ontology.
    predictions : iterable of Annotations
        For these targets; those for others are left out. A file goes by one name in all parts, and
        may be missing where it has nothing.
    settings :
        What else `cafa_evaluate` takes but `keep`, the same for all parts.

    Raises
    ------
    InputError
        For a weight that is negative, no number, or neither 0 nor from 1e-100 to 1e100; for two
        files of one name.
    """
    return CafaRun.of(ontology, true, **settings).over(predictions, False)[0]


@dataclass(frozen=True, eq=False)
class CafaRun:
    """An evaluation of some targets: the namespaces with truth of them; no `notes`: be silent."""

    ontology: Ontology
    spaces: tuple["_Namespace", ...]
    settings: CafaSettings
    notes: tuple[str, ...] | None
    threads: int = 2
    progress: Progress = lambda done, total: None
    announce: Callable[[str], None] | None = None

    @classmethod
    def of(
        cls,
        ontology: Ontology,
        true: Annotations,
        *,
        information: Mapping[str, float] | None = None,
        normalisation: Normalisation = "cafa",
        propagation: Propagation = "max",
        orphans: bool = True,
        step: float = STEP,
        **work: Any,
    ) -> "CafaRun":
        thresholds(step)
        notes = list(ontology.notes)
        notes += term_notes(true.name, times_of(true, ontology), ontology)
        truth = _Placed.of(true, ontology)
        weights = _checked_weights(information, ontology, truth, notes)
        spaces = tuple(
            _Namespace.of(name, h, truth, weights, orphans)
            for name, h in ontology.namespaces.items()
            if truth.has(name)
        )
        settings = CafaSettings(normalisation, propagation, orphans, step, _digest(weights))
        return cls(ontology, spaces, settings, tuple(notes), **work)

    def with_targets(self, true: Annotations) -> "CafaRun":
        """The same; InputError where no true term is in the ontology."""
        if not self.spaces:
            raise InputError(f"{true.name}: none of its terms ({listed(true.terms, 3)}) is in the ontology")
        return self

    @property
    def known(self) -> np.ndarray:
        """The names of the targets with truth in some namespace, sorted."""
        return np.unique(np.concatenate([space.targets for space in self.spaces])) if self.spaces else np.zeros(0, str)

    def of_targets(self, chosen: Mapping[str, np.ndarray]) -> "CafaRun":
        """Return a copy with some targets, by their places in each namespace, without notes."""
        spaces = (space.of_targets(chosen[space.name]) for space in self.spaces)
        return replace(self, spaces=tuple(space for space in spaces if len(space.targets)), notes=None)

    def over(
        self, predictions: Iterable[Annotations], keep: bool
    ) -> tuple[CafaPartial, dict[tuple[str, str], "ScoredTargets"]]:
        """The sums for each file, and the way back to the targets where it is to be kept."""
        notes, kept = list(self.notes or ()), {}
        files: list[str] = []
        sums: dict[str, dict[str, np.ndarray]] = {}
        whole: dict[str, np.ndarray] = {}
        known = pd.Index(self.known)
        for file in predictions:
            if file.name in files:
                raise InputError(f"two files of predictions are called {shown(file.name)}")
            files.append(file.name)
            placed = _Placed.of(file, self.ontology)
            scores = [(space, scored) for space in self.spaces if (scored := space.scored(placed)) is not None]
            if self.notes is not None:
                notes += Noticed.of(file, known, self.ontology).notes(file.name, self.ontology, evaluated=bool(scores))
            for space, scored in scores:
                targets = self._targets(space, scored)
                each, whole[space.name] = self._sums(targets)
                sums.setdefault(file.name, {})[space.name] = each
                if keep:
                    kept[file.name, space.name] = targets
        for space in self.spaces:
            if space.name not in whole:
                whole[space.name] = self._sums(self._targets(space, space.nothing()))[1]
        counts = {s.name: SpaceSums(len(s.targets), whole[s.name], s.grid) for s in self.spaces}
        return CafaPartial(
            self.ontology, self.settings, counts, files=tuple(files), sums=sums, notes=tuple(notes)
        ), kept

    def _targets(self, space: "_Namespace", scored: _Scored) -> "ScoredTargets":
        taus = thresholds(self.settings.step)
        return ScoredTargets(space, scored, self.settings.propagation == "fill", taus, self.threads)

    def _sums(self, targets: "ScoredTargets") -> tuple[np.ndarray, np.ndarray]:
        """The sums (weightings, thresholds, 6), false negatives less all true weights; and this."""
        taus = np.append(targets.taus, np.inf)
        parts = targets.parts(taus, progress=self.progress, announce=self.announce)
        sums = integers(sum(part[0].astype(np.int64) for part in parts))
        whole = sums[:, -1, FN].copy()
        sums[..., FN] -= whole[:, None]
        return sums[:, :-1], whole


def _digest(weights: Mapping[str, float] | None) -> str | None:
    """The same for equal weights, and different for others."""
    if weights is None:
        return None
    return sha256(repr(sorted((term, weight) for term, weight in weights.items() if weight)).encode()).hexdigest()


def counted_information(ontology: Ontology, true: Annotations) -> dict[str, float]:
    """The information accretion of each term, in bits, counted over the targets with a true term in
    its namespace.

    Every term is counted once more, as CAFA's added dummy does; see
    `hiermeasures.engine.information`. Terms of a namespace without truth are left out.
    """
    truth = _Placed.of(true, ontology)
    found: dict[str, float] = {}
    for name, h in ontology.namespaces.items():
        if truth.has(name):
            space = _Namespace.of(name, h, truth, None, True)
            rows = [np.unique(space.true_idx[a:b]) for a, b in pairwise(space.true_ptr)]
            ptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
            bits = accretion(h, EncodedLabels(ptr, np.concatenate(rows)), smoothing="dummy")
            found |= {h.nodes[k]: float(bits[k]) + 0.0 for k in range(h.virtual_root, len(h))}
    return found


# --- names to numbers ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Placed:
    """Names of targets, and per namespace their numbers, those of terms, and scores."""

    name: str
    targets: np.ndarray
    lines: Mapping[str, tuple[np.ndarray, np.ndarray, np.ndarray | None]]

    def has(self, namespace: str) -> bool:
        return len(self.lines[namespace][0]) > 0

    @classmethod
    def of(cls, file: Annotations, ontology: Ontology) -> "_Placed":
        terms = [terms_of(ontology, str(term)) for term in file.terms]
        lines: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray | None]] = {}
        for namespace, h in ontology.namespaces.items():
            rows, numbers = _rows_of(file, terms, namespace, h, ontology)
            lines[namespace] = (file.target[rows], numbers, None if file.score is None else file.score[rows])
        return cls(file.name, file.targets, lines)


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
    known = {t: w for term, w in by_id for t in terms_of(ontology, term)}
    if unknown := [term for term in information if not terms_of(ontology, term)]:
        notes.append(f"weights of {counted(len(unknown), 'unknown or obsolete term')} ({listed(unknown, 3)}) left out")
    if endless := [term for term, weight in known.items() if weight == float("inf")]:
        notes.append(f"infinite weights of {counted(len(endless), 'term')} ({listed(endless, 3)}) taken as 0")
    if missing := [term for term, namespace in own.items() if truth.has(namespace) and term not in known]:
        notes.append(f"{counted(len(missing), 'term')} without a weight ({listed(missing, 3)}) weighed as 0")
    return {term: 0.0 if weight == float("inf") else float(weight) for term, weight in known.items()}


# --- sums over targets --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Namespace:
    """A namespace, its targets, their true terms as compressed rows, and (weightings, terms)."""

    name: str
    hierarchy: Hierarchy
    targets: np.ndarray
    true_ptr: np.ndarray
    true_idx: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(
        cls, name: str, h: Hierarchy, truth: _Placed, information: Mapping[str, float] | None, orphans: bool
    ) -> "_Namespace":
        target, term, _ = truth.lines[name]
        present, numbers = np.unique(target, return_inverse=True)
        ptr, terms, _ = compressed_rows(len(present), numbers, term)
        alike = np.ones(len(h))
        if h.virtual_root:
            alike[0] = 0
        if not orphans:
            alike[[h.index(top) for top in (h.children(h.root) if h.virtual_root else (h.root,))]] = 0
        weights = [alike]
        if information is not None:
            weights.append(np.array([information.get(label, 0.0) for label in h.nodes]))
            if h.virtual_root:
                weights[1][0] = 0
        return cls(name, h, truth.targets[present], ptr, terms, np.array(weights))

    @cached_property
    def grid(self) -> Grid:
        return Grid.of(self.weights)

    def of_targets(self, chosen: np.ndarray) -> "_Namespace":
        """Return a copy with some of its targets, by their places in ascending order."""
        target = np.repeat(np.arange(len(self.targets)), np.diff(self.true_ptr))
        mine = np.zeros(len(self.targets), bool)
        mine[chosen] = True
        ptr = np.append(0, np.cumsum(np.diff(self.true_ptr)[chosen]))
        return replace(self, targets=self.targets[chosen], true_ptr=ptr, true_idx=self.true_idx[mine[target]])

    def nothing(self) -> _Scored:
        """The scores of a file that has none for its targets."""
        return np.zeros(len(self.targets) + 1, np.int64), np.zeros(0, np.int32), np.zeros(0)

    def scored(self, placed: _Placed) -> _Scored | None:
        """The scores for its targets as compressed rows; None where there are none."""
        target, term, score = placed.lines[self.name]
        if score is None:
            raise InputError(f"{placed.name}: predictions need a score")
        place = pd.Index(self.targets).get_indexer(pd.Index(placed.targets))[target]
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
        parts = self.parts(np.array([self._threshold(tau)]), each=True, progress=progress)
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

    def parts(
        self,
        taus: np.ndarray,
        *,
        each: bool = False,
        progress: Progress = lambda done, total: None,
        announce: Callable[[str], None] | None = None,
    ) -> list[np.ndarray]:
        """Return what the kernel adds up (rows, weightings, thresholds, sums, digits), chunk by
        chunk of targets: a row for all of a chunk, or one for each.
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


FIRST = 3  # names in a note


@dataclass(frozen=True, eq=False)
class Noticed:
    """Of a file or a piece of it: the number of its lines, the lines for each term that is not
    simply one of the ontology, and the targets without truth: a hash of 64 bits for each, and the
    first few by name.
    """

    lines: int
    times: Mapping[str, int]
    left_out: np.ndarray
    first: tuple[str, ...]

    @classmethod
    def of(cls, file: Annotations, known: pd.Index, ontology: Ontology) -> "Noticed":
        """`known` are the targets with truth."""
        left = file.targets[known.get_indexer(pd.Index(file.targets)) < 0]  # `isin` takes ten times as long
        hashes = pd.util.hash_array(left.astype(object), categorize=False) if len(left) else np.zeros(0, np.uint64)
        return cls(len(file), times_of(file, ontology), np.unique(hashes), tuple(sorted(left.tolist())[:FIRST]))

    def __add__(self, other: "Noticed") -> "Noticed":
        times = sum_of_fields(self.times, other.times)
        first = tuple(sorted({*self.first, *other.first})[:FIRST])
        return Noticed(self.lines + other.lines, times, np.union1d(self.left_out, other.left_out), first)

    def notes(self, name: str, ontology: Ontology, *, evaluated: bool) -> Iterator[str]:
        """In sentences; `evaluated` says whether the file has a score for a target with truth."""
        yield from term_notes(name, self.times, ontology)
        if count := len(self.left_out):
            names = listed(self.first, FIRST, count)
            yield f"{name}: {counted(count, 'target')} without truth ({names}) left out"
        if not evaluated:
            yield f"{name}: no prediction for a target with truth; not evaluated"


NOTHING = Noticed(0, {}, np.zeros(0, np.uint64), ())
"""Of no lines."""


def terms_of(ontology: Ontology, term: str) -> tuple[str, ...]:
    """The terms that an id stands for; none where it is unknown or obsolete."""
    return (term,) if term in ontology.namespace_of else ontology.alternative.get(term, ())


def times_of(file: Annotations, ontology: Ontology) -> dict[str, int]:
    """The number of lines of each term that is unknown, obsolete, or an alternative id."""
    odd = [i for i, term in enumerate(file.terms) if str(term) not in ontology.namespace_of]
    times = np.bincount(file.term, minlength=len(file.terms))
    return {str(file.terms[i]): int(times[i]) for i in odd}


def term_notes(name: str, times: Mapping[str, int], ontology: Ontology) -> Iterator[str]:
    """Name in sentences what is unknown, obsolete or called by another name."""
    kinds: dict[str, list[str]] = {"unknown": [], "obsolete": [], "alternative": []}
    for term in times:
        known = "obsolete" if term in ontology.obsolete else "unknown"
        kinds["alternative" if terms_of(ontology, term) else known].append(term)
    ends = {"unknown": "left out", "obsolete": "left out", "alternative": "read as the terms they stand for"}
    for kind, terms in kinds.items():
        if terms:
            what = counted(len(terms), f"{kind} {'id' if kind == 'alternative' else 'term'}")
            lines = counted(sum(times[term] for term in terms), "line")
            yield f"{name}: {lines} with {what} ({listed(terms, FIRST)}) {ends[kind]}"
