"""The table or figure of a view on a page."""

from collections.abc import Callable, Mapping
from typing import Any

from hiermeasures.app import gestures
from hiermeasures.app.scripts import component
from hiermeasures.picture.panel import Panel


def show_panel(
    panel: Panel, *, key: str, on_choose: Callable[[str, str | None], None] = lambda row, column: None
) -> None:
    """Put it on the page. `on_choose` gets the key of a chosen row that has one, and of the column
    where a cell of it was chosen: a text from outside.
    """

    def choose(value: Mapping[str, Any]) -> None:
        row, column = panel.chosen(value), value.get("column")
        if row is not None:
            on_choose(row, column if isinstance(column, str) else None)

    component(panel.component)(key=key, data=panel.as_data() | {"address": gestures.address(key, choose=choose)})
