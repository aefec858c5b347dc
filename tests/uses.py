"""Uses of something made up, run in a copy of the project that has it."""

import json
import traceback
from collections.abc import Callable, Iterable


def failures(uses: Iterable[Callable[[], None]]) -> str:
    """The traceback of each use that failed, by its name, as JSON; empty where it worked."""
    found = {}
    for use in uses:
        try:
            use()
            found[use.__name__] = ""
        except Exception:
            found[use.__name__] = traceback.format_exc()
    return json.dumps(found)
