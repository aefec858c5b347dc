"""The Cases page: every figure and table of the papers, drawn, and every published value beside ours.

The check runs here and now, once per content of the case files; nothing is read from a stored result. What is shown is made
into HTML by cases_html.py, figures by drawing.py; this module lays them out and follows clicks.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import streamlit as st

from hiermeasures.cases import Case, CaseLibrary, CheckedCell, Paper, Report, load_cases, verify
from hiermeasures.cases.format import FigureFile, RankingFile, SituationEntry, SituationsFile
from hiermeasures.cases.library import SourceFile, changed, default_folder
from hiermeasures.cases.rankings import read_ranking
from hiermeasures.cases.report import Counts, RankingCheck
from hiermeasures.errors import InputError, nearest
from hiermeasures.options import Options
from hiermeasures.ui import cases_html as html
from hiermeasures.ui import explorer
from hiermeasures.ui.drawing import Drawing, drawing, legend_of, rank_lines, swatch
from hiermeasures.ui.overlays import Overlay, overlay_for
from hiermeasures.ui.state import Shown, history, show
from hiermeasures.ui.text import escaped

FIGURE = "figure"  # the query parameter that names a figure
MOST_THUMBNAILS = 3
MOST_SMALL = 60  # classes in a thumbnail
ALL, DIFFERENT, UNEXPLAINED = "all figures", "with a discrepancy", "with an unexplained cell"

LAYOUT = """<style>
.st-key-cases { max-width: 80rem; margin: 0 auto; }
[class*="st-key-cases_grid"] { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
[class*="st-key-cases_parts"] { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: 1rem; }
[class*="st-key-cases_grid"] > div, [class*="st-key-cases_parts"] > div { height: 100%; width: 100%; }
[class*="st-key-card_"] { position: relative; height: 100%; gap: 0.15rem; }
[class*="st-key-card_"]:hover { border-color: color-mix(in srgb, currentColor 45%, transparent); }
[class*="st-key-card_"] button::after { content: ""; position: absolute; inset: 0; }
[class*="st-key-card_"] [data-testid="stElementContainer"], [class*="st-key-card_"] .stButton { position: static; }
[class*="st-key-card_"] button { justify-content: flex-start; min-height: 0; padding: 0.1rem 0; position: static; }
[class*="st-key-card_"] button p { font-weight: 600; font-size: 1rem; }
[class*="st-key-part_"] { height: 100%; justify-content: space-between; }
</style>"""
TO_TOP = "<script>document.querySelector('[data-testid=\"stMain\"]')?.scrollTo(0, 0); // %d</script>"


def page() -> None:
    """The whole page: the overview, or the figure that the address names."""
    st.html(html.STYLE)
    st.html(LAYOUT)
    with st.container(key="cases"):
        try:
            work = _checked(*_content(default_folder()))
        except InputError as error:
            st.title("Cases")
            st.html(html.block(html.paragraph(str(error), "fault")))
            return
        entry = _chosen(work)
        if entry is None:
            _overview(work)
        else:
            _figure_page(work, entry)
        _back_to_top(entry.key if entry else "")


# --- the check ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Entry:
    """A case file as the page shows it: a figure, a ranking or a table of judgements, with its cells."""

    file: SourceFile
    cells: tuple[CheckedCell, ...]

    @property
    def key(self) -> str:
        return f"{self.file.paper}/{self.file.stem}"

    @property
    def label(self) -> str:
        entries = self.file.entries
        if isinstance(entries, FigureFile):
            return entries.figure
        return f"{entries.table} and {entries.correlations.table}" if isinstance(entries, RankingFile) else entries.table

    @property
    def title(self) -> str:
        return self.file.entries.title

    @cached_property
    def counts(self) -> Counts:
        return Counts.of(self.cells)


@dataclass(frozen=True)
class _Checked:
    """The library, what the verification found, and the entries of the page by paper."""

    library: CaseLibrary
    report: Report
    entries: dict[str, tuple[_Entry, ...]]

    @property
    def by_key(self) -> dict[str, _Entry]:
        return {entry.key: entry for group in self.entries.values() for entry in group}

    def paper(self, key: str) -> Paper:
        return next(paper for paper in self.library.papers if paper.key == key)

    def label(self, case: str) -> str:
        """The name of a case; its key where there is none."""
        return self.library.cases[case].label if case in self.library.cases else case


def _content(folder: Path) -> tuple[str, str]:
    """The folder, and a digest of everything that its case files say."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.suffix in (".yaml", ".yml", ".csv") and p.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode() + content)
    return str(folder), digest.hexdigest()


# The values are immutable, so all sessions share them as they are (a resource) rather than as copies (data).
@st.cache_resource(show_spinner="Checking every published value …", max_entries=2)
def _checked(folder: str, digest: str) -> _Checked:
    """The verification of a folder, run once per content."""
    library = load_cases(folder)
    report = verify([folder])
    cells = html.grouped(report.cells, lambda cell: cell.file)
    entries = [_Entry(file, tuple(cells.get(file.document.name, ()))) for file in library.files]
    by_paper = html.grouped(entries, lambda entry: entry.file.paper)
    return _Checked(library, report, {paper: tuple(group) for paper, group in by_paper.items()})


def _chosen(work: _Checked) -> _Entry | None:
    key = st.query_params.get(FIGURE)
    if key is None:
        return None
    if key not in work.by_key:
        near = nearest(key, work.by_key)
        end = f" The nearest is {work.by_key[near].label}." if near else ""
        st.html(html.block(html.paragraph(f"There is no figure of that name.{end}", "fault")))
    return work.by_key.get(key)


def _open(key: str | None) -> None:
    if key is None:
        st.query_params.pop(FIGURE, None)
    else:
        st.query_params[FIGURE] = key


def _back_to_top(key: str) -> None:
    """Begin another figure at its top: the page keeps its scroll position otherwise."""
    seen: tuple[str, int] = st.session_state.get("cases_seen", (key, 0))
    if seen[0] != key:
        seen = (key, seen[1] + 1)
    st.session_state.cases_seen = seen
    if seen[1]:
        st.html(TO_TOP % seen[1], unsafe_allow_javascript=True)


# --- the overview ---------------------------------------------------------------------------------------------------


def _overview(work: _Checked) -> None:
    st.title("Cases")
    st.html(html.block(html.paragraph(
        "Every figure of the papers, and every published value that can be recomputed, checked against ours just now.", "lead"
    )))  # fmt: skip
    _faults(work.report)
    left, right = st.columns([5, 6], gap="large", vertical_alignment="center")
    left.html(html.block(html.summary(work.report.counts)))
    papers = [(paper.name, Counts.of(work.report.of_paper(paper.key))) for paper in work.library.papers]
    right.html(html.block(html.paper_counts(papers)))
    wanted = st.segmented_control(
        "Show", [ALL, DIFFERENT, UNEXPLAINED], default=ALL, required=True, key="cases_wanted", label_visibility="collapsed"
    )
    for k, paper in enumerate(work.library.papers):
        _paper(work, paper, [e for e in work.entries.get(paper.key, ()) if _wanted(e, wanted)], k)


def _faults(report: Report) -> None:
    if report.faults:
        n = len(report.faults)
        title = f"{n} {'entry' if n == 1 else 'entries'} of the case files could not be used; everything else was checked."
        st.html(html.block(html.faults(title, report.faults)))
    if report.broken:
        st.html(html.block(html.faults("Values given as evidence for an erratum no longer come out.", report.broken)))


def _wanted(entry: _Entry, wanted: str) -> bool:
    if wanted == UNEXPLAINED:
        return entry.counts.unexplained > 0
    return wanted == ALL or entry.counts.match < entry.counts.cells


def _paper(work: _Checked, paper: Paper, entries: Sequence[_Entry], k: int) -> None:
    if not entries:
        return
    st.html(html.block(html.heading(paper.name, 2), _citation(paper)))
    with st.container(key=f"cases_grid_{k}"):
        for n, entry in enumerate(entries):
            _card(work, entry, f"{k}_{n}")
    errata = [e for e in work.report.errata if e.paper == paper.key]
    if errata:
        with st.expander(f"Errata of this paper: {len(errata)} places in its text or formulas"):
            st.html(html.block(html.errata(errata)))


def _citation(paper: Paper) -> str:
    link = html.link(paper.url, "paper") if urlsplit(paper.url).scheme in ("http", "https") else ""
    return html.paragraph(f"{paper.authors}: {paper.title}. {paper.citation}.", "quiet", link)


def _card(work: _Checked, entry: _Entry, place: str) -> None:
    with st.container(border=True, key=f"card_{place}"):
        st.html(html.block(_thumbnails(work, entry)))
        st.button(escaped(entry.label), key=f"cases_open_{place}", type="tertiary", on_click=_open, args=(entry.key,))
        st.html(html.block(html.paragraph(entry.title, "card-title"), html.chips(entry.counts)))


def _thumbnails(work: _Checked, entry: _Entry) -> str:
    cases = list(entry.file.cases.values())
    drawn = [(f"({c.part})" if c.part else "", _drawn(c, MOST_SMALL)) for c in cases[:MOST_THUMBNAILS]]
    if isinstance(entry.file.entries, RankingFile):
        ranking = read_ranking(entry.file.document.path.parent / entry.file.entries.ranking)
        ...
    return html.thumbnails(drawn, len(cases) - len(drawn))


# --- drawings -------------------------------------------------------------------------------------------------------


def _overlay(case: Case) -> Overlay:
    return overlay_for(case.explained, "flat")


def _drawn(case: Case, limit: int) -> Drawing:
    """A case with its classes, and its probabilities where it has some."""
    notes = {label: f"{p:g}" for label, p in (case.probabilities or {}).items()}
    return drawing(case.hierarchy, _overlay(case), notes=notes, limit=limit)
