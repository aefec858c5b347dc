"""The picture of a widget for where no widget is alive: a notebook that is opened again, a page made of it."""

from hiermeasures.notebook.state import State
from hiermeasures.ui.graph.scene import figure_scene
from hiermeasures.ui.graph.svg import Image, svg

STILL = "data-hiermeasures-still"  # widget.js hides what has it, with the token of its session


def still(state: State) -> Image:
    """What is drawn on the hierarchy, with its legend."""
    return svg(figure_scene(state.explanation.hierarchy, state.overlay), legend=True, paper=True)


def still_html(picture: Image, session: str) -> str:
    """The picture for a notebook."""
    return f'<div {STILL}="{session}">{picture.html()}</div>'
