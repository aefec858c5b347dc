r"""Sheets to print: for each student a worksheet of exercises, and the solutions of all.

What stands on a sheet is decided once, and written down in two markups: as LaTeX documents, for
pdflatex and the newer engines, which need amsmath, graphicx and tikz; and as HTML pages that print,
a variant on each sheet of paper: no script, nothing from elsewhere. Words and labels are untrusted:
in LaTeX no letter of one acts as a command, in HTML all text is escaped.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from typing import Literal

from hiermeasures.core.errors import InputError, unknown
from hiermeasures.lessons.exercises import Exercise, ExerciseRequest, exercises
from hiermeasures.lessons.random_instances import in_order
from hiermeasures.measures import Instance
from hiermeasures.measures.catalogue import named
from hiermeasures.measures.explain import explain_instance
from hiermeasures.picture.export import latex_label, tikz
from hiermeasures.picture.scene import Scene, figure_scene
from hiermeasures.picture.svg import svg
from hiermeasures.picture.views import OPENING, overlay_for, with_measure
from hiermeasures.picture.views.sets import classes_alone

MOST_EXERCISES, MOST_VARIANTS = 50, 200
Format = Literal["tex", "html"]
FORMATS: tuple[Format, ...] = ("tex", "html")
TITLE = "Hierarchical evaluation measures"
_BLANKS = {  # lines that a student fills in, by the question's input; for a choice there are boxes to tick instead
    "classes": ("Classes:",),
    "pairs": ("Pairs:", "Cost:"),
    "number": ("Value:",),
    "instance": ("Predicted classes:", "Values:"),
}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


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
        variant = f"Variant {self.variant} of {self.of}, " if self.of > 1 else ""
        return f"{variant}seed {self.seed}"

    def legend(self, solved: bool) -> str:
        """Meaning of the drawings on the worksheet, or its solutions, and what has to be known."""
        legend = "In the drawings true classes are circled and predicted classes boxed; "
        given = "".join(f"{words} " for words in dict.fromkeys(one.given for one in self.exercises) if words)
        if solved:
            return f"{legend}what a measure adds to them is dashed, and a set that was asked for is framed. {given}"
        return f"{legend}a class that is both carries both. {given}Two decimals are exact enough."


@dataclass(frozen=True)
class Picture:
    """An instance to be drawn: which of two it is, or "", and what is drawn of it."""

    caption: str
    instance: Instance
    measure: str = ""  # "" for the classes alone
    framed: frozenset[str] = frozenset()

    @property
    def words(self) -> str:
        h = self.instance.hierarchy
        true, predicted = (named(in_order(h, side)) for side in (self.instance.true, self.instance.predicted))
        return f"True: {true}. Predicted: {predicted}."


@dataclass(frozen=True)
class Item:
    """An exercise as it stands on a sheet: on a worksheet with what is ticked or filled in, with
    the solutions with the answer and where it comes from, in words and as formulas (LaTeX).
    """

    words: str
    pictures: tuple[Picture, ...]
    choices: tuple[str, ...] = ()
    blanks: tuple[str, ...] = ()
    answer: str = ""
    why: str = ""
    formulas: tuple[str, ...] = ()


def formats_of(names: Sequence[str] | None) -> tuple[Format, ...]:
    for name in names or ():
        if name not in FORMATS:
            raise InputError(unknown("format", name, FORMATS))
    return tuple(f for f in FORMATS if names is None or f in names)


def sheets(
    wanted: ExerciseRequest,
    seed: int | str,
    number: int = 6,
    variants: int = 1,
    *,
    title: str = TITLE,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Sheet, ...]:
    """Draw a worksheet of `number` exercises for each of some students; the same seed gives the
    same sheets.

    `progress` is told after each sheet how many are done, of how many.

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
        found = exercises(wanted, f"{seed}/{k}", number)
        made.append(Sheet(title=title, variant=k, of=variants, seed=seed, exercises=found))
        if progress:
            progress(k, variants)
    return tuple(made)


def item(exercise: Exercise) -> Item:
    """An exercise on a worksheet: drawn are the classes alone."""
    question = exercise.question
    choices = tuple(words for _, words in question.choices())
    return Item(question.on_paper, pictures(question.instances), choices, _BLANKS.get(question.input, ()))


def solution(exercise: Exercise) -> Item:
    """An exercise with its answer as the question computes it, and what it was read off: a set is
    framed, a change drawn, else what the first measure reads; with a formula for each measure that
    was asked for.
    """
    question, card, answer = exercise.question, exercise.card, exercise.question.answer()
    verdict = question.judge(answer)
    several = question.compares == "measures"
    formulas: tuple[str, ...] = ()
    if isinstance(answer, Instance):
        shown: tuple[Picture, ...] = (Picture("", answer),)
    elif question.input == "classes" and isinstance(answer, frozenset):
        shown = (Picture("", question.instances[0], "", frozenset(c for c in answer if isinstance(c, str))),)
    else:
        shown = pictures(question.instances, "" if several else card.measures[0])
        formulas = tuple(
            r" \qquad ".join(f"{x.measure(key).symbol} = {x.derivation(key).latex}" for x in card.explained)
            for key in (card.measures if several else card.measures[:1])
        )
    return Item(question.on_paper, shown, answer=verdict.answer_words, why=verdict.why, formulas=formulas)


def pictures(instances: Sequence[Instance], measure: str = "") -> tuple[Picture, ...]:
    captions = ("",) if len(instances) == 1 else ("First prediction", "Second prediction")
    return tuple(Picture(*both, measure) for both in zip(captions, instances, strict=True))


def sheet_files(sheets: Sequence[Sheet], formats: Collection[Format]) -> Iterator[tuple[str, str]]:
    """Yield the files, name and text: as LaTeX a document for each student and one with all
    solutions; as HTML a page with all worksheets and one with all solutions.
    """
    yield from zip(file_names(len(sheets), formats), _texts(sheets, formats), strict=True)


def file_names(variants: int, formats: Collection[Format]) -> tuple[str, ...]:
    """Return the names of these files.

    >>> file_names(2, ["tex"])
    ('variant-01.tex', 'variant-02.tex', 'solutions.tex')
    """
    tex = (*(f"variant-{k:02}.tex" for k in range(1, variants + 1)), "solutions.tex")
    return (*(tex if "tex" in formats else ()), *(("worksheets.html", "solutions.html") if "html" in formats else ()))


def _texts(sheets: Sequence[Sheet], formats: Collection[Format]) -> Iterator[str]:
    if "tex" in formats:
        yield from (_Latex().written([sheet], solved=False) for sheet in sheets)
        yield _Latex().written(sheets, solved=True)
    if "html" in formats:
        yield _Html().written(sheets, solved=False)
        yield _Html().written(sheets, solved=True)


def _file(name: str) -> str:
    return files("hiermeasures.lessons").joinpath(name).read_text("utf-8")


def drawn(picture: Picture) -> Scene:
    """The drawing without legend and notes, for a sheet says once what its drawings mean."""
    explanation = explain_instance(picture.instance)
    seen = with_measure(OPENING, picture.measure) if picture.measure else None
    overlay = overlay_for(explanation, seen) if seen else classes_alone(explanation)
    found = figure_scene(explanation.hierarchy, replace(overlay, focus=picture.framed))
    return replace(found, legend=(), notes=())


class _Markup(ABC):
    """A way to write sheets down."""

    name: str  # the line for a student's name

    def written(self, sheets: Sequence[Sheet], *, solved: bool) -> str:
        title = f"{sheets[0].title}: solutions" if solved else sheets[0].title
        return self.document(title, ["\n".join(self._variant(title, sheet, solved)) for sheet in sheets])

    def _variant(self, title: str, sheet: Sheet, solved: bool) -> Iterator[str]:
        yield self.head(title, sheet.heading)
        if not solved:
            yield self.name
        yield self.paragraph(sheet.legend(solved))
        for number, exercise in enumerate(sheet.exercises, 1):
            asked = solution(exercise) if solved else item(exercise)
            yield self.exercise(number, asked, [*self.blanks(asked), *(self.answer(asked) if solved else ())])

    @abstractmethod
    def document(self, title: str, variants: Sequence[str]) -> str: ...
    @abstractmethod
    def head(self, title: str, heading: str) -> str: ...
    @abstractmethod
    def paragraph(self, words: str) -> str: ...
    @abstractmethod
    def blanks(self, asked: Item) -> list[str]: ...
    @abstractmethod
    def answer(self, found: Item) -> list[str]: ...
    @abstractmethod
    def exercise(self, number: int, asked: Item, lines: Sequence[str]) -> str:
        """One drawing stands beside its question, two stand below it and beside each other."""


class _Latex(_Markup):
    name = "Name:~\\hrulefill\n"

    def document(self, title: str, variants: Sequence[str]) -> str:
        between = "\n\\clearpage\n\\setcounter{hmexercise}{0}\n"
        return "\n".join([_file("sheet.tex"), r"\begin{document}", between.join(variants), r"\end{document}", ""])

    def head(self, title: str, heading: str) -> str:
        return rf"\textbf{{\large {latex_label(title)}}}\hfill {latex_label(heading)}\par"

    def paragraph(self, words: str) -> str:
        return f"{latex_label(words)}\n"

    def blanks(self, asked: Item) -> list[str]:
        offered = [rf"\mbox{{\hmbox~{latex_label(choice)}}}" for choice in asked.choices]
        lines = [r"{\raggedright " + r" \quad ".join(offered) + r"\par}"] if offered else []
        return lines + [rf"\hmblank{{{latex_label(blank)}}}" for blank in asked.blanks]

    def answer(self, found: Item) -> list[str]:
        why = [rf"{latex_label(found.why)}\par"] if found.why else []
        formulas = [rf"\hmfitted{{\linewidth}}{{$\displaystyle {formula}$}}\par" for formula in found.formulas]
        return [rf"\textbf{{Answer: {latex_label(found.answer)}}}\par", *why, *formulas]

    def exercise(self, number: int, asked: Item, lines: Sequence[str]) -> str:
        """It is not parted by the end of a page."""
        question = rf"{{\raggedright\hmheading {latex_label(asked.words)}\par}}"
        first, *more = asked.pictures
        if more:
            pair = [*self._picture(first, "0.48"), r"\hfill", *self._picture(more[0], "0.48"), r"\par\medskip"]
            lines = [question, *pair, *lines]
        else:
            lines = [*self._column("0.54", [question, *lines]), r"\hfill", *self._picture(first, "0.42")]
        opening = r"\bigskip\begin{minipage}{\linewidth}\setlength{\parskip}{5pt}"
        return "\n".join([opening, *lines, r"\end{minipage}\par", ""])

    def _picture(self, picture: Picture, share: str) -> list[str]:
        """A drawing, without TikZ's comment on it, and in words what is true and predicted."""
        drawing = "\n".join(line for line in tikz(drawn(picture)).splitlines() if not line.startswith("%"))
        caption = [rf"\textit{{{latex_label(picture.caption)}}}\par"] if picture.caption else []
        said = rf"\par{{\small {latex_label(picture.words)}\par}}"
        return self._column(share, [r"\centering", *caption, rf"\hmfitted{{\linewidth}}{{{drawing}}}{said}"])

    def _column(self, share: str, lines: Sequence[str]) -> list[str]:
        opening = rf"\begin{{minipage}}[t]{{{share}\linewidth}}\vspace{{0pt}}\setlength{{\parskip}}{{5pt}}"
        return [opening, *lines, r"\end{minipage}"]


class _Html(_Markup):
    name = '<p class="blank">Name:</p>'

    def document(self, title: str, variants: Sequence[str]) -> str:
        return f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{html_text(title)}</title><style>
{_file("sheet.css")}</style></head>
<body>
{"".join(f"<main>{chr(10)}{variant}{chr(10)}</main>{chr(10)}" for variant in variants)}</body></html>
"""

    def head(self, title: str, heading: str) -> str:
        return f"<header><h1>{html_text(title)}</h1><span>{html_text(heading)}</span></header>"

    def paragraph(self, words: str) -> str:
        return f"<p>{html_text(words)}</p>"

    def blanks(self, asked: Item) -> list[str]:
        offered = "".join(f"<li>{html_text(choice)}</li>" for choice in asked.choices)
        lines = [f'<ul class="offered">{offered}</ul>'] if offered else []
        return lines + [f'<p class="blank">{html_text(blank)}</p>' for blank in asked.blanks]

    def answer(self, found: Item) -> list[str]:
        return [f"<p><b>Answer: {html_text(found.answer)}</b></p>", *([self.paragraph(found.why)] if found.why else [])]

    def exercise(self, number: int, asked: Item, lines: Sequence[str]) -> str:
        question = f"<h2><b>{number}.</b>{html_text(asked.words)}</h2>"
        drawings = f'<div class="drawings">{"".join(map(self._figure, asked.pictures))}</div>'
        if len(asked.pictures) == 1:
            return "\n".join(['<section class="one"><div>', question, *lines, "</div>", drawings, "</section>"])
        return "\n".join(["<section>", question, drawings, *lines, "</section>"])

    def _figure(self, picture: Picture) -> str:
        drawing = svg(drawn(picture), ground="paper").svg
        caption = f"<i>{html_text(picture.caption)}</i><br>" if picture.caption else ""
        return f"<figure>{drawing}<figcaption>{caption}{html_text(picture.words)}</figcaption></figure>"


def html_text(words: str) -> str:
    return escape(plain_text(words))


def plain_text(words: str) -> str:
    """Return words without control and direction characters, which would turn the line around."""
    return "".join(c if c.isprintable() else "\ufffd" for c in words)
