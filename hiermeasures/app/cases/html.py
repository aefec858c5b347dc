"""HTML of counts, published cells, figures, rankings, judgements and claims on the Cases page, by
pure functions of a report.

Everything that comes from a case file is escaped (`tag`). A status is always a word; colour repeats
it.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import TypeVar
from urllib.parse import urlsplit

from hiermeasures.cases import Case, CheckedCell, Fault, Paper
from hiermeasures.cases.format import FigureFile, SituationEntry
from hiermeasures.cases.quantities import KINDS
from hiermeasures.cases.rankings import Ranking
from hiermeasures.cases.verification import KIND_WORDS, STATUSES, Claim, Counts, RankingCheck, Status, cells_in_words
from hiermeasures.core.options import Options
from hiermeasures.measures import CATALOGUE
from hiermeasures.picture.layout import Point
from hiermeasures.picture.scene import shown_label
from hiermeasures.picture.svg import Image, document, text

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)

THUMBNAIL, LARGE = 150.0, 300.0  # heights in pixels
CARD = 300.0  # width in pixels
ACROSS = 64.0  # sizes of rank lines, in pixels
DOWN, CLOSEST, TALLEST = 18.0, 9.0, 160.0
SIGNS = {r"\Delta": "Δ", r"\ell": "ℓ", r"\hat": ""}
MEANINGS: Mapping[str, str] = {
    "match": "Our value, rounded or truncated to the printed digits, is what is printed.",
    "explained": "Our value differs from the print, and we know why: a variant reproduces the printed value.",
    "unexplained": "Our value differs from the print, and nothing tried reproduces it.",
}


class Html(str):
    """A text that is HTML."""


def joined(*parts: str) -> Html:
    """Parts one after another; what is no HTML is escaped."""
    return Html("".join(part if isinstance(part, Html) else escape(part) for part in parts))


def tag(name: str, *parts: str, kind: str = "", title: str = "", **attributes: str) -> Html:
    """An element of a class, with what is in it, and with a title for those who point at it.

    >>> tag("p", "a < b", tag("b", "c"), kind="lead")
    '<p class="lead">a &lt; b<b>c</b></p>'
    """
    given = {"class": kind, "title": title, **attributes}
    written = "".join(f' {key.replace("_", "-")}="{escape(value)}"' for key, value in given.items() if value)
    return Html(f"<{name}{written}>{joined(*parts)}</{name}>")


def block(*parts: str) -> Html:
    """Parts under the page's style."""
    return tag("div", *parts, kind="hm")


def paragraph(*parts: str, kind: str = "") -> Html:
    """A paragraph; nothing for no text."""
    return tag("p", *parts, kind=kind) if any(parts) else Html()


def heading(text: str, level: int = 3) -> Html:
    return tag(f"h{level}", text)


def table(head: Iterable[str], rows: Iterable[Iterable[str]], kind: str = "lined") -> Html:
    """Return a table that scrolls sideways, of cells of a head and of rows."""
    body = tag("tbody", *(tag("tr", *row) for row in rows))
    return tag("div", tag("table", tag("thead", tag("tr", *head)), body, kind=kind), kind="scroll")


def right(*parts: str) -> Html:
    return tag("td", *parts, kind="right num")


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Items by a key, keys in the order in which they come."""
    groups: dict[Key, list[Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def citation(paper: Paper) -> Html:
    """Where a paper was published, with a link where it gives an address of the web."""
    words = f"{paper.authors}: {paper.title}. {paper.citation}."
    if urlsplit(paper.url).scheme not in ("http", "https"):
        return paragraph(words, kind="quiet cite")
    link = tag("a", "Read it" if paper.kind == "paper" else "Its home", href=paper.url, target="_blank")
    return paragraph(f"{words} ", link, kind="quiet cite")


def leading(key: str, address: str, words: str, about: str = "") -> Html:
    """A link that gives its key to the page (contents.js)."""
    return tag("a", words, href=address, data_leads=key, title=about)


# --- figures --------------------------------------------------------------------------------------


def thumbnails(drawn: Iterable[tuple[str, Image]], more: str = "") -> Html:
    figures = (
        tag("figure", Html(image.html(THUMBNAIL)), tag("figcaption", caption) if caption else "")
        for caption, image in drawn
    )
    return tag("div", *figures, tag("span", more, kind="more") if more else "", kind="thumbs")


def card(drawn: Sequence[tuple[str, Image]], of: int) -> Html:
    """Return as many drawings as a card has room for at a readable size, and of how many."""
    room, chosen = CARD, 0
    for _, image in drawn:
        room -= image.width * min(1.0, THUMBNAIL / image.height) + 16.0
        chosen += room >= 0.0 or not chosen
    return thumbnails(drawn[:chosen], f"{chosen} of {of}" if chosen < of else "")


def part(case: Case, entries: FigureFile, drawn: Image) -> Html:
    """A sub-figure: its title, drawing, and what is not said about the figure as a whole."""
    several = bool(entries.cases)
    return joined(
        heading(f"({case.part}) {case.title}" if case.part else case.title) if several else "",
        paragraph(case.teaches if several and case.teaches != entries.teaches else ""),
        tag("div", Html(drawn.html(LARGE)), kind="drawn"),
        _facts(case),
        reconstructed(case.reconstructed if case.reconstructed != entries.reconstructed else ""),
    )


def reconstructed(text: str) -> Html:
    return paragraph(f"Reconstructed: {text}" if text else "", kind="quiet")


def _facts(case: Case) -> Html:
    parts: list[str] = []
    for side, classes, paths in (
        ("true", case.true, case.true_paths),
        ("predicted", case.predicted, case.predicted_paths),
    ):
        if paths:
            parts.append(f"{side} path{'s' * (len(paths) > 1)} {'; '.join(' > '.join(path) for path in paths)}")
        elif classes:
            parts.append(f"{side} {', '.join(sorted(classes))}")
    for name, value in case.options.items():
        field = Options.model_fields.get(name)
        shown = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
        shown = f"{shown:g}" if isinstance(shown, float) else str(shown)
        parts.append(joined(tag("abbr", name, title=(field.description or "") if field else ""), " ", shown))
    between = [piece for part in parts for piece in (" · ", part)]
    return paragraph(*between[1:], kind="quiet")


# --- counts ---------------------------------------------------------------------------------------


def summary(counts: Counts) -> Html:
    entries = [tag("div", tag("dt", "cells checked"), tag("dd", str(counts.cells)))]
    for status in STATUSES:
        term = tag("dt", tag("i", kind=f"swatch {status}"), status, title=MEANINGS[status])
        entries.append(tag("div", term, tag("dd", str(getattr(counts, status)))))
    return tag("dl", *entries, kind="counts")


def paper_counts(papers: Iterable[tuple[str, Counts]]) -> Html:
    names = ("cells", *STATUSES)
    head = [tag("th", name, kind="right", title=MEANINGS.get(name, "")) for name in names]
    rows = []
    for paper, counts in papers:
        found = {name: getattr(counts, name) for name in names}
        bar = (tag("i", kind=s, style=f"flex:{found[s]}") for s in STATUSES if found[s])
        cells = (right(str(n)) for n in found.values())
        rows.append((tag("td", paper), *cells, tag("td", tag("div", *bar, kind="bar", aria_hidden="true"))))
    return table((tag("th", "paper"), *head, tag("td")), rows, "lined papers")


def chips(counts: Counts) -> Html:
    words = [chip(status, f"{getattr(counts, status)} {status}") for status in STATUSES if getattr(counts, status)]
    return tag("div", *(words or [tag("span", "no published values", kind="status")]), kind="chips")


def chip(status: Status, words: str, meaning: str = "") -> Html:
    return tag("span", words, kind=f"status {status}", title=meaning or MEANINGS[status])


# --- published cells ------------------------------------------------------------------------------


def published(cells: Sequence[CheckedCell], label: Callable[[str], str], address: str) -> Html:
    """All published cells beside ours. `label` names a case by its key; a row of one case leads to
    it in the Explorer, in another tab to the figure's `address`.
    """
    parts = []
    for source, group in grouped(cells, lambda c: c.source).items():
        in_table, single = [c for c in group if c.row], [c for c in group if not c.row]
        parts += [heading(source), _table(in_table, address), _singles(single, label, address)]
    return joined(*parts)


def _leading_to(cells: Iterable[CheckedCell], address: str, words: str) -> str:
    cases = {c.case for c in cells}
    if len(cases) > 1 or "" in cases:
        return words
    return leading(f"case {cases.pop()}", address, words, "Open in the Explorer")


def _table(cells: Sequence[CheckedCell], address: str) -> Html:
    """A printed table: under every printed row ours, and the status."""
    if not cells:
        return Html()
    doubled = {c.column for c in cells if "," in c.column}
    name = {c: (c.quantity if c.column in doubled else c.column) for c in cells}
    columns = list(dict.fromkeys(name.values()))
    body = []
    for row, group in grouped(cells, lambda c: c.row).items():
        at = {name[c]: c for c in group}
        lines = [
            [tag("th", side, kind="side"), *(_cell(at.get(column), words) for column in columns)]
            for side, words in LINES.items()
        ]
        lines[0].insert(0, tag("th", _leading_to(group, address, row), rowspan="3"))
        body.append(tag("tbody", *(tag("tr", *line) for line in lines), kind="row"))
    head = tag("thead", tag("tr", tag("td"), tag("td"), *(tag("th", quantity(column)) for column in columns)))
    return tag("div", tag("table", head, *body, kind="cells"), kind="scroll")


def _cell(cell: CheckedCell | None, words: Callable[[CheckedCell], str]) -> Html:
    return tag("td", words(cell), kind=cell.status) if cell else tag("td")


def status_word(cell: CheckedCell) -> Html:
    if cell.truncated:
        meaning = "The printed digits are those of our value, truncated instead of rounded."
        return chip(cell.status, "match (truncated)", meaning)
    return chip(cell.status, cell.status)


LINES: Mapping[str, Callable[[CheckedCell], str]] = {
    "printed": lambda cell: cell.printed,
    "ours": lambda cell: cell.ours_text,
    "status": status_word,
}


def _singles(cells: Sequence[CheckedCell], label: Callable[[str], str], address: str) -> Html:
    if not cells:
        return Html()
    several = len({c.case for c in cells}) > 1
    rows = []
    for c in cells:
        figure = [tag("td", _leading_to([c], address, label(c.case)), kind="words")] if several else []
        rows.append([tag("td", quantity(c.quantity)), *figure, *(_cell(c, words) for words in LINES.values())])
    head = ["value", *(["figure"] if several else []), *LINES]
    return table((tag("th", title) for title in head), rows, "cells lined")


def quantity(text: str) -> Html:
    """A quantity as the papers write it, with what it means for those who point at it."""
    rest = re.sub(r"\A\w+", "", text)
    name = text[: len(text) - len(rest)]
    if name in CATALOGUE:
        measure = CATALOGUE[name]
        words = tag("abbr", symbol(measure.symbol), title=f"{measure.name}: {measure.description}")
        return joined(words, rest)
    if name in KINDS:
        return joined(tag("abbr", name, title=KINDS[name].meaning.capitalize()), rest)
    return joined(text)


def symbol(latex: str) -> Html:
    r"""A symbol of the catalogue as HTML.

    >>> symbol(r"F_{LCA}^{ex}"), symbol(r"l_\Delta"), symbol(r"\mathrm{MGIA}")
    ('F<sub>LCA</sub><sup>ex</sup>', 'l<sub>Δ</sub>', 'MGIA')
    """
    text = escape(latex)
    for sign, letter in SIGNS.items():
        text = text.replace(sign, letter)
    text = re.sub(r"\\math(?:rm|it)\{([^{}]*)\}", r"\1", text)
    text = re.sub(r"_(?:\{([^{}]*)\}|(\w))", r"<sub>\1\2</sub>", text)
    return Html(re.sub(r"\^(?:\{([^{}]*)\}|(\w))", r"<sup>\1\2</sup>", text))


# --- faults, discrepancies and claims ------------------------------------------------------------


def unchecked(paper: Paper) -> Html:
    rows = (tag("li", tag("b", name), f": {why}") for name, why in paper.unchecked.items())
    return joined(paragraph("Published tables that are not checked, and why:"), tag("ul", *rows, kind="quiet"))


def faults(title: str, entries: Sequence[Fault]) -> Html:
    rows = [(tag("td", f.file, kind="num"), right(str(f.line)), tag("td", f.reason, kind="words")) for f in entries]
    head = (tag("th", "file"), tag("th", "line", kind="right"), tag("th", "reason"))
    return tag("div", tag("b", title), table(head, rows), kind="fault", role="alert")


def discrepancies(cells: Iterable[CheckedCell], made: Iterable[Claim] = ()) -> Html:
    chosen = [c for c in cells if c.status != "match"]
    of_cell = {cell: claim for claim in made for cell in claim.cells}
    notes = []
    for group in grouped(chosen, lambda c: (c.status, c.explanation, c.source)).values():
        first, claim = group[0], of_cell.get(group[0])
        shared = first.variant if len(group) > 1 and len({c.variant for c in group}) == 1 else ""
        unsaid = shared and shared not in first.explanation
        notes.append(
            tag(
                "div",
                _head(claim) if claim else "",
                chip(first.status, first.status),
                tag("ul", *(tag("li", _difference(c, shared)) for c in group)),
                paragraph("Variant: ", quantity(shared), ".") if unsaid else "",
                paragraph(first.explanation or "Nothing tried so far reproduces the printed value."),
                joined(_quotes(claim), _considered(claim)) if claim else "",
                kind=f"note {first.status}",
            )
        )
    return joined(*notes)


def _difference(cell: CheckedCell, shared: str) -> Html:
    """One cell with both numbers and the variant's, which is named once if cells share it."""
    if cell.row in CATALOGUE:
        where = joined(f"{cell.source}, ", quantity(cell.row), " and ", quantity(cell.column))
    else:
        where = joined(f"{cell.source}, " + f"row {cell.row}, " * bool(cell.row), quantity(cell.quantity))
    ours = joined(where, ": printed ", _number(cell.printed), ", ours ", _number(cell.ours_text))
    if not cell.variant:
        return joined(ours, ".")
    word = "reproduced by" if cell.status == "explained" else "tried"
    gives = "the variant gives" if shared else joined(f"{word} ", quantity(cell.variant), ":")
    return joined(ours, "; ", gives, " ", _number(cell.variant_text), ".")


def _number(printed: str) -> Html:
    return tag("b", printed, kind="num")


def claims(entries: Iterable[Claim], link: Callable[[Claim], str] = lambda claim: "") -> Html:
    """Claims about a paper; `link` gives the address of the case of one, or nothing."""
    notes = []
    for claim in entries:
        cells = f": {cells_in_words(claim)}" if claim.cells else ""
        checked = tag("ul", *(tag("li", text) for text in claim.checked), kind="quiet")
        notes.append(
            tag(
                "div",
                _head(claim, link(claim)),
                tag("div", tag("b", claim.where), cells) if claim.where else "",
                _quotes(claim),
                paragraph(claim.explanation),
                _considered(claim),
                joined(paragraph("Checked:", kind="quiet"), checked) if claim.checked else "",
                kind="note erratum",
            )
        )
    return joined(*notes)


def _head(claim: Claim, address: str = "") -> Html:
    meaning = "" if claim.withdrawn else KIND_WORDS[claim.kind][1]
    label = leading(f"claim {claim.label}", address, claim.label, "Beside its case") if address else claim.label
    kind = tag("span", claim.kind_words, kind="status", title=meaning)
    return tag("div", tag("span", label, kind="num", id=claim.label), " ", kind, kind="claim")


def _quotes(claim: Claim) -> Html:
    quotes = [joined(tag("blockquote", quote), paragraph(place, kind="quiet")) for quote, place in claim.quotes()]
    return tag("details", tag("summary", "What is printed"), *quotes) if quotes else Html()


def _considered(claim: Claim) -> Html:
    return paragraph(f"Considered: {claim.considered}" if claim.considered else "", kind="quiet")


# --- rankings and judgements ---------------------------------------------------------------------


def ranking_table(ranking: Ranking) -> Html:
    rows = []
    for system, scores, ranks in zip(ranking.systems, ranking.scores, ranking.ranks, strict=True):
        of_ranks = (tag("span", f"({rank})", kind="rank", title="printed rank") for rank in ranks)
        cells = (tag("td", f"{s} ", rank, kind="right") for s, rank in zip(scores, of_ranks, strict=True))
        rows.append((tag("th", system), *cells))
    head = (tag("th", quantity(m), kind="right") for m in ranking.measures)
    return table((tag("th", "system"), *head), rows, "cells lined")


def correlation_table(cells: Sequence[CheckedCell]) -> Html:
    columns = list(dict.fromkeys(c.column for c in cells))
    body = []
    for row, group in grouped(cells, lambda c: c.row).items():
        shown = {
            c.column: tag(
                "td", c.printed, tag("small", f"ours {c.ours_text}"), status_word(c), kind=f"kendall {c.status}"
            )
            for c in group
        }
        body.append((tag("th", quantity(row)), *(shown.get(column, tag("td")) for column in columns)))
    return table((tag("td"), *(tag("th", quantity(c)) for c in columns)), body, "cells lined")


def readings_table(check: RankingCheck) -> Html:
    """Every way tried to read the ranking, and how much of the correlation table it gives."""
    search, rows = check.search, []
    for reading in search.readings:
        changes = "; ".join(map(str, reading.changes)) or "nothing"
        rows.append(
            (
                tag("td", f"tau-{reading.tau} of the printed {reading.basis}"),
                tag("td", changes, tag("b", " (best)") if reading == search.best else "", kind="words"),
                right(f"{len(reading.matched)} of {search.total}"),
                right(str(reading.alternatives)),
                right(str(reading.tried)),
            )
        )
    numbers = (tag("th", title, kind="right") for title in ("come out", "as good", "tried"))
    return table((tag("th", "read as"), tag("th", "change"), *numbers), rows)


def contradictions(check: RankingCheck) -> Html:
    found = check.printed.contradictions()
    if not found:
        return paragraph("The printed ranks are in the order of the printed scores everywhere.")
    items = (
        tag("li", quantity(m), f": {better} is ranked before {worse}, whose printed score is better")
        for m, better, worse in found
    )
    title = tag("b", "Printed ranks in another order than the printed scores")
    return tag("div", title, tag("ul", *items), kind="note plain")


def smallest_change(check: RankingCheck, cells: Sequence[CheckedCell]) -> Html:
    if all(c.status == "match" for c in cells):
        return paragraph(f"None is needed: all {check.search.total} correlations come out of the printed scores.")
    changes = "; ".join(map(str, check.search.best.changes))
    return joined(paragraph(f"Changed: {changes}." if changes else ""), discrepancies(cells))


def rank_lines(ranks: Mapping[str, tuple[float, ...]], columns: Iterable[str]) -> Image:
    """Ranks as lines, the best on top; nan where a system has none in a column.

    >>> rank_lines({"A": (1, 2), "B": (2, 1)}, ["hF", "SP"]).words
    'The ranks of 2 systems by hF, SP.'
    """
    names = list(columns)
    deepest = max((r for row in ranks.values() for r in row if r == r), default=1)
    down = min(DOWN, max(CLOSEST, TALLEST / deepest))
    body = [text(shown_label(name), k * ACROSS, -12, 12.0, "label") for k, name in enumerate(names)]
    for row in ranks.values():
        points = [(k * ACROSS, r * down) for k, r in enumerate(row) if r == r]
        body += [_line(a, b) for a, b in pairwise(points)]
        body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" class="dot"/>' for x, y in points]
    frame = (-40.0, -26.0, ACROSS * max(len(names) - 1, 0) + 80.0, deepest * down + 34.0)
    return document(body, frame, f"The ranks of {len(ranks)} systems by {', '.join(names)}.")


def _line(a: Point, b: Point) -> str:
    """A line that leaves and arrives level, so that crossings can be told from meetings."""
    middle = (a[0] + b[0]) / 2
    curve = f"M{a[0]:.1f} {a[1]:.1f}C{middle:.1f} {a[1]:.1f} {middle:.1f} {b[1]:.1f} {b[0]:.1f} {b[1]:.1f}"
    return f'<path class="edge edge-none" stroke-width="1.3" d="{curve}"/>'


def signs(cells: Sequence[CheckedCell]) -> Html:
    rows = []
    for row, group in grouped(cells, lambda c: c.row).items():
        rows.append(tag("tr", tag("td", row), *(tag("td", c.printed, kind=c.status) for c in group)))
    return tag("div", tag("table", *rows, kind="signs"), kind="thumbs")


def criterion(situation: SituationEntry) -> Html:
    rules = [joined(f"{sign} where ", expression(r)) for sign, r in (("+", situation.plus), ("*", situation.star)) if r]
    rules += [joined("for ", quantity(m), " the error is ", quantity(o)) for m, o in situation.read.items()]
    return joined(
        heading(situation.situation),
        paragraph(situation.criterion),
        paragraph(situation.judgement, kind="quiet"),
        paragraph("Computed: ", Html("; ".join(rules)), ".", kind="quiet"),
    )


def expression(computed: str) -> Html:
    """A criterion as it is computed, names of views in words.

    >>> expression("0 < one_level < two_levels")
    '0 &lt; <i>one level</i> &lt; <i>two levels</i>'
    """
    parts = re.split(r"([A-Za-z_]\w*)", computed.replace("==", "=").replace("*", "·"))
    return joined(*(tag("i", part.replace("_", " ")) if k % 2 else part for k, part in enumerate(parts)))
