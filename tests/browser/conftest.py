"""A real Streamlit server and Debian's Chromium for the browser tests; without either the tests
fail.
"""

import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

PROJECT = Path(__file__).resolve().parents[2]
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
VIEWPORT: ViewportSize = {"width": 1440, "height": 900}
# milliseconds; how long a state may take to come on a busy machine, never how long it does take
PATIENCE = 30_000
MAIN = '[data-testid="stMain"]'
# The browser of somebody who was here before, closed the welcome (graph/hint.js), and chose the tools
# for papers.
WELCOMED = """try {
    localStorage.setItem("hiermeasures-welcome", "closed");
    localStorage.setItem("hiermeasures-paper", "on");
} catch {}"""
FIGURE = "?figure=kosmopoulos2015/figure-11a"
expect.set_options(timeout=PATIENCE)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test here is marked `browser`, before tests are chosen by their marks."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker("browser")


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the app of this session runs."""
    with served("app.py", tmp_path_factory.mktemp("server") / "log") as address:
        yield address


@contextmanager
def served(script: str, log_file: Path) -> Iterator[str]:
    """A server for a script, on the settings that the app is shipped with, and where it runs."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        script,
        f"--server.port={port}",
        "--server.headless=true",
    ]
    with running(command, port, log_file, cwd=PROJECT):
        yield f"http://localhost:{port}"


@contextmanager
def running(
    command: list[str],
    port: int,
    log_file: Path,
    ready: str = "/_stcore/health",
    **surroundings: Any,
) -> Iterator[subprocess.Popen[str]]:
    """A server that a command starts, from when it answers (there to `ready`) until it ends."""
    log = log_file.open("w+")
    server = subprocess.Popen(
        command, stdout=log, stderr=subprocess.STDOUT, text=True, **surroundings
    )
    try:
        _wait_for(f"http://localhost:{port}{ready}", server, log)
        yield server
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:  # in the middle of a search
            server.kill()
        log.close()


def chromium() -> str:
    """Where Chromium is; the tests fail where it is not."""
    path = next((found for name in CHROMIUM_NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.fail(
            f"the browser tests need Chromium, and none of {', '.join(CHROMIUM_NAMES)} is on "
            f"the path"
        )
    return path


@contextmanager
def launched() -> Iterator[Browser]:
    """Chromium, until it is left. A process has one at a time; tests have the fixture `browser`."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """One for all tests: what the app has sent once need not be compiled again for every page."""
    context = browser.new_context(viewport=VIEWPORT)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WELCOMED)
    yield context
    context.close()


@pytest.fixture(scope="session")
def window(context: BrowserContext) -> Page:
    """One for all tests: to open another costs more than to open the app."""
    return context.new_page()


@pytest.fixture
def page(window: Page, address: str) -> Iterator[Page]:
    """The app on Figure 11(a): a session of its own, in the window of all tests."""
    with opened(window, f"{address}/{FIGURE}") as page:
        yield page


@pytest.fixture
def touched(browser: Browser, address: str) -> Iterator[Page]:
    """As `page`, on a phone."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WELCOMED)
    with opened(context.new_page(), f"{address}/{FIGURE}") as page:
        yield page
    context.close()


@pytest.fixture
def page_at(window: Page, address: str) -> Iterator[Callable[[str], Page]]:
    """As `page`, opened at a way below the app's address."""
    with ExitStack() as stack:
        yield lambda way: stack.enter_context(opened(window, f"{address}/{way}", MAIN))


@contextmanager
def opened(page: Page, address: str, there: str = ".hm-graph[data-painted]") -> Iterator[Page]:
    """The app in a page, once something is there. Requests to anywhere else and page errors fail
    the test, and so does a dialog.
    """
    faults: list[str] = []
    home = "/".join(address.split("/")[:3]).partition("?")[0]
    listeners: dict[str, Callable[[Any], object]] = {
        "request": lambda r: None if _at_home(r.url, home) else faults.append(f"asked for {r.url}"),
        "pageerror": lambda error: faults.append(f"page error: {error}"),
        "dialog": lambda dialog: (faults.append(f"dialog: {dialog.message}"), dialog.dismiss()),
    }
    for event, listener in listeners.items():
        page.on(event, listener)  # type: ignore[call-overload]
    page.mouse.move(0, 0)
    page.goto(address)
    try:
        expect(page.locator(there)).to_be_attached()
    except AssertionError as error:
        raise AssertionError(
            f"{there} did not come; {faults or 'no fault was heard of'}"
        ) from error
    yield page
    page.goto("about:blank")
    page.set_viewport_size(VIEWPORT)
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    assert not faults


def _at_home(url: str, home: str) -> bool:
    return url.startswith((home, home.replace("http", "ws"), "blob:", "data:"))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


def _wait_for(url: str, server: subprocess.Popen, log) -> None:  # type: ignore[no-untyped-def]
    for _ in range(300):
        if server.poll() is not None:
            log.seek(0)
            pytest.fail(f"the app did not start: {log.read()[-2000:]}")
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    pytest.fail("the app did not answer within a minute")
