"""CAFA's evaluation shared out to the workers of a Dask cluster, for files that no process can
hold.

The lines of a target may stand anywhere in a file. So a task reads a piece of a file and sorts its
lines into blocks of targets; another takes a block's lines from all pieces and gives its sums
(cafa_partial) as bytes; and these are joined, eight at a time. What is computed where and when,
kept on disk meanwhile, and computed again for a lost worker is Dask's business, and
hiermeasures.engine.cluster's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hiermeasures.cafa.protocol import NOTHING, CafaRun, Noticed
from hiermeasures.cafa.sums import CafaPartial
from hiermeasures.core.errors import InputError
from hiermeasures.engine.batch import Progress
from hiermeasures.engine.cluster import Task, bytes_of_part, sums_on_cluster
from hiermeasures.formats.annotations import AnnotationPiece, Annotations, pieces_of_files, read_piece
from hiermeasures.formats.ontology import Ontology

Lines = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Targets and terms by number (int32), and scores."""
BLOCK = 8_000_000  # lines that a task holds, at the most about
_NO_LINES: Lines = (np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))
FEWEST_BLOCKS = 16  # so that a few workers have something to do also where there is little


def cafa_on_cluster(
    ontology: Ontology,
    true: Annotations,
    files: Mapping[str, str | Path],
    *,
    cluster: Any = None,
    progress: Progress | None = None,
    **settings: Any,
) -> CafaPartial:
    """CAFA's sums, computed by the workers of a Dask cluster: `report()` is that of
    `cafa_evaluate`, to the last bit.

    Parameters
    ----------
    ontology, true
        As for `cafa_evaluate`; they are sent to each worker once.
    files : mapping from name to path
        The predictions of a system each: text, gzip or Parquet. A path means the same file on every
        worker.
    cluster : distributed.Client, "local" or an address, optional
        By default the client that the process has, and where it has none, threads of this process.
    progress : callable, optional
        Called with (tasks done, tasks in all), as the scheduler counts them.
    settings :
        `information`, `normalisation`, `propagation`, `orphans` and `step` of `cafa_evaluate`.

    Raises
    ------
    InputError
        As `cafa_evaluate` and `read_annotations`, and where the cluster cannot be reached or breaks
        off.
    """
    run = CafaRun.of(ontology, true, **settings).with_targets(true)
    pieces = pieces_of_files(files)
    lines = sum(piece.rows for each in pieces.values() for piece in each)
    known = run.known
    blocks = min(max(-(-lines // BLOCK), FEWEST_BLOCKS), len(known))
    asked = _Asked(ontology, true, known, blocks, settings)
    found: CafaPartial
    found, noticed = sums_on_cluster(
        asked, lambda task: _tasks(task, blocks, pieces), cluster=cluster, progress=progress
    )
    return replace(found, notes=(*(run.notes or ()), *_notes(found, dict(zip(files, noticed, strict=True)))))


@dataclass(frozen=True, eq=False)
class _Asked:
    """The data that every worker is sent: `known` are the targets with truth, and a block has every
    so many-th of them. What is made of it once lies in its properties, which are not sent.
    """

    of: Ontology
    true: Annotations
    known: np.ndarray
    blocks: int
    settings: Mapping[str, Any]

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}

    @cached_property
    def run(self) -> CafaRun:
        """The evaluation of all targets, of which a block is a part."""
        return CafaRun.of(self.of, self.true, **self.settings, threads=1, announce=lambda message: None)

    @cached_property
    def block_of(self) -> Mapping[str, np.ndarray]:
        """The block of each target of a namespace."""
        numbers = {s.name: self.targets.get_indexer(pd.Index(s.targets)) for s in self.run.spaces}
        return {name: found % self.blocks for name, found in numbers.items()}

    @cached_property
    def targets(self) -> pd.Index:
        return pd.Index(self.known)

    @cached_property
    def terms(self) -> pd.Index:
        """All ids that the ontology knows: workers tell one another numbers, not names."""
        return pd.Index(sorted({*self.of.namespace_of, *self.of.alternative}), dtype=object)

    def lines_of(self, file: Annotations) -> Lines:
        """The lines of a file with a target that has truth and an id that the ontology knows."""
        target = self.targets.get_indexer(pd.Index(file.targets)).astype(np.int32)[file.target]
        term = self.terms.get_indexer(pd.Index(file.terms)).astype(np.int32)[file.term]
        score = np.zeros(len(file)) if file.score is None else file.score
        some = (target >= 0) & (term >= 0)
        return target[some], term[some], score[some]

    def partial(self, block: int, files: Sequence[tuple[str, Sequence[Lines]]]) -> CafaPartial:
        """The sums over the targets of a block, from the lines that every file has of it."""
        run = self.run.of_targets({name: np.flatnonzero(number == block) for name, number in self.block_of.items()})
        names = self.targets.to_numpy(), self.terms.to_numpy()
        return run.over((Annotations(name, *names, *_concatenated(lines)) for name, lines in files), False)[0]


def _tasks(
    task: Callable[..., Task], blocks: int, pieces: Mapping[str, Sequence[AnnotationPiece]]
) -> tuple[list[Any], list[Any]]:
    sort, sums, together = task(sorted_into_blocks, nout=blocks + 1), task(bytes_of_part), task(_together)
    found = {name: [tuple(sort(piece)) for piece in each] for name, each in pieces.items()}
    parts = [sums(k, [(name, [p[k] for p in each]) for name, each in found.items()]) for k in range(blocks)]
    return parts, [together([p[blocks] for p in each]) for each in found.values()]


def _notes(found: CafaPartial, noticed: Mapping[str, Noticed]) -> Iterable[str]:
    for name, each in noticed.items():
        if not each.lines:
            raise InputError(f"{name}: holds no annotations")
        yield from each.notes(name, found.ontology, evaluated=name in found.sums)


# --- workers ------------------------------------------------------------------------------------


def sorted_into_blocks(asked: _Asked, piece: AnnotationPiece) -> list[Lines | Noticed]:
    """The lines of a piece for each block of targets, and last what is said of it. The piece is
    read in runs, and only lines of known targets and terms are kept, by number.
    """
    noticed, found = NOTHING, [[_NO_LINES] for _ in range(asked.blocks)]
    for file in read_piece(piece):
        columns = asked.lines_of(file)
        block = columns[0] % asked.blocks
        order = np.argsort(block, kind="stable")
        ends = np.searchsorted(block[order], range(asked.blocks + 1))
        for lines, a, b in zip(found, ends[:-1], ends[1:], strict=True):
            mine = order[a:b]
            lines.append((columns[0][mine], columns[1][mine], columns[2][mine]))
        noticed += Noticed.of(file, asked.targets, asked.of)
    return [*map(_concatenated, found), noticed]


def _together(_: _Asked, pieces: Sequence[Noticed]) -> Noticed:
    return reduce(add, pieces)


def _concatenated(pieces: Sequence[Lines]) -> Lines:
    target, term, score = (np.concatenate(column) for column in zip(*pieces, strict=True))
    return target, term, score
