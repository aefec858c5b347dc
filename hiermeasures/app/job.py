"""Jobs of a page: long work in a thread.

A job reports its progress, can be stopped, and keeps its result until the page takes it. This
module also has the page's side: it starts a job, shows it, takes its result and continues.

The thread does not use Streamlit, and the page polls it. A stopped job is over for the page at
once. Its thread ends at its next report, which may be only after a kernel was compiled. A job whose
session has ended stops itself.
"""

import logging
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from hiermeasures.app.binding import button
from hiermeasures.app.inbox import Slot
from hiermeasures.draw.text import escaped
from hiermeasures.evaluation.warm import compiling_seconds
from hiermeasures.hierarchy.errors import InputError

Progress = Callable[[str, int, int], None]

AT_ONCE = 0.6  # seconds until the page shows progress
POLL = 0.5
# Long, because every look is a run, and the page does not rest before the run ends.
POLL_COMPILING = 2.0
SMALL = 1_000_000  # bytes evaluated at once; larger files wait for Evaluate
BROKE_OFF = "This stopped because of an error in the program. The server's log has the details."

COMPILING = "Getting ready: the array kernels are being compiled for this machine."
COMPILING_HELP = (
    "This happens once and takes about a minute, or longer on a busy machine. Large files and long \
searches are faster afterwards. You can use everything here meanwhile."
)

# Results of a container that belong to an earlier request.
OUTDATED = "<style>.st-key-{} {{ filter: grayscale(1); opacity: 0.8; }}</style>"


class StoppedError(Exception):
    """Raised inside the work when it has been stopped."""


class FieldError(Exception):
    """A fault and the field that shows it. The message is one plain line."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass
class _Shared:
    """State that the thread and the page share. The thread never sees the job itself."""

    stop: threading.Event = field(default_factory=threading.Event)
    outcome: Future[Any] = field(default_factory=Future)
    doing: str = "Starting"
    done: int = 0
    total: int = 0
    stage_began: float = field(default_factory=time.monotonic)

    def report(self, doing: str, done: int, total: int) -> None:
        """Report the present step and its progress, `done` of `total` units. The work calls it."""
        if self.stop.is_set():
            raise StoppedError
        if total != self.total or done < self.done or (not total and doing != self.doing):
            self.stage_began = time.monotonic()
        self.doing, self.done, self.total = doing, done, total


class Job:
    """A thread that runs `work(report)`. The work calls `report(doing, done, total)`.

    >>> job = Job(lambda report: 6 * 7)
    >>> job.wait(5), job.result()
    (True, 42)
    """

    def __init__(self, work: Callable[[Progress], Any]) -> None:
        self._shared = _Shared()
        # The work ends at its next report. A button that has only this keeps no result in memory.
        self.stop: Callable[[], object] = self._shared.stop.set
        threading.Thread(target=_run, args=(work, self._shared), daemon=True).start()
        weakref.finalize(self, self._shared.stop.set)

    def wait(self, seconds: float) -> bool:
        """Return True if the work finishes within this time."""
        return bool(wait([self._shared.outcome], seconds).done)

    @property
    def finished(self) -> bool:
        """True if the job has a result or was stopped."""
        return self._shared.outcome.done() or self._shared.stop.is_set()

    def result(self) -> Any:
        """Return the result of the work, or raise its error. StoppedError if it was stopped."""
        if self._shared.stop.is_set() or not self._shared.outcome.done():
            raise StoppedError
        return self._shared.outcome.result()

    @property
    def share(self) -> float:
        """The finished share of the work, from 0 to 1."""
        return min(1.0, self._shared.done / self._shared.total) if self._shared.total else 0.0

    @property
    def sentence(self) -> str:
        """The work in words with its progress, and the estimated time left or the time so far."""
        s = self._shared
        elapsed = time.monotonic() - s.stage_began
        if not s.total:
            return f"{s.doing} … {duration(elapsed)} so far" if elapsed > 1 else f"{s.doing} …"
        left = ""
        if 0 < s.done < s.total and elapsed > 1:
            left = f", about {duration(elapsed * (s.total - s.done) / s.done)} left"
        return f"{s.doing}: {s.done:,} of {s.total:,}{left}"


def _run(work: Callable[[Progress], Any], shared: _Shared) -> None:
    try:
        result = work(shared.report)
    except BaseException as error:  # handed to the page, which decides what a person is told
        shared.outcome.set_exception(error)
    else:
        shared.outcome.set_result(None if shared.stop.is_set() else result)


def duration(seconds: float) -> str:
    """Return a length of time in a readable unit.

    >>> duration(0.4), duration(75), duration(3 * 3600)
    ('1 s', '1 min', '3.0 h')
    """
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


# --- jobs of a page -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Working:
    """Base of a page's model: the running job, its purpose, and the reason if the last one failed.

    `faults` are the faults of the form's fields. `stopped` is the purpose of a stopped job. `begun`
    contains the last job's input by purpose.
    """

    job: Job | None = None
    purpose: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    fault: str = ""
    stopped: str = ""
    begun: Mapping[str, Any] = field(default_factory=dict)


def start(slot: Slot[Any], purpose: str, work: Callable[[Progress], Any], **parts: Any) -> None:
    """Stop the running job, start another, and change these parts of the model with it.

    Both are one change, because Streamlit may end a run between two changes when a newer run waits.
    Then the job would never begin.
    """
    running, job = slot.value.job, Job(work)
    slot.change(job=job, purpose=purpose, fault="", stopped="", **parts)
    if running is not None:
        running.stop()
    job.wait(AT_ONCE)


def follow(
    slot: Slot[Any], purpose: str, asked: Any, there: Any, work: Callable[[Progress], Any]
) -> None:
    """Run a job for a request once, unless it has a result or another job is running."""
    at = slot.value
    if at.job is None and asked != there and at.begun.get(purpose) != asked:
        start(slot, purpose, work, begun={**at.begun, purpose: asked})


def settle(slot: Slot[Any], taken: Callable[[Any], Mapping[str, Any]]) -> None:
    """Store a finished job's result in the parts of the slot's model that `taken` returns.

    If the job was stopped or failed, the old results stay.
    """
    at = slot.value
    if at.job is None or not at.job.finished:
        return
    parts: Mapping[str, Any]
    try:
        parts = taken(at.job.result())
    except StoppedError:
        parts = {"stopped": at.purpose}
    except FieldError as error:
        parts = {"faults": {error.field: str(error)}}
    except InputError as error:
        parts = {"fault": str(error)}
    except Exception:
        logging.getLogger(__name__).exception("the job to %s failed", at.purpose)
        parts = {"fault": BROKE_OFF}
    slot.change(job=None, **parts)  # at once, or a run that ends here would lose the result


def go_on(slot: Slot[Any]) -> None:
    """Allow a stopped job to be followed again."""
    at = slot.value
    slot.change(
        stopped="",
        begun={purpose: asked for purpose, asked in at.begun.items() if purpose != at.stopped},
    )


@st.fragment(run_every=POLL)
def show_progress(slot: Slot[Any], name: str = "job") -> None:
    """Show the progress of a slot's job, and run the whole page again when it has finished."""
    job = slot.value.job
    if job is None or job.finished:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key=f"{name}_progress"):
        st.progress(job.share, text=escaped(job.sentence), width="stretch")
        button("Stop", key=f"{name}_stop", icon=":material/stop_circle:", action=job.stop)


def say_that_kernels_compile(place: Any) -> None:
    """Show a line in a container while kernels are being compiled. Call it last on a page.

    The timer of a fragment may begin a run when another run ends. Streamlit then drops everything
    that the other run has not sent yet.
    """
    if compiling_seconds() is not None:
        with place:
            _that_kernels_compile()


@st.fragment(run_every=POLL_COMPILING)
def _that_kernels_compile() -> None:
    if (seconds := compiling_seconds()) is None:
        st.rerun()
    st.caption(f"{COMPILING} {duration(seconds)} so far.", help=COMPILING_HELP)


def stopped(something: bool, go_on: Callable[[], object]) -> None:
    """Tell the person that a job was stopped, and offer to continue. `something`: old results are
    shown.
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(
            "Stopped. The earlier results are still here."
            if something
            else "Stopped before anything was evaluated."
        )
        button("Go on", key="job_go_on", action=go_on)


def outdated(title: str, key: str = "job_results") -> None:
    """Grey a container of results, by its key, with a line about the old request."""
    st.html(OUTDATED.format(key))
    st.caption(f"The grey results below are older: {escaped(title)}.")
