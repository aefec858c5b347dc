"""The errata page: the claims about the papers, one citable paragraph each, made from a verification.

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
Each paper says which text of it was read; the journal's numbering may differ."""


def errata_page(report: Verification) -> str:
    """The claims about all papers in a report, as Markdown.

    Examples
    --------
    >>> from hiermeasures.cases import verify
    >>> page = errata_page(verify(paper="falis2021"))
    >>> next(line for line in page.splitlines() if line.startswith("**"))[:63]
    '**falis2021-1.** *Wrong number.* Table 1, row Leaf-Only, F1(fla'
    """
    kinds = "\n".join(f"- *{word}.* {meaning}" for word, meaning in KIND_WORDS.values())
    parts = [_OPENING, kinds, _summary(report)]
    for paper in report.papers:
        claims = [claim for claim in report.claims if claim.paper == paper.key]
        rankings = [check for check in report.rankings if check.paper == paper.key]
        if claims or paper.unchecked:
            parts.append(f"## {_plain(paper.name)}")
            parts.append(_plain(f"{paper.authors}: {paper.title}. {paper.citation}."))
            parts += [_plain(text) for text in (read_as(paper), correlations_fit(rankings)) if text]
            parts += [paragraph(claim) for claim in claims]
        parts += _truncated(report.of_paper(paper.key))
        if paper.unchecked:
            parts.append("Not checked:")
            parts.append("\n".join(f"- {_plain(table)}: {_plain(why)}" for table, why in paper.unchecked.items()))
    return "\n\n".join(parts) + "\n"


def read_as(paper: Paper) -> str:
    """Which texts of a paper were read, and where their numbers differ."""
    named = "; ".join(f"{text} ({name})" if len(paper.texts) > 1 else text for name, text in paper.texts.items())
    return " ".join(part for part in (f"Text read: {named}." if named else "", paper.numbering) if part)


def correlations_fit(checks: Iterable[RankingCheck]) -> str:
    """How many printed correlations come out of the printed scores, and how many of the printed ranks."""
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
    """The published cells of a claim with both numbers."""
    return "; ".join(
        f"{f'row {cell.row}, ' if cell.row else ''}{cell.quantity}: printed {cell.printed}, computed {cell.ours_text}"
        for cell in claim.cells
    )


def paragraph(claim: Claim) -> str:
    """One claim as a paragraph of Markdown."""
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


def _summary(report: Verification) -> str:
    total = report.counts
    return (
        f"{total.cells} published cells are checked: {total.match} match, {total.explained} differ and are explained, "
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
