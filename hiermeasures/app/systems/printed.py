"""The view "A paper prints …" of the Systems page: a printed number for some of the systems, and
the conventions of evaluation that give it on these data.

They are looked for in a job by hiermeasures.forensics, which names them and their points; the
labels are read once more as they stand in the files, for conventions differ on those that an
evaluation leaves out.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import pandas as pd
import streamlit as st

from hiermeasures.app.binding import Slot, attempt, bind, button, forget_faults, setting, show_fault
from hiermeasures.app.components import show_panel, show_text
from hiermeasures.app.explore.model import open_shown
from hiermeasures.app.job import Progress, Working, outdated, settle, show_progress, start
from hiermeasures.app.pages import switch_to
from hiermeasures.app.systems import form
from hiermeasures.app.systems.data import Evaluation, Request, checked_systems
from hiermeasures.app.systems.examples import TITLE
from hiermeasures.app.systems.instances import BACK, listed
from hiermeasures.app.systems.views import Files
from hiermeasures.core.errors import InputError
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.forensics.grid import Convention, measures
from hiermeasures.forensics.search import Finding, Forensics, Printed, forensics, values_of
from hiermeasures.formats import align
from hiermeasures.formats.label_rows import LabelRows
from hiermeasures.picture.panel import Column, Row, Table
from hiermeasures.picture.text import escaped, sentence

MOST = 20  # values that are listed; the files have all
SAMPLE = "F|average:micro|root:tops_out"  # the convention of the number to try
HOW_TO = "https://hiermeasures.github.io/hiermeasures/how-to/which-convention.html"
ABOUT = (
    "Evaluation code differs on many points, so that one name stands for many numbers: type what a paper prints for a "
    "system, and see which conventions give it on these data."
)
DIGITS = "As it is printed: 0.710 says more than 0.71. A number above 1, or with %, is per cent."
ANY = "any of them"
TABLE = "Conventions, the nearest to the usual one first"
UNTOLD = "Points on which another choice gives the same here."
SAME = "Conventions farther from the usual one that give exactly the same value here; Export names them."
MISSING = {"bounds": "may predict anything (bounds)", "empty": form.MISSING["empty"]}
OF_MISSING = (
    "Those that a file leaves out. Where they may predict anything, a convention has a least and a largest value, and "
    "the printed number is looked for between them."
)
TOLD = ("average", "ancestors", "root")  # points on which the usual choice is said
Rows = tuple[Sequence[Any], Mapping[str, Sequence[Any]], Mapping[str, Sequence[int]]]  # and what is missing


@dataclass(frozen=True, eq=False)
class Answer:
    """The result of a search for the numbers of some systems.

    `listed` are the findings to show, of those of one value the nearest to the usual convention and
    the others; `telling` are the values of the first of each over the telling instance alone,
    `usual` those of `ours`, the usual convention, by system; `asked` is the question: numbers,
    quantity and treatment of missing predictions.
    """

    asked: tuple[Mapping[str, str], str, str]
    found: Forensics
    listed: tuple[tuple[Finding, ...], ...]
    telling: tuple[float, ...]
    ours: Convention
    usual: Mapping[str, float]


@dataclass(frozen=True)
class PrintedModel(Working):
    """State of the view of printed numbers: what was typed, by system, the quantity ("" for any),
    what missing predictions are taken for, and the answer. `about` is the hierarchy of the data
    that the job and the answer are of.
    """

    numbers: Mapping[str, str] = field(default_factory=dict)
    of: str = ""
    missing: Literal["bounds", "empty"] = "bounds"
    about: Hierarchy | None = None
    answer: Answer | None = None


PRINTED: Slot[PrintedModel] = Slot("printed_model", PrintedModel)


def answered(
    evaluation: Evaluation, printed: Mapping[str, str], of: str, progress: Progress, missing: str = "bounds"
) -> Answer:
    """Return the conventions of one quantity, "" for any, that give the numbers of these systems.
    Missing predictions have "bounds", or are "empty".
    """
    true, predicted, lost = _rows(evaluation, printed, progress)
    found = forensics(
        evaluation.hierarchy,
        true,
        predicted,
        printed,
        of=of or None,
        progress=lambda done, total: progress("Trying conventions; steps", done, total),
        missing=lost if missing == "bounds" else {},
    )
    listed = found.groups[:MOST]
    firsts = [group[0].convention for group in listed]
    telling: list[float] = []
    if found.telling is not None:
        place = slice(found.telling, found.telling + 1)
        telling = values_of(evaluation.hierarchy, true[place], next(iter(predicted.values()))[place], firsts)
    ours = Convention.of(of or (firsts[0].measure if firsts else "F"))
    usual = {name: values_of(evaluation.hierarchy, true, rows, [ours])[0] for name, rows in predicted.items()}
    return Answer((printed, of, missing), found, listed, tuple(telling), ours, usual)


def sample(evaluation: Evaluation) -> tuple[str, str]:
    """Return a number that an unusual convention gives to the first system, and its name."""
    report = next(iter(evaluation.reports.values()))
    true, predicted = (_named(evaluation, side) for side in (report.kept.true, report.kept.predicted))
    convention = Convention.parse(SAMPLE)
    (value,) = values_of(evaluation.hierarchy, true, predicted, [convention])
    return f"{value:.3f}", convention.measure


def some_missing(evaluation: Evaluation) -> bool:
    """True where a file may lack the predictions of some instances: those count as empty."""
    kept = (report.kept.predicted.ptr for report in evaluation.reports.values())
    return evaluation.request is not None and any((ptr[1:] == ptr[:-1]).any() for ptr in kept)


def _rows(evaluation: Evaluation, systems: Mapping[str, str], progress: Progress) -> Rows:
    """The labels of the truth and of some systems, of files or as they were evaluated."""
    if evaluation.request is not None:
        rows = _read(evaluation.request, systems, progress)
        if len(rows[0]) != evaluation.instances:
            raise InputError("The files were changed after they were evaluated; evaluate them again.")
        return rows
    kept = {name: evaluation.reports[name].kept for name in systems}
    true = next(iter(kept.values())).true
    return _named(evaluation, true), {name: _named(evaluation, of.predicted) for name, of in kept.items()}, {}


def _named(evaluation: Evaluation, labels: Any) -> LabelRows:
    return LabelRows(evaluation.hierarchy.nodes, labels.ptr, labels.idx)


def _read(request: Request, systems: Mapping[str, str], progress: Progress) -> Rows:
    progress("Reading the labels", 0, 0)
    truth = request.true.checked().labels(request.task)
    files = checked_systems(request)
    predicted, missing = {}, {}
    for name in systems:
        progress("Reading the labels", 0, 0)
        aligned = align(truth, files[name].labels(request.task))
        predicted[name], missing[name] = aligned.predicted, aligned.missing_places
    return truth.labels, predicted, missing


# --- the view -----------------------------------------------------------------------------------


def panel(evaluation: Evaluation) -> None:
    """Draw the view."""
    st.caption(f"{ABOUT} [The points and their choices]({HOW_TO})")
    _question(evaluation)
    at = PRINTED.value
    if at.fault:
        st.error(escaped(at.fault), icon=":material/error:")
    if at.stopped and at.job is None:
        st.info("Stopped before the end of the search. What was typed is still here.")
    if at.job is not None:
        show_progress(PRINTED, "printed")
    if at.answer is not None:
        with st.container(key="printed_answer"):
            if at.answer.asked != (_typed(evaluation), at.of, at.missing) or at.job is not None:
                outdated(_question_in_words(at.answer), "printed_answer")
            _answer(evaluation, at.answer)


def files(evaluation: Evaluation) -> Files:
    """Take the result of a finished job; return the answer's files."""
    at = PRINTED.value
    if at.about is not evaluation.hierarchy:  # a job for other data stops itself when nobody holds it
        PRINTED.set(type(at)(numbers=at.numbers, of=at.of, missing=at.missing, about=evaluation.hierarchy))
    settle(PRINTED, lambda answer: {"answer": answer}, {})
    if (answer := PRINTED.value.answer) is None:
        return {}
    found = answer.found
    return {
        "conventions.txt": ("Conventions as text", found.as_text),
        "conventions.json": ("Conventions as JSON", lambda: json.dumps(found.as_json(), ensure_ascii=False, indent=2)),
    }


# --- the question ---------------------------------------------------------------------------------


def _typed(evaluation: Evaluation) -> dict[str, str]:
    """The numbers of the systems that have one."""
    numbers = PRINTED.value.numbers
    return {name: text for name in evaluation.reports if (text := numbers.get(name, "").strip())}


def _question(evaluation: Evaluation) -> None:
    names = {"": ANY} | {key: entry["name"] for key, entry in measures().items()}
    about = "  \n".join(f"**{entry['name']}**: {entry['about']}" for entry in measures().values())
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        for k, name in enumerate(evaluation.reports):
            bind(st.text_input, f"printed_{k}", PRINTED.value.numbers.get(name, ""), partial(_type, name))(
                escaped(name), width=150, max_chars=30, placeholder="0.712 or 71.2 %", help=DIGITS
            )
        setting(st.selectbox, "printed_of", PRINTED, "of")(
            "Said to be", list(names), width=150, format_func=names.__getitem__, help=about
        )
        if some_missing(evaluation):
            setting(st.selectbox, "printed_missing", PRINTED, "missing")(
                "Instances without a prediction",
                list(MISSING),
                width=240,
                format_func=MISSING.__getitem__,
                help=OF_MISSING,
            )
        find = partial(attempt, "printed_find", partial(_find, evaluation))
        button("Find conventions", key="printed_find", action=find, type="primary")
        if evaluation.title == TITLE and not _typed(evaluation):
            button("Try a number", key="printed_sample", action=partial(_try, evaluation), type="tertiary")
    for k, (name, text) in enumerate(_typed(evaluation).items()):
        if fault := _fault(text):
            show_text(f"{name}: {fault}", "error", key=f"printed_fault_{k}")
    show_fault("printed_find")


def _type(name: str, text: str) -> None:
    forget_faults("printed_find")
    PRINTED.change(numbers={**PRINTED.value.numbers, name: text})


def _fault(text: str) -> str:
    try:
        Printed.of(text)
    except InputError as fault:
        return sentence(fault)
    return ""


def _find(evaluation: Evaluation) -> None:
    printed, of, missing = _typed(evaluation), PRINTED.value.of, PRINTED.value.missing
    if not printed:
        raise InputError("Type the number that is printed for one of the systems.")
    if not any(map(_fault, printed.values())):
        start(PRINTED, "search", lambda report: answered(evaluation, printed, of, report, missing))


def _try(evaluation: Evaluation) -> None:
    number, of = sample(evaluation)
    PRINTED.change(numbers={next(iter(evaluation.reports)): number}, of=of)
    _find(evaluation)


# --- the answer -----------------------------------------------------------------------------------


def _question_in_words(answer: Answer) -> str:
    printed, of, _ = answer.asked
    numbers = ", ".join(f"{name} {text}" for name, text in printed.items())
    return f"{numbers} ({measures()[of]['name']})" if of else numbers


def _answer(evaluation: Evaluation, answer: Answer) -> None:
    found = answer.found
    st.header(escaped(_question_in_words(answer)))
    st.markdown(escaped(sentence(found.verdict)))
    usual = ", ".join(f"{_number(value)} for {name}" for name, value in answer.usual.items())
    words = answer.ours.sentence(tuple(axis for axis in TOLD if axis in dict(answer.ours.choices)))
    points = f" ({words}; …)" if answer.ours.choices else ""
    name = measures()[answer.ours.measure]["name"]
    bounded = any(finding.spans for finding in (*found.consistent, *found.nearest))
    taken = ", with missing predictions taken as empty" * bounded
    st.caption(escaped(f"By the usual convention{points} the {name} is {usual}{taken}."))
    for note in found.notes:
        st.caption(escaped(sentence(note)))
    if not found.consistent:
        st.caption(f"The nearest, with their {'bounds' if bounded else 'differences from the printed number'}:")
    show_panel(_table(evaluation, answer), key="printed_table")
    if found.change:
        named = re.sub(r"instance (\d+) \(from 0\)", lambda at: _id(evaluation, answer, int(at[1])), found.change)
        show_text(f"{named}.", key="printed_change")
    if found.hierarchy_change:
        show_text(f"{found.hierarchy_change}.", key="printed_hierarchy_change")
    if not (found.consistent or found.change or found.hierarchy_change or bounded):
        tried = "one instance, one class or " * (len(found.printed) == 1)
        st.caption(f"No change of {tried}one edge of the hierarchy was found that gives what is printed.")
    if found.telling is not None:
        _telling(evaluation, answer, found.telling)
    elif len(found.consistent) > 1:
        st.caption("No single instance tells these conventions apart.")


def _table(evaluation: Evaluation, answer: Answer) -> Table:
    firsts, of = [group[0] for group in answer.listed], answer.asked[1]
    about = f"The value over this instance of {next(iter(answer.found.printed))} alone; – where it is left out."
    telling = _id(evaluation, answer, answer.found.telling or 0)
    others = [f"{len(group) - 1} more" * (len(group) > 1) for group in answer.listed]
    columns: list[tuple[Column, list[str]]] = [
        (Column("Quantity"), ["" if of else measures()[first.convention.measure]["name"] for first in firsts]),
        *((Column(name, "number"), _values(answer, k)) for k, name in enumerate(answer.found.printed)),
        (Column(f"on {telling}", "number", about), [_number(value) for value in answer.telling]),
        (Column("Changes from the usual convention"), [first.convention.sentence() for first in firsts]),
        (Column("Not told by these data", about=UNTOLD), [first.untold_in_words for first in firsts]),
        (Column("Same value", "number", SAME), others),
    ]
    filled = [(column, cells) for column, cells in columns if any(cells)]
    left = max(0, len(answer.found.groups) - len(answer.listed))
    note = f"{left:,} more values, farther from the usual convention, are in Export." if left else ""
    rows = tuple(Row(cells) for cells in zip(*(cells for _, cells in filled), strict=True))
    return Table(TABLE, tuple(column for column, _ in filled), rows, note, wide=True)


def _values(answer: Answer, system: int) -> list[str]:
    """The values of a system, and how each is printed so, or how far it is from what is printed;
    bounds where predictions are missing.
    """
    share, cells = list(answer.found.printed.values())[system], []
    for finding, *_ in answer.listed:
        printed = share.read_for(finding.convention)
        value = finding.values[system]
        low, high = finding.ends[system]
        if low < high:
            cells.append(f"{low:.3f} to {high:.3f}")
            continue
        how = printed.how(value) or f"{value - printed.value:+.4f}".replace("-", "−")
        cells.append(f"{value:.6f} {how}")
    return cells


def _number(value: float) -> str:
    return "–" if value != value else f"{value:.3f}"


def _id(evaluation: Evaluation, answer: Answer, number: int) -> str:
    system = next(iter(answer.found.printed))
    return str(evaluation.reports[system].kept.ids[number])


def _telling(evaluation: Evaluation, answer: Answer, number: int) -> None:
    system, name = next(iter(answer.found.printed)), _id(evaluation, answer, number)
    table = pd.DataFrame({"number": [number]}, index=[name])
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{escaped(name)} is the instance that tells most of them apart.", width="content")
        if st.button(f"Open {escaped(name)} in the Explorer", key="printed_open", icon=":material/open_in_new:"):
            report = evaluation.reports[system]
            series = listed("instance", "that tells conventions apart", system, report=report, table=table)
            open_shown(series.make(0), measures=("hF",), back=BACK)
            switch_to("explore")
