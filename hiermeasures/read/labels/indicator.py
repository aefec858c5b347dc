"""Indicator matrices (NPY or NPZ, dense or sparse): 1 if the row's instance has the column's class.

The array `classes` of an NPZ file, or the caller, names the columns. The array `ids` is optional.
The readers unpickle no objects and check sizes before they make arrays.
"""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.extras import require
from hiermeasures.read.bounded import NPY as NPY_MARK
from hiermeasures.read.bounded import ArrayFile
from hiermeasures.read.labels.label_file import Block, LabelFile, LabelFormat, LabelReading
from hiermeasures.read.source import check_encodable, check_lengths

_ONE = 16  # the fewest bytes of a label
_SPARSE_KEYS = {"format", "shape", "data"}
_SPARSE = {"csr", "csc", "bsr", "coo"}


def read(stream: BinaryIO, reading: LabelReading) -> Iterator[Block]:
    arrays = _arrays(stream, reading)
    classes = _classes(arrays, reading)
    with reading.source.named():
        check_encodable(classes)
    check_lengths(classes, reading.source)
    matrix = _matrix(arrays, reading)
    if matrix.shape[1] != len(classes):
        raise reading.source.error(
            f"the matrix has {matrix.shape[1]} columns, but {len(classes)} class names. Give a "
            "name for each column."
        )
    ids = _names(arrays["ids"], "ids", reading) if "ids" in arrays else None
    if ids is not None and len(ids) != matrix.shape[0]:
        raise reading.source.error(
            f"the matrix has {matrix.shape[0]} rows, but {len(ids)} ids. Give an id for each row."
        )
    ones = int(np.count_nonzero(matrix) if isinstance(matrix, np.ndarray) else matrix.nnz)
    if ones * _ONE > reading.limits.memory:
        raise reading.source.error(
            f"has {ones:,} ones, but the limit is {reading.limits.memory // _ONE:,}"
        )
    if isinstance(matrix, np.ndarray):
        ptr, idx = np.append(0, np.cumsum(np.count_nonzero(matrix, axis=1))), np.nonzero(matrix)[1]
    else:
        ptr, idx = matrix.indptr, matrix.indices
    numbers = reading.names.numbers_of(classes)
    yield Block(np.diff(ptr), numbers[idx], ids)


def _arrays(stream: BinaryIO, reading: LabelReading) -> dict[str, Any]:
    file = ArrayFile(stream, reading.source)
    names = [key for key in ("classes", "ids") if key in file.headers]
    if file.headers.keys() >= _SPARSE_KEYS:
        return file.load(
            [*names, *_SPARSE_KEYS, "row", "col", "indices", "indptr"], reading.limits.memory
        )
    found = [key for key, header in file.headers.items() if len(header.shape) == 2]
    if len(found) != 1:
        raise reading.source.error(
            f"expected one array of rows and columns, but found {len(found)}"
        )
    rows = file.headers[found[0]].shape[0]
    if rows > reading.limits.lines:
        raise reading.source.error(f"has {rows:,} rows, but the limit is {reading.limits.lines:,}")
    return file.load([*names, *found], reading.limits.memory)


def _classes(arrays: dict[str, Any], reading: LabelReading) -> Sequence[str]:
    if (given := reading.options.get("classes")) is not None:
        return list(map(str, given))
    if "classes" not in arrays:
        raise reading.source.error(
            "the columns of an indicator matrix need names. Put an array `classes` in the file, or "
            "give them as an argument."
        )
    return _names(arrays["classes"], "classes", reading)


def _names(array: Any, key: str, reading: LabelReading) -> list[str]:
    if array.ndim != 1 or array.dtype.kind not in "Uiu":
        raise reading.source.error(
            f"`{key}` must be a row of names, not a {array.ndim}-dimensional array of {array.dtype}"
        )
    names = [str(name) for name in array.tolist()]
    if "" in names or len(set(names)) != len(names):
        raise reading.source.error(f"`{key}` has an empty or repeated name")
    return names


def _matrix(arrays: dict[str, Any], reading: LabelReading) -> Any:
    if arrays.keys() >= _SPARSE_KEYS:
        return _sparse(arrays, reading)
    (matrix,) = (array for array in arrays.values() if array.ndim == 2)
    _check_values(matrix, reading)
    return matrix


def _sparse(arrays: dict[str, Any], reading: LabelReading) -> Any:
    require("compare", "a sparse matrix", "scipy")
    from scipy import sparse

    with reading.source.damaged("a damaged sparse matrix"):
        kind = arrays["format"].item()
        kind = kind.decode("ascii", "replace") if isinstance(kind, bytes) else str(kind)
        if kind not in _SPARSE:
            raise reading.source.error(
                f"a sparse matrix must be stored as {', '.join(sorted(_SPARSE))}, not as "
                f"{shown(kind)}. Convert it with scipy."
            )
        shape = tuple(int(n) for n in arrays["shape"])
        if len(shape) != 2 or not (
            0 <= shape[0] <= reading.limits.lines and 0 <= shape[1] <= reading.limits.lines
        ):
            raise reading.source.error(
                f"a sparse matrix of the shape {shown(str(shape))[1:-1]} cannot be read. It needs "
                "rows and columns."
            )
        _check_values(arrays["data"], reading)
        if kind == "coo":
            matrix = sparse.coo_array((arrays["data"], (arrays["row"], arrays["col"])), shape=shape)
        else:
            make = {"csr": sparse.csr_array, "csc": sparse.csc_array, "bsr": sparse.bsr_array}[kind]
            matrix = make((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
            matrix.check_format(full_check=True)
        matrix = matrix.tocsr()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    return matrix


def _check_values(values: Any, reading: LabelReading) -> None:
    if values.dtype.kind not in "biuf":
        raise reading.source.error(f"an indicator matrix contains only 0 and 1, not {values.dtype}")
    odd = np.argwhere((values != 0) & (values != 1))
    if len(odd):
        place = f", row {odd[0][0] + 1}," if values.ndim == 2 else ""
        raise reading.source.error(
            f"an indicator matrix contains only 0 and 1, but here{place} is {values[tuple(odd[0])]}"
        )


def write(file: LabelFile, stream: BinaryIO) -> None:
    """Write a sparse NPZ matrix as scipy does, with `classes` and, if the labels have ids, `ids`."""
    classes = sorted(file.every_label())
    for name in (*classes, *(file.ids or ())):
        if name.endswith("\0"):
            raise InputError(f"an NPZ file cannot contain the name {shown(name)}")
    place = {name: j for j, name in enumerate(classes)}
    rows = [sorted(place[name] for name in labels) for labels in file.labels]
    indices = np.array([j for row in rows for j in row], np.int32)
    arrays: dict[str, Any] = {
        "format": np.array(b"csr"),
        "shape": np.array([len(rows), len(classes)]),
        "data": np.ones(len(indices), np.int8),
        "indices": indices,
        "indptr": np.cumsum([0, *map(len, rows)]).astype(
            np.int64 if len(indices) > 2**31 - 1 else np.int32
        ),
        "classes": np.array(classes, np.str_),
    }
    if file.ids is not None:
        arrays["ids"] = np.array(file.ids, np.str_)
    np.savez_compressed(stream, **arrays)


NPZ = LabelFormat(
    key="npz",
    title="Indicator matrix (NPZ)",
    extensions=(".npz",),
    description="dense or sparse, with the names of its columns in `classes`",
    read=read,
    write=write,
    begins=lambda head: head.content.startswith(b"PK\x03\x04"),
)
NPY = LabelFormat(
    key="npy",
    title="Indicator matrix (NPY)",
    extensions=(".npy",),
    description="dense, with the column names as an argument",
    read=read,
    write=None,
    begins=lambda head: head.content.startswith(NPY_MARK),
)
