"""The picture that stands for a widget where none is alive: in a notebook that is opened again, in a
page made of it.
"""

from hiermeasures.explorer.model import State
from hiermeasures.picture import html
from hiermeasures.picture.drawing import drawing_of_explanation
from hiermeasures.picture.html import Bundle
from hiermeasures.picture.notebook_repr import show_explanation

STILL = "hiermeasures-still"  # widget.js hides what has this class, with the token of its session
ABOUT = "A picture of the widget as it was when the cell ran. Run the cell to click in it."


def still(state: State, session: str) -> Bundle:
    """The drawing of the view, and the values of the best known measures, in every format of a
    notebook.
    """
    x, name = state.explanation, f"{STILL}-{session}"
    shown = show_explanation(x, drawing=drawing_of_explanation(x, state.view_state.view, state.view_state.measure))
    # JupyterLab writes where the widget was that it found no model for it; a living widget has
    # elements there.
    beside = f".jp-OutputArea-child:has(.{name}) + .jp-OutputArea-child .jupyter-widgets:not(:has(*))"
    style = f"<style>{beside} {{ display: none; }}</style>"
    return shown | {"text/html": f'<div class="{name}">{style}{shown["text/html"]}{html.paragraph(ABOUT)}</div>'}
