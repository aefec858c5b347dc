"""HEMKit, the tool of Kosmopoulos et al., on the same files as ours.

The comparison has its time, and its values next to ours, instance by instance. You give the path of
its executable. The project does not contain it.
"""

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.process import Files
from benchmarks.timed import timed

# Its file for tests of significance has a line for each instance, in this order. BioASQ's version
# has the first six.
COLUMNS = ("hP", "hR", "hF", "SDL", "F_LCA", "P_LCA", "R_LCA")
LCA = ("F_LCA", "P_LCA", "R_LCA")
FARTHEST = "100000"  # longer than every path, so that no path is cut off
MAXIMUM = "5"  # the cost of a class without a partner. No compared value depends on it
QUICK = 20.0  # a run that takes fewer seconds is repeated


@dataclass(frozen=True)
class Differing:
    """The differences in one measure: the number of instances with other values, and the means.

    It also counts the instances without a value (0 / 0, for an empty prediction).
    """

    measure: str
    instances: int
    undefined: int
    ours: float
    theirs: float


def beside(executable: Path, files: Files, ours: pd.DataFrame) -> dict[str, Any]:
    """Return the seconds of a whole run, and its values next to ours for each instance.

    If a run is quick, the time is the best of three.

    Raises
    ------
    RuntimeError
        If it wrote another number of instances.
    """
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "instances.txt"
        command = [
            str(executable),
            *map(str, (files.hierarchy, files.true, files.predicted)),
            FARTHEST,
            MAXIMUM,
        ]
        run = timed([*command, str(written)])
        theirs = np.loadtxt(written, ndmin=2)
    if len(theirs) != len(ours):
        raise RuntimeError(f"{executable} wrote {len(theirs)} instances of {len(ours)}")
    again = [timed(command) for _ in range(3 if run.seconds < QUICK else 0)]
    apart = differing(theirs, ours)
    lca = np.any(
        [differs(theirs, ours, name) for name in LCA if COLUMNS.index(name) < theirs.shape[1]],
        axis=0,
    )
    return {
        "seconds": min(r.seconds for r in (run, *again)),
        "memory": run.memory,
        "lca": int(np.count_nonzero(lca)),
        "differing": [asdict(d) for d in apart],
    }


def differing(theirs: np.ndarray, ours: pd.DataFrame) -> list[Differing]:
    """Compare its columns with ours."""
    names = COLUMNS[: theirs.shape[1]]
    return [
        Differing(
            name,
            int(np.count_nonzero(differs(theirs, ours, name))),
            int(np.count_nonzero(np.isnan(theirs[:, COLUMNS.index(name)]))),
            float(ours[name].mean()),
            float(theirs[:, COLUMNS.index(name)].mean()),
        )
        for name in names
    ]


def differs(theirs: np.ndarray, ours: pd.DataFrame, name: str) -> np.ndarray:
    """Return where its value differs from ours. It writes six digits."""
    column = theirs[:, COLUMNS.index(name)]
    return ~np.isnan(column) & ~np.isclose(column, ours[name].to_numpy(float), rtol=1e-5, atol=1e-9)
