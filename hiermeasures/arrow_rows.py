"""Columns of Arrow as rows of labels, without a Python object for each cell.

What else a column may hold, `encode` reads as it reads lists (hiermeasures.batch.encode).
"""

from typing import Any

import numpy as np

from hiermeasures.label_rows import LabelRows


def is_arrow_column(given: Any) -> bool:
    """Whether something is an array of pyarrow, which is not imported for that."""
    return type(given).__module__.partition(".")[0] == "pyarrow" and hasattr(given, "type")


def rows_of_column(column: Any) -> LabelRows | None:
    """The labels of an Arrow column, each different one once; None where they are no text."""
    from pyarrow import compute, types

    if hasattr(column, "combine_chunks"):
        column = column.combine_chunks()
    if types.is_list(column.type) or types.is_large_list(column.type):
        sizes, flat = compute.fill_null(compute.list_value_length(column), 0), compute.list_flatten(column)
    else:
        column = compute.if_else(compute.equal(column, ""), None, column) if _is_text(column.type) else column
        sizes, flat = compute.cast(compute.is_valid(column), "int32"), column.drop_null()
    coded = flat.dictionary_encode() if _is_text(flat.type) else flat
    if not types.is_dictionary(coded.type) or not _is_text(coded.type.value_type) or coded.null_count:
        return None
    names = tuple(coded.dictionary.to_pylist())
    if None in names or "" in names:
        return None
    ptr = np.zeros(len(column) + 1, np.int64)
    np.cumsum(sizes.to_numpy(zero_copy_only=False), out=ptr[1:])
    return LabelRows(names, ptr, coded.indices.to_numpy(zero_copy_only=False))


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_large_string(kind))
