"""The page "Your own paper": add your figures and tables, check them, save them and load them.

The Explorer's model contains the paper (explore/model.py). verify/paper_file.py changes it, and
verify/pasted.py reads a pasted table.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from hiermeasures.app.binding import attempt, bind, button, setting, show_fault
from hiermeasures.app.components import show_text
from hiermeasures.app.explore.model import ExplorerState, apply, explorer
from hiermeasures.app.inbox import Slot
from hiermeasures.app.pages import Page, leave, leave_for
from hiermeasures.draw.svg import svg
from hiermeasures.draw.text import escaped, sentence
from hiermeasures.explore.library import in_words
from hiermeasures.explore.loading import show_part
from hiermeasures.explore.sharing import file_name
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import CATALOGUE
from hiermeasures.read.sandbox import sandboxed
from hiermeasures.verify import CheckedCell
from hiermeasures.verify.errata import case_scene
from hiermeasures.verify.paper_file import PaperFile, read_paper_file
from hiermeasures.verify.pasted import measure_named, printed_cells, read_table
from hiermeasures.verify.verification import MATCHES, STATUS_NAMES

LEFT_OUT = "left out"
ABOUT = {"title": "Title", "authors": "Authors", "year": "Year", "citation": "Citation"}
EXAMPLE = "Row        hP    hR\nFigure 1   0.50  0.66"


@dataclass(frozen=True)
class OwnPaperModel:
    """The name of the next figure, a pasted table with its place, and saved uploads."""

    name: str = ""
    pasted: str = ""
    source: str = "Table 1"


OWN_PAPER: Slot[OwnPaperModel] = Slot("own_paper_model", OwnPaperModel)


def page() -> None:
    """Draw the paper, or instructions for a first one."""
    leave()
    st.title("Your own paper")
    st.markdown(
        "Check the numbers that a paper prints. Add its figures from the Explorer, type or paste "
        "the printed values, and save everything as one file."
    )
    _open_and_save()
    paper = _paper()
    if paper is not None:
        _about(paper)
        for k, part in enumerate(paper.cases):
            _figure(paper, part, k)
    _add_figure(paper)
    if paper is not None:
        _paste(paper)


def _paper() -> PaperFile | None:
    """Return the paper with the own measures of the Explorer, if a case file can express them."""
    state = explorer()
    try:
        return state.written_paper
    except InputError as fault:
        show_text(sentence(fault), "error", key="own_paper_fault")
        return state.paper


def _change(change: Callable[[PaperFile], PaperFile]) -> None:
    """Change the paper."""

    def act(state: ExplorerState) -> ExplorerState:
        paper = state.written_paper
        if paper is None:
            return state
        made = change(paper)
        return state.with_changed_paper(made)

    apply(act)


def _open_and_save() -> None:
    left, right = st.columns(2, vertical_alignment="bottom")
    with left:
        given = st.file_uploader(
            "Open a case file (YAML)", type=["yaml", "yml"], key="own_paper_file"
        )
        if given is not None and st.session_state.get("own_paper_opened") != given.file_id:
            st.session_state["own_paper_opened"] = given.file_id
            attempt("own_paper_file", partial(_open, given.getvalue(), given.name))
        show_fault("own_paper_file")
    paper = _paper()
    if paper is not None:
        title = paper.library.papers[0].title
        name = paper.name or file_name(title, ".yaml")
        right.download_button(
            "Save as YAML", paper.as_yaml(), name, "application/yaml", type="primary"
        )


def _open(data: bytes, name: str) -> None:
    paper = sandboxed(read_paper_file, data, name)
    apply(lambda state: state.with_paper(paper, next(iter(paper.cases))))


def _about(paper: PaperFile) -> None:
    entry = paper.library.papers[0]
    with st.expander(f"About the paper: {escaped(entry.title)}"):
        for name, label in ABOUT.items():
            change = partial(
                lambda name, text: _change(lambda p: p.with_about(**{name: text})), name
            )
            bind(st.text_input, f"own_paper_{name}", str(getattr(entry, name)), change)(label)
            show_fault(f"own_paper_{name}")


def _figure(paper: PaperFile, part: str, k: int) -> None:
    case = paper.case(part)
    with st.container(border=True, key=f"own_paper_figure_{k}"):
        left, right = st.columns([1, 2], gap="large")
        left.html(svg(case_scene(case), ground="own").html(170.0))
        with right:
            st.markdown(f"**{escaped(case.label)}**")
            retitle = lambda text: _change(lambda p: p.with_title(part, text))
            bind(st.text_input, f"own_paper_title_{k}", case.title, retitle)("Title of the figure")
            for n, cell in enumerate(paper.cells(part)):
                _cell(cell, f"{k}_{n}")
            with st.container(horizontal=True):
                show = partial(_show, part)
                button("Open in the Explorer", key=f"own_paper_show_{k}", action=show)
                if len(paper.cases) > 1:
                    remove = partial(_change, lambda p: p.without_figure(part))
                    button("Remove", key=f"own_paper_remove_{k}", action=remove, type="tertiary")


def _cell(cell: CheckedCell, key: str) -> None:
    mark = "✓" if cell.status in MATCHES else "≠"
    place = ", ".join(part for part in (cell.source, cell.row) if part)
    told = f"{mark} {cell.quantity}: printed {cell.printed}, ours {cell.ours_text} ({place})"
    show_text(f"{told}; {STATUS_NAMES[cell.status]}.", "line", key=f"own_paper_cell_{key}")
    if cell.variant:
        show_text(f"{cell.variant} gives {cell.variant_text}.", "note", key=f"own_paper_why_{key}")
    if cell.status not in MATCHES:
        field = f"own_paper_remark_{key}"
        write = lambda text: _change(lambda p: p.with_remark(cell, text))
        bind(st.text_input, field, cell.explanation, write)(
            "Remark", placeholder="Why it differs", label_visibility="collapsed"
        )
        show_fault(field)


def _show(part: str) -> None:
    apply(lambda state: show_part(state, part))
    leave_for("explore")


def _add_figure(paper: PaperFile | None) -> None:
    state = explorer()
    st.header("Add a figure")
    show_text(f"In the Explorer: {in_words(state.shown)}", "note", key="own_paper_shown")
    if state.part is not None and not state.shown.changed:
        told = "This figure is already in your paper. Change it in the Explorer to add another one."
        show_text(told, "note", key="own_paper_is_figure")
        return
    if state.part is not None:
        told = (
            "You changed a figure of your paper in the Explorer. The paper still contains the "
            "old figure."
        )
        show_text(told, "note", key="own_paper_is_figure")
        update = partial(attempt, "own_paper_add", lambda: apply(lambda s: s.updated()))
        button("Update the figure", key="own_paper_update", action=update)
    setting(st.text_input, "own_paper_name", OWN_PAPER, "name")(
        "Name of the figure", placeholder="Figure 1"
    )
    add = partial(attempt, "own_paper_add", _add)
    button("Add the instance on the screen", key="own_paper_add", action=add, type="primary")
    show_fault("own_paper_add")


def _add() -> None:
    name = OWN_PAPER.value.name.strip()

    def act(state: ExplorerState) -> ExplorerState:
        return state.in_paper(*state.beside(name or state.shown.title, copied=False))

    apply(act)
    OWN_PAPER.set(OwnPaperModel())


def _paste(paper: PaperFile) -> None:
    st.header("Paste a table")
    setting(st.text_area, "own_paper_pasted", OWN_PAPER, "pasted")(
        "A table from a PDF, LaTeX or a spreadsheet", placeholder=EXAMPLE, height=130
    )
    text = OWN_PAPER.value.pasted
    if not text.strip():
        return
    try:
        table = read_table(text)
    except InputError as fault:
        show_text(sentence(fault), "error", key="own_paper_no_table")
        return
    setting(st.text_input, "own_paper_source", OWN_PAPER, "source")("Place in the paper")
    names = {case.label: part for part, case in paper.cases.items()}
    measures, figures = [LEFT_OUT, *CATALOGUE], [LEFT_OUT, *names]
    chosen, parts = [], []
    for k, (column, title) in enumerate(zip(st.columns(len(table.head)), table.head, strict=True)):
        key = f"own_paper_column_{k}_{title}"
        first = measures.index(measure_named(title) or LEFT_OUT)
        chosen.append(column.selectbox(escaped(title) or "column", measures, first, key=key))
    in_order = len(table.rows) == len(names)
    for k, (name, cells) in enumerate(table.rows):
        first = figures.index(name) if name in names else (k + 1) * in_order
        label = escaped(f"{name}: {' · '.join(cells)}")
        parts.append(st.selectbox(label, figures, first, key=f"own_paper_row_{k}_{name}"))

    def add() -> None:
        kept = [k for k, measure in enumerate(chosen) if measure != LEFT_OUT]
        columns = [chosen[k] for k in kept]
        rows = {
            name: (names[part], printed_cells(name, columns, [cells[k] for k in kept]))
            for (name, cells), part in zip(table.rows, parts, strict=True)
            if part != LEFT_OUT
        }
        _change(lambda p: p.with_table(OWN_PAPER.value.source, columns, rows))
        OWN_PAPER.set(OwnPaperModel())

    press = partial(attempt, "own_paper_table", add)
    button("Add the table", key="own_paper_table", action=press, type="primary")
    show_fault("own_paper_table")


PAGE = Page("Your own paper", page, "Your own figures and tables, checked and saved as one file.")
