"""Still pictures of hierarchies and instances, as the app draws them: SVG for pages, TikZ for
LaTeX, else text.

What is drawn is decided by the app's views and its scene. Here the part of a large hierarchy is
chosen that can be read on a page, and the picture is handed to a notebook.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from hiermeasures.core.errors import InputError, unknown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.measures import Explanation
from hiermeasures.picture import html
from hiermeasures.picture.html import Bundle, bundle
from hiermeasures.picture.neighbourhood import MOST_DRAWN, neighbourhood
from hiermeasures.picture.overlay import PLAIN, Overlay
from hiermeasures.picture.scene import FEWER, Scene, figure_scene
from hiermeasures.picture.svg import svg
from hiermeasures.picture.terminal import tree_lines
from hiermeasures.picture.tikz import tikz

WIDEST, HIGHEST = 1300.0, 1500.0  # pixels: a page makes wider ones so small that they are no longer read
MOST_CLASSES, MOST_LINES = 40, 100  # of a tree as text


@dataclass(frozen=True)
class Drawing:
    """A hierarchy with what is marked on it. A notebook shows it; `svg` and `tikz` are its files.

    `text` is what is shown where there are no pictures.

    Examples
    --------
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C")])
    >>> h.drawing()
    Drawing(A hierarchy of 3 classes.)
    >>> h.drawing().svg[:4]
    '<svg'
    """

    scene: Scene
    text: str

    def __repr__(self) -> str:
        return f"Drawing({self.scene.words})"

    @property
    def svg(self) -> str:
        """An SVG document on white ground, with the legend."""
        return svg(self.scene, legend=True, ground="paper").svg

    @property
    def tikz(self) -> str:
        """A TikZ picture with the legend; it needs the package tikz only."""
        return tikz(self.scene)

    @property
    def html(self) -> str:
        """An image for a page, with the legend: in an image no label is HTML or a formula, and a
        notebook that does not trust its outputs still shows it.
        """
        return svg(self.scene, legend=True, ground="own").html(HIGHEST)

    @property
    def latex(self) -> str:
        """The TikZ picture for a document that somebody else set up: no wider than its place, and a
        sentence where the package tikz is not loaded.
        """
        width = r"\ifdim\width>\linewidth\linewidth\else\width\fi"
        fitted = f"\\resizebox{{{width}}}{{!}}{{\\relax\n{self.tikz.strip()}}}"
        missing = r"(A drawing, for which the preamble needs \texttt{\textbackslash usepackage\{tikz\}}.)"
        return f"\\ifdefined\\tikzpicture\n{fitted}\n\\else\n{missing}\n\\fi\n"

    def _repr_mimebundle_(
        self, include: Collection[str] | None = None, exclude: Collection[str] | None = None
    ) -> Bundle:
        return bundle(
            include,
            exclude,
            text=lambda: self.text,
            html=lambda: html.output(self.html),
            latex=lambda: self.latex,
            svg=lambda: self.svg,
        )


def drawing_of_hierarchy(hierarchy: Hierarchy, around: Iterable[str] = ()) -> Drawing:
    """A hierarchy; of a large one what is around some classes, or the top."""
    chosen = sorted(hierarchy.check(around), key=hierarchy.index)
    overlay = Overlay("Hierarchy", dict.fromkeys(chosen, PLAIN))
    return _drawing(hierarchy, chosen, overlay, {})


def drawing_of_explanation(explanation: Explanation, view: str | None = None, measure: str | None = None) -> Drawing:
    """An instance in a view of the app, or in the one that draws a measure; by default with its
    ancestors.

    >>> from hiermeasures import explain
    >>> x = explain(Hierarchy.from_edges([("A", "B"), ("A", "C")]), {"B"}, {"C"})
    >>> print(drawing_of_explanation(x, "classes").text)
    A
    ├─ B  true
    └─ C  predicted
    """
    from hiermeasures.picture.views import OPENING, VIEWS, overlay_for, with_measure, with_view

    if view is not None and view not in VIEWS:
        raise InputError(unknown("view", view, VIEWS))
    at = OPENING if measure is None else with_measure(OPENING, explanation.measure(measure).key)
    at = at if view is None else with_view(at, view)
    sides = {"true": explanation.true, "predicted": explanation.predicted}
    chosen = explanation.true | explanation.predicted
    words = {c: " and ".join(side for side, classes in sides.items() if c in classes) for c in chosen}
    return _drawing(explanation.hierarchy, chosen, overlay_for(explanation, at), words)


def _drawing(hierarchy: Hierarchy, chosen: Collection[str], overlay: Overlay, words: Mapping[str, str]) -> Drawing:
    """As much as can be read on a page: the chosen classes and their ancestors, and what is around
    them.
    """
    least = min(len(set(chosen).union(*map(hierarchy.ancestors, chosen))), MOST_DRAWN)
    for limit in (MOST_DRAWN, *FEWER):
        scene = figure_scene(hierarchy, overlay, limit=max(limit, least))
        drawn = svg(scene)
        if limit <= least or (drawn.width <= WIDEST and drawn.height <= HIGHEST):
            break
    lines = list(tree_lines(neighbourhood(hierarchy, chosen, max(MOST_CLASSES, least)), words))
    more = [f"… {len(lines) - MOST_LINES:,} more lines"] if len(lines) > MOST_LINES else []
    return Drawing(scene, "\n".join(lines[:MOST_LINES] + more))
