"""Claims about a paper: what is disputed, in whose words and where, of which kind, and what it was
checked by.

A claim comes from an erratum, from a discrepancy of published cells or from a table of
correlations. Here they get the numbers by which they are cited; errata.py and the Cases page show
them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hiermeasures.cases.checked import CheckedCell
from hiermeasures.cases.format import EVERY_TEXT, ClaimEntry, ClaimKind
from hiermeasures.cases.library import Paper
from hiermeasures.core.errors import InputError, shown, unknown

KIND_WORDS: Mapping[ClaimKind, tuple[str, str]] = {
    "number": ("Wrong number", "Other numbers of the paper, or its own definitions, give another value."),
    "unreproduced": (
        "Number not reproduced",
        "It does not come out of what is printed beside it; what it was computed from is not printed.",
    ),
    "formula": ("Slip in a formula", "What the formula says is not what the paper does with it."),
    "text": ("Slip in the text", "What the sentence says is not what the paper shows; what is meant is not in doubt."),
    "ambiguity": ("Ambiguity", "Two readings are possible; said is which one the numbers follow."),
    "criticism": ("Criticism", "Nothing is misprinted: a judgement of the paper is disputed."),
    "code": ("Slip in the authors' code", "The paper is right here, and the code published with it is not."),
    "tool": ("Another value of a tool", "A program prints another value than is computed here; said is why."),
}


@dataclass(frozen=True)
class Claim:
    """One claim. `number` is what it is cited by; `quotation` and `places` are by the names of the
    paper's texts, or for all of them; `shown` are values of ours it rests on, `cells` the published
    cells it is about.
    """

    paper: str
    file: str
    where: str
    explanation: str
    kind: ClaimKind = "number"
    number: int | None = None
    quotation: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    considered: str = ""
    shown: tuple[str, ...] = ()
    cells: tuple[CheckedCell, ...] = ()
    withdrawn: bool = False
    small: bool = False

    @property
    def label(self) -> str:
        return f"{self.paper}-{self.number}"

    @property
    def kind_words(self) -> str:
        return "No longer claimed" if self.withdrawn else KIND_WORDS[self.kind][0]

    @property
    def checked(self) -> tuple[str, ...]:
        variants = (f"{cell.variant} gives {cell.variant_text}" for cell in self.cells if cell.variant)
        return tuple(dict.fromkeys((*variants, *self.shown)))

    def quotes(self) -> tuple[tuple[str, str], ...]:
        """Return the quotations, each with its place: `("… exchanged …", "Section 3.6")`."""
        if set(self.quotation) == {EVERY_TEXT}:
            places = [f"{place} ({text})" if text else place for text, place in self.places.items()]
            return ((self.quotation[EVERY_TEXT], ", ".join(places)),)
        everywhere = self.places.get(EVERY_TEXT, "")
        return tuple((quote, f"{self.places.get(text, everywhere)} ({text})") for text, quote in self.quotation.items())


def claim_of(entry: ClaimEntry, paper: Paper, file: str, where: str, explanation: str) -> Claim:
    """A claim as a case file makes it.

    Raises
    ------
    InputError
        For a quotation or a place in a text that paper.yaml does not name.
    """
    for text in (*entry.quotation, *entry.places):
        if text != EVERY_TEXT and text not in paper.texts:
            raise InputError(unknown("text of the paper", text, paper.texts))
    said = entry.model_dump(include={"kind", "quotation", "places", "considered", "small"})
    return Claim(paper.key, file, where, explanation, number=entry.label, **said)


def numbered(claims: Iterable[Claim], papers: Sequence[Paper]) -> tuple[Claim, ...]:
    """The claims of every paper by number, those given up among them. Entries of one number are one
    claim; what has no number gets the next ones.

    Raises
    ------
    InputError
        Where one number is given to two claims.
    """
    every = list(claims)
    found: list[Claim] = []
    for paper in papers:
        at: dict[int, Claim] = {
            number: Claim(paper.key, "", "", why, number=number, withdrawn=True)
            for number, why in paper.withdrawn.items()
        }
        own = [claim for claim in every if claim.paper == paper.key]
        for claim in own:
            if claim.number is None:
                continue
            before = at.setdefault(claim.number, claim)
            if before is not claim and before.explanation != claim.explanation:
                raise InputError(f"two claims have the number {shown(before.label)}")
            if before is not claim:
                at[claim.number] = replace(before, cells=before.cells + claim.cells, shown=before.shown + claim.shown)
        last = max(at, default=0)
        rest = [claim for claim in own if claim.number is None]
        found += [at[number] for number in sorted(at)]
        found += [replace(claim, number=last + k) for k, claim in enumerate(rest, 1)]
    return tuple(found)
