"""SKOS and RDF Schema, read by rdflib from Turtle, N-Triples, RDF/XML and JSON-LD; OWL in RDF/XML
and OBO Graphs (JSON), read by pronto.

Concepts are classes, named by their IRIs, with `skos:broader` and `skos:narrower` between them;
where there are none, classes with `rdfs:subClassOf`. Labels are titles. Notations, last parts of
IRIs and replaced concepts are other names of a class. Nothing is fetched: a JSON-LD context that is
elsewhere is refused, and imports are not followed.

Terms that pronto reads are classes, named by their ids (IRIs of the OBO Foundry in their short
form, CL:0000540), with `subClassOf` and `is_a`; obsolete terms are skipped, names are titles, and
alternative and replaced ids other names.
"""

import io
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
from hiermeasures.formats.source import Limits, Source
from hiermeasures.formats.untrusted import check_xml, parse

SKOS = "http://www.w3.org/2004/02/skos/core#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL_IRI = "http://www.w3.org/2002/07/owl#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
BROADER, NARROWER, SUBCLASS = SKOS + "broader", SKOS + "narrower", RDFS + "subClassOf"
CONCEPT, CLASSES = SKOS + "Concept", (OWL_IRI + "Class", RDFS + "Class")
LABELS = (SKOS + "prefLabel", RDFS + "label")
NOTATION, DEPRECATED = SKOS + "notation", OWL_IRI + "deprecated"
REPLACED = ("http://purl.org/dc/terms/isReplacedBy", "http://purl.obolibrary.org/obo/IAO_0100001")
_KEPT = {TYPE, BROADER, NARROWER, SUBCLASS, *LABELS, NOTATION, DEPRECATED, *REPLACED}
_EVERYTHING = {OWL_IRI + "Thing", RDFS + "Resource"}
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


# --- OWL and OBO Graphs ---------------------------------------------------------------------------


def read_owl(text: str, source: Source, limits: Limits) -> Hierarchy:
    check_xml(text, source, limits, "OWL")
    return _read_by_pronto(text, "OWL", "about=", source, limits)


def read_graphs(text: str, source: Source, limits: Limits) -> Hierarchy:
    content = parse(text, source, limits)  # bounds its nesting and size
    if not isinstance(content, dict) or not content.get("graphs"):  # fastobo prints a panic
        raise source.error("holds no graph of OBO Graphs")
    return _read_by_pronto(text, "OBO Graphs", '"id"', source, limits)


def _read_by_pronto(text: str, kind: str, mark: str, source: Source, limits: Limits) -> Hierarchy:
    """Read text in which each term has such a mark."""
    if text.count(mark) > limits.lines // 4:  # a term takes five kilobytes
        raise source.error(f"has more than {limits.lines // 4:,} terms, which is the most that is read here")
    from pronto.ontology import Ontology

    with source.damaged(f"no {kind} that can be read"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            parsed = _parsed_terms(Ontology(io.BytesIO(text.encode("utf-8", "replace")), import_depth=0, threads=1))
        except KeyError as unknown:
            advice = "imports are not followed, so merge them first, such as with ROBOT"
            raise source.error(f"the class {shown(str(unknown.args[0]))} is declared nowhere in it; {advice}") from None
        except BaseException as panic:  # of fastobo's, which is no Exception
            if type(panic).__name__ != "PanicException":
                raise
            raise source.error(f"no {kind} that can be read") from None
    if not parsed.isolated:
        raise source.error("holds no classes, or obsolete ones only")
    return build(parsed, source, limits)


def _parsed_terms(ontology: Any) -> ParsedEdges:
    terms = sorted(ontology.terms(), key=lambda term: term.id)
    gone = {term.id for term in terms if term.obsolete}
    parsed = ParsedEdges(isolated=[term.id for term in terms if term.id not in gone])
    for term in terms:
        if term.id in gone:
            new = {other.id for other in term.replaced_by}
            parsed.other_names += [(term.id, label) for label in new]
            continue
        above = {other.id for other in term.superclasses(distance=1, with_self=False)}
        for parent in sorted(above - gone):
            parsed.parents.append(parent)
            parsed.children.append(term.id)
        parsed.titles.append((term.id, term.name or ""))
        parsed.other_names += [(other, term.id) for other in sorted(term.alternate_ids)]
        parsed.other_names.append((last_part(term.id), term.id))
    if gone:
        parsed.notes.append(f"{len(gone):,} obsolete term{'s' * (len(gone) > 1)} skipped")
    return parsed


def _is_graphs(opening: Opening) -> bool:
    if not opening.is_json or not isinstance(opening.json, dict):
        return False
    graphs = opening.json.get("graphs")
    return isinstance(graphs, list) and all(isinstance(g, dict) and ("nodes" in g or "edges" in g) for g in graphs)


OWL = HierarchyFormat(
    key="owl",
    title="OWL",
    extensions=(".owl",),
    description="RDF/XML: named classes and their superclasses, obsolete ones left out; labels are titles",
    read=read_owl,
    package="pronto",
    begins=is_owl,
)

GRAPHS = HierarchyFormat(
    key="obo-graphs",
    title="OBO Graphs",
    extensions=(".json",),
    description="the JSON of OBO ontologies: terms by their ids and `is_a`, obsolete ones left out; names are titles",
    read=read_graphs,
    package="pronto",
    begins=_is_graphs,
)
