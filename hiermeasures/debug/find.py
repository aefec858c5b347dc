"""Find the smallest instance with a wanted effect.

You can ask for a condition on measures, or for an edit that is better for one measure and worse for
another. You can also ask for two predictions in one instance that two measures rank differently.
Conditions use the grammar of the case files (hiermeasures.hierarchy.expressions). They are computed
for all instances at once. search.py explains the order of the search.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from hiermeasures.debug import properties as edits
from hiermeasures.debug import search
from hiermeasures.debug.search import Counterexample, EvaluatedWorlds, PairCounts
from hiermeasures.debug.worlds import World, counted
from hiermeasures.evaluation.tasks import Engine
from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.expressions import Expression
from hiermeasures.hierarchy.options import Options
from hiermeasures.measures import Measure, find_measure
from hiermeasures.measures.own import named_value, own_measures

AFTER = "_after"

EDITS: dict[str, tuple[str, edits.Edit]] = {
    "add": ("a class is added to the prediction", edits.add_class),
    "remove": ("a class is taken out of the prediction", edits.remove_class),
    "move": ("a predicted class is replaced by another", edits.move_class),
    "predict": ("the prediction is replaced by any other", edits.predict_otherwise),
    "add-true": ("a true class is added to the prediction", edits.add_true_class),
    "add-unrelated": (
        "a class neither true nor above or below a true one is added",
        edits.add_unrelated_class,
    ),
    "add-ancestor": ("a class above a predicted one is added", edits.add_ancestor),
    "back-off": ("a wrong class is replaced by its parent above a true one", edits.back_off),
    "go-deeper": ("a class above a true one is replaced by its child toward it", edits.go_deeper),
    "exchange": ("true and predicted classes are exchanged", edits.exchange),
}


@dataclass(frozen=True)
class FindRequest:
    """A question to `find`.

    `condition` is an expression over measures. With an `edit` (a key of EDITS), values after it are
    named like `hF_after`. The edit must be better for the measures in `gains` and worse for those
    in `loses`. Two measures disagree about two predictions if the edit "predict" is better for one
    and worse for the other. With `leaves_only`, all labels are leaves. With `single_label`, no side
    has more than one label.
    """

    condition: str | None = None
    edit: str | None = None
    gains: tuple[str, ...] = ()
    loses: tuple[str, ...] = ()
    leaves_only: bool = False
    single_label: bool = False

    @classmethod
    def disagreement(cls, a: str, b: str, **more: Any) -> "FindRequest":
        """Return a question: measure a prefers the second prediction, and measure b the first."""
        return cls(edit="predict", gains=(a,), loses=(b,), **more)


@dataclass(frozen=True)
class SmallestInstance:
    """The smallest instance found, or None, with the number of instances or pairs searched."""

    example: Counterexample | None
    values: Mapping[str, tuple[float, float]]
    instances: int
    undefined: int
    stopped: bool = False


def find(
    question: FindRequest | str,
    *,
    trees: int = 6,
    dags: int = 5,
    define: Mapping[str, str] | None = None,
    options: Options | None = None,
    kernels: bool = True,
    **settings: Any,
) -> SmallestInstance:
    """Find the smallest instance that answers a question.

    The smallest instance has the fewest classes, then the fewest labels. Ties follow a fixed order.

    Parameters
    ----------
    question : FindRequest or str
        The question. A string is a condition on one instance.
    trees, dags : int
        The largest number of classes, including the root. With 0, no tree or no DAG is searched.
    options : Options, optional
        The options of the measures. You can also give them as keyword arguments, as in `explain`.
    define : mapping of str to str, optional
        Definitions of own measures by name, as in `explain`.
    kernels : bool
        False searches without the array kernels. They take a minute to compile on a new machine.

    Other Parameters
    ----------------
    n_jobs, progress, stop : optional
        As in `study`.

    Returns
    -------
    SmallestInstance
        The instance, its values, and the number of instances searched.

    Raises
    ------
    InputError
        If the question has no condition or measures, if its expression cannot be read or names an
        unknown measure, or if the edit is unknown.

    See Also
    --------
    study : Find the properties that measures keep.

    Examples
    --------
    >>> str(find("hF > 0.6 and accuracy == 0", trees=3, dags=0).example.before)
    'R>a a>b; T = {a}, P = {b}'
    """
    request = FindRequest(question) if isinstance(question, str) else question
    asked = _Asked.of(request, own_measures(define or {}))
    run, settings = search.SearchRun.take(settings)
    chosen, sizes = Options.make(options, **settings), search.sizes_of(trees, dags)
    return asked.smallest(sizes, chosen, run, kernels)


def check(question: FindRequest, define: Mapping[str, str] | None = None) -> None:
    """Refuse a question that `find` cannot answer, without a search."""
    _Asked.of(question, own_measures(define or {}))


def example_at(
    question: FindRequest, world: World, true: int, predicted: int, **settings: Any
) -> Counterexample | None:
    """Return the answer to a question about one instance or an edit of it, or None."""
    asked = _Asked.of(question, {})
    evaluated = EvaluatedWorlds(list(asked.measures.values()), Options.make(settings))
    return asked.among(evaluated, world, np.array([true]), np.array([predicted])).example


@dataclass(frozen=True)
class _Asked:
    question: FindRequest
    edit: edits.Edit
    measures: dict[str, Measure]
    expression: Expression | None

    @classmethod
    def of(cls, question: FindRequest, defined: Mapping[str, Measure]) -> "_Asked":
        if question.edit is not None and question.edit not in EDITS:
            raise InputError(
                f"{unknown('edit', question.edit, EDITS)}. The edits are {', '.join(EDITS)}"
            )
        if (question.gains or question.loses) and question.edit is None:
            raise InputError(
                "measures that become better or worse need an edit: " + ", ".join(EDITS)
            )
        if question.condition is None and not (question.gains or question.loses):
            raise InputError(
                "a search needs a condition such as 'hF > 0.6 and F_LCA < 0.5', or two measures "
                "that disagree"
            )
        measures = {key: find_measure(key, defined) for key in (*question.gains, *question.loses)}
        expression = None if question.condition is None else Expression(question.condition)
        if expression is not None:
            ending = "" if question.edit is None else AFTER
            named = (
                named_value(expression, name, defined, ending) for name in sorted(expression.names)
            )
            measures |= {measure.key: measure for measure in named}
        if not measures:
            raise InputError(f"the expression {shown(question.condition or '')} names no measure")
        edit = edits.nothing if question.edit is None else EDITS[question.edit][1]
        return cls(question, edit, measures, expression)

    def smallest(
        self,
        sizes: Sequence[Sequence[World]],
        options: Options,
        run: search.SearchRun,
        kernels: bool,
    ) -> SmallestInstance:
        done, found = run.counting(sum(map(len, sizes))), PairCounts()
        engine: Engine | None = None if kernels else "explain"
        for level in sizes:
            results = run.over(level, partial(self.look, options=options, engine=engine), done)
            found += PairCounts.of_level(results)
            if run.stopped:
                return SmallestInstance(None, {}, found.defined, found.undefined, stopped=True)
            if found.example is not None:
                break
        return SmallestInstance(found.example, found.values, found.defined, found.undefined)

    def look(self, world: World, options: Options, engine: Engine | None) -> PairCounts:
        evaluated = EvaluatedWorlds(list(self.measures.values()), options, engine)
        if not self.question.single_label:  # else only a small part of all instances is searched
            evaluated.fill(world)
        return self.among(evaluated, world, *world.instances)

    def among(
        self, evaluated: EvaluatedWorlds, world: World, true: np.ndarray, predicted: np.ndarray
    ) -> PairCounts:
        """Return the smallest of some instances of one hierarchy."""
        found = PairCounts()
        allowed = self._allowed(world, true, predicted)
        for pairs in self.edit(world, true[allowed], predicted[allowed]):
            pairs = pairs.rows(self._allowed(*pairs.after))
            if not pairs.size:
                continue
            before, after = (
                {key: side(key) for key in self.measures} for side in evaluated.both(pairs)
            )
            known = ~np.any([np.isnan(v) for v in (*before.values(), *after.values())], axis=0)
            rows = np.flatnonzero(known & self._holds(before, after))
            found += PairCounts(int(known.sum()), len(known) - int(known.sum()))
            if len(rows):
                k, rank = search.smallest(pairs, rows)
                values = {
                    key: (float(before[key][k]), float(after[key][k])) for key in self.measures
                }
                found += PairCounts(
                    example=search.shown(pairs, k, next(iter(values.values()))),
                    rank=rank,
                    values=values,
                )
        return found

    def _allowed(self, world: World, true: np.ndarray, predicted: np.ndarray) -> np.ndarray:
        fit = np.ones(len(true), bool)
        if self.question.leaves_only:
            fit &= (true | predicted) & ~world.leaves == 0
        if self.question.single_label:
            fit &= (counted(true) <= 1) & (counted(predicted) <= 1)
        return fit

    def _holds(
        self, before: Mapping[str, np.ndarray], after: Mapping[str, np.ndarray]
    ) -> np.ndarray:
        any_side = next(iter(before.values()))
        fit = np.ones(len(any_side), bool)
        for keys, relation in (
            (self.question.gains, edits.better),
            (self.question.loses, edits.worse),
        ):
            for key in keys:
                fit &= relation(self.measures[key], before[key], after[key])
        if self.expression is not None:
            fit &= self.expression.over(
                {**before, **{key + AFTER: v for key, v in after.items()}}, len(fit)
            )
        return fit
