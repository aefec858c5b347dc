"""State of the view of one instance, as an immutable value.

The state contains the probabilities of one instance with their source, all settings, and the
computed results. Pure functions edit the probabilities.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np

from hiermeasures.app.inbox import Slot
from hiermeasures.evaluation.encode import EncodedLabels
from hiermeasures.evaluation.scores import (
    RULES,
    CandidateTable,
    Curve,
    Distribution,
    NodeProbabilities,
    Optimum,
    Prediction,
    coherence,
    coherent_sets,
    independent,
    instance_curve,
    predict,
    search,
    single_path,
    threshold_ranges,
    threshold_sweep,
)
from hiermeasures.evaluation.scores.curves import Incoherent
from hiermeasures.evaluation.scores.events import Coherence, closed, ends_of
from hiermeasures.evaluation.scores.expected import Labels
from hiermeasures.evaluation.scores.systems import Decision, ScoredSystem
from hiermeasures.explore.shown import History
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.words import write_list
from hiermeasures.measures import CATALOGUE, explain
from hiermeasures.verify import Case, CaseLibrary

LISTED = ("hF", "hP", "hR", "F_LCA", "SP", "accuracy")
BEST = {"best_a": "measure_a", "best_b": "measure_b"}
MOST_COMPARED = 20_000  # pairs of a candidate and a possible truth; a tenth by slow measures
SLOW_FAMILIES = ("lca", "pairs")
MOST_OFFERED = 1000  # instances of files to choose from
Reading = Literal["single_path", "independent"]


# --- one instance ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class StartingPoint:
    """A starting point: probabilities with a first `truth`. `cases` are the parts of the figure."""

    title: str
    probabilities: NodeProbabilities
    options: Options
    truth: frozenset[str]
    cases: tuple[Case, ...] = ()
    words: str = ""


def figures(library: CaseLibrary) -> dict[str, StartingPoint]:
    """Return the library's figures with probabilities, by title. Parts of a figure share their
    probabilities.
    """
    grouped: dict[str, list[Case]] = {}
    names = {paper.key: paper.name for paper in library.papers}
    for case in library.cases.values():
        if case.probabilities is not None:
            grouped.setdefault(f"{case.figure}, {names[case.paper]}", []).append(case)
    found = {}
    for title, (first, *more) in grouped.items():
        p = NodeProbabilities.of(first.hierarchy, first.probabilities or {})
        options, truth = (
            Options.make(dict(first.options)),
            first.true or first_truth(first.hierarchy),
        )
        found[title] = StartingPoint(
            title, p, options, truth, cases=(first, *more), words=first.teaches
        )
    return found


def even(
    hierarchy: Hierarchy, title: str, options: Options, truth: frozenset[str] = frozenset()
) -> StartingPoint:
    """Return equal probabilities for all leaves, as a start for typed numbers."""
    leaves = [c for c in hierarchy.nodes if c in hierarchy.leaves]
    p = NodeProbabilities.of(hierarchy, dict.fromkeys(leaves, 1 / len(leaves)), kind="leaves")
    words = "At first, all leaves are equally likely. Drag the bars or type numbers."
    return StartingPoint(title, p, options, truth or first_truth(hierarchy), words=words)


@dataclass(frozen=True)
class ScoredInstances:
    """Instances that have scores from every system.

    `ids` are their ids, and `places` their places among all instances. `true` contains the true
    labels of all instances. `files` contains the scores before any filter.
    """

    files: Mapping[str, ScoredSystem]
    systems: Mapping[str, ScoredSystem]
    ids: tuple[str, ...]
    places: tuple[int, ...]
    true: EncodedLabels
    options: Options

    @classmethod
    def of(
        cls,
        files: Mapping[str, ScoredSystem],
        systems: Mapping[str, ScoredSystem],
        ids: Sequence[Any],
        true: EncodedLabels,
        options: Options,
    ) -> "ScoredInstances":
        """Return the first instances that have scores of every system, at most MOST_OFFERED."""
        there = np.flatnonzero(np.all([each.places >= 0 for each in systems.values()], axis=0))
        places = tuple(there[:MOST_OFFERED].tolist())
        names = tuple(str(ids[k]) for k in places)
        return cls(files, systems, names, places, true=true, options=options)

    def starting_point(self, system: str, name: str) -> StartingPoint:
        """Return the probabilities that a system gives an instance, with its true classes."""
        place, table = self.places[self.ids.index(name)], self.systems[system].table
        truth = self.true.classes(table.hierarchy, place)
        row = table.row(int(self.systems[system].places[place]))
        return StartingPoint(f"{system}: {name}", row, self.options, truth)

    def find(self, title: str) -> tuple[str, str] | None:
        """Return the system and the instance of the starting point with this title, or None."""
        for system in self.systems:
            name = title.removeprefix(f"{system}: ")
            if name != title and name in self.ids:
                return system, name
        return None


def first_truth(h: Hierarchy) -> frozenset[str]:
    """Return a first truth: the first of the deepest classes."""
    return frozenset({max(h.nodes, key=h.level)}) if len(h) > 1 else frozenset()


def edited(
    before: NodeProbabilities, label: str, number: Any, share: bool
) -> tuple[NodeProbabilities, str, str]:
    """Return the probabilities after one edit, with a message if the number was refused or reduced.

    With `share` the siblings divide the rest of the parent's probability. A number above the
    parent's is reduced to it.

    >>> h = Hierarchy.from_nested({"r": ["1", "2"]})
    >>> edited(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25}), "1", 1.4, False)[1]
    "class '1': the probability 1.4 is not in [0, 1]; 0.75 is kept"
    """
    h = before.hierarchy
    shared = share and h.is_tree
    try:
        after = before.with_value(label, number, siblings="share" if shared else "keep")
    except InputError as error:
        return before, f"{error}; {before[label]:.4g} is kept", ""
    if not shared or after[label] >= float(number):
        return after, "", ""
    (parent,) = h.parents(label)
    words = (
        f"more than its parent {shown(parent)} has ({before[parent]:.4g}) and was reduced to that"
    )
    return after, "", f"class {shown(label)}: {float(number):g} is {words}"


# --- the page -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MeasureSettings:
    """The measures to show, the expected one, and the possible truths."""

    reading: Reading = "single_path"
    labels: Labels = "all"
    incoherent: Incoherent = "augment"
    count_root: bool = False
    measure_a: str = "hF"
    measure_b: str = "SP"
    listed: tuple[str, ...] = LISTED


@dataclass(frozen=True)
class Editing:
    """Settings for editing probabilities.

    With `share`, an edited class takes from its siblings. `remarks` are about the last edit, and
    `typed` is True if you typed it. `turn` counts the tables of numbers.
    """

    share: bool = True
    remarks: tuple[str, ...] = ()
    typed: bool = False
    turn: int = 0


@dataclass(frozen=True)
class ProbabilitiesModel:
    """State of the view. `history` contains the probabilities with those for undo.

    `files` are the systems with an opened first instance.
    """

    source: StartingPoint | None = None
    history: History[NodeProbabilities] | None = None
    editing: Editing = Editing()
    truth: tuple[str, ...] = ()
    how: Decision = field(default_factory=lambda: Decision("best_a", at=0.3))
    what: MeasureSettings = MeasureSettings()
    files: Mapping[str, ScoredSystem] | None = None

    @property
    def origin(self) -> StartingPoint:
        """The source of the probabilities. Every run of the page begins by choosing one."""
        assert self.source is not None
        return self.source

    @property
    def probabilities(self) -> NodeProbabilities:
        """The present probabilities of the instance."""
        assert self.history is not None
        return self.history.present

    @property
    def edited(self) -> bool:
        return self.probabilities != self.origin.probabilities

    @property
    def options(self) -> Options:
        """The source's options, with the page's own choice about the root."""
        given = self.origin.options.given
        return Options.make(given, count_root=self.what.count_root)


def most_of(h: Hierarchy, how: Decision) -> int:
    """Return the number of leaves or classes among which the rule "top_k" predicts."""
    return len(h.leaves) if how.among == "leaves" else len(h) - 1


PROBABILITIES: Slot[ProbabilitiesModel] = Slot("probabilities_model", ProbabilitiesModel)


def model() -> ProbabilitiesModel:
    return PROBABILITIES.value


def change(**parts: Any) -> None:
    PROBABILITIES.change(**parts)


def begin(source: StartingPoint) -> None:
    """Show other probabilities with their truth and options."""
    h = source.probabilities.hierarchy
    change(
        source=source,
        history=History(source.probabilities),
        editing=_edited(),
        truth=tuple(sorted(source.truth - {h.root}, key=h.index)),
        what=replace(model().what, count_root=source.options.counts_root(h)),
    )


def lay_out(probabilities: NodeProbabilities, *remarks: str, typed: bool = False) -> None:
    """Replace the probabilities, which can be undone, with a new table of numbers."""
    history = model().history
    assert history is not None
    history = history if probabilities == history.present else history.to(probabilities)
    change(history=history, editing=_edited(*remarks, typed=typed))


def undo() -> None:
    history = model().history
    assert history is not None
    change(history=history.undo(), editing=_edited())


def _edited(*remarks: str, typed: bool = False) -> Editing:
    """Return the state after an edit, with a new table of numbers."""
    at = model().editing
    return replace(at, remarks=remarks, typed=typed, turn=at.turn + 1)


# --- results about the instance -------------------------------------------------------------------


@dataclass(frozen=True)
class Analysis:
    """Results about the instance on the page, computed on first use."""

    at: ProbabilitiesModel

    @cached_property
    def p(self) -> NodeProbabilities:
        return self.at.probabilities

    @property
    def h(self) -> Hierarchy:
        return self.p.hierarchy

    @cached_property
    def options(self) -> Options:
        return self.at.options

    @cached_property
    def coherence(self) -> Coherence:
        return coherence(self.p)

    @cached_property
    def truth(self) -> frozenset[str]:
        """The chosen truth with ancestors."""
        return closed(self.h, self.at.truth)

    @cached_property
    def searched(self) -> tuple[Distribution | None, CandidateTable | None, str]:
        """Possible truths and candidates, with a reason if some or all are missing."""
        measures = tuple(dict.fromkeys((self.at.what.measure_a, self.at.what.measure_b)))
        return _searched(
            self.p, self.at.what.reading, measures, labels=self.at.what.labels, options=self.options
        )

    @property
    def distribution(self) -> Distribution | None:
        return self.searched[0]

    def optimum(self, key: str) -> Optimum | str:
        """The best prediction for one of the two measures, or the reason why it is missing."""
        _, table, why = self.searched
        try:
            return (
                table.optimum(key)
                if table
                else f"The best prediction needs expected values, which are missing: {why}"
            )
        except InputError as error:
            return str(error)

    @cached_property
    def prediction(self) -> Prediction:
        """The prediction of the chosen rule. It has no classes if the rule cannot be applied."""
        at, key = self.at, BEST.get(self.at.how.rule)
        classes = frozenset[str]()
        if key is not None:
            best, (_, table, _) = self.optimum(getattr(at.what, key)), self.searched
            if table is None:
                sentence = "The best prediction needs expected values."
            elif isinstance(best, str):
                sentence = f"{best}."
            else:
                classes = best.best.candidate.classes
                sentence = f"The best expected {best.measure.name} of {table.space}: {braces(self.h, classes)}."
            return Prediction(at.how.rule, classes, ends_of(self.h, classes), sentence)
        how = replace(at.how, k=min(at.how.k, most_of(self.h, at.how)))
        try:
            return predict(self.p, how.rule, **how.settings)
        except InputError as error:
            return Prediction(at.how.rule, classes, classes, str(error))

    @property
    def rule_source(self) -> str:
        if self.at.how.rule in BEST:
            return "Plaud et al. 2024, Eq. 2, by comparing all candidates"
        return RULES[self.at.how.rule].source

    @cached_property
    def realised(self) -> Mapping[str, float]:
        """The values of the prediction against the chosen truth."""
        truth, predicted = self.truth, self.prediction.classes
        if self.at.what.labels == "most_specific":
            truth, predicted = ends_of(self.h, truth), self.prediction.ends
        return explain(self.h, truth, predicted, options=self.options)

    @cached_property
    def curve(self) -> Curve | None:
        """Precision and recall over all thresholds, for the chosen truth."""
        if not self.truth:
            return None
        root = self.options.counts_root(self.h)
        return instance_curve(
            self.p, self.at.truth, count_root=root, incoherent=self.at.what.incoherent
        )

    @cached_property
    def sweep(self) -> Optimum | str:
        """The measure's expected values over all thresholds, or the reason why they are missing."""
        at = self.at.what
        how = {"labels": at.labels, "options": self.options}
        return _swept(self.p, at.reading, at.measure_a, **how)

    @cached_property
    def steps(self) -> dict[str, list[tuple[float, float, float]]]:
        """The measure between thresholds (above, up to, value): expected, and for the truth."""
        found = {}
        if isinstance(self.sweep, Optimum):
            found["expected"] = [(r.low, r.high, a.value) for r, a in self.sweep.by_threshold]
        ranges = threshold_ranges(self.p)
        if self.truth and len(ranges) <= _most_compared(self.at.what.measure_a):
            found["realised"] = [
                (r.low, r.high, self._value_of(classes)) for classes, r in reversed(ranges.items())
            ]
        return found

    def _value_of(self, predicted: frozenset[str]) -> float:
        """Return the measure's value of a prediction against the chosen truth."""
        truth = self.truth
        if self.at.what.labels == "most_specific":
            truth, predicted = ends_of(self.h, truth), ends_of(self.h, predicted)
        return explain(self.h, truth, predicted, options=self.options)[self.at.what.measure_a]


def _read(p: NodeProbabilities, reading: Reading) -> Distribution:
    return (single_path if reading == "single_path" else independent)(p)


@lru_cache(maxsize=64)
def _searched(
    p: NodeProbabilities,
    reading: Reading,
    measures: tuple[str, ...],
    *,
    labels: Labels,
    options: Options,
) -> tuple[Distribution | None, CandidateTable | None, str]:
    """Return candidates: all coherent sets if they are few, else single paths, else likely events."""
    try:
        d = _read(p, reading)
    except InputError as error:
        return None, None, str(error)
    why = ""
    for space, words in (("coherent", ""), ("paths", "Only single paths are compared: {}.")):
        try:
            several = len(coherent_sets(p.hierarchy) if space == "coherent" else p.hierarchy) * len(
                d.events
            )
            if several <= MOST_COMPARED:
                chosen: Any = space
                return (
                    d,
                    search(d, measures, space=chosen, labels=labels, options=options),
                    words.format(why),
                )
            why = f"all others would take {several:,} comparisons, which is too many"
        except InputError as error:
            why = str(error)
    likeliest = sorted(d.events, key=lambda e: -e.probability)[
        : max(1, MOST_COMPARED // 2 // len(d.events) - 1)
    ]
    candidates = dict.fromkeys([frozenset[str](), *(e.classes for e in likeliest)])
    try:
        table = search(d, measures, candidates=candidates, labels=labels, options=options)
    except InputError as error:
        return d, None, str(error)
    return d, table, f"Only the likeliest possible truths are compared: {why}."


@lru_cache(maxsize=64)
def _swept(
    p: NodeProbabilities, reading: Reading, measure: str, *, labels: Labels, options: Options
) -> Optimum | str:
    try:
        d = _read(p, reading)
        pairs = len(threshold_ranges(p)) * len(d.events)
        if pairs > _most_compared(measure):
            return f"{pairs:,} comparisons of predictions with possible truths would take too long"
        return threshold_sweep(d, measure, labels=labels, options=options)
    except InputError as error:
        return str(error)


def _most_compared(measure: str) -> int:
    """Count the pairs of a prediction and a truth that a measure compares."""
    slow = CATALOGUE[measure].family in SLOW_FAMILIES
    return MOST_COMPARED // 10 if slow else MOST_COMPARED


def braces(h: Hierarchy, classes: frozenset[str], most: int = 8) -> str:
    """Return a set of classes as text, in the hierarchy's order.

    >>> braces(Hierarchy.from_nested({"r": {"1": ["5"]}}), frozenset({"5", "1"}))
    '{1, 5}'
    """
    if not classes:
        return "nothing"
    ordered = sorted(classes, key=h.index)
    return "{" + write_list(ordered, most) + "}"
