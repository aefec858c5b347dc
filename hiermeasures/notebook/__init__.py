"""The Explorer in a notebook: a widget for JupyterLab, Notebook, VS Code and marimo, drawn by the
app's scripts.
"""

from hiermeasures.hierarchy.extras import require

require("notebook", "the widget Explorer")

from hiermeasures.notebook.explorer import Explorer  # noqa: E402

__all__ = ["Explorer"]
