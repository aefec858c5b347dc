"""The clickable graph in Streamlit: mounts what data.py says, and brings what is done in it to its handlers."""

from collections.abc import Mapping
from typing import Any

from hiermeasures.ui import gestures
from hiermeasures.ui.outbox import Handler
from hiermeasures.ui.scripts import component


def nothing(value: Mapping[str, Any]) -> None:
    """What a gesture does where nobody asks for it."""


def graph(
    data: Mapping[str, Any],
    *,
    key: str,
    on_click: Handler = nothing,
    on_unfold: Handler = nothing,
    on_edit: Handler = nothing,
) -> None:
    """Mount a graph of `graph_data`. A click on a class goes to `on_click`, one on its count of folded children to
    `on_unfold`; `clicked` reads either. What a person asks for while a click edits goes to `on_edit` (see edit.js).
    """
    address = gestures.address(key, click=on_click, unfold=on_unfold, edit=on_edit)
    component("graph")(key=key, data={**data, "address": address})
