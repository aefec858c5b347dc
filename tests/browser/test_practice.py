"""Practice in the browser: an exercise answered with the mouse, the next reached by a key, and a
sheet taken away.
"""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from hiermeasures.lessons.exercises import ExerciseRequest, exercise
from hiermeasures.lessons.random_instances import ASKED

from .screen import click_class, rests
from .test_learn import answered

WISH = ExerciseRequest(kinds=("click",), measures=ASKED["ancestors"])
WORD = "7.1.7-2.click.ancestors"


def test_clicks_answer_a_key_leads_on_and_a_sheet_is_taken_away(page_at: Callable[[str], Page], address: str) -> None:
    page = page_at(f"learn?practice={WORD}")
    expect(page.locator(".hm-graph[data-painted]")).to_be_attached()
    rests(page)
    for label in sorted(exercise(WISH, 7).question.answer()):
        click_class(page, label)
        expect(answered(page)).to_contain_text(label)
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".st-key-practice_score")).to_contain_text("1 of 1 right")
    page.mouse.move(0, 0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".hm-prose").first).to_contain_text("Exercise 2")
    expect(page).to_have_url(f"{address}/learn?practice=7.2.7-2.click.ancestors")

    page.get_by_role("button", name="Take a sheet").click()
    page.get_by_role("button", name="Make it").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="LaTeX (zip)").click()
    with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as archive:
        assert archive.namelist() == ["variant-01.tex", "solutions.tex"]
