"""Time of the static page from the click on its link to the first picture, and to ready Python.

It is measured in Chromium with an empty cache, from a server on this machine. You need the extra
`test`.

    python -m benchmarks.page_start [--times 10]
"""

import argparse
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from hiermeasures.page.build import write_page
from tests.browser.conftest import QUIET, VIEWPORT, chromium
from tests.browser.test_page import serving

MARKS = ("drawn", "ready")  # page.js sets them
SINCE_START = "(name) => performance.getEntriesByName(`hiermeasures-${name}`)[0]?.startTime"


def started(browser: Browser, address: str) -> list[float]:
    """Return the milliseconds until each mark, in a browser without a cache."""
    context = browser.new_context(viewport=VIEWPORT)
    page = context.new_page()
    page.goto(address)
    page.locator("#progress").wait_for(state="hidden", timeout=120_000)
    taken = [page.evaluate(SINCE_START, mark) for mark in MARKS]
    context.close()
    return taken


def main() -> None:
    """Print the median and the maximum of each mark."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=10)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        write_page(Path(name))
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        with serving(Path(name)) as address:
            taken = [started(browser, address) for _ in range(given.times)]
        browser.close()
    for mark, times in zip(MARKS, zip(*taken, strict=True), strict=True):
        print(f"{mark}: median {median(times):.0f} ms, most {max(times):.0f} ms")


if __name__ == "__main__":
    main()
