"""The arguments of the command line: which commands there are, and what each takes. What they do is in cli.py."""

import argparse
import sys
from typing import Any, NoReturn

import hiermeasures


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one plain line."""

    def error(self, message: str) -> NoReturn:
        print(f"{self.prog}: {message} (see {self.prog} --help)", file=sys.stderr)
        sys.exit(2)


def parser() -> argparse.ArgumentParser:
    top = _Parser(prog="hiermeasures", description="Hierarchical evaluation measures, and the structures behind them.")
    top.add_argument("--version", action="version", version=f"hiermeasures {hiermeasures.__version__}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")

    score = commands.add_parser(
        "score", help="every measure of one instance", description="Every measure of one instance."
    )
    score.set_defaults(command="score")
    score.add_argument(
        "hierarchy", metavar="HIERARCHY", help="a file with the hierarchy, in any format that is read; or a case file"
    )
    score.add_argument(
        "--true", metavar="A,B", help="true classes, unless a case names them; quote a name with a comma: '\"A, B\",C'"
    )
    score.add_argument("--predicted", metavar="C,D", help="predicted classes, unless a case names them")
    score.add_argument("--explain", action="store_true", help="add the sentence behind each value")
    _add_settings(score)
    _add_define(score)
    score.add_argument("--json", action="store_true", help="print {measure: value} instead of a table")

    verify = commands.add_parser(
        "verify",
        help="every published cell against ours, and every lesson",
        description="Every published cell against ours, and every claim and answer of the lessons. Exit status 0 when "
        "each is what its file says.",
    )
    verify.set_defaults(command="verify")
    verify.add_argument("--paper", metavar="NAME", help="only this paper")
    verify.add_argument(
        "--cases", action="append", default=[], metavar="FOLDER", help="case files of your own; may be repeated"
    )
    verify.add_argument(
        "--lessons",
        action="append",
        default=[],
        metavar="DIR",
        help="a folder or file of lessons of your own, and only these; may be repeated",
    )
    verify.add_argument("--strict", action="store_true", help="exit status 1 also where a cell is openly unexplained")
    verify.add_argument("--errata", metavar="FILE", help="write the errata of the papers as a page (Markdown)")
    verify.add_argument("--json", action="store_true", help="print the counts as JSON")

    evaluate = commands.add_parser(
        "evaluate", help="whole prediction files", description="Every measure over whole prediction files."
    )
    evaluate.set_defaults(command="evaluate")
    _add_files(evaluate, "prediction files, one per system", required=False)
    tables = evaluate.add_argument_group(
        "more than fits into memory",
        "With --parquet, --true and --predicted name columns: lists of classes, or one class each (true, predicted).",
    )
    tables.add_argument("--parquet", metavar="DIR", help="a folder of Parquet files, or one of them")
    _add_cluster(tables)
    evaluate.add_argument(
        "--average", choices=["samples", "micro", "macro"], default="samples", help="mean over instances by default"
    )
    evaluate.add_argument("--per-instance", metavar="FILE", help="write every instance's values (CSV)")
    _add_partial(evaluate)
    _add_outputs(evaluate)

    compare = commands.add_parser(
        "compare", help="systems against each other", description="Systems ranked, tested and correlated."
    )
    compare.set_defaults(command="compare")
    _add_files(compare, "two or more prediction files")
    compare.add_argument("--test", choices=["sign", "wilcoxon", "bootstrap"], default="sign", help="paired test (sign)")
    compare.add_argument(
        "--alpha", type=float, default=0.05, metavar="P", help="level below which a difference is significant (0.05)"
    )
    compare.add_argument(
        "--correction", choices=["holm", "none"], default="holm", help="over all pairs of systems (holm)"
    )
    _add_outputs(compare)

    convert = commands.add_parser(
        "convert",
        help="one file format into another",
        description="A hierarchy or label file in another format, told by its ending.",
    )
    convert.set_defaults(command="convert")
    convert.add_argument("source", metavar="IN")
    convert.add_argument("target", metavar="OUT")
    convert.add_argument(
        "--from", dest="source_format", metavar="NAME", help="the format of IN, where it is not recognised"
    )
    convert.add_argument(
        "--to", dest="target_format", metavar="NAME", help="the format of OUT, where its ending does not tell"
    )
    convert.add_argument("--task", choices=["a", "b"], help="the sub-task in GermEval files")
    _add_cafa(commands)
    _add_merge(commands)
    _add_information(commands)
    _add_curves(commands)
    _add_behaviour(commands)
    _add_sheet(commands)
    _add_app(commands)
    about = commands.add_parser(
        "info",
        help="versions and the machine, for a bug report",
        description="Versions, cores, compiled kernels and places: what a bug report should say.",
    )
    about.set_defaults(command="info")
    about.add_argument("--json", action="store_true", help="print JSON instead of lines")
    return top


def _add_cafa(commands: Any) -> None:
    cafa = commands.add_parser(
        "cafa",
        help="scored terms of an ontology, as CAFA evaluates them",
        description="Precision, recall, F, misinformation and remaining uncertainty at every threshold, for each "
        "namespace of an ontology, as CAFA evaluates predictions of protein function.",
    )
    cafa.set_defaults(command="cafa")
    cafa.add_argument("ontology", metavar="ONTOLOGY", help="an OBO file")
    cafa.add_argument(
        "predictions",
        metavar="PREDICTIONS",
        nargs="+",
        help="files with a line `target term score` each (text, gzip or Parquet), or folders of them",
    )
    cafa.add_argument("truth", metavar="TRUTH", help="a file with a line `target term` each")
    cafa.add_argument("--ia", metavar="FILE", help="weights of terms, a line `term weight` each: weighted values, too")
    cafa.add_argument(
        "--norm",
        choices=["cafa", "pred", "gt"],
        default="cafa",
        help="what means are taken over: precision over the targets with a prediction and the rest over all (cafa), "
        "everything over those with a prediction (pred), or over all (gt)",
    )
    cafa.add_argument(
        "--propagate",
        choices=["max", "fill"],
        default="max",
        help="a term gets the highest score at or below it (max), or only if it has none of its own (fill)",
    )
    cafa.add_argument(
        "--no-orphans", action="store_true", help="leave terms without a parent out where all weigh the same"
    )
    cafa.add_argument("--step", type=float, default=0.01, metavar="X", help="between thresholds (0.01)")
    _add_cluster(cafa)
    _add_partial(cafa)
    cafa.add_argument("--table", metavar="FILE", help="write a row per file, namespace and threshold (TSV)")
    cafa.add_argument("--json", action="store_true", help="print {file: {namespace: {value: …}}} instead of a table")


def _add_merge(commands: Any) -> None:
    merge = commands.add_parser(
        "merge",
        help="sums that were written in parts",
        description="Joins what evaluate, cafa or curves wrote with --partial over parts of the instances, and prints "
        "what one run over all of them would, to the last bit; but areas under curves only by their points at 101 "
        "thresholds.",
    )
    merge.set_defaults(command="merge")
    merge.add_argument("hierarchy", metavar="HIERARCHY", help="the hierarchy of the parts, or for cafa their ontology")
    merge.add_argument("files", metavar="FILE", nargs="+", help="what was written, in any order")
    merge.add_argument("--class-weights", metavar="FILE", help="the weights that evaluate was given")
    merge.add_argument(
        "--table",
        metavar="FILE",
        help="for cafa: a row per file, namespace and threshold; for curves: per threshold (TSV)",
    )
    _add_interpolation(merge)
    _add_outputs(merge)


def _add_interpolation(command: Any) -> None:
    command.add_argument(
        "--interpolation",
        choices=["counts", "step", "trapezoid"],
        help="how points of the curves of classes are joined: false positives growing evenly with true ones, as Vens "
        "et al. do (counts), average precision (step), or straight lines",
    )


def _add_partial(command: Any) -> None:
    command.add_argument(
        "--partial",
        metavar="FILE",
        help="write the sums over these instances, which `hiermeasures merge` joins with those over others, in place "
        "of the values",
    )


def _add_cluster(command: Any) -> None:
    command.add_argument(
        "--cluster",
        metavar="ADDRESS|local",
        help="the scheduler of a Dask cluster, such as tcp://host:8786, or workers on this machine (local)",
    )


def _add_information(commands: Any) -> None:
    information = commands.add_parser(
        "information",
        help="how informative each class is, counted over true labels",
        description="The information accretion of each class, in bits, a line `class weight` each: what CAFA's tools "
        "read, and --ia and --class-weights here.",
    )
    information.set_defaults(command="information")
    information.add_argument("--hierarchy", required=True, metavar="FILE", help="in any format that is read")
    information.add_argument("--true", required=True, metavar="FILE", help="true labels, in any format that is read")
    information.add_argument("--format", metavar="NAME", help="the format of the labels, where it is not recognised")
    information.add_argument("--task", choices=["a", "b"], help="the sub-task in GermEval files")
    information.add_argument(
        "--smoothing",
        choices=["unseen", "dummy"],
        default="unseen",
        help="count a class that no instance has once, as ICM does (unseen), or every class once more, as CAFA does "
        "(dummy)",
    )


def _add_curves(commands: Any) -> None:
    curves = commands.add_parser(
        "curves",
        help="what is read off scores without a threshold",
        description="Areas under the precision-recall curves of classes (Vens et al. 2008), hierarchical distances of "
        "the classes ranked first (Bertinetto et al. 2020), and operating curves (Valmadre 2022), for files of "
        "probabilities.",
    )
    curves.set_defaults(command="curves")
    curves.add_argument("--hierarchy", required=True, metavar="FILE", help="in any format that is read")
    curves.add_argument("--true", required=True, metavar="FILE", help="true labels, in any format that is read")
    curves.add_argument(
        "--probabilities",
        required=True,
        nargs="+",
        metavar="FILE",
        help="a column per class: CSV, Parquet or NPZ; or folders of such files",
    )
    curves.add_argument(
        "--kind",
        choices=["nodes", "leaves", "conditional", "conditional_softmax", "conditional_sigmoid"],
        default="nodes",
        help="what the numbers are: probabilities of all classes (nodes), of the leaves, given the parent "
        "(conditional), or logits",
    )
    curves.add_argument("--format", metavar="NAME", help="the format of the labels, where it is not recognised")
    curves.add_argument("--task", choices=["a", "b"], help="the sub-task in GermEval files")
    curves.add_argument("--top", default="1,5", metavar="K,K", help="distances of the first K leaves (1,5)")
    _add_interpolation(curves)
    curves.add_argument(
        "--weights",
        choices=["leaves", "one"],
        default="leaves",
        help="what a class weighs on operating curves: its information, were every leaf as likely, or 1",
    )
    _add_partial(curves)
    curves.add_argument("--json", action="store_true", help="print {file: {value: …}} instead of a table")


def _add_app(commands: Any) -> None:
    app = commands.add_parser(
        "app", help="the app in the browser", description="The app in the browser, until Ctrl+C ends it."
    )
    app.set_defaults(command="app")
    app.add_argument("--port", type=int, metavar="N", help="where it answers (8501, or the next that is free)")
    app.add_argument(
        "--address",
        default="localhost",
        metavar="A",
        help="for whom it answers: this machine only (localhost), or 0.0.0.0 for everyone on the network",
    )
    app.add_argument("--lessons", metavar="DIR", help="a folder with lessons of your own, listed below the course")
    opening = app.add_argument_group("what it opens with", "Without these, the first figure.")
    instance = opening.add_mutually_exclusive_group()
    instance.add_argument(
        "--hierarchy", metavar="FILE", help="a file with a hierarchy, in any format that is read; or a case file"
    )
    instance.add_argument("--case", metavar="KEY", help="a figure of the library, such as kosmopoulos2015/figure-15")
    opening.add_argument("--true", metavar="A,B", help="true classes, in place of those of the case")
    opening.add_argument("--predicted", metavar="C,D", help="predicted classes, in place of those of the case")
    _add_settings(opening)


def _add_behaviour(commands: Any) -> None:
    """The commands that search small hierarchies."""
    behaviour = commands.add_parser(
        "behaviour",
        help="which property each measure keeps",
        description="Which property each measure keeps on every small hierarchy, and the smallest instance where it "
        "does not.",
    )
    behaviour.set_defaults(command="behaviour")
    behaviour.add_argument("--measures", metavar="K,…", help="only these measures, by key")
    behaviour.add_argument("--properties", metavar="K,…", help="only these properties, by key")
    _add_sizes(behaviour, trees=5, dags=4)
    behaviour.add_argument(
        "--beyond", type=int, metavar="N", help="then search random hierarchies of up to N classes for what was kept"
    )
    behaviour.add_argument("--seed", type=int, default=0, metavar="N", help="of the random search (0)")
    _add_settings(behaviour)
    _add_define(behaviour)
    behaviour.add_argument("--json", action="store_true", help="print {property: {measure: …}} with examples as cases")

    find = commands.add_parser(
        "find",
        help="the smallest instance on which something holds, or those of prediction files",
        description="The smallest instance on which an expression over measures holds, such as 'hF > 0.8 and F_LCA < "
        "0.5'. With --edit an instance is compared before and after, and hF_after is hF after the edit. With "
        "--hierarchy, --true and --predicted: the instances of these files.",
    )
    find.set_defaults(command="find")
    find.add_argument("expression", metavar="EXPRESSION", nargs="?", help="a condition over measures")
    find.add_argument(
        "--disagree", metavar="A,B", help="measure A prefers the second of two predictions, and measure B the first"
    )
    find.add_argument("--edit", metavar="KIND", help="add, remove, move, predict, add-true, add-unrelated, …")
    find.add_argument("--better", metavar="K,…", help="measures for which the edit is better")
    find.add_argument("--worse", metavar="K,…", help="measures for which the edit is worse")
    _add_sizes(find, trees=6, dags=4)
    find.add_argument("--leaves", action="store_true", help="true and predicted classes are leaves")
    find.add_argument("--single", action="store_true", help="no more than one true and one predicted class")
    _add_settings(find)
    _add_define(find)
    find.add_argument("--json", action="store_true", help="print the instance as a case, with the values")
    files = find.add_argument_group(
        "in prediction files",
        "The instances of prediction files instead, most extreme first. hF is a value of the first file, hF_2 of the "
        "second.",
    )
    _add_file_names(files, "one prediction file or several", required=False)
    files.add_argument("--most", type=int, default=20, metavar="N", help="print the first N instances (20)")


def _add_sheet(commands: Any) -> None:
    sheet = commands.add_parser(
        "sheet",
        help="exercises and solutions to print",
        description="Worksheets for some students, each with other exercises, and the solutions of all. LaTeX: "
        "variant-01.tex, … and solutions.tex; HTML: worksheets.html and solutions.html, which print.",
    )
    sheet.set_defaults(command="sheet")
    sheet.add_argument(
        "--questions",
        metavar="K,…",
        help="kinds of question, in turn: prefers (which of two predictions?), click (a set), pair (a pairing), value, "
        "make (so that a condition holds), which (measure could have said this?); by default all that fit the measures",
    )
    sheet.add_argument("--number", type=int, default=6, metavar="N", help="exercises on a sheet (6)")
    sheet.add_argument("--variants", type=int, default=1, metavar="N", help="sheets, one for each student (1)")
    sheet.add_argument("--seed", type=int, default=1, metavar="N", help="another seed, other exercises (1)")
    sheet.add_argument("--classes", type=int, default=7, metavar="N", help="classes of a hierarchy (7)")
    sheet.add_argument("--dag", action="store_true", help="DAGs instead of trees")
    sheet.add_argument("--labels", type=int, default=2, metavar="N", help="true or predicted classes at most (2)")
    sheet.add_argument("--measures", metavar="K,…", help="only about these measures, by key, or families of them")
    sheet.add_argument("--format", metavar="tex,html", help="what to write (both)")
    sheet.add_argument("--title", metavar="TEXT", help="what stands above each sheet")
    sheet.add_argument("--overwrite", action="store_true", help="replace files that are there already")
    sheet.add_argument("--out", required=True, metavar="DIR", help="the folder to write to; made if it is not there")


def _add_sizes(command: argparse.ArgumentParser, trees: int, dags: int) -> None:
    command.add_argument(
        "--trees", type=int, default=trees, metavar="N", help=f"every rooted tree of up to N classes ({trees})"
    )
    command.add_argument(
        "--dags", type=int, default=dags, metavar="N", help=f"every rooted DAG of up to N classes ({dags})"
    )


def _add_files(command: argparse.ArgumentParser, predictions: str, required: bool = True) -> None:
    _add_file_names(command, predictions, required)
    command.add_argument("--measures", metavar="K,…", help="only these measures, by key")
    _add_settings(command)
    _add_define(command)


def _add_file_names(command: Any, predictions: str, required: bool) -> None:
    """The hierarchy, the true labels and the predictions, and how they are read."""
    command.add_argument(
        "--hierarchy", required=required, metavar="FILE", help="the hierarchy, in any format that is read"
    )
    command.add_argument("--true", required=required, metavar="FILE", help="the true labels")
    command.add_argument("--predicted", required=required, nargs="+", metavar="FILE", help=predictions)
    command.add_argument("--format", metavar="NAME", help="the format of the label files, where it is not recognised")
    command.add_argument("--task", choices=["a", "b"], help="the sub-task in GermEval files")
    command.add_argument("--class-weights", metavar="FILE", help="what classes weigh, a line `class weight` each")
    command.add_argument(
        "--unknown", choices=["fail", "drop"], default="fail", help="what to do with labels not in the hierarchy (fail)"
    )
    command.add_argument(
        "--missing",
        choices=["empty", "fail"],
        default="empty",
        help="instances without a prediction (empty prediction)",
    )


def _add_outputs(command: argparse.ArgumentParser) -> None:
    outputs = command.add_mutually_exclusive_group()
    outputs.add_argument("--json", action="store_true", help="print JSON")
    outputs.add_argument("--csv", metavar="FILE", help="write a table")
    outputs.add_argument("--latex", metavar="FILE", help="write LaTeX tables; - prints them")


def _add_define(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--define",
        action="append",
        default=[],
        metavar="NAME=EXPR",
        help="a measure of your own, such as 'mine=0.5*hF + 0.5*F_LCA', or 'cost:lower=GIE / len_P' where lower is "
        "better; may be repeated (docs/expressions.md lists what an expression may name)",
    )


def _add_settings(command: Any) -> None:
    command.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", dest="settings", help="an option, such as dmax=5"
    )
