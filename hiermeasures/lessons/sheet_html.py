"""Sheets as one HTML page that prints, a variant on each sheet of paper: no script, nothing from elsewhere.

What stands on a sheet is decided in sheets.py. Words and labels are untrusted: all text is escaped.
"""

from collections.abc import Sequence
from html import escape

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

_STYLE = """
body { margin: 0 auto; max-width: 46rem; padding: 1rem; color: #1B1C20; background: #FFFFFF;
    font: 11pt/1.45 'Source Sans 3', 'Noto Sans', 'Helvetica Neue', Arial, sans-serif; }
header { display: flex; justify-content: space-between; gap: 1rem; align-items: baseline; }
h1 { font-size: 1.2rem; margin: 0; }
h2 { font-size: 1rem; margin: 0; font-weight: inherit; }
h2 b { margin-right: 0.4em; }
p { margin: 0.4rem 0; }
main { break-after: page; margin-bottom: 3rem; }
main:last-of-type { break-after: auto; }
section { break-inside: avoid; margin: 1.4rem 0; }
.one { display: grid; grid-template-columns: minmax(0, 11fr) minmax(0, 9fr); gap: 1.5rem; }
.drawings { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; justify-content: space-evenly; margin: 0.6rem 0; }
.one .drawings { margin: 0; }
@media screen and (max-width: 600px) { .one { display: block; } }
figure { margin: 0; text-align: center; flex: 0 1 auto; max-width: 100%; }
figure svg { max-width: 100%; height: auto; }
figcaption { font-size: 0.9em; }
.blank { display: flex; gap: 0.5em; align-items: baseline; margin: 0.9rem 0; }
.blank::after { content: ""; flex: 1; border-bottom: 1px solid #1B1C20; }
.offered { display: flex; flex-wrap: wrap; gap: 0.3rem 2rem; list-style: none; padding: 0; margin: 0.6rem 0; }
.offered li::before { content: ""; display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.5em;
    border: 1px solid #1B1C20; vertical-align: -0.1em; }
@page { margin: 18mm; }
@media print { body { max-width: none; padding: 0; } main { margin-bottom: 0; } }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def html_worksheets(sheets: Sequence[Sheet], paint: Paint) -> str:
    """A page with the worksheets of all variants; `paint` gives SVG elements."""
    return _page(sheets[0].title, [_worksheet(sheet, paint) for sheet in sheets])


def html_solutions(sheets: Sequence[Sheet], paint: Paint) -> str:
    """A page with the solutions of all variants."""
    title = f"{sheets[0].title}: solutions"
    return _page(title, [_solutions(sheet, title, paint) for sheet in sheets])


def _page(title: str, variants: Sequence[str]) -> str:
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            f"<title>{_text(title)}</title><style>{_STYLE}</style></head>",
            "<body>",
            *variants,
            "</body></html>",
            "",
        ]
    )


def _worksheet(sheet: Sheet, paint: Paint) -> str:
    parts = [_head(sheet.title, sheet), '<p class="blank">Name:</p>', f"<p>{_text(legend(sheet))}</p>"]
    parts += [_asked(k, exercise, paint) for k, exercise in enumerate(sheet.exercises, 1)]
    return "<main>\n" + "\n".join(parts) + "\n</main>"


def _solutions(sheet: Sheet, title: str, paint: Paint) -> str:
    parts = [_head(title, sheet), f"<p>{_text(solutions_legend(sheet))}</p>"]
    parts += [_solved(k, exercise, paint) for k, exercise in enumerate(sheet.exercises, 1)]
    return "<main>\n" + "\n".join(parts) + "\n</main>"


def _head(title: str, sheet: Sheet) -> str:
    return f"<header><h1>{_text(title)}</h1><span>{_text(sheet.heading)}</span></header>"


def _asked(number: int, exercise: Exercise, paint: Paint) -> str:
    offered = "".join(f"<li>{_text(choice)}</li>" for choice in choices(exercise))
    parts = [f'<ul class="offered">{offered}</ul>'] if offered else []
    parts += [f'<p class="blank">{_text(blank)}</p>' for blank in blanks(exercise)]
    return _section(number, words(exercise), pictures(exercise), paint, parts)


def _solved(number: int, exercise: Exercise, paint: Paint) -> str:
    found = solution(exercise)
    parts = [f"<p><b>Answer: {_text(found.answer)}</b></p>"]
    parts += [f"<p>{_text(found.why)}</p>"] if found.why else []
    return _section(number, words(exercise), found.pictures, paint, parts)


def _section(number: int, asked: str, drawn: Sequence[Picture], paint: Paint, parts: Sequence[str]) -> str:
    """One drawing stands beside its question, two stand below it and beside each other."""
    question = f"<h2><b>{number}.</b>{_text(asked)}</h2>"
    drawings = f'<div class="drawings">{"".join(_figure(picture, paint) for picture in drawn)}</div>'
    if len(drawn) == 1:
        return "\n".join(['<section class="one"><div>', question, *parts, "</div>", drawings, "</section>"])
    return "\n".join(["<section>", question, drawings, *parts, "</section>"])


def _figure(picture: Picture, paint: Paint) -> str:
    svg = paint(picture.instance, picture.measure, picture.framed)
    caption = f"<i>{_text(picture.caption)}</i><br>" if picture.caption else ""
    return f"<figure>{svg}<figcaption>{caption}{_text(classes_in_words(picture.instance))}</figcaption></figure>"


def _text(words: str) -> str:
    """Escaped, without control and direction characters, which would turn the line around."""
    return escape("".join(c if c.isprintable() else "�" for c in words))
