"""The library page: every figure and table of the papers, with every published value next to ours.

A change of the case files' times starts a new check. html.py makes HTML. This module arranges it
and follows clicks.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import streamlit as st
from markupsafe import Markup

from hiermeasures.app.binding import attempt, button, setting, show_fault
from hiermeasures.app.cases.html import block, card, grouped, macros, rank_lines
from hiermeasures.app.components import MenuEntry, contents, mailbox
from hiermeasures.app.explore.model import WayBack, open_shown
from hiermeasures.app.inbox import Slot
from hiermeasures.app.learn import draft_lesson
from hiermeasures.app.learn.draft_lesson import WRITING, card_of
from hiermeasures.app.pages import Page, leave, leave_for
from hiermeasures.draw import palette
from hiermeasures.draw.layout import MOST_DRAWN
from hiermeasures.draw.svg import legend, svg
from hiermeasures.draw.text import escaped
from hiermeasures.draw.views import OPENING
from hiermeasures.explore.library import figure, published
from hiermeasures.hierarchy.errors import InputError, nearest, shown
from hiermeasures.hierarchy.words import write_count
from hiermeasures.verify import (
    Case,
    CaseLibrary,
    CheckedCell,
    Paper,
    Verification,
    load_cases,
    verify,
)
from hiermeasures.verify.case import changed
from hiermeasures.verify.errata import TOOLS_MEANING, TOOLS_TITLE, case_scene, correlations_fit
from hiermeasures.verify.format import FigureFile, RankingFile, SituationEntry, SituationsFile
from hiermeasures.verify.library import SourceFile, case_folders, joined, own_cases
from hiermeasures.verify.verification import (
    MATCHES,
    CaseClaim,
    Counts,
    RankingCheck,
    most_important,
    most_important_of_each,
)

# the query parameters that name a figure, and a claim on its page
FIGURE, CLAIM = ("figure", "claim")
MOST_THUMBNAILS = 3
ALL, DIFFERENT, UNEXPLAINED = "all figures", "with a discrepancy", "with an unexplained cell"

# The colours of statuses, for the style sheet.
COLOURS = f"<style>:root {{ --hm-explained: {palette.EXPLAINED}; --hm-unexplained: {palette.UNEXPLAINED}; }}</style>"
GO_TO = """<script>{ const claim = document.getElementById(%s);  // %d
if (claim) claim.scrollIntoView({ block: "center" });
else document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0); }</script>"""


@dataclass(frozen=True)
class CasesModel:
    """The filter of the overview, and the last open figure and claim with a count of changes."""

    filter: str = ALL
    place: tuple[str, str] | None = None
    turns: int = 0


CASES: Slot[CasesModel] = Slot("cases_model", CasesModel)


def page() -> None:
    """Draw the overview, or the figure that the address names."""
    leave()
    st.html(COLOURS)
    st.html(Path(__file__).with_name("style.css"))
    with st.container(key="cases"):
        try:
            work = _checked(folders := case_folders(), _changed(folders))
        except InputError as error:
            st.title("Library")
            _show(macros().paragraph(str(error), kind="fault"))
            return
        entry = _chosen(work)
        if entry is None:
            _overview(work)
        else:
            _figure_page(work, entry)
        _begin_at_its_place(entry.key if entry else "", st.query_params.get(CLAIM, ""))
    mailbox()


def _show(*parts: str) -> None:
    st.html(block(*parts))


# --- the check ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Entry:
    """A case file on the page: a figure, ranking or table of judgements, with its claims."""

    paper: Paper
    file: SourceFile
    cells: tuple[CheckedCell, ...]
    claims: tuple[CaseClaim, ...]
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
            f"{entries.table} and {entries.correlations.table}"
            if isinstance(entries, RankingFile)
            else entries.table
        )

    @property
    def cases(self) -> tuple[Case, ...]:
        return tuple(self.file.cases.values())

    @cached_property
    def counts(self) -> Counts:
        return Counts.of(self.cells)


@dataclass(frozen=True)
class _Checked:
    """The checked library: its verification, and the entries of the page by key, paper after paper.

    It also has the keys of the entries with each claim, by the claim's label.
    """

    library: CaseLibrary
    report: Verification
    entries: dict[str, _Entry]
    places: dict[str, str]

    @property
    def papers(self) -> list[Paper]:
        """The papers from oldest to newest, then a person's own papers, then tools."""
        return sorted(
            self.library.papers, key=lambda paper: (paper.kind == "tool", paper.own, paper.year)
        )

    def label(self, case: str) -> str:
        """Return the name of a case, or its key if it has no name."""
        return self.library.cases[case].label if case in self.library.cases else case


def _changed(folders: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """Return the files of the cases, each with the time of its last change."""
    paths = (
        path
        for folder in folders
        for path in Path(folder).rglob("*")
        if path.suffix in (".yaml", ".yml", ".csv") and path.is_file()
    )
    return tuple(sorted((str(path), path.stat().st_mtime_ns) for path in paths))


# All sessions share the immutable values (a resource); copies would be data.
@st.cache_resource(show_spinner="Checking every published value …", max_entries=2)
def _checked(folders: tuple[str, ...], changed: tuple[tuple[str, int], ...]) -> _Checked:
    for kept in (own_cases, published):  # of the files before their last change
        kept.cache_clear()
    library, report = joined(map(load_cases, folders)), verify(folders)
    cells, claims = (dict(grouped(found, "file")) for found in (report.cells, report.claims))
    rankings = {(check.paper, check.ranking): check for check in report.rankings}
    found = _Checked(library, report, {}, {})
    for paper in found.papers:
        for file in library.files:
            if file.paper == paper.key:
                name, search = (
                    file.document.name,
                    rankings.get((file.paper, getattr(file.entries, "table", ""))),
                )
                entry = _Entry(
                    paper, file, tuple(cells.get(name, ())), tuple(claims.get(name, ())), search
                )
                found.entries[entry.key] = entry
                found.places.update({claim.label: entry.key for claim in entry.claims})
    return found


def _chosen(work: _Checked) -> _Entry | None:
    key = st.query_params.get(FIGURE)
    if key is not None and key not in work.entries:
        near = nearest(key, work.entries)
        end = f" The nearest is {near}." if near else ""
        _show(macros().paragraph(f"There is no figure {shown(key)}.{end}", kind="fault"))
    return work.entries.get(key) if key is not None else None


def _open(key: str | None, claim: str | None = None) -> None:
    for name, value in ((FIGURE, key), (CLAIM, claim)):
        if value is None:
            st.query_params.pop(name, None)
        else:
            st.query_params[name] = value


def _begin_at_its_place(key: str, claim: str) -> None:
    """Scroll to a claim or to the top of another figure, because the page keeps its scroll
    position.
    """
    at = CASES.value
    if at.place != (key, claim):
        at = replace(at, place=(key, claim), turns=at.turns + (at.place is not None or bool(claim)))
        CASES.set(at)
    if at.turns:
        st.html(
            GO_TO % (json.dumps(claim).replace("<", "\\u003c"), at.turns),
            unsafe_allow_javascript=True,
        )


# --- the search -----------------------------------------------------------------------------------


def _search(work: _Checked) -> None:
    """Draw the list of every figure with its subject, and every claim with the disputed words."""
    found = []
    for key, entry in work.entries.items():
        about = entry.file.entries
        quantities = {cell.quantity for cell in entry.cells}
        text = " ".join(
            [
                about.teaches,
                *(f"{c.title} {' '.join(c.topics)}" for c in entry.cases),
                *sorted(quantities),
            ]
        )
        title, paper = f"{entry.label}: {about.title}", entry.paper.name
        found.append(MenuEntry(title, paper, text, key=f"figure {key}", address=f"?{FIGURE}={key}"))
    for claim in work.report.claims:
        text = " ".join([claim.explanation, *(quote for quote, _ in claim.quotes())])
        found.append(
            MenuEntry(
                claim.label,
                f"{claim.kind_words}: {claim.where}",
                text,
                key=f"claim {claim.label}",
                address=_address(work, claim),
            )
        )
    contents("cases_contents", "Search figures and errata", found, on_choose=partial(_choose, work))


def _choose(work: _Checked, key: str) -> None:
    """Open the entry of a search or a link. A case opens in the Explorer."""
    kind, _, name = key.partition(" ")
    if kind == "case" and name in work.library.cases:
        _explore(name)
    elif kind == "figure" and name in work.entries:
        _open(name)
    elif kind == "claim" and name in work.places:
        _open(work.places[name], name)


def _explore(case: str) -> None:
    open_shown(figure(case), back=WayBack("Back to the library", "cases", dict(st.query_params)))
    leave_for("explore")


# --- the overview ---------------------------------------------------------------------------------


def _overview(work: _Checked) -> None:
    report = work.report
    papers = [paper for paper in work.papers if paper.kind == "paper"]
    keys = {paper.key for paper in papers}
    leading = most_important_of_each(c for c in report.claims if c.paper in keys)
    _show(
        macros().overview_head(report),
        macros().matters("Three that matter", leading, partial(_address, work)),
    )
    total = report.counts_of(papers)
    with st.expander(f"{total.cells} published values are checked: {total.in_words}"):
        counts = [(paper.name, report.counts_of([paper])) for paper in papers]
        _show(macros().paper_counts([*counts, ("All papers", total)]))
    _search(work)
    setting(st.segmented_control, "cases_filter", CASES, "filter")(
        "Show", [ALL, DIFFERENT, UNEXPLAINED], required=True, label_visibility="collapsed"
    )
    chosen = CASES.value.filter
    fitting = {
        paper.key: [
            entry
            for entry in work.entries.values()
            if entry.paper == paper and _fits(entry, chosen)
        ]
        for paper in work.papers
    }
    shown_papers = [
        paper for paper in work.papers if fitting[paper.key] or (paper.note and chosen == ALL)
    ]
    tools = [paper for paper in shown_papers if paper.kind == "tool"]
    for paper in shown_papers:
        if tools and paper == tools[0]:
            _show(macros().heading(TOOLS_TITLE, 1), macros().paragraph(TOOLS_MEANING, kind="lead"))
        _paper(work, paper, fitting[paper.key])


def _fits(entry: _Entry, filter: str) -> bool:
    if filter == UNEXPLAINED:
        return entry.counts.unexplained > 0
    return filter != DIFFERENT or any(cell.status not in MATCHES for cell in entry.cells)


def _paper(work: _Checked, paper: Paper, entries: Sequence[_Entry]) -> None:
    cards = [(entry, _thumbnails(entry), f"?{FIGURE}={entry.key}") for entry in entries]
    # One element for all cards, because a browser takes long for hundreds.
    _show(macros().heading(paper.name, 2), macros().citation(paper), macros().cards(cards))
    about, leading = _about(work, paper)
    if about:
        withdrawn = sum(claim.withdrawn for claim in about)
        rest = f"; {withdrawn} no longer claimed" if withdrawn else ""
        kind = "Explanations" if paper.kind == "tool" else "Errata"
        title = f"{kind}: {write_count(len(about) - withdrawn, 'claim')}{rest}"
        with st.expander(title):
            rankings = [check for check in work.report.rankings if check.paper == paper.key]
            address = partial(_address, work)
            _show(
                macros().matters("", leading, address),
                macros().claims_table(about, address),
                macros().paragraph(correlations_fit(rankings)),
                macros().folded_claims(about, address),
            )
    if paper.unchecked:
        with st.expander("Tables that are not checked"):
            _show(macros().unchecked(paper))
    if paper.note:
        _show(macros().paragraph(paper.note))


def _about(work: _Checked, paper: Paper) -> tuple[list[CaseClaim], tuple[CaseClaim, ...]]:
    """Return all claims about a paper, and the three that matter most."""
    about = [claim for claim in work.report.claims if claim.paper == paper.key]
    return about, most_important(about)


def _address(work: _Checked, claim: CaseClaim) -> str:
    """Return the address of a claim next to its case, or "" if the claim has no file."""
    key = work.places.get(claim.label)
    return f"?{FIGURE}={key}&{CLAIM}={claim.label}" if key else ""


def _thumbnails(entry: _Entry) -> Any:
    if isinstance(entry.file.entries, SituationsFile):
        return macros().signs(entry.cells)
    if entry.search is not None:
        ranking = entry.search.printed
        rows = zip(ranking.systems, (-ranking.oriented("ranks")).tolist(), strict=True)
        return macros().thumbnails([("", rank_lines(dict(rows), ranking.measures))])
    some = entry.cases[:MOST_THUMBNAILS]
    drawn = [(f"({case.part})" if case.part else "", svg(case_scene(case))) for case in some]
    return card(drawn, len(entry.cases))


# --- a figure -------------------------------------------------------------------------------------


def _figure_page(work: _Checked, entry: _Entry) -> None:
    _walk(work, entry)
    _search(work)
    entries = entry.file.entries
    _show(macros().figure_head(entry))
    if isinstance(entries, FigureFile):
        _parts(entry, entries)
        published = macros().published(entry.cells, work.label, f"?{FIGURE}={entry.key}")
        _show(published, macros().differences(entry.cells, entry.claims))
    elif isinstance(entries, RankingFile):
        _ranking(entry)
    else:
        _situations(work, entry, entries)
    if without_cells := [claim for claim in entry.claims if not claim.cells]:
        _show(macros().heading("Errata", 2), macros().claims(without_cells))
    _show(macros().citation(entry.paper))


def _walk(work: _Checked, entry: _Entry) -> None:

    def way(key: str, label: str, icon: str, to: str | None, **look: Any) -> None:
        look |= {"type": "tertiary", "icon": f":material/{icon}:", "key": f"cases_{key}"}
        button(label, action=partial(_open, to), **look)

    entries = list(work.entries.values())
    k = entries.index(entry)
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"
    ):
        way("back", "All cases", "arrow_back", None)
        with st.container(horizontal=True, width="content"):
            for other in entries[max(k - 1, 0) : k + 2]:
                paper = f"{other.paper.name}: " * (other.paper != entry.paper)
                label, at = escaped(f"{paper}{other.label}"), entries.index(other)
                if at < k:
                    way("previous", label, "chevron_left", other.key)
                elif at > k:
                    way("next", label, "chevron_right", other.key, icon_position="right")


def _parts(entry: _Entry, entries: FigureFile) -> None:
    with st.container(key="cases_parts" if len(entry.cases) > 1 else "cases_alone"):
        for k, case in enumerate(entry.cases):
            with st.container(border=True, key=f"part_{k}"):
                _show(macros().part(case, entries, svg(case_scene(case, MOST_DRAWN))))
                with st.container(horizontal=True):
                    show, icon = partial(_explore, case.key), ":material/open_in_new:"
                    button("Open in Explorer", key=f"explore_{k}", icon=icon, action=show)
                    card = partial(_add_card, case.key)
                    add = partial(attempt, f"add_card_{k}", card)
                    button(
                        "Add to my lesson", key=f"add_card_{k}", icon=":material/add:", action=add
                    )
                show_fault(f"add_card_{k}")
    if cards := len(WRITING.value.lesson.cards):
        go = partial(leave_for, "learn", {"edit": "1"})
        button(f"My lesson ({cards})", key="to_my_lesson", type="tertiary", action=go)
        draft_lesson.keep()
    _show(Markup(legend(case_scene(case, MOST_DRAWN) for case in entry.cases)))
    if entries.reconstructed:
        _show(macros().reconstructed(entries.reconstructed))


def _add_card(case: str) -> None:
    WRITING.set(WRITING.value.adding(card_of(figure(case), OPENING)))


def _ranking(entry: _Entry) -> None:
    if entry.search is None:
        _show(
            macros().paragraph(
                "This ranking could not be read. The overview shows the reason.", kind="fault"
            )
        )
        return
    _show(macros().ranking(entry.search, entry.cells))
    with st.expander("Everything that was tried"):
        _show(macros().readings_table(entry.search.search))


def _situations(work: _Checked, entry: _Entry, entries: SituationsFile) -> None:
    _show(macros().published(entry.cells, work.label, f"?{FIGURE}={entry.key}"))
    _show(macros().heading("The criteria", 2))
    for situation in entries.situations:
        drawn = []
        for name, case in _views(work, entry, situation):
            after = "" if case.hierarchy == work.library.cases[case.key].hierarchy else "after "
            drawn.append((f"{name.replace('_', ' ')}: {after}{case.label}", svg(case_scene(case))))
        left, right = st.columns([1, 1], gap="large", vertical_alignment="center")
        left.html(block(macros().criterion(situation)))
        right.html(block(macros().thumbnails(drawn)))


def _views(work: _Checked, entry: _Entry, situation: SituationEntry) -> Iterator[tuple[str, Case]]:
    """Return the cases of a situation. The overview lists unreadable ones as faults."""
    for name, view in situation.views.items():
        for key in (f"{entry.file.paper}/{view.case}", view.case):
            if key in work.library.cases:
                with suppress(InputError):
                    yield name, changed(work.library.cases[key], view, (), {})
                break


PAGE = Page(
    "Library",
    page,
    "The figures of the papers, with every published value checked, and the errata.",
)
