"""A question about one or two instances: its words, its computed answer, and what a given answer is worth.

What all kinds share is here; a kind is one class in kinds/. Reading lesson files is library.py's work.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from hiermeasures.lessons.format import Change, Kind
from hiermeasures.measures import Instance

Input = Literal["choice", "classes", "pairs", "number", "instance"]
Pair = tuple[str, str]  # a predicted class and a true one; "" for nothing
Given = str | frozenset[str] | frozenset[Pair] | Instance


@dataclass(frozen=True)
class Verdict:
    """What an answer is worth: whether it is right, the computed answer beside what was given, and why.

    `answer` is the right answer; where several are right, the nearest to what was given. `both`, `missed` and
    `spurious` part the classes of the two, and `pairs` the pairs, under the same three words. `why` says where the
    right answer comes from, `would_be` what a wrong one would have been right for, "" where nothing is known.
    """

    right: bool
    given: Given
    answer: Given
    both: frozenset[str] = frozenset()
    missed: frozenset[str] = frozenset()
    spurious: frozenset[str] = frozenset()
    pairs: Mapping[str, frozenset[Pair]] | None = None
    why: str = ""
    would_be: str = ""
    given_words: str = ""
    answer_words: str = ""


@dataclass(frozen=True)
class Question(ABC):
    """One question. `words` is what is asked, `explain` the author's text that is shown with the answer; `input` says
    what an answer is: a key of `choices`, classes, pairs, a number as text, or an instance.
    """

    kind: ClassVar[Kind]
    input: ClassVar[Input]

    instances: tuple[Instance, ...]
    words: str
    measures: tuple[str, ...]
    explain: str

    def choices(self) -> tuple[tuple[str, str], ...]:
        """What can be chosen, key and words; nothing for other inputs."""
        return ()

    def change(self) -> Change | None:
        """What of the instance a person changes; None for other inputs."""
        return None

    @abstractmethod
    def answer(self) -> Given:
        """The computed answer; where several are right, one of them."""

    @abstractmethod
    def read(self, text: str) -> Given:
        """An answer in words as a given one; InputError says what is wrong."""

    @abstractmethod
    def judge(self, given: Given) -> Verdict:
        """What an answer is worth; InputError for one that is none, such as "abc" for a number."""
