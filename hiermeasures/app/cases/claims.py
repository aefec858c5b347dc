"""HTML of cells that differ and of claims about papers; what a case file says is escaped."""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from hiermeasures.app.cases.html import chip, grouped, leading, paragraph, quantity, titled
from hiermeasures.cases import CheckedCell
from hiermeasures.cases.claims import KIND_WORDS, Claim
from hiermeasures.cases.errata import cells_in_words
from hiermeasures.measures import CATALOGUE


def discrepancies(cells: Iterable[CheckedCell], made: Iterable[Claim] = ()) -> str:
    """Return cells that do not match with both numbers, by explanation, with its claim."""
    chosen = [c for c in cells if c.status != "match"]
    groups = grouped(chosen, lambda c: (c.status, c.explanation, c.source))
    of_cell = {cell: claim for claim in made for cell in claim.cells}
    return "".join(_note(group, of_cell.get(group[0])) for group in groups.values())


def _note(cells: Sequence[CheckedCell], claim: Claim | None) -> str:
    first = cells[0]
    shared = first.variant if len(cells) > 1 and len({c.variant for c in cells}) == 1 else ""
    items = "".join(f"<li>{_difference(c, shared)}</li>" for c in cells)
    variant = f"<p>Variant: {quantity(shared)}.</p>" if shared and shared not in first.explanation else ""
    reason = first.explanation or "Nothing tried so far reproduces the printed value."
    status = chip(first.status, first.status)
    head, rest = (_head(claim), _quotes(claim) + _considered(claim)) if claim else ("", "")
    return f'<div class="note {first.status}">{head}{status}<ul>{items}</ul>{variant}{paragraph(reason)}{rest}</div>'


def _difference(cell: CheckedCell, shared: str) -> str:
    """One cell with both numbers and the variant's, which is named once if cells share it."""
    if cell.row in CATALOGUE:
        where = f"{escape(cell.source)}, {quantity(cell.row)} and {quantity(cell.column)}"
    else:
        where = f"{escape(cell.source)}{f', row {escape(cell.row)}' if cell.row else ''}, {quantity(cell.quantity)}"
    numbers = f'printed <b class="num">{escape(cell.printed)}</b>, ours <b class="num">{escape(cell.ours_text)}</b>'
    if not cell.variant:
        return f"{where}: {numbers}."
    word = "reproduced by" if cell.status == "explained" else "tried"
    gives = "the variant gives" if shared else f"{word} {quantity(cell.variant)}:"
    return f'{where}: {numbers}; {gives} <b class="num">{escape(cell.variant_text)}</b>.'


def claims(entries: Iterable[Claim], link: Callable[[Claim], str] = lambda claim: "") -> str:
    """Claims about a paper; `link` gives the address of the case of one, or nothing."""
    return "".join(_claim(claim, link(claim)) for claim in entries)


def _claim(claim: Claim, address: str) -> str:
    shown = "".join(f"<li>{escape(text)}</li>" for text in claim.checked)
    cells = f": {cells_in_words(claim)}" if claim.cells else ""
    where = f"<div><b>{escape(claim.where)}</b>{escape(cells)}</div>" if claim.where else ""
    return (
        f'<div class="note erratum">{_head(claim, address)}{where}{_quotes(claim)}{paragraph(claim.explanation)}'
        + _considered(claim)
        + (f'<p class="quiet">Checked:</p><ul class="quiet">{shown}</ul>' if shown else "")
        + "</div>"
    )


def _head(claim: Claim, address: str = "") -> str:
    meaning = "" if claim.withdrawn else KIND_WORDS[claim.kind][1]
    label = leading(f"claim {claim.label}", address, claim.label, "Beside its case") if address else escape(claim.label)
    return (
        f'<div class="claim"><span class="num" id="{escape(claim.label)}">{label}</span> '
        f'<span class="status"{titled(meaning)}>{escape(claim.kind_words)}</span></div>'
    )


def _quotes(claim: Claim) -> str:
    quotes = "".join(
        f'<blockquote>{escape(quote)}</blockquote><p class="quiet">{escape(place)}</p>'
        for quote, place in claim.quotes()
    )
    return f"<details><summary>What is printed</summary>{quotes}</details>" if quotes else ""


def _considered(claim: Claim) -> str:
    return f'<p class="quiet">Considered: {escape(claim.considered)}</p>' if claim.considered else ""
