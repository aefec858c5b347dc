"""The tutorials, run: `python -m docs.make.tutorials [NAME …]` runs the notebooks in docs/tutorials
and keeps what their cells put out. The site shows what is kept (site.py), and a test runs them
again and compares.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).resolve().parents[1] / "tutorials"


def ran(path: Path) -> nbformat.NotebookNode:
    """A notebook with what its cells put out now; CellExecutionError where one fails."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", record_timing=False, store_widget_state=False
    )
    client.execute(cwd=str(FOLDER))
    return notebook


def main(names: Iterable[str] = ()) -> None:
    """Run the notebooks of these names, all where none is given."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        if not names or path.stem in names:
            nbformat.write(ran(path), path)


if __name__ == "__main__":
    main(sys.argv[1:])
