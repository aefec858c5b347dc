"""How long the notebook's widget takes from a click on a class to the new picture: Figure 11(a) in a JupyterLab of its
own, in Chromium. Needs the extra `test` and a quiet machine.

    python -m benchmarks.widget
"""

import argparse
import json
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from tests.browser.conftest import QUIET, chromium
from tests.browser.notebooks import FIGURE_11A, jupyterlab, run_cell, write_notebook
from tests.browser.screen import has_its_place

LIMIT = 80.0  # milliseconds that the median may take
# Waits from the release of the mouse until the value that Python worked out is there and the frame with it was painted.
WATCH = """(drawing) => {
    const widget = drawing.getRootNode().host.getRootNode();
    const shown = widget.querySelector(".values").shadowRoot.querySelector("[data-key=hF] .value");
    const before = shown.textContent;
    window.timed = (async () => {
        const release = (heard) => window.addEventListener("pointerup", heard, { capture: true, once: true });
        const released = await new Promise((resume) => release(() => resume(performance.now())));
        while (shown.textContent === before) await new Promise((resume) => setTimeout(resume, 1));
        await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
        return performance.now() - released;
    })();
}"""


def measured(clicks: int) -> list[float]:
    """Milliseconds of so many clicks, each after the drawing has come to rest."""
    with tempfile.TemporaryDirectory() as name, jupyterlab(Path(name)) as address, sync_playwright() as playwright:
        write_notebook(Path(name) / "widget.ipynb", FIGURE_11A + "widget")
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        page = browser.new_page(viewport={"width": 1500, "height": 1300})
        page.goto(f"{address}/lab/tree/widget.ipynb")
        drawing = run_cell(page, 0).locator(".hm-graph[data-painted]")
        drawing.wait_for()
        taken = []
        for _ in range(clicks):
            has_its_place(drawing)
            place = drawing.evaluate("(element) => element.graph.locate('C')")
            drawing.evaluate(WATCH)
            page.mouse.click(place["x"], place["y"])
            taken.append(page.evaluate("window.timed"))
        browser.close()
        return taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--clicks", type=int, default=30)
    taken = sorted(measured(parser.parse_args().clicks))
    found = {"median": median(taken), "least": taken[0], "most": taken[-1], "limit": LIMIT}
    print(json.dumps({name: round(value, 1) for name, value in found.items()}))


if __name__ == "__main__":
    main()
