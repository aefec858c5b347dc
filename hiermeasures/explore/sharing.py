"""The menus "Share" and "Export".

"Share" contains a link to the screen and its files. "Export" contains the drawing as SVG, PNG and
TikZ, and the values as CSV and LaTeX. A menu is filled while it is open. In place of an unavailable
part, it shows the reason.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from html import escape

from hiermeasures.draw.export import tikz, values_csv, values_latex
from hiermeasures.draw.scene import Scene, figure_scene
from hiermeasures.draw.svg import svg
from hiermeasures.draw.text import sentence
from hiermeasures.draw.views.pairing import FlowFigure
from hiermeasures.explore import controls, location
from hiermeasures.explore.component_data import NOTHING_MARKED
from hiermeasures.explore.controls import Control, Controls, put
from hiermeasures.explore.library import in_words, marked, name_of, title_of
from hiermeasures.explore.model import Host, State
from hiermeasures.explore.shown import Shown
from hiermeasures.hierarchy.errors import InputError
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE
from hiermeasures.read import HIERARCHY_FORMATS, write_hierarchy_text
from hiermeasures.verify.paper_file import PaperFile

PLAIN, YAML, SVG, TEX, CSV = (
    "text/plain",
    "application/yaml",
    "image/svg+xml",
    "application/x-tex",
    "text/csv",
)
SCALE = 2.0
EMBEDDED = 640  # pixels of the height of an Explorer in another page
WRITABLE = {key: f for key, f in HIERARCHY_FORMATS.items() if f.writable}
ABOUT_LINK = "A link to this hierarchy with its classes, options, measures, view and pin."
ABOUT_INSTANCE = "Hierarchy, classes and options, as a case file."
ABOUT_CASE = "You can load the file here, and check it with hiermeasures verify."
ABOUT_NETWORK = "The flow network next to the drawing, with capacities, costs and flow."
SHARP, FOR_SLIDES = "A picture that stays sharp at every size.", "A picture for slides and pages."
ABOUT_TIKZ = "A figure for LaTeX. It needs only the package tikz."
DIGITS = (
    "Values with all digits. An apostrophe protects text that a spreadsheet would run as a formula."
)
SYMBOLS = "Values with four decimals and the papers' symbols, for LaTeX without extra packages."


def _part(title: str, about: str, parts: Callable[[], Controls], key: str) -> Control:
    """Return a part of a menu, or the reason why it is unavailable."""
    try:
        made = parts()
    except InputError as fault:
        made = (controls.words(sentence(fault), "note", key=f"no_{key}"),)
    return controls.box(
        controls.words(title, "title"), controls.words(about, "note"), *made, key=key, style="part"
    )


def share(state: State, host: Host) -> Control:
    def content() -> Iterator[Control]:
        if host.address:
            yield _part("A link", ABOUT_LINK, lambda: _link(state, host), "link")
        yield _part(
            "The hierarchy",
            "Its classes and edges as a file.",
            lambda: _hierarchy_file(state),
            "file",
        )
        yield _part("The instance", ABOUT_INSTANCE, lambda: _case_file(state, "save_case"), "case")

    return controls.menu(state, "sharing", "Share", content)


def _link(state: State, host: Host) -> Controls:
    found = location.link(state, host.address)
    source, title = (
        escape(text)
        for text in (location.link(state, host.address, embed="1"), name_of(state.shown))
    )
    frame = f'<iframe src="{source}" title="{title}" width="100%" height="{EMBEDDED}" style="border: 0"></iframe>'
    embed = controls.copy("link_embed", "To put it into another page", frame)
    return controls.copy("link_address", "Address", found), embed


def _hierarchy_file(state: State) -> Controls:
    chosen = (
        state.exporting.save_format
        if state.exporting.save_format in WRITABLE
        else next(iter(WRITABLE))
    )
    titles = {key: format.title for key, format in WRITABLE.items()}
    field = controls.choice(
        "save_format", "Format", chosen, titles, put("exporting", "save_format"), title=False
    )
    try:
        text = write_hierarchy_text(state.shown.hierarchy, chosen)
    except InputError as fault:
        return controls.row(field), controls.words(sentence(fault), "note", key="no_format")
    name = file_name(title_of(state.shown), WRITABLE[chosen].extensions[0])
    return (controls.row(field, controls.save("save_hierarchy", "Save", name, PLAIN, text)),)


def _case_file(state: State, key: str) -> Controls:
    """Return a state as a case file that loads again. InputError if a case file cannot express it."""
    text = paper_of(state).as_yaml()
    name = _file(state.shown, ".yaml")
    return (controls.row(controls.save(key, "Save as YAML", name, YAML, text, help=ABOUT_CASE)),)


def paper_of(state: State) -> PaperFile:
    """Return the instance's case file: the file of its figure with printed values, or a new one."""
    if (paper := state.updated().paper) is not None and state.part is not None:
        return paper
    return replace(state, paper=None).beside(title_of(state.shown))[0]


def file_name(title: str, ending: str) -> str:
    """Return a file name that every system accepts."""
    stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60].strip("-")
    return (stem or "hierarchy") + ending


def _file(shown: Shown, ending: str) -> str:
    return file_name(marked(shown, shown.case or shown.title), ending)


def export(state: State, host: Host) -> Control:
    def content() -> Iterator[Control]:
        drawn = figure_scene(state.shown.hierarchy, state.overlay)
        about = f"As it is marked now: {drawn.title}"
        yield _part(
            "The drawing",
            about,
            lambda: _pictures(state.shown, drawn, ("export", "", "")),
            "drawing",
        )
        if isinstance(network := state.panel, FlowFigure):
            look = ("export_network", "Network as ", "-network")
            made = lambda: _pictures(state.shown, network.still, look)
            yield _part("The flow network", ABOUT_NETWORK, made, "flow")
        about = "With those pinned." if state.compared else "As a table."
        yield _part("The values", about, lambda: _values(state), "values_file")
        yield _part(
            "The instance", ABOUT_INSTANCE, lambda: _case_file(state, "export_case"), "case"
        )

    return controls.menu(state, "exporting", "Export", content)


def _pictures(shown: Shown, drawn: Scene, look: tuple[str, str, str]) -> Controls:
    """Return the buttons for a scene's files.

    Arguments are the prefix of the keys, the prefix of the buttons' words, and the suffix of the
    file names. The drawing itself is also available as PNG.
    """
    key, words, end = look
    drawn = replace(drawn, words=f"{name_of(shown)}. {drawn.words}")
    image = svg(drawn, legend=True, ground="paper", scale=SCALE)
    size, whole, tex = (image.width, image.height), not end, f"{end or '-figure'}.tex"
    help_svg, help_tex = (SHARP, ABOUT_TIKZ) if whole else ("", "")
    png = controls.picture(
        "export_png", "PNG", _file(shown, ".png"), image.data_uri, size, help=FOR_SLIDES
    )
    return (
        controls.row(
            controls.save(
                f"{key}_svg",
                f"{words}SVG",
                _file(shown, f"{end}.svg"),
                SVG,
                image.svg,
                help=help_svg,
            ),
            png if whole else None,
            controls.save(
                f"{key}_tikz", f"{words}TikZ", _file(shown, tex), TEX, tikz(drawn), help=help_tex
            ),
        ),
    )


def _values(state: State) -> Controls:
    shown, at = state.shown, state.compared
    keys = (*state.definitions, *CATALOGUE) if state.exporting.export_all else state.listed
    if not shown.selected:
        return (controls.words(NOTHING_MARKED, "note", key="export_no_values"),)
    before = at.explanation if at else None
    caption = f"Values of {in_words(shown)}{settings_words(shown.instance.options)}"
    caption += (
        f", and before: {in_words(at.shown)}{settings_words(at.shown.instance.options)}."
        if at
        else "."
    )
    csv = values_csv(state.explanation, keys, title=name_of(shown), before=before)
    latex = values_latex(state.explanation, keys, caption=caption, before=before)
    every = len(CATALOGUE) + len(state.definitions)
    which = {False: f"the {len(state.listed)} in the table", True: f"all {every}"}
    return (
        controls.switch(
            "export_which",
            "Measures",
            state.exporting.export_all,
            which,
            put("exporting", "export_all"),
            title=True,
        ),
        controls.row(
            controls.save("export_csv", "CSV", _file(shown, ".csv"), CSV, csv, help=DIGITS),
            controls.save(
                "export_latex", "LaTeX table", _file(shown, "-table.tex"), TEX, latex, help=SYMBOLS
            ),
        ),
    )


def settings_words(options: Options) -> str:
    """Return the changed options for a caption."""
    changed = ", ".join(f"{name} = {value}" for name, value in options.changed.items())
    return f"; {changed}" if changed else ""
