"""What is looked at in this session, and the switch above the graph that picks a view of it."""

import streamlit as st

from hiermeasures.ui.fields import is_entry, key_showing
from hiermeasures.ui.views import OPENING, VIEWS, Looking, with_view


def looking() -> Looking:
    """What is looked at in this session."""
    at: Looking = st.session_state.setdefault("looking", OPENING)
    return at


def look(at: Looking) -> None:
    """Look at something else."""
    st.session_state.looking = at


def view_switch() -> None:
    """The switch above the graph: one view at a time."""
    key = key_showing("view", looking().view)
    with st.container(horizontal=True, vertical_alignment="center", key="views"):
        st.markdown("Show", width="content")
        st.segmented_control(
            "What is drawn on the hierarchy",
            list(VIEWS),
            key=key,
            required=True,
            label_visibility="collapsed",
            format_func=lambda view: VIEWS[view].title,
            on_change=_choose_view,
            args=(key,),
        )


def _choose_view(key: str) -> None:
    if is_entry("view", key) and st.session_state[key] in VIEWS:
        look(with_view(looking(), st.session_state[key]))
