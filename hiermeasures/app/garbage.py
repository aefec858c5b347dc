"""Times of garbage collection, during which the server answers no request.

Streamlit would search all living objects after every click (`postScriptGC`, which our settings turn
off). Instead all are searched when a page is drawn whole, for at most a hundredth of the time, and
the survivors, of modules and sessions, are exempt until the next time. Python collects newer
objects as usual.
"""

import gc
import time

REST = 99  # times as long as a collection took, none follows

_ended, _took = float("-inf"), 0.0


def collect_now_and_then() -> None:
    """Follow the rule; called once a page is drawn whole."""
    global _ended, _took
    began = time.perf_counter()
    if began - _ended < REST * _took:
        return
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    _ended = time.perf_counter()
    _took = _ended - began
