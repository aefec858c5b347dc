"""A whole file on the Probabilities page: areas, the micro curve, thresholds, and instances to
open. If other files cannot be evaluated, the last results stay and the error is shown at its field.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from hiermeasures.app.binding import after_entries
from hiermeasures.app.components import chart, stacking_columns
from hiermeasures.app.files import FileInput, evaluate_given, files_in, say_uploads_are_gone
from hiermeasures.app.job import follow, go_on, outdated, settle, show_progress, start, stopped
from hiermeasures.app.probabilities import parts
from hiermeasures.app.probabilities.model import (
    PROBABILITIES,
    EvaluatedScores,
    ProbabilityFile,
    change,
    evaluated,
    evaluated_by_default,
    model,
    read_files,
    scored,
)
from hiermeasures.app.probabilities.parts import PREFIX, choose, decimals, show_table, unfolded
from hiermeasures.draw.text import escaped
from hiermeasures.evaluation.scores import KINDS, InstanceAreas, NodeProbabilities, ProbabilityTable
from hiermeasures.evaluation.scores.files import FORMATS
from hiermeasures.evaluation.scores.probabilities import Kind
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read import HIERARCHY_FORMATS, LABEL_FORMATS, csv_text

Opener = Callable[[str, NodeProbabilities, frozenset[str]], None]

EXAMPLES = 300
STRANGE = {"error": "are an error", "drop": "are left out"}
INPUTS = {
    "hierarchy": FileInput(
        "Hierarchy (optional)",
        "In place of the one that is chosen below.",
        HIERARCHY_FORMATS,
        optional=True,
    ),
    "table": FileInput("Probabilities", "\n".join(f"- {text}" for text in FORMATS)),
    "true": FileInput(
        "True labels", "One line or row per instance: its id and its true classes.", LABEL_FORMATS
    ),
}


def show(hierarchies: dict[str, Hierarchy], open_instance: Opener) -> None:
    """Draw the part. `open_instance` gets the title, probabilities and truth of one instance."""
    _settle()
    say_uploads_are_gone(PROBABILITIES)
    _form(hierarchies)
    work, how = model().evaluated, model().how
    if work is not None:
        follow(PROBABILITIES, "evaluate", how, work.how, partial(evaluated, work.file, how))
        _settle()
    work = model().evaluated
    _waiting(work is not None, of_scores=False)
    if work is None:
        return
    current = how == work.how and (model().job is None or model().purpose == "score")
    with st.container(key="job_results"):
        if not current:
            outdated(work.file.title)
        _summary(work)
        if current:
            _without_threshold(work)
        _instances(work, open_instance)


def _settle() -> None:
    def taken(result: Any) -> dict[str, Any]:
        if model().purpose == "score":
            return {"scored": result}
        root = {"count_root": result.how.count_root} if model().purpose == "files" else {}
        return {"evaluated": result, "faults": {}, **root}

    settle(PROBABILITIES, taken)


def _waiting(something: bool, *, of_scores: bool) -> None:
    """Show the progress of a job, its fault, or that it was stopped."""
    at = model()
    if (at.purpose == "score") != of_scores:
        return
    if at.job is not None:
        show_progress(PROBABILITIES)
    elif at.fault:
        st.error(escaped(f"{at.fault.rstrip('.')}."))
    elif at.stopped:
        stopped(something, partial(go_on, PROBABILITIES))


def _form(hierarchies: dict[str, Hierarchy]) -> None:
    if model().file_hierarchy not in hierarchies:
        change(file_hierarchy=next(iter(hierarchies)))
    work = model().evaluated
    given, pressed = files_in("prob", PROBABILITIES, INPUTS, {}, work.file.read if work else {})
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        about = "The columns of the probabilities are its classes."
        choose("Hierarchy", hierarchies, "file_hierarchy", help=about, width=280)
        choose(
            "The numbers are",
            KINDS,
            "kind",
            format_func=lambda kind: KINDS[kind].rstrip("."),
            help="What a column of the file holds.",
            width=280,
        )
        choose(
            "Columns that name no class",
            STRANGE,
            "strange",
            format_func=STRANGE.__getitem__,
            help="Whether such columns are an error, which names them, or are left out, which "
            "is said.",
            width=220,
        )
        pressed()
        at, hierarchy = model(), hierarchies[model().file_hierarchy]
        st.button(
            "Try it with example data",
            on_click=after_entries(partial(_begin_example, hierarchy)),
            icon=":material/casino:",
            help=f"{EXAMPLES} instances of this hierarchy, drawn at random, leaning towards a "
            f"random truth.",
        )
    read = partial(read_files, given, hierarchy, at.kind, at.strange)
    settings = hierarchy, at.kind, at.strange
    evaluate_given(
        PROBABILITIES,
        INPUTS,
        given,
        settings,
        lambda report: evaluated_by_default(read(report), at.how, report),
    )


def _begin_example(hierarchy: Hierarchy) -> None:
    start(PROBABILITIES, "files", partial(evaluated, example(hierarchy), model().how), faults={})


def example(hierarchy: Hierarchy) -> ProbabilityFile:
    """Return random logits that lean towards a random leaf's path."""
    rng = np.random.default_rng(0)
    leaves = sorted(hierarchy.leaves)
    truth = tuple(frozenset({leaves[int(i)]}) for i in rng.integers(len(leaves), size=EXAMPLES))
    logits = rng.normal(size=(EXAMPLES, len(hierarchy)))
    for row, labels in zip(logits, truth, strict=True):
        row[[hierarchy.index(a) for c in labels for a in hierarchy.up(c)]] += 1.5
    kind: Kind = "conditional_softmax" if hierarchy.is_tree else "conditional_sigmoid"
    table = ProbabilityTable.of(hierarchy, logits, kind=kind)
    return ProbabilityFile(
        "example data", table, truth, (*table.notes, "the labels are example data")
    )


# --- results --------------------------------------------------------------------------------------


def _summary(work: EvaluatedScores) -> None:
    areas, sweep = work.areas, work.sweep
    best, undefined = sweep.best, len(areas.undefined)
    missing = (
        f"{undefined:,} without a true class have no area."
        if undefined
        else "All have a true class."
    )
    own = "The mean hF if each instance had the threshold that suits it best: no single threshold can exceed it."
    area = "The area under each instance's curve, averaged (Plaud et al. 2024, Section 3.2.3)."
    figures = (
        ("Instances", f"{len(areas.ids):,}", f"Rows of the file. {missing}"),
        ("Mean area", f"{areas.mean:.3f}", area),
        (
            "Micro area",
            f"{work.micro.area:.3f}",
            "The area under the curve of the counts summed over all instances.",
        ),
        (
            "Best single threshold",
            f"{sweep.thresholds[best]:.2f}",
            "One threshold for all instances, with the highest mean hF.",
        ),
        (
            "Mean hF with it",
            f"{sweep.samples_f1[best]:.3f}",
            "The mean of the instances' hF at that threshold.",
        ),
        ("With their own", f"{areas.mean_best_f1:.3f}", own),
    )
    with st.container(horizontal=True, gap="large"):
        for label, value, words in figures:
            st.metric(label, value, help=words, width="content")
    notes = escaped(" ".join(note[:1].upper() + note[1:].rstrip(".") + "." for note in work.notes))
    if work.incoherent:
        st.warning(notes, icon=":material/warning:")
    else:
        st.caption(notes)
    titles = (
        "Areas of the instances",
        "Micro precision and recall",
        "hF over one threshold for all",
    )
    drawn = {
        "histogram": parts.histogram(areas),
        "micro": parts.micro(work.micro),
        "file_f1": parts.file_f1(sweep),
    }
    places = stacking_columns("probabilities_charts", 3, gap="medium")
    for place, title, (name, figure) in zip(places, titles, drawn.items(), strict=True):
        with place:
            st.markdown(f"**{title}**")
            chart(figure, key=PREFIX + name, config=parts.CHART)


def _without_threshold(work: EvaluatedScores) -> None:
    panel = unfolded(
        "Without a threshold: curves of classes, ranked leaves, an operating curve", "scored"
    )
    if not panel.open:
        return
    there = model().scored
    follow(PROBABILITIES, "score", work, there and there[0], partial(scored, work))
    _settle()
    there = model().scored
    with panel:
        if there is None or there[0] is not work:
            _waiting(False, of_scores=True)
            return
        report = there[1]
        names = list(report.values)
        show_table(
            pd.DataFrame(
                {
                    "name": names,
                    "value": report.values.values(),
                    "what it is": report.words.values(),
                }
            ),
            "scores",
            rows=len(names),
            column_config={"value": st.column_config.NumberColumn(format="%.4f", width="small")},
        )
        st.caption(escaped(" ".join(note[:1].upper() + note[1:] + "." for note in report.notes)))


def _instances(work: EvaluatedScores, open_instance: Opener) -> None:
    """List the instances, the worst first; one can be opened with its tree."""
    areas = work.areas
    frame = pd.DataFrame(
        {
            "id": areas.ids,
            "true": [", ".join(sorted(row)) for row in work.file.labels],
            "area": areas.areas,
            "best hF": areas.best_f1,
            "threshold from": areas.best_low,
            "to": areas.best_high,
        }
    ).sort_values("area", kind="stable", na_position="last")
    title, opener, saver = st.columns([6, 2, 2], vertical_alignment="center")
    title.markdown("**Instances, smallest area first** · select one to open it")
    columns = {
        "area": decimals("The area under the instance's curve."),
        "best hF": decimals("The highest hF that any threshold gives."),
        **dict.fromkeys(("threshold from", "to"), decimals("The thresholds that give it.")),
    }
    with st.container(key="probabilities_safe"):
        chosen = show_table(frame, "instances", rows=9, select=True, column_config=columns)
    if chosen is not None:
        place = int(frame.index[chosen])
        opener.button(
            "Open this instance",
            type="primary",
            width="stretch",
            on_click=after_entries(open_instance),
            args=(
                f"Instance {areas.ids[place]}",
                work.file.table.row(place),
                work.file.labels[place],
            ),
        )
    saver.download_button(
        "Export (CSV)",
        partial(_csv, areas),
        "areas.csv",
        "text/csv",
        width="stretch",
        on_click="ignore",
    )


def _csv(a: InstanceAreas) -> bytes:
    rows = zip(
        a.ids,
        a.areas.tolist(),
        a.best_f1.tolist(),
        a.best_low.tolist(),
        a.best_high.tolist(),
        strict=True,
    )
    return csv_text(
        ["id", "area", "best_hF", "best_threshold_from", "best_threshold_to"], rows
    ).encode()
