"""Read SKOS, RDF Schema, OWL and OBO Graphs.

Turtle, N-Triples and JSON-LD need rdflib. RDF/XML is read by rdf_xml.py. Classes are SKOS concepts,
named by their IRIs, with `skos:broader` and `skos:narrower` between them. A file without concepts
has classes with `rdfs:subClassOf`. Labels are titles. Notations, alternative ids, last parts of
IRIs and replaced concepts are other names of a class. Deprecated classes are skipped. OWL in
RDF/XML and OBO Graphs use short IRIs for the OBO Foundry, such as CL:0000540. Imports and JSON-LD
contexts on other servers are not fetched.
"""

import logging
import re
import warnings
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from hiermeasures.hierarchy.errors import check_known, shown
from hiermeasures.hierarchy.hierarchy import Hierarchy
from hiermeasures.hierarchy.words import write_count
from hiermeasures.read.hierarchies.building import ParsedEdges, build
from hiermeasures.read.hierarchies.format import FormatText, HierarchyFormat
from hiermeasures.read.hierarchies.rdf_xml import read_statements
from hiermeasures.read.source import Source
from hiermeasures.read.untrusted import parse

SKOS = "http://www.w3.org/2004/02/skos/core#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL_IRI = "http://www.w3.org/2002/07/owl#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
BROADER, NARROWER, SUBCLASS = SKOS + "broader", SKOS + "narrower", RDFS + "subClassOf"
CONCEPT, CLASSES = SKOS + "Concept", (OWL_IRI + "Class", RDFS + "Class")
LABELS = (SKOS + "prefLabel", RDFS + "label")
NAMES = (SKOS + "notation", "http://www.geneontology.org/formats/oboInOwl#hasAlternativeId")
DEPRECATED = OWL_IRI + "deprecated"
REPLACED = ("http://purl.org/dc/terms/isReplacedBy", "http://purl.obolibrary.org/obo/IAO_0100001")
_KEPT = {TYPE, BROADER, NARROWER, SUBCLASS, *LABELS, *NAMES, DEPRECATED, *REPLACED}
ON_PROPERTY, SOME = OWL_IRI + "onProperty", OWL_IRI + "someValuesFrom"
_KEPT |= {ON_PROPERTY, SOME}
_EVERYTHING = {OWL_IRI + "Thing", RDFS + "Resource"}
_BASE = "http://nowhere.invalid/"  # of relative IRIs, which is taken off again
_RELATIONS = {"BFO:0000050": "part_of", "BFO:0000051": "has_part"}
_FOUNDRY = re.compile(r"http://purl\.obolibrary\.org/obo/([^#_/]+)_(.*)")

_ROOT = re.compile(r"<(?:[\w.-]+:)?RDF[\s>]")
_IS_SKOS = re.compile(r"<(?:[\w.-]+:)?(?:Concept|broader|narrower)[\s/>]|skos/core#Concept\b")
_IS_OWL = re.compile(r"<(?:[\w.-]+:)?Ontology[\s/>]")
_TURTLE = re.compile(
    r"(?:\s++|#[^\n]*+\n)*+(?:@prefix\s|@base\s|prefix\s+[\w.-]*:\s*<|base\s+<|<[^<>\s]+>\s+<)",
    re.IGNORECASE,
)
_HEAD = 100_000  # characters in which the root of XML stands


def read(text: str, source: Source, *, short: bool = False) -> Hierarchy:
    opening = FormatText(text, source)
    said = _Statements(short)
    if is_rdf_xml(opening):
        read_statements(text, said.state, kept=_KEPT, base=_BASE, source=source)
    elif opening.is_json or opening.extension == ".jsonld":
        _check_contexts(parse(text, source), source)
        _read_by_rdflib(text, "json-ld", said, source)
    else:
        for marks, most in (
            ("<:,;[(", source.limits.lines * 3 // 2),
            ("\\", source.limits.lines // 5),
        ):
            if sum(map(text.count, marks)) > most:
                raise source.error(f"contains more than {most:,} of {' '.join(marks)}, the limit")
        _read_by_rdflib(text, "turtle", said, source)
    return _built(said, source)


def _read_by_rdflib(text: str, syntax: str, said: "_Statements", source: Source) -> None:
    from rdflib import BNode, Graph, Literal

    graph = Graph(store=_store())
    kind = {"turtle": "Turtle", "json-ld": "JSON-LD"}[syntax]
    with _quiet(), source.damaged(f"not {kind} that can be read"):
        try:
            graph.parse(data=text, format=syntax, publicID=_BASE)
        except (
            SyntaxError,
            IndexError,
            AttributeError,
            TypeError,
        ) as error:  # the latter where rdflib is surprised
            end = len(text.rstrip().splitlines()) if isinstance(error, IndexError) else None
            line = error.lines + 1 if hasattr(error, "lines") else end
            reason = getattr(error, "_why", "it ends in the middle of a statement, or is damaged")
            raise source.error(f"not {kind} that can be read: {reason}", line) from None
    triples: Any = graph.store.triples((None, None, None), None)
    for (subject, predicate, value), _ in triples:
        ends = [f"_:{end}" if isinstance(end, BNode) else str(end) for end in (subject, value)]
        language = (value.language or "") if isinstance(value, Literal) else None
        said.state(ends[0], str(predicate), ends[1], language)


def _check_contexts(document: Any, source: Source) -> None:
    ahead = [document]
    while ahead:
        value = ahead.pop()
        if isinstance(value, list):
            ahead += value
        elif isinstance(value, dict):
            ahead += value.values()
            contexts = value.get("@context")
            for context in (
                *(contexts if isinstance(contexts, list) else [contexts]),
                value.get("@import"),
            ):
                if isinstance(context, str):
                    raise source.error(
                        f"its context {shown(context)} is on another server and is not fetched. "
                        "Write the context into the file"
                    )


def _store() -> Any:
    """A store of the few statements that are read here."""
    from rdflib.plugins.stores.memory import Memory

    class KeptTriples(Memory):
        def add(self, triple: Any, context: Any, quoted: bool = False) -> None:
            if str(triple[1]) in _KEPT:
                super().add(triple, context, quoted)

    return KeptTriples()


@contextmanager
def _quiet() -> Iterator[None]:
    """Stop rdflib from warning that a literal is not a number or date."""
    logger = logging.getLogger("rdflib.term")
    before, logger.disabled = logger.disabled, True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.disabled = before


class _Statements:
    """Statements about IRIs, by predicate: other IRIs, and texts."""

    def __init__(self, short: bool) -> None:
        self.short = short
        self.things: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
        # the second is the language
        self.texts: defaultdict[str, set[tuple[str, str, str]]] = defaultdict(set)
        self.related: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)  # by the relation
        # superclasses that are not classes
        self._restrictions: defaultdict[str, dict[str, str]] = defaultdict(dict)
        self._below: list[tuple[str, str]] = []

    def state(self, subject: str, predicate: str, value: str, language: str | None) -> None:
        """Add a statement. The language is None if the value is an IRI. Names such as _:1 are not
        IRIs.
        """
        if subject.startswith("_:"):
            if language is None and predicate in (ON_PROPERTY, SOME) and not value.startswith("_:"):
                self._restrictions[subject][predicate] = value
        elif language is not None:
            self.text(subject, predicate, value, language)
        elif not value.startswith("_:"):
            self.link(subject, predicate, value)
        elif predicate == SUBCLASS and self.short:
            self._below.append((subject, value))

    def add_restrictions(self) -> None:
        """Relate classes by the restrictions above them."""
        for subject, node in self._below:
            if len(found := self._restrictions[node]) == 2:
                self.relate(subject, found[ON_PROPERTY], found[SOME])

    def link(self, subject: str, predicate: str, value: str) -> None:
        self.things[str(predicate)].add((self._name(subject), self._name(value)))

    def text(self, subject: str, predicate: str, value: str, language: str = "") -> None:
        self.texts[str(predicate)].add((self._name(subject), language, str(value)))

    def relate(self, subject: str, relation: str, value: str) -> None:
        self.related[self._name(relation)].add((self._name(subject), self._name(value)))

    def _name(self, iri: str) -> str:
        name = str(iri).removeprefix(_BASE)
        return _FOUNDRY.sub(r"\1:\2", name) if self.short else name


def _built(said: _Statements, source: Source) -> Hierarchy:
    """Return the hierarchy of the relations that lead to parents."""
    said.add_restrictions()
    names = {s: text for s, _, text in sorted(said.texts[LABELS[1]]) if s in said.related}
    related: dict[str, set[tuple[str, str]]] = {"is_a": said.things[SUBCLASS]}
    for relation, pairs in sorted(said.related.items()):
        name = names.get(relation) or _RELATIONS.get(relation, relation)
        related.setdefault(name.replace(" ", "_"), set()).update(pairs)
    asked: tuple[str, ...] = source.options.get("relations", ("is_a",))
    with source.named():
        for name in asked:
            check_known("relation", name, related)
    told = tuple((name, len(pairs), name in asked) for name, pairs in related.items())
    said.things[SUBCLASS] = set().union(*(related[name] for name in asked))
    h = build(_parsed(said, source), source)
    return h.with_understood(relations=told) if said.related else h


def _parsed(said: _Statements, source: Source) -> ParsedEdges:
    things = said.things
    edges = {(parent, child) for child, parent in things[BROADER]} | things[NARROWER]
    classes = {s for s, kind in things[TYPE] if kind == CONCEPT}
    if not (edges or classes):
        edges = {(parent, child) for child, parent in things[SUBCLASS] if parent not in _EVERYTHING}
        classes = {s for s, kind in things[TYPE] if kind in CLASSES} - _EVERYTHING
    if not (edges or classes):
        raise source.error("contains neither SKOS concepts nor classes of RDF Schema or OWL")
    gone = {s for s, _, text in said.texts[DEPRECATED] if text in ("true", "1")}
    if any(kind == CLASSES[0] for _, kind in things[TYPE]) and not classes.issuperset(
        parent for parent, _ in edges
    ):
        _check_declared(edges, classes, gone, source)
    classes.update(child for _, child in edges)
    classes.update(parent for parent, child in edges if child not in gone)
    if gone.issuperset(classes):
        raise source.error("contains only deprecated classes")
    titles: dict[str, tuple[int, str, str]] = {}
    for number, predicate in enumerate(LABELS):
        for s, language, text in sorted(said.texts[predicate]):
            rank = (
                4 * number + (0 if language.split("-")[0] == "en" else 1 if not language else 2),
                language,
                text,
            )
            titles[s] = min(titles.get(s, rank), rank)
    ordered = sorted(edges)
    parents, children = [parent for parent, _ in ordered], [child for _, child in ordered]
    kind = "obsolete term" if said.short else "deprecated class"
    parsed = ParsedEdges.of_terms(sorted(classes), parents, children, gone, kind)
    parsed.titles = [(s, text) for s, (_, _, text) in titles.items()]
    parsed.other_names = [(text, s) for name in NAMES for s, _, text in sorted(said.texts[name])]
    parsed.other_names += [pair for predicate in REPLACED for pair in sorted(things[predicate])]
    parsed.other_names += [(last_part(s), s) for s in parsed.isolated]
    return parsed


def _check_declared(
    edges: set[tuple[str, str]], classes: set[str], gone: set[str], source: Source
) -> None:
    """Refuse a superclass that the file does not declare, since its parents would be missing."""
    unknown = sorted(
        (parent, child) for parent, child in edges if parent not in classes and child not in gone
    )
    if unknown:
        parent, child = unknown[0]
        others = len({parent for parent, _ in unknown}) - 1
        more = f", and {write_count(others, 'more superclass')} too" * (others > 0)
        raise source.error(
            f"{shown(parent)}, above {shown(child)}, is not declared in the file{more}. Imports "
            "are not fetched. Merge them first, for example with `robot merge`"
        )


def last_part(iri: str) -> str:
    """Return the part of an IRI after its last # or /.

    >>> last_part("http://example.org/animals#Cat")
    'Cat'
    """
    return re.split("[#/]", iri)[-1]


def is_rdf_xml(opening: FormatText) -> bool:
    """Return True for RDF/XML with the root of RDF. A file named as RDF/XML may have no such root."""
    is_xml = opening.text.lstrip().startswith("<") and not _TURTLE.match(opening.text)
    return is_xml and (
        opening.extension in (".owl", ".rdf") or _ROOT.search(opening.text, 0, _HEAD) is not None
    )


def is_owl(opening: FormatText) -> bool:
    """Return True for RDF/XML with an ontology and without SKOS concepts."""
    if opening.extension == ".owl" and not begins(opening):
        return True  # another syntax of OWL, which is refused
    text = opening.text
    return (
        is_rdf_xml(opening) and _IS_OWL.search(text) is not None and _IS_SKOS.search(text) is None
    )


def begins(opening: FormatText) -> bool:
    """Return True for texts that this module reads, including OWL."""
    if (
        opening.extension in (".ttl", ".nt", ".rdf", ".jsonld")
        or is_rdf_xml(opening)
        or _TURTLE.match(opening.text)
    ):
        return True
    found = opening.json if opening.is_json else None
    found = found[0] if isinstance(found, list) and found else found
    return isinstance(found, dict) and not found.keys().isdisjoint(("@context", "@graph", "@id"))


FORMAT = HierarchyFormat(
    key="rdf",
    title="SKOS and RDF Schema",
    extensions=(".ttl", ".nt", ".rdf", ".jsonld"),
    description=(
        "Turtle, N-Triples, RDF/XML or JSON-LD: concepts with `skos:broader`, or classes with "
        "`rdfs:subClassOf`, named by IRI. Labels are titles"
    ),
    read=read,
    package="rdflib",
    begins=begins,
)


# --- OWL and OBO Graphs ---------------------------------------------------------------------------


def read_graphs(document: Any, source: Source) -> Hierarchy:
    said = _Statements(short=True)
    with source.damaged("not an OBO Graphs file that can be read"):
        for graph in document["graphs"]:
            for edge in graph.get("edges", ()):
                if edge["pred"] == "is_a":
                    said.link(edge["sub"], SUBCLASS, edge["obj"])
                elif edge["pred"] not in ("subPropertyOf", "inverseOf", "type"):
                    said.relate(edge["sub"], edge["pred"], edge["obj"])
            for node in graph.get("nodes", ()):
                if node.get("type") == "CLASS":
                    _describe(node, said)
                elif "lbl" in node:
                    said.text(node["id"], LABELS[1], node["lbl"])
    return _built(said, source)


def _describe(node: dict[str, Any], said: _Statements) -> None:
    term, meta = node["id"], node.get("meta", {})
    said.link(term, TYPE, CLASSES[0])
    if "lbl" in node:
        said.text(term, LABELS[1], node["lbl"])
    if meta.get("deprecated"):
        said.text(term, DEPRECATED, "true")
    for entry in meta.get("basicPropertyValues", ()):
        said.text(term, entry["pred"], entry["val"])
        said.link(term, entry["pred"], entry["val"])


def _is_graphs(opening: FormatText) -> bool:
    if not opening.is_json or not isinstance(opening.json, dict):
        return False
    graphs = opening.json.get("graphs")
    return isinstance(graphs, list) and all(
        isinstance(g, dict) and ("nodes" in g or "edges" in g) for g in graphs
    )


OWL = HierarchyFormat(
    key="owl",
    title="OWL",
    extensions=(".owl",),
    description=(
        "RDF/XML: named classes and their superclasses, without obsolete ones. Labels are titles"
    ),
    read=partial(read, short=True),
    begins=is_owl,
    takes=("relations",),
)

GRAPHS = HierarchyFormat(
    key="obo-graphs",
    title="OBO Graphs",
    extensions=(".json",),
    description=(
        "the JSON of OBO ontologies: terms by their ids and `is_a`, without obsolete ones. "
        "Names are titles"
    ),
    read=read_graphs,
    is_json=True,
    begins=_is_graphs,
    takes=("relations",),
)
