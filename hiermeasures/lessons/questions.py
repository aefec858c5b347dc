"""A question about one or two instances: its words, its computed answer, and what a given answer is worth.

What all kinds share is here; a kind is one class in kinds/. Reading lesson files is library.py's work.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar

from hiermeasures.cases.case import Case
from hiermeasures.errors import InputError
from hiermeasures.io.hierarchies.building import is_small
from hiermeasures.io.source import MOST_CLASSES, MOST_EDGES, MOST_MARKED
from hiermeasures.lessons.format import Change, Kind, QuestionEntry
from hiermeasures.lessons.values import Subject
from hiermeasures.measures import CATALOGUE, Instance, Measure
from hiermeasures.measures.own import called

T = TypeVar("T")
Input = Literal["choice", "classes", "pairs", "number", "instance"]
Pair = tuple[str, str]  # a predicted class and a true one; "" for nothing
Given = str | frozenset[str] | frozenset[Pair] | Instance
MOST_NAMED = 3  # measures for which a wrong answer would have been right


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

    A kind names the entries that it `needs` and those that it `takes` besides. `check` refuses a question that has no
    answer, or nothing to answer.
    """

    kind: ClassVar[Kind]
    input: ClassVar[Input]
    needs: ClassVar[tuple[str, ...]] = ()
    takes: ClassVar[tuple[str, ...]] = ()

    entry: QuestionEntry
    subject: Subject
    words: str = ""
    explain: str = ""

    @property
    def instances(self) -> tuple[Instance, ...]:
        return self.subject.instances

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that it is about: keys, own ones as definitions."""
        return ()

    def choices(self) -> tuple[tuple[str, str], ...]:
        """What can be chosen, key and words; nothing for other inputs."""
        return ()

    def change(self) -> Change | None:
        """What of the first instance a person changes; None for other inputs."""
        return None

    @abstractmethod
    def asked(self) -> str:
        """The question in words, where its author gives none."""

    @abstractmethod
    def check(self) -> None:
        """InputError for a question that has no answer, or nothing to answer."""

    @abstractmethod
    def answer(self) -> Given:
        """The computed answer; where several are right, one of them."""

    @abstractmethod
    def read(self, text: str | Iterable[str]) -> Given:
        """An answer in words, or its words one by one, as a given one; InputError says what is wrong."""

    @abstractmethod
    def judge(self, given: Given) -> Verdict:
        """What an answer is worth; InputError for one that is none, such as "abc" for a number."""

    def agrees(self, answer: str | Iterable[str]) -> Verdict:
        """The verdict on what the author thinks the answer is."""
        return self.judge(self.read(answer))


def agreeing(
    subject: Subject, near: Iterable[Measure], says: Callable[[Measure], bool], far: bool = True
) -> tuple[str, ...]:
    """The measures of which something is so, up to MOST_NAMED: those of the families of some measures, or where there
    are none, and `far`, the best known of the others. These measures themselves are left out.
    """
    asked = list(near)
    families = {measure.family for measure in asked}
    others = [m for m in (*subject.defined.values(), *CATALOGUE.values()) if all(m.key != a.key for a in asked)]
    others = [m for m in others if (far or m.family in families) and not m.key.startswith("own_")]
    found: list[str] = []
    for measure in sorted(others, key=lambda m: (m.family not in families, m.group.rank)):
        if measure.key.removesuffix("_ext") in found:
            continue
        if found and measure.family not in families:
            break
        try:
            if says(measure):
                found.append(called(measure.key))
        except InputError:
            continue
        if len(found) == MOST_NAMED:
            break
    return tuple(found)


def parted(given: frozenset[T], right: frozenset[T]) -> tuple[frozenset[T], frozenset[T], frozenset[T]]:
    """What is in both a given answer and the right one, what is missed, and what is spurious."""
    return given & right, right - given, given - right


def check_size(instance: Case | Instance) -> None:
    """InputError for an instance that is larger than a lesson may hold."""
    if not is_small(instance.hierarchy, instance.true, instance.predicted):
        raise InputError(
            f"a card holds {MOST_CLASSES:,} classes, {MOST_EDGES:,} edges and {MOST_MARKED} classes of a side at most"
        )


def joined(names: Iterable[str], word: str = "and") -> str:
    """Names in a sentence; "" for none.

    >>> joined(["hF", "GIE", "SP"]), joined(["hF"]), joined([])
    ('hF, GIE and SP', 'hF', '')
    """
    *first, last = tuple(names) or ("",)
    return f"{', '.join(first)} {word} {last}" if first else last


def one_of(text: str | Iterable[str]) -> str:
    """An answer in words as one text."""
    return text if isinstance(text, str) else " ".join(text)
