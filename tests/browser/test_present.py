"""Present: by keys in front of a class, readable in the last row, and back to its beginning."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from hiermeasures.app.learn.model import lesson_word
from hiermeasures.teach import Lesson, load_lessons

from .screen import click_class, graph, rests, stands_still, until, value
from .test_learn import focus_on_drawing, verdict

SMALLEST = """(page) => {
    const texts = [];
    const look = (root) => {
        for (const e of root.querySelectorAll("*")) {
            if (e.shadowRoot) look(e.shadowRoot);
            const own = [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim());
            if (own && e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length
                && !e.matches("style, script")) texts.push(parseFloat(getComputedStyle(e).fontSize));
        }
    };
    look(page);
    return Math.min(...texts);
}"""
CARD = "{{title: {title}, case: kosmopoulos2015/figure-11a, question: {question}}}"
LESSON = "lesson: Two cards\nlearns: Keys.\nminutes: 1\ncards:" + "".join(
    f"\n  - {CARD.format(title=title, question=question)}"
    for title, question in (
        ("A value", "{kind: value, value: hF, answer: 4/7}"),
        ("A set", "{kind: click, set: augmented(true), answer: A B T1}"),
    )
)
# letters of classes and badges on the canvas, in pixels
DRAWN = "(element) => 16 * element.graph.network.getScale()"


def row(page: Page, key: str) -> Locator:
    return page.locator(f'.hm-present .row[data-key="{key}"]')


def test_p_presents_enter_reveals_and_escape_comes_back(page: Page) -> None:
    click_class(page, "C")
    expect(value(page, "hF")).to_have_text("0.50")  # {A, B, T1} against {A, B, C, P1, P2}: 2·2/8
    stands_still(page)
    address = page.url
    page.keyboard.press("p")
    expect(row(page, "hF")).to_contain_text("▒▒▒▒")
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    for size, least in (((1280, 720), 16), ((1920, 1080), 28)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        main = page.get_by_test_id("stMain")
        until(main, "(e) => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")
        until(graph(page), f"(element) => ({DRAWN})(element) >= {least}")
        assert page.get_by_test_id("stApp").evaluate(SMALLEST) >= least
    page.keyboard.press("Enter")
    expect(row(page, "hF")).to_contain_text("0.50")
    expect(row(page, "GIE")).to_contain_text("▒▒▒▒")
    page.keyboard.press("a")
    expect(row(page, "GIE")).not_to_contain_text("▒")
    page.wait_for_url("**revealed=1", wait_until="commit")
    page.keyboard.press("Escape")
    expect(value(page, "hF")).to_have_text("0.50")
    rests(page)
    assert page.url == address
    page.evaluate("history.back()")
    expect(row(page, "GIE")).not_to_contain_text("▒")


def test_a_drawing_takes_keys_while_its_card_is_answered_on_it_and_no_longer(
    page_at: Callable[[str], Page],
) -> None:
    page = page_at(f"learn?own={lesson_word(LESSON)}&card=1&present=1")
    expect(page.get_by_role("heading", name="A value")).to_be_visible()
    stands_still(page)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="A set")).to_be_visible()
    stands_still(page)
    focus_on_drawing(page)
    for key in ("Home", "Enter", "ArrowDown", "Enter", "Escape"):  # the root, and its first child
        page.keyboard.press(key)
    page.get_by_role("button", name="Check").click()
    expect(verdict(page)).to_have_text("✗ Not right: A, B")
    click_class(page, "C")
    page.get_by_role("button", name="Check").click()
    expect(verdict(page)).to_have_text("✗ Not right: A, B, C")
    expect(page.get_by_role("application")).to_have_count(0)
    click_class(page, "B")  # marks nothing, and is no fault of the page


@pytest.mark.slow
@pytest.mark.parametrize("lesson", load_lessons().lessons, ids=lambda lesson: lesson.key)
@pytest.mark.parametrize("revealed", ["", "&revealed=1"], ids=["asked", "revealed"])
def test_every_card_fits_a_projector(
    lesson: Lesson, revealed: str, page_at: Callable[[str], Page]
) -> None:
    page = page_at(f"learn?lesson={lesson.key}&card=1")
    page.set_viewport_size({"width": 1920, "height": 1080})
    for number, card in enumerate(lesson.cards, 1):
        page.goto(
            page.url.split("?")[0] + f"?lesson={lesson.key}&card={number}&present=1{revealed}"
        )
        expect(page.get_by_role("heading", name=card.title, exact=True)).to_be_visible()
        stands_still(page)
        for drawing in page.locator(".hm-graph").all():
            until(drawing, f"(element) => ({DRAWN})(element) >= 27.99")
        for part in (page.locator(".stage-said"), page.locator(".stage")):
            until(part, "(e) => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")
        assert page.get_by_test_id("stApp").evaluate(SMALLEST) >= 28
