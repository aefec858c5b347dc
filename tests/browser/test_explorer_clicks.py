"""Clicking on the graph of Figure 11(a): the values follow, and the graph stays where it is."""

from playwright.sync_api import Page, expect

from .screen import click_at_once, graph, placement, stands_still, value


def test_clicking_p2_off_changes_hierarchical_precision_within_half_a_second_and_moves_nothing(page: Page) -> None:
    """Half a second of processors; tests/explorer/test_screen.py has Python's share."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def seconds() -> float:
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return float(next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration"))

    # P_aug = {A, B, P1, P2}, T_aug = {A, B, T1}: 2/4; without P2 it is 2/3.
    expect(value(page, "hP")).to_have_text("0.50")
    stands_still(page)
    spent, place = [], placement(page)
    for shown in ("0.67", "0.50", "0.67"):
        stands_still(page)
        before = seconds()
        click_at_once(page, "P2")
        expect(value(page, "hP")).to_have_text(shown)
        spent.append(seconds() - before)
        assert placement(page) == place
    devtools.detach()
    assert 0 < min(spent) < 0.4, spent


def test_the_menu_turns_the_page_dark_and_the_figure_with_it(page: Page) -> None:
    words = graph(page).evaluate("figure => getComputedStyle(figure).color")
    for choice, as_before in (("Dark", False), ("System", True)):  # the browser keeps the choice, for the next test too
        page.get_by_test_id("stMainMenu").get_by_role("button").click()
        page.get_by_role("menuitemradio", name=choice).click()
        colour = expect(graph(page))
        colour.to_have_css("color", words) if as_before else colour.not_to_have_css("color", words)
        page.keyboard.press("Escape")
