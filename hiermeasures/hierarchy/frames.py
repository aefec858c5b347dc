"""Tables and columns of pandas, polars and Arrow as plain Python values.

The module does not import these packages. The callers interpret the values:
hiermeasures.evaluation.encode reads labels, hiermeasures.hierarchy.hierarchy reads edges.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from hiermeasures.hierarchy.extras import require


class Frame(NamedTuple):
    """The columns of a table as lists of Python values.

    A missing value is None. `names` is None for a single column, such as a Series.
    """

    names: list[Any] | None
    columns: list[list[Any]]


def is_frame(given: Any) -> bool:
    """Return whether a value is a table or a column of pandas, polars or Arrow.

    Values with Arrow's stream protocol count, too.
    """
    return any(
        hasattr(given, name) for name in ("iloc", "to_pylist", "get_columns", "__arrow_c_stream__")
    )


def is_table(given: Any) -> bool:
    """Return whether a table is outside memory: a path to Parquet files, or a Dask frame."""
    return isinstance(given, (str, Path)) or is_dask_frame(given)


def is_dask_frame(given: Any) -> bool:
    """Return whether a value is a Dask dataframe."""
    return all(hasattr(given, name) for name in ("to_delayed", "npartitions", "columns"))


def read_frame(given: Any) -> Frame:
    """Read the columns of a table or column that `is_frame` accepts.

    >>> import pandas as pd
    >>> read_frame(pd.DataFrame({"parent": ["A", "A"], "weight": [1.0, None]}))
    Frame(names=['parent', 'weight'], columns=[['A', 'A'], [1.0, None]])
    """
    if hasattr(given, "iloc"):  # pandas
        alone = not hasattr(given, "columns")
        series = [given] if alone else [given.iloc[:, k] for k in range(given.shape[1])]
        return Frame(
            None if alone else list(given.columns),
            [s.astype(object).where(s.notna(), None).tolist() for s in series],
        )
    if hasattr(given, "get_columns"):  # polars
        return Frame(list(given.columns), [column.to_list() for column in given.get_columns()])
    if hasattr(given, "column_names"):  # Arrow
        return Frame(list(given.column_names), [column.to_pylist() for column in given.columns])
    if hasattr(given, "to_pylist") or hasattr(given, "to_list"):
        return Frame(None, [given.to_pylist() if hasattr(given, "to_pylist") else given.to_list()])
    require("files", "a table from a package other than pandas and polars", "pyarrow")
    import pyarrow

    return read_frame(pyarrow.table(given))


def number_columns(given: Any) -> list[Any] | None:
    """Return the column names of a table if its first row contains only numbers, or None.

    >>> import pandas as pd
    >>> number_columns(pd.DataFrame({"A": [0.25], "B": [1]})), number_columns(pd.DataFrame({"A": ["B"]}))
    (['A', 'B'], None)
    """
    if not is_frame(given) or not hasattr(
        given, "slice" if hasattr(given, "column_names") else "head"
    ):
        return None  # a stream, which can be read only once
    names, columns = read_frame(
        given.slice(0, 1) if hasattr(given, "column_names") else given.head(1)
    )
    return (
        names
        if all(isinstance(value, (int, float)) for column in columns for value in column)
        else None
    )


def plain(values: Iterable[Any]) -> list[Any]:
    """Return a sequence, a Series or an Arrow array as a list of Python values."""
    return values.to_pylist() if hasattr(values, "to_pylist") else list(values)
