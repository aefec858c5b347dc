"""The data of the clickable graph, for every host, and the package's constants for scripts.

The graph draws a scene (scene.py). vis-network (in pyvis's build) zooms, moves and finds the node
under the mouse. Its network has a node for each class and for each bend of an edge. Updates contain
only changes, so positions and zoom stay. Labels are data and are drawn as text.

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
    """A large drawing. Drawings side by side share the legend and the bottom edge `lowest`, because
    links hang below classes.
    """

    caption: str
    lowest: float
    legend: list[dict[str, Any]]

    @classmethod
    def of(cls, caption: str, scenes: Sequence[scene.Scene], lowest: float) -> "Large":
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
    """Return the data of the graph. Its place and zoom stay while `view` stays the same.

    `alt` is the text for screen readers. If the whole graph is too small to read, it first shows
    the classes in `focus`. `click` describes the effect of a click: its `mode` is sent with the
    gesture, and `modes` are the options of its switch, in order. The mode "answer" focuses a class,
    and "nothing" leaves it unmarked. With `sides`, the keys T and P mark classes. With `zoom` the
    mouse wheel zooms. Otherwise it scrolls the page.
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
    """Return the overlay's words on a class by its roles on both sides, such as "class none".

    The page uses them to describe a clicked class before Python answers. A click marks a class on
    one side or removes its mark there. The other side keeps its drawn role.
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
UPRIGHT = re.compile(r"\\mathrm\{([^{}]*)\}")
GREEK = {"Delta": "Δ", "ell": "ℓ"}
GREEK_NAME = re.compile(rf"\\({'|'.join(GREEK)})")
MOVED = {"": "", "_": " sub", "^": " sup"}
NOTHING_MARKED = "No class is marked yet. To see values, choose “◯ true” and click a true class."


def two_decimals(value: float) -> str:
    """Return a value as the table shows it, with a dash if it is undefined."""
    return "–" if math.isnan(value) else f"{round(value, 2) + 0.0:,.2f}"


def symbol_parts(latex: str, place: str = "") -> list[tuple[str, str]]:
    r"""Return a symbol of the catalogue as pieces of text. Each has a style ("it" or "rm"). A
    lowered or raised piece has the `place` "sub" or "sup".
    """
    parts: list[tuple[str, str]] = []
    for moved, piece in SYMBOL_PIECE.findall(latex):
        where = MOVED[moved] or place
        if piece.startswith("{"):
            parts += symbol_parts(piece[1:-1], where)
            continue
        upright = UPRIGHT.fullmatch(piece)
        text = GREEK_NAME.sub(lambda m: GREEK[m.group(1)], upright.group(1) if upright else piece)
        parts.append((text, ("rm" if upright else "it") + where))
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
    """Return the data of a measure for the table."""
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
