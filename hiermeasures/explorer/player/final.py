"""The final of the course: questions drawn at random from a seed, graded when they are handed in,
and the word of a link that holds seed and answers.

A word is from a stranger. It claims no grade: whoever opens it has the answers judged anew.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from hashlib import blake2b
from random import randrange
from typing import Any

from hiermeasures.core.errors import InputError
from hiermeasures.explorer.packed_text import packed, unpacked
from hiermeasures.explorer.player.inputs import Answer
from hiermeasures.formats.source import Limits
from hiermeasures.lessons.exercises import Exercise, ExerciseRequest, exercise, left_out
from hiermeasures.lessons.kinds import KINDS
from hiermeasures.lessons.questions import Given, Question
from hiermeasures.lessons.random_instances import Difficulty, with_families
from hiermeasures.measures import Instance

SIZE = 10  # questions
LARGEST_SEED = 10**6
LONGEST_ANSWER = 400  # characters
UNPACKED = Limits(bytes=10_000, lines=10)
NO_FINAL = "the address names no final: it holds a seed, or a seed and answers"
OTHER_QUESTIONS = "these answers are to other questions than this version of hiermeasures draws"
ASKED = {"classes": 7, "labels": 2, "measures": with_families(("ancestors", "lca", "pairs", "flat"))}


@dataclass(frozen=True)
class Final:
    """The test of a seed, at a question (counted from 0; SIZE is the overview). `given` are the
    answers in words, "" for none, once they were handed in.
    """

    seed: int
    at: int = 0
    given: tuple[str, ...] | None = None
    warned: bool = False  # that some are not answered

    @property
    def handed(self) -> bool:
        return self.given is not None

    def exercise(self, k: int) -> Exercise:
        return _exercise(self.seed, k)

    def key(self, k: int) -> str:
        """The key of an answer; of one that was handed in it is another."""
        return f"final/{self.word if self.handed else self.seed}/{k}"

    @cached_property
    def word(self) -> str:
        """The word of its address.

        >>> Final(7).word, final_of(Final(7).word).seed
        ('7', 7)
        """
        if self.given is None:
            return str(self.seed)
        held = [self.seed, _fingerprint(self.seed), *self.given]
        return packed(json.dumps(held, ensure_ascii=False, separators=(",", ":")), UNPACKED)

    def handing_in(self, given: Sequence[Given | None]) -> "Final":
        """Return a copy with these answers, at the overview; InputError for an invalid one."""
        said = []
        for k, each in enumerate(given):
            question = self.exercise(k).question
            try:
                said.append("" if each in (None, "") else _said(question, each))
            except InputError as fault:
                raise InputError(f"question {k + 1}: {fault}") from None
        return Final(self.seed, SIZE, tuple(said))

    def judged(self) -> Mapping[str, Answer]:
        """The answers by their keys, each read and judged; the right one where none was given."""
        found = {}
        for k, text in enumerate(self.given or ()):
            question = self.exercise(k).question
            given = question.read(text) if text else None
            verdict = question.judge(question.answer() if given is None else given)
            found[self.key(k)] = Answer(given, verdict=verdict, revealed=given is None)
        return found

    def going(self, k: int) -> "Final":
        return replace(self, at=min(max(k, 0), SIZE), warned=False)


def new_final() -> Final:
    return Final(randrange(1, LARGEST_SEED))


def final_of(word: str) -> Final:
    """Read the word of an address; InputError for an invalid one. Answers are read later."""
    if word.isascii() and word.isdigit() and len(word) < 8:
        if not 0 < int(word) <= LARGEST_SEED:
            raise InputError(NO_FINAL)
        return Final(int(word))
    try:
        seed, fingerprint, *given = json.loads(unpacked(word, UNPACKED))
    except (ValueError, TypeError, RecursionError):
        raise InputError(NO_FINAL) from None
    texts = all(isinstance(text, str) and len(text) <= LONGEST_ANSWER for text in given)
    if type(seed) is not int or not 0 < seed <= LARGEST_SEED or len(given) != SIZE or not texts:
        raise InputError(NO_FINAL)
    if fingerprint != _fingerprint(seed):
        raise InputError(OTHER_QUESTIONS)
    return Final(seed, SIZE, tuple(given))


def seed_of(word: str) -> str:
    """The seed of a word, for a label; "?" where it cannot be read."""
    try:
        return str(final_of(word).seed)
    except InputError:
        return "?"


@lru_cache(maxsize=64)
def _fingerprint(seed: int) -> str:
    """A short digest of the questions of a seed, which another version may draw otherwise."""
    asked = [
        (e.question.words, e.question.instances[0].hierarchy.edges) for e in map(partial(_exercise, seed), range(SIZE))
    ]
    return blake2b(repr(asked).encode(), digest_size=4).hexdigest()


@lru_cache(maxsize=64)
def _exercise(seed: int, k: int) -> Exercise:
    kinds = tuple(kind for kind in KINDS if kind not in left_out(KINDS, Difficulty(**ASKED)))  # type: ignore[arg-type]
    wanted: Any = ExerciseRequest(kinds=kinds, **ASKED)  # type: ignore[arg-type]
    return exercise(wanted, f"final {seed}", k + 1)


def _said(question: Question, given: Given) -> str:
    """An answer in words that `question.read` understands; InputError for an invalid one."""
    question.judge(given)
    if isinstance(given, Instance):
        given = given.true if question.change() == "true" else given.predicted
    if isinstance(given, frozenset):
        return " ".join(sorted(">".join(part) if isinstance(part, tuple) else part for part in given))
    return given
