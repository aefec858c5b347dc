"""The script of the widget as one module, put together from the components of the app (ui/parts.py), vis-network, and
what joins them with a notebook (widget.js). Nothing is loaded from a network.
"""

import json
from functools import cache
from importlib.resources import files

from hiermeasures.ui.explore import values
from hiermeasures.ui.graph import data as graph
from hiermeasures.ui.parts import COMPONENTS, source, vis_network

USED = ("graph", "values", "table", "flow", "what_if")

# Its loader asks for a module system before it declares `vis`; some notebooks have one that would take it.
VIS_NETWORK = """if (!globalThis.vis?.Network) (function (define, exports, module) {{
{}
}}).call(globalThis);
"""


@cache
def script() -> str:
    """The module."""
    parts = (
        f"{json.dumps(name)}: {{ html: {json.dumps(part.html)}, css: {json.dumps(part.style_sheet())}, "
        f"factory: {part.factory()} }}"
        for name, part in COMPONENTS.items()
        if name in USED
    )
    return "".join(
        [
            VIS_NETWORK.format(vis_network()),
            graph.constants(),
            values.constants(),
            f"const PARTS = {{ {', '.join(parts)} }};\n",
            f"const STYLE = {json.dumps(_own('widget.css'))};\n",
            source("dark.js", "element.js"),
            _own("widget.js"),
        ]
    )


def _own(name: str) -> str:
    return files("hiermeasures.notebook").joinpath(name).read_text("utf-8")
