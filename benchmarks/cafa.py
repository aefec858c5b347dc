"""`hiermeasures cafa` beside the public evaluator: the same files, each in a process of its own
from its start to its end, every column of every threshold compared; and alone on a size that a
table of targets and terms cannot hold.

    python benchmarks/cafa.py [--beside TARGETS] [--alone TARGETS]
"""

import argparse
import importlib.util
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.shapes import Scored, generate_scored
from benchmarks.timed import Run, timed

BESIDE, ALONE = 1_000, 100_000  # targets
NAMESPACE = "process"
# Its command rounds what it writes, so the function behind it is called.
PUBLIC = """
import sys
from cafaeval.evaluation import cafa_eval
obo, predictions, truth, information, out = sys.argv[1:]
table = cafa_eval(obo, predictions, truth, ia=information, n_cpu=2)[0]
table.reset_index().to_csv(out, sep="\\t", index=False)
"""


@dataclass(frozen=True)
class Files:
    """An ontology, a folder with one file of predictions, the truth, and terms' information."""

    ontology: Path
    predictions: Path
    truth: Path
    information: Path


def measure(beside: int = BESIDE, alone: int = ALONE) -> dict[str, Any]:
    """Both on as many targets as the public evaluator can hold, and ours alone on all; `public` is
    missing where it is not installed.
    """
    load = os.getloadavg()[0]
    installed = importlib.util.find_spec("cafaeval") is not None
    with tempfile.TemporaryDirectory() as folder:
        small = _written(generate_scored(beside), Path(folder) / "beside")
        large = _written(generate_scored(alone), Path(folder) / "alone")
        _ours(small, Path(folder) / "compiled.tsv")
        tables = Path(folder) / "ours.tsv", Path(folder) / "public.tsv"
        ours = _ours(small, tables[0])
        public = {"public": vars(_public(small, tables[1])), **_compared(*tables)} if installed else {}
        whole = _ours(large, Path(folder) / "all.tsv")
    shape = generate_scored(1).hierarchy
    above = np.mean([len(shape.ancestors(c)) for c in shape.nodes[:: max(1, len(shape) // 500)]])
    return {
        "hierarchy": repr(shape),
        "depth": shape.depth,
        "ancestors": float(above),
        "load": load,
        "beside": beside,
        "alone": alone,
        "ours": vars(ours),
        "whole": vars(whole),
        **public,
    }


def _ours(files: Files, table: Path) -> Run:
    given = [str(files.ontology), str(files.predictions), str(files.truth), "--ia", str(files.information)]
    return timed([sys.executable, "-m", "hiermeasures", "cafa", *given, "--table", str(table)])


def _public(files: Files, table: Path) -> Run:
    given = [files.ontology, files.predictions, files.truth, files.information, table]
    return timed([sys.executable, "-c", PUBLIC, *map(str, given)])


def _compared(ours: Path, public: Path) -> dict[str, float]:
    """Return the number of numbers, and the largest difference; a row or a column that one has
    alone is an error.
    """
    first, second = (pd.read_csv(path, sep="\t").set_index(["filename", "ns", "tau"]) for path in (ours, public))
    second.index = first.index if len(first) == len(second) else second.index
    if sorted(first.columns) != sorted(second.columns) or len(first) != len(second):
        raise SystemExit(f"{first.shape} and {second.shape} are not the same rows and columns")
    differences = (first - second[first.columns]).abs().to_numpy()
    return {"cells": differences.size, "largest": float(differences.max())}


# --- files --------------------------------------------------------------------------------------


def _written(data: Scored, folder: Path) -> Files:
    """The data as the files that both read."""
    (folder / "predictions").mkdir(parents=True)
    files = Files(folder / "go.obo", folder / "predictions", folder / "truth.tsv", folder / "ia.tsv")
    h = data.hierarchy
    names = [f"T:{int(label):07d}" for label in h.nodes]
    stanzas = ["format-version: 1.2\n"]
    for label, name in zip(h.nodes, names, strict=True):
        parents = "".join(f"is_a: {names[h.index(parent)]}\n" for parent in h.parents(label))
        stanzas.append(f"[Term]\nid: {name}\nname: {label}\nnamespace: {NAMESPACE}\n{parents}")
    files.ontology.write_text("\n".join(stanzas), encoding="utf-8")
    with (files.predictions / "one.tsv").open("w", encoding="utf-8") as out:
        lines = zip(data.target.tolist(), data.term.tolist(), data.score.tolist(), strict=True)
        out.writelines(f"P{target}\t{names[term]}\t{score}\n" for target, term, score in lines)
    with files.truth.open("w", encoding="utf-8") as out:
        for target in range(len(data.true)):
            out.writelines(f"P{target}\t{names[term]}\n" for term in data.true.numbers(target))
    with files.information.open("w", encoding="utf-8") as out:
        out.writelines(f"{name}\t{bits}\n" for name, bits in zip(names, data.information.tolist(), strict=True))
    return files


# --- the section --------------------------------------------------------------------------------


def lines(found: dict[str, Any]) -> list[str]:
    """The section's text, ratios first."""
    rows = [("hiermeasures", found["beside"], found["ours"]), ("hiermeasures", found["alone"], found["whole"])]
    less, end = [], "The public evaluator is not installed (pip install cafaeval)."
    if "public" in found:
        rows.insert(1, ("cafaeval", found["beside"], found["public"]))
        ratios = (found["public"][key] / found["ours"][key] for key in ("seconds", "processor", "memory"))
        less = [f"| **less by** | {found['beside']:,} | {' | '.join(f'**{ratio:.0f} ×**' for ratio in ratios)} |"]
        end = f"The {found['cells']:,} numbers of the two tables differ by {found['largest']:.0e} at most."
    shape = found["hierarchy"].removeprefix("Hierarchy(").rsplit(", root", 1)[0]
    return [
        f"`hiermeasures cafa`: an ontology of one namespace ({shape}, depth {found['depth']}, {found['ancestors']:.0f} "
        "terms above a term on average), five true terms and 50 scores for each target; all 99 thresholds, weighted "
        "and not, on two threads, from the files to the table. The public evaluator holds a table of targets × terms "
        "several times over; both run on a number of targets for which it has the memory.",
        "",
        "| | targets | time | processor time | memory |",
        "|---|---:|---:|---:|---:|",
        *less,
        *(
            f"| {name} | {targets:,} | {_seconds(run['seconds'])} | {_seconds(run['processor'])} | "
            f"{run['memory']:.1f} GB |"
            for name, targets, run in rows
        ),
        "",
        end,
        f"Load of the machine when they began: {found['load']:.1f}.",
    ]


def _seconds(value: float) -> str:
    return f"{value:.0f} s" if value >= 20 else f"{value:.1f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--beside", type=int, default=BESIDE, help="targets for both")
    parser.add_argument("--alone", type=int, default=ALONE, help="targets for ours alone")
    given = parser.parse_args()
    print("\n".join(lines(measure(given.beside, given.alone))))


if __name__ == "__main__":
    main()
