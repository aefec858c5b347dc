"""A panel of the views on the page: mounts the table or figure that they made."""

from collections.abc import Callable, Mapping
from typing import Any

from hiermeasures.ui import gestures
from hiermeasures.ui.scripts import component
from hiermeasures.ui.views.view import Panel


def show_panel(panel: Panel, *, key: str, on_choose: Callable[[str], None] = lambda key: None) -> None:
    """Put it on the page. `on_choose` gets the key of a chosen row that has one."""

    def choose(value: Mapping[str, Any]) -> None:
        row = panel.chosen(value)
        if row is not None:
            on_choose(row)

    component(panel.component)(key=key, data=panel.as_data() | {"address": gestures.address(key, choose=choose)})
