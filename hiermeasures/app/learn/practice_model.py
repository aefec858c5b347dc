"""The state of Practice, as one immutable value: what is asked for, which exercise is shown, and
the score. Its word stands in the address, so that a link shows the same exercise to everyone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import randrange
from typing import Any

from hiermeasures.app.binding import Slot
from hiermeasures.app.learn import model
from hiermeasures.app.learn.model import Learn, learn
from hiermeasures.core.errors import InputError, unknown
from hiermeasures.lessons.exercises import Exercise, ExerciseRequest, exercise, left_out
from hiermeasures.lessons.kinds import KINDS, known_kind
from hiermeasures.lessons.random_instances import ASKED, Difficulty, with_families
from hiermeasures.picture.text import sentence

LARGEST_SEED, LARGEST_NUMBER = 10**9, 10**5
FAMILIES = ("ancestors", "lca", "pairs")  # what a session begins with
MOST_KEPT = 50  # answers of exercises
KEY = "practice/"  # before the keys of their answers


@dataclass(frozen=True)
class Practice:
    """The kinds of question, families of measures and difficulty that are asked for, the seed, and
    the exercise of its series. `score` has for each kind how many were right and how many were
    answered; `scored` are the answers counted. `sheet` is what a sheet was made for, `fault` why an
    address could not be followed.
    """

    kinds: tuple[str, ...] = field(default_factory=lambda: tuple(KINDS))
    families: tuple[str, ...] = FAMILIES
    classes: int = 7
    dag: bool = False
    labels: int = 2
    seed: int = 1
    number: int = 1
    score: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    scored: frozenset[str] = frozenset()
    exercises: int = 6
    variants: int = 1
    title: str = ""
    sheet: str = ""
    fault: str = ""

    @property
    def difficulty(self) -> tuple[int, bool, int]:
        return self.classes, self.dag, self.labels

    @property
    def left_out(self) -> dict[str, str]:
        """The kinds that are chosen and cannot be asked, with why."""
        return left_out(self.kinds, Difficulty(**self._difficulty))

    @property
    def request(self) -> ExerciseRequest:
        """The exercises that are asked for; InputError where there are none such."""
        kinds = tuple(kind for kind in self.kinds if kind not in self.left_out)
        if not kinds:
            raise InputError("; ".join(f"{kind}: {why}" for kind, why in self.left_out.items()))
        return ExerciseRequest(kinds=kinds, **self._difficulty)

    @property
    def _difficulty(self) -> dict[str, Any]:
        measures = with_families(self.families)
        return {"classes": self.classes, "dag": self.dag, "labels": self.labels, "measures": measures}

    @property
    def word(self) -> str:
        """Word of the address: seed, number, difficulty, kinds and families; what is as at the
        beginning is left out at the end.

        >>> Practice(seed=7).word, Practice(seed=7, number=3, classes=9, dag=True).word
        ('7', '7.3.9-dag-2')
        """
        size = "-".join([str(self.classes), *(["dag"] if self.dag else []), str(self.labels)])
        parts = [str(self.number), size, "-".join(self.kinds), "-".join(self.families)]
        while parts and parts[-1] == _defaults()[len(parts) - 1]:
            parts.pop()
        return ".".join([str(self.seed), *parts])

    @property
    def key(self) -> str:
        return f"{KEY}{self.word}"


def _defaults() -> tuple[str, ...]:
    return ("1", "7-2", "-".join(KINDS), "-".join(FAMILIES))


PRACTICE: Slot[Practice] = Slot("practice_model", lambda: Practice(seed=randrange(1, 10_000)))


def practised() -> Practice:
    return PRACTICE.value


def change(**parts: Any) -> None:
    """Replace parts of it, and have the address say it."""
    at = replace(PRACTICE.value, **parts)
    PRACTICE.set(at)
    if learn().practice != at.word:
        model.change(practice=at.word)


def request(**parts: Any) -> None:
    """Begin another series; InputError for what there are no exercises about."""
    asked = replace(PRACTICE.value, **parts)
    if not asked.kinds or not asked.families:
        raise InputError("choose one at least")
    _ = asked.request
    change(**parts, number=1, fault="")


def turned(by: int, page: Learn) -> Learn:
    """The page at the next exercise, or the one before. Of many answers the first are forgotten."""
    at = read(page.practice, practised())
    at = replace(at, number=min(max(at.number + by, 1), LARGEST_NUMBER))
    player = page.player
    old = [key for key in player.answers if key.startswith(KEY)][:-MOST_KEPT]
    kept = {key: answer for key, answer in player.answers.items() if key not in old}
    return replace(page, practice=at.word, player=replace(player, answers=kept, faults={}))


def addressed() -> Practice:
    """Practice as the address says it, which may be ahead of what was drawn last."""
    return read(learn().practice, practised())


def count() -> None:
    """Count each answer once: as it was when it was first judged."""
    at = practised()
    score, scored = dict(at.score), set(at.scored)
    for key, answer in learn().player.answers.items():
        if not key.startswith(KEY) or key in scored or not answer.judged:
            continue
        scored.add(key)
        asked = read(key.removeprefix(KEY), at)
        kind = asked.request.kinds[(asked.number - 1) % len(asked.request.kinds)]
        right, count = score.get(kind, (0, 0))
        score[kind] = right + answer.right_at_once, count + 1
    if len(scored) > len(at.scored):
        change(score=score, scored=frozenset(scored))


def drawn(at: Practice) -> Exercise:
    """Exercise that is shown; InputError where there is none such."""
    found = _drawn(at.request, at.seed, at.number)
    if isinstance(found, str):
        raise InputError(found)
    return found


@lru_cache(maxsize=256)
def _drawn(wanted: ExerciseRequest, seed: int, number: int) -> Exercise | str:
    """An exercise, or why there is none; kept, for finding that there is none takes seconds."""
    try:
        return exercise(wanted, seed, number)
    except InputError as fault:
        return str(fault)


# --- the word of the address ----------------------------------------------------------------------


def arrive() -> None:
    """Follow the address, where it says something else."""
    word = learn().practice
    if word == practised().word:
        return
    found, fault = practised(), ""
    try:
        found = read(word, found) if word else found
    except InputError as error:
        fault = sentence(error)
    change(**{**vars(found), "fault": fault})


def read(word: str, at: Practice) -> Practice:
    """Read a word, with the score and the rest of what is held.

    >>> read("7.3.9-dag-2.click-value", Practice()).kinds
    ('click', 'value')
    """
    seed, *parts = word[:400].split(".")
    number, size, kinds, families = (*parts[:4], *_defaults()[len(parts[:4]) :])
    classes, *dag, labels = size.split("-") if "-" in size else (size, "2")
    if dag not in ([], ["dag"]) or len(parts) > 4:
        raise InputError("the address names no exercise: it is written as 7.3.9-dag-2.click-value.lca-pairs")
    for family in families.split("-"):
        if family not in ASKED:
            raise InputError(unknown("family of measures", family, ASKED))
    made = replace(
        at,
        seed=_number(seed, 0, LARGEST_SEED),
        number=_number(number, 1, LARGEST_NUMBER),
        classes=_number(classes, 1, 99),
        dag=bool(dag),
        labels=_number(labels, 1, 99),
        kinds=_kinds(kinds),
        families=tuple(dict.fromkeys(families.split("-"))),
    )
    _ = made.request
    return made


def _kinds(text: str) -> tuple[str, ...]:
    names = [known_kind(name) for name in text.split("-")]
    return tuple(kind for kind in KINDS if kind in names)


def _number(text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 12 and least <= int(text) <= most):
        raise InputError(f"the address names no exercise: a number from {least:,} to {most:,} is missing in it")
    return int(text)
