"""The QR code of a link, made here and shown as an image: nothing is fetched."""

from typing import Any
from urllib.parse import urlsplit

import segno

from hiermeasures.errors import InputError

LONGEST = 1_200  # characters: a code with more has modules too small to be scanned from the last row
QUIET = 4  # modules of white around the code, as its standard asks
THIS_COMPUTER = ("localhost", "127.0.0.1", "::1", "0.0.0.0")
LOCAL = (
    "Only this computer opens this address. Start the app with an address that the class can reach "
    "(hiermeasures app --address 0.0.0.0), and open it here by this computer's name or number in the network."
)


def code(link: str) -> segno.QRCode:
    """The code of a link.

    Raises
    ------
    InputError
        Where the link is too long for a code that can be scanned.

    Examples
    --------
    >>> code("http://example.org/?present=1").version
    2
    """
    if len(link) > LONGEST:
        raise InputError(f"This link has {len(link):,} characters; a code that can be scanned holds {LONGEST:,}.")
    return segno.make(link, error="l", micro=False)


def code_data(link: str) -> dict[str, Any]:
    """What present.js shows: the image with its words, the link below it, and a hint where others cannot open it."""
    try:
        image = code(link).svg_data_uri(border=QUIET, light="white", dark="black", omitsize=True)
    except InputError as fault:
        return {"link": link, "note": str(fault)}
    local = urlsplit(link).hostname in THIS_COMPUTER
    return {"link": link, "image": image, "note": LOCAL if local else ""}
