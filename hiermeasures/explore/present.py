"""A presentation: one instance, or two predictions side by side, with a question and values to
guess.

A Stage is the content. Presenting is the progress: the revealed items and the current step.
`controls_of` puts a stage on the screen of any host. The browser does not get hidden values. A
presentation's link has a QR code.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from hiermeasures.debug.what_if import change
from hiermeasures.draw.layout import in_sight
from hiermeasures.draw.scene import MARGIN, Arrangement, Overlay, large_on_screen, scene
from hiermeasures.draw.views import VIEWS, ViewState, steps
from hiermeasures.explore.component_data import Large, graph_data, symbol_parts, two_decimals
from hiermeasures.explore.controls import Control, Controls, Handler, box, component, row
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import Explanation, find_measure
from hiermeasures.measures.catalogue import DIRECTIONS

if TYPE_CHECKING:
    import segno

PRESENTED = ("present", "revealed", "measures")  # parameters in the address
BETWEEN = ";"  # separates measures in the address
GRAPH = "present_graph_"  # prefix of a drawing's number
UNITS = 16.0  # drawing units per rem
AROUND = 85.0  # units for the caption of a drawing and two lines of legend
NOTE = 22.0  # units for a line of notes above a drawing
BADGE, WIDE_BADGE = 12.0, 16.0  # units by which a badge is above and next to its class
GESTURES = ("reveal", "all", "hide", "code", "go", "leave")  # outside the drawings


@dataclass(frozen=True)
class Presenting:
    """The progress of a presentation.

    `everything` means that all items are revealed, and `revealed` names single items. The progress
    also contains the chosen measures, the state of the QR code with its chosen `host`, and the step
    unless the page keeps it.
    """

    everything: bool = False
    revealed: frozenset[str] = frozenset()
    code: bool = False
    step: int | None = None
    measures: tuple[str, ...] = ()
    host: str = ""

    def shows(self, item: str) -> bool:
        return self.everything or item in self.revealed

    def reveal(self, item: str, hidden: Iterable[str]) -> "Presenting":
        """Return a copy with one more item revealed. The last hidden item reveals everything."""
        revealed = self.revealed | {item}
        return replace(
            self, everything=self.everything or revealed.issuperset(hidden), revealed=revealed
        )

    def reveal_next(self, hidden: Sequence[str]) -> "Presenting":
        """Return a copy that reveals the first hidden item.

        >>> one = Presenting().reveal_next(("hF", "GIE"))
        >>> one.revealed, one.reveal_next(("hF", "GIE")).everything
        (frozenset({'hF'}), True)
        """
        item = next((item for item in hidden if not self.shows(item)), None)
        return self if item is None else self.reveal(item, hidden)

    def reveal_all(self) -> "Presenting":
        return replace(self, everything=True)

    def parameters(self) -> dict[str, str]:
        """Return the address's parameters for this progress.

        >>> Presenting(everything=True).parameters()
        {'present': '1', 'revealed': '1'}
        """
        chosen = {"measures": BETWEEN.join(self.measures)} if self.measures else {}
        return {"present": "1", **({"revealed": "1"} if self.everything else {}), **chosen}


def presenting_in(parameters: Mapping[str, str]) -> Presenting | None:
    """Return the presentation in an address, if any. Its measures may not exist.

    >>> presenting_in({"present": "1", "measures": "hF;GIE"}).measures
    ('hF', 'GIE')
    """
    if parameters.get("present") != "1":
        return None
    measures = tuple(key for key in parameters.get("measures", "").split(BETWEEN) if key)
    return Presenting(everything=parameters.get("revealed") == "1", measures=measures)


Layout = Literal["one", "two", "two_above", "beside", "two_beside"]
# The room for a drawing in drawing units, on a screen of 1920 x 1080 pixels with text of at least
# 28 pixels. The values are below it. Another drawing, the question or both are next to it.
ROOMS = {
    "one": (1000.0, 235.0),
    "two": (450.0, 245.0),
    "two_above": (450.0, 165.0),
    "beside": (540.0, 430.0),
    "two_beside": (265.0, 430.0),
}


@dataclass(frozen=True)
class PresentedDrawing:
    """One of the drawings: its caption, its instance, its overlay, and the effect of a click.

    `coming` contains overlays that may be drawn later. They get room from the start.
    """

    caption: str
    explanation: Explanation
    overlay: Callable[[], Overlay]
    click: Mapping[str, Any] | None = None
    coming: tuple[Overlay, ...] = ()

    @cached_property
    def marked(self) -> frozenset[str]:
        return self.explanation.true | self.explanation.predicted


@dataclass(frozen=True)
class Stage:
    """The content of a presentation. The drawings keep their places while `key` stays the same.

    `items` are hidden at first and revealed in this order. They are keys of measures and parts of
    drawings. `first_shown` shows the values of the first of two predictions. `votes` lets a class
    vote on better values. `ask` is another question above the values, and `read` is its text in a
    box. With `walks` you can step through the structure. With `turns` you can turn to other cards.
    With `shared` the stage has an address.
    """

    key: str
    title: str
    question: str
    predictions: tuple[PresentedDrawing, ...]
    at: ViewState
    measures: tuple[str, ...]
    items: tuple[str, ...]
    first_shown: bool = False
    votes: bool = False
    walks: bool = True
    place: str = ""
    ask: Controls = ()
    read: Controls = ()
    turns: bool = False
    shared: bool = True

    @cached_property
    def steps(self) -> int:
        """The number of steps to the drawing. With two predictions, it is the larger number."""
        walk = VIEWS[self.at.view].walk
        return (
            max(len(walk(p.explanation, self.at)) for p in self.predictions)
            if walk and self.walks
            else 0
        )

    @cached_property
    def arranged(self) -> tuple[Layout, tuple[Arrangement, ...]]:
        """Return the layout of drawings and question, and the places of the classes of each
        drawing.
        """
        if len(self.predictions) == 1:
            layout: Layout = "beside" if self.ask else "one"
            return layout, self._arrangements(layout)
        if not self.ask:
            return "two", self._arrangements("two")
        beside = self._arrangements("two_beside")
        room = ROOMS["two_beside"]
        room = (room[0] - WIDE_BADGE * self.badged, room[1])
        if all(not place.neighbourhood.folded and _fits(place, room) for place in beside):
            return "two_beside", beside
        return "two_above", self._arrangements("two" if self.badged else "two_above")

    @cached_property
    def badged(self) -> bool:
        """Return True if classes have badges, which need more space between levels."""
        return any(overlay.badges for p in self.predictions for overlay in p.coming)

    def _arrangements(self, layout: Layout) -> tuple[Arrangement, ...]:
        """Return the places. Two drawings of one hierarchy use the same places."""
        found, room = self.predictions, ROOMS[layout]
        if all(p.explanation.hierarchy == found[0].explanation.hierarchy for p in found):
            marked = frozenset().union(*(p.marked for p in found))
            return (large_on_screen(found[0].explanation.hierarchy, marked, room),) * len(found)
        return tuple(large_on_screen(p.explanation.hierarchy, p.marked, room) for p in found)


def _fits(place: Arrangement, room: tuple[float, float]) -> bool:
    places = [(x, place.sizes[label][0] / 2) for label, (x, _) in place.layout.positions.items()]
    width = max(x + half for x, half in places) - min(x - half for x, half in places)
    return width <= room[0] and _height(place) <= room[1]


def _height(place: Arrangement) -> float:
    levels = [y for _, y in place.layout.positions.values()]
    return max(levels) - min(levels) + MARGIN


def _lowest(stage: Stage) -> float:
    """Return the depth of the links that are or may be drawn, or 0 without links."""
    drawn = zip(stage.arranged[1], stage.predictions, strict=True)
    overlays = ((place, each) for place, p in drawn for each in (p.overlay(), *p.coming))
    return max((link.y for place, each in overlays for link in scene(place, each).links), default=0)


def _hanging(stage: Stage) -> float:
    """Return the height of the links below the lowest classes."""
    lowest = max(y for place in stage.arranged[1] for _, y in place.layout.positions.values())
    return max(0.0, _lowest(stage) - lowest)


def controls_of(
    stage: Stage,
    now: Presenting,
    code: Mapping[str, Any] | None = None,
    *,
    heard: Callable[[str, Any, Mapping[str, Any]], Any],
    clicks: Sequence[Handler] = (),
) -> Controls:
    """Return the stage as controls.

    `code` is the QR code of its link, if it is open. `heard` gets a gesture of GESTURES, the state
    and a value, and returns the new state. `clicks` contains such a function for each drawing.
    """
    layout, places = stage.arranged
    hears = [{"click": click} for click in clicks] or [{}] * len(stage.predictions)
    graphs = (
        component(f"{GRAPH}{k}", "graph", partial(_graph, stage, k), **each)
        for k, each in enumerate(hears)
    )
    gestures: dict[str, Handler] = {kind: partial(heard, kind) for kind in GESTURES}

    def piece(name: str, data: Mapping[str, Any]) -> Control:
        return component(f"present_{name}", "present", lambda: {name: data}, **gestures)

    found = box(
        piece("head", {"title": stage.title, "place": stage.place}),
        row(*graphs, style=f"stage-drawings {'several' if len(stage.predictions) > 1 else ''}"),
        box(
            *stage.read,
            box(*stage.ask, style="stage-ask") if stage.ask else None,
            piece("rows", _said(stage, now)) if stage.question or stage.measures else None,
            style="stage-said",
        ),
        piece("tools", _tools(stage, now, code)),
        key=f"stage_{layout}",
        style=f"stage {layout}",
    )
    # the height of the drawings, as CSS takes it
    high = max(_height(place) + NOTE * bool(place.notes) for place in places)
    need = f"{(high + BADGE * stage.badged + _hanging(stage) + AROUND) / UNITS:.2f}rem"
    return (replace(found, data={**found.data, "need": need}),)


def _graph(stage: Stage, k: int) -> dict[str, Any]:
    places, overlays = stage.arranged[1], [p.overlay() for p in stage.predictions]
    scenes = [scene(place, overlay) for place, overlay in zip(places, overlays, strict=True)]
    prediction = stage.predictions[k]
    caption = prediction.caption
    data = graph_data(
        places[k],
        overlays[k],
        view=f"{stage.key}|{k}",
        alt=f"{caption}. {scenes[k].words}" if caption else scenes[k].words,
        focus=in_sight(prediction.explanation.hierarchy, prediction.marked),
        click=prediction.click,
    )
    return data | {"large": asdict(Large.of(caption, scenes, _lowest(stage)))}


def _said(stage: Stage, now: Presenting) -> dict[str, Any]:
    """Return the data of the question, the current step, and the values."""
    about, at = [], stage.at.step
    for prediction in stage.predictions:
        walk = steps(prediction.explanation, stage.at) if stage.walks else ()
        if walk and at is not None:
            step = walk[min(at, len(walk) - 1)]
            about.append(f"{step.phase}: {step.sentence}")
    return {
        "key": stage.key,
        "question": stage.question,
        "about": about,
        "captions": [p.caption for p in stage.predictions],
        "rows": [
            _row(stage, key, key not in stage.items or now.shows(key)) for key in stage.measures
        ],
        "votes": stage.votes,
    }


def _row(stage: Stage, key: str, shown: bool) -> dict[str, Any]:
    """Return the formatted values of a measure, without hidden ones."""
    measure = find_measure(key)
    found = [p.explanation.value(measure) if p.marked else math.nan for p in stage.predictions]
    known = [shown or (stage.first_shown and k == 0 and len(found) > 1) for k in range(len(found))]
    row = {
        "key": key,
        "symbol": symbol_parts(measure.symbol),
        "name": f"{measure.name}: {DIRECTIONS[measure.better]}",
        "values": [
            two_decimals(value) if seen else None for value, seen in zip(found, known, strict=True)
        ],
    }
    if len(found) > 1 and shown:
        row["word"] = change(measure, found[0], found[1]).word
    return row


def _tools(stage: Stage, now: Presenting, code: Mapping[str, Any] | None) -> dict[str, Any]:
    step = stage.at.step
    return {
        "hidden": [item for item in stage.items if not now.shows(item)],
        "hides": bool(stage.items),
        "steps": stage.steps,
        "step": None if step is None or not stage.steps else min(step, stage.steps - 1) + 1,
        "turns": stage.turns,
        "shared": stage.shared,
        "code": code if now.code else None,
    }


def after(stage: Stage, now: Presenting, kind: str, value: Mapping[str, Any]) -> Presenting:
    """Return the presentation after a gesture that reveals or hides something."""
    match kind:
        case "reveal":
            item = value.get("item")
            return (
                now.reveal(item, stage.items)
                if item in stage.items
                else now.reveal_next(stage.items)
            )
        case "all":
            return now.reveal_all()
        case "hide":
            return replace(now, everything=False, revealed=frozenset())
        case "code":
            host = value.get("host", now.host)
            known = host if isinstance(host, str) else ""
            return replace(now, code=value.get("open") is True, host=known)
    return now


def walked(step: int | None, by: int, steps: int) -> int | None:
    """Return the next or previous step. None, the finished drawing, comes before the first step.

    >>> [walked(k, 1, 3) for k in (None, 0, 1, 2)], [walked(k, -1, 3) for k in (None, 0, 1)]
    ([0, 1, 2, 2], [None, None, 0])
    """
    if step is None:
        return 0 if by > 0 and steps else None
    place = min(step, steps - 1) + by
    return None if place < 0 else min(place, steps - 1)


def direction(value: Mapping[str, Any]) -> int:
    return -1 if value.get("by") == -1 else 1


# characters in a link: with more, you cannot scan the code from the last row
LONGEST_CODE = 1_200
QUIET = 4  # modules of white around a code, as its standard asks
THIS_COMPUTER = ("localhost", "127.0.0.1", "::1", "0.0.0.0")
LOCAL = (
    "This address works on this computer only. Start the app with hiermeasures app --address "
    "0.0.0.0, so that phones can reach it."
)
NO_NETWORK = (
    "This computer is not connected to a network, so phones cannot open this address. Connect it to "
    "the network that the phones use. Then open the QR code again."
)
ONE_ADDRESS = "Phones in the same network as this computer can open it."
ADDRESSES = (
    "This computer has several addresses. Try the code with one phone. If the page does not open, "
    "choose another address."
)
NO_CODE = "Install the package segno to see a QR code here."


def qr_code(link: str) -> "segno.QRCode":
    """Return the QR code of a link. InputError if the link is too long or segno is missing.

    >>> qr_code("http://example.org/?present=1").version
    2
    """
    try:
        import segno  # optional
    except ModuleNotFoundError:
        raise InputError(NO_CODE) from None
    if len(link) > LONGEST_CODE:
        raise InputError(
            f"This link has {len(link):,} characters, but a readable QR code has at most "
            f"{LONGEST_CODE:,}."
        )
    return segno.make(link, error="l", micro=False)


@dataclass(frozen=True)
class NetworkAddress:
    """An address of this computer in a network, and the name of the network's interface."""

    host: str
    name: str


def reach(
    link: str, phones: Sequence[NetworkAddress] | None, host: str = ""
) -> tuple[str, str, list[dict[str, Any]]]:
    """Return the link for phones, a note about it, and the addresses to choose from.

    If only this computer can open the link, it gets the chosen `host` among `phones`, by default
    the first. Without `phones`, other devices cannot reach this computer's pages.

    >>> home = NetworkAddress("192.168.1.5", "wlan0")
    >>> reach("http://localhost:8501/?present=1", [home])[0]
    'http://192.168.1.5:8501/?present=1'
    """
    parts = urlsplit(link)
    if parts.hostname not in THIS_COMPUTER:
        return link, "", []
    if not phones:
        return link, LOCAL if phones is None else NO_NETWORK, []
    chosen = next((at for at in phones if at.host == host), phones[0])
    port = f":{parts.port}" if parts.port else ""
    found = parts._replace(netloc=f"{chosen.host}{port}").geturl()
    if len(phones) == 1:
        return found, ONE_ADDRESS, []
    choices = [
        {"host": at.host, "words": f"{at.host} ({at.name})", "chosen": at is chosen}
        for at in phones
    ]
    return found, ADDRESSES, choices


def code_data(
    link: str, phones: Sequence[NetworkAddress] | None = None, host: str = ""
) -> dict[str, Any]:
    """Return the data for present.js: the image, the link below it, and the result of `reach`."""
    link, note, choices = reach(link, phones, host)
    try:
        image = qr_code(link).svg_data_uri(border=QUIET, light="white", dark="black", omitsize=True)
    except InputError as fault:
        return {"link": link, "note": str(fault)}
    return {"link": link, "image": image, "note": note, "choices": choices}
