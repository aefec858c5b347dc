r"""Sheets to print: a worksheet of exercises for each student, and the solutions of all.

The content of a sheet is decided once and written in two markups. LaTeX documents are for pdflatex
and newer engines, and need amsmath, graphicx and tikz. HTML pages print each variant on its own
sheet of paper. They contain no scripts and load no other files. Words and labels are untrusted, so
all LaTeX commands and all HTML in them are escaped.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Literal

from jinja2 import Environment

from hiermeasures.draw.export import latex_label, tikz
from hiermeasures.draw.scene import Scene, figure_scene
from hiermeasures.draw.svg import Image, svg
from hiermeasures.draw.templates import html_templates
from hiermeasures.draw.views import OPENING, overlay_for, with_measure
from hiermeasures.draw.views.sets import classes_alone
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.measures import Instance
from hiermeasures.measures.catalogue import named
from hiermeasures.measures.explain import explain_instance
from hiermeasures.teach.exercises import Exercise, ExerciseRequest, exercises
from hiermeasures.teach.random_instances import in_order
from hiermeasures.verify.wording import name_instances

MOST_EXERCISES, MOST_VARIANTS = 50, 200
Format = Literal["tex", "html"]
FORMATS: tuple[Format, ...] = ("tex", "html")
TITLE = "Hierarchical evaluation measures"
# lines that a student fills in, by the question's input; for a choice there are boxes to tick
# instead
_BLANKS = {
    "classes": ("Classes:",),
    "pairs": ("Pairs:", "Cost:"),
    "number": ("Value:",),
    "instance": ("Predicted classes:", "Values:"),
}


@dataclass(frozen=True)
class Sheet:
    """The worksheet of one of `of` students. All variants share a `seed`."""

    title: str
    variant: int
    of: int
    seed: int | str
    exercises: tuple[Exercise, ...]

    @property
    def heading(self) -> str:
        variant = f"Variant {self.variant} of {self.of}, " if self.of > 1 else ""
        return f"{variant}seed {self.seed}"

    def items(self, solved: bool) -> "Iterator[Item]":
        yield from map(solution if solved else item, self.exercises)

    def legend(self, solved: bool) -> str:
        """The legend of the drawings on the worksheet or its solutions, with the needed facts."""
        legend = "In the drawings true classes are circled and predicted classes boxed; "
        given = "".join(
            f"{words} " for words in dict.fromkeys(one.given for one in self.exercises) if words
        )
        if solved:
            added = "what a measure adds to them is dashed"
            return f"{legend}{added}, and a set that was asked for is framed. {given}"
        return f"{legend}a class that is both carries both. {given}Two decimals are exact enough."


@dataclass(frozen=True)
class SheetPicture:
    """An instance to draw: its parts, and its name if the exercise has two instances (or "")."""

    caption: str
    instance: Instance
    measure: str = ""  # "" for the classes alone
    framed: frozenset[str] = frozenset()

    @cached_property
    def scene(self) -> Scene:
        """The drawing without legend and notes, because a sheet explains its drawings once."""
        explanation = explain_instance(self.instance)
        seen = with_measure(OPENING, self.measure) if self.measure else None
        overlay = overlay_for(explanation, seen) if seen else classes_alone(explanation)
        found = figure_scene(explanation.hierarchy, replace(overlay, focus=self.framed))
        return replace(found, legend=(), notes=())

    @cached_property
    def image(self) -> Image:
        return svg(self.scene, ground="paper")

    @property
    def tikz(self) -> str:
        """The drawing for LaTeX, without its comment."""
        return "\n".join(line for line in tikz(self.scene).splitlines() if not line.startswith("%"))

    @property
    def words(self) -> str:
        h = self.instance.hierarchy
        true, predicted = (
            named(in_order(h, side)) for side in (self.instance.true, self.instance.predicted)
        )
        return f"True: {true}. Predicted: {predicted}."


@dataclass(frozen=True)
class Item:
    """An exercise on a sheet.

    On a worksheet it has boxes or gaps for the answer. Among the solutions it has the answer and
    its derivation, in words and as formulas (LaTeX).
    """

    words: str
    pictures: tuple[SheetPicture, ...]
    choices: tuple[str, ...] = ()
    blanks: tuple[str, ...] = ()
    answer: str = ""
    why: str = ""
    formulas: tuple[str, ...] = ()


def sheets(
    wanted: ExerciseRequest,
    seed: int | str,
    number: int = 6,
    variants: int = 1,
    *,
    title: str = TITLE,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Sheet, ...]:
    """Draw a worksheet of `number` exercises for each of some students.

    A seed always gives the same sheets. After each sheet, `progress` is called with the number of
    finished sheets and the total number.

    Raises
    ------
    InputError
        If the numbers exceed MOST_EXERCISES or MOST_VARIANTS, or if an exercise cannot be drawn.
    """
    if not 1 <= number <= MOST_EXERCISES:
        raise InputError(f"a sheet has 1 to {MOST_EXERCISES} exercises, not {number}")
    if not 1 <= variants <= MOST_VARIANTS:
        raise InputError(f"there can be 1 to {MOST_VARIANTS} variants, not {variants}")
    made = []
    for k in range(1, variants + 1):
        found = exercises(wanted, f"{seed}/{k}", number)
        made.append(Sheet(title=title, variant=k, of=variants, seed=seed, exercises=found))
        if progress:
            progress(k, variants)
    return tuple(made)


def item(exercise: Exercise) -> Item:
    """Return an exercise for a worksheet. Its drawing shows only the classes."""
    question = exercise.question
    choices = tuple(words for _, words in question.choices())
    return Item(
        question.on_paper, pictures(question.instances), choices, _BLANKS.get(question.input, ())
    )


def solution(exercise: Exercise) -> Item:
    """Return an exercise with the computed answer and its drawing.

    A set is framed, and a change is drawn. Otherwise the drawing shows the structure of the first
    measure. Each measure of the question has a formula.
    """
    question, card, answer = exercise.question, exercise.card, exercise.question.answer()
    verdict = question.judge(answer)
    several = question.compares == "measures"
    formulas: tuple[str, ...] = ()
    if isinstance(answer, Instance):
        shown: tuple[SheetPicture, ...] = (SheetPicture("", answer),)
    elif question.input == "classes" and isinstance(answer, frozenset):
        shown = (
            SheetPicture(
                "", question.instances[0], "", frozenset(c for c in answer if isinstance(c, str))
            ),
        )
    else:
        shown = pictures(question.instances, "" if several else card.measures[0])
        formulas = tuple(
            r" \qquad ".join(
                f"{x.measure(key).symbol} = {x.derivation(key).latex}" for x in card.explained
            )
            for key in (card.measures if several else card.measures[:1])
        )
    return Item(
        question.on_paper, shown, answer=verdict.answer_words, why=verdict.why, formulas=formulas
    )


def pictures(instances: Sequence[Instance], measure: str = "") -> tuple[SheetPicture, ...]:
    captions = name_instances(instances).captions
    return tuple(SheetPicture(*both, measure) for both in zip(captions, instances, strict=True))


def sheet_files(sheets: Sequence[Sheet], formats: Collection[Format]) -> Iterator[tuple[str, str]]:
    """Yield the name and text of each file.

    LaTeX files are a document for each student, and one with all solutions. HTML files are a page
    with all worksheets, and one with all solutions.
    """
    yield from zip(file_names(len(sheets), formats), _texts(sheets, formats), strict=True)


def file_names(variants: int, formats: Collection[Format]) -> tuple[str, ...]:
    """Return the names of these files.

    >>> file_names(2, ["tex"])
    ('variant-01.tex', 'variant-02.tex', 'solutions.tex')
    """
    tex = (*(f"variant-{k:02}.tex" for k in range(1, variants + 1)), "solutions.tex")
    return (
        *(tex if "tex" in formats else ()),
        *(("worksheets.html", "solutions.html") if "html" in formats else ()),
    )


def _texts(sheets: Sequence[Sheet], formats: Collection[Format]) -> Iterator[str]:
    if "tex" in formats:
        yield from (_written("sheet.tex", [sheet], solved=False) for sheet in sheets)
        yield _written("sheet.tex", sheets, solved=True)
    if "html" in formats:
        yield from (_written("sheet.html", sheets, solved=solved) for solved in (False, True))


def _written(template: str, sheets: Sequence[Sheet], *, solved: bool) -> str:
    title = f"{sheets[0].title}: solutions" if solved else sheets[0].title
    found = templates(tex=template.endswith(".tex")).get_template(template)
    return found.render(sheets=sheets, title=title, solved=solved)


@cache
def templates(tex: bool = False) -> Environment:
    """Return the templates of this folder.

    HTML and XML templates escape all text. In LaTeX templates the filter `tex` escapes, and braces
    keep their meaning.
    """
    made = html_templates("hiermeasures.teach")
    if tex:
        made = made.overlay("<%", "%>", "<<", ">>", "<#", "#>", autoescape=False, finalize=None)
    made.filters["tex"] = latex_label
    return made
