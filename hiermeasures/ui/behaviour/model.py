"""What the Behaviour page holds, as one immutable value, and its two searches, each in a thread beside the page: the
matrix of properties and measures, and the smallest instance that answers a question.

Nothing is drawn here, and nothing computed: hiermeasures.behaviour searches.
"""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hiermeasures.behaviour import PROPERTIES, Behaviour, Question, find, study
from hiermeasures.behaviour.find import Answer
from hiermeasures.errors import InputError
from hiermeasures.measures import BEST_KNOWN
from hiermeasures.measures.own import parted
from hiermeasures.options import Options
from hiermeasures.ui.binding import Slot
from hiermeasures.ui.job import Job, Progress, StoppedError
from hiermeasures.ui.watching import broke_off

QuestionKind = Literal["disagree", "edit", "condition"]
NO_EDIT = ""


@dataclass(frozen=True)
class Asked:
    """The matrix that is asked for. Empty `measures` or `properties` are all of them."""

    measures: tuple[str, ...] = BEST_KNOWN
    properties: tuple[str, ...] = ()
    trees: int = 5
    dags: int = 4
    options: Options = field(default_factory=Options.make)

    @property
    def doing(self) -> str:
        return "Searching for properties that break"

    def search(self, **how: Any) -> Behaviour:
        """The search that answers it."""
        measures, properties = self.measures or None, self.properties or PROPERTIES
        return study(measures, properties, trees=self.trees, dags=self.dags, options=self.options, **how)


@dataclass(frozen=True)
class Wanted:
    """The instance that is looked for: one on which `a` prefers another prediction than `b`, on which an `edit` is
    better for `a` and worse for `b`, or on which a `condition` holds (with an edit: on it and on what is after).
    `own` are the definitions of own measures.
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

    @property
    def doing(self) -> str:
        return "Searching for the smallest instance"

    @property
    def define(self) -> dict[str, str]:
        """The own measures that a condition may name, expressions by name."""
        return dict(map(parted, self.own))

    @property
    def question(self) -> Question:
        """The same for the search."""
        if self.kind == "disagree":
            asked = Question.disagreement(self.a, self.b)
        elif self.kind == "edit":
            asked = Question(edit=self.edit, gains=(self.a,), loses=(self.b,))
        else:
            asked = Question(self.condition, edit=self.condition_edit or None)
        return replace(asked, leaves_only=self.leaves_only, single_label=self.single_label)

    def search(self, **how: Any) -> Answer:
        """The search that answers it, in hierarchies that take no longer than a minute."""
        dags = 5 if self.dags_too else 0
        return find(self.question, trees=6, dags=dags, define=self.define, options=self.options, **how)


@dataclass(frozen=True)
class Search:
    """One search: what is asked, what runs, what was found and for what, and what was found under other options."""

    asked: Any
    running: Any = None
    job: Job | None = None
    found: Any = None
    answered: Any = None
    before: Any = None
    fault: str = ""
    stopped: bool = False


@dataclass(frozen=True)
class BehaviourModel:
    """`cell` is the property and measure whose proof is shown, `explorer` the options that the Explorer had when this
    page took them over last.
    """

    matrix: Search = field(default_factory=lambda: Search(Asked()))
    instance: Search = field(default_factory=lambda: Search(Wanted()))
    cell: tuple[str, str] = ("more_truth_never_hurts", "GIE")
    explorer: Options | None = None


SEARCHES = ("instance", "matrix")
BEHAVIOUR: Slot[BehaviourModel] = Slot("behaviour_model", BehaviourModel)


def change(**parts: Any) -> None:
    """Replace parts of what the page holds."""
    BEHAVIOUR.set(replace(BEHAVIOUR.value, **parts))


def search(name: str) -> Search:
    """One of SEARCHES."""
    found: Search = getattr(BEHAVIOUR.value, name)
    return found


def change_search(name: str, **parts: Any) -> None:
    change(**{name: replace(search(name), **parts)})


def ask(name: str, **parts: Any) -> None:
    """Ask for something else; what was found before stays until it is there."""
    change_search(name, asked=replace(search(name).asked, **parts), stopped=False, fault="")


def ask_with_options(options: Options) -> None:
    """Ask both anew under other options."""
    for name in SEARCHES:
        ask(name, options=options)


def begin(name: str, at_once: float) -> None:
    """Start the search for what is asked now, unless it is found, running, stopped or faulty; wait a moment for it."""
    at = search(name)
    if at.fault or at.stopped or at.asked in (at.running, at.answered):
        return
    if at.job is not None:
        at.job.stop()
    job = Job(_work(at.asked))
    change_search(name, job=job, running=at.asked)
    job.wait(at_once)
    settle(name)


def settle(name: str) -> None:
    """Take what a finished search brought."""
    at = search(name)
    if at.job is None or not at.job.finished:
        return
    change_search(name, job=None, running=None)
    try:
        found = at.job.result()
    except StoppedError:
        change_search(name, stopped=True)
    except InputError as error:
        change_search(name, fault=str(error))
    except Exception:
        change_search(name, fault=broke_off("search"))
    else:
        other = at.answered is not None and at.answered.options != at.running.options
        change_search(name, found=found, answered=at.running, before=at.found if other else at.before)


def _work(asked: Asked | Wanted) -> Callable[[Progress], Behaviour | Answer]:
    """The work that answers a question."""

    def work(report: Progress) -> Behaviour | Answer:
        stop = threading.Event()

        def progress(done: int, total: int) -> None:
            try:
                report(asked.doing, done, total)
            except StoppedError:
                stop.set()
                raise

        return asked.search(progress=progress, stop=stop, n_jobs=1)

    return work


def turned(now: Behaviour, before: Behaviour | None) -> set[tuple[str, str]]:
    """The cells that a change of options turned from kept to broken or back."""
    if before is None or before.options == now.options:
        return set()
    return {
        (p, m)
        for p, row in now.verdicts.items()
        for m, verdict in row.items()
        if m in before.verdicts.get(p, {}) and before.verdicts[p][m].holds != verdict.holds
    }
