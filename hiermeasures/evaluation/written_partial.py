"""The JSON of a partial result, as pydantic checks it."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, JsonValue

from hiermeasures.evaluation.averages import Average
from hiermeasures.evaluation.encode import Lost
from hiermeasures.evaluation.outside import MOST_WRONG
from hiermeasures.evaluation.results import Partial


class WrittenPartial(BaseModel, frozen=True, extra="forbid", strict=True, allow_inf_nan=False):
    """The JSON of a partial result.

    A class is written as its place in the order of names. Equal hierarchies have an equal order.
    `columns` are the columns of each table. A result of a release with other columns is refused.
    `counts` are the counts per class, for each structure that has them.
    """

    hierarchy: str  # its fingerprint, without wrong classes
    wrong: Annotated[int, Field(ge=0, le=MOST_WRONG)]
    unknown: Literal["", "error", "wrong", "prefix", "nearest", "drop"]
    measures: Annotated[tuple[str, ...], Field(max_length=1000)]
    define: dict[str, str]
    average: Average
    options: dict[str, JsonValue]
    columns: dict[str, tuple[str, ...]]
    sums: Partial
    classes: str
    counts: str
    lost_true: Lost
    lost_predicted: Lost
