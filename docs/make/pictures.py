"""Pictures of the real app for the documentation.

`python -m docs.make.pictures [NAME …]` starts the app and arranges each screen in Chromium, light
and dark. It writes docs/pictures/NAME-light.png and NAME-dark.png.

An arrangement waits for the contents that the documentation describes. So it never takes a picture
of something else. docs/pictures/seen.json has the text of each picture. A test arranges the screens
again and compares.
"""

import io
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE, WELCOMED, launched, served
from tests.browser.screen import legend, measure, rests, stands_still, value
from tests.browser.test_behaviour_page import choose

FOLDER = Path(__file__).resolve().parents[1] / "pictures"
SEEN = FOLDER / "seen.json"
WIDTH, SCALE = 1280, 1.5
# the part that shows the whole subject
HEIGHTS = {"what-if": 1100, "behaviour": 830, "lesson": 720, "present": 720}
HEIGHT = 800
EXACT = 96  # colours
SCHEMES = ("light", "dark")
KERNELS = 240_000  # milliseconds. On a new machine the kernels are compiled first

Arrange = Callable[[Page, str], list[str]]
ARRANGED: dict[str, Arrange] = {}


def picture(arrange: Arrange) -> Arrange:
    """Register an arrangement, from (page, address of the app) to the text of the picture."""
    ARRANGED[arrange.__name__.replace("_", "-")] = arrange
    return arrange


@picture
def explorer(page: Page, address: str) -> list[str]:
    """Show Figure 11(a) of Kosmopoulos et al., its LCA graphs, and the parts of F_LCA."""
    _open(page, address)
    measure(page, "F_LCA").click()
    expect(page.get_by_role("heading", name="LCA F1")).to_be_visible()
    expect(value(page, "F_LCA")).to_have_text("0.40")
    stands_still(page)
    return page.locator(".hm-values button[data-key]").all_inner_texts()


@picture
def what_if(page: Page, address: str) -> list[str]:
    """Show the effect of each click on Figure 11(a), and why a wrong class raises F_LCA."""
    _open(page, address)
    measure(page, "F_LCA").click()
    page.get_by_role("radio", name="what if").click()
    row = page.locator(".hm-what-if tbody tr").filter(
        has=page.get_by_role("button", name="+ C", exact=True)
    )
    row.locator(".do").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Why would F_LCA rise with + C?")).to_be_visible()
    page.mouse.move(5, 5)
    stands_still(page)
    return _rows(page)


@picture
def systems(page: Page, address: str) -> list[str]:
    """Show the built-in example: four systems, their ranks, and significant differences."""
    page.goto(f"{address}/compare")
    expect(page.get_by_text("Rank in brackets")).to_be_visible(timeout=KERNELS)
    expect(page.locator(".js-plotly-plot .cartesianlayer")).to_have_count(2)
    table = page.locator(".st-key-systems_ranking tbody tr")
    expect(table).to_have_count(4)
    rests(page)
    return table.all_inner_texts()


@picture
def confusion(page: Page, address: str) -> list[str]:
    """Show the confusion matrix of the system "generous" with the paintings opened."""
    page.goto(f"{address}/compare")
    expect(page.get_by_text("Rank in brackets")).to_be_visible(timeout=KERNELS)
    page.get_by_role("radio", name="Confusion", exact=True).click()
    page.get_by_role("combobox", name="System", exact=True).click()
    page.get_by_role("option", name="generous", exact=True).click()
    matrix = page.get_by_role("grid", name="Confusion matrix of generous")
    matrix.get_by_role("rowheader").get_by_role("button", name="Painting").click()
    expect(matrix.get_by_role("rowheader", name="Still life", exact=True)).to_be_visible()
    rests(page)
    page.get_by_role("radio", name="Confusion", exact=True).evaluate("(e) => e.scrollIntoView()")
    page.mouse.move(5, 5)
    return matrix.locator("tr").all_inner_texts()


@picture
def case(page: Page, address: str) -> list[str]:
    """Show Figure 11 in the library, with printed values next to ours."""
    page.goto(f"{address}/papers?figure=kosmopoulos2015/figure-11")
    expect(page.locator(".hm td.explained").filter(has_text="0,33")).to_be_visible()
    rests(page)
    return _rows(page)


@picture
def lesson(page: Page, address: str) -> list[str]:
    """Show a card of the course with a question that you answer by clicking."""
    page.goto(f"{address}/learn?lesson=3&card=2")
    expect(page.get_by_text("Draw the pairing of GIE")).to_be_visible()
    stands_still(page)
    return legend(page)


@picture
def present(page: Page, address: str) -> list[str]:
    """Show a card for a class, with hidden values."""
    page.goto(f"{address}/learn?lesson=3&card=6&sides=0&present=1")
    expect(page.get_by_text("Which of the two predictions does GIE prefer?")).to_be_visible()
    rests(page)
    return page.locator(".hm-present .row").all_inner_texts()


@picture
def behaviour(page: Page, address: str) -> list[str]:
    """Show the smallest instance on which hF and GIE disagree about one click."""
    page.goto(f"{address}/measures?show=properties")
    choose(page, "“Before” is better by", "GIE")
    said = page.get_by_text("GIE 2 → 5 ▼ worse. Gone: b with a (2)").first
    expect(said).to_be_visible(timeout=KERNELS)
    expect(page.get_by_text("Searching for")).to_have_count(0, timeout=KERNELS)
    rests(page)
    return [said.inner_text()]


@picture
def probabilities(page: Page, address: str) -> list[str]:
    """Show Figure 3 of Plaud et al.: probabilities and the prediction with the best expected hF."""
    page.goto(f"{address}/compare?show=scores")
    expect(page.get_by_role("slider", name="Probability of 5")).to_be_visible()
    best = page.get_by_text("The best expected Hierarchical F1")
    expect(best).to_be_visible()
    rests(page)
    return best.all_inner_texts()


def _rows(page: Page) -> list[str]:
    return page.locator("tbody tr").all_inner_texts()


def _open(page: Page, address: str) -> None:
    page.goto(f"{address}/?figure=kosmopoulos2015/figure-11a")
    expect(page.locator(".hm-graph[data-painted]")).to_be_attached()


def taken(browser: Browser, address: str, name: str, scheme: str) -> tuple[bytes, list[str]]:
    """Return a picture as PNG, and its text."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHTS.get(name, HEIGHT)},
        device_scale_factor=SCALE,
        color_scheme=scheme,
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WELCOMED)
    page = context.new_page()
    seen = ARRANGED[name](page, address)
    shot = page.screenshot(animations="disabled", caret="hide")
    context.close()
    return _small(shot), [" ".join(text.split()) for text in seen]


def _small(shot: bytes) -> bytes:
    """Return the PNG with 256 colours.

    The most common colours stay exact. Each other one becomes the nearest of these.
    """
    image = Image.open(io.BytesIO(shot)).convert("RGB")
    colours, where, counts = np.unique(
        np.asarray(image).reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    rest = image.quantize(256 - EXACT, Image.Quantize.MAXCOVERAGE).getpalette()
    palette = np.vstack([colours[np.argsort(-counts)[:EXACT]], np.array(rest).reshape(-1, 3)])
    away = np.abs(colours[:, None].astype(int) - palette[None].astype(int)).sum(axis=2)
    few = Image.fromarray(
        away.argmin(axis=1).astype(np.uint8)[where.reshape(image.height, image.width)], "P"
    )
    few.putpalette(palette.astype(np.uint8).tobytes())
    small = io.BytesIO()
    few.save(small, "PNG", optimize=True)
    return small.getvalue()


@contextmanager
def screens(browser: Browser | None = None) -> Iterator[tuple[Browser, str]]:
    """Yield Chromium, started here if it is not given, and the address of a new app."""
    with (
        tempfile.TemporaryDirectory() as folder,
        served("app.py", Path(folder) / "log") as address,
        nullcontext(browser) if browser is not None else launched() as chosen,
    ):
        yield chosen, address


def main(names: Iterable[str] = ()) -> None:
    """Take the pictures with these names, or all pictures."""
    FOLDER.mkdir(exist_ok=True)
    seen = json.loads(SEEN.read_text(encoding="utf-8")) if SEEN.exists() else {}
    with screens() as (browser, address):
        for name in names or ARRANGED:
            for scheme in SCHEMES:
                image, seen[name] = taken(browser, address, name, scheme)
                (FOLDER / f"{name}-{scheme}.png").write_bytes(image)
                print(f"{name}-{scheme}.png  {len(image) // 1000} kB")
    SEEN.write_text(
        json.dumps(seen, indent=2, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
