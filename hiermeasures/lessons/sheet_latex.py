r"""Sheets as LaTeX documents, for pdflatex and the newer engines; they need amsmath, graphicx and tikz.

What stands on a sheet is decided in sheets.py. Words and labels are untrusted: no letter of one acts as a command.
"""

from collections.abc import Sequence

from hiermeasures.export import latex_label
from hiermeasures.lessons.exercises import Exercise
from hiermeasures.lessons.sheets import (
    Paint,
    Picture,
    Sheet,
    blanks,
    choices,
    classes_in_words,
    legend,
    pictures,
    solution,
    solutions_legend,
    words,
)

_PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage[margin=22mm]{geometry}
\usepackage{amsmath,graphicx,tikz}
\setlength{\parindent}{0pt}
\setlength{\parskip}{5pt}
\newsavebox{\hmpicture}
% A drawing, made smaller where it is wider than its place.
\newcommand{\hmfitted}[2]{\sbox{\hmpicture}{#2}%
  \ifdim\wd\hmpicture>#1\resizebox{#1}{!}{\usebox{\hmpicture}}\else\usebox{\hmpicture}\fi}
\newcommand{\hmbox}{\fbox{\rule{0pt}{1.1ex}\rule{1.1ex}{0pt}}}
\newcommand{\hmblank}[1]{\vspace{3mm}#1~\hrulefill\par}
\newcounter{hmexercise}
\newcommand{\hmheading}{\refstepcounter{hmexercise}\textbf{\thehmexercise.}~}
"""


def latex_worksheet(sheet: Sheet, paint: Paint) -> str:
    """A document with the worksheet of one student; `paint` gives TikZ pictures."""
    name = r"Name:~\hrulefill"
    body = [_head(sheet.title, sheet.heading), name, "", latex_label(legend(sheet)), ""]
    body += [_kept_together(_asked(exercise, paint)) for exercise in sheet.exercises]
    return _document(body)


def latex_solutions(sheets: Sequence[Sheet], paint: Paint) -> str:
    """A document with the solutions of all variants, each on pages of its own."""
    body: list[str] = []
    for sheet in sheets:
        title = f"{sheet.title}: solutions"
        body += [r"\clearpage", r"\setcounter{hmexercise}{0}"] if body else []
        body += [_head(title, sheet.heading), latex_label(solutions_legend(sheet)), ""]
        body += [_kept_together(_solved(exercise, paint)) for exercise in sheet.exercises]
    return _document(body)


def _document(body: Sequence[str]) -> str:
    return "\n".join([_PREAMBLE, r"\begin{document}", *body, r"\end{document}", ""])


def _head(title: str, heading: str) -> str:
    return rf"\textbf{{\large {latex_label(title)}}}\hfill {latex_label(heading)}\par"


def _kept_together(lines: Sequence[str]) -> str:
    """No exercise is parted by the end of a page."""
    return "\n".join(
        [r"\bigskip\begin{minipage}{\linewidth}\setlength{\parskip}{5pt}", *lines, r"\end{minipage}\par", ""]
    )


def _asked(exercise: Exercise, paint: Paint) -> list[str]:
    offered = [rf"\mbox{{\hmbox~{latex_label(choice)}}}" for choice in choices(exercise)]
    lines = [r"{\raggedright " + r" \quad ".join(offered) + r"\par}"] if offered else []
    lines += [rf"\hmblank{{{latex_label(blank)}}}" for blank in blanks(exercise)]
    return _laid_out(words(exercise), pictures(exercise), paint, lines)


def _solved(exercise: Exercise, paint: Paint) -> list[str]:
    found = solution(exercise)
    lines = [rf"\textbf{{Answer: {latex_label(found.answer)}}}\par"]
    lines += [rf"{latex_label(found.why)}\par"] if found.why else []
    lines += [rf"\hmfitted{{\linewidth}}{{$\displaystyle {formula}$}}\par" for formula in found.formulas]
    return _laid_out(words(exercise), found.pictures, paint, lines)


def _laid_out(asked: str, drawn: Sequence[Picture], paint: Paint, lines: Sequence[str]) -> list[str]:
    """One drawing stands beside its question, two stand below it and beside each other."""
    question = rf"{{\raggedright\hmheading {latex_label(asked)}\par}}"
    if len(drawn) == 1:
        return [*_column("0.54", [question, *lines]), r"\hfill", *_picture(drawn[0], "0.42", paint)]
    pair = [*_picture(drawn[0], "0.48", paint), r"\hfill", *_picture(drawn[1], "0.48", paint), r"\par\medskip"]
    return [question, *pair, *lines]


def _picture(picture: Picture, share: str, paint: Paint) -> list[str]:
    """A drawing, and in words what is true and predicted."""
    tikz = paint(picture.instance, picture.measure, picture.framed)
    caption = [rf"\textit{{{latex_label(picture.caption)}}}\par"] if picture.caption else []
    said = rf"\par{{\small {latex_label(classes_in_words(picture.instance))}\par}}"
    return _column(share, [r"\centering", *caption, rf"\hmfitted{{\linewidth}}{{{tikz}}}{said}"])


def _column(share: str, lines: Sequence[str]) -> list[str]:
    return [
        rf"\begin{{minipage}}[t]{{{share}\linewidth}}\vspace{{0pt}}\setlength{{\parskip}}{{5pt}}",
        *lines,
        r"\end{minipage}",
    ]
