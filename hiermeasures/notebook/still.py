"""What stands for a widget where none is alive: a notebook that is opened again, a page made of it."""

from hiermeasures.display.bundle import Bundle
from hiermeasures.display.drawing import drawing_of_explanation
from hiermeasures.display.shown import show_explanation
from hiermeasures.notebook.state import State

STILL = "hiermeasures-still"  # widget.js hides what has this class, with the token of its session


def still(state: State, session: str) -> Bundle:
    """The drawing of the view, and the values of the best known measures, in every format of a notebook."""
    x = state.explanation
    shown = show_explanation(x, drawing=drawing_of_explanation(x, state.at.view, state.at.measure))
    return shown | {"text/html": f'<div class="{STILL}-{session}">{shown["text/html"]}</div>'}
