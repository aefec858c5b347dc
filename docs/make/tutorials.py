"""The tutorials: notebooks in docs/tutorials without outputs. The site runs them."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "tutorials"


def run_notebook(text: str) -> nbformat.NotebookNode:
    """Return a notebook with the outputs of its cells. CellExecutionError if one fails."""
    notebook = nbformat.reads(text, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        extra_arguments=[
            "--log-level=40"
        ],  # only errors, because it warns that TCP is not encrypted
        record_timing=False,
        store_widget_state=False,
    )
    client.execute(cwd=str(FOLDER))
    return notebook
