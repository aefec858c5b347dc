"""The values of a card's measures, those of two predictions facing each other; what is hidden is not sent."""

from functools import partial

from hiermeasures.behaviour.what_if import change as value_change
from hiermeasures.lessons import Card
from hiermeasures.measures import Explanation, Measure
from hiermeasures.measures.catalogue import DIRECTIONS
from hiermeasures.measures.own import called
from hiermeasures.ui.explore.values import two_decimals
from hiermeasures.ui.learn import answering
from hiermeasures.ui.learn.model import answer_of, change, learn
from hiermeasures.ui.linked_table import Column, Row, Table, Text
from hiermeasures.ui.panel import show_panel

HIDDEN = "▒▒▒"
PREFERRED = "In a box: what the measure prefers."


def value_table(card: Card, key: str) -> None:
    """A row per measure. One that is chosen is drawn."""
    if card.measures:
        show_panel(values_of(card, key), key="learn_values", on_choose=partial(_choose, card, key))


def values_of(card: Card, key: str) -> Table:
    """The table; a measure that is better for one of two predictions has a box around its value."""
    answer = answer_of(key)
    unseen = answering.hidden(card, answer)
    found = [answering.explained(card, k, answer) for k in range(len(card.instances))]
    chosen = learn().chosen.get(key) or card.measures[0]
    rows = []
    for name in card.measures:
        measure = found[0].measure(name)
        cells = [Text(HIDDEN, says="hidden until it is answered")] * len(found)
        if "values" not in unseen:
            cells = _cells(measure, found)
        about = f"{measure.name}; {DIRECTIONS[measure.better]}"
        rows.append(Row((Text(called(name), says=about), Text(measure.name), *cells), (), name, name == chosen))
    names = ("First", "Second") if len(found) > 1 else ("Value",)
    columns = (Column("Measure"), Column("", "rest"), *(Column(name, "number") for name in names))
    note = PREFERRED if any(isinstance(c, Text) and c.strong for row in rows for c in row.cells) else ""
    return Table("The values of the measures", columns, tuple(rows), note)


def _cells(measure: Measure, found: list[Explanation]) -> list[Text]:
    values = [explanation.value(measure) for explanation in found]
    better = [False] * len(values)
    if len(values) == 2:
        word = value_change(measure, values[0], values[1]).word
        better = [word == "worse", word == "better"]
    return [
        Text(two_decimals(value), strong=strong, says=repr(value)) for value, strong in zip(values, better, strict=True)
    ]


def _choose(card: Card, key: str, name: str) -> None:
    if name in card.measures:
        change(chosen={**learn().chosen, key: name})
