"""The menu of figures in a real browser: what is typed finds, the keys choose, and what is printed
leads on.
"""

from playwright.sync_api import Page, expect

from .screen import figure_button


def test_a_figure_is_found_by_topic_or_number_and_opened_without_a_mouse(page: Page) -> None:
    figure_button(page).focus()
    page.keyboard.press("Enter")
    find = page.get_by_role("combobox", name="Find a figure")
    expect(find).to_be_focused()
    page.keyboard.type("distance long")
    options = page.get_by_role("dialog").get_by_role("option")
    expect(options).to_have_count(4)  # Figures 2(e), 17(a) and 17(b), and hit and slap
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("dialog").get_by_role("option", selected=True)).to_contain_text(
        "Figure 17(a)"
    )
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(figure_button(page)).to_contain_text("Figure 17(a): The hierarchy as it is")
    expect(figure_button(page)).to_be_focused()
    page.keyboard.press("Control+z")
    expect(figure_button(page)).to_contain_text("Figure 11(a)")
