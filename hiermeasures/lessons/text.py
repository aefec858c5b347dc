"""The text of a card: words, **strong** and *stressed* ones among them, and in braces what is
computed. `{first}` and `{second}` name the two predictions, which may change places (`exchanged`).

A number that is typed in outside braces is refused, for it may not be what is computed. Braces in
braces are sets; "{{" and "}}" write one brace.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from hiermeasures.core.errors import InputError, shown
from hiermeasures.lessons.values import DoesNotHold, Subject, equation

_NUMBER = re.compile(r"(?<![\w.])[\w.]*\d(?:\.|\s?/\s?)\d[\w.]*", re.ASCII)
_REFERENCE = re.compile(
    r"(?:sections?|figures?|tables?|chapters?|eqs?\.?|equations?|definitions?|arxiv:|version)\s*\(?\s*$", re.IGNORECASE
)


PieceKind = Literal["words", "strong", "stressed", "value", "classes", "condition"]
_OTHER = {"first": "second", "second": "first"}
_MARKS = re.compile(r"\*\*(?=\S)([^*]+)(?<=\S)\*\*|\*(?=\S)([^*]+)(?<=\S)\*")


@dataclass(frozen=True)
class Piece:
    """A part of a text: words, or what was computed of an expression."""

    text: str
    expression: str = ""
    kind: PieceKind = "words"


Paragraphs = tuple[tuple[Piece, ...], ...]


def text_pieces(text: str, subject: Subject) -> tuple[Paragraphs, list[InputError]]:
    """The paragraphs of a text, and its faults; a part that cannot be computed is left out."""
    paragraphs: list[tuple[Piece, ...]] = []
    faults: list[InputError] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        pieces: list[Piece] = []
        for part, computed in parts(paragraph, faults):
            try:
                if computed or part:
                    pieces += [piece(part, subject)] if computed else _marked(_words(part, subject))
            except InputError as error:
                faults.append(error)
        if pieces:
            paragraphs.append(tuple(pieces))
    return tuple(paragraphs), faults


def plain(paragraphs: Paragraphs) -> str:
    return "\n\n".join("".join(piece.text for piece in pieces) for pieces in paragraphs)


def exchanged(paragraphs: Paragraphs) -> Paragraphs:
    """The text where the two predictions have changed places: the first is now called the second."""
    return tuple(
        tuple(replace(p, text=_OTHER[p.text]) if p.expression in _OTHER else p for p in pieces) for pieces in paragraphs
    )


def names_sides(paragraphs: Paragraphs) -> bool:
    """Return whether a text names the two predictions in braces."""
    return any(p.expression in _OTHER for pieces in paragraphs for p in pieces)


def check_words(text: str, subject: Subject) -> None:
    """Raise InputError for a number that is typed in, where nothing is computed, as in a title."""
    _words(text, subject)


def parts(text: str, faults: list[InputError]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a paragraph and whether each was in braces; note faults in `faults`."""
    words, at = "", 0
    while at < len(text):
        letter = text[at]
        if text[at : at + 2] in ("{{", "}}"):
            words, at = words + letter, at + 2
        elif letter == "{":
            end = _closing(text, at)
            if end < 0:
                faults.append(InputError(f"the brace of {shown(text[at:], 40)} is not closed; write {{{{ for a brace"))
                return
            yield words, False
            yield text[at + 1 : end], True
            words, at = "", end + 1
        elif letter == "}":
            faults.append(InputError(f"a brace closes none after {shown(text[:at][-30:])}; write }}}} for a brace"))
            return
        else:
            words, at = words + letter, at + 1
    yield words, False


def _closing(text: str, opening: int) -> int:
    depth = 0
    for at in range(opening, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return at
    return -1


def _words(text: str, subject: Subject) -> Piece:
    text = re.sub(r"\s*\n\s*", " ", text)
    for match in _NUMBER.finditer(text):
        word = match[0].rstrip(".")
        named = any(word in case.hierarchy for case in subject.cases)
        if not named and not _REFERENCE.search(text[: match.start()]):
            raise InputError(
                f"the number {shown(word)} is typed in; write it in braces with what it is, such as {{hF = 0.67}}"
            )
    return Piece(text)


def _marked(words: Piece) -> Iterator[Piece]:
    """Yield the parts of words, some of them strong or stressed."""
    at = 0
    for match in _MARKS.finditer(words.text):
        if match.start() > at:
            yield Piece(words.text[at : match.start()])
        yield Piece(match[1] or match[2], kind="strong" if match[1] else "stressed")
        at = match.end()
    if at < len(words.text):
        yield Piece(words.text[at:])


def piece(content: str, subject: Subject) -> Piece:
    """Compute what stands in braces; InputError where it cannot be read or does not hold."""
    if not content.strip():
        raise InputError("there is nothing between these braces: {}")
    left, right = equation(content)
    if right is not None:
        return _checked(left, right, subject)
    if left in _OTHER and len(subject.cases) > 1:
        return Piece(left, left)
    found = subject.computed(left)
    if found.kind != "condition":
        return Piece(found.text, left, "value" if found.kind == "value" else "classes")
    if not found.value:
        raise DoesNotHold(f"{shown(left)} does not hold: {subject.holds(left)[1]}")
    return Piece(left, left, "condition")


def _checked(left: str, right: str, subject: Subject) -> Piece:
    """`{hF = 0.67}`: what is typed is shown, for it is so."""
    found = subject.computed(left)
    holds, instead = subject.holds(f"{left} = {right}")
    if not holds:
        raise DoesNotHold(f"{shown(f'{left} = {right}')} does not hold: {instead}")
    return Piece(right if found.kind == "value" else found.text, left, "value" if found.kind == "value" else "classes")
