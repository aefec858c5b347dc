"""The popover "Take away": the drawing as SVG, PNG and TikZ, the values as CSV and LaTeX, the case as YAML.

Files are made when the popover is opened. Texts come from hiermeasures.export, drawings from drawing.py; a PNG is
painted from the SVG by the browser, which has the fonts.
"""

from dataclasses import replace
from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from hiermeasures.errors import InputError
from hiermeasures.export import (
    DrawnBadge,
    DrawnClass,
    DrawnEdge,
    DrawnLink,
    Sample,
    Side,
    tikz,
    values_csv,
    values_latex,
)
from hiermeasures.measures import CATALOGUE, Explanation
from hiermeasures.ui.explore.model import explorer
from hiermeasures.ui.explore.pinning import in_words
from hiermeasures.ui.explore.share_menu import case_text, file_name
from hiermeasures.ui.graph.drawing import STRUCK, Arranged, Shape, arranged, described, drawing, legend_of, sag, tone_of
from hiermeasures.ui.graph.overlays import Badge, KeyLine, Mark, Overlay
from hiermeasures.ui.graph.overlays import Side as Strength
from hiermeasures.ui.library import figures
from hiermeasures.ui.palette import LIGHT
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.state import Shown
from hiermeasures.ui.text import sentence

SCALE = 2.0
STYLE = """<style>
[data-testid="stPopoverBody"]:has(.st-key-take_away_panel) { width: 25rem; }
.st-key-take_away_panel [data-testid="stVerticalBlock"] { gap: 0.4rem; }
</style>"""
COLOURS: dict[Side, str] = {"true": LIGHT.true, "predicted": LIGHT.predicted, "both": LIGHT.both}
SIDES: dict[str, Side] = {"on-true": "true", "on-predicted": "predicted", "on-both": "both"}


def take_away(shown: Shown, explanation: Explanation, overlay: Overlay) -> None:
    """The popover of the toolbar."""
    st.html(STYLE)
    panel = st.popover("Take away", icon=":material/download:", key="take_away", on_change="rerun")
    if not panel.open:
        return
    with panel, st.container(key="take_away_panel"):
        _drawing(shown, on_the_hierarchy(shown, overlay))
        _values(shown, explanation)
        _case(shown)


def _drawing(shown: Shown, overlay: Overlay) -> None:
    title = overlay.title
    st.markdown(
        f"**The drawing** as it is marked now: {title[0].lower() + title[1:] if title[1:2].islower() else title}"
    )
    made = drawing(shown.hierarchy, overlay, legend=True, paper=True, scale=SCALE)
    with st.container(horizontal=True, gap="small"):
        _save("SVG", made.svg, _name(shown, ".svg"), "image/svg+xml", "A picture that stays sharp at every size.")
        _png()(
            key="take_png",
            data={"svg": made.data_uri, "width": made.width, "height": made.height, "name": _name(shown, ".png")},
            width="content",
        )
        _save(
            "TikZ",
            tikz_text(shown, overlay),
            _name(shown, "-figure.tex"),
            "application/x-tex",
            "A figure for LaTeX; it needs the package tikz only.",
        )


def _values(shown: Shown, explanation: Explanation) -> None:
    at, keys = explorer().pinned, explorer().filter.keys()
    count = "all measures" if len(keys) == len(CATALOGUE) else f"{len(keys)} measures, as the table shows"
    st.markdown(f"**The values**: {count}{', with those pinned' if at else ''}")
    before = at.values if at else None
    with st.container(horizontal=True, gap="small"):
        title = figures().get(shown.case or "", shown.title)
        _save(
            "CSV",
            values_csv(explanation, keys, title=title, before=before),
            _name(shown, ".csv"),
            "text/csv",
            "All digits. Text that a spreadsheet would run as a formula gets an apostrophe in front.",
        )
        caption = f"Values of {in_words(shown)}" + (f", and before: {at.words}" if at else "") + "."
        _save(
            "LaTeX table",
            values_latex(explanation, keys, caption=caption, before=before),
            _name(shown, "-table.tex"),
            "application/x-tex",
            "Four decimals, with the papers' symbols; it needs no package.",
        )


def _case(shown: Shown) -> None:
    st.markdown("**The instance**: hierarchy, classes and options")
    try:
        text = case_text(shown)
    except InputError as fault:
        show_text(sentence(fault), "note", key="take_no_case")
        return
    _save(
        "Case file (YAML)",
        text,
        _name(shown, ".yaml"),
        "application/yaml",
        "Loads again here, and for hiermeasures verify.",
    )


def _name(shown: Shown, ending: str) -> str:
    return file_name(shown.case or shown.title, ending)


def _save(label: str, text: str, name: str, kind: str, about: str) -> None:
    data = text.encode("utf-8", "replace")  # half a surrogate pair is no character that a file can hold
    st.download_button(label, data, name, kind, key=f"take_{label.split()[0].lower()}", help=about, on_click="ignore")


# --- the drawing as TikZ ------------------------------------------------------------------------------------------


def tikz_text(shown: Shown, overlay: Overlay) -> str:
    """The drawing of drawing.py, with the same places, for LaTeX."""
    placed = arranged(shown.hierarchy, overlay)
    number = {label: k for k, label in enumerate(placed.near.nodes)}
    classes = [_drawn_class(placed.shapes[label], *placed.layout.positions[label]) for label in placed.near.nodes]
    edges = [
        DrawnEdge(number[u], number[v], placed.layout.bends.get((u, v), ()), _edge_side(placed, (u, v)))
        for u, v in placed.edges
    ]
    at = placed.layout.positions
    links = [DrawnLink(number[n.start], number[n.end], sag(at[n.start], at[n.end]), n.text) for n in placed.links]
    badges = [DrawnBadge(badge.text, placed.corner(label), badge.kind == STRUCK) for label, badge in placed.badges]
    legend: list[tuple[Sample, str]] = [
        (_drawn_class(Shape.of("", mark, ""), 0, 0), words) for mark, words in legend_of(overlay)
    ]
    legend += [(_sample(sign), words) for sign, words in placed.key_lines]
    about = described(shown.hierarchy, overlay)
    return tikz(classes, edges, links=links, badges=badges, legend=legend, colours=COLOURS, about=about)


def _sample(sign: Badge | KeyLine) -> Sample:
    """What a line of the legend shows."""
    if isinstance(sign, Badge):
        return DrawnBadge(sign.text, struck=sign.kind == STRUCK)
    return SIDES[f"on-{sign.sample}"] if sign.what == "edge" else "link"


def _drawn_class(shape: Shape, x: float, y: float) -> DrawnClass:
    mark = shape.mark
    sides = int(mark.true), int(mark.predicted)
    return DrawnClass(
        shape.label, (x, y), 2 * shape.half_width, 2 * shape.half_height, *sides, mark.struck, mark.ringed
    )


def _edge_side(placed: Arranged, edge: tuple[str, str]) -> Side | None:
    mark = (placed.overlay.edges or {}).get(edge)
    return SIDES[tone_of(Mark(Strength(2 * mark.true), Strength(2 * mark.predicted)))] if mark else None


def on_the_hierarchy(shown: Shown, overlay: Overlay) -> Overlay:
    """The overlay without what is not in the hierarchy itself: the ancestor that the long distance problem puts in."""
    known = shown.hierarchy
    return replace(
        overlay,
        marks={label: mark for label, mark in overlay.marks.items() if label in known},
        badges={label: badge for label, badge in overlay.badges.items() if label in known},
    )


# --- the drawing as PNG -------------------------------------------------------------------------------------------

PNG_CSS = """
:host { display: block; }
button { min-height: 2.5rem; padding: 0 0.75rem; font: inherit; font-family: var(--st-font); font-size: 0.875rem; cursor: pointer;
    color: var(--st-text-color); background: var(--st-background-color); border: 1px solid var(--st-border-color);
    border-radius: var(--st-button-radius, var(--st-base-radius)); }
button:hover { border-color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 1px; }
"""
PNG_JS = """
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  button.onclick = () => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      const zoom = Math.min(1, 8000 / Math.max(data.width, data.height));
      canvas.width = Math.ceil(data.width * zoom);
      canvas.height = Math.ceil(data.height * zoom);
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(blob);
        link.download = data.name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      }, "image/png");
    };
    image.src = data.svg;
  };
}
"""


@cache
def _png() -> ComponentRenderer:
    html = '<button type="button" title="A picture for slides and pages.">PNG</button>'
    return st.components.v2.component("hiermeasures_png", html=html, css=PNG_CSS, js=PNG_JS)
