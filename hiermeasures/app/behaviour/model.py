"""State of the page of properties and of its two searches, each in a job."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import TypeAdapter

from hiermeasures.app.inbox import Slot
from hiermeasures.app.job import Progress, StoppedError, Working, settle, start
from hiermeasures.debug import PROPERTIES, Behaviour, study
from hiermeasures.debug.find import FindRequest, SmallestInstance, find
from hiermeasures.debug.search import (
    MOST_DAG,
    MOST_TREE,
    Setting,
    changes,
    chosen_measures,
    survey,
    try_known,
)
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CORE
from hiermeasures.measures.own import parted

QuestionKind = Literal["disagree", "edit", "condition"]
NO_EDIT = ""
# the classes of the first search for an instance, which takes at most a minute
FIRST_TREE, FIRST_DAG = (6, 5)
SMALL_TREE, SMALL_DAG = 5, 4  # classes, to compare a cell under all settings
MOST_ANSWERS = 30  # in the server's memory


@dataclass(frozen=True)
class MatrixRequest:
    """The requested matrix. Empty `measures` or `properties` mean all."""

    measures: tuple[str, ...] = CORE
    properties: tuple[str, ...] = ()
    trees: int = 5
    dags: int = 4
    options: Options = field(default_factory=Options.make)

    doing: ClassVar = "Searching for properties that break"

    def search(self, **how: Any) -> Behaviour:
        """Search every small hierarchy, then larger instances known to break a property."""
        measures = chosen_measures(self.measures or None)
        properties = self.properties or PROPERTIES
        found = study(
            measures, properties, trees=self.trees, dags=self.dags, options=self.options, **how
        )
        return found.with_sampled(try_known(found, measures, how.get("stop")))


@dataclass(frozen=True)
class Wanted:
    """The question that a search answers with the smallest instance.

    There are three questions. `a` and `b` prefer different predictions, an `edit` is better for `a`
    and worse for `b`, or a `condition` is true (with an edit, before and after it). `own` contains
    the definitions of own measures. `larger` is the number of extra classes that the search allows.
    """

    kind: QuestionKind = "disagree"
    a: str = "hF"
    b: str = "F_LCA"
    edit: str = "add"
    condition: str = "hF > 0.6 and F_LCA < 0.5"
    condition_edit: str = NO_EDIT
    dags_too: bool = True
    leaves_only: bool = False
    single_label: bool = False
    own: tuple[str, ...] = ()
    options: Options = field(default_factory=Options.make)
    larger: int = 0

    doing: ClassVar = "Searching for the smallest instance"

    @property
    def sizes(self) -> tuple[int, int]:
        """The sizes of the largest trees and DAGs that are searched, in classes."""
        dags = min(FIRST_DAG + self.larger, MOST_DAG) if self.dags_too else 0
        return min(FIRST_TREE + self.larger, MOST_TREE), dags

    @property
    def define(self) -> dict[str, str]:
        """The own measures that a condition may name: expressions by name."""
        return dict(map(parted, self.own))

    @property
    def question(self) -> FindRequest:
        if self.kind == "disagree":
            asked = FindRequest.disagreement(self.a, self.b)
        elif self.kind == "edit":
            asked = FindRequest(edit=self.edit, gains=(self.a,), loses=(self.b,))
        else:
            asked = FindRequest(self.condition, edit=self.condition_edit or None)
        return replace(asked, leaves_only=self.leaves_only, single_label=self.single_label)

    def search(self, **how: Any) -> SmallestInstance:
        trees, dags = self.sizes
        return find(
            self.question, trees=trees, dags=dags, define=self.define, options=self.options, **how
        )


@dataclass(frozen=True)
class MatrixSearch(Working):
    """One search. `found` answers `answered`, and `before` is the answer under other options."""

    asked: Any = None
    running: Any = None
    found: Any = None
    answered: Any = None
    before: Any = None


@dataclass(frozen=True)
class BehaviourModel:
    """The cell with the proof on the screen, and the last options copied from the Explorer."""

    cell: tuple[str, str] = ("more_truth_never_hurts", "GIE")
    explorer: Options | None = None


BEHAVIOUR: Slot[BehaviourModel] = Slot("behaviour_model", BehaviourModel)
SEARCHES: dict[str, Slot[MatrixSearch]] = {
    "instance": Slot("behaviour_instance_search", lambda: MatrixSearch(asked=Wanted())),
    "matrix": Slot("behaviour_matrix_search", lambda: MatrixSearch(asked=MatrixRequest())),
}


FIRST_ANSWERS = Path(__file__).with_name("first_answers.json")
STORED: TypeAdapter[Any] = TypeAdapter(
    list[tuple[Wanted, SmallestInstance] | tuple[MatrixRequest, Behaviour]]
)
PROOFS: Any = {"__all__": {1: {"verdicts": {"__all__": {"__all__": {"theorem"}}}}}}


def search(name: str) -> MatrixSearch:
    return SEARCHES[name].value


def ask(name: str, **parts: Any) -> None:
    """Change the request. The last result stays until the next one is ready."""
    SEARCHES[name].change(asked=replace(search(name).asked, **parts), stopped="", fault="")


def ask_with_options(options: Options) -> None:
    """Search again under other options, in both searches."""
    for name in SEARCHES:
        ask(name, options=options)


def proceed(name: str) -> None:
    """Store a finished result, then start the search if the request has no result yet."""
    take_result(name)
    at = search(name)
    if not (at.fault or at.stopped or at.asked in (at.running, at.answered)):
        start(SEARCHES[name], "search", _work(at.asked), running=at.asked)
        take_result(name)


def take_result(name: str) -> None:
    """Store the result of a finished search."""

    def taken(found: Behaviour | SmallestInstance) -> dict[str, Any]:
        at = search(name)
        other = at.answered is not None and at.answered.options != at.running.options
        return {"found": found, "answered": at.running, "before": at.found if other else at.before}

    settle(SEARCHES[name], taken)
    if search(name).job is None:
        SEARCHES[name].change(running=None)


def _work(asked: MatrixRequest | Wanted) -> Callable[[Progress], Behaviour | SmallestInstance]:

    def work(report: Progress) -> Behaviour | SmallestInstance:
        if asked in ANSWERS:
            return ANSWERS[asked]
        stop = threading.Event()

        def progress(done: int, total: int) -> None:
            try:
                report(asked.doing, done, total)
            except StoppedError:
                stop.set()
                raise

        found = asked.search(progress=progress, stop=stop, n_jobs=1)
        keep_answer(asked, found)
        return found

    return work


def keep_answer(asked: MatrixRequest | Wanted, found: Behaviour | SmallestInstance) -> None:
    """Keep an answer for all sessions. The oldest one goes if there are too many."""
    ANSWERS[asked] = found
    while len(ANSWERS) > MOST_ANSWERS:
        ANSWERS.pop(next(iter(ANSWERS)), None)


def store_first_answers() -> None:
    """Search the answers to the requests with which every session opens the page, and store them.

    Proofs are not stored. A test searches the answers again.
    """
    found = [(asked, asked.search(n_jobs=1)) for asked in (Wanted(), MatrixRequest())]
    FIRST_ANSWERS.write_bytes(STORED.dump_json(found, exclude=PROOFS))


def stored_first_answers() -> dict[MatrixRequest | Wanted, Behaviour | SmallestInstance]:
    """Return the stored answers. Each answers only the request stored with it."""
    return {
        asked: found.with_proofs(chosen_measures(asked.measures))
        if isinstance(asked, MatrixRequest)
        else found
        for asked, found in STORED.validate_json(FIRST_ANSWERS.read_bytes())
    }


ANSWERS = stored_first_answers()
"""Finished searches of all sessions, by their requests."""


@lru_cache(maxsize=500)
def changed_under(prop: str, key: str, options: Options, *, trees: bool) -> tuple[str, ...]:
    """Return the names of the settings that change a cell on small hierarchies."""
    base = Setting.of(options, trees)
    found = survey([key], [prop], trees=SMALL_TREE, dags=SMALL_DAG, options=options, n_jobs=1)
    return tuple(setting.less(base).name for setting in changes(found, prop, key, base))


def turned(now: Behaviour, before: Behaviour | None) -> set[tuple[str, str]]:
    """Return the cells that the options turned from kept to broken, or from broken to kept."""
    if before is None or before.options == now.options:
        return set()
    return {
        (p, m)
        for p, row in now.verdicts.items()
        for m, verdict in row.items()
        if m in before.verdicts.get(p, {}) and before.verdicts[p][m].holds != verdict.holds
    }
