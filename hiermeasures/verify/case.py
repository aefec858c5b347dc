"""Cases: one drawn hierarchy with its true and predicted classes, made from a case file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from hiermeasures.hierarchy.class_weights import CLASS_WEIGHT, ICM_WEIGHT
from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures.explain import Explanation, checked_path, explain
from hiermeasures.measures.own import own_measures
from hiermeasures.read.hierarchies.building import isolated_classes, written_edges
from hiermeasures.verify.format import HierarchyEntry, LabelsEntry
from hiermeasures.verify.reading import Consequence, Loc, Misplaced


@dataclass(frozen=True)
class Case:
    """One drawn hierarchy with its classes.

    `key` is unique in the library (`kosmopoulos2015/figure-11a`). `options` are the settings that
    differ from their defaults. `define` has the case's own measures: expressions by name. `topics`
    are from format.TOPICS. `probabilities` has the probability of each class, if the figure shows
    a distribution. `reconstructed` lists the parts of the drawing that we inferred, or is "".
    `exact_work` limits the exact search for LCA graphs, as in `explain`.
    """

    hierarchy: Hierarchy
    key: str = ""
    paper: str = ""
    figure: str = ""
    part: str = ""
    title: str = ""
    teaches: str = ""
    true: frozenset[str] = frozenset()
    predicted: frozenset[str] = frozenset()
    true_paths: tuple[tuple[str, ...], ...] | None = None
    predicted_paths: tuple[tuple[str, ...], ...] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    define: Mapping[str, str] = field(default_factory=dict)
    probabilities: Mapping[str, float] | None = None
    reconstructed: str = ""
    topics: tuple[str, ...] = ()
    exact_work: int | None = None

    @property
    def label(self) -> str:
        return f"{self.figure}({self.part})" if self.part else self.figure

    @property
    def definitions(self) -> tuple[str, ...]:
        """The case's own measures as definitions, such as `mine=0.5*hF + 0.5*F_LCA`."""
        return tuple(
            f"{head.strip()}={expression.strip()}" for head, expression in self.define.items()
        )

    @cached_property
    def explained(self) -> Explanation:
        """The explanation of the case with its own options. It builds each structure once."""
        return self.explain()

    def explain(self, **settings: Any) -> Explanation:
        return explain(
            self.hierarchy,
            self.true,
            self.predicted,
            true_paths=self.true_paths,
            predicted_paths=self.predicted_paths,
            exact_work=self.exact_work,
            **{"define": self.define, **self.options, **settings},
        )

    def between(self, true: Iterable[str], predicted: Iterable[str]) -> Explanation:
        return explain(self.hierarchy, true, predicted, exact_work=self.exact_work, **self.options)

    def events(self) -> tuple[tuple[frozenset[str], float], ...]:
        """Return each class that can be the most specific true one, with its probability.

        A class comes as a set with its ancestors, without the root. Its probability is its own
        minus the sum of its children's.

        Raises
        ------
        InputError
            If the case has no probabilities, or if children are more probable than their parent.
        """
        if self.probabilities is None:
            raise InputError(f"{self.label} has no probabilities. Add the entry 'probabilities'")
        h = self.hierarchy
        found = []
        for label, probability in self.probabilities.items():
            rest = probability - sum(self.probabilities.get(c, 0.0) for c in h.children(label))
            if rest < -1e-9:
                raise InputError(
                    f"the children of {shown(label)} are more probable than {shown(label)} itself. "
                    "Correct the probabilities"
                )
            if rest > 1e-9:
                found.append((frozenset(h.up(label)) - {h.root}, rest))
        return tuple(found)


def changed(
    case: Case, labels: LabelsEntry, loc: Loc, known: Mapping[str, Hierarchy] | None = None
) -> Case:
    """Return a case with other classes, paths, options or hierarchy. Missing entries stay."""
    if labels.hierarchy is not None and known is not None:
        hierarchy = placed((*loc, "hierarchy"), hierarchy_of, labels.hierarchy, known)
        case = replace(case, hierarchy=hierarchy)
    sets = {
        name: placed((*loc, name), case.hierarchy.check, value)
        for name, value in (("true", labels.true), ("predicted", labels.predicted))
        if value is not None
    }
    paths: dict[str, Any] = {}
    for name in ("true", "predicted"):
        given = getattr(labels, f"{name}_paths")
        if given is not None:
            for path in given:
                placed((*loc, f"{name}_paths"), checked_path, case.hierarchy, path)
            paths[f"{name}_paths"] = given
            sets.setdefault(name, frozenset(path[-1] for path in given))
    options = {**case.options, **placed((*loc, "options"), settings_of, labels.options)}
    return replace(case, **sets, **paths, options=options)


def settings_of(given: Mapping[str, str]) -> dict[str, Any]:
    return Options.make(dict(given)).given


def defined_of(given: Mapping[str, str], loc: Loc) -> dict[str, str]:
    for head, expression in given.items():
        placed((*loc, "define", head), own_measures, {head: expression})
    placed((*loc, "define"), own_measures, given)
    return dict(given)


def hierarchy_of(entry: HierarchyEntry, known: Mapping[str, Hierarchy]) -> Hierarchy:
    """Return the hierarchy of an entry. The entry can refer to the hierarchies in `known`."""
    parts: list[Hierarchy] = []
    if entry.like:
        if entry.like not in known:
            raise InputError(unknown("case to be drawn like", entry.like, known))
        parts.append(known[entry.like])
    if entry.nested:
        parts.append(Hierarchy.from_nested(_without_blanks(entry.nested)))
    edges = [edge for part in parts for edge in written_edges(part)]
    made = Hierarchy.from_edges(
        [*edges, *edges_of(entry.edges)],
        (label for part in parts for label in isolated_classes(part)),
    )
    attributes: dict[str, dict[str, object]] = {}
    for part in parts:
        attributes |= {label: {**weights} for label, weights in part.class_attributes.items()}
    attributes |= {label: {CLASS_WEIGHT: weight} for label, weight in entry.weights.items()}
    for label, weight in entry.icm_weights.items():
        attributes.setdefault(label, {})[ICM_WEIGHT] = weight
    made.check([*entry.weights, *entry.icm_weights])
    return made.with_class_attributes(attributes)


def edges_of(text: str | Iterable[str]) -> list[tuple[str, str]]:
    """Return the edges of `A>B A>C`, or of chains such as `A>B>C`.

    In a list, labels can contain blanks.

    >>> edges_of("A>B>C, A>D")
    [('A', 'B'), ('B', 'C'), ('A', 'D')]
    """
    chains = (
        text.replace(" > ", ">").replace(",", " ").split() if isinstance(text, str) else list(text)
    )
    edges: list[tuple[str, str]] = []
    for chain in chains:
        steps = [step.strip() for step in chain.split(">")]
        if len(steps) < 2 or not all(steps):
            raise InputError(f"{shown(chain)} is not an edge. Write A>B, parent first")
        edges += pairwise(steps)
    return edges


def placed(loc: Loc, build: Any, *arguments: Any) -> Any:
    """Return the result of a call. Add the place in the file to an InputError."""
    try:
        return build(*arguments)
    except (Misplaced, Consequence):
        raise
    except InputError as error:
        raise Misplaced(loc, str(error)) from None


def _without_blanks(nested: Any) -> Any:
    if isinstance(nested, dict):
        return {label: _without_blanks(content) for label, content in nested.items()}
    return nested or None
