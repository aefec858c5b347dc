"""The array engine compared with other packages, and on the LSHTC shapes. One command, one page.

    python benchmarks/run.py [--only NAME ...] [--hemkit PATH] [--write docs/benchmarks.md]

You can give the path of an executable of HEMKit, the tool of Kosmopoulos et al. Then it runs on the
same files in the same run, and its values are compared instance by instance. Otherwise the table has
the times that others measured. The page marks packages that are not installed (pip install hiclass
hierarchical-confusion-matrix sklearn-hierarchical-classification). Every part runs in its own
process, with kernels compiled beforehand. Times are the best of several runs, or of one long run.
With --only, other sections of an existing page stay.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import behaviour, hemkit, mistakes, process, reading, sessions
from benchmarks.shapes import Data, generate
from hiermeasures import Hierarchy
from hiermeasures.evaluation import EncodedLabels, evaluate
from hiermeasures.evaluation.encode import encode
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.evaluation.warm import make_kernels_ready
from hiermeasures.measures.confusion import greedy_cover
from hiermeasures.read import align, read_hierarchy, read_labels

SEVEN = ["hP", "hR", "hF", "SDL", "P_LCA", "R_LCA", "F_LCA"]
GERMEVAL = Path(__file__).resolve().parents[2] / "shared" / "data" / "germeval2019"
TWISTBYTES = "twistbytes__sklearn_hier_threshold_and_roots_baseline_thresholding"

Result = dict[str, Any]


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """Return the time of the shortest of some runs."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


# --- other packages -----------------------------------------------------------------------------


def hiclass() -> Result:
    """Compare the micro-averaged hierarchical F1 of arrays with a label per level."""
    from hiclass.metrics import f1

    data = generate("dmoz")
    true, predicted = (_levels(data.hierarchy, labels) for labels in (data.true, data.predicted))

    def ours() -> float:
        return evaluate(
            data.hierarchy, true, predicted, measures=["hF"], average="micro", count_root=False
        )["hF"]

    value = ours()
    theirs = [0.0]
    time_theirs = seconds(lambda: theirs.__setitem__(0, f1(true, predicted)), repeat=1)
    return _beside(
        "hiclass",
        f"micro hF of {len(true):,} instances, arrays of labels per level, tree of "
        f"{len(data.hierarchy):,} classes",
        seconds(ours),
        time_theirs,
        abs(value - theirs[0]) < 1e-12,
    )


def _levels(h: Hierarchy, labels: EncodedLabels) -> np.ndarray:
    """Return the first class of each instance with its ancestors, padded as in HiClass."""
    a = arrays_of(h)
    current = labels.idx[labels.ptr[:-1]].astype(np.int64)
    table = np.full((len(labels), h.depth), "", dtype=object)
    names = np.array([*h.nodes[:1], *h.nodes[1:]], dtype=object)
    while (rows := np.flatnonzero(current)).size:
        table[rows, a.level[current[rows]] - 1] = names[current[rows]]
        current[rows] = a.parent_idx[a.parent_ptr[current[rows]]]
    return table.astype(str)


def hierarchical_confusion_matrix() -> Result:
    """Compare the summed hierarchical confusion matrix of one system."""
    import networkx as nx
    from hierarchical_confusion_matrix import HierarchicalConfusion as peer

    what, h, true, predicted = _books()
    graph = nx.DiGraph([(a if a != h.root else "root", b) for a, b in h.edges])
    paths = [
        tuple([["root", *p[1:]] for p in greedy_cover(h, labels)] for labels in pair)
        for pair in zip(true, predicted, strict=True)
    ]
    keys = ["HCM_TP", "HCM_TN", "HCM_FP", "HCM_FN"]

    def ours() -> list[float]:
        return list(evaluate(h, true, predicted, measures=keys, path_ties="names").values.values())

    def theirs() -> np.ndarray:
        return sum(
            peer.determineHierarchicalConfusionMatrix(graph, [p[-1] for p in t], p)
            for t, p in paths
        )

    value, total = ours(), []
    time_theirs = seconds(lambda: total.extend(theirs()), repeat=1)
    return _beside(
        "hierarchical-confusion-matrix",
        f"confusion matrix, {what} (theirs is given the paths, ours finds them)",
        seconds(ours),
        time_theirs,
        value == [float(v) for v in total],
    )


def sklearn_hierarchical_classification() -> Result:
    """Compare the micro-averaged hierarchical F1 of indicator matrices."""
    import networkx as nx
    from sklearn_hierarchical_classification.constants import ROOT
    from sklearn_hierarchical_classification.metrics import h_fbeta_score, multi_labeled

    data = generate("books")
    h = data.hierarchy
    true, predicted = data.lists()
    graph = nx.DiGraph([(a if a != h.root else ROOT, b) for a, b in h.edges])
    value = [0.0]
    with multi_labeled(true, predicted, graph) as (y_true, y_pred, numbered):
        time_theirs = seconds(
            lambda: value.__setitem__(0, h_fbeta_score(y_true, y_pred, numbered)), repeat=1
        )
    classes = sorted(c for c in h.nodes if c != h.root)

    def ours() -> float:
        report = evaluate(
            h, y_true, y_pred, classes=classes, measures=["hF"], average="micro", count_root=False
        )
        return report["hF"]

    return _beside(
        "sklearn-hierarchical-classification",
        f"micro hF of {len(true):,} instances, indicator matrices of {len(classes)} classes",
        seconds(ours),
        time_theirs,
        abs(ours() - value[0]) < 1e-12,
    )


def _books() -> tuple[str, Hierarchy, list, list]:
    """Return GermEval 2019's second sub-task, or data of its size if it is missing."""
    if not GERMEVAL.exists():
        data = generate("books")
        return f"{len(data.true):,} instances of the shape 'books'", data.hierarchy, *data.lists()
    h = read_hierarchy(GERMEVAL / "hierarchy.txt")
    truth, system = (
        read_labels(GERMEVAL / name, task="b")
        for name in ("blurbs_test_label.txt", f"submissions/{TWISTBYTES}.txt")
    )
    aligned = align(truth, system)
    return (
        f"GermEval 2019 B, {len(aligned):,} instances",
        h,
        list(aligned.true),
        list(aligned.predicted),
    )


def _beside(peer: str, what: str, ours: float, theirs: float, agree: bool) -> Result:
    return {"peer": peer, "what": what, "ours": ours, "theirs": theirs, "agree": bool(agree)}


# --- the LSHTC shapes ---------------------------------------------------------------------------


def shape(name: str, executable: Path | None = None) -> Result:
    """Measure the seven measures of the paper's comparison, per instance.

    They are computed from encoded labels, and as a whole process, warm and cold. HEMKit is compared
    if its executable is given. dmoz and GermEval also get all measures of the catalogue.
    """
    what, data = _germeval() if name == "germeval" else (name, generate(name))
    _compile(data)
    large = len(data.hierarchy) > 100_000
    found: Result = {
        "what": what,
        "instances": len(data.true),
        "hierarchy": repr(data.hierarchy),
        "labels": len(data.true.idx) / len(data.true),
        "seven": seconds(
            lambda: evaluate(data.hierarchy, data.true, data.predicted, measures=SEVEN),
            1 if large else 3,
        ),
    }
    if name in ("dmoz", "germeval"):
        found["all"] = seconds(lambda: evaluate(data.hierarchy, data.true, data.predicted))
    with tempfile.TemporaryDirectory() as folder:
        files = process.write_files(data, Path(folder))
        found["warm"] = vars(process.warm(files, SEVEN, 1 if large else 3))
        found["cold"] = vars(process.cold(files, SEVEN))
        if executable and name not in DAYS:
            report = evaluate(
                data.hierarchy, data.true, data.predicted, measures=SEVEN, count_root=True
            )
            found["hemkit"] = hemkit.beside(executable, files, report.per_instance)
    return found


def _germeval() -> tuple[str, Data]:
    """Return GermEval 2019's second sub-task, or data of its size."""
    what, h, true, predicted = _books()
    return what.partition(",")[0], Data(h, encode(h, true), encode(h, predicted))


def _compile(data: Data) -> None:
    make_kernels_ready(wait=True)
    evaluate(data.hierarchy, data.true.piece(0, 300), data.predicted.piece(0, 300))


def cold_start() -> Result:
    """Measure a new process that evaluates a small batch, with kernels in the cache.

    The start of the interpreter does not count.
    """
    code = (
        "import time; t = time.perf_counter(); from hiermeasures import Hierarchy; from "
        "hiermeasures.evaluation import evaluate; h = Hierarchy.from_edges([('A', 'B'), ('A', "
        "'C')]); evaluate(h, [{'B'}] * 500, [{'C'}] * 500); print(time.perf_counter() - t)"
    )
    root = Path(__file__).resolve().parents[1]
    times = [
        float(
            subprocess.run(
                [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
            ).stdout
        )
        for _ in range(3)
    ]
    return {"what": "cold start", "seconds": min(times)}


PEERS = {
    "hiclass": hiclass,
    "hierarchical-confusion-matrix": hierarchical_confusion_matrix,
    "sklearn-hierarchical-classification": sklearn_hierarchical_classification,
}
SHAPES = ("dmoz", "dbpsmall", "dbplarge", "germeval")


def many_sessions() -> Result:
    """Measure people who click in the Explorer at the same time, on one server."""
    return {"what": "sessions", "rows": sessions.lines(sessions.measure())}


def small_hierarchies() -> Result:
    """Compare the search of small hierarchies with `explain`, and measure what-if."""
    return {"what": "behaviour", "rows": behaviour.lines(behaviour.measure())}


def reading_files() -> Result:
    """Measure the speed of reading files of every format."""
    return {"what": "reading", "rows": reading.lines(list(reading.measure()))}


def where_it_goes_wrong() -> Result:
    """Compare mistakes and confusion matrices with `pandas.crosstab`."""
    return {"what": "mistakes", "rows": mistakes.lines(mistakes.measure())}


OTHERS = {
    "mistakes": where_it_goes_wrong,
    "cold start": cold_start,
    "reading": reading_files,
    "behaviour": small_hierarchies,
    "sessions": many_sessions,
}
PARTS = (*PEERS, *SHAPES, *OTHERS)

# Seconds of whole runs of HEMKit on data of these shapes, measured by others. The last one is
# extrapolated.
GIVEN = {"dmoz": 2.8, "dbpsmall": 181.0, "dbplarge": 4 * 86_400.0}
DAYS = {"dbplarge"}  # shapes without a run of HEMKit


# --- the page -----------------------------------------------------------------------------------


def measured(part: str, executable: Path | None) -> Result:
    """Return a part, measured in this process."""
    return shape(part, executable) if part in SHAPES else {**PEERS, **OTHERS}[part]()


def in_own_process(part: str, executable: Path | None) -> Result:
    """Return a part's result, or the reason why it is missing."""
    if part in PEERS:
        try:
            importlib.metadata.version(part)
        except importlib.metadata.PackageNotFoundError:
            return {"missing": "not installed"}
    command = [
        sys.executable,
        __file__,
        "--part",
        part,
        *(["--hemkit", str(executable)] if executable else []),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        return {
            "missing": done.stderr.strip().splitlines()[-1]
            if done.stderr.strip()
            else "it did not run"
        }
    return json.loads(done.stdout.splitlines()[-1])


def page(results: dict[str, Result]) -> str:
    """Return the results as Markdown, ratios first."""
    parts = (
        _heading,
        _peers,
        _shapes,
        _values,
        _mistakes,
        _reading,
        _behaviour,
        _sessions,
        machine_lines,
    )
    return "\n".join(line for part in parts for line in part(results)) + "\n"


def updated(page_before: str, page_now: str) -> str:
    """Return a page with the sections of a new one in place of its own.

    New sections go before its last one.
    """
    before, now = (
        {text.partition("\n")[0]: text for text in page.split("\n## ")}
        for page in (page_before, page_now)
    )
    del now[next(iter(now))]  # the title of the existing page stays too
    last = next(reversed(before))
    sections = before | now
    sections[last] = sections.pop(last)
    return "\n## ".join(text.rstrip("\n") + "\n" for text in sections.values())


def _heading(results: dict[str, Result]) -> list[str]:
    with_hemkit = " --hemkit PATH" if any("hemkit" in r for r in results.values()) else ""
    made = f"Made by `python benchmarks/run.py{with_hemkit} --write docs/benchmarks.md`."
    return [
        "# Benchmarks",
        "",
        f"{made} Kernels are compiled beforehand, except in the columns “cold”.",
        "",
    ]


def _peers(results: dict[str, Result]) -> list[str]:
    if not any(name in results for name in PEERS):
        return []
    lines = [
        "## Other packages",
        "",
        "Both programs get the same labels on the same machine, one after the other. Our time "
        "includes reading the labels into arrays.",
        "",
        "| faster by | than | work | ours | theirs | same numbers |",
        "|---:|---|---|---:|---:|---|",
    ]
    for name in PEERS:
        r = results.get(name)
        if r is None:
            continue
        if "missing" in r:
            lines.append(f"| – | {name} | {r['missing']} | | | |")
            continue
        version = importlib.metadata.version(name)
        lines.append(
            f"| **{_ratio(r['theirs'] / r['ours'])}** | {name} {version} | {r['what']} | "
            f"{_time(r['ours'])} | {_time(r['theirs'])} | {'yes' if r['agree'] else 'no'} |"
        )
    return [*lines, ""]


def _shapes(results: dict[str, Result]) -> list[str]:
    if not any(name in results for name in SHAPES):
        return []
    lines = [
        "## Whole data sets",
        "",
        "Every instance gets P, R and F1 on ancestor sets, symmetric difference, and P, R and F1 "
        "on minimal LCA graphs. The data have the shapes of LSHTC, or are GermEval 2019 B. "
        "“Whole” is the command `hiermeasures evaluate` from its start to its end, including "
        "reading text files. “Cold” is its first run on a machine, when kernels are compiled. "
        "“Warm” is every other run. “Inside” is from labels in arrays, in a running process. "
        "HEMKit is the C++ tool of Kosmopoulos et al., as a whole command. The ratios compare "
        "with it.",
        "",
        "| whole, warm | whole, cold | inside | shape | instances | hierarchy | whole, warm | "
        "whole, cold | inside | HEMKit | memory |",
        "|---:|---:|---:|---|---:|---|---:|---:|---:|---:|---:|",
    ]
    for name in SHAPES:
        r = results.get(name)
        if r is None or "missing" in r:
            continue
        times = (r["warm"]["seconds"], r["cold"]["seconds"], r["seven"])
        theirs, source = (
            (r["hemkit"]["seconds"], "") if "hemkit" in r else (GIVEN.get(name), " (given)")
        )
        ratios = [f"**{_ratio(theirs / t)}**" if theirs else "–" for t in times]
        lines.append(
            f"| {' | '.join(ratios)} | {r['what']} | {r['instances']:,} | {_kind(r['hierarchy'])} "
            f"| {' | '.join(map(_time, times))} | {_time(theirs) + source if theirs else '–'} | "
            f"{r['warm']['memory']:.1f} GB |"
        )
    if any(name in results and "hemkit" not in results[name] for name in GIVEN):
        lines += [
            "",
            f"“Given” means measured by others on another machine{_extrapolated(results)}, and "
            f"not in this run.",
        ]
    every = {name: results[name]["all"] for name in SHAPES if "all" in results.get(name, {})}
    if every:
        inside = ", ".join(
            f"{results[name]['what']} {_time(taken)}" for name, taken in every.items()
        )
        lines += ["", f"All measures of the catalogue, inside: {inside}."]
    if "seconds" in results.get("cold start", {}):
        taken = _time(results["cold start"]["seconds"])
        lines += [
            "",
            f"From importing the package to the first report, with compiled kernels in the cache: "
            f"{taken}.",
        ]
    return [*lines, ""]


def _extrapolated(results: dict[str, Result]) -> str:
    return "".join(f", {name} extrapolated" for name in sorted(DAYS) if name in results)


def _values(results: dict[str, Result]) -> list[str]:
    """Return the number of instances with other values in HEMKit, and the means."""
    ran = {name: results[name]["hemkit"] for name in SHAPES if "hemkit" in results.get(name, {})}
    if not ran:
        return []
    lines = [
        "## HEMKit's values",
        "",
        "Both programs read the same files in the same run. [What tools "
        "print](errata.md#hemkit) explains why values on LCA graphs differ.",
        "",
        "| shape | measure | other values | share | undefined there | mean, ours | mean, HEMKit |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for name, found in ran.items():
        r = results[name]
        for d in found["differing"]:
            share = d["instances"] / r["instances"]
            lines.append(
                f"| {r['what']} | `{d['measure']}` | {d['instances']:,} | {share:.1%} | "
                f"{d['undefined'] or ''} | {d['ours']:.4f} | {d['theirs']:.4f} |"
            )
        lines.append(
            f"| {r['what']} | any of the LCA measures | {found['lca']:,} | "
            f"{found['lca'] / r['instances']:.1%} | | | |"
        )
    return [*lines, ""]


def _kind(hierarchy: object) -> str:
    """Describe a hierarchy as repr does, without the root."""
    return str(hierarchy).removeprefix("Hierarchy(").rsplit(", root", 1)[0]


def _reading(results: dict[str, Result]) -> list[str]:
    rows = results.get("reading", {}).get("rows")
    if rows is None:
        return []
    return [
        "## Reading files",
        "",
        "The tables show MB of the file per second of processor time (`benchmarks/reading.py`). "
        "The time is from the open file to label sets as arrays, or to a hierarchy that is "
        "checked, sorted and ready to use. It is the best of up to three runs. Every format has "
        "the same labels and the same hierarchy, with names of six or seven characters. Building "
        "the hierarchy is included, about a microsecond per class. Parquet and NPZ are compressed.",
        "",
        *rows,
        "",
    ]


def _mistakes(results: dict[str, Result]) -> list[str]:
    rows = results.get("mistakes", {}).get("rows")
    if rows is None:
        return []
    return [
        "## Where a system goes wrong",
        "",
        "The table shows processor time, all from one run (`benchmarks/mistakes.py`). “Pairs” "
        "pairs the true and predicted classes of each instance. “Kinds” is `report.mistakes()`. "
        "“Top classes” and “every class” are `report.confusion(level=…)`. “Crosstab” is "
        "`pandas.crosstab` of the first label of each side. It ignores the hierarchy and further "
        "labels. The ratio compares crosstab with pairs and every class together.",
        "",
        *rows,
        "",
        f"Measured on: {machine_lines(results)[-1]}",
        "",
    ]


def _behaviour(results: dict[str, Result]) -> list[str]:
    rows = results.get("behaviour", {}).get("rows")
    return ["## Small hierarchies", "", *rows, ""] if rows else []


def _sessions(results: dict[str, Result]) -> list[str]:
    rows = results.get("sessions", {}).get("rows")
    if rows is None:
        return []
    return [
        "## Sessions",
        "",
        "Each session clicks a class in the Explorer every two seconds. All use one server and "
        "the protocol of a browser (`benchmarks/sessions.py`, on the same machine). An answer is "
        "complete when the run has finished. Every answer shows exactly the classes that its "
        "session has clicked.",
        "",
        *rows,
        "",
        "Each number of sessions clicks for thirty seconds. Sessions of the rows above stay open. "
        "The app has its default settings. “Left alone” is the load of one core while all "
        "sessions stay open without clicks. A click that changes the toolbar draws the whole page "
        "and sends more. One example is the first click, because you can undo it.",
        "",
    ]


def machine_lines(results: dict[str, Result]) -> list[str]:
    model = next(
        (
            line.split(":")[1].strip()
            for line in _lines("/proc/cpuinfo")
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    memory = next(
        (
            int(line.split()[1]) / 2**20
            for line in _lines("/proc/meminfo")
            if line.startswith("MemTotal")
        ),
        float("nan"),
    )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    packages = [name for name in ("numpy", "scipy", "numba") if importlib.util.find_spec(name)]
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in packages)
    return [
        "## Machine",
        "",
        f"{model}, {cores} cores, {memory:.0f} GB; {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, {versions}.",
    ]


def _lines(path: str) -> Iterable[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def _ratio(value: float) -> str:
    return (
        f"{value:,.0f} ×" if value >= 10 else f"{value:.1f} ×" if value >= 0.1 else f"{value:.2f} ×"
    )


def _time(value: float) -> str:
    if value >= 86_400:
        return f"{value / 86_400:.0f} days"
    return (
        f"{value:.0f} s"
        if value >= 20
        else f"{value:.1f} s"
        if value >= 1
        else f"{1000 * value:.0f} ms"
    )


def _executable(text: str) -> Path:
    path = Path(text).resolve()
    if not os.access(path, os.X_OK) or path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} is no executable file")
    return path


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=PARTS,
        default=list(PARTS),
        metavar="NAME",
        help=", ".join(PARTS),
    )
    parser.add_argument(
        "--hemkit", type=_executable, metavar="PATH", help="an executable of HEMKit"
    )
    parser.add_argument(
        "--write", type=Path, help="the file for the page. Without it, the page is printed"
    )
    parser.add_argument("--part", choices=PARTS, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.part:
        print(json.dumps(measured(given.part, given.hemkit)))
        return
    make_kernels_ready(wait=True)
    results = {}
    for part in given.only:
        print(f"{part} …", file=sys.stderr, flush=True)
        results[part] = in_own_process(part, given.hemkit)
        if missing := results[part].get("missing"):
            print(f"{part} is left out: {missing}", file=sys.stderr)
    text = page(results)
    if given.write and given.write.exists() and len(given.only) < len(PARTS):
        text = updated(given.write.read_text(encoding="utf-8"), text)
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
