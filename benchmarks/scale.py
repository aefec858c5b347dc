"""Files that are larger than memory, evaluated by streaming and by a Dask cluster.

The files are Parquet with rows of the `dmoz` shape. You see memory and time, and if all bits agree.

    python benchmarks/scale.py [--rows 100000 1000000] [--folder DIR] [--write docs/scale.md]

Each file is written once, row group by row group, and used again later. Equal numbers of rows give
equal files. Each evaluation runs in its own process. Its memory is the highest value of this
process, or of the largest worker of the cluster. All measurements are kept in scale.json, and the
page shows all of them.
"""

import argparse
import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.run import SEVEN, machine_lines
from benchmarks.shapes import generate
from hiermeasures import Hierarchy, evaluate, partial, to_bytes
from hiermeasures.evaluation import EncodedLabels, Report
from hiermeasures.evaluation.batch import without_instances
from hiermeasures.evaluation.tables import BATCH

GROUP = 104_263  # rows of a row group: the size of the shape
WORKERS = 2
BILLION = 10**9
CORES, LINK = 16, 1.25e9  # of a machine, and bytes a second to the storage: 10 Gbit/s
MEASURED = Path(__file__).with_suffix(".json")

Result = dict[str, Any]


# --- files --------------------------------------------------------------------------------------


def shape_hierarchy() -> Hierarchy:
    return generate("dmoz", 1).hierarchy


def write_rows(path: Path, rows: int) -> None:
    """Write rows of true and predicted classes. Row group k is part k of the generator."""
    schema = pa.schema([(name, pa.list_(pa.string())) for name in ("true", "predicted")])
    partly = path.with_suffix(".partly")
    with parquet.ParquetWriter(partly, schema) as writer:
        for k, first in enumerate(range(0, rows, GROUP)):
            data = generate("dmoz", min(GROUP, rows - first), part=k)
            columns = [_lists(data.hierarchy, side) for side in (data.true, data.predicted)]
            writer.write_table(pa.table(columns, schema), GROUP)
    partly.rename(path)


def _lists(h: Hierarchy, labels: EncodedLabels) -> pa.Array:
    return pa.ListArray.from_arrays(
        pa.array(labels.ptr, pa.int32()), pa.array(h.nodes).take(pa.array(labels.idx))
    )


# --- one evaluation, in a process of its own ----------------------------------------------------


def streamed(path: str) -> Result:
    h = shape_hierarchy()
    _warm()
    start = time.perf_counter()
    report = evaluate(h, path, measures=SEVEN)
    return _result(
        report,
        time.perf_counter() - start,
        resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    )


def clustered(path: str) -> Result:
    """Evaluate on a cluster. The clock starts after the workers have their kernels."""
    from distributed import Client, LocalCluster

    h = shape_hierarchy()
    with (
        LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        client.run(_warm)
        start = time.perf_counter()
        report = evaluate(h, path, measures=SEVEN, cluster=client)
        seconds = time.perf_counter() - start
        memory = client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    return _result(report, seconds, max(memory.values()))


def _warm(name: str = "dmoz") -> None:
    """Compile the kernels, or load compiled ones."""
    few = generate(name, 300)
    without_instances(evaluate(few.hierarchy, few.true, few.predicted, measures=SEVEN, n_jobs=1))


def _result(report: Report, seconds: float, memory: int) -> Result:
    """Return values and counts as text, with every bit of a float."""
    bits = [repr(report.averaged(average)) for average in ("samples", "micro", "macro")]
    return {
        "rows": len(report),
        "seconds": seconds,
        "memory": memory,
        "values": bits,
        "classes": report.per_class.to_csv(),
    }


WAYS = {"streamed": streamed, "clustered": clustered}


def in_own_process(way: str, path: Path) -> Result:
    command = [sys.executable, __file__, "--part", way, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{way}: {done.stderr.strip()[-2000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def measure(folder: Path, rows: int) -> Result:
    """Measure both ways on one file, and compare the results."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"dmoz-{rows}.parquet"
    if not path.exists():
        write_rows(path, rows)
    found = {way: in_own_process(way, path) for way in WAYS}
    same = all(
        len({str(found[way][key]) for way in WAYS}) == 1 for key in ("rows", "values", "classes")
    )
    return {
        "rows": rows,
        "bytes": path.stat().st_size,
        "same": same,
        "load": os.getloadavg()[1],
        **{f"{way} {key}": found[way][key] for way in WAYS for key in ("seconds", "memory")},
    }


# --- what more would take -----------------------------------------------------------------------


def limits() -> Result:
    """Return the cost of sending and of a deep DAG, by shape.

    These are the bytes of a hierarchy and of a partial result, and the rows per second of one core.
    """
    found = {}
    for name, rows in (("dmoz", GROUP), ("dbpsmall", 20_000)):
        data = generate(name, rows)
        _warm(name)
        start = time.perf_counter()
        part = partial(data.hierarchy, data.true, data.predicted, measures=SEVEN, n_jobs=1)
        rate = rows / (time.perf_counter() - start)
        found[name] = {
            "classes": len(data.hierarchy),
            "hierarchy": len(pickle.dumps(data.hierarchy)),
            "result": len(to_bytes(part)),
            "rate": rate,
        }
    return found


# --- the page -----------------------------------------------------------------------------------


def page(measured: dict[str, Any]) -> str:
    """Return the measurements as Markdown, with an estimate for a billion rows."""
    rows = sorted(measured["rows"].values(), key=lambda r: r["rows"])
    return (
        "\n".join(
            [
                *_heading(),
                *_table(rows),
                *_billion(rows[-1], measured["limits"]),
                *DEEP.splitlines(),
                "",
                *machine_lines({}),
            ]
        )
        + "\n"
    )


HEADING = """# Scale

You can evaluate files that are larger than memory, in one process or on a Dask cluster. This page shows time and memory. It is made by
`python benchmarks/scale.py --write docs/scale.md`.

- **Data.** One Parquet file with rows of the `dmoz` shape: a tree of 34,004 classes, about one true and one predicted class per row. A row group
  has {group:,} rows.
- **Measures.** P, R and F1 on ancestor sets, symmetric difference, and P, R and F1 on minimal LCA graphs.
- **Here.** One process with {cores} threads streams the file.
- **Dask.** A cluster of {workers} worker processes with one thread each. The clock starts when the workers run.
- **Kernels** are compiled before the clock starts.
- **Memory** is the highest value of the process, or of the larger worker.
- **Same bits.** All averages, and the counts and values of every class, agree to the last bit.
"""


def _heading() -> list[str]:
    text = HEADING.format(group=GROUP, cores=len(os.sched_getaffinity(0)), workers=WORKERS)
    return [*text.splitlines(), ""]


def _table(rows: list[Result]) -> list[str]:
    lines = [
        "| rows | file | here | rows a second | memory | Dask | rows a second | memory | "
        "same bits |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|---|",
    ]
    for r in rows:
        cells = [f"{r['rows']:,}", _size(r["bytes"])]
        for way in WAYS:
            seconds = r[f"{way} seconds"]
            cells += [f"{seconds:.1f} s", f"{r['rows'] / seconds:,.0f}", _size(r[f"{way} memory"])]
        lines.append(f"| {' | '.join(cells)} | {'yes' if r['same'] else 'no'} |")
    busy = max(r["load"] for r in rows)
    if busy > len(os.sched_getaffinity(0)) + 1:
        lines += [
            "",
            f"The machine was busy with other work (load up to {busy:.0f}): times are "
            f"upper bounds.",
        ]
    return [*lines, ""]


BILLION_ROWS = """## A billion rows

One core evaluates {rate:,.0f} of these rows per second, including reading ({largest:,} rows on the cluster). So with {cores}
cores per machine, 10⁹ rows take {times}. We computed these times and did not measure them. The limits are:

- **The network.** The file has {size:.1f} bytes per row, {read} in all. A link of 10 Gbit/s to the storage needs {carried:.1f} min for it.
  With more than {machines} machines you wait for the link.
- **The sums.** {pieces:,.0f} row groups give {pieces:,.0f} partial results of {result}, {results} in all. Workers pass most of them to each
  other, eight at a time. With larger row groups, or frames with fewer partitions, you have fewer of them.
- **The hierarchy.** The scheduler sends it once to each worker: {tree} for the {tree_classes:,} classes here, {dag} for the {dag_classes:,}
  classes of `dbpsmall`. Multiply this by the number of workers.
- **LCA graphs in deep DAGs.** With labels in arrays, one core evaluates {tree_rate:,.0f} rows per second of `dmoz`. Of `dbpsmall`, a DAG of
  depth 10, it evaluates {dag_rate:,.0f}, which is {factor:.0f} times the work. 10⁹ of these rows take {hours:,.0f} hours of one core. Then the
  ancestors decide how many machines you need, and reading does not matter.

Memory is not a limit. A worker contains the hierarchy, the tables of its kernels, a batch of {batch:,} rows, and some pages of a row group.
"""


# A separate measurement: the array kernels within one `evaluate` of the shape with n_jobs=1, before
# and after a change.
DEEP = """## Ancestors in a deep DAG

`dbplarge` has 452,167 instances and a DAG of 476,579 classes and depth 14. Its 2,700,067 labels are of 219,150 classes with
113 million ancestors in all. A method that looks at every ancestor of every label needs at least 1.68·10⁹ reads. The table shows the processor
time of one thread, with compiled kernels. All values are equal bit for bit:

| part | before | now | ns per read, now |
|---|---:|---:|---:|
| list the ancestors of each class once | 7.6 s | 3.8 s | 2.3 |
| ancestor sets, which read each pair once | 5.3 s | 4.8 s | 2.9 |
| LCA graphs without a choice, and preparing the others | 66.2 s | 25.7 s | 15 |
| the search for LCA graphs with a choice | 36.3 s | 12.1 s | |
| all | 116 s | 46 s | 28 |

Ancestor sets show the cost of reading and marking each ancestor once: 4.8 s. The whole takes 10 times as long (24 times before). The time of LCA
graphs without a choice has these parts:

- a third to note costs at the ancestors of a class. Most of this is waiting for memory, although the data of a class fits into 16 bytes,
- a sixth to read them again, for the distance to the other side and for the LCAs above the class,
- a third to find the paths to all its LCAs at once, among the ancestors below its highest LCA (a fifth of them) and their parents.

Half of the instances need the search, which does not read lists of ancestors. For 97 in 100 of them, the smallest sets of LCAs already show that
the search ends within the limit on work, in whatever order the nodes are numbered. Numbering the nodes of the others by structure takes a fifth of
its time. Listing paths takes a quarter, and is only needed for the seventh of the connections that have more than one path. No single part
dominates any more.
"""


def _billion(largest: Result, by_shape: Result) -> list[str]:
    """Return the estimate for 10⁹ rows, from the largest measured file."""
    rate = largest["rows"] / largest["clustered seconds"] / WORKERS
    size = largest["bytes"] / largest["rows"]
    tree, dag = by_shape["dmoz"], by_shape["dbpsmall"]
    many = [
        f"{BILLION / rate / CORES / m / 60:,.1f} min on {m} machine{'s' * (m > 1)}"
        for m in (1, 4, 16)
    ]
    text = BILLION_ROWS.format(
        rate=rate,
        largest=largest["rows"],
        cores=CORES,
        times=", ".join(many),
        size=size,
        read=_size(BILLION * size),
        carried=BILLION * size / LINK / 60,
        machines=max(1, int(LINK / (rate * CORES * size))),
        pieces=BILLION / GROUP,
        result=_size(tree["result"]),
        results=_size(BILLION / GROUP * tree["result"]),
        tree=_size(tree["hierarchy"]),
        tree_classes=tree["classes"],
        dag=_size(dag["hierarchy"]),
        dag_classes=dag["classes"],
        batch=BATCH,
        tree_rate=tree["rate"],
        dag_rate=dag["rate"],
        factor=tree["rate"] / dag["rate"],
        hours=BILLION / dag["rate"] / 3600,
    )
    return [*text.splitlines(), ""]


def _size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if count >= 10 or unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--rows",
        nargs="*",
        type=int,
        default=[10**5, 10**6, 10**7],
        metavar="N",
        help="files to measure",
    )
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()), help="the folder for the files"
    )
    parser.add_argument(
        "--write", type=Path, help="the file for the page. Without it, the page is printed"
    )
    parser.add_argument("--part", nargs=2, metavar=("WAY", "FILE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        print(json.dumps(WAYS[given.part[0]](given.part[1])))
        return
    known = json.loads(MEASURED.read_text("utf-8")) if MEASURED.exists() else {"rows": {}}
    for rows in given.rows:
        known["rows"][str(rows)] = measure(given.folder, rows)
        print(rows, known["rows"][str(rows)], file=sys.stderr)
    known["limits"] = limits()
    MEASURED.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
    text = page(known)
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
