"""Algorithms step by step: what is considered, what is chosen and why, from the classes alone to
the result.
"""

from dataclasses import replace

import pytest

from hiermeasures import Hierarchy, explain
from hiermeasures.measures import Explanation
from hiermeasures.picture.views import WalkStep, steps
from tests.app.screen import overlay_of, view_of

from .test_overlays import FIGURE_11A, X4C, X8B

X11A = explain(FIGURE_11A, {"T1"}, {"P1", "P2"})


def walk(explanation: Explanation, structure: str) -> tuple[WalkStep, ...]:
    return steps(explanation, replace(view_of(structure), step=0))


def sentences(steps: tuple[WalkStep, ...]) -> list[str]:
    return [step.sentence for step in steps]


def test_lca_selection_of_figure_8b_chooses_3_and_3_2_1_and_then_connects_every_class() -> None:
    steps = walk(X8B, "lca")
    found = sentences(steps)
    assert found[0].startswith(
        "Every class meets its nearest classes of the other side in its LCAs: 3, 3.2, 3.2.1 altogether."
    )
    assert found[1:3] == ["3 is chosen: 2.1, 3.1, 3.3 have no other LCA.", "3.2.1 is chosen: 3.2.1 has no other LCA."]
    assert {s.sentence.split()[0] for s in steps if s.phase == "Connecting classes and LCAs"} == {
        "2.1",
        "3.3",
        "3.1",
        "3.2.2",
        "3.2.1",
    }
    assert found[-1] == (
        "The minimal graphs have 4 classes on the true and 4 on the predicted side, 2 shared. Not needed as LCA: 3.2."
    )


def test_before_the_first_lca_is_chosen_only_the_classes_are_drawn_and_at_the_end_the_graphs() -> None:
    steps = walk(X8B, "lca")
    assert steps[0].overlay().marks == overlay_of(X8B, "flat").marks
    assert steps[-1].overlay() == overlay_of(X8B, "lca")


def test_a_step_rings_the_lca_it_is_about_and_badges_those_without_one() -> None:
    first = walk(X8B, "lca")[1].overlay()
    assert first.focus == {"3"}
    assert {label: badge.text for label, badge in first.badges.items()} == {"3": "LCA", "3.2.1": "?"}


def test_pairing_steps_of_figure_11a_keep_the_first_pair_and_leave_p2_alone() -> None:
    # P1 and P2 are both 2 away from T1, and T1 may be in one pair: the first in the hierarchy's
    # order is kept.
    assert sentences(walk(X11A, "pairing_GIE"))[1:] == [
        "P1 and T1, distance 2: kept. Some cheapest pairing has this pair together with those kept before.",
        "P2 and T1, distance 2: not kept. T1 is in 1 pair already, the most it may be in (β_t).",
        "What still needs a partner is paired with a default class, each time at a cost of 5: P2.",
        "All pairs together cost 2 + 5 = 7. Another pairing costs the same; the rule above chose this one.",
    ]


@pytest.mark.parametrize("name", ["TIE", "all_pairs", "GIE", "MGIA", "own"])
def test_the_last_step_draws_the_pairs_of_the_structure(name: str) -> None:
    assert walk(X8B, f"pairing_{name}")[-1].overlay().links == overlay_of(X8B, f"pairing_{name}").links


def test_bounds_that_cannot_be_met_end_at_once_and_say_why() -> None:
    _, end = walk(X11A, "pairing_TIE")
    assert end.sentence.endswith("so there is no pairing.")
    assert not end.overlay().links


def test_many_pairs_that_are_not_kept_are_passed_over_together() -> None:
    wide = Hierarchy.from_edges(("R", f"{side}{i}") for side in "TP" for i in range(9))
    steps = walk(explain(wide, [f"T{i}" for i in range(9)], [f"P{i}" for i in range(9)]), "pairing_GIE")
    assert len(steps) < 30
    assert any("none is kept" in sentence for sentence in sentences(steps))


def test_confusion_steps_match_each_path_and_then_count_it() -> None:
    # Both predicted paths of Riehl's Figure 4(c) share two nodes with a true path; equal ones come
    # in falling order of their names.
    steps = walk(X4C, "confusion")
    assert [s.phase for s in steps] == [
        "Start",
        "Path 1: matching",
        "Path 1: counting",
        "Path 2: matching",
        "Path 2: counting",
        "Result",
    ]
    assert steps[1].sentence == (
        "R › B › E › M is next. It is compared with R › B › F, which shares R › B with it. "
        "None of the others still open (I) shares more."
    )
    assert steps[4].sentence.startswith("On both paths, below the root: TP A. On the predicted path only: FP C, H.")
    assert steps[-1].sentence == "Summed over the paths: 2 TP, 4 TN, 4 FP, 3 FN."


def test_a_predicted_path_for_which_no_true_class_is_left_says_so() -> None:
    found = sentences(walk(explain(FIGURE_11A, {"T1"}, {"P1", "P2"}), "confusion"))
    assert any(sentence.endswith("No true class is left to compare it with.") for sentence in found)
