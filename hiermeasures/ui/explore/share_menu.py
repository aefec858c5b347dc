"""The popover "Share": a link to what is on the screen, files of it, and a card of a lesson.

The words of links are share_link.py's, what a link brings location.py's, formats hiermeasures.io's, case files
hiermeasures.cases'. What cannot be had says why in its place.
"""

import re
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from hiermeasures.cases.writing import write_case
from hiermeasures.errors import InputError
from hiermeasures.io import HIERARCHY_FORMATS, write_hierarchy_text
from hiermeasures.measures.own import parted
from hiermeasures.ui.binding import attempt, bind, button, changing, show_fault
from hiermeasures.ui.explore import location, presented, share_link
from hiermeasures.ui.explore.model import EXPLORER, compared, explorer, view_state
from hiermeasures.ui.learn.mine import add_card, mine
from hiermeasures.ui.pages import switch_to
from hiermeasures.ui.popover import popover
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.state import Shown
from hiermeasures.ui.text import sentence

STYLE = """<style>
[data-testid="stPopoverBody"]:has(.st-key-share_panel) { width: 27rem; }
</style>"""


def link(shown: Shown) -> str:
    """The address that brings this state back; raises InputError where it is too large for one."""
    at, own = explorer().pinned, explorer().definitions
    here = (st.context.url or "").partition("?")[0].rstrip("/")
    return f"{here}/?{location.PARAMETER}={share_link.encoded(shown, view_state(), at.shown if at else None, own)}"


# --- the popover --------------------------------------------------------------------------------------------------


def share(shown: Shown) -> None:
    """The popover of the toolbar. What is in it is made when it is opened."""
    panel = popover("Share", icon=":material/share:", key="sharing")
    if not panel.open:
        return
    with panel, st.container(key="share_panel"):
        _link(shown)
        presented.button()
        _hierarchy_file(shown)
        _case_file(shown)
        _card(shown)


def _link(shown: Shown) -> None:
    st.markdown("**A link** to this hierarchy with its classes, options, view and pin")
    try:
        st.code(link(shown), language=None, wrap_lines=True)
    except InputError as fault:
        show_text(str(fault), "note", key="no_link")


def _hierarchy_file(shown: Shown) -> None:
    st.markdown("**The hierarchy** as a file")
    formats = {key: f for key, f in HIERARCHY_FORMATS.items() if f.writable}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        chosen = explorer().save_format or next(iter(formats))
        bind(st.selectbox, "save_format", chosen, changing(EXPLORER, "save_format"))(
            "Format", list(formats), format_func=lambda key: formats[key].title, label_visibility="collapsed", width=230
        )
        try:
            data = write_hierarchy_text(shown.hierarchy, chosen)
        except InputError as fault:
            show_text(sentence(fault), "note", key="no_file")
        else:
            name = file_name(shown.title, formats[chosen].extensions[0])
            st.download_button("Save", data, name, key="save_hierarchy", on_click="ignore", icon=":material/download:")


def _case_file(shown: Shown) -> None:
    st.markdown("**The instance** as a case file: hierarchy, classes and options")
    try:
        data = case_text(shown)
    except InputError as fault:
        show_text(sentence(fault), "note", key="no_case")
    else:
        save_as_yaml(data, shown.title, key="save_case")


def save_as_yaml(data: str | bytes, title: str, *, key: str) -> None:
    """The button that hands out a YAML file."""
    st.download_button(
        "Save as YAML",
        data,
        file_name(title, ".yaml"),
        key=key,
        on_click="ignore",
        icon=":material/download:",
        mime="application/yaml",
    )


def _card(shown: Shown) -> None:
    st.markdown("**A card** of a lesson of your own")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        button("Make a card of this", key="make_card", icon=":material/school:", action=partial(_make_card, shown))
        if mine().cards and st.button(f"My lesson ({len(mine().cards)})", key="to_my_lesson"):
            switch_to("learn", {"edit": "1"})
    show_fault("make_card")


def _make_card(shown: Shown) -> None:
    """What is shown, with the starred measures; the pinned state is the second prediction."""
    pinned, others = compared(shown), sorted(explorer().starred)
    attempt("make_card", lambda: add_card(shown, view_state(), others, pinned.shown if pinned else None))


def case_text(shown: Shown) -> str:
    """What is shown as a case file that loads again; raises InputError where it has something that a case file cannot
    hold.
    """
    i = shown.instance
    return write_case(
        i.hierarchy,
        i.true,
        i.predicted,
        title=shown.title or "Own case",
        year=datetime.now(UTC).year,
        true_paths=i.true_paths,
        predicted_paths=i.predicted_paths,
        options=i.options.model_dump(exclude_defaults=True),
        define=dict(parted(definition) for definition in explorer().own.definitions),
    )


def file_name(title: str, ending: str) -> str:
    """A file name that every system takes.

    >>> file_name("Figure 15: two ways/../x", ".yaml"), file_name("äöü", ".csv")
    ('figure-15-two-ways-x.yaml', 'hierarchy.csv')
    """
    stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60].strip("-")
    return (stem or "hierarchy") + ending
