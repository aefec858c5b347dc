"""The widget without a browser: its attributes and its picture are one, and what a browser sends is checked."""

import json
from typing import Any

import pytest

import hiermeasures
from hiermeasures import Hierarchy, InputError, explain
from hiermeasures.measures import CATALOGUE
from hiermeasures.notebook import Explorer
from hiermeasures.notebook.formula import formula
from hiermeasures.notebook.script import script
from hiermeasures.options import Options
from hiermeasures.ui.outbox import MOST_AT_ONCE, MOST_CHARACTERS
from hiermeasures.ui.views import VIEWS
from tests.ui.test_scripts import CONSTANTS, FOLDER, linted

H = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])


@pytest.fixture
def widget() -> Explorer:
    """Figure 11(a) of Kosmopoulos et al. 2015."""
    return Explorer(H, {"T1"}, {"P1", "P2"})


def data(widget: Explorer) -> dict[str, Any]:
    """What the browser is given."""
    found: dict[str, Any] = widget._data
    return found


def send(widget: Explorer, *gestures: tuple[str, str, dict[str, Any]], **parts: Any) -> None:
    """Gestures as the browser sends them, numbered on from what was applied."""
    seen = data(widget)["seen"]
    numbered = [
        {"number": seen + n, "component": component, "kind": kind, "value": value}
        for n, (component, kind, value) in enumerate(gestures, 1)
    ]
    receive(widget, {"session": data(widget)["session"], "gestures": numbered} | parts)


def receive(widget: Explorer, content: Any) -> None:
    """A message from outside."""
    widget._handle_custom_msg(content, [])


def click(label: str, mode: str = "predicted") -> tuple[str, str, dict[str, Any]]:
    return "graph", "click", {"id": f"n{H.index(label)}", "name": label, "mode": mode}


def marked(widget: Explorer, side: str) -> set[str]:
    return {shape["title"] for shape in data(widget)["graph"]["scene"]["shapes"] if shape[side] == "class"}


# --- attributes ---------------------------------------------------------------------------------------------------


def test_the_package_has_the_widget_where_it_is_asked_for() -> None:
    assert hiermeasures.Explorer is Explorer
    with pytest.raises(AttributeError, match="no attribute 'Explored'"):
        _ = hiermeasures.Explored


def test_code_that_sets_an_attribute_changes_the_picture_and_the_values(widget: Explorer) -> None:
    assert data(widget)["values"]["rows"]["hF"]["value"] == "0.57"
    widget.predicted |= {"C"}
    assert marked(widget, "predicted") == {"P1", "P2", "C"}
    # {A, B, T1} and {A, B, C, P1, P2} share two: 2 · 2 / (3 + 5).
    assert data(widget)["values"]["rows"]["hF"]["value"] == "0.50"
    assert widget.explanation["hF"] == 0.5
    widget.true = ["P1"]
    assert (widget.true, marked(widget, "true")) == (frozenset({"P1"}), {"P1"})


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_an_attribute_away(widget: Explorer, view: str) -> None:
    widget.view = view
    sent = data(widget)
    assert sent["view"] == view
    assert VIEWS[view].draws(CATALOGUE[widget.measure])
    assert bool(sent["table"]) != bool(sent["flow"])


def test_a_measure_brings_its_view_and_the_formula_with_its_numbers(widget: Explorer) -> None:
    widget.measure = "GIE"
    assert (widget.view, data(widget)["title"]) == ("pairing", CATALOGUE["GIE"].heading)
    derivation = explain(H, {"T1"}, {"P1", "P2"}).derivation("GIE")
    assert data(widget)["evidence"]["sentence"] == derivation.sentence
    assert data(widget)["flow"]["nodes"]


def test_what_if_says_at_every_class_what_a_click_would_do(widget: Explorer) -> None:
    widget.measure, widget.what_if = "F_LCA", True
    titles = {shape["id"]: shape["title"] for shape in data(widget)["graph"]["scene"]["shapes"]}
    # By hand in tests/behaviour/test_what_if.py.
    assert {titles[key]: effect["text"] for key, effect in data(widget)["graph"]["effects"]["predicted"].items()} == {
        "A": "0 ·", "B": "0 ·", "C": "+.10 ▲", "T1": "+.27 ▲", "P1": "+.10 ▲", "P2": "+.10 ▲",
    }  # fmt: skip
    assert data(widget)["edits"]["rows"]
    assert data(widget)["evidence"] is None


def test_options_are_set_as_a_mapping_or_whole(widget: Explorer) -> None:
    widget.options = {"dmax": 2}
    assert widget.explanation["GIE"] == explain(H, {"T1"}, {"P1", "P2"}, dmax=2)["GIE"]
    widget.options = Options.make(dmax=3)
    assert widget.options.dmax == 3
    assert Explorer(H, {"T1"}, {"P1"}, dmax=3).options == widget.options


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("true", {"X"}, "unknown class 'X'"),
        ("predicted", 5, "predicted: a set of classes, not 5"),
        ("predicted", [None], "a class is named by text"),
        ("view", "pairings", "unknown view 'pairings'; nearest known: 'pairing'"),
        ("view", ["pairing"], "unknown view"),
        ("measure", "h_F", "unknown measure 'h_F'"),
        ("options", {"dmx": 3}, "unknown option 'dmx'; nearest known: 'dmax'"),
        ("options", {"dmax": -3}, "option dmax"),
        ("options", "dmax", "options: Options or a mapping"),
    ],
)
def test_what_cannot_be_set_is_named_and_the_widget_stays_as_it_was(
    widget: Explorer, name: str, value: Any, says: str
) -> None:
    before = data(widget)
    with pytest.raises(InputError, match=says):
        setattr(widget, name, value)
    assert data(widget) == before
    assert repr(widget) == "Explorer(true=['T1'], predicted=['P1', 'P2'], view='ancestors', measure='hF')"


def test_a_widget_is_refused_for_the_same_reasons() -> None:
    for settings in ({"true": {"X"}}, {"view": "x"}, {"measure": "x"}, {"dmx": 1}, {"view": "lca", "measure": "GIE"}):
        with pytest.raises(InputError):
            Explorer(H, **settings)  # type: ignore[arg-type]


def test_attributes_can_be_observed_and_are_told_once_for_each_change(widget: Explorer) -> None:
    told: list[Any] = []
    widget.observe(lambda change: told.append((change.name, change.new, widget.explanation["hF"])), "predicted")
    widget.observe(lambda change: told.append((change.name, change.new)), ["view", "measure"])
    send(widget, click("P1"))
    # {A, B, T1} and {A, B, P2} share two: 2 · 2 / (3 + 3).
    assert told == [("predicted", frozenset({"P2"}), pytest.approx(2 / 3))]
    widget.view = "pairing"
    assert told[1:] == [("view", "pairing"), ("measure", "MGIA")] or told[1:] == [
        ("measure", "MGIA"),
        ("view", "pairing"),
    ]


# --- what a browser sends -----------------------------------------------------------------------------------------


def test_clicks_are_applied_once_and_in_order_however_often_they_come(widget: Explorer) -> None:
    session = data(widget)["session"]
    clicks = [
        {"number": n, "component": "graph", "kind": "click", "value": click(label)[2]}
        for n, label in enumerate(["C", "P1", "C", "T1"], 1)
    ]
    receive(widget, {"session": session, "gestures": clicks[:2]})
    receive(widget, {"session": session, "gestures": clicks})
    receive(widget, {"session": session, "gestures": clicks[1:3]})
    assert widget.predicted == {"P2", "T1"}
    assert data(widget)["seen"] == 4


def test_gestures_of_the_tables_and_switches_change_what_is_looked_at(widget: Explorer) -> None:
    send(widget, ("values", "choose", {"key": "GIE"}))
    assert (widget.measure, widget.view) == ("GIE", "pairing")
    send(widget, ("explorer", "view", {"key": "confusion"}), ("explorer", "what if", {"on": True}))
    assert (widget.view, widget.what_if) == ("confusion", True)
    send(widget, ("edits", "do", {"side": "predicted", "added": "C", "removed": None}))
    assert widget.predicted == {"C", "P1", "P2"}
    assert data(widget)["why"]["question"].endswith("with + C?")
    send(widget, ("values", "star", {"key": "SDL", "on": True}), ("explorer", "what if", {"on": False}))
    assert "SDL" in data(widget)["values"]["rows"]
    send(widget, ("explorer", "list", {"on": True}))
    assert set(data(widget)["values"]["rows"]) == set(CATALOGUE)


@pytest.mark.parametrize(
    "content",
    [
        None,
        "click",
        [],
        {},
        {"session": "another", "gestures": [{"number": 1, "component": "graph", "kind": "click", "value": {}}]},
        {"gestures": {}},
        {"gestures": [None, 1, "x", {}]},
        {"gestures": [{"number": -1}, {"number": True}, {"number": 1.5}, {"number": 2**60}]},
    ],
)
def test_a_message_that_is_none_changes_nothing(widget: Explorer, content: Any) -> None:
    before = data(widget)
    if isinstance(content, dict):
        content = {"session": before["session"]} | content
    receive(widget, content)
    assert data(widget) == before


@pytest.mark.parametrize(
    "gesture",
    [
        ("graph", "click", {"id": "n99", "name": "X", "mode": "predicted"}),
        ("graph", "click", {"id": "n1", "name": "from another hierarchy", "mode": "predicted"}),
        ("graph", "click", {"id": "n1", "name": "B", "mode": "edit"}),
        ("graph", "click", {"id": ["n1"], "name": {}, "mode": None}),
        ("graph", "click", {"id": "n1", "name": "B", "mode": "predicted", "more": "x" * MOST_CHARACTERS}),
        ("graph", "unfold", {"id": "n99"}),
        ("values", "choose", {"key": ["hF"]}),
        ("values", "choose", {"key": "mine=1+1"}),
        ("values", "star", {"key": []}),
        ("panel", "choose", {"key": 7}),
        ("edits", "do", {"side": "predicted", "added": "X", "removed": None}),
        ("edits", "do", {"side": [], "added": {}, "removed": 1}),
        ("edits", "why", {}),
        ("explorer", "view", {"key": {"a": 1}}),
        ("nobody", "nothing", {}),
        ("", "", {}),
    ],
)
def test_a_gesture_that_does_not_fit_is_acknowledged_and_changes_nothing(widget: Explorer, gesture: Any) -> None:
    before = repr(widget), marked(widget, "predicted"), list(data(widget)["values"]["rows"])
    send(widget, gesture)
    assert (repr(widget), marked(widget, "predicted"), list(data(widget)["values"]["rows"])) == before
    assert data(widget)["seen"] == 1


def test_of_very_many_gestures_so_many_are_taken_at_a_time(widget: Explorer) -> None:
    send(widget, *[click("C")] * (MOST_AT_ONCE + 10))
    assert data(widget)["seen"] == MOST_AT_ONCE


def test_what_is_sent_is_data_and_labels_stay_as_they_are() -> None:
    hostile = "<img src=x onerror=alert(1)>"
    widget = Explorer(Hierarchy.from_edges([("A", hostile), ("A", "$x$")]), {hostile}, {"$x$"}, view="pairing")
    for view in VIEWS:
        widget.view = view
        assert json.loads(json.dumps(data(widget), allow_nan=False)) is not None
    assert hostile not in widget._esm


# --- the script and the formulas ------------------------------------------------------------------------------------


def test_the_module_is_whole_and_asks_no_network() -> None:
    made = script()
    assert made.count("export default") == 1
    assert "globalThis.vis" in made
    assert not [line for line in made.splitlines() if line.lstrip().startswith("import ")]
    assert "cdn" not in made.lower()


def test_a_linter_finds_nothing_in_what_joins_the_parts(tmp_path: Any) -> None:
    own = (FOLDER.parent / "notebook" / "widget.js").read_text("utf-8")
    shared = "".join((FOLDER / name).read_text("utf-8") for name in ("dark.js", "element.js"))
    found = linted(tmp_path, shared + own + "export { svgElement };\n", [*CONSTANTS, "PARTS", "STYLE"])
    assert found.returncode == 0, found.stdout + found.stderr


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_formula_becomes_elements_and_none_of_its_commands_is_left(key: str) -> None:
    x = explain(H, {"T1"}, {"P1", "P2"})
    text = json.dumps(formula(f"{CATALOGUE[key].symbol} = {x.derivation(key).latex}"))
    assert "\\\\" not in text


def test_a_label_in_a_formula_is_text_whatever_is_in_it() -> None:
    hostile = r"a_b & {50%} <i> $x$ \frac ^~#"
    h = Hierarchy.from_edges([("A", hostile), (hostile, "P"), ("A", "T")])
    texts = json.dumps([formula(explain(h, {"T"}, {hostile}).derivation(key).latex) for key in CATALOGUE])
    assert json.dumps(hostile)[1:-1] in texts
