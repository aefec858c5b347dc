"""Why a value changed: one sentence about what changed in the structure that it is read off, made from the structures
before and after.

One function for each kind of structure, which says only what the structures show; a structure of which nothing more is
known is compared by the numbers that are kept of it.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from hiermeasures.behaviour.what_if import Word, change
from hiermeasures.hierarchy import Hierarchy
from hiermeasures.measures import Derivation, Explanation, Measure
from hiermeasures.measures.catalogue import Structure, counted, named, number
from hiermeasures.measures.confusion import HierarchicalConfusion
from hiermeasures.measures.counts import CountsTable
from hiermeasures.measures.lca import compared_graphs
from hiermeasures.measures.lca_structure import LCAGraphs
from hiermeasures.measures.pairs import Pair, PairingNetwork
from hiermeasures.measures.sets import SetOverlap
from hiermeasures.measures.shortest_path import ShortestPaths
from hiermeasures.options import Options

MOST_NAMED = 4  # classes, pairs or paths of a kind; the others are counted
NOTHING = "nothing that it is read off has changed"
NEITHER = "in neither set"


@dataclass(frozen=True)
class Why:
    """How two values of a measure came about, how they differ, and what changed in between."""

    before: Derivation
    after: Derivation
    values: tuple[float, float]
    word: Word
    sentence: str


def why(measure: Measure, before: Explanation, after: Explanation) -> Why:
    """What changed in the structure of a measure between two instances.

    Examples
    --------
    Figure 11(a) of Kosmopoulos et al. 2015, where C is predicted, too:

    >>> from hiermeasures import Hierarchy, explain
    >>> from hiermeasures.measures import CATALOGUE
    >>> h = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])
    >>> found = why(CATALOGUE["F_LCA"], explain(h, {"T1"}, {"P1", "P2"}), explain(h, {"T1"}, {"P1", "P2", "C"}))
    >>> found.word, found.sentence
    ('better', 'C meets T1 in A, so A joins both graphs; only predicted now: C.')
    """
    parts: list[str] = []
    for structure, options in measure.reads(after.options).values():
        built = [x.built(structure) for x in (before, after)]
        say = _sayer(built[0]) if _same_names(before.hierarchy, after.hierarchy) else None
        found = say(built[0], built[1], options) if say else []
        parts += found or _by_numbers(structure, built, options)
    sentence = _sentence(list(dict.fromkeys(parts)) or [NOTHING], after.hierarchy.nodes)
    values = before.value(measure), after.value(measure)
    return Why(before.derive(measure), after.derive(measure), values, change(measure, *values).word, sentence)


def _sentence(parts: list[str], labels: Iterable[str]) -> str:
    """The parts as one sentence; a class with which it begins keeps its small letter."""
    text = "; ".join(parts)
    begins = any(text.startswith((f"{label} ", f"{label}, ")) for label in labels)
    return f"{text if begins else text[:1].upper() + text[1:]}."


def _same_names(before: Hierarchy, after: Hierarchy) -> bool:
    """Whether a name means the same class in both: one hierarchy is the other, or a part of it."""
    edges = [set(h.edges) for h in (before, after)]
    return edges[0] <= edges[1] or edges[1] <= edges[0]


# --- sets ---------------------------------------------------------------------------------------------------------


def _sets(before: SetOverlap, after: SetOverlap, options: Options) -> list[str]:
    """Which classes went from one part of the two sets to another."""
    was, now = ({c: part.place for part in sets.parts for c in part.classes} for sets in (before, after))
    moved: dict[tuple[str, str], list[str]] = {}
    for c in was.keys() | now.keys():
        place = now.get(c, NEITHER), was.get(c, NEITHER)
        if place[0] != place[1]:
            moved.setdefault(place, []).append(c)
    order = [*(part.place for part in after.parts), NEITHER]
    parts = []
    for place, classes in sorted(moved.items(), key=lambda move: [order.index(part) for part in move[0]]):
        verb, past = ("is", "was") if len(classes) == 1 else ("are", "were")
        parts.append(f"{named(classes, MOST_NAMED)} {verb} now {place[0]} and {past} {place[1]}")
    return parts


# --- LCA graphs ---------------------------------------------------------------------------------------------------


def _lca(before: LCAGraphs, after: LCAGraphs, options: Options) -> list[str]:
    """Which lowest common ancestors came and went, and what the graphs share since."""
    was, now = _lcas(before, options), _lcas(after, options)
    overlaps = [compared_graphs(g, options).overlap for g in (before, after)]
    new_shared = overlaps[1].shared - overlaps[0].shared
    lost = overlaps[0].shared - overlaps[1].shared
    parts: list[str] = []
    said: set[str] = set()
    for lca in sorted(now - was):
        meeting = _meeting(after, lca)
        if meeting:
            joined = new_shared if len(now - was) == 1 else new_shared & {lca}
            said |= joined
            parts.append(meeting + (f", so {_joins(joined)} both graphs" if joined else ""))
    for lca in sorted(was - now):
        without = lost if len(was - now) == 1 else lost & {lca}
        said |= without
        parts.append(
            f"{lca} is no longer a chosen common ancestor"
            + (f", so {named(without, MOST_NAMED)} {_leaves(without)} both graphs" if without else "")
        )
    if rest := new_shared - said:
        parts.append(f"now in both graphs: {named(rest, MOST_NAMED)}")
    if rest := lost - said:
        parts.append(f"no longer in both graphs: {named(rest, MOST_NAMED)}")
    for part, words in (("spurious", "predicted"), ("missed", "true")):
        old, new = getattr(overlaps[0], part), getattr(overlaps[1], part)
        for classes, when in ((new - old, f"only {words} now"), (old - new - new_shared, f"no longer only {words}")):
            if classes:
                parts.append(f"{when}: {named(classes, MOST_NAMED)}")
    return parts


def _lcas(graphs: LCAGraphs, options: Options) -> set[str]:
    """The lowest common ancestors in the graphs that are compared."""
    if options.graphs == "extended":
        return set(graphs.lca_true | graphs.lca_predicted)
    return set(graphs.minimal.lcas)


def _meeting(graphs: LCAGraphs, lca: str) -> str:
    """Which class meets which of the other side there; a class that is its own common ancestor is found again."""
    for match in (*graphs.predicted_matches, *graphs.true_matches):
        partners = [m.partner for m in match.meetings if lca in m.lcas]
        if partners == [match.label]:
            return f"{match.label} is true and predicted"
        if partners:
            return f"{match.label} meets {named(partners, MOST_NAMED)} in {lca}"
    return ""


def _joins(classes: Iterable[str]) -> str:
    chosen = sorted(classes)
    return f"{named(chosen, MOST_NAMED)} {'joins' if len(chosen) == 1 else 'join'}"


def _leaves(classes: Iterable[str]) -> str:
    return "leaves" if len(set(classes)) == 1 else "leave"


# --- pairs --------------------------------------------------------------------------------------------------------


def _pairing(before: PairingNetwork, after: PairingNetwork, options: Options) -> list[str]:
    """Which pairs came and went, and what they cost together."""
    for network, when in ((after, "now"), (before, "before")):
        if not network.feasible:
            return [f"{when} there is no pairing: {network.infeasible}"]
    was, now = Counter(before.pairs), Counter(after.pairs)
    gone, new = list((was - now).elements()), list((now - was).elements())
    parts = [
        f"{words}: {_listed([_pair(pair) for pair in pairs])}"
        for words, pairs in (("gone", gone), ("new", new))
        if pairs
    ]
    if parts:
        cost = [number(network.fnerror) for network in (before, after)]
        parts.append(
            f"all pairs together still cost {cost[1]}"
            if cost[0] == cost[1]
            else f"all pairs together cost {cost[1]} instead of {cost[0]}"
        )
    sizes = [len(set(n.predicted) | set(n.true)) for n in (before, after)]
    if sizes[0] != sizes[1]:
        parts.append(f"predicted and true are {counted(sizes[1], 'class', 'classes')} together instead of {sizes[0]}")
    if parts and not (before.unique and after.unique):
        parts.append("other pairs would cost as little")
    return parts


def _pair(pair: Pair) -> str:
    if pair.predicted is None or pair.true is None:
        return f"{pair.predicted or pair.true} with a default class ({number(pair.cost)})"
    partner = "itself" if pair.predicted == pair.true else pair.true
    return f"{pair.predicted} with {partner} ({number(pair.cost)})"


def _listed(texts: list[str]) -> str:
    rest = len(texts) - MOST_NAMED
    return ", ".join(texts[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


# --- paths, cells, counts -----------------------------------------------------------------------------------------


def _cells(before: HierarchicalConfusion, after: HierarchicalConfusion, options: Options) -> list[str]:
    """Which paths are compared, and how the four cells changed."""
    was, now = (Counter((c.predicted_path, c.true_path) for c in matrix.paths) for matrix in (before, after))
    parts = []
    for words, pairs in (("gone", was - now), ("new", now - was)):
        if pairs:
            shown = sorted(_against(p, t) for p, t in pairs.elements())
            parts.append(f"{words}: {_listed(shown)}")
    left = [Counter(matrix.unmatched) for matrix in (before, after)]
    for words, ways in (("left over now", left[1] - left[0]), ("no longer left over", left[0] - left[1])):
        if ways:
            parts.append(f"{words}: {_listed(sorted(path[-1] for path in ways))}")
    cells = [
        f"{cell.upper()} {getattr(before, cell)} → {getattr(after, cell)}"
        for cell in ("tp", "tn", "fp", "fn")
        if getattr(before, cell) != getattr(after, cell)
    ]
    return [*parts, ", ".join(cells)] if cells else parts


def _against(predicted: tuple[str, ...], true: tuple[str, ...] | None) -> str:
    return f"the path to {predicted[-1]} against {f'the one to {true[-1]}' if true else 'none'}"


def _counts(before: CountsTable, after: CountsTable, options: Options) -> list[str]:
    """Of which classes the counts changed."""
    was, now = ({c.label: (c.predicted, c.true) for c in table.classes} for table in (before, after))
    parts = []
    for side, words in enumerate(("predicted", "true")):
        changed: dict[tuple[int, int], list[str]] = {}
        for label in was.keys() | now.keys():
            counts = was.get(label, (0, 0))[side], now.get(label, (0, 0))[side]
            if counts[0] != counts[1]:
                changed.setdefault(counts, []).append(label)
        parts += [
            f"{named(labels, MOST_NAMED)} {'counts' if len(labels) == 1 else 'count'} {b} {words} instead of {a}"
            for (a, b), labels in sorted(changed.items())
        ]
    totals = [
        f"{words} {getattr(before, cell)} → {getattr(after, cell)}"
        for cell, words in (("tp", "matched"), ("fp", "too many"), ("fn", "too few"))
        if getattr(before, cell) != getattr(after, cell)
    ]
    return [*parts, ", ".join(totals)] if totals else parts


def _shortest(before: ShortestPaths, after: ShortestPaths, options: Options) -> list[str]:
    """Which distances are summed."""
    was, now = Counter(before.pairs), Counter(after.pairs)
    parts = [
        f"{words}: {_listed([f'{p.predicted} to {p.true} ({number(p.distance)})' for p in pairs.elements()])}"
        for words, pairs in (("no longer summed", was - now), ("summed now", now - was))
        if pairs
    ]
    dropped = [paths.true_dropped | paths.predicted_dropped for paths in (before, after)]
    if new := dropped[1] - dropped[0]:
        parts.append(f"left out now, being above another class of the same side: {named(new, MOST_NAMED)}")
    return parts


def _by_numbers(structure: Structure[Any], built: list[Any], options: Options) -> list[str]:
    """Which of the numbers that are kept of a structure are others."""
    rows = [structure.read(b, options)._asdict() for b in built]
    changed = [
        f"{name.replace('_', ' ')} {number(rows[0][name])} → {number(rows[1][name])}"
        for name in rows[0]
        if number(rows[0][name]) != number(rows[1][name])
    ]
    return [", ".join(changed)] if changed else []


Sayer = Callable[[Any, Any, Options], list[str]]
SENTENCES: dict[type, Sayer] = {
    SetOverlap: _sets,
    LCAGraphs: _lca,
    PairingNetwork: _pairing,
    HierarchicalConfusion: _cells,
    CountsTable: _counts,
    ShortestPaths: _shortest,
}


def _sayer(structure: Any) -> Sayer | None:
    """Who speaks of structures of this kind, or of one that it is a kind of."""
    return next((SENTENCES[kind] for kind in type(structure).__mro__ if kind in SENTENCES), None)
