"""The part of the Probabilities page about a whole file: areas, the micro curve, thresholds, and the way back to an
instance.

Readers are those of hiermeasures.io and hiermeasures.inference, and so are all numbers. What could be read stays when
another file cannot be; the reason stands beside its field.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from hiermeasures.hierarchy import Hierarchy
from hiermeasures.inference import KINDS, InstanceAreas, NodeProbabilities, ProbabilityTable
from hiermeasures.inference.conversions import Kind
from hiermeasures.inference.files import FORMATS, read_raw_probabilities
from hiermeasures.io import HIERARCHY_FORMATS, LABEL_FORMATS, csv_text, read_hierarchy, read_labels
from hiermeasures.io.apart import apart
from hiermeasures.io.labels import LabelFile
from hiermeasures.ui.binding import after_entries, attempt, fault_of, forget_faults
from hiermeasures.ui.chart import chart
from hiermeasures.ui.columns import stacking_columns
from hiermeasures.ui.probabilities import charts
from hiermeasures.ui.probabilities.data import Asked, Evaluated, evaluated, scored
from hiermeasures.ui.probabilities.model import PROBABILITIES, Files, Purpose, change, model
from hiermeasures.ui.probabilities.settings import PREFIX, choose, unfolded
from hiermeasures.ui.text import escaped, markdown_text
from hiermeasures.ui.watching import outdated, settle, show_progress, start, stopped

Opener = Callable[[str, NodeProbabilities, frozenset[str]], None]

EXAMPLES = 300
STRANGE = {"error": "is an error", "drop": "is left out"}


def show(hierarchies: dict[str, Hierarchy], open_instance: Opener) -> None:
    """Draw the part. `open_instance` is called with a title, probabilities and a truth when a person goes back to
    one.
    """
    hierarchy = _inputs(hierarchies)
    at = model()
    table, truth = at.files.table, at.files.truth
    if table is None or truth is None:
        return
    if table.hierarchy != hierarchy:
        st.warning("The probabilities were read with another hierarchy. Upload them again to read them with this one.")
    count_root = at.options.counts_root(table.hierarchy)
    title = at.files.names.get("table", "")
    _evaluate(Asked(title, table, truth, at.interpolation, at.incoherent, count_root))
    at = model()
    work = at.evaluated
    current = work is not None and work.asked == at.asked
    if not current:
        _waiting("evaluate", work is not None, lambda: change(asked=None, stopped=""))
    if work is None:
        return
    with st.container(key="job_results"):
        if not current:
            outdated(work.asked.title)
        _summary(work)
        if current:
            _without_threshold(work)
        _instances(work, open_instance)


# --- jobs ---------------------------------------------------------------------------------------------------------


def _evaluate(asked: Asked) -> None:
    """Take what a finished job brought, and begin one where something else is asked for."""
    _settle()
    if model().asked != asked:
        change(asked=asked)
        start(PROBABILITIES, "evaluate", partial(evaluated, asked))
        _settle()


def _score(work: Evaluated) -> None:
    """Begin to read off what needs no threshold, where it was not yet."""
    if model().job is None and model().scored_of is not work:
        change(scored_of=work, scored=None)
        start(PROBABILITIES, "score", partial(scored, work))
        _settle()


def _settle() -> None:
    settle(PROBABILITIES, lambda result: {"scored" if model().purpose == "score" else "evaluated": result}, {})


def _waiting(purpose: Purpose, something: bool, go_on: Callable[[], object]) -> None:
    """Why something that was asked for is not there: how far it is, what is wrong, or that it was stopped."""
    at = model()
    if at.purpose != purpose:
        return
    if at.job is not None:
        show_progress(at.job)
    elif at.fault:
        st.error(escaped(f"{at.fault.rstrip('.')}."))
    elif at.stopped:
        stopped(something, go_on)


# --- what is read -------------------------------------------------------------------------------------------------


def _inputs(hierarchies: dict[str, Hierarchy]) -> Hierarchy:
    files = model().files
    if files.hierarchy is not None:
        hierarchies = {**hierarchies, files.hierarchy[0]: files.hierarchy[1]}
    if model().file_hierarchy not in hierarchies:
        change(file_hierarchy=next(iter(hierarchies)))
    title = model().file_hierarchy
    one, two, three = stacking_columns("probabilities_files", 3, gap="medium")
    with one:
        choose(
            "Hierarchy", list(hierarchies), "file_hierarchy", help="The columns of the probabilities are its classes."
        )
        st.file_uploader(
            "Or upload one",
            key=PREFIX + "upload_hierarchy",
            on_change=_hierarchy_uploaded,
            help="One of: " + ", ".join(f.title for f in HIERARCHY_FORMATS.values()) + ".",
        )
        _fault("hierarchy", files)
    hierarchy = hierarchies[title]
    with two:
        choose(
            "The numbers are",
            list(KINDS),
            "kind",
            format_func=lambda kind: KINDS[kind].rstrip("."),
            help="What a column of the file holds.",
        )
        st.file_uploader(
            "Probabilities",
            key=PREFIX + "upload_table",
            type=["npz", "parquet", "csv", "tsv", "txt"],
            on_change=_table_uploaded,
            args=(hierarchy,),
            help="\n".join(f"- {f}" for f in FORMATS.values()),
        )
        _in_use("table", files)
        _fault("table", files)
    with three:
        choose(
            "A column that is no class",
            list(STRANGE),
            "strange",
            format_func=STRANGE.__getitem__,
            help="Whether such a column is an error, which names it, or is left out, which is said.",
        )
        st.file_uploader(
            "True labels",
            key=PREFIX + "upload_truth",
            on_change=_truth_uploaded,
            help="\n".join(f"- {f.title}: {markdown_text(f.description)}" for f in LABEL_FORMATS.values()),
        )
        _in_use("truth", files)
        _fault("truth", files)
    if files.table is None or files.truth is None:
        words, button = st.columns([3, 1], gap="medium", vertical_alignment="center")
        words.info(
            "A file of probabilities and the true labels of its instances are needed. Example data "
            "show what comes of them."
        )
        button.button(
            "Try it with example data",
            on_click=after_entries(_make_example),
            args=(hierarchy,),
            icon=":material/casino:",
            width="stretch",
            help=f"{EXAMPLES} instances of this hierarchy, drawn at random, leaning towards a random truth.",
        )
    return hierarchy


def _in_use(field: str, files: Files) -> None:
    """Which file is in use where its field is empty, as after another page."""
    name = files.names.get(field)
    if name and not st.session_state.get(f"{PREFIX}upload_{field}"):
        st.caption(f"In use: {escaped(name)}")


def _hierarchy_uploaded() -> None:
    def read(file: Any) -> None:
        title = f"Uploaded: {file.name}"
        _keep(hierarchy=(title, apart(read_hierarchy, file.getvalue(), name=file.name)))
        change(file_hierarchy=title)

    _read("hierarchy", read)


@after_entries
def _table_uploaded(hierarchy: Hierarchy) -> None:
    kind, strange = model().kind, model().strange

    def read(file: Any) -> None:
        table = apart(read_raw_probabilities, file.getvalue(), name=file.name).table(
            hierarchy, kind=kind, unknown_classes=strange
        )
        _keep(table=table, names={**model().files.names, "table": file.name})

    _read("table", read)


def _truth_uploaded() -> None:
    def read(file: Any) -> None:
        truth = apart(read_labels, file.getvalue(), name=file.name)
        _keep(truth=truth, names={**model().files.names, "truth": file.name})

    _read("truth", read)


def _read(field: str, read: Callable[[Any], None]) -> None:
    """Read what was uploaded; what was read before stays where it cannot be read or was taken away."""
    file = st.session_state[f"{PREFIX}upload_{field}"]
    if file is not None:
        attempt(f"{PREFIX}upload_{field}", lambda: read(file))


def _keep(**parts: Any) -> None:
    change(files=replace(model().files, **parts))


def _fault(field: str, files: Files) -> None:
    if reason := fault_of(f"{PREFIX}upload_{field}"):
        before = getattr(files, field) is not None
        st.error(escaped(f"{reason}.") + (" What was read before is still here." if before else ""))


def _make_example(hierarchy: Hierarchy) -> None:
    """Random logits that lean towards a random leaf's path, so that there is something to look at."""
    rng = np.random.default_rng(0)
    leaves = sorted(hierarchy.leaves)
    truth = tuple(frozenset({leaves[int(i)]}) for i in rng.integers(len(leaves), size=EXAMPLES))
    logits = rng.normal(size=(EXAMPLES, len(hierarchy)))
    for row, labels in zip(logits, truth, strict=True):
        row[[hierarchy.index(a) for c in labels for a in hierarchy.up(c)]] += 1.5
    kind: Kind = "conditional_softmax" if hierarchy.is_tree else "conditional_sigmoid"
    table = ProbabilityTable.of(hierarchy, logits, kind=kind)
    example = LabelFile(None, truth, ("the labels are example data",))
    _keep(table=table, truth=example, names={"table": "example data", "truth": "example data"})
    forget_faults(*(f"{PREFIX}upload_{field}" for field in ("hierarchy", "table", "truth")))


# --- what is shown ------------------------------------------------------------------------------------------------


def _summary(work: Evaluated) -> None:
    areas, sweep = work.areas, work.sweep
    best = sweep.best
    figures = (
        ("Instances", f"{len(work.table):,}", "Rows of the file. " + _undefined(areas)),
        (
            "Mean area",
            f"{areas.mean:.3f}",
            "The area under each instance's curve, averaged (Plaud et al. 2024, Section 3.2.3).",
        ),
        ("Micro area", f"{work.micro.area:.3f}", "The area under the curve of the counts summed over all instances."),
        (
            "Best single threshold",
            f"{sweep.thresholds[best]:.2f}",
            "One threshold for all instances, with the highest mean hF.",
        ),
        ("Mean hF with it", f"{sweep.samples_f1[best]:.3f}", "The mean of the instances' hF at that threshold."),
        (
            "With their own",
            f"{areas.mean_best_f1:.3f}",
            "The mean hF if each instance had the threshold that suits it best: no single threshold can exceed it.",
        ),
    )
    with st.container(horizontal=True, gap="large"):
        for label, value, words in figures:
            st.metric(label, value, help=words, width="content")
    left, middle, right = stacking_columns("probabilities_charts", 3, gap="medium")
    for place, title, figure, key in (
        (left, "Areas of the instances", charts.histogram(areas), "prob_histogram"),
        (middle, "Micro precision and recall", charts.micro(work.micro), "prob_micro"),
        (right, "hF over one threshold for all", charts.file_f1(sweep), "prob_file_f1"),
    ):
        with place:
            st.markdown(f"**{title}**")
            chart(figure, key=key, config={"displayModeBar": False})
    st.caption(escaped(" ".join(note[:1].upper() + note[1:].rstrip(".") + "." for note in work.notes)))


def _undefined(areas: InstanceAreas) -> str:
    n = len(areas.undefined)
    return f"{n:,} without a true class have no area." if n else "All have a true class."


def _without_threshold(work: Evaluated) -> None:
    """What is read off the scores and no threshold, computed where it is looked at."""
    panel = unfolded("Without a threshold: curves of classes, ranked leaves, an operating curve", "scored")
    if not panel.open:
        return
    _score(work)
    report = model().scored
    with panel:
        if report is None:
            _waiting("score", False, lambda: change(scored_of=None, stopped=""))
            return
        names = list(report.values)
        st.dataframe(
            pd.DataFrame({"name": names, "value": report.values.values(), "what it is": report.words.values()}),
            hide_index=True,
            row_height=27,
            placeholder="–",
            column_config={"value": st.column_config.NumberColumn(format="%.4f", width="small")},
        )
        st.caption(escaped(" ".join(note[:1].upper() + note[1:] + "." for note in report.notes)))


def _instances(work: Evaluated, open_instance: Opener) -> None:
    """Every instance, the worst first; one can be opened with its tree."""
    areas = work.areas
    frame = pd.DataFrame(
        {
            "id": areas.ids,
            "true": [", ".join(sorted(row)) for row in work.labels],
            "area": areas.areas,
            "best hF": areas.best_f1,
            "threshold from": areas.best_low,
            "to": areas.best_high,
        }
    ).sort_values("area", kind="stable", na_position="last")
    title, opener, saver = st.columns([6, 2, 2], vertical_alignment="center")
    title.markdown("**Instances, smallest area first** · select one to open it")
    columns: dict[str, Any] = {
        name: st.column_config.NumberColumn(name, format="%.3f", help=words)
        for name, words in (
            ("area", "The area under the instance's curve."),
            ("best hF", "The highest hF that any threshold gives."),
            ("threshold from", "The thresholds that give it."),
            ("to", "The thresholds that give it."),
        )
    }
    with st.container(key="probabilities_safe"):
        picked = st.dataframe(
            frame,
            hide_index=True,
            key="prob_instances",
            on_select="rerun",
            selection_mode="single-row",
            height=262,
            row_height=27,
            placeholder="–",
            column_config=columns,
        )
    chosen = picked["selection"]["rows"]
    if chosen and chosen[0] < len(frame):
        place = int(frame.index[chosen[0]])
        opener.button(
            "Open this instance",
            type="primary",
            width="stretch",
            on_click=after_entries(open_instance),
            args=(f"Instance {areas.ids[place]}", work.table.row(place), work.labels[place]),
        )
    saver.download_button(
        "Export (CSV)", lambda: _csv(work), "areas.csv", "text/csv", width="stretch", on_click="ignore"
    )


def _csv(work: Evaluated) -> bytes:
    a = work.areas
    rows = zip(a.ids, a.areas.tolist(), a.best_f1.tolist(), a.best_low.tolist(), a.best_high.tolist(), strict=True)
    return csv_text(["id", "area", "best_hF", "best_threshold_from", "best_threshold_to"], rows).encode()
