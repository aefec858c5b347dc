"""The Behaviour page: the smallest instance that answers a question about measures, and the table
of which property each measure keeps on every small hierarchy, with the smallest proof where it does
not. Nothing is searched here (model.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, get_args

import pandas as pd
import streamlit as st

from hiermeasures.app.behaviour import model
from hiermeasures.app.binding import bind, button
from hiermeasures.app.components import (
    mailbox,
    options_form,
    show_expression_fault,
    show_panel,
    show_text,
    stacking_columns,
)
from hiermeasures.app.explore import model as explorer
from hiermeasures.app.job import duration, outdated, say_that_kernels_compile, show_progress
from hiermeasures.app.pages import Page, leave, leave_for
from hiermeasures.behaviour import PROPERTIES, Behaviour, Counterexample
from hiermeasures.behaviour.find import EDITS, Answer, check
from hiermeasures.behaviour.properties import NOTATION
from hiermeasures.behaviour.search import FIRST_DAG as SMALLEST_DAG
from hiermeasures.behaviour.search import MOST_DAG, MOST_TREE, NOT_JUDGED, WEIGHTS, Picture, Setting, Verdict
from hiermeasures.behaviour.what_if import change as value_change
from hiermeasures.behaviour.what_if import why
from hiermeasures.cases.situations import judgement
from hiermeasures.core.errors import InputError
from hiermeasures.core.options import Options
from hiermeasures.explorer.edits import ARROWS
from hiermeasures.explorer.state import Shown
from hiermeasures.formats import csv_text
from hiermeasures.measures import CATALOGUE, Explanation, explain, find_measure
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.own import called, is_definition, spoken
from hiermeasures.picture.panel import Column, Row, Table, Text
from hiermeasures.picture.scene import Scene, figure_scene
from hiermeasures.picture.svg import Image, legend, svg
from hiermeasures.picture.text import escaped, markdown_text
from hiermeasures.picture.views.sets import classes_alone

HEIGHT, WIDTH, LARGEST = 300.0, 420.0, 2.5  # of a picture, in pixels; and how many times it is drawn larger at most
LEAD = (
    "What does a measure do, whatever the hierarchy? Every rooted tree and DAG up to a size is searched, with every "
    "set of true and predicted classes. What is found is the smallest there is."
)
ABOUT_MATRIX = (
    "✓ theorem is proved of every hierarchy; ✓ to 5: n is kept in the n pairs of instances of up to 5 classes, which "
    "is no proof; ✗ k is broken, by an instance of k classes; – was not tested. Choose a cell to see the proof or the "
    "instance, and under which other settings it changes."
)
KINDS: dict[model.QuestionKind, str] = {
    "disagree": "two measures disagree",
    "edit": "an edit is better for one, worse for another",
    "condition": "a condition holds",
}


def page() -> None:
    """The whole page."""
    leave()
    _take_over_options()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title("Behaviour", width="content")
        options_form(lambda: model.search("matrix").asked.options, model.ask_with_options)
    st.caption(LEAD)
    kernels = st.container()
    _find()
    _properties()
    say_that_kernels_compile(kernels)
    mailbox()


def _take_over_options() -> None:
    """Ask with the Explorer's options when they were changed there."""
    if not explorer.EXPLORER.filled:
        return
    options = explorer.explorer().shown.instance.options
    if options != model.BEHAVIOUR.value.explorer:
        if model.BEHAVIOUR.value.explorer is not None or options != model.search("matrix").asked.options:
            model.ask_with_options(options)
        model.BEHAVIOUR.change(explorer=options)


# --- the searches ---------------------------------------------------------------------------------


def _searched(name: str) -> Any:
    model.proceed(name)
    at = model.search(name)
    with st.container():  # what stands below keeps its place
        if at.fault:
            st.error(escaped(at.fault), icon=":material/error:")
        if at.job is not None:
            show_progress(model.SEARCHES[name], f"behaviour_{name}")
        elif at.stopped:
            st.info("Stopped. What was found before is still here; change anything to search again.")
    return at.found


# --- the smallest instance ------------------------------------------------------------------------


def _find() -> None:
    st.header("Find the smallest instance", divider="gray")
    wanted: model.Wanted = model.search("instance").asked
    if not _question(wanted):
        return
    answer: Answer | None = _searched("instance")
    answered: model.Wanted = model.search("instance").answered
    if answer is None:
        return
    with st.container(key="behaviour_found_instance"):
        with st.container():  # what stands below keeps its place
            if answered != wanted:
                outdated(f"the question: {_in_words(answered)}", "behaviour_found_instance")
        _answer(answer, answered)


def _in_words(wanted: model.Wanted) -> str:
    if wanted.kind == "condition":
        return f"{wanted.condition}, {EDITS[wanted.condition_edit][0]}" if wanted.condition_edit else wanted.condition
    if wanted.kind == "disagree":
        return f"{spoken(wanted.a)} against {spoken(wanted.b)}"
    return f"{EDITS[wanted.edit][0]}, {spoken(wanted.a)} against {spoken(wanted.b)}"


def _answer(answer: Answer, answered: model.Wanted) -> None:
    if answer.example is None:
        _none(answer, answered)
        return
    keys = list(answer.values) if answered.kind == "condition" else [answered.a, answered.b]
    measures = {*CATALOGUE, *filter(is_definition, keys)}
    parts = {key: " → ".join(map(number, dict.fromkeys(answer.values[key]))) for key in keys if key not in measures}
    if parts:
        st.caption(escaped(", ".join(f"{name} {values}" for name, values in parts.items())))
    _pictures(answer.example, [key for key in keys if key in measures], answered.options, "instance")


def _none(answer: Answer, answered: model.Wanted) -> None:
    """Say up to which size nothing was found, and offer to search on."""
    trees, dags = answered.sizes
    where = f"trees of up to {trees} classes" + (f", DAGs of up to {dags}" if dags else "")
    st.info(f"None in {where}: {answer.instances:,} instances or pairs of them.")
    larger = replace(answered, larger=answered.larger + 1)
    if larger.sizes != answered.sizes:
        button(
            f"Search one larger (about {duration(model.LONGER * model.search('instance').seconds)})",
            key="behaviour_larger",
            icon=":material/search:",
            action=lambda: model.ask("instance", larger=larger.larger),
        )


def _question(wanted: model.Wanted) -> bool:
    """Draw the fields of a question; return whether it can be searched for."""
    searchable = True
    bind(st.segmented_control, "find_kind", wanted.kind, partial(_want, "kind"))(
        "On which", list(get_args(model.QuestionKind)), required=True, format_func=lambda kind: KINDS[kind]
    )
    first, second, third = st.columns([3, 3, 4])
    if wanted.kind == "condition":
        bind(st.text_input, "find_condition", wanted.condition, partial(_want, "condition"))(
            "Condition",
            help="Such as hF > 0.6 and F_LCA < 0.5; docs/expressions.md names all it may hold. With an edit, values "
            "after it are called hF_after.",
        )
        searchable = _searchable(wanted)
        bind(first.selectbox, "find_condition_edit", wanted.condition_edit, partial(_want, "condition_edit"))(
            "Edit", [model.NO_EDIT, *EDITS], format_func=lambda key: EDITS[key][0] if key else "none: one instance"
        )
    else:
        words = (
            ("“After” is better by", "“Before” is better by")
            if wanted.kind == "disagree"
            else ("Better for", "Worse for")
        )
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
            "also in DAGs", help=f"Trees of up to {model.FIRST_TREE} classes, DAGs of up to {model.FIRST_DAG} at first."
        )
        bind(st.checkbox, "find_leaves", wanted.leaves_only, partial(_want, "leaves_only"))("labels are leaves")
        bind(st.checkbox, "find_single", wanted.single_label, partial(_want, "single_label"))("one label a side")
    return searchable


def _want(part: str, value: Any) -> None:
    model.ask("instance", **{part: value}, own=explorer.own_definitions(), larger=0)


def _measure(key: str) -> str:
    return find_measure(key).title


def _offered(chosen: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*explorer.own_definitions(), *chosen, *CATALOGUE]))


def _searchable(wanted: model.Wanted) -> bool:
    """Return whether a condition can be searched for; if not, say why."""
    try:
        check(wanted.question, wanted.define)
    except InputError as fault:
        show_expression_fault(fault, key="find_condition_fault")
        return False
    return True


# --- properties -----------------------------------------------------------------------------------


def _properties() -> None:
    st.header("Properties", divider="gray")
    st.caption(ABOUT_MATRIX)
    _form()
    found: Behaviour | None = _searched("matrix")
    if found is None:
        return
    with st.container(key="behaviour_found_matrix"):
        with st.container():  # what stands below keeps its place
            if model.search("matrix").answered != model.search("matrix").asked:
                outdated("other measures, properties, sizes or options", "behaviour_found_matrix")
        cell = _cell(found)
        _matrix(found, model.turned(found, model.search("matrix").before), cell, _select)
        _proof(found, *cell)


def _form() -> None:
    asked = model.search("matrix").asked
    left, middle, trees, dags = stacking_columns("behaviour_form", [6, 6, 2, 2])
    bind(left.multiselect, "behaviour_measures", list(asked.measures), partial(_ask_some, "measures"))(
        "Measures",
        [key for key in _offered(asked.measures) if key not in NOT_JUDGED],
        format_func=spoken,
        help="None chosen is all of the catalogue.",
        placeholder="all measures",
    )
    bind(middle.multiselect, "behaviour_properties", list(asked.properties), partial(_ask_some, "properties"))(
        "Properties", list(PROPERTIES), format_func=_name_of, placeholder="all properties"
    )
    _switches()
    bind(trees.number_input, "behaviour_trees", asked.trees, lambda size: model.ask("matrix", trees=size))(
        "Trees up to", 2, MOST_TREE, help="Classes, the root included. Each more takes about six times as long."
    )
    bind(dags.number_input, "behaviour_dags", asked.dags, lambda size: model.ask("matrix", dags=size))(
        "DAGs up to", 0, MOST_DAG
    )


def _switches() -> None:
    """Trees alone, the root not counted, class weights that differ."""
    asked = model.search("matrix").asked
    with st.container(horizontal=True, vertical_alignment="center"):
        bind(st.toggle, "behaviour_trees_alone", asked.dags == 0, _ask_trees)(
            "trees alone", help="Properties that break in DAGs alone are kept."
        )
        bind(st.toggle, "behaviour_uncounted", asked.options.count_root is False, partial(_ask_setting, "uncounted"))(
            "root not counted"
        )
        bind(st.toggle, "behaviour_weighted", asked.options.class_weights != "one", partial(_ask_setting, "weighted"))(
            "class weights differ", help=f"class_weights={WEIGHTS}, for the measures of weighted classes."
        )


def _ask_trees(alone: bool) -> None:
    model.ask("matrix", dags=0 if alone else model.Asked().dags)


def _ask_setting(part: str, chosen: bool) -> None:
    options = model.search("matrix").asked.options
    model.ask_with_options(replace(Setting.of(options, trees=False), **{part: chosen}).options(options))


def _ask_some(part: str, keys: Sequence[str]) -> None:
    model.ask("matrix", **{part: tuple(keys)})


def _select(prop: str, measure: str | None) -> None:
    model.BEHAVIOUR.change(cell=(prop, measure or model.BEHAVIOUR.value.cell[1]))


def _cell(found: Behaviour) -> tuple[str, str]:
    """The chosen property and measure, or the first ones where these are not in the table."""
    rows = found.verdicts
    prop, key = model.BEHAVIOUR.value.cell
    prop = prop if prop in rows else next(iter(rows))
    return prop, key if key in rows[prop] else next(iter(rows[prop]))


def _proof(found: Behaviour, prop: str, key: str) -> None:
    rows = found.verdicts
    left, right = st.columns(2)
    bind(left.selectbox, "behaviour_property", prop, lambda prop: _select(prop, model.BEHAVIOUR.value.cell[1]))(
        "Property", list(rows), format_func=_name_of
    )
    bind(right.selectbox, "behaviour_measure", key, lambda key: _select(model.BEHAVIOUR.value.cell[0], key))(
        "Measure", list(rows[prop]), format_func=spoken
    )
    declared, verdict = PROPERTIES[prop], rows[prop][key]
    st.markdown(f"**{markdown_text(declared.says)}**")
    if declared.choice:
        st.caption(markdown_text(declared.choice))
    _printed(prop, key, verdict)
    if not verdict.tested:
        st.info(f"Not tested up to {verdict.size} classes: {verdict.undefined:,} pairs have no two values.")
    elif verdict.kind == "theorem" and verdict.theorem is not None:
        st.success(f"**Theorem.** {markdown_text(verdict.theorem.proof)}", icon=":material/check:")
        st.expander("The words of the proof").markdown(NOTATION)
    elif verdict.example is None:
        undefined = f"; {verdict.undefined:,} pairs have no two values" if verdict.undefined else ""
        st.success(
            f"Kept up to {verdict.size} classes, in {verdict.instances:,} pairs of instances{undefined}.",
            icon=":material/check:",
        )
    else:
        _pictures(verdict.example, (key,), found.options, "proof")
    if changed := model.changed_under(prop, key, found.options, trees=found.dags < SMALLEST_DAG):
        searched = f"searched in DAGs of up to {model.SMALL_DAG} and trees of {model.SMALL_TREE} classes"
        st.caption(f"Another sign under: {'; '.join(changed)} ({searched}).")


def _printed(prop: str, key: str, verdict: Verdict) -> None:
    """Show the judgement of the paper's table on the same property."""
    said = judgement(prop, key)
    if said is None:
        return
    agrees = {True: "as found here", False: "which is not what is found here", None: "of which nothing is found here"}
    words = f"{said.situation.name}, Table 9 of Kosmopoulos et al. 2015: {said.sign}, {agrees[said.agrees(verdict)]}."
    st.caption(markdown_text(words))


# --- pictures -------------------------------------------------------------------------------------


def _pictures(example: Counterexample, keys: Sequence[str], options: Options, name: str) -> None:
    pictures = (example.before,) if example.alone else (example.before, example.after)
    explained = [explain(p.world.hierarchy, p.true, p.predicted, options=options) for p in pictures]
    scenes = [figure_scene(e.hierarchy, classes_alone(e)) for e in explained]
    for k, (drawn, column) in enumerate(zip(_of_one_scale(scenes), st.columns(2), strict=False)):
        with column, st.container(border=True, key=f"behaviour_picture_{name}_{k}"):
            if not example.alone:
                st.caption(("Before", "After")[k])
            st.html(f'<div style="text-align: center">{drawn.html()}</div>')
            for key in keys:
                measure = explained[k].measure(key)
                value = number(explained[k].value(measure))
                st.markdown(f"{markdown_text(spoken(key))} **{value}** ({measure.better} is better)")
                if example.alone:
                    st.caption(escaped(explained[k].derive(measure).sentence))
    st.html(legend(scenes))
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


def _of_one_scale(scenes: Sequence[Scene]) -> list[Image]:
    """Draw scenes as large as fits, all at one scale."""
    sizes = [svg(scene) for scene in scenes]
    widest, highest = max(drawn.width for drawn in sizes), max(drawn.height for drawn in sizes)
    scale = min(WIDTH / widest, HEIGHT / highest, LARGEST)
    return [svg(scene, scale=scale) for scene in scenes]


def _reasons(keys: Sequence[str], before: Explanation, after: Explanation, name: str) -> None:
    """Say of each measure how it changed, and what in the structure caused it."""
    for key in keys:
        found = why(before.measure(key), before, after)
        moved = value_change(before.measure(key), *found.values)
        arrow = ARROWS.get(moved.word, "")
        values = " → ".join(map(number, found.values))
        show_text(f"{spoken(key)} {values} {arrow} {moved.word}. {found.sentence}", key=f"behaviour_why_{name}_{key}")


BACK = explorer.WayBack("Back to Behaviour", "behaviour")


def _open(example: Counterexample, keys: Sequence[str], options: Options) -> None:
    measures = tuple(key for key in keys if key in CATALOGUE or is_definition(key))
    before = _shown(example.before, options, "Before")
    shown, pinned = (before, None) if example.alone else (_shown(example.after, options, "After"), before)
    explorer.open_shown(shown, pinned=pinned, measures=measures, back=BACK)
    model.BEHAVIOUR.change(explorer=options)
    leave_for("explore")


def _shown(picture: Picture, options: Options, title: str) -> Shown:
    return Shown.make(picture.world.hierarchy, picture.true, picture.predicted, title=title, options=options).named()


# --- the table ------------------------------------------------------------------------------------

TURNED = " ⟲"
LATEX = str.maketrans({"✓": r"\checkmark", "✗": r"$\times$", "–": "--", "⟲": "*", "_": r"\_"})

Choose = Callable[[str, str | None], None]  # what is done with a property and a measure; without one, of its row


def _name_of(key: str) -> str:
    return PROPERTIES[key].name


def _matrix(found: Behaviour, marks: set[tuple[str, str]], cell: tuple[str, str], on_choose: Choose) -> None:
    """Draw the table; `marks` are cells turned by options, and `cell` is the chosen one."""
    frame = table(found, marks)
    st.html("<style>.st-key-behaviour_matrix { --hm-table: 75vh; }</style>")
    show_panel(
        _matrix_drawing(frame, list(found.verdicts), cell),
        key="behaviour_matrix",
        on_choose=lambda row, column: on_choose(row, column if column in frame else None),
    )
    words = (
        f"{found.hierarchies:,} hierarchies, {found.instances:,} instances; undefined values neither keep nor break."
    )
    st.caption(words + (f" Turned by the options:{TURNED}" if marks else ""))
    with st.container(horizontal=True):
        frame = frame.rename(columns=called)
        files = (
            ("CSV", "csv", csv_text(["", *frame.columns], frame.itertuples(name=None))),
            ("LaTeX", "tex", latex(frame)),
            ("Markdown", "md", markdown(frame)),
        )
        for name, ending, text in files:
            st.download_button(name, text, f"behaviour.{ending}", key=f"behaviour_{ending}", on_click="ignore")


def _matrix_drawing(frame: pd.DataFrame, properties: Sequence[str], cell: tuple[str, str]) -> Table:
    """Return the page's table: a row per property, keyed by it, with the chosen cell framed."""
    columns = [Column(spoken(key), "number", find_measure(key).title, key) for key in frame]
    rows = [
        Row(
            (name, *(Text(mark, strong=(p, m) == cell) for m, mark in zip(frame, marks, strict=True))),
            key=p,
            chosen=p == cell[0],
        )
        for p, (name, *marks) in zip(properties, frame.itertuples(name=None), strict=True)
    ]
    return Table("Properties of measures", (Column("property"), *columns), tuple(rows), wide=True)


def table(found: Behaviour, marks: set[tuple[str, str]]) -> pd.DataFrame:
    """Return the verdicts as words."""
    rows = found.verdicts
    return pd.DataFrame(
        {
            m: [row[m].mark + (TURNED if (p, m) in marks else "") for p, row in rows.items()]
            for m in next(iter(rows.values()))
        },
        index=pd.Index([_name_of(p) for p in rows], name="property"),
    )


def latex(frame: pd.DataFrame) -> str:
    """Return the table for LaTeX."""
    head, *rows = (" & ".join(row).translate(LATEX) + r" \\" for row in _rows(frame))
    begin = rf"\begin{{tabular}}{{l{'r' * len(frame.columns)}}}"
    return "\n".join([begin, r"\hline", head, r"\hline", *rows, r"\hline", r"\end{tabular}", ""])


def markdown(frame: pd.DataFrame) -> str:
    """Return the table for Markdown."""
    head, *rows = ("| " + " | ".join(row) + " |\n" for row in _rows(frame.rename(columns="`{}`".format)))
    return "".join([head, "|---" * (len(frame.columns) + 1) + "|\n", *rows])


def _rows(frame: pd.DataFrame) -> list[list[str]]:
    """The table with its head, row by row."""
    return [["property", *frame.columns], *(list(row) for row in frame.itertuples(name=None))]


PAGE = Page("Behaviour", page, "Which measure keeps which property, and the smallest instance that breaks it.")
