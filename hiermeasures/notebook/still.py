"""What stands for a widget where none is alive: a notebook that is opened again, a page made of it."""

from hiermeasures.display import html
from hiermeasures.display.bundle import Bundle
from hiermeasures.display.drawing import drawing_of_explanation
from hiermeasures.display.shown import show_explanation
from hiermeasures.notebook.state import State

STILL = "hiermeasures-still"  # widget.js hides what has this class, with the token of its session
ABOUT = "A picture of the widget as it was when the cell ran. Run the cell to click in it."


def still(state: State, session: str) -> Bundle:
    """The drawing of the view, and the values of the best known measures, in every format of a notebook."""
    x, name = state.explanation, f"{STILL}-{session}"
    shown = show_explanation(x, drawing=drawing_of_explanation(x, state.at.view, state.at.measure))
    inside = f"<style>{_without_complaint(name)}</style>{shown['text/html']}{html.paragraph(ABOUT)}"
    return shown | {"text/html": f'<div class="{name}">{inside}</div>'}


def _without_complaint(name: str) -> str:
    """JupyterLab writes where the widget was that it found no model for it; a living widget has elements there."""
    beside = f".jp-OutputArea-child:has(.{name}) + .jp-OutputArea-child .jupyter-widgets:not(:has(*))"
    return f"{beside} {{ display: none; }}"
