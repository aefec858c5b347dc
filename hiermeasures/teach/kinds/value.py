"""The question "value": type a fraction or a decimal."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from random import Random
from typing import Annotated, Any

from pydantic import Field

from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.expressions import Expression
from hiermeasures.hierarchy.words import capitalize, join_words, write_count
from hiermeasures.measures import CATALOGUE, Measure
from hiermeasures.measures.catalogue import number
from hiermeasures.measures.own import spoken
from hiermeasures.teach import questions
from hiermeasures.teach.kinds.pair import dmax_in_words
from hiermeasures.teach.questions import About, group_by_hint
from hiermeasures.teach.random_instances import Difficulty, draw
from hiermeasures.verify import printed
from hiermeasures.verify.quantities import CELLS, SECOND, Formula, Quantity, expected_terms
from hiermeasures.verify.values import Computed, value_text
from hiermeasures.verify.wording import classes_in_words

TOLERANCE = 0.005  # two decimals are enough
COUNTS, RATIOS = ("TP", "FP", "FN"), ("P", "R", "F1")
# in these families, measures without a maximum are counts
COUNTING = ("ancestors", "lca", "confusion")
MOST_SENTENCES = 2  # of a definition
COMBINED = {  # the precision and recall of each F1
    "f1": ("precision", "recall"),
    "hF": ("hP", "hR"),
    "hF_desc": ("hP_desc", "hR_desc"),
    "F_LCA": ("P_LCA", "R_LCA"),
    "F_LCA_ext": ("P_LCA_ext", "R_LCA_ext"),
    "wF": ("wP", "wR"),
    "HCM_F1": ("HCM_PPV", "HCM_TPR"),
    "CoPHE_F1": ("CoPHE_P", "CoPHE_R"),
}
_RATIO = re.compile(
    r"\\frac\{(?P<above>[0-9. ]*(?:\\cdot [0-9.]+)?)\}\{(?P<below>(?:[0-9. +]|\\cdot)*)\}"
)
_ABOUT = {"E": "expected", "distance": "paths", **dict.fromkeys((*COUNTS, *RATIOS), "counts")}
_ABOUT |= {name: name for name in ("micro", "samples", "macro", "sign", "weight")}


def number_of(text: str) -> float:
    """Return a number that a person types: 2/3, 0.67, .67, 0,67, or a calculation.

    >>> number_of(" 2 / 4 "), number_of(",5"), number_of("−1."), number_of("2*2/(3+5)")
    (0.5, 0.5, -1.0, 0.5)
    """
    written = text.strip().removeprefix("+").replace("−", "-").replace(",", ".")
    try:
        calculation = Expression(written)
        calculation.must_be(condition=False)
        return float(calculation({}))
    except (InputError, KeyError):  # no expression, no value, or names in it
        raise InputError(
            f"{shown(text.strip(), 30)} is not a number. Write 3, 0.67 or 2/3, for example."
        ) from None


def as_fraction(value: float) -> str:
    """Write a value as a fraction of small numbers if possible, otherwise as a decimal."""
    exact = Fraction(value).limit_denominator(999)
    return str(exact) if abs(float(exact) - value) < 1e-9 else f"{value:.6g}"


def calculation(latex: str) -> str:
    r"""Return a derivation's ratio as plain text, or "" if it has none.

    >>> calculation(r"\frac{2\,|P|}{|T|} = \frac{2 \cdot 2}{4 + 3} = 0.5714")
    '2 · 2 / (4 + 3)'
    >>> calculation(r"\sum d = 2 + 2 = 4")
    ''
    """
    parts = latex.split(" = ")
    match = _RATIO.fullmatch(parts[-2]) if len(parts) > 2 else None
    if match is None:
        return ""
    below = match["below"].replace(r"\cdot", "·")
    return f"{match['above']} / ".replace(r"\cdot", "·") + (f"({below})" if " " in below else below)


def define_measures(measures: Iterable[Measure]) -> Iterator[str]:
    """Yield a definition of each measure, and of the precision and recall behind an F1.

    >>> print(*define_measures([CATALOGUE["accuracy"]]))
    accuracy, Accuracy: 1 if the predicted classes are exactly the true classes, else 0.
    """
    named = dict.fromkeys(
        each for m in measures for each in (m, *map(CATALOGUE.get, COMBINED.get(m.key, ()))) if each
    )
    for measure in named:
        if measure.key not in CATALOGUE:  # the card defines its own measures
            continue
        sentences = measure.description.rstrip(".").split(". ")[:MOST_SENTENCES]
        yield f"{spoken(measure.key)}, {measure.name}: {'. '.join(sentences)}."


@dataclass(frozen=True)
class Value(questions.Question):
    """The entries of a question for `value`, an expression or quantity. `tolerance` is the allowed
    error.
    """

    class Entry(questions.QuestionEntry):
        value: Annotated[
            questions.LongText, questions.FormField("Value asked for", "hF", names="expression")
        ] = ""
        tolerance: Annotated[
            float | None, Field(gt=0, le=1), questions.FormField("Tolerance", "0.005", needed=False)
        ] = None

    kind = "value"
    title = "Values"
    input = "number"
    asks_values = True
    entry: Entry

    @classmethod
    def random(cls, wanted: Difficulty, rng: Random, rare: bool) -> dict[str, Any] | None:
        key = rng.choice(wanted.chosen)
        drawn = draw(wanted, rng, CATALOGUE[key].family)
        if drawn is None or (drawn.is_plain(key) and not rare) or math.isnan(drawn.explained[key]):
            return None
        name = CATALOGUE[key].name
        said = spoken(key)
        asked = (
            f"What is the value of {said}?"
            if name.lower() == said
            else f"What is the value of {said} ({name})?"
        )
        return drawn.card([key], kind=cls.kind, value=key, ask=asked)

    @cached_property
    def _computed(self) -> Computed:
        found = self.subject.computed(self.entry.value)
        if found.kind != "value":
            raise InputError(f"{shown(self.entry.value)} is not a number")
        return found

    @property
    def _formula(self) -> Formula:
        return self._computed.formula

    @cached_property
    def _measures(self) -> dict[str, Measure]:
        """The measures in the expression, by name. A quantity contains no measures."""
        return self._formula.measures

    @property
    def tolerance(self) -> float:
        return TOLERANCE if self.entry.tolerance is None else self.entry.tolerance

    @property
    def value(self) -> float:
        return float(self._computed.value)

    def asked(self) -> str:
        options = {x.options.dmax for x in self.subject.explained}
        costs = len(options) == 1 and any(
            "dmax" in measure.options for measure in self._measures.values()
        )
        return f"What is {self._name}?{f' {dmax_in_words(*options)}' if costs else ''}"

    @cached_property
    def _name(self) -> str:
        return self.subject.name(self.entry.value)

    @cached_property
    def definition(self) -> str:
        asked = self._computed.quantity
        measures = list(self._measures.values())
        if asked is not None and asked.is_average and len(asked.arguments) == 1:
            measures = [self.subject.measure(str(asked.arguments[0]))]
        return " ".join(define_measures(measures))

    @property
    def on_paper(self) -> str:
        return f"{self.words} {self.definition}".strip()

    @property
    def form(self) -> questions.Form:
        asked = self._computed.quantity
        if asked is not None and asked.is_average:
            measure = self.subject.measure(str(asked.arguments[0]))
            return "number" if asked.name != "sign" and measure.high is None else "share"
        if asked is not None:
            return (
                "count" if asked.name in COUNTS else "share" if asked.name in RATIOS else "number"
            )
        unbounded = [m for m in self._measures.values() if m.high is None]
        plain = self.entry.value.strip().removesuffix(SECOND) in {
            m.key for m in unbounded if m.family in COUNTING or m.structure.whole
        }
        return "count" if plain else "number" if unbounded else "share"

    def check(self) -> None:
        if not math.isfinite(self.value):
            raise InputError(f"{self.entry.value} has no value here")
        if not self._formula.quantities:
            raise InputError(
                f"{shown(self.entry.value)} names no measure. Ask for a value of this "
                f"instance, such as hF"
            )

    def answer(self) -> str:
        return as_fraction(self.value)

    def read(self, text: str | Iterable[str]) -> str:
        number_of(given := questions.one_of(text))
        return given.strip()

    def _nearest(self, given: str) -> tuple[bool, str]:
        return abs(number_of(given) - self.value) <= self.tolerance + 1e-9, self.answer()

    def _said(self, given: str) -> str:
        return given

    def about(self) -> About:
        asked = self._computed.quantity
        return (
            group_by_hint(self._measures.values())
            if asked is None
            else {_ABOUT.get(asked.name, ""): ()}
        )

    def same(self, given: questions.Given, other: questions.Given) -> bool:
        both = [number_of(each) for each in (given, other) if isinstance(each, str)]
        return len(both) == 2 and abs(both[0] - both[1]) <= self.tolerance + 1e-9

    def answer_with(self, altered: questions.Altered) -> str | None:
        wrong = {
            name: altered(measure, self.subject.at(name.endswith(SECOND)).explained)
            for name, measure in self._measures.items()
        }
        if all(found is None for found in wrong.values()):
            return None

        def value_of(asked: Quantity) -> Any:
            found = wrong.get(asked.text)
            return self.subject.value(asked) if found is None else found

        value = float(self._formula.work_out(value_of))
        return as_fraction(value) if math.isfinite(value) else None

    def average_as(self, how: str) -> str | None:
        asked = self._computed.quantity
        if asked is None or not asked.is_average or asked.name in (how, "sign"):
            return None
        try:
            other = self.subject.computed(asked.text.replace(asked.name, how, 1))
        except InputError:  # a measure without this average
            return None
        return as_fraction(float(other.value))

    def _in_words(self, answer: str) -> str:
        decimal = value_text(self.value)
        return f"{answer} = {decimal}" if "/" in answer else decimal

    def _why(self, given: str, answer: str) -> str:
        text, value = self.entry.value.strip(), self._in_words(answer)
        if len(self._measures) == len(self._formula.quantities) == 1:
            ((name, measure),) = self._measures.items()
            x = self.subject.explained[int(name.endswith(SECOND))]
            said = x.derive(measure).sentence
            if text == name:
                filled = calculation(x.derive(measure).latex)
                through = "" if filled.replace(" ", "") == answer else f"{filled} = "
                return f"{said} So {self._name} is {through}{value}." if filled else said
            of_measure = f"{self.subject.name(name)} is {value_text(x.value(measure))}"
            return f"{said} {of_measure}, so {self._name} is {value}."
        if self._computed.quantity is None:
            values = self.subject.values_in_words(self._formula, value_text)
            return f"Here {values}. So {self._name} is {value}."
        asked = self._computed.quantity
        before = self._in_parts(asked) if asked else ""
        return f"{before}{capitalize(self._name)} is {value}."

    def _in_parts(self, asked: Quantity) -> str:
        """Describe the parts of a quantity, such as the terms of an expected value."""
        case = self.subject.at(asked.second)
        if asked.is_average:
            measure = self.subject.measure(str(asked.arguments[0]))
            rows = self.subject.averaged(asked)
            values = [value_text(x.value(measure)) for x in rows]
            if asked.name == "sign":
                apart = ", ".join(
                    f"{a} and {b}" for a, b in zip(values[::2], values[1::2], strict=True)
                )
                return f"The pairs of {spoken(measure.key)} are {apart}. "
            truths = [classes_in_words(x.true) for x in rows]
            if len(set(truths)) == len(truths):
                values = [
                    f"{value} for {truth}" for value, truth in zip(values, truths, strict=True)
                ]
            return f"{spoken(measure.key)} is {join_words(values)}. "
        if asked.name == "E":
            terms = expected_terms(case, *asked.arguments)
            said = [
                f"{number(p)} · {value_text(v)} for {printed.as_text(true)}" for true, p, v in terms
            ]
            return f"For each possible truth: {', '.join(said)}. "
        if asked.name in COUNTS or asked.name in RATIOS:
            given = asked.text[asked.text.index("(") :]
            counts = (
                write_count(int(Formula.of(name + given)(case)), CELLS[name].removesuffix("s"))
                for name in COUNTS
            )
            return f"There are {join_words(counts)}. "
        return ""

    def _would_be(self, given: str) -> str:
        near = abs(number_of(given) - (1 - self.value)) <= TOLERANCE + 1e-9
        return "That is 1 minus the answer." if near else ""
