"""Exercises: repeatable, neither trivial nor ambiguous, and their answers are those of trying
everything.

The expected answers come from by_definition.py, which reads the card's text and computes with plain
sets and fractions.
"""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice

import pytest

from hiermeasures import Hierarchy
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.expressions import Expression
from hiermeasures.teach import KINDS
from hiermeasures.teach.exercises import (
    Exercise,
    ExerciseRequest,
    exercise,
    exercises,
    find_left_out,
)
from hiermeasures.teach.random_instances import ASKED, Difficulty
from tests.teach.by_definition import LOWER_IS_BETTER, World

# What is wished: small and large, trees and DAGs, one label and several, all measures and those of
# a family.
SETTINGS = (
    {},
    {"classes": 9, "dag": True},
    {"classes": 12, "labels": 3},
    {"classes": 10, "dag": True, "labels": 3},
    {"measures": ASKED["ancestors"] + ASKED["lca"] + ASKED["pairs"]},
    {"classes": 8, "measures": ASKED["confusion"] + ASKED["lca"] + ("GIE", "SP")},
)
DRAWN_WITH_SEED_7 = ("A>B A>C C>D C>E D>F D>G", ("E", "F"), ("F", "G"))  # and stays so
EVERYDAY, LONG = 17, 60  # exercises of each of these, for each kind of question


def drawn(kind: str, seeds: int) -> Iterator[Exercise]:
    for settings in SETTINGS:
        if find_left_out((kind,), Difficulty(**settings)):
            continue
        request = ExerciseRequest(kinds=(kind,), **settings)
        yield from (exercise(request, seed) for seed in range(seeds))


def check_value(one: Exercise) -> None:
    expected = World.of(one.entry).value(one.entry.question.value)
    assert expected is not None
    question = one.question
    for right in (str(expected), f"{float(expected):.2f}", question.answer()):
        assert question.judge(question.read(str(right))).right
    for wrong in (expected + Fraction(1, 50), expected - Fraction(1, 50), expected + 1):
        assert not question.judge(question.read(f"{float(wrong):.4f}")).right


def check_prefers(one: Exercise) -> None:
    key = one.entry.question.measure
    first, second = (World.of(one.entry, other).value(key) for other in (False, True))
    better = first < second if key in LOWER_IS_BETTER else first > second
    expected = "equal" if first == second else "first" if better else "second"
    assert one.question.answer() == expected
    assert {k for k, _ in one.question.choices() if one.question.judge(k).right} == {expected}


def check_click(one: Exercise) -> None:
    world, question = World.of(one.entry), one.question
    expected = frozenset(world.asked_set(one.entry.question.set))
    assert expected
    assert expected < world.classes
    assert question.answer() == expected
    assert question.judge(expected).right
    for changed in [expected ^ {c} for c in world.classes]:
        verdict = question.judge(changed)
        assert not verdict.right
        assert verdict.both == expected & changed
        assert verdict.missed == expected - changed
        assert verdict.spurious == changed - expected


def check_pair(one: Exercise) -> None:
    world, question, key = World.of(one.entry), one.question, one.entry.question.measure
    cheapest = world.cheapest(key)
    assert question.answer() in cheapest
    for pairs in islice(sorted(world.pairings(key), key=sorted), 80):
        assert question.judge(pairs).right == (pairs in cheapest)


def check_make(one: Exercise) -> None:
    start, question = World.of(one.entry), one.question
    condition = Expression(one.entry.question.condition)

    def holds(world: World) -> bool | None:
        values = {name: world.value(name) for name in condition.used}
        return (
            None
            if None in values.values()
            else bool(condition({k: float(v) for k, v in values.items()}))
        )

    assert holds(start) is False
    assert holds(start.predicting(start.true)) is False
    assert question.judge(question.answer()).right
    assert holds(start.predicting(question.answer().predicted)) is not False
    below = sorted(start.classes - {start.root})
    others = [start.predicted ^ {c} for c in below] + [frozenset({c}) for c in below]
    for predicted in others[len(condition.text) % 9 :: 9]:
        expected = holds(start.predicting(predicted))
        if expected is not None:
            changed = question.instances[0].with_classes("predicted", predicted)
            assert question.judge(changed).right == expected


def check_which(one: Exercise) -> None:
    asked = one.entry.question
    first, second = World.of(one.entry), World.of(one.entry, second=True)
    says = Expression(asked.says)
    expected = {
        key
        for key in asked.choices
        if says({"X": float(first.value(key)), "X_second": float(second.value(key))})
    }
    assert len(expected) == 1
    assert {one.question.answer()} == expected
    assert {k for k, _ in one.question.choices() if one.question.judge(k).right} == expected


def check_why(one: Exercise) -> None:
    """The right reason compares wrong and missed classes of both sides as they are counted here."""
    names = {"hF": World.above, "f1": lambda world, c: {c}}[one.entry.measures[0]]
    counts = []
    for other in (False, True):
        world = World.of(one.entry, other)
        true, predicted = (
            set().union(*(names(world, c) for c in side)) for side in (world.true, world.predicted)
        )
        counts.append((len(predicted - true), len(true - predicted)))
    word = "fewer" if "higher" in one.question.words else "more"
    (said,) = (words for key, words in one.question.choices() if one.question.judge(key).right)
    for first, second, what in zip(*counts, ("wrong", "true|missed|misses"), strict=True):
        differs = first > second if word == "fewer" else first < second
        assert differs == bool(re.search(rf"{word} ({what})", said))


CHECKS: dict[str, Callable[[Exercise], None]] = {kind: globals()[f"check_{kind}"] for kind in KINDS}


@pytest.mark.parametrize("seeds", [EVERYDAY, pytest.param(LONG, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_the_generated_answer_is_that_of_trying_everything(kind: str, seeds: int) -> None:
    for one in drawn(kind, seeds):
        CHECKS[kind](one)


def test_the_kinds_take_turns_and_a_series_begins_alike_whatever_its_length() -> None:
    request = ExerciseRequest(kinds=("value", "click"))
    five = exercises(request, 7, 5)
    assert [one.entry.question.kind for one in five] == [
        "value",
        "click",
        "value",
        "click",
        "value",
    ]
    assert exercises(request, 7, 2) == five[:2]
    assert exercises(request, 8, 2) != five[:2]


def test_hierarchies_are_as_wished() -> None:
    for dag in (False, True):
        for seed in range(30):
            one = exercise(
                ExerciseRequest(kinds=("value",), classes=9, dag=dag, labels=3, measures=("hF",)),
                seed,
            ).entry
            h = Hierarchy.from_edges(tuple(edge.split(">")) for edge in one.hierarchy.edges.split())
            assert (len(h), h.is_tree, h.nodes[0]) == (9, not dag, "A")
            assert max(len(one.true), len(one.predicted)) == 3
            assert not {"A"} & {*one.true, *one.predicted}


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ({"kinds": ()}, "prefers"),
        ({"kinds": ("clik",)}, "'click'"),
        ({"measures": ("hG",)}, "'hF'"),
        ({"measures": ("HCM_MCC",)}, "HCM_MCC"),
        ({"classes": 3}, "4 to 14"),
        ({"classes": 4, "dag": True}, "5 classes"),
        ({"labels": 9}, "1 to 4"),
        ({"kinds": ("click",), "measures": ("SP",)}, "^click"),
        ({"kinds": ("pair",), "measures": ("hF",)}, "^pair: .*GIE"),
        ({"kinds": ("pair",), "labels": 1}, "^pair: .*two labels"),
        ({"kinds": ("value",), "labels": 1, "measures": ("f1",)}, "^value"),
        ({"kinds": ("which",), "measures": ("hF",)}, "^which: .*two measures"),
    ],
)
def test_what_there_are_no_exercises_about_is_refused(wanted: dict, words: str) -> None:
    with pytest.raises(InputError, match=words):
        ExerciseRequest(**wanted)


@pytest.mark.parametrize(("classes", "dag"), [(4, False), (5, True), (14, True)])
def test_the_smallest_and_the_largest_hierarchies_have_exercises_of_every_kind(
    classes: int, dag: bool
) -> None:
    for kind in KINDS:
        request = ExerciseRequest(kinds=(kind,), classes=classes, dag=dag, labels=4)
        assert exercise(request, 1).question.kind == kind


def test_where_no_exercise_is_found_it_is_said() -> None:
    # Four classes and one label: every prediction that is neither the truth nor the start is one of
    # two.
    with pytest.raises(InputError, match=r"^make: .*4 classes with up to 1 label"):
        exercise(
            ExerciseRequest(kinds=("make",), classes=4, labels=1, measures=ASKED["ancestors"]), 1
        )


def test_a_seed_draws_the_same_exercise_on_every_machine() -> None:
    one = exercise(ExerciseRequest(kinds=("value",), measures=("hF",)), 7).entry
    assert (one.hierarchy.edges, one.true, one.predicted) == DRAWN_WITH_SEED_7
