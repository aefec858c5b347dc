"""Forms of the page Compare, and its state as immutable values.

The forms ask for files, formats, and the treatment of unknown labels and missing predictions.
data.py reads the files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from hiermeasures.app.binding import bind, changing, setting
from hiermeasures.app.files import File, FileInput, Form, evaluate_given, files_in
from hiermeasures.app.inbox import Slot
from hiermeasures.app.job import FieldError, Working
from hiermeasures.app.systems.data import (
    WHOLE,
    Columns,
    ComparisonRequest,
    Evaluation,
    Matching,
    evaluate_files,
    evaluate_table,
    first_rows_of,
    in_order,
    label_columns,
    understood,
)
from hiermeasures.app.systems.filter_rules import Filter
from hiermeasures.draw.text import escaped
from hiermeasures.evaluation.answers import POLICIES
from hiermeasures.evaluation.scores import KINDS
from hiermeasures.hierarchy.matching import FORMS
from hiermeasures.read import HIERARCHY_FORMATS, LABEL_FORMATS

# --- state ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Finder:
    """Input of the view "Search": a condition on the instances of one or two systems, or two
    measures that prefer different systems. An empty condition means that one shown measure >
    another.
    """

    kind: Literal["condition", "preference"] = "condition"
    condition: str = ""
    system: str = ""
    other: str = ""
    first: str = "hP"
    second: str = "hR"


@dataclass(frozen=True)
class WhyForm:
    """Input of the view "Why": two systems, two measures, and the order of parts and instances.

    The `order` is a system and a measure. The system's largest losses by the measure come first.
    Without it, the parts that explain a disagreement come first. `part` is the chosen part: its
    table and its key.
    """

    system: str = ""
    other: str = ""
    first: str = ""
    second: str = ""
    order: tuple[str, str] = ("", "")
    everything: bool = False
    part: tuple[str, Any] | None = None


@dataclass(frozen=True)
class PrintedQuestion:
    """Input of the view of printed numbers: the typed text by system, the quantity (any if empty),
    and the treatment of missing predictions.
    """

    numbers: Mapping[str, str] = field(default_factory=dict)
    of: str = ""
    missing: Literal["bounds", "empty"] = "bounds"


@dataclass(frozen=True, eq=False)
class FirstRows:
    """First rows of a table file, or the reason why it cannot be read."""

    source: bytes | Path
    columns: Mapping[str, list[str]] = field(default_factory=dict)
    fault: str = ""


@dataclass(frozen=True)
class TableForm:
    """The columns in the form for one table, and the first rows of its file."""

    columns: Columns = field(default_factory=Columns)
    first_rows: FirstRows | None = None


@dataclass(frozen=True)
class InstancesForm:
    """Input of the view "Instances": the measures of both axes, and the order of the list."""

    across: str = "hF"
    up: str = "F_LCA"
    listed: Literal["disagreement", "worst"] = "disagreement"


@dataclass(frozen=True)
class MistakesForm:
    """Input of the view "Mistakes": the class that the last drawing follows."""

    label: str = ""


@dataclass(frozen=True)
class MatrixForm:
    """Input of the view "Confusion".

    It contains the subtracted system (if any), the part of the hierarchy, the level (0: the classes
    that you opened, in `rows` and `columns`), and the chosen `cell`, by the keys of its row and
    column.
    """

    values: Literal["count", "true", "predicted"] = "count"
    minus: str = ""
    below: str = ""
    level: int = 1
    rows: frozenset[str] = frozenset()
    columns: frozenset[str] = frozenset()
    same: bool = True
    cell: tuple[str, str] | None = None


@dataclass(frozen=True)
class FilterForm:
    """Input of the menu that adds a filter: its kind, and the fields of each kind."""

    by: str = "class"
    label: str = ""
    level: int = 1
    fewest: int = 1
    most: int = 1
    system: str = ""
    mistake: str = "sibling"
    measure: str = ""
    low: float = 0.0
    high: float = 0.5
    text: str = ""


@dataclass(frozen=True)
class SystemsModel(Working):
    """State of the page with its evaluation of labels.

    `wanted` contains the requested settings, and `filters` the requested filters. `evaluation`
    records those that it used. If `system` or a measure no longer exists, the page shows the first
    one.
    """

    kind: Literal["labels", "table", "scores"] = "labels"
    shown: str = ""  # the kind that the address named last
    form: Form = field(default_factory=Form)
    table: TableForm = TableForm()
    matching: Matching = field(default_factory=Matching)
    wanted: ComparisonRequest = field(default_factory=ComparisonRequest)
    filters: tuple[Filter, ...] = ()
    filtering: FilterForm = FilterForm()
    evaluation: Evaluation | None = None
    view: str = ""
    system: str = ""
    instances: InstancesForm = InstancesForm()
    mistakes: MistakesForm = MistakesForm()
    matrix: MatrixForm = MatrixForm()
    pairs: str = ""
    counted: str = "hF"
    coloured: str = "f1"
    finder: Finder = Finder()
    why: WhyForm = WhyForm()
    question: PrintedQuestion = PrintedQuestion()
    answer: Any = None  # an Answer of printed.py
    tuned: str = "hF"  # the measure whose best thresholds are shown
    swept: Any = None  # a Sweep of thresholds.py

    @property
    def asked(self) -> ComparisonRequest:
        """`wanted` with its measures in order. Without chosen measures, it has the evaluated
        ones.
        """
        there = self.evaluation.measures if self.evaluation else ()
        return replace(self.wanted, measures=in_order(self.wanted.measures) or there)

    @property
    def size(self) -> int:
        """The size of the uploads and the approximate size of the evaluation, in bytes."""
        form = self.form
        fields = (form.hierarchy, form.table, form.true, form.systems)
        uploads = sum(len(content) for each in fields for _, content in each.uploads)
        return uploads + (self.evaluation.size if self.evaluation is not None else 0)


SYSTEMS: Slot[SystemsModel] = Slot("systems_model", SystemsModel)


def choice(
    label: str, offered: Sequence[str], path: str, otherwise: str = "", **settings: Any
) -> str:
    """Draw a select box for the model's value at `path`, and return that value.

    If the value is not among the options, return `otherwise` or the first option.
    """
    chosen: str = attrgetter(path)(SYSTEMS.value)
    value = chosen if chosen in offered else otherwise or offered[0]
    key = "systems_" + path.replace("finder.", "find_").removeprefix("instances.")
    bind(st.selectbox, key, value, changing(SYSTEMS, path))(label, list(offered), **settings)
    return value


def choose_system(names: Sequence[str], otherwise: str = "", **settings: Any) -> str:
    """Draw the field of the system that the views share, and return it.

    If the model's system no longer exists, return `otherwise` or the first system.
    """
    chosen = SYSTEMS.value.system
    value = chosen if chosen in names else otherwise or names[0]
    bind(st.selectbox, "systems_system", value, _take_system)("System", list(names), **settings)
    return value


def _take_system(name: str) -> None:
    SYSTEMS.change(system=name, why=replace(SYSTEMS.value.why, system=name))


# --- files ----------------------------------------------------------------------------------------


LABEL_INPUTS = {
    "hierarchy": FileInput(
        "Hierarchy",
        "The classes and their parents, for example one line per edge: parent, tab, child.",
        HIERARCHY_FORMATS,
    ),
    "true": FileInput(
        "True labels", "One line or row per instance: its id and its true classes.", LABEL_FORMATS
    ),
    "systems": FileInput(
        "Systems",
        "One file per system, in the same form as the true labels. Instances are matched by "
        "their ids.",
        LABEL_FORMATS,
        several=True,
    ),
}
SCORE_INPUTS = LABEL_INPUTS | {
    "systems": FileInput(
        "Systems",
        "One file per system, with a column of scores for each class: CSV, Parquet or NPZ. You "
        "can add files of labels. Instances are matched by their ids.",
        several=True,
    )
}
NUMBERS = {
    "nodes": "probabilities of all classes",
    "leaves": "probabilities of the leaves",
    "conditional": "probabilities given the parent",
    "conditional_softmax": "logits, softmax over siblings",
    "conditional_sigmoid": "logits, sigmoid of each class",
}
TABLE_INPUT = {
    "table": FileInput(
        "One table",
        "A CSV or TSV file with a header: a column of true labels, and a column of answers for "
        "each system.",
    )
}
MOST_REMARKS, MOST_ROWS = 6, 8
UNKNOWN_ANSWERS = {
    "error": "refuse the file",
    "wrong": "count as wrong",
    "prefix": "take its deepest valid part",
    "nearest": "take the nearest name",
    "drop": "leave out (raises scores)",
}
FAULTY = {"raise": "refuse the file", "drop": "leave out and list"}
MISSING = {"empty": "count as predicting nothing", "fail": "refuse the file"}


def label_form() -> None:
    """Draw the form for label files, and start the evaluation that it requests."""
    _files_form(LABEL_INPUTS, scored=False)


def score_form() -> None:
    """Draw the form for files of scores, and start the evaluation that it requests."""
    _files_form(SCORE_INPUTS, scored=True)


def _files_form(inputs: Mapping[str, FileInput], *, scored: bool) -> None:
    at = SYSTEMS.value
    notes, read = (at.evaluation.notes, at.evaluation.read) if at.evaluation else ({}, {})
    given, pressed = files_in("systems", SYSTEMS, inputs, notes, read)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if scored:
            setting(st.selectbox, "systems_numbers", SYSTEMS, "matching.numbers")(
                "The scores are",
                list(KINDS),
                format_func=NUMBERS.__getitem__,
                width=250,
                help="The meaning of the numbers in a file of scores. A class without a column "
                "has the probability 0.",
            )
        _matching_fields()
        pressed()
    matching = replace(SYSTEMS.value.matching, scored=scored)
    evaluate_given(
        SYSTEMS,
        inputs,
        given,
        matching,
        lambda report: evaluate_files(given, matching, report, at.asked),
    )


def _matching_fields() -> None:
    """Draw the fields for unknown labels and missing instances."""
    setting(st.selectbox, "systems_task", SYSTEMS, "matching.task")(
        "Task in GermEval files",
        [WHOLE, "a", "b"],
        width=190,
        help="These files contain two sub-tasks: a (the topmost classes) and b (all levels). "
        "Other formats ignore this.",
    )
    for name, label, meanings, width in (
        ("unknown", "Answers that are not classes", UNKNOWN_ANSWERS, 230),
        ("missing", "Instances without a prediction", MISSING, 240),
        ("errors", "Faulty entries of the hierarchy", FAULTY, 210),
    ):
        setting(st.selectbox, f"systems_{name}", SYSTEMS, f"matching.{name}")(
            label, list(meanings), width=width, format_func=meanings.__getitem__
        )
    _normalise_field("matching.normalise")


def _normalise_field(path: str) -> None:
    """Draw the field for differences between labels to ignore (normalise)."""
    setting(st.multiselect, f"systems_{path}", SYSTEMS, path)(
        "Normalise",
        list(FORMS),
        width=230,
        help="Ignore these differences between labels and classes. By default, every difference "
        "counts.",
    )


def table_form() -> None:
    """Draw the form for one table, with the detected label format and the first rows.

    It starts the requested evaluation.
    """
    asked, found = SYSTEMS.value.asked, SYSTEMS.value.evaluation
    notes, read = (found.notes, found.read) if found else ({}, {})
    given, pressed = files_in("systems", SYSTEMS, TABLE_INPUT, notes, read)
    if not given["table"]:
        return
    rows = _first_rows(given["table"][0])
    if rows.fault:
        st.error(escaped(rows.fault), icon=":material/error:")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        true, predicted = _choose_columns(rows.columns)
        pressed()
    columns = replace(SYSTEMS.value.table.columns, true=true, predicted=tuple(predicted))
    labels = rows.columns[true]
    st.caption(
        escaped(f"{true}: {understood(labels, columns.paths)} in the first {len(labels):,} rows")
    )
    first = {name: rows.columns[name][:MOST_ROWS] for name in (true, *predicted)}
    st.dataframe(first, hide_index=True, key="systems_table_rows")
    if predicted:
        evaluate_given(
            SYSTEMS,
            TABLE_INPUT,
            given,
            columns,
            lambda report: evaluate_table(given, columns, report, asked),
        )


def _choose_columns(columns: Mapping[str, Sequence[str]]) -> tuple[str, list[str]]:
    """Draw the settings of a table. Return the columns of true labels and of answers."""
    names, likely, at = list(columns), label_columns(columns), SYSTEMS.value.table.columns
    true = at.true if at.true in names else likely[0]
    others = [name for name in names if name != true]
    predicted = [name for name in at.predicted if name in others] or [
        name for name in likely if name != true
    ]
    bind(st.selectbox, "systems_table_true", true, changing(SYSTEMS, "table.columns.true"))(
        "True labels", names, width=190
    )
    choose_answers = changing(SYSTEMS, "table.columns.predicted")
    bind(st.multiselect, "systems_table_predicted", predicted, choose_answers)(
        "Answers, a column for each system", others, width=360
    )
    setting(st.text_input, "systems_table_paths", SYSTEMS, "table.columns.paths")(
        "Path separator", help="Text between the parts of a path. Detected if empty.", width=130
    )
    setting(st.selectbox, "systems_table_unknown", SYSTEMS, "table.columns.unknown")(
        "Answers that are not classes",
        list(POLICIES),
        format_func=UNKNOWN_ANSWERS.__getitem__,
        width=230,
    )
    _normalise_field("table.columns.normalise")
    return true, predicted


def _first_rows(file: File) -> FirstRows:
    """Return the first rows of a file. Each file is read once."""
    known = SYSTEMS.value.table.first_rows
    if known is None or known.source != file.source:
        try:
            known = FirstRows(file.source, first_rows_of(file))
        except FieldError as error:
            known = FirstRows(file.source, fault=str(error))
        changing(SYSTEMS, "table.first_rows")(known)
    return known


def remarks_beside(notes: Sequence[str]) -> None:
    """Warn of problems in the files that can make the numbers wrong."""
    few, more = notes[:MOST_REMARKS], notes[MOST_REMARKS:]
    if few:
        rest = [f"And {len(more)} more, in the notes on the files."] if more else []
        st.warning("  \n".join(escaped(note) for note in (*few, *rest)), icon=":material/warning:")
