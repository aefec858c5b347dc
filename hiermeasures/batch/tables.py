"""Tables that are too large to be held: Parquet files, read row group by row group and evaluated on the way.

What is kept of each piece is a partial result (hiermeasures.batch.partials). Here one process goes through all of them;
hiermeasures.batch.cluster shares them out to others by Dask.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hiermeasures.batch.encode import UnknownPolicy, encode
from hiermeasures.batch.partials import PartialReport, no_instances
from hiermeasures.errors import InputError, shown
from hiermeasures.extras import require
from hiermeasures.frames import is_dask_frame
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.io.parquet_memory import BY_PAGES

BATCH = 65_536
"""Instances in memory at a time: enough for the kernels' call to cost nothing beside their work."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Piece:
    """A row group of a Parquet file, with so many rows; those before it are `first`."""

    path: str
    group: int
    first: int
    rows: int


@dataclass(frozen=True)
class Asked:
    """What is evaluated, of whichever rows: two columns by name, and the arguments of `partial`."""

    hierarchy: Hierarchy
    columns: tuple[str, str]
    unknown: UnknownPolicy
    arguments: Mapping[str, Any]

    @cached_property
    def nothing(self) -> PartialReport:
        """The result of no rows."""
        return no_instances(self.hierarchy, **self.arguments)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    def with_rows(self, found: PartialReport, table: Any, called: Callable[[int], str]) -> PartialReport:
        """The result with the rows of a table added."""
        columns = (table.column(name) if hasattr(table, "column") else table[name] for name in self.columns)
        return found.plus(
            *(
                encode(self.hierarchy, column, unknown=self.unknown, name=name, called=called)
                for name, column in zip(self.columns, columns, strict=True)
            )
        )

    def with_piece(self, found: PartialReport, piece: Piece) -> PartialReport:
        """The result with the rows of a row group added."""
        row = piece.first
        for batch in _batches(piece, self.columns):
            found = self.with_rows(found, batch, _caller(piece.path, row))
            row += len(batch)
        return found


def partial_of_table(asked: Asked, table: Any, cluster: Any = None, progress: Progress | None = None) -> PartialReport:
    """The result of the rows of a path or a Dask frame; a path is read here unless there is a cluster."""
    if cluster is None and not is_dask_frame(table):
        return partial_of_folder(asked, table, progress)
    from hiermeasures.batch.cluster import partial_on_cluster

    return partial_on_cluster(asked, table, cluster, progress)


def partial_of_folder(asked: Asked, folder: str | Path, progress: Progress | None = None) -> PartialReport:
    """The result of the rows of a folder's Parquet files, or of one file. Memory does not grow with their number.

    `progress` is called with (rows done, rows in all).
    """
    pieces = parquet_pieces(folder, asked.columns)
    found, done, total = asked.nothing, 0, sum(piece.rows for piece in pieces)
    for piece in pieces:
        found = asked.with_piece(found, piece)
        done += piece.rows
        if progress:
            progress(done, total)
    return found.settled()


def parquet_pieces(folder: str | Path, columns: Iterable[str]) -> list[Piece]:
    """The row groups of a Parquet file, or of all below a folder, in the order of their names.

    Raises
    ------
    InputError
        Where there are none, or where a file cannot be read or lacks one of the columns.
    """
    root = Path(folder).absolute()
    paths = sorted(root.rglob("*.parquet")) if root.is_dir() else [root]
    if not paths:
        raise InputError(f"{root}: there is no Parquet file (*.parquet) in this folder")
    return [piece for path in paths for piece in _pieces(str(path), columns)]


def _pieces(path: str, columns: Iterable[str]) -> Iterator[Piece]:
    with _opened(path) as file:
        try:
            names = file.schema_arrow.names
        except ValueError as error:  # what is no text
            raise _damaged(path, error) from None
        for column in columns:
            if (found := names.count(column)) != 1:
                there = "is no column" if not found else f"are {found} columns"
                raise InputError(f"{path}: there {there} {shown(column)}; there are {', '.join(map(shown, names))}")
        first = 0
        for group in range(file.metadata.num_row_groups):
            rows = file.metadata.row_group(group).num_rows
            yield Piece(path, group, first, rows)
            first += rows


def _batches(piece: Piece, columns: tuple[str, str]) -> Iterator[Any]:
    from pyarrow.lib import ArrowException

    with _opened(piece.path) as file:
        wanted = list(dict.fromkeys(columns))
        try:
            yield from file.iter_batches(BATCH, [piece.group], wanted, use_threads=False)
        except (ArrowException, OSError, ValueError) as error:
            raise _damaged(piece.path, error) from None


def _opened(path: str) -> Any:
    require("cluster", "reading Parquet", "pyarrow")
    from pyarrow.lib import ArrowException
    from pyarrow.parquet import ParquetFile

    try:
        return ParquetFile(path, **BY_PAGES)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file or folder") from None
    except (ArrowException, OSError, ValueError) as error:
        raise _damaged(path, error) from None


def _damaged(path: str, error: Exception) -> InputError:
    return InputError(f"{path}: no Parquet file, or a damaged one ({shown(str(error).partition(chr(10))[0], 100)})")


def _caller(path: str, first: int) -> Callable[[int], str]:
    return lambda instance: f"row {first + instance + 1:,} of {path}"
