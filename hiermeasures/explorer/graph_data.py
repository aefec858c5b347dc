"""The data of the clickable graph: a scene, which it paints on a canvas with the vis-network build
that pyvis ships, and what a click on it does and means. What mounts it stands elsewhere
(app/components.py in Streamlit).

What is drawn is the scene's (scene.py). vis-network gets a network to zoom, move and find what the
mouse is on: a node per class and per bend of an edge. The drawing is kept across reruns and only
what changed is given to vis-network, so positions and zoom stay. Labels travel as data and are
drawn as text.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

from hiermeasures.picture.overlay import Mark, Overlay, Side
from hiermeasures.picture.palette import drawing_styles
from hiermeasures.picture.scene import (
    HEIGHT,
    PART_DEFAULTS,
    RING,
    SIDE_ROLES,
    SMALL,
    SUBTITLE_HEIGHT,
    Arrangement,
    Scene,
    scene,
    shown_title,
)

OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False, "randomSeed": 1},
    "interaction": {"hover": True, "selectable": False, "dragNodes": False, "tooltipDelay": 250, "zoomSpeed": 0.6},
    "nodes": {"shape": "custom", "fixed": True, "chosen": False},
    "edges": {"smooth": False, "chosen": False, "arrows": {"to": {"enabled": False}}},
}
MARKS: Mapping[str, str] = {"true": "◯ true", "predicted": "▢ predicted"}  # what a click marks, as a switch says it


@dataclass(frozen=True)
class Effect:
    """The change that a click on a class would make of a number: a short text with its arrow, what
    that means, and all of it in words.
    """

    text: str
    word: str
    words: str


@dataclass(frozen=True)
class Large:
    """The settings of a drawing that is shown large: a caption, with room down to `lowest` (links
    hang below classes), which of two drawings side by side should share, and with the legend of
    `scenes`, which they share.
    """

    caption: str
    lowest: float
    legend: list[dict[str, Any]]

    @classmethod
    def of(cls, caption: str, scenes: Sequence[Scene]) -> "Large":
        """For one of drawings with these scenes."""
        lowest = max([link.y for drawn in scenes for link in drawn.links], default=0.0)
        lines = [line for drawn in scenes for line in drawn.as_data()["legend"]]
        lines.sort(key=lambda line: line["what"] != "class")
        legend = {(line["what"], line["words"]): line for line in lines}
        return cls(caption, lowest, list(legend.values()))


def graph_data(
    arrangement: Arrangement,
    overlay: Overlay,
    *,
    view: str,
    alt: str,
    focus: Iterable[str] = (),
    click: Mapping[str, Any] | None = None,
    large: Large | None = None,
    zoom: bool = True,
) -> dict[str, Any]:
    """The data of the component.

    Parameters
    ----------
    arrangement, overlay : what to draw, and the marks on it.
    view : str
        Names what is looked at; while it stays the same, zoom and place stay too.
    alt : str
        The words for a person who does not see the drawing.
    focus : iterable of str
        The classes that are in sight at first, where the whole would be too small to read.
    click : mapping, optional
        What a click does now, if anything (`mode`, a part of the gesture), and the `modes` of the
        switch that chooses it, in the order of its words. The mode "answer" marks a class as
        focused and "nothing" not at all; `sides` says whether the keys T and P mark classes.
    large : Large, optional
        For a screen that is seen from afar: no text is smaller than the page's own.
    zoom : bool
        Whether the wheel of the mouse zooms; else it scrolls the page.
    """
    ids, drawn = arrangement.ids, scene(arrangement, overlay)
    return {
        "view": view,
        "alt": alt,
        "zoom": zoom,
        "scene": drawn.as_data(),
        "focus": [ids[label] for label in focus if label in ids],
        "meanings": meanings(overlay),
        "click": click,
        **({"large": asdict(large)} if large else {}),
    }


def clicked(arrangement: Arrangement, value: Any) -> str | None:
    """The class that a click was on; None where the page showed another drawing."""
    if not isinstance(value, Mapping):
        return None
    key, name = value.get("id"), value.get("name")
    return next((c for c, known in arrangement.ids.items() if known == key and shown_title(c) == name), None)


def meanings(overlay: Overlay) -> dict[str, str]:
    """The overlay's words on a class by its roles on the true and the predicted side, as "class
    none".

    A class that was clicked is described at once, before Python answers.
    """
    return {f"{SIDE_ROLES[t]} {SIDE_ROLES[p]}": overlay.meaning(Mark(t, p)) for t in Side for p in Side}


@cache
def constants() -> str:
    """The looks of Python's drawings for the scripts that paint, as script."""
    known = {
        "STYLES": drawing_styles(),
        "RING": RING,
        "HEIGHT": HEIGHT,
        "SUBTITLE": {"size": SMALL, "lift": SUBTITLE_HEIGHT / 2},
        "DEFAULTS": PART_DEFAULTS,
        "OPTIONS": OPTIONS,
    }
    return f"const {', '.join(f'{name} = {json.dumps(value)}' for name, value in known.items())};\n"
