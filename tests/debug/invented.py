"""Measures made up for the tests, any function of an instance; and docs/behaviour.md as it is."""

from docs.make.generated import FOLDER
from hiermeasures.debug import PROPERTIES
from hiermeasures.measures.catalogue import Derivation, Family, Measure, Structure

FAMILY = Family(key="invented", title="Invented", description="", rank=99)


def invented(value, key="invented", better="higher", low=None, high=None):
    """A measure whose value is `value(hierarchy, true, predicted)`."""
    structure = Structure(
        key=key,
        family=FAMILY,
        build=lambda instance: instance,
        columns=("value",),
        row=lambda instance, _: (
            float(value(instance.hierarchy, instance.true, instance.predicted)),
        ),
        whole=False,
    )
    return Measure(
        key=key,
        symbol="x",
        name="Invented",
        structure=structure,
        read=lambda columns, _: columns.value,
        formula="x",
        derive=lambda *_: Derivation("", ""),
        description="",
        source="",
        better=better,
        low=low,
        high=high,
    )


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
