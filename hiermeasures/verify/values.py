"""Values, sets and conditions in lessons, and the texts of cards.

A text has them in braces. They are about one instance, or about two to compare. A name means the
first instance, and with the ending `_second` the other one. verify/quantities.py has the
quantities. hiermeasures.hierarchy.expressions has arithmetic and comparisons.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from hiermeasures.debug.what_if import change
from hiermeasures.hierarchy.elementwise import at_least
from hiermeasures.hierarchy.errors import InputError, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import CATALOGUE, Explanation, Instance, Measure, find_measure
from hiermeasures.measures.catalogue import SIDES, number
from hiermeasures.measures.lca_solvers import PAGE_WORK
from hiermeasures.measures.own import called, own_measures, spoken
from hiermeasures.verify import printed
from hiermeasures.verify.case import Case
from hiermeasures.verify.printed import CountedNodes
from hiermeasures.verify.quantities import SECOND, Formula, Quantity
from hiermeasures.verify.wording import InstanceNames, name_instances, name_value

_PARSED: Mapping[Any, Literal["value", "paths"]] = {printed.number: "value", printed.paths: "paths"}


class DoesNotHold(InputError):
    """A statement of a lesson that is not true."""


@dataclass(frozen=True)
class Computed:
    """The value of a formula."""

    value: Any
    formula: Formula

    @property
    def kind(self) -> Literal["value", "classes", "paths", "condition"]:
        if self.formula.expression.is_condition:
            return "condition"
        return _PARSED.get(self.formula.parse, "classes")

    @property
    def quantity(self) -> Quantity | None:
        return self.formula.quantity

    @property
    def text(self) -> str:
        if self.kind == "value":
            return value_text(self.value)
        return printed.as_text(classes_of(self.value) if self.kind == "classes" else self.value)


@dataclass(frozen=True)
class Subject:
    """One instance of a card or a question, or two to compare."""

    cases: tuple[Case, ...]
    define: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, instances: Iterable[Instance]) -> "Subject":
        """Return the subject of some instances."""
        cases = []
        for instance in instances:  # with a page's budget for searches
            options, work = (instance.options.changed, instance.exact_work or PAGE_WORK)
            cases.append(Case(**_given(instance), options=options, exact_work=work))
        return cls(tuple(cases))

    @cached_property
    def instances(self) -> tuple[Instance, ...]:
        return tuple(
            replace(
                case.explained.instance,
                hierarchy=case.hierarchy,
                options=Options.make(case.options),
            )
            for case in self.cases
        )

    @property
    def explained(self) -> tuple[Explanation, ...]:
        return tuple(case.explained for case in self.cases)

    @cached_property
    def defined(self) -> Mapping[str, Measure]:
        return own_measures(self.define)

    @cached_property
    def instance_names(self) -> InstanceNames:
        return name_instances(self.instances)

    def name(self, text: str) -> str:
        """Return words for the value of an expression, for students."""
        return name_value(text, self.instance_names)

    def with_first(self, instance: Instance) -> "Subject":
        return replace(self, cases=(replace(self.cases[0], **_given(instance)), *self.cases[1:]))

    def measure(self, key: str) -> Measure:
        return find_measure(key, self.defined)

    def key(self, measure: Measure) -> str:
        """Return a measure's key. For a measure of this subject, return its definition."""
        head = next((h for h in self.define if called(h) == measure.key), None)
        return (
            measure.key
            if head is None or measure.key in CATALOGUE
            else f"{head}={self.define[head]}"
        )

    def at(self, second: bool) -> Case:
        if second and len(self.cases) < 2:
            raise InputError(
                f"{SECOND} means a second prediction, but there is only one. Leave out {SECOND}"
            )
        return self.cases[int(second)]

    def read(self, text: str) -> Formula:
        """Read an expression or a claim about these instances. InputError if it is invalid."""
        return Formula.of(text, self.defined, lesson=True)

    def value(self, asked: Quantity) -> Any:
        return self._average(asked) if asked.is_average else asked(self.at(asked.second))

    def values(self, formula: Formula) -> dict[str, Any]:
        """Return the value of each name in a formula."""
        return {name: self.value(asked) for name, asked in formula.quantities.items()}

    def computed(self, text: str) -> Computed:
        """Compute an expression or a quantity. InputError if it cannot be read."""
        formula = self.read(text)
        return Computed(formula.work_out(self.value), formula)

    def averaged(self, asked: Quantity) -> tuple[Explanation, ...]:
        """Return the instances of an average.

        Its sets are true and predicted classes in turn. Without sets, return the card's instances.
        """
        if len(asked.arguments) < 2:
            return self.explained
        step = 3 if asked.name == "sign" else 2
        check = self.cases[0].hierarchy.check
        sets = [check(each) for each in asked.arguments[1:] if isinstance(each, frozenset)]
        if len(sets) % step:
            raise InputError(
                "the average has the wrong number of sets. Write the true classes of each instance "
                "before the classes predicted for it"
            )
        return tuple(
            self.cases[0].between(sets[k - k % step], s) for k, s in enumerate(sets) if k % step
        )

    def _average(self, asked: Quantity) -> float:
        """Average a measure over instances.

        `samples` is the mean of the values. `micro` is the value of summed counts. `macro` is the
        mean over the classes that occur. `sign` is the p-value that the first of two systems is
        better.
        """
        how, m, instances = asked.name, self.measure(str(asked.arguments[0])), self.averaged(asked)
        if how == "sign":
            words = [
                change(m, x.value(m), y.value(m)).word
                for x, y in zip(instances[::2], instances[1::2], strict=True)
            ]
            return at_least(words.count("worse"), words.count("worse") + words.count("better"))
        if how == "samples":
            return math.fsum(x.value(m) for x in instances) / len(instances)
        structure, options = m.structure, instances[0].options
        if m.pooled in ("never", "undefined") or (how == "macro" and not m.macro):
            raise InputError(f"{spoken(m.key)} has no {how} average. Use samples")
        if how == "micro":
            summed = {}
            for table, (read, settings) in m.reads(options).items():
                rows = (read.read(x.built(read), settings) for x in instances)
                summed[table] = read.named_row(*map(sum, zip(*rows, strict=True)))
            return float(m.value(summed, options))
        built = [x.built(structure) for x in instances]
        if structure.row_of_class is None or not all(hasattr(b, "shared") for b in built):
            raise InputError(f"{spoken(m.key)} has no macro average in a lesson. Use samples")
        classes = frozenset().union(*(b.true | b.predicted for b in built))
        sides = [[getattr(b, name) for b in built] for name in ("true", "predicted", "shared")]
        counts = [[sum(c in labels for labels in side) for side in sides] for c in classes]
        found = [
            m.read(structure.named_row(*structure.row_of_class(*row)), options) for row in counts
        ]
        return math.fsum(found) / len(found)

    def holds(self, text: str) -> tuple[bool, str]:
        found = self.computed(text)
        left, right = found.formula.text, found.formula.expression.printed
        if right is None:
            if found.kind != "condition":
                raise InputError(f"{shown(left)} is not a claim. Write hF > 0.5 or hF = 0.57")
            return bool(found.value), self.values_in_words(found.formula)
        if found.kind == "condition":
            raise InputError(f"{shown(left)} is a condition. Leave out = and the value after it")
        return _agrees(found, right, self.cases[0]), f"{left} is {found.text}"

    def values_in_words(self, formula: Formula, digits: Callable[[float], str] = number) -> str:
        """Return the values of the names in an expression, such as `hF is 0.5714, GIE 7`."""
        named = enumerate(self.values(formula).items())
        parts = [
            f"{self.name(name)}{'' if k else ' is'} {digits(value)}" for k, (name, value) in named
        ]
        return ", ".join(parts) or "it is a constant"


def _given(instance: Instance) -> dict[str, Any]:
    return {
        name: getattr(instance, name)
        for name in ("hierarchy", *SIDES, *(f"{side}_paths" for side in SIDES))
    }


def classes_of(value: Any) -> frozenset[str]:
    """Return a set of classes, or the classes in a cell of the confusion matrix."""
    return frozenset().union(*value.nodes) if isinstance(value, CountedNodes) else frozenset(value)


def value_text(value: float) -> str:
    """Return a number for a text, with two decimals unless it is whole.

    >>> value_text(2 / 3), value_text(7.0), value_text(-0.25), value_text(float("nan"))
    ('0.67', '7', '−0.25', 'undefined')
    """
    if math.isnan(value):
        return "undefined"
    text = f"{value:.0f}" if abs(value - round(value)) < 1e-9 else f"{value:.2f}"
    return text.replace("-", "−") if text.strip("-0.") else "0"


def tell_apart(*values: float) -> list[str]:
    """Return several numbers as texts, with more digits if different numbers would look equal.

    >>> tell_apart(0.501, 0.504), tell_apart(0.5, 0.75)
    (['0.501', '0.504'], ['0.50', '0.75'])
    """
    short = [value_text(value) for value in values]
    return (
        short
        if len(set(short)) == len({round(v, 9) for v in values})
        else [number(value) for value in values]
    )


def _agrees(found: Computed, right: str, case: Case) -> bool:
    """Return whether a value equals the text after `=`. Sets can have brackets or not."""
    if found.kind == "classes" and not (
        isinstance(found.value, CountedNodes) and right[:1].isdigit()
    ):
        return classes_of(found.value) == frozenset(words_of(right, case.hierarchy.nodes))
    if found.kind == "value":
        return rounds_to(found.value, right, case.explained.options.dmax)
    return printed.agrees(found.value, found.formula.parse(right))


def rounds_to(value: float, text: str, maximum: float = 0.0) -> bool:
    """Return whether a value rounds to a typed number. A truncated number does not count.

    >>> rounds_to(2 / 3, "0.67"), rounds_to(2 / 3, "0.66"), rounds_to(2 / 3, "2/3")
    (True, False, True)
    """
    target = printed.number(text)
    return printed.agrees(value, target, maximum=maximum) and not printed.truncated_only(
        value, target
    )


def classes_in(text: str | Iterable[str], hierarchy: Hierarchy) -> frozenset[str]:
    return hierarchy.check(words_of(text, hierarchy.nodes) if isinstance(text, str) else text)


def words_of(text: str, known: Iterable[str]) -> Iterator[str]:
    """Return the class names in a text.

    Commas or blanks separate them. Brackets are optional. A name that contains blanks needs commas.

    >>> list(words_of("{A, B}", ["A", "B"])), list(words_of("new york, B", ["new york", "B"]))
    (['A', 'B'], ['new york', 'B'])
    """
    text = text.strip()
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1]
    labels = frozenset(known)
    for part in text.split(","):
        part = part.strip()
        yield from [part] if part in labels else part.split()


# A text has words, with **strong** and *stressed* ones, and computed parts in braces. "{{" and "}}"
# write one brace. Braces in braces are sets. In older lessons, `{first}` and `{second}` mean these
# words. A number outside braces raises InputError, because it may not be computed.

_NUMBER = re.compile(r"(?<![\w.])[\w.]*\d(?:\.|\s?/\s?)\d[\w.]*", re.ASCII)
# braces contain at most sets in braces
_BRACES = re.compile(r"\{\{|\}\}|\{(?P<inside>(?:[^{}]|\{[^{}]*\})*)\}|[{}]")
_REFERENCE = re.compile(
    r"(?:sections?|figures?|tables?|chapters?|eqs?\.?|equations?|definitions?|arxiv:|version)\s*\(?\s*$",
    re.IGNORECASE,
)


PieceKind = Literal["words", "strong", "stressed", "value", "classes", "condition"]
_MARKS = re.compile(r"\*\*(?=\S)([^*]+)(?<=\S)\*\*|\*(?=\S)([^*]+)(?<=\S)\*")


@dataclass(frozen=True)
class Piece:
    """A part of a text: words, or the value of an expression."""

    text: str
    expression: str = ""
    kind: PieceKind = "words"


Paragraphs = tuple[tuple[Piece, ...], ...]


def text_pieces(text: str, subject: Subject) -> tuple[Paragraphs, list[InputError]]:
    """Return the paragraphs of a text and its faults. Parts with a fault are left out."""
    paragraphs: list[tuple[Piece, ...]] = []
    faults: list[InputError] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        pieces: list[Piece] = []
        for part, computed in parts(paragraph, faults):
            try:
                if computed or part:
                    pieces += [piece(part, subject)] if computed else _marked(_words(part, subject))
            except InputError as error:
                faults.append(error)
        if pieces:
            paragraphs.append(tuple(pieces))
    return tuple(paragraphs), faults


def plain(paragraphs: Paragraphs) -> str:
    return "\n\n".join("".join(piece.text for piece in pieces) for pieces in paragraphs)


def check_words(text: str, subject: Subject) -> None:
    """Raise InputError for a typed number in a text without computed parts, such as a title."""
    _words(text, subject)


def parts(text: str, faults: list[InputError]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a paragraph. True means that a part was in braces.

    Faults are added to `faults`.
    """
    words, at = "", 0
    for match in _BRACES.finditer(text):
        words, at = words + text[at : match.start()], match.end()
        if match["inside"] is not None:
            yield words, False
            yield match["inside"], True
            words = ""
        elif match[0] in ("{{", "}}"):
            words += match[0][0]
        else:
            left, right = shown(text[match.start() :], 40), shown(text[: match.start()][-30:])
            opened, closed = (
                f"the brace of {left} is not closed",
                f"a closing brace after {right} has no opening brace",
            )
            faults.append(
                InputError(
                    f"{opened if match[0] == '{' else closed}. Write {match[0] * 2} for a brace"
                )
            )
            return
    yield words + text[at:], False


def _words(text: str, subject: Subject) -> Piece:
    text = re.sub(r"\s*\n\s*", " ", text)
    for match in _NUMBER.finditer(text):
        word = match[0].rstrip(".")
        named = any(word in case.hierarchy for case in subject.cases)
        if not named and not _REFERENCE.search(text[: match.start()]):
            raise InputError(
                f"the number {shown(word)} is typed in. Write it in braces with its measure, such "
                "as {hF = 0.67}"
            )
    return Piece(text)


def _marked(words: Piece) -> Iterator[Piece]:
    """Split words into plain, strong and stressed parts."""
    before, *found = _MARKS.split(words.text)
    for strong, stressed, after in zip(found[::3], found[1::3], found[2::3], strict=True):
        yield from [Piece(before)] if before else []
        yield Piece(strong or stressed, kind="strong" if strong else "stressed")
        before = after
    if before:
        yield Piece(before)


def piece(content: str, subject: Subject) -> Piece:
    """Compute an expression in braces.

    Raises
    ------
    InputError
        If it is invalid.
    DoesNotHold
        If it is a claim that is not true.
    """
    if not content.strip():
        raise InputError("these braces are empty: {}. Write an expression between them")
    if content.strip() in ("first", "second"):
        return Piece(content.strip())
    found = subject.computed(content)
    left, right = found.formula.text, found.formula.expression.printed
    if right is not None or found.kind == "condition":
        holds, instead = subject.holds(content)
        if not holds:
            claim = left if right is None else f"{left} = {right}"
            raise DoesNotHold(f"{shown(claim)} is not true: {instead}")
    if found.kind == "value":  # show the author's text: it agrees
        return Piece(found.text if right is None else right, left, "value")
    return (
        Piece(subject.name(left), left, "condition")
        if found.kind == "condition"
        else Piece(found.text, left, "classes")
    )
