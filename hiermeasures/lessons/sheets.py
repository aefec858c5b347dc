"""Sheets to print: for each student a worksheet of exercises, and the solutions of all, as LaTeX and as HTML.

What stands on a sheet is decided here, once for both: sheet_latex.py and sheet_html.py only write it down. Drawings are
painted by the caller, for lessons know no interface.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from hiermeasures.errors import InputError, unknown
from hiermeasures.lessons.exercises import Exercise, exercises
from hiermeasures.lessons.random_instances import in_order
from hiermeasures.lessons.wishes import Wish
from hiermeasures.measures import Instance
from hiermeasures.measures.catalogue import named

MOST_EXERCISES, MOST_VARIANTS = 50, 200
Format = Literal["tex", "html"]
FORMATS: tuple[Format, ...] = ("tex", "html")
TITLE = "Hierarchical evaluation measures"
# Paints an instance: what a measure reads of it, or for "" the classes alone; some classes framed.
Paint = Callable[[Instance, str, frozenset[str]], str]


@dataclass(frozen=True)
class Sheet:
    """The worksheet of one student, of `of` in all. `seed` is that of all variants."""

    title: str
    variant: int
    of: int
    seed: int | str
    exercises: tuple[Exercise, ...]

    @property
    def heading(self) -> str:
        """Which variant it is, and how it is drawn again."""
        variant = f"Variant {self.variant} of {self.of}, " if self.of > 1 else ""
        return f"{variant}seed {self.seed}"

    @property
    def given(self) -> str:
        """What the exercises leave unsaid."""
        return "".join(f"{words} " for words in dict.fromkeys(one.given for one in self.exercises) if words)


@dataclass(frozen=True)
class Picture:
    """An instance to be drawn: which of two it is ("" where there is one), and what is drawn of it."""

    caption: str
    instance: Instance
    measure: str = ""
    framed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Solution:
    """The answer of an exercise, where it comes from in words and, where there is one, as a formula (LaTeX)."""

    answer: str
    why: str
    formulas: tuple[str, ...]
    pictures: tuple[Picture, ...]


def formats_of(names: Sequence[str] | None) -> tuple[Format, ...]:
    """The formats of these names; all of them for None."""
    for name in names or ():
        if name not in FORMATS:
            raise InputError(unknown("format", name, FORMATS))
    return tuple(f for f in FORMATS if names is None or f in names)


def sheets(
    wish: Wish,
    seed: int | str,
    number: int = 6,
    variants: int = 1,
    *,
    title: str = TITLE,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Sheet, ...]:
    """A worksheet of `number` exercises for each of some students; the same seed gives the same sheets. `progress` is
    told after each sheet how many are done, of how many.

    Raises
    ------
    InputError
        For more than MOST_EXERCISES or MOST_VARIANTS, and where an exercise cannot be drawn.
    """
    if not 1 <= number <= MOST_EXERCISES:
        raise InputError(f"a sheet has 1 to {MOST_EXERCISES} exercises, not {number}")
    if not 1 <= variants <= MOST_VARIANTS:
        raise InputError(f"there can be 1 to {MOST_VARIANTS} variants, not {variants}")
    made = []
    for k in range(1, variants + 1):
        made.append(Sheet(title, k, variants, seed, exercises(wish, f"{seed}/{k}", number)))
        if progress:
            progress(k, variants)
    return tuple(made)


# --- what stands on a sheet ---------------------------------------------------------------------------------------


def legend(sheet: Sheet) -> str:
    """What the drawings of a worksheet mean, and what else has to be known."""
    return (
        "In the drawings true classes are circled and predicted classes boxed; a class that is both carries both. "
        f"{sheet.given}Two decimals are exact enough."
    )


def solutions_legend(sheet: Sheet) -> str:
    """What the drawings of its solutions mean."""
    return (
        "In the drawings true classes are circled and predicted classes boxed; what a measure adds to them is dashed, "
        f"and a set that was asked for is framed. {sheet.given}"
    )


def words(exercise: Exercise) -> str:
    """The question as it is asked on paper, where nothing is clicked."""
    asked = exercise.question.words
    return asked.replace("Click", "Mark", 1) if exercise.question.kind == "click" else asked


def pictures(exercise: Exercise) -> tuple[Picture, ...]:
    """What is drawn with the question: the classes alone."""
    return tuple(
        Picture(caption, instance)
        for caption, instance in zip(_captions(exercise), exercise.question.instances, strict=True)
    )


def blanks(exercise: Exercise) -> tuple[str, ...]:
    """What a student fills in, line by line; for a choice there are boxes to tick instead (`choices`)."""
    return {
        "classes": ("Classes:",),
        "pairs": ("Pairs:", "Cost:"),
        "number": ("Value:",),
        "instance": ("Predicted classes:", "Values:"),
    }.get(exercise.question.input, ())


def choices(exercise: Exercise) -> tuple[str, ...]:
    """What a student chooses from."""
    return tuple(words for _, words in exercise.question.choices())


def solution(exercise: Exercise) -> Solution:
    """The answer as the question computes it, and what it was read off."""
    question = exercise.question
    verdict = question.judge(question.answer())
    return Solution(verdict.answer_words, verdict.why, _formulas(exercise), _solved(exercise))


def _captions(exercise: Exercise) -> tuple[str, ...]:
    return ("",) if len(exercise.question.instances) == 1 else ("First prediction", "Second prediction")


def _solved(exercise: Exercise) -> tuple[Picture, ...]:
    """A set that was asked for is framed, a changed instance is drawn changed, else what the first measure reads is."""
    question, answer = exercise.question, exercise.question.answer()
    if isinstance(answer, Instance):
        return (Picture("", answer),)
    if question.input == "classes" and isinstance(answer, frozenset):
        return (Picture("", question.instances[0], "", frozenset(c for c in answer if isinstance(c, str))),)
    return tuple(
        Picture(caption, instance, exercise.card.measures[0] if question.kind != "which" else "")
        for caption, instance in zip(_captions(exercise), question.instances, strict=True)
    )


def _formulas(exercise: Exercise) -> tuple[str, ...]:
    """How the values came about, a line for each measure that was asked for and in it each instance."""
    if exercise.question.input in ("classes", "instance"):
        return ()
    keys = exercise.card.measures if exercise.question.kind == "which" else exercise.card.measures[:1]
    explained = exercise.card.explained
    return tuple(
        r" \qquad ".join(rf"{x.measure(key).symbol} = {x.derivation(key).latex}" for x in explained) for key in keys
    )


def classes_in_words(instance: Instance) -> str:
    """The classes of an instance in words.

    >>> from hiermeasures import Hierarchy
    >>> from hiermeasures.options import Options
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> classes_in_words(Instance(h, frozenset("B"), frozenset("C"), Options()))
    'True: B. Predicted: C.'
    """
    h = instance.hierarchy
    return f"True: {named(in_order(h, instance.true))}. Predicted: {named(in_order(h, instance.predicted))}."
