"""Optimal predictions that the literature knows in closed form, each with its source and the condition under which it
holds. The search that they are set beside is in optimal.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hiermeasures.inference.events import Distribution
from hiermeasures.inference.expected import Labels
from hiermeasures.measures.explain import find_measure
from hiermeasures.options import Options


@dataclass(frozen=True)
class ClosedForm:
    """An optimum known without a search. `applies` says whether its condition holds here; if not, `why_not` says what
    fails.

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
class _Known:
    statement: str
    condition: str
    source: str
    predict: Callable[[Distribution], frozenset[str]]
    obstacle: Callable[[Distribution, str, Options], str]


def closed_form(
    distribution: Distribution, measure: str, *, labels: Labels = "all", options: Options | None = None, **settings: Any
) -> ClosedForm | None:
    """The optimum of a measure as the literature knows it, or None where no closed form is known (hF among them).

    Examples
    --------
    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.inference import NodeProbabilities, single_path
    >>> h = Hierarchy.from_nested({"r": {"1": ["3", "4"], "2": None}})
    >>> d = single_path(NodeProbabilities.of(h, {"1": 0.75, "2": 0.25, "3": 0.5, "4": 0.25}))
    >>> sorted(closed_form(d, "hamming").classes), closed_form(d, "hF")
    (['1'], None)
    """
    find_measure(measure)
    chosen = Options.make(options.model_dump(exclude_unset=True) if options else None, **settings)
    known = _KNOWN.get(measure)
    if known is None:
        return None
    why_not = known.obstacle(distribution, labels, chosen)
    return ClosedForm(
        measure, known.statement, known.condition, known.source, known.predict(distribution), not why_not, why_not
    )


def _above_half(d: Distribution) -> frozenset[str]:
    return frozenset(c for c in d.hierarchy.nodes[1:] if d.marginals[c] > 0.5)


def _likeliest_event(d: Distribution) -> frozenset[str]:
    return max(d.events, key=lambda e: e.probability).classes


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
