"""The instance on the screen and its history."""

from itertools import pairwise

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.core.options import Options
from hiermeasures.explorer.state import LONGEST_HISTORY, History, Shown

H = Hierarchy.from_edges([("A", "B"), ("A", "C")])
SHOWN = Shown.make(H, {"B"}, {"C"}, title="two classes")


def test_a_click_puts_a_class_on_a_side_and_takes_it_off_again() -> None:
    both = SHOWN.toggled("predicted", "B")
    assert both.classes("predicted") == {"B", "C"}
    assert both.toggled("predicted", "B").classes("predicted") == {"C"}
    assert both.classes("true") == {"B"}


def test_the_history_is_bounded() -> None:
    history = History(SHOWN)
    for _ in range(LONGEST_HISTORY + 10):
        history = history.to(history.present.toggled("true", "C"))
    assert len(history.past) == LONGEST_HISTORY


def test_a_page_stops_the_exact_search_where_its_budget_ends_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    # Three classes of each side below three layers of four, everything joined with everything: very
    # many ways tie.
    layers = [["R"], *([f"{name}{k}" for k in range(4)] for name in "ABC"), [f"{s}{k}" for s in "TP" for k in range(3)]]
    edges = [(p, c) for above, below in pairwise(layers) for p in above for c in below]
    h = Hierarchy.from_edges([(p, c) for p, c in edges if not (p < "C" and c < "C" and p[1:] == c[1:])])
    many = Shown.make(h, layers[4][:3], layers[4][3:], title="ways", options=Options.make(solver="exact"))
    monkeypatch.setattr("hiermeasures.explorer.state.PAGE_WORK", 20)
    found = many.explained()
    assert not found.lca.minimal.optimal
    assert "stopped after" in found.derivation("F_LCA").sentence
    assert explain(h, layers[4][:3], layers[4][3:], solver="exact").lca.minimal.optimal


def test_what_a_hierarchy_says_of_its_classes_counts_where_no_options_say_otherwise() -> None:
    heavy = H.with_class_weights({"B": 3.0})
    assert Shown.make(H, title="t").instance.options == Options.make()
    assert Shown.make(heavy, {"B"}, {"C"}, title="t").explained()["ru"] == 3
    assert Shown.make(heavy, {"B"}, {"C"}, title="t", options=Options.make()).explained()["ru"] == 1
