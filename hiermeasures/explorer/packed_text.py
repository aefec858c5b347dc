"""A text as one word for an address, and back: compressed, in base64url.

A word from an address is from a stranger: its length is bounded before it is unpacked and while it
is. What the text means is its reader's work.
"""

import base64
import binascii
import zlib

from hiermeasures.core.errors import InputError
from hiermeasures.formats.source import Limits

LONGEST = 12_000  # characters of the word; what mail programs, chats and servers let through
INSTEAD = "Save it as a file instead."
BROKEN = "This link does not hold what it should"


class Unreadable(InputError):
    """A fault whose sentence is complete."""


def packed(text: str, limits: Limits, before: str = "") -> str:
    """A text as a word that `unpacked` takes with the same limits, and what stands `before` it.

    Raises
    ------
    InputError
        For a text that is larger than the limits, and where the word would be longer than a link
        can be.

    Examples
    --------
    >>> limits = Limits(bytes=100, lines=1)
    >>> unpacked(packed("A>B", limits), limits)
    'A>B'
    """
    data = text.encode("utf-8", "replace")
    if len(data) > limits.bytes:
        raise InputError(f"This is too large for a link. {INSTEAD}")
    word = before + base64.urlsafe_b64encode(zlib.compress(data, 9)).decode("ascii").rstrip("=")
    if len(word) > LONGEST:
        raise InputError(
            f"This is too large for a link: {len(word):,} characters, and {LONGEST:,} are the most. {INSTEAD}"
        )
    return word


def unpacked(word: str, limits: Limits) -> str:
    """The text of a word, never unpacked beyond its bound.

    Raises
    ------
    InputError
        For a word that is too long, cut off or tampered with.
    """
    if len(word) > LONGEST:
        raise Unreadable(f"This link is longer than {LONGEST:,} characters, which is the most that is read.")
    try:
        data = base64.b64decode(word.encode("ascii") + b"=" * (-len(word) % 4), altchars=b"-_", validate=True)
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(data, limits.bytes)
        if not unpacking.eof and unpacking.unconsumed_tail:
            raise Unreadable("This link unpacks to more than is read here.")
        if not unpacking.eof:
            raise zlib.error
        return text.decode("utf-8")
    except (binascii.Error, zlib.error, UnicodeError):
        raise Unreadable(f"{BROKEN}: it is cut off or was changed on its way.") from None
