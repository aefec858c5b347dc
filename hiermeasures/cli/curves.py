"""`curves`: values of scores that need no threshold."""

import argparse
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hiermeasures.cli import declare, printing
from hiermeasures.cli.printing import show


@declare.command(
    "curves",
    "compute areas under curves and distances from scores",
    "Compute values that need no threshold from files of probabilities: areas under the "
    "precision-recall curves of classes (Vens et al. 2008), hierarchical distances of the "
    "classes ranked first (Bertinetto et al. 2020), and operating curves (Valmadre "
    "2022). Example: hiermeasures curves --hierarchy hierarchy.txt --true true.csv "
    "--probabilities scores.csv --kind leaves",
    [
        declare.HIERARCHY,
        declare.TRUE,
        declare.argument(
            "--probabilities",
            "FILE",
            "files with a column per class (CSV, Parquet or NPZ), or folders of them",
            required=True,
            nargs="+",
        ),
        declare.KIND,
        declare.LABEL_FORMAT,
        declare.TASK,
        declare.argument(
            "--top", "K,K", "the distances of the first K leaves (1,5)", default="1,5"
        ),
        declare.choice(
            "--distance",
            ["level", "height"],
            "the distance of a wrong leaf: depth of the hierarchy minus level of the lowest "
            "common ancestor (level, as in the distance files of Bertinetto et al.), or "
            "height of that ancestor (height, as in their text)",
            default="level",
        ),
        declare.choice(
            "--interpolation",
            ["counts", "step"],
            "the line between two points of a curve: false positives grow evenly with true "
            "positives, as in Vens et al. (counts), or average precision (step)",
            default="counts",
        ),
        declare.choice(
            "--weights",
            ["leaves", "one"],
            "the weight of a class on operating curves: its information if all leaves were "
            "equally likely (leaves), or 1 (one)",
            default="leaves",
        ),
        declare.argument(
            "--best-threshold",
            "K,…",
            "find the best threshold among 0, 0.01, …, 1 for each of these measures, with its "
            "value. Apply a threshold to other data with evaluate --decision threshold@T",
        ),
        declare.choice(
            "--average",
            ["samples", "micro", "macro"],
            "the average of these measures (samples: the mean over instances)",
        ),
        declare.SETTINGS,
        declare.flag("--json", "print {file: {value: …}} instead of a table"),
    ],
)
def curves(arguments: argparse.Namespace) -> int:
    from hiermeasures.evaluation.scores import match_labels, read_probabilities, scored_report
    from hiermeasures.read import read_hierarchy, read_labels

    files = declare.files_in(arguments.probabilities)
    measures = declare.keys_of(arguments.best_threshold, "--best-threshold") or []
    if not measures:
        declare.check_alone(arguments, "average", "settings", why="only --best-threshold needs it")
    settings: dict[str, Any] = {
        "top": [declare.count_of(text, "--top") for text in arguments.top.split(",")],
        "distance": arguments.distance,
        "weights": arguments.weights,
        "interpolation": arguments.interpolation,
    }
    h = read_hierarchy(Path(arguments.hierarchy))
    truth = read_labels(Path(arguments.true), arguments.format, arguments.task, known_classes=h)
    printing.print_notes(h.notes, arguments.hierarchy)
    printing.print_notes(truth.notes, arguments.true)
    values = dict[str, dict[str, float]]()
    for name, path in files.items():
        table = read_probabilities(path, h, kind=arguments.kind)
        labels, matched = match_labels(table, truth)
        report = scored_report(table, labels, **settings)
        printing.print_notes((*table.notes, *matched, *report.notes), name)
        values[name] = report.values | _best_thresholds(table, labels, measures, arguments, name)
    if arguments.json:
        print(printing.as_json(values))
    else:
        show("\n".join(_side_by_side(values)).translate(printing.CONTROLS))
    return 0


def _best_thresholds(
    table: Any, labels: Any, measures: Iterable[str], arguments: argparse.Namespace, name: str
) -> dict[str, float]:
    """Return the best threshold of each measure, with the measure's value."""
    from hiermeasures.evaluation.scores import choose_threshold
    from hiermeasures.hierarchy.options import Options

    options = Options.make(declare.settings_of(arguments.settings))
    values: dict[str, float] = {}
    for measure in measures:
        choice = choose_threshold(
            table, labels, measure, average=arguments.average or "samples", options=options
        )
        printing.print_notes([f"{measure}: {note}" for note in choice.notes], name)
        values |= {f"{measure}_threshold": choice.at, f"{measure}_best": choice.value}
    return values


def _side_by_side(found: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    keys = list(dict.fromkeys(key for values in found.values() for key in values))
    first, width = max(map(len, keys)), max(10, *map(len, found))
    yield " " * first + "".join(f"  {name:>{width}}" for name in found)
    for key in keys:
        cells = (values.get(key, math.nan) for values in found.values())
        yield f"{key:{first}}" + "".join(
            f"  {'–' if math.isnan(v) else f'{v:.4f}':>{width}}" for v in cells
        )
