"""Sentences about measures, with their evidence and its check.

The evidence is a search or an instance. A search also tries known instances. claims.yaml has the
general sentences and explains its entries. Sentences about equal measures come from the catalogue
(hiermeasures.measures.registry). rules.yaml has the sentences of the selector. `hiermeasures
verify` checks all of them.

Parts in braces are computed. A part is an expression as in a lesson, about the instance of the last
`{on …}`, or a search, `{nowhere …}`. Numbers that are typed outside braces raise InputError.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from hiermeasures.debug.find import EDITS, FindRequest, example_at, find
from hiermeasures.debug.search import Counterexample, known_instances
from hiermeasures.hierarchy.errors import InputError, shown, unknown
from hiermeasures.hierarchy.expressions import Expression, split_arguments
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.package import data_file
from hiermeasures.hierarchy.words import write_count
from hiermeasures.measures import CATALOGUE, Instance, explain
from hiermeasures.measures.registry import SAME, Same
from hiermeasures.verify import printed
from hiermeasures.verify.case import edges_of, settings_of
from hiermeasures.verify.library import own_cases
from hiermeasures.verify.quantities import Formula
from hiermeasures.verify.reading import Fault
from hiermeasures.verify.values import DoesNotHold, Subject, check_words, parts, piece


def pictured(text: str) -> Subject:
    """Return the instances in a line such as `R>a R>b; T = {a}, P = {b} → {a}`.

    There are one, or two to compare.

    >>> [case.explained["f1"] for case in pictured("R>a R>b; T = {a}, P = {b} → {a}").cases]
    [0.0, 1.0]
    """
    first, arrow, second = text.partition(" → ")
    edges, true, predicted = _sides(first)
    found = [_instance(edges, true, predicted)]
    if arrow:
        after = _sides(second) if ";" in second else (edges, true, printed.nodes(second))
        found.append(_instance(*after))
    return Subject.of(found)


def _sides(text: str) -> tuple[str, frozenset[str], frozenset[str]]:
    """Read the edges, true and predicted classes of `R>a R>b; T = {a}, P = {b}`."""
    edges, _, rest = text.partition(";")
    claims = [Expression(part, claim=True) for part in split_arguments(rest)[0] if part]
    sides = {claim.text.partition("=")[0].strip(): claim.printed or "" for claim in claims}
    if sides.keys() != {"T", "P"}:
        raise InputError(
            f"{shown(text)} is not an instance. Write it as R>a R>b; T = {{a}}, P = {{b}}"
        )
    return edges, printed.nodes(sides["T"]), printed.nodes(sides["P"])


def _instance(edges: str, true: frozenset[str], predicted: frozenset[str]) -> Instance:
    return explain(Hierarchy.from_edges(edges_of(edges)), true, predicted).instance


def instances(text: str) -> Subject:
    """Return the instances that `{on …}` names.

    The text is the key of a case, two keys with `and` between them, or a line for `pictured`.
    Options can follow after a bar.

    >>> instances("kosmopoulos2015/figure-11a | dmax=3").explained[0]["GIE"]
    5.0
    """
    text, _, given = text.partition(" | ")
    subject = (
        pictured(text)
        if ";" in text
        else Subject(tuple(own_cases().case(key) for key in text.split(" and ")))
    )
    settings = _settings(given)
    return replace(
        subject, cases=tuple(replace(c, options={**c.options, **settings}) for c in subject.cases)
    )


@dataclass(frozen=True)
class SearchClaim:
    """A claim that something never happens.

    `question` finds a counterexample in trees, or in DAGs, of up to `size` classes with these
    `options`. The text has the arguments of `find`:

    - A condition is never true: `trees=6, one_label, SDL != TIE`. It can be about the values after
      an edit: `edit=add-ancestor, hF != hF_after`.
    - A measure is never worse or better after an edit: `edit=add, loses=hF` or `edit=add, gains=f1`.
    - Two measures never disagree about two predictions: `edit=predict, gains=hF, loses=TIE`.

    `leaves` allows only leaves as labels. Options have their usual form, `count_root=false`.

    The example counts instances with one class on each side. There are one tree of 2 classes, two
    of 3 and four of 4: 1 + 2 · 4 + 4 · 9.

    >>> SearchClaim.of("trees=4, one_label, SDL != TIE").run()
    '`SDL != TIE` in 0 of 45 instances, trees of up to 4 classes, one label'
    """

    text: str
    question: FindRequest
    trees: bool
    size: int
    options: Mapping[str, str]

    @classmethod
    def of(cls, text: str) -> "SearchClaim":
        given: dict[str, str] = {}
        for part in split_arguments(text)[0]:
            claim = Expression(part, claim=True)
            name = "condition" if claim.is_condition else claim.root.text
            if name in given:
                raise InputError(f"{shown(text)} has {shown(name)} twice. Write it once")
            given[name] = claim.printed or part
        sizes = {kind: given.pop(kind) for kind in ("trees", "dags") if kind in given}
        size = "".join(sizes.values())
        if len(sizes) != 1 or not size.isdecimal():
            raise InputError(
                f"{shown(text)} does not name the searched hierarchies. Add trees=6 or dags=4"
            )
        gains, loses = (tuple(filter(None, [given.pop(name, "")])) for name in ("gains", "loses"))
        question = FindRequest(
            given.pop("condition", None),
            edit=given.pop("edit", None),
            gains=gains,
            loses=loses,
            leaves_only=bool(given.pop("leaves", "")),
            single_label=bool(given.pop("one_label", "")),
        )
        settings_of(given)
        return cls(text, question, "trees" in sizes, int(size), given)

    @property
    def words(self) -> str:
        """The event that never happens, in words."""
        asked = self.question
        after = f" when {EDITS[asked.edit][0]}" if asked.edit else ""
        keys = [f"`{key}`" for key in (*asked.gains, *asked.loses)]
        if len(keys) > 1:
            return f"{' and '.join(keys)} disagree about two predictions"
        moves = [f"{keys[0]} is {'better' if asked.gains else 'worse'}"] if keys else []
        return (
            " and ".join([*moves, *([f"`{asked.condition}`"] if asked.condition else [])]) + after
        )

    @property
    def where(self) -> str:
        """The searched hierarchies, in words."""
        asked, kind = self.question, "trees" if self.trees else "DAGs"
        labels = [", one label"] * asked.single_label + [", leaves"] * asked.leaves_only
        options = [f", `{name}={value}`" for name, value in self.options.items()]
        return f"{kind} of up to {self.size} classes{''.join([*labels, *options])}"

    @property
    def in_words(self) -> str:
        """The claim without its search.

        >>> SearchClaim.of("trees=6, one_label, SDL != TIE").in_words
        '`SDL != TIE` nowhere on trees of up to 6 classes, one label'
        """
        return f"{self.words} nowhere on {self.where}"

    def at(self, *instance: Any) -> Counterexample | None:
        """Return the counterexample that an instance gives, or None.

        An instance is a world with true and predicted classes.
        """
        return example_at(self.question, *instance, **settings_of(self.options))

    def run(self, kernels: bool = True) -> str:
        """Search, try the known instances, and return the result in words.

        Raises
        ------
        DoesNotHold
            If there is a counterexample.
        """
        answer = find(
            self.question,
            trees=self.size if self.trees else 0,
            dags=0 if self.trees else self.size,
            kernels=kernels,
            **settings_of(self.options),
        )
        known = (self.at(*each) for each in known_instances() if each[0].is_tree or not self.trees)
        example = answer.example or next(filter(None, known), None)
        if example is not None:
            raise DoesNotHold(f"{shown(self.text)} is not true. A counterexample: {example}")
        what = "pairs of instances" if self.question.edit else "instances"
        return f"{self.words} in 0 of {answer.instances:,} {what}, {self.where}"


def _settings(text: str) -> dict[str, Any]:
    return settings_of(dict(part.split("=", 1) for part in text.split()))


_NOTHING = Subject(())


def computed(text: str, cell: Callable[[str], str] = lambda part: "") -> str:
    """Return a text with its parts in braces computed.

    `cell` can write a part itself. If it returns "", the part is computed.

    >>> computed("{on R>a R>b; T = {a}, P = {b}}: {TIE = 2}")
    '`R>a R>b; T = {a}, P = {b}`: 2'
    """
    faults: list[InputError] = []
    found, subject = [], _NOTHING
    for part, in_braces in parts(text, faults):
        if not in_braces:
            check_words(part, subject)
            found.append(part)
        elif part.startswith("on "):
            subject = instances(part.removeprefix("on "))
            found.append(f"`{part.removeprefix('on ')}`")
        elif written := cell(part):
            found.append(written)
        elif part.startswith("nowhere "):
            found.append(SearchClaim.of(part.removeprefix("nowhere ")).run())
        elif subject is _NOTHING:
            raise InputError(f"no instance is named before {shown(part)}. Write {{on …}} before it")
        else:
            found.append(piece(part, subject).text)
    if faults:
        raise faults[0]
    return "".join(found)


SOURCE = "claims.yaml"
KINDS: Mapping[str, str] = {
    "theorem": "It has a proof. We also search small hierarchies for a mistake in it.",
    "searched": "We found no counterexample up to this size. That is not a proof.",
    "example": "It says that something can happen. An instance shows it.",
    "definition": "It is a definition. An instance shows that we compute it like this.",
}
_ENTRIES = {"says", "kind", "because", "nowhere", "shown", "test"}


@dataclass(frozen=True)
class Claim:
    """A sentence with its evidence.

    `says` is in the documentation word by word. `kind` is the kind of evidence. `because` is the
    proof of a theorem. `nowhere` are searches that must not find an instance. `shown` are values on
    instances. `test` is a test that checks the claim if searches and values cannot.
    """

    says: str
    kind: str
    because: str = ""
    nowhere: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    test: str = ""

    @cached_property
    def searches(self) -> tuple[SearchClaim, ...]:
        return tuple(map(SearchClaim.of, self.nowhere))

    @property
    def known(self) -> str:
        """The kind of evidence: proved, searched to a size, or shown by an example."""
        if self.because:
            return "proved"
        return f"searched to {self.searches[0].size} classes" if self.searches else "example"

    @property
    def instance(self) -> str:
        return next(
            (
                part.removeprefix("on ")
                for part in reversed(self._computed)
                if part.startswith("on ")
            ),
            "",
        )

    @property
    def measure(self) -> str:
        """The first measure with a value in the claim, or ""."""
        read = (
            Formula.of(part, lesson=True)
            for part in self._computed
            if not part.startswith(("on ", "nowhere "))
        )
        names = (
            name
            for formula in read
            for asked in formula.quantities.values()
            for name in (asked.name, *asked.arguments)
        )
        return next((str(name) for name in names if name in CATALOGUE), "")

    @property
    def _computed(self) -> list[str]:
        return [part for text in self.shown for part, in_braces in parts(text, []) if in_braces]

    def evidence(
        self, search: Callable[[SearchClaim], str] = lambda search: search.run(kernels=False)
    ) -> Iterator[str]:
        """Yield the evidence in words. `search` turns a search into words.

        Raises
        ------
        InputError
            If the evidence does not support the claim.
        """
        yield from map(search, self.searches)
        yield from map(computed, self.shown)
        yield from ([f"`{self.test}`"] if self.test else [])


@dataclass(frozen=True)
class ClaimReport:
    claims: tuple[Claim, ...]
    broken: tuple[Fault, ...] = ()

    @property
    def exit_status(self) -> int:
        return int(bool(self.broken))

    def as_json(self) -> dict[str, int]:
        counts = {kind: sum(each.kind == kind for each in self.claims) for kind in KINDS}
        return {**counts, "broken": len(self.broken)}

    def as_text(self) -> str:
        """Return one line, such as `40 general sentences (20 theorem, …): all hold`."""
        kinds = ", ".join(f"{n} {kind}" for kind, n in self.as_json().items() if kind in KINDS)
        wrong = (
            write_count(len(self.broken), "does not hold", "do not hold")
            if self.broken
            else "all hold"
        )
        return f"{write_count(len(self.claims), 'general sentence')} ({kinds}): {wrong}"


def claims() -> tuple[Claim, ...]:
    """Return the claims of the documentation, and the claims about equal measures."""
    return (*map(claim, data_file(__package__, SOURCE)["claims"]), *map(_of_same, SAME))


def claim(entry: Mapping[str, Any]) -> Claim:
    """Read a claim. By default its kind follows from its evidence.

    It is a theorem with a proof, searched with a search, and otherwise an example.

    Raises
    ------
    InputError
        If an entry or the kind is unknown, or if the evidence is missing.
    """
    says = shown(str(entry.get("says")), 60)
    for name in entry.keys() - _ENTRIES:
        raise InputError(f"{says}: {unknown('entry', name, sorted(_ENTRIES))}")
    plainly = "theorem" if "because" in entry else "searched" if "nowhere" in entry else "example"
    found = Claim(
        **{
            "kind": plainly,
            **entry,
            **{name: _texts(entry.get(name, ())) for name in ("nowhere", "shown")},
        }
    )
    if found.kind not in KINDS:
        raise InputError(f"{says}: {unknown('kind of claim', found.kind, KINDS)}")
    if found.kind == "theorem" and not found.because:
        raise InputError(f"{says} is called a theorem but has no proof. Add the entry 'because'")
    if not (found.nowhere or found.test or found.shown) or (
        found.kind == "searched" and not found.nowhere
    ):
        raise InputError(
            f"{says} has no evidence for a claim of the kind {found.kind}. Add 'nowhere', 'shown' "
            "or 'test'"
        )
    return found


def _texts(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def verify_claims() -> ClaimReport:
    """Check the evidence of all claims."""
    checked, broken = claims(), []
    for each in checked:
        try:
            list(each.evidence())
        except InputError as error:
            broken.append(Fault(SOURCE, 1, f"{shown(each.says, 60)}: {error}"))
    return ClaimReport(checked, tuple(broken))


def _of_same(same: Same) -> Claim:
    kind = "trees=4" if same.trees else "dags=4" if same.one_label else "dags=3"
    one = ", one_label" * same.one_label
    return Claim(same.words, "theorem", same.because, (f"{kind}{one}, {same.refuted_by}",))
