"""A person's hand on the Explorer, without a browser: it uses the controls by their keys and words,
as controls.js sends it, and reads what is drawn.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from hiermeasures.draw.scene import PART_DEFAULTS
from hiermeasures.explore import screen
from hiermeasures.explore.library import OPENING, figure
from hiermeasures.explore.model import Host, State
from hiermeasures.explore.outbox import Inbox
from hiermeasures.explore.shown import History, Shown
from hiermeasures.notebook import Explorer as Widget

HOST = Host(window=True, address_bar=True)


class Hand:
    """The Explorer on a state, an instance, or a figure; by default Figure 11(a).

    The tools for papers are shown, unless a state or `quiet` says otherwise.
    """

    def __init__(
        self, at: State | Shown | str = OPENING, host: Host = HOST, *, quiet: bool = False
    ) -> None:
        self.host = host
        shown = figure(at) if isinstance(at, str) else at
        state = State(History(shown)) if isinstance(shown, Shown) else shown
        if state.paper_tools is None and not quiet:
            state = replace(state, paper_tools=True)
        self.state = screen.ready(state, host)

    @property
    def word(self) -> str:
        """The word in the address bar."""
        return str(self.drawn["location"]["word"])

    # --- what is done ---------------------------------------------------------------------------

    def do(self, component: str, kind: str, **value: Any) -> "Hand":
        """A gesture in a component."""
        return self.use(component, {"kind": kind, **value})

    def use(self, key: str, value: Any = None) -> "Hand":
        """A gesture, as a browser sends it."""
        state = screen.after(self.state, self.host, key, value)
        if state is not self.state:
            self.__dict__.pop("drawn", None)
        self.state = state
        return self

    def show(self, at: Shown | str) -> "Hand":
        """Another instance or figure."""
        return self.become(self.state.showing(figure(at) if isinstance(at, str) else at))

    def become(self, state: State) -> "Hand":
        self.__dict__.pop("drawn", None)
        self.state = screen.ready(state, self.host)
        return self

    def click(self, label: str, mode: str = "predicted") -> "Hand":
        """A click on a class of the drawing."""
        return self.do("graph", "click", id=self.shapes[label]["id"], name=label, mode=mode)

    def set(self, key: str, entry: Any) -> "Hand":
        """An entry: what is one of several words, or some of them, by these."""
        control = self.control(key)
        if control["kind"] == "pills":
            entry = [control["words"].index(e) for e in entry]
        elif "words" in control and control["kind"] != "button":
            entry = {"place": control["words"].index(entry), "word": entry}
        return self.use(key, entry)

    def press(self, *keys: str) -> "Hand":
        for key in keys:
            assert not self.control(key).get("disabled"), key
            self.use(key)
        return self

    def open(self, key: str, is_open: bool = True) -> "Hand":
        """Open a menu, or close it."""
        return self.use(key, is_open)

    # --- what is drawn --------------------------------------------------------------------------

    @cached_property
    def drawn(self) -> dict[str, Any]:
        """The drawing, through JSON as for a browser."""
        found: dict[str, Any] = json.loads(
            json.dumps(screen.data(self.state, Inbox("token"), self.host), allow_nan=False)
        )
        return found

    def all(self) -> Iterator[dict[str, Any]]:
        """Every control on the screen."""
        yield from controls_in(self.drawn)

    def has(self, key: str) -> bool:
        return any(control.get("key") == key for control in self.all())

    def control(self, key: str) -> dict[str, Any]:
        found = [control for control in self.all() if control.get("key") == key]
        assert len(found) == 1, (
            f"{len(found)} controls {key!r} among {sorted(c.get('key', '') for c in self.all())}"
        )
        return found[0]

    def chosen(self, key: str) -> Any:
        """The value of a control: of one with words the chosen word."""
        control = self.control(key)
        if control["kind"] in ("switch", "choice"):
            return None if control["value"] is None else control["words"][control["value"]]
        return control["values"] if "values" in control else control["value"]

    def fault(self, key: str) -> str:
        """Why an entry was refused; nothing where it was not."""
        return str(self.control(key).get("fault", ""))

    def data(self, key: str) -> dict[str, Any]:
        """The data of a component."""
        found: dict[str, Any] = self.control(key)["data"]
        return found

    @property
    def words(self) -> list[str]:
        """All texts."""
        return [control["text"] for control in self.all() if control["kind"] == "words"]

    @property
    def shapes(self) -> dict[str, dict[str, Any]]:
        """The drawn classes by their titles."""
        drawn = (PART_DEFAULTS["class"] | shape for shape in self.data("graph")["scene"]["shapes"])
        return {shape["title"]: shape for shape in drawn}

    @property
    def measure(self) -> str:
        """The chosen measure."""
        return str(self.data("values")["chosen"])

    @property
    def rows(self) -> dict[str, dict[str, Any]]:
        """The table of values, with all measures."""
        if self.data("values")["short"]:
            self.press("all_measures")
        found: dict[str, dict[str, Any]] = self.data("values")["rows"]
        return found

    def value(self, measure: str) -> str:
        """A measure's value as the table shows it."""
        return str(self.rows[measure]["value"])


class WidgetHand(Hand):
    """A hand on a notebook's widget, by its messages."""

    def __init__(self, widget: Widget, state: State | None = None) -> None:
        self.widget = widget
        if state is not None:
            widget._become(state)

    def use(self, key: str, value: Any = None) -> Hand:
        self.receive(message(self.drawn, key, value))
        return self

    def receive(self, content: Any) -> None:
        """A message from outside."""
        self.widget._handle_custom_msg(content, [])

    @property
    def drawn(self) -> dict[str, Any]:  # type: ignore[override]
        found: dict[str, Any] = json.loads(json.dumps(self.widget._data, allow_nan=False))
        return found


def message(data: Mapping[str, Any], key: str, value: Any = None) -> dict[str, Any]:
    """One gesture as a browser sends it."""
    numbered = {"number": data["seen"] + 1, "model": data["model"], "key": key, "value": value}
    return {"session": data["session"], "gestures": [numbered]}


def controls_in(data: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every control of what a browser gets, or of a control; without the areas."""
    for control in data.get("areas", data.get("parts", ())):
        if control["kind"] != "area":
            yield control
        yield from controls_in(control)
