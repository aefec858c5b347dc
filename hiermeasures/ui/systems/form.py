"""The Systems page's form: which files, in which formats, and what to do with what does not fit. It only asks;
data.py reads.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from hiermeasures.io import HIERARCHY_FORMATS, LABEL_FORMATS, Format
from hiermeasures.ui.binding import bind, button
from hiermeasures.ui.columns import stacking_columns
from hiermeasures.ui.systems.data import Field, File, Request
from hiermeasures.ui.systems.model import AUTOMATIC, NAME_PATHS, UPLOAD_FILES, WHOLE, FileField, change, model
from hiermeasures.ui.text import escaped


@dataclass(frozen=True)
class FileInput:
    """A field for files: its key, title and help, whether it takes several files, and the formats to choose from."""

    key: str
    title: str
    help: str
    several: bool = False
    formats: Mapping[str, Format] = field(default_factory=dict)


INPUTS: Mapping[Field, FileInput] = {
    "hierarchy": FileInput(
        "systems_hierarchy",
        "Hierarchy",
        "The classes and which is above which, for example one line per edge: parent, tab, child.",
        formats=HIERARCHY_FORMATS,
    ),
    "true": FileInput(
        "systems_true",
        "True labels",
        "One line or row per instance: its id and its true classes.",
        formats=LABEL_FORMATS,
    ),
    "systems": FileInput(
        "systems_systems",
        "Systems",
        "One file per system, in the same form as the true labels. Instances are matched by their ids.",
        several=True,
        formats=LABEL_FORMATS,
    ),
}
LOCAL = ("localhost", "127.0.0.1", "::1", "[::1]")
PROXY_HEADERS = ("X-Forwarded-For", "X-Real-Ip", "Forwarded")
UNKNOWN = {"drop": "leave out and count", "fail": "refuse the file"}
MISSING = {"empty": "count as predicting nothing", "fail": "refuse the file"}


def form(faults: Mapping[str, str], notes: Mapping[str, tuple[str, ...]]) -> Request | None:
    """Draw the form. The request, in the run in which its button has been pressed and all files are there."""
    by_path = files_by_path("systems_from", model().form.source, partial(_set, "source"))
    given: dict[Field, list[File]] = {}
    for name, column in zip(INPUTS, stacking_columns("systems_form", 3, gap="medium"), strict=True):
        with column:
            given[name] = files_in(INPUTS[name], getattr(model().form, name), partial(_set_in, name), by_path)
            remarks(faults.get(name), notes.get(name, ()))
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
        button("Evaluate", key="systems_evaluate", action=partial(_set, "asked", True), type="primary")
    if not model().form.asked or waits_for([INPUTS[name].title for name, files in given.items() if not files]):
        return None
    _set("asked", False)
    return Request(
        given["hierarchy"][0],
        given["true"][0],
        tuple(given["systems"]),
        task=None if at.task == WHOLE else at.task,
        unknown=at.unknown,
        missing=at.missing,
    )


def waits_for(absent: Sequence[str]) -> bool:
    """Whether an evaluation that was asked for waits for files, and for which. They may be on their way: a press
    that comes before the last upload has ended counts all the same.
    """
    if absent:
        st.warning(f"Still to be given: {', '.join(absent).lower()}. The evaluation begins when everything is there.")
    return bool(absent)


def _set(name: str, value: Any) -> None:
    change(form=replace(model().form, **{name: value}))


def _set_in(name: Field, part: str, value: Any) -> None:
    """Change one part of what is given in a field."""
    _set(name, replace(getattr(model().form, name), **{part: value}))


def files_by_path(key: str, source: str, choose: Callable[[str], None]) -> bool:
    """Whether files are given by their paths. Only a person at the computer that runs this may do that."""
    if not at_this_computer():
        return False
    bind(st.segmented_control, key, source, choose)(
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


def files_in(asked: FileInput, given: FileField, put: Callable[[str, Any], None], by_path: bool) -> list[File]:
    """Draw a field, and the files that are given in it. `put` changes a part of `given`."""
    if by_path:
        label = f"{asked.title}, one path per line" if asked.several else asked.title
        widget, more = (st.text_area, {"height": 104}) if asked.several else (st.text_input, {})
        name = asked.key.rpartition("_")[2]
        draw = bind(widget, f"{asked.key}_path", given.path, partial(put, "path"))
        draw(label, help=asked.help, placeholder=f"/path/to/{name}.txt", **more)
    else:
        key = f"{asked.key}_upload"
        st.file_uploader(
            asked.title, key=key, accept_multiple_files=asked.several, help=asked.help, on_change=_take, args=(put, key)
        )
        if given.uploads and not st.session_state[key]:
            st.caption(f"Uploaded before: {escaped(', '.join(name for name, _ in given.uploads))}")
    if asked.formats:
        bind(st.selectbox, f"{asked.key}_format", given.format, partial(put, "format"))(
            "Format",
            [AUTOMATIC, *asked.formats],
            label_visibility="collapsed",
            format_func=lambda key: _format_title(key, asked.formats),
        )
    format = None if given.format == AUTOMATIC else given.format
    if by_path:
        lines = [line.strip() for line in given.path.splitlines()]
        return [File(Path(line).name, Path(line), format) for line in lines if line and "\x00" not in line]
    return [File(name, content, format) for name, content in given.uploads]


def _take(put: Callable[[str, Any], None], key: str) -> None:
    """Keep what was uploaded; the field forgets it while another page is shown."""
    uploads = st.session_state[key]
    found = uploads if isinstance(uploads, list) else [uploads]
    put("uploads", tuple((u.name, u.getvalue()) for u in found if u is not None))


def _format_title(key: str, formats: Mapping[str, Format]) -> str:
    return f"Format: {AUTOMATIC}" if key == AUTOMATIC else f"Format: {formats[key].title}"


def remarks(fault: str | None, notes: tuple[str, ...]) -> None:
    """The fault of a field, or else what is to be said about its files."""
    if fault:
        st.error(escaped(fault), icon=":material/error:")
    elif notes:
        st.caption("  \n".join(escaped(note) for note in notes))
