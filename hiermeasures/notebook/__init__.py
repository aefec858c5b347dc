"""The Explorer in a notebook: a widget for JupyterLab, Notebook, VS Code and marimo.

The app's scripts draw it.
"""

from hiermeasures.hierarchy.extras import require

require("notebook", "the widget Explorer")

from hiermeasures.notebook.explorer import Explorer  # noqa: E402

__all__ = ["Explorer"]
