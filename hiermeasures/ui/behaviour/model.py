"""What the Behaviour page holds, as one immutable value, and the search that it asks for in a thread beside the page.

Nothing is drawn here, and nothing computed: hiermeasures.behaviour searches.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from hiermeasures.behaviour import PROPERTIES, Behaviour, Question, find, study
from hiermeasures.behaviour.find import Answer
from hiermeasures.options import Options
from hiermeasures.ui.binding import Slot
from hiermeasures.ui.explore.model import BEST_KNOWN
from hiermeasures.ui.systems.job import Job, Progress, StoppedError


@dataclass(frozen=True)
class Asked:
    """What is searched. Empty `measures` or `properties` are all of them; `pair` are two measures that may disagree."""

    measures: tuple[str, ...] = BEST_KNOWN
    properties: tuple[str, ...] = ()
    trees: int = 5
    dags: int = 4
    options: Options = field(default_factory=Options.make)
    pair: tuple[str, str] = ("hF", "F_LCA")

    def same_study(self, other: "Asked") -> bool:
        """Whether the matrix of another question answers this one, too."""
        return replace(self, pair=other.pair) == other


@dataclass(frozen=True)
class Found:
    """An answer: the matrix, and the smallest instance on which the pair disagrees."""

    asked: Asked
    matrix: Behaviour
    answer: Answer


@dataclass(frozen=True)
class BehaviourModel:
    """`before` is what was found under other options, `cell` the property and measure whose proof is shown."""

    asked: Asked = field(default_factory=Asked)
    running: Asked | None = None
    job: Job | None = None
    found: Found | None = None
    before: Found | None = None
    cell: tuple[str, str] = ("more_truth_never_hurts", "GIE")
    fault: str = ""
    stopped: bool = False


BEHAVIOUR: Slot[BehaviourModel] = Slot("behaviour_model", BehaviourModel)


def change(**parts: Any) -> None:
    """Replace parts of what the page holds."""
    BEHAVIOUR.set(replace(BEHAVIOUR.value, **parts))


def ask(**parts: Any) -> None:
    """Ask for something else; what was found before stays until it is there."""
    change(asked=replace(BEHAVIOUR.value.asked, **parts), stopped=False, fault="")


def searched(asked: Asked, known: Found | None) -> Callable[[Progress], Found]:
    """The work that answers a question."""

    def work(report: Progress) -> Found:
        stop = threading.Event()

        def progress(done: int, total: int) -> None:
            try:
                report("Searching hierarchies", done, total)
            except StoppedError:
                stop.set()
                raise

        sizes: dict[str, Any] = {"trees": asked.trees, "dags": asked.dags, "options": asked.options}
        sizes |= {"progress": progress, "stop": stop, "n_jobs": 1}
        matrix = (
            known.matrix
            if known is not None and asked.same_study(known.asked)
            else study(asked.measures or None, asked.properties or PROPERTIES, **sizes)
        )
        return Found(asked, matrix, find(Question.disagreement(*asked.pair), **sizes))

    return work


def turned(now: Found, before: Found | None) -> set[tuple[str, str]]:
    """The cells that a change of options turned from kept to broken or back."""
    if before is None or before.asked.options == now.asked.options:
        return set()
    return {
        (p, m)
        for p, row in now.matrix.verdicts.items()
        for m, verdict in row.items()
        if m in before.matrix.verdicts.get(p, {}) and before.matrix.verdicts[p][m].holds != verdict.holds
    }
