"""The app, the notebook and the page without a server are one Explorer: the same gestures draw the
same, and what comes from outside does no harm.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hiermeasures import Hierarchy
from hiermeasures.app.explore.page import HOST as APP
from hiermeasures.explore import model, screen, what_if
from hiermeasures.explore.gestures import EDITS, GRAPH, PANEL, VALUES
from hiermeasures.explore.library import figures
from hiermeasures.explore.model import Host, State, read_here
from hiermeasures.explore.present import GESTURES as PRESENT
from hiermeasures.explore.shown import Shown
from hiermeasures.notebook import Explorer as Widget
from hiermeasures.page.session import Session

from .hand import Hand, WidgetHand, controls_in, message

Gesture = tuple[str, Any]  # key and value


class OfPage(Hand):
    """A hand on the page's session, by its JSON."""

    def __init__(self, state: State) -> None:
        self.session = Session()
        self.session._state = state
        self.drawn = json.loads(self.session.answer())["data"]

    def use(self, key: str, value: Any = None) -> Hand:
        answer = self.session.received(json.dumps(message(self.drawn, key, value)))
        self.drawn = json.loads(answer)["data"]
        return self


def common(drawn: Mapping[str, Any], keys: set[str]) -> Any:
    """Return a drawing without a host's own controls and data, and settings of its graph."""

    def of(control: Mapping[str, Any]) -> Any:
        parts = [
            of(part)
            for part in control.get("parts", ())
            if part.get("key", "") in keys or "key" not in part
        ]
        data = dict(control.get("data", {}))
        for name in ("view", "zoom", "hint"):
            data.pop(name, None) if control.get("component") == "graph" else None
        return {**control, "parts": parts, "data": data}

    return [of(area) for area in drawn["areas"]]


def keys_of(at: Hand) -> set[str]:
    return {control.get("key", "") for control in controls_in(at.drawn)}


def likely(at: Hand, keys: set[str], chance: Random) -> Gesture:
    """A gesture that a person could make on what is drawn."""
    if at.has("present_tools"):
        value = {
            "kind": chance.choice(PRESENT),
            "item": chance.choice(["hF", "GIE"]),
            "by": chance.choice([-1, 1]),
            "open": chance.random() < 0.5,
        }
        return chance.choice(["present_tools", "present_rows"]), value
    shape, side = chance.choice([*at.shapes.values()]), chance.choice(["true", "predicted"])
    clicked = {"id": shape["id"], "name": shape["title"]}
    measure = chance.choice([*at.data("values")["rows"]] or ["hF"])
    keys = keys - {"present"}  # which leads to another screen
    used = [
        c
        for c in at.all()
        if c.get("key") in keys and c["kind"] in ENTRIES and not c.get("disabled")
    ]
    control = chance.choice(used)
    edit = {"do": chance.choice(["child", "select", "delete"]), "class": clicked}
    offered: list[Gesture] = [
        ("graph", {"kind": "click", **clicked, "mode": side}),
        ("graph", {"kind": "unfold", **clicked}),
        ("graph", {"kind": "edit", **edit}),
        ("values", {"kind": "choose", "key": measure}),
        ("values", {"kind": "star", "key": measure, "on": chance.random() < 0.7}),
        ("edits", {"kind": "why", "side": side, "added": shape["title"], "removed": None}),
    ]
    entry = ENTRIES[control["kind"]](control, chance, at)
    return chance.choice([*offered, *[(control["key"], entry)] * 6])


def one_of_words(control: dict[str, Any], chance: Random, at: Hand) -> Any:
    word = chance.choice(control["words"] or [""])
    return {"place": chance.randrange(4), "word": word}


Entry = Callable[[dict[str, Any], Random, Hand], Any]
ENTRIES: dict[str, Entry] = {
    "switch": one_of_words,
    "choice": one_of_words,
    "pills": lambda c, chance, at: [k for k in range(len(c["words"])) if chance.random() < 0.5],
    "check": lambda c, chance, at: not c["value"],
    "number": lambda c, chance, at: chance.choice([0, 1, 2, 2.5, None]),
    "text": lambda c, chance, at: chance.choice(["", "hF + 1", "mine", "A B\nA C\n", "(", "T1"]),
    "classes": lambda c, chance, at: chance.sample([*at.shapes], min(2, len(at.shapes))),
    "button": lambda c, chance, at: None,
    "menu": lambda c, chance, at: not c.get("open"),
}


@pytest.fixture(autouse=True)
def no_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the limits of time, which leave out other things on each machine and in each host."""
    for module in (model, what_if):
        monkeypatch.setattr(module, "BUDGET", 1e6)


def walked(case: str, gestures: int) -> None:
    """The same gestures in the three hosts, in which the same is drawn after each of them."""
    # Without a session of Streamlit's, another process, and a compiler's threads.
    own = {
        "rows": Host().rows,
        "tools": Host().tools,
        "why": Host().why,
        "to_page": None,
        "read": read_here,
    }
    app = replace(APP, engine=None, **own)
    first = Hand(case, app)
    room = Widget(first.state.shown.hierarchy)._state.placement.room
    first.state = first.state.placed(room=room, arrangement=None).arranged()
    hosts = [
        first,
        WidgetHand(Widget(first.state.shown.hierarchy), first.state),
        OfPage(first.state),
    ]
    chance = Random(case)
    for number in range(gestures):
        keys = set.intersection(*map(keys_of, hosts))
        what = likely(first, keys, chance)
        for at in hosts:
            at.use(*what)
        keys = set.intersection(*map(keys_of, hosts))
        here, *others = [common(at.drawn, keys) for at in hosts]
        for other in others:
            assert other == here, (number, what)


FEW = [(case, 10) for case in [*figures()][::8]]


@pytest.mark.parametrize(
    ("case", "gestures"), [*FEW, *(pytest.param(c, 50, marks=pytest.mark.slow) for c in figures())]
)
def test_the_same_gestures_draw_the_same_in_every_host(case: str, gestures: int) -> None:
    walked(case, gestures)


# --- what comes is from outside -----------------------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from([10**400, -1, 0, 1, 2, "T1", "A B\nA C"])
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "name", "text"]), inner)
    ),
    max_leaves=5,
)
COMPONENTS = {
    "graph": GRAPH,
    "values": VALUES,
    "panel": PANEL,
    "edits": EDITS,
    "location": ["walk"],
}
HOSTILE = "<img src=x onerror=alert(1)>"
STATES = {
    "values": Hand().open("own").press("pin"),
    "pencil": Hand().set("click", "✎ edit").click("P2", "edit").open("measures_filter"),
    "bounds": Hand().set("view", "pairing"),
    "steps": Hand().set("view", "LCA").set("stepping", "Step by step"),
    "what if": Hand(Shown.make(Hierarchy.from_edges([("A", HOSTILE)]), {HOSTILE}, title="t")).set(
        "stepping", "What if"
    ),
}


def is_offered(control: Mapping[str, Any], entry: Any) -> bool:
    """True for an entry that a control on the screen offers to a person."""
    match control["kind"]:
        case "switch" | "choice":
            return isinstance(entry, dict) and entry.get("word") in control["words"]
        case "menu" | "check":
            return isinstance(entry, bool)
        case "button":
            return entry is None and not control.get("disabled")
        case "number":
            a_number = isinstance(entry, int | float) and not isinstance(entry, bool)
            return (a_number or entry is None) and not control.get("disabled")
        case "text":
            return isinstance(entry, str) and not control.get("disabled")
        case "pills" | "classes":
            of = int if control["kind"] == "pills" else str
            return isinstance(entry, list) and all(type(each) is of for each in entry)
    return False


WORDS = st.fixed_dictionaries(
    {"word": st.sampled_from(["LCA", "What if", "◯ true", "nobody"]), "place": JSON}
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    where=st.sampled_from([*STATES]),
    place=st.integers(0, 60),
    unknown=st.none() | JSON,
    entry=JSON | WORDS,
)
def test_a_control_takes_what_it_offers_and_nothing_else(
    where: str, place: int, unknown: Any, entry: Any
) -> None:
    at = STATES[where]
    used = [control for control in at.all() if "key" in control]
    control = used[place % len(used)]
    key = control["key"] if unknown is None else unknown
    state = screen.after(at.state, at.host, key, entry)
    if unknown is not None or not is_offered(control, entry):
        assert state is at.state
    else:
        assert Hand(state).drawn


@settings(max_examples=100)
@given(
    where=st.sampled_from([*STATES]),
    what=st.sampled_from(
        [(component, kind) for component, kinds in COMPONENTS.items() for kind in kinds]
        + [("nobody", "nothing")]
    ),
    value=st.dictionaries(
        st.sampled_from("id name mode key on side added removed do class parent child to".split()),
        JSON,
    ),
)
def test_gestures_of_components_with_anything_in_them_leave_a_state_that_is_drawn(
    where: str, what: tuple[str, str], value: dict[str, Any]
) -> None:
    at = STATES[where]
    state = screen.after(at.state, at.host, what[0], {"kind": what[1], **value})
    assert state.shown.selected <= {*state.shown.hierarchy.nodes}
    assert Hand(state).drawn


def test_a_class_is_found_under_its_new_name_until_it_is_drawn_anew() -> None:
    at = Hand(Shown.make(Hierarchy.from_edges([("A", "B"), ("A", "C")]), title=""))
    on_b, edit = {"id": "n1", "name": "B"}, {"do": "rename", "to": "T"}
    assert GRAPH["click"](at.state, {"id": "n1", "name": "of another", "mode": "true"}) is at.state
    state = GRAPH["click"](
        GRAPH["edit"](at.state, {**edit, "class": on_b}), on_b | {"mode": "true"}
    )
    assert state.shown.instance.true == {"T"}
    assert state.arranged().placement.renamed == {}
