"""Work beside the page: one thread that reports how far it is, can be stopped, and keeps its result
until it is fetched.

Nothing of Streamlit is used here; the page polls. A job that is stopped is over for the page at
once; its thread ends when it reports next, which may be only after a kernel was compiled. A job
that nobody holds any more, because its session ended, stops itself.
"""

import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Progress = Callable[[str, int, int], None]


class StoppedError(Exception):
    """Raised inside the work when it has been stopped."""


class FieldError(Exception):
    """A fault and the field beside which it is shown. The message is one plain line."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass
class _Shared:
    """State that the thread and the page share. The thread holds only this, never the job."""

    stop: threading.Event = field(default_factory=threading.Event)
    finished: threading.Event = field(default_factory=threading.Event)
    doing: str = "Starting"
    done: int = 0
    total: int = 0
    stage_began: float = field(default_factory=time.monotonic)
    result: Any = None
    error: BaseException | None = None

    def report(self, doing: str, done: int, total: int) -> None:
        """Called by the work: what it does, and how many of how many units are done."""
        if self.stop.is_set():
            raise StoppedError
        if total != self.total or done < self.done or (not total and doing != self.doing):
            self.stage_began = time.monotonic()
        self.doing, self.done, self.total = doing, done, total


class Job:
    """Runs `work(report)` in a thread; `report(doing, done, total)` says how far it is.

    >>> job = Job(lambda report: 6 * 7)
    >>> job.wait(5), job.result()
    (True, 42)
    """

    def __init__(self, work: Callable[[Progress], Any]) -> None:
        self._shared = _Shared()
        # The work ends at its next report. A button that holds only this keeps no result in memory.
        self.stop: Callable[[], object] = self._shared.stop.set
        threading.Thread(target=_run, args=(work, self._shared), daemon=True).start()
        weakref.finalize(self, self._shared.stop.set)

    def wait(self, seconds: float) -> bool:
        """Return whether it finishes within this time."""
        return self._shared.finished.wait(seconds)

    @property
    def finished(self) -> bool:
        """True if there is a result, or none is wanted any more."""
        return self._shared.finished.is_set() or self._shared.stop.is_set()

    def result(self) -> Any:
        """Return the result of the work; raises what it raised, StoppedError if it was stopped."""
        if not self._shared.finished.is_set():
            raise StoppedError
        if self._shared.error is not None:
            raise self._shared.error
        return self._shared.result

    @property
    def share(self) -> float:
        """The part that is done, from 0 to 1."""
        return min(1.0, self._shared.done / self._shared.total) if self._shared.total else 0.0

    @property
    def sentence(self) -> str:
        """The work, how far it is, and an estimate of the time left, or else the time so far."""
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
        shared.result = work(shared.report)
        if shared.stop.is_set():
            shared.error = StoppedError()
    except BaseException as error:  # handed to the page, which decides what a person is told
        shared.error = error
    finally:
        shared.finished.set()


def duration(seconds: float) -> str:
    """A length of time in the unit that a person would use.

    >>> duration(0.4), duration(75), duration(3 * 3600)
    ('1 s', '1 min', '3.0 h')
    """
    if seconds < 60:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"
