"""Sentences about measures, each with how it is known, and the check of that.

The general ones are in claims.yaml, which says how an entry is written; those of which measures
coincide are made of the catalogue's (hiermeasures.measures.registry). `hiermeasures verify` checks all
of them. Those of the selector's rules are in rules.yaml.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hiermeasures.cases.reading import Fault
from hiermeasures.core.data_file import data_file
from hiermeasures.core.errors import InputError, shown, unknown
from hiermeasures.guide.proofs import Search, computed
from hiermeasures.lessons.values import parts
from hiermeasures.measures import CATALOGUE
from hiermeasures.measures.catalogue import counted
from hiermeasures.measures.registry import SAME, Same

SOURCE = "claims.yaml"
KINDS: Mapping[str, str] = {
    "theorem": "A proof stands beside it; small hierarchies are searched for a slip in it.",
    "searched": "Nothing was found up to the size that is named. That is no proof.",
    "example": "It says that something can happen; an instance shows it.",
    "definition": "It says what is counted; an instance shows that this is what is computed.",
}
_ENTRIES = {"says", "kind", "because", "nowhere", "shown", "test"}
_MEASURE = re.compile(rf"(?<![\w.])({'|'.join(sorted(CATALOGUE, key=len, reverse=True))})(?![\w.])")


@dataclass(frozen=True)
class Claim:
    """A sentence, or a part of it that is in the documentation word by word; how it is known; the
    proof of a theorem; what must not be found anywhere, what instances show, and which tests hold
    it where neither can say it.
    """

    says: str
    kind: str
    because: str = ""
    nowhere: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    test: str = ""

    @cached_property
    def searches(self) -> tuple[Search, ...]:
        return tuple(map(Search.of, self.nowhere))

    @property
    def known(self) -> str:
        """The kind of evidence: proved, searched to a size, or shown by an example."""
        if self.because:
            return "proved"
        return f"searched to {self.searches[0].size} classes" if self.searches else "example"

    @property
    def instance(self) -> str:
        """The instance that is named last; empty where none is."""
        return next((part.removeprefix("on ") for part in reversed(self._computed) if part.startswith("on ")), "")

    @property
    def measure(self) -> str:
        """The measure that is computed first; empty where none is."""
        found = _MEASURE.search(" ".join(part for part in self._computed if not part.startswith("on ")))
        return found[1] if found else ""

    @property
    def _computed(self) -> list[str]:
        return [part for text in self.shown for part, in_braces in parts(text, []) if in_braces]

    def evidence(self, search: Callable[[Search], str] = lambda search: search.run(kernels=False)) -> Iterator[str]:
        """Compute the evidence, in words; `search` makes those of a search.

        Raises
        ------
        InputError
            Where it cannot be read or does not hold.
        """
        yield from map(search, self.searches)
        yield from map(computed, self.shown)
        yield from ([f"`{self.test}`"] if self.test else [])


@dataclass(frozen=True)
class ClaimReport:
    """Claims that were checked, and what is not so."""

    claims: tuple[Claim, ...]
    broken: tuple[Fault, ...] = ()

    @property
    def exit_status(self) -> int:
        return int(bool(self.broken))

    def as_json(self) -> dict[str, int]:
        """`{"theorem", "searched", "example", "definition", "broken"}`, as counts."""
        counts = {kind: sum(each.kind == kind for each in self.claims) for kind in KINDS}
        return {**counts, "broken": len(self.broken)}

    def as_text(self) -> str:
        """One line: `40 sentences of the documentation (20 theorem, …): all hold`."""
        kinds = ", ".join(f"{n} {kind}" for kind, n in self.as_json().items() if kind in KINDS)
        wrong = counted(len(self.broken), "does not hold", "do not hold") if self.broken else "all hold"
        return f"{counted(len(self.claims), 'general sentence')} ({kinds}): {wrong}"


def claims() -> tuple[Claim, ...]:
    """Return the claims of the documentation: those that are written, and which measures coincide."""
    return (*map(claim, data_file(__package__, SOURCE)["claims"]), *map(_of_same, SAME))


def prose() -> Mapping[str, str]:
    """Return phrases that only look like general claims about measures, and their subjects."""
    return {entry["says"]: entry["about"] for entry in data_file(__package__, SOURCE)["prose"]}


def claim(entry: Mapping[str, Any]) -> Claim:
    """Read a claim. One without a kind is a theorem with a proof, else searched with a search, else
    an example.

    Raises
    ------
    InputError
        For an entry of no kind that there is, a theorem without a proof, a claim without evidence.
    """
    says = shown(str(entry.get("says")), 60)
    for name in entry.keys() - _ENTRIES:
        raise InputError(f"{says}: {unknown('entry', name, sorted(_ENTRIES))}")
    plainly = "theorem" if "because" in entry else "searched" if "nowhere" in entry else "example"
    found = Claim(**{"kind": plainly, **entry, **{name: _texts(entry.get(name, ())) for name in ("nowhere", "shown")}})
    if found.kind not in KINDS:
        raise InputError(f"{says}: {unknown('kind of claim', found.kind, KINDS)}")
    if found.kind == "theorem" and not found.because:
        raise InputError(f"{says} is called a theorem and has no proof")
    if not (found.nowhere or found.test or found.shown) or (found.kind == "searched" and not found.nowhere):
        raise InputError(f"{says} has no evidence for a claim that is {found.kind}")
    return found


def _texts(given: str | Iterable[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)


def verify_claims(given: Iterable[Claim] | None = None) -> ClaimReport:
    """Check the evidence of claims; by default of all."""
    checked = tuple(claims() if given is None else given)
    broken = []
    for each in checked:
        try:
            list(each.evidence())
        except InputError as error:
            broken.append(Fault(SOURCE, 1, f"{shown(each.says, 60)}: {error}"))
    return ClaimReport(checked, tuple(broken))


def _of_same(same: Same) -> Claim:
    kind = "trees of 4" if same.trees else "DAGs of 4" if same.one_label else "DAGs of 3"
    one = ", one label" * same.one_label
    return Claim(same.words, "theorem", same.because, (f"{kind}{one}: {same.refuted_by}",))
