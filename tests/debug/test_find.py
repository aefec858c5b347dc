"""The smallest instance on which something holds."""

import pytest

from hiermeasures.debug.find import FindRequest, find
from hiermeasures.hierarchy.errors import InputError


def test_a_condition_on_one_instance():
    """R→a→b: T = {a}, P = {b} share R and a of 2 and 3 classes, hF = 4/5, and no class itself."""
    found = find("hF > 0.6 and accuracy == 0", trees=3, dags=0)
    assert str(found.example.before) == "R>a a>b; T = {a}, P = {b}"
    assert found.values["hF"] == pytest.approx((0.8, 0.8))


def test_an_edit_that_one_measure_likes_and_another_does_not():
    """A right class more: hF rises from 2·1/4 to 2·2/5, GIE from 2 to 5, which is worse."""
    found = find(FindRequest(edit="add-true", gains=("hF",), loses=("GIE",)), trees=3, dags=3)
    assert found.example.pictures == "R>a R>b; T = {a}, P = {b} → {a, b}"
    assert found.values["hF"] == pytest.approx((0.5, 0.8))
    assert found.values["GIE"] == (2, 5)


def test_leaves_only_and_single_labels():
    """Without them P = {a, b}, T = {b} of R→a→b: GIE 5 for the class left over, and hF = 1."""
    anything = find("GIE > 4 and hF > 0", trees=3, dags=0).example.before
    assert len(anything.predicted) == 2 or len(anything.true) == 2
    leaves = find(
        FindRequest("GIE > 4 and hF > 0", leaves_only=True), trees=3, dags=0
    ).example.before
    assert leaves.world.hierarchy.leaves >= {*leaves.true, *leaves.predicted}
    assert (
        find(FindRequest("GIE > 4 and hF > 0", single_label=True), trees=3, dags=0).example is None
    )


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("hF >", "missing at the end"),
        ("hFF > 1", "unknown name 'hFF'"),
        ("hF + 1", "is a number, but a condition is needed"),
        ("1 > 0", "names no measure"),
        ("__import__('os')", "has no meaning"),
        (FindRequest("hF > 0", edit="ad"), "'add'"),
        (FindRequest(gains=("hF",)), "need an edit"),
        (FindRequest(), "needs a condition"),
    ],
)
def test_a_question_that_cannot_be_asked(question, message):
    with pytest.raises(InputError, match=message):
        find(question, trees=3, dags=0)


@pytest.mark.parametrize(
    "question",
    ["hF > 0.6 and accuracy == 0 and len_P > 1", FindRequest("SDL != TIE", single_label=True)],
)
def test_without_kernels_the_same_is_found_in_as_many_instances(question):
    found = [find(question, trees=4, dags=4, kernels=kernels) for kernels in (True, False)]
    assert found[0] == found[1]
    assert found[0].instances
