"""The signature of a run: one line on how its values were computed, like sacreBLEU's.

Example: `hF|root:counted|empty:0|avg:samples|unknown:error|n:1173|v0.2.0`. Measures come first, own
ones with their definitions. Then come fields. `root` says whether the root was counted (option
`count_root`), and `empty` is the option `zero_division`. Other options are listed if they are set
and change one of the measures. `normalise` and `scores` are listed if labels were read like that.
"""

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from hiermeasures.hierarchy.package import version
from hiermeasures.measures.own import OwnMeasure, called

if TYPE_CHECKING:
    from hiermeasures.evaluation.results import Report

SHORT = {"count_root": "root", "zero_division": "empty"}
ROOT = {True: "counted", False: "left-out"}
VERSION = version()
ARGMAX = "argmax"  # as `scores`
AT_LEAST = "at_least@"  # before a threshold, as a decision of `forensics`
_WORDS: dict[Any, str] = {True: "yes", False: "no", None: "none"}


def signature_of(report: "Report") -> str:
    """Write the signature of a report."""
    answers, options = report.answers, report.options
    fields = {
        "root": ROOT[report.counts_root],
        "empty": _word(options.zero_division),
        "avg": report.average,
        "unknown": report.policy,
        "normalise": "+".join(answers.normalise) if answers else "",
        "scores": report.scores,
    }
    changing = {name for measure in report.declared for name in measure.options} - SHORT.keys()
    fields |= {name: _word(getattr(options, name)) for name in options.changed if name in changing}
    fields["n"] = str(len(report))
    measures = ",".join(
        _definition(m) if isinstance(m, OwnMeasure) else m.key for m in report.declared
    )
    said = (f"{name}:{value}" for name, value in fields.items() if value)
    return "|".join([measures, *said, f"v{VERSION}"])


def _definition(own: OwnMeasure) -> str:
    low, high = ("" if bound is None else f"{bound!r}" for bound in (own.low, own.high))
    bounds = f":{low}..{high}" if low or high else ""
    return quote(f"{called(own.key)}:{own.better}{bounds}={own.name}", safe=" +-*/=():.<>")


def _word(value: Any) -> str:
    return (
        _WORDS[value] if value is None or isinstance(value, bool) else str(value).removesuffix(".0")
    )
