"""The page "A printed number".

It uses the files of the page Compare. You enter the printed numbers of some systems, and the page
finds conventions of evaluation that give them on these data. The search is a job
(hiermeasures.verify.forensics). It reads the labels again from the files, because conventions
differ on labels that an evaluation leaves out.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.app.binding import (
    attempt,
    bind,
    button,
    changing,
    forget_faults,
    setting,
    show_fault,
)
from hiermeasures.app.components import show_panel, show_text
from hiermeasures.app.explore.model import WayBack
from hiermeasures.app.files import checked_systems
from hiermeasures.app.job import Progress, outdated, show_progress, start
from hiermeasures.app.pages import Page
from hiermeasures.app.systems import form
from hiermeasures.app.systems.data import TITLE, Evaluation
from hiermeasures.app.systems.form import SYSTEMS, PrintedQuestion, remarks_beside
from hiermeasures.app.systems.instances import listed
from hiermeasures.app.systems.page import draw_page
from hiermeasures.draw.panel import Column, PanelTable, Row
from hiermeasures.draw.text import decimals, escaped, sentence
from hiermeasures.evaluation import EncodedLabels
from hiermeasures.evaluation.files import Systems
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.read import align
from hiermeasures.read.label_rows import LabelRows
from hiermeasures.verify.forensics.grid import Convention, measures
from hiermeasures.verify.forensics.search import Finding, Forensics, Printed, forensics, values_of

MOST = 20  # values that are listed; the files have all
SAMPLE = "F|average:micro|root:tops_out"  # the convention of the number to try
HOW_TO = "https://hiermeasures.github.io/hiermeasures/how-to/which-convention.html"
ABOUT = (
    "Evaluation code differs in many details, so one name can mean many numbers. Type the number "
    "that a paper prints for a system, and see which conventions give it on these data."
)
DIGITS = (
    "Type all printed digits, because 0.710 is more exact than 0.71. A number above 1 or "
    "with % is in per cent."
)
UNDETERMINED = "Details that do not change this number on these data."
SAME = (
    "The number of less usual conventions that give exactly this value here. The saved "
    "conventions list them."
)
MISSING = {"bounds": "may predict anything (bounds)", "empty": form.MISSING["empty"]}
OF_MISSING = (
    "The instances that a file leaves out. If they may predict anything, each convention has a "
    "lowest and a highest value, and the printed number must be between them."
)
TOLD = ("average", "ancestors", "root")  # points on which the usual choice is said
# and what is missing
Rows = tuple[Sequence[Any], Mapping[str, Sequence[Any]], Mapping[str, Sequence[int]]]


@dataclass(frozen=True, eq=False)
class PrintedAnswer:
    """The result of a search for the numbers of a question.

    `listed` contains the findings to show, grouped by value. The first of a group is nearest to the
    usual convention. `telling` contains the values of these first ones on the telling instance
    alone. `usual` contains the values of `ours`, the usual convention, by system.
    """

    question: PrintedQuestion
    found: Forensics
    listed: tuple[tuple[Finding, ...], ...]
    telling: tuple[float, ...]
    ours: Convention
    usual: Mapping[str, float]

    @property
    def first(self) -> str:
        """The system of the first number."""
        return next(iter(self.found.printed))

    @property
    def in_words(self) -> str:
        numbers = ", ".join(f"{name} {text}" for name, text in self.question.numbers.items())
        return (
            f"{numbers} ({measures()[self.question.of]['name']})" if self.question.of else numbers
        )


def answered(
    evaluation: Evaluation, question: PrintedQuestion, progress: Progress
) -> PrintedAnswer:
    """Return the conventions that give the numbers of a question."""
    numbers, of = question.numbers, question.of
    true, predicted, lost = _rows(evaluation, numbers, progress)
    # Labels of files are as they stand there; those of a table may be wrong classes of the
    # hierarchy.
    h = evaluation.hierarchy if evaluation.files is None else evaluation.systems.taxonomy
    found = forensics(
        h,
        true,
        predicted,
        numbers,
        of=of or None,
        progress=lambda done, total: progress("Trying conventions; steps", done, total),
        missing=lost if question.missing == "bounds" else {},
    )
    listed = found.groups[:MOST]
    firsts = [group[0].convention for group in listed]
    telling: list[float] = []
    if found.telling is not None:
        place = slice(found.telling, found.telling + 1)
        telling = values_of(h, true[place], next(iter(predicted.values()))[place], firsts)
    ours = Convention.of(of or (firsts[0].measure if firsts else "F"))
    usual = {name: values_of(h, true, rows, [ours])[0] for name, rows in predicted.items()}
    return PrintedAnswer(
        question, found, listed=listed, telling=tuple(telling), ours=ours, usual=usual
    )


def _rows(evaluation: Evaluation, systems: Mapping[str, str], progress: Progress) -> Rows:
    """Return the true labels and those of some systems, from files or from the evaluation."""
    if evaluation.files is None:
        labels = evaluation.systems
        return (
            _named(labels, labels.true),
            {name: _named(labels, labels.predicted[name]) for name in systems},
            {},
        )
    given, matching = evaluation.files
    progress("Reading the labels", 0, 0)
    h, files = evaluation.systems.taxonomy, checked_systems(given)
    truth = given["true"][0].checked().labels(matching.sub_task, h)
    predicted, missing = {}, {}
    for name in systems:
        progress("Reading the labels", 0, 0)
        aligned = align(truth, files[name].labels(matching.sub_task, h))
        predicted[name], missing[name] = aligned.predicted, aligned.missing_places
    if len(truth.labels) != evaluation.instances:
        raise InputError("The files were changed after they were evaluated. Evaluate them again.")
    return truth.labels, predicted, missing


def _named(systems: Systems, labels: EncodedLabels) -> LabelRows:
    return LabelRows(systems.hierarchy.nodes, labels.ptr, labels.idx)


# --- the page -----------------------------------------------------------------------------------


def page() -> None:
    draw_page("A printed number", _results)


def _results(settled: Callable[[], None]) -> None:
    """Draw the question and its answer on all instances, because a paper's number covers them
    all.
    """
    evaluation = SYSTEMS.value.evaluation
    assert evaluation is not None
    evaluation = evaluation.whole or evaluation
    if SYSTEMS.value.job is not None:
        show_progress(SYSTEMS)
    with st.container(key="job_results"):
        if SYSTEMS.value.purpose == "files" and SYSTEMS.value.job is not None:
            outdated(evaluation.title)
        remarks_beside(evaluation.remarks)
        _panel(evaluation)


def _panel(evaluation: Evaluation) -> None:
    st.caption(f"{ABOUT} [The points and their choices]({HOW_TO})")
    _question(evaluation)
    answer: PrintedAnswer | None = SYSTEMS.value.answer
    if answer is not None:
        with st.container(key="printed_answer"):
            if answer.question != _asked(evaluation) or (
                SYSTEMS.value.purpose == "search" and SYSTEMS.value.job
            ):
                outdated(answer.in_words, "printed_answer")
            _answer(evaluation, answer)
            _export(answer.found)


def _export(found: Forensics) -> None:
    """Draw the buttons that save the conventions."""
    files = {
        "conventions.txt": ("Conventions as text", found.as_text),
        "conventions.json": (
            "Conventions as JSON",
            lambda: json.dumps(found.as_json(), ensure_ascii=False, indent=2),
        ),
    }
    with st.container(horizontal=True):
        for name, (title, make) in files.items():
            st.download_button(title, make, name, key=f"printed_{name}", on_click="ignore")


def _asked(evaluation: Evaluation) -> PrintedQuestion:
    """Return the question about the systems that have a number."""
    at = SYSTEMS.value.question
    return replace(
        at,
        numbers={name: t for name in evaluation.reports if (t := at.numbers.get(name, "").strip())},
    )


def _question(evaluation: Evaluation) -> None:
    names = {"": "any measure"} | {key: entry["name"] for key, entry in measures().items()}
    about = "  \n".join(f"**{entry['name']}**: {entry['about']}" for entry in measures().values())
    kept = (labels.ptr for labels in evaluation.systems.predicted.values())
    some_missing = evaluation.files is not None and any((ptr[1:] == ptr[:-1]).any() for ptr in kept)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        for k, name in enumerate(evaluation.reports):
            typed = SYSTEMS.value.question.numbers.get(name, "")
            bind(st.text_input, f"printed_{k}", typed, partial(_type, name))(
                escaped(name), width=150, max_chars=30, placeholder="0.712 or 71.2 %", help=DIGITS
            )
        setting(st.selectbox, "printed_of", SYSTEMS, "question.of")(
            "The paper calls it", list(names), width=150, format_func=names.__getitem__, help=about
        )
        if some_missing:
            setting(st.selectbox, "printed_missing", SYSTEMS, "question.missing")(
                "Instances without a prediction",
                list(MISSING),
                width=240,
                format_func=MISSING.__getitem__,
                help=OF_MISSING,
            )
        find = partial(attempt, "printed_find", partial(_find, evaluation))
        button("Find conventions", key="printed_find", action=find, type="primary")
        if evaluation.title == TITLE and not _asked(evaluation).numbers:
            button(
                "Try a number",
                key="printed_sample",
                action=partial(_try, evaluation),
                type="tertiary",
            )
    for k, (name, text) in enumerate(_asked(evaluation).numbers.items()):
        if fault := _fault(text):
            show_text(f"{name}: {fault}", "error", key=f"printed_fault_{k}")
    show_fault("printed_find")


def _type(name: str, text: str) -> None:
    forget_faults("printed_find")
    changing(SYSTEMS, "question.numbers")({**SYSTEMS.value.question.numbers, name: text})


def _fault(text: str) -> str:
    try:
        Printed.of(text)
    except InputError as fault:
        return sentence(fault)
    return ""


def _find(evaluation: Evaluation) -> None:
    question = _asked(evaluation)
    if not question.numbers:
        raise InputError("Type the printed number of one of the systems.")
    if not any(map(_fault, question.numbers.values())):
        start(SYSTEMS, "search", partial(answered, evaluation, question))


def _try(evaluation: Evaluation) -> None:
    """Suggest a number that an unusual convention gives for the first system."""
    systems, name = evaluation.systems, next(iter(evaluation.reports))
    true, predicted = (_named(systems, side) for side in (systems.true, systems.predicted[name]))
    convention = Convention.parse(SAMPLE)
    (value,) = values_of(evaluation.hierarchy, true, predicted, [convention])
    SYSTEMS.change(question=PrintedQuestion({name: f"{value:.3f}"}, convention.measure))
    _find(evaluation)


# --- the answer -----------------------------------------------------------------------------------


def _answer(evaluation: Evaluation, answer: PrintedAnswer) -> None:
    found = answer.found
    st.header(escaped(answer.in_words))
    st.markdown(escaped(sentence(found.verdict)))
    usual = ", ".join(f"{decimals(value, 3)} for {name}" for name, value in answer.usual.items())
    words = answer.ours.sentence(tuple(axis for axis in TOLD if axis in dict(answer.ours.choices)))
    points = f" ({words}; …)" if answer.ours.choices else ""
    name = measures()[answer.ours.measure]["name"]
    bounded = any(finding.spans for finding in (*found.consistent, *found.nearest))
    taken = ", with missing predictions taken as empty" * bounded
    st.caption(escaped(f"By the usual convention{points} the {name} is {usual}{taken}."))
    for note in found.notes:
        st.caption(escaped(sentence(note)))
    if not found.consistent:
        st.caption(
            f"The nearest, with their "
            f"{'bounds' if bounded else 'differences from the printed number'}:"
        )
    ids = evaluation.reports[answer.first].kept.ids
    show_panel(_table(answer, ids), key="printed_table")
    change = re.sub(r"instance (\d+) \(from 0\)", lambda at: str(ids[int(at[1])]), found.change)
    for key, text in (
        ("printed_change", change),
        ("printed_hierarchy_change", found.hierarchy_change),
    ):
        if text:
            show_text(f"{text}.", key=key)
    if not (found.consistent or found.change or found.hierarchy_change or bounded):
        tried = "one instance, one class or " * (len(found.printed) == 1)
        st.caption(
            f"No change of {tried}one edge of the hierarchy was found that gives the printed "
            f"number."
        )
    if found.telling is not None:
        _telling(evaluation, answer, found.telling)
    elif len(found.consistent) > 1:
        st.caption("No single instance distinguishes these conventions.")


def _table(answer: PrintedAnswer, ids: Sequence[Any]) -> PanelTable:
    firsts, of = [group[0] for group in answer.listed], answer.question.of
    about = f"The value on this instance of {answer.first} alone. –: it is left out."
    columns: list[tuple[Column, list[str]]] = [
        (
            Column("Quantity"),
            ["" if of else measures()[first.convention.measure]["name"] for first in firsts],
        ),
        *(
            (Column(name, "number"), _values(answer, k))
            for k, name in enumerate(answer.found.printed)
        ),
        (
            Column(f"on {ids[answer.found.telling or 0]}", "number", about),
            [decimals(value, 3) for value in answer.telling],
        ),
        (
            Column("Changes from the usual convention"),
            [first.convention.sentence() for first in firsts],
        ),
        (
            Column("Not determined by these data", about=UNDETERMINED),
            [first.undetermined_in_words for first in firsts],
        ),
        (
            Column("Same value", "number", SAME),
            [f"{len(g) - 1} more" * (len(g) > 1) for g in answer.listed],
        ),
    ]
    filled = [(column, cells) for column, cells in columns if any(cells)]
    left = max(0, len(answer.found.groups) - len(answer.listed))
    note = (
        f"{left:,} more values, farther from the usual convention, are in the saved conventions."
        if left
        else ""
    )
    rows = tuple(Row(cells) for cells in zip(*(cells for _, cells in filled), strict=True))
    caption = "Conventions, the nearest to the usual one first"
    return PanelTable(caption, tuple(column for column, _ in filled), rows, note, wide=True)


def _values(answer: PrintedAnswer, system: int) -> list[str]:
    """Return a system's values, each with its rounding to the printed number or its distance from
    it.

    Missing predictions turn values into bounds.
    """
    share, cells = list(answer.found.printed.values())[system], []
    for finding, *_ in answer.listed:
        printed = share.read_for(finding.convention)
        value, (low, high) = finding.values[system], finding.ends[system]
        how = printed.how(value) or decimals(value - printed.value, 4, signed=True)
        cells.append(f"{low:.3f} to {high:.3f}" if low < high else f"{value:.6f} {how}")
    return cells


def _telling(evaluation: Evaluation, answer: PrintedAnswer, number: int) -> None:
    report = evaluation.reports[answer.first]
    name = str(report.kept.ids[number])
    table = pd.DataFrame({"number": [number]}, index=[name])
    at = listed(
        "instance",
        "that tells conventions apart",
        {answer.first: report},
        table,
        columns={},
        measures=("hF",),
    )
    at = replace(at, back=WayBack("Back to A printed number", "systems.printed"))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"{escaped(name)} is the instance that distinguishes most of them.", width="content"
        )
        button(
            f"Open {escaped(name)} in the Explorer",
            key="printed_open",
            icon=":material/open_in_new:",
            action=partial(at.open, 0),
        )


PAGE = Page(
    "A printed number",
    page,
    "Type the number that a paper prints for a system, and see which conventions give it.",
)
