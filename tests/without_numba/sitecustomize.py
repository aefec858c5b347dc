"""First on the path of every process, where tests run as if the extra `fast` was not installed."""

import sys

sys.modules["numba"] = None  # type: ignore[assignment]  # Python's way to say that it is not there
