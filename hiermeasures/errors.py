"""What the library says when it is given something it cannot use: one plain line that names what and where.

Only the exception and the wording shared by everyone live here; who finds a fault words the rest of the message.
"""

from collections.abc import Iterable


class InputError(ValueError):
    """Input that cannot be used. The message is one plain line, fit to be shown to a person as it is."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like `name`, or None where nothing resembles it.

    >>> nearest("Fiktion", ["Fiction", "Poetry"])
    'Fiction'
    """
    from rapidfuzz import fuzz, process, utils

    found = process.extractOne(
        name[:1000], list(known), scorer=fuzz.ratio, processor=utils.default_process, score_cutoff=50
    )
    return found[0] if found else None


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """The sentence for a name that is not known, with the nearest one that is.

    >>> unknown("class", "T9", ["T1", "P1"])
    "unknown class 'T9'; nearest known: 'T1'"
    """
    candidate = nearest(name, known)
    return f"unknown {kind} {shown(name)}" + (f"; nearest known: {shown(candidate)}" if candidate else "")


def repeated(kind: str, names: Iterable[object]) -> str | None:
    """The sentence for a name that is given more than once; None where each is given once.

    >>> repeated("id", ["a", "b", "a"]), repeated("id", ["a", "b"])
    ("the id 'a' occurs twice", None)
    """
    seen: set[object] = set()
    for name in names:
        if name in seen:
            return f"the {kind} {shown(str(name))} occurs twice"
        seen.add(name)
    return None


SHOWN = 80  # characters of a name in a message


def shown(name: str, limit: int = SHOWN) -> str:
    """A name in quotes for a message: control characters escaped, long ones cut.

    >>> shown("a" * 100, limit=5)
    "'aaaaa…'"
    """
    return repr(name if len(name) <= limit else name[:limit] + "…")


def listed(names: Iterable[str], limit: int = 5, count: int | None = None) -> str:
    """Names for a message, the first few of them, sorted; `count` is how many there are where only these are known.

    >>> listed(["b", "a", "c"], limit=2)
    "'a', 'b' and 1 more"
    """
    ordered = sorted(names)
    rest = (len(ordered) if count is None else count) - limit
    return ", ".join(shown(n) for n in ordered[:limit]) + (f" and {rest} more" if rest > 0 else "")
