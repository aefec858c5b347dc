"""Files of this computer by their paths: who may name them.

Only a session that was opened at the address with the token that `hiermeasures app --local-files`
prints. Where a visitor comes from, and by which name the app is asked for, prove nothing:
forwarders and strangers' pages can send the same.
"""

import hmac
import secrets
from typing import Any

PARAMETER = "token"
_ALLOWED = "local_files_allowed"  # in the session, which no visitor can write
_token: str | None = None  # of this start; without one nobody may


def make_token(wanted: bool = True) -> None:
    """Make the token of this start, with which files may be named by their paths; or have none."""
    global _token
    _token = secrets.token_urlsafe(32) if wanted else None


def query() -> str:
    """Return what follows the app's address to bring the token of this start; nothing where there
    is none.
    """
    return f"/?{PARAMETER}={_token}" if _token else ""


def take_token(address: Any, session: Any) -> None:
    """Take the token out of the address, and remember in the session if it is the right one."""
    if (given := address.get(PARAMETER)) is None:
        return
    del address[PARAMETER]
    if _token is not None and hmac.compare_digest(given.encode("utf-8", "replace"), _token.encode()):
        session[_ALLOWED] = True


def are_allowed(session: Any) -> bool:
    """Return whether this session may name files by their paths."""
    return _ALLOWED in session
