"""The signature of a run: one line that says what was computed, as sacreBLEU's does for machine
translation, `hF|root:counted|empty:0|avg:samples|unknown:error|n:1173|v0.2.0`.

Measures come first, own ones with their definitions; then fields. `root` says whether the root was
counted (option `count_root`), `empty` is the option `zero_division`. Other options stand there where
they are set and change one of the measures, `normalise` and `scores` where labels were read so.
`evaluate` takes it back.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from hiermeasures.evaluation.answers import POLICIES
from hiermeasures.hierarchy.errors import InputError, check_known, shown
from hiermeasures.hierarchy.options import Options
from hiermeasures.hierarchy.package import version
from hiermeasures.measures import find_measures
from hiermeasures.measures.own import OwnMeasure, called, parted

if TYPE_CHECKING:
    from hiermeasures.evaluation.results import Report

SHORT = {"count_root": "root", "zero_division": "empty"}
ROOT = {True: "counted", False: "left-out"}
VERSION = version()
MEANING_SINCE = "0.2.0"  # the oldest version whose values are this one's, under the same signature
LONGEST = 10_000  # characters
ARGMAX = "argmax"  # as `scores`
AT_LEAST = "at_least@"  # before a threshold, as a decision of `forensics`
_REQUIRED = ("root", "empty", "avg", "unknown", "n")
_VERSION = re.compile(r"v(\d{1,6})\.(\d{1,6})(?:\.\d{1,6})?", re.ASCII)
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


@dataclass(frozen=True)
class Run:
    """Content of a signature: `arguments` are those of `evaluate`, `n` the instances."""

    arguments: Mapping[str, Any]
    n: int

    @classmethod
    def read(cls, signature: str) -> "Run":
        """Read a signature.

        Raises
        ------
        InputError
            For what is none, an unknown field or measure (the nearest is named), a value out of
            range, and a version whose values may mean something else.

        Examples
        --------
        >>> run = Run.read("hF|root:counted|empty:0|avg:micro|unknown:error|dmax:3|n:1173|v0.2.0")
        >>> run.n, run.arguments["measures"], run.arguments["options"].dmax
        (1173, ['hF'], 3.0)
        >>> Run.read("hF|root:auto|empty:0|avg:micro|unknown:error|d_max:3|n:1173|v0.2.0")
        Traceback (most recent call last):
        hiermeasures.hierarchy.errors.InputError: unknown field of a signature 'd_max'; nearest known: 'dmax'
        """
        first, *rest = (
            signature.split("|")
            if isinstance(signature, str) and len(signature) <= LONGEST
            else [""]
        )
        if len(rest) < 2:
            raise InputError(
                "a signature is one line, such as "
                "hF|root:counted|empty:0|avg:samples|unknown:error|n:1173|"
                f"v{VERSION}; not {shown(str(signature))}"
            )
        _check_version(rest.pop())
        fields = _fields(rest)
        named = [unquote(part) for part in first.split(",")]
        keys = [part for part in named if "=" not in part]
        for key in keys:
            if [found.key for found in find_measures(key)] != [key]:
                raise InputError(f"a signature names each measure by its key; {shown(key)} is none")
        n, scores = fields.pop("n"), fields.pop("scores", "")
        if not (n.isascii() and n.isdecimal() and len(n) <= 18):
            raise InputError(f"n of a signature is a number of instances, not {shown(n)}")
        define = dict(parted(part) for part in named if "=" in part)
        arguments: dict[str, Any] = {
            "measures": keys,
            "define": define,
            "average": fields.pop("avg"),
        }
        arguments |= {"unknown": fields.pop("unknown")}
        arguments["normalise"] = [form for form in fields.pop("normalise", "").split("+") if form]
        arguments |= (
            {"argmax": True}
            if scores == ARGMAX
            else {"threshold": _threshold(scores)}
            if scores
            else {}
        )
        facts = {word: _word(fact) for fact, word in ROOT.items()}
        fields["root"] = facts.get(fields["root"], fields["root"])
        long, nothing = (
            {short: name for name, short in SHORT.items()},
            {"root": "auto"},
        )  # as it was written once
        options = {
            long.get(name, name): None if value == nothing.get(name, "none") else value
            for name, value in fields.items()
        }
        return cls({**arguments, "options": Options.make(options)}, int(n))


def _check_version(text: str) -> None:
    written = _VERSION.fullmatch(text)
    if written is None:
        raise InputError(
            f"a signature ends with a version, such as v{VERSION}; not with {shown(text)}"
        )
    here, since, this = (
        tuple(map(int, v.split(".")[:2])) for v in (VERSION, MEANING_SINCE, text[1:])
    )
    if not since <= this <= here:
        because = (
            "is newer" if this > here else f"is older than {MEANING_SINCE}, which changed values"
        )
        raise InputError(
            f"the signature is of hiermeasures {text[1:]}, which {because}: its values may mean "
            f"something else in this "
            f"version, {VERSION}. Evaluate with that version, or name measures and options yourself"
        )


def _fields(texts: list[str]) -> dict[str, str]:
    known = [
        *_REQUIRED,
        "normalise",
        "scores",
        *(name for name in Options.model_fields if name not in SHORT),
    ]
    fields: dict[str, str] = {}
    for text in texts:
        name, colon, value = text.partition(":")
        check_known("field of a signature", name, known)
        if not colon or not value:
            raise InputError(
                f"the field {name} of a signature has no value; it is written {name}:VALUE"
            )
        if name in fields:
            raise InputError(f"a signature has the field {name} once")
        fields[name] = value
    if "unknown" in fields:
        check_known("policy for unknown labels", fields["unknown"], POLICIES)
    if missing := [name for name in _REQUIRED if name not in fields]:
        raise InputError(
            f"the signature lacks {', '.join(missing)}: an older or a shortened one cannot be "
            f"taken back"
        )
    return fields


def _threshold(text: str) -> float:
    try:
        return float(text.removeprefix(AT_LEAST))
    except ValueError:
        raise InputError(
            f"scores of a signature are {ARGMAX} or a threshold, not {shown(text)}"
        ) from None
