"""The components of a page. Each has one style sheet and one script, made from files of this
package.

Shared scripts come before a component's own script. The colours of the sides come before every
style sheet. app/components.py mounts components in Streamlit, and hiermeasures.notebook in a
notebook.
"""

import json
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from hiermeasures.draw.palette import side_colours


@dataclass(frozen=True)
class Component:
    """A component: its scripts, its HTML and its style sheet.

    Scripts are paths, shared ones first. One of them declares `drawComponent`. Scripts share data
    in PAGE. Streamlit has one PAGE (ONE_PAGE). In a notebook, every widget has its own.
    """

    shared: tuple[str, ...]
    own: tuple[str, ...]
    html: str = ""
    css: tuple[str, ...] = ()

    def script(self) -> str:
        return source(*self.shared, *self.own) + "export default drawComponent;\n"

    def factory(self) -> str:
        return f"(PAGE) => {{\n{source(*self.shared, *self.own)}return drawComponent;\n}}"

    def style_sheet(self) -> str:
        return side_colours() + source(*self.css) if self.css else ""


def _component(path: str, html: str, *shared: str, symbols: bool = False) -> Component:
    """Return a component, with or without `symbols`. Its script and style sheet share one name."""
    if symbols:
        return Component(
            (*shared, "symbol.js"), (f"{path}.js",), html, ("symbol.css", f"{path}.css")
        )
    return Component(shared, (f"{path}.js",), html, (f"{path}.css",))


ONE_PAGE = "const PAGE = (globalThis.hiermeasuresPage ??= {});\n"
GESTURES = ("element.js", "outbox.js")
GRAPH = (
    "component",
    "paint",
    "overlay",
    "moves",
    "extent",
    "tooltip",
    "events",
    "effects",
    "keyboard",
    "edit",
    "hint",
)
COMPONENTS = {
    "graph": Component(
        ("dark.js", *GESTURES),
        tuple(f"graph/{part}.js" for part in GRAPH),
        '<div class="hm-graph"></div>',
        ("graph/component.css",),
    ),
    "values": _component(
        "explore/values",
        '<div class="hm-values"></div><p class="told" aria-hidden="true"></p>',
        *GESTURES,
        symbols=True,
    ),
    "figures": _component("explore/figure_menu", '<div class="hm-figures"></div>', *GESTURES),
    "table": _component("linked_table", '<div class="hm-table"></div>', *GESTURES, symbols=True),
    "matrix": _component("matrix", '<div class="hm-matrix"></div>', *GESTURES),
    "what_if": _component(
        "explore/what_if", '<div class="hm-what-if"></div>', *GESTURES, symbols=True
    ),
    "flow": _component("views/flow_figure", '<div class="hm-flow"></div>', *GESTURES),
    "probability_tree": _component(
        "probabilities/tree",
        '<div class="tree"><div class="drawing"></div><ul class="legend"></ul></div>',
        *GESTURES,
    ),
    "present": _component("present/present", '<div class="hm-present"></div>', *GESTURES),
    "prose": _component("prose", '<div class="hm-prose"></div>', "element.js"),
    "bars": _component("bars", '<ul class="hm-bars"></ul>', "element.js"),
    "lessons": _component("lessons", '<div class="hm-lessons"></div>', *GESTURES),
    "marks": _component("marks", '<p class="hm-marks" hidden></p>', *GESTURES),
    "picture": _component("picture", '<div class="hm-picture"></div>', "element.js", "download.js"),
    "text": _component("show_text", "<p></p>", "element.js"),
    "contents": _component("contents", '<div class="hm-contents"></div>', *GESTURES),
    "form": Component(
        GESTURES,
        ("download.js", "controls.js", "form.js"),
        '<div class="explorer hm-form"></div>',
        ("explorer.css",),
    ),
    "mailbox": Component(("outbox.js",), ("keys.js", "mailbox.js"), "<span></span>"),
    "kept": Component(("outbox.js",), ("kept.js",), "<span></span>"),
    "address": Component(("outbox.js",), ("location.js", "address.js")),
}
IN_EXPLORER = (  # its parts
    *("graph", "values", "figures", "table", "what_if", "flow", "present", "address"),
    *("prose", "lessons", "marks", "bars"),  # and what lessons add
)
STYLES = ("explorer.css", "learn.css", "my_lesson.css", "present/stage.css")


def source(*paths: str) -> str:
    """Return files of this package as one text. An example of a path is "explore/values.js"."""
    return "".join(
        files("hiermeasures.explore").joinpath("scripts", *path.split("/")).read_text("utf-8")
        for path in paths
    )


@cache
def style(path: str) -> str:
    return f"<style>{source(path)}</style>"


def vis_network() -> str:
    package = find_spec("pyvis")  # importing it would import IPython, too
    assert package and package.origin, "the extras that draw bring it"  # noqa: PT018
    path = Path(package.origin).parent / "lib" / "vis-9.1.2" / "vis-network.min.js"
    return path.read_text("utf-8").partition("//# sourceMap")[0]


# Hides the page's module system, because vis-network would register there and not declare `vis`.
VIS_NETWORK = """if (!globalThis.vis?.Network) (function (define, exports, module) {{
{}
}}).call(globalThis);
"""


def math_font() -> bytes:
    """Return the font of the formulas (WOFF2). See fonts/LICENSE.txt for its source."""
    return files("hiermeasures.explore").joinpath("fonts", "math.woff2").read_bytes()


# Not as an address: a notebook's policy may refuse those.
MATH_FONT = """if (!globalThis.hiermeasuresMath) {{
  globalThis.hiermeasuresMath = new FontFace("hiermeasures Math", Uint8Array.from(atob("{}"), (c) => c.charCodeAt(0)));
  document.fonts.add(globalThis.hiermeasuresMath);
}}
"""


def math_font_script() -> str:
    """Return a script that gives the document the font of the formulas."""
    return MATH_FONT.format(b64encode(math_font()).decode())


@cache
def explorer_script() -> str:
    parts = (
        f"{json.dumps(name)}: {{ html: {json.dumps(COMPONENTS[name].html)}, css: "
        f"{json.dumps(COMPONENTS[name].style_sheet())}, factory: {COMPONENTS[name].factory()} }}"
        for name in IN_EXPLORER
    )
    return "".join(
        [
            f"const PARTS = {{ {', '.join(parts)} }};\n",
            f"const STYLE = {json.dumps(source(*STYLES))};\n",
            source("dark.js", "element.js", "keys.js", "download.js", "controls.js", "explorer.js"),
        ]
    )


def explorer_module(constants: str) -> str:
    return VIS_NETWORK.format(vis_network()) + constants + explorer_script()


def all_scripts(constants: str) -> str:
    parts = {
        name: {"script": made.script(), "css": made.style_sheet()}
        for name, made in COMPONENTS.items()
    }
    own = f"{explorer_script()}{source('streamlit.js')}export default drawComponent;\n"
    parts["explorer"] = {"script": own, "css": ""}
    sent = f"const PARTS = {json.dumps(parts)}, CONSTANTS = {json.dumps(constants)};\n"
    libraries = VIS_NETWORK.format(vis_network()) + math_font_script()
    return f"{libraries}{sent}{source('scripts.js', 'element.js', 'formulas.js')}"
