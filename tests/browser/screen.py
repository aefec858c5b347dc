"""Gestures on the Explorer's screen, and the elements seen there."""

import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page, expect

from hiermeasures.measures import CATALOGUE

PATIENCE = 30  # seconds
CORE = ("hF", "F_LCA", "MGIA", "GIE", "hP", "hR", "f1", "accuracy")


def go_to(page: Page, place: str, part: str = "") -> None:
    """Go to a place of the menu, and to one of its pages by the word on its switch."""
    page.get_by_role("link", name=place, exact=True).click()
    if part:
        page.get_by_role("radio", name=part, exact=True).click()


def graph(page: Page) -> Locator:
    return page.locator(".hm-graph").first


def place_of(page: Page, label: str) -> dict[str, float]:
    """Where a class is on the page, in pixels."""
    place = graph(page).evaluate("(element, label) => element.graph.locate(label)", label)
    assert place is not None, f"{label!r} is not drawn"
    return place


def box_of(place: Locator) -> dict[str, float]:
    """Where something is on the page, in pixels, once the app rests: what is being drawn anew has
    none.
    """
    rests(place.page)
    expect(place).to_be_visible()
    box = place.bounding_box()
    assert box is not None
    return {side: float(box[side]) for side in ("x", "y", "width", "height")}


def click_class(page: Page, label: str) -> None:
    """Click on a class once the drawing has come to rest: one that still moves is missed."""
    stands_still(page)
    click_at_once(page, label)


def click_at_once(page: Page, label: str) -> None:
    place = place_of(page, label)
    page.mouse.click(place["x"], place["y"])


def placement(page: Page) -> dict[str, Any]:
    """Positions of all classes, zoom, and the middle of the view."""
    return graph(page).evaluate("element => element.graph.placement()")


def value(page: Page, key: str) -> Locator:
    """The cell with a measure's value."""
    return measure(page, key).locator(".value")


def measure(page: Page, key: str) -> Locator:
    """The row of a measure; all measures are listed for one that is not in the core."""
    everything = control(page, "all_measures").filter(has_text=f"All {len(CATALOGUE)} measures")
    row = page.locator(f'.hm-values button[data-key="{key}"]')
    expect(row.or_(everything).first).to_be_attached()
    if key not in CORE and everything.count():
        everything.dispatch_event("click")
        expect(everything).to_have_count(0)
    return row


def legend(page: Page) -> list[str]:
    return page.locator(".hm-graph .legend li").all_inner_texts()


def control(page: Page, key: str) -> Locator:
    """A control of the Explorer, by its key."""
    return page.locator(f'.hiermeasures [data-key="{key}"]:not(.component)')


def classes(page: Page, side: str) -> Locator:
    """The field for the classes of a side."""
    return control(page, f"{side}_classes")


def chosen(page: Page, side: str) -> Locator:
    """The classes in it."""
    return classes(page, side).locator(".chips button")


def enter_class(page: Page, side: str, label: str) -> None:
    """Type a class into it."""
    field = classes(page, side).locator("input")
    field.fill(label)
    field.press("Enter")
    expect(chosen(page, side).filter(has_text=label)).to_have_count(1)


def pick(page: Page, switch: str, choice: str) -> None:
    """Choose one of the words of a switch."""
    page.get_by_role("radiogroup", name=switch).get_by_role("radio", name=choice).click()


def figure_button(page: Page) -> Locator:
    """The button that says which figure is shown and opens the menu of all."""
    return control(page, "figures").locator("> button")


def open_menu(page: Page, part: str) -> None:
    """Open a part of the menu "Draw or load"."""
    menu = page.get_by_role("dialog", name="Draw or load")
    if not menu.is_visible():
        page.get_by_role("button", name="Draw or load").click()
    choice = menu.get_by_role("radio", name=part, exact=True)
    choice.click()
    expect(choice).to_be_checked()
    rests(page)


def close_menu(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def paste_hierarchy(page: Page, text: str) -> None:
    open_menu(page, "Load")
    page.get_by_role("textbox", name="Paste a hierarchy").fill(text)
    page.get_by_role("button", name="Show the pasted hierarchy").click()


def upload_hierarchy(page: Page, file: Path) -> None:
    open_menu(page, "Load")
    page.locator("input[type=file]").set_input_files(file)


def until(place: Locator, test: str, argument: Any = None) -> None:
    """Look at every frame until a test, JavaScript of an element and an argument, holds."""
    frame = "await new Promise(requestAnimationFrame)"
    looked = f"async (element, argument) => {{ {frame}; return ({test})(element, argument); }}"
    deadline = time.monotonic() + PATIENCE
    while not place.evaluate(looked, argument):
        assert time.monotonic() < deadline, (
            f"for {PATIENCE} s it never held that {test} of {argument!r}"
        )


def is_drawn(page: Page, label: str) -> None:
    """Wait until a class is drawn; fails where it never is."""
    until(graph(page), "(element, label) => element.graph.locate(label) !== null", label)


def rests(page: Page) -> None:
    """Wait until the app runs no more. It must have begun: wait first for what the run shows."""
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    done = "(e) => (e.explorer?.page.outbox?.pending() ?? []).every(({ key }) => key === 'entered')"
    until(
        page.locator("body"), f"(body) => [...body.querySelectorAll('.hiermeasures')].every({done})"
    )


def stands_still(page: Page) -> None:
    """Wait until the app rests and the drawing has found its place."""
    rests(page)
    has_its_place(graph(page))


def has_its_place(drawing: Locator) -> None:
    """Wait until a drawing has not moved for ten frames."""
    until(
        drawing,
        """async (element) => {
            const before = JSON.stringify(element.graph.placement());
            for (let frame = 0; frame < 10; frame++) {
                await new Promise(requestAnimationFrame);
                if (JSON.stringify(element.graph.placement()) !== before) return false;
            }
            return true;
        }""",
    )


# --- drawing ------------------------------------------------------------------------------------


def drag(page: Page, start: str, end: str) -> None:
    """Drag with the mouse from one class to another."""
    here, there = place_of(page, start), place_of(page, end)
    page.mouse.move(here["x"], here["y"])
    page.mouse.down()
    page.mouse.move((here["x"] + there["x"]) / 2, (here["y"] + there["y"]) / 2)
    page.mouse.move(there["x"], there["y"])
    page.mouse.up()


def lines_box(page: Page) -> Locator:
    """The text box with a line per edge."""
    return page.get_by_role("textbox", name="Lines: parent child")


def edit(page: Page) -> None:
    """Turn to editing, and wait until the drawing has made room for the text box."""
    pick(page, "Click", "edit")
    expect(lines_box(page)).to_be_visible()
    stands_still(page)


def name_field(page: Page) -> Locator:
    """The field over a class in which it gets its name."""
    return graph(page).get_by_role("textbox", name="Name of the class")


def tool(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def undo(page: Page) -> Locator:
    return control(page, "undo")


def edit_message(page: Page) -> Locator:
    """Return the message on the drawing while editing."""
    return page.locator(".hm-graph .message")


def marked_stand_in_the_picture(page: Page) -> None:
    """Wait until every true and predicted class with all its ancestors is on the canvas, in letters
    one can read.
    """
    until(
        graph(page),
        """(element) => {
            const { scene, network, canvas } = element.graph, scale = network.getScale();
            const marked = scene.shapes.filter((s) => s.true === "class" || s.predicted === "class");
            const seen = new Set(marked.map((shape) => shape.id));
            for (const id of seen) for (const edge of scene.edges) if (edge.child === id) seen.add(edge.parent);
            const whole = [...seen].every((id) => {
                const { x, y } = network.canvasToDOM(network.getPosition(id));
                const half = (element.graph.halfWidthOf(id) + 4) * scale;
                return x - half >= 0 && x + half <= canvas.clientWidth && y >= 0 && y <= canvas.clientHeight;
            });
            return seen.size > 0 && whole && 16 * scale >= 12;
        }""",
    )
