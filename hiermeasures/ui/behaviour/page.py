"""The Behaviour page: which property each measure keeps on every small hierarchy, the smallest proof where it does not,
and the smallest example on which two measures disagree, each one click from the Explorer.

What is asked and found is model.py's; figures are painted by graph/svg.py. Nothing is searched on the page.
"""

import io
from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from hiermeasures.behaviour import PROPERTIES, Counterexample
from hiermeasures.behaviour.search import MOST_DAG, MOST_TREE, Picture, Verdict
from hiermeasures.errors import InputError
from hiermeasures.measures import CATALOGUE, explain
from hiermeasures.measures.catalogue import number
from hiermeasures.options import Options
from hiermeasures.ui.behaviour.model import BEHAVIOUR, Found, ask, change, searched, turned
from hiermeasures.ui.binding import bind
from hiermeasures.ui.columns import stacking_columns
from hiermeasures.ui.explore import model as explorer
from hiermeasures.ui.graph.scene import figure_scene
from hiermeasures.ui.graph.svg import svg
from hiermeasures.ui.options_panel import Target, options_popover
from hiermeasures.ui.pages import Page, switch_to
from hiermeasures.ui.state import Shown
from hiermeasures.ui.systems.job import Job, StoppedError
from hiermeasures.ui.text import escaped, markdown_text
from hiermeasures.ui.views.sets import classes_alone

AT_ONCE, POLL = 0.6, 0.5  # seconds
HEIGHT = 260.0  # of a picture, in pixels
TURNED = " ⟲"
LEAD = (
    "Which property does a measure keep, whatever the hierarchy? Every rooted tree and DAG up to a size is searched, "
    "with every set of true and predicted classes. ✓ is kept in so many pairs of instances; ✗ is broken, by a proof of "
    "so many classes, the smallest there is. Choose a cell to see it."
)


def page() -> None:
    """The whole page."""
    _settle()
    at = BEHAVIOUR.value
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title("Behaviour", width="content")
        options_popover(Target(lambda: BEHAVIOUR.value.asked.options, _set_options, "behaviour"))
    st.caption(LEAD)
    _form()
    _start_if_asked()
    at = BEHAVIOUR.value
    if at.fault:
        st.error(escaped(at.fault), icon=":material/error:")
    if at.job is not None:
        _progress()
    elif at.stopped:
        st.info("Stopped. What was found before is still here; change anything to search again.")
    if at.found is not None:
        _disagreement(at.found)
        _matrix(at.found)
        _proof(at.found)


def _set_options(options: Options) -> None:
    ask(options=options)


# --- the search ---------------------------------------------------------------------------------------------------


def _start_if_asked() -> None:
    """Begin the search for what is asked now, unless it is found, running or stopped."""
    at = BEHAVIOUR.value
    if at.fault or at.stopped or at.running == at.asked or (at.found is not None and at.found.asked == at.asked):
        return
    if at.job is not None:
        at.job.stop()
    job = Job(searched(at.asked, at.found))
    change(job=job, running=at.asked)
    job.wait(AT_ONCE)
    _settle()


def _settle() -> None:
    """Take what a finished search brought."""
    at = BEHAVIOUR.value
    if at.job is None or not at.job.finished:
        return
    change(job=None, running=None)
    try:
        found: Found = at.job.result()
    except StoppedError:
        change(stopped=True)
    except InputError as error:
        change(fault=str(error))
    else:
        other = at.found is not None and at.found.asked.options != found.asked.options
        change(found=found, before=at.found if other else at.before)


@st.fragment(run_every=POLL)
def _progress() -> None:
    """How far the search is; asks for the whole page again when it has finished."""
    job = BEHAVIOUR.value.job
    if job is None or job.finished:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", key="behaviour_progress"):
        st.progress(job.share, text=escaped(job.sentence if not job.stopped else "Stopping"), width="stretch")
        if st.button("Stop", key="behaviour_stop", icon=":material/stop_circle:", disabled=job.stopped):
            job.stop()


def _form() -> None:
    """Which measures and properties, and how large the hierarchies are."""
    asked = BEHAVIOUR.value.asked
    left, middle, trees, dags = stacking_columns("behaviour_form", [6, 6, 2, 2])
    bind(left.multiselect, "behaviour_measures", list(asked.measures), lambda keys: ask(measures=tuple(keys)))(
        "Measures", list(CATALOGUE), help="None chosen is all of them.", placeholder="all measures"
    )
    bind(middle.multiselect, "behaviour_properties", list(asked.properties), lambda keys: ask(properties=tuple(keys)))(
        "Properties", list(PROPERTIES), format_func=_name, placeholder="all properties"
    )
    bind(trees.number_input, "behaviour_trees", asked.trees, lambda size: ask(trees=size))(
        "Trees up to", 2, MOST_TREE, help="Classes, the root included. Each more takes about six times as long."
    )
    bind(dags.number_input, "behaviour_dags", asked.dags, lambda size: ask(dags=size))("DAGs up to", 0, MOST_DAG)


def _name(key: str) -> str:
    return PROPERTIES[key].name


# --- what was found -----------------------------------------------------------------------------------------------


def _disagreement(found: Found) -> None:
    """Two measures, and the smallest example on which they disagree."""
    st.header("Where two measures disagree", divider="gray")
    pair = BEHAVIOUR.value.asked.pair
    for k, column in enumerate(st.columns(2)):
        bind(column.selectbox, f"behaviour_pair_{k}", pair[k], partial(_choose_pair, k))(
            ("Prefers “after”", "Prefers “before”")[k], list(CATALOGUE)
        )
    example, (a, b) = found.answer.example, found.asked.pair
    if example is None:
        st.info(f"None found in {found.answer.instances:,} pairs of predictions.")
        return
    _pictures(example, (a, b), found.asked.options, "pair")


def _choose_pair(k: int, key: str) -> None:
    pair = list(BEHAVIOUR.value.asked.pair)
    pair[k] = key
    ask(pair=(pair[0], pair[1]))


def _matrix(found: Found) -> None:
    """Properties × measures."""
    st.header("Properties", divider="gray")
    marks = turned(found, BEHAVIOUR.value.before)
    frame = matrix(found, marks)
    st.dataframe(
        frame,
        key="behaviour_matrix",
        on_select=partial(_select, list(found.matrix.verdicts), list(frame.columns)),
        selection_mode="single-cell",
        height="content",
    )
    m = found.matrix
    words = f"{m.hierarchies:,} hierarchies, {m.instances:,} instances; undefined values neither keep nor break."
    st.caption(words + (f" Turned by the options:{TURNED}" if marks else ""))
    with st.container(horizontal=True):
        for name, text in (("CSV", frame.to_csv()), ("LaTeX", latex(frame)), ("Markdown", markdown(frame))):
            ending = {"CSV": "csv", "LaTeX": "tex", "Markdown": "md"}[name]
            st.download_button(name, text, f"behaviour.{ending}", key=f"behaviour_{ending}", on_click="ignore")


def matrix(found: Found, marks: set[tuple[str, str]]) -> pd.DataFrame:
    """The verdicts as words, with a mark on those that the options turned."""
    rows = found.matrix.verdicts
    return pd.DataFrame(
        {
            m: [_cell(row[m]) + (TURNED if (p, m) in marks else "") for p, row in rows.items()]
            for m in next(iter(rows.values()))
        },
        index=pd.Index([_name(p) for p in rows], name="property"),
    )


def _cell(verdict: Verdict) -> str:
    if not verdict.holds:
        return f"✗ {verdict.size}"
    return f"✓ {verdict.instances:,}" if verdict.instances else "–"


def latex(frame: pd.DataFrame) -> str:
    """The matrix as a LaTeX table."""
    plain = {"✓": r"\checkmark", "✗": r"$\times$", "–": "--", "⟲": "*", "_": r"\_"}

    def cell(text: str) -> str:
        return "".join(plain.get(c, c) for c in text)

    lines = [rf"\begin{{tabular}}{{l{'r' * len(frame.columns)}}}", r"\hline"]
    lines += [" & ".join(["property", *map(cell, frame.columns)]) + r" \\", r"\hline"]
    lines += [" & ".join([cell(str(name)), *map(cell, row)]) + r" \\" for name, row in _rows(frame)]
    return "\n".join([*lines, r"\hline", r"\end{tabular}", ""])


def markdown(frame: pd.DataFrame) -> str:
    """The matrix as a Markdown table."""
    out = io.StringIO()
    print("| property | " + " | ".join(f"`{m}`" for m in frame.columns) + " |", file=out)
    print("|---" * (len(frame.columns) + 1) + "|", file=out)
    for name, row in _rows(frame):
        print(f"| {name} | " + " | ".join(row) + " |", file=out)
    return out.getvalue()


def _rows(frame: pd.DataFrame) -> list[tuple[Any, list[str]]]:
    return [(name, row.tolist()) for name, row in frame.iterrows()]


def _select(properties: Sequence[str], measures: Sequence[str]) -> None:
    """A cell that was chosen in the matrix."""
    cells = st.session_state["behaviour_matrix"].selection.cells
    if cells and cells[0][1] in measures:
        change(cell=(properties[cells[0][0]], cells[0][1]))


def _proof(found: Found) -> None:
    """The chosen cell: the sentence of the property, and its smallest proof."""
    rows = found.matrix.verdicts
    prop, key = BEHAVIOUR.value.cell
    prop = prop if prop in rows else next(iter(rows))
    key = key if key in rows[prop] else next(iter(rows[prop]))
    left, right = st.columns(2)
    bind(left.selectbox, "behaviour_property", prop, lambda chosen: change(cell=(chosen, key)))(
        "Property", list(rows), format_func=_name
    )
    bind(right.selectbox, "behaviour_measure", key, lambda chosen: change(cell=(prop, chosen)))(
        "Measure", list(rows[prop])
    )
    declared, verdict = PROPERTIES[prop], rows[prop][key]
    st.markdown(f"**{markdown_text(declared.says)}**")
    if declared.choice:
        st.caption(markdown_text(declared.choice))
    if verdict.example is None:
        undefined = f"; {verdict.undefined:,} pairs have no two values" if verdict.undefined else ""
        st.success(
            f"Kept up to {verdict.size} classes, in {verdict.instances:,} pairs of instances{undefined}.",
            icon=":material/check:",
        )
    else:
        _pictures(verdict.example, (key,), found.asked.options, "proof")


def _pictures(example: Counterexample, keys: Sequence[str], options: Options, name: str) -> None:
    """Both pictures side by side, with the values and the sentences behind them."""
    pictures = (example.before,) if example.alone else (example.before, example.after)
    for k, (picture, column) in enumerate(zip(pictures, st.columns(2), strict=False)):
        world = picture.world
        explained = explain(world.hierarchy, picture.true, picture.predicted, options=options)
        with column, st.container(border=True, key=f"behaviour_picture_{name}_{k}"):
            if not example.alone:
                st.caption(("Before", "After")[k])
            st.html(svg(figure_scene(world.hierarchy, classes_alone(explained))).html(HEIGHT))
            for key in keys:
                better = CATALOGUE[key].better
                st.markdown(f"`{key}` **{number(explained[key])}** ({better} is better)")
                st.caption(escaped(explained.derivation(key).sentence))
    st.button(
        "Open in the Explorer",
        key=f"behaviour_open_{name}",
        icon=":material/open_in_new:",
        on_click=_open,
        args=(example, options),
        help=None if example.alone else "Shows “after”, with “before” pinned.",
    )
    if st.session_state.pop(_GO, False):
        switch_to("explore")


_GO = "behaviour_go"


def _open(example: Counterexample, options: Options) -> None:
    explorer.open_shown(_shown(example.before, options, "Before"))
    if not example.alone:
        before = explorer.history().present
        explorer.show(_shown(example.after, options, "After"))
        explorer.change(pinned=explorer.Pinned(before))
    st.session_state[_GO] = True


def _shown(picture: Picture, options: Options, title: str) -> Shown:
    return Shown.make(picture.world.hierarchy, picture.true, picture.predicted, title=title, options=options)


PAGE = Page("Behaviour", page)
