"""What structures look like on the hierarchy."""

from hiermeasures import Hierarchy, explain
from hiermeasures.ui.overlays import Mark, Side, overlay_for

# Figure 11(a) of Kosmopoulos et al. 2015.
FIGURE_11A = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
X = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})
TRUE, PREDICTED = Mark(Side.CLASS), Mark(Side.NONE, Side.CLASS)
ANCESTOR_OF_BOTH = Mark(Side.ADDED, Side.ADDED)


def test_ancestor_sets_mark_the_classes_and_what_augmentation_added() -> None:
    overlay = overlay_for(X, "augmented")
    assert overlay.marks == {
        "A": ANCESTOR_OF_BOTH, "B": ANCESTOR_OF_BOTH, "T1": TRUE, "P1": PREDICTED, "P2": PREDICTED,
    }  # fmt: skip
    assert overlay.meaning(ANCESTOR_OF_BOTH) == "ancestor of both"


def test_flat_sets_mark_the_classes_alone() -> None:
    assert overlay_for(X, "flat").marks == {"T1": TRUE, "P1": PREDICTED, "P2": PREDICTED}


def test_h_loss_strikes_out_errors_below_an_error() -> None:
    # T = {B, T1}, P = {C}: B is missed, so that T1 is missed as well is not counted again.
    overlay = overlay_for(explain(FIGURE_11A, {"T1"}, {"C"}), "h_loss")
    assert overlay.marks["T1"] == Mark(Side.CLASS, Side.NONE, struck=True)
    assert overlay.meaning(overlay.marks["T1"]) == "true, not counted"
    assert not overlay.marks["B"].struck


def test_a_true_class_above_a_predicted_one_says_both() -> None:
    overlay = overlay_for(explain(FIGURE_11A, {"B"}, {"P1"}), "augmented")
    assert overlay.marks["B"] == Mark(Side.CLASS, Side.ADDED)
    assert overlay.meaning(overlay.marks["B"]) == "true, and among the ancestors of predicted"
