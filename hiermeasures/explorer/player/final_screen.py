"""The final on the screen: its questions one by one, the overview from which it is handed in, and
the result, which is a page to keep.
"""

from dataclasses import replace
from functools import partial

from hiermeasures.explorer.controls import Control, Controls, box, button, copy, row, words
from hiermeasures.explorer.player.card import area, card_controls, notes_of, turning
from hiermeasures.explorer.player.final import SIZE, Final, new_final
from hiermeasures.explorer.player.model import Player
from hiermeasures.explorer.player.prose import Paragraph, prose
from hiermeasures.explorer.player.stage import Code
from hiermeasures.lessons.questions import joined

JUDGED = "Every answer was judged anew when this page was opened; the link holds the answers, and no grade."
PRINT = "To keep it on paper, or as a PDF, print this page."
LINK = "A link to this result, which anybody can open and check"


def final_screen(player: Player, final: Final, code: Code | None, *more: Control) -> Controls:
    """The controls of a final, and more; `code` gives its link where the host has an address."""
    head = Control("area", "toolbar", parts=(_head(player, final),))
    if final.at < SIZE:
        one, key = final.exercise(final.at), final.key(final.at)
        card = replace(one.card, title=f"Question {final.at + 1}")
        last = final.at + 1 == SIZE
        ways = turning("final", _stepping, first=final.at == 0, onward="Overview" if last else "Next")
        return head, area(card_controls(player, card, key, *ways, notes=notes_of(one), graded=True), *more)
    return head, area(*(_result(player, final, code) if final.handed else _overview(player, final)), *more)


def _head(player: Player, final: Final) -> Control:
    numbers = (
        button(
            f"final_{k + 1}",
            f"{k + 1}{_sign(player, final, k)}",
            partial(_going, k),
            pressed=k == final.at,
            help=f"Question {k + 1}{SAID[_sign(player, final, k)]}",
        )
        for k in range(SIZE)
    )
    overview = "Result" if final.handed else "Overview"
    return row(
        button("learn_list", "All lessons", lambda player: player.going(""), icon="←"),
        words(f"The final  ·  seed {final.seed}", "line", key="final_place"),
        row(
            *numbers,
            button("final_overview", overview, partial(_going, SIZE), pressed=final.at == SIZE),
            style="numbers",
        ),
        style="place",
    )


SAID = {"": ", not answered", " •": ", answered", " ✓": ", right", " ✗": ", not right"}


def _sign(player: Player, final: Final, k: int) -> str:
    answer = player.answer(final.key(k))
    if final.handed:
        return " ✓" if answer.right_at_once else " ✗"
    return "" if answer.given in (None, "", frozenset()) else " •"


def _open(player: Player, final: Final) -> list[str]:
    return [str(k + 1) for k in range(SIZE) if not _sign(player, final, k)]


def _overview(player: Player, final: Final) -> Controls:
    unanswered = _open(player, final)
    said = f"{SIZE - len(unanswered)} of {SIZE} questions are answered."
    if final.warned and unanswered:
        said += f" Not answered: {joined(unanswered)}. Hand in all the same?"
    again = "Hand in all the same" if final.warned else "Hand in"
    text = [Paragraph.of("Before you hand in", "title"), Paragraph.of(said), Paragraph.of(LATER, "note")]
    hand_in = button("final_hand_in", again, _handing_in, primary=True)
    return (box(prose("final_text", text, announced=True), row(hand_in), style="result"),)


LATER = "You can go back to any question until then. Afterwards the answers stay as they are."


def _result(player: Player, final: Final, code: Code | None) -> Controls:
    answers = [player.answer(final.key(k)) for k in range(SIZE)]
    right = sum(answer.right_at_once for answer in answers)
    text = [
        Paragraph.of(f"{right} of {SIZE} right", "title"),
        Paragraph.of(f"The final of seed {final.seed}. {JUDGED} {PRINT}"),
    ]
    for k, answer in enumerate(answers):
        verdict = answer.verdict
        assert verdict is not None
        question = final.exercise(k).question
        text.append(Paragraph.of(f"{k + 1}. {question.words}", "right" if answer.right_at_once else "wrong"))
        given = "not answered" if answer.revealed else verdict.given_words or "as drawn"
        solution = "" if answer.right_at_once else f" The answer: {verdict.answer_words.rstrip('.')}."
        text.append(Paragraph.of(f"Yours: {given.rstrip('.')}.{solution}", "note"))
    link = str(code(player).get("link", "")) if code is not None else ""
    return (
        box(
            prose("final_text", text),
            copy("final_link", LINK, link) if link else None,
            row(button("final_again", "Another final", lambda player: player.taking(new_final()))),
            style="result",
        ),
    )


# --- gestures -------------------------------------------------------------------------------------


def _going(k: int, player: Player) -> Player:
    return player.taking(player.final.going(k)) if player.final is not None else player


def _stepping(by: int, player: Player) -> Player:
    return _going(player.final.at + by, player) if player.final is not None else player


def _handing_in(player: Player) -> Player:
    final = player.final
    assert final is not None
    if _open(player, final) and not final.warned:
        return player.taking(replace(final, warned=True))
    return player.handing_in()
