"""The page without a server, in a real browser: the first picture stands before Python is there, no
click is lost, the values are those of `explain`, and nothing is asked of anywhere else.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from hiermeasures import explain
from hiermeasures.draw.views import OPENING
from hiermeasures.explore import share_link
from hiermeasures.explore.library import figure, figures
from hiermeasures.explore.loading import story
from hiermeasures.page.build import Unreachable, server_of, write_page

from .conftest import PATIENCE, VIEWPORT, WELCOMED
from .notebooks import shown
from .screen import has_its_place, until
from .test_accessibility import AXE, FOUND

STORY = story().hierarchy
OTHER = "kosmopoulos2015/figure-15"
Visit = Callable[..., Page]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page, as `hiermeasures page` writes it. What is not ours is kept in the user's cache."""
    made = tmp_path_factory.mktemp("page") / "in" / "a sub-folder"
    try:
        write_page(made)
    except Unreachable as fault:
        pytest.skip(f"the page cannot be built here: {fault}")
    return made


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    with server_of(folder) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(scope="session")
def home(folder: Path) -> Iterator[str]:
    """Where the page is: in a sub-folder of a host."""
    with serving(folder.parents[1]) as address:
        yield f"{address}/in/a%20sub-folder/"


@pytest.fixture
def visit(browser: Browser, home: str) -> Iterator[Visit]:
    """Opens the page in a browser of its own, prepared by a function; requests to anywhere else,
    page errors, dialogs, and what the content security policy refuses fail the test.
    """
    faults: list[str] = []
    contexts: list[BrowserContext] = []

    def watch(page: Page) -> None:
        page.on("pageerror", lambda error: faults.append(f"page error: {error}"))
        page.on(
            "dialog", lambda dialog: (faults.append(f"dialog: {dialog.message}"), dialog.dismiss())
        )
        page.on(
            "console",
            lambda said: (
                faults.append(said.text) if "Content Security Policy" in said.text else None
            ),
        )

    def open_page(
        way: str = "", *, prepare: Callable[[BrowserContext], object] | None = None, **options: Any
    ) -> Page:
        context = browser.new_context(**{"viewport": VIEWPORT, **options})
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(WELCOMED)
        at_home = (home.split("/in/")[0], "blob:", "data:")
        context.on(
            "request",
            lambda r: None if r.url.startswith(at_home) else faults.append(f"asked for {r.url}"),
        )
        context.on("page", watch)
        if prepare is not None:
            prepare(context)
        page = context.new_page()
        page.goto(home + way)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults


class Held:
    """Requests for some files, which get no answer until they are let go."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.routes, self.free = pattern, list[Route](), False

    def __call__(self, context: BrowserContext) -> None:
        context.route(
            self.pattern,
            lambda route: route.continue_() if self.free else self.routes.append(route),
        )

    def release(self) -> None:
        self.free = True
        for route in self.routes:
            route.continue_()


def drawing(page: Page) -> Locator:
    found = page.locator(".hm-graph[data-painted]")
    expect(found).to_be_visible()
    return found


def ready(page: Page) -> None:
    """Wait until Python is there."""
    expect(page.locator("#progress")).to_be_hidden(timeout=4 * PATIENCE)
    expect(page.locator("#explorer")).not_to_have_attribute("inert", "")


def place(page: Page, label: str) -> tuple[float, float]:
    has_its_place(drawing(page))
    found = drawing(page).evaluate("(element, label) => element.graph.locate(label)", label)
    return found["x"], found["y"]


def click(page: Page, label: str) -> None:
    page.mouse.click(*place(page, label))


def value(page: Page, key: str) -> Locator:
    return page.locator(f".hm-values button[data-key={key}] .value")


def exact_values(page: Page) -> dict[str, float]:
    """The values of the table, in full. A row that a slow machine left out is chosen, which works its value out."""
    rows = page.locator(".hm-values button[data-key]")
    late = rows.filter(has=page.locator(".value", has_text=re.compile("^…$")))
    while late.count():
        key = late.first.get_attribute("data-key") or ""
        late.first.click()
        expect(value(page, key)).not_to_have_text("…")
    keys = rows.evaluate_all("rows => rows.map((row) => row.dataset.key)")
    return {key: float(value(page, key).inner_text()) for key in keys}


def explained(true: set[str], predicted: set[str], keys: Any) -> dict[str, float]:
    x = explain(STORY, true, predicted, dmax=5)
    return {key: float(f"{x[key]:.2f}") for key in keys}


def test_the_first_picture_stands_before_python_is_asked_for(visit: Visit) -> None:
    page = visit(prepare=Held("**/worker.js*"))
    assert shown(drawing(page), "predicted") == ["Eagle"]
    assert exact_values(page) == explained({"Penguin"}, {"Eagle"}, exact_values(page))
    expect(page.locator("#said")).to_have_text(
        "Loading Python. Your clicks will be carried out as soon as it is ready."
    )


def test_clicks_before_python_is_there_are_not_lost(visit: Visit) -> None:
    held = Held("**/pyodide-*/**")
    page = visit(prepare=held)
    for label in ("Dog", "Eagle", "Dog", "Penguin", "Dog"):
        click(page, label)
    assert shown(drawing(page), "predicted") == ["Dog", "Penguin"]  # marked at once
    expect(value(page, "hF")).to_have_text("0.50")  # the first click's, which is stored
    held.release()
    ready(page)
    # {Animal, Bird, Penguin} and these with {Mammal, Dog} share three: 2 · 3 / (3 + 5).
    expect(value(page, "hF")).to_have_text("0.75")
    assert shown(drawing(page), "predicted") == ["Dog", "Penguin"]
    assert exact_values(page) == explained({"Penguin"}, {"Dog", "Penguin"}, exact_values(page))


def test_the_first_click_has_its_values_before_python_is_asked_for(visit: Visit) -> None:
    page = visit(prepare=Held("**/worker.js*"))
    click(page, "Dog")
    # {Animal, Bird, Penguin} and {Animal, Bird, Eagle, Mammal, Dog} share two: 2 · 2 / (3 + 5).
    expect(value(page, "hF")).to_have_text("0.50")
    assert shown(drawing(page), "predicted") == ["Dog", "Eagle"]
    assert exact_values(page) == explained({"Penguin"}, {"Dog", "Eagle"}, exact_values(page))
    page.wait_for_url("**#state=1.*")


def test_a_true_class_has_its_values_before_python_is_asked_for(visit: Visit) -> None:
    page = visit(prepare=Held("**/worker.js*"))
    page.get_by_role("radio", name="◯ true").click()
    expect(page.get_by_role("radio", name="◯ true")).to_have_attribute("aria-checked", "true")
    click(page, "Cat")
    # {Animal, Bird, Penguin, Mammal, Cat} and {Animal, Bird, Eagle} share two: 2 · 2 / (5 + 3).
    expect(value(page, "hF")).to_have_text("0.50")
    assert exact_values(page) == explained({"Penguin", "Cat"}, {"Eagle"}, exact_values(page))


def test_the_welcome_leads_to_the_first_lesson_without_loading_again(visit: Visit) -> None:
    page = visit(
        prepare=lambda context: context.add_init_script(
            "try { localStorage.removeItem('hiermeasures-welcome') } catch {}"
        )
    )
    page.evaluate("globalThis.sameDocument = true")
    page.get_by_role("link", name="New to this? Start with lesson 1").click()
    expect(page.get_by_role("heading", name="Two wrong answers")).to_be_visible()
    assert page.evaluate("globalThis.sameDocument")
    page.wait_for_url("**/lessons.html#lesson=1&card=1")


def test_a_share_link_goes_there_and_back(visit: Visit, home: str) -> None:
    page = visit()
    ready(page)
    click(page, "Dog")
    expect(value(page, "hF")).to_have_text("0.50")
    page.wait_for_url("**#state=1.*")
    way = page.url.removeprefix(home)
    shared = share_link.decoded(way.removeprefix("#state="))
    assert shared.shown.classes("predicted") == {"Dog", "Eagle"}  # as the app reads it
    other = visit(way)
    ready(other)
    expect(value(other, "hF")).to_have_text("0.50")
    assert shown(drawing(other), "predicted") == ["Dog", "Eagle"]
    page.go_back()
    expect(value(page, "hF")).to_have_text("0.67")
    page.go_forward()
    expect(value(page, "hF")).to_have_text("0.50")


@pytest.mark.parametrize("short", [True, False])
def test_a_link_of_the_app_opens_and_moves_behind_the_hash(
    visit: Visit, home: str, short: bool
) -> None:
    word = f"state={share_link.encoded(figure(OTHER), OPENING)}"
    page = visit(f"?figure={OTHER}" if short else f"?{word}")
    # the story, which was not asked for
    expect(page.locator("#explorer")).to_have_attribute("inert", "")
    ready(page)
    page.wait_for_url(f"{home}#figure={OTHER}")
    until(
        drawing(page),
        "(element, true_) => true_.every((c) => element.graph.locate(c))",
        sorted(figure(OTHER).selected),
    )
    assert shown(drawing(page), "true") == sorted(figure(OTHER).classes("true"))
    expect(page.locator("#explorer")).not_to_have_attribute("inert", "")


def test_without_webassembly_it_is_a_picture_and_a_sentence(visit: Visit) -> None:
    page = visit(prepare=lambda context: context.add_init_script("delete globalThis.WebAssembly"))
    assert shown(drawing(page), "predicted") == ["Eagle"]
    expect(page.locator("#said")).to_contain_text("This browser has no WebAssembly")
    expect(page.locator("#explorer")).to_have_attribute("inert", "")
    assert not page.workers


def test_files_that_are_missing_leave_the_picture_and_a_sentence(visit: Visit) -> None:
    page = visit(
        prepare=lambda context: context.route(
            "**/pydantic-*", lambda route: route.fulfill(status=404)
        )
    )
    expect(page.locator("#said")).to_contain_text(
        "Python could not be loaded", timeout=4 * PATIENCE
    )
    assert shown(drawing(page), "predicted") == ["Eagle"]


KEPT = """async () => [
    document.cookie, Object.keys(localStorage).sort(), Object.keys(sessionStorage),
    await indexedDB.databases(), await caches.keys(), await navigator.serviceWorker.getRegistrations(),
]"""


def test_nothing_is_kept_but_that_the_welcome_was_closed_and_the_tools_for_papers(
    visit: Visit,
) -> None:
    """As docs/what-stays-with-you.md says."""
    page = visit()
    ready(page)
    click(page, "Dog")
    expect(value(page, "hF")).to_have_text("0.50")
    assert page.evaluate(KEPT) == [
        "",
        ["hiermeasures-paper", "hiermeasures-welcome"],
        [],
        [],
        [],
        [],
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(visit: Visit, scheme: str) -> None:
    page = visit(prepare=Held("**/worker.js*"), color_scheme=scheme, reduced_motion="reduce")
    has_its_place(drawing(page))
    page.evaluate(AXE)
    assert page.evaluate(FOUND) == []


def test_a_hang_is_ended_and_what_was_shown_is_restored(visit: Visit) -> None:
    def hanging(route: Route) -> None:
        """The worker never ends a change of the view."""
        answer = route.fetch()
        never = """addEventListener("message", ({ data }) => { while (data.content?.includes('"key":"view"')); });"""
        route.fulfill(response=answer, body=never + answer.text())

    page = visit(prepare=lambda context: context.route("**/worker.js*", hanging))
    ready(page)
    click(page, "Dog")
    expect(value(page, "hF")).to_have_text("0.50")
    page.get_by_role("radio", name="LCA").click()
    expect(page.locator("#said")).to_contain_text("stopped", timeout=4 * PATIENCE)
    expect(page.locator("#explorer")).not_to_have_attribute("inert", "")
    expect(page.get_by_role("radio", name="ancestors")).to_have_attribute("aria-checked", "true")
    assert shown(drawing(page), "predicted") == ["Dog", "Eagle"]
    click(page, "Dog")
    expect(value(page, "hF")).to_have_text("0.67")


def test_embedded_it_is_the_drawing_and_the_values_in_a_frame_of_its_height(
    visit: Visit, home: str
) -> None:
    def course(context: BrowserContext) -> None:
        """A page of somebody else's, with the Explorer in a frame."""
        frame = f'<iframe src="{home}?embed" style="width: 700px; height: 100px"></iframe>'
        body = f'<h1>Course</h1>{frame}<script src="{home}embed.js"></script>'
        context.route(
            "**/course.html", lambda route: route.fulfill(body=body, content_type="text/html")
        )

    page = visit("course.html", prepare=course)
    frame = page.frame_locator("iframe")
    expect(frame.locator(".hm-graph[data-painted]")).to_be_visible()
    expect(frame.locator(".hm-values")).to_be_visible()
    expect(frame.locator("header")).to_be_hidden()
    expect(frame.get_by_role("button", name="Undo")).to_have_count(0)
    expect(frame.locator("#progress")).to_be_hidden(timeout=4 * PATIENCE)
    until(
        page.locator("iframe"),
        """(frame) => {
            const body = frame.contentDocument.body;
            return frame.clientHeight >= body.offsetHeight && frame.clientHeight < body.offsetHeight + 20;
        }""",
    )
    assert page.locator("iframe").bounding_box()["height"] > 300  # type: ignore[index]


# --- the same numbers ---------------------------------------------------------------------------

EVERYTHING = """
import json, math
from hiermeasures.explore.library import library
from hiermeasures.measures import CATALOGUE
json.dumps({key: {m: repr(case.explain()[m]) for m in CATALOGUE} for key, case in library().cases.items()})
"""
IN_PYODIDE = """async ([code, { begin }]) => {
    const { loadPyodide } = await import(`./${begin.core}/pyodide.mjs`);
    const pyodide = await loadPyodide({ indexURL: `./${begin.core}/`, lockFileContents: begin.lock });
    for (const wheel of [...begin.wheels, begin.later]) {
        pyodide.unpackArchive(await (await fetch(wheel)).arrayBuffer(), "wheel");
    }
    return pyodide.runPython(code);
}"""


def test_every_measure_of_every_figure_is_what_it_is_in_python(visit: Visit, folder: Path) -> None:
    """Within what the two C libraries round differently."""
    page = visit(prepare=Held("**/worker.js*"))
    drawing(page)
    settings = json.loads((folder / "first.json").read_text("utf-8"))["settings"]
    theirs = json.loads(page.evaluate(IN_PYODIDE, [EVERYTHING, settings]))
    assert set(theirs) == set(figures())
    for key, found in theirs.items():
        x = figure(key).explained()
        assert {m: float(text) for m, text in found.items()} == pytest.approx(
            {m: x[m] for m in found}, rel=1e-12, nan_ok=True
        ), key
