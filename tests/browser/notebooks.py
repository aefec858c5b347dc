"""A real JupyterLab and a real marimo for the tests of the widget: how they are started, and how a
cell is run.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import files
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from .conftest import PROJECT, free_port, running
from .screen import has_its_place

FIGURE = """
from hiermeasures import Hierarchy
from hiermeasures.notebook import Explorer
h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
"""
FIGURE_11A = FIGURE + 'widget = Explorer(h, true={"T1"}, predicted={"P1", "P2"}, dmax=5)\n'
QUIET_LAB = {"fetchNews": "false", "checkForUpdates": False}


@contextmanager
def server(
    called: Sequence[str], folder: Path, ready: str, environment: dict[str, str] | None = None
) -> Iterator[str]:
    """A server, and where it runs; {port} stands for its port. Our own package is found in it."""
    port = free_port()
    command = [sys.executable, "-m", *(word.format(port=port) for word in called)]
    surroundings = {**os.environ, "PYTHONPATH": str(PROJECT), **(environment or {})}
    with running(command, port, folder / "log", ready, cwd=folder, env=surroundings):
        yield f"http://localhost:{port}"


@contextmanager
def jupyterlab(folder: Path) -> Iterator[str]:
    """JupyterLab on a folder, without questions."""
    settings = folder / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(QUIET_LAB), "utf-8")
    names = (
        "JUPYTER_CONFIG_DIR",
        "JUPYTER_DATA_DIR",
        "JUPYTER_RUNTIME_DIR",
        "JUPYTERLAB_WORKSPACES_DIR",
        "IPYTHONDIR",
    )
    environment = {name: str(folder / name.lower()) for name in names}
    environment["JUPYTERLAB_SETTINGS_DIR"] = str(folder / "settings")
    environment["JUPYTER_PATH"] = str(shared_data())
    options = (
        "--no-browser",
        "--port={port}",
        "--IdentityProvider.token=",
        "--allow-root",
        "--LabApp.news_url=",
        "--expose-app-in-browser",
    )
    with server(["jupyterlab", *options], folder, "/api/status", environment) as address:
        yield address


def shared_data() -> Path:
    """Where packages have put what JupyterLab loads; an environment may use another's."""
    installed = next(file for file in files("anywidget") or () if "labextensions" in file.parts)
    return (
        Path(str(installed.locate()))
        .resolve()
        .parents[len(installed.parts) - installed.parts.index("labextensions") - 1]
    )


@contextmanager
def marimo(folder: Path, name: str) -> Iterator[str]:
    """marimo's editor on a notebook of a folder, whose cells run when it is opened."""
    (folder / ".marimo.toml").write_text("[runtime]\nauto_instantiate = true\n", "utf-8")
    called = [
        "marimo",
        "--yes",
        "edit",
        name,
        "--headless",
        "--no-token",
        "--port={port}",
        "--skip-update-check",
    ]
    with server(called, folder, "/health") as address:
        yield address


def write_notebook(path: Path, *cells: str) -> None:
    import nbformat  # the everyday tests do not install it

    made = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source.strip()) for source in cells]
    )
    made.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    nbformat.write(made, path)


def cell(page: Page, number: int) -> Locator:
    """A code cell of the open notebook, counted from 0."""
    return page.locator(".jp-CodeCell").nth(number)


def run_cell(page: Page, number: int) -> Locator:
    """Run a cell and wait until it is done; its output."""
    expect(
        page.get_by_text("Python 3 (ipykernel) | Idle")
    ).to_be_visible()  # before, nothing would be run
    cell(page, number).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    expect(cell(page, number).locator(".jp-InputPrompt")).to_have_text(
        "[*]:".replace("*", str(number + 1))
    )
    return cell(page, number).locator(".jp-OutputArea")


def click_on(drawing: Locator, label: str) -> None:
    """Click on a class of a widget's drawing once it has come to rest."""
    drawing.scroll_into_view_if_needed()
    has_its_place(drawing)
    place = drawing.evaluate("(element, label) => element.graph.locate(label)", label)
    drawing.page.mouse.click(place["x"], place["y"])


def shown(drawing: Locator, side: str) -> list[str]:
    """The classes of a side that a drawing shows."""
    return sorted(
        drawing.evaluate(
            "(element, side) => element.graph.scene.shapes.filter((s) => s[side] === "
            "'class').map((s) => s.title)",
            side,
        )
    )


def values(widget: Locator) -> dict[str, str]:
    """Return the values in the table, by measure."""
    rows = widget.locator(".hm-values button[data-key]")
    return dict(
        rows.evaluate_all(
            "rows => rows.map((r) => [r.dataset.key, r.querySelector('.value').textContent])"
        )
    )
