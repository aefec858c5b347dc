"""What the Systems page holds, as one immutable value: what is asked for, which job runs, what came of the last one,
and what is looked at.

Nothing is drawn or computed here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hiermeasures.compare import Comparison
from hiermeasures.options import Options
from hiermeasures.ui.binding import Slot
from hiermeasures.ui.job import Job
from hiermeasures.ui.systems.data import DEFAULT_MEASURES, Evaluation, Ranked, in_order

UPLOAD_FILES, NAME_PATHS = "Upload", "Path"
AUTOMATIC = "recognised automatically"
WHOLE = "the only one"
Purpose = Literal["", "evaluate", "compare", "count"]
Kind = Literal["labels", "scored"]  # what is evaluated


@dataclass(frozen=True)
class FileField:
    """What is given in one field of the form: paths or uploaded files by name and content, and their format."""

    path: str = ""
    uploads: tuple[tuple[str, bytes], ...] = ()
    format: str = AUTOMATIC


@dataclass(frozen=True)
class Form:
    """The form of one's own files. `asked` says that they are to be evaluated as soon as all are there."""

    source: str = UPLOAD_FILES
    hierarchy: FileField = FileField()
    true: FileField = FileField()
    systems: FileField = FileField()
    task: str = WHOLE
    unknown: Literal["drop", "fail"] = "drop"
    missing: Literal["empty", "fail"] = "empty"
    asked: bool = False


@dataclass(frozen=True)
class Finder:
    """What the view "Find" looks for: a condition on instances of one system or two, or two measures that prefer
    different ones.
    """

    kind: Literal["condition", "preference"] = "condition"
    condition: str = "hF > 0.8 and F_LCA < 0.7"
    system: str = ""
    other: str = ""
    first: str = "hP"
    second: str = "hR"


@dataclass(frozen=True)
class SystemsModel:
    """Everything that the page holds between runs.

    `measures` and `options` are as asked for; the evaluation has those that it was made with. `compared_as` is how the
    last comparison was asked for, `stopped` what a person stopped. What the views show comes last; a system or measure
    that is not there any more gives way to the first.
    """

    form: Form = Form()
    options: Options = field(default_factory=Options.make)
    measures: tuple[str, ...] = DEFAULT_MEASURES
    ranked: Ranked = field(default_factory=Ranked)
    job: Job | None = None
    purpose: Purpose = ""
    evaluation: Evaluation | None = None
    comparison: Comparison | None = None
    compared_as: Ranked | None = None
    faults: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""
    stopped: Purpose = ""
    kind: Kind = "labels"
    view: str = ""
    system: str = ""
    across: str = "hF"
    up: str = "F_LCA"
    pairs: str = ""
    counted: str = "hF"
    finder: Finder = Finder()
    pages: Mapping[str, int] = field(default_factory=dict)  # of each list of instances, from 1

    @property
    def measures_in_order(self) -> tuple[str, ...]:
        """The measures asked for, own ones and then in the catalogue's order."""
        return in_order(self.measures)


SYSTEMS: Slot[SystemsModel] = Slot("systems_model", SystemsModel)


def model() -> SystemsModel:
    """What the page of this session holds."""
    return SYSTEMS.value


def change(**parts: Any) -> None:
    """Replace parts of it."""
    SYSTEMS.set(replace(SYSTEMS.value, **parts))
