"""The widget without a browser: its attributes and its picture are one, and what a browser sends is
checked.
"""

import json
from typing import Any

import pytest

import hiermeasures
from hiermeasures import Hierarchy, InputError, explain
from hiermeasures.explore.formulas import mathml
from hiermeasures.explore.parts import math_font_script
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE
from hiermeasures.notebook import Explorer
from hiermeasures.notebook.explorer import script
from tests.explore.hand import Hand, WidgetHand

H = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])


@pytest.fixture
def widget() -> Explorer:
    """Figure 11(a) of Kosmopoulos et al. 2015."""
    return Explorer(H, {"T1"}, {"P1", "P2"})


@pytest.fixture
def at(widget: Explorer) -> WidgetHand:
    """A hand on it."""
    return WidgetHand(widget)


def click(label: str, mode: str = "predicted") -> dict[str, Any]:
    return {"id": f"n{H.index(label)}", "name": label, "mode": mode}


def marked(at: Hand, side: str) -> set[str]:
    return {title for title, shape in at.shapes.items() if shape[side] == "class"}


# --- attributes ---------------------------------------------------------------------------------


def test_the_package_has_the_widget_where_it_is_asked_for() -> None:
    assert hiermeasures.Explorer is Explorer
    with pytest.raises(AttributeError, match="no attribute 'Explored'"):
        _ = hiermeasures.Explored


def test_code_that_sets_an_attribute_changes_the_picture_and_the_values(
    widget: Explorer, at: Hand
) -> None:
    assert at.value("hF") == "0.57"
    widget.predicted |= {"C"}
    assert marked(at, "predicted") == {"P1", "P2", "C"}
    # {A, B, T1} and {A, B, C, P1, P2} share two: 2 · 2 / (3 + 5).
    assert at.value("hF") == "0.50"
    assert widget.explanation["hF"] == 0.5
    widget.true = ["P1"]
    assert (widget.true, marked(at, "true")) == (frozenset({"P1"}), {"P1"})


def test_a_measure_brings_its_view_and_the_formula_with_its_numbers(
    widget: Explorer, at: Hand
) -> None:
    widget.measure = "GIE"
    assert (widget.view, at.control("measure")["text"]) == ("pairing", CATALOGUE["GIE"].heading)
    derivation = explain(H, {"T1"}, {"P1", "P2"}).derivation("GIE")
    assert at.control("sentence")["text"] == derivation.sentence
    (formula,) = (c for c in at.all() if c["kind"] == "formula")
    assert formula["formula"] == mathml(f"{CATALOGUE['GIE'].symbol} = {derivation.marked}")
    assert formula["terms"]["pair0"] == ["P1 with T1: 2", ["P1", "T1"]]


def test_what_if_is_an_attribute_and_the_switch_sets_it(widget: Explorer, at: Hand) -> None:
    widget.measure, widget.what_if = "F_LCA", True
    assert at.data("edits")["rows"]
    at.set("stepping", "Why")
    assert not widget.what_if
    assert not at.has("edits")


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
        ("predicted", [None], "the name of a class must be text"),
        ("view", "pairings", "'pairing'"),
        ("view", ["pairing"], "unknown view"),
        ("measure", "h_F", "unknown measure 'h_F'"),
        ("options", {"dmx": 3}, "'dmax'"),
        ("options", {"dmax": -3}, "option dmax"),
        ("options", "dmax", "options: Options or a mapping"),
    ],
)
def test_what_cannot_be_set_is_named_and_the_widget_stays_as_it_was(
    widget: Explorer, name: str, value: Any, says: str
) -> None:
    before = widget._data
    with pytest.raises(InputError, match=says):
        setattr(widget, name, value)
    assert widget._data == before
    assert (
        repr(widget)
        == "Explorer(true=['T1'], predicted=['P1', 'P2'], view='ancestors', measure='hF')"
    )


def test_attributes_can_be_observed_and_are_told_once_for_each_change(
    widget: Explorer, at: Hand
) -> None:
    told: list[Any] = []
    widget.observe(
        lambda change: told.append((change.name, change.new, widget.explanation["hF"])), "predicted"
    )
    widget.observe(lambda change: told.append((change.name, change.new)), ["view", "measure"])
    at.click("P1")
    # {A, B, T1} and {A, B, P2} share two: 2 · 2 / (3 + 3).
    assert told == [("predicted", frozenset({"P2"}), pytest.approx(2 / 3))]
    widget.view = "pairing"
    assert told[1:] == [("view", "pairing"), ("measure", "MGIA")] or told[1:] == [
        ("measure", "MGIA"),
        ("view", "pairing"),
    ]


# --- what a browser sends -----------------------------------------------------------------------


def test_what_a_person_does_is_told_by_the_attributes(widget: Explorer, at: Hand) -> None:
    at.do("values", "choose", key="GIE")
    assert (widget.measure, widget.view) == ("GIE", "pairing")
    at.use("paper_tools", True).set("view", "confusion").set("stepping", "What if")
    assert (widget.view, widget.what_if) == ("confusion", True)
    at.do("edits", "do", side="predicted", added="C", removed=None)
    assert widget.predicted == {"C", "P1", "P2"}


# --- the script and the formulas ----------------------------------------------------------------


def test_the_module_is_whole_and_asks_no_network() -> None:
    made = script()
    assert made.count("export default") == 1
    assert "globalThis.vis" in made
    assert not [line for line in made.splitlines() if line.lstrip().startswith("import ")]
    assert made.startswith(math_font_script())
    assert "cdn" not in made.removeprefix(math_font_script()).lower()


@pytest.mark.parametrize("key", CATALOGUE)
def test_every_formula_becomes_elements_and_none_of_its_commands_is_left(key: str) -> None:
    x = explain(H, {"T1"}, {"P1", "P2"})
    text = json.dumps(mathml(f"{CATALOGUE[key].symbol} = {x.derivation(key).latex}"))
    assert "\\\\" not in text


def test_a_label_in_a_formula_is_text_whatever_is_in_it() -> None:
    hostile = r"a_b & {50%} <i> $x$ \frac ^~#"
    h = Hierarchy.from_edges([("A", hostile), (hostile, "P"), ("A", "T")])
    texts = json.dumps(
        [mathml(explain(h, {"T"}, {hostile}).derivation(key).latex) for key in CATALOGUE]
    )
    assert json.dumps(hostile)[1:-1] in texts
