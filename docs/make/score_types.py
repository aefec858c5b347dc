"""Write what type checkers and readers are told of the score functions, which are made from the
catalogue: their signatures, and an example of each.
"""

import json
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from hiermeasures import Hierarchy, evaluate
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE, Measure

_HEAD = """\
# Written by docs.make.generated: the score functions of hiermeasures.metrics for type checkers.
# fmt: off
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from numpy.typing import ArrayLike

from hiermeasures.evaluation.encode import UnknownPolicy
from hiermeasures.evaluation.results import Average
from hiermeasures.hierarchy.hierarchy import Hierarchy
"""
_SHARED = (
    "y_true: Any, y_pred: Any, *, hierarchy: Hierarchy, average: Average = 'samples', "
    "classes: Sequence[str] | Mapping[Any, str] | None = None, threshold: float | None = None, "
    "argmax: bool = False, "
    "unknown: UnknownPolicy = 'fail', sample_weight: ArrayLike | None = None"
)
EDGES = [("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")]
TRUE, PREDICTED = ["T1", "C"], ["P1", "C"]


def score_types() -> str:
    """hiermeasures/score_types.pyi: a signature for each measure that has a function."""
    lines = (
        f"def {m.function}({_SHARED}{_options(m)}) -> float: ..."
        for m in CATALOGUE.values()
        if m.function
    )
    return "\n".join([_HEAD, *lines, ""])


def _options(measure: Measure) -> str:
    fields = Options.model_fields
    return "".join(
        f", {name}: {_type(fields[name].annotation)} = {fields[name].default!r}"
        for name in measure.options
    )


def _type(annotation: Any) -> str:
    """Return an annotation as it is written."""
    if get_origin(annotation) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(annotation)))}]"
    if get_origin(annotation) in (Union, UnionType):
        return " | ".join(map(_type, get_args(annotation)))
    return "None" if annotation is NoneType else str(annotation.__name__)


def score_examples() -> str:
    """hiermeasures/score_examples.json: what the example in each function's docstring gives; a
    doctest runs it.
    """
    report = evaluate(Hierarchy.from_edges(EDGES), TRUE, PREDICTED, measures=CATALOGUE)
    values = {m.function: round(report[m.key], 4) for m in CATALOGUE.values() if m.function}
    return json.dumps(values, indent=1) + "\n"
