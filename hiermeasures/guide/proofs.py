"""Evidence for a claim: a search, an instance. What a search does not find is tried on known
instances too.

What stands in braces is computed: an expression as in a lesson (hiermeasures.lessons.values), on the
instance that the last `{on …}` named, or a search, `{nowhere on …}`. A number that is typed in is
refused.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hiermeasures.behaviour.find import Question, example_at, find
from hiermeasures.behaviour.sampling import known_instances
from hiermeasures.behaviour.search import Counterexample
from hiermeasures.cases.case import edges_of, settings_of
from hiermeasures.cases.library import own_cases
from hiermeasures.core.errors import InputError, shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.lessons.values import DoesNotHold, Subject, check_words, parts, piece
from hiermeasures.measures import Instance, explain

_PICTURE = re.compile(r"(?P<edges>[^;{}]+); T = \{(?P<true>[^{}]*)\}, P = \{(?P<predicted>[^{}]*)\}")
_SEARCH = re.compile(
    r"(?P<kind>trees|DAGs) of (?P<size>\d)(?P<one>, one label)?(?P<leaves>, leaves)?"
    r"(?: \| (?P<options>[^:]+))?: (?P<what>.+)"
)
_AGAINST = re.compile(r"(\w+) against (\w+)")
_MOVES = re.compile(r"(\w+) (gains|loses) by ([\w-]+)")
_AFTER = re.compile(r"(.+_after.*) by ([\w-]+)")


def pictured(text: str) -> Subject:
    """The instances of a line such as `R>a R>b; T = {a}, P = {b} → {a}`: one, or two to compare.

    >>> [case.explained["f1"] for case in pictured("R>a R>b; T = {a}, P = {b} → {a}").cases]
    [0.0, 1.0]
    """
    first, arrow, second = text.partition(" → ")
    before = _PICTURE.fullmatch(first)
    if not before:
        raise InputError(f"{shown(text)} is no instance; one is written R>a R>b; T = {{a}}, P = {{b}}")
    found = [_instance(**before.groupdict())]
    if arrow:
        after = _PICTURE.fullmatch(second)
        found.append(
            _instance(**after.groupdict()) if after else _instance(before["edges"], before["true"], second.strip("{}"))
        )
    return Subject.of(found)


def _instance(edges: str, true: str, predicted: str) -> Instance:
    h = Hierarchy.from_edges(edges_of(edges))
    sides = [[name for name in side.split(", ") if name] for side in (true, predicted)]
    return explain(h, *sides).instance


def instances(text: str) -> Subject:
    """Instances that `{on …}` names: a case by its key, two with `and` between, or a picture;
    options may follow after a bar.

    >>> instances("kosmopoulos2015/figure-11a | dmax=3").explained[0]["GIE"]
    5.0
    """
    text, _, given = text.partition(" | ")
    subject = pictured(text) if ";" in text else Subject(tuple(own_cases().case(key) for key in text.split(" and ")))
    settings = _settings(given)
    return replace(subject, cases=tuple(replace(c, options={**c.options, **settings}) for c in subject.cases))


@dataclass(frozen=True)
class Search:
    """A claim that something is so on no instance: `question` finds what would refute it in trees,
    or in DAGs, of up to `size` classes with these options. `words` is what does not happen.
    """

    text: str
    question: Question
    words: str
    trees: bool
    size: int
    options: str

    @classmethod
    def of(cls, text: str) -> "Search":
        """Read a search such as `trees of 6, one label: SDL != TIE`."""
        match = _SEARCH.fullmatch(text)
        if not match:
            raise InputError(f"{shown(text)} is no search; one is written trees of 6, one label: SDL != TIE")
        question, words = _question(match["what"], bool(match["one"]), bool(match["leaves"]))
        trees, size, options = match["kind"] == "trees", int(match["size"]), match["options"] or ""
        return cls(text, question, words, trees=trees, size=size, options=options)

    @property
    def in_words(self) -> str:
        """The claim without its search.

        >>> Search.of("trees of 6, one label: SDL != TIE").in_words
        '`SDL != TIE` nowhere on trees of up to 6 classes, one label'
        """
        where, _, what = self.text.partition(": ")
        where = re.sub(r" of (\d)", r" of up to \1 classes", where).replace(" | ", ", ")
        return f"`{what}` nowhere on {where}"

    def at(self, *instance: Any) -> Counterexample | None:
        """Return how an instance (a world, true and predicted classes) refutes the claim; None
        where it does not.
        """
        return example_at(self.question, *instance, **_settings(self.options))

    def run(self, kernels: bool = True) -> str:
        """Search, and try the known instances; return in words with how many instances were looked
        at. `kernels` is as for `find`.

        Raises
        ------
        DoesNotHold
            Where an instance is found.
        """
        answer = find(
            self.question,
            trees=self.size if self.trees else 0,
            dags=0 if self.trees else self.size,
            kernels=kernels,
            **_settings(self.options),
        )
        known = (self.at(*each) for each in known_instances() if each[0].is_tree or not self.trees)
        example = answer.example or next(filter(None, known), None)
        if example is not None:
            raise DoesNotHold(f"{shown(self.text)} does not hold on {example}")
        what = "pairs of instances" if self.question.edit else "instances"
        kind, options = "trees" if self.trees else "DAGs", f", `{self.options}`" if self.options else ""
        return f"{self.words} in 0 of {answer.instances:,} {what}, {kind} up to {self.size} classes{options}"


def searched(text: str) -> str:
    """Search for `trees of 6, one label: SDL != TIE` now, and on the known instances: nowhere does
    it hold, do two measures disagree about two predictions (`hF against TIE`), or is a measure
    worse or better after an edit (`hF loses by add-true`, `hF gains by add`), or a condition hold
    of it (`hF != hF_after by add-ancestor`). In words, with how many instances were looked at. `,
    leaves` after the size asks for labels that are leaves; options follow a bar.

    Raises
    ------
    DoesNotHold
        Where an instance is found.

    Examples
    --------
    One class for each side, in a tree of 2, two of 3 and four of 4 classes: 1 + 2 · 4 + 4 · 9.

    >>> searched("trees of 4, one label: SDL != TIE")
    '`SDL != TIE` in 0 of 45 instances, trees up to 4 classes'
    """
    return Search.of(text).run()


def _question(what: str, one: bool, leaves: bool) -> tuple[Question, str]:
    if match := _AGAINST.fullmatch(what):
        asked = Question(edit="predict", gains=(match[1],), loses=(match[2],))
        claim = f"`{match[1]}` and `{match[2]}` disagree about two predictions"
    elif match := _MOVES.fullmatch(what):
        key, gains = match[1], match[2] == "gains"
        asked = Question(edit=match[3], gains=(key,) * gains, loses=(key,) * (not gains))
        claim = f"`{key}` is {'better' if gains else 'worse'}"
    elif match := _AFTER.fullmatch(what):
        asked, claim = Question(match[1], edit=match[2]), f"`{match[1]}`"
    else:
        asked, claim = Question(what), f"`{what}`"
    return replace(asked, single_label=one, leaves_only=leaves), claim


def _settings(text: str) -> dict[str, Any]:
    return settings_of(dict(part.split("=", 1) for part in text.split()))


_NOTHING = Subject(())


def computed(text: str, cell: Callable[[str], str] = lambda part: "") -> str:
    """Return a text with what stands in braces computed. `cell` writes what is in braces in a way
    of its own, or "".

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
        elif part.startswith("nowhere on "):
            found.append(searched(part.removeprefix("nowhere on ")))
        elif subject is _NOTHING:
            raise InputError(f"no instance is named before {shown(part)}")
        else:
            found.append(piece(part, subject).text)
    if faults:
        raise faults[0]
    return "".join(found)
