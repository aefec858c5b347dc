"""The text of docs/which-measure.md and the claims of docs/claims.md, computed and checked.

In docs/which-measure.md, text in braces is computed (verify/claims.py) or is a cell of the
behaviour matrix with its proof. A typed number is refused. So is a list item without a computed
part, a link, or a colon before fenced code. The evidence below a claim is folded. Fenced code is
copied, and the tests run it.
"""

import re
from textwrap import indent

from docs.make.behaviour_page import cell_text
from docs.make.links import anchor
from hiermeasures.debug.properties import PROPERTIES
from hiermeasures.debug.search import Verdicts
from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.measures import CATALOGUE, FAMILIES, find_measure
from hiermeasures.verify.claims import KINDS, claims, computed
from hiermeasures.verify.values import DoesNotHold

_BLOCK = re.compile(r"^```.*?^```$\n?", re.MULTILINE | re.DOTALL)
_EVIDENCE = re.compile(r"(?<=\S\n)(?: {4}- .*(?:\n|\Z))+", re.MULTILINE)


class Matrix:
    """The behaviour matrix. The text names its cells."""

    def __init__(self, verdicts: Verdicts) -> None:
        self._verdicts = verdicts

    def cell(self, text: str) -> str:
        """Return `hF keeps symmetric` or `hF breaks symmetric` as a link to the cell.

        A broken cell comes with its proof. Other texts give "".

        Raises
        ------
        DoesNotHold
            If the matrix contradicts the text.
        InputError
            If the property or the measure is unknown.
        """
        words = text.split()
        if len(words) != 3 or words[1] not in ("keeps", "breaks"):
            return ""
        key, prop = find_measure(words[0]).key, words[2]
        if prop not in self._verdicts:
            raise InputError(unknown("property", prop, PROPERTIES))
        verdict = self._verdicts[prop][key]
        mark = cell_text(verdict)
        if mark[0] != ("✓" if words[1] == "keeps" else "✗"):
            raise DoesNotHold(f"{shown(text)} does not hold: the cell is {mark}")
        if verdict.example is None:
            return _link(key, mark, prop, FAMILIES[CATALOGUE[key].family].title)
        return f"{_link(key, mark, prop, PROPERTIES[prop].name)} `{verdict.example.pictures}`: {verdict.example.change}"

    def only(self, text: str) -> str:
        """Return `only hamming, all_pairs keep symmetric` as links to the cells.

        Raises
        ------
        DoesNotHold
            If other measures keep the property, or one of these breaks it.
        """
        if not text.startswith("only "):
            return ""
        measures, _, prop = text.removeprefix("only ").partition(" keep ")
        named = measures.split(", ")
        keeping = {k for k, v in self._verdicts[prop].items() if v.holds and v.tested}
        if keeping != set(named):
            raise DoesNotHold(f"{shown(text)} does not hold: {', '.join(sorted(keeping))} do")
        *links, last = [self.cell(f"{key} keeps {prop}") for key in named]
        return f"only {', '.join(links)} and {last} charge it in every pair"


def _link(key: str, verdict: str, prop: str, heading: str) -> str:
    return f'[`{key}` {verdict}](behaviour.md#{anchor(heading)} "{prop}")'


def prove(text: str, matrix: Matrix) -> str:
    """Return a text with computed values in place of its braces.

    Parameters
    ----------
    text : str
        The Markdown of the page.
    matrix : Matrix
        The behaviour matrix. The text names its cells.

    Raises
    ------
    InputError
        If a claim is false or cannot be read, a number is typed in, or a list item has no proof.

    Examples
    --------
    >>> prove("On {on R>a R>b; T = {a}, P = {b}} hF is {hF = 0.5}.", Matrix({}))
    'On `R>a R>b; T = {a}, P = {b}` hF is 0.5.'
    """
    found, at = [], 0
    for block in _BLOCK.finditer(text):
        found += [_prose(text[at : block.start()], matrix), block[0]]
        at = block.end()
    return "".join([*found, _prose(text[at:], matrix)])


def _prose(text: str, matrix: Matrix) -> str:
    return "\n\n".join(_paragraph(part, matrix) for part in text.split("\n\n"))


def _paragraph(text: str, matrix: Matrix) -> str:
    """Return a paragraph. List items are proved one by one, because each names its instance."""
    items = re.split(r"\n(?=- )", text)
    for item in items:
        if item.lstrip().startswith("- ") and not re.search(r"\{|\]\(|:$", item):
            raise InputError(f"nothing proves {shown(item.strip())}")
    return "\n".join(
        computed(item, lambda part: matrix.cell(part) or matrix.only(part)) for item in items
    )


def fold_evidence(text: str) -> str:
    """Return the text with the list below each list item folded under *Evidence*."""
    return _EVIDENCE.sub(
        lambda found: '\n    ??? quote "Evidence"\n\n' + indent(found[0], "    ") + "\n", text
    )


def check_claims() -> str:
    """Return every claim with its evidence, computed now."""
    lines = []
    for kind, about in KINDS.items():
        lines += [f"## {kind.capitalize()}", "", about, ""]
        for each in claims():
            if each.kind == kind:
                lines += [f"- “{each.says}”" + f" *Proof:* {each.because}." * bool(each.because)]
                lines += [f"    - {said}" for said in each.evidence()]
        lines.append("")
    return "\n".join(lines)
