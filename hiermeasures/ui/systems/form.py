"""The Systems page's form: which files, in which formats, and what to do with what does not fit. It only asks;
systems_data reads.
"""

from collections.abc import Mapping
from pathlib import Path

import streamlit as st

from hiermeasures.io import HIERARCHY_FORMATS, LABEL_FORMATS, Format
from hiermeasures.ui.keeping import kept
from hiermeasures.ui.systems.data import Field, File, Request
from hiermeasures.ui.text import escaped

UPLOADED, TYPED = "Upload", "Path"
UPLOADS = "systems_uploads"  # the key of the files of each field
AUTOMATIC = "recognised automatically"
WHOLE = "the only one"
TITLES: Mapping[Field, str] = {"hierarchy": "Hierarchy", "true": "True labels", "systems": "Systems"}
HELP: Mapping[Field, str] = {
    "hierarchy": "The classes and which is above which, for example one line per edge: parent, tab, child.",
    "true": "One line or row per instance: its id and its true classes.",
    "systems": "One file per system, in the same form as the true labels. Instances are matched by their ids.",
}
LOCAL = ("localhost", "127.0.0.1", "::1", "[::1]")
PROXY_HEADERS = ("X-Forwarded-For", "X-Real-Ip", "Forwarded")
UNKNOWN = {"drop": "leave out and count", "fail": "refuse the file"}
MISSING = {"empty": "count as predicting nothing", "fail": "refuse the file"}


def form(faults: Mapping[Field, str], notes: Mapping[str, tuple[str, ...]]) -> Request | None:
    """Draw the form. The request, in the run in which its button was pressed and all files are named."""
    typed = _typed()
    given: dict[Field, list[File]] = {}
    for field, column in zip(TITLES, st.columns(3, gap="medium"), strict=True):
        with column:
            given[field] = _files(field, typed)
            _said(faults.get(field), notes.get(field, ()))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.selectbox(
            "Task in GermEval files",
            [WHOLE, "a", "b"],
            key=kept("systems_task", WHOLE),
            width=190,
            help="These files hold two sub-tasks: a, the topmost classes; b, all levels. Other formats ignore this.",
        )
        st.selectbox(
            "Labels that are no classes",
            list(UNKNOWN),
            key=kept("systems_unknown", "drop"),
            width=210,
            format_func=UNKNOWN.__getitem__,
        )
        st.selectbox(
            "Instances without a prediction",
            list(MISSING),
            key=kept("systems_missing", "empty"),
            width=240,
            format_func=MISSING.__getitem__,
        )
        pressed = st.button("Evaluate", type="primary", key="systems_evaluate")
    if not pressed:
        return None
    absent = [TITLES[field].lower() for field, files in given.items() if not files]
    if absent:
        st.warning(f"Still to be given: {', '.join(absent)}.")
        return None
    task = st.session_state.systems_task
    return Request(
        given["hierarchy"][0],
        given["true"][0],
        tuple(given["systems"]),
        task=None if task == WHOLE else task,
        unknown=st.session_state.systems_unknown,
        missing=st.session_state.systems_missing,
    )


def _typed() -> bool:
    """Whether files are given by their paths. Only a person at the computer that runs this may do that."""
    if not at_this_computer():
        return False
    st.segmented_control(
        "Files",
        [UPLOADED, TYPED],
        key=kept("systems_from", UPLOADED),
        required=True,
        label_visibility="collapsed",
        help="Upload files of up to 20 MB each, or name larger ones on this computer.",
    )
    return st.session_state.systems_from == TYPED


def at_this_computer() -> bool:
    """Whether the browser runs on the computer that serves the page: paths of a server are nobody else's business."""
    headers = st.context.headers
    passed_on = any(name in headers for name in PROXY_HEADERS)
    return is_local(st.get_option("server.address"), headers.get("Host", ""), st.context.ip_address, passed_on)


def is_local(bound_to: str | None, host: str, visitor: str | None, passed_on: bool) -> bool:
    """Whether a visitor is on the serving computer: it listens to nobody else, or the visitor asked for it by its local
    name.

    >>> is_local("localhost", "", None, False), is_local(None, "localhost:8501", None, False)
    (True, True)
    >>> is_local(None, "example.org", None, False), is_local(None, "localhost", None, True), is_local(None, "localhost", "10.0.0.7", False)
    (False, False, False)
    """
    if passed_on:
        return False
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    return bound_to in LOCAL or (name in LOCAL and visitor in (None, *LOCAL))


def _files(field: Field, typed: bool) -> list[File]:
    several = field == "systems"
    formats = HIERARCHY_FORMATS if field == "hierarchy" else LABEL_FORMATS
    if typed:
        key, example = kept(f"systems_{field}_path", ""), f"/path/to/{field}.txt"
        if several:
            st.text_area(
                f"{TITLES[field]}, one path per line", key=key, help=HELP[field], placeholder=example, height=104
            )
        else:
            st.text_input(TITLES[field], key=key, help=HELP[field], placeholder=example)
    else:
        key = f"systems_{field}_upload"
        st.file_uploader(
            TITLES[field], key=key, accept_multiple_files=several, help=HELP[field], on_change=_take, args=(field, key)
        )
    st.selectbox(
        "Format",
        [AUTOMATIC, *formats],
        key=kept(f"systems_{field}_format", AUTOMATIC),
        label_visibility="collapsed",
        format_func=lambda key: _format_title(key, formats),
    )
    chosen = st.session_state[f"systems_{field}_format"]
    format = None if chosen == AUTOMATIC else chosen
    if typed:
        lines = [line.strip() for line in st.session_state[f"systems_{field}_path"].splitlines()]
        return [File(Path(line).name, Path(line), format) for line in lines if line and "\x00" not in line]
    files: list[tuple[str, bytes]] = st.session_state.get(UPLOADS, {}).get(field, [])
    if files and not st.session_state[key]:
        st.caption(f"Uploaded before: {escaped(', '.join(name for name, _ in files))}")
    return [File(name, content, format) for name, content in files]


def _take(field: Field, key: str) -> None:
    """Keep what was uploaded; the field forgets it while another page is shown."""
    uploads = st.session_state[key]
    found = uploads if isinstance(uploads, list) else [uploads]
    st.session_state.setdefault(UPLOADS, {})[field] = [(u.name, u.getvalue()) for u in found if u is not None]


def _format_title(key: str, formats: Mapping[str, Format]) -> str:
    return f"Format: {AUTOMATIC}" if key == AUTOMATIC else f"Format: {formats[key].title}"


def _said(fault: str | None, notes: tuple[str, ...]) -> None:
    if fault:
        st.error(escaped(fault), icon=":material/error:")
    elif notes:
        st.caption("  \n".join(escaped(note) for note in notes))
