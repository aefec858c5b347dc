"""Terms of the formula light up: the mouse, the keyboard and a finger show their classes."""

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import VIEWPORT
from .screen import graph, measure, place_of, rests, stands_still, until
from .test_accessibility import clean
from .test_page import Visit, folder, home, visit  # noqa: F401


def term(page: Page, key: str) -> Locator:
    return page.locator(f"[data-term={key}]").first


def glow(page: Page, *labels: str) -> None:
    """Wait until exactly these classes glow in the drawing."""
    test = "(e, labels) => [...e.graph.pointed].sort().join() === labels.join()"
    until(graph(page), test, sorted(labels))


def lit(page: Page, *keys: str) -> None:
    """Wait until exactly these terms are lit."""
    test = """(e, keys) => {
        const all = [...e.getRootNode().querySelectorAll("[data-term].lit")].map((part) => part.dataset.term);
        return [...new Set(all)].sort().join() === keys.join();
    }"""
    until(page.locator(".formula").first, test, sorted(keys))


def test_the_mouse_over_a_term_shows_its_classes_and_over_a_class_its_terms(page: Page) -> None:
    stands_still(page)
    term(page, "shared").hover()
    glow(page, "A", "B")
    lit(page, "shared")
    expect(page.locator("[data-term=shared].lit")).to_have_count(2)  # the symbol and its number
    page.mouse.move(5, 5)
    glow(page)
    lit(page)
    place = place_of(page, "T1")
    page.mouse.move(place["x"], place["y"])
    lit(page, "true")
    place = place_of(page, "B")
    page.mouse.move(place["x"], place["y"])
    lit(page, "predicted", "shared", "true")
    page.mouse.move(5, 5)
    lit(page)


def test_the_keyboard_stops_once_at_each_term_and_reads_its_classes(page: Page) -> None:
    rests(page)
    page.get_by_role("button", name="2 classes in both sets: A, B", exact=True).focus()
    glow(page, "A", "B")
    lit(page, "shared")
    page.keyboard.press("Tab")
    glow(page, "A", "B", "P1", "P2")
    page.keyboard.press("Tab")
    glow(page, "A", "B", "T1")
    page.keyboard.press("Tab")  # the numbers are the same terms
    expect(page.locator("button.term:focus")).to_have_count(0)
    clean(page, "the formula's terms")


def test_a_tap_shows_the_classes_of_a_term(touched: Page) -> None:
    rests(touched)
    term(touched, "true").tap()
    glow(touched, "A", "B", "T1")
    touched.get_by_role("heading", name="Hierarchical F1").tap()
    glow(touched)


def test_a_pair_lights_up_and_a_new_formula_lets_it_go(page: Page) -> None:
    measure(page, "GIE").click()
    term(page, "pair0").hover()
    glow(page, "P1", "T1")
    measure(page, "hP").click()
    expect(term(page, "shared")).to_be_visible()
    glow(page)


@pytest.mark.slow
def test_the_page_lights_up_terms_as_the_app_does(visit: Visit) -> None:  # noqa: F811
    page = visit(viewport=VIEWPORT)
    term(page, "shared").hover()
    until(graph(page), "(e) => e.graph.pointed.size > 0")
    lit(page, "shared")
