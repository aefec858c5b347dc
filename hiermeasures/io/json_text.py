"""JSON from strangers: the nesting is measured on the text before it is parsed, and a key that stands twice is
refused.
"""

import json
import re
from collections import Counter
from typing import Any

from hiermeasures.errors import InputError, shown
from hiermeasures.io.source import Limits, Source

ALWAYS_READ = 200_000  # values
MOST_DIGITS = 4300  # of a whole number that Python converts

# Possessive, so that a string without an end cannot make the search go back and forth over the text.
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)


def nesting(text: str) -> int:
    """How deep brackets and braces nest outside of strings.

    >>> nesting('{"a [[[": [1, {}]}')
    3
    """
    import numpy as np

    if '\\"' in text:
        text = _STRING.sub("", text)
    data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8)
    steps = np.zeros(256, np.int8)
    steps[np.frombuffer(b"[{]}", np.uint8)] = 1, 1, -1, -1
    outside = np.cumsum(data == ord('"'), dtype=np.uint8) % 2 == 0
    found = steps[data] * outside
    return int(np.cumsum(found[found != 0], dtype=np.int32).max(initial=0))


def parse(text: str, source: Source, limits: Limits, line: int | None = None) -> Any:
    """The JSON value of a text. `line` is where the text stands, when it is one line of a larger file."""
    opened = text.count("[") + text.count("{")
    if opened > limits.nesting and nesting(text) > limits.nesting:
        raise source.error(f"nested deeper than {limits.nesting} levels", line)
    most = max(limits.lines, ALWAYS_READ)
    if opened + text.count(",") > most and sum(_STRING.sub("", text).count(mark) for mark in ",[{") > most:
        raise source.error(f"holds more than {most:,} values, which is the most that is read here", line)
    try:
        if text.startswith("\ufeff"):
            json.loads(text)  # which says that it is a byte-order mark
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        column = f" (character {error.colno} of the line)"
        raise source.error(f"not JSON: {error.msg[0].lower()}{error.msg[1:]}{column}", line or error.lineno) from None
    except InputError as error:
        raise source.error(str(error), line) from None
    except (RecursionError, ValueError):  # ValueError: a number of more digits than Python converts
        raise source.error(
            "not JSON that can be read here: it nests too deeply or holds an enormous number", line
        ) from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise InputError(f"{shown(twice)} stands twice at the same place")
    return found


def _no_constant(word: str) -> None:
    raise InputError(f"{word} is no JSON value")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_constant=_no_constant)  # made once, not for each text
