"""Our components in Streamlit: how one is registered, and how the scripts of all come into a page.

Streamlit sends a component's script and style sheet with every run that draws it. So all of them
travel together, once, in a component of their own that `load` puts on every page, and what is sent
again is a stub that calls them.
"""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from hiermeasures.explorer.parts import COMPONENTS, all_scripts

LOADED = "scripts_loaded"  # true once the page of this session has said to have them
STYLE = "[class*='st-key-scripts_'] { display: none; }"


@cache
def component(name: str) -> ComponentRenderer:
    """A component of COMPONENTS, registered with Streamlit once."""
    stub = f"""export default async (c) => {{
while (!globalThis.hiermeasures) await new Promise((r) => setTimeout(r, 15));
return (await hiermeasures.load({json.dumps(name)}, c.parentElement))(c); }}"""
    html = COMPONENTS[name].html if name in COMPONENTS else f'<div class="hm-{name}"></div>'
    return st.components.v2.component(f"hiermeasures_{name}", html=html, js=stub)


def mount(data: Mapping[str, Any], *, key: str, on_gestures: Callable[[], None]) -> None:
    """Put a screen of controls on the page (explorer.js); what comes back is its state `pending`."""
    sent = json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()  # Streamlit would put in blanks
    component("explorer")(key=key, data=sent, on_pending_change=on_gestures)


@st.fragment
def load(constants: str) -> None:
    """Bring the scripts of all components, with vis-network, into the page; once in every run of a
    page. `constants` is script that declares what theirs need to know of the package.

    Draws a component that consists of a script alone, until the page has said that it has the
    script. What was sent is not enough: Streamlit drops messages that a new run overtakes.
    """
    if st.session_state.get(LOADED):
        return
    if _all(constants)(key="scripts_components", on_loaded_change=_confirm).get("loaded"):
        _confirm()


def _confirm() -> None:
    st.session_state[LOADED] = True


@cache
def _all(constants: str) -> ComponentRenderer:
    report = 'export default ({ setStateValue }) => setStateValue("loaded", true);'
    return st.components.v2.component("hiermeasures_scripts_components", js=f"{all_scripts(constants)}\n{report}\n")
