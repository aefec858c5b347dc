"""Clicking on the graph of Figure 11(a): the values follow, and the graph stays where it is."""

from playwright.sync_api import Page, expect

from hiermeasures.draw.palette import DARK, LIGHT

from .screen import click_at_once, graph, pick, placement, stands_still, until, value


def test_clicking_p2_off_changes_hierarchical_precision_within_half_a_second_and_moves_nothing(
    page: Page,
) -> None:
    """Half a second of processors; tests/explore/test_screen.py has Python's share."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})

    def seconds() -> float:
        metrics = devtools.send("Performance.getMetrics")["metrics"]
        return float(
            next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
        )

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


def css(colour: str) -> str:
    return f"rgb({', '.join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))})"


def test_the_menu_turns_the_page_dark_and_table_flow_figure_and_graph_take_the_palettes_colours(
    page: Page,
) -> None:
    # the browser keeps the choice, for the next test too
    for choice, tones in (("Dark", DARK), ("System", LIGHT)):
        page.get_by_test_id("stMainMenu").get_by_role("button").click()
        page.get_by_role("menuitemradio", name=choice).click()
        page.keyboard.press("Escape")
        pick(page, "Show", "ancestors")
        chip = page.locator(".hm-table .chip.true.predicted").first
        expect(chip).to_have_css("border-top-color", css(tones.both))
        pick(page, "Show", "pairing")
        for side in ("true", "predicted"):
            node = page.locator(f".hm-flow .node.{side} rect").first
            expect(node).to_have_css("stroke", css(getattr(tones, side)))
        theme = {side: getattr(tones, side) for side in ("true", "predicted", "both")}
        until(
            graph(page),
            "(e, theme) => Object.entries(theme).every(([side, c]) => e.graph.theme[side] === c)",
            theme,
        )
