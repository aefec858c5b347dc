"""A measure of one's own, from the first idea to the link that brings it back, in the browser."""

import pytest
from playwright.sync_api import Page, expect

from .screen import click_class, control, measure, rests, tool, until, value

BESIDE = """(panel) => {
    const box = (name) => panel.querySelector(name).getBoundingClientRect();
    const [field, choice] = [box("[data-key=own_name] input"), box("[data-key=own_better] .switch")];
    return Math.abs(field.bottom - choice.bottom) < 4 && choice.left > field.right;
}"""
MINE = "mine=0.5*hF + 0.5*F_LCA"


@pytest.mark.slow
def test_a_measure_of_ones_own_is_mended_added_watched_and_comes_back_with_a_reload(page: Page) -> None:
    page.get_by_role("button", name="Own").click()
    panel = page.get_by_role("dialog", name="Own")
    until(panel, BESIDE)  # name and direction stand in one line
    panel.get_by_label("Name", exact=True).fill("mine")
    expression = panel.get_by_role("textbox", name="Expression")
    expression.fill("0.5*hF + 0.5*F_LCB")
    tool(page, "Add").click()
    fault = control(page, "own_expression_fault")
    expect(fault).to_contain_text("0.5*hF + 0.5*F_LCB\n             ^^^^^", use_inner_text=True)
    expect(fault).to_contain_text("Unknown name 'F_LCB'; nearest known: 'F_LCA'.")

    expression.fill("0.5*hF + 0.5*F_LCA")
    tool(page, "Add").click()
    expect(panel.get_by_text("mine = 0.5*hF + 0.5*F_LCA")).to_be_visible()
    page.keyboard.press("Escape")
    expect(measure(page, MINE)).to_have_attribute("aria-pressed", "true")
    expect(value(page, MINE)).to_have_text("0.49")  # Figure 11(a): 0.5·4/7 + 0.5·0.4

    rests(page)
    click_class(page, "T1")
    expect(value(page, MINE)).to_have_text("0.71")  # 0.5·6/8 + 0.5·2/3
    expect(page.locator(".formula")).to_contain_text("0.75")
    rests(page)
    before = page.url
    page.reload()
    assert page.url == before
    expect(value(page, MINE)).to_have_text("0.71")
    expect(measure(page, MINE)).to_have_attribute("aria-pressed", "true")
