"""docs/which-measure.md and docs/claims.md: what is said of measures, computed and checked.

The text of the first stands in hiermeasures/guide. It is Markdown; what stands in braces is
computed (verify/claims.py), or is a cell of the behaviour matrix, read from docs/behaviour.md, with
its proof explained anew. A number that is typed in is refused, and so is a list item that holds
nothing computed, no link, and no colon before fenced code. Fenced code is copied; the tests run it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import hiermeasures.verify
from docs.make.links import anchor
from hiermeasures.debug.properties import PROPERTIES
from hiermeasures.debug.search import JUDGED
from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.measures import CATALOGUE, FAMILIES, find_measure
from hiermeasures.verify.claims import KINDS, claims, computed, pictured
from hiermeasures.verify.values import DoesNotHold

SOURCE = Path(hiermeasures.verify.__file__).with_name("which-measure.md")
_BLOCK = re.compile(r"^```.*?^```$\n?", re.MULTILINE | re.DOTALL)
_CELL = re.compile(r"(?P<measure>\w+) (?P<verb>keeps|breaks) (?P<property>\w+)")
_ONLY = re.compile(r"only (?P<measures>\w+(?:, \w+)*) keep (?P<property>\w+)")


class Matrix:
    """The tables and proofs of docs/behaviour.md."""

    def __init__(self, page: str) -> None:
        self._page = page

    def cell(self, text: str) -> str:
        """Write `hF keeps symmetric` or `hF breaks symmetric` as a link to the cell, a broken one
        with its proof; empty for other texts.

        Raises
        ------
        InputError
            Where the matrix says otherwise, and for a property or measure that it does not have.
        """
        match = _CELL.fullmatch(text)
        if not match:
            return ""
        key, prop = match["measure"], match["property"]
        if prop not in PROPERTIES:
            raise InputError(unknown("property", prop, PROPERTIES))
        found = self._verdict(find_measure(key).key, prop)
        if found[0] != ("✓" if match["verb"] == "keeps" else "✗"):
            raise DoesNotHold(f"{shown(text)} does not hold: the cell is {found}")
        if match["verb"] == "keeps":
            return _link(key, found, prop, FAMILIES[CATALOGUE[key].family].title)
        return f"{_link(key, found, prop, PROPERTIES[prop].name)} {self._example(key, prop)}"

    def only(self, text: str) -> str:
        """Write `only hamming, all_pairs keep symmetric`: of all measures these, and no others.

        Raises
        ------
        DoesNotHold
            Where others do, or one of them does not.
        """
        match = _ONLY.fullmatch(text)
        if not match:
            return ""
        prop = match["property"]
        keeping = {k for k in JUDGED if self._verdict(k, prop).startswith("✓")}
        if keeping != set(match["measures"].split(", ")):
            raise DoesNotHold(f"{shown(text)} does not hold: {', '.join(sorted(keeping))} do")
        links = [self.cell(f"{key} keeps {prop}") for key in match["measures"].split(", ")]
        return f"only {', '.join(links[:-1])} and {links[-1]} charge it in every pair"

    def _verdict(self, key: str, prop: str) -> str:
        title = FAMILIES[CATALOGUE[key].family].title
        section = self._section(f"## {title}")
        head, row = (
            next(
                (line.strip("| \n").split(" | ") for line in section if line.startswith(start)), []
            )
            for start in ("| property |", f"| `{prop}` |")
        )
        if f"`{key}`" not in head or not row:
            raise InputError(f"docs/behaviour.md has no cell for {shown(key)} and {shown(prop)}")
        # without the settings under which it changes
        return row[head.index(f"`{key}`")].partition(" · ")[0]

    def _example(self, key: str, prop: str) -> str:
        for line in self._section(f"### {PROPERTIES[prop].name}"):
            match = re.match(rf"- `([^`]+)`: .*?`{key}` (\S+ → [^\s,]+)", line)
            if match:
                values = " → ".join(
                    f"{round(value, 9) + 0.0:.4g}" for value in _values(match[1], key)
                )
                if values != match[2]:
                    raise DoesNotHold(f"on {match[1]} {key} is {values}, not {match[2]}")
                return f"`{match[1]}`: {values}"
        raise InputError(f"docs/behaviour.md has no proof for {shown(key)} and {shown(prop)}")

    def _section(self, heading: str) -> list[str]:
        lines = self._page.splitlines()
        if heading not in lines:
            raise InputError(f"docs/behaviour.md has no {shown(heading)}")
        after = lines[lines.index(heading) + 1 :]
        end = next((k for k, line in enumerate(after) if line.startswith("#")), len(after))
        return after[:end]


def _link(key: str, verdict: str, prop: str, heading: str) -> str:
    return f'[`{key}` {verdict}](behaviour.md#{anchor(heading)} "{prop}")'


def _values(pictures: str, key: str) -> Iterator[float]:
    for case in pictured(pictures).cases:
        yield case.explained[key]


def guide_page(text: str, behaviour: str) -> str:
    """Return a text with what stands in braces computed.

    Parameters
    ----------
    text : str
        The Markdown of the page.
    behaviour : str
        docs/behaviour.md, from which the cells of the behaviour matrix are read.

    Raises
    ------
    InputError
        For a claim that does not hold or cannot be read, a number that is typed in, a list item
        that proves nothing.

    Examples
    --------
    >>> guide_page("On {on R>a R>b; T = {a}, P = {b}} hF is {hF = 0.5}.", "")
    'On `R>a R>b; T = {a}, P = {b}` hF is 0.5.'
    """
    matrix = Matrix(behaviour)
    found, at = [], 0
    for block in _BLOCK.finditer(text):
        found += [_prose(text[at : block.start()], matrix), block[0]]
        at = block.end()
    return "".join([*found, _prose(text[at:], matrix)])


def _prose(text: str, matrix: Matrix) -> str:
    return "\n\n".join(_paragraph(part, matrix) for part in text.split("\n\n"))


def _paragraph(text: str, matrix: Matrix) -> str:
    """A paragraph; of a list each item by itself, for an item names its instance."""
    items = re.split(r"\n(?=- )", text)
    for item in items:
        if item.lstrip().startswith("- ") and not re.search(r"\{|\]\(|:$", item):
            raise InputError(f"nothing proves {shown(item.strip())}")
    return "\n".join(
        computed(item, lambda part: matrix.cell(part) or matrix.only(part)) for item in items
    )


_CLAIMS = """# What is claimed, and how it is known

Made from `hiermeasures/verify/claims.yaml` by `python -m docs.make.generated`, and checked by `hiermeasures verify`. These
are sentences of the documentation, the lessons and the docstrings that claim something of a measure in general. Others
have their evidence next to them, as on [Which measure should I report?](which-measure.md). Options have their defaults, and a real root counts, unless a sentence or its search says
otherwise. What the papers' figures and tables say is [checked by itself](errata.md), and which property
each measure keeps is [searched](behaviour.md). [References](references.md) says what was read of each work.
"""


def claims_page() -> str:
    """docs/claims.md: every claim with its evidence, computed now."""
    lines = [_CLAIMS]
    for kind, about in KINDS.items():
        lines += [f"## {kind.capitalize()}", "", about, ""]
        for each in claims():
            if each.kind == kind:
                lines += [f"- “{each.says}”" + f" *Proof:* {each.because}." * bool(each.because)]
                lines += [f"    - {said}" for said in each.evidence()]
        lines.append("")
    return "\n".join(lines)
