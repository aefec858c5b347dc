"""What Streamlit's collection of garbage need not look at.

After every run Streamlit collects garbage over all objects that live. Most of these belong to modules, which live as
long as the server: leaving them out makes a click several times cheaper.
"""

import gc
import sys

_seen = 0  # how many modules there were when they were left out last


def leave_out_modules() -> None:
    """Leave out of further collections all that lives now, once in a server and again where modules were loaded since.
    What a session holds at that moment is freed as ever when nothing refers to it; only its cycles stay.
    """
    global _seen
    if len(sys.modules) > _seen:
        _seen = len(sys.modules)
        gc.collect()
        gc.freeze()
