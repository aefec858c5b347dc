"""Pages of errata, one for each paper or tool, made from the report of a verification.

A page has the counts, the three most important claims with drawings, a table of all claims, and the
full text of each claim, folded.
"""

from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

from hiermeasures.draw.scene import Scene, figure_scene
from hiermeasures.draw.svg import svg
from hiermeasures.draw.views.sets import classes_alone
from hiermeasures.hierarchy.words import write_count
from hiermeasures.verify.case import Case
from hiermeasures.verify.library import Paper
from hiermeasures.verify.verification import (
    MOST_READABLE,
    SEVERITY_WORDS,
    CaseClaim,
    RankingCheck,
    Verification,
    most_important,
)

HEIGHT = 130.0  # of a drawing, in pixels
MOST_SMALL = 60  # classes in a small drawing
MOST_CHARACTERS = 90  # of a calculation or quotation in the table or a list

TITLE = "Errata of the papers"
_OPENING = """This page lists numbers in the papers that we cannot reproduce, and text and formulas that contradict the papers' own numbers.
`hiermeasures verify --errata FILE` makes this page from the case files. We read preprints or submissions of most papers, so the published text may differ.

To cite a claim, give its label and its address on [the site](https://hiermeasures.github.io/hiermeasures/errata.html).
For *kosmopoulos2015-5* it is `…/errata-kosmopoulos2015.html#kosmopoulos2015-5`. A label never changes. A claim that turns out
to be wrong stays here, marked *no longer claimed*. For the authors and the version, see `CITATION.cff` in the repository."""

OWN_TITLE = "Printed and computed values"
_OWN_OPENING = """This page lists printed numbers that differ from the computed values.
`hiermeasures verify FILE … --errata PAGE` makes this page from the case files that you name."""

TOOLS_TITLE = "What tools print"
TOOLS_MEANING = (
    "This section shows values that a program printed next to ours. If they differ, a variant gives "
    "the printed value. For each reason you see the smallest instance."
)


def errata_page(report: Verification) -> str:
    """Return the errata of all papers in the report as one Markdown page.

    Parameters
    ----------
    report : Verification

    See Also
    --------
    verify : Make the report.

    Examples
    --------
    >>> from hiermeasures.verify import verify
    >>> page = errata_page(verify(paper="falis2021"))
    >>> next(line for line in page.splitlines() if "| [falis2021-3]" in line)[:53]
    '| [falis2021-3](#falis2021-3) | Section 4, CoPHE and '
    """
    papers, tools = _papers_and_tools(report)
    own = bool(report.papers) and all(paper.own for paper in report.papers)
    parts = [f"# {OWN_TITLE}", _OWN_OPENING] if own else [f"# {TITLE}", _OPENING]
    for paper in papers:
        parts += [f"## {_plain(paper.name)}", paper_errata(report, paper)]
    parts += [f"## {TOOLS_TITLE}", TOOLS_MEANING] if tools else []
    for tool in tools:
        parts += [f"### {_plain(tool.name)}", paper_errata(report, tool)]
    return "\n\n".join(parts) + "\n"


def errata_overview(report: Verification) -> str:
    """Return a page with the most important claims of each paper and a link to its page.

    The page of a paper is `errata-KEY.md`, with the key of the paper.
    """
    papers, tools = _papers_and_tools(report)
    parts = [f"# {TITLE}", _OPENING, _summary(report, papers)]
    for paper in papers:
        parts += [f"## {_plain(paper.name)}", *_in_brief(report, paper)]
    parts += [f"## {TOOLS_TITLE}", TOOLS_MEANING, _summary(report, tools)]
    for tool in tools:
        parts += [f"### {_plain(tool.name)}", *_in_brief(report, tool)]
    return "\n\n".join(parts) + "\n"


def paper_errata(report: Verification, paper: Paper) -> str:
    """Return the errata of one paper as Markdown, without a heading."""
    claims = [claim for claim in report.claims if claim.paper == paper.key]
    fit = correlations_fit(check for check in report.rankings if check.paper == paper.key)
    parts = [
        _plain(f"{paper.authors}: {paper.title}. {paper.citation}."),
        _plain(" ".join(part for part in (_counted(report, [paper]), texts_read(paper)) if part)),
        *map(_leading, most_important(claims)),
        *([claims_table(claims)] if claims else []),
        *map(_folded, claims),
        *(_plain(text) for text in (fit, paper.numbering) if text),
        *_not_checked(report, paper),
    ]
    return "\n\n".join(parts)


def _in_brief(report: Verification, paper: Paper) -> Iterator[str]:
    claims = [claim for claim in report.claims if claim.paper == paper.key]
    page = f"errata-{paper.key}.md"
    yield f"{_counted(report, [paper])} [{write_count(len(claims), 'claim')}]({page})."
    for claim in most_important(claims):
        yield f"- **[{_plain(claim.label)}]({page}#{claim.label}).** {_plain(claim.in_short)}"


def _papers_and_tools(report: Verification) -> tuple[list[Paper], list[Paper]]:
    about = {claim.paper for claim in report.claims}
    known = [p for p in report.papers if p.key in about or p.unchecked or p.note]
    return [p for p in known if p.kind == "paper"], [p for p in known if p.kind == "tool"]


def _summary(report: Verification, papers: Iterable[Paper]) -> str:
    return f"All together: {_counted(report, papers)}"


def _counted(report: Verification, papers: Iterable[Paper]) -> str:
    found = report.counts_of(papers)
    return f"{found.cells} cells are checked: {found.in_words}." if found.cells else ""


def case_scene(case: Case, limit: int = MOST_SMALL) -> Scene:
    """Return the drawing of a case with its classes and, if known, their probabilities."""
    subtitles = {label: f"{p:g}" for label, p in (case.probabilities or {}).items()}
    overlay = classes_alone(case.explained)
    return figure_scene(case.hierarchy, overlay, subtitles=subtitles, limit=limit)


def _leading(claim: CaseClaim) -> str:
    """Return an important claim: its drawing, its importance, and both numbers."""
    drawn = (
        svg(case_scene(claim.drawn, MOST_READABLE), ground="own").html(HEIGHT) + "\n\n"
        if claim.drawn
        else ""
    )
    values = printed_and_ours(claim)
    return (
        f"{drawn}**{_plain(claim.in_short)}** {_plain(claim.where)}{': ' if values else ''}"
        f"{_plain(values)}. **{_plain(claim.label)}.** [In full](#{claim.label})"
    )


def printed_and_ours(claim: CaseClaim) -> str:
    """Return the printed values of a claim next to ours."""
    return (
        f"printed {'; '.join(cell.printed for cell in claim.cells)}, "
        f"ours {'; '.join(cell.ours_text for cell in claim.cells)}"
        if claim.cells
        else ""
    )


def shorten(text: str) -> str:
    """Shorten a text so that it fits into a table."""
    if len(text) <= MOST_CHARACTERS:
        return text
    return text[:MOST_CHARACTERS].rpartition(" ")[0] + " …"


def claims_table(claims: Iterable[CaseClaim]) -> str:
    """Return all claims as a table, the most severe first."""
    rows = [
        "| claim | place | printed | ours | changes | in one line |",
        "|---|---|---|---|---|---|",
    ]
    severities = list(SEVERITY_WORDS)
    found = [claim for claim in claims if not claim.withdrawn]
    for claim in sorted(found, key=lambda claim: severities.index(claim.changes)):
        entries = (*in_table(claim), SEVERITY_WORDS[claim.changes], claim.in_short)
        cells = " | ".join(_plain(entry).replace("|", "\\|") for entry in entries)
        rows.append(f"| [{claim.label}](#{claim.label}) | {cells} |")
    return "\n".join(rows)


def in_table(claim: CaseClaim) -> tuple[str, str, str]:
    """Return the place of a claim, the printed value and our value, as short texts."""
    if claim.cells:
        printed = "; ".join(cell.printed for cell in claim.cells)
        ours = "; ".join(cell.ours_text for cell in claim.cells)
    else:
        printed = next((f"“{quote}”" for quote, _ in claim.quotes()), "")
        ours = next((text for text in claim.evidence if len(text) <= MOST_CHARACTERS // 2), "")
    return claim.where, shorten(printed), shorten(ours)


def _folded(claim: CaseClaim) -> str:
    """Return the full text of a claim, folded below its label. A link to the label unfolds it."""
    label = escape(claim.label)
    summary = f"<summary>{label}: {claim.kind_words}</summary>"
    return (
        f'<details markdown="1">{summary}\n\n<span id="{label}"></span>\n{paragraph(claim)}\n\n'
        "</details>"
    )


def _not_checked(report: Verification, paper: Paper) -> Iterator[str]:
    groups = groupby(
        (c for c in report.of_paper(paper.key) if c.truncated), key=lambda cell: cell.source
    )
    cut = [
        f"{source} ({', '.join(f'{c.row} {c.quantity} {c.printed}'.strip() for c in group)})"
        for source, group in groups
    ]
    if cut:
        words = "These cells agree with our value if it is truncated, but not if it is rounded"
        yield _plain(f"{words}: {'; '.join(cut)}. They count as matches.")
    if paper.unchecked:
        yield "We did not check:"
        yield "\n".join(
            f"- {_plain(table)}: {_plain(why)}" for table, why in paper.unchecked.items()
        )
    if paper.note:
        yield _plain(paper.note)
    if paper.pages:
        pages = (f"[{_plain(title)}]({page})" for title, page in paper.pages.items())
        yield f"More: {', '.join(pages)}."


def texts_read(paper: Paper) -> str:
    """Return a sentence with the versions of the paper that we read."""
    named = "; ".join(
        f"{text} ({name})" if len(paper.texts) > 1 else text for name, text in paper.texts.items()
    )
    word = "Text read" if paper.kind == "paper" else "Looked at"
    return f"{word}: {named}." if named else ""


def read_as(paper: Paper) -> str:
    """Return the versions that we read, and a note if their numbers differ."""
    return " ".join(part for part in (texts_read(paper), paper.numbering) if part)


def correlations_fit(checks: Iterable[RankingCheck]) -> str:
    """Count the correlations that printed scores and printed ranks reproduce."""
    found = [
        (c.correlations, len(c.search.plain.matched), c.search.by_ranks, c.search.total)
        for c in checks
    ]
    if not found:
        return ""
    tables = "; ".join(
        f"{table}: {scores} and {ranks} of {total}" for table, scores, ranks, total in found
    )
    scores, ranks, total = (
        sum(column) for column in zip(*(entry[1:] for entry in found), strict=True)
    )
    verdict = (
        ""
        if scores == ranks
        else f" The printed {'scores' if scores > ranks else 'ranks'} fit better."
    )
    return (
        f"Of {total} printed rank correlations, {scores} agree with Kendall's tau-b of the printed "
        f"scores and {ranks} with that of the printed ranks ({tables}).{verdict}"
    )


def cells_in_words(claim: CaseClaim) -> str:
    return "; ".join(
        f"{f'row {cell.row}, ' if cell.row else ''}{cell.quantity}: printed {cell.printed}, "
        f"computed {cell.ours_text}"
        for cell in claim.cells
    )


def computed(claim: CaseClaim) -> tuple[str, ...]:
    """Return our values that support a claim. Long calculations are only counted."""
    short = [text for text in claim.checked if len(text) <= MOST_CHARACTERS]
    rest = len(claim.checked) - len(short)
    if rest:
        short.append(f"{rest} more in cases/{claim.file}")
    return tuple(short)


def paragraph(claim: CaseClaim) -> str:
    head = f"**{_plain(claim.label)}.**"
    if claim.withdrawn:
        return f"{head} {_plain(claim.explanation)}"
    head = f"{head} *{claim.kind_words}.*"
    where = f"{claim.where}, {cells_in_words(claim)}." if claim.cells else f"{claim.where}."
    quotes = " ".join(f"“{quote}”, {place}." for quote, place in claim.quotes())
    checked = f" *Checked:* {_plain('; '.join(computed(claim)))}." if claim.checked else ""
    considered = f" *Considered:* {_plain(claim.considered)}" if claim.considered else ""
    quoted = f" *Printed:* {_plain(quotes)}" if quotes else ""
    return f"{head} {_plain(where)}{quoted} {_plain(claim.explanation)}{considered}{checked}"


def _plain(text: str) -> str:
    """Return a text on one line, with all Markdown and HTML escaped."""
    line = " ".join(text.split())
    for mark in "\\`*[]":
        line = line.replace(mark, "\\" + mark)
    return line.replace("<", "&lt;")
