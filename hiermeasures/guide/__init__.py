"""The page docs/which-measure.md: its text, which stands beside this module, with what it claims computed and checked.

A text is Markdown. What stands in braces is computed: an expression as in a lesson (hiermeasures.lessons.text), on the
instance that the last `{on …}` named; or a proof from the behaviour matrix or from a search, see proofs.py. A number
that is typed in is refused, and so is a list item that holds nothing computed, no link, and no colon before
fenced code. Fenced code is copied; the tests run it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from hiermeasures.errors import InputError, shown
from hiermeasures.guide.proofs import Matrix, instances, searched
from hiermeasures.lessons.text import check_words, parts, piece
from hiermeasures.lessons.values import Subject

SOURCE = Path(__file__).parent / "which-measure.md"
_BLOCK = re.compile(r"^```.*?^```$\n?", re.MULTILINE | re.DOTALL)
_NOTHING = Subject(())


def guide_page(text: str, behaviour: str) -> str:
    """A text with what stands in braces computed.

    Parameters
    ----------
    text : str
        The Markdown of the page.
    behaviour : str
        docs/behaviour.md, from which the cells of the behaviour matrix are read.

    Raises
    ------
    InputError
        For a claim that does not hold or cannot be read, a number that is typed in, a list item that proves nothing.

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
    """A paragraph; of a list, each item by itself, for an instance is named in the item that speaks of it."""
    items = re.split(r"\n(?=- )", text)
    for item in items:
        if item.lstrip().startswith("- ") and not re.search(r"\{|\]\(|:$", item):
            raise InputError(f"nothing proves {shown(item.strip())}")
    return "\n".join("".join(_computed(item, matrix)) for item in items)


def _computed(text: str, matrix: Matrix) -> Iterator[str]:
    faults: list[InputError] = []
    subject = _NOTHING
    for part, in_braces in parts(text, faults):
        if not in_braces:
            check_words(part, subject)
            yield part
        elif part.startswith("on "):
            subject = instances(part.removeprefix("on "))
            yield f"`{part.removeprefix('on ')}`"
        elif cell := matrix.cell(part) or matrix.only(part):
            yield cell
        elif part.startswith("nowhere on "):
            yield searched(part.removeprefix("nowhere on "))
        elif subject is _NOTHING:
            raise InputError(f"no instance is named before {shown(part)}")
        else:
            yield piece(part, subject).text
    if faults:
        raise faults[0]
