"""The popover "Export": the drawing as SVG, PNG and TikZ, the values as CSV and LaTeX, the case as YAML.

Files are made when the popover is opened. Texts come from hiermeasures.export, drawings from graph/svg.py and
graph/tikz.py; a PNG is painted from the SVG by the browser, which has the fonts.
"""

from functools import cache

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from hiermeasures.errors import InputError
from hiermeasures.export import values_csv, values_latex
from hiermeasures.measures import Explanation
from hiermeasures.ui.explore.model import compared, explorer, view_state
from hiermeasures.ui.explore.pinning import in_words
from hiermeasures.ui.explore.share_menu import case_text, file_name
from hiermeasures.ui.explore.values import NOTHING_MARKED
from hiermeasures.ui.graph.scene import Scene, figure_scene
from hiermeasures.ui.graph.svg import svg
from hiermeasures.ui.graph.tikz import tikz
from hiermeasures.ui.library import figures
from hiermeasures.ui.popover import popover
from hiermeasures.ui.show_text import show_text
from hiermeasures.ui.state import Shown
from hiermeasures.ui.text import sentence
from hiermeasures.ui.views import VIEWS, overlay_for
from hiermeasures.ui.views.flow_figure import FlowFigure
from hiermeasures.ui.views.flow_scene import flow_scene

SCALE = 2.0
STYLE = """<style>
[data-testid="stPopoverBody"]:has(.st-key-export_panel) { width: 25rem; }
.st-key-export_panel [data-testid="stVerticalBlock"] { gap: 0.4rem; }
</style>"""


def export(shown: Shown) -> None:
    """The popover of the toolbar."""
    panel = popover("Export", icon=":material/download:", key="exporting")
    if not panel.open:
        return
    st.html(STYLE)
    explanation = shown.explained()
    overlay = overlay_for(explanation, view_state())
    with panel, st.container(key="export_panel"):
        _drawing(shown, figure_scene(shown.hierarchy, overlay))
        beside = VIEWS[view_state().view].panel(explanation, view_state(), overlay)
        if isinstance(beside, FlowFigure):
            _flow_network(shown, beside)
        _values(shown, explanation)
        _case(shown)


def _drawing(shown: Shown, drawn: Scene) -> None:
    title = drawn.title
    st.markdown(
        f"**The drawing** as it is marked now: {title[0].lower() + title[1:] if title[1:2].islower() else title}"
    )
    image = svg(drawn, legend=True, ground="paper", scale=SCALE)
    with st.container(horizontal=True, gap="small"):
        _save("SVG", image.svg, _name(shown, ".svg"), "image/svg+xml", "A picture that stays sharp at every size.")
        _png()(
            key="export_png",
            data={"svg": image.data_uri, "width": image.width, "height": image.height, "name": _name(shown, ".png")},
            width="content",
        )
        _save(
            "TikZ",
            tikz(drawn),
            _name(shown, "-figure.tex"),
            "application/x-tex",
            "A figure for LaTeX; it needs the package tikz only.",
        )


def _flow_network(shown: Shown, figure: FlowFigure) -> None:
    st.markdown("**The flow network** of the pairing")
    network = flow_scene(figure)
    with st.container(horizontal=True, gap="small"):
        for label, picture, ending, kind in (
            (
                "Network as SVG",
                svg(network, legend=True, ground="paper", scale=SCALE).svg,
                "-network.svg",
                "image/svg+xml",
            ),
            ("Network as TikZ", tikz(network), "-network.tex", "application/x-tex"),
        ):
            about = "Capacities, costs and flow as they are beside the drawing."
            _save(label, picture, _name(shown, ending), kind, about)


def _values(shown: Shown, explanation: Explanation) -> None:
    if not shown.selected:
        show_text(NOTHING_MARKED, "note", key="export_no_values")
        return
    at, keys = compared(shown), explorer().matching
    count = "all measures" if not explorer().filter.asks else f"{len(keys)} measures, as the table shows"
    st.markdown(f"**The values**: {count}{', with those pinned' if at else ''}")
    before = at.explanation if at else None
    with st.container(horizontal=True, gap="small"):
        title = figures().get(shown.case or "", shown.title)
        _save(
            "CSV",
            values_csv(explanation, keys, title=title, before=before),
            _name(shown, ".csv"),
            "text/csv",
            "All digits. Text that a spreadsheet would run as a formula gets an apostrophe in front.",
        )
        caption = f"Values of {in_words(shown)}" + (f", and before: {in_words(at.shown)}" if at else "") + "."
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
        show_text(sentence(fault), "note", key="export_no_case")
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
    st.download_button(
        label, data, name, kind, key=f"export_{label.lower().replace(' ', '_')}", help=about, on_click="ignore"
    )


# --- the drawing as PNG -------------------------------------------------------------------------------------------

PNG_CSS = """
:host { display: block; }
button { min-height: 2.5rem; padding: 0 0.75rem; cursor: pointer;
    font: inherit; font-family: var(--st-font); font-size: 0.875rem;
    color: var(--st-text-color); background: var(--st-background-color);
    border: 1px solid var(--st-border-color);
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
