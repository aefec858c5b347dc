"""`hiermeasures app --classroom`: a student answers on a phone, and the teacher shows what the
class answered.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from .conftest import MAIN, PATIENCE, PROJECT, WELCOMED, free_port, opened, running

CARD = "learn?lesson=02-too-deep-too-high&card=3&present=1"  # which of two predictions hP prefers: neither


@pytest.fixture(scope="module")
def classroom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app, started for classes."""
    port, log = free_port(), tmp_path_factory.mktemp("classroom") / "log"
    command = [sys.executable, "-m", "hiermeasures", "app", "--port", str(port), "--classroom"]
    with running(command, port, Path(log), cwd=PROJECT, env={**os.environ, "STREAMLIT_SERVER_HEADLESS": "true"}):
        yield f"http://localhost:{port}"


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WELCOMED)
    yield context.new_page()
    context.close()


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def bar(page: Page, words: str) -> Locator:
    return page.locator(".hm-bars li").filter(has_text=words)


@pytest.mark.slow
def test_a_class_answers_on_phones_and_the_teacher_shows_it_and_then_what_is_right(
    window: Page, phone: Page, classroom: str
) -> None:
    with opened(window, f"{classroom}/{CARD}", MAIN) as teacher:
        press(teacher, "Ask the class")
        link = teacher.locator("dialog .link")
        expect(link).to_contain_text("/learn?class=")
        address = link.inner_text()
        teacher.locator("dialog button").click()
        expect(teacher.get_by_text("0 answers")).to_be_visible()
        phone.goto(address)
        press(phone, "the first")
        press(phone, "Send")
        expect(phone.get_by_text("You may change it until the teacher shows the answers")).to_be_visible()
        expect(teacher.get_by_text("1 answer", exact=False).first).to_be_visible()
        expect(teacher.locator(".hm-bars")).to_have_count(0)
        phone.reload()  # the same student still
        press(phone, "neither, they are equal")
        press(phone, "Send")
        expect(phone.get_by_text("You may change it until the teacher shows the answers")).to_be_visible()
        press(teacher, "Show answers")
        expect(bar(teacher, "neither, they are equal").locator(".number")).to_have_text("1")
        expect(bar(teacher, "the first").locator(".number")).to_have_text("0")
        expect(teacher.locator(".hm-bars .right")).to_have_count(0)
        expect(phone.get_by_text("No more answers are taken")).to_be_visible()
        expect(phone.get_by_role("button", name="Send")).to_have_count(0)
        press(teacher, "Mark the right one")
        expect(teacher.locator(".hm-bars .right")).to_contain_text("✓ neither, they are equal")
        expect(phone.get_by_text("Right: neither, they are equal")).to_be_visible()
        teacher.keyboard.press("ArrowLeft")
        expect(phone.get_by_role("button", name="Send")).to_be_visible()
        expect(phone.get_by_text("Right: neither")).to_have_count(0)
        press(teacher, "End the class")
        expect(phone.get_by_text("This class is over")).to_be_visible()
