"""The structure behind a number, in a real browser: views, bounds, steps and tables."""

from playwright.sync_api import Page, expect

from .screen import figure_button, graph, legend, measure, placement, rests, until


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
    assert "the classes of this step" in legend(page)
    page.get_by_role("button", name="Last").click()
    expect(forward).to_be_disabled()
    assert placement(page) == before
