"""The menus "Share" and "Export": the link, the files, and what stands in the place of one that
cannot be had.
"""

from dataclasses import replace
from xml.etree import ElementTree

from hiermeasures import Hierarchy
from hiermeasures.draw.scene import figure_scene
from hiermeasures.explore.sharing import WRITABLE
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE
from hiermeasures.verify.library import read_cases
from tests.conftest import hierarchy_of

from ..app.screen import overlay_of
from .hand import HOST, Hand

ADDRESS = "https://example.org"
FIGURE = "kosmopoulos2015/figure-11a"


def test_the_ancestor_that_a_cut_puts_in_is_no_class_of_the_drawing() -> None:
    chain = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "D"), ("C", "E")])
    shown = Shown.make(
        chain, {"D"}, {"E"}, title="cut", options=Options.make(max_ancestor_distance=1)
    )
    overlay = overlay_of(shown.explained(), "augmented")
    assert not set(overlay.marks) <= set(chain.nodes)
    assert [shape.text for shape in figure_scene(chain, overlay).shapes] == list(chain.nodes)


# --- the menus ----------------------------------------------------------------------------------


def shared(at: Hand | None = None) -> Hand:
    at = at or Hand()
    return Hand(at.state, replace(HOST, address=ADDRESS)).open("sharing")


def files(at: Hand) -> dict[str, tuple[str, str]]:
    """The names and contents of the open menu's files, by their buttons; of a picture its SVG."""
    saved = (c for c in at.all() if c["kind"] in ("save", "picture"))
    return {c["words"]: (c["name"], c.get("content", c.get("svg"))) for c in saved}


def test_the_frame_for_another_page_has_the_same_link_and_no_markup_of_titles() -> None:
    hostile = Shown.make(hierarchy_of("A>B"), {"B"}, title='"><script>alert(1)</script>')
    at = shared(Hand(hostile))
    frame = ElementTree.fromstring(at.control("link_embed")["content"].replace("></iframe>", "/>"))
    assert frame.attrib["src"] == at.control("link_address")["content"] + "&embed=1"
    assert frame.attrib["title"] == f"{hostile.title}, 2 classes"
    assert list(frame) == []


def test_without_an_address_there_is_no_link() -> None:
    at = Hand().open("sharing")
    assert not at.has("link_address")
    assert at.has("save_hierarchy")


def test_what_a_format_cannot_hold_is_said_and_another_can_be_chosen() -> None:
    shown = Shown.make(Hierarchy.from_edges([("A", "x y"), ("A", "B, C")]), title="t")
    at = shared(Hand(shown))
    refused = []
    for key in WRITABLE:
        at.set("save_format", WRITABLE[key].title)
        refused += [key] if at.has("no_format") else []
        assert at.has("save_hierarchy") != at.has("no_format")
    assert 0 < len(refused) < len(WRITABLE)


def test_a_case_file_loads_again_with_everything() -> None:
    at = Hand().click("C").press("options").set("option_dmax", 3)
    at.become(replace(at.state, own=at.state.own.with_more(("mine=2*hF",))))
    name, text = files(at.open("exporting"))["Save as YAML"]
    (case,) = read_cases(text.encode(), name)
    i = at.state.shown.instance
    assert (case.hierarchy, case.true, case.predicted) == (i.hierarchy, i.true, i.predicted)
    assert (dict(case.options), case.definitions) == ({"dmax": 3}, ("mine=2*hF",))
    again = (
        Hand()
        .open("loading")
        .set("loading_part", "Load")
        .set("uploaded", {"name": name, "text": text})
    )
    assert again.state.shown.instance == i


def test_every_file_of_a_changed_figure_says_so() -> None:
    at = Hand().set("view", "pairing").open("exporting")
    made = files(at)
    pictures = {"SVG", "TikZ", "Network as SVG", "Network as TikZ", "PNG"}
    assert set(made) == {*pictures, "CSV", "LaTeX table", "Save as YAML"}
    assert not any("changed" in name or ", changed" in text for name, text in made.values())
    for label in ("P1", "P2", "C"):
        at.click(label)
    made = files(at)
    assert all(name.startswith("kosmopoulos2015-figure-11a-changed") for name, _ in made.values())
    del made["PNG"]
    assert all("Figure 11(a), changed" in text for _, text in made.values())
    (case,) = read_cases(made["Save as YAML"][1].encode(), "mine.yaml")
    assert case.label.endswith("Figure 11(a), changed")


def test_without_a_marked_class_there_are_no_values() -> None:
    empty = Hand(Shown.make(hierarchy_of("A>B"), title="t")).open("exporting")
    assert "CSV" not in files(empty)
    assert empty.has("export_no_values")


def test_the_values_are_those_of_the_table_or_all_and_their_caption_names_changed_options() -> None:
    at = Hand().press("options").set("option_dmax", 3).set("option_count_root", "no")
    few = files(at.open("exporting"))["LaTeX table"][1]
    assert ("Graph-induced error" in few, "Shortest path" in few) == (True, False)
    assert r"dmax = 3.0, count\_root = False" in few
    every = files(at.set("export_which", f"all {len(CATALOGUE)}"))["LaTeX table"][1]
    assert every.count(r"\uparrow") + every.count(r"\downarrow") == len(CATALOGUE)
