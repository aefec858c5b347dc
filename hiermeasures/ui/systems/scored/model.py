"""What the evaluation of scored terms holds on the Systems page, as one immutable value: what is asked for, which job
runs, what came of the last one, and what is looked at.

Nothing is drawn or computed here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hiermeasures.ui.binding import Slot
from hiermeasures.ui.job import Job
from hiermeasures.ui.systems.model import UPLOAD_FILES, FileField
from hiermeasures.ui.systems.scored.data import Point, Protocol, ScoredEvaluation, TargetsAt

ScoredPurpose = Literal["", "evaluate", "targets"]


@dataclass(frozen=True)
class ScoredForm:
    """The form of one's own files. `asked` says that they are to be evaluated as soon as all are there."""

    source: str = UPLOAD_FILES
    ontology: FileField = field(default_factory=FileField)
    true: FileField = field(default_factory=FileField)
    systems: FileField = field(default_factory=FileField)
    information: FileField = field(default_factory=FileField)
    asked: bool = False


@dataclass(frozen=True)
class ScoredModel:
    """Everything that is held between runs.

    `protocol` is as asked for; the evaluation has the one that it was made by. `listed_at` is the point whose targets
    were asked for last, `stopped` what a person stopped. Of what is looked at, a namespace or system that is not there
    any more gives way to the first, and `tau` None is the best threshold.
    """

    form: ScoredForm = ScoredForm()
    protocol: Protocol = field(default_factory=Protocol)
    job: Job | None = None
    purpose: ScoredPurpose = ""
    evaluation: ScoredEvaluation | None = None
    targets: TargetsAt | None = None
    listed_at: Point | None = None
    faults: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""
    stopped: ScoredPurpose = ""
    weighted: bool = True
    namespace: str = ""
    system: str = ""
    tau: float | None = None

    @property
    def value(self) -> str:
        """The value of a report's summary by which a threshold is the best."""
        return "F_max_w" if self.weighted else "F_max"

    def point(self) -> Point | None:
        """The point that is looked at; None where nothing was evaluated."""
        if self.evaluation is None:
            return None
        namespaces = self.evaluation.namespaces
        namespace = self.namespace if self.namespace in namespaces else namespaces[0]
        systems = self.evaluation.systems(namespace)
        system = self.system if self.system in systems else systems[0]
        tau = self.tau if self.tau is not None else self.evaluation.best(system, namespace, self.value)
        return Point(system, namespace, tau, self.weighted)


SCORED: Slot[ScoredModel] = Slot("scored_model", ScoredModel)


def model() -> ScoredModel:
    """What this part of the page holds in this session."""
    return SCORED.value


def change(**parts: Any) -> None:
    """Replace parts of it."""
    SCORED.set(replace(SCORED.value, **parts))
