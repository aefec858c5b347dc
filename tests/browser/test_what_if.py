"""The mode What if on the screen: numbers below classes, a row that previews, a click that does the
edit, and undo.
"""

from playwright.sync_api import Page, expect

from .screen import box_of, graph, measure, until, value


def below(page: Page, label: str, text: str) -> None:
    """Wait until this is written below a class."""
    until(
        graph(page),
        """(element, [label, text]) => {
            const shape = element.graph.scene.shapes.find(({ title }) => title === label);
            return (element.graph.effects[shape.id]?.text ?? "") === text;
        }""",
        [label, text],
    )


def is_marked(page: Page, label: str, side: str, role: str) -> None:
    until(
        graph(page),
        "(element, [label, side, role]) => element.graph.scene.shapes.find((s) => s.title === "
        "label)[side] === role",
        [label, side, role],
    )


def test_the_edits_are_beside_the_drawing(page: Page) -> None:
    measure(page, "F_LCA").click()
    page.get_by_role("radio", name="what if").click()
    edits = box_of(page.locator(".hm-what-if"))
    drawing = box_of(graph(page))
    assert edits["x"] > drawing["x"] + drawing["width"]
    assert edits["y"] + edits["height"] < drawing["y"] + drawing["height"]
    until(page.locator(".hm-what-if"), "(e) => e.scrollWidth <= e.clientWidth")


def test_a_row_previews_and_a_click_does_it(page: Page) -> None:
    measure(page, "F_LCA").click()
    page.get_by_role("radio", name="what if").click()
    below(page, "C", "+.10 ▲")
    row = page.locator(".hm-what-if tbody tr").filter(
        has=page.get_by_role("button", name="+ C", exact=True)
    )
    row.hover()
    is_marked(page, "C", "predicted", "class")  # in the browser: Python has not heard of it
    expect(value(page, "F_LCA")).to_have_text("0.40")
    page.mouse.move(5, 5)
    is_marked(page, "C", "predicted", "none")

    # With the keyboard: from edit to edit, the question why, and the edit itself.
    page.locator(".hm-what-if button[tabindex='0']").focus()
    for _ in range(20):
        if row.locator(".do").evaluate("e => e === e.getRootNode().activeElement"):
            break
        page.keyboard.press("ArrowDown")
    is_marked(page, "C", "predicted", "class")
    page.keyboard.press("Escape")
    is_marked(page, "C", "predicted", "none")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Why would F_LCA rise with + C?")).to_be_visible()
    expect(page.get_by_text("C meets T1 in A, so A joins both graphs")).to_be_visible()
    row.locator(".do").click()
    expect(value(page, "F_LCA")).to_have_text("0.50")
    expect(page.get_by_text("Why did F_LCA rise with + C?")).to_be_visible()
