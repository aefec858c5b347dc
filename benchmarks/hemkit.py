"""HEMKit, the tool of Kosmopoulos et al., on the files that ours reads: how long it takes, and its
values beside ours, instance by instance. Its executable is somebody else's, given by its path; none
comes with the project.
"""

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.process import Files
from benchmarks.timed import timed

# Its file for tests of significance has a line for each instance, in this order; BioASQ's version
# has the first six.
COLUMNS = ("hP", "hR", "hF", "SDL", "F_LCA", "P_LCA", "R_LCA")
LCA = ("F_LCA", "P_LCA", "R_LCA")
FARTHEST = "100000"  # beyond any path, so that nothing is cut off
MAXIMUM = "5"  # what a class without a partner costs; no value that is compared depends on it
QUICK = 20.0  # seconds below which a run is repeated


@dataclass(frozen=True)
class Differing:
    """In how many instances its value of a measure is another than ours, in how many it has none (0
    / 0, where nothing is predicted), and the means of both.
    """

    measure: str
    instances: int
    undefined: int
    ours: float
    theirs: float


def beside(executable: Path, files: Files, ours: pd.DataFrame) -> dict[str, Any]:
    """The seconds of a whole run, the best of three where it is quick; and its values beside ours,
    per instance.

    Raises
    ------
    RuntimeError
        Where it wrote another number of instances than there are.
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
    """Its columns beside ours."""
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
    """Where its value is another than ours by more than the six digits that it writes allow."""
    column = theirs[:, COLUMNS.index(name)]
    return ~np.isnan(column) & ~np.isclose(column, ours[name].to_numpy(float), rtol=1e-5, atol=1e-9)
