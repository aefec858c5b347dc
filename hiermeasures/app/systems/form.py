"""The Systems page's forms: which files, in which formats, and what to do with what does not fit.
They only ask; data.py reads.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import streamlit as st

from hiermeasures.app.binding import Slot, bind, button, changing, setting
from hiermeasures.app.job import SMALL, FieldError
from hiermeasures.app.launch import are_allowed
from hiermeasures.app.systems.data import (
    File,
    Request,
    ScoredRequest,
    TableRequest,
    first_rows_of,
    label_columns,
    understood,
)
from hiermeasures.app.systems.model import (
    AUTOMATIC,
    NAME_PATHS,
    SYSTEMS,
    UPLOAD_FILES,
    WHOLE,
    FileField,
    FirstRows,
    Form,
)
from hiermeasures.app.widgets import stacking_columns
from hiermeasures.engine.answers import POLICIES
from hiermeasures.formats import HIERARCHY_FORMATS, LABEL_FORMATS, Format
from hiermeasures.picture.text import escaped

Given = dict[str, list[File]]
Notes = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class FileInput:
    """A field for files: title, help, formats, and whether it takes several or none."""

    title: str
    help: str
    formats: Mapping[str, Format] = field(default_factory=dict)
    several: bool = False
    optional: bool = False


LABEL_INPUTS = {
    "hierarchy": FileInput(
        "Hierarchy",
        "The classes and which is above which, for example one line per edge: parent, tab, child.",
        HIERARCHY_FORMATS,
    ),
    "true": FileInput("True labels", "One line or row per instance: its id and its true classes.", LABEL_FORMATS),
    "systems": FileInput(
        "Systems",
        "One file per system, in the same form as the true labels. Instances are matched by their ids.",
        LABEL_FORMATS,
        several=True,
    ),
}
TABLE_INPUT = FileInput(
    "One table", "A CSV or TSV file with a header: a column of true labels, and a column of answers for each system."
)
MOST_REMARKS, MOST_ROWS, MOST_NOTES = 6, 8, 300
UNKNOWN = {"drop": "leave out and count", "fail": "refuse the file"}
UNKNOWN_ANSWERS = {
    "error": "refuse the file",
    "wrong": "count as wrong",
    "prefix": "take its deepest valid part",
    "nearest": "take the nearest name",
    "drop": "leave out (flatters)",
}
FAULTY = {"raise": "refuse the file", "drop": "leave out and list"}
MISSING = {"empty": "count as predicting nothing", "fail": "refuse the file"}


def begun(form: Form, request: Request | TableRequest | ScoredRequest) -> Form:
    """Return the form once the evaluation of a request has begun."""
    return replace(form, asked=False, begun=request)


def label_form(notes: Notes) -> Request | None:
    """Draw the form of labels; return the request that is to be evaluated now, if there is one."""
    given = form_of("systems", SYSTEMS, LABEL_INPUTS, row=_matching, notes=notes)
    if given is None:
        return None
    at = SYSTEMS.value
    request = Request(
        given["hierarchy"][0],
        given["true"][0],
        tuple(given["systems"]),
        task=None if at.task == WHOLE else at.task,
        unknown=at.unknown,
        missing=at.missing,
        errors=at.errors,
    )
    return request if is_due(at.form, request, given) else None


def table_form(notes: Notes) -> TableRequest | None:
    """Draw the form of one table: the file, what was understood of it, its first rows; return the
    request that is to be evaluated now, if there is one.
    """
    by_path = _files_by_path("systems", SYSTEMS)
    files = _files_in("systems_table", TABLE_INPUT, SYSTEMS, "table", by_path=by_path)
    _remarks(SYSTEMS.value.faults.get("table"), notes.get("table", ()))
    if not files:
        return None
    rows = _first_rows(files[0])
    if rows.fault:
        st.error(escaped(rows.fault), icon=":material/error:")
        return None
    names, likely = list(rows.columns), label_columns(rows.columns)
    at = SYSTEMS.value.columns
    true = at.true if at.true in names else likely[0]
    others = [name for name in names if name != true]
    predicted = [name for name in at.predicted if name in others] or [name for name in likely if name != true]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        bind(st.selectbox, "systems_table_true", true, changing(SYSTEMS, "columns.true"))(
            "True labels", names, width=190
        )
        bind(st.multiselect, "systems_table_predicted", predicted, lambda chosen: _choose_predicted(tuple(chosen)))(
            "Answers, a column for each system", others, width=360
        )
        setting(st.text_input, "systems_table_paths", SYSTEMS, "columns.paths")(
            "Between parts", help="What stands between the parts of a path; found where this is empty.", width=130
        )
        setting(st.selectbox, "systems_table_unknown", SYSTEMS, "columns.unknown")(
            "An answer that is no class", list(POLICIES), format_func=UNKNOWN_ANSWERS.__getitem__, width=230
        )
        if not _is_small({"table": files}):
            _evaluate_button("systems_table", SYSTEMS)
    paths = SYSTEMS.value.columns.paths or None
    labels = rows.columns[true]
    st.caption(escaped(f"{true}: {understood(labels, paths)} in the first {len(labels):,} rows"))
    first = {name: rows.columns[name][:MOST_ROWS] for name in (true, *predicted)}
    st.dataframe(first, hide_index=True, key="systems_table_rows")
    request = TableRequest(files[0], true, tuple(predicted), SYSTEMS.value.columns.unknown, paths)
    return request if predicted and is_due(SYSTEMS.value.form, request, {"table": files}) else None


def _choose_predicted(chosen: tuple[str, ...]) -> None:
    SYSTEMS.change(columns=replace(SYSTEMS.value.columns, predicted=chosen))


def _first_rows(file: File) -> FirstRows:
    """Return the first rows, read once for each file."""
    known = SYSTEMS.value.first_rows
    if known is None or known.source != file.source:
        try:
            known = FirstRows(file.source, first_rows_of(file))
        except FieldError as error:
            known = FirstRows(file.source, fault=str(error))
        SYSTEMS.change(first_rows=known)
    return known


def _is_small(given: Given) -> bool:
    """True if files are evaluated as soon as they are there: uploads that take no long work."""
    sources = [file.source for files in given.values() for file in files]
    return sum(len(source) if isinstance(source, bytes) else SMALL + 1 for source in sources) <= SMALL


def is_due(form: Form, request: Any, given: Given) -> bool:
    return form.asked or (request != form.begun and _is_small(given))


def _evaluate_button(prefix: str, slot: Slot[Any]) -> None:
    ask = changing(slot, "form.asked")
    button("Evaluate", key=f"{prefix}_evaluate", action=lambda: ask(True), type="primary")


def _matching(evaluate: Callable[[], None]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        setting(st.selectbox, "systems_task", SYSTEMS, "task")(
            "Task in GermEval files",
            [WHOLE, "a", "b"],
            width=190,
            help="These files hold two sub-tasks: a, the topmost classes; b, all levels. Other formats ignore this.",
        )
        setting(st.selectbox, "systems_unknown", SYSTEMS, "unknown")(
            "Labels not in the hierarchy", list(UNKNOWN), width=210, format_func=UNKNOWN.__getitem__
        )
        setting(st.selectbox, "systems_missing", SYSTEMS, "missing")(
            "Instances without a prediction", list(MISSING), width=240, format_func=MISSING.__getitem__
        )
        setting(st.selectbox, "systems_errors", SYSTEMS, "errors")(
            "Faulty entries of the hierarchy",
            list(FAULTY),
            width=210,
            format_func=FAULTY.__getitem__,
            help="Classes that are their own parents, unknown parents, repeated entries and cycles.",
        )
        evaluate()


def form_of(
    prefix: str,
    slot: Slot[Any],
    inputs: Mapping[str, FileInput],
    *,
    row: Callable[[Callable[[], None]], None],
    notes: Notes = MappingProxyType({}),
) -> Given | None:
    """Draw the fields, and a row with the button, which `row` is given; return the files once all
    are there. Small uploads need no button.
    """
    by_path = _files_by_path(prefix, slot)
    given: Given = {}
    for (name, asked), column in zip(
        inputs.items(), stacking_columns(f"{prefix}_form", len(inputs), gap="medium"), strict=True
    ):
        with column:
            given[name] = _files_in(f"{prefix}_{name}", asked, slot, name, by_path=by_path)
            _remarks(slot.value.faults.get(name), notes.get(name, ()))
    row((lambda: _evaluate_button(prefix, slot)) if by_path or not _is_small(given) else (lambda: None))
    absent = [asked.title for name, asked in inputs.items() if not given[name] and not asked.optional]
    if absent and (slot.value.form.asked or any(given.values())):
        st.info(f"Still to be given: {', '.join(absent).lower()}. The evaluation begins when everything is there.")
    return None if absent else given


def _files_by_path(prefix: str, slot: Slot[Any]) -> bool:
    if not are_allowed(st.session_state):
        return False
    setting(st.segmented_control, f"{prefix}_from", slot, "form.source")(
        "Files",
        [UPLOAD_FILES, NAME_PATHS],
        required=True,
        label_visibility="collapsed",
        help="Upload files of up to 20 MB each, or name larger ones on this computer.",
    )
    return bool(slot.value.form.source == NAME_PATHS)


def _files_in(key: str, asked: FileInput, slot: Slot[Any], name: str, *, by_path: bool) -> list[File]:
    given: FileField = getattr(slot.value.form, name)
    if by_path:
        label = f"{asked.title}, one path per line" if asked.several else asked.title
        widget, more = (st.text_area, {"height": 104}) if asked.several else (st.text_input, {})
        draw = setting(widget, f"{key}_path", slot, f"form.{name}.path")
        draw(label, help=asked.help, placeholder=f"/path/to/{name}.txt", **more)
    else:
        keep = changing(slot, f"form.{name}.uploads")
        there = st.file_uploader(
            asked.title,
            key=f"{key}_upload",
            accept_multiple_files=asked.several,
            help=asked.help,
            on_change=lambda: keep(_contents(st.session_state[f"{key}_upload"])),
        )
        if there and (found := _contents(there)) != given.uploads:  # a newer run ended the callback
            keep(found)
            given = replace(given, uploads=found)
        if given.uploads and not there:
            st.caption(f"Uploaded before: {escaped(', '.join(name for name, _ in given.uploads))}")
    if asked.formats:
        titles = {AUTOMATIC: AUTOMATIC} | {key: format.title for key, format in asked.formats.items()}
        setting(st.selectbox, f"{key}_format", slot, f"form.{name}.format")(
            "Format", list(titles), label_visibility="collapsed", format_func=lambda key: f"Format: {titles[key]}"
        )
    format = None if given.format == AUTOMATIC else given.format
    if by_path:
        lines = [line.strip() for line in given.path.splitlines()]
        return [File(Path(line).name, Path(line), format) for line in lines if line and "\x00" not in line]
    return [File(upload, content, format) for upload, content in given.uploads]


def _contents(uploads: Any) -> tuple[tuple[str, bytes], ...]:
    """Return uploads by name, to be kept: the field forgets them while another page is shown."""
    found = uploads if isinstance(uploads, list) else [uploads]
    return tuple((u.name, u.getvalue()) for u in found if u is not None)


def remarks_beside(notes: Sequence[str]) -> None:
    """Show notes on what could make the numbers wrong."""
    few, more = notes[:MOST_REMARKS], notes[MOST_REMARKS:]
    if few:
        rest = [f"And {len(more)} more, in the notes on the files."] if more else []
        st.warning("  \n".join(escaped(note) for note in (*few, *rest)), icon=":material/warning:")


def _remarks(fault: str | None, notes: tuple[str, ...]) -> None:
    """Show the fault of a field, or else the notes on its files."""
    if fault:
        st.error(escaped(fault), icon=":material/error:")
    elif notes:
        more = [f"And {len(notes) - MOST_NOTES:,} more."] if len(notes) > MOST_NOTES else []
        st.caption("  \n".join(escaped(note) for note in (*notes[:MOST_NOTES], *more)))
