"""The prediction that a measure wants: the candidate with the best expected value, found by looking at every one.

The table of all candidates is the proof. Where the literature knows the optimum in closed form it is set beside the
search (closed_forms.py). Expected values of one prediction are in expected.py.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hiermeasures.errors import InputError, shown, unknown
from hiermeasures.inference.closed_forms import ClosedForm, closed_form
from hiermeasures.inference.events import SET_LIMIT, Distribution, closed, coherent_sets, ends_of, set_order
from hiermeasures.inference.expected import EventValue, ExpectedValue, Labels, check_labels
from hiermeasures.inference.probabilities import NodeProbabilities
from hiermeasures.measures.catalogue import Measure
from hiermeasures.measures.explain import explain, find_measure
from hiermeasures.options import Options

Space = Literal["coherent", "paths", "thresholds"]

SPACES: dict[str, str] = {
    "coherent": "every coherent set of classes",
    "paths": "every class with its ancestors, and nothing",
    "thresholds": "every set that a threshold on the node probabilities gives",
}

PAIR_LIMIT = 50_000
"""The most (candidate, event) pairs that one search explains: under 2 s for set-based measures, up to a minute for
pairings.
"""


@dataclass(frozen=True)
class ThresholdRange:
    """The thresholds that give one prediction: from `low`, included, to below `high` (the last range includes 1)."""

    low: float
    high: float


@dataclass(frozen=True)
class Candidate:
    """One candidate prediction, with each measure's expected value by key.

    `classes` leave out the root, which is implied; `ends` are the most specific of them. `thresholds` are those that
    give it, None where none does. `rows` hold the value of each measure at each event, in the distribution's order.
    """

    classes: frozenset[str]
    ends: frozenset[str]
    thresholds: ThresholdRange | None
    expected: tuple[tuple[str, float], ...]
    rows: tuple[tuple[float, ...], ...]

    def value(self, key: str) -> float:
        """The expected value of a measure; nan where it is undefined."""
        return dict(self.expected)[key]


@dataclass(frozen=True)
class Alternative:
    """A candidate in the ranking of one measure. `regret` is how much worse than the optimum it is (0 for the optimum
    and ties).

    `rank` is 1 for the best; candidates of equal value share a rank. Undefined values come last, without a rank (None).
    """

    candidate: Candidate
    value: float
    regret: float
    rank: int | None


@dataclass(frozen=True)
class Optimum:
    """The Bayes-optimal prediction for one measure among the candidates of a search (Plaud et al. 2024, Eq. 2).

    `alternatives` are all candidates, best first; `ties` those that share the best value, `best` (the smallest of them)
    included. `closed_form` is the optimum as the literature knows it, or None.
    """

    measure: Measure
    alternatives: tuple[Alternative, ...]
    ties: tuple[Alternative, ...]
    closed_form: ClosedForm | None

    @property
    def best(self) -> Alternative:
        return self.ties[0]

    def place(self, classes: Iterable[str]) -> Alternative:
        """The alternative with exactly these classes; InputError where it was no candidate."""
        searched = frozenset(classes)
        for alternative in self.alternatives:
            if alternative.candidate.classes == searched:
                return alternative
        raise InputError(f"{{{', '.join(sorted(map(shown, searched)))}}} is not among the candidates")


@dataclass(frozen=True)
class CandidateTable:
    """All candidates of a search, in the order of size, with the expected values of every measure asked for.

    `space` says in words which candidates there are, `exhaustive` whether they are all coherent sets: then, and only
    then, the best one is proven optimal among coherent predictions.
    """

    distribution: Distribution
    measures: tuple[Measure, ...]
    candidates: tuple[Candidate, ...]
    space: str
    exhaustive: bool
    options: Options
    labels: Labels

    def optimum(self, measure: str) -> Optimum:
        """The ranking and the optimum of one of the table's measures."""
        found = self._measure(measure)
        ranked = _ranked(found, self.candidates)
        if not ranked or ranked[0].rank is None:
            raise InputError(f"{found.name} is undefined for every candidate under this distribution")
        ties = tuple(a for a in ranked if a.rank == 1)
        return Optimum(
            found, ranked, ties, closed_form(self.distribution, measure, labels=self.labels, options=self.options)
        )

    def expected(self, candidate: Candidate, measure: str) -> ExpectedValue:
        """The expected value of a candidate with its row for each event."""
        found = self._measure(measure)
        values = candidate.rows[self.measures.index(found)]
        events = self.distribution.events
        return ExpectedValue(
            found, candidate.classes, tuple(EventValue(e, v) for e, v in zip(events, values, strict=True))
        )

    def _measure(self, key: str) -> Measure:
        for measure in self.measures:
            if measure.key == key:
                return measure
        raise InputError(unknown("measure in this table", str(key), [m.key for m in self.measures]))


@dataclass(frozen=True)
class ThresholdStep:
    """One range of thresholds, what it predicts, and the expected value of that."""

    thresholds: ThresholdRange
    classes: frozenset[str]
    expected: ExpectedValue


@dataclass(frozen=True)
class ThresholdSweep:
    """The expected value of a measure over all thresholds, from low to high. `best` are the steps with the best
    value.
    """

    measure: Measure
    steps: tuple[ThresholdStep, ...]
    best: tuple[ThresholdStep, ...]

    def at(self, tau: float) -> ThresholdStep:
        """The step that a threshold in [0, 1] falls into."""
        return next(s for s in reversed(self.steps) if s.thresholds.low <= tau or s is self.steps[0])


def bayes_optimal(
    distribution: Distribution,
    measure: str,
    *,
    space: Space = "coherent",
    labels: Labels = "all",
    options: Options | None = None,
    **settings: Any,
) -> Optimum:
    """The coherent prediction with the best expected value, with every alternative's.

    As `search` for one measure.

    Examples
    --------
    Figure 2 of Plaud et al. 2024: shortest path and hierarchical F1 want different predictions.

    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.inference import NodeProbabilities, single_path
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> d = single_path(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35}))
    >>> best = bayes_optimal(d, "SDL", count_root=False).best
    >>> sorted(best.candidate.classes), round(best.value, 4)
    (['1'], 1.25)
    """
    return search(distribution, [measure], space=space, labels=labels, options=options, **settings).optimum(measure)


def search(
    distribution: Distribution,
    measures: Sequence[str],
    *,
    space: Space = "coherent",
    candidates: Iterable[Iterable[str]] | None = None,
    labels: Labels = "all",
    options: Options | None = None,
    limit: int = PAIR_LIMIT,
    progress: Callable[[int, int], None] | None = None,
    **settings: Any,
) -> CandidateTable:
    """Every candidate's expected value of one or more measures.

    Parameters
    ----------
    distribution : Distribution
    measures : sequence of str
        Keys of the catalogue.
    space : see SPACES
        Which predictions are candidates. "coherent" is all of them, up to SET_LIMIT sets; the others are small for any
        hierarchy, and prove nothing about sets outside them.
    candidates : iterable of label sets, optional
        Own candidates instead, taken as they are.
    labels, options, **settings
        As for `expected_value`.
    limit : int
        The most (candidate, event) pairs that are looked at.
    progress : callable, optional
        Called before each candidate with how many are done and how many there are.

    Raises
    ------
    InputError
        Where the candidates are too many, alone (SET_LIMIT) or times the events (`limit`).
    """
    found = tuple(find_measure(m) for m in ([measures] if isinstance(measures, str) else measures))
    chosen = Options.make(options.model_dump(exclude_unset=True) if options else None, **settings)
    check_labels(labels)
    h = distribution.hierarchy
    sets = _candidates(distribution, space) if candidates is None else tuple(h.check(c) - {h.root} for c in candidates)
    if (work := len(sets) * len(distribution.events)) > limit:
        raise InputError(
            f"{len(sets):,} candidates under {len(distribution.events):,} possible truths are {work:,} comparisons; "
            f"up to {limit:,} are made. Search a smaller space ('paths' or 'thresholds')"
        )
    ranges = threshold_ranges(distribution.probabilities)
    rows: list[Candidate] = []
    for s in sets:
        if progress:
            progress(len(rows), len(sets))
        rows.append(_candidate(distribution, s, found, ranges, labels, chosen))
    words = "the candidates given" if candidates is not None else SPACES[space]
    return CandidateTable(
        distribution, found, tuple(rows), words, candidates is None and space == "coherent", chosen, labels
    )


def threshold_sweep(
    distribution: Distribution, measure: str, *, labels: Labels = "all", options: Options | None = None, **settings: Any
) -> ThresholdSweep:
    """The expected value of a measure over all thresholds on the node probabilities.

    It is constant between distinct probabilities, so there is one step for each. That the best threshold depends on the
    instance is Plaud et al. 2024, Appendix B.1.2.
    """
    table = search(distribution, [measure], space="thresholds", labels=labels, options=options, **settings)
    by_classes = {c.classes: c for c in table.candidates}
    steps = tuple(
        ThresholdStep(r, classes, table.expected(by_classes[classes], measure))
        for classes, r in sorted(threshold_ranges(distribution.probabilities).items(), key=lambda entry: entry[1].low)
    )
    best = {a.candidate.classes for a in table.optimum(measure).ties}
    return ThresholdSweep(table.measures[0], steps, tuple(s for s in steps if s.classes in best))


def threshold_ranges(probabilities: NodeProbabilities) -> dict[frozenset[str], ThresholdRange]:
    """Every set that a threshold gives, with the thresholds that give it. The sets change at the distinct probabilities
    only.
    """
    likeliest = sorted(
        ((v, c) for c, v in zip(probabilities, probabilities.by_node, strict=True) if v > 0), reverse=True
    )
    likeliest = [(v, c) for v, c in likeliest if c != probabilities.hierarchy.root]
    lows = sorted({0.0, *(v for v, _ in likeliest)}, reverse=True)
    ranges: dict[frozenset[str], ThresholdRange] = {}
    classes: set[str] = set()
    place, high = 0, 1.0
    for low in lows:
        while place < len(likeliest) and likeliest[place][0] > low:
            classes.add(likeliest[place][1])
            place += 1
        ranges[frozenset(classes)] = ThresholdRange(low, high)
        high = low
    return ranges


# --- the search ---------------------------------------------------------------------------------------------------


def _candidates(d: Distribution, space: str) -> tuple[frozenset[str], ...]:
    h = d.hierarchy
    if space == "coherent":
        return coherent_sets(h, SET_LIMIT)
    if space == "paths":
        return tuple(closed(h, {c}) for c in h.nodes)
    if space == "thresholds":
        return tuple(sorted(threshold_ranges(d.probabilities), key=lambda s: set_order(h, s)))
    raise InputError(unknown("space of candidates", str(space), SPACES))


def _candidate(
    d: Distribution,
    classes: frozenset[str],
    measures: Sequence[Measure],
    ranges: dict[frozenset[str], ThresholdRange],
    labels: str,
    options: Options,
) -> Candidate:
    ends = ends_of(d.hierarchy, classes)
    predicted = classes if labels == "all" else ends
    explained = [
        explain(d.hierarchy, e.classes if labels == "all" else e.ends, predicted, options=options) for e in d.events
    ]
    rows = tuple(tuple(x[m.key] for x in explained) for m in measures)
    expected = tuple((m.key, _expectation(d, row)) for m, row in zip(measures, rows, strict=True))
    return Candidate(classes, ends, ranges.get(classes), expected, rows)


def _expectation(d: Distribution, values: Sequence[float]) -> float:
    return math.fsum(e.probability * v for e, v in zip(d.events, values, strict=True) if e.probability)


def _ranked(measure: Measure, candidates: Sequence[Candidate]) -> tuple[Alternative, ...]:
    """Best first; equal values (but for rounding) share a rank and keep the candidates' order, small ones first."""
    sign = -1 if measure.better == "higher" else 1
    defined = [c for c in candidates if not math.isnan(c.value(measure.key))]
    defined.sort(key=lambda c: sign * c.value(measure.key))
    out: list[Alternative] = []
    for place, candidate in enumerate(defined, start=1):
        value = candidate.value(measure.key)
        if out and math.isclose(value, out[-1].value, rel_tol=1e-9, abs_tol=1e-12):
            out.append(Alternative(candidate, value, out[-1].regret, out[-1].rank))
        else:
            out.append(Alternative(candidate, value, abs(value - out[0].value) if out else 0.0, place))
    order = {c.classes: i for i, c in enumerate(candidates)}
    out.sort(key=lambda a: (a.rank, order[a.candidate.classes]))
    undefined = [Alternative(c, math.nan, math.nan, None) for c in candidates if math.isnan(c.value(measure.key))]
    return (*out, *undefined)
