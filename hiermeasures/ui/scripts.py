"""Our components for Streamlit: each is a piece of the page with one style sheet and one script, put together here from
the files of this package. Scripts that several components share stand before their own, the colours of the sides before
every style sheet.

Streamlit sends a component's script and style sheet with every run that draws it. So all of them travel together, once,
in a component of their own that `load` puts on every page, and what is sent again is a stub that calls them.
"""

import json
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pyvis
import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from hiermeasures.ui.palette import side_colours


@dataclass(frozen=True)
class Component:
    """Of what a component is made: its shared and its own scripts (the last one exports the function that Streamlit
    calls), its HTML, and its style sheet if it has one. Files are given as paths in this package.
    """

    shared: tuple[str, ...]
    own: tuple[str, ...]
    html: str = ""
    css: str | None = None

    def script(self) -> str:
        """All its scripts as the one that the page loads."""
        return source(*self.shared, *self.own)

    def style_sheet(self) -> str:
        """Its style sheet, with the colours of the sides."""
        return side_colours() + source(self.css) if self.css else ""


VIS_NETWORK = Path(pyvis.__file__).parent / "lib" / "vis-9.1.2" / "vis-network.min.js"
LOADED = "scripts_loaded"  # which scripts the page of this session has said to have
STYLE = "[class*='st-key-scripts_'] { display: none; }"
COMPONENTS = {
    "graph": Component(
        ("dark.js", "element.js", "outbox.js"),
        tuple(
            f"graph/{part}.js"
            for part in ("component", "paint", "overlay", "tooltip", "events", "effects", "keyboard", "edit", "hint")
        ),
        '<div class="hm-graph"></div>',
        "graph/component.css",
    ),
    "values": Component(
        ("element.js", "outbox.js"),
        ("explore/values.js",),
        '<div class="hm-values"></div><p class="told" aria-hidden="true"></p>',
        "explore/values.css",
    ),
    "figures": Component(
        ("element.js", "outbox.js"),
        ("explore/figure_menu.js",),
        '<div class="hm-figures"></div>',
        "explore/figure_menu.css",
    ),
    "table": Component(
        ("element.js", "outbox.js"), ("linked_table.js",), '<div class="hm-table"></div>', "linked_table.css"
    ),
    "what_if": Component(
        ("element.js", "outbox.js"), ("explore/what_if.js",), '<div class="hm-what-if"></div>', "explore/what_if.css"
    ),
    "flow": Component(
        ("element.js",), ("views/flow_figure.js",), '<div class="hm-flow"></div>', "views/flow_figure.css"
    ),
    "probability_tree": Component(
        ("element.js", "outbox.js"),
        ("probabilities/tree.js",),
        '<div class="tree"><div class="drawing"></div><ul class="legend"></ul></div>',
        "probabilities/tree.css",
    ),
    "present": Component(
        ("element.js", "outbox.js"), ("present/present.js",), '<div class="hm-present"></div>', "present/present.css"
    ),
    "prose": Component(("element.js",), ("prose.js",), '<div class="hm-prose"></div>', "prose.css"),
    "text": Component((), ("show_text.js",), "<p></p>", "show_text.css"),
    "mailbox": Component(("outbox.js",), ("location.js", "mailbox.js"), "<span></span>"),
}


def source(*paths: str) -> str:
    """Files of this package as one text; "explore/values.js" is a path in it."""
    return "".join(files("hiermeasures.ui").joinpath(*path.split("/")).read_text("utf-8") for path in paths)


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
    script = all_scripts(constants) if name == "components" else _vis_network()
    report = 'export default ({ setStateValue }) => setStateValue("loaded", true);'
    return st.components.v2.component(f"hiermeasures_scripts_{name}", js=f"{script}\n{report}\n")


def _vis_network() -> str:
    return VIS_NETWORK.read_text("utf-8").partition("//# sourceMap")[0]


def all_scripts(constants: str) -> str:
    """The script that holds those of all components, with their style sheets, and gives them to the stubs."""
    parts = {name: {"script": made.script(), "css": made.style_sheet()} for name, made in COMPONENTS.items()}
    sent = f"const PARTS = {json.dumps(parts)}, CONSTANTS = {json.dumps(constants)};\n"
    version = sha256(sent.encode()).hexdigest()[:16]
    return f"{sent}const VERSION = {json.dumps(version)};\n{source('scripts.js', 'formulas.js')}"
