"""Scores on the page Compare with a mouse and keys: files, thresholds, bars and classes of the tree."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from .screen import box_of, go_to, rests
from .test_systems_page import LONG, upload

FILES = {
    "Hierarchy": {"hierarchy.txt": b"r\t1\nr\t2\n1\t3\n1\t4\n1\t5\n"},
    "True labels": {"true.csv": b"id,label\na,5\nb,2\n"},
    "Systems": {
        "one.csv": b"id,1,2,3,4,5\na,0.75,0.25,0.2,0.2,0.35\nb,0.3,0.7,0.2,0,0.1\n",
        "two.csv": b"id,1,2,3,4,5\na,0.75,0.25,0.5,0.2,0.05\nb,0.3,0.7,0.2,0,0.1\n",
    },
}


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


def test_files_of_scores_lead_to_a_threshold_and_to_one_instance(page: Page) -> None:
    go_to(page, "Compare", "Scores")
    expect(bar(page, "5")).to_be_visible()
    page.get_by_text("Your own files").click()
    for field, files in FILES.items():
        upload(page, field, files)
    expect(page.get_by_text("Rank in brackets")).to_be_visible(timeout=LONG)
    page.get_by_role("radio", name="Thresholds").click()
    # a is right from above 0.25 to 0.35, b from above 0.3 to 0.7.
    use = page.get_by_role("button", name="Use 0.31, of one")
    expect(use).to_be_visible(timeout=LONG)
    use.click()
    expect(page.locator(".st-key-systems_ranking tr").nth(1)).to_contain_text("1.0000 (1)")
    page.get_by_role("radio", name="One instance").click()
    expect(name(page, "5").locator(".ring.true")).to_have_count(1, timeout=LONG)
    # The root counts here. Then 1 alone has the best expected hF; the true 5 makes it an ancestor.
    expect(name(page, "1").locator(".ring.both.added")).to_have_count(1)
    expect(name(page, "1").locator(".box.both.class")).to_have_count(1)


def test_the_address_of_the_former_page_leads_to_scores(page_at: Callable[[str], Page]) -> None:
    page = page_at("probabilities")
    expect(page.get_by_role("radio", name="Scores")).to_be_checked()
    expect(bar(page, "5")).to_be_visible()
    page.get_by_role("radio", name="Labels").click()
    page.wait_for_url("**/compare?show=labels")
    rests(page)
    page.go_back()
    expect(bar(page, "5")).to_be_visible()
    rests(page)  # the switch of before may still be there
    expect(page.get_by_role("radio", name="Scores")).to_be_checked()
