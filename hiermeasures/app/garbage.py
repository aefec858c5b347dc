"""When garbage is collected, while which the server answers nobody.

Streamlit would look at all objects that live after every click (`postScriptGC`, which our settings turn
off). The rule instead: where a page is drawn whole, everything is looked at, in a hundredth of the time
at most, and what lives then, of modules and of sessions, is left out until the next time. What is made
since is looked at by Python as in every program.
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
