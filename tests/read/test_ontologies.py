"""Ontologies, thesauri and taxonomies in the files that people have: what is a class, its name,
what is refused.

The samples are of our own making; of the same thing they hold, all formats give the same hierarchy.
"""

import gzip
import io
import json
import random
import re
import socket
import sys
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

from hiermeasures import Hierarchy, InputError, evaluate, explain
from hiermeasures.cli import main
from hiermeasures.evaluation.encode import encode
from hiermeasures.hierarchy.extras import install_command
from hiermeasures.read import (
    HIERARCHY_FORMATS,
    Limits,
    read_hierarchy,
    read_hierarchy_text,
    write_hierarchy_text,
)
from hiermeasures.read.hierarchies.rdf import _KEPT, OWL_IRI, RDFS, SKOS, TYPE
from hiermeasures.read.hierarchies.rdf_xml import read_statements
from hiermeasures.read.sandbox import sandboxed
from hiermeasures.read.source import Source
from tests.conftest import SAMPLES

FOLDER = SAMPLES / "ontologies"
EX = "http://example.org/animals/"
BASE = "http://purl.obolibrary.org/obo/"
TAXDUMP = {
    name: (FOLDER / "taxdump" / name).read_bytes()
    for name in ("nodes.dmp", "names.dmp", "merged.dmp")
}


def refusal(content: str | bytes, name: str, **how) -> str:
    with pytest.raises(InputError) as raised:
        read_hierarchy(content.encode() if isinstance(content, str) else content, name=name, **how)
    message = str(raised.value)
    assert "\n" not in message
    assert message.startswith(name)
    return message


# --- SKOS and RDF Schema ------------------------------------------------------------------------


def animals(syntax: str) -> str:
    """The thesaurus as rdflib writes it."""
    import rdflib

    return rdflib.Graph().parse(FOLDER / "animals.ttl").serialize(format=syntax)


@pytest.mark.parametrize(
    ("syntax", "name"),
    [
        ("turtle", "a.ttl"),
        ("nt", "a.nt"),
        ("xml", "a.rdf"),
        ("pretty-xml", ""),
        ("json-ld", "a.jsonld"),
    ],
)
def test_concepts_are_classes_in_every_syntax_of_rdf(syntax, name):
    h = read_hierarchy_text(animals(syntax), name)
    assert h.edges == (
        (EX + "animal", EX + "bird"), (EX + "animal", EX + "mammal"), (EX + "mammal", EX + "cat"),
        (EX + "mammal", EX + "dog"),
    )  # fmt: skip
    assert [h.title(c) for c in h.nodes] == ["animal", "Vogel", "mammal", "cat", "dog"]
    assert h.parents("A1") == h.parents("cat") == (EX + "mammal",)  # a notation, a label
    assert h.index(EX + "hound") == h.index("dog")  # replaced
    assert [note for note in h.notes if "1 deprecated" in note]
    assert len(h.titles) + len(h.other_names) > 9


def test_without_concepts_classes_of_rdf_schema_are_read():
    text = """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix owl: <http://www.w3.org/2002/07/owl#> .
    <http://e.org/v#A> a owl:Class ; rdfs:subClassOf owl:Thing ; rdfs:label "the top"@en .
    <http://e.org/v#B> rdfs:subClassOf <http://e.org/v#A> , [ a owl:Restriction ] .
    <http://e.org/v#C> a rdfs:Class ."""
    h = read_hierarchy_text(text)
    assert h.edges == (
        ("(root)", "http://e.org/v#A"), ("(root)", "http://e.org/v#C"), ("http://e.org/v#A", "http://e.org/v#B")
    )  # fmt: skip
    assert h.title("http://e.org/v#A") == "the top"
    assert h.index("B") == h.index("http://e.org/v#B")


def test_a_name_of_two_classes_stands_for_neither_and_an_id_always_for_its_own():
    text = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
    <a> a skos:Concept ; skos:prefLabel "same" . <b> a skos:Concept ; skos:prefLabel "same" .
    <c> a skos:Concept ; skos:prefLabel "a" ."""
    h = read_hierarchy_text(text, "a.ttl")
    assert "same" not in h
    assert h.check(["a"]) == {"a"}
    assert h.title("c") == "a"


# --- OWL, OBO Graphs and OBO --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cells.owl", "cells.json", "cells.obo"])
def test_terms_are_classes_in_owl_obo_graphs_and_obo_alike(name):
    h = read_hierarchy(FOLDER / name)
    assert h.edges == (("CL:0000000", "CL:0000542"), ("CL:0000542", "CL:0000084"))
    assert [h.title(c) for c in h.nodes] == ["cell", "lymphocyte", "T cell"]
    # an alternative id, a replaced one
    assert h.check(["CL:0000804", "CL:0000003"]) == {"CL:0000084", "CL:0000000"}
    assert any("1 obsolete" in note for note in h.notes)
    assert {name: is_read for name, _, is_read in h.understood.relations} == {
        "is_a": True,
        "part_of": False,
    }
    assert ("part_of", 1, False) in h.understood.relations


@pytest.mark.parametrize("name", ["cells.owl", "cells.json", "cells.obo"])
def test_relations_that_are_named_lead_to_parents(name):
    alone = read_hierarchy(FOLDER / name, relations=["part_of"])
    ((above, part),) = (edge for edge in alone.edges if edge[0] != "(root)")
    assert above == "CL:0000000"
    both = read_hierarchy(FOLDER / name, relations="is_a,part_of")
    assert set(both.edges) == {*read_hierarchy(FOLDER / name).edges, (above, part)}
    with pytest.raises(InputError, match="unknown relation 'has_port'"):
        read_hierarchy(FOLDER / name, relations="has_port")


def test_titles_and_alternative_ids_are_written_to_obo():
    h = read_hierarchy(FOLDER / "cells.owl")
    again = read_hierarchy_text(write_hierarchy_text(h, "obo"))
    assert (again.edges, again.titles, again.other_names) == (h.edges, h.titles, h.other_names)


def owl_of_cells(syntax: str) -> str:
    """The ontology with a superclass of which it says nothing."""
    import rdflib

    text = (FOLDER / "cells.owl").read_text()
    text = text.replace(
        f'"{BASE}CL_0000000"/>\n    <rdfs:subClassOf>', f'"{BASE}UBERON_7"/>\n    <rdfs:subClassOf>'
    )
    return (
        text
        if syntax == "owl"
        else rdflib.Graph().parse(data=text, format="xml").serialize(format=syntax)
    )


@pytest.mark.parametrize("syntax", ["owl", "turtle", "json-ld"])
def test_a_superclass_that_is_declared_nowhere_is_refused(syntax):
    name = {"turtle": "c.ttl", "json-ld": "c.jsonld"}.get(syntax, "c.owl")
    message = refusal(owl_of_cells(syntax), name)
    assert "not declared" in message
    assert "CL:0000542'" in message or "CL_0000542'" in message
    graphs = json.loads((FOLDER / "cells.json").read_text())
    edge = next(edge for edge in graphs["graphs"][0]["edges"] if edge["pred"] == "is_a")
    edge["obj"] = f"{BASE}UBERON_7"
    assert "'UBERON:7', above 'CL:" in refusal(json.dumps(graphs), "c.json")


# --- NCBI's taxonomy ----------------------------------------------------------------------------


def tar(members: dict[str, bytes], mode: str = "w:gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def ways_to_give_it(folder: Path):
    more = {"readme.txt": b"\xff", **{f"taxdump/{n}": content for n, content in TAXDUMP.items()}}
    yield from (FOLDER / "taxdump", str(FOLDER / "taxdump" / "nodes.dmp"))
    for name, content in (
        ("t.tar.gz", tar(more)),
        ("t.tar", tar(more, "w")),
        ("t.zip", zipped(more)),
    ):
        (folder / name).write_bytes(content)
        yield from (folder / name, content)


@pytest.mark.parametrize("option", [{"rule": "zeros"}, {"errors": "drop"}])
def test_a_taxdump_refuses_options_that_cannot_act(option):
    for source in (FOLDER / "taxdump", zipped(TAXDUMP)):
        with pytest.raises(InputError):
            read_hierarchy(source, **option)


def test_a_taxdump_is_its_folder_its_nodes_or_an_archive(tmp_path):
    for given in ways_to_give_it(tmp_path):
        h = read_hierarchy(given)
        assert len(h) == 9
        assert h.root == "1"
        assert h.ancestors("562") == {"1", "131567", "2", "1224", "561"}
        assert h.title("562") == "Escherichia coli"
        assert h.title("2") == "Bacteria <bacteria>"  # the unique name, where there is one
        assert h.check(["662101", "Escherichia coli"]) == {"562"}  # merged into it


def test_archives_that_hold_something_else_or_are_damaged_are_refused():
    assert "nodes.dmp" in refusal(zipped({"a.txt": b"A B"}), "a.zip")
    assert "damaged" in refusal(tar(TAXDUMP)[:-40], "t.tar.gz")
    assert "damaged" in refusal(gzip.compress(b"1\t|\t1\t|\n"), "nodes.dmp.gz")
    for part in ("names.dmp", "nodes.dmp"):
        damaged = zipped({**TAXDUMP, part: b"1 root"})
        assert refusal(damaged, "t.zip").startswith(f"t.zip/{part}, line 1: ")


def test_an_archive_is_unpacked_up_to_a_bound():
    small = Limits(bytes=100_000, lines=1_000)
    for pack in (tar, zipped):
        packed = pack({"images.dmp" if pack is tar else "nodes.dmp": bytes(3_000_000)})
        assert len(packed) < small.bytes
        assert "2.5 MB" in refusal(packed, "t", limits=small)


# --- Newick -------------------------------------------------------------------------------------


def test_a_tree_is_a_hierarchy_of_its_names():
    h = read_hierarchy(FOLDER / "tree.nwk")
    assert set(h.edges) == {
        ("Mammalia", "Carnivora"), ("Mammalia", "mrca(Mouse+Rat)"), ("Mammalia", "Cow"), ("Carnivora", "Cat"),
        ("Carnivora", "Big dog"), ("mrca(Mouse+Rat)", "Mouse"), ("mrca(Mouse+Rat)", "Rat"),
    }  # fmt: skip
    assert "lengths" in h.notes[0]


def nested(rng: random.Random, leaves: list[str]) -> list:
    """A random tree over some leaves, as lists."""
    if len(leaves) == 1:
        return leaves[0]
    cut = sorted(rng.sample(range(1, len(leaves)), rng.randint(1, min(3, len(leaves) - 1))))
    return [nested(rng, leaves[a:b]) for a, b in zip([0, *cut], [*cut, len(leaves)], strict=True)]


def written(tree, rng: random.Random) -> str:
    if isinstance(tree, str):
        return tree
    return f"({','.join(written(child, rng) for child in rng.sample(tree, len(tree)))})"


def test_inner_nodes_are_named_by_two_leaves_in_whatever_order_they_stand():
    rng = random.Random(5)
    for _ in range(40):
        leaves = rng.sample("ABCDEFGHIJKLMNOP", rng.randint(2, 12))
        tree = nested(rng, leaves)
        first, second = (read_hierarchy_text(written(tree, rng) + ";") for _ in range(2))
        assert first == second
        for node in set(first.nodes) - set(leaves):
            a, b = node.removeprefix("mrca(").removesuffix(")").split("+")
            common = (first.ancestors(a) | {a}) & (first.ancestors(b) | {b})
            assert max(common, key=first.level) == node
            assert [a, b] == sorted([a, b])


def test_numbers_in_place_of_names_are_support_values_unless_leaves_are_numbers():
    h = read_hierarchy_text("((A,B)95,(C,D)95)100;")
    assert h.nodes[:3] == ("mrca(A+C)", "mrca(A+B)", "mrca(C+D)")
    assert "3 numbers" in h.notes[0]
    assert read_hierarchy_text("((4,5)2,(6,7)3)1;").edges[:2] == (("1", "2"), ("1", "3"))


def test_a_tree_may_be_deep():
    deep = "(" * 3_000 + "x" + "".join(f",a{k})b{k}" for k in range(3_000)) + ";"
    assert read_hierarchy_text(deep).depth == 3_000


# --- lists of is-a ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "hound is-a dog\n# a comment\ndog is-a animal\nbig cat is-a animal\n",
        "hound\tis_a\tdog\ndog\tis_a\tanimal\nbig cat\tis_a\tanimal\n",
        "hound,isa,dog\ndog,IsA,animal\nbig cat,isa,animal\n",
        "hound is a dog\ndog is an animal\nbig cat is an animal\n",
        "hyponym,hypernym\nhound,dog\ndog,animal\nbig cat,animal\n",
    ],
)
def test_lists_of_is_a_lead_from_child_to_parent(text):
    assert set(read_hierarchy_text(text).edges) == {
        ("dog", "hound"),
        ("animal", "dog"),
        ("animal", "big cat"),
    }


# --- other names --------------------------------------------------------------------------------


def test_labels_may_be_other_names_wherever_labels_are_read(tmp_path):
    h = read_hierarchy(FOLDER / "taxdump")
    expected = [{"562"}, {"1280"}]
    given = [{"662101"}, ["Staphylococcus aureus"]]
    assert evaluate(h, expected, given, measures="hF").per_instance["hF"].tolist() == [1.0, 1.0]
    assert explain(h, given[0], expected[0])["hF"] == 1.0
    many = ["662101", "Escherichia"] * 15_000
    for labels in (many, np.array(many)):  # which has a kernel
        encoded = encode(h, labels)
        assert encoded.classes(h, 0) == {"562"}
        assert encoded.classes(h, 29_999) == {"561"}
    true, predicted, out = (tmp_path / f"{name}.csv" for name in ("true", "one", "out"))
    true.write_text("id,label\na,562\n")
    predicted.write_text("id,label\na,662101\n")
    command = f"evaluate --hierarchy {FOLDER / 'taxdump'} --true {true} --predicted {predicted}"
    assert main([*command.split(), "--measures", "hF", "--csv", str(out)]) == 0
    assert "1.0" in out.read_text()
    with pytest.raises(InputError, match="'Escherichia colo'"):
        encode(h, ["Escherichia colo"])


def test_answers_of_a_table_may_be_other_names_and_unknown_ones_stay_unknown():
    import pandas as pd

    h = read_hierarchy(FOLDER / "cells.obo")
    table = pd.DataFrame(
        {"id": ["CL:0000084", "CL:0000542"], "answer": ["T cell", "Q cell"]}, dtype="category"
    )
    report = evaluate(table, true="id", predicted="answer", taxonomy=h, measures="hF")
    assert report.per_instance["hF"].tolist()[0] == 1.0
    assert report.answers.rows["unknown"].tolist() == [1]
    assert report.hierarchy.index("T cell") == report.hierarchy.index("CL:0000084")


# --- untrusted files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["animals.ttl", "cells.owl", "cells.json", "cells.obo", "tree.nwk"]
)
def test_an_upload_is_read_in_the_sandbox_and_recognised_without_its_name(name):
    content = (FOLDER / name).read_bytes()
    h = sandboxed(read_hierarchy, content)
    there = read_hierarchy(content, name=name)
    assert (h, h.titles, h.other_names, h.notes) == (
        there,
        there.titles,
        there.other_names,
        there.notes,
    )


@pytest.fixture
def no_network(monkeypatch):
    def refused(*_arguments, **_settings):
        raise AssertionError("a reader reached for the network")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)


@pytest.mark.usefixtures("no_network")
def test_nothing_is_fetched():
    assert len(read_hierarchy(FOLDER / "cells.owl")) == 3  # which imports another file
    remote = "http://127.0.0.1:9/context.jsonld"
    node = {"@id": "http://e.org/a", SKOS + "broader": {"@id": "http://e.org/b"}}
    assert read_hierarchy_text(json.dumps(node)).edges == (("http://e.org/b", "http://e.org/a"),)
    for context in (
        remote,
        [{}, remote],
        {"@import": remote},
        {"x": {"@id": "http://e.org/x", "@context": remote}},
    ):
        assert f"'{remote}'" in refusal(json.dumps({"@context": context, **node}), "a.jsonld")
    for inner in ({"@context": remote}, {"@graph": [{"@context": remote}]}):
        assert "not fetched" in refusal(json.dumps({**node, "http://e.org/p": inner}), "a.jsonld")


@pytest.mark.parametrize("name", ["a.owl", "a.rdf", "a.graphml"])
@pytest.mark.parametrize(
    "entities", ["", " [<!ENTITY a 'b'>]", ' [<!ENTITY f SYSTEM "file:///etc/passwd">]']
)
def test_xml_with_a_document_type_or_an_entity_is_refused(name, entities):
    text = (FOLDER / "cells.owl").read_text()
    text = text.replace("<rdf:RDF", f"<!DOCTYPE rdf:RDF{entities}>\n<rdf:RDF", 1)
    if name == "a.rdf":
        text = text.replace("owl:Ontology", "owl:Other")  # then it is read by rdflib
    assert "<!DOCTYPE" in refusal(text, name)


TURTLE = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n@prefix : <http://x.y/> .\n"
REFUSED = [  # a file, its content, the line with the fault (0: none is named), words about it
    ("nodes.dmp", "1\t|\t1\t|\n2\t|\t3\t|\n3\t|\t2\t|\n", 0, "cycle '2' '3'"),
    ("nodes.dmp", "1\t|\t1\t|\n2\t|\t7\t|\n", 2, "'7'"),
    ("nodes.dmp", "1\t|\t1\t|\n2,1\n", 2, "2 fields"),
    ("nodes.dmp", "1\t|\t1\t|\nx\t|\t1\t|\n", 2, "'x' '1'"),
    ("t.nwk", "(A,B", 1, "closed"),
    ("t.nwk", "(A,B));", 1, "outside"),
    ("t.nwk", "(A,\n,B);", 1, "name"),
    ("t.nwk", "(A,B)r;\n(C,D)s;", 2, "one tree"),
    ("t.nwk", "(A x,B);", 1, "'A' 'x' comma"),
    ("t.nwk", "(A,\nA);", 2, "'A' twice"),
    ("t.nwk", "((A),B);", 0, "one child"),
    ("t.nwk", "(A)(B);", 1, "comma"),
    ("t.nwk", "A,B;", 1, "outside"),
    ("t.nwk", "('A,B);", 1, "' closed"),
    ("a.ttl", "@prefix a: <b> .\na:c a:d a:e f .", 2, "Turtle"),
    ("a.ttl", "<a> <b> <c> .", 0, "SKOS"),
    ("a.ttl", "<a> <b> " + "[ <c> " * 5_000, 0, "Turtle"),
    ("a.ttl", f"{TURTLE}:a skos:broader :b\n:c skos:broader :b .", 4, "'.'"),
    ("a.ttl", f"{TURTLE}q:a skos:broader :b .", 3, '"q:"'),
    ("a.ttl", f"{TURTLE}:a skos:broader :b .\n:a skos:broader <http://x", 4, "URI"),
    ("a.ttl", f"{TURTLE}:a skos:broader :b .\n:a", 4, "ends"),
    ("a.ttl", f"{TURTLE}:a skos:broader :a .", 0, "'http://x.y/a' parent"),
    ("a.rdf", "<rdf:RDF", 1, "XML"),
    ("a.rdf", "<x:RDF xmlns:x='y'><a/></x:RDF>", 0, "SKOS"),
    ("a.jsonld", '{"@id": ', 1, "JSON"),
    ("a.jsonld", '{"@graph": ' + "[" * 300 + "]" * 300 + "}", 0, "200 levels"),
    ("a.owl", "<a/>", 0, "SKOS"),
    ("a.owl", "Prefix(:=<http://e.org/>)", 1, "Turtle"),
    ("a.json", '{"graphs": []}', 0, "SKOS"),
    ("a.json", '{"graphs": [{"nodes": [3]}]}', 0, "Graphs"),
    ("a.json", '{"graphs": [{"nodes": [], "edges": []}]}', 0, "SKOS"),
]


@pytest.mark.parametrize(
    ("name", "text", "line", "words"), REFUSED, ids=lambda value: str(value)[:30]
)
def test_a_fault_is_named_with_its_file_and_line(name, text, line, words):
    message = refusal(text, name)
    assert message.startswith(f"{name}, line {line}: " if line else f"{name}")
    assert all(word in message for word in words.split())
    assert not any(internal in message for internal in ("<>", "NoneType", "index out of range"))


def test_a_missing_library_is_named_with_its_extra_and_only_where_it_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "rdflib", None)
    with pytest.raises(InputError, match=re.escape(install_command("files"))):
        read_hierarchy(FOLDER / "animals.ttl")
    assert len(read_hierarchy(FOLDER / "cells.owl")) == 3


def test_formats_that_are_only_read_say_so():
    h = Hierarchy.from_edges([("A", "B")])
    for key in ("rdf", "owl", "obo-graphs", "newick", "taxdump", "is-a"):
        assert not HIERARCHY_FORMATS[key].writable
        with pytest.raises(InputError, match="can be read but not written"):
            write_hierarchy_text(h, key)


def test_namespaces_without_end_take_little_memory():
    many = " ".join(f'xmlns:p{k}="http://x/{k}"' for k in range(20_000))
    rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"'
    text = f'<rdf:RDF {rdf} {many}><owl:Ontology/><owl:Class rdf:about="http://x/a"/></rdf:RDF>'
    tracemalloc.start()
    try:
        read_hierarchy(text.encode(), name="x.owl")
        assert tracemalloc.get_traced_memory()[1] < 20_000_000  # 5 GB by rdflib
    finally:
        tracemalloc.stop()


def statements(text: str, base: str) -> set:
    """What the reader of RDF/XML states, blank nodes without their names."""
    found: set = set()

    def state(subject, predicate, value, language):
        ends = ("_" if subject.startswith("_:") else subject, predicate)
        found.add((*ends, "_" if language is None and value.startswith("_:") else value, language))

    read_statements(text, state, _KEPT, base, Source())
    return found


SYNTAX = (
    """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="{SKOS}" xmlns:r="{RDFS}"
 xmlns:o="{OWL_IRI}"
 xml:base="http://b.org/d/f#g" xml:lang="fr">
<s:Concept rdf:about="#a" r:label="by attribute"><s:broader rdf:resource="up"/><s:broader rdf:nodeID="n"/>
  <s:prefLabel xml:lang="en">one &amp; <![CDATA[<two>]]></s:prefLabel><s:prefLabel/>
  <s:notation rdf:datatype="http://www.w3.org/2001/XMLSchema#string">typed</s:notation></s:Concept>
<rdf:Description rdf:ID="b" xml:base="http://c.org/"><s:narrower><s:Concept rdf:about="//d.org/x"/></s:narrower>
  <s:narrower rdf:parseType="Resource"><r:label>inner</r:label></s:narrower>
  <s:narrower rdf:parseType="Collection"><o:Class rdf:about="#c"/><o:Class rdf:about="#d"/></s:narrower>
  <s:narrower rdf:parseType="Collection"/><s:narrower r:label="of a blank"/>
  <r:label rdf:parseType="Literal">plain</r:label><rdf:li rdf:resource="#passed-over"/></rdf:Description>
<o:Restriction rdf:nodeID="n"><o:onProperty rdf:resource=""/></o:Restriction>
</rdf:RDF>""".replace("{SKOS}", SKOS)
    .replace("{RDFS}", RDFS)
    .replace("{OWL_IRI}", OWL_IRI)
)


def test_a_property_of_rdf_xml_with_two_values_is_refused_by_its_line():
    concept = '<s:Concept rdf:about="//d.org/x"/>'
    text = SYNTAX.replace(concept, f"{concept}\n{concept}")
    assert refusal(text, "a.rdf").startswith("a.rdf, line 8: ")


def by_rdflib(text: str, base: str) -> set:
    import rdflib

    found = set()
    for subject, predicate, value in rdflib.Graph().parse(data=text, format="xml", publicID=base):
        if str(predicate) in _KEPT:
            language = (value.language or "") if isinstance(value, rdflib.Literal) else None
            ends = ["_" if isinstance(end, rdflib.BNode) else str(end) for end in (subject, value)]
            found.add((ends[0], str(predicate), ends[1], language))
    return found


@pytest.mark.parametrize(
    "text", [SYNTAX, (FOLDER / "cells.owl").read_text()], ids=["all of the syntax", "cells"]
)
def test_rdf_xml_states_what_rdflib_reads_of_it(text):
    assert statements(text, "http://base.org/") == by_rdflib(text, "http://base.org/")


@pytest.mark.parametrize("syntax", ["xml", "pretty-xml"])
def test_rdf_xml_of_random_graphs_states_what_rdflib_wrote(syntax):
    from rdflib import BNode, Graph, Literal, URIRef

    rng = random.Random(3)
    for _ in range(40):
        graph, named = Graph(), [URIRef(f"http://e.org/n{k}") for k in range(4)]
        nodes = [*named, BNode(), BNode()]
        texts = [Literal("a < b"), Literal("x", lang="en"), Literal(True), Literal("")]
        for _ in range(rng.randint(1, 12)):
            predicate = URIRef(rng.choice([*sorted(_KEPT), "http://e.org/other"]))
            values = named if str(predicate) == TYPE else nodes + texts
            graph.add((rng.choice(nodes), predicate, rng.choice(values)))
        text = graph.serialize(format=syntax)
        assert statements(text, "http://base.org/") == by_rdflib(text, "http://base.org/")
