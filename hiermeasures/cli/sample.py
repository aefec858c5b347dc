"""`sample`: write small made-up files, and print commands to try on them."""

import argparse
import csv
import io
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from hiermeasures.cli import declare
from hiermeasures.hierarchy.errors import InputError

INSTANCES = 60
Edges = list[tuple[str, str]]
Rows = list[list[str]]
FILES = "--hierarchy hierarchy.txt --true true.csv --predicted"
TRY = (
    "describe hierarchy.txt true.csv",
    f"evaluate {FILES} careful.csv bold.csv",
    f"compare {FILES} careful.csv bold.csv --measures hF,F_LCA,accuracy",
    f"find 'hF < 0.3' {FILES} bold.csv --most 3",
    "score hierarchy.txt --true A1a --predicted A1b,B2 --explain --measures hF,GIE",
)


def edges_of(dag: bool) -> Edges:
    """Return four areas of three fields of three topics. In a DAG every fourth topic has a second
    field.
    """
    fields = [f"{area}{k}" for area in "ABCD" for k in (1, 2, 3)]
    edges = [("all", area) for area in "ABCD"] + [(field[0], field) for field in fields]
    topics = [(field, f"{field}{letter}") for field in fields for letter in "abc"]
    second = [(fields[(k * 4 + 5) % 12], topic) for k, (_, topic) in enumerate(topics[::4])]
    return edges + topics + [edge for edge in second if dag and edge not in topics]


def instances(edges: Edges, seed: int = 7) -> tuple[Rows, Rows, Rows]:
    """Return the true labels and those of two systems. A mistake of the first system is often the
    parent, a mistake of the second often a sibling.
    """
    draw, parent = random.Random(seed), {child: above for above, child in reversed(edges)}
    topics = [name for name in parent if len(name) == 3]
    true = [draw.sample(topics, draw.choice((1, 1, 2))) for _ in range(INSTANCES)]

    def answer(label: str, bold: bool) -> str:
        luck = draw.random()
        if luck < 0.6:
            return label
        if luck > 0.9:
            return draw.choice(topics)
        return (
            draw.choice([t for t in topics if parent[t] == parent[label]])
            if bold
            else parent[label]
        )

    careful, bold = (
        [list(dict.fromkeys(answer(each, b) for each in row)) for row in true]
        for b in (False, True)
    )
    return true, careful, bold


def _table(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    made = io.StringIO()
    csv.writer(made, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return made.getvalue()


def _labels(rows: Rows) -> str:
    return _table([("id", "labels"), *((k, ";".join(row)) for k, row in enumerate(rows, 1))])


def _labelled(dag: bool) -> dict[str, str]:
    edges = edges_of(dag)
    named = zip(("true.csv", "careful.csv", "bold.csv"), instances(edges), strict=True)
    return {"hierarchy.txt": _table(edges, " "), **{name: _labels(rows) for name, rows in named}}


def _germeval() -> dict[str, str]:
    edges = edges_of(True)
    parent = {child: above for above, child in reversed(edges)}
    found = {"hierarchy.txt": _table([edge for edge in edges if edge[0] != "all"], "\t")}
    for name, rows in zip(("true.txt", "careful.txt", "bold.txt"), instances(edges), strict=True):
        paths = [
            {up for label in row for up in (label, parent[label], label[0])} - {"all"}
            for row in rows
        ]
        found[name] = _table(
            [["subtask_b"], *([k, *sorted(path)] for k, path in enumerate(paths, 1))], "\t"
        )
    return found


def _scores() -> dict[str, str]:
    edges, draw = edges_of(False), random.Random(8)
    topics = [child for _, child in edges if len(child) == 3]
    true = [row[:1] for row in instances(edges)[0]]
    lines: list[Sequence[object]] = [["id", *topics]]
    for k, (label,) in enumerate(true, 1):
        weights = [
            draw.randint(0, 5) + (topic[:2] == label[:2]) * 40 + (topic == label) * 60
            for topic in topics
        ]
        lines.append([k, *(f"{weight * 10**6 // sum(weights) / 10**6:.6f}" for weight in weights)])
    return {
        "hierarchy.txt": _table(edges, " "),
        "true.csv": _labels(true),
        "scores.csv": _table(lines),
    }


def _one_table() -> dict[str, str]:
    sides = zip(*instances(edges_of(False)), strict=True)
    paths = [
        [" > ".join(row[0][:k] for k in range(1, len(row[0]) + 1)) for row in rows]
        for rows in sides
    ]
    rows = [[k, *row] for k, row in enumerate(paths, 1)]
    return {"answers.csv": _table([("id", "category", "careful", "bold"), *rows])}


SAMPLES: dict[str, tuple[str, Callable[[], dict[str, str]], tuple[str, ...]]] = {
    "tree": (
        "a tree, true labels and two systems",
        lambda: _labelled(False),
        (
            *TRY,
            "information --hierarchy hierarchy.txt --true true.csv",
            "convert hierarchy.txt hierarchy.json",
            f"evaluate {FILES} careful.csv --partial careful.sums",
            f"forensics {FILES} careful.csv --printed 0.903 --of hF",
            "protocols hiclass",
            "merge hierarchy.txt careful.sums --csv values.csv",
            "sheet --out sheets --number 2",
            "completion bash",
            "info",
        ),
    ),
    "dag": (
        "a DAG with true labels and two systems",
        lambda: _labelled(True),
        (
            *TRY,
            "find 'hF > F_LCA' --trees 4 --dags 0",
            "behaviour --measures hF,F_LCA --trees 3 --dags 0",
            "verify --paper kosmopoulos2015",
        ),
    ),
    "germeval-like": (
        "files as in GermEval 2019, task 1",
        _germeval,
        tuple(
            f"{name} --hierarchy hierarchy.txt --true true.txt --predicted careful.txt bold.txt "
            f"--task b"
            for name in ("evaluate", "compare")
        ),
    ),
    "scores": (
        "scores of every leaf",
        _scores,
        (
            "curves --hierarchy hierarchy.txt --true true.csv --probabilities scores.csv "
            "--kind leaves",
        ),
    ),
    "one-table": (
        "one table with paths",
        _one_table,
        ("evaluate answers.csv --true category --predicted careful,bold --measures hF,F_LCA",),
    ),
}


@declare.command(
    "sample",
    "write small files to try the commands on",
    "Write small made-up files, and a README with commands to try on them. Example: hiermeasures "
    "sample tree. Choose from: "
    + "; ".join(f"{name} ({about})" for name, (about, *_) in SAMPLES.items())
    + ".",
    [
        declare.argument("name", "NAME", f"the files: {', '.join(SAMPLES)}", choices=list(SAMPLES)),
        declare.argument(
            "folder",
            "DIR",
            "the folder to write (NAME by default). It is created if it is missing",
            nargs="?",
        ),
    ],
)
def sample(arguments: argparse.Namespace) -> int:
    from hiermeasures.read.source import save_all

    about, made, commands = SAMPLES[arguments.name]
    folder = Path(arguments.folder or arguments.name)
    lines = "".join(f"    hiermeasures {command}\n" for command in commands)
    readme = f"# {arguments.name}: {about}\n\nMade up by `hiermeasures sample`. Try these commands in this folder:\n\n{lines}"
    files = {**made(), "README.md": readme}
    if there := [name for name in files if (folder / name).exists()]:
        raise InputError(f"{folder / there[0]} is there already. Choose another folder.")
    save_all(folder, files)
    print(f"{', '.join(files)}\nTo try in {folder}:\n\n{lines}", end="")
    return 0
