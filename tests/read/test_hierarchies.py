"""Hierarchies in files: every format read and written, recognised by its content, and refused with
the line and the reason.
"""

import io
import json
import time

import networkx as nx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError
from hiermeasures.read import (
    HIERARCHY_FORMATS,
    UPLOAD,
    Limits,
    read_hierarchy,
    read_hierarchy_text,
    write_hierarchy,
    write_hierarchy_text,
)
from hiermeasures.read.hierarchies import recognised
from hiermeasures.read.source import Source
from tests.conftest import SAMPLES
from tests.conftest import weighted as weights
from tests.read.names import NASTY, names

WRITABLE = [key for key, known in HIERARCHY_FORMATS.items() if known.writable]
SMALL = Hierarchy.from_edges([("A", "B"), ("A", "C"), ("B", "T1")])
DAG = Hierarchy.from_edges([("1", "2"), ("1", "3"), ("2", "4"), ("3", "4")])


def refusal(text, **options):
    with pytest.raises(InputError) as raised:
        read_hierarchy_text(text, **options) if isinstance(text, str) else read_hierarchy(
            text, **options
        )
    message = str(raised.value)
    assert "\n" not in message
    return message


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


def test_the_third_column_is_the_weight():
    h = read_hierarchy_text("parent,child,weight\nA,B,0.5\nB,C,2\n")
    assert (h.weight("A", "B"), h.weight("B", "C")) == (0.5, 2.0)


def test_names_with_blanks_stay_whole_where_tabs_or_commas_separate():
    h = read_hierarchy_text(
        "Literatur & Unterhaltung\tRomane & Erzählungen\nRomane & Erzählungen\tNatur, "
        "Wissenschaft\n"
    )
    assert h.nodes == ("Literatur & Unterhaltung", "Romane & Erzählungen", "Natur, Wissenschaft")
    assert read_hierarchy_text("Sci Fi,Space Opera\nSci Fi,Time Travel\n").root == "Sci Fi"


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


def test_the_line_that_does_not_fit_is_named():
    assert refusal("A B\nA C D E\n", name="h.txt").startswith(
        "h.txt, line 2: parent and child, separated by a blank, are expected"
    )
    assert (
        refusal("A B\nA C D\n")
        == "line 2: the weight from 'A' to 'C' is D; an edge weight is a positive number"
    )
    assert (
        refusal("# note\nA,B\n\nA,C,-1\n")
        == "line 4: the weight from 'A' to 'C' is -1; an edge weight is a positive number"
    )
    assert "is nan; an edge weight is a positive number" in refusal("A,B,nan\n")
    assert refusal("A,B\nA,,3\n") == "line 2: a name between two delimiters is missing"
    assert refusal('A,B\nA,"C\n').startswith("line 2: the cells cannot be told apart")
    assert refusal("A,B\nB,B\n") == "line 2: class 'B' is its own parent"


def test_a_forgotten_tab_is_named_rather_than_read_as_a_name_with_a_blank():
    assert refusal("A\tB\nA C\n").startswith(
        "line 2: 'A C' has no tab, but other lines separate their names by tabs"
    )


def test_a_cycle_names_its_classes():
    assert (
        refusal("A B\nB C\nC B\n", name="h.txt")
        == "h.txt: the hierarchy has a cycle: 'C' > 'B' > 'C'"
    )


# --- JSON ---------------------------------------------------------------------------------------


def test_nested_json_is_objects_lists_and_names():
    assert read_hierarchy_text('{"A": {"B": ["T1"], "C": null}}') == SMALL
    assert read_hierarchy_text('[{"A": [{"B": "T1"}, "C"]}]') == SMALL
    assert read_hierarchy_text('{"A": ["B", "C"], "B": ["T1"]}') == SMALL


def test_json_says_where_it_breaks():
    assert refusal('{"A": ["B",\n "C" "D"]}', name="x.json").startswith(
        "x.json, line 2: not JSON: "
    )
    assert refusal('{"A": {"B": null, "B": ["C"]}}') == "'B' stands twice at the same place"
    assert refusal('{"A": [1.5]}').startswith("a class is named by text")
    assert refusal('{"A": NaN}') == "NaN is no JSON value"
    assert refusal("17", format="json") == "a nested hierarchy is a JSON object or list, not int"
    assert (
        refusal('{"A": ["\\ud800"]}')
        == "class '\\ud800' holds half a surrogate pair, which is not a character"
    )


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_deep_nesting_is_refused_before_it_is_parsed(opening):
    assert refusal(opening * 1_000_000, format="json") == "nested deeper than 200 levels"


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


def test_node_link_json_may_name_a_node_again_without_its_weight():
    text = '{"nodes": [{"id": "A", "class_weight": 2}, {"id": "A", "class_weight": null}], "edges": []}'
    assert read_hierarchy_text(text).class_weight("A") == 2


def test_node_link_json_that_is_incomplete_is_refused():
    assert (
        refusal('{"nodes": [{"id": "A"}], "links": [{"source": "A"}]}') == "edge 1 has no 'target'"
    )
    assert refusal('{"directed": false, "nodes": [{"id": "A"}], "links": []}').startswith(
        "the graph is undirected"
    )


def test_classes_called_nodes_and_edges_are_still_a_nested_hierarchy():
    assert read_hierarchy_text('{"nodes": ["a"], "edges": ["b"]}').edges == (
        ("(root)", "nodes"),
        ("(root)", "edges"),
        ("nodes", "a"),
        ("edges", "b"),
    )


# --- the other formats --------------------------------------------------------------------------


def test_a_hemkit_file_holds_whole_numbers():
    assert read_hierarchy_text("1 2\n1 3\n2 4\n3 4\n") == DAG
    assert (
        refusal("1 2\n1 x\n", format="hemkit")
        == "line 2: a line of a HEMKit file is two whole numbers, not '1 x'"
    )
    assert (
        refusal("1 2\n1 2 3\n", format="hemkit")
        == "line 2: a line of a HEMKit file is two whole numbers, not '1 2 3'"
    )


def test_a_taxonomy_line_is_a_parent_and_its_children():
    assert read_hierarchy_text("A\tB\tC\nB\tT1\n") == SMALL
    assert read_hierarchy_text("1\t2\t3\n2\t4\n3\t4\n", name="t.taxonomy") == DAG
    assert (
        refusal("A\tB\t\tC\n", name="t.taxonomy")
        == "t.taxonomy, line 1: a name between two tabs is missing"
    )


OBO = """format-version: 1.2
ontology: pets

[Term]
id: P:1
name: pet

[Term]
id: P:2
name: cat
is_a: P:1 {source="x"} ! pet

[Term]
id: P:3
is_a: P:1 ! pet
is_a: P:9 ! gone

[Term]
id: P:9
is_obsolete: true

[Typedef]
id: part_of
is_a: nothing
"""


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


def test_names_with_blanks_and_several_tops_are_an_outline_too():
    h = read_hierarchy_text("living things\n  sea lion\n    a b c\nstones\n")
    assert set(h.edges) == {
        ("(root)", "living things"),
        ("living things", "sea lion"),
        ("sea lion", "a b c"),
        ("(root)", "stones"),
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A\n\tB\n    C\n", "line 3: is indented with tabs"),
        ("A\n    B\n  C\n", "line 3: 'C' is indented less"),
        ("  A\n    B\n", "line 1: the first line of an outline is not indented"),
        ("A\n  A\n", "line 2: class 'A' is its own parent"),
    ],
)
def test_an_outline_that_is_none_names_its_line(text, said):
    assert said in refusal(text, name="x.outline")


def test_edges_that_happen_to_be_indented_are_still_edges():
    assert read_hierarchy_text("A B\n A C\n") == read_hierarchy_text("A B\nA C\n")


def test_graphml_is_read_as_networkx_writes_it():
    graph = nx.DiGraph([("A", "B"), ("A", "C")])
    graph.add_edge("B", "T1", weight=2.5)
    h = read_hierarchy_text("\n".join(nx.generate_graphml(graph)))
    assert h.edges == SMALL.edges
    assert h.weight("B", "T1") == 2.5


def test_graphml_that_cannot_be_read_is_refused_once_by_name_and_line():
    opening = (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
    )
    long = f'<node id="{"x" * 1001}"/></graph></graphml>'
    assert refusal(opening + long, name="x.graphml").startswith(
        "x.graphml: a class name of 1,001 characters"
    )
    unknown = '<node id="A"><data key="d9">1</data></node></graph></graphml>'
    assert refusal(opening + unknown, name="x.graphml").startswith(
        "x.graphml, line 1: data of the key 'd9'"
    )
    several = (
        opening.partition("<graph ")[0] + '<graph edgedefault="directed"/>\n' * 2 + "</graphml>"
    )
    assert (
        refusal(several, name="x.graphml")
        == "x.graphml, line 2: holds several graphs; a hierarchy is one"
    )
    assert "line 1: <edge> has no target" in refusal(
        opening + '<edge source="A"/></graph></graphml>', name="x.graphml"
    )
    damaged = (
        opening.replace("<graph ", '<key id="w" attr.naee="weight"/><graph ')
        + '<node id="A"/></graph></graphml>'
    )
    assert "<key> has no attr.name" in refusal(damaged, name="x.graphml")
    assert "holds no <graph>" in refusal(
        opening.replace("/xmlns", "/xmln;") + "</graph></graphml>", name="x.graphml"
    )
    assert "a hyperedge" in refusal(opening + "<hyperedge/></graph></graphml>", name="x.graphml")
    undirected = '<edge source="A" target="B" directed="false"/></graph></graphml>'
    assert "needs a directed graph" in refusal(opening + undirected, name="x.graphml")


def test_a_default_in_graphml_is_the_weight_of_edges_that_have_none():
    h = read_hierarchy_text(
        '<graphml><key id="w" for="edge" attr.name="weight" '
        'attr.type="double"><default>2.5</default></key>'
        '<graph edgedefault="directed"><edge source="A" target="B"/>'
        '<edge source="A" target="C"><data key="w">4</data></edge></graph></graphml>'
    )
    assert (h.weight("A", "B"), h.weight("A", "C")) == (2.5, 4)


@pytest.mark.parametrize(
    "text",
    [
        "<graphml",
        "<graphml></graphml>",
        "<?xml version='1.0'?><a>b</a>",
        "<graphml><graph/></graphml>",
    ],
)
def test_graphml_that_is_none_is_refused_in_one_line(text):
    refusal(text, name="x.graphml")


@pytest.mark.parametrize(
    "declared", ['="{}"', ":p\n= '{}'", ':{}=""', ':p="\'" xmlns:q="{}"', " {}= 'x'", "={} 'x'"]
)
def test_graphml_that_declares_a_long_namespace_is_refused(declared):
    long = (" " if "'x'" in declared else "x") * 101
    assert "line 2: declares a namespace" in refusal(f"<graphml\nxmlns{declared.format(long)}/>")


def test_what_else_is_long_in_graphml_is_read():
    opening = (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:p="p" p:at="'
        + "http://x " * 20
    )
    text = f'{opening}"><desc>{"about xmlns " * 20}</desc><graph edgedefault="directed"><node id="xmlns"/></graph>'
    assert read_hierarchy_text(f"{text}</graphml>").nodes == ("xmlns",)


def test_an_undirected_graph_is_no_hierarchy():
    text = "\n".join(nx.generate_graphml(nx.Graph([("A", "B")])))
    assert (
        refusal(text, name="u.graphml")
        == "u.graphml, line 2: a hierarchy needs a directed graph, with edges from parent to child"
    )


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


def test_braces_in_dot_stand_for_all_nodes_in_them():
    h = read_hierarchy_text("digraph { A -> {B {C}} -> D }")
    assert set(h.edges) == {("A", "B"), ("A", "C"), ("B", "D"), ("C", "D")}


def test_a_weight_in_dot_is_no_distance():
    h = read_hierarchy_text("digraph { A -> B [weight=3] }")
    assert h.weight("A", "B") == 1
    assert h.notes == ("`weight` is about the drawing in DOT and is not read",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("graph { A }", "a hierarchy is one digraph"),
        ("graph { A -- B }", "line 1: a hierarchy is one digraph"),
        ("digraph {\n A -- B }", "line 2: -- is an undirected edge"),
        ("digraph {\n A -> \n}", "line 3: no DOT that can be read from here on ('}')"),
        ("digraph {\n -> A }", "line 2: no DOT"),
        ("digraph { A -> B [color=red] -> C }", "line 1: no DOT"),
        ("digraph { A -> {} }", "an arrow at braces without a class"),
        ("digraph {\n A -> A }", "class 'A' is its own parent"),
        ("digraph { A\n [label=<b>] }", "node 'A' has a label of HTML"),
        ("digraph { <b> -> A }", "a name of HTML"),
        ("digraph { A [name=<b] }", "a < is opened and never closed"),
        (
            "digraph { A -> B; }\n A -> C;",
            "line 2: something follows the closing brace of the graph",
        ),
        ("digraph { A -> B }\n}", "line 2: something follows the closing brace of the graph"),
        ("digraph { A -. B }", "no DOT that can be read from here on ('-')"),
        ("digraph { A -> sea-5 }", "no DOT that can be read from here on ('-')"),
        ("digraph { A -> B [label", "no DOT that can be read: it ends before"),
        ("digraph {\n A -> B", "line 2: no DOT that can be read: it ends before"),
        ("digraph { A [label=x]\n B [label=x] }", "nodes 'A' and 'B' are both called 'x'"),
        ("digraph { A [label=B]\n B }", "nodes 'A' and 'B' are both called 'B'"),
        ("digraph {\n sea-lion }", "line 2: no DOT"),
        ("digraph {\n node -> A }", "node is a keyword"),
        ('digraph {\n "" -> A }', "a class without a name"),
        ('digraph {\n "A -> B }\n', "line 2: a quote is opened and never closed"),
        ("digraph {\n /* A }\n", "line 2: a comment is opened and never closed"),
        ("digraph { }", "a graph without a class"),
        ("digraph {\n { A\n", "line 2: no DOT"),
        ("digraph { A } digraph { B }", "a hierarchy is one digraph"),
        ("digraph { A -> B -> A }", "the hierarchy has a cycle"),
        ("digraph " + "{" * 300, "nested deeper than 200 levels"),
    ],
)
def test_dot_that_is_no_hierarchy_is_refused(text, said):
    assert said in refusal(text, name="x.gv")


# --- what no format accepts ---------------------------------------------------------------------


def test_bytes_that_are_no_utf8_text_are_refused_with_their_position():
    assert refusal("A;Bücher\n".encode("latin-1"), name="x.csv") == (
        "x.csv, line 1: not UTF-8 text: byte 0xFC at position 3; save it as UTF-8"
    )
    assert refusal("A B\n".encode("utf-16")) == "this is UTF-16 text; save it as UTF-8"
    assert (
        refusal(b"A B\nA \x00\n")
        == "line 2: holds a NUL byte at position 6, so it is not a text file"
    )
    assert refusal("A B\nA \x00\n") == "line 2: holds a NUL byte, so it is not text"


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff"])
def test_an_empty_file_is_called_empty(text):
    assert refusal(text, name="e.txt") == "e.txt: this is empty"


def test_a_file_of_comments_has_no_edges():
    assert refusal("# only\n# this\n") == "holds no edges, only comments"


def test_what_is_too_large_is_refused_without_being_parsed():
    assert refusal(b"A B\n" * 5_000_001) == "larger than 20 MB, which is the most that is read here"
    assert refusal("1 2\n" * 1_000_001) == "has 1,000,001 lines; at most 1,000,000 are read here"
    tight = Limits(bytes=100, lines=10)
    assert "larger than 100 bytes" in refusal("ü" * 60, limits=tight)


def test_a_name_of_ten_thousand_characters_is_refused_with_its_line():
    message = refusal("A B\nA " + "x" * 10_000, name="long.txt")
    assert message.startswith("long.txt, line 2: a class name of 10,000 characters")
    assert len(message) < 150
    assert "10,000 characters" in refusal(json.dumps({"A": ["x" * 10_000]}))


def test_a_missing_file_and_a_folder_are_named(tmp_path):
    assert refusal(tmp_path.joinpath("none.txt").as_posix().encode(), format="json").startswith(
        "line 1: not JSON"
    )
    for path, reason in (
        (tmp_path / "none.txt", "there is no such file"),
        (tmp_path, "this is a folder, not a file"),
    ):
        with pytest.raises(InputError, match=reason):
            read_hierarchy(path)


def test_an_unknown_format_names_the_nearest():
    assert refusal("A B", format="graphlm").startswith(
        "unknown format 'graphlm'; nearest known: 'graphml'"
    )


def test_a_file_name_cannot_break_the_message():
    assert refusal("A B\nB B", name="a\nb.txt") == "a\\nb.txt, line 2: class 'B' is its own parent"


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


def test_csv_holds_all_but_tabs_line_breaks_and_outer_blanks():
    for label in NASTY:
        h = Hierarchy.from_edges([("top", label), (label, "below")])
        if any(c in label for c in "\t\n") or label != label.strip():
            with pytest.raises(InputError, match="a CSV edge list cannot hold class"):
                write_hierarchy_text(h, "csv")
        else:
            assert read_hierarchy_text(write_hierarchy_text(h, "csv"), name="x.csv") == h


@pytest.mark.parametrize(
    ("h", "said", "others"),
    [
        (Hierarchy.from_edges([("1", "2", 0.5)]), "holds no edge weights", ["dot"]),
        (
            Hierarchy.from_edges([("1", "2")]).with_class_weights("depth"),
            "holds no class weights",
            [],
        ),
    ],
)
def test_weights_are_refused_where_the_format_has_no_place_for_them(h, said, others):
    for key in ("json", "hemkit", "taxonomy", "outline", "obo", *others):
        with pytest.raises(InputError, match=said):
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
    with pytest.raises(InputError, match="a virtual root is not written; name the root first"):
        write_hierarchy_text(heavy, "csv")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("parent,child,class_weight\nA,B,1\n", "class 'A' has no class_weight, and other "
            "classes have"),
        ("parent,child,class_weight\n,A,1\nA,B,-1\n", "the weight of class 'B' is -1; a class "
            "weighs 0 or more"),
        ("parent,child,class_weight\n,A,1\nA,B,x\n", "the weight of class 'B' is x; a class "
            "weighs 0 or more"),
        ("parent,child,class_weight\n,A,nan\nA,B,1\n", "the weight of class 'A' is nan; a class "
            "weighs 0 or more"),
        ("parent,child,class_weight\n,A,1e13\nA,B,1\n", "the weight of class 'A' is 1e13; a class "
            "weighs 1e+12"),
        ("parent,child,class_weight\nA,B,1\nA,C,1\nC,B,2\n,A,1", "line 4: class 'B' has two "
            "weights, 1 and 2"),
        ("digraph { A [class_weight=1]\n "
            "A -> B }", "class 'B' has no class_weight, and other "
            "classes have"),
        ('{"nodes": [{"id": "A", "class_weight": [1]}], '
            '"edges": []}', "the weight of "
            "class 'A' is [1]"),
    ],
)  # fmt: skip
def test_class_weights_that_cannot_be_used_name_their_class(text, said):
    assert said in refusal(text, name="x")


def test_a_deep_hierarchy_is_refused_as_nested_json():
    chain = Hierarchy.from_edges([(str(k), str(k + 1)) for k in range(1000)])
    with pytest.raises(InputError, match="write an edge list"):
        write_hierarchy_text(chain, "json")
    with pytest.raises(InputError, match="write an edge list"):
        write_hierarchy_text(chain, "outline")
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


def test_the_extension_chooses_the_format_to_write(tmp_path):
    for key in WRITABLE:
        path = tmp_path / f"h{HIERARCHY_FORMATS[key].extensions[0]}"
        write_hierarchy(DAG, path)
        assert read_hierarchy(path) == DAG
    with pytest.raises(InputError, match="no format has this extension"):
        write_hierarchy(DAG, tmp_path / "h.docx")
    with pytest.raises(InputError, match="cannot be written"):
        write_hierarchy(DAG, tmp_path / "nowhere" / "h.csv")


def test_a_hierarchy_is_written_to_open_streams_of_text_and_bytes():
    text, data = io.StringIO(), io.BytesIO()
    write_hierarchy(SMALL, text, "edges")
    write_hierarchy(SMALL, data, "edges")
    assert data.getvalue().decode() == text.getvalue() == "A\tB\nA\tC\nB\tT1\n"
    assert read_hierarchy(io.BytesIO(data.getvalue())) == SMALL


@pytest.mark.parametrize(
    ("text", "name", "key"),
    [
        ("A,B\n", "", "csv"),
        ("A\tB\n", "", "edges"),
        ("1 2\n", "", "hemkit"),
        ("A B\n", "", "edges"),
        ("A\tB\tC\n", "", "taxonomy"),
        ("1\t2\t3\n", "", "edges"),
        ("1\t2\t3\n", "x.taxonomy", "taxonomy"),
        ('{"A": null}', "x.txt", "json"),
        (OBO, "x.txt", "obo"),
        ("[Term]\nid: a\n", "", "obo"),
        ("<graphml/>", "", "graphml"),
        ("// a comment\nstrict digraph pets { A -> B }", "x.txt", "dot"),
        ("graph{A--B}", "", "dot"),
        ("digraph A\ndigraph B\n", "", "edges"),
        ('{"nodes": [], "links": []}', "", "node-link"),
    ],
)
def test_the_format_is_recognised(text, name, key):
    assert recognised(text, Source(name), UPLOAD) == key


# --- real files ---------------------------------------------------------------------------------


def plain_lines(path):
    return [line.rstrip("\r\n") for line in path.open(encoding="utf-8", newline="")]


def counted(edges, labels=()):
    """Classes, distinct edges, tops and classes of several parents, by plain loops."""
    parents = {label: set() for label in labels}
    for parent, child in edges:
        parents.setdefault(parent, set())
        parents.setdefault(child, set()).add(parent)
    tops = sorted(c for c in parents if not parents[c])
    return (
        len(parents),
        sum(map(len, parents.values())),
        tops,
        sum(len(p) > 1 for p in parents.values()),
    )


def test_the_germeval_hierarchy_loads_with_its_several_tops_and_umlauts(data):
    path = data / "germeval2019/hierarchy.txt"
    rows = [line.split("\t") for line in plain_lines(path)]
    classes, edges, tops, several = counted(
        [row for row in rows if len(row) == 2], [row[0] for row in rows]
    )
    h = read_hierarchy(path)
    assert len(h) == classes + 1 == (9 if data == SAMPLES else 344)
    assert len(h.edges) == edges + len(tops) == len(h) - 1
    assert sorted(h.children(h.root)) == tops
    assert len(tops) == (3 if data == SAMPLES else 8)
    assert h.virtual_root
    assert h.is_tree == (several == 0)
    assert ("Märchen & Sagen" if data == SAMPLES else "Romane & Erzählungen") in h


def test_the_wikivitals_taxonomy_loads(data):
    path = data / "hwv/hwv.taxonomy"
    rows = [line.split("\t") for line in plain_lines(path)]
    classes, edges, tops, several = counted((row[0], child) for row in rows for child in row[1:])
    h = read_hierarchy(path)
    assert (len(h), len(h.edges), [h.root], h.is_tree) == (classes, edges, tops, several == 0)


def test_the_icd9_hierarchy_is_read_from_parent_to_child_as_its_header_says(data):
    path = data / "icd9/icd9_hierarchy.csv"
    classes, edges, tops, several = counted(line.split(",")[::-1] for line in plain_lines(path)[1:])
    h = read_hierarchy(path)
    assert (len(h), len(h.edges), [h.root], h.is_tree) == (classes, edges, tops, several == 0)
    assert h.root == "@"
    assert "364.1" in h.children("364")


@pytest.mark.parametrize("format", ["edges", "csv"])
def test_edges_between_taxonomic_paths_are_read_back_as_edges(format):
    h = Hierarchy.from_edges(
        [
            ("k__Bacteria; p__Firmicutes", "k__Bacteria; p__Firmicutes; c__X"),
            ("Life", "k__Bacteria; p__Firmicutes"),
        ]
    )
    assert read_hierarchy_text(write_hierarchy_text(h, format)) == h


@pytest.mark.parametrize(
    ("text", "name", "line", "word"),
    [
        ("parent,child\nb,a\rb\n", "t.csv", 2, "carriage return"),
        ('level1\tlevel"2\nA\tB\n', "t.tsv", 1, "quote"),
    ],
)
def test_odd_characters_in_tables_are_refused(text, name, line, word):
    with pytest.raises(InputError, match=f"{name}, line {line}: .*{word}"):
        read_hierarchy_text(text, name=name)
