"""The look of structures on the hierarchy."""

from hiermeasures import Hierarchy, explain
from hiermeasures.picture.scene import Link, Mark, Overlay, Side
from hiermeasures.picture.views.confusion import confusion_overlay, superscript
from hiermeasures.picture.views.lca import graphs_overlay
from tests.app.screen import overlay_of
from tests.conftest import hierarchy_of

# Figure 11(a) of Kosmopoulos et al. 2015.
FIGURE_11A = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
X = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})
TRUE, PREDICTED = Mark(Side.CLASS), Mark(Side.NONE, Side.CLASS)
ANCESTOR_OF_BOTH = Mark(Side.ADDED, Side.ADDED)


def test_ancestor_sets_mark_the_classes_and_what_augmentation_added() -> None:
    overlay = overlay_of(X, "augmented")
    assert overlay.marks == {"A": ANCESTOR_OF_BOTH, "B": ANCESTOR_OF_BOTH, "T1": TRUE, "P1": PREDICTED, "P2": PREDICTED}
    assert overlay.meaning(ANCESTOR_OF_BOTH) == "ancestor of both"


def test_h_loss_strikes_out_errors_below_an_error() -> None:
    # T = {B, T1}, P = {C}: B is missed, so that T1 is missed as well is not counted again.
    overlay = overlay_of(explain(FIGURE_11A, {"T1"}, {"C"}), "h_loss")
    assert overlay.marks["T1"] == Mark(Side.CLASS, Side.NONE, struck=True)
    assert overlay.meaning(overlay.marks["T1"]) == "true, not counted"
    assert not overlay.marks["B"].struck


CREDITED = explain(
    Hierarchy.from_edges(e.split(">") for e in "R>A A>B B>C A>D R>E E>F".split()),
    {"A", "F"},
    {"C", "E"},
    too_specific="right",
    too_general="ignored",
)


def test_credited_classes_have_a_badge_with_a_line_in_the_legend_and_keep_their_sides() -> None:
    overlay = overlay_of(CREDITED, "augmented")
    assert {c: (b.text, b.words) for c, b in overlay.badges.items()} == {
        "B": ("↓", "too specific, counted as right"),
        "C": ("↓", "too specific, counted as right"),
        "F": ("↑", "too general, left out"),
    }
    assert [(line.sample, line.words) for line in overlay.legend.values()] == [
        ("↓", "too specific, counted as right"),
        ("↑", "too general, left out"),
    ]
    assert (overlay.marks["C"], overlay.marks["B"]) == (PREDICTED, Mark(Side.NONE, Side.ADDED))
    assert overlay.marks["F"] == Mark(Side.CLASS, struck=True)
    assert overlay.marks["E"] == Mark(Side.ADDED, Side.CLASS)


def test_in_flat_sets_a_class_that_is_left_out_takes_its_answer_with_it() -> None:
    overlay = overlay_of(CREDITED, "flat")
    assert overlay.marks == {
        "A": TRUE,
        "C": PREDICTED,
        "E": Mark(Side.NONE, Side.CLASS, struck=True),
        "F": Mark(Side.CLASS, struck=True),
    }
    assert overlay.badges.keys() == {"C", "F"}


# --- badges, links and edges --------------------------------------------------------------------

# Figures 8(b) and 15 of Kosmopoulos et al. 2015, and Figure 4(c) of Riehl et al. 2023, third
# prediction.
FIGURE_8B = Hierarchy.from_edges(
    edge.split(">")
    for edge in "0>1 0>2 0>3 1>1.1 1>1.2 2>2.1 3>3.1 3>3.2 3>3.3 3.2>3.2.1 3.2>3.2.2 3>2.1 3>3.2.2".split()
)
X8B = explain(FIGURE_8B, {"2.1", "3.2.1", "3.3"}, {"3.1", "3.2.1", "3.2.2"})
X15 = explain(
    Hierarchy.from_edges(edge.split(">") for edge in "A>B A>C B>T1 C>D C>E D>P1 E>P1 E>P2".split()),
    {"T1"},
    {"P1", "P2"},
)
X4C = explain(
    Hierarchy.from_edges(e.split(">") for e in "R>A R>B A>C A>D A>E C>H D>I D>J D>K E>L E>M B>F B>G B>E".split()),
    {"I", "F"},
    {"H", "M"},
    true_paths=["RADI", "RBF"],
    predicted_paths=["RACH", "RBEM"],
)
IN_BOTH, BOTH_CLASSES = Mark(Side.ADDED, Side.ADDED), Mark(Side.CLASS, Side.CLASS)
BOTH, OF_TRUE, OF_PREDICTED = "both", "true", "predicted"


def badges(overlay: Overlay) -> dict[str, str]:
    return {label: badge.text for label, badge in overlay.badges.items()}


def test_minimal_lca_graphs_of_figure_8b_leave_3_2_out_and_say_so() -> None:
    # Figure 10: G_t = {3, 2.1, 3.3, 3.2.1}, G_p = {3, 3.1, 3.2.2, 3.2.1}; of the LCAs {3, 3.2,
    # 3.2.1} two are enough.
    overlay = overlay_of(X8B, "lca")
    assert overlay.marks == {
        "3": IN_BOTH,
        "2.1": TRUE,
        "3.3": TRUE,
        "3.1": PREDICTED,
        "3.2.2": PREDICTED,
        "3.2.1": BOTH_CLASSES,
        "3.2": Mark(ringed=True),
    }
    assert overlay.meaning(Mark(ringed=True)) == "in the extended graphs only"
    assert overlay.edges == {
        ("3", "2.1"): OF_TRUE,
        ("3", "3.3"): OF_TRUE,
        ("3", "3.1"): OF_PREDICTED,
        ("3", "3.2.2"): OF_PREDICTED,
    }
    assert {label: badge.kind for label, badge in overlay.badges.items()} == {
        "3": "lca",
        "3.2.1": "lca",
        "3.2": "struck",
    }


def test_extended_lca_graphs_of_figure_8b_have_3_2_on_both_sides() -> None:
    # Figure 9: 3.2 is an LCA of 3.2.2, so both graphs lead from it, to 3.2.1 and to 3.2.2.
    overlay = graphs_overlay(X8B.lca, X8B, "extended")
    assert overlay.marks["3.2"] == IN_BOTH
    assert overlay.edges is not None
    assert overlay.edges["3.2", "3.2.1"] == OF_TRUE
    assert overlay.edges["3.2", "3.2.2"] == OF_PREDICTED
    assert {badge.kind for badge in overlay.badges.values()} == {"lca"}


def test_lca_graphs_of_figure_15_take_one_of_the_two_ways_to_p1() -> None:
    # A is the only LCA: T1 – B – A on the true side; of the ways up from P1, by D or by E, the one
    # by E is shared with P2.
    overlay = overlay_of(X15, "lca")
    assert badges(overlay) == {"A": "LCA"}
    assert overlay.edges == {
        ("A", "B"): OF_TRUE,
        ("B", "T1"): OF_TRUE,
        ("A", "C"): OF_PREDICTED,
        ("C", "E"): OF_PREDICTED,
        ("E", "P1"): OF_PREDICTED,
        ("E", "P2"): OF_PREDICTED,
    }
    assert overlay.marks["D"] == Mark(ringed=True)


def test_pairs_of_figure_15_are_links_with_their_distance() -> None:
    # Both predicted classes are 2 + 3 edges away from T1; in GIE one of them stays alone at a cost
    # of D_max = 5.
    assert overlay_of(X15, "pairing_MGIA").links == (Link("P1", "T1", "5", "pair"), Link("P2", "T1", "5", "pair"))
    gie = overlay_of(X15, "pairing_GIE")
    assert gie.links == (Link("P1", "T1", "5", "pair"),)
    assert badges(gie) == {"P2": "+5"}


def test_confusion_cells_of_riehls_figure_4c_by_path() -> None:
    # The figure's table: path RACH has TP {A}, TN {B, E}, FP {C, H}, FN {D, I}; path RBEM has TP
    # {B}, TN {A, G}, FP {E, M}, FN {F}.
    first, second = (next(i for i, p in enumerate(X4C.confusion.paths) if p.predicted_path[-1] == end) for end in "HM")
    assert badges(confusion_overlay(X4C.confusion, X4C, first)) == {
        "A": "TP",
        "B": "TN",
        "E": "TN",
        "C": "FP",
        "H": "FP",
        "D": "FN",
        "I": "FN",
    }
    alone = confusion_overlay(X4C.confusion, X4C, second)
    assert badges(alone) == {"B": "TP", "A": "TN", "G": "TN", "E": "FP", "M": "FP", "F": "FN"}
    assert alone.edges == {("R", "B"): BOTH, ("B", "E"): OF_PREDICTED, ("E", "M"): OF_PREDICTED, ("B", "F"): OF_TRUE}
    assert alone.marks["G"] == Mark(ringed=True)


def test_a_class_in_cells_of_several_paths_says_which() -> None:
    together = overlay_of(X4C, "confusion")
    numbers = {p.predicted_path[-1]: i for i, p in enumerate(X4C.confusion.paths, 1)}
    expected = {("TP", superscript(numbers["H"])), ("TN", superscript(numbers["M"]))}
    assert {(part[:2], part[2:]) for part in together.badges["A"].text.split()} == expected


def test_true_paths_without_a_prediction_are_missed_all_the_way() -> None:
    # P1 is compared with T1; beside their common path C is rightly left out, but no prediction is
    # left for it as a true class.
    overlay = overlay_of(explain(FIGURE_11A, {"T1", "C"}, {"P1"}), "confusion")
    assert overlay.badges["C"].text == "TN¹ FN"
    assert overlay.badges["C"].words == "true negative of path 1, false negative of a true path left over"


def test_counts_of_figure_15_are_written_at_the_classes() -> None:
    # T1 lies below B and A; P1 below D, E, C and A; P2 below E, C and A.
    assert badges(overlay_of(X15, "counts")) == {
        "A": "1/2 ▲",
        "B": "1/0 ▼",
        "T1": "1/0 ▼",
        "C": "0/2 ▲",
        "D": "0/1 ▲",
        "E": "0/2 ▲",
        "P1": "0/1 ▲",
        "P2": "0/1 ▲",
    }


def test_distances_link_the_most_specific_classes_and_strike_out_the_others() -> None:
    overlay = overlay_of(explain(FIGURE_11A, {"B", "T1"}, {"P1"}), "shortest_path")
    assert overlay.links == (Link("P1", "T1", "2", "pair"),)
    assert overlay.marks["B"] == Mark(Side.CLASS, struck=True)


def test_the_root_stands_for_an_empty_side() -> None:
    overlay = overlay_of(explain(FIGURE_11A, {"T1"}, set()), "shortest_path")
    assert overlay.marks["A"] == Mark(Side.NONE, Side.ADDED)
    assert overlay.meaning(overlay.marks["A"]) == "stands for no predicted class"


def test_the_way_up_and_the_way_down_are_edges_that_meet_in_the_lowest_common_ancestor() -> None:
    overlay = overlay_of(explain(FIGURE_11A, {"C"}, {"P1"}), "ways")
    assert overlay.edges == {("A", "B"): OF_PREDICTED, ("B", "P1"): OF_PREDICTED, ("A", "C"): OF_TRUE}
    assert badges(overlay) == {"A": "LCA"}
    assert overlay.meaning(overlay.marks["B"]) == "on the predicted way"
    assert overlay.meaning(overlay.marks["A"]) == "on both ways"


def test_a_diamond_is_drawn_by_both_of_its_cheapest_ways() -> None:
    h = hierarchy_of("R>A R>B A>P B>P R>T")
    overlay = overlay_of(explain(h, {"T"}, {"P"}), "ways")
    assert {edge for edge, sides in (overlay.edges or {}).items() if sides == OF_PREDICTED} == {
        ("R", "A"), ("A", "P"), ("R", "B"), ("B", "P"),
    }  # fmt: skip


def test_the_legend_explains_what_is_drawn_and_nothing_else() -> None:
    overlay = overlay_of(X4C, "confusion")
    every = {kind for kind, _ in overlay.legend_entries(overlay.marks, overlay.edges or ())}
    assert every == {"true", "predicted", "both", "TN", "FP", "FN", "cells"}
    assert {kind for kind, _ in overlay.legend_entries(["G"], ())} == {"TN"}
