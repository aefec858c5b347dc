"""Our components in Streamlit: how one is registered, and how the scripts of all come into a page.

Streamlit sends a component's script and style sheet with every run that draws it. So all of them travel together, once,
in a component of their own that `load` puts on every page, and what is sent again is a stub that calls them.
"""

import json
from functools import cache, partial

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from hiermeasures.ui.parts import COMPONENTS, all_scripts, vis_network

LOADED = "scripts_loaded"  # which scripts the page of this session has said to have
STYLE = "[class*='st-key-scripts_'] { display: none; }"


@cache
def component(name: str) -> ComponentRenderer:
    """A component of COMPONENTS, registered with Streamlit once."""
    stub = f"""export default async function (component) {{
  while (!globalThis.hiermeasures) await new Promise((resume) => setTimeout(resume, 15));
  return (await globalThis.hiermeasures.load({json.dumps(name)}, component.parentElement))(component);
}}"""
    return st.components.v2.component(f"hiermeasures_{name}", html=COMPONENTS[name].html, js=stub)


def load(constants: str) -> None:
    """Bring the scripts of all components, and vis-network, into the page; once in every run of a page. `constants` is
    script that declares what theirs need to know of the package.
    """
    _once("components", constants)
    _once("vis_network")


@st.fragment
def _once(name: str, constants: str = "") -> None:
    """Draw a component that consists of a script alone, until the page has said that it has the script. What was sent
    is not enough: Streamlit drops messages that a new run overtakes.
    """
    if name not in _loaded():
        confirm = partial(_confirm, name)
        if _constant(name, constants)(key=f"scripts_{name}", on_loaded_change=confirm).get("loaded"):
            confirm()


def _confirm(name: str) -> None:
    st.session_state[LOADED] = _loaded() | {name}


def _loaded() -> frozenset[str]:
    found: frozenset[str] = st.session_state.get(LOADED, frozenset())
    return found


@cache
def _constant(name: str, constants: str) -> ComponentRenderer:
    script = all_scripts(constants) if name == "components" else vis_network()
    report = 'export default ({ setStateValue }) => setStateValue("loaded", true);'
    return st.components.v2.component(f"hiermeasures_scripts_{name}", js=f"{script}\n{report}\n")
