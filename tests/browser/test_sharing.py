"""Share links, saved files and uploads that cannot be used, in the browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from .screen import (
    chosen,
    click_class,
    control,
    go_to,
    legend,
    measure,
    rests,
    upload_hierarchy,
    value,
)


def shared_link(page: Page) -> str:
    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("textbox", name="Address")
    expect(link).to_have_value(re.compile(r"\?state=1\."))
    return link.input_value()


def test_a_share_link_brings_the_same_state_back_and_so_does_a_reload(page: Page) -> None:
    click_class(page, "C")
    expect(chosen(page, "predicted").filter(has_text="C")).to_have_count(1)
    measure(page, "F_LCA").click()
    expect(control(page, "measure")).to_have_text("LCA F1")
    rests(page)
    wanted, shown = value(page, "F_LCA").inner_text(), legend(page)
    link = shared_link(page)
    for reached in (lambda: page.goto(link), page.reload):
        reached()
        expect(page.locator(".hm-graph[data-painted]")).to_be_attached()
        rests(page)
        for label in ("C", "P1", "P2"):
            expect(chosen(page, "predicted").filter(has_text=label)).to_have_count(1)
        expect(page.locator('.hm-values button[aria-pressed="true"]')).to_have_attribute(
            "data-key", "F_LCA"
        )
        expect(value(page, "F_LCA")).to_have_text(wanted)
        assert legend(page) == shown


def walk(page: Page, step: str) -> None:
    """The browser's back or forward. Playwright's own waits for a page to load, and none does."""
    page.evaluate(f"history.{step}()")


def written(page: Page, before: str) -> str:
    """Wait until the address is another, which is when the answer to a click has come."""
    page.wait_for_url(lambda url: url != before, wait_until="commit")
    return page.url


def looked_at(page: Page) -> Locator:
    return page.locator('.hm-values button[aria-pressed="true"]')


@pytest.mark.slow
def test_back_and_forward_walk_what_was_shown_also_from_another_page_and_clicks_go_on_from_there(
    page: Page,
) -> None:
    rests(page)
    start = page.url
    click_class(page, "C")
    with_c = written(page, start)
    page.locator('.hm-values button[data-key="GIE"]').click()
    written(page, with_c)
    walk(page, "back")
    expect(looked_at(page)).to_have_attribute("data-key", "hF")
    expect(chosen(page, "predicted").filter(has_text="C")).to_have_count(1)
    walk(page, "back")
    expect(chosen(page, "predicted").filter(has_text="C")).to_have_count(0)
    assert page.url == start
    walk(page, "forward")
    walk(page, "forward")
    expect(looked_at(page)).to_have_attribute("data-key", "GIE")
    expect(chosen(page, "predicted").filter(has_text="C")).to_have_count(1)
    rests(page)
    go_to(page, "Measures")
    expect(page.get_by_role("heading", name="Glossary")).to_be_visible()
    assert "state=" not in page.url
    rests(page)
    walk(page, "back")
    expect(looked_at(page)).to_have_attribute("data-key", "GIE")
    rests(page)
    walk(page, "back")
    expect(looked_at(page)).to_have_attribute("data-key", "hF")
    click_class(page, "T1")
    written(page, with_c)
    page.reload()
    expect(chosen(page, "predicted").filter(has_text="T1")).to_have_count(1)
    expect(chosen(page, "predicted").filter(has_text="C")).to_have_count(1)


def test_quick_clicks_and_a_step_back_in_one_go_are_done_in_order(page: Page) -> None:
    rests(page)
    start = page.url
    click_class(page, "C")
    written(page, start)
    # Over C: GIE's word cannot be written yet, and the older answer must not win.
    page.locator('.hm-values button[data-key="GIE"]').evaluate(
        "button => { button.click(); history.back(); }"
    )
    expect(chosen(page, "predicted").filter(has_text="C")).to_have_count(0)
    rests(page)
    expect(chosen(page, "predicted").filter(has_text="C")).to_have_count(0)
    assert page.url == start


@pytest.mark.slow
def test_a_file_of_fifty_megabytes_is_refused_and_the_figure_stays(
    page: Page, tmp_path: Path
) -> None:
    file = tmp_path / "large.csv"
    file.write_bytes(b"A,B\n" * 12_500_000)
    upload_hierarchy(page, file)
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("are the most")
    expect(value(page, "hP")).to_have_text("0.50")
