"""The Cases page: every figure and table of the papers, drawn, and every published value beside ours.

The check runs here and now, once per content of the case files; nothing is read from a stored result. What is shown is
made into HTML by html.py, figures painted by graph/svg.py; this module lays them out and follows clicks.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import streamlit as st

from hiermeasures.cases import Case, CaseLibrary, CheckedCell, Paper, Verification, load_cases, verify
from hiermeasures.cases.case import changed
from hiermeasures.cases.checked import RankingCheck
from hiermeasures.cases.claims import Claim
from hiermeasures.cases.errata import TOOLS_MEANING, TOOLS_TITLE, correlations_fit, read_as
from hiermeasures.cases.format import DerivedFile, FigureFile, RankingFile, SituationEntry, SituationsFile
from hiermeasures.cases.library import SourceFile, default_folder
from hiermeasures.cases.rankings import Ranking, read_ranking
from hiermeasures.cases.verification import Counts
from hiermeasures.errors import InputError, nearest, shown
from hiermeasures.options import Options
from hiermeasures.ui.binding import Slot, bind, changing
from hiermeasures.ui.cases import claims, html, tables
from hiermeasures.ui.cases.rank_lines import rank_lines
from hiermeasures.ui.cases.style import STYLE
from hiermeasures.ui.explore.model import open_shown
from hiermeasures.ui.graph.neighbourhood import MOST_DRAWN
from hiermeasures.ui.graph.scene import Scene, figure_scene
from hiermeasures.ui.graph.svg import Image, svg, swatch
from hiermeasures.ui.pages import Page, switch_to
from hiermeasures.ui.state import Shown
from hiermeasures.ui.text import escaped
from hiermeasures.ui.views.sets import classes_alone

FIGURE = "figure"  # the query parameter that names a figure
MOST_THUMBNAILS = 3
MOST_SMALL = 60  # classes in a thumbnail
ALL, DIFFERENT, UNEXPLAINED = "all figures", "with a discrepancy", "with an unexplained cell"

KENDALL = (
    "Kendall's tau counts, for two measures, how many pairs of systems they put in the same order, less those that "
    "they do not: "
    "1 is the same ranking, -1 the reverse. Ours is tau-b, computed from the printed scores."
)

LAYOUT = """<style>
.st-key-cases { max-width: 80rem; margin: 0 auto; }
[class*="st-key-cases_grid"] { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
[class*="st-key-cases_parts"] { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr));
    gap: 1rem; }
[class*="st-key-cases_grid"] > div, [class*="st-key-cases_parts"] > div { height: 100%; width: 100%; }
[class*="st-key-card_"] { position: relative; height: 100%; gap: 0.15rem; }
[class*="st-key-card_"]:hover { border-color: color-mix(in srgb, currentColor 45%, transparent); }
[class*="st-key-card_"] button::after { content: ""; position: absolute; inset: 0; }
[class*="st-key-card_"] [data-testid="stElementContainer"], [class*="st-key-card_"] .stButton { position: static; }
[class*="st-key-card_"] button { justify-content: flex-start; min-height: 0; padding: 0.1rem 0; position: static; }
[class*="st-key-card_"] button p { font-weight: 600; font-size: 1rem; }
.st-key-cases_alone > div { max-width: 34rem; }
[class*="st-key-part_"] { height: 100%; justify-content: space-between; }
</style>"""
TO_TOP = "<script>document.querySelector('[data-testid=\"stMain\"]')?.scrollTo(0, 0); // %d</script>"


@dataclass(frozen=True)
class CasesModel:
    """Which figures the overview shows; the figure that was open last ("" for the overview) and how often it changed,
    which counts the ways back to the top.
    """

    filter: str = ALL
    figure: str | None = None
    turns: int = 0


CASES: Slot[CasesModel] = Slot("cases_model", CasesModel)


def page() -> None:
    """The whole page: the overview, or the figure that the address names."""
    st.html(STYLE)
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


# --- the check ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Entry:
    """A case file as the page shows it: a figure, a ranking or a table of judgements, with its cells."""

    file: SourceFile
    cells: tuple[CheckedCell, ...]
    ranking: Ranking | None = None
    search: RankingCheck | None = None

    @property
    def key(self) -> str:
        return f"{self.file.paper}/{self.file.stem}"

    @property
    def label(self) -> str:
        entries = self.file.entries
        if isinstance(entries, FigureFile):
            return entries.figure
        return (
            f"{entries.table} and {entries.correlations.table}" if isinstance(entries, RankingFile) else entries.table
        )

    @property
    def cases(self) -> tuple[Case, ...]:
        return tuple(self.file.cases.values())

    @cached_property
    def counts(self) -> Counts:
        return Counts.of(self.cells)


@dataclass(frozen=True)
class _Checked:
    """The library, what the verification found, and the entries of the page, by key and paper after paper."""

    library: CaseLibrary
    report: Verification
    entries: dict[str, _Entry]

    @property
    def papers(self) -> list[Paper]:
        """The oldest first, and tools after all papers."""
        return sorted(self.library.papers, key=_place)

    def of_paper(self, key: str) -> list[_Entry]:
        return [entry for entry in self.entries.values() if entry.file.paper == key]

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
    entries = [_entry(file, tuple(cells.get(file.document.name, ())), report) for file in library.files]
    place = {paper.key: _place(paper) for paper in library.papers}
    entries.sort(key=lambda entry: place[entry.file.paper])
    return _Checked(library, report, {entry.key: entry for entry in entries})


def _place(paper: Paper) -> tuple[bool, int]:
    """Where a paper stands among the others."""
    return paper.kind == "tool", paper.year


def _entry(file: SourceFile, cells: tuple[CheckedCell, ...], report: Verification) -> _Entry:
    entries = file.entries
    if not isinstance(entries, RankingFile):
        return _Entry(file, cells)
    found = [check for check in report.rankings if (check.paper, check.ranking) == (file.paper, entries.table)]
    if not found:
        return _Entry(file, cells)
    return _Entry(file, cells, read_ranking(file.document.path.parent / entries.ranking), found[0])


def _chosen(work: _Checked) -> _Entry | None:
    key = st.query_params.get(FIGURE)
    if key is not None and key not in work.entries:
        near = nearest(key, work.entries)
        end = f" The nearest is {near}." if near else ""
        st.html(html.block(html.paragraph(f"There is no figure {shown(key)}.{end}", "fault")))
    return work.entries.get(key) if key is not None else None


def _open(key: str | None) -> None:
    if key is None:
        st.query_params.pop(FIGURE, None)
    else:
        st.query_params[FIGURE] = key


def _back_to_top(key: str) -> None:
    """Begin another figure at its top: the page keeps its scroll position otherwise."""
    at = CASES.value
    if at.figure != key:
        at = replace(at, figure=key, turns=at.turns + (at.figure is not None))
        CASES.set(at)
    if at.turns:
        st.html(TO_TOP % at.turns, unsafe_allow_javascript=True)


# --- the overview -------------------------------------------------------------------------------------------------


def _overview(work: _Checked) -> None:
    lead = (
        "Every figure of the papers, and every published value that can be recomputed, checked against ours just now; "
        "and, at the end, what tools print. "
        "Each paper says which text of it was read; the journal's numbering may differ."
    )
    st.html(html.block(html.heading("Cases", 1), html.paragraph(lead, "lead")))
    _faults(work.report)
    with st.container(key="cases_head"):
        left, right = st.columns([5, 6], gap="large", vertical_alignment="center")
    papers = [paper for paper in work.papers if paper.kind == "paper"]
    left.html(html.block(html.summary(work.report.counts_of(papers))))
    right.html(html.block(html.paper_counts((paper.name, work.report.counts_of([paper])) for paper in papers)))
    chosen = CASES.value.filter
    bind(st.segmented_control, "cases_filter", chosen, changing(CASES, "filter"))(
        "Show", [ALL, DIFFERENT, UNEXPLAINED], required=True, label_visibility="collapsed"
    )
    fitting = {
        paper.key: [entry for entry in work.of_paper(paper.key) if _fits(entry, chosen)] for paper in work.papers
    }
    shown_papers = [paper for paper in work.papers if fitting[paper.key] or (paper.note and chosen == ALL)]
    tools = [paper for paper in shown_papers if paper.kind == "tool"]
    for k, paper in enumerate(shown_papers):
        if tools and paper == tools[0]:
            st.html(html.block(html.heading(TOOLS_TITLE, 1), html.paragraph(TOOLS_MEANING, "lead")))
        _paper(work, paper, fitting[paper.key], k)


def _faults(report: Verification) -> None:
    if report.faults:
        n = len(report.faults)
        title = (
            f"{n} {'entry' if n == 1 else 'entries'} of the case files could not be used; everything else was checked."
        )
        st.html(html.block(html.faults(title, report.faults)))
    if report.broken:
        st.html(html.block(html.faults("Values given as evidence for an erratum no longer come out.", report.broken)))


def _fits(entry: _Entry, filter: str) -> bool:
    if filter == UNEXPLAINED:
        return entry.counts.unexplained > 0
    return filter != DIFFERENT or entry.counts.match < entry.counts.cells


def _paper(work: _Checked, paper: Paper, entries: Sequence[_Entry], k: int) -> None:
    st.html(html.block(html.heading(paper.name, 2), html.citation(paper), html.paragraph(read_as(paper), "quiet")))
    if entries:
        with st.container(key=f"cases_grid_{k}"):
            for n, entry in enumerate(entries):
                _card(entry, f"{k}_{n}")
    about = [claim for claim in work.report.claims if claim.paper == paper.key]
    if about:
        withdrawn = sum(claim.withdrawn for claim in about)
        rest = f"; {withdrawn} no longer claimed" if withdrawn else ""
        of = "values that this tool prints" if paper.kind == "tool" else "this paper's numbers, formulas or text"
        n = len(about) - withdrawn
        title = f"{'Explanations' if paper.kind == 'tool' else 'Errata'}: {n} claim{'s' * (n != 1)} about {of}{rest}"
        with st.expander(title):
            rankings = [check for check in work.report.rankings if check.paper == paper.key]
            fit = html.paragraph(correlations_fit(rankings))
            st.html(html.block(fit, claims.claims(about, lambda claim: _address(work, claim))))
    if paper.unchecked:
        with st.expander("Tables that are not checked"):
            st.html(html.block(html.unchecked(paper)))
    if paper.note:
        st.html(html.block(html.paragraph(paper.note)))


def _address(work: _Checked, claim: Claim) -> str:
    """The address of the page with the case that a claim is about; nothing for a claim about no file."""
    keys = [key for key, entry in work.entries.items() if entry.file.document.name == claim.file]
    return f"?{FIGURE}={keys[0]}" if keys else ""


def _card(entry: _Entry, place: str) -> None:
    with st.container(border=True, key=f"card_{place}"):
        st.html(html.block(_thumbnails(entry)))
        st.button(escaped(entry.label), key=f"cases_open_{place}", type="tertiary", on_click=_open, args=(entry.key,))
        st.html(html.block(html.paragraph(entry.file.entries.title, "card-title"), html.chips(entry.counts)))


def _thumbnails(entry: _Entry) -> str:
    if isinstance(entry.file.entries, SituationsFile | DerivedFile):
        return tables.signs(entry.cells)
    if entry.ranking is not None:
        return html.thumbnails([("", _rank_lines(entry.ranking))])
    some = entry.cases[:MOST_THUMBNAILS]
    return html.card(
        [(f"({case.part})" if case.part else "", _drawn(case, MOST_SMALL)) for case in some], len(entry.cases)
    )


# --- a figure -----------------------------------------------------------------------------------------------------


def _figure_page(work: _Checked, entry: _Entry) -> None:
    _walk(work, entry)
    paper = work.paper(entry.file.paper)
    entries = entry.file.entries
    st.html(
        html.block(
            html.paragraph(paper.name, "quiet"),
            html.heading(f"{entry.label}: {entries.title}", 1),
            html.chips(entry.counts),
            html.paragraph(entries.teaches, "lead"),
        )
    )
    if isinstance(entries, FigureFile):
        _parts(entry, entries)
        st.html(html.block(html.published(entry.cells, work.label)))
        _discrepancies(work, entry)
    elif isinstance(entries, DerivedFile):
        st.html(html.block(html.published(entry.cells, work.label)))
        _discrepancies(work, entry)
    elif isinstance(entries, RankingFile):
        _ranking(entry)
    else:
        _situations(work, entry, entries)
    without_cells = [claim for claim in _claims(work, entry) if not claim.cells]
    if without_cells:
        st.html(html.block(html.heading("Errata", 2), claims.claims(without_cells)))
    st.html(html.block(html.citation(paper), html.paragraph(read_as(paper), "quiet")))


def _claims(work: _Checked, entry: _Entry) -> list[Claim]:
    """The claims that a file makes."""
    return [claim for claim in work.report.claims if claim.file == entry.file.document.name]


def _walk(work: _Checked, entry: _Entry) -> None:
    """Back to the overview, and on to the neighbours."""
    keys = list(work.entries)
    k = keys.index(entry.key)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.button(
            "All cases", icon=":material/arrow_back:", key="cases_back", on_click=_open, args=(None,), type="tertiary"
        )
        with st.container(horizontal=True, width="content"):
            for name, at in (("previous", k - 1), ("next", k + 1)):
                if 0 <= at < len(keys):
                    other = work.entries[keys[at]]
                    elsewhere = other.file.paper != entry.file.paper
                    label = escaped(f"{work.paper(other.file.paper).name}: {other.label}" if elsewhere else other.label)
                    arrow = ":material/chevron_left:" if name == "previous" else ":material/chevron_right:"
                    st.button(
                        label,
                        icon=arrow,
                        icon_position="left" if name == "previous" else "right",
                        key=f"cases_{name}",
                        on_click=_open,
                        args=(keys[at],),
                        type="tertiary",
                    )


def _parts(entry: _Entry, entries: FigureFile) -> None:
    """The sub-figures side by side, one legend for all."""
    with st.container(key="cases_parts" if len(entry.cases) > 1 else "cases_alone"):
        for k, case in enumerate(entry.cases):
            with st.container(border=True, key=f"part_{k}"):
                st.html(html.block(html.part(case, entries, _drawn(case, MOST_DRAWN))))
                if st.button("Open in Explorer", key=f"explore_{k}", icon=":material/open_in_new:"):
                    _open_in_explorer(case)
    lines = dict.fromkeys(line for case in entry.cases for line in _scene(case, MOST_DRAWN).legend)
    if lines:
        st.html(html.block(html.legend([(swatch(line), line.words) for line in lines])))
    if entries.reconstructed:
        st.html(html.block(html.reconstructed(entries.reconstructed)))


def _open_in_explorer(case: Case) -> None:
    instance = Shown.make(
        case.hierarchy,
        case.true,
        case.predicted,
        title=case.title,
        case=case.key,
        options=Options.make(case.options),
        true_paths=case.true_paths,
        predicted_paths=case.predicted_paths,
    )
    open_shown(instance)
    switch_to("explore")


def _discrepancies(work: _Checked, entry: _Entry) -> None:
    if words := claims.discrepancies(entry.cells, _claims(work, entry)):
        st.html(html.block(html.heading("Where print and value differ", 2), words))


def _ranking(entry: _Entry) -> None:
    """A printed ranking, the correlations printed from it, and what would make them come out."""
    if entry.ranking is None or entry.search is None:
        st.html(html.block(html.paragraph("This ranking could not be read; the overview says why.", "fault")))
        return
    check = entry.search
    st.html(
        html.block(
            html.heading(f"{check.ranking}: scores and ranks as printed", 2),
            tables.ranking_table(entry.ranking, check.search.best.changes),
            tables.contradictions(check),
        )
    )
    st.html(
        html.block(
            html.heading(f"{check.correlations}: rank correlations", 2),
            html.paragraph(KENDALL),
            tables.correlation_table(entry.cells),
        )
    )
    st.html(html.block(html.heading("The smallest change that explains it", 2), tables.found(check, entry.cells)))
    with st.expander("Everything that was tried"):
        st.html(html.block(tables.readings_table(check)))


def _situations(work: _Checked, entry: _Entry, entries: SituationsFile) -> None:
    """A table of judgements, and for each situation its criterion and the cases it is read from."""
    st.html(html.block(html.published(entry.cells, work.label)))
    st.html(html.block(html.heading("The criteria", 2)))
    for situation in entries.situations:
        drawn = [
            (_caption(work, name, case), _drawn(case, MOST_SMALL)) for name, case in _views(work, entry, situation)
        ]
        left, right = st.columns([1, 1], gap="large", vertical_alignment="center")
        left.html(html.block(tables.criterion(situation)))
        right.html(html.block(html.thumbnails(drawn)))


def _views(work: _Checked, entry: _Entry, situation: SituationEntry) -> Iterator[tuple[str, Case]]:
    """The cases of a situation; what cannot be read is a fault on the overview."""
    for name, view in situation.views.items():
        for key in (f"{entry.file.paper}/{view.case}", view.case):
            if key in work.library.cases:
                with suppress(InputError):
                    yield name, changed(work.library.cases[key], view, (), {})
                break


def _caption(work: _Checked, view: str, case: Case) -> str:
    """The name of a view, and the figure that it is, or that its hierarchy was changed from."""
    after = "" if case.hierarchy == work.library.cases[case.key].hierarchy else "after "
    return f"{view.replace('_', ' ')}: {after}{case.label}"


# --- drawings -----------------------------------------------------------------------------------------------------


def _scene(case: Case, limit: int) -> Scene:
    """A case with its classes, and its probabilities where it has some."""
    subtitles = {label: f"{p:g}" for label, p in (case.probabilities or {}).items()}
    return figure_scene(case.hierarchy, classes_alone(case.explained), subtitles=subtitles, limit=limit)


def _drawn(case: Case, limit: int) -> Image:
    return svg(_scene(case, limit))


def _rank_lines(ranking: Ranking) -> Image:
    rows = zip(ranking.systems, (-ranking.oriented("ranks")).tolist(), strict=True)
    return rank_lines({system: tuple(row) for system, row in rows}, ranking.measures)


PAGE = Page("Cases", page)
