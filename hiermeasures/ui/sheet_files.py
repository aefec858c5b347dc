"""The files of sheets, with their drawings: for the command line and for the page.

What stands on a sheet is decided in lessons/sheets.py; here instances become TikZ pictures and SVG elements.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from hiermeasures.lessons.sheet_html import html_solutions, html_worksheets
from hiermeasures.lessons.sheet_latex import latex_solutions, latex_worksheet
from hiermeasures.lessons.sheets import Format, Sheet
from hiermeasures.measures import Instance
from hiermeasures.measures.explain import explain_instance
from hiermeasures.ui.graph.scene import Scene, figure_scene
from hiermeasures.ui.graph.svg import svg
from hiermeasures.ui.graph.tikz import tikz
from hiermeasures.ui.views import OPENING, overlay_for, with_measure
from hiermeasures.ui.views.sets import classes_alone


def sheet_files(sheets: Sequence[Sheet], formats: Collection[Format]) -> Iterator[tuple[str, str]]:
    """The files by name: as LaTeX a document for each student and one with all solutions; as HTML a page with all
    worksheets and one with all solutions.
    """
    yield from zip(file_names(len(sheets), formats), _texts(sheets, formats), strict=True)


def _texts(sheets: Sequence[Sheet], formats: Collection[Format]) -> Iterator[str]:
    if "tex" in formats:
        yield from (latex_worksheet(sheet, tikz_drawing) for sheet in sheets)
        yield latex_solutions(sheets, tikz_drawing)
    if "html" in formats:
        yield html_worksheets(sheets, svg_drawing)
        yield html_solutions(sheets, svg_drawing)


def file_names(variants: int, formats: Collection[Format]) -> tuple[str, ...]:
    """What these files are called.

    >>> file_names(2, ["tex"])
    ('variant-01.tex', 'variant-02.tex', 'solutions.tex')
    """
    tex = (*(f"variant-{k:02}.tex" for k in range(1, variants + 1)), "solutions.tex")
    return (*(tex if "tex" in formats else ()), *(("worksheets.html", "solutions.html") if "html" in formats else ()))


def tikz_drawing(instance: Instance, measure: str, framed: frozenset[str]) -> str:
    """A TikZ picture of what a measure reads of an instance, or for "" of its classes alone; some classes framed."""
    lines = tikz(_scene(instance, measure, framed)).splitlines()
    return "\n".join(line for line in lines if not line.startswith("%"))  # the sheet says what is drawn


def svg_drawing(instance: Instance, measure: str, framed: frozenset[str]) -> str:
    """The same as an SVG element."""
    return svg(_scene(instance, measure, framed), ground="paper").svg


def _scene(instance: Instance, measure: str, framed: frozenset[str]) -> Scene:
    """Without legend and notes, for a sheet says once what its drawings mean."""
    explanation = explain_instance(instance)
    overlay = overlay_for(explanation, with_measure(OPENING, measure)) if measure else classes_alone(explanation)
    drawn = figure_scene(explanation.hierarchy, replace(overlay, focus=framed))
    return replace(drawn, legend=(), notes=())
