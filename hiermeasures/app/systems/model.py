"""State of the Systems page, an immutable value for labels and one for scored terms: the form, the
job, what the last one brought, and what is looked at. Nothing is drawn or computed here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from hiermeasures.app.binding import Slot
from hiermeasures.app.job import Working
from hiermeasures.app.systems.data import (
    DEFAULT_MEASURES,
    Evaluation,
    Point,
    Protocol,
    Ranked,
    Request,
    ScoredEvaluation,
    ScoredRequest,
    TableRequest,
    TargetsAt,
    in_order,
)
from hiermeasures.compare import Comparison
from hiermeasures.core.edge_rows import Errors
from hiermeasures.core.options import Options
from hiermeasures.engine.answers import Policy

UPLOAD_FILES, NAME_PATHS = "Upload", "Path"
AUTOMATIC = "recognised automatically"
WHOLE = "the only one"
Kind = Literal["labels", "table", "scored"]


@dataclass(frozen=True)
class FileField:
    """Files of one field: paths, or uploads by name and content; and their format."""

    path: str = ""
    uploads: tuple[tuple[str, bytes], ...] = ()
    format: str = AUTOMATIC


@dataclass(frozen=True)
class Form:
    """Files of a form, which has some of the fields. With `asked` they are evaluated when all are
    there; `begun` is the request whose evaluation was begun last.
    """

    source: str = UPLOAD_FILES
    hierarchy: FileField = FileField()
    ontology: FileField = FileField()
    table: FileField = FileField()
    true: FileField = FileField()
    systems: FileField = FileField()
    information: FileField = FileField()
    asked: bool = False
    begun: Request | TableRequest | ScoredRequest | None = None


@dataclass(frozen=True)
class Finder:
    """Question of the view "Search": a condition on instances of one system or two ("": made of the
    two measures that are looked at), or two measures that prefer different ones.
    """

    kind: Literal["condition", "preference"] = "condition"
    condition: str = ""
    system: str = ""
    other: str = ""
    first: str = "hP"
    second: str = "hR"


@dataclass(frozen=True, eq=False)
class FirstRows:
    """First rows of a table, and the file that they are of."""

    source: bytes | Path
    columns: Mapping[str, list[str]] = field(default_factory=dict)
    fault: str = ""


@dataclass(frozen=True)
class Columns:
    """Choices for reading one table; what a person leaves open is found."""

    true: str = ""
    predicted: tuple[str, ...] = ()
    paths: str = ""
    unknown: Policy = "wrong"


@dataclass(frozen=True)
class SystemsModel(Working):
    """State of the page, and of its evaluation of labels.

    `measures` and `options` are as asked for; the evaluation has those that it was made with.
    `compared_as` are the settings of the last comparison that was begun, `comparison_as` those of
    the one that is there. A `system` or measure that is not there any more gives way to the first.
    """

    kind: Kind = "labels"
    form: Form = Form()
    first_rows: FirstRows | None = None
    columns: Columns = Columns()
    task: str = WHOLE
    unknown: Literal["drop", "fail"] = "drop"
    missing: Literal["empty", "fail"] = "empty"
    errors: Errors = "raise"
    options: Options = field(default_factory=Options.make)
    measures: tuple[str, ...] = DEFAULT_MEASURES
    ranked: Ranked = field(default_factory=Ranked)
    evaluation: Evaluation | None = None
    comparison: Comparison | None = None
    compared_as: Ranked | None = None
    comparison_as: Ranked | None = None
    view: str = ""
    system: str = ""
    across: str = "hF"
    up: str = "F_LCA"
    listed: Literal["disagreement", "worst"] = "disagreement"
    pairs: str = ""
    counted: str = "hF"
    finder: Finder = Finder()
    pages: Mapping[str, int] = field(default_factory=dict)  # of each list of instances, from 1

    @property
    def measures_in_order(self) -> tuple[str, ...]:
        """The measures asked for, own ones and then in the catalogue's order."""
        return in_order(self.measures)


@dataclass(frozen=True)
class ScoredModel(Working):
    """State of the evaluation of scored terms.

    `protocol` is as asked for; the evaluation has the one that it was made by. `listed_at` is the
    point whose targets were asked for last. A namespace or system that is not there any more gives
    way to the first, and `tau` None is the best threshold.
    """

    form: Form = Form()
    protocol: Protocol = field(default_factory=Protocol)
    evaluation: ScoredEvaluation | None = None
    targets: TargetsAt | None = None
    listed_at: Point | None = None
    weighted: bool = True
    namespace: str = ""
    system: str = ""
    tau: float | None = None

    def point(self) -> Point | None:
        """Return the chosen point; None if nothing was evaluated."""
        if self.evaluation is None:
            return None
        namespaces = self.evaluation.namespaces
        namespace = self.namespace if self.namespace in namespaces else namespaces[0]
        systems = self.evaluation.systems(namespace)
        system = self.system if self.system in systems else systems[0]
        value = "F_max_w" if self.weighted else "F_max"
        tau = self.tau if self.tau is not None else self.evaluation.best(system, namespace, value)
        return Point(system, namespace, tau, self.weighted)


SYSTEMS: Slot[SystemsModel] = Slot("systems_model", SystemsModel)
SCORED: Slot[ScoredModel] = Slot("scored_model", ScoredModel)
