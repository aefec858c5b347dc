"""The size of the page's tables, in pixels."""

import pandas as pd

ROW, HEADER = 27, 35


def height(frame: pd.DataFrame, most: int) -> int:
    """The height of a table with at most so many rows in view."""
    return ROW * min(len(frame), most) + HEADER + 2
