"""The menus "Share", a link to what is on the screen and files of it, and "Export": the drawing as
SVG, PNG and TikZ, the values as CSV and LaTeX. What is in them is made while they are open; what
cannot be had says why in its place.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from html import escape

from hiermeasures.cases.writing import write_case
from hiermeasures.core.errors import InputError
from hiermeasures.core.options import Options
from hiermeasures.explorer import controls, share_link
from hiermeasures.explorer.component_data import NOTHING_MARKED
from hiermeasures.explorer.library import in_words, marked, name_of, title_of
from hiermeasures.explorer.location import PARAMETER, before
from hiermeasures.explorer.model import Host, State
from hiermeasures.explorer.state import Shown
from hiermeasures.formats import HIERARCHY_FORMATS, write_hierarchy_text
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.own import parted
from hiermeasures.picture.export import tikz, values_csv, values_latex
from hiermeasures.picture.scene import Scene, figure_scene
from hiermeasures.picture.svg import svg
from hiermeasures.picture.text import sentence
from hiermeasures.picture.views.pairing import FlowFigure, flow_scene

PLAIN, YAML, SVG, TEX, CSV = "text/plain", "application/yaml", "image/svg+xml", "application/x-tex", "text/csv"
SCALE = 2.0
EMBEDDED = 640  # pixels of the height of an Explorer in another page
WRITABLE = {key: f for key, f in HIERARCHY_FORMATS.items() if f.writable}
ABOUT_CASE = "Loads again here, and for hiermeasures verify."


def _part(title: str, about: str, parts: Callable[[], controls.Controls], key: str) -> controls.Control:
    try:
        made = parts()
    except InputError as fault:
        made = (controls.words(sentence(fault), "note", key=f"no_{key}"),)
    return controls.box(controls.words(title, "title"), controls.words(about, "note"), *made, key=key, style="part")


def share(state: State, host: Host) -> controls.Control:
    def content() -> Iterator[controls.Control]:
        if host.address:
            about = "To this hierarchy with its classes, options, measures, view and pin."
            yield _part("A link", about, lambda: _link(state, host), "link")
        yield _part("The hierarchy", "Its classes and edges, as a file.", lambda: _hierarchy_file(state), "file")
        about = "Hierarchy, classes and options, as a case file."
        yield _part("The instance", about, lambda: _case_file(state, "save_case"), "case")

    return controls.menu(state, "sharing", "Share", content)


def address(state: State, host: Host) -> str:
    pinned = state.pinned.shown if state.pinned else None
    word = share_link.encoded(state.shown, state.view_state, pinned, state.definitions, second=state.second)
    return f"{before(host.address)}{PARAMETER}={word}"


def _link(state: State, host: Host) -> controls.Controls:
    found = address(state, host)
    source, title = escape(f"{found}&embed=1"), escape(name_of(state.shown))
    frame = f'<iframe src="{source}" title="{title}" width="100%" height="{EMBEDDED}" style="border: 0"></iframe>'
    return controls.copy("link_address", "Address", found), controls.copy(
        "link_embed", "To put it into another page", frame
    )


def _hierarchy_file(state: State) -> controls.Controls:
    chosen = state.save_format if state.save_format in WRITABLE else next(iter(WRITABLE))
    titles = {key: format.title for key, format in WRITABLE.items()}
    put = lambda s, key: replace(s, save_format=key)  # noqa: E731
    field = controls.choice("save_format", "Format", chosen, titles, put, title=False)
    try:
        text = write_hierarchy_text(state.shown.hierarchy, chosen)
    except InputError as fault:
        return controls.row(field), controls.words(sentence(fault), "note", key="no_format")
    name = file_name(title_of(state.shown), WRITABLE[chosen].extensions[0])
    return (controls.row(field, controls.save("save_hierarchy", "Save", name, PLAIN, text)),)


def _case_file(state: State, key: str) -> controls.Controls:
    name = _file(state.shown, ".yaml")
    return (controls.row(controls.save(key, "Save as YAML", name, YAML, case_text(state), help=ABOUT_CASE)),)


def case_text(state: State) -> str:
    return write_case(
        state.shown.instance,
        title=title_of(state.shown),
        year=datetime.now(UTC).year,
        define=dict(parted(definition) for definition in state.own.definitions),
    )


def file_name(title: str, ending: str) -> str:
    """A file name that every system takes."""
    stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60].strip("-")
    return (stem or "hierarchy") + ending


def _file(shown: Shown, ending: str) -> str:
    return file_name(marked(shown, shown.case or shown.title), ending)


def export(state: State, host: Host) -> controls.Control:
    def content() -> Iterator[controls.Control]:
        shown = state.shown
        drawn = _named(shown, figure_scene(shown.hierarchy, state.overlay))
        yield _part("The drawing", f"As it is marked now: {drawn.title}", lambda: _drawing(shown, drawn), "drawing")
        if isinstance(network := state.panel, FlowFigure):
            about = "Capacities, costs and flow as they are beside the drawing."
            yield _part("The flow network", about, lambda: _network(shown, _named(shown, flow_scene(network))), "flow")
        about = "With those pinned." if state.compared else "As a table."
        yield _part("The values", about, lambda: _values(state, host), "values_file")
        about = "Hierarchy, classes and options, as a case file."
        yield _part("The instance", about, lambda: _case_file(state, "export_case"), "case")

    return controls.menu(state, "exporting", "Export", content)


def settings_words(options: Options) -> str:
    """Return the options that are not the defaults, for a caption."""
    changed = ", ".join(f"{name} = {getattr(options, name)}" for name in options.changed)
    return f"; {changed}" if changed else ""


def _drawing(shown: Shown, drawn: Scene) -> controls.Controls:
    image = svg(drawn, legend=True, ground="paper", scale=SCALE)
    size, sharp = (image.width, image.height), "A picture that stays sharp at every size."
    about = "A figure for LaTeX; it needs the package tikz only."
    return (
        controls.row(
            controls.save("export_svg", "SVG", _file(shown, ".svg"), SVG, image.svg, help=sharp),
            controls.picture(
                "export_png", "PNG", _file(shown, ".png"), image.data_uri, size, help="A picture for slides and pages."
            ),
            controls.save("export_tikz", "TikZ", _file(shown, "-figure.tex"), TEX, tikz(drawn), help=about),
        ),
    )


def _named(shown: Shown, drawn: Scene) -> Scene:
    return replace(drawn, words=f"{name_of(shown)}. {drawn.words}")


def _network(shown: Shown, network: Scene) -> controls.Controls:
    image = svg(network, legend=True, ground="paper", scale=SCALE).svg
    return (
        controls.row(
            controls.save("export_network_svg", "Network as SVG", _file(shown, "-network.svg"), SVG, image),
            controls.save("export_network_tikz", "Network as TikZ", _file(shown, "-network.tex"), TEX, tikz(network)),
        ),
    )


def _values(state: State, host: Host) -> controls.Controls:
    shown, at, listed = state.shown, state.compared, state.listed
    keys = (*state.definitions, *CATALOGUE) if state.export_all else listed
    if not shown.selected:
        return (controls.words(NOTHING_MARKED, "note", key="export_no_values"),)
    before = at.explanation if at else None
    caption = f"Values of {in_words(shown)}{settings_words(shown.instance.options)}"
    caption += f", and before: {in_words(at.shown)}{settings_words(at.shown.instance.options)}." if at else "."
    csv = values_csv(state.explanation, keys, title=name_of(shown), before=before)
    latex = values_latex(state.explanation, keys, caption=caption, before=before)
    digits = "All digits. Text that a spreadsheet would run as a formula gets an apostrophe in front."
    symbols = "Four decimals, with the papers' symbols; it needs no package."
    which = {False: f"the {len(listed)} in the table", True: f"all {len(CATALOGUE) + len(state.definitions)}"}
    put = lambda s, every: replace(s, export_all=every)  # noqa: E731
    return (
        controls.switch("export_which", "Measures", state.export_all, which, put, title=True),
        controls.row(
            controls.save("export_csv", "CSV", _file(shown, ".csv"), CSV, csv, help=digits),
            controls.save("export_latex", "LaTeX table", _file(shown, "-table.tex"), TEX, latex, help=symbols),
        ),
    )
