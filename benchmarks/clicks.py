"""Time from a click on a class until the new numbers are painted.

The instance is Figure 11(a), in Chromium: in the app, in a new JupyterLab, and on the static page.
You need the extra `test` and a quiet machine.

    python -m benchmarks.clicks [app] [notebook] [page] [--clicks 40]
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Locator, Page, sync_playwright

from benchmarks.sessions import server
from hiermeasures.page.build import write_page
from tests.browser.conftest import QUIET, chromium
from tests.browser.notebooks import FIGURE_11A, jupyterlab, run_cell, write_notebook
from tests.browser.screen import has_its_place
from tests.browser.test_page import serving

WARM_UP = 5
# Waits from the release of the mouse until the value from Python is there and its frame is painted.
WATCH = """(drawing) => {
    const explorer = drawing.getRootNode().host.getRootNode();
    const shown = explorer.querySelector(".component.values").shadowRoot.querySelector("[data-key=hF] .value");
    const before = shown.textContent;
    window.timed = (async () => {
        const release = (heard) => window.addEventListener("pointerup", heard, { capture: true, once: true });
        const released = await new Promise((resume) => release(() => resume(performance.now())));
        await new Promise((resume) => {
            const changed = new MutationObserver(() => {
                if (shown.textContent === before) return;
                changed.disconnect();
                resume();
            });
            changed.observe(shown, { childList: true, characterData: true, subtree: true });
        });
        await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
        return performance.now() - released;
    })();
}"""


@contextmanager
def in_app(page: Page) -> Iterator[Locator]:
    """The drawing in the app."""
    with server() as (address, _):
        page.goto(address.replace("ws:", "http:").removesuffix("/_stcore/stream"))
        yield page.locator(".hm-graph[data-painted]")


@contextmanager
def in_notebook(page: Page) -> Iterator[Locator]:
    """The drawing in JupyterLab."""
    with tempfile.TemporaryDirectory() as name, jupyterlab(Path(name)) as address:
        write_notebook(Path(name) / "widget.ipynb", FIGURE_11A + "widget")
        page.goto(f"{address}/lab/tree/widget.ipynb")
        yield run_cell(page, 0).locator(".hm-graph[data-painted]")


@contextmanager
def in_page(page: Page) -> Iterator[Locator]:
    """The drawing on the static page, with Python in its worker."""
    with tempfile.TemporaryDirectory() as name:
        write_page(Path(name))
        with serving(Path(name)) as address:
            page.goto(address)
            page.locator("#progress").wait_for(state="hidden", timeout=120_000)
            yield page.locator(".hm-graph[data-painted]")


HOSTS: dict[str, Callable[..., Iterator[Locator]]] = {
    "app": in_app,  # type: ignore[dict-item]
    "notebook": in_notebook,  # type: ignore[dict-item]
    "page": in_page,  # type: ignore[dict-item]
}


def measured(browser: Browser, host: str, clicks: int) -> list[float]:
    """Return the milliseconds of each click. Every click waits until the drawing is at rest."""
    page = browser.new_page(viewport={"width": 1500, "height": 1300})
    taken = []
    with HOSTS[host](page) as drawing:  # type: ignore[attr-defined]
        drawing.wait_for(timeout=120_000)
        for _ in range(WARM_UP + clicks):
            has_its_place(drawing)
            place = drawing.evaluate("({ graph }) => graph.locate('C') ?? graph.locate('Dog')")
            drawing.evaluate(WATCH)
            page.mouse.click(place["x"], place["y"])
            taken.append(page.evaluate("window.timed"))
    page.close()
    return taken[WARM_UP:]


def main() -> None:
    """Print the median, the 80th percentile and the maximum of each host."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("hosts", nargs="*", default=list(HOSTS), choices=[*HOSTS, []])
    parser.add_argument("--clicks", type=int, default=40)
    given = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        for host in given.hosts:
            taken = sorted(measured(browser, host, given.clicks))
            found = {
                "median": median(taken),
                "80 % within": taken[len(taken) * 4 // 5],
                "most": taken[-1],
            }
            print(host, json.dumps({name: round(value, 1) for name, value in found.items()}))
        browser.close()


if __name__ == "__main__":
    main()
