"""Expected values: what a measure is worth for one prediction, on average over everything that can be
the truth; and the prediction that a measure wants, found by looking at every candidate.

A value is the sum over the events of a distribution of probability times the measure as `explain`
defines it; every term is kept. The table of all candidates is the proof of an optimum. Where the
literature knows it in closed form that is set beside the search.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Unpack, get_args

from hiermeasures.core.errors import InputError, check_known, shown
from hiermeasures.core.option_types import Settings
from hiermeasures.core.options import CREDIT, Options
from hiermeasures.measures import CATALOGUE, Explanation, explain, find_measure
from hiermeasures.measures.catalogue import Measure, number
from hiermeasures.probabilities.events import SET_LIMIT, Distribution, Event, closed, coherent_sets, ends_of, set_order
from hiermeasures.probabilities.probabilities import NodeProbabilities

Labels = Literal["all", "most_specific"]


@dataclass(frozen=True)
class EventValue:
    """One event, the measure's value if it is the truth, and what it adds to the expected value."""

    event: Event
    value: float

    @property
    def contribution(self) -> float:
        """Probability times value; 0 for an event that cannot happen, whatever its value."""
        return self.event.probability * self.value if self.event.probability else 0.0


@dataclass(frozen=True)
class ExpectedValue:
    """The expected value of a measure for one prediction (nan: undefined), with a row per event."""

    measure: Measure
    predicted: frozenset[str]
    rows: tuple[EventValue, ...]

    @cached_property
    def value(self) -> float:
        return math.fsum(row.contribution for row in self.rows)

    @property
    def latex(self) -> str:
        """The sum in numbers, of the events that can happen; the first twelve terms."""
        possible = [row for row in self.rows if row.event.probability]
        terms = [rf"{number(row.event.probability)} \cdot {number(row.value)}" for row in possible[:12]]
        return " + ".join(terms + [r"\dots"] * (len(possible) > 12)) + f" = {number(self.value)}"


@dataclass(frozen=True)
class AssessedMeasure:
    """A measure's expected value beside that for a chosen truth (nan where none is chosen)."""

    measure: Measure
    expected: ExpectedValue
    realised: float


@dataclass(frozen=True)
class Assessment:
    """Measures of one prediction, expected and for a chosen truth. Made by `assess`."""

    predicted: frozenset[str]
    true: frozenset[str] | None
    rows: tuple[AssessedMeasure, ...]


def expected_value(
    distribution: Distribution,
    predicted: Iterable[str],
    measure: str,
    *,
    labels: Labels = "all",
    options: Options | None = None,
    **settings: Unpack[Settings],
) -> ExpectedValue:
    """The expected value of a measure for a prediction (Plaud et al. 2024, Eq. 2, without the arg
    min).

    Parameters
    ----------
    distribution : Distribution
    predicted : iterable of str
        The predicted classes. The root is implied and left out.
    measure : str
        A key of the catalogue.
    labels : "all" or "most_specific"
        What the measure is given, of the events and of the prediction: all classes (as Plaud et al.
        do), or the most specific ones only (as pair-based measures are meant).
    options : Options, optional
        Or as keyword arguments. Plaud et al. do not count the root: `count_root=False`.

    Returns
    -------
    ExpectedValue

    Raises
    ------
    InputError
        For an unknown class, measure or option.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.probabilities import NodeProbabilities, single_path
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> d = single_path(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35}))
    >>> round(expected_value(d, {"1", "5"}, "hF", count_root=False).value, 4)
    0.55
    """
    found = find_measure(measure)
    chosen = Options.make(options, **settings)
    classes = distribution.hierarchy.check(predicted)
    return expected_of(found, distribution, classes, explained(distribution, classes, labels, chosen))


def assess(
    distribution: Distribution,
    predicted: Iterable[str],
    true: Iterable[str] | None = None,
    measures: Iterable[str] | None = None,
    *,
    labels: Labels = "all",
    options: Options | None = None,
    **settings: Unpack[Settings],
) -> Assessment:
    """Expected values of a prediction beside realised ones for a chosen truth, for several measures
    (all of the catalogue).

    `true` is augmented with its ancestors, as events are; None where no truth is chosen. Otherwise
    as `expected_value`.
    """
    chosen = Options.make(options, **settings)
    h = distribution.hierarchy
    keys = [find_measure(m) for m in (CATALOGUE if measures is None else measures)]
    classes = h.check(predicted)
    truth = None if true is None else closed(h, true)
    found = explained(distribution, classes, labels, chosen)
    real: Mapping[str, float] = {}
    if truth is not None:
        sides = (_given(distribution, side, labels) for side in (truth, classes - {h.root}))
        real = explain(h, *sides, options=chosen)
    rows = tuple(
        AssessedMeasure(m, expected_of(m, distribution, classes, found), real[m.key] if truth is not None else math.nan)
        for m in keys
    )
    return Assessment(classes, truth, rows)


def explained(d: Distribution, predicted: frozenset[str], labels: Labels, options: Options) -> list[Explanation]:
    """A prediction explained for each event, by the classes that `labels` chooses."""
    given = _given(d, predicted - {d.hierarchy.root}, labels)
    return [explain(d.hierarchy, e.classes if labels == "all" else e.ends, given, options=options) for e in d.events]


def _given(d: Distribution, classes: frozenset[str], labels: str) -> frozenset[str]:
    check_known("choice of labels", labels, get_args(Labels))
    return classes if labels == "all" else ends_of(d.hierarchy, classes)


def expected_of(
    measure: Measure, d: Distribution, predicted: frozenset[str], values: Sequence[Mapping[str, float]]
) -> ExpectedValue:
    """The expected value of a measure, from the values by key at each event."""
    rows = (EventValue(event, each[measure.key]) for event, each in zip(d.events, values, strict=True))
    return ExpectedValue(measure, predicted, tuple(rows))


Space = Literal["coherent", "paths", "thresholds"]

SPACES: dict[str, str] = {
    "coherent": "every coherent set of classes",
    "paths": "every class with its ancestors, and nothing",
    "thresholds": "every set that a threshold on the node probabilities gives",
}

PAIR_LIMIT = 50_000
"""The most (candidate, event) pairs that one search explains: under 2 s for set-based measures, up
to a minute for pairings.
"""


@dataclass(frozen=True)
class ThresholdRange:
    """The thresholds from `low`, included, to below `high` (the last range includes 1)."""

    low: float
    high: float


@dataclass(frozen=True)
class Candidate:
    """One candidate prediction, with each measure's expected value by key.

    `classes` leave out the root, which is implied; `ends` are the most specific of them.
    `thresholds` are those that give it, None where none does.
    """

    classes: frozenset[str]
    ends: frozenset[str]
    thresholds: ThresholdRange | None
    expected: Mapping[str, ExpectedValue]

    def value(self, key: str) -> float:
        """The expected value of a measure; nan where it is undefined."""
        return self.expected[key].value


@dataclass(frozen=True)
class Alternative:
    """A candidate in the ranking of one measure. `regret` is how much worse than the optimum it is
    (0 for the optimum and ties).

    `rank` is 1 for the best; candidates of equal value share a rank. Undefined values come last,
    without a rank (None).
    """

    candidate: Candidate
    value: float
    regret: float
    rank: int | None


@dataclass(frozen=True)
class ClosedForm:
    """An optimum known without a search. `applies` says whether its condition holds here; if not,
    `why_not` says what fails.

    `classes` is what the rule predicts, whether it applies or not.
    """

    measure: str
    statement: str
    condition: str
    source: str
    classes: frozenset[str]
    applies: bool
    why_not: str = ""


@dataclass(frozen=True)
class Optimum:
    """The Bayes-optimal prediction for one measure among the candidates of a search (Plaud et al.
    2024, Eq. 2).

    `alternatives` are all candidates, best first; `ties` those that share the best value, `best`
    (the smallest of them) included. `closed_form` is the optimum as the literature knows it, or
    None.
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
    """All candidates of a search, in the order of size, with the expected values of every measure
    asked for.

    `space` says in words which candidates there are, `exhaustive` whether they are all coherent
    sets: then, and only then, the best one is proven optimal among coherent predictions.
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
        return candidate.expected[self._measure(measure).key]

    def _measure(self, key: str) -> Measure:
        known = {m.key: m for m in self.measures}
        check_known("measure in this table", key, known)
        return known[key]


@dataclass(frozen=True)
class ThresholdStep:
    """One range of thresholds, what it predicts, and the expected value of that."""

    thresholds: ThresholdRange
    classes: frozenset[str]
    expected: ExpectedValue


@dataclass(frozen=True)
class ThresholdSweep:
    """The expected value of a measure over all thresholds, rising; `best` are the best steps."""

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
    >>> from hiermeasures.probabilities import NodeProbabilities, single_path
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
        Which predictions are candidates. "coherent" is all of them, up to SET_LIMIT sets; the
        others are small for any hierarchy, and prove nothing about sets outside them.
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
    chosen = Options.make(options, **settings)
    check_known("choice of labels", labels, get_args(Labels))
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
        at_events = explained(distribution, s, labels, chosen)
        expected = {m.key: expected_of(m, distribution, s, at_events) for m in found}
        rows.append(Candidate(s, ends_of(h, s), ranges.get(s), expected))
    words = "the candidates given" if candidates is not None else SPACES[space]
    return CandidateTable(
        distribution=distribution,
        measures=found,
        candidates=tuple(rows),
        space=words,
        exhaustive=candidates is None and space == "coherent",
        options=chosen,
        labels=labels,
    )


def threshold_sweep(
    distribution: Distribution, measure: str, *, labels: Labels = "all", options: Options | None = None, **settings: Any
) -> ThresholdSweep:
    """The expected value of a measure over all thresholds on the node probabilities.

    It is constant between distinct probabilities, so there is one step for each. That the best
    threshold depends on the instance is Plaud et al. 2024, Appendix B.1.2.
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
    """Every set that a threshold gives, with its thresholds; it changes at distinct probabilities
    only.
    """
    chance = {c: v for c, v in probabilities.items() if c != probabilities.hierarchy.root}
    lows = sorted({0.0, *chance.values()}, reverse=True)
    sets = [frozenset(c for c, v in chance.items() if v > low) for low in lows]
    return {s: ThresholdRange(low, high) for s, low, high in zip(sets, lows, [1.0, *lows], strict=False)}


# --- the search ---------------------------------------------------------------------------------


def _candidates(d: Distribution, space: str) -> tuple[frozenset[str], ...]:
    h = d.hierarchy
    check_known("space of candidates", space, SPACES)
    if space == "coherent":
        return coherent_sets(h, SET_LIMIT)
    if space == "paths":
        return tuple(closed(h, {c}) for c in h.nodes)
    return tuple(sorted(threshold_ranges(d.probabilities), key=lambda s: set_order(h, s)))


def _ranked(measure: Measure, candidates: Sequence[Candidate]) -> tuple[Alternative, ...]:
    """Best first; values equal up to rounding share a rank, small candidates first."""
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


# --- optima that are known without a search -----------------------------------------------------


@dataclass(frozen=True)
class _Known:
    statement: str
    condition: str
    source: str
    predict: Callable[[Distribution, Options], frozenset[str]]
    obstacle: Callable[[Distribution, str, Options], str]


def closed_form(
    distribution: Distribution, measure: str, *, labels: Labels = "all", options: Options | None = None, **settings: Any
) -> ClosedForm | None:
    """The optimum of a measure as the literature knows it, or None where no closed form is known.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.probabilities import NodeProbabilities, single_path
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> d = single_path(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.5, "4": 0.25}))
    >>> sorted(closed_form(d, "hamming").classes), closed_form(d, "F_LCA")
    (['1'], None)
    """
    credit = set(find_measure(measure).options).intersection(CREDIT)
    chosen = Options.make(options, **settings)
    known = _KNOWN.get(measure)
    if known is None:
        return None
    why_not = known.obstacle(distribution, labels, chosen)
    if not why_not and credit.intersection(chosen.changed):
        why_not = "answers below or above the right class are credited"
    return ClosedForm(
        measure=measure,
        statement=known.statement,
        condition=known.condition,
        source=known.source,
        classes=known.predict(distribution, chosen),
        applies=not why_not,
        why_not=why_not,
    )


def _above_half(d: Distribution, options: Options) -> frozenset[str]:
    return frozenset(c for c in d.hierarchy.nodes[1:] if d.marginals[c] > 0.5)


def _likeliest_event(d: Distribution, options: Options) -> frozenset[str]:
    return max(d.events, key=lambda e: e.probability).classes


def _best_hF(d: Distribution, options: Options) -> frozenset[str]:
    """The classes with the greatest sums of 2p / (k + size), for the best of all numbers k of
    classes. An ancestor's sum is no smaller than its descendant's, so that the set is coherent."""
    r = int(options.counts_root(d.hierarchy))
    truths = [(e.probability, len(e.classes) + r, e.classes) for e in d.events if e.probability and e.classes]
    best, value = frozenset[str](), sum(e.probability for e in d.events if not e.classes)
    for k in range(1, len(d.hierarchy)):
        if sum(2 * p * size / (k + r + size) for p, size, _ in truths) <= value:
            break  # so much would a prediction of k classes have that holds every truth; with more it is less
        sums = dict.fromkeys(d.hierarchy.nodes[1:], 0.0)
        for p, size, classes in truths:
            for c in classes:
                sums[c] += 2 * p / (k + r + size)
        chosen = sorted(sums, key=lambda c: -sums[c])[:k]
        total = sum(sums[c] for c in chosen) + sum(2 * p * r / (k + r + size) for p, size, _ in truths)
        if total > value:
            best, value = frozenset(chosen), total
    return best


def _needs_all_labels(d: Distribution, labels: str, options: Options) -> str:
    return "" if labels == "all" else "it counts every class of a set, not the most specific ones only"


def _needs_whole_sets(d: Distribution, labels: str, options: Options) -> str:
    return "" if options.max_ancestor_distance is None else "ancestors beyond a distance are left out"


def _needs_one_path(d: Distribution, labels: str, options: Options) -> str:
    if not d.hierarchy.is_tree:
        return "the hierarchy is no tree"
    if not d.one_path:
        return "more than one path can be true"
    return _needs_whole_sets(d, labels, options)


_KNOWN: dict[str, _Known] = {
    "hF": _Known(
        "For each number k of classes, take the k classes with the greatest sums of 2p / (k + size) over the truths "
        "that hold them; predict the best of these sets.",
        "Any distribution over coherent sets: where k is fixed, the expected value is a sum over predicted classes.",
        "Plaud et al. 2025, after its program",
        _best_hF,
        _needs_whole_sets,
    ),
    "hamming": _Known(
        "Predict every class whose probability is above 0.5.",
        "Any distribution: the loss is a sum over classes, each term least where the class's likelier state is "
        "predicted.",
        "Dembczyński et al. 2012",
        _above_half,
        _needs_all_labels,
    ),
    "SDL": _Known(
        "Predict every class whose probability is above 0.5.",
        "Any distribution over coherent sets: it is the Hamming loss times the number of classes.",
        "Dembczyński et al. 2012",
        _above_half,
        _needs_whole_sets,
    ),
    "SP": _Known(
        "Predict the deepest class whose probability is above 0.5, the root if there is none.",
        "One true path in a tree; the edge weights do not matter.",
        "Ramaswamy et al. 2015, as used by Plaud et al. 2024, Section 5.3.1",
        _above_half,
        _needs_one_path,
    ),
    "accuracy": _Known(
        "Predict the likeliest label set; where every path reaches a leaf, the likeliest leaf.",
        "Any distribution: the expected accuracy is the probability of the predicted set.",
        "Plaud et al. 2024, Section 5.3.1",
        _likeliest_event,
        lambda d, labels, options: "",
    ),
}
