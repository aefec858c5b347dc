"""State of the Systems page, immutable values, and its forms: which files, in which formats, and
what to do with what does not fit. They only ask; data.py reads.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from hiermeasures.app.binding import Slot, bind, button, changing, setting
from hiermeasures.app.components import stacking_columns
from hiermeasures.app.job import SMALL, FieldError, Working, start
from hiermeasures.app.server import are_allowed
from hiermeasures.app.systems.data import (
    WHOLE,
    Asked,
    Columns,
    Evaluation,
    File,
    Given,
    Matching,
    evaluate_files,
    evaluate_table,
    first_rows_of,
    in_order,
    label_columns,
    understood,
)
from hiermeasures.engine.answers import POLICIES
from hiermeasures.formats import HIERARCHY_FORMATS, LABEL_FORMATS, Format
from hiermeasures.picture.text import escaped

UPLOAD_FILES, NAME_PATHS = "Upload", "Path"
AUTOMATIC = "recognised automatically"


# --- state ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FileField:
    """Files of one field: paths, or uploads by name and content; and their format."""

    path: str = ""
    uploads: tuple[tuple[str, bytes], ...] = ()
    format: str = AUTOMATIC


@dataclass(frozen=True)
class Form:
    """Files of a form, which has some of the fields. With `asked` they are evaluated when all are
    there.
    """

    source: str = UPLOAD_FILES
    hierarchy: FileField = FileField()
    ontology: FileField = FileField()
    table: FileField = FileField()
    true: FileField = FileField()
    systems: FileField = FileField()
    information: FileField = FileField()
    asked: bool = False


@dataclass(frozen=True)
class Finder:
    """Question of the view "Search": a condition on instances of one system or two ("": the first
    of the measures that are looked at is greater), or two measures that prefer different ones.
    """

    kind: Literal["condition", "preference"] = "condition"
    condition: str = ""
    system: str = ""
    other: str = ""
    first: str = "hP"
    second: str = "hR"


@dataclass(frozen=True)
class Question:
    """Question of the view of printed numbers: what was typed, by system, the quantity ("" for
    any), and what missing predictions are taken for.
    """

    numbers: Mapping[str, str] = field(default_factory=dict)
    of: str = ""
    missing: Literal["bounds", "empty"] = "bounds"


@dataclass(frozen=True, eq=False)
class FirstRows:
    """First rows of a table, and the file that they are of."""

    source: bytes | Path
    columns: Mapping[str, list[str]] = field(default_factory=dict)
    fault: str = ""


@dataclass(frozen=True)
class SystemsModel(Working):
    """State of the page, and of its evaluation of labels.

    `wanted` is as asked for; the evaluation has what it was made with. A `system` or measure that
    is not there any more gives way to the first.
    """

    kind: Literal["labels", "table", "scored"] = "labels"
    form: Form = field(default_factory=Form)
    first_rows: FirstRows | None = None
    columns: Columns = field(default_factory=Columns)
    matching: Matching = field(default_factory=Matching)
    wanted: Asked = field(default_factory=Asked)
    evaluation: Evaluation | None = None
    view: str = ""
    system: str = ""
    across: str = "hF"
    up: str = "F_LCA"
    listed: Literal["disagreement", "worst"] = "disagreement"
    pairs: str = ""
    counted: str = "hF"
    finder: Finder = Finder()
    question: Question = Question()
    answer: Any = None  # an Answer of printed.py

    @property
    def asked(self) -> Asked:
        """The chosen measures in order; without any, those that are there."""
        there = self.evaluation.measures if self.evaluation else ()
        return replace(self.wanted, measures=in_order(self.wanted.measures) or there)


SYSTEMS: Slot[SystemsModel] = Slot("systems_model", SystemsModel)


def choice(label: str, offered: Sequence[str], path: str, otherwise: str = "", **settings: Any) -> str:
    """Draw a field for a value of the model, and return the value: `otherwise`, or the first one
    offered, if the model's is not offered.
    """
    chosen: str = attrgetter(path)(SYSTEMS.value)
    value = chosen if chosen in offered else otherwise or offered[0]
    key = "systems_" + path.replace("finder.", "find_")
    bind(st.selectbox, key, value, changing(SYSTEMS, path))(label, list(offered), **settings)
    return value


# --- files ----------------------------------------------------------------------------------------


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
TABLE_INPUT = {
    "table": FileInput(
        "One table",
        "A CSV or TSV file with a header: a column of true labels, and a column of answers for each system.",
    )
}
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


def label_form() -> None:
    """Draw the form of labels, and evaluate what it asks for."""
    at = SYSTEMS.value
    given, pressed = files_in("systems", SYSTEMS, LABEL_INPUTS, at.evaluation.notes if at.evaluation else {})
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        setting(st.selectbox, "systems_task", SYSTEMS, "matching.task")(
            "Task in GermEval files",
            [WHOLE, "a", "b"],
            width=190,
            help="These files hold two sub-tasks: a, the topmost classes; b, all levels. Other formats ignore this.",
        )
        for name, label, meanings, width in (
            ("unknown", "Labels not in the hierarchy", UNKNOWN, 210),
            ("missing", "Instances without a prediction", MISSING, 240),
            ("errors", "Faulty entries of the hierarchy", FAULTY, 210),
        ):
            setting(st.selectbox, f"systems_{name}", SYSTEMS, f"matching.{name}")(
                label, list(meanings), width=width, format_func=meanings.__getitem__
            )
        pressed()
    matching = SYSTEMS.value.matching
    evaluate_given(
        SYSTEMS, LABEL_INPUTS, given, matching, lambda report: evaluate_files(given, matching, report, at.asked)
    )


def table_form() -> None:
    """Draw the form of one table: the file, what was understood of it, its first rows; and evaluate
    what it asks for.
    """
    asked, notes = SYSTEMS.value.asked, SYSTEMS.value.evaluation.notes if SYSTEMS.value.evaluation else {}
    given, pressed = files_in("systems", SYSTEMS, TABLE_INPUT, notes)
    if not given["table"]:
        return
    rows = _first_rows(given["table"][0])
    if rows.fault:
        st.error(escaped(rows.fault), icon=":material/error:")
        return
    names, likely = list(rows.columns), label_columns(rows.columns)
    at = SYSTEMS.value.columns
    true = at.true if at.true in names else likely[0]
    others = [name for name in names if name != true]
    predicted = [name for name in at.predicted if name in others] or [name for name in likely if name != true]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        bind(st.selectbox, "systems_table_true", true, changing(SYSTEMS, "columns.true"))(
            "True labels", names, width=190
        )
        bind(st.multiselect, "systems_table_predicted", predicted, changing(SYSTEMS, "columns.predicted"))(
            "Answers, a column for each system", others, width=360
        )
        setting(st.text_input, "systems_table_paths", SYSTEMS, "columns.paths")(
            "Between parts", help="What stands between the parts of a path; found where this is empty.", width=130
        )
        setting(st.selectbox, "systems_table_unknown", SYSTEMS, "columns.unknown")(
            "An answer that is no class", list(POLICIES), format_func=UNKNOWN_ANSWERS.__getitem__, width=230
        )
        pressed()
    columns = replace(SYSTEMS.value.columns, true=true, predicted=tuple(predicted))
    labels = rows.columns[true]
    st.caption(escaped(f"{true}: {understood(labels, columns.paths)} in the first {len(labels):,} rows"))
    first = {name: rows.columns[name][:MOST_ROWS] for name in (true, *predicted)}
    st.dataframe(first, hide_index=True, key="systems_table_rows")
    if predicted:
        evaluate_given(
            SYSTEMS, TABLE_INPUT, given, columns, lambda report: evaluate_table(given, columns, report, asked)
        )


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


def files_in(
    prefix: str, slot: Slot[Any], inputs: Mapping[str, FileInput], notes: Mapping[str, Sequence[str]]
) -> tuple[Given, Callable[[], None]]:
    """Draw the fields; return their files, and a function that draws the button, which small
    uploads do not need.
    """
    by_path = are_allowed(st.session_state)
    if by_path:
        setting(st.segmented_control, f"{prefix}_from", slot, "form.source")(
            "Files",
            [UPLOAD_FILES, NAME_PATHS],
            required=True,
            label_visibility="collapsed",
            help="Upload files of up to 20 MB each, or name larger ones on this computer.",
        )
        by_path = slot.value.form.source == NAME_PATHS
    given: dict[str, list[File]] = {}
    columns = stacking_columns(f"{prefix}_form", len(inputs), gap="medium")
    for (name, asked), column in zip(inputs.items(), columns, strict=True):
        with column:
            given[name] = _files_of(f"{prefix}_{name}", asked, slot, name, by_path=by_path)
            said = notes.get(name, ())
            if fault := slot.value.faults.get(name):
                st.error(escaped(fault), icon=":material/error:")
            elif said:
                more = [f"And {len(said) - MOST_NOTES:,} more."] if len(said) > MOST_NOTES else []
                st.caption("  \n".join(map(escaped, (*said[:MOST_NOTES], *more))))

    def pressed() -> None:
        if by_path or not _is_small(given):
            ask = changing(slot, "form.asked")
            button("Evaluate", key=f"{prefix}_evaluate", action=lambda: ask(True), type="primary")

    return given, pressed


def _is_small(given: Given) -> bool:
    """True if files are evaluated as soon as they are there: uploads that take no long work."""
    sources = [file.source for files in given.values() for file in files]
    return sum(len(source) if isinstance(source, bytes) else SMALL + 1 for source in sources) <= SMALL


def evaluate_given(
    slot: Slot[Any], inputs: Mapping[str, FileInput], given: Given, settings: Any, work: Callable[[Any], Any]
) -> None:
    """Begin an evaluation of these files, read by these settings, if it was not begun and all are
    there; say what is still to be given.
    """
    absent = [asked.title for name, asked in inputs.items() if not given[name] and not asked.optional]
    form, begun = slot.value.form, slot.value.begun
    if absent:
        if form.asked or any(given.values()):
            st.info(f"Still to be given: {', '.join(absent).lower()}. The evaluation begins when everything is there.")
    elif form.asked or (_is_small(given) and (given, settings) != begun.get("files")):
        begun = {"files": (given, settings)}  # what this breaks off is still to be made, should they not be usable
        start(slot, "files", work, faults={}, form=replace(form, asked=False), begun=begun)
        st.rerun()


def _files_of(key: str, asked: FileInput, slot: Slot[Any], name: str, *, by_path: bool) -> list[File]:
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
