"""The Systems page's form: which files, in which formats, and what to do with what does not fit. It only asks;
data.py reads.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from hiermeasures.io import HIERARCHY_FORMATS, LABEL_FORMATS, Format
from hiermeasures.ui.binding import bind
from hiermeasures.ui.columns import stacking_columns
from hiermeasures.ui.systems.data import Field, File, Request
from hiermeasures.ui.systems.model import AUTOMATIC, NAME_PATHS, UPLOAD_FILES, WHOLE, FileField, change, model
from hiermeasures.ui.text import escaped

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
    by_path = _by_path()
    given: dict[Field, list[File]] = {}
    for field, column in zip(TITLES, stacking_columns("systems_form", 3, gap="medium"), strict=True):
        with column:
            given[field] = _files(field, by_path)
            _remarks(faults.get(field), notes.get(field, ()))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        at = model().form
        bind(st.selectbox, "systems_task", at.task, partial(_set, "task"))(
            "Task in GermEval files",
            [WHOLE, "a", "b"],
            width=190,
            help="These files hold two sub-tasks: a, the topmost classes; b, all levels. Other formats ignore this.",
        )
        bind(st.selectbox, "systems_unknown", at.unknown, partial(_set, "unknown"))(
            "Labels not in the hierarchy", list(UNKNOWN), width=210, format_func=UNKNOWN.__getitem__
        )
        bind(st.selectbox, "systems_missing", at.missing, partial(_set, "missing"))(
            "Instances without a prediction", list(MISSING), width=240, format_func=MISSING.__getitem__
        )
        pressed = st.button("Evaluate", type="primary", key="systems_evaluate")
    if not pressed:
        return None
    absent = [TITLES[field].lower() for field, files in given.items() if not files]
    if absent:
        st.warning(f"Still to be given: {', '.join(absent)}.")
        return None
    return Request(
        given["hierarchy"][0],
        given["true"][0],
        tuple(given["systems"]),
        task=None if at.task == WHOLE else at.task,
        unknown=at.unknown,
        missing=at.missing,
    )


def _set(name: str, value: Any) -> None:
    change(form=replace(model().form, **{name: value}))


def _set_in(field: Field, name: str, value: Any) -> None:
    """Change one part of what is given in a field."""
    _set(field, replace(_given(field), **{name: value}))


def _given(field: Field) -> FileField:
    given: FileField = getattr(model().form, field)
    return given


def _by_path() -> bool:
    """Whether files are given by their paths. Only a person at the computer that runs this may do that."""
    if not at_this_computer():
        return False
    source = model().form.source
    bind(st.segmented_control, "systems_from", source, partial(_set, "source"))(
        "Files",
        [UPLOAD_FILES, NAME_PATHS],
        required=True,
        label_visibility="collapsed",
        help="Upload files of up to 20 MB each, or name larger ones on this computer.",
    )
    return source == NAME_PATHS


def at_this_computer() -> bool:
    """Whether the browser runs on the computer that serves the page: paths of a server are nobody else's business."""
    headers = st.context.headers
    passed_on = any(name in headers for name in PROXY_HEADERS)
    return is_local(st.get_option("server.address"), headers.get("Host", ""), st.context.ip_address, passed_on)


def is_local(bound_to: str | None, host: str, visitor: str | None, passed_on: bool) -> bool:
    """Whether a visitor is on the serving computer: the visitor asked for it by its local name, where it listens to
    nobody else or the visitor's own address is a local one. A proxy that says nothing of itself is known by the name.

    >>> is_local("localhost", "", None, False), is_local(None, "localhost:8501", None, False)
    (True, True)
    >>> is_local("localhost", "example.org", None, False), is_local("localhost", "localhost", None, True)
    (False, False)
    >>> is_local(None, "localhost", "10.0.0.7", False)
    False
    """
    if passed_on:
        return False
    name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
    if bound_to in LOCAL:
        return not host or name in LOCAL
    return name in LOCAL and visitor in (None, *LOCAL)


def _files(field: Field, by_path: bool) -> list[File]:
    several, given = field == "systems", _given(field)
    formats = HIERARCHY_FORMATS if field == "hierarchy" else LABEL_FORMATS
    if by_path:
        label = f"{TITLES[field]}, one path per line" if several else TITLES[field]
        widget, more = (st.text_area, {"height": 104}) if several else (st.text_input, {})
        draw = bind(widget, f"systems_{field}_path", given.path, partial(_set_in, field, "path"))
        draw(label, help=HELP[field], placeholder=f"/path/to/{field}.txt", **more)
    else:
        key = f"systems_{field}_upload"
        st.file_uploader(
            TITLES[field], key=key, accept_multiple_files=several, help=HELP[field], on_change=_take, args=(field, key)
        )
        if given.uploads and not st.session_state[key]:
            st.caption(f"Uploaded before: {escaped(', '.join(name for name, _ in given.uploads))}")
    bind(st.selectbox, f"systems_{field}_format", given.format, partial(_set_in, field, "format"))(
        "Format",
        [AUTOMATIC, *formats],
        label_visibility="collapsed",
        format_func=lambda key: _format_title(key, formats),
    )
    format = None if given.format == AUTOMATIC else given.format
    if by_path:
        lines = [line.strip() for line in given.path.splitlines()]
        return [File(Path(line).name, Path(line), format) for line in lines if line and "\x00" not in line]
    return [File(name, content, format) for name, content in given.uploads]


def _take(field: Field, key: str) -> None:
    """Keep what was uploaded; the field forgets it while another page is shown."""
    uploads = st.session_state[key]
    found = uploads if isinstance(uploads, list) else [uploads]
    _set_in(field, "uploads", tuple((u.name, u.getvalue()) for u in found if u is not None))


def _format_title(key: str, formats: Mapping[str, Format]) -> str:
    return f"Format: {AUTOMATIC}" if key == AUTOMATIC else f"Format: {formats[key].title}"


def _remarks(fault: str | None, notes: tuple[str, ...]) -> None:
    if fault:
        st.error(escaped(fault), icon=":material/error:")
    elif notes:
        st.caption("  \n".join(escaped(note) for note in notes))
