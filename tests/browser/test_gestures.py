"""Gestures while every run of a page lasts a second longer: none is lost, none comes twice, and all
come in order.
"""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from hiermeasures import Hierarchy
from hiermeasures.draw.views import OPENING
from hiermeasures.explore.share_link import encoded
from hiermeasures.explore.shown import Shown

from .conftest import FIGURE, PROJECT, opened, served
from .screen import (
    chosen,
    click_class,
    drag,
    go_to,
    graph,
    is_drawn,
    lines_box,
    pick,
    place_of,
    rests,
    tool,
    undo,
    until,
)

SLOW_APP = """
import runpy, time
from streamlit.starlette import App
from hiermeasures.app.server import MIDDLEWARE
from hiermeasures.explore import screen
from hiermeasures.app.probabilities import view as probabilities

def slowly(draw):
    def drawn(*arguments):
        time.sleep(1)
        return draw(*arguments)
    drawn.slow = True
    return drawn

for page, early in ((screen, "data"), (probabilities, "_open")):
    if not hasattr(getattr(page, early), "slow"):
        setattr(page, early, slowly(getattr(page, early)))
if __name__ == "__main__":
    runpy.run_path({app!r}, run_name="__main__")
app = App(__file__, middleware=MIDDLEWARE)
"""
CLASSES = [f"c{i}" for i in range(1, 11)]
# Every state of the class in which it is painted, as it changes, frame by frame.
WATCH = """graph => {
    window.states = {};
    const look = () => {
        for (const { text, predicted } of graph.graph.scene.shapes) {
            const states = (window.states[text] ??= []);
            if (states.at(-1) !== predicted) states.push(predicted);
        }
        requestAnimationFrame(look);
    };
    look();
}"""
SAME_LINES = (
    "(box, lines) => box.value.split('\\n').filter(Boolean).toSorted().join() === lines.join()"
)


@pytest.fixture(scope="module")
def slow_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("slow")
    script = folder / "slow_app.py"
    script.write_text(SLOW_APP.format(app=str(PROJECT / "app.py")))
    with served(str(script), folder / "log") as address:
        yield address


@pytest.fixture
def star(window: Page, slow_address: str) -> Iterator[Page]:
    """A root with ten children, of which none is marked."""
    shown = Shown.make(Hierarchy.from_edges([("R", c) for c in CLASSES]), (), (), title="star")
    with opened(window, f"{slow_address}?state={encoded(shown, OPENING)}") as page:
        is_drawn(page, "c10")
        rests(page)
        yield page


def do(page: Page, *actions: Callable[[], None]) -> None:
    """All of it, one thing 40 ms after the other."""
    for action in actions:
        action()
        page.wait_for_timeout(40)


def click(page: Page, label: str) -> Callable[[], None]:
    place = place_of(page, label)
    return lambda: page.mouse.click(place["x"], place["y"])


def press(button: Locator) -> Callable[[], None]:
    """A press with the mouse that waits for nothing."""
    box = button.bounding_box()
    assert box is not None
    return lambda: button.page.mouse.click(
        box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    )


def marked(page: Page) -> list[str]:
    """The classes that are painted as predicted now."""
    return graph(page).evaluate(
        "g => g.graph.scene.shapes.filter(s => s.predicted === 'class').map(s => s.text)"
    )


def settles(page: Page) -> None:
    """Wait until the page has applied every gesture and drawn what came of it."""
    if not page.locator(".hiermeasures").count():
        page.wait_for_function(
            "hiermeasuresPage.outbox.pending().every(({ key }) => key === 'entered')"
        )
    rests(page)


def expect_chosen(page: Page, side: str, *labels: str) -> None:
    """Which classes the field of a side has when the page rests."""
    settles(page)
    expect(chosen(page, side)).to_have_text([f"{label} ✕" for label in labels])


def test_of_ten_quick_clicks_none_is_lost_or_flickers_and_undo_takes_them_back_in_order(
    star: Page,
) -> None:
    graph(star).evaluate(WATCH)
    do(star, *(click(star, c) for c in CLASSES))
    assert marked(star) == CLASSES  # long before the page has answered
    expect_chosen(star, "predicted", *CLASSES)
    states = star.evaluate("states")
    assert all(states[c] == ["none", "class"] for c in CLASSES), states
    do(star, *[press(undo(star))] * 3)
    assert marked(star) == CLASSES  # only Python knows what was before
    expect_chosen(star, "predicted", *CLASSES[:7])
    assert marked(star) == CLASSES[:7]


@pytest.mark.slow
def test_edits_typed_and_drawn_while_the_page_runs_are_all_made_in_order(star: Page) -> None:
    pick(star, "Click", "edit")
    lines = lines_box(star)
    settles(star)
    click_class(star, "c1")
    expect(tool(star, "New child")).to_be_enabled()  # of the selected class
    settles(star)
    child = press(tool(star, "New child"))
    lines.fill(f"{lines.input_value()}\nR typed")
    drag(star, "c1", "c2")  # takes the text, draws an edge and selects its parent
    do(star, child, child)
    edges = [*(f"R {c}" for c in CLASSES), "R typed", "c1 c2", "c1 A", "c1 B"]
    until(lines, SAME_LINES, sorted(edges))
    for taken_back in (1, 2, 3, 4):  # the last first
        undo(star).click()
        until(lines, SAME_LINES, sorted(edges[:-taken_back]))


@pytest.mark.slow
def test_bars_and_classes_of_the_probability_tree(window: Page, slow_address: str) -> None:
    with opened(window, f"{slow_address}/{FIGURE}") as page:
        go_to(page, "Compare", "Scores")
        bars = {label: page.get_by_role("slider", name=f"Probability of {label}") for label in "35"}
        expect(bars["3"]).to_be_visible()
        settles(page)
        page.get_by_text("The probabilities as numbers").click()
        page.get_by_text("Siblings share the rest").click()  # off: an edit changes one number
        settles(page)
        bars["3"].press("ArrowRight")
        bars["5"].press("ArrowLeft")
        expect(bars["3"]).to_have_attribute("aria-valuenow", "0.21")
        expect(bars["5"]).to_have_attribute("aria-valuenow", "0.34")
        settles(page)
        undo_button = page.get_by_role("button", name="Undo")
        do(page, *[press(undo_button)] * 2)
        settles(page)
        expect(bars["3"]).to_have_attribute("aria-valuenow", "0.2")
        expect(bars["5"]).to_have_attribute("aria-valuenow", "0.35")
