"""Clicking on the graph of Figure 11(a): the values follow, and the graph stays where it is."""

from playwright.sync_api import Page, expect

from .screen import click_at_once, placement, stands_still, value


def test_clicking_p2_off_and_on_changes_hierarchical_precision_and_moves_nothing(
    page: Page,
) -> None:
    # P_aug = {A, B, P1, P2}, T_aug = {A, B, T1}: 2/4; without P2 it is 2/3.
    expect(value(page, "hP")).to_have_text("0.50")
    stands_still(page)
    place = placement(page)
    for shown in ("0.67", "0.50", "0.67"):
        stands_still(page)
        click_at_once(page, "P2")
        expect(value(page, "hP")).to_have_text(shown)
        assert placement(page) == place
