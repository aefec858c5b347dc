"""The Explorer's page: its screen (explorer/screen.py) in one component, and its gestures."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from hiermeasures.app import components
from hiermeasures.app.components import address, apply_pending, mount, receiver
from hiermeasures.app.explore.host import HOST, host
from hiermeasures.app.explore.model import EXPLORER, apply, explorer
from hiermeasures.app.learn import draft_model
from hiermeasures.app.pages import Page, leave, leave_for
from hiermeasures.explorer import location, screen
from hiermeasures.explorer.parts import style


def page() -> None:
    if not EXPLORER.filled:
        apply(location.opening, dict(st.query_params))
    st.html(style("explore/page.css"))
    _explorer()


@st.fragment
def _explorer() -> None:
    apply(screen.ready, host())
    leave()
    for component_name, kind in screen.HEARD:
        address(component_name, **{kind: partial(_gesture, component_name, kind)})
    address("welcome", course=lambda value: leave_for("learn", HOST.course))
    mount(screen.data(explorer(), receiver(), host()), key=components.EXPLORER, on_gestures=apply_pending)
    if draft_model.draft().cards:
        draft_model.keep()


def _gesture(component_name: str, kind: str, value: Mapping[str, Any]) -> None:
    apply(lambda state: screen.after(state, host(), component_name, kind, value))


PAGE = Page(
    "Explore",
    page,
    "Draw or load a hierarchy, click true and predicted classes, and see what each measure makes of them.",
)
