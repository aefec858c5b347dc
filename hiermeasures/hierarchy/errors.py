"""The error for input that the library cannot use, and phrases for its messages.

A message is one plain line: what is wrong, where, and what to do next. The code that finds a fault
writes the message. The functions here write the phrases that many messages share. words.py has
plurals and lists.
"""

import re
import sys
import warnings
from collections.abc import Collection, Container, Iterable

LONGEST = 2_000  # characters of a message
_SIGNS = re.compile(r"[\W_]")
_SEPARATORS = re.compile(r"[\s,;|]+")
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+(?=>)")


class InputError(ValueError):
    """Input that the library cannot use.

    The message is one plain line for a person. It is cut after 2,000 characters.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message if len(message) <= LONGEST else f"{message[: LONGEST - 1]}…")


class HierarchyWarning(UserWarning):
    """A warning that a hierarchy may differ from what you meant. Its `notes` repeat the text."""


def warn_of(note: str) -> None:
    """Warn once at the line of your code that called the library."""
    level, frame = 1, sys._getframe()
    while (
        frame.f_back is not None
        and frame.f_globals.get("__name__", "").partition(".")[0] == "hiermeasures"
    ):
        level, frame = level + 1, frame.f_back
    warnings.warn(note, HierarchyWarning, stacklevel=level)


def nearest(name: str, known: Iterable[str], *, alone: bool = False) -> str | None:
    """Return the known name that is most similar to `name`, or None.

    If several names are equally similar, it returns the first one, or None with `alone`. Similarity
    is twice the length of the longest common subsequence, divided by the sum of both lengths. It
    must be at least 0.5. Case and punctuation are ignored.

    >>> nearest("Fiktion", ["Fiction", "Poetry"])
    'Fiction'
    >>> nearest("A3", ["A1", "A2"]), nearest("A3", ["A1", "A2"], alone=True)
    ('A1', None)
    """
    wanted, found, best = _compared(name[:1000]), None, 0.5
    several = False
    places: dict[str, int] = {}
    for k, letter in enumerate(wanted):
        places[letter] = places.get(letter, 0) | 1 << k
    everywhere = (1 << len(wanted)) - 1
    for candidate in known:
        letters = _compared(candidate)
        total = len(wanted) + len(letters)
        most = 2 * min(len(wanted), len(letters))
        if (
            not most
            or most < best * total
            or (found is not None and not alone and most == best * total)
        ):
            continue
        unmatched = everywhere  # Hyyrö's algorithm: one addition for each letter
        for letter in letters:
            common = unmatched & places.get(letter, 0)
            unmatched = ((unmatched + common) | (unmatched - common)) & everywhere
        alike = 2 * (len(wanted) - unmatched.bit_count()) / total
        if alike > best or (found is None and alike == best):
            found, best, several = candidate, alike, False
        elif alike == best:
            several = True
    return None if alone and several else found


def _compared(name: str) -> str:
    return _SIGNS.sub(" ", name).lower().strip()


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Return the message for an unknown name. It suggests the most similar known name.

    >>> unknown("class", "T9", ["T1", "P1"])
    "unknown class 'T9' (did you mean 'T1'?)"
    """
    names = dict.fromkeys(known)
    if kind == "class" and (several := separable(name, names)):
        return f"unknown class {shown(name)}: {several}"
    candidate = nearest(name, names)
    return f"unknown {kind} {shown(name)}" + (
        f" (did you mean {shown(candidate)}?)" if candidate else ""
    )


def check_known(kind: str, name: object, known: Collection[str]) -> None:
    """Raise InputError if a name is not known."""
    if name not in known:
        raise InputError(unknown(kind, str(name), known))


def separable(name: str, known: Container[str]) -> str:
    """Return a hint if a name consists of known names with a wrong separator, or "".

    >>> separable("T1 P1", {"T1", "P1"}), separable("T1 P9", {"T1", "P1"})
    ("'T1' and 'P1' are classes. Separate the labels of an instance by ';'", '')
    """
    parts = [part for part in _SEPARATORS.split(name[:1000]) if part]
    if len(parts) < 2 or not all(part in known for part in parts):
        return ""
    listed = (
        f"{shown(parts[0])} and {shown(parts[1])}"
        if len(parts) == 2
        else f"{shown(parts[0])} and the others"
    )
    return f"{listed} are classes. Separate the labels of an instance by ';'"


def repeated(kind: str, names: Iterable[object]) -> str | None:
    """Return the message for a name that is given more than once, or None.

    >>> repeated("id", ["a", "b", "a"]), repeated("id", ["a", "b"])
    ("the id 'a' is given twice. Each id must be different", None)
    """
    seen: set[object] = set()
    for name in names:
        if name in seen:
            return f"the {kind} {shown(str(name))} is given twice. Each {kind} must be different"
        seen.add(name)
    return None


SHOWN = 80  # characters of a name in a message


def shown(name: str, limit: int = SHOWN) -> str:
    """Return a name in quotes for a message. It escapes control characters and cuts long names.

    >>> shown("a" * 100, limit=5)
    "'aaaaa…'"
    """
    return repr(name if len(name) <= limit else name[:limit] + "…")


def cause(error: Exception) -> str:
    """Quote the first line of another library's error, without the addresses of objects.

    >>> cause(ValueError("malformed node: <ast.Call object at 0x7ff171741fc0>\\nand more"))
    "'malformed node: <ast.Call object>'"
    """
    return shown(_ADDRESS.sub("", str(error).partition("\n")[0]), 100)
