"""What the clickable graph is given: a scene, which it paints on a canvas with the vis-network build that pyvis ships,
and what a click on it does and means. What mounts it stands elsewhere (component.py in Streamlit).

What is drawn is the scene's (scene.py). pyvis builds the network that vis-network needs to zoom, move and find what the
mouse is on: a node per class and per bend of an edge. The drawing is kept across reruns and only what changed is sent
on to vis-network, so positions and zoom stay. Labels travel as data and are drawn as text.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import pairwise
from typing import Any

from pyvis.network import Network

from hiermeasures.ui.graph.overlay import Mark, Overlay, Side
from hiermeasures.ui.graph.scene import HEIGHT, RING, SIDE_ROLES, Arrangement, Scene, scene, shown_title
from hiermeasures.ui.palette import drawing_styles

INTERACTION = {"hover": True, "selectable": False, "dragNodes": False, "tooltipDelay": 250, "zoomSpeed": 0.6}
OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False, "randomSeed": 1},
    "interaction": INTERACTION,
    "nodes": {"shape": "custom", "fixed": True, "chosen": False},
    "edges": {"smooth": False, "chosen": False, "arrows": {"to": {"enabled": False}}},
}
MARKS: Mapping[str, str] = {"true": "◯ true", "predicted": "▢ predicted"}  # what a click marks, as a switch says it
SENT = {"id", "x", "y", "bend", "from", "to", "parent", "child"}


@dataclass(frozen=True)
class Effect:
    """What a click on a class would do to a number: a short text with its arrow, what that means, and all of it in
    words.
    """

    text: str
    word: str
    words: str


@dataclass(frozen=True)
class Large:
    """How a drawing is shown large: with a caption, with room down to `lowest` (links hang below classes), which of two
    drawings side by side should share, and with the legend of `scenes`, which they share.
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
    anchor: str | None = None,
    editing: Mapping[str, Any] | None = None,
    click: Mapping[str, Any] | None = None,
    effects: Mapping[str, Mapping[str, Effect]] | None = None,
    hint: Mapping[str, Any] | None = None,
    large: Large | None = None,
    zoom: bool = True,
) -> dict[str, Any]:
    """What the component draws.

    Parameters
    ----------
    arrangement, overlay : what to draw, and the marks on it.
    view : str
        Names what is looked at; while it stays the same, zoom and place stay too.
    alt : str
        What a person who does not see the drawing hears about it.
    focus : iterable of str
        The classes that are in sight at first, where the whole would be too small to read.
    anchor : str, optional
        The class that keeps its place on the screen when the layout changes.
    editing : mapping, optional
        What is selected while a click edits (see edit.js).
    click : mapping, optional
        What a click does now, if anything (`mode`, a part of the gesture), and where to see whether the person has
        chosen another since: the key of the `switch`, and `modes`, from its words to the modes. The mode "answer" marks
        a class as focused and "nothing" not at all; `sides` says whether the keys T and P mark classes.
    effects : mapping, optional
        For each mode what a click on a class would do, by class; written below it.
    hint : mapping, optional
        What lies on the drawing until it is closed (see hint.js).
    large : Large, optional
        For a screen that is seen from afar: no text is smaller than the page's own.
    zoom : bool
        Whether the wheel of the mouse zooms; else it scrolls the page.
    """
    ids = arrangement.ids
    drawn = scene(arrangement, overlay)
    sent = drawn.as_data()
    sent["legend"] += _effect_legend(effects)
    return {
        "view": view,
        "alt": alt,
        "options": OPTIONS | {"interaction": {**INTERACTION, "zoomView": zoom}},
        "network": network(drawn),
        "scene": sent,
        "focus": [ids[label] for label in focus if label in ids],
        "anchor": ids.get(anchor) if anchor is not None else None,
        "editing": editing,
        "meanings": meanings(overlay),
        "effects": _by_id(effects, ids) if effects is not None else None,
        "click": click,
        "hint": hint,
        "large": asdict(large) if large else None,
    }


def _by_id(effects: Mapping[str, Mapping[str, Effect]], ids: Mapping[str, str]) -> dict[str, Any]:
    return {
        mode: {ids[label]: asdict(effect) for label, effect in by_class.items() if label in ids}
        for mode, by_class in effects.items()
    }


def _effect_legend(effects: Mapping[str, Mapping[str, Effect]] | None) -> list[dict[str, Any]]:
    """The line of the legend for them, as data of the scene."""
    if not effects:
        return []
    sample = {"text": "± ▲▼", "faint": True, "struck": False}
    return [{"what": "badge", "sample": sample, "words": "a click: ▲ better, ▼ worse"}]


def clicked(arrangement: Arrangement, value: Any) -> str | None:
    """The class that a click was on; None where the page showed another drawing when it was clicked."""
    if not isinstance(value, Mapping):
        return None
    key, name = value.get("id"), value.get("name")
    return next((c for c, known in arrangement.ids.items() if known == key and shown_title(c) == name), None)


def meanings(overlay: Overlay) -> dict[str, str]:
    """What the overlay says of a class by its roles on the true and the predicted side, as "class none".

    A class that was clicked is described at once, before Python answers.
    """
    return {f"{SIDE_ROLES[t]} {SIDE_ROLES[p]}": overlay.meaning(Mark(t, p)) for t in Side for p in Side}


def network(drawn: Scene) -> dict[str, list[dict[str, Any]]]:
    """The nodes and edges for vis-network. It knows no bent edges: a bend is a node that is not painted."""
    built = Network(directed=True)
    for shape in drawn.shapes:
        built.add_node(shape.id, label=" ", shape="custom", x=shape.x, y=shape.y)
    for edge in drawn.edges:
        stops = [edge.parent]
        for x, y in edge.bends:
            stops.append(f"b{len(built.nodes)}")
            built.add_node(stops[-1], label=" ", shape="custom", x=x, y=y, bend=True)
        stops.append(edge.child)
        for start, end in pairwise(stops):
            built.add_edge(start, end, id=f"{start}>{end}", parent=edge.parent, child=edge.child)
    built.set_options(json.dumps(OPTIONS))
    return {"nodes": [_sent(node) for node in built.nodes], "edges": [_sent(edge) for edge in built.edges]}


def _sent(element: dict[str, Any]) -> dict[str, Any]:
    """What vis-network needs of a pyvis node or edge; pyvis' own defaults are not drawn and stay behind."""
    return {k: v for k, v in element.items() if k in SENT}


@cache
def constants() -> str:
    """What the scripts that paint need to know of Python's drawings, as script."""
    return f"const STYLES = {json.dumps(drawing_styles())}, RING = {RING:g}, HEIGHT = {HEIGHT:g};\n"
