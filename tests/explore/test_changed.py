"""A changed instance is no longer called what it was: a figure, a card, an instance of a system or
of a search.
"""

from collections.abc import Callable
from itertools import pairwise

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.draw.views import OPENING
from hiermeasures.explore import hierarchy_edits
from hiermeasures.explore.library import figure, name_of
from hiermeasures.explore.share_link import decoded, encoded
from hiermeasures.explore.shown import LONGEST_HISTORY, History, Shown
from hiermeasures.explore.table import CHANGED
from hiermeasures.hierarchy.options import Options
from tests.conftest import hierarchy_of

from .hand import Hand

FIGURE = "kosmopoulos2015/figure-11a"


def found() -> Shown:
    """An instance with a name, as a list or a search brings it."""
    return Shown.make(hierarchy_of("A>B A>C"), {"B"}, {"C"}, title="q17 · one").named()


def other_dmax(now: Shown) -> Shown:
    return now.with_options(Options.make({**now.instance.options.as_dict(), "dmax": 3}))


# --- one instance -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda now: now.toggled("predicted", "C"), ("other predicted classes",)),
        (lambda now: now.toggled("true", "C"), ("other true classes",)),
        (other_dmax, ("other options (D_max)",)),
        (lambda now: hierarchy_edits.add_class(now, "D", "C"), ("another hierarchy",)),
        (lambda now: hierarchy_edits.rename(now, "A", "X"), ("another hierarchy",)),
    ],
)
@pytest.mark.parametrize("start", [figure(FIGURE), found()], ids=["figure", "found"])
def test_any_difference_is_said_until_it_is_taken_back(
    start: Shown, change: Callable[[Shown], Shown], words: tuple[str, ...]
) -> None:
    assert start.changes == ()
    assert change(start).changes == words
    assert name_of(change(start)) == f"{name_of(start)}, changed"
    assert change(start).original == start


def test_paths_that_a_figure_gives_come_back_with_its_classes() -> None:
    now = figure("riehl2023/figure-4b2")
    assert now.instance.predicted_paths
    (label,) = now.instance.predicted
    other = now.toggled("predicted", label)
    assert other.instance.predicted_paths is None
    assert other.toggled("predicted", label).instance == now.instance


# --- links --------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", [figure(FIGURE), found()], ids=["figure", "found"])
@pytest.mark.parametrize(
    "change", [lambda now: now, lambda now: now.toggled("predicted", "B"), other_dmax]
)
def test_a_link_says_it_and_brings_the_way_back(
    start: Shown, change: Callable[[Shown], Shown]
) -> None:
    shown = change(start)
    back = decoded(encoded(shown, OPENING, shown)).shown
    assert back == shown
    assert back.original == start


# --- the screen ---------------------------------------------------------------------------------


def test_the_printed_values_of_a_changed_figure_are_said_to_be_the_figures_until_undo_brings_it_back() -> (
    None
):
    at = Hand().click("C")
    printed = {key: row for key, row in at.rows.items() if "printed" in row}
    assert len(printed) == 10
    assert {row["status"] for row in printed.values()} == {"changed"}
    assert printed["hF"]["printed"] == "0.57"
    assert at.control("values_caption")["text"] == CHANGED
    assert at.chosen("part") is None
    at.set("part", "(a)")
    assert (at.chosen("predicted_classes"), at.rows["hF"]["status"]) == (["P1", "P2"], "match")
    assert at.press("undo", "undo").rows["hF"]["status"] == "match"


# --- history, and what an instance costs ----------------------------------------------------------


def test_the_history_is_bounded() -> None:
    history = History(found())
    for _ in range(LONGEST_HISTORY + 10):
        history = history.to(history.present.toggled("true", "C"))
    assert len(history.past) == LONGEST_HISTORY


def test_a_page_stops_the_exact_search_where_its_budget_ends_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Three classes of each side below three layers of four, everything joined with everything: very
    # many ways tie.
    layers = [
        ["R"],
        *([f"{name}{k}" for k in range(4)] for name in "ABC"),
        [f"{s}{k}" for s in "TP" for k in range(3)],
    ]
    edges = [(p, c) for above, below in pairwise(layers) for p in above for c in below]
    h = Hierarchy.from_edges(
        [(p, c) for p, c in edges if not (p < "C" and c < "C" and p[1:] == c[1:])]
    )
    many = Shown.make(
        h, layers[4][:3], layers[4][3:], title="ways", options=Options.make(solver="exact")
    )
    monkeypatch.setattr("hiermeasures.explore.shown.PAGE_WORK", 20)
    found = many.explained()
    assert not found.lca.minimal.optimal
    assert "stopped after" in found.derivation("F_LCA").sentence
    assert explain(h, layers[4][:3], layers[4][3:], solver="exact").lca.minimal.optimal


def test_what_a_hierarchy_says_of_its_classes_counts_where_no_options_say_otherwise() -> None:
    heavy = found().hierarchy.with_class_weights({"B": 3.0})
    assert Shown.make(found().hierarchy, title="t").instance.options == Options.make()
    assert Shown.make(heavy, {"B"}, {"C"}, title="t").explained()["ru"] == 3
    assert Shown.make(heavy, {"B"}, {"C"}, title="t", options=Options.make()).explained()["ru"] == 1
