"""The page Compare: prediction files evaluated, ranked and compared.

This module draws the comparison: the ranking, the agreement of measures, and the files to download.
Each other view has its own module. The page leaves all computing to other modules. Each instance
opens in the Explorer.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from hiermeasures.app.binding import bind, changing, setting
from hiermeasures.app.components import (
    STILL,
    chart,
    dark,
    mailbox,
    options_form,
    show_panel,
    stacking_columns,
)
from hiermeasures.app.explore.model import own_definitions
from hiermeasures.app.job import (
    follow,
    go_on,
    outdated,
    say_that_kernels_compile,
    settle,
    show_progress,
    stopped,
)
from hiermeasures.app.kept_models import keep_over_reload
from hiermeasures.app.pages import SHOW, Page, leave
from hiermeasures.app.systems import (
    classes,
    confusion,
    data,
    filters,
    instances,
    mistakes,
    thresholds,
    why,
)
from hiermeasures.app.systems.data import Evaluation
from hiermeasures.app.systems.form import (
    SYSTEMS,
    WhyForm,
    choice,
    label_form,
    remarks_beside,
    score_form,
    table_form,
)
from hiermeasures.draw.panel import Column, PanelTable, Row, Text
from hiermeasures.draw.text import (
    about_intervals,
    as_text,
    escaped,
    markdown_text,
    sentence,
    write_interval,
)
from hiermeasures.evaluation import Report
from hiermeasures.evaluation.compare import Comparison
from hiermeasures.evaluation.compare.significance import ABOUT_P_VALUES
from hiermeasures.evaluation.compare.why import DifferenceSplit
from hiermeasures.evaluation.html_report import write_page
from hiermeasures.evaluation.html_report.page import PageFocus
from hiermeasures.evaluation.plots import plot_agreement, plot_ranks
from hiermeasures.explore.sharing import file_name
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import ABOUT_ARROWS, ARROWS
from hiermeasures.measures.own import find_measure, spoken
from hiermeasures.read import csv_text

TEST_NAMES = {
    "": "sign / permutation",  # the model has None, but a field could then be cleared
    "sign": "sign test",
    "wilcoxon": "Wilcoxon",
    "permutation": "permutation",
    "bootstrap": "bootstrap",
}
TEST_HELP = (
    "Sign: on how many instances is one system better (the papers' choice)? Wilcoxon: signed "
    "ranks, which also count how much better. These two only test means over instances. "
    "Permutation: swaps the systems' answers at random. Bootstrap: resamples the instances. These "
    "two test every average. All are paired and two-sided. The default is the sign test for means "
    "over instances and the permutation test for other values."
)
AVERAGE_HELP = (
    "samples: the mean of the instances' values. micro: computed from the summed counts. macro: "
    "the mean over classes, for measures with counts per class. Ranks use the average that you see."
)
PREDICTIONS = Column(
    "classes each", "number", "How many classes the system predicts for an instance, on average."
)
CONSISTENCY = Column(
    "with all ancestors",
    "number",
    "Hierarchical consistency: the share of instances with all ancestors of their predicted "
    "classes in the prediction.",
)
# name of a file: its title and a function that returns its text
Files = Mapping[str, tuple[str, Callable[[], str]]]


@dataclass(frozen=True)
class ResultsView:
    """A view of the results, and the files that it adds to the menu Export.

    A view that `compares` needs several systems, and a `scored` view needs scores. The results in
    `needs` are computed before it is drawn.
    """

    draw: Callable[[Evaluation], None]
    files: Callable[[Evaluation], Files] = lambda evaluation: {}
    compares: bool = False
    needs: tuple[data.Need, ...] = ()
    scored: bool = False

    def fits(self, evaluation: Evaluation) -> bool:
        """Return True if the evaluation has all results that the view needs."""
        has_ranks = evaluation.comparison is not None
        return (has_ranks or not self.compares) and (bool(evaluation.scored) or not self.scored)


def page() -> None:
    shown = st.query_params.get(SHOW, "")
    if shown in FORMS and shown != SYSTEMS.value.shown:
        SYSTEMS.change(kind=shown, shown=shown)
    draw_page("Compare", _results, tuple(FORMS), show_kind)


def show_kind(kind: str) -> None:
    """Show the kind of evaluation and write it into the address."""
    SYSTEMS.change(kind=kind, shown=kind)
    st.query_params[SHOW] = kind


def draw_page(
    title: str,
    draw_results: Callable[[Callable[[], None]], None],
    kinds: Sequence[str] = ("labels", "table"),
    choose_kind: Callable[[str], None] | None = None,
) -> None:
    """Draw the evaluated files and the results.

    `draw_results` gets a function that collects the result of a finished job. `choose_kind` gets
    the chosen kind of files, one of `kinds`.
    """
    leave()
    st.html(Path(__file__).with_name("style.css"))
    settled = partial(settle, SYSTEMS, _taken)
    keep_over_reload(SYSTEMS, lambda model: model.size)
    follow(
        SYSTEMS,
        "example",
        True,
        SYSTEMS.value.evaluation is not None,
        lambda report: data.evaluated_example(),
    )
    settled()
    with st.container(key="systems"):
        kind = _draw_head(title, kinds, choose_kind or changing(SYSTEMS, "kind"))
        kernels, reasons = st.container(), st.container()
        FORMS[kind][1]()
        if SYSTEMS.value.evaluation is not None:
            draw_results(settled)
        elif SYSTEMS.value.job is not None:
            show_progress(SYSTEMS)
        with reasons:
            at = SYSTEMS.value
            if at.fault:
                st.error(escaped(at.fault), icon=":material/error:")
            if at.stopped == "search":
                st.info("Stopped before the end of the search. Your text is still here.")
            elif at.stopped:
                stopped(at.evaluation is not None, partial(go_on, SYSTEMS))
        say_that_kernels_compile(kernels)
        mailbox()


def _draw_head(title: str, kinds: Sequence[str], choose_kind: Callable[[str], None]) -> str:
    """Draw the title and the kinds of files. Return the chosen kind."""
    kind = SYSTEMS.value.kind if SYSTEMS.value.kind in kinds else kinds[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title(title, width="content")
        bind(st.segmented_control, "systems_kind", kind, choose_kind)(
            "What is evaluated",
            list(kinds),
            required=True,
            label_visibility="collapsed",
            format_func=lambda kind: FORMS[kind][0],
            help="Labels: a set of classes for each instance, in files. One table: the true "
            "labels and the answers in columns of one file. Scores: a number for each class, in "
            "files.",
            width="content",
        )
        evaluation = SYSTEMS.value.evaluation
        if evaluation is not None and (kind != "scores" or evaluation.scored):
            st.caption(escaped(_caption(evaluation.whole or evaluation)))
    return kind


# --- labels ---------------------------------------------------------------------------------------


def _taken(result: Any) -> dict[str, Any]:
    if SYSTEMS.value.purpose == "search":
        return {"answer": result}
    if SYSTEMS.value.purpose == "sweep":
        return {"swept": result}
    if SYSTEMS.value.purpose == "files":
        return {"evaluation": result, "answer": None, "faults": {}, "filters": ()}
    return {"evaluation": result}


def _caption(evaluation: Evaluation) -> str:
    h, notes = evaluation.hierarchy, sum(map(len, evaluation.notes.values()))
    counts = (
        f"{write_count(len(evaluation.reports), 'system')} · {evaluation.instances:,} instances · "
        f"{len(h):,} classes"
    )
    noted = f" · {write_count(notes, 'note')} on the files" if notes else ""
    return (
        f"{evaluation.title} · {counts} ({'tree' if h.is_tree else 'DAG'}, {h.depth} levels){noted}"
    )


def _form() -> None:
    with _open_form("Your own files: a hierarchy, true labels, and one file per system"):
        label_form()


def _score_form() -> None:
    evaluation = SYSTEMS.value.evaluation
    with _open_form("Your own files: a hierarchy, true labels, and one file of scores per system"):
        score_form()
    if evaluation is not None and evaluation.scored:
        thresholds.choose_decision(evaluation)


def _table_form() -> None:
    label = "Your own table: a column of true labels, and a column of answers per system"
    with _open_form(label, expanded=True):
        table_form()


def _open_form(label: str, expanded: bool = False) -> DeltaGenerator:
    """Return the fold of a form. It closes after the evaluation of your files, so that you see the
    results.
    """
    at = SYSTEMS.value
    if at.evaluation is not None and at.evaluation.title != data.TITLE:
        # a fold with another label is a new one, which is closed
        label = f"Your files: {escaped(at.evaluation.title)}, and how they were read"
        expanded = False
    return st.expander(label, expanded=expanded or bool(at.faults))


def _results(settled: Callable[[], None]) -> None:
    at = SYSTEMS.value
    assert at.evaluation is not None
    if at.kind == "scores" and not at.evaluation.scored:
        if at.job is not None:
            show_progress(SYSTEMS)
        thresholds.show_instance(None)
        return
    _settings(at.evaluation)
    at = SYSTEMS.value
    asked, was, kept = at.asked, at.evaluation, at.filters
    assert was is not None
    needs = _find_needs(was, asked.average)
    follow(
        SYSTEMS,
        "evaluate",
        (asked, needs, kept),
        (was.asked, [need for need in needs if was.has([need])], was.filters),
        lambda report: data.brought(was, asked, needs, kept, report),
    )
    settled()
    if at.view == thresholds.THRESHOLDS and was.scored:
        thresholds.follow_sweep(SYSTEMS.value.evaluation or was)
        settled()
    at = SYSTEMS.value
    evaluation = at.evaluation
    assert evaluation is not None
    if at.job is not None:
        show_progress(SYSTEMS)
    filters.show_filters(evaluation)
    with st.container(key="job_results"):
        if (asked, kept) != (evaluation.asked, evaluation.filters) or (
            at.purpose == "files" and at.job is not None
        ):
            outdated(evaluation.title)
        remarks_beside(evaluation.remarks)
        if not evaluation.instances:
            st.info("No instance satisfies all filters. Remove one of them.")
            return
        several = len(evaluation.reports) > 1
        if evaluation.comparison is not None:
            _ranking(evaluation.comparison, evaluation)
        elif several:
            st.error(f"None of the chosen measures has a {evaluation.asked.average} average.")
            return
        elif evaluation.asked.average != "macro" or evaluation.has(["classes"]):
            _scores_of_one(evaluation)
        _view(evaluation)


def _settings(evaluation: Evaluation) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        chosen = SYSTEMS.value.asked.measures
        with st.popover(f"Measures ({len(chosen)})", icon=":material/tune:", width="content"):
            setting(st.multiselect, "systems_measures", SYSTEMS, "wanted.measures")(
                "Measures in the table",
                list(dict.fromkeys([*own_definitions(), *chosen, *CATALOGUE])),
                width=460,
                format_func=instances.measure_title,
                help="The glossary explains them all.",
            )
        with st.popover("Average and tests", icon=":material/functions:", width="content"):
            _statistics()
        options_form(lambda: SYSTEMS.value.wanted.options, changing(SYSTEMS, "wanted.options"))
        filters.filter_menu(evaluation)


def _statistics() -> None:
    """Draw the settings of averages, intervals and ranks."""
    setting(st.selectbox, "systems_average", SYSTEMS, "wanted.average")(
        "Average", ["samples", "micro", "macro"], help=AVERAGE_HELP, width=220
    )
    setting(st.checkbox, "systems_intervals", SYSTEMS, "wanted.intervals")(
        "95 % intervals",
        help="A confidence interval next to each value, from 2,000 bootstrap resamples.",
    )
    choose_test = changing(SYSTEMS, "wanted.test")
    test = SYSTEMS.value.wanted.test or ""
    bind(st.selectbox, "systems_test", test, lambda key: choose_test(key or None))(
        "Test",
        list(TEST_NAMES),
        format_func=lambda k: TEST_NAMES.get(k, k),
        help=TEST_HELP,
        width=220,
    )
    setting(st.number_input, "systems_alpha", SYSTEMS, "wanted.alpha")(
        "α",
        0.001,
        0.5,
        step=0.01,
        format="%.3f",
        width=220,
        help="Differences with a p-value below this are significant.",
    )
    setting(st.checkbox, "systems_holm", SYSTEMS, "wanted.holm")(
        "Holm correction",
        help="Holm's step-down correction: keeps the chance of any false difference among all "
        "pairs below α.",
    )


def _view(evaluation: Evaluation) -> None:
    chosen, names = _find_view(evaluation)
    view = VIEWS[chosen]
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        bind(st.segmented_control, "systems_view", chosen, changing(SYSTEMS, "view"))(
            "View", names, required=True, label_visibility="collapsed"
        )
        _export(evaluation, view.files(evaluation), chosen)
    if evaluation.has(view.needs):
        view.draw(evaluation)


def _find_view(evaluation: Evaluation) -> tuple[str, list[str]]:
    """Return the chosen view (by default the first), and all views of an evaluation."""
    names = [name for name, view in VIEWS.items() if view.fits(evaluation)]
    return SYSTEMS.value.view if SYSTEMS.value.view in names else names[0], names


def _find_needs(evaluation: Evaluation, average: str) -> list[data.Need]:
    """Return the results that the chosen view and the table of one system need."""
    needs = list(VIEWS[_find_view(evaluation)[0]].needs)
    if len(evaluation.reports) == 1 and average == "macro" and "classes" not in needs:
        needs.append("classes")
    return needs


# --- the ranking ----------------------------------------------------------------------------------


def _ranking(comparison: Comparison, evaluation: Evaluation) -> None:
    """Draw scores with ranks, the rule for shared ranks, and the measures without this average."""
    keys, systems = list(comparison.scores.columns), list(comparison.scores.index)
    cells = {name: report.cells(as_text) for name, report in comparison.reports.items()}
    rows = [
        Row(
            (
                str(name),
                *(_ranked_score(comparison, name, key, cells[name][key]) for key in keys),
                f"{comparison.predictions[name]:.2f}",
                f"{comparison.consistency[name]:.1%}",
            )
        )
        for name in systems
    ]
    columns = (*_columns(keys), PREDICTIONS, CONSISTENCY)
    show_panel(
        PanelTable("The systems with their scores and ranks", columns, tuple(rows), wide=True),
        key="systems_ranking",
    )
    pairs = len(systems) * (len(systems) - 1) // 2
    holm = (
        f", Holm correction over {write_count(pairs, 'pair')}"
        if comparison.correction
        else ", no correction"
    )
    ranked = (
        "Rank in brackets, first ranks framed. Systems share a rank if their difference is "
        f"not significant ({comparison.tests_in_words}, α = {comparison.alpha:g}{holm})."
    )
    about = (
        comparison.about_values(),
        *([ranked] if comparison.tests else []),
        ABOUT_ARROWS,
        *comparison.about_intervals(),
        *comparison.rank_notes(),
        *map(sentence, comparison.value_notes()),
    )
    st.caption(escaped(" ".join(about)))
    if absent := [key for key in evaluation.measures if key not in keys]:
        names = markdown_text(", ".join(map(spoken, absent)))
        average = evaluation.asked.average
        st.caption(f"The table leaves out measures without a {average} average: {names}.")


def _ranked_score(comparison: Comparison, name: str, key: str, score: str) -> Text:
    """Return a score with its rank in brackets and its interval below."""
    rank = comparison.rank(name, key)
    words = score if rank is None else f"{score} ({rank})"
    interval = comparison.write_interval(name, key)
    return Text(_minus(words), strong=rank == 1, below=_minus(interval))


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _scores_of_one(evaluation: Evaluation) -> None:
    ((system, report),) = evaluation.reports.items()
    report = replace(report, average=evaluation.asked.average)
    cells, ends = report.cells(as_text), evaluation.intervals
    row = Row(
        (
            system,
            *(
                Text(
                    _minus(cells[key]),
                    below="" if ends is None else _minus(write_interval(*ends.loc[key])),
                )
                for key in evaluation.measures
            ),
        )
    )
    show_panel(
        PanelTable("The scores of the system", _columns(evaluation.measures), (row,), wide=True),
        key="systems_ranking",
    )
    about = [] if ends is None else [about_intervals(data.CONFIDENCE)]
    _say([*about, report.convention, *report.value_notes])
    st.caption("Add the file of a second system to see ranks.")


def _say(notes: Sequence[str]) -> None:
    if notes:
        st.caption(escaped(" ".join(map(sentence, notes))))


def _columns(keys: Iterable[str]) -> tuple[Column, ...]:
    columns = [Column("System")]
    for m in map(find_measure, keys):
        columns.append(
            Column(
                f"{spoken(m.key)} {ARROWS[m.better]}",
                "number",
                f"{m.name}, {m.better} is better. {m.description}",
            )
        )
    return tuple(columns)


def _export(evaluation: Evaluation, more: Files, view: str) -> None:
    """Draw the menu of files: the comparison, the values of every instance, and the view's files
    (`more`). File names show that instances are filtered.
    """
    files, comparison = dict(more), evaluation.comparison
    if comparison is not None:
        files |= {
            "systems.csv": ("Table as CSV", lambda: table_csv(comparison)),
            "systems.json": ("Everything as JSON", lambda: write_json(comparison, evaluation)),
            "systems.tex": ("Tables as LaTeX", comparison.to_latex),
        }
    files["instances.csv"] = (
        "Every instance's values as CSV",
        lambda: instances_csv(evaluation.reports, evaluation.measures),
    )
    # if the view "Why" is open, or something was chosen in it, the page is also about this
    asked = comparison is not None and (view == "Why" or SYSTEMS.value.why != WhyForm())
    split = why.find_split(evaluation) if asked else None
    # what is chosen is found now, because a file is made outside of the session
    made_page = partial(page_html, evaluation, split, _find_focus(evaluation, split))
    stem = re.sub(r"\.\w+(?=,|$)", "", evaluation.title)  # without the ending of a file's name
    files[file_name(stem, "-report.html")] = ("One page for a colleague (HTML)", made_page)
    prefix = "filtered-" if evaluation.filters else ""
    with st.popover("Export", icon=":material/download:"):
        for name, (title, made) in files.items():
            key = f"systems_export_{name}"
            st.download_button(
                title, made, prefix + name, key=key, on_click="ignore", width="stretch"
            )


def write_json(comparison: Comparison, evaluation: Evaluation) -> str:
    """Return the comparison as JSON, with its filters."""
    filters = [each.words for each in evaluation.filters]
    data = comparison.as_json() | ({"filters": filters} if filters else {})
    return json.dumps(data, ensure_ascii=False, indent=2)


def page_html(
    evaluation: Evaluation, split: DifferenceSplit | None = None, focus: PageFocus | None = None
) -> str:
    """Return the evaluation as one HTML page, with its filters and the remarks on its files."""
    average, remarks = evaluation.asked.average, list(evaluation.remarks)
    reports = {name: replace(r, average=average) for name, r in evaluation.reports.items()}
    if evaluation.whole is not None:
        filters = "; ".join(each.words for each in evaluation.filters)
        counts = f"{evaluation.instances:,} of {evaluation.whole.instances:,} instances"
        remarks.insert(0, f"Only {counts}: {filters}.")
    return write_page(
        reports,
        evaluation.comparison,
        title=evaluation.title,
        remarks=remarks,
        split=split,
        intervals=None if evaluation.intervals is None else data.CONFIDENCE,
        focus=focus,
    )


def _find_focus(evaluation: Evaluation, split: DifferenceSplit | None) -> PageFocus:
    """Return the systems from "Confusion" or else the first of "Why", and the order of the
    parts.
    """
    at = SYSTEMS.value
    systems: tuple[str, ...] = () if split is None else split.systems[:1]
    if at.system in evaluation.reports or at.matrix.minus in evaluation.reports:
        systems = tuple(confusion.find_chosen(evaluation))
    if split is None:
        return PageFocus(systems)
    return PageFocus(systems, partial(why.order_table, split, order=at.why.order))


def instances_csv(reports: Mapping[str, Report], measures: Sequence[str]) -> str:
    """Return the instances' values as CSV, with a row per system and instance and a column per
    measure.
    """
    values = pd.concat(
        {name: report.per_instance[list(measures)] for name, report in reports.items()}
    )
    rows = zip(values.index, values.to_numpy().tolist(), strict=True)
    return csv_text(["system", "instance", *measures], ([*names, *row] for names, row in rows))


def table_csv(comparison: Comparison) -> str:
    """Return scores and ranks as CSV, with a row per system. Cells are safe for spreadsheets."""
    frame = comparison.to_frame()
    rows = zip(frame.index, frame.to_numpy(object, na_value="").tolist(), strict=True)
    return csv_text(["system", *frame.columns], ([name, *row] for name, row in rows))


# --- the measures against each other --------------------------------------------------------------


def _measures(evaluation: Evaluation) -> None:
    comparison = evaluation.comparison
    assert comparison is not None
    left, right = stacking_columns("systems_measures", 2, gap="large")
    with left:
        st.header(
            "Do the measures rank alike?",
            help="Kendall's tau-b between the rankings of two measures: 1 for equal orders, −1 "
            "for reverse orders. Ties count. A dash: one of the measures "
            "gives all systems the same rank.",
        )
        chart(
            plot_agreement(comparison, dark=dark()),
            key="agreement",
            data=lambda: comparison.correlations.rename_axis("measure"),
            config=STILL,
        )
    with right:
        st.header(
            "Who changes places?",
            help="Each line is a system. The higher it is, the better its rank by the measure "
            "above. Tied systems are side by side.",
        )
        chart(
            plot_ranks(comparison, dark=dark()),
            key="ranks",
            data=lambda: comparison.ranks.rename_axis("system"),
            config=STILL,
        )
    if not comparison.p_values:
        return
    with st.expander("Significance of every pair"):
        key = choice(
            "Measure",
            list(comparison.p_values),
            "pairs",
            format_func=instances.measure_title,
            width=420,
        )
        # A column's heading is a row's number, because names can be long.
        names = list(map(str, comparison.p_values[key].index))
        rows = []
        for k, (name, values) in enumerate(
            zip(names, comparison.p_values[key].to_numpy(), strict=True)
        ):
            cells = ("–" if k == other else f"{p:.2g}" for other, p in enumerate(values))
            rows.append(Row((str(k + 1), name, *cells)))
        columns = [Column("", "number"), Column("better")]
        columns += [Column(f"than {k}", "number", name) for k, name in enumerate(names, 1)]
        show_panel(
            PanelTable("p-values of every pair of systems", tuple(columns), tuple(rows), wide=True),
            key="systems_p",
        )
        st.caption(ABOUT_P_VALUES)


# Each view is in a module of its own, or above.
VIEWS = {
    "Measures": ResultsView(_measures, compares=True),
    "Why": ResultsView(why.why, why.files, compares=True),
    "Confusion": ResultsView(confusion.show_confusion, needs=("pairs",)),
    "Mistakes": ResultsView(mistakes.show_mistakes, mistakes.files, needs=("pairs",)),
    "Classes": ResultsView(classes.show_classes, classes.files, needs=("classes",)),
    "Instances": ResultsView(lambda evaluation: instances.instances()),
    "Search": ResultsView(lambda evaluation: instances.find()),
    thresholds.THRESHOLDS: ResultsView(thresholds.show_thresholds, scored=True),
    thresholds.ONE_INSTANCE: ResultsView(thresholds.show_instance, scored=True),
}
FORMS: dict[str, tuple[str, Callable[[], None]]] = {
    "labels": ("Labels", _form),
    "table": ("One table", _table_form),
    "scores": ("Scores", _score_form),
}
PAGE = Page(
    "Compare",
    page,
    "Compare systems by their files of labels or scores, choose thresholds, and open instances.",
)
