"""English for messages and texts: plurals, numbers with nouns, lists and first letters.

Use these functions for every sentence that contains a number or a list of names. No other module
forms a plural.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from hiermeasures.hierarchy.errors import shown

T = TypeVar("T")
_PLURALS = {"leaf": "leaves", "is": "are", "was": "were", "has": "have", "does": "do", "it": "them"}


def pluralize(noun: str) -> str:
    """Return the plural of a noun, or of a phrase that ends with the noun.

    >>> [pluralize(noun) for noun in ("row", "true class", "entry", "leaf", "day")]
    ['rows', 'true classes', 'entries', 'leaves', 'days']
    """
    before, blank, last = noun.rpartition(" ")
    if last not in _PLURALS and last.endswith(("s", "x", "ch", "sh")):
        return f"{noun}es"
    if last.endswith("y") and last[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{before}{blank}{_PLURALS.get(last, f'{last}s')}"


def agree(n: int, singular: str, plural: str = "") -> str:
    """Return the word that goes with a number: a noun, a verb or a whole phrase.

    Parameters
    ----------
    plural : str
        The word for every number but 1. By default it is the plural of `singular`.

    >>> agree(1, "is"), agree(3, "is"), agree(2, "entry"), agree(0, "class is", "classes are")
    ('is', 'are', 'entries', 'classes are')
    """
    return singular if n == 1 else plural or pluralize(singular)


def write_count(n: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> write_count(1, "class"), write_count(1200, "row"), write_count(2, "class is", "classes are")
    ('1 class', '1,200 rows', '2 classes are')
    """
    return f"{n:,} {agree(n, singular, plural)}"


def write_list(
    texts: Sequence[str], limit: int = 5, total: int | None = None, mark: str = ", "
) -> str:
    """Return the first few texts of a list, and the number of the others.

    Parameters
    ----------
    total : int, optional
        The number of all texts, if `texts` are only some of them.
    mark : str
        The text between two texts: "; " for texts that contain commas.

    >>> write_list(["b", "a", "c"], limit=2), write_list(["b", "a"]), write_list(["b"], total=8)
    ('b, a and 1 more', 'b, a', 'b and 7 more')
    >>> write_list(["GIE, 3", "hF, 0.5", "SP, 2"], limit=2, mark="; ")
    'GIE, 3; hF, 0.5; and 1 more'
    """
    some = texts[:limit]
    rest = (len(texts) if total is None else total) - len(some)
    return mark.join(some) + (f"{mark.strip(', ')} and {rest:,} more" if rest > 0 else "")


def quote_names(names: Iterable[str], limit: int = 5, total: int | None = None) -> str:
    """Return the first few names of a list, sorted and in quotes, for a message.

    >>> quote_names({"b", "a", "c"}, limit=2)
    "'a', 'b' and 1 more"
    """
    ordered = sorted(names)
    return write_list([shown(name) for name in ordered[:limit]], limit, total or len(ordered))


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Join words in a sentence, with "and" or another word before the last one.

    >>> join_words(["hF", "GIE", "SP"]), join_words(["hF", "SP"], "or"), join_words([])
    ('hF, GIE and SP', 'hF or SP', '')
    """
    *first, end = tuple(words) or ("",)
    return f"{', '.join(first)} {last} {end}" if first else end


def join_classes(names: Iterable[str]) -> str:
    """Return sorted class names in one line, in the notation of the command line.

    >>> join_classes(["Rock, hard", "Jazz"]), join_classes([])
    ('Jazz, "Rock, hard"', 'none')
    """
    return ", ".join(map(quote_comma, sorted(names))) or "none"


def quote_comma(name: str) -> str:
    """Return a class name for a list with commas: in quotes if the name contains a comma."""
    return '"' + name.replace('"', '""') + '"' if "," in name else name


def capitalize(text: str) -> str:
    """Return a text with a capital first letter. The other letters stay, unlike `str.capitalize`.

    >>> capitalize("the LCA"), capitalize("")
    ('The LCA', '')
    """
    return text[:1].upper() + text[1:]
