"""A page's job, from its start to what it brought, and as a person sees it: how far it is, the way to stop it, and the
way to go on.

What runs in a job, and what becomes of its result, is the business of the pages.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from hiermeasures.batch.warm import compiling_seconds
from hiermeasures.errors import InputError
from hiermeasures.ui.binding import Slot, button
from hiermeasures.ui.job import FieldError, Job, Progress, StoppedError, duration
from hiermeasures.ui.text import escaped

AT_ONCE = 0.6  # seconds for which the page waits before it shows progress instead
POLL = 0.5
# Seldom, for every look is a run of Streamlit's, and whoever waits for the page to rest waits for that, too.
POLL_COMPILING = 2.0
BROKE_OFF = "This broke off because of a fault in this program; the log of the server says where."

COMPILING = "Getting ready: the array kernels are being compiled for this machine."
COMPILING_HELP = "This happens once and takes about a minute, longer where the machine has other work. Large files and \
long searches are faster afterwards; everything here can be used meanwhile."

# While a job runs, what stands below it is not its own.
OUTDATED = """<style>
.st-key-job_results { filter: grayscale(1); opacity: 0.45; }
</style>"""


def start(slot: Slot[Any], purpose: str, work: Callable[[Progress], Any]) -> None:
    """Run this instead of what still runs. The slot's model has `job`, `purpose`, `fault`, `faults` and `stopped`."""
    if (running := slot.value.job) is not None:
        running.stop()
    job = Job(work)
    slot.set(replace(slot.value, job=job, purpose=purpose, fault="", stopped=""))
    job.wait(AT_ONCE)


def settle(slot: Slot[Any], taken: Callable[[Any], Mapping[str, Any]], as_shown: Mapping[str, Any]) -> None:
    """Put what a finished job brought into the slot's model: of a result the parts that `taken` gives.

    What was shown before stays where the job was stopped or brought a fault, and what is asked for is again that by
    which it was made, `as_shown`: else it would be asked for again at once. A fault of a file's field changes nothing
    of it.
    """
    at = slot.value
    if at.job is None or not at.job.finished:
        return
    slot.set(replace(at, job=None))
    try:
        parts = taken(at.job.result())
    except StoppedError:
        parts = {**as_shown, "stopped": at.purpose}
    except FieldError as error:
        parts = {"faults": {error.field: str(error)}}
    except InputError as error:
        parts = {**as_shown, "fault": str(error)}
    except Exception:
        parts = {**as_shown, "fault": broke_off(at.purpose)}
    slot.set(replace(slot.value, **parts))


def broke_off(purpose: str) -> str:
    """What a person is told of an error that nobody expected, which goes into the log of the server."""
    logging.getLogger(__name__).exception("the job to %s failed", purpose)
    return BROKE_OFF


@st.fragment(run_every=POLL)
def show_progress(job: Job | None) -> None:
    """How far the job is; asks for the whole page again when it has finished."""
    if job is None or job.finished:
        st.rerun()
    progress_bar(job)


def progress_bar(job: Job, name: str = "job") -> None:
    """How far a job is, and the way to stop it."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"{name}_progress"):
        st.progress(job.share, text=escaped(job.sentence), width="stretch")
        button("Stop", key=f"{name}_stop", icon=":material/stop_circle:", action=job.stop)


def say_that_kernels_compile(place: Any) -> None:
    """A line in a container as long as the kernels are being compiled; it goes by itself. Said last on a page: where
    the timer of a fragment begins a run just as another ends, Streamlit drops what that one has still to send.
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
    """What a stopped job means for the screen, where `something` is still there or nothing, and the way to go on."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(
            "Stopped. What was evaluated before is still here."
            if something
            else "Stopped before anything was evaluated."
        )
        button("Go on", key="job_go_on", action=go_on)


def outdated(title: str) -> None:
    """In the container of the results: that they are from before."""
    st.html(OUTDATED)
    st.caption(f"Below, in grey: the results from before, of {escaped(title)}.")
