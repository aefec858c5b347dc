"""The script of the widget as one module: the Explorer (explorer/parts.py), and what joins it with a
notebook (widget.js).
"""

from functools import cache
from importlib.resources import files

from hiermeasures.explorer import graph_data as graph
from hiermeasures.explorer import values
from hiermeasures.explorer.parts import explorer_module


@cache
def script() -> str:
    """The module."""
    adapter = files("hiermeasures.notebook").joinpath("widget.js").read_text("utf-8")
    return explorer_module(graph.constants() + values.constants()) + adapter
