"""The Behaviour page: the smallest instance that answers a question about measures, and which property each measure
keeps on every small hierarchy, with the smallest proof where it does not, each one click from the Explorer.

What is asked and found is model.py's, the table of properties and its files are matrix.py's; figures are painted by
graph/svg.py. Nothing is searched on the page.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, get_args

import streamlit as st

from hiermeasures.behaviour import PROPERTIES, Behaviour, Counterexample
from hiermeasures.behaviour.find import EDITS, Answer, check
from hiermeasures.behaviour.search import MOST_DAG, MOST_TREE, Picture, Verdict
from hiermeasures.behaviour.situations import judgement
from hiermeasures.behaviour.what_if import change as value_change
from hiermeasures.behaviour.why import why
from hiermeasures.errors import InputError
from hiermeasures.expressions import ExpressionError
from hiermeasures.measures import CATALOGUE, Explanation, explain
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.explain import find_measure
from hiermeasures.measures.own import called, is_definition
from hiermeasures.options import Options
from hiermeasures.ui.behaviour import matrix
from hiermeasures.ui.behaviour.model import (
    BEHAVIOUR,
    NO_EDIT,
    QuestionKind,
    Wanted,
    ask,
    ask_with_options,
    begin,
    change,
    search,
    settle,
    turned,
)
from hiermeasures.ui.binding import bind
from hiermeasures.ui.columns import stacking_columns
from hiermeasures.ui.explore import model as explorer
from hiermeasures.ui.explore.edits import ARROWS
from hiermeasures.ui.gestures import mailbox
from hiermeasures.ui.graph.scene import figure_scene
from hiermeasures.ui.graph.svg import svg
from hiermeasures.ui.options_panel import Target, options_popover
from hiermeasures.ui.pages import Page, switch_to
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.state import Shown
from hiermeasures.ui.text import escaped, markdown_text
from hiermeasures.ui.views.sets import classes_alone
from hiermeasures.ui.watching import AT_ONCE, POLL, progress_bar, say_that_kernels_compile

HEIGHT = 260.0  # of a picture, in pixels
LEAD = (
    "What does a measure do, whatever the hierarchy? Every rooted tree and DAG up to a size is searched, with every "
    "set of true and predicted classes. What is found is the smallest there is."
)
ABOUT_MATRIX = (
    "✓ is kept in so many pairs of instances; ✗ is broken, by a proof of so many classes. Choose a cell to see it."
)
KINDS: dict[QuestionKind, str] = {
    "disagree": "two measures disagree",
    "edit": "an edit is better for one, worse for another",
    "condition": "a condition holds",
}


def page() -> None:
    """The whole page."""
    _take_over_options()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title("Behaviour", width="content")
        options_popover(Target(lambda: search("matrix").asked.options, ask_with_options, "behaviour"))
    st.caption(LEAD)
    kernels = st.container()
    _find()
    _properties()
    say_that_kernels_compile(kernels)
    mailbox()
    if st.session_state.pop(_GO, False):
        switch_to("explore")


def _take_over_options() -> None:
    """The options of the Explorer, when they were changed there."""
    if not explorer.EXPLORER.filled:
        return
    options = explorer.history().present.instance.options
    if options != BEHAVIOUR.value.explorer:
        if BEHAVIOUR.value.explorer is not None or options != search("matrix").asked.options:
            ask_with_options(options)
        change(explorer=options)


# --- the searches -------------------------------------------------------------------------------------------------


def _searched(name: str) -> Any:
    """Begin a search if something new is asked, say how it stands, and give what was found last."""
    settle(name)
    begin(name, AT_ONCE)
    at = search(name)
    if at.fault:
        st.error(escaped(at.fault), icon=":material/error:")
    if at.job is not None:
        _progress(name)
    elif at.stopped:
        st.info("Stopped. What was found before is still here; change anything to search again.")
    return at.found


def _progress(name: str) -> None:
    """How far a search is; asks for the whole page again when it has finished."""

    @st.fragment(run_every=POLL)
    def shown() -> None:
        job = search(name).job
        if job is None or job.finished:
            st.rerun()
        progress_bar(job, f"behaviour_{name}")

    shown()


# --- the smallest instance ----------------------------------------------------------------------------------------


def _find() -> None:
    """A question, and the smallest instance that answers it."""
    st.header("Find the smallest instance", divider="gray")
    wanted: Wanted = search("instance").asked
    _question(wanted)
    if wanted.kind == "condition" and _fault(wanted):
        return
    answer: Answer | None = _searched("instance")
    answered: Wanted = search("instance").answered
    if answer is None:
        return
    if answer.example is None:
        st.info(f"None found in {answer.instances:,} instances or pairs of them.")
        return
    keys = list(answer.values) if answered.kind == "condition" else [answered.a, answered.b]
    measures = {*CATALOGUE, *filter(is_definition, keys)}
    parts = {key: " → ".join(map(number, dict.fromkeys(answer.values[key]))) for key in keys if key not in measures}
    if parts:
        st.caption(escaped(", ".join(f"{name} {values}" for name, values in parts.items())))
    _pictures(answer.example, [key for key in keys if key in measures], answered.options, "instance")


def _question(wanted: Wanted) -> None:
    bind(st.segmented_control, "find_kind", wanted.kind, partial(_want, "kind"))(
        "On which", list(get_args(QuestionKind)), required=True, format_func=lambda kind: KINDS[kind]
    )
    first, second, third = st.columns([3, 3, 4])
    if wanted.kind == "condition":
        bind(st.text_input, "find_condition", wanted.condition, partial(_want, "condition"))(
            "Condition",
            help="Such as hF > 0.8 and F_LCA < 0.5; docs/expressions.md names all it may hold. With an edit, values "
            "after it are called hF_after.",
        )
        _show_fault(wanted)
        bind(first.selectbox, "find_condition_edit", wanted.condition_edit, partial(_want, "condition_edit"))(
            "Edit", [NO_EDIT, *EDITS], format_func=lambda key: EDITS[key][0] if key else "none: one instance"
        )
    else:
        words = ("Prefers “after”", "Prefers “before”") if wanted.kind == "disagree" else ("Better for", "Worse for")
        for k, (column, part) in enumerate(((first, "a"), (second, "b"))):
            bind(column.selectbox, f"find_{part}", getattr(wanted, part), partial(_want, part))(
                words[k], _offered([getattr(wanted, part)]), format_func=_measure
            )
        if wanted.kind == "edit":
            bind(third.selectbox, "find_edit", wanted.edit, partial(_want, "edit"))(
                "Edit", list(EDITS), format_func=lambda key: EDITS[key][0]
            )
    with st.container(horizontal=True, vertical_alignment="center"):
        bind(st.checkbox, "find_dags", wanted.dags_too, partial(_want, "dags_too"))(
            "also in DAGs", help="Trees of up to 6 classes, DAGs of up to 5."
        )
        bind(st.checkbox, "find_leaves", wanted.leaves_only, partial(_want, "leaves_only"))("labels are leaves")
        bind(st.checkbox, "find_single", wanted.single_label, partial(_want, "single_label"))("one label a side")


def _want(part: str, value: Any) -> None:
    ask("instance", **{part: value}, own=explorer.own_definitions())


def _measure(key: str) -> str:
    return f"{called(key)} · {find_measure(key).name}"


def _offered(chosen: Sequence[str]) -> list[str]:
    """The measures to choose from: those of one's own, and the catalogue."""
    return list(dict.fromkeys([*explorer.own_definitions(), *chosen, *CATALOGUE]))


def _fault(wanted: Wanted) -> InputError | None:
    """Why a condition cannot be searched for."""
    try:
        check(wanted.question, wanted.define)
    except InputError as fault:
        return fault
    return None


def _show_fault(wanted: Wanted) -> None:
    """That, beside the field, with the place of the fault."""
    fault = _fault(wanted)
    if fault is not None:
        show_text(str(fault), "error", key="find_condition_fault")
        if isinstance(fault, ExpressionError):
            st.code(fault.underlined, language=None)


# --- properties ---------------------------------------------------------------------------------------------------


def _properties() -> None:
    """The matrix, and the proof of the chosen cell."""
    st.header("Properties", divider="gray")
    st.caption(ABOUT_MATRIX)
    _form()
    found: Behaviour | None = _searched("matrix")
    if found is not None:
        matrix.show(found, turned(found, search("matrix").before), _select)
        _proof(found)


def _form() -> None:
    """Which measures and properties, and how large the hierarchies are."""
    asked = search("matrix").asked
    left, middle, trees, dags = stacking_columns("behaviour_form", [6, 6, 2, 2])
    bind(left.multiselect, "behaviour_measures", list(asked.measures), partial(_ask_some, "measures"))(
        "Measures",
        _offered(asked.measures),
        format_func=called,
        help="None chosen is all of the catalogue.",
        placeholder="all measures",
    )
    bind(middle.multiselect, "behaviour_properties", list(asked.properties), partial(_ask_some, "properties"))(
        "Properties", list(PROPERTIES), format_func=matrix.name_of, placeholder="all properties"
    )
    bind(trees.number_input, "behaviour_trees", asked.trees, lambda size: ask("matrix", trees=size))(
        "Trees up to", 2, MOST_TREE, help="Classes, the root included. Each more takes about six times as long."
    )
    bind(dags.number_input, "behaviour_dags", asked.dags, lambda size: ask("matrix", dags=size))(
        "DAGs up to", 0, MOST_DAG
    )


def _ask_some(part: str, keys: Sequence[str]) -> None:
    ask("matrix", **{part: tuple(keys)})


def _select(prop: str, measure: str) -> None:
    """A cell that was chosen in the matrix."""
    change(cell=(prop, measure))


def _proof(found: Behaviour) -> None:
    """The chosen cell: the sentence of the property, and its smallest proof."""
    rows = found.verdicts
    prop, key = BEHAVIOUR.value.cell
    prop = prop if prop in rows else next(iter(rows))
    key = key if key in rows[prop] else next(iter(rows[prop]))
    left, right = st.columns(2)
    bind(left.selectbox, "behaviour_property", prop, partial(_set_cell, 0))(
        "Property", list(rows), format_func=matrix.name_of
    )
    bind(right.selectbox, "behaviour_measure", key, partial(_set_cell, 1))(
        "Measure", list(rows[prop]), format_func=called
    )
    declared, verdict = PROPERTIES[prop], rows[prop][key]
    st.markdown(f"**{markdown_text(declared.says)}**")
    if declared.choice:
        st.caption(markdown_text(declared.choice))
    _printed(prop, key, verdict)
    if verdict.example is None:
        undefined = f"; {verdict.undefined:,} pairs have no two values" if verdict.undefined else ""
        st.success(
            f"Kept up to {verdict.size} classes, in {verdict.instances:,} pairs of instances{undefined}.",
            icon=":material/check:",
        )
    else:
        _pictures(verdict.example, (key,), found.options, "proof")


def _set_cell(place: int, key: str) -> None:
    cell = list(BEHAVIOUR.value.cell)
    cell[place] = key
    _select(cell[0], cell[1])


def _printed(prop: str, key: str, verdict: Verdict) -> None:
    """What the paper's table says of the same."""
    said = judgement(prop, key)
    if said is None:
        return
    agrees = {True: "as found here", False: "which is not what is found here", None: "of which nothing is found here"}
    words = f"{said.situation.name}, Table 9 of Kosmopoulos et al. 2015: {said.sign}, {agrees[said.agrees(verdict)]}."
    st.caption(markdown_text(words))


# --- pictures -----------------------------------------------------------------------------------------------------


def _pictures(example: Counterexample, keys: Sequence[str], options: Options, name: str) -> None:
    """Both pictures side by side, with the values; below them why each value changed, and the way to the Explorer."""
    pictures = (example.before,) if example.alone else (example.before, example.after)
    explained = [explain(p.world.hierarchy, p.true, p.predicted, options=options) for p in pictures]
    for k, (picture, column) in enumerate(zip(pictures, st.columns(2), strict=False)):
        with column, st.container(border=True, key=f"behaviour_picture_{name}_{k}"):
            if not example.alone:
                st.caption(("Before", "After")[k])
            st.html(svg(figure_scene(picture.world.hierarchy, classes_alone(explained[k]))).html(HEIGHT))
            for key in keys:
                measure = explained[k].measure(key)
                st.markdown(f"`{called(key)}` **{number(explained[k].value(measure))}** ({measure.better} is better)")
                if example.alone:
                    st.caption(escaped(explained[k].derive(measure).sentence))
    if not example.alone:
        _reasons(keys, explained[0], explained[1], name)
    st.button(
        "Open in the Explorer",
        key=f"behaviour_open_{name}",
        icon=":material/open_in_new:",
        on_click=_open,
        args=(example, keys, options),
        help=None if example.alone else "Shows “after”, with “before” pinned.",
    )


def _reasons(keys: Sequence[str], before: Explanation, after: Explanation, name: str) -> None:
    """Of each measure in which way it changed, and what changed in the structure that caused it."""
    for key in keys:
        found = why(before.measure(key), before, after)
        moved = value_change(before.measure(key), *found.values)
        arrow = ARROWS.get(moved.word, "")
        values = " → ".join(map(number, found.values))
        show_text(f"{called(key)} {values} {arrow} {moved.word}. {found.sentence}", key=f"behaviour_why_{name}_{key}")


_GO = "behaviour_go"


def _open(example: Counterexample, keys: Sequence[str], options: Options) -> None:
    measures = tuple(key for key in keys if key in CATALOGUE or is_definition(key))
    explorer.open_shown(_shown(example.before, options, "Before"), measures=measures)
    if not example.alone:
        before = explorer.history().present
        explorer.show(_shown(example.after, options, "After"))
        explorer.change(pinned=explorer.Pinned(before))
    change(explorer=options)
    st.session_state[_GO] = True


def _shown(picture: Picture, options: Options, title: str) -> Shown:
    return Shown.make(picture.world.hierarchy, picture.true, picture.predicted, title=title, options=options)


PAGE = Page("Behaviour", page)
