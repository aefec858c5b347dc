"""The protocols of docs/protocols.md, and the smallest data that show the difference of two.

The search goes once over small trees with instances, the smallest first. For each pair of
conventions it notes the first data with different numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, combinations_with_replacement, product
from string import ascii_uppercase as LETTERS

from hiermeasures.debug.worlds import trees
from hiermeasures.draw.text import as_text
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.measures import explain
from hiermeasures.verify.forensics import Convention, Protocol, protocols
from hiermeasures.verify.forensics.grid import measures
from hiermeasures.verify.forensics.search import values_of

LARGEST, MOST = 10, 3  # classes, instances and labels together, and instances
UNKNOWN = "?"  # a label that is not a class
Side = tuple[str, ...]
Pair = frozenset[Convention]

_MATRIX = """Right of the diagonal you find the smallest data that show a difference between two conventions. Left of it
are the smallest such data whose sides contain all ancestors of their classes, because some programs need such labels."""

_LETTERS = "[Which conventions differ](#which-differ) explains the letters."


@dataclass(frozen=True)
class Data:
    """Instances on a small hierarchy: true and predicted labels."""

    hierarchy: Hierarchy
    rows: tuple[tuple[Side, Side], ...]

    @property
    def order(self) -> tuple[bool, int, int, int]:
        """The sort key: the smallest first.

        Data with an empty side or a label that is not a class come last.
        """
        sides = list(chain(*self.rows))
        size = len(self.hierarchy) + len(self.rows) + sum(map(len, sides))
        odd = any(not side or UNKNOWN in side for side in sides)
        return odd, size, len(self.hierarchy), len(self.rows)

    @property
    def is_closed(self) -> bool:
        """True if each side contains all ancestors of its classes, apart from the root."""
        h = self.hierarchy
        return all(
            h.ancestors(c) <= {h.root, *side} for side in chain(*self.rows) for c in side if c in h
        )

    def values(self, conventions: Sequence[Convention]) -> list[float]:
        true, predicted = zip(*self.rows, strict=True)
        return values_of(self.hierarchy, true, predicted, conventions)

    @property
    def text(self) -> str:
        """The tree and the instances in one line."""
        h = self.hierarchy
        leaves = (c for c in h.nodes if not h.children(c))
        paths = (" > ".join(sorted({c, *h.ancestors(c)}, key=h.level)) for c in leaves)
        rows = (" predicted ".join(f"{{{', '.join(side)}}}" for side in row) for row in self.rows)
        return f"`{'; '.join(paths)}` true {'; true '.join(rows)}"

    def pictures(self) -> str:
        """An image of each instance, without labels that are not classes."""
        known = (({c for c in side if c in self.hierarchy} for side in row) for row in self.rows)
        return " ".join(explain(self.hierarchy, *row).drawing("classes").html for row in known)


def candidates(largest: int = LARGEST) -> list[Data]:
    """Return all data to search, the smallest first."""

    def made() -> Iterator[Data]:
        for classes, instances in product(range(2, largest), range(1, MOST + 1)):
            room = largest - classes - instances
            for world in trees(classes) if room >= 0 else ():
                names = (*world.labels, UNKNOWN)
                sides = [side for k in range(room + 1) for side in combinations(names, k)]
                rows = [
                    (t, p)
                    for t, p in product(sides, sides)
                    if UNKNOWN not in t and len(t) + len(p) <= room
                ]
                for chosen in combinations_with_replacement(rows, instances):
                    if sum(map(len, chain(*chosen))) <= room:
                        yield Data(world.hierarchy, chosen)

    return sorted(made(), key=lambda data: data.order)


def cannot_differ(a: Convention, b: Convention, *, is_plain: bool, is_closed: bool) -> bool:
    """Return whether the different choices of two conventions cannot matter for such data.

    Adding ancestors does not matter if both sides contain them. Rules for unknown labels and for
    0/0 do not matter if every label is a class and every side has one.
    """

    def left(c: Convention) -> tuple[str, dict[str, str]]:
        chosen = dict(c.choices)
        if is_closed and (chosen.get("root"), chosen.get("duplicates")) == ("out", "set"):
            chosen["ancestors"] = ""
        if is_plain and chosen.get("average") == "samples" and chosen["levels"] == "pooled":
            chosen["empty"] = ""
        return c.measure, chosen | ({"unknown": ""} if is_plain and "unknown" in chosen else {})

    return left(a) == left(b)


def _far(a: float, b: float) -> bool:
    return abs(a - b) > 1e-9  # false if one of them is nan


def searched(
    pairs: Iterable[Pair], among: Iterable[Data]
) -> tuple[dict[Pair, Data], dict[Pair, Data]]:
    """Return the first data that show the difference of each pair, and for F1 the first closed ones."""
    first: dict[Pair, Data] = {}
    closed: dict[Pair, Data] = {}
    every = {pair for pair in pairs if len(pair) == 2}
    of_f1 = {pair for pair in every if {c.measure for c in pair} == {"F"}}
    on_paths = {pair for pair in of_f1 if not cannot_differ(*pair, is_plain=False, is_closed=True)}
    same = {
        (plain, full): {
            pair for pair in every if cannot_differ(*pair, is_plain=plain, is_closed=full)
        }
        for plain, full in product((True, False), repeat=2)
    }
    for data in among:
        for found, left in [(first, every), (closed, on_paths)][: 1 + data.is_closed]:
            if asked := left - same[not data.order[0], data.is_closed]:
                needed = list(set().union(*asked))
                values = dict(zip(needed, data.values(needed), strict=True))
                told = {pair for pair in asked if _far(*(values[c] for c in pair))}
                found |= dict.fromkeys(told, data)
                left -= told
    return first, closed


def main_number(each: Protocol) -> Convention | None:
    """Return the first F1 of a protocol, or its first number if it has no F1."""
    numbers = list(each.numbers.values())
    return next((c for c in numbers if c.measure == "F"), next(iter(numbers), None))


class _Page:
    """The search for every pair of the page, and the parts of the page."""

    def __init__(self) -> None:
        self.all, ours = list(protocols().values()), Convention.of("F")
        numbers = [c for each in self.all for c in each.numbers.values()]
        of_f1 = dict.fromkeys([ours, *(c for c in numbers if c.measure == "F")])
        self.letters = dict(zip(of_f1, LETTERS, strict=False))
        pairs = [(c, Convention.of(c.measure)) for c in numbers]
        self.first, self.closed = searched(
            map(frozenset, [*pairs, *combinations(self.letters, 2)]), candidates()
        )
        data = sorted(
            {*self.first.values(), *self.closed.values()}, key=lambda d: (d.order, d.text)
        )
        self.number = {each: k for k, each in enumerate(data, 1)}

    def cell(self, a: Convention, b: Convention, on_paths: bool = False) -> str:
        if a == b or (on_paths and cannot_differ(a, b, is_plain=False, is_closed=True)):
            return "="
        data = (self.closed if on_paths else self.first).get(frozenset((a, b)))
        return f"[{self.number[data]}](#data-{self.number[data]})" if data else "·"

    def matrix(self, title: str, conventions: Iterable[Convention]) -> list[str]:
        asked = set(conventions)
        shown = [c for c in self.letters if c in asked]
        heads = [f"**{self.letters[c]}**" for c in shown]
        lines = [f"| {title} | {' | '.join(heads)} |", "|---" * (len(shown) + 1) + "|"]
        for k, a in enumerate(shown):
            cells = [self.cell(a, b, on_paths=m < k) if m != k else "" for m, b in enumerate(shown)]
            lines.append(f"| {heads[k]} | {' | '.join(cells)} |")
        return [*lines, ""] if len(shown) > 1 else []

    def conventions(self) -> list[str]:
        lines = [
            "## Which conventions differ { #which-differ }",
            "",
            "| | F1 | used by |",
            "|---|---|---|",
        ]
        for c, letter in self.letters.items():
            of = [
                f"[{p.title}](#{p.key}) `{name}`"
                for p in self.all
                for name, own in p.numbers.items()
                if own == c
            ]
            lines.append(
                f"| {letter} | {c.sentence()} | {'; '.join(['ours'] * (not c.departures) + of)} |"
            )
        mains = [Convention.of("F"), *(c for each in self.all if (c := main_number(each)))]
        return [*lines, "", _MATRIX, "", *self.matrix("main numbers", mains)]

    def field(self, title: str) -> list[str]:
        members = [each for each in self.all if each.field == title]
        matrix = self.matrix("F1", (c for each in members for c in each.numbers.values()))
        said = [_LETTERS, ""] if matrix else []
        return [
            f"## {title[:1].upper()}{title[1:]}",
            "",
            *said,
            *matrix,
            *chain(*map(self.section, members)),
        ]

    def section(self, each: Protocol) -> list[str]:
        lines = [f"### {each.title} {{ #{each.key} }}", "", f"`{each.key}`, of {each.source}.", ""]
        lines += [f"*Read:* {each.read}.", "", f"*Note:* {each.note}", ""]
        lines += (
            ["| number | meaning | compared with ours |", "|---|---|---|"] if each.numbers else []
        )
        pictured: list[str] = []
        for name, c in each.numbers.items():
            ours, told = Convention.of(c.measure), self.cell(c, Convention.of(c.measure))
            if data := self.first.get(frozenset((c, ours))):
                theirs, usual = map(as_text, data.values([c, ours]))
                told += f": {theirs}, ours {usual}"
                if c == main_number(each):
                    pictured = [
                        f"`{name}` is {theirs} and ours {usual} on {data.text}:",
                        "",
                        data.pictures(),
                        "",
                    ]
            lines.append(f"| `{name}` | {measures()[c.measure]['name']}; {c.sentence()} | {told} |")
        return [*lines, "", *pictured]

    def data(self) -> list[str]:
        lines = ["## The smallest data", "", "| | size | data | F1 |", "|---|---|---|---|"]
        for data, k in self.number.items():
            by_value: dict[str, str] = {}
            for letter, value in zip(
                self.letters.values(), data.values(list(self.letters)), strict=True
            ):
                by_value[as_text(value)] = by_value.get(as_text(value), "") + f" {letter}"
            values = "; ".join(f"{value}{letters}" for value, letters in by_value.items())
            lines.append(f'| <a id="data-{k}"></a>{k} | {data.order[1]} | {data.text} | {values} |')
        return lines


def compare_protocols() -> str:
    """Search now and return the tables of the page."""
    page = _Page()
    fields = chain(*(page.field(title) for title in dict.fromkeys(each.field for each in page.all)))
    return "\n".join([*page.conventions(), *fields, *page.data()])
