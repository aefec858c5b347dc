"""Pages that are open and left alone ask the server for nothing and cost it nothing."""

import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack

import psutil
import pytest
from playwright.sync_api import BrowserContext

from benchmarks.sessions import server
from hiermeasures.app.pages import PLACES, SHOW
from tests.browser.conftest import MAIN, PROJECT, opened
from tests.browser.screen import rests

# in `.venv`; their events overflow inotify's queue of 16,384, whose watcher then begins anew for
# ever
FOLDERS = 8_000
SHARE = 5  # per cent of a core
SECONDS = 5  # of quiet that are waited for
PATIENCE = 120  # seconds; where the kernels have still to be compiled, pages ask until they are
HEARD = """{ const send = WebSocket.prototype.send; window.asked = performance.now();
WebSocket.prototype.send = function (message) { window.asked = performance.now(); send.call(this, message); }; }"""


@pytest.fixture
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, psutil.Process]]:
    """The app as README lays it out, its environment beside it: its address and its process."""
    clone = tmp_path_factory.mktemp("clone")
    shutil.copy(PROJECT / "app.py", clone)
    for number in range(FOLDERS):
        (clone / ".venv" / str(number)).mkdir(parents=True)
    with server(str(clone / "app.py")) as (address, pid):
        yield address.replace("ws://", "http://").partition("/_stcore")[0], psutil.Process(pid)
    shutil.rmtree(clone)


@pytest.mark.slow
def test_every_page_left_alone_asks_for_nothing_and_takes_no_processor_time(
    context: BrowserContext, started: tuple[str, psutil.Process]
) -> None:
    address, process = started
    with ExitStack() as stack:
        addresses = [f"{place}?{SHOW}={key}" for place, pages in PLACES.items() for key in pages]
        tabs = {name: context.new_page() for name in addresses}
        for name, tab in tabs.items():
            stack.callback(tab.close)
            tab.add_init_script(HEARD)
            rests(stack.enter_context(opened(tab, f"{address}/{name}", MAIN)))
        deadline = time.monotonic() + PATIENCE
        while True:
            share = process.cpu_percent(SECONDS)
            silent = {
                n: tab.evaluate("(performance.now() - window.asked) / 1000")
                for n, tab in tabs.items()
            }
            if share < SHARE and min(silent.values()) > SECONDS:
                break
            assert time.monotonic() < deadline, (
                f"{share} % of a core; seconds without a message: {silent}"
            )
