"""The data of the clickable graph, for every host, and what scripts know of the package.

What the graph draws is the scene's (scene.py). vis-network, in the build that pyvis ships, gets a
network to zoom, move and find what the mouse is on: a node per class and per bend of an edge. Only
what changed is given to it, so positions and zoom stay. Labels travel as data and are drawn as
text.

The catalogue is a constant of the scripts (values.js).
"""

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hiermeasures.draw import scene
from hiermeasures.draw.palette import drawing_styles
from hiermeasures.measures import CATALOGUE, FAMILIES, Measure
from hiermeasures.measures.catalogue import DIRECTIONS

OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False, "randomSeed": 1},
    "interaction": {
        "hover": True,
        "selectable": False,
        "dragNodes": False,
        "tooltipDelay": 250,
        "zoomSpeed": 0.6,
    },
    "nodes": {"shape": "custom", "fixed": True, "chosen": False},
    "edges": {"smooth": False, "chosen": False, "arrows": {"to": {"enabled": False}}},
}
# labels of the switch for clicks
MARKS: Mapping[str, str] = {"true": "◯ true", "predicted": "▢ predicted"}


@dataclass(frozen=True)
class Large:
    """A drawing that is shown large: its caption, the room down to `lowest` (links hang below
    classes) and the legend, both shared by drawings side by side.
    """

    caption: str
    lowest: float
    legend: list[dict[str, Any]]

    @classmethod
    def of(cls, caption: str, scenes: Sequence[scene.Scene]) -> "Large":
        lowest = max([link.y for drawn in scenes for link in drawn.links], default=0.0)
        lines = [line for drawn in scenes for line in drawn.as_data()["legend"]]
        lines.sort(key=lambda line: line["what"] != "class")
        legend = {(line["what"], line["words"]): line for line in lines}
        return cls(caption, lowest, list(legend.values()))


def graph_data(
    arrangement: scene.Arrangement,
    overlay: scene.Overlay,
    *,
    view: str,
    alt: str,
    focus: Iterable[str] = (),
    click: Mapping[str, Any] | None = None,
    zoom: bool = True,
) -> dict[str, Any]:
    """The data of the graph, whose place and zoom stay while `view` does. `alt` is for a person who
    does not see it, `focus` the classes in sight at first where the whole is too small to read.

    `click` says what a click does, if anything: its `mode`, a part of the gesture, and the `modes`
    of the switch that chooses it, in the order of its words. The mode "answer" marks a class as
    focused and "nothing" not at all; `sides`: the keys T and P mark classes. With `zoom` the wheel
    of the mouse zooms; else it scrolls the page.
    """
    ids, drawn = arrangement.ids, scene.scene(arrangement, overlay)
    return {
        "view": view,
        "alt": alt,
        "zoom": zoom,
        "scene": drawn.as_data(),
        "focus": [ids[label] for label in focus if label in ids],
        "meanings": meanings(overlay),
        "click": click,
    }


def clicked(arrangement: scene.Arrangement, value: Any) -> str | None:
    if not isinstance(value, Mapping):
        return None
    key, name = value.get("id"), value.get("name")
    return next(
        (
            c
            for c, known in arrangement.ids.items()
            if known == key and scene.shown_title(c) == name
        ),
        None,
    )


def meanings(overlay: scene.Overlay) -> dict[str, str]:
    """The overlay's words on a class by its roles on both sides, such as "class none": one that was
    clicked is described before Python answers. A click leaves one side given or without a mark; the
    other has a role of those that are drawn.
    """
    given = {scene.Side.NONE, scene.Side.CLASS}
    drawn = given | {
        side for mark in overlay.marks.values() for side in (mark.true, mark.predicted)
    }
    pairs = ((t, p) for t in drawn for p in drawn if t in given or p in given)
    return {f"{t.role} {p.role}": overlay.meaning(scene.Mark(t, p)) for t, p in pairs}


SYMBOL_PIECE = re.compile(
    r"([_^]?)(\\[a-zA-Z]+\{[^{}]*\}|\\[a-zA-Z]+|\{(?:[^{}]|\{[^{}]*\})*\}|[^\\_^{}])"
)
UPRIGHT = re.compile(r"\\(?:mathrm|mathit)\{([^{}]*)\}")
GREEK = {"Delta": "Δ", "ell": "ℓ"}
GREEK_NAME = re.compile(rf"\\({'|'.join(GREEK)})")
MOVED = {"": "", "_": " sub", "^": " sup"}
NOTHING_MARKED = (
    "Nothing is marked yet, so there are no values. Choose “◯ true” and click a true class."
)


def two_decimals(value: float) -> str:
    """A value as the table shows it; an undefined one is a dash."""
    return "–" if math.isnan(value) else f"{round(value, 2) + 0.0:,.2f}"


def symbol_parts(latex: str) -> list[tuple[str, str]]:
    r"""A symbol of the catalogue as pieces of text, each with how it is set: "it" or "rm", and
    "sub" or "sup" where it is moved.
    """
    parts = []
    for moved, piece in SYMBOL_PIECE.findall(latex):
        body = piece[1:-1] if piece.startswith("{") else piece
        upright = UPRIGHT.fullmatch(body)
        text = GREEK_NAME.sub(lambda m: GREEK[m.group(1)], upright.group(1) if upright else body)
        parts.append((text, ("rm" if upright else "it") + MOVED[moved]))
    return parts


@cache
def constants() -> str:
    families = [
        {
            "title": f.title,
            "about": f.description,
            "rows": [about(m) for m in CATALOGUE.values() if m.family == key],
        }
        for key, f in FAMILIES.items()
    ]
    known = {
        "STYLES": drawing_styles(),
        "RING": scene.RING,
        "HEIGHT": scene.HEIGHT,
        "SUBTITLE": {"size": scene.SMALL, "lift": scene.SUBTITLE_HEIGHT / 2},
        "DEFAULTS": scene.PART_DEFAULTS,
        "OPTIONS": OPTIONS,
        "FAMILIES": families,
    }
    return f"const {', '.join(f'{name} = {json.dumps(value)}' for name, value in known.items())};\n"


def about(measure: Measure) -> dict[str, Any]:
    """A measure as the table names it."""
    low, high = (
        "no bound" if bound is None else f"{bound:g}" for bound in (measure.low, measure.high)
    )
    return {
        "key": measure.key,
        "symbol": symbol_parts(measure.symbol),
        "name": measure.name,
        "better": measure.better,
        "about": f"{measure.description} From {low} to {high}; {DIRECTIONS[measure.better]}.",
    }
