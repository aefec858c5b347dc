"""What docs/make makes: ways to the live Explorer behind instances, pictures that show what the app
shows now, and tutorials whose numbers are computed beside them.
"""

import html
import json
import re

import pytest

from docs.make.pictures import SEEN, screens, taken
from docs.make.try_it import with_links
from docs.make.tutorials import FOLDER, run_notebook
from hiermeasures.explore import share_link
from hiermeasures.explore.share_link import Shared
from hiermeasures.verify import load_cases

pytestmark = pytest.mark.slow

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


NUMBER = re.compile(r"(?<![\w.=#-])(?:\d+\.\d+|\d{2,})(?![\w.]*\d|-)")  # whole ones from 10
CODE = re.compile(r"^ {4}.*$|`[^`]*`", re.MULTILINE)
LOOK = 2  # cells of code before and after a text


def texts(cell) -> list[str]:
    """The outputs of a cell as plain text."""
    outputs = cell.outputs if cell.cell_type == "code" else ()
    return [output.get("text") or output["data"]["text/plain"] for output in outputs]


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_tutorial_runs_and_every_number_in_its_text_is_computed_in_a_cell_beside_it(path):
    cells, missing = run_notebook(path.read_text("utf-8")).cells, []
    code = [k for k, cell in enumerate(cells) if cell.cell_type == "code"]
    for place, cell in enumerate(cells):
        if cell.cell_type == "markdown":
            near = [k for k in code if k < place][-LOOK:] + [k for k in code if k > place][:LOOK]
            said = "\n".join(text for k in near for text in [cells[k].source, *texts(cells[k])])
            missing += [n for n in NUMBER.findall(CODE.sub("", cell.source)) if n not in said]
    assert missing == []
