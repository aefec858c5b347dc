"""Tables that do not fit in memory: Parquet files, evaluated row group by row group.

Each piece becomes a partial result (hiermeasures.evaluation.partials). One process reads all
pieces, or the workers of a Dask cluster do (hiermeasures.evaluation.cluster). Results of finished
files stay in a folder until the end, so that an evaluation can continue after a stop.
"""

import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import blake2b
from itertools import groupby
from pathlib import Path
from typing import Any

from hiermeasures.evaluation.batch import Progress
from hiermeasures.evaluation.encode import UnknownPolicy, encode
from hiermeasures.evaluation.kernel_cache import user_caches
from hiermeasures.evaluation.partials import (
    PartialReport,
    from_bytes,
    merge,
    no_instances,
    to_bytes,
)
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.extras import require
from hiermeasures.hierarchy.frames import is_dask_frame
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.read.bounded import BY_PAGES
from hiermeasures.read.source import Source

FORGOTTEN = 30 * 24 * 3600.0  # seconds after which an abandoned evaluation is removed
BATCH = 65_536
"""Instances in memory at a time. They are enough to make the cost of a kernel's call negligible."""


@dataclass(frozen=True)
class KeptParts:
    """The stored sums of finished files in `folder`, for one evaluation over the hierarchy `of`."""

    folder: Path
    of: Hierarchy

    @classmethod
    def of_evaluation(cls, of: Hierarchy, what: bytes, resume: bool) -> "KeptParts":
        """Return the store of the evaluation that `what` describes. Empty it without `resume`."""
        parent = user_caches() / "hiermeasures" / "unfinished"
        with suppress(OSError):
            for other in parent.iterdir():
                if time.time() - other.stat().st_mtime > FORGOTTEN:
                    shutil.rmtree(other, ignore_errors=True)
        kept = cls(parent / _digest(what), of)
        if not resume:
            kept.remove()
        return kept

    def read(self, file: str) -> PartialReport | None:
        """Return the stored result of a file, or None if it is missing or the file has changed."""
        try:
            return from_bytes(self.of, self._place(file).read_bytes())
        except (OSError, InputError):
            return None

    def write(self, file: str, data: bytes) -> None:
        """Store the bytes of a file's partial result. If the disk is full, drop them."""
        with suppress(OSError):
            place = self._place(file)
            place.parent.mkdir(parents=True, exist_ok=True)
            unfinished = place.with_suffix(".part")
            unfinished.write_bytes(data)
            unfinished.replace(place)

    @property
    def files(self) -> int:
        """The number of files with stored results."""
        return len(list(self.folder.glob("*.sums")))

    def remove(self) -> None:
        """Delete the stored results of this evaluation."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _place(self, file: str) -> Path:
        about = Path(file).stat()
        return (
            self.folder / f"{_digest(repr((file, about.st_size, about.st_mtime_ns)).encode())}.sums"
        )


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


@dataclass(frozen=True)
class RowGroup:
    """A row group of a Parquet file, with its number of rows. `first` rows come before it."""

    path: str
    group: int
    first: int
    rows: int


@dataclass(frozen=True)
class TableRequest:
    """An evaluation of some rows: two columns by name, and the arguments of `partial`."""

    of: Hierarchy
    columns: tuple[str, str]
    unknown: UnknownPolicy
    arguments: Mapping[str, Any]

    @cached_property
    def nothing(self) -> PartialReport:
        """The result of no rows."""
        return no_instances(self.of, **self.arguments)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def with_rows(
        self, found: PartialReport, table: Any, called: Callable[[int], str]
    ) -> PartialReport:
        """Return the result with the rows of a table added."""
        columns = {
            name: table.column(name) if hasattr(table, "column") else table[name]
            for name in self.columns
        }
        how: dict[str, Any] = {"unknown": self.unknown, "called": called}
        return found.plus(
            *(encode(self.of, columns[name], name=name, **how) for name in self.columns)
        )

    def with_piece(self, found: PartialReport, piece: RowGroup) -> PartialReport:
        """Return the result with the rows of a row group added."""
        row = piece.first + 1
        for batch in _batches(piece, self.columns):
            found = self.with_rows(found, batch, partial(_row_of, piece.path, row))
            row += len(batch)
        return found

    def partial(self, rows: Any) -> PartialReport:
        """Return the result of a row group, or of a partition of a Dask frame."""
        if isinstance(rows, RowGroup):
            return self.with_piece(self.nothing, rows)
        try:
            return self.with_rows(self.nothing, rows, lambda row: f"index {rows.index[row]!s}")
        except InputError as error:
            if any(str(rows[name].iloc[0]).startswith("['") for name in self.columns):
                raise InputError(
                    f"{error}. If the column had lists, Dask made text of them. Call "
                    "dask.config.set({'dataframe.convert-string': False}) before you make the frame"
                ) from None
            raise


def _row_of(path: str, first: int, k: int) -> str:
    return f"row {first + k:,} of {path}"


def partial_of_table(
    asked: TableRequest,
    table: Any,
    cluster: Any = None,
    progress: Progress | None = None,
    kept: KeptParts | None = None,
) -> PartialReport:
    """Return the result of the rows of a Dask frame, or of a path.

    A path is a Parquet file or a folder of them, and must be the same on every worker. Without a
    cluster this process reads it, and memory does not grow with the number of rows. `progress` gets
    (rows done, rows in all), or the numbers of tasks on a cluster. Files with stored results are
    not evaluated again. The result of each file of a path is stored when it is done.
    """
    if is_dask_frame(table):
        frames = _partitions(table, asked.columns)
        return _partial_on_cluster(asked, [[part] for part in frames], cluster, progress)
    pieces = parquet_pieces(table, asked.columns)
    if kept is None:
        if cluster is None or not pieces:
            return _partial_here(asked, pieces, progress)
        return _partial_on_cluster(asked, [[piece] for piece in pieces], cluster, progress)
    found = {piece.path: kept.read(piece.path) for piece in pieces}
    parts = [part for part in found.values() if part is not None]
    left = [piece for piece in pieces if found[piece.path] is None]
    if cluster is None or not left:
        parts.append(_partial_here(asked, left, progress, kept))
    else:
        files = {path: list(group) for path, group in groupby(left, lambda piece: piece.path)}
        keep = lambda k, data: kept.write(list(files)[k], data)
        parts.append(_partial_on_cluster(asked, list(files.values()), cluster, progress, keep))
    return merge(parts).settled()


def _partial_on_cluster(
    asked: TableRequest,
    groups: list[list[Any]],
    cluster: Any,
    progress: Progress | None,
    keep: Callable[[int, bytes], None] | None = None,
) -> PartialReport:
    """Return the result of groups of pieces or partitions. `keep` gets the bytes of each group."""
    from hiermeasures.evaluation.cluster import sums_on_cluster

    # refuses unknown measures here, and sends keys instead of formulas
    known = asked.nothing.arguments
    asked = replace(asked, arguments={**known, "n_jobs": known["n_jobs"] or 1})
    return sums_on_cluster(
        asked.of, asked.partial, groups, cluster=cluster, progress=progress, keep=keep
    )


def _partial_here(
    asked: TableRequest,
    pieces: list[RowGroup],
    progress: Progress | None,
    kept: KeptParts | None = None,
) -> PartialReport:
    found, done, total = asked.nothing, 0, sum(piece.rows for piece in pieces)
    for path, group in groupby(pieces, lambda piece: piece.path):
        before, found = found, asked.nothing if kept else found
        for piece in group:
            found = asked.with_piece(found, piece)
            done += piece.rows
            if progress:
                progress(done, total)
        if kept:
            kept.write(path, to_bytes(found))
            found = before + found
    return found.settled()


def _partitions(table: Any, columns: tuple[str, str]) -> list[Any]:
    for column in columns:
        if column not in table.columns:
            names = ", ".join(shown(str(c)) for c in table.columns)
            raise InputError(
                f"the frame has no column {shown(column)}. Choose one of its columns: {names}"
            )
    return list(table[list(dict.fromkeys(columns))].to_delayed())


def parquet_pieces(folder: str | Path, columns: Iterable[str]) -> list[RowGroup]:
    """Return the row groups of a Parquet file, or of all files below a folder, ordered by name."""
    root = Path(folder).absolute()
    if not root.exists():
        raise InputError(f"{root}: this file or folder does not exist. Check the path.")
    paths = sorted(root.rglob("*.parquet")) if root.is_dir() else [root]
    if not paths:
        raise InputError(f"{root}: this folder has no Parquet file (*.parquet). Check the path.")
    return [piece for path in paths for piece in _pieces(str(path), columns)]


def _pieces(path: str, columns: Iterable[str]) -> Iterator[RowGroup]:
    with _opened(path) as file:
        names = file.schema_arrow.names
        for column in columns:
            if (found := names.count(column)) != 1:
                there = "is no column" if not found else f"are {found} columns"
                raise InputError(
                    f"{path}: there {there} {shown(column)}. Choose one of its columns: "
                    f"{', '.join(map(shown, names))}"
                )
        first = 0
        for group in range(file.metadata.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            yield RowGroup(path, group, first, rows)
            first += rows


def _batches(piece: RowGroup, columns: tuple[str, str]) -> Iterator[Any]:
    with _opened(piece.path) as file:
        yield from file.iter_batches(
            BATCH, [piece.group], list(dict.fromkeys(columns)), use_threads=False
        )


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    require("files", "reading Parquet", "pyarrow")
    from pyarrow.parquet import ParquetFile

    with (
        Source(path).damaged("the file is damaged, or is not a Parquet file"),
        ParquetFile(path, **BY_PAGES) as file,
    ):
        yield file
