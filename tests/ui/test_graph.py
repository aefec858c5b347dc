"""The network that pyvis builds, and what of it the page is told."""

from hiermeasures import Hierarchy
from hiermeasures.ui.graph.component import clicked, drawing, folded_note, shown_label
from hiermeasures.ui.graph.neighbourhood import neighbourhood


def drawn(*edges: tuple[str, str]):  # type: ignore[no-untyped-def]
    return drawing(neighbourhood(Hierarchy.from_edges(edges), ()))


def test_labels_never_name_a_node_in_the_page() -> None:
    picture = drawn(("top", "__proto__"), ("top", "<b>bold</b>"))
    assert [node["id"] for node in picture.nodes] == ["n0", "n1", "n2"]
    assert [node["title"] for node in picture.nodes] == ["top", "__proto__", "<b>bold</b>"]


def test_long_labels_are_cut_in_the_drawing_and_whole_in_the_tooltip() -> None:
    name = "Religionswissenschaftliche Abhandlungen"
    node = drawn(("top", name)).nodes[1]
    assert node["label"] == "Religionswissenschaft…"
    assert node["title"] == name


def test_a_label_of_ten_thousand_characters_sends_little() -> None:
    node = drawn(("top", "x" * 10_000)).nodes[1]
    assert len(node["title"]) < 1000


def test_a_label_that_nobody_could_see_is_still_drawn_on_one_line() -> None:
    assert shown_label("a\nb\x00\u202e") == "a␊b␀�"


def test_only_what_is_drawn_is_sent() -> None:
    assert set(drawn(("A", "B")).nodes[0]) == {"id", "label", "title", "x", "y"}


def test_a_click_is_read_back_as_its_class_and_a_stale_one_as_nothing() -> None:
    picture = drawn(("A", "B"))
    assert clicked(picture, {"id": "n1", "name": "B"}) == "B"
    assert clicked(picture, {"id": "n1", "name": "from another hierarchy"}) is None
    assert clicked(picture, None) is None


def test_what_is_folded_away_is_said_in_numbers() -> None:
    near = neighbourhood(Hierarchy.from_edges([("r", f"c{i:04}") for i in range(1999)]), ())
    assert folded_note(near) == ("60 of 2,000 classes drawn, 1,940 folded away (+); values are over all of them.",)
