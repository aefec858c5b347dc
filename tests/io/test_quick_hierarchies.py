"""Ordinary hierarchies in OBO, DOT, GraphML and outlines are read as arrays or element by element, and
everything else by the careful readers: whichever does it, the same comes out.
"""

from contextlib import suppress

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hiermeasures import Hierarchy, InputError
from hiermeasures.io import Limits, read_hierarchy_text, write_hierarchy_text
from hiermeasures.io.hierarchies import dot, graphml, obo_terms, outline
from hiermeasures.io.hierarchies.building import build_numbered
from hiermeasures.io.hierarchies.dot_graph import graph_as_arrays
from hiermeasures.io.ontology import read_ontology
from hiermeasures.io.source import UPLOAD, Source
from hiermeasures.io.words import Unusual
from tests.io.test_as_arrays import mutated, outcome

SMALL = Limits(bytes=4_000, lines=40, nesting=3, label=12)
limits = st.sampled_from([UPLOAD, SMALL])
names = st.sampled_from([*"ABCDE", "longer than 8", "é", "a:b", "a\\Wb", "a\\!b", "x ! y", "z {w}", "\xa0", ""])


def text_of(data):
    return data.decode("utf-8", "replace")


# --- OBO ----------------------------------------------------------------------------------------------------------

TAGS = ["is_a: ", "is_a: ", "is_a:", "relationship: part_of ", "relationship: regulates ", "namespace: ", "alt_id: "]
TAGS += ["name: ", "is_obsolete: true ! ", "is_obsolete:", "id: ", "!", "", " is_a: ", "nonsense ", "part_of: "]
TAGS += ["relationship: part\\_of ", "relationship:part_of\t"]


@st.composite
def stanzas(draw):
    lines = draw(st.sampled_from([[], ["format-version: 1.4", ""], ["default-namespace: N"]]))
    for kind, name in draw(st.lists(st.tuples(st.sampled_from(["[Term]"] * 5 + ["[Typedef]", "[Term] x"]), names))):
        lines += [kind, f"id: {name}"]
        lines += [tag + value for tag, value in draw(st.lists(st.tuples(st.sampled_from(TAGS), names), max_size=3))]
    return "\n".join(lines)


def said(terms):
    return terms.names, terms.tag.tolist(), terms.term.tolist(), terms.value.tolist(), terms.line.tolist()


@given(data=mutated(stanzas()), limits=limits)
@example(b"[Term]\nid: A\n[Term]\nid: B\nis_a: A ! a\nrelationship: part_of A {x=y}\nnamespace: N\nname: b", UPLOAD)
@example(b"[Term]\nid: A\nnamespace:\nis_obsolete: false\n[Typedef]\nid: A\n[Term]\nid: a\\Wb\nalt_id:", UPLOAD)
@example(b"[Term]\nid: a\\Wb\nis_a: a b", UPLOAD)
@example(b"[Term]\nid: A\nrelationship: part\\_of B\nrelationship: part_of \xc2\xa0B", UPLOAD)
def test_terms_read_as_arrays_are_what_the_careful_reader_reads(data, limits):
    text = text_of(data)
    with suppress(Unusual):
        quick = said(obo_terms._terms_as_arrays(text, limits))
        assert quick == said(obo_terms._terms_line_by_line(text, Source("f.obo")))


def test_ordinary_terms_are_read_as_arrays(monkeypatch):
    monkeypatch.setattr(obo_terms, "_terms_line_by_line", None)
    text = '[Term]\nid: A\ndef: "\xa0: [\\"a\\"]" [x]\n\n[Typedef]\nid: x\n\n[Term]\nid: B\\Wb\nis_a: A {x="y"} ! a\n'
    assert read_hierarchy_text(text).edges == (("A", "B b"),)


def test_an_alternative_id_stands_for_terms_of_one_namespace_be_it_named_or_the_default():
    both = "default-namespace: N\n[Term]\nid: A\nalt_id: X\n[Term]\nid: B\nis_a: A\nalt_id: X\nnamespace: {}\n"
    assert read_ontology(both.format("N").encode()).alternative == {"X": ("A", "B")}
    with pytest.raises(InputError, match="'X' is an alternative id of terms of several namespaces: 'A', 'B'"):
        read_ontology(both.format("M").encode())


# --- DOT ----------------------------------------------------------------------------------------------------------

IDS = [*"ABCDE", '"A"', '"longer than 8"', "é", "-5", ".5", "1.5", "1.", '"a\\"b"', '"a -> [b]; {"']
ODD_IDS = ['"a\\\\"', '""', "nOde", "2nd", "v1.5", "1.5.2", ".", "{A B}", "A:n", '"a\\\nb"', '"a\nb"', "a=b"]
VALUES = [*IDS, '"\\N\\n"', '" "', "2", '"1.5"', "graph", ""]
ENTRIES = ["label=", "label=", '"label"=', "color=", "class_weight=", "icm_weight=", "weight=", "weight"]
ALONE = ["rankdir=LR", "edge [weight=2]", "Node [label=x]", "", "[a=b]", "subgraph", "a = b = c", "// c", "x\n# c"]


@st.composite
def digraphs(draw):
    ids = st.sampled_from(draw(st.sampled_from([IDS, IDS, IDS + ODD_IDS])))
    between = draw(st.sampled_from([", ", ",", ";", " "]))
    text = draw(st.sampled_from(["digraph {", 'strict digraph "a b"\n{\n', "DiGraph g{", "digraph node {", "graph {"]))
    for chain in draw(st.lists(st.one_of(*[st.lists(ids, min_size=1, max_size=3)] * 4, st.just([])), max_size=6)):
        entries = draw(st.lists(st.tuples(st.sampled_from(ENTRIES), st.sampled_from(VALUES)), max_size=2))
        text += draw(st.sampled_from([" -> ", "->"])).join(chain) or draw(st.sampled_from(ALONE))
        if draw(st.booleans()):
            text += f" [{between.join(key + value for key, value in entries)}]"
        text += draw(st.sampled_from([";\n", ";\n", "\n", " ", "; "]))
    return text + draw(st.sampled_from(["}", "}\n", "} // c", "", "}}"]))


def graph_of(graph):
    edges = [column.tolist() for column in (graph.parent, graph.child, graph.line)]
    return graph.nodes, edges, graph.labels, graph.weights, graph.has_weight


@given(data=mutated(digraphs()), limits=limits)
@example(
    b'digraph {\nA->"B"->C [label=x]\nA [label="\\N a", class_weight=2]; B [label=y,label=z];D\n[weight=1]}', UPLOAD
)
@example(b"digraph {A [label=B]; B}", UPLOAD)
@example(b"digraph {A -> B C -> D node [label=x] rank=1 E}", UPLOAD)
@example(b"digraph {A -> B; B [x=1] -> C}", UPLOAD)
@example(b'digraph {"a" "\\"a" -> "a\\\\" b}', UPLOAD)
@example(b"digraph {a ->; b}", UPLOAD)
@example(b"digraph {a -> b = c}", UPLOAD)
@example(b"digraph {a -> node [b=c]}", UPLOAD)
@example(b"digraph {a [b=c;;d=e]}", UPLOAD)
@example(b"digraph {a; strict [b=c]}", UPLOAD)
@example(b"digraph {a; subgraph [b=c]}", UPLOAD)
def test_graphs_read_as_arrays_are_what_the_careful_reader_reads(data, limits):
    text = text_of(data)
    with suppress(Unusual):
        quick = graph_of(graph_as_arrays(text, limits))
        assert quick == graph_of(dot._graph_by_token(text, Source("f.gv"), limits))


def test_ordinary_graphs_are_read_as_arrays(monkeypatch):
    monkeypatch.setattr(dot, "_graph_by_token", None)
    text = (
        'strict digraph G {\n node [shape=box]; rankdir=LR\n "a \\"b\\"" -> c -> d [width=0.5];\nc [label="\\N, e"] }\n'
    )
    assert read_hierarchy_text(text).edges == (('a "b"', "c, e"), ("c, e", "d"))


# --- GraphML ------------------------------------------------------------------------------------------------------

OPENING = '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d0" for="edge" attr.name="weight" attr.type='
KEY = '/><key id="d1" for="node" attr.name="class_weight" attr.type="double"'
NODES = ['<node id="{}"/>', '<node id="{}"></node>', "<node id='{}'><data key=\"d1\">2</data></node>", "<node/>"]
NODES += ['<node id="{}"><desc/></node>', '<node id="{}"><data key="d9">1</data></node>', "<port/>", "<!--c-->"]
EDGES = ['<edge source="{}" target="{}"/>', '<edge target="{}" source="{}"><data key="d0">{}</data></edge>']
EDGES += ['<edge id="1" source="{}" target="{}"/>', '<edge source="{}" target="{}" directed="false"/>']
EDGES += ["<edge/>", "<hyperedge/>", '<graph edgedefault="directed"/>', '<data key="d0">{}</data>']


@st.composite
def documents(draw):
    numbers = st.sampled_from(["1.5", "1", "2", " 2 ", "-1", "nan", "1e9", "", "x", "&#50;"])
    ids = st.sampled_from([*"ABCDE", "longer than 8", "&amp;", "12", "é", ""])
    kind = draw(st.sampled_from(["double", "double", "int", "string", "boolean"]))
    text = f'{OPENING}"{kind}"{KEY}/><graph edgedefault="{draw(st.sampled_from(["directed"] * 4 + ["undirected"]))}">'
    for form in draw(st.lists(st.sampled_from(NODES[:3] * 4 + NODES), max_size=3)):
        text += form.format(draw(ids))
    for form in draw(st.lists(st.sampled_from(EDGES[:3] * 4 + EDGES), max_size=5)):
        text += form.format(draw(ids), draw(ids), draw(numbers)) + draw(st.sampled_from(["", "\n"]))
    return text + draw(st.sampled_from(["</graph></graphml>"] * 5 + ["</graph><graph/></graphml>", "</graph>"]))


@given(data=mutated(documents()), limits=limits)
@example(f'{OPENING}"int"{KEY}/><graph edgedefault="directed"/></graphml>'.encode(), UPLOAD)
def test_graphml_read_by_element_is_what_networkx_reads(data, limits):
    text, source = text_of(data), Source("f.graphml")
    careful = outcome(lambda: graphml._read_by_networkx(text, source, limits))
    with suppress(Unusual):
        edges = graphml._edges(text, limits)
        assert outcome(lambda: build_numbered(edges, source, limits)) == careful


def test_ordinary_graphml_is_read_by_element(monkeypatch):
    monkeypatch.setattr(graphml, "_read_by_networkx", None)
    h = Hierarchy.from_edges([("B", "C"), ("A", "B", 2), ("A", "D & E", 1.5)]).with_class_weights("depth")
    read = read_hierarchy_text(write_hierarchy_text(h, "graphml"))
    assert (read, read.class_attributes) == (h, h.class_attributes)


# --- outlines -----------------------------------------------------------------------------------------------------


@st.composite
def outlines(draw):
    blank, lines = draw(st.sampled_from([" ", "\t", "  ", "    "])), []
    for depth, name in draw(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([*"ABCDE", "longer than 8", "é"])))):
        lines.append(blank * (depth if lines else 0) + name)
        lines += draw(st.sampled_from([[]] * 5 + [["# comment"], [""], [" \t"]]))
    return "\n".join(lines)


@given(data=mutated(outlines()), limits=limits)
@example(b"A\n\tB\n\t\tC\n\tB\n\t\tD\nE\n", UPLOAD)
@example(b"A\n  B\n C\n", UPLOAD)
@example(b"A\n  B\n\tC\n", UPLOAD)
@example(b" A\nB\n", UPLOAD)
@example(b"A\n \n  B\n", UPLOAD)
@example(b"A\n B" + b" " * 1200 + b"\n" + b" " * 1200 + b"C\n", UPLOAD)
def test_outlines_read_as_arrays_are_what_the_careful_reader_reads(data, limits):
    text, source = text_of(data), Source("f.outline")
    if text.strip():
        careful = outcome(lambda: outline._read_line_by_line(text, source, limits))
        assert outcome(lambda: outline.read(text, source, limits)) == careful


def test_ordinary_outlines_are_read_as_arrays(monkeypatch):
    monkeypatch.setattr(outline, "_read_line_by_line", None)
    h = read_hierarchy_text("# all\nA\n  B b\n      C\n\n  D\n    C\n", format="outline")
    assert h.edges == (("A", "B b"), ("A", "D"), ("B b", "C"), ("D", "C"))
