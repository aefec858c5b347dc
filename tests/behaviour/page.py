"""docs/behaviour.md as it is."""

from docs.make.generated import FOLDER
from hiermeasures.behaviour import PROPERTIES


def cells_of_the_page():
    """Property, measure and text of each cell of docs/behaviour.md in the first setting."""
    page = (FOLDER / "behaviour.md").read_text(encoding="utf-8").partition("## Other settings")[0]
    head: list[str] = []
    for line in page.splitlines():
        cells = [cell.strip("` ") for cell in line.strip("|").split("|")]
        if cells[0] == "property":
            head = cells[1:]
        elif cells[0] in PROPERTIES and len(cells) == len(head) + 1:
            yield from ((cells[0], m, c) for m, c in zip(head, cells[1:], strict=True))
