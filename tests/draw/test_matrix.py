"""The picture of a confusion matrix: every head and number is painted, labels are text, and what is
right differs from mistakes without colours.
"""

from dataclasses import replace
from xml.etree.ElementTree import Element, fromstring

from hiermeasures.draw.matrix import MatrixCell, MatrixHead, MatrixPicture, svg

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script> \u202eevil \x00 & \"'"
ANIMALS = (
    MatrixHead("a", "Animal", "7", state="open", about="Animal"),
    MatrixHead("b", "Bird", "4", depth=1, state="closed", about="Animal › Bird"),
    MatrixHead("c", "Cat", "3", depth=1, about="Animal › Cat"),
)
CELLS = {
    (1, 1): MatrixCell("4", 1.0, "right", framed=True, about="true Bird, predicted Bird: 4"),
    (2, 1): MatrixCell("1", 0.5, about="true Cat, predicted Bird: 1"),
    (2, 2): MatrixCell("2", 0.5, "right", framed=True, about="true Cat, predicted Cat: 2"),
}
PICTURE = MatrixPicture(
    "Confusion matrix", ANIMALS, ANIMALS, CELLS, "7", (("right", "right"),), ("A note.",)
)


def painted(picture: MatrixPicture) -> Element:
    return fromstring(svg(picture, ground="paper").svg)


def texts(root: Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def boxes(root: Element, row: int) -> list[Element]:
    """The boxes of cells in a row, from the left."""
    cells = [box for box in root.iter(f"{SVG}rect") if "cell" in box.get("class", "")]
    ys = sorted({float(box.get("y", "")) for box in cells})
    return [box for box in cells if float(box.get("y", "")) == ys[row]]


def test_every_name_number_and_note_is_painted() -> None:
    found = texts(painted(PICTURE))
    assert [found.count(name) for name in ("Animal", "Bird", "Cat")] == [2, 2, 2]
    assert {"4", "1", "2", "7", "3", "right", "A note."} <= set(found)


def test_cells_lie_in_the_row_and_column_of_their_heads() -> None:
    root = painted(PICTURE)
    (bird,), (cat_bird, cat_cat) = boxes(root, 0), boxes(root, 1)
    assert bird.get("x") == cat_bird.get("x") != cat_cat.get("x")


def test_right_cells_have_a_frame_and_mistakes_have_none() -> None:
    classes = [box.get("class", "").split() for box in boxes(painted(PICTURE), 1)]
    assert classes == [["cell", "mistake"], ["cell", "right", "framed"]]


def test_a_larger_number_is_darker() -> None:
    (darkest,), (paler, _) = boxes(painted(PICTURE), 0), boxes(painted(PICTURE), 1)
    assert float(darkest.get("fill-opacity", "")) > float(paler.get("fill-opacity", ""))


def test_labels_are_text_and_cannot_end_the_document() -> None:
    heads = (MatrixHead("x", HOSTILE, "1", about=HOSTILE),)
    cell = {(0, 0): MatrixCell("1", 1.0, about=HOSTILE)}
    root = painted(replace(PICTURE, rows=heads, columns=heads, cells=cell))
    assert not list(root.iter(f"{SVG}script"))
    assert any(text.startswith("<script>alert(1)") for text in texts(root))
    assert not any("\u202e" in text for text in texts(root))


def test_a_long_note_makes_the_picture_higher_and_not_wider() -> None:
    short, long = svg(PICTURE), svg(replace(PICTURE, notes=("word " * 100,)))
    assert long.width == short.width
    assert long.height > short.height
    found = texts(painted(replace(PICTURE, notes=("word " * 100,))))
    assert " ".join(found).count("word") == 100


def test_the_component_gets_each_head_and_cell_once() -> None:
    data = PICTURE.as_data()
    assert [head["words"] for head in data["rows"]] == ["Animal", "Bird", "Cat"]
    assert [head.get("state") for head in data["columns"]] == ["open", "closed", None]
    cells = [(*cell["place"], cell["text"]) for cell in data["cells"]]
    assert cells == [(1, 1, "4"), (2, 1, "1"), (2, 2, "2")]


def test_mistakes_inside_a_class_are_a_bar_of_their_share() -> None:
    def bars(inside: float) -> list[float]:
        cell = {(0, 0): MatrixCell("4", 1.0, "right", framed=True, inside=inside)}
        root = painted(replace(PICTURE, cells=cell))
        found = [box for box in root.iter(f"{SVG}rect") if box.get("class") == "inside"]
        return [float(box.get("width", "")) for box in found]

    (half,), (all_of_it,) = bars(0.5), bars(1.0)
    assert bars(0.0) == []
    assert abs(all_of_it - 2 * half) < 0.11  # one decimal
