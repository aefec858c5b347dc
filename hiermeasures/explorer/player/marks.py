"""Marks of the lessons: solved and seen cards, which the browser keeps (marks.js)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

MOST, LONGEST = 200, 40  # keys of each kind that are taken from a browser, and the characters of one
MOST_FINALS, LONGEST_FINAL = 5, 1_000


@dataclass(frozen=True)
class Marks:
    """The keys of cards: those whose question was answered right, and all of which everything was
    seen, answers that were shown included. `finals` are the words of finals that were handed in.

    >>> Marks().adding("a/0").adding("a/1", solved=True).of("a", 3)
    (1, 2)
    """

    solved: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()
    finals: tuple[str, ...] = ()

    def adding(self, key: str, *, solved: bool = False) -> "Marks":
        """Return a copy with a card marked as seen, or as solved and seen."""
        return replace(self, solved=self.solved | {key} if solved else self.solved, seen=self.seen | {key})

    def of(self, lesson: str, cards: int) -> tuple[int, int]:
        """Numbers of the cards of a lesson that are solved and seen."""
        keys = {f"{lesson}/{k}" for k in range(cards)}
        return len(keys & self.solved), len(keys & self.seen)

    def word(self, key: str) -> str:
        return "solved" if key in self.solved else "seen" if key in self.seen else ""

    def as_data(self) -> dict[str, list[str]]:
        return {"solved": sorted(self.solved), "seen": sorted(self.seen), "finals": list(self.finals)}

    def with_kept(self, kept: Mapping[str, Any]) -> "Marks":
        """Return a copy with the untrusted marks that a browser kept."""
        solved, seen = (frozenset(_texts(kept.get(name), MOST, LONGEST)) for name in ("solved", "seen"))
        made = replace(self, solved=self.solved | solved, seen=self.seen | seen | solved)
        for word in reversed(_texts(kept.get("finals"), MOST_FINALS, LONGEST_FINAL)):
            made = made.with_final(word)
        return made

    def with_final(self, word: str) -> "Marks":
        """Return a copy with a further final, in the first place."""
        return replace(self, finals=tuple(dict.fromkeys((word, *self.finals)))[:MOST_FINALS])


def _texts(found: Any, most: int, longest: int) -> list[str]:
    listed = found[:most] if isinstance(found, list) else []
    return [text for text in listed if isinstance(text, str) and 0 < len(text) <= longest]
