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
    "what is read off scores without a threshold",
    "Areas under the precision-recall curves of classes (Vens et al. 2008), hierarchical "
    "distances of the classes ranked first (Bertinetto et al. 2020), and operating curves "
    "(Valmadre 2022), for files of probabilities.",
    [
        declare.HIERARCHY,
        declare.TRUE,
        declare.argument(
            "--probabilities",
            "FILE",
            "a column per class: CSV, Parquet or NPZ; or folders of such files",
            required=True,
            nargs="+",
        ),
        declare.KIND,
        declare.LABEL_FORMAT,
        declare.TASK,
        declare.argument("--top", "K,K", "distances of the first K leaves (1,5)", default="1,5"),
        declare.choice(
            "--distance",
            ["level", "height"],
            "how far a wrong leaf is: depth of the hierarchy minus level of the lowest common "
            "ancestor (level, as in the distances that Bertinetto et al. published), or height of "
            "that ancestor (height, as in their text)",
            default="level",
        ),
        declare.choice(
            "--interpolation",
            ["counts", "step"],
            "how points of the curves of classes are joined: false positives growing evenly with "
            "true ones, as Vens et al. do (counts), or average precision (step)",
            default="counts",
        ),
        declare.choice(
            "--weights",
            ["leaves", "one"],
            "what a class weighs on operating curves: its information, were every leaf as "
            "likely, or 1",
            default="leaves",
        ),
        declare.argument(
            "--best-threshold",
            "K,…",
            "for each of these measures: the threshold, of 0, 0.01, …, 1, at which the predicted "
            "classes have its best value, and that value. evaluate --decision threshold@T applies "
            "a threshold to other data",
        ),
        declare.choice(
            "--average",
            ["samples", "micro", "macro"],
            "the average of these measures: mean over instances by default",
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
    """Return the best threshold of each measure, and the measure's value there."""
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
