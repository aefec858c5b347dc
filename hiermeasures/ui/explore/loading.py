"""The menu "Draw or load": what a drawing starts from, and one's own files, pasted or uploaded.

Starting points are starting.py's, formats hiermeasures.io's, case files hiermeasures.cases'. A fault is said beside its
field, and what was shown before stays.
"""

from collections.abc import Callable, Sequence

import streamlit as st

from hiermeasures.cases import Case
from hiermeasures.cases.writing import read_cases
from hiermeasures.errors import InputError
from hiermeasures.io import HIERARCHY_FORMATS, read_hierarchy, read_hierarchy_text
from hiermeasures.io.source import extension
from hiermeasures.options import Options
from hiermeasures.ui import text
from hiermeasures.ui.explore import edit_panel
from hiermeasures.ui.explore.starting import LARGEST_RANDOM, STARTS, random_hierarchy
from hiermeasures.ui.keeping import kept
from hiermeasures.ui.plain import plain
from hiermeasures.ui.state import Shown, show

EXAMPLE = "animal bird\nanimal fish\nbird penguin\nbird owl"
PASTED = "Pasted hierarchy"
RECOGNISED = "recognised"
CASE_FILES = (".yaml", ".yml")
STYLE = """<style>
[data-testid="stPopoverBody"]:has(.st-key-menu) { width: 27rem; }
</style>"""


def draw_or_load() -> None:
    """The menu of the toolbar."""
    with (
        st.popover("Draw or load", icon=":material/draw:", key="loading", on_change=_forget_fault),
        st.container(key="menu"),
    ):
        start, chance, load = st.tabs(["Start from", "Random", "Load"])
        with start:
            _starts()
        with chance:
            _random()
        with load:
            _load()


def instance_of(case: Case) -> Shown:
    """A case of a file as something to show; it belongs to no library."""
    title = " · ".join(part for part in (case.label, case.title) if part)
    shown = Shown.make(
        case.hierarchy,
        case.true,
        case.predicted,
        title=title,
        options=Options.make(case.options),
        true_paths=case.true_paths,
        predicted_paths=case.predicted_paths,
    )
    shown.explained()
    return shown


# --- starting points ----------------------------------------------------------------------------------------------


def _starts() -> None:
    for key, start in STARTS.items():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(start.title, key=f"start_{key}", on_click=_start, args=(key,), width=130)
            st.caption(text.plain(start.about))


def _start(key: str) -> None:
    start = STARTS[key]
    show(Shown.make(start.make(), title=start.title))
    st.session_state.loading = False
    if key == "blank":
        edit_panel.start_editing()


def _random() -> None:
    left, right = st.columns(2, gap="small")
    left.number_input("Classes", 2, LARGEST_RANDOM, 15, key="random_size")
    right.number_input("Depth", 1, 50, 3, key="random_depth", help="The deepest level, reached by one branch at least.")
    left.number_input("Children at most", 1, LARGEST_RANDOM, 3, key="random_branching")
    right.number_input(
        "Extra parents, per cent",
        0,
        100,
        0,
        10,
        key="random_extra",
        help="How many of the classes below level 1 get a second parent.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input(
            "Seed", 0, 10**9, 1, key="random_seed", help="The same seed gives the same hierarchy.", width=186
        )
        st.button("Draw", key="draw_random", on_click=_show_random)
        st.button("Another", key="another_random", on_click=_show_random, args=(1,), help="With the next seed.")
    _fault("random")


def _show_random(step: int = 0) -> None:
    wished = st.session_state
    wished.random_seed = (wished.random_seed + step) % (10**9 + 1)

    def drawn() -> Shown:
        made = random_hierarchy(
            wished.random_size,
            wished.random_depth,
            wished.random_branching,
            wished.random_extra / 100,
            wished.random_seed,
        )
        return Shown.make(made, title=f"Random {'tree' if made.is_tree else 'DAG'} {wished.random_seed}")

    _try("random", drawn, close=False)


# --- files --------------------------------------------------------------------------------------------------------


def _load() -> None:
    st.text_area("Paste a hierarchy", key=kept("pasted", ""), height=120, placeholder=EXAMPLE, help=_formats())
    st.selectbox(
        "Format",
        [RECOGNISED, *HIERARCHY_FORMATS],
        key=kept("load_format", RECOGNISED),
        format_func=lambda key: (
            HIERARCHY_FORMATS[key].title if key in HIERARCHY_FORMATS else "recognised by content and name"
        ),
    )
    st.button("Show the pasted hierarchy", on_click=_show_pasted)
    _fault("pasted")
    st.file_uploader(
        "Or upload a hierarchy, or a case file (YAML)",
        key="uploaded",
        on_change=_show_uploaded,
        help="A case file holds a hierarchy with its classes and options, as “Share” saves it.",
    )
    _fault("uploaded")
    _cases_of_the_file()


def _formats() -> str:
    return "\n".join(f"- **{f.title}**: {text.plain(f.description)}" for f in HIERARCHY_FORMATS.values())


def _format() -> str | None:
    chosen = st.session_state.load_format
    return chosen if chosen in HIERARCHY_FORMATS else None


def _show_pasted() -> None:
    pasted = st.session_state.pasted
    _try("pasted", lambda: Shown.make(read_hierarchy_text(pasted, format=_format()), title=PASTED))


def _show_uploaded() -> None:
    file = st.session_state.uploaded
    st.session_state.pop("cases_of_file", None)
    if file is None:
        _forget_fault()
    elif extension(file.name) in CASE_FILES:
        _try("uploaded", lambda: _first_case(read_cases(file.getvalue(), file.name)))
    else:
        _try(
            "uploaded", lambda: Shown.make(read_hierarchy(file.getvalue(), _format(), name=file.name), title=file.name)
        )


def _first_case(cases: Sequence[Case]) -> Shown:
    if len(cases) > 1:
        st.session_state.cases_of_file = list(cases)
    return instance_of(cases[0])


def _cases_of_the_file() -> None:
    """Which case of a file with several is shown."""
    if cases := st.session_state.get("cases_of_file"):
        st.selectbox(
            "Case in the file",
            range(len(cases)),
            key="case_of_file",
            on_change=_show_case,
            format_func=lambda k: cases[k].label,
        )


def _show_case() -> None:
    case = st.session_state.cases_of_file[st.session_state.case_of_file]
    _try("uploaded", lambda: instance_of(case), close=False)


# --- faults -------------------------------------------------------------------------------------------------------


def _try(field: str, make: Callable[[], Shown], *, close: bool = True) -> None:
    _forget_fault()
    try:
        shown = make()
    except InputError as fault:
        st.session_state.load_fault = (field, str(fault))
        return
    show(shown)
    if close:
        st.session_state.loading = False


def _forget_fault() -> None:
    st.session_state.pop("load_fault", None)


def _fault(field: str) -> None:
    at, message = st.session_state.get("load_fault", ("", ""))
    if at == field:
        plain(message, "error", key=f"{field}_fault")
