"""The clickable graph: pyvis builds the network, a Streamlit component mounts it with the vis-network build that pyvis
ships.

Python decides positions, marks and words; component.js draws them and reports clicks. The drawing is kept across reruns
and only what changed is sent on to vis-network, so positions and zoom stay. Labels travel as data and are drawn as
text.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyvis
import streamlit as st
from pyvis.network import Network
from streamlit.components.v2.types import ComponentRenderer

from hiermeasures.ui import gestures
from hiermeasures.ui.gestures import Handler
from hiermeasures.ui.graph.layout import Layout, layered
from hiermeasures.ui.graph.neighbourhood import Neighbourhood
from hiermeasures.ui.graph.overlays import PLAIN, Mark, Overlay, Side
from hiermeasures.ui.scripts import component

LONGEST_LABEL = 22
LONGEST_TOOLTIP = 600
CHARACTER_WIDTH = 8.6
COUNT_WIDTH = 44.0
VIS_NETWORK = Path(pyvis.__file__).parent / "lib" / "vis-9.1.2" / "vis-network.min.js"

OPTIONS = {
    "physics": {"enabled": False},
    "layout": {"improvedLayout": False, "randomSeed": 1},
    "interaction": {"hover": True, "selectable": False, "dragNodes": False, "tooltipDelay": 250, "zoomSpeed": 0.6},
    "nodes": {"shape": "custom", "fixed": True, "chosen": False},
    "edges": {"smooth": False, "chosen": False, "arrows": {"to": {"enabled": False}}},
}


@dataclass(frozen=True)
class Drawing:
    """A neighbourhood with its layout, ready for vis-network. Made once per neighbourhood and kept while it is
    shown.
    """

    neighbourhood: Neighbourhood
    layout: Layout
    nodes: tuple[dict[str, Any], ...]
    edges: tuple[dict[str, Any], ...]


def drawing(near: Neighbourhood) -> Drawing:
    """Lay a neighbourhood out and build its network."""
    hierarchy = near.hierarchy
    drawn = set(near.nodes)
    edges = [(u, v) for u in near.nodes for v in hierarchy.children(u) if v in drawn]
    room = {v: drawn_width(v) + (COUNT_WIDTH if v in near.folded_children else 0) for v in near.nodes}
    layout = layered({v: hierarchy.level(v) for v in near.nodes}, edges, room.__getitem__)
    network = _network(near, layout, edges)
    return Drawing(near, layout, tuple(map(_slim, network.nodes)), tuple(map(_slim, network.edges)))


def graph(
    picture: Drawing,
    overlay: Overlay,
    *,
    view: str,
    alt: str,
    key: str,
    focus: Iterable[str] = (),
    anchor: str | None = None,
    editing: Mapping[str, Any] | None = None,
    click: Mapping[str, Any],
    on_click: Handler,
    on_unfold: Handler,
    on_edit: Handler,
) -> None:
    """Mount the graph. A click on a class goes to `on_click`, one on its count of folded children to `on_unfold`;
    `clicked` reads either.

    Parameters
    ----------
    picture, overlay : what to draw, and the marks on it.
    view : str
        Names what is looked at; while it stays the same, zoom and place stay too.
    alt : str
        What a person who does not see the drawing is told about it.
    key : str
        The component's key in the page.
    focus : iterable of str
        The classes to look at first where the whole would be too small to read.
    anchor : str, optional
        The class that keeps its place on the screen when the layout changes.
    editing : mapping, optional
        What is selected while a click edits; what a person then asks for goes to `on_edit` (see edit.js).
    click : mapping
        What a click does now (`mode`, a part of the gesture), and where to see whether the person has chosen another
        since: the key of the `switch`, and `modes`, from its words to the modes.
    """
    ids = _ids(picture.neighbourhood)
    kinds = _kinds(picture, overlay)
    data = {
        "view": view,
        "alt": alt,
        "options": OPTIONS,
        "nodes": picture.nodes,
        "edges": picture.edges,
        "marks": {ids[c]: _coded(m) for c, m in overlay.marks.items() if c in ids},
        "legend": [[*_coded(mark), overlay.meaning(mark)] for mark in kinds],
        "plain": overlay.meaning(PLAIN),
        **_beside_marks(picture, overlay, ids),
        "notes": [*map(_sentence, picture.neighbourhood.hierarchy.notes), *folded_note(picture.neighbourhood)],
        "focus": [ids[label] for label in focus if label in ids],
        "anchor": ids.get(anchor) if anchor is not None else None,
        "editing": editing,
        "click": click,
        "address": gestures.address(key, click=on_click, unfold=on_unfold, edit=on_edit),
    }
    component("graph")(key=key, data=data)


def clicked(picture: Drawing, value: Any) -> str | None:
    """The class that a click was on; None where the page showed another drawing when it was clicked."""
    if not isinstance(value, Mapping):
        return None
    ids, name = _ids(picture.neighbourhood), value.get("name")
    return next((c for c, key in ids.items() if key == value.get("id") and shown_title(c) == name), None)


def ids_of(picture: Drawing) -> dict[str, str]:
    """What the page calls each class that is drawn."""
    return _ids(picture.neighbourhood)


def load_vis_network() -> None:
    """Bring vis-network into the page; once per page, wherever it is mounted. It is not sent again on a rerun."""
    _vis_network()(key="vis_network")


def shown_label(label: str, limit: int = LONGEST_LABEL) -> str:
    """A label as it is drawn: on one line, control characters made visible, long ones cut.

    >>> shown_label("two\\nlines"), shown_label("x" * 30, limit=5)
    ('two␊lines', 'xxxx…')
    """
    text = "".join(_visible(c) for c in label[: limit + 1])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def drawn_width(label: str) -> float:
    """About how wide a class is drawn, in drawing units; the layout keeps classes apart by it."""
    return max(42.0, len(shown_label(label)) * CHARACTER_WIDTH + 26.0)


def folded_note(near: Neighbourhood) -> tuple[str, ...]:
    """How much of the hierarchy is not drawn; nothing where all of it is."""
    if not near.folded:
        return ()
    drawn, all_of_it = f"{len(near.nodes):,}", f"{len(near.hierarchy):,}"
    return (f"{drawn} of {all_of_it} classes drawn, {near.folded:,} folded away (+); values are over all of them.",)


def _sentence(note: str) -> str:
    return note[:1].upper() + note[1:] + "."


def _ids(near: Neighbourhood) -> dict[str, str]:
    """What the page calls each class: never the label, which may be any text."""
    return {label: f"n{near.hierarchy.index(label)}" for label in near.nodes}


def _network(near: Neighbourhood, layout: Layout, edges: list[tuple[str, str]]) -> Network:
    network = Network(directed=True)
    ids = _ids(near)
    for label in near.nodes:
        x, y = layout.positions[label]
        folded = {"folded": near.folded_children[label]} if label in near.folded_children else {}
        network.add_node(
            ids[label], label=shown_label(label) or " ", shape="custom", x=x, y=y, title=shown_title(label), **folded
        )
    for edge in edges:
        stops = [ids[edge[0]]]
        for x, y in layout.bends.get(edge, ()):
            stops.append(f"b{len(network.nodes)}")
            network.add_node(stops[-1], label=" ", shape="custom", x=x, y=y, bend=True)
        stops.append(ids[edge[1]])
        for start, end in pairwise(stops):
            network.add_edge(start, end, id=f"{start}>{end}", parent=stops[0], child=stops[-1])
    network.set_options(json.dumps(OPTIONS))
    return network


def shown_title(label: str) -> str:
    """A label as the page knows it: the whole text unless it is very long."""
    return label if len(label) <= LONGEST_TOOLTIP else label[:LONGEST_TOOLTIP] + "…"


SENT = {"id", "label", "x", "y", "title", "folded", "bend", "from", "to", "parent", "child"}


def _slim(element: dict[str, Any]) -> dict[str, Any]:
    """What the page needs of a pyvis node or edge; pyvis' own defaults are not drawn and stay behind."""
    return {k: v for k, v in element.items() if k in SENT}


def _kinds(picture: Drawing, overlay: Overlay) -> list[Mark]:
    """The kinds of marks that are drawn, classes before what was added, true before predicted."""
    drawn = set(picture.neighbourhood.nodes)
    kinds = {mark for label, mark in overlay.marks.items() if label in drawn}

    def order(mark: Mark) -> tuple[bool, bool, bool, bool, int]:
        return (mark.struck, mark.ringed, Side.CLASS not in (mark.true, mark.predicted), not mark.true, mark.predicted)

    return sorted(kinds, key=order)


def _coded(mark: Mark) -> list[int]:
    return [int(mark.true), int(mark.predicted), int(mark.struck) + 2 * int(mark.ringed)]


def _beside_marks(picture: Drawing, overlay: Overlay, ids: dict[str, str]) -> dict[str, Any]:
    """Badges, links, marked edges and rings of an overlay with their lines of the legend, for the classes that are
    drawn.
    """
    drawn = picture.neighbourhood.nodes
    edges = [(u, v) for u, v in overlay.edges or () if u in ids and v in ids]
    return {
        "badges": {ids[c]: [badge.text, badge.kind, badge.says] for c, badge in overlay.badges.items() if c in ids},
        "links": [[ids[n.start], ids[n.end], n.text, n.kind] for n in overlay.links if n.start in ids and n.end in ids],
        "edge_marks": None
        if overlay.edges is None
        else {f"{ids[u]}>{ids[v]}": [overlay.edges[u, v].true, overlay.edges[u, v].predicted] for u, v in edges},
        "focused": [ids[c] for c in sorted(overlay.focus) if c in ids],
        "key": [[line.what, kind, line.sample, line.words] for kind, line in overlay.key_lines(drawn, edges)],
    }


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    return chr(0x2400 + ord(character)) if ord(character) < 32 else "�"


@cache
def _vis_network() -> ComponentRenderer:
    source = VIS_NETWORK.read_text("utf-8").partition("//# sourceMappingURL")[0]
    return st.components.v2.component("hiermeasures_vis_network", js=source + "\nexport default function () {}\n")
