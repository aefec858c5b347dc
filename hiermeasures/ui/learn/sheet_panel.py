"""The popover "Take a sheet" of Practice: worksheets and solutions with the questions that are chosen there.

What stands on a sheet is hiermeasures.lessons', its files are ui/sheet_files.py's.
"""

import io
import zipfile
from collections.abc import Mapping
from functools import lru_cache

import streamlit as st

from hiermeasures.errors import InputError
from hiermeasures.lessons.format import LONGEST_TITLE
from hiermeasures.lessons.sheets import TITLE, sheets
from hiermeasures.lessons.wishes import Wish
from hiermeasures.ui.binding import bind, button
from hiermeasures.ui.learn.practice_model import LARGEST_SEED, Practice, change, practised, wished
from hiermeasures.ui.popover import popover
from hiermeasures.ui.sheet_files import sheet_files
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.text import sentence

MOST_EXERCISES, MOST_VARIANTS = 20, 40  # on the page; the command line writes more
MOST_TOGETHER = 400  # exercises, which take about ten seconds
STYLE = """<style>
[data-testid="stPopoverBody"]:has(.st-key-sheet_panel) { width: 26rem; max-width: 92vw; }
</style>"""
ABOUT = "A worksheet for each student, with the questions and the difficulty that are chosen here, and the solutions."
FILES = {  # what is offered: its words, its file's name and kind
    "zip": ("LaTeX (zip)", "application/zip"),
    "worksheets.html": ("Worksheets (HTML)", "text/html"),
    "solutions.html": ("Solutions (HTML)", "text/html"),
}


def take_a_sheet(at: Practice) -> None:
    """The popover."""
    panel = popover("Take a sheet", icon=":material/print:", key="practice_sheet")
    if not panel.open:
        return
    st.html(STYLE)
    with panel, st.container(key="sheet_panel"):
        show_text(ABOUT, key="sheet_about")
        left, middle, right = st.columns(3)
        bind(left.number_input, "sheet_exercises", at.exercises, lambda n: change(exercises=n))(
            "Exercises", 1, MOST_EXERCISES
        )
        bind(middle.number_input, "sheet_variants", at.variants, lambda n: change(variants=n))(
            "Students", 1, MOST_VARIANTS, help="Each gets other exercises of the same kinds."
        )
        bind(right.number_input, "sheet_seed", at.seed, lambda seed: wished(seed=seed))("Seed", 0, LARGEST_SEED)
        bind(st.text_input, "sheet_title", at.title, lambda title: change(title=title))(
            "Title", placeholder=TITLE, max_chars=LONGEST_TITLE
        )
        button("Make it", key="sheet_make", action=_ask, type="primary", icon=":material/description:")
        if at.sheet == _asked(at):
            _files(at)


def _ask() -> None:
    change(sheet=_asked(practised()))


def _asked(at: Practice) -> str:
    """What a sheet is made for; another wish needs another sheet."""
    return repr((at.kinds, at.families, at.difficulty, at.seed, at.exercises, at.variants, at.title))


def _files(at: Practice) -> None:
    try:
        if at.exercises * at.variants > MOST_TOGETHER:
            raise InputError(
                f"{at.variants} sheets of {at.exercises} exercises are more than {MOST_TOGETHER} exercises, which is "
                f"the most at a time here; hiermeasures sheet writes more"
            )
        with st.spinner("The exercises are drawn …"):
            made = made_files(at.wish, at.seed, at.exercises, at.variants, at.title.strip() or TITLE)
    except InputError as fault:
        show_text(sentence(fault), "error", key="sheet_fault")
        return
    with st.container(horizontal=True, gap="small"):
        for name, (words, kind) in FILES.items():
            file = f"sheets-seed-{at.seed}.zip" if name == "zip" else name
            st.download_button(words, made[name], file, kind, key=f"sheet_{name}", on_click="ignore")


@lru_cache(maxsize=4)
def made_files(wish: Wish, seed: int, number: int, variants: int, title: str) -> Mapping[str, bytes]:
    """The files that are offered, by their names; equal wishes give equal bytes."""
    made = sheets(wish, seed, number, variants, title=title)
    files = {name: text.encode("utf-8", "replace") for name, text in sheet_files(made, ("tex", "html"))}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in (name for name in files if name.endswith(".tex")):
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), files[name], zipfile.ZIP_DEFLATED)
    return {"zip": packed.getvalue(), **{name: files[name] for name in files if name.endswith(".html")}}
