"""Indicator matrices: a row per instance, a column per class, 1 where the instance has the class; NPY or NPZ, dense or
sparse.

The names of the columns are the array `classes` of an NPZ file, or given by the caller; ids are its array `ids`, if
there is one. Nothing is unpickled, and sizes are checked before arrays are made.
"""

from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

import numpy as np

from hiermeasures.errors import InputError, shown
from hiermeasures.io.labels.arrays import ArraysOfLabels, Ids, LabelArrays
from hiermeasures.io.labels.format import Head, LabelFormat
from hiermeasures.io.labels.label_file import LabelFile, Reading, Row, every_label
from hiermeasures.io.npz import ArrayFile
from hiermeasures.label_rows import LabelRows

_ONE = 16  # bytes that a 1 takes at the least as a label
_SPARSE_KEYS = {"format", "shape", "data"}
_SPARSE = {"csr", "csc", "bsr", "coo"}


def rows(stream: BinaryIO, reading: Reading) -> Iterator[Row]:
    """The instances, one at a time."""
    matrix, classes, ids = _content(stream, reading)
    for k, columns in enumerate(_columns(matrix)):
        yield ids[k] if ids is not None else None, reading.labels([classes[j] for j in columns])


def arrays(stream: BinaryIO, reading: Reading) -> LabelArrays:
    """All instances."""
    matrix, classes, names = _content(stream, reading)
    if isinstance(matrix, np.ndarray):
        ptr, idx = np.append(0, np.cumsum(np.count_nonzero(matrix, axis=1))), np.nonzero(matrix)[1]
    else:
        ptr, idx = matrix.indptr, matrix.indices
    found, ids = ArraysOfLabels(reading), None
    found.add_rows(LabelRows(tuple(classes), ptr.astype(np.int64), idx))
    if names is not None:
        ids = Ids()
        ids.add_texts(names)
    return found.all(ids)


def _content(stream: BinaryIO, reading: Reading) -> tuple[Any, Sequence[str], list[str] | None]:
    """The matrix, the names of its columns, and of its rows where they are there."""
    arrays = _arrays(stream, reading)
    classes = _classes(arrays, reading)
    matrix = _matrix(arrays, reading)
    if matrix.shape[1] != len(classes):
        raise reading.source.error(
            f"the matrix has {matrix.shape[1]} columns, but there are {len(classes)} class names"
        )
    ids = _names(arrays["ids"], "ids", reading) if "ids" in arrays else None
    if ids is not None and len(ids) != matrix.shape[0]:
        raise reading.source.error(f"the matrix has {matrix.shape[0]} rows, but there are {len(ids)} ids")
    _check_ones(matrix, reading)
    return matrix, classes, ids


def _arrays(stream: BinaryIO, reading: Reading) -> dict[str, Any]:
    """The arrays that are read: those of a sparse matrix, or the one with rows and columns; and the names."""
    file = ArrayFile(stream, reading.source)
    names = [key for key in ("classes", "ids") if key in file.headers]
    if file.headers.keys() >= _SPARSE_KEYS:
        return file.load([*names, *_SPARSE_KEYS, "row", "col", "indices", "indptr"], reading.limits.memory)
    found = [key for key, header in file.headers.items() if len(header.shape) == 2]
    if len(found) != 1:
        raise reading.source.error(f"one array of rows and columns is expected, and there are {len(found)}")
    rows = file.headers[found[0]].shape[0]
    if rows > reading.limits.lines:
        raise reading.source.error(f"has {rows:,} rows; at most {reading.limits.lines:,} are read here")
    return file.load([*names, *found], reading.limits.memory)


def _classes(arrays: dict[str, Any], reading: Reading) -> Sequence[str]:
    if reading.options.classes is not None:
        return reading.options.classes
    if "classes" not in arrays:
        raise reading.source.error(
            "an indicator matrix needs the names of its columns: an array `classes` in the file, or given with it"
        )
    return _names(arrays["classes"], "classes", reading)


def _names(array: Any, key: str, reading: Reading) -> list[str]:
    if array.ndim != 1 or array.dtype.kind not in "Uiu":
        raise reading.source.error(
            f"`{key}` is a row of names, not an array of {array.ndim} dimensions of {array.dtype}"
        )
    names = [str(name) for name in array.tolist()]
    if "" in names or len(set(names)) != len(names):
        raise reading.source.error(f"`{key}` holds an empty name or one name twice")
    return names


def _matrix(arrays: dict[str, Any], reading: Reading) -> Any:
    if arrays.keys() >= _SPARSE_KEYS:
        return _sparse(arrays, reading)
    (matrix,) = (array for array in arrays.values() if array.ndim == 2)
    _check_values(matrix, reading)
    return matrix


def _sparse(arrays: dict[str, Any], reading: Reading) -> Any:
    from scipy import sparse

    try:
        kind = arrays["format"].item()
        kind = kind.decode("ascii", "replace") if isinstance(kind, bytes) else str(kind)
        if kind not in _SPARSE:
            raise reading.source.error(
                f"a sparse matrix is stored as {', '.join(sorted(_SPARSE))} here, not as {shown(kind)}"
            )
        shape = tuple(int(n) for n in arrays["shape"])
        if len(shape) != 2 or not (0 <= shape[0] <= reading.limits.lines and 0 <= shape[1] <= reading.limits.lines):
            raise reading.source.error(f"a sparse matrix of the shape {shown(str(shape))[1:-1]} is not read here")
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
    except InputError:
        raise
    except Exception as error:  # scipy raises many kinds for arrays that do not fit together
        raise reading.source.error(f"a damaged sparse matrix ({shown(str(error), 100)})") from None
    return matrix


def _check_values(values: Any, reading: Reading) -> None:
    if values.dtype.kind not in "biuf":
        raise reading.source.error(f"an indicator matrix holds 0 and 1, not {values.dtype}")
    odd = np.argwhere((values != 0) & (values != 1))
    if len(odd):
        place = f", row {odd[0][0] + 1}," if values.ndim == 2 else ""
        raise reading.source.error(f"an indicator matrix holds 0 and 1, but here{place} is {values[tuple(odd[0])]}")


def _check_ones(matrix: Any, reading: Reading) -> None:
    ones = int(np.count_nonzero(matrix) if isinstance(matrix, np.ndarray) else matrix.nnz)
    if ones * _ONE > reading.limits.memory:
        raise reading.source.error(f"holds {ones:,} ones; at most {reading.limits.memory // _ONE:,} are read here")


def _columns(matrix: Any) -> Iterator[list[int]]:
    """The columns with a 1, row by row."""
    if isinstance(matrix, np.ndarray):
        for row in matrix:
            yield np.flatnonzero(row).tolist()
    else:
        for k in range(matrix.shape[0]):
            yield matrix.indices[matrix.indptr[k] : matrix.indptr[k + 1]].tolist()


def write(file: LabelFile, stream: BinaryIO) -> None:
    """A sparse NPZ matrix as scipy saves it, with `classes` and, if there are ids, `ids`."""
    classes = sorted(every_label(file))
    for name in (*classes, *(file.ids or ())):
        if name.endswith("\0"):
            raise InputError(f"an NPZ file cannot hold the name {shown(name)}")
    place = {name: j for j, name in enumerate(classes)}
    rows = [sorted(place[name] for name in labels) for labels in file.labels]
    indices = np.array([j for row in rows for j in row], np.int32)
    arrays: dict[str, Any] = {
        "format": np.array(b"csr"),
        "shape": np.array([len(rows), len(classes)]),
        "data": np.ones(len(indices), np.int8),
        "indices": indices,
        "indptr": np.cumsum([0, *map(len, rows)]).astype(np.int64 if len(indices) > 2**31 - 1 else np.int32),
        "classes": np.array(classes, np.str_),
    }
    if file.ids is not None:
        arrays["ids"] = np.array(file.ids, np.str_)
    np.savez_compressed(stream, **arrays)


def _is_npz(head: Head) -> bool:
    return head.content.startswith(b"PK\x03\x04")


def _is_npy(head: Head) -> bool:
    return head.content.startswith(b"\x93NUMPY")


NPZ = LabelFormat(
    "npz",
    "Indicator matrix (NPZ)",
    (".npz",),
    "dense or sparse, with the names of its columns in `classes`",
    rows,
    write,
    begins=_is_npz,
    arrays=arrays,
)
NPY = LabelFormat(
    "npy",
    "Indicator matrix (NPY)",
    (".npy",),
    "dense; the names of its columns are given with it",
    rows,
    None,
    begins=_is_npy,
    arrays=arrays,
)
