"""The QR code of a link, made here and shown as an image, for a class that opens what is presented."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from hiermeasures.core.errors import InputError

if TYPE_CHECKING:
    import segno

LONGEST = 1_200  # characters of a link: a code with more has modules too small to be scanned from the last row
QUIET = 4  # modules of white around a code, as its standard asks
THIS_COMPUTER = ("localhost", "127.0.0.1", "::1", "0.0.0.0")
LOCAL = (
    "Only this computer opens this address. Start the app with an address that the class can reach "
    "(hiermeasures app --address 0.0.0.0), and open it here by this computer's name or number in the network."
)
NO_CODE = "There is no QR code here, for its package segno is not installed."


def code(link: str) -> "segno.QRCode":
    """Return the code of a link.

    Raises
    ------
    InputError
        Where the link is too long for a code that can be scanned, or codes cannot be made here.

    Examples
    --------
    >>> code("http://example.org/?present=1").version
    2
    """
    try:
        import segno  # here, for it is of an extra
    except ModuleNotFoundError:
        raise InputError(NO_CODE) from None
    if len(link) > LONGEST:
        raise InputError(f"This link has {len(link):,} characters; a code that can be scanned holds {LONGEST:,}.")
    return segno.make(link, error="l", micro=False)


def code_data(link: str) -> dict[str, Any]:
    """Data for present.js: the image, the link below it, and a hint where others cannot open it."""
    try:
        image = code(link).svg_data_uri(border=QUIET, light="white", dark="black", omitsize=True)
    except InputError as fault:
        return {"link": link, "note": str(fault)}
    local = urlsplit(link).hostname in THIS_COMPUTER
    return {"link": link, "image": image, "note": LOCAL if local else ""}
