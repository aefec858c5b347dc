"""Sentences of the documentation that were refuted once, with the instance that did it."""

import re
from itertools import combinations

import numpy as np
import pytest

from docs.make.generated import FOLDER
from hiermeasures import Hierarchy, explain
from hiermeasures.cli import main
from hiermeasures.debug.what_if import change
from hiermeasures.debug.worlds import dags
from hiermeasures.measures import CATALOGUE, CORE
from hiermeasures.teach import load_lessons


def explained(edges, true, predicted, **given):
    """An instance whose classes have names of one letter each."""
    return explain(Hierarchy.from_edges(edges.split()), set(true), set(predicted), **given)


# edges, true classes, the first and the second prediction, a measure, its values, options
REFUTED = {
    "a wrong class never raises hP": ("Ra Re Rb bc bd", "c", "ae", "aed", "hP", (1 / 3, 2 / 5), {}),
    "and without the root": (
        "Ra Re Rb bc bd",
        "c",
        "ae",
        "aed",
        "hP",
        (0, 1 / 4),
        {"count_root": False},
    ),
    "a right leaf never lowers F_LCA": (
        "Ra Rb ac bd be df eg",
        "fg",
        "cf",
        "cfg",
        "F_LCA",
        (2 / 3, 3 / 5),
        {},
    ),
    "a wrong class is never free for C_F1": (
        "Ra Rb Rc",
        "a",
        "b",
        "bc",
        "C_F1",
        (0, 0),
        {"count_root": False},
    ),
    "no farther class is better at a rank": (
        "Ra Re ab bc cd",
        "a",
        "e",
        "d",
        "rank_F",
        (0, 1),
        {"rank": 1},
    ),
    "nor for F_LCA": ("Ra Re ab bc cd", "a", "e", "d", "F_LCA", (0, 2 / 5), {"count_root": False}),
    "too many codes are charged at every class above": (
        "Ra Rb ac ad be",
        "ce",
        "c",
        "cd",
        "CoPHE_F1",
        (2 / 3, 2 / 3),
        {},
    ),
}


@pytest.mark.parametrize(
    ("edges", "true", "first", "second", "measure", "values", "given"),
    REFUTED.values(),
    ids=REFUTED,
)
def test_an_instance_refutes_what_was_written_once(
    edges, true, first, second, measure, values, given
):
    found = [explained(edges, true, predicted, **given)[measure] for predicted in (first, second)]
    assert found == pytest.approx(values)


def test_counting_the_root_raises_hf_unless_nothing_is_predicted_or_all_is_right():
    for world in dags(4):
        for true, predicted in zip(*map(np.ndarray.tolist, world.instances), strict=True):
            sides = world.named(true), world.named(predicted)
            counted, without = (
                explain(world.hierarchy, *sides, count_root=root)["hF"] for root in (True, False)
            )
            assert (counted > without) == (predicted > 0 and without < 1)


def test_the_clicks_of_the_picture_on_the_first_page_are_as_it_says():
    h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    before, after = (
        explain(h, {"T1"}, predicted) for predicted in ({"P1", "P2"}, {"P1", "P2", "C"})
    )
    words = {key: change(CATALOGUE[key], before[key], after[key]).word for key in CORE}
    assert {key for key, word in words.items() if word == "better"} == {"F_LCA"}
    assert {key for key, word in words.items() if word == "worse"} == {"hF", "hP", "MGIA", "GIE"}


def test_what_is_looked_for_as_an_example_is_found(capsys):
    with pytest.raises(SystemExit):
        main(["find", "--help"])
    page = FOLDER / "how-to" / "command-line.md"
    texts = page.read_text(encoding="utf-8"), " ".join(capsys.readouterr().out.split())
    conditions = {
        *re.findall(r'find "([^"]+)"', texts[0]),
        *re.findall(r"such as '([^']+)'\. With --edit", texts[1]),
    }
    assert conditions
    for condition in conditions:
        assert main(["find", condition]) == 0
        assert capsys.readouterr().out.startswith("R>")


def test_h_loss_charges_a_class_too_high_or_too_deep_once_in_trees_and_more_often_in_dags():
    found = {True: set(), False: set()}
    for world in dags(4):
        above = [
            (a, b) for a in world.labels for b in world.labels if a in world.hierarchy.ancestors(b)
        ]
        for true, predicted in [*above, *(pair[::-1] for pair in above)]:
            found[world.is_tree].add(explain(world.hierarchy, {true}, {predicted})["H_loss"])
    assert found == {True: {1}, False: {1, 2}}


LESSONS = {lesson.key: lesson for lesson in load_lessons().lessons}


def test_only_the_farthest_class_answers_the_card_that_asks_for_it():
    question = LESSONS["05-long-distances"].cards[7].question
    start = question.instances[0]
    right = [
        chosen
        for count in (1, 2)
        for chosen in combinations(start.hierarchy.nodes, count)
        if question.judge(start.with_classes("predicted", frozenset(chosen))).right
    ]
    assert right == [("B3",)]
