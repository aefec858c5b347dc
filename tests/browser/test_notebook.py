"""The widget in a real JupyterLab and a real marimo: it is the app's drawing and the app's values,
and it is one with the code of the notebook.
"""

import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from playwright.sync_api import Browser, Locator, Page, expect

from .notebooks import (
    FIGURE_11A,
    cell,
    click_on,
    jupyterlab,
    marimo,
    run_cell,
    shared_data,
    shown,
    values,
    write_notebook,
)
from .screen import until

pytestmark = pytest.mark.slow
EVERYTHING = re.compile(r"^All \d+")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("notebooks")


@pytest.fixture(scope="module")
def lab(folder: Path) -> Iterator[str]:
    with jupyterlab(folder) as address:
        yield address


@pytest.fixture
def notebook(lab: str, folder: Path, browser: Browser) -> Iterator[Page]:
    """A window of JupyterLab; requests to anywhere else, page errors and dialogs fail the test."""
    # so high that nothing is scrolled
    page = browser.new_page(viewport={"width": 1500, "height": 1300})
    page.set_default_timeout(60_000)
    faults: list[str] = []
    page.on(
        "request",
        lambda r: None if r.url.startswith((lab, "blob:", "data:")) else faults.append(r.url),
    )
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    page.close()
    assert not faults


def open_notebook(page: Page, lab: str, folder: Path, name: str, *cells: str) -> None:
    write_notebook(folder / name, *cells)
    show_notebook(page, lab, name)


def show_notebook(page: Page, lab: str, name: str) -> None:
    """A notebook in a workspace of its own, in which no other is open."""
    page.goto(f"{lab}/lab/workspaces/{Path(name).stem}/tree/{name}")


def drawing_of(output: Locator) -> Locator:
    drawing = output.locator(".hm-graph[data-painted]")
    expect(drawing).to_be_visible()
    return drawing


class TestJupyterLab:
    def test_clicks_change_the_attributes_and_code_changes_the_picture(
        self, notebook: Page, lab: str, folder: Path
    ) -> None:
        cells = (
            FIGURE_11A + "widget",
            "sorted(widget.predicted), widget.explanation['hF']",
            "widget.true = {'P1'}",
        )
        open_notebook(
            notebook,
            lab,
            folder,
            "click.ipynb",
            *cells,
            "widget.view = 'pairing'",
            "widget.true = {'X'}",
        )
        widget = run_cell(notebook, 0)
        drawing = drawing_of(widget)
        assert values(widget)["hF"] == "0.57"
        click_on(drawing, "C")
        # {A, B, T1} and {A, B, C, P1, P2} share two: 2 · 2 / (3 + 5).
        expect(widget.locator("[data-key=hF] .value")).to_have_text("0.50")
        expect(run_cell(notebook, 1)).to_contain_text("(['C', 'P1', 'P2'], 0.5)")
        # {A, B, P1} and {A, B, C, P1, P2} share three: 2 · 3 / (3 + 5).
        run_cell(notebook, 2)
        expect(widget.locator("[data-key=hF] .value")).to_have_text("0.75")
        assert shown(drawing, "true") == ["P1"]
        run_cell(notebook, 3)
        expect(widget.get_by_role("radio", name="pairing")).to_have_attribute(
            "aria-checked", "true"
        )
        expect(widget.locator(".hm-flow svg")).to_be_visible()
        expect(run_cell(notebook, 4)).to_contain_text("unknown class 'X'")
        assert shown(drawing, "true") == ["P1"]

    def test_none_of_ten_quick_clicks_is_lost_while_the_kernel_is_busy(
        self, notebook: Page, lab: str, folder: Path
    ) -> None:
        busy = "import time; time.sleep(3)"
        open_notebook(
            notebook,
            lab,
            folder,
            "quick.ipynb",
            FIGURE_11A + "widget",
            busy,
            "sorted(widget.predicted)",
        )
        drawing = drawing_of(run_cell(notebook, 0))
        click_on(drawing, "C")
        click_on(drawing, "C")
        places = {
            c: drawing.evaluate("(e, label) => e.graph.locate(label)", c)
            for c in ("A", "B", "C", "T1", "P1")
        }
        cell(notebook, 1).locator(".cm-content").click()
        notebook.keyboard.press("Shift+Enter")
        expect(cell(notebook, 1).locator(".jp-InputPrompt")).to_have_text("[*]:")
        for _ in range(2):  # the cell sleeps
            for place in places.values():
                notebook.mouse.click(place["x"], place["y"])
        place = places["P1"]
        notebook.mouse.click(place["x"], place["y"])
        # Every other class was clicked twice and is as it was; P1 three times.
        assert shown(drawing, "predicted") == ["P2"]  # at once, before the kernel has heard of it
        expect(run_cell(notebook, 2)).to_contain_text("['P2']")
        assert shown(drawing, "predicted") == ["P2"]

    def test_two_widgets_do_not_disturb_each_other(
        self, notebook: Page, lab: str, folder: Path
    ) -> None:
        other = "other = Explorer(h, true={'C'}, predicted={'P1'})\nother"
        open_notebook(notebook, lab, folder, "two.ipynb", FIGURE_11A + "widget", other)
        first, second = (drawing_of(run_cell(notebook, number)) for number in (0, 1))
        click_on(second, "T1")
        until(second, "(element) => element.graph.data.address.seen === 1")
        assert (shown(first, "predicted"), shown(second, "predicted")) == (
            ["P1", "P2"],
            ["P1", "T1"],
        )
        row = notebook.locator(".hm-table tbody tr", has_text="true only").nth(1)
        row.hover()
        until(second, "(element) => element.graph.pointed.size > 0")
        assert first.evaluate("(element) => element.graph.pointed.size") == 0

    def test_keys_that_are_pressed_in_the_drawing_are_no_shortcuts_of_the_notebook(
        self, notebook: Page, lab: str, folder: Path
    ) -> None:
        open_notebook(
            notebook, lab, folder, "keys.ipynb", FIGURE_11A + "widget", "sorted(widget.true)"
        )
        drawing = drawing_of(run_cell(notebook, 0))
        drawing.locator(".vis-network").focus()
        # "dd" would delete the cell, "t" marks the class of the cursor
        for key in ("d", "d", "ArrowDown", "t"):
            notebook.keyboard.press(key)
        expect(notebook.locator(".jp-CodeCell")).to_have_count(2)
        until(drawing, "(element) => element.graph.data.address.seen === 1")
        expect(run_cell(notebook, 1)).to_contain_text("['B', 'T1']")

    def test_a_widget_outlives_its_page_and_leaves_a_picture_when_its_kernel_ends(
        self, notebook: Page, lab: str, folder: Path
    ) -> None:
        open_notebook(notebook, lab, folder, "lives.ipynb", FIGURE_11A + "widget")
        drawing = drawing_of(run_cell(notebook, 0))
        picture = notebook.locator("[class^=hiermeasures-still] img")
        expect(picture).to_be_hidden()
        click_on(drawing, "C")
        until(drawing, "(element) => element.graph.data.address.seen === 1")
        notebook.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
        show_notebook(notebook, lab, "lives.ipynb")
        drawing = drawing_of(cell(notebook, 0))
        assert shown(drawing, "predicted") == ["C", "P1", "P2"]
        click_on(drawing, "C")
        until(drawing, "(element) => element.graph.data.address.seen === 2")
        notebook.evaluate("window.jupyterapp.serviceManager.sessions.shutdownAll()")
        show_notebook(notebook, lab, "lives.ipynb")
        expect(picture).to_be_visible()
        complaint = notebook.get_by_text("model not found")
        expect(complaint).to_be_attached()
        expect(complaint).to_be_hidden()


def executed(folder: Path, name: str) -> nbformat.NotebookNode:
    """A notebook that was run by nobody's browser."""
    write_notebook(folder / name, FIGURE_11A + "widget")
    made = nbformat.read(folder / name, 4)
    NotebookClient(made, store_widget_state=False).execute()
    nbformat.write(made, folder / name)
    return made


def test_an_exported_page_has_the_picture_and_the_values(folder: Path) -> None:
    executed(folder, "export.ipynb")
    called = [sys.executable, "-m", "nbconvert", "--to", "html", "export.ipynb"]
    environment = {**os.environ, "JUPYTER_PATH": str(shared_data())}
    done = subprocess.run(called, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    page = (folder / "export.html").read_text("utf-8")
    assert "data:image/svg+xml;base64," in page
    assert "Hierarchical F1" in page


MARIMO = f"""
import marimo
app = marimo.App(width="full")

@app.cell
def _():
    import marimo as mo
{textwrap.indent(FIGURE_11A, "    ")}
    shown = mo.ui.anywidget(widget)
    shown
    return mo, shown, widget

@app.cell
def _(shown):
    " ".join([*shown.value["predicted"], "give", str(shown.explanation["hF"])])
    return

@app.cell
def _(mo, widget):
    mo.ui.button(label="true: P1", on_click=lambda value: setattr(widget, "true", {{"P1"}}))
    return

if __name__ == "__main__":
    app.run()
"""


def test_in_marimo_a_click_runs_the_cells_that_use_the_widget_and_code_changes_the_picture(
    folder: Path, browser: Browser
) -> None:
    (folder / "explorer.py").write_text(MARIMO, "utf-8")
    with marimo(folder, "explorer.py") as address:
        page = browser.new_page(viewport={"width": 1500, "height": 1300})
        page.goto(address)
        drawing = drawing_of(page.locator("body"))
        click_on(drawing, "C")
        expect(page.locator("[data-key=hF] .value")).to_have_text("0.50")
        expect(page.get_by_text("C P1 P2 give 0.5")).to_be_visible()
        page.get_by_role("button", name="true: P1").click()
        expect(page.locator("[data-key=hF] .value")).to_have_text("0.75")
        assert shown(drawing, "true") == ["P1"]
        page.close()
