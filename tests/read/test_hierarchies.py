"""Hierarchies in files: every format read and written, recognised by its content, and refused with
the line and the reason.
"""

import json
import time

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError
from hiermeasures.read import (
    HIERARCHY_FORMATS,
    Limits,
    read_hierarchy,
    read_hierarchy_text,
    write_hierarchy,
    write_hierarchy_text,
)
from tests.conftest import weighted as weights
from tests.read.names import NASTY, names

WRITABLE = [key for key, known in HIERARCHY_FORMATS.items() if known.writable]
SMALL = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1")])
DAG = Hierarchy.from_edges([("1", "2"), ("1", "3"), ("2", "4"), ("3", "4")])


def refusal(text, **options):
    read = read_hierarchy_text if isinstance(text, str) else read_hierarchy
    with pytest.raises(InputError) as raised:
        read(text, **options)
    assert "\n" not in str(raised.value)
    return str(raised.value)


# --- edge lists ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "A B\nA C\nB T1\n",
        "A\tB\nA\tC\nB\tT1",
        "A,B\nA,C\nB,T1\n",
        "A;B\nA;C\nB;T1\n",
        '"A","B"\n"A", "C"\nB,T1',
        "parent,child\nA,B\nA,C\nB,T1\n",
        "CHILD,PARENT\nB,A\nC,A\nT1,B\n",
        "child\tparent\nB\tA\nC\tA\nT1\tB\n",
        "Source;Target\nA;B\nA;C\nB;T1\n",
        "\ufeffA B\r\nA C\r\nB T1\r\n",
        "A B\rA C\rB T1\r",
        "# a comment\n\nA B\n  # another\nA C\n\nB T1\n\n",
        "A  B\n  A C  \nB    T1\n",
        "A,B,1\nA,C,1.0\nB,T1,1e0\n",
        "A B 1\nA C\nB T1\n",
    ],
)
def test_an_edge_list_is_read_however_it_is_laid_out(text):
    assert read_hierarchy_text(text) == SMALL


@pytest.mark.parametrize(
    "text",
    [
        "A\tB\nalone\n",
        "A\tB\nalone\t\n",
        "A,B\nalone\n",
        "A,B\nalone,\n",
        "A,B\n,alone\n",
        "A B\nalone\n",
    ],
)
def test_a_name_alone_on_its_line_is_a_class_without_edges(text):
    h = read_hierarchy_text(text)
    assert h.virtual_root
    assert h.children(h.root) == ("A", "alone")


# --- JSON ---------------------------------------------------------------------------------------


def test_nested_json_is_objects_lists_and_names():
    assert read_hierarchy_text('{"A": {"B": ["T1"], "C": null}}') == SMALL
    assert read_hierarchy_text('[{"A": [{"B": "T1"}, "C"]}]') == SMALL
    assert read_hierarchy_text('{"A": ["B", "C"], "B": ["T1"]}') == SMALL


def test_brackets_inside_of_strings_do_not_nest():
    assert len(read_hierarchy_text(json.dumps({"A": ["[" * 900, '"\\' + "{" * 900]}))) == 3


def test_a_string_without_an_end_takes_no_time():
    start = time.process_time()
    refusal('{"' + '\\"' * 2_000_000)
    assert time.process_time() - start < 60  # tried at every place again, it would take hours


def test_node_link_json_is_read_as_networkx_writes_it_and_the_other_way_round():
    graph = nx.DiGraph([("A", "B"), ("A", "C"), ("B", "T1")])
    for key in ("edges", "links"):
        assert read_hierarchy_text(json.dumps(nx.node_link_data(graph, edges=key))) == SMALL
    document = json.loads(write_hierarchy_text(SMALL, "node-link"))
    assert sorted(nx.node_link_graph(document, edges="edges").edges) == sorted(SMALL.edges)


# --- the other formats --------------------------------------------------------------------------


def test_a_hemkit_file_holds_whole_numbers():
    assert read_hierarchy_text("1 2\n1 3\n2 4\n3 4\n") == DAG
    for line in ("1 x", "1 2 3"):
        assert "line 2: " in refusal(f"1 2\n{line}\n", format="hemkit")


def test_a_taxonomy_line_is_a_parent_and_its_children():
    assert read_hierarchy_text("A\tB\tC\nB\tT1\n") == SMALL
    assert read_hierarchy_text("1\t2\t3\n2\t4\n3\t4\n", name="t.taxonomy") == DAG


@pytest.mark.parametrize("indent", ["\t", "  ", "    "])
def test_indented_text_is_an_outline_and_not_many_roots(indent):
    text = "animal\n>mammal\n>>dog\n\n>># flying\n>>bat\n>flyer\n>>bat\n".replace(">", indent)
    expected = Hierarchy.from_edges(
        [
            ("animal", "mammal"),
            ("mammal", "dog"),
            ("mammal", "bat"),
            ("animal", "flyer"),
            ("flyer", "bat"),
        ]
    )
    assert read_hierarchy_text(text) == expected
    assert not expected.virtual_root


def test_graphml_is_read_as_networkx_writes_it():
    graph = nx.DiGraph([("A", "B"), ("A", "C")])
    graph.add_edge("B", "T1", weight=2.5)
    h = read_hierarchy_text("\n".join(nx.generate_graphml(graph)))
    assert h.edges == SMALL.edges
    assert h.weight("B", "T1") == 2.5


def test_a_default_in_graphml_is_the_weight_of_edges_that_have_none():
    h = read_hierarchy_text(
        '<graphml><key id="w" for="edge" attr.name="weight" '
        'attr.type="double"><default>2.5</default></key>'
        '<graph edgedefault="directed"><edge source="A" target="B"/>'
        '<edge source="A" target="C"><data key="w">4</data></edge></graph></graphml>'
    )
    assert (h.weight("A", "B"), h.weight("A", "C")) == (2.5, 4)


@pytest.mark.parametrize(
    "declared", ['="{}"', ":p\n= '{}'", ':{}=""', ':p="\'" xmlns:q="{}"', " {}= 'x'", "={} 'x'"]
)
def test_graphml_that_declares_a_long_namespace_is_refused(declared):
    long = (" " if "'x'" in declared else "x") * 101
    assert "line 2: declares a namespace" in refusal(f"<graphml\nxmlns{declared.format(long)}/>")


DOT = """/* pets */ strict digraph "pets at home" {
  rankdir=LR; node [shape=box, label=""]
  animal -> mammal -> n1 [color=red]
  n1 [label="sea\\nlion", shape=box];
# a preprocessor's line
  animal -> { "the \\"bird\\""; .5 } // 5 stands alone
  subgraph cluster_1 { label="not a class"; mammal:se -> "bat" }
  5; n2 [label="a" + " cat"]; "5" -> n2
}
"""


def test_dot_is_chains_labels_braces_ports_and_all_kinds_of_ids():
    h = read_hierarchy_text(DOT)
    assert set(h.edges) == {
        ("(root)", "animal"),
        ("(root)", "5"),
        ("animal", "mammal"),
        ("mammal", "sea lion"),
        ("mammal", "bat"),
        ("animal", 'the "bird"'),
        ("animal", ".5"),
        ("5", "a cat"),
    }


def test_a_weight_in_dot_is_no_distance():
    h = read_hierarchy_text("digraph { A -> B [weight=3] }")
    assert h.weight("A", "B") == 1
    assert "`weight`" in h.notes[0]


GRAPHML = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
CLOSED = "</graph></graphml>"
REFUSED = {  # by extension: a text, the line with the fault (0: none is named), words about it
    "txt": [
        ("A B\nA C D E\n", 2, "parent child blank"),
        ("A B\nA C D\n", 2, "'A' 'C' D"),
        ("# note\nA,B\n\nA,C,-1\n", 4, "'A' 'C' -1"),
        ("A,B,nan\n", 1, "nan positive"),
        ("A,B\nA,,3\n", 2, "missing"),
        ('A,B\nA,"C\n', 2, "cells"),
        ("A,B\nB,B\n", 2, "'B' parent"),
        ("A\tB\nA C\n", 2, "'A C' tab"),
        ("A B\nB C\nC B\n", 0, "cycle 'C' 'B'"),
        ("A B\nA \x00\n", 2, "NUL"),
        *((text, 0, "empty") for text in ("", "\n \n", "\ufeff")),
        ("# only\n# this\n", 0, "comments"),
    ],
    "csv": [
        ("parent,child\nb,a\rb\n", 2, "carriage return"),
        ('level1,level"2\nA,B\n', 1, "quote"),
        ("parent,child,class_weight\nA,B,1\n", 0, "'A' class_weight"),
        ("parent,child,class_weight\n,A,1\nA,B,-1\n", 0, "'B' -1"),
        ("parent,child,class_weight\n,A,1\nA,B,x\n", 0, "'B' x"),
        ("parent,child,class_weight\n,A,nan\nA,B,1\n", 0, "'A' nan"),
        ("parent,child,class_weight\n,A,1e13\nA,B,1\n", 0, "'A' 1e13 1e+12"),
        ("parent,child,class_weight\nA,B,1\nA,C,1\nC,B,2\n,A,1", 4, "'B' 1 2"),
    ],
    "json": [
        ('{"A": ["B",\n "C" "D"]}', 2, "JSON"),
        ('{"A": {"B": null, "B": ["C"]}}', 0, "'B' twice"),
        ('{"A": [1.5]}', 0, "1.5 text"),
        ('{"A": NaN}', 0, "NaN"),
        ("17", 0, "object list"),
        ('{"A": ["\\ud800"]}', 0, "surrogate"),
        *((opening * 1_000_000, 0, "200 levels") for opening in ("[", '{"a":', '[{"a":')),
        (json.dumps({"A": ["x" * 10_000]}), 0, "10,000 characters"),
        ('{"nodes": [{"id": "A"}], "links": [{"source": "A"}]}', 0, "1 'target'"),
        ('{"directed": false, "nodes": [{"id": "A"}], "links": []}', 0, "undirected"),
        ('{"nodes": [{"id": "A", "class_weight": [1]}], "edges": []}', 0, "'A' [1]"),
    ],
    "taxonomy": [("A\tB\t\tC\n", 1, "missing")],
    "outline": [
        ("A\n\tB\n    C\n", 3, "tabs"),
        ("A\n    B\n  C\n", 3, "'C' less"),
        ("  A\n    B\n", 1, "first"),
        ("A\n  A\n", 2, "'A' parent"),
    ],
    "graphml": [
        ("<graphml", 1, "XML"),
        ("<graphml></graphml>", 0, "<graph>"),
        ("<graphml><graph/></graphml>", 1, "directed"),
        (f'{GRAPHML}<node id="{"x" * 1001}"/>{CLOSED}', 0, "1,001 characters"),
        (f'{GRAPHML}<node id="A"><data key="d9">1</data></node>{CLOSED}', 1, "'d9'"),
        (
            GRAPHML.replace("<graph ", "<graph edgedefault='directed'/>\n<graph ") + CLOSED,
            2,
            "several",
        ),
        (f'{GRAPHML}<edge source="A"/>{CLOSED}', 1, "<edge> target"),
        (GRAPHML.replace("<graph ", '<key id="w"/><graph ') + CLOSED, 1, "<key> attr.name"),
        (GRAPHML.replace("/xmlns", "/xmln;") + CLOSED, 0, "<graph>"),
        (f"{GRAPHML}<hyperedge/>{CLOSED}", 1, "hyperedge"),
        (f'{GRAPHML}<edge source="A" target="B" directed="false"/>{CLOSED}', 1, "directed"),
    ],
    "gv": [
        ("graph { A }", 1, "digraph"),
        ("digraph {\n A -- B }", 2, "undirected"),
        ("digraph {\n A -> \n}", 3, "'}'"),
        ("digraph {\n -> A }", 2, "DOT"),
        ("digraph { A -> B [color=red] -> C }", 1, "DOT"),
        ("digraph { A -> {} }", 0, "braces"),
        ("digraph {\n A -> A }", 0, "'A' parent"),
        ("digraph { A\n [label=<b>] }", 0, "'A' HTML"),
        ("digraph { <b> -> A }", 1, "HTML"),
        ("digraph { A [name=<b] }", 1, "<"),
        ("digraph { A -> B; }\n A -> C;", 2, "closing brace"),
        ("digraph { A -> B }\n}", 2, "closing brace"),
        ("digraph { A -. B }", 1, "'-'"),
        ("digraph {\n A -> B", 2, "closing brace"),
        ("digraph { A [label=x]\n B [label=x] }", 0, "'A' 'B' 'x'"),
        ("digraph { A [label=B]\n B }", 0, "'A' 'B'"),
        ("digraph {\n sea-lion }", 2, "DOT"),
        ("digraph {\n node -> A }", 2, "keyword"),
        ('digraph {\n "" -> A }', 2, "name"),
        ('digraph {\n "A -> B }\n', 2, "quote"),
        ("digraph {\n /* A }\n", 2, "comment"),
        ("digraph { }", 0, "class"),
        ("digraph { A } digraph { B }", 1, "one digraph"),
        ("digraph { A -> B -> A }", 0, "cycle"),
        ("digraph " + "{" * 300, 1, "200 levels"),
        ("digraph { A [class_weight=1]\n A -> B }", 0, "'B' class_weight"),
    ],
}


@pytest.mark.parametrize(
    ("extension", "text", "line", "words"),
    [(extension, *fault) for extension, faults in REFUSED.items() for fault in faults],
    ids=lambda value: str(value)[:30],
)
def test_a_fault_is_named_with_its_file_and_line(extension, text, line, words):
    message = refusal(text, name=f"h.{extension}")
    assert message.startswith(f"h.{extension}, line {line}: " if line else f"h.{extension}: ")
    assert all(word in message for word in words.split())


# --- what no format accepts ---------------------------------------------------------------------


def test_bytes_that_are_no_utf8_text_are_refused_with_their_position():
    found = refusal("A;Bücher\n".encode("latin-1"), name="x.csv")
    assert found.startswith("x.csv, line 1: ")
    assert "0xFC at position 3" in found
    assert "UTF-16" in refusal("A B\n".encode("utf-16"))
    assert "position 6" in refusal(b"A B\nA \x00\n")


def test_what_is_too_large_is_refused_without_being_parsed():
    assert "20 MB" in refusal(b"A B\n" * 5_000_001)
    assert "1,000,001 lines" in refusal("1 2\n" * 1_000_001)
    assert "100 bytes" in refusal("ü" * 60, limits=Limits(bytes=100, lines=10))


def test_a_name_of_ten_thousand_characters_is_refused_with_its_line():
    message = refusal("A B\nA " + "x" * 10_000, name="long.txt")
    assert message.startswith("long.txt, line 2: ")
    assert "10,000 characters" in message
    assert len(message) < 150


def test_a_missing_file_a_folder_and_an_unknown_format_are_named(tmp_path):
    for path, reason in ((tmp_path / "none.txt", "no such file"), (tmp_path, "folder")):
        with pytest.raises(InputError, match=reason):
            read_hierarchy(path)
    assert "'graphml'" in refusal("A B", format="graphlm")
    assert refusal("A B\nB B", name="a\nb.txt").startswith("a\\nb.txt, line 2: ")


# --- writing, and reading what was written ------------------------------------------------------


@st.composite
def hierarchies(draw, label=names, weighted=True):
    """A tree or DAG, of one or several tops, some with weights, or classes without edges."""
    found = draw(
        st.lists(label, min_size=1, max_size=8, unique=True).filter(lambda n: "(root)" not in n)
    )
    edges = []
    for k in range(1, len(found)):
        for parent in sorted(draw(st.sets(st.integers(0, k - 1), max_size=2))):
            weight = (
                draw(st.sampled_from([1.0, 0.1, 2.5, 1e-5]))
                if weighted and draw(st.booleans())
                else 1.0
            )
            edges.append((found[parent], found[k], weight))
    h = Hierarchy.from_edges(edges, found)
    return draw(weights(h)) if weighted and draw(st.booleans()) else h


@pytest.mark.parametrize("key", WRITABLE)
@given(h=hierarchies())
def test_what_is_written_reads_back_as_the_same_hierarchy_or_is_refused(key, h):
    try:
        text = write_hierarchy_text(h, key)
    except InputError:
        return
    assert read_hierarchy_text(text, format=key) == h


@pytest.mark.parametrize("key", WRITABLE)
@given(h=hierarchies(weighted=False))
@example(h=Hierarchy.from_edges([], nodes=["&amp;"]))
def test_what_is_written_is_recognised_by_content_and_extension(key, h):
    name = "x" + HIERARCHY_FORMATS[key].extensions[0]
    try:
        text = write_hierarchy_text(h, key)
    except InputError:
        return
    assert read_hierarchy_text(text, name=name) == h


@pytest.mark.parametrize("key", WRITABLE)
@given(
    h=hierarchies(label=st.integers(0, 50).map(str), weighted=False).filter(
        lambda h: not h.virtual_root and len(h) > 1
    )
)
def test_every_format_holds_plain_hierarchies(key, h):
    assert read_hierarchy_text(write_hierarchy_text(h, key), format=key) == h


@pytest.mark.parametrize("key", ["json", "node-link", "obo"])
def test_json_and_obo_hold_every_nasty_name(key):
    h = Hierarchy.from_edges([("top", label) for label in NASTY])
    assert read_hierarchy_text(write_hierarchy_text(h, key)) == h


@pytest.mark.parametrize(
    ("h", "formats"),
    [
        (Hierarchy.from_edges([("1", "2", 0.5)]), "json hemkit taxonomy outline obo dot"),
        (Hierarchy.from_edges([("1", "2")]).with_class_weights("depth"), "json hemkit outline obo"),
    ],
)
def test_weights_are_refused_where_the_format_has_no_place_for_them(h, formats):
    for key in formats.split():
        with pytest.raises(InputError, match="weights"):
            write_hierarchy_text(h, key)


WEIGHTED = SMALL.with_class_weights({"A": 0.0, "B": 0.5, "C": 2.0, "T1": 1.0})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("parent,child,class_weight\nA,B,.5\nA,C,2\nB,T1,1\n,A,0\n", ""),
        ("child;parent;weight;Class Weight\nA;;;0\nB;A;1;0.5\nC;A;;2\nT1;B;1;1\n", ""),
        ("parent\tchild\tclass_weight\nA\tB\t0.5\nA\tC\t2\nB\tT1\t1\nA\t\t0\n", ""),
        ('digraph { A [class_weight=0]; B [color=red, class_weight=".5"] C [class_weight=2] A -> '
            '{B C} B -> T1\n'
         "T1 [class_weight=1] }", ""),
        ('{"nodes": [{"id": "A", "class_weight": 0}, {"id": "B", "class_weight": 0.5}, {"id": '
            '"C", "class_weight": 2},'
         '{"id": "T1", "class_weight": 1}], "edges": [{"source": "A", "target": "B"}, {"source": '
             '"A", "target": "C"},'
         '{"source": "B", "target": "T1"}]}', ""),
        ("\n".join(nx.generate_graphml(WEIGHTED.to_networkx())), "x.graphml"),
    ],
    ids=["CSV", "child first", "tabs", "DOT", "node-link", "GraphML"],
)  # fmt: skip
def test_class_weights_are_read_where_a_format_has_a_place_for_them(text, name):
    assert read_hierarchy_text(text, name=name) == WEIGHTED


def test_a_virtual_root_weighs_nothing():
    h = read_hierarchy_text("parent,child,class_weight\n,A,1\n,B,2\n")
    assert [h.class_weight(c) for c in ("(root)", "A", "B")] == [0, 1, 2]
    heavy = h.with_class_weights(dict.fromkeys(h.nodes, 1.0))
    with pytest.raises(InputError, match="virtual root"):
        write_hierarchy_text(heavy, "csv")


def test_a_deep_hierarchy_is_refused_as_nested_json():
    chain = Hierarchy.from_edges([(str(k), str(k + 1)) for k in range(1000)])
    for key in ("json", "outline"):
        with pytest.raises(InputError, match="edge list"):
            write_hierarchy_text(chain, key)
    assert read_hierarchy_text(write_hierarchy_text(chain, "edges")) == chain


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "h.csv"
    write_hierarchy(SMALL, path)
    before = path.read_bytes()
    with pytest.raises(InputError):
        write_hierarchy(Hierarchy.from_edges([("a\nb", "c")]), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["h.csv"]
    assert read_hierarchy(path) == SMALL


# --- real files ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "separator", "step"),
    [
        ("germeval2019/hierarchy.txt", "\t", 1),
        ("hwv/hwv.taxonomy", "\t", 1),
        ("icd9/icd9_hierarchy.csv", ",", -1),
    ],
)
def test_hierarchies_of_data_sets_are_what_a_plain_loop_reads(data, name, separator, step):
    lines = (data / name).read_text("utf-8").splitlines()[name.endswith("csv") :]
    parents = {}
    for line in lines:
        parent, *children = line.split(separator)[::step]
        parents.setdefault(parent, set())
        for child in children:
            parents.setdefault(child, set()).add(parent)
    tops = {c for c in parents if not parents[c]}
    h = read_hierarchy(data / name)
    assert set(h.children(h.root) if h.virtual_root else [h.root]) == tops
    assert set(h.nodes) - {"(root)"} == set(parents)
    assert all(set(h.parents(c)) - {"(root)"} == above for c, above in parents.items())


@pytest.mark.parametrize("format", ["edges", "csv"])
def test_edges_between_taxonomic_paths_are_read_back_as_edges(format):
    h = Hierarchy.from_edges(
        [
            ("k__Bacteria; p__Firmicutes", "k__Bacteria; p__Firmicutes; c__X"),
            ("Life", "k__Bacteria; p__Firmicutes"),
        ]
    )
    assert read_hierarchy_text(write_hierarchy_text(h, format)) == h
