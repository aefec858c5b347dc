"""SKOS and RDF Schema, read by rdflib from Turtle, N-Triples, RDF/XML and JSON-LD.

Concepts are classes, named by their IRIs, with `skos:broader` and `skos:narrower` between them;
where there are none, classes with `rdfs:subClassOf`. Labels are titles. Notations, last parts of
IRIs and replaced concepts are other names of a class. Nothing is fetched: a JSON-LD context that is
elsewhere is refused.
"""

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hiermeasures.core.errors import shown
from hiermeasures.core.hierarchy import Hierarchy
from hiermeasures.formats.hierarchies.building import ParsedEdges, build
from hiermeasures.formats.hierarchies.format import HierarchyFormat, Opening
from hiermeasures.formats.json_text import parse
from hiermeasures.formats.source import Limits, Source
from hiermeasures.formats.xml_text import check_xml

SKOS = "http://www.w3.org/2004/02/skos/core#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
BROADER, NARROWER, SUBCLASS = SKOS + "broader", SKOS + "narrower", RDFS + "subClassOf"
CONCEPT, CLASSES = SKOS + "Concept", (OWL + "Class", RDFS + "Class")
LABELS = (SKOS + "prefLabel", RDFS + "label")
NOTATION, DEPRECATED = SKOS + "notation", OWL + "deprecated"
REPLACED = ("http://purl.org/dc/terms/isReplacedBy", "http://purl.obolibrary.org/obo/IAO_0100001")
_KEPT = {TYPE, BROADER, NARROWER, SUBCLASS, *LABELS, NOTATION, DEPRECATED, *REPLACED}
_EVERYTHING = {OWL + "Thing", RDFS + "Resource"}
_BASE = "http://nowhere.invalid/"  # of relative IRIs, which is taken off again

_ROOT = re.compile(r"<(?:[\w.-]+:)?RDF[\s>]")
_IS_SKOS = re.compile(r"<(?:[\w.-]+:)?(?:Concept|broader|narrower)[\s/>]|skos/core#Concept\b")
_IS_OWL = re.compile(r"<(?:[\w.-]+:)?Ontology[\s/>]")
_TURTLE = re.compile(
    r"(?:\s++|#[^\n]*+\n)*+(?:@prefix\s|@base\s|prefix\s+[\w.-]*:\s*<|base\s+<|<[^<>\s]+>\s+<)", re.IGNORECASE
)
_HEAD = 100_000  # characters in which the root of XML stands


def read(text: str, source: Source, limits: Limits) -> Hierarchy:
    from rdflib import Graph

    syntax = _checked_syntax(text, source, limits)
    graph = Graph(store=_store())
    with _quiet(), source.damaged(f"no {syntax.upper()} that can be read"):
        graph.parse(data=text, format=syntax, publicID=_BASE)
    return build(_parsed(_Statements(graph.store), source), source, limits)


def _checked_syntax(text: str, source: Source, limits: Limits) -> str:
    opening = Opening(text, source, limits)
    if is_rdf_xml(opening):
        check_xml(text, source, limits, "RDF/XML")
        return "xml"
    if opening.is_json or opening.extension == ".jsonld":
        _check_contexts(parse(text, source, limits), source)
        return "json-ld"
    for marks, most in (("<:,;[(", limits.lines * 3 // 2), ("\\", limits.lines // 5)):
        if sum(map(text.count, marks)) > most:
            raise source.error(f"holds more than {most:,} of {' '.join(marks)}, which is the most that is read here")
    return "turtle"


def _check_contexts(document: Any, source: Source) -> None:
    ahead = [document]
    while ahead:
        value = ahead.pop()
        if isinstance(value, list):
            ahead += value
        elif isinstance(value, dict):
            ahead += value.values()
            contexts = value.get("@context")
            for context in (*(contexts if isinstance(contexts, list) else [contexts]), value.get("@import")):
                if isinstance(context, str):
                    raise source.error(f"its context {shown(context)} is elsewhere, and is not fetched; write it out")


def _store() -> Any:
    """A store of the statements that are read here, which are few of most ontologies."""
    from rdflib.plugins.stores.memory import Memory

    class Kept(Memory):
        def add(self, triple: Any, context: Any, quoted: bool = False) -> None:
            if str(triple[1]) in _KEPT:
                super().add(triple, context, quoted)

    return Kept()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep rdflib from telling that a literal is no number or date."""
    logger = logging.getLogger("rdflib.term")
    before, logger.disabled = logger.disabled, True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.disabled = before


class _Statements:
    """The statements of a store about things that have an IRI, in the order of their texts."""

    def __init__(self, store: Any) -> None:
        self._of: dict[str, list[tuple[str, Any]]] = {}
        from rdflib import URIRef

        for (subject, predicate, value), _ in store.triples((None, None, None), None):
            if isinstance(subject, URIRef):
                self._of.setdefault(str(predicate), []).append((_iri(subject), value))

    def pairs(self, *predicates: str) -> list[tuple[str, str]]:
        """The IRIs of subjects and values, each pair once."""
        from rdflib import URIRef

        found = {(s, _iri(value)) for p in predicates for s, value in self._of.get(p, ()) if isinstance(value, URIRef)}
        return sorted(found)

    def texts(self, predicate: str) -> list[tuple[str, str, str]]:
        """The subject, the language and the text of each literal."""
        from rdflib import Literal

        found = self._of.get(predicate, ())
        return sorted((s, str(value.language or ""), str(value)) for s, value in found if isinstance(value, Literal))


def _iri(value: Any) -> str:
    return str(value).removeprefix(_BASE)


def _parsed(said: _Statements, source: Source) -> ParsedEdges:
    typed = said.pairs(TYPE)
    edges = {(parent, child) for child, parent in said.pairs(BROADER)} | set(said.pairs(NARROWER))
    classes = {s for s, kind in typed if kind == CONCEPT}
    if not (edges or classes):
        edges = {(parent, child) for child, parent in said.pairs(SUBCLASS) if parent not in _EVERYTHING}
        classes = {s for s, kind in typed if kind in CLASSES} - _EVERYTHING
    if not (edges or classes):
        raise source.error("holds neither SKOS concepts nor classes of RDF Schema or OWL")
    gone = {s for s, _, text in said.texts(DEPRECATED) if text in ("true", "1")}
    kept = sorted(edge for edge in edges if gone.isdisjoint(edge))
    titles: dict[str, tuple[int, str, str]] = {}
    for number, predicate in enumerate(LABELS):
        for s, language, text in said.texts(predicate):
            rank = 4 * number + (0 if language.split("-")[0] == "en" else 1 if not language else 2), language, text
            titles[s] = min(titles.get(s, rank), rank)
    left_out = gone & (classes | {end for edge in edges for end in edge})
    classes = (classes | {end for edge in kept for end in edge}) - gone
    if not classes:
        raise source.error("holds deprecated classes only")
    parsed = ParsedEdges([p for p, _ in kept], [c for _, c in kept], isolated=sorted(classes))
    parsed.titles = [(s, text) for s, (_, _, text) in titles.items()]
    parsed.other_names = [(text, s) for s, _, text in said.texts(NOTATION)] + said.pairs(*REPLACED)
    parsed.other_names += [(last_part(s), s) for s in parsed.isolated]
    if left_out:
        parsed.notes.append(f"{len(left_out):,} deprecated class{'es' * (len(left_out) > 1)} skipped")
    return parsed


def last_part(iri: str) -> str:
    """Return the part of an IRI after its last # or /.

    >>> last_part("http://example.org/animals#Cat")
    'Cat'
    """
    return re.split("[#/]", iri)[-1]


def is_rdf_xml(opening: Opening) -> bool:
    """True for XML with the root of RDF, or that has none where the file is named as RDF/XML."""
    is_xml = opening.text.lstrip().startswith("<") and not _TURTLE.match(opening.text)
    return is_xml and (opening.extension in (".owl", ".rdf") or _ROOT.search(opening.text, 0, _HEAD) is not None)


def is_owl(opening: Opening) -> bool:
    """True for RDF/XML with an ontology, and without SKOS concepts."""
    if opening.extension == ".owl" and not begins(opening):
        return True  # another syntax of OWL, which is refused
    text = opening.text
    return is_rdf_xml(opening) and _IS_OWL.search(text) is not None and _IS_SKOS.search(text) is None


def begins(opening: Opening) -> bool:
    """True for what is read here, and OWL."""
    if opening.extension in (".ttl", ".nt", ".rdf", ".jsonld") or is_rdf_xml(opening) or _TURTLE.match(opening.text):
        return True
    found = opening.json if opening.is_json else None
    found = found[0] if isinstance(found, list) and found else found
    return isinstance(found, dict) and not found.keys().isdisjoint(("@context", "@graph", "@id"))


FORMAT = HierarchyFormat(
    key="rdf",
    title="SKOS and RDF Schema",
    extensions=(".ttl", ".nt", ".rdf", ".jsonld"),
    description="Turtle, N-Triples, RDF/XML or JSON-LD: concepts and `skos:broader`, or classes and `rdfs:subClassOf`, "
    "named by IRI; labels are titles",
    read=read,
    package="rdflib",
    begins=begins,
)
