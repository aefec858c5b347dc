"""The page Scores with a mouse and keys: threshold, bars and classes of the tree."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from .screen import box_of, go_to, rests


@pytest.fixture
def probabilities(page: Page) -> Page:
    """Figure 3 of Plaud et al. 2024, threshold 0.3, truth 3."""
    go_to(page, "Compare", "Scores")
    expect(page.get_by_role("slider", name="Probability of 5")).to_be_visible()
    page.get_by_text("Predictions by a rule, with their values").click()
    expect(page.get_by_role("combobox", name="Prediction rule")).to_be_visible()
    rests(page)  # a list that is open while its field is drawn again closes
    page.get_by_role("combobox", name="Prediction rule").click()
    page.get_by_role("option", name="Threshold", exact=True).click()
    expect(page.get_by_text("Predicted {1, 5}")).to_be_visible()
    return page


def bar(page: Page, label: str) -> Locator:
    return page.get_by_role("slider", name=f"Probability of {label}")


def name(page: Page, label: str) -> Locator:
    return page.locator(f'.name[data-focus="name {label}"]')


def drag(page: Page, label: str, to: float) -> None:
    """Drag a bar to a share of its track."""
    track = box_of(bar(page, label).locator(".track"))
    middle = track["y"] + track["height"] / 2
    page.mouse.move(track["x"] + 2, middle)
    page.mouse.down()
    page.mouse.move(track["x"] + to * track["width"], middle, steps=5)
    page.mouse.up()


def test_a_dragged_bar_changes_the_probability_and_its_siblings_share_the_rest(
    probabilities: Page,
) -> None:
    drag(probabilities, "3", 0.5)
    expect(bar(probabilities, "3")).to_have_attribute("aria-valuenow", re.compile(r"0\.(49|5|51)$"))
    # What is left of 0.75 goes to 4 and 5 in the proportion 0.2 : 0.35, so that neither is above
    # 0.3.
    expect(probabilities.get_by_text("Predicted {1, 3}")).to_be_visible()
    probabilities.get_by_role("button", name="Undo").click()
    expect(bar(probabilities, "3")).to_have_attribute("aria-valuenow", "0.2")


def test_a_clicked_class_becomes_the_truth(probabilities: Page) -> None:
    probabilities.get_by_text("Curves over all thresholds").click()
    name(probabilities, "2").click()
    expect(name(probabilities, "2").locator(".ring.true")).to_have_count(1)
    expect(name(probabilities, "3").locator(".ring")).to_have_count(0)
    name(probabilities, "2").click()
    expect(
        probabilities.get_by_text("Choose a truth, above or by a click on a class")
    ).to_be_visible()


@pytest.mark.slow
def test_a_bar_moves_with_the_arrow_keys(probabilities: Page) -> None:
    bar(probabilities, "5").focus()
    bar(probabilities, "5").press("Shift+ArrowRight")
    expect(probabilities.get_by_role("button", name="Undo")).to_be_enabled()
    expect(bar(probabilities, "5")).to_have_attribute("aria-valuenow", "0.45")
