"""The Help page: the purpose of each page, the keys, and versions to cite and to report."""

import platform
from collections.abc import Iterator
from contextlib import suppress
from importlib import metadata

import streamlit as st

import hiermeasures
from hiermeasures.app.components import show_text
from hiermeasures.app.pages import PLACES, Page, page_of

KEYS = {
    "← ↑ → ↓, Home": "in the drawing: to the parent, a child, a sibling, the top",
    "T, P": "in the drawing: mark the class as true, as predicted",
    "Enter": "in the drawing: click the class; in a question: check the answer",
    "+": "in the drawing: show children that are not drawn",
    "Del": "while editing: delete the selected class or edge",
    "Ctrl+Z, Ctrl+Shift+Z": "undo, redo",
    "P": "outside the drawing: start presenting; Escape ends it",
    "← →": "while presenting, and in a lesson: back and forward",
}
DOCUMENTATION = (
    "The project's folder `docs` contains guide, formats, how-tos, errata and reference. Run "
    "`.venv/bin/mkdocs serve` "
    "to read and search them as a site. `hiermeasures --help` lists the commands."
)
CITATION = """@software{{hiermeasures,
  author  = {{{{The hiermeasures authors}}}},
  title   = {{hiermeasures: hierarchical evaluation measures, each with the structure that its number was read from}},
  version = {{{version}}},
}}"""


def page() -> None:
    st.title("Help")
    st.caption(f"hiermeasures {hiermeasures.__version__}: how wrong is this prediction, really?")
    left, right = st.columns(2, gap="large")
    with left:
        st.header("The pages")
        st.markdown("\n".join(_pages()))
        st.header("Documentation")
        st.markdown(DOCUMENTATION)
    with right:
        st.header("Keys")
        st.markdown(
            "\n".join(
                [
                    "| key | what it does |",
                    "|---|---|",
                    *(f"| {k} | {v} |" for k, v in KEYS.items()),
                ]
            )
        )
    st.header("To cite")
    st.markdown(
        "Cite the papers of the measures that you report. If this program helped you, cite it too:"
    )
    show_text(CITATION.format(version=hiermeasures.__version__), "code", key="help_citation")
    st.header("To report a fault")
    st.markdown(
        "Describe your steps, the result, and the result that you expected. *Share* in the "
        "Explorer gives you a link and a case file that restore the screen. Please copy these "
        "lines too. If you run the app yourself, `hiermeasures info` prints more."
    )
    show_text("\n".join(_versions()), "code", key="help_versions")


def _pages() -> Iterator[str]:
    """Yield a list item for each page with its purpose, below its place."""
    for place, modules in PLACES.items():
        pages = [page_of(name) for name in modules.values()]
        if len(pages) > 1:
            yield f"- **{place.capitalize()}**"
            yield from (f"    - **{page.title}**: {page.about}" for page in pages)
        elif pages[0].about:
            yield f"- **{pages[0].title}**: {pages[0].about}"


def _versions() -> list[str]:
    """Show versions only, because a reader of the page may not run the server."""
    found = {"hiermeasures": hiermeasures.__version__, "Python": platform.python_version()}
    for name in ("streamlit", "networkx", "numpy", "numba"):
        with suppress(metadata.PackageNotFoundError):  # the extra fast
            found[name] = metadata.version(name)
    return [f"{name:13}{version}" for name, version in found.items()]


PAGE = Page("Help", page)
