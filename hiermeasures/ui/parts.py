"""The components of a page: each is a piece of it with one style sheet and one script, put together here from the files
of this package. Scripts that several components share stand before their own, the colours of the sides before every
style sheet. What mounts them stands elsewhere: scripts.py in Streamlit, hiermeasures.notebook in a notebook.
"""

import json
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from hiermeasures.ui.palette import side_colours


@dataclass(frozen=True)
class Component:
    """Of what a component is made: its shared and its own scripts, of which one declares the function `drawComponent`,
    its HTML, and its style sheet if it has one. Files are given as paths in this package.

    PAGE, which the scripts read, is an object of the page that a component belongs to: what its components share is
    kept there. In Streamlit there is one (ONE_PAGE), in a notebook every widget is one.
    """

    shared: tuple[str, ...]
    own: tuple[str, ...]
    html: str = ""
    css: str | None = None

    def script(self) -> str:
        """All its scripts as a module."""
        return source(*self.shared, *self.own) + "export default drawComponent;\n"

    def factory(self) -> str:
        """All its scripts as a function of PAGE."""
        return f"(PAGE) => {{\n{source(*self.shared, *self.own)}return drawComponent;\n}}"

    def style_sheet(self) -> str:
        """Its style sheet, with the colours of the sides."""
        return side_colours() + source(self.css) if self.css else ""


ONE_PAGE = "const PAGE = (globalThis.hiermeasuresPage ??= {});\n"
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
        ("element.js", "outbox.js"), ("views/flow_figure.js",), '<div class="hm-flow"></div>', "views/flow_figure.css"
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


def vis_network() -> str:
    """The script of vis-network, which pyvis ships; it declares the global `vis`."""
    import pyvis  # here, for nothing else of this module needs it

    path = Path(pyvis.__file__).parent / "lib" / "vis-9.1.2" / "vis-network.min.js"
    return path.read_text("utf-8").partition("//# sourceMap")[0]


def all_scripts(constants: str) -> str:
    """The script that holds those of all components, with their style sheets, and gives them to the stubs."""
    parts = {name: {"script": made.script(), "css": made.style_sheet()} for name, made in COMPONENTS.items()}
    sent = f"const PARTS = {json.dumps(parts)}, CONSTANTS = {json.dumps(constants)};\n"
    version = sha256(sent.encode()).hexdigest()[:16]
    return f"{sent}const VERSION = {json.dumps(version)};\n{source('scripts.js', 'formulas.js')}"
