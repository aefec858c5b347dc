"""State of the Systems page, immutable values, and its forms: which files, in which formats, and
what to do with what does not fit. They only ask; data.py reads.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from hiermeasures.app.binding import Slot, bind, changing, setting
from hiermeasures.app.files import File, FileInput, Form, evaluate_given, files_in
from hiermeasures.app.job import FieldError, Working
from hiermeasures.app.systems.data import (
    WHOLE,
    Asked,
    Columns,
    Evaluation,
    Matching,
    evaluate_files,
    evaluate_table,
    first_rows_of,
    in_order,
    label_columns,
    understood,
)
from hiermeasures.engine.answers import POLICIES
from hiermeasures.formats import HIERARCHY_FORMATS, LABEL_FORMATS
from hiermeasures.picture.text import escaped

# --- state ----------------------------------------------------------------------------------------


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
MOST_REMARKS, MOST_ROWS = 6, 8
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


def remarks_beside(notes: Sequence[str]) -> None:
    """Show notes on what could make the numbers wrong."""
    few, more = notes[:MOST_REMARKS], notes[MOST_REMARKS:]
    if few:
        rest = [f"And {len(more)} more, in the notes on the files."] if more else []
        st.warning("  \n".join(escaped(note) for note in (*few, *rest)), icon=":material/warning:")
