"""The final: the same questions to everyone with a seed, no feedback before it is handed in, and a
grade that is computed from the answers of its link, whatever that claims.
"""

import json
from dataclasses import replace
from typing import Any

import pytest

from hiermeasures.explore.share_link import packed, unpacked
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.teach.player.model import SIZE, UNPACKED, Final, Player, final_of, new_final
from tests.teach.test_player import (
    answered,
    control,
    data,
    drawn,
    every_kind,
    keys,
    place,
    player,
    press,
)


def begun(seed: int = 7) -> Player:
    return player(every_kind()).at({"final": str(seed)})


def all_right(at: Player) -> Player:
    """Every question answered, by the controls that it has."""
    assert at.final is not None
    for k in range(SIZE):
        at = answered(press(at, f"final_{k + 1}"), at.final.question(k))
    return press(at, "final_overview")


def grade(at: Player) -> str:
    return "".join(part[0] for part in data(at, "final_text")["paragraphs"][0]["parts"])


def word_of(seed: Any, *given: Any, fingerprint: str | None = None) -> str:
    """The word of answers to the questions that are drawn now, or to others."""
    if fingerprint is None:
        _, fingerprint, *_ = json.loads(
            unpacked(replace(Final(7), given=("",) * SIZE).word, UNPACKED)
        )
    return packed(json.dumps([seed, fingerprint, *given]), UNPACKED)


@pytest.mark.parametrize("seed", [7, 8])
def test_who_answers_all_of_it_right_has_all_points_and_a_link_that_says_so(seed: int) -> None:
    at = all_right(begun(seed))
    assert not keys(at) & {"final_link", "learn_check"}
    at = press(at, "final_hand_in")
    assert grade(at) == "10 of 10 right"
    elsewhere = player(every_kind()).at(at.parameters())
    assert (grade(elsewhere), elsewhere.marks.finals) == (
        "10 of 10 right",
        (),
    )  # a link is not one's own
    assert at.marks.finals == (at.parameters()["final"],)


def test_nothing_is_said_of_an_answer_before_it_is_handed_in_and_nothing_can_be_changed_after() -> (
    None
):
    at = press(begun(), "answer_choice_1")
    assert {"learn_check", "learn_reveal"}.isdisjoint(keys(at))
    assert [p["look"] for p in data(at, "answer_words")["paragraphs"]] == ["question"]
    at = press(at, "final_overview", "final_hand_in")
    assert "Not answered: 2, 3" in json.dumps(drawn(at))
    at = press(at, "final_hand_in", "final_1")
    assert {"learn_again", "answer_choice_1"}.isdisjoint(keys(at))
    assert control(at, "final_2").data["words"] == "2 ✗"


def test_a_seed_asks_everyone_the_same() -> None:
    asked = [[Final(seed).question(k).words for k in range(SIZE)] for seed in (7, 7, 8)]
    assert asked[0] == asked[1] != asked[2]
    assert new_final().seed > 0


def test_the_answers_of_a_link_are_judged_and_what_it_claims_is_not_read() -> None:
    right = press(all_right(begun()), "final_hand_in").parameters()["final"]
    seed, _, *given = json.loads(unpacked(right, UNPACKED))
    forged = word_of(seed, *given[:3], "12345", *given[4:])  # the fourth asks for a value
    assert grade(player(every_kind()).at({"final": forged})) == "9 of 10 right"


EMPTY = [""] * (SIZE - 1)
WRONG = {
    "nothing": "",
    "no seed": "0",
    "a seed too large": "9999999",
    "no word": "x",
    "too few answers": word_of(7, *EMPTY),
    "too many answers": word_of(7, "", "", *EMPTY),
    "a seed that is text": word_of("7", "", *EMPTY),
    "an answer that is a number": word_of(7, 1, *EMPTY),
    "an answer too long": word_of(7, "x" * 401, *EMPTY),
    "an answer to another question": word_of(7, "no choice", *EMPTY),
    "answers to the questions of another version": word_of(7, "", *EMPTY, fingerprint="00000000"),
    "no list": packed("[[[", UNPACKED),
    "too long": "A" * 20_000,
}


@pytest.mark.parametrize("word", WRONG.values(), ids=WRONG)
def test_a_word_that_holds_no_final_is_refused_in_words(word: str) -> None:
    at = player(every_kind()).at({"final": word})
    assert (at.final, at.place) == (None, None)
    assert "learn_fault" in keys(at)


def test_an_answer_that_is_none_is_named_before_anything_is_handed_in() -> None:
    at = begun()
    assert at.final is not None
    with pytest.raises(InputError, match=r"^question 4: 'abc' is not a number"):
        at.with_answer(f"{at.final.key}/3", given="abc").handing_in()


def test_the_list_leads_to_the_final_and_to_those_that_were_handed_in() -> None:
    at = press(player(every_kind()), "final_begin")
    assert at.final is not None
    done = press(at, "final_overview", "final_hand_in", "final_hand_in", "learn_list")
    assert grade(press(done, "final_kept_0")) == "0 of 10 right"
    assert final_of(done.marks.finals[0]).seed == at.final.seed
    assert place(done.going("kinds")).index == 0
