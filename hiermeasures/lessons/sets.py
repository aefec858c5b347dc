"""The sets of classes that a question can ask for: what each is called, where it comes from, which
set something is that a person clicked instead, and which LCA graphs are as good as the one that is
drawn.

The sets are the quantities of the case files; what is said of one is read off its structure.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, islice, product

from hiermeasures.cases.case import Case
from hiermeasures.cases.quantities import Argument, Quantity, meeting, quantity, set_of
from hiermeasures.core.errors import InputError
from hiermeasures.lessons.values import classes_of
from hiermeasures.measures import Explanation, SideName
from hiermeasures.measures.catalogue import SIDES, Path, named, number
from hiermeasures.measures.lca_structure import BestMatch, LCAGraphs

MOST_OFFERED = 6  # classes of a side, of which sets of one class are offered
MOST_TRIED = 4_000  # sets of LCAs, ways of one connection, and pairs of graphs

Connection = tuple[SideName, str, str]  # a class of a side, and the LCA to which it is connected
_CELLS = {"TP": "true positives", "TN": "true negatives", "FP": "false positives", "FN": "false negatives"}
# What a click can have meant instead: the quantities of the case that take no class.
_OTHERS = (
    *(f"augmented({side})" for side in SIDES),
    *(f"tolerated({side})" for side in SIDES),
    *("G_t", "G_p"),
    "LCA_all(true, predicted)",
    "LCA_all(predicted, true)",
    *(f"cell({cell})" for cell in _CELLS),
)


def set_in_words(asked: Quantity) -> str:
    """Name of a set: `the augmented set of the true classes`."""
    of = [_argument(a) for a in asked.arguments]
    words = {
        "augmented": "the augmented set of {}",
        "tolerated": "the set of {} as H-loss compares it",
        "G_t": "the LCA graph of the true classes",
        "G_p": "the LCA graph of the predicted classes",
        "cell": "the {} of the hierarchical confusion matrix",
        "LCA": "the lowest common ancestors of {} and {}",
        "LCA_all": "the lowest common ancestors of each of {} with {}",
        "S_best": "the best matches of {} among {}",
    }.get(asked.name)
    return words.format(*of) if words else asked.text


def where_from(asked: Quantity, case: Case) -> str:
    """One sentence of where a set comes from."""
    say = _SENTENCES.get(asked.name)
    return say(case, *asked.arguments) if say else f"It is {named(classes_of(asked(case)))}."


def known_sets(cases: tuple[Case, ...], asked: Quantity) -> Iterator[tuple[str, frozenset[str]]]:
    """Sets that may have been clicked instead of the one asked for, likeliest first, with names."""
    case = cases[0]
    for side, classes in (("true", case.true), ("predicted", case.predicted)):
        yield f"the {side} {'class' if len(classes) == 1 else 'classes'}", classes
    if asked.name in ("LCA", "S_best"):
        for name in ("LCA", "S_best"):
            yield from _one(f"{name}({', '.join(map(_written, asked.arguments))})", case)
    for text in _OTHERS:
        yield from _one(text, case)
    x = case.explained
    yield "the true and the predicted classes together", case.true | case.predicted
    yield "what the true and the predicted classes share", case.true & case.predicted
    for side, added in (("true", x.augmented.true_added), ("predicted", x.augmented.predicted_added)):
        yield f"the classes above the {side} ones, without these", added
    yield "what the two augmented sets share", x.augmented.shared
    yield "the two augmented sets together", x.augmented.true | x.augmented.predicted
    for side, grown in (("true", x.descendants.true), ("predicted", x.descendants.predicted)):
        yield f"the {side} classes with all classes below", grown
    for side, graph in (("true", x.lca.extended.true), ("predicted", x.lca.extended.predicted)):
        yield f"the extended LCA graph of the {side} classes", frozenset(graph.nodes)
    if len(cases) > 1:
        for words, classes in known_sets(cases[1:], asked):
            yield f"{words}, of the other prediction", classes


def named_sets(case: Case) -> Iterator[tuple[str, str, frozenset[str]]]:
    """Sets that a question can ask for on a case, with the quantity and its name; none is empty."""
    both = ((side, other, sorted(getattr(case, side))[:MOST_OFFERED]) for side, other in (SIDES, SIDES[::-1]))
    of_one = [
        f"{name}({label}, {other})" for _, other, labels in both for label in labels for name in ("LCA", "S_best")
    ]
    for text in (*_OTHERS, *of_one):
        for words, classes in _one(text, case):
            if classes and all(label in case.hierarchy for label in classes):
                yield text, words, classes


def _one(text: str, case: Case) -> Iterator[tuple[str, frozenset[str]]]:
    try:
        asked = quantity(text)
        yield set_in_words(asked), classes_of(asked(case))
    except InputError:
        return


def _argument(argument: Argument) -> str:
    if isinstance(argument, frozenset):
        return named(argument)
    return f"the {argument} classes" if argument in SIDES else _CELLS.get(argument, argument)


def _written(argument: Argument) -> str:
    return argument if isinstance(argument, str) else "{" + ", ".join(sorted(argument)) + "}"


# --- where they come from -------------------------------------------------------------------------


def _augmented(case: Case, side: Argument) -> str:
    sets = case.explained.augmented
    added, classes = (getattr(sets, f"{side}_added"), getattr(case, str(side)))
    root = case.hierarchy.root
    left = f"; the root {root} is not counted" if classes and root not in getattr(sets, str(side)) else ""
    one = f"The {side} {'class' if len(classes) == 1 else 'classes'} {_is(classes)}"
    others = "class above" if len(added) == 1 else "classes above"
    below = "it" if len(classes) == 1 else "them"
    return f"{one} {named(classes)}; the {others} {below} {_is(added)} {named(added)}{left}."


def _is(classes: frozenset[str]) -> str:
    return "is" if len(classes) == 1 else "are"


def _tolerated(case: Case, side: Argument) -> str:
    sets = case.explained.h_loss
    removed, whole = getattr(sets, f"{side}_removed"), getattr(case.explained.augmented, str(side))
    if not removed:
        return f"The augmented set is {named(whole)}, and no error in it lies below another error."
    return (
        f"Of the augmented set {named(whole)}, {named(removed)} {_is(removed)} left out: an error above already counts."
    )


def _graph(side: str) -> Callable[..., str]:
    def say(case: Case) -> str:
        graphs = case.explained.lca
        if case.explained.options.graphs == "extended":
            ways = [way for w in graphs.ways if w.label in getattr(graphs, side) for way in w.paths]
        else:
            ways = [chosen.path for chosen in graphs.minimal.paths if chosen.side == side]
        met = [" – ".join(way) for way in dict.fromkeys(ways) if len(way) > 1]
        if not met:
            return f"It is the {side} classes alone: {named(getattr(graphs, side))}."
        return f"It holds the ways from the {side} classes up to where they meet the others: {', '.join(met[:6])}."

    return say


def _cell(case: Case, cell: Argument) -> str:
    x = case.explained
    paths = "; ".join(_against(c.predicted_path, c.true_path) for c in x.confusion.paths[:4])
    return x.derivation(f"HCM_{cell}").sentence + (f" Compared: {paths}." if paths else "")


def _against(predicted: tuple[str, ...], true: tuple[str, ...] | None) -> str:
    return f"{' > '.join(predicted)} with {' > '.join(true) if true else 'no path'}"


def _met(case: Case, label: Argument, others: Argument) -> str:
    matches = meeting(case, label, others).true_matches
    return _sentence([_match(matches[0])] if matches and matches[0].meetings else [])


def _every(case: Case, first: Argument, second: Argument) -> str:
    graphs = case.between(set_of(case, first), set_of(case, second)).lca
    return _sentence([_match(match) for match in graphs.true_matches[:6] if match.meetings])


def _sentence(parts: list[str]) -> str:
    text = "; ".join(parts) or "there is no class to meet"
    return f"{text[:1].upper() + text[1:] if text.startswith(('nearest', 'there')) else text}."


def _match(match: BestMatch) -> str:
    if match.best == {match.label}:
        return f"{match.label} is on the other side itself"
    return (
        f"nearest to {match.label} {_is(match.best)} {named(match.best)}, at distance {number(match.distance)}, "
        f"and they meet in {named(match.lcas)}"
    )


_SENTENCES: Mapping[str, Callable[..., str]] = {
    "augmented": _augmented,
    "tolerated": _tolerated,
    "G_t": _graph("true"),
    "G_p": _graph("predicted"),
    "cell": _cell,
    "LCA": _met,
    "S_best": _met,
    "LCA_all": _every,
}


# --- graphs as good as the one that is drawn ------------------------------------------------------


def minimal_graphs(x: Explanation, side: SideName) -> Iterator[frozenset[str]]:
    """Yield the classes of one side's graph in every minimal pair of graphs, that of the structure
    first.

    The pairs differ in their common ancestors and cheapest paths, and have the same F_LCA. Problem
    2 of Kosmopoulos et al. 2015 leaves such ties open, and whoever finds another of these graphs is
    right.

    >>> from hiermeasures import Hierarchy, explain
    >>> h = Hierarchy.from_edges([("R", "A"), ("R", "B"), *((c, x) for c in "AB" for x in "tp")])
    >>> [sorted(graph) for graph in minimal_graphs(explain(h, {"t"}, {"p"}), "true")]
    [['A', 't'], ['B', 't']]
    """
    graphs = x.lca
    own = frozenset(getattr(graphs.minimal, side).nodes)
    yield own
    if x.options.graphs == "extended" or not graphs.minimal.optimal or not graphs.ranking:
        return
    found = {own}
    best = [frozenset(getattr(graphs.minimal, s).nodes) for s in SIDES]
    for pair in islice(_pairs(x, graphs), MOST_TRIED):
        graph = pair[SIDES.index(side)]
        if graph not in found and _share(x, pair) == _share(x, best):
            found.add(graph)
            yield graph


def _share(x: Explanation, pair: Sequence[frozenset[str]]) -> Fraction:
    """Half of the F_LCA of two graphs, to tell whether they are as good as others."""
    true, predicted = (graph - x.instance.uncounted for graph in pair)
    return Fraction(len(true & predicted), max(len(true) + len(predicted), 1))


def _pairs(x: Explanation, graphs: LCAGraphs) -> Iterator[tuple[frozenset[str], ...]]:
    """The two graphs of every choice: fewest LCAs, and one cheapest path for each connection."""
    lcas = [ranked.label for ranked in graphs.ranking]
    for chosen in islice(combinations(lcas, len(graphs.minimal.lcas)), MOST_TRIED):
        every = (*graphs.true_matches, *graphs.predicted_matches)
        if not all(match.lcas & set(chosen) for match in every):
            continue
        for connections in product(*(ways for a in chosen for s in SIDES for ways in _connections(graphs, s, a))):
            for ways in product(*([(s, way) for way in _ways(x, c, a)] for s, c, a in connections)):
                yield tuple(getattr(graphs, side).union(*(way for s, way in ways if s == side)) for side in SIDES)


def _connections(graphs: LCAGraphs, side: SideName, lca: str) -> list[list[Connection]]:
    """Classes of a side connected with an LCA: its own, else one that others meet there."""
    own, others = graphs.true_matches, graphs.predicted_matches
    if side == "predicted":
        own, others = others, own
    if labels := [match.label for match in own if lca in match.lcas]:
        return [[(side, label, lca)] for label in labels]
    met = {meeting.partner for match in others for meeting in match.meetings if lca in meeting.lcas}
    return [[(side, label, lca) for label in sorted(met)]]


def _ways(x: Explanation, label: str, lca: str) -> list[Path]:
    return list(islice(x.hierarchy.shortest_upward_paths(label, lca), MOST_TRIED))
