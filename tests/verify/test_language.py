"""Whatever a person types where something is computed is computed, or refused in words."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures import explain
from hiermeasures.teach.cards import usable_card
from hiermeasures.teach.kinds.value import number_of
from hiermeasures.verify import printed
from hiermeasures.verify.claims import SearchClaim, pictured
from hiermeasures.verify.quantities import AVERAGES, KINDS
from hiermeasures.verify.values import Subject
from hiermeasures.verify.wording import name_value

H = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1")])
TWO = Subject.of(explain(H, {"T1"}, {predicted}).instance for predicted in ("P1", "C"))
WORDS = (*KINDS, *AVERAGES, *"( ) , { } = == < + - * / and not ; → T1 A 0.5 2 TP flat".split())
WORDS += ("measure", "hF", "GIE_second", "LCA_second", "log(", "R>a", "T = {a}", "P = {b}")
WORDS += ("trees=3", "dags=2", "one_label", "edit=add", "gains=hF", "Max", "holds")


@pytest.mark.parametrize(
    "read",
    [
        TWO.computed,
        TWO.holds,
        name_value,
        SearchClaim.of,
        pictured,
        printed.number,
        printed.sentence,
        number_of,
    ],
)
def test_what_is_typed_is_read_or_refused(read: Callable[[str], object]) -> None:
    rng = Random(1)
    texts = [
        "".join(rng.choice(WORDS) + rng.choice(("", " ")) for _ in range(rng.randint(1, 6)))
        for _ in range(1000)
    ]
    for text in (*WORDS, *texts):
        with suppress(InputError):
            read(text)


OWN = {"mine": "augmented.shared / augmented.true", "two": "augmented.shared / len_T"}


def test_an_own_measure_has_the_micro_average_of_a_batch() -> None:
    """Sums: shared 2 + 1, ancestor sets of the truth 3 + 3, true classes 1 + 1."""
    subject = replace(TWO, define=OWN)
    assert subject.computed("micro(mine)").value == 3 / 6
    assert subject.computed("micro(two)").value == 3 / 2


def test_a_wrong_answer_about_an_own_measure_is_judged() -> None:
    question = {"kind": "value", "value": "mine"}
    drawn = {"hierarchy": "A>B A>C B>T1 B>P1", "true": "T1", "predicted": "P1", "define": OWN}
    card, faults = usable_card({"title": "Own", **drawn, "question": question})
    assert faults == {}
    assert card is not None
    assert card.question is not None
    assert not card.question.judge("17").right
    assert card.question.judge("2/3").right
