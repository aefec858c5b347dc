"""Quantities of published cells, and expressions over them.

A quantity is a measure, an expected value, a set of nodes, a path, or counts. It is written as in
the papers: `hF`, `hF({1, 3}, {1})`, `E(SP)`, `LCA(3.2.2, true)`, `TP(counts, 2)`. Its value comes
from the explanation of a case. docs/cases.md lists the quantities.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from itertools import islice
from typing import Any

from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.expressions import TOTAL, Argument, Expression, Node
from hiermeasures.measures import CATALOGUE, Measure, find_measure
from hiermeasures.measures.catalogue import SIDES
from hiermeasures.measures.lca_structure import LCAGraphs
from hiermeasures.measures.own import NOTHING, OwnMeasure, named_value, own_measures
from hiermeasures.measures.sets import LevelCounts, per_level
from hiermeasures.verify import printed
from hiermeasures.verify.case import Case
from hiermeasures.verify.printed import CountedNodes

MOST_PATHS = 1_000  # from the root to one class; a DAG may have more than can be listed
Read = Callable[..., Any]

EACH = "each"  # stands for every class in turn, in a total
SECOND = "_second"  # ending of a name for the second instance of a lesson's card
MOST_SETS = 200  # of an average


@dataclass(frozen=True)
class Kind:
    """A kind of quantity.

    `form` shows how to write it, and `words` name it, with {} for an argument. `parse` reads a
    printed value, and `read` computes ours. `arguments` is the range of their number.
    """

    form: str
    words: str
    parse: Callable[[str], Any]
    read: Read
    arguments: range


@dataclass(frozen=True)
class Quantity:
    """A name in an expression, with its arguments. A call with a case returns our value.

    In a lesson it can be about the `second` instance, or an average over several.
    """

    text: str
    kind: Kind
    name: str
    arguments: tuple[Argument, ...] = ()
    second: bool = False
    measure: Measure | None = None

    @classmethod
    def of(
        cls, expression: Expression, node: Node, defined: Mapping[str, Measure], ending: str
    ) -> "Quantity":
        """Read a name in an expression. It can have the `ending`. ExpressionError if it is wrong."""
        name, given = node.name.removesuffix(ending), node.arguments
        kind = AVERAGES.get(name) or KINDS.get(name)
        if given is None and (kind is None or 0 not in kind.arguments or name in defined):
            if kind is not None and name not in defined:
                raise expression.fault(f"{name} lacks arguments. Write {kind.form}", *node.place)
            measure = named_value(expression, node.text, defined, ending)
            return cls(node.text, MEASURE, name, second=name != node.name, measure=measure)
        kind, arguments = kind or MEASURE, given or ()
        if len(arguments) not in kind.arguments:
            reason = f"{name} has {len(arguments)} arguments. Write {kind.form}"
            raise expression.fault(reason, *node.place)
        if kind is MEASURE and any(isinstance(a, str) for a in arguments):
            reason = "an argument of a measure is not a set. Write sets such as {A, B}"
            raise expression.fault(reason, *node.place)
        return cls(node.text, kind, name, arguments, name != node.name, CATALOGUE.get(name))

    @property
    def is_average(self) -> bool:
        return self.name in AVERAGES

    def __call__(self, case: Case) -> Any:
        return self.kind.read(case, self.measure or self.name, *self.arguments)

    def about(self, label: str) -> "Quantity":
        """Return the quantity with a class in place of `each`."""
        arguments = tuple(
            label
            if a == EACH
            else frozenset(label if c == EACH else c for c in a)
            if isinstance(a, frozenset)
            else a
            for a in self.arguments
        )
        return replace(self, arguments=arguments)


def read_expression(text: str, *, lesson: bool = False) -> Expression:
    """Read an expression of a case file, or of a lesson with `lesson`.

    In a lesson, a name can be about the second instance, and the expression can be a claim such as
    `hF = 0.5`.
    """
    calls = {*CATALOGUE, *KINDS}
    if lesson:
        calls |= {name + SECOND for name in calls}
    calls |= {*AVERAGES}
    return Expression(text, calls, claim=lesson)


@dataclass(frozen=True)
class Formula:
    """The subject of a cell, or of a value in a text.

    It is an expression over numbers, or a single quantity. A single quantity can be a set of
    classes or paths.

    >>> from hiermeasures.verify.library import own_cases
    >>> case = own_cases().case("kosmopoulos2015/figure-11a")
    >>> Formula.of("1 - MGIA_error / (3 * GIE)")(case) == 1 - 4 / (3 * 7)
    True
    """

    expression: Expression
    quantities: Mapping[str, Quantity]

    @classmethod
    def of(
        cls, text: str, defined: Mapping[str, Measure] = NOTHING, *, lesson: bool = False
    ) -> "Formula":
        """Read an expression over quantities and the measures in `defined`."""
        expression, ending = read_expression(text, lesson=lesson), SECOND if lesson else ""
        quantities = {
            name: Quantity.of(expression, node, defined, ending)
            for name, node in expression.used.items()
        }
        if expression.root.op != "name":
            for name, found in quantities.items():
                if found.kind.parse is not printed.number:
                    reason = f"{name} is not a number. Use it alone, not in a calculation"
                    raise expression.fault(reason, *expression.used[name].place)
        return cls(expression, quantities)

    @property
    def text(self) -> str:
        """The written formula, without the value after the equality sign."""
        return self.expression.root.text

    @property
    def quantity(self) -> Quantity | None:
        """The only quantity, or None for a measure or an expression."""
        found = self.quantities.get(self.text)
        return None if found is None or (found.measure and not found.arguments) else found

    @property
    def is_constant(self) -> bool:
        """True if all cases have an equal value, such as `0.5` or `hP - hP`."""
        names = {
            name
            for name, found in self.quantities.items()
            if not isinstance(found.measure, OwnMeasure)
            or found.measure.expression.depends_on(found.measure.parts.keys())
        }
        written, is_number = self.expression, self.expression.root.op != "name"
        return not names or (
            is_number and not written.is_condition and not written.depends_on(names)
        )

    @property
    def parse(self) -> Callable[[str], Any]:
        """The function that reads its printed value."""
        if self.expression.is_condition:
            return printed.sentence
        return self.quantity.kind.parse if self.quantity else printed.number

    @property
    def measures(self) -> dict[str, Measure]:
        """Its measures by name. Measures with arguments are left out."""
        return {
            name: found.measure
            for name, found in self.quantities.items()
            if found.measure and not found.arguments
        }

    def work_out(self, value: Callable[[Quantity], Any]) -> Any:
        """Return its value from the values of its quantities."""
        values = {name: value(found) for name, found in self.quantities.items()}
        return values[self.text] if self.text in values else self.expression(values)

    def __call__(self, case: Case) -> Any:
        return self.work_out(lambda found: found(case))

    def together(self, case: Case, instances: Sequence[Case]) -> Any:
        """Return its value for several instances of one hierarchy, as one batch."""
        return self.work_out(lambda found: together(found, case, instances))


def together(asked: Quantity, case: Case, instances: Sequence[Case]) -> float:
    """Return a quantity of several instances of one hierarchy, as one batch with the case's options.

    The quantity is a measure, as the mean over the instances or as another average such as
    `micro(hF)`. It can also be a weight, a number or a total of classes.

    Raises
    ------
    InputError
        For another quantity, or if an instance has another hierarchy.
    """
    h = case.hierarchy
    if other := next(
        (c for c in instances if (c.hierarchy.nodes, c.hierarchy.edges) != (h.nodes, h.edges)), None
    ):
        raise InputError(
            f"{other.label} has another hierarchy than {case.label}, so they are no batch. "
            "Choose instances of one hierarchy"
        )
    if asked.measure and not asked.arguments:
        return _averaged(case, instances, asked.measure)
    if asked.is_average and asked.name != "sign" and len(asked.arguments) == 1:
        name = str(asked.arguments[0])
        measure = own_measures(case.define).get(name) or find_measure(name)
        return _averaged(case, instances, measure, asked.name)
    if asked.kind is KINDS["weight"]:
        return float(asked(_weighed(case, instances)))
    if asked.kind is KINDS["number"]:
        return math.fsum(asked(c) for c in instances)
    if asked.kind is KINDS[TOTAL]:
        return _total(
            case, TOTAL, asked.arguments[0], lambda found: together(found, case, instances)
        )
    raise InputError(
        f"{shown(asked.text)} is about one case, but here are several. Use a measure, an average "
        "such as micro(hF), or a weight, number or total of classes"
    )


def _averaged(
    case: Case, instances: Sequence[Case], measure: Measure, average: Any = "samples"
) -> float:
    """Return an average of a measure over instances. It is "samples", "micro" or "macro"."""
    from hiermeasures.evaluation import evaluate

    true, predicted = [c.true for c in instances], [c.predicted for c in instances]
    found = evaluate(
        case.hierarchy, true, predicted, measures=[measure], average=average, **case.options
    )
    return float(found[measure.key])


def _weighed(case: Case, instances: Sequence[Case]) -> Case:
    """Return the case with the class weights of the batch."""
    from hiermeasures.evaluation.information import information

    options = dict(case.options)
    if options.get("class_weights") != "information":
        return case
    smoothing = options.pop("information_smoothing", "unseen")
    bits = information(case.hierarchy, [c.true for c in instances], smoothing=smoothing)
    return replace(
        case,
        hierarchy=case.hierarchy.with_class_weights(bits),
        options=options | {"class_weights": "given"},
    )


def _measure(
    case: Case,
    measure: Measure,
    true: frozenset[str] | None = None,
    predicted: frozenset[str] | None = None,
) -> float:
    if true is not None:
        case = replace(case, true=true, true_paths=None)
    if predicted is not None:
        case = replace(case, predicted=predicted, predicted_paths=None)
    return case.explained.value(measure)


def _expected(case: Case, _: str, measure: Argument, predicted: Argument | None = None) -> float:
    return sum(
        probability * value for _, probability, value in expected_terms(case, measure, predicted)
    )


def expected_terms(
    case: Case, measure: Argument, predicted: Argument | None = None
) -> tuple[tuple[frozenset[str], float, float], ...]:
    """Return each possible truth with its probability and value (Plaud et al. 2024, Eq. 2)."""
    found = find_measure(str(measure))
    answer = None if predicted is None else set_of(case, predicted)
    return tuple(
        (true, probability, _measure(case, found, true, answer))
        for true, probability in case.events()
    )


def _probability(case: Case, _: str, label: Argument) -> float:
    case.events()  # raises InputError without events
    given = case.probabilities or {}
    if not isinstance(label, str) or label not in given:
        raise InputError(unknown("class with a probability", printed.as_text(label), given))
    return given[label]


def set_of(case: Case, argument: Argument) -> frozenset[str]:
    """Return an argument as a set: a side by its name, a set, or a set of one class."""
    if isinstance(argument, frozenset):
        return argument
    return getattr(case, argument) if argument in SIDES else frozenset({argument})


def meeting(case: Case, label: Argument, others: Argument) -> LCAGraphs:
    return case.between({_label(label)}, set_of(case, others)).lca


def _label(argument: Argument) -> str:
    if not isinstance(argument, str):
        raise InputError(f"{printed.as_text(argument)} is not one class. Write one class")
    return argument


def _from_root(case: Case, _: str, label: str) -> frozenset[tuple[str, ...]]:
    paths = list(islice(case.hierarchy.paths_from_root(label), MOST_PATHS + 1))
    if len(paths) > MOST_PATHS:
        raise InputError(
            f"more than {MOST_PATHS:,} paths lead from the root to {shown(label)}. Choose another "
            "class"
        )
    return frozenset(paths)


def _graph(case: Case, name: str) -> frozenset[str]:
    graphs = case.explained.lca
    pair = graphs.extended if case.options.get("graphs") == "extended" else graphs.minimal
    return frozenset((pair.true if name == "G_t" else pair.predicted).nodes)


def _side(case: Case, name: str, side: str) -> frozenset[str]:
    if side not in SIDES:
        raise InputError(unknown("side", side, SIDES))
    return frozenset(
        getattr(case.explained.structure("h_loss" if name == "tolerated" else name), side)
    )


def _number(case: Case, _: str, label: Argument, side: str) -> float:
    """Return 1 if the side has the class or a class below it, else 0."""
    case.hierarchy.check({_label(label)})
    return float(label in _side(case, "augmented", side))


def _total(
    case: Case, _: str, text: Argument, read: Callable[[Quantity], Any] | None = None
) -> float:
    """Add up a number over the classes that count. `read` replaces the value of a quantity."""
    formula, h = Formula.of(str(text), own_measures(case.define)), case.hierarchy
    counted = case.explained.options.counts_root(h)

    def value(found: Quantity, label: str) -> Any:
        about = found.about(label)
        return read(about) if read else about(case)

    return math.fsum(
        formula.work_out(partial(value, label=c)) for c in h.nodes if counted or c != h.root
    )


def _nodes_of(case: Case, _: str, cell: str) -> CountedNodes:
    matrix, name = case.explained.confusion, cell.lower()
    if cell not in CELLS:
        raise InputError(unknown("cell", cell, CELLS))
    groups = [getattr(cells, name) for cells in matrix.paths]
    if name == "fn":
        groups += [frozenset(path[1:]) for path in matrix.unmatched]
    return CountedNodes(getattr(matrix, name), tuple(groups))


CELLS = {
    "TP": "true positives",
    "TN": "true negatives",
    "FP": "false positives",
    "FN": "false negatives",
}
_COUNTED = {
    **{name: (name.lower(), f"the number of {CELLS[name]}") for name in ("TP", "FP", "FN")},
    "P": ("precision", "the precision"),
    "R": ("recall", "the recall"),
    "F1": ("f1", "the F1"),
}


def _count(case: Case, name: str, structure: str, level: str = "") -> float:
    x = case.explained
    if structure not in ("flat", "augmented", "counts", "confusion"):
        raise InputError(
            unknown("structure", structure, ("flat", "augmented", "counts", "confusion"))
        )
    found = x.structure(structure)
    if level:
        levels = found.levels if structure == "counts" else per_level(x.hierarchy, found, x.options)
        none = LevelCounts(int(level) if level.isdigit() else -1, 0, 0, 0, x.options)
        counts = next((c for c in levels if str(c.level) == level), none)
    elif structure in ("flat", "augmented"):
        counts = LevelCounts(
            -1, len(found.shared), len(found.spurious), len(found.missed), x.options
        )
    else:
        counts = LevelCounts(-1, found.tp, found.fp, found.fn, x.options)
    return float(getattr(counts, _COUNTED[name][0]))


def _kind(form: str, words: str, read: Read, parse: Callable[[str], Any] = printed.number) -> Kind:
    """Make a kind from the function that computes its value."""
    taken = list(signature(read).parameters.values())[2:]
    least = sum(parameter.default is parameter.empty for parameter in taken)
    return Kind(form, words, parse, read, range(least, len(taken) + 1))


MEASURE = _kind("hF or hF({1, 3}) or hF({1, 3}, {1})", "a measure", _measure)
KINDS: dict[str, Kind] = {
    "E": _kind("E(hF) or E(hF, {1})", "the expected {}", _expected),
    "probability": _kind("probability(a)", "the probability of {}", _probability),
    "distance": _kind(
        "distance(a, b)",
        "the distance from {} to {}",
        lambda case, _, a, b: case.hierarchy.distance(a, b),
    ),
    "weight": _kind(
        "weight(a)",
        "the weight of {}",
        lambda case, _, a: case.explained.hierarchy.class_weight(_label(a)),
    ),
    "number": _kind(
        "number(a, true) or number(a, predicted)",
        "the number of instances with {} on the {} side",
        _number,
    ),
    TOTAL: _kind(
        "total(weight(each) * number(each, true))", "the sum of {} over all classes", _total
    ),
    "LCA": _kind(
        "LCA(a, b) or LCA(a, predicted) or LCA(a, {b, c})",
        "the lowest common ancestors of {} and {}",
        lambda case, _, a, others: meeting(case, a, others).lca_true,
        printed.nodes,
    ),
    "S_best": _kind(
        "S_best(a, {b, c})",
        "the best matches of {} among {}",
        lambda case, _, a, others: (
            meeting(case, a, others)
            .match(case.hierarchy.nodes[case.hierarchy.index(a)], "true")
            .best
        ),
        printed.nodes,
    ),
    "LCA_all": _kind(
        "LCA_all(true, predicted)",
        "the lowest common ancestors of each of {} with {}",
        lambda case, _, first, second: (
            case.between(set_of(case, first), set_of(case, second)).lca.lca_true
        ),
        printed.nodes,
    ),
    "path_min": _kind(
        "path_min(a, b)",
        "the shortest paths from {} to {}",
        lambda case, _, a, b: frozenset(meeting(case, a, b).paths_between(a, b)),
        printed.paths,
    ),
    "paths_from_root": _kind(
        "paths_from_root(a)", "the paths from the root to {}", _from_root, printed.paths
    ),
    "G_t": _kind("G_t", "the LCA graph of the true classes", _graph, printed.nodes),
    "G_p": _kind("G_p", "the LCA graph of the predicted classes", _graph, printed.nodes),
    **{
        side: _kind(
            side, f"the {side} classes", lambda case, name: getattr(case, name), printed.nodes
        )
        for side in SIDES
    },
    "augmented": _kind("augmented(true)", "the augmented set of {}", _side, printed.nodes),
    "tolerated": _kind(
        "tolerated(predicted)", "the set of {} as H-loss compares it", _side, printed.nodes
    ),
    "cell": _kind(
        "cell(TP)", "the {} of the hierarchical confusion matrix", _nodes_of, printed.counted_nodes
    ),
    **{
        name: _kind(
            f"{name}(flat) or {name}(augmented, level) or {name}(counts, level)", words, _count
        )
        for name, (_, words) in _COUNTED.items()
    },
}


def _of_several(case: Case, name: str, *_: Argument) -> float:
    raise InputError(
        f"{name} is an average over several instances, and {case.label} is one. Use the measure"
    )


AVERAGES: dict[str, Kind] = {
    name: Kind(form, words, printed.number, _of_several, range(1, MOST_SETS))
    for name, form, words in (
        ("samples", "samples(hF, {A}, {B}, …)", "the mean {}"),
        ("micro", "micro(hF, {A}, {B}, …)", "the micro average of {}"),
        ("macro", "macro(hF, {A}, {B}, …)", "the macro average of {}"),
        ("sign", "sign(hF, {A}, {B}, {C}, …)", "the sign test's p-value for {}"),
    )
}
"""Averages over the instances of a batch or a card. In a lesson they can be over sets in turn."""
