"""A whole file on the Probabilities page: areas, the micro curve, thresholds, and instances to
open. A file that was read stays when another cannot be; the reason stands beside its field.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

from hiermeasures.app.binding import after_entries, apply_entries, attempt, button, fault_of, forget_faults
from hiermeasures.app.components import chart, stacking_columns
from hiermeasures.app.job import SMALL, outdated, settle, show_progress, start, stopped
from hiermeasures.app.probabilities import parts
from hiermeasures.app.probabilities.model import PROBABILITIES, Asked, Evaluated, change, evaluated, model, scored
from hiermeasures.app.probabilities.parts import PREFIX, choose, decimals, show_table, unfolded
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats import HIERARCHY_FORMATS, LABEL_FORMATS, csv_text, read_hierarchy, read_labels
from hiermeasures.formats.labels import LabelFile
from hiermeasures.formats.sandbox import sandboxed
from hiermeasures.picture.text import escaped, markdown_text
from hiermeasures.probabilities import KINDS, InstanceAreas, NodeProbabilities, ProbabilityTable
from hiermeasures.probabilities.files import FORMATS, read_raw_probabilities
from hiermeasures.probabilities.probabilities import Kind

Opener = Callable[[str, NodeProbabilities, frozenset[str]], None]

EXAMPLES = 300
TABLES = ("npz", "parquet", "csv", "tsv", "txt")
STRANGE = {"error": "are an error", "drop": "are left out"}


def show(hierarchies: dict[str, Hierarchy], open_instance: Opener) -> None:
    """Draw the part. `open_instance` gets the title, probabilities and truth of one instance."""
    hierarchy = _inputs(hierarchies)
    at = model()
    if at.table is None or at.labels_read is None:
        return
    otherwise = f"as: {KINDS[at.table_kind].rstrip('.')}" if at.table_kind not in (None, at.kind) else ""
    if at.table.hierarchy != hierarchy:
        otherwise = "with another hierarchy"
    if otherwise:
        st.warning(f"The probabilities were read {otherwise}. Upload them again to read them as the fields say now.")
    asked = Asked(
        title=at.names.get("table", ""),
        table=at.table,
        truth=at.labels_read,
        interpolation=at.interpolation,
        incoherent=at.incoherent,
        count_root=at.options.counts_root(at.table.hierarchy),
    )
    _evaluate(asked)
    work = model().evaluated
    current = work is not None and work.asked == asked
    if not current:
        _waiting("evaluate", work is not None, lambda: change(asked=None, pressed=True, stopped=""))
    if work is None:
        return
    with st.container(key="job_results"):
        if not current or otherwise:
            outdated(work.asked.title)
        _summary(work)
        if current:
            _without_threshold(work)
        _instances(work, open_instance)


# --- jobs -----------------------------------------------------------------------------------------


def _evaluate(asked: Asked) -> None:
    _settle()
    at = model()
    if at.asked == asked:
        return
    if at.pressed or asked.table.values.nbytes <= SMALL:
        start(PROBABILITIES, "evaluate", partial(evaluated, asked), asked=asked, pressed=False)
        _settle()
    else:
        button("Evaluate", key="prob_evaluate", action=lambda: change(pressed=True), type="primary")


def _settle() -> None:
    settle(PROBABILITIES, lambda result: {"scored" if model().purpose == "score" else "evaluated": result})


def _waiting(purpose: str, something: bool, go_on: Callable[[], object]) -> None:
    """Show the progress of a job, its fault, or that it was stopped."""
    at = model()
    if at.purpose != purpose:
        return
    if at.job is not None:
        show_progress(PROBABILITIES)
    elif at.fault:
        st.error(escaped(f"{at.fault.rstrip('.')}."))
    elif at.stopped:
        stopped(something, go_on)


# --- what is read ---------------------------------------------------------------------------------


def _inputs(hierarchies: dict[str, Hierarchy]) -> Hierarchy:
    own = model().own_hierarchy
    hierarchies = {**hierarchies, **({own[0]: own[1]} if own else {})}
    if model().file_hierarchy not in hierarchies:
        change(file_hierarchy=next(iter(hierarchies)))
    hierarchy = hierarchies[model().file_hierarchy]
    one, two, three = stacking_columns("probabilities_files", 3, gap="medium")
    with one:
        choose("Hierarchy", hierarchies, "file_hierarchy", help="The columns of the probabilities are its classes.")
        formats = ", ".join(f.title for f in HIERARCHY_FORMATS.values())
        _upload("Or upload one", "hierarchy", _read_hierarchy, help=f"One of: {formats}.")
    with two:
        choose(
            "The numbers are",
            KINDS,
            "kind",
            format_func=lambda kind: KINDS[kind].rstrip("."),
            help="What a column of the file holds.",
        )
        formats = "\n".join(f"- {f}" for f in FORMATS.values())
        _upload("Probabilities", "table", partial(_read_table, hierarchy), help=formats, endings=TABLES)
    with three:
        choose(
            "Columns that name no class",
            STRANGE,
            "strange",
            format_func=STRANGE.__getitem__,
            help="Whether such columns are an error, which names them, or are left out, which is said.",
        )
        formats = "\n".join(f"- {f.title}: {markdown_text(f.description)}" for f in LABEL_FORMATS.values())
        _upload("True labels", "truth", _read_truth, help=formats)
    missing = {"a file of probabilities": model().table, "the true labels of its instances": model().labels_read}
    if None in missing.values():
        words, place = st.columns([3, 1], gap="medium", vertical_alignment="center")
        named = " and ".join(name for name, read in missing.items() if read is None)
        words.info(f"Still needed: {named}. Example data show what comes of them.")
        place.button(
            "Try it with example data",
            on_click=after_entries(_make_example),
            args=(hierarchy,),
            icon=":material/casino:",
            width="stretch",
            help=f"{EXAMPLES} instances of this hierarchy, drawn at random, leaning towards a random truth.",
        )
    return hierarchy


def _upload(
    title: str, field: str, read: Callable[[str, bytes], None], *, help: str, endings: Sequence[str] = ()
) -> None:
    """Draw a field for a file, with the name of the file in use and its fault. An earlier file
    stays if it cannot be read or was removed.
    """
    key, name = f"{PREFIX}upload_{field}", model().names.get(field)

    def uploaded() -> None:
        file = st.session_state[key]
        if file is not None and attempt(key, lambda: read(file.name, file.getvalue())):
            change(names={**model().names, field: file.name})

    st.file_uploader(title, key=key, type=endings or None, on_change=uploaded, help=help)
    if name and field != "hierarchy" and not st.session_state.get(key):
        st.caption(f"In use: {escaped(name)}")
    if reason := fault_of(key):
        st.error(escaped(f"{reason}.") + (" What was read before is still here." if name else ""))


def _read_hierarchy(name: str, content: bytes) -> None:
    title = f"Uploaded: {name}"
    change(own_hierarchy=(title, sandboxed(read_hierarchy, content, name=name)), file_hierarchy=title)


def _read_table(hierarchy: Hierarchy, name: str, content: bytes) -> None:
    apply_entries()
    kind = model().kind
    raw = sandboxed(read_raw_probabilities, content, name=name)
    change(table=raw.table(hierarchy, kind=kind, unknown_classes=model().strange), table_kind=kind)


def _read_truth(name: str, content: bytes) -> None:
    change(labels_read=sandboxed(read_labels, content, name=name))


def _make_example(hierarchy: Hierarchy) -> None:
    """Take random logits that lean towards a random leaf's path."""
    rng = np.random.default_rng(0)
    leaves = sorted(hierarchy.leaves)
    truth = tuple(frozenset({leaves[int(i)]}) for i in rng.integers(len(leaves), size=EXAMPLES))
    logits = rng.normal(size=(EXAMPLES, len(hierarchy)))
    for row, labels in zip(logits, truth, strict=True):
        row[[hierarchy.index(a) for c in labels for a in hierarchy.up(c)]] += 1.5
    kind: Kind = "conditional_softmax" if hierarchy.is_tree else "conditional_sigmoid"
    table = ProbabilityTable.of(hierarchy, logits, kind=kind)
    example = LabelFile(None, truth, ("the labels are example data",))
    names = {**model().names, "table": "example data", "truth": "example data"}
    change(table=table, table_kind=None, labels_read=example, names=names)
    forget_faults(*(f"{PREFIX}upload_{field}" for field in ("hierarchy", "table", "truth")))


# --- what is shown --------------------------------------------------------------------------------


def _summary(work: Evaluated) -> None:
    areas, sweep = work.areas, work.sweep
    best, undefined = sweep.best, len(areas.undefined)
    missing = f"{undefined:,} without a true class have no area." if undefined else "All have a true class."
    own = "The mean hF if each instance had the threshold that suits it best: no single threshold can exceed it."
    area = "The area under each instance's curve, averaged (Plaud et al. 2024, Section 3.2.3)."
    figures = (
        ("Instances", f"{len(areas.ids):,}", f"Rows of the file. {missing}"),
        ("Mean area", f"{areas.mean:.3f}", area),
        ("Micro area", f"{work.micro.area:.3f}", "The area under the curve of the counts summed over all instances."),
        (
            "Best single threshold",
            f"{sweep.thresholds[best]:.2f}",
            "One threshold for all instances, with the highest mean hF.",
        ),
        ("Mean hF with it", f"{sweep.samples_f1[best]:.3f}", "The mean of the instances' hF at that threshold."),
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
    titles = ("Areas of the instances", "Micro precision and recall", "hF over one threshold for all")
    drawn = {"histogram": parts.histogram(areas), "micro": parts.micro(work.micro), "file_f1": parts.file_f1(sweep)}
    places = stacking_columns("probabilities_charts", 3, gap="medium")
    for place, title, (name, figure) in zip(places, titles, drawn.items(), strict=True):
        with place:
            st.markdown(f"**{title}**")
            chart(figure, key=PREFIX + name, config=parts.CHART)


def _without_threshold(work: Evaluated) -> None:
    panel = unfolded("Without a threshold: curves of classes, ranked leaves, an operating curve", "scored")
    if not panel.open:
        return
    if model().job is None and model().scored_of is not work:
        start(PROBABILITIES, "score", partial(scored, work), scored_of=work, scored=None)
        _settle()
    report = model().scored
    with panel:
        if report is None:
            _waiting("score", False, lambda: change(scored_of=None, stopped=""))
            return
        names = list(report.values)
        show_table(
            pd.DataFrame({"name": names, "value": report.values.values(), "what it is": report.words.values()}),
            "scores",
            rows=len(names),
            column_config={"value": st.column_config.NumberColumn(format="%.4f", width="small")},
        )
        st.caption(escaped(" ".join(note[:1].upper() + note[1:] + "." for note in report.notes)))


def _instances(work: Evaluated, open_instance: Opener) -> None:
    """List the instances, the worst first; one can be opened with its tree."""
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
            args=(f"Instance {areas.ids[place]}", work.asked.table.row(place), work.labels[place]),
        )
    saver.download_button(
        "Export (CSV)", partial(_csv, areas), "areas.csv", "text/csv", width="stretch", on_click="ignore"
    )


def _csv(a: InstanceAreas) -> bytes:
    rows = zip(a.ids, a.areas.tolist(), a.best_f1.tolist(), a.best_low.tolist(), a.best_high.tolist(), strict=True)
    return csv_text(["id", "area", "best_hF", "best_threshold_from", "best_threshold_to"], rows).encode()
