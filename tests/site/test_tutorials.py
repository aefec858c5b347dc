"""The tutorials run, put out what they are kept with, and say no number that is not computed beside
it.
"""

import json
import re

import pytest

from tests.browser.conftest import PROJECT

NOTEBOOKS = sorted((PROJECT / "docs" / "tutorials").glob("*.ipynb"))
NUMBER = re.compile(r"(?<![\w.=#-])(?:\d+\.\d+|\d{2,})(?![\w.]*\d|-)")  # whole ones from 10
CODE = re.compile(r"^ {4}.*$|`[^`]*`", re.MULTILINE)
LOOK = 2  # cells of code before and after a text


def kept(path):
    """The cells of a notebook as it is kept, texts as lists of lines; nbformat takes seconds to
    import.
    """
    return json.loads(path.read_text("utf-8"))["cells"]


def texts(cell) -> list[str]:
    """The outputs of a cell as plain text."""
    if cell["cell_type"] != "code":
        return []
    return ["".join(output.get("text") or output["data"]["text/plain"]) for output in cell["outputs"]]


def test_there_are_tutorials():
    assert len(NOTEBOOKS) == 5


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
            said = "\n".join(text for k in near for text in ["".join(cells[k]["source"]), *texts(cells[k])])
            text = CODE.sub("", "".join(cell["source"]))
            missing += [number for number in NUMBER.findall(text) if number not in said]
    assert missing == []
