"""Our components for Streamlit: each is a piece of the page with one style sheet and one script, put together here from
the files of this package. Scripts that several components share stand before their own, the colours of the sides before
every style sheet.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

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


COMPONENTS = {
    "graph": Component(
        ("dark.js", "element.js", "outbox.js"),
        tuple(f"graph/{part}.js" for part in ("component", "paint", "overlay", "events", "edit")),
        '<div class="hm-graph"></div>',
        "graph/component.css",
    ),
    "values": Component(
        ("element.js", "outbox.js"), ("explore/values.js",), '<div class="hm-values"></div>', "explore/values.css"
    ),
    "table": Component(
        ("element.js", "outbox.js"), ("linked_table.js",), '<div class="hm-table"></div>', "linked_table.css"
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
    "mailbox": Component(("outbox.js",), ("location.js", "mailbox.js"), "<span></span>"),
}


def source(*paths: str) -> str:
    """Files of this package as one text; "explore/values.js" is a path in it."""
    return "".join(files("hiermeasures.ui").joinpath(*path.split("/")).read_text("utf-8") for path in paths)


@cache
def component(name: str, constants: str = "") -> ComponentRenderer:
    """A component of COMPONENTS, registered with Streamlit once. Its `constants` stand before its scripts."""
    made = COMPONENTS[name]
    css = style_sheet(name) if made.css else None
    return st.components.v2.component(f"hiermeasures_{name}", html=made.html, css=css, js=constants + made.script())


def style_sheet(name: str) -> str:
    """The style sheet of a component that has one, after the colours of the sides."""
    css = COMPONENTS[name].css
    return side_colours() + (source(css) if css else "")
