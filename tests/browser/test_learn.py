"""Lessons in the browser: a question on the drawing by mouse and by keys, a teacher's lesson from
card to link, Practice, and `hiermeasures app --classroom`, where a class answers on its phones.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from hiermeasures.app.learn.model import lesson_word
from tests.browser.screen import click_class, legend, stands_still

from .conftest import MAIN, PATIENCE, PROJECT, WELCOMED, free_port, opened, running

CLICK = """
  - title: {title}
    case: kosmopoulos2015/figure-11a
    measures: hF
    hidden: values
    question: {{kind: click, set: augmented({side}), answer: {answer}}}"""
LESSON = (
    "lesson: Ancestors\nlearns: What is above a class.\nminutes: 5\ncards:"
    + CLICK.format(title="By mouse", side="true", answer="A B T1")
    + CLICK.format(title="By keys", side="predicted", answer="A B P1 P2")
)


def verdict(page: Page) -> Locator:
    return page.locator(".hm-prose").locator(".right, .wrong")


def answered(page: Page) -> Locator:
    """The field with the classes that were clicked."""
    return page.locator('[data-key="answer_classes"] .chips')


def focus_on_drawing(page: Page) -> None:
    """Tab to the drawing."""
    role = """() => {
        let at = document.activeElement;
        while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
        return at?.getAttribute("role");
    }"""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate(role) == "application":
            return
    raise AssertionError("the drawing is not reached by the tab key")


def test_a_term_shows_its_meaning_when_it_is_pressed(page_at: Callable[[str], Page]) -> None:
    page = page_at("learn?lesson=4&card=2")
    term = page.get_by_role("button", name="Augmented sets", exact=True)
    expect(term).to_have_attribute("aria-expanded", "false")
    meaning = page.locator(".hm-prose .note").filter(has_text="classes that a rule adds")
    term.press("Enter")
    expect(meaning).to_be_visible()
    expect(term).to_have_attribute("aria-expanded", "true")
    term.click()
    expect(meaning).to_have_count(0)


def test_a_set_is_clicked_by_mouse_and_another_by_keys_alone(
    page_at: Callable[[str], Page],
) -> None:
    page = page_at(f"learn?own={lesson_word(LESSON)}&card=1")
    expect(page.get_by_role("heading", name="By mouse")).to_be_visible()
    for label in ("A", "B", "C", "T1"):
        click_class(page, label)
    click_class(page, "C")
    expect(answered(page)).not_to_contain_text("C")
    expect(answered(page)).to_contain_text("T1")
    page.get_by_role("button", name="Check").click()
    expect(verdict(page)).to_have_text("✓ Right: A, B, T1")
    expect(verdict(page)).to_be_focused()
    expect(page.locator(".hm-table")).to_contain_text("0.57")

    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="By keys")).to_be_focused()
    expect(page.locator(".hm-table")).not_to_contain_text("0.57")
    stands_still(page)
    focus_on_drawing(page)
    for key in ("Home", "Enter", "ArrowDown", "Enter"):  # the root, and its first child
        page.keyboard.press(key)
    expect(answered(page)).to_contain_text("B")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(verdict(page)).to_have_text("✗ Not right: A, B")
    expect(page.locator(".hm-prose").filter(has_text="Hint: ")).not_to_contain_text("The answer:")
    page.get_by_role("button", name="Show the answer").press("Enter")
    expect(verdict(page)).to_have_text("✓ The answer: A, B, P1, P2")
    expect(page.locator(".hm-graph .legend li").last).to_have_text("the answer")
    # the structure is drawn with the answer, without a switch
    assert legend(page) == ["true", "predicted", "ancestor of both", "the answer"]


# which of two predictions hP prefers: neither
CARD = "learn?lesson=02-too-deep-too-high&card=3&present=1"


@pytest.fixture(scope="module")
def classroom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app, started for classes."""
    port, log = free_port(), tmp_path_factory.mktemp("classroom") / "log"
    command = [sys.executable, "-m", "hiermeasures", "app", "--port", str(port), "--classroom"]
    with running(
        command,
        port,
        Path(log),
        cwd=PROJECT,
        env={**os.environ, "STREAMLIT_SERVER_HEADLESS": "true"},
    ):
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
        expect(
            phone.get_by_text("You can change your answer until the teacher shows the answers")
        ).to_be_visible()
        expect(teacher.get_by_text("1 answer", exact=False).first).to_be_visible()
        teacher.get_by_role("button", name="Remove an answer").click()
        teacher.locator(".menu .content").get_by_role(
            "button", name=re.compile("^[0-9a-f]{4}$")
        ).click()
        expect(teacher.get_by_text("0 answers")).to_be_visible()
        press(phone, "Send")
        expect(phone.get_by_text("The teacher removed this seat")).to_be_visible()
        phone.goto(address)  # as another student
        press(phone, "the first")
        press(phone, "Send")
        expect(teacher.get_by_text("1 answer", exact=False).first).to_be_visible()
        phone.reload()  # the same student still
        press(phone, "neither, they are equal")
        press(phone, "Send")
        press(teacher, "Show answers")
        expect(bar(teacher, "neither, they are equal").locator(".number")).to_have_text("1")
        press(teacher, "Mark the right one")
        expect(teacher.locator(".hm-bars .right")).to_contain_text("✓ neither, they are equal")
        expect(phone.get_by_text("Right: neither, they are equal")).to_be_visible()
        press(teacher, "End the class")
        expect(phone.get_by_text("This class is over")).to_be_visible()
