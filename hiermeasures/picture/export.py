"""Files of text: the values of one instance as CSV or a LaTeX table, and labels in LaTeX.

Labels are untrusted: no cell of a CSV can be run by a spreadsheet, and in LaTeX no letter of a
label acts as a command.
"""

import io
import math
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Literal

from hiermeasures.measures import CATALOGUE, Explanation, Measure
from hiermeasures.measures.catalogue import by_family, escaped_latex
from hiermeasures.measures.own import called

# --- values -------------------------------------------------------------------------------------


def values_csv(
    explanation: Explanation,
    keys: Iterable[str] = tuple(CATALOGUE),
    *,
    title: str = "",
    before: Mapping[str, float] | None = None,
) -> str:
    """One row per measure with all digits of its value; an undefined value is an empty cell.

    Parameters
    ----------
    explanation : Explanation
    keys : iterable of measure keys
        The rows, in this order.
    title : str
        What the instance is called; repeated in every row with its classes and changed options, so
        that files can be joined.
    before : mapping of measure key to value, optional
        Values to compare with; adds two columns, the value before and the change.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, explain
    >>> x = explain(Hierarchy.from_edges([("A", "B"), ("A", "C")]), {"B"}, {"C"})
    >>> print(values_csv(x, ["hF"], title="=1+1"))
    instance,true,predicted,options,measure,name,family,better,value
    '=1+1,B,C,,hF,Hierarchical F1,Ancestor sets,higher,0.5
    <BLANKLINE>
    """
    from hiermeasures.formats.safe_csv import SafeWriter  # what else is in formats needs NumPy

    out = io.StringIO()
    writer = SafeWriter(out)
    head = ["instance", "true", "predicted", "options", "measure", "name", "family", "better", "value"]
    writer.writerow([*head, "before", "change"] if before is not None else head)
    settings = "; ".join(f"{name}={getattr(explanation.options, name)}" for name in explanation.options.changed)
    given = [title, ", ".join(sorted(explanation.true)), ", ".join(sorted(explanation.predicted)), settings]
    for key in keys:
        m, value = explanation.measure(key), explanation[key]
        row = [*given, called(key), m.name, m.group.title, m.better, _all_digits(value)]
        if before is not None:
            row += [_all_digits(before[key]), _all_digits(value - before[key])]
        writer.writerow(row)
    return out.getvalue()


def values_latex(
    explanation: Explanation,
    keys: Iterable[str] = tuple(CATALOGUE),
    *,
    caption: str = "",
    before: Mapping[str, float] | None = None,
) -> str:
    r"""A LaTeX table by family: symbol, name, which way is better, and the value to four decimals.
    It needs no package.

    Parameters are those of `values_csv`; the caption is plain text.

    Examples
    --------
    >>> from hiermeasures import Hierarchy, explain
    >>> x = explain(Hierarchy.from_edges([("A", "B"), ("A", "C")]), {"B"}, {"C"})
    >>> print(values_latex(x, ["hF"]).splitlines()[7])
    $\mathrm{hF}$ & Hierarchical F1 & $\uparrow$ & 0.5000 \\
    """
    tabular = values_tabular(map(explanation.measure, keys), explanation, before=before)
    return latex_table(tabular, latex_label(caption)) + "\n"


def values_tabular(
    measures: Iterable[Measure], values: Mapping[str, float], *, before: Mapping[str, float] | None = None
) -> str:
    """The same for any values, without a number, a caption or a place of its own."""
    columns, head = "llcr", "Symbol & Measure & Better & Value"
    if before is not None:
        columns, head = "llcrrr", f"{head} & Before & Change"
    body: list[str] = []
    for family, members in by_family(measures).items():
        heading = rf"\multicolumn{{{len(columns)}}}{{l}}{{\textit{{{latex_label(family.title)}}}}}"
        body += [r"\hline", rf"{heading} \\", *(rf"{_latex_row(m, values[m.key], before)} \\" for m in members)]
    return latex_tabular(columns, head, body)


def latex_tabular(columns: str, head: str, body: Iterable[str]) -> str:
    """A table in LaTeX that stands where it is put; `body` are its lines."""
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\hline", rf"{head} \\", *body, r"\hline", r"\end{tabular}"]
    return "\n".join(lines)


def latex_table(tabular: str, caption: str = "") -> str:
    """Put a tabular into a floating table, with a number and a caption (LaTeX)."""
    below = [rf"\caption{{{caption}}}"] if caption else []
    return "\n".join([r"\begin{table}", r"\centering", tabular, *below, r"\end{table}"])


def _latex_row(measure: Measure, value: float, before: Mapping[str, float] | None) -> str:
    arrow = r"$\uparrow$" if measure.better == "higher" else r"$\downarrow$"
    cells = [f"${measure.symbol}$", latex_label(measure.name), arrow, _latex_number(value)]
    if before is not None:
        cells += [_latex_number(before[measure.key]), _latex_number(value - before[measure.key], sign="+")]
    return " & ".join(cells)


def _latex_number(value: float, sign: Literal["", "+"] = "") -> str:
    if math.isnan(value):
        return "--"
    text = f"{round(value, 4) + 0.0:{sign}.4f}"
    return f"${text}$" if text[0] in "+-" else text


def _all_digits(value: float) -> str | float:
    return "" if math.isnan(value) else value


# --- labels in LaTeX ----------------------------------------------------------------------------

_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030a": "r", "\u030c": "v",
    "\u0304": "=", "\u0306": "u", "\u0307": ".", "\u030b": "H", "\u0327": "c",
}  # fmt: skip
_LETTERS = {
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "–": "--", "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''",
    "…": r"\ldots{}", "×": r"$\times$", "−": r"$-$", "·": r"$\cdot$",
    "▲": r"$\bigtriangleup$", "▼": r"$\bigtriangledown$",
    "≤": r"$\leq$", "≥": r"$\geq$", "→": r"$\rightarrow$", "↑": r"$\uparrow$", "↓": r"$\downarrow$",
    "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$", "δ": r"$\delta$", "ε": r"$\varepsilon$",
    "κ": r"$\kappa$", "λ": r"$\lambda$", "μ": r"$\mu$", "π": r"$\pi$",
    "σ": r"$\sigma$", "τ": r"$\tau$", "ω": r"$\omega$", "Δ": r"$\Delta$", "Σ": r"$\Sigma$", "Ω": r"$\Omega$",
    '"': "{''}", "|": r"\textbar{}", "[": "{[}", "]": "{]}",
}  # fmt: skip
_LETTERS |= {letter: f"$^{digit}$" for digit, letter in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
_JOINED = ("--", "''", "``", "?`", "!`", ",,")


def latex_label(text: str) -> str:
    r"""Text for LaTeX in which nothing acts as a command, for every engine and font encoding.

    Letters with accents are written with LaTeX's own accents; an empty group stands only between
    signs that a font would join, such as two hyphens. What is left beyond ASCII appears as itself
    in XeTeX and LuaTeX, and as its number in pdfTeX, which has no letters for it.

    >>> latex_label(r"R&D_1 \input{x}"), latex_label("Zoë")
    ('R\\&D\\_1 \\textbackslash{}input\\{x\\}', 'Zo\\"{e}')
    >>> latex_label("multi-label --dag")
    'multi-label -{}-dag'
    >>> latex_label("鸟")
    '\\ifdefined\\Umathcode 鸟\\else{[}U+9E1F{]}\\fi{}'
    """
    pieces = [*map(_latex_letter, unicodedata.normalize("NFC", text)), " "]
    return "".join(one + "{}" * (one[-1] + other[0] in _JOINED) for one, other in pairwise(pieces))


def _latex_letter(letter: str) -> str:
    if letter in _LETTERS:
        return _LETTERS[letter]
    if letter.isascii() or not letter.isprintable():
        return escaped_latex(letter)
    parts = unicodedata.normalize("NFD", letter)
    if len(parts) == 2 and parts[1] in _ACCENTS and parts[0].isascii() and parts[0].isalpha():
        return rf"\{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    return rf"\ifdefined\Umathcode {letter}\else{{[}}U+{ord(letter):04X}{{]}}\fi{{}}"
