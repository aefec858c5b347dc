"""A job as a person sees it on the Systems page: how far it is, the way to stop it, and the way to go on.

What runs in a job, and what becomes of its result, is the business of the page's parts.
"""

import streamlit as st

from hiermeasures.batch.warm import kernels_compiling
from hiermeasures.ui.systems.job import Job
from hiermeasures.ui.text import escaped

AT_ONCE = 0.6  # seconds for which the page waits before it shows progress instead
POLL = 0.5
BROKE_OFF = "The evaluation broke off because of a fault in this program; the log of the server says where."

COMPILING = "Getting ready for large files: the array kernels are being compiled for this machine."
COMPILING_HELP = "This happens once and takes a minute or less; everything here can be used meanwhile."

# While a job runs, what stands below it is not its own.
OUTDATED = """<style>
.st-key-systems_results { filter: grayscale(1); opacity: 0.45; }
</style>"""


@st.fragment(run_every=POLL)
def show_progress(job: Job | None) -> None:
    """How far the job is; asks for the whole page again when it has finished."""
    if job is None or job.finished:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key="systems_progress"):
        st.progress(job.share, text=escaped(job.sentence if not job.stopped else "Stopping"), width="stretch")
        if st.button("Stop", key="systems_stop", icon=":material/stop_circle:", disabled=job.stopped):
            job.stop()


@st.fragment(run_every=POLL)
def say_that_kernels_compile() -> None:
    """A line as long as the kernels are being compiled; it goes by itself."""
    if not kernels_compiling():
        st.rerun()
    st.caption(COMPILING, help=COMPILING_HELP)


def asked_to_go_on(something: bool) -> bool:
    """What a stopped job means for the screen, where `something` is still there or nothing; whether to go on."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(
            "Stopped. What was evaluated before is still here."
            if something
            else "Stopped before anything was evaluated."
        )
        return st.button("Go on", key="systems_go_on")


def outdated(title: str) -> None:
    """In the container of the results: that they are from before."""
    st.html(OUTDATED)
    st.caption(f"Below, in grey: the results from before, of {escaped(title)}.")
