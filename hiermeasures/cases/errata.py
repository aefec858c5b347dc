"""The errata page: the claims about the papers and the tools, one citable paragraph each, made from
a verification.

The page is Markdown. Its words come from the case files and from the run; nothing is compared here.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from hiermeasures.cases.checked import CheckedCell, RankingCheck
from hiermeasures.cases.claims import KIND_WORDS, Claim
from hiermeasures.cases.library import Paper
from hiermeasures.cases.verification import Verification

_OPENING = """# Errata of the papers

What is printed in the papers and does not come out when it is computed, and what their text and formulas say against
their own numbers. The page is made by `python -m hiermeasures verify --errata FILE` from the case files in `cases/`;
what stands under *Checked* is computed in that run. Each paragraph has a label by which it can be cited, quotes the
words that it is about, names under *Considered* the reading that would make them right, and says of which kind it is.
Each paper says which text of it was read; three of the four were read as a preprint or a submission, and the
published numbers and words may differ. Programs have [a chapter of their own](#what-tools-print)."""

TOOLS_TITLE = "What tools print"
TOOLS_MEANING = (
    "Values that a program printed, beside ours. Where they differ, a variant gives the printed one. Of instances that "
    "differ for the same reason the smallest at hand is here."
)


def errata_page(report: Verification) -> str:
    """The claims about all papers in a report, as Markdown.

    Examples
    --------
    >>> from hiermeasures.cases import verify
    >>> page = errata_page(verify(paper="falis2021"))
    >>> next(line for line in page.splitlines() if line.startswith("**"))[:63]
    '**falis2021-2.** *Wrong number.* Table 2, set-based F1 of CAML '
    """
    kinds = "\n".join(f"- *{word}.* {meaning}" for word, meaning in KIND_WORDS.values())
    papers, tools = ([p for p in report.papers if p.kind == kind] for kind in ("paper", "tool"))
    parts = [_OPENING, kinds, _summary(report, papers, "published")]
    for paper in papers:
        parts += _about(report, paper, "##")
    if tools:
        parts += [f"## {TOOLS_TITLE}", TOOLS_MEANING, _summary(report, tools, "printed")]
        for tool in tools:
            parts += _about(report, tool, "###")
    return "\n\n".join(parts) + "\n"


def _about(report: Verification, paper: Paper, level: str) -> Iterator[str]:
    claims = [claim for claim in report.claims if claim.paper == paper.key]
    rankings = [check for check in report.rankings if check.paper == paper.key]
    if claims or paper.unchecked or paper.note:
        yield f"{level} {_plain(paper.name)}"
        yield _plain(f"{paper.authors}: {paper.title}. {paper.citation}.")
        yield from (_plain(text) for text in (read_as(paper), correlations_fit(rankings)) if text)
        yield from (paragraph(claim) for claim in claims if not claim.small)
        if small := [claim for claim in claims if claim.small]:
            yield "Small slips, by which nobody is misled:"
            yield from map(paragraph, small)
    yield from _truncated(report.of_paper(paper.key))
    if paper.unchecked:
        yield "Not checked:"
        yield "\n".join(f"- {_plain(table)}: {_plain(why)}" for table, why in paper.unchecked.items())
    if paper.note:
        yield _plain(paper.note)
    if paper.pages:
        yield f"More: {', '.join(f'[{_plain(title)}]({page})' for title, page in paper.pages.items())}."


def read_as(paper: Paper) -> str:
    """Return the texts or versions that were read, and how their numbers differ."""
    named = "; ".join(f"{text} ({name})" if len(paper.texts) > 1 else text for name, text in paper.texts.items())
    word = "Text read" if paper.kind == "paper" else "Looked at"
    return " ".join(part for part in (f"{word}: {named}." if named else "", paper.numbering) if part)


def correlations_fit(checks: Iterable[RankingCheck]) -> str:
    """Count the printed correlations that come out of the printed scores, and of the printed ranks."""
    found = [(c.correlations, len(c.search.plain.matched), c.search.by_ranks, c.search.total) for c in checks]
    if not found:
        return ""
    tables = "; ".join(f"{table}: {scores} and {ranks} of {total}" for table, scores, ranks, total in found)
    scores, ranks, total = (sum(column) for column in zip(*(entry[1:] for entry in found), strict=True))
    verdict = "" if scores == ranks else f" The printed {'scores' if scores > ranks else 'ranks'} fit better."
    return (
        "Rank correlations that come out as Kendall's tau-b of the printed scores, and of the printed ranks: "
        f"{tables}; in all {scores} and {ranks} of {total}.{verdict}"
    )


def cells_in_words(claim: Claim) -> str:
    return "; ".join(
        f"{f'row {cell.row}, ' if cell.row else ''}{cell.quantity}: printed {cell.printed}, computed {cell.ours_text}"
        for cell in claim.cells
    )


def paragraph(claim: Claim) -> str:
    """Return a claim as a paragraph of Markdown."""
    head = f"**{_plain(claim.label)}.**"
    if claim.withdrawn:
        return f"{head} {_plain(claim.explanation)}"
    head = f"{head} *{claim.kind_words}.*"
    where = f"{claim.where}, {cells_in_words(claim)}." if claim.cells else f"{claim.where}."
    quotes = " ".join(f"“{quote}”, {place}." for quote, place in claim.quotes())
    checked = f" *Checked:* {_plain('; '.join(claim.checked))}." if claim.checked else ""
    considered = f" *Considered:* {_plain(claim.considered)}" if claim.considered else ""
    quoted = f" *Printed:* {_plain(quotes)}" if quotes else ""
    return f"{head} {_plain(where)}{quoted} {_plain(claim.explanation)}{considered}{checked}"


def _summary(report: Verification, papers: Iterable[Paper], word: str) -> str:
    total = report.counts_of(papers)
    return (
        f"{total.cells} {word} cells are checked: {total.match} match, {total.explained} differ and are explained, "
        f"{total.unexplained} {'differs' if total.unexplained == 1 else 'differ'} and nothing explains "
        f"{'it' if total.unexplained == 1 else 'them'}."
    )


def _truncated(cells: Iterable[CheckedCell]) -> Iterator[str]:
    groups = groupby((cell for cell in cells if cell.truncated), key=lambda cell: cell.source)
    listed = [
        f"{source} ({', '.join(f'{cell.row} {cell.quantity}'.strip() + f' {cell.printed}' for cell in group)})"
        for source, group in groups
    ]
    if listed:
        words = "Agree with our value truncated, and not with it rounded"
        yield _plain(f"{words}: {'; '.join(listed)}. Such cells count as matches.")


def _plain(text: str) -> str:
    """Text as it is, on one line: what Markdown or HTML would read as its own is escaped."""
    line = " ".join(text.split())
    for mark in "\\`*[]":
        line = line.replace(mark, "\\" + mark)
    return line.replace("<", "&lt;")
