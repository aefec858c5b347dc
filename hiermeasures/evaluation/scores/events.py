"""Coherence of probabilities with the hierarchy, and the sets of labels that may be the truth.

Probabilities are coherent if no class has a higher probability than its parents. A single path is
possible if, in addition, the children of a class never sum to more than the class. It is exhaustive
if they always sum to exactly the class (Plaud et al. 2024, Section 4.1). Odd numbers are reported,
never repaired.

Probabilities of single classes do not determine how often classes occur together. So you need an
assumption. `single_path` assumes one path: exactly one class is the most specific true one.
`independent` assumes that classes are independent given their parents. Both are exact, state their
assumption, and refuse probabilities that contradict it. expected.py computes expected values.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from hiermeasures.evaluation.scores.probabilities import TOLERANCE, NodeProbabilities
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures.sets import SpecificClasses


@dataclass(frozen=True)
class Incoherence:
    """A parent and the children that do not fit it, with a sentence that explains why."""

    parent: str
    classes: tuple[str, ...]
    sentence: str


@dataclass(frozen=True)
class Coherence:
    """Findings about the probabilities of one instance, made by `coherence`.

    Attributes
    ----------
    child_above_parent : tuple of Incoherence
        Classes with a higher probability than a parent.
    siblings_over : tuple of Incoherence
        Classes with children that sum to more than the class.
    stopping : tuple of Incoherence
        Classes with children that sum to less than the class. A path may stop there.
    """

    child_above_parent: tuple[Incoherence, ...]
    siblings_over: tuple[Incoherence, ...]
    stopping: tuple[Incoherence, ...]

    @property
    def grave(self) -> tuple[Incoherence, ...]:
        """The findings that exclude a single path."""
        return (*self.child_above_parent, *self.siblings_over)

    @property
    def coherent(self) -> bool:
        """True if no class has a higher probability than its parents."""
        return not self.child_above_parent

    @property
    def single_path(self) -> bool:
        """True if the probabilities can be those of one path."""
        return not self.grave

    @property
    def sentences(self) -> tuple[str, ...]:
        """One plain sentence for each finding, the most serious kind first."""
        return tuple(finding.sentence for finding in (*self.grave, *self.stopping))


def coherence(probabilities: NodeProbabilities) -> Coherence:
    """Check whether the probabilities of one instance fit the hierarchy.

    Differences up to TOLERANCE count as rounding (Plaud et al. 2024, Section 4.1).

    Parameters
    ----------
    probabilities : NodeProbabilities

    Returns
    -------
    Coherence

    See Also
    --------
    single_path : Turn the probabilities into those of paths.
    NodeProbabilities.renormalised : Scale children so that they sum to their parent.

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> h = Hierarchy.from_nested({"r": {"1": ["3"], "2": None}})
    >>> found = coherence(NodeProbabilities.of(h, {"1": 0.5, "2": 0.25, "3": 0.75}))
    >>> found.coherent, found.sentences[0]
    (False, "'3' (0.75) is likelier than its parent '1' (0.5)")
    """
    p, h = probabilities, probabilities.hierarchy
    above = tuple(
        Incoherence(
            q, (c,), f"{shown(c)} ({p[c]:.4g}) is likelier than its parent {shown(q)} ({p[q]:.4g})"
        )
        for q, c in h.edges
        if p[c] > p[q] + TOLERANCE
    )
    # In a DAG the probabilities that each class below is the most specific true one are summed.
    sums = {c: p[c] - mass for c, mass in ending_mass(p).items() if h.children(c)}

    def found(sign: int, relation: str) -> tuple[Incoherence, ...]:
        words = "the children of {} sum to {:.4g}, {} than its own {:.4g}"
        return tuple(
            Incoherence(c, h.children(c), words.format(shown(c), sums[c], relation, p[c]))
            for c in h.nodes
            if c in sums and sign * (sums[c] - p[c]) > TOLERANCE
        )

    return Coherence(above, found(1, "more"), found(-1, "less"))


def ending_mass(probabilities: NodeProbabilities) -> dict[str, float]:
    """Return for each class the probability that it is the only most specific true class.

    This is the probability of the class minus these values of all classes below, each counted
    once. In a tree it is the class's probability minus those of its children.
    """
    p, h = probabilities, probabilities.hierarchy
    if h.is_tree:
        return {c: p[c] - sum(p[d] for d in h.children(c)) for c in h.nodes}
    mass: dict[str, float] = {}
    for c in reversed(h.nodes):
        mass[c] = p[c] - sum(mass[d] for d in h.descendants(c))
    return mass


SET_LIMIT = 4096
"""The limit on label sets in a list of events or candidates."""


@dataclass(frozen=True)
class Event:
    """One set of true labels and its probability.

    `classes` are coherent: they contain all ancestors. They leave out the root, because it is
    always true. `ends` are the most specific of them.
    """

    classes: frozenset[str]
    ends: frozenset[str]
    probability: float


@dataclass(frozen=True)
class Distribution:
    """The label sets that may be true, with their probabilities.

    `single_path` and `independent` make it.

    Attributes
    ----------
    hierarchy : Hierarchy
    events : tuple of Event
    assumption : str
        A sentence on how the probabilities of classes became those of sets.
    probabilities : NodeProbabilities
    one_path : bool
        True if exactly one path is true.
    """

    hierarchy: Hierarchy
    events: tuple[Event, ...]
    assumption: str
    probabilities: NodeProbabilities
    one_path: bool

    @cached_property
    def marginals(self) -> dict[str, float]:
        """The probability of each class under the events. The root's is 1 up to rounding."""
        sums = dict.fromkeys(self.hierarchy.nodes, 0.0)
        for event in self.events:
            for c in (self.hierarchy.root, *event.classes):
                sums[c] += event.probability
        return sums


def single_path(probabilities: NodeProbabilities) -> Distribution:
    """Return the distribution over paths: exactly one class is the most specific true one.

    Each leaf has an event for its path, even with probability 0. An inner class has an event if its
    children sum to less than the class. The difference is the probability that the path ends there
    (Plaud et al. 2024, Section 1, without the condition that a path reaches a leaf). In a DAG a
    "path" is a class with all its ancestors. Differences up to TOLERANCE count as rounding.

    Parameters
    ----------
    probabilities : NodeProbabilities

    Returns
    -------
    Distribution

    Raises
    ------
    InputError
        If a class is likelier than its parent, or siblings sum to more than their parent.

    See Also
    --------
    independent : Assume independent classes given their parents.
    coherence : List the classes that do not fit.
    NodeProbabilities.renormalised : Make the probabilities fit.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> d = single_path(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.25, "4": 0.25}))
    >>> [(sorted(e.classes), e.probability) for e in d.events]
    [(['1'], 0.25), (['2'], 0.25), (['1', '3'], 0.25), (['1', '4'], 0.25)]
    """
    found = coherence(probabilities)
    if not found.single_path:
        more = len(found.grave) - 1
        raise InputError(
            f"a single path cannot have these probabilities: {found.sentences[0]}"
            + (f" ({more} more like it)" if more else "")
        )
    h = probabilities.hierarchy
    mass = ending_mass(probabilities)
    events = tuple(
        Event(closed(h, {c}), frozenset({c}) - {h.root}, max(mass[c], 0.0))
        for c in h.nodes
        if c in h.leaves or mass[c] > TOLERANCE
    )
    assumption = "One path is true, and it ends at a leaf."
    if found.stopping:
        assumption = (
            "One path is true. If the children of a class sum to less than the class itself, the "
            "rest is the probability that the path ends there."
        )
    return Distribution(h, events, assumption, probabilities, one_path=True)


def independent(probabilities: NodeProbabilities) -> Distribution:
    """Return the distribution over coherent sets if classes are independent given their parents.

    A conditional sigmoid has this meaning (Plaud et al. 2024, Section 4.3): any number of paths,
    which may end anywhere. Every set with a probability above 0 is an event.

    Parameters
    ----------
    probabilities : NodeProbabilities

    Returns
    -------
    Distribution

    Raises
    ------
    InputError
        If a class is likelier than all of its parents together, or if more than SET_LIMIT sets are
        possible.

    See Also
    --------
    single_path : Assume exactly one true path.

    Examples
    --------
    >>> h = Hierarchy.from_nested({"r": {"1": ["3"], "2": None}})
    >>> d = independent(NodeProbabilities.of(h, {"1": 0.5, "2": 0.5, "3": 0.5}, kind="conditional"))
    >>> len(d.events), {e.probability for e in d.events if e.ends == {"3", "2"}}
    (6, {0.125})
    """
    p, h = probabilities, probabilities.hierarchy
    gates = {h.root: 1.0}  # the probability of each class given that all its ancestors are true
    states: list[tuple[frozenset[str], float]] = [(frozenset({h.root}), 1.0)]
    for c in h.nodes[1:]:
        together = 1.0
        for a in h.ancestors(c):
            together *= gates[a]
        if p[c] > together + TOLERANCE:
            whole = "its parent" if len(h.parents(c)) == 1 else "all its parents together"
            raise InputError(
                f"independent classes cannot have these probabilities: {shown(c)} ({p[c]:.4g}) is "
                f"likelier than {whole} ({together:.4g})"
            )
        gates[c] = min(p[c] / together, 1.0) if together else 0.0
        states = list(_decided(states, c, set(h.parents(c)), gates[c]))
        if len(states) > SET_LIMIT:
            raise InputError(
                f"independent classes have more than {SET_LIMIT:,} possible label sets here, above "
                f"the limit. "
                "Read the probabilities as a single path, or choose fewer classes."
            )
    events = tuple(
        Event(s - {h.root}, ends_of(h, s - {h.root}), chance)
        for s, chance in sorted(states, key=lambda state: set_order(h, state[0]))
    )
    assumption = (
        "If all parents of a class are true, it is true or false independently of the others. "
        "Otherwise it is false."
    )
    return Distribution(h, events, assumption, probabilities, one_path=False)


def _decided(
    states: Iterable[tuple[frozenset[str], float]], c: str, parents: set[str], gate: float
) -> Iterator[tuple[frozenset[str], float]]:
    """Yield sets and their probabilities after one more class is decided.

    The class is true with probability `gate` if all its parents are true, and false otherwise.
    """
    for classes, chance in states:
        below = parents <= classes
        if not below or gate < 1:
            yield classes, chance * (1 - gate) if below else chance
        if below and gate > 0:
            yield classes | {c}, chance * gate


def coherent_sets(hierarchy: Hierarchy) -> tuple[frozenset[str], ...]:
    """Return every coherent set of classes, including the empty one, small ones first.

    The sets leave out the root. It is always implied.

    Raises
    ------
    InputError
        For more than SET_LIMIT sets.

    See Also
    --------
    search : Find the set with the best expected value.

    Examples
    --------
    >>> [sorted(s) for s in coherent_sets(Hierarchy.from_nested({"r": {"1": ["3"], "2": None}}))]
    [[], ['1'], ['2'], ['1', '2'], ['1', '3'], ['1', '2', '3']]
    """
    sets = [frozenset({hierarchy.root})]
    for c in hierarchy.nodes[1:]:
        parents = set(hierarchy.parents(c))
        sets += [s | {c} for s in sets if parents <= s]
        if len(sets) > SET_LIMIT:
            raise InputError(
                f"the hierarchy has more than {SET_LIMIT:,} coherent sets of classes, above the "
                "limit. Search a smaller space ('paths' or 'thresholds')."
            )
    return tuple(s - {hierarchy.root} for s in sorted(sets, key=lambda s: set_order(hierarchy, s)))


def closed(hierarchy: Hierarchy, labels: Iterable[str]) -> frozenset[str]:
    """Return the labels with all their ancestors, without the root."""
    return frozenset(a for c in hierarchy.check(labels) for a in hierarchy.up(c)) - {hierarchy.root}


def ends_of(hierarchy: Hierarchy, classes: frozenset[str]) -> frozenset[str]:
    """Return the most specific classes of a set: those without a descendant in it."""
    return frozenset(SpecificClasses.of(hierarchy, classes).classes)


def set_order(hierarchy: Hierarchy, classes: Iterable[str]) -> tuple[int, list[int]]:
    """Return the sort key of sets: small ones first, then by the numbers of their classes."""
    numbers = sorted(hierarchy.index(c) for c in classes)
    return len(numbers), numbers
