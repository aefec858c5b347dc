"""The pictures of the documentation are small, each is on a page, and what they show is what the
app shows now.
"""

import json

import pytest

from docs.make.pictures import ARRANGED, FOLDER, SCHEMES, SEEN, screens, taken
from hiermeasures.cases import load_cases

MOST = 200_000  # bytes
PROJECT = FOLDER.parents[1]


def test_there_is_a_small_picture_of_every_screen_light_and_dark():
    pictures = {path.name: path.stat().st_size for path in FOLDER.glob("*.png")}
    assert set(pictures) == {f"{name}-{scheme}.png" for name in ARRANGED for scheme in SCHEMES}
    assert max(pictures.values()) < MOST


def test_every_picture_is_shown_on_a_page():
    pages = "".join(path.read_text(encoding="utf-8") for path in [PROJECT / "README.md", *FOLDER.parent.rglob("*.md")])
    assert [name for name in ARRANGED if f"pictures/{name}-light.png" not in pages] == []
    assert "docs/pictures/explorer-light.png" in (PROJECT / "README.md").read_text(encoding="utf-8")


def test_the_first_picture_has_the_values_of_its_instance():
    x = load_cases().case("kosmopoulos2015/figure-11a").explain()
    rows = json.loads(SEEN.read_text(encoding="utf-8"))["explorer"]
    names = {"hF": "Hierarchical F1", "F_LCA": "LCA F1", "MGIA": "Multi-label", "GIE": "Graph-induced"}
    for key, name in names.items():
        assert [f" {x[key]:.2f} " in row for row in rows if name in row] == [True]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["explorer", "what-if"])
def test_a_picture_taken_now_shows_the_same(name, browser):
    with screens(browser) as (browser, address):
        image, seen = taken(browser, address, name, "light")
    assert seen == json.loads(SEEN.read_text(encoding="utf-8"))[name], "run python -m docs.make.pictures"
    assert len(image) < MOST
