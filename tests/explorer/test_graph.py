"""The drawing as the page is told it, and what comes back."""

from hiermeasures import Hierarchy
from hiermeasures.explorer.component_data import clicked
from hiermeasures.picture.layout import neighbourhood
from hiermeasures.picture.scene import Arrangement, Overlay, Scene, folded_note, on_screen, scene, shown_label


def arranged(*edges: tuple[str, str]) -> Arrangement:
    return on_screen(neighbourhood(Hierarchy.from_edges(edges), ()))


def drawn(*edges: tuple[str, str]) -> Scene:
    return scene(arranged(*edges), Overlay("", {}))


def test_long_labels_are_cut_in_the_drawing_and_whole_in_the_tooltip() -> None:
    name = "Religionswissenschaftliche Abhandlungen"
    shape = drawn(("top", name)).shapes[1]
    assert shape.text == "Religionswissenschaft…"
    assert shape.title == name


def test_a_label_that_nobody_could_see_is_still_drawn_on_one_line() -> None:
    assert shown_label("a\nb\x00\u202e") == "a␊b␀�"


def test_a_click_is_read_back_as_its_class_and_a_stale_one_as_nothing() -> None:
    picture = arranged(("A", "B"))
    assert clicked(picture, {"id": "n1", "name": "B"}) == "B"
    assert clicked(picture, {"id": "n1", "name": "from another hierarchy"}) is None
    assert clicked(picture, None) is None


def test_what_is_folded_away_is_said_in_numbers() -> None:
    near = neighbourhood(Hierarchy.from_edges([("r", f"c{i:04}") for i in range(1999)]), ())
    assert folded_note(near) == ("32 of 2,000 classes drawn, 1,968 folded away (+); values are over all of them.",)
