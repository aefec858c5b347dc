"""The page of properties.

You ask a question about measures and see the smallest instance that answers it. A table shows the
properties that each measure keeps on every small hierarchy. A broken property has its smallest
counterexample. model.py searches.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, get_args

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
from hiermeasures.app.job import outdated, say_that_kernels_compile, show_progress
from hiermeasures.app.pages import Page, leave, leave_for
from hiermeasures.debug import PROPERTIES, Behaviour, Counterexample
from hiermeasures.debug.find import EDITS, SmallestInstance, check
from hiermeasures.debug.properties import NOTATION
from hiermeasures.debug.search import FIRST_DAG as SMALLEST_DAG
from hiermeasures.debug.search import MOST_DAG, MOST_TREE, NOT_JUDGED, Setting, SmallInstance
from hiermeasures.debug.what_if import change as value_change
from hiermeasures.debug.what_if import why
from hiermeasures.draw.export import latex_tabular
from hiermeasures.draw.panel import Column, PanelTable, Row, Text
from hiermeasures.draw.scene import figure_scene
from hiermeasures.draw.svg import legend, svg
from hiermeasures.draw.text import escaped, markdown_text
from hiermeasures.draw.views.sets import classes_alone
from hiermeasures.explore.shown import Shown
from hiermeasures.explore.what_if import ARROWS
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE, explain, find_measure
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.own import called, is_definition, spoken
from hiermeasures.read import csv_text
from hiermeasures.verify.library import judgement

# of a picture: pixels, and the largest zoom
HEIGHT, WIDTH, LARGEST = (300.0, 420.0, 2.5)
LEAD = (
    "Which properties does a measure keep in every hierarchy? We try every rooted tree and DAG up "
    "to a size limit, with every set of true and predicted classes. If a property breaks, you see "
    "the smallest counterexample."
)
ABOUT_MATRIX = (
    "✓ theorem: proved for every hierarchy. ✓ to 5: n + m: kept in all n pairs of instances of up "
    "to 5 classes and in m larger ones. This is not a proof. ✗ k: broken by an instance of k "
    "classes. It may be larger than those searched. –: not tested. Choose a cell to see the "
    "proof or the instance, and the settings that change it."
)
KINDS: dict[model.QuestionKind, str] = {
    "disagree": "two measures disagree",
    "edit": "an edit is better for one, worse for another",
    "condition": "a condition is true",
}


def page() -> None:
    """Draw the whole page."""
    leave()
    _take_over_options()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.title("Properties", width="content")
        options_form(lambda: model.search("matrix").asked.options, model.ask_with_options)
    st.caption(LEAD)
    kernels = st.container()
    _find()
    _properties()
    say_that_kernels_compile(kernels)
    mailbox()


def _take_over_options() -> None:
    """Search again with the Explorer's options if you changed them there."""
    if not explorer.EXPLORER.filled:
        return
    options = explorer.explorer().shown.instance.options
    if options != model.BEHAVIOUR.value.explorer:
        if (
            model.BEHAVIOUR.value.explorer is not None
            or options != model.search("matrix").asked.options
        ):
            model.ask_with_options(options)
        model.BEHAVIOUR.change(explorer=options)


# --- the searches ---------------------------------------------------------------------------------


def _searched(name: str, draw: Callable[[Any], None], title: Callable[[Any], str]) -> None:
    """Draw the result of a search.

    If the question has changed, the result is grey and `title` names the old question.
    """
    model.proceed(name)
    at, key = model.search(name), f"behaviour_found_{name}"
    with st.container():  # keeps the parts below in place
        if at.fault:
            st.error(escaped(at.fault), icon=":material/error:")
        if at.job is not None:
            show_progress(model.SEARCHES[name], f"behaviour_{name}")
        elif at.stopped:
            st.info("Stopped. The earlier result is still here. Change anything to search again.")
    if at.found is None:
        return
    with st.container(key=key):
        with st.container():
            if at.answered != at.asked:
                outdated(title(at.answered), key)
        draw(at.found)


# --- the smallest instance ------------------------------------------------------------------------


def _find() -> None:
    st.header("Find the smallest instance", divider="gray")
    if _question(model.search("instance").asked):
        _searched("instance", _answer, lambda answered: f"the question: {_in_words(answered)}")


def _in_words(wanted: model.Wanted) -> str:
    if wanted.kind == "condition":
        return (
            f"{wanted.condition}, {EDITS[wanted.condition_edit][0]}"
            if wanted.condition_edit
            else wanted.condition
        )
    if wanted.kind == "disagree":
        return f"{spoken(wanted.a)} against {spoken(wanted.b)}"
    return f"{EDITS[wanted.edit][0]}, {spoken(wanted.a)} against {spoken(wanted.b)}"


def _answer(answer: SmallestInstance) -> None:
    answered: model.Wanted = model.search("instance").answered
    if answer.example is None:
        trees, dags = answered.sizes
        where = f"trees of up to {trees} classes" + (f", DAGs of up to {dags}" if dags else "")
        st.info(
            f"No such instance in {where}. We searched {answer.instances:,} instances or pairs of them."
        )
        larger = replace(answered, larger=answered.larger + 1)
        if larger.sizes != answered.sizes:
            button(
                "Search with one more class (about 40 times as long)",
                key="behaviour_larger",
                icon=":material/search:",
                action=lambda: model.ask("instance", larger=larger.larger),
            )
        return
    keys = list(answer.values) if answered.kind == "condition" else [answered.a, answered.b]
    measures = {*CATALOGUE, *filter(is_definition, keys)}
    parts = {
        key: " → ".join(map(number, dict.fromkeys(answer.values[key])))
        for key in keys
        if key not in measures
    }
    if parts:
        st.caption(escaped(", ".join(f"{name} {values}" for name, values in parts.items())))
    _pictures(
        answer.example, [key for key in keys if key in measures], answered.options, "instance"
    )


def _question(wanted: model.Wanted) -> bool:
    """Draw the fields of a question. Return True if the search can begin."""

    def field(widget: Callable[..., Any], part: str, *key: str) -> Callable[..., Any]:
        def want(value: Any) -> None:
            model.ask("instance", **{part: value}, own=explorer.own_definitions(), larger=0)

        return bind(widget, f"find_{key[0] if key else part}", getattr(wanted, part), want)

    field(st.segmented_control, "kind")(
        "An instance on which",
        list(get_args(model.QuestionKind)),
        required=True,
        format_func=lambda kind: KINDS[kind],
    )
    first, second, third = st.columns([3, 3, 4])
    searchable = True
    if wanted.kind == "condition":
        field(st.text_input, "condition")(
            "Condition",
            help="For example hF > 0.6 and F_LCA < 0.5. docs/expressions.md lists all names. With "
            "an edit, hF_after is hF after the edit.",
        )
        try:
            check(wanted.question, wanted.define)
        except InputError as fault:
            searchable = False
            show_expression_fault(fault, key="find_condition_fault")
        edits = [model.NO_EDIT, *EDITS]
        field(first.selectbox, "condition_edit")("Edit", edits, format_func=_title_of_edit)
    else:
        words = ("Better for", "Worse for")
        if wanted.kind == "disagree":
            words = ("“After” is better by", "“Before” is better by")
        else:
            field(third.selectbox, "edit")("Edit", list(EDITS), format_func=_title_of_edit)
        for label, column, part in zip(words, (first, second), ("a", "b"), strict=True):
            offered = _offered([getattr(wanted, part)])
            field(column.selectbox, part)(
                label, offered, format_func=lambda key: find_measure(key).title
            )
    with st.container(horizontal=True, vertical_alignment="center"):
        field(st.checkbox, "dags_too", "dags")(
            "also in DAGs",
            help=f"Trees of up to {model.FIRST_TREE} classes, DAGs of up to {model.FIRST_DAG} "
            f"at first.",
        )
        field(st.checkbox, "leaves_only", "leaves")("labels are leaves")
        field(st.checkbox, "single_label", "single")("one label a side")
    return searchable


def _title_of_edit(key: str) -> str:
    return EDITS[key][0] if key else "no edit: one instance"


def _offered(chosen: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*explorer.own_definitions(), *chosen, *CATALOGUE]))


# --- properties -----------------------------------------------------------------------------------


def _properties() -> None:
    st.header("All properties", divider="gray")
    st.caption(ABOUT_MATRIX)
    _form()
    _searched("matrix", _verdicts, lambda answered: "other measures, properties, sizes or options")


def _verdicts(found: Behaviour) -> None:
    cell = _cell(found)
    _matrix(found, model.turned(found, model.search("matrix").before), cell)
    _proof(found, *cell)


def _form() -> None:
    asked: model.MatrixRequest = model.search("matrix").asked

    def ask(part: str) -> Callable[[Any], None]:
        return lambda value: model.ask(
            "matrix", **{part: tuple(value) if isinstance(value, list) else value}
        )

    def ask_setting(part: str) -> Callable[[Any], None]:
        def chosen(on: bool) -> None:
            options = model.search("matrix").asked.options
            model.ask_with_options(
                Setting.of(options, trees=False)._replace(**{part: on}).options(options)
            )

        return chosen

    left, middle, trees, dags = stacking_columns("behaviour_form", [6, 6, 2, 2])
    bind(left.multiselect, "behaviour_measures", list(asked.measures), ask("measures"))(
        "Measures",
        [key for key in _offered(asked.measures) if key not in NOT_JUDGED],
        format_func=spoken,
        help="Leave this empty to see the whole catalogue.",
        placeholder="all measures",
    )
    bind(middle.multiselect, "behaviour_properties", list(asked.properties), ask("properties"))(
        "Properties", list(PROPERTIES), format_func=_name_of, placeholder="all properties"
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        alone = ask("dags")
        bind(
            st.toggle,
            "behaviour_trees_alone",
            asked.dags == 0,
            lambda on: alone(0 if on else model.MatrixRequest().dags),
        )("trees alone", help="Properties that break only in DAGs count as kept.")
        bind(
            st.toggle,
            "behaviour_uncounted",
            asked.options.count_root is False,
            ask_setting("uncounted"),
        )("root not counted")
    bind(trees.number_input, "behaviour_trees", asked.trees, ask("trees"))(
        "Trees up to",
        2,
        MOST_TREE,
        help="Number of classes with the root. One more takes about six times as long.",
    )
    bind(dags.number_input, "behaviour_dags", asked.dags, alone)("DAGs up to", 0, MOST_DAG)


def _select(prop: str, measure: str | None) -> None:
    model.BEHAVIOUR.change(cell=(prop, measure or model.BEHAVIOUR.value.cell[1]))


def _cell(found: Behaviour) -> tuple[str, str]:
    """Return the chosen property and measure, or the first ones if the table lacks them."""
    rows = found.verdicts
    prop, key = model.BEHAVIOUR.value.cell
    prop = prop if prop in rows else next(iter(rows))
    return prop, key if key in rows[prop] else next(iter(rows[prop]))


def _proof(found: Behaviour, prop: str, key: str) -> None:
    rows = found.verdicts
    left, right = st.columns(2)
    bind(
        left.selectbox,
        "behaviour_property",
        prop,
        lambda prop: _select(prop, model.BEHAVIOUR.value.cell[1]),
    )("Property", list(rows), format_func=_name_of)
    bind(
        right.selectbox,
        "behaviour_measure",
        key,
        lambda key: _select(model.BEHAVIOUR.value.cell[0], key),
    )("Measure", list(rows[prop]), format_func=spoken)
    declared, verdict = PROPERTIES[prop], rows[prop][key]
    st.markdown(f"**{markdown_text(declared.says)}**")
    if declared.choice:
        st.caption(markdown_text(declared.choice))
    if (said := judgement(prop, key)) is not None:
        words: dict[bool | None, str] = {
            True: "and our search agrees",
            False: "but our search disagrees",
        }
        agrees = words.get(said.agrees(verdict), "but our search did not test it")
        table_9 = f"{said.situation}, Table 9 of Kosmopoulos et al. 2015: {said.sign}, {agrees}."
        st.caption(markdown_text(table_9))
    if not verdict.tested:
        st.info(
            f"Not tested up to {verdict.size} classes: in {verdict.undefined:,} pairs a value is "
            f"undefined."
        )
    elif verdict.kind == "theorem" and verdict.theorem is not None:
        st.success(f"**Theorem.** {markdown_text(verdict.theorem.proof)}", icon=":material/check:")
        st.expander("The letters in the proof").markdown(NOTATION)
    elif verdict.example is None:
        undefined = f". {verdict.undefined:,} pairs lack a value" if verdict.undefined else ""
        beyond = f", and in {verdict.beyond:,} larger ones" if verdict.beyond else ""
        st.success(
            f"Kept up to {verdict.size} classes, in {verdict.instances:,} pairs of "
            f"instances{beyond}{undefined}.",
            icon=":material/check:",
        )
    else:
        _pictures(verdict.example, (key,), found.options, "proof")
    if changed := model.changed_under(prop, key, found.options, trees=found.dags < SMALLEST_DAG):
        searched = (
            f"searched in DAGs of up to {model.SMALL_DAG} and trees of {model.SMALL_TREE} classes"
        )
        st.caption(f"The result changes with: {'; '.join(changed)} ({searched}).")


# --- pictures -------------------------------------------------------------------------------------


def _pictures(example: Counterexample, keys: Sequence[str], options: Options, name: str) -> None:
    pictures = (example.before,) if example.alone else (example.before, example.after)
    explained = [explain(p.world.hierarchy, p.true, p.predicted, options=options) for p in pictures]
    scenes = [figure_scene(e.hierarchy, classes_alone(e)) for e in explained]
    sizes = [svg(scene) for scene in scenes]
    # As large as fits, all at one scale.
    scale = min(WIDTH / max(s.width for s in sizes), HEIGHT / max(s.height for s in sizes), LARGEST)
    drawings = [svg(scene, scale=scale) for scene in scenes]
    for k, (drawn, column) in enumerate(zip(drawings, st.columns(2), strict=False)):
        with column, st.container(border=True, key=f"behaviour_picture_{name}_{k}"):
            if not example.alone:
                st.caption(("Before", "After")[k])
            st.html(f'<div style="text-align: center">{drawn.html()}</div>')
            for key in keys:
                measure = explained[k].measure(key)
                value = number(explained[k].value(measure))
                st.markdown(
                    f"{markdown_text(spoken(key))} **{value}** ({measure.better} is better)"
                )
                if example.alone:
                    st.caption(escaped(explained[k].derive(measure).sentence))
    st.html(legend(scenes))
    for key in () if example.alone else keys:
        measure = explained[0].measure(key)
        found = why(measure, *explained)
        moved = value_change(measure, *found.values)
        values = " → ".join(map(number, found.values))
        words = (
            f"{spoken(key)} {values} {ARROWS.get(moved.word, '')} {moved.word}. {found.sentence}"
        )
        show_text(words, key=f"behaviour_why_{name}_{key}")
    button(
        "Open in the Explorer",
        key=f"behaviour_open_{name}",
        icon=":material/open_in_new:",
        action=partial(_open, example, keys, options),
        help="" if example.alone else "Shows “after”, with “before” pinned.",
    )


BACK = explorer.WayBack("Back to Properties", "behaviour")


def _open(example: Counterexample, keys: Sequence[str], options: Options) -> None:
    measures = tuple(key for key in keys if key in CATALOGUE or is_definition(key))

    def shown_as(picture: SmallInstance, title: str) -> Shown:
        sides = picture.true, picture.predicted
        return Shown.make(picture.world.hierarchy, *sides, title=title, options=options).named()

    before = shown_as(example.before, "Before")
    shown, pinned = (before, None) if example.alone else (shown_as(example.after, "After"), before)
    explorer.open_shown(shown, pinned=pinned, measures=measures, back=BACK)
    model.BEHAVIOUR.change(explorer=options)
    leave_for("explore")


# --- the table ------------------------------------------------------------------------------------

TURNED = " ⟲"
# On a phone a verdict takes two lines, so that two measures fit next to the property.
MATRIX_STYLE = (
    ".st-key-behaviour_matrix { --hm-table: 75vh; } @media (max-width: 640px) "
    "{ .st-key-behaviour_matrix { --hm-cell: normal; --hm-cell-width: 5rem; } }"
)
LATEX = str.maketrans({"✓": r"\checkmark", "✗": r"$\times$", "–": "--", "⟲": "*", "_": r"\_"})


def _name_of(key: str) -> str:
    return PROPERTIES[key].name


def _matrix(found: Behaviour, marks: set[tuple[str, str]], cell: tuple[str, str]) -> None:
    """Draw the table with the chosen `cell` in a frame. `marks` are cells that options changed."""
    head, *body = words = table(found, marks)
    keys = list(found.verdicts[cell[0]])
    columns = [Column(spoken(key), "number", find_measure(key).title, key) for key in keys]
    rows = [
        Row(
            (
                name,
                *(Text(mark, strong=(p, m) == cell) for m, mark in zip(keys, marked, strict=True)),
            ),
            key=p,
            chosen=p == cell[0],
        )
        for p, (name, *marked) in zip(found.verdicts, body, strict=True)
    ]
    st.html(f"<style>{MATRIX_STYLE}</style>")
    show_panel(
        PanelTable(
            "Properties of measures", (Column("property"), *columns), tuple(rows), wide=True
        ),
        key="behaviour_matrix",
        on_choose=lambda row, column: _select(row, column if column in keys else None),
    )
    searched = f"{found.hierarchies:,} hierarchies, {found.instances:,} instances"
    turned = f" Cells that the options changed have the mark{TURNED}." if marks else ""
    st.caption(f"{searched}. Undefined values count neither as kept nor as broken.{turned}")
    with st.container(horizontal=True):
        files = (
            ("CSV", "csv", csv_text(["", *head[1:]], body)),
            ("LaTeX", "tex", latex(words)),
            ("Markdown", "md", markdown(words)),
        )
        for name, ending, text in files:
            st.download_button(
                name, text, f"behaviour.{ending}", key=f"behaviour_{ending}", on_click="ignore"
            )


def table(found: Behaviour, marks: set[tuple[str, str]]) -> list[list[str]]:
    """Return the table as text, with the names of the measures in the first row."""
    keys = list(next(iter(found.verdicts.values())))
    rows = [
        [_name_of(p), *(row[m].mark + (TURNED if (p, m) in marks else "") for m in keys)]
        for p, row in found.verdicts.items()
    ]
    return [["property", *map(called, keys)], *rows]


def latex(rows: list[list[str]]) -> str:
    """Return the table for LaTeX."""
    head, *body = (" & ".join(row).translate(LATEX) for row in rows)
    return (
        latex_tabular(
            "l" + "r" * (len(rows[0]) - 1), head, [r"\hline", *(rf"{line} \\" for line in body)]
        )
        + "\n"
    )


def markdown(rows: list[list[str]]) -> str:
    """Return the table for Markdown."""
    (corner, *names), *body = rows
    lines = [[corner, *map("`{}`".format, names)], ["---"] * len(rows[0]), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


PAGE = Page(
    "Properties",
    page,
    "The properties that each measure keeps, and the smallest instance that breaks a property.",
)
