"""Pages that docs/make makes: ways to the live Explorer behind instances, pictures that show
what the app shows now, and tutorials that say no number that is not computed beside it.
"""

import html
import json
import re
from pathlib import Path

import pytest

from docs.make.pictures import SEEN, screens, taken
from docs.make.try_it import with_links
from hiermeasures.explore import share_link
from hiermeasures.explore.share_link import Shared
from hiermeasures.verify import load_cases
from tests.browser.conftest import PROJECT

LINK = re.compile(r'<a class="try" href="([^"#]*)#state=([^"]+)">')


def opened(page: str) -> list[Shared]:
    return [share_link.decoded(word) for _, word in LINK.findall(page)]


def test_an_instance_opens_with_its_options_and_the_measure_that_is_named_behind_it() -> None:
    text = "R>a R>b; T = {a}, P = {b} | count_root=false"
    (found,) = opened(
        with_links(f"<li><code>{html.escape(text)}</code>: <code>GIE</code> 2</li>", "../")
    )
    instance = found.shown.instance
    assert instance.hierarchy.edges == (("R", "a"), ("R", "b"))
    assert (instance.true, instance.predicted) == ({"a"}, {"b"})
    assert instance.options.count_root is False
    assert found.view_state.measure == "GIE"


def test_a_case_opens_as_the_figure_and_an_erratum_as_the_figure_that_it_is_about() -> None:
    page = with_links(
        "<p><code>kosmopoulos2015/figure-11a</code> <strong>kosmopoulos2015-3.</strong></p>", ""
    )
    assert [found.shown.case for found in opened(page)] == [
        "kosmopoulos2015/figure-11a",
        "kosmopoulos2015/figure-15",
    ]


@pytest.mark.parametrize(
    "text", ["hF + 1", "cases/none", "R&gt;a; T = {x}, P = {a}", "a/b and c/d", "T = {a}"]
)
def test_what_is_no_instance_has_no_link(text: str) -> None:
    page = f"<p><code>{text}</code></p>"
    assert with_links(page, "") == page


@pytest.mark.slow
def test_every_link_of_the_site_opens_an_instance_on_the_page_that_is_built_beside_it(
    site: Path,
) -> None:
    found = 0
    for path in site.rglob("*.html"):
        for address, word in LINK.findall(path.read_text(encoding="utf-8")):
            assert (path.parent / address).resolve() == site / "explorer" / "index.html"
            share_link.decoded(word)
            found += 1
    assert found > 250
    assert "embed=1" in (site / "index.html").read_text(encoding="utf-8")
    assert len(list((site / "coming-from").glob("*.html"))) == 9
    assert all(
        LINK.search(path.read_text(encoding="utf-8"))
        for path in (site / "coming-from").glob("*.html")
    )


MOST = 200_000  # bytes


def test_the_first_picture_has_the_values_of_its_instance():
    x = load_cases().case("kosmopoulos2015/figure-11a").explain()
    rows = json.loads(SEEN.read_text(encoding="utf-8"))["explorer"]
    names = {
        "hF": "Hierarchical F1",
        "F_LCA": "LCA F1",
        "MGIA": "Multi-label",
        "GIE": "Graph-induced",
    }
    for key, name in names.items():
        assert [f" {x[key]:.2f} " in row for row in rows if name in row] == [True]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["explorer", "what-if"])
def test_a_picture_taken_now_shows_the_same(name, browser):
    with screens(browser) as (browser, address):
        image, seen = taken(browser, address, name, "light")
    assert seen == json.loads(SEEN.read_text(encoding="utf-8"))[name], (
        "run python -m docs.make.pictures"
    )
    assert len(image) < MOST


NOTEBOOKS = sorted((PROJECT / "docs" / "tutorials").glob("*.ipynb"))
NUMBER = re.compile(r"(?<![\w.=#-])(?:\d+\.\d+|\d{2,})(?![\w.]*\d|-)")  # whole ones from 10
CODE = re.compile(r"^ {4}.*$|`[^`]*`", re.MULTILINE)
LOOK = 2  # cells of code before and after a text


def kept(path):
    """The cells of a notebook file; nbformat takes seconds to import."""
    return json.loads(path.read_text("utf-8"))["cells"]


def texts(cell) -> list[str]:
    """The outputs of a cell as plain text."""
    outputs = cell["outputs"] if cell["cell_type"] == "code" else ()
    return ["".join(output.get("text") or output["data"]["text/plain"]) for output in outputs]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_tutorial_runs_and_puts_out_what_is_kept(path):
    from docs.make.tutorials import ran

    now = [texts(cell) for cell in ran(path).cells]
    assert now == [texts(cell) for cell in kept(path)], "run python -m docs.make.tutorials"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_number_in_the_text_is_computed_in_a_cell_beside_it(path):
    cells, missing = kept(path), []
    for place, cell in enumerate(cells):
        if cell["cell_type"] == "markdown":
            code = [k for k, other in enumerate(cells) if other["cell_type"] == "code"]
            near = [k for k in code if k < place][-LOOK:] + [k for k in code if k > place][:LOOK]
            said = "\n".join(
                text for k in near for text in ["".join(cells[k]["source"]), *texts(cells[k])]
            )
            text = CODE.sub("", "".join(cell["source"]))
            missing += [number for number in NUMBER.findall(text) if number not in said]
    assert missing == []
