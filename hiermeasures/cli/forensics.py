"""The commands `forensics` and `protocols`.

`forensics` finds the conventions that give a printed number. `protocols` lists named conventions
and computes their numbers. `evaluate --protocol` computes them too.
"""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hiermeasures.cli import declare
from hiermeasures.cli.printing import Progress, as_json, print_notes
from hiermeasures.draw.text import as_text
from hiermeasures.hierarchy.errors import InputError, unknown
from hiermeasures.hierarchy.words import quote_names, write_count

if TYPE_CHECKING:
    from hiermeasures.evaluation.scores.systems import ScoredSystem
    from hiermeasures.read.labels.alignment import Aligned

CAPTION = declare.argument(
    "--caption",
    None,
    "print a sentence for your paper instead of the numbers. It lists each choice that matters "
    "on these data, with an id for --protocol",
    nargs="?",
    const="text",
    choices=["text", "latex"],
)
DECISION = "at_least@0.5"
SCORES = declare.group(
    "scores",
    "Use these options instead of --predicted. evaluate and compare turn the scores into labels "
    "by a decision or a rule.",
    [
        declare.argument(
            "--scores",
            "FILE",
            "files of scores with a column per class (CSV, Parquet, NPZ)",
            nargs="+",
        ),
        declare.KIND,
        declare.argument(
            "--decision",
            "D",
            "the rule that turns scores into labels: above@T, at_least@T, levels (the best class "
            "of each level), top@K, best or best_grown (the T with the best micro F1 on "
            "these data). The default is at_least@0.5, unless the id of a convention "
            "contains another. evaluate and compare also take a rule of the page "
            "Compare, such as plurality, argmax_leaf or confidence_threshold@0.5",
        ),
    ],
)


@declare.command(
    "forensics",
    "find the conventions behind a printed number",
    "Find the conventions of evaluation that give a printed number on these predictions. They "
    "differ in averages, ancestors, the root, labels that are left out, and ratios over zero. A "
    "fitting convention is consistent with the number. That is not a proof. The exit status is "
    "1 if no convention fits. Example: hiermeasures forensics --hierarchy "
    "hierarchy.txt --true true.csv --predicted careful.csv --printed 0.903 --of hF",
    [
        declare.HIERARCHY,
        *declare.READING,
        declare.TRUE,
        declare.either(
            declare.argument(
                "--predicted", "FILE", "prediction files, one per printed number", nargs="+"
            ),
            declare.argument(
                "--scores",
                "FILE",
                "files of scores instead, with a column per class (CSV, Parquet, NPZ)",
                nargs="+",
            ),
        ),
        declare.LABEL_FORMAT,
        declare.TASK,
        declare.choice(
            "--missing",
            ["bounds", "empty"],
            "instances without a prediction give bounds over all sets of classes (bounds, the "
            "default) or count as empty (empty)",
            default="bounds",
        ),
        declare.KIND,
        declare.argument("--thresholds", "T,T", "the thresholds to try (0.5)", default="0.5"),
        declare.argument("--top", "K,K", "the numbers of best classes to try (1)", default="1"),
        declare.argument(
            "--printed",
            "NUMBER",
            "the printed numbers with all digits, such as 0.710 or 71.0%%",
            required=True,
            nargs="+",
        ),
        declare.argument(
            "--of",
            "K",
            "the quantity: P, R, F (also hP, hR, hF), accuracy or distance (all by default)",
        ),
        declare.flag("--json", "print JSON"),
    ],
)
def forensics(arguments: argparse.Namespace) -> int:
    from hiermeasures.verify.forensics import forensics as search

    if not (arguments.predicted or arguments.scores):
        raise InputError("the predictions are missing. Name them with --predicted or --scores")
    files = declare.named_once(arguments.predicted or arguments.scores)
    if len(arguments.printed) != len(files):
        raise InputError(
            f"--printed needs one number per file, not {len(arguments.printed)} for "
            f"{write_count(len(files), 'file')}"
        )
    thresholds = declare.shares_of(arguments.thresholds, "--thresholds")
    top = [declare.count_of(text, "--top") for text in arguments.top.split(",")]
    hierarchy, true, systems, missing = _rows(arguments, files, thresholds=thresholds, top=top)
    printed = dict(zip(files, arguments.printed, strict=True))
    with Progress("conventions", "steps") as progress:
        found = search(
            hierarchy, true, systems, printed, of=arguments.of, progress=progress, missing=missing
        )
    print(as_json(found.as_json()) if arguments.json else found.as_text())
    return 0 if found.consistent else 1


def _rows(
    arguments: argparse.Namespace, files: Sequence[str], **tried: Any
) -> tuple[Any, Any, dict[str, Any], dict[str, list[int]]]:
    """Read the hierarchy, the true labels and the predictions of every system.

    With --scores, a system has scores and the decisions to try instead of predictions. The last
    value lists the missing predictions of each system. --missing bounds gives them bounds.
    """
    from hiermeasures.evaluation.files import InputFile, read_aligned, read_truth
    from hiermeasures.verify.forensics import Scores

    bounds = getattr(arguments, "missing", "empty") == "bounds"
    treatment: Any = "open" if bounds else "empty"
    hierarchy = InputFile(
        arguments.hierarchy, Path(arguments.hierarchy), options=declare.reading_of(arguments)
    )
    file = InputFile(arguments.true, Path(arguments.true), arguments.format)
    h, truth, notes = read_truth(hierarchy, file, arguments.task)
    print_notes([note.text for note in notes], arguments.hierarchy)
    systems, missing = dict[str, Any](), {}
    for name in files:
        if arguments.scores:
            system, aligned = read_scores(
                arguments.kind, h, truth=truth, name=name, treatment=treatment
            )
            systems[name] = Scores.of(system.in_order, **tried)
        else:
            file = InputFile(name, Path(name), arguments.format)
            aligned = read_aligned(h, truth, file, arguments.task, treatment)[1]
            systems[name] = aligned.predicted
        print_notes(aligned.notes)  # they name the file
        missing[name] = aligned.missing_places if bounds else []
    return h, truth.labels, systems, missing


def decided(
    arguments: argparse.Namespace, hierarchy: Any, truth: Any, true: Any, name: str
) -> tuple[Any, Any]:
    """Return the labels that --decision makes from scores, and the matching of their rows."""
    import numpy as np

    from hiermeasures.evaluation.encode import EncodedLabels
    from hiermeasures.evaluation.scores import RULES
    from hiermeasures.evaluation.scores.systems import Decision
    from hiermeasures.verify.forensics import Scores

    decision = arguments.decision or DECISION
    rule, at, number = decision.partition("@")
    system, aligned = read_scores(
        arguments.kind, hierarchy, truth=truth, name=name, treatment=arguments.missing
    )
    if rule in RULES:
        settings: dict[str, Any] = {}
        if at:
            known = [name for name in ("at", "k") if name in RULES[rule].parameters]
            if not known:
                raise InputError(f"--decision: {rule} takes no number. Leave out {at}{number}")
            settings[known[0]] = (
                declare.shares_of(number, "--decision")[0]
                if known == ["at"]
                else declare.count_of(number, "--decision")
            )
        return system.decide(Decision(rule, **settings)), aligned
    try:
        labels = Scores.of(system.in_order).decide(decision, (true.instances, true.idx))
    except InputError as error:
        raise InputError(f"--decision: {error}, or a rule: {', '.join(RULES)}") from None
    instance, code = labels
    sizes = np.bincount(instance, minlength=len(system.places))
    ptr = np.append(0, np.cumsum(sizes)).astype(np.int64)
    return EncodedLabels(ptr, code.astype(np.int32)), aligned


def read_scores(
    kind: Any, hierarchy: Any, truth: Any, name: str, treatment: Any
) -> tuple["ScoredSystem", "Aligned"]:
    """Return the scores in a file, with its rows matched to the true labels."""
    from hiermeasures.evaluation.scores.files import read_raw_probabilities
    from hiermeasures.evaluation.scores.systems import match_scores

    raw = read_raw_probabilities(Path(name))
    system, aligned = match_scores(raw, hierarchy, truth, kind=kind, missing=treatment, name=name)
    print_notes(system.table.notes, name)
    return system, aligned


@declare.command(
    "protocols",
    "list named conventions, or compute their numbers",
    "List the conventions of programs and papers, or show one of them. With files, compute its "
    "numbers. Example: hiermeasures protocols",
    [
        declare.argument("name", "NAME", "a protocol", nargs="?"),
        declare.argument("--hierarchy", "FILE", "in any format that is read"),
        *declare.READING,
        declare.argument("--true", "FILE", "true labels"),
        declare.argument("--predicted", "FILE", "predicted labels"),
        declare.LABEL_FORMAT,
        declare.TASK,
        CAPTION,
        SCORES,
        declare.flag("--json", "print JSON"),
    ],
)
def protocols(arguments: argparse.Namespace) -> int:
    from hiermeasures.verify.forensics import protocol
    from hiermeasures.verify.forensics import protocols as known

    if arguments.hierarchy or arguments.true or arguments.predicted or arguments.scores:
        return numbers_of(
            arguments, arguments.name, [arguments.predicted] if arguments.predicted else []
        )
    whole = arguments.name is not None
    chosen = [protocol(arguments.name)] if whole else list(known().values())
    if arguments.json:
        print(as_json({p.key: {name: c.id for name, c in p.numbers.items()} for p in chosen}))
        return 0
    for k, each in enumerate(chosen):
        print("\n" * (k > 0) + f"{each.key}: {each.title.rstrip('.')}. {each.source}.")
        for name, convention in each.numbers.items():
            print(f"  {name:24} {convention.id}" + f"\n  {'':24} {convention.sentence()}" * whole)
        if whole:
            print(f"  {each.note}\n  read: {each.read}")
    return 0


def numbers_of(arguments: argparse.Namespace, name: str | None, predicted: Iterable[str]) -> int:
    """Print the numbers of a protocol for prediction files or files of scores.

    With --caption, print captions for a paper instead. Without a protocol, they are about the
    measures of `evaluate`.
    """
    from hiermeasures.measures.catalogue import escaped_latex
    from hiermeasures.verify.forensics import caption, protocol

    files = [*predicted, *(arguments.scores or ())]
    needed = None not in (arguments.hierarchy, arguments.true) and (
        name is not None or arguments.command == "evaluate"
    )
    if not files or not needed or (arguments.scores and len(files) > len(arguments.scores)):
        raise InputError(
            "an argument is missing. To compute a protocol's numbers, give its name, --hierarchy, "
            "--true, and --predicted or --scores"
        )
    chosen = None if name is None else protocol(name)
    if chosen is not None:
        chosen = replace(chosen, numbers=_over_scores(chosen.numbers, arguments))
    hierarchy, true, systems, _ = _rows(arguments, declare.named_once(files))
    unseen = [
        _unseen(hierarchy, [true]),
        _unseen(hierarchy, () if arguments.scores else systems.values()),
    ]
    if chosen is None or arguments.caption:
        said = (
            chosen.numbers
            if chosen
            else _over_scores(_own(arguments, hierarchy, *unseen), arguments)
        )
        captions = [caption(hierarchy, true, systems, each) for each in said.values()]
        lines = [each.latex if arguments.caption == "latex" else each.text for each in captions]
        if chosen is None:
            whole = _caption_of_measures(arguments, hierarchy, len(true), unseen)
            lines.insert(0, escaped_latex(whole) if arguments.caption == "latex" else whole)
        print("\n".join(lines))
        return 0
    if both := list(dict.fromkeys(unseen[0] + unseen[1])):
        print_notes(
            [
                f"the convention decides how these labels outside the hierarchy count: {quote_names(both)}"
            ]
        )
    values = {file: chosen.values(hierarchy, true, rows) for file, rows in systems.items()}
    if arguments.json:
        print(as_json(values[files[0]] if len(values) == 1 else values))
        return 0
    for file, found in values.items():
        print("\n".join([file, *(f"  {key:24} {as_text(value)}" for key, value in found.items())]))
    return 0


def _over_scores(numbers: Mapping[str, Any], arguments: argparse.Namespace) -> dict[str, Any]:
    """Add a decision to every convention that needs one to turn scores into labels."""
    found = {}
    for key, convention in numbers.items():
        named = "decision" in dict(convention.choices)
        if arguments.decision and (named or not arguments.scores):
            raise InputError(
                "--decision does not fit here. Use it with --scores and a convention without a "
                "decision"
            )
        decides = bool(arguments.scores) and not named
        found[key] = convention.decided(arguments.decision or DECISION) if decides else convention
    return found


def _unseen(hierarchy: Any, sides: Iterable[Any]) -> list[str]:
    from hiermeasures.verify.forensics.counts import codes

    found: dict[str, int] = {}
    for rows in sides:
        codes(hierarchy, rows, found)
    return list(found)


def _caption_of_measures(
    arguments: argparse.Namespace, hierarchy: Any, n: int, unseen: Sequence[list[str]]
) -> str:
    """Return a caption for the numbers of `evaluate`: measures, average, root and options."""
    from hiermeasures import __version__
    from hiermeasures.evaluation.answers import POLICIES
    from hiermeasures.evaluation.averages import convention_in_words
    from hiermeasures.hierarchy.options import Options
    from hiermeasures.measures import find_measures
    from hiermeasures.measures.own import called

    options = Options.make(declare.settings_of(arguments.settings))
    measures = find_measures(declare.measures_of(arguments))
    idle = options.idle(measure.options for measure in measures)
    names = {
        name: getattr(options, name)
        for name in options.changed
        if name not in (*idle, "count_root")
    }
    parts = [f"{', '.join(called(m.key) for m in measures)} over {n:,} instances"]
    parts.append(convention_in_words(measures, options, hierarchy, arguments.average))
    parts += [f"{name} {value}" for name, value in names.items()]
    if any(unseen):
        parts.append(f"unknown answers {POLICIES[policy_of(arguments)]}")
    if arguments.scores:
        parts.append(f"labels by the decision {arguments.decision or DECISION}")
    return "; ".join([*parts, f"computed with hiermeasures {__version__}"]) + "."


def policy_of(arguments: argparse.Namespace) -> Any:
    return {None: "wrong", "fail": "error"}.get(arguments.unknown, arguments.unknown)


def _own(
    arguments: argparse.Namespace, hierarchy: Any, true: list[str], predicted: list[str]
) -> dict[str, Any]:
    """Return the conventions of `evaluate`'s measures that have an id.

    Like `evaluate`, refuse labels that are not classes.
    """
    from hiermeasures.hierarchy.options import Options
    from hiermeasures.measures import find_measures
    from hiermeasures.verify.forensics import convention_of

    policy = policy_of(arguments)
    refused = {"drop": [], "error": true + predicted}.get(policy, true)
    if named := [label for label in refused if label]:
        raise InputError(unknown("class", named[0], hierarchy.nodes))
    if policy in ("prefix", "nearest") and any(predicted):
        return {}
    how = {"average": arguments.average, "unknown": policy if any(true + predicted) else None}
    options, found = Options.make(declare.settings_of(arguments.settings)), {}
    for measure in find_measures(declare.measures_of(arguments)):
        with suppress(InputError):  # the caption before them names every measure
            found[measure.key] = convention_of(measure.key, hierarchy, options, **how)
    return found
