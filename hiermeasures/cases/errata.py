"""The errata page: what the papers print that does not come out, one citable paragraph each, made from a verification.

The page is Markdown. Its words come from the case files and from the run; nothing is compared here.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby

from hiermeasures.cases.library import Paper
from hiermeasures.cases.report import CheckedCell, Erratum, RankingCheck, Report

_OPENING = """# Errata of the papers

What is printed in the papers and does not come out when it is computed. The page is made by
`python -m hiermeasures verify --errata FILE` from the case files in `cases/`; every number below is computed in that
run, and every explanation is checked by it. Each paragraph has a label by which it can be cited."""


def errata_page(report: Report) -> str:
    """The errata of all papers in a report, as Markdown.

    Examples
    --------
    >>> from hiermeasures.cases import verify
    >>> page = errata_page(verify(paper="falis2021"))
    >>> next(line for line in page.splitlines() if line.startswith("**"))[:81]
    '**falis2021-1.** Table 1, row Leaf-Only, F1(flat): printed 28.4, computed 28.5714'
    """
    parts = [_OPENING, _summary(report)]
    for paper in report.papers:
        paragraphs = [
            *_cells(report.of_paper(paper.key)),
            *_texts(paper, report.errata),
            *_rankings(paper, report.rankings),
        ]
        if paragraphs:
            parts.append(f"## {_plain(paper.name)}")
            parts.append(_plain(f"{paper.authors}: {paper.title}. {paper.citation}."))
            parts += [f"**{_plain(paper.key)}-{k}.** {text}" for k, text in enumerate(paragraphs, 1)]
        parts += _truncated(report.of_paper(paper.key))
    return "\n\n".join(parts) + "\n"


def _summary(report: Report) -> str:
    total = report.counts
    return (
        f"{total.cells} published cells are checked: {total.match} match, {total.explained} differ and are explained, "
        f"{total.unexplained} {'differs' if total.unexplained == 1 else 'differ'} and nothing explains "
        f"{'it' if total.unexplained == 1 else 'them'}."
    )


def _cells(cells: Iterable[CheckedCell]) -> Iterator[str]:
    """One paragraph for each explanation of cells on a case; the correlations have a paragraph per table of their
    own.
    """
    differing = [cell for cell in cells if cell.case and cell.status != "match"]
    for (source, explanation), group in groupby(differing, key=lambda cell: (cell.source, cell.explanation)):
        several = list(group)
        printed = "; ".join(
            f"{'row ' + cell.row + ', ' if cell.row else ''}{cell.quantity}: "
            f"printed {cell.printed}, computed {cell.ours_text}"
            for cell in several
        )
        variants = list(dict.fromkeys(f"{cell.variant} gives {cell.variant_text}" for cell in several if cell.variant))
        checked = f" Checked: {'; '.join(variants)}." if variants else ""
        yield _plain(f"{source}, {printed}. {explanation or 'Nothing explains it.'}{checked}")


def _texts(paper: Paper, errata: Iterable[Erratum]) -> Iterator[str]:
    for erratum in errata:
        if erratum.paper == paper.key:
            checked = f" Checked: {'; '.join(erratum.shown)}." if erratum.shown else ""
            yield _plain(f"{erratum.where}. {erratum.explanation}{checked}")


def _rankings(paper: Paper, checks: Iterable[RankingCheck]) -> Iterator[str]:
    for check in checks:
        if check.paper != paper.key:
            continue
        if check.summary and not check.search.whole_as_printed:
            left = [f"{a}–{b}" for a, b in sorted(check.search.unexplained)]
            rest = f" Not explained: {', '.join(left)}." if left else ""
            yield _plain(f"{check.correlations}, correlations of {check.ranking}. {check.summary}{rest}")
        for measure, ranked, scored in check.contradictions:
            yield _plain(
                f"{check.ranking}, {measure}. {ranked} is ranked before {scored}, "
                f"but by the printed scores {scored} is better."
            )


def _truncated(cells: Iterable[CheckedCell]) -> Iterator[str]:
    groups = groupby((cell for cell in cells if cell.truncated), key=lambda cell: cell.source)
    listed = [
        f"{source} ({', '.join(f'{cell.row} {cell.quantity}'.strip() + f' {cell.printed}' for cell in group)})"
        for source, group in groups
    ]
    if listed:
        yield _plain(f"Cut off, not rounded: {'; '.join(listed)}. Such cells count as matches.")


def _plain(text: str) -> str:
    """Text as it is, on one line: what Markdown or HTML would read as its own is escaped."""
    line = " ".join(text.split())
    for mark in "\\`*[]":
        line = line.replace(mark, "\\" + mark)
    return line.replace("<", "&lt;")
