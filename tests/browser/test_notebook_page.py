"""Our objects in a notebook that nbconvert made into a page: readable in light and dark theme."""

import io
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbconvert import HTMLExporter
from nbformat.v4 import new_code_cell, new_notebook, new_output
from PIL import Image
from playwright.sync_api import Browser, Locator

from hiermeasures import Hierarchy, compare, evaluate, explain

pytestmark = pytest.mark.slow
H = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
X = explain(H, {"T1"}, {"P1", "P2"})
TRUE, FAR = [{"T1"}] * 20, [{"C"}] * 20
THINGS = [H, X, X.drawing("pairing"), evaluate(H, TRUE, FAR, measures=["hF"])]
THINGS += [compare(H, TRUE, {"good": TRUE, "bad": FAR}, measures=["hF", "GIE"])]
BRIGHTNESS = """element => {
  const [r, g, b] = getComputedStyle(element).color.match(/[0-9.]+/g).map(Number);
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}"""


def exported(theme: str, folder: Path) -> Path:
    """A page made of a notebook in which each thing was the value of a cell."""
    formatted = [InteractiveShell.instance().display_formatter.format(thing) for thing in THINGS]
    outputs = [
        new_output("execute_result", data, metadata=about, execution_count=1)
        for data, about in formatted
    ]
    notebook = new_notebook(cells=[new_code_cell("_", outputs=[output]) for output in outputs])
    source, _ = HTMLExporter(theme=theme).from_notebook_node(notebook)
    page = folder / f"{theme}.html"
    page.write_text(source, encoding="utf-8")
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_static_page_shows_every_output_in_the_colours_of_its_theme(
    theme: str, browser: Browser, tmp_path: Path
) -> None:
    page = browser.new_page()
    # scripts of nbconvert's own; what we show needs none
    page.route("http*://**", lambda route: route.abort())
    page.goto(exported(theme, tmp_path).as_uri(), wait_until="domcontentloaded")
    outputs = page.locator(".hiermeasures-output")
    assert outputs.count() == len(THINGS)
    assert outputs.locator("table").count() == 1 + 1 + 2
    pictures = outputs.locator("img")
    assert pictures.count() == 3
    for k in range(3):
        darkest, lightest = brightness(pictures.nth(k))
        assert (
            (darkest < 0.15 < 0.9 < lightest)
            if theme == "dark"
            else (darkest < 0.35 < 0.95 < lightest)
        )
        # The ground, in a corner.
        assert corner(pictures.nth(k)) == pytest.approx(0.09 if theme == "dark" else 1.0, abs=0.03)
    words = outputs.locator("td").first.evaluate(BRIGHTNESS)
    assert words > 0.7 if theme == "dark" else words < 0.3
    page.close()


def grey(picture: Locator) -> Image.Image:
    return Image.open(io.BytesIO(picture.screenshot())).convert("L")


def brightness(picture: Locator) -> tuple[float, float]:
    """Of the darkest and of the lightest point of a picture."""
    darkest, lightest = grey(picture).getextrema()
    return darkest / 255, lightest / 255


def corner(picture: Locator) -> float:
    return grey(picture).getpixel((1, 1)) / 255
