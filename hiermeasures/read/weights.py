"""Weights of classes in a file with lines `class weight`, as `hiermeasures information` and CAFA's
tools write them.
"""

import math
from typing import Any

from hiermeasures.hierarchy.errors import shown
from hiermeasures.read.source import Limits, checked_text, decode, load


def read_weights(
    path_or_bytes: Any, *, name: str = "", limits: Limits | None = None
) -> dict[str, float]:
    """Read the weights of the classes in a file.

    Parameters
    ----------
    path_or_bytes : str, path, bytes or binary stream
        Each line has a class and its weight, separated by a tab or by the last blank of the line.
        Weights are at least 0, and `inf` is allowed.
    name, limits
        The name and the limits, as for `read_hierarchy`.

    Raises
    ------
    InputError
        If a line is not a class with a weight, or if a class occurs twice. The message has the file
        and the line.

    Examples
    --------
    >>> read_weights(b"A\\t0\\nB\\t1.5\\n")
    {'A': 0.0, 'B': 1.5}
    >>> read_weights(b"A\\t0\\nB\\t-1\\n", name="ia.tsv")
    Traceback (most recent call last):
    hiermeasures.hierarchy.errors.InputError: ia.tsv, line 2: the weight '-1' of 'B' is not a number from 0 up
    """
    data, source = load(path_or_bytes, name, limits)
    found: dict[str, float] = {}
    for number, line in enumerate(checked_text(decode(data, source), source).split("\n"), 1):
        if not line.strip():
            continue
        cells = line.split("\t") if "\t" in line else line.rsplit(None, 1)
        if len(cells) < 2 or not cells[0].strip():
            raise source.error(f"a line must be `class weight`, not {shown(line, 60)}", number)
        label, text = cells[0].strip(), cells[1].strip()
        weight = _number(text)
        if not weight >= 0:
            raise source.error(
                f"the weight {shown(text, 20)} of {shown(label)} is not a number from 0 up", number
            )
        if label in found:
            raise source.error(
                f"class {shown(label)} occurs twice. Remove one of its lines.", number
            )
        found[label] = weight
    return found


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
