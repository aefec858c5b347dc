"""Expected values of measures, and the prediction with the best expected value.

An expected value is the mean of a measure for one prediction over all possible truths. It is a sum
over the events of a distribution: probability times the measure as `explain` defines it. You can
see every term. A search tries every candidate to find the best prediction, and the table of all
candidates is the proof. If the literature has a closed form, you see it next to the result.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Unpack, get_args

from hiermeasures.evaluation.scores.events import (
    Distribution,
    Event,
    closed,
    coherent_sets,
    ends_of,
    set_order,
)
from hiermeasures.evaluation.scores.probabilities import NodeProbabilities
from hiermeasures.hierarchy.errors import InputError, check_known
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import CREDIT, Options, Settings
from hiermeasures.measures import explain, find_measure
from hiermeasures.measures.catalogue import Measure, number

Labels = Literal["all", "most_specific"]


@dataclass(frozen=True)
class ExpectedValue:
    """The expected value of a measure for one prediction.

    `rows` has each event with the measure's value if the event is the truth.
    """

    measure: Measure
    predicted: frozenset[str]
    rows: tuple[tuple[Event, float], ...]

    @cached_property
    def possible(self) -> list[tuple[float, float]]:
        """The probability and value of each event that can happen. The other events add 0."""
        return [(event.probability, value) for event, value in self.rows if event.probability]

    @cached_property
    def value(self) -> float:
        """The expected value, or nan if it is undefined."""
        return math.fsum(probability * value for probability, value in self.possible)

    @property
    def latex(self) -> str:
        """The sum in numbers, with the first twelve terms."""
        terms = [
            rf"{number(probability)} \cdot {number(value)}"
            for probability, value in self.possible[:12]
        ]
        return (
            " + ".join(terms + [r"\dots"] * (len(self.possible) > 12)) + f" = {number(self.value)}"
        )


def expected_value(
    distribution: Distribution,
    predicted: Iterable[str],
    measure: str,
    *,
    labels: Labels = "all",
    options: Options | None = None,
    **settings: Unpack[Settings],
) -> ExpectedValue:
    """Return the expected value of a measure for a prediction (Plaud et al. 2024, Eq. 2).

    Parameters
    ----------
    distribution : Distribution
    predicted : iterable of str
        The predicted classes. The root is implied and left out.
    measure : str
        A key of the catalogue.
    labels : "all" or "most_specific"
        The classes of events and prediction that the measure gets: all (as Plaud et al. do), or
        only the most specific ones (as pair-based measures expect).
    options : Options, optional
        You can also give options as keyword arguments. Plaud et al. do not count the root:
        `count_root=False`.

    Returns
    -------
    ExpectedValue

    Raises
    ------
    InputError
        If a class, measure or option is unknown.

    See Also
    --------
    bayes_optimal : Find the prediction with the best expected value.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.evaluation.scores import NodeProbabilities, single_path
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> d = single_path(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35}))
    >>> round(expected_value(d, {"1", "5"}, "hF", count_root=False).value, 4)
    0.55
    """
    found, chosen = find_measure(measure), Options.make(options, **settings)
    classes = distribution.hierarchy.check(predicted)
    return expected_values(distribution, classes, [found], labels, chosen)[found.key]


def expected_values(
    distribution: Distribution,
    predicted: frozenset[str],
    measures: Sequence[Measure],
    labels: Labels = "all",
    options: Options | None = None,
) -> dict[str, ExpectedValue]:
    """Return the expected values of several measures, by key, like `expected_value`."""
    check_known("choice of labels", labels, get_args(Labels))
    h, events, every = distribution.hierarchy, distribution.events, labels == "all"
    given = predicted - {h.root} if every else ends_of(h, predicted - {h.root})
    values = [explain(h, e.classes if every else e.ends, given, options=options) for e in events]
    rows = {
        m.key: tuple(zip(events, (each[m.key] for each in values), strict=True)) for m in measures
    }
    return {m.key: ExpectedValue(m, predicted, rows[m.key]) for m in measures}


# --- the best of all candidates -----------------------------------------------------------------

Space = Literal["coherent", "paths", "thresholds"]
SPACES: dict[str, str] = {
    "coherent": "every coherent set of classes",
    "paths": "each class with its ancestors, and the empty set",
    "thresholds": "every set that a threshold on the node probabilities gives",
}

PAIR_LIMIT = 50_000
"""The limit on (candidate, event) pairs in a search. At the limit, set-based measures take under 2 s,
and pairings up to a minute.
"""


@dataclass(frozen=True)
class ThresholdRange:
    """The thresholds above `low`, up to and including `high`. The first range includes 0."""

    low: float
    high: float


@dataclass(frozen=True)
class Candidate:
    """One candidate prediction, with each measure's expected value by key.

    `classes` leave out the root, because it is always implied. `thresholds` is the range of
    thresholds that give this prediction, or None.
    """

    classes: frozenset[str]
    thresholds: ThresholdRange | None
    expected: Mapping[str, ExpectedValue]


@dataclass(frozen=True)
class Alternative:
    """A candidate in the ranking of one measure.

    `regret` is the distance of its value from the optimum (0 for the optimum and ties). `rank` is 1
    for the best, and candidates of equal value share a rank. Undefined values come last and have
    the rank None.
    """

    candidate: Candidate
    value: float
    regret: float
    rank: int | None


@dataclass(frozen=True)
class ClosedForm:
    """An optimum from the literature: the prediction of a rule, and why it may fail here."""

    statement: str
    condition: str
    source: str
    classes: frozenset[str]
    why_not: str

    @property
    def applies(self) -> bool:
        """True if the conditions of the closed form are met."""
        return not self.why_not


@dataclass(frozen=True)
class Optimum:
    """The Bayes-optimal prediction for a measure among some candidates (Plaud et al. 2024, Eq. 2).

    `alternatives` are all candidates, best first. `ties` are the candidates with the best value.
    `best` is the smallest of them. `closed_form` is the optimum in the literature, or None.
    """

    measure: Measure
    alternatives: tuple[Alternative, ...]
    ties: tuple[Alternative, ...]
    closed_form: ClosedForm | None

    @property
    def best(self) -> Alternative:
        """The smallest candidate with the best value."""
        return self.ties[0]

    @property
    def by_threshold(self) -> list[tuple["ThresholdRange", Alternative]]:
        """The candidates that some threshold predicts, the lowest threshold first."""
        found = [(a.candidate.thresholds, a) for a in self.alternatives if a.candidate.thresholds]
        return sorted(found, key=lambda pair: pair[0].low)

    @property
    def best_threshold(self) -> "ThresholdRange | None":
        """The lowest range of thresholds that predict a best candidate, or None."""
        return next((thresholds for thresholds, a in self.by_threshold if a.rank == 1), None)


@dataclass(frozen=True)
class CandidateTable:
    """All candidates of a search, in the order of size, with expected values of every measure.

    `space` describes the candidates in words. If they are all coherent sets, the best one is proven
    to be optimal among coherent predictions. Otherwise it is only the best of these candidates.
    """

    distribution: Distribution
    measures: tuple[Measure, ...]
    candidates: tuple[Candidate, ...]
    space: str
    options: Options
    labels: Labels

    def optimum(self, measure: str) -> Optimum:
        """Rank the candidates by one of the table's measures, best first.

        Values that are equal up to rounding share a rank, small candidates first.

        Raises
        ------
        InputError
            For a measure that the table does not have, or without a defined value.
        """
        known = {m.key: m for m in self.measures}
        check_known("measure in this table", measure, known)
        values = [c.expected[measure].value for c in self.candidates]
        sign = -1 if known[measure].better == "higher" else 1
        order = sorted(
            (i for i, v in enumerate(values) if not math.isnan(v)), key=lambda i: sign * values[i]
        )
        if not order:
            raise InputError(
                f"{known[measure].name} is undefined for every candidate under this distribution. "
                "Choose another measure."
            )
        ranks: dict[int, tuple[int, float]] = {}
        for place, (before, i) in enumerate(zip([order[0], *order], order, strict=False), start=1):
            same = place > 1 and math.isclose(
                values[i], values[before], rel_tol=1e-9, abs_tol=1e-12
            )
            ranks[i] = ranks[before] if same else (place, abs(values[i] - values[order[0]]))
        ranked = [
            Alternative(self.candidates[i], values[i], regret, rank)
            for i, (rank, regret) in sorted(
                ranks.items(), key=lambda entry: (entry[1][0], entry[0])
            )
        ]
        ranked += [
            Alternative(c, math.nan, math.nan, None)
            for i, c in enumerate(self.candidates)
            if i not in ranks
        ]
        ties = tuple(a for a in ranked if a.rank == 1)
        form = closed_form(self.distribution, measure, labels=self.labels, options=self.options)
        return Optimum(known[measure], tuple(ranked), ties, form)


def bayes_optimal(
    distribution: Distribution,
    measure: str,
    *,
    space: Space = "coherent",
    labels: Labels = "all",
    options: Options | None = None,
    **settings: Any,
) -> Optimum:
    """Find the prediction with the best expected value of a measure.

    The result has all alternatives, so you can see how much worse they are.

    Parameters
    ----------
    distribution, measure, labels, options, **settings
        As for `expected_value`.
    space : str
        As for `search`.

    Returns
    -------
    Optimum

    Raises
    ------
    InputError
        As `search` does, and if the measure is undefined for every candidate.

    See Also
    --------
    search : Search by several measures, or among your own candidates.
    closed_form : Return the optimum in the literature.

    Examples
    --------
    Figure 2 of Plaud et al. 2024: shortest path and hierarchical F1 want different predictions.

    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.evaluation.scores import NodeProbabilities, single_path
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4", "5"], "2": None}})
    >>> d = single_path(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.2, "4": 0.2, "5": 0.35}))
    >>> best = bayes_optimal(d, "SDL", count_root=False).best
    >>> sorted(best.candidate.classes), round(best.value, 4)
    (['1'], 1.25)
    """
    return search(
        distribution, [measure], space=space, labels=labels, options=options, **settings
    ).optimum(measure)


def search(
    distribution: Distribution,
    measures: Sequence[str],
    *,
    space: Space = "coherent",
    candidates: Iterable[Iterable[str]] | None = None,
    labels: Labels = "all",
    options: Options | None = None,
    **settings: Any,
) -> CandidateTable:
    """Compute the expected values of every candidate prediction.

    Parameters
    ----------
    distribution : Distribution
    measures : sequence of str
        Keys of the catalogue.
    space : "coherent", "paths" or "thresholds"
        The candidates. "coherent" takes all coherent sets, up to SET_LIMIT. The other spaces are
        small for any hierarchy, but a better prediction may exist outside them. SPACES describes
        each.
    candidates : iterable of label sets, optional
        Your own candidates in place of a space. They are used unchanged.
    labels, options, **settings
        As for `expected_value`.

    Returns
    -------
    CandidateTable

    Raises
    ------
    InputError
        For more than SET_LIMIT candidates, more than PAIR_LIMIT pairs of candidate and event, and
        as `expected_value` does.

    See Also
    --------
    bayes_optimal : Search by one measure.
    threshold_sweep : Try all thresholds.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.evaluation.scores import NodeProbabilities, single_path
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> d = single_path(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.5, "4": 0.25}))
    >>> table = search(d, ["hF", "accuracy"], space="paths")
    >>> [sorted(table.optimum(key).best.candidate.classes) for key in ["hF", "accuracy"]]
    [['1', '3'], ['1', '3']]
    """
    found = tuple(find_measure(m) for m in ([measures] if isinstance(measures, str) else measures))
    chosen = Options.make(options, **settings)
    h = distribution.hierarchy
    ranges = threshold_ranges(distribution.probabilities)
    check_known("space of candidates", space, SPACES)
    own = None if candidates is None else [h.check(c) - {h.root} for c in candidates]
    sets = _candidates(h, space, ranges) if own is None else own
    if (work := len(sets) * len(distribution.events)) > PAIR_LIMIT:
        raise InputError(
            f"{len(sets):,} candidates under {len(distribution.events):,} possible truths need "
            f"{work:,} comparisons. "
            f"The limit is {PAIR_LIMIT:,}. Search a smaller space ('paths' or 'thresholds')."
        )
    rows = tuple(
        Candidate(s, ranges.get(s), expected_values(distribution, s, found, labels, chosen))
        for s in sets
    )
    words = SPACES[space] if candidates is None else "your own candidates"
    return CandidateTable(distribution, found, rows, space=words, options=chosen, labels=labels)


def _candidates(
    h: Hierarchy, space: Space, ranges: Iterable[frozenset[str]]
) -> Sequence[frozenset[str]]:
    """Return the candidates of a space. `ranges` are the sets that some threshold predicts."""
    if space == "coherent":
        return coherent_sets(h)
    if space == "paths":
        return [closed(h, {c}) for c in h.nodes]
    return sorted(ranges, key=lambda s: set_order(h, s))


def threshold_sweep(
    distribution: Distribution,
    measure: str,
    *,
    labels: Labels = "all",
    options: Options | None = None,
    **settings: Any,
) -> Optimum:
    """Compute the expected value of a measure at all thresholds on the node probabilities.

    The value is constant between two distinct probabilities, so each of them gives one candidate.
    The best threshold depends on the instance (Plaud et al. 2024, Appendix B.1.2).

    Parameters
    ----------
    distribution, measure, labels, options, **settings
        As for `expected_value`.

    Returns
    -------
    Optimum
        `by_threshold` has the candidates in the order of their thresholds.

    See Also
    --------
    choose_threshold : Find the best threshold for many instances.
    threshold_ranges : List the sets and their thresholds.
    """
    return bayes_optimal(
        distribution, measure, space="thresholds", labels=labels, options=options, **settings
    )


def threshold_ranges(probabilities: NodeProbabilities) -> dict[frozenset[str], ThresholdRange]:
    """Return every set that some threshold predicts, with the range of these thresholds.

    See Also
    --------
    threshold_sweep : Compute the expected value of a measure for each.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.evaluation.scores import NodeProbabilities
    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> found = threshold_ranges(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25}))
    >>> [(sorted(classes), r.low, r.high) for classes, r in found.items()]
    [([], 0.75, 1.0), (['1'], 0.25, 0.75), (['1', '2'], 0.0, 0.25)]
    """
    chance = {c: v for c, v in probabilities.items() if c != probabilities.hierarchy.root}
    lows = sorted({0.0, *chance.values()}, reverse=True)
    sets = [frozenset(c for c, v in chance.items() if v > low) for low in lows]
    return {
        s: ThresholdRange(low, high) for s, low, high in zip(sets, lows, [1.0, *lows], strict=False)
    }


# --- optima from the literature -----------------------------------------------------------------


def closed_form(
    distribution: Distribution,
    measure: str,
    *,
    labels: Labels = "all",
    options: Options | None = None,
    **settings: Any,
) -> ClosedForm | None:
    """Return the optimum of a measure in the literature, or None if no closed form is known.

    `applies` of the result tells you if the conditions of the closed form are met here.

    Parameters
    ----------
    distribution, measure, labels, options, **settings
        As for `expected_value`.

    Returns
    -------
    ClosedForm or None

    See Also
    --------
    bayes_optimal : Find the optimum by a search.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.evaluation.scores import NodeProbabilities, single_path
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> d = single_path(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.5, "4": 0.25}))
    >>> sorted(closed_form(d, "hamming").classes), closed_form(d, "F_LCA")
    (['1'], None)
    """
    read, chosen, h = (
        find_measure(measure).options,
        Options.make(options, **settings),
        distribution.hierarchy,
    )
    if measure not in _KNOWN:
        return None
    statement, condition, source, needs, predict = _KNOWN[measure]
    credited = set(read).intersection(CREDIT).intersection(chosen.changed)
    obstacles = (
        (
            "labels" in needs and labels != "all",
            "it counts every class of a set, not only the most specific ones",
        ),
        ("path" in needs and not h.is_tree, "the hierarchy is not a tree"),
        ("path" in needs and not distribution.one_path, "more than one path can be true"),
        (
            "sets" in needs and chosen.max_ancestor_distance is not None,
            "ancestors beyond a distance are left out",
        ),
        (bool(credited), "answers below or above the right class are credited"),
    )
    why_not = next((words for fails, words in obstacles if fails), "")
    return ClosedForm(statement, condition, source, predict(distribution, chosen), why_not)


def _above_half(d: Distribution, options: Options) -> frozenset[str]:
    return frozenset(c for c in d.hierarchy.nodes[1:] if d.marginals[c] > 0.5)


def _best_hF(d: Distribution, options: Options) -> frozenset[str]:
    """Return the best prediction for hF.

    It is coherent, because the sum of an ancestor is at least that of its descendants.
    """
    r = int(options.counts_root(d.hierarchy))
    truths = [
        (e.probability, len(e.classes) + r, e.classes)
        for e in d.events
        if e.probability and e.classes
    ]
    best, value = frozenset[str](), sum(e.probability for e in d.events if not e.classes)
    for k in range(1, len(d.hierarchy)):
        if sum(2 * p * size / (k + r + size) for p, size, _ in truths) <= value:
            # The bound is the value if k classes contained every truth. It falls with k.
            break
        sums = dict.fromkeys(d.hierarchy.nodes[1:], 0.0)
        for p, size, classes in truths:
            for c in classes:
                sums[c] += 2 * p / (k + r + size)
        chosen = sorted(sums, key=lambda c: -sums[c])[:k]
        total = sum(sums[c] for c in chosen) + sum(
            2 * p * r / (k + r + size) for p, size, _ in truths
        )
        if total > value:
            best, value = frozenset(chosen), total
    return best


_KNOWN: dict[str, tuple[str, str, str, str, Callable[[Distribution, Options], frozenset[str]]]] = {
    "hF": (
        "For each number k of classes, take the k classes with the greatest sums of 2p / (k + "
        "size) over the truths that contain them. Predict the best of these sets.",
        "Any distribution over coherent sets: for a fixed k, the expected value is a sum over "
        "predicted classes.",
        "Plaud et al. 2025, after its program",
        "sets",
        _best_hF,
    ),
    "hamming": (
        "Predict every class whose probability is above 0.5.",
        "Any distribution: the loss is a sum over classes, and each term is smallest if the "
        "class's likelier state is predicted.",
        "Dembczyński et al. 2012",
        "labels",
        _above_half,
    ),
    "SDL": (
        "Predict every class whose probability is above 0.5.",
        "Any distribution over coherent sets: it is the Hamming loss times the number of classes.",
        "Dembczyński et al. 2012",
        "sets",
        _above_half,
    ),
    "SP": (
        "Predict the deepest class whose probability is above 0.5, or else the root.",
        "One true path in a tree. The edge weights do not matter.",
        "Ramaswamy et al. 2015, as used by Plaud et al. 2024, Section 5.3.1",
        "path and sets",
        _above_half,
    ),
    "accuracy": (
        "Predict the likeliest label set. If every path reaches a leaf, it is the likeliest leaf.",
        "Any distribution: the expected accuracy is the probability of the predicted set.",
        "Plaud et al. 2024, Section 5.3.1",
        "",
        lambda d, options: max(d.events, key=lambda e: e.probability).classes,
    ),
}
"""Statement, condition, source, needs and prediction of each rule."""
