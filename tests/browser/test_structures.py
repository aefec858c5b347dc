"""The structure behind a number, in a real browser: views, bounds, steps and tables."""

import pytest
from playwright.sync_api import Page, expect

from .screen import (
    click_class,
    figure_button,
    graph,
    is_drawn,
    legend,
    measure,
    paste_hierarchy,
    place_of,
    placement,
    rests,
    stands_still,
    until,
)


def open_figure(page: Page, name: str) -> None:
    painted = graph(page).get_attribute("data-painted") or ""
    figure_button(page).click()
    page.get_by_role("combobox", name="Find a figure").fill(name)
    page.get_by_role("option", name=name).first.click()
    expect(figure_button(page)).to_contain_text(name)
    expect(graph(page)).not_to_have_attribute("data-painted", painted)


def show(page: Page, view: str) -> None:
    switch = page.get_by_role("radiogroup", name="Show").get_by_role("radio", name=view, exact=True)
    if not switch.is_checked():
        painted = graph(page).get_attribute("data-painted") or ""
        switch.click()
        expect(switch).to_be_checked()
        expect(graph(page)).not_to_have_attribute("data-painted", painted)
    rests(page)


def choose(page: Page, key: str) -> None:
    measure(page, key).click()
    expect(measure(page, key)).to_have_attribute("aria-pressed", "true")


def see_badges(page: Page, **texts: str | None) -> None:
    """Wait until the classes have these texts at their corners on the canvas; None: none."""
    drawn = """(element, texts) => {
        const { shapes, badges } = element.graph.scene;
        const textOf = (id) => badges.find((badge) => badge.shape === id)?.text ?? null;
        const idOf = (label) => shapes.find((shape) => shape.title === label)?.id;
        return Object.keys(texts).every((label) => textOf(idOf(label)) === texts[label]);
    }"""
    until(graph(page), drawn, texts)


def test_stepping_through_lca_selection_on_figure_8b_with_the_keyboard(page: Page) -> None:
    open_figure(page, "Figure 8(b)")
    show(page, "LCA")
    see_badges(page, **{"3": "LCA", "3.2": "LCA"})
    before = placement(page)
    page.get_by_role("radio", name="step by step").click()
    forward = page.get_by_role("button", name="Forward")
    forward.focus()
    page.keyboard.press("Enter")
    see_badges(page, **{"3": "LCA", "3.2.1": "?"})
    page.keyboard.press("Enter")
    see_badges(page, **{"3.2.1": "LCA"})
    assert "what this step is about" in legend(page)
    page.get_by_role("button", name="Last").click()
    expect(forward).to_be_disabled()
    assert placement(page) == before


@pytest.mark.slow
def test_nothing_moves_from_view_to_view_but_where_a_view_would_be_cut(page: Page) -> None:
    open_figure(page, "Figure 4(c3)")
    before = placement(page)
    for view in (
        "classes",
        "descendants",
        "LCA",
        "pairing",
        "confusion",
        "counts",
        "distances",
        "ancestors",
    ):
        show(page, view)
        stands_still(page)
        now = placement(page)
        assert now["positions"] == before["positions"], view
        # links hang below the classes
        assert now == before or view in ("pairing", "distances"), view
        before = now


OTHERS = [pytest.param(f"Figure {n}", marks=pytest.mark.slow) for n in ("8(b)", "4(c3)")]


@pytest.mark.slow
@pytest.mark.parametrize("figure", ["Figure 15", *OTHERS])  # 15 fills the most room
def test_every_view_of_the_papers_figures_fits_on_one_screen(page: Page, figure: str) -> None:
    open_figure(page, figure)
    for view in ("ancestors", "LCA", "pairing", "confusion", "counts", "distances"):
        show(page, view)
        until(
            page.get_by_test_id("stMain"),
            "(e) => e.scrollHeight <= e.clientHeight",
            f"{figure}: {view}",
        )


def test_a_row_of_the_table_rings_its_classes_and_a_class_marks_its_rows(page: Page) -> None:
    open_figure(page, "Figure 8(b)")
    show(page, "LCA")
    row = page.locator(".hm-table tbody tr").filter(has_text="3.1 – 3 – 2.1; 3.1")
    row.hover()
    assert graph(page).evaluate("e => [...e.graph.pointed].sort()") == ["2.1", "3", "3.1", "3.3"]
    place = place_of(page, "3.3")
    page.mouse.move(place["x"] + 3, place["y"])
    page.mouse.move(place["x"], place["y"])
    expect(row).to_have_class("over")
    expect(page.locator(".vis-tooltip")).to_contain_text("true")


@pytest.mark.slow
def test_no_word_and_no_number_of_a_table_is_broken_into_two_lines(page: Page) -> None:
    below = "".join(f"c{i} c{i}/{j}\n" for i in range(70, 75) for j in range(2, 8))
    paste_hierarchy(page, "".join(f"root c{i}\n" for i in range(70, 75)) + below)
    is_drawn(page, "c74/7")
    page.keyboard.press("Escape")
    stands_still(page)
    for label in ("c74/7", "c71/2", "c73/4"):
        click_class(page, label)
    for view in ("ancestors", "counts"):
        show(page, view)
        for width in (1440, 768, 360):
            page.set_viewport_size({"width": width, "height": 900})
            rests(page)
            until(page.locator(".hm-table"), "(table) => table.querySelectorAll('td').length > 0")
            broken = page.locator(".hm-table").evaluate(
                """(table) => [...table.querySelectorAll("td .chip, td.number > span")]
                    .filter((item) => item.getClientRects().length > 1 || item.getBoundingClientRect().height > 32)
                    .map((item) => item.textContent)"""
            )
            assert broken == [], (view, width)
