"""The hierarchy answers as the definitions say, and refuses what is no hierarchy."""

import pickle
from functools import partial
from itertools import pairwise

import networkx as nx
import pandas as pd
import pytest
from hypothesis import given

from hiermeasures import Hierarchy, InputError
from hiermeasures.evaluation.hierarchy_arrays import arrays_of
from hiermeasures.hierarchy.edge_rows import EdgeRows
from hiermeasures.read import read_hierarchy_text
from tests.conftest import FIGURE_11A, edge_lists, hierarchy_of, ways_up
from tests.tables import LIBRARIES, make_table


class TestConstruction:
    def test_edges_a_nested_mapping_and_a_graph_give_the_same_hierarchy(self):
        edges = [("A", "B"), ("A", "C"), ("B", "T1"), ("B", "P1")]
        h = Hierarchy.from_edges(edges)
        assert h == Hierarchy.from_nested({"A": {"B": ["T1", "P1"], "C": None}})
        assert h == Hierarchy.from_networkx(nx.DiGraph(edges))
        assert hash(h) == hash(Hierarchy.from_edges(edges[::-1]))

    def test_a_pickled_hierarchy_answers_the_same_and_takes_no_lookups_along(self):
        h = Hierarchy.from_edges([(f"n{i // 2}", f"n{i}") for i in range(1, 200)])
        before = len(pickle.dumps(h))
        expected = [h.up(c) for c in h.nodes]
        hash(h)
        assert len(pickle.dumps(h)) == before
        other = pickle.loads(pickle.dumps(h))
        assert other == h
        assert [other.up(c) for c in other.nodes] == expected

    def test_a_repeated_edge_is_merged_with_a_note(self):
        h = Hierarchy.from_edges([("A", "B"), ("A", "B"), ("A", "C")])
        assert len(h.edges) == 2
        assert h.notes == ("1 repeated edge merged",)

    def test_several_tops_are_joined_under_a_virtual_root_that_never_takes_the_name_of_a_class(
        self,
    ):
        h = Hierarchy.from_edges([("(root)", "b"), ("c", "d")], nodes=["alone"])
        assert h.root == "((root))"
        assert h.virtual_root
        assert h.children(h.root) == ("(root)", "c", "alone")
        assert "3 top classes" in h.notes[0]

    def test_labels_are_any_text_and_whole_numbers_are_read_as_text(self):
        strange = ["<img src=x onerror=alert(1)>", "=1+1", "../etc", "ä ö", "a\tb"]
        h = Hierarchy.from_edges([(0, label) for label in strange])
        assert set(strange) <= set(h.nodes)
        assert h.index(0) == h.index("0") == 0

    @pytest.mark.parametrize(
        ("edges", "says"),
        [
            (
                [("A", "B"), ("B", "C"), ("C", "D"), ("D", "B"), ("D", "E")],
                r"cycle: ('[BCD]' > ){3}'[BCD]'\. ",
            ),
            ([("A", "B"), ("B", "B")], "cycle: 'B' > 'B'"),
            ([("A", "B", 1), ("A", "B", 2)], "different weights"),
            *(
                ([("A", "B", weight)], "positive number")
                for weight in (0, -1, float("nan"), float("inf"), "x")
            ),
            *(([("A", label)], "a class ") for label in ("", None, 1.5, True, ("a",))),
            *((nothing, "at least one class") for nothing in ([], {}, nx.DiGraph())),
        ],
    )
    def test_what_is_no_hierarchy_is_refused_with_why(self, edges, says):
        makers = {dict: Hierarchy.from_nested, nx.DiGraph: Hierarchy.from_networkx}
        with pytest.raises(InputError, match=says):
            makers.get(type(edges), Hierarchy.from_edges)(edges)

    def test_nodes_and_arrays_cannot_be_changed(self):
        with pytest.raises(ValueError, match="read-only"):
            arrays_of(FIGURE_11A).parent_idx[0] = 3
        assert isinstance(FIGURE_11A.nodes, tuple)


class TestQueries:
    def test_an_unknown_class_is_named_with_the_nearest_known_one(self):
        with pytest.raises(InputError, match="'Fiction'"):
            Hierarchy.from_edges([("Books", "Fiction"), ("Books", "Poetry")]).index("Fictoin")

    def test_an_unknown_kind_of_path_is_refused(self):
        with pytest.raises(InputError, match="'any'"):
            FIGURE_11A.distance("A", "B", path="anything")

    @given(edge_lists())
    def test_ancestors_distances_and_lcas_equal_a_plain_enumeration_of_ways(self, edges):
        h = Hierarchy.from_edges(edges)
        ways = {n: ways_up(h, n) for n in h.nodes}
        for n in h.nodes:
            assert h.ancestors(n) == {way[-1] for way in ways[n]} - {n}
            assert h.descendants(n) == {m for m in h.nodes if n in h.ancestors(m)}
            assert h.level(n) == max(len(way) - 1 for way in ways[n] if way[-1] == h.root)
            assert set(h.paths_from_root(n)) == {
                tuple(way[::-1]) for way in ways[n] if way[-1] == h.root
            }
        for a in h.nodes:
            for b in h.nodes:
                joined = {}
                for up_a in ways[a]:
                    for up_b in ways[b]:
                        if up_a[-1] == up_b[-1]:
                            joined.setdefault(len(up_a) + len(up_b) - 2, set()).add(up_a[-1])
                assert h.distance(a, b) == min(joined)
                assert h.lca(a, b) == joined[min(joined)]

    @given(edge_lists())
    def test_shortest_upward_paths_are_all_the_shortest_ways(self, edges):
        h = Hierarchy.from_edges(edges)
        for n in h.nodes:
            for a in h.ancestors(n):
                there = [tuple(way) for way in ways_up(h, n) if way[-1] == a]
                shortest = min(map(len, there))
                assert sorted(h.shortest_upward_paths(n, a)) == sorted(
                    way for way in there if len(way) == shortest
                )

    @given(edge_lists())
    def test_the_edges_of_a_distance_are_those_of_all_shortest_paths(self, edges):
        h = Hierarchy.from_edges(edges)
        both_ways = nx.Graph(edges)
        for a, b in [(a, b) for a in h.nodes for b in h.nodes]:
            up, down = (set(part) for part in h.shortest_path_edges(a, b))
            walked = [set(), set()]
            for top in h.lca(a, b):
                for part, end in zip(walked, (a, b), strict=True):
                    for way in h.shortest_upward_paths(end, top):
                        part |= {(above, below) for below, above in pairwise(way)}
            assert [up, down] == walked
            steps = {s for way in nx.all_shortest_paths(both_ways, a, b) for s in pairwise(way)}
            up, down = (set(part) for part in h.shortest_path_edges(a, b, "any"))
            assert {(c, p) for p, c in up} | down == steps

    @given(edge_lists())
    def test_parents_come_before_children(self, edges):
        h = Hierarchy.from_edges(edges)
        assert all(h.index(p) < h.index(c) for p, c in h.edges)
        assert sorted(h.edges) == sorted(edges)


class TestWeights:
    CHAIN = hierarchy_of("A>B B>C C>D")

    def test_weights_that_fall_too_far_are_refused(self):
        with pytest.raises(
            InputError, match=r"base 1e\+300 differ in 3 levels by more than a factor of 1,000,000"
        ):
            self.CHAIN.with_weights("exponential", base=1e300)
        # From level 1 to level k the weights fall by 2 ** (k - 1): 524,288 in 20 levels, 1,048,576
        # in 21.
        long = Hierarchy.from_edges([(str(k), str(k + 1)) for k in range(21)])
        assert long.down_to(20).with_weights("exponential").depth == 20
        with pytest.raises(InputError, match=r"base 0\.5 differ in 21 levels"):
            long.with_weights("exponential")

    def test_weights_by_level_by_edge_and_by_scheme(self):
        by_edge, by_level = (
            self.CHAIN.with_weights({("A", "B"): 3}),
            self.CHAIN.with_weights({2: 7}),
        )
        assert (by_edge.distance("A", "D"), by_level.distance("A", "D")) == (5, 9)
        assert self.CHAIN.with_weights("level").distance("A", "D") == pytest.approx(
            3 / 3 + 2 / 3 + 1 / 3
        )
        with pytest.raises(InputError, match="'A' to 'C'"):
            self.CHAIN.with_weights({("A", "C"): 3})


class TestSize:
    def test_a_query_on_a_hundred_thousand_classes_walks_only_what_it_is_about(self, monkeypatch):
        h = Hierarchy.from_edges([(str((i - 1) // 8), str(i)) for i in range(1, 100_000)])
        visited = []
        rows = EdgeRows.weighted_parents
        monkeypatch.setattr(
            EdgeRows, "weighted_parents", lambda self, i: (visited.append(i), rows(self, i))[1]
        )
        # 99999 and 5 are 6 and 1 steps below the root; nothing else need be looked at.
        assert h.distance("99999", "5") == 7
        assert len(visited) <= (6 + 1) + (1 + 1)

    def test_a_very_deep_chain_is_no_recursion_error(self):
        h = Hierarchy.from_edges([(str(i), str(i + 1)) for i in range(20_000)])
        assert h.level("20000") == 20_000
        assert len(h.ancestors("20000")) == 20_000


@pytest.mark.parametrize("weights", [(1e-9, 1.0, 1e9), (1.0, 1.0, 1e16), (1.0, 1.0, 2e6)])
def test_weights_of_which_one_would_be_lost_in_sums_are_refused_by_name(weights):
    edges = [
        (*edge, w)
        for edge, w in zip([("n1", "n2"), ("n1", "n3"), ("n2", "n5")], weights, strict=True)
    ]
    with pytest.raises(
        InputError,
        match=r"from 'n1' to 'n2' .* and from 'n2' to 'n5' .* differ by more than a factor",
    ):
        Hierarchy.from_edges(edges)
    plain = Hierarchy.from_edges([edge[:2] for edge in edges])
    with pytest.raises(InputError, match="1,000,000"):
        plain.with_weights({edge[:2]: edge[2] for edge in edges})


@pytest.mark.parametrize("library", LIBRARIES)
def test_edges_may_be_a_table_whose_columns_are_taken_by_their_names_or_in_order(library):
    frame = partial(make_table, library)
    expected = Hierarchy.from_edges([("1", "2", 1.0), ("1", "3", 0.5)])
    above, below, weight = [1, 1], [2, 3], [1.0, 0.5]
    assert Hierarchy.from_edges(frame({"a": above, "b": below, "c": weight})) == expected
    assert (
        Hierarchy.from_edges(frame({"weight": weight, "Target": below, "Source": above}))
        == expected
    )
    for child, parent in (("child", "parent"), ("label", "parent"), ("child", "broader")):
        assert Hierarchy.from_edges(frame({child: below, parent: above})).edges == expected.edges
    with pytest.raises(InputError, match=r"an edge must be \(parent, child\)"):
        Hierarchy.from_edges(frame({"a": ["A"]}))
    with pytest.raises(InputError, match="'A' to 'B'"):
        Hierarchy.from_edges(frame({"parent": ["A"], "child": ["B"], "weight": [None]}))


@pytest.mark.parametrize(
    "names", [("parent", "source"), ("child", "target"), ("parent", "child", "length")]
)
def test_columns_of_edges_that_contradict_one_another_are_refused(names):
    message = f"a table of edges needs a column of parents and one of children, and may have 'weight'. This table has '{names[0]}', '"
    with pytest.raises(InputError, match=message):
        Hierarchy.from_edges(pd.DataFrame([["A"] * len(names)], columns=list(names)))


NEWSGROUPS = ["comp.sys.mac.hardware", "comp.graphics", "rec.autos", "sci.space"]


@pytest.mark.parametrize(
    ("h", "separator"),
    [
        (Hierarchy.from_edges([], NEWSGROUPS), "'.'"),
        (Hierarchy.from_edges([("all", name) for name in NEWSGROUPS]), "'.'"),
        (Hierarchy.from_nested(["animal > dog > poodle", "animal > cat"]), "' > '"),
        (read_hierarchy_text("a/b/c\na/d\ne\n"), "'/'"),
    ],
)
def test_names_that_look_like_paths_are_noted(h, separator):
    assert f"look like paths with the separator {separator}" in h.notes[-1]
    assert "one class" in h.notes[-1]


@pytest.mark.parametrize(
    "h",
    [
        Hierarchy.from_edges(
            [("comp", "comp.graphics"), ("comp", "comp.sys"), ("rec", "rec.autos")]
        ),
        Hierarchy.from_edges([("a", "b"), ("b", "c.d"), ("c.d", "e.f")]),
        Hierarchy.from_edges([], ["St. Louis", "Dr. No", "Mt. Everest"]),
        Hierarchy.from_edges([("A", c) for c in ["and/or", "b", "c", "d"]]),
        Hierarchy.from_edges([], ["one", "two"]),
    ],
)
def test_other_names_are_not(h):
    assert not any("look like paths" in note for note in h.notes)
