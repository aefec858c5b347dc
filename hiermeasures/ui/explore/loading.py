"""The menu "Draw or load": what a drawing starts from, and one's own files, pasted or uploaded.

Starting points are starting.py's, formats hiermeasures.io's, case files hiermeasures.cases'. A fault is said beside its
field, and what was shown before stays.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.behaviour.random_hierarchies import LARGEST_RANDOM, random_hierarchy
from hiermeasures.cases import Case
from hiermeasures.cases.writing import read_cases
from hiermeasures.io import HIERARCHY_FORMATS, read_hierarchy, read_hierarchy_text
from hiermeasures.io.apart import apart
from hiermeasures.io.source import extension
from hiermeasures.ui import text
from hiermeasures.ui.binding import after_entries, attempt, bind, forget_faults, show_fault
from hiermeasures.ui.explore import edit_panel
from hiermeasures.ui.explore.model import RECOGNISED, change, explorer, show
from hiermeasures.ui.explore.starting import STARTS
from hiermeasures.ui.library import instance_of
from hiermeasures.ui.popover import popover
from hiermeasures.ui.state import Shown

EXAMPLE = "animal bird\nanimal fish\nbird penguin\nbird owl"
PASTED = "Pasted hierarchy"
FAULTS = ("random", "pasted", "uploaded")
LARGEST_SEED = 10**9
CASE_FILES = (".yaml", ".yml")
STYLE = """<style>
[data-testid="stPopoverBody"]:has(.st-key-menu) { width: 27rem; }
</style>"""


def draw_or_load() -> None:
    """The menu of the toolbar."""
    menu = popover("Draw or load", icon=":material/draw:", key="loading", on_change=lambda: forget_faults(*FAULTS))
    if not menu.open:
        return
    with menu, st.container(key="menu"):
        start, chance, load = st.tabs(["Start from", "Random", "Load"])
        with start:
            _starts()
        with chance:
            _random()
        with load:
            _load()


# --- starting points ----------------------------------------------------------------------------------------------


def _starts() -> None:
    for key, start in STARTS.items():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(start.title, key=f"start_{key}", on_click=after_entries(_start), args=(key,), width=130)
            st.caption(text.markdown_text(start.about))


def _start(key: str) -> None:
    start = STARTS[key]
    show(Shown.make(start.make(), title=start.title))
    _close()
    if key == "blank":
        edit_panel.start_editing()


def _random() -> None:
    left, right = st.columns(2, gap="small")
    _number(left, "size", "Classes", 2, LARGEST_RANDOM)
    _number(right, "depth", "Depth", 1, 50, help="The deepest level, reached by one branch at least.")
    _number(left, "branching", "Children at most", 1, LARGEST_RANDOM)
    about = "How many of the classes below level 1 get a second parent."
    _number(right, "extra", "Extra parents, per cent", 0, 100, step=10, help=about)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _number(st, "seed", "Seed", 0, LARGEST_SEED, help="The same seed gives the same hierarchy.", width=186)
        st.button("Draw", key="draw_random", on_click=_draw_random)
        st.button("Another", key="another_random", on_click=_draw_random, args=(1,), help="With the next seed.")
    show_fault("random")


def _number(place: Any, name: str, label: str, least: int, most: int, **settings: Any) -> None:
    """A field for a number that a random hierarchy is made of."""
    value = getattr(explorer().loading, name)
    bind(place.number_input, f"random_{name}", value, partial(_set, name))(label, least, most, **settings)


def _set(name: str, value: Any) -> None:
    change(loading=replace(explorer().loading, **{name: value}))


@after_entries
def _draw_random(step: int = 0) -> None:
    _set("seed", (explorer().loading.seed + step) % (LARGEST_SEED + 1))

    def drawn() -> Shown:
        at = explorer().loading
        made = random_hierarchy(at.size, at.depth, at.branching, at.extra / 100, at.seed)
        return Shown.make(made, title=f"Random {'tree' if made.is_tree else 'DAG'} {at.seed}")

    _try("random", drawn, close=False)


# --- files --------------------------------------------------------------------------------------------------------


def _load() -> None:
    at = explorer().loading
    bind(st.text_area, "pasted", at.pasted, partial(_set, "pasted"))(
        "Paste a hierarchy", height=120, placeholder=EXAMPLE, help=_formats()
    )
    bind(st.selectbox, "load_format", at.format, partial(_set, "format"))(
        "Format",
        [RECOGNISED, *HIERARCHY_FORMATS],
        format_func=lambda key: (
            HIERARCHY_FORMATS[key].title if key in HIERARCHY_FORMATS else "recognised by content and name"
        ),
    )
    st.button("Show the pasted hierarchy", on_click=_show_pasted)
    show_fault("pasted")
    st.file_uploader(
        "Or upload a hierarchy, or a case file (YAML)",
        key="uploaded",
        on_change=_show_uploaded,
        help="A case file holds a hierarchy with its classes and options, as “Share” saves it.",
    )
    show_fault("uploaded")
    _cases_of_the_file()


def _formats() -> str:
    return "\n".join(f"- **{f.title}**: {text.markdown_text(f.description)}" for f in HIERARCHY_FORMATS.values())


def _format() -> str | None:
    chosen = explorer().loading.format
    return chosen if chosen in HIERARCHY_FORMATS else None


@after_entries
def _show_pasted() -> None:
    pasted = explorer().loading.pasted
    _try("pasted", lambda: Shown.make(apart(read_hierarchy_text, pasted, format=_format()), title=PASTED))


@after_entries
def _show_uploaded() -> None:
    file = st.session_state.uploaded
    change(loading=replace(explorer().loading, cases=(), case=0))
    if file is None:
        forget_faults(*FAULTS)
    elif extension(file.name) in CASE_FILES:
        _try("uploaded", lambda: _first_case(apart(read_cases, file.getvalue(), file.name)))
    else:
        _try(
            "uploaded",
            lambda: Shown.make(apart(read_hierarchy, file.getvalue(), _format(), name=file.name), title=file.name),
        )


def _first_case(cases: Sequence[Case]) -> Shown:
    if len(cases) > 1:
        _set("cases", tuple(cases))
    return _with_its_measures(cases[0])


def _with_its_measures(case: Case) -> Shown:
    """A case to show, whose own measures are listed from now on."""
    shown = instance_of(case)
    change(own=explorer().own.with_more(case.definitions))
    return shown


def _cases_of_the_file() -> None:
    """Which case of a file with several is shown."""
    at = explorer().loading
    if at.cases:
        bind(st.selectbox, "case_of_file", at.case, _show_case)(
            "Case in the file", range(len(at.cases)), format_func=lambda k: at.cases[k].label
        )


def _show_case(number: int) -> None:
    _set("case", number)
    _try("uploaded", lambda: _with_its_measures(explorer().loading.cases[number]), close=False)


# --- showing it ---------------------------------------------------------------------------------------------------


def _try(field: str, make: Callable[[], Shown], *, close: bool = True) -> None:
    forget_faults(*FAULTS)
    if attempt(field, lambda: show(make().shallow())) and close:
        _close()


def _close() -> None:
    """Close the menu, which Streamlit holds open or closed under its key."""
    st.session_state.loading = False
