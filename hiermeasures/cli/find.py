"""`find`: find instances that satisfy a condition, the smallest one or those in your files."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hiermeasures.cli import declare
from hiermeasures.cli.evaluate import evaluated
from hiermeasures.cli.printing import Progress, as_json
from hiermeasures.draw.text import as_text
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.expressions import Expression
from hiermeasures.hierarchy.words import join_classes

if TYPE_CHECKING:
    from hiermeasures.debug.find import FindRequest

EDITS = (
    "add", "remove", "move", "predict", "add-true", "add-unrelated", "add-ancestor", "back-off", "go-deeper", "exchange"
)  # fmt: skip
"""The edits of hiermeasures.debug.find, repeated here so that --help is fast."""

WHY = "`hiermeasures compare` with --why {} and these files shows why their means can."


@declare.command(
    "find",
    "find instances that satisfy a condition",
    "Find the smallest instance that satisfies a condition on measures. With --edit, an instance "
    "is compared before and after the edit, and hF_after is hF after it. With --hierarchy, "
    "--true and --predicted, find instances in these files. Example: hiermeasures find "
    "'hF > 0.6 and F_LCA < 0.5'",
    [
        declare.argument("expression", "EXPRESSION", "a condition over measures", nargs="?"),
        declare.argument(
            "--disagree", "A,B", "find two predictions: A prefers the second and B the first"
        ),
        declare.argument("--edit", "KIND", ", ".join(EDITS)),
        declare.argument("--better", "K,…", "measures that the edit makes better"),
        declare.argument("--worse", "K,…", "measures that the edit makes worse"),
        *declare.sizes(trees=6, dags=4),
        declare.flag("--leaves", "only leaves as true and predicted classes"),
        declare.flag("--single", "at most one true and one predicted class"),
        declare.SETTINGS,
        declare.DEFINE,
        declare.flag("--json", "print the instance as a case, with the values"),
        declare.group(
            "in prediction files",
            "Search prediction files instead, and print the most extreme instances first. hF is a value "
            "of the first file, hF_2 of the second.",
            [
                *declare.label_files("one prediction file or several"),
                declare.argument(
                    "--most", "N", "print the first N instances (20)", type=int, default=20
                ),
            ],
        ),
    ],
)
def find(arguments: argparse.Namespace) -> int:
    """Find instances. The exit status is 1 if the search finds no instance."""
    if arguments.expression is not None and not Expression(arguments.expression).is_condition:
        raise InputError(
            f"{shown(arguments.expression)} is a number, not a condition. Write quotes around a "
            f"condition, such as 'hF > 0.6', because the shell reads an unquoted > as a file"
        )
    if arguments.hierarchy or arguments.true or arguments.predicted:
        return _find_in_files(arguments)
    from hiermeasures.debug.find import find
    from hiermeasures.hierarchy.options import Options

    options = Options.make(declare.settings_of(arguments.settings))
    with Progress("find", "hierarchies") as progress:
        found = find(
            _request(arguments),
            trees=arguments.trees,
            dags=arguments.dags,
            progress=progress,
            define=declare.definitions_of(arguments.define),
            options=options,
        )
    example = found.example
    if arguments.json:
        cases = example.as_cases("Found", options) if example else (None, None)
        alone = example is not None and example.alone
        values = {k: v[0] if alone else list(v) for k, v in found.values.items()}
        content = dict(zip(("example", "after"), cases, strict=True))
        print(as_json({**content, "values": values, "instances": found.instances}))
    elif example is None:
        sought = f"trees up to {arguments.trees}, DAGs up to {arguments.dags} classes"
        print(f"no such instance among {found.instances:,}: {sought}")
    else:
        print(example.pictures)
        for key, (before, after) in found.values.items():
            change = "" if example.alone else f" → {as_text(after)}"
            print(f"  {key:14}{as_text(before):>10}{change}")
    return 0 if example is not None else 1


def _request(arguments: argparse.Namespace) -> "FindRequest":
    from hiermeasures.debug.find import FindRequest

    edit = arguments.edit
    gains = declare.keys_of(arguments.better, "--better") or []
    loses = declare.keys_of(arguments.worse, "--worse") or []
    if arguments.disagree is not None:
        pair = declare.keys_of(arguments.disagree, "--disagree") or []
        if len(pair) != 2:
            raise InputError("--disagree takes two measures, such as hF,F_LCA")
        if edit is not None:
            raise InputError("--disagree compares any two predictions. Leave out --edit.")
        edit, gains, loses = "predict", [*gains, pair[0]], [*loses, pair[1]]
    return FindRequest(
        arguments.expression,
        edit,
        tuple(gains),
        tuple(loses),
        leaves_only=arguments.leaves,
        single_label=arguments.single,
    )


def _find_in_files(arguments: argparse.Namespace) -> int:
    from hiermeasures.evaluation.compare.finding import Condition, disagreeing, where
    from hiermeasures.measures import find_measure
    from hiermeasures.measures.own import own_measures

    for name in ("hierarchy", "true", "predicted"):
        if not getattr(arguments, name):
            raise InputError(f"add --{name} to find instances in prediction files")
    for name in ("edit", "better", "worse", "leaves", "single"):
        if getattr(arguments, name):
            raise InputError(
                f"--{name} is for made-up instances. Leave it out with prediction files."
            )
    if (arguments.expression is None) == (arguments.disagree is None):
        raise InputError("give a condition or --disagree A,B to find instances in prediction files")
    defined = own_measures(declare.definitions_of(arguments.define))
    if arguments.disagree is None:
        condition = Condition.of(arguments.expression, len(arguments.predicted), defined)
        reports = evaluated(arguments, measures=condition.measures)
        found = where(list(reports.values()), condition)
    else:
        pair = [
            find_measure(key, defined)
            for key in declare.keys_of(arguments.disagree, "--disagree") or []
        ]
        if len(pair) != 2 or len(arguments.predicted) != 2:
            raise InputError(
                "--disagree takes two measures, such as hF,F_LCA, and --predicted two files"
            )
        reports = evaluated(arguments, measures=pair)
        found = disagreeing(reports, *pair)
    _print_found(found, reports, arguments)
    return 0 if len(found.table) else 1


def _print_found(found: Any, reports: Mapping[str, Any], arguments: argparse.Namespace) -> None:
    first = next(iter(reports.values()))
    examples = []
    for id_, row in found.table.head(max(arguments.most, 0)).iterrows():
        at = int(row["number"])
        examples.append(
            {
                "id": id_.item() if hasattr(id_, "item") else id_,
                "extreme": float(row["extreme"]),
                "values": {name: float(row[name]) for name in found.columns},
                "true": sorted(first.kept.true.classes(first.hierarchy, at)),
                "predicted": {
                    name: sorted(r.kept.predicted.classes(r.hierarchy, at))
                    for name, r in reports.items()
                },
            }
        )
    if arguments.json:
        counts = {
            "instances": found.instances,
            "found": len(found.table),
            "undefined": found.undefined,
        }
        print(as_json({**counts, "extreme": found.by, "examples": examples}))
        return
    undefined = f" ({found.undefined:,} without a value)" if found.undefined else ""
    print(
        f"{len(found.table):,} of {found.instances:,} instances{undefined}, most extreme first: "
        f"{found.by}"
    )
    if arguments.disagree is not None and not examples:
        pair = arguments.disagree.replace(" ", "")
        print(
            f"The two measures do not prefer different systems on any instance. {WHY.format(pair)}"
        )
    for example in examples:
        numbers = ", ".join(f"{name} {as_text(value)}" for name, value in example["values"].items())
        print(f"{example['id']}: {as_text(example['extreme'])}; {numbers}")
        predicted = "; ".join(
            f"predicted {join_classes(sides)}" for sides in example["predicted"].values()
        )
        print(f"  true {join_classes(example['true'])}; {predicted}")
