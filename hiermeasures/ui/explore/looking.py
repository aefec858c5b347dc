"""What is looked at in this session, and the switch above the graph that picks a view of it."""

import streamlit as st

from hiermeasures.ui.binding import bind
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
    with st.container(horizontal=True, vertical_alignment="center", key="views"):
        st.markdown("Show", width="content")
        bind(st.segmented_control, "view", looking().view, lambda key: look(with_view(looking(), key)))(
            "What is drawn on the hierarchy",
            list(VIEWS),
            required=True,
            label_visibility="collapsed",
            format_func=lambda view: VIEWS[view].title,
        )
