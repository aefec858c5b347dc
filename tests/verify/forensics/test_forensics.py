"""Which conventions give a printed number: held against plain Python, against `evaluate`, and held
out.
"""

from collections import Counter
from contextlib import suppress
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sklearn import metrics
from sklearn.preprocessing import MultiLabelBinarizer

from hiermeasures import Hierarchy, InputError
from hiermeasures.cli import main
from hiermeasures.evaluation.scores import ProbabilityTable
from hiermeasures.read import read_hierarchy
from hiermeasures.verify.forensics import Scores, caption, forensics, protocol
from hiermeasures.verify.forensics.changes import tried
from hiermeasures.verify.forensics.counts import pairs_of
from hiermeasures.verify.forensics.grid import Convention, axes, is_meant
from hiermeasures.verify.forensics.search import Printed, values_of
from tests.conftest import DATA

Rows = list[list[str]]
TREE = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1"), ("B", "P2")])


def drawn(
    rng: Random, n: int, *, dag: bool = False, odd: bool = True
) -> tuple[Hierarchy, Rows, list[Rows]]:
    """A hierarchy, true rows and three systems' rows, with unknown, double and empty ones."""
    edges = [(f"c{rng.randrange(k)}", f"c{k}") for k in range(1, 14)]
    edges += [(f"c{rng.randrange(k)}", f"c{k}") for k in range(3, 14) if dag and rng.random() < 0.3]
    h = Hierarchy.from_edges(dict.fromkeys(edges))
    names = h.nodes[1:]
    true = [[rng.choice(names) for _ in range(rng.choice((1, 1, 2, 3)))] for _ in range(n)]
    if not odd:
        true = [list(dict.fromkeys(row)) for row in true]

    def answered(right: float) -> Rows:
        rows = []
        for row in true:
            found = [
                c if rng.random() < right else rng.choice((*h.parents(c), *names)) for c in row
            ]
            found += [rng.choice(names)] if rng.random() < 0.3 else []
            if odd:
                found += found[:1] * (rng.random() < 0.1) + ["zz"] * (rng.random() < 0.1)
            found = [] if rng.random() < 0.05 else found
            rows.append(found if odd else list(dict.fromkeys(found)))
        return rows

    return h, true, [answered(right) for right in (0.4, 0.6, 0.8)]


# --- plain Python, convention by convention -----------------------------------------------------


def sides(
    h: Hierarchy, true: Rows, predicted: Rows, c: Convention
) -> list[tuple[Counter[str], Counter[str], int]]:
    """Counters of both sides and the hits, for every instance that is evaluated."""
    found = []
    for t, p in zip(true, predicted, strict=True):
        if c["denominator"] == "predicted" and not p:
            continue
        if c["unknown"] == "skip" and any(x not in h for x in (*t, *p)):
            continue
        known = (lambda x: x in h) if c["unknown"] == "drop" else (lambda x: True)
        both = [restricted(h, filter(known, row), c) for row in (t, p)]
        both = credited(h, *both, c)
        grow = {"both": (True, True), "truth": (True, False), "prediction": (False, True)}.get(
            c["ancestors"], (False,) * 2
        )
        for k in range(2):
            if grow[k]:
                both[k] = sum(
                    (Counter(dict.fromkeys(added(h, x, c) | {x}, n)) for x, n in both[k].items()),
                    Counter(),
                )
            both[k] = Counter(
                {
                    x: 1 if c["duplicates"] == "set" else n
                    for x, n in both[k].items()
                    if is_counted(h, x, c)
                }
            )
        hits = both[0] & both[1]
        if c["ancestors"] == "path":
            hits = Counter(
                {x: n for x, n in hits.items() if all(a in hits for a in above(h, x) - {h.root})}
            )
        found.append((both[0], both[1], hits))
    return found


def above(h: Hierarchy, label: str) -> frozenset[str]:
    return h.ancestors(label) if label in h else frozenset({h.root})


def nearest_tops(h: Hierarchy, label: str) -> set[str]:
    """The top classes at the start of the shortest ways from the root."""
    ways = [way for way in h.paths_from_root(label) if len(way) > 1]
    return {way[1] for way in ways if len(way) == min(map(len, ways))}


def added(h: Hierarchy, label: str, c: Convention) -> set[str]:
    if c["namespaces"] == "across" or label not in h:
        return set(above(h, label))
    return {
        a for a in above(h, label) if a == h.root or nearest_tops(h, a) & nearest_tops(h, label)
    }


def restricted(h: Hierarchy, row: Any, c: Convention) -> Counter[str]:
    found = Counter(row)
    if c["levels"] == "leaves":
        return Counter({x: n for x, n in found.items() if x not in h or x in h.leaves})
    if c["levels"] == "deepest":
        return Counter({x: n for x, n in found.items() if not any(x in above(h, y) for y in found)})
    return found


def credited(h: Hierarchy, t: Counter[str], p: Counter[str], c: Convention) -> list[Counter[str]]:
    def raised(own: Counter[str], other: Counter[str]) -> Counter[str]:
        ends = {x for x in other if x != h.root and not any(x in above(h, y) for y in other)}
        found: Counter[str] = Counter()
        for x, n in own.items():
            for into in (ends & above(h, x)) or {x}:
                found[into] += n
        return found

    return [
        raised(t, p) if c["too_general"] == "right" else t,
        raised(p, t) if c["too_specific"] == "right" else p,
    ]


def is_counted(h: Hierarchy, x: str, c: Convention) -> bool:
    out = {"in": frozenset(), "out": {h.root}, "tops_out": {h.root, *h.children(h.root)}}[c["root"]]
    return x not in out


def ratio(s: int, d: int, both_empty: bool, rule: str) -> float | None:
    if d:
        return s / d
    return {"zero": 0.0, "one": 1.0, "left_out": None, "agree": 1.0 if both_empty else 0.0}[rule]


def value(h: Hierarchy, true: Rows, predicted: Rows, c: Convention) -> float:
    rows = sides(h, true, predicted, c)
    if c.measure == "accuracy":
        return sum(t == p for t, p, _ in rows) / len(rows)
    sums = [tuple(sum(side.values()) for side in row) for row in rows]
    total = [sum((row[k] for row in rows), Counter()) for k in range(3)]
    if c["average"] == "micro":
        sums = [tuple(sum(column) for column in zip(*sums, strict=True))]
    elif c["average"] == "macro":
        occur = {"either": set(total[0]) | set(total[1]), "truth": set(total[0])}
        occur["hierarchy"] = {x for x in h.nodes if is_counted(h, x, c)} | occur["either"]
        sums = [tuple(column[x] for column in total) for x in occur[c["vocabulary"]]]
    elif c["average"] == "levels":
        depth = {x: len(max(h.paths_from_root(x), key=len)) - 1 for x in h.nodes}
        if c["depth"] == "shortest":
            depth = {x: len(min(h.paths_from_root(x), key=len)) - 1 for x in h.nodes}
        at = {level: [0, 0, 0] for level in {depth.get(x, 1) for column in total for x in column}}
        for k, column in enumerate(total):
            for x, n in column.items():
                at[depth.get(x, 1)][k] += n
        sums = [tuple(row) for row in at.values()]
    rule = dict(c.choices).get("empty", "zero")

    def mean(measure: str) -> float:
        parts = {
            "P": lambda t, p, s: (s, p),
            "R": lambda t, p, s: (s, t),
            "F": lambda t, p, s: (2 * s, t + p),
        }[measure]
        found = [ratio(*parts(t, p, s), not t and not p, rule) for t, p, s in sums]
        kept = [x for x in found if x is not None]
        return sum(kept) / len(kept)

    if c.measure != "F" or dict(c.choices).get("f_of") == "each":
        return mean(c.measure)
    p, r = mean("P"), mean("R")
    if c["rounding"] == "whole":
        p, r = (int(100 * x + 0.5 + 1e-9) / 100 for x in (p, r))
    return 2 * p * r / (p + r) if p + r else 0.0


def of(h: Hierarchy, true: Rows, predicted: Rows, measure: str | None) -> dict[Convention, float]:
    """Every convention of the grid with its value: 1 admits them all."""
    found = forensics(h, true, predicted, Printed("1", 0.5, 10.0), of=measure)  # type: ignore[arg-type]
    return {c: finding.values[0] for finding in found.consistent for c in finding.conventions}


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 6))]
)
def test_every_convention_is_what_plain_python_makes_of_it(seed: int) -> None:
    rng = Random(seed)
    h, true, systems = drawn(rng, 9, dag=bool(seed % 2))
    grid = of(h, true, systems[0], None)
    for convention in rng.sample(sorted(grid, key=lambda c: c.id), 150):
        if convention.measure != "distance":
            expected = value(h, true, systems[0], convention)
            assert grid[convention] == pytest.approx(expected, abs=1e-12), convention.id


def test_the_four_distances_of_leaves_that_are_not_equally_deep() -> None:
    # A>B>C>D>E and A>F>{G, H}: the tree is 4 deep. G and H meet in F, of height 1 and level 1; D
    # and G in A, of height 4 and level 0. E is right.
    h = Hierarchy.from_edges(["AB", "BC", "CD", "DE", "AF", "FG", "FH"])
    found = of(h, [["G"], ["D"], ["E"]], [["H"], ["G"], ["E"]], "distance")
    sums = {"edges": 2 + 5, "height": 1 + 4, "level": 3 + 4, "share": 1 / 4 + 1}
    for (way, total), (over, n) in product(sums.items(), [("all", 3), ("mistakes", 2)]):
        convention = Convention.of("distance", distance=way, over=over)
        assert found[convention] == pytest.approx(total / n), convention.id


@pytest.mark.parametrize("seed", range(3))
def test_no_missing_prediction_gives_a_distance_outside_of_the_bounds(seed: int) -> None:
    h = drawn(Random(seed), 1, dag=bool(seed % 2))[0]
    true, known = [["c9"], ["c5"], ["c3"]], [["c1"], ["c5"]]
    found = forensics(h, true, [*known, []], Printed("1", 0.5, 99.0), of="distance", missing=[2])  # type: ignore[arg-type]
    spans = {c: finding.spans[0] for finding in found.consistent for c in finding.conventions}
    assert len(spans) == 8
    for label in h.nodes:
        for convention, number in of(h, true, [*known, [label]], "distance").items():
            low, high = spans[convention]
            assert low - 1e-9 <= number <= high + 1e-9, (convention.id, label)


def some_convention(rng: Random) -> Convention:
    """A convention with every choice drawn."""
    while True:
        measure, average = rng.choice("PRF"), rng.choice([c.key for c in axes()["average"].choices])
        chosen = {"average": average} | {
            axis.key: rng.choice(axis.choices).key
            for axis in axes().values()
            if axis.key != "average" and axis.applies(measure, average)
        }
        if is_meant(chosen):
            return Convention.of(measure, **chosen)


@pytest.mark.slow
def test_a_number_under_a_random_convention_is_found_and_three_of_them_single_it_out() -> None:
    alone = 0
    for seed in range(200):
        rng = Random(seed)
        h, true, systems = drawn(rng, 40, dag=rng.random() < 0.5, odd=rng.random() < 0.2)
        convention = some_convention(rng)
        numbers = [f"{value(h, true, rows, convention):.3f}" for rows in systems]
        assert forensics(h, true, systems[0], numbers[0], of=convention.measure).covers(
            convention
        ), seed
        if seed < 50:
            three = (dict(zip("abc", each, strict=True)) for each in (systems, numbers))
            found = forensics(h, true, *three, of=convention.measure)
            assert found.covers(convention), seed
            alone += len(found.groups) == 1
    assert alone >= 40  # of 50


def test_a_number_is_found_and_the_answer_says_what_the_data_cannot_tell() -> None:
    # Without the root, B and T1 against B and P1, and C against C: two of three on both sides.
    found = forensics(TREE, [["T1"], ["C"]], [["P1"], ["C"]], "0.667", of="hF")
    first = found.consistent[0]
    assert first.convention.id == "F|average:micro"
    assert first.values == (pytest.approx(2 / 3),)
    assert "duplicates" in first.undetermined
    assert "consistent with" in found.as_text()
    assert " is " not in found.as_text().splitlines()[1]


def test_ancestors_in_another_namespace_are_a_choice_where_a_class_has_some() -> None:
    # X is below A and, two steps down, below B: with ancestors of its nearest namespace alone, {A,
    # X} against {A}.
    h = Hierarchy.from_edges([("R", "A"), ("R", "B"), ("B", "C"), ("A", "X"), ("C", "X")])
    found = {
        c["namespaces"]: v
        for c, v in of(h, [["X"]], [["A"]], "R").items()
        if c.departures in ((), ("namespaces",))
    }
    assert found == {"across": 1 / 4, "within": 1 / 2}
    assert {c["namespaces"] for c in of(TREE, [["T1"]], [["B"]], "R")} == {"across"}


def test_where_none_fits_the_nearest_are_named_and_the_change_of_one_that_would_do() -> None:
    rows = [["T1"]] * 4
    found = forensics(TREE, rows, [*rows[:3], ["C"]], "1.00", of="accuracy")
    assert not found.consistent
    assert found.nearest[0].values == (0.75,)
    assert "one more instance right" in found.change


def changed_edges(h: Hierarchy) -> dict[str, list[tuple[str, str]]]:
    """The edges after every change of the family, by the change in words."""
    found, edges = {}, list(h.edges)
    for q, c in edges:
        rest = [edge for edge in edges if edge != (q, c)]
        if len(h.parents(c)) > 1:
            found[f"{c!r} is not below {q!r}"] = rest
        for g in h.parents(q):
            found[f"{c!r} is below {g!r} in place of {q!r}"] = list(dict.fromkeys([*rest, (g, c)]))
            for s in set(h.children(g)) - {c, *h.parents(c)}:
                if h.level(s) < h.level(c):
                    found[f"{c!r} is also below {s!r}"] = [*edges, (s, c)]
    return found


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 9))]
)
def test_a_changed_hierarchy_gives_what_plain_python_makes_of_the_changed_edges(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hiermeasures.verify.forensics.changes.SECONDS", 60.0)
    rng = Random(seed)
    h, true, systems = drawn(rng, 9, dag=bool(seed % 2))
    conventions = [some_convention(rng) for _ in range(6)] + [
        Convention.of("F", average="levels", root="tops_out")
    ]
    pairs = pairs_of(h, true, dict(zip("abc", systems, strict=True)))[""]
    found = {words: values for *_, words, values in tried(h, [(c, pairs) for c in conventions])}
    family = changed_edges(h)
    assert len(found) > len(family) / 2
    for words in rng.sample(sorted(found), min(len(found), 4 if seed == 0 else 10)):
        changed = Hierarchy.from_edges(family[words])
        for convention, values in zip(conventions, found[words], strict=True):
            for rows, number in zip(systems, values, strict=True):
                with suppress(ZeroDivisionError):
                    expected = value(changed, true, rows, convention)
                    assert number == pytest.approx(expected, abs=1e-12), (words, convention.id)


def test_where_none_fits_the_change_of_the_hierarchy_that_would_do_is_named() -> None:
    # With T1 also below C: {B, C, T1} against {B, P1} is 2/5, and C against itself 1; {B, C, T1}
    # against {B, P2} is 2/5, and C against B 0.
    both = {"a": [["P1"], ["C"]], "b": [["P2"], ["B"]]}
    told: list[tuple[int, int]] = []
    asked = {"a": "0.700", "b": "0.200"}
    found = forensics(
        TREE, [["T1"], ["C"]], both, asked, of="F", progress=lambda *at: told.append(at)
    )
    assert not found.consistent
    assert (
        found.hierarchy_change
        == "F gives 0.700, 0.200 with a hierarchy in which 'T1' is also below 'C'"
    )
    assert found.hierarchy_change in found.as_text()
    assert found.hierarchy_change in found.as_json()["changes"]
    assert [done for done, _ in told] == list(range(len(told)))
    # T1 below A, or P1 below A, is 3 edges from the other; C is right.
    far = forensics(TREE, [["T1"], ["C"]], [["P1"], ["C"]], "1.5", of="distance").hierarchy_change
    assert (
        far
        == "distance gives 1.5 with a hierarchy in which 'T1' is below 'A' in place of 'B' (one "
        "of 2 such changes)"
    )


def decided(h: Hierarchy, scores: list[dict[str, float]], true: Rows, decision: str) -> Rows:
    """The sets that a decision makes of scores."""
    rule, _, number = decision.partition("@")
    if rule in ("best", "best_grown"):
        candidates = sorted({s for row in scores for s in row.values()}, reverse=True)
        return max(
            (at_least(scores, t) for t in candidates), key=lambda rows: tuned(h, true, rows, rule)
        )
    if rule == "at_least":
        return at_least(scores, float(number))
    if rule == "above":
        return [[c for c, s in row.items() if s > float(number)] for row in scores]
    if rule == "top":
        return [
            [c for c, s in row.items() if s >= sorted(row.values())[-int(number)] and s > 0]
            for row in scores
        ]
    best = [
        {level: max(s for c, s in row.items() if h.level(c) == level) for level in (1, 2, 3)}
        for row in scores
    ]
    return [
        [c for c, s in row.items() if 0 < s == tops[h.level(c)]]
        for row, tops in zip(scores, best, strict=True)
    ]


def at_least(scores: list[dict[str, float]], t: float) -> Rows:
    return [[c for c, s in row.items() if s >= t and s > 0] for row in scores]


def tuned(h: Hierarchy, true: Rows, predicted: Rows, rule: str) -> float:
    sides = [[set(row) for row in rows] for rows in (true, predicted)]
    if rule == "best_grown":
        sides = [
            [{a for x in row for a in above(h, x) | {x}} - {h.root} for row in rows]
            for rows in sides
        ]
    hits = sum(len(t & p) for t, p in zip(*sides, strict=True))
    return 2 * hits / sum(len(row) for rows in sides for row in rows)


def scored(seed: int) -> tuple[Hierarchy, Rows, list[dict[str, float]], Scores]:
    rng = Random(seed)
    h = Hierarchy.from_edges(
        [("R", "A"), ("R", "B"), ("A", "C"), ("A", "D"), ("B", "E"), ("E", "F"), ("B", "C")]
    )
    true = [
        [rng.choice("ABCDEF") for _ in range(2)] + ["zz"] * (rng.random() < 0.2) for _ in range(8)
    ]
    scores = [{c: rng.choice((0, 0.1, 0.2, 0.4, 0.5, 0.6, 0.9)) for c in "ABCDEF"} for _ in true]
    table = ProbabilityTable.of(h, [list(row.values()) for row in scores], list("ABCDEF"))
    return h, true, scores, Scores.of(table, thresholds=(0.5, 0.2), top=(1, 2))


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 9))]
)
def test_scores_become_the_sets_that_plain_python_makes_of_them_by_every_decision(
    seed: int,
) -> None:
    h, true, scores, given = scored(seed)
    assert len(given.decisions) == 9
    for average in ("micro", "samples"):
        conventions = [
            Convention.of("F", average=average, decision=decision) for decision in given.decisions
        ]
        for c, number in zip(conventions, values_of(h, true, given, conventions), strict=True):
            assert number == pytest.approx(
                value(h, true, decided(h, scores, true, c["decision"]), c)
            ), c.id


def test_the_decision_is_a_choice_where_scores_are_given() -> None:
    h, true, scores, given = scored(1)
    theirs = Convention.of("accuracy", root="in", decision="at_least@0.2")
    printed = f"{value(h, true, decided(h, scores, true, 'at_least@0.2'), theirs):.3f}"
    assert forensics(h, true, given, printed, of="accuracy").covers(theirs)
    assert Convention.parse(theirs.id) == theirs
    # One row of 0.5 and 0.4: above 0.5 nothing, at least 0.5 and the best of all are one set, and
    # one finding.
    table = ProbabilityTable.of(h, [[0.5, 0.4]], ["A", "B"])
    one = forensics(h, [["A"]], table, "1.00", of="accuracy")
    same = {c["decision"] for c in one.consistent[0].conventions}
    assert same == {"at_least@0.5", "levels", "top@1", "best", "best_grown"}
    for wrong in ({"thresholds": [2]}, {"top": [0]}):
        with pytest.raises(InputError):
            Scores.of(table, **wrong)
    for bad in ("top@2.5", "top@0", "above", "levels@3"):
        with pytest.raises(InputError, match="unknown decision"):
            values_of(h, true, given, [Convention.of("F", decision=bad)])
    with pytest.raises(InputError, match="Name a decision for scores"):
        values_of(h, true, [[]] * 8, [theirs])


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 9))]
)
def test_no_missing_prediction_gives_a_number_outside_of_the_bounds(seed: int) -> None:
    rng = Random(seed)
    h = Hierarchy.from_edges(
        [("R", "A"), ("R", "B"), ("A", "C"), ("A", "D"), *[("B", "C")] * (seed % 2)]
    )
    true = [
        [rng.choice("ABCD") for _ in range(rng.choice((1, 2)))] + ["zz"] * (rng.random() < 0.2)
        for _ in range(4)
    ]
    known = [[rng.choice("ABCD")] * rng.choice((0, 1, 2)) for _ in range(2)]
    missing, rows = [1, 3], [known[0], [], known[1], []]
    found = forensics(h, true, rows, Printed("0.5", 0.5, 10.0), missing=missing)  # type: ignore[arg-type]
    spans = {c: finding.spans[0] for finding in found.consistent for c in finding.conventions}
    sets = [list(s) for k in range(6) for s in combinations("RABCD", k)]
    tried = rng.sample([(a, b) for a in sets for b in sets], 40) + [(a, a) for a in sets]
    tried += [(true[1], true[3]), (sets[-1], sets[-1])]
    for convention in rng.sample(sorted(spans, key=lambda c: c.id), 100 if seed else 12):
        if convention.measure != "distance":
            low, high = spans[convention]
            for rows[1], rows[3] in tried:
                with suppress(ZeroDivisionError):  # nothing that it could be read off
                    number = value(h, true, rows, convention)
                    assert low - 1e-9 <= number <= high + 1e-9, (convention.id, rows)


def test_bounds_of_the_usual_numbers_are_reached_and_a_number_between_them_is_consistent() -> None:
    # The second prediction is any set. Mean of F1: 1 and from 0 to 1. Micro, without ancestors: one
    # of one is right; C right makes two of two, and the four wrong classes beside it 1 of 1 + 4
    # predicted, 1 of 2 true.
    found = forensics(TREE, [["T1"], ["C"]], [["T1"], []], "0.8", of="F", missing=[1])
    spans = {finding.convention.id: finding.spans[0] for finding in found.consistent}
    assert spans["F"] == (0.5, 1.0)
    assert spans["F|average:micro|ancestors:none"] == (pytest.approx(2 / 7), 1.0)
    assert "missing predictions: 1" in found.as_text()
    assert "between 0.500000 and 1.000000" in found.as_text()
    assert found.as_json()["consistent"][0]["bounds"] == {"prediction": [0.5, 1.0]}
    below = forensics(
        TREE, [["T1"], ["C"]], [["T1"], []], "0.1", of="accuracy", missing={"prediction": [1]}
    )
    assert not below.covers(Convention.of("accuracy"))  # from 0.5 to 1
    for places in ([0], [2], [-1]):
        with pytest.raises(InputError, match="missing prediction"):
            forensics(TREE, [["T1"], ["C"]], [["T1"], []], "0.8", missing=places)


def test_numbers_are_read_with_their_digits_rounded_or_cut() -> None:
    assert Printed.of("71.2").how(0.7115) == Printed.of("0.712").how(0.7124) == "rounded"
    assert Printed.of("71.2%").how(0.7128) == "truncated"
    assert Printed.of("0.710").how(0.714) == ""
    for bad in ("", "about 0.7", "-1", "nan", "1e999", "0." + "1" * 30):
        with pytest.raises(InputError, match="printed number"):
            Printed.of(bad)


def test_a_convention_has_a_short_name_that_is_read_again() -> None:
    found = Convention.of("hF", average="macro", vocabulary="truth", root="in")
    assert Convention.parse(found.id) == found
    with pytest.raises(InputError, match="'micro'"):
        Convention.parse("F|average:mirco")
    with pytest.raises(InputError, match="does not apply"):
        Convention.of("F", average="micro", vocabulary="truth")


def test_the_leaf_only_f1_of_falis_2021_comes_from_whole_per_cent() -> None:
    # One of four predicted and of three true codes: 25.0 and 33.3; of 25 and 33, F1 is 28.45, which
    # is cut to 28.4.
    h = Hierarchy.from_edges([("R", c) for c in "ABCDEF"])
    found = forensics(h, [["A", "B", "C"]], [["A", "D", "E", "F"]], "28.4", of="F")
    assert {finding.convention["rounding"] for finding in found.consistent} == {"whole"}


@pytest.mark.slow
@pytest.mark.skipif(
    not (DATA / "germeval2019").exists(), reason="shared/data/germeval2019 is not here"
)
def test_the_empty_label_behind_a_last_tab_gives_the_f1_of_riehls_notebook() -> None:
    # Task 1A, Twistbytes: 3852 hits, 752 false positives of which 151 are empty labels, 618 missed.
    def rows(path: Path) -> dict[str, list[str]]:
        part = path.read_text("utf-8").partition("subtask_a\n")[2].partition("subtask_b\n")[0]
        return {name: labels for name, *labels in (line.split("\t") for line in part.splitlines())}

    h = read_hierarchy(DATA / "germeval2019" / "hierarchy.txt")
    flat = Hierarchy.from_edges([("root", top) for top in h.children(h.root)])
    true = rows(DATA / "germeval2019" / "blurbs_test_label.txt")
    predicted = rows(next((DATA / "germeval2019" / "submissions").glob("twistbytes*")))
    sides = list(true.values()), [predicted.get(name, []) for name in true]
    for printed, measure, unknown in (
        ("0.8490191756667401", "F", "wrong"),
        ("0.837", "P", "wrong"),
        ("0.865", "P", "drop"),
    ):
        found = forensics(flat, *sides, printed, of=measure)
        assert found.covers(Convention.of(measure, average="micro", unknown=unknown))


def test_the_commands_say_what_is_consistent_and_compute_a_protocol(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {
        "h.txt": "A B\nA C\nB T1\nB P1\n",
        "true.txt": "T1\nC\n",
        "p.txt": "P1\nC\n",
    }.items():
        (tmp_path / name).write_text(text)
    sides = ["--hierarchy", str(tmp_path / "h.txt"), "--true", str(tmp_path / "true.txt")]
    files = [*sides, "--predicted", str(tmp_path / "p.txt")]
    for command, status, said in (
        (["forensics", *files, "--printed", "0.667", "--of", "hF"], 0, "F|average:micro"),
        (
            ["forensics", *files, "--printed", "0.111", "--of", "accuracy"],
            1,
            "consistent with 0 of",
        ),
        (["forensics", *files, "--printed", "0.6", "0.7"], 2, "2 for 1 file"),
        (["forensics", *files, "--printed", "x"], 2, "such as 0.712"),
        # {B, T1} with {B, P1}; {C} twice
        (["protocols", "hiclass", *files], 0, "f1_micro                 0.6667"),
        (["evaluate", *files, "--protocol", "hiclass", "--json"], 0, '"f1_micro": 0.66666'),
        (["evaluate", *files, "--protocol", "hiclas"], 2, "hiclass"),
        (["protocols", "hiclass", *files, "--caption"], 0, "ancestors: added on both sides"),
        (["protocols"], 0, "sklearn-hierarchical-classification"),
        (["protocols", *files], 2, "give its name"),
    ):
        assert main(command) == status, command
        told = capsys.readouterr()
        assert said in told.out + told.err


def test_the_command_takes_scores_and_gives_bounds_where_ids_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {
        "h.txt": "A B\nA C\nB T1\nB P1\n",
        "true.csv": "id,labels\nx,T1\ny,C\n",
        "p.csv": "id,labels\ny,C\n",
        "l.csv": "id,C,T1,P1\ny,0.6,0.1,0.3\nx,0.1,0.4,0.5\n",
    }.items():
        (tmp_path / name).write_text(text)
    files = [
        "forensics",
        "--hierarchy",
        str(tmp_path / "h.txt"),
        "--true",
        str(tmp_path / "true.csv"),
    ]
    files += ["--of", "accuracy"]
    assert main([*files, "--predicted", str(tmp_path / "p.csv"), "--printed", "0.8"]) == 0
    told = capsys.readouterr()
    assert "(accuracy): between 0.500000 and 1.000000" in told.out
    assert told.err.startswith(f"note: {tmp_path / 'p.csv'}: 1 instance without a prediction ('x')")
    # Of the leaves alone, with T1 and P1 together for B: above 0.8, x is {B} alone, and y is
    # nothing; P1 is below B.
    scores = [*files, "--scores", str(tmp_path / "l.csv"), "--kind", "leaves"]
    assert main([*scores, "--printed", "0.50", "--thresholds", "0.8", "--json"]) == 0
    assert (
        '"accuracy|decision:above@0.8|ancestors:none|too_general:right"' in capsys.readouterr().out
    )
    assert main([*scores, "--thresholds", "high", "--printed", "0.667"]) == 2
    assert "--thresholds takes numbers" in capsys.readouterr().err


def test_a_caption_names_each_choice_that_another_one_would_change_on_these_data() -> None:
    h, true, systems = drawn(Random(11), 15)
    convention = Convention.of("F", average="macro", ancestors="none", unknown="drop")
    found = caption(h, true, systems[0], convention)
    assert found.value == pytest.approx(value(h, true, systems[0], convention))
    for axis, own in convention.choices[1:]:
        others = [c.key for c in axes()[axis].choices if c.key != own]
        numbers = [
            value(
                h,
                true,
                systems[0],
                Convention(
                    "F", tuple((a, other if a == axis else c) for a, c in convention.choices)
                ),
            )
            for other in others
            if axis != "ancestors" or other
        ]
        assert (axis in found.matters) == any(
            abs(number - found.value) > 1e-12 for number in numbers
        ), axis
    assert convention.id in found.text
    assert (
        r"\_"
        in caption(
            h, true, systems[0], Convention.of("F", too_general="right", ancestors="none")
        ).latex
    )


# --- protocols ----------------------------------------------------------------------------------


def test_scikit_learns_numbers_are_those_of_scikit_learn() -> None:
    h, true, systems = drawn(Random(8), 40)
    fitted = MultiLabelBinarizer().fit([*true, *systems[0]])
    both = fitted.transform(true), fitted.transform(systems[0])
    ways = ("micro", "macro", "samples")
    expected = {way: metrics.f1_score(*both, average=way, zero_division=0) for way in ways}
    expected["accuracy"] = metrics.accuracy_score(*both)
    assert protocol("scikit-learn").values(h, true, systems[0]) == pytest.approx(expected)
