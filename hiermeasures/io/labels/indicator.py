"""Indicator matrices: a row per instance, a column per class, 1 where the instance has the class; NPY or NPZ, dense or
sparse.

The names of the columns are the array `classes` of an NPZ file, or given by the caller; ids are its array `ids`, if
there is one. Nothing is unpickled, and sizes are checked before arrays are made.
"""

import zipfile
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from hiermeasures.errors import InputError, shown
from hiermeasures.io.labels.format import Head, LabelFormat
from hiermeasures.io.labels.label_file import LabelFile, Reading, Row, every_label
from hiermeasures.io.source import size_in_words

_UNPACKED = 10  # how many times the byte limit the arrays of a file may take in memory
_SPARSE = {"csr", "csc", "bsr", "coo"}


def rows(stream: BinaryIO, reading: Reading) -> Iterator[Row]:
    """The instances, one at a time."""
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
    for k, columns in enumerate(_columns(matrix)):
        yield ids[k] if ids is not None else None, reading.labels([classes[j] for j in columns])


def _arrays(stream: BinaryIO, reading: Reading) -> dict[str, Any]:
    import numpy as np

    try:
        head = stream.read(6)
        stream.seek(0)
        if head.startswith(b"\x93NUMPY"):
            _check_array(stream, reading)
            return {"matrix": np.load(stream, allow_pickle=False)}
        with zipfile.ZipFile(stream) as archive:
            for member in archive.namelist():
                with archive.open(member) as inside:
                    _check_array(inside, reading)
        stream.seek(0)
        with np.load(stream, allow_pickle=False) as file:
            return {key: file[key] for key in file.files}
    except InputError:
        raise
    except Exception as error:  # numpy and zipfile raise many kinds for damaged files
        raise reading.source.error(
            f"an NPY or NPZ file that is cut short or damaged ({shown(str(error), 100)})"
        ) from None


def _check_array(stream: Any, reading: Reading) -> None:
    """Refuses arrays of Python objects, and arrays that say they are larger than what is read here."""
    import math

    import numpy as np

    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, kind = read(stream)
    if kind.hasobject:
        raise reading.source.error("holds Python objects, which are not unpacked; save names as text arrays")
    size = math.prod(shape) * max(kind.itemsize, 1)
    if size > _UNPACKED * reading.limits.bytes or (shape and shape[0] > reading.limits.lines):
        raise reading.source.error(f"unpacks to an array of {size_in_words(size)}, more than is read here")
    if stream.seekable():
        stream.seek(0)


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
    if {"format", "shape", "data"} <= arrays.keys():
        return _sparse(arrays, reading)
    found = [key for key, array in arrays.items() if array.ndim == 2]
    if len(found) != 1:
        raise reading.source.error(f"one array of rows and columns is expected, and there are {len(found)}")
    matrix = arrays[found[0]]
    _check_values(matrix, reading)
    return matrix


def _sparse(arrays: dict[str, Any], reading: Reading) -> Any:
    from scipy import sparse

    kind = arrays["format"].item()
    kind = kind.decode("ascii", "replace") if isinstance(kind, bytes) else str(kind)
    if kind not in _SPARSE:
        raise reading.source.error(
            f"a sparse matrix is stored as {', '.join(sorted(_SPARSE))} here, not as {shown(kind)}"
        )
    try:
        shape = tuple(int(n) for n in arrays["shape"])
        if kind == "coo":
            matrix = sparse.coo_array((arrays["data"], (arrays["row"], arrays["col"])), shape=shape)
        else:
            make = {"csr": sparse.csr_array, "csc": sparse.csc_array, "bsr": sparse.bsr_array}[kind]
            matrix = make((arrays["data"], arrays["indices"], arrays["indptr"]), shape=shape)
            matrix.check_format(full_check=True)
        if len(shape) != 2 or shape[0] > reading.limits.lines:
            raise ValueError(f"its shape is {shape}")
        _check_values(arrays["data"], reading)
        matrix = matrix.tocsr()
        matrix.sum_duplicates()
    except (KeyError, ValueError, TypeError, MemoryError) as error:
        if isinstance(error, InputError):
            raise
        raise reading.source.error(f"a damaged sparse matrix ({shown(str(error), 100)})") from None
    matrix.eliminate_zeros()
    return matrix


def _check_values(values: Any, reading: Reading) -> None:
    import numpy as np

    if values.dtype.kind not in "biuf":
        raise reading.source.error(f"an indicator matrix holds 0 and 1, not {values.dtype}")
    odd = np.argwhere((values != 0) & (values != 1))
    if len(odd):
        place = f", row {odd[0][0] + 1}," if values.ndim == 2 else ""
        raise reading.source.error(f"an indicator matrix holds 0 and 1, but here{place} is {values[tuple(odd[0])]}")


def _columns(matrix: Any) -> Iterator[list[int]]:
    """The columns with a 1, row by row."""
    import numpy as np

    if isinstance(matrix, np.ndarray):
        for row in matrix:
            yield np.flatnonzero(row).tolist()
    else:
        for k in range(matrix.shape[0]):
            yield matrix.indices[matrix.indptr[k] : matrix.indptr[k + 1]].tolist()


def write(file: LabelFile, stream: BinaryIO) -> None:
    """A sparse NPZ matrix as scipy saves it, with `classes` and, if there are ids, `ids`."""
    import numpy as np

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
)
NPY = LabelFormat(
    "npy",
    "Indicator matrix (NPY)",
    (".npy",),
    "dense; the names of its columns are given with it",
    rows,
    None,
    begins=_is_npy,
)
