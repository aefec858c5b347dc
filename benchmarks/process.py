"""The whole process of one evaluation from the shell.

The time is from the start of the interpreter to the last printed line, including reading the files.
run.py measures the computation alone.
"""

import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.shapes import Data
from benchmarks.timed import Run, timed
from hiermeasures.evaluation import EncodedLabels
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.warm import AHEAD


@dataclass(frozen=True)
class Files:
    """A data set as text files in HEMKit's layout.

    The files have edges, and a line of classes for each instance. Classes are whole numbers.
    """

    hierarchy: Path
    true: Path
    predicted: Path


def write_files(data: Data, folder: Path) -> Files:
    """Write the data into files. A class is its number.

    The root is 0, because HEMKit puts 0 above all classes and counts it.
    """
    names = np.arange(len(data.hierarchy))
    a = arrays_of(data.hierarchy)
    parents = np.repeat(names, np.diff(a.child_ptr))
    files = Files(folder / "hierarchy.txt", folder / "true.txt", folder / "predicted.txt")
    np.savetxt(files.hierarchy, np.stack([parents, names[a.child_idx]], 1), fmt="%d")
    for labels, path in ((data.true, files.true), (data.predicted, files.predicted)):
        path.write_text(_lines(labels, names), encoding="utf-8")
    return files


def _lines(labels: EncodedLabels, names: np.ndarray) -> str:
    words = names[labels.idx].astype(str).tolist()
    ends = labels.ptr.tolist()
    return "".join(" ".join(words[a:b]) + "\n" for a, b in zip(ends, ends[1:], strict=False))


def warm(files: Files, measures: Sequence[str], repeat: int = 3) -> Run:
    """Run the evaluation with kernels from an earlier run. Return the quickest of several runs."""
    timed(_evaluation(files, measures))
    return min(
        (timed(_evaluation(files, measures)) for _ in range(repeat)), key=lambda run: run.seconds
    )


def cold(files: Files, measures: Sequence[str]) -> Run:
    """Run the evaluation as on a new machine, without compiled kernels.

    Its kernels are thrown away afterwards.
    """
    with tempfile.TemporaryDirectory() as empty:
        return timed(_evaluation(files, measures), {"NUMBA_CACHE_DIR": empty, AHEAD: "no"})


def _evaluation(files: Files, measures: Sequence[str]) -> list[str]:
    given = [
        "--hierarchy",
        str(files.hierarchy),
        "--true",
        str(files.true),
        "--predicted",
        str(files.predicted),
    ]
    return [
        sys.executable,
        "-m",
        "hiermeasures",
        "evaluate",
        *given,
        "--measures",
        ",".join(measures),
        "--json",
    ]
