"""From nothing to the first click: seconds until you see a value move, with only Python and a wheel.

    python benchmarks/fresh_install.py dist/hiermeasures-….whl [--python python3.13] [--no-cache]

The program makes an environment in an empty folder and installs the wheel with the extra `app`. It
starts `hiermeasures app`, opens the page in Chromium, and clicks P2 of Figure 11(a). Then hP is 0.67
instead of 0.50. At the end `hiermeasures verify` checks every published cell. You need playwright
and Chromium.
"""

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

HIDDEN = ("PYTHON", "STREAMLIT_", "HIERMEASURES_", "VIRTUAL_ENV")


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("wheel", type=Path)
    arguments.add_argument("--python", default="python3")
    arguments.add_argument("--no-cache", action="store_true")
    given = arguments.parse_args()
    around = {name: text for name, text in os.environ.items() if not name.startswith(HIDDEN)}
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        watch = Watch()
        subprocess.run([given.python, "-m", "venv", "env"], check=True)
        pip = ["env/bin/pip", "install", "-q", "--disable-pip-version-check", f"{given.wheel}[app]"]
        subprocess.run(
            [*pip, *(["--no-cache-dir"] if given.no_cache else [])], check=True, env=around
        )
        watch.lap("installed")
        quiet = {"HOME": name, "STREAMLIT_SERVER_HEADLESS": "true"}
        app = subprocess.Popen(
            ["env/bin/hiermeasures", "app"], env={**around, **quiet}, stdout=subprocess.PIPE
        )
        try:
            assert app.stdout is not None
            click(re.search(r"http://[^;\s]+", app.stdout.readline().decode())[0], watch)  # type: ignore[index]
        finally:
            app.terminate()
            app.wait(20)
        watch.lap("stopped")
        verified = subprocess.run(
            ["env/bin/hiermeasures", "verify"], check=True, capture_output=True, text=True
        )
        watch.lap(f"verified: {'; '.join(verified.stdout.splitlines()[-2:])}")


def click(address: str, watch: "Watch") -> None:
    """Open the app and click a class as soon as it is drawn."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(60_000)
        while True:
            try:
                page.goto(f"{address.rstrip('/')}/?figure=kosmopoulos2015/figure-11a")
                break
            except Exception:
                time.sleep(0.1)  # the server is not there yet
        watch.lap("page opened")
        graph, value = (
            page.locator(".hm-graph"),
            page.locator('.hm-values button[data-key="hP"] .value'),
        )
        expect(page.locator(".hm-graph[data-painted]")).to_be_attached(timeout=60_000)
        watch.lap("drawn")
        expect(value).to_have_text("0.50")
        place = graph.evaluate("element => element.graph.locate('P2')")
        page.mouse.click(place["x"], place["y"])
        expect(value).to_have_text("0.67", timeout=60_000)
        watch.lap("a click moved the values")
        chromium.close()


class Watch:
    """A watch that prints each step with its seconds."""

    def __init__(self) -> None:
        self.start = time.monotonic()

    def lap(self, what: str) -> None:
        print(f"{time.monotonic() - self.start:6.1f} s  {what}", flush=True)


if __name__ == "__main__":
    main()
